/* ---- >>impl.legacy.graph.instance ------------------------------------------------------------
 * Instances of graphs: the data of their nodes, and their results.                              */
#include "compat/legacy/graph_instance_priv.h"

#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/arena_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "engine/graph.h"
#include "compat/legacy/graph.h"
#include "compat/legacy/graph_priv.h"
#include "compat/legacy/job.h"

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_create(
    const struct doca_core_legacy_graph *graph,
    struct doca_core_legacy_graph_instance **graph_instance)
{
    doca_error_t rc =
        doca_priv_check_args(graph, DOCA_PRIV_KIND_LEGACY_GRAPH, graph_instance, __func__);
    struct doca_core_legacy_graph *g = (struct doca_core_legacy_graph *)(uintptr_t)graph;
    const struct doca_core_legacy_graph_node *node;
    struct doca_core_legacy_graph_instance *in;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (graph->obj.state != DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_NOT_STARTED, graph);
    rc = doca_priv_object_take(
        g->arena, doca_priv_size(g->num_nodes, sizeof(struct doca_priv_run), sizeof(*in)), &block,
        __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    in = (struct doca_core_legacy_graph_instance *)block;
    doca_priv_object_init(&in->obj, DOCA_PRIV_KIND_LEGACY_INSTANCE);
    in->graph = g;
    in->end.instance = in;
    in->runs = (struct doca_priv_run *)(void *)(in + 1);
    for (node = g->nodes; node != NULL; node = node->next) {
        in->runs[node->index].node = node;
        in->runs[node->index].instance = in;
    }
    doca_priv_lock(&g->lock);
    g->num_instances++;
    doca_priv_unlock(&g->lock);
    *graph_instance = in;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_destroy(
    struct doca_core_legacy_graph_instance *graph_instance)
{
    struct doca_core_legacy_graph_instance *in = graph_instance;
    struct doca_core_legacy_graph *graph;
    uint32_t i;

    if (!doca_priv_is(in, DOCA_PRIV_KIND_LEGACY_INSTANCE))
        return DOCA_PRIV_FAIL_HANDLE(in);
    if (in->workq != NULL)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_SUBMITTED, in);
    if (in->num_uses > 0)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_INSTANCE_USED, in);
    graph = in->graph;
    for (i = 0; i < graph->num_nodes; i++)
        if (in->runs[i].node->obj.state == DOCA_PRIV_NODE_GRAPH && in->runs[i].data != NULL)
            ((struct doca_core_legacy_graph_instance *)in->runs[i].data)->num_uses--;
    doca_priv_lock(&graph->lock);
    graph->num_instances--;
    doca_priv_unlock(&graph->lock);
    return doca_priv_object_give(graph->arena, &in->obj);
}

/* Return the run of a node whose data may be set. Otherwise returns NULL and sets `*rc`. */
static struct doca_priv_run *doca_priv_run_of(struct doca_core_legacy_graph_instance *in,
                                              const struct doca_core_legacy_graph_node *node,
                                              uint8_t kind, doca_error_t *rc, const char *function)
{
    enum doca_core_item item = DOCA_CORE_ITEM_GRAPH_FOREIGN;

    *rc = doca_priv_check_args(in, DOCA_PRIV_KIND_LEGACY_INSTANCE, node, function);
    if (*rc == DOCA_SUCCESS)
        *rc = doca_priv_check_args(node, DOCA_PRIV_KIND_LEGACY_NODE, node, function);
    if (*rc != DOCA_SUCCESS)
        return NULL;
    *rc = DOCA_ERROR_NOT_PERMITTED;
    if (in->workq != NULL) {
        *rc = DOCA_ERROR_BAD_STATE;
        item = DOCA_CORE_ITEM_GRAPH_SUBMITTED;
    } else if (node->graph == in->graph && node->obj.state == kind) {
        *rc = DOCA_SUCCESS;
        return &in->runs[node->index];
    }
    (void)doca_priv_fail(*rc, item, function, in);
    return NULL;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_set_ctx_node_data(
    struct doca_core_legacy_graph_instance *graph_instance,
    struct doca_core_legacy_graph_node *node, struct doca_job *job, struct doca_event *ev)
{
    doca_error_t rc = DOCA_SUCCESS;
    struct doca_priv_run *run =
        doca_priv_run_of(graph_instance, node, DOCA_PRIV_NODE_CTX, &rc, __func__);

    if (run == NULL)
        return rc;
    if (job == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, graph_instance);
    if (job->type != node->job_type || job->ctx != node->ctx)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_FOREIGN, graph_instance);
    run->data = job;
    run->event = ev;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_set_user_node_data(
    struct doca_core_legacy_graph_instance *graph_instance,
    struct doca_core_legacy_graph_node *node, void *cookie, struct doca_event *ev)
{
    doca_error_t rc = DOCA_SUCCESS;
    struct doca_priv_run *run =
        doca_priv_run_of(graph_instance, node, DOCA_PRIV_NODE_USER, &rc, __func__);

    if (run == NULL)
        return rc;
    run->data = cookie;
    run->event = ev;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_set_sub_graph_node_data(
    struct doca_core_legacy_graph_instance *graph_instance,
    struct doca_core_legacy_graph_node *node,
    struct doca_core_legacy_graph_instance *sub_graph_instance, struct doca_event *ev)
{
    struct doca_core_legacy_graph_instance *sub = sub_graph_instance;
    doca_error_t rc = DOCA_SUCCESS;
    struct doca_priv_run *run =
        doca_priv_run_of(graph_instance, node, DOCA_PRIV_NODE_GRAPH, &rc, __func__);

    if (run == NULL)
        return rc;
    if (!doca_priv_is(sub, DOCA_PRIV_KIND_LEGACY_INSTANCE))
        return DOCA_PRIV_FAIL_HANDLE(sub);
    if (sub->graph != node->sub_graph)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_FOREIGN, graph_instance);
    if (sub->workq != NULL)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_SUBMITTED, sub);
    if (run->data != NULL)
        ((struct doca_core_legacy_graph_instance *)run->data)->num_uses--;
    sub->num_uses++;
    run->data = sub;
    run->event = ev;
    return DOCA_SUCCESS;
}

static uint32_t doca_priv_instance_failed(const struct doca_core_legacy_graph_instance *in,
                                          const struct doca_core_legacy_graph_node **nodes,
                                          uint32_t max)
{
    uint32_t num = 0, i;

    for (i = 0; i < in->graph->num_nodes && num < max; i++) {
        if (in->runs[i].state == DOCA_GRAPH_INSTANCE_NODE_STATE_ERROR) {
            if (nodes != NULL)
                nodes[num] = in->runs[i].node;
            num++;
        }
    }
    return num;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_get_num_failed_nodes(
    const struct doca_core_legacy_graph_instance *graph_instance, uint32_t *num_failed_nodes)
{
    doca_error_t rc = doca_priv_check_args(graph_instance, DOCA_PRIV_KIND_LEGACY_INSTANCE,
                                           num_failed_nodes, __func__);

    if (rc == DOCA_SUCCESS)
        *num_failed_nodes = doca_priv_instance_failed(graph_instance, NULL, UINT32_MAX);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_get_failed_nodes(
    const struct doca_core_legacy_graph_instance *graph_instance,
    const struct doca_core_legacy_graph_node **failed_nodes, uint32_t *num_failed_nodes)
{
    doca_error_t rc = doca_priv_check_args(graph_instance, DOCA_PRIV_KIND_LEGACY_INSTANCE,
                                           failed_nodes != NULL ? num_failed_nodes : NULL,
                                           __func__);

    if (rc == DOCA_SUCCESS)
        *num_failed_nodes =
            doca_priv_instance_failed(graph_instance, failed_nodes, *num_failed_nodes);
    return rc;
}

/* Return the run of a node, for calls that only inspect it. On failure, returns NULL and sets
 * `*rc`. */
static const struct doca_priv_run *doca_priv_run_inspect(
    const struct doca_core_legacy_graph_instance *in,
    const struct doca_core_legacy_graph_node *node, const void *out, doca_error_t *rc,
    const char *function)
{
    *rc = doca_priv_check_args(in, DOCA_PRIV_KIND_LEGACY_INSTANCE, out, function);
    if (*rc == DOCA_SUCCESS)
        *rc = doca_priv_check_args(node, DOCA_PRIV_KIND_LEGACY_NODE, out, function);
    if (*rc != DOCA_SUCCESS)
        return NULL;
    if (node->graph == in->graph)
        return &in->runs[node->index];
    *rc = doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_GRAPH_FOREIGN, function, in);
    return NULL;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_node_get_state(
    const struct doca_core_legacy_graph_instance *graph_instance,
    const struct doca_core_legacy_graph_node *node, enum doca_graph_instance_node_state *state)
{
    doca_error_t rc = DOCA_SUCCESS;
    const struct doca_priv_run *run =
        doca_priv_run_inspect(graph_instance, node, state, &rc, __func__);

    if (run != NULL)
        *state = run->state;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_node_get_result(
    const struct doca_core_legacy_graph_instance *graph_instance,
    const struct doca_core_legacy_graph_node *node, union doca_data *result)
{
    doca_error_t rc = DOCA_SUCCESS;
    const struct doca_priv_run *run =
        doca_priv_run_inspect(graph_instance, node, result, &rc, __func__);

    if (run == NULL)
        return rc;
    if (run->state != DOCA_GRAPH_INSTANCE_NODE_STATE_COMPLETED &&
        run->state != DOCA_GRAPH_INSTANCE_NODE_STATE_ERROR)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_UNFINISHED, graph_instance);
    result->u64 = (uint64_t)run->status;
    return DOCA_SUCCESS;
}
