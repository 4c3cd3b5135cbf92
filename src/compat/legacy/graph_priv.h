/* ---- >>priv.legacy.graph ---------------------------------------------------------------------
 * Graphs and their nodes. A graph is a list of nodes and edges; it is not compiled.             */
#ifndef DOCA_SRC_COMPAT_LEGACY_GRAPH_PRIV_H
#define DOCA_SRC_COMPAT_LEGACY_GRAPH_PRIV_H

#include "base/platform_priv.h"
#include "base/types.h"
#include "compat/legacy/graph.h"

struct doca_core_arena;
struct doca_core_legacy_ctx;
struct doca_workq;

struct doca_priv_legacy_edge {
    struct doca_core_legacy_graph_node *to;
    struct doca_priv_legacy_edge *next;
};

struct doca_core_legacy_graph_node {
    struct doca_priv_object obj; /* obj.state: DOCA_PRIV_NODE_* */
    uint32_t index;
    uint32_t num_parents;
    bool is_seen; /* used by the search for a cycle, like `todo` */
    int job_type;
    struct doca_core_legacy_graph *graph;
    struct doca_core_legacy_graph_node *next;
    struct doca_core_legacy_graph_node *todo;
    struct doca_priv_legacy_edge *children;
    /* The kind of the node determines which of the next three members is used. */
    struct doca_core_legacy_ctx *ctx;
    doca_core_legacy_graph_user_node_cb_t user;
    struct doca_core_legacy_graph *sub_graph;
};

struct doca_core_legacy_graph {
    struct doca_priv_object obj;
    uint32_t lock; /* guards num_instances and num_queues, which several threads change */
    uint32_t num_instances;
    uint32_t num_queues;
    uint32_t num_nodes;
    uint32_t num_uses; /* number of nodes of other graphs that run this graph */
    struct doca_core_arena *arena;
    struct doca_core_legacy_graph_node *nodes;
    struct doca_core_legacy_graph_node *last_node;
};

/* A graph that is attached to a work queue. */
struct doca_priv_graph_link {
    struct doca_core_legacy_graph *graph;
    struct doca_priv_graph_link *next;
    uint32_t num_runs; /* instances whose events have not been retrieved */
};

DOCA_PRIV_DECL struct doca_priv_graph_link **
doca_priv_graph_link_find(struct doca_workq *workq, const struct doca_core_legacy_graph *graph);

#endif
