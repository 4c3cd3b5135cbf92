#!/bin/sh
# Install the package into an empty directory, and use the installed package and the source tree in
# a project that enables only C: test_package.sh CMAKE BUILD_DIR
set -eu
cmake=$1 build=$2
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

DESTDIR='' "$cmake" --install "$build" --prefix "$work/prefix" >/dev/null
[ -f "$work/prefix/include/doca_core.h" ] || {
    echo "include/doca_core.h was not installed"
    exit 1
}

"$work/prefix/bin/doca_caps" --list-devs >/dev/null || {
    echo "bin/doca_caps was not installed"
    exit 1
}

version=$(awk '
    /^#define DOCA_CORE_VERSION_(MAJOR|MINOR|PATCH) / { v = v s $3; s = "." }
    END { print v }' "$root/doca_core.h")
mkdir "$work/consumer"
cat >"$work/consumer/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES C)
if(FROM_SOURCE)
  add_subdirectory(\${FROM_SOURCE} doca_core)
else()
  find_package(doca_core $version EXACT REQUIRED)
endif()
if(TARGET heap_trap)
  message(FATAL_ERROR "the tests of doca_core are built in another project")
endif()
add_executable(consumer consumer.c)
target_link_libraries(consumer PRIVATE doca_core::doca_core)
END
cat >"$work/consumer/consumer.c" <<'END'
#define DOCA_CORE_IMPLEMENTATION
#include <doca_core.h>

int main(void)
{
    struct doca_pe *pe;

    return doca_pe_create(&pe) == DOCA_SUCCESS && doca_pe_destroy(pe) == DOCA_SUCCESS ? 0 : 1;
}
END

# try NAME OPTION...: configure, build and run the consumer
try()
{
    dir=$work/$1
    shift
    { "$cmake" -S "$work/consumer" -B "$dir" -DCMAKE_C_COMPILER="${CC:-cc}" "$@" &&
        "$cmake" --build "$dir"; } >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    "$dir/consumer"
}
try installed -DCMAKE_PREFIX_PATH="$work/prefix"
try vendored -DFROM_SOURCE="$root"

# the installed files must not contain paths of the source or build tree; binary files may contain
# them as debug information
if grep -rlIF -e "$root" -e "$build" "$work/prefix"; then
    echo "the installed files above contain the path of the source or build tree"
    exit 1
fi
echo "doca_core $version: installed, found, vendored"
