"""The programs of tools/bench: the compiler, the peers that are installed, and the builds."""
import contextlib
import functools
import os
import pathlib
import re
import shlex
import shutil
import tempfile

from bench_children import Child, ROOT, Stop, output_of, run_all, tell

HEADER = ROOT / "doca_core.h"
# bench_apsh.c and bench_comch.c measure these headers, which need HEADER.
SHIELD = "tools/compat/doca_core_apsh.h"
COMCH = "tools/compat/doca_core_comch.h"
BUILDS = ("-O2", "-O3 -march=native")
# {name for readers: (Debian package, macro in the source, name for pkg-config)}
PEERS = {
    "DPDK": ("libdpdk-dev", "BENCH_DPDK", "libdpdk"),
    "OpenSSL": ("libssl-dev", "BENCH_OPENSSL", "libcrypto"),
    "io_uring": ("liburing-dev", "BENCH_URING", "liburing"),
    "ipsec-mb": ("libipsec-mb-dev", "BENCH_IPSEC_MB", None),
    "rdma-core": ("libibverbs-dev", "BENCH_VERBS", "libibverbs"),
}
BUILD_SECONDS = 300


# ---- setting up ----------------------------------------------------------------------------------

def compiler():
    for name in [os.environ["CC"]] if os.environ.get("CC") else ["cc", "gcc", "clang"]:
        words = shlex.split(name)  # CC may carry options
        if words and shutil.which(words[0]):
            return words
    return None


def find_peers(cc):
    """Return {peer: (version, compiler flags, libraries)} of the installed peers."""
    found = {}
    for peer, (_, _, module) in PEERS.items():
        if module is None:  # ipsec-mb comes without a .pc file
            macros = output_of([*cc, "-dM", "-E", "-include", "intel-ipsec-mb.h", "-x", "c",
                                "/dev/null"])
            if macros is not None:
                known = re.search('^#define IMB_VERSION_STR "(.*)"$', macros, re.M)
                found[peer] = (known.group(1) if known else "", [], ["-lIPSec_MB"])
            continue
        known = []
        for question in ("--modversion", "--cflags", "--libs"):
            known.append(output_of(["pkg-config", question, module]))
            if known[-1] is None:
                break
        else:
            found[peer] = (known[0], shlex.split(known[1]), shlex.split(known[2]))
    return found


def install(names):
    tell(f'installing {" ".join(names)}')
    (child,) = run_all([lambda: Child("packages", [ROOT / "tools/packages", *names], 3600)], 1)
    if child.complaint():
        raise Stop(69, child.complaint())


def set_up(options):
    """Return the compiler and the peers. With --install, install missing packages first."""
    def missing(cc, peers):
        if not cc or not shutil.which("pkg-config"):
            yield from ["gcc", "libc6-dev"] if not cc else []
            yield "pkg-config"
        if options.callgrind and not shutil.which("valgrind"):
            yield "valgrind"
        yield from (package for peer, (package, _, _) in PEERS.items() if peer not in peers)

    cc = compiler()
    peers = find_peers(cc) if cc else {}
    names = list(missing(cc, peers))
    if names and options.install:
        install(names)
        cc = compiler()
        peers = find_peers(cc) if cc else {}
        names = list(missing(cc, peers))
        if names:
            tell(f'tools/bench: still missing: {" ".join(names)}')
    if not cc:
        raise Stop(69, f'no C compiler: {os.environ.get("CC") or "cc, gcc, clang"} not found')
    if "valgrind" in names:
        raise Stop(69, "--callgrind needs valgrind, which is not installed; --install installs it")
    for peer, (package, _, _) in PEERS.items():
        if peer not in peers:
            tell(f"{peer} is not installed ({package}): its rows are left out; --install brings it")
    return cc, peers


# ---- building ------------------------------------------------------------------------------------

def included(source):
    """Return the text of a program and of the headers of bench/ that it includes, except for
    bench.h, which mentions all peers."""
    text, waiting, seen = "", [source], set()
    while waiting:
        path = waiting.pop()
        if path in seen or not path.is_file() or path.name == "bench.h":
            continue
        seen.add(path)
        part = path.read_text(encoding="utf-8", errors="replace")
        text += part
        waiting += [path.parent / name for name in re.findall(r'^#\s*include\s+"(.*)"', part, re.M)]
    return text


class Program:
    """One file of bench/ in one build."""

    def __init__(self, source, flags, form, directory):
        words = re.sub(r"[^A-Za-z0-9]+", "-", " ".join([flags, *form])).strip("-")
        self.name, self.flags, self.form = source.stem, flags, form
        self.area = source.stem[len("bench_"):]
        self.path = directory / f"{source.stem}.{words}"
        self.is_two_core = False
        self.command, self.objects = [], {}  # object: the command that makes it
        self.failure = None


def form_of(header):
    return [] if header == HEADER else ["before"]


def plain(cc, flags, header):
    """Return the first and the last part of a compiler command. The flags of a peer go between
    them, so that a peer's -march for an old processor does not override the chosen flags."""
    return ([*cc, "-std=gnu11", f"-I{header.parent}"],
            [*shlex.split(flags), f'-DBENCH_FLAGS="{flags}"'])


def timed_program(source, flags, cc, peers, directory, header=HEADER):
    program = Program(source, flags, form_of(header), directory)
    text = included(source)
    program.is_two_core = re.search("cpu2|two_cpus|partner|dmadev", text) is not None
    used = [peer for peer, (_, word, _) in PEERS.items() if peer in peers and word in text]
    before, after = plain(cc, flags, header)
    calls = program.path.with_name(program.path.name.replace(source.stem, "library_calls") + ".o")
    program.objects[calls] = [*before, *after, "-c", str(ROOT / "bench/library_calls.c"), "-o",
                              str(calls)]
    program.command = [
        *before, *[flag for peer in used for flag in [f"-D{PEERS[peer][1]}", *peers[peer][1]]],
        *after, str(source), str(calls), "-o", str(program.path),
        *[flag for peer in used for flag in peers[peer][2]], "-lpthread", "-lm"]
    return program


def counting_programs(flags, cc, directory, header=HEADER):
    """Return the program that counts instructions, in its two forms."""
    source = ROOT / "bench/instructions.c"
    before, after = plain(cc, flags, header)
    for form in ([], ["-DDOCA_CORE_NO_INLINE", str(ROOT / "tests/support/impl.c")]):
        program = Program(source, flags, (["library"] if form else []) + form_of(header), directory)
        program.command = [*before, *after, str(source), *form, "-o", str(program.path)]
        yield program


def compile_all(commands):
    """Run the commands of {output: command} whose output is out of date. Return {output: error} of
    the commands that failed."""
    stale = {}
    for output, command in commands.items():
        sources = [*(directory / name for directory in (ROOT, output.parent / "before")
                     for name in (HEADER.name, SHIELD, COMCH) if (directory / name).is_file()),
                   *(ROOT / "bench").glob("*.[ch]"), *(ROOT / "tests/support").glob("apsh*.h")]
        note = output.with_name(output.name + ".command")
        with contextlib.suppress(OSError):
            if note.read_text() == shlex.join(command) and all(
                    source.stat().st_mtime <= output.stat().st_mtime for source in sources):
                continue
        note.unlink(missing_ok=True)
        stale[output] = (command, note)
    failed = {}
    starts = [functools.partial(Child, output, command, BUILD_SECONDS)
              for output, (command, _) in stale.items()]
    for child in run_all(starts, len(os.sched_getaffinity(0))):
        command, note = stale[child.name]
        if child.complaint():
            failed[child.name] = child.complaint()
        else:
            note.write_text(shlex.join(command))
    return failed


def build(programs):
    """Build the programs. Where that fails, `failure` of the program has the reason."""
    failed = compile_all({output: command for program in programs
                          for output, command in program.objects.items()})
    for program in programs:
        for output in program.objects:
            if output in failed:
                program.failure = f"could not be built: {failed[output]}"
    failed = compile_all({program.path: program.command for program in programs
                          if not program.failure})
    for program in programs:
        if program.path in failed:
            program.failure = f"could not be built: {failed[program.path]}"


def make_directory(options, stack):
    if options.build_dir is None:
        return pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="doca_bench.")))
    directory = pathlib.Path(options.build_dir).absolute()
    directory.mkdir(parents=True, exist_ok=True)
    return directory
