/* Writes frames into receive WQEs, and their CQEs. */
#include "device/hca/inbound.h"
#include "device/hca/receive.h"
#include "device/machine/log.h"
#include "wire/prm.h"

enum { L2_OK = 1, L3_OK = 2, L4_OK = 4, IPV6 = 1 << 2, IPV4 = 2 << 2, UDP = 2 << 4,
       TCP = 1 << 4, TCP_EMPTY_ACK = 3 << 4, TCP_ACK = 4 << 4, FRAGMENT = 1 << 7, FLAG_ACK = 16 };

static struct hca_receive receive;

static unsigned header_types(const struct packet *packet)
{
    unsigned types = packet->ip_version == 4 ? IPV4 : packet->ip_version == 6 ? IPV6 : 0, bytes;

    if (packet->fragment)
        return types | FRAGMENT;
    if (!packet->l4)
        return types;
    if (packet->protocol == PACKET_UDP)
        return types | UDP;
    if (packet->protocol != PACKET_TCP)
        return types;
    bytes = packet->bytes[packet->l4 + 12] / 16u * 4;
    if (!(packet->bytes[packet->l4 + 13] & FLAG_ACK))
        return types | TCP;
    return types | (packet->l4 + bytes >= packet->end ? TCP_EMPTY_ACK : TCP_ACK);
}

static void complete(struct hca_qp *qp, const struct packet *packet, const struct inbound *info)
{
    struct hca_cqe cqe = { { 0 } };

    prm_set(cqe.bytes, prm_cqe_rx_hash_result, info->hash);
    prm_set(cqe.bytes, prm_cqe_rx_hash_type, info->hash_type);
    prm_set(cqe.bytes, prm_cqe_l2_l3_l4_ok, L2_OK | (packet_l3_ok(packet) ? L3_OK : 0u) |
                                            (packet_l4_ok(packet) ? L4_OK : 0u));
    prm_set(cqe.bytes, prm_cqe_hdr_type, header_types(packet));
    prm_set(cqe.bytes, prm_cqe_user_index, qp->uidx);
    prm_set(cqe.bytes, prm_cqe_imm_inval_pkey, packet->reg[PACKET_REG_B]);      /* metadata */
    prm_set(cqe.bytes, prm_cqe_byte_cnt, packet->len);
    prm_set(cqe.bytes, prm_cqe_qpn, info->flow_tag);    /* instead of a QP number */
    prm_set(cqe.bytes, prm_cqe_wqe_counter, receive.index);
    prm_set(cqe.bytes, prm_cqe_opcode, PRM_CQE_RESP_SEND);
    cqe_put(qp->recv_cq, &cqe, false);
}

/* It is assumed that a frame that does not fit into its WQE stops the queue with an error. */
static void fail(struct hca_qp *qp, uint8_t syndrome)
{
    const struct hca_outcome outcome = { .syndrome = syndrome };

    hca_qp_error_cqe(qp, false, receive.index, 0, &outcome);
    hca_qp_to_error(qp);
}

void inbound_deliver(struct hca_qp *qp, const struct packet *packet, const struct inbound *info)
{
    struct sim_space space = { .pidfd = -1, .base = packet->bytes, .len = packet->len, .refs = 1 };
    struct hca_piece piece = { &space, 0, packet->len };
    const struct hca_pieces frame = { &piece, 1, 1, packet->len };
    const struct hca_responder to = { .qp = qp, .pd = qp->pd, .cq = qp->recv_cq };
    enum hca_take take;

    if (qp->state < QPS_RTR || qp->state == QPS_ERR || qp->object.function->fatal)
        return;
    take = hca_take_receive(&to, &receive);
    if (take == TAKE_EMPTY)
        sim_log(SIM_INFO, "%s: QP %#x: a frame is dropped, because no receive WQE is posted",
                qp->object.function->name, qp->object.number);
    else if (take != TAKE_BAD && receive.room < packet->len)
        fail(qp, PRM_SYND_LOCAL_LENGTH);
    else if (take == TAKE_BAD || hca_pieces_copy(&receive.pieces, 0, &frame, packet->len))
        fail(qp, PRM_SYND_LOCAL_PROT);
    else
        complete(qp, packet, info);
}
