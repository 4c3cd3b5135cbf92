/* The base of the fuzz targets: the input as a sequence of choices, and checks after each input. A
 * target defines
 *
 *     static void once(void)     before the first input
 *     static void one(void)      one input
 *
 * and may use the checks of doca_test.h: a check that fails ends the program, and the fuzzer keeps
 * the input. one() must not call the heap, except between fuzz_heap(true) and fuzz_heap(false), and
 * the level of the bound arena must be the same after it as before. */
#ifndef FUZZ_H
#define FUZZ_H

#include "share.h"

static const uint8_t *fuzz_input;
static size_t fuzz_left;

static void once(void);
static void one(void);

/* The next byte of the input; 0 behind its end. */
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

/* Allow or count calls of the heap. They are counted, not trapped, because reporting a failure may
 * need the heap. */
static inline void fuzz_heap(bool may_be_called)
{
    heap_trap_set(may_be_called ? HEAP_TRAP_OFF : HEAP_TRAP_COUNT);
}

/* Copy `len` bytes to a separate block, so that a sanitizer reports a read beyond its end. */
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

/* Return the rest of the input, up to a NUL, as a text in a separate block. */
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

    if (setjmp(test_leave) != 0) { /* a check has failed, or a target wants what is not here */
        fflush(stdout);
        abort();
    }
    if (!is_ready) {
        doca_core_log_set_sink(test_sink, NULL);
        doca_core_log_set_level(DOCA_CORE_LOG_DEBUG);
        once();
        is_ready = true;
    }
    fuzz_input = data;
    fuzz_left = size;
    doca_core_arena_query(doca_core_arena_bound(), &used_before, NULL, &free_before);
    fuzz_heap(false);
    one();
    fuzz_heap(true);
    doca_core_arena_query(doca_core_arena_bound(), &used, NULL, &free_now);
    CHECK_EQ(heap_trap_calls(), heap_calls);
    CHECK_EQ(used, used_before);
    CHECK_EQ(free_now, free_before);
    CHECK_OK(doca_core_arena_audit(doca_core_arena_bound()));
    return 0;
}

#endif
