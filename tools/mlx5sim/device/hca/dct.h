/* Targets of the dynamically connected transport (DCTs). */
#ifndef MLX5SIM_HCA_DCT_H
#define MLX5SIM_HCA_DCT_H

#include "device/hca/qp.h"

struct hca_dct_attr {
    struct hca_object *pd, *srq;
    struct hca_object *cq;      /* for receives */
    struct sim_space *space;
    uint64_t key;               /* DC access key */
    uint32_t uidx;
    uint32_t access;            /* IB_UVERBS_ACCESS_REMOTE_* */
    uint8_t min_rnr_timer, path_mtu, port;
    uint16_t pkey_index;
};

/* Creates a DCT, which can receive at once. A DCT is a struct hca_qp in the table of QPs, because
 * DCTs and QPs share their numbers. It has an SRQ, but no rings. */
int hca_dct_create(struct sim_client *client, const struct hca_dct_attr *attr,
                   struct hca_object **out);

#endif
