/* Probes for test_caps.c: packets. */
#ifndef MLX5SIM_TEST_CAPS_PACKETS_H
#define MLX5SIM_TEST_CAPS_PACKETS_H

#include "caps_engines.h"
#include "packet_rig.h"

enum { TYPE_ETHERNET = 1 };

/* Send one frame. True when the device has sent it. */
static bool sends(struct probe *p, enum ibv_wr_opcode opcode, unsigned flags, uint32_t len)
{
    static const struct flow flow = { .version = 4, .protocol = 6, .dst = { 2, 0, 0, 0, 0, 9 } };
    struct ibv_qp *qp = raw_qp(&p->rig, 64);
    struct ibv_sge sge = { (uintptr_t)p->mem, 0, p->mr->lkey };
    struct ibv_send_wr wr = { .sg_list = &sge, .num_sge = 1, .opcode = opcode,
        .send_flags = flags | IBV_SEND_SIGNALED }, *bad;
    uint8_t header[64];
    bool sent;

    if (!qp)
        return false;
    raw_states(qp, IBV_QPS_RTS);
    sge.length = frame_make(p->mem, &flow, len);
    if (opcode == IBV_WR_TSO) {
        memcpy(header, p->mem, ETH + IP4 + TCP);
        wr.tso.hdr = header;
        wr.tso.hdr_sz = ETH + IP4 + TCP;
        wr.tso.mss = 1400;
        sge.length = len;
    }
    sent = ibv_post_send(qp, &wr, &bad) == 0 && rig_poll(p->rig.cq).status == IBV_WC_SUCCESS;
    CHECK_EQ(ibv_destroy_qp(qp), 0);
    return sent;
}

static bool inserts_checksums(struct probe *p)
{
    return (p->attr.raw_packet_caps & IBV_RAW_PACKET_CAP_IP_CSUM) != 0 &&
           sends(p, IBV_WR_SEND, IBV_SEND_IP_CSUM, 100);
}

static bool limit_lso(struct probe *p)
{
    return p->attr.tso_caps.max_tso == 1u << p->value && sends(p, IBV_WR_TSO, 0, 5000);
}

/* The library puts no bytes into the Ethernet segment, because the kernel says that none are
 * needed. The value 2 says the same. */
static bool needs_no_inline_header(struct probe *p)
{
    return p->value == 2 && sends(p, IBV_WR_SEND, 0, 100);
}

/* The verbs limit is the same as that of the firmware, and a larger table is refused. */
static bool limit_table(struct probe *p)
{
    return p->attr.rss_caps.max_rwq_indirection_table_size > 1 &&
           p->attr.rss_caps.max_rwq_indirection_table_size == 1u << p->value;
}

#endif
