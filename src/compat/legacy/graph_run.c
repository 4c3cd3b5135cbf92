/* ---- >>impl.legacy.graph.run -----------------------------------------------------------------
 * Run graph instances. A node whose parents have completed is appended to the ready nodes of the
 * work queue. doca_workq_progress_retrieve() starts them one by one. An instance ends when none
 * of its nodes is ready or running.                                                             */
#include "compat/legacy/graph_run_priv.h"

#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "engine/graph.h"
#include "compat/legacy/ctx_priv.h"
#include "compat/legacy/graph.h"
#include "compat/legacy/graph_instance_priv.h"
#include "compat/legacy/graph_priv.h"
#include "compat/legacy/job.h"
#include "compat/legacy/job_priv.h"
#include "compat/legacy/workq_priv.h"

static void doca_priv_run_make_ready(struct doca_priv_run *run)
{
    struct doca_workq *workq = run->instance->workq;

    run->next = NULL;
    if (workq->ready == NULL)
        workq->ready = run;
    else
        workq->last_ready->next = run;
    workq->last_ready = run;
}

/* Start an instance: make its nodes without parents ready. */
static void doca_priv_instance_begin(struct doca_core_legacy_graph_instance *in,
                                     struct doca_priv_run *parent)
{
    struct doca_priv_run *run;

    in->parent = parent;
    in->status = DOCA_SUCCESS;
    in->num_open = 0;
    for (run = in->runs; run < in->runs + in->graph->num_nodes; run++) {
        run->state = DOCA_GRAPH_INSTANCE_NODE_STATE_NOT_STARTED;
        run->num_pending = run->node->num_parents;
        if (run->num_pending == 0) {
            in->num_open++;
            doca_priv_run_make_ready(run);
        }
    }
}

/* Record that a node ended. On success, each child whose other parents have completed as well
 * becomes ready. Otherwise mark the instance as failed. */
static void doca_priv_run_record(struct doca_priv_run *run, doca_error_t status)
{
    struct doca_core_legacy_graph_instance *in = run->instance;
    const struct doca_priv_legacy_edge *edge;
    struct doca_priv_run *child;

    run->status = status;
    if (status != DOCA_SUCCESS) {
        run->state = DOCA_GRAPH_INSTANCE_NODE_STATE_ERROR;
        if (in->status == DOCA_SUCCESS) {
            in->status = status;
            (void)doca_priv_fail(status, DOCA_CORE_ITEM_GRAPH_FAILED,
                                 "doca_workq_progress_retrieve", in);
        }
        return;
    }
    run->state = DOCA_GRAPH_INSTANCE_NODE_STATE_COMPLETED;
    for (edge = run->node->children; edge != NULL; edge = edge->next) {
        child = &in->runs[edge->to->index];
        if (--child->num_pending == 0) {
            in->num_open++;
            doca_priv_run_make_ready(child);
        }
    }
}

/* Close a node that ended. The last node of an instance ends the instance. If the instance ran
 * for a node of another instance, that node ends too, and so on. */
static void doca_priv_run_close(struct doca_priv_run *run)
{
    struct doca_core_legacy_graph_instance *in = run->instance;

    while (--in->num_open == 0) {
        in->end.event.result.u64 = (uint64_t)in->status;
        if (in->parent == NULL) {
            doca_priv_workq_put_event(in->workq, &in->end);
            return;
        }
        run = in->parent;
        if (run->event != NULL) {
            run->event->type = DOCA_GRAPH_JOB;
            run->event->user_data.u64 = 0;
            run->event->result = in->end.event.result;
        }
        doca_priv_run_record(run, in->status);
        in = run->instance;
    }
}

DOCA_PRIV_DECL void doca_priv_run_job_ended(struct doca_priv_run *run, doca_error_t status,
                                            union doca_data user_data)
{
    if (run->event != NULL) {
        run->event->type = run->node->job_type;
        run->event->user_data = user_data;
        run->event->result.u64 = (uint64_t)status;
    }
    doca_priv_run_record(run, status);
    doca_priv_run_close(run);
}

/* End a user node whose function did not return (it called longjmp, threw, or retrieved an
 * event). */
DOCA_PRIV_DECL void doca_priv_graph_end_call(struct doca_workq *workq)
{
    struct doca_priv_run *run = workq->calling;

    workq->calling = NULL;
    doca_priv_run_record(run, DOCA_ERROR_UNKNOWN);
    doca_priv_run_close(run);
}

static void doca_priv_run_call(struct doca_workq *workq, struct doca_priv_run *run)
{
    doca_error_t status;

    workq->calling = run;
    status = run->node->user(run->data, run->event);
    if (workq->calling != run)
        return; /* the function retrieved an event, which ended the node */
    workq->calling = NULL;
    doca_priv_run_record(run, status);
    doca_priv_run_close(run);
}

/* Start the oldest ready node. */
DOCA_PRIV_DECL void doca_priv_graph_run_next(struct doca_workq *workq)
{
    struct doca_priv_run *run = workq->ready;
    const struct doca_job *job = (const struct doca_job *)run->data;
    struct doca_priv_link *link = NULL;
    struct doca_priv_order order;
    doca_error_t rc;

    workq->ready = run->next;
    /* the instance failed meanwhile: do not start the node */
    if (run->instance->status != DOCA_SUCCESS) {
        doca_priv_run_close(run);
        return;
    }
    run->state = DOCA_GRAPH_INSTANCE_NODE_STATE_STARTED;
    if (run->node->obj.state == DOCA_PRIV_NODE_USER) {
        doca_priv_run_call(workq, run);
    } else if (run->node->obj.state == DOCA_PRIV_NODE_GRAPH) {
        doca_priv_instance_begin((struct doca_core_legacy_graph_instance *)run->data, run);
    } else {
        rc = doca_priv_job_check(workq, job, &link, &order, "doca_workq_progress_retrieve");
        if (rc == DOCA_SUCCESS)
            rc = doca_priv_job_post(workq, link, job, &order, run,
                                    "doca_workq_progress_retrieve");
        if (rc == DOCA_ERROR_NO_MEMORY) { /* the queue is full: try again later */
            run->state = DOCA_GRAPH_INSTANCE_NODE_STATE_NOT_STARTED;
            doca_priv_run_make_ready(run);
        } else if (rc != DOCA_SUCCESS) {
            doca_priv_run_job_ended(run, rc, job->user_data);
        }
    }
}

/* Mark an instance, and the instances of its sub-graphs, as no longer submitted. */
DOCA_PRIV_DECL void doca_priv_graph_event_taken(struct doca_core_legacy_graph_instance *instance)
{
    (*doca_priv_graph_link_find(instance->workq, instance->graph))->num_runs--;
    for (; instance != NULL; instance = instance->chain)
        instance->workq = NULL;
}

/* Check that a node can run on `workq`. The instance of a sub-graph is marked as submitted and
 * appended to the chain after *last. */
static doca_error_t doca_priv_run_check(const struct doca_priv_run *run, struct doca_workq *workq,
                                        struct doca_core_legacy_graph_instance **last,
                                        enum doca_core_item *item)
{
    struct doca_core_legacy_graph_instance *sub;

    if (run->node->obj.state == DOCA_PRIV_NODE_USER)
        return DOCA_SUCCESS;
    *item = DOCA_CORE_ITEM_GRAPH_NO_DATA;
    if (run->data == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (run->node->obj.state == DOCA_PRIV_NODE_CTX) {
        *item = DOCA_CORE_ITEM_WORKQ_NOT_ADDED;
        return *doca_priv_link_find(workq, run->node->ctx) != NULL ? DOCA_SUCCESS
                                                                   : DOCA_ERROR_BAD_STATE;
    }
    sub = (struct doca_core_legacy_graph_instance *)run->data;
    *item = DOCA_CORE_ITEM_GRAPH_SUBMITTED;
    if (sub->workq != NULL)
        return DOCA_ERROR_IN_USE;
    sub->workq = workq;
    sub->chain = NULL;
    (*last)->chain = sub;
    *last = sub;
    return DOCA_SUCCESS;
}

/* Check an instance and the instances of its sub-graphs, and mark them as submitted. When the check
 * fails, no instance stays marked. */
static doca_error_t doca_priv_instance_check(struct doca_core_legacy_graph_instance *first,
                                             struct doca_workq *workq, const char *function)
{
    struct doca_core_legacy_graph_instance *in, *last = first;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_link *link = NULL;
    const struct doca_priv_run *run;
    struct doca_priv_order order;
    doca_error_t rc = DOCA_SUCCESS;
    uint32_t num_jobs = 0;

    first->workq = workq;
    first->chain = NULL;
    for (in = first; in != NULL && rc == DOCA_SUCCESS; in = in->chain) {
        for (run = in->runs; run < in->runs + in->graph->num_nodes && rc == DOCA_SUCCESS; run++) {
            rc = doca_priv_run_check(run, workq, &last, &item);
            if (rc != DOCA_SUCCESS) {
                (void)doca_priv_fail(rc, item, function, in);
            } else if (in == first && run->node->num_parents == 0 &&
                       run->node->obj.state == DOCA_PRIV_NODE_CTX) {
                rc = doca_priv_job_check(workq, (const struct doca_job *)run->data, &link, &order,
                                         function);
                num_jobs++;
            }
        }
    }
    if (rc == DOCA_SUCCESS && num_jobs > workq->num_free)
        rc = doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_WORKQ_FULL, function, workq);
    for (in = first; in != NULL && rc != DOCA_SUCCESS; in = in->chain)
        in->workq = NULL;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_workq_graph_submit(
    struct doca_workq *workq, struct doca_core_legacy_graph_instance *graph_instance,
    union doca_data user_data)
{
    struct doca_core_legacy_graph_instance *in = graph_instance;
    struct doca_priv_graph_link *link;
    doca_error_t rc;

    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (!doca_priv_is(in, DOCA_PRIV_KIND_LEGACY_INSTANCE))
        return DOCA_PRIV_FAIL_HANDLE(in);
    if (in->workq != NULL)
        return DOCA_PRIV_FAIL(IN_USE, GRAPH_SUBMITTED, in);
    link = *doca_priv_graph_link_find(workq, in->graph);
    if (link == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, WORKQ_NOT_ADDED, in);
    rc = doca_priv_instance_check(in, workq, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    link->num_runs++;
    in->end.event.type = DOCA_GRAPH_JOB;
    in->end.event.user_data = user_data;
    doca_priv_instance_begin(in, NULL);
    doca_priv_workq_wake(workq);
    return DOCA_SUCCESS;
}
