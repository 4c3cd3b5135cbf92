/* A file of a program of DOCA 1.5, which differs from 1.3 in these points: objects have user data
 * instead of names, properties have getters, buffers have data sections, and a job has no number of
 * bytes. */
#define DOCA_CORE_LEGACY 10500
#include "doca_core_legacy.h"

#include "legacy_others.h"

#include <string.h>

#define TRY(call)                                                                                  \
    do {                                                                                           \
        doca_error_t rc_ = (call);                                                                 \
        if (rc_ != DOCA_SUCCESS)                                                                   \
            return rc_;                                                                            \
    } while (0)

struct objects {
    struct doca_mmap *mmap;
    struct doca_buf_inventory *inventory;
    struct doca_dma *dma;
    struct doca_ctx *ctx;
    struct doca_workq *workq;
};

/* Submit a copy and wait for it. The memory of the job is filled with a pattern first, because the
 * library must not read members that 1.5 does not have. */
static doca_error_t copy(struct objects *o, struct doca_buf *src, struct doca_buf *dst)
{
    struct {
        struct doca_dma_job_memcpy job;
        uint64_t behind;
    } m;
    struct doca_event event;
    doca_error_t rc;

    memset(&m, 0xff, sizeof(m));
    m.job.base.type = DOCA_DMA_JOB_MEMCPY;
    m.job.base.flags = DOCA_JOB_FLAGS_NONE;
    m.job.base.ctx = o->ctx;
    m.job.dst_buff = dst;
    m.job.src_buff = src;
    TRY(doca_workq_submit(o->workq, &m.job.base));
    while ((rc = doca_workq_progress_retrieve(o->workq, &event, DOCA_WORKQ_RETRIEVE_FLAGS_NONE)) ==
           DOCA_ERROR_AGAIN)
        continue;
    return rc == DOCA_SUCCESS && event.type != DOCA_DMA_JOB_MEMCPY ? DOCA_ERROR_UNEXPECTED : rc;
}

static doca_error_t build(struct objects *o, struct doca_dev *dev, void *from, void *to, size_t len)
{
    union doca_data word, got;
    uint32_t num;

    word.u64 = 15;
    TRY(doca_dma_job_get_supported(doca_dev_as_devinfo(dev), DOCA_DMA_JOB_MEMCPY));
    TRY(doca_mmap_create(&word, &o->mmap));
    TRY(doca_mmap_get_user_data(o->mmap, &got));
    TRY(doca_mmap_set_max_num_chunks(o->mmap, 2));
    TRY(doca_mmap_get_max_num_chunks(o->mmap, &num));
    if (got.u64 != 15 || num != 2)
        return DOCA_ERROR_UNEXPECTED;
    TRY(doca_mmap_start(o->mmap));
    TRY(doca_mmap_populate(o->mmap, from, len, 4096, NULL, NULL));
    TRY(doca_mmap_dev_add(o->mmap, dev));
    TRY(doca_mmap_populate(o->mmap, to, len, 4096, NULL, NULL));
    TRY(doca_buf_inventory_create(&word, 2, DOCA_BUF_EXTENSION_NONE, &o->inventory));
    TRY(doca_buf_inventory_get_user_data(o->inventory, &got));
    if (got.u64 != 15)
        return DOCA_ERROR_UNEXPECTED;
    word.u64 = 16;
    TRY(doca_buf_inventory_set_user_data(o->inventory, word));
    TRY(doca_buf_inventory_get_user_data(o->inventory, &got));
    if (got.u64 != 16)
        return DOCA_ERROR_UNEXPECTED;
    TRY(doca_buf_inventory_start(o->inventory));
    TRY(doca_dma_create(&o->dma));
    o->ctx = doca_dma_as_ctx(o->dma);
    TRY(doca_ctx_dev_add(o->ctx, dev));
    TRY(doca_ctx_start(o->ctx));
    TRY(doca_workq_create(1, &o->workq));
    return doca_ctx_workq_add(o->ctx, o->workq);
}

doca_error_t legacy_copy_as_15(struct doca_dev *dev, void *from, void *to, size_t len)
{
    struct doca_buf *src, *dst;
    struct objects o;
    size_t written;
    void *data;

    TRY(build(&o, dev, from, to, len));
    TRY(doca_buf_inventory_buf_by_addr(o.inventory, o.mmap, from, len, &src));
    TRY(doca_buf_inventory_buf_by_addr(o.inventory, o.mmap, to, len, &dst));
    TRY(doca_buf_set_data(src, from, len));
    TRY(copy(&o, src, dst));
    TRY(copy(&o, src, dst)); /* writes from the start of the destination again */
    TRY(doca_buf_get_data(dst, &data));
    TRY(doca_buf_get_data_len(dst, &written));
    if (data != to || written != len)
        return DOCA_ERROR_UNEXPECTED;
    TRY(doca_buf_refcount_rm(src, NULL));
    TRY(doca_buf_refcount_rm(dst, NULL));
    TRY(doca_ctx_workq_rm(o.ctx, o.workq));
    TRY(doca_workq_destroy(o.workq));
    TRY(doca_ctx_stop(o.ctx));
    TRY(doca_ctx_dev_rm(o.ctx, dev));
    TRY(doca_dma_destroy(o.dma));
    TRY(doca_buf_inventory_destroy(o.inventory));
    return doca_mmap_destroy(o.mmap);
}
