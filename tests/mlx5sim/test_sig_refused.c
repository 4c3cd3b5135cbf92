/* Signature keys: commands, WQEs and accesses that the device refuses. */
#include "own_queue.h"
#include "sig_rig.h"

enum { MW_BIND = 0x06, BAD_PARAM = 3, BAD_RESOURCE = 5, BAD_INPUT_LEN = 0x50,
       BAD_OUTPUT_LEN = 0x51 };

/* ---- commands ------------------------------------------------------------------------------- */

/* Send CREATE_PSV. Returns the status, and the object when there is one. */
static unsigned create_psv(struct rig *rig, uint32_t pdn, unsigned num, size_t in_len,
                           size_t out_len, struct mlx5dv_devx_obj **obj, uint32_t *number)
{
    uint8_t in[16] = { 0 }, out[32] = { 0 };

    put(in, 0, 16, 0x600);
    put(in, 0x40, 4, num);
    put(in, 0x48, 24, pdn);
    *obj = mlx5dv_devx_obj_create(rig->ctx, in, in_len, out, out_len);
    *number = (uint32_t)get(out, 0x88, 24);
    return out[0];
}

static struct mlx5dv_devx_obj *psv(struct rig *rig, uint32_t pdn, uint32_t *number)
{
    struct mlx5dv_devx_obj *obj;

    CHECK_EQ(create_psv(rig, pdn, 1, 16, 32, &obj, number), 0);
    CHECK(obj);
    return obj;
}

static void wrong_psvs_are_refused(void)
{
    struct rig rig = rig_open(0), other = rig_open(0);
    struct mlx5dv_devx_obj *obj;
    uint32_t number;

    CHECK_EQ(create_psv(&rig, other.pdn, 1, 16, 32, &obj, &number), BAD_RESOURCE);
    CHECK_EQ(create_psv(&rig, 0xffffff, 1, 16, 32, &obj, &number), BAD_RESOURCE);
    CHECK_EQ(create_psv(&rig, rig.pdn, 0, 16, 32, &obj, &number), BAD_PARAM);
    CHECK_EQ(create_psv(&rig, rig.pdn, 2, 16, 32, &obj, &number), BAD_PARAM);
    CHECK_EQ(create_psv(&rig, rig.pdn, 1, 15, 32, &obj, &number), 0);  /* the kernel refuses it */
    CHECK(!obj);
    CHECK_EQ(create_psv(&rig, rig.pdn, 1, 16, 16, &obj, &number), BAD_OUTPUT_LEN);
    CHECK(!obj);
    obj = psv(&rig, rig.pdn, &number);
    CHECK(number != 0);
    CHECK_EQ(ibv_dealloc_pd(rig.pd), EBUSY);    /* the PSV uses it */
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    rig_close(&rig);
    rig_close(&other);
}

/* Create an indirect key for UMR with room for a BSF. */
static struct mlx5dv_devx_obj *bsf_key(struct rig *rig, uint32_t octowords, uint32_t *key)
{
    uint8_t in[0x110] = { 0 }, out[16] = { 0 };
    struct mlx5dv_devx_obj *obj;

    put(in, 0, 16, 0x200);
    put(in, 0x80 + 0x10, 1, 1);         /* umr_en */
    put(in, 0x80 + 0x11, 5, 0x1f);
    put(in, 0x80 + 0x16, 2, 2);
    put(in, 0x80 + 0x20, 24, 0xffffff);
    put(in, 0x80 + 0x61, 1, octowords != 0);
    put(in, 0x80 + 0x68, 24, rig->pdn);
    put(in, 0x80 + 0x100, 32, octowords);
    put(in, 0x80 + 0x1a0, 32, 4);
    obj = mlx5dv_devx_obj_create(rig->ctx, in, sizeof(in), out, sizeof(out));
    *key = (uint32_t)get(out, 0x48, 24) << 8;
    return obj;
}

static void a_key_shows_the_room_for_its_signature(void)
{
    struct rig rig = rig_open(0);
    uint8_t in[16] = { 0 }, out[0x50] = { 0 };
    struct mlx5dv_devx_obj *obj;
    uint32_t key;

    CHECK(!bsf_key(&rig, 9, &key));     /* more than log_max_bsf_list_size */
    obj = bsf_key(&rig, 4, &key);
    CHECK(obj);
    put(in, 0, 16, 0x201);
    put(in, 0x48, 24, key >> 8);
    CHECK_EQ(mlx5dv_devx_obj_query(obj, in, sizeof(in), out, sizeof(out)), 0);
    CHECK_EQ(get(out, 0x80 + 0x61, 1), 1);
    CHECK_EQ(get(out, 0x80 + 0x100, 32), 4);
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    rig_close(&rig);
}

/* ---- WQEs ----------------------------------------------------------------------------------- */

/* A change of the UMR WQE: a field at a bit of the UMR segment, the mkey segment or the BSF. */
struct change {
    const char *name;
    unsigned at;                /* byte of the WQE */
    unsigned bit, width;
    uint64_t value;
};

enum { UMR = 16, BSF = 128 + 64, INLINE_MEM = BSF + 48 };

/* A UMR WQE with four translations and a BSF: T10-DIF in memory, nothing on the wire. */
static uint8_t *umr_wqe(struct own_queue *q, uint32_t key, uint32_t psv_number)
{
    uint8_t *wqe = own_wqe(q, 0x25, 0, BSF / 16 + 4, true);

    memset(wqe + 64, 0, BSF);
    put(wqe, 0x60, 32, key);
    put(wqe + UMR, 0, 1, 1);            /* inline */
    put(wqe + UMR, 0x20, 16, 4);
    put(wqe + UMR, 0x30, 16, 4);
    put(wqe + UMR, 0x40, 64, 1ull << 12);
    put(wqe + 64, 0x61, 1, 1);          /* bsf_en */
    put(wqe + BSF, 0x00, 2, 2);         /* with the description of T10-DIF */
    put(wqe + BSF, 0x08, 8, 0xff);
    put(wqe + BSF, 0x18, 8, 1);         /* blocks of 512 bytes in memory */
    put(wqe + BSF, 0x68, 24, psv_number);
    put(wqe + INLINE_MEM, 0x00, 1, 1);  /* valid */
    put(wqe + INLINE_MEM, 0x40, 8, 1);  /* CRC */
    put(wqe + INLINE_MEM, 0x48, 1, 1);  /* repeated */
    put(wqe + INLINE_MEM, 0x70, 16, 0xffff);
    return wqe;
}

/* Post the WQE with a change on a new queue. Returns the syndrome. */
static unsigned post(struct rig *rig, uint32_t key, uint32_t psv_number, const struct change *c)
{
    struct own_queue q = own_open(rig, false);
    uint8_t *wqe = umr_wqe(&q, key, psv_number);
    unsigned syndrome;

    if (c)
        put(wqe + c->at, c->bit, c->width, c->value);
    own_ring(&q, wqe);
    syndrome = own_syndrome(&q, -1);
    own_close(&q);
    return syndrome;
}

static void wrong_descriptions_are_refused(void)
{
    static const struct change changes[] = {
        { "a BSF without descriptions", BSF, 0x00, 2, 0 },
        { "the extended BSF", BSF, 0x00, 2, 1 },
        { "a BSF with encryption", BSF, 0x00, 2, 3 },
        { "an unknown size of blocks", BSF, 0x18, 8, 5 },
        { "a size of blocks out of the table", BSF, 0x18, 8, 255 },
        { "an unknown format", BSF, 0x60, 8, 0x32 },
        { "a CRC of only one block", BSF, 0x60, 8, 0x20 },
        { "T10-DIF that is not valid", INLINE_MEM, 0x00, 1, 0 },
        { "T10-DIF of only one block", INLINE_MEM, 0x48, 1, 0 },
        { "an unknown guard", INLINE_MEM, 0x40, 8, 3 },
        { "a PSV that does not exist", BSF, 0x68, 24, 0x7fffff },
        { "a signature of the transfer in memory", BSF, 0xe0, 32, 0x40000001 },
        { "a signature of the transfer on the wire", BSF, 0xc0, 32, 0x40000001 },
        { "a wire with the same blocks, but without signatures", BSF, 0x03, 1, 1 },
        { "a PSV of the wire that does not exist", BSF, 0x10, 8, 1 },
        { "a longer BSF than the key has room for", UMR, 0x30, 16, 8 },
        { "a shorter BSF", UMR, 0x30, 16, 3 },
        { "a BSF that the WQE does not contain", 0, 58, 6, 12 },
        { "a BSF in memory", UMR, 0, 1, 0 },
    };
    struct rig rig = rig_open(0);
    struct ibv_pd *pd = ibv_alloc_pd(rig.ctx);
    struct mlx5dv_devx_obj *key_obj, *plain_obj, *psv_obj, *other_obj;
    uint32_t key, plain, number, other;
    static const struct change no_bsf = { "signatures without a BSF", UMR, 0x30, 16, 0 };

    CHECK(pd);
    key_obj = bsf_key(&rig, 4, &key);
    plain_obj = bsf_key(&rig, 0, &plain);
    psv_obj = psv(&rig, rig.pdn, &number);
    other_obj = psv(&rig, rig_pdn(pd), &other);
    CHECK_EQ(post(&rig, key, number, &no_bsf), MW_BIND);
    for (unsigned i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
        unsigned syndrome = post(&rig, key, number, &changes[i]);

        if (changes[i].at == UMR && changes[i].width == 1)
            CHECK(syndrome != 0);       /* the list is in memory, too, and has no key */
        else if (syndrome != MW_BIND)
            rig_fail(__FILE__, __LINE__, "%s: syndrome %u", changes[i].name, syndrome);
    }
    CHECK_EQ(post(&rig, key, other, NULL), MW_BIND);    /* the PSV of another PD */
    CHECK_EQ(post(&rig, plain, number, NULL), MW_BIND); /* a key without room for a BSF */
    CHECK_EQ(post(&rig, key, number, NULL), 0);
    CHECK_EQ(post(&rig, key, number, &no_bsf), 0);      /* now it has one */
    CHECK_EQ(mlx5dv_devx_obj_destroy(key_obj), 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(plain_obj), 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(psv_obj), 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(other_obj), 0);
    CHECK_EQ(ibv_dealloc_pd(pd), 0);
    rig_close(&rig);
}

/* Post SET_PSV of `ds` 16-byte units. Returns the syndrome. */
static unsigned set_psv(struct rig *rig, uint32_t number, unsigned ds)
{
    struct own_queue q = own_open(rig, false);
    uint8_t *wqe = own_wqe(&q, 0x20, 0, ds, true);
    unsigned syndrome;

    put(wqe + 16, 0x08, 24, number);
    own_ring(&q, wqe);
    syndrome = own_syndrome(&q, -1);
    own_close(&q);
    return syndrome;
}

static void a_psv_is_set_only_by_its_pd(void)
{
    struct rig rig = rig_open(0), other = rig_open(0);
    struct mlx5dv_devx_obj *obj, *other_obj;
    uint32_t number, other_number;

    obj = psv(&rig, rig.pdn, &number);
    other_obj = psv(&other, other.pdn, &other_number);
    CHECK_EQ(set_psv(&rig, number, 2), 0);
    CHECK_EQ(set_psv(&rig, number, 1), MW_BIND);
    CHECK_EQ(set_psv(&rig, other_number, 2), MW_BIND);
    CHECK_EQ(set_psv(&rig, 0, 2), MW_BIND);
    CHECK_EQ(set_psv(&rig, 0xffffff, 2), MW_BIND);
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    CHECK_EQ(set_psv(&rig, number, 2), MW_BIND);
    CHECK_EQ(mlx5dv_devx_obj_destroy(other_obj), 0);
    rig_close(&rig);
    rig_close(&other);
}

/* ---- accesses ------------------------------------------------------------------------------- */

/* A queue pair whose key has signatures of T10-DIF in memory. */
static struct sig_rig open_with_key(struct mlx5dv_mkey **key)
{
    struct sig_rig t = sig_open(0);
    struct sig_domain d;

    *key = sig_key(&t);
    sig_configure(&t, *key, t.mr_b, 4 * (BLOCK + 8),
                  sig_dif(&d, MLX5DV_SIG_T10DIF_CRC, 0, 1, 2, 0), NULL);
    return t;
}

static void atomics_do_not_use_signature_keys(void)
{
    struct mlx5dv_mkey *key;
    struct sig_rig t = open_with_key(&key);

    CHECK_EQ(rig_do(&t.rig, t.qp, IBV_WR_ATOMIC_FETCH_AND_ADD,
                    (struct rig_side){ t.a, 8, t.mr_a->lkey }, 0, key->rkey),
             IBV_WC_REM_ACCESS_ERR);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

static void a_message_begins_with_a_block(void)
{
    struct mlx5dv_mkey *key;
    struct sig_rig t = open_with_key(&key);
    struct sig_domain d;

    /* without signatures on the wire, a message can begin anywhere: here in the second block */
    memset(t.a, 1, BLOCK);
    CHECK_EQ(sig_write(&t, BLOCK, key->rkey, (uintptr_t)t.a, t.mr_a->lkey, BLOCK),
             IBV_WC_SUCCESS);
    CHECK(t.b[0] == 0 && t.b[BLOCK + 8] == 1 && t.b[2 * BLOCK + 7] == 1);
    sig_configure(&t, key, t.mr_b, 4 * BLOCK, NULL,
                  sig_dif(&d, MLX5DV_SIG_T10DIF_CRC, 0, 1, 2, 0));
    CHECK_EQ(sig_write(&t, BLOCK + 8, key->rkey, (uintptr_t)t.a, t.mr_a->lkey, BLOCK),
             IBV_WC_SUCCESS);
    CHECK_EQ(sig_write(&t, BLOCK, key->rkey, (uintptr_t)t.a, t.mr_a->lkey, BLOCK),
             IBV_WC_REM_ACCESS_ERR);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

static void other_keys_do_not_contain_signature_keys(void)
{
    struct mlx5dv_mkey *key;
    struct sig_rig t = open_with_key(&key);
    struct rig_mkey_options o = { .mode = 2, .rights = 0xf, .len = BLOCK, .num = 1 };
    uint8_t entry[16];
    struct mlx5dv_devx_obj *obj;
    uint32_t outer;

    rig_entry(entry, BLOCK, key->lkey, NULL);
    o.list = entry;
    obj = rig_mkey(&t.rig, &o, &outer);
    CHECK(obj);
    CHECK_EQ(sig_write(&t, 0, outer, (uintptr_t)t.a, t.mr_a->lkey, BLOCK), IBV_WC_REM_ACCESS_ERR);
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

static void the_rights_of_the_key_hold(void)
{
    struct mlx5dv_mkey *key;
    struct sig_rig t = open_with_key(&key);
    struct ibv_mr *mr = ibv_reg_mr(t.rig.pd, t.b, SIG_ROOM, 0);
    struct sig_domain d;

    /* the memory behind the key is read-only */
    CHECK(mr);
    sig_configure(&t, key, mr, BLOCK + 8, sig_dif(&d, MLX5DV_SIG_T10DIF_CRC, 0, 1, 2, 0), NULL);
    CHECK_EQ(sig_write(&t, 0, key->rkey, (uintptr_t)t.a, t.mr_a->lkey, BLOCK),
             IBV_WC_REM_ACCESS_ERR);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

static void only_rc_uses_signature_keys(void)
{
    struct mlx5dv_mkey *key;
    struct sig_rig t = open_with_key(&key);
    struct own_queue q;
    uint8_t *wqe;

    own_transport = 1;                  /* UC */
    q = own_open(&t.rig, false);
    own_transport = 0;
    wqe = own_wqe(&q, 0x0a, 0, 2, true);
    own_data(wqe + 16, (struct rig_side){ NULL, BLOCK, key->lkey });
    own_ring(&q, wqe);
    CHECK_EQ(own_syndrome(&q, -1), 0x04);       /* local protection error */
    own_close(&q);
    CHECK_EQ(mlx5dv_destroy_mkey(key), 0);
    sig_close(&t);
}

static void only_rc_stops_at_wrong_signatures(void)
{
    struct rig rig = rig_open(0);
    struct own_queue q = { .rig = &rig };
    uint8_t in[0x1d0] = { 0 }, out[16] = { 0 };

    for (unsigned transport = 0; transport < 2; transport++) {
        q = (struct own_queue){ .rig = &rig, .mem = rig_memory(OWN_BYTES) };
        q.umem = mlx5dv_devx_umem_reg(rig.ctx, q.mem, OWN_BYTES, IBV_ACCESS_LOCAL_WRITE);
        q.uar = mlx5dv_devx_alloc_uar(rig.ctx, MLX5DV_UAR_ALLOC_TYPE_BF);
        CHECK(q.umem && q.uar);
        own_cq(&q);
        own_transport = transport;
        own_qp(&q, false);
        own_transport = 0;
        put(in, 0, 16, 0x50e);          /* INIT2INIT */
        put(in, 0x48, 24, q.qpn);
        put(in, 0x80, 32, 1 << 11);
        put(in, 0xc0 + 0x25, 1, 1);
        /* not in RESET, then in INIT */
        CHECK(mlx5dv_devx_obj_modify(q.qp, in, sizeof(in), out, sizeof(out)) != 0);
        own_modify(&q, 0x502, q.qpn);
        CHECK_EQ(mlx5dv_devx_obj_modify(q.qp, in, sizeof(in), out, sizeof(out)) == 0,
                 transport == 0);
        own_close(&q);
    }
    rig_close(&rig);
}

static const struct rig_case cases[] = {
    RIG_CASE(wrong_psvs_are_refused),
    RIG_CASE(a_key_shows_the_room_for_its_signature),
    RIG_CASE(wrong_descriptions_are_refused),
    RIG_CASE(a_psv_is_set_only_by_its_pd),
    RIG_CASE(atomics_do_not_use_signature_keys),
    RIG_CASE(a_message_begins_with_a_block),
    RIG_CASE(other_keys_do_not_contain_signature_keys),
    RIG_CASE(the_rights_of_the_key_hold),
    RIG_CASE(only_rc_uses_signature_keys),
    RIG_CASE(only_rc_stops_at_wrong_signatures),
};

RIG_MAIN(cases)
