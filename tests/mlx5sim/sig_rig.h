/* Helpers for tests of signature keys: keys with signatures in memory and on the wire, configured
 * through libmlx5, and blocks of data with known signatures. */
#ifndef MLX5SIM_TEST_SIG_RIG_H
#define MLX5SIM_TEST_SIG_RIG_H

#include "rig.h"

enum { BLOCK = 512, SIG_ROOM = 1 << 16 };

struct sig_rig {
    struct rig rig;
    struct ibv_qp *qp;          /* connected to itself */
    uint8_t *a, *b;
    struct ibv_mr *mr_a, *mr_b;
};

/* A domain of a key: data in memory, or data on the wire. */
struct sig_domain {
    struct mlx5dv_sig_block_domain domain;
    struct mlx5dv_sig_crc crc;
    struct mlx5dv_sig_t10dif dif;
};

__attribute__((unused)) static struct sig_rig sig_open(uint32_t create_flags)
{
    const struct rig_qp_options options = { .mkey_ops = MLX5DV_QP_EX_WITH_MKEY_CONFIGURE,
                                            .create_flags = create_flags };
    struct sig_rig t = { .rig = rig_open(0) };

    t.qp = rig_loop(&t.rig, options);
    t.a = rig_memory(SIG_ROOM);
    t.b = rig_memory(SIG_ROOM);
    t.mr_a = ibv_reg_mr(t.rig.pd, t.a, SIG_ROOM, RIG_ALL_ACCESS);
    t.mr_b = ibv_reg_mr(t.rig.pd, t.b, SIG_ROOM, RIG_ALL_ACCESS);
    CHECK(t.mr_a && t.mr_b);
    return t;
}

__attribute__((unused)) static void sig_close(struct sig_rig *t)
{
    CHECK_EQ(ibv_destroy_qp(t->qp), 0);
    CHECK_EQ(ibv_dereg_mr(t->mr_a), 0);
    CHECK_EQ(ibv_dereg_mr(t->mr_b), 0);
    rig_close(&t->rig);
    free(t->a);
    free(t->b);
}

__attribute__((unused)) static struct mlx5dv_mkey *sig_key(struct sig_rig *t)
{
    struct mlx5dv_mkey_init_attr attr = { .pd = t->rig.pd, .max_entries = 3,
        .create_flags = MLX5DV_MKEY_INIT_ATTR_FLAGS_INDIRECT |
                        MLX5DV_MKEY_INIT_ATTR_FLAGS_BLOCK_SIGNATURE };
    struct mlx5dv_mkey *key = mlx5dv_create_mkey(&attr);

    CHECK(key);
    return key;
}

__attribute__((unused)) static const struct mlx5dv_sig_block_domain *
sig_crc(struct sig_domain *d, enum mlx5dv_sig_crc_type type, uint64_t seed)
{
    d->crc = (struct mlx5dv_sig_crc){ .type = type, .seed = seed };
    d->domain = (struct mlx5dv_sig_block_domain){ .sig_type = MLX5DV_SIG_TYPE_CRC,
        .sig.crc = &d->crc, .block_size = MLX5DV_BLOCK_SIZE_512 };
    return &d->domain;
}

__attribute__((unused)) static const struct mlx5dv_sig_block_domain *
sig_dif(struct sig_domain *d, enum mlx5dv_sig_t10dif_bg_type type, uint16_t bg, uint16_t app,
        uint32_t ref, uint16_t flags)
{
    d->dif = (struct mlx5dv_sig_t10dif){ .bg_type = type, .bg = bg, .app_tag = app,
                                         .ref_tag = ref, .flags = flags };
    d->domain = (struct mlx5dv_sig_block_domain){ .sig_type = MLX5DV_SIG_TYPE_T10DIF,
        .sig.dif = &d->dif, .block_size = MLX5DV_BLOCK_SIZE_512 };
    return &d->domain;
}

/* Give the key `len` bytes of memory and a signature, which may be NULL. Returns the status of the
 * completion. */
__attribute__((unused)) static enum ibv_wc_status
sig_set(struct sig_rig *t, struct mlx5dv_mkey *key, struct ibv_mr *mr, uint32_t len,
        const struct mlx5dv_sig_block_attr *attr)
{
    struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(t->qp);
    struct mlx5dv_qp_ex *dv = mlx5dv_qp_ex_from_ibv_qp_ex(ex);
    struct mlx5dv_mkey_conf_attr conf = { 0 };
    struct ibv_sge sge = { (uintptr_t)mr->addr, len, mr->lkey };

    ibv_wr_start(ex);
    ex->wr_id = 3;
    ex->wr_flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE;
    mlx5dv_wr_mkey_configure(dv, key, attr ? 3 : 2, &conf);
    mlx5dv_wr_set_mkey_access_flags(dv, RIG_ALL_ACCESS);
    mlx5dv_wr_set_mkey_layout_list(dv, 1, &sge);
    if (attr)
        mlx5dv_wr_set_mkey_sig_block(dv, attr);
    CHECK_EQ(ibv_wr_complete(ex), 0);
    return rig_poll(t->rig.cq).status;
}

/* The same with a signature in memory, on the wire, or in both. All bytes are checked. */
__attribute__((unused)) static void
sig_configure(struct sig_rig *t, struct mlx5dv_mkey *key, struct ibv_mr *mr, uint32_t len,
              const struct mlx5dv_sig_block_domain *mem, const struct mlx5dv_sig_block_domain *wire)
{
    const struct mlx5dv_sig_block_attr attr = { .mem = mem, .wire = wire, .check_mask = 0xff };

    CHECK_EQ(sig_set(t, key, mr, len, &attr), IBV_WC_SUCCESS);
}

/* Write `len` bytes from address 0 or from a memory region to another region. */
__attribute__((unused)) static enum ibv_wc_status
sig_write(struct sig_rig *t, uint64_t to, uint32_t rkey, uint64_t from, uint32_t lkey, uint32_t len)
{
    const struct rig_side local = { (void *)(uintptr_t)from, len, lkey };

    return rig_do(&t->rig, t->qp, IBV_WR_RDMA_WRITE, local, to, rkey);
}

/* The error that the key reports. */
__attribute__((unused)) static struct mlx5dv_mkey_err sig_error(struct mlx5dv_mkey *key)
{
    struct mlx5dv_mkey_err err = { 0 };

    CHECK_EQ(mlx5dv_mkey_check(key, &err), 0);
    return err;
}

#define SIG_CHECK(key, type, actual, expected, at)                                                 \
    do {                                                                                           \
        struct mlx5dv_mkey_err err_ = sig_error(key);                                              \
        CHECK_EQ(err_.err_type, type);                                                             \
        CHECK_EQ(err_.err.sig.actual_value, actual);                                               \
        CHECK_EQ(err_.err.sig.expected_value, expected);                                           \
        CHECK_EQ(err_.err.sig.offset, at);                                                         \
    } while (0)

#define SIG_GOOD(key) CHECK_EQ(sig_error(key).err_type, MLX5DV_MKEY_NO_ERR)

#endif
