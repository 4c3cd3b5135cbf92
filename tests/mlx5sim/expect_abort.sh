#!/bin/sh
# usage: expect_abort.sh TEXT COMMAND...
# Passes when COMMAND is aborted and its output has a line that matches TEXT.
text=$1
shift
output=$("$@" 2>&1)
status=$?
printf '%s\n' "$output"
[ "$status" -ne 77 ] || exit 77
if [ "$status" -ne 134 ]; then
    echo "expect_abort.sh: status $status, want 134 (aborted)"
    exit 1
fi
printf '%s\n' "$output" | grep -q "rule broken by process [0-9]* on mlx5_0: $text"
