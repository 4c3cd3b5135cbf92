#!/bin/sh
# Files that disagree about the sizes of structures are not linked: disagree.sh COMPILER
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# link FLAG...: a file that is compiled with these, and the code
link()
{
    "$cc" -I"$here/.." -DTWO_FILES "$@" -c "$here/two_files_main.c" -o "$work/main.o"
    "$cc" "$work/main.o" "$work/code.o" -o "$work/two" 2>"$work/said"
}

cc=$1
"$cc" -I"$here/.." -c "$here/two_files_impl.c" -o "$work/code.o"
link
for knob in CHECK=2 MMAP_DEVS=7; do
    if link "-DDOCA_CORE_$knob" || ! grep -q 'mmap_devs_is_' "$work/said"; then
        echo "linked with another DOCA_CORE_$knob: $(cat "$work/said")"
        exit 1
    fi
done
