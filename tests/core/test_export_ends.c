/* A copy from an import must fail when the export has ended, and the destination must not contain
 * data that the exporter wrote later. The exporters are processes that stop the export, reuse the
 * memory for other data, exit, or are killed during the copy. */
#include "export_peer.h"

#include <sched.h>

enum { SOURCE = 2 << 20, HALF = SOURCE / 2, PAGE = 4096, SECRET = 0x77 };

/* The memory of the exporter. It has the same address in every process that the test forks. */
static _Alignas(PAGE) unsigned char source[SOURCE];

static _Alignas(PAGE) unsigned char sink[SOURCE];

/* Fill the source with bytes that are not 0, UNTOUCHED or SECRET. */
static void fill_source(void)
{
    size_t i;

    for (i = 0; i < SOURCE; i++)
        source[i] = (unsigned char)(1 + (i * 29 + (i >> 8) * 13 + (i >> 16) * 5) % 0x6f);
}

/* True when the bytes are untouched or cleared: they contain no data of the source. */
static bool is_clean(const unsigned char *at, size_t len)
{
    size_t i;

    for (i = 0; i < len; i++)
        if (at[i] != 0 && at[i] != UNTOUCHED)
            return false;
    return true;
}

/* ---- the exporter ---- */

struct order {
    unsigned char what; /* s: stop the export; o: stop it and overwrite the source with SECRET;
                         * h: make the second half inaccessible; d: end by a timer signal */
    uint32_t delay_us;  /* delay before the exporter follows the order */
};

static void follow(int fd, const struct order *order, struct doca_mmap *map)
{
    struct itimerval timer = { { 0, 0 }, { 0, 0 } };

    if (order->what == 'd') {
        timer.it_value.tv_usec = 1 + (suseconds_t)order->delay_us;
        CHECK_EQ(setitimer(ITIMER_REAL, &timer, NULL), 0);
        return;
    }
    usleep(order->delay_us);
    if (order->what == 'h')
        CHECK_EQ(mprotect(source + HALF, HALF, PROT_NONE), 0);
    else
        CHECK_OK(doca_mmap_stop(map));
    if (order->what == 'o')
        memset(source, SECRET, SOURCE);
    send_all(fd, &order->what, 1);
}

static void exporter(int fd, uint32_t how)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_mmap *map;
    struct order order;

    fill_source();
    map = share_map(dev, source, SOURCE, SHARE_PCI | SHARE_RDMA);
    send_offer(fd, map, dev, how);
    while (recv(fd, &order, sizeof(order), MSG_WAITALL) == (ssize_t)sizeof(order))
        follow(fd, &order, map);
}

/* An exporter that executes the program again: a device of the emulator cannot be used after
 * fork(). */
static void executed_exporter(int fd, uint32_t how)
{
    char fd_text[16], how_text[16];

    snprintf(fd_text, sizeof(fd_text), "%d", fd);
    snprintf(how_text, sizeof(how_text), "%u", how);
    execl("/proc/self/exe", "peer", "--exporter", fd_text, how_text, (char *)NULL);
    CHECK(false);
}

static struct peer start_exporter(uint32_t how, struct offer *offer)
{
    struct peer peer = start_peer(test_other() == NULL ? exporter : executed_exporter, how);

    receive_all(peer.fd, offer, sizeof(*offer));
    return peer;
}

static void send_order(struct peer *peer, unsigned char what, uint32_t delay_us)
{
    struct order order;

    memset(&order, 0, sizeof(order));
    order.what = what;
    order.delay_us = delay_us;
    send_all(peer->fd, &order, sizeof(order));
}

static void order_and_wait(struct peer *peer, unsigned char what)
{
    unsigned char answer;

    send_order(peer, what, 0);
    receive_all(peer->fd, &answer, 1);
}

/* ---- the importer ---- */

struct importer {
    struct rig r;
    struct share to; /* the sink, exported by this process and imported again */
};

/* A single buffer on each side; a list as destination; a list as source; a destination that is an
 * import. */
enum form { SINGLE, SCATTER, GATHER, TO_IMPORT, NUM_FORMS };

static void importer_open(struct importer *im)
{
    share_rig_open(&im->r, 1);
    share_open(&im->to, im->r.dev, sink, SOURCE, SHARE_PCI, doca_mmap_export_pci);
}

static void importer_close(struct importer *im)
{
    share_close(&im->to);
    rig_close(&im->r);
}

static struct doca_buf *append(struct doca_buf *list, struct doca_buf *buf)
{
    if (list == NULL)
        return buf;
    CHECK_OK(doca_buf_chain_list(list, buf));
    return list;
}

/* Make a list of buffers that cover [at, at + len) in order; each buffer is longer than the
 * previous one. */
static struct doca_buf *list_of(struct rig *r, struct doca_mmap *map, unsigned char *at, size_t len,
                                bool is_source)
{
    struct doca_buf *list = NULL;
    size_t piece = len / 64 + 1;

    for (; len > 0; at += piece, len -= piece, piece += piece / 2) {
        piece = piece < len ? piece : len;
        list = append(list,
                      is_source ? share_src(r, map, at, piece) : share_dst(r, map, at, piece));
    }
    return list;
}

/* Fill the sink with UNTOUCHED, and copy `len` bytes from address `from` of the import to it. */
static doca_error_t copy_as(struct importer *im, enum form form, struct doca_mmap *import,
                            unsigned char *from, size_t len)
{
    struct doca_buf *src, *dst;
    doca_error_t rc;

    memset(sink, UNTOUCHED, SOURCE);
    src = form == GATHER ? list_of(&im->r, import, from, len, true)
                         : share_src(&im->r, import, from, len);
    if (form == SCATTER)
        dst = list_of(&im->r, im->to.map, sink, len, false);
    else
        dst = share_dst(&im->r, form == TO_IMPORT ? im->to.import : im->to.map, sink, len);
    rc = share_run(&im->r, src, dst);
    if (rc != DOCA_SUCCESS) {
        CHECK_RC(rc, DOCA_ERROR_IO_FAILED);
        CHECK_EQ(rig_data_len(dst), 0);
        share_recover(&im->r);
    }
    share_drop(src, dst);
    return rc;
}

/* Check that every form of a copy fails for the reason `item`, and that no data of the source is in
 * the sink afterwards. */
static void check_forms(struct importer *im, struct doca_mmap *import, unsigned char *from,
                        enum doca_core_item item)
{
    static const size_t lens[] = { 40, 5000, RIG_BYTES, SOURCE };
    unsigned i, form;

    for (form = 0; form < NUM_FORMS; form++) {
        for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
            CHECK_RC(copy_as(im, (enum form)form, import, from, lens[i]), DOCA_ERROR_IO_FAILED);
            share_check_item(share_item, item);
            CHECK(is_clean(sink, SOURCE));
        }
    }
}

static void check_ended_export(unsigned char order)
{
    struct doca_mmap *import;
    struct importer im;
    struct offer offer;
    struct peer peer;
    uint32_t how;

    importer_open(&im);
    for (how = share_is_rdma_only() ? BY_RDMA : 0; how <= BY_RDMA; how++) {
        peer = start_exporter(how, &offer);
        import = import_of(im.r.dev, &offer);
        CHECK_OK(copy_as(&im, SINGLE, import, offer.addr, SOURCE));
        CHECK(!is_clean(sink, SOURCE));
        order_and_wait(&peer, order);
        check_forms(&im, import, offer.addr, DOCA_CORE_ITEM_EXPORTER_STOPPED);
        CHECK_OK(doca_mmap_destroy(import));
        end_peer(&peer);
    }
    importer_close(&im);
}

static void copy_after_a_stop_leaves_no_byte(void)
{
    check_ended_export('s');
}

static void copy_of_reused_memory_leaves_no_byte(void)
{
    check_ended_export('o');
}

/* The kernel reads no byte of a process that has ended, so the destination does not even change. */
static void copy_from_a_killed_exporter_leaves_the_destination_unchanged(void)
{
    struct doca_mmap *import;
    struct importer im;
    struct offer offer;
    struct peer peer;
    unsigned form;
    size_t i;

    importer_open(&im);
    peer = start_exporter(0, &offer);
    import = import_of(im.r.dev, &offer);
    kill_peer(&peer);
    for (form = 0; form < NUM_FORMS; form++) {
        CHECK_RC(copy_as(&im, (enum form)form, import, offer.addr, SOURCE), DOCA_ERROR_IO_FAILED);
        share_check_item(share_item, DOCA_CORE_ITEM_EXPORTER_GONE);
        for (i = 0; i < SOURCE; i++)
            CHECK_EQ(sink[i], UNTOUCHED);
    }
    CHECK_OK(doca_mmap_destroy(import));
    importer_close(&im);
}

/* The first buffers of the source list are in a valid export, a later buffer is in an ended one. */
static void ended_export_later_in_a_list_leaves_no_data(void)
{
    struct doca_mmap *imports[2];
    struct offer offers[2];
    struct peer peers[2];
    struct doca_buf *src, *dst;
    struct importer im;
    unsigned i, form;

    importer_open(&im);
    for (i = 0; i < 2; i++) {
        peers[i] = start_exporter(share_is_rdma_only() ? BY_RDMA : 0, &offers[i]);
        imports[i] = import_of(im.r.dev, &offers[i]);
    }
    order_and_wait(&peers[1], 's');
    for (form = SINGLE; form <= SCATTER; form++) {
        memset(sink, UNTOUCHED, SOURCE);
        src = append(share_src(&im.r, imports[0], offers[0].addr, HALF),
                     share_src(&im.r, imports[1], offers[1].addr, HALF));
        dst = form == SINGLE ? share_dst(&im.r, im.to.map, sink, SOURCE)
                             : list_of(&im.r, im.to.map, sink, SOURCE, false);
        share_fails(&im.r, src, dst, DOCA_CORE_ITEM_EXPORTER_STOPPED);
        CHECK(is_clean(sink, SOURCE));
    }
    for (i = 0; i < 2; i++) {
        CHECK_OK(doca_mmap_destroy(imports[i]));
        end_peer(&peers[i]);
    }
    importer_close(&im);
}

/* The second half of the exporter's memory is inaccessible, so the copy fails at a page
 * boundary. */
static void copy_that_fails_at_a_page_boundary_leaves_no_data(void)
{
    struct doca_mmap *import;
    struct importer im;
    struct offer offer;
    struct peer peer;
    unsigned form;

    importer_open(&im);
    peer = start_exporter(0, &offer);
    import = import_of(im.r.dev, &offer);
    order_and_wait(&peer, 'h');
    for (form = 0; form < NUM_FORMS; form++) {
        CHECK_RC(copy_as(&im, (enum form)form, import, offer.addr + HALF - 5000, 9000),
                 DOCA_ERROR_IO_FAILED);
        share_check_item(share_item, DOCA_CORE_ITEM_EXPORTER_MEMORY);
        CHECK(is_clean(sink, SOURCE));
        CHECK_RC(copy_as(&im, (enum form)form, import, offer.addr, SOURCE), DOCA_ERROR_IO_FAILED);
        CHECK(is_clean(sink, SOURCE));
        CHECK_OK(copy_as(&im, (enum form)form, import, offer.addr, HALF));
    }
    CHECK_OK(doca_mmap_destroy(import));
    end_peer(&peer);
    importer_close(&im);
}

/* The destination has an unmapped page. The copy fails there, and the library must clear the data
 * on both sides of the page. */
static void destination_is_cleared_around_an_unmapped_page(void)
{
    struct doca_mmap *import, *own;
    unsigned char *pages;
    struct offer offer;
    struct peer peer;
    struct rig r;

    share_rig_open(&r, 1);
    pages = share_pages(SOURCE, PROT_READ | PROT_WRITE, MAP_PRIVATE);
    memset(pages, UNTOUCHED, SOURCE);
    own = share_map(r.dev, pages, SOURCE, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
    peer = start_exporter(0, &offer);
    import = import_of(r.dev, &offer);
    CHECK_EQ(munmap(pages + HALF + 4 * PAGE, PAGE), 0);
    share_fails(&r, share_src(&r, import, offer.addr, SOURCE), share_dst(&r, own, pages, SOURCE),
                DOCA_CORE_ITEM_EXPORTER_MEMORY);
    CHECK(is_clean(pages, HALF + 4 * PAGE));
    CHECK(is_clean(pages + HALF + 5 * PAGE, HALF - 5 * PAGE));
    CHECK_OK(doca_mmap_destroy(import));
    CHECK_OK(doca_mmap_destroy(own));
    end_peer(&peer);
    CHECK_EQ(munmap(pages, SOURCE), 0);
    rig_close(&r);
}

/* ---- another process with the exporter's process number ---- */

static void copy_after_reuse_of_the_pid_leaves_no_byte(void)
{
    struct doca_mmap *import;
    struct importer im;
    struct offer offer;
    struct peer peer;
    pid_t stranger;
    int ready[2];
    char byte;

    importer_open(&im);
    peer = start_exporter(0, &offer);
    import = import_of(im.r.dev, &offer);
    kill_peer(&peer);
    CHECK_EQ(pipe(ready), 0);
    stranger = sys_fork_as(peer.pid);
    if (stranger == 0) { /* the new process has memory at the exporter's addresses */
        memset(source, SECRET, SOURCE);
        if (write(ready[1], "r", 1) == 1)
            alarm(20);
        for (;;)
            pause();
    }
    if (stranger > 0) {
        CHECK_EQ(stranger, peer.pid);
        CHECK_EQ(read(ready[0], &byte, 1), 1);
        check_forms(&im, import, offer.addr, DOCA_CORE_ITEM_EXPORTER_STOPPED);
        CHECK_EQ(kill(stranger, SIGKILL), 0);
        CHECK_EQ(waitpid(stranger, NULL, 0), stranger);
    }
    close(ready[0]);
    close(ready[1]);
    CHECK_OK(doca_mmap_destroy(import));
    importer_close(&im);
    if (stranger < 0)
        test_skip("this process may not choose the number of a child process");
}

/* ---- exports that end during a copy ---- */

static double seconds(void)
{
    struct timespec now;

    CHECK_EQ(clock_gettime(CLOCK_MONOTONIC, &now), 0);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Give the exporter an order with a random delay, and copy until a copy fails. */
static void copy_until_it_fails(struct importer *im, unsigned char order, double duration)
{
    double begin = seconds();
    struct doca_mmap *import;
    struct offer offer;
    struct peer peer;
    unsigned num;

    for (num = 0; seconds() - begin < duration || num < NUM_FORMS; num++) {
        double since;

        peer = start_exporter(share_is_rdma_only() ? BY_RDMA : 0, &offer);
        import = import_of(im->r.dev, &offer);
        if (order == 'd')
            peer_forget(peer.pid);
        send_order(&peer, order, rig_random(num % 2 == 0 ? 2000 : 9000));
        since = seconds();
        while (copy_as(im, (enum form)(num % NUM_FORMS), import, offer.addr, SOURCE) ==
               DOCA_SUCCESS) {
            fill_source(); /* this process's copy of `source`, to compare with */
            CHECK_MEM(sink, source, SOURCE);
            CHECK(seconds() - since < 15);
        }
        share_check_item(share_item, order == 'd' ? DOCA_CORE_ITEM_EXPORTER_GONE
                                                  : DOCA_CORE_ITEM_EXPORTER_STOPPED);
        CHECK(is_clean(sink, SOURCE));
        CHECK_OK(doca_mmap_destroy(import));
        if (order == 'd') {
            CHECK_EQ(waitpid(peer.pid, NULL, 0), peer.pid);
            hang_up(&peer);
        } else {
            end_peer(&peer);
        }
    }
}

static void copy_during_the_kill_of_the_exporter_leaves_no_byte(void)
{
    struct importer im;

    importer_open(&im);
    copy_until_it_fails(&im, 'd', 1.5);
    importer_close(&im);
}

static void memory_that_is_used_again_while_it_is_read_leaves_nothing(void)
{
    struct importer im;

    importer_open(&im);
    copy_until_it_fails(&im, 'o', 1.5);
    importer_close(&im);
}

static const struct test_case cases[] = {
    CASE(copy_after_a_stop_leaves_no_byte, "80"),
    CASE(copy_of_reused_memory_leaves_no_byte, "80"),
    CASE_OF_SW(copy_from_a_killed_exporter_leaves_the_destination_unchanged, "",
               "that it copies nothing from a process that has ended"),
    CASE(ended_export_later_in_a_list_leaves_no_data, "80"),
    CASE_OF_SW(copy_that_fails_at_a_page_boundary_leaves_no_data, "",
               "that it does not pin memory"),
    CASE_OF_SW(destination_is_cleared_around_an_unmapped_page, "", "that it does not pin memory"),
    CASE_OF_SW(copy_after_reuse_of_the_pid_leaves_no_byte, "80", "process numbers"),
    CASE(copy_during_the_kill_of_the_exporter_leaves_no_byte, ""),
    CASE(memory_that_is_used_again_while_it_is_read_leaves_nothing, "80"),
};

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "--exporter") == 0) {
        if (setjmp(test_leave) != 0)
            return 1;
        exporter(atoi(argv[2]), (uint32_t)strtoul(argv[3], NULL, 10));
        return 0;
    }
    alarm(120); /* ends a program that hangs */
    return test_main(argc, argv, cases, sizeof(cases) / sizeof(cases[0]));
}
