/* ---- >>priv.local.queue ----------------------------------------------------------------------
 * What queues that no device serves have in common.                                             */
#ifndef DOCA_SRC_COMPAT_LOCAL_QUEUE_PRIV_H
#define DOCA_SRC_COMPAT_LOCAL_QUEUE_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "device/backend.h"
#include "progress/task.h"

#ifndef DOCA_PRIV_LOCAL_QUEUE /* several headers contain this part */
#define DOCA_PRIV_LOCAL_QUEUE

/* The functions of a kind of queue, as the table of a backend that has no devices. */
#define DOCA_PRIV_LOCAL_TABLE(name, bytes, opening, close, flush, ready, fd, arm)                  \
    {                                                                                              \
        name, NULL, NULL, NULL, NULL, NULL, NULL, bytes, NULL, opening, close, flush, ready, fd,   \
            arm, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,     \
            NULL, NULL, 0, false, NULL, NULL, NULL, NULL,                                          \
    }

/* Add a task to the list of ended tasks. poll returns the tasks in the order of this list. */
DOCA_PRIV_HOT void doca_priv_local_end_task(struct doca_core_queue *queue, struct doca_task *task,
                                            doca_error_t status)
{
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
