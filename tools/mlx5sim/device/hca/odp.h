/* On-demand paging (ODP): memory regions whose pages the driver does not pin. */
#ifndef MLX5SIM_HCA_ODP_H
#define MLX5SIM_HCA_ODP_H

#include "device/hca/mkey.h"
#include "device/hca/qp.h"

/* Kinds of requests, with the values of verbs (IBV_ODP_SUPPORT_*). A write, read or atomic uses
 * memory of the requester and memory of the responder; the kind stands for both. */
enum {
    ODP_SEND = 1 << 0, ODP_RECEIVE = 1 << 1, ODP_WRITE = 1 << 2, ODP_READ = 1 << 3,
    ODP_ATOMIC = 1 << 4, ODP_SRQ_RECEIVE = 1 << 5
};

enum { ODP_IMPLICIT_END = 48 }; /* log2 of the first address that no implicit region has */

/* Returns the requests of a transport that can use such memory: ODP_*. `type` is a type of QPs:
 * IB_UVERBS_QPT_* or HCA_QPT_*. */
uint32_t odp_caps(uint32_t type);

/* Returns HCA_PINNED when a request on this QP needs pinned memory, otherwise 0. `request` is one
 * of ODP_*. */
uint32_t odp_need(const struct hca_qp *qp, uint32_t request);

/* Returns which of ODP_* a WQE with this opcode is; 0 for opcodes that send no request. */
uint32_t odp_request(uint8_t opcode);

#endif
