/* Calls that get NULL, or an object of another type, instead of their handle. Each call must return
 * the error, log the reason, and not change the object. This file leaves out calls that other
 * suites test in the same way. */
#include "fixture.h"

static struct rig rig;
static struct doca_buf *some_buf;
static union doca_data no_data;

/* Convert the result of a call that returns no error code: `is_empty` is true when the call refused
 * its handle. The log line gives the reason. */
static doca_error_t refused_if(bool is_empty)
{
    return is_empty ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

#define CALL(name, type, call)                                                                     \
    static doca_error_t name(void *handle)                                                         \
    {                                                                                              \
        type *o = handle;                                                                          \
                                                                                                   \
        return call;                                                                               \
    }

CALL(arena_bind, struct doca_core_arena, doca_core_arena_bind(o))
CALL(arr_create_in, struct doca_core_arena,
     doca_core_buf_arr_create_in(o, rig.src_map, &(struct doca_buf_arr *){ NULL }))
CALL(arr_create_v3, struct doca_core_arena,
     doca_core_v3_buf_arr_create_in(o, 1, &(struct doca_buf_arr *){ NULL }))
CALL(arr_destroy, struct doca_buf_arr, doca_buf_arr_destroy(o))
CALL(arr_set_params, struct doca_buf_arr, doca_buf_arr_set_params(o, 1, 1, 0))
CALL(arr_start, struct doca_buf_arr, doca_buf_arr_start(o))
CALL(arr_stop, struct doca_buf_arr, doca_buf_arr_stop(o))
CALL(buf_chain_head, struct doca_buf, doca_buf_chain_list_tail(o, some_buf, some_buf))
CALL(buf_chain_tail, struct doca_buf, doca_buf_chain_list_tail(some_buf, o, some_buf))
CALL(buf_set_data_len, struct doca_buf, doca_buf_set_data_len(o, 1))
CALL(inventory_expand, struct doca_buf_inventory, doca_buf_inventory_expand(o, 1))
CALL(batch_conf, struct doca_ctx,
     doca_core_ctx_set_task_batch_conf(o, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 1, NULL, NULL))
CALL(batch_add, struct doca_task_batch, doca_core_task_batch_add(o, NULL))
CALL(batch_get_task, struct doca_task_batch, refused_if(!doca_core_task_batch_get_task(o, 0)))
CALL(batch_get_status, struct doca_task_batch, doca_task_batch_get_status(o))
CALL(batch_set_user_data, struct doca_task_batch,
     (doca_task_batch_set_user_data(o, no_data), refused_if(true)))
CALL(worker_run, struct doca_core_sw_worker, doca_core_sw_worker_run(o))
CALL(worker_step, struct doca_core_sw_worker, refused_if(doca_core_sw_worker_step(o, 1) == 0))
CALL(worker_idle, struct doca_core_sw_worker, doca_core_sw_worker_set_max_idle_turns(o, 1))
CALL(worker_destroy, struct doca_core_sw_worker, doca_core_sw_worker_destroy(o))
CALL(ctx_start, struct doca_ctx, doca_ctx_start(o))
CALL(ctx_flush, struct doca_ctx, (doca_ctx_flush_tasks(o), refused_if(true)))
CALL(ctx_set_user_data, struct doca_ctx, doca_ctx_set_user_data(o, no_data))
CALL(ctx_set_state_cb, struct doca_ctx, doca_ctx_set_state_changed_cb(o, NULL))
CALL(ctx_set_vector, struct doca_ctx, doca_ctx_set_completion_vector(o, 0))
CALL(dev_reclaim, struct doca_dev, doca_dev_accelerate_resource_reclaim(o))
CALL(rep_iface_name, const struct doca_devinfo_rep,
     doca_devinfo_rep_get_iface_name(o, (char[256]){ 0 }, 256))
CALL(instance_user_data, struct doca_graph_instance,
     doca_graph_instance_set_user_data(o, no_data))
CALL(advise_destroy, struct doca_mmap_advise, doca_mmap_advise_destroy(o))
CALL(advise_conf, struct doca_mmap_advise,
     doca_mmap_advise_task_invalidate_cache_set_conf(o, NULL, NULL, 1))
CALL(mmap_thread_safety, struct doca_mmap, doca_mmap_enable_thread_safety(o))
CALL(pe_clear, struct doca_pe, doca_pe_clear_notification(o, 0))
CALL(pe_connect, struct doca_pe, doca_pe_connect_ctx(o, rig.ctx))
CALL(pe_request, struct doca_pe, doca_pe_request_notification(o))
CALL(pe_mode, struct doca_pe, doca_pe_set_event_mode(o, DOCA_PE_EVENT_MODE_PROGRESS_ALL))
CALL(pe_progress, struct doca_pe, refused_if(doca_pe_progress(o) == 0))
CALL(bridge_mkey_dev, struct doca_dev,
     doca_rdma_bridge_get_buf_mkey(some_buf, o, &(uint32_t){ 0 }))
CALL(event_as_ctx, struct doca_sync_event, refused_if(doca_sync_event_as_ctx(o) == NULL))
CALL(wait_eq_set_val, struct doca_sync_event_task_wait_eq,
     (doca_sync_event_task_wait_eq_set_wait_val(o, 1), refused_if(true)))
CALL(wait_eq_set_mask, struct doca_sync_event_task_wait_eq,
     (doca_sync_event_task_wait_eq_set_mask(o, 1), refused_if(true)))
CALL(wait_neq_set_val, struct doca_sync_event_task_wait_neq,
     (doca_sync_event_task_wait_neq_set_wait_val(o, 1), refused_if(true)))

#undef CALL
#define CALL(name) { #name, name }

static const struct {
    const char *name;
    doca_error_t (*call)(void *handle);
} calls[] = {
    CALL(arena_bind),         CALL(arr_create_in),     CALL(arr_create_v3),
    CALL(arr_destroy),        CALL(arr_set_params),    CALL(arr_start),
    CALL(arr_stop),           CALL(buf_chain_head),    CALL(buf_chain_tail),
    CALL(buf_set_data_len),   CALL(inventory_expand),  CALL(batch_conf),
    CALL(batch_add),          CALL(batch_get_task),    CALL(batch_get_status),
    CALL(batch_set_user_data), CALL(worker_run),       CALL(worker_step),
    CALL(worker_idle),        CALL(worker_destroy),    CALL(ctx_start),
    CALL(ctx_flush),          CALL(ctx_set_user_data), CALL(ctx_set_state_cb),
    CALL(ctx_set_vector),     CALL(dev_reclaim),       CALL(rep_iface_name),
    CALL(instance_user_data), CALL(advise_destroy),    CALL(advise_conf),
    CALL(mmap_thread_safety), CALL(pe_clear),          CALL(pe_connect),
    CALL(pe_request),         CALL(pe_mode),           CALL(pe_progress),
    CALL(bridge_mkey_dev),    CALL(event_as_ctx),      CALL(wait_eq_set_val),
    CALL(wait_eq_set_mask),   CALL(wait_neq_set_val),
};

static void open_all(void)
{
    rig_open(&rig, 4);
    some_buf = rig_src(&rig, 0, 64);
}

static void close_all(void)
{
    CHECK_OK(doca_buf_dec_refcount(some_buf, NULL));
    rig_close(&rig);
}

static void check_refused(size_t k, void *handle, enum doca_core_item item)
{
    doca_error_t rc;

    test_log_item = DOCA_CORE_ITEM_NONE;
    rc = calls[k].call(handle);
    if (rc != DOCA_ERROR_INVALID_VALUE || test_log_item != item)
        test_fail(__FILE__, __LINE__, "%s: %s, item %d, want %d", calls[k].name,
                  doca_error_get_name(rc), (int)test_log_item, (int)item);
}

static void null_is_refused(void)
{
    size_t k;

    open_all();
    for (k = 0; k < sizeof(calls) / sizeof(calls[0]); k++)
        /* these two accept NULL */
        if (calls[k].call != arena_bind && calls[k].call != event_as_ctx)
            check_refused(k, NULL, DOCA_CORE_ITEM_NULL_ARGUMENT);
    close_all();
}

/* Each call gets an inventory instead of its handle; calls on inventories get a PE. At level 0 the
 * library does not check handles. */
static void object_of_another_kind_is_refused(void)
{
    size_t k;

    if (DOCA_CORE_CHECK == 0)
        test_skip("handles are not checked at this level");
    open_all();
    for (k = 0; k < sizeof(calls) / sizeof(calls[0]); k++)
        check_refused(k, calls[k].call == inventory_expand ? (void *)rig.pe : (void *)rig.inventory,
                      DOCA_CORE_ITEM_DEAD_HANDLE);
    close_all();
}

/* The library refuses an address at which no object can begin, without reading it. */
static void misaligned_handle_is_refused(void)
{
    size_t i;

    if (DOCA_CORE_CHECK == 0)
        test_skip("handles are not checked at this level");
    open_all();
    for (i = 1; i < sizeof(void *); i++) {
        void *misaligned = (unsigned char *)rig.ctx + i;

        CHECK_RC(doca_ctx_start(misaligned), DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_DEAD_HANDLE);
        CHECK_RC(doca_buf_inventory_destroy(misaligned), DOCA_ERROR_INVALID_VALUE);
    }
    close_all();
}

/* Callbacks are set in pairs. The call is refused when either callback of the pair is NULL. */
static void single_callback_of_a_pair_is_refused(void)
{
    struct doca_sync_event *event;
    unsigned k;

#define CHECK_SINGLE_CALLBACK(kind)                                                                \
    do {                                                                                           \
        doca_sync_event_task_##kind##_completion_cb_t cb =                                         \
            (doca_sync_event_task_##kind##_completion_cb_t)(void (*)(void))                        \
                single_callback_of_a_pair_is_refused;                                              \
                                                                                                   \
        CHECK_RC(doca_sync_event_task_##kind##_set_conf(event, k == 0 ? cb : NULL,                 \
                                                        k == 0 ? NULL : cb, 1),                    \
                 DOCA_ERROR_INVALID_VALUE);                                                        \
    } while (0)
    open_all();
    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, rig.dev));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, rig.dev));
    CHECK(doca_sync_event_as_ctx(event) != NULL);
    for (k = 0; k < 2; k++) {
        CHECK_SINGLE_CALLBACK(get);
        CHECK_SINGLE_CALLBACK(notify_set);
        CHECK_SINGLE_CALLBACK(notify_add);
        CHECK_SINGLE_CALLBACK(wait_gt);
        CHECK_SINGLE_CALLBACK(wait_eq);
        CHECK_SINGLE_CALLBACK(wait_neq);
    }
    CHECK_OK(doca_sync_event_destroy(event));
    close_all();
}

/* A call that reads the value of an event refuses a NULL pointer for the value. */
static void null_pointer_for_a_value_is_refused(void)
{
    struct doca_sync_event *event;

    open_all();
    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, rig.dev));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, rig.dev));
    CHECK_OK(doca_sync_event_start(event));
    CHECK_RC(doca_sync_event_get(event, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_update_add(event, 1, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_sync_event_destroy(event));
    close_all();
}

/* Without these macros the calls below reach the functions of the library and not the inlined code.
 * Programs that cannot include the header, for example in other languages, call these functions. */
#undef doca_buf_set_data
#undef doca_buf_reset_data_len
#undef doca_task_submit
#undef doca_sync_event_get
#undef doca_sync_event_update_add

static void functions_return_the_same_as_inlined_calls(void)
{
    struct doca_dma_task_memcpy *task, *bare;
    struct doca_sync_event *event;
    uint64_t value = 0;
    struct doca_buf *buf;

    open_all();
    buf = rig_dst(&rig, 0, 64);
    CHECK_OK(doca_buf_set_data(buf, rig_to + 8, 16));
    CHECK_EQ(rig_data_len(buf), 16);
    CHECK_RC(doca_buf_set_data(buf, rig_to + 8, SIZE_MAX / 2), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_set_data(buf, NULL, 16), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(rig_data_len(buf), 16);
    CHECK_OK(doca_buf_reset_data_len(buf));
    CHECK_EQ(rig_data_len(buf), 0);
    task = rig_task(rig.dma, some_buf, NULL);
    CHECK_RC(doca_task_submit(doca_dma_task_memcpy_as_task(task)), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NO_BUFFER);
    doca_dma_task_memcpy_set_dst(task, buf);
    CHECK_OK(doca_buf_set_data(buf, rig_to, 0));
    CHECK_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    bare = rig_task(rig.dma, some_buf, NULL); /* submit has another path when a task is in flight */
    CHECK_RC(doca_task_submit(doca_dma_task_memcpy_as_task(bare)), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(rig_inflight(rig.ctx), 1);
    rig_drain(&rig);
    CHECK_EQ(rig.num_ok, 1);
    doca_task_free(doca_dma_task_memcpy_as_task(bare));
    CHECK_MEM(rig_to, rig_from, 64);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    CHECK_RC(doca_buf_set_data(buf, rig_to + 8, 16), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_buf_reset_data_len(buf), DOCA_ERROR_BAD_STATE);

    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, rig.dev));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, rig.dev));
    CHECK_RC(doca_sync_event_get(event, &value), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_sync_event_start(event));
    CHECK_OK(doca_sync_event_update_add(event, 5, &value));
    CHECK_EQ(value, 0);
    CHECK_OK(doca_sync_event_get(event, &value));
    CHECK_EQ(value, 5);
    CHECK_RC(doca_sync_event_get(event, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_sync_event_destroy(event));
    close_all();
}

static const struct test_case cases[] = {
    CASE(single_callback_of_a_pair_is_refused, ""),
    CASE(null_pointer_for_a_value_is_refused, ""),
    CASE(null_is_refused, ""),
    CASE(object_of_another_kind_is_refused, ""),
    CASE(misaligned_handle_is_refused, ""),
    CASE(functions_return_the_same_as_inlined_calls, ""),
};

TEST_MAIN(cases)
