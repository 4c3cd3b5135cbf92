/* ---- >>priv.legacy.graph.instance ------------------------------------------------------------
 * Instances of graphs. An instance has one run for each node, at the index of the node.         */
#ifndef DOCA_SRC_COMPAT_LEGACY_GRAPH_INSTANCE_PRIV_H
#define DOCA_SRC_COMPAT_LEGACY_GRAPH_INSTANCE_PRIV_H

#include "base/error.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "compat/legacy/graph.h"
#include "compat/legacy/workq_priv.h"

struct doca_core_legacy_graph;
struct doca_core_legacy_graph_node;
struct doca_event;

/* A node of one instance. */
struct doca_priv_run {
    const struct doca_core_legacy_graph_node *node;
    struct doca_core_legacy_graph_instance *instance;
    void *data; /* job, cookie or instance, depending on the kind of node */
    struct doca_event *event;
    enum doca_graph_instance_node_state state;
    doca_error_t status;
    uint32_t num_pending;       /* number of parents that have not completed */
    struct doca_priv_run *next; /* next node that is ready to run */
};

/* An instance. The array of its runs follows it in the same block. */
struct doca_core_legacy_graph_instance {
    struct doca_priv_object obj;
    uint32_t num_open; /* number of nodes that are ready or running */
    uint32_t num_uses; /* number of runs of other instances that have this instance as their data */
    doca_error_t status;
    struct doca_core_legacy_graph *graph;
    /* NULL when the instance is not submitted, neither by itself nor inside another one */
    struct doca_workq *workq;
    /* node of another instance that this instance runs for; NULL when the program submitted this
     * instance itself */
    struct doca_priv_run *parent;
    /* list of the instances that one submit has marked as submitted: the submitted instance and
     * those of its sub-graphs */
    struct doca_core_legacy_graph_instance *chain;
    struct doca_priv_run *runs;
    struct doca_priv_legacy_event end;
};

#endif
