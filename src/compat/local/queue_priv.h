/* ---- >>priv.local.queue ----------------------------------------------------------------------
 * The common code of queues that no device serves: those of Comch, and of RDMA on software
 * devices.                                                                                       */
#ifndef DOCA_SRC_COMPAT_LOCAL_QUEUE_PRIV_H
#define DOCA_SRC_COMPAT_LOCAL_QUEUE_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "object/hot_trace.h"
#include "device/backend.h"
#include "device/device.h"
#include "progress/task.h"
#include "fault/plan_priv.h"
#include "fault/queue_priv.h"
#include "fault/text_priv.h"

#ifndef DOCA_PRIV_LOCAL_QUEUE /* several headers contain this part */
#define DOCA_PRIV_LOCAL_QUEUE

/* The functions of a kind of queue, in the form of the table of a backend that has no devices. */
#define DOCA_PRIV_LOCAL_TABLE(name, bytes, opening, close, flush, ready, fd, arm)                  \
    {                                                                                              \
        name, NULL, NULL, NULL, NULL, NULL, NULL, bytes, NULL, opening, close, flush, ready, fd,   \
            arm, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,     \
            NULL, NULL, 0, false, NULL, NULL, NULL, NULL,                                          \
    }

/* Define `wrapper`: a table that puts fault injection (>>fault) around the queues of the table
 * `inner`. `bytes` is queue_bytes of that table; struct doca_priv_fault_wrapper explains
 * `first_op`, `first_task_op` and `set_fate`. DOCA_PRIV_LOCAL_OF gives the table for contexts of
 * the device `dev`: that of the wrapper when the device has fault injection. ctx->queue is then the
 * queue of the wrapper, so that parts that need the queue of `inner` between two calls of the core
 * keep its address from open. */
#if defined(DOCA_CORE_NO_FAULT)
#define DOCA_PRIV_LOCAL_WRAPPER(wrapper, name, bytes, inner, first_op, first_task_op, set_fate)
#define DOCA_PRIV_LOCAL_OF(dev, inner, wrapper) ((void)(dev), &(inner))
#else
#define DOCA_PRIV_LOCAL_WRAPPER(wrapper, name, bytes, inner, first_op, first_task_op, set_fate)    \
    static const struct doca_priv_fault_wrapper wrapper = {                                        \
        DOCA_PRIV_LOCAL_TABLE(name, bytes, doca_priv_fault_queue_opening,                          \
                              doca_priv_fault_queue_close, doca_priv_fault_queue_flush,            \
                              doca_priv_fault_queue_ready, doca_priv_fault_queue_fd,               \
                              doca_priv_fault_queue_arm),                                          \
        &(inner), first_op, first_task_op, set_fate                                                \
    };
#define DOCA_PRIV_LOCAL_OF(dev, inner, wrapper)                                                    \
    ((dev)->backend == (dev)->info.backend ? &(inner) : &(wrapper).table)
#endif

/* Add a task to the list of ended tasks. poll returns the tasks in the order of this list. */
DOCA_PRIV_HOT void doca_priv_local_end_task(struct doca_core_queue *queue, struct doca_task *task,
                                            doca_error_t status)
{
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_END, task, 0, 0);)
    task->status = (uint8_t)status;
    task->next = NULL;
    if (queue->first == NULL)
        queue->first = task;
    else
        queue->last->next = task;
    queue->last = task;
}

DOCA_PRIV_HOT struct doca_task *doca_priv_local_take_ended(struct doca_core_queue *queue)
{
    struct doca_task *task = queue->first;

    if (task != NULL)
        queue->first = task->next;
    return task;
}
#endif

#endif
