/* ---- >>mlx5.priv.dma -------------------------------------------------------------------------
 * Declarations of >>mlx5.dma for other parts.                                                   */
#ifndef DOCA_SRC_MLX5_DMA_PRIV_H
#define DOCA_SRC_MLX5_DMA_PRIV_H

#include "mlx5/config.h"
#include "mlx5/layout_priv.h"
#include "mlx5/platform_priv.h"
#include "mlx5/queue_priv.h"

struct doca_priv_mlx5_copy;
struct doca_priv_mlx5_queue;
struct doca_priv_mlx5_slot;
struct doca_priv_mmap_dev;

DOCA_PRIV_DECL uint64_t doca_priv_mlx5_tailroom(const struct doca_buf *buf);
DOCA_PRIV_DECL const struct doca_priv_mmap_dev *doca_priv_mlx5_keys(const struct doca_mmap *mmap,
                                                                    const struct doca_dev *dev);
DOCA_PRIV_DECL bool doca_priv_mlx5_is_local(const struct doca_buf *buf);
DOCA_PRIV_DECL int doca_priv_mlx5_post_wqe(struct doca_priv_mlx5_queue *q,
                                           struct doca_priv_mlx5_copy *copy, bool is_signaled);
DOCA_PRIV_DECL void doca_priv_mlx5_ring_wqe(struct doca_priv_mlx5_queue *q, uint32_t last);
DOCA_PRIV_DECL struct doca_priv_mlx5_slot *
doca_priv_mlx5_oldest_waiting(const struct doca_priv_mlx5_queue *q);
DOCA_PRIV_DECL void doca_priv_mlx5_ring(struct doca_priv_mlx5_queue *q);
DOCA_PRIV_DECL void doca_priv_mlx5_refuse(struct doca_priv_mlx5_queue *q,
                                          struct doca_priv_mlx5_slot *slot,
                                          enum doca_core_item item);
DOCA_PRIV_DECL bool doca_priv_mlx5_set_qp_state(const struct doca_priv_mlx5_queue *q,
                                                enum ibv_qp_state state);
DOCA_PRIV_DECL bool doca_priv_mlx5_enter_error(const struct doca_priv_mlx5_queue *q);
DOCA_PRIV_DECL void doca_priv_mlx5_fail_post(struct doca_priv_mlx5_queue *q,
                                             struct doca_priv_mlx5_slot *slot, int error);
DOCA_PRIV_DECL bool doca_priv_mlx5_start(struct doca_priv_mlx5_queue *q,
                                         struct doca_priv_mlx5_slot *slot);
DOCA_PRIV_DECL void doca_priv_mlx5_set_fast_path(struct doca_priv_mlx5_queue *q);
DOCA_PRIV_MLX5_NOINLINE doca_error_t doca_priv_mlx5_post(struct doca_core_queue *queue,
                                                         struct doca_task *task);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_post_mmo(struct doca_core_queue *queue,
                                                    struct doca_task *task);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_post_rc(struct doca_core_queue *queue,
                                                   struct doca_task *task);

/* Quick test for the common valid task: a copy between two single, live, registered buffers, with a
 * writable destination that has enough space. A task that fails this test can still be valid; the
 * full inspection decides. The `- 1` turns a length of 0 into a huge number, so that an empty
 * source fails the test. */
static inline bool doca_priv_mlx5_is_simple_task(const struct doca_priv_mlx5_queue *q,
                                                 const struct doca_dma_task_memcpy *t)
{
    const struct doca_buf *src = t->src, *dst = t->dst;

    return src->kind == DOCA_PRIV_BUF_KIND && dst->kind == DOCA_PRIV_BUF_KIND &&
           src->next == NULL && dst->next == NULL && src->flags != 0 &&
           (dst->flags & DOCA_PRIV_BUF_WRITE) != 0 &&
           (src->mmap->dev_mask & dst->mmap->dev_mask & q->queue.dev->bit) != 0 &&
           src->data_len - 1 < doca_priv_mlx5_tailroom(dst) && src->data_len <= q->max_bytes;
}

/* Put a task into the next free slot. */
DOCA_PRIV_MLX5_HOT struct doca_priv_mlx5_slot *doca_priv_mlx5_slot_add(
    struct doca_priv_mlx5_queue *q, struct doca_task *task, enum doca_priv_mlx5_kind kind)
{
    struct doca_priv_mlx5_slot *slot = q->next;

    slot->task = task;
    slot->kind = (uint8_t)kind;
    slot->syndrome = 0;
    slot->vendor = 0;
    slot->blocks = 1;
    q->next = slot + 1 != q->end ? slot + 1 : q->slots;
    return slot;
}

/* Return the first two bytes of a buffer, its kind and flags, with `flags` set. */
DOCA_PRIV_MLX5_HOT uint16_t doca_priv_mlx5_buf_bytes(const struct doca_buf *buf, uint8_t flags)
{
    const uint8_t more[2] = { 0, flags };
    uint16_t begin, word;

    memcpy(&begin, buf, sizeof(begin));
    memcpy(&word, more, sizeof(word));
    return begin | word;
}

#endif
