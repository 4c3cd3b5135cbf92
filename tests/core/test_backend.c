/* Test backends: registering and unregistering them, and which of their functions the core
 * calls. */
#include "doca_test.h"

#include <errno.h>

/* ---- "lazy": a device that completes every task at once without copying ---- */

struct lazy_queue {
    struct doca_core_queue queue;
    struct doca_task *first; /* newest first: order does not matter here */
    uint32_t depth;
};

static uint32_t num_devs;    /* number of devices that the backend lists */
static size_t queue_bytes;   /* bytes that the backend requests for a queue */
static doca_error_t opening; /* result of queue_opening */

static struct calls {
    unsigned dev_open, dev_close, reg, dereg, queue_opening, queue_close, flush;
    unsigned wrong; /* wrong calls of the core; a failed CHECK would leave the core's locks held */
    void *reg_addr;
    size_t reg_len;
    uint32_t reg_access, dereg_mkey, depth;
} calls;

static uint32_t lazy_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    uint32_t i;

    for (i = 0; i < num_devs && i < max; i++) {
        memset(&attrs[i], 0, sizeof(attrs[i]));
        snprintf(attrs[i].pci_addr, sizeof(attrs[i].pci_addr), "00b0:%02x:00.0", i & 0xff);
        strcpy(attrs[i].ibdev_name, "lazy");
        attrs[i].limits.has_dma = 1;
        attrs[i].limits.dma_max_buf_size = 64;
        attrs[i].limits.dma_max_buf_list_len = 1;
        attrs[i].limits.dma_max_num_tasks = 8;
    }
    return num_devs;
}

static size_t lazy_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine, uint32_t depth)
{
    (void)dev;
    (void)engine;
    (void)depth;
    return queue_bytes;
}

static doca_error_t lazy_post(struct doca_core_queue *queue, struct doca_task *task)
{
    struct lazy_queue *lazy = (struct lazy_queue *)queue;

    task->next = lazy->first;
    lazy->first = task;
    return DOCA_SUCCESS;
}

static struct doca_task *lazy_poll(struct doca_core_queue *queue)
{
    struct lazy_queue *lazy = (struct lazy_queue *)queue;
    struct doca_task *task = lazy->first;

    if (task != NULL)
        lazy->first = task->next;
    return task;
}

static doca_error_t lazy_queue_open(struct doca_core_queue *queue, enum doca_core_engine engine,
                                    uint32_t depth)
{
    struct lazy_queue *lazy = (struct lazy_queue *)queue;

    calls.wrong += (uintptr_t)queue % DOCA_CORE_LINE != 0 || engine != DOCA_CORE_ENGINE_DMA;
    calls.wrong += queue->dev == NULL || strcmp(queue->backend->name, "lazy") != 0;
    queue->post = lazy_post;
    queue->poll = lazy_poll;
    lazy->first = NULL;
    lazy->depth = depth;
    calls.depth = depth;
    return opening;
}

static void lazy_queue_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_task *task = ((struct lazy_queue *)queue)->first;

    calls.flush++;
    for (; task != NULL; task = task->next)
        task->status = (uint8_t)status;
}

static bool lazy_queue_ready(struct doca_core_queue *queue)
{
    return ((struct lazy_queue *)queue)->first != NULL;
}

static const struct doca_core_backend lazy = {
    .name = "lazy",
    .enumerate = lazy_enumerate,
    .queue_bytes = lazy_queue_bytes,
    .queue_open = lazy_queue_open,
    .queue_flush = lazy_queue_flush,
    .queue_ready = lazy_queue_ready,
};

/* ---- the optional functions of a backend ---- */

static doca_error_t full_dev_open(struct doca_dev *dev)
{
    dev->backend_data = &calls;
    calls.dev_open++;
    return DOCA_SUCCESS;
}

static void full_dev_close(struct doca_dev *dev)
{
    calls.wrong += dev->backend_data != &calls;
    calls.dev_close++;
}

static doca_error_t full_reg(struct doca_dev *dev, void *addr, size_t len, uint32_t access,
                             uint32_t *mkey)
{
    calls.wrong += dev->backend_data != &calls;
    *mkey = 0x1700 + ++calls.reg;
    calls.reg_addr = addr;
    calls.reg_len = len;
    calls.reg_access = access;
    return DOCA_SUCCESS;
}

static void full_dereg(struct doca_dev *dev, uint32_t mkey)
{
    calls.wrong += dev->backend_data != &calls;
    calls.dereg++;
    calls.dereg_mkey = mkey;
}

static doca_error_t full_queue_opening(struct doca_core_queue *queue)
{
    (void)queue;
    calls.queue_opening++;
    return calls.queue_opening < 3 ? DOCA_ERROR_IN_PROGRESS : DOCA_SUCCESS;
}

static void full_queue_close(struct doca_core_queue *queue)
{
    calls.wrong += ((struct lazy_queue *)queue)->first != NULL;
    calls.queue_close++;
}

static struct doca_core_backend full_table(void)
{
    struct doca_core_backend table = lazy;

    table.dev_open = full_dev_open;
    table.dev_close = full_dev_close;
    table.reg = full_reg;
    table.dereg = full_dereg;
    table.queue_opening = full_queue_opening;
    table.queue_close = full_queue_close;
    return table;
}

/* ---- the functions of a backend that exports and imports memory ---- */

static struct shares {
    unsigned exports, unexports, imports, unimports;
    uint32_t unexport_mkey, unimport_mkey, access;
    bool was_rdma;
    doca_error_t answer;
    enum doca_core_item reason; /* item that the backend logs; NONE: it logs nothing */
} shares;

static doca_error_t share_answer(const char *function)
{
    return shares.reason == DOCA_CORE_ITEM_NONE
               ? shares.answer
               : doca_core_backend_fail(shares.answer, shares.reason, function, NULL, 7);
}

static doca_error_t share_export(struct doca_dev *dev, uint32_t mkey, uint32_t own, bool is_rdma,
                                 unsigned char blob[DOCA_CORE_EXPORT_BYTES])
{
    unsigned i;

    (void)dev;
    calls.wrong += own != 0;
    for (i = 0; i < DOCA_CORE_EXPORT_BYTES; i++)
        calls.wrong += blob[i] != 0;
    if (shares.answer != DOCA_SUCCESS)
        return share_answer("doca_mmap_export_pci");
    shares.exports++;
    memcpy(blob, &mkey, sizeof(mkey));
    blob[DOCA_CORE_EXPORT_BYTES - 1] = is_rdma ? 2 : 1;
    return DOCA_SUCCESS;
}

static void share_unexport(struct doca_dev *dev, uint32_t mkey, uint32_t own, bool is_rdma)
{
    (void)dev;
    calls.wrong += own != 0 || calls.dereg != 0; /* must precede dereg */
    shares.unexports++;
    shares.unexport_mkey = mkey;
    shares.was_rdma = is_rdma;
}

static doca_error_t share_import(struct doca_dev *dev, const struct doca_core_range *range,
                                 bool is_rdma, const unsigned char blob[DOCA_CORE_EXPORT_BYTES],
                                 uint32_t *mkey, uint32_t *own)
{
    (void)dev;
    calls.wrong += range->addr != calls.reg_addr || range->len != calls.reg_len;
    calls.wrong += range->dmabuf_fd != -1;
    calls.wrong += blob[DOCA_CORE_EXPORT_BYTES - 1] != (is_rdma ? 2 : 1);
    if (shares.answer != DOCA_SUCCESS)
        return share_answer("doca_mmap_create_from_export");
    shares.imports++;
    shares.access = range->access;
    *own = 0x2000;
    memcpy(mkey, blob, sizeof(*mkey));
    *mkey += 0x100;
    return DOCA_SUCCESS;
}

static void share_unimport(struct doca_dev *dev, uint32_t mkey, uint32_t own)
{
    (void)dev;
    calls.wrong += own != 0x2000;
    shares.unimports++;
    shares.unimport_mkey = mkey;
}

static uint32_t sharing_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    uint32_t n = lazy_enumerate(attrs, max), i;

    for (i = 0; i < n && i < max; i++) {
        attrs[i].limits.has_export_pci = attrs[i].limits.has_import_pci = 1;
        attrs[i].limits.has_rdma = 1;
    }
    return n;
}

static struct doca_core_backend sharing_table(void)
{
    struct doca_core_backend table = full_table();

    table.enumerate = sharing_enumerate;
    table.mem_export = share_export;
    table.mem_unexport = share_unexport;
    table.mem_import = share_import;
    table.mem_unimport = share_unimport;
    memset(&shares, 0, sizeof(shares));
    return table;
}

/* ---- helpers ---- */

static void register_lazy(const struct doca_core_backend *table, uint32_t devs)
{
    num_devs = devs;
    queue_bytes = sizeof(struct lazy_queue);
    opening = DOCA_SUCCESS;
    memset(&calls, 0, sizeof(calls));
    CHECK_OK(doca_core_backend_register(table));
}

static void unregister_lazy(void)
{
    CHECK_OK(doca_core_backend_unregister("lazy"));
}

/* Count the devices with this name in a new device list. Open the last of them if `dev` is not
 * NULL. */
static uint32_t count_devices(const char *ibdev_name, struct doca_dev **dev)
{
    struct doca_devinfo **list;
    char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    uint32_t n, i, found = 0;

    CHECK_OK(doca_devinfo_create_list(&list, &n));
    for (i = 0; i < n; i++) {
        CHECK_OK(doca_devinfo_get_ibdev_name(list[i], name, sizeof(name)));
        if (strcmp(name, ibdev_name) != 0)
            continue;
        found++;
        if (dev != NULL)
            CHECK_OK(doca_dev_open(list[i], dev));
    }
    CHECK_OK(doca_devinfo_destroy_list(list));
    return found;
}

static struct doca_dev *open_lazy(void)
{
    struct doca_dev *dev = NULL;

    CHECK_EQ(count_devices("lazy", &dev), 1);
    return dev;
}

static unsigned num_done, num_failed;

static void on_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
                    union doca_data ctx_data)
{
    (void)task_data;
    (void)ctx_data;
    CHECK_OK(doca_task_get_status(doca_dma_task_memcpy_as_task(task)));
    num_done++;
}

static void on_failed(struct doca_dma_task_memcpy *task, union doca_data task_data,
                      union doca_data ctx_data)
{
    (void)task_data;
    (void)ctx_data;
    CHECK_RC(doca_task_get_status(doca_dma_task_memcpy_as_task(task)), DOCA_ERROR_SHUTDOWN);
    num_failed++;
}

/* On a device of any backend, complete one task and flush another one. */
static void run_two_tasks(struct doca_dev *dev)
{
    static char memory[128];
    struct doca_mmap *mmap;
    struct doca_buf_inventory *inventory;
    struct doca_buf *src, *dst;
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_ctx *ctx;
    struct doca_dma_task_memcpy *one, *two;
    enum doca_ctx_states state = DOCA_CTX_STATE_IDLE;
    union doca_data none = { 0 };
    doca_error_t rc;

    num_done = num_failed = 0;
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    CHECK_OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
                                                 DOCA_ACCESS_FLAG_PCI_READ_ONLY));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_buf_inventory_create(2, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory, 64, &src));
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(inventory, mmap, memory + 64, 64, &dst));
    CHECK_OK(doca_pe_create(&pe));
    CHECK_OK(doca_dma_create(dev, &dma));
    ctx = doca_dma_as_ctx(dma);
    CHECK_OK(doca_dma_task_memcpy_set_conf(dma, on_done, on_failed, 2));
    CHECK_OK(doca_pe_connect_ctx(pe, ctx));
    rc = doca_ctx_start(ctx);
    CHECK_RC(rc, opening);
    while (rc == DOCA_ERROR_IN_PROGRESS && state != DOCA_CTX_STATE_RUNNING) {
        (void)doca_pe_progress(pe);
        CHECK_OK(doca_ctx_get_state(ctx, &state));
    }
    CHECK_OK(doca_dma_task_memcpy_alloc_init(dma, src, dst, none, &one));
    CHECK_OK(doca_dma_task_memcpy_alloc_init(dma, src, dst, none, &two));
    CHECK_OK(doca_task_submit(doca_dma_task_memcpy_as_task(one)));
    while (num_done == 0)
        (void)doca_pe_progress(pe);
    CHECK_OK(doca_buf_reset_data_len(dst));
    CHECK_OK(doca_task_submit(doca_dma_task_memcpy_as_task(two)));
    CHECK_RC(doca_ctx_stop(ctx), DOCA_ERROR_IN_PROGRESS);
    while (num_failed == 0)
        (void)doca_pe_progress(pe);
    doca_task_free(doca_dma_task_memcpy_as_task(one));
    doca_task_free(doca_dma_task_memcpy_as_task(two));
    do {
        (void)doca_pe_progress(pe);
        CHECK_OK(doca_ctx_get_state(ctx, &state));
    } while (state != DOCA_CTX_STATE_IDLE);
    CHECK_EQ(num_done, 1);
    CHECK_EQ(num_failed, 1);

    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_pe_destroy(pe));
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_mmap_stop(mmap));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_PTR(calls.reg_addr != NULL ? calls.reg_addr : memory, memory);
    CHECK_EQ(calls.wrong, 0);
}

/* ---- registering and unregistering ---- */

static void forget_key(struct doca_dev *dev, uint32_t mkey)
{
    (void)dev;
    (void)mkey;
}

/* A backend that wraps the software device calls the functions of its table, also before the
 * program has created a device list. */
static void software_table_works_before_the_first_list(void)
{
    struct doca_core_dev_attr attrs[2];

    memset(attrs, 0, sizeof(attrs));
    CHECK(doca_core_sw_backend()->enumerate(attrs, 2) >= 2);
    CHECK_EQ(attrs[0].limits.has_dma, 1);
    CHECK(attrs[0].limits.dma_max_buf_size > 0 && attrs[0].pci_addr[0] != '\0');
}

static doca_error_t start_no_array(struct doca_dev *dev, const struct doca_buf_arr *arr,
                                   void **handle)
{
    (void)dev;
    (void)arr;
    (void)handle;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static doca_error_t read_no_clock(struct doca_dev *dev, enum doca_core_nic_clock clock,
                                  const char *function, uint64_t *ns)
{
    (void)dev;
    (void)clock;
    (void)function;
    (void)ns;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static void incomplete_table_is_invalid(void)
{
    struct doca_core_backend tables[13];
    size_t i;

    num_devs = 1;
    for (i = 0; i < 13; i++)
        tables[i] = i < 6 ? lazy : sharing_table();
    tables[0].name = NULL;
    tables[1].enumerate = NULL;
    tables[2].queue_bytes = NULL;
    tables[3].queue_open = NULL;
    tables[4].queue_flush = NULL;
    tables[5].queue_ready = NULL;
    tables[6].mem_export = NULL;
    tables[7].mem_unexport = NULL;
    tables[8].mem_import = NULL;
    tables[9].mem_unimport = NULL;
    tables[10].dm_free = forget_key; /* one of three functions that must be set together */
    tables[11].arr_start = start_no_array; /* one of two functions that must be set together */
    tables[12].clock_read = read_no_clock; /* one of two functions that must be set together */
    for (i = 0; i < 13; i++) {
        CHECK_RC(doca_core_backend_register(&tables[i]), DOCA_ERROR_INVALID_VALUE);
        if (tables[i].name != NULL)
            CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BACKEND_INCOMPLETE);
    }
    CHECK_RC(doca_core_backend_register(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(count_devices("lazy", NULL), 0);
    CHECK_RC(doca_core_backend_unregister("lazy"), DOCA_ERROR_NOT_FOUND);
}

static void backend_name_is_unique(void)
{
    struct doca_core_backend impostor = lazy;

    register_lazy(&lazy, 1);
    CHECK_RC(doca_core_backend_register(&lazy), DOCA_ERROR_ALREADY_EXIST);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BACKEND_EXISTS);
    impostor.name = "sw";
    CHECK_RC(doca_core_backend_register(&impostor), DOCA_ERROR_ALREADY_EXIST);
    CHECK_EQ(count_devices("lazy", NULL), 1);
    unregister_lazy();
    register_lazy(&lazy, 1); /* free again */
    unregister_lazy();
}

static void number_of_backends_is_limited(void)
{
    static const char *const names[] = { "a", "b", "c", "d", "e", "f", "g", "h" };
    struct doca_core_backend table = lazy;
    uint32_t i, room = DOCA_CORE_MAX_BACKENDS - 1; /* one is the software device */

    if (room >= sizeof(names) / sizeof(names[0]))
        test_skip("DOCA_CORE_MAX_BACKENDS is larger than this case expects");
    num_devs = 1;
    for (i = 0; i < room; i++) {
        table.name = names[i];
        CHECK_OK(doca_core_backend_register(&table));
    }
    table.name = names[room];
    CHECK_RC(doca_core_backend_register(&table), DOCA_ERROR_FULL);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BACKEND_TOO_MANY);
    CHECK_EQ(count_devices("lazy", NULL), room);
    for (i = 0; i < room; i++)
        CHECK_OK(doca_core_backend_unregister(names[i]));
    CHECK_EQ(count_devices("lazy", NULL), 0);
}

static void unregister_needs_a_known_name(void)
{
    CHECK_RC(doca_core_backend_unregister(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_backend_unregister("lazy"), DOCA_ERROR_NOT_FOUND);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BACKEND_UNKNOWN);
    CHECK_RC(doca_core_backend_unregister(""), DOCA_ERROR_NOT_FOUND);
    CHECK_RC(doca_core_backend_unregister("sw"), DOCA_ERROR_NOT_PERMITTED);
    CHECK_EQ(count_devices("mlx5_0", NULL), 2); /* one device on each side */
}

static void devices_are_listed_while_their_backend_is_registered(void)
{
    CHECK_EQ(count_devices("lazy", NULL), 0);
    register_lazy(&lazy, 3);
    CHECK_EQ(count_devices("lazy", NULL), 3);
    CHECK_EQ(count_devices("mlx5_0", NULL), 2); /* the software devices are listed as well */
    num_devs = 0;
    CHECK_EQ(count_devices("lazy", NULL), 0);
    num_devs = 100;
    CHECK_EQ(count_devices("lazy", NULL), 100);
    num_devs = 1;
    unregister_lazy();
    CHECK_EQ(count_devices("lazy", NULL), 0);
}

static uint32_t bare_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    if (max > 0) {
        memset(&attrs[0], 0, sizeof(attrs[0]));
        attrs[0].has_no_vhca_id = 1;
    }
    return 1;
}

/* The getters fail for properties that a backend does not know. */
static void getters_fail_for_unknown_properties(void)
{
    struct doca_core_backend bare = lazy;
    struct doca_devinfo **list;
    char addr[DOCA_DEVINFO_PCI_ADDR_SIZE] = "as before";
    uint8_t is_equal = 7;
    uint16_t vhca_id = 7;
    uint32_t n = 0;

    bare.name = "bare";
    bare.enumerate = bare_enumerate;
    CHECK_OK(doca_core_backend_register(&bare));
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK(n > 0);
    CHECK_RC(doca_devinfo_get_pci_addr_str(list[n - 1], addr), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_STR(addr, "as before");
    CHECK_OK(doca_devinfo_is_equal_pci_addr(list[n - 1], "0000:00:00.0", &is_equal));
    CHECK_EQ(is_equal, 0);
    CHECK_RC(doca_devinfo_get_vhca_id(list[n - 1], &vhca_id), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEV_NO_VHCA_ID);
    CHECK_EQ(vhca_id, 7);
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_core_backend_unregister("bare"));
}

static void list_needs_no_software_devices(void)
{
    static const struct doca_core_dev_attr none;

    CHECK_OK(doca_core_sw_set_devices(&none, 0));
    register_lazy(&lazy, 2);
    CHECK_EQ(count_devices("lazy", NULL), 2);
    unregister_lazy();
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
}

static void backend_table_is_copied(void)
{
    struct doca_core_backend table = full_table();
    struct doca_dev *dev;

    register_lazy(&table, 1);
    memset(&table, 0, sizeof(table));
    dev = open_lazy();
    CHECK_OK(doca_dev_close(dev));
    CHECK_EQ(calls.dev_open, 1);
    CHECK_EQ(calls.dev_close, 1);
    CHECK_EQ(calls.wrong, 0);
    unregister_lazy();
}

static void backend_with_an_open_device_cannot_be_unregistered(void)
{
    struct doca_dev *dev;

    register_lazy(&lazy, 1);
    dev = open_lazy();
    CHECK_RC(doca_core_backend_unregister("lazy"), DOCA_ERROR_IN_USE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BACKEND_BUSY);
    CHECK_PTR(open_lazy(), dev);
    CHECK_OK(doca_dev_close(dev));
    CHECK_RC(doca_core_backend_unregister("lazy"), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_dev_close(dev));
    unregister_lazy();
}

static void devinfo_of_an_unregistered_backend_cannot_be_opened(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev = NULL;
    char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    uint32_t n, i;

    register_lazy(&lazy, 1);
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    unregister_lazy();
    for (i = 0; i < n; i++) {
        CHECK_OK(doca_devinfo_get_ibdev_name(list[i], name, sizeof(name))); /* a copy */
        if (strcmp(name, "lazy") == 0)
            CHECK_RC(doca_dev_open(list[i], &dev), DOCA_ERROR_NOT_CONNECTED);
    }
    CHECK_PTR(dev, NULL);
    CHECK_OK(doca_devinfo_destroy_list(list));
}

/* After a backend was unregistered, another backend may take its place in the table. It must not
 * open a device that it has never listed. */
static void devinfo_is_not_opened_by_a_later_backend(void)
{
    struct doca_core_backend successor = full_table();
    struct doca_devinfo **list;
    struct doca_dev *dev = NULL;
    doca_error_t answer = DOCA_SUCCESS;
    char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    uint32_t n, i;

    register_lazy(&lazy, 1);
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    unregister_lazy();
    successor.name = "successor";
    CHECK_OK(doca_core_backend_register(&successor));
    for (i = 0; i < n; i++) {
        CHECK_OK(doca_devinfo_get_ibdev_name(list[i], name, sizeof(name)));
        if (strcmp(name, "lazy") == 0)
            answer = doca_dev_open(list[i], &dev);
    }
    if (dev != NULL)
        CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_core_backend_unregister("successor"));
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_RC(answer, DOCA_ERROR_NOT_CONNECTED);
    CHECK_EQ(calls.dev_open, 0);
}

/* A devinfo of the unregistered backend does not match an open device of the later backend, even if
 * that device has the same address. */
static void devinfo_does_not_find_the_device_of_a_later_backend(void)
{
    struct doca_core_backend successor = full_table();
    struct doca_devinfo **list;
    struct doca_dev *open_dev = NULL, *dev = NULL;
    doca_error_t answer = DOCA_SUCCESS;
    char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    uint32_t n, i;

    register_lazy(&lazy, 1);
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    unregister_lazy();
    successor.name = "successor";
    CHECK_OK(doca_core_backend_register(&successor));
    CHECK_EQ(count_devices("lazy", &open_dev), 1);
    for (i = 0; i < n; i++) {
        CHECK_OK(doca_devinfo_get_ibdev_name(list[i], name, sizeof(name)));
        if (strcmp(name, "lazy") == 0)
            answer = doca_dev_open(list[i], &dev);
    }
    CHECK_RC(answer, DOCA_ERROR_NOT_CONNECTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_BACKEND_UNKNOWN);
    CHECK_PTR(dev, NULL);
    CHECK_OK(doca_dev_close(open_dev)); /* opened once, so this closes the device */
    CHECK_EQ(calls.dev_close, 1);
    CHECK_OK(doca_core_backend_unregister("successor"));
    CHECK_OK(doca_devinfo_destroy_list(list));
}

static uint32_t devs_at_second_look; /* devices that the second call for one list finds */

static uint32_t changing_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    uint32_t seen = lazy_enumerate(attrs, max);

    num_devs = devs_at_second_look;
    return seen;
}

/* Devices are unplugged while the library creates a list: the list has the devices that remain. */
static void list_is_valid_when_devices_disappear(void)
{
    static const struct doca_core_dev_attr none;
    struct doca_core_backend table = lazy;
    struct doca_devinfo **list = NULL;
    doca_error_t some, all;
    uint32_t n = 0;

    table.enumerate = changing_enumerate;
    CHECK_OK(doca_core_sw_set_devices(&none, 0));
    register_lazy(&table, 3);
    devs_at_second_look = 1;
    some = doca_devinfo_create_list(&list, &n);
    if (some == DOCA_SUCCESS)
        CHECK_OK(doca_devinfo_destroy_list(list));
    num_devs = 3;
    devs_at_second_look = 0;
    all = doca_devinfo_create_list(&list, &n);
    unregister_lazy();
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
    CHECK_OK(some);
    CHECK_RC(all, DOCA_ERROR_NOT_FOUND);
    CHECK_EQ(n, 1); /* number of the first list */
}

/* A device is plugged in while the library creates a list. The list has room for the devices that
 * the library has counted before. */
static void list_is_valid_when_devices_appear(void)
{
    struct doca_core_backend table = lazy;
    struct doca_devinfo **list = NULL;
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    uint32_t n = 0, i, more;

    table.enumerate = changing_enumerate;
    register_lazy(&table, 0);
    for (more = 1; more < 20; more++) {
        num_devs = 3;
        devs_at_second_look = 3 + more;
        CHECK_OK(doca_devinfo_create_list(&list, &n));
        CHECK_EQ(n, DOCA_CORE_SW_DEFAULT_DEVS + 3);
        CHECK_OK(doca_core_arena_audit(doca_core_arena_bound()));
        for (i = 0; i < n; i++)
            CHECK_OK(doca_devinfo_get_pci_addr_str(list[i], pci_addr));
        CHECK_OK(doca_devinfo_destroy_list(list));
    }
    unregister_lazy();
}

/* ---- functions that the core calls ---- */

static void backend_without_optional_functions_works(void)
{
    struct doca_dev *dev;

    register_lazy(&lazy, 1);
    dev = open_lazy();
    run_two_tasks(dev);
    CHECK_EQ(calls.depth, 2);
    CHECK_EQ(calls.flush, 1);
    CHECK_OK(doca_dev_close(dev));
    unregister_lazy();
}

static void optional_functions_are_called_in_pairs(void)
{
    struct doca_core_backend table = full_table();
    struct doca_dev *dev;

    register_lazy(&table, 1);
    CHECK_EQ(calls.dev_open, 0);
    dev = open_lazy();
    CHECK_PTR(open_lazy(), dev);
    CHECK_EQ(calls.dev_open, 1); /* opening it again only counts */
    run_two_tasks(dev);
    CHECK_EQ(calls.reg, 1);
    CHECK_EQ(calls.reg_len, 128);
    CHECK_EQ(calls.reg_access, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_ONLY);
    CHECK_EQ(calls.dereg, 1);
    CHECK_EQ(calls.dereg_mkey, 0x1701);
    CHECK_EQ(calls.queue_opening, 0); /* queue_open has completed */
    CHECK_EQ(calls.queue_close, 1);
    CHECK_EQ(calls.flush, 1);
    CHECK_OK(doca_dev_close(dev));
    CHECK_EQ(calls.dev_close, 0);
    CHECK_OK(doca_dev_close(dev));
    CHECK_EQ(calls.dev_close, 1);
    unregister_lazy();
}

static void slow_queue_opens_in_progress(void)
{
    struct doca_core_backend table = full_table();
    struct doca_dev *dev;

    register_lazy(&table, 1);
    opening = DOCA_ERROR_IN_PROGRESS;
    dev = open_lazy();
    run_two_tasks(dev);
    CHECK_EQ(calls.queue_opening, 3);
    CHECK_EQ(calls.queue_close, 1);

    table.queue_opening = NULL; /* the core then takes the queue as open */
    CHECK_OK(doca_dev_close(dev));
    unregister_lazy();
    register_lazy(&table, 1);
    opening = DOCA_ERROR_IN_PROGRESS;
    dev = open_lazy();
    run_two_tasks(dev);
    CHECK_OK(doca_dev_close(dev));
    unregister_lazy();
}

static void context_takes_queue_bytes_from_the_arena(void)
{
    struct doca_dev *dev;
    size_t bytes = 0;
    size_t queue_lines = (sizeof(struct lazy_queue) + DOCA_CORE_LINE - 1) / DOCA_CORE_LINE;

    register_lazy(&lazy, 1);
    dev = open_lazy();
    CHECK_OK(doca_core_bytes_dma(dev, 8, &bytes));
    CHECK_EQ(bytes, DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_dma)) +
                        DOCA_CORE_BYTES_BLOCK(queue_lines * DOCA_CORE_LINE +
                                              TEST_STOCKED(8) * TEST_TASK_BYTES));
    CHECK_OK(doca_dev_close(dev));
    unregister_lazy();
}

/* Make an idle context of 8 tasks on `dev`, with a new PE. */
static struct doca_dma *connect_dma(struct doca_dev *dev, struct doca_pe **pe)
{
    struct doca_dma *dma;

    CHECK_OK(doca_pe_create(pe));
    CHECK_OK(doca_dma_create(dev, &dma));
    CHECK_OK(doca_dma_task_memcpy_set_conf(dma, on_done, on_failed, 8));
    CHECK_OK(doca_pe_connect_ctx(*pe, doca_dma_as_ctx(dma)));
    return dma;
}

static void check_impossible_queues(bool faults)
{
    static const struct {
        size_t bytes;
        doca_error_t want;
        enum doca_core_item item;
    } queues[] = {
        { 0, DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_BACKEND_QUEUE },
        { 1, DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_BACKEND_QUEUE },
        { sizeof(struct doca_core_queue) - 1, DOCA_ERROR_INITIALIZATION,
          DOCA_CORE_ITEM_BACKEND_QUEUE },
        { SIZE_MAX, DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_ARENA_TOO_LARGE },
        { SIZE_MAX - 62, DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_ARENA_TOO_LARGE },
        { SIZE_MAX - 63, DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_ARENA_TOO_LARGE },
        { SIZE_MAX - 64 * 8, DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_ARENA_TOO_LARGE },
#if SIZE_MAX > UINT32_MAX /* 32 bits: no overflow, only the arena is too small */
        { SIZE_MAX / 2 + 1, DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_ARENA_TOO_LARGE },
#endif
    };
    struct doca_dev *dev;
    struct doca_pe *pe;
    struct doca_dma *dma;
    enum doca_ctx_states state;
    size_t i, used_before, used, bytes = 77;

    CHECK_OK(doca_core_fault_set(faults ? "" : NULL));
    register_lazy(&lazy, 1);
    dev = open_lazy();
    dma = connect_dma(dev, &pe);
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &used_before, NULL, NULL));
    for (i = 0; i < sizeof(queues) / sizeof(queues[0]); i++) {
        queue_bytes = queues[i].bytes;
        CHECK_RC(doca_ctx_start(doca_dma_as_ctx(dma)), queues[i].want);
        CHECK_EQ(doca_core_last_item(), queues[i].item);
        CHECK_OK(doca_ctx_get_state(doca_dma_as_ctx(dma), &state));
        CHECK_EQ(state, DOCA_CTX_STATE_IDLE);
        CHECK_EQ(calls.depth, 0); /* no queue was opened */
        CHECK_EQ(doca_pe_progress(pe), 0);
        CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &used, NULL, NULL));
        CHECK_EQ(used, used_before);
        CHECK_RC(doca_core_bytes_dma(dev, 8, &bytes), queues[i].want);
        CHECK_EQ(bytes, 77);
    }
    queue_bytes = sizeof(struct lazy_queue);
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_pe_destroy(pe));
    CHECK_OK(doca_dev_close(dev));
    unregister_lazy();
    CHECK_OK(doca_core_fault_set(NULL));
}

static void impossible_queue_is_not_started(void)
{
    check_impossible_queues(false);
    check_impossible_queues(true); /* through the fault backend */
}

static void tasks_begin_on_a_cache_line_after_any_queue(void)
{
    struct doca_dma_task_memcpy *tasks[8];
    struct doca_dev *dev;
    struct doca_pe *pe;
    struct doca_dma *dma;
    size_t more, i;

    register_lazy(&lazy, 1);
    dev = open_lazy();
    dma = connect_dma(dev, &pe);
    for (more = 0; more <= DOCA_CORE_LINE; more++) {
        queue_bytes = sizeof(struct lazy_queue) + more;
        CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
        for (i = 0; i < 8; i++) {
            CHECK_OK(doca_dma_task_memcpy_alloc_init(dma, NULL, NULL, (union doca_data){ 0 },
                                                     &tasks[i]));
            CHECK_EQ((uintptr_t)OBJECT(tasks[i]) % DOCA_CORE_LINE, 0);
            CHECK((unsigned char *)OBJECT(tasks[i]) >=
                  (unsigned char *)OBJECT(doca_dma_as_ctx(dma))->queue + queue_bytes);
        }
        for (i = 0; i < 8; i++)
            doca_task_free(doca_dma_task_memcpy_as_task(tasks[i]));
        CHECK_OK(doca_ctx_stop(doca_dma_as_ctx(dma)));
    }
    CHECK_EQ(calls.wrong, 0);
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_pe_destroy(pe));
    CHECK_OK(doca_dev_close(dev));
    unregister_lazy();
}

static void software_table_can_be_wrapped(void)
{
    const struct doca_core_backend *sw = doca_core_sw_backend();
    struct doca_core_backend wrapper;
    struct doca_dev *dev = NULL;
    struct doca_core_dev_attr attrs[4];

    CHECK(sw != NULL);
    CHECK_STR(sw->name, "sw");
    CHECK(sw->enumerate != NULL && sw->queue_bytes != NULL && sw->queue_open != NULL);
    CHECK(sw->queue_flush != NULL && sw->queue_ready != NULL);
    CHECK_EQ(sw->enumerate(attrs, 4), DOCA_CORE_SW_DEFAULT_DEVS);
    CHECK_STR(attrs[1].pci_addr, "0000:03:00.1");

    wrapper = *sw;
    wrapper.name = "wrapper";
    wrapper.enumerate = lazy_enumerate;
    num_devs = 1;
    opening = DOCA_SUCCESS;
    memset(&calls, 0, sizeof(calls));
    CHECK_OK(doca_core_backend_register(&wrapper));
    CHECK_EQ(count_devices("lazy", &dev), 1);
    run_two_tasks(dev);
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_core_backend_unregister("wrapper"));
}

/* ---- exported and imported memory ---- */

static char shared_memory[256];

static struct doca_mmap *share_memory(struct doca_dev *dev, uint32_t access)
{
    struct doca_mmap *mmap;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, shared_memory, sizeof(shared_memory)));
    CHECK_OK(doca_mmap_set_permissions(mmap, access));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_start(mmap));
    return mmap;
}

/* The backend makes one export of each kind, however often the program exports. The exports end
 * before the memory key does. */
static void backend_makes_the_exports(void)
{
    const struct doca_core_backend table = sharing_table();
    const void *pci, *rdma, *again;
    struct doca_mmap *mmap;
    struct doca_dev *dev;
    size_t len;

    register_lazy(&table, 1);
    dev = open_lazy();
    mmap = share_memory(dev, DOCA_ACCESS_FLAG_PCI_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ);
    CHECK_OK(doca_mmap_export_pci(mmap, dev, &pci, &len));
    CHECK_OK(doca_mmap_export_pci(mmap, dev, &again, &len));
    CHECK_PTR(pci, again);
    CHECK_EQ(shares.exports, 1);
    shares.answer = DOCA_ERROR_DRIVER;
    CHECK_RC(doca_mmap_export_rdma(mmap, dev, &rdma, &len), DOCA_ERROR_DRIVER);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BACKEND_REFUSED);
    shares.reason = DOCA_CORE_ITEM_MLX5_COMMAND; /* replaces BACKEND_REFUSED */
    CHECK_RC(doca_mmap_export_rdma(mmap, dev, &rdma, &len), DOCA_ERROR_DRIVER);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_COMMAND);
    shares.reason = DOCA_CORE_ITEM_NONE;
    CHECK_RC(doca_mmap_export_rdma(mmap, dev, &rdma, &len), DOCA_ERROR_DRIVER);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_BACKEND_REFUSED);
    shares.answer = DOCA_SUCCESS;
    CHECK_OK(doca_mmap_export_rdma(mmap, dev, &rdma, &len));
    CHECK_EQ(shares.exports, 2);
    CHECK_OK(doca_mmap_stop(mmap));
    CHECK_EQ(shares.unexports, 2);
    CHECK_EQ(shares.unexport_mkey, 0x1701);
    CHECK(!shares.was_rdma); /* the PCI export ends last */
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_EQ(shares.unexports, 2);
    CHECK_OK(doca_dev_close(dev));
    CHECK_EQ(calls.wrong, 0);
    unregister_lazy();
}

static void backend_makes_the_imports(void)
{
    const struct doca_core_backend table = sharing_table();
    struct doca_mmap *mmap, *import;
    struct doca_buf_inventory *inventory;
    struct doca_buf *buf;
    struct doca_dev *dev;
    const void *desc;
    size_t len;

    register_lazy(&table, 1);
    dev = open_lazy();
    mmap = share_memory(dev, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
    CHECK_OK(doca_mmap_export_pci(mmap, dev, &desc, &len));
    shares.answer = DOCA_ERROR_CONNECTION_RESET;
    CHECK_RC(doca_mmap_create_from_export(NULL, desc, len, dev, &import),
             DOCA_ERROR_CONNECTION_RESET);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BACKEND_REFUSED);
    shares.reason = DOCA_CORE_ITEM_MLX5_COMMAND;
    CHECK_RC(doca_mmap_create_from_export(NULL, desc, len, dev, &import),
             DOCA_ERROR_CONNECTION_RESET);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_COMMAND);
    shares.answer = DOCA_SUCCESS;
    CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, dev, &import));
    CHECK_EQ(shares.imports, 1);
    CHECK_EQ(shares.access, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY);
    CHECK_OK(doca_mmap_stop(mmap)); /* does not change the imports of other processes */
    CHECK_EQ(shares.unimports, 0);
    CHECK_OK(doca_buf_inventory_create(1, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, import, shared_memory, 16, &buf));
    CHECK_RC(doca_mmap_destroy(import), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_mmap_destroy(import));
    CHECK_EQ(shares.unimports, 1);
    CHECK_EQ(shares.unimport_mkey, 0x1801);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(dev));
    CHECK_EQ(calls.wrong, 0);
    unregister_lazy();
}

/* A sync event cannot have its value in an import: the addresses are those of the exporter, and the
 * same addresses of this process are other memory. */
static void sync_event_is_not_created_in_an_import(void)
{
    const struct doca_core_backend table = sharing_table();
    struct doca_sync_event *event;
    struct doca_mmap *mmap, *import;
    struct doca_buf_inventory *inventory;
    struct doca_buf *buf;
    struct doca_dev *dev;
    const void *desc;
    size_t len;

    register_lazy(&table, 1);
    dev = open_lazy();
    mmap = share_memory(dev, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
    CHECK_OK(doca_mmap_export_pci(mmap, dev, &desc, &len));
    CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, dev, &import));
    CHECK_OK(doca_buf_inventory_create(1, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, import, shared_memory, 8, &buf));
    CHECK_OK(doca_sync_event_create(&event));
    CHECK_RC(doca_sync_event_set_doca_buf(event, buf), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EVENT_BUF_FAR);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_mmap_destroy(import));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(dev));
    unregister_lazy();
}

static struct doca_dev *open_software_device(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t n;

    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_OK(doca_dev_open(list[0], &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_STR(dev->backend->name, "sw");
    return dev;
}

/* Only the backend that exported memory can import it: the software device cannot import an export
 * of another backend, and the other way round. */
static void export_is_imported_by_its_own_backend_only(void)
{
    const struct doca_core_backend table = sharing_table();
    struct doca_mmap *mmap[2], *import = NULL;
    struct doca_dev *dev, *sw;
    const void *desc[2];
    size_t len[2];

    register_lazy(&table, 1);
    dev = open_lazy();
    sw = open_software_device();
    mmap[0] = share_memory(dev, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
    mmap[1] = share_memory(sw, DOCA_ACCESS_FLAG_PCI_READ_WRITE);
    CHECK_OK(doca_mmap_export_pci(mmap[0], dev, &desc[0], &len[0]));
    CHECK_OK(doca_mmap_export_pci(mmap[1], sw, &desc[1], &len[1]));
    CHECK_EQ(len[0], len[1]);
    CHECK_RC(doca_mmap_create_from_export(NULL, desc[0], len[0], sw, &import),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_EXPORT_BACKEND);
    CHECK_RC(doca_mmap_create_from_export(NULL, desc[1], len[1], dev, &import),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_EXPORT_BACKEND);
    CHECK_EQ(shares.imports, 0);
    CHECK_OK(doca_mmap_destroy(mmap[0]));
    CHECK_EQ(shares.unexports, 1);
    CHECK_OK(doca_mmap_destroy(mmap[1]));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_dev_close(sw));
    unregister_lazy();
}

/* The log text of doca_core_backend_refuse(). */
static void refusal_reads_as_a_sentence(void)
{
    static const struct {
        struct doca_core_refusal why;
        const char *text; /* text between that of the item and the error code */
    } rows[] = {
        { { NULL, NULL, NULL, 0, 0, 0, 0 }, "" },
        { { "create a queue", NULL, NULL, 0, 0, 0, 0 }, " to create a queue" },
        { { NULL, NULL, NULL, EFAULT, 0, 0, 0 }, ": EFAULT" },
        { { "map it", "unmap it first", NULL, ENOMEM, 0, 0, 0 },
          " to map it: ENOMEM; unmap it first" },
        { { NULL, NULL, NULL, 4095, 0, 0, 0 }, ": errno 4095" },
        { { NULL, NULL, "BAD_PARAM", 0, 0, 0, 0 }, ": BAD_PARAM" },
        { { NULL, NULL, NULL, 0, 0x5e7a11, 0, 0 }, ": syndrome 0x5e7a11" },
        { { NULL, NULL, NULL, 0, 0, 0x51, 0 }, ": vendor syndrome 0x51" },
        { { "go", "wait", "BUSY", EREMOTEIO, 1, 2, 0 },
          " to go: EREMOTEIO, BUSY, syndrome 0x1, vendor syndrome 0x2; wait" },
        { { NULL, NULL, NULL, 0, 0, 0, 7 }, ": at byte 7" },
        { { NULL, "mend it", "no number", EIO, 0, 1, 123456 },
          ": EIO, no number, vendor syndrome 0x1, at byte 123456; mend it" },
        { { NULL, NULL, NULL, EMFILE, 0, 0, 0 },
          ": EMFILE; the process has no file descriptor left: raise RLIMIT_NOFILE (ulimit -n)" },
        { { NULL, NULL, NULL, ENFILE, 0, 0, 0 },
          ": ENFILE; the system has no file descriptor left: raise fs.file-max" },
        { { NULL, "close one", NULL, EMFILE, 0, 0, 0 }, ": EMFILE; close one" },
    };
    struct doca_core_refusal why = { NULL, NULL, NULL, 0, 0, 0, 0 };
    unsigned num_named = 0;
    char want[256];
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CHECK_RC(doca_core_backend_refuse(DOCA_ERROR_DRIVER, DOCA_CORE_ITEM_MLX5_COMMAND, "f", NULL,
                                          &rows[i].why),
                 DOCA_ERROR_DRIVER);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_COMMAND);
        snprintf(want, sizeof(want), "doca_core: f: %s%s [DRIVER]",
                 doca_core_item_text(DOCA_CORE_ITEM_MLX5_COMMAND), rows[i].text);
        CHECK_STR(doca_core_last_error(), want);
        CHECK_STR(test_log_text, want);
    }
    /* a detail is hexadecimal, but a number of bytes is decimal */
    CHECK_RC(doca_core_backend_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_MLX5_RING_BYTES, "f", NULL,
                                    4096),
             DOCA_ERROR_NO_MEMORY);
    CHECK(strstr(doca_core_last_error(), " 4096 [NO_MEMORY]") != NULL);
    for (why.error = 1; why.error < 200; why.error++) { /* errno has a name or a number */
        (void)doca_core_backend_refuse(DOCA_ERROR_DRIVER, DOCA_CORE_ITEM_MLX5_COMMAND, "f", NULL,
                                       &why);
        snprintf(want, sizeof(want), ": errno %d ", why.error);
        CHECK(strstr(test_log_text, ": E") != NULL || strstr(test_log_text, want) != NULL);
        num_named += strstr(test_log_text, ": E") != NULL;
    }
    CHECK_EQ(num_named, 41);
}

static const struct test_case cases[] = {
    CASE(software_table_works_before_the_first_list, ""), /* must be the first case */
    CASE(refusal_reads_as_a_sentence, ""),
    CASE(incomplete_table_is_invalid, ""),
    CASE(backend_name_is_unique, ""),
    CASE(number_of_backends_is_limited, ""),
    CASE(unregister_needs_a_known_name, ""),
    CASE(devices_are_listed_while_their_backend_is_registered, ""),
    CASE(getters_fail_for_unknown_properties, ""),
    CASE(list_needs_no_software_devices, ""),
    CASE(backend_table_is_copied, ""),
    CASE(backend_with_an_open_device_cannot_be_unregistered, ""),
    CASE(devinfo_of_an_unregistered_backend_cannot_be_opened, ""),
    CASE(devinfo_is_not_opened_by_a_later_backend, ""),
    CASE(devinfo_does_not_find_the_device_of_a_later_backend, ""),
    CASE(list_is_valid_when_devices_disappear, ""),
    CASE(list_is_valid_when_devices_appear, ""),
    CASE(backend_without_optional_functions_works, ""),
    CASE(optional_functions_are_called_in_pairs, ""),
    CASE(slow_queue_opens_in_progress, ""),
    CASE(context_takes_queue_bytes_from_the_arena, ""),
    CASE(impossible_queue_is_not_started, ""),
    CASE(tasks_begin_on_a_cache_line_after_any_queue, ""),
    CASE(software_table_can_be_wrapped, ""),
    CASE(backend_makes_the_exports, ""),
    CASE(backend_makes_the_imports, ""),
    CASE(sync_event_is_not_created_in_an_import, ""),
    CASE(export_is_imported_by_its_own_backend_only, ""),
};

TEST_MAIN(cases)
