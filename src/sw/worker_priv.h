/* ---- >>priv.sw.worker ------------------------------------------------------------------------
 * Queues that workers serve: the memory that the thread of the PE and the workers share. Terms:
 *     mailbox (box)  a cache line that carries one request to the executing thread and its answer
 *                    back
 *     lane           a ring of mailboxes between one queue and one of the workers that serve it
 *     post, reap     the thread of the PE writes a request into a mailbox, and takes its answer out
 *     hold           a worker holds a lane while it has the lane's lock; it executes the requests
 *                    of the lanes that it holds
 *     arm, signal    the program requests a notification; the lane's descriptor becomes readable
                                                                                                 */
#ifndef DOCA_SRC_SW_WORKER_PRIV_H
#define DOCA_SRC_SW_WORKER_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "object/hot_trace.h"
#include "device/backend.h"
#include "sw/copy_priv.h"
#include "sw/lanes_priv.h"
#include "sw/sha_priv.h"
#include "sw/sw_priv.h"

struct doca_core_sw_worker;
struct doca_priv_sha_kernels;
struct doca_priv_sw_dma_queue;
struct doca_priv_sw_sha_queue;

enum { /* state of a mailbox; 0: never used */
    DOCA_PRIV_SW_POSTED = 1,  /* contains a request */
    DOCA_PRIV_SW_DONE = 2,    /* contains an answer: the request was executed */
    DOCA_PRIV_SW_SKIPPED = 3, /* contains an answer: the request was flushed before it began */
    DOCA_PRIV_SW_UNMAPPED = 4 /* contains an answer: the checked mode found unmapped memory */
};

/* mode of a lane: no worker serves it, a worker serves it, its worker sleeps */
enum { DOCA_PRIV_SW_ABSENT = 0, DOCA_PRIV_SW_AWAKE = 1, DOCA_PRIV_SW_ASLEEP = 2 };

#define DOCA_PRIV_SW_PREFETCH_AHEAD 12 /* distance of the prefetched mailbox from the reaped one */

struct doca_priv_sw_box {
    DOCA_CORE_ALIGNED uint32_t state; /* DOCA_PRIV_SW_POSTED and so on */
    uint8_t algorithm;
    const unsigned char *from; /* source, in this process */
    size_t len;
    unsigned char *to;
    size_t grows;         /* bytes that the task appends at `to` */
    struct doca_buf *dst; /* buffer that grows by these bytes */
};

struct doca_priv_sw_lane {
    /* written by the thread of the PE */
    DOCA_CORE_ALIGNED uint32_t post_at; /* index of the next mailbox to post to */
    uint32_t reap_at;                   /* index of the next mailbox to reap */
    uint32_t num_posted;                /* posted and not yet reaped */
    uint32_t num_reaped;                /* number of tasks that were ever reaped; wraps */
    struct doca_task *first; /* posted tasks, in order. They are not linked through the mailboxes,
                              * so that a reap need not wait for a mailbox line */
    struct doca_task *last;

    /* written by the thread that executes */
    DOCA_CORE_ALIGNED uint32_t head; /* index of the oldest request */
    uint32_t num_done;               /* number of answers so far; wraps */
    uint32_t signalled;              /* value of `armed` when this side last signalled */
    bool is_held;                    /* the worker holds the lane */

    /* Read by all threads and rarely written. Since CPUs fetch lines in pairs, this line may be
     * next to the mailboxes. */
    DOCA_CORE_ALIGNED uint32_t mode; /* DOCA_PRIV_SW_ABSENT, _AWAKE or _ASLEEP; set by the worker */
    uint32_t lock;                   /* held by the thread that executes */
    uint32_t is_flushed;             /* set by the thread of the PE, as are armed and armed_at */
    uint32_t armed;                  /* number of the current arming; 0: not armed */
    uint32_t armed_at;               /* num_reaped at the time of arming */
    uint32_t num_boxes;
    struct doca_priv_sw_box *boxes;
    const struct doca_priv_sha_kernels *kernels; /* hash functions; NULL: the lane copies */
    struct doca_core_sw_worker *worker;
    struct doca_priv_sw_lane *next; /* next lane of the worker */
    int fd;
};

/* The members of a queue that workers serve, except its head: the lanes, and a plain queue for the
 * tasks that workers do not execute. */
struct doca_priv_sw_served {
    union {
        struct doca_core_queue queue;
        struct doca_priv_sw_dma_queue dma;
        struct doca_priv_sw_sha_queue sha;
    } plain; /* executed by the thread of the PE, in poll */
    struct doca_priv_sw_lane *lanes;
    uint32_t num_lanes;
    uint32_t next_post;  /* index of the lane that the next post tries first */
    uint32_t next_reap;  /* index of the lane that the next poll tries first */
    uint32_t num_arms;   /* number of the latest arming */
    doca_error_t status; /* status of flushed tasks */
    int fd;              /* readable when a task finishes while the queue is armed; -1: the
                          * system has no eventfd */
    bool is_plain_next;  /* alternates while `plain` has tasks: true when the latest poll went to
                          * it */
};

struct doca_priv_sw_served_queue {
    struct doca_core_queue queue;
    struct doca_priv_sw_served *served;
};

#if DOCA_CORE_CHECK >= 2
DOCA_PRIV_DECL uint32_t doca_priv_sw_box_check(const struct doca_priv_sw_lane *lane,
                                               const struct doca_priv_sw_box *box);
#endif
DOCA_PRIV_DECL bool doca_priv_sw_lane_hold(struct doca_priv_sw_lane *lane);
DOCA_PRIV_DECL void doca_priv_sw_worker_enter(struct doca_core_sw_worker *worker);
DOCA_PRIV_DECL void doca_priv_sw_worker_leave(struct doca_core_sw_worker *worker);
DOCA_PRIV_DECL void doca_priv_sw_worker_wake(struct doca_core_sw_worker *worker);
DOCA_PRIV_DECL bool doca_priv_sw_has_workers(const struct doca_dev *dev);

/* Answer the oldest request of the lane. */
DOCA_PRIV_HOT void doca_priv_sw_lane_answer(struct doca_priv_sw_lane *lane,
                                            struct doca_priv_sw_box *box, uint32_t outcome)
{
    lane->head = lane->head + 1 < lane->num_boxes ? lane->head + 1 : 0;
    lane->num_done++;
    DOCA_PRIV_STORE(&box->state, outcome);
}

/* Execute the request in a mailbox, a copy or a hash. */
DOCA_PRIV_HOT void doca_priv_sw_box_execute(const struct doca_priv_sw_lane *lane,
                                            const struct doca_priv_sw_box *box)
{
    DOCA_PRIV_WITH_SHA(if (lane->kernels != NULL) {
        doca_priv_sha_hash(lane->kernels->one, box->algorithm, box->from, box->len, box->to);
        return;
    })
    DOCA_PRIV_WITH_DMA(if (box->len - 32 <= 32) {
        doca_priv_sw_copy_small(box->to, box->from, box->len);
        return;
    })
    doca_priv_sw_copy(box->to, box->from, box->len);
    (void)lane;
}

/* Execute the oldest request of the lane. Return false when the lane has no request. */
DOCA_PRIV_HOT bool doca_priv_sw_lane_execute(struct doca_priv_sw_lane *lane)
{
    struct doca_priv_sw_box *box = &lane->boxes[lane->head];
    uint32_t outcome = DOCA_PRIV_SW_DONE;

    if (DOCA_PRIV_LOAD(&box->state) != DOCA_PRIV_SW_POSTED)
        return false;
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, box, 0, 0);)
    if (doca_unlikely(DOCA_PRIV_LOAD(&lane->is_flushed) != 0))
        outcome = DOCA_PRIV_SW_SKIPPED;
    else
#if DOCA_CORE_CHECK >= 2
        outcome = doca_priv_sw_box_check(lane, box);
#else
        doca_priv_sw_box_execute(lane, box);
#endif
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_END, box, 0, 0);)
    doca_priv_sw_lane_answer(lane, box, outcome);
    return true;
}

#endif
