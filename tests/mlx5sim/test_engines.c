/* Options of the emulator for engines and limits: no DMA engine (--no-mmo), a SHA engine (--sha),
 * the number of keys (--keys). The comment of each case names the option that it needs. */
#include "own_queue.h"

enum { LEN = 4096 };

static void capabilities(struct rig *rig, unsigned type, uint8_t out[0x1010])
{
    uint8_t in[16] = { 0 };

    put(in, 0, 16, 0x100);
    put(in, 0x30, 16, type << 1 | 1);
    CHECK_EQ(mlx5dv_devx_general_cmd(rig->ctx, in, sizeof(in), out, 0x1010), 0);
}

struct fixture {
    struct rig rig;
    struct own_queue q;
    uint8_t *mem;
    struct ibv_mr *mr;
    uint8_t cap[0x1010];
};

static struct fixture *setup(bool mmo)
{
    static struct fixture f;

    f.rig = rig_open(0);
    f.q = own_open(&f.rig, mmo);
    f.mem = rig_memory(LEN);
    f.mr = ibv_reg_mr(f.rig.pd, f.mem, LEN, IBV_ACCESS_LOCAL_WRITE);
    CHECK(f.mr);
    capabilities(&f.rig, 0, f.cap);
    return &f;
}

static void teardown(struct fixture *f)
{
    own_close(&f->q);
    ibv_dereg_mr(f->mr);
    rig_close(&f->rig);
    free(f->mem);
}

static struct rig_side side(struct fixture *f, size_t offset, uint32_t len)
{
    return (struct rig_side){ f->mem + offset, len, f->mr->lkey };
}

/* Bit offsets of general capabilities in the output of the command, which begins with a head of 16
 * bytes. */
enum { CAP = 0x80, DMA_MMO_QP = CAP + 0x748, LOG_DMA_MMO = CAP + 0x6b, SHA_MMO_QP = CAP + 0x740 };

/* --no-mmo */
static void mmo_is_refused_without_the_engine(void)
{
    struct fixture *f = setup(false);
    struct mlx5dv_context dv = { .comp_mask = MLX5DV_CONTEXT_MASK_WR_MEMCPY_LENGTH };
    struct ibv_qp_init_attr_ex attr = {
        .send_cq = f->rig.cq, .recv_cq = f->rig.cq, .pd = f->rig.pd,
        .cap = { .max_send_wr = 4, .max_send_sge = 1 }, .qp_type = IBV_QPT_RC,
        .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
        .send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE };
    struct mlx5dv_qp_init_attr with = { .comp_mask = MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS,
                                        .send_ops_flags = MLX5DV_QP_EX_WITH_MEMCPY };

    CHECK_EQ(get(f->cap, DMA_MMO_QP, 1), 0);
    CHECK_EQ(get(f->cap, LOG_DMA_MMO, 5), 0);
    CHECK_EQ(mlx5dv_query_device(f->rig.ctx, &dv), 0);
    CHECK_EQ(dv.max_wr_memcpy_length, 0);
    CHECK(!mlx5dv_create_qp(f->rig.ctx, &attr, &with));
    CHECK_EQ(errno, EOPNOTSUPP);
    own_ring(&f->q, own_mmo(&f->q, 1, side(f, 0, 64), side(f, 64, 64), side(f, 128, 64)));
    CHECK_EQ(own_syndrome(&f->q, 0), 2);
    teardown(f);
}

/* needs no option */
static void sha_is_off_by_default(void)
{
    struct fixture *f = setup(true);

    CHECK_EQ(get(f->cap, DMA_MMO_QP, 1), 1);
    CHECK_EQ(get(f->cap, LOG_DMA_MMO, 5), 21);
    CHECK_EQ(get(f->cap, SHA_MMO_QP, 1), 0);
    own_ring(&f->q, own_mmo(&f->q, 0, side(f, 0, 64), side(f, 64, 3), side(f, 128, 64)));
    CHECK_EQ(own_syndrome(&f->q, 0), 2);
    teardown(f);
}

/* --sha. The emulator defines the layout of this WQE, because no public document does. */
static void sha_gives_the_published_digests(void)
{
    static const struct { unsigned control; unsigned bytes; const char *hex; } t[] = {
        { 0, 20, "a9993e364706816aba3e25717850c26c9cd0d89d" },
        { 1, 32, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
        { 2, 64, "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                 "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f" },
    };
    struct fixture *f = setup(true);
    uint16_t index = 0;

    CHECK_EQ(get(f->cap, SHA_MMO_QP, 1), 1);
    memcpy(f->mem + 64, "abc", 3);
    for (unsigned i = 0; i < 3; i++) {
        uint8_t *wqe = own_mmo(&f->q, 0, side(f, 0, 64), side(f, 64, 3), side(f, 128, 64)), cqe[64];

        put(wqe, 0x80, 2, t[i].control);
        own_ring(&f->q, wqe);
        own_poll(&f->q, cqe);
        CHECK_EQ(cqe[63] >> 4, 0);
        CHECK_EQ(get(cqe, 0x1e0, 16), index++);
        CHECK_EQ(get(cqe, 0x160, 32), t[i].bytes);
        for (unsigned k = 0; k < t[i].bytes; k++) {
            char hex[3];

            snprintf(hex, sizeof(hex), "%02x", f->mem[128 + k]);
            CHECK(memcmp(hex, t[i].hex + 2 * k, 2) == 0);
        }
    }
    teardown(f);
    f = setup(true);
    own_ring(&f->q, own_mmo(&f->q, 0, side(f, 0, 64), side(f, 64, 3), side(f, 128, 19)));
    CHECK_EQ(own_syndrome(&f->q, 0), 1);        /* the destination is too short for the digest */
    teardown(f);
}

/* --keys 6 */
static void exhausted_keys_are_available_after_deregistration(void)
{
    enum { KEYS = 64, LOG_MAX_MKEY = CAP + 0xea };
    struct ibv_mr *mr[KEYS + 1];
    struct fixture *f = setup(false);
    unsigned n = 0;

    CHECK_EQ(get(f->cap, LOG_MAX_MKEY, 6), 6);
    while ((mr[n] = ibv_reg_mr(f->rig.pd, f->mem, LEN, 0)) != NULL)
        CHECK(++n <= KEYS);
    CHECK_EQ(errno, ENOMEM);
    CHECK(n > KEYS / 2);        /* the fixture uses some keys */
    CHECK_EQ(ibv_dereg_mr(mr[n / 2]), 0);
    mr[n / 2] = ibv_reg_mr(f->rig.pd, f->mem, LEN, 0);
    CHECK(mr[n / 2] != NULL);
    CHECK(ibv_reg_mr(f->rig.pd, f->mem, LEN, 0) == NULL);
    while (n > 0)
        CHECK_EQ(ibv_dereg_mr(mr[--n]), 0);
    teardown(f);
}

static const struct rig_case cases[] = {
    RIG_CASE(exhausted_keys_are_available_after_deregistration),
    RIG_CASE(mmo_is_refused_without_the_engine),
    RIG_CASE(sha_is_off_by_default),
    RIG_CASE(sha_gives_the_published_digests),
};

RIG_MAIN(cases)
