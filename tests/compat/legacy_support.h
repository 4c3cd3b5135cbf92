/* Helpers of the suites of programs of DOCA 1.3 that use doca_core_legacy.h: an mmap with two
 * ranges, a started context and a work queue. The test harness uses today's API: its headers must
 * be included before DOCA_CORE_LEGACY is defined. */
#ifndef LEGACY_SUPPORT_H
#define LEGACY_SUPPORT_H

#include "held_backend.h"

#define DOCA_CORE_LEGACY 10300
#include "doca_core_legacy.h"

#include <poll.h>

#define LEN 4096u
#define PAGE 4096u

static unsigned char from[16 * LEN], to[16 * LEN];

struct kit {
    struct doca_dev *dev;
    struct doca_mmap *mmap;
    struct doca_buf_inventory *inventory;
    struct doca_dma *dma;
    struct doca_ctx *ctx;
    struct doca_workq *workq;
};

static inline struct doca_mmap *make_mmap(uint32_t max_chunks, uint32_t max_devs)
{
    struct doca_mmap *mmap;

    CHECK_OK(doca_mmap_create("a map", &mmap));
    CHECK_OK(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &max_chunks,
                                    sizeof(max_chunks)));
    CHECK_OK(doca_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_DEVICES, &max_devs, sizeof(max_devs)));
    return mmap;
}

static inline struct doca_ctx *make_ctx(struct doca_dev *dev, struct doca_dma **dma)
{
    struct doca_ctx *ctx;

    CHECK_OK(doca_dma_create(dma));
    ctx = doca_dma_as_ctx(*dma);
    CHECK_OK(doca_ctx_dev_add(ctx, dev));
    CHECK_OK(doca_ctx_start(ctx));
    return ctx;
}

static inline void end_ctx(struct doca_ctx *ctx, struct doca_dev *dev, struct doca_dma *dma)
{
    CHECK_OK(doca_ctx_stop(ctx));
    CHECK_OK(doca_ctx_dev_rm(ctx, dev));
    CHECK_OK(doca_dma_destroy(dma));
}

static inline void kit_open_on(struct kit *k, const char *pci_addr, uint32_t depth)
{
    size_t i;

    for (i = 0; i < sizeof(from); i++)
        from[i] = (unsigned char)(i * 7 + i / LEN + 1);
    memset(to, 0xee, sizeof(to));
    k->dev = rig_open_dev(pci_addr);
    k->mmap = make_mmap(2, 1);
    CHECK_OK(doca_mmap_start(k->mmap));
    CHECK_OK(doca_mmap_dev_add(k->mmap, k->dev));
    CHECK_OK(doca_mmap_populate(k->mmap, from, sizeof(from), PAGE, NULL, NULL));
    CHECK_OK(doca_mmap_populate(k->mmap, to, sizeof(to), PAGE, NULL, NULL));
    CHECK_OK(doca_buf_inventory_create("bufs", 256, DOCA_BUF_EXTENSION_NONE, &k->inventory));
    CHECK_OK(doca_buf_inventory_start(k->inventory));
    k->ctx = make_ctx(k->dev, &k->dma);
    CHECK_OK(doca_workq_create(depth, &k->workq));
    CHECK_OK(doca_ctx_workq_add(k->ctx, k->workq));
}

static inline void kit_open(struct kit *k)
{
    kit_open_on(k, NULL, 8);
}

/* Destroy the objects in the order of the vendor's sample. */
static inline void kit_close(struct kit *k)
{
    CHECK_OK(doca_ctx_workq_rm(k->ctx, k->workq));
    CHECK_OK(doca_ctx_stop(k->ctx));
    CHECK_OK(doca_ctx_dev_rm(k->ctx, k->dev));
    CHECK_OK(doca_mmap_dev_rm(k->mmap, k->dev));
    CHECK_OK(doca_workq_destroy(k->workq));
    CHECK_OK(doca_dma_destroy(k->dma));
    CHECK_OK(doca_buf_inventory_destroy(k->inventory));
    CHECK_OK(doca_mmap_destroy(k->mmap));
    CHECK_OK(doca_dev_close(k->dev));
}

static inline struct doca_buf *buf_on(struct doca_buf_inventory *inventory, struct doca_mmap *mmap,
                                      void *addr, size_t len)
{
    struct doca_buf *buf;

    CHECK_OK(doca_buf_inventory_buf_by_addr(inventory, mmap, addr, len, &buf));
    return buf;
}

static inline void release(struct doca_buf *buf)
{
    CHECK_OK(doca_buf_refcount_rm(buf, NULL));
}

static inline struct doca_dma_job_memcpy job_of(struct doca_ctx *ctx, struct doca_buf *src,
                                                struct doca_buf *dst, uint64_t bytes,
                                                uint64_t user_data)
{
    struct doca_dma_job_memcpy job = {
        .base = { .type = DOCA_DMA_JOB_MEMCPY, .flags = DOCA_JOB_FLAGS_NONE, .ctx = ctx,
                  .user_data = { .u64 = user_data } },
        .dst_buff = dst,
        .src_buff = src,
        .num_bytes_to_copy = bytes,
    };

    return job;
}

/* Submit a copy of block `i` of from to block `i` of to. The job keeps its buffers until its event
 * is retrieved. */
static inline doca_error_t copy_block(struct kit *k, struct doca_ctx *ctx, unsigned i)
{
    struct doca_buf *src = buf_on(k->inventory, k->mmap, from + i * LEN, LEN);
    struct doca_buf *dst = buf_on(k->inventory, k->mmap, to + i * LEN, LEN);
    struct doca_dma_job_memcpy job = job_of(ctx, src, dst, LEN, i);
    doca_error_t rc = doca_workq_submit(k->workq, &job.base);

    memset(&job, 0xdd, sizeof(job)); /* doca_workq_submit() must have copied the job */
    release(src);
    release(dst);
    return rc;
}

/* Retrieve until the result is not AGAIN. */
static inline doca_error_t retrieve(struct doca_workq *workq, struct doca_event *ev)
{
    doca_error_t rc;
    unsigned calls;

    for (calls = 0; calls < RIG_PATIENCE; calls++) {
        rc = doca_workq_progress_retrieve(workq, ev, DOCA_WORKQ_RETRIEVE_FLAGS_NONE);
        if (rc != DOCA_ERROR_AGAIN)
            return rc;
    }
    test_fail(__FILE__, __LINE__, "no event was retrieved");
}

static inline doca_error_t retrieve_result(struct doca_workq *workq)
{
    struct doca_event ev;

    return retrieve(workq, &ev);
}

static inline uint32_t mmap_number(struct doca_mmap *mmap, enum doca_mmap_property property)
{
    uint32_t number;

    CHECK_OK(doca_mmap_property_get(mmap, property, &number, sizeof(number)));
    return number;
}

/* Create a list of two buffers without data, and return its head. */
static inline struct doca_buf *list_on(struct kit *k, unsigned char *first, size_t first_len,
                                       unsigned char *second, size_t second_len)
{
    struct doca_buf *head = buf_on(k->inventory, k->mmap, first, first_len);

    CHECK_OK(doca_buf_list_chain(head, buf_on(k->inventory, k->mmap, second, second_len)));
    return head;
}

static inline void check_list(struct doca_buf *list, size_t first_len, size_t second_len)
{
    struct doca_buf *second;

    CHECK_OK(doca_buf_list_next(list, &second));
    CHECK_EQ(rig_data_len(list), first_len);
    CHECK_EQ(rig_data_len(second), second_len);
}

static inline bool is_readable(int fd)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };

    return poll(&p, 1, 0) == 1;
}

#endif
