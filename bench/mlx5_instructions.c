/* Count the instructions of a copy with doca_core_mlx5.h and with libmlx5 itself, on the same
 * device: to post the copy and to reap its completion. tests/mlx5/test_mlx5_instructions.py runs
 * this program under callgrind on the emulated device and reports the counts.
 *
 *     cc -std=gnu11 -O2 -I. bench/mlx5_instructions.c -o mlx5_instructions -libverbs -lmlx5
 *     tests/mlx5/test_mlx5_instructions.py tools/mlx5sim/run ./mlx5_instructions
 *
 * mlx5_counted.h says what is counted.
 *     doca_core  doca_task_submit(), doca_pe_progress(), and a callback
 *     libmlx5    ibv_wr_start(), mlx5dv_wr_memcpy() or ibv_wr_rdma_write(), ibv_wr_complete(),
 *                ibv_poll_cq(), and a look at the status
 * Short copies use RDMA WRITE on both sides, with the bytes inside the WQE. A group of 32 has a
 * single doorbell: submits without FLUSH except for the last, and a single ibv_wr_start() to
 * ibv_wr_complete(). ibv_poll_cq() reaps the group in one call. Taking a task from its context,
 * giving it back, and emptying the destination are counted separately, because libmlx5 has no
 * counterpart.
 *
 * Exit status: 0; 1 and a message when something failed; 77 when the program does not run under
 * valgrind, or there is no mlx5 device. */
#define _GNU_SOURCE
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_MLX5_IMPLEMENTATION
#include "doca_core.h"
#include "doca_core_mlx5.h"

#include "mlx5_counted.h"

#define SHORT 16u /* length of a copy whose bytes are inside the WQE */

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
    /* Register the backend once: MMO is the engine that is measured first. For later engines, the
     * call finds the devices again, with other options. */
    if (engine == DOCA_CORE_MLX5_ENGINE_MMO)
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
        must(doca_buf_inventory_buf_get_by_data(inventory, map, from + i * STEP, num_bytes,
                                                &src[i]));
        must(doca_buf_inventory_buf_get_by_addr(inventory, map, to + i * STEP, num_bytes,
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

static struct mlx5dv_qp_ex *mlx5_qp;

static __attribute__((noinline)) void counted_post_memcpy(unsigned num)
{
    unsigned i;

    ibv_wr_start(qp);
    for (i = 0; i < num; i++) {
        qp->wr_id = i;
        qp->wr_flags = IBV_SEND_SIGNALED;
        mlx5dv_wr_memcpy(mlx5_qp, mr->lkey, (uintptr_t)to + i * STEP, mr->lkey,
                         (uintptr_t)from + i * STEP, num_bytes);
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
        ibv_wr_rdma_write(qp, mr->rkey, (uintptr_t)to + i * STEP);
        ibv_wr_set_sge(qp, mr->lkey, (uintptr_t)from + i * STEP, num_bytes);
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
        ibv_wr_rdma_write(qp, mr->rkey, (uintptr_t)to + i * STEP);
        ibv_wr_set_inline_data(qp, from + i * STEP, SHORT);
    }
    if (ibv_wr_complete(qp) != 0)
        fail("ibv_wr_complete");
}

/* ---- counting ------------------------------------------------------------------------------- */

static void count_objects(const char *engine)
{
    char name[64];
    unsigned copies;

    doca_task_free(doca_dma_task_memcpy_as_task(tasks[GROUP - 1]));
    counted_take_and_give(1);
    for (copies = OPERATIONS; copies <= 2 * OPERATIONS; copies += OPERATIONS) {
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
        { DOCA_CORE_MLX5_ENGINE_MMO, "mmo", 64,
          { "libmlx5", counted_post_memcpy, counted_reap_theirs, NULL } },
        { DOCA_CORE_MLX5_ENGINE_RC, "rc", 64,
          { "libmlx5", counted_post_write, counted_reap_theirs, NULL } },
        { DOCA_CORE_MLX5_ENGINE_RC, "inline", SHORT,
          { "libmlx5", counted_post_inline, counted_reap_theirs, NULL } },
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
        open_theirs(num_bytes == SHORT ? SHORT : 0, rows[i].engine == DOCA_CORE_MLX5_ENGINE_MMO);
        mlx5_qp = mlx5dv_qp_ex_from_ibv_qp_ex(qp);
        count(&rows[i].theirs, rows[i].name, 1);
        count(&rows[i].theirs, rows[i].name, GROUP);
        close_theirs();
    }
    return 0;
}
