/* The mlx5 backend on the RDMA devices of the machine, with each engine that they support, through
 * the real libibverbs and libmlx5. All cases are skipped when the machine has no device. */
#include "mlx5_trap.h"

#include "fixture.h"

#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

static const enum doca_core_mlx5_engine engines[] = {
    DOCA_CORE_MLX5_ENGINE_MMO, DOCA_CORE_MLX5_ENGINE_RC, DOCA_CORE_MLX5_ENGINE_VERBS
};
#define NUM_ENGINES (sizeof(engines) / sizeof(engines[0]))

/* The completion queue and the queue pairs that the backend created last. */
static struct {
    struct ibv_cq *cq;
    struct ibv_qp *qps[2];
    unsigned num_qps;
} made;

static struct ibv_cq *note_cq(struct ibv_context *context, int num_cqes,
                              struct ibv_comp_channel *channel, struct ibv_pd *domain)
{
    made.cq = mlx5_trap_sys()->create_cq(context, num_cqes, channel, domain);
    made.num_qps = 0;
    return made.cq;
}

static struct ibv_qp *note_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
    struct ibv_qp *qp = mlx5_trap_sys()->create_qp(pd, attr);

    made.qps[made.num_qps++ % 2] = qp;
    return qp;
}

static const struct doca_core_mlx5_sys *noting_sys(void)
{
    static struct doca_core_mlx5_sys sys;

    sys = *mlx5_trap_sys();
    sys.create_cq = note_cq;
    sys.create_qp = note_qp;
    return &sys;
}

/* Make only the RDMA devices visible, and let them copy with `engine`. Return false when no device
 * copies with that engine. */
static bool show_devices(enum doca_core_mlx5_engine engine)
{
    struct doca_core_mlx5_options options = { noting_sys(), engine };
    static const struct doca_core_dev_attr none;
    static bool is_registered;
    const struct doca_core_backend *backend = doca_core_mlx5_backend(&options);
    struct doca_devinfo **list;
    bool has_engine;
    uint32_t num;

    CHECK_OK(doca_core_sw_set_devices(&none, 0));
    if (!is_registered)
        CHECK_OK(doca_core_backend_register(backend));
    is_registered = true;
    if (doca_devinfo_create_list(&list, &num) == DOCA_ERROR_NOT_FOUND)
        test_skip("no RDMA device is visible");
    has_engine = doca_dma_cap_task_memcpy_is_supported(list[0]) == DOCA_SUCCESS;
    CHECK_OK(doca_devinfo_destroy_list(list));
    return has_engine;
}

static bool open_device_rig(struct rig *r, enum doca_core_mlx5_engine engine, uint32_t num_tasks)
{
    if (!show_devices(engine))
        return false;
    rig_open(r, num_tasks);
    r->frees_tasks = true;
    return true;
}

static size_t inflight(const struct rig *r)
{
    size_t num;

    CHECK_OK(doca_pe_get_num_inflight_tasks(r->pe, &num));
    return num;
}

/* Progress until no task is in flight and progress has nothing left to do, for at most 20 s. */
static void finish(struct rig *r)
{
    struct timespec now, begin;

    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        while (rig_progress(r))
            ;
        clock_gettime(CLOCK_MONOTONIC, &now);
        CHECK(now.tv_sec - begin.tv_sec < 20);
    } while (inflight(r) > 0);
    while (rig_progress(r))
        ;
}

static void device_has_names_and_addresses(void)
{
    struct doca_devinfo **list;
    char text[256];
    uint8_t is_equal;
    uint32_t num, i;

    if (!show_devices(DOCA_CORE_MLX5_ENGINE_AUTO))
        test_skip("the first device has no engine that copies");
    CHECK_OK(doca_devinfo_create_list(&list, &num));
    for (i = 0; i < num; i++) {
        CHECK_OK(doca_devinfo_get_ibdev_name(list[i], text, sizeof(text)));
        CHECK(text[0] != '\0');
        CHECK_OK(doca_devinfo_get_pci_addr_str(list[i], text));
        if (text[0] != '\0') { /* soft-RoCE has no PCI address */
            CHECK_OK(doca_devinfo_is_equal_pci_addr(list[i], text, &is_equal));
            CHECK_EQ(is_equal, 1);
        }
    }
    CHECK_OK(doca_devinfo_destroy_list(list));
}

static void every_engine_copies_on_devices(void)
{
    struct rig r;
    size_t i;

    for (i = 0; i < NUM_ENGINES; i++) {
        if (!open_device_rig(&r, engines[i], 8))
            continue;
        (void)rig_copy(&r, r.dma, 0, 1);
        (void)rig_copy(&r, r.dma, 100, 5000);
        (void)rig_copy(&r, r.dma, 6000, 50000);
        finish(&r);
        CHECK_EQ(r.num_ok, 3);
        CHECK_EQ(rig_to[0], rig_from[0]);
        CHECK_MEM(rig_to + 100, rig_from + 100, 5000);
        CHECK_MEM(rig_to + 6000, rig_from + 6000, 50000);
        CHECK_EQ(rig_to[99], 0xee);
        CHECK_EQ(rig_to[5100], 0xee);
        rig_close(&r);
    }
}

/* The backend may copy a short source into the WQE. The result must be the same as for long
 * sources, also at the end of the ring. */
static void short_copies_are_copied(void)
{
    enum { ROUNDS = 5, LONGEST = 64 };
    unsigned round, len;
    struct rig r;
    size_t i;

    for (i = 0; i < NUM_ENGINES; i++) {
        if (!open_device_rig(&r, engines[i], LONGEST))
            continue;
        for (round = 1; round <= ROUNDS; round++) {
            memset(rig_to, 0xee, RIG_BYTES);
            for (len = 1; len <= LONGEST; len++)
                (void)rig_copy(&r, r.dma, len * 100 + round, len);
            finish(&r);
            CHECK_EQ(r.num_ok, round * LONGEST);
            for (len = 1; len <= LONGEST; len++) {
                CHECK_MEM(rig_to + len * 100 + round, rig_from + len * 100 + round, len);
                CHECK_EQ(rig_to[len * 100 + round - 1], 0xee);
                CHECK_EQ(rig_to[len * 100 + round + len], 0xee);
            }
        }
        rig_close(&r);
    }
}

/* Copy lists of 2 to the maximum number of sources to one destination, in total lengths that fit
 * into a WQE and in longer ones. */
static void long_lists_are_gathered(void)
{
    unsigned num, bytes, k;
    struct doca_buf *src;
    struct rig r;
    size_t i;

    for (i = 0; i < NUM_ENGINES; i++) {
        if (!open_device_rig(&r, engines[i], 8))
            continue;
        for (num = 2; num <= DOCA_CORE_MLX5_MAX_LIST; num++) {
            bytes = num % 3 == 0 ? 1 : num % 40 + 1;
            memset(rig_to, 0xee, RIG_BYTES);
            src = rig_src(&r, 0, bytes);
            for (k = 1; k < num; k++)
                CHECK_OK(doca_buf_chain_list(src, rig_src(&r, k * 700, bytes)));
            CHECK_OK(rig_submit(rig_task(r.dma, src, rig_dst(&r, 1, num * bytes))));
            finish(&r);
            CHECK_EQ(r.num_ok, num - 1);
            for (k = 0; k < num; k++)
                CHECK_MEM(rig_to + 1 + k * bytes, rig_from + k * 700, bytes);
            CHECK_EQ(rig_to[0], 0xee);
            CHECK_EQ(rig_to[1 + num * bytes], 0xee);
        }
        rig_close(&r);
    }
}

/* True when two ranges of bytes do not overlap. */
static bool do_not_overlap(const void *a, size_t a_len, const void *b, size_t b_len)
{
    return (uintptr_t)a + a_len <= (uintptr_t)b || (uintptr_t)b + b_len <= (uintptr_t)a;
}

#define NUM_RINGED 200u /* number of tasks; not a power of two */

/* The rings and the doorbell records of a running context lie in its block, on pages that hold
 * nothing else, and do not overlap. */
static void check_rings(const struct rig *r)
{
    const unsigned char *block = (const unsigned char *)r->ctx->queue;
    const size_t len = DOCA_CORE_MLX5_BYTES_DMA(NUM_RINGED);
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct { const void *at; size_t len; } parts[7];
    struct mlx5dv_qp qp;
    struct mlx5dv_cq cq;
    struct mlx5dv_obj obj;
    unsigned num = 0, i, k;

    memset(&cq, 0, sizeof(cq));
    obj.cq.in = made.cq;
    obj.cq.out = &cq;
    CHECK_EQ(mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ), 0);
    parts[num].at = cq.buf;
    parts[num++].len = (size_t)cq.cqe_cnt * cq.cqe_size;
    parts[num].at = cq.dbrec;
    parts[num++].len = 8;
    for (i = 0; i < made.num_qps; i++) {
        memset(&qp, 0, sizeof(qp));
        obj.qp.in = made.qps[i];
        obj.qp.out = &qp;
        CHECK_EQ(mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP), 0);
        parts[num].at = qp.sq.buf;
        parts[num++].len = (size_t)qp.sq.wqe_cnt * qp.sq.stride;
        parts[num].at = qp.dbrec;
        parts[num++].len = 8;
    }
    parts[num].at = rig_task(r->dma, NULL, NULL); /* the tasks lie behind the rings */
    parts[num++].len = DOCA_CORE_LINE;
    for (i = 0; i < num; i++) {
        CHECK((const unsigned char *)parts[i].at >= block);
        CHECK((const unsigned char *)parts[i].at + parts[i].len <= block + len);
        CHECK(parts[i].len <= DOCA_CORE_LINE || (uintptr_t)parts[i].at % page == 0);
        for (k = 0; k < i; k++)
            CHECK(do_not_overlap(parts[i].at, parts[i].len, parts[k].at, parts[k].len));
    }
    doca_task_free(doca_dma_task_memcpy_as_task(
        (struct doca_dma_task_memcpy *)(uintptr_t)parts[num - 1].at));
}

static void rings_are_in_the_block_of_their_context(void)
{
    struct rig r;
    size_t i;
    unsigned k;

    for (i = 0; i < 2; i++) { /* the engine VERBS has no rings of its own */
        if (!open_device_rig(&r, engines[i], NUM_RINGED))
            continue;
        CHECK_EQ(made.num_qps, engines[i] == DOCA_CORE_MLX5_ENGINE_MMO ? 1 : 2);
        check_rings(&r);
        for (k = 0; k < 2 * NUM_RINGED; k++) { /* enough tasks to wrap the rings */
            (void)rig_copy(&r, r.dma, k, 1);
            if (k % NUM_RINGED == NUM_RINGED - 1)
                finish(&r);
        }
        CHECK_EQ(r.num_ok, 2 * NUM_RINGED);
        rig_stop(&r, r.ctx);
        CHECK_OK(doca_ctx_start(r.ctx)); /* this start reuses the block of the former rings */
        rig_drain(&r);
        check_rings(&r);
        (void)rig_copy(&r, r.dma, 0, 100);
        finish(&r);
        CHECK_EQ(r.num_ok, 2 * NUM_RINGED + 1);
        rig_close(&r);
    }
}

static void bytes_of_a_context_match_the_macro(void)
{
#define ROW(num) { num, DOCA_CORE_MLX5_BYTES_DMA(num), DOCA_PRIV_MLX5_RINGS(num) }
    static const struct {
        uint32_t num;
        size_t bytes, rings;
    } rows[] = { ROW(1),    ROW(127),  ROW(128),  ROW(129),
                 ROW(1000), ROW(4096), ROW(4097), ROW(65536) };
    struct doca_dev *dev;
    size_t i, k, bytes;

    for (i = 0; i < NUM_ENGINES; i++) {
        if (!show_devices(engines[i]))
            continue;
        dev = rig_open_dev(NULL);
        for (k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
            CHECK_OK(doca_core_bytes_dma(dev, rows[k].num, &bytes));
            CHECK_EQ(bytes + (engines[i] == DOCA_CORE_MLX5_ENGINE_VERBS ? rows[k].rings : 0),
                     rows[k].bytes);
        }
        CHECK_OK(doca_dev_close(dev));
    }
}

/* Copy lists of random lengths, some of whose elements are empty. */
static void lists_are_copied(void)
{
    struct doca_buf *src, *dst;
    unsigned round, k;
    size_t i, from;
    struct rig r;

    for (i = 0; i < NUM_ENGINES; i++) {
        if (!open_device_rig(&r, engines[i], 8))
            continue;
        for (round = 0; round < 50; round++) {
            unsigned char want[4096];
            size_t len = 0, n;

            memset(rig_to, 0xee, RIG_BYTES);
            src = NULL;
            for (k = 0; k < 8; k++) {
                struct doca_buf *buf;

                from = rig_random(8192);
                n = rig_random(4) == 0 ? 0 : 1 + rig_random(300);
                if (len == 0 && k == 7)
                    n = 1;
                buf = rig_src(&r, from, 400);
                CHECK_OK(doca_buf_set_data(buf, rig_from + from, n));
                memcpy(want + len, rig_from + from, n);
                len += n;
                if (src == NULL)
                    src = buf;
                else
                    CHECK_OK(doca_buf_chain_list(src, buf));
            }
            dst = rig_dst(&r, 0, 37);
            for (k = 1; k < 8; k++)
                CHECK_OK(doca_buf_chain_list(dst, rig_dst(&r, k * 1000, k * 100)));
            CHECK_OK(rig_submit(rig_task(r.dma, src, dst)));
            finish(&r);
            CHECK_EQ(r.num_ok, round + 1);
            for (k = 0, from = 0; from < len; k++, from += n) {
                n = k == 0 ? 37 : k * 100;
                n = n < len - from ? n : len - from;
                CHECK_MEM(rig_to + k * 1000, want + from, n);
            }
        }
        rig_close(&r);
    }
}

static struct doca_mmap *map_relaxed(struct doca_dev *dev, void *addr)
{
    struct doca_mmap *map;

    CHECK_OK(doca_mmap_create(&map));
    CHECK_OK(doca_mmap_set_memrange(map, addr, RIG_BYTES));
    CHECK_OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
                                                DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING));
    CHECK_OK(doca_mmap_add_dev(map, dev));
    CHECK_OK(doca_mmap_start(map));
    return map;
}

/* Every device accepts the permission of relaxed ordering, and a completion still means that the
 * data have been written. */
static void relaxed_ordering_copies_the_same(void)
{
    struct doca_mmap *maps[2];
    struct doca_buf *src, *dst;
    struct rig r;
    size_t i;

    for (i = 0; i < NUM_ENGINES; i++) {
        if (!open_device_rig(&r, engines[i], 4))
            continue;
        maps[0] = map_relaxed(r.dev, rig_from);
        maps[1] = map_relaxed(r.dev, rig_to);
        CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, maps[0], rig_from, 5000, &src));
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(r.inventory, maps[1], rig_to, 5000, &dst));
        CHECK_OK(rig_submit(rig_task(r.dma, src, dst)));
        finish(&r);
        CHECK_EQ(r.num_ok, 1);
        CHECK_MEM(rig_to, rig_from, 5000);
        CHECK_EQ(rig_to[5000], 0xee);
        CHECK_OK(doca_mmap_destroy(maps[0]));
        CHECK_OK(doca_mmap_destroy(maps[1]));
        rig_close(&r);
    }
}

/* A copy of the largest size that the device supports succeeds (tested up to 4 MiB). */
static void largest_supported_copy_succeeds(void)
{
    static unsigned char from[(4 << 20) + 1], to[(4 << 20) + 1];
    struct doca_mmap *from_map, *to_map;
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src, *dst;
    uint64_t max;
    size_t i, k;
    struct rig r;

    for (i = 0; i < NUM_ENGINES; i++) {
        if (!open_device_rig(&r, engines[i], 2))
            continue;
        CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_size(doca_dev_as_devinfo(r.dev), &max));
        if (max >= sizeof(from))
            max = sizeof(from) - 1;
        for (k = 0; k < sizeof(from); k++)
            from[k] = (unsigned char)(k * 13 + (k >> 9));
        memset(to, 0, sizeof(to));
        from_map = rig_map(r.dev, from, sizeof(from));
        to_map = rig_map(r.dev, to, sizeof(to));
        CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, from_map, from, max, &src));
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(r.inventory, to_map, to, sizeof(to), &dst));
        task = rig_task(r.dma, src, dst);
        CHECK_OK(rig_submit(task));
        finish(&r);
        CHECK_EQ(r.num_ok, 1);
        CHECK_MEM(to, from, max);
        CHECK_OK(doca_mmap_destroy(from_map));
        CHECK_OK(doca_mmap_destroy(to_map));
        rig_close(&r);
    }
}

static void resubmit(struct rig *r, struct doca_dma_task_memcpy *task)
{
    if (r->todo > 0) {
        r->todo--;
        CHECK_OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(task)));
        CHECK_OK(rig_submit(task));
    } else {
        rig_release(task);
    }
}

/* Keep 200 tasks in flight for a long time, with the heap trap on: neither the library nor libmlx5
 * allocates. */
static void many_tasks_in_flight_need_no_heap(void)
{
    struct rig r;
    unsigned k;
    size_t i;

    for (i = 0; i < NUM_ENGINES; i++) {
        if (!open_device_rig(&r, engines[i], 200))
            continue;
        r.frees_tasks = false;
        r.on_task = resubmit;
        r.todo = 5000;
        for (k = 0; k < 200; k++)
            (void)rig_copy(&r, r.dma, k * 300, 300);
        finish(&r);
        CHECK_EQ(r.num_ok, 5200);
        CHECK_EQ(r.num_failed, 0);
        CHECK_MEM(rig_to, rig_from, 60000);
        rig_close(&r);
    }
}

/* Deregister the range of the source while the library still considers it registered. The device
 * reports the error, and the log prints its syndrome as the reason. */
static void lost_registration_is_an_error_with_a_syndrome(void)
{
    struct doca_core_range range = { rig_from, RIG_BYTES, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, -1,
                                     0, NULL };
    const struct doca_core_backend *backend;
    struct doca_priv_mmap_dev *keys;
    enum doca_core_item item;
    struct rig r;
    size_t i;

    for (i = 0; i < NUM_ENGINES; i++) {
        if (!open_device_rig(&r, engines[i], 8))
            continue;
        backend = r.dev->backend;
        keys = &r.src_map->devs[0];
        backend->dereg(r.dev, keys->mkey);
        (void)rig_copy(&r, r.dma, 0, 100);
        (void)rig_copy(&r, r.dma, 1000, 100);
        while (r.num_failed == 0)
            (void)rig_progress(&r);
        item = doca_core_last_item();
        CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
        CHECK(item == DOCA_CORE_ITEM_MLX5_PROTECTION || item == DOCA_CORE_ITEM_MLX5_QP_OP);
        finish(&r);
        CHECK_EQ(r.num_failed, 2);
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
        CHECK_EQ(rig_to[0], 0xee);
        CHECK_OK(backend->reg_range(r.dev, &range, &keys->mkey, &keys->internal_mkey));
        CHECK_OK(doca_ctx_start(r.ctx));
        finish(&r);
        (void)rig_copy(&r, r.dma, 0, 100);
        finish(&r);
        CHECK_EQ(r.num_ok, 1);
        CHECK_MEM(rig_to, rig_from, 100);
        rig_close(&r);
    }
}

/* Each task ends exactly once. Tasks that end with success have been executed; the others were
 * flushed and end with SHUTDOWN. */
static void stop_in_mid_flight_returns_every_task(void)
{
    enum { TASKS = 64 };
    unsigned round, k;
    struct rig r;
    size_t i;

    for (i = 0; i < NUM_ENGINES; i++) {
        if (!open_device_rig(&r, engines[i], TASKS))
            continue;
        for (round = 0; round < 5; round++) {
            r.num_ok = r.num_failed = 0;
            memset(rig_to, 0xee, RIG_BYTES);
            for (k = 0; k < TASKS; k++)
                (void)rig_copy(&r, r.dma, k * 1024, 1024);
            CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
            finish(&r);
            CHECK_EQ(r.num_ok + r.num_failed, TASKS);
            CHECK_MEM(rig_to, rig_from, r.num_ok * 1024);
            if (r.num_failed > 0)
                CHECK_RC(r.status, DOCA_ERROR_SHUTDOWN);
            CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
            CHECK_OK(doca_ctx_start(r.ctx));
            finish(&r);
        }
        rig_close(&r);
    }
}

/* Sleep until the device wakes the thread, a hundred times. Alternately, the task is submitted
 * before and after the notification is requested. */
static void completion_wakes_a_sleeper(void)
{
    struct pollfd wanted = { .events = POLLIN };
    unsigned round;
    struct rig r;
    size_t i;

    for (i = 0; i < NUM_ENGINES; i++) {
        if (!open_device_rig(&r, engines[i], 8))
            continue;
        CHECK_OK(doca_pe_get_notification_handle(r.pe, &wanted.fd));
        for (round = 0; round < 100; round++) {
            if (round % 2 == 0)
                (void)rig_copy(&r, r.dma, round * 100, 100);
            CHECK_OK(doca_pe_request_notification(r.pe));
            if (round % 2 != 0)
                (void)rig_copy(&r, r.dma, round * 100, 100);
            while (r.num_ok == round) {
                CHECK_EQ(poll(&wanted, 1, 5000), 1);
                CHECK_OK(doca_pe_clear_notification(r.pe, wanted.fd));
                while (rig_progress(&r))
                    ;
                CHECK_OK(doca_pe_request_notification(r.pe));
            }
            CHECK_OK(doca_pe_clear_notification(r.pe, wanted.fd));
        }
        rig_close(&r);
    }
}

/* Linux limits how many nested epoll sets can watch one descriptor, such as that of the device.
 * This case uses more progress engines, and puts the handle of each into an epoll set of its
 * own. */
static void threads_can_sleep_on_many_progress_engines(void)
{
    enum { MORE = 110 };
    static struct doca_pe *pes[MORE];
    static struct doca_dma *dmas[MORE];
    static int sets[MORE];
    struct epoll_event event = { .events = EPOLLIN };
    doca_notification_handle_t fd;
    struct doca_pe *own;
    struct rig r;
    unsigned i;

    if (!open_device_rig(&r, DOCA_CORE_MLX5_ENGINE_AUTO, 1))
        test_skip("the first device has no engine that copies");
    own = r.pe;
    for (i = 0; i < MORE; i++) {
        CHECK_OK(doca_pe_create(&pes[i]));
        r.pe = pes[i];
        dmas[i] = rig_make_dma(&r, 1);
        CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dmas[i])));
        CHECK_OK(doca_pe_get_notification_handle(pes[i], &fd));
        sets[i] = epoll_create1(0);
        CHECK_EQ(epoll_ctl(sets[i], EPOLL_CTL_ADD, fd, &event), 0);
    }
    while (rig_progress(&r))
        ;
    (void)rig_copy(&r, dmas[MORE - 1], 0, 1000); /* r.pe is the progress engine of this context */
    while (r.num_ok == 0) {
        CHECK_OK(doca_pe_request_notification(r.pe));
        CHECK_EQ(epoll_wait(sets[MORE - 1], &event, 1, 5000), 1);
        CHECK_OK(doca_pe_clear_notification(r.pe, fd));
        while (rig_progress(&r))
            ;
    }
    for (i = 0; i < MORE; i++) {
        close(sets[i]);
        r.pe = pes[i];
        rig_forget_states(&r);
        rig_stop(&r, doca_dma_as_ctx(dmas[i]));
        CHECK_OK(doca_dma_destroy(dmas[i]));
        CHECK_OK(doca_pe_destroy(pes[i]));
    }
    r.pe = own;
    rig_forget_states(&r);
    rig_close(&r);
}

/* A program uses the PD of a device with verbs, and opens a device from its own PD. */
static void pds_are_shared_in_both_directions(void)
{
    enum heap_trap_mode mode;
    struct doca_buf *buf;
    struct doca_dev *dev;
    struct ibv_pd *pd, *other;
    struct ibv_mr *mr;
    uint32_t key;
    struct rig r;

    if (!open_device_rig(&r, DOCA_CORE_MLX5_ENGINE_AUTO, 8))
        test_skip("the first device has no engine that copies");
    CHECK_OK(doca_rdma_bridge_get_dev_pd(r.dev, &pd));
    buf = rig_src(&r, 0, 100);
    CHECK_OK(doca_rdma_bridge_get_buf_mkey(buf, r.dev, &key));
    CHECK(key != 0);
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    mode = heap_trap_set(HEAP_TRAP_OFF);
    mr = ibv_reg_mr(pd, rig_to, RIG_BYTES, IBV_ACCESS_LOCAL_WRITE);
    other = ibv_alloc_pd(pd->context);
    heap_trap_set(mode);
    CHECK(mr != NULL && other != NULL && mr->lkey != key);
    CHECK_RC(doca_rdma_bridge_open_dev_from_pd(pd, &dev), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_rdma_bridge_open_dev_from_pd(other, &dev));
    {
        struct rig own;

        rig_build_on(&own, dev, 4);
        CHECK_OK(doca_ctx_start(own.ctx));
        own.frees_tasks = true;
        (void)rig_copy(&own, own.dma, 0, 1000);
        finish(&own);
        CHECK_EQ(own.num_ok, 1);
        CHECK_MEM(rig_to, rig_from, 1000);
        rig_close(&own);
    }
    mode = heap_trap_set(HEAP_TRAP_OFF);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK_EQ(ibv_dealloc_pd(other), 0);
    heap_trap_set(mode);
    rig_close(&r);
}

/* Submit a copy at offset k * 1000: of 1000 or 20 bytes from one source, or of 1000 bytes from a
 * list of five. */
static void submit_any(struct rig *r, unsigned k)
{
    struct doca_buf *src;
    unsigned i;

    if (k % 4 < 2) {
        (void)rig_copy(r, r->dma, k * 1000, k % 4 == 1 ? 20 : 1000);
        return;
    }
    src = rig_src(r, k * 1000, 200);
    for (i = 1; i < 5; i++)
        CHECK_OK(doca_buf_chain_list(src, rig_src(r, k * 1000 + i * 200, 200)));
    CHECK_OK(rig_submit(rig_task(r->dma, src, rig_dst(r, k * 1000, 1000))));
}

/* Each task ends exactly once, and a task that ends with success was executed, even when the
 * emulated device injects faults (emulated.cmake runs this case that way). A context that stopped
 * after an error can be started again, unless the whole device has failed. */
static void every_task_ends_once(void)
{
    enum { TASKS = 16 };
    unsigned round, k, ok, num_starts = 0;
    doca_error_t rc = DOCA_SUCCESS;
    struct rig r;

    if (!show_devices(DOCA_CORE_MLX5_ENGINE_AUTO))
        test_skip("the first device has no engine that copies");
    rig_build(&r, NULL, TASKS);
    r.frees_tasks = true;
    for (round = 0; round < 8; round++) {
        if (rig_state(r.ctx) == DOCA_CTX_STATE_IDLE) {
            rc = doca_ctx_start(r.ctx);
            if (rc != DOCA_SUCCESS)
                break;
            num_starts++;
            finish(&r);
        }
        memset(rig_to, 0xee, RIG_BYTES);
        r.num_ok = r.num_failed = 0;
        for (k = 0; k < TASKS; k++)
            submit_any(&r, k);
        finish(&r);
        ok = r.num_ok;
        CHECK_EQ(ok + r.num_failed, TASKS);
        for (k = 0; k < ok; k++)
            CHECK_MEM(rig_to + k * 1000, rig_from + k * 1000, k % 4 == 1 ? 20 : 1000);
        CHECK_EQ(rig_state(r.ctx), ok == TASKS ? DOCA_CTX_STATE_RUNNING : DOCA_CTX_STATE_IDLE);
        if (ok < TASKS)
            CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
    }
    heap_trap_set(HEAP_TRAP_OFF);
    printf("  %u starts; the last round: %s, %u of %u done\n", num_starts, doca_error_get_name(rc),
           r.num_ok, TASKS);
    rig_close(&r);
}

/* ---- memory on the device ---- */

/* Tasks copy from memory of this process to memory on the device, from there to other memory on the
 * device, and back. In between the CPU reads and writes the memory on the device. */
static void memory_on_the_device_is_copied(void)
{
    struct doca_mmap *maps[2];
    struct doca_buf *src, *dst;
    unsigned char bytes[1000];
    void *at[2];
    struct rig r;
    size_t i, len, k;

    for (i = 0; i < NUM_ENGINES; i++) {
        if (!open_device_rig(&r, engines[i], 4))
            continue;
        for (k = 0; k < 2; k++) {
            doca_error_t rc = doca_core_mmap_create_on_dev(r.dev, 4000, &maps[k]);

            if (rc != DOCA_SUCCESS) {
                CHECK_RC(rc, DOCA_ERROR_NOT_SUPPORTED);
                rig_close(&r);
                test_skip("the device has no memory to give");
            }
            CHECK_OK(doca_mmap_get_memrange(maps[k], &at[k], &len));
            CHECK_EQ(len, 4000);
        }
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(r.inventory, maps[0], at[0], 4000, &dst));
        CHECK_OK(rig_submit(rig_task(r.dma, rig_src(&r, 0, 1000), dst)));
        finish(&r);
        CHECK_OK(doca_core_mmap_read(maps[0], 0, bytes, sizeof(bytes)));
        CHECK_MEM(bytes, rig_from, sizeof(bytes));
        memset(bytes, 0x77, 100);
        CHECK_OK(doca_core_mmap_write(maps[0], 500, bytes, 100));
        CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, maps[0], at[0], 1000, &src));
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(r.inventory, maps[1],
                                                    (unsigned char *)at[1] + 3000, 1000, &dst));
        CHECK_OK(rig_submit(rig_task(r.dma, src, dst)));
        finish(&r);
        CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, maps[1],
                                                    (unsigned char *)at[1] + 3000, 1000, &src));
        CHECK_OK(rig_submit(rig_task(r.dma, src, rig_dst(&r, 0, 1000))));
        finish(&r);
        CHECK_EQ(r.num_ok, 3);
        CHECK_MEM(rig_to, rig_from, 500);
        CHECK_MEM(rig_to + 500, bytes, 100);
        CHECK_MEM(rig_to + 600, rig_from + 600, 400);
        for (k = 0; k < 2; k++)
            CHECK_OK(doca_mmap_destroy(maps[k]));
        rig_close(&r);
    }
}

static void memory_on_the_device_has_no_exports_and_no_restart(void)
{
    const void *desc;
    struct doca_mmap *map;
    char bytes[16];
    struct rig r;
    size_t len;

    if (!open_device_rig(&r, DOCA_CORE_MLX5_ENGINE_AUTO, 4))
        test_skip("the first device has no engine that copies");
    if (doca_core_mmap_create_on_dev(r.dev, 64, &map) != DOCA_SUCCESS) {
        rig_close(&r);
        test_skip("the device has no memory to give");
    }
    CHECK_RC(doca_mmap_stop(map), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_set_permissions(map, 0), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_mmap_export_pci(map, r.dev, &desc, &len), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_core_mmap_read(map, 60, bytes, 5), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mmap_write(map, 65, bytes, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_core_mmap_write(map, 48, bytes, 16));
    CHECK_RC(doca_core_mmap_read(r.src_map, 0, bytes, 5), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_mmap_destroy(map));
    CHECK_RC(doca_core_mmap_create_on_dev(r.dev, (size_t)1 << 40, &map), DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_core_mmap_create_on_dev(r.dev, 0, &map), DOCA_ERROR_INVALID_VALUE);
    rig_close(&r);
}

/* ---- registrations and starts that the kernel refuses ---- */

/* Start an mmap over 4096 bytes at `at` with these permissions; return the result of the start. */
static doca_error_t start_map(struct doca_dev *dev, void *at, uint32_t access)
{
    struct doca_mmap *map;
    doca_error_t rc;

    CHECK_OK(doca_mmap_create(&map));
    CHECK_OK(doca_mmap_add_dev(map, dev));
    CHECK_OK(doca_mmap_set_memrange(map, at, 4096));
    CHECK_OK(doca_mmap_set_permissions(map, access));
    rc = doca_mmap_start(map);
    CHECK_OK(doca_mmap_destroy(map));
    return rc;
}

static void memory_that_cannot_be_registered_is_refused_with_the_reason(void)
{
    void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct rig r;

    CHECK(page != MAP_FAILED);
    if (!open_device_rig(&r, DOCA_CORE_MLX5_ENGINE_AUTO, 4))
        test_skip("the first device has no engine that copies");
    CHECK_RC(start_map(r.dev, page, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE), DOCA_ERROR_INVALID_VALUE);
    CHECK(strstr(doca_core_last_error(), "read-only") != NULL);
    CHECK_OK(start_map(r.dev, page, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY));
    CHECK_EQ(munmap(page, 4096), 0);
    CHECK_RC(start_map(r.dev, page, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY), DOCA_ERROR_INVALID_VALUE);
    CHECK(strstr(doca_core_last_error(), "not mapped") != NULL);
    rig_close(&r);
}

/* Runs in a child, because the limit applies to the process. */
static void start_without_descriptors_names_the_limit(void)
{
    struct rlimit few = { 0, 0 };
    int status = 1, fd;
    struct rig r;
    pid_t child;

    if (!show_devices(DOCA_CORE_MLX5_ENGINE_AUTO))
        test_skip("the first device has no engine that copies");
    fflush(stdout);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        if (setjmp(test_leave) == 0) {
            rig_build(&r, NULL, 4);
            fd = dup(0);
            few.rlim_cur = few.rlim_max = (rlim_t)fd;
            CHECK_EQ(close(fd), 0);
            CHECK_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
            CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_OPERATING_SYSTEM);
            CHECK(strstr(doca_core_last_error(),
                         "refused to create a completion channel: EMFILE; the process has no "
                         "file descriptor left: raise RLIMIT_NOFILE") != NULL);
            CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
            status = 0;
        }
        fflush(stdout);
        _exit(status);
    }
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_EQ(status, 0);
}

/* ---- memory of another function ---- */

/* Open the last device. With two devices, its vhca_id differs from that of the first. */
static struct doca_dev *open_last_device(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t num;

    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK_OK(doca_dev_open(list[num - 1], &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    return dev;
}

static unsigned char theirs[20000];

static struct doca_mmap *map_theirs(struct doca_dev *dev, uint32_t access)
{
    struct doca_mmap *map;
    size_t i;

    for (i = 0; i < sizeof(theirs); i++)
        theirs[i] = (unsigned char)(i * 17 + 3);
    CHECK_OK(doca_mmap_create(&map));
    CHECK_OK(doca_mmap_set_memrange(map, theirs, sizeof(theirs)));
    CHECK_OK(doca_mmap_set_permissions(map, access));
    CHECK_OK(doca_mmap_add_dev(map, dev));
    CHECK_OK(doca_mmap_start(map));
    return map;
}

static void skip_without_exports(struct doca_dev *dev)
{
    uint8_t is_supported;

    CHECK_OK(doca_mmap_cap_is_export_pci_supported(doca_dev_as_devinfo(dev), &is_supported));
    if (!is_supported) {
        CHECK_OK(doca_dev_close(dev));
        test_skip("the device lets no other function use its mkeys");
    }
}

/* Copy bytes [0, 1000) of the exporter to rig_to, and the beginning of rig_from to bytes [5000,
 * 6000) of the exporter. */
static void copy_both_ways(struct rig *r, struct doca_mmap *import, unsigned char *at)
{
    struct doca_buf *src, *dst;

    CHECK_OK(doca_buf_inventory_buf_get_by_data(r->inventory, import, at, 1000, &src));
    CHECK_OK(rig_submit(rig_task(r->dma, src, rig_dst(r, 0, 1000))));
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(r->inventory, import, at + 5000, 1000, &dst));
    CHECK_OK(rig_submit(rig_task(r->dma, rig_src(r, 0, 1000), dst)));
    finish(r);
}

static void export_is_reached_by_another_function(void)
{
    struct doca_mmap *map, *import;
    struct doca_dev *exporter;
    const void *desc;
    size_t len, i;
    unsigned kind;
    struct rig r;

    for (i = 0; i < NUM_ENGINES; i++) {
        for (kind = 0; kind < 2; kind++) {
            if (!show_devices(engines[i]))
                continue;
            exporter = rig_open_dev(NULL);
            skip_without_exports(exporter);
            rig_build_on(&r, open_last_device(), 4);
            CHECK_OK(doca_ctx_start(r.ctx));
            r.frees_tasks = true;
            map = map_theirs(exporter, kind == 0 ? DOCA_ACCESS_FLAG_PCI_READ_WRITE
                                                 : DOCA_ACCESS_FLAG_RDMA_READ |
                                                       DOCA_ACCESS_FLAG_RDMA_WRITE);
            CHECK_OK(kind == 0 ? doca_mmap_export_pci(map, exporter, &desc, &len)
                               : doca_mmap_export_rdma(map, exporter, &desc, &len));
            CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, r.dev, &import));
            copy_both_ways(&r, import, theirs);
            CHECK_EQ(r.num_ok, 2);
            CHECK_MEM(rig_to, theirs, 1000);
            CHECK_MEM(theirs + 5000, rig_from, 1000);

            CHECK_OK(doca_mmap_stop(map)); /* the device notices that the key was deregistered */
            copy_both_ways(&r, import, theirs);
            CHECK_EQ(r.num_failed, 2);
            CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
            CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
            CHECK_OK(doca_mmap_destroy(import));
            CHECK_OK(doca_mmap_destroy(map));
            CHECK_OK(doca_dev_close(exporter));
            rig_close(&r);
        }
    }
}

/* No engine writes to memory that was exported read-only, even when the library's own permission
 * check is defeated. */
static void export_for_reading_is_not_written(void)
{
    struct doca_mmap *map, *import;
    struct doca_dev *exporter;
    struct doca_buf *dst;
    const void *desc;
    size_t len, i;
    struct rig r;

    for (i = 0; i < NUM_ENGINES; i++) {
        if (!show_devices(engines[i]))
            continue;
        exporter = rig_open_dev(NULL);
        skip_without_exports(exporter);
        rig_build_on(&r, open_last_device(), 4);
        CHECK_OK(doca_ctx_start(r.ctx));
        r.frees_tasks = true;
        map = map_theirs(exporter, DOCA_ACCESS_FLAG_PCI_READ_ONLY);
        CHECK_OK(doca_mmap_export_pci(map, exporter, &desc, &len));
        CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, r.dev, &import));
        import->access = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE; /* defeat the library's own check */
        import->buf_word |= (uint32_t)DOCA_PRIV_BUF_WRITE << 8;
        CHECK_OK(doca_buf_inventory_buf_get_by_addr(r.inventory, import, theirs, 100, &dst));
        CHECK_OK(rig_submit(rig_task(r.dma, rig_src(&r, 0, 100), dst)));
        finish(&r);
        CHECK_EQ(r.num_failed, 1);
        CHECK_EQ(theirs[0], 3);
        CHECK_OK(doca_mmap_destroy(import));
        CHECK_OK(doca_mmap_destroy(map));
        CHECK_OK(doca_dev_close(exporter));
        rig_close(&r);
    }
}

/* Runs in the exporting process: send the address of the memory and the export descriptor, wait for
 * a byte, and exit without closing anything. */
static void export_and_wait(int out, int in)
{
    struct doca_dev *dev;
    unsigned char *at = theirs;
    const void *desc;
    size_t len;
    char byte;

    if (!show_devices(DOCA_CORE_MLX5_ENGINE_AUTO))
        _exit(77);
    dev = rig_open_dev(NULL);
    if (doca_dev_as_devinfo(dev)->attr.limits.has_export_pci == 0)
        _exit(77);
    CHECK_OK(doca_mmap_export_pci(map_theirs(dev, DOCA_ACCESS_FLAG_PCI_READ_WRITE), dev, &desc,
                                  &len));
    CHECK_EQ(write(out, &at, sizeof(at)), sizeof(at));
    CHECK_EQ(write(out, &len, sizeof(len)), sizeof(len));
    CHECK_EQ(write(out, desc, len), len);
    CHECK_EQ(read(in, &byte, 1), 1);
    _exit(memcmp(theirs + 5000, rig_from, 1000) == 0 ? 0 : 1);
}

static void import_fails_after_its_exporter_ended(void)
{
    unsigned char desc[1024], *at = NULL;
    struct doca_mmap *import;
    int there[2], back[2];
    size_t len = 0;
    struct rig r;
    pid_t child;

    CHECK_EQ(pipe(there), 0);
    CHECK_EQ(pipe(back), 0);
    for (len = 0; len < RIG_BYTES; len++)
        rig_from[len] = (unsigned char)(len * 31 + (len >> 8) * 7 + 1); /* same as in rig_open() */
    child = test_peer();
    if (child == 0) {
        close(back[1]);
        switch (setjmp(test_leave)) {
        case 0:
            export_and_wait(there[1], back[0]);
            break;
        case 2: /* the child called test_skip() */
            _exit(77);
        default:
            break;
        }
        fflush(stdout);
        _exit(1);
    }
    close(there[1]);
    close(back[0]);
    if (read(there[0], &at, sizeof(at)) != sizeof(at)) {
        CHECK_EQ(peer_reap(child, 77, __FILE__, __LINE__), 77);
        close(there[0]);
        close(back[1]);
        test_skip("no device supports exports");
    }
    CHECK_EQ(read(there[0], &len, sizeof(len)), sizeof(len));
    CHECK(len <= sizeof(desc));
    CHECK_EQ(read(there[0], desc, len), len);
    CHECK(show_devices(DOCA_CORE_MLX5_ENGINE_AUTO));
    rig_build_on(&r, open_last_device(), 4);
    CHECK_OK(doca_ctx_start(r.ctx));
    r.frees_tasks = true;
    CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, r.dev, &import));
    copy_both_ways(&r, import, at);
    CHECK_EQ(r.num_ok, 2);
    CHECK_EQ(rig_to[1], 20);
    CHECK_EQ(write(back[1], "", 1), 1);
    PEER_REAP(child);
    copy_both_ways(&r, import, at);
    CHECK_EQ(r.num_failed, 2);
    CHECK_RC(r.status, DOCA_ERROR_IO_FAILED);
    CHECK_OK(doca_mmap_destroy(import));
    rig_close(&r);
    close(there[0]);
    close(back[0]);
    close(back[1]);
}

static const struct test_case cases[] = {
    CASE(import_fails_after_its_exporter_ended, ""), /* first: no device is open at its fork */

    CASE(device_has_names_and_addresses, ""),
    CASE(every_engine_copies_on_devices, ""),
    CASE(rings_are_in_the_block_of_their_context, ""),
    CASE(bytes_of_a_context_match_the_macro, ""),
    CASE(short_copies_are_copied, ""),
    CASE(lists_are_copied, ""),
    CASE(long_lists_are_gathered, ""),
    CASE(relaxed_ordering_copies_the_same, ""),
    CASE(largest_supported_copy_succeeds, ""),
    CASE(many_tasks_in_flight_need_no_heap, ""),
    CASE(lost_registration_is_an_error_with_a_syndrome, ""),
    CASE(stop_in_mid_flight_returns_every_task, ""),
    CASE(completion_wakes_a_sleeper, ""),
    CASE(threads_can_sleep_on_many_progress_engines, ""),
    CASE(pds_are_shared_in_both_directions, ""),
    CASE(every_task_ends_once, ""),
    CASE(memory_on_the_device_is_copied, ""),
    CASE(memory_on_the_device_has_no_exports_and_no_restart, ""),
    CASE(memory_that_cannot_be_registered_is_refused_with_the_reason, ""),
    CASE(start_without_descriptors_names_the_limit, ""),
    CASE(export_is_reached_by_another_function, ""),
    CASE(export_for_reading_is_not_written, ""),
};

TEST_MAIN(cases)
