/*
 * Keys that encrypt. The ciphertexts are those of another implementation, the cipher
 * EVP_aes_128_xts of OpenSSL, for blocks of 0xa5 and the key 00 01 .. 1f.
 *
 * The first word of the command line says in which mode the device is: plain or wrapped.
 */
#include "sig_rig.h"

enum { BAD_PARAM = 3, BAD_RESOURCE = 5, BAD_RES_STATE = 9, BAD_INPUT_LEN = 0x50,
       PURPOSE_AES_XTS = 3 };

static const uint8_t unit_5[] = { 0x48, 0x30, 0x61, 0x60, 0x57, 0xa6, 0x86, 0x2e };
static const uint8_t unit_6[] = { 0x76, 0xad, 0x31, 0xf6, 0xc0, 0xd8, 0x4d, 0x36 };
static const uint8_t unit_5_of_256[] = { 0x61, 0x96, 0xde, 0x5c, 0x2c, 0x32, 0xfe, 0x55 };
static const uint8_t end_of_520[] = { 0x92, 0xc2, 0x1b, 0x64, 0x63, 0x65, 0xa4, 0xac };
static const uint8_t unit_255[] = { 0xb2, 0xae, 0xaf, 0xc4, 0x1b, 0x51, 0xaf, 0xeb };
static const uint8_t unit_256[] = { 0xb2, 0x02, 0x53, 0x57, 0x1b, 0xd0, 0xaf, 0xf2 };

/* Wrapped with the KEK 00 01 .. 0f: the key 00 .. 1f; the same with the tag "keytag01"; the
 * credential 40 .. 67; and 41 .. 68. */
static const uint8_t wrapped_key[] = {
    0x0e, 0x78, 0x08, 0xf5, 0x06, 0xf2, 0xc3, 0xe7, 0xaa, 0x6e, 0xda, 0xd7, 0x93, 0xac,
    0x44, 0x95, 0xb0, 0x93, 0xeb, 0x48, 0x2e, 0x5c, 0x7c, 0xa9, 0xc1, 0x70, 0xc9, 0xfa,
    0xa0, 0x7d, 0xc0, 0xcb, 0xbb, 0x87, 0x51, 0x2e, 0x19, 0xfd, 0x40, 0x92 };
static const uint8_t wrapped_with_tag[] = {
    0x1d, 0x06, 0xba, 0xd7, 0x9c, 0x35, 0x5e, 0xe6, 0xb9, 0x35, 0x10, 0x40, 0x76, 0x80,
    0x86, 0x0b, 0x63, 0x3c, 0x9d, 0x75, 0xca, 0xe4, 0x08, 0x2d, 0x06, 0x1b, 0x8c, 0xb5,
    0xc4, 0xe2, 0xdd, 0xba, 0x41, 0x27, 0x80, 0x58, 0x1f, 0x23, 0x0a, 0x49, 0x06, 0xc8,
    0xb6, 0x01, 0x3c, 0x8f, 0x0a, 0xb2 };
static const uint8_t credential[] = {
    0x56, 0x0f, 0x28, 0x1c, 0x26, 0xed, 0x5e, 0xa6, 0x99, 0x32, 0xde, 0x97, 0xc7, 0xf9,
    0xdc, 0x40, 0x73, 0x0b, 0x4c, 0xee, 0x8a, 0xea, 0x3e, 0xa5, 0x29, 0x81, 0x11, 0xd5,
    0x5b, 0x54, 0x69, 0x61, 0xb5, 0x66, 0x31, 0x9a, 0xdd, 0xba, 0x11, 0x79, 0xa7, 0xe7,
    0x2b, 0xa6, 0x0f, 0xcb, 0xe0, 0xb7 };
static const uint8_t wrong_credential[] = {
    0x44, 0xc6, 0x68, 0x71, 0xa7, 0x05, 0xaf, 0xdd, 0x3b, 0x7d, 0x3c, 0x2d, 0x8e, 0xc3,
    0x3b, 0x7d, 0x14, 0x86, 0xb4, 0xdb, 0x11, 0x05, 0x4a, 0x58, 0x1b, 0x2e, 0x0b, 0xd9,
    0x66, 0x79, 0xfc, 0xcf, 0x31, 0xff, 0x4b, 0x08, 0x6a, 0x5d, 0x56, 0x57, 0x1d, 0x9c,
    0x3e, 0x95, 0x3e, 0x57, 0xff, 0xe6 };

/* ---- helpers -------------------------------------------------------------------------------- */

/* Create a plain DEK with the key 00 01 .. */
static struct mlx5dv_dek *plain_dek(struct sig_rig *t, enum mlx5dv_crypto_key_size size,
                                    const char *tag)
{
    struct mlx5dv_dek_init_attr attr = { .key_size = size, .pd = t->rig.pd,
        .has_keytag = tag != NULL, .comp_mask = MLX5DV_DEK_INIT_ATTR_CRYPTO_LOGIN,
        .opaque = "opaque1" };
    unsigned bytes = size == MLX5DV_CRYPTO_KEY_SIZE_256 ? 64 : 32;
    struct mlx5dv_dek *dek;

    for (unsigned i = 0; i < bytes; i++)
        attr.key[i] = (char)i;
    if (tag)
        memcpy(attr.key + bytes, tag, 8);
    dek = mlx5dv_dek_create(t->rig.ctx, &attr);
    CHECK(dek);
    return dek;
}

static struct mlx5dv_mkey *crypto_key(struct sig_rig *t, bool signs)
{
    struct mlx5dv_mkey_init_attr attr = { .pd = t->rig.pd, .max_entries = 3,
        .create_flags = MLX5DV_MKEY_INIT_ATTR_FLAGS_INDIRECT | MLX5DV_MKEY_INIT_ATTR_FLAGS_CRYPTO |
                        (signs ? MLX5DV_MKEY_INIT_ATTR_FLAGS_BLOCK_SIGNATURE : 0) };
    struct mlx5dv_mkey *key = mlx5dv_create_mkey(&attr);

    CHECK(key);
    return key;
}

static struct mlx5dv_crypto_attr crypto_attr(struct mlx5dv_dek *dek, bool on_wire, uint64_t tweak)
{
    struct mlx5dv_crypto_attr attr = { .dek = dek, .encrypt_on_tx = on_wire,
        .crypto_standard = MLX5DV_CRYPTO_STANDARD_AES_XTS,
        .signature_crypto_order = MLX5DV_SIGNATURE_CRYPTO_ORDER_SIGNATURE_BEFORE_CRYPTO_ON_TX,
        .data_unit_size = MLX5DV_BLOCK_SIZE_512 };

    for (unsigned i = 0; i < 8; i++)
        attr.initial_tweak[i] = (char)(tweak >> 8 * i);
    return attr;
}

static enum ibv_wc_status set(struct sig_rig *t, struct mlx5dv_mkey *key, struct ibv_mr *mr,
                              uint32_t len, const struct mlx5dv_crypto_attr *crypto,
                              const struct mlx5dv_sig_block_attr *sig)
{
    struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(t->qp);
    struct mlx5dv_qp_ex *dv = mlx5dv_qp_ex_from_ibv_qp_ex(ex);
    struct mlx5dv_mkey_conf_attr conf = { 0 };
    struct ibv_sge sge = { (uintptr_t)mr->addr, len, mr->lkey };

    ibv_wr_start(ex);
    ex->wr_id = 3;
    ex->wr_flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE;
    mlx5dv_wr_mkey_configure(dv, key, (uint8_t)(2 + (crypto != NULL) + (sig != NULL)), &conf);
    mlx5dv_wr_set_mkey_access_flags(dv, RIG_ALL_ACCESS);
    mlx5dv_wr_set_mkey_layout_list(dv, 1, &sge);
    if (sig)
        mlx5dv_wr_set_mkey_sig_block(dv, sig);
    if (crypto)
        mlx5dv_wr_set_mkey_crypto(dv, crypto);
    CHECK_EQ(ibv_wr_complete(ex), 0);
    return rig_poll(t->rig.cq).status;
}

/* Send `len` bytes of the key's memory to b. */
static enum ibv_wc_status send_from(struct sig_rig *t, const struct mlx5dv_mkey *key, uint32_t len)
{
    return sig_write(t, (uintptr_t)t->b, t->mr_b->rkey, 0, key->lkey, len);
}

static bool is_data(const uint8_t *p, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (p[i] != 0xa5)
            return false;
    return true;
}

/* ---- plain DEKs ----------------------------------------------------------------------------- */

static void data_are_encrypted_on_the_wire(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_dek *dek = plain_dek(&t, MLX5DV_CRYPTO_KEY_SIZE_128, NULL);
    struct mlx5dv_mkey *key = crypto_key(&t, false);
    struct mlx5dv_crypto_attr attr = crypto_attr(dek, true, 5);

    memset(t.a, 0xa5, 2 * BLOCK);
    CHECK_EQ(set(&t, key, t.mr_a, 2 * BLOCK, &attr, NULL), IBV_WC_SUCCESS);
    CHECK_EQ(send_from(&t, key, 2 * BLOCK), IBV_WC_SUCCESS);
    CHECK(memcmp(t.b, unit_5, 8) == 0 && memcmp(t.b + BLOCK, unit_6, 8) == 0);
    CHECK(is_data(t.a, 2 * BLOCK));
    /* the ciphertext comes back: the key decrypts it, and each message begins with unit 5 */
    memset(t.a, 0, 2 * BLOCK);
    CHECK_EQ(sig_write(&t, 0, key->rkey, (uintptr_t)t.b, t.mr_b->lkey, 2 * BLOCK),
             IBV_WC_SUCCESS);
    CHECK(is_data(t.a, 2 * BLOCK));
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    CHECK_EQ(mlx5dv_dek_destroy(dek), 0);
    sig_close(&t);
}

static void data_are_encrypted_in_memory(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_dek *dek = plain_dek(&t, MLX5DV_CRYPTO_KEY_SIZE_256, NULL);
    struct mlx5dv_mkey *key = crypto_key(&t, false);
    struct mlx5dv_crypto_attr attr = crypto_attr(dek, false, 5);

    memset(t.b, 0xa5, BLOCK);
    CHECK_EQ(set(&t, key, t.mr_a, BLOCK, &attr, NULL), IBV_WC_SUCCESS);
    CHECK_EQ(sig_write(&t, 0, key->rkey, (uintptr_t)t.b, t.mr_b->lkey, BLOCK), IBV_WC_SUCCESS);
    CHECK(memcmp(t.a, unit_5_of_256, 8) == 0);
    memset(t.b, 0, BLOCK);
    CHECK_EQ(send_from(&t, key, BLOCK), IBV_WC_SUCCESS);
    CHECK(is_data(t.b, BLOCK));
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    CHECK_EQ(mlx5dv_dek_destroy(dek), 0);
    sig_close(&t);
}

static void tweaks_carry_and_units_may_end_with_a_part_of_a_block(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_dek *dek = plain_dek(&t, MLX5DV_CRYPTO_KEY_SIZE_128, NULL);
    struct mlx5dv_mkey *key = crypto_key(&t, false);
    struct mlx5dv_crypto_attr attr = crypto_attr(dek, true, 255);

    memset(t.a, 0xa5, 2 * BLOCK);
    CHECK_EQ(set(&t, key, t.mr_a, 2 * BLOCK, &attr, NULL), IBV_WC_SUCCESS);
    CHECK_EQ(send_from(&t, key, 2 * BLOCK), IBV_WC_SUCCESS);
    CHECK(memcmp(t.b, unit_255, 8) == 0 && memcmp(t.b + BLOCK, unit_256, 8) == 0);
    attr = crypto_attr(dek, true, 5);
    attr.data_unit_size = MLX5DV_BLOCK_SIZE_520;
    CHECK_EQ(set(&t, key, t.mr_a, 520, &attr, NULL), IBV_WC_SUCCESS);
    CHECK_EQ(send_from(&t, key, 520), IBV_WC_SUCCESS);
    CHECK(memcmp(t.b, unit_5, 8) == 0 && memcmp(t.b + 512, end_of_520, 8) == 0);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    CHECK_EQ(mlx5dv_dek_destroy(dek), 0);
    sig_close(&t);
}

/* Rows B, C and J of the table in the man page mlx5dv_wr_set_mkey_crypto. */
static void signatures_come_before_or_after_the_encryption(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_dek *dek = plain_dek(&t, MLX5DV_CRYPTO_KEY_SIZE_128, NULL);
    struct mlx5dv_mkey *key = crypto_key(&t, true), *check = sig_key(&t);
    struct mlx5dv_crypto_attr attr = crypto_attr(dek, true, 5);
    struct sig_domain d;
    struct mlx5dv_sig_block_attr sig = { .check_mask = 0xff,
        .wire = sig_dif(&d, MLX5DV_SIG_T10DIF_CRC, 0, 1, 2, 0) };

    memset(t.a, 0xa5, BLOCK);
    /* C: enc(data + signature); the device at the other end decrypts, checks and strips */
    attr.data_unit_size = MLX5DV_BLOCK_SIZE_520;
    CHECK_EQ(set(&t, key, t.mr_a, BLOCK, &attr, &sig), IBV_WC_SUCCESS);
    CHECK_EQ(send_from(&t, key, BLOCK + 8), IBV_WC_SUCCESS);
    CHECK(memcmp(t.b, unit_5, 8) == 0);
    memset(t.a, 0, BLOCK);
    CHECK_EQ(sig_write(&t, 0, key->rkey, (uintptr_t)t.b, t.mr_b->lkey, BLOCK + 8),
             IBV_WC_SUCCESS);
    CHECK(is_data(t.a, BLOCK));
    SIG_GOOD(key);
    /* B: enc(data) + signature of it */
    attr = crypto_attr(dek, true, 5);
    attr.signature_crypto_order = MLX5DV_SIGNATURE_CRYPTO_ORDER_SIGNATURE_AFTER_CRYPTO_ON_TX;
    CHECK_EQ(set(&t, key, t.mr_a, BLOCK, &attr, &sig), IBV_WC_SUCCESS);
    CHECK_EQ(send_from(&t, key, BLOCK + 8), IBV_WC_SUCCESS);
    CHECK(memcmp(t.b, unit_5, 8) == 0);
    CHECK_EQ(get(t.b + BLOCK, 16, 48), 1ull << 32 | 2);
    memcpy(t.a, t.b, BLOCK + 8);
    sig_configure(&t, check, t.mr_a, BLOCK + 8, sig.wire, NULL);
    CHECK_EQ(send_from(&t, check, BLOCK), IBV_WC_SUCCESS);
    SIG_GOOD(check);
    /* J: the same bytes in memory; the data on the wire are plain and have no signature */
    attr = crypto_attr(dek, false, 5);
    sig.mem = sig.wire;
    sig.wire = NULL;
    CHECK_EQ(set(&t, key, t.mr_a, BLOCK + 8, &attr, &sig), IBV_WC_SUCCESS);
    CHECK_EQ(send_from(&t, key, BLOCK), IBV_WC_SUCCESS);
    CHECK(is_data(t.b, BLOCK));
    SIG_GOOD(key);
    t.a[0] ^= 1;
    CHECK_EQ(send_from(&t, key, BLOCK), IBV_WC_SUCCESS);
    CHECK_EQ(sig_error(key).err_type, MLX5DV_MKEY_SIG_BLOCK_BAD_GUARD);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    CHECK_EQ(mlx5dv_destroy_mkey(check), 0);
    CHECK_EQ(mlx5dv_dek_destroy(dek), 0);
    sig_close(&t);
}

static void a_dek_shows_its_label_but_not_its_key(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_dek *dek = plain_dek(&t, MLX5DV_CRYPTO_KEY_SIZE_128, NULL);
    struct mlx5dv_dek_attr attr = { 0 };

    CHECK_EQ(mlx5dv_dek_query(dek, &attr), 0);
    CHECK_EQ(attr.state, MLX5DV_DEK_STATE_READY);
    CHECK(memcmp(attr.opaque, "opaque1", 8) == 0);
    CHECK_EQ(mlx5dv_dek_destroy(dek), 0);
    sig_close(&t);
}

/* ---- refusals ------------------------------------------------------------------------------- */

static void a_key_without_its_dek_carries_nothing(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_dek *dek = plain_dek(&t, MLX5DV_CRYPTO_KEY_SIZE_128, NULL);
    struct mlx5dv_mkey *key = crypto_key(&t, false);
    struct mlx5dv_crypto_attr attr = crypto_attr(dek, true, 5);

    CHECK_EQ(set(&t, key, t.mr_a, BLOCK, &attr, NULL), IBV_WC_SUCCESS);
    CHECK_EQ(send_from(&t, key, BLOCK), IBV_WC_SUCCESS);
    CHECK_EQ(mlx5dv_dek_destroy(dek), 0);
    CHECK_EQ(send_from(&t, key, BLOCK), IBV_WC_LOC_PROT_ERR);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

static void a_key_for_encryption_needs_an_encryption(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_mkey *key = crypto_key(&t, false);

    CHECK_EQ(set(&t, key, t.mr_a, BLOCK, NULL, NULL), IBV_WC_SUCCESS);
    CHECK_EQ(send_from(&t, key, BLOCK), IBV_WC_LOC_PROT_ERR);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

static void messages_consist_of_whole_data_units(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_dek *dek = plain_dek(&t, MLX5DV_CRYPTO_KEY_SIZE_128, NULL);
    struct mlx5dv_mkey *key = crypto_key(&t, false);
    struct mlx5dv_crypto_attr attr = crypto_attr(dek, true, 5);

    CHECK_EQ(set(&t, key, t.mr_a, 2 * BLOCK, &attr, NULL), IBV_WC_SUCCESS);
    CHECK_EQ(send_from(&t, key, BLOCK + 16), IBV_WC_LOC_PROT_ERR);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    CHECK_EQ(mlx5dv_dek_destroy(dek), 0);
    sig_close(&t);
}

static void the_tag_must_be_that_of_the_dek(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_dek *dek = plain_dek(&t, MLX5DV_CRYPTO_KEY_SIZE_128, "keytag01");
    struct mlx5dv_mkey *key = crypto_key(&t, false);
    struct mlx5dv_crypto_attr attr = crypto_attr(dek, true, 5);

    memcpy(attr.keytag, "keytag01", 8);
    CHECK_EQ(set(&t, key, t.mr_a, BLOCK, &attr, NULL), IBV_WC_SUCCESS);
    memcpy(attr.keytag, "keytag02", 8);
    CHECK_EQ(set(&t, key, t.mr_a, BLOCK, &attr, NULL), IBV_WC_MW_BIND_ERR);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    CHECK_EQ(mlx5dv_dek_destroy(dek), 0);
    sig_close(&t);
}

static void a_dek_of_another_pd_is_refused(void)
{
    struct sig_rig t = sig_open(0), other = t;
    struct mlx5dv_mkey *key = crypto_key(&t, false);
    struct mlx5dv_crypto_attr attr;
    struct mlx5dv_dek *dek;

    other.rig.pd = ibv_alloc_pd(t.rig.ctx);
    CHECK(other.rig.pd);
    dek = plain_dek(&other, MLX5DV_CRYPTO_KEY_SIZE_128, NULL);
    attr = crypto_attr(dek, true, 5);
    CHECK_EQ(set(&t, key, t.mr_a, BLOCK, &attr, NULL), IBV_WC_MW_BIND_ERR);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    CHECK_EQ(mlx5dv_dek_destroy(dek), 0);
    CHECK_EQ(ibv_dealloc_pd(other.rig.pd), 0);
    sig_close(&t);
}

/* Send CREATE_GENERAL_OBJECT of a DEK (0xc) or a login (0x1f). Returns the status. */
static unsigned create(struct rig *rig, unsigned type, uint8_t *in, size_t len,
                       struct mlx5dv_devx_obj **obj)
{
    uint8_t out[16] = { 0 };

    put(in, 0, 16, 0xa00);
    put(in, 0x30, 16, type);
    *obj = mlx5dv_devx_obj_create(rig->ctx, in, len, out, sizeof(out));
    return out[0];
}

static unsigned create_dek(struct rig *rig, uint32_t pdn, unsigned size, unsigned purpose,
                           const uint8_t *key, size_t key_len, unsigned has_tag, size_t len)
{
    uint8_t in[0x110] = { 0 };
    struct mlx5dv_devx_obj *obj;
    unsigned status;

    put(in + 16, 0x54, 4, size);
    put(in + 16, 0x58, 1, has_tag);
    put(in + 16, 0x5c, 4, purpose);
    put(in + 16, 0x68, 24, pdn);
    memcpy(in + 16 + 64, key, key_len);
    status = create(rig, 0xc, in, len, &obj);
    CHECK_EQ(obj != NULL, status == 0);
    if (obj)
        CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    return status;
}

static void wrong_deks_are_refused(void)
{
    struct rig rig = rig_open(0), other = rig_open(0);
    const uint8_t key[32] = { 1 };

    CHECK_EQ(create_dek(&rig, rig.pdn, 0, PURPOSE_AES_XTS, key, 32, 0, 0x110), 0);
    CHECK_EQ(create_dek(&rig, rig.pdn, 2, PURPOSE_AES_XTS, key, 32, 0, 0x110), BAD_PARAM);
    CHECK_EQ(create_dek(&rig, rig.pdn, 0, 1, key, 32, 0, 0x110), BAD_PARAM);    /* TLS */
    CHECK_EQ(create_dek(&rig, other.pdn, 0, PURPOSE_AES_XTS, key, 32, 0, 0x110), BAD_RESOURCE);
    CHECK_EQ(create_dek(&rig, rig.pdn, 0, PURPOSE_AES_XTS, key, 32, 0, 0xcf), BAD_INPUT_LEN);
    rig_close(&rig);
    rig_close(&other);
}

static unsigned create_login(struct rig *rig, const uint8_t *text, unsigned kek, unsigned number,
                             size_t len, struct mlx5dv_devx_obj **obj)
{
    uint8_t in[0x110] = { 0 };

    put(in + 16, 0x88, 24, number);
    put(in + 16, 0xa8, 24, kek);
    memcpy(in + 16 + 64, text, 48);
    return create(rig, 0x1f, in, len, obj);
}

static void a_plain_device_has_no_logins(void)
{
    struct rig rig = rig_open(0);
    struct mlx5dv_devx_obj *obj;

    CHECK_EQ(create_login(&rig, credential, 0, 0, 0x110, &obj), BAD_PARAM);
    CHECK(!obj);
    rig_close(&rig);
}

/* ---- wrapped DEKs --------------------------------------------------------------------------- */

static void a_wrapped_dek_needs_a_login(void)
{
    struct rig rig = rig_open(0), other = rig_open(0);
    struct mlx5dv_devx_obj *login, *obj;

    CHECK_EQ(create_dek(&rig, rig.pdn, 0, PURPOSE_AES_XTS, wrapped_key, 40, 0, 0x110),
             BAD_RES_STATE);
    CHECK_EQ(create_login(&rig, wrong_credential, 0, 0, 0x110, &obj), BAD_PARAM);
    CHECK_EQ(create_login(&rig, wrapped_with_tag, 0, 0, 0x110, &obj), BAD_PARAM);
    CHECK_EQ(create_login(&rig, credential, 1, 0, 0x110, &obj), BAD_PARAM);
    CHECK_EQ(create_login(&rig, credential, 0, 1, 0x110, &obj), BAD_PARAM);
    CHECK_EQ(create_login(&rig, credential, 0, 0, 0x7f, &obj), BAD_INPUT_LEN);
    CHECK_EQ(create_login(&rig, credential, 0, 0, 0x110, &login), 0);
    CHECK(login && !obj);
    CHECK_EQ(create_dek(&rig, rig.pdn, 0, PURPOSE_AES_XTS, wrapped_key, 40, 0, 0x110), 0);
    CHECK_EQ(create_dek(&rig, rig.pdn, 0, PURPOSE_AES_XTS, wrapped_with_tag, 48, 1, 0x110), 0);
    /* a key that is not wrapped, or that was wrapped with a tag */
    CHECK_EQ(create_dek(&rig, rig.pdn, 0, PURPOSE_AES_XTS, credential, 40, 0, 0x110), BAD_PARAM);
    CHECK_EQ(create_dek(&rig, rig.pdn, 0, PURPOSE_AES_XTS, wrapped_key, 40, 1, 0x110), BAD_PARAM);
    /* the login of one program does not admit the DEKs of another one */
    CHECK_EQ(create_dek(&other, other.pdn, 0, PURPOSE_AES_XTS, wrapped_key, 40, 0, 0x110),
             BAD_RES_STATE);
    CHECK_EQ(mlx5dv_devx_obj_destroy(login), 0);
    CHECK_EQ(create_dek(&rig, rig.pdn, 0, PURPOSE_AES_XTS, wrapped_key, 40, 0, 0x110),
             BAD_RES_STATE);
    rig_close(&rig);
    rig_close(&other);
}

static void a_wrapped_dek_encrypts_after_the_logout(void)
{
    struct sig_rig t = sig_open(0);
    struct mlx5dv_crypto_login_attr login = { 0 };
    struct mlx5dv_dek_init_attr init = { .pd = t.rig.pd };
    struct mlx5dv_mkey *key = crypto_key(&t, false);
    enum mlx5dv_crypto_login_state state;
    struct mlx5dv_crypto_attr attr;
    struct mlx5dv_dek *dek;

    memcpy(login.credential, credential, sizeof(credential));
    memcpy(init.key, wrapped_key, sizeof(wrapped_key));
    CHECK_EQ(mlx5dv_crypto_login(t.rig.ctx, &login), 0);
    CHECK_EQ(mlx5dv_crypto_login_query_state(t.rig.ctx, &state), 0);
    CHECK_EQ(state, MLX5DV_CRYPTO_LOGIN_STATE_VALID);
    dek = mlx5dv_dek_create(t.rig.ctx, &init);
    CHECK(dek);
    CHECK_EQ(mlx5dv_crypto_logout(t.rig.ctx), 0);
    attr = crypto_attr(dek, true, 5);
    memset(t.a, 0xa5, BLOCK);
    CHECK_EQ(set(&t, key, t.mr_a, BLOCK, &attr, NULL), IBV_WC_SUCCESS);
    CHECK_EQ(send_from(&t, key, BLOCK), IBV_WC_SUCCESS);
    CHECK(memcmp(t.b, unit_5, 8) == 0);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    CHECK_EQ(mlx5dv_dek_destroy(dek), 0);
    sig_close(&t);
}

static const struct rig_case plain[] = {
    RIG_CASE(data_are_encrypted_on_the_wire),
    RIG_CASE(data_are_encrypted_in_memory),
    RIG_CASE(tweaks_carry_and_units_may_end_with_a_part_of_a_block),
    RIG_CASE(signatures_come_before_or_after_the_encryption),
    RIG_CASE(a_dek_shows_its_label_but_not_its_key),
    RIG_CASE(a_key_without_its_dek_carries_nothing),
    RIG_CASE(a_key_for_encryption_needs_an_encryption),
    RIG_CASE(messages_consist_of_whole_data_units),
    RIG_CASE(the_tag_must_be_that_of_the_dek),
    RIG_CASE(a_dek_of_another_pd_is_refused),
    RIG_CASE(wrong_deks_are_refused),
    RIG_CASE(a_plain_device_has_no_logins),
};

static const struct rig_case wrapped[] = {
    RIG_CASE(a_wrapped_dek_needs_a_login),
    RIG_CASE(a_wrapped_dek_encrypts_after_the_logout),
};

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "wrapped") == 0)
        return rig_main(argc - 1, argv + 1, wrapped, sizeof(wrapped) / sizeof(wrapped[0]));
    return rig_main(argc - 1, argv + 1, plain, sizeof(plain) / sizeof(plain[0]));
}
