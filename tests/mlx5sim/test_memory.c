/* Memory of the emulated device: keys of every kind, permissions, device memory, remote access. */
#include "rig.h"

#include <rdma/mlx5-abi.h>
#include <sys/mman.h>

enum { LEN = 65536 };

/* Permissions of an mkey: atomic, remote write, remote read, local write, local read. */
enum { A = 16, RW = 8, RR = 4, LW = 2, LR = 1 };

static const struct rig_qp_options plain;

struct pair {
    struct rig rig;
    struct ibv_qp *qp;
    uint8_t *a, *b;
    struct ibv_mr *mr_a, *mr_b;
};

static struct pair pair_open(struct rig_qp_options options)
{
    struct pair p = { .rig = rig_open(0) };

    p.qp = rig_loop(&p.rig, options);
    p.a = rig_memory(LEN);
    p.b = rig_memory(LEN);
    p.mr_a = ibv_reg_mr(p.rig.pd, p.a, LEN, RIG_ALL_ACCESS);
    p.mr_b = ibv_reg_mr(p.rig.pd, p.b, LEN, RIG_ALL_ACCESS);
    CHECK(p.mr_a && p.mr_b);
    rig_fill(p.a, LEN, 1);
    return p;
}

static void pair_close(struct pair *p)
{
    CHECK_EQ(ibv_dereg_mr(p->mr_a), 0);
    CHECK_EQ(ibv_dereg_mr(p->mr_b), 0);
    CHECK_EQ(ibv_destroy_qp(p->qp), 0);
    rig_close(&p->rig);
    free(p->a);
    free(p->b);
}

static struct rig_side side(struct ibv_mr *mr, size_t offset, uint32_t len)
{
    return (struct rig_side){ (uint8_t *)mr->addr + offset, len, mr->lkey };
}

/* ---- permissions ---------------------------------------------------------------------------- */

/* A request needs the permission of both the remote key and the QP. In each row, one of the two has
 * all permissions. */
static void remote_access_needs_permission_of_key_and_qp(void)
{
    static const struct {
        enum ibv_wr_opcode opcode;
        enum ibv_access_flags key;
        unsigned qp;
        enum ibv_wc_status want;
    } t[] = {
        { IBV_WR_RDMA_WRITE, 3, 0xf, IBV_WC_SUCCESS },
        { IBV_WR_RDMA_WRITE, 5, 0xf, IBV_WC_REM_ACCESS_ERR },
        { IBV_WR_RDMA_WRITE, 0xf, 4 | 8, IBV_WC_REM_INV_REQ_ERR },
        { IBV_WR_RDMA_READ, 5, 0xf, IBV_WC_SUCCESS },
        { IBV_WR_RDMA_READ, 3, 0xf, IBV_WC_REM_ACCESS_ERR },
        { IBV_WR_RDMA_READ, 0xf, 2, IBV_WC_REM_INV_REQ_ERR },
        { IBV_WR_ATOMIC_FETCH_AND_ADD, 9, 0xf, IBV_WC_SUCCESS },
        { IBV_WR_ATOMIC_FETCH_AND_ADD, 7, 0xf, IBV_WC_REM_ACCESS_ERR },
        { IBV_WR_ATOMIC_CMP_AND_SWP, 0xf, 2 | 4, IBV_WC_REM_INV_REQ_ERR },
    };
    struct rig rig = rig_open(0);

    for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
        struct rig_qp_options options = { .access = t[i].qp };
        struct ibv_qp *qp = rig_loop(&rig, options);
        uint64_t *to = rig_memory(4096), *from = rig_memory(4096);
        struct ibv_mr *remote = ibv_reg_mr(rig.pd, to, 4096, t[i].key);
        struct ibv_mr *local = ibv_reg_mr(rig.pd, from, 4096, 1);
        struct rig_side here = { from, 8, 0 };

        CHECK(remote && local);
        here.key = local->lkey;
        CHECK_EQ(rig_do(&rig, qp, t[i].opcode, here, (uintptr_t)to, remote->rkey), t[i].want);
        CHECK_EQ(rig_state(qp), t[i].want ? IBV_QPS_ERR : IBV_QPS_RTS);
        ibv_destroy_qp(qp);
        ibv_dereg_mr(remote);
        ibv_dereg_mr(local);
        free(to);
        free(from);
    }
    rig_close(&rig);
}

static void keys_give_no_access_outside_their_memory(void)
{
    static const struct { long offset; uint32_t len; enum ibv_wc_status want; } t[] = {
        { 0, LEN, IBV_WC_SUCCESS }, { LEN - 1, 1, IBV_WC_SUCCESS },
        { LEN - 1, 2, IBV_WC_REM_ACCESS_ERR }, { -1, 1, IBV_WC_REM_ACCESS_ERR },
        { LEN, 1, IBV_WC_REM_ACCESS_ERR },
    };

    for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
        struct pair p = pair_open(plain);
        uint64_t at = (uintptr_t)p.b + (uint64_t)t[i].offset;

        CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_RDMA_WRITE, side(p.mr_a, 0, t[i].len), at,
                        p.mr_b->rkey), t[i].want);
        pair_close(&p);
    }
}

static void local_keys_must_belong_to_the_pd_and_be_writable(void)
{
    struct pair p = pair_open(plain);
    struct ibv_pd *other = ibv_alloc_pd(p.rig.ctx);
    struct ibv_mr *foreign = ibv_reg_mr(other, p.a, LEN, RIG_ALL_ACCESS);
    struct ibv_mr *readonly = ibv_reg_mr(p.rig.pd, p.a, LEN, 0);
    struct ibv_qp *qp = rig_loop(&p.rig, plain);

    CHECK(other && foreign && readonly);
    CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_RDMA_WRITE, side(foreign, 0, 8), (uintptr_t)p.b,
                    p.mr_b->rkey), IBV_WC_LOC_PROT_ERR);
    CHECK_EQ(rig_do(&p.rig, qp, IBV_WR_RDMA_READ, side(readonly, 0, 8), (uintptr_t)p.b,
                    p.mr_b->rkey), IBV_WC_LOC_PROT_ERR);
    ibv_destroy_qp(qp);
    ibv_dereg_mr(foreign);
    ibv_dereg_mr(readonly);
    CHECK_EQ(ibv_dealloc_pd(other), 0);
    pair_close(&p);
}

static void a_deregistered_key_is_invalid(void)
{
    struct pair p = pair_open(plain);
    struct ibv_mr *mr = ibv_reg_mr(p.rig.pd, p.b, LEN, RIG_ALL_ACCESS);
    uint32_t rkey = mr->rkey;

    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_RDMA_WRITE, side(p.mr_a, 0, 8), (uintptr_t)p.b, rkey),
             IBV_WC_REM_ACCESS_ERR);
    pair_close(&p);
}

/* ---- atomics -------------------------------------------------------------------------------- */

static void atomics_return_the_old_value(void)
{
    struct pair p = pair_open(plain);
    uint64_t *word = (uint64_t *)(void *)p.b, *old = (uint64_t *)(void *)p.a;

    word[1] = 100;
    CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_ATOMIC_FETCH_AND_ADD, side(p.mr_a, 0, 8),
                    (uintptr_t)&word[1], p.mr_b->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(old[0], 100);
    CHECK_EQ(word[1], 105);
    CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_ATOMIC_CMP_AND_SWP, side(p.mr_a, 0, 8),
                    (uintptr_t)&word[1], p.mr_b->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(old[0], 105);
    CHECK_EQ(word[1], 105);     /* the compare value is 5 */
    word[1] = 5;
    CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_ATOMIC_CMP_AND_SWP, side(p.mr_a, 0, 8),
                    (uintptr_t)&word[1], p.mr_b->rkey), IBV_WC_SUCCESS);
    CHECK_EQ(word[1], 77);
    CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_ATOMIC_FETCH_AND_ADD, side(p.mr_a, 0, 8),
                    (uintptr_t)&word[1] + 4, p.mr_b->rkey), IBV_WC_REM_INV_REQ_ERR);
    CHECK_EQ(word[1], 77);
    pair_close(&p);
}

/* ---- several segments, and data in the WQE --------------------------------------------------- */

static int post_list(struct pair *p, enum ibv_wr_opcode opcode, struct ibv_sge *list, int num,
                     unsigned flags)
{
    struct ibv_send_wr wr = { .wr_id = 1, .sg_list = list, .num_sge = num, .opcode = opcode,
        .send_flags = IBV_SEND_SIGNALED | flags,
        .wr.rdma = { (uintptr_t)p->b + 100, p->mr_b->rkey } };
    struct ibv_send_wr *bad;

    CHECK_EQ(ibv_post_send(p->qp, &wr, &bad), 0);
    return (int)rig_poll(p->rig.cq).status;
}

/* Write lists and inline data of all lengths up to the limit, at all positions in the ring. The
 * WQEs have one or two basic blocks. */
static void lists_and_data_in_the_wqe_are_copied(void)
{
    struct pair p = pair_open(plain);
    struct ibv_sge list[4];
    uint8_t want[256];

    for (unsigned round = 0; round < 400; round++) {
        bool is_inline = round % 3 != 0;
        unsigned num = round % 4 + 1, len = 0;

        memset(p.b, 0, LEN);
        for (unsigned i = 0; i < num; i++) {
            unsigned most = is_inline ? 64 / num : 64;

            list[i] = (struct ibv_sge){ (uintptr_t)p.a + 200 * i + round, (round + i) % most + 1,
                                        is_inline ? 0xbad : p.mr_a->lkey };
            memcpy(want + len, p.a + 200 * i + round, list[i].length);
            len += list[i].length;
        }
        CHECK_EQ(post_list(&p, IBV_WR_RDMA_WRITE, list, (int)num,
                           is_inline ? IBV_SEND_INLINE : 0), IBV_WC_SUCCESS);
        CHECK(memcmp(p.b + 100, want, len) == 0 && p.b[99] == 0 && p.b[100 + len] == 0);
    }
    pair_close(&p);
}

static void a_read_is_scattered(void)
{
    struct pair p = pair_open(plain);
    struct ibv_sge list[3] = { { (uintptr_t)p.a, 10, p.mr_a->lkey },
                               { (uintptr_t)p.a + 500, 1, p.mr_a->lkey },
                               { (uintptr_t)p.a + 1000, 300, p.mr_a->lkey } };

    rig_fill(p.b, LEN, 9);
    CHECK_EQ(post_list(&p, IBV_WR_RDMA_READ, list, 3, 0), IBV_WC_SUCCESS);
    CHECK(memcmp(p.a, p.b + 100, 10) == 0 && p.a[500] == p.b[110]);
    CHECK(memcmp(p.a + 1000, p.b + 111, 300) == 0);
    pair_close(&p);
}

/* A single wrong key in a list fails the request, and nothing is written. */
static void a_list_with_a_wrong_key_is_not_written(void)
{
    for (unsigned at = 0; at < 4; at++) {
        struct pair p = pair_open(plain);
        struct ibv_sge list[4];

        memset(p.b, 0, LEN);
        for (unsigned i = 0; i < 4; i++)
            list[i] = (struct ibv_sge){ (uintptr_t)p.a + i, 50, p.mr_a->lkey ^ (i == at) };
        CHECK_EQ(post_list(&p, IBV_WR_RDMA_WRITE, list, 4, 0), IBV_WC_LOC_PROT_ERR);
        for (unsigned i = 0; i < 300; i++)
            CHECK_EQ(p.b[i], 0);
        pair_close(&p);
    }
}

/* ---- keys made by firmware commands --------------------------------------------------------- */

static void an_mkey_over_a_umem_gives_access(void)
{
    struct pair p = pair_open(plain);
    struct mlx5dv_devx_umem *umem = mlx5dv_devx_umem_reg(p.rig.ctx, p.b, LEN, 7);
    struct rig_mkey_options o = { .mode = 1, .rights = RW | RR | LW | LR, .len = LEN / 2,
                                  .addr = (uintptr_t)p.b + 4096, .umem_offset = 4096 };
    struct mlx5dv_devx_obj *obj;
    uint32_t key;

    CHECK(umem);
    o.umem = umem->umem_id;
    obj = rig_mkey(&p.rig, &o, &key);
    CHECK(obj);
    CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_RDMA_WRITE, side(p.mr_a, 0, 1000),
                    (uintptr_t)p.b + 4096, key), IBV_WC_SUCCESS);
    CHECK(memcmp(p.a, p.b + 4096, 1000) == 0 && p.b[4095] == 0 && p.b[5096] == 0);
    CHECK(mlx5dv_devx_umem_dereg(umem) != 0);   /* fails: the mkey uses the umem */
    CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_RDMA_WRITE, side(p.mr_a, 0, 8), (uintptr_t)p.b, key),
             IBV_WC_REM_ACCESS_ERR);
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    CHECK_EQ(mlx5dv_devx_umem_dereg(umem), 0);
    pair_close(&p);
}

static void an_mkey_keeps_its_ordering_bits(void)
{
    struct pair p = pair_open(plain);
    struct mlx5dv_devx_umem *umem = mlx5dv_devx_umem_reg(p.rig.ctx, p.b, LEN, 7);
    struct rig_mkey_options o = { .mode = 1, .rights = RW | LW, .len = LEN,
                                  .addr = (uintptr_t)p.b };
    struct mlx5dv_devx_obj *obj;
    uint8_t in[16], out[0x110];
    uint32_t key;

    CHECK(umem);
    o.umem = umem->umem_id;
    for (unsigned i = 0; i < 4; i++) {
        o.relaxed_write = i & 1;
        o.relaxed_read = i >> 1;
        obj = rig_mkey(&p.rig, &o, &key);
        CHECK(obj);
        memset(in, 0, sizeof(in));
        memset(out, 0, sizeof(out));
        put(in, 0, 16, 0x201);
        put(in, 0x48, 24, key >> 8);
        CHECK_EQ(mlx5dv_devx_obj_query(obj, in, sizeof(in), out, sizeof(out)), 0);
        CHECK_EQ(get(out, 0x80 + 0x0d, 1), i & 1);
        CHECK_EQ(get(out, 0x80 + 0x1d9, 1), i >> 1);
        CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_RDMA_WRITE, side(p.mr_a, 0, 100), (uintptr_t)p.b,
                        key), IBV_WC_SUCCESS);
        CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    }
    CHECK_EQ(mlx5dv_devx_umem_dereg(umem), 0);
    pair_close(&p);
}

static void refused_commands_return_status_and_syndrome(void)
{
    struct pair p = pair_open(plain);
    uint8_t in[16] = { 0 }, out[16] = { 0 };

    put(in, 0, 16, 0x7ff);      /* not a command */
    CHECK_EQ(mlx5dv_devx_general_cmd(p.rig.ctx, in, sizeof(in), out, sizeof(out)) != 0, 1);
    memset(in, 0, sizeof(in));
    put(in, 0, 16, 0x100);
    put(in, 0x30, 16, 0x7f << 1 | 1);
    CHECK(mlx5dv_devx_general_cmd(p.rig.ctx, in, sizeof(in), out, sizeof(out)) != 0);
    CHECK_EQ(errno, EREMOTEIO);
    CHECK_EQ(out[0], 3);        /* BAD_PARAM */
    CHECK(get(out, 0x20, 32) != 0);
    pair_close(&p);
}

static void a_writable_key_over_a_read_only_umem_is_refused(void)
{
    struct pair p = pair_open(plain);
    struct mlx5dv_devx_umem *umem = mlx5dv_devx_umem_reg(p.rig.ctx, p.b, LEN, 0);
    struct rig_mkey_options o = { .mode = 1, .rights = LW | LR, .len = LEN,
                                  .addr = (uintptr_t)p.b };
    struct mlx5dv_devx_obj *obj;
    uint32_t key;

    CHECK(umem);
    o.umem = umem->umem_id;
    CHECK(!rig_mkey(&p.rig, &o, &key));
    o.rights = LR;
    obj = rig_mkey(&p.rig, &o, &key);
    CHECK(obj);
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    CHECK_EQ(mlx5dv_devx_umem_dereg(umem), 0);
    pair_close(&p);
}

static void a_key_of_pages_that_do_not_fit_is_refused(void)
{
    struct pair p = pair_open(plain);
    struct mlx5dv_devx_umem *umem = mlx5dv_devx_umem_reg(p.rig.ctx, p.b, LEN, 0);
    struct rig_mkey_options fits = { .mode = 1, .rights = LR, .len = LEN - 4096,
                                     .addr = (uintptr_t)p.b }, o;
    struct mlx5dv_devx_obj *obj;
    uint32_t key;

    CHECK(umem);
    fits.umem = umem->umem_id;
    obj = rig_mkey(&p.rig, &fits, &key);
    CHECK(obj);
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    o = fits;
    o.is_short = 1;             /* too few translations for the length */
    CHECK(!rig_mkey(&p.rig, &o, &key));
    o = fits;
    o.addr += 8;                /* offset in the page differs from that of the memory */
    CHECK(!rig_mkey(&p.rig, &o, &key));
    o = fits;
    o.log_entity = 5;           /* 32 bytes is not a page size */
    CHECK(!rig_mkey(&p.rig, &o, &key));
    CHECK_EQ(mlx5dv_devx_umem_dereg(umem), 0);
    pair_close(&p);
}

static void klm_and_ksm_keys_join_memory(void)
{
    struct pair p = pair_open(plain);
    uint8_t list[3 * 16] = { 0 };
    struct rig_mkey_options klm = { .mode = 2, .rights = RW | RR | LW | LR, .len = 300,
                                    .addr = 0x1000, .list = list, .num = 3 };
    struct rig_mkey_options ksm = { .mode = 3, .rights = RR | LR, .len = 2 * 4096, .addr = 0,
                                    .log_entity = 12, .list = list, .num = 2 };
    struct mlx5dv_devx_obj *obj;
    uint32_t key;

    rig_entry(list, 100, p.mr_b->lkey, p.b + 1000);
    rig_entry(list + 16, 150, p.mr_b->lkey, p.b);
    rig_entry(list + 32, 50, p.mr_b->lkey, p.b + 5000);
    obj = rig_mkey(&p.rig, &klm, &key);
    CHECK(obj);
    CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_RDMA_WRITE, side(p.mr_a, 0, 250), 0x1000 + 50, key),
             IBV_WC_SUCCESS);
    CHECK(memcmp(p.b + 1050, p.a, 50) == 0);
    CHECK(memcmp(p.b, p.a + 50, 150) == 0);
    CHECK(memcmp(p.b + 5000, p.a + 200, 50) == 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);

    rig_entry(list, 0, p.mr_a->lkey, p.a + 8192);
    rig_entry(list + 16, 0, p.mr_a->lkey, p.a + 4096);
    obj = rig_mkey(&p.rig, &ksm, &key);
    CHECK(obj);
    CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_RDMA_READ, side(p.mr_b, 0, 8192), 0, key),
             IBV_WC_SUCCESS);
    CHECK(memcmp(p.b, p.a + 8192, 4096) == 0 && memcmp(p.b + 4096, p.a + 4096, 4096) == 0);
    CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_RDMA_READ, side(p.mr_b, 0, 16), 8192 - 8, key),
             IBV_WC_REM_ACCESS_ERR);
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    pair_close(&p);
}

/* ---- user-mode registration ----------------------------------------------------------------- */

static struct mlx5dv_mkey *umr_key(struct pair *p, uint16_t entries)
{
    struct mlx5dv_mkey_init_attr attr = { .pd = p->rig.pd, .max_entries = entries,
        .create_flags = MLX5DV_MKEY_INIT_ATTR_FLAGS_INDIRECT };
    struct mlx5dv_mkey *mkey = mlx5dv_create_mkey(&attr);

    CHECK(mkey);
    return mkey;
}

static void umr_adds_memory_and_invalidate_removes_it(void)
{
    struct rig_qp_options options = { .mkey_ops = MLX5DV_QP_EX_WITH_MR_LIST };
    struct pair p = pair_open(options);
    struct mlx5dv_mkey *mkey = umr_key(&p, 4);
    struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(p.qp);
    struct ibv_sge list[2] = { { (uintptr_t)p.b + 64, 32, p.mr_b->lkey },
                               { (uintptr_t)p.b + 512, 96, p.mr_b->lkey } };
    struct ibv_send_wr inv = { .opcode = IBV_WR_LOCAL_INV, .send_flags = IBV_SEND_SIGNALED };
    struct ibv_send_wr *bad;
    struct rig_side here = { NULL, 0, 0 };

    ibv_wr_start(ex);
    ex->wr_flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE;
    mlx5dv_wr_mr_list(mlx5dv_qp_ex_from_ibv_qp_ex(ex), mkey,
                      IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE, 2, list);
    CHECK_EQ(ibv_wr_complete(ex), 0);
    CHECK_EQ(rig_poll(p.rig.cq).status, IBV_WC_SUCCESS);
    CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_RDMA_WRITE, side(p.mr_a, 0, 128), 0, mkey->rkey),
             IBV_WC_SUCCESS);
    CHECK(memcmp(p.b + 64, p.a, 32) == 0 && memcmp(p.b + 512, p.a + 32, 96) == 0);
    here = (struct rig_side){ (void *)(uintptr_t)16, 64, mkey->lkey };  /* addresses [16, 80) */
    CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_RDMA_WRITE, here, (uintptr_t)p.b + 4096, p.mr_b->rkey),
             IBV_WC_SUCCESS);
    CHECK(memcmp(p.b + 4096, p.a + 16, 64) == 0);
    inv.invalidate_rkey = mkey->rkey;
    CHECK_EQ(ibv_post_send(p.qp, &inv, &bad), 0);
    CHECK_EQ(rig_poll(p.rig.cq).status, IBV_WC_SUCCESS);
    CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_RDMA_WRITE, side(p.mr_a, 0, 8), 0, mkey->rkey),
             IBV_WC_REM_ACCESS_ERR);
    CHECK_EQ(mlx5dv_destroy_mkey(mkey), 0);
    pair_close(&p);
}

/* Bind a key to `len` bytes of p->mr_b, and invalidate it, as programs do that choose the tag of a
 * UMR key themselves. */
static enum ibv_wc_status bind_key(struct pair *p, uint32_t key, size_t len)
{
    struct ibv_mw mw = { .rkey = key, .type = IBV_MW_TYPE_1 };
    struct ibv_send_wr wr = { .opcode = IBV_WR_BIND_MW,
        .send_flags = IBV_SEND_INLINE | IBV_SEND_SIGNALED,
        .bind_mw = { .mw = &mw, .rkey = key,
            .bind_info = { .mr = p->mr_b, .addr = (uintptr_t)p->b, .length = len,
                .mw_access_flags = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE } } };
    struct ibv_send_wr *bad;

    CHECK_EQ(ibv_post_send(p->qp, &wr, &bad), 0);
    return rig_poll(p->rig.cq).status;
}

static enum ibv_wc_status invalidate_key(struct pair *p, uint32_t key)
{
    struct ibv_send_wr wr = { .opcode = IBV_WR_LOCAL_INV, .invalidate_rkey = key,
                              .send_flags = IBV_SEND_INLINE | IBV_SEND_SIGNALED };
    struct ibv_send_wr *bad;

    CHECK_EQ(ibv_post_send(p->qp, &wr, &bad), 0);
    return rig_poll(p->rig.cq).status;
}

/* The low byte of a key is the program's. UCX, for example, sets it after mlx5dv_create_mkey(),
 * binds the new key, and invalidates it when its memory is no longer used. */
static void umr_finds_the_key_by_its_index(void)
{
    struct rig_qp_options options = { .mkey_ops = MLX5DV_QP_EX_WITH_MR_LIST };
    struct pair p = pair_open(options);
    struct mlx5dv_mkey *mkey = umr_key(&p, 1);
    uint32_t key = mkey->lkey | 0x81, next = mkey->lkey | 0x42;

    CHECK(key != mkey->lkey);
    for (unsigned turn = 0; turn < 2; turn++) {
        CHECK_EQ(bind_key(&p, key, 4096), IBV_WC_SUCCESS);
        CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_RDMA_WRITE, side(p.mr_a, turn * 64, 64),
                        (uintptr_t)p.b + 128, key), IBV_WC_SUCCESS);
        CHECK(memcmp(p.b + 128, p.a + turn * 64, 64) == 0);
        CHECK_EQ(invalidate_key(&p, key), IBV_WC_SUCCESS);
    }
    CHECK_EQ(bind_key(&p, next, 4096), IBV_WC_SUCCESS);
    CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_RDMA_WRITE, side(p.mr_a, 0, 64), (uintptr_t)p.b, next),
             IBV_WC_SUCCESS);
    /* an access with the tag of an earlier bind fails */
    CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_RDMA_WRITE, side(p.mr_a, 0, 64), (uintptr_t)p.b, key),
             IBV_WC_REM_ACCESS_ERR);
    CHECK_EQ(mlx5dv_destroy_mkey(mkey), 0);
    pair_close(&p);
}

static void umr_of_another_index_is_refused(void)
{
    struct rig_qp_options options = { .mkey_ops = MLX5DV_QP_EX_WITH_MR_LIST };
    struct pair p = pair_open(options);

    CHECK_EQ(bind_key(&p, 0xffff00, 4096), IBV_WC_MW_BIND_ERR);
    pair_close(&p);
}

static void strided_keys_repeat_their_block(void)
{
    struct rig_qp_options options = { .mkey_ops = MLX5DV_QP_EX_WITH_MR_INTERLEAVED };
    struct pair p = pair_open(options);
    struct mlx5dv_mkey *mkey = umr_key(&p, 4);
    struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(p.qp);
    struct mlx5dv_mr_interleaved list[2] = { { (uintptr_t)p.b, 8, 4, p.mr_b->lkey },
                                             { (uintptr_t)p.b + 1024, 4, 12, p.mr_b->lkey } };

    ibv_wr_start(ex);
    ex->wr_flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE;
    mlx5dv_wr_mr_interleaved(mlx5dv_qp_ex_from_ibv_qp_ex(ex), mkey,
                             IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE, 3, 2, list);
    CHECK_EQ(ibv_wr_complete(ex), 0);
    CHECK_EQ(rig_poll(p.rig.cq).status, IBV_WC_SUCCESS);
    CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_RDMA_WRITE, side(p.mr_a, 0, 36), 0, mkey->rkey),
             IBV_WC_SUCCESS);
    for (unsigned turn = 0; turn < 3; turn++) {
        CHECK(memcmp(p.b + turn * 12, p.a + turn * 12, 8) == 0);
        CHECK(memcmp(p.b + 1024 + turn * 16, p.a + turn * 12 + 8, 4) == 0);
        CHECK(p.b[turn * 12 + 8] == 0 && p.b[1024 + turn * 16 + 4] == 0);
    }
    CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_RDMA_WRITE, side(p.mr_a, 0, 37), 0, mkey->rkey),
             IBV_WC_REM_ACCESS_ERR);
    CHECK_EQ(mlx5dv_destroy_mkey(mkey), 0);
    pair_close(&p);
}

/* ---- device memory -------------------------------------------------------------------------- */

static void device_memory_is_accessed_by_cpu_and_device(void)
{
    struct pair p = pair_open(plain);
    struct ibv_alloc_dm_attr attr = { .length = 4096 };
    struct ibv_dm *dm = ibv_alloc_dm(p.rig.ctx, &attr);
    struct ibv_mr *mr;
    uint8_t back[64];

    CHECK(dm);
    mr = ibv_reg_dm_mr(p.rig.pd, dm, 0, 4096,
                       IBV_ACCESS_ZERO_BASED | IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
                       IBV_ACCESS_REMOTE_READ);
    CHECK(mr);
    CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_RDMA_WRITE, side(p.mr_a, 0, 64), 128, mr->rkey),
             IBV_WC_SUCCESS);
    CHECK_EQ(ibv_memcpy_from_dm(back, dm, 128, 64), 0);
    CHECK(memcmp(back, p.a, 64) == 0);
    CHECK_EQ(ibv_memcpy_to_dm(dm, 256, p.a + 100, 64), 0);
    CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_RDMA_READ, side(p.mr_b, 0, 64), 256, mr->rkey),
             IBV_WC_SUCCESS);
    CHECK(memcmp(p.b, p.a + 100, 64) == 0);
    CHECK_EQ(rig_do(&p.rig, p.qp, IBV_WR_RDMA_READ, side(p.mr_b, 0, 64), 4096 - 63, mr->rkey),
             IBV_WC_REM_ACCESS_ERR);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK_EQ(ibv_free_dm(dm), 0);
    pair_close(&p);
}

static void exhausted_device_memory_is_available_after_free(void)
{
    struct rig rig = rig_open(0);
    struct ibv_alloc_dm_attr attr = { .length = 64 * 1024 };
    struct ibv_dm *dm[8] = { 0 };
    unsigned num = 0;

    while (num < 8 && (dm[num] = ibv_alloc_dm(rig.ctx, &attr)) != NULL)
        num++;
    CHECK_EQ(num, 4);           /* the device has 256 KiB */
    CHECK_EQ(ibv_free_dm(dm[1]), 0);
    dm[1] = ibv_alloc_dm(rig.ctx, &attr);
    CHECK(dm[1]);
    for (unsigned i = 0; i < num; i++)
        CHECK_EQ(ibv_free_dm(dm[i]), 0);
    rig_close(&rig);
}

/* True when `len` bytes of the device memory can be mapped, from its first page on, at the file
 * offset that libmlx5 uses. */
static bool can_map_device_memory(struct rig *rig, size_t len)
{
    void *at = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, rig->ctx->cmd_fd,
                    ((off_t)MLX5_IB_MMAP_DEVICE_MEM << 8) * 4096);

    if (at != MAP_FAILED)
        CHECK_EQ(munmap(at, len), 0);
    else
        CHECK_EQ(errno, EINVAL);
    return at != MAP_FAILED;
}

static void device_memory_can_be_mapped_until_it_is_freed(void)
{
    struct rig rig = rig_open(0);
    struct ibv_alloc_dm_attr attr = { .length = 8192 };
    struct ibv_dm *dm;

    CHECK(!can_map_device_memory(&rig, 4096));
    dm = ibv_alloc_dm(rig.ctx, &attr);
    CHECK(dm);
    CHECK(can_map_device_memory(&rig, 8192));
    CHECK(!can_map_device_memory(&rig, 12288));
    CHECK_EQ(ibv_free_dm(dm), 0);
    CHECK(!can_map_device_memory(&rig, 4096));
    rig_close(&rig);
}

static const struct rig_case cases[] = {
    RIG_CASE(remote_access_needs_permission_of_key_and_qp),
    RIG_CASE(keys_give_no_access_outside_their_memory),
    RIG_CASE(local_keys_must_belong_to_the_pd_and_be_writable),
    RIG_CASE(a_deregistered_key_is_invalid),
    RIG_CASE(atomics_return_the_old_value),
    RIG_CASE(lists_and_data_in_the_wqe_are_copied),
    RIG_CASE(a_read_is_scattered),
    RIG_CASE(a_list_with_a_wrong_key_is_not_written),
    RIG_CASE(an_mkey_over_a_umem_gives_access),
    RIG_CASE(an_mkey_keeps_its_ordering_bits),
    RIG_CASE(refused_commands_return_status_and_syndrome),
    RIG_CASE(a_writable_key_over_a_read_only_umem_is_refused),
    RIG_CASE(a_key_of_pages_that_do_not_fit_is_refused),
    RIG_CASE(klm_and_ksm_keys_join_memory),
    RIG_CASE(umr_adds_memory_and_invalidate_removes_it),
    RIG_CASE(umr_finds_the_key_by_its_index),
    RIG_CASE(umr_of_another_index_is_refused),
    RIG_CASE(strided_keys_repeat_their_block),
    RIG_CASE(device_memory_is_accessed_by_cpu_and_device),
    RIG_CASE(exhausted_device_memory_is_available_after_free),
    RIG_CASE(device_memory_can_be_mapped_until_it_is_freed),
};

RIG_MAIN(cases)
