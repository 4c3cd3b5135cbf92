/* ---- >>mlx5.priv.event -----------------------------------------------------------------------
 * Declarations of >>mlx5.event for other parts.                                                 */
#ifndef DOCA_SRC_MLX5_EVENT_PRIV_H
#define DOCA_SRC_MLX5_EVENT_PRIV_H

#include "mlx5/config.h"
#include "mlx5/platform_priv.h"

struct doca_core_refusal;
struct doca_priv_mlx5_dev;
struct doca_priv_mlx5_queue;

DOCA_PRIV_DECL int doca_priv_mlx5_watch(const struct doca_priv_mlx5_queue *q, int op, int fd,
                                        bool is_on);
DOCA_PRIV_DECL bool doca_priv_mlx5_event_open(struct doca_priv_mlx5_queue *q,
                                              struct doca_core_refusal *why);
DOCA_PRIV_DECL bool doca_priv_mlx5_is_queue_error(struct doca_priv_mlx5_dev *d,
                                                  const struct ibv_async_event *event);
DOCA_PRIV_DECL void doca_priv_mlx5_event_close(struct doca_priv_mlx5_queue *q);
DOCA_PRIV_DECL int doca_priv_mlx5_queue_fd(struct doca_core_queue *queue);
DOCA_PRIV_DECL void doca_priv_mlx5_queue_arm(struct doca_core_queue *queue, bool armed);

#endif
