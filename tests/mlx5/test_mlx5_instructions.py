#!/usr/bin/env python3
"""Run bench/mlx5_instructions.c under callgrind on the emulated device, print the instructions of a
copy by doca_core_mlx5.h and by libmlx5, and fail when the ratio is above GATE.

usage: test_mlx5_instructions.py [--json FILE] RUN PROGRAM
  --json FILE  also write the counts there, for bench/results

RUN is tools/mlx5sim/run, PROGRAM the compiled bench program. The count is the instructions of the
program's thread to post copies and to reap their completions, without the time in between. The
program runs with N and with 2 N copies; the result is the difference of the two counts, divided by
N. Exit status: 0 passed; 1 the ratio is above GATE, or a count is missing; 64 wrong usage; 77 a
program or library is missing."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

GATE = 0.8  # highest allowed ratio of our instructions to those of libmlx5
SKIP = 77
SECONDS = 100
ENGINES = {"mmo": "MMO, mlx5dv_wr_memcpy", "rc": "RC, ibv_wr_rdma_write",
           "inline": "RC, 16 bytes, ibv_wr_set_inline_data"}
GROUPS = (1, 32)


def end(status, text):
    print(text)
    sys.exit(status)


def run(sim, program, directory, environment):
    """Run the program under callgrind and yield the content of each file that it dumps."""
    command = [sim, "--doorbells", "poll", "--", "valgrind", "-q", "--tool=callgrind",
               "--toggle-collect=counted_*",
               "--callgrind-out-file=" + os.path.join(directory, "out"), program]
    try:
        done = subprocess.run(command, timeout=SECONDS, env={**os.environ, **environment},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
    except subprocess.TimeoutExpired:
        end(1, f"the program did not end within {SECONDS} seconds")
    if done.returncode == SKIP:
        end(SKIP, done.stdout.strip() or "skipped")
    if done.returncode != 0:
        end(1, f"{done.stdout.strip()}\n{program}: exit status {done.returncode}")
    for name in sorted(os.listdir(directory)):
        with open(os.path.join(directory, name), encoding="utf-8") as file:
            yield file.read()


def counts_of(sim, program, environment):
    """Return the number of instructions for each (side, engine, group, copies)."""
    counts = {}
    with tempfile.TemporaryDirectory() as directory:
        for text in run(sim, program, directory, environment):
            what = re.search(r"Client Request: (\w+) (\w+) (\d+) (\d+)$", text, re.M)
            total = re.search(r"^(?:summary|totals): (\d+)$", text, re.M)
            if what and total:
                side, engine, group, copies = what.groups()
                counts[side, engine, int(group), int(copies)] = int(total.group(1))
    return counts


def per_copy(counts, side, engine, group):
    found = {copies: count for key, count in counts.items()
             for copies in [key[3]] if key[:3] == (side, engine, group)}
    if len(found) != 2 or 0 in found.values():
        end(1, f"{side} {engine} {group}: {len(found)} counts instead of two, or a count is 0")
    few, many = sorted(found)
    return (found[many] - found[few]) / (many - few)


def measure(sim, program, environment):
    counts = counts_of(sim, program, environment)
    rows = []
    for engine, title in ENGINES.items():
        for group in GROUPS:
            ours, theirs = (per_copy(counts, side, engine, group)
                            for side in ("doca_core", "libmlx5"))
            rows.append({"engine": engine, "title": title, "group": group,
                         "doca_core": round(ours, 1), "libmlx5": round(theirs, 1),
                         "ratio": round(ours / theirs, 3),
                         "objects": round(per_copy(counts, "objects", engine, 1), 1)})
    return rows


def table(rows):
    yield "| copies by | with one doorbell | doca_core | libmlx5 | ratio | task and buffer, apart |"
    yield "|---|---:|---:|---:|---:|---:|"
    for row in rows:
        yield (f'| {row["title"]} | {row["group"]} | {row["doca_core"]} | {row["libmlx5"]} | '
               f'{row["ratio"]:.2f} | {row["objects"]} |')


def arguments(words, usage):
    """Return the path after --json, or None, and the two other arguments."""
    path = None
    if words[:1] == ["--json"] and len(words) == 4:
        path, words = words[1], words[2:]
    if len(words) != 2:
        sys.stderr.write(usage)
        sys.exit(64)
    if shutil.which("valgrind") is None:
        end(SKIP, "skipped: valgrind is not installed")
    return path, words


def judge(rows, alone, path):
    """Write the counts to `path`, print those above GATE, and return the exit status."""
    if path is not None:
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"format": 1, "gate": GATE, "rows": rows, "single_threaded": alone}, file,
                      indent=1)
            file.write("\n")
    above = [row for row in rows + alone if row["ratio"] > GATE]
    for row in above:
        print(f'{row["title"]}, {row["group"]}: {row["ratio"]} is above {GATE}')
    return 1 if above else 0


def main(words):
    path, words = arguments(words, __doc__)
    rows = measure(*words, {})
    print("Instructions per copy, posted and reaped, on the emulated device:\n")
    print("\n".join(table(rows)))
    alone = measure(*words, {"MLX5_SINGLE_THREADED": "1"})
    print("\nThe same with libmlx5 without its locks (MLX5_SINGLE_THREADED=1):\n")
    print("\n".join(table(alone)))
    return judge(rows, alone, path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
