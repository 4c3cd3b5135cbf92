#!/bin/sh
# Files that disagree about the sizes of structures are not linked: disagree.sh COMPILER
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# code FLAG...: the code, compiled with these
code()
{
    "$cc" -I"$here/../.." "$@" -c "$here/two_files_impl.c" -o "$work/code.o"
}

# link FLAG...: a file that is compiled with these, and the code
link()
{
    "$cc" -I"$here/../.." -DTWO_FILES "$@" -c "$here/two_files_main.c" -o "$work/main.o"
    "$cc" "$work/main.o" "$work/code.o" -o "$work/two" 2>"$work/said"
}

# refused FLAG...: the two are not linked
refused()
{
    if link "$@" || ! grep -q 'mmap_devs_is_' "$work/said"; then
        echo "linked with other $*: $(cat "$work/said")"
        exit 1
    fi
}

cc=$1
code
link
refused -DDOCA_CORE_CHECK=2
refused -DDOCA_CORE_MMAP_DEVS=7
code -DDOCA_CORE_CHECK=2
link -DDOCA_CORE_CHECK=2
refused -DDOCA_CORE_CHECK=2 -DDOCA_CORE_CHECK_LIVES=7
