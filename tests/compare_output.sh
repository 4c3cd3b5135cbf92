#!/bin/sh
# Run PROGRAM and compare what it prints with the file EXPECTED: compare_output.sh EXPECTED PROGRAM
set -u
printed=$(mktemp) || exit 1
trap 'rm -f "$printed"' EXIT
"$2" >"$printed"
status=$?
[ "$status" -eq 0 ] || echo "$2: exit status $status"
diff -u "$1" "$printed" && exit "$status"
exit 1
