#!/usr/bin/env python3
"""Check that the checked mode costs nothing when DOCA_CORE_CHECK is 0 or 1, and that recordings
cost nothing when DOCA_CORE_TRACE is 0: the preprocessor passes on the same tokens from doca_core.h
and from a copy without these parts. The compiler generates the same code from the same tokens, with
every optimization.

To make the copy, the script removes from the header the blocks of `#if DOCA_CORE_CHECK >= 2` and
`#if DOCA_CORE_TRACE`, DOCA_PRIV_CHECKED(...), DOCA_PRIV_ENTER(...), DOCA_PRIV_ALONE(...),
DOCA_PRIV_TRACED(...), and comparisons of the level within expressions. A comparison with the level
is a constant: in the tokens of both, the script replaces it by its value where it is an operand of
its own.

usage: test_checked_cost.py CC
Exit status: 0 the tokens are the same; 1 the tokens differ, or the copy still contains a part of
the checked mode or of recordings; 64 wrong arguments."""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEVEL_TEST = "DOCA_CORE_CHECK >= 2"
TESTS = ("#if " + LEVEL_TEST, "#if DOCA_CORE_TRACE")
CHECKED_CALL = re.compile(r"DOCA_PRIV_(?:CHECKED|ENTER|ALONE|TRACED)\(")
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[\w.]+|[<>=!]=|&&|\|\||[^\w\s]')
# A comparison of the level that is an operand of its own, in a text with one token in each line.
COMPARISON = re.compile(r"(\n(?:[(\[?:,=]|&&|\|\||return)\n)([0-2])\n(>=|<)\n2"
                        r"(?=\n(?:[)\]?:,;]|&&|\|\|)\n)")
NOT_TRACE = {"doca_priv_trace_read_environment"}  # a macro for nothing
NOT_CHECKED_MODE = {"doca_priv_check_args"}  # checks arguments at every level


def cut_blocks(text):
    """Keep only the #else part of each block that tests a switch; line numbers do not change."""
    # for each open block: whether the current part is kept, and whether the block tests a switch
    kept, blocks = [], []
    for line in text.splitlines():
        word = re.match(r"#\s*(if|else|elif|endif)", line)
        word = word.group(1) if word else ""
        if word == "if":
            tests_switch = line in TESTS
            blocks.append([not tests_switch, tests_switch])
        elif word == "else" and blocks[-1][1]:
            blocks[-1][0] = True
        is_directive = word and blocks[-1][1]
        if word == "endif":
            blocks.pop()
        kept.append("" if is_directive or not all(is_kept for is_kept, _ in blocks) else line)
    return "\n".join(kept) + "\n"


def cut_calls(text):
    """Remove each use of the macros that contain code for a switch, up to the closing
    parenthesis."""
    while begin := CHECKED_CALL.search(text):
        end, depth = begin.end(), 1
        while depth > 0:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        text = text[: begin.start()] + "\n" * text.count("\n", begin.start(), end) + text[end:]
    return text


def cut(text):
    text = re.sub(r"/\*.*?\*/", lambda c: "\n" * c.group().count("\n") or " ", text, flags=re.S)
    text = cut_calls(re.sub(r"#define DOCA_PRIV_(CHECK|ENTER|ALONE|TRACED).*", "", cut_blocks(text)))
    text = text.replace(LEVEL_TEST, "0").replace("DOCA_CORE_CHECK < 2", "1")
    return text.replace("DOCA_PRIV_CHECK_QUARANTINED", "0")


def tokens(compiler, header, level):
    """Return the tokens that the compiler gets from the implementation, with the value of each
    comparison of the level in its place."""
    with tempfile.TemporaryDirectory() as place:
        pathlib.Path(place, "doca_core.h").write_text(header)
        text = subprocess.run(
            [compiler, "-E", "-P", "-O2", "-w", "-std=c11", "-I.", f"-DDOCA_CORE_CHECK={level}",
             ROOT / "tests/support/impl.c"], cwd=place, check=True, stdout=subprocess.PIPE,
            text=True).stdout
    return COMPARISON.sub(lambda c: c[1] + str(int((int(c[2]) >= 2) == (c[3] == ">="))),
                          "\n".join(TOKEN.findall(text))).splitlines()


def main():
    if len(sys.argv) != 2:
        print("usage: test_checked_cost.py CC", file=sys.stderr)
        sys.exit(64)
    compiler = sys.argv[1]
    whole = (ROOT / "doca_core.h").read_text()
    without = cut(whole)

    left = set(re.findall(r"doca_priv_check_\w+|DOCA_PRIV_CHECK\w*", without)) - NOT_CHECKED_MODE
    left |= set(re.findall(r"doca_priv_trace\w*", without)) - NOT_TRACE
    if left:
        sys.exit(f"these names were not removed: {', '.join(sorted(left))}")
    for level in (0, 1):
        with_mode, without_mode = (tokens(compiler, h, level) for h in (whole, without))
        if with_mode != without_mode:
            same = next((i for i, pair in enumerate(zip(with_mode, without_mode))
                         if pair[0] != pair[1]), min(len(with_mode), len(without_mode)))
            here = slice(max(same - 20, 0), same + 10)
            sys.exit(f"DOCA_CORE_CHECK={level}: {' '.join(with_mode[here])!r}, without the checked "
                     f"mode {' '.join(without_mode[here])!r}")
        print(f"DOCA_CORE_CHECK={level}: {len(with_mode)} tokens, the same")
    if tokens(compiler, whole, 2).count("doca_priv_check_note") < 2:
        sys.exit("DOCA_CORE_CHECK=2: nothing calls the checked mode")


if __name__ == "__main__":
    main()
