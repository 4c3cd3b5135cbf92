/* Count the instructions of an RDMA write of 64 bytes with doca_core_rdma.h and with libmlx5, on
 * the same device: to post the write and to reap its completion.
 * tests/mlx5/test_rdma_instructions.py runs this program under callgrind on the emulated device and
 * reports the counts.
 *
 *     cc -std=gnu11 -O2 -I. -Itools/compat bench/rdma_instructions.c -o rdma_instructions \
 *         -libverbs -lmlx5
 *     tests/mlx5/test_rdma_instructions.py tools/mlx5sim/run ./rdma_instructions
 *
 * Each case makes N writes, then 2 N writes: the difference is the cost of N. Both sides do the
 * same steps in the same order: post one group of writes, wait until the completion of the last
 * write lies in the ring (not counted), and reap all completions. Every write asks for a
 * completion.
 *     doca_core  doca_task_submit(), doca_pe_progress(), and a callback
 *     libmlx5    ibv_wr_start(), ibv_wr_rdma_write(), ibv_wr_complete(), ibv_poll_cq(), and a look
 *                at the status
 * In one form of the write, the WQE contains the data: libmlx5 does this for
 * ibv_wr_set_inline_data(), and doca_core for up to 64 bytes. In the other form, the WQE points to
 * the data: libmlx5 does this for ibv_wr_set_sge(), and doca_core for 65 bytes and more. Each write
 * has its own doorbell. The calls that allocate and free tasks and buffers are not counted, because
 * libmlx5 has no counterpart.
 *
 * With DOCA_CORE_RDMA_ENGINE=verbs doca_core calls ibv_post_send() and ibv_poll_cq() instead of
 * using the rings.
 *
 * The counted code is in functions whose names begin with counted_; each count is a dump of
 * callgrind, named "side form group writes". Exit status: 0; 1 and a message when something failed;
 * 77 when the program does not run under valgrind, or there is no mlx5 device. */
#define _GNU_SOURCE
#define DOCA_CORE_API 30000
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_MLX5_IMPLEMENTATION
#define DOCA_CORE_RDMA_VERBS
#define DOCA_CORE_RDMA_IMPLEMENTATION
#include "doca_core.h"
#include "doca_core_mlx5.h"
#include "doca_core_rdma.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <valgrind/callgrind.h>

#define WRITES 64u /* N */
#define GROUP 32u  /* writes of the largest group */
#define STEP 128u  /* from one write to the next, in memory */
#define SKIP 77

static DOCA_CORE_ALIGNED unsigned char memory[2][4096];
static unsigned num_done, num_bytes;

static __attribute__((noinline, cold, noreturn)) void fail(const char *what)
{
    fprintf(stderr, "rdma_instructions: %s\n", what);
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

/* ---- doca_core ------------------------------------------------------------------------------ */

struct end { /* Each end has its own PE, so that a progress call polls one end only. */
    struct doca_pe *pe;
    struct doca_mmap *map;
    struct doca_rdma *rdma;
    struct doca_rdma_connection *connection;
    const void *details;
    size_t len;
};

static struct doca_dev *dev;
static struct doca_buf_inventory *inventory;
static struct end ends[2];
static struct doca_mmap *far_map;
static struct doca_buf *src[GROUP], *dst[GROUP];
static struct doca_rdma_task_write *tasks[GROUP];
static const union doca_data none;

static void on_done(struct doca_rdma_task_write *task, union doca_data data, union doca_data unused)
{
    (void)task, (void)data, (void)unused;
    num_done++;
}

static void on_error(struct doca_rdma_task_write *task, union doca_data data,
                     union doca_data unused)
{
    (void)task, (void)data, (void)unused;
    fail(doca_core_last_error());
}

static void on_request(struct doca_rdma_connection *connection, union doca_data unused)
{
    (void)connection, (void)unused;
}

static void on_change(struct doca_rdma_connection *connection, union doca_data data,
                      union doca_data unused)
{
    (void)connection, (void)data, (void)unused;
}

static void open_end(struct end *e, unsigned char *bytes)
{
    const uint32_t rights = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_WRITE;

    must(doca_pe_create(&e->pe));
    must(doca_mmap_create(&e->map));
    must(doca_mmap_set_memrange(e->map, bytes, sizeof(memory[0])));
    must(doca_mmap_set_permissions(e->map, rights));
    must(doca_mmap_add_dev(e->map, dev));
    must(doca_mmap_start(e->map));
    must(doca_rdma_create(dev, &e->rdma));
    must(doca_rdma_set_permissions(e->rdma, rights));
    must(doca_rdma_set_send_queue_size(e->rdma, 2 * GROUP));
    must(doca_rdma_task_write_set_conf(e->rdma, on_done, on_error, 2 * GROUP));
    must(doca_rdma_set_connection_state_callbacks(e->rdma, on_request, on_change, on_change,
                                                  on_change));
    must(doca_pe_connect_ctx(e->pe, doca_rdma_as_ctx(e->rdma)));
    must(doca_ctx_start(doca_rdma_as_ctx(e->rdma)));
    must(doca_rdma_export(e->rdma, &e->details, &e->len, &e->connection));
}

static void connect_ends(void)
{
    const void *desc;
    unsigned i;
    size_t len;

    for (i = 0; i < 2; i++)
        must(doca_rdma_connect(ends[i].rdma, ends[1 - i].details, ends[1 - i].len,
                               ends[i].connection));
    must(doca_mmap_export_rdma(ends[1].map, dev, &desc, &len));
    must(doca_mmap_create_from_export(NULL, desc, len, dev, &far_map));
    for (i = 0; i < 100; i++)
        (void)doca_pe_progress(ends[i % 2].pe);
}

static bool open_ours(void)
{
    struct doca_core_dev_attr unused;
    struct doca_devinfo **list;
    static bool is_registered;
    uint32_t num;

    memset(&unused, 0, sizeof(unused));
    must(doca_core_sw_set_devices(&unused, 0));
    if (!is_registered)
        must(doca_core_backend_register(doca_core_mlx5_backend(NULL)));
    is_registered = true;
    must(doca_devinfo_create_list(&list, &num));
    if (num == 0)
        return false;
    must(doca_dev_open(list[0], &dev));
    must(doca_devinfo_destroy_list(list));
    must(doca_buf_inventory_create(2 * GROUP, &inventory));
    must(doca_buf_inventory_start(inventory));
    open_end(&ends[0], memory[0]);
    open_end(&ends[1], memory[1]);
    connect_ends();
    return true;
}

static void take_ours(void)
{
    unsigned i;

    for (i = 0; i < GROUP; i++) {
        must(doca_buf_inventory_buf_get_by_data(inventory, ends[0].map, memory[0] + i * STEP,
                                                num_bytes, &src[i]));
        must(doca_buf_inventory_buf_get_by_addr(inventory, far_map, memory[1] + i * STEP,
                                                num_bytes, &dst[i]));
        must(doca_rdma_task_write_allocate_init(ends[0].rdma, ends[0].connection, src[i], dst[i],
                                                none, &tasks[i]));
    }
}

static void close_ours(void)
{
    unsigned i;

    for (i = 0; i < GROUP; i++) {
        doca_task_free(doca_rdma_task_write_as_task(tasks[i]));
        must(doca_buf_dec_refcount(src[i], NULL));
        must(doca_buf_dec_refcount(dst[i], NULL));
    }
    must(doca_mmap_destroy(far_map));
    for (i = 0; i < 2; i++) {
        enum doca_ctx_states state = DOCA_CTX_STATE_STOPPING;

        (void)doca_ctx_stop(doca_rdma_as_ctx(ends[i].rdma));
        while (state != DOCA_CTX_STATE_IDLE) {
            (void)doca_pe_progress(ends[i].pe);
            must(doca_ctx_get_state(doca_rdma_as_ctx(ends[i].rdma), &state));
        }
        must(doca_rdma_destroy(ends[i].rdma));
        must(doca_pe_destroy(ends[i].pe));
        must(doca_mmap_destroy(ends[i].map));
    }
    must(doca_buf_inventory_destroy(inventory));
    must(doca_dev_close(dev));
}

static __attribute__((noinline)) void counted_post_ours(unsigned num)
{
    struct doca_rdma_task_write **task = tasks;

    for (; num > 0; num--)
        must(doca_task_submit(doca_rdma_task_write_as_task(*task++)));
}

static __attribute__((noinline)) void counted_reap_ours(unsigned num)
{
    unsigned end = num_done + num;

    while (num_done != end)
        (void)doca_pe_progress(ends[0].pe);
}

/* ---- libmlx5 -------------------------------------------------------------------------------- */

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_mr *mr;
static struct ibv_cq *cq;
static struct ibv_qp *pair[2];
static struct ibv_qp_ex *qp;

static struct ibv_qp *make_qp(void)
{
    struct ibv_qp_init_attr_ex attr;
    struct ibv_qp *made;

    memset(&attr, 0, sizeof(attr));
    attr.qp_type = IBV_QPT_RC;
    attr.send_cq = cq;
    attr.recv_cq = cq;
    attr.pd = pd;
    attr.cap.max_send_wr = 2 * GROUP;
    attr.cap.max_send_sge = 1;
    attr.cap.max_inline_data = 64;
    attr.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
    attr.send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE;
    made = ibv_create_qp_ex(context, &attr);
    if (made == NULL)
        fail("ibv_create_qp_ex");
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

static void open_theirs(void)
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
    pair[0] = make_qp();
    pair[1] = make_qp();
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

static __attribute__((noinline)) void counted_post_sge(unsigned num)
{
    unsigned i;

    for (i = 0; i < num; i++) {
        ibv_wr_start(qp);
        qp->wr_id = i;
        qp->wr_flags = IBV_SEND_SIGNALED;
        ibv_wr_rdma_write(qp, mr->rkey, (uintptr_t)memory[1] + i * STEP);
        ibv_wr_set_sge(qp, mr->lkey, (uintptr_t)memory[0] + i * STEP, num_bytes);
        if (ibv_wr_complete(qp) != 0)
            fail("ibv_wr_complete");
    }
}

static __attribute__((noinline)) void counted_post_inline(unsigned num)
{
    unsigned i;

    for (i = 0; i < num; i++) {
        ibv_wr_start(qp);
        qp->wr_id = i;
        qp->wr_flags = IBV_SEND_SIGNALED;
        ibv_wr_rdma_write(qp, mr->rkey, (uintptr_t)memory[1] + i * STEP);
        ibv_wr_set_inline_data(qp, memory[0] + i * STEP, num_bytes);
        if (ibv_wr_complete(qp) != 0)
            fail("ibv_wr_complete");
    }
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
};

/* Make writes in groups of `group`, and check the result. */
static void run(const struct side *side, unsigned group, unsigned writes)
{
    static unsigned char fill;
    unsigned i, k;

    for (i = 0; i < writes; i += group) {
        memset(memory[0], ++fill, sizeof(memory[0]));
        side->post(group);
        wait_for(group);
        side->reap(group);
        for (k = 0; k < group * STEP; k++)
            if (k % STEP < num_bytes && memory[0][k] != memory[1][k])
                fail("the bytes at the peer differ from those that were written");
    }
}

static void count(const struct side *side, const char *form, unsigned group)
{
    char name[64];
    unsigned writes;

    run(side, group, GROUP); /* pages and symbols */
    for (writes = WRITES; writes <= 2 * WRITES; writes += WRITES) {
        CALLGRIND_ZERO_STATS;
        run(side, group, writes);
        (void)snprintf(name, sizeof(name), "%s %s %u %u", side->name, form, group, writes);
        CALLGRIND_DUMP_STATS_AT(name);
    }
}

int main(void)
{
    static const struct side ours = { "doca_core", counted_post_ours, counted_reap_ours };
    static const struct {
        const char *name;
        unsigned ours, theirs; /* bytes */
        struct side side;
    } rows[] = {
        { "inline", 64, 64, { "libmlx5", counted_post_inline, counted_reap_theirs } },
        { "pointer", 65, 64, { "libmlx5", counted_post_sge, counted_reap_theirs } },
    };
    size_t i;

    if (!RUNNING_ON_VALGRIND) {
        printf("skipped: to be run under callgrind\n");
        return SKIP;
    }
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (!open_ours()) {
            printf("skipped: no mlx5 device\n");
            return SKIP;
        }
        look_at(ends[0].rdma->cq);
        num_bytes = rows[i].ours;
        take_ours();
        count(&ours, rows[i].name, 1);
        count(&ours, rows[i].name, GROUP);
        close_ours();
        open_theirs();
        num_bytes = rows[i].theirs;
        count(&rows[i].side, rows[i].name, 1);
        count(&rows[i].side, rows[i].name, GROUP);
        close_theirs();
    }
    return 0;
}
