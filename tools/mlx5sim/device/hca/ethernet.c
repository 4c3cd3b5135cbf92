/*
 * Send WQEs of raw packet QPs: a control segment, an Ethernet segment that may contain the first
 * bytes of the frame, and data segments with the rest. A WQE for large send offload (LSO) has the
 * headers in the Ethernet segment, and its data becomes the payload of several TCP segments.
 */
#include "device/hca/ethernet.h"
#include "device/hca/network.h"
#include "device/hca/transport.h"
#include "device/machine/log.h"
#include "wire/prm.h"

#include <string.h>

enum {
    SEG = 16, INLINE_START = 14,        /* offset of the inline header in its segment */
    L3_CSUM = 1 << 6, L4_CSUM = 1 << 7, INNER_CSUM = 1 << 4 | 1 << 5,
    HEADERS_MAX = 256,                  /* of an LSO WQE; assumed */
    LSO_MAX = 1 << ETHERNET_LOG_MAX_LSO,
    TCP_SEQ = 4, TCP_FLAGS = 13, TCP_FIN = 1, TCP_PSH = 8
};

static uint8_t frame[PACKET_MAX], payload[LSO_MAX];
static struct sim_space payload_space = { .pidfd = -1, .base = payload, .len = sizeof(payload),
                                          .refs = 1 };
static struct hca_pieces data;

struct request {
    struct hca_qp *qp;
    const uint8_t *eth;                 /* the Ethernet segment */
    uint32_t header_len, data_len;
    struct hca_outcome *outcome;
};

static int fail(struct request *r, uint8_t syndrome)
{
    r->outcome->syndrome = syndrome;
    return WQE_DONE;
}

static void put_be(uint8_t *at, unsigned bytes, uint32_t value)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

/* Inserts the checksums that the WQE asks for. */
static void finish(struct request *r, uint32_t len)
{
    unsigned flags = (unsigned)prm_get(r->eth, prm_wqe_eth_cs_flags);
    struct packet packet;

    if (flags & (L3_CSUM | L4_CSUM)) {
        packet_parse(frame, len, &packet);
        if (flags & L3_CSUM)
            packet_set_l3_checksum(&packet);
        if (flags & L4_CSUM)
            packet_set_l4_checksum(&packet);
    }
    network_send(r->qp->object.function, frame, len, r->qp->object.number,
                 (uint32_t)prm_get(r->eth, prm_wqe_eth_metadata));
}

static int send_frame(struct request *r)
{
    uint32_t len = r->header_len + r->data_len;

    if (len < PACKET_ETH || len > PACKET_MAX)
        return fail(r, PRM_SYND_LOCAL_LENGTH);
    memcpy(frame, r->eth + INLINE_START, r->header_len);
    memcpy(frame + r->header_len, payload, r->data_len);
    r->outcome->bytes = len;
    finish(r, len);
    return WQE_DONE;
}

/* Changes the headers of one segment of LSO: lengths, IP identification, sequence number, and flags
 * that belong to the last segment only. `at` is the offset of its data. */
static void segment_headers(const struct packet *headers, unsigned number, uint32_t at,
                            uint32_t len, bool last)
{
    uint8_t *ip = frame + headers->l3, *tcp = frame + headers->l4;
    uint32_t bytes = headers->len - headers->l3 + len;

    if (headers->ip_version == 4) {
        put_be(ip + 2, 2, bytes);
        put_be(ip + 4, 2, packet_be16(headers, headers->l3 + 4) + number);
    } else {
        put_be(ip + 4, 2, bytes - 40);
    }
    put_be(tcp + TCP_SEQ, 4, packet_be32(headers, headers->l4 + TCP_SEQ) + at);
    if (!last)
        tcp[TCP_FLAGS] &= (uint8_t)~(TCP_FIN | TCP_PSH);
}

/* Finds the headers of an LSO WQE. The lengths in the IP header say nothing yet. */
static bool lso_headers(uint8_t *bytes, uint32_t len, struct packet *headers)
{
    packet_parse(bytes, len, headers);
    packet_set_length(headers);
    return headers->l4 && headers->protocol == PACKET_TCP && !headers->fragment;
}

static int send_segments(struct request *r)
{
    uint32_t mss = (uint32_t)prm_get(r->eth, prm_wqe_eth_mss), at = 0;
    uint8_t bytes[HEADERS_MAX];
    struct packet headers;

    if (r->header_len > HEADERS_MAX || r->header_len < PACKET_ETH || mss == 0 ||
        mss + r->header_len > PACKET_MAX)
        return fail(r, PRM_SYND_LOCAL_QP_OP);
    memcpy(bytes, r->eth + INLINE_START, r->header_len);
    if (!lso_headers(bytes, r->header_len, &headers))
        return fail(r, PRM_SYND_LOCAL_QP_OP);
    r->outcome->bytes = r->header_len + r->data_len;
    for (unsigned number = 0; at < r->data_len || number == 0; number++) {
        uint32_t len = r->data_len - at < mss ? r->data_len - at : mss;

        memcpy(frame, bytes, r->header_len);
        memcpy(frame + r->header_len, payload + at, len);
        segment_headers(&headers, number, at, len, at + len == r->data_len);
        finish(r, r->header_len + len);
        at += len;
    }
    return WQE_DONE;
}

/* Copies the data of the WQE into `payload`. Returns 0 or a syndrome. */
static uint8_t read_data(struct request *r, const uint8_t *at, const uint8_t *end, uint32_t max)
{
    struct hca_piece piece = { &payload_space, 0, 0 };
    struct hca_pieces to = { &piece, 1, 1, 0 };
    uint8_t syndrome = transport_gather(r->qp, at, end, HCA_LOCAL_READ | HCA_PINNED, &data);

    if (syndrome || data.len > max)
        return syndrome ? syndrome : PRM_SYND_LOCAL_LENGTH;
    piece.len = to.len = data.len;
    r->data_len = (uint32_t)data.len;
    return hca_pieces_copy(&to, 0, &data, data.len) ? PRM_SYND_LOCAL_PROT : 0;
}

int ethernet_execute(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome)
{
    struct request r = { .qp = qp, .eth = wqe->bytes + SEG, .outcome = outcome };
    const uint8_t *end = wqe->bytes + wqe->ds * SEG, *at;
    bool lso = wqe->opcode == PRM_WQE_LSO;
    uint8_t syndrome;

    if (wqe->opcode == PRM_WQE_NOP)
        return WQE_DONE;
    if ((wqe->opcode != PRM_WQE_SEND && !lso) || wqe->ds < 2)
        return fail(&r, PRM_SYND_LOCAL_QP_OP);
    r.header_len = (uint32_t)prm_get(r.eth, prm_wqe_eth_inline_hdr_sz);
    at = r.eth + (INLINE_START + r.header_len + SEG - 1) / SEG * SEG;
    /* a WQE that asks for an offload that the device does not announce is wrong */
    if (at > end || prm_get(r.eth, prm_wqe_eth_cs_flags) & INNER_CSUM ||
        (!lso && prm_get(r.eth, prm_wqe_eth_mss)))
        return fail(&r, PRM_SYND_LOCAL_QP_OP);
    syndrome = read_data(&r, at, end, lso ? LSO_MAX : PACKET_MAX);
    if (syndrome)
        return fail(&r, syndrome);
    return lso ? send_segments(&r) : send_frame(&r);
}
