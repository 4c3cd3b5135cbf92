#!/bin/sh
# Check which AArch64 instructions the compiler generates for the atomic accesses of doca_core.h:
#     tests/core/litmus_aarch64.sh COMPILER OBJDUMP
# QEMU on x86 keeps the memory order of x86, so a run in QEMU cannot reveal a missing barrier.
# Whether two threads see each other's accesses in the right order depends on the instructions:
#
#   shared variables          one thread          the other thread        required instructions
#   value, memory it guards   STORE               LOAD                    stlr; ldar or ldapr
#   box of a lane, task       STORE (post, done)  LOAD                    stlr; ldar or ldapr
#   lock                      STORE               TRY_LOCK                stlr; swpa or ldaxr
#   value | num_armed         STORE_ORDERED,      FETCH_ADD,              ldar and not ldapr,
#   because is_closed | num_armed     LOAD_ORDERED        LOAD_ORDERED            only ldar waits
#   for an armed, mode | box, mode   STORE_ORDERED,      FETCH_ADD,              earlier stlr
#                             LOAD_ORDERED        LOAD_ORDERED
#
# Exit status: 0 the instructions are right; 1 they are not; 77 the compiler does not know the
# architecture.
cc=$1
objdump=$2
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd -P)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

cat >"$work/litmus.c" <<'C'
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_STATIC
#include "doca_core.h"
uint64_t litmus_load(const uint64_t *p) { return DOCA_PRIV_LOAD(p); }
uint64_t litmus_load_ordered(const uint64_t *p) { return DOCA_PRIV_LOAD_ORDERED(p); }
void litmus_store(uint64_t *p) { DOCA_PRIV_STORE(p, 1u); }
void litmus_store_ordered(uint64_t *p) { DOCA_PRIV_STORE_ORDERED(p, 1u); }
uint64_t litmus_add(uint64_t *p) { return DOCA_PRIV_FETCH_ADD(p, 1u); }
bool litmus_lock(uint32_t *p) { return DOCA_PRIV_TRY_LOCK(p); }
C

status=0
# check FUNCTION PATTERN: at least one instruction of the function matches the pattern
check()
{
    "$objdump" -d --no-show-raw-insn --disassemble="$1" "$work/litmus.o" >"$work/code"
    grep -qE "[[:space:]]($2)([[:space:]]|\$)" "$work/code" && return
    echo "$march: $1 has no instruction like $2:"
    sed -n "/<$1>:/,\$p" "$work/code"
    status=1
}

for march in armv8-a armv8.1-a armv8.3-a armv8-a+rcpc; do
    "$cc" -std=gnu11 -O2 -w -march=$march -DDOCA_CORE_NO_SIMD -I"$root" -c "$work/litmus.c" \
        -o "$work/litmus.o" 2>"$work/log" || { cat "$work/log"; exit 77; }
    check litmus_load 'ldar|ldapr'
    check litmus_load_ordered ldar
    check litmus_store stlr
    check litmus_store_ordered stlr
    check litmus_add 'ldaddal|stlxr|bl[[:space:]].*ldadd8_acq_rel.*'
    check litmus_lock 'swpa|ldaxr|bl[[:space:]].*swp4_acq.*'
done
exit $status
