"""Results of tools/bench as one HTML page: charts as SVG, the targets, every figure. The page needs
no script and no other file, and follows the reader's choice of light or dark."""
import math
import xml.etree.ElementTree as xml

import bench_results as results
from bench_results import figure

STYLE = """
:root { color-scheme: light dark; --page: #ffffff; --card: #f6f7f9; --ink: #1b1e23;
  --soft: #5b6470; --line: #d8dde4; --ours: #1f66d6; --ours2: #12a0b8; --peer: #cf6a0b;
  --peer2: #a3348c; --peer3: #a88400; --peer4: #c23b4e; --limit: #6d7783; --limit2: #3f8f5f;
  --good: #1c7d46; --bad: #c02a2a; --unsure: #8a6100 }
@media (prefers-color-scheme: dark) { :root { --page: #14171b; --card: #1d2127; --ink: #e6e9ed;
  --soft: #9aa4b1; --line: #343b45; --ours: #6aa5ff; --ours2: #4dd0e1; --peer: #f59a4a;
  --peer2: #dd8fd0; --peer3: #e0c04a; --peer4: #f2808e; --limit: #98a2ae; --limit2: #7fc99b;
  --good: #5fc98a; --bad: #ff7b72; --unsure: #e0b04a } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 1520px; background: var(--page);
  color: var(--ink); font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .5rem }
h2 { font-size: 1.25rem; margin: 2.5rem 0 .5rem; padding-top: .75rem;
  border-top: 1px solid var(--line) }
h3 { font-size: .95rem; margin: 0 0 .25rem }
.figures + h3 { margin-top: 1.5rem }
p { margin: .25rem 0 .75rem; max-width: 75ch }
a { color: var(--ours) }
nav a { display: inline-block; margin-right: .9rem; padding: .2rem 0 }
.soft { color: var(--soft) }
.note { border-left: 3px solid var(--unsure); padding-left: .6rem }
.cards { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 340px),
  1fr)); margin: .75rem 0; align-items: start }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px;
  padding: .75rem .75rem .5rem; min-width: 0 }
svg { display: block; width: 100%; max-width: 480px; height: auto }
svg text { font: 11.5px system-ui, sans-serif; fill: var(--ink) }
svg .soft { fill: var(--soft) }
svg .grid { stroke: var(--line); stroke-width: 1; fill: none }
svg .line { fill: none; stroke-width: 2; stroke-linejoin: round; stroke: currentColor }
svg .dot, svg .bar { fill: currentColor }
svg .second { opacity: .55 }
svg .mark { stroke: var(--ink); stroke-width: 1.5 }
svg .bullet { max-width: none }
.ours { color: var(--ours) } .ours2 { color: var(--ours2) } .peer { color: var(--peer) }
.peer2 { color: var(--peer2) } .peer3 { color: var(--peer3) } .peer4 { color: var(--peer4) }
.limit { color: var(--limit) } .limit2 { color: var(--limit2) }
.dashed { stroke-dasharray: 5 3 }
.legend { list-style: none; margin: .25rem 0; padding: 0; font-size: .82rem }
.legend li { display: inline-block; margin-right: .9rem }
.legend i { display: inline-block; width: .8rem; height: .8rem; border-radius: 2px;
  background: currentColor; margin-right: .35rem; vertical-align: -.1rem }
.legend span { color: var(--ink) }
table { border-collapse: collapse; width: 100%; font-size: .88rem;
  font-variant-numeric: tabular-nums }
th { text-align: left; font-weight: 600; color: var(--soft) }
th, td { padding: .35rem .6rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
.figures { overflow-x: auto }
.figures td { overflow-wrap: normal; white-space: nowrap }
.figures .number, .figures th.number { text-align: right }
.met { color: var(--good); font-weight: 600 } .missed { color: var(--bad); font-weight: 600 }
.unsure { color: var(--unsure) }
.targets .row { white-space: nowrap; color: var(--soft) }
.targets .bullet { width: 150px; margin: .15rem 0 }
summary { cursor: pointer; margin: .5rem 0; color: var(--soft) }
@media (max-width: 760px) {
  .targets thead { display: none }
  .targets tr { display: block; border-bottom: 1px solid var(--line); padding: .5rem 0 }
  .targets td { display: block; border: 0; padding: .1rem 0 }
  .targets td:nth-child(-n+2) { display: inline; font-weight: 600 }
  .targets .row::after { content: "  "; white-space: pre }
  .targets td[data-label]::before { content: attr(data-label) ": "; color: var(--soft) }
}
"""

WIDTH = 340  # of a chart; the page scales it a little


def node(tag, /, *children, **attributes):
    """Return an element. In the names of attributes, a trailing _ is dropped, and any other _
    becomes a hyphen."""
    made = xml.Element(tag, {key.rstrip("_").replace("_", "-"): str(value)
                             for key, value in attributes.items() if value is not None})
    for child in children:
        if child is None:
            continue
        if not isinstance(child, str):
            made.append(child)
        elif len(made) > 0:
            made[-1].tail = (made[-1].tail or "") + child
        else:
            made.text = (made.text or "") + child
    return made


def at(value):
    return f"{value:.1f}"


def words(x, y, text, anchor="start", class_=None):
    return node("text", text, x=at(x), y=at(y), text_anchor=anchor, class_=class_)


def chart(height, label, *children, width=WIDTH, class_=None):
    return node("svg", node("title", label), *children, viewBox=f"0 0 {width} {at(height)}",
                role="img", class_=class_, xmlns="http://www.w3.org/2000/svg")


def card(title, *children):
    return node("div", node("h3", title), *children, class_="card")


def kinds_of(measures):
    """Give {name: class}, a color for each side of a work."""
    most = {"ours": 2, "peer": 4, "limit": 2}
    seen, kinds = {}, {}
    for measure in measures:
        side = measure["side"]
        seen[side] = seen.get(side, 0) + 1
        turn = (seen[side] - 1) % most[side] + 1
        kinds.setdefault(measure["name"], side if turn == 1 else f"{side}{turn}")
    return kinds


def legend(kinds):
    return node("ul", *[node("li", node("i"), node("span", name), class_=kind)
                        for name, kind in kinds.items()], class_="legend")


def short(text, most):
    return text if len(text) <= most else text[:most - 3] + "..."


def time_text(ns):
    for size, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "us")):
        if ns >= size:
            return f"{ns / size:g} {unit}"
    return f"{ns:g} ns"


def bytes_text(count):
    for size, unit in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if count >= size:
            return f"{count / size:g} {unit}"
    return f"{count:g} B"


def amount(measure, value):
    """Return a time and, for large copies, the bandwidth."""
    text = figure(value) + ("" if measure["unit"] == "ns" else f' {measure["unit"]}')
    if measure["unit"] == "ns" and value >= 1e4:
        text = figure(value / 1e6) + " ms" if value >= 1e6 else figure(value / 1e3) + " us"
    if measure["unit"] == "ns" and (measure.get("bytes") or 0) >= 4096 and value > 0:
        text += f' ({measure["bytes"] / value:.1f} GB/s)'
    return text


# ---- bars: the time of each side -----------------------------------------------------------------

def bar(y, measure, most, kind, is_second):
    """Draw the median, a mark at the minimum, and the figure to the right of the bar."""
    room = WIDTH - 120
    middle, least = results.median(measure), results.minimum(measure)
    length = max(1.0, room * max(0, middle) / most)
    return node(
        "g", node("title", f'{measure["name"]}: median {amount(measure, middle)}, '
                           f"minimum {amount(measure, least)}"),
        node("rect", x="0", y=at(y), width=at(length), height="10", rx="1.5",
             class_="bar second" if is_second else "bar"),
        node("path", d=f"M{at(room * max(0, least) / most)} {at(y - 1)}v12", class_="mark"),
        words(length + 5, y + 9, amount(measure, middle)), class_=kind)


def bars(works, title):
    """One work: for each side a bar per build."""
    names, first = {}, {}
    for number, measures in enumerate(works):
        for measure in measures:
            names.setdefault(measure["name"], {})[number] = measure
        if measures and measures[0]["side"] == "ours":
            first[number] = measures[0]
    kinds = {measure["name"]: measure["side"] for measures in works for measure in measures}
    most = max([results.median(m) for measures in works for m in measures] + [1e-9])
    parts, y = [], 14.0
    for name, measures in names.items():
        ratios = [figure(results.ratio(results.median(first[number]), results.median(measure)))
                  for number, measure in measures.items()
                  if number in first and measure is not first[number]]
        parts.append(words(0, y, short(name, 44)))
        if any(ratios):
            parts.append(words(WIDTH, y, " / ".join(ratios) + "x", "end", "soft"))
        y += 5
        for number, measure in measures.items():
            parts.append(bar(y, measure, most, kinds[name], number > 0))
            y += 13
        y += 15
    return chart(y - 10, f"{title}: what each side takes", *parts)


# ---- curves --------------------------------------------------------------------------------------

def logarithmic(low, high, start, end):
    span = math.log(high / low) or 1.0
    return lambda value: start + (end - start) * math.log(value / low) / span


def linear(low, high, start, end):
    span = (high - low) or 1.0
    return lambda value: start + (end - start) * (value - low) / span


def decades(low, high):
    """Return round numbers from low to high: powers of ten, and their multiples by 2 and 5 where
    there are few powers."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    steps = (1,) if last - first > 3 else (1, 2, 5)
    return [step * 10.0 ** power for power in range(first, last + 1) for step in steps
            if low <= step * 10.0 ** power <= high]


class Frame:
    """The axes of a chart of lines."""
    left, right, top, bottom = 46, WIDTH - 20, 8, 168
    height = 190

    def __init__(self, label, x, y):
        self.x, self.y, self.label, self.parts = x, y, label, []

    def across(self, value, text):
        y = self.y(value)
        self.parts.append(node("path", d=f"M{self.left} {at(y)}H{self.right}", class_="grid"))
        self.parts.append(words(self.left - 5, y + 4, text, "end", "soft"))

    def up(self, value, text):
        x = self.x(value)
        self.parts.append(node("path", d=f"M{at(x)} {self.top}V{self.bottom}", class_="grid"))
        self.parts.append(words(x, self.bottom + 15, text, "middle", "soft"))

    def curve(self, points, kind, name, marks=(), is_dashed=False):
        path = "M" + "L".join(f"{at(self.x(x))} {at(self.y(y))}" for x, y in points)
        self.parts.append(node(
            "g", node("title", name),
            node("path", d=path, class_="line dashed" if is_dashed else "line"),
            *[node("circle", node("title", f"{name}: {text}"), cx=at(self.x(x)), cy=at(self.y(y)),
                   r="2.6", class_="dot") for x, y, text in marks], class_=kind))

    def drawn(self):
        return chart(self.height, self.label, *self.parts)


def quantiles(single):
    """Give (how far out, ns): 0 for the fastest half, 1 for one of ten, 2 for one of a hundred...

    Below the lower bound of a bucket lies exactly what the buckets before it hold."""
    total = sum(count for _, count in single["hist"])
    end = max(single.get("count") or total, 2)
    points, below = [], 0
    for low, count in single["hist"]:
        points.append((-math.log10(1 - below / total), max(low, 1.0)))
        below += count
    for share, name in ((0.5, "p50"), (0.99, "p99"), (0.999, "p999")):
        if end * (1 - share) >= 1:
            points.append((-math.log10(1 - share), max(single[name], 1.0)))
    points.append((math.log10(end), max(single["max"], 1.0)))
    points.sort()
    highest, rising = 0.0, []
    for x, ns in points:
        highest = max(highest, ns)
        rising.append((x, highest))
    return rising


def distribution(measures, title):
    """How slow the slow ones are: the further right, the rarer."""
    known = [m for m in measures if m.get("single") and m["single"].get("hist")]
    if not known:
        return None
    curves = [(m, quantiles(m["single"])) for m in known]
    low = min(ns for _, points in curves for _, ns in points)
    high = max(ns for _, points in curves for _, ns in points)
    far = max(points[-1][0] for _, points in curves)
    frame = Frame(f"{title}: single operations", linear(0, far, Frame.left, Frame.right),
                  logarithmic(low, max(high, low * 2), Frame.bottom, Frame.top))
    for ns in decades(low, max(high, low * 2)):
        frame.across(ns, time_text(ns))
    for x, text in ((math.log10(2), "50%"), (1, "90%"), (2, "99%"), (3, "99.9%"), (4, "99.99%"),
                    (5, "99.999%")):
        if x <= far:
            frame.up(x, text)
    kinds = kinds_of(known)
    for measure, points in curves:
        single = measure["single"]
        marks = [(x, max(single[name], 1.0), f"{text} {figure(single[name])} ns")
                 for x, name, text in ((math.log10(2), "p50", "p50"), (2, "p99", "p99"),
                                       (3, "p999", "p99.9"), (points[-1][0], "max", "max"))
                 if x <= points[-1][0]]
        frame.curve(points, kinds[measure["name"]], measure["name"], marks,
                    measure["side"] == "limit")
    return card(title, frame.drawn(), legend(kinds))


def is_ours(sweep):
    """True for a series of doca_core. Only the name of a series is known: "ours...", or the form of
    the calls."""
    return sweep["series"].startswith(("ours", "inlined", "library"))


def series_kinds(sweeps):
    kinds, others = {}, ["limit", "peer", "peer2", "limit2", "peer3", "peer4"]
    ours = ["ours", "ours2"]
    for sweep in sweeps:
        stock = ours if is_ours(sweep) and ours else others
        kinds[sweep["series"]] = stock.pop(0) if stock else "limit"
    return kinds


def size_ticks(frame, unit, low, high):
    first, last = math.ceil(math.log2(low)), math.floor(math.log2(high))
    step = max(2, math.ceil((last - first) / 5))
    for power in range(first, last + 1, step):
        frame.up(2.0 ** power, bytes_text(2.0 ** power) if unit == "bytes" else f"{2 ** power}")


def sweep_cards(sweeps, title):
    """Draw times over sizes. As the curves of the times lie close together, also draw the speed of
    doca_core relative to each other series."""
    sweeps = [{**s, "points": [(x, y) for x, y in sorted(map(tuple, s["points"]))
                               if x > 0 and y > 0]} for s in sweeps]
    sweeps = sorted((s for s in sweeps if s["points"]), key=lambda s: not is_ours(s))
    if not sweeps:
        return []
    kinds = series_kinds(sweeps)
    xs = [x for s in sweeps for x, _ in s["points"]]
    ys = [y for s in sweeps for _, y in s["points"]]
    across = logarithmic(min(xs), max(max(xs), min(xs) * 2), Frame.left, Frame.right)
    unit = sweeps[0]["x"]
    frame = Frame(f"{title}: time by {unit}", across,
                  logarithmic(min(ys), max(max(ys), min(ys) * 2), Frame.bottom, Frame.top))
    for ns in decades(min(ys), max(max(ys), min(ys) * 2)):
        frame.across(ns, time_text(ns))
    size_ticks(frame, unit, min(xs), max(xs))
    for s in sweeps:
        frame.curve(s["points"], kinds[s["series"]], s["series"],
                    [(x, y, f"{x:g} {unit}: {figure(y)} ns") for x, y in s["points"]],
                    not is_ours(s))
    made = [card(f"{title}: time", frame.drawn(), legend(kinds))]
    ours = dict(sweeps[0]["points"]) if is_ours(sweeps[0]) else {}
    curves = [(s, [(x, y / ours[x]) for x, y in s["points"] if x in ours]) for s in sweeps[1:]]
    curves = [(s, points) for s, points in curves if points]
    if not curves:
        return made
    most = max([y for _, points in curves for _, y in points] + [1.0])
    step = 10.0 ** math.floor(math.log10(most)) / (4 if most < 5 else 1)
    frame = Frame(f"{title}: speed of ours beside the others", across,
                  linear(0, most * 1.05, Frame.bottom, Frame.top))
    for number in range(int(most * 1.05 / step) + 1):
        frame.across(number * step, f"{number * step:g}x")
    size_ticks(frame, unit, min(xs), max(xs))
    for s, points in curves:
        frame.curve(points, kinds[s["series"]], s["series"],
                    [(x, y, f"{x:g} {unit}: {y:.3f}x") for x, y in points])
    return made + [card(f"{title}: speed of ours beside", frame.drawn(),
                        legend({s["series"]: kinds[s["series"]] for s, _ in curves}))]


# ---- scale ---------------------------------------------------------------------------------------

def count_text(value):
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:g}{unit}"
    return f"{value:g}"


def scale_card(entry):
    """Draw the time of an operation beside more and more objects, and the time of its bare access
    pattern. Both axes are logarithmic; the vertical one spans at least two decades, so that a flat
    curve looks flat."""
    curves = [(name, kind, [(x, max(y, 0.1)) for x, y in sorted(entry[key])])
              for key, name, kind in (("ours", "ours", "ours"),
                                      ("bare", entry["bare_name"], "limit"))
              if entry[key]]
    xs = [x for _, _, points in curves for x, _ in points]
    ys = [y for _, _, points in curves for _, y in points]
    middle, span = math.sqrt(min(ys) * max(ys)), max(10.0, math.sqrt(max(ys) / min(ys)) * 1.2)
    low, high = middle / span, middle * span
    far = max(max(xs), 2)
    frame = Frame(f'{entry["title"]}: time by {entry["x"]}',
                  logarithmic(1, far, Frame.left, Frame.right),
                  logarithmic(low, high, Frame.bottom, Frame.top))
    for ns in decades(low, high):
        frame.across(ns, time_text(ns))
    ticks = decades(1, far) if far >= 1000 else [2.0 ** n for n in range(int(math.log2(far)) + 1)]
    for x in ticks[::math.ceil(len(ticks) / 7)]:
        frame.up(x, count_text(x))
    for name, kind, points in curves:
        frame.curve(points, kind, name, [(x, y, f'{x:g} {entry["x"]}: {figure(y)} ns')
                                         for x, y in points], kind != "ours")
    growth = results.scale_growth(entry, "ours")
    verdict = results.scale_verdict(entry)
    return card(entry["title"], node(
        "p", f'{figure(growth)}x, ', node("span", verdict, class_="missed" if verdict == "grows"
                                         else "met"),
        f'; {figure(entry["bytes"])} bytes each' if entry["bytes"] else None, class_="soft"),
        frame.drawn(), legend({name: kind for name, kind, _ in curves}))


def scale_section(document):
    parts = []
    for build in document["builds"]:
        heads, rows = results.scale_table(build)
        if not rows:
            continue
        notes = [node("li", f'{entry["title"]}: {entry["grows"]}') for entry in build["scales"]
                 if entry["grows"]]
        parts.append(folded(
            f'Beside more and more objects, {build["flags"]}', not parts,
            node("div", *[scale_card(entry) for entry in build["scales"] if entry["ours"]],
                 class_="cards"),
            numbers_table(heads, rows, 2), node("ul", *notes) if notes else None))
    if not parts:
        return None
    return node(
        "section", node("h2", "Scale", id="scale"),
        node("p", "The cost of an operation beside more and more objects of its kind: the fastest "
                  "of some turns. The ratio compares the most objects with one, or with ten where "
                  "a figure is for one of many objects that are handled together. Flat: at most "
                  "1.2x. Where memory beyond the caches is touched, a bare loop touches as many "
                  "cache lines of as many objects in the same order; \"as bare\" means that the "
                  "operation becomes slower by at most 1.2 times as many ns as that loop. Bytes: "
                  "arena memory of one more object. Instructions are counted by valgrind, beside "
                  "at most 100,000 objects.", class_="soft"),
        *parts)


# ---- targets -------------------------------------------------------------------------------------

def bullet(target):
    """Draw a bar for a target, and a mark at the limit. A met target ends left of the mark."""
    must, stretch = target["must"], target["stretch"]
    worst = (min if target["rule"] == "speed" else max)(target["minima"], target["medians"])

    def share(value):
        over, under = (must, value) if target["rule"] == "speed" else (value, must)
        return min(max(over / under, 0), 1.5) / 1.5 * 150 if under else 150 if over > 0 else 0

    return chart(
        14, "measured, beside what must hold",
        node("rect", x="0", y="3", width=at(max(1, share(worst))), height="8", rx="1.5",
             class_="bar"),
        node("path", d="M100 0v14", class_="mark"),
        node("path", d=f"M{at(share(stretch))} 3v8", class_="mark")
        if stretch is not None else None,
        width=150, class_="bullet " + verdict_class(target))


def verdict_class(target):
    verdict = target["verdict"]
    return "met" if verdict.startswith("met") else "missed" if verdict == "MISSED" else "unsure"


def targets_table(document):
    builds = document["builds"]
    columns = [{results.target_key(t): t for t in results.judge(document, build)}
               for build in builds]
    body = []
    for key in results.all_targets(columns):
        target = next(column[key] for column in columns if key in column)
        limits = results.limits_text(target)
        beside = results.beside_text(target)
        cells = [node("td", target["row"], class_="row"), node("td", target["title"]),
                 node("td", beside, data_label="compared with") if beside else node("td"),
                 node("td", limits, data_label="target") if limits else node("td")]
        for build, column in zip(builds, columns):
            t = column.get(key)
            if not t or t["minima"] is None:
                cells.append(node("td", results.verdict_text(t) if t else "not measured",
                                  data_label=build["flags"], class_="unsure"))
                continue
            cells.append(node(
                "td", f'{results.outcome_text(t, t["minima"])}, '
                      f'{results.outcome_text(t, t["medians"])}: ',
                node("span", results.verdict_text(t), class_=verdict_class(t)),
                bullet(t) if t["must"] is not None else None, data_label=build["flags"]))
        body.append(node("tr", *cells))
    heads = ["", "work", "compared with", "target", *(build["flags"] for build in builds)]
    return node("table", node("thead", node("tr", *[node("th", head) for head in heads])),
                node("tbody", *body), class_="targets")


# ---- every figure --------------------------------------------------------------------------------

def numbers_table(heads, rows, texts):
    """The first `texts` columns hold words."""
    def line(tag, cells):
        return node("tr", *[node(tag, cell, class_="number" if i >= texts else None)
                            for i, cell in enumerate(cells)])

    return node("div", node("table", node("thead", line("th", heads)),
                            node("tbody", *[line("td", row) for row in rows])), class_="figures")


def figures_table(document, build, works):
    heads = ["work", "side", "name", "min", "median", "ours / min", "/ median", "p50", "p99",
             "p99.9", "max", "instructions"]
    rows = []
    for measures in works.values():
        ours = measures[0] if measures[0]["side"] == "ours" else None
        for side, m in results.sides(measures):
            single = m.get("single") or {}
            ratios = [figure(results.ratio(of(ours), of(m))) if ours and m is not ours else ""
                      for of in (results.minimum, results.median)]
            cells = [m["title"], side, m["name"], figure(results.minimum(m)),
                     figure(results.median(m)), *ratios,
                     *(figure(single.get(name)) for name in results.PERCENTILES),
                     results.count(results.instructions_of(document, build, m))]
            rows.append(cells)
    return numbers_table(heads, rows, 3)


def area_section(document, area):
    builds = document["builds"]
    found = [results.areas(build).get(area, {}) for build in builds]
    names = dict.fromkeys(work for works in found for work in works)
    cards = []
    for work in names:
        sides = [works.get(work, []) for works in found]
        title = next(measures[0]["title"] for measures in sides if measures)
        cards.append(card(title, bars(sides, title)))
    parts = [node("h2", area, id=f"area-{area}"), node("div", *cards, class_="cards")]
    for build, works in zip(builds, found):
        curves = [distribution(measures, measures[0]["title"]) for measures in works.values()]
        curves = [curve for curve in curves if curve is not None]
        if curves:
            parts.append(folded(
                f'Single operations, {build["flags"]}', build is builds[0],
                node("p", "Each operation timed alone, what the clock itself takes subtracted. The "
                          "further right, the rarer; dots at p50, p99, p99.9 and the slowest.",
                     class_="soft"),
                node("div", *curves, class_="cards")))
    for build in builds:
        groups = {}
        for sweep in build["sweeps"]:
            if sweep["area"] == area:
                groups.setdefault(sweep["work"], []).append(sweep)
        cards = [one for work, sweeps in groups.items()
                 for one in sweep_cards(sweeps, results.title_of(build, work))]
        if cards:
            parts.append(folded(f'By size, {build["flags"]}', build is builds[0],
                                node("div", *cards, class_="cards")))
    for build, works in zip(builds, found):
        if works:
            parts.append(folded(f'All figures, {build["flags"]}, ns', False,
                                figures_table(document, build, works)))
    return node("section", *parts)


def folded(title, is_open, *children):
    return node("details", node("summary", title), *children, open="" if is_open else None)


def missing_list(document):
    lines = [f'{build["flags"]}: {results.title_of(build, entry["work"])}, {entry["name"]}: '
             f'{entry["reason"]}' for build in document["builds"] for entry in build["missing"]]
    if not lines:
        return None
    return node("section", node("h2", "Not measured"),
                node("ul", *[node("li", line) for line in dict.fromkeys(lines)]))


def instructions_section(document):
    heads, rows = results.counted(document)
    if not rows:
        return None
    history = [[e["title"], e["form"], e["flags"], results.count(e["times"]),
                results.count(e["min"]), results.count(e["max"]), results.count(e["spread"]),
                results.count(e.get("per_element") or None)]
               for e in document["instructions"] if e["type"] == "history"]
    return node(
        "section", node("h2", "Instructions, exact", id="instructions"),
        numbers_table(heads, rows, 1),
        node("h3", "Whether cost depends on history"),
        node("p", "Each operation alone, in a random sequence of them. The spread is of one "
                  "length, where a list is walked."),
        numbers_table(["operation", "form", "build", "times", "lowest", "highest", "spread",
                       "per element"], history, 3))


def head_section(document, areas):
    builds = document["builds"]
    compilers = {program["compiler"] for build in builds for program in build["programs"]}
    facts = [document.get("date"), f'doca_core {document.get("doca_core")}',
             document.get("commit"), results.machine_text(document),
             *(f"compiler {name}" for name in sorted(compilers)),
             *(f"{name} {version}".strip()
               for name, version in document.get("peers", {}).items())]
    return node(
        "header", node("h1", "doca_core, its peers, and the limits of this machine"),
        node("p", "; ".join(fact for fact in facts if fact), class_="soft"),
        *[node("p", note, class_="note") for note in results.notes(document)],
        node("nav", node("a", "targets", href="#targets"),
             *[node("a", area, href=f"#area-{area}") for area in areas],
             node("a", "scale", href="#scale")
             if any(build["scales"] for build in document["builds"]) else None))


def how_to_read(document):
    flags = [build["flags"] for build in document["builds"]]
    text = ("Bars show the median of all repetitions, in ns where no unit stands, and carry a mark "
            "at the fastest one; shorter is better. ")
    if len(flags) > 1:
        text += f"Of two bars the upper one is {flags[0]}, the paler one {flags[1]}. "
    return node("p", text + "The figure at the right of a name is the time of ours divided by the "
                            "time of this side.", class_="soft")


def as_html(document):
    builds = document["builds"]
    areas = list(dict.fromkeys(area for build in builds for area in results.areas(build)))
    counts = [f'{build["flags"]}: '
              f'{results.count_verdicts(results.judge(document, build))}.' for build in builds]
    page = node(
        "html", node("head", node("meta", charset="utf-8"),
                     node("meta", name="viewport", content="width=device-width, initial-scale=1"),
                     node("title", "doca_core measured"), node("style", STYLE)),
        node("body", head_section(document, areas),
             node("section", node("h2", "Targets", id="targets"),
                  *[node("p", count) for count in counts],
                  node("p", "Two figures for each build, of the minima and of the medians: both "
                            "must hold. The bar is the worse of them, the long line what must "
                            "hold, the short line the stretch; a bar that ends before the line "
                            "meets it.",
                       class_="soft"),
                  targets_table(document)),
             how_to_read(document), *[area_section(document, area) for area in areas],
             scale_section(document),
             instructions_section(document), missing_list(document)), lang="en")
    return "<!DOCTYPE html>\n" + xml.tostring(page, encoding="unicode", method="html") + "\n"
