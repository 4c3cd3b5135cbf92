#!/usr/bin/env python3
"""Tests of tools/rxe-guest. `test_rxe_guest.py tool` replaces QEMU, apt and dpkg-deb by scripts,
and runs on any machine. `test_rxe_guest.py guest PROBE` uses the real programs. If QEMU or the
guest's image is not installed, the exit status is 77; with DOCA_TEST_DOWNLOAD=1 it may download the
image. `test_rxe_guest.py image` only makes the image, for other tests that run in the guest."""
import io
import lzma
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "rxe-guest"
sys.path.insert(0, str(ROOT / "tools"))
from rxe_guest import image  # noqa: E402

# A script in place of QEMU: it runs the Python code in $FAKE, which writes the output of a guest.
# `port` has the guest's serial ports, `initrd` the bytes of the initrd, and `side` is the side of a
# guest of a pair, "" without a pair.
QEMU = f"""#!{sys.executable}
import os, re, sys, time
port = dict(re.findall(r"socket,id=(\\w+),fd=(\\d+)", " ".join(sys.argv)))
port = {{name: open(int(fd), "wb", buffering=0) for name, fd in port.items()}}
initrd = open(sys.argv[sys.argv.index("-initrd") + 1], "rb").read()
here = os.path.dirname(sys.argv[0])
side = "".join(re.findall(r"DOCA_CORE_GUEST_SIDE=(\\d)", sys.argv[-1]))
open(here + "/pid" + side, "w").write(str(os.getpid()))
open(here + "/arguments" + side, "w").write(repr(sys.argv))
exec(os.environ["FAKE"])
"""

# A script in place of apt-cache, apt-get and dpkg-deb: it appends its name and arguments to the
# file `commands`, and prints files of its folder.
APT = r"""#!/bin/sh
here=$(dirname "$0")
name=$(basename "$0")
echo "$name $*" >>"$here/commands"
case "$name $*" in
*--print-uris*) cat "$here/uris" ;;
"apt-cache depends"*) cat "$here/depends" ;;
"apt-cache pkgnames"*) echo iproute2 ;;
apt-get*)
    [ ! -s "$here/error" ] || { cat "$here/error" >&2; exit 100; }
    cut -d' ' -f2 "$here/uris" | while read -r file; do
        [ ! -e "$here/debs/$file" ] || cp "$here/debs/$file" .
    done ;;
dpkg-deb*) cat "$2" ;; # the packages of this test are plain tar archives
esac
"""


def executable(path, text):
    path.write_text(text)
    path.chmod(0o755)


def files_of(archives):
    """Return {name: (mode, contents)} of concatenated cpio archives. A later file replaces an
    earlier file of the same name, as in the kernel."""
    files, at = {}, 0
    while at < len(archives):
        assert archives[at:at + 6] == b"070701", archives[at:at + 20]
        fields = [int(archives[at + i:at + i + 8], 16) for i in range(6, 110, 8)]
        mode, size, name_size = fields[1], fields[6], fields[11]
        name = archives[at + 110:at + 110 + name_size - 1].decode()
        data = at + (110 + name_size + 3) // 4 * 4
        at = data + (size + 3) // 4 * 4
        if name != "TRAILER!!!":
            files[name] = mode, archives[data:data + size]
    return files


def is_gone(pid):
    """Return whether the process ends within a second. A zombie process has ended."""
    for _ in range(100):
        try:
            text = pathlib.Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return True
        if text.rpartition(") ")[2][0] in "ZX":
            return True
        time.sleep(0.01)
    return False


class Case(unittest.TestCase):
    def setUp(self):
        self.work = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.work, ignore_errors=True)
        self.work.chmod(0o755)
        self.env = {**os.environ}

    def run_tool(self, status, *arguments, lines=None, python=sys.executable, **how):
        """Run the tool, and check its exit status and the number of lines on its standard error."""
        how = {"timeout": 120, "cwd": self.work, "env": self.env, "text": True,
               "errors": "surrogateescape", **how}
        done = subprocess.run([python, "-B", TOOL, *map(str, arguments)],
                              stdin=subprocess.DEVNULL, capture_output=True, **how)
        output = f"{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        self.assertEqual(done.returncode, status, output)
        if lines is not None:
            self.assertEqual(len(done.stderr.splitlines()), lines, output)
        return done


class Tool(Case):
    """Tests in which all programs that the tool runs are scripts."""

    def setUp(self):
        super().setUp()
        self.bin = self.work / "bin"
        self.bin.mkdir()
        for name in ("sh", "cat", "cut", "cp", "dirname", "basename", "sleep", "true"):
            (self.bin / name).symlink_to(shutil.which(name))
        executable(self.bin / "qemu-system-x86_64", QEMU)
        self.root = self.work / "root"
        self.root.mkdir()
        self.env = {"PATH": str(self.bin), "XDG_CACHE_HOME": str(self.work / "cache"),
                    "DOCA_TEST_RXE_ROOT": str(self.root), "HOME": str(self.work)}
        self.cache = self.work / "cache" / "doca_core" / "rxe-guest"

    def make_image(self):
        os.environ["XDG_CACHE_HOME"] = self.env["XDG_CACHE_HOME"]
        folder = self.cache / ("linux-image-1_1" + image.Cache().suffix)
        folder.mkdir(parents=True)
        (folder / "kernel").write_bytes(b"kernel")
        (folder / "base.cpio").write_bytes(image.cpio({"init": (0o100755, b"init of the image")}))
        return folder

    def guest(self, status, fake, *arguments, lines=None):
        if not self.cache.exists():
            self.make_image()
        self.env["FAKE"] = fake
        return self.run_tool(status, "--no-download", "--seconds", "20", *arguments, lines=lines)

    def make_apt(self):
        for name in ("apt-get", "apt-cache", "dpkg-deb"):
            executable(self.bin / name, APT)
        self.debs = self.bin / "debs"
        self.debs.mkdir()
        self.make_kernel("1")
        self.make_deb("iproute2_6_amd64.deb", {
            "./usr/bin/busybox": b"busybox", "./bin/ip": b"ip", "./usr/share/doc/ip": b"long",
            "./etc/libibverbs.d/rxe.driver": b"driver rxe",
            "./lib/x86_64-linux-gnu/libc.so.6": b"libc",
            "./lib64/ld-linux-x86-64.so.2": "/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"})

    def make_kernel(self, version):
        name = f"linux-image-{version}_{version}.0_amd64.deb"
        modules = f"./lib/modules/{version}/kernel/drivers"
        self.make_deb(name, {f"./boot/vmlinuz-{version}": bytes(0x250) + version.encode(),
                             f"{modules}/rdma_rxe.ko": b"rxe", f"{modules}/tg3.ko": b"tg3",
                             f"{modules}/veth.ko.xz": lzma.compress(b"veth" * 9999)})
        (self.bin / "depends").write_text(f"linux-image-amd64\n  Depends: linux-image-{version}\n")
        (self.bin / "uris").write_text(f"'http://x/iproute2' iproute2_6_amd64.deb 1 SHA256:0\n"
                                       f"'http://x/kernel' {name} 1 SHA256:0\n")

    def make_deb(self, name, files):
        with tarfile.open(self.debs / name, "w") as tar:
            for path, data in files.items():
                member = tarfile.TarInfo(path)
                member.mode = 0o755
                if isinstance(data, str):
                    member.type, member.linkname = tarfile.SYMTYPE, data
                else:
                    member.size = len(data)
                tar.addfile(member, None if isinstance(data, str) else io.BytesIO(data))

    def make_device(self, state="4: ACTIVE", node=True):
        for path, text in (("class/infiniband_verbs/uverbs0/ibdev", "mlx5_0\n"),
                           ("class/infiniband/mlx5_0/ports/1/state", state + "\n")):
            file = self.root / "sys" / path
            file.parent.mkdir(parents=True)
            file.write_text(text)
        if node:
            (self.root / "dev/infiniband").mkdir(parents=True)
            (self.root / "dev/infiniband/uverbs0").write_text("")

    # ---- arguments and missing programs

    def test_help(self):
        for option in ("-h", "--help"):
            done = self.run_tool(0, option, lines=0)
            for word in ("usage:", "--seconds", "--no-download", "77", "124", "125"):
                self.assertIn(word, done.stdout)
        for line in done.stdout.splitlines():
            self.assertLessEqual(len(line), 100)

    def test_wrong_arguments(self):
        for arguments in (["--secondes", "5"], ["-x"], ["--seconds"], ["--seconds", "0"],
                          ["--seconds", "x"], ["--seconds=99999999"], ["--guest", "--native"],
                          ["--cpus=65"], ["--build=1"], ["--sec", "5"], ["--pair"],
                          ["--pair", "--native", "true"], ["--dies=1", "true"],
                          ["--pair", "--dies=2", "true"]):
            done = self.run_tool(64, *arguments, lines=1)
            self.assertIn("--help", done.stderr)

    def test_missing_qemu_and_apt(self):
        done = self.run_tool(77, "true", lines=1)
        self.assertIn("apt-get", done.stderr)
        (self.bin / "qemu-system-x86_64").unlink()
        self.make_image()
        done = self.run_tool(77, "true", lines=1)
        self.assertIn("apt-get install --no-install-recommends qemu-system-x86", done.stderr)
        done = self.run_tool(77, "--native", "true", lines=1)
        self.assertIn("rdma link add", done.stderr)

    def test_missing_compiler_and_headers(self):
        done = self.run_tool(77, lines=1)
        self.assertIn("apt-get install gcc", done.stderr)
        executable(self.bin / "cc",
                   "#!/bin/sh\necho 'fatal error: infiniband/verbs.h: No such' >&2\nexit 1\n")
        done = self.run_tool(77, lines=1)
        self.assertIn("apt-get install libibverbs-dev", done.stderr)
        executable(self.bin / "cc", "#!/bin/sh\necho 'error: bad' >&2\nexit 1\n")
        self.assertIn("error: bad", self.run_tool(1, lines=1).stderr)
        self.assertEqual(list(self.cache.iterdir()), [])

    def test_missing_programs(self):
        (self.work / "text").write_text("text")
        self.guest(127, "", "nosuch", lines=1)
        self.guest(126, "", "./text", lines=1)
        self.guest(66, "", "--with", "nosuch", "true", lines=1)
        self.guest(66, "", "--with", "/proc/self/mem", "true", lines=1)

    # ---- the image

    def test_image_is_built_once(self):
        self.make_apt()
        made = pathlib.Path(self.run_tool(0, "--build", lines=0).stdout.strip())
        self.assertTrue(made.name.startswith("linux-image-1_1.0-"), made)
        self.assertEqual((made / "kernel").read_bytes(), bytes(0x250) + b"1")
        files = files_of((made / "base.cpio").read_bytes())
        self.assertEqual(files["usr/bin/ip"], (0o100755, b"ip"))
        self.assertEqual(files["lib"], (0o120777, b"usr/lib"))
        self.assertEqual(files["usr/lib/x86_64-linux-gnu/libc.so.6"][1], b"libc")
        self.assertEqual(files["usr/lib64/ld-linux-x86-64.so.2"],
                         (0o120777, b"/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"))
        self.assertNotIn("usr/share/doc/ip", files)
        modules = sorted(name for name in files if name.endswith(".ko"))
        self.assertEqual([name.split("-")[1] for name in modules], ["veth.ko", "rdma_rxe.ko"])
        self.assertEqual(files[modules[0]][1], b"veth" * 9999)
        self.assertEqual(stat.S_IFMT(files["usr/lib/rxe"][0]), stat.S_IFDIR)
        (self.bin / "commands").unlink()
        self.assertEqual(self.run_tool(0, "--build", lines=0).stdout.strip(), str(made))
        self.assertFalse((self.bin / "commands").exists())

    def test_kernel_in_two_packages(self):
        self.make_apt()
        self.make_deb("linux-binary-3_3.0_amd64.deb",
                      {"./usr/lib/modules/3/vmlinuz": bytes(0x250) + b"3"})
        self.make_deb("linux-modules-3_3.0_amd64.deb",
                      {"./usr/lib/modules/3/kernel/drivers/rdma_rxe.ko.xz": lzma.compress(b"rxe")})
        (self.bin / "depends").write_text("Depends: linux-image-3\nDepends: linux-binary-3\n"
                                          "Depends: linux-modules-3\n")
        (self.bin / "uris").write_text("".join(
            f"'http://x/{name}' {name} 1 SHA256:0\n" for name in (
                "iproute2_6_amd64.deb", "linux-modules-3_3.0_amd64.deb",
                "linux-binary-3_3.0_amd64.deb")))
        made = pathlib.Path(self.run_tool(0, "--build", lines=0).stdout.strip())
        self.assertEqual((made / "kernel").read_bytes(), bytes(0x250) + b"3")
        files = files_of((made / "base.cpio").read_bytes())
        self.assertEqual([data for name, (_, data) in files.items() if name.endswith(".ko")],
                         [b"rxe"])
        self.assertIn("usr/bin/ip", files)

    def age(self, made):
        os.utime(made, (1, 1))  # before the package lists of apt

    @unittest.skipUnless(os.path.exists("/var/lib/apt/lists"), "apt is not installed")
    def test_newer_kernel(self):
        self.make_apt()
        old = pathlib.Path(self.run_tool(0, "--build").stdout.strip())
        self.age(old)
        self.assertEqual(self.run_tool(0, "--build").stdout.strip(), str(old))
        self.assertGreater(old.stat().st_mtime, 1)
        self.make_kernel("2")
        self.age(old)
        (self.bin / "error").write_text("E: Failed to fetch http://x/kernel\n")
        self.assertEqual(self.run_tool(0, "--build").stdout.strip(), str(old))
        (self.bin / "error").unlink()
        self.assertEqual(self.run_tool(0, "--build", "--no-download").stdout.strip(), str(old))
        new = pathlib.Path(self.run_tool(0, "--build").stdout.strip())
        self.assertTrue(new.name.startswith("linux-image-2_2.0-"), new)
        self.assertFalse(old.exists())
        self.assertEqual(sorted(p.name for p in (self.cache / "packages").iterdir()),
                         ["iproute2_6_amd64.deb", "linux-image-2_2.0_amd64.deb"])

    def test_packages_cannot_be_downloaded(self):
        self.make_apt()
        self.assertIn("--build", self.run_tool(77, "--no-download", "true", lines=1).stderr)
        (self.bin / "error").write_text("E: Failed to fetch http://x/kernel\nE: more\n")
        done = self.run_tool(77, "true", lines=1)
        self.assertIn("Failed to fetch", done.stderr)
        self.assertIn("supply it with", done.stderr)
        (self.bin / "error").write_text("E: Write error - write (28: No space left on device)\n")
        self.assertIn("No space left", self.run_tool(73, "true", lines=1).stderr)
        (self.bin / "error").unlink()
        (self.bin / "depends").write_text("")
        self.assertIn("apt-get update", self.run_tool(77, "true", lines=1).stderr)
        self.make_kernel("1")
        self.make_deb("linux-image-1_1.0_amd64.deb", {"./boot/vmlinuz-1": bytes(0x250)})
        self.assertIn("rdma_rxe", self.run_tool(1, "true", lines=1).stderr)
        self.assertEqual(sorted(p.name for p in self.cache.iterdir()), ["lock", "packages"])

    def test_damaged_package(self):
        self.make_apt()
        for contents in (b"", b"not an archive" * 99):
            (self.debs / "iproute2_6_amd64.deb").write_bytes(contents)
            shutil.rmtree(self.cache, ignore_errors=True)
            self.assertIn("iproute2", self.run_tool(66, "true", lines=1).stderr)
            self.assertEqual(len(list(self.cache.glob("packages/*"))), 1)

    def test_cache_cannot_be_written(self):
        self.make_apt()
        (self.work / "file").write_text("")
        self.env["XDG_CACHE_HOME"] = str(self.work / "file")
        self.assertIn(str(self.work / "file"), self.run_tool(73, "true", lines=1).stderr)
        self.env["XDG_CACHE_HOME"] = str(self.work / "full")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (30000, 30000))  # noqa: E731
        done = self.run_tool(73, "true", lines=1, preexec_fn=limit)
        self.assertIn(str(self.work / "full"), done.stderr)
        self.assertIn("too large", done.stderr)
        self.assertEqual(list(self.work.glob("full/doca_core/rxe-guest/*image*")), [])

    # ---- the guest

    def test_status_and_output(self):
        for status in (0, 1, 7, 77, 124, 200, 255):
            done = self.guest(status, f"port['out'].write(b'to out\\n\\xff'); "
                              f"port['err'].write(b'to err'); print('console'); "
                              f"port['status'].write(b'{status}\\n')", "true", lines=1)
            self.assertEqual(done.stderr, "to err")
            self.assertEqual(done.stdout, "to out\n\udcff")
        done = self.guest(0, "print('console'); port['status'].write(b'0\\n')", "--verbose", "true")
        self.assertEqual(done.stderr, "console\n")

    def test_much_output(self):
        done = self.guest(0, "port['out'].write(b'x' * 3000000); port['status'].write(b'0\\n')",
                          "true")
        self.assertEqual(len(done.stdout), 3000000)

    def test_time_limit(self):
        begun = time.monotonic()
        done = self.guest(124, "print('slow', flush=True); time.sleep(100)", "--seconds=1", "true")
        self.assertLess(time.monotonic() - begun, 10)
        self.assertIn("within 1 s", done.stderr)
        self.assertIn("slow", done.stderr)
        self.assertTrue(is_gone((self.bin / "pid").read_text()))

    def test_guest_without_status(self):
        done = self.guest(125, "print('a\\nKernel panic: b\\n' + 'c\\n' * 40)", "true")
        self.assertIn("Kernel panic: b", done.stderr)
        self.assertLess(len(done.stderr.splitlines()), 25)
        for fake in ("sys.exit('qemu: bad option')", "port['status'].write(b'')",
                     "port['status'].write(b'0')", "port['status'].write(b'x\\n')"):
            self.guest(125, fake, "true")

    def test_signals_leave_no_process_and_no_file(self):
        self.make_image()
        self.env["FAKE"] = "time.sleep(100)"
        for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129),
                               (signal.SIGKILL, -9)):
            pid = self.bin / "pid"
            pid.unlink(missing_ok=True)
            with subprocess.Popen([sys.executable, "-B", TOOL, "true"], env=self.env, cwd=self.work,
                                  stderr=subprocess.PIPE) as tool:
                while not pid.exists() or not pid.read_text():
                    self.assertIsNone(tool.poll())
                    time.sleep(0.01)
                tool.send_signal(number)
                self.assertEqual(tool.wait(20), status)
                self.assertEqual(tool.stderr.read(), b"")
            self.assertTrue(is_gone(pid.read_text()), number)
        self.assertEqual(sorted(p.name for p in self.work.iterdir()), ["bin", "cache", "root"])

    def test_files_and_environment_in_the_guest(self):
        folder = self.work / "a folder" / "in it"
        folder.mkdir(parents=True)
        (folder / "data").write_bytes(b"1234567")
        (self.work / "an argument").write_text("text")
        executable(self.work / "script", "#!/bin/sh\n")
        self.env.update(DOCA_X="it's", ASAN_OPTIONS="a=b", OTHER="no")
        self.guest(0, "open('initrd', 'wb').write(initrd); port['status'].write(b'0\\n')", "--with",
                   "a folder", "--with", "true", "--cpus=2", "--memory=300", "--append",
                   "more words", "--", "./script", "an argument", "--cpus", "$(no)", "")
        files = files_of((self.work / "initrd").read_bytes())
        here = str(self.work).lstrip("/")
        self.assertEqual(files[f"{here}/a folder/in it/data"][1], b"1234567")
        self.assertEqual(files[f"{here}/an argument"][1], b"text")
        self.assertEqual(files[f"{here}/script"][0], 0o100755)
        self.assertEqual(files["usr/bin/sh"][1][:4], b"\x7fELF")
        self.assertTrue(any(name.endswith("libc.so.6") for name in files))
        self.assertTrue(any("ld-linux" in name for name in files))
        self.assertIn(f"{here}/bin/true", files)
        self.assertIn(b"/rxe/command", files["init"][1])  # replaces the init of the image
        lines = files["rxe/command"][1].decode().splitlines()
        self.assertIn("export DOCA_X=" + shlex.quote("it's"), lines)
        self.assertIn("export ASAN_OPTIONS=a=b", lines)
        self.assertFalse([line for line in lines if "OTHER" in line])
        self.assertEqual(shlex.split(lines[-1]), ["exec", f"{self.work}/script", "an argument",
                                                  "--cpus", "$(no)", ""])
        arguments = eval((self.bin / "arguments").read_text())  # written by the fake QEMU
        self.assertTrue(arguments[-1].endswith(" more words"), arguments)
        self.assertEqual(arguments[arguments.index("-smp") + 1], "2")
        self.assertEqual(arguments[arguments.index("-m") + 1], "300M")

    # ---- two guests

    def pair(self, status, fakes, *arguments, lines=None):
        """Run the tool with a pair whose sides run these two pieces of Python."""
        done = self.guest(status, f"exec({fakes!r}[int(side)]); time.sleep(100)", "--pair",
                          *arguments, lines=lines)
        for side in "01":
            self.assertTrue(is_gone((self.bin / f"pid{side}").read_text()), side)
        return done

    def test_pair_shows_the_output_of_both_sides(self):
        done = self.pair(0, ["port['out'].write(b'a\\nb'); port['err'].write(b'c'); "
                             "port['status'].write(b'0\\n')",
                             "port['out'].write(b'x'); time.sleep(0.5); "
                             "port['out'].write(b'y\\n\\nz\\xff\\n'); "
                             "port['status'].write(b'0\\n')"], "true")
        self.assertEqual(sorted(done.stdout.splitlines()),
                         ["0: a", "0: b", "1: ", "1: xy", "1: z\udcff"])
        self.assertEqual(done.stderr, "0: c\n")
        done = self.pair(0, ["port['out'].write(b'x' * 1000000); port['status'].write(b'0\\n')",
                             "port['status'].write(b'0\\n')"], "true")
        self.assertEqual(done.stdout.count("x"), 1000000)

    def test_pair_has_the_status_of_the_side_that_fails_first(self):
        ends = "port['status'].write(b'{}\\n')".format
        later = "time.sleep(1); "
        for status, sides in ((5, [later + ends(7), ends(5)]), (7, [ends(7), later + ends(5)]),
                              (5, [ends(0), later + ends(5)]), (5, [later + ends(0), ends(5)])):
            self.pair(status, sides, "true", lines=0)
        begun = time.monotonic()
        done = self.pair(3, ["", ends(3)], "true", lines=1)
        self.assertIn("side 0 was ended, because side 1 has failed", done.stderr)
        self.assertLess(time.monotonic() - begun, 18)

    def test_pair_ends_when_a_guest_dies(self):
        begun = time.monotonic()
        done = self.pair(125, ["", "print('Kernel panic: x', flush=True); sys.exit(0)"], "true")
        self.assertIn("side 1", done.stderr)
        self.assertIn("Kernel panic: x", done.stderr)
        self.pair(125, ["sys.exit(0)", "port['status'].write(b'0\\n')"], "true")
        self.pair(125, ["sys.exit(0)", "sys.exit(0)"], "--dies=1", "true")
        for status in (0, 4):
            self.pair(status, [f"time.sleep(1); port['status'].write(b'{status}\\n')",
                               "sys.exit(0)"], "--dies=1", "true", lines=0)
        self.assertLess(time.monotonic() - begun, 18)

    def test_pair_time_limit(self):
        done = self.pair(124, ["port['out'].write(b'begun\\n')", "port['status'].write(b'0\\n')"],
                         "--seconds=1", "true")
        self.assertEqual(done.stdout, "0: begun\n")
        self.assertIn("side 0 within 1 s", done.stderr)
        self.assertNotIn("side 1", done.stderr)

    def test_pair_is_joined_by_a_wire(self):
        self.env["DOCA_CORE_GUEST_SIDE"] = "7"
        take = ("import socket; wire = socket.socket(fileno=int(re.search("
                "r'local.str=(\\d+)', ' '.join(sys.argv))[1])); ")
        done = self.pair(0, [take + "wire.send(b'packet'); port['status'].write(b'0\\n')",
                             take + "port['out'].write(wire.recv(100)); "
                             "open('initrd', 'wb').write(initrd); port['status'].write(b'0\\n')"],
                         "true", lines=0)
        self.assertEqual(done.stdout, "1: packet\n")
        files = files_of((self.work / "initrd").read_bytes())
        self.assertNotIn(b"GUEST_SIDE", files["rxe/command"][1])  # init has the variable
        words = [eval((self.bin / f"arguments{side}").read_text())[-1].split() for side in "01"]
        for name in ("SIDE=0", "IPV4_0=10.0.2.1", "IPV4_1=10.0.2.2", "IPV6_0=fd00:2::1"):
            self.assertIn(f"DOCA_CORE_GUEST_{name}", words[0])
        self.assertEqual(set(words[0]) ^ set(words[1]),
                         {"DOCA_CORE_GUEST_SIDE=0", "DOCA_CORE_GUEST_SIDE=1",
                          *(w for w in words[0] + words[1] if re.match("tsc_early|lpj", w))})

    def test_signal_leaves_no_process_of_a_pair(self):
        self.make_image()
        self.env["FAKE"] = "time.sleep(100)"
        pids = [self.bin / f"pid{side}" for side in "01"]
        for number, status in ((signal.SIGINT, 130), (signal.SIGKILL, -9)):
            for pid in pids:
                pid.unlink(missing_ok=True)
            with subprocess.Popen([sys.executable, "-B", TOOL, "--pair", "true"], env=self.env,
                                  cwd=self.work, stderr=subprocess.PIPE) as tool:
                while not all(pid.exists() and pid.read_text() for pid in pids):
                    self.assertIsNone(tool.poll())
                    time.sleep(0.01)
                tool.send_signal(number)
                self.assertEqual(tool.wait(20), status)
                self.assertEqual(tool.stderr.read(), b"")
            self.assertTrue(all(is_gone(pid.read_text()) for pid in pids), number)
        self.assertEqual(sorted(p.name for p in self.work.iterdir()), ["bin", "cache", "root"])

    # ---- an RDMA device of this machine

    def test_native(self):
        self.make_device()
        done = self.run_tool(9, "sh", "-c", "echo out; echo err >&2; exit 9", lines=1)
        self.assertEqual(done.stdout, "out\n")
        self.run_tool(128 + 9, "--native", "sh", "-c", "kill -9 $$", lines=0)
        self.run_tool(127, "--native", "nosuch", lines=1)
        self.guest(3, "port['status'].write(b'3\\n')", "--guest", "true")

    def test_native_time_limit(self):
        self.make_device()
        done = self.run_tool(124, "--seconds=1", "sh", "-c", "sleep 100 & echo $!; sleep 100",
                             lines=1)
        self.assertTrue(is_gone(done.stdout.strip()))

    def test_unusable_devices(self):
        for how in ({"state": "1: DOWN"}, {"state": "5: ACTIVE_DEFER"}, {"node": False}):
            self.make_device(**how)
            self.run_tool(77, "--native", "true", lines=1)
            self.guest(4, "port['status'].write(b'4\\n')", "true")
            shutil.rmtree(self.root)


class Guest(Case):
    """Tests with QEMU, the guest's kernel, and verbs_probe."""
    probe = None
    folder = None  # the folder of the image

    def setUp(self):
        super().setUp()
        self.env.pop("DOCA_TEST_RXE_ROOT", None)

    def test_probe(self):
        done = self.run_tool(0, "--guest", "--no-download")
        self.assertIn("rxe0 to rxe1\n", done.stdout)
        self.assertIn("rxe0 to rxe0\n", done.stdout)
        self.assertIn("\n0 failed\n", done.stdout)

    def test_command(self):
        script = self.work / "script"
        executable(script, """#!/bin/sh
            sent() { echo $(($(cat /sys/class/net/v$1/statistics/rx_packets))); }
            before=$(sent 1)
            "$1" rxe0 rxe1 >/tmp/log || { cat /tmp/log; exit 1; }
            [ $(($(sent 1) - before)) -gt 1000 ] || echo 'few packets'
            pwd; echo "$2"; echo "$DOCA_X"; echo again >/dev/stdout
            printf err >&2; printf end; exit 200
            """)
        self.env["DOCA_X"] = "x y"
        done = self.run_tool(200, "--guest", "--no-download", "./script", self.probe, "it's '")
        self.assertEqual(done.stdout, f"{self.work}\nit's '\nx y\nagain\nend")
        self.assertEqual(done.stderr, "err")

    def test_command_without_end(self):
        begun = time.monotonic()
        done = self.run_tool(124, "--guest", "--no-download", "--seconds=15", "sh", "-c",
                             "echo begun; while :; do sleep 1; done")
        self.assertLess(time.monotonic() - begun, 40)
        self.assertEqual(done.stdout, "begun\n")

    def test_panic(self):
        done = self.run_tool(125, "--guest", "--no-download", "sh", "-c",
                             "echo begun; echo c >/proc/sysrq-trigger")
        self.assertIn("Kernel panic", done.stderr)
        done = self.run_tool(125, "--guest", "--no-download", "--append", "rdinit=/none", "true")
        self.assertIn("Kernel panic", done.stderr)

    def test_pair(self):
        script = self.work / "script"
        executable(script, """#!/bin/sh
            for peer in $DOCA_CORE_GUEST_IPV4_0 $DOCA_CORE_GUEST_IPV4_1 $DOCA_CORE_GUEST_IPV6_0 \\
                $DOCA_CORE_GUEST_IPV6_1; do
                ping -c 1 -W 9 $peer >/dev/null && printf '%s ' $peer
            done
            rdma link show | grep -c 'rxe0/1 state ACTIVE'
            if [ $DOCA_CORE_GUEST_SIDE = $1 ]; then sleep 2; echo b >/proc/sysrq-trigger; fi
            [ $1 = no ] || sleep 3; exit $((5 * DOCA_CORE_GUEST_SIDE))
            """)
        want = "10.0.2.1 10.0.2.2 fd00:2::1 fd00:2::2 1"
        done = self.run_tool(5, "--pair", "--no-download", "./script", "no", lines=0)
        self.assertEqual(sorted(done.stdout.splitlines()), [f"0: {want}", f"1: {want}"])
        done = self.run_tool(5, "--pair", "--no-download", "--dies=0", "./script", "0", lines=0)
        self.assertIn(f"0: {want}\n", done.stdout)  # side 1 may lose side 0 before its last ping
        done = self.run_tool(125, "--pair", "--no-download", "./script", "1")
        self.assertIn("guest of side 1", done.stderr)

    def test_program_with_a_large_arena(self):
        source, program = self.work / "large.c", self.work / "large"
        source.write_text("static char arena[1u << 30];\n"
                          "int main(int argc, char **argv)\n{\n    (void)argv;\n"
                          "    arena[(unsigned)argc << 20] = 1;\n    return arena[5] + 33;\n}\n")
        subprocess.run([os.environ.get("CC") or "cc", "-o", program, source], check=True)
        self.run_tool(33, "--guest", "--no-download", program)

    @unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
    def test_ordinary_user(self):
        user = {"user": 65534, "group": 65534, "extra_groups": []}
        pythons = [p for p in (sys.executable, "/usr/bin/python3") if subprocess.run(
            ["sh", "-c", 'test -x "$0" && test -r "$1"', p, TOOL], **user).returncode == 0]
        if not pythons:
            self.skipTest("other users cannot read this tree, or cannot run Python")
        self.env["XDG_CACHE_HOME"] = str(self.work / "cache")
        shutil.copytree(self.folder, self.work / "cache/doca_core/rxe-guest" / self.folder.name)
        done = self.run_tool(0, "--guest", "--no-download", "rdma", "link", "show", lines=0,
                             python=pythons[0], **user)
        self.assertEqual(done.stdout.count("state ACTIVE"), 2, done.stdout)


def main():
    if sys.argv[1:] == ["tool"]:
        unittest.main(argv=[sys.argv[0], "Tool"])
    only_image = sys.argv[1:] == ["image"]
    if not only_image and (len(sys.argv) != 3 or sys.argv[1] != "guest"):
        sys.exit(f"usage: {sys.argv[0]} tool | image | guest PROBE")
    download = [] if os.environ.get("DOCA_TEST_DOWNLOAD") == "1" else ["--no-download"]
    # the status is 77 without QEMU or the image, otherwise 127, because the command does not exist
    for command, status in ((["--build", *download], 0), (["--guest", "no such command"], 127)):
        done = subprocess.run([sys.executable, "-B", TOOL, *command], capture_output=True,
                              text=True)
        if done.returncode != status:
            print(done.stderr, end="")
            sys.exit(done.returncode or 1)
        Guest.folder = Guest.folder or pathlib.Path(done.stdout.strip())
    if only_image:
        return
    Guest.probe = sys.argv[2]
    unittest.main(argv=[sys.argv[0], "Guest"])


if __name__ == "__main__":
    main()
