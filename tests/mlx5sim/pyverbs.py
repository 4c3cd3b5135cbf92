#!/usr/bin/env python3
"""Run the test suite of rdma-core (pyverbs) on the emulated device, with default options.

usage: pyverbs.py RUN [MODULE]...        RUN: tools/mlx5sim/run and its arguments, as one word

The suite is searched in $MLX5SIM_PYVERBS_TESTS, or in /usr/share/doc/rdma-core/tests, where
Debian's python3-pyverbs installs it (unless the system installs no documentation). A test may be
skipped when it needs a feature that the device does not announce, or other hardware; no test may
fail. The reasons are listed. Exit status 77: the suite or python3-pyverbs is missing.
"""
import collections
import glob
import gzip
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

INSTALLED = "/usr/share/doc/rdma-core/tests"
SECONDS = 800


def skip(why):
    print("pyverbs: skipped: " + why)
    raise SystemExit(77)


def copy_suite(to):
    """Copy the suite, and unpack the files that Debian compresses."""
    where = os.environ.get("MLX5SIM_PYVERBS_TESTS", INSTALLED)
    files = glob.glob(os.path.join(where, "*.py")) + glob.glob(os.path.join(where, "*.py.gz"))
    if not files:
        skip(f"no test suite in {where}")
    os.mkdir(os.path.join(to, "tests"))
    for path in files:
        name = os.path.basename(path)
        if name.endswith(".gz"):
            with gzip.open(path) as source, \
                    open(os.path.join(to, "tests", name[:-3]), "wb") as target:
                shutil.copyfileobj(source, target)
        else:
            shutil.copy(path, os.path.join(to, "tests", name))


def run_suite(run, where, modules):
    """Run the suite, or some of its modules. Return its status and its output."""
    command = run + ["--", "/usr/bin/python3", "tests/run_tests.py", "--dev", "mlx5_0", "-v"]
    for module in modules:
        command += ["-k", f"tests.{module}."]
    try:
        done = subprocess.run(command, cwd=where, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired as late:
        return -1, (late.stdout or b"").decode(errors="replace")
    return done.returncode, done.stdout


def main():
    if len(sys.argv) < 2:
        print(__doc__)
        return 64
    run = shlex.split(sys.argv[1])
    run[0] = os.path.abspath(run[0])
    if subprocess.run(["/usr/bin/python3", "-c", "import pyverbs.device"], check=False,
                      stderr=subprocess.DEVNULL).returncode:
        skip("python3-pyverbs is not installed")
    with tempfile.TemporaryDirectory() as where:
        copy_suite(where)
        status, text = run_suite(run, where, sys.argv[2:])
    if status == 77:
        skip(text.strip())
    ran = re.search(r"^Ran (\d+) tests?", text, re.M)
    reasons = collections.Counter(re.findall(r"\.\.\. skipped (['\"].*['\"])$", text, re.M))
    counted = re.search(r"skipped=(\d+)", text)
    names = re.findall(r"^(?:ERROR|FAIL): (\w+)", text, re.M)
    failed = len(names)
    skipped = int(counted.group(1)) if counted else 0
    passed = int(ran.group(1)) - failed - skipped if ran else 0
    for reason, times in reasons.most_common():
        print(f"{times:4} skipped: {reason}")
    is_good = not names and passed > 0 and status == 0
    if not is_good:
        print(text)
    print(f"{passed} passed, {failed} failed, {skipped} skipped (status {status})")
    return 0 if is_good else 1


sys.exit(main())
