/* How requests end: retries, receivers that are not ready, flushing, shared receive queues,
 * events. */
#include "rig.h"

#include <poll.h>
#include <sys/mman.h>

enum { LEN = 8192 };

struct fixture {
    struct rig rig;
    uint8_t *mem;
    struct ibv_mr *mr;
};

static struct fixture setup(void)
{
    struct fixture f = { .rig = rig_open(0), .mem = rig_memory(LEN) };

    f.mr = ibv_reg_mr(f.rig.pd, f.mem, LEN, RIG_ALL_ACCESS);
    CHECK(f.mr);
    rig_fill(f.mem, LEN, 7);
    return f;
}

static void teardown(struct fixture *f)
{
    CHECK_EQ(ibv_dereg_mr(f->mr), 0);
    rig_close(&f->rig);
    free(f->mem);
}

static struct rig_side side(const struct fixture *f, size_t offset, uint32_t len)
{
    return (struct rig_side){ f->mem + offset, len, f->mr->lkey };
}

/* ---- the peer is missing or not ready ------------------------------------------------------- */

static void a_missing_peer_exhausts_the_retries(void)
{
    struct fixture f = setup();
    const struct rig_qp_options options = { .timeout = 12, .retry = 2 }; /* 3 times 16.8 ms */
    struct ibv_qp *qp = rig_qp(&f.rig, &options);
    double begun, took;

    rig_connect(qp, 0xabcde, &options);
    begun = rig_seconds();
    CHECK_EQ(rig_do(&f.rig, qp, IBV_WR_RDMA_WRITE, side(&f, 0, 8), (uintptr_t)f.mem + 64,
                    f.mr->rkey), IBV_WC_RETRY_EXC_ERR);
    took = rig_seconds() - begun;
    CHECK(took > 0.045 && took < RIG_PATIENCE);
    CHECK_EQ(rig_state(qp), IBV_QPS_ERR);
    ibv_destroy_qp(qp);
    teardown(&f);
}

struct invitation {
    uint32_t qpn, key;
    uint64_t addr;
};

/* The peer: connect a queue pair, and wait to be killed. */
static void peer_process(int to, int from, const struct rig_qp_options *options)
{
    struct fixture f = setup();
    struct ibv_qp *qp = rig_qp(&f.rig, options);
    const struct invitation own = { qp->qp_num, f.mr->rkey, (uintptr_t)f.mem };
    uint32_t qpn;

    CHECK_EQ(write(to, &own, sizeof(own)), sizeof(own));
    CHECK_EQ(read(from, &qpn, sizeof(qpn)), sizeof(qpn));
    rig_connect(qp, qpn, options);
    CHECK_EQ(write(to, &qpn, sizeof(qpn)), sizeof(qpn));
    CHECK_EQ(read(from, &qpn, sizeof(qpn)), 0);
}

/* Keep the connections of a process open after its end: all its descriptors below 64. */
static void keep_open(pid_t process, int kept[64])
{
    int fd, pidfd = (int)sys_call(SYS_pidfd_open, process, 0, 0, 0, 0, 0);

    CHECK(pidfd >= 0);
    for (fd = 0; fd < 64; fd++)
        kept[fd] = (int)sys_call(SYS_pidfd_getfd, pidfd, fd, 0, 0, 0, 0);
    close(pidfd);
}

/* The kernel frees the memory of a killed process before it closes the connection of the process to
 * the device. On a card, the queue pair of the process is destroyed in one step, and does not
 * answer. */
static void a_killed_peer_does_not_refuse_what_its_memory_held(void)
{
    const struct rig_qp_options options = { .timeout = 12, .retry = 2 };
    int there[2], back[2], kept[64], status, fd;
    struct invitation peer;
    struct ibv_qp *qp;
    struct fixture f;
    pid_t child;

    CHECK(pipe(there) == 0 && pipe(back) == 0);
    child = peer_fork();
    CHECK(child >= 0);
    if (child == 0) {
        close(there[1]);
        if (setjmp(rig_leave) == 0)
            peer_process(back[1], there[0], &options);
        _exit(1);
    }
    peer_watch(child);
    f = setup();
    qp = rig_qp(&f.rig, &options);
    CHECK_EQ(read(back[0], &peer, sizeof(peer)), sizeof(peer));
    rig_connect(qp, peer.qpn, &options);
    CHECK_EQ(write(there[1], &qp->qp_num, 4), 4);
    CHECK_EQ(read(back[0], &status, 4), 4);
    CHECK_EQ(rig_do(&f.rig, qp, IBV_WR_RDMA_WRITE, side(&f, 0, 8), peer.addr, peer.key),
             IBV_WC_SUCCESS);
    keep_open(child, kept);
    peer_kill(child);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(rig_do(&f.rig, qp, IBV_WR_RDMA_WRITE, side(&f, 0, 8), peer.addr, peer.key),
             IBV_WC_RETRY_EXC_ERR);
    for (fd = 0; fd < 64; fd++)
        if (kept[fd] >= 0)
            close(kept[fd]);
    ibv_destroy_qp(qp);
    teardown(&f);
    close(there[0]);
    close(there[1]);
    close(back[0]);
    close(back[1]);
}

static void the_sender_waits_for_a_late_peer(void)
{
    struct fixture f = setup();
    const struct rig_qp_options options = { .timeout = 17, .retry = 7 };
    struct ibv_qp *a = rig_qp(&f.rig, &options), *b = rig_qp(&f.rig, &options);

    rig_connect(a, b->qp_num, &options);
    rig_post(a, IBV_WR_RDMA_WRITE, side(&f, 0, 64), (uintptr_t)f.mem + 4096, f.mr->rkey,
             IBV_SEND_SIGNALED);
    CHECK(rig_silent(f.rig.cq, 0.05));
    rig_connect(b, a->qp_num, &options);
    CHECK_EQ(rig_poll(f.rig.cq).status, IBV_WC_SUCCESS);
    CHECK(memcmp(f.mem, f.mem + 4096, 64) == 0);
    ibv_destroy_qp(a);
    ibv_destroy_qp(b);
    teardown(&f);
}

static void without_a_receive_the_sender_retries_as_configured(void)
{
    struct fixture f = setup();
    const struct rig_qp_options no_retry = { .rnr_retry = 0 }, forever = { .rnr_retry = 7 };
    struct ibv_qp *qp = rig_loop(&f.rig, no_retry);
    struct ibv_wc wc;

    CHECK_EQ(rig_do(&f.rig, qp, IBV_WR_SEND, side(&f, 0, 8), 0, 0), IBV_WC_RNR_RETRY_EXC_ERR);
    ibv_destroy_qp(qp);
    qp = rig_loop(&f.rig, forever);
    rig_post(qp, IBV_WR_SEND, side(&f, 0, 8), 0, 0, IBV_SEND_SIGNALED);
    CHECK(rig_silent(f.rig.cq, 0.03));
    rig_post_receive(qp, side(&f, 4096, 8), 9);
    wc = rig_poll(f.rig.cq);
    CHECK_EQ(wc.status, IBV_WC_SUCCESS);
    CHECK_EQ(rig_poll(f.rig.cq).status, IBV_WC_SUCCESS);
    CHECK(memcmp(f.mem, f.mem + 4096, 8) == 0);
    ibv_destroy_qp(qp);
    teardown(&f);
}

static void a_message_longer_than_its_receive_ends_both_sides(void)
{
    struct fixture f = setup();
    const struct rig_qp_options options = { .retry = 1 };
    struct ibv_qp *a = rig_qp(&f.rig, &options), *b = rig_qp(&f.rig, &options);
    struct ibv_wc wc[2];

    rig_connect(a, b->qp_num, &options);
    rig_connect(b, a->qp_num, &options);
    rig_post_receive(b, side(&f, 4096, 100), 1);
    rig_post(a, IBV_WR_SEND, side(&f, 0, 101), 0, 0, IBV_SEND_SIGNALED);
    wc[0] = rig_poll(f.rig.cq);
    wc[1] = rig_poll(f.rig.cq);
    for (unsigned i = 0; i < 2; i++)
        CHECK_EQ(wc[i].status, wc[i].qp_num == b->qp_num ? IBV_WC_LOC_LEN_ERR
                                                         : IBV_WC_REM_INV_REQ_ERR);
    CHECK(wc[0].qp_num != wc[1].qp_num);
    CHECK_EQ(rig_state(a), IBV_QPS_ERR);
    CHECK_EQ(rig_state(b), IBV_QPS_ERR);
    ibv_destroy_qp(a);
    ibv_destroy_qp(b);
    teardown(&f);
}

/* Queue pairs on two functions, or in two contexts of one function, find each other by their
 * numbers only. */
static void queues_of_two_functions_reach_each_other(void)
{
    struct fixture f = setup();
    struct rig other = rig_open(1);
    const struct rig_qp_options options = { .retry = 1 };
    struct ibv_qp *a = rig_qp(&f.rig, &options), *b = rig_qp(&other, &options);
    uint8_t *mem = rig_memory(LEN);
    struct ibv_mr *mr = ibv_reg_mr(other.pd, mem, LEN, RIG_ALL_ACCESS);

    CHECK(mr && a->qp_num != b->qp_num);
    rig_connect(a, b->qp_num, &options);
    rig_connect(b, a->qp_num, &options);
    CHECK_EQ(rig_do(&f.rig, a, IBV_WR_RDMA_WRITE, side(&f, 0, 512), (uintptr_t)mem, mr->rkey),
             IBV_WC_SUCCESS);
    CHECK(memcmp(f.mem, mem, 512) == 0);
    /* a key of one function is invalid on the other */
    CHECK_EQ(rig_do(&f.rig, a, IBV_WR_RDMA_WRITE, side(&f, 0, 8), (uintptr_t)f.mem, f.mr->rkey),
             IBV_WC_REM_ACCESS_ERR);
    ibv_destroy_qp(a);
    ibv_destroy_qp(b);
    ibv_dereg_mr(mr);
    free(mem);
    rig_close(&other);
    teardown(&f);
}

/* A card reads the whole source before it writes. The emulator copies in parts of at most 1 MiB.
 * When a part of the source is unmapped, the emulator clears the parts of the destination that it
 * has written already and leaves the rest unchanged. */
static void an_unmapped_source_leaves_the_destination_unchanged_or_cleared(void)
{
    enum { PAGE = 4096, AT_ONCE = 1 << 20, ALL = 2 * AT_ONCE };
    static const uint32_t len[] = { PAGE, 2 * PAGE, AT_ONCE + PAGE, ALL };
    const struct rig_qp_options options = { .retry = 1 };
    struct rig rig = rig_open(0);
    uint8_t *to = rig_memory(ALL), *from;
    struct ibv_mr *to_mr = ibv_reg_mr(rig.pd, to, ALL, RIG_ALL_ACCESS), *from_mr;

    CHECK(to_mr);
    for (unsigned i = 0; i < sizeof(len) / sizeof(len[0]); i++) {
        struct ibv_qp *a = rig_qp(&rig, &options), *b = rig_qp(&rig, &options);
        uint32_t cleared = len[i] > AT_ONCE ? AT_ONCE : 0;

        from = mmap(NULL, len[i], PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(from != MAP_FAILED);
        memset(from, 0x5a, len[i]);
        memset(to, 0xa5, ALL);
        from_mr = ibv_reg_mr(rig.pd, from, len[i], RIG_ALL_ACCESS);
        CHECK(from_mr);
        CHECK_EQ(munmap(from + len[i] - PAGE, PAGE), 0);
        rig_connect(a, b->qp_num, &options);
        rig_connect(b, a->qp_num, &options);
        CHECK(rig_do(&rig, a, IBV_WR_RDMA_WRITE,
                     (struct rig_side){ from, len[i], from_mr->lkey }, (uintptr_t)to,
                     to_mr->rkey) != IBV_WC_SUCCESS);
        for (uint32_t at = 0; at < ALL; at++)
            CHECK_EQ(to[at], at < cleared ? 0 : 0xa5);
        ibv_destroy_qp(a);
        ibv_destroy_qp(b);
        ibv_dereg_mr(from_mr);
        (void)munmap(from, len[i] - PAGE);
    }
    ibv_dereg_mr(to_mr);
    free(to);
    rig_close(&rig);
}

/* ---- flushing ------------------------------------------------------------------------------- */

static void an_error_flushes_each_later_request_once(void)
{
    struct fixture f = setup();
    const struct rig_qp_options options = { 0 };
    struct ibv_qp *qp = rig_loop(&f.rig, options);
    unsigned flushed[2] = { 0 };

    for (unsigned i = 0; i < 5; i++)
        rig_post_receive(qp, side(&f, 4096, 8), 100 + i);
    rig_post(qp, IBV_WR_RDMA_WRITE, side(&f, 0, 8), 0, 0x99900, 0);     /* unsignalled; it fails */
    for (unsigned i = 0; i < 7; i++)
        rig_post(qp, IBV_WR_RDMA_WRITE, side(&f, 0, 8), (uintptr_t)f.mem + 64, f.mr->rkey,
                 IBV_SEND_SIGNALED);
    rig_post_receive(qp, side(&f, 4096, 8), 105);       /* posted after the error */
    for (unsigned i = 0; i < 14; i++) {
        struct ibv_wc wc = rig_poll(f.rig.cq);

        if (wc.status == IBV_WC_REM_ACCESS_ERR)
            continue;
        CHECK_EQ(wc.status, IBV_WC_WR_FLUSH_ERR);
        if (wc.wr_id >= 100)
            CHECK_EQ(wc.wr_id, 100 + flushed[1]);
        flushed[wc.wr_id >= 100]++;
    }
    CHECK_EQ(flushed[0], 7);
    CHECK_EQ(flushed[1], 6);
    CHECK(rig_silent(f.rig.cq, 0.05));
    ibv_destroy_qp(qp);
    teardown(&f);
}

static void moving_to_error_flushes_receives(void)
{
    struct fixture f = setup();
    const struct rig_qp_options options = { 0 };
    struct ibv_qp *qp = rig_loop(&f.rig, options);
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };

    for (unsigned i = 0; i < 3; i++)
        rig_post_receive(qp, side(&f, 0, 8), i);
    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE), 0);
    for (unsigned i = 0; i < 3; i++)
        CHECK_EQ(rig_poll(f.rig.cq).status, IBV_WC_WR_FLUSH_ERR);
    attr.qp_state = IBV_QPS_RESET;
    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE), 0);
    rig_connect(qp, qp->qp_num, &options);
    CHECK_EQ(rig_do(&f.rig, qp, IBV_WR_RDMA_WRITE, side(&f, 0, 8), (uintptr_t)f.mem + 64,
                    f.mr->rkey), IBV_WC_SUCCESS);
    ibv_destroy_qp(qp);
    teardown(&f);
}

/* ---- shared receive queues and events ------------------------------------------------------- */

static bool event_within(struct ibv_context *ctx, int ms, struct ibv_async_event *event)
{
    struct pollfd p = { .fd = ctx->async_fd, .events = POLLIN };

    return poll(&p, 1, ms) == 1 && ibv_get_async_event(ctx, event) == 0;
}

static void a_shared_queue_reports_its_limit_once(void)
{
    struct fixture f = setup();
    struct ibv_srq_init_attr init = { .attr = { .max_wr = 16, .max_sge = 1 } };
    struct ibv_srq *srq = ibv_create_srq(f.rig.pd, &init);
    struct ibv_srq_attr limit = { .srq_limit = 3 };
    struct rig_qp_options options = { .srq = srq };
    struct ibv_async_event event;
    struct ibv_sge sge = { (uintptr_t)f.mem + 4096, 8, f.mr->lkey };
    struct ibv_recv_wr wr = { .sg_list = &sge, .num_sge = 1 }, *bad;
    struct ibv_qp *qp;

    CHECK(srq);
    qp = rig_loop(&f.rig, options);
    CHECK_EQ(ibv_modify_srq(srq, &limit, IBV_SRQ_LIMIT), 0);
    for (wr.wr_id = 50; wr.wr_id < 55; wr.wr_id++)
        CHECK_EQ(ibv_post_srq_recv(srq, &wr, &bad), 0);
    for (unsigned i = 0; i < 5; i++) {
        uint64_t ids = 0;

        rig_post(qp, IBV_WR_SEND, side(&f, 0, 8), 0, 0, IBV_SEND_SIGNALED);
        for (unsigned k = 0; k < 2; k++) {
            struct ibv_wc wc = rig_poll(f.rig.cq);

            CHECK_EQ(wc.status, IBV_WC_SUCCESS);
            ids += wc.wr_id;
        }
        CHECK_EQ(ids, 50 + i + 1);      /* the receive has id 50 + i, the send has id 1 */
        CHECK_EQ(event_within(f.rig.ctx, i == 2 ? 2000 : 20, &event), i == 2);
        if (i == 2) {
            CHECK_EQ(event.event_type, IBV_EVENT_SRQ_LIMIT_REACHED);
            CHECK(event.element.srq == srq);
            ibv_ack_async_event(&event);
        }
    }
    ibv_destroy_qp(qp);
    CHECK_EQ(ibv_destroy_srq(srq), 0);
    teardown(&f);
}

static bool completion_within(struct ibv_comp_channel *channel, int ms)
{
    struct pollfd p = { .fd = channel->fd, .events = POLLIN };
    struct ibv_cq *cq;
    void *context;

    if (poll(&p, 1, ms) != 1)
        return false;
    CHECK_EQ(ibv_get_cq_event(channel, &cq, &context), 0);
    ibv_ack_cq_events(cq, 1);
    return true;
}

static void an_armed_queue_reports_one_event(void)
{
    struct fixture f = setup();
    struct ibv_comp_channel *channel = ibv_create_comp_channel(f.rig.ctx);
    struct ibv_cq *cq = ibv_create_cq(f.rig.ctx, 32, NULL, channel, 0), *old = f.rig.cq;
    struct rig_qp_options options = { 0 };
    struct ibv_qp *qp;

    CHECK(channel && cq);
    f.rig.cq = cq;
    qp = rig_loop(&f.rig, options);
    rig_post_receive(qp, side(&f, 4096, 8), 1);
    rig_post_receive(qp, side(&f, 4096, 8), 2);
    CHECK_EQ(rig_do(&f.rig, qp, IBV_WR_RDMA_WRITE, side(&f, 0, 8), (uintptr_t)f.mem + 64,
                    f.mr->rkey), IBV_WC_SUCCESS);
    /* a polling device may report events of a queue that was never armed */
    completion_within(channel, 20);
    CHECK_EQ(ibv_req_notify_cq(cq, 0), 0);
    rig_post(qp, IBV_WR_RDMA_WRITE, side(&f, 0, 8), (uintptr_t)f.mem + 64, f.mr->rkey,
             IBV_SEND_SIGNALED);
    CHECK(completion_within(channel, 2000));
    rig_post(qp, IBV_WR_RDMA_WRITE, side(&f, 0, 8), (uintptr_t)f.mem + 64, f.mr->rkey,
             IBV_SEND_SIGNALED);
    CHECK(!completion_within(channel, 20));     /* the CQ was not armed again */
    CHECK_EQ(ibv_req_notify_cq(cq, 0), 0);      /* the CQ has two completions already */
    CHECK(completion_within(channel, 2000));
    CHECK_EQ(rig_poll(cq).status, IBV_WC_SUCCESS);
    CHECK_EQ(rig_poll(cq).status, IBV_WC_SUCCESS);
    CHECK_EQ(ibv_req_notify_cq(cq, 1), 0);      /* for solicited completions only */
    rig_post(qp, IBV_WR_SEND, side(&f, 0, 8), 0, 0, IBV_SEND_SIGNALED);
    CHECK(!completion_within(channel, 20));
    rig_post(qp, IBV_WR_SEND, side(&f, 0, 8), 0, 0, IBV_SEND_SIGNALED | IBV_SEND_SOLICITED);
    CHECK(completion_within(channel, 2000));
    ibv_destroy_qp(qp);
    CHECK_EQ(ibv_destroy_cq(cq), 0);
    CHECK_EQ(ibv_destroy_comp_channel(channel), 0);
    f.rig.cq = old;
    teardown(&f);
}

static void the_last_receive_of_a_shared_queue_is_reported(void)
{
    struct fixture f = setup();
    struct ibv_srq_init_attr init = { .attr = { .max_wr = 4, .max_sge = 1 } };
    struct ibv_srq *srq = ibv_create_srq(f.rig.pd, &init);
    struct rig_qp_options options = { .srq = srq };
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };
    struct ibv_async_event event;
    struct ibv_qp *qp;

    CHECK(srq);
    qp = rig_loop(&f.rig, options);
    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE), 0);
    CHECK(event_within(f.rig.ctx, 2000, &event));
    CHECK_EQ(event.event_type, IBV_EVENT_QP_LAST_WQE_REACHED);
    CHECK(event.element.qp == qp);
    ibv_ack_async_event(&event);
    ibv_destroy_qp(qp);
    CHECK_EQ(ibv_destroy_srq(srq), 0);
    teardown(&f);
}

/* ---- completion queues ---------------------------------------------------------------------- */

static void a_resized_queue_keeps_its_completions(void)
{
    struct fixture f = setup();
    struct rig_qp_options options = { 0 };
    struct ibv_qp *qp = rig_loop(&f.rig, options);

    for (unsigned turn = 0; turn < 3; turn++) {
        for (unsigned i = 0; i < 20; i++)
            rig_post(qp, IBV_WR_RDMA_WRITE, side(&f, 0, 8), (uintptr_t)f.mem + 64, f.mr->rkey,
                     IBV_SEND_SIGNALED);
        for (unsigned i = 0; i < 7; i++)
            CHECK_EQ(rig_poll(f.rig.cq).status, IBV_WC_SUCCESS);
        CHECK_EQ(ibv_resize_cq(f.rig.cq, turn % 2 ? 300 : 60), 0);
        for (unsigned i = 7; i < 20; i++)
            CHECK_EQ(rig_poll(f.rig.cq).status, IBV_WC_SUCCESS);
        CHECK(rig_silent(f.rig.cq, 0.005));
    }
    ibv_destroy_qp(qp);
    teardown(&f);
}

static const struct rig_case cases[] = {
    RIG_CASE(a_missing_peer_exhausts_the_retries),
    RIG_CASE(a_killed_peer_does_not_refuse_what_its_memory_held),
    RIG_CASE(the_sender_waits_for_a_late_peer),
    RIG_CASE(without_a_receive_the_sender_retries_as_configured),
    RIG_CASE(a_message_longer_than_its_receive_ends_both_sides),
    RIG_CASE(queues_of_two_functions_reach_each_other),
    RIG_CASE(an_unmapped_source_leaves_the_destination_unchanged_or_cleared),
    RIG_CASE(an_error_flushes_each_later_request_once),
    RIG_CASE(moving_to_error_flushes_receives),
    RIG_CASE(a_shared_queue_reports_its_limit_once),
    RIG_CASE(an_armed_queue_reports_one_event),
    RIG_CASE(the_last_receive_of_a_shared_queue_is_reported),
    RIG_CASE(a_resized_queue_keeps_its_completions),
};

RIG_MAIN(cases)
