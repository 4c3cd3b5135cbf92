/* ---- >>impl.fault.plan ----------------------------------------------------------------------
 * Fault injection: the rules in force, their counts and records, held tasks, and the wrappers of
 * backends. The wrapper of a backend is a copy of its table with some members replaced.
 * doca_priv_fault.lock protects the state. It is the innermost lock: while a thread has it, the
 * thread takes no other lock and calls no backend.                                              */
#include "fault/plan_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"
#include "base/text_priv.h"
#include "base/types.h"
#include "object/log_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "device/devinfo_priv.h"
#include "memory/buf_array.h"
#include "fault/fault.h"
#include "fault/open_priv.h"
#include "fault/text_priv.h"

DOCA_PRIV_DECL struct doca_priv_fault_state doca_priv_fault;

/* Return the n-th number of the pseudo-random sequence that `seed` selects (splitmix64). The result
 * depends only on `seed` and `n`. */
DOCA_PRIV_DECL uint64_t doca_priv_fault_random(uint64_t seed, uint64_t n)
{
    uint64_t x = seed + (n + 1) * 0x9e3779b97f4a7c15u;

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Return a pseudo-random number below 2^32 for an operation of a rule. Each rule has its own
 * sequence. The caller holds the lock. */
static uint32_t doca_priv_fault_chance(uint32_t rule, uint64_t number)
{
    const uint64_t row = doca_priv_fault_random(doca_priv_fault.plan.seed, rule);

    return (uint32_t)(doca_priv_fault_random(row, number) >> 32);
}

/* Return the number of the next operation that matches a rule. The caller holds the lock. */
static uint64_t doca_priv_fault_count(struct doca_priv_fault_rule *r)
{
    unsigned back = 63;

    if (r->returned == 0)
        return ++r->count;
    while ((r->returned >> back & 1) == 0)
        back--;
    r->returned &= ~((uint64_t)1 << back);
    return r->count - back;
}

/* Enter a rule into the verdict on an operation that it matches. A verdict keeps the first rule for
 * each action. The caller holds the lock. */
static void doca_priv_fault_apply(uint32_t rule, unsigned op, struct doca_priv_fault_verdict *v)
{
    const struct doca_priv_fault_rule *r = &doca_priv_fault.plan.rules[rule];

    if ((v->actions >> r->action & 1) != 0 ||
        ((v->actions & DOCA_PRIV_FAULT_REFUSE) != 0 &&
         (DOCA_PRIV_FAULT_REFUSE >> r->action & 1) != 0))
        return;
    v->actions |= 1u << r->action;
    v->rule[r->action] = (uint8_t)rule;
    v->op[r->action] = (uint8_t)op;
    v->nth[r->action] = v->number[rule];
    if (v->code == DOCA_SUCCESS)
        v->code = (doca_error_t)r->code;
    if (r->action == DOCA_PRIV_FAULT_DELAY) {
        v->delay = r->amount;
        v->is_time = r->is_time;
    } else if (r->action == DOCA_PRIV_FAULT_REORDER) {
        v->behind = (uint32_t)r->amount;
    } else if (r->action == DOCA_PRIV_FAULT_TRUNCATE) {
        v->bytes = r->amount;
    } else if (r->action == DOCA_PRIV_FAULT_FLIP) {
        v->flips = (uint32_t)r->amount;
        v->salt = doca_priv_fault_chance(rule, v->number[rule]);
    }
}

/* Number an operation for the rules that match it, and note in the verdict which rules act on it.
 * Return these rules, as bits. The caller holds the lock. */
static uint32_t doca_priv_fault_match(unsigned op, unsigned task_op,
                                      struct doca_priv_fault_verdict *v)
{
    struct doca_priv_fault_rule *r;
    uint32_t matches = 0, i;

    for (i = 0; i < doca_priv_fault.plan.num_rules; i++) {
        r = &doca_priv_fault.plan.rules[i];
        if (!doca_priv_fault_rule_has(r, op) && !doca_priv_fault_rule_has(r, task_op))
            continue;
        v->counted |= 1u << i;
        v->number[i] = doca_priv_fault_count(r);
        if (r->chance != 0
                ? doca_priv_fault_chance(i, v->number[i]) % DOCA_PRIV_FAULT_CHANCE < r->chance
                : v->number[i] >= r->first && v->number[i] <= r->last)
            matches |= 1u << i;
    }
    return matches;
}

/* Count an operation for the rules that match it, and write to *v which actions apply to it. If the
 * type of the task has an operation of its own (such as rdma_send), this is `task_op`; otherwise
 * `task_op` equals `op`. A rule that names both counts the operation once. `dev` may be NULL. When
 * the operation takes place, the caller calls doca_priv_fault_record(), otherwise
 * doca_priv_fault_return(). */
DOCA_PRIV_DECL void doca_priv_fault_choose(struct doca_dev *dev, unsigned op, unsigned task_op,
                                           struct doca_priv_fault_verdict *v)
{
    const struct doca_priv_fault_rule *rules = doca_priv_fault.plan.rules;
    uint64_t bit = dev != NULL ? dev->bit : 0;
    uint32_t matches = 0, i;
    bool loses, fails = false;

    DOCA_CORE_MEMSET(v, 0, sizeof(*v));
    v->code = DOCA_SUCCESS;
    doca_priv_lock(&doca_priv_fault.lock);
    v->plan = doca_priv_fault.num_plans;
    v->is_lost = (doca_priv_fault.lost & bit) != 0;
    if (!v->is_lost)
        matches = doca_priv_fault_match(op, task_op, v);
    for (i = 0; matches >> i != 0; i++)
        fails |= (matches >> i & 1) != 0 && rules[i].code != DOCA_SUCCESS;
    for (i = 0; matches >> i != 0; i++)
        if ((matches >> i & 1) != 0 &&
            !(fails && (DOCA_PRIV_FAULT_ON_SUCCESS >> rules[i].action & 1) != 0))
            doca_priv_fault_apply(i, doca_priv_fault_rule_has(&rules[i], op) ? op : task_op, v);
    if (v->is_lost)
        v->code = DOCA_ERROR_DRIVER;
    /* for a task, the device is lost when the task completes, not now */
    loses = (v->actions & DOCA_PRIV_FAULT_BIT(LOSE)) != 0 && dev != NULL &&
            (doca_priv_fault_ops[op].actions & DOCA_PRIV_FAULT_BIT(HOLD)) == 0;
    if (loses)
        doca_priv_fault.lost |= bit;
    doca_priv_unlock(&doca_priv_fault.lock);
    if (loses)
        doca_core_backend_dev_failed(dev);
}

/* Make a record of each action of the verdict, unless another text was set since the decision. */
DOCA_PRIV_DECL void doca_priv_fault_record(const struct doca_priv_fault_verdict *v)
{
    const struct doca_priv_fault_rule *r = doca_priv_fault.plan.rules;
    struct doca_core_fault_record *record;
    uint32_t i;

    if (v->actions == 0)
        return;
    doca_priv_lock(&doca_priv_fault.lock);
    for (i = 0; v->plan == doca_priv_fault.num_plans && i < doca_priv_fault.plan.num_rules;
         i++, r++) {
        if ((v->actions >> r->action & 1) == 0 || v->rule[r->action] != i)
            continue;
        record =
            &doca_priv_fault.records[doca_priv_fault.num_records % DOCA_CORE_FAULT_MAX_RECORDS];
        record->number = ++doca_priv_fault.num_records;
        record->operation = doca_priv_fault_ops[v->op[r->action]].name;
        record->action = doca_priv_fault_actions[r->action].name;
        record->nth = v->nth[r->action];
        record->rule = i;
        record->code = (doca_error_t)r->code;
    }
    doca_priv_unlock(&doca_priv_fault.lock);
}

/* Give back the numbers that an operation has: the device did not accept its task, so that the next
 * operation that matches the same rules gets these numbers. Only the latest 64 numbers of a rule
 * can be given back. */
DOCA_PRIV_DECL void doca_priv_fault_return(const struct doca_priv_fault_verdict *v)
{
    struct doca_priv_fault_rule *r;
    uint32_t i;

    doca_priv_lock(&doca_priv_fault.lock);
    for (i = 0; v->plan == doca_priv_fault.num_plans && v->counted >> i != 0; i++) {
        r = &doca_priv_fault.plan.rules[i];
        if ((v->counted >> i & 1) != 0 && r->count - v->number[i] < 64)
            r->returned |= (uint64_t)1 << (r->count - v->number[i]);
    }
    doca_priv_unlock(&doca_priv_fault.lock);
}

/* Decide about an operation that takes place in any case. */
DOCA_PRIV_DECL void doca_priv_fault_decide(struct doca_dev *dev, unsigned op,
                                           struct doca_priv_fault_verdict *v)
{
    doca_priv_fault_choose(dev, op, op, v);
    doca_priv_fault_record(v);
}

/* Log each of `actions` that the verdict has. `object` is an object of the library, or NULL. */
DOCA_PRIV_DECL void doca_priv_fault_log(const struct doca_priv_fault_verdict *v, unsigned actions,
                                        const void *object)
{
    struct doca_priv_failure line;
    unsigned i;

    for (i = 0; DOCA_PRIV_LOAD(&doca_priv_fault.logs) != 0 && i < DOCA_PRIV_FAULT_ACTIONS; i++) {
        if ((v->actions & actions & 1u << i) == 0)
            continue;
        line = doca_priv_failure_make(v->code, doca_priv_fault_actions[i].item,
                                      doca_priv_fault_ops[v->op[i]].name, object);
        line.detail = (uint32_t)v->nth[i];
        doca_priv_log(&line);
    }
}

/* Make the error of the verdict the thread's last error, as if the backend had reported it. Return
 * the error, or SUCCESS. */
static doca_error_t doca_priv_fault_set_last(const struct doca_priv_fault_verdict *v, unsigned op,
                                             const void *object)
{
    unsigned action = 0;

    if (v->code == DOCA_SUCCESS)
        return DOCA_SUCCESS;
    while (!v->is_lost && (v->actions >> action & 1) == 0)
        action++; /* the actions that return an error are the first ones of the enum */
    doca_priv_last = doca_priv_failure_make(
        v->code, v->is_lost ? DOCA_CORE_ITEM_FAULT_LOST : doca_priv_fault_actions[action].item,
        doca_priv_fault_ops[v->is_lost ? op : v->op[action]].name, object);
    doca_priv_last.detail = v->is_lost ? 0 : (uint32_t)v->nth[action];
    doca_priv_last.is_backends = true;
    return v->code;
}

/* Log the actions of the verdict, make its error the thread's last error, and return it. `op` names
 * the operation when the device is lost. */
DOCA_PRIV_DECL doca_error_t doca_priv_fault_report(const struct doca_priv_fault_verdict *v,
                                                   unsigned op, const void *object)
{
    doca_priv_fault_log(v, ~0u, object);
    return doca_priv_fault_set_last(v, op, object);
}

/* Decide about an operation of a device. Return SUCCESS to call the device, or the error to return
 * instead. */
static doca_error_t doca_priv_fault_answer(struct doca_dev *dev, unsigned op)
{
    struct doca_priv_fault_verdict v;

    doca_priv_fault_decide(dev, op, &v);
    return doca_priv_fault_report(&v, op, dev);
}

/* Like doca_priv_fault_answer(), for functions of the backend table that must not log:
 * doca_priv_refused_late() logs the error later. `dev` may be NULL. */
static doca_error_t doca_priv_fault_answer_late(const struct doca_dev *dev, unsigned op)
{
    struct doca_priv_fault_verdict v;

    doca_priv_fault_decide((struct doca_dev *)(uintptr_t)dev, op, &v);
    return DOCA_PRIV_LOAD(&doca_priv_fault.logs) != 0 ? doca_priv_fault_set_last(&v, op, dev)
                                                      : v.code;
}

/* ---- the plan ---- */

/* Put a plan in force; NULL removes the rules. The caller holds the lock. */
static void doca_priv_fault_adopt(const struct doca_priv_fault_plan *plan)
{
    doca_priv_fault.was_chosen = true;
    doca_priv_fault.num_records = 0;
    DOCA_PRIV_STORE(&doca_priv_fault.num_plans, doca_priv_fault.num_plans + 1);
    doca_priv_fault.plan.num_rules = 0;
    if (plan != NULL)
        doca_priv_fault.plan = *plan;
    DOCA_PRIV_STORE(&doca_priv_fault.logs, plan != NULL && plan->logs ? 1u : 0u);
    DOCA_PRIV_STORE(&doca_priv_fault.is_on, plan != NULL ? 1u : 0u);
}

DOCA_CORE_DECL doca_error_t doca_core_fault_set(const char *text)
{
    struct doca_priv_fault_plan plan;
    struct doca_priv_flaw flaw;

    if (text != NULL && !doca_priv_fault_read(text, &plan, &flaw))
        return doca_priv_fail_at(flaw.code, flaw.item, __func__, flaw.place);
    doca_priv_lock(&doca_priv_fault.lock);
    doca_priv_fault_adopt(text != NULL ? &plan : NULL);
    doca_priv_unlock(&doca_priv_fault.lock);
    return DOCA_SUCCESS;
}

/* Read, once, the environment if no call has set a plan. */
DOCA_PRIV_DECL void doca_priv_fault_read_environment(void)
{
    struct doca_priv_fault_plan plan;
    struct doca_priv_flaw flaw;
    bool is_sound = true;
    const char *text;

    doca_priv_lock(&doca_priv_fault.lock);
    text = doca_priv_fault.was_chosen ? NULL : doca_priv_sys_env("DOCA_CORE_FAULT");
    if (text != NULL) {
        is_sound = doca_priv_fault_read(text, &plan, &flaw);
        if (is_sound)
            doca_priv_fault_adopt(&plan);
    }
    doca_priv_fault.was_chosen = true;
    doca_priv_unlock(&doca_priv_fault.lock);
    if (!is_sound)
        (void)doca_priv_fail_at(flaw.code, flaw.item, "DOCA_CORE_FAULT", flaw.place);
}

DOCA_CORE_DECL uint64_t doca_core_fault_get_num(void)
{
    uint64_t num;

    doca_priv_lock(&doca_priv_fault.lock);
    num = doca_priv_fault.num_records;
    doca_priv_unlock(&doca_priv_fault.lock);
    return num;
}

DOCA_CORE_DECL doca_error_t doca_core_fault_get_record(uint64_t number,
                                                       struct doca_core_fault_record *record)
{
    bool is_known;

    if (record == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    doca_priv_lock(&doca_priv_fault.lock);
    is_known = number > 0 && number <= doca_priv_fault.num_records &&
               doca_priv_fault.num_records - number < DOCA_CORE_FAULT_MAX_RECORDS;
    if (is_known)
        *record = doca_priv_fault.records[(number - 1) % DOCA_CORE_FAULT_MAX_RECORDS];
    doca_priv_unlock(&doca_priv_fault.lock);
    return is_known ? DOCA_SUCCESS : DOCA_PRIV_FAIL(NOT_FOUND, FAULT_NO_RECORD, NULL);
}

DOCA_CORE_DECL uint32_t doca_core_fault_get_num_held(void)
{
    uint32_t num;

    doca_priv_lock(&doca_priv_fault.lock);
    num = doca_priv_fault.num_held;
    doca_priv_unlock(&doca_priv_fault.lock);
    return num;
}

/* Add a held task to one of the two lists, depending on has_finished. The caller holds the lock. */
static void doca_priv_fault_held_put(struct doca_priv_fault_held *held)
{
    struct doca_priv_fault_held_list *list = &doca_priv_fault.held[held->has_finished];

    if (list->first == NULL)
        list->end = &list->first;
    held->next = NULL;
    held->link = list->end;
    *held->link = held;
    list->end = &held->next;
    doca_priv_fault.num_held++;
}

static void doca_priv_fault_held_take(struct doca_priv_fault_held *held)
{
    /* analyzer: core.NullDereference: `link` is set while a task is in a list */
    *held->link = held->next;
    if (held->next != NULL)
        held->next->link = held->link;
    else
        doca_priv_fault.held[held->has_finished].end = held->link;
    held->link = NULL;
    doca_priv_fault.num_held--;
}

DOCA_CORE_DECL uint32_t doca_core_fault_release(uint32_t num_tasks)
{
    struct doca_priv_fault_held_list *held = doca_priv_fault.held;
    uint32_t num = 0;

    doca_priv_lock(&doca_priv_fault.lock);
    for (; num < num_tasks && doca_priv_fault.num_held > 0; num++)
        doca_priv_fault_held_take(held[held[1].first != NULL].first);
    doca_priv_unlock(&doca_priv_fault.lock);
    return num;
}

/* Begin to hold a task that the queue has accepted. */
DOCA_PRIV_DECL void doca_priv_fault_held_begin(struct doca_priv_fault_held *held)
{
    doca_priv_lock(&doca_priv_fault.lock);
    doca_priv_fault_held_put(held);
    doca_priv_unlock(&doca_priv_fault.lock);
}

/* Record that a held task has finished: move it to the list of finished tasks, unless it was
 * released. */
DOCA_PRIV_DECL void doca_priv_fault_held_finish(struct doca_priv_fault_held *held)
{
    doca_priv_lock(&doca_priv_fault.lock);
    if (held->link != NULL) {
        doca_priv_fault_held_take(held);
        held->has_finished = true;
        doca_priv_fault_held_put(held);
    }
    doca_priv_unlock(&doca_priv_fault.lock);
}

/* True when the task was released, so that it may complete. */
DOCA_PRIV_DECL bool doca_priv_fault_held_is_released(const struct doca_priv_fault_held *held)
{
    bool may;

    doca_priv_lock(&doca_priv_fault.lock);
    may = held->link == NULL;
    doca_priv_unlock(&doca_priv_fault.lock);
    return may;
}

/* Release a task, if it is still held. */
DOCA_PRIV_DECL void doca_priv_fault_held_end(struct doca_priv_fault_held *held)
{
    doca_priv_lock(&doca_priv_fault.lock);
    if (held->link != NULL)
        doca_priv_fault_held_take(held);
    doca_priv_unlock(&doca_priv_fault.lock);
}

/* ---- devices ---- */

static doca_error_t doca_priv_fault_dev_open(struct doca_dev *dev)
{
    doca_error_t rc = doca_priv_fault_answer_late(NULL, DOCA_PRIV_FAULT_DEV_OPEN);

    return rc != DOCA_SUCCESS ? rc : dev->info.backend->dev_open(dev);
}

static doca_error_t doca_priv_fault_open_from_pd(struct doca_dev *dev, struct ibv_pd *pd)
{
    doca_error_t rc = doca_priv_fault_answer_late(NULL, DOCA_PRIV_FAULT_DEV_OPEN);

    return rc != DOCA_SUCCESS ? rc : dev->info.backend->open_from_pd(dev, pd);
}

static void doca_priv_fault_dev_close(struct doca_dev *dev)
{
    doca_priv_lock(&doca_priv_fault.lock);
    doca_priv_fault.lost &= ~dev->bit;
    doca_priv_unlock(&doca_priv_fault.lock);
    dev->info.backend->dev_close(dev);
}

DOCA_PRIV_DECL bool doca_priv_fault_is_dev_lost(const struct doca_dev *dev)
{
    bool is_lost;

    doca_priv_lock(&doca_priv_fault.lock);
    is_lost = dev != NULL && (doca_priv_fault.lost & dev->bit) != 0;
    doca_priv_unlock(&doca_priv_fault.lock);
    return is_lost;
}

static bool doca_priv_fault_dev_failed(struct doca_dev *dev)
{
    const struct doca_core_backend *inner = dev->info.backend;

    return doca_priv_fault_is_dev_lost(dev) ||
           (inner->dev_failed != NULL && inner->dev_failed(dev));
}

static doca_error_t doca_priv_fault_get_pd(const struct doca_dev *dev, struct ibv_pd **pd)
{
    doca_error_t rc = doca_priv_fault_answer_late(dev, DOCA_PRIV_FAULT_DEV_PD);

    return rc != DOCA_SUCCESS ? rc : dev->info.backend->get_pd(dev, pd);
}

/* The core first asks for the number of representors, with attrs NULL, and then for the
 * representors themselves. The fault is decided in the first call. */
static uint32_t doca_priv_fault_enumerate_reps(struct doca_dev *dev, int filter,
                                               struct doca_core_dev_attr *attrs, uint32_t max)
{
    if (attrs == NULL && doca_priv_fault_answer(dev, DOCA_PRIV_FAULT_DEV_REPS) != DOCA_SUCCESS)
        return 0;
    return dev->info.backend->enumerate_reps(dev, filter, attrs, max);
}

static doca_error_t doca_priv_fault_reg_range(struct doca_dev *dev,
                                              const struct doca_core_range *range, uint32_t *mkey,
                                              uint32_t *internal_mkey)
{
    doca_error_t rc = doca_priv_fault_answer(dev, DOCA_PRIV_FAULT_MEM_REG);

    return rc != DOCA_SUCCESS ? rc : dev->info.backend->reg_range(dev, range, mkey, internal_mkey);
}

static doca_error_t doca_priv_fault_mem_export(struct doca_dev *dev, uint32_t mkey,
                                               uint32_t internal_mkey, bool is_rdma,
                                               unsigned char blob[DOCA_CORE_EXPORT_BYTES])
{
    doca_error_t rc = doca_priv_fault_answer(dev, DOCA_PRIV_FAULT_MEM_EXPORT);

    return rc != DOCA_SUCCESS
               ? rc
               : dev->info.backend->mem_export(dev, mkey, internal_mkey, is_rdma, blob);
}

static doca_error_t doca_priv_fault_mem_import(struct doca_dev *dev,
                                               const struct doca_core_range *range, bool is_rdma,
                                               const unsigned char blob[DOCA_CORE_EXPORT_BYTES],
                                               uint32_t *mkey, uint32_t *internal_mkey)
{
    doca_error_t rc = doca_priv_fault_answer(dev, DOCA_PRIV_FAULT_MEM_IMPORT);

    return rc != DOCA_SUCCESS
               ? rc
               : dev->info.backend->mem_import(dev, range, is_rdma, blob, mkey, internal_mkey);
}

/* Apply the fault rules to an export or import in which the operating system copies between the
 * processes, so that no backend function is called. A device without a wrapper has no faults. */
DOCA_PRIV_DECL doca_error_t doca_priv_fault_share(struct doca_dev *dev, bool is_import)
{
    return dev->backend == dev->info.backend
               ? DOCA_SUCCESS
               : doca_priv_fault_answer(dev, is_import ? DOCA_PRIV_FAULT_MEM_IMPORT
                                                       : DOCA_PRIV_FAULT_MEM_EXPORT);
}

static doca_error_t doca_priv_fault_dm_alloc(struct doca_dev *dev, size_t len, void **addr,
                                             uint32_t *mkey, uint32_t *internal_mkey)
{
    doca_error_t rc = doca_priv_fault_answer(dev, DOCA_PRIV_FAULT_MEM_ALLOC);

    return rc != DOCA_SUCCESS ? rc
                              : dev->info.backend->dm_alloc(dev, len, addr, mkey, internal_mkey);
}

static doca_error_t doca_priv_fault_dm_copy(struct doca_dev *dev, uint32_t mkey, size_t offset,
                                            void *bytes, size_t len, bool is_write)
{
    doca_error_t rc = doca_priv_fault_answer(dev, DOCA_PRIV_FAULT_MEM_COPY);

    return rc != DOCA_SUCCESS
               ? rc
               : dev->info.backend->dm_copy(dev, mkey, offset, bytes, len, is_write);
}

static doca_error_t doca_priv_fault_arr_start(struct doca_dev *dev, const struct doca_buf_arr *arr,
                                              void **handle)
{
    doca_error_t rc = doca_priv_fault_answer(dev, DOCA_PRIV_FAULT_ARR_START);

    return rc != DOCA_SUCCESS ? rc : dev->info.backend->arr_start(dev, arr, handle);
}

/* Fill a wrapper with the table for `inner`. Functions that `inner` does not have stay absent.
 * Functions that the wrapper does not replace are the functions of the inner backend. */
static void doca_priv_fault_build(struct doca_priv_fault_wrapper *w,
                                  const struct doca_core_backend *inner, uint32_t place)
{
    w->inner = inner;
    w->first_op = place == DOCA_PRIV_FAULT_OF_EVENTS   ? (uint32_t)DOCA_PRIV_FAULT_EVENT
                  : place == DOCA_PRIV_FAULT_OF_ADVISE ? (uint32_t)DOCA_PRIV_FAULT_ADVISE
                                                       : 0;
    w->table = *inner;
    w->table.dev_open = doca_priv_fault_dev_open;
    w->table.open_from_pd = doca_priv_fault_open_from_pd;
    w->table.dev_close = doca_priv_fault_dev_close;
    w->table.dev_failed = doca_priv_fault_dev_failed;
    w->table.get_pd = doca_priv_fault_get_pd;
    w->table.reg_range = doca_priv_fault_reg_range;
    w->table.arr_start = doca_priv_fault_arr_start;
    if (inner->enumerate_reps != NULL)
        w->table.enumerate_reps = doca_priv_fault_enumerate_reps;
    if (inner->mem_export != NULL) {
        w->table.mem_export = doca_priv_fault_mem_export;
        w->table.mem_import = doca_priv_fault_mem_import;
    }
    if (inner->dm_alloc != NULL) {
        w->table.dm_alloc = doca_priv_fault_dm_alloc;
        w->table.dm_copy = doca_priv_fault_dm_copy;
    }
    doca_priv_fault_wrap_queues(&w->table);
}

static const struct doca_core_backend *doca_priv_fault_wrap_as(
    const struct doca_core_backend *inner, uint32_t place)
{
    struct doca_priv_fault_wrapper *w = &doca_priv_fault.wrappers[place];

    doca_priv_lock(&doca_priv_fault.lock);
    if (w->inner != inner || w->table.serial != inner->serial)
        /* the wrapper belonged to another backend, which has no open devices */
        doca_priv_fault_build(w, inner, place);
    doca_priv_unlock(&doca_priv_fault.lock);
    return &w->table;
}

/* Return the backend for a device that is being opened: the wrapper of `inner` if fault injection
 * is on. */
DOCA_PRIV_DECL const struct doca_core_backend *
doca_priv_fault_wrap(const struct doca_core_backend *inner)
{
    if (DOCA_PRIV_LOAD(&doca_priv_fault.is_on) == 0)
        return inner;
    return doca_priv_fault_wrap_as(inner, inner == doca_core_sw_backend()
                                              ? (uint32_t)DOCA_PRIV_FAULT_OF_SW
                                              : (uint32_t)(inner - doca_priv_world.backends));
}

/* Return the backend for a context that does not use the backend of a device: the wrapper of
 * `inner` if fault injection is on or `has_faults` is set. */
DOCA_PRIV_DECL const struct doca_core_backend *
doca_priv_fault_wrap_ctx(const struct doca_core_backend *inner, bool has_faults)
{
    if (!has_faults && DOCA_PRIV_LOAD(&doca_priv_fault.is_on) == 0)
        return inner;
    return doca_priv_fault_wrap_as(inner, inner == doca_core_sw_backend()
                                              ? (uint32_t)DOCA_PRIV_FAULT_OF_ADVISE
                                              : (uint32_t)DOCA_PRIV_FAULT_OF_EVENTS);
}
