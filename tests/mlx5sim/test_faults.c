/* What a program sees of injected faults; each case needs the --fault written above it. */
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

/* delay:2:100000 */
static void delay_holds_the_second_request_and_those_behind(void)
{
    struct fixture f = setup();
    double begun = rig_seconds();

    post(&f);
    CHECK_EQ(rig_poll(f.rig.cq).status, IBV_WC_SUCCESS);
    CHECK(rig_seconds() - begun < 0.09);
    begun = rig_seconds();
    post(&f);
    post(&f);
    CHECK(rig_silent(f.rig.cq, 0.05));
    CHECK_EQ(rig_poll(f.rig.cq).status, IBV_WC_SUCCESS);
    CHECK(rig_seconds() - begun > 0.099);
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

/* command:0x800:2:0xf:0x1234 */
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

/* fatal:2 */
static void fatal_ends_the_device_with_an_event(void)
{
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
}

static const struct rig_case cases[] = {
    RIG_CASE(drop_loses_the_second_completion),
    RIG_CASE(delay_holds_the_second_request_and_those_behind),
    RIG_CASE(error_fails_the_third_request),
    RIG_CASE(command_fails_the_second_of_its_kind),
    RIG_CASE(fatal_ends_the_device_with_an_event),
};

RIG_MAIN(cases)
