/* Queue pairs: attributes, states, and the list of QPs that have work. */
#ifndef MLX5SIM_HCA_QP_H
#define MLX5SIM_HCA_QP_H

#include "device/hca/cq.h"
#include "device/hca/rq.h"
#include "device/hca/wqe.h"

#include <rdma/ib_user_verbs.h>

enum {                          /* IB_QPS_* */
    QPS_RESET, QPS_INIT, QPS_RTR, QPS_RTS, QPS_SQD, QPS_SQE, QPS_ERR
};

struct hca_qp {
    struct hca_object object;
    uint32_t type;              /* IB_UVERBS_QPT_* */
    struct hca_pd *pd;
    struct hca_cq *send_cq, *recv_cq;
    struct hca_srq *srq;
    struct sim_space *space;
    struct hca_umem *umem, *db_umem;
    struct hca_object *tis;     /* of an SQ that a firmware command made; otherwise NULL */
    uint64_t sq_addr, db_addr;
    uint32_t sq_wqebbs;
    uint16_t sq_ci, sq_pi;      /* WQEBBs done; WQEBBs posted, from the doorbell record */
    struct hca_rq rq;
    uint32_t uidx, uar_page;
    uint8_t state;
    bool mmo;
    struct ib_uverbs_modify_qp attr;    /* all attributes that were set */
    /* state of the current WQE */
    bool queued;                /* the QP is in the list of QPs with work */
    struct hca_qp *next_queued;
    uint64_t wake;              /* ns; the QP does not run before this time */
    uint64_t no_answer_since;   /* ns; time of the first request without an answer; 0: none waits */
    uint32_t rnr_tries;         /* number of retries because the peer had no receive WQE */
    uint64_t fault_wqe;         /* number of the WQE for faults; 0: not counted yet */
    uint64_t last_delayed;      /* number of the WQE that was last delayed */
    uint32_t idle_runs;         /* QPS_ERR: number of successive runs without a WQE to flush */
};

struct hca_qp_attr {
    uint32_t type;              /* IB_UVERBS_QPT_* : RC 2, UC 3, UD 4, RAW_PACKET 8 */
    struct hca_object *pd;
    struct hca_object *send_cq, *recv_cq;
    struct hca_object *srq;     /* or NULL */
    struct sim_space *space;
    uint64_t rq_addr, sq_addr;  /* rings */
    uint64_t db_addr;           /* doorbell record: be32 RQ producer, be32 SQ producer */
    uint32_t sq_wqebbs;         /* power of two, or 0 */
    uint32_t rq_wqes, rq_wqe_shift;
    uint32_t uidx;              /* the user index in CQEs */
    uint32_t uar_page;          /* UINT32_MAX: any UAR page of the client */
    uint32_t flags;             /* MLX5_QP_FLAG_* */
    uint32_t create_flags;      /* IB_UVERBS_QP_CREATE_* */
};

int hca_qp_create(struct sim_client *client, const struct hca_qp_attr *attr,
                  struct hca_object **out);

/* Modify and query a QP with the structures of the kernel's ABI. The driver checks states and masks
 * by the rules of verbs before it calls hca_qp_modify(). hca_qp_query() leaves the capability
 * fields of `resp` to the driver. hca_qp_state() returns a state of IB_QPS_*. */
int hca_qp_modify(struct hca_object *qp, const struct ib_uverbs_modify_qp *modify);
void hca_qp_query(struct hca_object *qp, struct ib_uverbs_query_qp_resp *resp);
uint8_t hca_qp_state(const struct hca_object *qp);

/* True when the QP grants its peer this IB_UVERBS_ACCESS_REMOTE_ right. */
bool hca_qp_allows(const struct hca_qp *qp, uint32_t verbs_access);

void hca_qp_to_error(struct hca_qp *qp);
void hca_qp_reset(struct hca_qp *qp);
void hca_qp_flush_receives(struct hca_qp *qp);  /* completes posted receives with a flush error */

/* Completes WQE `index` of the send queue (`requester`) or of the receive queue with an error. */
void hca_qp_error_cqe(struct hca_qp *qp, bool requester, uint16_t index, uint8_t wqe_opcode,
                      const struct hca_outcome *outcome);

void hca_schedule(struct hca_qp *qp);   /* adds the QP to the list of QPs with work */
void hca_unschedule(struct hca_qp *qp); /* removes the QP from that list */

/* Calls `run` for each QP of the list that need not wait until a later time than `now`. If `run`
 * returns true, the QP stays in the list until qp->wake. Returns the earliest `wake` of the list,
 * or UINT64_MAX when the list is empty. */
uint64_t hca_run_scheduled(uint64_t now, bool (*run)(struct hca_qp *qp, uint64_t now));

#endif
