"""What tools/rxe-guest and tools/apsh-guest share besides the image: the kernel's command line,
arguments, and how such a tool ends."""
import argparse
import contextlib
import ctypes
import mmap
import pathlib
import re
import signal
import sys
import time

from rxe_guest.image import Failure

QEMU = "qemu-system-x86_64"
QEMU_PACKAGE = "apt-get install --no-install-recommends qemu-system-x86"
# tsc_early_khz and lpj: this QEMU machine has no timer by which the guest could measure its clock.
# The other words make the guest start faster.
KERNEL_WORDS = ("console=ttyS0 quiet panic=-1 tsc=reliable tsc_early_khz={khz} lpj={lpj} "
                "no_timer_check mitigations=off random.trust_cpu=on cryptomgr.notests "
                "rcupdate.rcu_expedited=1")
RDTSC = b"\x0f\x31\x48\xc1\xe2\x20\x48\x09\xd0\xc3"  # rdtsc; shl rdx, 32; or rax, rdx; ret


class Stopped(BaseException):
    """A signal that ends the tool."""


def read(path):
    with contextlib.suppress(OSError, UnicodeDecodeError):
        return pathlib.Path(path).read_text(encoding="utf-8").strip()
    return ""


def tsc_khz():
    """Return the rate of the guest's time stamp counter, which is that of this machine."""
    try:
        code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        code.write(RDTSC)
        rdtsc = ctypes.CFUNCTYPE(ctypes.c_uint64)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
        begun, first = time.monotonic_ns(), rdtsc()
        time.sleep(0.05)
        return (rdtsc() - first) * 1000000 // (time.monotonic_ns() - begun)
    except (OSError, ValueError, TypeError):  # the system permits no executable memory
        match = re.search(r"^cpu MHz\s*: ([0-9]+)", read("/proc/cpuinfo"), re.M)
        return int(match[1]) * 1000 if match else 2000000


def kernel_words():
    khz = tsc_khz()
    return KERNEL_WORDS.format(khz=khz, lpj=khz * 4)


# ---- arguments

def number(highest, lowest=1):
    def parse(text):
        if not re.fullmatch("[0-9]{1,7}", text) or not lowest <= int(text) <= highest:
            raise argparse.ArgumentTypeError(f"{lowest} to {highest}, not {text}")
        return int(text)
    return parse


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Failure(64, f"{message} (try --help)")


# ---- the end

def say(tool, text):
    print(f"tools/{tool}: {text}", file=sys.stderr, flush=True)


def stop(number_of_signal, _):
    for other in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(other, signal.SIG_IGN)
    raise Stopped(number_of_signal)


def main(tool, usage, parse_arguments, run):
    """Run a tool; returns its exit status."""
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(each) != signal.SIG_IGN:
            signal.signal(each, stop)
    try:
        options = parse_arguments(sys.argv[1:])
        if options.help:
            print(usage)
            return 0
        return run(options)
    except Stopped as stopped:
        return 128 + stopped.args[0]
    except Failure as failure:
        say(tool, failure)
        return failure.status
    except BrokenPipeError:
        return 141
    except OSError as error:
        say(tool, f"{error.filename or 'output'}: {error.strerror} "
                  "(XDG_CACHE_HOME moves the cache)")
        return 73
