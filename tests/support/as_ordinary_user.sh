#!/bin/sh
# as_ordinary_user.sh COMMAND [ARGUMENT]... PROGRAM: run COMMAND as user 65534. In its arguments,
# PROGRAM is replaced by a copy in a directory that this user can read.
# Exit status 77: this machine cannot run COMMAND as that user.
set -e
if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
    echo "skipped: only root can become another user, and needs setpriv"
    exit 77
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for program; do :; done
cp "$program" "$dir/program"
chmod 755 "$dir" "$dir/program"
mkdir "$dir/build"
chown 65534:65534 "$dir/build"
num=$#
while [ "$num" -gt 1 ]; do # remove PROGRAM, the last argument
    set -- "$@" "$1"
    shift
    num=$((num - 1))
done
shift
if ! setpriv --reuid=65534 --regid=65534 --clear-groups test -r "$1"; then
    echo "skipped: user 65534 cannot read $1"
    exit 77
fi
setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/nonexistent \
    MLX5SIM_BUILD_DIR="$dir/build" "$@" "$dir/program"
