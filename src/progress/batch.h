/* ---- >>batch --------------------------------------------------------------------------------
 * A batch is a group of tasks of one context. One call submits all tasks, and one callback reports
 * them after all have finished (later versions). The vendor's batches are created by its network
 * queues and contain tasks of these queues. Here, doca_core_ctx_set_task_batch_conf() and
 * doca_core_task_batch_alloc_init() create batches for any type of task:
 *     set_conf -> start -> alloc_init -> task's alloc_init, add ... -> submit -> callback -> free
 * A task belongs to the batch from add to free; its own callbacks are not called.
 * Threads: one at a time, the thread of the PE.
 * Source: public 3.0 reference, "DOCA PE".                                                      */
#ifndef DOCA_SRC_PROGRESS_BATCH_H
#define DOCA_SRC_PROGRESS_BATCH_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "object/arena.h"
#include "progress/ctx.h"

enum doca_task_batch_max_tasks_number {
    DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16,
    DOCA_TASK_BATCH_MAX_TASKS_NUMBER_32,
    DOCA_TASK_BATCH_MAX_TASKS_NUMBER_64,
    DOCA_TASK_BATCH_MAX_TASKS_NUMBER_128
};

struct doca_task_batch { /* followed by an array of pointers to its tasks */
    struct doca_priv_object obj; /* obj.state is DOCA_PRIV_TASK_FREE, _OWNED or _SUBMITTED */
    uint16_t num;
    uint16_t num_left; /* number of tasks in flight */
    doca_error_t status;
    struct doca_ctx *ctx;
    struct doca_task_batch *next; /* next in the free list */
    union doca_data user_data;
};

#ifndef DOCA_CORE_NO_BATCH

/* Bytes that `num_batches` batches of up to `max_tasks` tasks add to a started context. `max_tasks`
 * is a number, not an enumerator. The bytes are part of the block that start allocates, so no
 * header line is included. */
#define DOCA_CORE_BYTES_TASK_BATCH(num_batches, max_tasks)                                         \
    ((size_t)(num_batches) * (DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_task_batch) +               \
                                                    (size_t)(max_tasks) * sizeof(void *)) -        \
                              DOCA_CORE_LINE))
DOCA_CORE_DECL doca_error_t doca_core_bytes_task_batch(
    uint32_t num_batches, enum doca_task_batch_max_tasks_number max_tasks, size_t *bytes);

/* Enable batches in a context, from its next start. May be called again while the context is idle.
 *
 *   max_tasks            capacity of each batch
 *   num_batches          number of batches that can be allocated at the same time, 1 to 255
 *   batch_completion_cb  called if every task of the batch succeeded
 *   batch_error_cb       called if a task failed; may be the same function
 *
 * Errors    INVALID_VALUE  also: num_batches is out of range, or max_tasks is not an enumerator
 *           BAD_STATE      the context is not idle */
DOCA_CORE_DECL doca_error_t doca_core_ctx_set_task_batch_conf(
    struct doca_ctx *ctx, enum doca_task_batch_max_tasks_number max_tasks, uint32_t num_batches,
    doca_core_task_batch_completion_cb_t batch_completion_cb,
    doca_core_task_batch_completion_cb_t batch_error_cb);

/* Allocate a batch without tasks.
 *
 * Callback  allowed
 * Cost      O(1)
 * Errors    BAD_STATE  the context is not running
 *           NO_MEMORY  all batches are allocated, or batches are not enabled */
DOCA_CORE_DECL doca_error_t doca_core_task_batch_alloc_init(struct doca_ctx *ctx,
                                                            union doca_data user_data,
                                                            struct doca_task_batch **task_batch);

/* Append a task to the batch; the program must own the task. Or return the task at `index`, or NULL
 * when the batch has fewer tasks.
 *
 * Owns      freeing the batch frees the task
 * Callback  allowed
 * Cost      O(1)
 * Errors    INVALID_VALUE  also: the task belongs to another context
 *           BAD_STATE      the batch is free or submitted; the task is free, submitted or held
 *           FULL           the batch already has max_tasks tasks */
DOCA_CORE_DECL doca_error_t doca_core_task_batch_add(struct doca_task_batch *task_batch,
                                                     struct doca_task *task);
DOCA_CORE_DECL struct doca_task *doca_core_task_batch_get_task(
    const struct doca_task_batch *task_batch, uint16_t index);

/* Submit all tasks of a batch, in order, as doca_task_submit() or doca_task_try_submit() would. If
 * one task fails the checks of this call, no task is submitted. Tasks that do not fit into the
 * device queue are submitted later, by doca_pe_progress(). A task that the backend rejects for
 * another reason does not make this call fail: it completes with that error. Each task counts as in
 * flight individually, and a call of doca_pe_progress() completes at most one of them.
 *
 * Owns      on SUCCESS the batch belongs to the library until its callback
 * Callback  allowed
 * Cost      O(tasks)
 * Errors    INVALID_VALUE  also: the batch is empty; source or destination of a task is NULL
 *           BAD_STATE      the context is not running, or the batch is free or submitted
 *           any            try_submit: the error that doca_task_try_submit() gives for a task */
DOCA_CORE_DECL doca_error_t doca_task_batch_submit(struct doca_task_batch *task_batch);
DOCA_CORE_DECL doca_error_t doca_task_batch_try_submit(struct doca_task_batch *task_batch);

/* Free a batch and its tasks. A context can become idle only when its batches and tasks are free.
 * NULL does nothing. A free or submitted batch is logged and left unchanged.
 *
 * Callback  allowed
 * Cost      O(tasks) */
DOCA_CORE_DECL void doca_task_batch_free(struct doca_task_batch *task_batch);

/* Get properties of a batch, or set its user data, like the functions for tasks. The status of a
 * batch is the status of the first task that failed in the latest submission; each task also has
 * its own status. */
DOCA_CORE_DECL doca_error_t doca_task_batch_get_status(const struct doca_task_batch *task_batch);
DOCA_CORE_DECL void doca_task_batch_set_user_data(struct doca_task_batch *task_batch,
                                                  union doca_data user_data);
DOCA_CORE_DECL union doca_data doca_task_batch_get_user_data(
    const struct doca_task_batch *task_batch);
DOCA_CORE_DECL struct doca_ctx *doca_task_batch_get_ctx(const struct doca_task_batch *task_batch);
DOCA_CORE_DECL union doca_data doca_task_batch_get_ctx_user_data(
    const struct doca_task_batch *task_batch);
DOCA_CORE_DECL uint16_t doca_task_batch_get_tasks_num(struct doca_task_batch *task_batch);

#endif /* DOCA_CORE_NO_BATCH */

#endif
