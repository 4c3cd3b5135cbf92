/* ---- >>task ---------------------------------------------------------------------------------
 * A task is one unit of work. This structure is its common first part. Contexts allocate tasks
 * when they start. States:
 *   free       in the free list of the context
 *   owned      the program may change, submit or free the task: from alloc_init to submit, and
 *              again when its callback begins
 *   submitted  in flight: the task belongs to the library until its callback runs
 *   held       the task belongs to a batch or a submitted graph instance, which will submit it; the
 *              program may change the task, but not submit or free it
 * Source: DOCA Core Programming Guide, "DOCA Task"; public 3.0 reference, "DOCA PE".            */
#ifndef DOCA_SRC_PROGRESS_TASK_H
#define DOCA_SRC_PROGRESS_TASK_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"

struct doca_task {
    uint8_t kind; /* written together with state and life, as one word */
    uint8_t state;
    uint16_t life;          /* checked mode: low bits of a serial number */
    uint8_t status;         /* a doca_error_t; the backend sets it before poll returns the task */
    uint8_t type;           /* index of its type in the context */
    uint8_t batch;          /* 1 + index of the batch that contains it, or 0 */
    uint8_t more;           /* DOCA_CORE_MORE_*, set during a call of post */
    struct doca_task *next; /* next in the free list; while submitted, for use by the backend */
    struct doca_ctx *ctx;
    union doca_data user_data;
    void (*done)(struct doca_task *task); /* calls the completion callback of the program */
};

/* Values of task.more: when the backend must make a posted task visible to its device. */
enum {
    DOCA_CORE_MORE_NONE = 0,    /* at once, together with all deferred tasks */
    DOCA_CORE_MORE_AT_ONCE = 1, /* at once, or with the task that is posted right after it */
    DOCA_CORE_MORE_LATER = 2    /* deferred until a post of another kind or queue_ring() */
};

enum {
    DOCA_PRIV_TASK_FREE = 0,
    DOCA_PRIV_TASK_OWNED = 1,
    DOCA_PRIV_TASK_SUBMITTED = 2,
    DOCA_PRIV_TASK_HELD = 3
};

/* Value of task.type of an event. An event is a task that poll returns but that no program has
 * submitted. */
#define DOCA_PRIV_TASK_EVENT UINT8_MAX

/* Called once for a completed task, either as its success or as its error callback. */
typedef void (*doca_task_completion_cb_t)(struct doca_task *task, union doca_data task_user_data,
                                          union doca_data ctx_user_data);

/* Submit a task to the device. Errors in its buffers are found by the device, as on hardware: the
 * error callback reports IO_FAILED and the context stops. (With DOCA_CORE_CHECK 2, buffers are
 * checked as in doca_task_try_submit().)
 *
 * Owns      on SUCCESS the task belongs to the library until its callback; otherwise the program
 *           keeps it
 * Callback  allowed inside task callbacks, for the same task and for other tasks
 * Cost      O(1); no lock, no system call, except one write to wake an armed PE
 * Errors    INVALID_VALUE  also: source or destination is NULL
 *           BAD_STATE      the context is not running, or the task is free, submitted or held
 *           AGAIN          the device queue is full; call doca_pe_progress() and try again
 *           any            other errors of the backend; the program keeps the task */
DOCA_CORE_DECL doca_error_t doca_task_submit(struct doca_task *task);

/* Flags of doca_task_submit_ex() (later versions), a bit mask. */
enum doca_task_submit_flag {
    DOCA_TASK_SUBMIT_FLAG_NONE = 0,
    DOCA_TASK_SUBMIT_FLAG_FLUSH = 1 << 0,           /* pass the task to the device, as
                                                     * doca_task_submit() does */
    DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS = 1 << 1 /* no effect here */
};

/* Submit a task with flags (later versions). Without FLUSH, the context defers the task; a deferred
 * task counts as in flight. Deferred tasks are passed to the device, in order, by the next submit
 * with FLUSH (of any task of the context, with any function), or by doca_ctx_flush_tasks(). If the
 * context stops first, they are flushed like other tasks.
 *
 * Owns      as doca_task_submit()
 * Callback  as doca_task_submit()
 * Cost      as doca_task_submit()
 * Errors    as doca_task_submit(), and
 *           INVALID_VALUE  also: a flag is unknown */
DOCA_CORE_DECL doca_error_t doca_task_submit_ex(struct doca_task *task, uint32_t flags);

/* Check everything that the device would reject, then submit the task. For development.
 *
 * Cost      O(elements of its lists); the overlap check takes the product of both list lengths
 * Errors    as doca_task_submit(), and
 *           INVALID_VALUE  a buffer is released; the source exceeds the size limit of the device,
 *                          or a list its length limit; the destination has too little room; an mmap
 *                          was not started on the device. Copies: the source is empty, or the lists
 *                          overlap. Partial hashes: the length of a segment before the last is not
 *                          a multiple of the block size
 *           NOT_PERMITTED  the destination mmap lacks local write permission, the exporter of the
 *                          source does not permit reading, or an mmap was imported so that only
 *                          RDMA tasks reach it
 *           BAD_STATE      partial hash: the session already has its result */
DOCA_CORE_DECL doca_error_t doca_task_try_submit(struct doca_task *task);

/* Free a task. A context can become idle only when all of its tasks are free. NULL does nothing. A
 * task that is free, submitted or held is logged and left unchanged, except a
 * submitted receive task of Comch, which is withdrawn and freed.
 *
 * Callback  allowed
 * Cost      O(1) */
DOCA_CORE_DECL void doca_task_free(struct doca_task *task);

/* Get properties of a task, or set its user data. The status is the status of the latest submission
 * (SUCCESS before the first); the callbacks receive the user data. Setting the user data of a free
 * task is logged and ignored. For NULL, the getters return INVALID_VALUE, 0 and NULL. */
DOCA_CORE_DECL doca_error_t doca_task_get_status(const struct doca_task *task);
DOCA_CORE_DECL void doca_task_set_user_data(struct doca_task *task, union doca_data user_data);
DOCA_CORE_DECL union doca_data doca_task_get_user_data(const struct doca_task *task);
DOCA_CORE_DECL struct doca_ctx *doca_task_get_ctx(const struct doca_task *task);

/* A copy task. Other task types with buffers begin with the same members. */
struct doca_dma_task_memcpy {
    struct doca_task task;
    const struct doca_buf *src;
    struct doca_buf *dst;
    DOCA_PRIV_CHECKED(uint64_t lives[2];) /* serial numbers of src and dst */
    uint64_t backend_data; /* for use by the backend while submitted */
};

#endif
