/* Queue pairs: attributes, states, and the list of QPs that have work. */
#ifndef MLX5SIM_HCA_QP_H
#define MLX5SIM_HCA_QP_H

#include "device/hca/cq.h"
#include "device/hca/pace.h"
#include "device/hca/rq.h"
#include "device/hca/sched.h"
#include "device/hca/wqe.h"

#include <rdma/ib_user_verbs.h>

enum {                          /* IB_QPS_* */
    QPS_RESET, QPS_INIT, QPS_RTR, QPS_RTS, QPS_SQD, QPS_SQE, QPS_ERR
};

/* Types of queue pairs that IB_UVERBS_QPT_* does not have. */
enum { HCA_QPT_DCI = 0x100, HCA_QPT_DCT = 0x101 };

/* The streams of a DCI. A stream is a number that WQEs contain. After an error only the WQEs of the
 * same stream are flushed, until the program resets the stream. */
enum { HCA_LOG_MAX_STREAMS = 5, HCA_LOG_MAX_FAILED_STREAMS = 5 };

struct hca_streams {
    uint16_t limit;             /* the DCI fails with so many failed streams */
    uint16_t num_failed;
    uint16_t failed[1 << HCA_LOG_MAX_FAILED_STREAMS];
};

struct hca_qp {
    struct hca_object object;
    uint32_t type;              /* IB_UVERBS_QPT_* or HCA_QPT_* */
    struct hca_pd *pd;          /* NULL: XRC target */
    struct hca_cq *send_cq, *recv_cq;   /* NULL: XRC target; recv_cq also: XRC initiator */
    struct hca_srq *srq;
    struct hca_xrcd *xrcd;      /* domain of an XRC target; NULL for other QPs */
    struct sim_space *space;
    struct hca_umem *umem, *db_umem;
    struct hca_object *tis;     /* NULL unless the QP sends raw packets */
    bool owns_tis;              /* the TIS ends with the QP */
    uint64_t sq_addr, db_addr;
    uint32_t sq_wqebbs;
    uint16_t sq_ci, sq_pi;      /* WQEBBs done; WQEBBs posted, from the doorbell record */
    struct hca_rq rq;
    uint32_t uidx, uar_page;
    uint8_t state;
    bool mmo;
    bool drain_sigerr;          /* a wrong signature stops the send queue (SQD) */
    uint64_t dc_key;            /* DCT: the key that requests must contain */
    bool is_draining;           /* DCT: it answers no more requests */
    struct hca_streams streams; /* DCI */
    struct hca_pace pace;       /* of the send queue */
    /* scheduling of requests, and of responses (only stored); NULL: none */
    struct hca_sched *requester, *responder;
    bool has_fin;               /* `fin` waits for a receive WQE; see tm.c */
    uint8_t fin[16];
    uint8_t lag_port;           /* port of a LAG, from 1; only stored: there is no LAG */
    uint16_t udp_sport;         /* UDP source port; only stored for queries */
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
    uint32_t type;              /* IB_UVERBS_QPT_* or HCA_QPT_* */
    struct hca_object *pd;
    struct hca_object *send_cq, *recv_cq;
    struct hca_object *srq;     /* or NULL */
    struct hca_object *xrcd;    /* XRC target */
    uint16_t stream_limit;      /* DCI: failed streams at which it fails; 0: like 1 */
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

/* Gives a QP of raw packets a TIS in this transport domain. The TIS ends with the QP. Returns 0 or
 * ENOMEM. */
int hca_qp_add_tis(struct hca_object *qp, uint32_t transport_domain);

/* Modify and query a QP with the structures of the kernel's ABI. The driver checks states and masks
 * by the rules of verbs before it calls hca_qp_modify(). hca_qp_query() leaves the capability
 * fields of `resp` to the driver. hca_qp_state() returns a state of IB_QPS_*. */
int hca_qp_modify(struct hca_object *qp, const struct ib_uverbs_modify_qp *modify);
void hca_qp_query(struct hca_object *qp, struct ib_uverbs_query_qp_resp *resp);
uint8_t hca_qp_state(const struct hca_object *qp);

/* True for transports that acknowledge requests: RC, XRC, DC. */
bool hca_qp_is_reliable(const struct hca_qp *qp);

/* True when the QP grants its peer this IB_UVERBS_ACCESS_REMOTE_ right. */
bool hca_qp_allows(const struct hca_qp *qp, uint32_t verbs_access);

/* Attaches the QP to leaves of scheduling elements. NULL: to none. */
void hca_qp_set_sched(struct hca_qp *qp, struct hca_sched *requester, struct hca_sched *responder);

void hca_qp_to_error(struct hca_qp *qp);
void hca_qp_reset(struct hca_qp *qp);
void hca_qp_flush_receives(struct hca_qp *qp);  /* completes posted receives with a flush error */

/* Completes WQE `index` of the send queue (`requester`) or of the receive queue with an error. */
void hca_qp_error_cqe(struct hca_qp *qp, bool requester, uint16_t index, uint8_t wqe_opcode,
                      const struct hca_outcome *outcome);

/* Completes receive WQE `index` with an error, in a CQ and with a user index that are not those of
 * the QP. */
void hca_qp_receive_error(struct hca_qp *qp, struct hca_cq *cq, uint32_t uidx, uint16_t index,
                          const struct hca_outcome *outcome);

void hca_schedule(struct hca_qp *qp);   /* adds the QP to the list of QPs with work */
void hca_unschedule(struct hca_qp *qp); /* removes the QP from that list */

/* Calls `run` for each QP of the list that need not wait until a later time than `now`. If `run`
 * returns true, the QP stays in the list until qp->wake. Returns the earliest `wake` of the list,
 * or UINT64_MAX when the list is empty. */
uint64_t hca_run_scheduled(uint64_t now, bool (*run)(struct hca_qp *qp, uint64_t now));

#endif
