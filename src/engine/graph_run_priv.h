/* ---- >>priv.graph.run ------------------------------------------------------------------------
 * Declarations of >>impl.graph.run for other parts of the library, and the compiled graph.      */
#ifndef DOCA_SRC_ENGINE_GRAPH_RUN_PRIV_H
#define DOCA_SRC_ENGINE_GRAPH_RUN_PRIV_H

#include "base/compiler.h"
#include "device/backend.h"
#include "progress/task.h"
#include "engine/graph.h"

struct doca_priv_graph_lane;
struct doca_priv_graph_slot;
struct doca_priv_graph_step;

/* The compiled graph. Stands at the start of the block that doca_graph_start() allocates; the
 * instances, steps, lanes and lists of children follow. */
struct doca_priv_graph_plan {
    struct doca_core_queue queue; /* queue of the graph's context */
    struct doca_graph *graph;
    struct doca_task *first_turn;     /* list of queued turns; NULL when empty */
    struct doca_task *free_instances; /* list of free instances, linked by their turns */
    struct doca_task *last_turn;
    struct doca_priv_graph_step *steps;   /* array with a step for each node; roots first */
    struct doca_priv_graph_lane *lanes;   /* array with a lane for each context of the nodes */
    struct doca_priv_graph_slot *running; /* user node whose function is being called; NULL when no
                                           * function is being called, or when its instance has
                                           * failed during the call */
    uint32_t num_roots;
    uint32_t first_holder; /* index of the first holder (see >>impl.graph.run) */
    uint32_t num_lanes;
    uint32_t num_waiting; /* number of slots in all lanes together */
};

DOCA_PRIV_DECL struct doca_graph_instance *doca_priv_graph_by_turn(const struct doca_task *turn);
DOCA_PRIV_DECL struct doca_priv_graph_slot *
doca_priv_graph_first_holder(const struct doca_graph_instance *instance);
DOCA_PRIV_DECL struct doca_priv_graph_slot *
doca_priv_graph_next(const struct doca_graph_instance *top, struct doca_priv_graph_slot *slot);
DOCA_PRIV_DECL bool doca_priv_graph_has(const struct doca_graph *graph, const struct doca_ctx *ctx,
                                        uint32_t serial);
DOCA_PRIV_DECL void doca_priv_graph_drop_node(const struct doca_graph_node *node);
DOCA_PRIV_DECL void doca_priv_graph_set_sub(struct doca_priv_graph_slot *slot,
                                            struct doca_graph_instance *sub);
DOCA_PRIV_DECL void doca_priv_graph_report(struct doca_task *turn);
DOCA_PRIV_DECL void doca_priv_graph_ended(struct doca_task *turn);
DOCA_PRIV_DECL void doca_priv_graph_call(struct doca_task *turn);
DOCA_PRIV_DECL void doca_priv_graph_moved(struct doca_task *turn);
DOCA_PRIV_DECL struct doca_task *doca_priv_graph_poll(struct doca_core_queue *queue);

DOCA_PRIV_HOT struct doca_priv_graph_slot *doca_priv_graph_slots(
    const struct doca_graph_instance *of)
{
    return (struct doca_priv_graph_slot *)((uintptr_t)of + sizeof(*of));
}

DOCA_PRIV_HOT struct doca_graph *doca_priv_graph_of(const struct doca_task *turn)
{
    /* analyzer: core.NullDereference: clearing the data of a slot does not clear its own turn */
    return (struct doca_graph *)(void *)turn->ctx;
}

#endif
