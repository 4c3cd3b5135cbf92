#!/bin/sh
# Compile a program that uses the vendor's headers: each header alone, all of them in several
# orders, with and without the vendor's build macros, and with another doca_error.h, in each version
# of C and C++.
#     headers.sh INCLUDE_DIR...       the first contains the generated headers; environment: CC, CXX
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
generated=$1
flags='-Wall -Wextra -Wpedantic -pedantic-errors -Wconversion -Wshadow -Werror -fsyntax-only'
for dir; do
    flags="$flags -I$dir"
done
standards='c99 c11 c17 c++11 c++17 c++20'
builds=0

# compile STANDARD FILE FLAG...
compile()
{
    standard=$1 file=$2
    shift 2
    case $standard in
    c++*) compiler=${CXX:-c++} language=c++ ;;
    *) compiler=${CC:-cc} language=c ;;
    esac
    if ! "$compiler" -x "$language" "-std=$standard" $flags "$@" "$file"; then
        echo "does not compile: $standard $*"
        exit 1
    fi
    builds=$((builds + 1))
}

# the headers with the vendor's names, without this project's headers in the same directory
names=$(cd "$generated" && ls doca_*.h | grep -v '^doca_core')
forward='' backward='' pairs=''
for name in $names; do
    for standard in $standards; do
        compile $standard "$here/uses.c" -include "$name"
    done
    forward="$forward -include $name"
    backward="-include $name $backward"
    pairs="$pairs -include doca_version.h -include $name"
done
[ "$(echo "$names" | wc -l)" -eq 37 ] || { echo "expected 37 headers, found:" $names; exit 1; }

permission='-DDOCA_ALLOW_EXPERIMENTAL_API -DDOCA_ALLOW_DEPRECATED_API -DALLOW_EXPERIMENTAL_API'
for standard in $standards; do
    compile $standard "$here/uses.c" $forward $permission -D__DOCA_EXPERIMENTAL=
    compile $standard "$here/uses.c" $backward -DUSES_NO_SEMICOLON -DDOCA_ARCH_HOST
    compile $standard "$here/uses.c" $pairs -DDOCA_ARCH_DPU -DDOCA_ARCH_HOST -DUSES_DPU
done

other=$here/other_doca_error.h
for standard in c99 c++17; do
    for functions in '' -DOTHER_FUNCTIONS; do
        compile $standard "$here/uses.c" $functions -include "$other" -include doca_error.h
        compile $standard "$here/uses.c" $functions -include doca_error.h -include "$other"
    done
    # the implementation, which then takes the error codes from the other header
    compile $standard "$here/uses.c" -include "$other" -DDOCA_CORE_IMPLEMENTATION \
        -DDOCA_CORE_LOG_IMPLEMENTATION -DDOCA_CORE_ARGP_IMPLEMENTATION \
        -DDOCA_CORE_APSH_IMPLEMENTATION -DDOCA_CORE_CLOCK_IMPLEMENTATION \
        -DDOCA_CORE_COMCH_IMPLEMENTATION -DDOCA_CORE_RDMA_IMPLEMENTATION -include doca_dma.h
done

# programs of DOCA 1.x
for standard in c99 c++17; do
    compile $standard "$here/legacy_15.c" -DDOCA_CORE_LEGACY=10500 -include doca_dma.h
done

# the names of 2.5 for DOCA Comch: by default, and in programs of 3.x by their headers
for standard in c99 c11 c++17; do
    compile $standard "$here/comch_25.c" -include doca_comch.h
    for name in doca_cc.h doca_cc_consumer.h doca_cc_producer.h; do
        compile $standard "$here/comch_25.c" -DDOCA_CORE_API=30000 -include $name
        compile $standard "$here/comch_25.c" -DDOCA_CORE_API=30000 -include doca_dev.h -include $name
    done
done
if "${CC:-cc}" -x c $flags -DDOCA_CORE_API=30000 -include doca_comch.h "$here/comch_25.c" 2>/dev/null; then
    echo 'a program of 3.x sees the names of 2.5'
    exit 1
fi

# the implementation of Comch needs that of the core in the same file
if "${CC:-cc}" -x c $flags -DDOCA_CORE_COMCH_IMPLEMENTATION -include doca_core_comch.h "$here/comch_25.c" 2>/dev/null; then
    echo 'the implementation of Comch was accepted without that of the core'
    exit 1
fi

# the implementation of RDMA as well
if "${CC:-cc}" -x c $flags -DDOCA_CORE_RDMA_IMPLEMENTATION -include doca_core_rdma.h /dev/null 2>/dev/null; then
    echo 'the implementation of RDMA was accepted without that of the core'
    exit 1
fi
"${CC:-cc}" -x c $flags -include doca_core_rdma.h /dev/null

# programs can select each of the two API versions, and no other version
for standard in c99 c++17; do
    for api in 20501 30000; do
        compile $standard "$here/uses.c" -DDOCA_CORE_API=$api -include doca_dma.h
    done
done
if "${CC:-cc}" -x c $flags -DDOCA_CORE_API=10000 -include doca_dma.h "$here/uses.c" 2>/dev/null; then
    echo 'an unsupported API version was accepted'
    exit 1
fi
echo "$builds compilations"
