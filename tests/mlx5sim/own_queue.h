/* A queue that the test operates itself, without the queues of libmlx5. Firmware commands create
 * its CQ and its RC QP over one umem. The functions below write WQEs and doorbells and read CQEs
 * byte by byte. Names of this header begin with own_. */
#ifndef MLX5SIM_TEST_OWN_QUEUE_H
#define MLX5SIM_TEST_OWN_QUEUE_H

#include "rig.h"

enum { OWN_SQ = 16, OWN_RQ = 16, OWN_CQ = 32, OWN_RQ_AT = 0, OWN_SQ_AT = OWN_RQ * 16,
       OWN_CQ_AT = 8192, OWN_DB_AT = 12288, OWN_BYTES = 16384 };

struct own_queue {
    struct rig *rig;
    uint8_t *mem;
    struct mlx5dv_devx_umem *umem;
    struct mlx5dv_devx_uar *uar;
    struct mlx5dv_devx_obj *cq, *qp;
    uint32_t cqn, qpn;
    uint16_t pi, rq_pi;
    uint32_t ci;
    unsigned bf;
};

static bool own_ignores_overrun;        /* CQs that own_cq() creates ignore overruns */
static unsigned own_transport;  /* of QPs that own_qp() creates: 0 RC, 1 UC, 2 UD, 5 DCI */
static uint32_t own_rmpn;       /* QPs that own_qp() creates receive from this RMP; 0: from an RQ */

__attribute__((unused)) static void own_cq(struct own_queue *q)
{
    uint8_t in[0x110] = { 0 }, out[16] = { 0 };
    uint32_t eqn = 0;

    CHECK_EQ(mlx5dv_devx_query_eqn(q->rig->ctx, 0, &eqn), 0);
    put(in, 0, 16, 0x400);
    put(in, 0x80 + 0x06, 1, 1);
    put(in, 0x80 + 0x0e, 1, own_ignores_overrun);
    put(in, 0x80 + 0x20, 32, q->umem->umem_id);
    put(in, 0x80 + 0x63, 5, 5);
    put(in, 0x80 + 0x68, 24, q->uar->page_id);
    put(in, 0x80 + 0xa0, 32, eqn);
    put(in, 0x80 + 0x1c0, 64, OWN_DB_AT);
    put(in, 0x280, 64, OWN_CQ_AT);
    put(in, 0x2c0, 32, q->umem->umem_id);
    put(in, 0x2e0, 1, 1);
    q->cq = mlx5dv_devx_obj_create(q->rig->ctx, in, sizeof(in), out, sizeof(out));
    CHECK(q->cq);
    q->cqn = (uint32_t)get(out, 0x48, 24);
}

/* Create the QP. False when the device refuses it. */
__attribute__((unused)) static bool own_try_qp(struct own_queue *q, bool mmo)
{
    uint8_t in[0x110 + 0xc0] = { 0 }, out[16] = { 0 };
    unsigned qpc = 0xc0;

    put(in, 0, 16, 0x500);
    put(in, 0x40, 1, mmo);
    put(in, qpc + 0x08, 8, own_transport);
    put(in, qpc + 0x13, 2, 3);
    put(in, qpc + 0x28, 24, q->rig->pdn);
    put(in, qpc + 0x49, 4, own_rmpn ? 0 : 4);   /* 16 receives of 16 bytes */
    put(in, qpc + 0x4d, 3, 0);
    put(in, qpc + 0x51, 4, 4);          /* 16 basic blocks */
    put(in, qpc + 0x68, 24, q->uar->page_id);
    put(in, qpc + 0x88, 24, 0x123456);  /* user index */
    put(in, qpc + 0x3e8, 24, q->cqn);
    put(in, qpc + 0x4e8, 24, q->cqn);
    put(in, qpc + 0x500, 64, OWN_DB_AT + 64);
    put(in, qpc + 0x683, 1, 1);
    put(in, qpc + 0x720, 32, q->umem->umem_id);
    put(in, qpc + 0x565, 3, own_rmpn != 0);     /* rq_type */
    put(in, qpc + 0x568, 24, own_rmpn);
    put(in, 0x800, 64, own_rmpn ? OWN_SQ_AT : 0);
    put(in, 0x840, 32, q->umem->umem_id);
    put(in, 0x860, 1, 1);
    put(in, 0x882, 1, mmo);
    q->qp = mlx5dv_devx_obj_create(q->rig->ctx, in, sizeof(in), out, sizeof(out));
    q->qpn = (uint32_t)get(out, 0x48, 24);
    return q->qp != NULL;
}

__attribute__((unused)) static void own_qp(struct own_queue *q, bool mmo)
{
    CHECK(own_try_qp(q, mmo));
}

__attribute__((unused)) static void own_modify(struct own_queue *q, unsigned opcode, uint32_t peer)
{
    uint8_t in[0x110] = { 0 }, out[16] = { 0 };
    unsigned qpc = 0xc0, ads = 0xc0 + 0xc0;

    put(in, 0, 16, opcode);
    put(in, 0x48, 24, q->qpn);
    put(in, qpc + 0x490, 3, 7);         /* rre rwe rae */
    put(in, qpc + 0x40, 3, 5);
    put(in, qpc + 0xa8, 24, peer);
    put(in, qpc + 0x38d, 3, 0);
    put(in, qpc + 0x390, 3, 0);
    put(in, qpc + 0x4a3, 5, 1);
    put(in, ads + 0x30, 16, 1);
    put(in, ads + 0x40, 5, 8);
    put(in, ads + 0x128, 8, 1);
    CHECK_EQ(mlx5dv_devx_obj_modify(q->qp, in, sizeof(in), out, sizeof(out)), 0);
}

__attribute__((unused)) static void own_to_rts(struct own_queue *q, uint32_t peer)
{
    own_modify(q, 0x502, peer);
    own_modify(q, 0x503, peer);
    own_modify(q, 0x504, peer);
}

__attribute__((unused)) static struct own_queue own_open(struct rig *rig, bool mmo)
{
    struct own_queue q = { .rig = rig };

    q.mem = rig_memory(OWN_BYTES);
    q.umem = mlx5dv_devx_umem_reg(rig->ctx, q.mem, OWN_BYTES, IBV_ACCESS_LOCAL_WRITE);
    q.uar = mlx5dv_devx_alloc_uar(rig->ctx, MLX5DV_UAR_ALLOC_TYPE_BF);
    CHECK(q.umem && q.uar);
    own_cq(&q);
    own_qp(&q, mmo);
    own_to_rts(&q, q.qpn);
    return q;
}

__attribute__((unused)) static void own_close(struct own_queue *q)
{
    CHECK_EQ(mlx5dv_devx_obj_destroy(q->qp), 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(q->cq), 0);
    mlx5dv_devx_free_uar(q->uar);
    CHECK_EQ(mlx5dv_devx_umem_dereg(q->umem), 0);
    free(q->mem);
}

/* Append a WQE of `ds` 16-byte units, whose control segment is filled in and whose other bytes are
 * 0. Return its address. */
__attribute__((unused)) static uint8_t *own_wqe(struct own_queue *q, unsigned opcode,
                                                unsigned opmod, unsigned ds, bool signalled)
{
    uint8_t *wqe = q->mem + OWN_SQ_AT + q->pi % OWN_SQ * 64;

    memset(wqe, 0, 64);
    put(wqe, 0, 8, opmod);
    put(wqe, 8, 16, q->pi);
    put(wqe, 24, 8, opcode);
    put(wqe, 32, 24, q->qpn);
    put(wqe, 56, 8, ds);
    put(wqe, 88, 8, signalled ? 8 : 0);
    q->pi = (uint16_t)(q->pi + (ds + 3) / 4);
    return wqe;
}

__attribute__((unused)) static void own_data(uint8_t *segment, struct rig_side side)
{
    put(segment, 0, 32, side.len);
    put(segment, 32, 32, side.key);
    put(segment, 64, 64, (uintptr_t)side.addr);
}

/* Append a WQE of the MMO engine, with its opaque address, source and destination. */
__attribute__((unused)) static uint8_t *own_mmo(struct own_queue *q, unsigned opmod,
                                                struct rig_side opaque, struct rig_side from,
                                                struct rig_side to)
{
    uint8_t *wqe = own_wqe(q, 0x2f, opmod, 4, true);

    put(wqe, 0xa0, 32, opaque.key);
    put(wqe, 0xc0, 64, (uintptr_t)opaque.addr);
    own_data(wqe + 32, from);
    own_data(wqe + 48, to);
    return wqe;
}

__attribute__((unused)) static void own_record(struct own_queue *q)
{
    uint32_t *record = (uint32_t *)(void *)(q->mem + OWN_DB_AT + 64);

    __atomic_store_n(&record[1], htobe32(q->pi), __ATOMIC_RELEASE);
}

__attribute__((unused)) static void own_register(struct own_queue *q, const uint8_t *wqe)
{
    uint64_t first;

    memcpy(&first, wqe, 8);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    *(volatile uint64_t *)((uint8_t *)q->uar->reg_addr + q->bf) = first;
    q->bf ^= 0x100;
}

__attribute__((unused)) static void own_ring(struct own_queue *q, const uint8_t *wqe)
{
    own_record(q);
    own_register(q, wqe);
}

__attribute__((unused)) static void own_receive(struct own_queue *q, struct rig_side side)
{
    uint32_t *record = (uint32_t *)(void *)(q->mem + OWN_DB_AT + 64);

    own_data(q->mem + OWN_RQ_AT + q->rq_pi % OWN_RQ * 16, side);
    q->rq_pi++;
    __atomic_store_n(&record[0], htobe32(q->rq_pi), __ATOMIC_RELEASE);
}

/* Wait for the next CQE and copy it. The case fails after RIG_PATIENCE seconds without a CQE. */
__attribute__((unused)) static void own_poll(struct own_queue *q, uint8_t cqe[64])
{
    volatile uint8_t *at = q->mem + OWN_CQ_AT + q->ci % OWN_CQ * 64;
    double end = rig_seconds() + RIG_PATIENCE;

    while (at[63] >> 4 == 0xf || (at[63] & 1) != (q->ci / OWN_CQ & 1))
        if (rig_seconds() > end)
            rig_fail(__FILE__, __LINE__, "no CQE within %d seconds", RIG_PATIENCE);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    for (unsigned i = 0; i < 64; i++)
        cqe[i] = at[i];
    q->ci++;
    *(volatile uint32_t *)(void *)(q->mem + OWN_DB_AT) = htobe32(q->ci & 0xffffff);
}

/* Wait for the next CQE. Return its syndrome, or 0 when it reports success. The CQE must belong to
 * the WQE with this index; -1 accepts any index. */
__attribute__((unused)) static unsigned own_syndrome(struct own_queue *q, int index)
{
    uint8_t cqe[64];

    own_poll(q, cqe);
    CHECK_EQ(get(cqe, 0x1c8, 24), q->qpn);
    if (index >= 0)
        CHECK_EQ(get(cqe, 0x1e0, 16), index);
    if (cqe[63] >> 4 == 13 || cqe[63] >> 4 == 14)
        return cqe[55];
    return 0;
}

#endif
