/*
 * Packet pacing: the rate of a raw packet QP, and the entries of DevX. test_wqs.c paces an SQ with
 * such an entry. Most times are lower limits, so that a busy machine does not matter.
 */
#include "kill_rig.h"
#include "packet_rig.h"

enum { FRAME = 1000, NUM_RATES = 128, KBPS = 400 };     /* 20 ms for a frame */

static int set_rate(struct ibv_qp *qp, uint32_t kbps, uint32_t burst)
{
    struct ibv_qp_rate_limit_attr attr = { .rate_limit = kbps, .max_burst_sz = burst,
                                           .typical_pkt_sz = burst ? FRAME : 0 };

    return ibv_modify_qp_rate_limit(qp, &attr);
}

/* Send `num` frames. Return the time until the last one is sent. */
static double send_frames(struct raw *raw, unsigned num)
{
    double start = rig_seconds();

    memset(raw->mem, 0xee, FRAME);      /* to a MAC address that does not exist */
    raw->mem[0] = 2;
    for (unsigned i = 0; i < num; i++)
        raw_post(raw, 0, FRAME, 1, 0);
    for (unsigned i = 0; i < num; i++)
        CHECK_EQ(rig_poll(raw->rig.cq).status, IBV_WC_SUCCESS);
    return rig_seconds() - start;
}

static void a_rate_paces_frames(void)
{
    struct raw raw = raw_open(0);

    CHECK_EQ(set_rate(raw.qp, KBPS, 0), 0);
    CHECK(send_frames(&raw, 6) >= 0.095);       /* the first one goes at once */
    CHECK_EQ(set_rate(raw.qp, 4 * KBPS, 0), 0);
    CHECK(send_frames(&raw, 6) >= 0.024);
    raw_close(&raw);
}

/* A program cannot send faster by setting the rate that the queue has. */
static void the_same_rate_again_changes_nothing(void)
{
    struct raw raw = raw_open(0);
    double start;

    CHECK_EQ(set_rate(raw.qp, KBPS, 0), 0);
    start = rig_seconds();
    for (unsigned i = 0; i < 6; i++) {
        send_frames(&raw, 1);
        CHECK_EQ(set_rate(raw.qp, KBPS, 0), 0);
    }
    CHECK(rig_seconds() - start >= 0.095);
    CHECK_EQ(set_rate(raw.qp, 0, 0), 0);
    CHECK_EQ(set_rate(raw.qp, 1, 0), 0);        /* the reference of each rate ends once */
    CHECK_EQ(set_rate(raw.qp, 0, 0), 0);
    raw_close(&raw);
}

static void a_rate_ends_when_it_is_0_or_the_qp_is_reset(void)
{
    struct ibv_qp_attr reset = { .qp_state = IBV_QPS_RESET };
    struct raw raw = raw_open(0);

    CHECK_EQ(set_rate(raw.qp, 1, 0), 0);        /* 8 s for a frame */
    CHECK_EQ(set_rate(raw.qp, 0, 0), 0);
    CHECK(send_frames(&raw, 3) < 7);
    CHECK_EQ(set_rate(raw.qp, 1, 0), 0);
    CHECK_EQ(ibv_modify_qp(raw.qp, &reset, IBV_QP_STATE), 0);
    raw_states(raw.qp, IBV_QPS_RTS);
    CHECK(send_frames(&raw, 3) < 7);
    raw_close(&raw);
}

/* Three frames go out at once; the fourth one waits. */
static void a_burst_goes_out_at_once(void)
{
    struct raw raw = raw_open(0);

    CHECK_EQ(set_rate(raw.qp, 8, 3 * FRAME), 0);        /* 1 s for a frame */
    CHECK(send_frames(&raw, 3) < 0.9);
    raw_post(&raw, 0, FRAME, 1, 0);
    CHECK(rig_silent(raw.rig.cq, 0.05));
    raw_close(&raw);
}

/* The burst is so long that the rate has not filled it since the start of the machine. There are
 * more frames than the device sends before it turns to another queue. */
static void a_burst_of_any_length_goes_out(void)
{
    enum { NUM = 400 };
    static struct ibv_send_wr list[NUM];
    struct raw raw = raw_open(0);
    struct ibv_qp_init_attr attr = { .send_cq = raw.rig.cq, .recv_cq = raw.rig.cq,
        .qp_type = IBV_QPT_RAW_PACKET, .cap = { .max_send_wr = NUM, .max_send_sge = 1 } };
    struct ibv_sge sge = { (uintptr_t)raw.mem, FRAME, raw.mr->lkey };
    struct ibv_qp *qp = ibv_create_qp(raw.rig.pd, &attr);
    struct ibv_send_wr *bad;

    CHECK(qp);
    raw_states(qp, IBV_QPS_RTS);
    CHECK_EQ(set_rate(qp, 1, UINT32_MAX), 0);
    memset(raw.mem, 0xee, FRAME);
    raw.mem[0] = 2;
    for (unsigned i = 0; i < NUM; i++)
        list[i] = (struct ibv_send_wr){ .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND,
            .next = i + 1 < NUM ? &list[i + 1] : NULL,
            .send_flags = i + 1 < NUM ? 0 : IBV_SEND_SIGNALED };
    CHECK_EQ(ibv_post_send(qp, list, &bad), 0);
    CHECK_EQ(rig_poll(raw.rig.cq).status, IBV_WC_SUCCESS);
    CHECK_EQ(ibv_destroy_qp(qp), 0);
    raw_close(&raw);
}

static void wrong_rates_are_refused(void)
{
    struct raw raw = raw_open(0);
    struct ibv_qp *fresh = raw_qp(&raw.rig, 0);
    struct ibv_qp *rc = rig_loop(&raw.rig, (struct rig_qp_options){ 0 });
    struct ibv_device_attr_ex attr;

    CHECK_EQ(ibv_query_device_ex(raw.rig.ctx, NULL, &attr), 0);
    CHECK_EQ(attr.packet_pacing_caps.supported_qpts, 1u << IBV_QPT_RAW_PACKET);
    CHECK_EQ(set_rate(raw.qp, attr.packet_pacing_caps.qp_rate_limit_max, 0), 0);
    CHECK_EQ(set_rate(raw.qp, attr.packet_pacing_caps.qp_rate_limit_max + 1, 0), EINVAL);
    CHECK_EQ(set_rate(raw.qp, 0, 100), EINVAL);
    CHECK_EQ(set_rate(rc, KBPS, 0), EINVAL);
    CHECK(fresh);
    CHECK_EQ(set_rate(fresh, KBPS, 0), EINVAL); /* not in RTS */
    CHECK_EQ(ibv_destroy_qp(fresh), 0);
    CHECK_EQ(ibv_destroy_qp(rc), 0);
    raw_close(&raw);
}

/* ---- entries -------------------------------------------------------------------------------- */

static struct mlx5dv_pp *entry(struct ibv_context *ctx, uint32_t kbps, size_t bytes, uint32_t flags)
{
    uint8_t context[64] = { 0 };

    put(context, 0, 32, kbps);
    return mlx5dv_pp_alloc(ctx, bytes, context, flags);
}

static void equal_entries_share_an_index(void)
{
    struct rig rig = rig_open(0);
    struct mlx5dv_pp *a = entry(rig.ctx, 100, 4, 0), *b = entry(rig.ctx, 100, 48, 0);
    struct mlx5dv_pp *own = entry(rig.ctx, 100, 4, 1), *other = entry(rig.ctx, 101, 4, 0);

    CHECK(a && b && own && other);
    CHECK(a->index != 0 && a->index == b->index);
    CHECK(own->index != a->index && other->index != a->index && other->index != own->index);
    mlx5dv_pp_free(a);
    a = entry(rig.ctx, 102, 4, 0);
    CHECK(a && a->index != b->index);   /* the entry of `b` still exists */
    mlx5dv_pp_free(a);
    mlx5dv_pp_free(b);
    mlx5dv_pp_free(own);
    mlx5dv_pp_free(other);
    CHECK(!entry(rig.ctx, 0, 4, 0));
    CHECK_EQ(errno, EINVAL);
    CHECK(!entry(rig.ctx, 100, 4, 2));
    CHECK_EQ(errno, EOPNOTSUPP);        /* libmlx5 */
    CHECK(!entry(rig.ctx, 100, 49, 0));
    CHECK_EQ(errno, EINVAL);
    rig_close(&rig);
}

static unsigned take_entries(struct ibv_context *ctx, struct mlx5dv_pp *list[NUM_RATES + 1])
{
    unsigned num = 0;

    while (num <= NUM_RATES && (list[num] = entry(ctx, 100, 4, 1)) != NULL)
        num++;
    CHECK_EQ(errno, ENOSPC);
    return num;
}

static bool takes_all_entries(void)
{
    struct mlx5dv_pp *list[NUM_RATES + 1];
    struct rig rig = rig_open(0);

    return take_entries(rig.ctx, list) == NUM_RATES;
}

static bool entries_are_free(void)
{
    struct mlx5dv_pp *list[NUM_RATES + 1];
    struct rig rig = rig_open(0);
    unsigned num = take_entries(rig.ctx, list);

    for (unsigned i = 0; i < num; i++)
        mlx5dv_pp_free(list[i]);
    rig_close(&rig);
    return num == NUM_RATES;
}

static void entries_of_a_killed_program_are_free(void)
{
    kill_after(takes_all_entries);
    wait_until_free(entries_are_free);
}

static void infiniband_has_no_pacing(void)
{
    struct rig rig = rig_open(0);

    CHECK(!entry(rig.ctx, 100, 4, 0));
    CHECK_EQ(errno, EOPNOTSUPP);
    rig_close(&rig);
}

static const struct rig_case cases[] = {
    RIG_CASE(a_rate_paces_frames),
    RIG_CASE(the_same_rate_again_changes_nothing),
    RIG_CASE(a_rate_ends_when_it_is_0_or_the_qp_is_reset),
    RIG_CASE(a_burst_goes_out_at_once),
    RIG_CASE(a_burst_of_any_length_goes_out),
    RIG_CASE(wrong_rates_are_refused),
    RIG_CASE(equal_entries_share_an_index),
    RIG_CASE(entries_of_a_killed_program_are_free),
};

static const struct rig_case infiniband[] = { RIG_CASE(infiniband_has_no_pacing) };

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], infiniband[0].name) == 0)
        return rig_main(argc, argv, infiniband, 1);
    return rig_main(argc, argv, cases, sizeof(cases) / sizeof(cases[0]));
}
