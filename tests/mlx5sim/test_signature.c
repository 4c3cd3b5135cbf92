/*
 * Signature keys: the device generates, checks, strips and copies the signatures of blocks.
 *
 * The values of the signatures are those that public tests of cards expect for blocks of 512 bytes
 * of 0xa5; the CRC of T10-DIF is also that of the T10 specification.
 */
#include "sig_rig.h"

enum { DIF_LEN = BLOCK + 8, CRC_LEN = BLOCK + 4 };

static const uint8_t crc32[] = { 0x69, 0x9a, 0xca, 0x21 };
static const uint8_t crc32c[] = { 0x42, 0x07, 0xe6, 0xb4 };
static const uint8_t crc64[] = { 0x8c, 0x8a, 0xdb, 0x45, 0x0c, 0xce, 0x85, 0xaa };
static const uint8_t dif[] = { 0xec, 0x7d, 0x56, 0x78, 0xf0, 0xde, 0xbc, 0x9a };
static const uint8_t dif_next[] = { 0xec, 0x7d, 0x56, 0x78, 0xf0, 0xde, 0xbc, 0x9b };
static const uint8_t dif_seed_0[] = { 0x9e, 0xc6, 0x56, 0x78, 0xf0, 0xde, 0xbc, 0x9a };

/* T10-DIF with the tags of `dif` */
static const struct mlx5dv_sig_block_domain *type1(struct sig_domain *d)
{
    return sig_dif(d, MLX5DV_SIG_T10DIF_CRC, 0xffff, 0x5678, 0xf0debc9a,
                   MLX5DV_SIG_T10DIF_FLAG_REF_REMAP | MLX5DV_SIG_T10DIF_FLAG_APP_ESCAPE);
}

/* Fill memory with `num` blocks of 0xa5, each followed by the same `len` bytes. */
static void fill(uint8_t *to, unsigned num, const uint8_t *sig, size_t len)
{
    for (unsigned i = 0; i < num; i++, to += BLOCK + len) {
        memset(to, 0xa5, BLOCK);
        if (len)
            memcpy(to + BLOCK, sig, len);
    }
}

static bool is_data(const uint8_t *p)
{
    for (unsigned i = 0; i < BLOCK; i++)
        if (p[i] != 0xa5)
            return false;
    return true;
}

/* ---- generation ----------------------------------------------------------------------------- */

static void received_blocks_get_the_published_signatures(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_mkey *key = sig_key(&t);
    struct sig_domain d[5];
    const struct {
        const struct mlx5dv_sig_block_domain *mem;
        const uint8_t *sig;
        size_t len;
    } kinds[] = {
        { sig_crc(&d[0], MLX5DV_SIG_CRC_TYPE_CRC32, UINT32_MAX), crc32, 4 },
        { sig_crc(&d[1], MLX5DV_SIG_CRC_TYPE_CRC32C, UINT32_MAX), crc32c, 4 },
        { sig_crc(&d[2], MLX5DV_SIG_CRC_TYPE_CRC64_XP10, UINT64_MAX), crc64, 8 },
        { type1(&d[3]), dif, 8 },
        { sig_dif(&d[4], MLX5DV_SIG_T10DIF_CRC, 0, 0x5678, 0xf0debc9a, 0), dif_seed_0, 8 },
    };

    fill(t.a, 1, NULL, 0);
    for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        memset(t.b, 0, SIG_ROOM);
        sig_configure(&t, key, t.mr_b, BLOCK + (uint32_t)kinds[i].len, kinds[i].mem, NULL);
        CHECK_EQ(sig_write(&t, 0, key->rkey, (uintptr_t)t.a, t.mr_a->lkey, BLOCK),
                 IBV_WC_SUCCESS);
        CHECK(is_data(t.b) && memcmp(t.b + BLOCK, kinds[i].sig, kinds[i].len) == 0);
        CHECK_EQ(t.b[BLOCK + kinds[i].len], 0);
        SIG_GOOD(key);
    }
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

static void seeds_of_zero_give_the_usual_crcs(void)
{
    /* CRC-32C of 32 zero bytes is 0x8a9136aa (RFC 3720); here: 512 zero bytes, from a table-free
     * computation that starts with all ones */
    struct sig_rig t = sig_open(0);
    struct mlx5dv_mkey *key = sig_key(&t);
    struct sig_domain d;
    uint32_t crc = UINT32_MAX;

    for (unsigned i = 0; i < BLOCK * 8; i++)
        crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
    crc = ~crc;
    sig_configure(&t, key, t.mr_b, CRC_LEN, sig_crc(&d, MLX5DV_SIG_CRC_TYPE_CRC32C, 0), NULL);
    CHECK_EQ(sig_write(&t, 0, key->rkey, (uintptr_t)t.a, t.mr_a->lkey, BLOCK), IBV_WC_SUCCESS);
    CHECK(memcmp(t.b + BLOCK, &crc, 4) == 0);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

static void the_checksum_of_ip_is_a_guard(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_mkey *key = sig_key(&t);
    struct sig_domain d;
    /* 256 words of 0xa5a5 have the sum 0xa5a5 * 256 = 0xa5a500, folded 0xa5a5 */
    static const uint8_t guard[] = { 0x5a, 0x5a, 0x12, 0x34, 0, 0, 0, 7 };

    fill(t.a, 1, NULL, 0);
    sig_configure(&t, key, t.mr_b, DIF_LEN,
                  sig_dif(&d, MLX5DV_SIG_T10DIF_CSUM, 0, 0x1234, 7, 0), NULL);
    CHECK_EQ(sig_write(&t, 0, key->rkey, (uintptr_t)t.a, t.mr_a->lkey, BLOCK), IBV_WC_SUCCESS);
    CHECK(memcmp(t.b + BLOCK, guard, 8) == 0);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

static void the_reference_tag_counts_the_blocks_of_a_message(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_mkey *key = sig_key(&t);
    struct sig_domain d;

    fill(t.a, 2, NULL, 0);
    sig_configure(&t, key, t.mr_b, 2 * DIF_LEN, type1(&d), NULL);
    for (unsigned i = 0; i < 2; i++) {
        CHECK_EQ(sig_write(&t, 0, key->rkey, (uintptr_t)t.a, t.mr_a->lkey, 2 * BLOCK),
                 IBV_WC_SUCCESS);
        CHECK(is_data(t.b) && memcmp(t.b + BLOCK, dif, 8) == 0);
        CHECK(is_data(t.b + DIF_LEN) && memcmp(t.b + DIF_LEN + BLOCK, dif_next, 8) == 0);
    }
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

static void all_block_sizes_are_served(void)
{
    static const struct { enum mlx5dv_block_size size; uint32_t bytes; } sizes[] = {
        { MLX5DV_BLOCK_SIZE_512, 512 }, { MLX5DV_BLOCK_SIZE_520, 520 },
        { MLX5DV_BLOCK_SIZE_4048, 4048 }, { MLX5DV_BLOCK_SIZE_4096, 4096 },
        { MLX5DV_BLOCK_SIZE_4160, 4160 } };
    struct sig_rig t = sig_open(0);
    struct mlx5dv_mkey *key = sig_key(&t);

    rig_fill(t.a, SIG_ROOM, 3);
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        uint32_t bytes = sizes[i].bytes;
        struct sig_domain d;

        sig_dif(&d, MLX5DV_SIG_T10DIF_CRC, 0, 5, 6, 0);
        d.domain.block_size = sizes[i].size;
        memset(t.b, 0, SIG_ROOM);
        sig_configure(&t, key, t.mr_b, 2 * (bytes + 8), &d.domain, NULL);
        CHECK_EQ(sig_write(&t, 0, key->rkey, (uintptr_t)t.a, t.mr_a->lkey, 2 * bytes),
                 IBV_WC_SUCCESS);
        CHECK(memcmp(t.b, t.a, bytes) == 0);
        CHECK_EQ(get(t.b + bytes, 16, 48), 5ull << 32 | 6);
        CHECK(memcmp(t.b + bytes + 8, t.a + bytes, bytes) == 0);
        CHECK_EQ(get(t.b + 2 * bytes + 8, 16, 48), 5ull << 32 | 6);
        CHECK_EQ(t.b[2 * bytes + 16], 0);
    }
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

/* ---- checks --------------------------------------------------------------------------------- */

static void good_signatures_in_memory_are_stripped(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_mkey *key = sig_key(&t);
    struct sig_domain d;

    fill(t.a, 3, crc32, 4);
    sig_configure(&t, key, t.mr_a, 3 * CRC_LEN,
                  sig_crc(&d, MLX5DV_SIG_CRC_TYPE_CRC32, UINT32_MAX), NULL);
    CHECK_EQ(sig_write(&t, (uintptr_t)t.b, t.mr_b->rkey, 0, key->lkey, 3 * BLOCK),
             IBV_WC_SUCCESS);
    CHECK(is_data(t.b) && is_data(t.b + BLOCK) && is_data(t.b + 2 * BLOCK));
    CHECK_EQ(t.b[3 * BLOCK], 0);
    SIG_GOOD(key);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

static void bad_crcs_are_reported_with_both_values(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_mkey *key = sig_key(&t);
    struct sig_domain d;

    fill(t.a, 2, crc32, 4);
    t.a[CRC_LEN] ^= 0xff;       /* the data of the second block */
    sig_configure(&t, key, t.mr_a, 2 * CRC_LEN,
                  sig_crc(&d, MLX5DV_SIG_CRC_TYPE_CRC32, UINT32_MAX), NULL);
    CHECK_EQ(sig_write(&t, (uintptr_t)t.b, t.mr_b->rkey, 0, key->lkey, 2 * BLOCK),
             IBV_WC_SUCCESS);
    CHECK(is_data(t.b) && t.b[BLOCK] == 0x5a);      /* the data are sent all the same */
    SIG_CHECK(key, MLX5DV_MKEY_SIG_BLOCK_BAD_GUARD, 0x699aca21, 0xe33cb35a, 2 * CRC_LEN - 1);
    SIG_GOOD(key);              /* the query has cleared the error */
    fill(t.a, 1, crc64, 8);
    t.a[BLOCK + 7] ^= 1;
    sig_configure(&t, key, t.mr_a, DIF_LEN,
                  sig_crc(&d, MLX5DV_SIG_CRC_TYPE_CRC64_XP10, UINT64_MAX), NULL);
    CHECK_EQ(sig_write(&t, (uintptr_t)t.b, t.mr_b->rkey, 0, key->lkey, BLOCK), IBV_WC_SUCCESS);
    SIG_CHECK(key, MLX5DV_MKEY_SIG_BLOCK_BAD_GUARD, 0x8c8adb450cce85ab, 0x8c8adb450cce85aa,
              DIF_LEN - 1);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

/* Send a block whose signature differs in one byte. */
static void send_corrupt(struct sig_rig *t, struct mlx5dv_mkey *key, unsigned byte)
{
    struct sig_domain d;

    fill(t->a, 1, dif, 8);
    t->a[byte] ^= 0xff;
    sig_configure(t, key, t->mr_a, DIF_LEN, type1(&d), NULL);
    CHECK_EQ(sig_write(t, (uintptr_t)t->b, t->mr_b->rkey, 0, key->lkey, BLOCK),
             IBV_WC_SUCCESS);
}

static void each_part_of_t10_dif_is_checked(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_mkey *key = sig_key(&t);

    send_corrupt(&t, key, 0);
    SIG_CHECK(key, MLX5DV_MKEY_SIG_BLOCK_BAD_GUARD, 0xec7d, 0x9916, DIF_LEN - 1);
    send_corrupt(&t, key, BLOCK + 2);
    SIG_CHECK(key, MLX5DV_MKEY_SIG_BLOCK_BAD_APPTAG, 0xa978, 0x5678, DIF_LEN - 1);
    send_corrupt(&t, key, BLOCK + 4);
    SIG_CHECK(key, MLX5DV_MKEY_SIG_BLOCK_BAD_REFTAG, 0x0fdebc9a, 0xf0debc9a, DIF_LEN - 1);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

static void the_mask_selects_the_bytes_that_are_checked(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_mkey *key = sig_key(&t);
    struct sig_domain d;
    struct mlx5dv_sig_block_attr attr = { .mem = type1(&d), .check_mask = 0x10 };

    fill(t.a, 1, dif, 8);
    t.a[0] = 0;                 /* the guard is wrong */
    t.a[BLOCK + 2] = 0;     /* the first byte of the application tag */
    CHECK_EQ(sig_set(&t, key, t.mr_a, DIF_LEN, &attr), IBV_WC_SUCCESS);
    CHECK_EQ(sig_write(&t, (uintptr_t)t.b, t.mr_b->rkey, 0, key->lkey, BLOCK), IBV_WC_SUCCESS);
    SIG_GOOD(key);
    attr.check_mask = 0x20;
    CHECK_EQ(sig_set(&t, key, t.mr_a, DIF_LEN, &attr), IBV_WC_SUCCESS);
    CHECK_EQ(sig_write(&t, (uintptr_t)t.b, t.mr_b->rkey, 0, key->lkey, BLOCK), IBV_WC_SUCCESS);
    SIG_CHECK(key, MLX5DV_MKEY_SIG_BLOCK_BAD_APPTAG, 0x0078, 0x5678, DIF_LEN - 1);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

static void escape_values_turn_the_check_off(void)
{
    static const uint8_t app[] = { 0, 0, 0xff, 0xff, 0, 0, 0, 0 };
    static const uint8_t both[] = { 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
    struct sig_rig t = sig_open(0);
    struct mlx5dv_mkey *key = sig_key(&t);
    const uint16_t by_app = MLX5DV_SIG_T10DIF_FLAG_APP_ESCAPE;
    const uint16_t by_both = MLX5DV_SIG_T10DIF_FLAG_APP_REF_ESCAPE;
    const struct { const uint8_t *sig; uint16_t flags; bool good; } tries[] = {
        { app, by_app, true }, { both, by_app, true }, { both, by_both, true },
        { app, by_both, false }, { both, 0, false } };

    for (unsigned i = 0; i < sizeof(tries) / sizeof(tries[0]); i++) {
        struct sig_domain d;

        fill(t.a, 1, tries[i].sig, 8);
        sig_configure(&t, key, t.mr_a, DIF_LEN,
                      sig_dif(&d, MLX5DV_SIG_T10DIF_CRC, 0, 1, 2, tries[i].flags), NULL);
        CHECK_EQ(sig_write(&t, (uintptr_t)t.b, t.mr_b->rkey, 0, key->lkey, BLOCK),
                 IBV_WC_SUCCESS);
        CHECK_EQ(sig_error(key).err_type == MLX5DV_MKEY_NO_ERR, tries[i].good);
    }
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

static void an_error_is_reported_once_until_the_key_is_configured(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_mkey *key = sig_key(&t);
    struct sig_domain d;

    send_corrupt(&t, key, BLOCK + 2);
    t.a[BLOCK + 2] = 1;
    CHECK_EQ(sig_write(&t, (uintptr_t)t.b, t.mr_b->rkey, 0, key->lkey, BLOCK), IBV_WC_SUCCESS);
    SIG_CHECK(key, MLX5DV_MKEY_SIG_BLOCK_BAD_APPTAG, 0xa978, 0x5678, DIF_LEN - 1);
    CHECK_EQ(sig_write(&t, (uintptr_t)t.b, t.mr_b->rkey, 0, key->lkey, BLOCK), IBV_WC_SUCCESS);
    SIG_GOOD(key);
    sig_configure(&t, key, t.mr_a, DIF_LEN, type1(&d), NULL);
    CHECK_EQ(sig_write(&t, (uintptr_t)t.b, t.mr_b->rkey, 0, key->lkey, BLOCK), IBV_WC_SUCCESS);
    SIG_CHECK(key, MLX5DV_MKEY_SIG_BLOCK_BAD_APPTAG, 0x0178, 0x5678, DIF_LEN - 1);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

/* ---- the wire ------------------------------------------------------------------------------- */

static void signatures_cross_the_wire(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_mkey *from = sig_key(&t), *to = sig_key(&t);
    struct sig_domain d, e;

    fill(t.a, 2, NULL, 0);
    sig_configure(&t, from, t.mr_a, 2 * BLOCK, NULL, type1(&d));
    /* the bytes on the wire, in memory */
    CHECK_EQ(sig_write(&t, (uintptr_t)t.b, t.mr_b->rkey, 0, from->lkey, 2 * DIF_LEN),
             IBV_WC_SUCCESS);
    CHECK(is_data(t.b) && memcmp(t.b + BLOCK, dif, 8) == 0);
    CHECK(is_data(t.b + DIF_LEN) && memcmp(t.b + DIF_LEN + BLOCK, dif_next, 8) == 0);
    /* a receiver that strips them, and one that keeps them */
    memset(t.b, 0, SIG_ROOM);
    sig_configure(&t, to, t.mr_b, 2 * BLOCK, NULL, type1(&e));
    CHECK_EQ(sig_write(&t, 0, to->rkey, 0, from->lkey, 2 * DIF_LEN), IBV_WC_SUCCESS);
    CHECK(is_data(t.b) && is_data(t.b + BLOCK) && t.b[2 * BLOCK] == 0);
    SIG_GOOD(to);
    sig_configure(&t, to, t.mr_b, 2 * DIF_LEN, type1(&d), type1(&e));
    CHECK_EQ(sig_write(&t, 0, to->rkey, 0, from->lkey, 2 * DIF_LEN), IBV_WC_SUCCESS);
    CHECK(memcmp(t.b + BLOCK, dif, 8) == 0);
    CHECK(memcmp(t.b + DIF_LEN + BLOCK, dif_next, 8) == 0);
    SIG_GOOD(from);
    SIG_GOOD(to);
    CHECK_EQ(mlx5dv_destroy_mkey(from), 0);
    CHECK_EQ(mlx5dv_destroy_mkey(to), 0);
    sig_close(&t);
}

static void a_receiver_reports_bad_signatures_on_the_wire(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_mkey *key = sig_key(&t);
    struct sig_domain d;
    struct ibv_wc wc;

    fill(t.a, 1, crc32c, 4);
    t.a[BLOCK] = 0;
    sig_configure(&t, key, t.mr_b, BLOCK, NULL,
                  sig_crc(&d, MLX5DV_SIG_CRC_TYPE_CRC32C, UINT32_MAX));
    rig_post_receive(t.qp, (struct rig_side){ NULL, CRC_LEN, key->lkey }, 9);
    rig_post(t.qp, IBV_WR_SEND, (struct rig_side){ t.a, CRC_LEN, t.mr_a->lkey }, 0, 0, 0);
    wc = rig_poll(t.rig.cq);
    CHECK_EQ(wc.status, IBV_WC_SUCCESS);
    CHECK_EQ(wc.wr_id, 9);
    CHECK_EQ(wc.byte_len, CRC_LEN);
    CHECK(is_data(t.b));
    SIG_CHECK(key, MLX5DV_MKEY_SIG_BLOCK_BAD_GUARD, 0x0007e6b4, 0x4207e6b4, CRC_LEN - 1);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

static void reads_use_the_keys_of_both_sides(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_mkey *from = sig_key(&t), *to = sig_key(&t);
    struct sig_domain d, e;

    /* memory with CRC-32 -> wire without signatures -> memory with CRC-32C */
    fill(t.a, 2, crc32, 4);
    sig_configure(&t, from, t.mr_a, 2 * CRC_LEN,
                  sig_crc(&d, MLX5DV_SIG_CRC_TYPE_CRC32, UINT32_MAX), NULL);
    sig_configure(&t, to, t.mr_b, 2 * CRC_LEN,
                  sig_crc(&e, MLX5DV_SIG_CRC_TYPE_CRC32C, UINT32_MAX), NULL);
    CHECK_EQ(rig_do(&t.rig, t.qp, IBV_WR_RDMA_READ,
                    (struct rig_side){ NULL, 2 * BLOCK, to->lkey }, 0, from->rkey),
             IBV_WC_SUCCESS);
    CHECK(is_data(t.b) && memcmp(t.b + BLOCK, crc32c, 4) == 0);
    CHECK(is_data(t.b + CRC_LEN) && memcmp(t.b + CRC_LEN + BLOCK, crc32c, 4) == 0);
    SIG_GOOD(from);
    SIG_GOOD(to);
    /* an error in the memory of the responder */
    t.a[1] = 0;
    CHECK_EQ(rig_do(&t.rig, t.qp, IBV_WR_RDMA_READ,
                    (struct rig_side){ NULL, 2 * BLOCK, to->lkey }, 0, from->rkey),
             IBV_WC_SUCCESS);
    CHECK_EQ(sig_error(from).err_type, MLX5DV_MKEY_SIG_BLOCK_BAD_GUARD);
    SIG_GOOD(to);
    CHECK_EQ(mlx5dv_destroy_mkey(from), 0);
    CHECK_EQ(mlx5dv_destroy_mkey(to), 0);
    sig_close(&t);
}

static void equal_domains_copy_the_parts_that_agree(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_mkey *key = sig_key(&t);
    struct sig_domain d, e;
    struct mlx5dv_sig_block_attr attr = { .mem = type1(&d), .wire = type1(&e), .check_mask = 0 };

    fill(t.a, 1, dif, 8);
    t.a[BLOCK] = 1;         /* a wrong guard is copied */
    CHECK_EQ(sig_set(&t, key, t.mr_a, DIF_LEN, &attr), IBV_WC_SUCCESS);
    CHECK_EQ(sig_write(&t, (uintptr_t)t.b, t.mr_b->rkey, 0, key->lkey, DIF_LEN), IBV_WC_SUCCESS);
    CHECK_EQ(get(t.b + BLOCK, 0, 64), 0x017d5678f0debc9aull);
    attr.flags = MLX5DV_SIG_BLOCK_ATTR_FLAG_COPY_MASK;
    attr.copy_mask = 0x3f;      /* all but the guard */
    CHECK_EQ(sig_set(&t, key, t.mr_a, DIF_LEN, &attr), IBV_WC_SUCCESS);
    CHECK_EQ(sig_write(&t, (uintptr_t)t.b, t.mr_b->rkey, 0, key->lkey, DIF_LEN), IBV_WC_SUCCESS);
    CHECK(memcmp(t.b + BLOCK, dif, 8) == 0);
    /* other tags on the wire: the device replaces them */
    attr.flags = 0;
    e.dif.app_tag = 0x1234;
    e.dif.ref_tag = 9;
    t.a[BLOCK + 3] = 0;
    CHECK_EQ(sig_set(&t, key, t.mr_a, DIF_LEN, &attr), IBV_WC_SUCCESS);
    CHECK_EQ(sig_write(&t, (uintptr_t)t.b, t.mr_b->rkey, 0, key->lkey, DIF_LEN), IBV_WC_SUCCESS);
    CHECK_EQ(get(t.b + BLOCK, 0, 64), 0x017d123400000009ull);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

static void the_end_of_a_message_without_a_whole_block_has_no_signature(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_mkey *key = sig_key(&t);
    struct sig_domain d;

    fill(t.a, 2, NULL, 0);
    sig_configure(&t, key, t.mr_b, 2 * DIF_LEN, type1(&d), NULL);
    CHECK_EQ(sig_write(&t, 0, key->rkey, (uintptr_t)t.a, t.mr_a->lkey, BLOCK + 100),
             IBV_WC_SUCCESS);
    CHECK(is_data(t.b) && memcmp(t.b + BLOCK, dif, 8) == 0);
    CHECK_EQ(t.b[DIF_LEN + 99], 0xa5);
    CHECK_EQ(t.b[DIF_LEN + 100], 0);
    SIG_GOOD(key);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

static void a_key_without_signature_is_an_ordinary_key(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_mkey *key = sig_key(&t);
    struct sig_domain d;

    fill(t.a, 1, dif, 8);
    CHECK_EQ(sig_set(&t, key, t.mr_b, DIF_LEN, NULL), IBV_WC_SUCCESS);
    CHECK_EQ(sig_write(&t, 0, key->rkey, (uintptr_t)t.a, t.mr_a->lkey, DIF_LEN), IBV_WC_SUCCESS);
    CHECK(memcmp(t.a, t.b, DIF_LEN) == 0);
    sig_configure(&t, key, t.mr_b, DIF_LEN, type1(&d), NULL);
    CHECK_EQ(sig_write(&t, 0, key->rkey, (uintptr_t)t.a, t.mr_a->lkey, DIF_LEN),
             IBV_WC_REM_ACCESS_ERR);    /* a signature and eight more bytes do not fit */
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

/* ---- pipelining ----------------------------------------------------------------------------- */

/* Post a write from the key and, behind it, a send with a fence: both with one doorbell. */
static void post_data_and_answer(struct sig_rig *t, const struct mlx5dv_mkey *key)
{
    struct ibv_sge from = { 0, BLOCK, key->lkey };
    struct ibv_sge answer = { (uintptr_t)t->a, 16, t->mr_a->lkey };
    struct ibv_send_wr second = { .wr_id = 1, .sg_list = &answer, .num_sge = 1,
        .opcode = IBV_WR_SEND, .send_flags = IBV_SEND_SIGNALED | IBV_SEND_FENCE };
    struct ibv_send_wr first = { .next = &second, .sg_list = &from, .num_sge = 1,
        .opcode = IBV_WR_RDMA_WRITE,
        .wr.rdma = { (uintptr_t)t->b, t->mr_b->rkey } };
    struct ibv_send_wr *bad;

    rig_post_receive(t->qp, (struct rig_side){ t->b + 4096, 64, t->mr_b->lkey }, 7);
    CHECK_EQ(ibv_post_send(t->qp, &first, &bad), 0);
}

static void a_good_signature_lets_the_queue_go_on(void)
{
    struct sig_rig t = sig_open(MLX5DV_QP_CREATE_SIG_PIPELINING);
    struct mlx5dv_mkey *key = sig_key(&t);
    struct sig_domain d;

    fill(t.a, 1, dif, 8);
    sig_configure(&t, key, t.mr_a, DIF_LEN, type1(&d), NULL);
    post_data_and_answer(&t, key);
    CHECK_EQ(rig_poll(t.rig.cq).status, IBV_WC_SUCCESS);
    CHECK_EQ(rig_poll(t.rig.cq).status, IBV_WC_SUCCESS);
    CHECK_EQ(rig_state(t.qp), IBV_QPS_RTS);
    SIG_GOOD(key);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

static void a_wrong_signature_stops_the_queue_until_the_program_resumes_it(void)
{
    struct sig_rig t = sig_open(MLX5DV_QP_CREATE_SIG_PIPELINING);
    struct mlx5dv_mkey *key = sig_key(&t);
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTS, .cur_qp_state = IBV_QPS_SQD };
    struct ibv_async_event event;
    struct sig_domain d;
    struct ibv_wc wc;

    fill(t.a, 1, dif, 8);
    t.a[0] = 0;
    sig_configure(&t, key, t.mr_a, DIF_LEN, type1(&d), NULL);
    post_data_and_answer(&t, key);
    CHECK_EQ(ibv_get_async_event(t.rig.ctx, &event), 0);
    CHECK_EQ(event.event_type, IBV_EVENT_SQ_DRAINED);
    CHECK(event.element.qp == t.qp);
    ibv_ack_async_event(&event);
    CHECK_EQ(rig_state(t.qp), IBV_QPS_SQD);
    CHECK(rig_silent(t.rig.cq, 0.05));
    CHECK_EQ(sig_error(key).err_type, MLX5DV_MKEY_SIG_BLOCK_BAD_GUARD);
    /* cancel the answer: it completes as if it had been sent, but nothing arrives */
    CHECK_EQ(mlx5dv_qp_cancel_posted_send_wrs(
                 mlx5dv_qp_ex_from_ibv_qp_ex(ibv_qp_to_qp_ex(t.qp)), 1), 1);
    CHECK_EQ(ibv_modify_qp(t.qp, &attr, IBV_QP_STATE | IBV_QP_CUR_STATE), 0);
    wc = rig_poll(t.rig.cq);
    CHECK_EQ(wc.status, IBV_WC_SUCCESS);
    CHECK_EQ(wc.wr_id, 1);
    CHECK(rig_silent(t.rig.cq, 0.05));
    rig_post(t.qp, IBV_WR_SEND, (struct rig_side){ t.a, 16, t.mr_a->lkey }, 0, 0, 0);
    wc = rig_poll(t.rig.cq);
    CHECK_EQ(wc.wr_id, 7);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

static void without_the_flag_a_wrong_signature_does_not_stop_the_queue(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_mkey *key = sig_key(&t);

    send_corrupt(&t, key, 0);
    CHECK_EQ(rig_state(t.qp), IBV_QPS_RTS);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

static const struct rig_case cases[] = {
    RIG_CASE(received_blocks_get_the_published_signatures),
    RIG_CASE(seeds_of_zero_give_the_usual_crcs),
    RIG_CASE(the_checksum_of_ip_is_a_guard),
    RIG_CASE(the_reference_tag_counts_the_blocks_of_a_message),
    RIG_CASE(all_block_sizes_are_served),
    RIG_CASE(good_signatures_in_memory_are_stripped),
    RIG_CASE(bad_crcs_are_reported_with_both_values),
    RIG_CASE(each_part_of_t10_dif_is_checked),
    RIG_CASE(the_mask_selects_the_bytes_that_are_checked),
    RIG_CASE(escape_values_turn_the_check_off),
    RIG_CASE(an_error_is_reported_once_until_the_key_is_configured),
    RIG_CASE(signatures_cross_the_wire),
    RIG_CASE(a_receiver_reports_bad_signatures_on_the_wire),
    RIG_CASE(reads_use_the_keys_of_both_sides),
    RIG_CASE(equal_domains_copy_the_parts_that_agree),
    RIG_CASE(the_end_of_a_message_without_a_whole_block_has_no_signature),
    RIG_CASE(a_key_without_signature_is_an_ordinary_key),
    RIG_CASE(a_good_signature_lets_the_queue_go_on),
    RIG_CASE(a_wrong_signature_stops_the_queue_until_the_program_resumes_it),
    RIG_CASE(without_the_flag_a_wrong_signature_does_not_stop_the_queue),
};

RIG_MAIN(cases)
