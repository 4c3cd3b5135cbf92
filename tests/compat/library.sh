#!/bin/sh
# Install the library into an empty directory, and build and run programs with the installed tree.
#     library.sh CMAKE BUILD_DIR own|vendor      environment: CC, CXX, DOCA_TEST_SANITIZE
# own: install from BUILD_DIR. vendor: configure and build again, with the vendor's layout.
set -eu
cmake=$1 build=$2 layout=$3
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc=${CC:-cc}
unset LD_LIBRARY_PATH DOCA_CORE_SIDE DOCA_CORE_SW_TOPOLOGY DOCA_CORE_SW_PROFILE DOCA_LOG_LEVEL

fail()
{
    echo "$layout: $*"
    exit 1
}

# quietly COMMAND...: run it; print its output only if it fails
quietly()
{
    "$@" >"$work/log" 2>&1 || { cat "$work/log"; fail "failed: $*"; }
}

prefix=$work/prefix
if [ "$layout" = vendor ]; then
    build=$work/build
    quietly "$cmake" -S "$root" -B "$build" -DCMAKE_C_COMPILER="$cc" -DCMAKE_BUILD_TYPE=Debug \
        -DDOCA_CORE_TESTS=OFF -DDOCA_CORE_EXAMPLES=OFF -DDOCA_CORE_VENDOR_TREE=ON
    quietly "$cmake" --build "$build"
fi
DESTDIR='' quietly "$cmake" --install "$build" --prefix "$prefix"
# the installed tree must work after it was moved
mv "$prefix" "$work/moved"
prefix=$work/moved

# ---- installed files

pc=$(find "$prefix" -name doca-common.pc)
[ -n "$pc" ] || fail 'there is no doca-common.pc'
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
lib=$(dirname "$PKG_CONFIG_PATH")
version=$(sed -n 's/^Version: //p' "$pc")
[ "$(find "$prefix/include" -name 'doca_*.h' ! -name 'doca_core*' | wc -l)" -eq 37 ] ||
    fail 'not all of the 37 headers were installed'

if [ "$layout" = vendor ]; then
    [ "$lib" = "$prefix/lib/$(uname -m)-linux-gnu" ] || fail "the libraries are in $lib"
    [ "$(cat "$prefix/applications/VERSION")" = "$version" ] || fail 'applications/VERSION differs'
    all='-ldoca_common -ldoca_dma -ldoca_sha -ldoca_argp -ldoca_apsh -ldoca_clock -ldoca_comch
-ldoca_comm_channel -ldoca_rdma'
    other_orders='-ldoca_dma|-ldoca_apsh|-ldoca_clock|-ldoca_comch|-ldoca_comm_channel|-ldoca_rdma|-ldoca_argp -ldoca_sha -ldoca_dma -ldoca_common|-ldoca_sha -ldoca_core'
else
    all=-ldoca_core
    other_orders=''
fi

# ---- programs

# build OUT FLAG...: build program.c; only the flags tell the compiler where the installed tree is
build()
{
    out=$1
    shift
    quietly "$cc" -Wall -Wextra -Wpedantic -Werror "$here/program.c" -o "$out" "$@"
}

# run PROGRAM DEVICES FIRST: check that it finds DEVICES devices, of which the first is FIRST
run()
{
    LD_LIBRARY_PATH=$lib "$1" -q >"$work/out" 2>&1 || { cat "$work/out"; fail "failed: $1"; }
    cat >"$work/wanted" <<END
version $version, library $version
$2 devices, the first $3
copied
END
    diff "$work/wanted" "$work/out" || fail "$1 has another output"
}

include=-I$prefix/include
both='9 0000:03:00.0' dpu='4 0000:03:00.0' host='5 0000:0b:00.0'
for kind in Bdynamic Bstatic; do
    set -- "$include" -L"$lib" -Wl,-$kind
    build "$work/plain" "$@" $all -Wl,-Bdynamic
    run "$work/plain" $both
    build "$work/dpu" -DDOCA_ARCH_DPU "$@" $all -Wl,-Bdynamic
    run "$work/dpu" $dpu
    build "$work/host" -DDOCA_ARCH_HOST "$@" $all -Wl,-Bdynamic
    run "$work/host" $host
    DOCA_CORE_SIDE=host run "$work/dpu" $host
    DOCA_CORE_SIDE=both run "$work/host" $both
    # the linker must keep the constant that selects the side, although nothing refers to it
    build "$work/hidden" -DDOCA_ARCH_DPU -fvisibility=hidden -fdata-sections -Wl,--gc-sections \
        -Wl,--as-needed "$@" $all -Wl,-Bdynamic
    run "$work/hidden" $dpu
    oldifs=$IFS
    IFS='|'
    for order in $other_orders; do
        IFS=$oldifs
        build "$work/order" "$@" $order -Wl,-Bdynamic
        run "$work/order" $both
        if [ $kind = Bdynamic ]; then # all names lead to one copy of the library
            LD_LIBRARY_PATH=$lib ldd "$work/order" >"$work/needed"
            [ "$(grep -c doca "$work/needed")" -eq 1 ] || fail "$order: $(cat "$work/needed")"
        fi
    done
    IFS=$oldifs
done

# the program compiles the implementation itself, from the installed headers
cp "$here/program.c" "$work/whole.c"
quietly "$cc" "$include" -DDOCA_CORE_IMPLEMENTATION -DDOCA_CORE_LOG_IMPLEMENTATION \
    -DDOCA_CORE_ARGP_IMPLEMENTATION -DDOCA_CORE_APSH_IMPLEMENTATION \
    -DDOCA_CORE_CLOCK_IMPLEMENTATION \
    -DDOCA_CORE_COMCH_IMPLEMENTATION -DDOCA_CORE_RDMA_IMPLEMENTATION \
    -DDOCA_CORE_DEFAULT_ARENA_BYTES=0x40000000 -DDOCA_ARCH_DPU \
    "$work/whole.c" -o "$work/whole"
run "$work/whole" $dpu

# with a sanitizer in the program but not in the library
if [ -n "${DOCA_TEST_SANITIZE-}" ]; then
    build "$work/sanitized" "-fsanitize=$DOCA_TEST_SANITIZE" "$include" -L"$lib" $all
    run "$work/sanitized" $both
fi

# ---- pkg-config

if command -v pkg-config >/dev/null 2>&1; then
    for name in doca-common doca-dma doca-sha doca-argp doca-apsh doca-clock doca-comch \
        doca-comm-channel doca-rdma doca; do
        [ "$(pkg-config --modversion $name)" = "$version" ] || fail "$name has another version"
        [ -f "$(pkg-config --variable=includedir $name)/doca_dma.h" ] || fail "$name: includedir"
        [ -d "$(pkg-config --variable=prefix $name)/include" ] || fail "$name: prefix"
        build "$work/pc" $(pkg-config --cflags --libs $name)
        run "$work/pc" $both
    done
    build "$work/pc" $(pkg-config --cflags --libs doca-argp doca-dma doca-common)
    run "$work/pc" $both
    pkg-config --exists 'doca-common >= 2.5.1' || fail 'doca-common is older than 2.5.1'
else
    echo 'pkg-config is not installed: the .pc files were not tested'
fi

# ---- CMake

mkdir "$work/consumer"
cp "$here/program.c" "$work/consumer"
cat >"$work/consumer/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES C)
if(FROM_SOURCE)
  set(DOCA_CORE_LIBRARY ON)
  add_subdirectory(${FROM_SOURCE} doca_core)
else()
  find_package(doca_core REQUIRED)
endif()
foreach(kind static shared)
  add_executable(${kind} program.c)
  target_link_libraries(${kind} PRIVATE doca_core::${kind})
endforeach()
END
# consume NAME OPTION...: build the CMake project above with these options, and run its programs
consume()
{
    dir=$work/$1
    shift
    quietly "$cmake" -S "$work/consumer" -B "$dir" -DCMAKE_C_COMPILER="$cc" \
        -DCMAKE_BUILD_TYPE=Debug "$@"
    quietly "$cmake" --build "$dir"
    run "$dir/static" $both
    run "$dir/shared" $both
}
consume installed -DCMAKE_PREFIX_PATH="$prefix"
[ "$layout" = vendor ] || consume vendored -DFROM_SOURCE="$root"

if grep -rlIF -e "$root" -e "$build" "$prefix"; then
    fail 'the installed files above contain the path of the source or build tree'
fi
echo "$layout: doca $version"
