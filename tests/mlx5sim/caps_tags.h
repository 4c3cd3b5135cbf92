/* Probes for test_caps.c: tag matching. A QP sends to itself, and its SRQ has tags. */
#ifndef MLX5SIM_TEST_CAPS_TAGS_H
#define MLX5SIM_TEST_CAPS_TAGS_H

#include "caps_probes.h"

#include <infiniband/tm_types.h>

struct tag_probe {
    struct ibv_cq_ex *cq;
    struct ibv_srq *srq;
    struct ibv_qp *qp;
};

static struct ibv_srq *makes_tags(struct probe *p, struct ibv_cq_ex *cq, uint32_t num)
{
    struct ibv_srq_init_attr_ex attr = {
        .attr = { .max_wr = 8, .max_sge = 1 }, .srq_type = IBV_SRQT_TM, .pd = p->rig.pd,
        .comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD | IBV_SRQ_INIT_ATTR_CQ |
                     IBV_SRQ_INIT_ATTR_TM,
        .cq = ibv_cq_ex_to_cq(cq), .tm_cap = { .max_num_tags = num, .max_ops = 4 } };

    return ibv_create_srq_ex(p->rig.ctx, &attr);
}

/* Poll one completion. True when it is the receive of a tag. */
static bool polls_tag(struct ibv_cq_ex *cq)
{
    struct ibv_poll_cq_attr attr = { 0 };
    double end = rig_seconds() + 1;
    bool good;
    int err;

    while ((err = ibv_start_poll(cq, &attr)) == ENOENT && rig_seconds() < end)
        ;
    if (err)
        return false;
    good = cq->status == IBV_WC_SUCCESS && ibv_wc_read_opcode(cq) == IBV_WC_TM_RECV;
    ibv_end_poll(cq);
    return good;
}

/* Add a tag, and send a message with this tag. `num` receives are expected. */
static bool sends_tagged(struct probe *p, struct tag_probe *t, uint8_t opcode, unsigned num)
{
    struct ibv_tmh tmh = { .opcode = opcode };
    struct ibv_rvh rvh = { htobe64((uintptr_t)p->mem + 4096), htobe32(p->mr->rkey), htobe32(64) };
    struct ibv_sge sge = { (uintptr_t)p->mem + 8192, 64, p->mr->lkey };
    struct ibv_ops_wr *bad, wr = { .opcode = IBV_WR_TAG_ADD,
        .tm.add = { .sg_list = &sge, .num_sge = 1 } };
    struct rig_side side = { p->mem, sizeof(tmh) + sizeof(rvh), p->mr->lkey };

    memcpy(p->mem, &tmh, sizeof(tmh));
    memcpy(p->mem + sizeof(tmh), &rvh, sizeof(rvh));
    memset(p->mem + 4096, 0x5a, 64);
    memset(p->mem + 8192, 0, 64);
    CHECK_EQ(ibv_post_srq_ops(t->srq, &wr, &bad), 0);
    if (rig_do(&p->rig, t->qp, IBV_WR_SEND, side, 0, 0) != IBV_WC_SUCCESS)
        return false;
    while (num--)
        if (!polls_tag(t->cq))
            return false;
    return opcode != IBV_TMH_RNDV || memcmp(p->mem + 8192, p->mem + 4096, 64) == 0;
}

static bool runs_tags(struct probe *p, uint8_t opcode, unsigned num)
{
    struct ibv_cq_init_attr_ex init = { .cqe = 32,
        .wc_flags = IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_TM_INFO };
    struct tag_probe t = { .cq = ibv_create_cq_ex(p->rig.ctx, &init) };
    bool good;

    CHECK(t.cq);
    t.srq = makes_tags(p, t.cq, 3);
    good = t.srq != NULL;
    if (good) {
        t.qp = rig_loop(&p->rig, (struct rig_qp_options){ .srq = t.srq });
        good = sends_tagged(p, &t, opcode, num);
        CHECK_EQ(ibv_destroy_qp(t.qp), 0);
        CHECK_EQ(ibv_destroy_srq(t.srq), 0);
    }
    CHECK_EQ(ibv_destroy_cq(ibv_cq_ex_to_cq(t.cq)), 0);
    return good;
}

static bool matches_tags(struct probe *p)
{
    return (p->attr.tm_caps.max_num_tags != 0) && runs_tags(p, IBV_TMH_EAGER, 1);
}

static bool reads_rendezvous(struct probe *p)
{
    return (p->attr.tm_caps.flags & IBV_TM_CAP_RC) && runs_tags(p, IBV_TMH_RNDV, 2);
}

static bool limit_tags(struct probe *p)
{
    struct ibv_cq_init_attr_ex init = { .cqe = 32, .wc_flags = IBV_WC_STANDARD_FLAGS };
    struct ibv_cq_ex *cq = ibv_create_cq_ex(p->rig.ctx, &init);
    struct ibv_srq *most, *more;
    bool good;

    CHECK(cq);
    most = makes_tags(p, cq, (1u << p->value) - 1);
    more = makes_tags(p, cq, 1u << p->value);
    good = most && !more && p->attr.tm_caps.max_num_tags == (1u << p->value) - 1;
    if (most)
        CHECK_EQ(ibv_destroy_srq(most), 0);
    if (more)
        CHECK_EQ(ibv_destroy_srq(more), 0);
    CHECK_EQ(ibv_destroy_cq(ibv_cq_ex_to_cq(cq)), 0);
    return good;
}

#endif
