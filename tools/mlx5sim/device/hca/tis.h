/*
 * Transport domains, and transport interface send objects (TIS). Every send queue of raw packets
 * sends through a TIS, which belongs to a transport domain. Neither object affects packets.
 */
#ifndef MLX5SIM_HCA_TIS_H
#define MLX5SIM_HCA_TIS_H

#include "device/hca/object.h"

struct hca_tis {
    struct hca_other other;     /* must be first */
    uint32_t transport_domain;
    unsigned prio;              /* only stored for queries: the emulator sends in order */
    bool is_of_qp;              /* the driver made it for a QP, and it ends with the QP */
};

int hca_transport_domain_create(struct sim_client *client, struct hca_object **out);
int hca_tis_create(struct sim_client *client, uint32_t transport_domain, struct hca_object **out);

#endif
