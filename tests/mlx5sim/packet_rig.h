/* Helpers for tests of packets: raw packet QPs, frames, and the file of --pcap. */
#ifndef MLX5SIM_TEST_PACKET_RIG_H
#define MLX5SIM_TEST_PACKET_RIG_H

#include "rig.h"

enum { FRAME_ROOM = 1 << 16, ETH = 14, IP4 = 20, UDP = 8, TCP = 20, WQES = 64 };

/* A raw packet QP with memory for frames. */
struct raw {
    struct rig rig;
    struct ibv_qp *qp;
    uint8_t *mem;
    struct ibv_mr *mr;
    uint8_t mac[6];
};

/* Return the MAC address of a port; the GID of a RoCE port contains it. */
__attribute__((unused)) static void port_mac(struct ibv_context *ctx, uint8_t mac[6])
{
    union ibv_gid gid;

    CHECK_EQ(ibv_query_gid(ctx, 1, 0, &gid), 0);
    for (int i = 0; i < 3; i++) {
        mac[i] = gid.raw[8 + i];
        mac[3 + i] = gid.raw[13 + i];
    }
    mac[0] ^= 2;
}

__attribute__((unused)) static struct ibv_qp *raw_qp(struct rig *rig, uint32_t tso_header)
{
    struct ibv_qp_init_attr_ex attr = {
        .send_cq = rig->cq, .recv_cq = rig->cq, .pd = rig->pd, .qp_type = IBV_QPT_RAW_PACKET,
        .cap = { .max_send_wr = WQES, .max_recv_wr = WQES, .max_send_sge = 4, .max_recv_sge = 4 },
        .comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_MAX_TSO_HEADER,
        .max_tso_header = (uint16_t)tso_header };

    return ibv_create_qp_ex(rig->ctx, &attr);
}

/* Move a QP through its states up to `last`. */
__attribute__((unused)) static void raw_states(struct ibv_qp *qp, enum ibv_qp_state last)
{
    struct ibv_qp_attr attr = { .qp_state = IBV_QPS_INIT, .port_num = 1 };

    CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PORT), 0);
    for (attr.qp_state = IBV_QPS_RTR; attr.qp_state <= last; attr.qp_state++)
        CHECK_EQ(ibv_modify_qp(qp, &attr, IBV_QP_STATE), 0);
}

__attribute__((unused)) static struct raw raw_open(int index)
{
    struct raw raw = { .rig = rig_open(index), .mem = rig_memory(FRAME_ROOM) };

    raw.qp = raw_qp(&raw.rig, 128);
    CHECK(raw.qp);
    raw_states(raw.qp, IBV_QPS_RTS);
    raw.mr = ibv_reg_mr(raw.rig.pd, raw.mem, FRAME_ROOM, RIG_ALL_ACCESS);
    CHECK(raw.mr);
    port_mac(raw.rig.ctx, raw.mac);
    return raw;
}

__attribute__((unused)) static void raw_close(struct raw *raw)
{
    CHECK_EQ(ibv_destroy_qp(raw->qp), 0);
    CHECK_EQ(ibv_dereg_mr(raw->mr), 0);
    rig_close(&raw->rig);
    free(raw->mem);
}

/* Post `len` bytes at `at` of the memory, in `sges` pieces. */
__attribute__((unused)) static void raw_post(struct raw *raw, uint32_t at, uint32_t len,
                                             unsigned sges, unsigned flags)
{
    struct ibv_sge sge[4];
    struct ibv_send_wr wr = { .wr_id = 7, .sg_list = sge, .num_sge = (int)sges,
        .opcode = IBV_WR_SEND, .send_flags = flags | IBV_SEND_SIGNALED };
    struct ibv_send_wr *bad;

    for (unsigned i = 0; i < sges; i++)
        sge[i] = (struct ibv_sge){ (uintptr_t)raw->mem + at + len / sges * i,
                                   i + 1 < sges ? len / sges : len - len / sges * i,
                                   raw->mr->lkey };
    CHECK_EQ(ibv_post_send(raw->qp, &wr, &bad), 0);
}

/* Send `len` bytes at the start of the memory, and wait for the completion. */
__attribute__((unused)) static void raw_send(struct raw *raw, uint32_t len, unsigned sges,
                                             unsigned flags)
{
    struct ibv_wc wc;

    raw_post(raw, 0, len, sges, flags);
    wc = rig_poll(raw->rig.cq);
    CHECK_EQ(wc.status, IBV_WC_SUCCESS);
    CHECK_EQ(wc.opcode, IBV_WC_SEND);
    CHECK_EQ(wc.wr_id, 7);
}

/* ---- frames --------------------------------------------------------------------------------- */

struct flow {
    uint8_t dst[6], src[6];
    unsigned version;           /* 4 or 6 */
    unsigned protocol;          /* 6 TCP, 17 UDP */
    uint16_t sport, dport, vlan;        /* vlan 0: no tag */
    uint8_t last_src, last_dst;         /* last byte of the addresses */
};

/* Write a frame with `len` bytes of payload and without checksums, and return its length. */
__attribute__((unused)) static uint32_t frame_make(uint8_t *p, const struct flow *f, uint32_t len)
{
    uint32_t l4 = (f->protocol == 6 ? TCP : UDP) + len, at = 12, ip;

    memcpy(p, f->dst, 6);
    memcpy(p + 6, f->src, 6);
    if (f->vlan) {
        put(p + at, 0, 16, 0x8100);
        put(p + at, 16, 16, f->vlan);
        at += 4;
    }
    put(p + at, 0, 16, f->version == 4 ? 0x800 : 0x86dd);
    ip = at + 2;
    memset(p + ip, 0, 40 + TCP);
    if (f->version == 4) {
        p[ip] = 0x45;
        put(p + ip, 16, 16, IP4 + l4);
        p[ip + 8] = 64;
        p[ip + 9] = (uint8_t)f->protocol;
        memcpy(p + ip + 12, "\x0a\x00\x00", 3);
        p[ip + 15] = f->last_src;
        memcpy(p + ip + 16, "\x0a\x00\x01", 3);
        p[ip + 19] = f->last_dst;
        at = ip + IP4;
    } else {
        p[ip] = 0x60;
        put(p + ip, 32, 16, l4);
        p[ip + 6] = (uint8_t)f->protocol;
        p[ip + 7] = 64;
        p[ip + 8] = p[ip + 24] = 0xfd;
        p[ip + 23] = f->last_src;
        p[ip + 39] = f->last_dst;
        at = ip + 40;
    }
    put(p + at, 0, 16, f->sport);
    put(p + at, 16, 16, f->dport);
    if (f->protocol == 6)
        p[at + 12] = TCP / 4 << 4;
    else
        put(p + at, 32, 16, l4);
    at += f->protocol == 6 ? TCP : UDP;
    rig_fill(p + at, len, f->sport);
    return at + len;
}

__attribute__((unused)) static uint16_t ones_sum(const uint8_t *p, size_t len, uint32_t so_far)
{
    for (size_t i = 0; i < len; i++)
        so_far += i % 2 ? p[i] : (uint32_t)p[i] << 8;
    while (so_far >> 16)
        so_far = (so_far & 0xffff) + (so_far >> 16);
    return (uint16_t)so_far;
}

/* True when the checksums of an untagged frame of `len` bytes are right. */
__attribute__((unused)) static bool checksums_are_right(const uint8_t *p, uint32_t len)
{
    bool v4 = p[12] == 8;
    uint32_t l4 = ETH + (v4 ? IP4 : 40), addresses = v4 ? 8 : 32;

    if (v4 && ones_sum(p + ETH, IP4, 0) != 0xffff)
        return false;
    return ones_sum(p + l4, len - l4, ones_sum(p + l4 - addresses, addresses,
                                               p[v4 ? 23 : 20] + len - l4)) == 0xffff;
}

/* ---- the file of --pcap --------------------------------------------------------------------- */

struct capture {
    uint8_t bytes[1 << 20];
    size_t len, at;
};

static struct capture capture;

/* Read the file and go to its end. The test names it in the environment. */
__attribute__((unused)) static void capture_mark(void)
{
    const char *name = getenv("PACKET_PCAP");
    FILE *file = name ? fopen(name, "rb") : NULL;

    CHECK(file);
    capture.len = fread(capture.bytes, 1, sizeof(capture.bytes), file);
    fclose(file);
    CHECK(capture.len >= 24 && capture.len < sizeof(capture.bytes));
    capture.at = capture.len;
}

/* Return the next frame that was written since the mark. NULL: none. */
__attribute__((unused)) static const uint8_t *capture_next(uint32_t *len)
{
    size_t mark = capture.at;
    uint32_t head[4];

    capture_mark();
    capture.at = mark;
    if (mark == capture.len)
        return NULL;
    CHECK(mark + sizeof(head) < capture.len);
    memcpy(head, capture.bytes + mark, sizeof(head));
    CHECK(head[1] < 1000000000u);
    CHECK_EQ(head[2], head[3]);
    CHECK(mark + sizeof(head) + head[2] <= capture.len);
    capture.at += sizeof(head) + head[2];
    *len = head[2];
    return capture.bytes + mark + sizeof(head);
}

#endif
