#!/bin/sh
# Tools that are started wrongly say so in a line, in time, and leave nothing: test_tools.sh EXAMPLE16
set -u
example=$(realpath -- "$1")
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
num_failed=0
cd "$work" || exit 1
unset DOCA_CORE_SW_TOPOLOGY DOCA_CORE_SW_PROFILE DOCA_CORE_FAULT DOCA_CORE_SIDE

# expect STATUS WORDS COMMAND...: it ends with that status, and these words, on standard error, are
# not those of a program that crashed
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

# interrupted SECONDS COMMAND...: after so long a Ctrl-C comes; it ends as one that was interrupted
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
    if tool.returncode == 77:  # it cannot be run here
        sys.exit()
    sys.exit(f"FAILED  {command}: it ended by itself, with {tool.returncode}")
except subprocess.TimeoutExpired:
    os.killpg(tool.pid, signal.SIGINT)
try:
    _, said = tool.communicate(timeout=20)
except subprocess.TimeoutExpired:
    os.killpg(tool.pid, signal.SIGKILL)
    sys.exit(f"FAILED  {command}: it went on after Ctrl-C")
if tool.returncode not in (130, -signal.SIGINT) or "Traceback" in said:
    sys.exit(f"FAILED  {command}: {tool.returncode} after Ctrl-C\n{said}")
P
}

# before anything is downloaded or built
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

# a bad setting in the environment is reported and ignored
echo 'copy me' >from
expect 0 'DOCA_CORE_SW_TOPOLOGY' env DOCA_CORE_SW_TOPOLOGY=nonsense "$root/tools/demo" from to
cmp -s from to || { echo 'FAILED  tools/demo: no copy' && num_failed=$((num_failed + 1)); }
expect 1 'nosuch' "$root/tools/demo" nosuch to

# names that are not readable files
: >empty
expect 1 'No such file' "$example" nosuch
expect 1 'No data' "$example" empty
expect 1 'Is a directory' "$example" "$work"

[ "$num_failed" -eq 0 ]
