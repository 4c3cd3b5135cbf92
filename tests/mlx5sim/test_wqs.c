/*
 * Queues for packets that are made by firmware commands: SQ, RQ, RQT, TIR, TIS; and flow rules of
 * mlx5dv that send packets to a TIR.
 */
#include "own_queue.h"
#include "packet_rig.h"

enum { OK = 0, BAD_OP = 2, BAD_PARAM = 3, BAD_RESOURCE = 5, BAD_RES_STATE = 9, BAD_INPUT_LEN = 0x50,
       FRAME_AT = 0, RECEIVE_AT = 8192, RST = 0, RDY = 1, ERR = 3 };

struct packets {
    struct rig rig;
    struct own_queue q;         /* its qpn is the number of the SQ */
    uint8_t *mem;
    struct ibv_mr *mr;
    struct mlx5dv_devx_obj *td, *tis, *sq, *rq, *rqt, *tir;
    uint32_t tdn, tisn, rqn, rqtn, tirn;
    int status;                 /* of the last command */
};

/* Send a create command. NULL when the device refuses it. */
static struct mlx5dv_devx_obj *make(struct packets *p, uint8_t *in, size_t len, unsigned opcode,
                                    uint32_t *number)
{
    uint8_t out[16] = { 0 };
    struct mlx5dv_devx_obj *obj;

    put(in, 0, 16, opcode);
    obj = mlx5dv_devx_obj_create(p->rig.ctx, in, len, out, sizeof(out));
    p->status = out[0];
    CHECK_EQ(obj != NULL, p->status == OK);
    *number = (uint32_t)get(out, 0x48, 24);
    return obj;
}

static struct mlx5dv_devx_obj *make_td(struct packets *p, uint32_t *number)
{
    uint8_t in[16] = { 0 };

    return make(p, in, sizeof(in), 0x816, number);
}

static struct mlx5dv_devx_obj *make_tis(struct packets *p, uint32_t tdn, uint32_t *number)
{
    uint8_t in[0xc0] = { 0 };

    put(in, 0x100 + 0x128, 24, tdn);
    return make(p, in, sizeof(in), 0x912, number);
}

/* Fill in the WQ of an SQ or RQ. */
static void fill_wq(struct packets *p, uint8_t *in, uint64_t offset, unsigned log_stride)
{
    unsigned wq = 0x100 + 0x180;

    put(in, 0x100 + 0x48, 24, p->q.cqn);
    put(in, wq, 4, 1);                  /* cyclic */
    put(in, wq + 0x48, 24, p->rig.pdn);
    put(in, wq + 0x68, 24, p->q.uar->page_id);
    put(in, wq + 0x80, 64, OWN_DB_AT + 64);
    put(in, wq + 0x10c, 4, log_stride);
    put(in, wq + 0x11b, 5, 4);          /* 16 entries */
    put(in, wq + 0x140, 32, p->q.umem->umem_id);
    put(in, wq + 0x160, 32, p->q.umem->umem_id);
    put(in, wq + 0x180, 64, offset);
}

/* Make an SQ with the index of a packet pacing entry. */
static struct mlx5dv_devx_obj *make_paced_sq(struct packets *p, uint32_t tisn, unsigned log_stride,
                                             unsigned rate, uint32_t *number)
{
    uint8_t in[0x110] = { 0 };

    fill_wq(p, in, OWN_SQ_AT, log_stride);
    put(in, 0x100 + 0xf0, 16, rate);
    put(in, 0x100 + 0x28, 24, 0x111);   /* user index */
    put(in, 0x100 + 0x100, 16, 1);      /* one TIS */
    put(in, 0x100 + 0x168, 24, tisn);
    return make(p, in, sizeof(in), 0x904, number);
}

static struct mlx5dv_devx_obj *make_sq(struct packets *p, uint32_t tisn, unsigned log_stride,
                                       uint32_t *number)
{
    return make_paced_sq(p, tisn, log_stride, 0, number);
}

static struct mlx5dv_devx_obj *make_rq(struct packets *p, unsigned mem_type, uint32_t *number)
{
    uint8_t in[0x110] = { 0 };

    fill_wq(p, in, OWN_RQ_AT, 4);
    put(in, 0x100 + 0x28, 24, 0x222);
    put(in, 0x100 + 0x04, 4, mem_type);
    return make(p, in, sizeof(in), 0x908, number);
}

static struct mlx5dv_devx_obj *make_rqt(struct packets *p, uint32_t rqn, unsigned num, size_t len,
                                        uint32_t *number)
{
    uint8_t in[0x110 + 4 * 4] = { 0 };

    put(in, 0x100 + 0xb0, 16, 4);       /* rqt_max_size */
    put(in, 0x100 + 0xd0, 16, num);     /* rqt_actual_size */
    for (unsigned i = 0; i < 4; i++)
        put(in, 0x880 + 32 * i, 32, rqn);
    return make(p, in, len, 0x916, number);
}

static struct mlx5dv_devx_obj *make_tir(struct packets *p, unsigned type, uint32_t queue,
                                        uint32_t tdn, uint32_t *number)
{
    uint8_t in[0x110] = { 0 };
    unsigned tirc = 0x100;

    put(in, tirc + 0x20, 4, type);
    put(in, tirc + (type ? 0x108 : 0xe8), 24, queue);
    put(in, tirc + 0x120, 4, type ? 2 : 0);     /* Toeplitz */
    put(in, tirc + 0x128, 24, tdn);
    put(in, tirc + 0x140, 32, 0x6d5a56da);
    put(in, tirc + 0x280 + 2, 30, 3);           /* both addresses of IPv4 */
    return make(p, in, sizeof(in), 0x900, number);
}

/* Send a modify command. Return its status; -1 when the kernel refuses it. */
static int modify(struct mlx5dv_devx_obj *obj, unsigned opcode, uint32_t number, unsigned from,
                  unsigned to)
{
    uint8_t in[0x110] = { 0 }, out[16] = { 0 };

    put(in, 0, 16, opcode);
    put(in, 0x40, 4, from);
    put(in, 0x48, 24, number);
    put(in, 0x100 + 0x08, 4, to);
    if (mlx5dv_devx_obj_modify(obj, in, sizeof(in), out, sizeof(out)) == 0)
        return OK;
    return out[0] ? out[0] : -1;
}

/* Send a query and return the state of the queue. */
static unsigned state(struct mlx5dv_devx_obj *obj, unsigned opcode, uint32_t number)
{
    uint8_t in[16] = { 0 }, out[0x110] = { 0 };

    put(in, 0, 16, opcode);
    put(in, 0x48, 24, number);
    CHECK_EQ(mlx5dv_devx_obj_query(obj, in, sizeof(in), out, sizeof(out)), 0);
    return (unsigned)get(out, 0x100 + 0x08, 4);
}

static struct packets packets_open(void)
{
    struct packets p = { .rig = rig_open(0), .mem = rig_memory(1 << 16) };

    p.mr = ibv_reg_mr(p.rig.pd, p.mem, 1 << 16, RIG_ALL_ACCESS);
    CHECK(p.mr);
    p.q.mem = rig_memory(OWN_BYTES);
    memset(p.q.mem + OWN_CQ_AT, 0xff, OWN_CQ * 64);
    p.q.umem = mlx5dv_devx_umem_reg(p.rig.ctx, p.q.mem, OWN_BYTES, IBV_ACCESS_LOCAL_WRITE);
    p.q.uar = mlx5dv_devx_alloc_uar(p.rig.ctx, MLX5DV_UAR_ALLOC_TYPE_BF);
    CHECK(p.q.umem && p.q.uar);
    return p;
}

/* Create all objects. The pointers of `p` are valid only after it has its final address. */
static void packets_start(struct packets *p)
{
    p->q.rig = &p->rig;
    own_cq(&p->q);
    p->td = make_td(p, &p->tdn);
    p->tis = make_tis(p, p->tdn, &p->tisn);
    p->sq = make_sq(p, p->tisn, 6, &p->q.qpn);
    p->rq = make_rq(p, 0, &p->rqn);
    CHECK(p->td && p->tis && p->sq && p->rq);
    p->rqt = make_rqt(p, p->rqn, 4, 0x120, &p->rqtn);
    CHECK(p->rqt);
    p->tir = make_tir(p, 1, p->rqtn, p->tdn, &p->tirn);
    CHECK(p->tir);
}

static void packets_close(struct packets *p)
{
    struct mlx5dv_devx_obj *objs[] = { p->tir, p->rqt, p->rq, p->sq, p->tis, p->td, p->q.cq };

    for (unsigned i = 0; i < sizeof(objs) / sizeof(objs[0]); i++)
        if (objs[i])
            CHECK_EQ(mlx5dv_devx_obj_destroy(objs[i]), 0);
    mlx5dv_devx_free_uar(p->q.uar);
    CHECK_EQ(mlx5dv_devx_umem_dereg(p->q.umem), 0);
    CHECK_EQ(ibv_dereg_mr(p->mr), 0);
    free(p->q.mem);
    free(p->mem);
    rig_close(&p->rig);
}

/* ---- rules ---------------------------------------------------------------------------------- */

struct match {
    size_t len;
    uint64_t bytes[64];
};

static struct mlx5dv_flow_matcher *matcher(struct packets *p, const struct match *mask,
                                           uint8_t criteria, uint32_t flags, uint16_t priority)
{
    struct mlx5dv_flow_matcher_attr attr = { .type = IBV_FLOW_ATTR_NORMAL, .flags = flags,
        .priority = priority, .match_criteria_enable = criteria,
        .match_mask = (struct mlx5dv_flow_match_parameters *)(uintptr_t)mask };

    return mlx5dv_create_flow_matcher(p->rig.ctx, &attr);
}

static struct ibv_flow *rule(struct mlx5dv_flow_matcher *m, const struct match *value,
                             struct mlx5dv_flow_action_attr *actions, unsigned num)
{
    return mlx5dv_create_flow(m, (struct mlx5dv_flow_match_parameters *)(uintptr_t)value, num,
                              actions);
}

static uint32_t make_frame(struct packets *p, uint16_t dport)
{
    const struct flow f = { .dst = { 1, 0, 0x5e }, .version = 4, .protocol = 17, .sport = 9,
        .dport = dport };

    return frame_make(p->mem + FRAME_AT, &f, 100);
}

/* Send the frame with the own SQ. The first 18 bytes are in the Ethernet segment, which has 32
 * bytes. */
static void send_frame(struct packets *p, uint32_t len)
{
    uint8_t *wqe = own_wqe(&p->q, 0x0a, 0, 4, true);

    put(wqe + 16, 96, 16, 18);
    memcpy(wqe + 16 + 14, p->mem + FRAME_AT, 18);
    own_data(wqe + 48, (struct rig_side){ p->mem + FRAME_AT + 18, len - 18, p->mr->lkey });
    own_ring(&p->q, wqe);
}

static void frames_pass_from_sq_to_rq(void)
{
    struct packets p = packets_open();
    struct mlx5dv_flow_matcher *m;
    struct mlx5dv_flow_action_attr actions[2] = {
        { .type = MLX5DV_FLOW_ACTION_DEST_DEVX }, { .type = MLX5DV_FLOW_ACTION_TAG,
                                                    .tag_value = 0x1234 } };
    struct match mask = { .len = 64 }, value = { .len = 64 };
    struct ibv_flow *flow;
    uint8_t cqe[64];
    uint32_t len;

    packets_start(&p);
    CHECK_EQ(modify(p.sq, 0x905, p.q.qpn, RST, RDY), OK);
    CHECK_EQ(modify(p.rq, 0x909, p.rqn, RST, RDY), OK);
    put(mask.bytes, 0xf0, 16, 0xffff);          /* udp_dport */
    put(value.bytes, 0xf0, 16, 7);
    m = matcher(&p, &mask, 1, 0, 3);
    CHECK(m);
    actions[0].obj = p.tir;
    flow = rule(m, &value, actions, 2);
    CHECK(flow);
    own_receive(&p.q, (struct rig_side){ p.mem + RECEIVE_AT, 2048, p.mr->lkey });
    len = make_frame(&p, 7);
    send_frame(&p, len);
    own_poll(&p.q, cqe);                        /* of the RQ: it is written first */
    CHECK_EQ(cqe[63] >> 4, 2);
    CHECK_EQ(get(cqe, 0x100, 32), 0x222);
    CHECK_EQ(get(cqe, 0x160, 32), len);
    CHECK_EQ(get(cqe, 0x1c8, 24), 0x1234);      /* the tag */
    CHECK_EQ(memcmp(p.mem + FRAME_AT, p.mem + RECEIVE_AT, len), 0);
    own_poll(&p.q, cqe);
    CHECK_EQ(cqe[63] >> 4, 0);
    CHECK_EQ(get(cqe, 0x100, 32), 0x111);
    own_receive(&p.q, (struct rig_side){ p.mem + RECEIVE_AT, 2048, p.mr->lkey });
    send_frame(&p, make_frame(&p, 8));          /* does not match */
    own_poll(&p.q, cqe);
    CHECK_EQ(cqe[63] >> 4, 0);
    CHECK(mlx5dv_devx_obj_destroy(p.tir) != 0); /* the rule uses it */
    CHECK(mlx5dv_destroy_flow_matcher(m) != 0);
    CHECK_EQ(ibv_destroy_flow(flow), 0);
    CHECK_EQ(mlx5dv_destroy_flow_matcher(m), 0);
    packets_close(&p);
}

/* Send a packet of IPv4 with these flags and this offset of its fragment, and return its CQE. */
static void send_fragment(struct packets *p, unsigned flags, uint8_t cqe[64])
{
    uint8_t *ip = p->mem + FRAME_AT + 14, sent[64];
    uint32_t len = make_frame(p, 7);

    put(ip, 48, 16, flags);
    put(ip, 80, 16, (uint16_t)~ones_sum(ip, 20, 0));
    own_receive(&p->q, (struct rig_side){ p->mem + RECEIVE_AT, 2048, p->mr->lkey });
    send_frame(p, len);
    own_poll(&p->q, cqe);
    own_poll(&p->q, sent);
}

/* A fragment has no header type and no checksum of its L4 header, but bit 7 of the types. The UDP
 * checksum of 0 counts as right in a whole packet. */
static void a_cqe_tells_fragments(void)
{
    enum { MORE = 0x2000, DONT = 0x4000, L2_L3 = 3, L4 = 4, IPV4 = 8, UDP_HEADER = 0x20,
           FRAGMENT = 0x80 };
    struct packets p = packets_open();
    struct mlx5dv_flow_action_attr to = { .type = MLX5DV_FLOW_ACTION_DEST_DEVX };
    struct match mask = { .len = 64 }, value = { .len = 64 };
    const struct { unsigned flags, ok, types; } tries[] = {
        { 0, L2_L3 | L4, IPV4 | UDP_HEADER }, { DONT, L2_L3 | L4, IPV4 | UDP_HEADER },
        { MORE, L2_L3, IPV4 | FRAGMENT }, { MORE | 9, L2_L3, IPV4 | FRAGMENT },
        { 9, L2_L3, IPV4 | FRAGMENT } };
    struct mlx5dv_flow_matcher *m;
    struct ibv_flow *flow;
    uint8_t cqe[64];

    packets_start(&p);
    CHECK_EQ(modify(p.sq, 0x905, p.q.qpn, RST, RDY), OK);
    CHECK_EQ(modify(p.rq, 0x909, p.rqn, RST, RDY), OK);
    m = matcher(&p, &mask, 0, 0, 0);
    CHECK(m);
    to.obj = p.tir;
    flow = rule(m, &value, &to, 1);
    CHECK(flow);
    for (unsigned i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
        send_fragment(&p, tries[i].flags, cqe);
        CHECK_EQ(cqe[63] >> 4, 2);
        CHECK_EQ(cqe[0x1c], tries[i].ok);
        CHECK_EQ(cqe[0x1d], tries[i].types);
    }
    CHECK_EQ(ibv_destroy_flow(flow), 0);
    CHECK_EQ(mlx5dv_destroy_flow_matcher(m), 0);
    packets_close(&p);
}

static void rules_for_sent_packets_drop(void)
{
    struct packets p = packets_open();
    struct mlx5dv_flow_action_attr drop = { .type = MLX5DV_FLOW_ACTION_DROP };
    struct mlx5dv_flow_action_attr to = { .type = MLX5DV_FLOW_ACTION_DEST_DEVX };
    struct match mask = { .len = 64 }, value = { .len = 64 };
    struct mlx5dv_flow_matcher *tx, *rx;
    struct ibv_flow *dropping, *flow;
    uint8_t cqe[64];

    packets_start(&p);
    CHECK_EQ(modify(p.sq, 0x905, p.q.qpn, RST, RDY), OK);
    CHECK_EQ(modify(p.rq, 0x909, p.rqn, RST, RDY), OK);
    rx = matcher(&p, &mask, 0, 0, 0);
    CHECK(rx);
    to.obj = p.tir;
    flow = rule(rx, &value, &to, 1);
    put(mask.bytes, 0xf0, 16, 0xffff);
    put(value.bytes, 0xf0, 16, 7);
    tx = matcher(&p, &mask, 1, IBV_FLOW_ATTR_FLAGS_EGRESS, 0);
    CHECK(tx && flow);
    dropping = rule(tx, &value, &drop, 1);
    CHECK(dropping);
    own_receive(&p.q, (struct rig_side){ p.mem + RECEIVE_AT, 2048, p.mr->lkey });
    send_frame(&p, make_frame(&p, 7));
    own_poll(&p.q, cqe);
    CHECK_EQ(cqe[63] >> 4, 0);                  /* only that of the SQ */
    send_frame(&p, make_frame(&p, 8));
    own_poll(&p.q, cqe);
    CHECK_EQ(cqe[63] >> 4, 2);
    CHECK_EQ(ibv_destroy_flow(dropping), 0);
    CHECK_EQ(ibv_destroy_flow(flow), 0);
    CHECK_EQ(mlx5dv_destroy_flow_matcher(tx), 0);
    CHECK_EQ(mlx5dv_destroy_flow_matcher(rx), 0);
    packets_close(&p);
}

static void queues_change_their_states(void)
{
    struct packets p = packets_open();

    packets_start(&p);
    for (unsigned i = 0; i < 2; i++) {
        struct mlx5dv_devx_obj *obj = i ? p.rq : p.sq;
        uint32_t number = i ? p.rqn : p.q.qpn;
        unsigned change = i ? 0x909 : 0x905, query = i ? 0x90b : 0x907;

        CHECK_EQ(state(obj, query, number), RST);
        CHECK_EQ(modify(obj, change, number, RDY, ERR), BAD_RES_STATE);
        CHECK_EQ(modify(obj, change, number, RST, ERR), BAD_PARAM);
        CHECK_EQ(modify(obj, change, number, RST, RDY), OK);
        CHECK_EQ(state(obj, query, number), RDY);
        CHECK_EQ(modify(obj, change, number, RDY, 2), BAD_PARAM);
        CHECK_EQ(modify(obj, change, number, RDY, ERR), OK);
        CHECK_EQ(modify(obj, change, number, ERR, RDY), BAD_PARAM);
        CHECK_EQ(modify(obj, change, number, ERR, RST), OK);
        CHECK_EQ(modify(obj, i ? 0x905 : 0x909, number, RST, RDY), BAD_RESOURCE);
        CHECK_EQ(modify(obj, change, number + 1, RST, RDY), -1);
    }
    packets_close(&p);
}

/* Send MODIFY_TIR, with the context of a TIR over this RQT that hashes by the given fields. Return
 * its status; -1 when the kernel refuses it. */
static int modify_tir(struct packets *p, uint32_t tirn, unsigned parts, uint32_t rqtn,
                      unsigned hash, unsigned fields)
{
    uint8_t in[0x110] = { 0 }, out[16] = { 0 };

    put(in, 0, 16, 0x901);
    put(in, 0x48, 24, tirn);
    put(in, 0x80, 64, parts);
    put(in, 0x100 + 0x108, 24, rqtn);
    put(in, 0x100 + 0x120, 4, hash);
    put(in, 0x100 + 0x140, 32, 0x6d5a56da);
    put(in, 0x100 + 0x280 + 2, 30, fields);
    if (mlx5dv_devx_obj_modify(p->tir, in, sizeof(in), out, sizeof(out)) == 0)
        return OK;
    return out[0] ? out[0] : -1;
}

/* Send a frame that the rule takes, and return the hash in the CQE of the RQ. */
static uint32_t received_hash(struct packets *p)
{
    uint8_t cqe[64];

    own_receive(&p->q, (struct rig_side){ p->mem + RECEIVE_AT, 2048, p->mr->lkey });
    send_frame(p, make_frame(p, 7));
    own_poll(&p->q, cqe);
    CHECK_EQ(cqe[63] >> 4, 2);
    own_poll(&p->q, (uint8_t[64]){ 0 });
    return (uint32_t)get(cqe, 0x60, 32);
}

static void the_table_and_the_hash_of_a_tir_can_be_changed(void)
{
    enum { TABLE = 2, HASH = 4 };
    struct packets p = packets_open();
    struct mlx5dv_flow_action_attr to = { .type = MLX5DV_FLOW_ACTION_DEST_DEVX };
    struct match none = { .len = 64 };
    struct mlx5dv_devx_obj *rqt, *direct;
    struct mlx5dv_flow_matcher *m;
    struct ibv_flow *flow;
    uint32_t rqtn, tirn, hash;

    packets_start(&p);
    CHECK_EQ(modify(p.sq, 0x905, p.q.qpn, RST, RDY), OK);
    CHECK_EQ(modify(p.rq, 0x909, p.rqn, RST, RDY), OK);
    m = matcher(&p, &none, 0, 0, 0);
    to.obj = p.tir;
    flow = rule(m, &none, &to, 1);
    CHECK(m && flow);
    hash = received_hash(&p);
    CHECK(hash != 0);
    CHECK_EQ(modify_tir(&p, p.tirn, HASH, 0, 2, 2), OK);        /* the destination only */
    CHECK(received_hash(&p) != hash);
    CHECK_EQ(modify_tir(&p, p.tirn, HASH, 0, 0, 3), OK);        /* no hash */
    CHECK_EQ(received_hash(&p), 0);
    CHECK_EQ(modify_tir(&p, p.tirn, HASH, 0, 2, 3), OK);
    CHECK_EQ(received_hash(&p), hash);
    rqt = make_rqt(&p, p.rqn, 1, 0x120, &rqtn);
    CHECK(rqt);
    CHECK_EQ(modify_tir(&p, p.tirn, TABLE, rqtn, 0, 0), OK);
    CHECK(mlx5dv_devx_obj_destroy(rqt) != 0);                   /* in use */
    CHECK_EQ(mlx5dv_devx_obj_destroy(p.rqt), 0);                /* no longer in use */
    CHECK_EQ(received_hash(&p), hash);
    CHECK_EQ(modify_tir(&p, p.tirn, TABLE, rqtn + 1, 0, 0), BAD_RESOURCE);
    CHECK_EQ(modify_tir(&p, p.tirn, HASH, 0, 1, 3), BAD_PARAM); /* another hash */
    CHECK_EQ(modify_tir(&p, p.tirn, 1, 0, 0, 0), BAD_PARAM);    /* LRO */
    CHECK_EQ(modify_tir(&p, p.tirn, 1 << 4, 0, 0, 0), BAD_PARAM);       /* self-loopback */
    CHECK_EQ(modify_tir(&p, p.tirn + 1, HASH, 0, 2, 3), -1);
    CHECK_EQ(received_hash(&p), hash);
    CHECK_EQ(ibv_destroy_flow(flow), 0);
    CHECK_EQ(mlx5dv_destroy_flow_matcher(m), 0);
    direct = make_tir(&p, 0, p.rqn, p.tdn, &tirn);
    CHECK(direct);
    CHECK_EQ(mlx5dv_devx_obj_destroy(p.tir), 0);
    p.tir = direct;
    CHECK_EQ(modify_tir(&p, tirn, TABLE, rqtn, 0, 0), BAD_PARAM);       /* `direct` has no table */
    p.rqt = rqt;
    packets_close(&p);
}

static void the_priority_of_a_tis_can_be_changed(void)
{
    struct packets p = packets_open();
    uint8_t in[0xc0] = { 0 }, out[0xb0] = { 0 }, query[16] = { 0 };

    packets_start(&p);
    put(in, 0, 16, 0x913);
    put(in, 0x48, 24, p.tisn);
    put(in, 0x80, 64, 1);
    put(in, 0x100 + 0x0c, 4, 5);
    CHECK_EQ(mlx5dv_devx_obj_modify(p.tis, in, sizeof(in), out, 16), 0);
    put(query, 0, 16, 0x915);
    put(query, 0x48, 24, p.tisn);
    CHECK_EQ(mlx5dv_devx_obj_query(p.tis, query, sizeof(query), out, sizeof(out)), 0);
    CHECK_EQ(get(out, 0x80 + 0x0c, 4), 5);
    CHECK_EQ(get(out, 0x80 + 0x128, 24), p.tdn);
    put(in, 0x80, 64, 2);               /* whether the port of a LAG is strict */
    CHECK(mlx5dv_devx_obj_modify(p.tis, in, sizeof(in), out, 16) != 0);
    CHECK_EQ(out[0], BAD_PARAM);
    put(in, 0x48, 24, p.tdn);           /* not the object of the handle */
    CHECK_EQ(mlx5dv_devx_obj_modify(p.tis, in, sizeof(in), out, 16), EINVAL);
    CHECK(mlx5dv_devx_obj_query(p.tis, query, sizeof(query), out, 0x20) != 0);
    CHECK_EQ(out[0], 0x51);
    packets_close(&p);
}

/* Return the index of the packet pacing entry of the SQ. */
static unsigned rate_of(struct packets *p)
{
    uint8_t in[16] = { 0 }, out[0x110] = { 0 };

    put(in, 0, 16, 0x907);
    put(in, 0x48, 24, p->q.qpn);
    CHECK_EQ(mlx5dv_devx_obj_query(p->sq, in, sizeof(in), out, sizeof(out)), 0);
    return (unsigned)get(out, 0x100 + 0xf0, 16);
}

/* An SQ sends with the rate of its packet pacing entry, until a command takes the rate away. */
static void an_sq_sends_with_its_rate(void)
{
    struct packets p = packets_open();
    uint8_t rate[4], modify_in[0x110] = { 0 }, out[16], cqe[64];
    struct mlx5dv_pp *pp;
    unsigned index;
    double start;

    put(rate, 0, 32, 40);                       /* kbit/s: a frame takes 28 ms */
    pp = mlx5dv_pp_alloc(p.rig.ctx, sizeof(rate), rate, 0);
    CHECK(pp);
    packets_start(&p);
    CHECK_EQ(mlx5dv_devx_obj_destroy(p.sq), 0);
    CHECK(!make_paced_sq(&p, p.tisn, 6, pp->index + 1u, &p.q.qpn) && p.status == BAD_PARAM);
    p.sq = make_paced_sq(&p, p.tisn, 6, pp->index, &p.q.qpn);
    CHECK(p.sq);
    index = pp->index;
    mlx5dv_pp_free(pp);                         /* the SQ keeps the rate */
    CHECK_EQ(modify(p.sq, 0x905, p.q.qpn, RST, RDY), OK);
    start = rig_seconds();
    for (unsigned i = 0; i < 3; i++) {
        send_frame(&p, make_frame(&p, 7));
        own_poll(&p.q, cqe);
    }
    CHECK(rig_seconds() - start >= 0.05);
    put(modify_in, 0, 16, 0x905);
    put(modify_in, 0x40, 4, RDY);
    put(modify_in, 0x48, 24, p.q.qpn);
    put(modify_in, 0x80, 64, 1);
    put(modify_in, 0x108, 4, RDY);
    put(modify_in, 0x1f0, 16, 99);
    CHECK(mlx5dv_devx_obj_modify(p.sq, modify_in, sizeof(modify_in), out, sizeof(out)) != 0);
    put(modify_in, 0x1f0, 16, 0);
    put(modify_in, 0x40, 4, ERR);               /* not the state of the SQ */
    CHECK(mlx5dv_devx_obj_modify(p.sq, modify_in, sizeof(modify_in), out, sizeof(out)) != 0);
    CHECK_EQ(out[0], BAD_RES_STATE);
    CHECK_EQ(rate_of(&p), index);
    put(modify_in, 0x40, 4, RDY);
    put(modify_in, 0x108, 4, 2);                /* not a state */
    CHECK(mlx5dv_devx_obj_modify(p.sq, modify_in, sizeof(modify_in), out, sizeof(out)) != 0);
    CHECK_EQ(out[0], BAD_PARAM);
    CHECK_EQ(rate_of(&p), index);
    put(modify_in, 0x108, 4, RDY);
    CHECK_EQ(mlx5dv_devx_obj_modify(p.sq, modify_in, sizeof(modify_in), out, sizeof(out)), 0);
    CHECK_EQ(rate_of(&p), 0);
    send_frame(&p, make_frame(&p, 7));
    own_poll(&p.q, cqe);
    packets_close(&p);
}

/* ---- bad input ------------------------------------------------------------------------------ */

static void wrong_objects_are_refused(void)
{
    struct packets p = packets_open();
    uint32_t number;

    packets_start(&p);
    CHECK(!make_tis(&p, 0xffff, &number) && p.status == BAD_RESOURCE);
    CHECK(!make_tis(&p, p.tisn, &number) && p.status == BAD_RESOURCE);
    CHECK(!make_sq(&p, p.tdn, 6, &number) && p.status == BAD_RESOURCE);
    CHECK(!make_sq(&p, p.tisn, 7, &number) && p.status == BAD_PARAM);
    CHECK(!make_rq(&p, 1, &number) && p.status == BAD_PARAM);
    CHECK(!make_rqt(&p, p.q.qpn, 4, 0x120, &number) && p.status == BAD_RESOURCE);
    CHECK(!make_rqt(&p, p.rqn, 0, 0x120, &number) && p.status == BAD_PARAM);
    CHECK(!make_rqt(&p, p.rqn, 5, 0x120, &number) && p.status == BAD_PARAM);
    CHECK(!make_rqt(&p, p.rqn, 4, 0x11c, &number) && p.status == BAD_INPUT_LEN);
    CHECK(!make_tir(&p, 0, p.q.qpn, p.tdn, &number) && p.status == BAD_RESOURCE);
    CHECK(!make_tir(&p, 1, p.rqtn + 1, p.tdn, &number) && p.status == BAD_RESOURCE);
    CHECK(!make_tir(&p, 2, p.rqn, p.tdn, &number) && p.status == BAD_PARAM);
    CHECK(!make_tir(&p, 0, p.rqn, p.tisn, &number) && p.status == BAD_RESOURCE);
    CHECK(mlx5dv_devx_obj_destroy(p.rq) != 0);  /* the RQT uses it */
    CHECK(mlx5dv_devx_obj_destroy(p.tis) != 0); /* the SQ uses it */
    packets_close(&p);
}

static void a_tir_needs_no_transport_domain(void)
{
    struct packets p = packets_open();
    struct mlx5dv_devx_obj *tir;
    uint32_t number;

    packets_start(&p);
    tir = make_tir(&p, 0, p.rqn, 0, &number);
    CHECK(tir);
    CHECK_EQ(mlx5dv_devx_obj_destroy(tir), 0);
    packets_close(&p);
}

/* The commands of QPs refuse these queues. */
static void queues_are_no_qps(void)
{
    struct packets p = packets_open();
    uint8_t in[0x110] = { 0 }, out[0x200] = { 0 };

    packets_start(&p);
    put(in, 0, 16, 0x50b);
    put(in, 0x48, 24, p.rqn);
    CHECK(mlx5dv_devx_obj_query(p.rq, in, 16, out, sizeof(out)) != 0);
    put(in, 0, 16, 0x502);
    CHECK(mlx5dv_devx_obj_modify(p.rq, in, sizeof(in), out, 16) != 0);
    packets_close(&p);
}

static void wrong_matchers_and_rules_are_refused(void)
{
    struct packets p = packets_open();
    struct mlx5dv_flow_action_attr to = { .type = MLX5DV_FLOW_ACTION_DEST_DEVX };
    struct match mask = { .len = 512 }, value = { .len = 64 };
    struct mlx5dv_flow_matcher *m;

    packets_start(&p);
    put(mask.bytes, 0x30, 16, 0xffff);
    CHECK(!matcher(&p, &mask, 2, 0, 0));        /* outer headers are not in the criteria */
    CHECK(!matcher(&p, &mask, 1, 0, 16));       /* priority */
    put(mask.bytes, 0xd0, 4, 15);               /* ipv4_ihl is not matched by this device */
    CHECK(!matcher(&p, &mask, 1, 0, 0));
    put(mask.bytes, 0xd0, 4, 0);
    m = matcher(&p, &mask, 1, 0, 0);
    CHECK(m);
    CHECK(!rule(m, &value, NULL, 0));
    to.obj = p.rqt;
    CHECK(!rule(m, &value, &to, 1));
    CHECK_EQ(mlx5dv_destroy_flow_matcher(m), 0);
    packets_close(&p);
}

static uint64_t seed = 0x9e3779b97f4a7c15;

static uint32_t rnd(uint32_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)((seed >> 16) % below);
}

/* Post one WQE with a random Ethernet segment and a frame with random headers. */
static void post_random(struct packets *p, struct flow *f)
{
    uint8_t *wqe = own_wqe(&p->q, rnd(3) ? 0x0a : rnd(2) ? 0x0e : rnd(256), 0, 4, true);
    uint32_t len, at;

    f->version = rnd(2) ? 4 : 6;
    f->protocol = rnd(2) ? 6 : 17;
    f->dport = rnd(2) ? 4789 : (uint16_t)rnd(65536);
    f->vlan = (uint16_t)(rnd(2) ? 0 : rnd(4096));
    len = frame_make(p->mem + FRAME_AT, f, rnd(200));
    for (unsigned i = rnd(4); i > 0; i--)
        p->mem[FRAME_AT + 12 + rnd(60)] = (uint8_t)rnd(256);
    at = rnd(2) ? 18 : rnd(19);
    put(wqe + 16, 0x20, 8, rnd(3) ? 0xc0 : rnd(256));
    put(wqe + 16, 0x30, 16, wqe[3] == 0x0e ? rnd(300) : 0);
    put(wqe + 16, 0x60, 16, rnd(16) ? at : rnd(65536));
    memcpy(wqe + 16 + 14, p->mem + FRAME_AT, at < 18 ? at : 18);
    put(wqe, 56, 8, rnd(16) ? 4 : rnd(64));
    own_data(wqe + 48, (struct rig_side){ p->mem + FRAME_AT + at, rnd(8) ? len - at : rnd(70000),
                                          rnd(8) ? p->mr->lkey : rnd(1 << 16) });
    own_receive(&p->q, (struct rig_side){ p->mem + RECEIVE_AT, rnd(8) ? 4096 : rnd(64),
                                          p->mr->lkey });
    own_ring(&p->q, wqe);
}

static void random_wqes_do_not_end_the_device(void)
{
    struct packets p = packets_open();
    struct mlx5dv_flow_action_attr to = { .type = MLX5DV_FLOW_ACTION_DEST_DEVX };
    struct match mask = { .len = 64 };
    struct flow f = { .dst = { 1, 0, 0x5e } };
    struct mlx5dv_flow_matcher *m;
    struct ibv_flow *flow;

    own_ignores_overrun = true;
    packets_start(&p);
    m = matcher(&p, &mask, 0, 0, 0);
    CHECK(m);
    to.obj = p.tir;
    flow = rule(m, &mask, &to, 1);
    CHECK(flow);
    for (unsigned i = 0; i < 3000; i++) {
        unsigned of_sq = state(p.sq, 0x907, p.q.qpn), of_rq = state(p.rq, 0x90b, p.rqn);

        if (of_sq != RDY || of_rq != RDY) {
            CHECK_EQ(modify(p.sq, 0x905, p.q.qpn, of_sq, RST), OK);
            CHECK_EQ(modify(p.rq, 0x909, p.rqn, of_rq, RST), OK);
            p.q.pi = p.q.rq_pi = 0;
            put(p.q.mem + OWN_DB_AT + 64, 0, 64, 0);
            CHECK_EQ(modify(p.sq, 0x905, p.q.qpn, RST, RDY), OK);
            CHECK_EQ(modify(p.rq, 0x909, p.rqn, RST, RDY), OK);
        }
        post_random(&p, &f);
    }
    CHECK_EQ(ibv_destroy_flow(flow), 0);
    CHECK_EQ(mlx5dv_destroy_flow_matcher(m), 0);
    packets_close(&p);
}

/* Query a TIS through a QP, or through `obj` without a QP. Return its transport domain, or 0. */
static uint32_t domain_of(struct ibv_qp *qp, struct mlx5dv_devx_obj *obj, uint32_t tisn,
                          size_t room)
{
    uint8_t in[16] = { 0 }, out[0xb0] = { 0 };
    int error;

    put(in, 0, 16, 0x915);
    put(in, 0x48, 24, tisn);
    error = qp ? mlx5dv_devx_qp_query(qp, in, sizeof(in), out, room)
               : mlx5dv_devx_obj_query(obj, in, sizeof(in), out, room);
    CHECK(error == 0 || get(out, 0x80 + 0x128, 24) == 0);
    return (uint32_t)get(out, 0x80 + 0x128, 24);
}

static uint32_t tis_of(struct ibv_qp *qp)
{
    struct mlx5dv_qp dv = { .comp_mask = MLX5DV_QP_MASK_RAW_QP_HANDLES };
    struct mlx5dv_obj obj = { .qp = { .in = qp, .out = &dv } };

    CHECK_EQ(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP), 0);
    CHECK(dv.comp_mask & MLX5DV_QP_MASK_RAW_QP_HANDLES);
    return dv.tisn;
}

/* The kernel makes the TIS of a raw packet QP, in one transport domain for the context. */
static void the_transport_domain_of_a_qp_can_be_queried(void)
{
    struct packets p = packets_open();
    struct ibv_qp *qp[2] = { raw_qp(&p.rig, 0), raw_qp(&p.rig, 0) };
    uint32_t tisn[2], domain, number;

    packets_start(&p);
    CHECK(qp[0] && qp[1]);
    for (unsigned i = 0; i < 2; i++)
        tisn[i] = tis_of(qp[i]);
    CHECK(tisn[0] && tisn[1] && tisn[0] != tisn[1]);
    domain = domain_of(qp[0], NULL, tisn[0], 0xb0);
    CHECK(domain != 0 && domain != p.tdn);
    CHECK_EQ(domain_of(qp[1], NULL, tisn[1], 0xb0), domain);
    CHECK_EQ(domain_of(NULL, p.tis, p.tisn, 0xb0), p.tdn);
    CHECK_EQ(domain_of(qp[0], NULL, tisn[1], 0xb0), 0);  /* the TIS of another QP */
    CHECK_EQ(domain_of(qp[0], NULL, p.tisn, 0xb0), 0);
    CHECK_EQ(domain_of(NULL, p.tis, p.tdn, 0xb0), 0);    /* the number of a transport domain */
    CHECK_EQ(domain_of(qp[0], NULL, tisn[0], 0xac), 0);  /* the answer does not fit */
    CHECK(!make_sq(&p, tisn[0], 6, &number) && p.status == BAD_RESOURCE);
    for (unsigned i = 0; i < 2; i++)
        CHECK_EQ(ibv_destroy_qp(qp[i]), 0);
    CHECK(!make_sq(&p, tisn[0], 6, &number) && p.status == BAD_RESOURCE);
    packets_close(&p);
}

/* Run with --link infiniband. */
static void infiniband_has_none_of_the_commands(void)
{
    struct packets p = packets_open();
    uint32_t number;

    p.q.rig = &p.rig;
    own_cq(&p.q);
    CHECK(!make_tis(&p, 1, &number) && p.status == BAD_OP);
    CHECK(!make_sq(&p, 1, 6, &number) && p.status == BAD_OP);
    CHECK(!make_rq(&p, 0, &number) && p.status == BAD_OP);
    CHECK(!make_rqt(&p, 1, 4, 0x120, &number) && p.status == BAD_OP);
    CHECK(!make_tir(&p, 0, 1, 1, &number) && p.status == BAD_OP);
    packets_close(&p);
}

static const struct rig_case cases[] = {
    RIG_CASE(frames_pass_from_sq_to_rq),
    RIG_CASE(a_cqe_tells_fragments),
    RIG_CASE(rules_for_sent_packets_drop),
    RIG_CASE(queues_change_their_states),
    RIG_CASE(the_table_and_the_hash_of_a_tir_can_be_changed),
    RIG_CASE(the_priority_of_a_tis_can_be_changed),
    RIG_CASE(an_sq_sends_with_its_rate),
    RIG_CASE(wrong_objects_are_refused),
    RIG_CASE(a_tir_needs_no_transport_domain),
    RIG_CASE(queues_are_no_qps),
    RIG_CASE(wrong_matchers_and_rules_are_refused),
    RIG_CASE(the_transport_domain_of_a_qp_can_be_queried),
    RIG_CASE(random_wqes_do_not_end_the_device),
    RIG_CASE(infiniband_has_none_of_the_commands),
};

/* Without arguments: all cases that keep the rules of the device, with Ethernet ports. */
int main(int argc, char **argv)
{
    return rig_main(argc, argv, cases, sizeof(cases) / sizeof(cases[0]) - (argc < 2 ? 2 : 0));
}
