/* WQs, indirection tables, and QPs that spread packets over WQs by the Toeplitz hash. */
#include "packet_rig.h"

#include <arpa/inet.h>

enum { QUEUES = 4, RECEIVES = 4, ROOM = 2048 };

/* The key and the hashes of Microsoft's public verification suite for RSS. */
static const uint8_t key[40] = {
    0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3,
    0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3,
    0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa };

static const struct {
    const char *dst, *src;
    uint16_t dport, sport;
    uint32_t ip_hash, tcp_hash;
} vectors[] = {
    { "161.142.100.80", "66.9.149.187", 1766, 2794, 0x323e8fc2, 0x51ccc178 },
    { "65.69.140.83", "199.92.111.2", 4739, 14230, 0xd718262a, 0xc626b0ea },
    { "12.22.207.184", "24.19.198.95", 38024, 12898, 0xd2d0a5de, 0x5c2b394a },
    { "209.142.163.6", "38.27.205.30", 2217, 48228, 0x82989176, 0xafc7327f },
    { "202.188.127.2", "153.39.163.191", 1303, 44251, 0x5d1809c5, 0x10e828a2 },
    { "3ffe:2501:200:3::1", "3ffe:2501:200:1fff::7", 1766, 2794, 0x2cc18cd5, 0x40207d3d },
    { "ff02::1", "3ffe:501:8::260:97ff:fe40:efab", 4739, 14230, 0x0f0c461c, 0xdde51bbf },
    { "fe80::200:f8ff:fe21:67cf", "3ffe:1900:4545:3:200:f8ff:fe21:67cf", 38024, 44251, 0x4b61e985,
      0x02d1feef } };

struct rss {
    struct raw raw;             /* its QP sends the frames */
    struct ibv_cq *cq[QUEUES];
    struct ibv_wq *wq[QUEUES];
    struct ibv_rwq_ind_table *table;
    struct ibv_qp *qp;
    struct ibv_flow *flow;
};

static struct ibv_wq *make_wq(struct rig *rig, struct ibv_cq *cq)
{
    struct ibv_wq_init_attr attr = { .wq_type = IBV_WQT_RQ, .max_wr = RECEIVES, .max_sge = 1,
        .pd = rig->pd, .cq = cq };
    struct ibv_wq *wq = ibv_create_wq(rig->ctx, &attr);

    CHECK(wq);
    return wq;
}

static void wq_state(struct ibv_wq *wq, enum ibv_wq_state state, int error)
{
    struct ibv_wq_attr attr = { .attr_mask = IBV_WQ_ATTR_STATE, .wq_state = state };

    CHECK_EQ(ibv_modify_wq(wq, &attr), error);
}

static void wq_receive(struct rss *rss, unsigned queue, unsigned slot)
{
    struct ibv_sge sge = { (uintptr_t)rss->raw.mem + (1 + queue * RECEIVES + slot) * ROOM, ROOM,
                           rss->raw.mr->lkey };
    struct ibv_recv_wr wr = { .wr_id = slot, .sg_list = &sge, .num_sge = 1 }, *bad;

    CHECK_EQ(ibv_post_wq_recv(rss->wq[queue], &wr, &bad), 0);
}

static struct ibv_qp *rss_qp(struct rss *rss, uint64_t fields, uint8_t key_len)
{
    struct ibv_qp_init_attr_ex attr = { .qp_type = IBV_QPT_RAW_PACKET, .pd = rss->raw.rig.pd,
        .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_IND_TABLE | IBV_QP_INIT_ATTR_RX_HASH,
        .rwq_ind_tbl = rss->table,
        .rx_hash_conf = { .rx_hash_function = IBV_RX_HASH_FUNC_TOEPLITZ, .rx_hash_key_len = key_len,
                          .rx_hash_key = (uint8_t *)(uintptr_t)key,
                          .rx_hash_fields_mask = fields } };

    return ibv_create_qp_ex(rss->raw.rig.ctx, &attr);
}

static struct rss rss_open(void)
{
    struct rss rss = { .raw = raw_open(0) };
    struct ibv_rwq_ind_table_init_attr attr = { .log_ind_tbl_size = 2, .ind_tbl = rss.wq };

    for (unsigned i = 0; i < QUEUES; i++) {
        rss.cq[i] = ibv_create_cq(rss.raw.rig.ctx, 16, NULL, NULL, 0);
        CHECK(rss.cq[i]);
        rss.wq[i] = make_wq(&rss.raw.rig, rss.cq[i]);
        wq_state(rss.wq[i], IBV_WQS_RDY, 0);
        for (unsigned k = 0; k < RECEIVES; k++)
            wq_receive(&rss, i, k);
    }
    rss.table = ibv_create_rwq_ind_table(rss.raw.rig.ctx, &attr);
    CHECK(rss.table);
    return rss;
}

static void rss_start(struct rss *rss, uint64_t fields)
{
    struct ibv_flow_attr attr = { .size = sizeof(attr), .port = 1 };

    rss->qp = rss_qp(rss, fields, sizeof(key));
    CHECK(rss->qp);
    rss->flow = ibv_create_flow(rss->qp, &attr);
    CHECK(rss->flow);
}

static void rss_stop(struct rss *rss)
{
    CHECK_EQ(ibv_destroy_flow(rss->flow), 0);
    CHECK_EQ(ibv_destroy_qp(rss->qp), 0);
}

static void rss_close(struct rss *rss)
{
    CHECK_EQ(ibv_destroy_rwq_ind_table(rss->table), 0);
    for (unsigned i = 0; i < QUEUES; i++) {
        CHECK_EQ(ibv_destroy_wq(rss->wq[i]), 0);
        CHECK_EQ(ibv_destroy_cq(rss->cq[i]), 0);
    }
    raw_close(&rss->raw);
}

/* Poll the queue that the hash selects. The hash is in bytes 12 to 15 of the CQE. */
static void check_hash(struct rss *rss, uint32_t hash)
{
    unsigned queue = hash % QUEUES;
    struct mlx5dv_cq dv = { 0 };
    struct mlx5dv_obj obj = { .cq = { rss->cq[queue], &dv } };
    struct ibv_wc wc;

    CHECK_EQ(mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ), 0);
    for (unsigned i = 0; i < QUEUES; i++) {
        int n = ibv_poll_cq(rss->cq[i], 1, &wc);

        CHECK_EQ(n, i == queue);
        if (n == 1) {
            CHECK_EQ(wc.status, IBV_WC_SUCCESS);
            wq_receive(rss, i, (unsigned)wc.wr_id);
        }
    }
    for (unsigned i = 0; i < dv.cqe_cnt; i++)
        if (get((uint8_t *)dv.buf + i * dv.cqe_size, 96, 32) == hash)
            return;
    rig_fail(__FILE__, __LINE__, "no CQE has the hash %#x", hash);
}

static uint32_t vector_frame(struct rss *rss, unsigned i, unsigned protocol)
{
    bool v6 = strchr(vectors[i].dst, ':') != NULL;
    struct flow f = { .dst = { 1, 0, 0x5e }, .version = v6 ? 6 : 4, .protocol = protocol,
        .sport = vectors[i].sport, .dport = vectors[i].dport };
    uint32_t len = frame_make(rss->raw.mem, &f, 40);
    unsigned at = ETH + (v6 ? 8 : 12), bytes = v6 ? 16 : 4;

    CHECK_EQ(inet_pton(v6 ? AF_INET6 : AF_INET, vectors[i].src, rss->raw.mem + at), 1);
    CHECK_EQ(inet_pton(v6 ? AF_INET6 : AF_INET, vectors[i].dst, rss->raw.mem + at + bytes), 1);
    return len;
}

static void the_hash_has_the_published_values(void)
{
    static const uint64_t ip[2] = { IBV_RX_HASH_SRC_IPV4 | IBV_RX_HASH_DST_IPV4,
                                    IBV_RX_HASH_SRC_IPV6 | IBV_RX_HASH_DST_IPV6 };
    static const uint64_t ports = IBV_RX_HASH_SRC_PORT_TCP | IBV_RX_HASH_DST_PORT_TCP;
    struct rss rss = rss_open();

    for (unsigned v6 = 0; v6 < 2; v6++)
        for (unsigned with_ports = 0; with_ports < 2; with_ports++) {
            rss_start(&rss, ip[v6] | (with_ports ? ports : 0));
            for (unsigned i = v6 ? 5 : 0; i < (v6 ? 8 : 5); i++) {
                raw_send(&rss.raw, vector_frame(&rss, i, 6), 1, 0);
                check_hash(&rss, with_ports ? vectors[i].tcp_hash : vectors[i].ip_hash);
            }
            /* the ports of another protocol do not enter */
            raw_send(&rss.raw, vector_frame(&rss, v6 ? 5 : 0, 17), 1, 0);
            check_hash(&rss, vectors[v6 ? 5 : 0].ip_hash);
            rss_stop(&rss);
        }
    rss_close(&rss);
}

static void packets_that_are_not_hashed_go_to_the_first_queue(void)
{
    struct rss rss = rss_open();

    rss_start(&rss, IBV_RX_HASH_SRC_IPV4);
    raw_send(&rss.raw, vector_frame(&rss, 6, 6), 1, 0);
    check_hash(&rss, 0);
    rss_stop(&rss);
    rss_close(&rss);
}

static void a_wq_in_error_is_flushed_and_can_be_reset(void)
{
    struct rss rss = rss_open();
    struct ibv_wc wc;

    rss_start(&rss, IBV_RX_HASH_SRC_IPV4);
    wq_state(rss.wq[0], IBV_WQS_ERR, 0);
    for (unsigned i = 0; i < RECEIVES; i++)
        CHECK_EQ(rig_poll(rss.cq[0]).status, IBV_WC_WR_FLUSH_ERR);
    raw_send(&rss.raw, vector_frame(&rss, 6, 6), 1, 0);
    CHECK_EQ(ibv_poll_cq(rss.cq[0], 1, &wc), 0);
    wq_state(rss.wq[0], IBV_WQS_RDY, EINVAL);
    wq_state(rss.wq[0], IBV_WQS_RESET, 0);
    wq_state(rss.wq[0], IBV_WQS_RDY, 0);
    wq_receive(&rss, 0, 0);
    raw_send(&rss.raw, vector_frame(&rss, 6, 6), 1, 0);
    check_hash(&rss, 0);
    rss_stop(&rss);
    rss_close(&rss);
}

/* ---- bad input ------------------------------------------------------------------------------ */

static void wrong_hashes_are_refused(void)
{
    static const uint64_t fields[] = { IBV_RX_HASH_SRC_IPV4 | IBV_RX_HASH_DST_IPV6,
        IBV_RX_HASH_SRC_PORT_TCP | IBV_RX_HASH_DST_PORT_UDP, IBV_RX_HASH_IPSEC_SPI,
        IBV_RX_HASH_SRC_IPV4 | IBV_RX_HASH_INNER };
    struct rss rss = rss_open();

    for (unsigned i = 0; i < 4; i++)
        CHECK(!rss_qp(&rss, fields[i], sizeof(key)));
    CHECK(!rss_qp(&rss, IBV_RX_HASH_SRC_IPV4, 39));
    rss_close(&rss);
}

static void objects_in_use_stay(void)
{
    struct rss rss = rss_open();

    rss_start(&rss, IBV_RX_HASH_SRC_IPV4);
    CHECK_EQ(ibv_destroy_qp(rss.qp), EBUSY);
    CHECK_EQ(ibv_destroy_flow(rss.flow), 0);
    CHECK_EQ(ibv_destroy_rwq_ind_table(rss.table), EBUSY);
    CHECK_EQ(ibv_destroy_qp(rss.qp), 0);
    CHECK_EQ(ibv_destroy_wq(rss.wq[1]), EBUSY);
    rss_close(&rss);
}

static void an_rss_qp_has_no_states(void)
{
    struct rss rss = rss_open();
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1 };
    struct ibv_qp_init_attr init;

    rss_start(&rss, IBV_RX_HASH_SRC_IPV4);
    CHECK(ibv_modify_qp(rss.qp, &attr, IBV_QP_STATE | IBV_QP_PORT) != 0);
    CHECK(ibv_query_qp(rss.qp, &attr, IBV_QP_STATE, &init) != 0);
    rss_stop(&rss);
    rss_close(&rss);
}

static void tables_and_queues_have_limits(void)
{
    struct rss rss = rss_open();
    struct ibv_device_attr_ex attr;
    struct ibv_wq *wqs[1024];
    struct ibv_rwq_ind_table_init_attr init = { .ind_tbl = wqs };
    struct ibv_wq_init_attr wq = { .wq_type = IBV_WQT_RQ, .max_wr = 1 << 20, .max_sge = 1,
        .pd = rss.raw.rig.pd, .cq = rss.cq[0] };

    CHECK_EQ(ibv_query_device_ex(rss.raw.rig.ctx, NULL, &attr), 0);
    for (unsigned i = 0; i < 1024; i++)
        wqs[i] = rss.wq[i % QUEUES];
    while (1u << init.log_ind_tbl_size <= attr.rss_caps.max_rwq_indirection_table_size) {
        struct ibv_rwq_ind_table *table = ibv_create_rwq_ind_table(rss.raw.rig.ctx, &init);

        CHECK(table);
        CHECK_EQ(ibv_destroy_rwq_ind_table(table), 0);
        init.log_ind_tbl_size++;
    }
    CHECK(!ibv_create_rwq_ind_table(rss.raw.rig.ctx, &init));
    CHECK(!ibv_create_wq(rss.raw.rig.ctx, &wq));
    wq.max_wr = 4;
    wq.comp_mask = IBV_WQ_INIT_ATTR_FLAGS;
    wq.create_flags = IBV_WQ_FLAGS_SCATTER_FCS;
    CHECK(!ibv_create_wq(rss.raw.rig.ctx, &wq));
    rss_close(&rss);
}

static const struct rig_case cases[] = {
    RIG_CASE(the_hash_has_the_published_values),
    RIG_CASE(packets_that_are_not_hashed_go_to_the_first_queue),
    RIG_CASE(a_wq_in_error_is_flushed_and_can_be_reset),
    RIG_CASE(wrong_hashes_are_refused),
    RIG_CASE(objects_in_use_stay),
    RIG_CASE(an_rss_qp_has_no_states),
    RIG_CASE(tables_and_queues_have_limits),
};

RIG_MAIN(cases)
