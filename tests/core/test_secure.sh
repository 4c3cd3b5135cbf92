#!/bin/sh
# Check that a program with more rights than its caller ignores the environment, and reads no files
# that the caller names. User 65534 starts tests/core/secure_program.c as an ordinary program, with
# the setuid bit, with the setgid bit and, where setcap is installed, with a file capability.
# Exit status: 0 all checks passed; 1 a check failed; 77 the test cannot run on this machine.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
PATH=$PATH:/usr/sbin:/sbin

skip() { echo "skipped: $*"; exit 77; }
[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null ||
    skip 'a setuid program for another user needs root and setpriv'
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
mlx5=''
[ ! -e /usr/include/infiniband/mlx5dv.h ] || mlx5='-DSECURE_MLX5 -libverbs -lmlx5'
# shellcheck disable=SC2086 # options
${CC:-cc} -std=gnu11 -Wall -Wextra -I"$root" -o "$dir/plain" "$here/secure_program.c" $mlx5 ||
    exit 1
chmod 755 "$dir/plain"
echo '{}' >"$dir/open.json"
echo '{}' >"$dir/secret.json"
chmod 644 "$dir/open.json"
chmod 600 "$dir/secret.json"
failed=0

# run PROGRAM JSON: run it as user 65534, with every variable set that the library reads
run()
{
    setpriv --reuid=65534 --regid=65534 --clear-groups env -i PATH="$PATH" \
        DOCA_LOG_LEVEL=70 DOCA_CORE_SIDE=host DOCA_CORE_SW_PROFILE=bluefield3 \
        DOCA_CORE_SW_TOPOLOGY="$topology" DOCA_CORE_SW_PTRACER=any DOCA_CORE_MLX5_ENGINE=rc \
        DOCA_CORE_FAULT=dev.open=fail "$1" --json "$2" 2>"$dir/errors" |
        grep -v '^engine' >"$dir/out"
    [ -z "$mlx5" ] || setpriv --reuid=65534 --regid=65534 --clear-groups \
        env -i DOCA_CORE_MLX5_ENGINE=rc "$1" 2>/dev/null | grep '^engine' >>"$dir/out"
}

# expect NAME LINES: compare the output of the latest run
expect()
{
    [ -z "$mlx5" ] || set -- "$1" "$2
engine $3"
    if [ "$(cat "$dir/out")" = "$2" ]; then
        echo "ok  $1"
    else
        printf 'FAILED %s:\n' "$1"
        printf '%s\n' "$2" | diff - "$dir/out" | sed 's/^/    /'
        sed 's/^/    /' "$dir/errors"
        failed=1
    fi
}

ignored='log 50
devices 9
copies of any length
faults none
ptracer none'

topology=''
run "$dir/plain" "$dir/open.json"
grep -q '^secure 0$' "$dir/out" || skip 'programs of ordinary users run in secure mode here'
expect 'an ordinary program reads the environment' 'secure 0
log 70
devices 5
copies up to 2 MiB
faults one
ptracer any
json read' 2
topology='03:00.0 side=both'
run "$dir/plain" "$dir/secret.json"
expect 'an ordinary program reads the topology, and no secret file' 'secure 0
log 70
devices 1
copies up to 2 MiB
faults one
ptracer any
json refused' 2

more='setuid setgid'
! command -v setcap >/dev/null || more="$more capability"
for kind in $more; do
    cp "$dir/plain" "$dir/$kind"
    case $kind in
    setuid) chmod 4755 "$dir/$kind" ;;
    setgid) chmod 2755 "$dir/$kind" ;;
    capability) setcap cap_dac_override+ep "$dir/$kind" 2>/dev/null || continue ;;
    esac
    for file in open secret; do
        run "$dir/$kind" "$dir/$file.json"
        if ! grep -q '^secure 1$' "$dir/out"; then
            echo "skipped: $kind has no effect in $dir"
            break
        fi
        expect "$kind: environment is ignored, $file file is refused" "secure 1
$ignored
json refused" 0
        # The reason must be the rights of the program, and not the permissions of the file.
        grep -q 'Operation not permitted' "$dir/errors" || {
            echo 'FAILED: the file was refused for another reason:'
            cat "$dir/errors"
            failed=1
        }
    done
done

# The variables tested above are all variables that the headers read.
(cd "$root" && grep -Hn 'getenv(' doca_core.h doca_core_mlx5.h tools/compat/*.h) >"$dir/uses"
num=$(wc -l <"$dir/uses")
if [ "$num" != 3 ]; then
    echo "FAILED: the headers read the environment at $num places instead of 3:"
    cat "$dir/uses"
    failed=1
fi
exit "$failed"
