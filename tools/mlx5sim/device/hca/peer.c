/* Finds the responder of a request: by the connection, by the address vector, or by the SRQ. */
#include "device/hca/peer.h"
#include "device/machine/log.h"
#include "wire/prm.h"

#include <rdma/ib_user_ioctl_verbs.h>

static bool can_receive(const struct hca_qp *qp)
{
    return !qp->object.function->fatal &&
           (qp->state == QPS_RTR || qp->state == QPS_RTS || qp->state == QPS_SQD ||
            qp->state == QPS_SQE);
}

static struct hca_qp *find_qp(uint32_t qpn, uint32_t type)
{
    struct hca_qp *qp = (struct hca_qp *)hca_find(HCA_QP, qpn);

    return qp && qp->type == type && can_receive(qp) ? qp : NULL;
}

void peer_self(struct hca_qp *qp, struct hca_responder *to)
{
    *to = (struct hca_responder){ .qp = qp, .srq = qp->srq, .pd = qp->pd, .cq = qp->recv_cq,
                                  .uidx = qp->uidx };
    if (!qp->srq || !qp->srq->tm)
        return;
    to->cq = qp->srq->cq;
    to->uidx = qp->srq->uidx;
}

static enum hca_peer found(struct hca_qp *qp, struct hca_responder *to)
{
    peer_self(qp, to);
    return PEER_FOUND;
}

bool peer_takes_datagram(const struct hca_qp *qp, struct hca_qp *peer, const uint8_t *av,
                         struct hca_responder *to)
{
    uint32_t qkey = (uint32_t)prm_get(av, prm_wqe_av_q_key);

    if (qkey & 0x80000000u)
        qkey = qp->attr.qkey;
    found(peer, to);
    return can_receive(peer) && peer->attr.qkey == qkey;
}

static enum hca_peer find_datagram(const struct hca_qp *qp, const uint8_t *av,
                                   struct hca_responder *to)
{
    struct hca_qp *peer = find_qp((uint32_t)prm_get(av, prm_wqe_av_dqpn), qp->type);

    return peer && peer_takes_datagram(qp, peer, av, to) ? PEER_FOUND : PEER_SILENT;
}

/* The SRQ must belong to the domain of the target QP. It is assumed that the target otherwise
 * refuses the request as invalid. */
static enum hca_peer find_xrc(struct hca_qp *target, const uint8_t *xrc, struct hca_responder *to)
{
    uint32_t number = (uint32_t)prm_get(xrc, prm_wqe_xrc_xrc_srqn);
    struct hca_srq *srq = (struct hca_srq *)hca_find(HCA_SRQ, number);

    *to = (struct hca_responder){ .qp = target };
    if (!srq || srq->xrcd != target->xrcd) {
        sim_log(SIM_INFO, "%s: QP %#x: %#x is not an SRQ of its XRC domain",
                target->object.function->name, target->object.number, number);
        return PEER_REFUSES;
    }
    to->srq = srq;
    to->pd = srq->pd;
    to->cq = srq->cq;
    to->uidx = srq->uidx;
    return PEER_FOUND;
}

static enum hca_peer find_dct(const uint8_t *av, struct hca_responder *to)
{
    struct hca_qp *dct = find_qp((uint32_t)prm_get(av, prm_wqe_av_dqpn), HCA_QPT_DCT);

    if (!dct || dct->is_draining)
        return PEER_SILENT;
    found(dct, to);
    if (prm_get(av, prm_wqe_av_dc_key) == dct->dc_key)
        return PEER_FOUND;
    sim_log(SIM_INFO, "%s: DCT %#x: a request has another access key",
            dct->object.function->name, dct->object.number);
    return PEER_DENIES;
}

enum hca_peer peer_find(const struct hca_qp *qp, const uint8_t *seg, struct hca_responder *to)
{
    uint32_t type = qp->type == IB_UVERBS_QPT_XRC_INI ? IB_UVERBS_QPT_XRC_TGT : qp->type;
    struct hca_qp *peer;

    if (qp->type == IB_UVERBS_QPT_UD)
        return find_datagram(qp, seg, to);
    if (qp->type == HCA_QPT_DCI)
        return find_dct(seg, to);
    peer = find_qp(qp->attr.dest_qp_num, type);
    /* if the peer is connected to another QP, a card drops the packet: packet numbers differ */
    if (!peer || peer->attr.dest_qp_num != qp->object.number)
        return PEER_SILENT;
    return type == IB_UVERBS_QPT_XRC_TGT ? find_xrc(peer, seg, to) : found(peer, to);
}
