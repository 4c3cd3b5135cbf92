#!/bin/sh
# Run PROGRAM and compare its output with the file EXPECTED:
# compare_output.sh EXPECTED PROGRAM [ARGUMENT]...
# Exit status: 0 the output is equal and PROGRAM succeeded; 77 PROGRAM exited with 77 (skipped); the
# status of PROGRAM if that is another one; 1 the output differs.
set -u
printed=$(mktemp) || exit 1
trap 'rm -f "$printed"' EXIT
expected=$1
shift
"$@" >"$printed"
status=$?
[ "$status" -ne 77 ] || exit 77
[ "$status" -eq 0 ] || echo "$1: exit status $status"
diff -u "$expected" "$printed" && exit "$status"
exit 1
