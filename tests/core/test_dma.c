/* The DMA engine: the results of copies, byte for byte, and all errors. */
#include "held_backend.h"

#include <sys/mman.h>

enum { TASKS = 8, LEN = 64 };

static unsigned char want_to[RIG_BYTES], kept_from[RIG_BYTES];

/* Save the contents of the ranges. The test then changes the saved contents to what it expects. */
static void remember_ranges(void)
{
    memcpy(want_to, rig_to, RIG_BYTES);
    memcpy(kept_from, rig_from, RIG_BYTES);
}

static void check_ranges(void)
{
    size_t i;

    for (i = 0; i < RIG_BYTES; i++) {
        if (rig_to[i] != want_to[i])
            test_fail(__FILE__, __LINE__, "destination byte %lu is 0x%02x, want 0x%02x",
                      (unsigned long)i, rig_to[i], want_to[i]);
        if (rig_from[i] != kept_from[i])
            test_fail(__FILE__, __LINE__, "source byte %lu was written", (unsigned long)i);
    }
}

static void run(struct rig *r, struct doca_dma_task_memcpy *task)
{
    unsigned num_ok = r->num_ok;

    CHECK_OK(rig_submit(task));
    rig_drain(r);
    CHECK_EQ(r->num_ok, num_ok + 1);
}

static struct doca_buf *get_args(struct rig *r, struct doca_mmap *mmap, unsigned char *addr,
                                 size_t len, size_t data_off, size_t data_len)
{
    struct doca_buf *buf;

    CHECK_OK(doca_buf_inventory_buf_get_by_args(r->inventory, mmap, addr, len, addr + data_off,
                                                data_len, &buf));
    return buf;
}

/* Make a list of `num` buffers of `len` bytes each. */
static struct doca_buf *get_list(struct rig *r, struct doca_mmap *mmap, unsigned char *addr,
                                 size_t len, unsigned num, bool as_content)
{
    struct doca_buf *head = NULL;
    unsigned i;

    for (i = 0; i < num; i++) {
        struct doca_buf *buf = get_args(r, mmap, addr + i * len, len, 0, as_content ? len : 0);

        if (head == NULL)
            head = buf;
        else
            CHECK_OK(doca_buf_chain_list(head, buf));
    }
    return head;
}

/* ---- results of copies ---- */

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

/* ---- refusals ---- */

/* These cases use two devices; the rig is on the first device. They are software devices with small
 * limits; with another backend, they are the first two devices of the list, whatever their
 * limits. */
#define SMALL "0000:0c:00.0"
#define ELSEWHERE "0000:0c:00.1"

static const struct doca_core_dev_attr small_devices[] = {
    { .pci_addr = SMALL, .ibdev_name = "small_0", .iface_name = "s0",
      .limits = { .dma_max_buf_size = 4096, .dma_max_buf_list_len = 4, .dma_max_num_tasks = 16,
                  .has_dma = 1 } },
    { .pci_addr = ELSEWHERE, .ibdev_name = "small_1", .iface_name = "s1",
      .limits = { .dma_max_buf_size = 4096, .dma_max_buf_list_len = 1, .dma_max_num_tasks = 16,
                  .has_dma = 1 } },
};

static struct {
    size_t bytes;
    uint32_t list_len;
    unsigned char *from, *to; /* `bytes` and a page more each; only copies access them */
    struct doca_mmap *map;
} bound;

static struct doca_mmap *read_only_map, *pci_only_map, *elsewhere_map;
static struct doca_buf_inventory *single; /* has one element, which has no next free element */
static struct doca_dev *elsewhere;

static struct doca_mmap *map_with(struct doca_dev *dev, void *addr, size_t len, uint32_t access)
{
    struct doca_mmap *mmap;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, addr, len));
    CHECK_OK(doca_mmap_set_permissions(mmap, access));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_start(mmap));
    return mmap;
}

/* Query the limits of the rig's device, and map more memory than these limits. */
static void open_limits(struct rig *r)
{
    const struct doca_devinfo *info = doca_dev_as_devinfo(r->dev);
    uint64_t bytes;

    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_size(info, &bytes));
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_list_len(info, &bound.list_len));
    bound.bytes = (size_t)bytes;
    bound.from = mmap(NULL, 2 * (bound.bytes + 4096), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(bound.from != MAP_FAILED);
    bound.to = bound.from + bound.bytes + 4096;
    bound.map = rig_map(r->dev, bound.from, 2 * (bound.bytes + 4096));
}

static void open_small_rig(struct rig *r)
{
    CHECK(test_other() != NULL || doca_core_sw_set_devices(small_devices, 2) == DOCA_SUCCESS);
    elsewhere = rig_open_nth_dev(1);
    rig_build_on(r, rig_open_nth_dev(0), TASKS);
    test_show_devices();
    open_limits(r);
    CHECK_OK(doca_ctx_start(r->ctx));
    rig_drain(r);
    rig_forget_states(r);
    read_only_map = map_with(r->dev, rig_to, RIG_BYTES, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
    pci_only_map = map_with(r->dev, rig_to, RIG_BYTES, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
    elsewhere_map = rig_map(elsewhere, rig_to, RIG_BYTES);
    CHECK_OK(doca_buf_inventory_create(1, &single));
    CHECK_OK(doca_buf_inventory_start(single));
}

static void close_small_rig(struct rig *r)
{
    CHECK_OK(doca_buf_inventory_destroy(single));
    CHECK_OK(doca_mmap_destroy(read_only_map));
    CHECK_OK(doca_mmap_destroy(pci_only_map));
    CHECK_OK(doca_mmap_destroy(elsewhere_map));
    CHECK_OK(doca_mmap_destroy(bound.map));
    CHECK_EQ(munmap(bound.from, 2 * (bound.bytes + 4096)), 0);
    rig_close(r);
    CHECK_OK(doca_dev_close(elsewhere));
}

/* Mistakes of a task. Each function makes a source and a destination for its mistake. */
struct pair {
    struct doca_buf *src, *dst;
};

static struct pair source_empty(struct rig *r)
{
    return (struct pair){ get_args(r, r->src_map, rig_from, 100, 0, 0), rig_dst(r, 0, 200) };
}

static struct pair source_list_empty(struct rig *r)
{
    return (struct pair){ get_list(r, r->src_map, rig_from, 100, 3, false), rig_dst(r, 0, 200) };
}

static struct pair source_released(struct rig *r)
{
    struct pair p = { rig_src(r, 0, 100), rig_dst(r, 0, 200) };

    CHECK_OK(doca_buf_dec_refcount(p.src, NULL));
    return p;
}

static struct pair destination_released(struct rig *r)
{
    struct pair p = { rig_src(r, 0, 100), rig_dst(r, 0, 200) };

    CHECK_OK(doca_buf_dec_refcount(p.dst, NULL));
    return p;
}

static struct pair source_released_to_an_empty_inventory(struct rig *r)
{
    struct pair p = { NULL, rig_dst(r, 0, 200) };

    CHECK_OK(doca_buf_inventory_buf_get_by_data(single, r->src_map, rig_from, 100, &p.src));
    CHECK_OK(doca_buf_dec_refcount(p.src, NULL));
    return p;
}

static struct pair destination_released_to_an_empty_inventory(struct rig *r)
{
    struct pair p = { rig_src(r, 0, 100), NULL };

    CHECK_OK(doca_buf_inventory_buf_get_by_addr(single, r->dst_map, rig_to, 200, &p.dst));
    CHECK_OK(doca_buf_dec_refcount(p.dst, NULL));
    return p;
}

/* Get a destination that is larger than the device's limit. */
static struct doca_buf *large_dst(struct rig *r)
{
    return get_args(r, bound.map, bound.to, bound.bytes + 4096, 0, 0);
}

static struct pair source_too_large(struct rig *r)
{
    size_t len = bound.bytes + 1;

    return (struct pair){ get_args(r, bound.map, bound.from, len, 0, len), large_dst(r) };
}

static struct pair source_list_too_large(struct rig *r)
{
    return (struct pair){ get_list(r, bound.map, bound.from, bound.bytes / 2 + 1, 2, true),
                          large_dst(r) };
}

static struct pair source_list_too_long(struct rig *r)
{
    uint32_t num = bound.list_len + 1;

    return (struct pair){ get_list(r, r->src_map, rig_from, 100 / num, num, true),
                          rig_dst(r, 0, 200) };
}

static struct pair destination_list_too_long(struct rig *r)
{
    uint32_t num = bound.list_len + 1;

    return (struct pair){ rig_src(r, 0, 100),
                          get_list(r, r->dst_map, rig_to, 200 / num, num, false) };
}

static struct pair destination_one_byte_short(struct rig *r)
{
    return (struct pair){ rig_src(r, 0, 100), rig_dst(r, 0, 99) };
}

static struct pair destination_full_of_content(struct rig *r)
{
    return (struct pair){ rig_src(r, 0, 100), get_args(r, r->dst_map, rig_to, 200, 1, 100) };
}

static struct pair destination_list_one_byte_short(struct rig *r)
{
    return (struct pair){ rig_src(r, 0, 100), get_list(r, r->dst_map, rig_to, 33, 3, false) };
}

static struct pair destination_read_only(struct rig *r)
{
    return (struct pair){ rig_src(r, 0, 100), get_args(r, read_only_map, rig_to, 200, 0, 0) };
}

static struct pair destination_for_pci_only(struct rig *r)
{
    return (struct pair){ rig_src(r, 0, 100), get_args(r, pci_only_map, rig_to, 200, 0, 0) };
}

static struct pair destination_tail_read_only(struct rig *r)
{
    struct pair p = { rig_src(r, 0, 100), rig_dst(r, 0, 60) };

    CHECK_OK(doca_buf_chain_list(p.dst, get_args(r, read_only_map, rig_to + 60, 60, 0, 0)));
    return p;
}

static struct pair source_on_another_device(struct rig *r)
{
    return (struct pair){ get_args(r, elsewhere_map, rig_to, 100, 0, 100), rig_dst(r, 500, 200) };
}

static struct pair source_tail_on_another_device(struct rig *r)
{
    struct pair p = { rig_src(r, 0, 50), rig_dst(r, 500, 200) };

    CHECK_OK(doca_buf_chain_list(p.src, get_args(r, elsewhere_map, rig_to, 50, 0, 50)));
    return p;
}

static struct pair destination_on_another_device(struct rig *r)
{
    return (struct pair){ rig_src(r, 0, 100), get_args(r, elsewhere_map, rig_to, 200, 0, 0) };
}

static struct pair both_on_another_device(struct rig *r)
{
    return (struct pair){ get_args(r, elsewhere_map, rig_to, 100, 0, 100),
                          get_args(r, elsewhere_map, rig_to + 500, 200, 0, 0) };
}

/* The bytes do not overlap. But the last buffer of the destination is also the source, so its data
 * length would be read and increased by the same task. */
static struct pair source_is_the_tail_of_the_destination(struct rig *r)
{
    struct pair p = { get_args(r, r->dst_map, rig_to + 500, 200, 0, 100), rig_dst(r, 0, 200) };

    CHECK_OK(doca_buf_chain_list(p.dst, p.src));
    return p;
}

static const struct refusal {
    const char *name;
    struct pair (*make)(struct rig *r);
    doca_error_t try_submit;
    enum doca_core_item item;
} refusals[] = {
#define REFUSAL(make, code, item) { #make, make, DOCA_ERROR_##code, DOCA_CORE_ITEM_##item }
    REFUSAL(source_empty, INVALID_VALUE, DMA_EMPTY_SOURCE),
    REFUSAL(source_list_empty, INVALID_VALUE, DMA_EMPTY_SOURCE),
    REFUSAL(source_released, INVALID_VALUE, TASK_RETURNED),
    REFUSAL(destination_released, INVALID_VALUE, TASK_RETURNED),
    REFUSAL(source_released_to_an_empty_inventory, INVALID_VALUE, TASK_RETURNED),
    REFUSAL(destination_released_to_an_empty_inventory, INVALID_VALUE, TASK_RETURNED),
    REFUSAL(source_too_large, INVALID_VALUE, TASK_TOO_LARGE),
    REFUSAL(source_list_too_large, INVALID_VALUE, TASK_TOO_LARGE),
    REFUSAL(source_list_too_long, INVALID_VALUE, TASK_LIST_TOO_LONG),
    REFUSAL(destination_list_too_long, INVALID_VALUE, TASK_LIST_TOO_LONG),
    REFUSAL(destination_one_byte_short, INVALID_VALUE, TASK_NO_ROOM),
    REFUSAL(destination_full_of_content, INVALID_VALUE, TASK_NO_ROOM),
    REFUSAL(destination_list_one_byte_short, INVALID_VALUE, TASK_NO_ROOM),
    REFUSAL(destination_read_only, NOT_PERMITTED, TASK_READ_ONLY),
    REFUSAL(destination_for_pci_only, NOT_PERMITTED, TASK_READ_ONLY),
    REFUSAL(destination_tail_read_only, NOT_PERMITTED, TASK_READ_ONLY),
    REFUSAL(source_on_another_device, INVALID_VALUE, TASK_NOT_MAPPED),
    REFUSAL(source_tail_on_another_device, INVALID_VALUE, TASK_NOT_MAPPED),
    REFUSAL(destination_on_another_device, INVALID_VALUE, TASK_NOT_MAPPED),
    REFUSAL(both_on_another_device, INVALID_VALUE, TASK_NOT_MAPPED),
    REFUSAL(source_is_the_tail_of_the_destination, INVALID_VALUE, DMA_OVERLAP),
#undef REFUSAL
};

#define NUM_REFUSALS (sizeof(refusals) / sizeof(refusals[0]))

#define CHECK_NAMED(name, got, want)                                                               \
    do {                                                                                           \
        if ((unsigned)(got) != (unsigned)(want))                                                   \
            test_fail(__FILE__, __LINE__, "%s: %s is %u, want %s = %u", name, #got,                \
                      (unsigned)(got), #want, (unsigned)(want));                                   \
    } while (0)

/* Free a task. One of its buffers may already have been released. */
static void drop(struct doca_dma_task_memcpy *task, struct pair p)
{
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    (void)doca_buf_dec_refcount(p.src, NULL);
    (void)doca_buf_dec_refcount(p.dst, NULL);
}

static size_t list_data_len(struct doca_buf *buf)
{
    size_t total = 0;

    while (buf != NULL) {
        total += rig_data_len(buf);
        CHECK_OK(doca_buf_get_next_in_list(buf, &buf));
    }
    return total;
}

/* doca_core_dma_task_inspect(), which backends call, must find the same errors. */
static void try_submit_names_every_fault(void)
{
    enum doca_core_item item;
    struct rig r;
    size_t i;

    open_small_rig(&r);
    remember_ranges();
    for (i = 0; i < NUM_REFUSALS; i++) {
        const struct refusal *f = &refusals[i];
        struct pair p = f->make(&r);
        struct doca_dma_task_memcpy *task = rig_task(r.dma, p.src, p.dst);

        CHECK_NAMED(f->name, doca_core_dma_task_inspect(task, &item), f->try_submit);
        CHECK_NAMED(f->name, item, f->item);
        CHECK_NAMED(f->name, doca_task_try_submit(doca_dma_task_memcpy_as_task(task)),
                    f->try_submit);
        CHECK_NAMED(f->name, doca_core_last_item(), f->item);
        CHECK_NAMED(f->name, rig_inflight(r.ctx), 0);
        CHECK_NAMED(f->name, rig_drain(&r), 0);
        CHECK_NAMED(f->name, rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
        drop(task, p);
    }
    check_ranges();
    CHECK_EQ(r.num_callbacks, 0);
    close_small_rig(&r);
}

static const struct refusal *expected;

static void check_reason(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)r;
    (void)task;
    CHECK_NAMED(expected->name, doca_core_last_item(), expected->item);
    CHECK_NAMED(expected->name, strlen(doca_core_last_error()) > 0, true);
}

static void device_finds_every_fault(void)
{
    struct rig r;
    size_t i;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("at this check level submit finds the errors");
    open_small_rig(&r);
    r.on_task = check_reason;
    for (i = 0; i < NUM_REFUSALS; i++) {
        const struct refusal *f = &refusals[i];
        struct pair p = f->make(&r);
        struct doca_dma_task_memcpy *task = rig_task(r.dma, p.src, p.dst);
        bool has_dst = f->make != destination_released &&
                       f->make != destination_released_to_an_empty_inventory;
        size_t len_before = has_dst ? list_data_len(p.dst) : 0;

        expected = f;
        remember_ranges();
        CHECK_NAMED(f->name, rig_submit(task), DOCA_SUCCESS);
        CHECK_NAMED(f->name, rig_inflight(r.ctx), 1);
        rig_drain(&r);
        CHECK_NAMED(f->name, r.num_failed, i + 1);
        CHECK_NAMED(f->name, r.status, DOCA_ERROR_IO_FAILED);
        CHECK_NAMED(f->name, rig_state(r.ctx), DOCA_CTX_STATE_STOPPING);
        check_ranges();
        if (has_dst)
            CHECK_NAMED(f->name, list_data_len(p.dst), len_before);
        drop(task, p);
        rig_drain(&r);
        CHECK_NAMED(f->name, rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
        CHECK_OK(doca_ctx_start(r.ctx));
        rig_drain(&r);
    }
    CHECK_EQ(r.num_ok, 0);
    close_small_rig(&r);
}

static void submit_finds_every_error_in_the_checked_mode(void)
{
    struct rig r;
    size_t i;

    if (DOCA_CORE_CHECK < 2)
        test_skip("at this check level the device finds the errors");
    open_small_rig(&r);
    for (i = 0; i < NUM_REFUSALS; i++) {
        const struct refusal *f = &refusals[i];
        struct pair p = f->make(&r);
        struct doca_dma_task_memcpy *task = rig_task(r.dma, p.src, p.dst);

        CHECK_NAMED(f->name, rig_submit(task), f->try_submit);
        CHECK_NAMED(f->name, doca_core_last_item(), f->item);
        drop(task, p);
    }
    close_small_rig(&r);
}

#define LARGEST ((size_t)64 << 20) /* largest copy of this case, even if the device permits more */

static void good_task_at_each_limit_is_copied(void)
{
    size_t len, part, i;
    struct rig r;

    open_small_rig(&r);
    r.frees_tasks = true;
    len = bound.bytes < LARGEST ? bound.bytes : LARGEST;
    part = len / bound.list_len;
    for (i = 0; i < len; i++)
        bound.from[i] = (unsigned char)(i * 2654435761u >> 13);
    run(&r, rig_task(r.dma, get_args(&r, bound.map, bound.from, len, 0, len),
                     get_args(&r, bound.map, bound.to, len, 0, 0)));
    CHECK_MEM(bound.to, bound.from, len);
    CHECK_EQ(bound.to[len], 0);
    memset(bound.to, 0xee, len);
    run(&r, rig_task(r.dma, get_list(&r, bound.map, bound.from, part, bound.list_len, true),
                     get_list(&r, bound.map, bound.to, part, bound.list_len, false)));
    CHECK_MEM(bound.to, bound.from, part * bound.list_len);
    run(&r, rig_task(r.dma, get_args(&r, read_only_map, rig_to, 100, 0, 100),
                     rig_dst(&r, 9000, 100))); /* a source needs no set permission */
    CHECK_MEM(rig_to + 9000, rig_to, 100);
    close_small_rig(&r);
}

static void lists_that_overlap_are_refused(void)
{
    static const struct { const char *name; size_t src_off, dst_off; unsigned num_src, num_dst;
                          doca_error_t want; } cases_of[] = {
        { "lists that overlap by one byte", 0, 99, 2, 2, DOCA_ERROR_INVALID_VALUE },
        { "list into a single buffer", 0, 60, 2, 1, DOCA_ERROR_INVALID_VALUE },
        { "single buffer into a list", 60, 0, 1, 2, DOCA_ERROR_INVALID_VALUE },
        { "lists next to each other", 0, 100, 2, 2, DOCA_SUCCESS },
        { "single buffers", 0, 60, 1, 1, DOCA_SUCCESS },
    };
    struct rig r;
    size_t i;

    rig_open(&r, TASKS);
    for (i = 0; i < sizeof(cases_of) / sizeof(cases_of[0]); i++) {
        struct doca_buf *src = get_list(&r, r.dst_map, rig_to + cases_of[i].src_off,
                                        100 / cases_of[i].num_src, cases_of[i].num_src, true);
        struct doca_buf *dst = get_list(&r, r.dst_map, rig_to + cases_of[i].dst_off,
                                        100 / cases_of[i].num_dst, cases_of[i].num_dst, false);
        struct doca_dma_task_memcpy *task = rig_task(r.dma, src, dst);

        CHECK_NAMED(cases_of[i].name, doca_task_try_submit(doca_dma_task_memcpy_as_task(task)),
                    cases_of[i].want);
        if (cases_of[i].want != DOCA_SUCCESS)
            CHECK_NAMED(cases_of[i].name, doca_core_last_item(), DOCA_CORE_ITEM_DMA_OVERLAP);
        rig_drain(&r);
        rig_release(task);
    }
    CHECK_EQ(r.num_ok, 2);
    CHECK_EQ(r.num_failed, 0);
    rig_close(&r);
}

static void only_written_bytes_count_as_overlap(void)
{
    struct rig r;
    struct doca_buf *dst;

    rig_open(&r, TASKS);
    r.frees_tasks = true;
    /* the source is in the old content of the destination, which the copy does not write */
    dst = get_args(&r, r.dst_map, rig_to, 100, 0, 100);
    CHECK_OK(doca_buf_chain_list(dst, rig_dst(&r, 200, 100)));
    CHECK_OK(doca_task_try_submit(doca_dma_task_memcpy_as_task(
        rig_task(r.dma, get_list(&r, r.dst_map, rig_to, 50, 2, true), dst))));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    CHECK_MEM(rig_to + 200, rig_to, 100);
    /* the source is in the tail room, after the bytes that the copy writes */
    CHECK_OK(doca_task_try_submit(doca_dma_task_memcpy_as_task(
        rig_task(r.dma, get_list(&r, r.dst_map, rig_to + 500, 50, 2, true),
                 rig_dst(&r, 400, 300)))));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 2);
    CHECK_MEM(rig_to + 400, rig_to + 500, 100);
    rig_close(&r);
}

static doca_error_t reg_anything(struct doca_dev *dev, const struct doca_core_range *range,
                                 uint32_t *mkey, uint32_t *own)
{
    *own = 0;
    return doca_core_sw_backend()->reg(dev, range->addr, range->len, range->access, mkey);
}

/* Let mmaps on the device start although no memory is mapped in their range. */
static void accept_any_range(struct doca_dev *dev)
{
    static struct doca_core_backend accepting;

    accepting = *dev->backend;
    accepting.reg_range = reg_anything;
    dev->backend = &accepting;
}

/* The end address of the copy wraps. The task must fail before it writes, because the memory is not
 * mapped. */
static void copy_beyond_the_end_of_the_address_space_fails(void)
{
    unsigned char *const end = (unsigned char *)UINTPTR_MAX;
    struct doca_dma_task_memcpy *task;
    struct doca_mmap *mmap;
    struct doca_buf *dst;
    struct rig r;

    rig_open(&r, TASKS);
    accept_any_range(r.dev);
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, end - 8192, 8192));
    CHECK_OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE));
    CHECK_OK(doca_mmap_add_dev(mmap, r.dev));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_buf_inventory_buf_get_by_args(r.inventory, mmap, end - 64, 64, end - 64, 32,
                                                &dst));
    task = rig_task(r.dma, rig_src(&r, 0, 64), dst);
    if (rig_submit(task) == DOCA_SUCCESS) { /* the device finds the error */
        rig_drain(&r);
        CHECK_EQ(r.num_failed, 1);
        CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
    }
    CHECK_EQ(rig_data_len(dst), 32);
    rig_release(task);
    CHECK_OK(doca_mmap_destroy(mmap));
    rig_close(&r);
}

static void device_without_lists_takes_single_buffers_only(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;
    uint32_t len;
    unsigned way;

    CHECK_OK(doca_core_sw_set_devices(small_devices, 2));
    rig_build(&r, ELSEWHERE, TASKS);
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_list_len(doca_dev_as_devinfo(r.dev), &len));
    CHECK_EQ(len, 1);
    CHECK_OK(doca_ctx_start(r.ctx));
    for (way = 0; way < 3; way++) {
        struct doca_task *base;

        task = rig_task(r.dma,
                        get_list(&r, r.src_map, rig_from, LEN, way == 1 ? 2 : 1, true),
                        get_list(&r, r.dst_map, rig_to, 2 * LEN, way == 2 ? 2 : 1, false));
        base = doca_dma_task_memcpy_as_task(task);
        CHECK_RC(doca_task_try_submit(base), way == 0 ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE);
        rig_drain(&r);
        rig_release(task);
    }
    CHECK_EQ(r.num_ok, 1);
    rig_close(&r);
}

static void buffer_released_in_flight_fails_the_task(void)
{
    unsigned side;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("a buffer in flight cannot be released at this check level");
    for (side = 0; side < 2; side++) {
        struct rig r;
        struct pair p;
        struct doca_dma_task_memcpy *task;

        rig_open(&r, TASKS);
        p = (struct pair){ rig_src(&r, 0, LEN), rig_dst(&r, 0, LEN) };
        task = rig_task(r.dma, p.src, p.dst);
        remember_ranges();
        CHECK_OK(rig_submit(task));
        CHECK_OK(doca_buf_dec_refcount(side == 0 ? p.src : p.dst, NULL));
        rig_drain(&r);
        if (test_other() != NULL) /* the device may have copied before the release */
            memcpy(want_to, rig_to, LEN);
        check_ranges();
        if (side == 0 && test_other() != NULL && r.num_ok == 1) {
            CHECK_MEM(rig_to, rig_from, LEN);
        } else {
            CHECK_EQ(r.num_failed, 1);
            CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
            CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STOPPING);
        }
        drop(task, p);
        rig_close(&r);
    }
}

/* Two buffers of half the address space and one of 16 bytes: the sum of the lengths wraps to 16.
 * The library must not read any byte. */
#if SIZE_MAX > UINT32_MAX
static void check_wrapping_length(void)
{
    static const size_t len[] = { SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 1, 16 };
    struct rig r;
    struct doca_mmap *all;
    struct doca_buf *src[3], *dst;
    struct doca_dma_task_memcpy *task;
    size_t i;

    rig_open(&r, TASKS);
    accept_any_range(r.dev);
    CHECK_OK(doca_mmap_create(&all));
    CHECK_OK(doca_mmap_set_memrange(all, (void *)1, SIZE_MAX - 1));
    CHECK_OK(doca_mmap_add_dev(all, r.dev));
    CHECK_OK(doca_mmap_start(all));
    for (i = 0; i < 3; i++) {
        CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, all, (void *)1, len[i], &src[i]));
        if (i > 0)
            CHECK_OK(doca_buf_chain_list(src[0], src[i]));
    }
    dst = rig_dst(&r, 0, LEN);
    task = rig_task(r.dma, src[0], dst);
    remember_ranges();
    CHECK_RC(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_TOO_LARGE);
    if (DOCA_CORE_CHECK < 2) {
        CHECK_OK(rig_submit(task));
        rig_drain(&r);
        CHECK_EQ(r.num_failed, 1);
        CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_TOO_LARGE);
    }
    check_ranges();
    CHECK_EQ(rig_data_len(dst), 0);
    rig_release(task);
    CHECK_OK(doca_mmap_destroy(all));
    rig_close(&r);
}
#endif

static void source_whose_length_wraps_is_refused(void)
{
#if SIZE_MAX > UINT32_MAX
    struct doca_core_dev_attr attr;

    check_wrapping_length();
    memset(&attr, 0, sizeof(attr)); /* a device whose limit no length exceeds */
    strcpy(attr.pci_addr, "0000:03:00.0");
    CHECK_OK(doca_core_sw_profile("default", &attr.limits));
    attr.limits.dma_max_buf_size = UINT64_MAX;
    CHECK_OK(doca_core_sw_set_devices(&attr, 1));
    check_wrapping_length();
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
#else
    test_skip("with 32-bit lengths a 64-bit sum does not wrap");
#endif
}

static void mmap_started_on_another_device_is_refused(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task;

    open_small_rig(&r);
    CHECK_OK(doca_mmap_stop(r.src_map));
    CHECK_OK(doca_mmap_rm_dev(r.src_map, r.dev));
    CHECK_OK(doca_mmap_add_dev(r.src_map, elsewhere));
    CHECK_OK(doca_mmap_start(r.src_map));
    task = rig_prepare(&r, r.dma, 0, LEN);
    remember_ranges();
    CHECK_RC(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NOT_MAPPED);
    if (DOCA_CORE_CHECK < 2) {
        CHECK_OK(rig_submit(task));
        rig_drain(&r);
        CHECK_EQ(r.num_failed, 1);
        CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
    }
    check_ranges();
    rig_release(task);
    close_small_rig(&r);
}

/* ---- configuration and capabilities ---- */

static void number_of_tasks_is_checked(void)
{
    struct rig r;
    uint32_t max;

    rig_build(&r, NULL, TASKS);
    CHECK_OK(doca_dma_cap_get_max_num_tasks(r.dma, &max));
    CHECK(max >= 4096);
    CHECK_RC(doca_dma_task_memcpy_set_conf(r.dma, rig_completed, rig_failed, 0),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_task_memcpy_set_conf(r.dma, rig_completed, rig_failed, max + 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_task_memcpy_set_conf(r.dma, NULL, rig_failed, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_task_memcpy_set_conf(r.dma, rig_completed, NULL, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_task_memcpy_set_conf(NULL, rig_completed, rig_failed, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dma_task_memcpy_set_conf(r.dma, rig_completed, rig_failed, max));
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_close(&r);
}

static const struct profile {
    const char *name;
    uint64_t max_buf_size;
    uint32_t max_list_len;
} profiles[] = {
    { "default", 1u << 30, 65536 },
    { "unlimited", SIZE_MAX, UINT32_MAX },
    { "bluefield2", 128u << 20, 64 },
    { "bluefield3", 2u << 20, 64 },
};

#define BIG_BYTES ((128u << 20) + 64)
static unsigned char big_from[BIG_BYTES], big_to[BIG_BYTES]; /* most bytes are never accessed */

static void check_try_submit(struct rig *r, struct doca_buf *src, struct doca_buf *dst,
                             doca_error_t want, enum doca_core_item item)
{
    struct doca_dma_task_memcpy *task = rig_task(r->dma, src, dst);

    CHECK_RC(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)), want);
    if (want != DOCA_SUCCESS)
        CHECK_EQ(doca_core_last_item(), item);
    rig_drain(r);
    rig_release(task);
}

static void check_profile(const struct profile *p)
{
    struct rig r;
    struct doca_mmap *from_map, *to_map;
    const struct doca_devinfo *info;
    struct doca_core_limits limits;
    uint64_t size;
    uint32_t len, max_tasks;
    bool is_limited = p->max_list_len == 64; /* a profile of a card; another case has the default */

    CHECK_OK(doca_core_sw_profile(p->name, &limits));
    CHECK_OK(doca_core_sw_set_profile(p->name));
    rig_build(&r, NULL, TASKS);
    info = doca_dev_as_devinfo(r.dev);
    CHECK_OK(doca_dma_cap_task_memcpy_is_supported(info));
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_size(info, &size));
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_list_len(info, &len));
    CHECK_OK(doca_dma_cap_get_max_num_tasks(r.dma, &max_tasks));
    CHECK_EQ(size, p->max_buf_size);
    CHECK_EQ(len, p->max_list_len);
    CHECK_EQ(max_tasks, 65536);
    CHECK_EQ(limits.dma_max_buf_size, size);
    CHECK_EQ(limits.dma_max_buf_list_len, len);
    CHECK_EQ(limits.dma_max_num_tasks, max_tasks);
    CHECK_EQ(limits.has_dma, 1);
    CHECK_RC(doca_dma_task_memcpy_set_conf(r.dma, rig_completed, rig_failed, max_tasks + 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_ctx_start(r.ctx));
    from_map = rig_map(r.dev, big_from, BIG_BYTES);
    to_map = rig_map(r.dev, big_to, BIG_BYTES);
    check_try_submit(&r, get_list(&r, from_map, big_from, 3, 64, true),
                     get_list(&r, to_map, big_to, 3, 64, false), DOCA_SUCCESS,
                     DOCA_CORE_ITEM_NONE);
    check_try_submit(&r, get_list(&r, from_map, big_from, 3, 65, true),
                     get_args(&r, to_map, big_to, 400, 0, 0),
                     is_limited ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS,
                     DOCA_CORE_ITEM_TASK_LIST_TOO_LONG);
    check_try_submit(&r, get_args(&r, from_map, big_from, 2u << 20, 0, 2u << 20),
                     get_args(&r, to_map, big_to, 2u << 20, 0, 0), DOCA_SUCCESS,
                     DOCA_CORE_ITEM_NONE);
    if (is_limited) {
        size_t too_large = (size_t)p->max_buf_size + 1;

        check_try_submit(&r, get_args(&r, from_map, big_from, too_large, 0, too_large),
                         get_args(&r, to_map, big_to, too_large, 0, 0), DOCA_ERROR_INVALID_VALUE,
                         DOCA_CORE_ITEM_TASK_TOO_LARGE);
    }
    CHECK_EQ(r.num_failed, 0);
    CHECK_OK(doca_mmap_destroy(from_map));
    CHECK_OK(doca_mmap_destroy(to_map));
    rig_close(&r);
}

static void restore_default_profile(void)
{
    const char *name = getenv("DOCA_CORE_SW_PROFILE");

    if (name == NULL || doca_core_sw_set_profile(name) != DOCA_SUCCESS)
        CHECK_OK(doca_core_sw_set_profile("default"));
}

static void limits_of_the_profiles_are_enforced(void)
{
    size_t i;

    for (i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++)
        check_profile(&profiles[i]);
    CHECK_RC(doca_core_sw_set_profile("abacus"), DOCA_ERROR_NOT_FOUND);
    restore_default_profile();
}

/* Programs allocate buffers of the sizes that the capabilities report. In the default profile these
 * are 1 GiB, and lists of 65,536 buffers. A task at the limit is accepted, a task above it is
 * not. */
static void default_profile_accepts_tasks_up_to_its_limits(void)
{
    const size_t most = (size_t)1 << 30, list = 65536, bytes = most + 4096;
    struct doca_buf *head[2] = { NULL, NULL }, *buf;
    struct doca_buf_inventory *inventory;
    const struct doca_devinfo *info;
    struct doca_core_limits limits;
    struct doca_mmap *map;
    unsigned char *at;
    uint64_t size;
    uint32_t len;
    struct rig r;
    size_t i;
    int way;

    CHECK_OK(doca_core_sw_profile("default", &limits));
    rig_open(&r, TASKS);
    info = doca_dev_as_devinfo(r.dev);
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_size(info, &size));
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_list_len(info, &len));
    CHECK_EQ(size, limits.dma_max_buf_size); /* the default profile is set */
    CHECK_EQ(size, most);
    CHECK_EQ(len, list);
    at = mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
              -1, 0);
    if (at == MAP_FAILED) {
        rig_close(&r);
        test_skip("this machine cannot map so much memory");
    }
    map = rig_map(r.dev, at, 2 * bytes);
    /* one byte more than the limit, then exactly the limit, which is only checked and not copied */
    for (way = 1; way >= 0; way--) {
        struct doca_dma_task_memcpy *task =
            rig_task(r.dma, get_args(&r, map, at, most + 1, 0, most + (size_t)way),
                     get_args(&r, map, at + bytes, most + 1, 0, 0));
        enum doca_core_item item = DOCA_CORE_ITEM_NONE;

        CHECK_RC(doca_core_dma_task_inspect(OBJECT(task), &item),
                 way == 1 ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS);
        CHECK_EQ(item, way == 1 ? DOCA_CORE_ITEM_TASK_TOO_LARGE : DOCA_CORE_ITEM_NONE);
        rig_release(task);
    }
    CHECK_OK(doca_buf_inventory_create(list + 2, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    for (i = 0; i < list; i++) {
        CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, map, at + i, 1, &buf));
        if (head[0] == NULL)
            head[0] = buf;
        else
            CHECK_OK(doca_buf_chain_list(head[0], buf));
    }
    for (way = 0; way < 2; way++) {
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, map, at + bytes, list + 1,
                                                    &head[1]));
        if (way == 1) {
            CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, map, at, 1, &buf));
            CHECK_OK(doca_buf_chain_list(head[0], buf));
        }
        check_try_submit(&r, head[0], head[1], way == 1 ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS,
                         DOCA_CORE_ITEM_TASK_LIST_TOO_LONG);
        if (way == 0) /* the first round has released the list: make it again */
            for (i = 0, head[0] = NULL; i < list; i++) {
                CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, map, at + i, 1, &buf));
                if (head[0] == NULL)
                    head[0] = buf;
                else
                    CHECK_OK(doca_buf_chain_list(head[0], buf));
            }
    }
    CHECK_EQ(r.num_failed, 0);
    CHECK_OK(doca_mmap_destroy(map));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_EQ(munmap(at, 2 * bytes), 0);
    rig_close(&r);
}

/* True when device `dev` can copy `len` bytes between mmaps of `map_dev`. */
static bool copies_on(struct doca_dev *dev, struct doca_dev *map_dev, size_t len)
{
    struct doca_mmap *from_map, *to_map;
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src, *dst;
    struct rig r;
    bool fits;

    rig_build_on(&r, dev, 1);
    CHECK_OK(doca_ctx_start(r.ctx));
    from_map = rig_map(map_dev, rig_from, 4096);
    to_map = rig_map(map_dev, rig_to, 4096);
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, from_map, rig_from, len, &src));
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(r.inventory, to_map, rig_to, len, &dst));
    task = rig_task(r.dma, src, dst);
    fits = rig_submit(task) == DOCA_SUCCESS; /* the checked mode already refuses the task here */
    rig_drain(&r);
    fits = fits && r.num_ok == 1;
    CHECK(r.num_failed == 0 || r.status == DOCA_ERROR_IO_FAILED);
    CHECK_EQ(rig_data_len(dst), fits ? len : 0);
    CHECK_EQ(rig_to[0] == rig_from[0], fits);
    rig_release(task);
    rig_stop(&r, r.ctx);
    CHECK_OK(doca_mmap_destroy(from_map));
    CHECK_OK(doca_mmap_destroy(to_map));
    CHECK_OK(doca_dma_destroy(r.dma));
    CHECK_OK(doca_pe_destroy(r.pe));
    CHECK_OK(doca_buf_inventory_destroy(r.inventory));
    CHECK_OK(doca_mmap_destroy(r.src_map));
    CHECK_OK(doca_mmap_destroy(r.dst_map));
    return fits;
}

enum { MANY = 10 };

/* Set a topology of MANY devices and open them. `max_bytes` is the limit of one task. */
static void open_many(struct doca_dev *devs[MANY], uint64_t max_bytes)
{
    struct doca_core_dev_attr attrs[MANY];
    char addr[] = "0000:00:00.0";
    unsigned i;

    memset(attrs, 0, sizeof(attrs));
    for (i = 0; i < MANY; i++) {
        CHECK_OK(doca_core_sw_profile("unlimited", &attrs[i].limits));
        attrs[i].limits.dma_max_buf_size = max_bytes;
        addr[6] = (char)('0' + i);
        memcpy(attrs[i].pci_addr, addr, sizeof(attrs[i].pci_addr));
    }
    CHECK_OK(doca_core_sw_set_devices(attrs, MANY));
    for (i = 0; i < MANY; i++) {
        addr[6] = (char)('0' + i);
        devs[i] = rig_open_dev(addr);
    }
}

static void close_many(struct doca_dev *devs[MANY])
{
    unsigned i;

    for (i = 0; i < MANY; i++)
        CHECK_OK(doca_dev_close(devs[i]));
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
}

static void each_of_many_devices_accepts_only_its_own_mmaps(void)
{
    struct doca_dev *devs[MANY];
    unsigned i, k;

    open_many(devs, 4096);
    for (i = 0; i < MANY; i++)
        for (k = 0; k < MANY; k++) {
            CHECK_EQ(copies_on(devs[i], devs[k], 48), i == k);
            CHECK_EQ(copies_on(devs[i], devs[k], 512), i == k);
        }
    close_many(devs);
}

static void small_limit_holds_for_small_copies(void)
{
    struct doca_dev *devs[MANY];
    size_t limit, len;

    for (limit = 1; limit < 72; limit += 7) {
        open_many(devs, limit);
        for (len = 1; len < 80; len++)
            CHECK_EQ(copies_on(devs[0], devs[0], len), len <= limit);
        close_many(devs);
    }
}

static void profile_without_dma_does_not_support_copies(void)
{
    struct doca_dev *dev;
    struct doca_core_limits limits;

    CHECK_OK(doca_core_sw_profile("connectx7", &limits));
    CHECK_EQ(limits.has_dma, 0);
    CHECK_OK(doca_core_sw_set_profile("connectx7"));
    dev = rig_open_dev(NULL);
    restore_default_profile();
    CHECK_RC(doca_dma_cap_task_memcpy_is_supported(doca_dev_as_devinfo(dev)),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_dev_close(dev));
}

static void capabilities_refuse_null(void)
{
    struct rig r;
    const struct doca_devinfo *info;
    uint64_t size;
    uint32_t num;

    rig_build(&r, NULL, TASKS);
    info = doca_dev_as_devinfo(r.dev);
    CHECK_RC(doca_dma_cap_task_memcpy_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_cap_task_memcpy_get_max_buf_size(NULL, &size), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_cap_task_memcpy_get_max_buf_size(info, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_cap_task_memcpy_get_max_buf_list_len(NULL, &num), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_cap_task_memcpy_get_max_buf_list_len(info, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_cap_get_max_num_tasks(NULL, &num), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_cap_get_max_num_tasks(r.dma, NULL), DOCA_ERROR_INVALID_VALUE);
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
    CASE(try_submit_names_every_fault, "102 126 205 243"),
    CASE(device_finds_every_fault, "102 126 187 235 239 243"),
    CASE(submit_finds_every_error_in_the_checked_mode, ""),
    CASE(good_task_at_each_limit_is_copied, "206"),
    CASE(lists_that_overlap_are_refused, ""),
    CASE(only_written_bytes_count_as_overlap, ""),
    CASE_OF_SW(copy_beyond_the_end_of_the_address_space_fails, "", "mmaps over unmapped memory"),
    CASE_OF_SW(device_without_lists_takes_single_buffers_only, "126 242", "a table of its devices"),
    CASE(buffer_released_in_flight_fails_the_task, ""),
    CASE_OF_SW(source_whose_length_wraps_is_refused, "", "mmaps over unmapped memory"),
    CASE(mmap_started_on_another_device_is_refused, ""),
    CASE(number_of_tasks_is_checked, "245"),
    CASE_OF_SW(default_profile_accepts_tasks_up_to_its_limits, "", "its own profile"),
    CASE_OF_SW(limits_of_the_profiles_are_enforced, "", "its profiles"),
    CASE_OF_SW(each_of_many_devices_accepts_only_its_own_mmaps, "",
               "a table of its devices"),
    CASE_OF_SW(small_limit_holds_for_small_copies, "", "a table of its devices"),
    CASE_OF_SW(profile_without_dma_does_not_support_copies, "", "its profiles"),
    CASE(capabilities_refuse_null, "1 19"),
};

TEST_MAIN(cases)
