"""The results of the programs of bench/: the lines they print, the document made of them, and the
verdict on each target. tools/bench and its report read results through here only."""
import json
import math
import statistics

FORMAT = 1
BEFORE_FORMAT = 1  # of two runs, by --before

# The rows of the table of targets, by the program that measures them. When a program cannot run,
# its rows are shown as missing.
ROWS = {
    "bench_buf": ("1", "2", "3", "4"),
    "bench_dma": ("5", "6", "7", "8", "9", "10"),
    "bench_worker": ("11",),
    "bench_pe": ("12", "20"),
    "bench_graph": ("13",),
    "bench_sync": ("14", "15", "16"),
    "bench_sha": ("17", "18"),
    "bench_remote": ("19",),
    "bench_apsh": ("22", "23"),
    "bench_comch": ("24", "25", "26"),
    "bench_trace": ("27",),
}
# Four independent additions take as long as one on a core that starts four instructions in a cycle
# and serves one CPU (bench/core_share.h). The loop around them adds something. Above this factor,
# the core is shared or is narrower.
SHARED_CORE = 1.5
COUNTED_ROW = "21"  # by bench/instructions.c

SIDES = ("ours", "peer", "limit")
ALONE = ("ns", "count", "none")  # rules about what ours takes, in the unit of the measure
RULES = ("ratio", "add_ns", "speed", *ALONE)
ALL_SIDES = "all sides"  # the name of the missing side when a whole work is missing
PERCENTILES = ("p50", "p99", "p999", "max")


class Malformed(Exception):
    """A line or a document is malformed. The text says how."""


# ---- required members of a line ------------------------------------------------------------------

def is_words(value):
    return isinstance(value, str)


def is_text(value):
    return is_words(value) and value != ""


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def is_amount(value):
    return is_number(value) and value >= 0


def is_samples(value):
    """True for a list of numbers. Samples that are differences may be negative."""
    return isinstance(value, list) and value != [] and all(map(is_number, value))


def is_pairs(value):
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(map(is_amount, pair)) for pair in value)


def is_single(value):
    return (isinstance(value, dict) and all(is_amount(value.get(key)) for key in PERCENTILES) and
            is_pairs(value.get("hist", [])))


def or_none(test):
    return lambda value: value is None or test(value)


FIELDS = {
    "program": {"name": is_text, "flags": is_text, "compiler": is_text},
    "core": {"factor": is_amount},
    "measure": {"area": is_text, "work": is_text, "title": is_text, "side": SIDES.__contains__,
                "name": is_text, "unit": is_text, "samples": is_samples,
                "bytes": or_none(is_amount), "ops": or_none(is_amount),
                "single": or_none(is_single), "instructions": or_none(is_amount),
                "note": or_none(is_words)},
    "target": {"row": is_text, "work": is_text, "ours": is_text, "anchor": or_none(is_words),
               "anchor_work": or_none(is_text), "rule": RULES.__contains__,
               "must": or_none(is_number), "stretch": or_none(is_number)},
    "missing": {"work": is_text, "name": is_text, "reason": is_text},
    "sweep": {"area": is_text, "work": is_text, "x": is_text, "series": is_text,
              "points": is_pairs},
    "scale": {"work": is_text, "title": is_text, "x": is_text, "flat": is_amount, "from": is_amount,
              "ours": is_pairs,
              "bare": is_pairs, "bare_name": is_words, "bytes": or_none(is_amount),
              "grows": is_words, "instructions": or_none(is_pairs)},
    "scale_count": {"work": is_text, "points": is_pairs, "flat": is_amount},
    "instructions": {"work": is_text, "title": is_text, "form": is_text, "flags": is_text,
                     "count": is_amount, "gate": is_amount, "floor": is_amount},
    "history": {"work": is_text, "title": is_text, "form": is_text, "flags": is_text,
                "times": is_amount, "min": is_amount, "max": is_amount, "spread": is_amount},
}
LISTS = {"program": "programs", "measure": "measures", "target": "targets", "missing": "missing",
         "sweep": "sweeps", "scale": "scales"}
COUNTED = ("instructions", "history")  # the types of line that bench/instructions.c prints


def check(kind, entry):
    if not isinstance(entry, dict):
        raise Malformed("is not an object")
    for field, test in FIELDS[kind].items():
        value = entry.get(field)
        try:
            fits = test(value)
        except TypeError:  # the value has the wrong type, such as a list instead of a word
            fits = False
        if not fits:
            shown = json.dumps(value)
            shown = shown if len(shown) <= 40 else shown[:37] + "..."
            raise Malformed(f'"{kind}" with {field} {"absent" if value is None else shown}')
    if kind == "target" and entry["rule"] not in ALONE and not entry.get("anchor"):
        raise Malformed('"target" with a rule and no anchor')


def no_constant(name):
    raise ValueError(f"{name} is no figure")


def empty_build(flags):
    return {"flags": flags, **{name: [] for name in LISTS.values()}, "failures": []}


def key(measure):
    return measure["work"], measure["name"]


def check_among(measure, others):
    """Check that each side of a work is there once, and that all sides have equally many samples,
    because the sides took turns."""
    for other in others:
        if key(other) == key(measure):
            raise Malformed(f'measures "{measure["name"]}" of {measure["work"]} again')
        if other["work"] == measure["work"] and len(other["samples"]) != len(measure["samples"]):
            raise Malformed(f'has {len(measure["samples"])} samples where others of '
                            f'{measure["work"]} have {len(other["samples"])}')


def read_lines(text, build, kinds=tuple(LISTS)):
    """Add a program's output to `build`. Return one sentence for each malformed line."""
    problems = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() == "":
            continue
        try:
            entry = json.loads(line, parse_constant=no_constant)
            kind = entry.get("type") if isinstance(entry, dict) else None
            if kind == "core" and "program" in kinds and build["programs"]:
                check(kind, entry)
                build["programs"][-1]["core"] = entry["factor"]
                continue
            if kind not in kinds:
                raise Malformed("is of no known type")
            check(kind, entry)
            if kind == "measure":
                check_among(entry, build["measures"])
            if kind in LISTS:
                del entry["type"]
            build[LISTS.get(kind, "instructions")].append(entry)
        except (ValueError, Malformed, RecursionError) as error:
            problems.append(f"line {number} of its output is malformed: {error}")
    return problems


def add_round(build, fresh):
    """Add another run of a program to `build`, as if all were repetitions of one."""
    known = {key(measure): measure for measure in build["measures"]}
    for measure in fresh["measures"]:
        if key(measure) in known:
            known[key(measure)]["samples"] += measure["samples"]
        else:
            build["measures"].append(measure)
    known = {program["name"]: program for program in build["programs"]}
    for program in fresh["programs"]:
        if program["name"] in known:
            for name in ("seconds", "preempted"):
                known[program["name"]][name] += program[name]
            known[program["name"]]["core"] = max(
                each.get("core") or 0 for each in (known[program["name"]], program))
        else:
            build["programs"].append(program)
    build["missing"] += [entry for entry in fresh["missing"] if entry not in build["missing"]]


def parse(text):
    try:
        return json.loads(text, parse_constant=no_constant)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"is no JSON: {error}") from None


def load(text):
    """Return the two documents that `dump_before` wrote, or None and the document that `dump`
    wrote."""
    found = parse(text)
    if not isinstance(found, dict) or "before_format" not in found:
        return None, checked(found)
    if found["before_format"] != BEFORE_FORMAT:
        raise Malformed(f"is not a result of tools/bench --before in format {BEFORE_FORMAT}")
    old, new = (checked(found.get(name)) for name in ("before", "after"))
    if not all(map(is_text, (old.get("before"), old.get("commit")))):
        raise Malformed("does not say what was before")
    return old, new


def checked(document):
    """Give a document, complete."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Malformed(f"is not a result of tools/bench in format {FORMAT}")
    for name in ("callgrind", "date", "doca_core"):
        if not or_none(is_words)(document.get(name)):
            raise Malformed(f'has malformed "{name}"')
    builds = document.get("builds")
    if not isinstance(builds, list) or not isinstance(document.get("machine"), dict):
        raise Malformed("has no machine or no builds")
    for build in builds:
        if not isinstance(build, dict) or not is_text(build.get("flags")):
            raise Malformed("has a build without flags")
        build.setdefault("scales", [])  # older versions had none
        for kind, name in LISTS.items():
            if not isinstance(build.get(name), list):
                raise Malformed(f'has a build without "{name}"')
            for entry in build[name]:
                check(kind, entry)
            if kind == "measure":
                for number, measure in enumerate(build[name]):
                    check_among(measure, build[name][:number])
        if not isinstance(build.setdefault("failures", []), list) or not all(
                isinstance(entry, dict) and is_text(entry.get("program")) and
                is_text(entry.get("reason")) for entry in build["failures"]):
            raise Malformed('has a build with malformed "failures"')
    if not isinstance(document.setdefault("instructions", []), list):
        raise Malformed('has malformed "instructions"')
    for entry in document["instructions"]:
        kind = entry.get("type") if isinstance(entry, dict) else None
        if kind not in COUNTED:
            raise Malformed('has malformed "instructions"')
        check(kind, entry)
    return document


def dump(document):
    """Write one entry per line, so that a change of one measure changes one line."""
    def compact(value):
        return json.dumps(value, separators=(",", ":"), allow_nan=False)

    def lines(entries, indent):
        return "[\n" + ",\n".join(indent + compact(entry) for entry in entries) + "]"

    parts = []
    for name, value in document.items():
        if name == "builds":
            builds = [",\n  ".join(
                f'"{inner}":' + (lines(entry, "   ") if isinstance(entry, list) and entry
                                 else compact(entry))
                for inner, entry in build.items()) for build in value]
            parts.append('"builds":[' + ",\n ".join("{" + build + "}" for build in builds) + "]")
        elif name == "instructions" and value:
            parts.append('"instructions":' + lines(value, "  "))
        else:
            parts.append(f'"{name}":' + compact(value))
    return "{" + ",\n".join(parts) + "}\n"


def dump_before(old, new):
    return (f'{{"before_format":{BEFORE_FORMAT},\n"before":{dump(old).rstrip()},\n'
            f'"after":{dump(new).rstrip()}}}\n')


# ---- statistics of samples -----------------------------------------------------------------------

def minimum(measure):
    return min(measure["samples"])


def median(measure):
    return statistics.median(measure["samples"])


def ratio(over, under):
    return over / under if under else None


def find(build, work, name):
    for measure in build["measures"]:
        if key(measure) == (work, name):
            return measure
    return None


def areas(build):
    """Give {area: {work: its measures, ours first, then the faster before the slower}}."""
    found = {}
    for measure in build["measures"]:
        found.setdefault(measure["area"], {}).setdefault(measure["work"], []).append(measure)
    for works in found.values():
        for measures in works.values():
            # The sides of doca_core keep the order of the program, because the peers are compared
            # with the first of them.
            measures.sort(key=lambda m: (SIDES.index(m["side"]),
                                         0 if m["side"] == "ours" else median(m)))
    return found


def sides(measures):
    """Yield (word for the side, measure) for each measure. The first peer is the best one."""
    seen = set()
    for measure in measures:
        side = measure["side"]
        yield ("best peer" if side == "peer" and side not in seen else side), measure
        seen.add(side)


def title_of(build, work):
    for measure in build["measures"]:
        if measure["work"] == work:
            return measure["title"]
    return work


def reason_for(build, work, name):
    """Return the reason why there is no measure of this name."""
    for entry in build["missing"]:
        if entry["work"] == work and entry["name"] in (name, ALL_SIDES):
            return entry["reason"]
    return f'nothing named "{name}" was measured'


COMPARE = {
    "ratio": lambda ours, anchor: ratio(ours, anchor),
    "add_ns": lambda ours, anchor: ours - anchor,
    "speed": lambda ours, anchor: ratio(anchor, ours),
    **dict.fromkeys(ALONE, lambda ours, anchor: ours),
}


def verdict_of(target, minima, medians):
    """Return the verdict on a target. The ratio of minima and the ratio of medians must both
    hold."""
    def holds(limit):
        if limit is None:
            return False
        if target["rule"] == "speed":
            return min(minima, medians) >= limit
        return max(minima, medians) <= limit

    if holds(target["stretch"]):
        return "met with stretch"
    if target["must"] is None:
        return "no limit" if target["stretch"] is None else "short of stretch"
    return "met" if holds(target["must"]) else "MISSED"


def judged(target, verdict, reason=None, **more):
    """Return a target as the tables show it; members that were not given are None."""
    names = ("row", "work", "title", "ours", "anchor", "rule", "must", "stretch", "minima",
             "medians")
    return {**dict.fromkeys(names), "unit": "ns", **target, **more, "verdict": verdict,
            "reason": reason}


def judge_target(build, target, is_smoke):
    rule, anchor_name = target["rule"], target.get("anchor")
    anchor_work = target.get("anchor_work") or target["work"]
    target = {**target, "title": title_of(build, target["work"]),
              "stretch": target.get("stretch"),
              "anchor": None if rule in ALONE else anchor_name}
    ours = find(build, target["work"], target["ours"])
    if not ours:
        return judged(target, "not measured", reason_for(build, target["work"], target["ours"]))
    anchor = ours if rule in ALONE else find(build, anchor_work, anchor_name)
    if not anchor:
        return judged(target, "not measured", reason_for(build, anchor_work, anchor_name))
    minima = COMPARE[rule](minimum(ours), minimum(anchor))
    medians = COMPARE[rule](median(ours), median(anchor))
    if None in (minima, medians):
        return judged(target, "not measured", "one side took no time at all")
    found = {"minima": minima, "medians": medians, "unit": ours["unit"]}
    if is_smoke:
        return judged(target, "not judged", **found)
    return judged(target, verdict_of(target, minima, medians), **found)


def judge_instructions(document, build):
    """Yield the verdicts on the exact counts. They are the same on every machine, so a smoke run
    has them, too."""
    counted = [entry for entry in document["instructions"]
               if entry["type"] == "instructions" and entry["flags"] == build["flags"]]
    for entry in counted:
        if entry["form"] != "inlined" or not entry["gate"]:
            continue
        target = {"row": COUNTED_ROW, "work": entry["work"], "title": entry["title"],
                  "ours": entry["form"], "rule": "none", "unit": "insn",
                  "must": entry["gate"], "stretch": entry["floor"] or None}
        count = entry["count"]
        if count:
            yield judged(target, verdict_of(target, count, count), minima=count, medians=count)
        else:
            yield judged(target, "not measured", entry.get("note") or "could not be counted")


def counted(document):
    """Give the heads and the rows of a table of all exact counts."""
    entries = [entry for entry in document["instructions"] if entry["type"] == "instructions"]
    columns = list(dict.fromkeys((entry["flags"], entry["form"]) for entry in entries))
    works = {}
    for entry in entries:
        works.setdefault(entry["work"], {})[entry["flags"], entry["form"]] = entry
    rows = []
    for found in works.values():
        some = next(iter(found.values()))
        rows.append([some["title"], count(some["floor"] or None), count(some["gate"] or None),
                     *(count(found[column]["count"] or None) if column in found else ""
                       for column in columns)])
    return ["operation", "floor", "limit", *(f"{flags}, {form}" for flags, form in columns)], rows


def count_again(entries, totals):
    """Make exact counts from callgrind's `totals`. They hold, for each entry in turn, the same
    number of pairs: a run with few turns and a run with many. The count is the median over the
    pairs."""
    num = len(totals) // (2 * len(entries)) if entries else 0
    if num == 0 or len(totals) != 2 * len(entries) * num:
        raise Malformed(f"{len(totals)} counts of callgrind for {len(entries)} operations")
    for number, entry in enumerate(entries):
        few, many = entry.get("turns") or (0, 0)
        if few >= many:
            raise Malformed(f'does not say how many turns of {entry["work"]} it took')
        mine = totals[2 * num * number:2 * num * (number + 1)]
        counts = sorted((mine[i + 1] - mine[i]) / (many - few) for i in range(0, 2 * num, 2))
        entry.update(form=f'{entry["form"]}, callgrind', count=statistics.median(counts),
                     min=counts[0], max=counts[-1], note="")


def scale_counts(text, totals):
    """Make {work: [[objects, instructions of an operation], ...]} of the output of bench_scale
    --count and of callgrind's totals. Each point has two totals, of a short run and of a long one.
    Return it with the problems, which name the works whose counts grow more than allowed."""
    found, problems, totals = {}, [], list(totals)
    for line in text.splitlines():
        entry = parse(line)
        if entry.get("type") != "scale_count":
            continue
        check("scale_count", entry)
        if len(totals) < 2 * len(entry["points"]):
            raise Malformed(f"too few counts of callgrind: none for {entry['work']}")
        points = found[entry["work"]] = []
        for objects, operations in entry["points"]:
            few, many = totals.pop(0), totals.pop(0)
            points.append([objects, (many - few) / operations])
        growth = ratio(points[-1][1], points[0][1])
        if growth is None or growth > entry["flat"]:
            problems.append(f"{entry['work']} takes {count(points[0][1])} instructions beside "
                            f"{points[0][0]} objects and {count(points[-1][1])} beside "
                            f"{points[-1][0]}")
    if totals:
        raise Malformed(f"{len(totals)} counts of callgrind too many")
    return found, problems


def scale_ends(entry, points):
    """Return the two points of a curve that are compared: beside few objects, and beside the
    most."""
    points = sorted(points or [])
    few = next((point for point in points if point[0] >= entry["from"]), None)
    return (few, points[-1]) if few else (None, None)


def scale_growth(entry, name):
    """Return how many times the cost is that of the fewest objects, or None."""
    few, most = scale_ends(entry, entry.get(name))
    return ratio(most[1], few[1]) if few else None


def scale_verdict(entry):
    """Say whether a row is flat, or grows by no more ns than its bare access pattern."""
    few, most = scale_ends(entry, entry["ours"])
    if not few:
        return "not measured"
    if most[1] <= entry["flat"] * few[1]:
        return "flat"
    bare_few, bare_most = scale_ends(entry, entry["bare"])
    if bare_few and most[1] - few[1] <= entry["flat"] * (bare_most[1] - bare_few[1]):
        return "as bare"
    return "grows"


def scale_table(build):
    """Give the heads and the rows of the table of scale."""
    heads = ["operation", "objects", "ns", "ratio", "bare, ns", "ratio", "bytes", "insn", "ratio",
             ""]
    rows = []
    for entry in build["scales"]:
        few, most = scale_ends(entry, entry["ours"])
        if not few:
            continue
        cells = [entry["title"], f'{few[0]:.0f} to {most[0]:,.0f} {entry["x"]}']
        for name in ("ours", "bare", "instructions"):
            ends = scale_ends(entry, entry.get(name))
            cells += ([" to ".join(figure(point[1]) for point in ends),
                       figure(scale_growth(entry, name))] if ends[0] else ["", ""])
            cells += [figure(entry["bytes"])] if name == "bare" else []
        rows.append([*cells, scale_verdict(entry)])
    return heads, rows


def callgrind_differences(document):
    """Return how many operations callgrind counted, too, and those for which its count differs:
    (work, flags and form, count, steps)."""
    known = {(entry["flags"], entry["form"], entry["work"]): entry["count"]
             for entry in document["instructions"] if entry["type"] == "instructions"}
    num, others = 0, []
    for (flags, form, work), found in known.items():
        form, is_again, _ = form.partition(", callgrind")
        steps = known.get((flags, form, work))
        if is_again and steps:
            num += 1
            if found != steps:
                others.append((work, f"{flags}, {form}", found, steps))
    return num, others


def callgrind_text(document):
    num, others = callgrind_differences(document)
    if num == 0:
        return ""
    return "; ".join([f"Callgrind counts {num - len(others)} of {num} as steps do",
                      *(f"{work} ({how}) {count(found)} for {count(steps)}"
                        for work, how, found, steps in others)]) + "."


def row_order(row):
    digits = "".join(c for c in row if c.isdigit())
    return int(digits or 0), row


def judge(document, build):
    """Return the verdict on every target of this build, including targets that no program
    reported."""
    found = [judge_target(build, target, document.get("smoke")) for target in build["targets"]]
    found += judge_instructions(document, build)
    reported = {target["row"] for target in found}
    failures = {entry["program"]: entry["reason"] for entry in reversed(build["failures"])}
    for program, rows in ROWS.items():
        if document.get("only") and program not in failures:
            continue  # not everything was asked for
        found += [judged({"row": row, "work": program, "title": program}, "not measured",
                         failures.get(program, f"{program} did not report it"))
                  for row in rows if row not in reported]
    if COUNTED_ROW not in reported and not document.get("only"):
        found.append(judged(
            {"row": COUNTED_ROW, "work": "instructions", "title": "instructions"},
            "not measured", failures.get("instructions", "asked for by --instructions")))
    return sorted(found, key=lambda target: row_order(target["row"]))


def instructions_of(document, build, measure):
    """Return the instructions of a measure: counted by the CPU during the measurement, or else by
    bench/instructions.c. None when neither counted them."""
    if measure.get("instructions") is not None:
        return measure["instructions"]
    for entry in document["instructions"]:
        if (entry["type"] == "instructions" and entry["count"] and
                (entry["flags"], entry["work"], entry["form"]) ==
                (build["flags"], measure["work"], measure["name"])):
            return entry["count"]
    return None


def target_key(target):
    """Return the key of a target, by which the targets of two builds are matched."""
    return target["row"], target["work"], target["ours"], target["anchor"], target["rule"]


def all_targets(columns):
    """Return the keys of all targets of these builds, in the order of the rows."""
    known = dict.fromkeys(key for column in columns for key in column)
    return sorted(known, key=lambda key: row_order(key[0]))


def count_verdicts(judged):
    """Return a text that says how many targets were met, missed and so on."""
    counts = {}
    for target in judged:
        counts[target["verdict"]] = counts.get(target["verdict"], 0) + 1
    met = counts.get("met", 0) + counts.get("met with stretch", 0)
    parts = [f"{met} of {len(judged)} targets met"]
    if counts.get("met with stretch"):
        parts[0] += f' ({counts["met with stretch"]} with stretch)'
    for verdict in ("MISSED", "short of stretch", "not measured", "not judged", "no limit"):
        if counts.get(verdict):
            parts.append(f'{counts[verdict]} {verdict.lower()}')
    return ", ".join(parts)


def comparable(document, build):
    """Return the measures, followed by the exact counts in the form of measures."""
    return build["measures"] + [
        {"work": entry["work"], "title": entry["title"], "side": "ours",
         "name": f'{entry["form"]}, instructions', "unit": "instructions",
         "samples": [entry["count"]]}
        for entry in document["instructions"]
        if entry["type"] == "instructions" and entry["flags"] == build["flags"]]


def compare(old, new):
    """Return (flags, measure, old measure, ratio of minima, of medians) of the measures that both
    documents have, and the names of the measures that only one of them has."""
    rows, alone = [], []
    olds = {build["flags"]: build for build in old["builds"]}
    for build in new["builds"]:
        before = olds.pop(build["flags"], None)
        if not before:
            alone.append(f'{build["flags"]}: only in the new run')
            continue
        left = {key(measure): measure for measure in comparable(old, before)}
        for measure in comparable(new, build):
            was = left.pop(key(measure), None)
            what = f'{build["flags"]}: {measure["work"]}, {measure["name"]}'
            if not was:
                alone.append(f"{what}: only in the new run")
            elif was["unit"] != measure["unit"]:
                alone.append(f'{what}: was in {was["unit"]}, is in {measure["unit"]}')
            else:
                rows.append((build["flags"], measure, was,
                             ratio(minimum(measure), minimum(was)),
                             ratio(median(measure), median(was))))
        alone += [f"{build['flags']}: {work}, {name}: only in the old run" for work, name in left]
    alone += [f"{flags}: only in the old run" for flags in olds]
    return rows, alone


# ---- how they are written ------------------------------------------------------------------------

def figure(value, unit=""):
    """Return the value as text: a small value with two decimals, a large one with none."""
    if value is None:
        return ""
    if value != 0 and abs(value) < 9.995:
        text = f"{value:.2f}"
    elif abs(value) < 99.95 and value != int(value):
        text = f"{value:.1f}"
    else:
        text = f"{value:.0f}"
    return text + unit


def count(value):
    """Return a number of instructions as text, without a fraction if it is a whole number."""
    return "" if value is None else f"{value:.0f}" if value == int(value) else f"{value:.1f}"


def limit_text(target, limit):
    """Return the limit as the table of targets shows it."""
    if limit is None or target["rule"] is None:
        return ""
    if target["rule"] in ALONE:
        return f"<= {limit:g} {target['unit']}"
    return {"ratio": f"<= {limit:g}x", "speed": f">= {limit:g}x",
            "add_ns": f"<= + {limit:g} ns"}[target["rule"]]


def limits_text(target):
    must = limit_text(target, target["must"])
    stretch = limit_text(target, target["stretch"])
    return ", ".join(([must] if must else []) + ([f"stretch {stretch}"] if stretch else []))


def digits_for(target, value):
    """Return the number of digits after the point that tells the value apart from its limits."""
    digits = 3 if target["rule"] == "speed" or value < 0.1 else 2
    for limit in (target["must"], target["stretch"]):
        while limit is not None and value != limit and digits < 6 and (
                f"{value:.{digits}f}" == f"{limit:.{digits}f}"):
            digits += 1
    return digits


def outcome_text(target, value):
    """Return the measured value in the form of limit_text()."""
    if value is None:
        return ""
    if target["rule"] in ALONE:
        return f'{figure(value)} {target["unit"]}'
    if target["rule"] == "add_ns":
        return f'{"+" if value >= 0 else "-"} {figure(abs(value))} ns'
    return f"{value:.{digits_for(target, value)}f}x"


def beside_text(target):
    """Return the text that says what is compared with what. The inlined form is not named."""
    named = target["ours"] if target["ours"] not in (None, "inlined") else ""
    if not target["anchor"]:
        return named
    return f'{named} against {target["anchor"]}' if named else target["anchor"]


def verdict_text(target):
    return target["verdict"] + (f': {target["reason"]}' if target["reason"] else "")


def machine_text(document):
    machine = document["machine"]
    parts = [str(machine.get("cpu", "an unknown processor"))]
    if machine.get("cpus"):
        parts.append(f'{machine["cpus"]} CPUs' +
                     (" of a virtual machine" if machine.get("virtual") else ""))
    if machine.get("kernel"):
        parts.append(f'Linux {machine["kernel"]}')
    return ", ".join(parts)


def notes(document):
    """Return the caveats that a reader of the figures must know, one sentence each."""
    found = []
    if document.get("smoke"):
        found.append("This was a smoke run: the times below mean nothing.")
    elif document.get("reps") and document["reps"] < 30:
        found.append(f'Only {document["reps"]} repetitions: a verdict takes 30.')
    machine = document["machine"]
    load, cpus = machine.get("load"), machine.get("cpus")
    if load and load[0] > 0.5:
        found.append(f"The machine had other work (load {load[0]:g} on {cpus} CPUs). This distorts "
                     "work on two cores and the high percentiles more than the rest.")
    if machine.get("is_one_core"):
        found.append("The two CPUs are threads of one core, which makes work on two cores slower.")
    if machine.get("governor") not in (None, "performance"):
        found.append(f'The frequency governor is {machine["governor"]}.')
    found += [document[name] for name in ("chrt", "callgrind") if document.get(name)]
    for build in document["builds"]:
        for program in build["programs"]:
            times, seconds = program.get("preempted") or 0, program.get("seconds") or 0
            if times > 20 * max(seconds, 1):
                found.append(f'{program["name"]}, {build["flags"]}: other programs interrupted it '
                             f"{times} times in {seconds:g} s.")
            if (program.get("core") or 0) > SHARED_CORE:
                found.append(f'{program["name"]}, {build["flags"]}: four additions at a time took '
                             f'{program["core"]:.1f} times as long as one: most likely another '
                             "program or guest uses the same core, and all times are too long.")
    for build in document["builds"]:
        for failure in build["failures"]:
            found.append(f'{failure["program"]}, {build["flags"]}: {failure["reason"]}')
    return found
