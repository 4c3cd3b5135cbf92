/* The dynamically connected transport: DCIs and DCTs, through libmlx5 and through DevX. */
#include "own_queue.h"

#include <poll.h>

enum { BYTES = 4096, KEY = 0x1234567, ROOM = 64,
       RIGHTS = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC,
       TO_INIT = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT,
       DCT_RTR = IBV_QP_STATE | IBV_QP_MIN_RNR_TIMER | IBV_QP_AV | IBV_QP_PATH_MTU,
       DCI_RTS = IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                 IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_SQ_PSN };

/* ---- helpers -------------------------------------------------------------------------------- */

struct setup {
    struct rig rig;
    struct ibv_cq *cq;          /* for receives */
    struct ibv_srq *srq;
    struct ibv_qp *dci, *dct;
    struct ibv_ah *ah;
    uint8_t *mem;
    struct ibv_mr *mr;
};

static struct ibv_qp *try_dct(struct setup *s, struct ibv_srq *srq, uint64_t key)
{
    struct ibv_qp_init_attr_ex attr = { .send_cq = s->cq, .recv_cq = s->cq, .srq = srq,
        .pd = s->rig.pd, .qp_type = IBV_QPT_DRIVER, .comp_mask = IBV_QP_INIT_ATTR_PD };
    struct mlx5dv_qp_init_attr dv = { .comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC,
        .dc_init_attr = { .dc_type = MLX5DV_DCTYPE_DCT, .dct_access_key = key } };

    return mlx5dv_create_qp(s->rig.ctx, &attr, &dv);
}

static int log_streams = -1, log_failed;     /* of DCIs that try_dci() makes; -1: no streams */

static struct ibv_qp *try_dci(struct setup *s, uint32_t receives)
{
    struct ibv_qp_init_attr_ex attr = { .send_cq = s->rig.cq, .recv_cq = s->rig.cq,
        .pd = s->rig.pd, .qp_type = IBV_QPT_DRIVER,
        .cap = { .max_send_wr = 16, .max_send_sge = 2, .max_recv_wr = receives,
                 .max_recv_sge = receives },
        .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
        .send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM |
            IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM | IBV_QP_EX_WITH_RDMA_READ |
            IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD };
    struct mlx5dv_qp_init_attr dv = { .comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC,
                                      .dc_init_attr = { .dc_type = MLX5DV_DCTYPE_DCI } };

    if (log_streams >= 0) {
        dv.comp_mask |= MLX5DV_QP_INIT_ATTR_MASK_DCI_STREAMS;
        dv.dc_init_attr.dci_streams = (struct mlx5dv_dci_streams){
            .log_num_concurent = (uint8_t)log_streams, .log_num_errored = (uint8_t)log_failed };
    }
    return mlx5dv_create_qp(s->rig.ctx, &attr, &dv);
}

static struct ibv_qp_attr rtr_attr(struct ibv_context *ctx)
{
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024,
        .min_rnr_timer = 1, .ah_attr = { .dlid = 1, .port_num = 1, .is_global = 1 } };

    CHECK_EQ(ibv_query_gid(ctx, 1, 0, &attr.ah_attr.grh.dgid), 0);
    return attr;
}

static void dct_ready(struct ibv_qp *dct, unsigned rights)
{
    struct ibv_qp_attr init = { .qp_state = IBV_QPS_INIT, .port_num = 1,
                                .qp_access_flags = rights };
    struct ibv_qp_attr rtr = rtr_attr(dct->context);

    CHECK_EQ(ibv_modify_qp(dct, &init, TO_INIT | IBV_QP_ACCESS_FLAGS), 0);
    CHECK_EQ(ibv_modify_qp(dct, &rtr, DCT_RTR), 0);
    CHECK(dct->qp_num != 0);
}

static void dci_ready(struct ibv_qp *dci)
{
    struct ibv_qp_attr init = { .qp_state = IBV_QPS_INIT, .port_num = 1 };
    struct ibv_qp_attr rtr = { .qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024 };
    struct ibv_qp_attr rts = { .qp_state = IBV_QPS_RTS, .timeout = 8, .max_rd_atomic = 8 };

    CHECK_EQ(ibv_modify_qp(dci, &init, TO_INIT), 0);
    CHECK_EQ(ibv_modify_qp(dci, &rtr, IBV_QP_STATE | IBV_QP_PATH_MTU), 0);
    CHECK_EQ(ibv_modify_qp(dci, &rts, DCI_RTS), 0);
}

static struct setup open_setup(unsigned rights)
{
    struct setup s = { .rig = rig_open(0) };
    struct ibv_srq_init_attr attr = { .attr = { 16, 1, 0 } };
    struct ibv_qp_attr path = rtr_attr(s.rig.ctx);

    s.cq = ibv_create_cq(s.rig.ctx, 16, NULL, NULL, 0);
    s.srq = ibv_create_srq(s.rig.pd, &attr);
    s.ah = ibv_create_ah(s.rig.pd, &path.ah_attr);
    s.mem = rig_memory(BYTES);
    s.mr = ibv_reg_mr(s.rig.pd, s.mem, BYTES, RIGHTS | IBV_ACCESS_LOCAL_WRITE);
    CHECK(s.cq && s.srq && s.ah && s.mr);
    s.dct = try_dct(&s, s.srq, KEY);
    s.dci = try_dci(&s, 0);
    CHECK(s.dct && s.dci);
    dct_ready(s.dct, rights);
    dci_ready(s.dci);
    return s;
}

static void close_setup(struct setup *s)
{
    CHECK_EQ(ibv_destroy_qp(s->dci), 0);
    if (s->dct)
        CHECK_EQ(ibv_destroy_qp(s->dct), 0);
    CHECK_EQ(ibv_destroy_ah(s->ah), 0);
    CHECK_EQ(ibv_destroy_srq(s->srq), 0);
    CHECK_EQ(ibv_destroy_cq(s->cq), 0);
    CHECK_EQ(ibv_dereg_mr(s->mr), 0);
    rig_close(&s->rig);
    free(s->mem);
}

static void receive(struct setup *s, struct ibv_srq *srq, uint32_t bytes)
{
    struct ibv_sge sge = { (uintptr_t)s->mem + ROOM, bytes, s->mr->lkey };
    struct ibv_recv_wr wr = { .wr_id = 9, .sg_list = &sge, .num_sge = 1 }, *bad;

    CHECK_EQ(ibv_post_srq_recv(srq, &wr, &bad), 0);
}

/* Post a request over 8 bytes of the start of the memory, and return its status. RDMA and atomics
 * access the word at ROOM. */
static enum ibv_wc_status request(struct setup *s, enum ibv_wr_opcode opcode, uint32_t dctn,
                                  uint64_t key)
{
    struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(s->dci);
    uint64_t remote = (uintptr_t)s->mem + ROOM;

    ibv_wr_start(ex);
    ex->wr_flags = IBV_SEND_SIGNALED;
    switch ((unsigned)opcode) {
    case IBV_WR_SEND: ibv_wr_send(ex); break;
    case IBV_WR_SEND_WITH_IMM: ibv_wr_send_imm(ex, htobe32(0x77)); break;
    case IBV_WR_RDMA_WRITE: ibv_wr_rdma_write(ex, s->mr->rkey, remote); break;
    case IBV_WR_RDMA_WRITE_WITH_IMM:
        ibv_wr_rdma_write_imm(ex, s->mr->rkey, remote, htobe32(0x77));
        break;
    case IBV_WR_RDMA_READ: ibv_wr_rdma_read(ex, s->mr->rkey, remote); break;
    default: ibv_wr_atomic_fetch_add(ex, s->mr->rkey, remote, 5);
    }
    mlx5dv_wr_set_dc_addr(mlx5dv_qp_ex_from_ibv_qp_ex(ex), s->ah, dctn, key);
    ibv_wr_set_sge(ex, s->mr->lkey, (uintptr_t)s->mem, 8);
    CHECK_EQ(ibv_wr_complete(ex), 0);
    return rig_poll(s->rig.cq).status;
}

static void dci_again(struct setup *s)
{
    struct ibv_qp_attr reset = { .qp_state = IBV_QPS_RESET };

    CHECK_EQ(rig_state(s->dci), IBV_QPS_ERR);
    CHECK_EQ(ibv_modify_qp(s->dci, &reset, IBV_QP_STATE), 0);
    dci_ready(s->dci);
}

/* ---- cases: requests ------------------------------------------------------------------------ */

static void each_request_names_its_dct(void)
{
    struct setup s = open_setup(RIGHTS);
    struct ibv_srq_init_attr attr = { .attr = { 16, 1, 0 } };
    struct ibv_srq *srq[2] = { s.srq, ibv_create_srq(s.rig.pd, &attr) };
    struct ibv_qp *dct[2] = { s.dct, try_dct(&s, srq[1], ~0ull - KEY) };
    uint64_t key[2] = { KEY, ~0ull - KEY };

    CHECK(dct[1]);
    dct_ready(dct[1], 0);
    CHECK(dct[0]->qp_num != dct[1]->qp_num);
    for (int round = 0; round < 4; round++) {
        int to = round % 2;
        struct ibv_wc wc;

        memset(s.mem, 0x30 + round, 8);
        receive(&s, srq[to], 8);
        CHECK_EQ(request(&s, round < 2 ? IBV_WR_SEND : IBV_WR_SEND_WITH_IMM, dct[to]->qp_num,
                         key[to]), IBV_WC_SUCCESS);
        wc = rig_poll(s.cq);
        CHECK_EQ(wc.status, IBV_WC_SUCCESS);
        CHECK_EQ(wc.wr_id, 9);
        CHECK_EQ(wc.byte_len, 8);
        CHECK_EQ(wc.qp_num, dct[to]->qp_num);
        CHECK_EQ(wc.src_qp, s.dci->qp_num);
        if (round >= 2)
            CHECK_EQ(be32toh(wc.imm_data), 0x77);
        CHECK_EQ(memcmp(s.mem, s.mem + ROOM, 8), 0);
    }
    CHECK_EQ(ibv_destroy_qp(dct[1]), 0);
    CHECK_EQ(ibv_destroy_srq(srq[1]), 0);
    close_setup(&s);
}

static void dct_grants_its_rights(void)
{
    static const enum ibv_wr_opcode opcodes[] = { IBV_WR_RDMA_WRITE, IBV_WR_RDMA_READ,
                                                  IBV_WR_ATOMIC_FETCH_AND_ADD };
    static const unsigned rights[] = { IBV_ACCESS_REMOTE_WRITE, IBV_ACCESS_REMOTE_READ,
                                       IBV_ACCESS_REMOTE_ATOMIC };

    for (int i = 0; i < 3; i++)
        for (int without = 0; without < 2; without++) {
            struct setup s = open_setup(without ? RIGHTS & ~rights[i] : rights[i]);
            uint64_t *words = (uint64_t *)(void *)s.mem;

            words[0] = 3;
            words[ROOM / 8] = 4;
            CHECK_EQ(request(&s, opcodes[i], s.dct->qp_num, KEY),
                     without ? IBV_WC_REM_INV_REQ_ERR : IBV_WC_SUCCESS);
            CHECK_EQ(words[0], i == 0 || without ? 3 : 4);
            CHECK_EQ(words[ROOM / 8], without || i == 1 ? 4 : i == 0 ? 3 : 9);
            if (without)        /* the DCT stays usable */
                dci_again(&s);
            receive(&s, s.srq, 8);
            CHECK_EQ(request(&s, IBV_WR_SEND, s.dct->qp_num, KEY), IBV_WC_SUCCESS);
            CHECK_EQ(rig_poll(s.cq).status, IBV_WC_SUCCESS);
            close_setup(&s);
        }
}

static void write_with_immediate_takes_a_receive(void)
{
    struct setup s = open_setup(RIGHTS);
    struct ibv_wc wc;

    receive(&s, s.srq, 8);
    memset(s.mem, 0x21, 8);
    CHECK_EQ(request(&s, IBV_WR_RDMA_WRITE_WITH_IMM, s.dct->qp_num, KEY), IBV_WC_SUCCESS);
    wc = rig_poll(s.cq);
    CHECK_EQ(wc.opcode, IBV_WC_RECV_RDMA_WITH_IMM);
    CHECK_EQ(be32toh(wc.imm_data), 0x77);
    CHECK_EQ(s.mem[ROOM], 0x21);
    close_setup(&s);
}

static bool is_readable(int fd, int ms)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };

    return poll(&p, 1, ms) == 1;
}

/* Verbs have no event for a wrong key. Subscribers of DevX get an event; see below. */
static void wrong_key_is_refused(void)
{
    struct setup s = open_setup(RIGHTS);

    receive(&s, s.srq, 8);
    CHECK_EQ(request(&s, IBV_WR_SEND, s.dct->qp_num, KEY + 1), IBV_WC_REM_ACCESS_ERR);
    dci_again(&s);
    /* only the upper half of the key differs */
    CHECK_EQ(request(&s, IBV_WR_SEND, s.dct->qp_num, KEY | 1ull << 40), IBV_WC_REM_ACCESS_ERR);
    dci_again(&s);
    CHECK(!is_readable(s.rig.ctx->async_fd, 0));
    CHECK_EQ(request(&s, IBV_WR_SEND, s.dct->qp_num, KEY), IBV_WC_SUCCESS);
    CHECK_EQ(rig_poll(s.cq).status, IBV_WC_SUCCESS);
    close_setup(&s);
}

/* A number that is not used, the number of the DCI, and the number of a destroyed DCT. */
static void missing_dct_does_not_answer(void)
{
    struct setup s = open_setup(RIGHTS);
    uint32_t dctn = s.dct->qp_num;

    CHECK_EQ(request(&s, IBV_WR_SEND, 0xfffff0, KEY), IBV_WC_RETRY_EXC_ERR);
    dci_again(&s);
    CHECK_EQ(request(&s, IBV_WR_SEND, s.dci->qp_num, KEY), IBV_WC_RETRY_EXC_ERR);
    dci_again(&s);
    CHECK_EQ(ibv_destroy_qp(s.dct), 0);
    s.dct = NULL;
    CHECK_EQ(request(&s, IBV_WR_SEND, dctn, KEY), IBV_WC_RETRY_EXC_ERR);
    close_setup(&s);
}

static void message_without_room_fails(void)
{
    struct setup s = open_setup(RIGHTS);

    CHECK_EQ(request(&s, IBV_WR_SEND, s.dct->qp_num, KEY), IBV_WC_RNR_RETRY_EXC_ERR);
    dci_again(&s);
    receive(&s, s.srq, 4);
    CHECK_EQ(request(&s, IBV_WR_SEND, s.dct->qp_num, KEY), IBV_WC_REM_INV_REQ_ERR);
    CHECK_EQ(rig_poll(s.cq).status, IBV_WC_LOC_LEN_ERR);
    dci_again(&s);
    receive(&s, s.srq, 8);
    CHECK_EQ(request(&s, IBV_WR_SEND, s.dct->qp_num, KEY), IBV_WC_SUCCESS);
    close_setup(&s);
}

/* WQEs that end before the address vector, and in its second part. */
static void wqe_without_an_address_fails(void)
{
    for (unsigned ds = 1; ds < 4; ds++) {
        struct setup s = open_setup(RIGHTS);
        struct mlx5dv_qp dv = { 0 };
        struct mlx5dv_obj obj = { .qp = { .in = s.dci, .out = &dv } };
        uint8_t *wqe;

        CHECK_EQ(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP), 0);
        wqe = dv.sq.buf;
        memset(wqe, 0, 64);
        put(wqe, 24, 8, 0x0a);
        put(wqe, 32, 24, s.dci->qp_num);
        put(wqe, 56, 8, ds);
        put(wqe, 88, 8, 8);
        put(wqe + 16, 64, 1, 1);        /* the long form of the address vector */
        __atomic_store_n((uint32_t *)(void *)&dv.dbrec[1], htobe32(1), __ATOMIC_RELEASE);
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
        *(volatile uint64_t *)dv.bf.reg = *(uint64_t *)(void *)wqe;
        CHECK_EQ(rig_poll(s.rig.cq).status, IBV_WC_LOC_QP_OP_ERR);
        close_setup(&s);
    }
}

/* ---- cases: objects ------------------------------------------------------------------------- */

static void transitions_are_those_of_dc(void)
{
    struct setup s = open_setup(RIGHTS);
    struct ibv_qp *dct = try_dct(&s, s.srq, KEY), *dci = try_dci(&s, 0);
    struct ibv_qp_attr init = { .qp_state = IBV_QPS_INIT, .port_num = 1 };
    struct ibv_qp_attr rtr = rtr_attr(s.rig.ctx), rts = { .qp_state = IBV_QPS_RTS };
    struct ibv_qp_attr err = { .qp_state = IBV_QPS_ERR }, query;
    struct ibv_qp_init_attr unused;

    CHECK(dct && dci);
    CHECK_EQ(ibv_modify_qp(dct, &rtr, DCT_RTR), EINVAL);
    CHECK_EQ(ibv_modify_qp(dct, &init, TO_INIT), EINVAL);       /* without rights */
    CHECK_EQ(ibv_modify_qp(dct, &init, TO_INIT | IBV_QP_ACCESS_FLAGS), 0);
    CHECK_EQ(ibv_modify_qp(dct, &rtr, DCT_RTR & ~IBV_QP_MIN_RNR_TIMER), EINVAL);
    CHECK_EQ(ibv_query_qp(dct, &query, IBV_QP_STATE, &unused), EINVAL);
    rtr.ah_attr.grh.sgid_index = 200;
    CHECK_EQ(ibv_modify_qp(dct, &rtr, DCT_RTR), EINVAL);
    rtr.ah_attr.grh.sgid_index = 0;
    CHECK_EQ(ibv_modify_qp(dct, &rtr, DCT_RTR), 0);
    CHECK_EQ(rig_state(dct), IBV_QPS_RTR);
    CHECK_EQ(ibv_modify_qp(dct, &rts, DCI_RTS), EINVAL);
    CHECK_EQ(ibv_modify_qp(dct, &err, IBV_QP_STATE), EINVAL);
    CHECK_EQ(rig_state(dct), IBV_QPS_RTR);

    CHECK_EQ(ibv_modify_qp(dci, &err, IBV_QP_STATE), EINVAL);
    CHECK_EQ(ibv_modify_qp(dci, &init, TO_INIT | IBV_QP_ACCESS_FLAGS), EINVAL);
    CHECK_EQ(ibv_modify_qp(dci, &init, TO_INIT), 0);
    CHECK_EQ(ibv_modify_qp(dci, &rtr, IBV_QP_STATE | IBV_QP_AV), EINVAL);
    CHECK_EQ(ibv_modify_qp(dci, &rtr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU), 0);
    CHECK_EQ(ibv_modify_qp(dci, &rts, IBV_QP_STATE | IBV_QP_SQ_PSN), EINVAL);
    CHECK_EQ(ibv_modify_qp(dci, &rts, DCI_RTS), 0);
    CHECK_EQ(rig_state(dci), IBV_QPS_RTS);
    CHECK_EQ(ibv_destroy_qp(dci), 0);
    CHECK_EQ(ibv_destroy_qp(dct), 0);
    close_setup(&s);
}

static void objects_in_use_stay_and_wrong_ones_are_refused(void)
{
    struct setup s = open_setup(RIGHTS);
    struct ibv_srq_init_attr attr = { .attr = { 16, 1, 0 } };
    struct ibv_srq *srq = ibv_create_srq(s.rig.pd, &attr);
    struct ibv_qp *dct = try_dct(&s, srq, KEY);

    CHECK(dct);
    CHECK(!try_dct(&s, NULL, KEY) && errno == EINVAL);
    CHECK(!try_dci(&s, 4) && errno == EINVAL);
    CHECK_EQ(ibv_destroy_srq(srq), EBUSY);      /* also before the device has the DCT */
    CHECK_EQ(ibv_destroy_qp(dct), 0);
    CHECK_EQ(ibv_destroy_srq(srq), 0);
    CHECK_EQ(ibv_destroy_srq(s.srq), EBUSY);
    close_setup(&s);
}

/* ---- cases: streams ------------------------------------------------------------------------- */

/* Post a write from memory with this key in a stream, and return its status. */
static enum ibv_wc_status write_in(struct setup *s, uint16_t stream, uint32_t lkey)
{
    struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(s->dci);

    ibv_wr_start(ex);
    ex->wr_flags = IBV_SEND_SIGNALED;
    ibv_wr_rdma_write(ex, s->mr->rkey, (uintptr_t)s->mem + ROOM);
    mlx5dv_wr_set_dc_addr_stream(mlx5dv_qp_ex_from_ibv_qp_ex(ex), s->ah, s->dct->qp_num, KEY,
                                 stream);
    ibv_wr_set_sge(ex, lkey, (uintptr_t)s->mem, 8);
    CHECK_EQ(ibv_wr_complete(ex), 0);
    return rig_poll(s->rig.cq).status;
}

static struct setup open_streams(int streams, int failed)
{
    struct setup s;

    log_streams = streams;
    log_failed = failed;
    s = open_setup(RIGHTS);
    log_streams = -1;
    return s;
}

static void failed_stream_is_flushed_until_its_reset(void)
{
    struct setup s = open_streams(3, 2);
    uint32_t good = s.mr->lkey, bad = s.mr->lkey ^ 0x10000;

    CHECK_EQ(write_in(&s, 1, good), IBV_WC_SUCCESS);
    CHECK_EQ(write_in(&s, 1, bad), IBV_WC_LOC_PROT_ERR);
    CHECK_EQ(rig_state(s.dci), IBV_QPS_RTS);
    CHECK_EQ(write_in(&s, 1, good), IBV_WC_WR_FLUSH_ERR);
    CHECK_EQ(write_in(&s, 2, good), IBV_WC_SUCCESS);
    CHECK(mlx5dv_dci_stream_id_reset(s.dci, 2) != 0);
    CHECK_EQ(write_in(&s, 1, good), IBV_WC_WR_FLUSH_ERR);
    CHECK_EQ(mlx5dv_dci_stream_id_reset(s.dci, 1), 0);
    CHECK(mlx5dv_dci_stream_id_reset(s.dci, 1) != 0);
    CHECK_EQ(write_in(&s, 1, good), IBV_WC_SUCCESS);
    close_setup(&s);
}

static void dci_fails_with_its_limit_of_failed_streams(void)
{
    struct setup s = open_streams(3, 1);
    uint32_t bad = s.mr->lkey ^ 0x10000;

    CHECK_EQ(write_in(&s, 1, bad), IBV_WC_LOC_PROT_ERR);
    CHECK_EQ(rig_state(s.dci), IBV_QPS_RTS);
    CHECK_EQ(write_in(&s, 2, bad), IBV_WC_LOC_PROT_ERR);
    dci_again(&s);              /* the reset also resets the streams */
    CHECK_EQ(write_in(&s, 1, s.mr->lkey), IBV_WC_SUCCESS);
    CHECK_EQ(write_in(&s, 1, bad), IBV_WC_LOC_PROT_ERR);
    CHECK_EQ(rig_state(s.dci), IBV_QPS_RTS);
    close_setup(&s);
    s = open_streams(3, 0);
    CHECK_EQ(write_in(&s, 1, s.mr->lkey ^ 0x10000), IBV_WC_LOC_PROT_ERR);
    CHECK_EQ(rig_state(s.dci), IBV_QPS_ERR);
    close_setup(&s);
}

static void more_streams_than_announced_are_refused(void)
{
    struct setup s = open_setup(RIGHTS);
    struct mlx5dv_context dv = { .comp_mask = MLX5DV_CONTEXT_MASK_DCI_STREAMS };
    struct ibv_qp *dci;

    CHECK_EQ(mlx5dv_query_device(s.rig.ctx, &dv), 0);
    CHECK(dv.comp_mask & MLX5DV_CONTEXT_MASK_DCI_STREAMS);
    log_streams = dv.dci_streams_caps.max_log_num_concurent;
    log_failed = dv.dci_streams_caps.max_log_num_errored;
    CHECK(log_streams > 0 && log_failed > 0);
    dci = try_dci(&s, 0);
    CHECK(dci);
    CHECK_EQ(ibv_destroy_qp(dci), 0);
    log_streams++;
    CHECK(!try_dci(&s, 0) && errno == EINVAL);
    log_streams--;
    log_failed++;
    CHECK(!try_dci(&s, 0) && errno == EINVAL);
    log_streams = -1;
    close_setup(&s);
}

/* ---- cases: DevX ---------------------------------------------------------------------------- */

static uint32_t number_of(void *in, uint64_t type)
{
    struct mlx5dv_srq srq = { .comp_mask = MLX5DV_SRQ_MASK_SRQN };
    struct mlx5dv_cq cq = { 0 };
    struct mlx5dv_obj obj = { .srq = { .in = in, .out = &srq }, .cq = { .in = in, .out = &cq } };

    CHECK_EQ(mlx5dv_init_obj(&obj, type), 0);
    return type == MLX5DV_OBJ_SRQ ? srq.srqn : cq.cqn;
}

/* The bits of a DCT context after its offset 0x80 in CREATE_DCT. */
enum { USER_INDEX = 0x28, CQN = 0x48, RRE = 0x6c, RWE = 0x6d, RAE = 0x6e, RNR = 0x93, SRQN = 0xa8,
       PD = 0xc8, DC_KEY = 0x100, MTU = 0x145, PORT = 0x148 };

static void fill_dct(struct setup *s, uint8_t in[0x80])
{
    memset(in, 0, 0x80);
    put(in, 0, 16, 0x710);
    put(in, 0x80 + USER_INDEX, 24, 0x12345);
    put(in, 0x80 + CQN, 24, number_of(s->cq, MLX5DV_OBJ_CQ));
    put(in, 0x80 + RWE, 1, 1);
    put(in, 0x80 + RNR, 5, 1);
    put(in, 0x80 + SRQN, 24, number_of(s->srq, MLX5DV_OBJ_SRQ));
    put(in, 0x80 + PD, 24, s->rig.pdn);
    put(in, 0x80 + DC_KEY, 64, KEY);
    put(in, 0x80 + MTU, 3, 3);
    put(in, 0x80 + PORT, 8, 1);
}

/* Send a command of 16 bytes through a handle. Return the status of the device. */
static unsigned command(struct mlx5dv_devx_obj *obj, bool query, unsigned opcode, uint32_t number,
                        uint8_t out[0x110])
{
    uint8_t in[16] = { 0 };
    int err;

    memset(out, 0, 0x110);
    put(in, 0, 16, opcode);
    put(in, 0x48, 24, number);
    err = query ? mlx5dv_devx_obj_query(obj, in, sizeof(in), out, 0x110)
                : mlx5dv_devx_obj_modify(obj, in, sizeof(in), out, 0x110);
    CHECK(err == 0 || out[0] != 0);
    return out[0];
}

static void devx_makes_drains_and_queries_dcts(void)
{
    struct setup s = open_setup(RIGHTS);
    uint8_t in[0x80], out[0x110] = { 0 };
    struct mlx5dv_devx_obj *obj;
    uint32_t dctn;

    fill_dct(&s, in);
    obj = mlx5dv_devx_obj_create(s.rig.ctx, in, sizeof(in), out, 16);
    CHECK(obj);
    dctn = (uint32_t)get(out, 0x48, 24);
    CHECK_EQ(request(&s, IBV_WR_RDMA_WRITE, dctn, KEY), IBV_WC_SUCCESS);
    CHECK_EQ(request(&s, IBV_WR_RDMA_READ, dctn, KEY), IBV_WC_REM_INV_REQ_ERR);
    dci_again(&s);
    CHECK_EQ(command(obj, true, 0x713, dctn, out), 0);
    CHECK_EQ(get(out, 0x80 + 4, 4), 0);
    CHECK_EQ(get(out, 0x80 + USER_INDEX, 24), 0x12345);
    CHECK_EQ(get(out, 0x80 + CQN, 24), number_of(s.cq, MLX5DV_OBJ_CQ));
    CHECK_EQ(get(out, 0x80 + RRE, 3), 2);
    CHECK_EQ(get(out, 0x80 + SRQN, 24), number_of(s.srq, MLX5DV_OBJ_SRQ));
    CHECK_EQ(get(out, 0x80 + PD, 24), s.rig.pdn);
    CHECK_EQ(get(out, 0x80 + DC_KEY, 64), KEY);
    CHECK_EQ(get(out, 0x80 + MTU, 3), 3);
    CHECK_EQ(get(out, 0x80 + PORT, 8), 1);
    CHECK(command(obj, true, 0x50b, dctn, out) != 0);   /* QUERY_QP of a DCT */
    CHECK(command(obj, false, 0x502, dctn, out) != 0);  /* RST2INIT_QP of a DCT */
    CHECK_EQ(command(obj, false, 0x712, dctn, out), 0);
    CHECK(command(obj, false, 0x712, dctn, out) != 0);  /* drain it again */
    CHECK_EQ(command(obj, true, 0x713, dctn, out), 0);
    CHECK_EQ(get(out, 0x80 + 4, 4), 2);
    CHECK_EQ(request(&s, IBV_WR_RDMA_WRITE, dctn, KEY), IBV_WC_RETRY_EXC_ERR);
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    close_setup(&s);
}

static void subscribers_get_an_event_for_a_wrong_key(void)
{
    enum { KEY_VIOLATION = 0x1d, EQE = 64, DCTN_AT = 0x20 + 0x18 };
    struct setup s = open_setup(RIGHTS);
    uint8_t in[0x80], out[16] = { 0 };
    uint16_t type = KEY_VIOLATION;
    struct mlx5dv_devx_event_channel *channel;
    struct mlx5dv_devx_obj *obj;
    union {
        struct mlx5dv_devx_async_event_hdr hdr;
        uint8_t bytes[sizeof(struct mlx5dv_devx_async_event_hdr) + EQE];
    } event;
    const uint8_t *eqe = event.bytes + sizeof(event.hdr);

    fill_dct(&s, in);
    obj = mlx5dv_devx_obj_create(s.rig.ctx, in, sizeof(in), out, sizeof(out));
    channel = mlx5dv_devx_create_event_channel(s.rig.ctx, 0);
    CHECK(obj && channel);
    CHECK_EQ(mlx5dv_devx_subscribe_devx_event(channel, obj, sizeof(type), &type, 5), 0);
    CHECK_EQ(request(&s, IBV_WR_SEND, (uint32_t)get(out, 0x48, 24), KEY + 1),
             IBV_WC_REM_ACCESS_ERR);
    CHECK(is_readable(channel->fd, 2000));
    CHECK_EQ(mlx5dv_devx_get_event(channel, &event.hdr, sizeof(event)), sizeof(event));
    CHECK_EQ(event.hdr.cookie, 5);
    CHECK_EQ(eqe[1], KEY_VIOLATION);
    CHECK_EQ(get(eqe, 8 * DCTN_AT + 8, 24), get(out, 0x48, 24));
    CHECK(!is_readable(s.rig.ctx->async_fd, 0));
    mlx5dv_devx_destroy_event_channel(channel);
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    close_setup(&s);
}

static void devx_refuses_wrong_dcts(void)
{
    static const struct { unsigned bit, width; } wrong[] = {
        { 0x80 + CQN, 24 }, { 0x80 + SRQN, 24 }, { 0x80 + PD, 24 }, { 0x80 + MTU, 3 },
        { 0x80 + PORT, 8 } };
    struct setup s = open_setup(RIGHTS);
    uint8_t in[0x80], out[16];

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        for (unsigned all = 0; all < 2; all++) {
            fill_dct(&s, in);
            put(in, wrong[i].bit, wrong[i].width, all ? ~0ull : 0);
            memset(out, 0, sizeof(out));
            CHECK(!mlx5dv_devx_obj_create(s.rig.ctx, in, sizeof(in), out, sizeof(out)));
            CHECK(out[0] != 0);
        }
    fill_dct(&s, in);
    CHECK(!mlx5dv_devx_obj_create(s.rig.ctx, in, 0x40, out, sizeof(out)));
    CHECK_EQ(out[0], 0x50);
    close_setup(&s);
}

/* Ranges of QP numbers that programs reserve do not overlap, and the device does not use them. */
static void reserved_numbers_are_not_those_of_qps(void)
{
    struct setup s = open_setup(RIGHTS);
    struct mlx5dv_devx_obj *range[3];
    uint8_t in[16] = { 0 }, out[16] = { 0 };
    uint64_t first[3];

    put(in, 0, 16, 0xa00);
    put(in, 0x30, 16, 0x2c);
    put(in, 0x63, 5, 6);
    for (int i = 0; i < 3; i++) {
        range[i] = mlx5dv_devx_obj_create(s.rig.ctx, in, sizeof(in), out, sizeof(out));
        CHECK(range[i]);
        first[i] = get(out, 0x40, 32);
        CHECK_EQ(first[i] % 64, 0);
        CHECK(first[i] + 64 <= 1 << 24);
        CHECK(i == 0 || first[i] != first[i - 1]);
        CHECK(s.dci->qp_num < first[i] || s.dci->qp_num >= first[i] + 64);
    }
    CHECK(first[0] != first[2]);
    CHECK_EQ(request(&s, IBV_WR_SEND, (uint32_t)first[0], KEY), IBV_WC_RETRY_EXC_ERR);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(mlx5dv_devx_obj_destroy(range[i]), 0);
    put(in, 0x60, 1, 1);                /* an alias of a range */
    CHECK(!mlx5dv_devx_obj_create(s.rig.ctx, in, sizeof(in), out, sizeof(out)));
    put(in, 0x60, 1, 0);
    put(in, 0x63, 5, 0);                /* a range of one number */
    CHECK(!mlx5dv_devx_obj_create(s.rig.ctx, in, sizeof(in), out, sizeof(out)));
    close_setup(&s);
}

/* CREATE_QP and QUERY_QP number the transports alike. XRC QPs cannot be made by this command. */
static void devx_numbers_the_transports(void)
{
    static const struct { unsigned transport; bool made; } tries[] = {
        { 0, true }, { 1, true }, { 2, true }, { 3, false }, { 4, false }, { 5, true },
        { 6, false }, { 7, false }, { 0xff, false } };
    struct rig rig = rig_open(0);
    struct own_queue q = own_open(&rig, false);

    for (size_t i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
        uint8_t in[16] = { 0 }, out[0x110] = { 0 };

        CHECK_EQ(mlx5dv_devx_obj_destroy(q.qp), 0);
        own_transport = tries[i].transport;
        CHECK_EQ(own_try_qp(&q, false), tries[i].made);
        own_transport = 0;
        if (!tries[i].made) {
            own_qp(&q, false);
            continue;
        }
        put(in, 0, 16, 0x50b);
        put(in, 0x48, 24, q.qpn);
        CHECK_EQ(mlx5dv_devx_obj_query(q.qp, in, sizeof(in), out, sizeof(out)), 0);
        CHECK_EQ(get(out, 0xc0 + 0x08, 8), tries[i].transport);
    }
    own_close(&q);
    rig_close(&rig);
}

static const struct rig_case cases[] = {
    RIG_CASE(each_request_names_its_dct),
    RIG_CASE(dct_grants_its_rights),
    RIG_CASE(write_with_immediate_takes_a_receive),
    RIG_CASE(wrong_key_is_refused),
    RIG_CASE(missing_dct_does_not_answer),
    RIG_CASE(message_without_room_fails),
    RIG_CASE(wqe_without_an_address_fails),
    RIG_CASE(transitions_are_those_of_dc),
    RIG_CASE(objects_in_use_stay_and_wrong_ones_are_refused),
    RIG_CASE(failed_stream_is_flushed_until_its_reset),
    RIG_CASE(dci_fails_with_its_limit_of_failed_streams),
    RIG_CASE(more_streams_than_announced_are_refused),
    RIG_CASE(devx_makes_drains_and_queries_dcts),
    RIG_CASE(subscribers_get_an_event_for_a_wrong_key),
    RIG_CASE(devx_refuses_wrong_dcts),
    RIG_CASE(devx_numbers_the_transports),
    RIG_CASE(reserved_numbers_are_not_those_of_qps),
};

RIG_MAIN(cases)
