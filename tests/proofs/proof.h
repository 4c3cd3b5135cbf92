/* The harness of the proofs about doca_core.h. A proof is a function proof(), which makes choices
 * with pick(), any_size() and any_u64(), excludes some with ASSUME(), and states with PROVE() what
 * holds for all other choices. Two engines run it (tests/proofs/run):
 *
 *   cbmc       examines all choices at once, as formulas. It also checks every memory access and
 *              every signed addition.
 *   enumerate  the code in this file, which needs no cbmc. It runs proof() once for every sequence
 *              of choices, under AddressSanitizer and UndefinedBehaviorSanitizer. any_size() and
 *              any_u64() have too many values to run all of them; they take 0, the powers of two
 *              and the neighbours of these.
 *
 * The proofs compile the implementation in the header for one thread, which needs no locks, and
 * without an operating system unless PROOF_HOSTED is defined. They switch the log off. */
#ifndef PROOF_H
#define PROOF_H

#define DOCA_CORE_SINGLE_THREAD
#ifdef __CPROVER__
#include <string.h>
#define __builtin_memcpy memcpy /* cbmc knows what memcpy does */
#endif
#ifndef PROOF_HOSTED
#define DOCA_CORE_FREESTANDING
#endif
#define DOCA_CORE_NO_SIMD
#define DOCA_CORE_NO_INLINE
#define DOCA_CORE_DEFAULT_ARENA_BYTES 0
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#ifndef PROOF_DEPTH
#define PROOF_DEPTH 0 /* 1: larger sizes, for which a proof takes minutes */
#endif

static void proof(void);

#ifdef __CPROVER__

size_t nondet_size(void);
uint64_t nondet_u64(void);
unsigned char nondet_byte(void);

#define PROVE(what) __CPROVER_assert((what), #what)
#define ASSUME(what) __CPROVER_assume(what)
#define PROOF_ENUMERATES 0

static inline size_t any_size(void)
{
    return nondet_size();
}

static inline uint64_t any_u64(void)
{
    return nondet_u64();
}

/* Choose a number from 0 to below - 1. */
static inline unsigned pick(unsigned below)
{
    size_t choice = nondet_size();

    __CPROVER_assume(choice < below);
    return (unsigned)choice;
}

int main(void)
{
    /* doca_core_log_set_level() would bring most of the header into the program */
    doca_priv_log_to.level = DOCA_CORE_LOG_DISABLE;
    proof();
    return 0;
}

#else

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROVE(what) ((what) ? (void)0 : proof_is_wrong(__LINE__, #what))
#define ASSUME(what) ((what) ? (void)0 : longjmp(proof_leave, 1))
#define PROOF_ENUMERATES 1

/* The choices of one run of proof(). Choice `i` takes alternative proof_choices[i], below
 * proof_alternatives[i]. Of the proof_known choices in the arrays, pick() has returned the
 * first proof_depth in this run. */
static unsigned proof_choices[256], proof_alternatives[256], proof_depth, proof_known;
static jmp_buf proof_leave;

static void proof_is_wrong(int line, const char *what)
{
    unsigned i;

    fprintf(stderr, "line %d is false: %s\n  choices:", line, what);
    for (i = 0; i < proof_depth; i++)
        fprintf(stderr, " %u/%u", proof_choices[i], proof_alternatives[i]);
    fprintf(stderr, "\n  last error: %s\n", doca_core_last_error());
    exit(1);
}

static inline unsigned pick(unsigned below)
{
    if (proof_depth == sizeof(proof_choices) / sizeof(proof_choices[0]) || below == 0)
        proof_is_wrong(__LINE__, "at most 256 choices, each of at least one alternative");
    if (proof_depth == proof_known) {
        proof_choices[proof_known] = 0;
        proof_alternatives[proof_known++] = below;
    }
    return proof_choices[proof_depth++];
}

/* Choose 0, a power of two, or a neighbour of a power of two. */
static inline uint64_t any_u64(void)
{
    unsigned at = pick(1 + 64 * 3);

    return at == 0 ? 0 : ((uint64_t)1 << (at - 1) / 3) + (at - 1) % 3 - 1;
}

static inline size_t any_size(void)
{
    uint64_t x = any_u64();

    ASSUME(x <= SIZE_MAX);
    return (size_t)x;
}

int main(void)
{
    static unsigned long long num;

    (void)doca_core_log_set_level(DOCA_CORE_LOG_DISABLE);
    for (;;) {
        proof_depth = 0;
        if (setjmp(proof_leave) == 0)
            proof();
        num++;
        while (proof_known > 0 &&
               proof_choices[proof_known - 1] + 1 == proof_alternatives[proof_known - 1])
            proof_known--;
        if (proof_known == 0)
            break;
        proof_choices[proof_known - 1]++;
    }
    printf("holds for all %llu sequences of choices\n", num);
    return 0;
}

#endif
#endif
