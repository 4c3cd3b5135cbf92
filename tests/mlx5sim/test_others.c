/* Less common features: datagrams, unreliable connections, CQEs of 128 bytes, memory windows,
 * mappings of addresses to QPs. */
#include "rig.h"

enum { LEN = 8192, QKEY = 0x1234, GRH = 40 };

struct fixture {
    struct rig rig;
    uint8_t *mem;
    struct ibv_mr *mr;
};

static struct fixture setup(void)
{
    struct fixture f = { .rig = rig_open(0), .mem = rig_memory(LEN) };

    f.mr = ibv_reg_mr(f.rig.pd, f.mem, LEN,
                      IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_MW_BIND);
    CHECK(f.mr);
    rig_fill(f.mem, LEN, 11);
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

/* ---- datagrams ------------------------------------------------------------------------------ */

static struct ibv_qp *unconnected(struct fixture *f, enum ibv_qp_type type)
{
    struct ibv_qp_init_attr init = { .send_cq = f->rig.cq, .recv_cq = f->rig.cq, .qp_type = type,
        .cap = { .max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1, .max_recv_sge = 1 } };
    struct ibv_qp *qp = ibv_create_qp(f->rig.pd, &init);

    CHECK(qp);
    return qp;
}

static struct ibv_qp *datagram(struct fixture *f, uint32_t qkey)
{
    struct ibv_qp *qp = unconnected(f, IBV_QPT_UD);
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = qkey };

    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
                           IBV_QP_QKEY), 0);
    attr.qp_state = IBV_QPS_RTR;
    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE), 0);
    attr.qp_state = IBV_QPS_RTS;
    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_SQ_PSN), 0);
    return qp;
}

static enum ibv_wc_status send_datagram(struct fixture *f, struct ibv_qp *from, struct ibv_ah *ah,
                                        uint32_t to, uint32_t qkey, uint32_t len)
{
    struct ibv_sge sge = { (uintptr_t)f->mem, len, f->mr->lkey };
    struct ibv_send_wr wr = { .wr_id = 7, .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND,
        .send_flags = IBV_SEND_SIGNALED,
        .wr.ud = { .ah = ah, .remote_qpn = to, .remote_qkey = qkey } };
    struct ibv_send_wr *bad;
    struct ibv_wc wc;

    CHECK_EQ(ibv_post_send(from, &wr, &bad), 0);
    do
        wc = rig_poll(f->rig.cq);
    while (wc.wr_id != 7);
    return wc.status;
}

static void a_datagram_reports_its_sender(void)
{
    struct fixture f = setup();
    struct ibv_qp *a = datagram(&f, QKEY), *b = datagram(&f, QKEY);
    struct ibv_ah_attr attr = { .dlid = 1, .port_num = 1, .is_global = 1,
                                .grh = { .hop_limit = 9 } };
    struct ibv_port_attr port;
    struct ibv_ah *ah;
    struct ibv_wc wc[2];
    union ibv_gid gid;

    CHECK_EQ(ibv_query_gid(f.rig.ctx, 1, 0, &gid), 0);
    CHECK_EQ(ibv_query_port(f.rig.ctx, 1, &port), 0);
    attr.grh.dgid = gid;
    ah = ibv_create_ah(f.rig.pd, &attr);
    CHECK(ah);
    rig_post_receive(b, side(&f, 4096, GRH + 100), 1);
    {
        struct ibv_sge sge = { (uintptr_t)f.mem, 100, f.mr->lkey };
        struct ibv_send_wr wr = { .wr_id = 7, .sg_list = &sge, .num_sge = 1,
            .opcode = IBV_WR_SEND_WITH_IMM, .imm_data = htobe32(0xfeed),
            .send_flags = IBV_SEND_SIGNALED,
            .wr.ud = { .ah = ah, .remote_qpn = b->qp_num, .remote_qkey = QKEY } };
        struct ibv_send_wr *bad;

        CHECK_EQ(ibv_post_send(a, &wr, &bad), 0);
    }
    wc[0] = rig_poll(f.rig.cq);
    wc[1] = rig_poll(f.rig.cq);
    if (wc[0].wr_id == 7)
        wc[0] = wc[1];
    CHECK_EQ(wc[0].status, IBV_WC_SUCCESS);
    CHECK_EQ(wc[0].byte_len, GRH + 100);
    CHECK_EQ(wc[0].src_qp, a->qp_num);
    CHECK_EQ(wc[0].slid, port.lid);
    CHECK_EQ(wc[0].wc_flags, IBV_WC_GRH | IBV_WC_WITH_IMM);
    CHECK_EQ(be32toh(wc[0].imm_data), 0xfeed);
    CHECK_EQ(f.mem[4096] >> 4, 6);
    CHECK(memcmp(f.mem + 4096 + 8, &gid, 16) == 0 && memcmp(f.mem + 4096 + 24, &gid, 16) == 0);
    CHECK_EQ(f.mem[4096 + 7], 9);
    CHECK(memcmp(f.mem + 4096 + GRH, f.mem, 100) == 0);
    CHECK_EQ(ibv_destroy_ah(ah), 0);
    ibv_destroy_qp(a);
    ibv_destroy_qp(b);
    teardown(&f);
}

static void a_datagram_without_a_receiver_is_lost(void)
{
    struct fixture f = setup();
    struct ibv_qp *a = datagram(&f, QKEY), *b = datagram(&f, QKEY);
    struct ibv_ah_attr attr = { .dlid = 1, .port_num = 1 };
    struct ibv_ah *ah = ibv_create_ah(f.rig.pd, &attr);

    CHECK(ah);
    /* no receive is posted; then the key is wrong; then the queue pair does not exist */
    CHECK_EQ(send_datagram(&f, a, ah, b->qp_num, QKEY, 64), IBV_WC_SUCCESS);
    rig_post_receive(b, side(&f, 4096, GRH + 64), 1);
    CHECK_EQ(send_datagram(&f, a, ah, b->qp_num, QKEY + 1, 64), IBV_WC_SUCCESS);
    CHECK_EQ(send_datagram(&f, a, ah, 0xfffff0, QKEY, 64), IBV_WC_SUCCESS);
    CHECK(rig_silent(f.rig.cq, 0.02));
    CHECK_EQ(send_datagram(&f, a, ah, b->qp_num, QKEY, 4097), IBV_WC_LOC_LEN_ERR);
    CHECK_EQ(rig_state(a), IBV_QPS_SQE);
    CHECK_EQ(rig_state(b), IBV_QPS_RTS);
    CHECK_EQ(ibv_destroy_ah(ah), 0);
    ibv_destroy_qp(a);
    ibv_destroy_qp(b);
    teardown(&f);
}

static void an_unreliable_write_to_a_wrong_key_is_lost(void)
{
    struct fixture f = setup();
    struct ibv_qp *qp = unconnected(&f, IBV_QPT_UC);
    const struct rig_qp_options options = { .access = IBV_ACCESS_REMOTE_WRITE };
    struct ibv_qp_attr rtr = { .qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024,
        .dest_qp_num = qp->qp_num, .ah_attr = { .dlid = 1, .port_num = 1 } };
    struct ibv_qp_attr rts = { .qp_state = IBV_QPS_RTS };

    rig_init(qp, &options);
    CHECK_EQ(ibv_modify_qp(qp, &rtr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
                           IBV_QP_DEST_QPN | IBV_QP_RQ_PSN), 0);
    CHECK_EQ(ibv_modify_qp(qp, &rts, IBV_QP_STATE | IBV_QP_SQ_PSN), 0);
    CHECK_EQ(rig_do(&f.rig, qp, IBV_WR_RDMA_WRITE, side(&f, 0, 64), (uintptr_t)f.mem + 4096,
                    f.mr->rkey ^ 0xff), IBV_WC_SUCCESS);
    CHECK(memcmp(f.mem, f.mem + 4096, 64) != 0);
    CHECK_EQ(rig_do(&f.rig, qp, IBV_WR_RDMA_WRITE, side(&f, 0, 64), (uintptr_t)f.mem + 4096,
                    f.mr->rkey), IBV_WC_SUCCESS);
    CHECK(memcmp(f.mem, f.mem + 4096, 64) == 0);
    ibv_destroy_qp(qp);
    teardown(&f);
}

/* ---- completion queues ---------------------------------------------------------------------- */

static void cqes_of_128_bytes_wrap_around_the_ring(void)
{
    struct fixture f = setup();
    struct ibv_cq_init_attr_ex attr = { .cqe = 15, .wc_flags = IBV_WC_STANDARD_FLAGS };
    struct mlx5dv_cq_init_attr dv = { .comp_mask = MLX5DV_CQ_INIT_ATTR_MASK_CQE_SIZE,
                                      .cqe_size = 128 };
    struct ibv_cq_ex *cq = mlx5dv_create_cq(f.rig.ctx, &attr, &dv);
    struct ibv_cq *old = f.rig.cq;
    const struct rig_qp_options options = { 0 };
    struct ibv_qp *qp;

    CHECK(cq);
    f.rig.cq = ibv_cq_ex_to_cq(cq);
    qp = rig_loop(&f.rig, options);
    for (unsigned i = 0; i < 100; i++)
        CHECK_EQ(rig_do(&f.rig, qp, IBV_WR_RDMA_WRITE, side(&f, i, 8), (uintptr_t)f.mem + 4096,
                        f.mr->rkey), IBV_WC_SUCCESS);
    CHECK(memcmp(f.mem + 99, f.mem + 4096, 8) == 0);
    ibv_destroy_qp(qp);
    CHECK_EQ(ibv_destroy_cq(f.rig.cq), 0);
    f.rig.cq = old;
    teardown(&f);
}

/* ---- memory windows ------------------------------------------------------------------------- */

static enum ibv_wc_status bind_window(struct fixture *f, struct ibv_qp *qp, struct ibv_mw *mw,
                                      uint32_t rkey, size_t offset, uint64_t len)
{
    struct ibv_send_wr wr = { .wr_id = 3, .opcode = IBV_WR_BIND_MW,
        .send_flags = IBV_SEND_SIGNALED,
        .bind_mw = { .mw = mw, .rkey = rkey,
            .bind_info = { .mr = f->mr, .addr = (uintptr_t)f->mem + offset, .length = len,
                           .mw_access_flags = IBV_ACCESS_REMOTE_WRITE } } };
    struct ibv_send_wr *bad;

    CHECK_EQ(ibv_post_send(qp, &wr, &bad), 0);
    return rig_poll(f->rig.cq).status;
}

static void a_window_works_on_its_queue_pair_only(void)
{
    struct fixture f = setup();
    const struct rig_qp_options options = { 0 };
    struct ibv_qp *qp = rig_loop(&f.rig, options), *other = rig_loop(&f.rig, options);
    struct ibv_mw *mw = ibv_alloc_mw(f.rig.pd, IBV_MW_TYPE_2);
    struct ibv_send_wr inv = { .opcode = IBV_WR_LOCAL_INV, .send_flags = IBV_SEND_SIGNALED }, *bad;
    uint64_t at = (uintptr_t)f.mem + 4096;
    uint32_t rkey;

    CHECK(mw);
    rkey = ibv_inc_rkey(mw->rkey);
    CHECK_EQ(bind_window(&f, qp, mw, rkey, 4096, 256), IBV_WC_SUCCESS);
    CHECK_EQ(rig_do(&f.rig, qp, IBV_WR_RDMA_WRITE, side(&f, 0, 256), at, rkey), IBV_WC_SUCCESS);
    CHECK(memcmp(f.mem, f.mem + 4096, 256) == 0);
    CHECK_EQ(rig_do(&f.rig, other, IBV_WR_RDMA_WRITE, side(&f, 0, 8), at, rkey),
             IBV_WC_REM_ACCESS_ERR);
    inv.invalidate_rkey = rkey;
    CHECK_EQ(ibv_post_send(qp, &inv, &bad), 0);
    CHECK_EQ(rig_poll(f.rig.cq).status, IBV_WC_SUCCESS);
    CHECK_EQ(rig_do(&f.rig, qp, IBV_WR_RDMA_WRITE, side(&f, 0, 8), at, rkey),
             IBV_WC_REM_ACCESS_ERR);
    CHECK_EQ(ibv_dealloc_mw(mw), 0);
    ibv_destroy_qp(qp);
    ibv_destroy_qp(other);
    teardown(&f);
}

static void a_window_gives_no_access_beyond_its_end(void)
{
    struct fixture f = setup();
    const struct rig_qp_options options = { 0 };
    struct ibv_qp *qp = rig_loop(&f.rig, options);
    struct ibv_mw *mw = ibv_alloc_mw(f.rig.pd, IBV_MW_TYPE_2);
    uint32_t rkey;

    CHECK(mw);
    rkey = ibv_inc_rkey(mw->rkey);
    CHECK_EQ(bind_window(&f, qp, mw, rkey, 4096, 256), IBV_WC_SUCCESS);
    CHECK_EQ(rig_do(&f.rig, qp, IBV_WR_RDMA_WRITE, side(&f, 0, 8), (uintptr_t)f.mem + 4096 + 249,
                    rkey), IBV_WC_REM_ACCESS_ERR);
    CHECK_EQ(ibv_dealloc_mw(mw), 0);
    ibv_destroy_qp(qp);
    teardown(&f);
}

/* ---- congestion control of addresses -------------------------------------------------------- */

static struct ibv_ah *address(struct rig *rig, uint8_t is_global)
{
    struct ibv_ah_attr attr = { .is_global = is_global, .port_num = 1, .dlid = 1 };

    CHECK_EQ(ibv_query_gid(rig->ctx, 1, 0, &attr.grh.dgid), 0);
    return ibv_create_ah(rig->pd, &attr);
}

static void an_address_is_mapped_to_a_qp(void)
{
    struct rig rig = rig_open(0), second = rig_open(0), other = rig_open(1);
    struct ibv_qp *qp = rig_loop(&second, (struct rig_qp_options){ 0 });
    struct ibv_ah *ah = address(&rig, 1), *local = address(&rig, 0), *late = address(&rig, 1);
    struct ibv_ah *far = address(&other, 1);

    CHECK(ah && local && late && far);
    CHECK_EQ(mlx5dv_map_ah_to_qp(ah, qp->qp_num), 0);   /* the QP of another program */
    CHECK_EQ(mlx5dv_map_ah_to_qp(ah, qp->qp_num), 0);
    CHECK_EQ(mlx5dv_map_ah_to_qp(local, qp->qp_num), EOPNOTSUPP);
    CHECK(mlx5dv_map_ah_to_qp(far, qp->qp_num) != 0);   /* the QP of another function */
    CHECK(mlx5dv_map_ah_to_qp(late, 0xffffff) != 0);
    CHECK_EQ(ibv_destroy_qp(qp), 0);                    /* the mapping does not use the QP */
    CHECK_EQ(ibv_destroy_ah(ah), 0);
    CHECK_EQ(ibv_destroy_ah(local), 0);
    CHECK_EQ(ibv_destroy_ah(late), 0);
    CHECK_EQ(ibv_destroy_ah(far), 0);
    rig_close(&other);
    rig_close(&second);
    rig_close(&rig);
}

static uint8_t mapping_status(struct rig *rig, const uint8_t *in, size_t len)
{
    uint8_t out[16] = { 0 };

    CHECK(!mlx5dv_devx_obj_create(rig->ctx, in, len, out, sizeof(out)));
    return out[0];
}

static void wrong_mappings_are_refused(void)
{
    struct rig rig = rig_open(0);
    struct ibv_qp *qp = rig_loop(&rig, (struct rig_qp_options){ 0 });
    uint8_t in[0x50] = { 0 }, out[16] = { 0 };
    struct mlx5dv_devx_obj *obj;

    put(in, 0, 16, 0xa00);
    put(in, 0x30, 16, 0x3a);
    put(in, 0xe0, 32, qp->qp_num);
    obj = mlx5dv_devx_obj_create(rig.ctx, in, sizeof(in), out, sizeof(out));
    CHECK(obj);
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    CHECK_EQ(mapping_status(&rig, in, 0x40), 0x50);     /* BAD_INPUT_LEN */
    put(in, 0x60, 1, 1);                                /* an alias of a mapping */
    CHECK_EQ(mapping_status(&rig, in, sizeof(in)), 3);  /* BAD_PARAM */
    put(in, 0x60, 1, 0);
    put(in, 0xe0, 32, 0x1000000 | qp->qp_num);
    CHECK_EQ(mapping_status(&rig, in, sizeof(in)), 5);  /* BAD_RESOURCE */
    put(in, 0xe0, 32, qp->qp_num);
    CHECK_EQ(ibv_destroy_qp(qp), 0);
    CHECK_EQ(mapping_status(&rig, in, sizeof(in)), 5);
    rig_close(&rig);
}

static const struct rig_case cases[] = {
    RIG_CASE(an_address_is_mapped_to_a_qp),
    RIG_CASE(wrong_mappings_are_refused),
    RIG_CASE(a_datagram_reports_its_sender),
    RIG_CASE(a_datagram_without_a_receiver_is_lost),
    RIG_CASE(an_unreliable_write_to_a_wrong_key_is_lost),
    RIG_CASE(cqes_of_128_bytes_wrap_around_the_ring),
    RIG_CASE(a_window_works_on_its_queue_pair_only),
    RIG_CASE(a_window_gives_no_access_beyond_its_end),
};

RIG_MAIN(cases)
