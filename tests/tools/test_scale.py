#!/usr/bin/env python3
"""Check that an operation takes as many instructions beside many objects as beside one: run
bench/bench_scale.c, whose program is argv[1], under callgrind."""
import importlib.machinery
import importlib.util
import pathlib
import shutil
import sys
import types

sys.dont_write_bytecode = True
TOOL = str(pathlib.Path(__file__).resolve().parents[2] / "tools/bench")
SKIP = 77


def load_tool():
    loader = importlib.machinery.SourceFileLoader("bench_tool", TOOL)
    tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench_tool", loader))
    loader.exec_module(tool)
    return tool


def main():
    if not shutil.which("valgrind"):
        print("skipped: valgrind is not installed")
        return SKIP
    tool = load_tool()
    program = types.SimpleNamespace(path=pathlib.Path(sys.argv[1]), name="bench_scale")
    found, problems = tool.count_scale(program, True)
    for work, points in (found or {}).items():
        print(f"{work:16}", *(f"{count:10.1f} beside {objects}" for objects, count in points))
    print(*problems, sep="\n")
    return 1 if problems or not found else 0


if __name__ == "__main__":
    sys.exit(main())
