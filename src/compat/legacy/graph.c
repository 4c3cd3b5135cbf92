/* ---- >>impl.legacy.graph ---------------------------------------------------------------------
 * Build, start and attach graphs.                                                               */
#include "compat/legacy/graph_priv.h"

#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "engine/graph.h"
#include "compat/legacy/ctx_priv.h"
#include "compat/legacy/graph.h"
#include "compat/legacy/job.h"
#include "compat/legacy/sha.h"
#include "compat/legacy/workq_priv.h"

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_create(struct doca_core_legacy_graph **graph)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    void *block = NULL;
    doca_error_t rc;

    if (graph == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    rc = doca_priv_object_take(arena, sizeof(**graph), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    *graph = (struct doca_core_legacy_graph *)block;
    doca_priv_object_init(&(*graph)->obj, DOCA_PRIV_KIND_LEGACY_GRAPH);
    (*graph)->arena = arena;
    return DOCA_SUCCESS;
}

/* Return why the graph cannot be stopped or destroyed, or ITEM_NONE. */
static enum doca_core_item doca_priv_legacy_graph_in_use(struct doca_core_legacy_graph *graph)
{
    enum doca_core_item item;

    doca_priv_lock(&graph->lock);
    item = graph->num_instances > 0 ? DOCA_CORE_ITEM_GRAPH_HAS_INSTANCES
           : graph->num_queues > 0  ? DOCA_CORE_ITEM_WORKQ_ADDED
           : graph->num_uses > 0    ? DOCA_CORE_ITEM_GRAPH_USED
                                    : DOCA_CORE_ITEM_NONE;
    doca_priv_unlock(&graph->lock);
    return item;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_destroy(struct doca_core_legacy_graph *graph)
{
    struct doca_core_legacy_graph_node *node;
    struct doca_priv_legacy_edge *edge;
    enum doca_core_item item;
    doca_error_t rc = DOCA_SUCCESS;

    if (!doca_priv_is(graph, DOCA_PRIV_KIND_LEGACY_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    item = doca_priv_legacy_graph_in_use(graph);
    if (item != DOCA_CORE_ITEM_NONE)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, item, __func__, graph);
    while ((node = graph->nodes) != NULL) {
        graph->nodes = node->next;
        while ((edge = node->children) != NULL) {
            node->children = edge->next;
            DOCA_ERROR_PROPAGATE(rc, doca_core_arena_give(graph->arena, edge));
        }
        if (node->sub_graph != NULL)
            node->sub_graph->num_uses--;
        DOCA_ERROR_PROPAGATE(rc, doca_priv_object_give(graph->arena, &node->obj));
    }
    DOCA_ERROR_PROPAGATE(rc, doca_priv_object_give(graph->arena, &graph->obj));
    return rc;
}

/* Add a node of `kind`. The caller fills in the members for that kind. */
static doca_error_t doca_priv_legacy_node_make(struct doca_core_legacy_graph *graph, uint8_t kind,
                                               const void *work,
                                               struct doca_core_legacy_graph_node **node,
                                               const char *function)
{
    doca_error_t rc = doca_priv_check_args(graph, DOCA_PRIV_KIND_LEGACY_GRAPH,
                                           work != NULL ? (const void *)node : NULL, function);
    struct doca_core_legacy_graph_node *n;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    /* analyzer: core.NullDereference: the call above checked that graph is a graph */
    if (graph->obj.state == DOCA_PRIV_STARTED)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_GRAPH_STARTED, function, graph);
    if (graph->num_nodes == UINT32_MAX)
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_GRAPH_TOO_MANY, function, graph);
    rc = doca_priv_object_take(graph->arena, sizeof(*n), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    n = (struct doca_core_legacy_graph_node *)block;
    doca_priv_object_init(&n->obj, DOCA_PRIV_KIND_LEGACY_NODE);
    n->obj.state = kind;
    n->index = graph->num_nodes++;
    n->graph = graph;
    if (graph->nodes == NULL)
        graph->nodes = n;
    else
        graph->last_node->next = n;
    graph->last_node = n;
    *node = n;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_ctx_node_create(struct doca_core_legacy_graph *graph,
                                                       int job_type,
                                                       const struct doca_core_legacy_ctx *ctx,
                                                       struct doca_core_legacy_graph_node **node)
{
    doca_error_t rc;

    if (!doca_priv_is_legacy_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (ctx->obj.kind == DOCA_PRIV_KIND_LEGACY_SHA
            ? job_type < DOCA_SHA_JOB_SHA1 || job_type > DOCA_SHA_JOB_SHA512_PARTIAL
            : job_type != DOCA_CORE_LEGACY_DMA_JOB_MEMCPY &&
                  job_type != DOCA_CORE_LEGACY_DMA_JOB_MEMCPY_15)
        return DOCA_PRIV_FAIL(INVALID_VALUE, JOB_TYPE, ctx);
    rc = doca_priv_legacy_node_make(graph, DOCA_PRIV_NODE_CTX, ctx, node, __func__);
    if (rc == DOCA_SUCCESS) {
        (*node)->job_type = job_type;
        (*node)->ctx = (struct doca_core_legacy_ctx *)(uintptr_t)ctx;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_graph_user_node_create(
    struct doca_core_legacy_graph *graph, doca_core_legacy_graph_user_node_cb_t cb,
    struct doca_core_legacy_graph_node **node)
{
    doca_error_t rc = doca_priv_legacy_node_make(graph, DOCA_PRIV_NODE_USER,
                                                 cb != NULL ? graph : NULL, node, __func__);

    if (rc == DOCA_SUCCESS)
        (*node)->user = cb;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_graph_sub_graph_node_create(
    struct doca_core_legacy_graph *graph, struct doca_core_legacy_graph *sub_graph,
    struct doca_core_legacy_graph_node **node)
{
    doca_error_t rc;

    if (!doca_priv_is(sub_graph, DOCA_PRIV_KIND_LEGACY_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(sub_graph);
    if (sub_graph == graph)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_CYCLE, graph);
    if (sub_graph->obj.state != DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_NOT_STARTED, sub_graph);
    rc = doca_priv_legacy_node_make(graph, DOCA_PRIV_NODE_GRAPH, sub_graph, node, __func__);
    if (rc == DOCA_SUCCESS) {
        (*node)->sub_graph = sub_graph;
        sub_graph->num_uses++;
    }
    return rc;
}

/* True when `to` depends on `from`, directly or through other nodes. */
static bool doca_priv_legacy_node_reaches(struct doca_core_legacy_graph *graph,
                                          struct doca_core_legacy_graph_node *from,
                                          const struct doca_core_legacy_graph_node *to)
{
    struct doca_core_legacy_graph_node *node, *todo = from;
    struct doca_priv_legacy_edge *edge;

    for (node = graph->nodes; node != NULL; node = node->next)
        node->is_seen = false;
    from->is_seen = true;
    from->todo = NULL;
    while (todo != NULL) {
        node = todo;
        todo = node->todo;
        if (node == to)
            return true;
        for (edge = node->children; edge != NULL; edge = edge->next) {
            if (!edge->to->is_seen) {
                edge->to->is_seen = true;
                edge->to->todo = todo;
                todo = edge->to;
            }
        }
    }
    return false;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_add_dependency(
    struct doca_core_legacy_graph *graph, struct doca_core_legacy_graph_node *from,
    struct doca_core_legacy_graph_node *to)
{
    struct doca_priv_legacy_edge *edge;
    void *block = NULL;
    doca_error_t rc;

    if (!doca_priv_is(graph, DOCA_PRIV_KIND_LEGACY_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    if (!doca_priv_is(from, DOCA_PRIV_KIND_LEGACY_NODE))
        return DOCA_PRIV_FAIL_HANDLE(from);
    if (!doca_priv_is(to, DOCA_PRIV_KIND_LEGACY_NODE))
        return DOCA_PRIV_FAIL_HANDLE(to);
    if (from->graph != graph || to->graph != graph)
        return DOCA_PRIV_FAIL(INVALID_VALUE, GRAPH_FOREIGN, graph);
    if (graph->obj.state == DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_STARTED, graph);
    for (edge = from->children; edge != NULL; edge = edge->next)
        if (edge->to == to)
            return DOCA_SUCCESS;
    if (doca_priv_legacy_node_reaches(graph, to, from))
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_CYCLE, graph);
    rc = doca_priv_object_take(graph->arena, sizeof(*edge), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    edge = (struct doca_priv_legacy_edge *)block;
    edge->to = to;
    edge->next = from->children;
    from->children = edge;
    to->num_parents++;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_start(struct doca_core_legacy_graph *graph)
{
    const struct doca_core_legacy_graph_node *node;
    bool has_job = false;

    if (!doca_priv_is(graph, DOCA_PRIV_KIND_LEGACY_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    if (graph->obj.state == DOCA_PRIV_STARTED)
        return DOCA_SUCCESS;
    for (node = graph->nodes; node != NULL; node = node->next) {
        if (node->obj.state == DOCA_PRIV_NODE_CTX &&
            (!doca_priv_is_legacy_ctx(node->ctx) ||
             !doca_priv_legacy_ctx_add_links(node->ctx, 0)))
            return DOCA_PRIV_FAIL(BAD_STATE, CTX_NOT_RUNNING, graph);
        /* a started sub-graph also has a job */
        has_job = has_job || node->obj.state != DOCA_PRIV_NODE_USER;
    }
    if (!has_job)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_NO_CTX_NODE, graph);
    graph->obj.state = DOCA_PRIV_STARTED;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_stop(struct doca_core_legacy_graph *graph)
{
    enum doca_core_item item;

    if (!doca_priv_is(graph, DOCA_PRIV_KIND_LEGACY_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    item = doca_priv_legacy_graph_in_use(graph);
    if (item != DOCA_CORE_ITEM_NONE)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, item, __func__, graph);
    graph->obj.state = DOCA_PRIV_STOPPED;
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL struct doca_priv_graph_link **
doca_priv_graph_link_find(struct doca_workq *workq, const struct doca_core_legacy_graph *graph)
{
    struct doca_priv_graph_link **link;

    for (link = &workq->graphs; *link != NULL && (*link)->graph != graph; link = &(*link)->next) {
    }
    return link;
}

DOCA_CORE_DECL doca_error_t doca_graph_workq_add(struct doca_core_legacy_graph *graph,
                                                 struct doca_workq *workq)
{
    const struct doca_core_legacy_graph_node *node;
    struct doca_priv_graph_link *link;
    void *block = NULL;
    doca_error_t rc;

    if (!doca_priv_is(graph, DOCA_PRIV_KIND_LEGACY_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (graph->obj.state != DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_NOT_STARTED, graph);
    if (*doca_priv_graph_link_find(workq, graph) != NULL)
        return DOCA_PRIV_FAIL(IN_USE, WORKQ_ADDED, graph);
    for (node = graph->nodes; node != NULL; node = node->next)
        if (node->obj.state == DOCA_PRIV_NODE_CTX &&
            *doca_priv_link_find(workq, node->ctx) == NULL)
            return DOCA_PRIV_FAIL(BAD_STATE, WORKQ_NOT_ADDED, node->ctx);
    rc = doca_priv_object_take(workq->arena, sizeof(*link), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    link = (struct doca_priv_graph_link *)block;
    link->graph = graph;
    link->next = workq->graphs;
    workq->graphs = link;
    doca_priv_lock(&graph->lock);
    graph->num_queues++;
    doca_priv_unlock(&graph->lock);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_workq_rm(struct doca_core_legacy_graph *graph,
                                                struct doca_workq *workq)
{
    struct doca_priv_graph_link **at, *link;

    if (!doca_priv_is(graph, DOCA_PRIV_KIND_LEGACY_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    at = doca_priv_graph_link_find(workq, graph);
    link = *at;
    if (link == NULL)
        return DOCA_PRIV_FAIL(BAD_STATE, WORKQ_NOT_ADDED, graph);
    if (link->num_runs > 0)
        return DOCA_PRIV_FAIL(IN_USE, WORKQ_PENDING, workq);
    *at = link->next;
    doca_priv_lock(&graph->lock);
    graph->num_queues--;
    doca_priv_unlock(&graph->lock);
    return doca_core_arena_give(workq->arena, link);
}
