/* ---- >>priv.rdma.objects ---------------------------------------------------------------------
 * Instances, connections and tasks.                                                             */
#ifndef DOCA_SRC_COMPAT_RDMA_OBJECTS_PRIV_H
#define DOCA_SRC_COMPAT_RDMA_OBJECTS_PRIV_H

#include "base/compiler.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/hot.h"
#include "device/backend.h"
#include "memory/buf.h"
#include "memory/mmap.h"
#include "progress/ctx.h"
#include "progress/task.h"
#include "engine/sync_event.h"
#include "compat/local/queue_priv.h"
#include "compat/rdma/config.h"
#include "compat/rdma/connection.h"
#include "compat/rdma/ring_priv.h"
#include "compat/rdma/rings_priv.h"

struct doca_priv_engine;
struct doca_rdma_gid;

/* Types of tasks, in the order of doca_rdma.stocks. */
enum doca_priv_rdma_type {
    DOCA_PRIV_RDMA_RECEIVE,
    DOCA_PRIV_RDMA_SEND,
    DOCA_PRIV_RDMA_SEND_IMM,
    DOCA_PRIV_RDMA_READ,
    DOCA_PRIV_RDMA_WRITE,
    DOCA_PRIV_RDMA_WRITE_IMM,
    DOCA_PRIV_RDMA_CMP_SWP,
    DOCA_PRIV_RDMA_FETCH_ADD,
    DOCA_PRIV_RDMA_EVENT_GET,
    DOCA_PRIV_RDMA_EVENT_SET,
    DOCA_PRIV_RDMA_EVENT_ADD,
    DOCA_PRIV_RDMA_TYPES
};

/* States of a connection, in obj.state. */
enum {
    DOCA_PRIV_RDMA_FREE,    /* an entry of the table that was never used */
    DOCA_PRIV_RDMA_MADE,    /* new: its details are complete, and nothing was sent to the peer */
    DOCA_PRIV_RDMA_ASKING,  /* by address: waits for the answer of the listener */
    DOCA_PRIV_RDMA_ASKED,   /* by address: the program has to accept or reject it */
    DOCA_PRIV_RDMA_JOINING, /* the program has connected it; the peer has not */
    DOCA_PRIV_RDMA_UP,
    DOCA_PRIV_RDMA_DOWN /* it has ended; tasks on it fail until its entry is used again */
};

/* Progress of a submitted task that uses a connection, in doca_priv_rdma_task.stage. */
enum {
    DOCA_PRIV_RDMA_WAITING,
    DOCA_PRIV_RDMA_SENT, /* its slot is filled, and the peer has to handle it */
    DOCA_PRIV_RDMA_ENDED
};

/* A task of any type. The buffer `local` is the source of a send or write, the destination of a
 * receive or read, and the result of an atomic task. */
struct doca_priv_rdma_task {
    struct doca_task task;
    struct doca_rdma_connection *connection; /* receive: the connection that carried the message */
    struct doca_buf *local;
    struct doca_buf *remote;
    struct doca_sync_event_remote_net *event;
    uint64_t values[2]; /* addend; or value to compare with, then value to store */
    doca_be32_t imm;
    uint32_t result_len;
    uint32_t ticket; /* ticket of the task's slot in the ring */
    uint32_t serial; /* connection->serial when the task got the connection. If the two differ, the
                      * connection has ended, and its entry holds a later connection */
    uint8_t opcode;  /* result of a receive */
    uint8_t stage;
    uint8_t fate; /* error that fault injection has chosen for the task, or SUCCESS */
};

#define DOCA_PRIV_RDMA_TASK_BYTES (2 * DOCA_PRIV_TASK_BYTES)

/* The bytes that a program passes to its peer to connect. The token in the head is the key of the
 * connection: a reader that finds the key in the memory of the peer knows that the peer lives. */
struct doca_priv_rdma_details {
    struct doca_priv_export head;
    uint64_t instance; /* number in the address of the instance's socket */
};

#ifdef DOCA_CORE_RDMA_VERBS
/* The same for a connection between queue pairs. The peer may be on another machine. On the same
 * machine, the peer finds the process of this side by `machine` and head.pid. */
struct doca_priv_rdma_place {
    struct doca_priv_export head;
    uint32_t qpn, psn;
    uint16_t lid;
    uint8_t mtu; /* enum ibv_mtu */
    uint8_t has_gid;
    uint32_t permissions; /* of the instance; informational only */
    uint8_t gid[16];
    uint32_t control_qpn, control_psn; /* see >>impl.rdma.verbs_end */
    uint64_t machine;                  /* as in struct doca_priv_export; 0: unknown */
};
#endif

struct doca_rdma_connection {
    struct doca_priv_object obj;
    struct doca_rdma *rdma;
    struct doca_rdma_connection *next_live; /* list of connections that are JOINING or UP */
    uint64_t key;                           /* random; the peer's HELLO contains it. 0: unused */
    struct doca_priv_rdma_details details;  /* of this side */
    struct doca_priv_rdma_details peer;     /* of the peer, once they are known */
    union doca_data user_data;
    struct doca_rdma_addr *addr;
    int ask_fd;                /* by address: socket of the request and its answer */
    int out_fd;                /* socket that this side has opened to the peer; -1: not open */
    int in_fd;                 /* socket that the peer has opened, once it has connected */
    uint64_t peer_key;         /* key of the peer's connection, from its HELLO */
    uint32_t peer_permissions; /* of the peer's instance */
    uint8_t events;            /* bit n: the callback for happening n has not run yet */
    bool has_details;
    bool was_up;
    bool is_free;      /* DOWN, and another connection may take its place */
    bool has_failed;   /* a task has failed; later tasks must not begin */
    bool hears_first;  /* the next poll receives before it ends a task */
    uint16_t port;     /* port of the request; 0: made by export */
    uint32_t serial;   /* number of the connection in its instance, from 1 */
    uint64_t deadline; /* ns of the monotonic clock; 0: no deadline */

    struct doca_priv_rdma_lane out; /* ring of this side's messages */
    struct doca_priv_rdma_lane in;  /* ring of the peer's messages */
    int peer_wake_fd;               /* eventfd of the peer's instance */
    int peer_lock_fd;
    uint32_t *peer_lock;        /* mapped word that serializes atomic tasks on the peer's memory */
    uint32_t num_lock_failures; /* in a row */

    struct doca_priv_rdma_task *ops, *ops_last; /* submitted tasks, in order */
    struct doca_priv_rdma_task *waiting;        /* the first of them that is WAITING */
    uint32_t num_ops;

#ifdef DOCA_CORE_RDMA_VERBS
    struct ibv_qp *qp; /* of a connection that is DOWN, it stays until the entry is used again */
    struct doca_priv_rdma_sq sq;       /* send queue, if the instance has rings */
    bool is_halted;                    /* the queue pair executes no further request */
    bool is_doomed;                    /* `ops` contains a task that fault injection lets fail */
    bool is_probing;                   /* a probe is in flight */
    bool is_answered;                  /* the device of the peer has answered a probe */
    bool is_leaving;                   /* the goodbye of this side is in flight */
    bool has_left;                     /* the peer has said goodbye, or does not answer */
    struct ibv_qp *control;            /* see >>impl.rdma.verbs_end */
    struct rdma_cm_id *cm_id;          /* by address: see >>impl.rdma.verbs_cm */
    struct doca_priv_rdma_place place; /* details of this side */
    struct doca_priv_rdma_place peer_place; /* details of the peer, once they are known */
#endif
    struct doca_priv_far far;     /* where the messages of the peer are read */
    struct doca_mmap peer_memory; /* all memory of the peer; only `far` of it is used */
};

enum doca_priv_rdma_happening {
    DOCA_PRIV_RDMA_NOTHING,
    DOCA_PRIV_RDMA_REQUESTED, /* a connection reports its events in this order */
    DOCA_PRIV_RDMA_ESTABLISHED,
    DOCA_PRIV_RDMA_FAILED,
    DOCA_PRIV_RDMA_DISCONNECTED
};

/* An event as a task: progress completes it, and its `done` calls the program. */
struct doca_priv_rdma_event {
    struct doca_task task;
    struct doca_rdma_connection *connection;
    enum doca_priv_rdma_happening what;
};

/* An accepted socket whose first packet has not been read. */
struct doca_priv_rdma_guest {
    int fd;         /* -1: unused */
    uint32_t since; /* number of guests that came before it */
    uint16_t port;  /* port of the listener that accepted it; 0: the instance's socket */
};

/* A peer sends its first packet as soon as its socket is connected, so an instance rarely has
 * several guests at a time. When all entries are in use, the oldest guest is closed. */
#define DOCA_PRIV_RDMA_GUESTS 8

struct doca_priv_rdma_port {
    int fd; /* -1: unused */
    uint16_t port;
    struct rdma_cm_id *cm_id; /* of an RDMA device: it listens */
};

typedef void (*doca_priv_rdma_any_cb)(void);

/* Limits of the instances of a device, not above those of >>rdma.config. */
struct doca_priv_rdma_limits {
    uint32_t send_queue, recv_queue; /* tasks; powers of two */
    uint32_t send_list, recv_list;   /* buffers */
    uint32_t message;                /* bytes */
    uint32_t gids;                   /* entries of the table of global identifiers */
};

/* How the instances of a kind of device make connections. The other functions of an instance are in
 * the tables of the context. */
struct doca_priv_rdma_transport {
    const struct doca_priv_engine *engine;

    /* Return the table of the instances of a device. */
    const struct doca_core_backend *(*backend_of)(const struct doca_dev *dev);

    /* Release what an entry of the table has left of its last connection. Optional. */
    void (*forget)(struct doca_rdma_connection *connection);

    /* Make the details of a new connection. An error is logged. */
    doca_error_t (*describe)(struct doca_rdma_connection *connection, const char *function);

    /* Return these details. */
    const void *(*show)(const struct doca_rdma_connection *connection, size_t *bytes);

    /* Connect to the peer with these details. An error is logged, and leaves the connection as it
     * was. */
    doca_error_t (*connect)(struct doca_rdma_connection *connection, const void *details,
                            size_t len, const char *function);

    /* End a connection: see doca_priv_rdma_conn_down(). */
    void (*down)(struct doca_rdma_connection *connection, doca_error_t status,
                 enum doca_priv_rdma_happening event);

    /* Read the limits of a device. `dev` is the device if it is open, else NULL. An error is
     * logged. */
    doca_error_t (*limit)(const struct doca_devinfo *devinfo, const struct doca_dev *dev,
                          struct doca_priv_rdma_limits *limits, const char *function);

    /* Read the global identifiers with the indices from `first` to `first` + `num` - 1. All of them
     * exist. The function logs its errors. */
    doca_error_t (*read_gids)(const struct doca_devinfo *devinfo, uint32_t first, uint32_t num,
                              struct doca_rdma_gid *gids, const char *function);

    /* Connections by address; NULL when the device does not support them. The functions log their
     * errors.
     * listen, unlisten: begin and end to listen on a port; unlisten also refuses the requests that
     * were not reported to the program yet.
     * ask: send the request for this connection to the listener at an address. The listener's
     * answer is reported as an event.
     * accept: accept this connection. When that fails, the connection has ended. */
    doca_error_t (*listen)(struct doca_rdma *r, struct doca_priv_rdma_port *entry, uint16_t port,
                           const char *function);
    void (*unlisten)(struct doca_rdma *r, struct doca_priv_rdma_port *entry);
    doca_error_t (*ask)(struct doca_rdma_connection *connection, struct doca_rdma_addr *addr,
                        const char *function);
    doca_error_t (*accept)(struct doca_rdma_connection *connection, const void *private_data,
                           uint8_t private_data_len, const char *function);
};

/* The common members of contexts come first, then the stocks of tasks. */
struct doca_rdma {
    struct doca_ctx ctx;
    struct doca_priv_task_stock stocks[DOCA_PRIV_RDMA_TYPES];
    const struct doca_priv_rdma_transport *transport;
    doca_priv_rdma_any_cb done[DOCA_PRIV_RDMA_TYPES], failed[DOCA_PRIV_RDMA_TYPES];
    doca_rdma_connection_request_cb_t requested;
    doca_rdma_connection_established_cb_t established;
    doca_rdma_connection_failure_cb_t not_connected;
    doca_rdma_connection_disconnection_cb_t disconnected;
    uint32_t send_queue_size, recv_queue_size;
    uint32_t send_list_len, recv_list_len;
    uint32_t permissions;
    uint32_t gid_index, sl;
    uint16_t max_conns;
    uint16_t timeout; /* ms */
    uint8_t rnr_retry_count;
    uint8_t grh_enabled;
    uint8_t mtu;
    bool is_of_25; /* an instance of 2.5: one connection, and STARTING until that is UP */
    struct doca_priv_rdma_limits limits;

    /* while started */
    struct doca_rdma_connection *conns; /* start of a block */
    struct doca_core_queue *queue;      /* the doca_priv_rdma_queue; with fault injection it is not
                                         * ctx.queue */
    struct doca_rdma_connection *live;  /* list of connections that are JOINING or UP */
    struct doca_rdma_connection *turn;  /* the next connection of the list that poll serves */
    struct doca_priv_rdma_task *receives, *receives_last; /* submitted receive tasks */
    struct doca_priv_rdma_task *late, *late_last; /* submitted to a connection that had ended */
    struct doca_priv_rdma_event event;
    struct doca_rdma_connection
        *reported; /* connection whose last callback runs, or has left by longjmp */
    struct doca_priv_rdma_guest guests[DOCA_PRIV_RDMA_GUESTS];
    struct doca_priv_rdma_port ports[DOCA_CORE_RDMA_MAX_PORTS];
    uint64_t number; /* random; in the address of `listener` */
    int listener;
    int set; /* epoll set of all descriptors */
    int wake_fd;
    int timer_fd;
    int lock_fd;         /* the lock of this process; see >>impl.rdma.ring */
    uint32_t next_conn;  /* where the search for a free connection begins */
    uint32_t num_conns;  /* connections made so far; the latest one has this serial number */
    uint32_t num_live;   /* connections in the list `live` */
    uint32_t num_guests; /* sockets accepted so far */
    uint32_t num_events; /* callbacks that have not run yet: bits set in `events` of connections */
    uint32_t num_polls;
    uint32_t num_unsettled; /* connections whose sockets are looked at in every poll */
    bool is_armed;
    bool has_starved; /* a peer was told that there is no receive task for its message */
    bool must_look;   /* the program has slept; a descriptor may be ready */
#ifdef DOCA_CORE_RDMA_VERBS
    struct ibv_pd *pd;
    struct ibv_comp_channel *channel;
    struct ibv_cq *cq; /* of all connections */
    struct ibv_srq *srq;
    struct doca_priv_rdma_rings rings; /* of `cq` and `srq`, on mlx5 devices */
    struct ibv_pd *control_pd;         /* of the control queue pairs of all connections */
    struct ibv_cq *control_cq;
    struct rdma_event_channel *cm_channel; /* NULL until the first call about an address */
    uint64_t stop_at;     /* time limit of a stop that waits for goodbyes; ns, monotonic clock */
    uint32_t num_leaving; /* goodbyes of this side in flight */
    struct doca_rdma_connection *latest; /* connection of the latest completion, or NULL */
    uint32_t max_inline;
    uint32_t max_reads; /* reads and atomic tasks of a connection in flight */
    uint16_t lid;
    uint8_t port_mtu;
    bool is_ethernet;
    bool is_flushed; /* no task of the instance is left to the device */
    bool has_doomed; /* a connection may be doomed */
    uint8_t gid[16];
#endif
};

struct doca_priv_rdma_queue { /* first, last: tasks that have ended */
    struct doca_core_queue queue;
    struct doca_rdma *rdma;
};

DOCA_PRIV_HOT struct doca_rdma *doca_priv_rdma_of(struct doca_core_queue *queue)
{
    return ((struct doca_priv_rdma_queue *)(void *)queue)->rdma;
}

/* True when the peer has no receive task for the first message of this side. */
DOCA_PRIV_HOT bool doca_priv_rdma_is_starving(const struct doca_rdma_connection *c)
{
    return c->ops != NULL && c->ops->stage == DOCA_PRIV_RDMA_SENT &&
           DOCA_PRIV_LOAD_ORDERED(&c->out.ring->starving) ==
               DOCA_PRIV_RDMA_TURN(c->ops->ticket, DOCA_PRIV_RDMA_SLOT_FILLED);
}

DOCA_PRIV_HOT struct doca_priv_rdma_task *doca_priv_rdma_task_of(struct doca_task *task)
{
    return (struct doca_priv_rdma_task *)(void *)task;
}

#endif
