#!/bin/sh
# Does a soak find the bits that its devices spoil? tests/tools/test_soak_spoiled.sh SECONDS
# That it fails for another reason, a process that crashes say, does not do.
soak=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)/../../tools/soak
said=$("$soak" --seconds "$1" --spoil 2>&1)
status=$?
printf '%s\n' "$said"
[ $status -eq 1 ] && ! printf '%s\n' "$said" | grep -q 'line [0-9]' || exit 1
printf '%s\n' "$said" |
    grep -qE 'is not equal|is not that of the reference|came here as others|are not what it wrote'
