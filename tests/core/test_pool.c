/* Buffer pools: how a pool divides the range of its mmap into slots, and when a program can
 * allocate a slot. */
#include "buffers.h"

#define ROOM 65536u

static __attribute__((aligned(4096))) unsigned char memory[ROOM];

/* ---- fixtures ---- */

static struct doca_buf_pool *pool_of(size_t num, size_t size, const struct doca_mmap *mmap)
{
    struct doca_buf_pool *pool;

    CHECK_OK(doca_buf_pool_create(num, size, mmap, &pool));
    return pool;
}

static struct doca_buf *slot_of(struct doca_buf_pool *pool)
{
    struct doca_buf *buf;

    CHECK_OK(doca_buf_pool_buf_alloc(pool, &buf));
    return buf;
}

static uint32_t num_free(const struct doca_buf_pool *pool)
{
    uint32_t num = UINT32_MAX;

    CHECK_OK(doca_buf_pool_get_num_free_elements(pool, &num));
    return num;
}

/* Check that the buffer is a new one: `size` bytes long, no data, one reference. Return its
 * head. */
static unsigned char *check_fresh(const struct doca_buf *buf, size_t size)
{
    void *head = NULL, *data = NULL;
    size_t len = 0, data_len = SIZE_MAX;
    uint16_t refcount = 0;
    uint32_t list_len = 0;

    CHECK_OK(doca_buf_get_head(buf, &head));
    CHECK_OK(doca_buf_get_len(buf, &len));
    CHECK_OK(doca_buf_get_data(buf, &data));
    CHECK_OK(doca_buf_get_data_len(buf, &data_len));
    CHECK_OK(doca_buf_get_refcount(buf, &refcount));
    CHECK_OK(doca_buf_get_list_len(buf, &list_len));
    CHECK_EQ(len, size);
    CHECK_PTR(data, head);
    CHECK_EQ(data_len, 0);
    CHECK_EQ(refcount, 1);
    CHECK_EQ(list_len, 1);
    return head;
}

/* ---- states ---- */

static void pool_can_be_stopped_and_started_again(void)
{
    struct doca_mmap *mmap = mmap_of(memory, ROOM);
    struct doca_buf_pool *pool = pool_of(4, 100, mmap);
    union doca_data data = { .u64 = 1 };
    struct doca_buf *buf = NULL;
    size_t alignment = 0;
    uint32_t num = 0;
    uint64_t round;

    CHECK_OK(doca_buf_pool_get_user_data(pool, &data));
    CHECK_EQ(data.u64, 0);
    CHECK_OK(doca_buf_pool_get_element_alignment(pool, &alignment));
    CHECK_EQ(alignment, 1);
    CHECK_OK(doca_buf_pool_get_num_elements(pool, &num));
    CHECK_EQ(num, 4);
    CHECK_EQ(num_free(pool), 4);
    for (round = 0; round < 4; round++) {
        data.u64 = round;
        CHECK_RC(doca_buf_pool_stop(pool), DOCA_ERROR_BAD_STATE);
        CHECK_RC(doca_buf_pool_buf_alloc(pool, &buf), DOCA_ERROR_BAD_STATE);
        CHECK_PTR(buf, NULL);
        CHECK_OK(doca_buf_pool_set_user_data(pool, data));
        CHECK_OK(doca_buf_pool_set_element_alignment(pool, (size_t)16 << round));
        CHECK_OK(doca_buf_pool_start(pool));

        data.u64 = 99;
        CHECK_RC(doca_buf_pool_start(pool), DOCA_ERROR_BAD_STATE);
        CHECK_RC(doca_buf_pool_set_user_data(pool, data), DOCA_ERROR_BAD_STATE);
        CHECK_RC(doca_buf_pool_set_element_alignment(pool, 1), DOCA_ERROR_BAD_STATE);
        CHECK_OK(doca_buf_pool_get_user_data(pool, &data));
        CHECK_EQ(data.u64, round);
        CHECK_OK(doca_buf_pool_get_element_alignment(pool, &alignment));
        CHECK_EQ(alignment, (size_t)16 << round);
        release(slot_of(pool));
        CHECK_OK(doca_buf_pool_stop(pool));
    }
    CHECK_OK(doca_buf_pool_destroy(pool));
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void pool_with_slots_in_use_cannot_be_destroyed(void)
{
    struct doca_mmap *mmap = mmap_of(memory, ROOM);
    struct doca_buf_pool *pool = pool_of(2, 64, mmap);
    struct doca_buf *a, *b;

    CHECK_OK(doca_buf_pool_start(pool));
    a = slot_of(pool);
    b = slot_of(pool);
    CHECK_RC(doca_buf_pool_stop(pool), DOCA_ERROR_IN_USE);
    CHECK_RC(doca_buf_pool_destroy(pool), DOCA_ERROR_IN_USE);
    release(a);
    CHECK_RC(doca_buf_pool_stop(pool), DOCA_ERROR_IN_USE);
    CHECK_RC(doca_buf_pool_destroy(pool), DOCA_ERROR_IN_USE);
    release(slot_of(pool)); /* the pool is still started */
    release(b);
    CHECK_OK(doca_buf_pool_destroy(pool)); /* destroying the pool stops it */
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void released_slots_can_be_allocated_again(void)
{
    struct doca_mmap *mmap = mmap_of(memory, ROOM);
    struct doca_buf_pool *pool = pool_of(3, 64, mmap);
    struct doca_buf *bufs[3], *more = NULL;
    unsigned char *head;
    uint32_t i, num = 0;

    CHECK_OK(doca_buf_pool_start(pool));
    for (i = 0; i < 3; i++) {
        CHECK_EQ(num_free(pool), 3 - i);
        bufs[i] = slot_of(pool);
        CHECK_OK(doca_mmap_get_num_bufs(mmap, &num));
        CHECK_EQ(num, i + 1);
    }
    for (i = 0; i < 3; i++) {
        CHECK_RC(doca_buf_pool_buf_alloc(pool, &more), DOCA_ERROR_EMPTY);
        CHECK_PTR(more, NULL);
        head = check_fresh(bufs[i], 64);
        memset(head, 0x5a, 64);
        /* the release discards the data section */
        CHECK_OK(doca_buf_set_data(bufs[i], head + 10, 20));
        release(bufs[i]);
        CHECK_EQ(head[63], 0x5a);
        CHECK_EQ(num_free(pool), 1);
        bufs[i] = slot_of(pool);
        CHECK_PTR(check_fresh(bufs[i], 64), head); /* the slot is the only free one */
    }
    for (i = 0; i < 3; i++)
        release(bufs[i]);
    CHECK_EQ(num_free(pool), 3);
    CHECK_OK(doca_mmap_get_num_bufs(mmap, &num));
    CHECK_EQ(num, 0);
    CHECK_OK(doca_buf_pool_get_num_elements(pool, &num));
    CHECK_EQ(num, 3);
    CHECK_OK(doca_buf_pool_destroy(pool));
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void start_needs_a_started_mmap(void)
{
    struct doca_mmap *mmap;
    struct doca_buf_pool *pool = NULL;

    CHECK_OK(doca_mmap_create(&mmap));
    /* the mmap has no range */
    CHECK_RC(doca_buf_pool_create(1, 64, mmap, &pool), DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(pool, NULL);
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, ROOM));
    pool = pool_of(1, 64, mmap);
    CHECK_RC(doca_buf_pool_start(pool), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_buf_pool_start(pool));
    release(slot_of(pool));
    CHECK_OK(doca_buf_pool_destroy(pool));
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void stopped_mmap_gives_no_slots(void)
{
    struct doca_mmap *mmap = mmap_of(memory, ROOM);
    struct doca_buf_pool *pool = pool_of(1, 64, mmap);
    struct doca_buf *buf = NULL;

    CHECK_OK(doca_buf_pool_start(pool));
    buf = slot_of(pool);
    CHECK_RC(doca_mmap_stop(mmap), DOCA_ERROR_NOT_PERMITTED);
    release(buf);
    CHECK_OK(doca_mmap_stop(mmap)); /* a pool without slots in use permits it */
    buf = NULL;
    CHECK_RC(doca_buf_pool_buf_alloc(pool, &buf), DOCA_ERROR_BAD_STATE);
    CHECK_PTR(buf, NULL);
    CHECK_EQ(num_free(pool), 1);
    CHECK_OK(doca_buf_pool_stop(pool));
    CHECK_RC(doca_buf_pool_start(pool), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_buf_pool_start(pool));
    release(slot_of(pool));
    CHECK_OK(doca_mmap_stop(mmap));
    CHECK_OK(doca_buf_pool_destroy(pool));
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void destroyed_mmap_gives_no_slots(void)
{
#if DOCA_CORE_CHECK >= 1
    struct doca_mmap *mmap = mmap_of(memory, ROOM);
    struct doca_buf_pool *pool = pool_of(1, 64, mmap);
    struct doca_buf *buf = NULL;

    CHECK_OK(doca_buf_pool_start(pool));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK(doca_buf_pool_buf_alloc(pool, &buf) != DOCA_SUCCESS);
    CHECK_PTR(buf, NULL);
    CHECK_OK(doca_buf_pool_stop(pool));
    CHECK(doca_buf_pool_start(pool) != DOCA_SUCCESS);
    CHECK_OK(doca_buf_pool_destroy(pool));
#else
    test_skip("handles are not checked in this build");
#endif
}

/* Empty the quarantine of the checked mode, so that the memory of destroyed objects is free. */
static void empty_quarantine(void)
{
    size_t largest;

    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), NULL, NULL, &largest));
}

/* A new mmap takes the memory of the pool's destroyed mmap. The handle is then valid, and the range
 * may even contain the slots, but it is not the mmap of the pool. */
static void new_mmap_at_the_same_address_gives_no_slots(void)
{
    static const size_t lens[] = { ROOM, 64, 63, 1 };
    size_t i;

    for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
        struct doca_mmap *mmap = mmap_of(memory, ROOM), *other;
        struct doca_buf_pool *pool = pool_of(1, 64, mmap);
        struct doca_buf *buf = NULL;
        uint32_t num = 77;

        CHECK_OK(doca_buf_pool_start(pool));
        CHECK_OK(doca_mmap_destroy(mmap));
        empty_quarantine();
        other = mmap_of(memory, lens[i]);
        CHECK_PTR(OBJECT(other), OBJECT(mmap));
        CHECK_RC(doca_buf_pool_buf_alloc(pool, &buf), DOCA_ERROR_BAD_STATE);
        CHECK_PTR(buf, NULL);
        CHECK_EQ(num_free(pool), 1);
        CHECK_OK(doca_buf_pool_stop(pool));
        CHECK_RC(doca_buf_pool_start(pool), DOCA_ERROR_BAD_STATE);
        CHECK_OK(doca_mmap_get_num_bufs(other, &num));
        CHECK_EQ(num, 0);
        CHECK_OK(doca_buf_pool_destroy(pool));
        CHECK_OK(doca_mmap_destroy(other));
        empty_quarantine();
    }
}

/* ---- slots ---- */

static void alignment_is_a_power_of_two(void)
{
    struct doca_mmap *mmap = mmap_of(memory, ROOM);
    struct doca_buf_pool *pool = pool_of(1, 64, mmap);
    static const size_t bad[] = { 0, 3, 5, 6, 7, 9, 12, 100, 4095, 4097, SIZE_MAX, SIZE_MAX - 1 };
    size_t i, alignment = 0;

    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        CHECK_RC(doca_buf_pool_set_element_alignment(pool, bad[i]), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_buf_pool_get_element_alignment(pool, &alignment));
    CHECK_EQ(alignment, 1);
    for (i = 1; i != 0; i <<= 1) {
        CHECK_OK(doca_buf_pool_set_element_alignment(pool, i));
        CHECK_OK(doca_buf_pool_get_element_alignment(pool, &alignment));
        CHECK_EQ(alignment, i);
        if (i > SIZE_MAX / 4) /* the range has no address with this alignment */
            CHECK_RC(doca_buf_pool_start(pool), DOCA_ERROR_INITIALIZATION);
    }
    CHECK_OK(doca_buf_pool_destroy(pool));
    CHECK_OK(doca_mmap_destroy(mmap));
}

/* Check that each slot is aligned and inside the range, that slots do not overlap, and that the
 * pool has no other slots. */
static void check_slots(unsigned char *base, size_t room, size_t num, size_t size,
                        size_t alignment)
{
    static unsigned char owner[ROOM];
    struct doca_mmap *mmap = mmap_of(base, room);
    struct doca_buf_pool *pool = pool_of(num, size, mmap);
    struct doca_buf *bufs[64], *more = NULL;
    size_t i, j;

    CHECK(num <= 64 && room <= ROOM);
    memset(owner, 0, room);
    CHECK_OK(doca_buf_pool_set_element_alignment(pool, alignment));
    CHECK_OK(doca_buf_pool_start(pool));
    for (i = 0; i < num; i++) {
        unsigned char *head;

        bufs[i] = slot_of(pool);
        head = check_fresh(bufs[i], size);
        CHECK_EQ((uintptr_t)head % alignment, 0);
        CHECK(head >= base && head + size <= base + room);
        for (j = 0; j < size; j++) {
            CHECK_EQ(owner[(size_t)(head - base) + j], 0);
            owner[(size_t)(head - base) + j] = 1;
        }
    }
    CHECK_RC(doca_buf_pool_buf_alloc(pool, &more), DOCA_ERROR_EMPTY);
    for (i = 0; i < num; i++)
        release(bufs[i]);
    CHECK_OK(doca_buf_pool_destroy(pool));
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void slots_are_aligned_and_do_not_overlap(void)
{
    static const size_t offsets[] = { 0, 1, 7, 63, 64, 65 };
    static const size_t sizes[] = { 1, 3, 64, 100, 257 };
    size_t o, s, alignment;

    for (o = 0; o < sizeof(offsets) / sizeof(offsets[0]); o++)
        for (s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
            for (alignment = 1; alignment <= 4096; alignment <<= 1)
                check_slots(memory + offsets[o], ROOM - offsets[o], 7, sizes[s], alignment);
    check_slots(memory, 64 * 64, 64, 64, 64); /* the slots fill the range */
    check_slots(memory + 1, 63 + 64 * 5, 5, 64, 64);
    check_slots(memory + 3, 30, 30, 1, 1);
}

/* Buffers in use have separate slots, in whatever order buffers were released. */
static void slots_never_overlap_in_any_order_of_release(void)
{
    enum { MOST = 100, SIZE = 64 };
    struct doca_mmap *mmap = mmap_of(memory, MOST * SIZE);
    struct doca_buf *bufs[MOST];
    unsigned char *head;
    bool is_out[MOST];
    uint32_t seed = 1;
    size_t num, slot, i, n, round;

    for (num = 1; num <= MOST; num += num / 8 + 1) {
        struct doca_buf_pool *pool = pool_of(num, SIZE, mmap);

        CHECK_OK(doca_buf_pool_start(pool));
        memset(is_out, 0, sizeof(is_out));
        for (round = 0, n = 0; round < 40 * num + 40; round++) {
            seed = seed * 1664525u + 1013904223u;
            if (n < num && (n == 0 || (seed & 0x10000) != 0)) {
                bufs[n] = slot_of(pool);
                head = check_fresh(bufs[n++], SIZE);
                CHECK(head >= memory && (size_t)(head - memory) % SIZE == 0);
                slot = (size_t)(head - memory) / SIZE;
                CHECK(slot < num && !is_out[slot]);
                is_out[slot] = true;
            } else {
                i = (seed >> 20) % n;
                CHECK_OK(doca_buf_get_head(bufs[i], (void **)&head));
                is_out[(size_t)(head - memory) / SIZE] = false;
                release(bufs[i]);
                bufs[i] = bufs[--n];
            }
            CHECK_EQ(num_free(pool), num - n);
        }
        while (n > 0)
            release(bufs[--n]);
        CHECK_OK(doca_buf_pool_destroy(pool));
    }
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void slots_must_fit_into_the_mmap(void)
{
    /* ranges that are too short even though the last slot needs no padding after it */
    static const struct {
        size_t offset, room, num, size, alignment;
    } shorts[] = {
        { 0, 63, 1, 64, 1 },
        { 0, 64 * 8 - 1, 8, 64, 1 },
        { 3, 64 * 8 - 1, 8, 64, 1 },
        { 1, 63 + 64 * 5 - 1, 5, 64, 64 }, /* the first aligned address is 63 bytes further */
        { 0, 128 + 9, 3, 10, 64 },
        { 64, 64, 1, 65, 64 },
        { 64, 10, 1, 1, 128 }, /* no address in the range is aligned */
        { 0, ROOM, 2, ROOM, 1 },
        { 0, ROOM, 1, SIZE_MAX, 1 },
        { 0, ROOM, 1, SIZE_MAX - 10, 4096 }, /* the size wraps when it is rounded up */
        { 0, ROOM, 4, SIZE_MAX / 4 + 1, 1 }, /* the product wraps to 0 */
        { 0, ROOM, 2, SIZE_MAX / 2 + 2, 1 }, /* the product wraps to 2 */
        { 0, ROOM, 1, 64, SIZE_MAX / 2 + 1 },
    };
    size_t i;

    for (i = 0; i < sizeof(shorts) / sizeof(shorts[0]); i++) {
        struct doca_mmap *mmap = mmap_of(memory + shorts[i].offset, shorts[i].room);
        struct doca_buf_pool *pool = pool_of(shorts[i].num, shorts[i].size, mmap);
        struct doca_buf *buf = NULL;
        doca_error_t rc;

        CHECK_OK(doca_buf_pool_set_element_alignment(pool, shorts[i].alignment));
        rc = doca_buf_pool_start(pool);
        if (rc != DOCA_ERROR_INITIALIZATION)
            test_fail(__FILE__, __LINE__, "line %lu of the table: %s", (unsigned long)i,
                      doca_error_get_name(rc));
        CHECK_RC(doca_buf_pool_stop(pool), DOCA_ERROR_BAD_STATE); /* the pool is not started */
        CHECK_RC(doca_buf_pool_buf_alloc(pool, &buf), DOCA_ERROR_BAD_STATE);
        CHECK_OK(doca_buf_pool_destroy(pool));
        CHECK_OK(doca_mmap_destroy(mmap));
    }
}

static void slots_follow_a_new_alignment(void)
{
    struct doca_mmap *mmap = mmap_of(memory + 1, ROOM - 1);
    struct doca_buf_pool *pool = pool_of(4, 10, mmap);
    size_t alignment;

    for (alignment = 4096; alignment > 0; alignment /= 2) {
        struct doca_buf *bufs[4];
        uint32_t i;

        CHECK_OK(doca_buf_pool_set_element_alignment(pool, alignment));
        CHECK_OK(doca_buf_pool_start(pool));
        for (i = 0; i < 4; i++) {
            bufs[i] = slot_of(pool);
            CHECK_EQ((uintptr_t)check_fresh(bufs[i], 10) % alignment, 0);
        }
        for (i = 0; i < 4; i++)
            release(bufs[i]);
        CHECK_OK(doca_buf_pool_stop(pool));
    }
    CHECK_OK(doca_buf_pool_destroy(pool));
    CHECK_OK(doca_mmap_destroy(mmap));
}

/* ---- memory and arguments ---- */

static void pool_takes_the_documented_bytes(void)
{
    static DOCA_CORE_ALIGNED unsigned char
        exact[DOCA_CORE_BYTES_MMAP(1) + DOCA_CORE_BYTES_BUF_POOL(33)];
    struct doca_core_arena arena;
    struct doca_buf_pool *pool = NULL;
    struct doca_mmap *mmap;
    size_t used = 0, bytes = 0;

    CHECK_OK(doca_core_bytes_buf_pool(33, &bytes));
    CHECK_EQ(bytes, DOCA_CORE_BYTES_BUF_POOL(33));
    CHECK_OK(doca_core_arena_init(&arena, exact, sizeof(exact)));
    CHECK_OK(doca_core_mmap_create_in(&arena, &mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, ROOM));
    CHECK_RC(doca_buf_pool_create(34, 64, mmap, &pool), DOCA_ERROR_NO_MEMORY);
    CHECK_PTR(pool, NULL);
    CHECK_OK(doca_buf_pool_create(33, 64, mmap, &pool)); /* from the arena of the mmap */
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, sizeof(exact));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_buf_pool_start(pool));
    release(slot_of(pool));
    CHECK_OK(doca_buf_pool_destroy(pool));
    CHECK_OK(doca_core_buf_pool_create_in(doca_core_arena_bound(), 34, 64, mmap, &pool));
    CHECK_OK(doca_buf_pool_destroy(pool));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_core_arena_audit(&arena));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
}

static void create_arguments_are_checked(void)
{
    struct doca_mmap *mmap = mmap_of(memory, ROOM);
    struct doca_buf_pool *pool = NULL;

    CHECK_RC(doca_buf_pool_create(0, 64, mmap, &pool), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_pool_create(1, 0, mmap, &pool), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_pool_create(1, 64, NULL, &pool), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_pool_create(1, 64, mmap, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_buf_pool_create_in(NULL, 1, 64, mmap, &pool), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_buf_pool(1, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_pool_create(TEST_MOST_BUFS, 64, mmap, &pool), DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_buf_pool_create(TEST_MOST_BUFS + 1, 64, mmap, &pool), DOCA_ERROR_INVALID_VALUE);
#if SIZE_MAX > UINT32_MAX
    CHECK_RC(doca_buf_pool_create((size_t)UINT32_MAX + 1, 64, mmap, &pool),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_pool_create(SIZE_MAX, 64, mmap, &pool), DOCA_ERROR_INVALID_VALUE);
#endif
    CHECK_PTR(pool, NULL);
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void check_refused_by_all_calls(struct doca_buf_pool *bad)
{
    union doca_data data = { 0 };
    struct doca_buf *buf;
    size_t alignment;
    uint32_t num;

    CHECK_RC(doca_buf_pool_start(bad), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_pool_stop(bad), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_pool_destroy(bad), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_pool_buf_alloc(bad, &buf), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_pool_set_element_alignment(bad, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_pool_get_element_alignment(bad, &alignment), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_pool_set_user_data(bad, data), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_pool_get_user_data(bad, &data), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_pool_get_num_elements(bad, &num), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_pool_get_num_free_elements(bad, &num), DOCA_ERROR_INVALID_VALUE);
}

static void null_stale_and_foreign_handles_are_refused(void)
{
    struct doca_mmap *mmap = mmap_of(memory, ROOM);
    struct doca_buf_pool *pool = pool_of(1, 64, mmap);
    struct doca_buf_inventory *inventory;

    check_refused_by_all_calls(NULL);
    CHECK_OK(doca_buf_inventory_create(1, &inventory)); /* has the same layout as a pool */
    CHECK_OK(doca_buf_pool_destroy(pool));
#if DOCA_CORE_CHECK >= 1
    check_refused_by_all_calls(pool);
    check_refused_by_all_calls((struct doca_buf_pool *)(void *)inventory);
#endif
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void null_outputs_are_refused(void)
{
    struct doca_mmap *mmap = mmap_of(memory, ROOM);
    struct doca_buf_pool *pool = pool_of(1, 64, mmap);

    CHECK_OK(doca_buf_pool_start(pool));
    CHECK_RC(doca_buf_pool_buf_alloc(pool, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_pool_get_element_alignment(pool, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_pool_get_user_data(pool, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_pool_get_num_elements(pool, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_pool_get_num_free_elements(pool, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(num_free(pool), 1);
    CHECK_OK(doca_buf_pool_destroy(pool));
    CHECK_OK(doca_mmap_destroy(mmap));
}

/* The last slot is further from the first than the difference of two pointers can express. */
static void slots_may_span_more_than_half_of_all_memory(void)
{
    const size_t quarter = SIZE_MAX / 4 + 1;
    struct doca_mmap *mmap = mmap_of((void *)(uintptr_t)64, SIZE_MAX - 64);
    struct doca_buf_pool *pool = pool_of(3, quarter, mmap);
    struct doca_buf *bufs[3];
    void *head;
    size_t i;

    CHECK_OK(doca_buf_pool_start(pool));
    for (i = 0; i < 3; i++) {
        bufs[i] = slot_of(pool);
        CHECK_OK(doca_buf_get_head(bufs[i], &head));
        CHECK_EQ((uintptr_t)head, 64 + i * quarter);
    }
    while (i > 0)
        release(bufs[--i]);
    CHECK_OK(doca_buf_pool_destroy(pool));
    CHECK_OK(doca_mmap_destroy(mmap));
}

static const struct test_case cases[] = {
    CASE(pool_can_be_stopped_and_started_again, "12 13 14 147 150 151"),
    CASE(pool_with_slots_in_use_cannot_be_destroyed, "152 153"),
    CASE(released_slots_can_be_allocated_again, "103 112 147 148"),
    CASE(start_needs_a_started_mmap, "145"),
    CASE(stopped_mmap_gives_no_slots, "61 63 145"),
    CASE(destroyed_mmap_gives_no_slots, ""),
    CASE(new_mmap_at_the_same_address_gives_no_slots, ""),
    CASE(alignment_is_a_power_of_two, "150"),
    CASE(slots_are_aligned_and_do_not_overlap, "148 149 150"),
    CASE(slots_never_overlap_in_any_order_of_release, "148"),
    CASE(slots_must_fit_into_the_mmap, "146"),
    CASE(slots_may_span_more_than_half_of_all_memory, ""),
    CASE(slots_follow_a_new_alignment, "150 151"),
    CASE(pool_takes_the_documented_bytes, ""),
    CASE(create_arguments_are_checked, "144"),
    CASE(null_stale_and_foreign_handles_are_refused, ""),
    CASE(null_outputs_are_refused, ""),
};

TEST_MAIN(cases)
