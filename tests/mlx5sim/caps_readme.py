#!/usr/bin/env python3
"""Compare the features in the README of the emulator with its table of capabilities.

usage: caps_readme.py DIRECTORY          DIRECTORY: tools/mlx5sim

Every field that device/firmware/caps.c can announce stands in the second column of one row of the
README's table of features, and this column has no other fields. test_caps.c has a probe for it.
"""
import os
import re
import sys


def main():
    where = sys.argv[1]
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(where, "device/firmware/caps.c"), encoding="utf-8") as file:
        announced = re.findall(r"^    C\(\w+, \w+, (\w+),", file.read(), re.M)
    with open(os.path.join(where, "README.md"), encoding="utf-8") as file:
        rows = re.search(r"\| feature \|.*?\n\|[-|]+\n(.*?)\n\n", file.read(), re.S)[1]
    # a card announces these features by a zero in a field named ..._disabled
    listed = [name for row in rows.split("\n") for name in re.findall(r"`(\w+)`", row.split("|")[2])
              if not name.endswith("_disabled")]
    with open(os.path.join(here, "test_caps.c"), encoding="utf-8") as file:
        probed = set(re.findall(r'"(\w+)"(?:, \w+ }|\))', file.read()))
    problems = [f"{name} is announced, but is not in the README" for name in announced
                if name not in listed]
    problems += [f"{name} is in the README, but is not announced" for name in listed
                 if name not in announced]
    problems += [f"{name} has no row in test_caps.c" for name in announced if name not in probed]
    problems += [f"{name} stands twice in the README" for name in set(listed)
                 if listed.count(name) > 1]
    for line in problems:
        print("caps_readme: " + line)
    print(f"caps_readme: {len(announced)} capabilities, {len(problems)} problems")
    return 1 if problems or not announced else 0


sys.exit(main())
