/* ---- >>impl.graph ----------------------------------------------------------------------------
 * Graphs, their nodes and dependencies, and their compilation by doca_graph_start().            */
#include "engine/graph.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "device/backend_priv.h"
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "progress/pe.h"
#include "progress/pe_priv.h"
#include "engine/graph_run_priv.h"

/* Allocate the block of a started graph and divide it: plan, instances, steps, lanes, and the lists
 * of children. With a counting arena only the size is counted. */
static doca_error_t doca_priv_graph_carve(struct doca_core_arena *arena, uint32_t num_nodes,
                                          uint32_t num_edges, uint32_t num_instances,
                                          struct doca_priv_graph_plan **plan,
                                          unsigned char **instances, uint32_t **children,
                                          const char *function)
{
    size_t per_node = sizeof(struct doca_priv_graph_step) + sizeof(struct doca_priv_graph_lane);
    size_t instance_bytes = doca_priv_round_up(
        doca_priv_size(num_nodes, sizeof(struct doca_priv_graph_slot),
                       sizeof(struct doca_graph_instance)));
    size_t bytes = doca_priv_size(num_edges, sizeof(uint32_t), DOCA_PRIV_GRAPH_HEAD_BYTES);
    struct doca_priv_graph_plan *p;
    void *block = NULL;
    doca_error_t rc;

    bytes = doca_priv_size(num_nodes, per_node, bytes);
    bytes = doca_priv_size(num_instances, instance_bytes, bytes);
    rc = doca_priv_object_take(arena, bytes, &block, function);
    if (rc != DOCA_SUCCESS || block == NULL)
        return rc;
    p = (struct doca_priv_graph_plan *)block;
    *instances = (unsigned char *)block + DOCA_PRIV_GRAPH_HEAD_BYTES;
    p->steps = (struct doca_priv_graph_step *)(void *)(*instances + num_instances * instance_bytes);
    p->lanes = (struct doca_priv_graph_lane *)(void *)(p->steps + num_nodes);
    *children = (uint32_t *)(void *)(p->lanes + num_nodes);
    *plan = p;
    return DOCA_SUCCESS;
}

/* Add `num` blocks of `bytes` bytes each to a counting arena. */
static doca_error_t doca_priv_graph_count(struct doca_core_arena *count, size_t num, size_t bytes,
                                          const char *function)
{
    size_t before = count->used;
    void *block;
    doca_error_t rc = doca_priv_object_take(count, bytes, &block, function);

    if (rc == DOCA_SUCCESS)
        count->used = doca_priv_size(num, count->used - before, before);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_graph(uint32_t num_nodes, uint32_t num_dependencies,
                                                  uint32_t num_instances, size_t *bytes)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, __func__);
    struct doca_priv_graph_plan *plan;
    unsigned char *instances;
    uint32_t *children;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_graph_carve(&count, num_nodes, num_dependencies, num_instances, &plan,
                                   &instances, &children, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_graph_count(&count, 1, sizeof(struct doca_graph), __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_graph_count(&count, num_nodes, sizeof(struct doca_graph_node), __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_graph_count(&count, num_dependencies, sizeof(struct doca_priv_graph_edge),
                                   __func__);
    return rc != DOCA_SUCCESS ? rc : doca_priv_counted(&count, rc, bytes, __func__);
}

/* True when progress has something to do for the graph. A slot in a lane usually needs no action:
 * the completion that makes room in the queue wakes the PE. But no completion will come if the
 * context is not running, has no task in flight, or has tasks that were submitted without FLUSH and
 * that progress will not post by itself. */
static bool doca_priv_graph_queue_ready(struct doca_core_queue *queue)
{
    const struct doca_priv_graph_plan *plan = (const struct doca_priv_graph_plan *)(void *)queue;
    const struct doca_priv_graph_lane *lane = plan->lanes;
    bool is_ready = plan->first_turn != NULL;

    for (; !is_ready && lane < plan->lanes + plan->num_lanes; lane++)
        is_ready = lane->first != NULL && (lane->ctx->obj.state != DOCA_CTX_STATE_RUNNING ||
                                           lane->ctx->num_inflight == 0 ||
                                           (lane->ctx->deferred != NULL && !lane->ctx->must_post));
    return is_ready;
}

/* Backend of the contexts inside graphs: the functions that a PE calls for running contexts. */
static const struct doca_core_backend doca_priv_graph_backend = {
    "graph", NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
    doca_priv_graph_queue_ready, doca_priv_absent_queue_fd, doca_priv_absent_queue_arm,
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0,
    false, NULL, NULL, NULL, NULL,
};

/* Create a graph in `arena`; NULL selects the arena of the PE. */
static doca_error_t doca_priv_graph_create(struct doca_core_arena *arena, struct doca_pe *pe,
                                           struct doca_graph **graph, const char *function)
{
    DOCA_PRIV_ENTER(pe, function)
    doca_error_t rc;
    struct doca_graph *g;
    void *block = NULL;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(pe, DOCA_PRIV_KIND_PE, graph, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (arena == NULL)
        arena = pe->arena;
    rc = doca_priv_object_take(arena, sizeof(*g), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    g = (struct doca_graph *)block;
    doca_priv_ctx_init(&g->ctx, DOCA_PRIV_KIND_GRAPH, NULL, &doca_priv_graph_backend, arena, NULL,
                       0);
    g->moved.ctx = &g->ctx;
    g->moved.done = doca_priv_graph_moved;
    doca_priv_pe_adopt(pe, &g->ctx);
    *graph = g;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_graph_create_in(struct doca_core_arena *arena,
                                                      struct doca_pe *pe,
                                                      struct doca_graph **graph)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, graph, __func__);

    return rc != DOCA_SUCCESS ? rc : doca_priv_graph_create(arena, pe, graph, __func__);
}

DOCA_CORE_DECL doca_error_t doca_graph_create(struct doca_pe *pe, struct doca_graph **graph)
{
    return doca_priv_graph_create(NULL, pe, graph, __func__);
}

/* Check that the graph may be configured: both pointers are valid and the graph is stopped. */
static doca_error_t doca_priv_graph_is_open(const struct doca_graph *graph, const void *pointer,
                                            const char *function)
{
    doca_error_t rc = doca_priv_check_args(graph, DOCA_PRIV_KIND_GRAPH, pointer, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (graph->plan != NULL)
        rc = doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_GRAPH_STARTED, function, graph);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_graph_destroy(struct doca_graph *graph)
{
    DOCA_PRIV_ENTER(graph, __func__)
    doca_error_t rc, given = DOCA_SUCCESS;
    struct doca_priv_graph_edge *edge;
    struct doca_graph_node *node;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_graph_is_open(graph, graph, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (graph->num_uses > 0)
        return DOCA_PRIV_FAIL(IN_USE, GRAPH_USED, graph);
    while (graph->nodes != NULL) {
        node = graph->nodes;
        graph->nodes = node->next;
        while (node->children != NULL) {
            edge = node->children;
            node->children = edge->next;
            rc = doca_core_arena_give(graph->ctx.arena, edge);
            DOCA_ERROR_PROPAGATE(given, rc);
        }
        doca_priv_graph_drop_node(node);
        rc = doca_priv_object_give(graph->ctx.arena, &node->obj);
        DOCA_ERROR_PROPAGATE(given, rc);
    }
    rc = doca_priv_ctx_destroy(&graph->ctx, __func__);
    return rc != DOCA_SUCCESS ? rc : given;
}

DOCA_CORE_DECL doca_error_t doca_graph_set_conf(struct doca_graph *graph,
                                                doca_graph_completion_cb_t graph_completion_cb,
                                                doca_graph_completion_cb_t graph_error_cb,
                                                uint32_t num_instances)
{
    DOCA_PRIV_ENTER(graph, __func__)
    bool has_cbs = graph_completion_cb != NULL && graph_error_cb != NULL;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_graph_is_open(graph, has_cbs ? graph : NULL, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (num_instances == 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ZERO, graph);
    graph->completed = graph_completion_cb;
    graph->failed = graph_error_cb;
    graph->num_instances = num_instances;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_set_user_data(struct doca_graph *graph,
                                                     union doca_data user_data)
{
    DOCA_PRIV_ENTER(graph, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_graph_is_open(graph, graph, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    graph->ctx.user_data = user_data;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_get_user_data(const struct doca_graph *graph,
                                                     union doca_data *user_data)
{
    doca_error_t rc = doca_priv_check_args(graph, DOCA_PRIV_KIND_GRAPH, user_data, __func__);

    if (rc == DOCA_SUCCESS)
        *user_data = graph->ctx.user_data;
    return rc;
}

static doca_error_t doca_priv_graph_add_node(struct doca_graph *graph, uint8_t kind,
                                             const union doca_priv_graph_work *work,
                                             struct doca_graph_node **node, const char *function)
{
    DOCA_PRIV_ENTER(graph, function)
    doca_error_t rc;
    struct doca_graph_node *n;
    void *block = NULL;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_graph_is_open(graph, node, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (graph->num_nodes == UINT32_MAX)
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_GRAPH_TOO_MANY, function, graph);
    rc = doca_priv_object_take(graph->ctx.arena, sizeof(*n), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    n = (struct doca_graph_node *)block;
    doca_priv_object_init(&n->obj, DOCA_PRIV_KIND_NODE);
    /* analyzer: analyzer-null-dereference: only a counting arena gives NULL; here it is real */
    n->obj.state = kind;
    n->graph = graph;
    n->work = *work;
    if (graph->nodes == NULL)
        graph->nodes = n;
    else
        graph->last_node->next = n;
    graph->last_node = n;
    graph->num_nodes++;
    *node = n;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_node_create_from_ctx(struct doca_graph *graph,
                                                            const struct doca_ctx *ctx,
                                                            struct doca_graph_node **node)
{
    DOCA_PRIV_OPEN(ctx)
    DOCA_PRIV_ENTER(graph, __func__)
    union doca_priv_graph_work work;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    work.ctx = (struct doca_ctx *)(uintptr_t)ctx;
    rc = doca_priv_graph_add_node(graph, DOCA_PRIV_NODE_CTX, &work, node, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    (*node)->ctx_serial = ctx->serial;
    DOCA_PRIV_CHECKED((void)DOCA_PRIV_FETCH_ADD(&work.ctx->num_children, 1u);)
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_node_create_from_user(struct doca_graph *graph,
                                                             doca_graph_user_node_cb_t cb,
                                                             struct doca_graph_node **node)
{
    union doca_priv_graph_work work;

    if (cb == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    work.user = cb;
    return doca_priv_graph_add_node(graph, DOCA_PRIV_NODE_USER, &work, node, __func__);
}

DOCA_CORE_DECL doca_error_t doca_graph_node_create_from_graph(struct doca_graph *graph,
                                                              struct doca_graph *sub_graph,
                                                              struct doca_graph_node **node)
{
    DOCA_PRIV_ENTER(graph, __func__)
    union doca_priv_graph_work work;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(sub_graph, DOCA_PRIV_KIND_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(sub_graph);
    rc = doca_priv_graph_is_open(graph, node, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (sub_graph == graph)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_CYCLE, graph);
    if (sub_graph->ctx.pe != graph->ctx.pe)
        return DOCA_PRIV_FAIL(INVALID_VALUE, GRAPH_PE, sub_graph);
    if (sub_graph->plan == NULL)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_NOT_STARTED, sub_graph);
    work.graph = sub_graph;
    rc = doca_priv_graph_add_node(graph, DOCA_PRIV_NODE_GRAPH, &work, node, __func__);
    if (rc == DOCA_SUCCESS)
        sub_graph->num_uses++;
    return rc;
}

/* True when `to` can be reached from `from` along dependencies, or is the same node. The nodes that
 * the search reaches form a list, linked by `todo`; `todo` of the last node points to that node
 * itself. */
static bool doca_priv_graph_reaches(struct doca_graph_node *from, const struct doca_graph_node *to)
{
    const struct doca_priv_graph_edge *edge;
    struct doca_graph_node *node, *last;
    bool is_reached = false;

    if (from != to && (from->num_children == 0 || to->num_parents == 0))
        return false; /* the usual case: the program adds dependencies from the roots downwards */
    from->todo = last = from;
    for (node = from; !is_reached; node = node->todo) {
        is_reached = node == to;
        for (edge = node->children; edge != NULL && !is_reached; edge = edge->next) {
            if (edge->to->todo != NULL)
                continue;
            last->todo = edge->to;
            edge->to->todo = last = edge->to;
        }
        if (node == last)
            break;
    }
    do { /* only reached nodes have a `todo` */
        node = from;
        from = node->todo;
        node->todo = NULL;
    } while (node != last);
    return is_reached;
}

DOCA_CORE_DECL doca_error_t doca_graph_add_dependency(struct doca_graph *graph,
                                                      struct doca_graph_node *from,
                                                      struct doca_graph_node *to)
{
    DOCA_PRIV_ENTER(graph, __func__)
    doca_error_t rc;
    struct doca_priv_graph_edge *edge;
    void *block = NULL;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_graph_is_open(graph, graph, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_is(from, DOCA_PRIV_KIND_NODE))
        return DOCA_PRIV_FAIL_HANDLE(from);
    if (!doca_priv_is(to, DOCA_PRIV_KIND_NODE))
        return DOCA_PRIV_FAIL_HANDLE(to);
    if (from->graph != graph || to->graph != graph)
        return DOCA_PRIV_FAIL(INVALID_VALUE, GRAPH_FOREIGN, from->graph != graph ? from : to);
    if (doca_priv_graph_reaches(to, from))
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_CYCLE, from);
    /* a node without parents depends on nothing yet */
    for (edge = to->num_parents > 0 ? from->children : NULL; edge != NULL; edge = edge->next)
        if (edge->to == to)
            return DOCA_SUCCESS;
    if (graph->num_edges == UINT32_MAX)
        return DOCA_PRIV_FAIL(NO_MEMORY, GRAPH_TOO_MANY, graph);
    rc = doca_priv_object_take(graph->ctx.arena, sizeof(*edge), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    edge = (struct doca_priv_graph_edge *)block;
    edge->to = to;
    edge->next = from->children;
    from->children = edge;
    from->num_children++;
    to->num_parents++;
    graph->num_edges++;
    return DOCA_SUCCESS;
}

/* Sort key of a node in the plan: 0 for a root user node, 1 for a root holder, 2 for a holder with
 * parents, 3 for a user node with parents. So the roots come first, and the holders are
 * contiguous. */
static unsigned doca_priv_graph_rank(const struct doca_graph_node *node)
{
    bool is_user = node->obj.state == DOCA_PRIV_NODE_USER;

    return node->num_parents == 0 ? (is_user ? 0 : 1) : (is_user ? 3 : 2);
}

/* Assign the index of each node, and mark the first and the last holder. */
static void doca_priv_graph_arrange(const struct doca_graph *graph,
                                    struct doca_priv_graph_plan *plan)
{
    struct doca_graph_node *node;
    uint32_t index = 0;
    unsigned rank;

    for (rank = 0; rank < 4; rank++) {
        if (rank == 1)
            plan->first_holder = index;
        if (rank == 2)
            plan->num_roots = index;
        if (rank == 3)
            plan->steps[index - 1].is_last_holder = true;
        for (node = graph->nodes; node != NULL; node = node->next)
            if (doca_priv_graph_rank(node) == rank)
                node->index = index++;
    }
}

/* Compute step->only_child of a node. */
static ptrdiff_t doca_priv_graph_only_child(const struct doca_graph_node *node)
{
    const struct doca_graph_node *child = node->num_children == 1 ? node->children->to : NULL;

    if (child == NULL || child->num_parents != 1 || child->obj.state != DOCA_PRIV_NODE_USER)
        return 0;
    return ((ptrdiff_t)child->index - (ptrdiff_t)node->index) *
           (ptrdiff_t)sizeof(struct doca_priv_graph_slot);
}

/* Return the lane of a context, and create it at the first node of the context. ctx->lane is the
 * index of the lane in the graph that was compiled last, which may be another graph. The
 * index is therefore only used if the lane with this index belongs to the context. */
static struct doca_priv_graph_lane *doca_priv_graph_lane_of(struct doca_priv_graph_plan *plan,
                                                            struct doca_ctx *ctx)
{
    if (ctx->lane >= plan->num_lanes || plan->lanes[ctx->lane].ctx != ctx) {
        ctx->lane = plan->num_lanes++;
        plan->lanes[ctx->lane].ctx = ctx;
    }
    return &plan->lanes[ctx->lane];
}

/* Compile the nodes into steps, and assign a lane to each context. */
static void doca_priv_graph_compile(const struct doca_graph *graph,
                                    struct doca_priv_graph_plan *plan, uint32_t *children)
{
    const struct doca_priv_graph_edge *edge;
    const struct doca_graph_node *node;
    struct doca_priv_graph_step *step;

    doca_priv_graph_arrange(graph, plan);
    for (node = graph->nodes; node != NULL; node = node->next) {
        step = &plan->steps[node->index];
        step->kind = node->obj.state;
        step->work = node->work;
        step->ctx_serial = node->ctx_serial;
        step->offset = doca_priv_size(node->index, sizeof(struct doca_priv_graph_slot),
                                      sizeof(struct doca_graph_instance));
        step->num_parents = node->num_parents;
        step->num_children = node->num_children;
        step->children = children;
        step->only_child = doca_priv_graph_only_child(node);
        for (edge = node->children; edge != NULL; edge = edge->next)
            *children++ = edge->to->index;
        if (step->kind != DOCA_PRIV_NODE_CTX)
            continue;
        step->lane = doca_priv_graph_lane_of(plan, step->work.ctx);
    }
}

/* Return the reason why the graph cannot start, and in *object the node or graph at fault.
 * ITEM_NONE if it can start. */
static enum doca_core_item doca_priv_graph_obstacle(const struct doca_graph *graph,
                                                    const void **object)
{
    const struct doca_graph_node *node;
    bool has_ctx = false;

    *object = graph;
    if (graph->num_instances == 0)
        return DOCA_CORE_ITEM_GRAPH_NO_CONF;
    for (node = graph->nodes; node != NULL; node = node->next) {
        has_ctx = has_ctx || node->obj.state != DOCA_PRIV_NODE_USER;
        *object = node;
        if (node->obj.state == DOCA_PRIV_NODE_GRAPH && node->work.graph->plan == NULL)
            return DOCA_CORE_ITEM_GRAPH_NOT_STARTED;
        if (node->obj.state == DOCA_PRIV_NODE_CTX &&
            !doca_priv_graph_has(graph, node->work.ctx, node->ctx_serial))
            return DOCA_CORE_ITEM_GRAPH_CTX;
    }
    *object = graph;
    return has_ctx ? DOCA_CORE_ITEM_NONE : DOCA_CORE_ITEM_GRAPH_NO_CTX_NODE;
}

/* `hold`: count the starting graph as a user of its sub-graphs, so that they cannot be stopped.
 * Without `hold`, undo this. */
static void doca_priv_graph_hold_subs(const struct doca_graph *graph, bool hold)
{
    const struct doca_graph_node *node;

    for (node = graph->nodes; node != NULL; node = node->next)
        if (node->obj.state == DOCA_PRIV_NODE_GRAPH)
            node->work.graph->num_users =
                hold ? node->work.graph->num_users + 1 : node->work.graph->num_users - 1;
}

DOCA_CORE_DECL doca_error_t doca_graph_start(struct doca_graph *graph)
{
    DOCA_PRIV_ENTER(graph, __func__)
    struct doca_priv_graph_plan *plan = NULL;
    struct doca_graph_instance *instance;
    unsigned char *at = NULL;
    enum doca_core_item obstacle;
    uint32_t *children = NULL;
    const void *object;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(graph, DOCA_PRIV_KIND_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    if (graph->plan != NULL)
        return DOCA_SUCCESS;
    obstacle = doca_priv_graph_obstacle(graph, &object);
    if (obstacle != DOCA_CORE_ITEM_NONE)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, obstacle, __func__, object);
    rc = doca_priv_graph_carve(graph->ctx.arena, graph->num_nodes, graph->num_edges,
                               graph->num_instances, &plan, &at, &children, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    /* analyzer: core.NullDereference: the block was allocated, so `plan` is not NULL */
    plan->queue.poll = doca_priv_graph_poll;
    plan->queue.backend = &doca_priv_graph_backend;
    plan->graph = graph;
    doca_priv_graph_compile(graph, plan, children);
    for (; at < (unsigned char *)plan->steps;
         at += DOCA_PRIV_GRAPH_INSTANCE_BYTES(graph->num_nodes)) {
        instance = (struct doca_graph_instance *)(void *)at;
        instance->turn.next = plan->free_instances;
        plan->free_instances = &instance->turn;
    }
    doca_priv_graph_hold_subs(graph, true);
    graph->plan = plan;
    graph->ctx.queue = &plan->queue;
    graph->ctx.poll = plan->queue.poll;
    graph->ctx.obj.state = DOCA_CTX_STATE_RUNNING;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_stop(struct doca_graph *graph)
{
    DOCA_PRIV_ENTER(graph, __func__)
    struct doca_priv_graph_plan *plan;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(graph, DOCA_PRIV_KIND_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    if (graph->num_live > 0)
        return DOCA_PRIV_FAIL(IN_USE, GRAPH_HAS_INSTANCES, graph);
    if (graph->num_users > 0)
        return DOCA_PRIV_FAIL(IN_USE, GRAPH_USED, graph);
    if (graph->plan == NULL)
        return DOCA_SUCCESS;
    plan = graph->plan;
    doca_priv_pe_deactivate(&graph->ctx);
    doca_priv_graph_hold_subs(graph, false);
    graph->plan = NULL;
    graph->ctx.queue = NULL;
    graph->ctx.obj.state = DOCA_CTX_STATE_IDLE;
    return doca_core_arena_give(graph->ctx.arena, plan);
}
