#!/bin/sh
# Run PROGRAM and compare what it prints with the file EXPECTED; exit status 77 is passed on:
# compare_output.sh EXPECTED PROGRAM [ARGUMENT]...
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
