/* ---- >>mlx5.api ----------------------------------------------------------------------------- */
#ifndef DOCA_SRC_MLX5_API_H
#define DOCA_SRC_MLX5_API_H

#include "mlx5/config.h"

enum doca_core_mlx5_engine {
    DOCA_CORE_MLX5_ENGINE_AUTO = 0, /* the first of the engines below that the device supports */
    DOCA_CORE_MLX5_ENGINE_MMO = 1,
    DOCA_CORE_MLX5_ENGINE_RC = 2,
    DOCA_CORE_MLX5_ENGINE_VERBS = 3
};

struct doca_core_mlx5_sys;
struct ibv_async_event;

struct doca_core_mlx5_options { /* a structure of zeros selects the defaults */
    const struct doca_core_mlx5_sys *sys; /* NULL: the real libibverbs, libmlx5 and kernel */
    enum doca_core_mlx5_engine engine;    /* for copies; AUTO: the environment can choose */
};

/* Find the RDMA devices of the machine and return the backend table for
 * doca_core_backend_register(). Call it again to find devices that have appeared in the meantime;
 * the backend may already be registered then.
 *
 *   options  NULL: the defaults. The structure is copied, but the table that options->sys points to
 *            must stay valid.
 *
 * Owns      libibverbs' list of devices, until the next call
 * Threads   one at a time, while no thread lists, opens or closes devices
 * Cost      opens and closes every device
 * Errors    Does not fail. While devices of this backend are open, the call returns the table and
 *           changes nothing else. A device that lacks the chosen engine is listed without copies,
 *           and the log (INFO) gives the reason. A device that cannot be opened, and devices beyond
 *           the first DOCA_CORE_MLX5_MAX_DEVS, are not listed; the log (ERROR) gives the reason. */
DOCA_CORE_DECL const struct doca_core_backend *doca_core_mlx5_backend(
    const struct doca_core_mlx5_options *options);

/* Get the engine that a device uses for copies.
 *
 * Threads   any
 * Errors    INVALID_VALUE  `dev` is not an open device, or `engine` is NULL
 *           NOT_SUPPORTED  the device belongs to another backend, or it does not support copies */
DOCA_CORE_DECL doca_error_t doca_core_mlx5_get_engine(const struct doca_dev *dev,
                                                      enum doca_core_mlx5_engine *engine);

/* Pass on an asynchronous event that the program received with ibv_get_async_event() from its own
 * context. The call may be made before or after the program acknowledges the event. Three kinds of
 * events mean that the device has failed: DEVICE_FATAL, and CQ_ERR or QP_FATAL of a queue that
 * belongs to this library. `dev` and all other open devices on the same card then fail,
 * and their contexts stop. Events of other kinds have no effect.
 *
 *   dev  a device that was opened from a protection domain (PD) of that context
 *
 * Threads   any, while `dev` is open
 * Errors    INVALID_VALUE  `dev` is not an open device, or `event` is NULL
 *           NOT_SUPPORTED  the device belongs to another backend */
DOCA_CORE_DECL doca_error_t doca_core_mlx5_pass_event(struct doca_dev *dev,
                                                      const struct ibv_async_event *event);

/* Arena bytes, for dimensioning. _REG: bytes that a started mmap takes from the arena of each of
 * its devices. _DMA: bytes that a DMA context with `num_tasks` tasks takes. doca_core_bytes_dma()
 * gives the number for a DMA context at run time. With VERBS that number is smaller, because
 * libibverbs allocates the rings on the heap. */
#define DOCA_CORE_MLX5_BYTES_REG DOCA_CORE_BYTES_BLOCK(DOCA_CORE_LINE)
#define DOCA_CORE_MLX5_BYTES_DMA(num_tasks)                                                        \
    (DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_dma)) +                                              \
     DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_MLX5_QUEUE_BYTES +                                            \
                           DOCA_PRIV_MLX5_SLOTS(num_tasks) + DOCA_PRIV_MLX5_RINGS(num_tasks) +     \
                           DOCA_PRIV_STOCKED(num_tasks) * DOCA_PRIV_TASK_BYTES))
#define DOCA_PRIV_MLX5_QUEUE_BYTES ((size_t)8 * DOCA_CORE_LINE)
/* a queue of a sync event, before its slots */
#define DOCA_PRIV_MLX5_SYNC_BYTES ((size_t)12 * DOCA_CORE_LINE)
#define DOCA_PRIV_MLX5_SLOT_BYTES ((size_t)32)
#define DOCA_PRIV_MLX5_SLOTS(num_tasks) /* bytes, rounded up to whole cache lines */               \
    (((size_t)(num_tasks) * DOCA_PRIV_MLX5_SLOT_BYTES + DOCA_CORE_LINE - 1) / DOCA_CORE_LINE *     \
     DOCA_CORE_LINE)

/* Bytes of a started sync event whose tasks are executed by the device; `num_tasks` counts the
 * tasks of all types together. In the checked mode this is an upper bound. */
#define DOCA_CORE_MLX5_BYTES_SYNC_EVENT(num_tasks)                                                 \
    (DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_sync_event)) +                                       \
     DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_MLX5_SYNC_BYTES +                                             \
                           DOCA_PRIV_MLX5_SLOTS((size_t)(num_tasks) + 1) +                         \
                           DOCA_PRIV_MLX5_RINGS((size_t)(num_tasks) + 1) +                         \
                           DOCA_PRIV_EVENT_STOCKED(num_tasks) * DOCA_CORE_LINE))

/* _WQES: upper bound of the number of WQEs of a queue with `num_tasks` tasks. _RINGS: bytes of its
 * rings: the completion queue (CQ), the send queue (SQ), a page for the peer's SQ, and a page for
 * alignment. _SMEAR: a step of setting all bits below the highest set bit of `n`; _POWER uses it to
 * round up to a power of two. */
#define DOCA_PRIV_MLX5_SMEAR(n, log) ((n) | (n) >> (log))
#define DOCA_PRIV_MLX5_SMEAR_4(n) DOCA_PRIV_MLX5_SMEAR(DOCA_PRIV_MLX5_SMEAR(n, 1), 2)
#define DOCA_PRIV_MLX5_SMEAR_16(n) DOCA_PRIV_MLX5_SMEAR(DOCA_PRIV_MLX5_SMEAR(n, 4), 8)
#define DOCA_PRIV_MLX5_POWER(n) /* smallest power of two >= n, for 2 <= n <= 65536 */              \
    (DOCA_PRIV_MLX5_SMEAR_16(DOCA_PRIV_MLX5_SMEAR_4((size_t)(n) - 1)) + 1)
#define DOCA_PRIV_MLX5_MIN_WQES DOCA_PRIV_MLX5_POWER(2 * DOCA_CORE_MLX5_MAX_LIST)
#define DOCA_PRIV_MLX5_WQES(num_tasks)                                                             \
    ((size_t)(num_tasks) <= DOCA_PRIV_MLX5_MIN_WQES         ? DOCA_PRIV_MLX5_MIN_WQES              \
     : (size_t)(num_tasks) >= DOCA_CORE_MLX5_MAX_WQES ? (size_t)DOCA_CORE_MLX5_MAX_WQES            \
                                                         : DOCA_PRIV_MLX5_POWER(num_tasks))
#define DOCA_PRIV_MLX5_RING(num_wqes) /* bytes, rounded up to whole pages */                       \
    (((num_wqes) * 64 + DOCA_CORE_MLX5_PAGE - 1) / DOCA_CORE_MLX5_PAGE * DOCA_CORE_MLX5_PAGE)
#define DOCA_PRIV_MLX5_RINGS(num_tasks)                                                            \
    (2 * DOCA_PRIV_MLX5_RING(DOCA_PRIV_MLX5_WQES(num_tasks)) + (size_t)2 * DOCA_CORE_MLX5_PAGE)

#endif
