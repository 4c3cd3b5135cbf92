/* Recordings of DOCA RDMA on RDMA devices, through rings and through the calls of libibverbs: when
 * the engine of a task begins and ends. */
#define DOCA_CORE_API 30000 /* the forms with a connection argument */
#define DOCA_CORE_TRACE 1
#include "rdma_impl_mlx5.c"

#include "rdma_leave.h"
#include "trace_events.h"

enum { BLOCKS = 64, BYTES = 4096, PART = 1000, MESSAGES = 3 };

static _Alignas(64) unsigned char recording[BLOCKS * DOCA_CORE_TRACE_BLOCK];
static _Alignas(64) unsigned char source[BYTES], sink[BYTES];

/* Two messages and a write with an immediate value; all receive tasks are posted before. */
static void every_task_begins_and_ends_before_its_callback(void)
{
    struct rdma_end a, b;
    unsigned i, at, begin;

    rdma_open(&a, source, BYTES);
    rdma_open(&b, sink, BYTES);
    rdma_lend(&b, &a);
    rdma_join(&a, &b);
    RDMA_UNTIL(a.num_established == 1 && b.num_established == 1);
    CHECK_OK(doca_core_trace_start(recording, sizeof(recording), DOCA_CORE_TRACE_KEEP));
    for (i = 0; i < MESSAGES; i++)
        rdma_post(&b, (size_t)i * PART, PART, i);
    CHECK_OK(rdma_submit(rdma_send(&a, rdma_buf(&a, 0, PART), 1)));
    CHECK_OK(rdma_submit(rdma_send_imm(&a, rdma_buf(&a, 0, PART), 2, 2)));
    CHECK_OK(rdma_submit(
        rdma_write_imm(&a, rdma_buf(&a, 0, PART), rdma_far_room(&a, BYTES - PART, PART), 3, 3)));
    RDMA_UNTIL(a.num_done == MESSAGES && b.num_done == MESSAGES);
    CHECK_OK(doca_core_trace_stop());
    read_events(recording);
    CHECK_EQ(check_tasks(a.ctx), MESSAGES);
    CHECK_EQ(check_tasks(b.ctx), MESSAGES);
    CHECK_EQ(count(DOCA_PRIV_TRACE_BEGIN), 2 * MESSAGES);
    CHECK_EQ(count(DOCA_PRIV_TRACE_END), 2 * MESSAGES);
    /* a receive task does not begin while it waits for its message: the senders begin first */
    for (at = 0; events[at].amount != doca_priv_trace_id(b.ctx); at++)
        CHECK(at < num_events);
    CHECK_EQ(kind_of(&events[at]), DOCA_PRIV_TRACE_SUBMIT);
    begin = find(at, DOCA_PRIV_TRACE_BEGIN, (const void *)(size_t)events[at].object);
    while (events[at].amount != doca_priv_trace_id(a.ctx))
        CHECK(++at < begin);
    rdma_close_both(&a, &b);
}

static void callback_that_leaves_has_its_end(void)
{
    struct rdma_end a, b;
    unsigned num;

    rdma_open(&a, source, BYTES);
    rdma_open(&b, sink, BYTES);
    CHECK_OK(doca_core_trace_start(recording, sizeof(recording), DOCA_CORE_TRACE_KEEP));
    num = rdma_run_and_leave(&a, &b, MESSAGES, PART);
    CHECK_OK(doca_core_trace_stop());
    read_events(recording);
    CHECK_EQ(check_callbacks(), num);
    rdma_close_both(&a, &b);
}

static const struct test_case cases[] = {
    CASE(every_task_begins_and_ends_before_its_callback, ""),
    CASE(callback_that_leaves_has_its_end, ""),
};

TEST_MAIN(cases)
