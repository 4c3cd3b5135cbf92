/*
 * Probes for test_caps.c. A probe uses one feature of the device and returns true when the device
 * serves it. The probes of limits compare with the value that the device announces.
 */
#ifndef MLX5SIM_TEST_CAPS_PROBES_H
#define MLX5SIM_TEST_CAPS_PROBES_H

#include "own_queue.h"

enum { BYTES = 1 << 16, TYPE_GENERAL = 0, TYPE_ATOMIC = 3, TYPE_ROCE = 4, TYPE_FLOW_TABLE = 7,
       TYPE_ESWITCH_TABLE = 8, TYPE_QOS = 0xc, TYPE_CRYPTO = 0x1a, TYPE_MEMIC = 0xf,
       TYPE_GENERAL_2 = 0x20 };

struct probe {
    struct rig rig;
    struct ibv_device_attr_ex attr;
    struct ibv_port_attr port;
    uint8_t *mem;
    struct ibv_mr *mr;
    unsigned bit;               /* of the row */
    uint64_t value;             /* the announced value of the row */
};

/* ---- commands ------------------------------------------------------------------------------- */

static bool query_caps(struct rig *rig, unsigned type, uint8_t out[0x1010])
{
    uint8_t in[16] = { 0 };

    memset(out, 0, 0x1010);
    put(in, 0, 16, 0x100);
    put(in, 0x30, 16, type << 1 | 1);
    return mlx5dv_devx_general_cmd(rig->ctx, in, sizeof(in), out, 0x1010) == 0;
}

/* Send a create command of `len` bytes and destroy the object at once. True when the device made
 * an object. */
static bool creates(struct rig *rig, const uint8_t *in, size_t len)
{
    uint8_t out[64] = { 0 };
    struct mlx5dv_devx_obj *obj = mlx5dv_devx_obj_create(rig->ctx, in, len, out, sizeof(out));

    return obj != NULL && mlx5dv_devx_obj_destroy(obj) == 0;
}

/* True when a create command with this opcode, and otherwise only zeros, is understood: the device
 * gives another answer than BAD_OP. */
static bool knows(struct rig *rig, unsigned opcode)
{
    uint8_t in[0x300] = { 0 }, out[64] = { 0 };
    struct mlx5dv_devx_obj *obj;

    put(in, 0, 16, opcode);
    obj = mlx5dv_devx_obj_create(rig->ctx, in, sizeof(in), out, sizeof(out));
    if (obj)
        CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    return obj || (out[0] != 0 && out[0] != 2);
}

/* True when an RMP of `log_size` WQEs can be made. */
static bool makes_rmp(struct probe *p, unsigned type, unsigned log_size)
{
    uint8_t in[0x110 + 0x20] = { 0 };
    unsigned wq = 0x100 + 0x180;
    struct mlx5dv_devx_umem *umem = mlx5dv_devx_umem_reg(p->rig.ctx, p->mem, BYTES, 1);
    bool made;

    CHECK(umem);
    put(in, 0, 16, 0x90c);
    put(in, 0x100 + 0x08, 4, 1);        /* ready */
    put(in, 0x100 + 0x20, 1, type);     /* basic_cyclic_rcv_wqe */
    put(in, wq, 4, type);
    put(in, wq + 0x48, 24, p->rig.pdn);
    put(in, wq + 0x80, 64, BYTES - 64);
    put(in, wq + 0x10c, 4, 5);
    put(in, wq + 0x11b, 5, log_size);
    put(in, wq + 0x140, 32, umem->umem_id);
    put(in, wq + 0x160, 32, umem->umem_id);
    made = creates(&p->rig, in, sizeof(in));
    CHECK_EQ(mlx5dv_devx_umem_dereg(umem), 0);
    return made;
}

/* True when CREATE_MKEY of an indirect key without entries accepts these bits of the context. */
static bool makes_key(struct probe *p, unsigned mode, unsigned bit, uint64_t entries)
{
    uint8_t in[0x110] = { 0 };

    put(in, 0, 16, 0x200);
    put(in, 0x80 + 0x03, 3, mode >> 2);
    put(in, 0x80 + 0x16, 2, mode & 3);
    put(in, 0x80 + 0x68, 24, p->rig.pdn);
    put(in, 0x80 + 0x1a0, 32, entries);
    put(in, 0x80 + 0x1db, 5, 12);
    if (bit)
        put(in, 0x80 + bit, 1, 1);
    return creates(&p->rig, in, sizeof(in));
}

/* ---- probes: queues and transports ---------------------------------------------------------- */

static bool makes_qp(struct probe *p, enum ibv_qp_type type, uint32_t wqes)
{
    struct ibv_qp_init_attr attr = { .send_cq = p->rig.cq, .recv_cq = p->rig.cq, .qp_type = type,
        .cap = { .max_send_wr = wqes, .max_recv_wr = 1, .max_send_sge = 1, .max_recv_sge = 1 } };
    struct ibv_qp *qp = ibv_create_qp(p->rig.pd, &attr);

    return qp != NULL && ibv_destroy_qp(qp) == 0;
}

static bool rc(struct probe *p) { return makes_qp(p, IBV_QPT_RC, 1); }
static bool uc(struct probe *p) { return makes_qp(p, IBV_QPT_UC, 1); }
static bool ud(struct probe *p) { return makes_qp(p, IBV_QPT_UD, 1); }
static bool raw_packet(struct probe *p) { return makes_qp(p, IBV_QPT_RAW_PACKET, 1); }

static bool xrc(struct probe *p)
{
    struct ibv_xrcd_init_attr attr = { .fd = -1, .oflags = 0x40 /* O_CREAT */,
        .comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS };
    struct ibv_xrcd *xrcd = ibv_open_xrcd(p->rig.ctx, &attr);

    return xrcd != NULL && ibv_close_xrcd(xrcd) == 0;
}

static uint8_t log_streams, log_failed; /* of DCIs that dc_qp() makes; 0: no streams */

/* Make a DCI or, with an SRQ, a DCT. */
static struct ibv_qp *dc_qp(struct probe *p, enum mlx5dv_dc_type type, struct ibv_srq *srq)
{
    struct ibv_qp_init_attr_ex attr = { .send_cq = p->rig.cq, .recv_cq = p->rig.cq, .srq = srq,
        .pd = p->rig.pd, .qp_type = IBV_QPT_DRIVER, .comp_mask = IBV_QP_INIT_ATTR_PD };
    struct mlx5dv_qp_init_attr dv = { .comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC,
        .dc_init_attr = { .dc_type = type, .dct_access_key = 1 } };

    if (log_streams) {
        dv.comp_mask |= MLX5DV_QP_INIT_ATTR_MASK_DCI_STREAMS;
        dv.dc_init_attr = (struct mlx5dv_dc_init_attr){ .dc_type = type,
            .dci_streams = { .log_num_concurent = log_streams, .log_num_errored = log_failed } };
    }
    return mlx5dv_create_qp(p->rig.ctx, &attr, &dv);
}

/* True when a DCT with these rights becomes ready to receive. */
static bool makes_dct(struct probe *p, unsigned rights)
{
    struct ibv_srq_init_attr srq_attr = { .attr = { 4, 1, 0 } };
    struct ibv_srq *srq = ibv_create_srq(p->rig.pd, &srq_attr);
    struct ibv_qp *qp = dc_qp(p, MLX5DV_DCTYPE_DCT, srq);
    struct ibv_qp_attr init = { .qp_state = IBV_QPS_INIT, .port_num = 1,
                                .qp_access_flags = rights };
    struct ibv_qp_attr rtr = { .qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024,
                               .ah_attr = { .port_num = 1, .is_global = 1 } };
    bool good = qp && ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
                                    IBV_QP_ACCESS_FLAGS) == 0 &&
        ibv_query_gid(p->rig.ctx, 1, 0, &rtr.ah_attr.grh.dgid) == 0 &&
        ibv_modify_qp(qp, &rtr, IBV_QP_STATE | IBV_QP_MIN_RNR_TIMER | IBV_QP_AV |
                      IBV_QP_PATH_MTU) == 0;

    if (qp)
        CHECK_EQ(ibv_destroy_qp(qp), 0);
    return ibv_destroy_srq(srq) == 0 && good;
}

static bool dct(struct probe *p)
{
    struct ibv_qp *dci = dc_qp(p, MLX5DV_DCTYPE_DCI, NULL);

    return dci != NULL && ibv_destroy_qp(dci) == 0 && makes_dct(p, 0);
}

static bool dct_with_atomics(struct probe *p)
{
    return makes_dct(p, IBV_ACCESS_REMOTE_ATOMIC);
}

/* A DCI takes the announced number of outstanding reads, and no more. */
static bool limit_dc_reads(struct probe *p)
{
    struct ibv_qp *qp = dc_qp(p, MLX5DV_DCTYPE_DCI, NULL);
    struct ibv_qp_attr init = { .qp_state = IBV_QPS_INIT, .port_num = 1 };
    struct ibv_qp_attr rtr = { .qp_state = IBV_QPS_RTR, .path_mtu = IBV_MTU_1024 };
    struct ibv_qp_attr rts = { .qp_state = IBV_QPS_RTS, .max_rd_atomic = (uint8_t)(2 << p->value) };
    const int mask = IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
        IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_SQ_PSN;
    bool good;

    if (!qp)
        return false;
    good = ibv_modify_qp(qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT) == 0 &&
           ibv_modify_qp(qp, &rtr, IBV_QP_STATE | IBV_QP_PATH_MTU) == 0 &&
           ibv_modify_qp(qp, &rts, mask) != 0;
    rts.max_rd_atomic = (uint8_t)(1 << p->value);
    good = good && ibv_modify_qp(qp, &rts, mask) == 0;
    return ibv_destroy_qp(qp) == 0 && good;
}

static bool makes_dci(struct probe *p, uint64_t streams, uint64_t failed)
{
    struct ibv_qp *qp;

    log_streams = (uint8_t)streams;
    log_failed = (uint8_t)failed;
    qp = dc_qp(p, MLX5DV_DCTYPE_DCI, NULL);
    log_streams = 0;
    return qp != NULL && ibv_destroy_qp(qp) == 0;
}

static bool dci_streams(struct probe *p) { return makes_dci(p, 1, 1); }

static bool limit_streams(struct probe *p)
{
    return makes_dci(p, p->value, 1) && !makes_dci(p, p->value + 1, 1);
}

static bool limit_failed_streams(struct probe *p)
{
    return makes_dci(p, 1, p->value) && !makes_dci(p, 1, p->value + 1);
}

static bool limit_group(struct probe *p)
{
    return p->attr.orig_attr.max_mcast_qp_attach == (int)p->value;
}

static bool limit_groups(struct probe *p)
{
    return p->attr.orig_attr.max_mcast_grp == 1 << p->value;
}

/* True when RTS2RTS changes the UDP source port of an RC QP, which QUERY_QP shows. */
static bool sets_udp_port(struct probe *p)
{
    struct own_queue q = own_open(&p->rig, false);
    uint8_t in[0x1d0] = { 0 }, out[0x110] = { 0 };
    bool good;

    put(in, 0, 16, 0x505);
    put(in, 0x48, 24, q.qpn);
    put(in, 0xc0 + 0xc0 + 0x110, 16, 55555);
    put(in, 0x840, 64, 1 << 2);
    good = mlx5dv_devx_obj_modify(q.qp, in, sizeof(in), out, sizeof(out)) == 0;
    memset(in, 0, sizeof(in));
    memset(out, 0, sizeof(out));
    put(in, 0, 16, 0x50b);
    put(in, 0x48, 24, q.qpn);
    CHECK_EQ(mlx5dv_devx_obj_query(q.qp, in, 16, out, sizeof(out)), 0);
    good = good && get(out, 0xc0 + 0xc0 + 0x110, 16) == 55555;
    own_close(&q);
    return good;
}

/* True when RTS2RTS gives an RC QP this port of a LAG, which QUERY_QP shows. */
static bool sets_lag_port(struct probe *p, unsigned port)
{
    struct own_queue q = own_open(&p->rig, false);
    uint8_t in[0x1d0] = { 0 }, out[0x110] = { 0 };
    bool good;

    put(in, 0, 16, 0x505);
    put(in, 0x48, 24, q.qpn);
    put(in, 0x80, 32, 1 << 15);
    put(in, 0xc0 + 0x04, 4, port);
    good = mlx5dv_devx_obj_modify(q.qp, in, sizeof(in), out, sizeof(out)) == 0;
    memset(in, 0, sizeof(in));
    memset(out, 0, sizeof(out));
    put(in, 0, 16, 0x50b);
    put(in, 0x48, 24, q.qpn);
    CHECK_EQ(mlx5dv_devx_obj_query(q.qp, in, 16, out, sizeof(out)), 0);
    good = good && get(out, 0xc0 + 0x04, 4) == port;
    own_close(&q);
    return good;
}

static bool sets_any_lag_port(struct probe *p) { return sets_lag_port(p, 1); }
static bool limit_lag_ports(struct probe *p)
{
    return sets_lag_port(p, (unsigned)p->value) && !sets_lag_port(p, (unsigned)p->value + 1);
}

/* True when a range of 2^log QP numbers can be reserved. */
static bool reserves(struct probe *p, uint64_t log)
{
    uint8_t in[16] = { 0 };

    put(in, 0, 16, 0xa00);
    put(in, 0x30, 16, 0x2c);
    put(in, 0x63, 5, log);
    return creates(&p->rig, in, sizeof(in));
}

static bool maps_addresses(struct probe *p)
{
    struct ibv_qp *qp = rig_loop(&p->rig, (struct rig_qp_options){ 0 });
    uint8_t in[0x50] = { 0 };
    bool good;

    put(in, 0, 16, 0xa00);
    put(in, 0x30, 16, 0x3a);
    put(in, 0xe0, 32, qp->qp_num);
    good = creates(&p->rig, in, sizeof(in));
    return ibv_destroy_qp(qp) == 0 && good;
}

/* Make a DEK of zeros. Returns the status of the command. */
static unsigned dek_status(struct probe *p, unsigned type)
{
    uint8_t in[0x110] = { 0 }, out[16] = { 0 };
    struct mlx5dv_devx_obj *obj;

    put(in, 0, 16, 0xa00);
    put(in, 0x30, 16, type);
    put(in + 16, 0x5c, 4, 3);
    put(in + 16, 0x68, 24, p->rig.pdn);
    obj = mlx5dv_devx_obj_create(p->rig.ctx, in, sizeof(in), out, sizeof(out));
    if (obj)
        CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    return out[0];
}

/* In wrapped mode, a DEK needs a login: the state of the device does not allow it. */
static bool wraps_deks(struct probe *p) { return dek_status(p, 0xc) == 9; }

static bool limit_range(struct probe *p)
{
    return reserves(p, p->value) && !reserves(p, p->value - 1) && !reserves(p, p->value + 1);
}

static bool limit_reserved(struct probe *p)
{
    return p->value < 24 && (reserves(p, 6) || reserves(p, 4) || reserves(p, 8));
}

static bool limit_qp(struct probe *p) { return p->attr.orig_attr.max_qp == 1 << p->value; }
static bool limit_cq(struct probe *p) { return p->attr.orig_attr.max_cq == 1 << p->value; }
static bool limit_srq(struct probe *p) { return p->attr.orig_attr.max_srq == 1 << p->value; }
static bool limit_pd(struct probe *p) { return p->attr.orig_attr.max_pd == 1 << p->value; }
static bool limit_mkey(struct probe *p) { return p->attr.orig_attr.max_mr == 1 << p->value; }
static bool limit_cqe(struct probe *p) { return p->attr.orig_attr.max_cqe == (1 << p->value) - 1; }

static bool limit_wqe(struct probe *p)
{
    return p->attr.orig_attr.max_qp_wr == 1 << p->value && !makes_qp(p, IBV_QPT_UD, 2u << p->value);
}

static bool limit_srq_wr(struct probe *p)
{
    struct ibv_srq_init_attr attr = { .attr = { (1u << p->value) - 1, 1, 0 } };
    struct ibv_srq *srq = ibv_create_srq(p->rig.pd, &attr);

    if (srq == NULL || ibv_destroy_srq(srq) != 0)
        return false;
    attr.attr.max_wr = 2u << p->value;
    return ibv_create_srq(p->rig.pd, &attr) == NULL;
}

static bool cyclic_rmp(struct probe *p) { return makes_rmp(p, 1, 4); }
static bool linked_rmp(struct probe *p) { return makes_rmp(p, 0, 4); }

static bool limit_rmp(struct probe *p)
{
    return linked_rmp(p) && !makes_rmp(p, 0, (unsigned)p->value + 1);
}

static bool limit_send_bytes(struct probe *p)
{
    struct mlx5dv_context dv = { 0 };
    struct ibv_qp_init_attr attr = { .send_cq = p->rig.cq, .recv_cq = p->rig.cq,
        .qp_type = IBV_QPT_UD, .cap = { 1, 1, 1, 1, (uint32_t)p->value - 64 - 64 } };
    struct ibv_qp *qp = ibv_create_qp(p->rig.pd, &attr);

    if (qp == NULL || ibv_destroy_qp(qp) != 0 || mlx5dv_query_device(p->rig.ctx, &dv) != 0)
        return false;
    attr.cap.max_inline_data = (uint32_t)p->value;
    return ibv_create_qp(p->rig.pd, &attr) == NULL;
}

static bool limit_receive_bytes(struct probe *p)
{
    struct ibv_qp_init_attr attr = { .send_cq = p->rig.cq, .recv_cq = p->rig.cq,
        .qp_type = IBV_QPT_UC, .cap = { 1, 1, 1, (uint32_t)p->value / 16 - 2, 0 } };
    struct ibv_qp *qp = ibv_create_qp(p->rig.pd, &attr);

    return qp != NULL && ibv_destroy_qp(qp) == 0;
}

/* Post `wqes` WQEs to a queue of own_queue.h, which uses the two halves of the doorbell register in
 * turn. With `polled`, return false when a CQE lacks the user index: only CQEs of version 1 have
 * it. */
static bool own_queue_works(struct probe *p, bool ignores_overrun, unsigned wqes, bool polled)
{
    struct own_queue q;
    uint8_t cqe[64];
    bool good = true;

    own_ignores_overrun = ignores_overrun;
    q = own_open(&p->rig, false);
    own_ignores_overrun = false;
    for (unsigned i = 0; i < wqes; i++) {
        own_ring(&q, own_wqe(&q, 0, 0, 1, true));
        if (!polled)
            continue;
        own_poll(&q, cqe);
        good = good && get(cqe, 0x100, 32) == 0x123456 && cqe[63] >> 4 == 0;
    }
    usleep(2000);
    own_close(&q);
    return good;
}

static bool own_queue_runs(struct probe *p) { return own_queue_works(p, false, 4, true); }
static bool overruns(struct probe *p) { return own_queue_works(p, true, OWN_CQ + 4, false); }

static bool resizes(struct probe *p)
{
    struct ibv_cq *cq = ibv_create_cq(p->rig.ctx, 16, NULL, NULL, 0);
    bool good;

    CHECK(cq);
    good = ibv_resize_cq(cq, 100) == 0 && cq->cqe >= 100;
    return ibv_destroy_cq(cq) == 0 && good;
}

static bool moderates(struct probe *p)
{
    struct ibv_modify_cq_attr attr = { .attr_mask = IBV_CQ_ATTR_MODERATE,
                                       .moderate = { .cq_count = 4, .cq_period = 10 } };

    return ibv_modify_cq(p->rig.cq, &attr) == 0;
}

static bool has_eqs(struct probe *p)
{
    uint32_t eqn = 0;

    return mlx5dv_devx_query_eqn(p->rig.ctx, 0, &eqn) == 0 && eqn < 1u << 8;
}

static bool limit_message(struct probe *p) { return p->port.max_msg_sz == 1u << p->value; }
static bool limit_reads(struct probe *p)
{
    return p->attr.orig_attr.max_qp_rd_atom == 1 << p->value;
}
static bool has_ports(struct probe *p) { return p->attr.orig_attr.phys_port_cnt == p->value; }
static bool is_ethernet(struct probe *p)
{
    return p->port.link_layer == IBV_LINK_LAYER_ETHERNET;
}

static bool transport_domain(struct probe *p)
{
    uint8_t in[16] = { 0 };

    put(in, 0, 16, 0x816);
    return creates(&p->rig, in, sizeof(in));
}

static bool adds(struct probe *p)
{
    struct ibv_qp *qp = rig_loop(&p->rig, (struct rig_qp_options){ 0 });
    uint64_t *words = (uint64_t *)(void *)p->mem;
    bool good;

    words[0] = 7;
    good = rig_do(&p->rig, qp, IBV_WR_ATOMIC_FETCH_AND_ADD,
                  (struct rig_side){ words + 1, 8, p->mr->lkey }, (uintptr_t)words, p->mr->rkey) ==
               IBV_WC_SUCCESS && words[0] == 12 && words[1] == 7;
    return ibv_destroy_qp(qp) == 0 && good;
}

static bool roce_address(struct probe *p, uint64_t index)
{
    uint8_t in[16] = { 0 }, out[0x30] = { 0 };

    put(in, 0, 16, 0x760);
    put(in, 0x40, 16, index);
    return mlx5dv_devx_general_cmd(p->rig.ctx, in, sizeof(in), out, sizeof(out)) == 0;
}

static bool has_roce(struct probe *p) { return roce_address(p, 0); }
static bool limit_roce(struct probe *p)
{
    return p->value > 0 && roce_address(p, p->value - 1) && !roce_address(p, p->value);
}

/* ---- probes: memory ------------------------------------------------------------------------- */

static bool any_size(struct probe *p) { return p->attr.orig_attr.max_mr_size == ~0ull; }
static bool ksm(struct probe *p) { return makes_key(p, 3, 0, 4); }
static bool crossing(struct probe *p) { return makes_key(p, 6, 0, 4); }

static bool limit_list(struct probe *p)
{
    return makes_key(p, 2, 0, 1u << p->value) && !makes_key(p, 2, 0, (1u << p->value) + 1);
}

/* Read through a chain of `levels` indirect keys. */
static bool reads_through(struct probe *p, unsigned levels)
{
    struct mlx5dv_devx_obj *obj[8];
    struct ibv_qp *qp = rig_loop(&p->rig, (struct rig_qp_options){ 0 });
    uint32_t key = p->mr->lkey;
    uint8_t list[16];
    bool good;

    CHECK(levels < 8);
    for (unsigned i = 0; i < levels; i++) {
        struct rig_mkey_options o = { .mode = 2, .rights = 7, .addr = (uintptr_t)p->mem, .len = 64,
                                      .list = list, .num = 1 };

        rig_entry(list, 64, key, p->mem);
        obj[i] = rig_mkey(&p->rig, &o, &key);
        CHECK(obj[i]);
    }
    good = rig_do(&p->rig, qp, IBV_WR_RDMA_READ,
                  (struct rig_side){ p->mem + 4096, 64, p->mr->lkey }, (uintptr_t)p->mem, key) ==
           IBV_WC_SUCCESS;
    for (unsigned i = levels; i-- > 0;)
        CHECK_EQ(mlx5dv_devx_obj_destroy(obj[i]), 0);
    return ibv_destroy_qp(qp) == 0 && good;
}

static bool limit_levels(struct probe *p)
{
    return reads_through(p, (unsigned)p->value) && !reads_through(p, (unsigned)p->value + 1);
}

/* Post a UMR WQE that sets `mask` of the mkey context to `context`, and writes one entry of the
 * list at `offset`. Return the syndrome. */
static unsigned umr(struct own_queue *q, uint32_t key, uint64_t mask, const uint8_t context[64],
                    uint64_t offset, const uint8_t entry[16])
{
    uint8_t *wqe = own_wqe(q, 0x25, 0, 12, true);

    memset(wqe + 64, 0, 128);           /* own_wqe() has cleared the first basic block */
    put(wqe, 0x60, 32, key);
    put(wqe + 16, 0, 1, 1);             /* the list is in the WQE */
    put(wqe + 16, 3, 1, offset != 0);
    put(wqe + 16, 0x20, 16, entry ? 4 : 0);
    put(wqe + 16, 0x30, 16, offset & 0xffff);
    put(wqe + 16, 0x40, 64, mask);
    put(wqe + 16, 0x80, 32, offset >> 16);
    if (context)
        memcpy(wqe + 64, context, 64);
    if (entry)
        memcpy(wqe + 128, entry, 16);
    own_ring(q, wqe);
    return own_syndrome(q, -1);
}

/* Make an indirect key that allows UMR, with `entries` translations. */
static struct mlx5dv_devx_obj *umr_key(struct probe *p, unsigned mode, unsigned log_entity,
                                       uint64_t entries, uint32_t *key)
{
    uint8_t in[0x110] = { 0 }, out[16] = { 0 };
    struct mlx5dv_devx_obj *obj;

    put(in, 0, 16, 0x200);
    put(in, 0x80 + 0x10, 1, 1);         /* umr_en */
    put(in, 0x80 + 0x11, 5, 0xf);
    put(in, 0x80 + 0x16, 2, mode);
    put(in, 0x80 + 0x20, 24, 0xffffff);
    put(in, 0x80 + 0x60, 1, 1);
    put(in, 0x80 + 0x68, 24, p->rig.pdn);
    put(in, 0x80 + 0x1a0, 32, entries);
    put(in, 0x80 + 0x1db, 5, log_entity);
    obj = mlx5dv_devx_obj_create(p->rig.ctx, in, sizeof(in), out, sizeof(out));
    CHECK(obj);
    *key = (uint32_t)get(out, 0x48, 24) << 8;
    return obj;
}

/* Entry 65537 of a KSM key can be written and used. */
static bool far_entry(struct probe *p)
{
    struct own_queue q = own_open(&p->rig, false);
    struct ibv_qp *qp = rig_loop(&p->rig, (struct rig_qp_options){ 0 });
    uint8_t entry[16] = { 0 };
    struct mlx5dv_devx_obj *obj;
    uint32_t key;
    bool good;

    obj = umr_key(p, 3, 12, 1 << 17, &key);
    rig_entry(entry, 0, p->mr->lkey, p->mem + 4096);
    rig_fill(p->mem, BYTES, 3);
    good = umr(&q, key, 0, NULL, 65536, entry) == 0 &&
           rig_do(&p->rig, qp, IBV_WR_RDMA_READ, (struct rig_side){ p->mem, 64, p->mr->lkey },
                  65536ull * 4096, key) == IBV_WC_SUCCESS &&
           memcmp(p->mem, p->mem + 4096, 64) == 0;
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    own_close(&q);
    return ibv_destroy_qp(qp) == 0 && good;
}

/* True when a UMR WQE with this mask sets a field of the mkey context, which QUERY_MKEY shows. */
static bool umr_sets(struct probe *p, uint64_t mask, unsigned bit, unsigned width, uint64_t value)
{
    struct own_queue q = own_open(&p->rig, false);
    uint8_t context[64] = { 0 }, in[16] = { 0 }, out[0x50] = { 0 };
    struct mlx5dv_devx_obj *obj;
    uint32_t key;
    bool good;

    obj = umr_key(p, 3, 12, 4, &key);
    put(context, bit, width, value);
    good = umr(&q, key, mask, context, 0, NULL) == 0;
    put(in, 0, 16, 0x201);
    put(in, 0x48, 24, key >> 8);
    CHECK_EQ(mlx5dv_devx_obj_query(obj, in, sizeof(in), out, sizeof(out)), 0);
    good = good && get(out, 0x80 + bit, width) == value;
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    own_close(&q);
    return good;
}

static bool umr_orders_writes(struct probe *p) { return umr_sets(p, 1ull << 25, 0x0d, 1, 1); }
static bool umr_orders_reads(struct probe *p) { return umr_sets(p, 1ull << 47, 0x1d9, 1, 1); }
/* these three are announced as not disabled */
static bool no_atomic(struct probe *p) { return !umr_sets(p, 1ull << 21, 0x11, 1, 1); }
static bool no_entity_size(struct probe *p) { return !umr_sets(p, 1ull << 1, 0x1db, 5, 20); }

static bool no_repeated_block(struct probe *p)
{
    struct own_queue q = own_open(&p->rig, false);
    uint8_t *wqe = NULL;
    struct mlx5dv_devx_obj *obj;
    uint32_t key;
    bool good;

    obj = umr_key(p, 2, 0, 8, &key);
    wqe = own_wqe(&q, 0x25, 0, 12, true);
    memset(wqe + 64, 0, 128);
    put(wqe, 0x60, 32, key);
    put(wqe + 16, 0, 1, 1);
    put(wqe + 16, 0x20, 16, 4);
    put(wqe + 128, 0x20, 32, 0x400);
    put(wqe + 128, 0x40, 32, 2);
    put(wqe + 128, 0x70, 16, 1);
    put(wqe + 144, 0x10, 16, 8);
    put(wqe + 144, 0x20, 32, p->mr->lkey);
    own_ring(&q, wqe);
    good = own_syndrome(&q, -1) == 0;
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    own_close(&q);
    return !good;
}

/* Data that is written to the null key is discarded, and reads of it give zeros. */
static bool null_key(struct probe *p)
{
    struct ibv_mr *null = ibv_alloc_null_mr(p->rig.pd);
    struct ibv_qp *qp;
    bool good;

    if (null == NULL)
        return false;
    qp = rig_loop(&p->rig, (struct rig_qp_options){ 0 });
    rig_fill(p->mem, 128, 1);
    good = rig_do(&p->rig, qp, IBV_WR_RDMA_READ, (struct rig_side){ NULL, 64, null->lkey },
                  (uintptr_t)p->mem, p->mr->rkey) == IBV_WC_SUCCESS &&
           rig_do(&p->rig, qp, IBV_WR_RDMA_WRITE, (struct rig_side){ p->mem, 64, null->lkey },
                  (uintptr_t)p->mem + 64, p->mr->rkey) == IBV_WC_SUCCESS;
    for (unsigned i = 64; i < 128; i++)
        good = good && p->mem[i] == 0;
    good = good && rig_do(&p->rig, qp, IBV_WR_RDMA_WRITE,
                          (struct rig_side){ p->mem, 8, p->mr->lkey }, 0, null->lkey) ==
                       IBV_WC_REM_ACCESS_ERR;
    return ibv_destroy_qp(qp) == 0 && ibv_dereg_mr(null) == 0 && good;
}

/* The null key as an entry of an indirect key: a hole that can be accessed. */
static bool null_entry(struct probe *p)
{
    struct ibv_mr *null = ibv_alloc_null_mr(p->rig.pd);
    struct ibv_qp *qp;
    struct rig_mkey_options o = { .mode = 2, .rights = 0xf, .len = 96, .num = 2 };
    struct mlx5dv_devx_obj *obj;
    uint8_t list[32];
    uint32_t key;
    bool good;

    if (null == NULL)
        return false;
    qp = rig_loop(&p->rig, (struct rig_qp_options){ 0 });
    rig_entry(list, 64, null->lkey, NULL);
    rig_entry(list + 16, 32, p->mr->lkey, p->mem + 4096);
    o.list = list;
    obj = rig_mkey(&p->rig, &o, &key);
    CHECK(obj);
    rig_fill(p->mem, BYTES, 1);
    good = rig_do(&p->rig, qp, IBV_WR_RDMA_WRITE, (struct rig_side){ p->mem, 96, p->mr->lkey }, 0,
                  key) == IBV_WC_SUCCESS && memcmp(p->mem + 4096, p->mem + 64, 32) == 0;
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    return ibv_destroy_qp(qp) == 0 && ibv_dereg_mr(null) == 0 && good;
}

static bool key_keeps(struct probe *p, unsigned bit)
{
    uint8_t in[0x110] = { 0 }, out[16] = { 0 }, query[16] = { 0 }, answer[0x50] = { 0 };
    struct mlx5dv_devx_obj *obj;
    bool good;

    put(in, 0, 16, 0x200);
    put(in, 0x80 + 0x16, 2, 3);
    put(in, 0x80 + 0x68, 24, p->rig.pdn);
    put(in, 0x80 + 0x1a0, 32, 4);
    put(in, 0x80 + bit, 1, 1);
    obj = mlx5dv_devx_obj_create(p->rig.ctx, in, sizeof(in), out, sizeof(out));
    CHECK(obj);
    put(query, 0, 16, 0x201);
    put(query, 0x48, 24, get(out, 0x48, 24));
    good = mlx5dv_devx_obj_query(obj, query, sizeof(query), answer, sizeof(answer)) == 0 &&
           get(answer, 0x80 + bit, 1);
    return mlx5dv_devx_obj_destroy(obj) == 0 && good;
}

static bool orders_writes(struct probe *p) { return key_keeps(p, 0x0d); }
static bool orders_reads(struct probe *p) { return key_keeps(p, 0x1d9); }

static bool device_memory(struct probe *p)
{
    struct ibv_alloc_dm_attr attr = { .length = 4096 };
    struct ibv_dm *dm = ibv_alloc_dm(p->rig.ctx, &attr);

    return dm != NULL && ibv_free_dm(dm) == 0;
}

static bool limit_dm(struct probe *p) { return p->attr.max_dm_size == p->value; }

static bool umem(struct probe *p)
{
    struct mlx5dv_devx_umem *umem = mlx5dv_devx_umem_reg(p->rig.ctx, p->mem, BYTES, 1);

    return umem != NULL && mlx5dv_devx_umem_dereg(umem) == 0;
}

static bool always(struct probe *p)     /* the test would not run without the feature */
{
    (void)p;
    return true;
}

#endif
