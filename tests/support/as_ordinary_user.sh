#!/bin/sh
# as_ordinary_user.sh COMMAND [ARGUMENT]...: runs it as user 65534, from a copy of the last argument,
# a program, that this user can reach. Exit status 77: it could not be done.
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
while [ "$num" -gt 1 ]; do # the same arguments but the last one
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
