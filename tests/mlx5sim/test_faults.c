/* Effects of injected faults on a program; each case needs the --fault that its comment names. */
#include "rig.h"

#include <poll.h>

enum { LEN = 4096 };

struct fixture {
    struct rig rig;
    struct ibv_qp *qp;
    uint8_t *mem;
    struct ibv_mr *mr;
};

static struct fixture setup(void)
{
    const struct rig_qp_options options = { 0 };
    struct fixture f = { .rig = rig_open(0), .mem = rig_memory(LEN) };

    f.mr = ibv_reg_mr(f.rig.pd, f.mem, LEN, RIG_ALL_ACCESS);
    CHECK(f.mr);
    f.qp = rig_loop(&f.rig, options);
    return f;
}

static void post(struct fixture *f)
{
    struct rig_side here = { f->mem, 8, f->mr->lkey };

    rig_post(f->qp, IBV_WR_RDMA_WRITE, here, (uintptr_t)f->mem + 64, f->mr->rkey,
             IBV_SEND_SIGNALED);
}

/* drop:2 */
static void drop_loses_the_second_completion(void)
{
    struct fixture f = setup();

    post(&f);
    CHECK_EQ(rig_poll(f.rig.cq).status, IBV_WC_SUCCESS);
    post(&f);
    CHECK(rig_silent(f.rig.cq, 0.05));
    post(&f);
    CHECK_EQ(rig_poll(f.rig.cq).status, IBV_WC_SUCCESS);
    CHECK(rig_silent(f.rig.cq, 0.02));
}

/* delay:2:500000 */
static void delay_holds_the_second_request_and_later_requests(void)
{
    struct fixture f = setup();
    double begun = rig_seconds();

    post(&f);
    CHECK_EQ(rig_poll(f.rig.cq).status, IBV_WC_SUCCESS);
    CHECK(rig_seconds() - begun < 0.45);
    begun = rig_seconds();
    post(&f);
    post(&f);
    CHECK(rig_silent(f.rig.cq, 0.05));
    CHECK_EQ(rig_poll(f.rig.cq).status, IBV_WC_SUCCESS);
    CHECK(rig_seconds() - begun > 0.499);
    CHECK_EQ(rig_poll(f.rig.cq).status, IBV_WC_SUCCESS);
}

/* error:3:0x10:0x77 */
static void error_fails_the_third_request(void)
{
    struct fixture f = setup();
    struct ibv_wc wc;

    for (unsigned i = 0; i < 4; i++)
        post(&f);
    CHECK_EQ(rig_poll(f.rig.cq).status, IBV_WC_SUCCESS);
    CHECK_EQ(rig_poll(f.rig.cq).status, IBV_WC_SUCCESS);
    wc = rig_poll(f.rig.cq);
    CHECK_EQ(wc.status, IBV_WC_BAD_RESP_ERR);
    CHECK_EQ(wc.vendor_err, 0x77);
    CHECK_EQ(rig_poll(f.rig.cq).status, IBV_WC_WR_FLUSH_ERR);
    CHECK_EQ(rig_state(f.qp), IBV_QPS_ERR);
}

/* command:0x800:3:0xf:0x1234; the first such command allocates the PD of the rig, in setup() */
static void command_fails_the_second_of_its_kind(void)
{
    struct fixture f = setup();
    uint8_t in[16] = { 0 }, out[16] = { 0 };

    put(in, 0, 16, 0x800);      /* ALLOC_PD */
    CHECK(mlx5dv_devx_obj_create(f.rig.ctx, in, sizeof(in), out, sizeof(out)));
    CHECK(!mlx5dv_devx_obj_create(f.rig.ctx, in, sizeof(in), out, sizeof(out)));
    CHECK_EQ(errno, EREMOTEIO);
    CHECK_EQ(out[0], 0xf);
    CHECK_EQ(get(out, 0x20, 32), 0x1234);
    memset(out, 0, sizeof(out));
    CHECK(mlx5dv_devx_obj_create(f.rig.ctx, in, sizeof(in), out, sizeof(out)));
}

/* command:0x800:2:0x6 command:0x200:1 command:0x205:1:0xf command:0x400:2:0x3 command:0x500:1:0x8
 * command:0x502:1:0x9 command:0x90c:1:0x8 command:0x80e:1:0xf command:0x705:1:0x8
 * command:0x207:1:0xf; the first commands for a PD and a CQ make those of the rig */
static void command_faults_fail_calls_of_verbs(void)
{
    struct ibv_alloc_dm_attr dm_attr = { .length = 4096 };
    struct ibv_srq_init_attr srq_attr = { .attr = { .max_wr = 4, .max_sge = 1 } };
    struct ibv_qp_init_attr qp_attr = { .qp_type = IBV_QPT_RC,
                                        .cap = { .max_send_wr = 1, .max_send_sge = 1 } };
    struct ibv_qp_attr init = { .qp_state = IBV_QPS_INIT, .port_num = 1 };
    struct ibv_xrcd_init_attr xrcd_attr = { .fd = -1, .oflags = 0x40 /* O_CREAT */,
        .comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS };
    struct ibv_srq_init_attr_ex xsrq_attr = { .attr = { 4, 1, 0 }, .srq_type = IBV_SRQT_XRC,
        .comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD | IBV_SRQ_INIT_ATTR_XRCD |
                     IBV_SRQ_INIT_ATTR_CQ };
    const int mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS;
    struct rig rig = rig_open(0);
    uint8_t *mem = rig_memory(LEN);
    struct ibv_qp *qp;
    struct ibv_dm *dm;

    qp_attr.send_cq = qp_attr.recv_cq = rig.cq;
    CHECK(!ibv_alloc_pd(rig.ctx));
    CHECK_EQ(errno, EBUSY);
    CHECK(!ibv_reg_mr(rig.pd, mem, LEN, 1));
    CHECK_EQ(errno, EIO);
    CHECK(!ibv_alloc_dm(rig.ctx, &dm_attr));
    CHECK_EQ(errno, EAGAIN);
    CHECK(!ibv_create_cq(rig.ctx, 4, NULL, NULL, 0));
    CHECK_EQ(errno, EINVAL);
    CHECK(!ibv_create_qp(rig.pd, &qp_attr));
    CHECK_EQ(errno, ENOMEM);
    CHECK(!ibv_create_srq(rig.pd, &srq_attr));
    CHECK_EQ(errno, ENOMEM);
    CHECK(!ibv_open_xrcd(rig.ctx, &xrcd_attr));
    CHECK_EQ(errno, EAGAIN);
    xsrq_attr.xrcd = ibv_open_xrcd(rig.ctx, &xrcd_attr);
    xsrq_attr.pd = rig.pd;
    xsrq_attr.cq = rig.cq;
    CHECK(xsrq_attr.xrcd && !ibv_create_srq_ex(rig.ctx, &xsrq_attr));
    CHECK_EQ(errno, ENOMEM);
    CHECK_EQ(ibv_close_xrcd(xsrq_attr.xrcd), 0);
    qp = ibv_create_qp(rig.pd, &qp_attr);
    CHECK(qp);
    CHECK_EQ(ibv_modify_qp(qp, &init, mask), EINVAL);
    CHECK_EQ(rig_state(qp), IBV_QPS_RESET);
    CHECK_EQ(ibv_modify_qp(qp, &init, mask), 0);        /* each fault occurs only once */
    CHECK_EQ(ibv_destroy_qp(qp), 0);
    CHECK_EQ(ibv_dereg_mr(ibv_reg_mr(rig.pd, mem, LEN, 1)), 0);
    dm = ibv_alloc_dm(rig.ctx, &dm_attr);
    CHECK(dm && !mlx5dv_dm_map_op_addr(dm, 0));
    CHECK(errno == EAGAIN && mlx5dv_dm_map_op_addr(dm, 0));
    CHECK_EQ(ibv_free_dm(dm), 0);
    CHECK_EQ(ibv_destroy_srq(ibv_create_srq(rig.pd, &srq_attr)), 0);
    rig_close(&rig);
    free(mem);
}

/* fatal:2 */
static void fatal_ends_the_device_with_an_event(void)
{
    struct ibv_qp_attr reset = { .qp_state = IBV_QPS_RESET };
    struct ibv_qp_attr init = { .qp_state = IBV_QPS_INIT, .port_num = 1 };
    const int mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS;
    struct fixture f = setup();
    struct pollfd p = { .fd = f.rig.ctx->async_fd, .events = POLLIN };
    uint8_t in[16] = { 0 }, out[0x1010] = { 0 };
    struct ibv_async_event event;

    post(&f);
    CHECK_EQ(rig_poll(f.rig.cq).status, IBV_WC_SUCCESS);
    CHECK_EQ(poll(&p, 1, 0), 0);
    post(&f);
    CHECK_EQ(poll(&p, 1, 2000), 1);
    CHECK_EQ(ibv_get_async_event(f.rig.ctx, &event), 0);
    CHECK_EQ(event.event_type, IBV_EVENT_DEVICE_FATAL);
    ibv_ack_async_event(&event);
    CHECK(rig_silent(f.rig.cq, 0.02));
    put(in, 0, 16, 0x100);
    put(in, 0x30, 16, 1);
    CHECK(mlx5dv_devx_general_cmd(f.rig.ctx, in, sizeof(in), out, sizeof(out)) != 0);
    CHECK(!ibv_alloc_pd(f.rig.ctx));    /* calls of verbs also fail */
    CHECK_EQ(errno, EIO);
    CHECK(!ibv_reg_mr(f.rig.pd, f.mem, LEN, 0));
    CHECK_EQ(errno, EIO);
    CHECK_EQ(ibv_modify_qp(f.qp, &reset, IBV_QP_STATE), 0);     /* queues can still be reset */
    CHECK_EQ(ibv_modify_qp(f.qp, &init, mask), EIO);
    CHECK_EQ(ibv_destroy_qp(f.qp), 0);
    CHECK_EQ(ibv_dereg_mr(f.mr), 0);
}

/* command:0x800:2:0x6 command:0x800:3:0x3; the first such command allocates the PD of the rig */
static void each_fault_counts_the_commands_itself(void)
{
    struct rig rig = rig_open(0);

    CHECK(!ibv_alloc_pd(rig.ctx));
    CHECK_EQ(errno, EBUSY);
    CHECK(!ibv_alloc_pd(rig.ctx));
    CHECK_EQ(errno, EINVAL);
    CHECK_EQ(ibv_dealloc_pd(ibv_alloc_pd(rig.ctx)), 0);
    rig_close(&rig);
}

static const struct rig_case cases[] = {
    RIG_CASE(drop_loses_the_second_completion),
    RIG_CASE(delay_holds_the_second_request_and_later_requests),
    RIG_CASE(error_fails_the_third_request),
    RIG_CASE(command_fails_the_second_of_its_kind),
    RIG_CASE(command_faults_fail_calls_of_verbs),
    RIG_CASE(each_fault_counts_the_commands_itself),
    RIG_CASE(fatal_ends_the_device_with_an_event),
};

RIG_MAIN(cases)
