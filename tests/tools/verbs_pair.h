/* Two connected RC queue pairs of libibverbs for tests/tools/verbs_probe.c. Each case opens both
 * sides. A failed check ends the case. All requests are posted to a.qp; the remote side is b. */
#ifndef VERBS_PAIR_H
#define VERBS_PAIR_H

#include <infiniband/verbs.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum {
    BUFFER_BYTES = 1 << 18,
    HALF = BUFFER_BYTES / 2,
    DEPTH = 32,
    MAX_EXTRA = 8,
    PATIENCE_MS = 10000, /* longest wait for an expected event */
    QUIET_MS = 20        /* how long to wait for an event that must not come */
};
#define REMOTE_ALL (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC)

/* A side of the connection: its device, memory and QP. */
struct side {
    struct ibv_context *context;
    struct ibv_port_attr port;
    union ibv_gid gid;
    uint8_t gid_index;
    struct ibv_pd *pd;
    struct ibv_comp_channel *channel;
    int epoll;
    struct ibv_cq *cq;
    struct ibv_qp *qp;
    unsigned char *bytes;
    struct ibv_mr *mr;               /* registers all of `bytes` with all permissions */
    struct ibv_mr *extra[MAX_EXTRA]; /* other registrations of the running case */
    unsigned num_extra;
};

static struct side a, b;
static jmp_buf leave;

/* ---- checks */

__attribute__((format(printf, 2, 3), noreturn)) static void fail(int line, const char *format, ...)
{
    va_list args;

    printf("  line %d: ", line);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    longjmp(leave, 1);
}

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail(__LINE__, "check failed: %s (errno %d)", #condition, errno);                      \
    } while (0)

#define CHECK_EQ(got, want)                                                                        \
    do {                                                                                           \
        unsigned long long got_ = (unsigned long long)(got);                                       \
        unsigned long long want_ = (unsigned long long)(want);                                     \
        if (got_ != want_)                                                                         \
            fail(__LINE__, "%s is 0x%llx, want %s = 0x%llx", #got, got_, #want, want_);            \
    } while (0)

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- the pair */

/* Choose a GID of RoCE v2 with an IPv4 address, or the port's last GID if there is none. */
static void choose_gid(struct side *s)
{
    static const uint8_t ipv4[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff };
    struct ibv_gid_entry entries[64];
    ssize_t n = ibv_query_gid_table(s->context, entries, 64, 0), i;
    bool is_good = false;

    CHECK(n > 0);
    for (i = 0; i < n && !is_good; i++) {
        if (entries[i].port_num != 1)
            continue;
        s->gid = entries[i].gid;
        s->gid_index = (uint8_t)entries[i].gid_index;
        is_good = entries[i].gid_type == IBV_GID_TYPE_ROCE_V2 && memcmp(s->gid.raw, ipv4, 12) == 0;
    }
}

static void make_qp(struct side *s)
{
    struct ibv_qp_init_attr init;

    memset(&init, 0, sizeof(init));
    init.send_cq = init.recv_cq = s->cq;
    init.qp_type = IBV_QPT_RC;
    init.cap = (struct ibv_qp_cap){ DEPTH, DEPTH, 2, 2, 64 };
    s->qp = ibv_create_qp(s->pd, &init);
    CHECK(s->qp != NULL);
}

static void open_side(struct side *s, struct ibv_device *device)
{
    struct epoll_event event = { .events = EPOLLIN };

    s->epoll = -1;
    s->context = ibv_open_device(device);
    CHECK(s->context != NULL);
    CHECK_EQ(ibv_query_port(s->context, 1, &s->port), 0);
    if (s->port.link_layer == IBV_LINK_LAYER_ETHERNET)
        choose_gid(s);
    s->pd = ibv_alloc_pd(s->context);
    CHECK(s->pd != NULL);
    s->channel = ibv_create_comp_channel(s->context);
    CHECK(s->channel != NULL);
    CHECK(fcntl(s->channel->fd, F_SETFL, fcntl(s->channel->fd, F_GETFL) | O_NONBLOCK) == 0);
    s->epoll = epoll_create1(EPOLL_CLOEXEC);
    CHECK(s->epoll >= 0);
    CHECK(epoll_ctl(s->epoll, EPOLL_CTL_ADD, s->channel->fd, &event) == 0);
    s->cq = ibv_create_cq(s->context, 4 * DEPTH, NULL, s->channel, 0);
    CHECK(s->cq != NULL);
    s->bytes = mmap(NULL, BUFFER_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(s->bytes != MAP_FAILED);
    s->mr = ibv_reg_mr(s->pd, s->bytes, BUFFER_BYTES, IBV_ACCESS_LOCAL_WRITE | REMOTE_ALL);
    CHECK(s->mr != NULL);
    make_qp(s);
}

/* Destroy all objects of a side; objects that were not created are NULL. Return false if an object
 * cannot be destroyed. */
static bool close_side(struct side *s)
{
    int is_error = 0;

    if (s->qp != NULL)
        is_error |= ibv_destroy_qp(s->qp);
    while (s->num_extra > 0)
        is_error |= ibv_dereg_mr(s->extra[--s->num_extra]);
    if (s->mr != NULL)
        is_error |= ibv_dereg_mr(s->mr);
    if (s->cq != NULL)
        is_error |= ibv_destroy_cq(s->cq);
    if (s->channel != NULL)
        is_error |= ibv_destroy_comp_channel(s->channel);
    if (s->pd != NULL)
        is_error |= ibv_dealloc_pd(s->pd);
    if (s->bytes != NULL && s->bytes != MAP_FAILED)
        is_error |= munmap(s->bytes, BUFFER_BYTES);
    if (s->epoll >= 0)
        is_error |= close(s->epoll);
    if (s->context != NULL)
        is_error |= ibv_close_device(s->context);
    memset(s, 0, sizeof(*s));
    s->epoll = -1;
    return is_error == 0;
}

static void connect_side(struct side *s, const struct side *to, unsigned access, uint8_t timeout)
{
    struct ibv_qp_attr attr;

    memset(&attr, 0, sizeof(attr));
    attr.qp_state = IBV_QPS_INIT;
    attr.port_num = 1;
    attr.qp_access_flags = access;
    CHECK_EQ(ibv_modify_qp(s->qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
                           IBV_QP_ACCESS_FLAGS), 0);
    attr.qp_state = IBV_QPS_RTR;
    attr.path_mtu = s->port.active_mtu < to->port.active_mtu ? s->port.active_mtu
                                                             : to->port.active_mtu;
    attr.dest_qp_num = to->qp->qp_num;
    attr.max_dest_rd_atomic = 4;
    attr.min_rnr_timer = 12;
    attr.ah_attr.port_num = 1;
    attr.ah_attr.dlid = to->port.lid;
    attr.ah_attr.is_global = s->port.link_layer == IBV_LINK_LAYER_ETHERNET;
    attr.ah_attr.grh.dgid = to->gid;
    attr.ah_attr.grh.sgid_index = s->gid_index;
    attr.ah_attr.grh.hop_limit = 64;
    CHECK_EQ(ibv_modify_qp(s->qp, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
                           IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
                           IBV_QP_MIN_RNR_TIMER), 0);
    attr.qp_state = IBV_QPS_RTS;
    attr.timeout = timeout;
    attr.retry_cnt = 2;
    attr.rnr_retry = 7; /* no limit */
    attr.max_rd_atomic = 4;
    CHECK_EQ(ibv_modify_qp(s->qp, &attr, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                           IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC), 0);
}

static void connect_pair(unsigned access_of_b)
{
    connect_side(&b, &a, access_of_b, 14);
    connect_side(&a, &b, REMOTE_ALL, 14);
}

/* Reset and connect both QPs again, as a program does after an error. Earlier completions are
 * dropped. */
static void reset_pair(unsigned access_of_b)
{
    struct ibv_qp_attr attr;
    struct ibv_wc wc;

    memset(&attr, 0, sizeof(attr));
    attr.qp_state = IBV_QPS_RESET;
    CHECK_EQ(ibv_modify_qp(a.qp, &attr, IBV_QP_STATE), 0);
    CHECK_EQ(ibv_modify_qp(b.qp, &attr, IBV_QP_STATE), 0);
    while (ibv_poll_cq(a.cq, 1, &wc) > 0 || ibv_poll_cq(b.cq, 1, &wc) > 0)
        ;
    connect_pair(access_of_b);
}

static struct ibv_mr *reg(struct side *s, size_t offset, size_t len, unsigned access)
{
    struct ibv_mr *mr = ibv_reg_mr(s->pd, s->bytes + offset, len, access);

    CHECK(mr != NULL);
    CHECK(s->num_extra < MAX_EXTRA);
    s->extra[s->num_extra++] = mr;
    return mr;
}

/* ---- work */

static struct ibv_sge sge(struct side *s, size_t offset, uint32_t len)
{
    struct ibv_sge entry = { (uintptr_t)s->bytes + offset, len, s->mr->lkey };

    return entry;
}

/* Return a signalled request with one entry, which must stay valid until the post. The remote
 * address has the same offset in b.bytes as the local address in a.bytes. */
static struct ibv_send_wr request(enum ibv_wr_opcode opcode, struct ibv_sge *entry)
{
    struct ibv_send_wr wr;
    uint64_t remote = (uintptr_t)b.bytes + (entry->addr - (uintptr_t)a.bytes);

    memset(&wr, 0, sizeof(wr));
    wr.sg_list = entry;
    wr.num_sge = 1;
    wr.opcode = opcode;
    wr.send_flags = IBV_SEND_SIGNALED;
    if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD || opcode == IBV_WR_ATOMIC_CMP_AND_SWP) {
        wr.wr.atomic.remote_addr = remote;
        wr.wr.atomic.rkey = b.mr->rkey;
    } else {
        wr.wr.rdma.remote_addr = remote;
        wr.wr.rdma.rkey = b.mr->rkey;
    }
    return wr;
}

static void post(struct ibv_send_wr *wr)
{
    struct ibv_send_wr *bad;

    CHECK_EQ(ibv_post_send(a.qp, wr, &bad), 0);
}

static void post_recv(struct side *s, uint64_t wr_id)
{
    struct ibv_sge entry = sge(s, 0, 64);
    struct ibv_recv_wr wr = { wr_id, NULL, &entry, 1 }, *bad;

    CHECK_EQ(ibv_post_recv(s->qp, &wr, &bad), 0);
}

static struct ibv_wc wait_completion(struct side *s)
{
    int64_t end = now_ms() + PATIENCE_MS;
    struct ibv_wc wc;
    int n;

    do {
        n = ibv_poll_cq(s->cq, 1, &wc);
        CHECK(n >= 0);
        if (n == 1)
            return wc;
        sched_yield();
    } while (now_ms() < end);
    fail(__LINE__, "no completion within %d ms", PATIENCE_MS);
}

#define CHECK_SUCCESS(wc_status)                                                                   \
    do {                                                                                           \
        enum ibv_wc_status status_ = (wc_status);                                                  \
        if (status_ != IBV_WC_SUCCESS)                                                             \
            fail(__LINE__, "completed with %d, %s", (int)status_, ibv_wc_status_str(status_));     \
    } while (0)

static void run_request(enum ibv_wr_opcode opcode, size_t offset, uint32_t len)
{
    struct ibv_sge entry = sge(&a, offset, len);
    struct ibv_send_wr wr = request(opcode, &entry);

    post(&wr);
    CHECK_SUCCESS(wait_completion(&a).status);
}

/* Post a request and return the status of its completion, or `if_refused` if the post fails. */
static enum ibv_wc_status post_and_wait(struct ibv_send_wr *wr, enum ibv_wc_status if_refused)
{
    struct ibv_send_wr *bad = NULL;

    if (ibv_post_send(a.qp, wr, &bad) == 0)
        return wait_completion(&a).status;
    CHECK(bad == wr);
    return if_refused;
}

static bool no_completion(struct side *s)
{
    int64_t end = now_ms() + QUIET_MS;
    struct ibv_wc wc;

    while (now_ms() < end) {
        if (ibv_poll_cq(s->cq, 1, &wc) != 0)
            return false;
        sched_yield();
    }
    return true;
}

static enum ibv_qp_state state_of(struct ibv_qp *qp)
{
    struct ibv_qp_init_attr init;
    struct ibv_qp_attr attr;

    CHECK_EQ(ibv_query_qp(qp, &attr, IBV_QP_STATE, &init), 0);
    return attr.qp_state;
}

static void fill(unsigned char *bytes, size_t len, unsigned seed)
{
    size_t i;

    for (i = 0; i < len; i++)
        bytes[i] = (unsigned char)(seed + i * 7 + (i >> 8));
}

#endif
