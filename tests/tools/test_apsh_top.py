#!/usr/bin/env python3
"""Tests of tools/apsh-top, and of examples/28_app_shield.c, on the memory of a small Linux.
    test_apsh_top.py TOP RAM [EXAMPLE]
TOP is tools/apsh_top.c compiled with the heap trap, RAM apsh_ram.c, EXAMPLE the example."""
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEAVE = b"\x1b[0m\x1b[?25h\x1b[?1049l"
ENTER = b"\x1b[?1049h"
TOP, RAM, EXAMPLE = None, None, None  # paths, see main()


class Terminal:
    """The tool on a pseudo-terminal. `shown` is the text of its last frame, line by line."""

    def __init__(self, command, size=(24, 80), env=None, keys=True):
        self.main, self.other = pty.openpty()
        self.resize(*size, tell=False)
        self.modes = termios.tcgetattr(self.other)
        self.output = b""
        self.process = subprocess.Popen(
            command, stdin=self.other if keys else subprocess.DEVNULL, stdout=self.other,
            stderr=subprocess.PIPE, env={**os.environ, "TERM": "xterm", **(env or {})},
            preexec_fn=self.own_session if keys else os.setsid)

    def own_session(self):
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def resize(self, rows, columns, tell=True):
        self.size = rows, columns
        fcntl.ioctl(self.main, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        if tell:
            self.process.send_signal(signal.SIGWINCH)

    def read(self):
        while select.select([self.main], [], [], 0.02)[0]:
            self.output += os.read(self.main, 65536)

    def lines(self):
        """The lines of the last whole frame, in which no text wraps."""
        frames = self.output.split(b"\x1b[H")
        frame = next((f for f in reversed(frames) if f.count(b"\r\n") + 1 >= self.size[0]), b"")
        return [re.sub(r"\x1b\[[0-9?]*[a-zA-Z]", "", line).rstrip("\r")
                for line in frame.decode().split("\r\n")]

    def wait_for(self, words, row=None, seconds=20):
        """Wait for a frame that contains these words, in row `row` if it is given."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            self.read()
            lines = self.lines()
            if any(words in line for line in (lines if row is None else lines[row:row + 1])):
                return lines
            if self.process.poll() is not None:
                break
        raise AssertionError(f"no {words!r} in {self.lines()}, status {self.process.poll()}")

    def press(self, keys):
        os.write(self.main, keys.encode())

    def end(self):
        """Wait for the end. Returns the status and what was written to the standard error."""
        said = self.process.communicate(timeout=30)[1].decode()
        self.read()
        return self.process.returncode, said

    def is_restored(self):
        return self.output.rstrip().endswith(LEAVE) and self.output.count(ENTER) == \
            self.output.count(LEAVE) and termios.tcgetattr(self.other) == self.modes

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()
        os.close(self.main)
        os.close(self.other)


class Case(unittest.TestCase):
    def setUp(self):
        self.work = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.work, ignore_errors=True)
        self.file = self.work / "ram of a guest"  # with blanks
        for name in [name for name in os.environ if name.startswith("DOCA_CORE_")]:
            del os.environ[name]

    def ram(self, file=None, **what):
        subprocess.run([RAM, file or self.file, *(f"{key}={value}" for key, value in what.items())],
                       check=True)

    def ram_between_looks(self, process, **what):
        """Change the memory while the tool waits for its next look, however slow the machine is."""
        deadline, num = time.monotonic() + 30, 0
        while num < 3 and time.monotonic() < deadline:
            state = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(") ")[2][0]
            num = num + 1 if state == "S" else 0
            time.sleep(0.02)
        process.send_signal(signal.SIGSTOP)
        self.ram(**what)
        process.send_signal(signal.SIGCONT)

    def run_top(self, status, *arguments, words="", env=None):
        done = subprocess.run([TOP, *map(str, arguments)], capture_output=True, timeout=60,
                              stdin=subprocess.DEVNULL, env={**os.environ, **(env or {})})
        out, said = done.stdout.decode(), done.stderr.decode()
        self.assertEqual(done.returncode, status, f"{arguments}: {out}\n{said}")
        self.assertEqual(len(said.splitlines()), 0 if status == 0 else 1, said)
        self.assertIn(words, said)
        return out

    def view(self, *arguments, **how):
        terminal = Terminal([TOP, *map(str, arguments)], **how)
        self.addCleanup(terminal.close)
        return terminal


class Once(Case):
    def test_help(self):
        self.assertTrue(self.run_top(0, "--help").startswith("usage: tools/apsh-top "))
        self.assertEqual(self.run_top(0, "-h"), self.run_top(0, "--once", "--help"))

    def test_wrong_arguments(self):
        for wrong in (["--nosuch"], ["--seconds"], ["--seconds", "x"], ["--seconds", "0"],
                      ["--seconds", "1e3"], ["--seconds", "-1"], ["--split"], ["--split", "5"],
                      ["--split", "2X"], ["--split", "8G"], ["a", "b"], [], ["--once"], ["--qemu"],
                      ["--split", "2G"]):
            self.run_top(64, *wrong, words="try --help")

    def test_files_that_cannot_be_read(self):
        self.run_top(66, self.work / "nosuch", words="No such file")
        self.run_top(66, self.work, words="not a regular file")
        self.file.write_bytes(b"")
        self.run_top(66, self.file, words="the file is empty")
        os.mkfifo(self.work / "pipe")
        self.run_top(66, self.work / "pipe", words="not a regular file")
        self.file.write_bytes(bytes(1 << 20))
        self.run_top(65, self.file, words="ram of a guest: ")

    def test_truncated_file(self):
        self.ram()
        for length in (1, 4095, 5 << 20, 17 << 20):
            os.truncate(self.file, length)
            self.run_top(65, "--once", self.file)
            self.ram()

    def test_text(self):
        self.ram()
        lines = self.run_top(0, "--once", self.file).splitlines()
        self.assertEqual(lines[0], f"{self.file}, 24 MiB")
        self.assertEqual(lines[1], "20 processes, 33 threads, 6 modules")
        self.assertEqual(lines[2].split(), "PID PPID UID S THRS CPU% TIME COMMAND".split())
        self.assertEqual(lines[3].split(), "112 106 1004 S 6 - 0:00.00 task-4".split())
        self.assertEqual(lines[-1].split(), ["24676", "mod_5"])
        self.assertEqual(self.run_top(0, self.file).splitlines(), lines)  # no terminal

    def test_json(self):
        self.ram(name="\x1b[2J\"\\\xff")  # the last character is UTF-8 of two bytes
        told = json.loads(self.run_top(0, "--json", self.file))
        self.assertEqual([*told], ["target", "bytes", "split", "seconds", "processes", "threads",
                                   "modules"])
        self.assertEqual((told["target"], told["bytes"], told["seconds"]),
                         (str(self.file), 24 << 20, None))
        processes = {row["pid"]: row for row in told["processes"]}
        self.assertEqual(processes[112], {
            "pid": 112, "ppid": 106, "uid": 1004, "gid": 2004, "state": "S", "threads": 6,
            "cpu_percent": None, "cpu_time_ps": 79035000, "is_new": None, "command": "task-4"})
        self.assertEqual(processes[106]["command"], "\x1b[2J\"\\\xff")
        self.assertEqual(len(processes), 20)
        self.assertIn({"pid": 112, "tid": 10114, "state": "D", "name": "worker-2"}, told["threads"])
        self.assertEqual(len(told["threads"]), 33)
        self.assertEqual([row["size"] for row in told["modules"]],
                         [4096, 8192, 12288, 16384, 20480, 24676])
        self.assertEqual(told["modules"][5]["name"], "mod_5")
        self.assertNotIn("\x1b", self.run_top(0, "--once", self.file))

    def test_name_that_is_not_utf_8(self):
        subprocess.run([os.fsencode(RAM), os.fsencode(self.file),
                        b"name=\xc3\xed\xa0\x80\xf5z"], check=True)
        told = json.loads(self.run_top(0, "--json", self.file))
        self.assertIn("\ufffd" * 5 + "z", [row["command"] for row in told["processes"]])

    def test_two_looks(self):
        self.ram()
        tool = subprocess.Popen([TOP, "--json", "--seconds", "2", self.file],
                                stdout=subprocess.PIPE)
        self.ram_between_looks(tool, tasks=21, modules=7, busy=500000000, pid=107)
        told = json.loads(tool.communicate(timeout=60)[0])
        self.assertEqual(tool.returncode, 0)
        self.assertGreaterEqual(told["seconds"], 2)
        first = told["processes"][0]
        self.assertEqual((first["pid"], first["is_new"]), (109, False))
        self.assertAlmostEqual(first["cpu_percent"], 50 / told["seconds"], delta=0.2)
        self.assertEqual(sorted(row["pid"] for row in told["processes"] if row["is_new"]),
                         [107, 163])
        self.assertEqual([row["name"] for row in told["modules"] if row["is_new"]], ["mod_6"])

    def test_target_of_the_environment(self):
        file = self.work / "ram"
        self.ram(file)
        text = f"03:00.0 side=dpu; 0b:00.0 side=host rep=03:00.0 ram={file}"
        lines = self.run_top(0, "--once", env={"DOCA_CORE_SW_TOPOLOGY": text}).splitlines()
        self.assertEqual(lines[0], "0000:0b:00.0")
        self.assertEqual(lines[1], "20 processes, 33 threads, 6 modules")
        self.run_top(65, file, env={"DOCA_CORE_SIDE": "host"}, words="DOCA_CORE_SIDE")
        text = "03:00.0 side=dpu; 0b:00.0 side=host rep=03:00.0"
        self.run_top(65, "--once", env={"DOCA_CORE_SW_TOPOLOGY": text}, words="0b:00.0: ")

    def test_output_that_cannot_be_written(self):
        self.ram()
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([TOP, "--once", self.file], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 74)
        self.assertIn(b"cannot write", done.stderr)


class Qemu(Case):
    """--qemu, with a process that has a command line like that of QEMU."""

    def start(self, *options):
        tool = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)", *options],
                                cwd=self.work)
        self.addCleanup(tool.wait)
        self.addCleanup(tool.kill)
        while b"time.sleep" not in pathlib.Path(f"/proc/{tool.pid}/cmdline").read_bytes():
            time.sleep(0.01)
        (self.work / "pid").write_text(f"{tool.pid}\n")
        return tool

    def told(self, file="pid", *more):
        return json.loads(self.run_top(0, "--json", *more, "--qemu", self.work / file))

    def test_options(self):
        self.ram()
        self.start("-M", "q35,memory-backend=ram", "-object",
                   f"memory-backend-file,id=ram,size=24M,mem-path={self.file},share=on")
        self.assertEqual((self.told()["target"], self.told()["split"]), (str(self.file), 0))
        self.assertEqual(self.told(self.file.name)["bytes"], 24 << 20)

    def test_options_of_other_forms(self):
        self.ram(file=self.work / "a,b")
        self.start("-object", "memory-backend-file,id=ram,mem-path=a,,b,share=on,size=25165824")
        self.assertEqual(self.told()["bytes"], 24 << 20)
        self.assertEqual(self.told("a,b")["bytes"], 24 << 20)
        self.ram()
        self.start("-object", json.dumps({"qom-type": "memory-backend-file", "id": "pc.ram",
                                          "mem-path": str(self.file), "share": True,
                                          "size": 24 << 20}))
        self.assertEqual(self.told()["target"], str(self.file))

    def test_split_of_q35(self):
        self.ram()
        option = f"memory-backend-file,id=ram,mem-path={self.file},share=on,size="
        for size, machine, split in (("3G", "q35", 2 << 30), ("2816M", "pc-q35-7.2", 2 << 30),
                                     ("2815M", "type=q35", 0), ("2G", "pc", 0)):
            os.truncate(self.file, 3 << 30)  # a hole
            self.start("-machine", f"{machine},memory-backend=ram", "--object", option + size)
            self.assertEqual(self.told()["split"], split, size)
        self.start("-object", option + "3G")
        self.run_top(64, "--json", "--qemu", self.work / "pid", words="give --split")
        self.assertEqual(self.told("pid", "--split", "3G")["split"], 3 << 30)

    def test_what_cannot_be_read(self):
        self.ram()
        option = f"memory-backend-file,id=ram,mem-path={self.file},size="
        self.start("-object", option + "24M")
        self.run_top(66, "--qemu", self.work / "pid", words="share=on")
        self.start("-object", option + "32M,share=on", "-M", "q35")
        self.run_top(66, "--qemu", self.work / "pid", words="truncated")
        self.start("-m", "24M")
        self.run_top(66, "--qemu", self.work / "pid", words="no file of memory")
        self.run_top(66, "--qemu", self.work / "nosuch", words="No such file")
        (self.work / "text").write_text("12x\n")
        self.run_top(66, "--qemu", self.work / "text", words="neither a pid file nor")
        (self.work / "pid").write_text("99999999\n")
        self.run_top(69, "--qemu", self.work / "pid", words="no process 99999999")

    def test_end(self):
        self.ram()
        tool = self.start("-object",
                          f"memory-backend-file,id=ram,size=24M,mem-path={self.file},share=on")
        view = self.view("--seconds", "0.1", "--qemu", self.work / "pid")
        view.wait_for("20 processes")
        tool.kill()
        tool.wait()
        status, said = view.end()
        self.assertEqual(status, 69, said)
        self.assertIn("the target ended: QEMU's process", said)
        self.assertTrue(view.is_restored())


class View(Case):
    def setUp(self):
        super().setUp()
        self.ram()

    def test_q_restores_the_terminal(self):
        view = self.view("--seconds", "0.2", self.file)
        lines = view.wait_for("20 processes")
        self.assertEqual(len(lines), 24)
        self.assertIn(f"every 0.20 s: {self.file}"[:20], lines[0])
        self.assertEqual(lines[2].split(), "PID PPID UID S THRS CPU% TIME COMMAND".split())
        self.assertIn("task-4", lines[3])
        self.assertIn("q quit", lines[-1])
        self.assertNotEqual(termios.tcgetattr(view.other), view.modes)
        view.press("q")
        self.assertEqual(view.end(), (0, ""))
        self.assertTrue(view.is_restored(), view.output[-80:])

    def test_signals_restore_the_terminal(self):
        for number, by_key in ((signal.SIGINT, True), (signal.SIGINT, False),
                               (signal.SIGTERM, False), (signal.SIGHUP, False),
                               (signal.SIGQUIT, False)):
            view = self.view("--seconds", "0.05", self.file)
            view.wait_for("20 processes")
            if by_key:
                view.press("\x03")
            else:
                view.process.send_signal(number)
            self.assertEqual(view.end(), (-number, ""))
            self.assertTrue(view.is_restored(), view.output[-80:])

    def test_stop_gives_the_terminal_back(self):
        view = self.view("--seconds", "0.2", self.file)
        view.wait_for("20 processes")
        view.process.send_signal(signal.SIGTSTP)
        for _ in range(500):
            if os.waitid(os.P_PID, view.process.pid, os.WSTOPPED | os.WNOHANG) is not None:
                break
            time.sleep(0.02)
        else:
            self.fail("it did not stop")
        view.read()
        self.assertTrue(view.is_restored(), view.output[-80:])
        view.output = b""
        view.process.send_signal(signal.SIGCONT)
        view.wait_for("20 processes")
        self.assertIn(ENTER, view.output)
        view.press("q")
        self.assertEqual(view.end()[0], 0)

    def test_what_is_new(self):
        view = self.view("--seconds", "1", self.file)
        view.wait_for("(0 new)")
        self.ram_between_looks(view.process, tasks=21, modules=7, busy=300000000)
        lines = view.wait_for("1 new: mod_6")
        self.assertIn("(1 new)", lines[1])
        self.assertEqual(lines[3].split()[0], "109")  # it has used the most CPU time
        self.assertEqual([line.split()[1] for line in lines if line.startswith("+")], ["163"])
        view.press("m")
        view.wait_for("MODULE")
        view.wait_for("(0 new)")

    def test_keys(self):
        view = self.view("--seconds", "100", self.file)
        view.wait_for("task-4")
        view.press("p")
        view.wait_for("     103       0", row=3)
        view.press("c")
        view.wait_for("task-4", row=3)
        view.press("t")
        self.assertIn("PID     TID S THREAD", view.wait_for("THREAD")[2])
        view.press("t")
        view.wait_for("COMMAND")
        view.press("\x1b[B")
        time.sleep(0.1)
        view.press("t")
        lines = view.wait_for("(of process 112)")
        self.assertEqual(sum("worker-" in line for line in lines), 5)
        self.assertEqual(sum("task-" in line for line in lines), 1)
        view.press("m")
        view.wait_for("mod_5")
        view.press("m\x1b[6~\x1b[6~\x1b[Ax\x1b")
        view.wait_for("COMMAND")
        self.assertIsNone(view.process.poll())

    def test_sizes(self):
        view = self.view("--seconds", "100", self.file, size=(8, 40))
        lines = view.wait_for("PID   CPU% COMMAND")
        self.assertEqual(len(lines), 8)
        for rows, columns in ((30, 120), (5, 20), (4, 10), (1, 1), (2, 300), (24, 62)):
            view.output = b""
            view.resize(rows, columns)
            view.wait_for("apsh-top"[:columns])
            time.sleep(0.05)
            view.read()
            lines = view.lines()
            self.assertEqual(len(lines), rows)
            self.assertLessEqual(max(map(len, lines)), columns, lines)
        view.press("q")
        self.assertEqual(view.end()[0], 0)

    def test_a_frame_is_one_write(self):
        view = self.view("--seconds", "0.05", self.file)
        view.wait_for("20 processes")
        frame = view.output.split(b"\x1b[H")[-1]
        self.assertNotIn(b"\x1b[2J", frame)
        if shutil.which("strace") is None:
            self.skipTest("strace is not installed")
        trace = self.work / "trace"
        view = Terminal(["strace", "-o", trace, "-e", "trace=write", TOP, "--seconds", "0.05",
                         self.file])
        self.addCleanup(view.close)
        view.wait_for("20 processes")
        time.sleep(0.5)
        view.press("q")
        view.end()
        frames = [line for line in trace.read_text().splitlines() if 'write(1, "' in line]
        self.assertGreater(len(frames), 3)
        for line in frames[1:-1]:  # between ENTER and LEAVE
            self.assertIn('write(1, "\\33[H', line)

    def test_file_that_ends(self):
        view = self.view("--seconds", "0.1", self.file)
        view.wait_for("20 processes")
        self.file.unlink()
        status, said = view.end()
        self.assertEqual((status, said.count("\n")), (69, 1), said)
        self.assertIn("the file was removed", said)
        self.assertTrue(view.is_restored())
        self.ram()
        view = self.view("--seconds", "0.1", self.file)
        view.wait_for("20 processes")
        os.truncate(self.file, 8192)
        status, said = view.end()
        self.assertEqual((status, said.count("\n")), (66, 1), said)
        self.assertIn("truncated to 8192 bytes", said)
        self.assertTrue(view.is_restored())

    def test_target_that_restarts(self):
        view = self.view("--seconds", "0.1", self.file)
        view.wait_for("20 processes")
        with open(self.file, "r+b") as file:  # the memory of a machine that boots
            file.write(bytes(24 << 20))
        view.wait_for("doca_")  # the reason, in the last line
        self.ram(tasks=15, modules=3, kaslr=0x10000000)
        view.wait_for("15 processes")
        view.wait_for("q quit")

    def test_terminal_of_another_session(self):
        view = self.view("--seconds", "0.2", self.file, keys=False)
        view.wait_for("20 processes")
        view.press("m")
        view.wait_for("MODULE")
        view.press("\x03")
        self.assertEqual(view.end(), (-signal.SIGINT, ""))
        self.assertTrue(view.is_restored())

    def test_dumb_terminal(self):
        view = self.view(self.file, env={"TERM": "dumb"})
        self.assertEqual(view.end(), (0, ""))
        self.assertIn(b"mod_5", view.output)
        self.assertNotIn(b"\x1b", view.output)


class Launcher(Case):
    """tools/apsh-top compiles the program on its first use, here of a copy of the tree."""

    def test_first_use(self):
        if os.environ.get("DOCA_TEST_COMPILED") != "1":
            self.skipTest("compiles for ten seconds: set DOCA_TEST_COMPILED=1")
        tree = self.work / "tree"
        for name in ("doca_core.h", "tools/compat/doca_core_apsh.h", "tools/apsh-top",
                     "tools/apsh_top.c", "tools/apsh_top", "tools/common.sh"):
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).symlink_to(ROOT / name)
        (tree / "tools/apsh-top").unlink()
        shutil.copy(ROOT / "tools/apsh-top", tree / "tools/apsh-top")
        self.ram()
        env = {name: value for name, value in os.environ.items() if name not in ("CC", "CFLAGS")}
        for _ in range(2):
            done = subprocess.run([tree / "tools/apsh-top", "--once", self.file], env=env,
                                  capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("20 processes", done.stdout)
            (tree / "build/apsh-top").stat()

    def test_no_compiler(self):
        tree = self.work / "tree" / "tools"
        tree.mkdir(parents=True)
        for name in ("apsh-top", "common.sh"):
            shutil.copy(ROOT / "tools" / name, tree / name)
        done = subprocess.run([tree / "apsh-top", "--help"], capture_output=True, text=True,
                              env={**os.environ, "CC": "no-such-compiler"})
        self.assertEqual(done.returncode, 77, done.stderr)
        self.assertIn("missing: a C compiler", done.stderr)


class Example(Case):
    def test_new_process(self):
        if EXAMPLE is None:
            self.skipTest("the examples are not built")
        file = self.work / "ram"
        self.ram(file)
        tool = subprocess.Popen([EXAMPLE, file], stdout=subprocess.PIPE, text=True)
        self.assertEqual(tool.stdout.readline(), "the host runs 20 processes\n")
        self.ram_between_looks(tool, file=file, tasks=21)
        self.assertEqual(tool.communicate(timeout=60)[0],
                         "new: task-21, pid 163, of user 1021, parent 130\n")
        self.assertEqual(tool.returncode, 0)


def main():
    global TOP, RAM, EXAMPLE
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    TOP, RAM = (os.path.abspath(path) for path in sys.argv[1:3])
    EXAMPLE = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
    unittest.main(argv=[sys.argv[0], "-v"])


if __name__ == "__main__":
    main()
