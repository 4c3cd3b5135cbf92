#!/usr/bin/env python3
"""Check doca_caps --stats with processes that have statistics, and with those that have none.

usage: test_caps_stats.py DOCA_CAPS STATS_TARGET"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL, TARGET = sys.argv[1:3]


def run(*arguments):
    return subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True, timeout=60)


class Target:
    """A running process of stats_target."""

    def __init__(self, *arguments, counts="1"):
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("DOCA_CORE_")}
        if counts is not None:
            environment["DOCA_CORE_STATS"] = counts
        self.child = subprocess.Popen([TARGET, *arguments], env=environment, stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, text=True)
        self.line = self.child.stdout.readline().strip()
        self.pid = self.child.pid

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.child.communicate("end\n", timeout=60)


class Running(unittest.TestCase):
    def check_counters(self, document):
        engine, = document["progress_engines"]
        dmas = engine["contexts"]
        self.assertEqual([c["kind"] for c in dmas], ["dma", "dma"])
        self.assertEqual([c["state"] for c in dmas], ["running", "idle"])
        wanted = {"submitted": 6, "completed": 4, "failed": 0, "withdrawn": 0, "events": 0,
                  "bytes": 4000, "inflight": 2, "max_inflight": 3}
        self.assertEqual({k: dmas[0][k] for k in wanted}, wanted)
        wanted.update(submitted=1, completed=0, failed=1, bytes=0, inflight=0, max_inflight=1)
        self.assertEqual({k: dmas[1][k] for k in wanted}, wanted)
        wanted.update(submitted=7, completed=4, failed=1, bytes=4000, inflight=2, max_inflight=4)
        self.assertEqual({k: engine[k] for k in wanted}, wanted)
        self.assertGreaterEqual(engine["empty_polls"], 1)

    def test_counters_as_json(self):
        with Target() as target:
            done = run("--stats", target.pid, "--json")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            document = json.loads(done.stdout)
            self.assertEqual(document["process"], target.pid)
            self.assertEqual(document["name"], "stats_target")
            self.assertEqual(document["uncounted"], 0)
            self.check_counters(document)

    def test_counters_as_text(self):
        with Target() as target:
            done = run(f"--stats={target.pid}")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            lines = done.stdout.splitlines()
            self.assertEqual(lines[0], f"process {target.pid} (stats_target): 1 progress engine, "
                             "2 contexts")
            self.assertEqual(lines[2], "progress engine 1")
            self.assertIn("  dma, running", lines)
            self.assertIn("  dma, idle", lines)
            self.assertIn("    bytes         4000", lines)

    def test_program_that_calls_start(self):
        with Target("started", counts=None) as target:
            done = run("--stats", target.pid, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.check_counters(json.loads(done.stdout))


class Refused(unittest.TestCase):
    def check(self, status, text, *arguments):
        """The tool must print one line, with this text."""
        done = run(*arguments)
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertIn(text, done.stderr)
        if status == 1:
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_process_without_statistics(self):
        for counts in (None, "0", "10", ""):
            with Target(counts=counts) as target:
                self.check(1, f"process {target.pid} has no statistics: ", "--stats", target.pid)
        self.check(1, "has no statistics", "--stats", os.getpid())

    def test_forked_child_that_does_not_count(self):
        with Target("forked") as target:
            self.check(1, f"process {target.line} has no statistics", "--stats", target.line)

    def test_process_that_has_ended(self):
        target = Target()
        target.child.stdin.write("end\n")
        target.child.stdin.close()
        os.waitid(os.P_PID, target.pid, os.WEXITED | os.WNOWAIT)  # it stays a zombie
        self.check(1, f"{target.pid}", "--stats", target.pid)
        target.child.wait()
        target.child.stdout.close()
        self.check(1, f"there is no process {target.pid}", "--stats", target.pid)

    def test_damaged_counters(self):
        with Target("damaged") as target:
            self.check(1, "damaged", "--stats", target.pid)

    @unittest.skipUnless(os.getuid() == 0 and shutil.which("setpriv"), "only root can")
    def test_process_of_another_user(self):
        with tempfile.TemporaryDirectory() as place, Target() as target:
            os.chmod(place, 0o755)
            tool = shutil.copy(TOOL, place)
            done = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
                                   tool, "--stats", str(target.pid)], capture_output=True,
                                  text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
            self.assertIn(f"process {target.pid} cannot be read: Permission denied; only its user",
                          done.stderr)

    def test_wrong_arguments(self):
        for word in ("0", "-1", "x", "", "1x", "99999999999", "4294967297", " 1"):
            self.check(64, "not the number of a process", "--stats", word)
        self.check(64, "needs the number of a process", "--stats")
        self.check(64, "--stats is not for devices", "--stats", 1, "--list-devs")
        self.check(64, "--stats is not for devices", "-p", "03:00.0", "--stats", 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
