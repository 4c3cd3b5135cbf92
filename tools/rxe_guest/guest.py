"""The guests of tools/rxe-guest: their files and their QEMU, and what they write. One guest has two
devices and a wire between them. The guests of a pair have one device each; the wire between them is
a pair of datagram sockets, so that it needs neither a port nor root, and leaves no file."""
import contextlib
import os
import pathlib
import re
import selectors
import shlex
import shutil
import socket
import subprocess
import sys
import time

from rxe_guest import boot
from rxe_guest import image as images

CONSOLE_BYTES = 1 << 16  # the end of the console output, which is kept to be shown
LINE_BYTES = 1 << 16     # a longer line of a guest of a pair is broken
LAST_SECONDS = 3         # for the last output, after the exit status
FAILED_SECONDS = 10      # for the second guest of a pair, after the first has failed
INIT = pathlib.Path(__file__).resolve().parent / "init"
# The guests of a pair. The kernel passes these words of its command line to init as variables.
SIDES = (0, 1)
PAIR = {"DOCA_CORE_GUEST_IPV4_0": "10.0.2.1", "DOCA_CORE_GUEST_IPV4_1": "10.0.2.2",
        "DOCA_CORE_GUEST_IPV6_0": "fd00:2::1", "DOCA_CORE_GUEST_IPV6_1": "fd00:2::2"}
WIRE_MTU = 4200  # packets of RoCE carry up to 4096 bytes, and headers


def say(text):
    boot.say("rxe-guest", text)


# ---- what QEMU starts with

def initramfs(image, options, command):
    """Return an unnamed file with the image's part and then the part of this run, and the size of
    the latter."""
    programs = images.Programs()
    for path in [command[0], *options.more, *(a for a in command[1:] if os.path.isfile(a))]:
        found = path if os.path.exists(path) else shutil.which(path)
        if found is not None:
            programs.add(found)
    passed = {name: value for name, value in os.environ.items()
              if (name.startswith("DOCA_") or name.endswith("SAN_OPTIONS"))
              and not name.startswith("DOCA_CORE_GUEST_")}
    if programs.folders:
        passed["LD_LIBRARY_PATH"] = ":".join(sorted(programs.folders))
    here = shlex.quote(os.getcwd())
    script = [f"mkdir -p {here} && cd {here} || exit 126"]
    script += [f"export {name}={shlex.quote(value)}" for name, value in passed.items()
               if re.fullmatch(r"\w+", name)]
    script.append(f"exec {shlex.join(command)}\n")
    files = {**programs.files, "init": (0o100755, INIT.read_bytes()),
             "rxe/command": (0o100644, "\n".join(script).encode(errors="surrogateescape"))}
    more = images.cpio(files)
    fd = os.memfd_create("initramfs")
    with os.fdopen(os.dup(fd), "wb") as f:
        f.write((image / "base.cpio").read_bytes())
        f.write(more)
    return fd, len(more)


def qemu_command(image, options, initrd, taken, devices, words):
    memory = options.memory or 256 + 3 * (taken >> 20)
    words = " ".join([boot.kernel_words(), "nokaslr", *words, options.append])
    return [boot.QEMU, "-M", "microvm,rtc=on", "-accel", "tcg,thread=multi", "-cpu", "max",
            "-smp", str(options.cpus), "-m", f"{memory}M", "-nodefaults", "-no-user-config",
            "-display", "none", "-no-reboot", "-serial", "stdio", *devices,
            "-kernel", str(image / "kernel"), "-initrd", f"/proc/self/fd/{initrd}",
            "-append", words]


def network_device(side, wire):
    return ["-netdev", f"dgram,id=wire,local.type=fd,local.str={wire.fileno()}", "-device",
            f"virtio-net-device,netdev=wire,mac=52:54:00:00:02:0{side + 1},host_mtu={WIRE_MTU}"]


# ---- a guest that runs

class Guest:
    """One QEMU and its ports. What the program writes is passed on at once, as it is, or, with a
    prefix, by lines; the console is kept."""

    def __init__(self, verbose, prefix=b""):
        self.prefix = prefix
        self.kept = {"status": b"", "console": b""}
        self.sinks = {"out": 1, "err": 2, "console": 2 if verbose else None}
        self.lines = {}  # {name: the begin of a line}
        self.files = {}  # {name: file} of the streams that have not ended
        self.qemu = None

    def start(self, stack, command, fds):
        """Start QEMU, whose command line is command(devices). `stack` ends it."""
        pairs = {name: socket.socketpair() for name in ("out", "err", "status")}
        devices = ["-device", "virtio-serial-device"]
        for number, (name, (_, end)) in enumerate(pairs.items(), 1):
            devices += ["-chardev", f"socket,id={name},fd={end.fileno()}",
                        "-device", f"virtserialport,nr={number},chardev={name},name={name}"]
        ends = [end.fileno() for _, end in pairs.values()]
        self.qemu = stack.enter_context(
            images.child(command(devices), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, pass_fds=[*fds, *ends]))
        for name, (ours, theirs) in pairs.items():
            theirs.close()
            self.files[name] = stack.enter_context(ours)
        self.files["console"] = self.qemu.stdout

    def kill(self):
        with contextlib.suppress(OSError):
            os.killpg(self.qemu.pid, 9)

    def take(self, name):
        """Read a stream that has something to read, or has ended. Returns false at its end."""
        try:
            data = os.read(self.files[name].fileno(), 65536)
        except ConnectionResetError:
            data = b""
        if name in self.kept:
            self.kept[name] = (self.kept[name] + data)[-CONSOLE_BYTES:]
        if self.sinks.get(name):
            self.pass_on(name, data)
        if not data:
            del self.files[name]
        return bool(data)

    def pass_on(self, name, data):
        if self.prefix:
            is_end = not data
            lines = (self.lines.pop(name, b"") + data).split(b"\n")
            if not is_end and len(lines[-1]) < LINE_BYTES:
                self.lines[name] = lines.pop()
            elif not lines[-1]:
                lines.pop()
            data = b"".join(self.prefix + line + b"\n" for line in lines)
        while data:
            data = data[os.write(self.sinks[name], data):]

    def status(self):
        match = re.fullmatch(rb"([0-9]{1,3})\n", self.kept["status"])
        return int(match[1]) if match else None

    def show_console(self):
        """Its end, or what follows the first sign of a crash."""
        lines = self.kept["console"].decode(errors="replace").replace("\r", "").splitlines()
        begin = next((i for i, line in enumerate(lines) if re.search("panic|BUG:|Oops", line)),
                     max(0, len(lines) - 20))
        for line in lines[begin:begin + 20]:
            print(f"  {self.prefix.decode()}| {line}", file=sys.stderr)


def serve(guests, deadline, step):
    """Pass on what the guests write until all their streams have ended. Return False when the
    deadline passes before. `step` is called after each piece; it may return an earlier deadline."""
    with selectors.DefaultSelector() as selector:
        for guest in guests:
            for name, file in guest.files.items():
                selector.register(file, selectors.EVENT_READ, (guest, name))
        while selector.get_map():
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            for key, _ in selector.select(left):
                guest, name = key.data
                if not guest.take(name):
                    selector.unregister(key.fileobj)
            deadline = min(deadline, step() or deadline)
    return True


def run_one(image, options, command):
    """Run COMMAND in a guest with two devices; returns its exit status."""
    deadline = time.monotonic() + options.seconds
    guest = Guest(options.verbose)

    def step():
        return None if guest.status() is None else time.monotonic() + LAST_SECONDS

    with contextlib.ExitStack() as stack:
        initrd, taken = initramfs(image, options, command)
        guest.start(stack, lambda devices: qemu_command(image, options, initrd, taken, devices, []),
                    [initrd])
        os.close(initrd)
        in_time = serve([guest], deadline, step)
    if guest.status() is not None:
        return guest.status()
    if not in_time:
        say(f"no end of {command[0]} within {options.seconds} s")
        guest.show_console()
        return 124
    say(f"no exit status of {command[0]} from the guest (QEMU's is {guest.qemu.returncode}):")
    guest.show_console()
    return 125


# ---- two guests

class Pair:
    """COMMAND in two guests. The guests stay until both have reported the end of COMMAND, because
    a side that has ended may still have to acknowledge what the other has sent."""

    def __init__(self, options, command):
        self.options = options
        self.command = command
        self.guests = [Guest(options.verbose, b"%d: " % side) for side in SIDES]
        self.ended = {}  # {side: exit status, or None of a guest that died}, in order
        self.is_killed = False

    def start(self, stack, image):
        wire = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        initrd, taken = initramfs(image, self.options, self.command)
        for side, guest in enumerate(self.guests):
            words = [f"DOCA_CORE_GUEST_SIDE={side}"]
            words += [f"{name}={value}" for name, value in PAIR.items()]
            network = network_device(side, wire[side])
            guest.start(stack, lambda devices, network=network, words=words: qemu_command(
                image, self.options, initrd, taken, [*devices, *network], words),
                [initrd, wire[side].fileno()])
        for end in wire:
            end.close()
        os.close(initrd)

    def has_failed(self, side):
        status = self.ended.get(side, 0)
        return status != 0 if status is not None else self.options.dies != side

    def step(self):
        """Note which sides have ended. Returns an earlier deadline, or None."""
        for side, guest in enumerate(self.guests):
            if side not in self.ended and (guest.status() is not None or not guest.files):
                self.ended[side] = guest.status()
        if self.is_killed or not self.ended:
            return None
        failed = [side for side in self.ended if self.has_failed(side)]
        if len(self.ended) == len(self.guests) or any(self.ended[side] is None for side in failed):
            self.is_killed = True
            for guest in self.guests:
                guest.kill()
            return time.monotonic() + LAST_SECONDS
        return time.monotonic() + FAILED_SECONDS if failed else None

    def result(self):
        """Return the exit status of the tool. Print a line about a failure that is not of
        COMMAND."""
        name = self.command[0]
        failed = [side for side in self.ended if self.has_failed(side)]
        if not failed:
            missed = [side for side in SIDES if side not in self.ended]
            for side in missed:
                say(f"no end of {name} on side {side} within {self.options.seconds} s")
                self.guests[side].show_console()
            return 124 if missed else 0
        first = failed[0]
        if self.ended[first] is None:
            say(f"no exit status of {name} from the guest of side {first} (QEMU's is "
                f"{self.guests[first].qemu.returncode}):")
            self.guests[first].show_console()
            return 125
        for side in SIDES:
            if self.ended.get(side) is None and not self.options.dies == side:
                say(f"side {side} was ended, because side {first} has failed with exit status "
                    f"{self.ended[first]}")
        return self.ended[first]


def run_two(image, options, command):
    """Run COMMAND in two guests; returns the exit status of the side that failed first, or 0."""
    pair = Pair(options, command)
    deadline = time.monotonic() + options.seconds
    with contextlib.ExitStack() as stack:
        pair.start(stack, image)
        serve(pair.guests, deadline, pair.step)
    return pair.result()
