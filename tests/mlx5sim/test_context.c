/* The services that the kernel provides for a context, and that the emulator imitates: its file
 * descriptor, handles, counts of events, memory, doorbell pages. */
#define _GNU_SOURCE
#include "own_queue.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/mlx5-abi.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { LEN = 8192 };

/* ---- the file descriptor -------------------------------------------------------------------- */

static void the_fd_looks_like_the_character_device(void)
{
    struct rig rig = rig_open(0);
    unsigned major_number, minor_number;
    struct stat by_fd, by_path;
    FILE *dev = fopen("/sys/class/infiniband_verbs/uverbs0/dev", "r");
    int copy = dup(rig.ctx->cmd_fd), pair[2];

    CHECK(dev && fscanf(dev, "%u:%u", &major_number, &minor_number) == 2);
    fclose(dev);
    CHECK_EQ(fstat(copy, &by_fd), 0);
    CHECK_EQ(stat("/dev/infiniband/uverbs0", &by_path), 0);
    CHECK(S_ISCHR(by_fd.st_mode) && S_ISCHR(by_path.st_mode));
    CHECK(by_fd.st_rdev == makedev(major_number, minor_number));
    CHECK(by_fd.st_rdev == by_path.st_rdev);
    CHECK_EQ(stat("/dev/infiniband/uverbs77", &by_path), -1);
    CHECK_EQ(errno, ENOENT);
    CHECK_EQ(access("/dev/infiniband/uverbs0", R_OK | W_OK), 0);
    CHECK_EQ(open("/dev/infiniband/uverbs77", O_RDWR), -1);
    CHECK_EQ(errno, ENOENT);
    close(copy);
    CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0); /* sockets whose peers have no name */
    CHECK_EQ(fstat(rig.ctx->cmd_fd, &by_fd), 0);
    CHECK_EQ(fstat(pair[0], &by_fd), 0);
    CHECK(S_ISSOCK(by_fd.st_mode));
    close(pair[0]);
    close(pair[1]);
    rig_close(&rig);
}

/* A second context, over a copy of the file descriptor, imports the PD and the MR of the first
 * context by their handles. */
static void imported_handles_name_the_same_objects(void)
{
    struct rig rig = rig_open(0);
    uint8_t *mem = rig_memory(LEN);
    struct ibv_mr *mr = ibv_reg_mr(rig.pd, mem, LEN, RIG_ALL_ACCESS), *mr2;
    struct ibv_context *ctx2 = ibv_import_device(dup(rig.ctx->cmd_fd));
    struct ibv_pd *pd2;

    CHECK(mr && ctx2);
    pd2 = ibv_import_pd(ctx2, rig.pd->handle);
    CHECK(pd2);
    CHECK_EQ(rig_pdn(pd2), rig.pdn);
    mr2 = ibv_import_mr(pd2, mr->handle);
    CHECK(mr2);
    CHECK_EQ(mr2->lkey, mr->lkey);
    CHECK_EQ(mr2->rkey, mr->rkey);
    CHECK(!ibv_import_mr(pd2, mr->handle + 1));
    ibv_unimport_mr(mr2);
    ibv_unimport_pd(pd2);
    CHECK_EQ(ibv_close_device(ctx2), 0);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    rig_close(&rig);
    free(mem);
}

/* Return the open descriptors below 3: bit n is set when descriptor n is open. */
static int standard_streams(void)
{
    int bits = 0;

    for (int fd = 0; fd < 3; fd++)
        bits |= fcntl(fd, F_GETFD) >= 0 ? 1 << fd : 0;
    return bits;
}

/* When a daemon has closed its standard streams, no descriptor that the emulator keeps open may
 * have one of their numbers. */
static void closed_standard_streams_stay_closed(void)
{
    const struct rig_qp_options options = { 0 };
    pid_t child = peer_fork();

    CHECK(child >= 0);
    if (child == 0) {
        for (int fd = 0; fd < 3; fd++)
            close(fd);
        if (setjmp(rig_leave) == 0) {
            struct rig rig = rig_open(0);
            struct ibv_comp_channel *channel = ibv_create_comp_channel(rig.ctx);
            struct ibv_qp *qp = rig_loop(&rig, options);
            uint8_t *mem = rig_memory(LEN);
            struct ibv_mr *mr = ibv_reg_mr(rig.pd, mem, LEN, RIG_ALL_ACCESS);
            struct rig_side here = { mem, 8, mr->lkey };

            CHECK(channel != NULL && channel->fd > 2);
            CHECK(rig.ctx->cmd_fd > 2 && rig.ctx->async_fd > 2);
            CHECK_EQ(rig_do(&rig, qp, IBV_WR_RDMA_WRITE, here, (uintptr_t)mem + 64, mr->rkey), 0);
            _exit(standard_streams() == 0 ? 0 : 2);
        }
        _exit(1);
    }
    PEER_REAP(child);
}

/* A forked child can use the inherited context. When the child ends, the objects of the parent
 * remain. */
static void a_child_shares_the_context(void)
{
    const struct rig_qp_options options = { 0 };
    struct rig rig = rig_open(0);
    struct ibv_qp *qp = rig_loop(&rig, options);
    uint8_t *mem = rig_memory(LEN);
    struct ibv_mr *mr = ibv_reg_mr(rig.pd, mem, LEN, RIG_ALL_ACCESS);
    struct rig_side here = { mem, 8, mr->lkey };
    struct ibv_port_attr port;
    pid_t child = fork();

    CHECK(child >= 0);
    if (child == 0)
        _exit(ibv_query_port(rig.ctx, 1, &port) == 0 && ibv_alloc_pd(rig.ctx) ? 0 : 1);
    PEER_REAP(child);
    mem[0] = 42;
    CHECK_EQ(rig_do(&rig, qp, IBV_WR_RDMA_WRITE, here, (uintptr_t)mem + 64, mr->rkey), 0);
    CHECK_EQ(mem[64], 42);
    CHECK_EQ(ibv_destroy_qp(qp), 0);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    rig_close(&rig);
    free(mem);
}

/* ---- handles -------------------------------------------------------------------------------- */

static void objects_in_use_are_not_destroyed(void)
{
    const struct rig_qp_options options = { 0 };
    struct rig rig = rig_open(0);
    struct ibv_srq_init_attr init = { .attr = { .max_wr = 4, .max_sge = 1 } };
    struct ibv_srq *srq = ibv_create_srq(rig.pd, &init);
    struct rig_qp_options with_srq = { .srq = srq };
    struct ibv_qp *qp = rig_qp(&rig, &options), *qp2;

    CHECK(srq);
    qp2 = rig_qp(&rig, &with_srq);
    CHECK_EQ(ibv_destroy_cq(rig.cq), EBUSY);
    CHECK_EQ(ibv_dealloc_pd(rig.pd), EBUSY);
    CHECK_EQ(ibv_destroy_srq(srq), EBUSY);
    CHECK_EQ(ibv_destroy_qp(qp), 0);
    CHECK_EQ(ibv_destroy_qp(qp2), 0);
    CHECK_EQ(ibv_destroy_srq(srq), 0);
    rig_close(&rig);
}

/* struct ib_uverbs_ioctl_hdr with room for attributes */
struct request {
    uint16_t length, object_id, method_id, num_attrs;
    uint64_t reserved1;
    uint32_t driver_id, reserved2;
    struct ib_uverbs_attr attrs[12];
};

static int call(struct rig *rig, struct request *request, unsigned object, unsigned method,
                unsigned num_attrs)
{
    request->length = (uint16_t)(offsetof(struct request, attrs) +
                                 num_attrs * sizeof(request->attrs[0]));
    request->object_id = (uint16_t)object;
    request->method_id = (uint16_t)method;
    request->num_attrs = (uint16_t)num_attrs;
    return ioctl(rig->ctx->cmd_fd, RDMA_VERBS_IOCTL, request) == 0 ? 0 : errno;
}

static void a_handle_is_invalid_after_destroy(void)
{
    struct rig rig = rig_open(0);
    struct ibv_pd *pd = ibv_alloc_pd(rig.ctx);
    struct request destroy = { .attrs = { { .attr_id = UVERBS_ATTR_DESTROY_PD_HANDLE,
                                            .flags = UVERBS_ATTR_F_MANDATORY } } };
    struct request again = destroy;

    CHECK(pd);
    destroy.attrs[0].data = pd->handle;
    CHECK_EQ(call(&rig, &destroy, UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY, 1), 0);
    again.attrs[0].data = pd->handle;
    /* one of these objects reuses the memory of the destroyed object */
    for (int i = 0; i < 300; i++) {
        struct ibv_pd *other = ibv_alloc_pd(rig.ctx);

        CHECK(other);
        CHECK_EQ(call(&rig, &again, UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY, 1), ENOENT);
        CHECK_EQ(ibv_dealloc_pd(other), 0);
    }
    /* a handle of an object of another type */
    again.attrs[0].data = rig.cq->handle;
    CHECK_EQ(call(&rig, &again, UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY, 1), ENOENT);
}

static void a_wrong_ioctl_is_refused(void)
{
    struct rig rig = rig_open(0);
    struct request request = { .attrs = { { .attr_id = 0, .flags = UVERBS_ATTR_F_MANDATORY } } };

    CHECK_EQ(call(&rig, &request, UVERBS_OBJECT_PD, 77, 0), EPROTONOSUPPORT);
    CHECK_EQ(call(&rig, &request, 999, 0, 0), EPROTONOSUPPORT);
    /* a required attribute is missing; then an unknown attribute is marked as mandatory */
    CHECK_EQ(call(&rig, &request, UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY, 0), EINVAL);
    request.attrs[1].attr_id = 44;
    request.attrs[1].flags = UVERBS_ATTR_F_MANDATORY;
    CHECK_EQ(call(&rig, &request, UVERBS_OBJECT_PD, UVERBS_METHOD_PD_DESTROY, 2), EPROTONOSUPPORT);
    /* the length of the request does not match its attributes */
    request.length = 8;
    CHECK_EQ(ioctl(rig.ctx->cmd_fd, RDMA_VERBS_IOCTL, &request), -1);
    CHECK_EQ(errno, EINVAL);
    request.length = offsetof(struct request, attrs) + 1;
    CHECK_EQ(ioctl(rig.ctx->cmd_fd, RDMA_VERBS_IOCTL, &request), -1);
    CHECK_EQ(errno, EINVAL);
    /* the attribute for the result is missing */
    memset(&request, 0, sizeof(request));
    request.attrs[0].attr_id = UVERBS_ATTR_QUERY_PORT_PORT_NUM;
    request.attrs[0].len = 1;
    request.attrs[0].data = 1;
    request.attrs[1].attr_id = UVERBS_ATTR_QUERY_PORT_RESP;
    request.attrs[1].len = 48;
    request.attrs[1].data = 4096;
    CHECK_EQ(call(&rig, &request, UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_PORT, 2), EFAULT);
    rig_close(&rig);
}

static void add_attribute(struct request *request, unsigned id, uint64_t data, size_t len)
{
    request->attrs[request->num_attrs++] = (struct ib_uverbs_attr){
        .attr_id = (uint16_t)id, .len = (uint16_t)len, .flags = UVERBS_ATTR_F_MANDATORY,
        .data = data };
}

static int make_srq(struct rig *rig, const uint8_t *mem, uint32_t max_wr, uint32_t max_sge)
{
    const struct mlx5_ib_create_srq user = { .buf_addr = (uintptr_t)mem,
                                             .db_addr = (uintptr_t)mem };
    struct request request = { 0 };

    add_attribute(&request, UVERBS_ATTR_CREATE_SRQ_HANDLE, 0, 0);
    add_attribute(&request, UVERBS_ATTR_CREATE_SRQ_PD_HANDLE, rig->pd->handle, 0);
    add_attribute(&request, UVERBS_ATTR_CREATE_SRQ_MAX_WR, max_wr, 4);
    add_attribute(&request, UVERBS_ATTR_CREATE_SRQ_MAX_SGE, max_sge, 4);
    add_attribute(&request, UVERBS_ATTR_CREATE_SRQ_TYPE, IB_UVERBS_SRQT_BASIC, 0);
    add_attribute(&request, UVERBS_ATTR_UHW_IN, (uintptr_t)&user, sizeof(user));
    return call(rig, &request, UVERBS_OBJECT_SRQ, UVERBS_METHOD_SRQ_CREATE, request.num_attrs);
}

static int make_qp(struct rig *rig, const uint8_t *mem, uint32_t log_stride)
{
    const struct mlx5_ib_create_qp user = { .buf_addr = (uintptr_t)mem, .db_addr = (uintptr_t)mem,
                                            .rq_wqe_count = 16, .rq_wqe_shift = log_stride };
    const struct ib_uverbs_qp_cap cap = { .max_recv_wr = 16, .max_recv_sge = 1 };
    struct request request = { 0 };

    add_attribute(&request, UVERBS_ATTR_CREATE_QP_HANDLE, 0, 0);
    add_attribute(&request, UVERBS_ATTR_CREATE_QP_PD_HANDLE, rig->pd->handle, 0);
    add_attribute(&request, UVERBS_ATTR_CREATE_QP_SEND_CQ_HANDLE, rig->cq->handle, 0);
    add_attribute(&request, UVERBS_ATTR_CREATE_QP_RECV_CQ_HANDLE, rig->cq->handle, 0);
    add_attribute(&request, UVERBS_ATTR_CREATE_QP_USER_HANDLE, 0, 8);
    add_attribute(&request, UVERBS_ATTR_CREATE_QP_CAP, (uintptr_t)&cap, sizeof(cap));
    add_attribute(&request, UVERBS_ATTR_CREATE_QP_TYPE, IB_UVERBS_QPT_RC, 0);
    add_attribute(&request, UVERBS_ATTR_UHW_IN, (uintptr_t)&user, sizeof(user));
    return call(rig, &request, UVERBS_OBJECT_QP, UVERBS_METHOD_QP_CREATE, request.num_attrs);
}

/* Sizes that libmlx5 never requests, including sizes whose byte count wraps to a small number. */
static void impossible_queue_sizes_are_refused(void)
{
    static const uint32_t sizes[] = { 0x0fffffff, 0x10000000, 0x7fffffff, 0x80000000, 0xffffffff };
    struct rig rig = rig_open(0);
    uint8_t *mem = rig_memory(LEN);

    alarm(20);
    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        CHECK_EQ(make_srq(&rig, mem, sizes[i], 1), EINVAL);
        CHECK_EQ(make_srq(&rig, mem, 15, sizes[i]), EINVAL);
    }
    for (unsigned log_stride = 10; log_stride < 80; log_stride++)
        CHECK_EQ(make_qp(&rig, mem, log_stride), EINVAL);
    alarm(0);
    /* a valid size succeeds, so the sizes were the reason */
    CHECK_EQ(make_srq(&rig, mem, 15, 1), 0);
    CHECK_EQ(make_qp(&rig, mem, 4), 0);
    CHECK_EQ(ibv_close_device(rig.ctx), 0);
    free(mem);
}

static void a_refusal_of_the_firmware_is_eremoteio(void)
{
    struct rig rig = rig_open(0);
    uint8_t in[16] = { 0 }, out[16] = { 0 };

    put(in, 0, 16, 0xb7f);              /* in the range of general commands, but not a command */
    CHECK(mlx5dv_devx_general_cmd(rig.ctx, in, sizeof(in), out, sizeof(out)) != 0);
    CHECK_EQ(errno, EREMOTEIO);
    CHECK_EQ(out[0], 2);
    put(in, 0, 16, 0x500);      /* this call of the kernel passes on no such command */
    CHECK(mlx5dv_devx_general_cmd(rig.ctx, in, sizeof(in), out, sizeof(out)) != 0);
    CHECK_EQ(errno, EINVAL);
    rig_close(&rig);
}

/* ---- memory --------------------------------------------------------------------------------- */

static void registration_of_unmapped_memory_is_refused(void)
{
    struct rig rig = rig_open(0);
    uint8_t *mem = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct ibv_mr *mr;

    CHECK(mem != MAP_FAILED);
    munmap(mem + 4096, 4096);
    CHECK(!ibv_reg_mr(rig.pd, mem, 3 * 4096, IBV_ACCESS_LOCAL_WRITE));
    CHECK_EQ(errno, EFAULT);
    CHECK_EQ(mprotect(mem, 4096, PROT_READ), 0);
    CHECK(!ibv_reg_mr(rig.pd, mem, 4096, IBV_ACCESS_LOCAL_WRITE));
    CHECK_EQ(errno, EFAULT);
    mr = ibv_reg_mr(rig.pd, mem, 4096, IBV_ACCESS_REMOTE_READ);
    CHECK(mr);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    CHECK(!ibv_reg_mr(rig.pd, mem + 8192, 4096, IBV_ACCESS_REMOTE_WRITE));
    CHECK_EQ(errno, EINVAL);
    CHECK(!ibv_reg_mr(rig.pd, mem + 8192, 0, 0));
    CHECK(!mlx5dv_devx_umem_reg(rig.ctx, mem, 3 * 4096, IBV_ACCESS_LOCAL_WRITE));
    CHECK_EQ(errno, EFAULT);
    munmap(mem, 4096);
    munmap(mem + 8192, 4096);
    rig_close(&rig);
}

/* ---- events --------------------------------------------------------------------------------- */

struct listener {
    struct ibv_cq *cq;
    struct ibv_qp *qp;
};

static struct listener listen_on(struct rig *rig, struct ibv_comp_channel *channel)
{
    const struct rig_qp_options options = { 0 };
    struct ibv_cq *rig_cq = rig->cq;
    struct listener l = { .cq = ibv_create_cq(rig->ctx, 16, NULL, channel, 0) };

    CHECK(l.cq);
    rig->cq = l.cq;
    l.qp = rig_loop(rig, options);
    rig->cq = rig_cq;
    return l;
}

static void complete(struct listener *l, struct ibv_mr *mr)
{
    struct rig_side here = { mr->addr, 8, mr->lkey };

    CHECK_EQ(ibv_req_notify_cq(l->cq, 0), 0);
    rig_post(l->qp, IBV_WR_RDMA_WRITE, here, (uintptr_t)mr->addr + 64, mr->rkey,
             IBV_SEND_SIGNALED);
    CHECK_EQ(rig_poll(l->cq).status, 0);
}

static bool event_comes(struct ibv_comp_channel *channel)
{
    struct pollfd fd = { .fd = channel->fd, .events = POLLIN };

    return poll(&fd, 1, 200) == 1;
}

/* ibv_destroy_cq() waits until the program has acknowledged the events that it has read. Unread
 * events are discarded. */
static void unread_events_are_discarded_with_their_cq(void)
{
    struct rig rig = rig_open(0);
    uint8_t *mem = rig_memory(LEN);
    struct ibv_mr *mr = ibv_reg_mr(rig.pd, mem, LEN, RIG_ALL_ACCESS);
    struct ibv_comp_channel *channel = ibv_create_comp_channel(rig.ctx);
    struct listener a = listen_on(&rig, channel), b = listen_on(&rig, channel);
    struct ibv_cq *event_cq;
    void *context;

    alarm(20);
    for (int i = 0; i < 3; i++) {
        complete(&a, mr);
        CHECK(event_comes(channel));
        CHECK_EQ(ibv_get_cq_event(channel, &event_cq, &context), 0);
        CHECK(event_cq == a.cq);
    }
    complete(&a, mr);
    CHECK(event_comes(channel));
    complete(&b, mr);
    ibv_ack_cq_events(a.cq, 3);
    CHECK_EQ(ibv_destroy_qp(a.qp), 0);
    CHECK_EQ(ibv_destroy_cq(a.cq), 0);  /* would hang if the unread fourth event counted */
    CHECK(event_comes(channel));
    CHECK_EQ(ibv_get_cq_event(channel, &event_cq, &context), 0);
    CHECK(event_cq == b.cq);
    CHECK_EQ(ibv_destroy_comp_channel(channel), EBUSY);
    ibv_ack_cq_events(b.cq, 1);
    CHECK_EQ(ibv_destroy_qp(b.qp), 0);
    CHECK_EQ(ibv_destroy_cq(b.cq), 0);
    CHECK_EQ(ibv_destroy_comp_channel(channel), 0);
    alarm(0);
    CHECK_EQ(ibv_dereg_mr(mr), 0);
    rig_close(&rig);
    free(mem);
}

static void arm(struct own_queue *q)
{
    const uint32_t word = q->ci & 0xffffff;

    *(volatile uint32_t *)(void *)(q->mem + OWN_DB_AT + 4) = htobe32(word);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    *(volatile uint64_t *)((uint8_t *)q->uar->base_addr + 0x20) =
        htobe64((uint64_t)word << 32 | q->cqn);
}

/* A subscription to events of an object ends when the object is destroyed. An attempt to destroy
 * the object that fails does not end it. */
static void a_refused_destroy_keeps_the_subscription(void)
{
    struct rig rig = rig_open(0);
    struct own_queue q = own_open(&rig, false);
    struct mlx5dv_devx_event_channel *channel = mlx5dv_devx_create_event_channel(
        rig.ctx, MLX5DV_DEVX_CREATE_EVENT_CHANNEL_FLAGS_OMIT_EV_DATA);
    struct mlx5dv_devx_async_event_hdr event;
    struct pollfd fd = { .events = POLLIN };
    uint16_t type = 0;          /* the event of a completion */

    CHECK(channel);
    fd.fd = channel->fd;
    CHECK_EQ(mlx5dv_devx_subscribe_devx_event(channel, q.cq, sizeof(type), &type, 77), 0);
    CHECK(mlx5dv_devx_obj_destroy(q.cq) != 0);  /* fails: a QP still uses the CQ */
    arm(&q);
    own_ring(&q, own_wqe(&q, 0, 0, 1, true));
    CHECK_EQ(own_syndrome(&q, 0), 0);
    CHECK_EQ(poll(&fd, 1, RIG_PATIENCE * 1000), 1);
    CHECK_EQ(mlx5dv_devx_get_event(channel, &event, sizeof(event)), sizeof(event));
    CHECK_EQ(event.cookie, 77);
    own_close(&q);
    mlx5dv_devx_destroy_event_channel(channel);
    rig_close(&rig);
}

/* ---- doorbells ------------------------------------------------------------------------------ */

typedef void store_function(volatile void *reg, const uint8_t *wqe);

static void store_word(volatile void *reg, const uint8_t *wqe)
{
    uint64_t word;

    memcpy(&word, wqe, 8);
    *(volatile uint64_t *)reg = word;
}

static void store_halves(volatile void *reg, const uint8_t *wqe)
{
    uint32_t half[2];

    memcpy(half, wqe, 8);
    ((volatile uint32_t *)reg)[0] = half[0];
    ((volatile uint32_t *)reg)[1] = half[1];
}

static void store_block(volatile void *reg, const uint8_t *wqe)
{
    for (int i = 0; i < 8; i++)
        store_word((volatile uint64_t *)reg + i, wqe + 8 * i);
}

static void store_exchange(volatile void *reg, const uint8_t *wqe)
{
    uint64_t word;

    memcpy(&word, wqe, 8);
    (void)__atomic_exchange_n((volatile uint64_t *)reg, word, __ATOMIC_SEQ_CST);
}

static void store_copy(volatile void *reg, const uint8_t *wqe)
{
    size_t n = 8;

#if defined(__x86_64__)
    void *to = (void *)(uintptr_t)reg;
    const void *from = wqe;

    __asm__ volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
#else
    memcpy((void *)(uintptr_t)reg, wqe, 8 * n);
#endif
}

#if defined(__x86_64__)
static void store_sse(volatile void *reg, const uint8_t *wqe)
{
    for (int i = 0; i < 4; i++)
        _mm_storeu_si128((__m128i *)(uintptr_t)reg + i,
                         _mm_loadu_si128((const __m128i *)(const void *)wqe + i));
}

static void store_stream(volatile void *reg, const uint8_t *wqe)
{
    for (int i = 0; i < 4; i++)
        _mm_stream_si128((__m128i *)(uintptr_t)reg + i,
                         _mm_loadu_si128((const __m128i *)(const void *)wqe + i));
    _mm_sfence();
}

static void store_movnti(volatile void *reg, const uint8_t *wqe)
{
    long long word;

    memcpy(&word, wqe, 8);
    _mm_stream_si64((long long *)(uintptr_t)reg, word);
}

__attribute__((target("avx"))) static void store_avx(volatile void *reg, const uint8_t *wqe)
{
    for (int i = 0; i < 2; i++)
        _mm256_storeu_si256((__m256i *)(uintptr_t)reg + i,
                            _mm256_loadu_si256((const __m256i *)(const void *)wqe + i));
}
#endif

static void ring_by(struct own_queue *q, store_function *store, const char *name)
{
    uint8_t *wqe = own_wqe(q, 0, 0, 1, true);
    double end = rig_seconds() + RIG_PATIENCE;
    volatile uint8_t *at = q->mem + OWN_CQ_AT + q->ci % OWN_CQ * 64;

    own_record(q);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    store((uint8_t *)q->uar->reg_addr + q->bf, wqe);
    q->bf ^= 0x100;
    while (at[63] >> 4 == 0xf || (at[63] & 1) != (q->ci / OWN_CQ & 1))
        if (rig_seconds() > end)
            rig_fail(__FILE__, __LINE__, "the device did not see the store by %s", name);
    CHECK_EQ(own_syndrome(q, (uint16_t)(q->pi - 1)), 0);
}

static void every_kind_of_store_rings_the_doorbell(void)
{
    struct rig rig = rig_open(0);
    struct own_queue q = own_open(&rig, false);

    for (int i = 0; i < 40; i++) {
        ring_by(&q, store_word, "a word");
        ring_by(&q, store_halves, "two halves");
        ring_by(&q, store_block, "eight words");
        ring_by(&q, store_exchange, "an exchange");
        ring_by(&q, store_copy, "a string instruction");
#if defined(__x86_64__)
        ring_by(&q, store_sse, "SSE");
        ring_by(&q, store_stream, "an SSE store that bypasses the caches");
        ring_by(&q, store_movnti, "a word store that bypasses the caches");
        if (__builtin_cpu_supports("avx"))
            ring_by(&q, store_avx, "AVX");
#endif
    }
    own_close(&q);
    rig_close(&rig);
}

static sigjmp_buf back;

static void jump_back(int signal)
{
    (void)signal;
    siglongjmp(back, 1);
}

static volatile sig_atomic_t traps;

static void count_trap(int signal)
{
    (void)signal;
    traps++;
}

static void fault(void)
{
    int *nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct sigaction jump = { .sa_handler = jump_back }, old, seen;

    CHECK_EQ(sigaction(SIGSEGV, &jump, &old), 0);
    CHECK_EQ(sigaction(SIGSEGV, NULL, &seen), 0);
    CHECK(seen.sa_handler == jump_back);
    if (sigsetjmp(back, 1) == 0) {
        *(volatile int *)nowhere = 1;
        rig_fail(__FILE__, __LINE__, "a store to an inaccessible page did not fault");
    }
    CHECK_EQ(sigaction(SIGSEGV, &old, NULL), 0);
    CHECK_EQ(munmap(nowhere, 4096), 0);
}

/* The emulator uses SIGSEGV and SIGTRAP for doorbell pages. Handlers of the program for these
 * signals must keep working, whether the program sets them before or after a doorbell page is
 * mapped. */
static void signal_handlers_of_the_program_keep_working(void)
{
    struct sigaction count = { .sa_handler = count_trap };
    struct own_queue q;
    struct rig rig;

    fault();
    CHECK_EQ(sigaction(SIGTRAP, &count, NULL), 0);
    rig = rig_open(0);
    q = own_open(&rig, false);
    ring_by(&q, store_word, "a word");
    fault();
    raise(SIGTRAP);
    CHECK_EQ(traps, 1);
    ring_by(&q, store_exchange, "an exchange");
    fault();
    CHECK_EQ(traps, 1);
    own_close(&q);
    rig_close(&rig);
}

static void *ring_blocked(void *arg)
{
    struct own_queue *q = arg;
    sigset_t all;

    sigfillset(&all);
    if (pthread_sigmask(SIG_BLOCK, &all, NULL) != 0)
        return NULL;
    for (int i = 0; i < 50; i++) {
        own_ring(q, own_wqe(q, 0, 0, 1, true));
        own_syndrome(q, -1);
        store_exchange((uint8_t *)q->uar->base_addr + 0x30, (const uint8_t *)"no_store");
    }
    return q;
}

static pthread_barrier_t page_barrier;

static void *ring_after_page_was_mapped(void *arg)
{
    sigset_t all;
    bool is_blocked = false;

    sigfillset(&all);
    is_blocked = pthread_sigmask(SIG_BLOCK, &all, NULL) == 0;
    pthread_barrier_wait(&page_barrier);
    pthread_barrier_wait(&page_barrier);
    own_ring(arg, own_wqe(arg, 0, 0, 1, true));
    own_syndrome(arg, -1);
    return is_blocked ? arg : NULL;
}

/* A thread that blocked all signals before the first doorbell page was mapped can ring a doorbell.
 * This must be the first case of the program, because later cases find doorbell pages mapped. */
static void a_thread_with_signals_blocked_earlier_can_ring(void)
{
    struct own_queue q;
    pthread_t thread;
    struct rig rig;
    void *result;

    CHECK_EQ(pthread_barrier_init(&page_barrier, NULL, 2), 0);
    CHECK_EQ(pthread_create(&thread, NULL, ring_after_page_was_mapped, &q), 0);
    pthread_barrier_wait(&page_barrier);
    rig = rig_open(0);
    q = own_open(&rig, false);
    pthread_barrier_wait(&page_barrier);
    CHECK_EQ(pthread_join(thread, &result), 0);
    CHECK(result == &q);
    pthread_barrier_destroy(&page_barrier);
    own_close(&q);
    rig_close(&rig);
}

/* Several threads that have blocked all signals ring doorbells at the same time. */
static void threads_ring_with_signals_blocked(void)
{
    struct rig rig = rig_open(0);
    struct own_queue q[4];
    pthread_t thread[4];
    void *result;

    for (int i = 0; i < 4; i++)
        q[i] = own_open(&rig, false);
    for (int i = 0; i < 4; i++)
        CHECK_EQ(pthread_create(&thread[i], NULL, ring_blocked, &q[i]), 0);
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(pthread_join(thread[i], &result), 0);
        CHECK(result == &q[i]);
    }
    for (int i = 0; i < 4; i++)
        own_close(&q[i]);
    rig_close(&rig);
}

/* Allocate all doorbell pages in one context after another. Each context gets the same number. */
static void doorbell_pages_are_available_after_free(void)
{
    enum { MANY = 4000 };
    static struct mlx5dv_devx_uar *uar[MANY];
    int before = 0;

    for (int round = 0; round < 3; round++) {
        struct rig rig = rig_open(0);
        int n;

        for (n = 0; n < MANY; n++)
            if ((uar[n] = mlx5dv_devx_alloc_uar(rig.ctx, MLX5DV_UAR_ALLOC_TYPE_BF)) == NULL)
                break;
        CHECK(n > 100 && n < MANY);
        CHECK(before == 0 || n == before);
        before = n;
        while (n > 0)
            mlx5dv_devx_free_uar(uar[--n]);
        rig_close(&rig);
    }
}

/* ---- clock ---------------------------------------------------------------------------------- */

/* Return the core clock of the device in nanoseconds, by its frequency in kHz. */
static double read_clock(struct ibv_context *ctx, uint64_t khz)
{
    struct ibv_values_ex values = { .comp_mask = IBV_VALUES_MASK_RAW_CLOCK };

    CHECK_EQ(ibv_query_rt_values_ex(ctx, &values), 0);
    return (double)values.raw_clock.tv_nsec * 1e6 / (double)khz;
}

/* In poll mode the page lags behind the clock by the time since the device process last ran, which
 * a busy machine makes long. So the case waits for the clock, which must advance by 20 ms and never
 * run backwards. */
static void the_clock_page_runs(void)
{
    const struct timespec nap = { 0, 5000000 };
    struct rig rig = rig_open(0);
    struct ibv_device_attr_ex attr;
    double first, last, now = 0;
    int i;

    CHECK_EQ(ibv_query_device_ex(rig.ctx, NULL, &attr), 0);
    CHECK(attr.hca_core_clock > 0);
    first = last = read_clock(rig.ctx, attr.hca_core_clock);
    for (i = 0; i < 1000 && last < first + 20e6; i++, last = now) {
        nanosleep(&nap, NULL);
        now = read_clock(rig.ctx, attr.hca_core_clock);
        CHECK(now >= last);
    }
    CHECK(last >= first + 20e6 && last < first + 20e9);
    rig_close(&rig);
}

static const struct rig_case cases[] = {
    RIG_CASE(a_thread_with_signals_blocked_earlier_can_ring),
    RIG_CASE(the_fd_looks_like_the_character_device),
    RIG_CASE(closed_standard_streams_stay_closed),
    RIG_CASE(imported_handles_name_the_same_objects),
    RIG_CASE(a_child_shares_the_context),
    RIG_CASE(objects_in_use_are_not_destroyed),
    RIG_CASE(a_handle_is_invalid_after_destroy),
    RIG_CASE(a_wrong_ioctl_is_refused),
    RIG_CASE(impossible_queue_sizes_are_refused),
    RIG_CASE(a_refusal_of_the_firmware_is_eremoteio),
    RIG_CASE(registration_of_unmapped_memory_is_refused),
    RIG_CASE(unread_events_are_discarded_with_their_cq),
    RIG_CASE(a_refused_destroy_keeps_the_subscription),
    RIG_CASE(every_kind_of_store_rings_the_doorbell),
    RIG_CASE(signal_handlers_of_the_program_keep_working),
    RIG_CASE(threads_ring_with_signals_blocked),
    RIG_CASE(doorbell_pages_are_available_after_free),
    RIG_CASE(the_clock_page_runs),
};

RIG_MAIN(cases)
