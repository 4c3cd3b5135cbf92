/* ---- >>priv.fault.plan -----------------------------------------------------------------------
 * Fault injection: its state, the verdict on an operation, and held tasks. Terms:
 *     inner    the backend or queue to which fault injection passes operations
 *     wrapper  the table that replaces the table of an inner backend
 *     verdict  the decision of the rules about an operation
 *     held     a task with the action hold: its completion waits for doca_core_fault_release()
 *     lost     a device after the action lose                                                   */
#ifndef DOCA_SRC_FAULT_PLAN_PRIV_H
#define DOCA_SRC_FAULT_PLAN_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "device/backend.h"
#include "device/device.h"
#include "fault/fault.h"
#include "fault/text_priv.h"

struct doca_core_fault_record;
struct doca_priv_fault_plan;

struct doca_priv_fault_wrapper {
    struct doca_core_backend table; /* must be the first member, because devices, contexts and
                                     * queues point to it */
    const struct doca_core_backend *inner;

    /* For contexts whose engine opens a queue that does not come from the backend of a device: the
     * first operation of this kind of queue, such as DOCA_PRIV_FAULT_EVENT. 0 in the wrapper of a
     * device's backend, whose queue_open learns the kind from its arguments. */
    uint32_t first_op;

    /* The operation that is the submit of the tasks of type 0, when single types of tasks have
     * operations: that of type n is number 2 * n behind it, and the completion follows each submit.
     * 0: no type of task has operations of its own. */
    uint32_t first_task_op;

    /* Called before each post. The inner queue must end the task with the error `code` when the
     * task's turn comes, as if executing the task had failed, without moving a byte. SUCCESS: the
     * queue executes the task. Optional: without it a task that is to fail is parked. */
    void (*set_fate)(struct doca_task *task, doca_error_t code);
};

enum { /* indices into doca_priv_fault.wrappers, after the registered backends */
    DOCA_PRIV_FAULT_OF_SW = DOCA_CORE_MAX_BACKENDS,
    DOCA_PRIV_FAULT_OF_EVENTS,
    DOCA_PRIV_FAULT_OF_ADVISE,
    DOCA_PRIV_FAULT_WRAPPERS
};

struct doca_priv_fault_held { /* a task whose completion is held; protected by the lock */
    struct doca_priv_fault_held *next;
    struct doca_priv_fault_held **link; /* the pointer in its list that points to the entry; NULL:
                                         * not held */
    bool has_finished;
};

struct doca_priv_fault_held_list {
    struct doca_priv_fault_held *first;
    struct doca_priv_fault_held **end; /* address of the pointer that will point to the next
                                        * element; invalid while the list is empty */
};

struct doca_priv_fault_state {
    uint32_t lock;
    uint32_t is_on;  /* devices that are opened now get a wrapper */
    uint32_t logs;
    uint32_t num_plans; /* number of plans so far, by which verdicts recognize a new plan; wraps */
    bool was_chosen;    /* a plan was set by a call, or the environment was read */
    struct doca_priv_fault_plan plan;
    uint64_t num_records; /* faults so far; the latest records are in `records` */
    struct doca_core_fault_record records[DOCA_CORE_FAULT_MAX_RECORDS];
    uint32_t num_held;                        /* tasks in both lists of `held` */
    struct doca_priv_fault_held_list held[2]; /* [0]: tasks in flight, in order of submission; [1]:
                                               * finished tasks, in order of their end */
    uint64_t lost;                            /* doca_dev.bit of each lost device */
    struct doca_priv_fault_wrapper wrappers[DOCA_PRIV_FAULT_WRAPPERS];
};

/* The decision of the rules about an operation. The arrays with an element for each action say
 * which rule an action comes from, and which operation that rule names. */
struct doca_priv_fault_verdict {
    uint32_t actions;  /* DOCA_PRIV_FAULT_BIT() */
    doca_error_t code; /* the error to return, or SUCCESS */
    bool is_lost;      /* the device was lost before this operation */
    bool is_time;      /* `delay` is in ns instead of polls */
    uint64_t delay;
    uint64_t bytes;                        /* for truncate: number of bytes that the device sees */
    uint64_t salt;                         /* for flip: selects the bits */
    uint32_t behind;                       /* for reorder: number of completions to wait for */
    uint32_t flips;                        /* for flip: number of bits */
    uint8_t rule[DOCA_PRIV_FAULT_ACTIONS];
    uint8_t op[DOCA_PRIV_FAULT_ACTIONS];
    uint64_t nth[DOCA_PRIV_FAULT_ACTIONS]; /* number of the operation among those that match the
                                            * rule */
    uint32_t plan;                         /* number of the plan that decided */
    uint32_t counted;                      /* bit i: rule i matches the operation, and numbers it */
    uint64_t number[DOCA_CORE_FAULT_MAX_RULES]; /* that number */
};

DOCA_PRIV_DATA struct doca_priv_fault_state doca_priv_fault;

DOCA_PRIV_DECL uint64_t doca_priv_fault_random(uint64_t seed, uint64_t n);
DOCA_PRIV_DECL void doca_priv_fault_choose(struct doca_dev *dev, unsigned op, unsigned task_op,
                                           struct doca_priv_fault_verdict *v);
DOCA_PRIV_DECL void doca_priv_fault_record(const struct doca_priv_fault_verdict *v);
DOCA_PRIV_DECL void doca_priv_fault_return(const struct doca_priv_fault_verdict *v);
DOCA_PRIV_DECL void doca_priv_fault_decide(struct doca_dev *dev, unsigned op,
                                           struct doca_priv_fault_verdict *v);
DOCA_PRIV_DECL void doca_priv_fault_log(const struct doca_priv_fault_verdict *v, unsigned actions,
                                        const void *object);
DOCA_PRIV_DECL doca_error_t doca_priv_fault_report(const struct doca_priv_fault_verdict *v,
                                                   unsigned op, const void *object);
DOCA_PRIV_DECL void doca_priv_fault_held_begin(struct doca_priv_fault_held *held);
DOCA_PRIV_DECL void doca_priv_fault_held_finish(struct doca_priv_fault_held *held);
DOCA_PRIV_DECL bool doca_priv_fault_held_is_released(const struct doca_priv_fault_held *held);
DOCA_PRIV_DECL void doca_priv_fault_held_end(struct doca_priv_fault_held *held);
DOCA_PRIV_DECL bool doca_priv_fault_is_dev_lost(const struct doca_dev *dev);

#endif
