/* ---- >>priv.fault.text -----------------------------------------------------------------------
 * The rules of fault injection: operations, actions, and the plan that a text is read into.     */
#ifndef DOCA_SRC_FAULT_TEXT_PRIV_H
#define DOCA_SRC_FAULT_TEXT_PRIV_H

#include "base/compiler.h"
#include "base/log.h"
#include "fault/fault.h"

struct doca_priv_flaw;

enum {
    DOCA_PRIV_FAULT_DEV_OPEN,
    DOCA_PRIV_FAULT_DEV_PD,
    DOCA_PRIV_FAULT_DEV_REPS,
    DOCA_PRIV_FAULT_MEM_REG,
    DOCA_PRIV_FAULT_MEM_EXPORT,
    DOCA_PRIV_FAULT_MEM_IMPORT,
    DOCA_PRIV_FAULT_MEM_ALLOC,
    DOCA_PRIV_FAULT_MEM_COPY,
    DOCA_PRIV_FAULT_ARR_START,
    DOCA_PRIV_FAULT_DMA, /* each kind of queue has four operations */
    DOCA_PRIV_FAULT_SHA = DOCA_PRIV_FAULT_DMA + 4,
    DOCA_PRIV_FAULT_EVENT = DOCA_PRIV_FAULT_SHA + 4,
    DOCA_PRIV_FAULT_ADVISE = DOCA_PRIV_FAULT_EVENT + 4,
    DOCA_PRIV_FAULT_COMCH = DOCA_PRIV_FAULT_ADVISE + 4,
    DOCA_PRIV_FAULT_PRODUCER = DOCA_PRIV_FAULT_COMCH + 4,
    DOCA_PRIV_FAULT_CONSUMER = DOCA_PRIV_FAULT_PRODUCER + 4,
    DOCA_PRIV_FAULT_RDMA = DOCA_PRIV_FAULT_CONSUMER + 4,
    DOCA_PRIV_FAULT_COMCH_CONNECT = DOCA_PRIV_FAULT_RDMA + 4,
    DOCA_PRIV_FAULT_RDMA_CONNECT,
    DOCA_PRIV_FAULT_RDMA_EXPORT,
    DOCA_PRIV_FAULT_RDMA_LISTEN,
    DOCA_PRIV_FAULT_RDMA_CONNECT_TO_ADDR,
    DOCA_PRIV_FAULT_RDMA_ACCEPT,
    DOCA_PRIV_FAULT_RDMA_REJECT,
    DOCA_PRIV_FAULT_RDMA_DISCONNECT,
    DOCA_PRIV_FAULT_COMM_SENDTO,
    DOCA_PRIV_FAULT_COMM_RECVFROM,
    DOCA_PRIV_FAULT_RDMA_TASKS, /* each type of RDMA task, in the order of enum
                                 * doca_priv_rdma_type, has two operations: submit, complete */
    DOCA_PRIV_FAULT_OPS = DOCA_PRIV_FAULT_RDMA_TASKS + 2 * 11
};

enum { /* operations of a queue, relative to the first one of its kind */
    DOCA_PRIV_FAULT_OPEN,
    DOCA_PRIV_FAULT_SUBMIT,
    DOCA_PRIV_FAULT_COMPLETE,
    DOCA_PRIV_FAULT_FLUSH
};

enum {
    DOCA_PRIV_FAULT_FAIL,
    DOCA_PRIV_FAULT_AGAIN,
    DOCA_PRIV_FAULT_LOSE,
    DOCA_PRIV_FAULT_DELAY,
    DOCA_PRIV_FAULT_REORDER,
    DOCA_PRIV_FAULT_HOLD,
    DOCA_PRIV_FAULT_TRUNCATE,
    DOCA_PRIV_FAULT_FLIP,
    DOCA_PRIV_FAULT_ACTIONS
};

/* An action. has_amount: a number may follow after ':'. needs_amount: the number is required. */
struct doca_priv_fault_action {
    const char *name;
    enum doca_core_item item;
    bool has_amount, needs_amount;
};

#define DOCA_PRIV_FAULT_BIT(action) (1u << DOCA_PRIV_FAULT_##action)
#define DOCA_PRIV_FAULT_REFUSE (DOCA_PRIV_FAULT_BIT(FAIL) | DOCA_PRIV_FAULT_BIT(AGAIN))
#define DOCA_PRIV_FAULT_ANSWER (DOCA_PRIV_FAULT_REFUSE | DOCA_PRIV_FAULT_BIT(LOSE))
#define DOCA_PRIV_FAULT_ON_SUCCESS /* only for operations that succeed */                          \
    (DOCA_PRIV_FAULT_BIT(TRUNCATE) | DOCA_PRIV_FAULT_BIT(FLIP))
#define DOCA_PRIV_FAULT_LATER                                                                      \
    (DOCA_PRIV_FAULT_BIT(FAIL) | DOCA_PRIV_FAULT_BIT(LOSE) | DOCA_PRIV_FAULT_BIT(DELAY) |          \
     DOCA_PRIV_FAULT_BIT(REORDER) | DOCA_PRIV_FAULT_BIT(HOLD))

struct doca_priv_fault_op {
    const char *name;
    unsigned actions;
};

struct doca_priv_fault_rule {
    uint64_t ops[(DOCA_PRIV_FAULT_OPS + 63) / 64]; /* bit i % 64 of word i / 64: the rule is for
                                                    * operation i */
    uint8_t action;
    uint8_t code;
    bool is_time;    /* `amount` is in ns instead of polls */
    uint64_t amount; /* number after ':', or its default */
    uint64_t first;  /* number of the first matching operation that the rule acts on, from 1 */
    uint64_t last;   /* number of the last matching operation that the rule acts on */
    uint32_t chance; /* probability in 1/100,000; 0: the rule acts on the operations from `first` to
                      * `last` */
    uint64_t count;  /* matching operations so far */
    uint64_t returned; /* bit i: the matching operation with the number `count` - i was a task that
                        * the device did not accept. The next matching operation gets the lowest of
                        * these numbers */
};

struct doca_priv_fault_plan {
    uint64_t seed;
    uint32_t num_rules;
    bool logs;
    struct doca_priv_fault_rule rules[DOCA_CORE_FAULT_MAX_RULES];
};

#define DOCA_PRIV_FAULT_CHANCE 100000u /* value of `chance` for 100 % */

DOCA_PRIV_DATA const struct doca_priv_fault_action doca_priv_fault_actions[DOCA_PRIV_FAULT_ACTIONS];
DOCA_PRIV_DATA const struct doca_priv_fault_op doca_priv_fault_ops[DOCA_PRIV_FAULT_OPS];

DOCA_PRIV_DECL bool doca_priv_fault_rule_has(const struct doca_priv_fault_rule *rule, unsigned op);
DOCA_PRIV_DECL bool doca_priv_fault_read(const char *text, struct doca_priv_fault_plan *plan,
                                         struct doca_priv_flaw *flaw);

#endif
