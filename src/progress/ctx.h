/* ---- >>ctx ----------------------------------------------------------------------------------
 * A context is the common part of all engines. It is the first member of doca_dma, doca_sha,
 * doca_mmap_advise, doca_sync_event and the contexts of Comch and RDMA. States:
 *     IDLE -> (STARTING ->) RUNNING -> STOPPING -> IDLE
 *   IDLE      can be configured
 *   RUNNING   tasks can be allocated and submitted
 *   STOPPING  tasks in flight finish, or are flushed with DOCA_ERROR_SHUTDOWN. When the program
 *             has freed every task, the next doca_pe_progress() makes the context IDLE.
 * Stopping a context without allocated tasks makes it IDLE at once, except servers and clients of
 * Comch, which must first end their connections. A failed task can stop its context; the tasks
 * submitted after it then fail with IO_FAILED, except tasks that the device had already completed.
 * If a device fails, all of its contexts stop, even contexts without tasks.
 * Threads: one at a time, the thread of the PE.
 * Source: DOCA Core Programming Guide, "DOCA Context"; API reference, "DOCA Context".           */
#ifndef DOCA_SRC_PROGRESS_CTX_H
#define DOCA_SRC_PROGRESS_CTX_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"

/* Called for a state change. Runs in doca_pe_progress(), once for each change, in order, as the
 * only callback of that call. The callback may configure, start, stop and use the context, and
 * destroy it if next_state is IDLE. */
typedef void (*doca_ctx_state_changed_callback_t)(const union doca_data user_data,
                                                  struct doca_ctx *ctx,
                                                  enum doca_ctx_states prev_state,
                                                  enum doca_ctx_states next_state);

#define DOCA_PRIV_CTX_TYPES 11 /* maximum number of task types */

struct doca_priv_task_stock { /* tasks of one type; an array of these follows struct doca_ctx */
    void (*done)(struct doca_task *task);
    uint32_t num;        /* number of tasks configured; 0: type disabled */
    uint32_t task_bytes; /* bytes per task, whole lines */
};

/* Called once for a completed batch (see >>batch): as its completion callback if all its tasks
 * succeeded, otherwise as its error callback. */
typedef void (*doca_core_task_batch_completion_cb_t)(struct doca_task_batch *task_batch,
                                                     uint16_t num_tasks,
                                                     union doca_data task_batch_user_data,
                                                     union doca_data ctx_user_data);

struct doca_priv_batch_stock {
    struct doca_task_batch *free_batches;
    unsigned char *first; /* the batches, in the block that start allocates */
    uint32_t num;
    uint32_t max_tasks; /* capacity of each batch */
    doca_core_task_batch_completion_cb_t done;
    doca_core_task_batch_completion_cb_t failed;
};

struct doca_priv_engine; /* the part of a context type above the backend; see task_priv.h */

#define DOCA_CORE_SW_BYTES_QUEUE DOCA_CORE_LINE /* queue size of the software device, in bytes */

#define DOCA_PRIV_CTX_EVENTS 8 /* maximum number of unreported state changes */

struct doca_ctx {
    struct doca_priv_object obj; /* obj.state is an enum doca_ctx_states */
    uint32_t num_inflight;
    uint32_t num_out; /* number of tasks and batches that are not free, while STOPPING */
    struct doca_core_queue *queue; /* start of the block that start allocates; NULL while idle */
    /* `post` is NULL for doca_core_queue_append(), which is inlined. Otherwise it is the queue's
     * post, or doca_priv_task_post_other() while each submit needs additional work. `poll` is the
     * queue's poll, or a function that always returns NULL while `attention` is set. */
    doca_error_t (*post)(struct doca_core_queue *queue, struct doca_task *task);
    struct doca_task *(*poll)(struct doca_core_queue *queue);
    union doca_data user_data;
    struct doca_ctx *active_next; /* ring of the PE's active contexts; NULL: not in the ring */
    struct doca_ctx *active_prev;
    struct doca_task *free_tasks[DOCA_PRIV_CTX_TYPES]; /* free lists by task type */
    DOCA_PRIV_CHECKED(struct doca_task *last_free[DOCA_PRIV_CTX_TYPES];
                      uint32_t num_free[DOCA_PRIV_CTX_TYPES];) /* free tasks that may be
                                                                * allocated */

    /* members that the data path rarely uses */
    struct doca_pe *pe;
    uint8_t attention; /* doca_pe_progress() must do more than poll the queue */
    uint8_t can_hold;  /* `post` is the queue's post, and the queue can defer tasks */
    uint8_t num_stocks;
    uint8_t num_events;
    uint8_t events[DOCA_PRIV_CTX_EVENTS]; /* each is: previous state * 4 + next state */
    uint32_t lane; /* index of the context's lane in the graph that was compiled last; a hint */
    doca_ctx_state_changed_callback_t state_cb;
    const struct doca_priv_engine *engine;
    const struct doca_core_backend *backend; /* backend of the device, or of the library itself */
    struct doca_dev *dev;                    /* NULL for a context without a device */
    struct doca_core_arena *arena;
    struct doca_ctx *pe_next; /* next in the list of the PE: `ctxs` or `watched` */
    struct doca_ctx **pe_link; /* the pointer in this list that points to the context */
    struct doca_task *deferred; /* submitted without FLUSH and not yet posted; a list */
    struct doca_task *kept_last;
    struct doca_task *refused; /* in flight, but rejected by the queue; doca_pe_progress() completes
                                * them */
    struct doca_task *refused_last;
    bool must_post;  /* posting deferred tasks found the queue full; progress retries */
    uint16_t stats;  /* number of the context's counters (>>stats); 0: no counters. Constant while
                      * not IDLE */
    uint32_t serial; /* distinguishes contexts that used the same memory */
    DOCA_PRIV_CHECKED(uint32_t num_children;) /* graph nodes that refer to this context */
    struct doca_priv_batch_stock batches;
};

/* Start a context: allocate all resources and begin to run.
 *
 * Owns      one block of the context's arena until the context is idle again
 * Errors    IN_PROGRESS       the device needs time: the context is STARTING until
 *                             doca_pe_progress() makes it RUNNING
 *           BAD_STATE         the context is not idle, or no task type is configured
 *           NOT_CONNECTED     the context has no PE
 *           NOT_SUPPORTED     the device has no such engine
 *           NO_MEMORY         the arena is exhausted
 *           OPERATING_SYSTEM  the handle of the PE cannot watch the device, or the process has no
 *                             file descriptor left
 *           DRIVER            the device has failed; it may work again later
 *           INITIALIZATION    the backend failed to open the queue; a backend may give another code
 */
DOCA_CORE_DECL doca_error_t doca_ctx_start(struct doca_ctx *ctx);

/* Stop a context. Without tasks in flight or allocated, it is IDLE at once. Stopping an idle
 * context does nothing.
 *
 * Callback  allowed, including callbacks of the context's own tasks
 * Errors    IN_PROGRESS  tasks are not free: the context is STOPPING until doca_pe_progress() makes
 *                        it IDLE
 *           BAD_STATE    the context is a sync event that doca_sync_event_start() started */
DOCA_CORE_DECL doca_error_t doca_ctx_stop(struct doca_ctx *ctx);

/* Pass the tasks that were submitted without FLUSH to the device (later versions). Allowed in any
 * state.
 *
 * Callback  allowed
 * Cost      O(tasks) */
DOCA_CORE_DECL void doca_ctx_flush_tasks(struct doca_ctx *ctx);

/* Get the state, or the number of tasks in flight. A task is in flight from submit to its
 * callback. */
DOCA_CORE_DECL doca_error_t doca_ctx_get_state(const struct doca_ctx *ctx,
                                               enum doca_ctx_states *state);
DOCA_CORE_DECL doca_error_t doca_ctx_get_num_inflight_tasks(const struct doca_ctx *ctx,
                                                            size_t *num_inflight_tasks);

/* Set or get a value that every callback of the context receives; initially 0. Allowed in any
 * state. */
DOCA_CORE_DECL doca_error_t doca_ctx_set_user_data(struct doca_ctx *ctx, union doca_data user_data);
DOCA_CORE_DECL doca_error_t doca_ctx_get_user_data(const struct doca_ctx *ctx,
                                                   union doca_data *user_data);

/* Set the function that is called for every later state change; NULL removes it. Allowed in any
 * state. Setting a different function discards unreported changes. Up to 8 changes wait for
 * doca_pe_progress(). If there are more, the two oldest are merged into one, with a warning. */
DOCA_CORE_DECL doca_error_t doca_ctx_set_state_changed_cb(struct doca_ctx *ctx,
                                                          doca_ctx_state_changed_callback_t cb);

/* Move the data path to another processor. Not supported.
 *
 * Errors    BAD_STATE      the context is not idle
 *           NOT_SUPPORTED  otherwise */
DOCA_CORE_DECL doca_error_t doca_ctx_set_datapath_on_dpa(struct doca_ctx *ctx,
                                                         struct doca_dpa *dpa_dev);
DOCA_CORE_DECL doca_error_t doca_ctx_set_datapath_on_gpu(struct doca_ctx *ctx,
                                                         struct doca_gpu *gpu_dev);

/* Choose the interrupt vector of the device that reports completed tasks, or get the number of
 * vectors (later versions). Every device has one vector, number 0.
 *
 * Errors    INVALID_VALUE  set: the device has no such vector
 *           BAD_STATE      set: the context is not idle */
DOCA_CORE_DECL doca_error_t doca_ctx_set_completion_vector(struct doca_ctx *ctx,
                                                           uint32_t comp_vector);
DOCA_CORE_DECL doca_error_t doca_ctx_cap_get_num_completion_vectors(
    const struct doca_devinfo *devinfo, uint32_t *num_comp_vectors);

#endif
