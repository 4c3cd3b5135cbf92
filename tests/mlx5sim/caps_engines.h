/* Probes for test_caps.c: engines, functions. */
#ifndef MLX5SIM_TEST_CAPS_ENGINES_H
#define MLX5SIM_TEST_CAPS_ENGINES_H

#include "caps_probes.h"

/* ---- probes: engines and functions ---------------------------------------------------------- */

/* Execute an MMO WQE and return its syndrome; 0x100 when the device refuses the QP. */
static unsigned mmo(struct probe *p, bool of_qp, unsigned opmod, uint32_t len)
{
    struct own_queue q = own_open(&p->rig, false);
    struct rig_side opaque = { p->mem + BYTES - 64, 64, p->mr->lkey };
    struct rig_side from = { p->mem, len, p->mr->lkey }, to = { p->mem + 4096, len, p->mr->lkey };
    unsigned syndrome;

    if (of_qp) {
        CHECK_EQ(mlx5dv_devx_obj_destroy(q.qp), 0);
        if (!own_try_qp(&q, true)) {
            own_qp(&q, false);
            own_close(&q);
            return 0x100;
        }
        own_to_rts(&q, q.qpn);
    }
    own_ring(&q, own_mmo(&q, opmod, opaque, from, to));
    syndrome = own_syndrome(&q, 0);
    own_close(&q);
    return syndrome;
}

static bool dma(struct probe *p) { return mmo(p, true, 1, 64) == 0; }
static bool dma_on_any_queue(struct probe *p) { return mmo(p, false, 1, 64) == 0; }
static bool sha(struct probe *p) { return mmo(p, true, 0, 64) == 0; }
static bool compress(struct probe *p) { return mmo(p, true, 2, 64) == 0; }
static bool decompress(struct probe *p) { return mmo(p, true, 3, 64) == 0; }

static bool limit_dma(struct probe *p)
{
    struct mlx5dv_context dv = { .comp_mask = MLX5DV_CONTEXT_MASK_WR_MEMCPY_LENGTH };

    return dma(p) && mmo(p, true, 1, (1u << p->value) + 1) == 1 &&
           mlx5dv_query_device(p->rig.ctx, &dv) == 0 && dv.max_wr_memcpy_length == 1ull << p->value;
}

static bool limit_sha(struct probe *p)
{
    return sha(p) && mmo(p, true, 0, (1u << p->value) + 1) == 1;
}

static bool general_2(struct probe *p)
{
    uint8_t out[0x1010];

    return query_caps(&p->rig, TYPE_GENERAL_2, out);
}

/* Export a key to other functions, and import it with the announced vhca id. */
static bool alias(struct probe *p)
{
    uint8_t allow[0x40] = { 0 }, in[0x50] = { 0 }, out[0x1010] = { 0 };
    struct rig_mkey_options o = { .mode = 2, .rights = 0xf, .len = 64 };
    struct mlx5dv_devx_obj *obj;
    uint32_t key;
    bool good;

    CHECK(query_caps(&p->rig, TYPE_GENERAL, out));
    put(in, 0x80, 16, get(out, 0x80 + 0x30, 16));
    obj = rig_mkey(&p->rig, &o, &key);
    CHECK(obj);
    put(allow, 0, 16, 0xb16);
    put(allow, 0x90, 16, 0xff01);
    put(allow, 0xa0, 32, key >> 8);
    put(in, 0, 16, 0xa00);
    put(in, 0x30, 16, 0xff01);
    put(in, 0x60, 1, 1);
    put(in, 0xa0, 32, key >> 8);
    put(in, 0x200, 32, p->rig.pdn);
    good = mlx5dv_devx_general_cmd(p->rig.ctx, allow, sizeof(allow), out, 16) == 0 &&
           creates(&p->rig, in, sizeof(in));
    return mlx5dv_devx_obj_destroy(obj) == 0 && good;
}

static bool manages(struct probe *p)
{
    uint8_t in[16] = { 0 }, out[0x50] = { 0 };

    put(in, 0, 16, 0x740);
    return mlx5dv_devx_general_cmd(p->rig.ctx, in, sizeof(in), out, sizeof(out)) == 0;
}

static bool runs_clock(struct probe *p)
{
    return p->attr.hca_core_clock == p->value || p->attr.hca_core_clock == p->value * 1000;
}

static bool sqs(struct probe *p) { return knows(&p->rig, 0x904); }
static bool rqs(struct probe *p) { return knows(&p->rig, 0x908); }
static bool tirs(struct probe *p) { return knows(&p->rig, 0x900); }
static bool tiss(struct probe *p) { return knows(&p->rig, 0x912); }
static bool rqts(struct probe *p) { return knows(&p->rig, 0x916); }
static bool xrqs(struct probe *p) { return knows(&p->rig, 0x717); }
static bool counters(struct probe *p) { return knows(&p->rig, 0x771); }

/* ---- probes: LAG, numbers of objects -------------------------------------------------------- */

static bool lag(struct probe *p)
{
    uint8_t in[16] = { 0 }, out[16] = { 0 };

    put(in, 0, 16, 0x842);
    return mlx5dv_devx_general_cmd(p->rig.ctx, in, sizeof(in), out, sizeof(out)) == 0 &&
           get(out, 0x40 + 0x1d, 3) != 0;
}

/* Make as many objects as are announced, and no more. */
static bool makes_exactly(struct probe *p, const uint8_t *in, size_t len, unsigned num)
{
    static struct mlx5dv_devx_obj *obj[1 << 13];
    uint8_t out[16] = { 0 };
    unsigned made = 0;
    bool more;

    while (made < num && made < 1 << 13 &&
           (obj[made] = mlx5dv_devx_obj_create(p->rig.ctx, in, len, out, sizeof(out))))
        made++;
    more = creates(&p->rig, in, len);
    for (unsigned i = 0; i < made; i++)
        CHECK_EQ(mlx5dv_devx_obj_destroy(obj[i]), 0);
    return made == num && !more;
}

#endif
