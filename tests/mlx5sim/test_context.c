/* The services that the kernel provides for a context, and that the emulator imitates: its file
 * descriptor, handles, counts of events, memory. */
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

static const struct rig_case cases[] = {
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
};

RIG_MAIN(cases)
