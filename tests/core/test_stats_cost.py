#!/usr/bin/env python3
"""Check that statistics cost the data path nothing: the compiler generates the same code for its
functions with the module and without it (DOCA_CORE_NO_STATS). Modules that these functions do not
call are left out of both, as they take most of the compiler's time.

usage: test_stats_cost.py CC
Exit status: 0 the code is the same; 1 the code differs; 64 wrong arguments."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FUNCTIONS = ("doca_task_submit", "doca_task_submit_ex", "doca_pe_progress", "doca_task_free",
             "doca_task_get_status", "doca_dma_task_memcpy_alloc_init", "doca_core_queue_append",
             "doca_priv_pe_progress_other")
LEFT_OUT = ("REP", "POOL", "BUF_ARRAY", "SHA", "SYNC_EVENT", "BRIDGE", "SW", "FAULT", "MMAP_ADVISE")


def functions(compiler, *options):
    """Return the code of each function of FUNCTIONS, with labels numbered from 0 on."""
    text = subprocess.run([compiler, "-S", "-O2", "-w", "-std=c11", f"-I{ROOT}",
                           *(f"-DDOCA_CORE_NO_{module}" for module in LEFT_OUT), *options,
                           "-o", "-", ROOT / "tests/support/impl.c"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    found = {}
    for name in FUNCTIONS:
        body = re.search(rf"^{name}:[^\n]*\n(.*?)^\s*\.size\s+{name},", text, re.M | re.S)[1]
        names = {}
        found[name] = re.sub(r"\.L[\w.]+", lambda label: names.setdefault(
            label[0], f".L{len(names)}"), body)
    return found


def main():
    if len(sys.argv) != 2:
        print("usage: test_stats_cost.py CC", file=sys.stderr)
        sys.exit(64)
    having, without = functions(sys.argv[1]), functions(sys.argv[1], "-DDOCA_CORE_NO_STATS")
    differ = [name for name in FUNCTIONS if having[name] != without[name]]
    for name in FUNCTIONS:
        print(f"{name}: {having[name].count(chr(10))} lines of assembly, "
              f"{'DIFFERENT' if name in differ else 'the same'}")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
