/* Buffer inventories: for which ranges and in which states buffers can be taken, and the properties
 * of these buffers. */
#include "buffers.h"

#define ROOM 4096u

static DOCA_CORE_ALIGNED unsigned char memory[ROOM + 128];
static unsigned char *const room = memory + 64; /* memory of the mmaps, inside other memory */

/* ---- fixtures ---- */

static uint32_t num_free(const struct doca_buf_inventory *inventory)
{
    uint32_t num = UINT32_MAX;

    CHECK_OK(doca_buf_inventory_get_num_free_elements(inventory, &num));
    return num;
}

static uint32_t num_elements(const struct doca_buf_inventory *inventory)
{
    uint32_t num = UINT32_MAX;

    CHECK_OK(doca_buf_inventory_get_num_elements(inventory, &num));
    return num;
}

static uint32_t list_len(const struct doca_buf *buf)
{
    uint32_t len = UINT32_MAX;

    CHECK_OK(doca_buf_get_list_len(buf, &len));
    return len;
}

static void check_window(const struct doca_buf *buf, const void *want_head, size_t want_len,
                         const void *want_data, size_t want_data_len)
{
    void *head = NULL, *data = NULL;
    size_t len = 0, data_len = SIZE_MAX;
    uint16_t refcount = 0;

    CHECK_OK(doca_buf_get_head(buf, &head));
    CHECK_OK(doca_buf_get_len(buf, &len));
    CHECK_OK(doca_buf_get_data(buf, &data));
    CHECK_OK(doca_buf_get_data_len(buf, &data_len));
    CHECK_OK(doca_buf_get_refcount(buf, &refcount));
    CHECK_PTR(head, want_head);
    CHECK_EQ(len, want_len);
    CHECK_PTR(data, want_data);
    CHECK_EQ(data_len, want_data_len);
    CHECK_EQ(refcount, 1);
}

/* by_args() with the parameters of the other two calls: the data section is the whole range, or
 * empty. */
static doca_error_t by_args_all(struct doca_buf_inventory *inventory, struct doca_mmap *mmap,
                                void *addr, size_t len, struct doca_buf **buf)
{
    return doca_buf_inventory_buf_get_by_args(inventory, mmap, addr, len, addr, len, buf);
}

static doca_error_t by_args_none(struct doca_buf_inventory *inventory, struct doca_mmap *mmap,
                                 void *addr, size_t len, struct doca_buf **buf)
{
    return doca_buf_inventory_buf_get_by_args(inventory, mmap, addr, len, addr, 0, buf);
}

static const struct {
    const char *name;
    doca_error_t (*get)(struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr,
                        size_t len, struct doca_buf **buf);
    bool is_full; /* the data section is the whole range; otherwise it is empty */
} ways[] = {
    { "by_addr", doca_buf_inventory_buf_get_by_addr, false },
    { "by_data", doca_buf_inventory_buf_get_by_data, true },
    { "by_args, all", by_args_all, true },
    { "by_args, none", by_args_none, false },
};

#define NUM_WAYS (sizeof(ways) / sizeof(ways[0]))

/* Take a buffer on [addr, addr + len) with each call. Check that the result is `want`, and that a
 * call that fails changes nothing. */
static void check_each_way(struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr,
                           size_t len, doca_error_t want, const char *name)
{
    const uint32_t free_before = num_free(inventory);
    size_t i;

    for (i = 0; i < NUM_WAYS; i++) {
        struct doca_buf *buf = NULL;
        doca_error_t rc = ways[i].get(inventory, mmap, addr, len, &buf);

        if (rc != want)
            test_fail(__FILE__, __LINE__, "%s, %s: %s, want %s", name, ways[i].name,
                      doca_error_get_name(rc), doca_error_get_name(want));
        if (rc == DOCA_SUCCESS) {
            check_window(buf, addr, len, addr, ways[i].is_full ? len : 0);
            CHECK_EQ(list_len(buf), 1);
            CHECK_EQ(num_free(inventory), free_before - 1);
            release(buf);
        }
        CHECK_PTR(rc == DOCA_SUCCESS ? NULL : buf, NULL);
        CHECK_EQ(num_free(inventory), free_before);
    }
}

/* ---- states ---- */

static void inventory_can_be_stopped_and_started_again(void)
{
    struct doca_mmap *mmap = mmap_of(room, ROOM);
    struct doca_buf_inventory *inventory;
    union doca_data data = { .u64 = 1 };
    uint64_t round;

    CHECK_OK(doca_buf_inventory_create(2, &inventory));
    CHECK_OK(doca_buf_inventory_get_user_data(inventory, &data));
    CHECK_EQ(data.u64, 0);
    for (round = 1; round < 4; round++) {
        CHECK_RC(doca_buf_inventory_stop(inventory), DOCA_ERROR_BAD_STATE);
        check_each_way(inventory, mmap, room, 8, DOCA_ERROR_BAD_STATE, "not started");
        data.u64 = round;
        CHECK_OK(doca_buf_inventory_set_user_data(inventory, data));
        CHECK_OK(doca_buf_inventory_start(inventory));
        CHECK_RC(doca_buf_inventory_start(inventory), DOCA_ERROR_BAD_STATE);
        check_each_way(inventory, mmap, room, 8, DOCA_SUCCESS, "started");
        CHECK_OK(doca_buf_inventory_get_user_data(inventory, &data));
        CHECK_EQ(data.u64, round);
        data.u64 = round + 100; /* set_user_data is allowed in every state */
        CHECK_OK(doca_buf_inventory_set_user_data(inventory, data));
        CHECK_OK(doca_buf_inventory_stop(inventory));
        CHECK_OK(doca_buf_inventory_get_user_data(inventory, &data));
        CHECK_EQ(data.u64, round + 100);
    }
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void mmap_must_be_started_too(void)
{
    struct doca_buf_inventory *inventory = inventory_of(1);
    struct doca_mmap *mmap = mmap_of(room, ROOM);

    CHECK_OK(doca_mmap_stop(mmap));
    check_each_way(inventory, mmap, room, 8, DOCA_ERROR_BAD_STATE, "mmap stopped");
    CHECK_OK(doca_mmap_start(mmap));
    check_each_way(inventory, mmap, room, 8, DOCA_SUCCESS, "mmap started");
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
}

static void bufs_in_use_stay_valid_after_a_stop(void)
{
    struct doca_buf_inventory *inventory = inventory_of(3);
    struct doca_mmap *mmap = mmap_of(room, ROOM);
    struct doca_buf *a, *b, *copy = NULL;

    CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, room, 8, &a));
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, room + 8, 8, &b));
    CHECK_OK(doca_buf_inventory_stop(inventory));
    check_window(a, room, 8, room, 0);
    CHECK_OK(doca_buf_set_data(a, room + 1, 3));
    CHECK_OK(doca_buf_chain_list(a, b));
    CHECK_RC(doca_buf_inventory_buf_dup(inventory, a, &copy), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_buf_unchain_list(a, b));
    release(b);
    CHECK_EQ(num_free(inventory), 2);
    CHECK_OK(doca_buf_inventory_start(inventory));
    check_window(a, room, 8, room + 1, 3);
    check_each_way(inventory, mmap, room, 8, DOCA_SUCCESS, "started again");
    CHECK_OK(doca_buf_inventory_stop(inventory));
    release(a); /* bufs of a stopped inventory can be released */
    CHECK_EQ(num_free(inventory), 3);
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void inventory_with_bufs_in_use_cannot_be_destroyed(void)
{
    struct doca_mmap *mmap = mmap_of(room, ROOM);
    uint32_t is_stopped;

    for (is_stopped = 0; is_stopped < 2; is_stopped++) {
        struct doca_buf_inventory *inventory = inventory_of(2);
        struct doca_buf *a, *b;

        CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, room, 8, &a));
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, room, 8, &b));
        if (is_stopped)
            CHECK_OK(doca_buf_inventory_stop(inventory));
        CHECK_RC(doca_buf_inventory_destroy(inventory), DOCA_ERROR_IN_USE);
        release(a);
        CHECK_RC(doca_buf_inventory_destroy(inventory), DOCA_ERROR_IN_USE);
        check_window(b, room, 8, room, 0);
        CHECK_RC(doca_buf_inventory_stop(inventory),
                 is_stopped ? DOCA_ERROR_BAD_STATE : DOCA_SUCCESS);
        if (!is_stopped)
            CHECK_OK(doca_buf_inventory_start(inventory));
        release(b);
        CHECK_OK(doca_buf_inventory_destroy(inventory));
    }
    CHECK_OK(doca_mmap_destroy(mmap));
}

/* ---- number of bufs ---- */

static void released_bufs_can_be_taken_again(void)
{
    struct doca_buf_inventory *inventory = inventory_of(5);
    struct doca_mmap *mmap = mmap_of(room, ROOM);
    struct doca_buf *bufs[5];
    uint32_t i, j;

    for (i = 0; i < 5; i++) {
        CHECK_EQ(num_elements(inventory), 5);
        CHECK_EQ(num_free(inventory), 5 - i);
        CHECK_EQ(num_bufs(mmap), i);
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, room + i, 8, &bufs[i]));
        for (j = 0; j < i; j++)
            CHECK(bufs[j] != bufs[i]);
    }
    for (i = 0; i < 5; i++) {
        check_each_way(inventory, mmap, room, 8, DOCA_ERROR_NO_MEMORY, "empty");
        release(bufs[i]);
        CHECK_EQ(num_free(inventory), 1);
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, room + 64, 8, &bufs[i]));
        check_window(bufs[i], room + 64, 8, room + 64, 0);
    }
    CHECK_EQ(num_bufs(mmap), 5);
    for (i = 0; i < 5; i++)
        release(bufs[i]);
    CHECK_EQ(num_elements(inventory), 5);
    CHECK_EQ(num_free(inventory), 5);
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void bufs_of_several_mmaps_may_overlap(void)
{
    struct doca_buf_inventory *inventory = inventory_of(4);
    struct doca_mmap *mmaps[2] = { mmap_of(room, ROOM), mmap_of(room + 100, 200) };
    struct doca_buf *bufs[4];
    uint32_t i;

    for (i = 0; i < 4; i++)
        CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, mmaps[i & 1], room + 100 + i / 2,
                                                    50, &bufs[i]));
    CHECK_EQ(num_bufs(mmaps[0]), 2);
    CHECK_EQ(num_bufs(mmaps[1]), 2);
    for (i = 0; i < 4; i++) {
        check_window(bufs[i], room + 100 + i / 2, 50, room + 100 + i / 2, 50);
        release(bufs[i]);
    }
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_mmap_destroy(mmaps[0]));
    CHECK_OK(doca_mmap_destroy(mmaps[1]));
}

/* ---- ranges ---- */

static void window_lies_inside_the_mmap(void)
{
    /* programs do create buffers of no bytes; only the checked mode refuses them */
    const doca_error_t rc_if_empty = DOCA_CORE_CHECK >= 2 ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
    const struct {
        const char *name;
        size_t off, len; /* `off` wraps, so a huge value means an address before the mmap */
        doca_error_t want;
    } windows[] = {
        { "whole range", 0, ROOM, DOCA_SUCCESS },
        { "first byte", 0, 1, DOCA_SUCCESS },
        { "last byte", ROOM - 1, 1, DOCA_SUCCESS },
        { "middle", 100, 200, DOCA_SUCCESS },
        { "nothing", 0, 0, rc_if_empty },
        { "no bytes in the middle", 100, 0, rc_if_empty },
        { "no bytes at the end", ROOM, 0, rc_if_empty },
        { "no bytes after the end", ROOM + 1, 0, DOCA_ERROR_INVALID_VALUE },
        { "no bytes before the start", SIZE_MAX, 0, DOCA_ERROR_INVALID_VALUE },
        { "one byte too long", 0, ROOM + 1, DOCA_ERROR_INVALID_VALUE },
        { "one past the end", ROOM - 1, 2, DOCA_ERROR_INVALID_VALUE },
        { "after the end", ROOM, 1, DOCA_ERROR_INVALID_VALUE },
        { "further after the end", ROOM + 1, 1, DOCA_ERROR_INVALID_VALUE },
        { "before the start", SIZE_MAX, 1, DOCA_ERROR_INVALID_VALUE },
        { "from before the start into the mmap", SIZE_MAX, 2, DOCA_ERROR_INVALID_VALUE },
        { "more than the mmap on both sides", SIZE_MAX, ROOM + 2, DOCA_ERROR_INVALID_VALUE },
        { "length wraps back to the start", 1, SIZE_MAX, DOCA_ERROR_INVALID_VALUE },
        { "length wraps to before the start", 0, SIZE_MAX, DOCA_ERROR_INVALID_VALUE },
        { "length wraps into the range", 16, SIZE_MAX - 7, DOCA_ERROR_INVALID_VALUE },
        { "half of the address space", 0, SIZE_MAX / 2 + 1, DOCA_ERROR_INVALID_VALUE },
        { "the other half of the address space", SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 2,
          DOCA_ERROR_INVALID_VALUE },
    };
    struct doca_buf_inventory *inventory = inventory_of(1);
    struct doca_mmap *mmap = mmap_of(room, ROOM);
    size_t i;

    for (i = 0; i < sizeof(windows) / sizeof(windows[0]); i++)
        check_each_way(inventory, mmap, (void *)((uintptr_t)room + windows[i].off), windows[i].len,
                       windows[i].want, windows[i].name);
    check_each_way(inventory, mmap, NULL, 8, DOCA_ERROR_INVALID_VALUE, "NULL");
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void windows_at_the_edges_of_memory(void)
{
    static const struct {
        uintptr_t addr;
        size_t len;
        struct {
            uintptr_t addr;
            size_t len;
            doca_error_t want;
        } windows[4];
    } maps[] = {
        { UINTPTR_MAX - 4096, 4096, /* ends at the last address but one */
          { { UINTPTR_MAX - 1, 1, DOCA_SUCCESS },
            { UINTPTR_MAX - 1, 2, DOCA_ERROR_INVALID_VALUE },
            { UINTPTR_MAX, 1, DOCA_ERROR_INVALID_VALUE },
            { UINTPTR_MAX - 4096, SIZE_MAX, DOCA_ERROR_INVALID_VALUE } } },
        { 1, SIZE_MAX - 1, /* the whole address space except NULL and the last byte */
          { { 1, SIZE_MAX - 1, DOCA_SUCCESS },
            { 1, SIZE_MAX, DOCA_ERROR_INVALID_VALUE },
            { 2, SIZE_MAX - 1, DOCA_ERROR_INVALID_VALUE },
            { UINTPTR_MAX / 2, SIZE_MAX / 2 + 1, DOCA_SUCCESS } } },
        { 1, 1, /* the first byte that is not NULL */
          { { 1, 1, DOCA_SUCCESS },
            { 1, 2, DOCA_ERROR_INVALID_VALUE },
            { 2, SIZE_MAX, DOCA_ERROR_INVALID_VALUE },
            { UINTPTR_MAX, 2, DOCA_ERROR_INVALID_VALUE } } },
    };
    struct doca_buf_inventory *inventory = inventory_of(1);
    size_t i, j;

    for (i = 0; i < sizeof(maps) / sizeof(maps[0]); i++) {
        struct doca_mmap *mmap = mmap_of((void *)maps[i].addr, maps[i].len);

        for (j = 0; j < 4; j++)
            check_each_way(inventory, mmap, (void *)maps[i].windows[j].addr, maps[i].windows[j].len,
                           maps[i].windows[j].want, "edge of memory");
        CHECK_OK(doca_mmap_destroy(mmap));
    }
    CHECK_OK(doca_buf_inventory_destroy(inventory));
}

static void content_lies_inside_the_window(void)
{
    static const struct {
        const char *name;
        size_t off, data_len; /* in a buffer of 16 bytes; `off` wraps */
        doca_error_t want;
    } contents[] = {
        { "all", 0, 16, DOCA_SUCCESS },
        { "the middle", 4, 8, DOCA_SUCCESS },
        { "nothing, inside", 7, 0, DOCA_SUCCESS },
        { "no bytes at the end", 16, 0, DOCA_SUCCESS },
        { "one byte too long", 0, 17, DOCA_ERROR_INVALID_VALUE },
        { "one past the last byte", 15, 2, DOCA_ERROR_INVALID_VALUE },
        { "no bytes after the window", 17, 0, DOCA_ERROR_INVALID_VALUE },
        { "no bytes before the window", SIZE_MAX, 0, DOCA_ERROR_INVALID_VALUE },
        { "from before the window into it", SIZE_MAX, 4, DOCA_ERROR_INVALID_VALUE },
        { "length wraps back into the window", 8, SIZE_MAX, DOCA_ERROR_INVALID_VALUE },
        { "longest length", 0, SIZE_MAX, DOCA_ERROR_INVALID_VALUE },
    };
    struct doca_buf_inventory *inventory = inventory_of(1);
    struct doca_mmap *mmap = mmap_of(room, ROOM);
    struct doca_buf *buf = NULL;
    size_t i;

    for (i = 0; i < sizeof(contents) / sizeof(contents[0]); i++) {
        void *data = (void *)((uintptr_t)room + 32 + contents[i].off);
        doca_error_t rc = doca_buf_inventory_buf_get_by_args(inventory, mmap, room + 32, 16, data,
                                                             contents[i].data_len, &buf);

        if (rc != contents[i].want)
            test_fail(__FILE__, __LINE__, "%s: %s", contents[i].name, doca_error_get_name(rc));
        if (rc == DOCA_SUCCESS) {
            check_window(buf, room + 32, 16, data, contents[i].data_len);
            release(buf);
        }
        CHECK_EQ(num_free(inventory), 1);
    }
    CHECK_RC(doca_buf_inventory_buf_get_by_args(inventory, mmap, room, 16, NULL, 0, &buf),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_mmap_destroy(mmap));
}

/* ---- dup ---- */

static void dup_copies_the_whole_list(void)
{
    struct doca_buf_inventory *from = inventory_of(3), *to = inventory_of(4);
    struct doca_mmap *mmaps[2] = { mmap_of(room, ROOM), mmap_of(memory, 64) };
    struct doca_buf *src[3], *dst = NULL, *walk;
    uint32_t i;

    for (i = 0; i < 3; i++) {
        unsigned char *head = i == 1 ? memory : room + 100 * i;

        CHECK_OK(doca_buf_inventory_buf_get_by_args(from, mmaps[i == 1], head, 40 + i, head + i,
                                                    20 - i, &src[i]));
        if (i > 0)
            CHECK_OK(doca_buf_chain_list(src[0], src[i]));
    }
    CHECK_OK(doca_buf_inc_refcount(src[0], NULL)); /* the copy does not get this reference */
    CHECK_OK(doca_buf_inventory_buf_dup(to, src[0], &dst));
    CHECK_EQ(num_free(to), 1);
    CHECK_EQ(num_free(from), 0);
    CHECK_EQ(num_bufs(mmaps[0]), 4);
    CHECK_EQ(num_bufs(mmaps[1]), 2);
    CHECK_EQ(list_len(dst), 3);
    for (i = 0, walk = dst; i < 3; i++) {
        unsigned char *head = i == 1 ? memory : room + 100 * i;

        CHECK(walk != NULL && walk != src[i]);
        check_window(walk, head, 40 + i, head + i, 20 - i);
        CHECK_OK(doca_buf_get_next_in_list(walk, &walk));
    }
    CHECK_PTR(walk, NULL);

    /* a change of the original does not change the copy */
    CHECK_OK(doca_buf_set_data(src[0], room, 40));
    check_window(dst, room, 40, room, 20);
    release(src[0]);
    release(src[0]);
    CHECK_EQ(list_len(dst), 3);
    check_window(dst, room, 40, room, 20);
    release(dst);
    CHECK_EQ(num_free(to), 4);
    CHECK_EQ(num_bufs(mmaps[0]) + num_bufs(mmaps[1]), 0);
    CHECK_OK(doca_buf_inventory_destroy(from));
    CHECK_OK(doca_buf_inventory_destroy(to));
    CHECK_OK(doca_mmap_destroy(mmaps[0]));
    CHECK_OK(doca_mmap_destroy(mmaps[1]));
}

static void dup_is_all_or_nothing(void)
{
    struct doca_buf_inventory *from = inventory_of(3), *to = inventory_of(2);
    struct doca_mmap *mmap = mmap_of(room, ROOM);
    struct doca_buf *src[3], *dst = NULL;
    uint32_t i;

    for (i = 0; i < 3; i++) {
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(from, mmap, room + i, 8, &src[i]));
        if (i > 0)
            CHECK_OK(doca_buf_chain_list(src[0], src[i]));
    }
    CHECK_RC(doca_buf_inventory_buf_dup(to, src[0], &dst), DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_buf_inventory_buf_dup(from, src[0], &dst), DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_buf_inventory_buf_dup(to, src[1], &dst), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_buf_inventory_stop(to));
    CHECK_RC(doca_buf_inventory_buf_dup(to, src[0], &dst), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_buf_inventory_start(to));
    CHECK_RC(doca_buf_inventory_buf_dup(NULL, src[0], &dst), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_buf_dup(to, NULL, &dst), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_buf_dup(to, src[0], NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(dst, NULL);
    CHECK_EQ(num_free(to), 2);
    CHECK_EQ(num_bufs(mmap), 3);
    CHECK_EQ(list_len(src[0]), 3);

    CHECK_OK(doca_buf_unchain_list(src[0], src[2])); /* the shorter list fits into the inventory */
    CHECK_OK(doca_buf_inventory_buf_dup(to, src[0], &dst));
    CHECK_EQ(num_free(to), 0);
    CHECK_EQ(num_bufs(mmap), 5);
    release(dst);
    release(src[2]);
    CHECK_RC(doca_buf_inventory_buf_dup(to, src[2], &dst), DOCA_ERROR_BAD_STATE);
    release(src[0]);
    CHECK_OK(doca_buf_inventory_destroy(from));
    CHECK_OK(doca_buf_inventory_destroy(to));
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void dup_copies_a_pool_buf(void)
{
    struct doca_buf_inventory *inventory = inventory_of(1);
    struct doca_mmap *mmap = mmap_of(room, ROOM);
    struct doca_buf_pool *pool;
    struct doca_buf *slot, *copy;
    void *head = NULL;

    CHECK_OK(doca_buf_pool_create(2, 100, mmap, &pool));
    CHECK_OK(doca_buf_pool_start(pool));
    CHECK_OK(doca_buf_pool_buf_alloc(pool, &slot));
    CHECK_OK(doca_buf_get_head(slot, &head));
    CHECK_OK(doca_buf_set_data(slot, (unsigned char *)head + 9, 10));
    CHECK_OK(doca_buf_inventory_buf_dup(inventory, slot, &copy));
    check_window(copy, head, 100, (unsigned char *)head + 9, 10);
    release(slot);
    release(copy);
    CHECK_EQ(num_free(inventory), 1);
    CHECK_OK(doca_buf_pool_destroy(pool));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_mmap_destroy(mmap));
}

/* ---- memory ---- */

#define MILLION 1000000u

static DOCA_CORE_ALIGNED unsigned char
    million_memory[DOCA_CORE_BYTES_MMAP(1) + DOCA_CORE_BYTES_BUF_INVENTORY(MILLION)];

static void million_bufs_in_an_arena_of_the_program(void)
{
    struct doca_core_arena arena;
    struct doca_buf_inventory *inventory, *more = NULL;
    struct doca_buf *list = NULL, *buf;
    struct doca_mmap *mmap;
    size_t used = 0, peak = 0, bytes = 0;
    uint32_t i;

    CHECK_OK(doca_core_arena_init(&arena, million_memory, sizeof(million_memory)));
    CHECK_OK(doca_core_arena_bind(&arena));
    mmap = mmap_of(room, ROOM);
    CHECK_OK(doca_core_bytes_buf_inventory(MILLION, &bytes));
    CHECK_EQ(bytes, DOCA_CORE_BYTES_BUF_INVENTORY(MILLION));
    CHECK_RC(doca_buf_inventory_create(MILLION + 1, &more), DOCA_ERROR_NO_MEMORY);
    inventory = inventory_of(MILLION);
    CHECK_RC(doca_buf_inventory_create(1, &more), DOCA_ERROR_NO_MEMORY);
    CHECK_PTR(more, NULL);

    /* chain all buffers to one list: no buffer occurs twice, and one release returns all of them */
    for (i = 0; i < MILLION; i++) {
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, room + i % ROOM, 1, &buf));
        if (list == NULL)
            list = buf;
        else
            CHECK_OK(doca_buf_chain_list(list, buf));
    }
    CHECK_EQ(num_free(inventory), 0);
    CHECK_EQ(num_elements(inventory), MILLION);
    CHECK_EQ(num_bufs(mmap), MILLION);
    CHECK_RC(doca_buf_inventory_buf_get_by_addr(inventory, mmap, room, 1, &buf),
             DOCA_ERROR_NO_MEMORY);
    CHECK_EQ(list_len(list), MILLION);
    for (i = 0, buf = list; buf != NULL; i++) {
        void *head = NULL;

        CHECK_OK(doca_buf_get_head(buf, &head));
        CHECK_PTR(head, room + i % ROOM);
        CHECK_OK(doca_buf_get_next_in_list(buf, &buf));
    }
    CHECK_EQ(i, MILLION);
    release(list);
    CHECK_EQ(num_free(inventory), MILLION);
    CHECK_EQ(num_bufs(mmap), 0);

    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_core_arena_audit(&arena));
    CHECK_OK(doca_core_arena_query(&arena, &used, &peak, NULL));
    CHECK_EQ(used, 0);
    CHECK_EQ(peak, sizeof(million_memory));
    CHECK_OK(doca_core_arena_bind(NULL));
}

static void number_of_elements_has_bounds(void)
{
    struct doca_buf_inventory *inventory = NULL;

    CHECK_RC(doca_buf_inventory_create(0, &inventory), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_create(TEST_MOST_BUFS, &inventory), DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_buf_inventory_create(TEST_MOST_BUFS + 1, &inventory), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_create(UINT32_MAX, &inventory), DOCA_ERROR_INVALID_VALUE);
#if SIZE_MAX > UINT32_MAX
    CHECK_RC(doca_buf_inventory_create((size_t)UINT32_MAX + 1, &inventory),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_create((size_t)UINT32_MAX + 2, &inventory),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_create(SIZE_MAX, &inventory), DOCA_ERROR_INVALID_VALUE);
#endif
    CHECK_PTR(inventory, NULL);
}

/* ---- arguments ---- */

static void check_refused_by_all_calls(struct doca_buf_inventory *bad, struct doca_mmap *mmap)
{
    union doca_data data = { 0 };
    struct doca_buf *buf;
    uint32_t num;

    CHECK_RC(doca_buf_inventory_start(bad), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_stop(bad), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_destroy(bad), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_get_num_elements(bad, &num), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_get_num_free_elements(bad, &num), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_get_user_data(bad, &data), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_set_user_data(bad, data), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_buf_get_by_addr(bad, mmap, room, 1, &buf),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_buf_get_by_data(bad, mmap, room, 1, &buf),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_buf_get_by_args(bad, mmap, room, 1, room, 1, &buf),
             DOCA_ERROR_INVALID_VALUE);
}

static void null_stale_and_foreign_handles_are_refused(void)
{
    struct doca_buf_inventory *inventory = inventory_of(1), *dead = inventory_of(1);
    struct doca_mmap *mmap = mmap_of(room, ROOM), *dead_mmap = mmap_of(room, ROOM);

    CHECK_OK(doca_buf_inventory_destroy(dead));
    CHECK_OK(doca_mmap_destroy(dead_mmap));
    check_refused_by_all_calls(NULL, mmap);
    check_each_way(inventory, NULL, room, 1, DOCA_ERROR_INVALID_VALUE, "mmap NULL");
#if DOCA_CORE_CHECK >= 1
    check_refused_by_all_calls(dead, mmap);
    check_refused_by_all_calls((struct doca_buf_inventory *)(void *)mmap, mmap);
    check_each_way(inventory, dead_mmap, room, 1, DOCA_ERROR_INVALID_VALUE, "mmap destroyed");
    check_each_way(inventory, (struct doca_mmap *)(void *)inventory, room, 1,
                   DOCA_ERROR_INVALID_VALUE, "not an mmap");
#endif
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void null_outputs_are_refused(void)
{
    struct doca_buf_inventory *inventory = inventory_of(1);
    struct doca_mmap *mmap = mmap_of(room, ROOM);

    CHECK_RC(doca_buf_inventory_create(1, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_buf_inventory_create_in(NULL, 1, &inventory), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_buf_inventory_create_in(doca_core_arena_bound(), 1, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_buf_inventory(1, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_get_num_elements(inventory, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_get_num_free_elements(inventory, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_get_user_data(inventory, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_buf_get_by_addr(inventory, mmap, room, 1, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_buf_get_by_data(inventory, mmap, room, 1, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_buf_get_by_args(inventory, mmap, room, 1, room, 1, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(num_free(inventory), 1);
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_mmap_destroy(mmap));
}

static const struct test_case cases[] = {
    CASE(inventory_can_be_stopped_and_started_again, "12 14 127 128 129 130 136 140 141"),
    CASE(mmap_must_be_started_too, "61"),
    CASE(bufs_in_use_stay_valid_after_a_stop, "136 138"),
    CASE(inventory_with_bufs_in_use_cannot_be_destroyed, "135"),
    CASE(released_bufs_can_be_taken_again, "132 134 112"),
    CASE(bufs_of_several_mmaps_may_overlap, "139 142"),
    CASE(window_lies_inside_the_mmap, "131"),
    CASE(windows_at_the_edges_of_memory, "131"),
    CASE(content_lies_inside_the_window, "130 133"),
    CASE(dup_copies_the_whole_list, "137"),
    CASE(dup_is_all_or_nothing, "137 138"),
    CASE(dup_copies_a_pool_buf, "137"),
    CASE(million_bufs_in_an_arena_of_the_program, "132 134"),
    CASE(number_of_elements_has_bounds, ""),
    CASE(null_stale_and_foreign_handles_are_refused, ""),
    CASE(null_outputs_are_refused, ""),
};

TEST_MAIN(cases)
