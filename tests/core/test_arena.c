/* The arena: blocks, coalescing, overwritten headers, a comparison with a model, and two
 * threads. */
#include "arena_support.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

static struct doca_core_arena other_arena;
static DOCA_CORE_ALIGNED unsigned char other_region[16 * DOCA_CORE_LINE];

static size_t largest_free(void)
{
    size_t bytes = SIZE_MAX;

    CHECK_OK(doca_core_arena_query(&arena, NULL, NULL, &bytes));
    return bytes;
}

/* ---- cases with one arena ---- */

static void init_refuses_unusable_memory(void)
{
    static const size_t shifts[] = { 1, 2, 4, 8, 16, 32, 63 };
    static const size_t small[] = { 0, 1, 63, 64, 65, 127 };
    size_t i;

    CHECK_RC(doca_core_arena_init(NULL, region, LINE * 4), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_arena_init(&arena, NULL, LINE * 4), DOCA_ERROR_INVALID_VALUE);
    for (i = 0; i < sizeof(shifts) / sizeof(shifts[0]); i++) {
        CHECK_RC(doca_core_arena_init(&arena, region + shifts[i], LINE * 4),
                 DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_ARENA_MISALIGNED);
    }
    for (i = 0; i < sizeof(small) / sizeof(small[0]); i++) {
        CHECK_RC(doca_core_arena_init(&arena, region, small[i]), DOCA_ERROR_NO_MEMORY);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_ARENA_TOO_SMALL);
    }
#if SIZE_MAX > UINT32_MAX
    CHECK_RC(doca_core_arena_init(&arena, region, ((size_t)1 << 47) + LINE),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_ARENA_TOO_LARGE);
#endif
}

static void two_lines_make_one_block(void)
{
    size_t bytes;

    for (bytes = 2 * LINE; bytes < 3 * LINE; bytes++) { /* only whole lines count */
        void *second = &arena;

        CHECK_OK(doca_core_arena_init(&arena, region, bytes));
        CHECK_PTR(take(LINE), region + LINE);
        CHECK_RC(doca_core_arena_take(&arena, 1, &second), DOCA_ERROR_NO_MEMORY);
        CHECK_PTR(second, &arena);
        CHECK_EQ(largest_free(), 0);
    }
}

static void init_touches_one_line(void)
{
    size_t i;

    memset(region, 0xAB, sizeof(region));
    init_arena(REGION_LINES);
    for (i = LINE; i < sizeof(region); i++)
        CHECK_EQ(region[i], 0xAB);
}

static void init_ignores_the_old_content(void)
{
    memset(&arena, 0xFF, sizeof(arena));
    init_arena(16);
    check_whole(16);
    take(LINE);
    init_arena(16); /* the arena is empty, although it had blocks before */
    check_whole(16);
}

static void whole_region_is_one_block_at_every_size(void)
{
    size_t lines;

    for (lines = 2; lines < 600; lines++) {
        init_arena(lines);
        CHECK(largest_free() <= (lines - 1) * LINE);
        give(take(largest_free()));
        give(take((lines - 1) * LINE));
        CHECK_RC(doca_core_arena_take(&arena, (lines - 1) * LINE + 1, &(void *){ NULL }),
                 DOCA_ERROR_NO_MEMORY);
        check_whole(lines);
    }
}

static void block_is_aligned_and_takes_the_documented_bytes(void)
{
    size_t bytes;

    init_arena(64);
    for (bytes = 1; bytes < 40 * LINE; bytes++) {
        unsigned char *block = take(bytes);

        CHECK_EQ((uintptr_t)block % LINE, 0);
        CHECK(block >= region && block + bytes <= region + 64 * LINE);
        CHECK_EQ(used_of(&arena), DOCA_CORE_BYTES_BLOCK(bytes));
        memset(block, 0x5A, bytes);
        give(block);
    }
    check_whole(64);
}

static void take_refuses_impossible_sizes(void)
{
    static const size_t huge[] = { SIZE_MAX,     SIZE_MAX - 1,     SIZE_MAX - 63, SIZE_MAX - 64,
                                   SIZE_MAX / 2, SIZE_MAX / 2 + 1, 64 * 64 };
    void *block = &arena;
    size_t i;

    init_arena(64);
    CHECK_RC(doca_core_arena_take(&arena, 0, &block), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_arena_take(&arena, 1, NULL), DOCA_ERROR_INVALID_VALUE);
    for (i = 0; i < sizeof(huge) / sizeof(huge[0]); i++)
        CHECK_RC(doca_core_arena_take(&arena, huge[i], &block), DOCA_ERROR_NO_MEMORY);
    CHECK_PTR(block, &arena);
    check_whole(64);
}

static void give_refuses_addresses_that_are_not_blocks(void)
{
    unsigned char *block;
    void *elsewhere;
    size_t used;

    init_arena(64);
    CHECK_OK(doca_core_arena_init(&other_arena, other_region, sizeof(other_region)));
    CHECK_OK(doca_core_arena_take(&other_arena, LINE, &elsewhere));
    block = take(4 * LINE);
    memset(block, 0, 4 * LINE);
    used = used_of(&arena);

    CHECK_OK(doca_core_arena_give(&arena, NULL));
    CHECK_RC(doca_core_arena_give(&arena, elsewhere), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_ARENA_FOREIGN);
    CHECK_RC(doca_core_arena_give(&arena, &used), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_arena_give(&arena, region), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_arena_give(&arena, region + 64 * LINE), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_arena_give(&arena, region + 65 * LINE), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_arena_give(&arena, block + 1), DOCA_ERROR_INVALID_VALUE);
    CHECK(doca_core_arena_give(&arena, block + LINE) != DOCA_SUCCESS); /* no block begins there */
    CHECK_EQ(used_of(&arena), used);

    give(block);
    CHECK_OK(doca_core_arena_give(&other_arena, elsewhere));
    CHECK_EQ(used_of(&other_arena), 0);
    check_whole(64);
}

/* The library must not read such an address, and must not compute the address of a header from
 * it. */
static void give_refuses_addresses_outside_the_arena(void)
{
    static const uintptr_t numbers[] = { 1, 8, 63, 64, 65, 128, UINTPTR_MAX - 63, UINTPTR_MAX };
    size_t i;

    init_arena(64);
    for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        CHECK_RC(doca_core_arena_give(&arena, (void *)numbers[i]), DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_ARENA_FOREIGN);
    }
    check_whole(64);
}

/* Release a block twice: a block of its own, and a block that was merged with its neighbours. */
static void second_give_is_bad_state(void)
{
    unsigned char *low, *middle, *high;

    init_arena(64);
    low = take(LINE);
    middle = take(LINE);
    high = take(LINE);
    give(middle);
    CHECK_RC(doca_core_arena_give(&arena, middle), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_ARENA_GIVEN_TWICE);
    give(low);
    CHECK_RC(doca_core_arena_give(&arena, low), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_core_arena_give(&arena, middle), DOCA_ERROR_BAD_STATE);
    give(high);
    CHECK_RC(doca_core_arena_give(&arena, low), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_core_arena_give(&arena, middle), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_core_arena_give(&arena, high), DOCA_ERROR_BAD_STATE);
    check_whole(64);
}

/* Release five neighbouring blocks in all 120 orders, with and without free memory after them. */
static void neighbours_coalesce_in_every_order(void)
{
    static const size_t lines[5] = { 1, 3, 2, 9, 1 }; /* with the five headers: 21 lines */
    static const size_t sizes[] = { 21, 22, 40 };
    size_t s, order, i;

    for (s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
        init_arena(sizes[s]);
        for (order = 0; order < 120; order++) {
            unsigned char *blocks[5];
            size_t rest = order, left;

            for (i = 0; i < 5; i++)
                blocks[i] = take(lines[i] * LINE);
            for (left = 5; left > 0; left--) { /* digits of `order` in the factorial base */
                size_t pick = rest % left;

                rest /= left;
                give(blocks[pick]);
                CHECK_OK(doca_core_arena_audit(&arena));
                blocks[pick] = blocks[left - 1];
            }
            check_whole(sizes[s]);
        }
    }
}

static void query_reports_used_and_peak(void)
{
    unsigned char *one, *two;
    size_t used, peak, largest;

    init_arena(64);
    CHECK_OK(doca_core_arena_query(&arena, NULL, NULL, NULL));
    CHECK_OK(doca_core_arena_query(&arena, &used, &peak, &largest));
    CHECK_EQ(used, 0);
    CHECK_EQ(peak, 0);
    one = take(3 * LINE);
    two = take(5 * LINE + 1);
    CHECK_OK(doca_core_arena_query(&arena, &used, &peak, &largest));
    CHECK_EQ(used, 11 * LINE);
    CHECK_EQ(peak, 11 * LINE);
    give(one);
    one = take(LINE);
    CHECK_OK(doca_core_arena_query(&arena, &used, &peak, &largest));
    CHECK_EQ(used, 9 * LINE);
    CHECK_EQ(peak, 11 * LINE);
    give(take(largest));
    give(one);
    give(two);
    check_whole(64);
}

/* The audit finds an overrun whichever part of the next header it destroys. The rest of the arena
 * still works. */
static void audit_finds_an_overrun(void)
{
    unsigned char *block, *victim, *header, saved[DOCA_CORE_LINE];
    size_t bytes, i, used;

    init_arena(64);
    block = take(2 * LINE);
    victim = take(LINE);
    header = block + 2 * LINE;
    CHECK_PTR(victim, header + LINE);
    memcpy(saved, block - LINE, LINE);
    memset(&((struct doca_priv_block *)(void *)(block - LINE))->lines, 0xaa, sizeof(size_t));
    /* an overwritten header of the preceding block */
    CHECK_RC(doca_core_arena_give(&arena, victim), DOCA_ERROR_UNEXPECTED);
    memcpy(block - LINE, saved, LINE);
    memcpy(saved, header, LINE);
    used = used_of(&arena);
    for (bytes = 1; bytes <= LINE; bytes++) {
        for (i = 0; i < bytes; i++)
            header[i] = (unsigned char)~saved[i];
        CHECK_RC(doca_core_arena_audit(&arena), DOCA_ERROR_UNEXPECTED);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_ARENA_BROKEN);
        CHECK_RC(doca_core_arena_give(&arena, victim), DOCA_ERROR_UNEXPECTED);
        CHECK_EQ(used_of(&arena), used);
        memcpy(header, saved, LINE);
        CHECK_OK(doca_core_arena_audit(&arena));
    }
    give(victim);
    memcpy(saved, header, LINE); /* header of the free block at the end */
    memset(header, 0, LINE);
    CHECK_RC(doca_core_arena_audit(&arena), DOCA_ERROR_UNEXPECTED);
    memcpy(header, saved, LINE);
    give(block);
    check_whole(64);
}

/* The audit finds a single changed byte in any field of a free block, its links included. */
static void audit_finds_a_damaged_free_block(void)
{
    unsigned char *low, *middle, *high, *header;
    size_t i, largest;

    init_arena(64);
    low = take(LINE);
    middle = take(LINE);
    high = take(LINE);
    header = middle - LINE;
    give(middle);
    CHECK_OK(doca_core_arena_query(&arena, NULL, NULL, &largest)); /* empties the quarantine */
    for (i = 0; i < sizeof(struct doca_priv_block); i++) {
        header[i] = (unsigned char)~header[i];
        CHECK_RC(doca_core_arena_audit(&arena), DOCA_ERROR_UNEXPECTED);
        header[i] = (unsigned char)~header[i];
        CHECK_OK(doca_core_arena_audit(&arena));
    }
    give(low);
    give(high);
    check_whole(64);
}

/* Releasing a block uses its header, so the library must check every field of the header first. */
static void give_finds_a_damaged_header(void)
{
    unsigned char *low, *block, *header;
    size_t i, used;

    init_arena(64);
    low = take(LINE);
    block = take(LINE);
    header = block - LINE;
    used = used_of(&arena);
    for (i = offsetof(struct doca_priv_block, lines); i < offsetof(struct doca_priv_block, next);
         i++) {
        header[i] = (unsigned char)~header[i];
        CHECK_RC(doca_core_arena_audit(&arena), DOCA_ERROR_UNEXPECTED);
        CHECK_RC(doca_core_arena_give(&arena, block), DOCA_ERROR_UNEXPECTED);
        CHECK_EQ(used_of(&arena), used);
        header[i] = (unsigned char)~header[i];
    }
    give(low);
    give(block);
    check_whole(64);
}

/* The memory still contains the headers of an earlier arena. */
static void block_of_an_earlier_arena_is_refused(void)
{
    unsigned char *block;

    init_arena(64);
    take(LINE);
    block = take(LINE);
    take(LINE);
    init_arena(64);
    CHECK(doca_core_arena_give(&arena, block) != DOCA_SUCCESS);
    check_whole(64);
}

/* The second arena begins at a lower address than the first, so it does not overwrite the headers
 * around the block. Only the signature in these headers shows that they are of another arena. */
static void block_of_another_arena_on_the_same_memory_is_refused(void)
{
    unsigned char *low, *block, *high;
    size_t used;

    CHECK_OK(doca_core_arena_init(&arena, region + 4 * LINE, 60 * LINE));
    low = take(LINE);
    block = take(LINE);
    high = take(LINE);
    used = used_of(&arena);
    CHECK_OK(doca_core_arena_init(&other_arena, region, 64 * LINE));
    CHECK(doca_core_arena_give(&other_arena, low) != DOCA_SUCCESS);
    CHECK(doca_core_arena_give(&other_arena, block) != DOCA_SUCCESS);
    CHECK(doca_core_arena_give(&other_arena, high) != DOCA_SUCCESS);
    CHECK_EQ(used_of(&other_arena), 0);
    CHECK_EQ(used_of(&arena), used);
    give(low);
    give(block);
    give(high);
    check_whole(60);
}

static void handle_without_init_is_refused(void)
{
    void *block = &arena;

    if (DOCA_CORE_CHECK < 1)
        test_skip("DOCA_CORE_CHECK 0 does not check handles");
    memset(&other_arena, 0, sizeof(other_arena));
    CHECK_RC(doca_core_arena_take(&other_arena, 1, &block), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_arena_give(&other_arena, block), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_arena_audit(&other_arena), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_arena_query(&other_arena, NULL, NULL, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_arena_bind(&other_arena), DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(block, &arena);
}

/* ---- comparison with a model ---- */

#define SLOTS 96

static uint32_t random_state;

static uint32_t random_below(uint32_t limit) /* xorshift */
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state % limit;
}

static void random_begin(void)
{
    const char *given = getenv("DOCA_TEST_SEED");
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);

    random_state = (uint32_t)(given != NULL ? strtoul(given, NULL, 0)
                                            : (unsigned long)time(NULL) ^ (unsigned long)getpid());
    if (random_state == 0)
        random_state = 1;
    printf("  DOCA_TEST_SEED=%lu\n", (unsigned long)random_state);
    heap_trap_set(mode);
}

static void random_run_agrees_with_a_model(void)
{
    static struct {
        unsigned char *block;
        size_t bytes;
    } slots[SLOTS];
    size_t used = 0, peak = 0, real_used, real_peak, largest, i;
    unsigned step;

    random_begin();
    memset(slots, 0, sizeof(slots));
    init_arena(1500);
    for (step = 0; step < 60000; step++) {
        uint32_t k = random_below(SLOTS);

        CHECK_OK(doca_core_arena_query(&arena, &real_used, &real_peak, &largest));
        CHECK_EQ(real_used, used);
        CHECK_EQ(real_peak, peak);
        if (slots[k].block != NULL) {
            for (i = 0; i < slots[k].bytes; i++) /* other blocks do not overlap it */
                CHECK_EQ(slots[k].block[i], k);
            give(slots[k].block);
            used -= DOCA_CORE_BYTES_BLOCK(slots[k].bytes);
            slots[k].block = NULL;
        } else {
            size_t bytes = 1 + random_below(random_below(8) == 0 ? 16384 : 1024);
            void *block = NULL;
            doca_error_t rc = doca_core_arena_take(&arena, bytes, &block);

            if (rc != DOCA_SUCCESS) {
                CHECK_RC(rc, DOCA_ERROR_NO_MEMORY);
                CHECK(bytes > largest);
                continue;
            }
            slots[k].block = block;
            slots[k].bytes = bytes;
            memset(block, (int)k, bytes);
            used += DOCA_CORE_BYTES_BLOCK(bytes);
            peak = used > peak ? used : peak;
        }
        if (step % 64 == 0)
            CHECK_OK(doca_core_arena_audit(&arena));
    }
    for (i = 0; i < SLOTS; i++)
        give(slots[i].block);
    check_whole(1500);
}

/* ---- two threads ---- */

struct worker {
    pthread_t thread;
    unsigned char mark;
    unsigned failures;
};

static void *take_and_give(void *argument)
{
    struct worker *self = argument;
    void *blocks[8] = { NULL };
    unsigned round, i;

    heap_trap_set(HEAP_TRAP_ABORT);
    for (round = 0; round < 20000; round++) {
        unsigned k = round % 8;
        size_t bytes = 1 + round * 37u % 700;

        if (blocks[k] != NULL) {
            for (i = 0; i < 16; i++)
                self->failures += ((unsigned char *)blocks[k])[i] != self->mark;
            self->failures += doca_core_arena_give(&arena, blocks[k]) != DOCA_SUCCESS;
        }
        bytes = bytes < 16 ? 16 : bytes;
        blocks[k] = NULL;
        self->failures += doca_core_arena_take(&arena, bytes, &blocks[k]) != DOCA_SUCCESS;
        if (blocks[k] != NULL)
            memset(blocks[k], self->mark, bytes);
        if (round % 1000 == 0)
            self->failures += doca_core_arena_audit(&arena) != DOCA_SUCCESS;
    }
    for (i = 0; i < 8; i++)
        self->failures += doca_core_arena_give(&arena, blocks[i]) != DOCA_SUCCESS;
    heap_trap_set(HEAP_TRAP_OFF);
    return NULL;
}

static void two_threads_share_an_arena(void)
{
    static struct worker workers[2];
    unsigned i;

#ifdef DOCA_CORE_SINGLE_THREAD
    test_skip("this build supports only one thread");
#endif
    init_arena(REGION_LINES);
    heap_trap_set(HEAP_TRAP_OFF); /* pthread_create() uses the heap */
    for (i = 0; i < 2; i++) {
        workers[i].mark = (unsigned char)(0xA0 + i);
        workers[i].failures = 0;
        CHECK_EQ(pthread_create(&workers[i].thread, NULL, take_and_give, &workers[i]), 0);
    }
    for (i = 0; i < 2; i++)
        pthread_join(workers[i].thread, NULL);
    heap_trap_set(HEAP_TRAP_ABORT);
    CHECK_EQ(workers[0].failures, 0);
    CHECK_EQ(workers[1].failures, 0);
    check_whole(REGION_LINES);
}

static const struct test_case cases[] = {
    CASE(init_refuses_unusable_memory, ""),
    CASE(two_lines_make_one_block, ""),
    CASE(init_touches_one_line, ""),
    CASE(init_ignores_the_old_content, ""),
    CASE(whole_region_is_one_block_at_every_size, ""),
    CASE(block_is_aligned_and_takes_the_documented_bytes, ""),
    CASE(take_refuses_impossible_sizes, ""),
    CASE(give_refuses_addresses_that_are_not_blocks, ""),
    CASE(give_refuses_addresses_outside_the_arena, ""),
    CASE(second_give_is_bad_state, ""),
    CASE(neighbours_coalesce_in_every_order, ""),
    CASE(query_reports_used_and_peak, ""),
    CASE(audit_finds_an_overrun, ""),
    CASE(block_of_an_earlier_arena_is_refused, ""),
    CASE(block_of_another_arena_on_the_same_memory_is_refused, ""),
    CASE(handle_without_init_is_refused, ""),
    CASE(random_run_agrees_with_a_model, ""),
    CASE(two_threads_share_an_arena, ""),
    CASE(audit_finds_a_damaged_free_block, ""),
    CASE(give_finds_a_damaged_header, ""),
};

TEST_MAIN(cases)
