/* Exporters and importers in separate processes. The processes sleep, are killed, or may not access
 * each other's memory. Every child ends at the latest with this program, and every wait has a time
 * limit. */
#include "export_peer.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

enum { NOBODY = 65534 };

/* ---- the exporter ---- */

/* flags of `how`, with BY_RDMA of export_peer.h */
enum { AS_NOBODY = 2, NOT_DUMPABLE = 4, DUMPABLE = 8, LETS_ANYBODY = 16 };

static void exporter(int fd, uint32_t how)
{
    if (how & AS_NOBODY)
        CHECK_EQ(setgid(NOBODY) | setuid(NOBODY), 0);
    if (how & (DUMPABLE | NOT_DUMPABLE))
        CHECK_EQ(sys_prctl(PR_SET_DUMPABLE, how & DUMPABLE ? 1 : 0, 0), 0);
    if (how & LETS_ANYBODY)
        CHECK_EQ(setenv("DOCA_CORE_SW_PTRACER", "any", 1), 0);
    serve_exports(fd, rig_open_dev(NULL), how);
}

static void execute(const char *as, int fd, uint32_t arg)
{
    char fd_text[16], arg_text[16];

    snprintf(fd_text, sizeof(fd_text), "%d", fd);
    snprintf(arg_text, sizeof(arg_text), "%u", arg);
    execl("/proc/self/exe", "peer", as, fd_text, arg_text, (char *)NULL);
    CHECK(false);
}

/* The same exporter as a newly executed program, whose addresses differ from those of this
 * program. */
static void executed_exporter(int fd, uint32_t how)
{
    execute("--exporter", fd, how);
}

static struct peer start_exporter(uint32_t how, struct offer *offer)
{
    /* a forked child can use an open software device, but not an open RDMA device */
    struct peer peer = start_peer(test_other() == NULL ? exporter : executed_exporter, how);

    receive_all(peer.fd, offer, sizeof(*offer));
    return peer;
}

static void check_no_import(struct doca_dev *dev, const struct offer *offer, doca_error_t code,
                            enum doca_core_item item)
{
    check_refused(dev, offer, code);
    if (test_other() != NULL) /* the firmware only reports that the export does not exist */
        item = DOCA_CORE_ITEM_MLX5_NO_EXPORT;
    CHECK_STR(doca_core_item_text(doca_core_last_item()), doca_core_item_text(item));
}

/* Read all of the export and write to a part of it. Compare the result with the exporter's memory,
 * which the exporter sends. */
static void check_copies(struct rig *r, struct peer *peer, const struct offer *offer)
{
    static unsigned char want[LEN];
    /* with a smaller shift source and destination overlap, which RDMA devices refuse in imported
     * memory */
    const size_t shift = test_other() == NULL ? 5000 : 30000;
    struct doca_mmap *import = import_of(r->dev, offer);

    share_copy(r, share_src(r, import, offer->addr, LEN), rig_dst(r, 0, LEN));
    CHECK_MEM(rig_to, memory_of_peer(peer), LEN);
    memcpy(want, rig_to, LEN);
    memcpy(want + 100, rig_from, 20000);
    share_copy(r, rig_src(r, 0, 20000), share_dst(r, import, offer->addr + 100, LEN - 100));
    CHECK_MEM(memory_of_peer(peer), want, LEN);
    memmove(want + shift, want, 30000);
    share_copy(r, share_src(r, import, offer->addr, 30000),
               share_dst(r, import, offer->addr + shift, 30000));
    CHECK_MEM(memory_of_peer(peer), want, LEN);
    share_copy(r, rig_src(r, 0, 1), share_dst(r, import, offer->addr, 1)); /* first and last byte */
    share_copy(r, rig_src(r, 0, 1), share_dst(r, import, offer->addr + LEN - 1, 1));
    CHECK_EQ(memory_of_peer(peer)[LEN - 1], rig_from[0]);
    CHECK_OK(doca_mmap_destroy(import));
}

/* ---- exporters that sleep ---- */

static void sleeping_exporter_is_read_and_written(void)
{
    struct offer offer;
    struct peer peer;
    struct rig r;
    uint32_t how;

    share_rig_open(&r, 4);
    for (how = 0; how <= BY_RDMA; how++) {
        peer = start_exporter(how, &offer);
        check_copies(&r, &peer, &offer);
        end_peer(&peer);
    }
    rig_close(&r);
}

static void unrelated_exporter_is_read_and_written(void)
{
    struct offer offer;
    struct peer peer;
    struct rig r;
    uint32_t how;

    share_rig_open(&r, 4);
    for (how = 0; how <= BY_RDMA; how++) {
        peer = start_peer(executed_exporter, how);
        receive_all(peer.fd, &offer, sizeof(offer));
        check_copies(&r, &peer, &offer);
        end_peer(&peer);
    }
    rig_close(&r);
}

/* Import one descriptor of each of two exporters, and copy from one import to the other. */
static void two_exporters_are_copied_between(void)
{
    struct doca_mmap *imports[2];
    static unsigned char want[LEN];
    enum { EACH = 500 };
    struct offer offers[2];
    struct peer peers[2];
    unsigned i, k;
    struct rig r;

    share_rig_open(&r, 4);
    for (i = 0; i < 2; i++) {
        peers[i] = start_exporter(0, &offers[i]);
        imports[i] = import_of(r.dev, &offers[i]);
    }
    share_copy(&r, rig_src(&r, 0, LEN), share_dst(&r, imports[0], offers[0].addr, LEN));
    memcpy(want, memory_of_peer(&peers[1]), LEN);
    memcpy(want + 300, rig_from + 7, 30000);
    share_copy(&r, share_src(&r, imports[0], offers[0].addr + 7, 30000),
               share_dst(&r, imports[1], offers[1].addr + 300, 30000));
    CHECK_MEM(memory_of_peer(&peers[1]), want, LEN);
    CHECK_MEM(memory_of_peer(&peers[0]), rig_from, LEN);
    for (k = 0; k < 2; k++) { /* each exporter is source and destination in turn */
        struct doca_buf *far_list = NULL, *local;

        for (i = 0; i < 10; i++) {
            unsigned char *at = offers[i % 2].addr + (size_t)i * EACH;
            struct doca_buf *buf = k == 0 ? share_src(&r, imports[i % 2], at, EACH)
                                          : share_dst(&r, imports[i % 2], at, EACH);

            memcpy(want + i * EACH,
                   (k == 0 ? memory_of_peer(&peers[i % 2]) : rig_from) + i * EACH, EACH);
            if (far_list == NULL)
                far_list = buf;
            else
                CHECK_OK(doca_buf_chain_list(far_list, buf));
        }
        local = k == 0 ? rig_dst(&r, 0, 10 * EACH) : rig_src(&r, 0, 10 * EACH);
        share_copy(&r, k == 0 ? far_list : local, k == 0 ? local : far_list);
        for (i = 0; i < 10; i++)
            CHECK_MEM((k == 0 ? rig_to : memory_of_peer(&peers[i % 2])) + i * EACH, want + i * EACH,
                      EACH);
    }
    for (i = 0; i < 2; i++) {
        CHECK_OK(doca_mmap_destroy(imports[i]));
        end_peer(&peers[i]);
    }
    rig_close(&r);
}

/* ---- exporters that end ---- */

static void dead_exporter_is_not_imported(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct offer offer;
    struct peer peer = start_exporter(0, &offer);
    siginfo_t info;

    peer_kill(peer.pid);
    CHECK_EQ(waitid(P_PID, (id_t)peer.pid, &info, WEXITED | WNOWAIT), 0);
    check_no_import(dev, &offer, DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_EXPORTER_GONE);
    /* the zombie is reaped, so its process number is free */
    CHECK_EQ(waitpid(peer.pid, NULL, 0), peer.pid);
    hang_up(&peer);
    check_no_import(dev, &offer, DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_EXPORTER_GONE);
    CHECK_OK(doca_dev_close(dev));
}

static void tasks_on_an_ended_exporter_fail_and_name_the_reason(void)
{
    struct doca_mmap *import;
    unsigned char *middle;
    struct offer offer;
    struct peer peer;
    struct rig r;
    int way;

    share_rig_open(&r, 4);
    for (way = 0; way < 3; way++) {
        peer = start_exporter(way == 2 ? BY_RDMA : 0, &offer);
        import = import_of(r.dev, &offer);
        kill_peer(&peer);
        middle = offer.addr + LEN / 2;
        share_fails(&r,
                    way == 1 ? rig_src(&r, 0, LEN / 2) : share_src(&r, import, offer.addr, LEN / 2),
                    way == 0 ? rig_dst(&r, 0, LEN / 2) : share_dst(&r, import, middle, LEN / 2),
                    DOCA_CORE_ITEM_EXPORTER_GONE);
        CHECK_OK(doca_mmap_destroy(import));
        peer = start_exporter(0, &offer);
        check_copies(&r, &peer, &offer);
        end_peer(&peer);
    }
    rig_close(&r);
}

enum { LARGE = 4 << 20 }; /* more bytes than the library copies with one system call */

static unsigned char large[LARGE];

static void large_exporter(int fd, uint32_t how)
{
    struct doca_dev *dev = rig_open_dev(NULL);

    memset(large, UNTOUCHED, LARGE);
    send_offer(fd, share_map(dev, large, LARGE, DOCA_ACCESS_FLAG_RDMA_READ), dev, how);
    pause();
}

/* A copy that takes several system calls ends with the first call that fails. */
static void large_copy_from_an_ended_exporter_fails(void)
{
    struct doca_mmap *import, *own;
    struct offer offer;
    struct peer peer;
    struct rig r;
    size_t i;

    share_rig_open(&r, 4);
    peer = start_peer(large_exporter, BY_RDMA);
    receive_all(peer.fd, &offer, sizeof(offer));
    import = import_of(r.dev, &offer);
    own = share_map(r.dev, large, LARGE, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    share_copy(&r, share_src(&r, import, offer.addr, LARGE), share_dst(&r, own, large, LARGE));
    for (i = 0; i < LARGE; i++)
        CHECK_EQ(large[i], UNTOUCHED);
    kill_peer(&peer);
    share_fails(&r, share_src(&r, import, offer.addr, LARGE), share_dst(&r, own, large, LARGE),
                DOCA_CORE_ITEM_EXPORTER_GONE);
    CHECK_OK(doca_mmap_destroy(own));
    CHECK_OK(doca_mmap_destroy(import));
    rig_close(&r);
}

static void stopped_exporter_is_noticed(void)
{
    struct doca_mmap *import;
    struct offer offer, anew;
    unsigned char answer;
    struct peer peer;
    struct rig r;
    uint32_t how;

    share_rig_open(&r, 4);
    for (how = 0; how <= BY_RDMA; how++) {
        peer = start_exporter(how, &offer);
        import = import_of(r.dev, &offer);
        send_all(peer.fd, "s", 1);
        receive_all(peer.fd, &answer, 1);
        check_no_import(r.dev, &offer, DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_EXPORTER_STOPPED);
        share_fails(&r, share_src(&r, import, offer.addr, LEN), rig_dst(&r, 0, LEN),
                    DOCA_CORE_ITEM_EXPORTER_STOPPED);
        share_fails(&r, rig_src(&r, 0, LEN), share_dst(&r, import, offer.addr, LEN),
                    DOCA_CORE_ITEM_EXPORTER_STOPPED);
        send_all(peer.fd, "e", 1);
        receive_all(peer.fd, &anew, sizeof(anew));
        check_no_import(r.dev, &offer, DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_EXPORTER_STOPPED);
        share_fails(&r, rig_src(&r, 0, LEN), share_dst(&r, import, offer.addr, LEN),
                    DOCA_CORE_ITEM_EXPORTER_STOPPED);
        check_copies(&r, &peer, &anew);
        CHECK_OK(doca_mmap_destroy(import));
        end_peer(&peer);
    }
    rig_close(&r);
}

/* Simulates an exporter that has ended and whose process number belongs to another process: the
 * test writes that number into the import. Both processes are forked from this one, so even the
 * address of the token is the same in both. */
static void reused_process_number_is_noticed(void)
{
    struct doca_priv_mmap_desc desc;
    struct offer offer, other_offer;
    struct peer peer, other;
    struct doca_mmap *import;
    pid_t pids[2];
    struct rig r;
    unsigned i;

    share_rig_open(&r, 4);
    peer = start_exporter(0, &offer);
    other = start_exporter(0, &other_offer);
    CHECK_EQ(offer.desc_len, sizeof(desc));
    pids[0] = other.pid;
    pids[1] = getpid();
    for (i = 0; i < 2; i++) {
        struct offer forged = offer;

        memcpy(&desc, offer.desc, sizeof(desc));
        desc.head.pid = (uint32_t)pids[i];
        share_seal(&desc);
        memcpy(forged.desc, &desc, sizeof(desc));
        check_no_import(r.dev, &forged, DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_EXPORTER_STOPPED);
    }
    import = import_of(r.dev, &offer); /* the exporter ends while the import exists */
    OBJECT(import)->far->pid = (uint32_t)other.pid;
    share_fails(&r, rig_src(&r, 0, LEN), share_dst(&r, import, offer.addr, LEN),
                DOCA_CORE_ITEM_EXPORTER_STOPPED);
    share_fails(&r, share_src(&r, import, offer.addr, LEN), rig_dst(&r, 0, LEN),
                DOCA_CORE_ITEM_EXPORTER_STOPPED);
    share_fill(rig_from, LEN, 1);
    /* the failed copies did not change the memory of `other` */
    CHECK_MEM(memory_of_peer(&other), rig_from, LEN);
    CHECK_OK(doca_mmap_destroy(import));
    end_peer(&peer);
    end_peer(&other);
    rig_close(&r);
}

/* ---- exporters that end at any moment ---- */

enum { NUM_STREAM = 8, PIECE = LEN / NUM_STREAM };

static struct {
    struct doca_buf *src[NUM_STREAM], *dst[NUM_STREAM];
    uint64_t num_submitted, num_ended;
    unsigned num_out;
    enum doca_core_item item; /* log item of the first failure */
} stream;

static void stream_submit(struct doca_dma_task_memcpy *task)
{
    CHECK_OK(rig_submit(task));
    stream.num_submitted++;
}

static void stream_done(struct rig *r, struct doca_dma_task_memcpy *task)
{
    struct doca_buf *dst = doca_dma_task_memcpy_get_dst(task);

    stream.num_ended++;
    if (r->status == DOCA_SUCCESS) {
        CHECK_EQ(rig_data_len(dst), PIECE);
        CHECK_OK(doca_buf_reset_data_len(dst));
        stream_submit(task);
        return;
    }
    CHECK_RC(r->status, DOCA_ERROR_IO_FAILED);
    CHECK_EQ(rig_data_len(dst), 0);
    if (stream.item == DOCA_CORE_ITEM_NONE) {
        stream.item = doca_core_last_item();
        CHECK(strstr(doca_core_last_error(), doca_core_item_text(stream.item)) != NULL);
    }
    rig_release(task);
    stream.num_out--;
}

static double seconds(void)
{
    struct timespec now;

    CHECK_EQ(clock_gettime(CLOCK_MONOTONIC, &now), 0);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Read, write, and copy between parts of the import, until a task fails because the exporter
 * ended. */
static void stream_until_failure(struct rig *r, struct doca_mmap *import, const struct offer *offer)
{
    double begin = seconds();
    unsigned i;

    memset(&stream, 0, sizeof(stream));
    r->on_task = stream_done;
    for (i = 0; i < NUM_STREAM; i++) {
        unsigned char *far_at = offer->addr + i * PIECE;
        struct doca_buf *src, *dst;

        src = i % 4 == 0 ? rig_src(r, i * PIECE, PIECE) : share_src(r, import, far_at, PIECE);
        dst = i % 4 == 0   ? share_dst(r, import, far_at, PIECE)
              : i % 4 == 1 ? share_dst(r, import, offer->addr, PIECE)
                           : rig_dst(r, i * PIECE, PIECE);
        stream_submit(rig_task(r->dma, src, dst));
        stream.num_out++;
    }
    while (rig_state(r->ctx) != DOCA_CTX_STATE_IDLE) {
        rig_progress(r);
        CHECK(seconds() - begin < 5);
    }
    rig_drain(r);
    CHECK_EQ(stream.num_out, 0);
    CHECK_EQ(stream.num_ended, stream.num_submitted);
    CHECK_EQ(rig_inflight(r->ctx), 0);
    r->on_task = share_task_done;
    share_recover(r);
}

/* Use imports of exporters that end during the copies. `command` is 'd' (the exporter dies after
 * some time) or 't' (it stops its mmap after some time). */
static void end_exporters(unsigned char command, double duration, enum doca_core_item item)
{
    double begin = seconds();
    struct doca_mmap *import, *late;
    struct offer offer;
    struct peer peer;
    doca_error_t rc;
    unsigned num;
    struct rig r;

    share_rig_open(&r, NUM_STREAM);
    for (num = 0; seconds() - begin < duration || num < 3; num++) {
        uint32_t delay_us = rig_random(num % 2 == 0 ? 300 : 6000);

        peer = start_exporter(0, &offer);
        import = import_of(r.dev, &offer);
        if (command == 'd')
            peer_forget(peer.pid);
        send_all(peer.fd, &command, 1);
        send_all(peer.fd, &delay_us, sizeof(delay_us));
        if (num % 3 == 0) { /* the exporter may have ended before this import */
            usleep(rig_random(300));
            rc = doca_mmap_create_from_export(NULL, offer.desc, offer.desc_len, r.dev, &late);
            CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_INVALID_VALUE);
            if (rc == DOCA_SUCCESS)
                CHECK_OK(doca_mmap_destroy(late));
        }
        stream_until_failure(&r, import, &offer);
        share_check_item(stream.item, item);
        CHECK_OK(doca_mmap_destroy(import));
        if (command == 'd') {
            CHECK_EQ(waitpid(peer.pid, NULL, 0), peer.pid);
            hang_up(&peer);
        } else {
            kill_peer(&peer); /* the exporter has stopped its mmap but still runs */
        }
    }
    rig_close(&r);
}

static void exporter_may_be_killed_at_any_moment(void)
{
    end_exporters('d', 1.5, DOCA_CORE_ITEM_EXPORTER_GONE);
}

static void exporter_may_stop_at_any_moment(void)
{
    end_exporters('t', 0.7, DOCA_CORE_ITEM_EXPORTER_STOPPED);
}

/* ---- importers that end at any moment ---- */

static struct offer own_offer; /* the export of this process */

/* Write one value to random parts of the exporter's range until this process is killed. */
static void writing_importer(int fd, uint32_t unused)
{
    struct doca_mmap *import;
    struct doca_buf *src, *dst;
    struct rig r;

    (void)unused;
    share_rig_open(&r, 4);
    memset(rig_from, 0x5a, RIG_BYTES);
    import = import_of(r.dev, &own_offer);
    send_all(fd, "r", 1);
    for (;;) {
        size_t off = rig_random(LEN), len = 1 + rig_random((uint32_t)(LEN - off));

        if (rig_random(4) == 0)
            len = LEN - off;
        src = rig_src(&r, 0, len);
        dst = share_dst(&r, import, own_offer.addr + off, len);
        share_copy(&r, src, dst);
    }
}

static void executed_importer(int fd, uint32_t unused)
{
    execute("--importer", fd, unused);
}

static void killed_importer_changes_only_its_destinations(void)
{
    static unsigned char memory[LEN + 2 * GUARD];
    struct doca_dev *dev = rig_open_dev(NULL);
    double begin = seconds();
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    struct doca_mmap *map;
    unsigned num, written = 0;
    const void *desc;
    size_t i;

    /* Yama would permit access to ancestors only, and the importers are children of this
     * exporter */
    CHECK_EQ(setenv("DOCA_CORE_SW_PTRACER", "any", 1), 0);
    heap_trap_set(mode);
    map = share_map(dev, memory + GUARD, LEN, SHARE_PCI);
    CHECK_OK(doca_mmap_export_pci(map, dev, &desc, &own_offer.desc_len));
    memcpy(own_offer.desc, desc, own_offer.desc_len);
    own_offer.addr = memory + GUARD;
    for (num = 0; seconds() - begin < 0.7 || num < 3; num++) {
        unsigned char ready;
        struct peer peer;

        memset(memory, UNTOUCHED, sizeof(memory));
        peer = start_peer(test_other() == NULL ? writing_importer : executed_importer, 0);
        if (test_other() != NULL)
            send_all(peer.fd, &own_offer, sizeof(own_offer));
        receive_all(peer.fd, &ready, 1);
        usleep(rig_random(2000));
        kill_peer(&peer);
        for (i = 0; i < GUARD; i++)
            CHECK(memory[i] == UNTOUCHED && memory[GUARD + LEN + i] == UNTOUCHED);
        for (i = 0; i < LEN; i++) {
            CHECK(memory[GUARD + i] == UNTOUCHED || memory[GUARD + i] == 0x5a);
            written += memory[GUARD + i] == 0x5a;
        }
    }
    CHECK(written > 0);
    heap_trap_set(HEAP_TRAP_OFF);
    unsetenv("DOCA_CORE_SW_PTRACER");
    heap_trap_set(mode);
    CHECK_OK(doca_mmap_destroy(map));
    CHECK_OK(doca_dev_close(dev));
}

/* ---- permissions of the kernel ---- */

static doca_error_t wanted_rc; /* expected result of the importers below */

static void become_nobody(void)
{
    CHECK_EQ(setgid(NOBODY) | setuid(NOBODY), 0);
}

/* Import own_offer, as user nobody or as the present user. The result must be wanted_rc. */
static void importer_with_result(int fd, uint32_t as_nobody)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_mmap *import;

    (void)fd;
    if (as_nobody)
        become_nobody();
    CHECK_RC(doca_mmap_create_from_export(NULL, own_offer.desc, own_offer.desc_len, dev, &import),
             wanted_rc);
    if (wanted_rc == DOCA_SUCCESS) {
        CHECK_OK(doca_mmap_destroy(import));
    } else if (wanted_rc == DOCA_ERROR_NOT_PERMITTED) {
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EXPORTER_GUARDED);
        CHECK(strstr(doca_core_last_error(), "ptrace") != NULL);
        CHECK(strstr(doca_core_last_error(), "DOCA_CORE_SW_PTRACER=any") != NULL);
    }
    CHECK_OK(doca_dev_close(dev));
}

static void run_importer(void (*body)(int fd, uint32_t arg), uint32_t arg, doca_error_t want)
{
    struct peer peer;

    wanted_rc = want;
    peer = start_peer(body, arg);
    end_peer(&peer);
}

static void need_root(void)
{
    if (geteuid() != 0)
        test_skip("only root can become another user");
}

static void importer_of_another_user_is_not_permitted(void)
{
    struct peer peer;

    need_root();
    peer = start_exporter(0, &own_offer);
    run_importer(importer_with_result, 0, DOCA_SUCCESS);
    run_importer(importer_with_result, 1, DOCA_ERROR_NOT_PERMITTED);
    end_peer(&peer);
}

/* This process imports as root, and then becomes user nobody, who may not access the exporter. */
static void demoted_importer(int fd, uint32_t unused)
{
    struct doca_mmap *import;
    struct rig r;

    (void)fd;
    (void)unused;
    share_rig_open(&r, 4);
    import = import_of(r.dev, &own_offer);
    share_copy(&r, share_src(&r, import, own_offer.addr, LEN), rig_dst(&r, 0, LEN));
    become_nobody();
    share_fails(&r, share_src(&r, import, own_offer.addr, LEN), rig_dst(&r, 0, LEN),
                DOCA_CORE_ITEM_EXPORTER_GUARDED);
    share_fails(&r, rig_src(&r, 0, LEN), share_dst(&r, import, own_offer.addr, LEN),
                DOCA_CORE_ITEM_EXPORTER_GUARDED);
    CHECK(strstr(share_text, "ptrace") != NULL);
    CHECK_OK(doca_mmap_destroy(import));
    rig_close(&r);
}

static void importer_that_changes_its_user_fails_at_completion(void)
{
    struct peer peer;

    need_root();
    peer = start_exporter(0, &own_offer);
    run_importer(demoted_importer, 0, DOCA_SUCCESS);
    end_peer(&peer);
}

/* ---- missing services of the system ---- */

enum { NOT_HERE = 77 }; /* exit status of a child that is not permitted to remove the service */
enum { ROOT_WITHOUT_PROC, NO_PROC, NO_SYS, NO_NAMESPACES, NUM_HIDDEN };

/* Hide a part of /proc from this process alone. */
static bool hide_proc(uint32_t part)
{
    static const char *const paths[] = { NULL, "/proc", "/proc/sys", "/proc/self/ns" };

    if (part == ROOT_WITHOUT_PROC) /* change to a root directory without /proc */
        return chroot("/sys") == 0 && chdir("/") == 0;
    return unshare(CLONE_NEWNS) == 0 &&
           mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("tmpfs", paths[part], "tmpfs", 0, NULL) == 0;
}

static void check_needs_proc(doca_error_t rc)
{
    CHECK_RC(rc, DOCA_ERROR_OPERATING_SYSTEM);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_EXPORT_NO_PROC);
    CHECK(strstr(doca_core_last_error(), "mount /proc") != NULL);
    CHECK(strstr(doca_core_last_error(), "ENOENT") != NULL);
}

/* Without /proc a process neither exports nor imports, but can use its earlier imports. */
static void partner_without_proc(int fd, uint32_t part)
{
    struct doca_mmap *import, *none = NULL, *map;
    const void *desc = NULL;
    size_t len = 0;
    struct rig r;

    (void)fd;
    share_rig_open(&r, 4);
    map = share_map(r.dev, rig_from, LEN, SHARE_PCI | SHARE_RDMA);
    import = import_of(r.dev, &own_offer);
    if (!hide_proc(part))
        _exit(NOT_HERE);
    check_needs_proc(doca_mmap_export_pci(map, r.dev, &desc, &len));
    check_needs_proc(doca_mmap_export_rdma(map, r.dev, &desc, &len));
    CHECK(desc == NULL && len == 0);
    check_needs_proc(doca_mmap_create_from_export(NULL, own_offer.desc, own_offer.desc_len, r.dev,
                                                  &none));
    CHECK_PTR(none, NULL);
    share_copy(&r, share_src(&r, import, own_offer.addr, LEN), rig_dst(&r, 0, LEN));
    CHECK_OK(doca_mmap_destroy(import));
    CHECK_OK(doca_mmap_destroy(map));
    rig_close(&r);
}

/* Run `body`, which removes a service from its process, in a child. Return false when this user may
 * not remove the service. */
static bool run_without_service(void (*body)(int fd, uint32_t arg), uint32_t arg)
{
    struct peer peer = start_peer(body, arg);
    int status;

    hang_up(&peer);
    status = peer_reap(peer.pid, NOT_HERE, __FILE__, __LINE__);
    return status != NOT_HERE;
}

static void export_and_import_fail_without_proc(void)
{
    struct peer peer = start_exporter(0, &own_offer);
    unsigned num = 0;
    uint32_t part;

    for (part = 0; part < NUM_HIDDEN; part++)
        num += run_without_service(partner_without_proc, part);
    end_peer(&peer);
    if (num == 0)
        test_skip("this user cannot hide /proc from a process");
}

/* Let system call `number` fail with `error` in this process from now on. */
static bool forbid(long number, int error)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };

    return sys_prctl(PR_SET_NO_NEW_PRIVS, 1, 0) == 0 &&
           sys_prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, (long)&program) == 0;
}

/* Import while a seccomp filter lets process_vm_readv() fail with `error`: EPERM, which the kernel
 * returns to other users, or ENOSYS, which a kernel without this call returns. */
static void filtered_importer(int fd, uint32_t error)
{
    enum doca_core_item item = error == EPERM ? DOCA_CORE_ITEM_EXPORTER_GUARDED
                                              : DOCA_CORE_ITEM_EXPORTER_KERNEL;
    struct doca_mmap *import;
    struct rig r;

    (void)fd;
    share_rig_open(&r, 4);
    import = import_of(r.dev, &own_offer);
    if (!forbid(SYS_process_vm_readv, (int)error))
        _exit(NOT_HERE);
    check_refused(r.dev, &own_offer,
                  error == EPERM ? DOCA_ERROR_NOT_PERMITTED : DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), item);
    CHECK(strstr(doca_core_last_error(), "seccomp") != NULL);
    CHECK((strstr(doca_core_last_error(), "ptrace") != NULL) == (error == EPERM));
    share_fails(&r, share_src(&r, import, own_offer.addr, LEN), rig_dst(&r, 0, LEN), item);
    CHECK(strstr(share_text, "seccomp") != NULL);
    CHECK_OK(doca_mmap_destroy(import));
    rig_close(&r);
}

static void log_names_a_seccomp_filter_as_possible_cause(void)
{
    static const int errors[] = { EPERM, ENOSYS };
    struct peer peer = start_exporter(0, &own_offer);
    unsigned num = 0;
    size_t i;

    for (i = 0; i < 2; i++)
        num += run_without_service(filtered_importer, (uint32_t)errors[i]);
    end_peer(&peer);
    if (num == 0)
        test_skip("seccomp filters are not permitted here");
}

static int ptrace_scope(void)
{
    int fd = open("/proc/sys/kernel/yama/ptrace_scope", O_RDONLY | O_CLOEXEC);
    char digit = '0'; /* without Yama the system behaves as with setting 0 */

    if (fd >= 0) {
        CHECK_EQ(read(fd, &digit, 1), 1);
        close(fd);
    }
    return digit - '0';
}

/* Both processes belong to one ordinary user. The exporter is not dumpable, so only root may access
 * its memory. */
static void undumpable_exporter_is_not_permitted(void)
{
    uint32_t as_nobody = geteuid() == 0 ? AS_NOBODY : 0;
    struct peer peer;

    if (ptrace_scope() == 0) {
        peer = start_exporter(as_nobody | DUMPABLE, &own_offer);
        run_importer(importer_with_result, as_nobody, DOCA_SUCCESS);
        end_peer(&peer);
    }
    peer = start_exporter(as_nobody | NOT_DUMPABLE, &own_offer);
    run_importer(importer_with_result, as_nobody, DOCA_ERROR_NOT_PERMITTED);
    end_peer(&peer);
}

/* Where Yama restricts ptrace to descendants, a sibling can import only if the exporter's
 * environment has DOCA_CORE_SW_PTRACER=any. Elsewhere the variable changes nothing. */
static void siblings_may_import_by_the_exporters_environment(void)
{
    uint32_t as_nobody = geteuid() == 0 ? AS_NOBODY : 0;
    struct peer peer;

    if (ptrace_scope() > 1)
        test_skip("this system forbids access to other processes without CAP_SYS_PTRACE");
    if (ptrace_scope() == 1) {
        peer = start_exporter(as_nobody | DUMPABLE, &own_offer);
        run_importer(importer_with_result, as_nobody, DOCA_ERROR_NOT_PERMITTED);
        end_peer(&peer);
    }
    peer = start_exporter(as_nobody | DUMPABLE | LETS_ANYBODY, &own_offer);
    run_importer(importer_with_result, as_nobody, DOCA_SUCCESS);
    end_peer(&peer);
}

/* An importer in a PID namespace of its own, where process numbers denote other processes. */
static void importer_in_pid_namespace(int fd, uint32_t unused)
{
    pid_t child;

    if (unshare(CLONE_NEWPID) != 0)
        _exit(2);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        importer_with_result(fd, unused);
        _exit(0);
    }
    PEER_REAP(child);
}

/* A forked child has a copy of the memory, but not the exports of its parent. */
static void forked_child_exports_its_own_memory(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_mmap *map = share_map(dev, rig_from, LEN, SHARE_PCI), *import;
    unsigned char parents[256];
    const void *desc;
    size_t len;
    pid_t child;

    CHECK_OK(doca_mmap_export_pci(map, dev, &desc, &len));
    memcpy(parents, desc, len);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        bool is_own = doca_mmap_export_pci(map, dev, &desc, &len) == DOCA_SUCCESS &&
                      memcmp(desc, parents, len) != 0 &&
                      doca_mmap_create_from_export(NULL, desc, len, dev, &import) == DOCA_SUCCESS;

        _exit(is_own ? 0 : 1);
    }
    PEER_REAP(child);
    CHECK_OK(doca_mmap_create_from_export(NULL, parents, len, dev, &import));
    CHECK_OK(doca_mmap_destroy(import));
    CHECK_OK(doca_mmap_destroy(map));
    CHECK_OK(doca_dev_close(dev));
}

static void importer_in_another_pid_namespace_is_not_supported(void)
{
    struct peer peer, importer;
    int status = -1;

    need_root();
    peer = start_exporter(0, &own_offer);
    wanted_rc = DOCA_ERROR_NOT_SUPPORTED;
    importer = start_peer(importer_in_pid_namespace, 0);
    hang_up(&importer);
    status = peer_reap(importer.pid, 2, __FILE__, __LINE__);
    end_peer(&peer);
    if (status == 2)
        test_skip("this system does not permit a new PID namespace");
}

static const struct test_case cases[] = {
    CASE(sleeping_exporter_is_read_and_written, "87 88"),
    CASE(unrelated_exporter_is_read_and_written, "87 88"),
    CASE(two_exporters_are_copied_between, "87"),
    CASE(dead_exporter_is_not_imported, "86"),
    CASE(tasks_on_an_ended_exporter_fail_and_name_the_reason, ""),
    CASE(stopped_exporter_is_noticed, "80"),
    CASE_OF_SW(reused_process_number_is_noticed, "80 86", "process numbers"),
    CASE_OF_SW(large_copy_from_an_ended_exporter_fails, "",
               "that it copies in several system calls"),
    CASE(exporter_may_be_killed_at_any_moment, ""),
    CASE(exporter_may_stop_at_any_moment, "80"),
    CASE(killed_importer_changes_only_its_destinations, "87"),
    CASE_OF_SW(forked_child_exports_its_own_memory, "77", "that it is usable after fork()"),
    CASE_OF_SW(importer_of_another_user_is_not_permitted, "",
               "that access to memory needs the ptrace permission"),
    CASE_OF_SW(importer_that_changes_its_user_fails_at_completion, "",
               "that access to memory needs the ptrace permission"),
    CASE_OF_SW(undumpable_exporter_is_not_permitted, "",
               "that access to memory needs the ptrace permission"),
    CASE_OF_SW(siblings_may_import_by_the_exporters_environment, "",
               "that access to memory needs the ptrace permission"),
    CASE_OF_SW(importer_in_another_pid_namespace_is_not_supported, "",
               "that access to memory needs the ptrace permission"),
    CASE_OF_SW(export_and_import_fail_without_proc, "", "that exports and imports need /proc"),
    CASE_OF_SW(log_names_a_seccomp_filter_as_possible_cause, "",
               "that it copies with process_vm_readv()"),
};

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--exporter") == 0) {
        if (setjmp(test_leave) != 0)
            return 1;
        exporter(atoi(argv[2]), (uint32_t)strtoul(argv[3], NULL, 10));
        return 0;
    }
    if (argc == 4 && strcmp(argv[1], "--importer") == 0) {
        if (setjmp(test_leave) != 0)
            return 1;
        receive_all(atoi(argv[2]), &own_offer, sizeof(own_offer));
        writing_importer(atoi(argv[2]), 0);
        return 0;
    }
    alarm(90); /* ends the child if a call hangs */
    return test_main(argc, argv, cases, sizeof(cases) / sizeof(cases[0]));
}
