/* Mmaps on dmabufs: their memory need not have an address in the process. */
#include "export_support.h"

#include <sys/ioctl.h>

static void dmabuf_arguments_are_checked(void)
{
    int fd = new_memfd(PAGE);
    struct doca_mmap *mmap;
    void *addr;
    size_t len;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_RC(doca_mmap_set_dmabuf_memrange(NULL, fd, NOWHERE, 0, 64), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_set_dmabuf_memrange(mmap, fd, NULL, 0, 64), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, SIZE_MAX),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_set_dmabuf_memrange(mmap, -1, NOWHERE, 0, 64), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_get_memrange(mmap, &addr, &len), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, 64));
    CHECK_RC(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, 64), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_set_memrange(mmap, far_bytes, 64), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_get_memrange(mmap, &addr, &len));
    CHECK_PTR(addr, NOWHERE);
    CHECK_EQ(len, 64);
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_RC(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, 64), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_mmap_create(&mmap)); /* the calls in the other order */
    CHECK_OK(doca_mmap_set_memrange(mmap, far_bytes, 64));
    CHECK_RC(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, 64), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_destroy(mmap));
    close(fd);
}

/* Copy and hash single buffers and lists in a dmabuf, and compare the results. The buffers have
 * addresses from `at` on; their memory is `bytes` bytes from `offset` on in the file `fd`. */
static void check_dmabuf(int fd, unsigned char *at, size_t offset, size_t bytes)
{
    unsigned char *view = view_of(fd, offset + bytes), *seen = view + offset;
    struct doca_mmap *mmap;
    struct hasher h;
    struct share s;
    struct rig r;

    share_rig_open(&r, 2);
    hasher_open(&h, &r);
    mmap = dmabuf_map(r.dev, fd, at, offset, bytes);
    share_fill(seen, bytes, 21);
    share_copy(&r, share_src(&r, mmap, at + 5, 9000), rig_dst(&r, 0, 9000));
    CHECK_MEM(rig_to, seen + 5, 9000);
    share_copy(&r, rig_src(&r, 0, 9000), share_dst(&r, mmap, at + 77, 9000));
    CHECK_MEM(seen + 77, rig_from, 9000);
    share_copy(&r, share_src(&r, mmap, at + 77, 9000), share_dst(&r, mmap, at + 10, 9000));
    CHECK_MEM(seen + 10, rig_from, 9000);
    share_copy(&r, row(&r, mmap, at + 10, 30, 100, 0, true), row(&r, r.dst_map, rig_to, 60, 50, 1,
                                                                  false));
    CHECK_MEM(rig_to + 51, rig_from + 50, 50);
    share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
    share_copy(&r, share_src(&r, mmap, at + 10, 9000), share_dst(&r, s.import, far_bytes, 9000));
    CHECK_MEM(far_bytes, rig_from, 9000);
    share_copy(&r, share_src(&r, s.import, far_bytes, 9000), share_dst(&r, mmap, at, 9000));
    CHECK_MEM(seen, rig_from, 9000);
    share_close(&s);
    check_hashes(&h, mmap, at, seen);
    check_partial(&h, mmap, at, seen);
    CHECK_OK(doca_mmap_destroy(mmap));
    hasher_close(&h);
    rig_close(&r);
    CHECK_EQ(munmap(view, offset + bytes), 0);
}

static void dmabuf_is_accessed_whatever_is_at_its_addresses(void)
{
    enum { BYTES = 2 * RIG_BYTES, OFFSET = 3 * PAGE };
    unsigned char *reserved = share_pages(BYTES, PROT_NONE, MAP_PRIVATE | MAP_NORESERVE);
    int fd = new_memfd(OFFSET + BYTES);

    check_dmabuf(fd, reserved, 0, BYTES);
    check_dmabuf(fd, NOWHERE, OFFSET, BYTES);
    /* other memory of this process, which must stay unchanged */
    check_dmabuf(fd, far_bytes, 0, BYTES);
    check_dmabuf(fd, (unsigned char *)(UINTPTR_MAX - BYTES), OFFSET, BYTES);
    CHECK_EQ(munmap(reserved, BYTES), 0);
    close(fd);
}

static void dmabuf_of_the_kernel_is_accessed(void)
{
    enum { BYTES = 2 * RIG_BYTES };
    const struct {
        uint32_t memfd;
        uint32_t flags;
        uint64_t offset;
        uint64_t size;
    } create = { (uint32_t)new_memfd(BYTES), 1 /* CLOEXEC */, 0, BYTES };
    int device = open("/dev/udmabuf", O_RDWR | O_CLOEXEC), fd;

    if (device < 0) {
        close((int)create.memfd);
        test_skip("/dev/udmabuf does not exist, or this user may not open it");
    }
    CHECK_EQ(fcntl((int)create.memfd, F_ADD_SEALS, F_SEAL_SHRINK), 0);
    fd = ioctl(device, _IOW('u', 0x42, create), &create);
    CHECK(fd >= 0);
    check_dmabuf(fd, NOWHERE, 0, BYTES);
    check_dmabuf(fd, NOWHERE, PAGE, BYTES - 2 * PAGE);
    close(fd);
    close(device);
    close((int)create.memfd);
}

static void dmabuf_that_cannot_be_mapped_is_refused_at_start(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    int fd = new_memfd(4 * PAGE), closed = new_memfd(4 * PAGE), empty = new_memfd(0);
    int odd = new_memfd(PAGE + 8);
    const struct { int fd; size_t offset; const char *cause; } bad[] = {
        { fd, 1, "EINVAL" }, { fd, 8, "EINVAL" }, { fd, PAGE - 1, "EINVAL" },
        { fd, PAGE + 512, "EINVAL" }, { closed, 0, "EBADF" }, { 9999, 0, "EBADF" },
        /* beyond the end of the file */
        { fd, SIZE_MAX - PAGE + 1, "ERANGE" }, { fd, 4 * PAGE, "ERANGE" },
        { fd, 5 * PAGE, "ERANGE" }, { empty, 0, "ERANGE" }, { odd, PAGE, "ERANGE" },
    };
    struct doca_mmap *mmap;
    size_t i;

    close(closed);
    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CHECK_OK(doca_mmap_create(&mmap));
        CHECK_OK(doca_mmap_add_dev(mmap, dev));
        CHECK_OK(doca_mmap_set_dmabuf_memrange(mmap, bad[i].fd, NOWHERE, bad[i].offset, PAGE));
        CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_OPERATING_SYSTEM);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_MMAP_DMABUF_MAP);
        CHECK(strstr(test_log_text, bad[i].cause) != NULL);
        CHECK_RC(doca_mmap_stop(mmap), DOCA_ERROR_BAD_STATE);
        CHECK_OK(doca_mmap_destroy(mmap));
    }
    CHECK_OK(doca_dev_close(dev));
    close(odd);
    close(empty);
    close(fd);
}

/* If a file shrank, the next access would raise SIGBUS. Therefore the library accepts only
 * shared-memory files that are sealed against shrinking. */
static void file_that_can_shrink_is_refused(void)
{
    char names[2][32] = { "dmabuf.XXXXXX", "/dev/shm/dmabuf.XXXXXX" };
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_mmap *mmap;
    int fd;
    size_t i;

    for (i = 0; i < 2; i++) { /* a file on a disk, which has no seals; a file in shared memory */
        fd = mkstemp(names[i]);
        if (fd < 0)
            continue;
        CHECK_EQ(unlink(names[i]), 0);
        CHECK_EQ(ftruncate(fd, PAGE), 0);
        CHECK_OK(doca_mmap_create(&mmap));
        CHECK_OK(doca_mmap_add_dev(mmap, dev));
        CHECK_OK(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, PAGE));
        CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_OPERATING_SYSTEM);
        CHECK(strstr(test_log_text, "EPERM") != NULL);
        CHECK_OK(doca_mmap_destroy(mmap));
        close(fd);
    }
    CHECK_OK(doca_dev_close(dev));
}

/* An mmap without write permission can use a read-only descriptor. */
static void dmabuf_is_mapped_with_the_mmaps_permissions(void)
{
    static const struct {
        uint32_t access;
        bool may_start;
    } rows[] = {
        { DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, true },
        { DOCA_ACCESS_FLAG_LOCAL_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_ONLY, true },
        { DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, false },
        { DOCA_ACCESS_FLAG_LOCAL_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE, false },
        { DOCA_ACCESS_FLAG_LOCAL_READ_ONLY | DOCA_ACCESS_FLAG_RDMA_WRITE, false },
    };
    int whole = new_memfd(PAGE), fd;
    unsigned char *view = view_of(whole, PAGE);
    struct doca_mmap *mmap;
    char path[32];
    struct rig r;
    size_t i;

    snprintf(path, sizeof(path), "/proc/self/fd/%d", whole);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    CHECK(fd >= 0);
    share_fill(view, PAGE, 8);
    share_rig_open(&r, 2);
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CHECK_OK(doca_mmap_create(&mmap));
        CHECK_OK(doca_mmap_add_dev(mmap, r.dev));
        CHECK_OK(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, PAGE));
        CHECK_OK(doca_mmap_set_permissions(mmap, rows[i].access));
        CHECK_RC(doca_mmap_start(mmap),
                 rows[i].may_start ? DOCA_SUCCESS : DOCA_ERROR_OPERATING_SYSTEM);
        if (rows[i].may_start) {
            share_copy(&r, share_src(&r, mmap, NOWHERE + 5, 900), rig_dst(&r, 0, 900));
            CHECK_MEM(rig_to, view + 5, 900);
        }
        CHECK_OK(doca_mmap_destroy(mmap));
    }
    rig_close(&r);
    CHECK_EQ(munmap(view, PAGE), 0);
    close(fd);
    close(whole);
}

/* The value of an event would be in a mapping that ends when the mmap stops, and a thread-safe mmap
 * can stop while it has events. */
static void event_cannot_be_in_a_thread_safe_dmabuf(void)
{
    int fd = new_memfd(PAGE), how;
    struct doca_sync_event *event;
    struct doca_mmap *mmap;
    struct doca_buf *buf;
    struct rig r;

    rig_build(&r, NULL, 1);
    for (how = 0; how < 4; how++) { /* with and without a dmabuf, destroyed and stopped */
        CHECK_OK(doca_mmap_create(&mmap));
        CHECK_OK(doca_mmap_enable_thread_safety(mmap));
        CHECK_OK(doca_mmap_add_dev(mmap, r.dev));
        CHECK_OK(how < 2 ? doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, PAGE)
                         : doca_mmap_set_memrange(mmap, rig_to, PAGE));
        CHECK_OK(doca_mmap_start(mmap));
        CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, mmap, how < 2 ? NOWHERE : rig_to,
                                                    8, &buf));
        CHECK_OK(doca_sync_event_create(&event));
        CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, r.dev));
        CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, r.dev));
        if (how < 2) {
            CHECK_RC(doca_sync_event_set_doca_buf(event, buf), DOCA_ERROR_NOT_SUPPORTED);
            CHECK_EQ(test_log_item, DOCA_CORE_ITEM_EVENT_BUF_FAR);
        } else {
            CHECK_OK(doca_sync_event_set_doca_buf(event, buf));
        }
        CHECK_OK(how % 2 == 0 ? doca_mmap_destroy(mmap) : doca_mmap_stop(mmap));
        CHECK_RC(doca_sync_event_set_doca_buf(event, buf), DOCA_ERROR_BAD_STATE);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_MMAP_NOT_STARTED);
        CHECK_OK(doca_sync_event_destroy(event));
        CHECK_OK(doca_buf_dec_refcount(buf, NULL));
        CHECK(how % 2 == 0 || doca_mmap_destroy(mmap) == DOCA_SUCCESS);
    }
    rig_close(&r);
    close(fd);
}

static void device_without_dmabufs_refuses_the_start(void)
{
    int fd = new_memfd(PAGE);
    struct doca_dev *able, *unable;
    struct doca_mmap *mmap;

    set_devs(1, true, true, true, true);
    able = rig_open_dev(NULL);
    set_devs(2, true, true, true, false);
    unable = rig_open_dev("0000:0c:00.1");
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_add_dev(mmap, able));
    CHECK_OK(doca_mmap_add_dev(mmap, unable));
    CHECK_OK(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, PAGE));
    CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_DEV_NO_DMABUF);
    CHECK_OK(doca_mmap_rm_dev(mmap, unable));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(unable));
    CHECK_OK(doca_dev_close(able));
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
    close(fd);
}

static void dmabuf_is_not_exported(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    int fd = new_memfd(PAGE);
    struct doca_mmap *mmap;
    size_t k;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_set_permissions(mmap, SHARE_PCI | SHARE_RDMA));
    CHECK_OK(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, PAGE));
    CHECK_OK(doca_mmap_start(mmap));
    for (k = FIRST_KIND; k < 2; k++)
        check_no_export(exports[k].call, mmap, dev, DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(is_exported(mmap), 0);
    CHECK_EQ(is_import(mmap), 0);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(dev));
    close(fd);
}

static unsigned advised;

static void advice_done(struct doca_mmap_advise_task_invalidate_cache *task, union doca_data data,
                        union doca_data ctx_data)
{
    (void)data;
    (void)ctx_data;
    CHECK_OK(doca_task_get_status(
        doca_mmap_advise_task_invalidate_cache_as_doca_task(task)));
    advised++;
}

/* Cache invalidation also works for dmabufs and imports. */
static void caches_of_dmabufs_and_imports_can_be_invalidated(void)
{
    struct doca_mmap_advise_task_invalidate_cache *task;
    struct doca_mmap_advise *advise;
    int fd = new_memfd(PAGE);
    struct doca_buf *bufs[2];
    struct doca_mmap *mmap;
    struct doca_ctx *ctx;
    struct share s;
    struct rig r;
    unsigned i;

    share_rig_open(&r, 1);
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, PAGE));
    CHECK_OK(doca_mmap_add_dev(mmap, r.dev));
    CHECK_OK(doca_mmap_start(mmap));
    share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
    CHECK_OK(doca_mmap_advise_create(r.dev, &advise));
    ctx = doca_mmap_advise_as_ctx(advise);
    CHECK_OK(doca_pe_connect_ctx(r.pe, ctx));
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advice_done, advice_done, 1));
    CHECK_OK(doca_ctx_start(ctx));
    bufs[0] = share_src(&r, mmap, NOWHERE, PAGE);
    bufs[1] = share_src(&r, s.import, far_bytes, PAGE);
    for (advised = i = 0; i < 2; i++) {
        CHECK_OK(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, bufs[i],
                                                                   (union doca_data){ 0 }, &task));
        CHECK_OK(doca_task_submit(doca_mmap_advise_task_invalidate_cache_as_doca_task(task)));
        while (doca_pe_progress(r.pe))
            continue;
        CHECK_EQ(advised, i + 1);
        doca_task_free(doca_mmap_advise_task_invalidate_cache_as_doca_task(task));
        CHECK_OK(doca_buf_dec_refcount(bufs[i], NULL));
    }
    CHECK_OK(doca_mmap_advise_destroy(advise));
    share_close(&s);
    CHECK_OK(doca_mmap_destroy(mmap));
    rig_close(&r);
    close(fd);
}

static void dmabuf_obeys_permissions(void)
{
    int fd = new_memfd(PAGE);
    struct doca_mmap *mmap;
    struct rig r;

    share_rig_open(&r, 1);
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, 0, PAGE));
    CHECK_OK(doca_mmap_add_dev(mmap, r.dev));
    CHECK_OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY));
    CHECK_OK(doca_mmap_start(mmap));
    share_copy(&r, share_src(&r, mmap, NOWHERE, 8), rig_dst(&r, 0, 8));
    share_refused(&r, rig_src(&r, 0, 8), share_dst(&r, mmap, NOWHERE, 8),
                  DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_TASK_READ_ONLY);
    CHECK_OK(doca_mmap_destroy(mmap));
    rig_close(&r);
    close(fd);
}

static unsigned num_mappings(void)
{
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    unsigned num = 0;
    char text[4096];
    ssize_t got, i;

    CHECK(fd >= 0);
    while ((got = read(fd, text, sizeof(text))) > 0)
        for (i = 0; i < got; i++)
            num += text[i] == '\n';
    close(fd);
    return num;
}

static void dmabuf_is_mapped_only_while_started(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    int fd = new_memfd(4 * PAGE);
    struct doca_mmap *mmap;
    unsigned num, i;
    struct rig r;

    num = num_mappings();
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_set_dmabuf_memrange(mmap, fd, NOWHERE, PAGE, PAGE + 1));
    for (i = 0; i < 100; i++) {
        CHECK_EQ(num_mappings(), num);
        CHECK_OK(doca_mmap_start(mmap));
        CHECK_EQ(num_mappings(), num + 1);
        if (i < 99)
            CHECK_OK(doca_mmap_stop(mmap));
    }
    CHECK_OK(doca_mmap_destroy(mmap)); /* without a stop before */
    CHECK_EQ(num_mappings(), num);
    CHECK_OK(doca_dev_close(dev));
    /* the program may close the dmabuf's descriptor; then the next start fails */
    share_rig_open(&r, 1);
    mmap = dmabuf_map(r.dev, fd, NOWHERE, 0, PAGE);
    share_copy(&r, rig_src(&r, 0, 8), share_dst(&r, mmap, NOWHERE, 8));
    CHECK_OK(doca_mmap_stop(mmap));
    close(fd);
    CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_OPERATING_SYSTEM);
    CHECK_EQ(num_mappings(), num);
    CHECK_OK(doca_mmap_destroy(mmap));
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(dmabuf_arguments_are_checked, ""),
    CASE_OF_SW(dmabuf_is_accessed_whatever_is_at_its_addresses, "",
               "a memfd in the place of a dmabuf"),
    CASE(dmabuf_of_the_kernel_is_accessed, ""),
    CASE_OF_SW(file_that_can_shrink_is_refused, "", "that it maps the dmabuf"),
    CASE_OF_SW(dmabuf_is_mapped_with_the_mmaps_permissions, "", "that it maps the dmabuf"),
    CASE_OF_SW(event_cannot_be_in_a_thread_safe_dmabuf, "", "a memfd in the place of a dmabuf"),
    CASE_OF_SW(dmabuf_that_cannot_be_mapped_is_refused_at_start, "",
               "a memfd in the place of a dmabuf"),
    CASE_OF_SW(device_without_dmabufs_refuses_the_start, "", "a table of its devices"),
    CASE_OF_SW(dmabuf_is_not_exported, "", "a memfd in the place of a dmabuf"),
    CASE_OF_SW(caches_of_dmabufs_and_imports_can_be_invalidated, "",
               "a memfd in the place of a dmabuf"),
    CASE_OF_SW(dmabuf_obeys_permissions, "", "a memfd in the place of a dmabuf"),
    CASE_OF_SW(dmabuf_is_mapped_only_while_started, "",
               "a memfd in the place of a dmabuf"),
};

TEST_MAIN(cases)
