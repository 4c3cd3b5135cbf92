/* ---- >>hot.trace ----------------------------------------------------------------------------
 * Recording of events, for the data path.                                                       */
#ifndef DOCA_SRC_OBJECT_HOT_TRACE_H
#define DOCA_SRC_OBJECT_HOT_TRACE_H

#include "base/compiler.h"
#include "base/config.h"

/* The kinds of events. tools/trace reads them from this header; a number never changes, because
 * recordings are kept. Each comment names the object of the event, and then the contents of the
 * event's members `type`, `detail`, `other` and `amount`; a member that is not mentioned is 0.
 * Where `amount` stands for a context, PE or graph, it contains the doca_priv_trace_id() of the
 * object. */
enum {
    DOCA_PRIV_TRACE_NOTHING = 0,
    /* a submitted task. type: type of the task; other: bytes to read; amount: its context */
    DOCA_PRIV_TRACE_SUBMIT = 1,
    /* a task that its queue rejected. type: type of the task; detail: the error code */
    DOCA_PRIV_TRACE_RETURNED = 2,
    /* a backend's queue that notifies its device. amount: number of tasks */
    DOCA_PRIV_TRACE_DOORBELL = 3,
    /* a task that was assigned to a worker. other: address of the worker's mailbox */
    DOCA_PRIV_TRACE_ASSIGN = 4,
    /* a task, or the mailbox of a worker, that the engine begins and ends to execute. A device
     * begins at the doorbell, without a BEGIN; its END is when poll has seen the completion. A
     * receive task of RDMA begins when its message has come: on RDMA devices, when poll has seen
     * its completion. */
    DOCA_PRIV_TRACE_BEGIN = 5,
    DOCA_PRIV_TRACE_END = 6,
    /* begin and end of a task's callback. detail: status of the task; amount: its context. A
     * callback that does not return ends when its thread calls progress again. */
    DOCA_PRIV_TRACE_CALLBACK = 7,
    DOCA_PRIV_TRACE_CALLBACK_END = 8,
    /* a change of a context's state. type: type of the context; detail: the new state; other:
     * address of its queue; amount: its PE */
    DOCA_PRIV_TRACE_STATE = 9,
    /* a failed call with this object. type: type of the object; detail: the error code; other:
     * number of the log item; amount: length of the log line; the line follows in TEXT events */
    DOCA_PRIV_TRACE_REFUSAL = 10,
    /* the next 20 bytes of a text, in the members object, other and amount */
    DOCA_PRIV_TRACE_TEXT = 11,
    /* a PE: notification requested; notification cleared; handle became readable */
    DOCA_PRIV_TRACE_ARM = 12,
    DOCA_PRIV_TRACE_CLEAR = 13,
    DOCA_PRIV_TRACE_WAKE = 14,
    /* an mmap: exported; imported. other: a number that export and import have in common */
    DOCA_PRIV_TRACE_EXPORT = 15,
    DOCA_PRIV_TRACE_IMPORT = 16,
    /* a text of the program. amount: its length; the text follows in TEXT events */
    DOCA_PRIV_TRACE_MARK = 17,
    /* a batch: submitted; completed, before its callback. other: number of its tasks; detail: its
     * status; amount: its context */
    DOCA_PRIV_TRACE_BATCH = 18,
    DOCA_PRIV_TRACE_BATCH_END = 19,
    /* begin and end of a node of a graph instance. object: the node's slot in the instance; type:
     * DOCA_PRIV_NODE_*; detail: status of the node; other: the instance; amount: the graph. If the
     * function of a user node does not return, the end is recorded when a later call of progress
     * notices that, or when the instance fails. */
    DOCA_PRIV_TRACE_NODE = 20,
    DOCA_PRIV_TRACE_NODE_END = 21,
    /* a graph instance: submitted; completed, before its callback. detail: its status; amount: the
     * graph */
    DOCA_PRIV_TRACE_RUN = 22,
    DOCA_PRIV_TRACE_RUN_END = 23,
    /* an event of Comch or RDMA, before its callback. object: the connection; type: type of the
     * context; detail: what happened; other: length of a message in bytes; amount: the context */
    DOCA_PRIV_TRACE_EVENT = 24
};

#if DOCA_CORE_TRACE
#define DOCA_PRIV_TRACED(...) __VA_ARGS__

/* Return a 32-bit number that stands for a context, PE or graph. */
DOCA_PRIV_HOT uint32_t doca_priv_trace_id(const void *object)
{
    return (uint32_t)((uintptr_t)object / DOCA_CORE_LINE);
}

/* Record an event if a recording is running. `what`: kind | type << 8 | detail << 16. */
DOCA_CORE_DECL void doca_priv_trace(uint32_t what, const void *object, uint64_t other,
                                    uint32_t amount);
DOCA_CORE_DECL uint32_t doca_priv_trace_callback(uint32_t what, const void *task, uint32_t amount,
                                                 const void *pe);
DOCA_CORE_DECL void doca_priv_trace_callback_end(uint32_t serial);
DOCA_CORE_DECL void doca_priv_trace_end_left(const void *pe);
#else
#define DOCA_PRIV_TRACED(...)
#endif

#endif
