/* ---- >>hot.trace ----------------------------------------------------------------------------
 * Recording of events, for the data path.                                                       */
#ifndef DOCA_SRC_OBJECT_HOT_TRACE_H
#define DOCA_SRC_OBJECT_HOT_TRACE_H

#include "base/compiler.h"
#include "base/config.h"

/* The kinds of events. tools/trace reads them from this header; a number never changes, because
 * recordings are kept. "ctx id" is doca_priv_trace_id() of a context. */
enum {
    DOCA_PRIV_TRACE_NOTHING = 0,
    DOCA_PRIV_TRACE_SUBMIT = 1,       /* task; other: its bytes; amount: ctx id */
    DOCA_PRIV_TRACE_RETURNED = 2,     /* task that submit did not accept; detail: error code */
    DOCA_PRIV_TRACE_DOORBELL = 3,     /* queue of a backend; amount: number of tasks */
    DOCA_PRIV_TRACE_ASSIGN = 4,       /* task; other: mailbox of a worker */
    DOCA_PRIV_TRACE_BEGIN = 5,        /* task, or mailbox of a worker */
    DOCA_PRIV_TRACE_END = 6,          /* the same */
    DOCA_PRIV_TRACE_CALLBACK = 7,     /* task; amount: ctx id; detail: status */
    DOCA_PRIV_TRACE_CALLBACK_END = 8, /* task */
    DOCA_PRIV_TRACE_STATE = 9, /* context; type: its kind; detail: new state; other: queue; amount:
                                * id of its PE */
    DOCA_PRIV_TRACE_REFUSAL = 10, /* object; type: its kind; detail: error code;
                                   * other: item; texts follow */
    DOCA_PRIV_TRACE_TEXT = 11,    /* 20 bytes, in object, other and amount */
    DOCA_PRIV_TRACE_ARM = 12,     /* PE */
    DOCA_PRIV_TRACE_CLEAR = 13,   /* PE */
    DOCA_PRIV_TRACE_WAKE = 14,    /* PE whose handle became readable */
    DOCA_PRIV_TRACE_EXPORT = 15,  /* mmap; other: token of the export */
    DOCA_PRIV_TRACE_IMPORT = 16,  /* mmap; other: token of the export */
    DOCA_PRIV_TRACE_MARK = 17     /* texts follow */
};

#if DOCA_CORE_TRACE
#define DOCA_PRIV_TRACED(...) __VA_ARGS__

/* A number for a context or PE in 32 bits. */
DOCA_PRIV_HOT uint32_t doca_priv_trace_id(const void *object)
{
    return (uint32_t)((uintptr_t)object / DOCA_CORE_LINE);
}

/* Record an event if a recording runs. `what`: kind, type << 8 and detail << 16. */
DOCA_CORE_DECL void doca_priv_trace(uint32_t what, const void *object, uint64_t other,
                                    uint32_t amount);
#else
#define DOCA_PRIV_TRACED(...)
#endif

#endif
