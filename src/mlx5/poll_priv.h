/* ---- >>mlx5.priv.poll ------------------------------------------------------------------------
 * Declarations of >>mlx5.poll for other parts.                                                  */
#ifndef DOCA_SRC_MLX5_POLL_PRIV_H
#define DOCA_SRC_MLX5_POLL_PRIV_H

#include "mlx5/config.h"
#include "mlx5/layout_priv.h"
#include "mlx5/platform_priv.h"
#include "mlx5/queue_priv.h"

struct doca_priv_mlx5_queue;
struct doca_priv_mlx5_slot;

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_fail(const struct doca_priv_mlx5_slot *slot,
                                                doca_error_t code, enum doca_core_item item);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_fail_refused(const struct doca_priv_mlx5_slot *slot);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_task_status(const struct doca_priv_mlx5_queue *q,
                                                       const struct doca_priv_mlx5_slot *slot);
DOCA_PRIV_DECL bool doca_priv_mlx5_is_done(struct doca_priv_mlx5_queue *q,
                                           struct doca_priv_mlx5_slot *slot);
DOCA_PRIV_DECL bool doca_priv_mlx5_is_lost(struct doca_priv_mlx5_queue *q,
                                           struct doca_priv_mlx5_slot *slot);
DOCA_PRIV_MLX5_NOINLINE struct doca_task *doca_priv_mlx5_poll(struct doca_core_queue *queue);
DOCA_PRIV_DECL struct doca_task *doca_priv_mlx5_poll_fast(struct doca_core_queue *queue);
DOCA_PRIV_DECL void doca_priv_mlx5_queue_flush(struct doca_core_queue *queue, doca_error_t status);
DOCA_PRIV_DECL void doca_priv_mlx5_queue_ring(struct doca_core_queue *queue);
DOCA_PRIV_DECL bool doca_priv_mlx5_queue_ready(struct doca_core_queue *queue);

/* Complete the task of the oldest slot with `rc`, and free the slot. */
DOCA_PRIV_MLX5_HOT struct doca_task *doca_priv_mlx5_slot_complete(struct doca_priv_mlx5_queue *q,
                                                                  struct doca_priv_mlx5_slot *slot,
                                                                  doca_error_t rc)
{
    struct doca_task *task = slot->task;

    task->status = (uint8_t)rc;
    slot->kind = DOCA_PRIV_MLX5_EMPTY;
    q->oldest = slot + 1 != q->end ? slot + 1 : q->slots;
    return task;
}

#endif
