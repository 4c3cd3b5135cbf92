#!/bin/sh
# Check that tools/soak detects wrong bits that its devices write: test_soak_spoiled.sh SECONDS
# A failure for another reason, such as a crashed process, does not pass the test.
soak=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)/../../tools/soak
output=$("$soak" --seconds "$1" --spoil 2>&1)
status=$?
printf '%s\n' "$output"
[ $status -eq 1 ] && ! printf '%s\n' "$output" | grep -q 'line [0-9]' || exit 1
printf '%s\n' "$output" |
    grep -qE 'is not equal|is not that of the reference|came here as others|are not what it wrote'
