/*
 * Transport domains, and transport interface send objects (TIS). Every send queue of raw packets
 * sends through a TIS, which belongs to a transport domain. Neither object affects packets.
 */
#ifndef MLX5SIM_HCA_TIS_H
#define MLX5SIM_HCA_TIS_H

#include "device/hca/object.h"

enum { HCA_LAG_PORTS = 2 };    /* ports of the card that could form a LAG */

struct hca_tis {
    struct hca_other other;     /* must be first */
    uint32_t transport_domain;
    unsigned prio;              /* only stored for queries: the emulator sends in order */
    uint8_t lag_port;           /* port of a LAG, from 1; only stored: there is no LAG */
    bool is_of_qp;              /* the driver made it for a QP, and it ends with the QP */
};

/* Returns the port of a LAG for the next queue: the kernel driver gives them out in turn. */
uint8_t hca_lag_port(void);

int hca_transport_domain_create(struct sim_client *client, struct hca_object **out);
int hca_tis_create(struct sim_client *client, uint32_t transport_domain, struct hca_object **out);

#endif
