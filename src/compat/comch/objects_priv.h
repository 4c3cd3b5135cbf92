/* ---- >>priv.comch.objects --------------------------------------------------------------------
 * Servers, clients and their connections.                                                       */
#ifndef DOCA_SRC_COMPAT_COMCH_OBJECTS_PRIV_H
#define DOCA_SRC_COMPAT_COMCH_OBJECTS_PRIV_H

#include "base/compiler.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "progress/ctx.h"
#include "progress/task.h"
#include "compat/comch/cc_events_priv.h"
#include "compat/comch/comch.h"
#include "compat/comch/config.h"
#include "compat/comch/ring_priv.h"
#include "compat/comch/wire_priv.h"
#include "compat/local/platform_priv.h"
#include "compat/local/queue_priv.h"

/* States of a connection (obj.state). */
enum {
    DOCA_PRIV_COMCH_FREE,     /* an unused entry of the table */
    DOCA_PRIV_COMCH_GREETING, /* the server waits for HELLO, or the client for WELCOME */
    DOCA_PRIV_COMCH_UP,
    DOCA_PRIV_COMCH_DOWN, /* hung up; packets that arrived before must still be read */
    DOCA_PRIV_COMCH_GONE  /* all packets are read; consumers or producers are left */
};

#define DOCA_PRIV_COMCH_LANES (DOCA_CORE_COMCH_MAX_CONSUMERS + DOCA_CORE_COMCH_MAX_PRODUCERS)

struct doca_comch_connection {
    struct doca_priv_object obj;
    struct doca_priv_comch *comch;
    struct doca_task *unsent, *unsent_last; /* submitted sends that the socket had no room for */
    union doca_data user_data;
    int fd;
    uint32_t serial;    /* differs from that of an earlier connection in this entry */
    uint32_t max_msg;   /* maximum length in bytes of a message that the peer receives */
    bool was_up;        /* the connection was established, so the program of a server knows it */
    uint64_t counts[4]; /* by doca_comch_counter, from 1 */
    uint64_t seen[4];   /* counts at the last update_info */

    /* Any thread may use the following members while it holds `lock`. The members of lanes may also
     * be accessed without the lock, atomically. */
    uint32_t lock;
    uint32_t num_children; /* consumers and producers */
    uint32_t num_consumers;
    uint32_t num_producers;
    uint32_t next_consumer; /* candidates for ids */
    uint32_t next_producer;
    uint64_t consumers; /* bit id % MAX_CONSUMERS is set for each consumer of this side */
    uint64_t expired;   /* ended consumers that could not be reported to the peer yet */
    uint32_t expired_ids[DOCA_CORE_COMCH_MAX_CONSUMERS];
    /* Consumers of the peer. lane_of[] has the index of each one's lane, by id % MAX_CONSUMERS.
     * A producer keeps the lane that it used last. There are as many lanes more as producers, so
     * that a new consumer always gets a lane that no producer keeps. */
    uint8_t lane_of[DOCA_CORE_COMCH_MAX_CONSUMERS];
    struct doca_priv_comch_lane lanes[DOCA_PRIV_COMCH_LANES];
};

DOCA_PRIV_HOT struct doca_priv_comch_lane *
doca_priv_comch_lane_of(struct doca_comch_connection *connection, uint32_t id)
{
    return &connection->lanes[DOCA_PRIV_LOAD(
        &connection->lane_of[id % DOCA_CORE_COMCH_MAX_CONSUMERS])];
}

enum doca_priv_comch_happening {
    DOCA_PRIV_COMCH_RECEIVED,
    DOCA_PRIV_COMCH_CONNECTED,
    DOCA_PRIV_COMCH_NOT_CONNECTED,
    DOCA_PRIV_COMCH_DISCONNECTED,
    DOCA_PRIV_COMCH_CONSUMER_NEW,
    DOCA_PRIV_COMCH_CONSUMER_EXPIRED
};

/* An event in the form of a task. Progress completes the task, and its `done` calls the program. */
struct doca_priv_comch_event {
    struct doca_task task;
    enum doca_priv_comch_happening what;
    struct doca_comch_connection *connection;
    uint8_t *bytes;
    uint32_t number; /* length of a message in bytes, or the id of a consumer */
};

#define DOCA_PRIV_COMCH_READY 8 /* maximum number of descriptors in one report of the kernel */

/* A server or a client. The common members of both come first, as in every context. */
struct doca_priv_comch {
    struct doca_ctx ctx;
    struct doca_priv_task_stock send_stock;
    doca_comch_task_send_completion_cb_t send_done, send_failed;
    doca_comch_event_msg_recv_cb_t received;
    doca_comch_event_connection_status_changed_cb_t connected, disconnected;
    doca_comch_event_consumer_cb_t consumer_new, consumer_expired;
    struct doca_priv_comch_25 of_25; /* callbacks with the types of 2.5 */
    struct doca_dev_rep *rep;        /* NULL in a client */
    uint32_t max_msg;
    uint32_t recv_queue_size;
    uint32_t max_conns;
    char name[DOCA_CORE_COMCH_MAX_NAME];
    uint32_t num_connections; /* connections so far, for their serials */

    /* while started */
    struct doca_core_queue *queue; /* queue of the context; with fault injection, ctx.queue is
                                    * another queue */
    void *block;                   /* connections, then the inbox */
    struct doca_comch_connection *conns;
    uint8_t *inbox;      /* the packet that is being handled */
    int set;             /* epoll set of all descriptors */
    int listener;        /* socket on which a server listens */
    int wake_fd;         /* eventfd: consumers and producers of other threads wake the context */
    uint32_t num_empty;  /* consecutive polls that found nothing */
    uint32_t num_ended;  /* number of completed sends */
    bool has_gone;       /* a connection is GONE */
    uint32_t again;      /* number of the connection that had the latest packet */
    uint32_t num_again;  /* polls of this connection since the kernel was asked */
    bool is_alone;       /* no other descriptor was ready when the kernel was asked */
    bool is_guess;       /* the program has slept since, so another connection may be ready */
    bool is_second;      /* the latest message is the first one after the program has slept */
    bool owes_look;      /* a poll has reported nothing without a look at the sockets */
    uint32_t num_seconds; /* wake-ups that look for a second message */
    uint32_t num_ready;  /* descriptors that the kernel has reported as ready */
    uint32_t next_ready; /* index of the first ready descriptor that is not handled */
    struct epoll_event ready[DOCA_PRIV_COMCH_READY];
    doca_error_t opening; /* result of the start of a client */
    struct doca_priv_comch_event event;
};

struct doca_comch_server {
    struct doca_priv_comch comch;
};

struct doca_comch_client {
    struct doca_priv_comch comch;
};

struct doca_comch_task_send {
    struct doca_task task;
    struct doca_comch_connection *connection;
    const void *bytes;
    uint32_t len;
    uint32_t serial; /* of the connection */
};

#define DOCA_PRIV_COMCH_TASK_BYTES (2 * DOCA_PRIV_TASK_BYTES)

struct doca_priv_comch_queue { /* queue of a server or client; first, last: completed sends */
    struct doca_core_queue queue;
    struct doca_priv_comch *comch;
};

DOCA_PRIV_HOT struct doca_priv_comch *doca_priv_comch_of(struct doca_core_queue *queue)
{
    return ((struct doca_priv_comch_queue *)(void *)queue)->comch;
}

#endif
