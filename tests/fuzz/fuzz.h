/* The common part of the fuzz targets: it reads the input as a sequence of choices, and runs checks
 * after each input. A target defines
 *
 *     static void fuzz_set_up(void)      runs before the first input
 *     static void fuzz_run_input(void)   runs for each input
 *
 * and may use the checks of doca_test.h: a failed check ends the program, and libFuzzer keeps the
 * input. fuzz_run_input() must not use the heap except between fuzz_heap(true) and
 * fuzz_heap(false), and must release all memory that it takes from the bound arena. */
#ifndef FUZZ_H
#define FUZZ_H

#include "share.h"

static const uint8_t *fuzz_input;
static size_t fuzz_left;

static void fuzz_set_up(void);
static void fuzz_run_input(void);

/* Return the next byte of the input, or 0 at the end of the input. */
static inline uint8_t fuzz_byte(void)
{
    if (fuzz_left == 0)
        return 0;
    fuzz_left--;
    return *fuzz_input++;
}

static inline uint64_t fuzz_number(unsigned bytes) /* little-endian */
{
    uint64_t value = 0;
    unsigned i;

    for (i = 0; i < bytes; i++)
        value |= (uint64_t)fuzz_byte() << 8 * i;
    return value;
}

/* Return a choice from 0 to bound - 1; `bound` is at most 65536. */
static inline uint32_t fuzz_below(uint32_t bound)
{
    return (uint32_t)fuzz_number(bound > 256 ? 2 : 1) % bound;
}

/* Allow heap calls, or count them. A heap call does not end the program, because test_fail() may
 * use the heap. */
static inline void fuzz_heap(bool may_be_called)
{
    heap_trap_set(may_be_called ? HEAP_TRAP_OFF : HEAP_TRAP_COUNT);
}

/* Copy `len` bytes to a heap block, so that a sanitizer reports reads beyond its end. */
static inline void *fuzz_block(const void *bytes, size_t len)
{
    void *block;

    fuzz_heap(true);
    block = malloc(len > 0 ? len : 1);
    fuzz_heap(false);
    CHECK(block != NULL);
    memcpy(block, bytes, len);
    return block;
}

static inline void fuzz_free(void *block)
{
    fuzz_heap(true);
    free(block);
    fuzz_heap(false);
}

/* Return the input up to the next NUL byte or its end as a string in a heap block. */
static inline char *fuzz_text(void)
{
    size_t len = 0;
    char *text;

    while (len < fuzz_left && fuzz_input[len] != '\0')
        len++;
    fuzz_heap(true);
    text = malloc(len + 1);
    fuzz_heap(false);
    CHECK(text != NULL);
    memcpy(text, fuzz_input, len);
    text[len] = '\0';
    fuzz_input += len;
    fuzz_left -= len;
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t used_before = 0, free_before = 0, used = 0, free_now = 0;
    unsigned long heap_calls = heap_trap_calls();
    static bool is_ready;

    if (setjmp(test_leave) != 0) { /* a check failed, or test_skip() was called */
        fflush(stdout);
        abort();
    }
    if (!is_ready) {
        doca_core_log_set_sink(test_sink, NULL);
        doca_core_log_set_level(DOCA_CORE_LOG_DEBUG);
        fuzz_set_up();
        is_ready = true;
    }
    fuzz_input = data;
    fuzz_left = size;
    doca_core_arena_query(doca_core_arena_bound(), &used_before, NULL, &free_before);
    fuzz_heap(false);
    fuzz_run_input();
    fuzz_heap(true);
    doca_core_arena_query(doca_core_arena_bound(), &used, NULL, &free_now);
    CHECK_EQ(heap_trap_calls(), heap_calls);
    CHECK_EQ(used, used_before);
    CHECK_EQ(free_now, free_before);
    CHECK_OK(doca_core_arena_audit(doca_core_arena_bound()));
    return 0;
}

#endif
