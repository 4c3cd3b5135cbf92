/* The checked mode: a second thread cannot use or configure the objects of a progress engine. */
#include "checked_support.h"

static struct rig shared;
static struct doca_dma_task_memcpy *shared_task;

static struct doca_dma *idle_dma;

static void *use_pe_and_tasks(void *arg)
{
    struct doca_dma_task_memcpy *task;

    (void)arg;
    record_log();
    CHECK_EQ(doca_pe_progress(shared.pe), 0);
    CHECK_REPORT(CHECK_THREAD, doca_pe_progress, "pe created");
    CHECK_RC(rig_submit(shared_task), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_task_submit, "pe created");
    CHECK_RC(doca_dma_task_memcpy_alloc_init(shared.dma, NULL, NULL, (union doca_data){ 0 }, &task),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_dma_task_memcpy_alloc_init, "pe created");
    doca_task_free(doca_dma_task_memcpy_as_task(shared_task));
    CHECK_REPORT(CHECK_THREAD, doca_task_free, "pe created");
    CHECK_RC(doca_ctx_stop(shared.ctx), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_ctx_stop, "pe created");
    CHECK_RC(doca_ctx_start(doca_dma_as_ctx(idle_dma)), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_ctx_start, "pe created");
    return NULL;
}

static void call_from_another_thread(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)r;
    (void)task;
    run_in_another_thread(use_pe_and_tasks);
}

static void second_thread_cannot_use_the_pe(void)
{
    struct doca_dma_task_memcpy *task;

    rig_open(&shared, TASKS);
    idle_dma = rig_make_dma(&shared, 1);
    shared_task = rig_task(shared.dma, rig_src(&shared, LEN, LEN), rig_dst(&shared, LEN, LEN));
    task = rig_copy(&shared, shared.dma, 0, LEN);
    shared.on_task = call_from_another_thread;
    rig_drain(&shared);
    CHECK_EQ(shared.num_ok, 1);
    CHECK_OK(rig_submit(shared_task)); /* the refused calls had no effect */
    shared.on_task = NULL;
    rig_drain(&shared);
    CHECK_EQ(shared.num_ok, 2);
    rig_release(task);
    rig_release(shared_task);
    CHECK_EQ(rig_state(doca_dma_as_ctx(idle_dma)), DOCA_CTX_STATE_IDLE);
    CHECK_OK(doca_dma_destroy(idle_dma));
    rig_close(&shared);
}

static struct doca_dma *unused_dma; /* a second context, never started */
static struct doca_sync_event *unused_event;
static struct doca_sha *unused_sha;
static struct doca_mmap_advise *unused_advise;
static struct doca_task_batch *shared_batch;
static struct doca_graph *shared_graph;
static struct doca_graph_node *shared_node;
static struct doca_graph_instance *shared_instance;

static void *use_batch_and_graph(void *arg)
{
    struct doca_task_batch *batch;

    (void)arg;
    record_log();
    CHECK_RC(doca_core_task_batch_alloc_init(shared.ctx, (union doca_data){ 0 }, &batch),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_core_task_batch_alloc_init, "pe created");
    CHECK_RC(doca_core_task_batch_add(shared_batch, doca_dma_task_memcpy_as_task(shared_task)),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_core_task_batch_add, "pe created");
    CHECK_RC(doca_task_batch_submit(shared_batch), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_task_batch_submit, "pe created");
    doca_task_batch_free(shared_batch);
    CHECK_REPORT(CHECK_THREAD, doca_task_batch_free, "pe created");
    CHECK_RC(doca_graph_instance_submit(shared_instance), DOCA_ERROR_NOT_PERMITTED);
    CHECK_REPORT(CHECK_THREAD, doca_graph_instance_submit, "pe created");
    return NULL;
}

#define CHECK_PE_REFUSES(call, function)                                                           \
    do {                                                                                           \
        CHECK_RC(call, DOCA_ERROR_NOT_PERMITTED);                                                  \
        CHECK_REPORT(CHECK_THREAD, function, "pe created");                                        \
    } while (0)

static void get_ended(struct doca_sync_event_task_get *task, union doca_data user_data,
                      union doca_data ctx_data)
{
    (void)task;
    (void)user_data;
    (void)ctx_data;
}

static void *configure_all(void *arg)
{
    struct doca_graph *graph = shared_graph, *made = NULL;
    struct doca_graph_node *node = shared_node;
    struct doca_graph_instance *instance = shared_instance;
    doca_notification_handle_t handle;
    const uint8_t *data;
    size_t sz;

    (void)arg;
    record_log();
    CHECK_PE_REFUSES(doca_pe_connect_ctx(shared.pe, doca_dma_as_ctx(idle_dma)),
                     doca_pe_connect_ctx);
    CHECK_PE_REFUSES(doca_pe_request_notification(shared.pe), doca_pe_request_notification);
    CHECK_PE_REFUSES(doca_pe_clear_notification(shared.pe, 0), doca_pe_clear_notification);
    CHECK_PE_REFUSES(doca_pe_set_event_mode(shared.pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL),
                     doca_pe_set_event_mode);
    CHECK_PE_REFUSES(doca_ctx_set_user_data(doca_dma_as_ctx(unused_dma), (union doca_data){ 0 }),
                     doca_ctx_set_user_data);
    CHECK_PE_REFUSES(doca_ctx_set_state_changed_cb(doca_dma_as_ctx(unused_dma), NULL),
                     doca_ctx_set_state_changed_cb);
    CHECK_PE_REFUSES(doca_dma_task_memcpy_set_conf(unused_dma, rig_completed, rig_failed, 2),
                     doca_dma_task_memcpy_set_conf);
    CHECK_PE_REFUSES(doca_core_ctx_set_task_batch_conf(doca_dma_as_ctx(unused_dma),
                                                       DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 2,
                                                       batch_ended, batch_ended),
                     doca_core_ctx_set_task_batch_conf);
    CHECK_PE_REFUSES(doca_sync_event_task_get_set_conf(unused_event, get_ended, get_ended, 1),
                     doca_sync_event_task_get_set_conf);
    CHECK_PE_REFUSES(doca_dma_destroy(unused_dma), doca_dma_destroy);
    CHECK_PE_REFUSES(doca_sync_event_destroy(unused_event), doca_sync_event_destroy);
    CHECK_PE_REFUSES(doca_sync_event_export_to_dpu(unused_event, shared.dev, &data, &sz),
                     doca_sync_event_export_to_dpu);
    CHECK_PE_REFUSES(doca_sync_event_export_to_remote_net(unused_event, &data, &sz),
                     doca_sync_event_export_to_remote_net);
    doca_ctx_flush_tasks(shared.ctx);
    CHECK_REPORT(CHECK_THREAD, doca_ctx_flush_tasks, "pe created");
    CHECK_PE_REFUSES(doca_graph_create(shared.pe, &made), doca_graph_create);
    CHECK_PE_REFUSES(doca_graph_node_create_from_ctx(graph, shared.ctx, &node),
                     doca_graph_node_create_from_ctx);
    CHECK_PE_REFUSES(doca_graph_add_dependency(graph, node, node), doca_graph_add_dependency);
    CHECK_PE_REFUSES(doca_graph_set_conf(graph, graph_ended, graph_ended, 1), doca_graph_set_conf);
    CHECK_PE_REFUSES(doca_graph_start(graph), doca_graph_start);
    CHECK_PE_REFUSES(doca_graph_stop(graph), doca_graph_stop);
    CHECK_PE_REFUSES(doca_graph_destroy(graph), doca_graph_destroy);
    CHECK_PE_REFUSES(doca_graph_instance_create(graph, &instance), doca_graph_instance_create);
    CHECK_PE_REFUSES(doca_graph_instance_destroy(instance), doca_graph_instance_destroy);
    CHECK_PE_REFUSES(doca_graph_instance_set_ctx_node_data(
                         instance, node, doca_dma_task_memcpy_as_task(shared_task)),
                     doca_graph_instance_set_ctx_node_data);
    CHECK_PE_REFUSES(doca_graph_set_user_data(graph, (union doca_data){ 0 }),
                     doca_graph_set_user_data);
    CHECK_PE_REFUSES(doca_graph_node_create_from_graph(graph, graph, &node),
                     doca_graph_node_create_from_graph);
    CHECK_PE_REFUSES(doca_graph_instance_set_user_data(instance, (union doca_data){ 0 }),
                     doca_graph_instance_set_user_data);
    CHECK_PE_REFUSES(doca_graph_instance_set_user_node_data(instance, node, NULL),
                     doca_graph_instance_set_user_node_data);
    CHECK_PE_REFUSES(doca_graph_instance_set_sub_graph_node_data(instance, node, instance),
                     doca_graph_instance_set_sub_graph_node_data);
    CHECK_PE_REFUSES(doca_pe_get_notification_handle(shared.pe, &handle),
                     doca_pe_get_notification_handle);
    CHECK_PE_REFUSES(doca_sha_task_hash_set_conf(unused_sha, hash_ended, hash_ended, 1),
                     doca_sha_task_hash_set_conf);
    CHECK_PE_REFUSES(doca_mmap_advise_task_invalidate_cache_set_conf(unused_advise, advise_ended,
                                                                     advise_ended, 1),
                     doca_mmap_advise_task_invalidate_cache_set_conf);
    CHECK_PE_REFUSES(doca_pe_destroy(shared.pe), doca_pe_destroy);
    CHECK_PTR(made, NULL);
    CHECK_PTR(node, shared_node);
    CHECK_PTR(instance, shared_instance);
    return NULL;
}

static void configure_from_another_thread(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)r;
    (void)task;
    run_in_another_thread(configure_all);
}

/* While the first thread is in doca_pe_progress(), every call by which a second thread would
 * configure the PE, or an object of the PE, is refused. */
static void second_thread_cannot_configure(void)
{
    struct doca_dma_task_memcpy *task;

    rig_open(&shared, TASKS);
    CHECK_OK(doca_dma_create(shared.dev, &idle_dma));
    doca_ctx_flush_tasks(doca_dma_as_ctx(idle_dma)); /* does nothing: the context has no PE */
    unused_dma = rig_make_dma(&shared, 1);
    CHECK_OK(doca_sync_event_create(&unused_event));
    CHECK_OK(doca_pe_connect_ctx(shared.pe, doca_sync_event_as_ctx(unused_event)));
    CHECK_OK(doca_sha_create(shared.dev, &unused_sha));
    CHECK_OK(doca_pe_connect_ctx(shared.pe, doca_sha_as_ctx(unused_sha)));
    CHECK_OK(doca_mmap_advise_create(shared.dev, &unused_advise));
    CHECK_OK(doca_pe_connect_ctx(shared.pe, doca_mmap_advise_as_ctx(unused_advise)));
    CHECK_OK(doca_graph_create(shared.pe, &shared_graph));
    CHECK_OK(doca_graph_node_create_from_ctx(shared_graph, shared.ctx, &shared_node));
    CHECK_OK(doca_graph_set_conf(shared_graph, graph_ended, graph_ended, 2));
    CHECK_OK(doca_graph_start(shared_graph));
    CHECK_OK(doca_graph_instance_create(shared_graph, &shared_instance));
    shared_task = rig_prepare(&shared, shared.dma, LEN, LEN);
    task = rig_copy(&shared, shared.dma, 0, LEN);
    shared.on_task = configure_from_another_thread;
    rig_drain(&shared);
    CHECK_EQ(shared.num_ok, 1);
    CHECK_OK(doca_graph_instance_set_ctx_node_data(shared_instance, shared_node,
                                                   doca_dma_task_memcpy_as_task(shared_task)));
    CHECK_OK(doca_graph_instance_submit(shared_instance)); /* the refused calls had no effect */
    rig_drain(&shared);
    CHECK_OK(doca_graph_instance_destroy(shared_instance));
    CHECK_OK(doca_graph_stop(shared_graph));
    CHECK_OK(doca_graph_destroy(shared_graph));
    rig_release(task);
    rig_release(shared_task);
    CHECK_OK(doca_dma_destroy(idle_dma));
    CHECK_OK(doca_dma_destroy(unused_dma));
    CHECK_OK(doca_sha_destroy(unused_sha));
    CHECK_OK(doca_mmap_advise_destroy(unused_advise));
    CHECK_OK(doca_sync_event_destroy(unused_event));
    rig_close(&shared);
}

static void call_batch_and_graph(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)r;
    (void)task;
    run_in_another_thread(use_batch_and_graph);
}

static void second_thread_cannot_submit_a_batch_or_graph(void)
{
    struct doca_dma_task_memcpy *task, *of_batch;
    struct doca_graph_node *node;
    struct doca_graph *graph;
    struct doca_buf *src, *dst;

    rig_build(&shared, NULL, TASKS);
    CHECK_OK(doca_core_ctx_set_task_batch_conf(shared.ctx, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 2,
                                               batch_ended, batch_ended));
    CHECK_OK(doca_ctx_start(shared.ctx));
    rig_drain(&shared);
    CHECK_OK(doca_graph_create(shared.pe, &graph));
    CHECK_OK(doca_graph_node_create_from_ctx(graph, shared.ctx, &node));
    CHECK_OK(doca_graph_set_conf(graph, graph_ended, graph_ended, 1));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_instance_create(graph, &shared_instance));
    CHECK_OK(doca_core_task_batch_alloc_init(shared.ctx, (union doca_data){ 0 }, &shared_batch));
    of_batch = rig_prepare(&shared, shared.dma, LEN, LEN);
    CHECK_OK(doca_core_task_batch_add(shared_batch, doca_dma_task_memcpy_as_task(of_batch)));
    shared_task = rig_prepare(&shared, shared.dma, 2 * LEN, LEN);
    CHECK_OK(doca_graph_instance_set_ctx_node_data(shared_instance, node,
                                                   doca_dma_task_memcpy_as_task(shared_task)));
    task = rig_copy(&shared, shared.dma, 0, LEN);
    shared.on_task = call_batch_and_graph;
    rig_drain(&shared);
    CHECK_EQ(shared.num_ok, 1);
    shared.on_task = NULL;
    CHECK_OK(doca_task_batch_submit(shared_batch)); /* the refused calls had no effect */
    CHECK_OK(doca_graph_instance_submit(shared_instance));
    rig_drain(&shared);
    CHECK_OK(doca_task_batch_get_status(shared_batch));
    src = (struct doca_buf *)(size_t)doca_dma_task_memcpy_get_src(of_batch);
    dst = doca_dma_task_memcpy_get_dst(of_batch);
    doca_task_batch_free(shared_batch);
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));
    CHECK_OK(doca_graph_instance_destroy(shared_instance));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    rig_release(task);
    rig_release(shared_task);
    rig_close(&shared);
}

static struct doca_dma_task_memcpy *handed_task;

static void *run_handed_task(void *arg)
{
    (void)arg;
    CHECK_OK(rig_submit(handed_task));
    rig_drain(&shared);
    rig_release(handed_task);
    return NULL;
}

/* Threads may use a PE one after the other. The history names the thread that submitted a task. */
static void pe_can_be_handed_to_another_thread(void)
{
    char text[256];
    unsigned i;

    rig_open(&shared, 1);
    record_log();
    for (i = 0; i < 2; i++) {
        handed_task = rig_prepare(&shared, shared.dma, 0, LEN);
        run_in_another_thread(run_handed_task);
        CHECK_OK(doca_core_check_life(handed_task, text, sizeof(text)));
        CHECK(strstr(text, " submitted by ") != NULL);
    }
    CHECK_EQ(shared.num_ok, 2);
    CHECK_EQ(logged.lines, 0);
    rig_close(&shared);
}

static const struct test_case cases[] = {
    CASE(second_thread_cannot_use_the_pe, ""),
    CASE(second_thread_cannot_submit_a_batch_or_graph, ""),
    CASE(second_thread_cannot_configure, ""),
    CASE(pe_can_be_handed_to_another_thread, ""),
};

TEST_MAIN(cases)
