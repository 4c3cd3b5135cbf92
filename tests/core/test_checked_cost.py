#!/usr/bin/env python3
"""Below its level the checked mode costs nothing: the compiler generates the same code from
doca_core.h and from a copy from which the checked mode was cut out.

The script cuts the marked parts of the header: the blocks of `#if DOCA_CORE_CHECK >= 2`,
DOCA_PRIV_CHECKED(...), DOCA_PRIV_ENTER(...) with DOCA_PRIV_ALONE(...), and comparisons of the level
within expressions.

usage: test_checked_cost.py CC
Exit status: 0, 1 the code differs, or something of the checked mode was not cut, 64 usage."""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
ASKS = "DOCA_CORE_CHECK >= 2"
BEGINS = re.compile(r"DOCA_PRIV_(?:CHECKED|ENTER|ALONE)\(")
NOT_OF_IT = {"doca_priv_check_args"}  # the command lines of argp


def cut_blocks(text):
    """Keep the #else half of each block that tests the level; line numbers do not change."""
    kept, blocks = [], []  # of each block that is open: is it in, and is it about the level?
    for line in text.splitlines():
        word = re.match(r"#\s*(if|else|elif|endif)", line)
        word = word.group(1) if word else ""
        if word == "if":
            asks = line == "#if " + ASKS
            blocks.append([not asks, asks])
        elif word == "else" and blocks[-1][1]:
            blocks[-1][0] = True
        about = word and blocks[-1][1]
        if word == "endif":
            blocks.pop()
        kept.append("" if about or not all(is_in for is_in, _ in blocks) else line)
    return "\n".join(kept) + "\n"


def cut_calls(text):
    """Leave out DOCA_PRIV_CHECKED(...) and the like, up to the parenthesis that ends it."""
    while begin := BEGINS.search(text):
        end, depth = begin.end(), 1
        while depth > 0:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        text = text[: begin.start()] + "\n" * text.count("\n", begin.start(), end) + text[end:]
    return text


def cut(text):
    text = re.sub(r"/\*.*?\*/", lambda c: "\n" * c.group().count("\n") or " ", text, flags=re.S)
    text = cut_calls(re.sub(r"#define DOCA_PRIV_(CHECK|ENTER|ALONE).*", "", cut_blocks(text)))
    text = text.replace(ASKS, "0").replace("DOCA_CORE_CHECK < 2", "1")
    return text.replace("DOCA_PRIV_CHECK_QUARANTINED", "0")


def generated(compiler, header, level, optimization="-O2"):
    """Return the assembly of the implementation, without the numbers that make static names
    unique."""
    with tempfile.TemporaryDirectory() as place:
        pathlib.Path(place, "doca_core.h").write_text(header)
        asm = subprocess.run(
            [compiler, "-S", optimization, "-w", "-std=c11", "-I.", f"-DDOCA_CORE_CHECK={level}",
             "-o", "-", ROOT / "tests/support/impl.c"], cwd=place, check=True, stdout=subprocess.PIPE, text=True)
    return re.sub(r"\b([a-z_]\w*)\.\d+\b", r"\1", asm.stdout)


def main():
    if len(sys.argv) != 2:
        print("usage: test_checked_cost.py CC", file=sys.stderr)
        sys.exit(64)
    compiler = sys.argv[1]
    whole = (ROOT / "doca_core.h").read_text()
    without = cut(whole)

    left = set(re.findall(r"doca_priv_check_\w+|DOCA_PRIV_CHECK\w*", without)) - NOT_OF_IT
    if left:
        sys.exit(f"of the checked mode these were not cut out: {', '.join(sorted(left))}")
    for level in (0, 1):
        with_it, without_it = (generated(compiler, h, level) for h in (whole, without))
        if with_it != without_it:
            lines = zip(with_it.splitlines(), without_it.splitlines())
            differ = next((pair for pair in lines if pair[0] != pair[1]), ("", "one is longer"))
            sys.exit(f"DOCA_CORE_CHECK={level}: {differ[0]!r}, without the checked mode {differ[1]!r}")
        print(f"DOCA_CORE_CHECK={level}: {with_it.count(chr(10))} lines of assembly, the same")
    if "doca_priv_check_note" not in generated(compiler, whole, 2, "-O0"):
        sys.exit("DOCA_CORE_CHECK=2: no checked mode in it")


if __name__ == "__main__":
    main()
