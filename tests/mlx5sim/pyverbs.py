#!/usr/bin/env python3
"""Run the test suite of rdma-core (pyverbs) on the emulated device.

usage: pyverbs.py RUN [MODULE]...        RUN: tools/mlx5sim/run and its arguments, as one word

The suite is searched in $MLX5SIM_PYVERBS_TESTS, or in /usr/share/doc/rdma-core/tests, where
Debian's python3-pyverbs installs it (unless the system installs no documentation). A test may be
skipped when it needs a feature that the device does not announce, or other hardware; no test may
fail. The reasons are listed. Exit status 77: the suite or python3-pyverbs is missing.

The device has default options, with two exceptions. In suites later than that of rdma-core 44, a
test-and-set of device memory writes 1, not 0xff. And the device has wrapped DEKs: the tests of
encryption need keys, a credential and data that OpenSSL's libcrypto has encrypted. Where this
library is missing, these tests are skipped. The tests of encryption run a second time, on a device
with plain DEKs.

The suite's tests with several processes share an open device with their children. The suite
expects that multiprocessing forks, which is the default of Python up to 3.13.
"""
import collections
import ctypes
import glob
import gzip
import json
import os
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

INSTALLED = "/usr/share/doc/rdma-core/tests"
SECONDS = 800
KEK = bytes(range(16))
CREDENTIAL = bytes(range(0x40, 0x68))
KEY = bytes(range(0x80, 0xc0))
START = """import multiprocessing, runpy, sys
multiprocessing.set_start_method("fork")
sys.path[0] = "tests"
runpy.run_path("tests/run_tests.py", run_name="__main__")
"""


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


def encrypt(library, cipher, key, start, data):
    """Encrypt with a cipher of OpenSSL: EVP_aes_128_xts or EVP_aes_128_wrap."""
    wrap_is_allowed, done = 1, ctypes.c_int()
    out = ctypes.create_string_buffer(len(data) + 64)
    for name in (cipher, "EVP_CIPHER_CTX_new"):
        getattr(library, name).restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.EVP_CIPHER_CTX_new())
    library.EVP_CIPHER_CTX_set_flags(context, wrap_is_allowed)
    good = library.EVP_EncryptInit_ex(context, ctypes.c_void_p(getattr(library, cipher)()), None,
                                      key, start) == 1 and \
        library.EVP_EncryptUpdate(context, out, ctypes.byref(done), data, len(data)) == 1
    library.EVP_CIPHER_CTX_free(context)
    if not good:
        raise OSError("libcrypto cannot encrypt")
    return out.raw[:done.value]


def write_details(path):
    """Write the file that the tests of encryption read. False without libcrypto."""
    try:
        library = ctypes.CDLL("libcrypto.so.3")
        wrapped = [encrypt(library, "EVP_aes_128_wrap", KEK, b"\xa6" * 8, text)
                   for text in (CREDENTIAL, KEY[:32], KEY)]
        blocks = b"".join(encrypt(library, "EVP_aes_128_xts", KEY[:32], unit.to_bytes(16, "little"),
                                  b"c" * 512) for unit in range(2))
    except (OSError, AttributeError):
        return False
    long, word = [lambda text, form=form, size=size: list(struct.unpack(
        f"{form[0]}{len(text) // size}{form[1]}", text)) for form, size in (("!Q", 8), ("=I", 4))]
    details = {"credential": long(wrapped[0]), "wrapped_key": long(wrapped[1]),
               "wrapped_256_bits_key": long(wrapped[2]), "plaintext_key": word(KEY[:32]),
               "plaintext_256_bits_key": word(KEY), "encrypted_data_for_512_c": long(blocks[:512]),
               "encrypted_data_for_1024_c": long(blocks)}
    with open(path, "w", encoding="ascii") as file:
        json.dump([details], file)
    return True


def options_for(where):
    """Options of the device for the version of the suite."""
    with open(os.path.join(where, "tests", "test_mlx5_dm_ops.py"), encoding="utf-8") as file:
        later = "set the memory to 0x1" in file.read()
    return ["--test-and-set", "1"] if later else []


def run_suite(run, where, modules):
    """Run the suite, or some of its modules. Return its status and its output."""
    environment = dict(os.environ, MLX5_CRYPTO_TEST_INFO=os.path.join(where, "crypto"))
    command = run + ["--", "/usr/bin/python3", "-c", START, "--dev", "mlx5_0", "-v"]
    for module in modules:
        command += ["-k", f"tests.{module}."]
    try:
        done = subprocess.run(command, cwd=where, env=environment, stdout=subprocess.PIPE,
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
        run += options_for(where)
        plain = None
        if write_details(os.path.join(where, "crypto")):
            plain = run_suite(run, where, ["test_mlx5_crypto"])
            run += ["--wrapped-deks", f"{KEK.hex()},{CREDENTIAL.hex()}"]
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
    if plain and plain[0] not in (0, 77):
        print(plain[1])
        is_good = False
    if plain:
        oks = len(re.findall(r"\.\.\. ok$", plain[1], re.M))
        print(f"with plain DEKs: {oks} tests of encryption passed (status {plain[0]})")
    print(f"{passed} passed, {failed} failed, {skipped} skipped (status {status})")
    return 0 if is_good else 1


sys.exit(main())
