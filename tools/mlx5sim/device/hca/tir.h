/* Where rules send packets: a receive queue, or one queue of a table that a hash selects. */
#ifndef MLX5SIM_HCA_TIR_H
#define MLX5SIM_HCA_TIR_H

#include "device/hca/packet.h"
#include "device/hca/qp.h"

enum { RQT_LOG_MAX = 16, RQT_LOG_MAX_SIZE = 9, TIR_KEY_BYTES = 40 };    /* limits are assumed */

/* A table of receive queues. */
struct hca_rqt {
    struct hca_object object;
    unsigned num;
    struct hca_qp *rq[1 << RQT_LOG_MAX_SIZE];
};

/* `num` is at least 1. The RQT holds references on the queues. */
int hca_rqt_create(struct sim_client *client, struct hca_qp *const *rq, unsigned num,
                   struct hca_object **out);
/* Replaces the queues. */
void hca_rqt_set(struct hca_rqt *rqt, struct hca_qp *const *rq, unsigned num);

/* A receive queue made by ibv_create_wq() or CREATE_RQ is a QP without a send queue. Its states are
 * QPS_RESET, QPS_RTR (ready) and QPS_ERR. */
bool hca_is_rq(const struct hca_object *object);
/* An SQ made by CREATE_SQ is a QP without a receive queue. */
bool hca_is_sq(const struct hca_object *object);

/* The number of the TIR that a raw packet QP of verbs has: this bit, and the number of the QP. This
 * is assumed. It is no object, and only rules and entries can name it. */
enum { TIR_OF_QP = 1 << 23 };
/* Returns the QP whose TIR has this number, or NULL. */
struct hca_object *hca_qp_of_tir(uint32_t number);
/* Returns the number of a TIR, or of the TIR of a QP. */
uint32_t hca_tir_number(const struct hca_object *object);

struct hca_tir_attr {
    struct hca_qp *rq;          /* queue of a TIR without a hash; NULL if the TIR has a hash */
    struct hca_rqt *rqt;
    bool hashes;                /* the hash selects the queue; otherwise the first one is used */
    unsigned ip_version;        /* only packets of this version are hashed; 0: the hash is 0 */
    uint8_t protocol;           /* protocol whose ports enter the hash; 0: no ports */
    unsigned fields;            /* HASH_* of packet.h */
    bool symmetric;             /* both directions of a connection get the same hash */
    uint8_t key[TIR_KEY_BYTES];
    uint32_t transport_domain;
};

struct hca_tir {
    struct hca_object object;
    struct hca_tir_attr attr;
};

int hca_tir_create(struct sim_client *client, const struct hca_tir_attr *attr,
                   struct hca_object **out);

/* Replaces the attributes. */
void hca_tir_modify(struct hca_tir *tir, const struct hca_tir_attr *attr);

/* Returns the queue for a packet, with its hash, and with the fields that entered it as a CQE
 * describes them. */
struct hca_qp *hca_tir_select(const struct hca_tir *tir, const struct packet *packet,
                              uint32_t *hash, uint8_t *hash_type);

#endif
