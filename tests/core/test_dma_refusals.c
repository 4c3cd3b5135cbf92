/* The DMA engine: tasks that are refused or fail. */
#include "dma_support.h"

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

static const struct test_case cases[] = {
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
};

TEST_MAIN(cases)
