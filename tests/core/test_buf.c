/* Bufs: range ("window") and data section ("content"), reference count, lists. No case needs a
 * device. */
#include "buffers.h"

#include <unistd.h>

#define ROOM 4096u
#define LONG 100u /* elements of the long list */

static DOCA_CORE_ALIGNED unsigned char memory[ROOM], other_memory[ROOM];

/* ---- fixtures ---- */

static struct doca_buf *buf_at(struct doca_buf_inventory *inventory, struct doca_mmap *mmap,
                               void *addr)
{
    struct doca_buf *buf;

    CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, addr, 16, &buf));
    return buf;
}

/* The objects of most cases: an mmap of `memory`, an inventory, and adjacent bufs of 16 bytes. */
static struct {
    struct doca_mmap *mmap;
    struct doca_buf_inventory *inventory;
    struct doca_buf *bufs[LONG];
} set;

static struct doca_buf **set_up(uint32_t num)
{
    uint32_t i;

    set.mmap = mmap_of(memory, ROOM);
    set.inventory = inventory_of(LONG);
    for (i = 0; i < num; i++)
        set.bufs[i] = buf_at(set.inventory, set.mmap, memory + 16 * i);
    return set.bufs;
}

static void tear_down(void) /* the case has released every buf */
{
    CHECK_OK(doca_buf_inventory_destroy(set.inventory));
    CHECK_OK(doca_mmap_destroy(set.mmap));
}

static uint32_t num_free(const struct doca_buf_inventory *inventory)
{
    uint32_t num = UINT32_MAX;

    CHECK_OK(doca_buf_inventory_get_num_free_elements(inventory, &num));
    return num;
}

static uint16_t refcount(const struct doca_buf *buf)
{
    uint16_t count = 0xdead;

    CHECK_OK(doca_buf_get_refcount(buf, &count));
    return count;
}

static void check_window(const struct doca_buf *buf, const void *want_head, size_t want_len,
                         const void *want_data, size_t want_data_len)
{
    void *head = NULL, *data = NULL;
    size_t len = 0, data_len = SIZE_MAX;

    CHECK_OK(doca_buf_get_head(buf, &head));
    CHECK_OK(doca_buf_get_len(buf, &len));
    CHECK_OK(doca_buf_get_data(buf, &data));
    CHECK_OK(doca_buf_get_data_len(buf, &data_len));
    CHECK_PTR(head, want_head);
    CHECK_EQ(len, want_len);
    CHECK_PTR(data, want_data);
    CHECK_EQ(data_len, want_data_len);
}

/* Check that a list consists of these bufs, in this order, by all getters of each member. */
static void check_list(struct doca_buf *const *want, uint32_t num, uint16_t want_refcount)
{
    uint32_t i, len = 0;

    CHECK_OK(doca_buf_get_list_len(want[0], &len));
    CHECK_EQ(len, num);
    for (i = 0; i < num; i++) {
        struct doca_buf *next = want[i], *last = NULL;
        uint8_t is_first = 9, is_last = 9, is_in_list = 9;

        CHECK_OK(doca_buf_get_next_in_list(want[i], &next));
        CHECK_PTR(next, i + 1 < num ? want[i + 1] : NULL);
        CHECK_OK(doca_buf_get_last_in_list(want[i], &last));
        CHECK_PTR(last, want[num - 1]);
        CHECK_OK(doca_buf_is_first_in_list(want[i], &is_first));
        CHECK_EQ(is_first, i == 0);
        CHECK_OK(doca_buf_is_last_in_list(want[i], &is_last));
        CHECK_EQ(is_last, i == num - 1);
        CHECK_OK(doca_buf_is_in_list(want[i], &is_in_list));
        CHECK_EQ(is_in_list, num > 1);
        CHECK_EQ(refcount(want[i]), i == 0 ? want_refcount : 1);
        if (i > 0)
            CHECK_RC(doca_buf_get_list_len(want[i], &len), DOCA_ERROR_NOT_PERMITTED);
    }
}

/* ---- window and content ---- */

/* Each buf takes exactly one cache line. */
static void every_buf_takes_one_cache_line(void)
{
    uintptr_t lowest = UINTPTR_MAX, highest = 0, at;
    struct doca_buf **bufs;
    unsigned i;

    if (sizeof(void *) != 8 || DOCA_CORE_CHECK >= 2)
        test_skip("a buf is smaller with 32-bit pointers, and larger in the checked mode");
    CHECK_EQ(sizeof(struct doca_buf), DOCA_CORE_LINE);
    bufs = set_up(LONG);
    for (i = 0; i < LONG; i++) {
        at = (uintptr_t)bufs[i];
        CHECK_EQ(at % DOCA_CORE_LINE, 0);
        lowest = at < lowest ? at : lowest;
        highest = at > highest ? at : highest;
    }
    CHECK_EQ(highest - lowest, (LONG - 1) * DOCA_CORE_LINE);
    for (i = 0; i < LONG; i++)
        release(bufs[i]);
    tear_down();
}

static void new_buf_is_in_no_list_and_has_one_reference(void)
{
    struct doca_buf **b = set_up(1);

    check_window(b[0], memory, 16, memory, 0);
    check_list(b, 1, 1);
    release(b[0]);
    tear_down();
}

#define TO_END (sizeof(memory) - 64) /* bytes from the start of the window to the end of the mmap */

static void content_moves_inside_the_mmap_only(void)
{
    static const struct {
        const char *name;
        size_t off, data_len; /* of the content; `off` wraps, so it can be before the window */
        enum { INSIDE, BESIDE, OUTSIDE } where;
        size_t want_len; /* length of the buffer afterwards, when the content is BESIDE it */
    } contents[] = {
        { "no bytes at the start", 0, 0, INSIDE, 0 },
        { "the whole window", 0, 16, INSIDE, 0 },
        { "the middle", 5, 3, INSIDE, 0 },
        { "the last byte", 15, 1, INSIDE, 0 },
        { "no bytes at the end", 16, 0, INSIDE, 0 },
        { "one byte too long", 0, 17, BESIDE, TO_END },
        { "one past the last byte", 15, 2, BESIDE, TO_END },
        { "one byte after the window", 16, 1, BESIDE, TO_END },
        { "no bytes after the window", 17, 0, BESIDE, TO_END },
        { "the last byte of the mmap", TO_END - 1, 1, BESIDE, TO_END },
        { "no bytes at the end of the mmap", TO_END, 0, BESIDE, TO_END },
        { "no bytes before the window", SIZE_MAX, 0, BESIDE, 16 },
        { "from before the window into it", SIZE_MAX, 2, BESIDE, 16 },
        { "from the start of the mmap to after the window", SIZE_MAX - 63, 100, BESIDE, TO_END },
        { "one byte after the mmap", TO_END, 1, OUTSIDE, 0 },
        { "no bytes after the mmap", TO_END + 1, 0, OUTSIDE, 0 },
        { "one byte longer than the mmap", 0, TO_END + 1, OUTSIDE, 0 },
        { "from before the mmap", SIZE_MAX - 64, 1, OUTSIDE, 0 },
        { "length wraps back into the window", 8, SIZE_MAX, OUTSIDE, 0 },
        { "longest length", 0, SIZE_MAX, OUTSIDE, 0 },
    };
    struct doca_buf *buf;
    unsigned char *head = memory + 64;
    size_t i;

    set_up(0);
    for (i = 0; i < sizeof(contents) / sizeof(contents[0]); i++) {
        void *data = (void *)((uintptr_t)head + contents[i].off);
        bool is_refused = contents[i].where == OUTSIDE ||
                          (contents[i].where == BESIDE && DOCA_CORE_CHECK >= 2);
        doca_error_t rc;

        buf = buf_at(set.inventory, set.mmap, head);
        CHECK_OK(doca_buf_set_data(buf, head + 2, 7));
        rc = doca_buf_set_data(buf, data, contents[i].data_len);
        if (rc != (is_refused ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS))
            test_fail(__FILE__, __LINE__, "%s: %s", contents[i].name, doca_error_get_name(rc));
        if (is_refused)
            check_window(buf, head, 16, head + 2, 7);
        else
            check_window(buf, head, contents[i].where == BESIDE ? contents[i].want_len : 16, data,
                         contents[i].data_len);
        release(buf);
    }
    buf = buf_at(set.inventory, set.mmap, head);
    CHECK_RC(doca_buf_set_data(buf, NULL, 0), DOCA_ERROR_INVALID_VALUE);
    release(buf);
    tear_down();
}

/* The library logs one warning, however often the program sets a data section outside the
 * buffer. */
static void content_outside_a_buffer_is_warned_of_once(void)
{
    const unsigned lines = test_log_lines;
    struct doca_buf **b;
    unsigned i, k;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("the call fails at this check level");
    b = set_up(LONG);
    for (i = 0; i < 10; i++) /* before the window, and after it */
        for (k = 1; k < LONG; k++)
            CHECK_OK(doca_buf_set_data(b[k], memory + 2000 * (i % 2), 0));
    CHECK_EQ(test_log_lines, lines + LONG - 1);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_BUF_DATA_BESIDE);
    CHECK(strstr(doca_core_last_error(), "doca_buf_set_data: buf 0x") != NULL);
    for (k = 0; k < LONG; k++) {
        release(b[k]);
        b[k] = buf_at(set.inventory, set.mmap, memory + 1000);
        CHECK_OK(doca_buf_set_data(b[k], memory, 0)); /* each is a new buffer */
    }
    CHECK_EQ(test_log_lines, lines + LONG - 1 + LONG);
    for (k = 0; k < LONG; k++)
        release(b[k]);
    tear_down();
}

static void lists_of_warned_buffers_behave_like_other_lists(void)
{
    struct doca_buf **b, *last;
    uint32_t num;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("the call fails at this check level");
    b = set_up(3);
    CHECK_OK(doca_buf_set_data(b[1], memory, 4));
    CHECK_OK(doca_buf_set_data(b[2], memory, 4));
    CHECK_OK(doca_buf_inc_refcount(b[1], NULL));
    CHECK_EQ(refcount(b[1]), 2);
    CHECK_OK(doca_buf_dec_refcount(b[1], NULL));
    CHECK_OK(doca_buf_chain_list(b[1], b[2]));
    CHECK_OK(doca_buf_chain_list(b[0], b[1]));
    CHECK_OK(doca_buf_get_list_len(b[0], &num));
    CHECK_EQ(num, 3);
    CHECK_OK(doca_buf_get_last_in_list(b[0], &last));
    CHECK(last == b[2]);
    CHECK_RC(doca_buf_dec_refcount(b[1], NULL), DOCA_ERROR_NOT_PERMITTED); /* an inner element */
    CHECK_OK(doca_buf_unchain_list(b[0], b[1]));
    release(b[0]);
    release(b[1]); /* the list of b[1] and b[2] */
    CHECK_EQ(num_free(set.inventory), LONG);
    CHECK_RC(doca_buf_dec_refcount(b[2], NULL), DOCA_ERROR_BAD_STATE);
    tear_down();
}

static void reset_sets_the_data_length_to_0_and_keeps_the_address(void)
{
    struct doca_buf **b = set_up(2);

    CHECK_OK(doca_buf_chain_list(b[0], b[1]));
    CHECK_OK(doca_buf_set_data(b[1], memory + 16 + 5, 4)); /* inner elements have content too */
    CHECK_OK(doca_buf_set_data(b[0], memory + 3, 9));
    CHECK_OK(doca_buf_reset_data_len(b[0]));
    check_window(b[0], memory, 16, memory + 3, 0);
    check_window(b[1], memory + 16, 16, memory + 16 + 5, 4);
    CHECK_OK(doca_buf_reset_data_len(b[1]));
    CHECK_OK(doca_buf_reset_data_len(b[1]));
    check_window(b[1], memory + 16, 16, memory + 16 + 5, 0);
    release(b[0]);
    tear_down();
}

/* ---- refcount ---- */

static void refcount_calls_return_the_previous_count(void)
{
    struct doca_buf **b = set_up(1);
    uint16_t before = 0, want;

    for (want = 1; want < 5; want++) {
        CHECK_OK(doca_buf_inc_refcount(b[0], &before));
        CHECK_EQ(before, want);
        CHECK_EQ(refcount(b[0]), want + 1);
    }
    CHECK_OK(doca_buf_inc_refcount(b[0], NULL));
    CHECK_OK(doca_buf_dec_refcount(b[0], NULL));
    for (; want > 0; want--) {
        CHECK_EQ(num_free(set.inventory), LONG - 1);
        CHECK_EQ(refcount(b[0]), want);
        CHECK_OK(doca_buf_dec_refcount(b[0], &before));
        CHECK_EQ(before, want);
    }
    CHECK_EQ(num_free(set.inventory), LONG);
    tear_down();
}

static void refcount_stops_at_65535(void)
{
    struct doca_buf **b = set_up(1);
    uint16_t before = 7;
    uint32_t i;

    for (i = 1; i < 65535; i++)
        CHECK_OK(doca_buf_inc_refcount(b[0], NULL));
    CHECK_EQ(refcount(b[0]), 65535);
    CHECK_RC(doca_buf_inc_refcount(b[0], &before), DOCA_ERROR_TOO_BIG);
    CHECK_EQ(before, 7);
    CHECK_EQ(refcount(b[0]), 65535);
    for (i = 65535; i > 0; i--) {
        CHECK_OK(doca_buf_dec_refcount(b[0], &before));
        CHECK_EQ(before, i);
    }
    CHECK_EQ(num_free(set.inventory), LONG);
    tear_down();
}

static void released_buf_returns_to_its_inventory_or_pool(void)
{
    struct doca_buf **b = set_up(2), *again;

    memset(memory, 0x5a, 32);
    CHECK_EQ(num_free(set.inventory), LONG - 2);
    CHECK_EQ(num_bufs(set.mmap), 2);
    CHECK_OK(doca_buf_set_data(b[0], memory + 3, 9));
    release(b[0]);
    CHECK_EQ(num_free(set.inventory), LONG - 1);
    CHECK_EQ(num_bufs(set.mmap), 1);
    CHECK_EQ(memory[0], 0x5a); /* releasing a buf does not change its bytes */
    CHECK_MEM(memory, memory + 16, 16);

    /* a new buffer has no properties of the released buffer */
    again = buf_at(set.inventory, set.mmap, memory + 128);
    check_window(again, memory + 128, 16, memory + 128, 0);
    check_list(&again, 1, 1);
    release(again);
    release(b[1]);
    tear_down();
}

static void released_buf_is_refused(void)
{
    struct doca_buf **b = set_up(3), *copy = NULL;
    uint16_t before = 7;
    uint32_t len = 7;
    uint8_t is_last = 7;

    release(b[0]);
    CHECK_RC(doca_buf_dec_refcount(b[0], &before), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_buf_dec_refcount(b[0], NULL), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_buf_inc_refcount(b[0], &before), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(before, 7);
    CHECK_RC(doca_buf_chain_list(b[0], b[1]), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_buf_chain_list(b[1], b[0]), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_buf_chain_list(b[1], b[2]));
    CHECK_RC(doca_buf_unchain_list(b[0], b[2]), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_buf_unchain_list(b[1], b[0]), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_buf_inventory_buf_dup(set.inventory, b[0], &copy), DOCA_ERROR_BAD_STATE);
    CHECK_PTR(copy, NULL);
    check_list(b + 1, 2, 1);
    if (DOCA_CORE_CHECK < 2) { /* the released buf has no next element */
        CHECK_OK(doca_buf_get_next_in_list(b[0], &copy));
        CHECK_PTR(copy, NULL);
        CHECK_OK(doca_buf_get_last_in_list(b[0], &copy));
        CHECK_PTR(copy, b[0]);
        CHECK_OK(doca_buf_is_last_in_list(b[0], &is_last));
        CHECK_EQ(is_last, 1);
    }

    /* releasing the head releases the list, and each element is released once */
    release(b[1]);
    CHECK_RC(doca_buf_dec_refcount(b[1], NULL), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_buf_dec_refcount(b[2], NULL), DOCA_ERROR_BAD_STATE);
    CHECK(doca_buf_get_list_len(b[1], &len) != DOCA_SUCCESS || len <= LONG);
    CHECK_EQ(num_free(set.inventory), LONG);
    CHECK_EQ(num_bufs(set.mmap), 0);
    tear_down();
}

static void inner_element_has_no_reference_count(void)
{
    struct doca_buf **b = set_up(3);
    uint16_t before = 7;
    uint32_t i;

    CHECK_OK(doca_buf_chain_list(b[0], b[1]));
    CHECK_OK(doca_buf_chain_list(b[0], b[2]));
    for (i = 1; i < 3; i++) {
        CHECK_RC(doca_buf_inc_refcount(b[i], &before), DOCA_ERROR_NOT_PERMITTED);
        CHECK_RC(doca_buf_dec_refcount(b[i], &before), DOCA_ERROR_NOT_PERMITTED);
        CHECK_RC(doca_buf_dec_refcount(b[i], NULL), DOCA_ERROR_NOT_PERMITTED);
    }
    CHECK_EQ(before, 7);
    check_list(b, 3, 1);
    CHECK_OK(doca_buf_inc_refcount(b[0], &before)); /* adds a reference to the list */
    check_list(b, 3, 2);
    release(b[0]);
    check_list(b, 3, 1);
    CHECK_EQ(num_bufs(set.mmap), 3);
    release(b[0]);
    CHECK_EQ(num_bufs(set.mmap), 0);
    tear_down();
}

/* ---- lists ---- */

static void chaining_appends_the_whole_second_list(void)
{
    struct doca_buf **b = set_up(7);

    CHECK_OK(doca_buf_chain_list(b[0], b[1]));
    CHECK_OK(doca_buf_chain_list(b[2], b[3]));
    CHECK_OK(doca_buf_chain_list(b[2], b[4]));
    check_list(b, 2, 1);
    check_list(b + 2, 3, 1);
    CHECK_OK(doca_buf_chain_list(b[0], b[2]));
    check_list(b, 5, 1);
    CHECK_OK(doca_buf_chain_list(b[0], b[5]));
    CHECK_OK(doca_buf_chain_list(b[0], b[6]));
    check_list(b, 7, 1);
    release(b[0]);
    CHECK_EQ(num_free(set.inventory), LONG);
    tear_down();
}

static void list_with_several_references_can_only_be_the_first(void)
{
    struct doca_buf **b = set_up(3);

    CHECK_OK(doca_buf_inc_refcount(b[1], NULL));
    CHECK_RC(doca_buf_chain_list(b[0], b[1]), DOCA_ERROR_NOT_PERMITTED);
    check_list(b, 1, 1);
    check_list(b + 1, 1, 2);
    CHECK_OK(doca_buf_chain_list(b[1], b[2]));
    check_list(b + 1, 2, 2);
    CHECK_RC(doca_buf_chain_list(b[0], b[1]), DOCA_ERROR_NOT_PERMITTED);
    release(b[1]);
    CHECK_OK(doca_buf_chain_list(b[0], b[1]));
    check_list(b, 3, 1);
    release(b[0]);
    tear_down();
}

static void only_heads_are_chained(void)
{
    struct doca_buf **b = set_up(4);

    CHECK_OK(doca_buf_chain_list(b[0], b[1]));
    CHECK_OK(doca_buf_chain_list(b[2], b[3]));
    CHECK_RC(doca_buf_chain_list(b[1], b[2]), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_buf_chain_list(b[0], b[3]), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_buf_chain_list(b[1], b[3]), DOCA_ERROR_NOT_PERMITTED);
    check_list(b, 2, 1);
    check_list(b + 2, 2, 1);
    release(b[0]);
    release(b[2]);
    tear_down();
}

static void list_never_becomes_a_ring(void)
{
    struct doca_buf **b = set_up(3);
    uint32_t i, j;

    CHECK_RC(doca_buf_chain_list(b[0], b[0]), DOCA_ERROR_INVALID_VALUE);
    check_list(b, 1, 1);
    CHECK_OK(doca_buf_chain_list(b[0], b[1]));
    CHECK_RC(doca_buf_chain_list(b[0], b[0]), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_chain_list(b[1], b[0]), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_buf_chain_list(b[0], b[2]));
    for (i = 0; i < 3; i++) /* every pair of one list; either error may be returned */
        for (j = 0; j < 3; j++) {
            CHECK(doca_buf_chain_list(b[i], b[j]) != DOCA_SUCCESS);
            check_list(b, 3, 1);
        }
    release(b[0]);
    CHECK_EQ(num_free(set.inventory), LONG);
    tear_down();
}

static void list_can_be_split_before_every_element(void)
{
    struct doca_buf **b = set_up(LONG);
    uint32_t i, at;

    for (i = 1; i < LONG; i++)
        CHECK_OK(doca_buf_chain_list(b[0], b[i]));
    CHECK_OK(doca_buf_inc_refcount(b[0], NULL));
    check_list(b, LONG, 2);
    for (at = 1; at < LONG; at++) {
        CHECK_OK(doca_buf_unchain_list(b[0], b[at]));
        check_list(b, at, 2); /* the first part keeps its references */
        check_list(b + at, LONG - at, 1);
        CHECK_OK(doca_buf_chain_list(b[0], b[at]));
    }
    check_list(b, LONG, 2);
    for (at = LONG - 1; at > 0; at--) { /* split single elements off, from the end */
        CHECK_OK(doca_buf_unchain_list(b[0], b[at]));
        check_list(b + at, 1, 1);
        release(b[at]);
    }
    check_list(b, 1, 2);
    CHECK_EQ(num_free(set.inventory), LONG - 1);
    release(b[0]);
    release(b[0]);
    tear_down();
}

static void list_is_only_split_before_its_later_elements(void)
{
    struct doca_buf **b = set_up(6);

    CHECK_OK(doca_buf_chain_list(b[0], b[1]));
    CHECK_OK(doca_buf_chain_list(b[0], b[2]));
    CHECK_OK(doca_buf_chain_list(b[3], b[4]));
    CHECK_RC(doca_buf_unchain_list(b[0], b[0]), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_unchain_list(b[0], b[3]), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_unchain_list(b[0], b[4]), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_unchain_list(b[0], b[5]), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_unchain_list(b[5], b[0]), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_unchain_list(b[5], b[5]), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_unchain_list(b[1], b[2]), DOCA_ERROR_NOT_PERMITTED);
    check_list(b, 3, 1);
    check_list(b + 3, 2, 1);
    check_list(b + 5, 1, 1);
    release(b[0]);
    release(b[3]);
    release(b[5]);
    tear_down();
}

static void members_return_to_their_own_inventory_or_pool(void)
{
    struct doca_mmap *mmaps[2] = { mmap_of(memory, ROOM), mmap_of(other_memory, ROOM) };
    struct doca_buf_inventory *inventories[2] = { inventory_of(4), inventory_of(4) };
    struct doca_buf *b[LONG], *slots[2];
    struct doca_buf_pool *pools[2];
    uint32_t i, num = 0;

    for (i = 0; i < 2; i++) {
        CHECK_OK(doca_buf_pool_create(2, 256, mmaps[i], &pools[i]));
        CHECK_OK(doca_buf_pool_start(pools[i]));
    }
    /* take bufs from two inventories, with two mmaps each, and from two pools, in turn */
    for (i = 0; i < 4; i++) {
        b[num++] = buf_at(inventories[i & 1], mmaps[i / 2], i < 2 ? memory : other_memory);
        CHECK_OK(doca_buf_pool_buf_alloc(pools[i & 1], &b[num++]));
    }
    for (i = 1; i < num; i++)
        CHECK_OK(doca_buf_chain_list(b[0], b[i]));
    check_list(b, num, 1);
    for (i = 0; i < 2; i++) {
        CHECK_EQ(num_free(inventories[i]), 2);
        CHECK_EQ(num_bufs(mmaps[i]), 4);
        CHECK_RC(doca_buf_pool_buf_alloc(pools[i], &slots[i]), DOCA_ERROR_EMPTY);
        CHECK_RC(doca_buf_inventory_destroy(inventories[i]), DOCA_ERROR_IN_USE);
        CHECK_RC(doca_buf_pool_destroy(pools[i]), DOCA_ERROR_IN_USE);
    }
    CHECK_OK(doca_buf_unchain_list(b[0], b[5]));
    release(b[0]);
    CHECK_EQ(num_bufs(mmaps[0]) + num_bufs(mmaps[1]), num - 5);
    check_list(b + 5, num - 5, 1);
    release(b[5]);
    for (i = 0; i < 2; i++) {
        CHECK_EQ(num_free(inventories[i]), 4);
        CHECK_EQ(num_bufs(mmaps[i]), 0);
        CHECK_OK(doca_buf_pool_get_num_free_elements(pools[i], &num));
        CHECK_EQ(num, 2);
        CHECK_OK(doca_buf_pool_destroy(pools[i]));
        CHECK_OK(doca_buf_inventory_destroy(inventories[i]));
        CHECK_OK(doca_mmap_destroy(mmaps[i]));
    }
}

/* ---- arguments ---- */

static void check_refused_by_all_calls(struct doca_buf *bad, struct doca_buf *good)
{
    struct doca_buf *buf;
    uint16_t count;
    uint32_t num;
    uint8_t is;
    void *addr;
    size_t len;

    CHECK_RC(doca_buf_get_head(bad, &addr), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_get_len(bad, &len), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_get_data(bad, &addr), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_get_data_len(bad, &len), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_get_refcount(bad, &count), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_set_data(bad, memory, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_reset_data_len(bad), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inc_refcount(bad, &count), DOCA_ERROR_INVALID_VALUE);
    if (bad == NULL)
        CHECK_OK(doca_buf_dec_refcount(bad, &count));
    else
        CHECK_RC(doca_buf_dec_refcount(bad, &count), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_chain_list(bad, good), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_chain_list(good, bad), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_unchain_list(bad, good), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_unchain_list(good, bad), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_get_next_in_list(bad, &buf), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_get_last_in_list(bad, &buf), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_get_list_len(bad, &num), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_is_first_in_list(bad, &is), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_is_last_in_list(bad, &is), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_is_in_list(bad, &is), DOCA_ERROR_INVALID_VALUE);
    check_list(&good, 1, 1);
}

static void null_and_foreign_bufs_are_refused(void)
{
    struct doca_buf **b = set_up(1);

    check_refused_by_all_calls(NULL, b[0]);
#if DOCA_CORE_CHECK >= 1
    check_refused_by_all_calls((struct doca_buf *)(void *)set.mmap, b[0]);
    check_refused_by_all_calls((struct doca_buf *)(void *)set.inventory, b[0]);
#endif
    release(b[0]);
    tear_down();
}

static void buf_of_a_destroyed_inventory_or_pool_is_refused(void)
{
#if DOCA_CORE_CHECK >= 1
    struct doca_buf **b = set_up(1), *dead[2], before, *copy = NULL;
    struct doca_buf_inventory *inventory = inventory_of(3);
    struct doca_buf_pool *pool;
    uint32_t i;

    CHECK_OK(doca_buf_pool_create(3, 16, set.mmap, &pool));
    CHECK_OK(doca_buf_pool_start(pool));
    dead[0] = buf_at(inventory, set.mmap, memory);
    CHECK_OK(doca_buf_pool_buf_alloc(pool, &dead[1]));
    release(dead[0]);
    release(dead[1]);
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_buf_pool_destroy(pool));
    for (i = 0; i < 2; i++) {
        before = *OBJECT(dead[i]);
        check_refused_by_all_calls(dead[i], b[0]);
        CHECK_RC(doca_buf_inventory_buf_dup(set.inventory, dead[i], &copy),
                 DOCA_ERROR_INVALID_VALUE);
        CHECK_PTR(copy, NULL);
        CHECK_MEM(OBJECT(dead[i]), &before, sizeof(before)); /* no refused call wrote to it */
    }
    release(b[0]);
    tear_down();
#else
    test_skip("handles are not checked in this build");
#endif
}

static void null_outputs_are_refused(void)
{
    struct doca_buf **b = set_up(1);

    CHECK_RC(doca_buf_get_head(b[0], NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_get_len(b[0], NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_get_data(b[0], NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_get_data_len(b[0], NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_get_refcount(b[0], NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_get_next_in_list(b[0], NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_get_last_in_list(b[0], NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_get_list_len(b[0], NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_is_first_in_list(b[0], NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_is_last_in_list(b[0], NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_is_in_list(b[0], NULL), DOCA_ERROR_INVALID_VALUE);
    release(b[0]);
    tear_down();
}

static void level_2_detects_an_overwritten_buf(void)
{
    struct doca_buf **bufs;

    if (DOCA_CORE_CHECK < 2)
        test_skip("only check level 2 audits bufs");
    bufs = set_up(2);
    CHECK_OK(doca_buf_chain_list(bufs[0], bufs[1]));
    OBJECT(bufs[1])->end += ROOM;
    CHECK_RC(doca_buf_dec_refcount(bufs[0], NULL), DOCA_ERROR_UNEXPECTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_BUF_BROKEN);
    OBJECT(bufs[1])->end -= ROOM;
    release(bufs[0]);
    tear_down();
}

static void level_2_detects_a_ring_of_bufs(void)
{
    static const struct {
        uint32_t from, to;
    } rings[] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 2, 1 }, { 2, 0 }, { 1, 0 } };
    struct doca_buf **b;
    uint32_t i, len = 77;

    if (DOCA_CORE_CHECK < 2)
        test_skip("only check level 2 audits bufs");
    b = set_up(3);
    CHECK_OK(doca_buf_chain_list(b[0], b[1]));
    CHECK_OK(doca_buf_chain_list(b[0], b[2]));
    for (i = 0; i < sizeof(rings) / sizeof(rings[0]); i++) {
        struct doca_buf **next = &OBJECT(b[rings[i].from])->next, *before = *next;

        *next = OBJECT(b[rings[i].to]);
        alarm(10); /* ends the program if the walk does not end */
        CHECK_RC(doca_buf_get_list_len(b[0], &len), DOCA_ERROR_UNEXPECTED);
        alarm(0);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_BUF_BROKEN);
        CHECK_EQ(len, 77);
        *next = before;
    }
    check_list(b, 3, 1);
    release(b[0]);
    tear_down();
}

static const struct test_case cases[] = {
    CASE(every_buf_takes_one_cache_line, ""),
    CASE(new_buf_is_in_no_list_and_has_one_reference, "92 93 106 114"),
    CASE(content_moves_inside_the_mmap_only, "92 95 96"),
    CASE(content_outside_a_buffer_is_warned_of_once, ""),
    CASE(lists_of_warned_buffers_behave_like_other_lists, ""),
    CASE(reset_sets_the_data_length_to_0_and_keeps_the_address, "94"),
    CASE(refcount_calls_return_the_previous_count, "107 111"),
    CASE(refcount_stops_at_65535, "108"),
    CASE(released_buf_returns_to_its_inventory_or_pool, "103 112"),
    CASE(released_buf_is_refused, "109"),
    CASE(inner_element_has_no_reference_count, "110 123"),
    CASE(chaining_appends_the_whole_second_list, "115 121 122"),
    CASE(list_with_several_references_can_only_be_the_first, "116"),
    CASE(only_heads_are_chained, "117"),
    CASE(list_never_becomes_a_ring, "117"),
    CASE(list_can_be_split_before_every_element, "118 121 122"),
    CASE(list_is_only_split_before_its_later_elements, "119 120"),
    CASE(members_return_to_their_own_inventory_or_pool, "112 113"),
    CASE(null_and_foreign_bufs_are_refused, ""),
    CASE(buf_of_a_destroyed_inventory_or_pool_is_refused, ""),
    CASE(null_outputs_are_refused, ""),
    CASE(level_2_detects_an_overwritten_buf, ""),
    CASE(level_2_detects_a_ring_of_bufs, ""),
};

TEST_MAIN(cases)
