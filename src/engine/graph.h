/* ---- >>graph --------------------------------------------------------------------------------
 * Graphs run tasks and functions in a given order. A graph consists of nodes and dependencies:
 *   context node    runs a task of one context
 *   user node       calls a function of the program
 *   sub-graph node  runs an instance of another graph, called a sub instance
 *   dependency      makes one node, the child, wait for another node, its parent
 * An instance holds the data of one run: the task, function argument or sub instance of each node.
 * All instances of a graph can run at the same time, and together with ordinary tasks of the PE.
 *     create -> nodes, dependencies, set_conf -> start -> instance_create -> set_..._node_data ->
 *     instance_submit -> completion or error callback -> instance_submit ... -> instance_destroy
 * A root is a node without parents. Roots begin when the instance is submitted; every other node
 * begins when all its parents have completed. If the queue of a context is full, the next tasks of
 * this context wait until the queue has room.
 * The first node that fails makes the instance fail: nodes that are running still finish (a running
 * sub-graph node finishes with all nodes of its sub instance), but no further node begins. Then the
 * error callback is called. The reason of the failure is in the log.
 * Implementation: doca_graph_start() compiles each node into a step; all instances share the steps.
 * An instance has one slot per node with the node's state in this run. A turn is a struct doca_task
 * inside a slot or an instance; when it is queued, doca_pe_progress() calls its `done` function.
 * Threads: all calls of a graph come from the thread of its PE.
 * Source: DOCA Core Programming Guide, "DOCA Graph Execution"; 3.0 reference, "DOCA Graph".     */
#ifndef DOCA_SRC_ENGINE_GRAPH_H
#define DOCA_SRC_ENGINE_GRAPH_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "object/arena.h"
#include "progress/ctx.h"
#include "progress/task.h"

/* Completion callback of an instance. The same type serves success and failure. The callback may
 * submit the instance again or destroy it. After destroying the last instance it may also stop and
 * destroy the graph. */
typedef void (*doca_graph_completion_cb_t)(struct doca_graph_instance *instance,
                                           union doca_data instance_user_data,
                                           union doca_data graph_user_data);

/* Function of a user node. The node fails if the function returns a code other than SUCCESS, leaves
 * by longjmp() or a C++ exception, or calls doca_pe_progress().
 * The function runs in doca_pe_progress(). The same call of progress may run further user nodes of
 * the instance, 64 in total, and no other callbacks. The function may change those tasks of the
 * instance that are not submitted yet. */
typedef doca_error_t (*doca_graph_user_node_cb_t)(void *cookie);

#define DOCA_PRIV_GRAPH_BURST 64 /* limit of user nodes per call of doca_pe_progress() */

enum { /* kind of a node: obj.state of struct doca_graph_node */
    DOCA_PRIV_NODE_CTX = 0,
    DOCA_PRIV_NODE_USER = 1,
    DOCA_PRIV_NODE_GRAPH = 2
};

union doca_priv_graph_work { /* subject of a node; the kind of the node selects the member */
    struct doca_ctx *ctx;
    doca_graph_user_node_cb_t user;
    struct doca_graph *graph;
};

struct doca_priv_graph_edge {
    struct doca_graph_node *to;
    struct doca_priv_graph_edge *next;
};

struct doca_graph_node {
    struct doca_priv_object obj;
    uint32_t num_parents;
    uint32_t num_children;
    uint32_t index;      /* index of the node's step; set by start */
    uint32_t ctx_serial; /* context node: serial number of the context. A later context at the same
                          * address has another number. */
    struct doca_graph *graph;
    struct doca_graph_node *next;
    struct doca_graph_node *todo; /* cycle search: next node to visit; NULL: not reached */
    struct doca_priv_graph_edge *children;
    union doca_priv_graph_work work;
};

/* Slots whose tasks wait for room in the queue of one context, in the order of their submission. */
struct doca_priv_graph_lane {
    struct doca_ctx *ctx;
    struct doca_task *first; /* turn of the first slot; NULL when no slot waits */
    struct doca_task *last;
};

struct doca_priv_graph_step { /* a compiled node */
    union doca_priv_graph_work work;
    size_t offset;            /* byte offset of the node's slot in an instance */
    ptrdiff_t only_child;     /* bytes from the node's slot to the slot of its only child, if that
                               * is a user node without other parents; otherwise 0 */
    const uint32_t *children; /* indices of the steps of its children */
    uint32_t num_children;
    uint32_t num_parents;
    struct doca_priv_graph_lane *lane; /* context node: lane of its context */
    uint32_t ctx_serial;               /* context node: serial number of its context */
    uint8_t kind;                      /* DOCA_PRIV_NODE_* */
    bool is_last_holder;               /* last holder of the plan (see >>impl.graph.run) */
};

/* State of a node in one instance. Fits in a cache line. */
struct doca_priv_graph_slot {
    /* `turn` uses these members of struct doca_task:
     *   next       link in the list of turns, or in a lane
     *   user_data  while the node's task runs: the program's user data of the task
     *   life       in the checked mode: generation of the task when it was set as node data */
    struct doca_task turn;
    const struct doca_priv_graph_step *step;
    void *data;           /* task, argument of the function, or sub instance */
    uint32_t num_pending; /* number of incomplete parents; reset when the node begins */
    uint8_t is_held;      /* 1: the submitted instance holds the task or sub instance, so that the
                           * program cannot submit or free it */
};

struct doca_graph_instance { /* fits in a cache line; its slots follow it in memory */
    struct doca_priv_object obj; /* obj.state: 1 while the instance is submitted */
    /* `turn` runs the completion callback. It uses these members of struct doca_task:
     *   ctx        the context inside the graph
     *   next       link in the list of turns, or in the list of free instances
     *   status     result of the run: SUCCESS until a node fails, then the code of that node
     *   user_data  user data of the instance */
    struct doca_task turn;
    uint32_t num_running; /* number of nodes that have begun and not ended */
    uint32_t num_uses;    /* number of slots of other instances whose data is this instance */
    struct doca_priv_graph_slot *parent; /* sub instance that runs: slot of the node that runs it;
                                          * otherwise NULL */
};

struct doca_graph {
    struct doca_ctx ctx;    /* never given to the program: makes the graph a context of the PE */
    struct doca_task moved; /* turn without effect: reports to progress that a task left its lane */
    struct doca_priv_graph_plan *plan; /* NULL while stopped */
    struct doca_graph_node *nodes;     /* list of all nodes in the order of their creation */
    struct doca_graph_node *last_node;
    uint32_t num_nodes;
    uint32_t num_edges;     /* number of dependencies */
    uint32_t num_instances; /* maximum number of instances at the same time */
    uint32_t num_live;      /* number of instances that exist */
    uint32_t num_uses;      /* number of nodes of other graphs that run this graph */
    uint32_t num_users;     /* as num_uses, but only nodes of started graphs are counted */
    doca_graph_completion_cb_t completed;
    doca_graph_completion_cb_t failed;
};

#ifndef DOCA_CORE_NO_GRAPH

/* A started graph has one block. It begins with the plan, of HEAD_BYTES; the instances follow, of
 * INSTANCE_BYTES each. */
#define DOCA_PRIV_GRAPH_HEAD_BYTES (2 * DOCA_CORE_LINE)
#define DOCA_PRIV_GRAPH_INSTANCE_BYTES(num_nodes)                                                  \
    ((sizeof(struct doca_graph_instance) +                                                         \
      (size_t)(num_nodes) * sizeof(struct doca_priv_graph_slot) + DOCA_CORE_LINE - 1) /            \
     DOCA_CORE_LINE * DOCA_CORE_LINE)

/* Compute the arena bytes that a started graph needs, without its sub-graphs. */
#define DOCA_CORE_BYTES_GRAPH(num_nodes, num_dependencies, num_instances)                          \
    (DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_graph)) +                                            \
     (size_t)(num_nodes) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_graph_node)) +                 \
     (size_t)(num_dependencies) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_priv_graph_edge)) +     \
     DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_GRAPH_HEAD_BYTES +                                            \
                           (size_t)(num_instances) * DOCA_PRIV_GRAPH_INSTANCE_BYTES(num_nodes) +   \
                           (size_t)(num_nodes) * (sizeof(struct doca_priv_graph_step) +            \
                                                  sizeof(struct doca_priv_graph_lane)) +           \
                           (size_t)(num_dependencies) * sizeof(uint32_t)))
DOCA_CORE_DECL doca_error_t doca_core_bytes_graph(uint32_t num_nodes, uint32_t num_dependencies,
                                                  uint32_t num_instances, size_t *bytes);

/* Create a stopped graph without nodes. It stays connected to `pe` until it is destroyed.
 * doca_core_graph_create_in() takes the memory from `arena` instead of from the arena of the PE.
 *
 * Owns      one block of the arena, and one for each node and dependency, until destroy
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_graph_create(struct doca_pe *pe, struct doca_graph **graph);
DOCA_CORE_DECL doca_error_t doca_core_graph_create_in(struct doca_core_arena *arena,
                                                      struct doca_pe *pe,
                                                      struct doca_graph **graph);

/* Destroy a graph and all of its nodes.
 *
 * Callback  allowed in the callback of the graph's last instance, after destroying the instance and
 *           stopping the graph
 * Errors    BAD_STATE  the graph is started
 *           IN_USE     a node of another graph runs the graph */
DOCA_CORE_DECL doca_error_t doca_graph_destroy(struct doca_graph *graph);

/* Set the callbacks and the number of instances. Mandatory before start. The call can be repeated
 * while the graph is stopped.
 *
 *   graph_completion_cb, graph_error_cb  called when an instance succeeded or failed: exactly one
 *                                        of the two per submission. They may be the same function.
 *   num_instances                        maximum number of instances at the same time, at least 1
 *
 * Errors    INVALID_VALUE  also: the number of instances is 0
 *           BAD_STATE      the graph is started */
DOCA_CORE_DECL doca_error_t doca_graph_set_conf(struct doca_graph *graph,
                                                doca_graph_completion_cb_t graph_completion_cb,
                                                doca_graph_completion_cb_t graph_error_cb,
                                                uint32_t num_instances);

/* Get or set the user data of the graph. The callbacks of all its instances receive it. The initial
 * value is 0.
 *
 * Errors    BAD_STATE  the graph is started (set only) */
DOCA_CORE_DECL doca_error_t doca_graph_set_user_data(struct doca_graph *graph,
                                                     union doca_data user_data);
DOCA_CORE_DECL doca_error_t doca_graph_get_user_data(const struct doca_graph *graph,
                                                     union doca_data *user_data);

/* Add a node that runs a task of `ctx`, calls `cb`, or runs an instance of `sub_graph`. The node
 * has no parents at first. It exists until the graph is destroyed.
 *
 *   ctx        a context of any engine, in any state. doca_graph_start() checks that it is running
 *              on the PE of the graph.
 *   sub_graph  a started graph on the same PE
 *
 * Errors    INVALID_VALUE  also: the sub-graph is on another PE
 *           BAD_STATE      the graph is started, or the sub-graph is not
 *           NOT_PERMITTED  the sub-graph is the graph itself. (Longer cycles cannot arise: nodes
 *                          are added to stopped graphs only, and a graph that a started graph runs
 *                          cannot be stopped.)
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_graph_node_create_from_ctx(struct doca_graph *graph,
                                                            const struct doca_ctx *ctx,
                                                            struct doca_graph_node **node);
DOCA_CORE_DECL doca_error_t doca_graph_node_create_from_user(struct doca_graph *graph,
                                                             doca_graph_user_node_cb_t cb,
                                                             struct doca_graph_node **node);
DOCA_CORE_DECL doca_error_t doca_graph_node_create_from_graph(struct doca_graph *graph,
                                                              struct doca_graph *sub_graph,
                                                              struct doca_graph_node **node);

/* Add a dependency: the node `to` begins after the node `from` has completed. Adding an existing
 * dependency again does nothing and returns SUCCESS.
 *
 * Cost      O(1) if `to` has no parents, and `to` has no children or `from` has no parents.
 *           Otherwise O(children of `from`, to find the same dependency, and nodes and dependencies
 *           that can be reached from `to`, to find a cycle)
 * Errors    INVALID_VALUE  also: a node belongs to another graph
 *           BAD_STATE      the graph is started
 *           NOT_PERMITTED  the dependency would close a cycle
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_graph_add_dependency(struct doca_graph *graph,
                                                      struct doca_graph_node *from,
                                                      struct doca_graph_node *to);

/* Compile the graph and allocate the memory of all instances. Does nothing if the graph is started.
 *
 * Owns      one block of the graph's arena until the graph is stopped
 * Cost      O(nodes * contexts + dependencies + instances)
 * Errors    BAD_STATE  doca_graph_set_conf() was not called; neither the graph nor its sub-graphs
 *                      have a context node; the context of a node was destroyed or is not running
 *                      on the PE of the graph; a sub-graph is stopped
 *           NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_graph_start(struct doca_graph *graph);

/* Stop the graph: free the memory of the instances and allow configuration again. Does nothing if
 * the graph is stopped.
 *
 * Callback  allowed in the callback of the graph's last instance, after destroying the instance
 * Errors    IN_USE  instances exist, or a started graph has a node that runs this graph */
DOCA_CORE_DECL doca_error_t doca_graph_stop(struct doca_graph *graph);

/* Allocate an instance. Its nodes have no data yet.
 *
 * Callback  allowed   Cost O(nodes)
 * Errors    BAD_STATE  the graph is not started
 *           NO_MEMORY  as many instances exist as doca_graph_set_conf() allows */
DOCA_CORE_DECL doca_error_t doca_graph_instance_create(const struct doca_graph *graph,
                                                       struct doca_graph_instance **graph_instance);

/* Free an instance. The tasks and sub instances that are its data are not freed; the program keeps
 * them.
 *
 * Callback  allowed, also in the completion callback of the instance   Cost O(nodes)
 * Errors    IN_USE  the instance is submitted, or is the data of a sub-graph node */
DOCA_CORE_DECL doca_error_t doca_graph_instance_destroy(struct doca_graph_instance *graph_instance);

/* Get or set the user data of the instance. Its callback receives it. The initial value is 0.
 *
 * Errors    IN_USE  the instance is submitted (set only) */
DOCA_CORE_DECL doca_error_t doca_graph_instance_set_user_data(
    struct doca_graph_instance *graph_instance, union doca_data user_data);
DOCA_CORE_DECL doca_error_t doca_graph_instance_get_user_data(
    const struct doca_graph_instance *graph_instance, union doca_data *user_data);

/* Set the data of a node in this instance. It stays set for later submissions.
 *
 *   task                a task of the node's context. The program frees it only after it destroyed
 *                       the instance or set another task.
 *   cookie              the argument of the node's function; NULL until it is set
 *   sub_graph_instance  an instance of the node's sub-graph
 *
 * Errors    BAD_STATE      the instance is submitted
 *           NOT_PERMITTED  the node belongs to another graph or is of another kind; the task
 *                          belongs to another context; the sub instance belongs to another graph
 *                          or is submitted */
DOCA_CORE_DECL doca_error_t doca_graph_instance_set_ctx_node_data(
    struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
    struct doca_task *task);
DOCA_CORE_DECL doca_error_t doca_graph_instance_set_user_node_data(
    struct doca_graph_instance *graph_instance, struct doca_graph_node *node, void *cookie);
DOCA_CORE_DECL doca_error_t doca_graph_instance_set_sub_graph_node_data(
    struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
    struct doca_graph_instance *sub_graph_instance);

/* Run an instance. A run cannot be aborted or flushed. When the program stops a context, nodes that
 * still need this context fail. The callbacks of the instance's tasks and (Assumed) of its sub
 * instances are not called. The program cannot submit or free a task of the instance until the node
 * of the task has completed or the instance has ended. It can change tasks whose nodes have not
 * begun. On an error nothing is submitted.
 *
 * Callback  allowed, also in the completion callback of the instance
 * Cost      O(nodes), including those of sub instances
 * Errors    INVALID_VALUE  also: a node has no task or sub instance; its task no longer exists; the
 *                          task of a root lacks a buffer
 *           IN_USE         the instance or a sub instance is submitted, on its own or as a sub
 *                          instance
 *           BAD_STATE      a task is free, submitted, in a batch, or the data of two nodes; the
 *                          context of a node is not running, or was destroyed, even if another
 *                          context has its address now
 *           any            with DOCA_CORE_CHECK 2: the errors that doca_task_submit() would return
 *                          for the task of a root */
DOCA_CORE_DECL doca_error_t doca_graph_instance_submit(struct doca_graph_instance *graph_instance);

#endif /* DOCA_CORE_NO_GRAPH */

#endif
