/* Test the behaviour of verbs that a backend based on libibverbs relies on, on the RDMA devices of
 * this machine:
 *
 *     verbs_probe [DEVICE_A [DEVICE_B]]
 *
 * Each case runs twice: with an RC pair from A to B, and with a pair from A to A. The defaults are
 * the first devices with an active port. With only one device, each case runs once. The cases
 * accept all behaviour that the specification allows, so any provider should pass them. Exit
 * status: 0 all cases passed, 1 a case failed, 2 the device was not found. */
#include "verbs_pair.h"

#include <pthread.h>

/* ---- cases: data */

static void write_and_read_copy_exactly_the_given_bytes(void)
{
    static const uint32_t lens[] = { 1, 7, 64, 1023, 1024, 1025, 4096, 65535, HALF };
    const size_t offset = 4095;
    unsigned i, reads;

    for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
        for (reads = 0; reads < 2; reads++) {
            struct side *from = reads ? &b : &a, *to = reads ? &a : &b;

            fill(from->bytes, BUFFER_BYTES, i);
            memset(to->bytes, 0xee, BUFFER_BYTES);
            run_request(reads ? IBV_WR_RDMA_READ : IBV_WR_RDMA_WRITE, offset, lens[i]);
            CHECK(memcmp(to->bytes + offset, from->bytes + offset, lens[i]) == 0);
            CHECK_EQ(to->bytes[offset - 1], 0xee);
            CHECK_EQ(to->bytes[offset + lens[i]], 0xee);
        }
    }
}

static void lists_are_gathered_and_scattered(void)
{
    struct ibv_sge list[2] = { sge(&a, 0, 100), sge(&a, 8192, 3000) };
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, list);

    wr.num_sge = 2;
    fill(a.bytes, BUFFER_BYTES, 1);
    post(&wr);
    CHECK_SUCCESS(wait_completion(&a).status);
    CHECK(memcmp(b.bytes, a.bytes, 100) == 0 && memcmp(b.bytes + 100, a.bytes + 8192, 3000) == 0);

    fill(b.bytes, BUFFER_BYTES, 2);
    memset(a.bytes, 0, BUFFER_BYTES);
    wr.opcode = IBV_WR_RDMA_READ;
    post(&wr);
    CHECK_SUCCESS(wait_completion(&a).status);
    CHECK(memcmp(a.bytes, b.bytes, 100) == 0 && memcmp(a.bytes + 8192, b.bytes + 100, 3000) == 0);
    CHECK_EQ(a.bytes[100], 0);
}

static void inline_data_is_copied_by_the_post(void)
{
    struct ibv_sge entry = sge(&a, 0, 64);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, &entry);

    entry.lkey = 0; /* ignored for inline data */
    wr.send_flags |= IBV_SEND_INLINE;
    memset(a.bytes, 0x11, 64);
    post(&wr);
    memset(a.bytes, 0x22, 64);
    CHECK_SUCCESS(wait_completion(&a).status);
    CHECK_EQ(b.bytes[0], 0x11);
    CHECK_EQ(b.bytes[63], 0x11);
}

static void unsignalled_requests_have_no_completion_and_keep_their_order(void)
{
    struct ibv_sge entries[DEPTH / 2];
    struct ibv_send_wr wrs[DEPTH / 2];
    struct ibv_wc wc;
    unsigned i;

    for (i = 0; i < DEPTH / 2; i++) { /* all write to the same bytes */
        memset(a.bytes + i * 64, (int)i + 1, 64);
        entries[i] = sge(&a, i * 64, 64);
        wrs[i] = request(IBV_WR_RDMA_WRITE, &entries[i]);
        wrs[i].wr.rdma.remote_addr = (uintptr_t)b.bytes;
        wrs[i].wr_id = i;
        wrs[i].send_flags = i == DEPTH / 2 - 1 ? IBV_SEND_SIGNALED : 0;
        wrs[i].next = i == DEPTH / 2 - 1 ? NULL : &wrs[i + 1];
    }
    post(wrs);
    wc = wait_completion(&a);
    CHECK_SUCCESS(wc.status);
    CHECK_EQ(wc.wr_id, DEPTH / 2 - 1);
    CHECK_EQ(wc.opcode, IBV_WC_RDMA_WRITE);
    CHECK_EQ(wc.qp_num, a.qp->qp_num);
    CHECK_EQ(b.bytes[0], DEPTH / 2);
    CHECK(no_completion(&a));
}

static uint64_t atomic(enum ibv_wr_opcode opcode, uint64_t compare_add, uint64_t swap)
{
    struct ibv_sge entry = sge(&a, 64, 8);
    struct ibv_send_wr wr = request(opcode, &entry);
    uint64_t before;

    wr.wr.atomic.compare_add = compare_add;
    wr.wr.atomic.swap = swap;
    post(&wr);
    CHECK_SUCCESS(wait_completion(&a).status);
    memcpy(&before, a.bytes + 64, 8);
    return before;
}

static void atomics_use_64_bits_and_return_the_old_value(void)
{
    volatile uint64_t *word = (volatile uint64_t *)(void *)(b.bytes + 64);
    unsigned i;

    *word = 0xfffffffe;
    CHECK_EQ(atomic(IBV_WR_ATOMIC_FETCH_AND_ADD, 5, 0), 0xfffffffe);
    CHECK_EQ(*word, 0x100000003);
    CHECK_EQ(atomic(IBV_WR_ATOMIC_CMP_AND_SWP, 0x100000003, 42), 0x100000003);
    CHECK_EQ(*word, 42);
    CHECK_EQ(atomic(IBV_WR_ATOMIC_CMP_AND_SWP, 43, 7), 42);
    CHECK_EQ(*word, 42);
    for (i = 0; i < 100; i++)
        CHECK_EQ(atomic(IBV_WR_ATOMIC_FETCH_AND_ADD, 1, 0), 42 + i);
    CHECK_EQ(*word, 142);
}

static void regions_can_have_other_remote_addresses(void)
{
    const uint64_t base = 0x40000000;
    struct ibv_mr *mr = ibv_reg_mr_iova(b.pd, b.bytes, 8192, base,
                                        IBV_ACCESS_LOCAL_WRITE | REMOTE_ALL);
    struct ibv_sge entry = sge(&a, 0, 100);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, &entry);

    CHECK(mr != NULL);
    b.extra[b.num_extra++] = mr;
    fill(a.bytes, 100, 9);
    wr.wr.rdma.remote_addr = base + 4090; /* crosses a page boundary */
    wr.wr.rdma.rkey = mr->rkey;
    post(&wr);
    CHECK_SUCCESS(wait_completion(&a).status);
    CHECK(memcmp(b.bytes + 4090, a.bytes, 100) == 0);
    wr.wr.rdma.remote_addr = base - 1;
    CHECK_EQ(post_and_wait(&wr, IBV_WC_REM_ACCESS_ERR), IBV_WC_REM_ACCESS_ERR);
}

/* ---- cases: events */

static bool has_event(struct side *s, int timeout_ms)
{
    struct epoll_event event;

    return epoll_wait(s->epoll, &event, 1, timeout_ms) == 1;
}

static void take_event(struct side *s)
{
    struct ibv_cq *cq = NULL;
    void *user;

    CHECK_EQ(ibv_get_cq_event(s->channel, &cq, &user), 0);
    CHECK(cq == s->cq);
    ibv_ack_cq_events(cq, 1);
}

static void an_armed_cq_reports_one_completion(void)
{
    struct ibv_sge entry = sge(&a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, &entry);

    run_request(IBV_WR_RDMA_WRITE, 0, 8);
    CHECK(!has_event(&a, QUIET_MS)); /* not armed */
    CHECK_EQ(ibv_req_notify_cq(a.cq, 0), 0);
    CHECK(!has_event(&a, QUIET_MS)); /* armed, but no new completion */
    post(&wr);
    CHECK(has_event(&a, PATIENCE_MS));
    take_event(&a);
    CHECK_SUCCESS(wait_completion(&a).status);
    run_request(IBV_WR_RDMA_WRITE, 0, 8);
    CHECK(!has_event(&a, QUIET_MS)); /* not armed again */
}

/* A thread that posts requests at intervals; at most DEPTH / 2 are in flight. */
static struct {
    pthread_t thread;
    bool is_running;
    atomic_uint num_reaped;
    atomic_bool is_over;
} poster;

enum { NUM_POSTS = 300 };

static void *post_at_intervals(void *unused)
{
    unsigned i;

    (void)unused;
    for (i = 0; i < NUM_POSTS; i++) {
        struct ibv_sge entry = sge(&a, 0, i % 3 ? 8 : 20000);
        struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, &entry), *bad;

        while (i - atomic_load(&poster.num_reaped) >= (i & 32 ? 1 : DEPTH / 2)) {
            if (atomic_load(&poster.is_over))
                return NULL;
            sched_yield();
        }
        if (i % 5 == 0)
            usleep(i % 64 * 10);
        if (ibv_post_send(a.qp, &wr, &bad) != 0)
            break; /* the main thread then reports a missing completion */
    }
    return NULL;
}

static void stop_poster(void)
{
    atomic_store(&poster.is_over, true);
    if (poster.is_running)
        pthread_join(poster.thread, NULL);
    poster.is_running = false;
}

/* The loop of a progress engine: poll, arm, poll again, and sleep if there is no completion. */
static void arm_then_poll_misses_no_completion(void)
{
    unsigned num_sleeps = 0, i;
    struct ibv_wc wc;

    atomic_store(&poster.num_reaped, 0);
    atomic_store(&poster.is_over, false);
    CHECK_EQ(pthread_create(&poster.thread, NULL, post_at_intervals, NULL), 0);
    poster.is_running = true;
    for (i = 0; i < NUM_POSTS; i++) {
        bool is_armed = false;
        int n;

        while ((n = ibv_poll_cq(a.cq, 1, &wc)) == 0) {
            if (!is_armed) {
                usleep(i % 4 * 50); /* completions that come now trigger no event */
                CHECK_EQ(ibv_req_notify_cq(a.cq, 0), 0);
                is_armed = true;
                continue;
            }
            if (!has_event(&a, PATIENCE_MS))
                fail(__LINE__, "no event for completion %u", i);
            take_event(&a);
            is_armed = false;
            num_sleeps++;
        }
        CHECK_EQ(n, 1);
        CHECK_SUCCESS(wc.status);
        atomic_store(&poster.num_reaped, i + 1);
    }
    CHECK(no_completion(&a));
    CHECK(num_sleeps > 0);
}

static void write_with_immediate_wakes_the_receiver(void)
{
    struct ibv_sge entry = sge(&a, 4096, 100);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE_WITH_IMM, &entry);
    struct ibv_wc wc;

    wr.imm_data = htonl(0xabcd1234);
    fill(a.bytes + 4096, 100, 5);
    post_recv(&b, 77);
    CHECK_EQ(ibv_req_notify_cq(b.cq, 0), 0);
    post(&wr);
    CHECK(has_event(&b, PATIENCE_MS));
    take_event(&b);
    wc = wait_completion(&b);
    CHECK_SUCCESS(wc.status);
    CHECK_EQ(wc.opcode, IBV_WC_RECV_RDMA_WITH_IMM);
    CHECK_EQ(wc.wr_id, 77);
    CHECK_EQ(wc.byte_len, 100);
    CHECK_EQ(ntohl(wc.imm_data), 0xabcd1234);
    CHECK(memcmp(b.bytes + 4096, a.bytes + 4096, 100) == 0);
    CHECK_SUCCESS(wait_completion(&a).status);
}

/* ---- cases: errors */

static void an_error_flushes_each_request_once(void)
{
    struct ibv_sge entry = sge(&a, 0, 64);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, &entry), *bad;
    unsigned i;

    memset(b.bytes, 0x33, 64);
    wr.wr.rdma.rkey ^= 0x5500;
    for (i = 0; i < 8; i++) {
        wr.wr_id = 100 + i;
        /* unsignalled requests complete, too, if they fail */
        wr.send_flags = i % 2 ? 0 : IBV_SEND_SIGNALED;
        post(&wr);
        wr.wr.rdma.rkey = b.mr->rkey;
    }
    for (i = 0; i < 8; i++) {
        struct ibv_wc wc = wait_completion(&a);

        CHECK_EQ(wc.status, i == 0 ? IBV_WC_REM_ACCESS_ERR : IBV_WC_WR_FLUSH_ERR);
        CHECK_EQ(wc.wr_id, 100 + i);
        CHECK_EQ(wc.qp_num, a.qp->qp_num);
    }
    CHECK(no_completion(&a));
    CHECK_EQ(b.bytes[0], 0x33);
    CHECK_EQ(state_of(a.qp), IBV_QPS_ERR);
    wr.wr_id = 200; /* a QP in the error state accepts requests and flushes them */
    wr.send_flags = IBV_SEND_SIGNALED;
    CHECK_EQ(ibv_post_send(a.qp, &wr, &bad), 0);
    CHECK_EQ(wait_completion(&a).status, IBV_WC_WR_FLUSH_ERR);
    reset_pair(REMOTE_ALL);
    run_request(IBV_WR_RDMA_WRITE, 0, 64);
}

static void region_bounds_are_checked(void)
{
    static const struct {
        const char *name;
        size_t offset;
        uint32_t len;
        bool is_inside;
    } ranges[] = {
        { "the whole region", 0, 4096, true },
        { "the last byte", 4095, 1, true },
        { "one byte past the end", 4095, 2, false },
        { "the byte behind the region", 4096, 1, false },
        { "one byte before the region", SIZE_MAX, 2, false },
    };
    struct ibv_mr *mr = reg(&b, 4096, 4096, IBV_ACCESS_LOCAL_WRITE | REMOTE_ALL);
    unsigned i, reads;

    for (i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
        for (reads = 0; reads < 2; reads++) {
            struct ibv_sge entry = sge(&a, 0, ranges[i].len);
            struct ibv_send_wr wr = request(reads ? IBV_WR_RDMA_READ : IBV_WR_RDMA_WRITE, &entry);
            enum ibv_wc_status status;

            wr.wr.rdma.remote_addr = (uintptr_t)mr->addr + ranges[i].offset;
            wr.wr.rdma.rkey = mr->rkey;
            status = post_and_wait(&wr, IBV_WC_REM_ACCESS_ERR);
            if (status != (ranges[i].is_inside ? IBV_WC_SUCCESS : IBV_WC_REM_ACCESS_ERR))
                fail(__LINE__, "%s, %s: completed with %d, %s", ranges[i].name,
                     reads ? "read" : "write", (int)status, ibv_wc_status_str(status));
            reset_pair(REMOTE_ALL);
        }
    }
}

static void local_keys_are_checked(void)
{
    struct ibv_mr *read_only = reg(&a, 4096, 4096, 0);
    struct ibv_sge entry = sge(&a, 0, 64);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, &entry);
    enum ibv_wc_status status;

    entry.lkey ^= 0x5500;
    memset(b.bytes, 0x33, 64);
    status = post_and_wait(&wr, IBV_WC_LOC_PROT_ERR);
    CHECK(status == IBV_WC_LOC_PROT_ERR || status == IBV_WC_LOC_QP_OP_ERR);
    CHECK_EQ(b.bytes[0], 0x33);
    reset_pair(REMOTE_ALL);

    entry = sge(&a, 4096, 64);
    entry.lkey = read_only->lkey;
    wr = request(IBV_WR_RDMA_WRITE, &entry);
    CHECK_SUCCESS(post_and_wait(&wr, IBV_WC_GENERAL_ERR)); /* local reads are permitted */
    memset(a.bytes + 4096, 0x44, 64);
    wr = request(IBV_WR_RDMA_READ, &entry);
    CHECK_EQ(post_and_wait(&wr, IBV_WC_LOC_PROT_ERR), IBV_WC_LOC_PROT_ERR);
    CHECK_EQ(a.bytes[4096], 0x44);
}

static void a_deregistered_region_is_refused(void)
{
    struct ibv_mr *mr = reg(&b, 0, 4096, IBV_ACCESS_LOCAL_WRITE | REMOTE_ALL);
    struct ibv_sge entry = sge(&a, 0, 64);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, &entry);

    wr.wr.rdma.rkey = mr->rkey;
    CHECK_SUCCESS(post_and_wait(&wr, IBV_WC_GENERAL_ERR));
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    b.num_extra--;
    memset(b.bytes, 0x55, 64);
    CHECK_EQ(post_and_wait(&wr, IBV_WC_REM_ACCESS_ERR), IBV_WC_REM_ACCESS_ERR);
    CHECK_EQ(b.bytes[0], 0x55);
}

static void regions_of_another_pd_are_refused(void)
{
    struct ibv_pd *pd = ibv_alloc_pd(b.context);
    struct ibv_sge entry = sge(&a, 0, 64);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, &entry);
    struct ibv_mr *mr;
    enum ibv_wc_status status;

    CHECK(pd != NULL);
    mr = ibv_reg_mr(pd, b.bytes, 4096, IBV_ACCESS_LOCAL_WRITE | REMOTE_ALL);
    CHECK(mr != NULL);
    wr.wr.rdma.rkey = mr->rkey;
    status = post_and_wait(&wr, IBV_WC_REM_ACCESS_ERR);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK_EQ(ibv_dealloc_pd(pd), 0);
    CHECK_EQ(status, IBV_WC_REM_ACCESS_ERR);
}

static void atomics_must_be_aligned(void)
{
    struct ibv_sge entry = sge(&a, 0, 8);
    struct ibv_send_wr wr = request(IBV_WR_ATOMIC_FETCH_AND_ADD, &entry);
    enum ibv_wc_status status;

    wr.wr.atomic.compare_add = 1;
    wr.wr.atomic.remote_addr = (uintptr_t)b.bytes + 4;
    status = post_and_wait(&wr, IBV_WC_REM_INV_REQ_ERR);
    CHECK(status == IBV_WC_REM_INV_REQ_ERR || status == IBV_WC_REM_ACCESS_ERR);
    CHECK_EQ(b.bytes[4], 0);
}

static void retries_end_if_the_peer_is_gone(void)
{
    struct ibv_sge entry = sge(&a, 0, 64);
    struct ibv_send_wr wr = request(IBV_WR_RDMA_WRITE, &entry);

    run_request(IBV_WR_RDMA_WRITE, 0, 64);
    CHECK_EQ(ibv_destroy_qp(b.qp), 0);
    b.qp = NULL;
    CHECK_EQ(post_and_wait(&wr, IBV_WC_GENERAL_ERR), IBV_WC_RETRY_EXC_ERR);
    CHECK_EQ(state_of(a.qp), IBV_QPS_ERR);
}

static void each_receive_is_flushed_once(void)
{
    struct ibv_qp_attr attr;
    unsigned i;

    for (i = 0; i < 4; i++)
        post_recv(&b, 300 + i);
    CHECK(no_completion(&b));
    memset(&attr, 0, sizeof(attr));
    attr.qp_state = IBV_QPS_ERR;
    CHECK_EQ(ibv_modify_qp(b.qp, &attr, IBV_QP_STATE), 0);
    for (i = 0; i < 4; i++) {
        struct ibv_wc wc = wait_completion(&b);

        CHECK_EQ(wc.status, IBV_WC_WR_FLUSH_ERR);
        CHECK_EQ(wc.wr_id, 300 + i);
    }
    CHECK(no_completion(&b));
}

/* ---- cases: permissions and objects */

static const enum ibv_wr_opcode opcodes[] = { IBV_WR_RDMA_WRITE, IBV_WR_RDMA_READ,
                                              IBV_WR_ATOMIC_FETCH_AND_ADD };
static const unsigned permissions[] = { IBV_ACCESS_REMOTE_WRITE, IBV_ACCESS_REMOTE_READ,
                                        IBV_ACCESS_REMOTE_ATOMIC };

/* Try a write, a read and an atomic operation, and check that exactly the permitted operations
 * succeed. */
static void try_permissions(struct ibv_mr *mr, unsigned access_of_qp, unsigned permitted)
{
    unsigned i;

    for (i = 0; i < 3; i++) {
        struct ibv_sge entry = sge(&a, 0, 8);
        struct ibv_send_wr wr = request(opcodes[i], &entry);
        enum ibv_wc_status status;
        bool is_refused;

        if (opcodes[i] == IBV_WR_ATOMIC_FETCH_AND_ADD) {
            wr.wr.atomic.rkey = mr->rkey;
            wr.wr.atomic.compare_add = 0x77;
        } else {
            wr.wr.rdma.rkey = mr->rkey;
        }
        memset(a.bytes, 0x66, 8);
        memset(b.bytes, 0, 8);
        status = post_and_wait(&wr, IBV_WC_REM_ACCESS_ERR);
        is_refused = status == IBV_WC_REM_ACCESS_ERR || status == IBV_WC_REM_INV_REQ_ERR;
        if (permitted & permissions[i] ? status != IBV_WC_SUCCESS : !is_refused)
            fail(__LINE__, "access 0x%x, opcode %d: completed with %d, %s", permitted,
                 (int)opcodes[i], (int)status, ibv_wc_status_str(status));
        if (is_refused) {
            CHECK_EQ(b.bytes[0], 0);
            CHECK_EQ(a.bytes[0], 0x66);
        }
        reset_pair(access_of_qp);
    }
}

static void regions_have_exactly_their_permissions(void)
{
    static const unsigned rules[] = { 0, IBV_ACCESS_LOCAL_WRITE, IBV_ACCESS_REMOTE_READ,
                                 IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE,
                                 IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC };
    unsigned i;

    for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
        try_permissions(reg(&b, 0, 4096, rules[i]), REMOTE_ALL, rules[i]);
}

static void queue_pairs_have_exactly_their_permissions(void)
{
    unsigned i;

    for (i = 0; i < 3; i++) {
        reset_pair(permissions[i]);
        try_permissions(b.mr, permissions[i], permissions[i]);
    }
}

static void invalid_registrations_are_refused(void)
{
    const int page = (int)sysconf(_SC_PAGESIZE);
    unsigned char *memory = mmap(NULL, (size_t)page * 2, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS,
                                 -1, 0);

    CHECK(memory != MAP_FAILED);
    errno = 0; /* remote write requires local write */
    CHECK(ibv_reg_mr(a.pd, a.bytes, 4096, IBV_ACCESS_REMOTE_WRITE) == NULL);
    CHECK_EQ(errno, EINVAL);
    CHECK(ibv_reg_mr(a.pd, a.bytes, 4096, IBV_ACCESS_REMOTE_ATOMIC) == NULL);
    errno = 0; /* the process itself has no write access */
    CHECK(ibv_reg_mr(a.pd, memory, (size_t)page, IBV_ACCESS_LOCAL_WRITE) == NULL);
    CHECK_EQ(errno, EFAULT);
    CHECK(munmap(memory + page, (size_t)page) == 0);
    errno = 0;
    CHECK(ibv_reg_mr(a.pd, memory, (size_t)page * 2, IBV_ACCESS_REMOTE_READ) == NULL);
    CHECK(errno != 0);
    CHECK(munmap(memory, (size_t)page) == 0);
}

static void objects_in_use_cannot_be_destroyed(void)
{
    CHECK_EQ(ibv_dealloc_pd(a.pd), EBUSY);
    CHECK_EQ(ibv_destroy_cq(a.cq), EBUSY);
    run_request(IBV_WR_RDMA_WRITE, 0, 64);
}

/* ---- all cases */

static const struct probe {
    const char *name;
    void (*run)(void);
} probes[] = {
#define PROBE(function) { #function, function }
    PROBE(write_and_read_copy_exactly_the_given_bytes),
    PROBE(lists_are_gathered_and_scattered),
    PROBE(inline_data_is_copied_by_the_post),
    PROBE(unsignalled_requests_have_no_completion_and_keep_their_order),
    PROBE(atomics_use_64_bits_and_return_the_old_value),
    PROBE(regions_can_have_other_remote_addresses),
    PROBE(an_armed_cq_reports_one_completion),
    PROBE(arm_then_poll_misses_no_completion),
    PROBE(write_with_immediate_wakes_the_receiver),
    PROBE(an_error_flushes_each_request_once),
    PROBE(region_bounds_are_checked),
    PROBE(local_keys_are_checked),
    PROBE(a_deregistered_region_is_refused),
    PROBE(regions_of_another_pd_are_refused),
    PROBE(atomics_must_be_aligned),
    PROBE(retries_end_if_the_peer_is_gone),
    PROBE(each_receive_is_flushed_once),
    PROBE(regions_have_exactly_their_permissions),
    PROBE(queue_pairs_have_exactly_their_permissions),
    PROBE(invalid_registrations_are_refused),
    PROBE(objects_in_use_cannot_be_destroyed),
};

static bool run_probe(const struct probe *probe, struct ibv_device *from, struct ibv_device *to)
{
    volatile bool is_passed = false;
    bool is_closed;

    if (setjmp(leave) == 0) {
        open_side(&a, from);
        open_side(&b, to);
        connect_pair(REMOTE_ALL);
        probe->run();
        is_passed = true;
    }
    stop_poster();
    is_closed = close_side(&a);
    is_closed &= close_side(&b);
    if (!is_closed)
        printf("  an object cannot be destroyed\n");
    is_passed &= is_closed;
    printf("%s %s\n", is_passed ? "ok  " : "FAIL", probe->name);
    return is_passed;
}

static unsigned run_pair(struct ibv_device *from, struct ibv_device *to)
{
    unsigned i, failures = 0;

    printf("%s to %s\n", ibv_get_device_name(from), ibv_get_device_name(to));
    for (i = 0; i < sizeof(probes) / sizeof(probes[0]); i++)
        failures += !run_probe(&probes[i], from, to);
    return failures;
}

/* Return the device of this name. Without a name, return the first device after `after` that has an
 * active port. */
static struct ibv_device *find_device(struct ibv_device **list, const char *name,
                                      const struct ibv_device *after)
{
    struct ibv_port_attr port;
    struct ibv_context *context;
    bool is_after = after == NULL, is_active;

    for (; *list != NULL; list++) {
        if (name != NULL && strcmp(name, ibv_get_device_name(*list)) == 0)
            return *list;
        if (name == NULL && is_after) {
            context = ibv_open_device(*list);
            is_active = context != NULL && ibv_query_port(context, 1, &port) == 0 &&
                        port.state == IBV_PORT_ACTIVE;
            if (context != NULL)
                ibv_close_device(context);
            if (is_active)
                return *list;
        }
        is_after |= *list == after;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct ibv_device **list = ibv_get_device_list(NULL), *from, *to;
    unsigned failures = 0;

    setvbuf(stdout, NULL, _IOLBF, 0);
    from = list == NULL ? NULL : find_device(list, argc > 1 ? argv[1] : NULL, NULL);
    to = from == NULL ? NULL : find_device(list, argc > 2 ? argv[2] : NULL, from);
    if (from == NULL || (argc > 2 && to == NULL)) {
        fprintf(stderr, "verbs_probe: no %s\n",
                argc > 1 ? "device with this name" : "RDMA device with an active port");
        return 2;
    }
    if (to != NULL && to != from)
        failures += run_pair(from, to);
    failures += run_pair(from, from);
    ibv_free_device_list(list);
    printf("%u failed\n", failures);
    return failures != 0;
}
