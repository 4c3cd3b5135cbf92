/*
 * mlx5sim: a software mlx5 device for unmodified rdma-core.
 *
 * One device process holds every object of an emulated machine. It has two halves that meet here:
 *
 *   kernel half    device.c uverbs.c ucmds.c udevx.c sysfs.c   what the kernel driver does
 *   hardware half  prm.c devx.c hca.c wqe.c mmo.c umr.c cqe.c   what firmware and device do
 *
 * Client processes hold preload.c only, which knows nothing of verbs.
 *
 * The device process has one thread; nothing here is called from another one.
 */
#ifndef MLX5SIM_SIM_H
#define MLX5SIM_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <rdma/ib_user_verbs.h>

/* ---- machine, functions, clients ------------------------------------------------------------ */

enum {
    SIM_PAGE = 4096,
    SIM_MAX_FUNCTIONS = 16,
    SIM_UAR_PAGES = 1024,       /* page 0 is the kernel's own and never handed out */
    SIM_DM_BYTES = 256 * 1024,  /* device memory (MEMIC) of one function */

    /* a function's BAR: UAR pages, device memory, the core clock, the kernel's clock info */
    SIM_BAR_DM = SIM_UAR_PAGES * SIM_PAGE,
    SIM_BAR_CLOCK = SIM_BAR_DM + SIM_DM_BYTES,
    SIM_BAR_CLOCK_INFO = SIM_BAR_CLOCK + SIM_PAGE,
    SIM_BAR_BYTES = SIM_BAR_CLOCK_INFO + SIM_PAGE,

    /* offsets in a UAR page; BlueFlame registers are 0x100 bytes, 8 of them */
    SIM_UAR_CQ_ARM = 0x20,
    SIM_UAR_BF = 0x800,
    SIM_UAR_BF_BYTES = 0x100
};

/* What tells cards apart. */
struct sim_card {
    char option;                /* 'b': --bluefield, 'c': --connectx */
    unsigned number;            /* its value */
    unsigned device, subsystem; /* PCI ids */
    unsigned firmware;          /* the major number of its releases */
    unsigned hw_rev;
    const char *hca_type, *board_id;
    const char *link_speed;
    bool mmo;                   /* has the engine */
};

/* Limits and announced capabilities: query_device and QUERY_HCA_CAP both answer from here. */
struct sim_profile {
    const struct sim_card *card;
    bool mmo;                   /* DMA by MMO WQEs */
    bool sha;
    bool ethernet;              /* RoCE ports: no LID, a GID on every path */
    unsigned log_max_qp, log_max_cq, log_max_srq, log_max_mkey, log_max_pd;
    unsigned log_max_qp_sz;     /* WQEBBs of a send queue, WQEs of a receive queue */
    unsigned log_max_cq_sz, log_max_srq_sz;
    unsigned log_max_msg;       /* bytes of one message */
    unsigned log_dma_mmo_max_size;
    unsigned log_sha_mmo_max_size;
    unsigned max_sge, max_srq_sge;
    unsigned max_sq_desc, max_rq_desc;      /* bytes of one WQE */
    unsigned max_rd_atomic;
    unsigned num_comp_vectors;
    uint64_t core_clock_khz;                /* 1 GHz: CQE timestamps are sim_now() */
};

/* Memory a device can reach: a process's address space, or memory of the device process itself. */
struct sim_space {
    pid_t pid;                  /* 0: local */
    int pidfd;                  /* -1: local, or the process is gone */
    uint8_t *base;              /* local: address 0 of the space */
    uint64_t len;               /* local: bytes */
    unsigned refs;
    bool unmap;                 /* local: munmap base with the last reference */
};

struct sim_function {
    unsigned index;             /* N of mlx5_N and of uverbsN */
    char name[32];
    char pci[16];               /* "0000:03:00.0" */
    char netdev[16];
    bool host;                  /* a function of the host side, not of the DPU's */
    unsigned port;              /* of the card */
    int vf, sf;                 /* which VF or SF of the port's PF on its side; -1: it is none */
    uint16_t vhca_id;
    uint16_t lid;
    uint64_t node_guid, sys_image_guid;     /* host byte order */
    uint8_t mac[6];
    uint8_t gid[16];            /* of all entries of its GID table, network byte order */
    unsigned num_gids;
    uint8_t *bar;
    int bar_fd;
    struct sim_space *bar_space;            /* all of the BAR, address = offset in it */
    bool fatal;                 /* the device has failed: every command is refused */
    struct sim_client *uar_owner[SIM_UAR_PAGES];    /* NULL: page is free */
};

/* A context: one open of a uverbs device, however many processes hold its fd. */
struct sim_client {
    struct sim_function *function;
    struct sim_client *next;    /* all clients of the machine */
    uint16_t uid;               /* DevX user context; 0 = opened without DevX */
    pid_t pid;                  /* who opened it; for messages */
    struct uverbs_context *uverbs;
    void *hca;                  /* the hardware half's own */
};

enum sim_doorbells { SIM_DOORBELLS_SYNC, SIM_DOORBELLS_ASYNC, SIM_DOORBELLS_POLL };

struct sim_machine {
    struct sim_profile profile;
    struct sim_function functions[SIM_MAX_FUNCTIONS];
    unsigned num_functions;
    struct sim_client *clients;
    enum sim_doorbells doorbells;
    bool strict;
    unsigned violations;        /* counted in strict mode; the device process then ends with 70 */
    const char *dir;            /* sockets and sysfs tree are made here */
    bool own_dir;               /* it is removed in the end, whoever made it may have died */
};

extern struct sim_machine machine;

/* ---- the eswitch (esw.c) -------------------------------------------------------------------- */

/* Whether the card has a side of its own, and a host beside it. */
bool esw_has_arm(void);

/* Who has the function's representor; NULL: nobody. */
struct sim_function *esw_manager(const struct sim_function *f);
bool esw_is_manager(const struct sim_function *f);
struct sim_function *esw_function(const struct sim_function *manager, unsigned vport, bool ec_vf);

/* Of the representor: phys_port_name, and the interface. */
void esw_port_name(const struct sim_function *f, char name[24]);
void esw_netdev(const struct sim_function *f, char name[24]);

/* ---- services of the kernel half (device.c) ------------------------------------------------- */

enum sim_log_level { SIM_ERROR, SIM_INFO, SIM_TRACE };

/* One line to the log; the newline is added. SIM_ERROR is always written. */
void sim_log(enum sim_log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool sim_logs(enum sim_log_level level);

/* The client broke a rule of the device. Always logged; in strict mode the client is aborted. */
void sim_violation(const struct sim_client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

uint64_t sim_now(void);         /* ns, CLOCK_MONOTONIC */

/* All or nothing is told: 0, or EFAULT (not mapped there, protection, process gone). */
int sim_read(struct sim_space *space, uint64_t addr, void *buf, size_t len);
int sim_write(struct sim_space *space, uint64_t addr, const void *buf, size_t len);

/* Copy between two spaces, any length, through a bounce buffer. 0 or EFAULT. */
int sim_copy(struct sim_space *dst, uint64_t dst_addr, struct sim_space *src, uint64_t src_addr,
             uint64_t len);

struct sim_space *sim_space_get(struct sim_space *space);       /* one more reference */
void sim_space_put(struct sim_space *space);                    /* NULL is allowed */

/* ---- objects of the hardware half (hca.c), as the kernel half sees them --------------------- */

enum hca_type {
    HCA_NONE, HCA_PD, HCA_MKEY, HCA_CQ, HCA_SRQ, HCA_QP, HCA_UMEM, HCA_DM,
    HCA_DEVX                    /* anything else a firmware command made */
};

/* First member of every object of the hardware half. */
struct hca_object {
    enum hca_type type;
    uint32_t number;            /* pdn, cqn, qpn, srqn, umem id; an mkey's whole key */
    struct sim_function *function;
    struct sim_client *client;
    unsigned refs;              /* objects that name this one; destroy is EBUSY unless 0 */
    void *uobject;              /* the kernel half's own: handle, events, subscriptions */
};

/* Creation: 0 or an errno; nothing is made on failure. Objects hold references on what they use,
 * spaces included. Numbers are unique in the machine. */

int hca_pd_create(struct sim_client *client, struct hca_object **out);

struct hca_mkey_attr {
    struct hca_object *pd;
    struct sim_space *space;
    uint64_t addr;              /* in the space */
    uint64_t iova;              /* first address the key translates */
    uint64_t len;               /* bytes */
    uint32_t access;            /* IB_UVERBS_ACCESS_*; rules are checked by the kernel half */
};

int hca_mkey_create(struct sim_client *client, const struct hca_mkey_attr *attr,
                    struct hca_object **out);
/* Same key, other attributes (rereg_mr). */
int hca_mkey_modify(struct hca_object *mkey, const struct hca_mkey_attr *attr);

/* Memory window, IB_UVERBS_ALLOC_MW's type 1 or 2: a key that a bind WQE gives its memory. */
int hca_mw_create(struct sim_client *client, struct hca_object *pd, unsigned type,
                  struct hca_object **out);

struct hca_cq_attr {
    struct sim_space *space;
    uint64_t buf_addr;
    uint64_t db_addr;           /* doorbell record: be32 ci, be32 arm */
    uint32_t num_cqes;          /* power of two */
    uint32_t cqe_bytes;         /* 64 or 128 */
    uint32_t uar_page;          /* UINT32_MAX: any of the client's */
    uint32_t flags;             /* MLX5_IB_CREATE_CQ_FLAGS_* */
    uint8_t cqe_comp_en, cqe_comp_format;
    bool overrun_ignore;        /* IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN */
};

int hca_cq_create(struct sim_client *client, const struct hca_cq_attr *attr,
                  struct hca_object **out);
/* New ring for the CQ: moves what was not polled and tells where the rings join, as RESIZE_CQ. */
int hca_cq_resize(struct hca_object *cq, uint64_t buf_addr, uint32_t num_cqes, uint32_t cqe_bytes);

struct hca_srq_attr {
    struct hca_object *pd;
    struct sim_space *space;
    uint64_t buf_addr;
    uint64_t db_addr;           /* doorbell record: be32 counter */
    uint32_t num_wqes;          /* power of two */
    uint32_t wqe_shift;         /* log2 bytes of one WQE */
    uint32_t limit;
    uint32_t uidx;
};

int hca_srq_create(struct sim_client *client, const struct hca_srq_attr *attr,
                   struct hca_object **out);
int hca_srq_set_limit(struct hca_object *srq, uint32_t limit);
uint32_t hca_srq_limit(const struct hca_object *srq);           /* 0 once it was reached */

struct hca_qp_attr {
    uint32_t type;              /* IB_UVERBS_QPT_* : RC 2, UC 3, UD 4 */
    struct hca_object *pd;
    struct hca_object *send_cq, *recv_cq;
    struct hca_object *srq;     /* or NULL */
    struct sim_space *space;
    uint64_t rq_addr, sq_addr;  /* rings */
    uint64_t db_addr;           /* doorbell record: be32 RQ producer, be32 SQ producer */
    uint32_t sq_wqebbs;         /* power of two, or 0 */
    uint32_t rq_wqes, rq_wqe_shift;
    uint32_t uidx;              /* comes back in CQEs */
    uint32_t uar_page;          /* UINT32_MAX: any of the client's */
    uint32_t flags;             /* MLX5_QP_FLAG_* */
    uint32_t create_flags;      /* IB_UVERBS_QP_CREATE_* */
};

int hca_qp_create(struct sim_client *client, const struct hca_qp_attr *attr,
                  struct hca_object **out);

/* The kernel half has checked states and masks by the verbs rules. `modify` is as the ABI has it;
 * capability fields of `resp` are filled by the kernel half. cur_state is IB_QPS_*: RESET 0, INIT,
 * RTR, RTS, SQD, SQE, ERR 6. */
int hca_qp_modify(struct hca_object *qp, const struct ib_uverbs_modify_qp *modify);
void hca_qp_query(struct hca_object *qp, struct ib_uverbs_query_qp_resp *resp);
uint8_t hca_qp_state(const struct hca_object *qp);

int hca_umem_create(struct sim_client *client, struct sim_space *space, uint64_t addr,
                    uint64_t len, uint32_t access, struct hca_object **out);

/* `bar_offset`: where in the BAR, a multiple of SIM_PAGE; the memory reads as zero. */
int hca_dm_create(struct sim_client *client, uint64_t len, uint32_t log_align,
                  uint64_t *bar_offset, struct hca_object **out);

/* 0, or EBUSY while another object names it. The object's uobject is not touched. */
int hca_destroy(struct hca_object *object);

/* After the kernel half has destroyed every object the client had handles for. */
void hca_client_gone(struct sim_client *client);
int hca_client_new(struct sim_client *client);

/*
 * Run one firmware command. The kernel half has set uid and the umem-valid bits, and has checked
 * that the command may come this way. Status and syndrome are left in `out`; `out` is zeroed and at
 * least 16 bytes.
 *
 *   created   NULL, or where a create command leaves its object (a handle is made for it)
 *
 * Returns true when the status is 0.
 */
bool devx_command(struct sim_client *client, const uint8_t *in, size_t in_len, uint8_t *out,
                  size_t out_len, struct hca_object **created);

/* Does the command in `in` name `object` (modify and query through a handle)? */
bool devx_names(const uint8_t *in, size_t in_len, const struct hca_object *object);

/* Eight bytes were stored at `offset` of UAR page `page`; `value` as memory holds them. */
void hca_doorbell(struct sim_function *function, uint32_t page, uint32_t offset, uint64_t value);

/* Poll mode: something was stored in this page, maybe more than once. Look at the doorbell records
 * of every CQ, QP and SRQ of this page. */
void hca_uar_scan(struct sim_function *function, uint32_t page);

/* Work that waits for time (retries, RNR, delayed faults). Returns when it wants to be called
 * next: ns as of sim_now(), UINT64_MAX for never. Called after every batch of doorbells too. */
uint64_t hca_tick(uint64_t now);

/* Once, before the first client, with the profile filled in. */
int hca_init(void);

/* One --fault argument. 0, or EINVAL after a line in the log. */
int fault_add(const char *spec);
/* The driver gives the command with this opcode, one of prm.h, for an object of verbs; 0: none.
 * What the call gives then: 0, or the errno for an injected status. */
int fault_driver_command(unsigned opcode);

/* ---- what the hardware half tells the kernel half (uverbs.c) -------------------------------- */

/* Event types are the PRM's (EQE type). */
enum {
    SIM_EVENT_COMP = 0x00, SIM_EVENT_COMM_EST = 0x02, SIM_EVENT_SQ_DRAINED = 0x03,
    SIM_EVENT_CQ_ERROR = 0x04, SIM_EVENT_WQ_CATAS = 0x05, SIM_EVENT_INTERNAL = 0x08,
    SIM_EVENT_PORT_CHANGE = 0x09, SIM_EVENT_WQ_INVALID_REQ = 0x10, SIM_EVENT_WQ_ACCESS = 0x11,
    SIM_EVENT_SRQ_CATAS = 0x12, SIM_EVENT_LAST_WQE = 0x13, SIM_EVENT_SRQ_LIMIT = 0x14
};

/* An armed CQ fired: an event goes to its channel, to its DevX subscribers, or nowhere. */
void uverbs_completion(struct hca_object *cq);

/* Affiliated asynchronous event of a QP, CQ, SRQ. */
void uverbs_event(struct hca_object *object, unsigned event);

/* Unaffiliated: port state (subtype 1 down, 4 up), device fatal (SIM_EVENT_INTERNAL). */
void uverbs_function_event(struct sim_function *function, unsigned event, unsigned subtype);

#endif
