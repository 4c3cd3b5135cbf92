/* Sequences of calls on one PE: tasks that hash a whole text or segments of it, submitted alone or
 * in batches; two instances of a graph of hash tasks and user nodes; tasks of a sync event; and a
 * buffer array. A model gives the results that each call may have in each state, checks that each
 * task completes once and with which result, and gives every digest. */
#include "fuzz.h"

#include "event_rig.h"
#include "sha_reference.h"

enum { NUM_HASHES = 5, NUM_PARTIALS = 2, NUM_SLOTS = NUM_HASHES + NUM_PARTIALS, NUM_BATCHES = 2 };
enum { NUM_INSTANCES = 2, NUM_NODES = 5, NUM_EVENTS = 6, MAX_TEXT = 1024, ROOM = 64 };

/* There is no task; the program has it; it is in flight; it was added to a batch. */
enum where { FREE, OWNED, OUT, ADDED };

struct hash { /* the buffers of a hash: a text and its digest */
    struct doca_buf *src, *dst;
    unsigned algorithm;
    size_t room, len;
    unsigned char text[MAX_TEXT];
};

struct slot {
    enum where where; /* a task that was ADDED is in flight if its batch is */
    bool is_partial;
    struct doca_task *task;
    struct hash hash;
    size_t segment; /* number of bytes at the end of hash.text that are not hashed yet */
    bool is_final, has_ended;
    struct batch *batch;
};

struct batch {
    enum where where;
    struct doca_task_batch *batch;
    struct slot *slots[NUM_SLOTS];
    unsigned num;
};

struct node {
    struct doca_task *task;
    struct hash hash;
    unsigned index;
    bool has_run, fails;
    struct instance *instance;
};

struct instance {
    enum where where; /* FREE: the instance does not exist */
    struct doca_graph_instance *instance;
    bool has_tasks, had_tasks; /* it has tasks now; it had tasks since it was created */
    struct node nodes[NUM_NODES];
};

static struct rig rig; /* the context of the rig is not used */
static struct doca_sha *sha;
static struct doca_ctx *ctx;
static enum doca_ctx_states state; /* as last observed */
static struct slot slots[NUM_SLOTS];
static struct batch batches[NUM_BATCHES];
static struct {
    struct doca_graph *graph;
    struct doca_graph_node *nodes[NUM_NODES];
    bool is_task[NUM_NODES];
    unsigned parents[NUM_NODES]; /* bit i: node i is a parent */
    bool is_started, has_started;
} plan;
static struct instance instances[NUM_INSTANCES];
static struct {
    struct event_rig rig;
    uint64_t value;
    struct {
        enum where where;
        unsigned kind;
        struct doca_task *task;
        uint64_t operand, result;
    } tasks[NUM_EVENTS];
} event;
static struct doca_buf_arr *array;
static bool array_has_params, array_is_started;

static void fuzz_set_up(void)
{
}

/* ---- hashes ---- */

static void hash_make(struct hash *h, size_t place, size_t len, size_t room)
{
    size_t at = fuzz_below(60000);

    h->src = rig_src(&rig, at, len > 0 ? len : 1);
    if (len == 0)
        CHECK_OK(doca_buf_reset_data_len(h->src));
    memcpy(h->text + h->len, rig_from + at, len);
    h->len += len;
    h->room = room;
    if (h->dst == NULL)
        h->dst = rig_dst(&rig, place * ROOM, room);
}

static void hash_drop(struct hash *h)
{
    share_drop(h->src, h->dst);
    memset(h, 0, sizeof(*h));
}

static bool hash_fits(const struct hash *h)
{
    return h->room >= ref_bytes[h->algorithm].digest;
}

static void hash_check(const struct hash *h)
{
    unsigned char want[64];
    void *data;

    ref_hash(h->algorithm, h->text, h->len, want);
    CHECK_EQ(rig_data_len(h->dst), ref_bytes[h->algorithm].digest);
    CHECK_OK(doca_buf_get_data(h->dst, &data));
    CHECK_MEM(data, want, ref_bytes[h->algorithm].digest);
}

/* ---- tasks of the context ---- */

/* True if the device must fail the task. */
static bool is_bad(const struct slot *s)
{
    if (!s->is_partial)
        return !hash_fits(&s->hash);
    return s->has_ended || (!s->is_final && s->segment % ref_bytes[s->hash.algorithm].block != 0);
}

static bool has_digest(const struct slot *s)
{
    return rig_data_len(s->hash.dst) > 0;
}

static void check_completion(struct slot *s)
{
    doca_error_t status = doca_task_get_status(s->task);

    if (status != DOCA_SUCCESS) {
        CHECK(is_bad(s) || rig_state(ctx) == DOCA_CTX_STATE_STOPPING);
        CHECK_EQ(has_digest(s), s->has_ended);
        s->hash.len -= s->segment;
        s->segment = 0;
        return;
    }
    CHECK(!is_bad(s));
    s->segment = 0;
    if (!s->is_partial || s->is_final)
        hash_check(&s->hash);
    else
        CHECK(!has_digest(s));
    s->has_ended = s->is_partial && s->is_final;
    if (s->is_partial)
        CHECK_EQ(doca_sha_task_partial_hash_get_has_result((void *)s->task), s->has_ended);
}

static void task_done(struct slot *s, struct doca_task *task, union doca_data ctx_data)
{
    CHECK(rig.in_progress && s->where == OUT && s->task == task && s->batch == NULL);
    CHECK_PTR(ctx_data.ptr, &sha);
    s->where = OWNED;
    check_completion(s);
}

static void hash_done(struct doca_sha_task_hash *task, union doca_data data, union doca_data of_ctx)
{
    task_done(data.ptr, doca_sha_task_hash_as_task(task), of_ctx);
}

static void partial_done(struct doca_sha_task_partial_hash *task, union doca_data data,
                         union doca_data of_ctx)
{
    task_done(data.ptr, doca_sha_task_partial_hash_as_task(task), of_ctx);
}

static void make_task(struct slot *s)
{
    unsigned how = fuzz_byte();
    struct doca_sha_task_partial_hash *partial;
    struct doca_sha_task_hash *hash;
    union doca_data data = { .ptr = s };
    doca_error_t rc;

    if (s->where != FREE)
        return;
    s->hash.algorithm = how % 3;
    s->is_final = s->has_ended = false;
    s->segment = 0;
    hash_make(&s->hash, (size_t)(s - slots), s->is_partial ? 0 : fuzz_below(300),
              how / 4 % 8 == 0 && !s->is_partial ? 1 + fuzz_below(ROOM) : ROOM);
    if (s->is_partial) {
        rc = doca_sha_task_partial_hash_alloc_init(sha, (enum doca_sha_algorithm)(how % 3),
                                                   s->hash.src, s->hash.dst, data, &partial);
        s->task = rc == DOCA_SUCCESS ? doca_sha_task_partial_hash_as_task(partial) : NULL;
    } else {
        rc = doca_sha_task_hash_alloc_init(sha, (enum doca_sha_algorithm)(how % 3), s->hash.src,
                                           s->hash.dst, data, &hash);
        s->task = rc == DOCA_SUCCESS ? doca_sha_task_hash_as_task(hash) : NULL;
    }
    CHECK_RC(rc, state == DOCA_CTX_STATE_RUNNING ? DOCA_SUCCESS : DOCA_ERROR_BAD_STATE);
    if (rc == DOCA_SUCCESS)
        s->where = OWNED;
    else
        hash_drop(&s->hash);
}

/* Set the next segment of a partial hash. */
static void set_segment(struct slot *s)
{
    unsigned how = fuzz_byte();
    size_t block = ref_bytes[s->hash.algorithm].block;
    size_t len = how % 4 == 0 ? fuzz_below(200) : how % 4 * block - block;
    struct doca_sha_task_partial_hash *task = (void *)s->task;
    struct doca_buf *before = s->hash.src;

    if (!s->is_partial || s->where == FREE)
        return;
    if (s->where != OWNED) { /* a task in a completed batch is ADDED: the result is not checked */
        if (s->where == OUT)
            CHECK_RC(doca_sha_task_partial_hash_set_is_final_buf(task), DOCA_ERROR_BAD_STATE);
        return;
    }
    if ((how & 16) != 0) {
        CHECK_OK(doca_sha_task_partial_hash_reset(task));
        CHECK_OK(doca_buf_reset_data_len(s->hash.dst));
        s->hash.len = s->segment = 0;
        s->is_final = s->has_ended = false;
    }
    s->hash.len -= s->segment;
    s->segment = 0;
    if (s->hash.len + len > MAX_TEXT)
        return;
    if ((how & 32) != 0) {
        CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(task));
        s->is_final = true;
    }
    hash_make(&s->hash, 0, len, ROOM);
    s->segment = len;
    CHECK_OK(doca_sha_task_partial_hash_set_src(task, s->hash.src));
    CHECK_OK(doca_buf_dec_refcount(before, NULL));
}

/* If the task is submitted again with the same source, add its remaining data to the hashed
 * text. */
static void add_rest_of_segment(struct slot *s)
{
    size_t len = rig_data_len(s->hash.src);
    void *data;

    if (!s->is_partial || s->segment > 0 || s->hash.len + len > MAX_TEXT)
        return;
    CHECK_OK(doca_buf_get_data(s->hash.src, &data));
    memcpy(s->hash.text + s->hash.len, data, len);
    s->hash.len += len;
    s->segment = len;
}

static bool may_submit(struct slot *s)
{
    if (s->is_partial && s->hash.len + rig_data_len(s->hash.src) > MAX_TEXT)
        return false;
    return s->is_partial || !has_digest(s); /* else the destination has no room left */
}

static void submit(struct slot *s)
{
    doca_error_t rc;

    if (s->where == FREE || (s->where == OWNED && !may_submit(s)))
        return;
    if (s->where == OWNED)
        add_rest_of_segment(s);
    rc = doca_task_submit_ex(s->task, fuzz_byte() % 4 == 0 ? DOCA_TASK_SUBMIT_FLAG_NONE
                                                           : DOCA_TASK_SUBMIT_FLAG_FLUSH);
    if (s->where != OWNED || state != DOCA_CTX_STATE_RUNNING)
        CHECK_RC(rc, DOCA_ERROR_BAD_STATE);
    else if (!is_bad(s) || DOCA_CORE_CHECK < 2)
        CHECK_OK(rc);
    else
        CHECK(rc != DOCA_SUCCESS);
    if (rc == DOCA_SUCCESS)
        s->where = OUT;
}

static void free_task(struct slot *s)
{
    if (s->where == FREE)
        return;
    doca_task_free(s->task);
    if (s->where != OWNED) /* the call was refused */
        return;
    hash_drop(&s->hash);
    s->where = FREE;
}

/* ---- batches ---- */

static void batch_free(struct batch *b)
{
    unsigned i;

    if (b->where == FREE)
        return;
    doca_task_batch_free(b->batch);
    if (b->where == OUT)
        return;
    for (i = 0; i < b->num; i++) {
        b->slots[i]->where = FREE;
        b->slots[i]->batch = NULL;
        hash_drop(&b->slots[i]->hash);
    }
    b->where = FREE;
}

static void batch_make(struct batch *b)
{
    doca_error_t rc;

    if (b->where != FREE)
        return;
    rc = doca_core_task_batch_alloc_init(ctx, (union doca_data){ .ptr = b }, &b->batch);
    CHECK_RC(rc, state == DOCA_CTX_STATE_RUNNING ? DOCA_SUCCESS : DOCA_ERROR_BAD_STATE);
    b->num = 0;
    if (rc == DOCA_SUCCESS)
        b->where = OWNED;
}

static void batch_add(struct batch *b, struct slot *s)
{
    doca_error_t rc;

    if (b->where == FREE || s->where == FREE)
        return;
    rc = doca_core_task_batch_add(b->batch, s->task);
    CHECK_RC(rc, b->where == OWNED && s->where == OWNED ? DOCA_SUCCESS : DOCA_ERROR_BAD_STATE);
    if (rc != DOCA_SUCCESS)
        return;
    CHECK_PTR(doca_core_task_batch_get_task(b->batch, (uint16_t)b->num), s->task);
    s->where = ADDED;
    s->batch = b;
    b->slots[b->num++] = s;
}

static void batch_submit(struct batch *b)
{
    bool is_any_bad = false;
    doca_error_t rc;
    unsigned i;

    for (i = 0; b->where == OWNED && i < b->num; i++)
        if (!may_submit(b->slots[i]))
            return;
    for (i = 0; b->where == OWNED && i < b->num; i++) {
        add_rest_of_segment(b->slots[i]);
        is_any_bad = is_any_bad || is_bad(b->slots[i]);
    }
    if (b->where == FREE)
        return;
    rc = doca_task_batch_submit(b->batch);
    if (b->where == OUT)
        CHECK_RC(rc, DOCA_ERROR_BAD_STATE);
    else if (b->num == 0 || state != DOCA_CTX_STATE_RUNNING)
        CHECK(rc == DOCA_ERROR_INVALID_VALUE || rc == DOCA_ERROR_BAD_STATE);
    else if (!is_any_bad || DOCA_CORE_CHECK < 2)
        CHECK_OK(rc);
    if (rc == DOCA_SUCCESS)
        b->where = OUT;
}

static void batch_done(struct doca_task_batch *batch, uint16_t num, union doca_data data,
                       union doca_data of_ctx)
{
    doca_error_t status = doca_task_batch_get_status(batch);
    struct batch *b = data.ptr;
    bool has_failed = false;
    unsigned i;

    CHECK(rig.in_progress && b->where == OUT && b->batch == batch);
    CHECK_PTR(of_ctx.ptr, &sha);
    CHECK_EQ(num, b->num);
    for (i = 0; i < b->num; i++) {
        if (!has_failed && doca_task_get_status(b->slots[i]->task) != DOCA_SUCCESS) {
            has_failed = true;
            CHECK_RC(status, doca_task_get_status(b->slots[i]->task));
        }
        check_completion(b->slots[i]);
    }
    CHECK_EQ(status != DOCA_SUCCESS, has_failed);
    b->where = OWNED;
}

/* ---- the graph ---- */

static bool is_complete(const struct node *n)
{
    return plan.is_task[n->index] ? rig_data_len(n->hash.dst) > 0 : n->has_run;
}

/* Check that the parents of the node completed and that the node was not called before. */
static doca_error_t user_node(void *cookie)
{
    struct node *n = cookie;
    struct instance *in = n->instance;
    unsigned i;

    CHECK(rig.in_progress && in->where == OUT && !n->has_run);
    for (i = 0; i < NUM_NODES; i++)
        if ((plan.parents[n->index] >> i & 1) != 0) {
            CHECK(is_complete(&in->nodes[i]) && !in->nodes[i].fails);
            if (plan.is_task[i])
                hash_check(&in->nodes[i].hash);
        }
    n->has_run = true;
    return n->fails ? DOCA_ERROR_UNEXPECTED : DOCA_SUCCESS;
}

/* Return the completed nodes as bits, and check that no node ran before its parents completed. */
static unsigned check_nodes(struct instance *in, bool *has_reason)
{
    unsigned done = 0, i;

    for (i = 0; i < NUM_NODES; i++) {
        struct node *n = &in->nodes[i];
        bool ran = is_complete(n);

        if ((plan.parents[i] & ~done) != 0)
            CHECK(!ran);
        if (ran && plan.is_task[i])
            hash_check(&n->hash);
        *has_reason = *has_reason || (plan.is_task[i] ? !hash_fits(&n->hash) : n->fails && ran);
        if (ran && (plan.is_task[i] || !n->fails))
            done |= 1u << i;
    }
    return done;
}

static void graph_done(struct doca_graph_instance *instance, union doca_data data,
                       union doca_data of_graph)
{
    struct instance *in = data.ptr;
    bool has_reason = false;

    CHECK(rig.in_progress && in->where == OUT && in->instance == instance);
    CHECK_PTR(of_graph.ptr, &plan);
    in->where = OWNED;
    CHECK_EQ(check_nodes(in, &has_reason), (1u << NUM_NODES) - 1);
}

static void graph_failed(struct doca_graph_instance *instance, union doca_data data,
                         union doca_data of_graph)
{
    struct instance *in = data.ptr;
    bool has_reason = rig_state(ctx) != DOCA_CTX_STATE_RUNNING;

    CHECK(rig.in_progress && in->where == OUT && in->instance == instance);
    CHECK_PTR(of_graph.ptr, &plan);
    in->where = OWNED;
    CHECK(check_nodes(in, &has_reason) != (1u << NUM_NODES) - 1);
    CHECK(has_reason);
}

static void drop_tasks(struct instance *in)
{
    unsigned i;

    if (!in->has_tasks || in->where == OUT)
        return;
    for (i = 0; i < NUM_NODES; i++)
        if (plan.is_task[i]) {
            doca_task_free(in->nodes[i].task);
            hash_drop(&in->nodes[i].hash);
        }
    in->has_tasks = false;
}

/* Set the data of all nodes of an instance, with new tasks. */
static void set_data(struct instance *in)
{
    unsigned how = fuzz_byte(), rooms = how % 16 == 0 ? fuzz_byte() : 0, i;
    size_t place = 16 + (size_t)(in - instances) * NUM_NODES;
    struct doca_sha_task_hash *task;

    if (in->where != OWNED || state != DOCA_CTX_STATE_RUNNING)
        return;
    drop_tasks(in);
    for (i = 0; i < NUM_NODES; i++) {
        struct node *n = &in->nodes[i];

        n->has_run = false;
        n->fails = !plan.is_task[i] && how % 16 == 1 && i == how / 16 % NUM_NODES;
        n->index = i;
        n->instance = in;
        if (!plan.is_task[i]) {
            CHECK_OK(doca_graph_instance_set_user_node_data(in->instance, plan.nodes[i], n));
            continue;
        }
        n->hash.algorithm = (how + i) % 3;
        hash_make(&n->hash, place + i, fuzz_below(200), (rooms >> i & 1) != 0 ? 19 : ROOM);
        CHECK_OK(doca_sha_task_hash_alloc_init(sha, (enum doca_sha_algorithm)n->hash.algorithm,
                                               n->hash.src, n->hash.dst, (union doca_data){ 0 },
                                               &task));
        n->task = doca_sha_task_hash_as_task(task);
        CHECK_OK(doca_graph_instance_set_ctx_node_data(in->instance, plan.nodes[i], n->task));
    }
    in->has_tasks = in->had_tasks = true;
}

static void instance_make(struct instance *in)
{
    doca_error_t rc;

    if (in->where != FREE)
        return;
    rc = doca_graph_instance_create(plan.graph, &in->instance);
    CHECK_RC(rc, plan.is_started ? DOCA_SUCCESS : DOCA_ERROR_BAD_STATE);
    if (rc != DOCA_SUCCESS)
        return;
    CHECK_OK(doca_graph_instance_set_user_data(in->instance, (union doca_data){ .ptr = in }));
    in->where = OWNED;
    in->had_tasks = false;
}

static void instance_drop(struct instance *in)
{
    if (in->where == FREE)
        return;
    CHECK_RC(doca_graph_instance_destroy(in->instance),
             in->where == OUT ? DOCA_ERROR_IN_USE : DOCA_SUCCESS);
    if (in->where == OUT)
        return;
    drop_tasks(in);
    in->where = FREE;
}

static void instance_submit(struct instance *in)
{
    bool may_fit = true;
    doca_error_t rc;
    unsigned i;

    if (in->where == FREE || (in->had_tasks && !in->has_tasks))
        return; /* the handles of freed tasks may be in use for other tasks */
    if (in->where == OUT) {
        CHECK_RC(doca_graph_instance_submit(in->instance), DOCA_ERROR_IN_USE);
        return;
    }
    for (i = 0; in->has_tasks && i < NUM_NODES; i++) {
        in->nodes[i].has_run = false;
        if (!plan.is_task[i])
            continue;
        CHECK_OK(doca_buf_reset_data_len(in->nodes[i].hash.dst));
        may_fit = may_fit && (hash_fits(&in->nodes[i].hash) || plan.parents[i] != 0);
    }
    rc = doca_graph_instance_submit(in->instance);
    if (!in->has_tasks)
        CHECK_RC(rc, DOCA_ERROR_INVALID_VALUE);
    else if (state != DOCA_CTX_STATE_RUNNING)
        CHECK_RC(rc, DOCA_ERROR_BAD_STATE);
    else if (may_fit || DOCA_CORE_CHECK < 2)
        CHECK_OK(rc);
    else
        CHECK(rc != DOCA_SUCCESS);
    if (rc == DOCA_SUCCESS)
        in->where = OUT;
}

static void graph_switch(void)
{
    unsigned num = 0, i;
    doca_error_t rc;

    for (i = 0; i < NUM_INSTANCES; i++)
        num += instances[i].where != FREE;
    if (plan.is_started) {
        CHECK_RC(doca_graph_destroy(plan.graph), DOCA_ERROR_BAD_STATE);
        CHECK_RC(doca_graph_stop(plan.graph), num > 0 ? DOCA_ERROR_IN_USE : DOCA_SUCCESS);
        plan.is_started = num > 0;
        return;
    }
    rc = doca_graph_start(plan.graph);
    CHECK_RC(rc, state == DOCA_CTX_STATE_RUNNING ? DOCA_SUCCESS : DOCA_ERROR_BAD_STATE);
    plan.is_started = rc == DOCA_SUCCESS;
}

static void graph_build(void)
{
    unsigned kinds = fuzz_byte() | 1, edges = (unsigned)fuzz_number(2), i, k;

    CHECK_OK(doca_graph_create(rig.pe, &plan.graph));
    CHECK_OK(doca_graph_set_conf(plan.graph, graph_done, graph_failed, NUM_INSTANCES));
    CHECK_OK(doca_graph_set_user_data(plan.graph, (union doca_data){ .ptr = &plan }));
    for (i = 0; i < NUM_NODES; i++) {
        plan.is_task[i] = (kinds >> i & 1) != 0;
        if (plan.is_task[i])
            CHECK_OK(doca_graph_node_create_from_ctx(plan.graph, ctx, &plan.nodes[i]));
        else
            CHECK_OK(doca_graph_node_create_from_user(plan.graph, user_node, &plan.nodes[i]));
        for (k = 0; k < i; k++, edges >>= 1) {
            if ((edges & 1) == 0)
                continue;
            CHECK_OK(doca_graph_add_dependency(plan.graph, plan.nodes[k], plan.nodes[i]));
            CHECK_RC(doca_graph_add_dependency(plan.graph, plan.nodes[i], plan.nodes[k]),
                     DOCA_ERROR_NOT_PERMITTED);
            plan.parents[i] |= 1u << k;
        }
    }
}

/* ---- the sync event ---- */

enum { GET, SET, ADD, WAIT };

static void event_task_done(struct event_rig *r, struct doca_task *task)
{
    unsigned i = 0;

    while (i < NUM_EVENTS && (event.tasks[i].task != task || event.tasks[i].where != OUT))
        i++;
    CHECK(i < NUM_EVENTS);
    event.tasks[i].where = OWNED;
    if (r->status != DOCA_SUCCESS) {
        CHECK_EQ(rig_state(r->ctx), DOCA_CTX_STATE_STOPPING);
        return;
    }
    switch (event.tasks[i].kind) {
    case GET:
        CHECK_EQ(event.tasks[i].result, event.value);
        break;
    case SET:
        event.value = event.tasks[i].operand;
        break;
    case ADD:
        CHECK_EQ(event.tasks[i].result, event.value);
        event.value += event.tasks[i].operand;
        break;
    default:
        CHECK(event.value > event.tasks[i].operand);
    }
}

static void event_submit(void)
{
    unsigned i = fuzz_below(NUM_EVENTS), kind = fuzz_byte() % 4;
    uint64_t operand = fuzz_below(4);
    doca_error_t rc;

    if (event.tasks[i].where == OUT || rig_state(event.rig.ctx) != DOCA_CTX_STATE_RUNNING)
        return;
    if (event.tasks[i].where == OWNED)
        doca_task_free(event.tasks[i].task);
    event.tasks[i].kind = kind;
    event.tasks[i].operand = operand;
    event.tasks[i].task = kind == GET   ? event_get_task(&event.rig, &event.tasks[i].result)
                          : kind == SET ? event_set_task(&event.rig, operand)
                          : kind == ADD ? event_add_task(&event.rig, operand,
                                                         &event.tasks[i].result)
                                        : event_wait_task(&event.rig, operand, UINT64_MAX);
    event.tasks[i].where = OUT; /* its callback cannot run before progress */
    rc = doca_task_submit(event.tasks[i].task);
    CHECK_OK(rc);
}

static void event_end(void)
{
    unsigned i;

    if (rig_state(event.rig.ctx) == DOCA_CTX_STATE_RUNNING)
        (void)doca_ctx_stop(event.rig.ctx);
    rig_drain(&rig);
    for (i = 0; i < NUM_EVENTS; i++) {
        CHECK(event.tasks[i].where != OUT);
        if (event.tasks[i].where == OWNED)
            doca_task_free(event.tasks[i].task);
        event.tasks[i].where = FREE;
    }
    rig_drain(&rig);
    CHECK_EQ(rig_state(event.rig.ctx), DOCA_CTX_STATE_IDLE);
}

static void event_make_ctx(void)
{
    struct event_rig *r = &event.rig;

    r->dev = rig.dev;
    r->pe = rig.pe;
    r->on_task = event_task_done;
    r->event = event_make(rig.dev, false);
    r->ctx = doca_sync_event_as_ctx(r->event);
    CHECK_OK(doca_sync_event_task_get_set_conf(r->event, event_get_done, event_get_done,
                                               NUM_EVENTS));
    CHECK_OK(doca_sync_event_task_notify_set_set_conf(r->event, event_notify_set_done,
                                                      event_notify_set_done, NUM_EVENTS));
    CHECK_OK(doca_sync_event_task_notify_add_set_conf(r->event, event_notify_add_done,
                                                      event_notify_add_done, NUM_EVENTS));
    CHECK_OK(doca_sync_event_task_wait_gt_set_conf(r->event, event_wait_gt_done,
                                                   event_wait_gt_done, NUM_EVENTS));
    CHECK_OK(doca_ctx_set_user_data(r->ctx, (union doca_data){ .ptr = r }));
    CHECK_OK(doca_pe_connect_ctx(r->pe, r->ctx));
    CHECK_OK(doca_ctx_start(r->ctx));
}

/* ---- the array ---- */

static void array_call(void)
{
    unsigned how = fuzz_byte();
    uint32_t num = fuzz_below(70), off = (uint32_t)fuzz_number(2);
    size_t size = fuzz_below(1024);
    bool fits = num > 0 && size > 0 && off + num * size <= RIG_BYTES;
    doca_error_t rc;

    if (array == NULL) {
        CHECK_OK(doca_buf_arr_create(rig.src_map, &array));
        array_has_params = array_is_started = false;
    } else if (how % 8 < 3) {
        rc = doca_buf_arr_set_params(array, size, num, off);
        if (array_is_started)
            CHECK(rc == DOCA_ERROR_BAD_STATE || (!fits && rc == DOCA_ERROR_INVALID_VALUE));
        else
            CHECK_RC(rc, fits ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE);
        array_has_params = array_has_params || (fits && !array_is_started);
    } else if (how % 8 < 5 && !array_is_started) {
        CHECK_RC(doca_buf_arr_start(array),
                 array_has_params ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE);
        array_is_started = array_has_params;
    } else if (how % 8 < 7) {
        CHECK_RC(doca_buf_arr_stop(array), array_is_started ? DOCA_SUCCESS : DOCA_ERROR_BAD_STATE);
        array_is_started = false;
    } else {
        CHECK_OK(doca_buf_arr_destroy(array));
        array = NULL;
    }
}

/* ---- all objects ---- */

static bool has_any_task(void)
{
    unsigned i;
    bool is_out = false;

    for (i = 0; i < NUM_SLOTS; i++)
        is_out = is_out || slots[i].where != FREE;
    for (i = 0; i < NUM_BATCHES; i++)
        is_out = is_out || batches[i].where != FREE;
    for (i = 0; i < NUM_INSTANCES; i++)
        is_out = is_out || instances[i].has_tasks;
    return is_out;
}

static void start(void)
{
    CHECK_RC(doca_ctx_start(ctx),
             state == DOCA_CTX_STATE_IDLE ? DOCA_SUCCESS : DOCA_ERROR_BAD_STATE);
}

static void stop(void)
{
    if (state == DOCA_CTX_STATE_IDLE || (state == DOCA_CTX_STATE_RUNNING && !has_any_task()))
        CHECK_OK(doca_ctx_stop(ctx));
    else
        CHECK_RC(doca_ctx_stop(ctx), DOCA_ERROR_IN_PROGRESS);
}

/* Free all tasks and batches that the program has. */
static void free_all(void)
{
    unsigned i;

    for (i = 0; i < NUM_BATCHES; i++)
        batch_free(&batches[i]);
    for (i = 0; i < NUM_SLOTS; i++)
        free_task(&slots[i]);
    for (i = 0; i < NUM_INSTANCES; i++)
        drop_tasks(&instances[i]);
}

static void progress(void)
{
    unsigned num = fuzz_byte() % 16;

    while (num-- > 0)
        (void)rig_progress(&rig);
}

static void call_context(unsigned how)
{
    switch (how % 8) {
    case 0:
        stop();
        break;
    case 1:
        free_all();
        rig_drain(&rig);
        free_all();
        rig_drain(&rig);
        break;
    case 2:
        doca_ctx_flush_tasks(ctx);
        break;
    case 3:
        if (has_any_task())
            CHECK_RC(doca_sha_destroy(sha), DOCA_ERROR_IN_USE);
        break;
    default:
        start();
    }
}

static void call(void)
{
    unsigned byte = fuzz_byte(), what = byte % 16;
    struct slot *s = &slots[byte / 16 % NUM_SLOTS];
    struct batch *b = &batches[byte / 16 % NUM_BATCHES];
    struct instance *in = &instances[byte / 16 % NUM_INSTANCES];

    switch (what) {
    case 0: make_task(s); break;
    case 1: set_segment(s); break;
    case 2: submit(s); break;
    case 3: free_task(s); break;
    case 4: batch_make(b); break;
    case 5: batch_add(b, &slots[fuzz_below(NUM_SLOTS)]); break;
    case 6: batch_submit(b); break;
    case 7: batch_free(b); break;
    case 8: instance_make(in); break;
    case 9: set_data(in); break;
    case 10: instance_submit(in); break;
    case 11: byte / 16 % 4 == 0 ? graph_switch() : instance_drop(in); break;
    case 12: event_submit(); break;
    case 13: call_context(byte / 16); break;
    case 14: array_call(); break;
    default: progress();
    }
}

static void compare(void)
{
    state = rig_state(ctx);
    if (state == DOCA_CTX_STATE_IDLE)
        CHECK(!has_any_task());
}

static void set_up(void)
{
    unsigned i;

    rig_build(&rig, NULL, 1);
    memset(slots, 0, sizeof(slots));
    memset(batches, 0, sizeof(batches));
    memset(instances, 0, sizeof(instances));
    memset(&plan, 0, sizeof(plan));
    memset(&event, 0, sizeof(event));
    array = NULL;
    for (i = 0; i < NUM_SLOTS; i++)
        slots[i].is_partial = i >= NUM_HASHES;
    CHECK_OK(doca_sha_create(rig.dev, &sha));
    ctx = doca_sha_as_ctx(sha);
    CHECK_OK(doca_ctx_set_user_data(ctx, (union doca_data){ .ptr = &sha }));
    CHECK_OK(doca_sha_task_hash_set_conf(sha, hash_done, hash_done, 4));
    CHECK_OK(doca_sha_task_partial_hash_set_conf(sha, partial_done, partial_done, 1));
    CHECK_OK(doca_core_ctx_set_task_batch_conf(ctx, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16,
                                               NUM_BATCHES, batch_done, batch_done));
    CHECK_OK(doca_pe_connect_ctx(rig.pe, ctx));
    CHECK_OK(doca_ctx_start(ctx));
    graph_build();
    CHECK_OK(doca_graph_start(plan.graph));
    plan.is_started = true;
    event_make_ctx();
}

static void tear_down(void)
{
    unsigned i;

    free_all();
    compare();
    stop();
    rig_drain(&rig);
    event_end();
    for (i = 0; i < NUM_SLOTS; i++)
        CHECK(slots[i].where != OUT);
    free_all();
    for (i = 0; i < NUM_BATCHES; i++)
        CHECK(batches[i].where == FREE);
    for (i = 0; i < NUM_INSTANCES; i++) {
        CHECK(instances[i].where != OUT);
        instance_drop(&instances[i]);
    }
    rig_drain(&rig);
    CHECK_EQ(rig_state(ctx), DOCA_CTX_STATE_IDLE);
    CHECK_OK(doca_graph_stop(plan.graph));
    CHECK_OK(doca_graph_destroy(plan.graph));
    CHECK_OK(doca_sync_event_destroy(event.rig.event));
    CHECK_OK(doca_sha_destroy(sha));
    if (array != NULL)
        CHECK_OK(doca_buf_arr_destroy(array));
    rig_close(&rig);
}

static void fuzz_run_input(void)
{
    set_up();
    compare();
    while (fuzz_left > 0) {
        call();
        compare();
    }
    tear_down();
}
