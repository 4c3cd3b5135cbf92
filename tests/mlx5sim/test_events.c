/*
 * Events of the device that a program receives through DevX: the layout of the event queue entry
 * (EQE) for each type of event, and delivery to an event channel or to an eventfd.
 */
#define _GNU_SOURCE
#include "own_queue.h"

#include <poll.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>

enum { COMP = 0x00, CQ_ERROR = 0x04, WQ_CATAS = 0x05, PORT_CHANGE = 0x09, WQ_ACCESS = 0x11,
       LAST_WQE = 0x13, SRQ_LIMIT = 0x14, CQ_AT = 8192, EQE = 64 };

struct event {
    uint64_t cookie;
    uint8_t eqe[EQE];
};

struct fixture {
    struct rig rig;
    struct own_queue q;
    struct mlx5dv_devx_event_channel *channel;
    uint8_t *mem;
    struct ibv_mr *mr;
    uint32_t num_arms;
};

static struct fixture setup(void)
{
    static struct rig rig;      /* the own queue keeps a pointer to it */
    struct fixture f = { 0 };

    f.rig = rig = rig_open(0);
    f.q = own_open(&rig, false);
    f.channel = mlx5dv_devx_create_event_channel(f.rig.ctx, 0);
    CHECK(f.channel);
    f.mem = rig_memory(4096);
    f.mr = ibv_reg_mr(f.rig.pd, f.mem, 4096, IBV_ACCESS_LOCAL_WRITE);
    CHECK(f.mr);
    return f;
}

static void teardown(struct fixture *f)
{
    own_close(&f->q);
    mlx5dv_devx_destroy_event_channel(f->channel);
    CHECK_EQ(ibv_dereg_mr(f->mr), 0);
    rig_close(&f->rig);
    free(f->mem);
}

static int subscribe(struct fixture *f, struct mlx5dv_devx_obj *obj, uint16_t type)
{
    return mlx5dv_devx_subscribe_devx_event(f->channel, obj, sizeof(type), &type, 0x1234u + type);
}

static bool is_readable(int fd, int ms)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };

    return poll(&p, 1, ms) == 1;
}

/* Wait for the next event, and check its type and that only the named bytes of its EQE are used. */
static struct event next_event(struct fixture *f, unsigned type, unsigned at, unsigned bytes,
                               unsigned at_2)
{
    union {
        struct mlx5dv_devx_async_event_hdr hdr;
        struct event event;
    } got;
    struct event event;

    CHECK(is_readable(f->channel->fd, RIG_PATIENCE * 1000));
    CHECK_EQ(mlx5dv_devx_get_event(f->channel, &got.hdr, sizeof(got)), sizeof(got));
    event = got.event;
    CHECK_EQ(event.cookie, 0x1234u + type);
    CHECK_EQ(event.eqe[1], type);
    for (unsigned i = 0; i < EQE; i++)
        if (i != 1 && i != at_2 && (i < at || i >= at + bytes) && event.eqe[i] != 0)
            rig_fail(__FILE__, __LINE__, "event %#x: byte %#x of the EQE is %#x", type, i,
                     event.eqe[i]);
    return event;
}

/* Arm the CQ of the own queue. Each event needs an arm with the next number. */
static void arm(struct fixture *f)
{
    const uint32_t word = (f->num_arms++ & 3) << 28 | (f->q.ci & 0xffffff);

    *(volatile uint32_t *)(void *)(f->q.mem + OWN_DB_AT + 4) = htobe32(word);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    *(volatile uint64_t *)((uint8_t *)f->q.uar->base_addr + 0x20) =
        htobe64((uint64_t)word << 32 | f->q.cqn);
}

/* ---- layouts -------------------------------------------------------------------------------- */

static void a_completion_event_has_the_cq_at_the_end(void)
{
    struct fixture f = setup();
    struct event event;

    CHECK_EQ(subscribe(&f, f.q.cq, COMP), 0);
    arm(&f);
    own_ring(&f.q, own_wqe(&f.q, 0, 0, 1, true));
    event = next_event(&f, COMP, 0x39, 3, 0);
    CHECK_EQ(get(event.eqe, 0x39 * 8, 24), f.q.cqn);
    CHECK_EQ(own_syndrome(&f.q, 0), 0);
    teardown(&f);
}

static void a_cq_overrun_has_the_cq_first_and_a_syndrome(void)
{
    struct fixture f = setup();
    struct event event;

    CHECK_EQ(subscribe(&f, f.q.cq, CQ_ERROR), 0);
    for (unsigned i = 0; i <= OWN_CQ; i++) {
        own_ring(&f.q, own_wqe(&f.q, 0, 0, 1, true));
        if (i < OWN_CQ)
            while (f.q.mem[CQ_AT + i * 64 + 63] >> 4 == 0xf)
                usleep(10);
    }
    event = next_event(&f, CQ_ERROR, 0x21, 3, 0x2b);
    CHECK_EQ(get(event.eqe, 0x21 * 8, 24), f.q.cqn);
    CHECK_EQ(event.eqe[0x2b], 1);       /* overrun */
    teardown(&f);
}

static void a_cq_in_lost_memory_has_another_syndrome(void)
{
    struct fixture f = setup();
    struct event event;

    CHECK_EQ(subscribe(&f, f.q.cq, CQ_ERROR), 0);
    CHECK_EQ(mprotect(f.q.mem + CQ_AT, 4096, PROT_NONE), 0);
    own_ring(&f.q, own_wqe(&f.q, 0, 0, 1, true));
    event = next_event(&f, CQ_ERROR, 0x21, 3, 0x2b);
    CHECK_EQ(mprotect(f.q.mem + CQ_AT, 4096, PROT_READ | PROT_WRITE), 0);
    CHECK_EQ(get(event.eqe, 0x21 * 8, 24), f.q.cqn);
    CHECK_EQ(event.eqe[0x2b], 2);       /* access violation */
    teardown(&f);
}

static void events_of_a_qp_have_its_number_and_kind(void)
{
    struct fixture f = setup();
    struct event event;
    uint8_t *wqe;

    CHECK_EQ(subscribe(&f, f.q.qp, WQ_ACCESS), 0);
    wqe = own_wqe(&f.q, 0x08, 0, 3, true);      /* RDMA write to a key that does not exist */
    put(wqe, 0x80, 64, (uintptr_t)f.mem);
    put(wqe, 0xc0, 32, 0x77700);
    own_data(wqe + 32, (struct rig_side){ f.mem, 8, f.mr->lkey });
    own_ring(&f.q, wqe);
    event = next_event(&f, WQ_ACCESS, 0x39, 3, 0x34);
    CHECK_EQ(get(event.eqe, 0x39 * 8, 24), f.q.qpn);
    CHECK_EQ(event.eqe[0x34], 0);       /* a QP, neither a single RQ nor a single SQ */
    CHECK_EQ(own_syndrome(&f.q, 0), 0x13);
    teardown(&f);
}

static void a_send_queue_in_lost_memory_is_an_event(void)
{
    struct fixture f = setup();
    struct event event;

    CHECK_EQ(subscribe(&f, f.q.qp, WQ_CATAS), 0);
    own_wqe(&f.q, 0, 0, 1, true);
    own_record(&f.q);
    CHECK_EQ(mprotect(f.q.mem, 4096, PROT_NONE), 0);
    *(volatile uint64_t *)((uint8_t *)f.q.uar->reg_addr) = htobe64((uint64_t)f.q.qpn << 8 | 1);
    event = next_event(&f, WQ_CATAS, 0x39, 3, 0x34);
    CHECK_EQ(mprotect(f.q.mem, 4096, PROT_READ | PROT_WRITE), 0);
    CHECK_EQ(get(event.eqe, 0x39 * 8, 24), f.q.qpn);
    teardown(&f);
}

struct rmp {
    uint8_t *mem;
    struct mlx5dv_devx_umem *umem;
    struct mlx5dv_devx_obj *obj;
    uint32_t number;
};

/* Make an RMP of 16 WQEs without a next segment, and post `num` WQEs that receive 8 bytes each. */
static struct rmp rmp_open(struct fixture *f, unsigned num)
{
    uint8_t in[0x110 + 0x20] = { 0 }, out[16] = { 0 };
    unsigned wq = 0x100 + 0x180;
    struct rmp rmp = { .mem = rig_memory(4096) };

    rmp.umem = mlx5dv_devx_umem_reg(f->rig.ctx, rmp.mem, 4096, IBV_ACCESS_LOCAL_WRITE);
    CHECK(rmp.umem);
    put(in, 0, 16, 0x90c);
    put(in, 0x100 + 0x08, 4, 1);        /* ready */
    put(in, 0x100 + 0x20, 1, 1);        /* basic_cyclic_rcv_wqe */
    put(in, wq, 4, 1);                  /* cyclic */
    put(in, wq + 0x48, 24, f->rig.pdn);
    put(in, wq + 0x80, 64, 1024);
    put(in, wq + 0x10c, 4, 5);          /* WQEs of 32 bytes: two segments */
    put(in, wq + 0x11b, 5, 4);
    put(in, wq + 0x140, 32, rmp.umem->umem_id);
    put(in, wq + 0x160, 32, rmp.umem->umem_id);
    rmp.obj = mlx5dv_devx_obj_create(f->rig.ctx, in, sizeof(in), out, sizeof(out));
    CHECK(rmp.obj);
    rmp.number = (uint32_t)get(out, 0x48, 24);
    for (unsigned i = 0; i < num; i++) {
        own_data(rmp.mem + i * 32, (struct rig_side){ f->mem + 2048, 8, f->mr->lkey });
        put(rmp.mem + i * 32 + 16, 32, 32, 0x100);      /* the key that ends the list */
    }
    __atomic_store_n((uint32_t *)(void *)(rmp.mem + 1024), htobe32(num), __ATOMIC_RELEASE);
    return rmp;
}

static void rmp_set_limit(struct rmp *rmp, unsigned limit)
{
    uint8_t in[0x110 + 0x20] = { 0 }, out[16] = { 0 };

    put(in, 0, 16, 0x90d);
    put(in, 0x48, 24, rmp->number);
    put(in, 0x80, 64, 1);               /* change the limit */
    put(in, 0x100 + 0x180 + 0x30, 16, limit);
    CHECK_EQ(mlx5dv_devx_obj_modify(rmp->obj, in, sizeof(in), out, sizeof(out)), 0);
}

/* The limit of an RMP, and the last WQE of a QP that receives from it. */
static void events_of_an_rmp_have_its_number(void)
{
    struct fixture f = setup();
    struct rmp rmp = rmp_open(&f, 4);
    struct event event;
    uint8_t *wqe;

    CHECK_EQ(mlx5dv_devx_obj_destroy(f.q.qp), 0);
    own_rmpn = rmp.number;
    own_qp(&f.q, false);
    own_rmpn = 0;
    own_to_rts(&f.q, f.q.qpn);
    CHECK_EQ(subscribe(&f, rmp.obj, SRQ_LIMIT), 0);
    CHECK_EQ(subscribe(&f, f.q.qp, LAST_WQE), 0);
    rmp_set_limit(&rmp, 4);
    wqe = own_wqe(&f.q, 0x0a, 0, 2, true);      /* a send, which uses one of the four WQEs */
    own_data(wqe + 16, (struct rig_side){ f.mem, 8, f.mr->lkey });
    own_ring(&f.q, wqe);
    event = next_event(&f, SRQ_LIMIT, 0x39, 3, 0x34);
    CHECK_EQ(get(event.eqe, 0x39 * 8, 24), rmp.number);
    CHECK_EQ(event.eqe[0x34], 0);
    own_modify(&f.q, 0x507, 0);         /* to the error state */
    event = next_event(&f, LAST_WQE, 0x39, 3, 0x34);
    CHECK_EQ(get(event.eqe, 0x39 * 8, 24), f.q.qpn);
    CHECK_EQ(mlx5dv_devx_obj_destroy(f.q.qp), 0);
    CHECK_EQ(mlx5dv_devx_obj_destroy(rmp.obj), 0);
    CHECK_EQ(mlx5dv_devx_umem_dereg(rmp.umem), 0);
    free(rmp.mem);
    own_qp(&f.q, false);                /* for teardown() */
    teardown(&f);
}

/* Only the kernel may subscribe to other events, such as internal errors. */
static void other_events_cannot_be_subscribed(void)
{
    struct fixture f = setup();

    CHECK_EQ(subscribe(&f, NULL, PORT_CHANGE), 0);
    CHECK(subscribe(&f, NULL, 0x08) != 0);              /* an internal error */
    CHECK_EQ(errno, EINVAL);
    CHECK(subscribe(&f, NULL, WQ_ACCESS) != 0);         /* needs an object */
    CHECK_EQ(errno, EINVAL);
    CHECK(subscribe(&f, f.q.qp, PORT_CHANGE) != 0);     /* has no object */
    CHECK_EQ(errno, EINVAL);
    teardown(&f);
}

/* ---- arming --------------------------------------------------------------------------------- */

/* Post a request and wait for its CQE, which is not polled. */
static void complete_unpolled(struct fixture *f, unsigned cqe)
{
    own_ring(&f->q, own_wqe(&f->q, 0, 0, 1, true));
    for (unsigned i = 0; f->q.mem[CQ_AT + cqe * 64 + 63] >> 4 == 0xf; i++) {
        CHECK(i < 500000);
        usleep(10);
    }
}

/* A program that waits for two CQs on one channel arms a CQ before it polls the CQ. A second event
 * of the same completion would be mistaken for an event of the other CQ. */
static void a_completion_has_one_event(void)
{
    struct fixture f = setup();

    CHECK_EQ(subscribe(&f, f.q.cq, COMP), 0);
    arm(&f);
    complete_unpolled(&f, 0);
    next_event(&f, COMP, 0x39, 3, 0);
    arm(&f);                            /* the CQE is not polled yet */
    CHECK(!is_readable(f.channel->fd, 100));
    CHECK_EQ(own_syndrome(&f.q, 0), 0);
    complete_unpolled(&f, 1);
    next_event(&f, COMP, 0x39, 3, 0);   /* the arm is valid for the next completion */
    CHECK(!is_readable(f.channel->fd, 50));
    CHECK_EQ(own_syndrome(&f.q, 1), 0);
    teardown(&f);
}

/* An arm reports a completion that came before it and that no event has reported. */
static void an_arm_reports_a_completion_without_an_event(void)
{
    struct fixture f = setup();

    CHECK_EQ(subscribe(&f, f.q.cq, COMP), 0);
    complete_unpolled(&f, 0);           /* not armed */
    arm(&f);
    next_event(&f, COMP, 0x39, 3, 0);
    complete_unpolled(&f, 1);           /* after the event, and before the next arm */
    arm(&f);
    next_event(&f, COMP, 0x39, 3, 0);
    CHECK_EQ(own_syndrome(&f.q, 0), 0);
    CHECK_EQ(own_syndrome(&f.q, 1), 0);
    arm(&f);                            /* all are polled */
    CHECK(!is_readable(f.channel->fd, 50));
    teardown(&f);
}

/* ---- by eventfd ----------------------------------------------------------------------------- */

static int subscribe_fd(struct fixture *f, int fd, struct mlx5dv_devx_obj *obj, uint16_t type)
{
    errno = 0;
    return mlx5dv_devx_subscribe_devx_event_fd(f->channel, fd, obj, type);
}

static void complete(struct fixture *f)
{
    unsigned index = f->q.pi;

    arm(f);
    own_ring(&f->q, own_wqe(&f->q, 0, 0, 1, true));
    CHECK_EQ(own_syndrome(&f->q, (int)index), 0);
}

static void an_eventfd_counts_events_until_the_channel_is_destroyed(void)
{
    struct fixture f = setup();
    int fd = eventfd(0, EFD_NONBLOCK);
    struct ibv_port_attr port;
    uint64_t count;

    CHECK(fd >= 0);
    CHECK_EQ(subscribe_fd(&f, fd, f.q.cq, COMP), 0);
    for (unsigned i = 0; i < 3; i++)
        complete(&f);
    for (unsigned i = 0; i < 3; i += (unsigned)count) {
        CHECK(is_readable(fd, RIG_PATIENCE * 1000));
        CHECK_EQ(read(fd, &count, sizeof(count)), sizeof(count));
        CHECK(count >= 1 && i + count <= 3);
    }
    CHECK(!is_readable(f.channel->fd, 0));      /* the channel gets no record */
    /* a counter at its limit does not block the device */
    count = UINT64_MAX - 1;
    CHECK_EQ(write(fd, &count, sizeof(count)), sizeof(count));
    complete(&f);
    /* the device executes a command after the event of the completion */
    CHECK_EQ(ibv_query_port(f.rig.ctx, 1, &port), 0);
    CHECK_EQ(read(fd, &count, sizeof(count)), sizeof(count));
    CHECK_EQ(count, UINT64_MAX - 1);
    mlx5dv_devx_destroy_event_channel(f.channel);
    f.channel = mlx5dv_devx_create_event_channel(f.rig.ctx, 0);
    CHECK(f.channel);
    complete(&f);
    CHECK(!is_readable(fd, 100));
    close(fd);
    teardown(&f);
}

/* The device has its own reference, as the kernel has: the program may close its descriptor. */
static void an_eventfd_works_through_a_duplicate(void)
{
    struct fixture f = setup();
    int fd = eventfd(0, EFD_NONBLOCK), copy = dup(fd);

    CHECK(fd >= 0 && copy >= 0);
    CHECK_EQ(subscribe_fd(&f, fd, f.q.cq, COMP), 0);
    close(fd);
    complete(&f);
    CHECK(is_readable(copy, RIG_PATIENCE * 1000));
    close(copy);
    teardown(&f);
}

static void wrong_eventfds_are_refused(void)
{
    struct fixture f = setup();
    int fd = eventfd(0, EFD_NONBLOCK), ends[2];

    CHECK(fd >= 0 && pipe(ends) == 0);
    CHECK(subscribe_fd(&f, 1000, f.q.cq, COMP) != 0);
    CHECK_EQ(errno, EBADF);
    CHECK(subscribe_fd(&f, ends[1], f.q.cq, COMP) != 0);        /* a pipe */
    CHECK_EQ(errno, EINVAL);
    CHECK(subscribe_fd(&f, fd, f.q.cq, PORT_CHANGE) != 0);
    CHECK_EQ(errno, EINVAL);
    complete(&f);
    CHECK(!is_readable(fd, 50));
    close(fd);
    close(ends[0]);
    close(ends[1]);
    teardown(&f);
}

/* Subscribe an eventfd twice to completions of the CQ, by one call of the kernel's interface.
 * Return 0 or the errno. */
static int subscribe_twice(struct fixture *f, int fd)
{
    struct { /* struct ib_uverbs_ioctl_hdr with room for attributes */
        uint16_t length, object_id, method_id, num_attrs;
        uint64_t reserved1;
        uint32_t driver_id, reserved2;
        struct ib_uverbs_attr attrs[4];
    } request = { .length = sizeof(request),
                  .object_id = MLX5_IB_OBJECT_DEVX,
                  .method_id = MLX5_IB_METHOD_DEVX_SUBSCRIBE_EVENT,
                  .num_attrs = 4 };
    const uint16_t ids[4] = { MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_HANDLE,
                              MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_OBJ_HANDLE,
                              MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST,
                              MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_NUM };
    uint32_t handle;

    memcpy(&handle, (const char *)f->q.cq + sizeof(void *), sizeof(handle)); /* as in libmlx5 */
    for (unsigned i = 0; i < 4; i++) {
        request.attrs[i].attr_id = ids[i];
        request.attrs[i].flags = UVERBS_ATTR_F_MANDATORY;
    }
    request.attrs[0].data_s64 = f->channel->fd;
    request.attrs[1].data = handle;
    request.attrs[2].len = 4; /* two types, which are both COMP: 0 */
    request.attrs[3].len = 4;
    request.attrs[3].data = (uint32_t)fd;
    return ioctl(f->rig.ctx->cmd_fd, RDMA_VERBS_IOCTL, &request) == 0 ? 0 : errno;
}

/* The device process gets one more descriptor in each round, until it has enough of them for both
 * subscriptions. A round that fails after the first subscription leaves none. */
static void a_failed_list_subscribes_to_nothing(void)
{
    struct fixture f = setup();
    int fd = eventfd(0, EFD_NONBLOCK);
    struct rlimit before, limit;
    struct ucred device;
    socklen_t len = sizeof(device);
    struct ibv_port_attr port;
    unsigned num_failed = 0;
    uint64_t count;

    CHECK(fd >= 0);
    CHECK_EQ(getsockopt(f.rig.ctx->cmd_fd, SOL_SOCKET, SO_PEERCRED, &device, &len), 0);
    CHECK_EQ(prlimit(device.pid, RLIMIT_NOFILE, NULL, &before), 0);
    limit = before;
    for (limit.rlim_cur = 4; limit.rlim_cur < 256; limit.rlim_cur++) {
        CHECK_EQ(prlimit(device.pid, RLIMIT_NOFILE, &limit, NULL), 0);
        if (subscribe_twice(&f, fd) == 0)
            break;
        num_failed++;
    }
    CHECK_EQ(prlimit(device.pid, RLIMIT_NOFILE, &before, NULL), 0);
    CHECK(num_failed > 2 && limit.rlim_cur < 256);
    complete(&f);
    CHECK(is_readable(fd, RIG_PATIENCE * 1000));
    /* The device process answers a command only after it has delivered both events. */
    CHECK_EQ(ibv_query_port(f.rig.ctx, 1, &port), 0);
    CHECK_EQ(read(fd, &count, sizeof(count)), sizeof(count));
    CHECK_EQ(count, 2);
    close(fd);
    teardown(&f);
}

static const struct rig_case cases[] = {
    RIG_CASE(a_completion_event_has_the_cq_at_the_end),
    RIG_CASE(a_cq_overrun_has_the_cq_first_and_a_syndrome),
    RIG_CASE(a_cq_in_lost_memory_has_another_syndrome),
    RIG_CASE(events_of_a_qp_have_its_number_and_kind),
    RIG_CASE(a_send_queue_in_lost_memory_is_an_event),
    RIG_CASE(events_of_an_rmp_have_its_number),
    RIG_CASE(other_events_cannot_be_subscribed),
    RIG_CASE(a_completion_has_one_event),
    RIG_CASE(an_arm_reports_a_completion_without_an_event),
    RIG_CASE(an_eventfd_counts_events_until_the_channel_is_destroyed),
    RIG_CASE(an_eventfd_works_through_a_duplicate),
    RIG_CASE(wrong_eventfds_are_refused),
    RIG_CASE(a_failed_list_subscribes_to_nothing),
};

RIG_MAIN(cases)
