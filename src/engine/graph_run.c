/* ---- >>impl.graph.run -----------------------------------------------------------------------
 * Execution of graph instances. Terms (step, slot, turn, lane): see >>graph.
 * The PE sees a started graph as a context without a device. The poll function of the graph's queue
 * returns queued turns as if they were finished tasks, and each turn has its own `done` function.
 * ctx.num_inflight counts the queued turns and the slots in lanes. While a task runs for a node,
 * task->done is doca_priv_graph_task_done() and task->user_data points to the slot.
 * A holder is a context node or sub-graph node: a submitted instance holds its task or sub
 * instance, so that the program cannot submit or free it. Every graph has at least one holder. The
 * steps of the holders are contiguous, so submit visits only them.
 * Invariants:
 *   - is_held is set only in slots of submitted instances
 *   - a submitted instance has running nodes, or its turn is queued
 *   - when a node begins, num_pending of its slot is reset for the next run of the instance     */
#include "engine/graph_run_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/hot_trace.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "memory/mmap.h"
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "progress/hot_task.h"
#include "progress/pe.h"
#include "progress/pe_priv.h"
#include "progress/task.h"
#include "progress/task_priv.h"
#include "engine/graph.h"

DOCA_PRIV_ASSERT_STATIC(graph_head_fits,
                        sizeof(struct doca_priv_graph_plan) <= DOCA_PRIV_GRAPH_HEAD_BYTES);
DOCA_PRIV_ASSERT_STATIC(graph_slot_fits, sizeof(struct doca_priv_graph_slot) <= DOCA_CORE_LINE);
DOCA_PRIV_ASSERT_STATIC(graph_instance_fits, sizeof(struct doca_graph_instance) <= DOCA_CORE_LINE);

DOCA_PRIV_HOT struct doca_graph_instance *doca_priv_graph_instance(
    const struct doca_priv_graph_slot *slot)
{
    return (struct doca_graph_instance *)((uintptr_t)slot - slot->step->offset);
}

DOCA_PRIV_DECL struct doca_graph_instance *doca_priv_graph_by_turn(const struct doca_task *turn)
{
    return (struct doca_graph_instance *)((uintptr_t)turn -
                                          offsetof(struct doca_graph_instance, turn));
}

DOCA_PRIV_DECL union doca_data *doca_priv_graph_user_data(const struct doca_task *task)
{
    return &((struct doca_priv_graph_slot *)task->user_data.ptr)->turn.user_data;
}

/* ---- run nodes ---- */

#if DOCA_CORE_TRACE
/* Record that the node of a slot begins, or that it ends with `status`. */
static void doca_priv_graph_trace(uint32_t kind, const struct doca_priv_graph_slot *slot,
                                  doca_error_t status)
{
    doca_priv_trace(kind | (uint32_t)slot->step->kind << 8 | (uint32_t)status << 16, slot,
                    (uintptr_t)doca_priv_graph_instance(slot),
                    doca_priv_trace_id(doca_priv_graph_of(&slot->turn)));
}
#endif

/* Add `num` (positive or negative) to the number of queued turns and waiting slots. If it is
 * positive, make the graph's context active, and wake the PE if it is armed. */
DOCA_PRIV_HOT void doca_priv_graph_wake(struct doca_graph *graph, int num)
{
    graph->ctx.num_inflight += (uint32_t)num;
    if (num > 0 && doca_unlikely(graph->ctx.active_next == NULL || graph->ctx.pe->is_armed))
        doca_priv_pe_activate(&graph->ctx);
}

/* Append a turn to the queue. The caller also calls doca_priv_graph_wake(). */
DOCA_PRIV_HOT void doca_priv_graph_queue(struct doca_priv_graph_plan *plan, struct doca_task *turn)
{
    turn->next = NULL;
    if (plan->first_turn == NULL)
        plan->first_turn = turn;
    else
        plan->last_turn->next = turn;
    plan->last_turn = turn;
}

static void doca_priv_graph_add_turn(struct doca_task *turn)
{
    struct doca_graph *graph = doca_priv_graph_of(turn);

    doca_priv_graph_queue(graph->plan, turn);
    doca_priv_graph_wake(graph, 1);
}

/* Append the slot to the lane of its context. */
static void doca_priv_graph_wait(struct doca_priv_graph_slot *slot)
{
    struct doca_priv_graph_lane *lane = slot->step->lane;
    struct doca_graph *graph = doca_priv_graph_of(&slot->turn);

    slot->turn.next = NULL;
    if (lane->first == NULL)
        lane->first = &slot->turn;
    else
        lane->last->next = &slot->turn;
    lane->last = &slot->turn;
    graph->plan->num_waiting++;
    doca_priv_graph_wake(graph, 1);
}

/* Submit the task of a slot. Returns false if the queue of the context is full. If the task is
 * rejected for another reason, its node fails in a later turn, not here: a node must not end while
 * its caller is still beginning other nodes. */
DOCA_PRIV_HOT bool doca_priv_graph_post(struct doca_priv_graph_slot *slot)
{
    enum doca_core_item item = DOCA_CORE_ITEM_CTX_NOT_RUNNING;
    struct doca_task *task = (struct doca_task *)slot->data;
    struct doca_ctx *ctx = task->ctx;
    doca_error_t rc = DOCA_ERROR_BAD_STATE;

    if (doca_likely(ctx->obj.state == DOCA_CTX_STATE_RUNNING)) {
        rc = DOCA_CORE_CHECK >= 2 ? doca_priv_task_examine(task, &item) : DOCA_SUCCESS;
        if (rc == DOCA_SUCCESS) {
            DOCA_PRIV_TRACED(doca_priv_graph_trace(DOCA_PRIV_TRACE_NODE, slot, DOCA_SUCCESS);)
            rc = doca_priv_task_post(task);
            item = doca_priv_task_refusal(rc);
        }
        if (doca_likely(rc == DOCA_SUCCESS)) {
            DOCA_PRIV_CHECKED(doca_priv_check_begin(task);)
            slot->turn.user_data = task->user_data;
            task->user_data.ptr = slot;
            task->done = doca_priv_graph_task_done;
            return true;
        }
        task->state = DOCA_PRIV_TASK_HELD;
    }
    if (rc == DOCA_ERROR_AGAIN)
        return false;
    slot->turn.status =
        doca_priv_task_status(doca_priv_fail(rc, item, "doca_pe_progress", task));
    doca_priv_graph_add_turn(&slot->turn);
    return true;
}

/* Begin a node whose parents have completed. Beginning a sub-graph node means beginning all roots
 * of its sub instance. `rest` lists nodes still to begin, so nesting needs no recursion. */
static void doca_priv_graph_begin(struct doca_priv_graph_slot *slot)
{
    struct doca_priv_graph_slot *roots;
    struct doca_task *rest;
    uint32_t i;

    for (slot->turn.next = NULL; slot != NULL; slot = (struct doca_priv_graph_slot *)(void *)rest) {
        rest = slot->turn.next;
        switch (slot->step->kind) {
        case DOCA_PRIV_NODE_CTX:
            if (slot->step->lane->first != NULL || !doca_priv_graph_post(slot))
                doca_priv_graph_wait(slot);
            break;
        case DOCA_PRIV_NODE_USER:
            doca_priv_graph_add_turn(&slot->turn);
            break;
        default:
            DOCA_PRIV_TRACED(doca_priv_graph_trace(DOCA_PRIV_TRACE_NODE, slot, DOCA_SUCCESS);)
            roots = doca_priv_graph_slots((const struct doca_graph_instance *)slot->data);
            for (i = slot->step->work.graph->plan->num_roots; i > 0; i--) {
                roots[i - 1].turn.next = rest;
                rest = &roots[i - 1].turn;
            }
        }
    }
}

DOCA_PRIV_DECL struct doca_priv_graph_slot *
doca_priv_graph_first_holder(const struct doca_graph_instance *instance)
{
    return doca_priv_graph_slots(instance) +
           doca_priv_graph_of(&instance->turn)->plan->first_holder;
}

/* Return the next holder, or NULL at the end of `top`. A sub instance follows its node. */
DOCA_PRIV_DECL struct doca_priv_graph_slot *
doca_priv_graph_next(const struct doca_graph_instance *top, struct doca_priv_graph_slot *slot)
{
    const struct doca_graph_instance *instance;

    if (slot->is_held && slot->step->kind == DOCA_PRIV_NODE_GRAPH)
        return doca_priv_graph_first_holder((const struct doca_graph_instance *)slot->data);
    while (slot->step->is_last_holder) {
        instance = doca_priv_graph_instance(slot);
        if (instance == top)
            return NULL;
        slot = instance->parent;
    }
    return slot + 1;
}

/* Release the tasks and sub instances that `top` still holds, because their nodes did not run, and
 * reset its counters for the next submission. */
static void doca_priv_graph_release(const struct doca_graph_instance *top)
{
    struct doca_priv_graph_slot *slot, *next;
    uint32_t i;

    for (slot = doca_priv_graph_first_holder(top); slot != NULL; slot = next) {
        next = doca_priv_graph_next(top, slot);
        if (!slot->is_held)
            continue;
        slot->is_held = 0;
        if (slot->step->kind == DOCA_PRIV_NODE_GRAPH)
            ((struct doca_graph_instance *)slot->data)->obj.state = 0;
        else
            ((struct doca_task *)slot->data)->state = DOCA_PRIV_TASK_OWNED;
    }
    slot = doca_priv_graph_slots(top);
    for (i = doca_priv_graph_of(&top->turn)->num_nodes; i > 0; i--, slot++)
        slot->num_pending = slot->step->num_parents;
}

/* Mark an instance as failed, once, and log it. */
static void doca_priv_graph_fail(struct doca_graph_instance *instance, doca_error_t status)
{
    struct doca_priv_graph_plan *plan = doca_priv_graph_of(&instance->turn)->plan;
    struct doca_priv_failure failed;

    if (instance->turn.status != DOCA_SUCCESS)
        return;
    instance->turn.status = doca_priv_task_status(status);
    if (plan->running != NULL && doca_priv_graph_instance(plan->running) == instance) {
        DOCA_PRIV_TRACED(doca_priv_graph_trace(DOCA_PRIV_TRACE_NODE_END, plan->running, status);)
        plan->running = NULL;
    }
    /* The failure is only logged. The thread's last error remains that of the failed node. */
    failed = doca_priv_failure_make((doca_error_t)instance->turn.status,
                                    DOCA_CORE_ITEM_GRAPH_FAILED, "doca_pe_progress", instance);
    doca_priv_log(&failed);
}

/* End a node: begin the children whose parents have all completed, unless the instance has failed.
 * The end of the last running node also ends the instance. If it is a sub instance, the function
 * returns true, and the caller ends the sub-graph node. Otherwise its turn is queued.
 * `num`: -1 if the caller has removed a turn from the queue, otherwise 0. */
DOCA_PRIV_HOT bool doca_priv_graph_end_one(struct doca_priv_graph_slot *slot, doca_error_t status,
                                           int num)
{
    const struct doca_priv_graph_step *step = slot->step;
    struct doca_graph_instance *instance = doca_priv_graph_instance(slot);
    struct doca_graph *graph = doca_priv_graph_of(&instance->turn);
    const uint32_t *at = step->children, *end = at + step->num_children;
    struct doca_priv_graph_slot *child;
    uint32_t begun = 0;

    DOCA_PRIV_TRACED(if (step->kind != DOCA_PRIV_NODE_USER)
                         doca_priv_graph_trace(DOCA_PRIV_TRACE_NODE_END, slot, status);)
    if (doca_unlikely(status != DOCA_SUCCESS))
        doca_priv_graph_fail(instance, status);
    if (doca_unlikely(instance->turn.status != DOCA_SUCCESS))
        end = at;
    for (; at != end; at++) {
        child = doca_priv_graph_slots(instance) + *at;
        if (--child->num_pending > 0)
            continue;
        child->num_pending = child->step->num_parents;
        begun++;
        if (doca_likely(child->step->kind == DOCA_PRIV_NODE_USER)) {
            doca_priv_graph_queue(graph->plan, &child->turn);
            num++;
        } else {
            doca_priv_graph_begin(child);
        }
    }
    instance->num_running += begun - 1;
    if (doca_unlikely(instance->num_running == 0)) {
        if (instance->parent == NULL) {
            doca_priv_graph_queue(graph->plan, &instance->turn);
            num++;
        }
        if (instance->turn.status != DOCA_SUCCESS)
            doca_priv_graph_release(instance);
    }
    doca_priv_graph_wake(graph, num);
    return instance->num_running == 0 && instance->parent != NULL;
}

/* A sub instance has ended with the node of `slot`. End the sub-graph node that runs the sub
 * instance. If this was the last node of the enclosing instance, and the enclosing instance is a
 * sub instance as well, do the same for the enclosing instance. */
static DOCA_PRIV_NOINLINE void doca_priv_graph_end_outer(struct doca_priv_graph_slot *slot)
{
    struct doca_graph_instance *instance;

    do {
        instance = doca_priv_graph_instance(slot);
        instance->obj.state = 0;
        slot = instance->parent;
        slot->is_held = 0;
    } while (doca_priv_graph_end_one(slot, (doca_error_t)instance->turn.status, 0));
}

/* End a node, and enclosing sub-graph nodes that end with it. `num`: as for end_one. */
DOCA_PRIV_HOT void doca_priv_graph_end(struct doca_priv_graph_slot *slot, doca_error_t status,
                                       int num)
{
    if (doca_unlikely(doca_priv_graph_end_one(slot, status, num)))
        doca_priv_graph_end_outer(slot);
}

/* task->done of a task that runs for a node. Restores `done` and `user_data` and ends the node. */
DOCA_PRIV_DECL void doca_priv_graph_task_done(struct doca_task *task)
{
    struct doca_priv_graph_slot *slot = (struct doca_priv_graph_slot *)task->user_data.ptr;
    const struct doca_ctx *ctx = task->ctx;

    task->done = doca_priv_ctx_stocks(ctx)[task->type].done;
    task->user_data = slot->turn.user_data;
    if (doca_unlikely(task->status != DOCA_SUCCESS))
        doca_priv_task_failed(task);
    ctx->engine->settle(task);
    slot->is_held = 0;
    doca_priv_graph_end(slot, (doca_error_t)task->status, 0);
}

/* ---- submit an instance ---- */

/* Prepare an instance to run: on its own (`parent` is NULL), or as the sub instance of `parent`. */
static void doca_priv_graph_enter(struct doca_graph_instance *instance,
                                  struct doca_priv_graph_slot *parent)
{
    instance->obj.state = 1;
    instance->turn.status = DOCA_SUCCESS;
    instance->num_running = doca_priv_graph_of(&instance->turn)->plan->num_roots;
    instance->parent = parent;
}

/* True when the context with number `serial` still exists at `ctx`. The guard word is compared at
 * every check level: the program may have destroyed the context after it created the node. */
static bool doca_priv_ctx_is(const struct doca_ctx *ctx, uint32_t serial)
{
    return ctx->obj.guard == DOCA_PRIV_GUARD && ctx->obj.kind >= DOCA_PRIV_KIND_DMA &&
           ctx->obj.kind <= DOCA_PRIV_KIND_SYNC_EVENT && ctx->serial == serial;
}

/* True when the context with number `serial` still exists and runs on the PE of the graph. */
DOCA_PRIV_DECL bool doca_priv_graph_has(const struct doca_graph *graph, const struct doca_ctx *ctx,
                                        uint32_t serial)
{
    return doca_priv_ctx_is(ctx, serial) && ctx->pe == graph->ctx.pe &&
           ctx->obj.state == DOCA_CTX_STATE_RUNNING;
}

/* Remove a node that is being destroyed from the users of its sub-graph or context. */
DOCA_PRIV_DECL void doca_priv_graph_drop_node(const struct doca_graph_node *node)
{
    if (node->obj.state == DOCA_PRIV_NODE_GRAPH)
        node->work.graph->num_uses--;
    DOCA_PRIV_CHECKED(if (node->obj.state == DOCA_PRIV_NODE_CTX &&
                          doca_priv_ctx_is(node->work.ctx, node->ctx_serial))
                          (void)DOCA_PRIV_FETCH_ADD(&node->work.ctx->num_children, ~0u);)
}

/* Check that the task of a slot can run. Returns SUCCESS, or the error with the reason in *item.
 * The buffers are checked only if the node and all sub-graph nodes around it are roots. Otherwise
 * user nodes may run before the task and set its buffers. */
static doca_error_t doca_priv_graph_check_task(const struct doca_priv_graph_slot *slot,
                                               enum doca_core_item *item)
{
    const struct doca_task *task = (const struct doca_task *)slot->data;
    const struct doca_ctx *ctx = slot->step->work.ctx;
    const struct doca_priv_graph_slot *outer = slot;
    bool is_root;

    while (outer != NULL && outer->step->num_parents == 0)
        outer = doca_priv_graph_instance(outer)->parent;
    is_root = outer == NULL;

    *item = task == NULL ? DOCA_CORE_ITEM_GRAPH_NO_DATA : DOCA_CORE_ITEM_GRAPH_TASK_GONE;
    if (!doca_priv_is_task(task) || task->ctx != ctx)
        return DOCA_ERROR_INVALID_VALUE;
    DOCA_PRIV_CHECKED(if (task->life != slot->turn.life) return DOCA_ERROR_INVALID_VALUE;)
    *item = DOCA_CORE_ITEM_TASK_NOT_OWNED;
    if (task->state != DOCA_PRIV_TASK_OWNED)
        return DOCA_ERROR_BAD_STATE;
    *item = DOCA_CORE_ITEM_GRAPH_CTX;
    if (!doca_priv_graph_has(doca_priv_graph_of(&slot->turn), ctx, slot->step->ctx_serial))
        return DOCA_ERROR_BAD_STATE;
    if (is_root && DOCA_CORE_CHECK >= 2)
        return doca_priv_task_examine(task, item);
    *item = DOCA_CORE_ITEM_TASK_NO_BUFFER;
    return is_root && !ctx->engine->is_complete(task) ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

/* Set the data of a sub-graph node to `sub` or, with NULL, clear it. */
DOCA_PRIV_DECL void doca_priv_graph_set_sub(struct doca_priv_graph_slot *slot,
                                            struct doca_graph_instance *sub)
{
    if (sub != NULL)
        sub->num_uses++;
    if (slot->data != NULL)
        ((struct doca_graph_instance *)slot->data)->num_uses--;
    slot->data = sub;
}

/* Check the task or sub instance of a holder and take it from the program until its node ends.
 * Returns SUCCESS, or the error with the reason in *item. */
static doca_error_t doca_priv_graph_hold(struct doca_priv_graph_slot *slot,
                                         enum doca_core_item *item)
{
    struct doca_graph_instance *sub;
    doca_error_t rc;

    if (slot->step->kind == DOCA_PRIV_NODE_CTX) {
        rc = doca_priv_graph_check_task(slot, item);
        if (rc != DOCA_SUCCESS)
            return rc;
        ((struct doca_task *)slot->data)->state = DOCA_PRIV_TASK_HELD;
    } else {
        sub = (struct doca_graph_instance *)slot->data;
        *item = sub == NULL ? DOCA_CORE_ITEM_GRAPH_NO_DATA : DOCA_CORE_ITEM_GRAPH_SUBMITTED;
        if (sub == NULL || sub->obj.state != 0)
            return sub == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_IN_USE;
        doca_priv_graph_enter(sub, slot);
    }
    slot->is_held = 1;
    return DOCA_SUCCESS;
}

/* Undo the submission of `top` after a failure at `slot`, and log it. The log entry names the task
 * or sub instance of the slot or, if that does not exist, the instance of the slot. */
static DOCA_PRIV_COLD doca_error_t doca_priv_graph_refuse(struct doca_graph_instance *top,
                                                          const struct doca_priv_graph_slot *slot,
                                                          doca_error_t code,
                                                          enum doca_core_item item)
{
    const bool is_gone = item == DOCA_CORE_ITEM_GRAPH_TASK_GONE;
    const bool is_there = slot->data != NULL && !is_gone;
    const void *culprit = is_there ? slot->data : doca_priv_graph_instance(slot);
    struct doca_priv_failure failed;

    failed = doca_priv_failure_make(code, item, "doca_graph_instance_submit", culprit);
    if (!is_there)
        failed.state = 0; /* state of the instance after the release below */
    DOCA_PRIV_CHECKED(if (is_gone) {
        failed.history_of = doca_priv_check_history_of(DOCA_CORE_ITEM_DEAD_HANDLE, slot->data);
    })
    doca_priv_graph_release(top); /* before logging: the log callback may call this library */
    top->obj.state = 0;
    doca_priv_last = failed;
    doca_priv_log(&failed);
    return code;
}

/* ---- `done` functions of turns ----
 * When progress calls one, its turn is still the first of plan->first_turn, and num_inflight has
 * been decremented. The function removes the turn from the list itself. */

/* Run the completion callback of an instance. This comes last, because the callback may destroy the
 * instance and the graph. */
DOCA_PRIV_DECL void doca_priv_graph_report(struct doca_task *turn)
{
    struct doca_graph_instance *instance = doca_priv_graph_by_turn(turn);
    struct doca_graph *graph = doca_priv_graph_of(turn);
    doca_graph_completion_cb_t cb =
        turn->status == DOCA_SUCCESS ? graph->completed : graph->failed;

    graph->plan->first_turn = turn->next;
    instance->obj.state = 0;
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_RUN_END | (uint32_t)turn->status << 16,
                                     instance, 0, doca_priv_trace_id(graph));)
    cb(instance, turn->user_data, graph->ctx.user_data);
}

/* Remove the turn and end the node of `slot`. */
static DOCA_PRIV_NOINLINE void doca_priv_graph_finish(struct doca_task *turn,
                                                      struct doca_priv_graph_slot *slot,
                                                      doca_error_t status)
{
    struct doca_priv_graph_plan *plan = doca_priv_graph_of(turn)->plan;

    plan->running = NULL;
    plan->first_turn = turn->next;
    doca_priv_graph_end(slot, status, -1);
}

/* Like doca_priv_graph_finish(), for the last running node of an instance, when it has no children
 * to begin. The turn of the instance replaces the node's turn; num_inflight does not change. */
static DOCA_PRIV_NOINLINE void doca_priv_graph_finish_last(struct doca_task *turn,
                                                           struct doca_priv_graph_slot *slot)
{
    struct doca_graph_instance *instance = doca_priv_graph_instance(slot);
    struct doca_priv_graph_plan *plan = doca_priv_graph_of(turn)->plan;

    if (instance->parent != NULL) {
        doca_priv_graph_finish(turn, slot, DOCA_SUCCESS);
        return;
    }
    instance->num_running = 0;
    plan->running = NULL;
    plan->first_turn = turn->next;
    doca_priv_graph_queue(plan, &instance->turn);
}

/* End the node of a task that was not submitted: it was rejected, or its instance failed while it
 * waited in a lane. */
DOCA_PRIV_DECL void doca_priv_graph_ended(struct doca_task *turn)
{
    turn->ctx->num_inflight++;
    doca_priv_graph_finish(turn, (struct doca_priv_graph_slot *)(void *)turn,
                           (doca_error_t)turn->status);
}

/* End a user node without calling its function. Either its instance has failed, or a function that
 * was called in this turn did not return (it left by longjmp or an exception, or called progress).
 * In the second case it may be the function of another node that did not return. The node of this
 * turn is ended instead: the instance fails in any case, so it does not matter which node fails. */
static DOCA_PRIV_NOINLINE void doca_priv_graph_pass(struct doca_task *turn)
{
    struct doca_priv_graph_slot *slot = (struct doca_priv_graph_slot *)(void *)turn;
    bool has_failed = doca_priv_graph_instance(slot)->turn.status != DOCA_SUCCESS;

    doca_priv_graph_finish(turn, slot, has_failed ? DOCA_SUCCESS : DOCA_ERROR_UNEXPECTED);
}

/* Replace `turn` at the head of the queue by `next`. The node of `turn` has ended. */
static DOCA_PRIV_NOINLINE void doca_priv_graph_hand_over(struct doca_task *turn,
                                                         struct doca_task *next)
{
    struct doca_priv_graph_plan *plan = doca_priv_graph_of(turn)->plan;

    plan->running = NULL;
    next->next = turn->next;
    plan->first_turn = next;
    if (plan->last_turn == turn)
        plan->last_turn = next;
}

/* A user node has ended: begin the children whose parents have all completed. The first user node
 * among them is not begun but returned, for the caller to run in the same turn; else NULL. */
DOCA_PRIV_HOT struct doca_priv_graph_slot *doca_priv_graph_follow(
    struct doca_graph_instance *instance, const struct doca_priv_graph_step *step)
{
    const uint32_t *at = step->children, *end = at + step->num_children;
    struct doca_priv_graph_slot *child, *next = NULL;

    for (; at != end; at++) {
        child = doca_priv_graph_slots(instance) + *at;
        if (--child->num_pending > 0)
            continue;
        child->num_pending = child->step->num_parents;
        if (next == NULL && child->step->kind == DOCA_PRIV_NODE_USER) {
            next = child;
            continue;
        }
        instance->num_running++;
        if (doca_likely(child->step->kind == DOCA_PRIV_NODE_USER))
            doca_priv_graph_add_turn(&child->turn);
        else
            doca_priv_graph_begin(child);
    }
    return next;
}

/* Call the function of a user node. Then call the function of a user node that can begin after it
 * or, without such a node, of the next turn if that is a user node of the same instance; and so on,
 * up to DOCA_PRIV_GRAPH_BURST functions in one call of progress.
 * While a function runs, plan->running is its slot. A function that does not return leaves it set;
 * the next call of progress finds that and fails the node. If the function itself calls progress,
 * that call may fail the node or its instance, or the graph may even be destroyed. In these cases
 * plan->running differs from the slot afterwards, and this function returns at once. */
DOCA_PRIV_DECL void doca_priv_graph_call(struct doca_task *turn)
{
    struct doca_priv_graph_slot *slot = (struct doca_priv_graph_slot *)(void *)turn, *next;
    struct doca_graph_instance *instance = doca_priv_graph_instance(slot);
    struct doca_priv_graph_plan *plan = doca_priv_graph_of(turn)->plan;
    const struct doca_priv_graph_step *step;
    unsigned room = DOCA_PRIV_GRAPH_BURST;
    doca_error_t status;

    turn->ctx->num_inflight++;
    if (doca_unlikely(instance->turn.status != DOCA_SUCCESS || plan->running != NULL)) {
        DOCA_PRIV_TRACED(if (plan->running != NULL) doca_priv_graph_trace(
                             DOCA_PRIV_TRACE_NODE_END, plan->running, DOCA_ERROR_UNEXPECTED);)
        doca_priv_graph_pass(turn);
        return;
    }
    for (; room > 0; room--, slot = next) {
        step = slot->step;
        plan->running = slot;
        DOCA_PRIV_TRACED(doca_priv_graph_trace(DOCA_PRIV_TRACE_NODE, slot, DOCA_SUCCESS);)
        status = step->work.user(slot->data);
        if (doca_unlikely(plan->running != slot))
            return;
        DOCA_PRIV_TRACED(doca_priv_graph_trace(DOCA_PRIV_TRACE_NODE_END, slot, status);)
        next = (struct doca_priv_graph_slot *)((uintptr_t)slot + (uintptr_t)step->only_child);
        if (doca_unlikely(status != DOCA_SUCCESS)) {
            doca_priv_graph_finish(turn, slot, status);
            return;
        }
        if (next != slot)
            continue;
        next = doca_priv_graph_follow(instance, step);
        if (next != NULL)
            continue;
        if (instance->num_running == 1) {
            doca_priv_graph_finish_last(turn, slot);
            return;
        }
        instance->num_running--;
        turn->ctx->num_inflight--;
        plan->first_turn = turn->next;
        turn = turn->next;
        next = (struct doca_priv_graph_slot *)(void *)turn;
        if (turn == NULL || turn->done != doca_priv_graph_call ||
            doca_priv_graph_instance(next) != instance) {
            plan->running = NULL;
            return;
        }
    }
    doca_priv_graph_hand_over(turn, &slot->turn);
}

/* Submit the task of the first slot in a lane. If its instance has failed, queue the slot's turn
 * instead, to end the node. Returns false while the queue of the context is full. */
static bool doca_priv_graph_move(struct doca_priv_graph_plan *plan,
                                 struct doca_priv_graph_lane *lane)
{
    struct doca_priv_graph_slot *slot = (struct doca_priv_graph_slot *)(void *)lane->first;
    struct doca_task *next = slot->turn.next;

    if (doca_priv_graph_instance(slot)->turn.status != DOCA_SUCCESS) {
        slot->turn.status = DOCA_SUCCESS;
        doca_priv_graph_add_turn(&slot->turn);
    } else if (!doca_priv_graph_post(slot)) {
        return false;
    }
    lane->first = next;
    plan->num_waiting--;
    return true;
}

/* `done` of graph->moved: nothing to do, as the slot has already left its lane. */
DOCA_PRIV_DECL void doca_priv_graph_moved(struct doca_task *turn)
{
    (void)turn;
}

/* Poll function while slots wait in lanes. */
static DOCA_PRIV_NOINLINE struct doca_task *
doca_priv_graph_poll_lanes(struct doca_priv_graph_plan *plan)
{
    uint32_t i;

    for (i = 0; i < plan->num_lanes; i++)
        if (plan->lanes[i].first != NULL && doca_priv_graph_move(plan, &plan->lanes[i]))
            return &plan->graph->moved;
    return plan->first_turn;
}

DOCA_PRIV_DECL struct doca_task *doca_priv_graph_poll(struct doca_core_queue *queue)
{
    struct doca_priv_graph_plan *plan = (struct doca_priv_graph_plan *)(void *)queue;

    return doca_likely(plan->num_waiting == 0) ? plan->first_turn
                                               : doca_priv_graph_poll_lanes(plan);
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_submit(struct doca_graph_instance *graph_instance)
{
    DOCA_PRIV_ENTER(graph_instance, __func__)
    struct doca_graph_instance *instance = graph_instance;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_graph_slot *slot;
    uint32_t i, num_roots;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(instance, DOCA_PRIV_KIND_INSTANCE))
        return DOCA_PRIV_FAIL_HANDLE(instance);
    if (instance->obj.state != 0)
        return DOCA_PRIV_FAIL(IN_USE, GRAPH_SUBMITTED, instance);
    doca_priv_graph_enter(instance, NULL);
    slot = doca_priv_graph_first_holder(instance);
    for (; slot != NULL; slot = doca_priv_graph_next(instance, slot)) {
        rc = doca_priv_graph_hold(slot, &item);
        if (rc != DOCA_SUCCESS)
            return doca_priv_graph_refuse(instance, slot, rc, item);
    }
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_RUN, instance, 0,
                                     doca_priv_trace_id(doca_priv_graph_of(&instance->turn)));)
    num_roots = instance->num_running;
    for (i = 0; i < num_roots; i++)
        doca_priv_graph_begin(doca_priv_graph_slots(instance) + i);
    return DOCA_SUCCESS;
}
