/* ---- >>priv.fault.queue ----------------------------------------------------------------------
 * A queue with fault injection: its memory, and its functions of the backend table. The head of
 * >>impl.fault.queue explains entries, and planned, finished and parked tasks.                  */
#ifndef DOCA_SRC_FAULT_QUEUE_PRIV_H
#define DOCA_SRC_FAULT_QUEUE_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "device/backend.h"
#include "memory/buf.h"
#include "fault/plan_priv.h"

struct doca_priv_fault_held;
struct doca_priv_fault_verdict;

/* A task that a fault concerns. */
struct doca_priv_fault_entry {
    struct doca_buf cut; /* for truncate: shortened copy of the first source buffer */
    struct doca_task *task;
    const struct doca_buf *src; /* for truncate: source of the task as submitted */
    struct doca_buf *dst;       /* for flip: first destination buffer with room; NULL when this
                                 * process cannot write to it */
    size_t dst_len;             /* for flip: data_len of `dst` before the task */
    struct doca_priv_fault_entry *next;
    struct doca_priv_fault_held held;
    uint64_t delay; /* DELAYED: in polls; TIMED: in ns. After the task has finished: the poll number
                     * or the time at which the delay ends */
    uint64_t salt; /* for flip: selects the bits; PARKED: number of the operation for the log
                    * line */
    uint32_t parked_until; /* PARKED: the task completes when q->num_returned has reached this
                            * number */
    uint32_t behind; /* BEHIND: completions to wait for; after the task has finished: the value of
                      * q->num_delivered to wait for */
    uint32_t flips; /* for flip: number of bits */
    uint8_t flags, code;
    uint8_t op;      /* PARKED and DOOMED: the operation that the log line names */
    uint8_t dst_max; /* for flip: trailing bytes of the output that may be changed */
};

struct doca_priv_fault_list {
    struct doca_priv_fault_entry *first;
    struct doca_priv_fault_entry **end; /* address of the pointer that will point to the next
                                         * element */
};

struct doca_priv_fault_queue {
    struct doca_core_queue queue;
    struct doca_core_queue *inner;
    const struct doca_core_backend *ops; /* the inner backend */
    const struct doca_ctx *refused;      /* context of the latest submit if a rule answered it with
                                          * AGAIN, else NULL */
    struct doca_priv_fault_entry *free_entries;
    struct doca_priv_fault_list planned, finished; /* see the head of >>impl.fault.queue */
    uint32_t num_altered; /* entries with truncate or flip */
    uint32_t first_op; /* the first operation of this kind of queue, such as DOCA_PRIV_FAULT_DMA */
    uint32_t num_posted; /* tasks that the inner queue has accepted; wraps */
    uint32_t num_returned; /* tasks that the inner queue has returned; wraps */
    uint32_t num_delivered; /* tasks that this queue has returned; wraps */
    uint64_t num_polls; /* polls so far; while the queue is opening, each queue_opening call counts
                         * as a poll */
    uint64_t quiet_until; /* number of the poll, or time, at which `is_quiet` ends */
    bool is_quiet;  /* a rule delays the flush or the opening: poll returns no task */
    bool is_quiet_timed; /* `quiet_until` is a time in ns instead of a poll */
    bool is_opening; /* the inner queue is opening */
    bool is_flushed; /* the inner queue was flushed */
    bool is_lost;    /* the device is lost or, for a queue without a device, the queue itself */
};

#define DOCA_PRIV_FAULT_HEAD ((size_t)7 * DOCA_CORE_LINE)
#define DOCA_PRIV_FAULT_ENTRY ((size_t)(DOCA_CORE_CHECK >= 2 ? 4 : 3) * DOCA_CORE_LINE)

DOCA_PRIV_DECL struct doca_priv_fault_queue *doca_priv_fault_q(struct doca_core_queue *queue);
DOCA_PRIV_DECL void doca_priv_fault_list_init(struct doca_priv_fault_list *list);
DOCA_PRIV_DECL void doca_priv_fault_entry_free(struct doca_priv_fault_queue *q,
                                               struct doca_priv_fault_entry *entry);
DOCA_PRIV_DECL void doca_priv_fault_make_quiet(struct doca_priv_fault_queue *q,
                                               const struct doca_priv_fault_verdict *v);
DOCA_PRIV_DECL doca_error_t doca_priv_fault_post(struct doca_core_queue *queue,
                                                 struct doca_task *task);
DOCA_PRIV_DECL struct doca_task *doca_priv_fault_poll(struct doca_core_queue *queue);
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_fault_drop(struct doca_core_queue *queue,
                                                          const struct doca_task *task);
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_fault_finds(
    struct doca_core_queue *queue,
    bool (*is_match)(const struct doca_task *task, const void *object), const void *object);
DOCA_PRIV_DECL bool doca_priv_fault_queue_ready(struct doca_core_queue *queue);
DOCA_PRIV_DECL void doca_priv_fault_queue_flush(struct doca_core_queue *queue, doca_error_t status);
DOCA_PRIV_DECL void doca_priv_fault_queue_close(struct doca_core_queue *queue);
DOCA_PRIV_DECL int doca_priv_fault_queue_fd(struct doca_core_queue *queue);
DOCA_PRIV_DECL void doca_priv_fault_queue_arm(struct doca_core_queue *queue, bool armed);
DOCA_PRIV_DECL void doca_priv_fault_queue_ring(struct doca_core_queue *queue);
DOCA_PRIV_DECL doca_error_t doca_priv_fault_queue_opening(struct doca_core_queue *queue);

#endif
