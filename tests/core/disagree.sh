#!/bin/sh
# Check that the linker refuses a program whose files were compiled with settings that give
# structures different sizes: disagree.sh COMPILER
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Modules that the two programs do not use: without them the compiler has less to do.
lean=''
for module in REP POOL BUF_ARRAY BATCH SHA SYNC_EVENT GRAPH BRIDGE FAULT MMAP_ADVISE STATS; do
    lean="$lean -DDOCA_CORE_NO_$module"
done

# compile_code FLAG...: compile the file with the implementation, with these flags
compile_code()
{
    # shellcheck disable=SC2086 # several flags
    "$cc" -I"$here/../.." $lean "$@" -c "$here/two_files_impl.c" -o "$work/code.o"
}

# link_main FLAG...: compile the main file with these flags, and link it with the implementation
link_main()
{
    # shellcheck disable=SC2086 # several flags
    "$cc" -I"$here/../.." $lean -DTWO_FILES "$@" -c "$here/two_files_main.c" -o "$work/main.o"
    "$cc" "$work/main.o" "$work/code.o" -o "$work/two" 2>"$work/errors"
}

# check_is_refused FLAG...: the linker refuses a main file compiled with these flags, and its error
# names the symbol that holds the settings
check_is_refused()
{
    if link_main "$@" || ! grep -q 'mmap_devs_is_' "$work/errors"; then
        echo "a main file compiled with $* is not refused as it should be: $(cat "$work/errors")"
        exit 1
    fi
}

cc=$1
compile_code
link_main
check_is_refused -DDOCA_CORE_CHECK=2
check_is_refused -DDOCA_CORE_MMAP_DEVS=7
compile_code -DDOCA_CORE_CHECK=2
link_main -DDOCA_CORE_CHECK=2
check_is_refused -DDOCA_CORE_CHECK=2 -DDOCA_CORE_CHECK_LIVES=7
