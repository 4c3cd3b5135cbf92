/* Copies from and to imported mmaps, also while their memory or their exporter disappears. */
#include "export_support.h"

static const size_t lengths[] = { 1, 2, 7, 64, 4095, 4096, 4097, 8191, 8192, 8193, 16384, 20000,
                                  RIG_BYTES };
#define NUM_LENGTHS (sizeof(lengths) / sizeof(lengths[0]))

/* Copies to, from and between imports. The copied bytes are appended to the content of the
 * destination, and no other byte changes. */
static void imports_are_source_and_destination(void)
{
    enum { HAD = 5 }; /* bytes of content before the copy */
    struct share s;
    struct rig r;
    size_t i;
    int way;

    share_rig_open(&r, 4);
    share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
    for (i = 0; i < NUM_LENGTHS; i++) {
        for (way = 1; way < 4; way++) { /* bit 0: the source is an import; bit 1: destination */
            size_t len = lengths[i], room = HAD + len + 3;
            unsigned char *from = way & 1 ? far_bytes + 1 : rig_from;
            unsigned char *to = way & 2 ? far_bytes + RIG_BYTES + 3 : far_bytes + 2 * RIG_BYTES;
            struct doca_buf *src, *dst;

            share_fill(far_bytes, FAR_BYTES, (unsigned)(i + len));
            src = share_src(&r, way & 1 ? s.import : r.src_map, from, len);
            dst = share_buf(&r, way & 2 ? s.import : s.map, to, room, 0, HAD);
            memcpy(want, far_bytes, FAR_BYTES);
            memcpy(want + (to - far_bytes) + HAD, from, len);
            CHECK_OK(share_run(&r, src, dst));
            CHECK_MEM(far_bytes, want, FAR_BYTES);
            CHECK_EQ(rig_data_len(dst), HAD + len);
            CHECK_EQ(rig_data_len(src), len);
            share_drop(src, dst);
        }
    }
    share_close(&s);
    rig_close(&r);
}

static const ptrdiff_t shifts[] = { -20000, -8193, -8192, -8191, -4097, -4096, -100, -1, 0,
                                    1, 100, 4096, 4097, 8191, 8192, 8193, 20000 };

/* Check copies between single buffers that overlap. The result is that of memmove(); a device that
 * cannot do that for imports must refuse the copy. */
static void check_overlap(struct rig *r, struct doca_mmap *from_map, struct doca_mmap *to_map,
                          bool is_far)
{
    static unsigned char pattern[FAR_BYTES];
    unsigned char *middle = far_bytes + FAR_BYTES / 2;
    size_t i, k;

    share_fill(pattern, FAR_BYTES, 1);
    for (i = 0; i < NUM_LENGTHS; i++) {
        for (k = 0; k < sizeof(shifts) / sizeof(shifts[0]); k++) {
            memcpy(far_bytes, pattern, FAR_BYTES);
            memcpy(want, pattern, FAR_BYTES);
            memmove(want + FAR_BYTES / 2 + shifts[k], want + FAR_BYTES / 2, lengths[i]);
            if (test_other() != NULL && is_far && (size_t)labs(shifts[k]) < lengths[i]) {
                memcpy(want, pattern, FAR_BYTES); /* the copy fails and changes nothing */
                share_fails(r, share_src(r, from_map, middle, lengths[i]),
                            share_dst(r, to_map, middle + shifts[k], lengths[i]),
                            DOCA_CORE_ITEM_MLX5_OVERLAP);
            } else {
                share_copy(r, share_src(r, from_map, middle, lengths[i]),
                           share_dst(r, to_map, middle + shifts[k], lengths[i]));
            }
            if (memcmp(far_bytes, want, FAR_BYTES) != 0)
                test_fail(__FILE__, __LINE__, "%lu bytes copied to a distance of %ld differ",
                          (unsigned long)lengths[i], (long)shifts[k]);
        }
    }
}

static void overlap_within_an_import_is_copied_as_by_memmove(void)
{
    struct doca_mmap *second;
    struct share s;
    struct rig r;

    share_rig_open(&r, 4);
    share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI | SHARE_RDMA, doca_mmap_export_pci);
    check_overlap(&r, s.import, s.import, true);
    if (test_other() == NULL) { /* other devices do not know that both mmaps are the same memory */
        CHECK_OK(doca_mmap_export_rdma(s.map, r.dev, &s.desc, &s.desc_len));
        CHECK_OK(doca_mmap_create_from_export(NULL, s.desc, s.desc_len, r.dev, &second));
        check_overlap(&r, s.import, second, true);
        CHECK_OK(doca_mmap_destroy(second));
    }
    share_close(&s);
    rig_close(&r);
}

static void overlap_of_an_mmap_with_its_own_import_is_copied_as_by_memmove(void)
{
    struct share s;
    struct rig r;

    share_rig_open(&r, 4);
    share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
    check_overlap(&r, s.map, s.import, false);
    check_overlap(&r, s.import, s.map, false);
    share_close(&s);
    rig_close(&r);
}

static void overlap_of_lists_in_imports_is_refused(void)
{
    struct doca_buf *src, *dst, *more;
    struct doca_dma_task_memcpy *task;
    struct share s;
    struct rig r;

    share_rig_open(&r, 4);
    share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
    src = share_src(&r, s.import, far_bytes, 100);
    dst = share_dst(&r, s.import, far_bytes + 1000, 50);
    more = share_dst(&r, s.import, far_bytes + 99, 50);
    CHECK_OK(doca_buf_chain_list(dst, more));
    task = rig_task(r.dma, src, dst);
    CHECK_RC(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_DMA_OVERLAP);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    share_drop(src, dst);
    share_close(&s);
    rig_close(&r);
}

/* Buffers with equal addresses do not overlap when they are in different memory: in an exporter or
 * a dmabuf, an address denotes other bytes than in this process. */
static void equal_addresses_of_different_memory_do_not_overlap(void)
{
    int fd = new_memfd(RIG_BYTES);
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src, *dst, *more;
    struct doca_mmap *dmabuf;
    struct rig r;

    share_rig_open(&r, 1);
    dmabuf = dmabuf_map(r.dev, fd, rig_from, 0, RIG_BYTES);
    src = rig_src(&r, 0, 100);
    dst = share_dst(&r, dmabuf, rig_from, 50);
    more = share_dst(&r, dmabuf, rig_from + 50, 50);
    CHECK_OK(doca_buf_chain_list(dst, more));
    task = rig_task(r.dma, src, dst);
    CHECK_OK(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    share_drop(src, dst);
    CHECK_OK(doca_mmap_destroy(dmabuf));
    rig_close(&r);
    close(fd);
}

/* One kind of memory: RIG_BYTES bytes to read from, then RIG_BYTES bytes to write to. */
struct area {
    struct doca_mmap *mmap;
    unsigned char *addr; /* address that buffers use */
    unsigned char *seen; /* address at which the test accesses the same bytes */
    size_t next;         /* first byte that the current task has no destination at */
};
enum { NUM_AREAS = 4, MAX_PIECES = 200 };

static struct area areas[NUM_AREAS];
static unsigned num_areas; /* the last area is a dmabuf, if a memfd can be used as one */
static unsigned char gathered[MAX_PIECES * 3000];
static unsigned char before[NUM_AREAS][RIG_BYTES];

/* Copy with one task between random lists of buffers in all areas. Compare the result with a
 * model. */
static void copy_random_lists(struct rig *r, uint32_t max_piece)
{
    struct { struct doca_buf *buf; size_t content, room; } out[MAX_PIECES];
    struct doca_buf *src = NULL, *dst = NULL;
    size_t total = 0, room = 0, done = 0, k;
    unsigned num = 1 + rig_random(most_pieces(r) < MAX_PIECES ? 10 : 40), num_out = 0, i;

    for (i = 0; i < num; i++) {
        struct area *a = &areas[rig_random(num_areas)];
        size_t len = 1 + rig_random(max_piece), off = rig_random((uint32_t)(RIG_BYTES - len));
        size_t data_off = rig_random((uint32_t)len), data_len = len - data_off;

        if (i > 0 && rig_random(6) == 0)
            data_len = 0;
        memcpy(gathered + total, a->seen + off + data_off, data_len);
        total += data_len;
        src = append(src, share_buf(r, a->mmap, a->addr + off, len, data_off, data_len));
    }
    for (i = 0; i < num_areas; i++) {
        areas[i].next = 0;
        memcpy(before[i], areas[i].seen + RIG_BYTES, RIG_BYTES);
    }
    while (room < total || num_out == 0) {
        unsigned which = rig_random(num_areas);
        struct area *a = &areas[which];
        size_t gap = rig_random(5), len = 1 + rig_random(max_piece);
        size_t content = rig_random(6) == 0 ? len : rig_random((uint32_t)len);
        size_t n = len - content, at = a->next + gap;

        if (num_out == MAX_PIECES || num_out == most_pieces(r) || at + len > RIG_BYTES)
            test_fail(__FILE__, __LINE__, "the areas of this test are too small");
        a->next = at + len;
        out[num_out].buf = share_buf(r, a->mmap, a->addr + RIG_BYTES + at, len, 0, content);
        out[num_out].content = content;
        out[num_out].room = n;
        dst = append(dst, out[num_out].buf);
        num_out++;
        room += n;
        n = n < total - done ? n : total - done;
        memcpy(before[which] + at + content, gathered + done, n);
        done += n;
    }
    CHECK_OK(share_run(r, src, dst));
    for (i = 0; i < num_areas; i++)
        CHECK_MEM(areas[i].seen + RIG_BYTES, before[i], RIG_BYTES);
    for (i = 0, k = total; i < num_out; i++) {
        size_t n = out[i].room < k ? out[i].room : k;

        CHECK_EQ(rig_data_len(out[i].buf), out[i].content + n);
        k -= n;
    }
    share_drop(src, dst);
}

static void lists_of_all_kinds_of_memory_agree_with_a_model(void)
{
    static unsigned char local[2 * RIG_BYTES], far_b[2 * RIG_BYTES];
    int fd = new_memfd(2 * RIG_BYTES);
    unsigned char *view = view_of(fd, 2 * RIG_BYTES);
    struct doca_mmap *local_map, *dmabuf = NULL;
    struct share a, b;
    unsigned i, round;
    struct rig r;

    share_rig_open(&r, 4);
    local_map = rig_map(r.dev, local, sizeof(local));
    share_open(&a, r.dev, far_bytes, 2 * RIG_BYTES, SHARE_PCI, doca_mmap_export_pci);
    share_open(&b, r.dev, far_b, 2 * RIG_BYTES, SHARE_RDMA, doca_mmap_export_rdma);
    if (test_other() == NULL)
        dmabuf = dmabuf_map(r.dev, fd, NOWHERE, 0, 2 * RIG_BYTES);
    num_areas = dmabuf != NULL ? NUM_AREAS : NUM_AREAS - 1;
    areas[0] = (struct area){ local_map, local, local, 0 };
    areas[1] = (struct area){ a.import, far_bytes, far_bytes, 0 };
    areas[2] = (struct area){ b.import, far_b, far_b, 0 };
    areas[3] = (struct area){ dmabuf, NOWHERE, view, 0 };
    for (i = 0; i < NUM_AREAS; i++)
        share_fill(areas[i].seen, 2 * RIG_BYTES, i * 77);
    for (round = 0; round < 300; round++)
        copy_random_lists(&r, round % 3 == 0 ? 40 : round % 3 == 1 ? 600 : 1400);
    share_close(&a);
    share_close(&b);
    CHECK_OK(doca_mmap_destroy(local_map));
    CHECK(dmabuf == NULL || doca_mmap_destroy(dmabuf) == DOCA_SUCCESS);
    rig_close(&r);
    CHECK_EQ(munmap(view, 2 * RIG_BYTES), 0);
    close(fd);
}

static void megabytes_are_copied_in_one_task(void)
{
    const size_t mapped = (size_t)8 << 20;
    size_t bytes = mapped;
    unsigned char *near_pages = share_pages(2 * mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE);
    unsigned char *far_pages = share_pages(2 * mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE);
    struct doca_mmap *near_map;
    uint64_t max;
    struct share s;
    struct rig r;

    share_rig_open(&r, 4);
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_size(doca_dev_as_devinfo(r.dev), &max));
    CHECK(max >= bytes || test_other() != NULL);
    bytes = max < bytes ? (size_t)max : bytes;
    near_map = rig_map(r.dev, near_pages, 2 * bytes);
    share_open(&s, r.dev, far_pages, 2 * bytes, SHARE_PCI, doca_mmap_export_pci);
    share_fill(near_pages, bytes, 9);
    share_copy(&r, share_src(&r, near_map, near_pages + 1, bytes - 1),
               share_dst(&r, s.import, far_pages + 5, bytes));
    CHECK_MEM(far_pages + 5, near_pages + 1, bytes - 1);
    share_copy(&r, share_src(&r, s.import, far_pages + 5, bytes - 1),
               share_dst(&r, near_map, near_pages + bytes, bytes));
    CHECK_MEM(near_pages + bytes, near_pages + 1, bytes - 1);
    share_copy(&r, share_src(&r, s.import, far_pages + 5, bytes - 9),
               share_dst(&r, s.import, far_pages + bytes + 5, bytes - 9));
    CHECK_MEM(far_pages + bytes + 5, near_pages + 1, bytes - 9);
    share_close(&s);
    CHECK_OK(doca_mmap_destroy(near_map));
    rig_close(&r);
    CHECK_EQ(munmap(near_pages, 2 * mapped), 0);
    CHECK_EQ(munmap(far_pages, 2 * mapped), 0);
}

#if SIZE_MAX > UINT32_MAX
/* Map the same `bytes` of a file `times` times, at consecutive addresses. */
static unsigned char *map_repeatedly(int fd, size_t bytes, size_t times)
{
    unsigned char *at = share_pages(bytes * times, PROT_NONE, MAP_PRIVATE | MAP_NORESERVE);
    size_t i;

    for (i = 0; i < times; i++)
        CHECK(mmap(at + i * bytes, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) !=
              MAP_FAILED);
    return at;
}
#endif

/* Lists of few buffers, with more bytes than the kernel copies in one system call. Source and
 * destination are 8 MiB of memory each, which is mapped many times. */
static void gigabytes_are_copied_in_one_task(void)
{
#if SIZE_MAX > UINT32_MAX
    const size_t bytes = (size_t)8 << 20, times = 20, len = bytes * times;
    int from_fd = new_memfd(bytes), to_fd = new_memfd(bytes);
    unsigned char *from = map_repeatedly(from_fd, bytes, times);
    unsigned char *to = map_repeatedly(to_fd, bytes, times);
    struct doca_buf *src = NULL, *dst = NULL, *last;
    struct doca_mmap *to_map;
    struct share s;
    struct rig r;
    unsigned i;

    CHECK_OK(doca_core_sw_set_profile("unlimited")); /* the default limit is 1 GiB in a task */
    share_rig_open(&r, 1);
    CHECK_OK(doca_core_sw_set_profile("default"));
    share_fill(from, bytes, 3);
    share_open(&s, r.dev, from, len, SHARE_PCI, doca_mmap_export_pci);
    to_map = rig_map(r.dev, to, len);
    for (i = 0; i < 13; i++) { /* 2080 MiB */
        src = append(src, share_src(&r, s.import, from, len));
        dst = append(dst, share_dst(&r, to_map, to, len));
    }
    CHECK_OK(doca_buf_get_last_in_list(dst, &last));
    CHECK_OK(share_run(&r, src, dst));
    CHECK_EQ(rig_data_len(dst), len);
    CHECK_EQ(rig_data_len(last), len);
    CHECK_MEM(to, from, bytes);
    share_drop(src, dst);
    share_close(&s);
    CHECK_OK(doca_mmap_destroy(to_map));
    rig_close(&r);
    CHECK_EQ(munmap(from, len), 0);
    CHECK_EQ(munmap(to, len), 0);
    close(from_fd);
    close(to_fd);
#else
    test_skip("the address space is too small");
#endif
}

/* While the mmap is exported, a page in its middle is unmapped or made inaccessible. Tasks on that
 * page fail, and no buffer's data length increases. */
static void missing_memory_fails_tasks(void)
{
    enum { HOLE = 8, NUM_PAGES = 16 };
    unsigned char *pages;
    struct share s;
    struct rig r;
    int how, way;

    share_rig_open(&r, 4);
    for (how = 0; how < 3; how++) {
        pages = share_pages(NUM_PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE);
        share_open(&s, r.dev, pages, NUM_PAGES * PAGE, SHARE_PCI, doca_mmap_export_pci);
        if (how == 0)
            CHECK_EQ(munmap(pages + HOLE * PAGE, PAGE), 0);
        else
            CHECK_EQ(mprotect(pages + HOLE * PAGE, PAGE, how == 1 ? PROT_NONE : PROT_READ), 0);
        /* the range ends before the hole, crosses it, or begins at it */
        for (way = 0; way < 6; way++) {
            size_t at = (size_t)(way / 2) * (HOLE / 2) * PAGE, len = 6 * PAGE;
            bool reads = way % 2 == 0, fails = way / 2 > 0 && !(reads && how == 2);
            struct doca_buf *src, *dst, *head;

            src = reads ? share_src(&r, s.import, pages + at, len) : rig_src(&r, 0, len);
            /* a local buffer with room for more data */
            head = share_buf(&r, r.dst_map, rig_to + 32768, 100, 0, 50);
            dst = reads ? rig_dst(&r, 0, len) : share_dst(&r, s.import, pages + at, len);
            CHECK_OK(doca_buf_chain_list(head, dst));
            if (fails)
                share_fails(&r, src, head, DOCA_CORE_ITEM_EXPORTER_MEMORY);
            else
                share_copy(&r, src, head);
        }
        share_fails(&r, share_src(&r, s.import, pages + (how == 2 ? 0 : HOLE - 4) * PAGE, 6 * PAGE),
                    share_dst(&r, s.import, pages + (how == 2 ? HOLE - 1 : 9) * PAGE, 7 * PAGE),
                    DOCA_CORE_ITEM_EXPORTER_MEMORY);
        share_copy(&r, share_src(&r, s.import, pages, PAGE), rig_dst(&r, 0, PAGE));
        share_close(&s);
        CHECK_EQ(munmap(pages, NUM_PAGES * PAGE), 0);
    }
    rig_close(&r);
}

/* A large copy from one import to another fails at a page that the exporter of the destination has
 * unmapped near the beginning. No byte of the copy is left there. */
static void large_copy_into_missing_memory_leaves_nothing(void)
{
    enum { HOLE = 3, NUM_PAGES = 128 };
    const size_t len = NUM_PAGES * PAGE;
    unsigned char *pages, *source;
    struct share s, from;
    struct rig r;
    size_t i;

    share_rig_open(&r, 1);
    pages = share_pages(len, PROT_READ | PROT_WRITE, MAP_PRIVATE);
    source = share_pages(len, PROT_READ | PROT_WRITE, MAP_PRIVATE);
    memset(source, 0x5a, len);
    share_open(&s, r.dev, pages, len, SHARE_PCI, doca_mmap_export_pci);
    share_open(&from, r.dev, source, len, SHARE_PCI, doca_mmap_export_pci);
    CHECK_EQ(munmap(pages + HOLE * PAGE, PAGE), 0);
    share_fails(&r, share_src(&r, from.import, source, len), share_dst(&r, s.import, pages, len),
                DOCA_CORE_ITEM_EXPORTER_MEMORY);
    for (i = 0; i < len; i++)
        if (i / PAGE != HOLE)
            CHECK_EQ(pages[i], 0);
    share_close(&from);
    share_close(&s);
    CHECK_EQ(munmap(pages, len), 0);
    CHECK_EQ(munmap(source, len), 0);
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(imports_are_source_and_destination, "87"),
    CASE(overlap_within_an_import_is_copied_as_by_memmove, ""),
    CASE(overlap_of_lists_in_imports_is_refused, ""),
    CASE_OF_CARD(overlap_of_an_mmap_with_its_own_import_is_copied_as_by_memmove, "",
                 "that it reads all bytes before it writes"),
    CASE_OF_SW(equal_addresses_of_different_memory_do_not_overlap, "",
               "a memfd in the place of a dmabuf"),
    CASE(lists_of_many_buffers_are_copied, "87"),
    CASE(lists_of_all_kinds_of_memory_agree_with_a_model, "87"),
    CASE(copy_between_exporters_fails_when_one_has_ended, ""),
    CASE(megabytes_are_copied_in_one_task, "87"),
    CASE_OF_SW(gigabytes_are_copied_in_one_task, "87", "the limit of a system call"),
    CASE_OF_SW(missing_memory_fails_tasks, "", "that it does not pin memory"),
    CASE_OF_SW(large_copy_into_missing_memory_leaves_nothing, "", "that it does not pin memory"),
    CASE(failure_in_a_list_changes_no_element, ""),
};

TEST_MAIN(cases)
