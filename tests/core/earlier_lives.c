/* Test program of test_earlier_lives.py, which generates calls.h: one call for each function of the
 * API and each of its handle parameters. For each call this program creates two successive objects
 * at one address, passes the stale handle of the first object, and checks that the call changes no
 * object. It also provides valid objects for the other arguments. */
#include "fixture.h"

struct call {
    const char *name; /* function/parameter */
    doca_error_t (*make)(void *handle);
    unsigned kind;
};

static struct rig rig;
static struct doca_buf_pool *pool;
static struct doca_buf_arr *array;
static struct doca_graph *graph;
static struct doca_graph_node *node;
static struct doca_graph_instance *instance;
static struct doca_task_batch *batch;
static DOCA_CORE_ALIGNED unsigned char some_bytes[4096];

/* The callback of every task and state. No call in this program may call it. */
static void never(void)
{
    test_fail(__FILE__, __LINE__, "a callback was called");
}

#include "calls.h"

#define NEVER (void *)(uintptr_t)never

enum { TASKS = 4, LEN = 64, PATIENCE = 1000 };

static const union doca_data no_data;
static struct doca_sha *sha; /* sha, advise and event allocate the tasks of their types */
static struct doca_mmap_advise *advise;
static struct doca_sync_event *event;

/* ---- objects of each type ---- */

static void *make_mmap(void)
{
    struct doca_mmap *mmap;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, rig_from, RIG_BYTES));
    CHECK_OK(doca_mmap_add_dev(mmap, rig.dev));
    CHECK_OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
    return mmap;
}

static void *make_sha(void)
{
    struct doca_sha *made;

    CHECK_OK(doca_sha_create(rig.dev, &made));
    CHECK_OK(doca_sha_task_hash_set_conf(made, NEVER, NEVER, 2));
    CHECK_OK(doca_sha_task_partial_hash_set_conf(made, NEVER, NEVER, 2));
    CHECK_OK(doca_pe_connect_ctx(rig.pe, doca_sha_as_ctx(made)));
    return made;
}

static void *make_advise(void)
{
    struct doca_mmap_advise *made;

    CHECK_OK(doca_mmap_advise_create(rig.dev, &made));
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_set_conf(made, NEVER, NEVER, TASKS));
    CHECK_OK(doca_pe_connect_ctx(rig.pe, doca_mmap_advise_as_ctx(made)));
    return made;
}

static void *make_event(void)
{
    struct doca_sync_event *made;

    CHECK_OK(doca_sync_event_create(&made));
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(made, rig.dev));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(made, rig.dev));
    CHECK_OK(doca_sync_event_task_get_set_conf(made, NEVER, NEVER, TASKS));
    CHECK_OK(doca_sync_event_task_notify_set_set_conf(made, NEVER, NEVER, TASKS));
    CHECK_OK(doca_sync_event_task_notify_add_set_conf(made, NEVER, NEVER, TASKS));
    CHECK_OK(doca_sync_event_task_wait_gt_set_conf(made, NEVER, NEVER, TASKS));
    CHECK_OK(doca_sync_event_task_wait_eq_set_conf(made, NEVER, NEVER, TASKS));
    CHECK_OK(doca_sync_event_task_wait_neq_set_conf(made, NEVER, NEVER, TASKS));
    CHECK_OK(doca_pe_connect_ctx(rig.pe, doca_sync_event_as_ctx(made)));
    return made;
}

#define ALLOC(what, ...)                                                                           \
    do {                                                                                           \
        struct doca_##what *task;                                                                  \
        CHECK_OK(doca_##what##_alloc_init(__VA_ARGS__, no_data, &task));                           \
        return task;                                                                               \
    } while (0)

static void *make(enum kind kind)
{
    struct doca_buf *buf = others[BUF];

    switch (kind) {
    case BUF:
        return rig_src(&rig, 0, LEN);
    case MMAP:
        return make_mmap();
    case CTX: /* a DMA context stands for a context of any type */
    case DMA:
        return rig_make_dma(&rig, TASKS);
    case SHA:
        return make_sha();
    case MMAP_ADVISE:
        return make_advise();
    case SYNC_EVENT:
        return make_event();
    case SHA_TASK_HASH:
        ALLOC(sha_task_hash, sha, DOCA_SHA_ALGORITHM_SHA256, buf, buf);
    case SHA_TASK_PARTIAL_HASH:
        ALLOC(sha_task_partial_hash, sha, DOCA_SHA_ALGORITHM_SHA256, buf, buf);
    case MMAP_ADVISE_TASK_INVALIDATE_CACHE:
        ALLOC(mmap_advise_task_invalidate_cache, advise, buf);
    case SYNC_EVENT_TASK_GET:
        ALLOC(sync_event_task_get, event, buf);
    case SYNC_EVENT_TASK_NOTIFY_SET:
        ALLOC(sync_event_task_notify_set, event, 1);
    case SYNC_EVENT_TASK_NOTIFY_ADD:
        ALLOC(sync_event_task_notify_add, event, 1, (uint64_t *)(void *)some_bytes);
    case SYNC_EVENT_TASK_WAIT_GT:
        ALLOC(sync_event_task_wait_gt, event, 1, 1);
    case SYNC_EVENT_TASK_WAIT_EQ:
        ALLOC(sync_event_task_wait_eq, event, 1, 1);
    case SYNC_EVENT_TASK_WAIT_NEQ:
        ALLOC(sync_event_task_wait_neq, event, 1, 1);
    default:
        return rig_task(rig.dma, buf, buf);
    }
}

/* Return the object as a context, or NULL when it is not a context. */
static struct doca_ctx *ctx_of(enum kind kind, void *object)
{
    switch (kind) {
    case CTX:
    case DMA:
        return doca_dma_as_ctx(object);
    case SHA:
        return doca_sha_as_ctx(object);
    case MMAP_ADVISE:
        return doca_mmap_advise_as_ctx(object);
    case SYNC_EVENT:
        return doca_sync_event_as_ctx(object);
    default:
        return NULL;
    }
}

static void start(enum kind kind, void *object)
{
    if (kind == MMAP)
        CHECK_OK(doca_mmap_start(object));
    if (ctx_of(kind, object) != NULL)
        CHECK_OK(doca_ctx_start(ctx_of(kind, object)));
    rig_drain(&rig);
}

static void drop(enum kind kind, void *object)
{
    struct doca_ctx *ctx = ctx_of(kind, object);

    if (ctx != NULL && rig_state(ctx) != DOCA_CTX_STATE_IDLE)
        rig_stop(&rig, ctx);
    switch (kind) {
    case BUF:
        CHECK_OK(doca_buf_dec_refcount(object, NULL));
        return;
    case MMAP:
        CHECK_OK(doca_mmap_destroy(object));
        return;
    case CTX:
    case DMA:
        CHECK_OK(doca_dma_destroy(object));
        return;
    case SHA:
        CHECK_OK(doca_sha_destroy(object));
        return;
    case MMAP_ADVISE:
        CHECK_OK(doca_mmap_advise_destroy(object));
        return;
    case SYNC_EVENT:
        CHECK_OK(doca_sync_event_destroy(object));
        return;
    default:
        doca_task_free(object);
    }
}

static size_t size_of(enum kind kind)
{
    switch (kind) {
    case BUF:
        return sizeof(struct doca_buf);
    case MMAP:
        return sizeof(struct doca_mmap);
    case CTX:
    case DMA:
        return sizeof(struct doca_dma);
    case SHA:
        return sizeof(struct doca_sha);
    case MMAP_ADVISE:
        return sizeof(struct doca_mmap_advise);
    case SYNC_EVENT:
        return sizeof(struct doca_sync_event);
    default:
        return DOCA_PRIV_TASK_BYTES;
    }
}

/* ---- calls ---- */

struct snapshot { /* a copy of the bytes of an object */
    const void *object;
    size_t bytes;
    unsigned char copy[1024];
};

static void save(struct snapshot *snapshot, enum kind kind, void *handle)
{
    snapshot->object = OBJECT((char *)handle);
    snapshot->bytes = size_of(kind);
    CHECK(snapshot->bytes <= sizeof(snapshot->copy));
    memcpy(snapshot->copy, snapshot->object, snapshot->bytes);
}

static bool is_unchanged(const struct snapshot *snapshot)
{
    return memcmp(snapshot->copy, snapshot->object, snapshot->bytes) == 0;
}

static void open_all(void)
{
    struct doca_sync_event *idle;
    unsigned kind;

    rig_build(&rig, NULL, TASKS);
    CHECK_OK(doca_buf_inventory_destroy(rig.inventory));
    /* small, so that an element is soon reused */
    CHECK_OK(doca_buf_inventory_create(2, &rig.inventory));
    CHECK_OK(doca_buf_inventory_start(rig.inventory));
    CHECK_OK(doca_core_ctx_set_task_batch_conf(rig.ctx, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 1,
                                               NEVER, NEVER));
    CHECK_OK(doca_ctx_start(rig.ctx));
    sha = make_sha();
    start(SHA, sha);
    advise = make_advise();
    start(MMAP_ADVISE, advise);
    event = make_event();
    start(SYNC_EVENT, event);
    others[BUF] = rig_dst(&rig, 0, LEN);
    CHECK_OK(doca_sync_event_create(&idle)); /* not a context yet */
    others[SYNC_EVENT] = idle;
    for (kind = 0; kind < KINDS; kind++)
        if (others[kind] == NULL)
            others[kind] = make((enum kind)kind);
    CHECK_OK(doca_buf_pool_create(4, LEN, rig.src_map, &pool));
    CHECK_OK(doca_buf_pool_start(pool));
    CHECK_OK(doca_core_v3_buf_arr_create(4, &array));
    CHECK_OK(doca_graph_create(rig.pe, &graph));
    CHECK_OK(doca_graph_node_create_from_ctx(graph, rig.ctx, &node));
    CHECK_OK(doca_graph_set_conf(graph, NEVER, NEVER, 1));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_instance_create(graph, &instance));
    CHECK_OK(doca_core_task_batch_alloc_init(rig.ctx, no_data, &batch));
}

static void close_all(void)
{
    unsigned kind;

    doca_task_batch_free(batch);
    CHECK_OK(doca_graph_instance_destroy(instance));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    CHECK_OK(doca_buf_arr_destroy(array));
    CHECK_OK(doca_buf_pool_destroy(pool));
    for (kind = 0; kind < KINDS; kind++)
        drop((enum kind)kind, others[kind]);
    memset(others, 0, sizeof(others));
    drop(SYNC_EVENT, event);
    drop(MMAP_ADVISE, advise);
    drop(SHA, sha);
    rig_close(&rig);
}

/* Create and release objects until a new object has the address of an earlier object, but a
 * different generation number. Return the new object, and the stale handle of the earlier one in
 * *earlier. */
static void *make_at_same_address(enum kind kind, void **earlier)
{
    void *later = make(kind);
    unsigned i;

    for (i = 0; i < PATIENCE; i++) {
        if (i % 16 == 0)
            *earlier = later;
        drop(kind, later);
        later = make(kind);
        if (OBJECT((char *)later) == OBJECT((char *)*earlier) && later != *earlier)
            return later;
    }
    drop(kind, later);
    test_fail(__FILE__, __LINE__, "no second object of type %u got the same address",
              (unsigned)kind);
    return NULL;
}

static struct snapshot before[KINDS];

static void save_others(void)
{
    unsigned i;

    for (i = 0; i < KINDS; i++)
        save(&before[i], (enum kind)i, others[i]);
}

static void check_others(const struct call *call)
{
    unsigned i;

    for (i = 0; i < KINDS; i++)
        if (!is_unchanged(&before[i]))
            test_fail(__FILE__, __LINE__, "%s: the call changed another object", call->name);
}

static void check_call(const struct call *call, bool is_started)
{
    const enum kind kind = (enum kind)call->kind;
    static struct snapshot snapshot;
    void *earlier, *later = make_at_same_address(kind, &earlier);
    doca_error_t rc;

    if (is_started)
        start(kind, later);
    save(&snapshot, kind, later);
    save_others();
    test_log_item = DOCA_CORE_ITEM_NONE;
    rc = call->make(earlier);
    if (rc == DOCA_SUCCESS || test_log_item != DOCA_CORE_ITEM_DEAD_HANDLE)
        test_fail(__FILE__, __LINE__, "%s: %s, item %d", call->name, doca_error_get_name(rc),
                  (int)test_log_item);
    if (!is_unchanged(&snapshot))
        test_fail(__FILE__, __LINE__, "%s: the call changed the later object", call->name);
    check_others(call);
    drop(kind, later);
}

static void check_calls(bool is_started)
{
    size_t i;

    open_all();
    for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
        check_call(&calls[i], is_started);
    close_all();
}

static void stale_handle_is_refused(void)
{
    check_calls(false);
}

static void stale_handle_is_refused_while_the_later_object_is_started(void)
{
    check_calls(true);
}

/* True when a parameter of type `wanted` accepts an object of type `kind`. A parameter of type TASK
 * accepts every task; a parameter of type CTX accepts every context. */
static bool takes(enum kind wanted, enum kind kind)
{
    const bool is_ctx = kind == CTX || kind == DMA || kind == SHA || kind == MMAP_ADVISE ||
                        kind == SYNC_EVENT;

    if (wanted == TASK)
        return !is_ctx && kind != BUF && kind != MMAP;
    if (wanted == CTX)
        return is_ctx;
    return wanted == kind || (wanted == DMA && kind == CTX) ||
           (wanted == DMA_TASK_MEMCPY && kind == TASK);
}

static void handle_of_another_kind_is_refused(void)
{
    doca_error_t rc;
    unsigned kind;
    size_t i;

    open_all();
    for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
        for (kind = 0; kind < KINDS; kind++) {
            if (takes((enum kind)calls[i].kind, (enum kind)kind))
                continue;
            save_others();
            rc = calls[i].make(others[kind]);
            if (rc == DOCA_SUCCESS)
                test_fail(__FILE__, __LINE__, "%s accepted a handle of type %u", calls[i].name,
                          kind);
            check_others(&calls[i]);
        }
    close_all();
}

static const struct test_case cases[] = {
    CASE(handle_of_another_kind_is_refused, ""),
    CASE(stale_handle_is_refused, ""),
    CASE(stale_handle_is_refused_while_the_later_object_is_started, ""),
};

TEST_MAIN(cases)
