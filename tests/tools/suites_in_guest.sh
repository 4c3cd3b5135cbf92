#!/bin/sh
# Run the named suites one after the other in the guest of tools/rxe-guest, on soft-RoCE:
# suites_in_guest.sh PROGRAM... Prints the failures, and one line for each program. The guest has a
# device, so a suite that is skipped as a whole counts as failed. Tests that repeat something very
# often do a 50th of it, because the guest is interpreted.
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
