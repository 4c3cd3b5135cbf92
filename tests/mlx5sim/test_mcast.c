/* Multicast groups of UD QPs, through libibverbs. */
#include "rig.h"

enum { BYTES = 4096, GRH = 40, QKEY = 0x1b, GROUP_QPN = 0xffffff, MEMBERS = 3 };

static const union ibv_gid group = { .raw = { 0xff, 0x12, 0xa0, 0x1b, [15] = 7 } };
static const union ibv_gid other = { .raw = { 0xff, 0x12, 0xa0, 0x1b, [15] = 8 } };

struct member {
    struct ibv_cq *cq;
    struct ibv_qp *qp;
};

struct setup {
    struct rig rig;
    struct member member[MEMBERS];
    uint8_t *mem;
    struct ibv_mr *mr;
    struct ibv_ah *ah;
};

static struct member new_member(struct rig *rig, uint32_t qkey)
{
    struct member m = { .cq = ibv_create_cq(rig->ctx, 16, NULL, NULL, 0) };
    struct ibv_qp_init_attr attr = { .send_cq = m.cq, .recv_cq = m.cq, .qp_type = IBV_QPT_UD,
        .cap = { .max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 1, .max_recv_sge = 1 } };
    struct ibv_qp_attr init = { .qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = qkey };
    struct ibv_qp_attr rtr = { .qp_state = IBV_QPS_RTR }, rts = { .qp_state = IBV_QPS_RTS };

    m.qp = ibv_create_qp(rig->pd, &attr);
    CHECK(m.cq && m.qp);
    CHECK_EQ(ibv_modify_qp(m.qp, &init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
                           IBV_QP_QKEY), 0);
    CHECK_EQ(ibv_modify_qp(m.qp, &rtr, IBV_QP_STATE), 0);
    CHECK_EQ(ibv_modify_qp(m.qp, &rts, IBV_QP_STATE | IBV_QP_SQ_PSN), 0);
    return m;
}

static void end_member(struct member *m)
{
    CHECK_EQ(ibv_destroy_qp(m->qp), 0);
    CHECK_EQ(ibv_destroy_cq(m->cq), 0);
}

static struct setup open_setup(uint32_t last_qkey)
{
    struct setup s = { .rig = rig_open(0) };
    struct ibv_ah_attr ah = { .dlid = 0xc001, .port_num = 1, .is_global = 1,
                              .grh = { .dgid = group, .hop_limit = 1 } };

    for (int i = 0; i < MEMBERS; i++)
        s.member[i] = new_member(&s.rig, i == MEMBERS - 1 ? last_qkey : QKEY);
    s.mem = rig_memory(BYTES);
    s.mr = ibv_reg_mr(s.rig.pd, s.mem, BYTES, IBV_ACCESS_LOCAL_WRITE);
    s.ah = ibv_create_ah(s.rig.pd, &ah);
    CHECK(s.mr && s.ah);
    return s;
}

static void close_setup(struct setup *s)
{
    for (int i = 0; i < MEMBERS; i++)
        end_member(&s->member[i]);
    CHECK_EQ(ibv_destroy_ah(s->ah), 0);
    CHECK_EQ(ibv_dereg_mr(s->mr), 0);
    rig_close(&s->rig);
    free(s->mem);
}

/* Post a receive at each member, and send 8 bytes to the group from the first member. Return a bit
 * for each member that receives them. */
static unsigned send_to_group(struct setup *s)
{
    struct ibv_sge sge = { (uintptr_t)s->mem, 8, s->mr->lkey };
    struct ibv_send_wr wr = { .wr_id = 99, .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_SEND,
        .send_flags = IBV_SEND_SIGNALED,
        .wr.ud = { .ah = s->ah, .remote_qpn = GROUP_QPN, .remote_qkey = QKEY } }, *bad;
    unsigned got = 0;
    struct ibv_wc wc;

    rig_fill(s->mem, 8, 5);
    memset(s->mem + 256, 0, 256 * MEMBERS);
    for (unsigned i = 0; i < MEMBERS; i++)
        rig_post_receive(s->member[i].qp, (struct rig_side){ s->mem + 256 * (i + 1), GRH + 8,
                         s->mr->lkey }, i);
    CHECK_EQ(ibv_post_send(s->member[0].qp, &wr, &bad), 0);
    do {                                /* copies are delivered before the request completes */
        wc = rig_poll(s->member[0].cq);
        CHECK_EQ(wc.status, IBV_WC_SUCCESS);
        got |= wc.wr_id == 99 ? 0 : 1;
    } while (wc.wr_id != 99);
    for (unsigned i = 1; i < MEMBERS; i++)
        while (ibv_poll_cq(s->member[i].cq, 1, &wc) == 1) {
            CHECK_EQ(wc.status, IBV_WC_SUCCESS);
            CHECK_EQ(wc.byte_len, GRH + 8);
            CHECK_EQ(wc.src_qp, s->member[0].qp->qp_num);
            CHECK_EQ(memcmp(s->mem + 256 * (i + 1) + GRH, s->mem, 8), 0);
            CHECK_EQ(memcmp(s->mem + 256 * (i + 1) + 24, group.raw, 16), 0);
            CHECK(!(got & 1u << i));
            got |= 1u << i;
        }
    return got;
}

static void attach(struct setup *s, int member, const union ibv_gid *gid)
{
    CHECK_EQ(ibv_attach_mcast(s->member[member].qp, gid, 0xc001), 0);
}

static void detach(struct setup *s, int member, const union ibv_gid *gid)
{
    CHECK_EQ(ibv_detach_mcast(s->member[member].qp, gid, 0xc001), 0);
}

static void each_member_gets_one_copy(void)
{
    struct setup s = open_setup(QKEY);

    CHECK_EQ(send_to_group(&s), 0);
    attach(&s, 1, &group);
    attach(&s, 1, &group);              /* no second copy */
    attach(&s, 2, &other);
    CHECK_EQ(send_to_group(&s), 1 << 1);
    attach(&s, 2, &group);
    CHECK_EQ(send_to_group(&s), 1 << 1 | 1 << 2);
    detach(&s, 1, &group);
    CHECK_EQ(send_to_group(&s), 1 << 2);
    attach(&s, 0, &group);              /* a sender that is a member receives its own datagram */
    CHECK_EQ(send_to_group(&s), 1 | 1 << 2);
    detach(&s, 0, &group);
    detach(&s, 2, &group);
    detach(&s, 2, &other);
    close_setup(&s);
}

static void members_with_another_qkey_get_nothing(void)
{
    struct setup s = open_setup(QKEY + 1);

    attach(&s, 1, &group);
    attach(&s, 2, &group);
    CHECK_EQ(send_to_group(&s), 1 << 1);
    detach(&s, 1, &group);
    detach(&s, 2, &group);
    close_setup(&s);
}

static void wrong_calls_are_refused(void)
{
    struct setup s = open_setup(QKEY);
    struct ibv_qp *rc = rig_loop(&s.rig, (struct rig_qp_options){ 0 });
    union ibv_gid unicast = { .raw = { 0xfe, 0x80, [15] = 1 } };

    CHECK_EQ(ibv_attach_mcast(rc, &group, 0xc001), EINVAL);
    CHECK_EQ(ibv_attach_mcast(s.member[0].qp, &unicast, 0xc001), EINVAL);
    CHECK_EQ(ibv_detach_mcast(s.member[0].qp, &group, 0xc001), EINVAL);
    attach(&s, 0, &group);
    CHECK_EQ(ibv_detach_mcast(s.member[1].qp, &group, 0xc001), EINVAL);
    CHECK_EQ(ibv_destroy_qp(s.member[0].qp), EBUSY);
    detach(&s, 0, &group);
    CHECK_EQ(ibv_destroy_qp(rc), 0);
    close_setup(&s);
}

/* The first 12 bytes of an IPv4 address as a GID are fixed. */
static void ipv4_groups_are_groups(void)
{
    union ibv_gid gid = { .raw = { [10] = 0xff, [11] = 0xff, [12] = 224, [15] = 9 } };
    static const struct { uint8_t at, value; } wrong[] = { { 12, 223 }, { 12, 240 }, { 9, 1 },
                                                           { 11, 0xfe }, { 0, 1 } };
    struct setup s = open_setup(QKEY);

    attach(&s, 0, &gid);
    attach(&s, 1, &gid);
    detach(&s, 0, &gid);
    CHECK_EQ(ibv_detach_mcast(s.member[0].qp, &gid, 0xc001), EINVAL);
    detach(&s, 1, &gid);
    gid.raw[12] = 239;
    attach(&s, 0, &gid);
    detach(&s, 0, &gid);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        union ibv_gid other_gid = gid;

        other_gid.raw[wrong[i].at] = wrong[i].value;
        CHECK_EQ(ibv_attach_mcast(s.member[0].qp, &other_gid, 0xc001), EINVAL);
    }
    close_setup(&s);
}

/* On InfiniBand, the LID of a group is from 0xc000 to 0xfffe. */
static void wrong_lids_are_refused(void)
{
    static const uint16_t wrong[] = { 0, 1, 0xbfff, 0xffff };
    struct setup s = open_setup(QKEY);

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        CHECK_EQ(ibv_attach_mcast(s.member[0].qp, &group, wrong[i]), EINVAL);
    CHECK_EQ(ibv_attach_mcast(s.member[0].qp, &group, 0xfffe), 0);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        CHECK_EQ(ibv_detach_mcast(s.member[0].qp, &group, wrong[i]), EINVAL);
    CHECK_EQ(ibv_detach_mcast(s.member[0].qp, &group, 0xfffe), 0);
    CHECK_EQ(ibv_attach_mcast(s.member[0].qp, &group, 0xc000), 0);
    CHECK_EQ(ibv_detach_mcast(s.member[0].qp, &group, 0xc000), 0);
    close_setup(&s);
}

static unsigned long long counter(const char *name)
{
    unsigned long long count = 0;
    char path[128];
    FILE *file;

    snprintf(path, sizeof(path), "/sys/class/infiniband/mlx5_0/ports/1/counters/%s", name);
    file = fopen(path, "r");
    CHECK(file && fscanf(file, "%llu", &count) == 1);
    fclose(file);
    return count;
}

/* A datagram leaves the port once and arrives at each member. */
static void copies_are_counted_where_they_arrive(void)
{
    struct setup s = open_setup(QKEY);
    unsigned long long sent = counter("multicast_xmit_packets");
    unsigned long long received = counter("multicast_rcv_packets");
    unsigned long long words = counter("port_rcv_data");

    attach(&s, 0, &group);
    attach(&s, 1, &group);
    CHECK_EQ(send_to_group(&s), 1 << 0 | 1 << 1);
    CHECK_EQ(counter("multicast_xmit_packets"), sent + 1);
    CHECK_EQ(counter("multicast_rcv_packets"), received + 2);
    CHECK_EQ(counter("port_rcv_data"), words + 2 * 8 / 4);
    detach(&s, 0, &group);
    detach(&s, 1, &group);
    close_setup(&s);
}

/* A program that ends leaves its groups. */
static void closed_device_leaves_its_groups(void)
{
    struct setup s = open_setup(QKEY);
    struct rig second = rig_open(0);
    struct member gone = new_member(&second, QKEY);

    CHECK_EQ(ibv_attach_mcast(gone.qp, &group, 0xc001), 0);
    attach(&s, 1, &group);
    CHECK_EQ(send_to_group(&s), 1 << 1);
    CHECK_EQ(ibv_close_device(second.ctx), 0);
    CHECK_EQ(send_to_group(&s), 1 << 1);
    detach(&s, 1, &group);
    close_setup(&s);
}

static void group_has_a_limit(void)
{
    struct setup s = open_setup(QKEY);
    struct ibv_device_attr attr;
    int n = 0, status = 0;

    CHECK_EQ(ibv_query_device(s.rig.ctx, &attr), 0);
    CHECK(attr.max_mcast_grp > 0 && attr.max_mcast_qp_attach > 0);
    for (n = 0; n <= attr.max_mcast_grp && status == 0; n++) {
        union ibv_gid gid = { .raw = { 0xff, 0x13, [14] = (uint8_t)(n >> 8), [15] = (uint8_t)n } };

        status = ibv_attach_mcast(s.member[0].qp, &gid, 0xc001);
    }
    CHECK_EQ(status, ENOMEM);
    CHECK_EQ(n, attr.max_mcast_grp + 1);
    while (--n > 0) {
        union ibv_gid gid = { .raw = { 0xff, 0x13, [14] = (uint8_t)((n - 1) >> 8),
                                       [15] = (uint8_t)(n - 1) } };

        detach(&s, 0, &gid);
    }
    close_setup(&s);
}

static const struct rig_case cases[] = {
    RIG_CASE(each_member_gets_one_copy),
    RIG_CASE(members_with_another_qkey_get_nothing),
    RIG_CASE(wrong_calls_are_refused),
    RIG_CASE(ipv4_groups_are_groups),
    RIG_CASE(copies_are_counted_where_they_arrive),
    RIG_CASE(wrong_lids_are_refused),
    RIG_CASE(closed_device_leaves_its_groups),
    RIG_CASE(group_has_a_limit),
};

RIG_MAIN(cases)
