/* Count the instructions of an RDMA write of 64 bytes with doca_core_rdma.h and with libmlx5, on
 * the same device: to post the write and to reap its completion.
 * tests/mlx5/test_rdma_instructions.py runs this program under callgrind on the emulated device and
 * reports the counts.
 *
 *     cc -std=gnu11 -O2 -I. -Itools/compat bench/rdma_instructions.c -o rdma_instructions \
 *         -libverbs -lmlx5
 *     tests/mlx5/test_rdma_instructions.py tools/mlx5sim/run ./rdma_instructions
 *
 * mlx5_counted.h says what is counted.
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
 * Exit status: 0; 1 and a message when something failed; 77 when the program does not run under
 * valgrind, or there is no mlx5 device. */
#define _GNU_SOURCE
#define DOCA_CORE_API 30000
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_MLX5_IMPLEMENTATION
#define DOCA_CORE_RDMA_VERBS
#define DOCA_CORE_RDMA_IMPLEMENTATION
#include "doca_core.h"
#include "doca_core_mlx5.h"
#include "doca_core_rdma.h"

#include "mlx5_counted.h"

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

static __attribute__((noinline)) void counted_post_sge(unsigned num)
{
    unsigned i;

    for (i = 0; i < num; i++) {
        ibv_wr_start(qp);
        qp->wr_id = i;
        qp->wr_flags = IBV_SEND_SIGNALED;
        ibv_wr_rdma_write(qp, mr->rkey, (uintptr_t)to + i * STEP);
        ibv_wr_set_sge(qp, mr->lkey, (uintptr_t)from + i * STEP, num_bytes);
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
        ibv_wr_rdma_write(qp, mr->rkey, (uintptr_t)to + i * STEP);
        ibv_wr_set_inline_data(qp, memory[0] + i * STEP, num_bytes);
        if (ibv_wr_complete(qp) != 0)
            fail("ibv_wr_complete");
    }
}

int main(void)
{
    static const struct side ours = { "doca_core", counted_post_ours, counted_reap_ours, NULL };
    static const struct {
        const char *name;
        unsigned ours, theirs; /* bytes */
        struct side side;
    } rows[] = {
        { "inline", 64, 64, { "libmlx5", counted_post_inline, counted_reap_theirs, NULL } },
        { "pointer", 65, 64, { "libmlx5", counted_post_sge, counted_reap_theirs, NULL } },
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
        open_theirs(64, false);
        num_bytes = rows[i].theirs;
        count(&rows[i].side, rows[i].name, 1);
        count(&rows[i].side, rows[i].name, GROUP);
        close_theirs();
    }
    return 0;
}
