/* Scheduling elements: trees whose leaves limit the rate of queues. Most times are lower limits, so
 * that a busy machine does not matter. */
#include "kill_rig.h"
#include "own_queue.h"
#include "packet_rig.h"

enum {
    BYTES = 1000, MBPS = 1,             /* 8 ms for a request */
    NUM_LEAVES = 256, MAX_SHARE = 100, MAX_LEVELS = 4,
    SHARE = MLX5DV_SCHED_ELEM_ATTR_FLAGS_BW_SHARE, RATE = MLX5DV_SCHED_ELEM_ATTR_FLAGS_MAX_AVG_BW
};

static struct mlx5dv_sched_node *node_of(struct rig *rig, struct mlx5dv_sched_node *parent,
                                         uint32_t mbps)
{
    struct mlx5dv_sched_attr attr = { .parent = parent, .flags = mbps ? RATE : 0,
                                      .max_avg_bw = mbps };

    return mlx5dv_sched_node_create(rig->ctx, &attr);
}

static struct mlx5dv_sched_leaf *leaf_of(struct rig *rig, struct mlx5dv_sched_node *parent,
                                         uint32_t mbps)
{
    struct mlx5dv_sched_attr attr = { .parent = parent, .flags = mbps ? RATE : 0,
                                      .max_avg_bw = mbps };

    return mlx5dv_sched_leaf_create(rig->ctx, &attr);
}

/* ---- rates ---------------------------------------------------------------------------------- */

struct fixture {
    struct rig rig;
    struct ibv_qp *qp[2];
    uint8_t *mem;
    struct ibv_mr *mr;
    struct mlx5dv_sched_node *root;
};

static struct fixture fixture_open(void)
{
    struct fixture f = { .rig = rig_open(0) };

    f.mem = rig_memory(4096);
    f.mr = ibv_reg_mr(f.rig.pd, f.mem, 4096, RIG_ALL_ACCESS);
    CHECK(f.mr);
    for (unsigned i = 0; i < 2; i++)
        f.qp[i] = rig_loop(&f.rig, (struct rig_qp_options){ .retry = 7 });
    f.root = node_of(&f.rig, NULL, 0);
    CHECK(f.root);
    return f;
}

static void fixture_close(struct fixture *f)
{
    for (unsigned i = 0; i < 2; i++)
        CHECK_EQ(ibv_destroy_qp(f->qp[i]), 0);
    CHECK_EQ(mlx5dv_sched_node_destroy(f->root), 0);
    CHECK_EQ(ibv_dereg_mr(f->mr), 0);
    rig_close(&f->rig);
    free(f->mem);
}

/* Write `num` times with each of the first `num_qps` QPs. Return the time until all are done. */
static double write_all(struct fixture *f, unsigned num_qps, unsigned num)
{
    struct rig_side side = { f->mem, BYTES, f->mr->lkey };
    double start = rig_seconds();

    for (unsigned i = 0; i < num * num_qps; i++)
        rig_post(f->qp[i % num_qps], IBV_WR_RDMA_WRITE, side, (uintptr_t)f->mem + 2048,
                 f->mr->rkey, IBV_SEND_SIGNALED);
    for (unsigned i = 0; i < num * num_qps; i++)
        CHECK_EQ(rig_poll(f->rig.cq).status, IBV_WC_SUCCESS);
    return rig_seconds() - start;
}

static void the_rate_of_a_leaf_limits_requests(void)
{
    struct fixture f = fixture_open();
    struct mlx5dv_sched_leaf *leaf = leaf_of(&f.rig, f.root, MBPS);

    CHECK(leaf);
    CHECK_EQ(mlx5dv_modify_qp_sched_elem(f.qp[0], leaf, leaf), 0);
    CHECK(write_all(&f, 1, 6) >= 0.039);        /* the first one goes at once */
    CHECK_EQ(mlx5dv_modify_qp_sched_elem(f.qp[1], leaf, NULL), 0);
    CHECK(write_all(&f, 2, 3) >= 0.039);
    CHECK_EQ(mlx5dv_modify_qp_sched_elem(f.qp[0], NULL, NULL), 0);
    CHECK_EQ(mlx5dv_modify_qp_sched_elem(f.qp[1], NULL, NULL), 0);
    CHECK_EQ(mlx5dv_sched_leaf_destroy(leaf), 0);
    fixture_close(&f);
}

static void leaves_share_the_rate_of_their_node(void)
{
    struct fixture f = fixture_open();
    struct mlx5dv_sched_node *node = node_of(&f.rig, f.root, MBPS);
    struct mlx5dv_sched_leaf *leaf[2] = { leaf_of(&f.rig, node, 0), leaf_of(&f.rig, node, 1000) };

    CHECK(node && leaf[0] && leaf[1]);
    for (unsigned i = 0; i < 2; i++)
        CHECK_EQ(mlx5dv_modify_qp_sched_elem(f.qp[i], leaf[i], NULL), 0);
    CHECK(write_all(&f, 2, 3) >= 0.039);
    for (unsigned i = 0; i < 2; i++) {
        CHECK_EQ(mlx5dv_modify_qp_sched_elem(f.qp[i], NULL, NULL), 0);
        CHECK_EQ(mlx5dv_sched_leaf_destroy(leaf[i]), 0);
    }
    CHECK_EQ(mlx5dv_sched_node_destroy(node), 0);
    fixture_close(&f);
}

static void a_rate_can_be_modified(void)
{
    struct mlx5dv_sched_attr attr = { .flags = RATE, .max_avg_bw = 2 * MBPS };
    struct fixture f = fixture_open();
    struct mlx5dv_sched_leaf *leaf = leaf_of(&f.rig, f.root, MBPS);
    double start;

    CHECK(leaf);
    attr.parent = f.root;
    CHECK_EQ(mlx5dv_modify_qp_sched_elem(f.qp[0], leaf, NULL), 0);
    CHECK_EQ(mlx5dv_sched_leaf_modify(leaf, &attr), 0);
    start = rig_seconds();
    for (unsigned i = 0; i < 6; i++) {
        write_all(&f, 1, 1);
        CHECK_EQ(mlx5dv_sched_leaf_modify(leaf, &attr), 0);     /* the same rate: no reset */
        CHECK_EQ(mlx5dv_modify_qp_sched_elem(f.qp[0], leaf, NULL), 0);
    }
    CHECK(rig_seconds() - start >= 0.019);
    attr.max_avg_bw = 0;
    CHECK_EQ(mlx5dv_sched_leaf_modify(leaf, &attr), 0);
    start = rig_seconds();
    for (unsigned i = 0; i < 4; i++)
        write_all(&f, 1, 50);
    CHECK(rig_seconds() - start < 0.78);        /* 200 requests of 4 ms with the rate before */
    CHECK_EQ(mlx5dv_modify_qp_sched_elem(f.qp[0], NULL, NULL), 0);
    CHECK_EQ(mlx5dv_sched_leaf_destroy(leaf), 0);
    fixture_close(&f);
}

static void elements_in_use_stay(void)
{
    struct ibv_qp_attr reset = { .qp_state = IBV_QPS_RESET };
    struct fixture f = fixture_open();
    struct mlx5dv_sched_node *node = node_of(&f.rig, f.root, 0);
    struct mlx5dv_sched_leaf *leaf = leaf_of(&f.rig, node, 0);
    struct ibv_qp *qp;

    CHECK(node && leaf);
    CHECK_EQ(mlx5dv_sched_node_destroy(node), EBUSY);
    CHECK_EQ(mlx5dv_modify_qp_sched_elem(f.qp[0], NULL, leaf), 0);
    CHECK_EQ(mlx5dv_sched_leaf_destroy(leaf), EBUSY);
    CHECK_EQ(ibv_modify_qp(f.qp[0], &reset, IBV_QP_STATE), 0);  /* detaches the QP */
    qp = rig_loop(&f.rig, (struct rig_qp_options){ .retry = 7 });
    CHECK_EQ(mlx5dv_modify_qp_sched_elem(qp, leaf, NULL), 0);
    CHECK_EQ(mlx5dv_sched_leaf_destroy(leaf), EBUSY);
    CHECK_EQ(ibv_destroy_qp(qp), 0);
    CHECK_EQ(mlx5dv_sched_leaf_destroy(leaf), 0);
    CHECK_EQ(mlx5dv_sched_node_destroy(node), 0);
    fixture_close(&f);
}

static void a_rate_limits_frames(void)
{
    struct raw raw = raw_open(0);
    struct mlx5dv_sched_node *root = node_of(&raw.rig, NULL, 0);
    struct mlx5dv_sched_leaf *leaf = leaf_of(&raw.rig, root, MBPS);
    double start;

    CHECK(root && leaf);
    CHECK_EQ(mlx5dv_modify_qp_sched_elem(raw.qp, leaf, leaf), EINVAL);
    CHECK_EQ(mlx5dv_modify_qp_sched_elem(raw.qp, leaf, NULL), 0);
    CHECK_EQ(mlx5dv_sched_leaf_destroy(leaf), EBUSY);
    memset(raw.mem, 0xee, BYTES);       /* to a MAC address that does not exist */
    raw.mem[0] = 2;
    start = rig_seconds();
    for (unsigned i = 0; i < 6; i++)
        raw_post(&raw, 0, BYTES, 1, 0);
    for (unsigned i = 0; i < 6; i++)
        CHECK_EQ(rig_poll(raw.rig.cq).status, IBV_WC_SUCCESS);
    CHECK(rig_seconds() - start >= 0.039);
    CHECK_EQ(mlx5dv_modify_qp_sched_elem(raw.qp, NULL, NULL), 0);
    CHECK_EQ(mlx5dv_sched_leaf_destroy(leaf), 0);
    CHECK_EQ(mlx5dv_sched_node_destroy(root), 0);
    raw_close(&raw);
}

/* ---- commands ------------------------------------------------------------------------------- */

/* An element in the command of general objects and in those of their own. */
struct element {
    unsigned hierarchy, type, tsar;
    uint32_t parent, share, mbps;
};

static void put_context(uint8_t *context, const struct element *e)
{
    put(context, 0x00, 8, e->type);
    put(context, 0x28, 8, e->tsar);
    put(context, 0x40, 32, e->parent);
    put(context, 0xa0, 32, e->share);
    put(context, 0xc0, 32, e->mbps);
}

/* The input of a command, of 0x90 bytes for general objects. */
static void put_command(uint8_t *in, bool is_general, unsigned op, uint32_t id, uint64_t select,
                        const struct element *e)
{
    memset(in, 0, 0x90);
    put(in, 0, 16, op);
    put_context(in + (is_general ? 0x30 : 0x20), e);
    put(in, is_general ? 0xc0 : 0x40, 8, e->hierarchy);
    put(in, is_general ? 0x40 : 0x60, 32, id);
    if (is_general) {
        put(in, 0x30, 16, 0x26);
        put(in, 0x80, 64, select);
    } else {
        put(in, 0xa0, 32, select);
    }
}

static struct mlx5dv_devx_obj *make(struct rig *rig, bool is_general, const struct element *e,
                                    size_t len, uint32_t *id, uint8_t *status)
{
    uint8_t in[0x90], out[0x40] = { 0 };
    struct mlx5dv_devx_obj *obj;

    put_command(in, is_general, is_general ? 0xa00 : 0x782, 0, 3, e);
    obj = mlx5dv_devx_obj_create(rig->ctx, in, len, out, sizeof(out));
    *status = out[0];
    *id = (uint32_t)get(out, is_general ? 0x40 : 0x80, 32);
    return obj;
}

static uint8_t change(struct mlx5dv_devx_obj *obj, bool is_general, uint32_t id, uint64_t select,
                      const struct element *e)
{
    uint8_t in[0x90], out[0x40] = { 0 };

    put_command(in, is_general, is_general ? 0xa01 : 0x785, id, select, e);
    CHECK_EQ(mlx5dv_devx_obj_modify(obj, in, sizeof(in), out, sizeof(out)) == 0, out[0] == 0);
    return out[0];
}

static struct element look(struct mlx5dv_devx_obj *obj, bool is_general, uint32_t id)
{
    uint8_t in[0x90], out[0x90] = { 0 };
    const uint8_t *context = out + (is_general ? 0x30 : 0x20);
    struct element e = { .hierarchy = 3 };

    put_command(in, is_general, is_general ? 0xa02 : 0x784, id, 0, &e);
    CHECK_EQ(mlx5dv_devx_obj_query(obj, in, sizeof(in), out, sizeof(out)), 0);
    e.type = (unsigned)get(context, 0x00, 8);
    e.parent = (uint32_t)get(context, 0x40, 32);
    e.share = (uint32_t)get(context, 0xa0, 32);
    e.mbps = (uint32_t)get(context, 0xc0, 32);
    return e;
}

static void elements_can_be_queried(void)
{
    struct element root = { .hierarchy = 3 };
    struct element leaf = { .hierarchy = 3, .type = 4, .share = 7, .mbps = 300 };
    struct rig rig = rig_open(0);

    for (unsigned is_general = 0; is_general < 2; is_general++) {
        struct mlx5dv_devx_obj *a, *b;
        struct element got;
        uint32_t id, leaf_id;
        uint8_t status;

        a = make(&rig, is_general, &root, 0x90, &id, &status);
        CHECK(a);
        leaf.parent = id;
        b = make(&rig, is_general, &leaf, 0x90, &leaf_id, &status);
        CHECK(b);
        got = look(b, is_general, leaf_id);
        CHECK(got.type == 4 && got.parent == id && got.share == 7 && got.mbps == 300);
        CHECK_EQ(change(b, is_general, leaf_id, 1, &(struct element){ 3, 4, 0, 0, 9, 50 }), 0);
        got = look(b, !is_general, leaf_id);
        CHECK(got.share == 9 && got.mbps == 300);
        CHECK_EQ(change(b, !is_general, leaf_id, 2, &(struct element){ 3, 4, 0, 0, 1, 50 }), 0);
        got = look(b, is_general, leaf_id);
        CHECK(got.share == 9 && got.mbps == 50 && got.parent == id);
        CHECK_EQ(look(a, is_general, id).parent, 0);
        CHECK_EQ(mlx5dv_devx_obj_destroy(b), 0);
        CHECK_EQ(mlx5dv_devx_obj_destroy(a), 0);
    }
    rig_close(&rig);
}

static void wrong_elements_are_refused(void)
{
    enum { BAD_PARAM = 3, BAD_RESOURCE = 5, BAD_LEN = 0x50, NO_ID = 0xffff };
    struct rig rig = rig_open(0), other = rig_open(0);
    uint32_t root, leaf, foreign, id;
    uint8_t status;
    struct mlx5dv_devx_obj *a, *b, *c;

    a = make(&rig, true, &(struct element){ .hierarchy = 3 }, 0x90, &root, &status);
    c = make(&other, true, &(struct element){ .hierarchy = 3 }, 0x90, &foreign, &status);
    CHECK(a && c);
    b = make(&rig, true, &(struct element){ 3, 4, 0, root, 1, 1 }, 0x90, &leaf, &status);
    CHECK(b);
    for (unsigned is_general = 0; is_general < 2; is_general++) {
        const struct { struct element e; unsigned status; } wrong[] = {
            { { 2, 0, 0, 0, 0, 0 }, BAD_PARAM },        /* the hierarchy of the eswitch */
            { { 0, 0, 0, 0, 0, 0 }, BAD_PARAM },
            { { 3, 1, 0, root, 0, 0 }, BAD_PARAM },     /* a vport */
            { { 3, 0, 1, root, 0, 0 }, BAD_PARAM },     /* round robin */
            { { 3, 0, 0, 0, 1, 0 }, BAD_PARAM },        /* a root with a share */
            { { 3, 0, 0, 0, 0, 1 }, BAD_PARAM },        /* a root with a rate */
            { { 3, 4, 0, root, MAX_SHARE + 1, 0 }, BAD_PARAM },
            { { 3, 4, 0, 0, 0, 0 }, BAD_RESOURCE },     /* a leaf without a parent */
            { { 3, 4, 0, NO_ID, 0, 0 }, BAD_RESOURCE },
            { { 3, 0, 0, leaf, 0, 0 }, BAD_RESOURCE },
            { { 3, 0, 0, foreign, 0, 0 }, BAD_RESOURCE },
        };

        for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
            CHECK(!make(&rig, is_general, &wrong[i].e, 0x90, &id, &status));
            CHECK_EQ(status, wrong[i].status);
        }
        CHECK(!make(&rig, is_general, &(struct element){ .hierarchy = 3 }, is_general ? 0x6f : 0x5f,
                    &id, &status));
        CHECK_EQ(status, BAD_LEN);
        CHECK_EQ(change(b, is_general, leaf, 4, &(struct element){ 3, 4, 0, 0, 1, 1 }), BAD_PARAM);
        CHECK_EQ(change(b, is_general, leaf, 1, &(struct element){ 2, 4, 0, 0, 1, 1 }), BAD_PARAM);
        CHECK_EQ(change(b, is_general, leaf, 1, &(struct element){ 3, 4, 0, 0, 101, 1 }),
                 BAD_PARAM);
        CHECK_EQ(change(a, is_general, root, 2, &(struct element){ 3, 0, 0, 0, 0, 1 }), BAD_PARAM);
    }
    CHECK_EQ(mlx5dv_devx_obj_destroy(b), 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(a), 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(c), 0);
    rig_close(&other);
    rig_close(&rig);
}

/* The handle of another object, and the number of another element. */
static void a_handle_gives_access_to_its_element_only(void)
{
    struct element e = { .hierarchy = 3 };
    uint8_t in[0x90], out[0x90] = { 0 }, status;
    struct rig rig = rig_open(0);
    struct mlx5dv_devx_obj *a, *b;
    uint32_t id, other;

    a = make(&rig, true, &e, 0x90, &id, &status);
    b = make(&rig, true, &e, 0x90, &other, &status);
    CHECK(a && b);
    for (unsigned is_general = 0; is_general < 2; is_general++) {
        put_command(in, is_general, is_general ? 0xa02 : 0x784, other, 0, &e);
        CHECK_EQ(mlx5dv_devx_obj_query(a, in, sizeof(in), out, sizeof(out)), EINVAL);
        CHECK_EQ(mlx5dv_devx_obj_query(b, in, sizeof(in), out, 16), EREMOTEIO);
        CHECK_EQ(out[0], 0x51);         /* the output is too short */
        put_command(in, is_general, is_general ? 0xa01 : 0x785, other, 0, &e);
        CHECK_EQ(mlx5dv_devx_obj_modify(a, in, sizeof(in), out, sizeof(out)), EINVAL);
    }
    CHECK_EQ(mlx5dv_devx_obj_destroy(a), 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(b), 0);
    rig_close(&rig);
}

/* Attach a QP by the command. */
static uint8_t attach(struct ibv_qp *qp, unsigned op, uint32_t requester, uint32_t responder)
{
    uint8_t in[0x110 + 0xc0] = { 0 }, out[16] = { 0 };

    put(in, 0, 16, op);
    put(in, 0x40, 1, 1);        /* the extension of the context */
    put(in, 0x48, 24, qp->qp_num);
    put(in, 0x840, 64, 1 << 1);
    put(in, 0x880 + 0x20, 32, requester);
    put(in, 0x880 + 0x40, 32, responder);
    CHECK_EQ(mlx5dv_devx_qp_modify(qp, in, sizeof(in), out, sizeof(out)) == 0, out[0] == 0);
    return out[0];
}

static void queues_are_attached_to_leaves_only(void)
{
    enum { INIT2INIT = 0x50e, RTS2RTS = 0x505, BAD_PARAM = 3, BAD_RESOURCE = 5, BAD_STATE = 9 };
    struct fixture f = fixture_open();
    struct rig_qp_options options = { .retry = 7 };
    struct ibv_qp_init_attr uc_attr = { .send_cq = f.rig.cq, .recv_cq = f.rig.cq,
        .qp_type = IBV_QPT_UC, .cap = { 1, 1, 1, 1, 0 } };
    struct ibv_qp *fresh = rig_qp(&f.rig, &options), *uc = ibv_create_qp(f.rig.pd, &uc_attr);
    struct mlx5dv_devx_obj *a, *b;
    uint32_t root, leaf;
    uint8_t status;

    a = make(&f.rig, true, &(struct element){ .hierarchy = 3 }, 0x90, &root, &status);
    CHECK(a && uc);
    b = make(&f.rig, true, &(struct element){ 3, 4, 0, root, 0, 0 }, 0x90, &leaf, &status);
    CHECK(b);
    CHECK_EQ(attach(f.qp[0], RTS2RTS, root, 0), BAD_RESOURCE);
    CHECK_EQ(attach(f.qp[0], RTS2RTS, 0, root), BAD_RESOURCE);
    CHECK_EQ(attach(f.qp[0], RTS2RTS, 0xffff, 0), BAD_RESOURCE);
    CHECK_EQ(attach(f.qp[0], INIT2INIT, leaf, 0), BAD_STATE);
    CHECK_EQ(attach(fresh, INIT2INIT, leaf, 0), BAD_STATE);     /* it is in RESET */
    CHECK_EQ(mlx5dv_devx_obj_destroy(b), 0);    /* no refusal has left a reference */
    b = make(&f.rig, true, &(struct element){ 3, 4, 0, root, 0, 0 }, 0x90, &leaf, &status);
    CHECK(b);
    rig_init(fresh, &options);
    CHECK_EQ(attach(fresh, INIT2INIT, leaf, leaf), 0);
    rig_init(uc, &(struct rig_qp_options){ .access = IBV_ACCESS_REMOTE_WRITE });
    CHECK_EQ(attach(uc, INIT2INIT, leaf, leaf), BAD_PARAM);
    CHECK_EQ(attach(uc, INIT2INIT, leaf, 0), 0);
    CHECK_EQ(ibv_destroy_qp(fresh), 0);
    CHECK_EQ(ibv_destroy_qp(uc), 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(b), 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(a), 0);
    fixture_close(&f);
}

/* CREATE_SQ with a leaf. NULL when it is refused. */
static struct mlx5dv_devx_obj *make_sq(struct own_queue *q, uint32_t tisn, uint32_t leaf,
                                       uint8_t *status)
{
    uint8_t in[0x110] = { 0 }, out[16] = { 0 };
    const unsigned sqc = 0x100, wq = sqc + 0x180;
    struct mlx5dv_devx_obj *sq;

    put(in, 0, 16, 0x904);
    put(in, sqc + 0x48, 24, q->cqn);
    put(in, sqc + 0x100, 16, 1);
    put(in, sqc + 0x110, 16, leaf);
    put(in, sqc + 0x168, 24, tisn);
    put(in, wq, 4, 1);
    put(in, wq + 0x48, 24, q->rig->pdn);
    put(in, wq + 0x68, 24, q->uar->page_id);
    put(in, wq + 0x80, 64, OWN_DB_AT + 64);
    put(in, wq + 0x10c, 4, 6);
    put(in, wq + 0x11b, 5, 4);
    put(in, wq + 0x140, 32, q->umem->umem_id);
    put(in, wq + 0x160, 32, q->umem->umem_id);
    put(in, wq + 0x180, 64, OWN_SQ_AT);
    sq = mlx5dv_devx_obj_create(q->rig->ctx, in, sizeof(in), out, sizeof(out));
    *status = out[0];
    q->qpn = (uint32_t)get(out, 0x48, 24);
    return sq;
}

/* The leaf of an SQ, as QUERY_SQ says. */
static uint32_t leaf_of_sq(struct mlx5dv_devx_obj *sq, uint32_t number)
{
    uint8_t in[16] = { 0 }, out[0x110] = { 0 };

    put(in, 0, 16, 0x907);
    put(in, 0x48, 24, number);
    CHECK_EQ(mlx5dv_devx_obj_query(sq, in, sizeof(in), out, sizeof(out)), 0);
    return (uint32_t)get(out, 0x100 + 0x110, 16);
}

/* Make a transport domain or a TIS. Return its number. */
static uint32_t make_number(struct rig *rig, unsigned op, uint32_t domain,
                            struct mlx5dv_devx_obj **obj)
{
    uint8_t in[0xc0] = { 0 }, out[16] = { 0 };

    put(in, 0, 16, op);
    put(in, 0x100 + 0x128, 24, domain);
    *obj = mlx5dv_devx_obj_create(rig->ctx, in, sizeof(in), out, sizeof(out));
    CHECK(*obj);
    return (uint32_t)get(out, 0x48, 24);
}

static void an_sq_begins_with_its_leaf(void)
{
    enum { BAD_RESOURCE = 5 };
    struct rig rig = rig_open(0);
    struct own_queue q = own_open(&rig, false);
    struct mlx5dv_devx_obj *a, *b, *domain, *tis, *sq;
    uint32_t root, leaf, tisn;
    uint8_t status;

    tisn = make_number(&rig, 0x912, make_number(&rig, 0x816, 0, &domain), &tis);
    a = make(&rig, true, &(struct element){ .hierarchy = 3 }, 0x90, &root, &status);
    CHECK(a);
    b = make(&rig, true, &(struct element){ 3, 4, 0, root, 0, 0 }, 0x90, &leaf, &status);
    CHECK(b);
    CHECK(!make_sq(&q, tisn, root, &status) && status == BAD_RESOURCE);
    CHECK(!make_sq(&q, tisn, 0xffff, &status) && status == BAD_RESOURCE);
    sq = make_sq(&q, tisn, leaf, &status);
    CHECK(sq);
    CHECK_EQ(leaf_of_sq(sq, q.qpn), leaf);
    CHECK(mlx5dv_devx_obj_destroy(b) != 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(sq), 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(b), 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(a), 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(tis), 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(domain), 0);
    own_close(&q);
    rig_close(&rig);
}

/* ---- limits and the end of a program -------------------------------------------------------- */

static void trees_have_so_many_levels(void)
{
    struct rig rig = rig_open(0);
    struct mlx5dv_sched_node *node[MAX_LEVELS] = { node_of(&rig, NULL, 0) };
    struct mlx5dv_sched_leaf *leaf;

    CHECK(node[0]);
    for (unsigned i = 1; i < MAX_LEVELS; i++) {
        node[i] = node_of(&rig, node[i - 1], 0);
        CHECK(node[i]);
    }
    CHECK(!node_of(&rig, node[MAX_LEVELS - 1], 0));
    CHECK(!leaf_of(&rig, node[MAX_LEVELS - 1], 0));
    leaf = leaf_of(&rig, node[MAX_LEVELS - 2], 0);
    CHECK(leaf);
    CHECK_EQ(mlx5dv_sched_leaf_destroy(leaf), 0);
    for (unsigned i = MAX_LEVELS; i > 0; i--)
        CHECK_EQ(mlx5dv_sched_node_destroy(node[i - 1]), 0);
    rig_close(&rig);
}

static bool makes_all_leaves(void)
{
    struct mlx5dv_sched_leaf *leaf[NUM_LEAVES];
    struct rig rig = rig_open(0);
    struct mlx5dv_sched_node *root = node_of(&rig, NULL, 0);
    unsigned num = 0;
    bool good;

    while (root && num < NUM_LEAVES && (leaf[num] = leaf_of(&rig, root, 1)) != NULL)
        num++;
    good = num == NUM_LEAVES && !leaf_of(&rig, root, 1);
    while (num > 0)
        mlx5dv_sched_leaf_destroy(leaf[--num]);
    if (root)
        mlx5dv_sched_node_destroy(root);
    rig_close(&rig);
    return good;
}

static bool takes_all_leaves(void)
{
    struct fixture f = fixture_open();
    struct mlx5dv_sched_leaf *leaf = NULL;

    for (unsigned i = 0; i < NUM_LEAVES; i++) {
        leaf = leaf_of(&f.rig, f.root, 1);
        if (!leaf)
            return false;
    }
    return mlx5dv_modify_qp_sched_elem(f.qp[0], leaf, leaf) == 0;
}

static void elements_of_a_killed_program_are_free(void)
{
    CHECK(makes_all_leaves());
    kill_after(takes_all_leaves);
    wait_until_free(makes_all_leaves);
}

static void infiniband_has_no_scheduling(void)
{
    struct rig rig = rig_open(0);
    uint32_t id;
    uint8_t status;

    CHECK(!node_of(&rig, NULL, 0) && errno == EOPNOTSUPP);
    for (unsigned is_general = 0; is_general < 2; is_general++) {
        CHECK(!make(&rig, is_general, &(struct element){ .hierarchy = 3 }, 0x90, &id, &status));
        CHECK_EQ(status, 3);
    }
    rig_close(&rig);
}

static const struct rig_case cases[] = {
    RIG_CASE(the_rate_of_a_leaf_limits_requests),
    RIG_CASE(leaves_share_the_rate_of_their_node),
    RIG_CASE(a_rate_can_be_modified),
    RIG_CASE(elements_in_use_stay),
    RIG_CASE(a_rate_limits_frames),
    RIG_CASE(elements_can_be_queried),
    RIG_CASE(wrong_elements_are_refused),
    RIG_CASE(a_handle_gives_access_to_its_element_only),
    RIG_CASE(queues_are_attached_to_leaves_only),
    RIG_CASE(an_sq_begins_with_its_leaf),
    RIG_CASE(trees_have_so_many_levels),
    RIG_CASE(elements_of_a_killed_program_are_free),
};

static const struct rig_case infiniband_cases[] = {
    RIG_CASE(infiniband_has_no_scheduling),
};

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], infiniband_cases[0].name) == 0)
        return rig_main(argc, argv, infiniband_cases, 1);
    return rig_main(argc, argv, cases, sizeof(cases) / sizeof(cases[0]));
}
