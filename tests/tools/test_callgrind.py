#!/usr/bin/env python3
"""Check that callgrind and single-stepping count the same instructions of bench/instructions.c,
whose program is argv[1]. Counts of work that calls memcpy() may differ, if the C library selects
another memcpy() under valgrind."""
import importlib.machinery
import importlib.util
import os
import pathlib
import shutil
import sys
import types

sys.dont_write_bytecode = True
TOOL = str(pathlib.Path(__file__).resolve().parents[2] / "tools/bench")
SKIP = 77
COPIES = {"memmove", "task_lists"}  # work in which the C library copies


def load_tool():
    loader = importlib.machinery.SourceFileLoader("bench_tool", TOOL)
    tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench_tool", loader))
    loader.exec_module(tool)
    return tool


def main():
    if not shutil.which("valgrind"):
        print("skipped: valgrind is not installed")
        return SKIP
    # valgrind emulates no AVX-512; without it the C library usually selects the same memcpy()
    os.environ["GLIBC_TUNABLES"] = "glibc.cpu.hwcaps=-AVX512F,-AVX512VL"
    tool = load_tool()
    program = types.SimpleNamespace(path=pathlib.Path(sys.argv[1]), name="instructions", flags="")
    document = {"instructions": []}
    problems = tool.run_counting(program, document, types.SimpleNamespace(callgrind=True))
    if "callgrind" in document or any("ptrace is not permitted" in p for p in problems):
        print("skipped:", document.get("callgrind") or problems[0])
        return SKIP
    print(*problems, tool.results.callgrind_text(document), sep="\n")
    num, others = tool.results.callgrind_differences(document)
    others = {work for work, *_ in others}
    return 1 if problems or num == 0 or others - (COPIES if "memmove" in others else set()) else 0


if __name__ == "__main__":
    sys.exit(main())
