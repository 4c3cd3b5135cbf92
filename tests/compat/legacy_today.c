/* A file written for today's API, in a program with files for 1.x. It includes doca_core_legacy.h
 * without DOCA_CORE_LEGACY, which must not change today's names. */
#include "doca_core_legacy.h"

#include "legacy_others.h"

#define TRY(call)                                                                                  \
    do {                                                                                           \
        doca_error_t rc_ = (call);                                                                 \
        if (rc_ != DOCA_SUCCESS)                                                                   \
            return rc_;                                                                            \
    } while (0)

static void done(struct doca_dma_task_memcpy *task, union doca_data data, union doca_data unused)
{
    (void)unused;
    *(doca_error_t *)data.ptr = doca_task_get_status(doca_dma_task_memcpy_as_task(task));
    doca_task_free(doca_dma_task_memcpy_as_task(task));
}

static doca_error_t map(struct doca_dev *dev, void *addr, size_t len, struct doca_mmap **mmap)
{
    TRY(doca_mmap_create(mmap));
    TRY(doca_mmap_set_memrange(*mmap, addr, len));
    TRY(doca_mmap_add_dev(*mmap, dev));
    return doca_mmap_start(*mmap);
}

doca_error_t legacy_copy_as_today(struct doca_dev *dev, void *from, void *to, size_t len)
{
    struct doca_mmap *from_map, *to_map;
    struct doca_buf_inventory *inventory;
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src, *dst;
    struct doca_dma *dma;
    struct doca_pe *pe;
    doca_error_t status = DOCA_ERROR_UNKNOWN;
    union doca_data data;

    data.ptr = &status;
    TRY(map(dev, from, len, &from_map));
    TRY(map(dev, to, len, &to_map));
    TRY(doca_buf_inventory_create(2, &inventory));
    TRY(doca_buf_inventory_start(inventory));
    TRY(doca_buf_inventory_buf_get_by_data(inventory, from_map, from, len, &src));
    TRY(doca_buf_inventory_buf_get_by_addr(inventory, to_map, to, len, &dst));
    TRY(doca_pe_create(&pe));
    TRY(doca_dma_create(dev, &dma));
    TRY(doca_dma_task_memcpy_set_conf(dma, done, done, 1));
    TRY(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    TRY(doca_ctx_start(doca_dma_as_ctx(dma)));
    TRY(doca_dma_task_memcpy_alloc_init(dma, src, dst, data, &task));
    TRY(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    while (doca_pe_progress(pe))
        continue;
    TRY(doca_dma_destroy(dma));
    TRY(doca_pe_destroy(pe));
    TRY(doca_buf_dec_refcount(src, NULL));
    TRY(doca_buf_dec_refcount(dst, NULL));
    TRY(doca_buf_inventory_destroy(inventory));
    TRY(doca_mmap_destroy(from_map));
    TRY(doca_mmap_destroy(to_map));
    return status;
}

void legacy_inventory_as_today(struct doca_buf_inventory *inventory, doca_error_t answers[3])
{
    union doca_data data;

    data.u64 = 0x1234;
    answers[0] = doca_buf_inventory_get_user_data(inventory, &data);
    answers[1] = doca_buf_inventory_set_user_data(inventory, data);
    answers[2] = doca_buf_inventory_destroy(inventory);
}

doca_error_t (*legacy_start_of_today(void))(struct doca_mmap *mmap)
{
    return doca_mmap_start;
}
