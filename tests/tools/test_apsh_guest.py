#!/usr/bin/env python3
"""Tests of tools/apsh-guest, and of App Shield on a kernel of Debian.
    test_apsh_guest.py tool               the tool, with a QEMU that is a script
    test_apsh_guest.py guest LIST TARGET  what LIST (apsh_list.c) prints of the memory of guests is
                                          what their own /proc tells; TARGET (apsh_target.c) runs in
                                          the guests. 77 when QEMU or the guest's image is missing;
                                          with DOCA_TEST_DOWNLOAD=1 the image may be downloaded
    test_apsh_guest.py load FORKS SNAPSHOTS
                                          SNAPSHOTS (apsh_snapshots.c) reads the lists of a guest
                                          that runs, in which FORKS (apsh_forks.c) forks without
                                          pause. 77 as above
    test_apsh_guest.py beside LIST TARGET KASLR LEVELS   the comparison for one guest: a COMMAND of
                                          the tool. The pages of TARGET in the guest are compared
                                          with its files as well"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "apsh-guest"
sys.path.insert(0, str(ROOT / "tools"))
from rxe_guest import image  # noqa: E402

# $FAKE is Python code; `place` has the files of the ports, and `put` writes one.
QEMU = f"""#!{sys.executable}
import os, re, sys, time
place = dict(re.findall(r"file,id=(\\w+),path=(\\S+)", " ".join(sys.argv)))
console = sys.argv[sys.argv.index("-serial") + 1][len("file:"):]
def put(name, text):
    with open(place[name], "w") as file:
        file.write(text)
here = os.path.dirname(sys.argv[0])
open(here + "/pid", "w").write(str(os.getpid()))
open(here + "/arguments", "w").write(repr(sys.argv))
exec(os.environ["FAKE"])
"""
GOOD = "put('btf', 'B'); put('truth', 'process 1 0 0 0 1 init\\nend\\n'); time.sleep(100)"


def state_of(pid):
    """Return the state letter of a process, or "X" when the process does not exist."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0]
    except OSError:
        return "X"


class Tool(unittest.TestCase):
    def setUp(self):
        self.work = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.work, ignore_errors=True)
        self.bin = self.work / "bin"
        self.bin.mkdir()
        for name in ("sh", "cat", "true", "sleep", "test", "cut"):
            (self.bin / name).symlink_to(shutil.which(name))
        self.qemu = self.bin / "qemu-system-x86_64"
        self.qemu.write_text(QEMU)
        self.qemu.chmod(0o755)
        self.temporary = self.work / "tmp"
        self.temporary.mkdir()
        self.env = {"PATH": str(self.bin), "XDG_CACHE_HOME": str(self.work / "cache"), "HOME": "/",
                    "TMPDIR": str(self.temporary), "FAKE": GOOD}
        os.environ["XDG_CACHE_HOME"] = self.env["XDG_CACHE_HOME"]
        cache = image.Cache()
        folder = cache.root / f"linux{cache.suffix}"
        folder.mkdir(parents=True)
        for name in ("kernel", "vmlinuz", "base.cpio"):
            (folder / name).write_bytes(name.encode())

    def run_tool(self, status, *arguments, lines=None, words=""):
        done = subprocess.run([sys.executable, "-B", TOOL, *map(str, arguments)], env=self.env,
                              cwd=self.work, text=True, capture_output=True, timeout=60,
                              stdin=subprocess.DEVNULL)
        said = f"{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        self.assertEqual(done.returncode, status, said)
        if lines is not None:
            self.assertEqual(len(done.stderr.splitlines()), lines, said)
        self.assertIn(words, done.stderr)
        self.assertEqual(list(self.temporary.iterdir()), [])
        if (self.bin / "pid").exists():
            self.assertIn(state_of((self.bin / "pid").read_text()), "XZ")
        return done

    def arguments(self):
        return eval((self.bin / "arguments").read_text())  # a list that our QEMU wrote

    def test_arguments(self):
        self.assertTrue(self.run_tool(0, "--help", lines=0).stdout.startswith("usage: tools/apsh-"))
        for wrong in (["--nosuch"], ["--levels", "3"], ["--levels", "6"], ["--memory", "100"],
                      ["--cpus", "0"], ["--seconds", "x"], ["--run"]):
            self.run_tool(64, *wrong, lines=1, words="try --help")
        self.run_tool(66, "--run", "nosuch", lines=1, words="--run nosuch")
        self.run_tool(127, "nosuch", lines=1, words="nosuch is not there")
        (self.work / "file").write_text("")
        self.run_tool(126, "./file", lines=1, words="not executable")

    def test_missing_pieces(self):
        shutil.rmtree(self.work / "cache")
        self.run_tool(77, "--no-download", "true", lines=1, words="missing: ")
        self.qemu.unlink()
        self.run_tool(77, "true", lines=1, words="missing: qemu-system-x86_64; supply it with")

    def test_truth(self):
        done = self.run_tool(0, lines=0)
        self.assertEqual(done.stdout, "process 1 0 0 0 1 init\nend\n")

    def test_command(self):
        done = self.run_tool(9, "--", "sh", "-c", "cat $APSH_TRUTH $APSH_BTF; "
                             "echo; echo $DOCA_CORE_SW_TOPOLOGY; echo $APSH_RAM; exit 9", lines=0)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[2], "B")
        self.assertEqual(lines[3], "03:00.0 side=dpu; 0b:00.0 side=host rep=03:00.0 "
                         f"ram={lines[4]}")
        arguments = self.arguments()
        self.assertIn(f"memory-backend-file,id=ram,size=256M,mem-path={lines[4]},share=on",
                      arguments)
        self.assertEqual(arguments[arguments.index("-cpu") + 1], "max")
        self.assertNotIn("nokaslr", arguments[-1])
        self.run_tool(137, "sh", "-c", "kill -9 $$", lines=0)

    def test_options(self):
        done = self.run_tool(0, "--memory", "3072", "--levels", "4", "--no-kaslr", "--cpus", "1",
                             "--append", "more words", "--run", "true", "sh", "-c",
                             "echo $DOCA_CORE_SW_TOPOLOGY", lines=0)
        self.assertTrue(done.stdout.endswith(" ram_split=2147483648\n"))
        arguments = self.arguments()
        self.assertEqual(arguments[arguments.index("-cpu") + 1], "max,la57=off")
        self.assertEqual(arguments[arguments.index("-smp") + 1], "1")
        self.assertTrue(arguments[-1].endswith(" nokaslr more words"))
        done = self.run_tool(0, "--memory", "2815", "sh", "-c", "echo $DOCA_CORE_SW_TOPOLOGY")
        self.assertNotIn("ram_split", done.stdout)

    def test_guest_is_stopped_meanwhile(self):
        script = f"cut -d' ' -f3 /proc/$(cat {self.bin}/pid)/stat"
        self.assertEqual(self.run_tool(0, "sh", "-c", script).stdout, "T\n")
        self.assertIn(self.run_tool(0, "--running", "sh", "-c", script).stdout, ("S\n", "R\n"))

    def test_guest_that_fails(self):
        self.env["FAKE"] = "open(console, 'w').write('panic\\n'); sys.exit('qemu: no')"
        done = self.run_tool(125, "true", words="QEMU's status is 1")
        self.assertIn("  | panic\n", done.stderr)
        self.assertIn("  | qemu: no\n", done.stderr)
        self.env["FAKE"] = "put('truth', 'process 1\\n'); time.sleep(100)"
        self.run_tool(124, "--seconds", "1", "true", lines=1, words="did not tell all within 1 s")
        self.env["FAKE"] = GOOD
        self.run_tool(124, "--seconds", "1", "sleep", "100", lines=1, words="no end of")

    def test_interrupt(self):
        tool = subprocess.Popen([sys.executable, "-B", TOOL, "sleep", "100"], env=self.env,
                                stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
        for _ in range(400):
            if (self.bin / "pid").exists() and (self.bin / "pid").read_text():
                break
            time.sleep(0.05)
        tool.send_signal(signal.SIGINT)
        said = tool.communicate(timeout=30)[1]
        self.assertEqual(tool.returncode, 130, said)
        self.assertEqual(said, "")
        self.assertEqual(list(self.temporary.iterdir()), [])


# ---- the comparison for one guest

def rows(text, kind):
    """Return the fields of all lines of one kind. The last field may contain blanks."""
    parts = {"process": 6, "thread": 3, "module": 2, "area": 5}[kind]
    return [(line + " ").split(" ", parts)[1:] for line in text.splitlines()
            if line.startswith(kind + " ")]


def is_name(found, told):
    """/proc may extend the name of a kernel thread, which has only 15 characters in memory."""
    return found == told or found == told[:15] or (
        found.startswith("kworker") and told.startswith(found))


def differences(found, told):
    """Return a line for each entry of two {key: fields} that only one of them has, or that differs.
    Workers of the kernel are left out, because they come and go. The last field is a name."""
    lines = []
    for key in sorted({*found, *told}):
        a, b = found.get(key), told.get(key)
        if a is None or b is None:
            if not (a or b)[-1].startswith("kworker"):
                lines.append(f"{key}: library {a}, guest {b}")
        elif a[:-1] != b[:-1] or not is_name(a[-1], b[-1]):
            lines.append(f"{key}: library {a}, guest {b}")
    return lines


def compare(printed, truth):
    """Compare the lists of the library with /proc. Returns the differences and the numbers of
    items."""
    def table(text, kind, num_keys, fields):
        return {tuple(row[:num_keys]): [row[i].strip() for i in fields]
                for row in rows(text, kind)}
    wrong, counts = [], []
    # the field before the name of a process is its number of threads, which the library lacks
    kinds = [("process", 1, (0, 1, 2, 3, 5), "processes"), ("thread", 2, (0, 1, 2), "threads"),
             ("module", 1, (0, 1, 0), "modules")]
    for kind, num_keys, fields, name in kinds:
        if f"without {name}\n" in printed:
            continue
        found, told = table(printed, kind, num_keys, fields), table(truth, kind, num_keys, fields)
        wrong += [f"{name}: {line}" for line in differences(found, told)]
        counts.append(f"{len(found)} {name}")
    if "without areas\n" not in printed:
        # the paths of areas without a file ([heap]) are not in the memory
        def areas(text):
            return {(row[0], row[1]): [row[2], re.sub(r"^\[.*", "", row[4].strip())]
                    for row in rows(text, "area")}
        found, told = areas(printed), areas(truth)
        wrong += [f"areas: {line}" for line in differences(found, told)]
        counts.append(f"{len(found)} areas")
    return wrong, counts


def has_five_levels(path):
    """Return the text of the note for crash dumps in the guest's memory."""
    with open(path, "rb") as file:
        while data := file.read(1 << 20):
            if found := re.search(rb"NUMBER\(pgtable_l5_enabled\)=([01])", data):
                return found[1] == b"1"
    return None


def files_of(program):
    """A program and its libraries, as the tool copies them to the guest."""
    said = subprocess.run(["ldd", program], capture_output=True, text=True).stdout
    return [pathlib.Path(program), *(pathlib.Path(name).resolve() for name in
                                     re.findall(r"(/\S+) \(0x", said))]


def attest(program, target, truth, folder):
    """Check that the pages of TARGET in the guest match its files, and do not match altered files.
    Returns the errors, and the number of pages."""
    files = files_of(target)
    name = pathlib.Path(target).name[:15]
    pids = [row[0] for row in rows(truth, "process") if row[5].strip() == name]
    wrong, pages = [], 0
    for is_altered in (False, True):
        with zipfile.ZipFile(folder / "hash.zip", "w", zipfile.ZIP_DEFLATED) as bundle:
            for path in files:
                data = bytearray(path.read_bytes())
                if is_altered:
                    data[100::4096] = bytes(255 - byte for byte in data[100::4096])
                bundle.writestr(path.name, bytes(data))
        done = subprocess.run([program, "-", "-", "-", folder / "hash.zip"], capture_output=True,
                              text=True)
        found = [line.split(" ", 6)[1:] for line in done.stdout.splitlines()
                 if line.startswith("attestation ")]
        found = [row for row in found if row[0] in pids]
        vdso = [row for row in found if row[5] == "[vdso]" and row[3:5] == ["0", "0"]]
        found = [row for row in found if row not in vdso]
        if done.returncode != 0 or len(found) < 2 or len(vdso) != 1:
            wrong += [f"attestation of {pids}: {found}", *done.stderr.splitlines()[-3:]]
        for _, number, present, equal, has_data, path in found:
            good = has_data == "1" and 0 < int(present) <= int(number) and \
                int(equal) == (0 if is_altered else int(present))
            wrong += [] if good else [f"attestation: {path}: {number} {present} {equal} {has_data}"]
            pages += int(equal)
    return wrong, pages


def beside(program, target, kaslr, levels):
    env = os.environ
    print(f"{kaslr}, {levels} levels, {os.path.getsize(env['APSH_RAM']) >> 20} MiB:", flush=True)
    kallsyms = pathlib.Path(env["APSH_KALLSYMS"]).read_text()
    is_linked = "ffffffff81000000 T _text\n" in kallsyms
    wrong = [] if is_linked == (kaslr == "no-kaslr") else ["KASLR is not as it was chosen"]
    if has_five_levels(env["APSH_RAM"]) != (levels == "5"):
        wrong.append("the levels of page tables are not as they were chosen")
    folder = pathlib.Path(env["APSH_TRUTH"]).parent / "files"
    made = subprocess.run([sys.executable, "-B", ROOT / "tools" / "apsh-config", "--btf",
                           env["APSH_BTF"], "--kallsyms", env["APSH_KALLSYMS"], "--iomem",
                           env["APSH_IOMEM"], "--version", env["APSH_VERSION"], "-o", folder],
                          capture_output=True, text=True)
    wrong += made.stderr.splitlines()
    truth = pathlib.Path(env["APSH_TRUTH"]).read_text()
    files = [str(folder / name) for name in ("symbols.json", "mem_regions.json", "kpgd_file.conf")]
    reads = []
    for arguments in ([], files, [str(folder)]):
        done = subprocess.run([program, *arguments], capture_output=True, text=True)
        if done.returncode != 0 or re.search("doca_apsh_system_start", done.stderr):
            wrong += [f"{arguments}: {line}" for line in done.stderr.splitlines()[-3:]]
            continue
        lines, counts = compare(done.stdout, truth)
        wrong += [f"{arguments}: {line}" for line in lines]
        reads.append(int(re.match("reads ([0-9]+)\n", done.stdout)[1]))
    # symbols and types take some 6,000 reads; where the search begins to be long depends on KASLR
    if len(reads) == 3 and reads[1] > 10000:
        wrong.append(f"the memory was searched beside the page directory file: {reads} reads")
    lines, pages = attest(program, target, truth, folder)
    wrong += lines
    for line in wrong[:20]:
        print(f"  {line}")
    if not wrong:
        counts.append(f"{pages} executable pages")
        print(f"  the same: {', '.join(counts)}; {reads} reads of the start")
    return 1 if wrong else 0


# ---- guests

def available_mib():
    found = re.search(r"^MemAvailable: *([0-9]+) kB", pathlib.Path("/proc/meminfo").read_text(),
                      re.M)
    return int(found[1]) >> 10 if found else 0


def download_options():
    return [] if os.environ.get("DOCA_TEST_DOWNLOAD") == "1" else ["--no-download"]


def guests(program, target):
    choices = [("kaslr", "5", "256"), ("kaslr", "4", "512"), ("no-kaslr", "5", "256"),
               ("no-kaslr", "4", "256"), ("kaslr", "5", "3072")]
    status = 0
    for kaslr, levels, memory in choices:
        if int(memory) > 1024 and available_mib() < 6144:
            print(f"a guest of {memory} MiB is left out: less than 6 GiB of memory are available")
            continue
        options = ["--levels", levels, "--memory", memory, "--seconds", "300", "--run", target,
                   *download_options(), *(["--no-kaslr"] if kaslr == "no-kaslr" else [])]
        done = subprocess.run([sys.executable, "-B", TOOL, *options, "--", sys.executable, "-B",
                               __file__, "beside", program, target, kaslr, levels])
        if done.returncode == 77:
            return 77
        status = status or done.returncode
    return status


def load(forks, snapshots):
    done = subprocess.run([sys.executable, "-B", TOOL, "--running", "--seconds", "300", "--run",
                           forks, *download_options(), "--", snapshots])
    return done.returncode


def main():
    arguments = sys.argv[1:]
    if arguments == ["tool"]:
        unittest.main(argv=[sys.argv[0], "Tool"])
    if len(arguments) == 5 and arguments[0] == "beside":
        sys.exit(beside(*arguments[1:]))
    if len(arguments) == 3 and arguments[0] == "guest":
        sys.exit(guests(*arguments[1:]))
    if len(arguments) == 3 and arguments[0] == "load":
        sys.exit(load(*arguments[1:]))
    sys.exit(f"usage: {sys.argv[0]} tool | guest LIST TARGET | load FORKS SNAPSHOTS | "
             "beside LIST TARGET KASLR LEVELS")


if __name__ == "__main__":
    main()
