/* Test backends: which of their functions the core calls, also for exported and imported memory. */
#include "backend_support.h"

#include <errno.h>

/* ---- helpers ---- */

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
    CASE(refusal_reads_as_a_sentence, ""),
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
