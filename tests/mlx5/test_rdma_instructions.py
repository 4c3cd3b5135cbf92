#!/usr/bin/env python3
"""Run bench/rdma_instructions.c under callgrind on the emulated device, print the instructions of an
RDMA write of 64 bytes by doca_core_rdma.h and by libmlx5, and fail when the ratio is above GATE of
test_mlx5_instructions.py.

usage: test_rdma_instructions.py [--json FILE] RUN PROGRAM
  --json FILE  also write the counts there, for bench/results

RUN is tools/mlx5sim/run, PROGRAM the compiled bench program. The count is the instructions of the
program's thread to post writes and to reap their completions, without the time in between, as
test_mlx5_instructions.py counts copies. The counts with the calls of libibverbs
(DOCA_CORE_RDMA_ENGINE=verbs) are printed, too; they have no limit. Exit status: 0 passed; 1 the
ratio is above GATE, or a count is missing; 64 wrong usage; 77 a program or library is missing."""

import sys

import test_mlx5_instructions as copies

FORMS = {"inline": "RDMA write, 64 bytes inside the WQE",
         "pointer": "RDMA write, the WQE points to 64 bytes (doca_core: 65)"}
GROUPS = {1: "one doorbell each", 32: "one doorbell each, 32 reaped together"}


def measure(sim, program, environment):
    counts = copies.counts_of(sim, program, environment)
    rows = []
    for form, title in FORMS.items():
        for group, how in GROUPS.items():
            ours, theirs = (copies.per_copy(counts, side, form, group)
                            for side in ("doca_core", "libmlx5"))
            rows.append({"engine": form, "title": title, "group": group, "how": how,
                         "doca_core": round(ours, 1), "libmlx5": round(theirs, 1),
                         "ratio": round(ours / theirs, 3)})
    return rows


def table(rows):
    yield "| writes | reaped together | doca_core | libmlx5 | ratio |"
    yield "|---|---:|---:|---:|---:|"
    for row in rows:
        yield (f'| {row["title"]} | {row["group"]} | {row["doca_core"]} | {row["libmlx5"]} | '
               f'{row["ratio"]:.2f} |')


def main(words):
    path, words = copies.arguments(words, __doc__)
    rows = measure(*words, {"DOCA_CORE_RDMA_ENGINE": ""})
    print("Instructions per write, posted and reaped, on the emulated device:\n")
    print("\n".join(table(rows)))
    alone = measure(*words, {"DOCA_CORE_RDMA_ENGINE": "", "MLX5_SINGLE_THREADED": "1"})
    print("\nThe same with libmlx5 without its locks (MLX5_SINGLE_THREADED=1):\n")
    print("\n".join(table(alone)))
    print("\nThe same with doca_core through the calls of libibverbs, without a limit:\n")
    print("\n".join(table(measure(*words, {"DOCA_CORE_RDMA_ENGINE": "verbs"}))))
    return copies.judge(rows, alone, path)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
