/* The state of the connection manager: open rdma_cm devices (files), identifiers, events. */
#ifndef MLX5SIM_CM_STATE_H
#define MLX5SIM_CM_STATE_H

#include "device/machine/machine.h"

#include <netinet/in.h>

#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/rdma_user_cm.h>

struct cm_event;
struct cm_file;
struct cm_multicast;

enum { CM_AF_IB = 27 };         /* AF_IB of Linux */

/* The layout of an address of the family AF_IB; linux-libc-dev does not have it. */
struct cm_sockaddr_ib {
    uint16_t family;
    uint16_t pkey;              /* big endian, like the fields below */
    uint32_t flowinfo;
    uint8_t gid[16];
    uint64_t service, service_mask;
    uint64_t scope;
};

union cm_addr {
    struct sockaddr any;
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;
    struct cm_sockaddr_ib ib;
    unsigned char bytes[128];   /* size of the kernel's struct sockaddr_storage */
};

/* Steps of an identifier before and after its connection. */
enum cm_state {
    CM_IDLE, CM_BOUND, CM_ADDR_QUERY, CM_ADDR_RESOLVED, CM_ROUTE_RESOLVED, CM_CONNECT,
    CM_DISCONNECT, CM_LISTEN
};

/* Which message of its connection an identifier has sent or received last. Datagram identifiers
 * have LINK_SIDR_*: one request and one answer, and no connection. */
enum cm_link {
    LINK_NEVER,                 /* no message yet */
    LINK_IDLE,                  /* the connection was refused, or its end is complete */
    LINK_REQ_SENT, LINK_REQ_RECEIVED, LINK_REP_SENT, LINK_REP_RECEIVED, LINK_ESTABLISHED,
    LINK_DREQ_SENT, LINK_DREQ_RECEIVED, LINK_TIMEWAIT, LINK_SIDR_SENT, LINK_SIDR_RECEIVED
};

struct cm_id {
    uint32_t handle;
    uint64_t uid;               /* the program's value; 0: the program has not accepted it yet */
    struct cm_file *file;       /* the open device that gets its events */
    uint16_t ps;                /* RDMA_PS_* */
    uint8_t qp_type;            /* IB_UVERBS_QPT_* */
    enum cm_state state;
    enum cm_link link;
    bool has_port;              /* src has a port that other identifiers cannot use */
    bool reuseaddr, afonly, has_timeout, has_route;
    uint8_t timeout;            /* RDMA_OPTION_ID_ACK_TIMEOUT */
    struct sim_function *function, *peer_function;      /* NULL: not resolved */
    union cm_addr src, dst;
    uint32_t backlog;           /* CM_LISTEN: requests that may still wait for GET_EVENT */
    uint32_t events_reported;
    struct cm_id *peer;         /* other end of the connection; NULL: none, or it has ended */
    struct cm_event *request;   /* unread CONNECT_REQUEST of this identifier, or NULL; the queue of
                                   the listener's file owns it */
    struct cm_id *listener;     /* LINK_REQ_SENT: the request waits for room in this backlog */
    struct rdma_ucm_conn_param local, remote;   /* what each end said of its queue pair */
    uint8_t responder_resources, initiator_depth;
    uint32_t psn;
    uint64_t deadline;          /* time limit of the current step in ns; 0: no limit */
};

/* An open rdma_cm device. Several processes may hold its descriptor. */
struct cm_file {
    int fd;                     /* connection to the program */
    uint32_t number;            /* names the file in requests of other files */
    struct cm_file *next;
    struct cm_event *first, **last;     /* events that the program has not read */
    uint32_t num_events;
    uint32_t num_packets;       /* packets in the connection, which make it readable */
};

#endif
