/* Helpers of the suites of graphs: a rig, a graph whose nodes note in a trace that they run, and a
 * graph of a task and a user node. */
#ifndef GRAPH_SUPPORT_H
#define GRAPH_SUPPORT_H

#include "held_backend.h"

enum { NODES = 16, INSTANCES = 8, LEN = 16 };

static struct rig r;
static struct doca_graph *graph;
static struct doca_graph_node *node[NODES];
static struct doca_graph_instance *instance[INSTANCES];

static unsigned num_completed, num_failed, num_user;
static char trace[256]; /* a letter for each user node that ran; C, F: the callbacks that ran */
static void (*on_end)(struct doca_graph_instance *ended);
static doca_error_t user_answer;

static inline void note(char letter)
{
    size_t len = strlen(trace);

    CHECK(r.in_progress);
    if (len + 1 < sizeof(trace)) {
        trace[len] = letter;
        trace[len + 1] = '\0';
    }
}

static inline void completed(struct doca_graph_instance *ended, union doca_data instance_data,
                             union doca_data graph_data)
{
    (void)instance_data;
    CHECK_PTR(graph_data.ptr, &r);
    r.num_callbacks++; /* user nodes are not counted: several may run in one call of progress */
    note('C');
    num_completed++;
    if (on_end != NULL)
        on_end(ended);
}

static inline void failed(struct doca_graph_instance *ended, union doca_data instance_data,
                          union doca_data graph_data)
{
    (void)instance_data;
    CHECK_PTR(graph_data.ptr, &r);
    r.num_callbacks++;
    note('F');
    num_failed++;
    if (on_end != NULL)
        on_end(ended);
}

/* The function of a user node. Its cookie is the letter that it appends to the trace. */
static inline doca_error_t user(void *cookie)
{
    note((char)(size_t)cookie);
    num_user++;
    return user_answer;
}

static inline void clear_trace(void)
{
    num_completed = num_failed = num_user = 0;
    trace[0] = '\0';
    on_end = NULL;
    user_answer = DOCA_SUCCESS;
}

static inline struct doca_graph *make_graph(void)
{
    struct doca_graph *g;

    CHECK_OK(doca_graph_create(r.pe, &g));
    CHECK_OK(doca_graph_set_conf(g, completed, failed, INSTANCES));
    CHECK_OK(doca_graph_set_user_data(g, (union doca_data){ .ptr = &r }));
    return g;
}

/* Open a rig on the held device, or on the first device, and create a graph without nodes. */
static inline void open_graph(bool is_held, uint32_t num_tasks)
{
    clear_trace();
    if (is_held) {
        held_begin();
        held_open_rig(&r, num_tasks);
    } else {
        rig_open(&r, num_tasks);
    }
    graph = make_graph();
}

static inline void close_graph(bool is_held)
{
    rig_drain(&r);
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    if (is_held)
        held_close_rig(&r);
    else
        rig_close(&r);
}

static inline struct doca_graph_node *ctx_node(struct doca_graph *g, struct doca_ctx *ctx)
{
    struct doca_graph_node *n;

    CHECK_OK(doca_graph_node_create_from_ctx(g, ctx, &n));
    return n;
}

static inline struct doca_graph_node *user_node(struct doca_graph *g)
{
    struct doca_graph_node *n;

    CHECK_OK(doca_graph_node_create_from_user(g, user, &n));
    return n;
}

static inline void edge(struct doca_graph_node *from, struct doca_graph_node *to)
{
    CHECK_OK(doca_graph_add_dependency(graph, from, to));
}

static inline struct doca_graph_instance *make_instance(struct doca_graph *g)
{
    struct doca_graph_instance *in;

    CHECK_OK(doca_graph_instance_create(g, &in));
    return in;
}

static inline struct doca_task *make_task(struct doca_dma *dma, size_t slot)
{
    return doca_dma_task_memcpy_as_task(rig_prepare(&r, dma, slot * LEN, LEN));
}

static inline struct doca_dma_task_memcpy *as_copy(struct doca_task *task)
{
    return (struct doca_dma_task_memcpy *)(void *)task;
}

static inline struct doca_task *give_task(struct doca_graph_instance *in, struct doca_graph_node *n,
                                          size_t slot)
{
    struct doca_task *task = make_task(r.dma, slot);

    CHECK_OK(doca_graph_instance_set_ctx_node_data(in, n, task));
    return task;
}

static inline void give_letter(struct doca_graph_instance *in, struct doca_graph_node *n,
                               char letter)
{
    CHECK_OK(doca_graph_instance_set_user_node_data(in, n, (void *)(size_t)letter));
}

static inline void drop_task(struct doca_task *task)
{
    rig_release(as_copy(task));
}

static inline bool is_copied(const struct doca_task *task)
{
    return rig_data_len(doca_dma_task_memcpy_get_dst(as_copy((struct doca_task *)(size_t)task))) ==
           LEN;
}

static inline void empty(struct doca_task *task)
{
    CHECK_OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(as_copy(task))));
}

static inline size_t pe_inflight(void)
{
    size_t num;

    CHECK_OK(doca_pe_get_num_inflight_tasks(r.pe, &num));
    return num;
}

/* Make and start a graph of a context node and a user node that depends on it, with one
 * instance. */
static inline struct doca_task *open_pair(bool is_held)
{
    open_graph(is_held, 8);
    node[0] = ctx_node(graph, r.ctx);
    node[1] = user_node(graph);
    edge(node[0], node[1]);
    CHECK_OK(doca_graph_start(graph));
    instance[0] = make_instance(graph);
    give_letter(instance[0], node[1], 'u');
    return give_task(instance[0], node[0], 0);
}

static inline void close_pair(bool is_held, struct doca_task *task)
{
    CHECK_OK(doca_graph_instance_destroy(instance[0]));
    drop_task(task);
    close_graph(is_held);
}

/* Check that the submit fails, and that the log line names the object that is wrong. `state` is its
 * state in brackets, or "". */
static inline void check_refused(int at, struct doca_graph_instance *submitted, doca_error_t want,
                                 enum doca_core_item item, const char *kind, const void *object,
                                 const char *state)
{
    char line[128];
    doca_error_t got = doca_graph_instance_submit(submitted);

    snprintf(line, sizeof(line), "doca_core: doca_graph_instance_submit: %s 0x%zx%s: ", kind,
             (size_t)object, state);
    if (got != want || doca_core_last_item() != item)
        test_fail(__FILE__, at, "%s, item %d", doca_error_get_name(got), doca_core_last_item());
#ifndef DOCA_CORE_NO_LOG
    if (strncmp(doca_core_last_error(), line, strlen(line)) != 0)
        test_fail(__FILE__, at, "%s, not %s", doca_core_last_error(), line);
#endif
}

#define CHECK_REFUSED(submitted, code, item, kind, object, state)                                  \
    check_refused(__LINE__, submitted, DOCA_ERROR_##code, DOCA_CORE_ITEM_##item, kind, object,     \
                  state)

static struct doca_task *finished_task;
static struct doca_graph_instance *finished_run;

/* The function of a user node: submit the finished task or instance again, and then fail. */
static inline doca_error_t reuse_and_fail(void *cookie)
{
    (void)cookie;
    note('f');
    empty(finished_task);
    CHECK_OK(finished_run != NULL ? doca_graph_instance_submit(finished_run)
                                  : doca_task_submit(finished_task));
    return DOCA_ERROR_UNKNOWN;
}

#endif
