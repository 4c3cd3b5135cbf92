/* Recordings (DOCA_CORE_TRACE): the events of tasks, contexts and progress engines, in memory and
 * in files, with several threads, workers, forked children and programs that are killed. */
#define DOCA_CORE_TRACE 1
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include "fixture.h"
#include "trace_events.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { BLOCKS = 64, BYTES = BLOCKS * DOCA_CORE_TRACE_BLOCK, TASKS = 20 };

static _Alignas(64) unsigned char memory[BYTES];

static void start(void)
{
    CHECK_OK(doca_core_trace_start(memory, BYTES, DOCA_CORE_TRACE_OVERWRITE));
}

static void stop(void)
{
    CHECK_OK(doca_core_trace_stop());
    read_events(memory);
}

/* ---- tasks ---- */

static void every_task_leaves_its_events_in_order(void)
{
    struct doca_dma_task_memcpy *tasks[TASKS];
    unsigned i, at;
    struct rig r;

    rig_open(&r, TASKS);
    start();
    for (i = 0; i < TASKS; i++)
        tasks[i] = rig_copy(&r, r.dma, i * 100, i + 1);
    rig_drain(&r);
    stop();
    CHECK_EQ(count(DOCA_PRIV_TRACE_SUBMIT), TASKS);
    CHECK_EQ(count(DOCA_PRIV_TRACE_BEGIN), TASKS);
    CHECK_EQ(count(DOCA_PRIV_TRACE_CALLBACK_END), TASKS);
    for (i = 0; i < TASKS; i++) {
        at = find(0, DOCA_PRIV_TRACE_SUBMIT, tasks[i]);
        CHECK_EQ(events[at].other, i + 1);
        CHECK_EQ(events[at].amount, doca_priv_trace_id(r.ctx));
        at = find(at, DOCA_PRIV_TRACE_BEGIN, tasks[i]);
        at = find(at, DOCA_PRIV_TRACE_END, tasks[i]);
        at = find(at, DOCA_PRIV_TRACE_CALLBACK, tasks[i]);
        CHECK_EQ(detail_of(&events[at]), DOCA_SUCCESS);
        find(at, DOCA_PRIV_TRACE_CALLBACK_END, tasks[i]);
        rig_release(tasks[i]);
    }
    rig_close(&r);
}

static void bytes_of_a_list_are_added_up(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src;
    struct rig r;

    rig_open(&r, 4);
    src = rig_src(&r, 0, 100);
    CHECK_OK(doca_buf_chain_list(src, rig_src(&r, 200, 30)));
    task = rig_task(r.dma, src, rig_dst(&r, 0, 200));
    start();
    CHECK_OK(rig_submit(task));
    rig_drain(&r);
    stop();
    CHECK_EQ(events[find(0, DOCA_PRIV_TRACE_SUBMIT, task)].other, 130);
    rig_release(task);
    rig_close(&r);
}

static void task_that_is_not_accepted_is_returned(void)
{
    struct doca_dma_task_memcpy *task;
    unsigned at;
    struct rig r;

    rig_open(&r, 4);
    task = rig_task(r.dma, NULL, rig_dst(&r, 0, 64));
    start();
    CHECK_RC(rig_submit(task), DOCA_ERROR_INVALID_VALUE);
    stop();
    at = find(0, DOCA_PRIV_TRACE_SUBMIT, task);
    at = find(at, DOCA_PRIV_TRACE_RETURNED, task);
    CHECK_EQ(detail_of(&events[at]), DOCA_ERROR_INVALID_VALUE);
    at = find(at, DOCA_PRIV_TRACE_REFUSAL, task);
    CHECK_EQ(detail_of(&events[at]), DOCA_ERROR_INVALID_VALUE);
    CHECK(strstr(text_at(at), "doca_task_submit: task 0x") != NULL);
    CHECK(strstr(text_at(at), "[INVALID_VALUE]") != NULL);
    CHECK_EQ(count(DOCA_PRIV_TRACE_CALLBACK), 0);
    rig_release(task);
    rig_close(&r);
}

static void failed_task_has_its_status(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;

    rig_open(&r, 4);
    task = rig_task(r.dma, rig_src(&r, 0, 100), rig_dst(&r, 0, 50));
    start();
    CHECK_OK(rig_submit(task));
    rig_drain(&r);
    stop();
    CHECK_EQ(r.num_failed, 1);
    CHECK_EQ(detail_of(&events[find(0, DOCA_PRIV_TRACE_CALLBACK, task)]), DOCA_ERROR_IO_FAILED);
    CHECK(count(DOCA_PRIV_TRACE_REFUSAL) >= 1);
    rig_release(task);
    rig_close(&r);
}

static void batch_done(struct doca_task_batch *batch, uint16_t num, union doca_data data,
                       union doca_data ctx_data)
{
    struct rig *r = ctx_data.ptr;

    (void)num;
    (void)data;
    r->num_callbacks++;
    doca_task_batch_free(batch);
}

static void batch_leaves_events_before_and_behind_those_of_its_tasks(void)
{
    const union doca_data none = { 0 };
    struct doca_dma_task_memcpy *tasks[4];
    struct doca_task_batch *batch;
    struct doca_buf *bufs[8];
    unsigned i, at, end;
    struct rig r;

    rig_build(&r, NULL, TASKS);
    CHECK_OK(doca_core_ctx_set_task_batch_conf(r.ctx, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 1,
                                               batch_done, batch_done));
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    CHECK_OK(doca_core_task_batch_alloc_init(r.ctx, none, &batch));
    for (i = 0; i < 4; i++) {
        bufs[2 * i] = rig_src(&r, i * 100, 100);
        bufs[2 * i + 1] = rig_dst(&r, i * 100, i == 2 ? 50 : 100);
        tasks[i] = rig_task(r.dma, bufs[2 * i], bufs[2 * i + 1]);
        CHECK_OK(doca_core_task_batch_add(batch, doca_dma_task_memcpy_as_task(tasks[i])));
    }
    start();
    CHECK_OK(doca_task_batch_submit(batch));
    rig_drain(&r);
    stop();
    CHECK_EQ(count(DOCA_PRIV_TRACE_BATCH), 1);
    CHECK_EQ(count(DOCA_PRIV_TRACE_BATCH_END), 1);
    at = find(0, DOCA_PRIV_TRACE_BATCH, batch);
    CHECK_EQ(events[at].other, 4);
    CHECK_EQ(events[at].amount, doca_priv_trace_id(r.ctx));
    end = find(at, DOCA_PRIV_TRACE_BATCH_END, batch);
    CHECK_EQ(detail_of(&events[end]), DOCA_ERROR_IO_FAILED);
    for (i = 0; i < 4; i++) {
        CHECK(find(0, DOCA_PRIV_TRACE_SUBMIT, tasks[i]) > at);
        CHECK(find(0, DOCA_PRIV_TRACE_CALLBACK, tasks[i]) < end);
        CHECK_OK(doca_buf_dec_refcount(bufs[2 * i], NULL));
        CHECK_OK(doca_buf_dec_refcount(bufs[2 * i + 1], NULL));
    }
    rig_close(&r);
}

/* ---- graphs ---- */

static unsigned num_runs;
static doca_error_t node_answer;

static void run_done(struct doca_graph_instance *run, union doca_data data, union doca_data graph)
{
    struct rig *r = graph.ptr;

    (void)run;
    (void)data;
    num_runs++;
    r->num_callbacks++;
}

static doca_error_t user_node(void *cookie)
{
    (void)cookie;
    return node_answer;
}

/* Check that the next events of nodes begin and end one of this kind, which ends with `status`. */
static unsigned check_node(unsigned at, unsigned type, doca_error_t status, const void *run)
{
    while (at < num_events && kind_of(&events[at]) != DOCA_PRIV_TRACE_NODE)
        at++;
    CHECK(at < num_events);
    CHECK_EQ(events[at].what >> 8 & 0xff, type);
    CHECK_EQ(events[at].other, (uintptr_t)run);
    at = find(at, DOCA_PRIV_TRACE_NODE_END, (const void *)(size_t)events[at].object);
    CHECK_EQ(events[at].what >> 8 & 0xff, type);
    CHECK_EQ(detail_of(&events[at]), status);
    return at;
}

/* A copy, then a function of the program; in the second run that function fails. */
static void nodes_of_a_graph_leave_events(void)
{
    struct doca_graph_node *copy, *after = NULL;
    struct doca_dma_task_memcpy *task;
    struct doca_graph_instance *run;
    struct doca_graph *graph;
    unsigned i, at = 0;
    struct rig r;

    rig_open(&r, 4);
    CHECK_OK(doca_graph_create(r.pe, &graph));
    CHECK_OK(doca_graph_set_conf(graph, run_done, run_done, 1));
    CHECK_OK(doca_graph_set_user_data(graph, (union doca_data){ .ptr = &r }));
    CHECK_OK(doca_graph_node_create_from_ctx(graph, r.ctx, &copy));
    CHECK_OK(doca_graph_node_create_from_user(graph, user_node, &after));
    CHECK_OK(doca_graph_add_dependency(graph, copy, after));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_instance_create(graph, &run));
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_OK(doca_graph_instance_set_ctx_node_data(run, copy, doca_dma_task_memcpy_as_task(task)));
    CHECK_OK(doca_graph_instance_set_user_node_data(run, after, &num_runs));
    start();
    for (i = 0, num_runs = 0; i < 2; i++) {
        node_answer = i == 0 ? DOCA_SUCCESS : DOCA_ERROR_UNEXPECTED;
        CHECK_OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(task)));
        CHECK_OK(doca_graph_instance_submit(run));
        while (num_runs == i)
            (void)rig_progress(&r);
    }
    stop();
    CHECK_EQ(count(DOCA_PRIV_TRACE_NODE), 4);
    CHECK_EQ(count(DOCA_PRIV_TRACE_NODE_END), 4);
    for (i = 0; i < 2; i++) {
        at = find(at, DOCA_PRIV_TRACE_RUN, run);
        CHECK_EQ(events[at].amount, doca_priv_trace_id(graph));
        at = check_node(at, DOCA_PRIV_NODE_CTX, DOCA_SUCCESS, run);
        node_answer = i == 0 ? DOCA_SUCCESS : DOCA_ERROR_UNEXPECTED;
        at = check_node(at, DOCA_PRIV_NODE_USER, node_answer, run);
        at = find(at, DOCA_PRIV_TRACE_RUN_END, run);
        CHECK_EQ(detail_of(&events[at]), node_answer);
    }
    CHECK_OK(doca_graph_instance_destroy(run));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    rig_release(task);
    rig_close(&r);
}

static enum { NODE_JUMPS, NODE_PROGRESSES } way;
static jmp_buf way_out;
static struct rig *node_rig;

/* Leave by longjmp(), or call progress. */
static doca_error_t strange_node(void *cookie)
{
    (void)cookie;
    if (way == NODE_JUMPS)
        longjmp(way_out, 1);
    (void)doca_pe_progress(node_rig->pe);
    return DOCA_SUCCESS;
}

/* Run the instance until it ends. The callback of its end counts it. */
static void run_to_the_end(struct doca_graph_instance *run)
{
    const unsigned num = num_runs;

    CHECK_OK(doca_graph_instance_submit(run));
    (void)setjmp(way_out);
    while (num_runs == num)
        (void)doca_pe_progress(node_rig->pe);
}

/* A user node that does not return as usual begins and ends once in each run. */
static void node_that_does_not_return_leaves_its_end(void)
{
    struct doca_graph_node *copy, *after = NULL;
    struct doca_dma_task_memcpy *task;
    struct doca_graph_instance *run;
    struct doca_graph *graph;
    unsigned i, at;
    struct rig r;

    rig_open(&r, 4);
    node_rig = &r;
    CHECK_OK(doca_graph_create(r.pe, &graph));
    CHECK_OK(doca_graph_set_conf(graph, run_done, run_done, 1));
    CHECK_OK(doca_graph_set_user_data(graph, (union doca_data){ .ptr = &r }));
    CHECK_OK(doca_graph_node_create_from_ctx(graph, r.ctx, &copy));
    CHECK_OK(doca_graph_node_create_from_user(graph, strange_node, &after));
    CHECK_OK(doca_graph_add_dependency(graph, copy, after));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_instance_create(graph, &run));
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_OK(doca_graph_instance_set_ctx_node_data(run, copy, doca_dma_task_memcpy_as_task(task)));
    CHECK_OK(doca_graph_instance_set_user_node_data(run, after, &num_runs));
    r.in_progress = true; /* rig_progress() permits neither longjmp() nor nesting */
    for (way = NODE_JUMPS; way <= NODE_PROGRESSES; way++) {
        start();
        for (i = 0; i < 2; i++) {
            CHECK_OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(task)));
            run_to_the_end(run);
        }
        stop();
        CHECK_EQ(count(DOCA_PRIV_TRACE_NODE), 4);
        CHECK_EQ(count(DOCA_PRIV_TRACE_NODE_END), 4);
        for (i = 0, at = 0; i < 2; i++) {
            at = check_node(at, DOCA_PRIV_NODE_CTX, DOCA_SUCCESS, run);
            at = check_node(at, DOCA_PRIV_NODE_USER, DOCA_ERROR_UNEXPECTED, run);
            at = find(at, DOCA_PRIV_TRACE_RUN_END, run);
        }
    }
    r.in_progress = false;
    CHECK_OK(doca_graph_instance_destroy(run));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    rig_release(task);
    rig_close(&r);
}

/* While a user node calls progress, the copy of another node fails, and with it the instance. */
static void node_whose_instance_fails_meanwhile_leaves_its_end(void)
{
    struct doca_graph_node *copy, *beside = NULL;
    struct doca_dma_task_memcpy *task;
    struct doca_graph_instance *run;
    struct doca_graph *graph;
    unsigned at;
    struct rig r;

    CHECK_OK(doca_core_fault_set("dma.complete=fail,log=0"));
    rig_open(&r, 4);
    node_rig = &r;
    CHECK_OK(doca_graph_create(r.pe, &graph));
    CHECK_OK(doca_graph_set_conf(graph, run_done, run_done, 1));
    CHECK_OK(doca_graph_set_user_data(graph, (union doca_data){ .ptr = &r }));
    CHECK_OK(doca_graph_node_create_from_user(graph, strange_node, &beside));
    CHECK_OK(doca_graph_node_create_from_ctx(graph, r.ctx, &copy));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_instance_create(graph, &run));
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_OK(doca_graph_instance_set_ctx_node_data(run, copy, doca_dma_task_memcpy_as_task(task)));
    CHECK_OK(doca_graph_instance_set_user_node_data(run, beside, &num_runs));
    r.in_progress = true;
    way = NODE_PROGRESSES;
    start();
    run_to_the_end(run);
    stop();
    r.in_progress = false;
    CHECK_EQ(count(DOCA_PRIV_TRACE_NODE), 2);
    CHECK_EQ(count(DOCA_PRIV_TRACE_NODE_END), 2);
    for (at = 0; (events[at].what & 0xffff) != (DOCA_PRIV_TRACE_NODE | DOCA_PRIV_NODE_USER << 8);
         at++)
        CHECK(at < num_events);
    at = find(at, DOCA_PRIV_TRACE_NODE_END, (const void *)(size_t)events[at].object);
    CHECK_EQ(detail_of(&events[at]), DOCA_ERROR_IO_FAILED);
    CHECK_OK(doca_graph_instance_destroy(run));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    CHECK_OK(doca_core_fault_set(NULL));
    rig_release(task);
    rig_close(&r);
}

static void sub_graph_leaves_events_around_its_nodes(void)
{
    struct doca_graph_instance *run, *inner;
    struct doca_graph_node *sub, *node;
    struct doca_graph *graph, *part;
    struct doca_dma_task_memcpy *task;
    unsigned begin, at;
    struct rig r;

    rig_open(&r, 4);
    CHECK_OK(doca_graph_create(r.pe, &part));
    CHECK_OK(doca_graph_set_conf(part, run_done, run_done, 1));
    CHECK_OK(doca_graph_node_create_from_ctx(part, r.ctx, &node));
    CHECK_OK(doca_graph_start(part));
    CHECK_OK(doca_graph_create(r.pe, &graph));
    CHECK_OK(doca_graph_set_conf(graph, run_done, run_done, 1));
    CHECK_OK(doca_graph_set_user_data(graph, (union doca_data){ .ptr = &r }));
    CHECK_OK(doca_graph_node_create_from_graph(graph, part, &sub));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_instance_create(part, &inner));
    CHECK_OK(doca_graph_instance_create(graph, &run));
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_OK(
        doca_graph_instance_set_ctx_node_data(inner, node, doca_dma_task_memcpy_as_task(task)));
    CHECK_OK(doca_graph_instance_set_sub_graph_node_data(run, sub, inner));
    start();
    num_runs = 0;
    CHECK_OK(doca_graph_instance_submit(run));
    while (num_runs == 0)
        (void)rig_progress(&r);
    stop();
    CHECK_EQ(count(DOCA_PRIV_TRACE_RUN), 1);
    begin = find(0, DOCA_PRIV_TRACE_RUN, run);
    at = check_node(begin, DOCA_PRIV_NODE_GRAPH, DOCA_SUCCESS, run);
    CHECK(check_node(begin + 2, DOCA_PRIV_NODE_CTX, DOCA_SUCCESS, inner) < at);
    CHECK_OK(doca_graph_instance_destroy(run));
    CHECK_OK(doca_graph_instance_destroy(inner));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    CHECK_OK(doca_graph_stop(part));
    CHECK_OK(doca_graph_destroy(part));
    rig_release(task);
    rig_close(&r);
}

/* ---- contexts and memory ---- */

static void device_of_a_backend_leaves_its_events(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;

    rig_open(&r, 4);
    task = rig_prepare(&r, r.dma, 0, 64);
    start();
    doca_core_backend_trace_doorbell(&r, 3);
    doca_core_backend_trace_end(doca_dma_task_memcpy_as_task(task));
    stop();
    CHECK_EQ(events[find(0, DOCA_PRIV_TRACE_DOORBELL, &r)].amount, 3);
    find(0, DOCA_PRIV_TRACE_END, task);
    rig_release(task);
    rig_close(&r);
}

static void contexts_and_notifications_leave_events(void)
{
    static const unsigned wanted[] = { DOCA_CTX_STATE_STARTING, DOCA_CTX_STATE_RUNNING,
                                       DOCA_CTX_STATE_STOPPING, DOCA_CTX_STATE_IDLE };
    struct doca_dma_task_memcpy *task;
    doca_notification_handle_t handle;
    unsigned i, at = 0, num = 0;
    struct rig r;

    rig_open(&r, 4);
    CHECK_OK(doca_pe_get_notification_handle(r.pe, &handle));
    rig_stop(&r, r.ctx);
    start();
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_OK(rig_submit(task));
    CHECK_OK(doca_pe_clear_notification(r.pe, handle));
    rig_drain(&r);
    rig_release(task);
    rig_stop(&r, r.ctx);
    stop();
    for (i = 0; i < num_events; i++)
        if (kind_of(&events[i]) == DOCA_PRIV_TRACE_STATE) {
            CHECK_EQ(events[i].object, (uintptr_t)r.ctx);
            CHECK_EQ(events[i].what >> 8 & 0xff, DOCA_PRIV_KIND_DMA);
            CHECK_EQ(events[i].amount, doca_priv_trace_id(r.pe));
            while (num < 4 && wanted[num] != detail_of(&events[i]))
                num++; /* the software device needs neither STARTING nor STOPPING */
            CHECK(num < 4);
        }
    CHECK_EQ(num, 3);
    at = find(at, DOCA_PRIV_TRACE_ARM, r.pe);
    at = find(at, DOCA_PRIV_TRACE_WAKE, r.pe);
    find(at, DOCA_PRIV_TRACE_CLEAR, r.pe);
    rig_close(&r);
}

static void export_and_import_have_a_number_in_common(void)
{
    struct doca_mmap *import[2];
    const void *desc[2];
    unsigned at, i;
    struct rig r;
    size_t len[2];

    rig_open(&r, 4);
    start();
    for (i = 0; i < 2; i++) {
        struct doca_mmap *map = i == 0 ? r.src_map : r.dst_map;

        CHECK_OK(doca_mmap_stop(map));
        CHECK_OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
        CHECK_OK(doca_mmap_start(map));
        CHECK_OK(doca_mmap_export_pci(map, r.dev, &desc[i], &len[i]));
        CHECK_OK(doca_mmap_create_from_export(NULL, desc[i], len[i], r.dev, &import[i]));
    }
    stop();
    for (i = 0; i < 2; i++) {
        at = find(0, DOCA_PRIV_TRACE_EXPORT, i == 0 ? r.src_map : r.dst_map);
        CHECK_EQ(events[find(at, DOCA_PRIV_TRACE_IMPORT, import[i])].other, events[at].other);
        CHECK_OK(doca_mmap_destroy(import[i]));
    }
    CHECK(events[find(0, DOCA_PRIV_TRACE_IMPORT, import[0])].other !=
          events[find(0, DOCA_PRIV_TRACE_IMPORT, import[1])].other);
    rig_close(&r);
}

static void marks_have_their_text(void)
{
    char text[300];
    unsigned at;

    memset(text, 'x', sizeof(text));
    text[299] = '\0';
    doca_core_trace_mark("before");
    start();
    doca_core_trace_mark("the first picture is complete");
    doca_core_trace_mark("");
    doca_core_trace_mark(NULL);
    doca_core_trace_mark(text);
    stop();
    CHECK_EQ(count(DOCA_PRIV_TRACE_MARK), 3);
    at = find(0, DOCA_PRIV_TRACE_MARK, NULL);
    CHECK_STR(text_at(at), "the first picture is complete");
    at = find(at + 1, DOCA_PRIV_TRACE_MARK, NULL);
    CHECK_STR(text_at(at), "");
    at = find(at + 1, DOCA_PRIV_TRACE_MARK, NULL);
    CHECK_EQ(strlen(text_at(at)), 120);
}

/* ---- start and stop ---- */

static void arguments_are_checked(void)
{
    const enum doca_core_trace_mode mode = DOCA_CORE_TRACE_OVERWRITE;
    char missing[] = "/nonexistent/file", folder[] = "/tmp";

    CHECK_RC(doca_core_trace_start(NULL, BYTES, mode), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_trace_start(memory + 8, BYTES - 64, mode), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_trace_start(memory, DOCA_CORE_TRACE_MIN_BYTES - 1, mode),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_trace_start(memory, BYTES, (enum doca_core_trace_mode)2),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_trace_start_file(NULL, BYTES, mode), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_trace_start_file(missing, BYTES, mode), DOCA_ERROR_OPERATING_SYSTEM);
    CHECK(strstr(doca_core_last_error(), "ENOENT") != NULL);
    CHECK_RC(doca_core_trace_start_file(folder, BYTES, mode), DOCA_ERROR_OPERATING_SYSTEM);
    CHECK_RC(doca_core_trace_stop(), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_core_trace_start(memory, DOCA_CORE_TRACE_MIN_BYTES, mode));
    CHECK_RC(doca_core_trace_start(memory, BYTES, mode), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_core_trace_start_file("/tmp/x", BYTES, mode), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_core_trace_stop());
    CHECK_RC(doca_core_trace_stop(), DOCA_ERROR_BAD_STATE);
}

static void copy_some(struct rig *r, unsigned num)
{
    unsigned i;

    for (i = 0; i < num; i++) {
        (void)rig_copy(r, r->dma, i % TASKS * 100, 64);
        rig_drain(r);
    }
}

static void nothing_is_written_without_a_recording(void)
{
    static unsigned char copy[BYTES];
    struct rig r;

    rig_open(&r, 4);
    r.frees_tasks = true;
    memset(memory, 0x5a, sizeof(memory));
    memcpy(copy, memory, sizeof(copy));
    copy_some(&r, 3);
    CHECK_MEM(memory, copy, sizeof(copy));
    start();
    copy_some(&r, 3);
    stop();
    memcpy(copy, memory, sizeof(copy));
    copy_some(&r, 3);
    CHECK_MEM(memory, copy, sizeof(copy));
    rig_close(&r);
}

/* Both moments of the head and the events are on one time line. */
static void clocks_agree(void)
{
    const struct doca_priv_trace_head *head = (const void *)memory;
    double per_ns, ns;
    struct rig r;

    rig_open(&r, 4);
    r.frees_tasks = true;
    start();
    copy_some(&r, 2);
    usleep(20000);
    copy_some(&r, 2);
    stop();
    per_ns = (double)(head->second_ticks - head->first_ticks) /
             (double)(head->second_ns - head->first_ns);
    ns = (double)(head->last_ticks - head->first_ticks) / per_ns;
    CHECK(ns > 0.9 * (double)(head->last_ns - head->first_ns));
    CHECK(ns < 1.1 * (double)(head->last_ns - head->first_ns));
    CHECK(events[0].ticks >= head->first_ticks);
    CHECK(events[num_events - 1].ticks <= head->last_ticks);
    CHECK((double)(events[num_events - 1].ticks - events[0].ticks) / per_ns > 20e6);
    rig_close(&r);
}

/* ---- a full recording ---- */

static void overwritten_recording_has_the_latest_events(void)
{
    struct doca_dma_task_memcpy *last;
    struct rig r;

    rig_open(&r, 4);
    r.frees_tasks = true;
    start();
    doca_core_trace_mark("first");
    copy_some(&r, 8000); /* 40,000 events; there is room for 7,938 */
    r.frees_tasks = false;
    last = rig_copy(&r, r.dma, 0, 64);
    rig_drain(&r);
    stop();
    CHECK_EQ(count(DOCA_PRIV_TRACE_MARK), 0);
    CHECK(num_events > (BLOCKS - 3) * 126);
    find(num_events - 4, DOCA_PRIV_TRACE_CALLBACK, last);
    rig_release(last);
    rig_close(&r);
}

static void kept_recording_has_the_first_events(void)
{
    const struct doca_priv_trace_head *head = (const void *)memory;
    struct rig r;

    rig_open(&r, 4);
    r.frees_tasks = true;
    CHECK_OK(doca_core_trace_start(memory, BYTES, DOCA_CORE_TRACE_KEEP));
    doca_core_trace_mark("first");
    copy_some(&r, 8000);
    stop();
    CHECK_EQ(kind_of(&events[0]), DOCA_PRIV_TRACE_MARK);
    CHECK_EQ(num_events, (BLOCKS - 1) * 126);
    CHECK(head->num_taken - head->num_blocks > 30000); /* dropped events */
    rig_close(&r);
}

/* ---- threads ---- */

enum { THREADS = 4, MARKS = 700 };

static void *mark_often(void *arg)
{
    char text[20];
    unsigned i;

    for (i = 0; i < MARKS; i++) {
        snprintf(text, sizeof(text), "%u %u", (unsigned)(size_t)arg, i);
        doca_core_trace_mark(text);
    }
    return NULL;
}

static pthread_t run_thread(void *(*function)(void *), void *arg)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    pthread_t thread;

    CHECK_EQ(pthread_create(&thread, NULL, function, arg), 0);
    heap_trap_set(mode);
    return thread;
}

static void mark_in_threads(void)
{
    pthread_t threads[THREADS];
    size_t i;

    for (i = 0; i < THREADS; i++)
        threads[i] = run_thread(mark_often, (void *)i);
    for (i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
}

static void each_thread_has_blocks_of_its_own(void)
{
    uint32_t tid[THREADS] = { 0 };
    unsigned i, thread, number, next[THREADS] = { 0 };

    start();
    mark_in_threads();
    stop();
    CHECK_EQ(count(DOCA_PRIV_TRACE_MARK), THREADS * MARKS); /* they fill 46 of 63 blocks */
    for (i = 0; i < num_events; i++) {
        if (kind_of(&events[i]) != DOCA_PRIV_TRACE_MARK)
            continue;
        CHECK_EQ(sscanf((const char *)&events[i + 1].object, "%u %u", &thread, &number), 2);
        CHECK(thread < THREADS);
        CHECK_EQ(number, next[thread]);
        next[thread]++;
        CHECK(tid[thread] == 0 || tid[thread] == thread_of[i]);
        tid[thread] = thread_of[i];
    }
}

static void threads_may_overwrite_each_others_blocks(void)
{
    unsigned round;

    for (round = 0; round < 20; round++) {
        CHECK_OK(
            doca_core_trace_start(memory, DOCA_CORE_TRACE_MIN_BYTES, DOCA_CORE_TRACE_OVERWRITE));
        mark_in_threads();
        CHECK_OK(doca_core_trace_stop());
        CHECK(((const struct doca_priv_trace_head *)(const void *)memory)->num_taken >= 44);
    }
}

static void *step_worker(void *worker)
{
    while (doca_core_sw_worker_step(worker, 1) == 0)
        continue;
    return NULL;
}

static void task_of_a_worker_is_executed_on_its_thread(void)
{
    struct doca_core_sw_worker *worker;
    struct doca_dma_task_memcpy *task;
    unsigned at, began;
    uint64_t box;
    struct rig r;

    rig_open(&r, 4);
    rig_stop(&r, r.ctx);
    CHECK_OK(doca_core_sw_worker_create(r.dev, &worker));
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    CHECK_EQ(doca_core_sw_worker_step(worker, 0), 0); /* from here on the worker serves */
    start();
    task = rig_copy(&r, r.dma, 0, 64);
    CHECK_EQ(pthread_join(run_thread(step_worker, worker), NULL), 0);
    while (r.num_ok == 0)
        (void)rig_progress(&r);
    stop();
    at = find(0, DOCA_PRIV_TRACE_ASSIGN, task);
    box = events[at].other;
    began = find(0, DOCA_PRIV_TRACE_BEGIN, (const void *)(size_t)box);
    CHECK(thread_of[began] != thread_of[at]);
    find(began, DOCA_PRIV_TRACE_END, (const void *)(size_t)box);
    find(at, DOCA_PRIV_TRACE_CALLBACK, task);
    rig_release(task);
    rig_stop(&r, r.ctx);
    CHECK_OK(doca_core_sw_worker_destroy(worker));
    rig_close(&r);
}

/* ---- files and processes ---- */

static char path[64];

static const void *map_file(void)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    const void *map = mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE, fd, 0);

    CHECK(fd >= 0 && map != MAP_FAILED);
    close(fd);
    return map;
}

static void new_path(void)
{
    snprintf(path, sizeof(path), "/tmp/doca_trace_%d", (int)getpid());
}

static void die_in_the_callback(struct rig *r, struct doca_dma_task_memcpy *task)
{
    (void)r;
    (void)task;
    raise(SIGKILL);
}

static void recording_of_a_killed_program_is_complete(void)
{
    const struct doca_priv_trace_head *head;
    unsigned at;
    pid_t pid;

    new_path();
    pid = test_peer();
    if (pid == 0) {
        struct rig r;

        CHECK_OK(doca_core_trace_start_file(path, BYTES, DOCA_CORE_TRACE_OVERWRITE));
        rig_open(&r, 4);
        r.frees_tasks = true;
        copy_some(&r, 5);
        r.on_task = die_in_the_callback;
        copy_some(&r, 1);
        _exit(0);
    }
    peer_forget(pid);
    CHECK_EQ(waitpid(pid, NULL, 0), pid);
    head = map_file();
    read_events(head);
    CHECK_EQ(head->process, pid);
    CHECK_EQ(head->last_ns, 0);
    CHECK_EQ(count(DOCA_PRIV_TRACE_CALLBACK), 6);
    CHECK_EQ(count(DOCA_PRIV_TRACE_CALLBACK_END), 5);
    at = num_events - 1;
    CHECK_EQ(kind_of(&events[at]), DOCA_PRIV_TRACE_CALLBACK);
    CHECK_EQ(munmap((void *)(size_t)head, BYTES), 0);
    CHECK_EQ(unlink(path), 0);
}

static void forked_child_does_not_record_into_the_memory_of_its_parent(void)
{
    const void *map;
    unsigned i;
    pid_t pid;

    new_path();
    CHECK_OK(doca_core_trace_start_file(path, BYTES, DOCA_CORE_TRACE_OVERWRITE));
    doca_core_trace_mark("parent");
    pid = test_peer();
    if (pid == 0) {
        for (i = 0; i < 4; i++)
            doca_core_trace_mark("child");
        CHECK_RC(doca_core_trace_stop(), DOCA_ERROR_BAD_STATE);
        start();
        doca_core_trace_mark("child's own");
        stop();
        CHECK_EQ(count(DOCA_PRIV_TRACE_MARK), 1);
        _exit(0);
    }
    PEER_REAP(pid);
    doca_core_trace_mark("parent again");
    CHECK_OK(doca_core_trace_stop());
    map = map_file();
    read_events(map);
    CHECK_EQ(count(DOCA_PRIV_TRACE_MARK), 2);
    CHECK_STR(text_at(0), "parent");
    CHECK_STR(text_at(2), "parent again");
    CHECK_EQ(munmap((void *)(size_t)map, BYTES), 0);
    CHECK_EQ(unlink(path), 0);
}

static void copy_with_a_new_list(unsigned num)
{
    struct rig r;

    rig_open(&r, 4);
    r.frees_tasks = true;
    copy_some(&r, num);
    rig_close(&r);
}

/* Check that the recording of the process has this number of callbacks, and remove it. */
static void check_recording_of(pid_t pid, unsigned num)
{
    const void *map;

    snprintf(path, sizeof(path), "/tmp/doca_trace_%d", (int)pid);
    map = map_file();
    read_events(map);
    CHECK_EQ(count(DOCA_PRIV_TRACE_CALLBACK), num);
    CHECK_EQ(munmap((void *)(size_t)map, BYTES), 0);
    CHECK_EQ(unlink(path), 0);
}

static void environment_starts_a_recording_of_each_process(void)
{
    pid_t pid, child;

    (void)heap_trap_set(HEAP_TRAP_OFF);
    CHECK_EQ(setenv("DOCA_CORE_TRACE_FILE", "/tmp/doca_trace_%p", 1), 0);
    CHECK_EQ(setenv("DOCA_CORE_TRACE_BYTES", "262144", 1), 0);
    pid = test_peer();
    if (pid == 0) {
        doca_priv_traces.reader = 0; /* as in a program that has just begun */
        copy_with_a_new_list(3);
        child = fork();
        if (child == 0) {
            copy_with_a_new_list(7);
            _exit(0);
        }
        CHECK_EQ(waitpid(child, NULL, 0), child);
        check_recording_of(child, 7);
        _exit(0);
    }
    PEER_REAP(pid);
    CHECK_EQ(unsetenv("DOCA_CORE_TRACE_FILE"), 0);
    CHECK_EQ(unsetenv("DOCA_CORE_TRACE_BYTES"), 0);
    check_recording_of(pid, 3);
}

static const struct test_case cases[] = {
    CASE(every_task_leaves_its_events_in_order, ""),
    CASE(bytes_of_a_list_are_added_up, ""),
    CASE(task_that_is_not_accepted_is_returned, ""),
    CASE(failed_task_has_its_status, ""),
    CASE(batch_leaves_events_before_and_behind_those_of_its_tasks, ""),
    CASE(nodes_of_a_graph_leave_events, ""),
    CASE(node_that_does_not_return_leaves_its_end, ""),
    CASE(node_whose_instance_fails_meanwhile_leaves_its_end, ""),
    CASE(sub_graph_leaves_events_around_its_nodes, ""),
    CASE(device_of_a_backend_leaves_its_events, ""),
    CASE(contexts_and_notifications_leave_events, ""),
    CASE(export_and_import_have_a_number_in_common, ""),
    CASE(marks_have_their_text, ""),
    CASE(arguments_are_checked, ""),
    CASE(nothing_is_written_without_a_recording, ""),
    CASE(clocks_agree, ""),
    CASE(overwritten_recording_has_the_latest_events, ""),
    CASE(kept_recording_has_the_first_events, ""),
    CASE(each_thread_has_blocks_of_its_own, ""),
    CASE(threads_may_overwrite_each_others_blocks, ""),
    CASE(task_of_a_worker_is_executed_on_its_thread, ""),
    CASE(recording_of_a_killed_program_is_complete, ""),
    CASE(forked_child_does_not_record_into_the_memory_of_its_parent, ""),
    CASE(environment_starts_a_recording_of_each_process, ""),
};

TEST_MAIN(cases)
