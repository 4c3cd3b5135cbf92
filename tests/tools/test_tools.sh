#!/bin/sh
# Check that tools report wrong arguments and wrong files, and end after Ctrl-C: test_tools.sh
# EXAMPLE16
set -u
example=$(realpath -- "$1")
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
num_failed=0
cd "$work" || exit 1
unset DOCA_CORE_SW_TOPOLOGY DOCA_CORE_SW_PROFILE DOCA_CORE_FAULT DOCA_CORE_SIDE

# expect STATUS WORDS COMMAND...: check that the command ends with this status, and that its
# standard error contains WORDS and no Python traceback
expect()
{
    want=$1 words=$2
    shift 2
    "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    if [ "$status" -ne "$want" ] || ! grep -qF -- "$words" "$work/err" ||
        grep -q Traceback "$work/err"; then
        echo "FAILED  $*: status $status, want $want and '$words':"
        sed 's/^/    /' "$work/out" "$work/err" | head -n 20
        num_failed=$((num_failed + 1))
    fi
}

# interrupted SECONDS COMMAND...: send SIGINT to the command after SECONDS, and check that it ends
# with the status of an interrupted program
interrupted()
{
    seconds=$1
    shift
    python3 - "$seconds" "$@" <<'P' || num_failed=$((num_failed + 1))
import os, signal, subprocess, sys
seconds, command = float(sys.argv[1]), sys.argv[2:]
tool = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                        stderr=subprocess.PIPE, text=True, start_new_session=True)
try:
    tool.communicate(timeout=seconds)
    if tool.returncode == 77:  # a program that the tool needs is not installed
        sys.exit()
    sys.exit(f"FAILED  {command}: it ended before Ctrl-C, with status {tool.returncode}")
except subprocess.TimeoutExpired:
    os.killpg(tool.pid, signal.SIGINT)
try:
    _, errors = tool.communicate(timeout=20)
except subprocess.TimeoutExpired:
    os.killpg(tool.pid, signal.SIGKILL)
    sys.exit(f"FAILED  {command}: it did not end after Ctrl-C")
if tool.returncode not in (130, -signal.SIGINT) or "Traceback" in errors:
    sys.exit(f"FAILED  {command}: status {tool.returncode} after Ctrl-C\n{errors}")
P
}

# every tool explains its options on standard output, and reports an unknown option. The test
# apsh_top does this for tools/apsh-top, which compiles itself on first use.
for tool in "$root"/tools/* "$root/tools/mlx5sim/check_prm"; do
    [ -f "$tool" ] && [ -x "$tool" ] && [ "$tool" != "$root/tools/apsh-top" ] || continue
    "$tool" --help >"$work/out" 2>"$work/err" </dev/null
    status=$?
    if [ "$status" -ne 0 ] || [ -s "$work/err" ] || ! grep -qi '^usage' "$work/out"; then
        echo "FAILED  $tool --help: status $status, or no usage on standard output"
        num_failed=$((num_failed + 1))
    fi
    expect 64 "${tool##*/}" "$tool" --no-such-option
done

# wrong arguments are reported before a download or a build
if command -v qemu-system-x86_64 >/dev/null; then
    expect 66 'nosuch: no such file' env XDG_CACHE_HOME="$work/cache" "$root/tools/rxe-guest" \
        --guest --no-download --with nosuch true
fi
if "$root/tools/coverage" --help >/dev/null 2>&1 && command -v gcov >/dev/null &&
    [ "${CC:-gcc}" = gcc ]; then
    expect 64 'usage: tools/coverage' "$root/tools/coverage" nothing
    expect 64 '--jobs' "$root/tools/coverage" --jobs 0
    expect 64 '/proc/nosuch' "$root/tools/coverage" --dir /proc/nosuch
    interrupted 3 "$root/tools/coverage" --dir "$work/coverage"
fi
expect 64 'usage: run DIR install' "$root/tests/compat/run"
expect 64 'no model nosuch' "$root/tests/models/run" nosuch
expect 64 '--list' "$root/tools/portability" --list nosuch
expect 66 'cannot read nosuch.json' env DOCA_README_RESULTS=nosuch.json "$root/tools/readme" --check

# an invalid environment variable is reported and ignored. With CC, tools/demo would compile its
# program anew at each call.
unset CC
echo 'copy me' >from
expect 0 'DOCA_CORE_SW_TOPOLOGY' env DOCA_CORE_SW_TOPOLOGY=nonsense "$root/tools/demo" from to
cmp -s from to || { echo 'FAILED  tools/demo: the copy differs' && num_failed=$((num_failed + 1)); }
expect 1 'nosuch' "$root/tools/demo" nosuch to

# files that cannot be read
: >empty
expect 1 'No such file' "$example" nosuch
expect 1 'No data' "$example" empty
expect 1 'Is a directory' "$example" "$work"

[ "$num_failed" -eq 0 ]
