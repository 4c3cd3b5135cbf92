/* Links: a queue pair that sends and one that receives, of any transport, with one way to post. */
#ifndef MLX5SIM_TEST_LINK_RIG_H
#define MLX5SIM_TEST_LINK_RIG_H

#include "rig.h"

#include <fcntl.h>

enum link_transport { LINK_RC, LINK_UC, LINK_UD, LINK_XRC, LINK_DC, NUM_LINKS };

enum { LINK_KEY = 0x1234, LINK_GRH = 40 };

struct link {
    struct rig *rig;
    enum link_transport transport;
    struct ibv_qp *from, *to;   /* RC, UC, UD: one queue pair that is connected to itself */
    struct ibv_cq *cq;          /* for receives */
    struct ibv_srq *srq;
    struct ibv_xrcd *xrcd;
    struct ibv_ah *ah;
};

/* ---- states --------------------------------------------------------------------------------- */

enum { LINK_CONNECT = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN,
       LINK_ANSWER = IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER,
       LINK_SEND = IBV_QP_STATE | IBV_QP_SQ_PSN,
       LINK_RETRY = IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                    IBV_QP_MAX_QP_RD_ATOMIC };

/* Bring a queue pair to RTS, or a DCT to RTR. `init`, `rtr`, `rts`: the attributes that its type
 * needs. */
static void link_ready(struct ibv_qp *qp, uint32_t peer, int init, int rtr, int rts)
{
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = LINK_KEY,
        .qp_access_flags = RIG_ALL_ACCESS, .path_mtu = IBV_MTU_4096, .dest_qp_num = peer,
        .max_dest_rd_atomic = 8, .max_rd_atomic = 8, .min_rnr_timer = 1, .timeout = 8,
        .ah_attr = { .dlid = 1, .port_num = 1, .is_global = 1 } };

    CHECK_EQ(ibv_query_gid(qp->context, 1, 0, &attr.ah_attr.grh.dgid), 0);
    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | init), 0);
    attr.qp_state = IBV_QPS_RTR;
    CHECK_EQ(ibv_modify_qp(qp, &attr, rtr), 0);
    attr.qp_state = IBV_QPS_RTS;
    if (rts)
        CHECK_EQ(ibv_modify_qp(qp, &attr, rts), 0);
}

static void link_connect(struct link *link)
{
    switch (link->transport) {
    case LINK_RC:
        link_ready(link->from, link->from->qp_num, IBV_QP_ACCESS_FLAGS, LINK_CONNECT | LINK_ANSWER,
                   LINK_SEND | LINK_RETRY);
        break;
    case LINK_UC:
        link_ready(link->from, link->from->qp_num, IBV_QP_ACCESS_FLAGS, LINK_CONNECT, LINK_SEND);
        break;
    case LINK_UD:
        link_ready(link->from, 0, IBV_QP_QKEY, IBV_QP_STATE, LINK_SEND);
        break;
    case LINK_XRC:
        link_ready(link->from, link->to->qp_num, IBV_QP_ACCESS_FLAGS, LINK_CONNECT,
                   LINK_SEND | LINK_RETRY);
        link_ready(link->to, link->from->qp_num, IBV_QP_ACCESS_FLAGS, LINK_CONNECT | LINK_ANSWER,
                   LINK_SEND | IBV_QP_TIMEOUT);
        break;
    default:
        link_ready(link->from, 0, 0, IBV_QP_STATE | IBV_QP_PATH_MTU, LINK_SEND | LINK_RETRY);
        link_ready(link->to, 0, IBV_QP_ACCESS_FLAGS,
                   IBV_QP_STATE | IBV_QP_MIN_RNR_TIMER | IBV_QP_AV | IBV_QP_PATH_MTU, 0);
    }
}

/* ---- creation ------------------------------------------------------------------------------- */

static struct ibv_qp *link_sender(struct link *link)
{
    static const enum ibv_qp_type types[] = { IBV_QPT_RC, IBV_QPT_UC, IBV_QPT_UD, IBV_QPT_XRC_SEND,
                                              IBV_QPT_DRIVER };
    struct ibv_qp_init_attr_ex attr = { .send_cq = link->rig->cq, .recv_cq = link->cq,
        .srq = link->transport < LINK_XRC ? link->srq : NULL, .pd = link->rig->pd,
        .qp_type = types[link->transport],
        .cap = { .max_send_wr = 16, .max_recv_wr = link->srq ? 0 : 16, .max_send_sge = 1,
                 .max_recv_sge = link->srq ? 0 : 1 },
        .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
        .send_ops_flags = IBV_QP_EX_WITH_SEND };
    struct mlx5dv_qp_init_attr dv = { .dc_init_attr = { .dc_type = MLX5DV_DCTYPE_DCI } };

    if (link->transport != LINK_UD)
        attr.send_ops_flags |= IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM;
    if (link->transport != LINK_UD && link->transport != LINK_UC)
        attr.send_ops_flags |= IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD;
    if (link->transport == LINK_DC)
        dv.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC;
    return mlx5dv_create_qp(link->rig->ctx, &attr, &dv);
}

static struct ibv_qp *link_receiver(struct link *link)
{
    struct ibv_qp_init_attr_ex target = { .qp_type = IBV_QPT_XRC_RECV, .xrcd = link->xrcd,
        .comp_mask = IBV_QP_INIT_ATTR_XRCD };
    struct ibv_qp_init_attr_ex attr = { .send_cq = link->cq, .recv_cq = link->cq, .srq = link->srq,
        .pd = link->rig->pd, .qp_type = IBV_QPT_DRIVER, .comp_mask = IBV_QP_INIT_ATTR_PD };
    struct mlx5dv_qp_init_attr dv = { .comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC,
        .dc_init_attr = { .dc_type = MLX5DV_DCTYPE_DCT, .dct_access_key = LINK_KEY } };

    if (link->transport < LINK_XRC)
        return link->from;
    return link->transport == LINK_XRC ? ibv_create_qp_ex(link->rig->ctx, &target)
                                       : mlx5dv_create_qp(link->rig->ctx, &attr, &dv);
}

static struct ibv_srq *link_srq(struct link *link)
{
    struct ibv_srq_init_attr_ex attr = { .attr = { 16, 1, 0 }, .pd = link->rig->pd,
        .srq_type = IBV_SRQT_BASIC, .comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD };

    if (link->transport == LINK_XRC) {
        attr.srq_type = IBV_SRQT_XRC;
        attr.xrcd = link->xrcd;
        attr.cq = link->cq;
        attr.comp_mask |= IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ;
    }
    return ibv_create_srq_ex(link->rig->ctx, &attr);
}

/* XRC and DC receive from SRQs only. */
__attribute__((unused)) static struct link link_open(struct rig *rig, enum link_transport transport,
                                                     bool with_srq)
{
    struct ibv_xrcd_init_attr xrcd = { .fd = -1, .oflags = O_CREAT,
        .comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS };
    struct ibv_ah_attr path = { .dlid = 1, .port_num = 1, .is_global = 1 };
    struct link link = { .rig = rig, .transport = transport };

    CHECK_EQ(ibv_query_gid(rig->ctx, 1, 0, &path.grh.dgid), 0);
    link.ah = ibv_create_ah(rig->pd, &path);
    link.cq = ibv_create_cq(rig->ctx, 64, NULL, NULL, 0);
    CHECK(link.ah && link.cq);
    if (transport == LINK_XRC) {
        link.xrcd = ibv_open_xrcd(rig->ctx, &xrcd);
        CHECK(link.xrcd);
    }
    if (with_srq || transport >= LINK_XRC) {
        link.srq = link_srq(&link);
        CHECK(link.srq);
    }
    link.from = link_sender(&link);
    CHECK(link.from);
    link.to = link_receiver(&link);
    CHECK(link.to);
    link_connect(&link);
    return link;
}

__attribute__((unused)) static void link_close(struct link *link)
{
    if (link->to != link->from)
        CHECK_EQ(ibv_destroy_qp(link->to), 0);
    CHECK_EQ(ibv_destroy_qp(link->from), 0);
    if (link->srq)
        CHECK_EQ(ibv_destroy_srq(link->srq), 0);
    if (link->xrcd)
        CHECK_EQ(ibv_close_xrcd(link->xrcd), 0);
    CHECK_EQ(ibv_destroy_cq(link->cq), 0);
    CHECK_EQ(ibv_destroy_ah(link->ah), 0);
}

/* ---- requests ------------------------------------------------------------------------------- */

__attribute__((unused)) static void link_receive(struct link *link, struct rig_side at)
{
    struct ibv_sge sge = { (uintptr_t)at.addr, at.len, at.key };
    struct ibv_recv_wr wr = { .wr_id = 9, .sg_list = &sge, .num_sge = 1 }, *bad;

    CHECK_EQ(link->srq ? ibv_post_srq_recv(link->srq, &wr, &bad)
                       : ibv_post_recv(link->to, &wr, &bad), 0);
}

/* Post a request, wait for it, and return its status. An atomic adds 5. */
__attribute__((unused)) static enum ibv_wc_status link_do(struct link *link,
                                                          enum ibv_wr_opcode opcode,
                                                          struct rig_side local, void *remote,
                                                          uint32_t rkey)
{
    struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(link->from);
    uint64_t to = (uintptr_t)remote;
    uint32_t srqn = 0;

    ibv_wr_start(ex);
    ex->wr_flags = IBV_SEND_SIGNALED;
    switch ((unsigned)opcode) {
    case IBV_WR_SEND: ibv_wr_send(ex); break;
    case IBV_WR_RDMA_WRITE: ibv_wr_rdma_write(ex, rkey, to); break;
    case IBV_WR_RDMA_WRITE_WITH_IMM: ibv_wr_rdma_write_imm(ex, rkey, to, 7); break;
    case IBV_WR_RDMA_READ: ibv_wr_rdma_read(ex, rkey, to); break;
    default: ibv_wr_atomic_fetch_add(ex, rkey, to, 5);
    }
    if (link->transport == LINK_UD)
        ibv_wr_set_ud_addr(ex, link->ah, link->to->qp_num, LINK_KEY);
    if (link->transport == LINK_XRC) {
        CHECK_EQ(ibv_get_srq_num(link->srq, &srqn), 0);
        ibv_wr_set_xrc_srqn(ex, srqn);
    }
    if (link->transport == LINK_DC)
        mlx5dv_wr_set_dc_addr(mlx5dv_qp_ex_from_ibv_qp_ex(ex), link->ah, link->to->qp_num,
                              LINK_KEY);
    ibv_wr_set_sge(ex, local.key, (uintptr_t)local.addr, local.len);
    CHECK_EQ(ibv_wr_complete(ex), 0);
    return rig_poll(link->rig->cq).status;
}

#endif
