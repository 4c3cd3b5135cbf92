/* Count the instructions of a copy with doca_core_mlx5.h and with libmlx5 itself, on the same
 * device: to post the copy and to reap its completion. tests/mlx5/test_mlx5_instructions.py runs
 * this program under callgrind on the emulated device and reports the counts.
 *
 *     cc -std=gnu11 -O2 -I. bench/mlx5_instructions.c -o mlx5_instructions -libverbs -lmlx5
 *     tests/mlx5/test_mlx5_instructions.py tools/mlx5sim/run ./mlx5_instructions
 *
 * Each case makes N copies, then 2 N copies: the difference is the cost of N. Both sides do the
 * same steps in the same order: post one group of copies, wait until the completion of the last
 * copy lies in the ring (not counted), and reap all completions. Every copy asks for a completion.
 *     doca_core  doca_task_submit(), doca_pe_progress(), and a callback
 *     libmlx5    ibv_wr_start(), mlx5dv_wr_memcpy() or ibv_wr_rdma_write(), ibv_wr_complete(),
 *                ibv_poll_cq(), and a look at the status
 * Short copies use RDMA WRITE on both sides, with the bytes inside the WQE. A group of 32 has a
 * single doorbell: submits without FLUSH except for the last, and a single ibv_wr_start() to
 * ibv_wr_complete(). ibv_poll_cq() reaps the group in one call. Taking a task from its context,
 * giving it back, and emptying the destination are counted separately, because libmlx5 has no
 * counterpart.
 *
 * The counted code is in functions whose names begin with counted_; each count is a dump of
 * callgrind, named "side engine group copies". Exit status: 0; 1 and a message when something
 * failed; 77 when the program does not run under valgrind, or there is no mlx5 device. */
#define _GNU_SOURCE
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_MLX5_IMPLEMENTATION
#include "doca_core.h"
#include "doca_core_mlx5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <valgrind/callgrind.h>

#define COPIES 64u /* N */
#define GROUP 32u  /* copies of the largest group */
#define BYTES 64u  /* length of a copy */
#define SHORT 16u  /* length of a copy whose bytes are inside the WQE */
#define SKIP 77

static DOCA_CORE_ALIGNED unsigned char memory[2 * 4096];
static unsigned char *const from = memory, *const to = memory + 4096;
static unsigned num_done, num_bytes;

static __attribute__((noinline, cold, noreturn)) void fail(const char *what)
{
    fprintf(stderr, "mlx5_instructions: %s\n", what);
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

static struct doca_dev *dev;
static struct doca_mmap *map;
static struct doca_buf_inventory *inventory;
static struct doca_pe *pe;
static struct doca_dma *dma;
static struct doca_buf *src[GROUP], *dst[GROUP];
static struct doca_dma_task_memcpy *tasks[GROUP];
static const union doca_data none;

static void on_done(struct doca_dma_task_memcpy *task, union doca_data data, union doca_data unused)
{
    (void)task, (void)data, (void)unused;
    num_done++;
}

static void on_error(struct doca_dma_task_memcpy *task, union doca_data data,
                     union doca_data unused)
{
    (void)task, (void)data, (void)unused;
    fail(doca_core_last_error());
}

static bool open_ours(enum doca_core_mlx5_engine engine)
{
    struct doca_core_mlx5_options options;
    struct doca_core_dev_attr unused;
    struct doca_devinfo **list;
    uint32_t num;

    memset(&options, 0, sizeof(options));
    memset(&unused, 0, sizeof(unused));
    options.engine = engine;
    must(doca_core_sw_set_devices(&unused, 0));
    if (engine == DOCA_CORE_MLX5_ENGINE_MMO) /* the first */
        must(doca_core_backend_register(doca_core_mlx5_backend(&options)));
    else
        (void)doca_core_mlx5_backend(&options);
    must(doca_devinfo_create_list(&list, &num));
    if (num == 0)
        return false;
    must(doca_dev_open(list[0], &dev));
    must(doca_devinfo_destroy_list(list));
    must(doca_mmap_create(&map));
    must(doca_mmap_set_memrange(map, memory, sizeof(memory)));
    must(doca_mmap_add_dev(map, dev));
    must(doca_mmap_start(map));
    must(doca_buf_inventory_create(2 * GROUP, &inventory));
    must(doca_buf_inventory_start(inventory));
    must(doca_pe_create(&pe));
    must(doca_dma_create(dev, &dma));
    must(doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)));
    must(doca_dma_task_memcpy_set_conf(dma, on_done, on_error, GROUP));
    must(doca_ctx_start(doca_dma_as_ctx(dma)));
    look_at(doca_priv_mlx5_queue_of(doca_dma_as_ctx(dma)->queue)->ibv_cq);
    return true;
}

static void take_ours(void)
{
    unsigned i;

    for (i = 0; i < GROUP; i++) {
        must(doca_buf_inventory_buf_get_by_data(inventory, map, from + i * BYTES, num_bytes,
                                                &src[i]));
        must(doca_buf_inventory_buf_get_by_addr(inventory, map, to + i * BYTES, num_bytes,
                                                &dst[i]));
        must(doca_dma_task_memcpy_alloc_init(dma, src[i], dst[i], none, &tasks[i]));
    }
}

static void close_ours(void)
{
    unsigned i;

    for (i = 0; i < GROUP; i++) {
        doca_task_free(doca_dma_task_memcpy_as_task(tasks[i]));
        must(doca_buf_dec_refcount(src[i], NULL));
        must(doca_buf_dec_refcount(dst[i], NULL));
    }
    must(doca_ctx_stop(doca_dma_as_ctx(dma)));
    must(doca_dma_destroy(dma));
    must(doca_pe_destroy(pe));
    must(doca_buf_inventory_destroy(inventory));
    must(doca_mmap_destroy(map));
    must(doca_dev_close(dev));
}

static void empty_ours(unsigned num)
{
    while (num-- > 0)
        must(doca_buf_reset_data_len(dst[num]));
}

static __attribute__((noinline)) void counted_post_ours(unsigned num)
{
    struct doca_dma_task_memcpy **task = tasks;

    for (; num > 1; num--)
        must(doca_task_submit_ex(doca_dma_task_memcpy_as_task(*task++),
                                 DOCA_TASK_SUBMIT_FLAG_NONE));
    must(doca_task_submit(doca_dma_task_memcpy_as_task(*task)));
}

static __attribute__((noinline)) void counted_reap_ours(unsigned num)
{
    unsigned end = num_done + num;

    while (num_done != end)
        (void)doca_pe_progress(pe);
}

/* Not compared: the calls on tasks and buffers around a copy. */
static __attribute__((noinline)) void counted_take_and_give(unsigned num)
{
    struct doca_dma_task_memcpy *task;

    while (num-- > 0) {
        must(doca_dma_task_memcpy_alloc_init(dma, src[0], dst[0], none, &task));
        doca_task_free(doca_dma_task_memcpy_as_task(task));
        must(doca_buf_reset_data_len(dst[0]));
    }
}

/* ---- libmlx5 -------------------------------------------------------------------------------- */

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_mr *mr;
static struct ibv_cq *cq;
static struct ibv_qp *pair[2];
static struct ibv_qp_ex *qp;
static struct mlx5dv_qp_ex *mlx5_qp;
static bool does_memcpy;

static struct ibv_qp *make_qp(void)
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
    attr.cap.max_inline_data = num_bytes == SHORT ? SHORT : 0;
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

static void open_theirs(enum doca_core_mlx5_engine engine)
{
    struct ibv_device **list = ibv_get_device_list(NULL);

    does_memcpy = engine == DOCA_CORE_MLX5_ENGINE_MMO;
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
    mlx5_qp = mlx5dv_qp_ex_from_ibv_qp_ex(qp);
    look_at(cq);
}

static void close_theirs(void)
{
    if (ibv_destroy_qp(pair[0]) != 0 || ibv_destroy_qp(pair[1]) != 0 || ibv_destroy_cq(cq) != 0 ||
        ibv_dereg_mr(mr) != 0 || ibv_dealloc_pd(pd) != 0 || ibv_close_device(context) != 0)
        fail("closing");
}

static __attribute__((noinline)) void counted_post_memcpy(unsigned num)
{
    unsigned i;

    ibv_wr_start(qp);
    for (i = 0; i < num; i++) {
        qp->wr_id = i;
        qp->wr_flags = IBV_SEND_SIGNALED;
        mlx5dv_wr_memcpy(mlx5_qp, mr->lkey, (uintptr_t)to + i * BYTES, mr->lkey,
                         (uintptr_t)from + i * BYTES, BYTES);
    }
    if (ibv_wr_complete(qp) != 0)
        fail("ibv_wr_complete");
}

static __attribute__((noinline)) void counted_post_write(unsigned num)
{
    unsigned i;

    ibv_wr_start(qp);
    for (i = 0; i < num; i++) {
        qp->wr_id = i;
        qp->wr_flags = IBV_SEND_SIGNALED;
        ibv_wr_rdma_write(qp, mr->rkey, (uintptr_t)to + i * BYTES);
        ibv_wr_set_sge(qp, mr->lkey, (uintptr_t)from + i * BYTES, BYTES);
    }
    if (ibv_wr_complete(qp) != 0)
        fail("ibv_wr_complete");
}

static __attribute__((noinline)) void counted_post_inline(unsigned num)
{
    unsigned i;

    ibv_wr_start(qp);
    for (i = 0; i < num; i++) {
        qp->wr_id = i;
        qp->wr_flags = IBV_SEND_SIGNALED;
        ibv_wr_rdma_write(qp, mr->rkey, (uintptr_t)to + i * BYTES);
        ibv_wr_set_inline_data(qp, from + i * BYTES, SHORT);
    }
    if (ibv_wr_complete(qp) != 0)
        fail("ibv_wr_complete");
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

static void empty_theirs(unsigned num)
{
    (void)num;
}

struct side {
    const char *name;
    void (*post)(unsigned num);
    void (*reap)(unsigned num);
    void (*empty)(unsigned num);
};

/* Make copies in groups of `group`, and check the result. */
static void run(const struct side *side, unsigned group, unsigned copies)
{
    static unsigned char fill;
    unsigned i, k;

    for (i = 0; i < copies; i += group) {
        memset(from, ++fill, GROUP * BYTES);
        side->post(group);
        wait_for(group);
        side->reap(group);
        side->empty(group);
        for (k = 0; k < group * BYTES; k++)
            if (k % BYTES < num_bytes && from[k] != to[k])
                fail("a copy differs from its source");
    }
}

static void count(const struct side *side, const char *engine, unsigned group)
{
    char name[64];
    unsigned copies;

    run(side, group, GROUP); /* pages and symbols */
    for (copies = COPIES; copies <= 2 * COPIES; copies += COPIES) {
        CALLGRIND_ZERO_STATS;
        run(side, group, copies);
        (void)snprintf(name, sizeof(name), "%s %s %u %u", side->name, engine, group, copies);
        CALLGRIND_DUMP_STATS_AT(name);
    }
}

static void count_objects(const char *engine)
{
    char name[64];
    unsigned copies;

    doca_task_free(doca_dma_task_memcpy_as_task(tasks[GROUP - 1]));
    counted_take_and_give(1);
    for (copies = COPIES; copies <= 2 * COPIES; copies += COPIES) {
        CALLGRIND_ZERO_STATS;
        counted_take_and_give(copies);
        (void)snprintf(name, sizeof(name), "objects %s 1 %u", engine, copies);
        CALLGRIND_DUMP_STATS_AT(name);
    }
    must(doca_dma_task_memcpy_alloc_init(dma, src[GROUP - 1], dst[GROUP - 1], none,
                                         &tasks[GROUP - 1]));
}

static bool has_engine(enum doca_core_mlx5_engine engine)
{
    enum doca_core_mlx5_engine is;

    return doca_core_mlx5_get_engine(dev, &is) == DOCA_SUCCESS && is == engine;
}

int main(void)
{
    static const struct side ours = { "doca_core", counted_post_ours, counted_reap_ours,
                                      empty_ours };
    static const struct {
        enum doca_core_mlx5_engine engine;
        const char *name;
        unsigned bytes;
        struct side theirs;
    } rows[] = {
        { DOCA_CORE_MLX5_ENGINE_MMO, "mmo", BYTES,
          { "libmlx5", counted_post_memcpy, counted_reap_theirs, empty_theirs } },
        { DOCA_CORE_MLX5_ENGINE_RC, "rc", BYTES,
          { "libmlx5", counted_post_write, counted_reap_theirs, empty_theirs } },
        { DOCA_CORE_MLX5_ENGINE_RC, "inline", SHORT,
          { "libmlx5", counted_post_inline, counted_reap_theirs, empty_theirs } },
    };
    size_t i;

    if (!RUNNING_ON_VALGRIND) {
        printf("skipped: to be run under callgrind\n");
        return SKIP;
    }
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (!open_ours(rows[i].engine) || !has_engine(rows[i].engine)) {
            printf("skipped: no mlx5 device with engine %s\n", rows[i].name);
            return SKIP;
        }
        num_bytes = rows[i].bytes;
        take_ours();
        count(&ours, rows[i].name, 1);
        count(&ours, rows[i].name, GROUP);
        count_objects(rows[i].name);
        close_ours();
        open_theirs(rows[i].engine);
        count(&rows[i].theirs, rows[i].name, 1);
        count(&rows[i].theirs, rows[i].name, GROUP);
        close_theirs();
    }
    return 0;
}
