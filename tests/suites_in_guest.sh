#!/bin/sh
# The suites that are named, one after the other, as tools/rxe-guest runs them beside soft-RoCE:
# suites_in_guest.sh PROGRAM... Prints what did not pass, and a line for each program. There is a
# device here, so that none may be skipped as a whole. What repeats something very often does a 50th
# of it: the guest is interpreted.
failed=0
for program in "$@"; do
    if DOCA_CORE_MLX5_ENGINE=verbs DOCA_TEST_PART=50 timeout 300 "$program" >out 2>&1; then
        echo "${program##*/}: $(tail -n 1 out)"
    else
        echo "${program##*/}: exit status $?"
        grep -v '^ok\|^skipped' out
        failed=1
    fi
done
exit "$failed"
