/* Raw packet QPs: sending. The frames are read from the file of --pcap. */
#include "packet_rig.h"

static const struct flow udp4 = { .dst = { 1, 0, 0x5e, 1, 2, 3 }, .src = { 2, 1, 1, 1, 1, 1 },
    .version = 4, .protocol = 17, .sport = 1000, .dport = 2000, .last_src = 1, .last_dst = 2 };

static void the_file_begins_with_the_header_of_pcap(void)
{
    uint32_t head[6];
    uint16_t version[2];

    capture_mark();
    memcpy(head, capture.bytes, sizeof(head));
    memcpy(version, capture.bytes + 4, sizeof(version));
    CHECK_EQ(head[0], 0xa1b23c4d);      /* timestamps in ns */
    CHECK_EQ(version[0], 2);
    CHECK_EQ(version[1], 4);
    CHECK(head[4] >= 16384);
    CHECK_EQ(head[5], 1);               /* Ethernet */
}

static void a_frame_is_sent_unchanged(void)
{
    struct raw raw = raw_open(0);
    uint32_t len = frame_make(raw.mem, &udp4, 200), got;
    const uint8_t *frame;

    capture_mark();
    for (unsigned sges = 1; sges <= 4; sges++) {
        raw_send(&raw, len, sges, 0);
        frame = capture_next(&got);
        CHECK(frame);
        CHECK_EQ(got, len);
        CHECK_EQ(memcmp(frame, raw.mem, len), 0);
    }
    CHECK(!capture_next(&got));
    raw_close(&raw);
}

/* More frames than the queue has WQEs, so that the ring wraps around. */
static void many_frames_keep_their_order(void)
{
    struct raw raw = raw_open(0);
    uint32_t got;

    capture_mark();
    for (unsigned i = 0; i < 3 * WQES; i++) {
        struct flow f = udp4;
        const uint8_t *frame;

        f.sport = (uint16_t)i;
        raw_send(&raw, frame_make(raw.mem, &f, 18 + i % 3), 1 + i % 3, 0);
        frame = capture_next(&got);
        CHECK(frame && got == 60 + i % 3);
        CHECK_EQ(get(frame + ETH + IP4, 0, 16), i);
    }
    raw_close(&raw);
}

static void checksums_are_inserted_when_the_wqe_asks(void)
{
    struct raw raw = raw_open(0);

    capture_mark();
    for (unsigned version = 4; version <= 6; version += 2)
        for (unsigned protocol = 6; protocol <= 17; protocol += 11)
            for (unsigned payload = 100; payload <= 101; payload++) {
                struct flow f = udp4;
                const uint8_t *frame;
                uint32_t len, got;

                f.version = version;
                f.protocol = protocol;
                len = frame_make(raw.mem, &f, payload);
                raw_send(&raw, len, 2, IBV_SEND_IP_CSUM);
                frame = capture_next(&got);
                CHECK(frame && got == len);
                CHECK(checksums_are_right(frame, len));
                CHECK(!checksums_are_right(raw.mem, len));
            }
    raw_close(&raw);
}

static void post_tso(struct raw *raw, uint32_t header, uint32_t len, uint16_t mss)
{
    struct ibv_sge sge = { (uintptr_t)raw->mem + header, len, raw->mr->lkey };
    struct ibv_send_wr wr = { .wr_id = 8, .sg_list = &sge, .num_sge = 1, .opcode = IBV_WR_TSO,
        .send_flags = IBV_SEND_SIGNALED | IBV_SEND_IP_CSUM,
        .tso = { .hdr = raw->mem, .hdr_sz = (uint16_t)header, .mss = mss } };
    struct ibv_send_wr *bad;

    CHECK_EQ(ibv_post_send(raw->qp, &wr, &bad), 0);
}

static void large_send_offload_cuts_a_stream(void)
{
    enum { LEN = 10000, MSS = 1448, FIN = 1, PSH = 8, ACK = 16 };

    for (unsigned version = 4; version <= 6; version += 2) {
        struct raw raw = raw_open(0);
        struct flow f = udp4;
        uint32_t header, got, at = 0, tcp;
        const uint8_t *frame;
        struct ibv_wc wc;

        f.version = version;
        f.protocol = 6;
        header = frame_make(raw.mem, &f, LEN) - LEN;
        tcp = header - TCP;
        put(raw.mem + tcp, 32, 32, 0xfffff000u);        /* wraps within the stream */
        raw.mem[tcp + 13] = FIN | PSH | ACK;
        capture_mark();
        post_tso(&raw, header, LEN, MSS);
        wc = rig_poll(raw.rig.cq);
        CHECK_EQ(wc.status, IBV_WC_SUCCESS);
        CHECK_EQ(wc.opcode, IBV_WC_TSO);
        for (unsigned i = 0; at < LEN; i++) {
            uint32_t len = LEN - at < MSS ? LEN - at : MSS;

            frame = capture_next(&got);
            CHECK(frame);
            CHECK_EQ(got, header + len);
            CHECK_EQ(get(frame + tcp, 32, 32), (uint32_t)(0xfffff000u + at));
            CHECK_EQ(frame[tcp + 13], at + len == LEN ? FIN | PSH | ACK : ACK);
            if (version == 4)
                CHECK_EQ(get(frame + ETH, 32, 16), i);  /* identification */
            CHECK(checksums_are_right(frame, got));
            CHECK_EQ(memcmp(frame + header, raw.mem + header + at, len), 0);
            at += len;
        }
        CHECK(!capture_next(&got));
        raw_close(&raw);
    }
}

/* ---- bad input ------------------------------------------------------------------------------ */

/* After an error the send queue is in an error state, and no frame was sent. */
static void check_error(struct raw *raw, enum ibv_wc_status status)
{
    uint32_t got;

    CHECK_EQ(rig_poll(raw->rig.cq).status, status);
    CHECK_EQ(rig_state(raw->qp), IBV_QPS_SQE);
    CHECK(!capture_next(&got));
    raw_close(raw);
}

static void frames_of_a_wrong_length_are_not_sent(void)
{
    static const uint32_t lengths[] = { 8, 13, 16385, 40000 };

    for (unsigned i = 0; i < 4; i++) {
        struct raw raw = raw_open(0);

        capture_mark();
        frame_make(raw.mem, &udp4, 50000);
        raw_post(&raw, 0, lengths[i], 1, 0);
        check_error(&raw, IBV_WC_LOC_LEN_ERR);
    }
}

static void memory_without_a_key_is_not_sent(void)
{
    struct raw raw = raw_open(0);

    capture_mark();
    raw.mr->lkey ^= 1;
    raw_post(&raw, 0, 100, 1, 0);
    raw.mr->lkey ^= 1;
    check_error(&raw, IBV_WC_LOC_PROT_ERR);
}

static void other_operations_are_refused(void)
{
    struct raw raw = raw_open(0);
    struct rig_side local = { raw.mem, 100, raw.mr->lkey };

    capture_mark();
    rig_post(raw.qp, IBV_WR_RDMA_WRITE, local, (uintptr_t)raw.mem, raw.mr->rkey,
             IBV_SEND_SIGNALED);
    check_error(&raw, IBV_WC_LOC_QP_OP_ERR);
}

static void large_send_offload_needs_tcp(void)
{
    struct raw raw = raw_open(0);

    capture_mark();
    frame_make(raw.mem, &udp4, 1000);
    post_tso(&raw, ETH + IP4 + UDP, 1000, 100);
    check_error(&raw, IBV_WC_LOC_QP_OP_ERR);
    raw = raw_open(0);
    memset(raw.mem, 0, 64);
    post_tso(&raw, ETH, 1000, 100);
    check_error(&raw, IBV_WC_LOC_QP_OP_ERR);
}

static void a_queue_in_error_is_flushed_and_runs_again(void)
{
    struct raw raw = raw_open(0);
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_RTS };
    uint32_t len = frame_make(raw.mem, &udp4, 100), got;

    capture_mark();
    raw_post(&raw, 0, 8, 1, 0);
    CHECK_EQ(rig_poll(raw.rig.cq).status, IBV_WC_LOC_LEN_ERR);
    raw_post(&raw, 0, len, 1, 0);
    CHECK_EQ(rig_poll(raw.rig.cq).status, IBV_WC_WR_FLUSH_ERR);
    CHECK(!capture_next(&got));
    CHECK_EQ(ibv_modify_qp(raw.qp, &attr, IBV_QP_STATE), 0);
    raw_send(&raw, len, 1, 0);
    CHECK(capture_next(&got));
    raw_close(&raw);
}

static void qps_with_wrong_attributes_are_not_made(void)
{
    struct rig rig = rig_open(0);
    struct ibv_srq_init_attr srq_attr = { .attr = { .max_wr = 4, .max_sge = 1 } };
    struct ibv_srq *srq = ibv_create_srq(rig.pd, &srq_attr);
    struct ibv_qp_init_attr_ex attr = {
        .send_cq = rig.cq, .recv_cq = rig.cq, .pd = rig.pd, .qp_type = IBV_QPT_RAW_PACKET,
        .cap = { .max_send_wr = 4, .max_recv_wr = 4, .max_send_sge = 1, .max_recv_sge = 1 },
        .comp_mask = IBV_QP_INIT_ATTR_PD };

    CHECK(srq);
    attr.srq = srq;
    CHECK(!ibv_create_qp_ex(rig.ctx, &attr));
    attr.srq = NULL;
    attr.comp_mask |= IBV_QP_INIT_ATTR_CREATE_FLAGS;
    attr.create_flags = IBV_QP_CREATE_BLOCK_SELF_MCAST_LB;
    CHECK(!ibv_create_qp_ex(rig.ctx, &attr));
    CHECK_EQ(ibv_destroy_srq(srq), 0);
    rig_close(&rig);
}

static void transitions_take_no_other_attributes(void)
{
    struct rig rig = rig_open(0);
    struct ibv_qp *qp = raw_qp(&rig, 0);
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1 };

    CHECK(qp);
    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE), EINVAL);
    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PORT | IBV_QP_QKEY), EINVAL);
    attr.port_num = 2;
    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PORT), EINVAL);
    attr.port_num = 1;
    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PORT), 0);
    attr.qp_state = IBV_QPS_RTS;
    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE), EINVAL);
    attr.qp_state = IBV_QPS_RTR;
    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX), EINVAL);
    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE), 0);
    CHECK_EQ(ibv_destroy_qp(qp), 0);
    rig_close(&rig);
}

/* Run with --link infiniband. */
static void infiniband_has_no_raw_packets(void)
{
    struct rig rig = rig_open(0);
    struct ibv_device_attr_ex attr;

    CHECK_EQ(ibv_query_device_ex(rig.ctx, NULL, &attr), 0);
    CHECK_EQ(attr.raw_packet_caps, 0);
    CHECK_EQ(attr.orig_attr.device_cap_flags & IBV_DEVICE_RAW_IP_CSUM, 0);
    errno = 0;
    CHECK(!raw_qp(&rig, 0) && errno == EOPNOTSUPP);
    rig_close(&rig);
}

static const struct rig_case cases[] = {
    RIG_CASE(the_file_begins_with_the_header_of_pcap),
    RIG_CASE(a_frame_is_sent_unchanged),
    RIG_CASE(many_frames_keep_their_order),
    RIG_CASE(checksums_are_inserted_when_the_wqe_asks),
    RIG_CASE(large_send_offload_cuts_a_stream),
    RIG_CASE(frames_of_a_wrong_length_are_not_sent),
    RIG_CASE(memory_without_a_key_is_not_sent),
    RIG_CASE(other_operations_are_refused),
    RIG_CASE(large_send_offload_needs_tcp),
    RIG_CASE(a_queue_in_error_is_flushed_and_runs_again),
    RIG_CASE(qps_with_wrong_attributes_are_not_made),
    RIG_CASE(transitions_take_no_other_attributes),
    RIG_CASE(infiniband_has_no_raw_packets),
};

/* Without arguments: all cases for Ethernet ports. */
int main(int argc, char **argv)
{
    return rig_main(argc, argv, cases, sizeof(cases) / sizeof(cases[0]) - (argc < 2));
}
