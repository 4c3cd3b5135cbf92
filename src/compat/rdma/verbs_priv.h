/* ---- >>priv.rdma.verbs -----------------------------------------------------------------------
 * Instances of devices with a protection domain of libibverbs (DOCA_CORE_RDMA_VERBS).           */
#ifndef DOCA_SRC_COMPAT_RDMA_VERBS_PRIV_H
#define DOCA_SRC_COMPAT_RDMA_VERBS_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/platform_priv.h"

#ifdef DOCA_CORE_RDMA_VERBS
#define DOCA_PRIV_RDMA_PORT 1
#define DOCA_PRIV_RDMA_RETRIES 6 /* repetitions of a packet; soft-RoCE would repeat 7 forever */
#define DOCA_PRIV_RDMA_RNR_TIMER 12 /* 0.64 ms until a message without a receive is repeated */

/* The two ends of a pair of queue pairs. */
struct doca_priv_rdma_ends {
    struct ibv_qp *qp;
    uint32_t psn; /* of the first packet of this side */
    uint32_t peer_qpn, peer_psn;
};

DOCA_PRIV_DATA const struct doca_priv_rdma_transport doca_priv_rdma_verbs;

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_refused(doca_error_t code, const char *function,
                                                         const void *object, const char *step,
                                                         int error);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_released(const struct doca_rdma *r, int error,
                                                  const char *step);
DOCA_PRIV_DECL int doca_priv_rdma_verbs_to_init(struct ibv_qp *qp, unsigned access);
DOCA_PRIV_DECL int doca_priv_rdma_verbs_to_rts(const struct doca_rdma_connection *connection,
                                               const struct doca_priv_rdma_ends *ends,
                                               const struct doca_priv_rdma_place *peer,
                                               const char **step);

DOCA_PRIV_DECL int doca_priv_rdma_verbs_gather(const struct doca_buf *buf,
                                               const struct doca_dev *dev, bool is_room,
                                               uint64_t max, struct ibv_sge *sges);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_check(const struct doca_task *task,
                                                       enum doca_core_item *item);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_post(struct doca_core_queue *queue,
                                                      struct doca_task *task);
/* True when a task of this type fills its local buffer. */
DOCA_PRIV_HOT bool doca_priv_rdma_verbs_fills(uint8_t type)
{
    return type == DOCA_PRIV_RDMA_READ ||
           (type >= DOCA_PRIV_RDMA_CMP_SWP && type != DOCA_PRIV_RDMA_EVENT_SET);
}

DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_verbs_poll(struct doca_core_queue *queue);
DOCA_PRIV_DECL struct doca_task *doca_priv_rdma_verbs_take(struct doca_core_queue *queue);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_drain(struct doca_rdma *r);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_flush(struct doca_core_queue *queue, doca_error_t status);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_end(struct doca_rdma_connection *connection,
                                             doca_error_t status,
                                             enum doca_priv_rdma_happening event);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_halt(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL int doca_priv_rdma_verbs_fd(struct doca_core_queue *queue);
DOCA_PRIV_DECL bool doca_priv_rdma_verbs_ready(struct doca_core_queue *queue);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_arm(struct doca_core_queue *queue, bool armed);
DOCA_PRIV_DECL void doca_priv_rdma_verbs_read_events(struct doca_rdma *r);
#endif

#endif
