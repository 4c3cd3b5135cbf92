/* The common part of bench/mlx5_instructions.c and bench/rdma_instructions.c: memory, a pair of
 * queue pairs made with libmlx5, and the loop whose instructions callgrind counts. Each of the two
 * programs includes this file after the headers of doca_core and their implementations.
 *
 * Each case does N operations, then 2 N operations: the difference is the cost of N. Both sides do
 * the same steps in the same order: post one group of operations, wait until the completion of the
 * last one lies in the ring (not counted), and reap all completions. Every operation asks for a
 * completion. The counted code is in functions whose names begin with counted_; each count is a
 * dump of callgrind, named "side engine group operations". */
#ifndef MLX5_COUNTED_H
#define MLX5_COUNTED_H

#include <infiniband/mlx5dv.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <valgrind/callgrind.h>

#define OPERATIONS 64u /* N */
#define GROUP 32u      /* operations of the largest group */
#define STEP 128u      /* bytes from one operation to the next, in memory */
#define SKIP 77

/* Sources and destinations of all operations. */
static DOCA_CORE_ALIGNED unsigned char memory[2][GROUP * STEP];
static unsigned char *const from = memory[0], *const to = memory[1];
static unsigned num_done; /* completions reaped so far */
static unsigned num_bytes; /* length of each operation */

static __attribute__((noinline, cold, noreturn)) void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
    exit(1);
}

static inline void must(doca_error_t rc)
{
    if (doca_unlikely(rc != DOCA_SUCCESS))
        fail(doca_core_last_error());
}

/* ---- waiting -------------------------------------------------------------------------------- */

/* Where the device writes completions. */
static struct mlx5dv_cq ring;
static uint32_t num_reaped;

static void look_at(struct ibv_cq *cq)
{
    struct mlx5dv_obj obj;

    memset(&obj, 0, sizeof(obj));
    obj.cq.in = cq;
    obj.cq.out = &ring;
    if (mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ) != 0)
        fail("mlx5dv_init_obj");
    num_reaped = 0;
}

/* Wait until `num` more completions are there. They arrive in order. */
static __attribute__((noinline)) void wait_for(unsigned num)
{
    const struct timespec pause = { 0, 20000 };
    uint32_t last = num_reaped + num - 1, turns = 0;
    const volatile uint8_t *op_own = (const volatile uint8_t *)ring.buf +
                                     (size_t)(last & (ring.cqe_cnt - 1)) * ring.cqe_size +
                                     ring.cqe_size - 1;

    while (*op_own >> 4 == 0xf || (*op_own & 1) != (last / ring.cqe_cnt & 1)) {
        nanosleep(&pause, NULL);
        if (++turns == 100000)
            fail("no completion in two seconds");
    }
    num_reaped += num;
}

/* ---- libmlx5 -------------------------------------------------------------------------------- */

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_mr *mr;
static struct ibv_cq *cq;
static struct ibv_qp *pair[2];
static struct ibv_qp_ex *qp;

/* Make a queue pair for RDMA writes with up to `max_inline` bytes inside the WQE, and for
 * mlx5dv_wr_memcpy() if `does_memcpy`. */
static struct ibv_qp *make_qp(uint32_t max_inline, bool does_memcpy)
{
    struct mlx5dv_qp_init_attr own;
    struct ibv_qp_init_attr_ex attr;
    struct ibv_qp *made;

    memset(&attr, 0, sizeof(attr));
    memset(&own, 0, sizeof(own));
    attr.qp_type = IBV_QPT_RC;
    attr.send_cq = cq;
    attr.recv_cq = cq;
    attr.pd = pd;
    attr.cap.max_send_wr = 2 * GROUP;
    attr.cap.max_send_sge = 1;
    attr.cap.max_inline_data = max_inline;
    attr.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
    attr.send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE;
    if (does_memcpy) {
        own.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS;
        own.send_ops_flags = MLX5DV_QP_EX_WITH_MEMCPY;
    }
    made = mlx5dv_create_qp(context, &attr, &own);
    if (made == NULL)
        fail("mlx5dv_create_qp");
    return made;
}

static void connect_qp(struct ibv_qp *made, uint32_t peer)
{
    struct ibv_port_attr port;
    struct ibv_qp_attr attr;
    int failed;

    memset(&attr, 0, sizeof(attr));
    failed = ibv_query_port(context, 1, &port);
    attr.qp_state = IBV_QPS_INIT;
    attr.port_num = 1;
    attr.qp_access_flags = IBV_ACCESS_REMOTE_WRITE;
    failed |= ibv_modify_qp(made, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
                                             IBV_QP_ACCESS_FLAGS);
    attr.qp_state = IBV_QPS_RTR;
    attr.path_mtu = IBV_MTU_1024;
    attr.dest_qp_num = peer;
    attr.max_dest_rd_atomic = 1;
    attr.min_rnr_timer = 12;
    attr.ah_attr.dlid = port.lid;
    attr.ah_attr.port_num = 1;
    attr.ah_attr.is_global = port.link_layer == IBV_LINK_LAYER_ETHERNET;
    if (attr.ah_attr.is_global) {
        failed |= ibv_query_gid(context, 1, 0, &attr.ah_attr.grh.dgid);
        attr.ah_attr.grh.hop_limit = 1;
    }
    failed |= ibv_modify_qp(made, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
                                             IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                                             IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
    attr.qp_state = IBV_QPS_RTS;
    attr.timeout = 14;
    attr.retry_cnt = 7;
    attr.rnr_retry = 7;
    attr.max_rd_atomic = 1;
    failed |= ibv_modify_qp(made, &attr, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                                             IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
                                             IBV_QP_MAX_QP_RD_ATOMIC);
    if (failed != 0)
        fail("the queue pair cannot be connected");
}

/* Open the first device with libmlx5, and connect two queue pairs; see make_qp(). */
static void open_theirs(uint32_t max_inline, bool does_memcpy)
{
    struct ibv_device **list = ibv_get_device_list(NULL);

    context = list != NULL && list[0] != NULL ? ibv_open_device(list[0]) : NULL;
    pd = context != NULL ? ibv_alloc_pd(context) : NULL;
    mr = pd != NULL ? ibv_reg_mr(pd, memory, sizeof(memory),
                                 IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE)
                    : NULL;
    cq = mr != NULL ? ibv_create_cq(context, (int)(2 * GROUP), NULL, NULL, 0) : NULL;
    if (cq == NULL)
        fail("ibv_create_cq, or a call before it");
    ibv_free_device_list(list);
    pair[0] = make_qp(max_inline, does_memcpy);
    pair[1] = make_qp(max_inline, does_memcpy);
    connect_qp(pair[0], pair[1]->qp_num);
    connect_qp(pair[1], pair[0]->qp_num);
    qp = ibv_qp_to_qp_ex(pair[0]);
    look_at(cq);
}

static void close_theirs(void)
{
    if (ibv_destroy_qp(pair[0]) != 0 || ibv_destroy_qp(pair[1]) != 0 || ibv_destroy_cq(cq) != 0 ||
        ibv_dereg_mr(mr) != 0 || ibv_dealloc_pd(pd) != 0 || ibv_close_device(context) != 0)
        fail("closing");
}

static __attribute__((noinline)) void counted_reap_theirs(unsigned num)
{
    unsigned end = num_done + num;
    struct ibv_wc wc[GROUP];
    int i, found;

    while (num_done != end) {
        found = ibv_poll_cq(cq, (int)num, wc);
        if (doca_unlikely(found < 0))
            fail("ibv_poll_cq");
        for (i = 0; i < found; i++)
            if (doca_unlikely(wc[i].status != IBV_WC_SUCCESS))
                fail(ibv_wc_status_str(wc[i].status));
        num_done += (unsigned)found;
    }
}

/* ---- counting ------------------------------------------------------------------------------- */

struct side {
    const char *name;
    void (*post)(unsigned num);
    void (*reap)(unsigned num);
    void (*empty)(unsigned num); /* empty the destinations; NULL: not necessary */
};

/* Do operations in groups of `group`, and check the result. */
static void run(const struct side *side, unsigned group, unsigned operations)
{
    static unsigned char fill;
    unsigned i, k;

    for (i = 0; i < operations; i += group) {
        memset(from, ++fill, sizeof(memory[0]));
        side->post(group);
        wait_for(group);
        side->reap(group);
        if (side->empty != NULL)
            side->empty(group);
        for (k = 0; k < group * STEP; k++)
            if (k % STEP < num_bytes && from[k] != to[k])
                fail("the destination differs from the source");
    }
}

static void count(const struct side *side, const char *form, unsigned group)
{
    char name[64];
    unsigned operations;

    run(side, group, GROUP); /* the first run touches all pages and resolves all symbols */
    for (operations = OPERATIONS; operations <= 2 * OPERATIONS; operations += OPERATIONS) {
        CALLGRIND_ZERO_STATS;
        run(side, group, operations);
        (void)snprintf(name, sizeof(name), "%s %s %u %u", side->name, form, group, operations);
        CALLGRIND_DUMP_STATS_AT(name);
    }
}

#endif
