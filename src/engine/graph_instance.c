/* ---- >>impl.graph.instance ------------------------------------------------------------------
 * Instances of a started graph: create, destroy, and set the data of their nodes.               */
#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "progress/ctx.h"
#include "progress/hot_task.h"
#include "progress/pe.h"
#include "progress/task.h"
#include "engine/graph.h"
#include "engine/graph_run_priv.h"

DOCA_CORE_DECL doca_error_t doca_graph_instance_create(const struct doca_graph *graph,
                                                       struct doca_graph_instance **graph_instance)
{
    DOCA_PRIV_ENTER(graph, __func__)
    doca_error_t rc;
    struct doca_graph_instance *instance;
    struct doca_priv_graph_slot *slot;
    struct doca_graph *g = (struct doca_graph *)(uintptr_t)graph;
    uint32_t i;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(graph, DOCA_PRIV_KIND_GRAPH, graph_instance, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (g->plan == NULL)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_NOT_STARTED, graph);
    if (g->plan->free_instances == NULL)
        return DOCA_PRIV_FAIL(NO_MEMORY, GRAPH_NO_INSTANCE, graph);
    instance = doca_priv_graph_by_turn(g->plan->free_instances);
    g->plan->free_instances = instance->turn.next;
    DOCA_CORE_MEMSET(instance, 0, DOCA_PRIV_GRAPH_INSTANCE_BYTES(g->num_nodes));
    doca_priv_object_init(&instance->obj, DOCA_PRIV_KIND_INSTANCE);
    instance->turn.ctx = &g->ctx;
    instance->turn.done = doca_priv_graph_report;
    g->num_live++;
    slot = doca_priv_graph_slots(instance);
    for (i = 0; i < g->num_nodes; i++, slot++) {
        slot->step = &g->plan->steps[i];
        slot->num_pending = slot->step->num_parents;
        slot->turn.ctx = &g->ctx;
        slot->turn.done = slot->step->kind == DOCA_PRIV_NODE_USER ? doca_priv_graph_call
                                                                  : doca_priv_graph_ended;
    }
    *graph_instance = instance;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_destroy(struct doca_graph_instance *graph_instance)
{
    DOCA_PRIV_ENTER(graph_instance, __func__)
    struct doca_priv_graph_slot *slot;
    struct doca_graph *graph;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(graph_instance, DOCA_PRIV_KIND_INSTANCE))
        return DOCA_PRIV_FAIL_HANDLE(graph_instance);
    if (graph_instance->obj.state != 0)
        return DOCA_PRIV_FAIL(IN_USE, GRAPH_SUBMITTED, graph_instance);
    if (graph_instance->num_uses > 0)
        return DOCA_PRIV_FAIL(IN_USE, GRAPH_INSTANCE_USED, graph_instance);
    /* Detach all sub instances. doca_priv_graph_next() enters the sub instance of a held slot only,
     * and no slot of an idle instance is held. */
    slot = doca_priv_graph_first_holder(graph_instance);
    for (; slot != NULL; slot = doca_priv_graph_next(graph_instance, slot))
        if (slot->step->kind == DOCA_PRIV_NODE_GRAPH)
            doca_priv_graph_set_sub(slot, NULL);
    graph = doca_priv_graph_of(&graph_instance->turn);
    doca_priv_object_end(&graph_instance->obj);
    graph_instance->turn.next = graph->plan->free_instances;
    graph->plan->free_instances = &graph_instance->turn;
    graph->num_live--;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_set_user_data(
    struct doca_graph_instance *graph_instance, union doca_data user_data)
{
    DOCA_PRIV_ENTER(graph_instance, __func__)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(graph_instance, DOCA_PRIV_KIND_INSTANCE))
        return DOCA_PRIV_FAIL_HANDLE(graph_instance);
    if (graph_instance->obj.state != 0)
        return DOCA_PRIV_FAIL(IN_USE, GRAPH_SUBMITTED, graph_instance);
    graph_instance->turn.user_data = user_data;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_get_user_data(
    const struct doca_graph_instance *graph_instance, union doca_data *user_data)
{
    doca_error_t rc =
        doca_priv_check_args(graph_instance, DOCA_PRIV_KIND_INSTANCE, user_data, __func__);

    if (rc == DOCA_SUCCESS)
        *user_data = graph_instance->turn.user_data;
    return rc;
}

/* Find the slot of `node`, to set its data. Checks that the node is of `kind` and of the graph of
 * the instance, and that the instance is not submitted. */
static doca_error_t doca_priv_graph_find_slot(struct doca_graph_instance *instance,
                                              const struct doca_graph_node *node, uint8_t kind,
                                              struct doca_priv_graph_slot **slot,
                                              const char *function)
{
    doca_error_t rc = doca_priv_check_args(instance, DOCA_PRIV_KIND_INSTANCE, node, function);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(node, DOCA_PRIV_KIND_NODE, node, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (instance->obj.state != 0)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_GRAPH_SUBMITTED, function,
                              instance);
    if (node->graph != doca_priv_graph_of(&instance->turn) || node->obj.state != kind)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_GRAPH_FOREIGN, function,
                              node);
    *slot = doca_priv_graph_slots(instance) + node->index;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_set_ctx_node_data(
    struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
    struct doca_task *task)
{
    DOCA_PRIV_OPEN(task)
    DOCA_PRIV_ENTER(graph_instance, __func__)
    struct doca_priv_graph_slot *slot = NULL;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is_task(task))
        return DOCA_PRIV_FAIL_HANDLE(task);
    rc = doca_priv_graph_find_slot(graph_instance, node, DOCA_PRIV_NODE_CTX, &slot, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (task->ctx != node->work.ctx)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_FOREIGN, task);
    slot->data = task;
    DOCA_PRIV_CHECKED(slot->turn.life = task->life;)
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_set_user_node_data(
    struct doca_graph_instance *graph_instance, struct doca_graph_node *node, void *cookie)
{
    DOCA_PRIV_ENTER(graph_instance, __func__)
    struct doca_priv_graph_slot *slot = NULL;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_graph_find_slot(graph_instance, node, DOCA_PRIV_NODE_USER, &slot, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    slot->data = cookie;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_set_sub_graph_node_data(
    struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
    struct doca_graph_instance *sub_graph_instance)
{
    DOCA_PRIV_ENTER(graph_instance, __func__)
    struct doca_priv_graph_slot *slot = NULL;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(sub_graph_instance, DOCA_PRIV_KIND_INSTANCE))
        return DOCA_PRIV_FAIL_HANDLE(sub_graph_instance);
    rc = doca_priv_graph_find_slot(graph_instance, node, DOCA_PRIV_NODE_GRAPH, &slot, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (doca_priv_graph_of(&sub_graph_instance->turn) != node->work.graph)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_FOREIGN, sub_graph_instance);
    if (sub_graph_instance->obj.state != 0)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_SUBMITTED, sub_graph_instance);
    doca_priv_graph_set_sub(slot, sub_graph_instance);
    return DOCA_SUCCESS;
}
