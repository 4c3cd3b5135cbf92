/* Probes for test_caps.c: CQE compression. */
#ifndef MLX5SIM_TEST_CAPS_COMPRESS_H
#define MLX5SIM_TEST_CAPS_COMPRESS_H

#include "caps_probes.h"

/* Send `num` messages to a QP whose receives complete in this CQ. */
static void complete_receives(struct probe *p, struct ibv_cq *cq, unsigned num)
{
    struct rig_qp_options options = { .retry = 7 };
    struct ibv_qp_init_attr attr = { .send_cq = p->rig.cq, .recv_cq = cq, .qp_type = IBV_QPT_RC,
                                     .cap = { num, num, 1, 1, 0 } };
    struct rig_side side = { p->mem, 64, p->mr->lkey };
    struct ibv_sge sge = { (uintptr_t)p->mem, 64, p->mr->lkey };
    struct ibv_qp *qp = ibv_create_qp(p->rig.pd, &attr);
    struct ibv_send_wr wr[2], *bad;

    CHECK(qp && num <= 2);
    rig_connect(qp, qp->qp_num, &options);
    for (unsigned i = 0; i < num; i++) {
        rig_post_receive(qp, side, i);
        wr[i] = (struct ibv_send_wr){ .next = i + 1 < num ? &wr[i + 1] : NULL, .sg_list = &sge,
            .num_sge = 1, .opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED };
    }
    CHECK_EQ(ibv_post_send(qp, wr, &bad), 0);
    for (unsigned i = 0; i < num; i++)
        CHECK_EQ(rig_poll(p->rig.cq).status, IBV_WC_SUCCESS);
    CHECK_EQ(ibv_destroy_qp(qp), 0);
}

/* True when a CQ of this format and size has one CQE for two messages. */
static bool has_title(struct probe *p, unsigned format, unsigned cqe_bytes)
{
    struct ibv_cq_init_attr_ex attr = { .cqe = 15, .wc_flags = IBV_WC_STANDARD_FLAGS };
    struct mlx5dv_cq_init_attr dv_attr = {
        .comp_mask = MLX5DV_CQ_INIT_ATTR_MASK_COMPRESSED_CQE | MLX5DV_CQ_INIT_ATTR_MASK_CQE_SIZE,
        .cqe_comp_res_format = (uint8_t)format, .cqe_size = (uint16_t)cqe_bytes };
    struct ibv_cq_ex *cq = mlx5dv_create_cq(p->rig.ctx, &attr, &dv_attr);
    struct mlx5dv_cq ring;
    struct mlx5dv_obj obj = { .cq = { .out = &ring } };
    const uint8_t *cqe;
    bool good;

    if (!cq)
        return false;
    obj.cq.in = ibv_cq_ex_to_cq(cq);
    CHECK_EQ(mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ), 0);
    complete_receives(p, obj.cq.in, 2);
    cqe = (const uint8_t *)ring.buf + cqe_bytes - 64;
    good = (cqe[63] >> 2 & 3) == 3 && get(cqe, 0x160, 32) == 2;
    CHECK_EQ(ibv_destroy_cq(obj.cq.in), 0);
    return good;
}

static bool compresses(struct probe *p) { return has_title(p, MLX5DV_CQE_RES_FORMAT_HASH, 64); }

static bool compresses_128(struct probe *p)
{
    return has_title(p, MLX5DV_CQE_RES_FORMAT_CSUM, 128);
}

static bool compresses_strides(struct probe *p)
{
    return has_title(p, MLX5DV_CQE_RES_FORMAT_CSUM_STRIDX, 64);
}

/* The kernel has the same limit. test_compress.c sends so many messages. */
static bool limit_title(struct probe *p)
{
    struct mlx5dv_context dv = { .comp_mask = MLX5DV_CONTEXT_MASK_CQE_COMPRESION };

    return mlx5dv_query_device(p->rig.ctx, &dv) == 0 && dv.cqe_comp_caps.max_num &&
           dv.cqe_comp_caps.max_num == p->value;
}

#endif
