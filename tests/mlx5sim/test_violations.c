/*
 * Cases that break a rule of the device. Without --strict the device answers as hardware does. With
 * --strict the emulator aborts the program; CMakeLists.txt has the line that it must print before.
 */
#include "own_queue.h"

enum { LEN = 4096 };

static struct rig rig;
static struct own_queue q;
static uint8_t *mem;
static struct ibv_mr *mr;

static uint8_t *nop(void)
{
    return own_wqe(&q, 0, 0, 1, true);
}

static void setup(void)
{
    rig = rig_open(0);
    q = own_open(&rig, false);
    mem = rig_memory(LEN);
    mr = ibv_reg_mr(rig.pd, mem, LEN, RIG_ALL_ACCESS);
    CHECK(mr);
}

static void a_doorbell_register_written_before_its_record(void)
{
    uint8_t *wqe;

    setup();
    wqe = nop();
    own_register(&q, wqe);
    CHECK(q.mem[OWN_CQ_AT + 63] >> 4 == 0xf);   /* the device executed nothing */
    own_ring(&q, wqe);
    CHECK_EQ(own_syndrome(&q, 0), 0);
}

static void a_wqe_with_another_index(void)
{
    uint8_t *wqe;

    setup();
    wqe = nop();
    put(wqe, 8, 16, 7);
    q.pi = 8; /* the doorbell record covers index 7, so the device reads the WQE */
    own_ring(&q, wqe);
    CHECK_EQ(own_syndrome(&q, 0), 2);
}

static void a_wqe_of_another_qp(void)
{
    uint8_t *wqe, first[8];

    setup();
    wqe = nop();
    memcpy(first, wqe, 8);
    put(wqe, 32, 24, q.qpn + 1);
    own_record(&q);
    own_register(&q, first);
    CHECK_EQ(own_syndrome(&q, 0), 2);
}

static void a_wqe_longer_than_the_posted_blocks(void)
{
    uint8_t *wqe;

    setup();
    wqe = nop();
    put(wqe, 56, 8, 8);         /* the WQE claims two basic blocks, but only one is posted */
    own_ring(&q, wqe);
    CHECK_EQ(own_syndrome(&q, 0), 2);
}

static void more_wqes_than_the_queue_has(void)
{
    uint8_t *wqe;

    setup();
    wqe = nop();
    q.pi = OWN_SQ + 1;
    own_ring(&q, wqe);
    CHECK_EQ(own_syndrome(&q, -1), 5);
}

static void a_doorbell_of_a_missing_qp(void)
{
    uint8_t first[8] = { 0 };

    setup();
    put(first, 32, 24, 0xfffff0);
    own_register(&q, first);
    own_ring(&q, nop());
    CHECK_EQ(own_syndrome(&q, 0), 0);
}

static void more_completions_than_the_cq_has(void)
{
    setup();
    for (unsigned i = 0; i < OWN_CQ + 1; i++)
        own_ring(&q, nop());
    for (unsigned i = 0; i < OWN_CQ; i++)
        CHECK_EQ(own_syndrome(&q, (int)i), 0);
    usleep(10000);
    CHECK((q.mem[OWN_CQ_AT + 63] & 1) == 0);    /* the 33rd CQE is not written */
}

static volatile uint8_t *map_operation(struct ibv_dm **dm, uint8_t op)
{
    struct ibv_alloc_dm_attr attr = { .length = LEN };
    volatile uint8_t *at;

    setup();
    *dm = ibv_alloc_dm(rig.ctx, &attr);
    CHECK(*dm);
    at = mlx5dv_dm_map_op_addr(*dm, op);
    CHECK(at);
    return at;
}

static void an_operation_on_two_bytes(void)
{
    uint32_t word = 1;
    struct ibv_dm *dm;
    volatile uint8_t *add = map_operation(&dm, 0);

    *(volatile uint16_t *)(uintptr_t)(add + 16) = 1;
    CHECK_EQ(ibv_memcpy_from_dm(&word, dm, 16, 4), 0);
    CHECK_EQ(word, 0);
}

static void a_load_from_the_address_that_adds(void)
{
    struct ibv_dm *dm;
    volatile uint8_t *add = map_operation(&dm, 0);

    add[1] = 7;
    CHECK_EQ(add[1], 7);
    CHECK_EQ(add[1], 7);
}

static void a_store_to_the_address_that_sets(void)
{
    struct ibv_dm *dm;
    volatile uint8_t *set = map_operation(&dm, 1);

    set[1] = 7;
    CHECK_EQ(set[1], 0);
    CHECK_EQ(set[1], 0xff);
}

static void a_key_larger_than_its_umem(void)
{
    struct rig_mkey_options o = { .mode = 1, .rights = 1, .len = OWN_BYTES + 1 };
    uint32_t key;

    setup();
    o.umem = q.umem->umem_id;
    CHECK(!rig_mkey(&rig, &o, &key));
}

static void a_key_over_a_deregistered_umem(void)
{
    struct rig_mkey_options o = { .mode = 1, .rights = 1, .len = 64 };
    struct mlx5dv_devx_umem *umem;
    uint32_t key;

    setup();
    umem = mlx5dv_devx_umem_reg(rig.ctx, mem, LEN, 0);
    CHECK(umem);
    o.umem = umem->umem_id;
    CHECK_EQ(mlx5dv_devx_umem_dereg(umem), 0);
    CHECK(!rig_mkey(&rig, &o, &key));
}

static const struct rig_case cases[] = {
    RIG_CASE(a_doorbell_register_written_before_its_record),
    RIG_CASE(a_wqe_with_another_index),
    RIG_CASE(a_wqe_of_another_qp),
    RIG_CASE(a_wqe_longer_than_the_posted_blocks),
    RIG_CASE(more_wqes_than_the_queue_has),
    RIG_CASE(a_doorbell_of_a_missing_qp),
    RIG_CASE(more_completions_than_the_cq_has),
    RIG_CASE(an_operation_on_two_bytes),
    RIG_CASE(a_load_from_the_address_that_adds),
    RIG_CASE(a_store_to_the_address_that_sets),
    RIG_CASE(a_key_larger_than_its_umem),
    RIG_CASE(a_key_over_a_deregistered_umem),
};

RIG_MAIN(cases)
