/* The checked mode: buffers of tasks in flight cannot be changed, and overlapping destinations are
 * reported. */
#include "checked_support.h"

#include <unistd.h>

static void bufs_of_a_task_in_flight_cannot_be_changed(void)
{
    struct doca_buf *src, *dst, *other, *copy;
    struct doca_dma_task_memcpy *task;
    unsigned side;
    struct rig r;
    size_t len;
    void *at;

    rig_open(&r, TASKS);
    src = rig_src(&r, 0, LEN);
    dst = rig_dst(&r, 0, LEN);
    other = rig_src(&r, 0, LEN);
    CHECK_OK(doca_buf_chain_list(src, other));
    CHECK_OK(doca_buf_set_data_len(other, 0));
    other = rig_src(&r, 0, LEN);
    task = rig_task(r.dma, src, dst);
    CHECK_OK(rig_submit(task));
    record_log();
    for (side = 0; side < 2; side++) {
        struct doca_buf *buf = side == 0 ? src : dst;

        CHECK_RC(doca_buf_set_data(buf, side == 0 ? rig_from : rig_to, 1), DOCA_ERROR_IN_USE);
        CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_set_data, "buf allocated");
        CHECK_RC(doca_buf_set_data_len(buf, 1), DOCA_ERROR_IN_USE);
        CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_set_data_len, "buf allocated");
        CHECK_RC(doca_buf_reset_data_len(buf), DOCA_ERROR_IN_USE);
        CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_reset_data_len, "buf allocated");
        CHECK_RC(doca_buf_dec_refcount(buf, NULL), DOCA_ERROR_IN_USE);
        CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_dec_refcount, "buf allocated");
        CHECK_RC(doca_buf_chain_list(buf, other), DOCA_ERROR_IN_USE);
        CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_chain_list, "buf allocated");
        CHECK_RC(doca_buf_chain_list(other, buf), DOCA_ERROR_IN_USE);
        CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_chain_list, "buf allocated");
        CHECK_OK(doca_buf_inc_refcount(buf, NULL)); /* allowed: another reference is left */
        CHECK_OK(doca_buf_dec_refcount(buf, NULL));
        CHECK_OK(doca_buf_get_data(buf, &at)); /* reported, and succeeds */
        CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_get_data, "buf allocated");
        CHECK_OK(doca_buf_get_data_len(buf, &len));
        CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_get_data_len, "buf allocated");
        CHECK_EQ(len, side == 0 ? LEN : 0);
        CHECK_OK(doca_buf_inventory_buf_dup(r.inventory, buf, &copy));
        CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_inventory_buf_dup, "buf allocated");
        CHECK_OK(doca_buf_dec_refcount(copy, NULL));
        CHECK_OK(doca_buf_get_head(buf, &at)); /* a task does not change the head, so no report */
        CHECK_OK(doca_buf_get_len(buf, &len));
    }
    CHECK_OK(doca_buf_get_next_in_list(src, &dst));
    CHECK_RC(doca_buf_unchain_list(src, dst), DOCA_ERROR_IN_USE);
    CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_unchain_list, "buf allocated");
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    CHECK_OK(doca_buf_get_data_len(src, &len));
    CHECK_EQ(logged.lines, 0);
    CHECK_OK(doca_buf_unchain_list(src, dst)); /* the task has ended */
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));
    CHECK_OK(doca_buf_dec_refcount(other, NULL));
    rig_release(task);
    rig_close(&r);
}

/* Elements far behind the head of a task's list are protected too. Bufs that are not in the list
 * are not protected. */
static void long_lists_of_a_task_in_flight_cannot_be_changed(void)
{
    enum { LONG = 100, USED = 80, OTHERS = 40 };
    struct doca_buf *elements[LONG], *others[OTHERS], *src;
    struct doca_dma_task_memcpy *task;
    unsigned i, round;
    struct rig r;

    rig_open(&r, TASKS);
    for (i = 0; i < OTHERS; i++)
        others[i] = rig_dst(&r, 0, LEN);
    for (i = 0; i < LONG; i++) {
        elements[i] = rig_dst(&r, i * LEN, LEN);
        if (i > 0)
            CHECK_OK(doca_buf_chain_list(elements[0], elements[i]));
    }
    src = rig_src(&r, 0, LEN);
    task = rig_task(r.dma, src, elements[USED]);
    CHECK_OK(rig_submit(task));
    record_log();
    CHECK_RC(doca_buf_dec_refcount(elements[0], NULL), DOCA_ERROR_IN_USE);
    CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_dec_refcount, "buf allocated");
    CHECK_RC(doca_buf_chain_list(elements[0], others[0]), DOCA_ERROR_IN_USE);
    CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_chain_list, "buf allocated");
    CHECK_RC(doca_buf_chain_list(others[0], elements[0]), DOCA_ERROR_IN_USE);
    CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_chain_list, "buf allocated");
    CHECK_RC(doca_buf_unchain_list(elements[0], elements[USED + 1]), DOCA_ERROR_IN_USE);
    CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_unchain_list, "buf allocated");
    for (i = 0; i < OTHERS; i++)
        CHECK_OK(doca_buf_dec_refcount(others[i], NULL));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    CHECK_OK(doca_buf_dec_refcount(elements[0], NULL));
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    for (round = 0; round < 16; round++) { /* 16 rounds use every buf of the inventory */
        for (i = 0; i < LONG; i++)
            elements[i] = rig_dst(&r, 0, LEN);
        for (i = 0; i < LONG; i++)
            CHECK_OK(doca_buf_dec_refcount(elements[i], NULL));
    }
    CHECK_EQ(logged.lines, 0);
    rig_close(&r);
}

static void overlapping_destinations_are_reported(void)
{
    struct doca_dma_task_memcpy *tasks[3];
    struct rig r;
    unsigned i;

    rig_open(&r, TASKS);
    tasks[0] = rig_task(r.dma, rig_src(&r, 0, LEN), rig_dst(&r, 0, 2 * LEN));
    /* overlaps only the part of the first destination that the first task does not write */
    tasks[1] = rig_task(r.dma, rig_src(&r, 0, LEN), rig_dst(&r, LEN, LEN));
    tasks[2] = rig_task(r.dma, rig_src(&r, 0, LEN), rig_dst(&r, LEN - 1, LEN));
    record_log();
    CHECK_OK(rig_submit(tasks[0]));
    CHECK_OK(rig_submit(tasks[1]));
    CHECK_EQ(logged.lines, 0);
    CHECK_OK(rig_submit(tasks[2]));
    CHECK_REPORT(CHECK_OVERLAP, doca_task_submit, "buf allocated");
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 3);
    for (i = 0; i < 3; i++)
        rig_release(tasks[i]);
    tasks[0] = rig_copy(&r, r.dma, 0, LEN); /* no overlap: the earlier tasks have completed */
    rig_drain(&r);
    rig_release(tasks[0]);
    CHECK_EQ(logged.lines, 0);
    rig_close(&r);
}

/* Each call that can submit a task reports an overlap under its own name. */
static void overlap_is_reported_by_the_submitting_call(void)
{
    struct doca_dma_task_memcpy *first, *tasks[4];
    struct doca_graph_instance *instance;
    struct doca_graph_node *nodes[2];
    struct doca_task_batch *batch;
    struct doca_graph *graph;
    struct doca_buf *of_batch[2];
    struct rig r;
    unsigned i;

    rig_build(&r, NULL, TASKS);
    CHECK_OK(doca_core_ctx_set_task_batch_conf(r.ctx, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 1,
                                               batch_ended, batch_ended));
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    CHECK_OK(doca_graph_create(r.pe, &graph));
    CHECK_OK(doca_graph_node_create_from_ctx(graph, r.ctx, &nodes[0]));
    CHECK_OK(doca_graph_set_conf(graph, graph_ended, graph_ended, 1));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_instance_create(graph, &instance));
    CHECK_OK(doca_core_task_batch_alloc_init(r.ctx, (union doca_data){ 0 }, &batch));
    first = rig_prepare(&r, r.dma, 0, LEN);
    for (i = 0; i < 4; i++)
        tasks[i] = rig_prepare(&r, r.dma, LEN / 2, LEN);
    CHECK_OK(doca_core_task_batch_add(batch, doca_dma_task_memcpy_as_task(tasks[2])));
    CHECK_OK(doca_graph_instance_set_ctx_node_data(instance, nodes[0],
                                                   doca_dma_task_memcpy_as_task(tasks[3])));
    record_log();
    CHECK_OK(rig_submit(first));
    CHECK_OK(doca_task_try_submit(doca_dma_task_memcpy_as_task(tasks[0])));
    CHECK_REPORT(CHECK_OVERLAP, doca_task_try_submit, "buf allocated");
    CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(tasks[1]), 0));
    CHECK_REPORT(CHECK_OVERLAP, doca_task_submit_ex, "buf allocated");
    CHECK_OK(doca_task_batch_submit(batch));
    CHECK_REPORT(CHECK_OVERLAP, doca_task_batch_submit, "buf allocated");
    CHECK_OK(doca_graph_instance_submit(instance));
    CHECK_REPORT(CHECK_OVERLAP, doca_graph_instance_submit, "buf allocated");
    rig_drain(&r);
    rig_release(first);
    of_batch[0] = (struct doca_buf *)(uintptr_t)doca_dma_task_memcpy_get_src(tasks[2]);
    of_batch[1] = doca_dma_task_memcpy_get_dst(tasks[2]);
    doca_task_batch_free(batch);
    CHECK_OK(doca_buf_dec_refcount(of_batch[0], NULL));
    CHECK_OK(doca_buf_dec_refcount(of_batch[1], NULL));
    CHECK_OK(doca_graph_instance_destroy(instance));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    rig_release(tasks[0]);
    rig_release(tasks[1]);
    rig_release(tasks[3]);
    rig_close(&r);
}

static doca_error_t submit_from_node(void *cookie)
{
    return rig_submit((struct doca_dma_task_memcpy *)cookie);
}

/* doca_pe_progress() submits the second task for the graph, so the overlap is reported under this
 * name, although the user node has called doca_task_submit() before. */
static void overlap_of_a_graph_task_is_reported_by_progress(void)
{
    struct doca_dma_task_memcpy *first, *second;
    struct doca_graph_instance *instance;
    struct doca_graph_node *nodes[2];
    struct doca_graph *graph;
    struct rig r;

    rig_open(&r, TASKS);
    first = rig_prepare(&r, r.dma, 0, LEN);
    second = rig_prepare(&r, r.dma, LEN / 2, LEN);
    CHECK_OK(doca_graph_create(r.pe, &graph));
    CHECK_OK(doca_graph_node_create_from_user(graph, submit_from_node, &nodes[0]));
    CHECK_OK(doca_graph_node_create_from_ctx(graph, r.ctx, &nodes[1]));
    CHECK_OK(doca_graph_add_dependency(graph, nodes[0], nodes[1]));
    CHECK_OK(doca_graph_set_conf(graph, graph_ended, graph_ended, 1));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_instance_create(graph, &instance));
    CHECK_OK(doca_graph_instance_set_user_node_data(instance, nodes[0], first));
    CHECK_OK(doca_graph_instance_set_ctx_node_data(instance, nodes[1],
                                                   doca_dma_task_memcpy_as_task(second)));
    CHECK_OK(doca_graph_instance_submit(instance));
    record_log();
    rig_drain(&r);
    CHECK_REPORT(CHECK_OVERLAP, doca_pe_progress, "buf allocated");
    CHECK_OK(doca_graph_instance_destroy(instance));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    rig_release(first);
    rig_release(second);
    rig_close(&r);
}

static void two_overlaps_of_a_list_make_one_report(void)
{
    struct doca_dma_task_memcpy *tasks[2];
    struct doca_buf *dst;
    struct rig r;

    rig_open(&r, TASKS);
    dst = rig_dst(&r, 0, LEN);
    CHECK_OK(doca_buf_chain_list(dst, rig_dst(&r, 2 * LEN, LEN)));
    tasks[0] = rig_task(r.dma, rig_src(&r, 0, 3 * LEN), rig_dst(&r, 0, 3 * LEN));
    tasks[1] = rig_task(r.dma, rig_src(&r, 0, 2 * LEN), dst);
    record_log();
    CHECK_OK(rig_submit(tasks[0]));
    CHECK_OK(rig_submit(tasks[1]));
    CHECK_REPORT(CHECK_OVERLAP, doca_task_submit, "buf allocated");
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 2);
    rig_release(tasks[0]);
    rig_release(tasks[1]);
    rig_close(&r);
}

/* The child writes to its own memory at rig_to and, through an import, to the parent's memory at
 * the same address. These are different bytes, so no overlap is reported. */
static void equal_addresses_in_two_processes_do_not_overlap(void)
{
    struct doca_dma_task_memcpy *own_copy, *imported_copy;
    struct doca_mmap *import;
    const void *desc;
    struct rig r;
    size_t len;
    pid_t child;

    rig_open(&r, TASKS);
    CHECK_OK(doca_mmap_stop(r.dst_map));
    CHECK_OK(doca_mmap_set_permissions(r.dst_map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
                                                      DOCA_ACCESS_FLAG_PCI_READ_WRITE));
    CHECK_OK(doca_mmap_start(r.dst_map));
    CHECK_OK(doca_mmap_export_pci(r.dst_map, r.dev, &desc, &len));
    record_log();
    child = fork();
    if (child == 0) {
        struct doca_buf *there;

        CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, r.dev, &import));
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(r.inventory, import, rig_to, LEN, &there));
        own_copy = rig_copy(&r, r.dma, 0, LEN);
        imported_copy = rig_task(r.dma, rig_src(&r, LEN, LEN), there);
        CHECK_OK(rig_submit(imported_copy));
        rig_drain(&r);
        _exit(own_copy != imported_copy && logged.lines == 0 && r.num_ok == 2 ? 0 : 1);
    }
    PEER_REAP(child);
    CHECK_EQ(memcmp(rig_to, rig_from + LEN, LEN), 0);
    rig_close(&r);
}

/* Elements of a destination to which a task writes no bytes are not checked for overlaps. */
static void unwritten_elements_do_not_overlap(void)
{
    struct doca_dma_task_memcpy *tasks[2];
    struct doca_buf *dst;
    struct rig r;
    unsigned i;

    for (i = 0; i < 2; i++) {
        rig_open(&r, TASKS);
        dst = rig_dst(&r, 4 * LEN, LEN);
        /* the copy fits into the first element */
        CHECK_OK(doca_buf_chain_list(dst, rig_dst(&r, LEN / 2, LEN)));
        tasks[i] = rig_task(r.dma, rig_src(&r, 0, LEN), dst);
        tasks[1 - i] = rig_task(r.dma, rig_src(&r, 0, LEN), rig_dst(&r, 0, LEN));
        record_log();
        CHECK_OK(rig_submit(tasks[0]));
        CHECK_OK(rig_submit(tasks[1]));
        CHECK_EQ(logged.lines, 0);
        rig_drain(&r);
        CHECK_EQ(r.num_ok, 2);
        rig_release(tasks[0]);
        rig_release(tasks[1]);
        rig_close(&r);
    }
}

/* If submit accepted a circular list, a device that follows its links would never finish. Nor may
 * the checks of submit themselves loop. */
static void circular_list_is_refused(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src, *more, *none;
    struct rig r;

    rig_open(&r, TASKS);
    src = rig_src(&r, 0, LEN);
    more = rig_src(&r, LEN, LEN);
    CHECK_OK(doca_buf_chain_list(src, more));
    task = rig_task(r.dma, src, rig_dst(&r, 0, 4 * LEN));
    none = OBJECT(more)->next;
    OBJECT(more)->next = OBJECT(src); /* a stray write */
    record_log();
    CHECK_RC(rig_submit(task), DOCA_ERROR_UNEXPECTED);
    CHECK_EQ(logged.item, DOCA_CORE_ITEM_BUF_BROKEN);
    CHECK_RC(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)), DOCA_ERROR_UNEXPECTED);
    OBJECT(more)->next = none;
    CHECK_OK(rig_submit(task));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    rig_release(task);
    rig_close(&r);
}

static void buf_of_an_advise_task_in_flight_cannot_be_changed(void)
{
    struct doca_mmap_advise_task_invalidate_cache *task;
    struct doca_mmap_advise *advise;
    struct doca_buf *buf;
    struct doca_ctx *ctx;
    struct rig r;

    rig_open(&r, TASKS);
    CHECK_OK(doca_mmap_advise_create(r.dev, &advise));
    ctx = doca_mmap_advise_as_ctx(advise);
    CHECK_OK(doca_pe_connect_ctx(r.pe, ctx));
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_ended, advise_ended,
                                                             1));
    CHECK_OK(doca_ctx_start(ctx));
    buf = rig_dst(&r, 0, LEN);
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, buf,
                                                               (union doca_data){ 0 }, &task));
    CHECK_OK(doca_task_submit(doca_mmap_advise_task_invalidate_cache_as_doca_task(task)));
    record_log();
    CHECK_RC(doca_buf_set_data_len(buf, 1), DOCA_ERROR_IN_USE);
    CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_set_data_len, "buf allocated");
    CHECK_RC(doca_buf_dec_refcount(buf, NULL), DOCA_ERROR_IN_USE);
    CHECK_REPORT(CHECK_IN_FLIGHT, doca_buf_dec_refcount, "buf allocated");
    while (doca_pe_progress(r.pe) != 0)
        continue;
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    doca_task_free(doca_mmap_advise_task_invalidate_cache_as_doca_task(task));
    CHECK_OK(doca_ctx_stop(ctx));
    CHECK_OK(doca_mmap_advise_destroy(advise));
    rig_close(&r);
}

static void one_destination_buf_of_two_tasks_is_reported(void)
{
    struct doca_dma_task_memcpy *tasks[2];
    struct doca_buf *dst;
    struct rig r;
    unsigned i;

    rig_open(&r, TASKS);
    dst = rig_dst(&r, 0, 2 * LEN);
    CHECK_OK(doca_buf_inc_refcount(dst, NULL));
    for (i = 0; i < 2; i++)
        tasks[i] = rig_task(r.dma, rig_src(&r, 0, LEN), dst);
    record_log();
    CHECK_OK(rig_submit(tasks[0]));
    CHECK_OK(rig_submit(tasks[1]));
    CHECK_REPORT(CHECK_OVERLAP, doca_task_submit, "buf allocated");
    rig_drain(&r);
    for (i = 0; i < 2; i++)
        rig_release(tasks[i]);
    rig_close(&r);
}

/* Two PEs have tasks in flight with the same destination. The PE that submitted first is destroyed
 * while the task of the other PE is in flight. Later overlaps are still found. */
static void overlaps_are_found_after_a_pe_is_destroyed(void)
{
    struct doca_dma_task_memcpy *tasks[4];
    struct doca_pe *pe;
    struct doca_dma *dma;
    struct doca_buf *dst;
    struct rig r;
    unsigned i;

    rig_open(&r, TASKS);
    pe = r.pe;
    dma = r.dma;
    CHECK_OK(doca_pe_create(&r.pe));
    r.dma = rig_make_dma(&r, TASKS);
    r.ctx = doca_dma_as_ctx(r.dma);
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    dst = rig_dst(&r, 0, 2 * LEN);
    CHECK_OK(doca_buf_inc_refcount(dst, NULL));
    tasks[0] = rig_copy(&r, r.dma, 0, LEN);
    rig_drain(&r);
    rig_release(tasks[0]);
    tasks[0] = rig_task(r.dma, rig_src(&r, 0, LEN), dst);
    tasks[1] = rig_task(dma, rig_src(&r, 0, LEN), dst);
    record_log();
    CHECK_OK(rig_submit(tasks[0]));
    CHECK_OK(rig_submit(tasks[1]));
    CHECK_REPORT(CHECK_OVERLAP, doca_task_submit, "buf allocated");
    rig_drain(&r);
    rig_release(tasks[0]);
    rig_stop(&r, r.ctx);
    CHECK_OK(doca_dma_destroy(r.dma));
    CHECK_OK(doca_pe_destroy(r.pe));
    CHECK_OK(doca_pe_create(&r.pe));
    r.dma = rig_make_dma(&r, TASKS);
    r.ctx = doca_dma_as_ctx(r.dma);
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    tasks[2] = rig_copy(&r, r.dma, 4 * LEN, LEN);
    r.in_progress = true;
    while (doca_pe_progress(pe) != 0)
        continue;
    rig_release(tasks[1]);
    record_log();
    tasks[3] = rig_copy(&r, r.dma, 4 * LEN, LEN);
    CHECK_REPORT(CHECK_OVERLAP, doca_task_submit, "buf allocated");
    rig_drain(&r);
    for (i = 2; i < 4; i++)
        rig_release(tasks[i]);
    CHECK_OK(doca_ctx_stop(doca_dma_as_ctx(dma)));
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_pe_destroy(pe));
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(bufs_of_a_task_in_flight_cannot_be_changed, "104"),
    CASE(long_lists_of_a_task_in_flight_cannot_be_changed, "104"),
    CASE(overlapping_destinations_are_reported, ""),
    CASE(overlap_is_reported_by_the_submitting_call, ""),
    CASE(overlap_of_a_graph_task_is_reported_by_progress, ""),
    CASE(two_overlaps_of_a_list_make_one_report, ""),
    CASE(equal_addresses_in_two_processes_do_not_overlap, ""),
    CASE(unwritten_elements_do_not_overlap, ""),
    CASE(one_destination_buf_of_two_tasks_is_reported, ""),
    CASE(circular_list_is_refused, ""),
    CASE(buf_of_an_advise_task_in_flight_cannot_be_changed, ""),
    CASE(overlaps_are_found_after_a_pe_is_destroyed, ""),
};

TEST_MAIN(cases)
