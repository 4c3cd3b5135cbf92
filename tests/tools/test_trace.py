#!/usr/bin/env python3
"""Test tools/trace: what it prints, both files that it writes, its exit status, and the page in
headless Chromium where that is installed.

usage: test_trace.py TOOL PAIR PLAIN GROUPS
TOOL is tools/trace, PAIR the program trace_pair.c, PLAIN a program without recordings, and GROUPS
the program trace_groups.c."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TOOL, PAIR, PLAIN, GROUPS = sys.argv[1:5] if len(sys.argv) == 5 else sys.exit(__doc__)
sys.path.insert(0, os.path.dirname(os.path.abspath(TOOL)))
from trace_view import perfetto, read, tasks  # noqa: E402


def trace(*arguments, **options):
    return subprocess.run([TOOL, *arguments], capture_output=True, text=True, timeout=120, **options)


class Case(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.mkdtemp(prefix="test_trace.")
        self.addCleanup(shutil.rmtree, self.place, ignore_errors=True)
        self.name = os.path.join(self.place, "out")

    def run_pair(self):
        result = trace("-o", self.name, "--keep", self.place, "--", PAIR)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def read_json(self):
        with open(self.name + ".json", encoding="utf-8") as file:
            return json.load(file)["traceEvents"]

    def read_data(self):
        with open(self.name + ".html", encoding="utf-8") as file:
            return json.loads(re.search(r"^const data = (.*);$", file.read(), re.M).group(1))


class Output(Case):
    def test_summary_has_each_context_and_what_stands_out(self):
        text = self.run_pair()
        self.assertRegex(text, r"dma 0x[0-9a-f]+: 3 of 3 tasks completed, 1 failed, 1.95 KiB, at most 3")
        self.assertRegex(text, r"! dma 0x[0-9a-f]+: 1 task completed with an error")

    def test_json_shows_tasks_arrows_and_both_processes(self):
        self.run_pair()
        events = self.read_json()
        names = [e["name"] for e in events]
        self.assertEqual(len({e["pid"] for e in events}), 2)
        for name in ("submit task 0", "task 0", "callback task 2", "export", "import",
                     "the copies begin", "process_name"):
            self.assertIn(name, names)
        starts = [e for e in events if e["ph"] == "s"]
        ends = {e["id"]: e for e in events if e["ph"] == "f"}
        self.assertEqual(len(starts), 4)  # of three tasks and of the export
        for start in starts:
            end = ends[start["id"]]
            self.assertGreater(end["ts"], start["ts"])
            self.assertEqual(end["bp"], "e")
        memory = [e for e in starts if e["cat"] == "memory"]
        self.assertNotEqual(memory[0]["pid"], ends[memory[0]["id"]]["pid"])
        failed = [e for e in events if e["name"] == "callback task 2"]
        self.assertEqual(failed[0]["args"]["status"], "IO_FAILED")
        refusals = [e["name"] for e in events if e.get("cat") == "refusal"]
        self.assertTrue(any("doca_pe_progress: " in text for text in refusals), refusals)

    def test_page_contains_the_same(self):
        self.run_pair()
        data = self.read_data()
        self.assertEqual(len(data["tasks"]), 3)
        self.assertEqual(len(data["arrows"]), 1)
        self.assertEqual(data["contexts"][0]["failed"], 1)
        for task in data["tasks"]:
            times = [task[i] for i in (4, 5, 6, 8, 9)]
            self.assertEqual(times, sorted(times))
        with open(self.name + ".html", encoding="utf-8") as file:
            page = file.read()
        self.assertNotIn("http:", page)  # nothing from a network
        self.assertNotIn("https:", page)

    def test_recordings_can_be_read_later(self):
        self.run_pair()
        data = self.read_data()
        files = sorted(os.path.join(self.place, name) for name in os.listdir(self.place)
                       if name.endswith(".trace"))
        self.assertEqual(len(files), 2)
        result = trace("-o", self.name + "2", *files)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.name += "2"
        self.assertEqual(self.read_data(), data)

    def test_text_of_a_program_cannot_leave_the_script(self):
        self.run_pair()
        path = next(os.path.join(self.place, name) for name in os.listdir(self.place)
                    if name.endswith(".trace"))
        with open(path, "r+b") as file:
            content = file.read()
            file.seek(0)
            file.write(content.replace(b"trace_pair", b"</script>x", 1))
        self.assertEqual(trace("-o", self.name, path).returncode, 0)
        with open(self.name + ".html", encoding="utf-8") as file:
            self.assertEqual(file.read().count("</script>"), 1)


class Groups(Case):
    """Batches, graph nodes and runs of graphs."""

    def setUp(self):
        super().setUp()
        result = trace("-o", self.name, "--", GROUPS)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.text = result.stdout

    def test_summary_counts_them(self):
        for line in ("  batches: 1, 0 failed", "  runs of graphs: 2, 1 failed",
                     "  graph nodes: 4, 1 failed"):
            self.assertIn(line + "\n", self.text)

    def test_json_has_begin_and_end_of_each(self):
        events = self.read_json()
        begins = [e for e in events if e["ph"] == "b"]
        ends = {e["id"]: e for e in events if e["ph"] == "e"}
        self.assertEqual([e["name"] for e in begins],
                         ["batch of 3 tasks", "run of a graph", "context node", "user node",
                          "run of a graph", "context node", "user node"])
        self.assertEqual(len(ends), 7)
        for begin in begins:
            self.assertGreaterEqual(ends[begin["id"]]["ts"], begin["ts"])
        statuses = [ends[e["id"]]["args"]["status"] for e in begins]
        self.assertEqual(statuses, ["SUCCESS"] * 4 + ["UNEXPECTED", "SUCCESS", "UNEXPECTED"])
        copies = [e for e in events if e["name"].startswith("submit task")]
        self.assertTrue(all(begins[0]["ts"] <= e["ts"] <= ends[begins[0]["id"]]["ts"]
                            for e in copies[:3]))

    def test_page_has_the_same(self):
        spans = self.read_data()["spans"]
        self.assertEqual([s[3] for s in spans],
                         ["batch", "run", "node", "node", "run", "node", "node"])
        for begin, end, track, *_ in spans:
            self.assertLessEqual(begin, end)
            self.assertEqual(track, 0)


class Recorded:
    """A recording of given events: (nanoseconds, name, object, other, amount, type and detail)."""
    program, process, was_stopped, is_kept, num_lost_blocks = "made", 1, True, False, 0

    def __init__(self, *events):
        self.names = read.Names()
        self.events = [
            read.Event(ns, 7, (0, address, other, amount, self.names.events[name] | what << 8))
            for ns, name, address, other, amount, what in events]


class Devices(unittest.TestCase):
    def life(self, *events):
        return tasks.Life(Recorded(*events))

    def test_device_executes_from_the_doorbell_to_the_completion(self):
        life = self.life((10, "SUBMIT", 64, 1000, 5, 0), (20, "DOORBELL", 128, 0, 1, 0),
                         (90, "END", 64, 0, 0, 0), (95, "CALLBACK", 64, 0, 5, 0),
                         (99, "CALLBACK_END", 64, 0, 0, 0))
        task, = life.tasks
        self.assertEqual((task.begin, task.end, task.is_of_device), (20, 90, True))
        with tempfile.TemporaryFile("w+") as file:
            perfetto.write([life], [], file)
            file.seek(0)
            engine = [e for e in json.load(file)["traceEvents"] if e.get("cat") == "engine"]
        self.assertEqual([(e["ph"], e["ts"]) for e in engine], [("b", 0.02), ("e", 0.09)])

    def test_engine_of_the_cpu_begins_when_it_says_so(self):
        life = self.life((10, "SUBMIT", 64, 1000, 5, 0), (20, "DOORBELL", 128, 0, 1, 0),
                         (30, "BEGIN", 64, 0, 0, 0), (40, "BEGIN", 64, 0, 0, 0),
                         (50, "END", 64, 0, 0, 0))
        task, = life.tasks
        self.assertEqual((task.begin, task.end, task.is_of_device), (30, 50, False))

    def test_messages_and_events_are_marks(self):
        comch = next(n for n, name in read.Names().kinds.items() if name == "comch client")
        life = self.life((10, "EVENT", 64, 70, 5, comch), (20, "EVENT", 64, 0, 5, comch))
        self.assertEqual([text for _, _, text in life.marks],
                         ["message of 70 bytes for comch client", "event for comch client"])

    def test_end_of_a_callback_belongs_to_the_task_that_it_names(self):
        life = self.life((10, "SUBMIT", 64, 1, 5, 0), (11, "SUBMIT", 128, 1, 5, 0),
                         (20, "CALLBACK", 64, 0, 5, 0),       # this one calls progress
                         (30, "CALLBACK", 192, 0, 5, 0),      # the callback of an event
                         (31, "CALLBACK_END", 192, 0, 0, 0),
                         (40, "CALLBACK", 128, 0, 5, 0), (50, "CALLBACK_END", 128, 0, 0, 0),
                         (60, "CALLBACK_END", 64, 0, 0, 0), (70, "CALLBACK_END", 256, 0, 0, 0))
        self.assertEqual([t.callback_end for t in life.tasks], [60, 50])

    def test_callback_that_was_left_ends_before_the_task_is_submitted_again(self):
        life = self.life((10, "SUBMIT", 64, 1, 5, 0), (20, "CALLBACK", 64, 0, 5, 0),
                         (30, "SUBMIT", 64, 1, 5, 0), (35, "CALLBACK_END", 64, 0, 0, 0),
                         (40, "CALLBACK", 64, 0, 5, 0), (50, "CALLBACK_END", 64, 0, 0, 0))
        self.assertEqual([(t.callback, t.callback_end) for t in life.tasks], [(20, 35), (40, 50)])

    def test_node_that_begins_again_has_its_first_begin(self):
        life = self.life((10, "NODE", 64, 0, 5, 0), (20, "NODE", 64, 0, 5, 0),
                         (30, "NODE_END", 64, 0, 5, 0), (40, "NODE_END", 64, 0, 5, 0))
        span, = life.spans
        self.assertEqual((span.begin, span.end, span.status), (10, 30, 0))


class Statuses(Case):
    def check(self, status, text, *arguments, **options):
        result = trace("-o", self.name, *arguments, **options)
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertIn(text, result.stderr)
        self.assertNotIn("Traceback", result.stderr)

    def test_wrong_arguments(self):
        self.check(64, "which recording")
        self.check(64, "--bytes", "--bytes", "5", "--", PAIR)
        self.check(64, "unrecognized", "--nonsense", "file")
        self.check(64, "either", "file", "--", PAIR)

    def test_files_that_are_no_recordings(self):
        self.check(66, "No such file", self.place + "/missing")
        for content in (b"", b"nonsense", b"DOCATRC1", b"DOCATRC1" + b"\xff" * 4096):
            with open(self.place + "/file", "wb") as file:
                file.write(content)
            self.check(65, self.place + "/file", self.place + "/file")

    def test_damaged_recordings_end_with_a_reason_or_a_picture(self):
        self.run_pair()
        path = next(os.path.join(self.place, name) for name in os.listdir(self.place)
                    if name.endswith(".trace"))
        with open(path, "rb") as file:
            content = file.read(65536)
        for cut in (100, 300, 4096, 5000, 20000):
            with open(path, "wb") as file:
                file.write(content[:cut])
            self.check(65, path, path)
        for at in range(4096, 6000, 181):
            damaged = bytearray(content + bytes((64 << 20) - len(content)))[:65536]
            damaged[44:48] = (3).to_bytes(4, "little")
            damaged[16:20] = (15).to_bytes(4, "little")
            damaged[at:at + 8] = b"\xff" * 8
            with open(path, "wb") as file:
                file.write(damaged)
            result = trace("-o", self.name, path)
            self.assertIn(result.returncode, (0, 65), result.stderr)
            self.assertNotIn("Traceback", result.stderr)

    def test_programs(self):
        self.check(69, "DOCA_CORE_TRACE", "--", PLAIN)
        self.check(127, "no such program", "--", self.place + "/missing")
        self.check(126, "", "--", self.place)

    def test_status_of_the_program_is_returned(self):
        result = trace("-o", self.name, "--", "sh", "-c", f"{PAIR}; exit 7")
        self.assertEqual(result.returncode, 7, result.stderr)
        result = trace("-o", self.name, "--", "sh", "-c", f"{PAIR}; kill -9 $$")
        self.assertEqual(result.returncode, 137, result.stderr)

    def test_output_that_cannot_be_written(self):
        self.run_pair()
        path = next(os.path.join(self.place, name) for name in os.listdir(self.place)
                    if name.endswith(".trace"))
        result = trace("-o", self.place + "/no/such/out", path)
        self.assertEqual(result.returncode, 73, result.stderr)

    def test_interrupted_program_leaves_its_recording(self):
        tool = subprocess.Popen([TOOL, "-o", self.name, "--", "sh", "-c", f"{PAIR}; exec sleep 60"],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                start_new_session=True)
        time.sleep(3)
        os.killpg(tool.pid, signal.SIGINT)
        out, err = tool.communicate(timeout=60)
        self.assertEqual(tool.returncode, 130, err)
        self.assertIn("3 of 3 tasks completed", out)


@unittest.skipUnless(shutil.which("chromium"), "Chromium is not installed")
class Browser(Case):
    def dump(self, *options):
        """Return the document after its scripts have run."""
        arguments = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
                     "--no-first-run", "--disable-background-networking", "--disable-sync",
                     "--disable-component-update", f"--user-data-dir={self.place}/profile",
                     *options, "--dump-dom", f"file://{self.name}.html"]
        return subprocess.run(arguments, capture_output=True, text=True, timeout=100).stdout

    def test_scripts_fill_the_page(self):
        self.run_pair()
        for options in ((), ("--blink-settings=preferredColorScheme=0",)):
            document = self.dump(*options)
            self.assertRegex(document, r'<h1 id="title">trace_pair \(\d+\), trace_pair \(\d+\)</h1>')
            self.assertEqual(document.count("<tr tabindex"), 3)
            self.assertIn("completed with an error", document)
            self.assertIn("IO_FAILED", document)
            self.assertIn("tasks in flight over time", document)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
