/* The set-up and the end that the programs with buffers share: a device, memory that the device may
 * use, and an inventory; for copies also DMA contexts and pairs of buffers. */
#ifndef BENCH_RIG_H
#define BENCH_RIG_H

#include "bench.h"

struct bench_rig {
    struct doca_dev *dev;
    struct doca_mmap *map;
    struct doca_buf_inventory *inventory;
};

static inline void bench_rig_open(struct bench_rig *r, void *addr, size_t bytes, size_t num_bufs)
{
    r->dev = bench_open_dev();
    r->map = bench_map(r->dev, addr, bytes);
    bench_must(doca_buf_inventory_create(num_bufs, &r->inventory));
    bench_must(doca_buf_inventory_start(r->inventory));
}

static inline void bench_rig_close(struct bench_rig *r)
{
    bench_must(doca_buf_inventory_destroy(r->inventory));
    bench_must(doca_mmap_destroy(r->map));
    bench_must(doca_dev_close(r->dev));
}

/* ---- copies ---- */

static inline struct doca_dma *bench_dma_open(struct doca_dev *dev, struct doca_pe *pe)
{
    struct doca_dma *dma;

    bench_must(doca_dma_create(dev, &dma));
    bench_must(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    return dma;
}

static inline void bench_dma_failed(struct doca_dma_task_memcpy *task, union doca_data task_data,
                                    union doca_data ctx_data)
{
    (void)task, (void)task_data, (void)ctx_data;
    bench_die(doca_core_last_error());
}

static inline void bench_dma_start(struct doca_dma *dma,
                                   doca_dma_task_memcpy_completion_cb_t on_done, uint32_t num_tasks)
{
    bench_must(doca_dma_task_memcpy_set_conf(dma, on_done, bench_dma_failed, num_tasks));
    bench_must(doca_ctx_start(doca_dma_as_ctx(dma)));
}

struct bench_copy {
    size_t bytes;
    struct doca_buf *src, *dst;
};

/* `from` lies in `from_map`, which may be any mmap; `to` must lie in the memory of the rig. */
static inline void bench_copy_open(struct bench_copy *c, struct bench_rig *r,
                                   struct doca_mmap *from_map, void *from, void *to, size_t bytes)
{
    c->bytes = bytes;
    bench_must(doca_buf_inventory_buf_get_by_data(r->inventory, from_map, from, bytes, &c->src));
    bench_must(doca_buf_inventory_buf_get_by_addr(r->inventory, r->map, to, bytes, &c->dst));
}

static inline void bench_copy_close(struct bench_copy *c)
{
    bench_must(doca_buf_dec_refcount(c->src, NULL));
    bench_must(doca_buf_dec_refcount(c->dst, NULL));
}

#endif
