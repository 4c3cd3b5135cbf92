/* ---- >>priv.sw.copy --------------------------------------------------------------------------
 * The parts of the copy queue that workers use.                                                 */
#ifndef DOCA_SRC_SW_COPY_PRIV_H
#define DOCA_SRC_SW_COPY_PRIV_H

#include "base/compiler.h"
#include "base/platform_priv.h"
#include "memory/buf.h"
#include "memory/hot_buf.h"
#include "progress/task.h"
#include "sw/sw_priv.h"

struct doca_priv_sw_dma_queue;

DOCA_PRIV_DECL void doca_priv_sw_dma_open(struct doca_core_queue *queue);

/* Copy 32 to 64 bytes as memmove() does: all bytes are read before the first is written. */
DOCA_PRIV_HOT void doca_priv_sw_copy_small(unsigned char *to, const unsigned char *from, size_t len)
{
    struct {
        uint64_t half[2];
    } a, b, c, d;

    DOCA_PRIV_COPY(&a, from, sizeof(a));
    DOCA_PRIV_COPY(&b, from + sizeof(a), sizeof(b));
    from += len;
    DOCA_PRIV_COPY(&c, from - 2 * sizeof(c), sizeof(c));
    DOCA_PRIV_COPY(&d, from - sizeof(d), sizeof(d));
    DOCA_PRIV_COPY(to, &a, sizeof(a));
    DOCA_PRIV_COPY(to + sizeof(a), &b, sizeof(b));
    to += len;
    DOCA_PRIV_COPY(to - 2 * sizeof(c), &c, sizeof(c));
    DOCA_PRIV_COPY(to - sizeof(d), &d, sizeof(d));
}

/* True when the task copies between two valid single buffers of this process that belong to the
 * queue's device, and the length is within the limit and the room. An empty source counts as too
 * long, because `data_len - 1` wraps. */
DOCA_PRIV_HOT bool doca_priv_sw_memcpy_is_plain(const struct doca_priv_sw_dma_queue *q,
                                                const struct doca_dma_task_memcpy *t)
{
    const struct doca_buf *src = t->src, *dst = t->dst;

    return doca_priv_is_buf(src) && doca_priv_is_buf(dst) && src->next == NULL &&
           dst->next == NULL && src->flags != 0 && (dst->flags & DOCA_PRIV_BUF_WRITE) != 0 &&
           (src->mmap->dev_mask & dst->mmap->dev_mask & q->queue.dev->bit) != 0 &&
           src->data_len - 1 < doca_priv_buf_tailroom(dst) && src->data_len <= q->max_bytes;
}

#endif
