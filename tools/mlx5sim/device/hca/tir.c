/* RQTs and TIRs. */
#include "device/hca/tir.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rdma/ib_user_ioctl_verbs.h>

/* ---- RQT ------------------------------------------------------------------------------------ */

bool hca_is_rq(const struct hca_object *object)
{
    const struct hca_qp *qp = (const struct hca_qp *)object;

    return object->type == HCA_QP && qp->type == IB_UVERBS_QPT_RAW_PACKET && !qp->send_cq;
}

bool hca_is_sq(const struct hca_object *object)
{
    const struct hca_qp *qp = (const struct hca_qp *)object;

    return object->type == HCA_QP && qp->type == IB_UVERBS_QPT_RAW_PACKET && !qp->recv_cq;
}

struct hca_object *hca_qp_of_tir(uint32_t number)
{
    struct hca_object *object = number & TIR_OF_QP ? hca_find(HCA_QP, number & ~(uint32_t)TIR_OF_QP)
                                                   : NULL;
    const struct hca_qp *qp = (const struct hca_qp *)object;

    return qp && qp->type == IB_UVERBS_QPT_RAW_PACKET && qp->send_cq && qp->recv_cq ? object : NULL;
}

uint32_t hca_tir_number(const struct hca_object *object)
{
    return object->type == HCA_QP ? object->number | TIR_OF_QP : object->number;
}

static void rqt_release(struct hca_object *object)
{
    hca_rqt_set((struct hca_rqt *)object, NULL, 0);
}

void hca_rqt_set(struct hca_rqt *rqt, struct hca_qp *const *rq, unsigned num)
{
    for (unsigned i = 0; i < num; i++)
        hca_ref(rq[i]);
    for (unsigned i = 0; i < rqt->num; i++)
        hca_unref(rqt->rq[i]);
    for (unsigned i = 0; i < num; i++)
        rqt->rq[i] = rq[i];
    rqt->num = num;
}

int hca_rqt_create(struct sim_client *client, struct hca_qp *const *rq, unsigned num,
                   struct hca_object **out)
{
    struct hca_rqt *rqt;

    if (num == 0 || num > 1 << RQT_LOG_MAX_SIZE)
        return EINVAL;
    rqt = calloc(1, sizeof(*rqt));
    if (!rqt || hca_add(&rqt->object, HCA_RQT, client, rqt_release)) {
        free(rqt);
        return ENOMEM;
    }
    hca_rqt_set(rqt, rq, num);
    *out = &rqt->object;
    return 0;
}

/* ---- TIR ------------------------------------------------------------------------------------ */

static void tir_release(struct hca_object *object)
{
    struct hca_tir *tir = (struct hca_tir *)object;

    hca_unref(tir->attr.rq);
    hca_unref(tir->attr.rqt);
}

int hca_tir_create(struct sim_client *client, const struct hca_tir_attr *attr,
                   struct hca_object **out)
{
    struct hca_tir *tir = calloc(1, sizeof(*tir));

    if (!tir || hca_add(&tir->object, HCA_TIR, client, tir_release)) {
        free(tir);
        return ENOMEM;
    }
    tir->attr = *attr;
    hca_ref(attr->rq);
    hca_ref(attr->rqt);
    *out = &tir->object;
    return 0;
}

void hca_tir_modify(struct hca_tir *tir, const struct hca_tir_attr *attr)
{
    hca_ref(attr->rq);
    hca_ref(attr->rqt);
    hca_unref(tir->attr.rq);
    hca_unref(tir->attr.rqt);
    tir->attr = *attr;
}

/* Both directions of a connection: sets the fields of source and destination to their exclusive-or.
 * This is assumed. */
static void make_symmetric(const struct packet *packet, uint8_t *copy, struct packet *symmetric)
{
    unsigned bytes = packet->ip_version == 6 ? 16 : 4;
    unsigned at = packet->l3 + (bytes == 16 ? 8 : 12), end = packet->l4 ? packet->l4 + 4 : 0;

    memcpy(copy, packet->bytes, at + 2 * bytes > end ? at + 2 * bytes : end);
    *symmetric = *packet;
    symmetric->bytes = copy;
    for (unsigned i = 0; i < bytes; i++)
        copy[at + i] = copy[at + bytes + i] ^= copy[at + i];
    for (unsigned i = 0; packet->l4 && i < 2; i++)
        copy[packet->l4 + i] = copy[packet->l4 + 2 + i] ^= copy[packet->l4 + i];
}

/* Two bits for each field: source and destination of IP (1: IPv4, 2: IPv6), source and destination
 * of the ports (1: TCP, 2: UDP). */
static uint8_t hash_type_of(const struct packet *packet, unsigned fields)
{
    unsigned ip = packet->ip_version == 4 ? 1 : 2, l4 = packet->protocol == PACKET_TCP ? 1 : 2;

    return (uint8_t)((fields & HASH_SRC_IP ? ip : 0) | (fields & HASH_DST_IP ? ip << 2 : 0) |
                     (fields & HASH_L4_SPORT ? l4 << 4 : 0) |
                     (fields & HASH_L4_DPORT ? l4 << 6 : 0));
}

struct hca_qp *hca_tir_select(const struct hca_tir *tir, const struct packet *packet,
                              uint32_t *hash, uint8_t *hash_type)
{
    const struct hca_tir_attr *attr = &tir->attr;
    static uint8_t copy[PACKET_MAX];
    struct packet symmetric;
    unsigned fields = attr->fields;

    *hash = 0;
    *hash_type = 0;
    if (!attr->rqt)
        return attr->rq;
    if (attr->protocol == 0 || packet->protocol != attr->protocol || !packet->l4 ||
        packet->fragment)
        fields &= ~(unsigned)(HASH_L4_SPORT | HASH_L4_DPORT);
    if (!attr->hashes || packet->ip_version == 0 || packet->ip_version != attr->ip_version ||
        fields == 0)
        return attr->rqt->rq[0];
    if (attr->symmetric) {
        make_symmetric(packet, copy, &symmetric);
        packet = &symmetric;
    }
    *hash = packet_toeplitz(packet, fields, attr->key);
    *hash_type = hash_type_of(packet, fields);
    return attr->rqt->rq[*hash % attr->rqt->num];
}
