#!/bin/sh
# Check that invalid CMake options of the library are refused with a message, and that without
# options only the headers are installed, without a build: options.sh CMAKE
set -eu
cmake=$1
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# refused WORDS OPTION...: check that CMake refuses the options with an error that begins with WORDS
refused()
{
    words=$1
    shift
    if "$cmake" -S "$root" -B "$work/build" -DCMAKE_C_COMPILER="${CC:-cc}" -DDOCA_CORE_TESTS=OFF \
        -DDOCA_CORE_EXAMPLES=OFF -DDOCA_CORE_LIBRARY=ON "$@" >"$work/log" 2>&1; then
        echo "accepted: $*"
        exit 1
    fi
    # CMake wraps the message: join its lines
    tr -s '\n ' '  ' <"$work/log" | grep -qF " $words" || { cat "$work/log"; exit 1; }
    rm -f "$work/build/CMakeCache.txt"
}
refused 'DOCA_CORE_API is 20501 or 30000, not "2.5.1"' -DDOCA_CORE_API=2.5.1
refused 'DOCA_CORE_API is 20501 or 30000, not ""' -DDOCA_CORE_API=
for bytes in 0 -1 1G 1048575 2147483648 99999999999999999999; do
    refused "DOCA_CORE_LIBRARY_ARENA_BYTES is a number of bytes from 1048576 to 2013265920, not \"$bytes\"" \
        -DDOCA_CORE_LIBRARY_ARENA_BYTES=$bytes
done
refused 'DOCA_CORE_VENDOR_TREE installs the library: it needs DOCA_CORE_LIBRARY=ON' \
    -DDOCA_CORE_VENDOR_TREE=ON -DDOCA_CORE_LIBRARY=OFF
refused 'DOCA_CORE_TEST_SCOPE is tree, compiler or build, not "all"' -DDOCA_CORE_TEST_SCOPE=all

"$cmake" -S "$root" -B "$work/plain" -DCMAKE_C_COMPILER="${CC:-cc}" -DDOCA_CORE_TESTS=OFF \
    >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
DESTDIR='' "$cmake" --install "$work/plain" --prefix "$work/prefix" >"$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }
[ "$(ls "$work/prefix/include" | tr '\n' ' ')" = 'doca_core.h doca_core_mlx5.h ' ] ||
    { ls "$work/prefix/include"; exit 1; }

# the same build directory when an option for the library is set later
"$cmake" -S "$root" -B "$work/plain" -DDOCA_CORE_VENDOR_TREE=ON >"$work/log" 2>&1 &&
    [ -e "$work/plain/include/doca_dma.h" ] || { cat "$work/log"; exit 1; }
echo 'all refused'
