/* ---- >>priv.comch.endpoint -------------------------------------------------------------------
 * Endpoints of the Comm Channel and their peers.                                                */
#ifndef DOCA_SRC_COMPAT_COMCH_ENDPOINT_PRIV_H
#define DOCA_SRC_COMPAT_COMCH_ENDPOINT_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/types.h"
#include "object/object_priv.h"
#include "compat/comch/comch.h"
#include "compat/comch/config.h"
#include "compat/comch/endpoint.h"
#include "compat/comch/objects_priv.h"

enum { /* obj.state of an endpoint */
       DOCA_PRIV_ENDPOINT_IDLE,
       DOCA_PRIV_ENDPOINT_SERVICE,
       DOCA_PRIV_ENDPOINT_CLIENT
};

enum { /* obj.state of a peer */
       DOCA_PRIV_PEER_UNUSED,
       DOCA_PRIV_PEER_CONNECTING,
       DOCA_PRIV_PEER_UP,
       DOCA_PRIV_PEER_BROKEN /* the handle is still valid */
};

struct doca_comm_channel_addr_t {
    struct doca_priv_object obj;
    struct doca_comm_channel_ep_t *ep;
    struct doca_comch_connection *connection; /* while UP */
    uint64_t user_data;
    uint64_t counts[4]; /* by doca_comch_counter, from 1 */
    uint64_t seen[4];   /* counts at the latest update_info */
    bool is_known;      /* the program has the handle */
    bool is_blocked;    /* the send set watches the connection for room */
};

struct doca_comm_channel_ep_t {
    struct doca_priv_object obj;
    struct doca_core_arena *arena;
    struct doca_pe *pe;
    struct doca_dev *dev;
    struct doca_dev_rep *rep;
    uint16_t max_msg;
    uint16_t send_queue_size;
    uint16_t recv_queue_size;

    /* The following members are valid from listen or connect on. */
    struct doca_priv_comch *comch; /* the server or client */
    bool drops;                    /* the endpoint is disconnecting, and drops received messages */
    uint32_t num_blocked;          /* peers with is_blocked */

    /* The message that progress has received. It is in the memory of the caller of recvfrom; or in
     * `held`, if recvfrom is not running or its caller has too little room. */
    struct doca_comm_channel_addr_t *sender; /* NULL: no message */
    void *to;                                /* NULL: recvfrom is not running */
    size_t room;
    size_t len;
    bool is_held;

    /* Descriptors; -1 before the first listen or connect. Each event channel is an epoll set that
     * contains one of the eventfds, and sockets. */
    int recv_set, send_set, service_set;
    int recv_fd;    /* readable: a message is held, or the connection of a client is broken */
    int send_fd;    /* readable: no peer is blocked */
    int service_fd; /* readable: a client connected or disconnected */

    uint32_t num_listed; /* snapshot of a service */
    uint32_t num_pending;
    struct doca_comm_channel_addr_t *listed[DOCA_CORE_COMCH_MAX_CLIENTS];
    struct doca_comm_channel_addr_t peers[DOCA_CORE_COMCH_MAX_CLIENTS];
    uint8_t held[DOCA_CORE_COMCH_MAX_MSG];
};

DOCA_PRIV_DECL doca_error_t doca_priv_endpoint_check(const struct doca_comm_channel_ep_t *ep,
                                                     const void *pointer, const char *function);
DOCA_PRIV_DECL bool doca_priv_endpoint_open_channels(struct doca_comm_channel_ep_t *ep,
                                                     const char *function);
DOCA_PRIV_DECL void doca_priv_endpoint_close_channels(struct doca_comm_channel_ep_t *ep);
DOCA_PRIV_DECL bool doca_priv_endpoint_watch(int set, int fd, uint32_t events);
DOCA_PRIV_DECL void doca_priv_endpoint_block(struct doca_comm_channel_addr_t *peer);
DOCA_PRIV_DECL void doca_priv_endpoint_unblock(struct doca_comm_channel_addr_t *peer);
DOCA_PRIV_DECL bool doca_priv_endpoint_is_readable(int fd);
DOCA_PRIV_DECL void doca_priv_endpoint_set(int event_fd, bool is_readable);
DOCA_PRIV_DECL void doca_priv_endpoint_hold(struct doca_comm_channel_ep_t *ep,
                                            struct doca_comm_channel_addr_t *sender);
DOCA_PRIV_DECL bool doca_priv_peer_is(const struct doca_comm_channel_addr_t *peer);
DOCA_PRIV_DECL bool doca_priv_peer_is_of(const struct doca_comm_channel_addr_t *peer,
                                         const struct doca_comm_channel_ep_t *ep);
DOCA_PRIV_DECL bool doca_priv_peer_advance(struct doca_comm_channel_ep_t *ep);
DOCA_PRIV_DECL void doca_priv_peer_close(struct doca_comm_channel_ep_t *ep);

#endif
