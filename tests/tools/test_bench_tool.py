#!/usr/bin/env python3
"""Tests of tools/bench: its verdicts, comparisons, files and error messages. tools/bench runs in a
separate tree. There the benchmark programs are shell scripts that print the output that a case
needs, and the compiler is a script that copies these scripts."""
import contextlib
import csv
import html.parser
import io
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
FLAGS = ("-O2", "-O3 -march=native")
SAMPLES = 31

# A compiler that copies the source to the output. It fails if the source contains "does not
# compile", or "# needs WORD" and the header does not contain WORD. It replaces @TIME@ in the source
# by the value of TIME in the header.
COMPILER = r"""#!/bin/sh
echo "$@" >>"$(dirname "$0")/compiled"
flags='' source='' output='' header=''
while [ $# -gt 0 ]; do
    case $1 in
    -DBENCH_FLAGS=*) flags=${1#-DBENCH_FLAGS=} ;;
    -I*) header=${header:-${1#-I}/doca_core.h} ;;
    -o) shift; output=$1 ;;
    *.c) source=${source:-$1} ;;
    -E) exit 1 ;;
    esac
    shift
done
if grep -q 'does not compile' "$source"; then
    echo "$source:1: error: unknown type name" >&2
    exit 1
fi
needed=$(sed -n 's/^# needs //p' "$source")
if [ -n "$needed" ] && ! grep -q "$needed" "$header"; then
    echo "$source:2: error: no $needed" >&2
    exit 1
fi
time=$(sed -n 's/^#define TIME //p' "$header")
sed "s/@FLAGS@/$(echo "$flags" | sed 's/"//g')/; s/\"@TIME@\"/$time/g; s/@TIME@/$time/g" \
    "$source" >"$output" && chmod +x "$output"
"""


def measure(work, side, name, samples, **more):
    return {"type": "measure", "area": "buf", "work": work, "title": f"title of {work}",
            "side": side, "name": name, "unit": "ns", "bytes": 64, "ops": 1000,
            "samples": samples, "single": None, "instructions": None, **more}


def target(row, work, rule, must, stretch, **more):
    return {"type": "target", "row": row, "work": work, "ours": "inlined", "anchor": "peer",
            "rule": rule, "must": must, "stretch": stretch, **more}


def around(low, middle):
    """Samples with this minimum and this median."""
    return [low] + [middle] * (SAMPLES - 1)


PROGRAM = {"type": "program", "name": "bench_buf", "flags": "@FLAGS@", "compiler": "one", "cpu": 0}
SINGLE = {"p50": 3, "p99": 40, "p999": 500, "max": 6000, "count": 10000,
          "hist": [[2, 5000], [4, 4800], [40, 190], [500, 9], [6000, 1]]}

# work: (minimum, median) of the samples of doca_core and of the peer, rule, must, stretch, verdict
KNOWN = {
    "met": ((4, 5), (10, 10), "ratio", 0.5, 0.4, "met"),
    "stretch": ((4, 4), (10, 10), "ratio", 0.5, 0.4, "met with stretch"),
    "by_medians_only": ((6, 6), (10, 12), "ratio", 0.5, None, "MISSED"),
    "by_minima_only": ((4, 6), (10, 10), "ratio", 0.5, None, "MISSED"),
    "adds": ((12, 14), (5, 6), "add_ns", 8, 5.5, "met"),
    "adds_too_much": ((12, 15), (5, 6), "add_ns", 8, None, "MISSED"),
    "speed": ((100, 100), (99, 99.5), "speed", 0.98, 1.0, "met"),
    "speed_stretch": ((100, 100), (101, 102), "speed", 0.98, 1.0, "met with stretch"),
    "slow": ((100, 100), (97, 99), "speed", 0.98, None, "MISSED"),
    "alone": ((2, 2.5), (1, 1), "ns", 2.5, 1.4, "met"),
    "stretch_only": ((6, 6), (10, 10), "ratio", None, 0.5, "short of stretch"),
    "unlimited": ((2, 2.5), (1, 1), "ratio", None, None, "no limit"),
}


def known_lines():
    lines = [PROGRAM]
    for work, (ours, peer, rule, must, stretch, _) in KNOWN.items():
        single = SINGLE if work == "met" else None
        lines += [measure(work, "ours", "inlined", around(*ours), single=single,
                          instructions=55.0),
                  measure(work, "peer", "slower peer", around(50, 60)),
                  measure(work, "peer", "peer", around(*peer)),
                  measure(work, "limit", "bare", around(1, 2)),
                  target("1", work, rule, must, stretch)]
    lines += [measure("lonely", "ours", "inlined", around(1, 2)),
              target("2", "lonely", "ratio", 0.5, None, anchor="rte_absent"),
              {"type": "missing", "work": "lonely", "name": "rte_absent",
               "reason": "built without DPDK"},
              target("3", "lonely", "ratio", 0.5, None, anchor="forgotten"),
              measure("calls", "ours", "inlined", around(0, 0), unit="system calls"),
              target("16", "calls", "count", 0, None, anchor=""),
              target("11", "far", "ratio", 0.5, None),
              {"type": "missing", "work": "far", "name": "all sides",
               "reason": "needs a second CPU"},
              {"type": "sweep", "area": "buf", "work": "met", "x": "bytes", "series": "ours",
               "points": [[64, 5], [4096, 50], [1 << 20, 30000]]},
              {"type": "sweep", "area": "buf", "work": "met", "x": "bytes",
               "series": "memcpy <b>", "points": [[64, 4], [4096, 50], [1 << 20, 33000]]}]
    return lines


def script(lines, ending=""):
    """Return a program that prints these lines."""
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    return f"#!/bin/sh\ncat <<'EOF'\n{text}\nEOF\n{ending}\n"


class Page(html.parser.HTMLParser):
    """Check that all elements of a page are closed in order, and that the page loads no files."""
    void = ("meta", "br", "link", "img")

    def __init__(self):
        super().__init__()
        self.open, self.tags = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        for name, value in attrs:
            if name in ("src", "href", "xlink:href", "action") and not value.startswith("#"):
                raise AssertionError(f"the page refers to {value}")
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            raise AssertionError(f"</{tag}> closes nothing")


class Tree(unittest.TestCase):
    """A separate tree with tools/bench and the programs of the case."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="test_bench.")
        self.addCleanup(holder.cleanup)
        self.root = pathlib.Path(holder.name)
        for name in ("bench", "tools", "bin", "out", "tests/support"):
            (self.root / name).mkdir(parents=True)
        for tool in [*(ROOT / "tools").glob("bench*"), ROOT / "tools/packages",
                     ROOT / "tools/common.sh"]:
            if tool.is_file():
                shutil.copy(tool, self.root / "tools")
        self.put("bin/cc", COMPILER)
        (self.root / "doca_core.h").write_text("".join(
            f"#define DOCA_CORE_VERSION_{part} {n}\n"
            for n, part in enumerate(("MAJOR", "MINOR", "PATCH"))))
        self.put("bench/library_calls.c", "")
        self.put("tests/support/impl.c", "")

    def put(self, name, text):
        path = self.root / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def environment(self, **more):
        # pkg-config finds no packages: the result must not depend on installed packages
        paths = [str(self.root / "bin"), "/usr/bin", "/bin"]
        return {"PATH": ":".join(paths), "CC": "cc", "PKG_CONFIG_LIBDIR": str(self.root),
                "PKG_CONFIG_PATH": "", "TMPDIR": str(self.root / "out"), **more}

    def run_tool(self, *arguments, status=0, **more):
        done = subprocess.run([sys.executable, str(self.root / "tools/bench"), *arguments],
                              capture_output=True, text=True, timeout=60, cwd=self.root,
                              env=self.environment(**more))
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done

    def measure_known(self, name="a.json"):
        self.put("bench/bench_buf.c", script(known_lines()))
        self.run_tool("--json", name)
        return self.root / name

    def change(self, name, into, change):
        document = json.loads((self.root / name).read_text())
        change(document)
        (self.root / into).write_text(json.dumps(document))


class Verdicts(Tree):
    def verdicts(self, text):
        """Return {title: lines below the title} of the targets of the first build."""
        part = text.split("== targets: -O2\n")[1].split("== targets:")[0]
        found, title = {}, None
        for line in part.splitlines():
            head = re.match(r" ?\d+  (.*)$", line)
            if head:
                title = head.group(1)
                found.setdefault(title, [])
            elif title:
                found[title].append(line)
        return found

    def test_each_rule_needs_minima_and_medians(self):
        self.measure_known()
        text = self.run_tool("--from", "a.json").stdout
        found = self.verdicts(text)
        for work, known in KNOWN.items():
            (line,) = found[f"title of {work}"]
            self.assertTrue(line.endswith("  " + known[-1]), f"{work}: {line}")
        self.assertRegex(found["title of by_medians_only"][0], r"0\.60x +0\.50x +MISSED$")
        self.assertRegex(found["title of adds"][0], r"<= \+ 8 ns .* \+ 7\.00 ns +\+ 8\.00 ns +met$")
        self.assertRegex(found["title of slow"][0], r">= 0\.98x +0\.970x +0\.990x +MISSED$")
        self.assertRegex(text, r"\n7 of \d+ targets met \(2 with stretch\), 4 missed, "
                               r"1 short of stretch, \d+ not measured, 1 no limit\n")

    def test_reasons_for_missing_results(self):
        self.measure_known()
        text = self.run_tool("--from", "a.json").stdout
        self.assertIn("rte_absent: not measured: built without DPDK", text)
        self.assertIn('forgotten: not measured: nothing named "forgotten" was measured', text)
        self.assertIn("11  far\n    peer: not measured: needs a second CPU\n", text)
        self.assertRegex(text, r"16  title of calls\n +<= 0 system calls +0 system calls +0 system "
                               r"calls +met\n")
        self.assertIn("not measured: bench_dma did not report it", text)
        self.assertIn("not measured: asked for by --instructions", text)

    def test_a_smoke_run_has_no_verdicts(self):
        self.put("bench/bench_buf.c", script(known_lines()))
        done = self.run_tool("--smoke")
        self.assertIn("the times below mean nothing", done.stdout)
        self.assertNotIn("MISSED", done.stdout)
        self.assertIn("not judged", done.stdout)

    def test_areas_show_every_side(self):
        self.measure_known()
        text = self.run_tool("--from", "a.json").stdout
        self.assertRegex(text, r"title of met\n"
                               r"ours +inlined +4\.00 +5\.00 +3\.00 +40 +500 +6000 +55\n"
                               r"best peer +peer +10 +10 +0\.40 +0\.50\n"
                               r"peer +slower peer +50 +60 +0\.08 +0\.08\n"
                               r"limit +bare +1\.00 +2\.00 +4\.00 +2\.50\n")
        self.assertTrue(all(len(line) <= 100 for line in text.splitlines()))
        self.assertNotIn("\033", text)

    def test_instructions_are_compared_with_their_gates(self):
        row = {"type": "instructions", "work": "pair", "title": "a pair", "form": "inlined",
               "flags": "@FLAGS@", "compiler": "one", "count": 60, "min": 60, "max": 60,
               "gate": 65, "floor": 55, "ceiling": 60, "note": ""}
        walk = {"type": "history", "work": "pair", "title": "a pair", "form": "inlined",
                "flags": "@FLAGS@", "times": 9, "min": 1, "max": 1, "spread": 0}
        self.put("bench/bench_buf.c", script(known_lines()))
        rows = [row, *({**row, "work": title, "title": title, **change} for title, change in {
            "more": {"count": 66}, "floor": {"count": 55}, "no gate": {"gate": 0},
            "library": {"form": "library", "count": 70}}.items())]
        self.put("bench/instructions.c", script([*rows, walk]))
        found = self.verdicts(self.run_tool("--instructions", "--json", "a.json").stdout)
        self.assertRegex(found["a pair"][0], "60 insn  met$")
        self.assertRegex(found["more"][0], "MISSED$")
        self.assertRegex(found["floor"][0], "met with stretch$")
        self.assertNotIn("no gate", found)

        def count_more(document):
            document["instructions"][0]["count"] = 66

        self.change("a.json", "b.json", count_more)
        done = self.run_tool("--from", "b.json", "--compare", "a.json", "--fail-above", "1",
                             status=1)
        self.assertIn("slower than 1: -O2: pair, inlined, instructions", done.stdout)
        self.run_tool("--from", "a.json", "--report", "a.html")
        self.assertIn("depends on history", (self.root / "a.html").read_text())


# A script in place of valgrind: it runs the program, and writes an output file of callgrind for
# each line of the file `counts`.
VALGRIND = r"""#!/bin/sh
for word; do
    case $word in --callgrind-out-file=*) file=${word#*=} ;; esac
done
while [ "${1#--}" != "$1" ] || [ "$1" = valgrind ]; do shift; done
case $1 in *march*) kill -ILL $$ ;; esac
"$@" || exit
echo "totals: 99" >"$file"
k=0
while read -r count; do
    k=$((k + 1))
    printf 'events: Ir\nsummary: %s\n\ntotals: %s\n' "$count" "$count" >"$file.$k"
done <"$(dirname "$0")/counts"
"""


class Callgrind(Tree):
    """Two operations, each of which callgrind counts three times, with two numbers of turns each
    time. Single-stepping has counted 60 and 70 instructions."""

    def setUp(self):
        super().setUp()
        self.put("bin/valgrind", VALGRIND)
        self.put("bench/bench_buf.c", script(known_lines()))
        self.put("bench/instructions.c", script([
            {"type": "instructions", "work": work, "title": f"a {work}", "form": "inlined",
             "flags": "@FLAGS@", "count": count, "gate": 65, "floor": 55, "turns": [2, 6]}
            for work, count in (("pair", 60), ("chain", 70))]))
        # 55, 60 and 60 per turn for the first operation, and 71, 71 and 80 for the second
        self.count(140, 360, 120, 360, 120, 360, 9, 293, 9, 293, 9, 329)

    def count(self, *counts):
        self.put("bin/counts", "".join(f"{count}\n" for count in counts))

    def test_counts_of_callgrind_beside_single_steps(self):
        done = self.run_tool("--instructions", "--callgrind", "--json", "a.json")
        found = {(entry["flags"], entry["form"], entry["work"]): entry["count"]
                 for entry in json.loads((self.root / "a.json").read_text())["instructions"]}
        self.assertEqual(found["-O2", "inlined, callgrind", "pair"], 60)
        self.assertEqual(found["-O2", "inlined, callgrind", "chain"], 71)
        self.assertEqual(found["-O2", "inlined", "chain"], 70)
        text = done.stdout.replace("\n", " ")
        self.assertIn("Callgrind counts 1 of 2 as steps do; chain (-O2, inlined) 71 for 70", text)
        self.assertIn("-O3 -march=native: not counted by callgrind: this valgrind does not", text)
        self.assertEqual(list((self.root / "out").iterdir()), [], "files were not removed")
        self.assertNotIn("allgrind", self.run_tool("--instructions").stdout)

    def test_a_wrong_number_of_counts_is_reported(self):
        self.count(1, 2, 3)
        done = self.run_tool("--instructions", "--callgrind", status=1)
        self.assertIn("instructions.O2: under valgrind: 3 counts of callgrind for 2 operations",
                      done.stderr)

    def test_without_valgrind(self):
        (self.root / "bin/valgrind").unlink()
        done = self.run_tool("--instructions", "--callgrind", status=69,
                             PATH=str(self.root / "bin"))
        self.assertEqual(done.stderr, "tools/bench: --callgrind needs valgrind, which is not "
                                      "installed; --install installs it\n")


def scale(work, ours, bare, **more):
    return {"type": "scale", "work": work, "title": f"title of {work}", "x": "things", "flat": 1.2,
            "from": 1, "bytes": 64, "ours": ours, "bare": bare, "bare_name": "bare loop",
            "grows": "", **more}


class Scale(Tree):
    """Rows of bench_scale: a flat one, one that grows like its bare pattern, one that grows more
    than that, and one whose first point does not count."""

    def setUp(self):
        super().setUp()
        rows = [{**PROGRAM, "name": "bench_scale"},
                scale("flat", [[1, 10], [100, 12]], []),
                scale("cached", [[1, 10], [100, 60]], [[1, 1], [100, 43]]),
                scale("linear", [[1, 10], [100, 60]], [[1, 1], [100, 42]]),
                scale("shared", [[1, 90], [10, 20], [100, 21]], [], **{"from": 10})]
        counts = [{"type": "scale_count", "work": "flat", "points": [[1, 10], [100, 10]],
                   "flat": 1.2},
                  {"type": "scale_count", "work": "linear", "points": [[1, 10], [100, 10]],
                   "flat": 1.2}]
        timed, counted = script(rows), script(counts).replace("#!/bin/sh\n", "")
        self.put("bench/bench_scale.c", timed.replace(
            "#!/bin/sh\n", f'#!/bin/sh\ncase "$*" in *--count*)\n{counted}exit;;\nesac\n'))
        self.put("bin/valgrind", VALGRIND)
        # per operation 20 and 24 instructions of one work, 20 and 20 of the other
        self.put("bin/counts", "5\n205\n5\n245\n5\n205\n5\n205\n")

    def test_each_row_is_flat_or_as_its_bare_pattern(self):
        text = self.run_tool("--json", "a.json").stdout
        rows = self.run_tool("--from", "a.json", "--markdown").stdout
        for work, verdict in (("flat", "flat"), ("cached", "as bare"), ("linear", "grows"),
                              ("shared", "flat")):
            self.assertRegex(rows, rf"\| title of {work} \|.*\| {verdict} \|")
        self.assertIn("| title of flat | 1 to 100 things | 10 to 12 | 1.20 |  |  | 64 | 20 to 24 |"
                      " 1.20 | flat |", rows)
        self.assertIn("== scale: -O2", text)
        self.assertIn("| 10 to 100 things | 20 to 21 | 1.05 |", rows)

    def test_the_report_draws_each_row(self):
        self.run_tool("--report", "a.html")
        text = (self.root / "a.html").read_text()
        page = Page()
        page.feed(text)
        page.close()
        self.assertEqual(page.open, [])
        drawn = re.findall(r"<svg.*?</svg>", text, re.S)
        for svg in drawn:
            xml.fromstring(svg)
        self.assertEqual(sum("time by things" in svg for svg in drawn), 2 * 4)
        self.assertNotIn("nan", "".join(drawn).lower())
        self.assertIn('href="#scale"', text)

    def test_more_instructions_beside_more_objects_are_a_failure(self):
        self.put("bin/counts", "5\n205\n5\n205\n5\n205\n5\n255\n")
        done = self.run_tool(status=1)
        self.assertIn("linear takes 20 instructions beside 1 objects and 25 beside 100",
                      done.stderr)
        self.put("bin/counts", "5\n205\n")
        done = self.run_tool(status=1)
        self.assertIn("too few counts of callgrind", done.stderr)


class Files(Tree):
    def test_a_written_file_can_be_read(self):
        first = self.measure_known()
        self.run_tool("--from", "a.json", "--json", "b.json")
        self.assertEqual(first.read_text(), (self.root / "b.json").read_text())
        document = json.loads(first.read_text())
        self.assertEqual([build["flags"] for build in document["builds"]], list(FLAGS))
        self.assertEqual(document["doca_core"], "0.1.2")
        self.assertEqual(list((self.root / "out").iterdir()), [], "files were not removed")

    def test_csv_has_a_line_for_each_measurement(self):
        self.measure_known()
        text = self.run_tool("--from", "a.json", "--csv", "-").stdout
        rows = list(csv.DictReader(io.StringIO(text)))
        self.assertEqual(len(rows), 2 * (4 * len(KNOWN) + 2))
        (row,) = [r for r in rows if (r["flags"], r["work"], r["name"]) == ("-O2", "met", "peer")]
        self.assertEqual((float(row["ours_to_min"]), float(row["ours_to_median"])), (0.4, 0.5))
        self.assertEqual((row["min"], row["median"], row["repetitions"]), ("10", "10", "31"))

    def test_the_report_is_well_formed_and_self_contained(self):
        self.measure_known()
        self.run_tool("--from", "a.json", "--report", "a.html")
        text = (self.root / "a.html").read_text()
        page = Page()
        page.feed(text)
        page.close()
        self.assertEqual(page.open, [])
        for tag in ("script", "link", "img", "iframe"):
            self.assertNotIn(tag, page.tags)
        self.assertNotIn("url(", text)
        self.assertNotIn("@import", text)
        drawn = re.findall(r"<svg.*?</svg>", text, re.S)
        for svg in drawn:
            xml.fromstring(svg)
        # bars of each work; for two builds, the curve of a work, the sweep and its ratios
        self.assertEqual(sum("what each side takes" in svg for svg in drawn), len(KNOWN) + 2)
        self.assertEqual(sum("single operations" in svg for svg in drawn), 2)
        self.assertEqual(sum("speed of ours beside" in svg for svg in drawn), 2)
        self.assertNotIn("nan", "".join(drawn).lower())
        self.assertNotIn("memcpy <b>", text)
        self.assertIn("prefers-color-scheme: dark", text)

    def test_markdown_shows_both_builds(self):
        self.measure_known()
        text = self.run_tool("--from", "a.json", "--markdown").stdout
        self.assertIn("| work | compared with | target | `-O2` | `-O3 -march=native` |", text)
        self.assertIn("| title of met | peer | <= 0.5x, stretch <= 0.4x | 0.50x, met | 0.50x, met"
                      " |", text)
        self.assertIn("| title of slow | peer | >= 0.98x | 0.970x, MISSED | 0.970x, MISSED |", text)
        self.assertIn("| title of stretch_only | peer | stretch <= 0.5x | 0.60x, short", text)
        self.assertNotIn("== ", text)

    def test_the_readme_has_the_figures_of_the_file(self):
        self.measure_known()
        readme = self.root / "bench/README.md"
        # the test readme.generated tests the programs of the other tables
        compiler = self.put("bin/quick", '#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\n'
                                         'echo "echo compiled" >"$2" && chmod +x "$2"\n')

        def run(*words):
            return subprocess.run(
                [str(ROOT / "tools/readme"), *words], capture_output=True, text=True, timeout=60,
                env={**os.environ, "CC": str(compiler), "DOCA_README_ROOT": str(self.root),
                     "DOCA_README_RESULTS": str(self.root / "a.json")})

        for place, parts in (("README.md", ("caps", "lean")), ("src/object/README.md", ("memory",)),
                             ("src/mlx5/README.md", ("mlx5",)), ("bench/README.md", ("figures",))):
            file = self.root / place
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("".join(
                f"<!-- generated: {part} -->\n<!-- end -->\n" for part in parts))
        self.assertEqual(run().returncode, 0)
        self.assertIn(self.run_tool("--from", "a.json", "--markdown").stdout, readme.read_text())
        self.assertEqual(run("--check").returncode, 0)
        text = readme.read_text()
        row = "| title of met | peer | <= 0.5x, stretch <= 0.4x | 0.50x, met"
        self.assertIn(row, text)
        damaged = row.replace("0.50x", "0.49x")
        readme.write_text(text.replace(row, damaged))
        done = run("--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"-{damaged}", done.stdout)
        readme.write_text("prose\n")
        self.assertIn("there is no <!-- generated: figures -->", run("--check").stderr)

    def test_a_slower_result_fails_only_with_fail_above(self):
        self.measure_known()

        def make_slower(document):
            document["machine"]["cpu"] = "another"
            for measured in document["builds"][0]["measures"]:
                if measured["work"] == "met":
                    measured["samples"] = [2 * sample for sample in measured["samples"]]
            document["builds"][0]["measures"].pop()

        self.change("a.json", "b.json", make_slower)
        done = self.run_tool("--from", "b.json", "--compare", "a.json")
        self.assertRegex(done.stdout, r"\nmet +inlined +5\.00 +10 +2\.00 +2\.00")
        self.assertIn("The machines differ", done.stdout)
        self.assertIn("-O2: calls, inlined: only in the old run", done.stdout)
        self.run_tool("--from", "b.json", "--compare", "a.json", "--fail-above", "2.1")
        done = self.run_tool("--from", "b.json", "--compare", "a.json", "--fail-above", "1.9",
                             status=1)
        self.assertIn("slower than 1.9: -O2: met, inlined", done.stdout)
        self.assertNotIn("met, peer", done.stdout)
        self.run_tool("--from", "a.json", "--compare", "b.json", "--fail-above", "1.01")

    def test_an_invalid_file_is_refused(self):
        self.measure_known()
        damaged = {
            "no json": lambda document: "{",
            "format": lambda document: document.update(format=2),
            "samples": lambda document: document["builds"][0]["measures"][0].update(samples=[]),
            "twice": lambda document: document["builds"][0]["measures"].append(
                document["builds"][0]["measures"][0]),
            "flags": lambda document: document["builds"][0].pop("flags"),
            "list": lambda document: document["builds"][1].pop("targets"),
            "word": lambda document: document["builds"][0]["measures"][0].update(side=[]),
        }
        for name, damage in damaged.items():
            with self.subTest(name):
                self.change("a.json", "b.json", damage)
                if name == "no json":
                    (self.root / "b.json").write_text("{")
                done = self.run_tool("--from", "b.json", status=65)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.run_tool("--from", "absent.json", status=66)
        self.run_tool("--from", "a.json", "--compare", "out", status=66)


@unittest.skipUnless(shutil.which("git"), "git is not installed")
class Before(Tree):
    """Tests of --before with two versions of the header. The committed version takes twice the
    time."""

    def setUp(self):
        super().setUp()
        (self.root / "doca_core.h").write_text("#define TIME 10\n")
        self.git("init", "-q")
        self.commit()
        (self.root / "doca_core.h").write_text("#define TIME 5\nworker\n")
        self.put("bench/bench_buf.c", self.program("buf"))

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *words],
                       cwd=self.root, check=True, capture_output=True, timeout=60)

    def commit(self):
        self.git("add", "-A", "doca_core.h")
        self.git("commit", "-q", "-m", "x")

    def program(self, area, ending=""):
        return script([{**PROGRAM, "name": f"bench_{area}"},
                       measure("w", "ours", "inlined", ["@TIME@"] * 3, area=area),
                       measure("calls", "ours", "inlined", [1, 2, 3], unit="system calls")],
                      f'echo "@TIME@ $@" >>{self.root}/runs\n{ending}')

    def test_both_versions_run_in_turns_and_share_a_table(self):
        text = self.run_tool("--before", "HEAD").stdout
        self.assertEqual(len(re.findall(r"\nw +inlined +10 +5\.00 +0\.50 +0\.50\n", text)), 2)
        self.assertIn("35 repetitions each, in turns", text)
        self.assertRegex(text, r"\ncalls, system calls +inlined +2\.00 +2\.00 +1\.00 +1\.00\n")
        self.assertNotIn("targets", text)
        runs = (self.root / "runs").read_text().splitlines()
        self.assertEqual([line.split()[0] for line in runs], ["10", "5"] * 14)
        for line in runs:
            self.assertRegex(line, r"^\d+ --reps 5 --ours --cpu ")
        self.run_tool("--before", "HEAD", "--reps", "15")
        self.assertIn("--reps 3 ", (self.root / "runs").read_text())
        self.assertEqual(list((self.root / "out").iterdir()), [], "files were not removed")

    def test_a_file_has_both_versions(self):
        text = self.run_tool("--before", "HEAD", "--json", "both.json").stdout
        self.assertEqual(self.run_tool("--from", "both.json").stdout, text)
        self.run_tool("--from", "both.json", "--json", "again.json")
        self.assertEqual((self.root / "both.json").read_text(),
                         (self.root / "again.json").read_text())
        made = json.loads(self.run_tool("--before", "HEAD", "--json", "-").stdout)
        self.assertEqual([made[name]["builds"][0]["measures"][0]["samples"][0]
                          for name in ("before", "after")], [10, 5])
        self.run_tool("--from", "both.json", "--fail-above", "0.4", status=1)
        self.run_tool("--json", "a.json")
        for words in (["--csv", "-"], ["--report", "a.html"], ["--compare", "a.json"]):
            self.assertIn("is of two runs", self.run_tool("--from", "both.json", *words,
                                                          status=64).stderr)
        self.assertIn("is of two runs", self.run_tool("--from", "a.json", "--compare", "both.json",
                                                      status=65).stderr)

    def test_an_invalid_file_of_both_versions_is_refused(self):
        self.run_tool("--before", "HEAD", "--json", "both.json")
        for damage in (lambda both: both.update(before_format=2), lambda both: both.pop("after"),
                       lambda both: both["before"].pop("before"),
                       lambda both: both["after"].update(builds=None),
                       lambda both: both["after"].update(callgrind=[]),
                       lambda both: both["after"].update(date=5),
                       lambda both: both["after"].update(instructions=None)):
            self.change("both.json", "damaged.json", damage)
            done = self.run_tool("--from", "damaged.json", status=65)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("cannot write absent/a", self.run_tool("--before", "HEAD", "--json",
                                                             "absent/a", status=73).stderr)

    def test_markdown_has_the_ratios_of_doca_core(self):
        self.put("bench/bench_sha.c", script(
            [{**PROGRAM, "name": "bench_sha"}] +
            [measure("h", "ours", form, ["@TIME@"] * 3)
             for form in ("inlined", "library", "cold")]))
        self.put("bench/bench_worker.c", self.program("worker", "# needs worker"))
        self.put("bench/instructions.c", script([
            {"type": "instructions", "work": "pair", "title": "a pair", "form": form,
             "flags": "@FLAGS@", "count": "@TIME@", "gate": 65, "floor": 55}
            for form in ("inlined", "library")]))
        text = self.run_tool("--before", "HEAD", "--instructions", "--markdown").stdout
        self.assertRegex(text, r"^After \(.*\) divided by before \([0-9a-f]+\); ")
        self.assertEqual(re.findall(r"^\| .*", text, re.M), [
            "| time, ratio of minima | `-O2` | `-O3 -march=native` |",
            "| title of w | 0.50 | 0.50 |", "| title of h | 0.50 | 0.50 |",
            "| title of h, cold | 0.50 | 0.50 |",
            "| instructions, ratio | `-O2` | `-O3 -march=native` |", "| a pair | 0.50 | 0.50 |"])
        self.assertIn("header of before: bench_worker.\n", text)

    def test_a_longer_time_fails_only_with_fail_above(self):
        (self.root / "doca_core.h").write_text("#define TIME 11\n")
        self.run_tool("--before", "HEAD", "--fail-above", "1.2")
        done = self.run_tool("--before", "HEAD", "--fail-above", "1.05", status=1)
        self.assertIn("slower than 1.05: -O2: w, inlined", done.stdout)

    def test_programs_that_the_old_header_cannot_build_are_left_out(self):
        self.put("bench/bench_worker.c", self.program("worker", "# needs worker"))
        text = self.run_tool("--before", "HEAD").stdout
        self.assertIn("left out: bench_worker, -O2: before: could not be built: ", text)
        self.assertIn("error: no worker", text)
        self.assertEqual(text.count("\nw "), 2)
        done = self.run_tool("--before", "HEAD", "--only", "worker", status=1)
        self.assertIn("left out: bench_worker", done.stdout)
        (self.root / "doca_core.h").write_text("#define TIME 5\n")
        self.assertIn("bench_worker.O2: could not be built",
                      self.run_tool("--before", "HEAD", status=1).stderr)

    def test_a_failing_program_is_left_out_and_reported(self):
        self.put("bench/bench_dma.c", self.program("dma", "[ @TIME@ = 5 ] || exit 1"))
        done = self.run_tool("--before", "HEAD", status=1)
        self.assertIn("bench_dma, -O2: before: exit status 1", done.stdout)
        self.assertEqual(done.stdout.count("\nw "), 2)
        self.assertNotIn("only in", done.stdout)

    def test_exact_counts_are_also_compared(self):
        self.put("bench/instructions.c", script([
            {"type": "instructions", "work": "pair", "title": "a pair", "form": "inlined",
             "flags": "@FLAGS@", "count": "@TIME@", "gate": 65, "floor": 55}],
            '[ "@TIME@" = 5 ] || { echo "above its limit" >&2; exit 1; }'))
        done = self.run_tool("--before", "HEAD", "--instructions")
        self.assertRegex(done.stdout, r"\npair +inlined, instructions +10 +5\.00 +0\.50 ")
        self.assertNotIn("above its limit", done.stdout)
        self.assertIn("instructions.O2-before: exit status 1: above its limit", done.stderr)

    def test_kept_programs_are_built_again_if_the_header_changes(self):
        self.run_tool("--before", "HEAD", "--build-dir", "kept")
        built = self.root / "kept/bench_buf.O2-before"
        was = built.stat().st_mtime_ns
        self.run_tool("--before", "HEAD", "--build-dir", "kept")
        self.assertEqual(built.stat().st_mtime_ns, was)
        self.commit()
        text = self.run_tool("--before", "HEAD", "--build-dir", "kept").stdout
        self.assertRegex(text, r"\nw +inlined +5\.00 +5\.00 +1\.00 +1\.00\n")

    def test_the_header_of_app_shield_is_that_of_the_same_commit(self):
        header = "tools/compat/doca_core_apsh.h"
        kept = self.root / "kept/before" / header
        self.run_tool("--before", "HEAD", "--build-dir", "kept")
        self.assertFalse(kept.exists())
        (self.root / header).parent.mkdir(parents=True)
        (self.root / header).write_text("old")
        self.git("add", header)
        self.git("commit", "-q", "-m", "with App Shield")
        (self.root / header).write_text("new")
        self.run_tool("--before", "HEAD", "--build-dir", "kept")
        self.assertEqual(kept.read_text(), "old")
        self.run_tool("--before", "HEAD~1", "--build-dir", "kept")
        self.assertFalse(kept.exists(), "of another commit")

    def test_missing_revisions_and_git_are_reported_in_one_line(self):
        (self.root / "doca_core.h").rename(self.root / "other")
        self.git("add", "-A", "doca_core.h")
        self.git("commit", "-q", "-m", "without")
        (self.root / "other").rename(self.root / "doca_core.h")
        for rev, why in (("no-such-tag", "no such revision"), ("-p", "no such revision"),
                         ("HEAD", "has no doca_core.h")):
            done = self.run_tool(f"--before={rev}", status=66)
            self.assertEqual(done.stderr, f"tools/bench: --before {rev}: {why}\n")
        done = self.run_tool("--before", "HEAD", status=69, PATH=str(self.root / "bin"))
        self.assertEqual(done.stderr, "tools/bench: --before needs git, which is not installed\n")
        shutil.rmtree(self.root / ".git")
        done = self.run_tool("--before", "HEAD", status=66)
        self.assertIn("not a git repository", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertFalse((self.root / "runs").exists())


class SharedCore(Tree):
    """Programs that report how much of its core the CPU had."""

    def run_with(self, *factors, **more):
        self.put("bench/bench_buf.c", script(
            [PROGRAM, measure("w", "ours", "inlined", around(1, 2)),
             *({"type": "core", "factor": factor} for factor in factors)]))
        return self.run_tool("--json", "a.json", **more)

    def test_a_shared_core_is_noted(self):
        text = self.run_with(2.413).stdout
        note = ("bench_buf, -O2: four additions at a time took 2.4 times as long as one: most "
                "likely another program or guest uses the same core")
        self.assertIn(note, " ".join(text.split()))
        self.assertIn(note, " ".join(self.run_tool("--from", "a.json").stdout.split()))

    def test_a_whole_core_is_not_noted(self):
        self.assertNotIn("four additions", self.run_with(1.08).stdout)

    def test_a_malformed_share_is_reported(self):
        done = self.run_with("much", status=1)
        self.assertIn("line 3 of its output is malformed", done.stderr)


class Failures(Tree):
    def test_a_crashed_program_is_reported_and_others_run(self):
        self.put("bench/bench_buf.c", script(known_lines()))
        self.put("bench/bench_dma.c", script([{**PROGRAM, "name": "bench_dma"}],
                                             "printf '{\"type\":\"mea'; kill -SEGV $$"))
        self.put("bench/bench_sha.c", "does not compile")
        self.put("bench/bench_pe.c", script([{**PROGRAM, "name": "bench_pe"}],
                                            "echo 'the copy is wrong' >&2; exit 1"))
        done = self.run_tool("--json", "a.json", status=1)
        self.assertIn("bench_dma.O2: ended by SIGSEGV", done.stderr)
        self.assertIn("bench_sha.O2: could not be built: ", done.stderr)
        self.assertIn("unknown type name", done.stderr)
        self.assertIn("bench_pe.O3-march-native: exit status 1: the copy is wrong", done.stderr)
        self.assertNotIn("malformed", done.stderr)
        self.assertIn("not measured: ended by SIGSEGV", done.stdout)
        self.assertIn("title of met", done.stdout)
        self.assertIn("ended by SIGSEGV", self.run_tool("--from", "a.json").stdout)

    def test_malformed_lines_are_reported(self):
        good = measure("w", "ours", "inlined", [1.0, 2.0])
        bad = {
            "no json": "bench: hello",
            "no object": [1],
            "type": {**good, "type": "measures"},
            "no samples": {**good, "samples": []},
            "text": {**good, "samples": ["1"]},
            "NaN": json.dumps({**good, "samples": [float("nan")]}),
            "NaN that nobody reads": json.dumps({**PROGRAM, "clock_ns": float("nan")}),
            "side": {**good, "side": "theirs"},
            "again": good,
            "uneven": {**good, "name": "other", "samples": [1.0]},
            "rule": target("1", "w", "times", 1, None),
            "anchor": {**target("1", "w", "ratio", 1, None), "anchor": None},
            "single": {**good, "name": "third", "single": {"p50": 1}},
        }
        lines = [{**PROGRAM}, good, *(line if isinstance(line, (dict, str)) else json.dumps(line)
                                      for line in bad.values())]
        self.put("bench/bench_buf.c", script(lines))
        done = self.run_tool(status=1)
        for number in range(3, 3 + len(bad)):
            self.assertIn(f"bench_buf.O2: line {number} of its output is malformed", done.stderr)
        self.assertNotIn("line 2 of", done.stderr)

    def test_a_program_without_output_is_reported(self):
        self.put("bench/bench_buf.c", "#!/bin/sh\n")
        self.assertIn("printed no results", self.run_tool(status=1).stderr)

    def test_arguments_are_passed_to_the_programs(self):
        self.put("bench/bench_buf.c", script(
            [PROGRAM, measure("w", "ours", "inlined", [1.0])], f'echo "$@" >>{self.root}/runs'))
        self.run_tool("--only", "buf:w", "--cpu", "0", "--reps", "15")
        self.run_tool("--smoke")
        runs = (self.root / "runs").read_text().splitlines()
        self.assertTrue(runs[0].startswith("--reps 15 --only w --cpu 0"), runs[0])
        self.assertTrue(runs[2].startswith("--smoke --cpu "), runs[2])
        self.assertIn("has no work x", self.run_tool("--only", "buf:x", status=1).stderr)

    def test_missing_packages_are_reported_and_installed(self):
        self.put("bench/bench_buf.c", script([PROGRAM, measure("w", "ours", "inlined", [1.0])],
                                             "# BENCH_DPDK"))
        self.put("bench/bench_sha.c", script(
            [{**PROGRAM, "name": "bench_sha"}, measure("h", "ours", "inlined", [1.0])]))
        errors = self.run_tool("--smoke").stderr
        self.assertIn("DPDK is not installed (libdpdk-dev): its rows are left out", errors)
        self.assertNotIn("DBENCH_DPDK", (self.root / "bin/compiled").read_text())
        self.put("bin/sudo", '#!/bin/sh\nshift\nexec "$@"\n')
        self.put("bin/apt-get", f"""#!/bin/sh
echo "$@" >>{self.root}/installed
for name in libdpdk libcrypto liburing libibverbs; do
    printf 'Name: %s\\nDescription: a fake\\nVersion: 1.2\\nCflags: -march=corei7\\n' \\
        $name >{self.root}/$name.pc
done
""")
        done = self.run_tool("--smoke", "--install", "--json", "a.json")
        self.assertIn("-qq install --no-install-recommends libdpdk-dev libssl-dev liburing-dev "
                      "libipsec-mb-dev libibverbs-dev\n", (self.root / "installed").read_text())
        self.assertIn("still missing: libipsec-mb-dev", done.stderr)
        self.assertEqual(json.loads((self.root / "a.json").read_text())["peers"],
                         {"DPDK": "1.2", "OpenSSL": "1.2", "io_uring": "1.2", "rdma-core": "1.2"})
        lines = (self.root / "bin/compiled").read_text().splitlines()
        with_peer = [line for line in lines if "DBENCH_DPDK" in line]
        self.assertEqual(len(with_peer), 2)
        for line in with_peer:  # later flags override earlier flags: those of the program are last
            self.assertRegex(line, "-DBENCH_DPDK -march=corei7 -O[23].* .*bench_buf.c ")
        self.put("bin/apt-get", "#!/bin/sh\nexit 100\n")
        (self.root / "libdpdk.pc").unlink()
        self.assertIn("cannot install libdpdk-dev libipsec-mb-dev: exit status 100",
                      self.run_tool("--install", status=69).stderr)

    def test_wrong_arguments(self):
        self.measure_known()
        for words in (["--reps", "14"], ["--reps", "x"], ["--cpu", "999999"], ["--cpu"], ["what"],
                      ["--only", "nothing"], ["--only", "buf:"], ["--fail-above", "1"],
                      ["--from", "a.json", "--smoke"], ["--from", "a.json", "--only", "buf"],
                      ["--smoke", "--reps", "20"], ["--json", "-", "--markdown"],
                      ["--compare", "a.json", "--fail-above", "0"], ["--rep", "20"],
                      ["--before"], ["--before", "HEAD", "--csv", "b.csv"],
                      ["--before", "HEAD", "--report", "b.html"], ["--callgrind"],
                      ["--before", "HEAD", "--json", "-", "--markdown"],
                      ["--from", "a.json", "--fail-above", "2"],
                      ["--before", "HEAD", "--from", "a.json"],
                      ["--before", "HEAD", "--compare", "a.json"]):
            with self.subTest(words):
                done = self.run_tool(*words, status=64)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn("usage: tools/bench", self.run_tool("--help").stdout)

    def test_a_missing_compiler_is_reported(self):
        self.measure_known()
        done = self.run_tool(CC="absent-compiler", status=69)
        self.assertIn("no C compiler: absent-compiler not found", done.stderr)

    def test_unwritable_files_are_reported_before_the_run(self):
        self.put("bench/bench_buf.c", script(known_lines(), f"touch {self.root}/ran"))
        for name in ("absent/a.json", "out"):
            done = self.run_tool("--json", name, status=73)
            self.assertIn(f"cannot write {name}", done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertFalse((self.root / "ran").exists())
        self.measure_known()
        self.run_tool("--from", "a.json", "--csv", "/dev/full", status=73)
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [sys.executable, str(self.root / "tools/bench"), "--from", "a.json"], stdout=full,
                stderr=subprocess.PIPE, text=True, timeout=60, cwd=self.root)
        self.assertEqual(done.returncode, 73)
        self.assertEqual(done.stderr, "tools/bench: cannot write: No space left on device\n")

    def test_a_closed_output_pipe_is_no_error(self):
        self.measure_known()
        tool = subprocess.Popen([sys.executable, str(self.root / "tools/bench"), "--from",
                                 "a.json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                cwd=self.root)
        tool.stdout.close()
        with tool.stderr:
            self.assertEqual(tool.stderr.read(), b"")
        tool.wait(30)

    def test_an_interrupt_ends_the_programs_and_removes_files(self):
        self.put("bench/bench_buf.c", f"#!/bin/sh\necho $$ >{self.root}/pid\nexec sleep 60\n")
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with self.subTest(number):
                tool = subprocess.Popen(
                    [sys.executable, str(self.root / "tools/bench")], stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE, text=True, cwd=self.root, env=self.environment(),
                    start_new_session=True)
                path = self.root / "pid"
                deadline = time.monotonic() + 30
                while not (path.exists() and path.read_text().strip()):
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.01)
                pid = int(path.read_text())
                path.unlink()
                os.kill(tool.pid, number)
                _, errors = tool.communicate(timeout=30)
                self.assertEqual(tool.returncode, status, errors)
                self.assertNotIn("Traceback", errors)
                with self.assertRaises(ProcessLookupError):
                    os.kill(pid, 0)
                self.assertEqual(list((self.root / "out").iterdir()), [])

    def test_only_outdated_programs_are_built_again(self):
        source = self.put("bench/bench_buf.c", script(known_lines()))
        self.run_tool("--build-dir", "kept")
        built = self.root / "kept/bench_buf.O2"
        os.utime(source, (1, 1))
        before = built.stat().st_mtime_ns
        self.run_tool("--build-dir", "kept")
        self.assertEqual(built.stat().st_mtime_ns, before)
        later = time.time() + 5
        os.utime(source, (later, later))
        self.run_tool("--build-dir", "kept")
        self.assertNotEqual(built.stat().st_mtime_ns, before)

    def test_colors_are_only_for_terminals_that_support_them(self):
        self.measure_known()
        for more, expected in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
            ours, theirs = pty.openpty()
            tool = subprocess.Popen(
                [sys.executable, str(self.root / "tools/bench"), "--from", "a.json"],
                stdout=theirs, cwd=self.root, env=self.environment(**{"TERM": "xterm", **more}))
            os.close(theirs)
            text = b""
            with contextlib.suppress(OSError):  # raised at the end of a pseudo-terminal
                while chunk := os.read(ours, 1 << 16):
                    text += chunk
            os.close(ours)
            self.assertEqual(tool.wait(30), 0)
            self.assertIn(b"title of met", text)
            self.assertEqual(b"\033[31mMISSED" in text, expected, more)

    def test_the_tool_runs_through_a_symbolic_link(self):
        self.measure_known()
        link = self.root / "out/link"
        link.symlink_to(self.root / "tools/bench")
        done = subprocess.run([sys.executable, str(link), "--from", "a.json"], cwd=self.root,
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse((self.root / "tools/__pycache__").exists())


if __name__ == "__main__":
    unittest.main()
