/* Exporters and importers on RDMA devices in separate processes, on two functions of a card if the
 * machine has two. The processes stop their mmaps or are killed at random times. Every child ends
 * when this program ends, and every wait has a time limit. */
#include "mlx5_rig.h"
#include "export_peer.h"

#include "event_rig.h"

enum { PIECE = 4096, ROUNDS = 25 };

/* ---- the exporter ---- */

enum { SECOND_DEVICE = 2 }; /* flag in `how`, like BY_RDMA of export_peer.h */

/* Runs in a child, which opens its devices itself. The parent must not have a device open when it
 * forks. */
static void exporter(int fd, uint32_t how)
{
    uint32_t num = mlx5_show(DOCA_CORE_MLX5_ENGINE_AUTO, mlx5_trap_sys());

    serve_exports(fd, mlx5_open(how & SECOND_DEVICE ? num - 1 : 0), how);
}

static struct peer start_exporter(uint32_t how, struct offer *offer)
{
    struct peer peer = start_peer(exporter, how);

    receive_all(peer.fd, offer, sizeof(*offer));
    return peer;
}

/* ---- the importer ---- */

static void need_exports(void)
{
    (void)mlx5_show(DOCA_CORE_MLX5_ENGINE_AUTO, mlx5_trap_sys());
    if (!mlx5_limits(0).has_export_pci || !mlx5_limits(0).has_import_pci)
        test_skip("the firmware lets no other function use its keys");
    if (!mlx5_limits(0).has_dma)
        test_skip("the first device has no engine that copies");
}

/* Open the importer on the first device. Exporters use the last device. */
static void open_importer(struct rig *r, enum doca_core_mlx5_engine engine, uint32_t num_tasks)
{
    (void)mlx5_show(engine, mlx5_trap_sys());
    mlx5_rig_open(r, mlx5_open(0), num_tasks);
}

static void check_no_import(struct doca_dev *dev, const struct offer *offer)
{
    check_refused(dev, offer, DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_NO_EXPORT);
}

/* Read the whole export, write to a part of it, and compare with the memory that the exporter
 * sends. */
static void check_copies(struct rig *r, struct peer *peer, const struct offer *offer)
{
    static unsigned char want[LEN];
    struct doca_mmap *import = import_of(r->dev, offer);

    memset(rig_to, 0xee, LEN);
    CHECK_OK(mlx5_copy(r, share_src(r, import, offer->addr, LEN), rig_dst(r, 0, LEN)));
    CHECK_MEM(rig_to, memory_of_peer(peer), LEN);
    memcpy(want, rig_to, LEN);
    memcpy(want + 101, rig_from, 20000);
    CHECK_OK(mlx5_copy(r, rig_src(r, 0, 20000), share_dst(r, import, offer->addr + 101, 20000)));
    CHECK_MEM(memory_of_peer(peer), want, LEN);
    CHECK_OK(mlx5_copy(r, rig_src(r, 5, 1), share_dst(r, import, offer->addr + LEN - 1, 1)));
    CHECK_EQ(memory_of_peer(peer)[LEN - 1], rig_from[5]);
    CHECK_OK(doca_mmap_destroy(import));
}

static void sleeping_exporter_is_read_and_written(void)
{
    struct offer offer;
    struct peer peer;
    struct rig r;
    uint32_t how;
    size_t i;

    need_exports();
    for (i = 0; i < MLX5_NUM_ENGINES; i++) {
        (void)mlx5_show(mlx5_engines[i], mlx5_trap_sys());
        if (!mlx5_limits(0).has_dma)
            continue;
        for (how = 0; how < 4; how++) {
            peer = start_exporter(how, &offer);
            open_importer(&r, mlx5_engines[i], 4);
            check_copies(&r, &peer, &offer);
            rig_close(&r);
            end_peer(&peer);
        }
    }
}

/* Copy from one exporter to another: the bytes do not pass through this process. */
static void import_is_copied_to_import_of_another_exporter(void)
{
    struct doca_mmap *import[2];
    static unsigned char want[LEN];
    struct offer offer[2];
    struct peer peer[2];
    struct rig r;
    unsigned i;

    need_exports();
    for (i = 0; i < 2; i++)
        peer[i] = start_exporter(i == 0 ? SECOND_DEVICE : BY_RDMA, &offer[i]);
    open_importer(&r, DOCA_CORE_MLX5_ENGINE_AUTO, 4);
    for (i = 0; i < 2; i++)
        import[i] = import_of(r.dev, &offer[i]);
    CHECK_OK(mlx5_copy(&r, rig_src(&r, 0, LEN), share_dst(&r, import[0], offer[0].addr, LEN)));
    memcpy(want, memory_of_peer(&peer[1]), LEN);
    memcpy(want + 300, rig_from + 7, 30000);
    CHECK_OK(mlx5_copy(&r, share_src(&r, import[0], offer[0].addr + 7, 30000),
                       share_dst(&r, import[1], offer[1].addr + 300, 30000)));
    CHECK_MEM(memory_of_peer(&peer[1]), want, LEN);
    CHECK_MEM(memory_of_peer(&peer[0]), rig_from, LEN);
    for (i = 0; i < 2; i++)
        CHECK_OK(doca_mmap_destroy(import[i]));
    rig_close(&r);
    for (i = 0; i < 2; i++)
        end_peer(&peer[i]);
}

/* ---- exporters that end ---- */

static void copies_fail_after_the_exporter_was_killed(void)
{
    struct doca_mmap *import;
    struct offer offer;
    struct peer peer;
    struct rig r;
    uint32_t how;

    need_exports();
    for (how = 0; how < 4; how++) {
        peer = start_exporter(how, &offer);
        open_importer(&r, DOCA_CORE_MLX5_ENGINE_AUTO, 4);
        import = import_of(r.dev, &offer);
        kill_peer(&peer);
        mlx5_check_denied(&r, share_src(&r, import, offer.addr, LEN), rig_dst(&r, 0, LEN));
        mlx5_check_denied(&r, rig_src(&r, 0, LEN), share_dst(&r, import, offer.addr, LEN));
        check_no_import(r.dev, &offer);
        /* the importing process can still copy within its own memory */
        CHECK_OK(mlx5_copy(&r, rig_src(&r, 0, LEN), rig_dst(&r, 0, LEN)));
        CHECK_OK(doca_mmap_destroy(import));
        rig_close(&r);
    }
}

static void copies_fail_after_the_exporter_stopped(void)
{
    struct doca_mmap *import;
    struct offer offer, anew;
    unsigned char answer;
    struct peer peer;
    struct rig r;
    uint32_t how;

    need_exports();
    for (how = 0; how < 4; how++) {
        peer = start_exporter(how, &offer);
        open_importer(&r, DOCA_CORE_MLX5_ENGINE_AUTO, 4);
        import = import_of(r.dev, &offer);
        send_all(peer.fd, "s", 1);
        receive_all(peer.fd, &answer, 1);
        check_no_import(r.dev, &offer);
        mlx5_check_denied(&r, share_src(&r, import, offer.addr, LEN), rig_dst(&r, 0, LEN));
        send_all(peer.fd, "e", 1);
        receive_all(peer.fd, &anew, sizeof(anew));
        check_no_import(r.dev, &offer);
        mlx5_check_denied(&r, rig_src(&r, 0, LEN), share_dst(&r, import, offer.addr, LEN));
        check_copies(&r, &peer, &anew);
        CHECK_OK(doca_mmap_destroy(import));
        rig_close(&r);
        end_peer(&peer);
    }
}

/* True when every byte of `now` has either the value that the exporter filled in or the value that
 * an importer writes. */
static bool is_of_either(const unsigned char *now, size_t at, size_t bytes)
{
    static unsigned char filled[LEN];
    size_t i;

    share_fill(filled, LEN, 1);
    for (i = 0; i < bytes; i++)
        if (now[i] != filled[at + i] && now[i] != rig_from[at + i])
            return false;
    return true;
}

/* Copy to and from the exporter, a different piece each time, until a copy fails. */
static unsigned copy_until_it_fails(struct rig *r, struct doca_mmap *import,
                                    const struct offer *offer)
{
    struct timespec begin, now;
    unsigned num = 0;
    size_t at;

    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        at = num % (LEN / PIECE) * PIECE;
        memset(rig_to + at, 0xee, PIECE);
        if (mlx5_copy(r, share_src(r, import, offer->addr + at, PIECE), rig_dst(r, at, PIECE)) !=
                DOCA_SUCCESS ||
            mlx5_copy(r, rig_src(r, at, PIECE), share_dst(r, import, offer->addr + at, PIECE)) !=
                DOCA_SUCCESS)
            break;
        CHECK(is_of_either(rig_to + at, at, PIECE));
        num++;
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec - begin.tv_sec < 20);
    CHECK_RC(r->status, DOCA_ERROR_IO_FAILED);
    return num;
}

static void kill_after(struct peer *peer, uint32_t delay_us)
{
    pid_t killer;

    heap_trap_set(HEAP_TRAP_OFF);
    peer_forget(peer->pid);
    killer = fork();
    CHECK(killer >= 0);
    if (killer == 0) {
        usleep(delay_us);
        kill(peer->pid, SIGKILL);
        _exit(0);
    }
    heap_trap_set(HEAP_TRAP_ABORT);
}

/* The exporter is killed, or stops its mmap, while the importer submits tasks without a pause. */
static void exporter_may_end_at_any_time(void)
{
    struct doca_mmap *import;
    uint32_t delay_us;
    struct offer offer;
    struct peer peer;
    struct rig r;
    unsigned i;

    need_exports();
    for (i = 0; i < ROUNDS; i++) {
        delay_us = rig_random(20000);
        peer = start_exporter(i % 4, &offer);
        if (i % 3 != 0)
            kill_after(&peer, delay_us + 5000);
        (void)mlx5_show(mlx5_engines[i % MLX5_NUM_ENGINES], mlx5_trap_sys());
        open_importer(&r, mlx5_limits(0).has_dma ? mlx5_engines[i % MLX5_NUM_ENGINES]
                                                 : DOCA_CORE_MLX5_ENGINE_AUTO, 8);
        import = NULL;
        if (doca_mmap_create_from_export(NULL, offer.desc, offer.desc_len, r.dev, &import) !=
            DOCA_SUCCESS) {
            CHECK(i % 3 != 0); /* an import may fail only if the exporter has been killed already */
            CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_NO_EXPORT);
        }
        if (i % 3 == 0) {
            send_all(peer.fd, "t", 1);
            send_all(peer.fd, &delay_us, sizeof(delay_us));
        }
        if (import != NULL) {
            (void)copy_until_it_fails(&r, import, &offer);
            CHECK_OK(doca_mmap_destroy(import));
        }
        rig_close(&r);
        if (i % 3 == 0) {
            end_peer(&peer);
        } else {
            reap_killed_peer(&peer);
            CHECK(wait(NULL) > 0); /* reap the process that killed the exporter */
        }
    }
}

/* ---- importers that end ---- */

/* Import the descriptor that the parent sends, confirm it, and copy in both directions until
 * killed. */
static void importer(int fd, uint32_t engine)
{
    struct doca_mmap *import;
    struct offer offer;
    struct rig r;

    receive_all(fd, &offer, sizeof(offer));
    open_importer(&r, (enum doca_core_mlx5_engine)engine, 8);
    import = import_of(r.dev, &offer);
    send_all(fd, "i", 1);
    (void)copy_until_it_fails(&r, import, &offer);
}

/* An importer is killed at any time. The exporter's memory stays intact, other processes can import
 * it, and the exporter can stop its mmap. */
static void importer_may_end_at_any_time(void)
{
    struct offer offer;
    struct peer owner, user;
    unsigned char answer;
    struct rig r;
    unsigned i;
    size_t at;

    need_exports();
    for (at = 0; at < LEN; at++)
        rig_from[at] = (unsigned char)(at * 31 + (at >> 8) * 7 + 1); /* same as in rig_open() */
    owner = start_exporter(SECOND_DEVICE, &offer);
    for (i = 0; i < ROUNDS; i++) {
        user = start_peer(importer, i % 2 == 0 ? DOCA_CORE_MLX5_ENGINE_AUTO
                                               : DOCA_CORE_MLX5_ENGINE_RC);
        send_all(user.fd, &offer, sizeof(offer));
        receive_all(user.fd, &answer, 1);
        usleep(rig_random(15000));
        kill_peer(&user);
        CHECK(is_of_either(memory_of_peer(&owner), 0, LEN));
    }
    open_importer(&r, DOCA_CORE_MLX5_ENGINE_AUTO, 4);
    check_copies(&r, &owner, &offer);
    rig_close(&r);
    send_all(owner.fd, "s", 1);
    receive_all(owner.fd, &answer, 1);
    end_peer(&owner);
}

/* ---- sync events ---- */

/* The process of the host: export an event whose value is in its memory, wait on the CPU until the
 * value is at least `sum`, and send the value to the parent. */
static void event_exporter(int fd, uint32_t sum)
{
    static uint64_t value __attribute__((aligned(64)));
    uint32_t num = mlx5_show(DOCA_CORE_MLX5_ENGINE_AUTO, mlx5_trap_sys());
    struct doca_dev *dev = mlx5_open(num - 1);
    struct doca_buf_inventory *inventory;
    struct doca_sync_event *event;
    struct doca_mmap *map;
    struct doca_buf *buf;
    struct offer offer;
    const uint8_t *desc;
    unsigned char command;

    map = share_map(dev, &value, sizeof(value), SHARE_PCI);
    CHECK_OK(doca_buf_inventory_create(1, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, map, &value, sizeof(value), &buf));
    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_publisher_location_remote_pci(event));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
    CHECK_OK(doca_sync_event_set_doca_buf(event, buf));
    CHECK_OK(doca_sync_event_start(event));
    memset(&offer, 0, sizeof(offer));
    CHECK_OK(doca_sync_event_export_to_remote_pci(event, dev, &desc, &offer.desc_len));
    CHECK(offer.desc_len <= sizeof(offer.desc));
    memcpy(offer.desc, desc, offer.desc_len);
    send_all(fd, &offer, sizeof(offer));
    CHECK_OK(doca_sync_event_wait_gt_yield(event, sum - 1, UINT64_MAX));
    CHECK_OK(doca_sync_event_get(event, &value));
    send_all(fd, &value, sizeof(value));
    while (read(fd, &command, 1) == 1)
        continue;
}

static doca_error_t run_event_task(struct event_rig *e, struct doca_task *task)
{
    unsigned num = e->num_ok + e->num_failed;
    double begin = event_seconds();

    CHECK_OK(doca_task_submit(task));
    while (e->num_ok + e->num_failed == num) {
        (void)doca_pe_progress(e->pe);
        CHECK(event_seconds() - begin < 20);
    }
    doca_task_free(task);
    return e->status;
}

/* Tasks of the DPU add to the event of the host until the host sees the sum that it waits for. When
 * the host is killed, the next task fails, and so do waiting tasks. */
static void tasks_add_to_an_event_of_another_process(void)
{
    enum { SUM = 50 };
    struct doca_sync_event *event;
    struct doca_dev *dev;
    struct offer offer;
    struct event_rig e;
    struct peer host;
    uint64_t value = 0, i;
    unsigned round;

    need_exports();
    if (mlx5_limits(0).event_engine == 0)
        test_skip("the first device has no atomics");
    for (round = 0; round < 2; round++) {
        host = start_peer(event_exporter, SUM);
        receive_all(host.fd, &offer, sizeof(offer));
        (void)mlx5_show(DOCA_CORE_MLX5_ENGINE_AUTO, mlx5_trap_sys());
        dev = mlx5_open(0);
        CHECK_OK(doca_sync_event_create_from_export(dev, offer.desc, offer.desc_len, &event));
        event_build_ctx(&e, dev, event);
        event_start(&e);
        for (i = 0; i < SUM; i++) {
            CHECK_OK(run_event_task(&e, event_add_task(&e, 1, &value)));
            CHECK_EQ(value, i);
        }
        receive_all(host.fd, &value, sizeof(value));
        CHECK_EQ(value, SUM);
        CHECK_OK(run_event_task(&e, event_wait_task(&e, SUM - 1, UINT64_MAX)));
        kill_peer(&host);
        CHECK_RC(run_event_task(&e, round == 0 ? event_add_task(&e, 1, &value)
                                               : event_wait_task(&e, SUM, UINT64_MAX)),
                 DOCA_ERROR_IO_FAILED);
        event_drain(&e);
        CHECK_EQ(rig_state(e.ctx), DOCA_CTX_STATE_IDLE);
        event_close_ctx(&e);
        CHECK_RC(doca_sync_event_create_from_export(dev, offer.desc, offer.desc_len, &event),
                 DOCA_ERROR_INVALID_VALUE);
        CHECK_OK(doca_dev_close(dev));
    }
}

/* ---- devices without aliases ---- */

static int general_cmd_without_aliases(struct ibv_context *context, const void *in, size_t in_bytes,
                                       void *out, size_t out_bytes)
{
    int error = mlx5_trap_general_cmd(context, in, in_bytes, out, out_bytes);

    if (error == 0 && out_bytes > 4096) /* the answer has the capabilities */
        ((unsigned char *)out)[16 + 0x20 / 8] &= 0x7f;
    return error;
}

static void show_without_aliases(void)
{
    static struct doca_core_mlx5_sys sys;

    sys = *mlx5_trap_sys();
    sys.general_cmd = general_cmd_without_aliases;
    (void)mlx5_show(DOCA_CORE_MLX5_ENGINE_AUTO, &sys);
}

static void exporter_without_aliases(int fd, uint32_t how)
{
    show_without_aliases();
    serve_exports(fd, mlx5_open(0), how);
}

/* Without aliases, a device imports the RDMA exports of its own process. A child of fork() is
 * another process, although it inherits the memory of its parent. */
static void export_of_a_child_is_not_one_of_its_parent(void)
{
    struct doca_dev *dev;
    struct offer offer;
    struct peer peer;

    show_without_aliases();
    peer = start_peer(exporter_without_aliases, BY_RDMA);
    receive_all(peer.fd, &offer, sizeof(offer));
    dev = mlx5_open(0);
    check_refused(dev, &offer, DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_NO_ALIAS);
    CHECK_OK(doca_dev_close(dev));
    end_peer(&peer);
}

static const struct test_case cases[] = {
    CASE(sleeping_exporter_is_read_and_written, ""),
    CASE(import_is_copied_to_import_of_another_exporter, ""),
    CASE(copies_fail_after_the_exporter_was_killed, ""),
    CASE(copies_fail_after_the_exporter_stopped, ""),
    CASE(exporter_may_end_at_any_time, ""),
    CASE(importer_may_end_at_any_time, ""),
    CASE(tasks_add_to_an_event_of_another_process, ""),
    CASE(export_of_a_child_is_not_one_of_its_parent, ""),
};

TEST_MAIN(cases)
