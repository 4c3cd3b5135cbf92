/* ---- >>legacy.graph --------------------------------------------------------------------------
 * Graphs: jobs and functions that run in a given order on work queues. Nodes and dependencies are
 * added while the graph is stopped. A started graph is attached to work queues and has instances,
 * which are submitted to the work queues. When a node fails, its instance fails: nodes that are
 * running still finish, and no other node starts. If a queue is full, its next jobs wait.
 * Source: DOCA Core Programming Guide, "DOCA Graph Execution"; public programs of 2.0.          */
#ifndef DOCA_SRC_COMPAT_LEGACY_GRAPH_H
#define DOCA_SRC_COMPAT_LEGACY_GRAPH_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/legacy/config.h"
#include "compat/legacy/job.h"

struct doca_core_legacy_ctx;
struct doca_core_legacy_graph;
struct doca_core_legacy_graph_instance;
struct doca_core_legacy_graph_node;
struct doca_workq;

enum doca_graph_job_types { DOCA_GRAPH_JOB = DOCA_ACTION_GRAPH_FIRST + 1 };

/* Function of a user node. `ev` is the event of the data of the node. The node fails when the
 * function returns anything but SUCCESS, leaves by longjmp or an exception, or retrieves an
 * event. */
typedef doca_error_t (*doca_core_legacy_graph_user_node_cb_t)(void *cookie, struct doca_event *ev);

enum doca_graph_instance_node_state {
    DOCA_GRAPH_INSTANCE_NODE_STATE_NOT_STARTED,
    DOCA_GRAPH_INSTANCE_NODE_STATE_STARTED,
    DOCA_GRAPH_INSTANCE_NODE_STATE_COMPLETED,
    DOCA_GRAPH_INSTANCE_NODE_STATE_ERROR
};

/* Create a stopped graph without nodes, or destroy a graph together with its nodes.
 *
 * Owns      one block of the bound arena, and one for each node and dependency
 * Errors    NO_MEMORY      the arena is exhausted
 *           NOT_PERMITTED  destroy: the graph has instances or is attached, or a node of another
 *                          graph runs it */
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_create(struct doca_core_legacy_graph **graph);
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_destroy(struct doca_core_legacy_graph *graph);

/* Add a node, which has no parents at first. The node runs a job of type `job_type`, calls `cb`, or
 * runs an instance of `sub_graph`.
 *
 * Errors    BAD_STATE      the graph is started, or the sub-graph is not started
 *           NOT_PERMITTED  the sub-graph is the graph itself
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_graph_ctx_node_create(struct doca_core_legacy_graph *graph,
                                                       int job_type,
                                                       const struct doca_core_legacy_ctx *ctx,
                                                       struct doca_core_legacy_graph_node **node);
DOCA_CORE_DECL doca_error_t doca_graph_user_node_create(
    struct doca_core_legacy_graph *graph, doca_core_legacy_graph_user_node_cb_t cb,
    struct doca_core_legacy_graph_node **node);
DOCA_CORE_DECL doca_error_t doca_graph_sub_graph_node_create(
    struct doca_core_legacy_graph *graph, struct doca_core_legacy_graph *sub_graph,
    struct doca_core_legacy_graph_node **node);

/* Make `to` wait until `from` has completed. Does nothing when the two have this dependency
 * already.
 *
 * Cost      O(nodes + dependencies)
 * Errors    INVALID_VALUE  an argument is NULL, or a node belongs to another graph
 *           BAD_STATE      the graph is started
 *           NOT_PERMITTED  a circle: `from` depends on `to`, or is `to`
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_add_dependency(
    struct doca_core_legacy_graph *graph, struct doca_core_legacy_graph_node *from,
    struct doca_core_legacy_graph_node *to);

/* Start or stop a graph. A call to start a started graph, or to stop a stopped one, does nothing.
 *
 * Errors    BAD_STATE      start: no node of the graph or its sub-graphs runs a job, or a
 *                          context or sub-graph is stopped
 *           NOT_PERMITTED  stop: the graph has instances or is attached, or a node of another
 *                          graph runs it */
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_start(struct doca_core_legacy_graph *graph);
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_stop(struct doca_core_legacy_graph *graph);

/* Attach a started graph to a work queue, or detach it. All contexts of the graph must be
 * attached to the work queue. Sub-graphs need not be attached; submit checks their contexts.
 *
 * Owns      one block of the arena of the work queue until rm
 * Threads   the thread of the work queue
 * Errors    BAD_STATE  add: the graph is stopped, or a context is not attached; rm: the graph is
 *                      not attached
 *           IN_USE     add: the graph is attached already; rm: instances are submitted, or their
 *                      events have not been retrieved
 *           NO_MEMORY  add: the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_graph_workq_add(struct doca_core_legacy_graph *graph,
                                                 struct doca_workq *workq);
DOCA_CORE_DECL doca_error_t doca_graph_workq_rm(struct doca_core_legacy_graph *graph,
                                                struct doca_workq *workq);

/* Create an instance without data, or destroy it.
 *
 * Owns      one block of the graph's arena until destroy
 * Threads   create: any
 * Errors    BAD_STATE      create: the graph is stopped
 *           NO_MEMORY      create: the arena is exhausted
 *           NOT_PERMITTED  destroy: the instance is submitted, or is the data of a node */
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_create(
    const struct doca_core_legacy_graph *graph,
    struct doca_core_legacy_graph_instance **graph_instance);
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_destroy(
    struct doca_core_legacy_graph_instance *graph_instance);

/* Set the data that a node works on in this instance, for this run and later ones.
 *
 *   job     must have the type and the context of the node, and must outlive the instance; the
 *           program may change it between runs
 *   cookie  argument of the function
 *   ev      may be NULL. For a node with a job, it receives the event of the job when the node
 *           ends; for a user node, it is only passed to the function
 *
 * Errors    BAD_STATE      the instance is submitted
 *           NOT_PERMITTED  the node belongs to another graph or is of another kind; the job has
 *                          another type or context; the sub-graph instance belongs to another
 *                          graph or is submitted */
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_set_ctx_node_data(
    struct doca_core_legacy_graph_instance *graph_instance,
    struct doca_core_legacy_graph_node *node, struct doca_job *job, struct doca_event *ev);
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_set_user_node_data(
    struct doca_core_legacy_graph_instance *graph_instance,
    struct doca_core_legacy_graph_node *node, void *cookie, struct doca_event *ev);
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_set_sub_graph_node_data(
    struct doca_core_legacy_graph_instance *graph_instance,
    struct doca_core_legacy_graph_node *node,
    struct doca_core_legacy_graph_instance *sub_graph_instance, struct doca_event *ev);

/* Submit an instance. Calls of doca_workq_progress_retrieve() execute its nodes. They return AGAIN
 * until the instance has ended; then one call returns an event of type DOCA_GRAPH_JOB. The result
 * in this event is SUCCESS, or the error code of the first node that failed.
 *
 * Cost      O(nodes), including those of sub-graphs
 * Errors    INVALID_VALUE  an argument is invalid, a node has no data, or the graph is not
 *                          attached to the work queue
 *           IN_USE         the instance, or an instance of a sub-graph, is submitted already
 *           BAD_STATE      a context is not attached to the work queue
 *           NO_MEMORY      the work queue has fewer free slots than the graph has jobs without
 *                          parents
 *           any            an error of doca_workq_submit() for such a job. With any error, no
 *                          node was started */
DOCA_CORE_DECL doca_error_t doca_workq_graph_submit(
    struct doca_workq *workq, struct doca_core_legacy_graph_instance *graph_instance,
    union doca_data user_data);

/* Inspect an instance while it runs or afterwards. get_failed_nodes writes at most
 * *num_failed_nodes elements, and sets *num_failed_nodes to their number.
 *
 * Errors    NOT_PERMITTED  the node belongs to another graph
 *           BAD_STATE      get_result: the node has not completed */
DOCA_CORE_DECL doca_error_t doca_graph_instance_get_num_failed_nodes(
    const struct doca_core_legacy_graph_instance *graph_instance, uint32_t *num_failed_nodes);
DOCA_CORE_DECL doca_error_t doca_graph_instance_get_failed_nodes(
    const struct doca_core_legacy_graph_instance *graph_instance,
    const struct doca_core_legacy_graph_node **failed_nodes, uint32_t *num_failed_nodes);
DOCA_CORE_DECL doca_error_t doca_graph_instance_node_get_state(
    const struct doca_core_legacy_graph_instance *graph_instance,
    const struct doca_core_legacy_graph_node *node, enum doca_graph_instance_node_state *state);
DOCA_CORE_DECL doca_error_t doca_graph_instance_node_get_result(
    const struct doca_core_legacy_graph_instance *graph_instance,
    const struct doca_core_legacy_graph_node *node, union doca_data *result);

#endif
