/* ---- >>mlx5.priv.sync ------------------------------------------------------------------------
 * Declarations of >>mlx5.sync for other parts.                                                  */
#ifndef DOCA_SRC_MLX5_SYNC_PRIV_H
#define DOCA_SRC_MLX5_SYNC_PRIV_H

#include "mlx5/config.h"
#include "mlx5/platform_priv.h"
#include "mlx5/queue_priv.h"

struct doca_core_event_place;
struct doca_core_refusal;
struct doca_priv_mlx5_queue;

#define DOCA_PRIV_MLX5_SYNC_ACCESS                                                                 \
    ((unsigned)IBV_ACCESS_REMOTE_WRITE | (unsigned)IBV_ACCESS_REMOTE_READ |                        \
     (unsigned)IBV_ACCESS_REMOTE_ATOMIC)

struct doca_priv_mlx5_waits { /* list of waiting tasks */
    struct doca_task *first; /* the oldest task; NULL when the list is empty */
    struct doca_task **end;  /* where to link the next task */
};

struct doca_priv_mlx5_sync {
    struct doca_priv_mlx5_queue q;     /* must be first */
    uint64_t addr;                     /* address of the value, for the device */
    uint32_t rkey;                     /* key of the value */
    struct ibv_mr *mr;                 /* registration of the value; NULL: rkey belongs to the
                                        * mmap */
    const volatile uint64_t *cpu_addr; /* address of the value for the CPU; NULL when only the
                                        * device can read it */
    struct doca_priv_mlx5_waits waits; /* waiting tasks that the last probe can complete */
    struct doca_priv_mlx5_waits fresh; /* waiting tasks submitted after that probe began */
    uint32_t reads;                    /* WQE index after the last RDMA READ */
    uint32_t fetches;                  /* WQE index after the last RDMA READ or FETCH_ADD */
    uint64_t value;                    /* the value as last read */
    bool is_value_unchecked;           /* `value` is still to be compared with some of `waits` */
    bool is_probing;                   /* an RDMA READ for waiting tasks is in flight */
    bool waits_first;                  /* the next poll checks waiting tasks before it reads
                                        * completions */
    bool is_armed;                     /* a thread may sleep on the notification handle */
    bool is_timed;                     /* the timer is set, and may have expired */
    uint32_t next_skips;               /* value for `skips` after the next probe */
    uint32_t skips;                    /* polls to skip before the next probe */
    int timer;                         /* descriptor of the timer; -1 before it is created */
};

DOCA_PRIV_DECL bool doca_priv_mlx5_sync_has_ready(struct doca_priv_mlx5_sync *s);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_sync_post(struct doca_core_queue *queue,
                                                     struct doca_task *task);
DOCA_PRIV_DECL struct doca_task *doca_priv_mlx5_sync_poll(struct doca_core_queue *queue);
DOCA_PRIV_DECL void doca_priv_mlx5_sync_arm(struct doca_priv_mlx5_sync *s, bool armed);
DOCA_PRIV_DECL bool doca_priv_mlx5_sync_open(struct doca_priv_mlx5_sync *s,
                                             const struct doca_core_event_place *place,
                                             struct doca_core_refusal *why);
DOCA_PRIV_DECL int doca_priv_mlx5_sync_close(struct doca_priv_mlx5_sync *s);

#endif
