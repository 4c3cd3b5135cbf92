/* The DMA engine, used through libmlx5 and through a queue that the test operates itself. */
#include "own_queue.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { LEN = 1 << 20 };

static const struct rig_qp_options with_memcpy = { .memcpy = true };

static struct rig_side side(struct ibv_mr *mr, size_t offset, size_t len)
{
    return (struct rig_side){ (uint8_t *)mr->addr + offset, (uint32_t)len, mr->lkey };
}

/* ---- through libmlx5 ------------------------------------------------------------------------ */

static void memcpy_copies_and_completes(void)
{
    struct rig rig = rig_open(0);
    struct ibv_qp *qp = rig_loop(&rig, with_memcpy);
    uint8_t *a = rig_memory(LEN), *b = rig_memory(LEN);
    struct ibv_mr *mr_a = ibv_reg_mr(rig.pd, a, LEN, 0), *mr_b = ibv_reg_mr(rig.pd, b, LEN, 1);

    CHECK(mr_a && mr_b);
    rig_fill(a, LEN, 3);
    CHECK_EQ(rig_memcpy(&rig, qp, mr_b->lkey, (uintptr_t)b + 3, mr_a->lkey, (uintptr_t)a + 1,
                        LEN - 5), IBV_WC_SUCCESS);
    CHECK(memcmp(b + 3, a + 1, LEN - 5) == 0 && b[2] == 0 && b[LEN - 2] == 0);
    CHECK_EQ(rig_memcpy(&rig, qp, mr_a->lkey, (uintptr_t)a, mr_b->lkey, (uintptr_t)b, 64),
             IBV_WC_LOC_PROT_ERR);      /* `a` is read-only */
    CHECK_EQ(rig_state(qp), IBV_QPS_ERR);
    ibv_destroy_qp(qp);
    ibv_dereg_mr(mr_a);
    ibv_dereg_mr(mr_b);
    rig_close(&rig);
    free(a);
    free(b);
}

static void the_maximum_length_of_a_copy_is_announced(void)
{
    struct rig rig = rig_open(0);
    struct mlx5dv_context dv = { .comp_mask = MLX5DV_CONTEXT_MASK_WR_MEMCPY_LENGTH };

    CHECK_EQ(mlx5dv_query_device(rig.ctx, &dv), 0);
    CHECK_EQ(dv.max_wr_memcpy_length, 1 << 21);
    rig_close(&rig);
}

/* ---- through a queue that the test fills itself --------------------------------------------- */

struct own {
    struct rig rig;
    struct own_queue q;
    uint8_t *a, *b, *o;
    struct ibv_mr *mr_a, *mr_b, *mr_o;
};

static struct own *own_setup(bool mmo)
{
    static struct own t;

    t.rig = rig_open(0);
    t.q = own_open(&t.rig, mmo);
    t.a = rig_memory(LEN);
    t.b = rig_memory(LEN);
    t.o = rig_memory(4096);
    t.mr_a = ibv_reg_mr(t.rig.pd, t.a, LEN, 1);
    t.mr_b = ibv_reg_mr(t.rig.pd, t.b, LEN, 1);
    t.mr_o = ibv_reg_mr(t.rig.pd, t.o, 4096, 1);
    CHECK(t.mr_a && t.mr_b && t.mr_o);
    rig_fill(t.a, LEN, 9);
    return &t;
}

static void own_teardown(struct own *t)
{
    own_close(&t->q);
    ibv_dereg_mr(t->mr_a);
    ibv_dereg_mr(t->mr_b);
    ibv_dereg_mr(t->mr_o);
    rig_close(&t->rig);
    free(t->a);
    free(t->b);
    free(t->o);
}

static void copies_wrap_around_the_ring_of_an_own_queue(void)
{
    struct own *t = own_setup(true);

    for (unsigned i = 0; i < 100; i++) {
        uint8_t *wqe = own_mmo(&t->q, 1, side(t->mr_o, 0, 64), side(t->mr_a, i * 100, 100),
                               side(t->mr_b, i * 1000, 100));
        uint8_t cqe[64];

        own_ring(&t->q, wqe);
        own_poll(&t->q, cqe);
        CHECK_EQ(cqe[63] >> 4, 0);      /* completion of a requester */
        CHECK_EQ(get(cqe, 0x100, 32), 0x123456);        /* user index */
        CHECK_EQ(get(cqe, 0x160, 32), 100);             /* byte_cnt */
        CHECK_EQ(get(cqe, 0x1c0, 8), 0x2f);
        CHECK_EQ(get(cqe, 0x1c8, 24), t->q.qpn);
        CHECK_EQ(get(cqe, 0x1e0, 16), i);
        CHECK(get(cqe, 0x180, 64) != 0);                /* timestamp */
        CHECK(memcmp(t->b + i * 1000, t->a + i * 100, 100) == 0);
    }
    own_teardown(t);
}

static void unsignalled_copies_are_done_in_order(void)
{
    struct own *t = own_setup(true);
    uint8_t *wqe = NULL;

    for (unsigned i = 0; i < 10; i++) {
        wqe = own_mmo(&t->q, 1, side(t->mr_o, 0, 64), side(i ? t->mr_b : t->mr_a, i * 64, 64),
                      side(t->mr_b, (i + 1) * 64, 64));
        wqe[11] = i == 9 ? 8 : 0;
    }
    own_ring(&t->q, wqe);
    CHECK_EQ(own_syndrome(&t->q, 9), 0);
    CHECK(memcmp(t->b + 640, t->a, 64) == 0);
    own_teardown(t);
}

/* The device cannot read the doorbell record of the CQ, so it does not know how many CQEs the
 * program has polled. This is an error of the CQ, not an overrun. */
static void a_cq_without_its_record_takes_no_completion(void)
{
    struct rig rig = rig_open(0);
    struct own_queue q = own_open(&rig, false), of_other = own_open(&rig, false);
    uint8_t cqe[64];

    CHECK_EQ(mlx5dv_devx_obj_destroy(of_other.qp), 0);
    of_other.cqn = q.cqn;
    own_qp(&of_other, false);
    own_to_rts(&of_other, of_other.qpn);
    for (unsigned i = 0; i < OWN_CQ; i++) {
        own_ring(&of_other, own_wqe(&of_other, 0, 0, 1, true));
        own_poll(&q, cqe);
    }
    CHECK_EQ(mprotect(q.mem + OWN_DB_AT, 4096, PROT_NONE), 0);
    own_ring(&of_other, own_wqe(&of_other, 0, 0, 1, true));
    usleep(10000);
    CHECK_EQ(q.mem[OWN_CQ_AT + 63] & 1, 0);     /* the 33rd CQE is not written */
    CHECK_EQ(mprotect(q.mem + OWN_DB_AT, 4096, PROT_READ | PROT_WRITE), 0);
    own_close(&of_other);
    own_close(&q);
    rig_close(&rig);
}

/* The scatter segment may be longer than the source, as for other operations of the engine: DPDK's
 * compress driver posts copies with all of the room of a buffer. */
static void a_copy_to_a_longer_destination_copies_the_source(void)
{
    struct own *t = own_setup(true);
    struct rig_side to = side(t->mr_b, 0, 4096);
    uint8_t cqe[64];

    own_ring(&t->q, own_mmo(&t->q, 1, side(t->mr_o, 0, 64), side(t->mr_a, 0, 100), to));
    own_poll(&t->q, cqe);
    CHECK_EQ(cqe[63] >> 4, 0);
    CHECK_EQ(get(cqe, 0x160, 32), 100); /* byte_cnt */
    CHECK(memcmp(t->b, t->a, 100) == 0);
    for (unsigned i = 100; i < 4096; i++)
        CHECK_EQ(t->b[i], 0);
    to.len = 0;                         /* stands for 2 GiB, which the key does not have */
    own_ring(&t->q, own_mmo(&t->q, 1, side(t->mr_o, 0, 64), side(t->mr_a, 0, 100), to));
    CHECK_EQ(own_syndrome(&t->q, 1), 4);
    own_teardown(t);
}

/* Post copies with one error each, and check the syndrome in the CQE. */
static void wrong_copies_are_refused(void)
{
    enum { SHORTER, NO_OPAQUE, NO_KEY, FOREIGN, READ_ONLY, TOO_LONG, OPMOD, NUM };
    static const unsigned want[NUM] = { [SHORTER] = 1, [NO_OPAQUE] = 4, [NO_KEY] = 4,
        [FOREIGN] = 4, [READ_ONLY] = 4, [TOO_LONG] = 1, [OPMOD] = 2 };

    for (unsigned wrong = 0; wrong < NUM; wrong++) {
        struct own *t = own_setup(true);
        struct ibv_pd *pd = ibv_alloc_pd(t->rig.ctx);
        struct ibv_mr *foreign = ibv_reg_mr(pd, t->b, LEN, 1);
        struct ibv_mr *readonly = ibv_reg_mr(t->rig.pd, t->b, LEN, 0);
        struct rig_side from = side(t->mr_a, 0, 64), to = side(t->mr_b, 0, 64);
        struct rig_side opaque = side(t->mr_o, 0, 64);
        uint8_t *wqe;

        CHECK(foreign && readonly);
        if (wrong == SHORTER)
            to.len = 63;
        if (wrong == NO_OPAQUE)
            opaque.key += 0x100000;
        if (wrong == NO_KEY)
            from.key ^= 0xff;
        if (wrong == FOREIGN)
            to.key = foreign->lkey;
        if (wrong == READ_ONLY)
            to.key = readonly->lkey;
        if (wrong == TOO_LONG)
            from.len = to.len = (1 << 21) + 1;
        wqe = own_mmo(&t->q, wrong == OPMOD ? 9 : 1, opaque, from, to);
        own_ring(&t->q, wqe);
        if (own_syndrome(&t->q, 0) != want[wrong])
            rig_fail(__FILE__, __LINE__, "error %u has an unexpected syndrome", wrong);
        CHECK_EQ(t->b[0], 0);
        own_ring(&t->q, own_mmo(&t->q, 1, side(t->mr_o, 0, 64), side(t->mr_a, 0, 64),
                                side(t->mr_b, 0, 64)));
        CHECK_EQ(own_syndrome(&t->q, 1), 5);    /* later copies are flushed */
        ibv_dereg_mr(foreign);
        ibv_dereg_mr(readonly);
        CHECK_EQ(ibv_dealloc_pd(pd), 0);
        own_teardown(t);
    }
}

static void a_queue_without_the_mmo_bit_refuses_copies(void)
{
    struct own *t = own_setup(false);

    own_ring(&t->q, own_mmo(&t->q, 1, side(t->mr_o, 0, 64), side(t->mr_a, 0, 64),
                            side(t->mr_b, 0, 64)));
    CHECK_EQ(own_syndrome(&t->q, 0), 2);
    own_teardown(t);
}

static void a_reset_queue_works_again(void)
{
    struct own *t = own_setup(true);
    uint8_t in[0x40] = { 0 }, out[16] = { 0 };

    own_ring(&t->q, own_mmo(&t->q, 1, side(t->mr_o, 0, 64), side(t->mr_a, 0, 64),
                            (struct rig_side){ t->b, 64, 0x77700 }));
    CHECK_EQ(own_syndrome(&t->q, 0), 4);
    put(in, 0, 16, 0x50a);
    put(in, 0x48, 24, t->q.qpn);
    CHECK_EQ(mlx5dv_devx_obj_modify(t->q.qp, in, sizeof(in), out, sizeof(out)), 0);
    t->q.pi = 0;
    own_record(&t->q);
    own_to_rts(&t->q, t->q.qpn);
    own_ring(&t->q, own_mmo(&t->q, 1, side(t->mr_o, 0, 64), side(t->mr_a, 0, 64),
                            side(t->mr_b, 0, 64)));
    CHECK_EQ(own_syndrome(&t->q, 0), 0);
    CHECK(memcmp(t->a, t->b, 64) == 0);
    own_teardown(t);
}

static void sends_and_inline_writes_work_on_an_own_queue(void)
{
    struct own *t = own_setup(false);
    uint8_t *wqe, cqe[64];

    own_receive(&t->q, side(t->mr_b, 0, 256));
    wqe = own_wqe(&t->q, 0x0b, 0, 2, true);     /* SEND with immediate */
    put(wqe, 0x60, 32, 0xabcdef01);
    own_data(wqe + 16, side(t->mr_a, 0, 200));
    own_ring(&t->q, wqe);
    own_poll(&t->q, cqe);
    CHECK_EQ(cqe[63] >> 4, 3);  /* completion of a responder: send with immediate */
    CHECK_EQ(get(cqe, 0x120, 32), 0xabcdef01);
    CHECK_EQ(get(cqe, 0x160, 32), 200);
    CHECK_EQ(get(cqe, 0xc8, 24), t->q.qpn);
    CHECK_EQ(own_syndrome(&t->q, 0), 0);
    CHECK(memcmp(t->a, t->b, 200) == 0);
    wqe = own_wqe(&t->q, 0x08, 0, 4, true);     /* RDMA WRITE, 20 bytes inline */
    put(wqe, 0x80, 64, (uintptr_t)t->b + 1000);
    put(wqe, 0xc0, 32, t->mr_b->rkey);
    put(wqe, 0x100, 32, 0x80000000u | 20);
    memcpy(wqe + 36, t->a + 50, 20);
    own_ring(&t->q, wqe);
    CHECK_EQ(own_syndrome(&t->q, 1), 0x13);     /* mr_b does not permit remote writes */
    own_teardown(t);
}

/* ---- between functions ---------------------------------------------------------------------- */

struct export {
    uint64_t addr;
    uint32_t index;
    uint16_t vhca_id;
};

static const char access_key[32] = "an access key of thirty-two byte";

static void export_key(struct rig *rig, uint32_t key, struct export *e)
{
    uint8_t allow[0x40] = { 0 }, cap[16] = { 0 }, out[0x1010] = { 0 };

    put(cap, 0, 16, 0x100);
    put(cap, 0x30, 16, 1);
    CHECK_EQ(mlx5dv_devx_general_cmd(rig->ctx, cap, sizeof(cap), out, sizeof(out)), 0);
    e->vhca_id = (uint16_t)get(out, 0x80 + 0x30, 16);
    e->index = key >> 8;
    put(allow, 0, 16, 0xb16);
    put(allow, 0x90, 16, 0xff01);
    put(allow, 0xa0, 32, e->index);
    memcpy(allow + 0x20, access_key, 32);
    CHECK_EQ(mlx5dv_devx_general_cmd(rig->ctx, allow, sizeof(allow), out, 16), 0);
}

static struct mlx5dv_devx_obj *import_key(struct rig *rig, const struct export *e,
                                          const char *secret, uint32_t *key)
{
    uint8_t in[0x50] = { 0 }, out[0x50] = { 0 };
    struct mlx5dv_devx_obj *obj;

    put(in, 0, 16, 0xa00);
    put(in, 0x30, 16, 0xff01);
    put(in, 0x60, 1, 1);
    put(in, 0x80, 16, e->vhca_id);
    put(in, 0xa0, 32, e->index);
    put(in, 0x200, 32, rig->pdn);
    memcpy(in + 0x20, secret, 32);
    obj = mlx5dv_devx_obj_create(rig->ctx, in, sizeof(in), out, sizeof(out));
    *key = (uint32_t)get(out, 0x40, 32) << 8;
    return obj;
}

/* Runs in a separate process, the host: export memory, wait for a byte, check that the DPU has
 * inverted the memory, destroy the key, and report that. */
static int host_process(int from, int to)
{
    struct rig rig = rig_open(1);
    uint8_t *mem = rig_memory(LEN), byte;
    struct mlx5dv_devx_umem *umem = mlx5dv_devx_umem_reg(rig.ctx, mem, LEN, 7);
    struct rig_mkey_options o = { .mode = 1, .rights = 0xf, .len = LEN, .addr = (uintptr_t)mem };
    struct mlx5dv_devx_obj *obj;
    struct export e = { .addr = (uintptr_t)mem };
    uint32_t key;

    CHECK(umem);
    o.umem = umem->umem_id;
    obj = rig_mkey(&rig, &o, &key);
    CHECK(obj);
    export_key(&rig, key, &e);
    rig_fill(mem, LEN, 5);
    CHECK_EQ(write(to, &e, sizeof(e)), sizeof(e));
    CHECK_EQ(read(from, &byte, 1), 1);
    for (size_t i = 0; i < LEN; i++)
        CHECK_EQ(mem[i], (uint8_t)(255 - (uint8_t)((i * 31 + i / 251 + 5) & 0xff)));
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    CHECK_EQ(write(to, &byte, 1), 1);
    CHECK_EQ(read(from, &byte, 1), 1);
    _exit(0);                   /* without closing the device, which cleans up by itself */
}

static void dpu_side(int from, int to)
{
    struct rig rig = rig_open(0);
    struct ibv_qp *qp = rig_loop(&rig, with_memcpy);
    uint8_t *mem = rig_memory(LEN), byte = 1;
    struct ibv_mr *mr = ibv_reg_mr(rig.pd, mem, LEN, 1);
    struct mlx5dv_devx_obj *alias;
    struct export e;
    uint32_t key;

    CHECK_EQ(read(from, &e, sizeof(e)), sizeof(e));
    CHECK(!import_key(&rig, &e, "a wrong key of thirty-two bytes.", &key));
    alias = import_key(&rig, &e, access_key, &key);
    CHECK(alias);
    CHECK_EQ(rig_memcpy(&rig, qp, mr->lkey, (uintptr_t)mem, key, e.addr, LEN), IBV_WC_SUCCESS);
    for (size_t i = 0; i < LEN; i++) {
        CHECK_EQ(mem[i], (uint8_t)((i * 31 + i / 251 + 5) & 0xff));
        mem[i] = (uint8_t)(255 - mem[i]);
    }
    CHECK_EQ(rig_memcpy(&rig, qp, key, e.addr, mr->lkey, (uintptr_t)mem, LEN), IBV_WC_SUCCESS);
    CHECK_EQ(write(to, &byte, 1), 1);
    CHECK_EQ(read(from, &byte, 1), 1);  /* after this, the exporter has destroyed the key */
    CHECK_EQ(rig_memcpy(&rig, qp, mr->lkey, (uintptr_t)mem, key, e.addr, LEN),
             IBV_WC_LOC_PROT_ERR);
    CHECK_EQ(write(to, &byte, 1), 1);
    CHECK_EQ(mlx5dv_devx_obj_destroy(alias), 0);
    ibv_dereg_mr(mr);
    ibv_destroy_qp(qp);
    rig_close(&rig);
    free(mem);
}

static void memory_of_another_function_is_reached_by_an_alias(void)
{
    int there[2], back[2];
    pid_t child;

    CHECK(pipe(there) == 0 && pipe(back) == 0);
    child = peer_fork();
    CHECK(child >= 0);
    if (child == 0) {
        if (setjmp(rig_leave) == 0)
            host_process(there[0], back[1]);
        _exit(1);
    }
    peer_watch(child);
    close(there[0]);
    close(back[1]);
    dpu_side(back[0], there[1]);
    PEER_REAP(child);
    close(there[1]);
    close(back[0]);
}

/* When the exporter is killed, the alias becomes invalid, and the importing function continues to
 * work. */
static void access_to_a_killed_exporter_fails_without_hanging(void)
{
    int there[2], back[2], status;
    struct rig rig;
    struct ibv_qp *qp;
    uint8_t *mem;
    struct ibv_mr *mr;
    struct export e;
    uint32_t key;
    pid_t child;
    double end;

    CHECK(pipe(there) == 0 && pipe(back) == 0);
    child = peer_fork();
    CHECK(child >= 0);
    if (child == 0) {
        close(there[1]);
        if (setjmp(rig_leave) == 0)
            host_process(there[0], back[1]);
        _exit(1);
    }
    peer_watch(child);
    close(back[1]);
    rig = rig_open(0);
    qp = rig_loop(&rig, with_memcpy);
    mem = rig_memory(LEN);
    mr = ibv_reg_mr(rig.pd, mem, LEN, 1);
    CHECK_EQ(read(back[0], &e, sizeof(e)), sizeof(e));
    CHECK(import_key(&rig, &e, access_key, &key));
    peer_kill(child);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(rig_memcpy(&rig, qp, mr->lkey, (uintptr_t)mem, key, e.addr, 4096),
             IBV_WC_LOC_PROT_ERR);
    end = rig_seconds() + RIG_PATIENCE;
    while (import_key(&rig, &e, access_key, &key))
        CHECK(rig_seconds() < end);
    ibv_destroy_qp(qp);
    qp = rig_loop(&rig, with_memcpy);
    CHECK_EQ(rig_memcpy(&rig, qp, mr->lkey, (uintptr_t)mem, mr->lkey, (uintptr_t)mem + 8192, 4096),
             IBV_WC_SUCCESS);
    ibv_destroy_qp(qp);
    ibv_dereg_mr(mr);
    ibv_close_device(rig.ctx);  /* while the alias still exists */
    close(there[0]);
    close(there[1]);
    close(back[0]);
    free(mem);
}

/* The device reuses the index of a destroyed key (soon, with --keys). An alias of the destroyed key
 * gives no access to the new key. */
static void an_alias_does_not_reach_the_next_key_of_its_index(void)
{
    struct rig owner = rig_open(1), rig = rig_open(0);
    struct ibv_qp *qp = rig_loop(&rig, with_memcpy);
    uint8_t *mem = rig_memory(LEN), *shared = rig_memory(LEN);
    struct ibv_mr *mr = ibv_reg_mr(rig.pd, mem, LEN, 1);
    struct mlx5dv_devx_umem *umem = mlx5dv_devx_umem_reg(owner.ctx, shared, LEN, 7);
    struct rig_mkey_options o = { .mode = 1, .rights = 0xf, .len = LEN, .addr = (uintptr_t)shared };
    struct mlx5dv_devx_obj *obj, *alias;
    struct export e = { .addr = (uintptr_t)shared };
    uint32_t key, next, of_alias;

    CHECK(umem && mr);
    o.umem = umem->umem_id;
    obj = rig_mkey(&owner, &o, &key);
    CHECK(obj);
    export_key(&owner, key, &e);
    alias = import_key(&rig, &e, access_key, &of_alias);
    CHECK(alias);
    CHECK_EQ(rig_memcpy(&rig, qp, mr->lkey, (uintptr_t)mem, of_alias, e.addr, 64), IBV_WC_SUCCESS);
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    for (unsigned i = 0;; i++) {
        CHECK(i < 1000);
        obj = rig_mkey(&owner, &o, &next);
        CHECK(obj);
        if (next >> 8 == key >> 8)
            break;
        CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    }
    CHECK_EQ(rig_memcpy(&rig, qp, mr->lkey, (uintptr_t)mem, of_alias, e.addr, 64),
             IBV_WC_LOC_PROT_ERR);
    CHECK(!import_key(&rig, &e, access_key, &next));    /* the new key was not exported */
    CHECK_EQ(mlx5dv_devx_obj_destroy(alias), 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(obj), 0);
    CHECK_EQ(mlx5dv_devx_umem_dereg(umem), 0);
    ibv_dereg_mr(mr);
    ibv_destroy_qp(qp);
    rig_close(&rig);
    rig_close(&owner);
    free(mem);
    free(shared);
}

/* Bind a key that allows UMR to memory (`len` 0: invalidate the key), as UCX does for a key of its
 * pool. */
static void rebind(struct rig *rig, struct ibv_qp *qp, uint32_t key, struct ibv_mr *mr, size_t len)
{
    struct ibv_mw mw = { .rkey = key, .type = IBV_MW_TYPE_1 };
    struct ibv_send_wr wr = { .opcode = len ? IBV_WR_BIND_MW : IBV_WR_LOCAL_INV,
                              .send_flags = IBV_SEND_INLINE | IBV_SEND_SIGNALED };
    struct ibv_send_wr *bad;

    wr.invalidate_rkey = key;
    if (len) {
        wr.bind_mw.mw = &mw;
        wr.bind_mw.rkey = key;
        wr.bind_mw.bind_info = (struct ibv_mw_bind_info){ mr, (uintptr_t)mr->addr, len,
            IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE };
    }
    CHECK_EQ(ibv_post_send(qp, &wr, &bad), 0);
    CHECK_EQ(rig_poll(rig->cq).status, IBV_WC_SUCCESS);
}

/* The transport "gga" of UCX exports keys that it fills by UMR. It sets the low byte of the key
 * itself, exports the key before it has memory, and uses the same alias for all memory that the key
 * gets later. */
static void a_umr_key_with_a_tag_is_reached_by_one_alias(void)
{
    struct rig_qp_options umr = { .mkey_ops = MLX5DV_QP_EX_WITH_MR_LIST };
    struct rig owner = rig_open(1), rig = rig_open(0);
    struct ibv_qp *owner_qp = rig_loop(&owner, umr), *qp = rig_loop(&rig, with_memcpy);
    uint8_t *mem = rig_memory(LEN), *shared = rig_memory(2 * LEN);
    struct ibv_mr *mr = ibv_reg_mr(rig.pd, mem, LEN, 1);
    struct ibv_mr *mr_of[2] = { ibv_reg_mr(owner.pd, shared, LEN, RIG_ALL_ACCESS),
                                ibv_reg_mr(owner.pd, shared + LEN, LEN, RIG_ALL_ACCESS) };
    struct mlx5dv_mkey_init_attr attr = { .pd = owner.pd, .max_entries = 1,
        .create_flags = MLX5DV_MKEY_INIT_ATTR_FLAGS_INDIRECT };
    struct mlx5dv_mkey *mkey = mlx5dv_create_mkey(&attr);
    struct mlx5dv_devx_obj *alias;
    struct export e = { 0 };
    uint32_t key, of_alias;

    CHECK(mr && mr_of[0] && mr_of[1] && mkey);
    key = mkey->lkey | 0x81;
    export_key(&owner, key, &e);
    alias = import_key(&rig, &e, access_key, &of_alias);
    CHECK(alias);
    for (unsigned turn = 0; turn < 2; turn++) {
        uint8_t *at = shared + turn * LEN;

        rebind(&owner, owner_qp, key, mr_of[turn], LEN);
        rig_fill(at, LEN, turn);
        CHECK_EQ(rig_memcpy(&rig, qp, mr->lkey, (uintptr_t)mem, of_alias, (uintptr_t)at, LEN),
                 IBV_WC_SUCCESS);
        CHECK(memcmp(mem, at, LEN) == 0);
        rig_fill(mem, LEN, turn + 9);
        CHECK_EQ(rig_memcpy(&rig, qp, of_alias, (uintptr_t)at, mr->lkey, (uintptr_t)mem, LEN),
                 IBV_WC_SUCCESS);
        CHECK(memcmp(mem, at, LEN) == 0);
        rebind(&owner, owner_qp, key, NULL, 0);
    }
    CHECK_EQ(rig_memcpy(&rig, qp, mr->lkey, (uintptr_t)mem, of_alias, (uintptr_t)shared, 64),
             IBV_WC_LOC_PROT_ERR);      /* the key was invalidated */
    CHECK_EQ(mlx5dv_devx_obj_destroy(alias), 0);
    CHECK_EQ(mlx5dv_destroy_mkey(mkey), 0);
    ibv_destroy_qp(owner_qp);
    ibv_destroy_qp(qp);
    ibv_dereg_mr(mr);
    ibv_dereg_mr(mr_of[0]);
    ibv_dereg_mr(mr_of[1]);
    rig_close(&owner);
    rig_close(&rig);
    free(mem);
    free(shared);
}

static const struct rig_case cases[] = {
    RIG_CASE(memcpy_copies_and_completes),
    RIG_CASE(the_maximum_length_of_a_copy_is_announced),
    RIG_CASE(copies_wrap_around_the_ring_of_an_own_queue),
    RIG_CASE(unsignalled_copies_are_done_in_order),
    RIG_CASE(a_cq_without_its_record_takes_no_completion),
    RIG_CASE(a_copy_to_a_longer_destination_copies_the_source),
    RIG_CASE(wrong_copies_are_refused),
    RIG_CASE(a_queue_without_the_mmo_bit_refuses_copies),
    RIG_CASE(a_reset_queue_works_again),
    RIG_CASE(sends_and_inline_writes_work_on_an_own_queue),
    RIG_CASE(memory_of_another_function_is_reached_by_an_alias),
    RIG_CASE(a_umr_key_with_a_tag_is_reached_by_one_alias),
    RIG_CASE(an_alias_does_not_reach_the_next_key_of_its_index),
    RIG_CASE(access_to_a_killed_exporter_fails_without_hanging),
};

RIG_MAIN(cases)
