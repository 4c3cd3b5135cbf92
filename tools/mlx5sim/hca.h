/*
 * The hardware half's own objects and what its files say to each other.
 *
 * Every object begins with struct hca_object. A number finds its object through hca_find(); numbers
 * are not used again before the table has gone round, so that a stale one is noticed.
 */
#ifndef MLX5SIM_HCA_H
#define MLX5SIM_HCA_H

#include "sim.h"
#include "prm.h"

/* ---- objects -------------------------------------------------------------------------------- */

struct hca_pd {
    struct hca_object object;
};

struct hca_umem {
    struct hca_object object;
    struct sim_space *space;
    uint64_t addr, len;
    uint32_t access;
};

struct hca_dm {
    struct hca_object object;
    uint64_t offset, len;       /* in the BAR */
};

/* What a firmware command made and nothing but its number is needed of. */
struct hca_other {
    struct hca_object object;
    uint32_t kind;              /* the opcode that made it */
};

enum {                          /* what a key allows */
    HCA_LOCAL_READ = 1, HCA_LOCAL_WRITE = 2, HCA_REMOTE_READ = 4, HCA_REMOTE_WRITE = 8,
    HCA_ATOMIC = 16
};

enum hca_mkey_kind {
    MKEY_DIRECT,                /* one range of a space */
    MKEY_KLM,                   /* entries of any length, one after the other */
    MKEY_KSM,                   /* entries of one length */
    MKEY_STRIDED,               /* a block of entries, again and again */
    MKEY_ALIAS                  /* a key of another function */
};

enum { MKEY_MAX_ENTRIES = 1 << 16, HCA_ANY_QP = 0xffffff };

struct hca_klm {
    uint32_t bytes;
    uint32_t stride;            /* MKEY_STRIDED: from one repetition to the next */
    uint32_t key;
    uint64_t addr;
};

struct hca_mkey {
    struct hca_object object;
    enum hca_mkey_kind kind;
    struct hca_pd *pd;
    struct sim_space *space;    /* MKEY_DIRECT */
    struct hca_umem *umem;      /* MKEY_DIRECT over a umem: keeps it */
    uint64_t addr, iova, len;
    bool all;                   /* length64: every address */
    uint32_t access;            /* HCA_* */
    bool free;                  /* invalid until a UMR makes it valid */
    bool umr;                   /* UMR may change it */
    bool remote_invalidate;
    bool relaxed_write, relaxed_read; /* kept: nothing here has an order on a bus */
    uint32_t qpn;               /* remote access only through this QP, or HCA_ANY_QP */
    struct hca_klm *entries;
    uint32_t num_entries, max_entries;
    uint32_t log_entity_size;   /* MKEY_KSM */
    uint64_t repeat;            /* MKEY_STRIDED: repetitions */
    uint64_t serial;            /* never the same for two keys */
    bool exported;              /* ALLOW_OTHER_VHCA_ACCESS */
    uint8_t access_key[32];
    uint64_t target_serial;     /* MKEY_ALIAS */
    uint32_t target_index;
};

struct hca_cq {
    struct hca_object object;
    struct sim_space *space;
    uint64_t buf_addr, db_addr;
    uint32_t num_cqes, cqe_bytes;
    uint32_t uar_page;
    struct hca_umem *umem, *db_umem;
    bool overrun_ignore;
    bool failed;                /* overrun: no more CQEs */
    uint32_t pi;                /* CQEs written, 32 bits of it */
    uint32_t ci;                /* as last read from the record */
    uint32_t last_solicited;    /* pi just after the last solicited CQE */
    bool armed, armed_solicited;
    uint8_t sn, fired;          /* sequence number of the latest arm; that of the latest event */
    uint32_t arm_word;          /* the arm word of the record as last seen (poll mode) */
};

/* A receive queue as a QP or an SRQ has it. */
struct hca_rq {
    struct sim_space *space;
    uint64_t addr, db_addr;
    uint32_t num_wqes, wqe_shift;
    uint16_t ci;                /* WQEs taken */
    uint16_t head;              /* linked list: the next WQE */
    bool linked;                /* an SRQ: WQEs say which one is next */
    bool headed;                /* the segment that says so is there, used or not */
};

struct hca_srq {
    struct hca_object object;
    struct hca_pd *pd;
    struct hca_rq rq;
    struct hca_umem *umem, *db_umem;
    uint32_t limit;
    uint32_t uidx;
};

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
    uint64_t sq_addr, db_addr;
    uint32_t sq_wqebbs;
    uint16_t sq_ci, sq_pi;      /* WQEBBs done; announced, as last read from the record */
    struct hca_rq rq;
    uint32_t uidx, uar_page;
    uint8_t state;
    bool mmo;
    struct ib_uverbs_modify_qp attr;    /* everything that was ever set */
    /* a WQE that waits */
    bool queued;                /* in the list of QPs with work */
    struct hca_qp *next_queued;
    uint64_t wake;              /* ns; not before then */
    uint64_t waits_since;       /* ns, 0: does not wait for its peer */
    uint32_t rnr_tries;
    uint64_t fault_wqe;         /* number of the WQE, counted for faults; 0: not yet counted */
    uint64_t delayed;           /* the WQE that was delayed already */
    uint32_t idle_turns;        /* QPS_ERR: looks at the queues that found nothing */
};

/* ---- registry (hca.c) ----------------------------------------------------------------------- */

/* NULL when the number names nothing of this type. An mkey is found by its index. */
struct hca_object *hca_find(enum hca_type type, uint32_t number);
/* Calls `each` for every object of a type; it may not create or destroy. */
void hca_each(enum hca_type type, void (*each)(struct hca_object *, void *), void *arg);

/* Gives the object a number and puts it in the table. 0 or ENOMEM. */
int hca_add(struct hca_object *object, enum hca_type type, struct sim_client *client);
void hca_remove(struct hca_object *object);
/* Was this the key of an mkey that is gone, the last one of its index? */
bool hca_was_key(uint32_t key);
void hca_ref(void *object);             /* NULL is allowed */
void hca_unref(void *object);

/* A umem of this client; and whether [offset, offset + len) is inside it. Violations are told. */
struct hca_umem *hca_umem_find(const struct sim_client *client, uint32_t id);
bool hca_umem_has(const struct hca_umem *umem, uint64_t offset, uint64_t len);

bool hca_read_be32(struct sim_space *space, uint64_t addr, uint32_t *value);

/* ---- mkeys (mkey.c) ------------------------------------------------------------------------- */

struct hca_piece {
    struct sim_space *space;
    uint64_t addr, len;
};

/* Memory in order. Kept between uses: num = 0 empties it. */
struct hca_pieces {
    struct hca_piece *piece;
    uint32_t num, room;
    uint64_t len;
};

bool hca_pieces_add(struct hca_pieces *pieces, struct sim_space *space, uint64_t addr,
                    uint64_t len);
/* The first `len` bytes of `src` to `dst` from `skip` on. 0, EFAULT, or EMSGSIZE: no room. */
int hca_pieces_copy(const struct hca_pieces *dst, uint64_t skip, const struct hca_pieces *src,
                    uint64_t len);

/* Appends what `key` says [addr, addr + len) is. `pd` NULL: any. False after a line in the log. */
bool hca_mkey_map(struct sim_function *function, struct hca_pd *pd, uint32_t key, uint64_t addr,
                  uint64_t len, uint32_t need, struct hca_pieces *pieces);
struct hca_mkey *hca_mkey_find(const struct sim_function *function, uint32_t key);
struct hca_mkey *hca_mkey_new(struct sim_client *client, struct hca_pd *pd, uint32_t tag);
void hca_mkey_clear(struct hca_mkey *mkey);
uint32_t hca_mkey_access(uint32_t verbs);

/* ---- QPs (qp.c) ----------------------------------------------------------------------------- */

void hca_qp_to_error(struct hca_qp *qp);
void hca_qp_reset(struct hca_qp *qp);
void hca_qp_flush_receives(struct hca_qp *qp);
bool hca_qp_allows(const struct hca_qp *qp, uint32_t verbs_access);

/* ---- receive queues and execution (wqe.c) --------------------------------------------------- */

struct hca_receive {
    struct hca_pieces pieces;
    uint64_t room;
    uint16_t index;
};

enum hca_take { TAKE_OK, TAKE_EMPTY, TAKE_BAD };

/* The producer counter in the record; false when the record cannot be read. */
bool hca_rq_producer(struct hca_rq *rq, uint16_t *producer);
enum hca_take hca_take_receive(struct hca_qp *qp, struct hca_receive *receive);

void hca_run(struct hca_qp *qp);        /* has work, now or when it wakes */
void hca_forget_work(struct hca_qp *qp);

/* One WQE in the device's own memory. */
struct hca_wqe {
    uint8_t *bytes;
    unsigned ds;                /* 16-byte units */
    uint8_t opcode, opmod;
    uint16_t index;
};

enum { WQE_MAX = 64 * 16 };

/* What became of it. */
enum { WQE_DONE = 0, WQE_WAIT = -1 };

struct hca_outcome {
    uint8_t syndrome, vendor;
    uint32_t bytes;
};

/* WQE_DONE with the outcome, or WQE_WAIT: to be tried again, qp->wake says when. */
int umr_execute(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome);
int mmo_execute(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome);
bool umr_invalidate(struct hca_qp *qp, uint32_t key);

/* ---- completions (cqe.c) -------------------------------------------------------------------- */

struct hca_cqe {
    uint8_t bytes[64];
};

void cqe_put(struct hca_cq *cq, struct hca_cqe *cqe, bool solicited);
void cqe_error(struct hca_qp *qp, bool requester, uint16_t index, uint8_t wqe_opcode,
               const struct hca_outcome *outcome);
void cqe_arm(struct hca_cq *cq, uint32_t word);

/* ---- capabilities (caps.c), SHA (sha.c), faults (fault.c) ----------------------------------- */

bool caps_query(struct sim_function *function, unsigned type, uint8_t *capability);

/* `algorithm` 1, 256 or 512. The digest's bytes, or -1: the memory cannot be read. */
int sha_digest(unsigned algorithm, const struct hca_pieces *src, uint8_t digest[64]);

bool fault_command(unsigned opcode, uint8_t *status, uint32_t *syndrome);
bool fault_completion(void);            /* this completion is to be dropped */
uint64_t fault_wqe(void);               /* counts a WQE, returns its number */
uint64_t fault_delay(uint64_t wqe);     /* ns */
bool fault_error(uint64_t wqe, struct hca_outcome *outcome);
bool fault_fatal(void);                 /* counts a doorbell */

#endif
