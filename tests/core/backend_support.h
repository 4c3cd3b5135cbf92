/* Helpers of the suites of test backends: a device that completes every task at once, and the
 * optional functions of a backend, which count their calls. */
#ifndef BACKEND_SUPPORT_H
#define BACKEND_SUPPORT_H

#include "doca_test.h"

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

static inline uint32_t lazy_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
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

static inline size_t lazy_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                      uint32_t depth)
{
    (void)dev;
    (void)engine;
    (void)depth;
    return queue_bytes;
}

static inline doca_error_t lazy_post(struct doca_core_queue *queue, struct doca_task *task)
{
    struct lazy_queue *lazy = (struct lazy_queue *)queue;

    task->next = lazy->first;
    lazy->first = task;
    return DOCA_SUCCESS;
}

static inline struct doca_task *lazy_poll(struct doca_core_queue *queue)
{
    struct lazy_queue *lazy = (struct lazy_queue *)queue;
    struct doca_task *task = lazy->first;

    if (task != NULL)
        lazy->first = task->next;
    return task;
}

static inline doca_error_t lazy_queue_open(struct doca_core_queue *queue,
                                           enum doca_core_engine engine, uint32_t depth)
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

static inline void lazy_queue_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_task *task = ((struct lazy_queue *)queue)->first;

    calls.flush++;
    for (; task != NULL; task = task->next)
        task->status = (uint8_t)status;
}

static inline bool lazy_queue_ready(struct doca_core_queue *queue)
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

static inline doca_error_t full_dev_open(struct doca_dev *dev)
{
    dev->backend_data = &calls;
    calls.dev_open++;
    return DOCA_SUCCESS;
}

static inline void full_dev_close(struct doca_dev *dev)
{
    calls.wrong += dev->backend_data != &calls;
    calls.dev_close++;
}

static inline doca_error_t full_reg(struct doca_dev *dev, void *addr, size_t len, uint32_t access,
                                    uint32_t *mkey)
{
    calls.wrong += dev->backend_data != &calls;
    *mkey = 0x1700 + ++calls.reg;
    calls.reg_addr = addr;
    calls.reg_len = len;
    calls.reg_access = access;
    return DOCA_SUCCESS;
}

static inline void full_dereg(struct doca_dev *dev, uint32_t mkey)
{
    calls.wrong += dev->backend_data != &calls;
    calls.dereg++;
    calls.dereg_mkey = mkey;
}

static inline doca_error_t full_queue_opening(struct doca_core_queue *queue)
{
    (void)queue;
    calls.queue_opening++;
    return calls.queue_opening < 3 ? DOCA_ERROR_IN_PROGRESS : DOCA_SUCCESS;
}

static inline void full_queue_close(struct doca_core_queue *queue)
{
    calls.wrong += ((struct lazy_queue *)queue)->first != NULL;
    calls.queue_close++;
}

static inline struct doca_core_backend full_table(void)
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

static struct shares {
    unsigned exports, unexports, imports, unimports;
    uint32_t unexport_mkey, unimport_mkey, access;
    bool was_rdma;
    doca_error_t answer;
    enum doca_core_item reason; /* item that the backend logs; NONE: it logs nothing */
} shares;

static inline doca_error_t share_answer(const char *function)
{
    return shares.reason == DOCA_CORE_ITEM_NONE
               ? shares.answer
               : doca_core_backend_fail(shares.answer, shares.reason, function, NULL, 7);
}

static inline doca_error_t share_export(struct doca_dev *dev, uint32_t mkey, uint32_t own,
                                        bool is_rdma, unsigned char blob[DOCA_CORE_EXPORT_BYTES])
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

static inline void share_unexport(struct doca_dev *dev, uint32_t mkey, uint32_t own, bool is_rdma)
{
    (void)dev;
    calls.wrong += own != 0 || calls.dereg != 0; /* must precede dereg */
    shares.unexports++;
    shares.unexport_mkey = mkey;
    shares.was_rdma = is_rdma;
}

static inline doca_error_t share_import(struct doca_dev *dev, const struct doca_core_range *range,
                                        bool is_rdma,
                                        const unsigned char blob[DOCA_CORE_EXPORT_BYTES],
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

static inline void share_unimport(struct doca_dev *dev, uint32_t mkey, uint32_t own)
{
    (void)dev;
    calls.wrong += own != 0x2000;
    shares.unimports++;
    shares.unimport_mkey = mkey;
}

static inline uint32_t sharing_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    uint32_t n = lazy_enumerate(attrs, max), i;

    for (i = 0; i < n && i < max; i++) {
        attrs[i].limits.has_export_pci = attrs[i].limits.has_import_pci = 1;
        attrs[i].limits.has_rdma = 1;
    }
    return n;
}

static inline struct doca_core_backend sharing_table(void)
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

static inline void register_lazy(const struct doca_core_backend *table, uint32_t devs)
{
    num_devs = devs;
    queue_bytes = sizeof(struct lazy_queue);
    opening = DOCA_SUCCESS;
    memset(&calls, 0, sizeof(calls));
    CHECK_OK(doca_core_backend_register(table));
}

static inline void unregister_lazy(void)
{
    CHECK_OK(doca_core_backend_unregister("lazy"));
}

/* Count the devices with this name in a new device list. Open the last of them if `dev` is not
 * NULL. */
static inline uint32_t count_devices(const char *ibdev_name, struct doca_dev **dev)
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

static inline struct doca_dev *open_lazy(void)
{
    struct doca_dev *dev = NULL;

    CHECK_EQ(count_devices("lazy", &dev), 1);
    return dev;
}

#endif
