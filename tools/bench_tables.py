"""Results of tools/bench as text: tables for a terminal, CSV, and Markdown for the README."""
import csv
import io
import os
import re
import shutil
import textwrap

import bench_results as results
from bench_results import figure


class Screen:
    def __init__(self, stream):
        self.stream = stream
        is_terminal = stream.isatty()
        self.width = shutil.get_terminal_size((100, 24)).columns if is_terminal else 100
        self.has_color = (is_terminal and not os.environ.get("NO_COLOR") and
                          os.environ.get("TERM", "dumb") != "dumb")

    def write(self, text=""):
        self.stream.write(text + "\n")

    def paint(self, code, text):
        return f"\033[{code}m{text}\033[0m" if self.has_color and text.strip() else text

    def lines(self, text, code=None):
        indent = " " * (len(text) - len(text.lstrip()))
        for line in textwrap.wrap(text, self.width, subsequent_indent=indent) or [""]:
            self.write(self.paint(code, line) if code else line)

    def heading(self, text):
        self.lines(text, "1")

    def table(self, head, rows, texts, color=None):
        """Columns `texts` hold words: they are on the left, and wrapped until all columns fit. A
        row of one cell runs across. `color(row)` gives the color of a row's last cell."""
        whole = [row for row in rows if len(row) > 1]
        widths = [max([len(row[i]) for row in whole] + [len(word) for word in head[i].split()] +
                      [0]) for i in range(len(head))]
        over = sum(widths) + 2 * (len(widths) - 1) - self.width
        while over > 0:
            widest = max(texts, key=lambda i: widths[i])
            if widths[widest] <= 12:
                break
            widths[widest] -= 1
            over -= 1
        self.row(head, widths, texts, "2", is_head=True)
        for row in rows:
            if len(row) == 1:
                self.lines(row[0], "33" if "not measured: " in row[0] else None)
            else:
                self.row(row, widths, texts, None, color(row) if color else None)

    def row(self, row, widths, texts, code, last=None, is_head=False):
        cells = [textwrap.wrap(cell, widths[i]) if cell.strip() and (i in texts or is_head)
                 else [cell] for i, cell in enumerate(row)]
        for number in range(max(map(len, cells))):
            shown = []
            for i, cell in enumerate(cells):
                text = cell[number] if number < len(cell) else ""
                text = text.ljust(widths[i]) if i in texts else text.rjust(widths[i])
                shown.append(self.paint(last, text) if last and i == len(cells) - 1 else text)
            text = "  ".join(shown).rstrip()
            self.write(self.paint(code, text) if code else text)


def print_area(screen, document, build, area, works):
    compilers = sorted({program["compiler"] for program in build["programs"]})
    how = ("these times mean nothing" if document.get("smoke")
           else f'{document.get("reps")} repetitions')
    about = [build["flags"], *(f"compiler {name}" for name in compilers), how]
    screen.heading(f'== {area}: {", ".join(about)}')
    head = ["", "", "min", "median", "ours/min", "/median", "p50", "p99", "p99.9", "max", "insn"]
    rows = []
    for work, measures in works.items():
        unit = measures[0]["unit"]
        rows.append([measures[0]["title"] + ("" if unit == "ns" else f", {unit}")])
        ours = measures[0]
        for side, measure in results.sides(measures):
            ratios = ["", ""]
            if ours["side"] == "ours" and measure is not ours:
                ratios = [figure(results.ratio(of(ours), of(measure)))
                          for of in (results.minimum, results.median)]
            single = measure.get("single") or {}
            rows.append([side, measure["name"], figure(results.minimum(measure)),
                         figure(results.median(measure)), *ratios,
                         *(figure(single.get(name)) for name in results.PERCENTILES),
                         results.count(results.instructions_of(document, build, measure))])
        rows += [[f'not measured: {entry["name"]} ({entry["reason"]})']
                 for entry in build["missing"] if entry["work"] == work]
    screen.table(head, rows, {0, 1})
    screen.write()


def print_targets(screen, document, build):
    judged = results.judge(document, build)
    screen.heading(f'== targets: {build["flags"]}')
    head = ["", "", "must", "stretch", "minima", "medians", ""]
    rows, title = [], None
    for target in judged:
        if title != (target["row"], target["title"]):
            title = target["row"], target["title"]
            rows.append([f'{target["row"]:>2}  {target["title"]}'])
        beside = results.beside_text(target)
        if target["minima"] is None:
            rows.append([f'    {beside + ": " if beside else ""}{results.verdict_text(target)}'])
            continue
        rows.append(["  ", beside, results.limit_text(target, target["must"]),
                     results.limit_text(target, target["stretch"]),
                     results.outcome_text(target, target["minima"]),
                     results.outcome_text(target, target["medians"]), target["verdict"]])
    screen.table(head, rows, {1, 6}, lambda row: "32" if row[-1].startswith("met") else
                 "31" if row[-1] == "MISSED" else "33")
    screen.write(results.count_verdicts(judged))
    screen.write()


def print_unmeasured(screen, build):
    """Print the works of which no side was measured."""
    measured = {measure["work"] for measure in build["measures"]}
    names = {}
    for entry in build["missing"]:
        if entry["work"] not in measured:
            names.setdefault((entry["work"], entry["reason"]), []).append(entry["name"])
    for (work, reason), sides in names.items():
        screen.lines(f'not measured: {work}: {", ".join(sides)} ({reason})', "33")
    if names:
        screen.write()


def print_scale(screen, build):
    heads, rows = results.scale_table(build)
    if not rows:
        return
    screen.heading(f'== scale: {build["flags"]}')
    screen.table(heads, rows, {0, 1}, lambda row: "31" if row[-1] == "grows" else "32")
    for entry in build["scales"]:
        if entry["grows"]:
            screen.lines(f'{entry["title"]}: {entry["grows"]}')
    screen.write()


def print_all(screen, document):
    screen.heading(f'doca_core {document.get("doca_core")} on {results.machine_text(document)}')
    screen.write(document.get("date") or "")
    for note in results.notes(document):
        screen.lines(note, "33")
    screen.lines("ours/min and /median: the time of ours divided by that of this side; p50 to max: "
                 "single operations; insn: instructions per operation")
    screen.write()
    for build in document["builds"]:
        for area, works in results.areas(build).items():
            print_area(screen, document, build, area, works)
        print_scale(screen, build)
        print_unmeasured(screen, build)
    head, rows = results.counted(document)
    if rows:
        screen.heading("== instructions per operation, exact")
        screen.table(head, rows, {0})
        screen.lines(results.callgrind_text(document))
        screen.write()
    for build in document["builds"]:
        print_targets(screen, document, build)
    if document.get("smoke"):
        screen.lines("This was a smoke run: the times above mean nothing.", "33")


def print_changes(screen, old, new, fail_above, names):
    """Print the table that compares each measure of two runs, named `names`. Return the number of
    measures, and the measures of doca_core that became slower than `fail_above` allows."""
    rows, alone = results.compare(old, new)
    table, slower = [], []
    for flags in dict.fromkeys(row[0] for row in rows):
        table.append([flags])
        for _, measure, was, minima, medians in (row for row in rows if row[0] == flags):
            is_slower = (fail_above is not None and measure["side"] == "ours" and
                         None not in (minima, medians) and min(minima, medians) > fail_above)
            change = ""
            if is_slower:
                slower.append(f'{flags}: {measure["work"]}, {measure["name"]}')
                change = f"above {fail_above:g}"
            now, before = measure.get("instructions"), was.get("instructions")
            is_said = measure["unit"] == "ns" or measure["name"].endswith(measure["unit"])
            table.append([measure["work"] + ("" if is_said else f', {measure["unit"]}'),
                          measure["name"], figure(results.median(was)),
                          figure(results.median(measure)), figure(minima), figure(medians),
                          "" if None in (now, before) else
                          f"{results.count(before)} > {results.count(now)}"
                          if now != before else "same", change])
    screen.table(["work", "side", *names, "minima", "medians", "insn", ""], table, {0, 1},
                 lambda row: "31")
    for line in alone:
        screen.lines(line)
    if slower:
        screen.lines(f'slower than {fail_above:g}: {"; ".join(slower)}', "31")
    return len(rows), slower


def print_comparison(screen, old, new, fail_above):
    """Print the comparison. Return the measures of doca_core that became slower than `fail_above`
    allows."""
    screen.heading(f'== compared with {old.get("date") or "an old run"}: new / old')
    if [old["machine"].get(name) for name in ("cpu", "cpus")] != [
            new["machine"].get(name) for name in ("cpu", "cpus")]:
        screen.lines(f"The machines differ (old: {results.machine_text(old)}; new: "
                     f"{results.machine_text(new)}): the ratios tell of both.", "33")
    if old.get("smoke") or new.get("smoke"):
        screen.lines("One of them was a smoke run: the ratios mean nothing.", "33")
    return print_changes(screen, old, new, fail_above, ("old", "new"))[1]


def print_before(screen, old, new, fail_above):
    """Print the comparison of two versions that ran in turns. Return the number of measures, and
    the measures of doca_core that became slower than `fail_above` allows."""
    screen.heading(f'before: {old["before"]} ({old["commit"]}); after: this tree '
                   f'({new["commit"]}); on {results.machine_text(new)}')
    compilers = sorted({program["compiler"] for build in new["builds"]
                        for program in build["programs"]})
    how = [f"compiler {name}" for name in compilers]
    how += [f'{new["reps"]} repetitions each, in turns'] if new["reps"] else []
    screen.lines("; ".join([*how, "medians, and the ratios after / before"]))
    for note in results.notes(new):
        screen.lines(note, "33")
    for build in old["builds"]:
        for failure in build["failures"]:
            screen.lines(f'left out: {failure["program"]}, {build["flags"]}: '
                         f'{failure["reason"]}', "33")
    for build in new["builds"]:
        print_unmeasured(screen, build)
    return print_changes(screen, old, new, fail_above, ("before, ns", "after, ns"))


def as_csv(document):
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["flags", "area", "work", "title", "side", "name", "unit", "bytes", "ops",
                     "repetitions", "min", "median", *results.PERCENTILES, "instructions",
                     "ours_to_min", "ours_to_median"])
    for build in document["builds"]:
        for area, works in results.areas(build).items():
            for work, measures in works.items():
                ours = measures[0] if measures[0]["side"] == "ours" else None
                for m in measures:
                    single = m.get("single") or {}
                    writer.writerow([
                        build["flags"], area, work, m["title"], m["side"], m["name"], m["unit"],
                        m.get("bytes"), m.get("ops"), len(m["samples"]), results.minimum(m),
                        results.median(m), *(single.get(name) for name in results.PERCENTILES),
                        results.instructions_of(document, build, m),
                        *(results.ratio(of(ours), of(m)) if ours else None
                          for of in (results.minimum, results.median))])
    return stream.getvalue()


def markdown_cell(text):
    text = text.replace("\\", "\\\\").replace("|", "\\|")
    return re.sub("<(?=[A-Za-z/!])", "&lt;", text)  # Markdown would take these characters for a tag


def occasion(document):
    """Return the day of the measurement and the commit, as a list of phrases."""
    found = [f'measured on {document["date"][:10]}'] if document.get("date") else []
    return found + ([f'commit {document["commit"]}'] if document.get("commit") else [])


def as_markdown(document):
    """Return the table of targets, both builds side by side. The measured value is the worse of the
    ratio of minima and the ratio of medians."""
    builds = document["builds"]
    columns = [{results.target_key(t): t for t in results.judge(document, build)}
               for build in builds]
    peers = [f"{name} {version}".strip() for name, version in document.get("peers", {}).items()]
    compilers = {program["compiler"] for build in builds for program in build["programs"]}
    parts = [results.machine_text(document), *(f"compiler {c}" for c in sorted(compilers))]
    parts += [f'peers: {", ".join(peers)}'] if peers else []
    parts += [f'{document["reps"]} interleaved repetitions'] if document.get("reps") else []
    lines = ["; ".join([*parts, *occasion(document)]) + "."]
    lines += ["", *results.notes(document)] if results.notes(document) else []
    heads = ["work", "compared with", "target", *(f'`{build["flags"]}`' for build in builds)]
    lines += ["", "| " + " | ".join(heads) + " |", "|---|---|---|" + "---|" * len(builds)]
    for key in results.all_targets(columns):
        found = [column.get(key) for column in columns]
        target = next(t for t in found if t)
        cells = [target["title"], results.beside_text(target), results.limits_text(target)]
        for t in found:
            if t is None or t["minima"] is None:
                cells.append(results.verdict_text(t) if t else "not measured")
                continue
            worse = (min if t["rule"] == "speed" else max)(t["minima"], t["medians"])
            cells.append(f'{results.outcome_text(t, worse)}, {t["verdict"]}')
        lines.append("| " + " | ".join(map(markdown_cell, cells)) + " |")
    lines += ["", "The table shows the worse of two ratios, that of the minima and that of the "
                  "medians; both must hold. " + "; ".join(
                      f'`{build["flags"]}`: '
                      f'{results.count_verdicts(results.judge(document, build))}'
                      for build in builds) + "."]
    return "\n".join(lines) + "\n"


def as_markdown_scale(document):
    """Return the table of scale of the first build that has one."""
    build = next((build for build in document["builds"] if build["scales"]), None)
    if not build:
        return ""
    compilers = {program["compiler"] for program in build["programs"]}
    parts = [results.machine_text(document), *(f"compiler {c}" for c in sorted(compilers)),
             f'`{build["flags"]}`', *occasion(document)]
    heads, rows = results.scale_table(build)
    lines = ["; ".join(parts) + ".", *(["", *results.notes(document)]
                                       if results.notes(document) else []), "",
             "| " + " | ".join(heads) + " |", "|---|---|" + "---:|" * (len(heads) - 3) + "---|"]
    lines += ["| " + " | ".join(map(markdown_cell, row)) + " |" for row in rows]
    notes = [f'{entry["title"]}: {entry["grows"]}.' for entry in build["scales"] if entry["grows"]]
    return "\n".join([*lines, *(["", *notes] if notes else [])]) + "\n"


def ratio_text(value):
    return f"{value:.3f}" if value is not None and value < 0.0995 else figure(value)


def as_markdown_before(old, new):
    """Return tables that compare the cost of doca_core, inlined, before and after a change."""
    names = [build["flags"] for build in new["builds"]]
    times, counts = {}, {}
    for flags, measure, _, minima, _ in results.compare(old, new)[0]:
        name, title = measure["name"], measure["title"]
        if name == "inlined, instructions":
            counts.setdefault(title, {})[flags] = ratio_text(minima)
        elif measure["unit"] == "ns" and name != "library":
            title += "" if name == "inlined" else f", {name}"
            times.setdefault(title, {})[flags] = ratio_text(minima)
    compilers = {program["compiler"] for build in new["builds"] for program in build["programs"]}
    parts = [f'After ({new["commit"]}) divided by before ({old["commit"]})',
             results.machine_text(new), *(f"compiler {name}" for name in sorted(compilers))]
    parts += [f'{new["reps"]} repetitions each, in turns'] if new.get("reps") else []
    lines = ["; ".join(parts) + "."]
    notes = results.notes(new)
    left_out = dict.fromkeys(failure["program"] for build in old["builds"]
                             for failure in build["failures"])
    notes += [f'Left out, because parts of it do not compile with the header of before: '
              f'{", ".join(left_out)}.'] if left_out else []
    lines += ["", *notes] if notes else []
    for head, table in (("time, ratio of minima", times), ("instructions, ratio", counts)):
        if table:
            lines += ["", "| " + " | ".join([head, *(f"`{name}`" for name in names)]) + " |",
                      "|---|" + "---:|" * len(names)]
        lines += ["| " + " | ".join(map(markdown_cell, [
            title, *(found.get(name, "") for name in names)])) + " |"
                  for title, found in table.items()]
    return "\n".join(lines) + "\n"
