#!/usr/bin/env python3
"""Run the test suite of rdma-core (pyverbs) on the emulated device.

usage: pyverbs.py RUN [MODULE]...        RUN: tools/mlx5sim/run and its arguments, as one word

The suite is searched in $MLX5SIM_PYVERBS_TESTS, or in /usr/share/doc/rdma-core/tests, where
Debian's python3-pyverbs installs it (unless the system installs no documentation). Modules for
other hardware are left out. A test may be skipped when it needs a feature that the device does not
announce; no test may fail. Exit status 77: the suite or python3-pyverbs is missing.
"""
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
LEFT_OUT = re.compile(r"efa|cuda|vfio|mlx5_dr|test_fork")
SECONDS = 300


def skip(why):
    print("pyverbs: skipped: " + why)
    raise SystemExit(77)


def copy_suite(to):
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
    names = sorted(os.path.basename(p) for p in glob.glob(os.path.join(to, "tests", "test_*.py")))
    return [n[:-3] for n in names if not LEFT_OUT.search(n[:-3])]


def run_module(run, where, module):
    command = run + ["--device", "netdev=lo", "--", "/usr/bin/python3", "tests/run_tests.py",
                     "--dev", "mlx5_0", "-v", "-k", f"tests.{module}."]
    try:
        done = subprocess.run(command, cwd=where, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=SECONDS, check=False)
        text, status = done.stdout, done.returncode
    except subprocess.TimeoutExpired as late:
        text, status = (late.stdout or b"").decode(errors="replace"), -1
    if status == 77:
        skip(text.strip())
    ran = re.search(r"^Ran (\d+) tests?", text, re.M)
    skipped = re.search(r"skipped=(\d+)", text)
    num = int(ran.group(1)) if ran else 0
    without = int(skipped.group(1)) if skipped else 0
    bad = re.findall(r"^(?:ERROR|FAIL): (\S+)", text, re.M)
    if status != 0 or not ran:
        print(text)
        bad = bad or [f"{module}: status {status}"]
    print(f"{module}: {num - without - len(bad)} passed, {len(bad)} failed, {without} skipped",
          flush=True)
    return num - without - len(bad), len(bad), without


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
        modules = copy_suite(where)
        chosen = [m for m in modules if m in sys.argv[2:]] or modules
        counts = [run_module(run, where, m) for m in chosen]
    passed, failed, skipped = (sum(c[i] for c in counts) for i in range(3))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


sys.exit(main())
