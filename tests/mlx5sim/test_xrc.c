/* XRC: domains, SRQs, initiators and targets, through libibverbs. */
#include "rig.h"

#include <fcntl.h>
#include <poll.h>

enum { BYTES = 4096, RDMA_RIGHTS = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
       IBV_ACCESS_REMOTE_ATOMIC };

/* ---- helpers -------------------------------------------------------------------------------- */

static struct ibv_xrcd *try_domain(struct rig *rig, int fd, int oflags)
{
    struct ibv_xrcd_init_attr attr = { .fd = fd, .oflags = oflags,
        .comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS };

    return ibv_open_xrcd(rig->ctx, &attr);
}

static struct ibv_xrcd *domain(struct rig *rig)
{
    struct ibv_xrcd *xrcd = try_domain(rig, -1, O_CREAT);

    CHECK(xrcd);
    return xrcd;
}

static int temporary_file(void)
{
    char path[] = "/tmp/mlx5sim-xrc-XXXXXX";
    int fd = mkstemp(path);

    CHECK(fd >= 0);
    unlink(path);
    return fd;
}

static struct ibv_srq *try_srq(struct rig *rig, struct ibv_xrcd *xrcd, struct ibv_cq *cq)
{
    struct ibv_srq_init_attr_ex attr = { .attr = { 16, 1, 0 }, .srq_type = IBV_SRQT_XRC,
        .pd = rig->pd, .xrcd = xrcd, .cq = cq, .comp_mask = IBV_SRQ_INIT_ATTR_TYPE |
        IBV_SRQ_INIT_ATTR_PD | IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ };

    return ibv_create_srq_ex(rig->ctx, &attr);
}

static uint32_t number_of(struct ibv_srq *srq)
{
    uint32_t number = 0;

    CHECK_EQ(ibv_get_srq_num(srq, &number), 0);
    return number;
}

static struct ibv_qp *initiator(struct rig *rig)
{
    struct ibv_qp_init_attr_ex attr = { .send_cq = rig->cq, .pd = rig->pd,
        .qp_type = IBV_QPT_XRC_SEND, .comp_mask = IBV_QP_INIT_ATTR_PD,
        .cap = { .max_send_wr = 16, .max_send_sge = 1 } };
    struct ibv_qp *qp = ibv_create_qp_ex(rig->ctx, &attr);

    CHECK(qp);
    return qp;
}

static struct ibv_qp *target(struct rig *rig, struct ibv_xrcd *xrcd)
{
    struct ibv_qp_init_attr_ex attr = { .qp_type = IBV_QPT_XRC_RECV, .xrcd = xrcd,
        .comp_mask = IBV_QP_INIT_ATTR_XRCD };
    struct ibv_qp *qp = ibv_create_qp_ex(rig->ctx, &attr);

    CHECK(qp);
    return qp;
}

enum { TO_RTR = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN,
       TO_RTS = IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT };

static void connect_qp(struct ibv_qp *qp, uint32_t peer)
{
    bool sends = qp->qp_type == IBV_QPT_XRC_SEND;
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_4096,
        .dest_qp_num = peer, .max_dest_rd_atomic = 8, .min_rnr_timer = 1,
        .ah_attr = { .dlid = 1, .port_num = 1, .is_global = 1 } };
    struct rig_qp_options options = { .access = RDMA_RIGHTS };

    rig_init(qp, &options);
    CHECK_EQ(ibv_query_gid(qp->context, 1, 0, &attr.ah_attr.grh.dgid), 0);
    CHECK_EQ(ibv_modify_qp(qp, &attr, TO_RTR | (sends ? 0 : IBV_QP_MAX_DEST_RD_ATOMIC |
                                                            IBV_QP_MIN_RNR_TIMER)), 0);
    attr = (struct ibv_qp_attr){ .qp_state = IBV_QPS_RTS, .timeout = 8, .max_rd_atomic = 8 };
    CHECK_EQ(ibv_modify_qp(qp, &attr, TO_RTS | (sends ? IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                                                        IBV_QP_MAX_QP_RD_ATOMIC : 0)), 0);
}

static void connect_pair(struct ibv_qp *ini, struct ibv_qp *tgt)
{
    connect_qp(ini, tgt->qp_num);
    connect_qp(tgt, ini->qp_num);
}

/* A domain with two SRQs, and an initiator that is connected to a target. Each SRQ has a CQ. */
struct setup {
    struct rig rig;
    struct ibv_xrcd *xrcd;
    struct ibv_cq *cq[2];
    struct ibv_srq *srq[2];
    struct ibv_qp *ini, *tgt;
    uint8_t *mem;
    struct ibv_mr *mr;
};

static struct setup open_setup(void)
{
    struct setup s = { .rig = rig_open(0) };

    s.xrcd = domain(&s.rig);
    for (int i = 0; i < 2; i++) {
        s.cq[i] = ibv_create_cq(s.rig.ctx, 16, NULL, NULL, 0);
        CHECK(s.cq[i]);
        s.srq[i] = try_srq(&s.rig, s.xrcd, s.cq[i]);
        CHECK(s.srq[i]);
    }
    s.ini = initiator(&s.rig);
    s.tgt = target(&s.rig, s.xrcd);
    connect_pair(s.ini, s.tgt);
    s.mem = rig_memory(BYTES);
    s.mr = ibv_reg_mr(s.rig.pd, s.mem, BYTES, RDMA_RIGHTS | IBV_ACCESS_LOCAL_WRITE);
    CHECK(s.mr);
    return s;
}

static void close_setup(struct setup *s)
{
    CHECK_EQ(ibv_dereg_mr(s->mr), 0);
    CHECK_EQ(ibv_destroy_qp(s->ini), 0);
    CHECK_EQ(ibv_destroy_qp(s->tgt), 0);
    for (int i = 0; i < 2; i++) {
        CHECK_EQ(ibv_destroy_srq(s->srq[i]), 0);
        CHECK_EQ(ibv_destroy_cq(s->cq[i]), 0);
    }
    CHECK_EQ(ibv_close_xrcd(s->xrcd), 0);
    rig_close(&s->rig);
    free(s->mem);
}

static void receive(struct setup *s, int srq, unsigned at, uint32_t bytes)
{
    struct ibv_sge sge = { (uintptr_t)s->mem + at, bytes, s->mr->lkey };
    struct ibv_recv_wr wr = { .wr_id = (uint64_t)(100 + srq), .sg_list = &sge, .num_sge = 1 }, *bad;

    CHECK_EQ(ibv_post_srq_recv(s->srq[srq], &wr, &bad), 0);
}

/* Post a request over 8 bytes at the start of the memory, and return its status. */
static enum ibv_wc_status request(struct setup *s, enum ibv_wr_opcode opcode, uint32_t srqn,
                                  unsigned remote, uint32_t rkey)
{
    struct ibv_sge sge = { (uintptr_t)s->mem, 8, s->mr->lkey };
    struct ibv_send_wr wr = { .sg_list = &sge, .num_sge = 1, .opcode = opcode,
        .send_flags = IBV_SEND_SIGNALED, .imm_data = htobe32(0x1234),
        .qp_type.xrc.remote_srqn = srqn }, *bad;

    if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
        wr.wr.atomic.remote_addr = (uintptr_t)s->mem + remote;
        wr.wr.atomic.rkey = rkey;
        wr.wr.atomic.compare_add = 5;
    } else {
        wr.wr.rdma.remote_addr = (uintptr_t)s->mem + remote;
        wr.wr.rdma.rkey = rkey;
    }
    CHECK_EQ(ibv_post_send(s->ini, &wr, &bad), 0);
    return rig_poll(s->rig.cq).status;
}

/* ---- cases ---------------------------------------------------------------------------------- */

static void each_message_names_its_srq(void)
{
    struct setup s = open_setup();

    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 2; i++) {
            struct ibv_wc wc;

            memset(s.mem, 0x40 + round * 2 + i, 8);
            memset(s.mem + 64, 0, 8);
            receive(&s, i, 64, 8);
            CHECK_EQ(request(&s, round ? IBV_WR_SEND_WITH_IMM : IBV_WR_SEND, number_of(s.srq[i]),
                             0, 0), IBV_WC_SUCCESS);
            wc = rig_poll(s.cq[i]);
            CHECK_EQ(wc.status, IBV_WC_SUCCESS);
            CHECK_EQ(wc.wr_id, 100 + i);
            CHECK_EQ(wc.byte_len, 8);
            CHECK_EQ(wc.qp_num, s.tgt->qp_num);
            if (round)
                CHECK_EQ(be32toh(wc.imm_data), 0x1234);
            CHECK_EQ(memcmp(s.mem, s.mem + 64, 8), 0);
            CHECK_EQ(ibv_poll_cq(s.cq[1 - i], 1, &wc), 0);
        }
    close_setup(&s);
}

static void remote_memory_is_that_of_the_srqs_pd(void)
{
    struct setup s = open_setup();
    uint32_t srqn = number_of(s.srq[0]), rkey = s.mr->rkey;
    uint64_t *words = (uint64_t *)(void *)s.mem;
    struct ibv_pd *pd = ibv_alloc_pd(s.rig.ctx);
    struct ibv_mr *other = ibv_reg_mr(pd, s.mem, BYTES, RDMA_RIGHTS | IBV_ACCESS_LOCAL_WRITE);

    CHECK(other);
    words[0] = 77;
    CHECK_EQ(request(&s, IBV_WR_RDMA_WRITE, srqn, 128, rkey), IBV_WC_SUCCESS);
    CHECK_EQ(words[16], 77);
    words[16] = 78;
    CHECK_EQ(request(&s, IBV_WR_RDMA_READ, srqn, 128, rkey), IBV_WC_SUCCESS);
    CHECK_EQ(words[0], 78);
    CHECK_EQ(request(&s, IBV_WR_ATOMIC_FETCH_AND_ADD, srqn, 128, rkey), IBV_WC_SUCCESS);
    CHECK_EQ(words[16], 83);
    receive(&s, 0, 64, 8);
    CHECK_EQ(request(&s, IBV_WR_RDMA_WRITE_WITH_IMM, srqn, 128, rkey), IBV_WC_SUCCESS);
    CHECK_EQ(rig_poll(s.cq[0]).opcode, IBV_WC_RECV_RDMA_WITH_IMM);
    CHECK_EQ(request(&s, IBV_WR_RDMA_WRITE, srqn, 128, other->rkey), IBV_WC_REM_ACCESS_ERR);
    CHECK_EQ(rig_state(s.ini), IBV_QPS_ERR);
    CHECK_EQ(ibv_dereg_mr(other), 0);
    CHECK_EQ(ibv_dealloc_pd(pd), 0);
    close_setup(&s);
}

/* An SRQ that does not exist, a basic SRQ, and an SRQ of another domain. */
static void wrong_srqs_are_refused(void)
{
    for (int wrong = 0; wrong < 3; wrong++) {
        struct setup s = open_setup();
        struct ibv_xrcd *xrcd = domain(&s.rig);
        struct ibv_srq_init_attr basic = { .attr = { 16, 1, 0 } };
        struct ibv_srq *srq = wrong == 1 ? ibv_create_srq(s.rig.pd, &basic)
                                         : try_srq(&s.rig, xrcd, s.cq[0]);

        CHECK(srq);
        CHECK_EQ(request(&s, IBV_WR_SEND, wrong ? number_of(srq) : 0xffffff, 0, 0),
                 IBV_WC_REM_INV_REQ_ERR);
        CHECK_EQ(rig_state(s.ini), IBV_QPS_ERR);
        CHECK_EQ(ibv_destroy_srq(srq), 0);
        CHECK_EQ(ibv_close_xrcd(xrcd), 0);
        close_setup(&s);
    }
}

static void a_message_without_room_fails_on_both_sides(void)
{
    struct setup s = open_setup();

    receive(&s, 1, 64, 4);
    CHECK_EQ(request(&s, IBV_WR_SEND, number_of(s.srq[1]), 0, 0), IBV_WC_REM_INV_REQ_ERR);
    CHECK_EQ(rig_poll(s.cq[1]).status, IBV_WC_LOC_LEN_ERR);
    close_setup(&s);
    s = open_setup();
    CHECK_EQ(request(&s, IBV_WR_SEND, number_of(s.srq[1]), 0, 0), IBV_WC_RNR_RETRY_EXC_ERR);
    close_setup(&s);
}

/* A WQE that consists of the control segment has no XRC segment. */
static void a_wqe_without_its_srq_fails(void)
{
    struct setup s = open_setup();
    struct mlx5dv_qp dv = { 0 };
    struct mlx5dv_obj obj = { .qp = { .in = s.ini, .out = &dv } };
    uint8_t *wqe;

    CHECK_EQ(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP), 0);
    wqe = dv.sq.buf;
    memset(wqe, 0, 64);
    put(wqe, 24, 8, 0x0a);
    put(wqe, 32, 24, s.ini->qp_num);
    put(wqe, 56, 8, 1);
    put(wqe, 88, 8, 8);
    __atomic_store_n((uint32_t *)(void *)&dv.dbrec[1], htobe32(1), __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    *(volatile uint64_t *)dv.bf.reg = *(uint64_t *)(void *)wqe;
    CHECK_EQ(rig_poll(s.rig.cq).status, IBV_WC_LOC_QP_OP_ERR);
    close_setup(&s);
}

/* Send a message from a context to an SRQ of another context. */
static void send_across(struct rig *from, struct ibv_qp *ini, struct rig *to, struct ibv_srq *srq)
{
    struct setup s = { .rig = *from, .ini = ini, .mem = rig_memory(BYTES) };
    struct ibv_mr *mr = ibv_reg_mr(to->pd, s.mem, BYTES, IBV_ACCESS_LOCAL_WRITE);
    struct ibv_sge sge = { (uintptr_t)s.mem + 64, 8, mr ? mr->lkey : 0 };
    struct ibv_recv_wr wr = { .sg_list = &sge, .num_sge = 1 }, *bad;

    s.mr = ibv_reg_mr(from->pd, s.mem, BYTES, IBV_ACCESS_LOCAL_WRITE);
    CHECK(s.mr && mr);
    memset(s.mem, 0x5a, 8);
    CHECK_EQ(ibv_post_srq_recv(srq, &wr, &bad), 0);
    CHECK_EQ(request(&s, IBV_WR_SEND, number_of(srq), 0, 0), IBV_WC_SUCCESS);
    CHECK_EQ(rig_poll(to->cq).status, IBV_WC_SUCCESS);
    CHECK_EQ(memcmp(s.mem, s.mem + 64, 8), 0);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK_EQ(ibv_dereg_mr(s.mr), 0);
    free(s.mem);
}

static void the_domain_of_a_file_needs_the_right_flags(void)
{
    struct rig a = rig_open(0), b = rig_open(0);
    int fd = temporary_file(), other = temporary_file();
    struct ibv_xrcd *first, *second;

    CHECK(!try_domain(&a, fd, 0) && errno == EAGAIN);
    CHECK(!try_domain(&a, 9999, O_CREAT) && errno == EBADF);
    first = try_domain(&a, fd, O_CREAT);
    CHECK(first);
    CHECK(!try_domain(&b, fd, O_CREAT | O_EXCL) && errno == EINVAL);
    CHECK(!try_domain(&b, other, 0) && errno == EAGAIN);
    second = try_domain(&b, fd, 0);
    CHECK(second);
    CHECK_EQ(ibv_close_xrcd(first), 0);
    CHECK_EQ(ibv_close_xrcd(second), 0);
    CHECK(!try_domain(&b, fd, 0) && errno == EAGAIN);   /* the domain ended with `second` */
    rig_close(&a);
    rig_close(&b);
    close(fd);
    close(other);
}

/* A file system may give the inode of a deleted file to a new file. It must not while a domain uses
 * the deleted file, or else the new file would have a foreign domain. */
static void the_domain_of_a_deleted_file_is_not_joined(void)
{
    struct rig a = rig_open(0), b = rig_open(0);
    int fd = temporary_file();
    struct ibv_xrcd *first = try_domain(&a, fd, O_CREAT), *other;

    CHECK(first);
    close(fd);
    for (int i = 0; i < 4; i++) {
        fd = temporary_file();
        CHECK(!try_domain(&b, fd, 0) && errno == EAGAIN);
        other = try_domain(&b, fd, O_CREAT | O_EXCL);
        CHECK(other);
        close(fd);
        CHECK_EQ(ibv_close_xrcd(other), 0);
    }
    CHECK_EQ(ibv_close_xrcd(first), 0);
    rig_close(&a);
    rig_close(&b);
}

/* The file of a domain may be any file that a descriptor can have. */
static void a_pipe_can_name_a_domain(void)
{
    struct rig a = rig_open(0);
    struct ibv_xrcd *first, *second;
    int ends[2];

    CHECK_EQ(pipe(ends), 0);
    first = try_domain(&a, ends[0], O_CREAT);
    second = try_domain(&a, ends[1], 0);        /* both ends have the same inode */
    CHECK(first && second);
    CHECK_EQ(ibv_close_xrcd(first), 0);
    CHECK_EQ(ibv_close_xrcd(second), 0);
    rig_close(&a);
    close(ends[0]);
    close(ends[1]);
}

static struct ibv_qp *open_target(struct rig *rig, struct ibv_xrcd *xrcd, uint32_t number)
{
    struct ibv_qp_open_attr attr = { .qp_type = IBV_QPT_XRC_RECV, .xrcd = xrcd, .qp_num = number,
        .comp_mask = IBV_QP_OPEN_ATTR_NUM | IBV_QP_OPEN_ATTR_XRCD | IBV_QP_OPEN_ATTR_TYPE };
    struct ibv_qp *qp = ibv_open_qp(rig->ctx, &attr);

    CHECK(qp);
    CHECK_EQ(qp->qp_num, number);
    return qp;
}

/* A target that a second context has opened outlives the first context's handle. The handle ends
 * with the context, because libmlx5 44 crashes when it destroys a QP of ibv_open_qp(). */
static void contexts_share_domains_and_targets(void)
{
    struct rig a = rig_open(0), b = rig_open(0);
    int fd = temporary_file();
    struct ibv_xrcd *first = try_domain(&a, fd, O_CREAT), *second = try_domain(&b, fd, O_CREAT);
    struct ibv_qp *ini = initiator(&a), *tgt = target(&a, first), *opened;
    struct ibv_srq *srq = try_srq(&b, second, b.cq);

    CHECK(srq);
    connect_pair(ini, tgt);
    opened = open_target(&b, second, tgt->qp_num);
    CHECK_EQ(rig_state(opened), IBV_QPS_RTS);
    CHECK_EQ(ibv_close_xrcd(first), EBUSY);
    CHECK_EQ(ibv_destroy_qp(tgt), 0);
    CHECK_EQ(ibv_close_xrcd(first), 0);
    send_across(&a, ini, &b, srq);
    CHECK_EQ(ibv_close_xrcd(second), EBUSY);
    CHECK_EQ(ibv_destroy_qp(ini), 0);
    rig_close(&a);
    CHECK_EQ(ibv_close_device(b.ctx), 0);
    close(fd);
}

/* Post a request that names no SRQ, and return the status of its completion. */
static enum ibv_wc_status request_without_srq(struct rig *rig, struct ibv_qp *ini)
{
    struct ibv_send_wr wr = { .opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED,
        .qp_type.xrc.remote_srqn = 0xffffff }, *bad;

    CHECK_EQ(ibv_post_send(ini, &wr, &bad), 0);
    return rig_poll(rig->cq).status;
}

/* Check that the context gets one event: the target has refused a request. */
static void expect_refusal(struct ibv_context *ctx, const struct ibv_qp *tgt, bool ack)
{
    struct pollfd event_fd = { .fd = ctx->async_fd, .events = POLLIN };
    struct ibv_async_event event;

    CHECK_EQ(poll(&event_fd, 1, 2000), 1);
    CHECK_EQ(ibv_get_async_event(ctx, &event), 0);
    CHECK_EQ(event.event_type, IBV_EVENT_QP_REQ_ERR);
    CHECK(event.element.qp == tgt);
    if (ack)
        ibv_ack_async_event(&event);
    CHECK_EQ(poll(&event_fd, 1, 0), 0);
}

/* The program that made a target gets its events, and so does each program that has opened it, also
 * after another handle has been closed. */
static void every_opener_gets_the_events(void)
{
    enum { OPENERS = 3 };
    struct rig a = rig_open(0), rig[OPENERS];
    struct ibv_qp *ini = initiator(&a), *tgt, *opened[OPENERS];
    int fd = temporary_file();
    struct ibv_xrcd *xrcd = try_domain(&a, fd, O_CREAT);

    CHECK(xrcd);
    tgt = target(&a, xrcd);
    connect_pair(ini, tgt);
    for (int i = 0; i < OPENERS; i++) {
        struct ibv_xrcd *shared;

        rig[i] = rig_open(0);
        shared = try_domain(&rig[i], fd, 0);
        CHECK(shared);
        opened[i] = open_target(&rig[i], shared, tgt->qp_num);
    }
    CHECK_EQ(ibv_close_device(rig[1].ctx), 0);
    CHECK_EQ(request_without_srq(&a, ini), IBV_WC_REM_INV_REQ_ERR);
    expect_refusal(a.ctx, tgt, true);
    expect_refusal(rig[0].ctx, opened[0], false);
    expect_refusal(rig[2].ctx, opened[2], false);
    CHECK_EQ(ibv_destroy_qp(tgt), 0);
    CHECK_EQ(rig_state(opened[0]), IBV_QPS_ERR);
    CHECK_EQ(ibv_close_device(rig[2].ctx), 0);
    CHECK_EQ(rig_state(opened[0]), IBV_QPS_ERR);
    CHECK_EQ(ibv_close_device(rig[0].ctx), 0);
    CHECK_EQ(ibv_destroy_qp(ini), 0);
    CHECK_EQ(ibv_close_xrcd(xrcd), 0);
    rig_close(&a);
    close(fd);
}

/* A child makes a target. It waits for the end of its input, and then ends with the target open. */
_Noreturn static void make_target_and_end(int in, int out, int fd)
{
    struct rig rig = rig_open(0);
    struct ibv_xrcd *xrcd = try_domain(&rig, fd, O_CREAT);
    struct ibv_qp *tgt = xrcd ? target(&rig, xrcd) : NULL;
    uint32_t peer;

    if (!tgt || read(in, &peer, sizeof(peer)) != sizeof(peer))
        _exit(1);
    connect_qp(tgt, peer);
    if (write(out, &tgt->qp_num, sizeof(tgt->qp_num)) != sizeof(tgt->qp_num))
        _exit(2);
    _exit(read(in, &peer, 1) == 0 ? 0 : 3);
}

/* The target of a program that has ended still refuses requests. */
static void a_target_outlives_its_program(void)
{
    int fd = temporary_file(), to[2], from[2];
    uint32_t number;
    struct ibv_xrcd *xrcd;
    struct ibv_qp *ini, *opened;
    struct rig rig;
    pid_t pid;

    CHECK_EQ(pipe(to), 0);
    CHECK_EQ(pipe(from), 0);
    pid = peer_fork();
    if (pid == 0) {
        close(to[1]);
        make_target_and_end(to[0], from[1], fd);
    }
    close(to[0]);
    close(from[1]);
    rig = rig_open(0);
    ini = initiator(&rig);
    CHECK_EQ(write(to[1], &ini->qp_num, sizeof(ini->qp_num)), sizeof(ini->qp_num));
    CHECK_EQ(read(from[0], &number, sizeof(number)), sizeof(number));
    connect_qp(ini, number);
    xrcd = try_domain(&rig, fd, 0);
    CHECK(xrcd);
    opened = open_target(&rig, xrcd, number);
    close(to[1]);
    PEER_REAP(pid);
    CHECK_EQ(request_without_srq(&rig, ini), IBV_WC_REM_INV_REQ_ERR);
    CHECK_EQ(rig_state(opened), IBV_QPS_ERR);
    CHECK_EQ(ibv_close_device(rig.ctx), 0);
    close(from[0]);
    close(fd);
}

/* ibv_open_qp() finds only targets of the domain. */
static void only_targets_of_the_domain_can_be_opened(void)
{
    struct setup s = open_setup();
    struct ibv_xrcd *xrcd = domain(&s.rig);
    struct ibv_qp_open_attr attr = { .qp_num = s.tgt->qp_num, .xrcd = xrcd,
        .qp_type = IBV_QPT_XRC_RECV,
        .comp_mask = IBV_QP_OPEN_ATTR_NUM | IBV_QP_OPEN_ATTR_XRCD | IBV_QP_OPEN_ATTR_TYPE };

    CHECK(!ibv_open_qp(s.rig.ctx, &attr) && errno == EINVAL);
    attr.xrcd = s.xrcd;
    attr.qp_num = s.ini->qp_num;
    CHECK(!ibv_open_qp(s.rig.ctx, &attr) && errno == EINVAL);
    attr.qp_num = 0xfffff0;
    CHECK(!ibv_open_qp(s.rig.ctx, &attr) && errno == EINVAL);
    receive(&s, 0, 64, 8);
    CHECK_EQ(request(&s, IBV_WR_SEND, number_of(s.srq[0]), 0, 0), IBV_WC_SUCCESS);
    CHECK_EQ(ibv_close_xrcd(xrcd), 0);
    close_setup(&s);
}

static void transitions_need_the_attributes_of_their_side(void)
{
    struct setup s = open_setup();
    struct ibv_qp *ini = initiator(&s.rig), *tgt = target(&s.rig, s.xrcd);
    struct rig_qp_options options = { .access = RDMA_RIGHTS };
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024,
        .ah_attr = { .is_global = 1, .port_num = 1 } };

    rig_init(ini, &options);
    rig_init(tgt, &options);
    CHECK_EQ(ibv_modify_qp(tgt, &attr, TO_RTR), EINVAL);        /* without its own attributes */
    CHECK_EQ(ibv_modify_qp(ini, &attr, TO_RTR & ~IBV_QP_DEST_QPN), EINVAL);
    CHECK_EQ(ibv_modify_qp(ini, &attr, TO_RTR | IBV_QP_QKEY), EINVAL);
    /* the attributes of the other side are ignored */
    CHECK_EQ(ibv_modify_qp(ini, &attr, TO_RTR | IBV_QP_MIN_RNR_TIMER | IBV_QP_MAX_DEST_RD_ATOMIC),
             0);
    CHECK_EQ(ibv_modify_qp(tgt, &attr, TO_RTR | IBV_QP_MIN_RNR_TIMER | IBV_QP_MAX_DEST_RD_ATOMIC),
             0);
    attr = (struct ibv_qp_attr){ .qp_state = IBV_QPS_RTS };
    CHECK_EQ(ibv_modify_qp(ini, &attr, TO_RTS), EINVAL);
    CHECK_EQ(ibv_modify_qp(tgt, &attr, TO_RTS | IBV_QP_RETRY_CNT | IBV_QP_MAX_QP_RD_ATOMIC), 0);
    CHECK_EQ(rig_state(tgt), IBV_QPS_RTS);
    CHECK_EQ(rig_state(ini), IBV_QPS_RTR);
    CHECK_EQ(ibv_destroy_qp(ini), 0);
    CHECK_EQ(ibv_destroy_qp(tgt), 0);
    close_setup(&s);
}

static void objects_in_use_stay(void)
{
    struct setup s = open_setup();
    struct ibv_cq *cq = ibv_create_cq(s.rig.ctx, 4, NULL, NULL, 0);
    struct ibv_srq *srq = try_srq(&s.rig, s.xrcd, cq);

    CHECK(srq);
    CHECK_EQ(ibv_close_xrcd(s.xrcd), EBUSY);
    CHECK_EQ(ibv_destroy_cq(cq), EBUSY);
    CHECK_EQ(ibv_destroy_srq(srq), 0);
    CHECK_EQ(ibv_destroy_cq(cq), 0);
    receive(&s, 0, 64, 8);
    CHECK_EQ(request(&s, IBV_WR_SEND, number_of(s.srq[0]), 0, 0), IBV_WC_SUCCESS);
    close_setup(&s);
}

static const struct rig_case cases[] = {
    RIG_CASE(each_message_names_its_srq),
    RIG_CASE(remote_memory_is_that_of_the_srqs_pd),
    RIG_CASE(wrong_srqs_are_refused),
    RIG_CASE(a_message_without_room_fails_on_both_sides),
    RIG_CASE(a_wqe_without_its_srq_fails),
    RIG_CASE(the_domain_of_a_file_needs_the_right_flags),
    RIG_CASE(the_domain_of_a_deleted_file_is_not_joined),
    RIG_CASE(a_pipe_can_name_a_domain),
    RIG_CASE(contexts_share_domains_and_targets),
    RIG_CASE(every_opener_gets_the_events),
    RIG_CASE(a_target_outlives_its_program),
    RIG_CASE(only_targets_of_the_domain_can_be_opened),
    RIG_CASE(transitions_need_the_attributes_of_their_side),
    RIG_CASE(objects_in_use_stay),
};

RIG_MAIN(cases)
