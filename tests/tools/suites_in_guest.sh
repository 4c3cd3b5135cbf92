#!/bin/sh
# Run the given suites one after the other in the guest of tools/rxe-guest, on soft-RoCE:
# suites_in_guest.sh PROGRAM... Prints the failures, and one line for each program. A suite that is
# skipped as a whole counts as failed, because the guest has a device. Tests with many repetitions
# run only one in 50 of them, because the guest is emulated.
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
