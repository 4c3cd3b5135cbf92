/* Small programs that use the API as real DOCA programs do. test_exception.cc has programs whose
 * callbacks throw exceptions. */

/* Programs declare structures that they only point to, before they include a header... */
struct doca_buf;
struct doca_buf_inventory;
struct doca_ctx;
struct doca_dev;
struct doca_devinfo;
struct doca_dma;
struct doca_dma_task_memcpy;
struct doca_mmap;
struct doca_pe;
struct doca_task;

struct app_objects {
    struct doca_dev *dev;
    struct doca_mmap *mmap;
    struct doca_pe *pe;
    struct doca_ctx *ctx;
};

#include "fixture.h"

#include <sys/epoll.h>
#include <unistd.h>

/* ...and again after it. */
struct doca_dev;
struct doca_mmap;
struct doca_ctx;

enum { TASKS = 32, LEN = 64, MANY_MMAPS = 4098, MANY_TASKS = 4096, MANY_BUFS = 2050, ENGINES = 4 };

static void program_may_declare_the_structures_itself(void)
{
    struct app_objects app = { NULL, NULL, NULL, NULL };
    struct rig r;

    rig_build(&r, NULL, TASKS);
    app.dev = r.dev;
    app.mmap = r.src_map;
    app.pe = r.pe;
    app.ctx = r.ctx;
    CHECK(doca_dev_as_devinfo(app.dev) != NULL);
    CHECK_EQ(doca_pe_progress(app.pe), 0);
    CHECK_EQ(rig_state(app.ctx), DOCA_CTX_STATE_IDLE);
    rig_close(&r);
}

static void destination_needs_no_set_permissions(void)
{
    struct rig r;
    struct doca_mmap *mmap;
    struct doca_buf *dst;

    rig_open(&r, TASKS);
    r.frees_tasks = true;
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, rig_to + 4096, 4096));
    CHECK_OK(doca_mmap_add_dev(mmap, r.dev));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(r.inventory, mmap, rig_to + 4096, LEN, &dst));
    CHECK_OK(rig_submit(rig_task(r.dma, rig_src(&r, 0, LEN), dst)));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    CHECK_MEM(rig_to + 4096, rig_from, LEN);
    CHECK_OK(doca_mmap_destroy(mmap));
    rig_close(&r);
}

static void task_may_have_no_buffers_until_submit(void)
{
    struct rig r;
    struct doca_dma_task_memcpy *task[TASKS];
    struct doca_buf *src, *dst;
    unsigned i;

    rig_open(&r, TASKS);
    for (i = 0; i < TASKS; i++)
        task[i] = rig_task(r.dma, NULL, NULL);
    for (i = 0; i < TASKS; i++) {
        src = rig_src(&r, i * LEN, LEN);
        dst = rig_dst(&r, i * LEN, LEN);
        doca_dma_task_memcpy_set_src(task[i], src);
        doca_dma_task_memcpy_set_dst(task[i], dst);
        CHECK_OK(rig_submit(task[i]));
        rig_drain(&r);
        CHECK_OK(doca_buf_dec_refcount(src, NULL));
        CHECK_OK(doca_buf_dec_refcount(dst, NULL));
        doca_dma_task_memcpy_set_src(task[i], NULL);
        doca_dma_task_memcpy_set_dst(task[i], NULL);
        CHECK_PTR(doca_dma_task_memcpy_get_src(task[i]), NULL);
        CHECK_PTR(doca_dma_task_memcpy_get_dst(task[i]), NULL);
    }
    for (i = 0; i < TASKS; i++)
        doca_task_free(doca_dma_task_memcpy_as_task(task[i]));
    CHECK_MEM(rig_to, rig_from, TASKS * LEN);
    rig_close(&r);
}

/* A pipeline: each completion submits its task again for the next block. The first completion also
 * submits a second task. */
static size_t next_block;

static void copy_next_block(struct rig *r, struct doca_dma_task_memcpy *task)
{
    struct doca_buf *src = (struct doca_buf *)(size_t)doca_dma_task_memcpy_get_src(task);
    struct doca_buf *dst = doca_dma_task_memcpy_get_dst(task);

    if (next_block == 1)
        rig_copy(r, r->dma, LEN * next_block++, LEN);
    if (next_block == RIG_BYTES / LEN) {
        rig_release(task);
        return;
    }
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));
    doca_dma_task_memcpy_set_src(task, rig_src(r, LEN * next_block, LEN));
    doca_dma_task_memcpy_set_dst(task, rig_dst(r, LEN * next_block, LEN));
    next_block++;
    CHECK_OK(rig_submit(task));
}

static void callback_submits_its_own_task_and_another(void)
{
    struct rig r;

    rig_open(&r, 2);
    r.on_task = copy_next_block;
    next_block = 1;
    rig_copy(&r, r.dma, 0, LEN);
    rig_drain(&r);
    CHECK_EQ(r.num_ok, RIG_BYTES / LEN);
    CHECK_MEM(rig_to, rig_from, RIG_BYTES);
    rig_close(&r);
}

static void chained_buffers_are_released_through_the_head(void)
{
    struct rig r;
    struct doca_buf *head;
    uint32_t free_before, num_free, num_bufs;
    unsigned i;

    rig_open(&r, TASKS);
    CHECK_OK(doca_buf_inventory_get_num_free_elements(r.inventory, &free_before));
    head = rig_src(&r, 0, LEN);
    for (i = 1; i < 20; i++)
        CHECK_OK(doca_buf_chain_list(head, rig_src(&r, i * LEN, LEN)));
    r.frees_tasks = true; /* the rig only releases the head */
    CHECK_OK(rig_submit(rig_task(r.dma, head, rig_dst(&r, 0, 20 * LEN))));
    rig_drain(&r);
    CHECK_MEM(rig_to, rig_from, 20 * LEN);
    CHECK_OK(doca_buf_inventory_get_num_free_elements(r.inventory, &num_free));
    CHECK_EQ(num_free, free_before);
    CHECK_OK(doca_mmap_get_num_bufs(r.src_map, &num_bufs));
    CHECK_EQ(num_bufs, 0);
    rig_close(&r);
}

static void objects_are_destroyed_without_a_stop(void)
{
    unsigned stops_first;

    for (stops_first = 0; stops_first < 2; stops_first++) {
        struct rig r;

        rig_open(&r, TASKS);
        r.frees_tasks = true;
        rig_copy(&r, r.dma, 0, LEN);
        rig_drain(&r);
        if (stops_first)
            CHECK_OK(doca_ctx_stop(r.ctx)); /* and destroy the context without progress */
        CHECK_OK(doca_dma_destroy(r.dma));
        CHECK_OK(doca_pe_destroy(r.pe));
        CHECK_OK(doca_buf_inventory_destroy(r.inventory));
        CHECK_OK(doca_mmap_destroy(r.src_map));
        CHECK_OK(doca_mmap_destroy(r.dst_map));
        CHECK_OK(doca_dev_close(r.dev));
    }
}

static void default_arena_holds_4098_mmaps_and_2050_buffers(void)
{
    static struct doca_mmap *mmap[MANY_MMAPS];
    static struct doca_buf *buf[MANY_BUFS];
    static unsigned char bytes[MANY_MMAPS][16];
    struct doca_buf_inventory *inventory;
    struct doca_dev *dev = rig_open_dev(NULL);
    unsigned i;

    for (i = 0; i < MANY_MMAPS; i++)
        mmap[i] = rig_map(dev, bytes[i], sizeof(bytes[i]));
    CHECK_OK(doca_buf_inventory_create(MANY_BUFS, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    for (i = 0; i < MANY_BUFS; i++)
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap[i], bytes[i],
                                                    sizeof(bytes[i]), &buf[i]));
    for (i = 0; i < MANY_BUFS; i++)
        CHECK_OK(doca_buf_dec_refcount(buf[i], NULL));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    for (i = 0; i < MANY_MMAPS; i++)
        CHECK_OK(doca_mmap_destroy(mmap[i]));
    CHECK_OK(doca_dev_close(dev));
}

static void default_arena_holds_4096_tasks_in_each_of_several_contexts(void)
{
    struct rig r;
    struct doca_dma *dma[ENGINES];
    struct doca_buf_inventory *small;
    unsigned i, k;

    rig_build(&r, NULL, MANY_TASKS);
    small = r.inventory;
    CHECK_OK(doca_buf_inventory_create(2 * ENGINES * MANY_TASKS, &r.inventory));
    CHECK_OK(doca_buf_inventory_start(r.inventory));
    dma[0] = r.dma;
    for (i = 1; i < ENGINES; i++)
        dma[i] = rig_make_dma(&r, MANY_TASKS);
    for (i = 0; i < ENGINES; i++)
        CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma[i])));
    rig_drain(&r);
    r.frees_tasks = true;
    for (i = 0; i < ENGINES; i++) /* a separate task for each byte */
        for (k = 0; k < MANY_TASKS; k++)
            rig_copy(&r, dma[i], i * MANY_TASKS + k, 1);
    CHECK_EQ(rig_drain(&r), ENGINES * MANY_TASKS);
    CHECK_EQ(r.num_ok, ENGINES * MANY_TASKS);
    CHECK_MEM(rig_to, rig_from, ENGINES * MANY_TASKS);
    for (i = 1; i < ENGINES; i++)
        CHECK_OK(doca_dma_destroy(dma[i]));
    CHECK_OK(doca_buf_inventory_destroy(r.inventory));
    r.inventory = small;
    rig_close(&r);
}

static void device_is_usable_after_its_list_is_destroyed(void)
{
    struct doca_devinfo **list;
    struct doca_devinfo *info;
    struct doca_dev *dev;
    char listed[DOCA_DEVINFO_PCI_ADDR_SIZE], address[DOCA_DEVINFO_PCI_ADDR_SIZE];
    char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    uint64_t size;
    uint32_t n, len;
    uint8_t answer;

    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_OK(doca_devinfo_get_pci_addr_str(list[0], listed));
    CHECK_OK(doca_dev_open(list[0], &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    info = doca_dev_as_devinfo(dev);
    CHECK(info != NULL);
    CHECK_OK(doca_devinfo_get_pci_addr_str(info, address));
    CHECK_STR(address, listed);
    CHECK_OK(doca_devinfo_is_equal_pci_addr(info, address, &answer));
    CHECK_EQ(answer, 1);
    CHECK_OK(doca_devinfo_get_ibdev_name(info, name, sizeof(name)));
    CHECK_OK(doca_dma_cap_task_memcpy_is_supported(info));
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_size(info, &size));
    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_list_len(info, &len));
    CHECK(size > 0 && len > 0);
    CHECK_OK(doca_mmap_cap_is_export_pci_supported(info, &answer));
    CHECK_OK(doca_dev_close(dev));
}

typedef doca_error_t (*is_supported_t)(const struct doca_devinfo *devinfo);
typedef doca_error_t (*get_u8_t)(const struct doca_devinfo *devinfo, uint8_t *answer);
typedef doca_error_t (*get_u32_t)(const struct doca_devinfo *devinfo, uint32_t *answer);
typedef doca_error_t (*get_u64_t)(const struct doca_devinfo *devinfo, uint64_t *answer);

static void capability_calls_are_plain_functions(void)
{
    static const is_supported_t is_supported[] = { doca_dma_cap_task_memcpy_is_supported };
    static const get_u32_t get_u32[] = { doca_dma_cap_task_memcpy_get_max_buf_list_len };
    static const get_u64_t get_u64[] = { doca_dma_cap_task_memcpy_get_max_buf_size };
    static const get_u8_t get_u8[] = {
        doca_mmap_cap_is_export_pci_supported,
        doca_mmap_cap_is_create_from_export_pci_supported,
        doca_devinfo_cap_is_hotplug_manager_supported,
    };
    doca_error_t (*get_max_num_tasks)(struct doca_dma *, uint32_t *) =
        doca_dma_cap_get_max_num_tasks;
    struct rig r;
    struct doca_devinfo *info;
    size_t i;
    uint64_t u64;
    uint32_t u32;
    uint8_t u8;

    rig_build(&r, NULL, TASKS);
    info = doca_dev_as_devinfo(r.dev);
    CHECK_OK(is_supported[0](info));
    CHECK_OK(get_u32[0](info, &u32));
    CHECK_OK(get_u64[0](info, &u64));
    CHECK_OK(get_max_num_tasks(r.dma, &u32));
    for (i = 0; i < sizeof(get_u8) / sizeof(get_u8[0]); i++)
        CHECK_OK(get_u8[i](info, &u8));
    rig_close(&r);
}

static void polling_with_sleeps_completes_all_tasks(void)
{
    struct timespec nap = { .tv_sec = 0, .tv_nsec = 10000 };
    struct rig r;
    unsigned naps = 0, i;

    rig_open(&r, TASKS);
    r.frees_tasks = true;
    for (i = 0; i < TASKS; i++)
        rig_copy(&r, r.dma, i * LEN, LEN);
    while (r.num_ok < TASKS) {
        if (rig_progress(&r))
            continue;
        CHECK(naps++ < 1000);
        nanosleep(&nap, NULL);
    }
    CHECK_MEM(rig_to, rig_from, TASKS * LEN);
    rig_close(&r);
}

static void epoll_wakes_for_every_completion(void)
{
    struct rig r;
    struct epoll_event event = { .events = EPOLLIN | EPOLLET }; /* as in the vendor's samples */
    doca_notification_handle_t handle;
    unsigned i;
    int epoll = epoll_create1(EPOLL_CLOEXEC);

    CHECK(epoll >= 0);
    rig_open(&r, TASKS);
    r.frees_tasks = true;
    CHECK_OK(doca_pe_get_notification_handle(r.pe, &handle));
    CHECK_EQ(epoll_ctl(epoll, EPOLL_CTL_ADD, handle, &event), 0);
    for (i = 0; i < TASKS; i++)
        rig_copy(&r, r.dma, i * LEN, LEN);
    for (i = 0; r.num_ok < TASKS; i++) {
        CHECK(i <= TASKS);
        CHECK_OK(doca_pe_request_notification(r.pe));
        CHECK_EQ(epoll_wait(epoll, &event, 1, 5000), 1); /* real programs set no time limit */
        CHECK_OK(doca_pe_clear_notification(r.pe, 0));
        CHECK(rig_progress(&r)); /* one call per wake-up: remaining work must wake again */
    }
    CHECK_MEM(rig_to, rig_from, TASKS * LEN);
    CHECK_EQ(close(epoll), 0);
    rig_close(&r);
}

static void free_memrange(void *addr, size_t len, void *opaque)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF); /* the test itself calls free() */

    CHECK_EQ(len, 4096);
    free(addr);
    ++*(unsigned *)opaque;
    heap_trap_set(mode);
}

static void free_callback_is_called_once(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_mmap *mmap;
    unsigned num_frees = 0;
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    void *memory = malloc(4096);

    heap_trap_set(mode);
    CHECK(memory != NULL);
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, 4096));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_set_free_cb(mmap, free_memrange, &num_frees));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_mmap_stop(mmap));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_EQ(num_frees, 0);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_EQ(num_frees, 1);
    CHECK_OK(doca_dev_close(dev));
}

/* A context that is driven by its state changes: when it is running, the callback submits tasks;
 * when it is idle again, the callback destroys it. */
static void submit_or_destroy(struct rig *r, struct doca_ctx *ctx, enum doca_ctx_states next)
{
    unsigned i;

    if (next == DOCA_CTX_STATE_RUNNING) {
        for (i = 0; i < TASKS; i++)
            rig_copy(r, r->dma, i * LEN, LEN);
    } else if (next == DOCA_CTX_STATE_IDLE) {
        CHECK_PTR(ctx, r->ctx);
        CHECK_OK(doca_dma_destroy(r->dma));
        r->dma = NULL;
    }
}

static void stop_after_the_last_task(struct rig *r, struct doca_dma_task_memcpy *task)
{
    rig_release(task);
    if (r->num_ok == TASKS) {
        doca_error_t rc = doca_ctx_stop(r->ctx);

        CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_IN_PROGRESS);
    }
}

static void state_callback_may_submit_and_destroy(void)
{
    struct rig r;
    unsigned i;

    rig_build(&r, NULL, TASKS);
    r.on_state = submit_or_destroy;
    r.on_task = stop_after_the_last_task;
    CHECK_OK(doca_ctx_start(r.ctx));
    for (i = 0; r.dma != NULL; i++) {
        CHECK(i < 1000);
        rig_progress(&r);
    }
    CHECK_EQ(r.num_ok, TASKS);
    CHECK_MEM(rig_to, rig_from, TASKS * LEN);
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(program_may_declare_the_structures_itself, ""),
    CASE(destination_needs_no_set_permissions, "70"),
    CASE(task_may_have_no_buffers_until_submit, "195"),
    CASE(callback_submits_its_own_task_and_another, "194 195"),
    CASE(chained_buffers_are_released_through_the_head, "113"),
    CASE(objects_are_destroyed_without_a_stop, "65 135"),
    CASE(default_arena_holds_4098_mmaps_and_2050_buffers, ""),
    CASE(default_arena_holds_4096_tasks_in_each_of_several_contexts, "217"),
    CASE(device_is_usable_after_its_list_is_destroyed, "21 25"),
    CASE(capability_calls_are_plain_functions, ""),
    CASE(polling_with_sleeps_completes_all_tasks, "210"),
    CASE(epoll_wakes_for_every_completion, "228 229"),
    CASE(free_callback_is_called_once, "67"),
    CASE(state_callback_may_submit_and_destroy, "184 185"),
};

TEST_MAIN(cases)
