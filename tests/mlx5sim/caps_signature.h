/* Probes of signature keys for test_caps.c. */
#ifndef MLX5SIM_TEST_CAPS_SIGNATURE_H
#define MLX5SIM_TEST_CAPS_SIGNATURE_H

#include "caps_engines.h"
#include "sig_rig.h"

/* True when CREATE_MKEY accepts a BSF of this many octowords. */
static bool makes_bsf_key(struct probe *p, uint64_t octowords)
{
    uint8_t in[0x110] = { 0 };

    put(in, 0, 16, 0x200);
    put(in, 0x80 + 0x10, 1, 1);
    put(in, 0x80 + 0x16, 2, 2);
    put(in, 0x80 + 0x61, 1, 1);         /* bsf_en */
    put(in, 0x80 + 0x68, 24, p->rig.pdn);
    put(in, 0x80 + 0x100, 32, octowords);
    put(in, 0x80 + 0x1a0, 32, 4);
    return creates(&p->rig, in, sizeof(in));
}

static bool limit_bsf(struct probe *p)
{
    return makes_bsf_key(p, 1ull << p->value) && !makes_bsf_key(p, (1ull << p->value) + 1);
}

/* True when the device appends `want` to a block of bytes with the value 0xa5. */
static bool signs(enum mlx5dv_sig_crc_type type, enum mlx5dv_block_size size, uint32_t block,
                  uint32_t bytes, const uint8_t *want)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_mkey *key = sig_key(&t);
    struct sig_domain d;
    bool good;

    memset(t.a, 0xa5, block);
    sig_crc(&d, type, UINT64_MAX >> (bytes == 8 ? 0 : 32));
    d.domain.block_size = size;
    sig_configure(&t, key, t.mr_b, block + bytes, &d.domain, NULL);
    good = sig_write(&t, 0, key->rkey, (uintptr_t)t.a, t.mr_a->lkey, block) == IBV_WC_SUCCESS &&
           memcmp(t.a, t.b, block) == 0 && (!want || memcmp(t.b + block, want, bytes) == 0);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
    return good;
}

static bool signs_with_crc32(struct probe *p)
{
    static const uint8_t crc[] = { 0x69, 0x9a, 0xca, 0x21 };

    (void)p;
    return signs(MLX5DV_SIG_CRC_TYPE_CRC32, MLX5DV_BLOCK_SIZE_512, BLOCK, 4, crc);
}

static bool signs_with_crc32c(struct probe *p)
{
    static const uint8_t crc[] = { 0x42, 0x07, 0xe6, 0xb4 };

    (void)p;
    return signs(MLX5DV_SIG_CRC_TYPE_CRC32C, MLX5DV_BLOCK_SIZE_512, BLOCK, 4, crc);
}

static bool signs_with_crc64(struct probe *p)
{
    static const uint8_t crc[] = { 0x8c, 0x8a, 0xdb, 0x45, 0x0c, 0xce, 0x85, 0xaa };

    (void)p;
    return signs(MLX5DV_SIG_CRC_TYPE_CRC64_XP10, MLX5DV_BLOCK_SIZE_512, BLOCK, 8, crc);
}

static bool signs_4048_bytes(struct probe *p)
{
    (void)p;
    return signs(MLX5DV_SIG_CRC_TYPE_CRC32, MLX5DV_BLOCK_SIZE_4048, 4048, 4, NULL);
}

/* Send a block of zeros, with a signature of zeros, on a queue with these flags. */
static void sends_wrong_signature(struct sig_rig *t, struct mlx5dv_mkey *key)
{
    struct sig_domain d;

    sig_configure(t, key, t->mr_a, BLOCK + 4,
                  sig_crc(&d, MLX5DV_SIG_CRC_TYPE_CRC32, 0), NULL);
    CHECK_EQ(sig_write(t, (uintptr_t)t->b, t->mr_b->rkey, 0, key->lkey, BLOCK), IBV_WC_SUCCESS);
}

static bool reports_wrong_signature(struct probe *p)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_mkey *key = sig_key(&t);
    struct mlx5dv_mkey_err err;

    (void)p;
    sends_wrong_signature(&t, key);
    err = sig_error(key);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
    return err.err_type == MLX5DV_MKEY_SIG_BLOCK_BAD_GUARD && err.err.sig.expected_value != 0;
}

static bool stops_at_wrong_signature(struct probe *p)
{
    struct sig_rig t = sig_open(MLX5DV_QP_CREATE_SIG_PIPELINING);
    struct mlx5dv_mkey *key = sig_key(&t);
    struct ibv_async_event event;
    bool good;

    (void)p;
    sends_wrong_signature(&t, key);
    good = rig_state(t.qp) == IBV_QPS_SQD;
    if (good) {
        CHECK_EQ(ibv_get_async_event(t.rig.ctx, &event), 0);
        ibv_ack_async_event(&event);
    }
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
    return good;
}

/* ---- encryption ----------------------------------------------------------------------------- */

static bool takes_deks(struct probe *p) { return dek_status(p, 0xc) == 0 || wraps_deks(p); }

/* In wrapped mode the probe has no credential, so that it cannot make DEKs. */
static bool limit_deks(struct probe *p)
{
    uint8_t in[0x110] = { 0 };

    if (wraps_deks(p))
        return true;
    put(in, 0, 16, 0xa00);
    put(in, 0x30, 16, 0xc);
    put(in + 16, 0x5c, 4, 3);
    put(in + 16, 0x68, 24, p->rig.pdn);
    return makes_exactly(p, in, sizeof(in), 1u << p->value);
}

#endif
