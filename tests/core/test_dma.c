/* The DMA engine: the results of copies, byte for byte. */
#include "dma_support.h"

/* No two tasks share a cache line. */
static void tasks_share_no_cache_line(void)
{
    struct doca_dma_task_memcpy *tasks[TASKS];
    uintptr_t lowest = UINTPTR_MAX, highest = 0, at;
    struct rig r;
    unsigned i;

    rig_open(&r, TASKS);
    CHECK(sizeof(struct doca_dma_task_memcpy) <= TEST_TASK_BYTES);
    for (i = 0; i < TASKS; i++) {
        tasks[i] = rig_prepare(&r, r.dma, 0, 64);
        at = (uintptr_t)OBJECT(tasks[i]);
        CHECK_EQ(at % DOCA_CORE_LINE, 0);
        lowest = at < lowest ? at : lowest;
        highest = at > highest ? at : highest;
    }
    CHECK_EQ(highest - lowest, (TASKS - 1) * TEST_TASK_BYTES);
    for (i = 0; i < TASKS; i++)
        rig_release(tasks[i]);
    rig_close(&r);
}

/* With doca_buf_set_data() a program moves the data section outside the buffer's range. Copies then
 * go to the new address, but never outside the mmap, which is the middle of rig_to here. */
static void moved_data_section_stays_inside_the_mmap(void)
{
    enum { FIRST = 4096, ROOM = 4096, MORE = 1000 };
    struct doca_dma_task_memcpy *task;
    struct doca_mmap *middle;
    struct doca_buf *dst, *src;
    struct rig r;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("the call fails at this check level");
    rig_open(&r, TASKS);
    middle = rig_map(r.dev, rig_to + FIRST, ROOM);
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(r.inventory, middle, rig_to + FIRST, 64, &dst));
    remember_ranges();

    /* after the range of the buffer: two copies, up to the end of the mmap */
    CHECK_OK(doca_buf_set_data(dst, rig_to + FIRST + ROOM - 2 * MORE, 0));
    task = rig_task(r.dma, rig_src(&r, 0, MORE), dst);
    run(&r, task);
    run(&r, task);
    memcpy(want_to + FIRST + ROOM - 2 * MORE, rig_from, MORE);
    memcpy(want_to + FIRST + ROOM - MORE, rig_from, MORE);
    check_ranges();
    CHECK_EQ(rig_data_len(dst), 2 * MORE);

    /* no room is left */
    CHECK_RC(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NO_ROOM);
    check_ranges();

    /* back to the start of the mmap, with data that leaves one byte too little room */
    CHECK_OK(doca_buf_set_data(dst, rig_to + FIRST, ROOM - MORE + 1));
    CHECK_RC(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NO_ROOM);
    check_ranges();
    rig_release(task);

    /* a source whose data section is before the range of the buffer */
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, r.src_map, rig_from + 500, 8, &src));
    CHECK_OK(doca_buf_set_data(src, rig_from + 100, 300));
    task = rig_task(r.dma, src, rig_dst(&r, 0, 300));
    run(&r, task);
    memcpy(want_to, rig_from + 100, 300);
    check_ranges();
    rig_release(task);

    /* a source list that begins with a buffer of no bytes */
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, r.src_map, rig_from + RIG_BYTES, 0,
                                                &src));
    CHECK_OK(doca_buf_chain_list(src, rig_src(&r, 7, 50)));
    task = rig_task(r.dma, src, rig_dst(&r, 1000, 50));
    run(&r, task);
    memcpy(want_to + 1000, rig_from + 7, 50);
    check_ranges();
    rig_release(task);
    CHECK_OK(doca_mmap_destroy(middle));
    rig_close(&r);
}

static void copy_appends_to_the_content_of_the_destination(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;
    struct doca_buf *dst;
    void *data;

    rig_open(&r, TASKS);
    memset(rig_to + 1000, 0x11, 500);
    remember_ranges();
    memcpy(want_to + 1000 + 40 + 25, rig_from + 300 + 17, 100);
    dst = get_args(&r, r.dst_map, rig_to + 1000, 500, 40, 25);
    task = rig_task(r.dma, get_args(&r, r.src_map, rig_from + 300, 400, 17, 100), dst);
    run(&r, task);
    check_ranges(); /* head room, old content and the rest of the tail room are unchanged */
    CHECK_EQ(rig_data_len(dst), 125);
    CHECK_OK(doca_buf_get_data(dst, &data));
    CHECK_PTR(data, rig_to + 1040);
    CHECK_EQ(rig_data_len(doca_dma_task_memcpy_get_src(task)), 100);
    rig_release(task);
    rig_close(&r);
}

static void every_size_and_offset_is_copied_exactly(void)
{
    struct rig r;
    size_t len, off;

    rig_open(&r, TASKS);
    r.frees_tasks = true;
    remember_ranges();
    for (len = 1; len <= 130; len++) {
        for (off = 0; off < 9; off += 4) {
            struct doca_buf *src = rig_src(&r, off, len);
            struct doca_buf *dst = rig_dst(&r, 1000 + 2 * off, len);

            memset(rig_to, (int)len, 2000);
            memset(want_to, (int)len, 2000);
            memcpy(want_to + 1000 + 2 * off, rig_from + off, len);
            run(&r, rig_task(r.dma, src, dst));
            CHECK_MEM(rig_to, want_to, 2000);
        }
    }
    check_ranges();
    rig_close(&r);
}

static void reused_destination_is_appended_to(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;
    struct doca_buf *dst;

    rig_open(&r, TASKS);
    remember_ranges();
    dst = rig_dst(&r, 500, 3 * LEN);
    task = rig_task(r.dma, rig_src(&r, 10, LEN), dst);
    run(&r, task);
    run(&r, task);
    memcpy(want_to + 500, rig_from + 10, LEN);
    memcpy(want_to + 500 + LEN, rig_from + 10, LEN);
    check_ranges();
    CHECK_EQ(rig_data_len(dst), 2 * LEN);
    CHECK_OK(doca_buf_reset_data_len(dst));
    CHECK_OK(doca_buf_set_data((struct doca_buf *)(size_t)doca_dma_task_memcpy_get_src(task),
                               rig_from + 20, 30));
    run(&r, task);
    memcpy(want_to + 500, rig_from + 20, 30); /* overwrites the first result */
    check_ranges();
    CHECK_EQ(rig_data_len(dst), 30);
    rig_release(task);
    rig_close(&r);
}

static void later_buffers_of_a_destination_may_stay_empty(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;
    struct doca_buf *at, *dst;
    static const size_t want_len[] = { 50, 14, 0 };
    size_t i;

    rig_open(&r, TASKS);
    remember_ranges();
    memcpy(want_to, rig_from, LEN);
    dst = get_list(&r, r.dst_map, rig_to, 50, 3, false);
    task = rig_task(r.dma, rig_src(&r, 0, LEN), dst);
    run(&r, task);
    check_ranges();
    for (i = 0, at = dst; i < 3; i++) {
        CHECK(at != NULL);
        CHECK_EQ(rig_data_len(at), want_len[i]);
        CHECK_OK(doca_buf_get_next_in_list(at, &at));
    }
    rig_release(task);
    rig_close(&r);
}

/* An element of a list: bytes [off, off + len) of a range, with head room, content and tail
 * room. */
struct piece {
    size_t off, len, head_len, data_len;
    struct doca_buf *buf;
};

enum { MAX_PIECES = 10 };

struct shape {
    struct piece piece[MAX_PIECES]; /* in the order of the list */
    unsigned num;
};

static size_t tail_of(const struct piece *p)
{
    return p->len - p->head_len - p->data_len;
}

/* Make up to MAX_PIECES pieces of random sizes with gaps between them. Their order in the list
 * differs from that of their addresses. Each piece has at least one byte of content, or, when
 * `room` is set, of tail room. */
static void make_shape(struct shape *s, size_t room)
{
    size_t off = rig_random(50), tail = 0;
    unsigned i;

    s->num = 1 + rig_random(MAX_PIECES);
    for (i = 0; i < s->num; i++) {
        struct piece *p = &s->piece[i];
        size_t tail_len = rig_random(4) == 0 ? 0 : rig_random(700);

        p->head_len = rig_random(3) == 0 ? rig_random(40) : 0;
        p->data_len = rig_random(4) == 0 ? 0 : rig_random(700);
        if (room == 0 && i == 0)
            p->data_len++;
        tail += tail_len;
        if (i + 1 == s->num && tail < room)
            tail_len += room - tail;
        p->off = off;
        p->len = p->head_len + p->data_len + tail_len;
        if (p->len == 0)
            p->len = 1;
        off += p->len + rig_random(50);
    }
    CHECK(off <= RIG_BYTES);
    for (i = s->num; i > 1; i--) {
        unsigned k = rig_random(i);
        struct piece swap = s->piece[i - 1];

        s->piece[i - 1] = s->piece[k];
        s->piece[k] = swap;
    }
}

static struct doca_buf *take_shape(struct rig *r, struct shape *s, struct doca_mmap *mmap,
                                   unsigned char *base)
{
    unsigned i;

    for (i = 0; i < s->num; i++) {
        struct piece *p = &s->piece[i];

        p->buf = get_args(r, mmap, base + p->off, p->len, p->head_len, p->data_len);
        if (i > 0)
            CHECK_OK(doca_buf_chain_list(s->piece[0].buf, p->buf));
    }
    return s->piece[0].buf;
}

/* The reference: copy byte by byte to want_to, and increase the data lengths of the destination. */
static void copy_shape(const struct shape *from, struct shape *to)
{
    unsigned i, k = 0;
    size_t at;

    for (i = 0; i < from->num; i++) {
        const struct piece *src = &from->piece[i];

        for (at = 0; at < src->data_len; at++) {
            struct piece *dst = &to->piece[k];

            while (tail_of(dst) == 0)
                dst = &to->piece[++k];
            want_to[dst->off + dst->head_len + dst->data_len++] =
                rig_from[src->off + src->head_len + at];
        }
    }
}

static void random_lists_are_copied_like_the_reference(void)
{
    struct rig r;
    unsigned round;

    rig_open(&r, TASKS);
    for (round = 0; round < 500; round++) {
        struct shape from, to;
        struct doca_dma_task_memcpy *task;
        size_t total = 0;
        unsigned i;

        memset(rig_to, (int)(round & 0xff), RIG_BYTES);
        make_shape(&from, 0);
        for (i = 0; i < from.num; i++)
            total += from.piece[i].data_len;
        make_shape(&to, total);
        task = rig_task(r.dma, take_shape(&r, &from, r.src_map, rig_from),
                        take_shape(&r, &to, r.dst_map, rig_to));
        remember_ranges();
        copy_shape(&from, &to);
        CHECK_OK(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)));
        rig_drain(&r);
        CHECK_EQ(r.num_ok, round + 1);
        check_ranges();
        for (i = 0; i < to.num; i++) {
            void *data;

            CHECK_EQ(rig_data_len(to.piece[i].buf), to.piece[i].data_len);
            CHECK_OK(doca_buf_get_data(to.piece[i].buf, &data));
            CHECK_PTR(data, rig_to + to.piece[i].off + to.piece[i].head_len);
        }
        for (i = 0; i < from.num; i++)
            CHECK_EQ(rig_data_len(from.piece[i].buf), from.piece[i].data_len);
        rig_release(task);
    }
    rig_close(&r);
}

static const struct { const char *name; unsigned num_src, num_dst; size_t src_len, dst_len; }
    list_kinds[] = {
        { "gather", 7, 1, 31, 7 * 31 },
        { "scatter", 1, 9, 9 * 13, 13 },
        { "same pieces", 5, 5, 77, 77 },
        { "pieces cut differently", 11, 7, 7, 11 },
        { "bytes", 16, 8, 1, 2 },
    };

static void lists_are_gathered_and_scattered(void)
{
    struct rig r;
    size_t i;

    rig_open(&r, TASKS);
    for (i = 0; i < sizeof(list_kinds) / sizeof(list_kinds[0]); i++) {
        size_t total = list_kinds[i].num_src * list_kinds[i].src_len;
        struct doca_dma_task_memcpy *task;

        memset(rig_to, 0xee, RIG_BYTES);
        remember_ranges();
        memcpy(want_to + 3, rig_from + 5, total);
        task = rig_task(r.dma,
                        get_list(&r, r.src_map, rig_from + 5, list_kinds[i].src_len,
                                 list_kinds[i].num_src, true),
                        get_list(&r, r.dst_map, rig_to + 3, list_kinds[i].dst_len,
                                 list_kinds[i].num_dst, false));
        run(&r, task);
        check_ranges();
        rig_release(task);
    }
    rig_close(&r);
}

static void overlapping_single_buffers_are_moved(void)
{
    static const int shifts[] = { -300, -64, -1, 0, 1, 7, 64, 299 };
    struct rig r;
    size_t i;

    rig_open(&r, TASKS);
    for (i = 0; i < 2 * sizeof(shifts) / sizeof(shifts[0]); i++) {
        unsigned char *from = rig_to + 1000, *to = from + shifts[i / 2];
        struct doca_dma_task_memcpy *task;
        struct doca_task *base;
        size_t k;

        for (k = 0; k < RIG_BYTES; k++)
            rig_to[k] = (unsigned char)(k * 7 + k / 256);
        remember_ranges();
        memmove(want_to + (to - rig_to), want_to + 1000, 300);
        task = rig_task(r.dma, get_args(&r, r.dst_map, from, 300, 0, 300),
                        get_args(&r, r.dst_map, to, 300, 0, 0));
        base = doca_dma_task_memcpy_as_task(task);
        CHECK_OK(i % 2 == 0 ? doca_task_submit(base) : doca_task_try_submit(base));
        rig_drain(&r);
        CHECK_EQ(r.num_ok, i + 1);
        check_ranges();
        rig_release(task);
    }
    rig_close(&r);
}

/* Make one copy within one mmap. */
static void copy_within(struct rig *r, struct doca_mmap *mmap, unsigned char *to,
                        unsigned char *from, size_t len)
{
    struct doca_buf *src = get_args(r, mmap, from, len, 0, len);
    struct doca_buf *dst = get_args(r, mmap, to, len, 0, 0);

    struct doca_dma_task_memcpy *task = rig_task(r->dma, src, dst);

    run(r, task);
    rig_release(task);
}

static void copies_larger_than_the_caches_are_exact(void)
{
    const size_t most = ((size_t)65 << 20) + 12345, half = most + 4096;
    size_t lens[] = { (size_t)32 << 20, ((size_t)64 << 20) - 1, most };
    static DOCA_CORE_ALIGNED unsigned char memory[2 * (((size_t)65 << 20) + 12345 + 4096)];
    unsigned char *from = memory, *to = from + half;
    struct doca_mmap *mmap;
    uint64_t max;
    struct rig r;
    size_t i, k;

    rig_open(&r, 1);
    mmap = rig_map(r.dev, from, 2 * half);
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_size(doca_dev_as_devinfo(r.dev), &max));
    CHECK(test_other() != NULL || max >= most);
    for (k = 0; k < sizeof(lens) / sizeof(lens[0]); k++) {
        if (lens[k] > max)
            lens[k] = (size_t)max - k; /* the device's limit */
        for (i = 0; i + sizeof(size_t) <= half; i += sizeof(size_t))
            *(size_t *)(void *)(from + i) = (i + k) * 2654435761u;
        memset(to, 0x5a, half);
        copy_within(&r, mmap, to + 13 + k, from + 7, lens[k]);
        CHECK(memcmp(to + 13 + k, from + 7, lens[k]) == 0);
        for (i = 0; i < 13 + k; i++)
            CHECK_EQ(to[i], 0x5a);
        for (i = 13 + k + lens[k]; i < 13 + k + lens[k] + 4000; i++)
            CHECK_EQ(to[i], 0x5a);
        /* source and destination overlap, in both directions */
        memcpy(to, from, half);
        copy_within(&r, mmap, from + 100, from, lens[k]);
        CHECK(memcmp(from + 100, to, lens[k]) == 0);
        memcpy(from, to, half);
        copy_within(&r, mmap, from, from + 100, lens[k]);
        CHECK(memcmp(from, to + 100, lens[k]) == 0);
    }
    CHECK_OK(doca_mmap_destroy(mmap));
    rig_close(&r);
}

static void buffer_may_be_source_and_destination(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;
    struct doca_buf *buf;

    rig_open(&r, TASKS);
    buf = get_args(&r, r.dst_map, rig_to, 100, 10, 40);
    memcpy(rig_to, rig_from, 100);
    remember_ranges();
    memcpy(want_to + 50, want_to + 10, 40);
    task = rig_task(r.dma, buf, buf);
    CHECK_OK(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    check_ranges();
    CHECK_EQ(rig_data_len(buf), 80);
    doca_dma_task_memcpy_set_dst(task, NULL);
    rig_release(task);
    rig_close(&r);
}

/* A list is source and destination, so its data lengths grow during the copy. The library may
 * refuse the task; otherwise it must copy the bytes that the list had before. */
static void list_as_source_and_destination_is_copied_or_refused(void)
{
    unsigned checked;

    for (checked = 0; checked < 2; checked++) {
        struct rig r;
        struct doca_dma_task_memcpy *task;
        struct doca_task *base;
        struct doca_buf *full, *roomy;
        doca_error_t rc;

        rig_open(&r, TASKS);
        memcpy(rig_to, rig_from, 600);
        full = get_args(&r, r.dst_map, rig_to, 100, 0, 100);
        roomy = get_args(&r, r.dst_map, rig_to + 100, 400, 0, 30);
        CHECK_OK(doca_buf_chain_list(full, roomy));
        CHECK_OK(doca_buf_chain_list(full, get_args(&r, r.dst_map, rig_to + 500, 70, 0, 70)));
        task = rig_task(r.dma, full, full);
        base = doca_dma_task_memcpy_as_task(task);
        remember_ranges();
        rc = checked ? doca_task_try_submit(base) : doca_task_submit(base);
        CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_INVALID_VALUE);
        rig_drain(&r);
        if (r.num_ok == 1) {
            memcpy(want_to + 130, want_to, 130);
            memcpy(want_to + 260, want_to + 500, 70);
        }
        check_ranges();
        CHECK_EQ(rig_data_len(roomy), r.num_ok == 1 ? 230 : 30);
        doca_dma_task_memcpy_set_dst(task, NULL);
        rig_release(task);
        rig_close(&r);
    }
}

static void overlapping_lists_are_only_written_in_their_tail_room(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;
    size_t i;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("submit refuses the tasks at this check level");
    rig_open(&r, TASKS);
    remember_ranges();
    task = rig_task(r.dma, get_list(&r, r.dst_map, rig_to + 1000, 50, 6, true),
                    get_list(&r, r.dst_map, rig_to + 1025, 50, 7, false));
    CHECK_OK(rig_submit(task));
    rig_drain(&r);
    CHECK_EQ(r.num_ok + r.num_failed, 1);
    for (i = 0; i < RIG_BYTES; i++)
        if (i < 1025 || i >= 1025 + 300)
            CHECK_EQ(rig_to[i], want_to[i]);
    rig_release(task);
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(tasks_share_no_cache_line, ""),
    CASE(moved_data_section_stays_inside_the_mmap, ""),
    CASE(copy_appends_to_the_content_of_the_destination, "97 98 99 100 240 241"),
    CASE(every_size_and_offset_is_copied_exactly, "240 241"),
    CASE(reused_destination_is_appended_to, "100 101"),
    CASE(later_buffers_of_a_destination_may_stay_empty, "125"),
    CASE(random_lists_are_copied_like_the_reference, "97 98 99 100 124 125 240 241"),
    CASE(lists_are_gathered_and_scattered, "124 125"),
    CASE(overlapping_single_buffers_are_moved, ""),
    CASE(copies_larger_than_the_caches_are_exact, ""),
    CASE(buffer_may_be_source_and_destination, ""),
    CASE(list_as_source_and_destination_is_copied_or_refused, ""),
    CASE(overlapping_lists_are_only_written_in_their_tail_room, ""),
};

TEST_MAIN(cases)
