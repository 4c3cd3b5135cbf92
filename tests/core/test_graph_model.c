/* Random graphs, compared with a model.
 *
 * Every copy reads from the destination of its first parent that is a copy, so the final bytes
 * depend on the order. Every user node checks that all its ancestors have run. */
#include "graph_support.h"

enum { MODEL_NODES = 10, MODEL_RUNS = 3, MODEL_GRAPHS = 150, MODEL_ROUNDS = 12 };

static struct doca_dma *copier[2];
static struct doca_graph *inner; /* a copy, then a user node */
static struct doca_graph_node *inner_copy, *inner_call;

static struct {
    uint8_t kind;     /* DOCA_PRIV_NODE_* */
    unsigned copier;  /* index of the DMA context, for a context node */
    uint32_t parents; /* a bit for each node; the same in `ancestors` */
    uint32_t ancestors;
    int source;       /* node whose bytes it copies; -1: rig_from */
    struct doca_graph_node *handle;
} model[MODEL_NODES];
static unsigned num_model;

static struct model_run {
    struct doca_graph_instance *run;
    bool is_submitted, has_ended, is_ok;
    unsigned fails_at; /* the user node that fails */
    struct model_slot {
        struct model_run *of;
        unsigned index;
        struct doca_task *task;
        struct doca_graph_instance *sub;
        bool is_called;
    } slot[MODEL_NODES];
} runs[MODEL_RUNS];

static size_t model_place(const struct model_run *m, unsigned n)
{
    return ((size_t)(m - runs) * MODEL_NODES + n) * LEN;
}

static bool model_is_done(const struct model_run *m, unsigned n)
{
    const struct model_slot *s = &m->slot[n];

    return (s->task == NULL || is_copied(s->task)) &&
           (model[n].kind == DOCA_PRIV_NODE_CTX || s->is_called);
}

static doca_error_t model_call(void *cookie)
{
    struct model_slot *s = cookie;
    struct model_run *m = s->of;
    unsigned a;

    CHECK(m->is_submitted && !m->has_ended && !s->is_called);
    for (a = 0; a < num_model; a++)
        if ((model[s->index].ancestors >> a & 1) != 0)
            CHECK(model_is_done(m, a));
        else if ((model[a].ancestors >> s->index & 1) != 0)
            CHECK(!model_is_done(m, a));
    if (s->task != NULL)
        CHECK(is_copied(s->task)); /* the task of a sub-graph */
    if (m->fails_at == s->index)
        return DOCA_ERROR_IO_FAILED;
    s->is_called = true;
    return DOCA_SUCCESS;
}

static void model_end(struct doca_graph_instance *ended, union doca_data data, bool is_ok)
{
    struct model_run *m = data.ptr;

    CHECK_PTR(ended, m->run);
    CHECK(m->is_submitted && !m->has_ended);
    r.num_callbacks++;
    m->has_ended = true;
    m->is_ok = is_ok;
}

static void model_completed(struct doca_graph_instance *ended, union doca_data data,
                            union doca_data graph_data)
{
    (void)graph_data;
    model_end(ended, data, true);
}

static void model_failed(struct doca_graph_instance *ended, union doca_data data,
                         union doca_data graph_data)
{
    (void)graph_data;
    model_end(ended, data, false);
}

static void model_make_tasks(void)
{
    struct doca_buf *src;
    struct model_run *m;
    unsigned n;

    for (m = runs; m < runs + MODEL_RUNS; m++) {
        for (n = 0; n < num_model; n++) {
            if (model[n].kind == DOCA_PRIV_NODE_USER)
                continue;
            if (model[n].source < 0)
                src = rig_src(&r, model_place(m, n), LEN);
            else
                CHECK_OK(doca_buf_inventory_buf_get_by_data(
                    r.inventory, r.dst_map, rig_to + model_place(m, (unsigned)model[n].source), LEN,
                    &src));
            m->slot[n].task = doca_dma_task_memcpy_as_task(
                rig_task(copier[model[n].copier], src, rig_dst(&r, model_place(m, n), LEN)));
            if (model[n].kind == DOCA_PRIV_NODE_CTX)
                CHECK_OK(doca_graph_instance_set_ctx_node_data(m->run, model[n].handle,
                                                               m->slot[n].task));
            else
                CHECK_OK(doca_graph_instance_set_ctx_node_data(m->slot[n].sub, inner_copy,
                                                               m->slot[n].task));
        }
    }
}

static void model_drop_tasks(void)
{
    unsigned i, n;

    for (i = 0; i < MODEL_RUNS; i++)
        for (n = 0; n < num_model; n++)
            if (runs[i].slot[n].task != NULL) {
                drop_task(runs[i].slot[n].task);
                runs[i].slot[n].task = NULL;
            }
}

/* Build a graph of random nodes in a random order. Later nodes depend on earlier nodes. */
static void model_build_graph(void)
{
    uint32_t order[MODEL_NODES], i, j, swap, density = 1 + rig_random(4);
    struct doca_graph_node **handle;
    bool has_ctx = false;

    num_model = 1 + rig_random(MODEL_NODES);
    memset(model, 0, sizeof(model));
    CHECK_OK(doca_graph_create(r.pe, &graph));
    CHECK_OK(doca_graph_set_conf(graph, model_completed, model_failed, MODEL_RUNS));
    for (i = 0; i < num_model; i++) {
        order[i] = i;
        handle = &model[i].handle;
        model[i].kind = (uint8_t)rig_random(3);
        if (i + 1 == num_model && !has_ctx)
            model[i].kind = DOCA_PRIV_NODE_CTX;
        has_ctx = has_ctx || model[i].kind != DOCA_PRIV_NODE_USER;
        model[i].copier = model[i].kind == DOCA_PRIV_NODE_CTX ? rig_random(2) : 0;
        model[i].source = -1;
        if (model[i].kind == DOCA_PRIV_NODE_CTX)
            CHECK_OK(doca_graph_node_create_from_ctx(
                graph, doca_dma_as_ctx(copier[model[i].copier]), handle));
        else if (model[i].kind == DOCA_PRIV_NODE_USER)
            CHECK_OK(doca_graph_node_create_from_user(graph, model_call, handle));
        else
            CHECK_OK(doca_graph_node_create_from_graph(graph, inner, handle));
    }
    for (i = num_model - 1; i > 0; i--) {
        j = rig_random(i + 1);
        swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
    for (i = 0; i < num_model; i++) {
        for (j = 0; j < i; j++) {
            uint32_t from = order[j], to = order[i];

            if (rig_random(4) >= density)
                continue;
            CHECK_OK(doca_graph_add_dependency(graph, model[from].handle, model[to].handle));
            CHECK_RC(doca_graph_add_dependency(graph, model[to].handle, model[from].handle),
                     DOCA_ERROR_NOT_PERMITTED);
            model[to].ancestors |= model[from].ancestors | 1u << from;
            if (model[to].source < 0 && model[from].kind != DOCA_PRIV_NODE_USER)
                model[to].source = (int)from;
        }
    }
    CHECK_OK(doca_graph_start(graph));
}

static void model_make_runs(void)
{
    struct model_run *m;
    unsigned n;

    memset(runs, 0, sizeof(runs));
    for (m = runs; m < runs + MODEL_RUNS; m++) {
        m->run = make_instance(graph);
        CHECK_OK(doca_graph_instance_set_user_data(m->run, (union doca_data){ .ptr = m }));
        for (n = 0; n < num_model; n++) {
            m->slot[n].of = m;
            m->slot[n].index = n;
            if (model[n].kind == DOCA_PRIV_NODE_USER)
                CHECK_OK(doca_graph_instance_set_user_node_data(m->run, model[n].handle,
                                                                &m->slot[n]));
            if (model[n].kind != DOCA_PRIV_NODE_GRAPH)
                continue;
            m->slot[n].sub = make_instance(inner);
            CHECK_OK(doca_graph_instance_set_user_node_data(m->slot[n].sub, inner_call,
                                                            &m->slot[n]));
            CHECK_OK(doca_graph_instance_set_sub_graph_node_data(m->run, model[n].handle,
                                                                 m->slot[n].sub));
        }
    }
}

static void model_submit(struct model_run *m)
{
    unsigned n;

    for (n = 0; n < num_model; n++) {
        m->slot[n].is_called = false;
        if (m->slot[n].task != NULL)
            empty(m->slot[n].task);
    }
    m->is_submitted = true;
    m->has_ended = false;
    m->fails_at = rig_random(4) == 0 ? rig_random(num_model) : MODEL_NODES;
    CHECK_OK(doca_graph_instance_submit(m->run));
}

static void model_check(struct model_run *m)
{
    unsigned n, a, origin;

    CHECK(m->has_ended);
    for (n = 0; n < num_model; n++) {
        if (m->is_ok)
            CHECK(model_is_done(m, n));
        if (m->slot[n].task != NULL && is_copied(m->slot[n].task)) {
            for (origin = n; model[origin].source >= 0;)
                origin = (unsigned)model[origin].source;
            CHECK_MEM(rig_to + model_place(m, n), rig_from + model_place(m, origin), LEN);
        }
        if (!model_is_done(m, n))
            continue;
        for (a = 0; a < num_model; a++)
            CHECK((model[n].ancestors >> a & 1) == 0 || model_is_done(m, a));
    }
    m->is_submitted = false;
}

/* Run all submitted instances, on a device that is often full, slow, and completes tasks out of
 * order. */
static void model_run_all(void)
{
    unsigned i, patience;

    for (patience = 0; pe_inflight() > 0; patience++) {
        CHECK(patience < 100000);
        held.full = rig_random(3) == 0;
        held.budget = rig_random(3);
        held.newest_first = rig_random(2) != 0;
        rig_progress(&r);
    }
    held.full = false;
    held.budget = HELD_ALL;
    held.num_to_fail = 0;
    rig_drain(&r);
    for (i = 0; i < MODEL_RUNS; i++)
        if (runs[i].is_submitted)
            model_check(&runs[i]);
}

/* Start the contexts again that a failed copy has stopped. */
static void model_restart_contexts(void)
{
    unsigned i;

    if (rig_state(doca_dma_as_ctx(copier[0])) == DOCA_CTX_STATE_RUNNING &&
        rig_state(doca_dma_as_ctx(copier[1])) == DOCA_CTX_STATE_RUNNING)
        return;
    model_drop_tasks();
    for (i = 0; i < 2; i++) {
        rig_stop(&r, doca_dma_as_ctx(copier[i]));
        CHECK_OK(doca_ctx_start(doca_dma_as_ctx(copier[i])));
    }
    rig_drain(&r);
    rig_forget_states(&r);
    model_make_tasks();
}

static void random_graphs_agree_with_a_model(void)
{
    unsigned g, round, i, n, num_ok = 0, num_not = 0;

    held_begin();
    held_open_rig(&r, 64);
    clear_trace();
    copier[0] = r.dma;
    copier[1] = rig_make_dma(&r, 64);
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(copier[1])));
    rig_drain(&r);
    CHECK_OK(doca_graph_create(r.pe, &inner));
    CHECK_OK(doca_graph_set_conf(inner, model_completed, model_failed, MODEL_NODES * MODEL_RUNS));
    CHECK_OK(doca_graph_node_create_from_user(inner, model_call, &inner_call));
    inner_copy = ctx_node(inner, r.ctx);
    CHECK_OK(doca_graph_add_dependency(inner, inner_copy, inner_call));
    CHECK_OK(doca_graph_start(inner));
    for (g = 0; g < MODEL_GRAPHS; g++) {
        model_build_graph();
        model_make_runs();
        model_make_tasks();
        for (round = 0; round < MODEL_ROUNDS; round++) {
            memset(rig_to, 0, MODEL_RUNS * MODEL_NODES * LEN);
            held.num_to_fail = rig_random(10) == 0;
            held.full = rig_random(3) == 0;
            for (i = 0; i < MODEL_RUNS; i++)
                if (rig_random(4) != 0)
                    model_submit(&runs[i]);
            model_run_all();
            for (i = 0; i < MODEL_RUNS; i++)
                (void)(runs[i].is_ok ? num_ok++ : num_not++);
            model_restart_contexts();
        }
        for (i = 0; i < MODEL_RUNS; i++) {
            CHECK_OK(doca_graph_instance_destroy(runs[i].run));
            for (n = 0; n < num_model; n++)
                if (runs[i].slot[n].sub != NULL)
                    CHECK_OK(doca_graph_instance_destroy(runs[i].slot[n].sub));
        }
        model_drop_tasks();
        CHECK_OK(doca_graph_stop(graph));
        CHECK_OK(doca_graph_destroy(graph));
    }
    /* success and failure both occurred often */
    CHECK(num_ok > MODEL_GRAPHS && num_not > MODEL_GRAPHS);
    CHECK_OK(doca_graph_stop(inner));
    CHECK_OK(doca_graph_destroy(inner));
    rig_stop(&r, doca_dma_as_ctx(copier[1]));
    CHECK_OK(doca_dma_destroy(copier[1]));
    held_close_rig(&r);
}

static const struct test_case cases[] = {
    CASE(random_graphs_agree_with_a_model, "272 273 274 282 286 288"),
};

TEST_MAIN(cases)
