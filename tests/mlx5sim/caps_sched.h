/* Probes for test_caps.c: scheduling elements. */
#ifndef MLX5SIM_TEST_CAPS_SCHED_H
#define MLX5SIM_TEST_CAPS_SCHED_H

#include "caps_packets.h"

enum { SCHED_BYTES = 0x90, SCHED_NIC = 3, SCHED_ESWITCH = 2, SCHED_TSAR = 0, SCHED_LEAF = 4 };

struct sched {
    struct mlx5dv_devx_obj *obj;        /* NULL: refused */
    uint32_t id;
};

static void put_sched(uint8_t *in, unsigned hierarchy, unsigned type, uint32_t parent)
{
    memset(in, 0, SCHED_BYTES);
    put(in, 0, 16, 0xa00);
    put(in, 0x30, 16, 0x26);
    put(in, 0xc0, 8, hierarchy);
    put(in + 0x30, 0x00, 8, type);
    put(in + 0x30, 0x40, 32, parent);
}

static struct sched send_sched(struct probe *p, const uint8_t *in)
{
    uint8_t out[16] = { 0 };
    struct sched sched = { .obj = mlx5dv_devx_obj_create(p->rig.ctx, in, SCHED_BYTES, out,
                                                         sizeof(out)) };

    sched.id = (uint32_t)get(out, 0x40, 32);
    return sched;
}

static struct sched make_sched(struct probe *p, unsigned type, uint32_t parent)
{
    uint8_t in[SCHED_BYTES];

    put_sched(in, SCHED_NIC, type, parent);
    return send_sched(p, in);
}

static void drop_sched(struct sched sched)
{
    if (sched.obj)
        CHECK_EQ(mlx5dv_devx_obj_destroy(sched.obj), 0);
}

static bool schedules_eswitch(struct probe *p)
{
    uint8_t in[SCHED_BYTES];

    put_sched(in, SCHED_ESWITCH, SCHED_TSAR, 0);
    return creates(&p->rig, in, sizeof(in));
}

static bool attaches(struct ibv_qp *qp, const uint8_t *in, size_t len)
{
    uint8_t out[16] = { 0 };

    return mlx5dv_devx_qp_modify(qp, in, len, out, sizeof(out)) == 0;
}

static bool schedules_frames(struct probe *p)
{
    struct sched root = make_sched(p, SCHED_TSAR, 0), leaf = make_sched(p, SCHED_LEAF, root.id);
    struct ibv_qp *qp = leaf.obj ? raw_qp(&p->rig, 64) : NULL;
    uint8_t in[0x110] = { 0 };
    bool good = false;

    if (qp) {
        raw_states(qp, IBV_QPS_RTS);
        put(in, 0, 16, 0x905);
        put(in, 0x40, 4, 1);
        put(in, 0x48, 24, qp->qp_num);
        put(in, 0x80, 64, 1 << 2);
        put(in, 0x108, 4, 1);
        put(in, 0x100 + 0x110, 16, leaf.id);
        good = attaches(qp, in, sizeof(in));
        CHECK_EQ(ibv_destroy_qp(qp), 0);
    }
    drop_sched(leaf);
    drop_sched(root);
    return good;
}

static bool schedules_requests(struct probe *p)
{
    struct sched root = make_sched(p, SCHED_TSAR, 0), leaf = make_sched(p, SCHED_LEAF, root.id);
    struct ibv_qp *qp = rig_loop(&p->rig, (struct rig_qp_options){ .retry = 7 });
    uint8_t in[0x1d0] = { 0 };
    bool good = false;

    put(in, 0, 16, 0x505);
    put(in, 0x40, 1, 1);
    put(in, 0x48, 24, qp->qp_num);
    put(in, 0x840, 64, 1 << 1);
    put(in, 0x880 + 0x20, 32, leaf.id);
    if (leaf.obj)
        good = attaches(qp, in, sizeof(in));
    CHECK_EQ(ibv_destroy_qp(qp), 0);
    drop_sched(leaf);
    drop_sched(root);
    return good;
}

/* Create a leaf with a value at a bit of its context. True when the leaf keeps it. */
static bool keeps_value(struct probe *p, unsigned bit, uint32_t value)
{
    struct sched root = make_sched(p, SCHED_TSAR, 0), leaf;
    uint8_t in[SCHED_BYTES], out[SCHED_BYTES] = { 0 };
    bool good = false;

    put_sched(in, SCHED_NIC, SCHED_LEAF, root.id);
    put(in + 0x30, bit, 32, value);
    leaf = send_sched(p, in);
    if (leaf.obj) {
        put(in, 0, 16, 0xa02);
        put(in, 0x40, 32, leaf.id);
        good = mlx5dv_devx_obj_query(leaf.obj, in, sizeof(in), out, sizeof(out)) == 0 &&
               get(out + 0x30, bit, 32) == value;
    }
    drop_sched(leaf);
    drop_sched(root);
    return good;
}

static bool keeps_shares(struct probe *p) { return keeps_value(p, 0xa0, 5); }
static bool keeps_rates(struct probe *p) { return keeps_value(p, 0xc0, 5); }

static bool limit_share(struct probe *p)
{
    return p->value && keeps_value(p, 0xa0, (uint32_t)p->value) &&
           !keeps_value(p, 0xa0, (uint32_t)p->value + 1);
}

/* The types of elements, or the types of nodes, that can be created, as bits. */
static bool has_types(struct probe *p, unsigned bit)
{
    struct sched root = make_sched(p, SCHED_TSAR, 0);
    uint8_t in[SCHED_BYTES];
    uint32_t types = 0;

    for (unsigned i = 0; root.obj && i < 16; i++) {
        put_sched(in, SCHED_NIC, SCHED_TSAR, root.id);
        put(in + 0x30, bit, 8, i);
        if (creates(&p->rig, in, sizeof(in)))
            types |= 1u << i;
    }
    drop_sched(root);
    return types && types == p->value;
}

static bool element_types(struct probe *p) { return has_types(p, 0x00); }
static bool node_types(struct probe *p) { return has_types(p, 0x28); }

static bool limit_levels_of_tree(struct probe *p)
{
    struct sched node[1 << 4];
    unsigned num = 0, levels = p->value ? 1u << p->value : 0;
    bool good;

    for (; num < levels; num++) {
        node[num] = make_sched(p, SCHED_TSAR, num ? node[num - 1].id : 0);
        if (!node[num].obj)
            break;
    }
    good = num && num == levels && !make_sched(p, SCHED_TSAR, node[num - 1].id).obj;
    while (num)
        drop_sched(node[--num]);
    return good;
}

static bool limit_leaves(struct probe *p)
{
    struct sched root = make_sched(p, SCHED_TSAR, 0);
    uint8_t in[SCHED_BYTES];
    bool good;

    put_sched(in, SCHED_NIC, SCHED_LEAF, root.id);
    good = root.obj && p->value && makes_exactly(p, in, sizeof(in), 1u << p->value);
    drop_sched(root);
    return good;
}

static bool limit_elements(struct probe *p)
{
    uint8_t in[SCHED_BYTES];

    put_sched(in, SCHED_NIC, SCHED_TSAR, 0);
    return p->value && makes_exactly(p, in, sizeof(in), 1u << p->value);
}

#endif
