/* ---- >>priv.rdma.connection ------------------------------------------------------------------
 * Declarations of >>impl.rdma.connection, and the packets between instances.                    */
#ifndef DOCA_SRC_COMPAT_RDMA_CONNECTION_PRIV_H
#define DOCA_SRC_COMPAT_RDMA_CONNECTION_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/log.h"
#include "base/types.h"
#include "compat/rdma/objects_priv.h"

struct doca_priv_local_packet;

/* The first packet of a socket. From instance to instance it is HELLO, with the descriptors of the
 * sender's ring, eventfd and lock. To a port it is ASK; the listener answers with ANSWER on the
 * same socket, or closes the socket when the program rejects the connection. ASK and ANSWER contain
 * the details of a connection. */
enum { DOCA_PRIV_RDMA_HELLO = 1, DOCA_PRIV_RDMA_ASK, DOCA_PRIV_RDMA_ANSWER };

struct doca_priv_rdma_hello {
    uint64_t to_key;      /* key of the receiver's connection */
    uint64_t from_key;    /* key of the sender's connection */
    uint32_t permissions; /* of the sender's instance */
    uint32_t unused;
};

/* Bytes of a buffer for the longest packet with its head, plus one, so that a packet that is too
 * long is recognized. */
#define DOCA_PRIV_RDMA_PACKET 128

/* Kinds of descriptors in the epoll set, in the upper half of their number. */
enum {
    DOCA_PRIV_RDMA_AT_LISTENER,
    DOCA_PRIV_RDMA_AT_WAKE,
    DOCA_PRIV_RDMA_AT_TIMER,
    DOCA_PRIV_RDMA_AT_PORT,
    DOCA_PRIV_RDMA_AT_GUEST,
    DOCA_PRIV_RDMA_AT_CONN /* any socket of a connection */
};

/* Layout of struct epoll_event in the kernel. On x86-64 the structure is packed, and TinyCC ignores
 * the attribute that says so. */
#ifdef __x86_64__
#define DOCA_PRIV_RDMA_READY_BYTES ((size_t)12)
#define DOCA_PRIV_RDMA_READY_DATA ((size_t)4)
#else
#define DOCA_PRIV_RDMA_READY_BYTES sizeof(struct epoll_event)
#define DOCA_PRIV_RDMA_READY_DATA offsetof(struct epoll_event, data)
#endif

#define DOCA_PRIV_RDMA_INSTANCE_PREFIX "doca_core_rdma_i"
#define DOCA_PRIV_RDMA_PORT_PREFIX "doca_core_rdma_p"

DOCA_PRIV_DECL bool doca_priv_rdma_watch(const struct doca_rdma *r, int fd, uint32_t kind,
                                         uint32_t number);
DOCA_PRIV_DECL bool doca_priv_rdma_is_connection(const struct doca_rdma_connection *connection);
DOCA_PRIV_DECL void doca_priv_rdma_set_state(struct doca_rdma_connection *connection,
                                             uint8_t state);
DOCA_PRIV_DECL void doca_priv_rdma_unlive(struct doca_rdma_connection *connection);
/* Of the software device, for struct doca_priv_rdma_transport. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_describe(struct doca_rdma_connection *connection,
                                                    const char *function);
DOCA_PRIV_DECL const void *doca_priv_rdma_show(const struct doca_rdma_connection *connection,
                                               size_t *bytes);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_connect_far(struct doca_rdma_connection *connection,
                                                       const void *details, size_t len,
                                                       const char *function);
DOCA_PRIV_DECL void doca_priv_rdma_close_fd(const struct doca_rdma *r, int *fd);
DOCA_PRIV_DECL bool doca_priv_rdma_is_dialling(const struct doca_rdma_connection *connection);
DOCA_PRIV_DECL void doca_priv_rdma_set_asking(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_conn_open(struct doca_rdma *r,
                                                     struct doca_rdma_connection **connection,
                                                     const char *function);
DOCA_PRIV_DECL void doca_priv_rdma_conn_free(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL bool doca_priv_rdma_take_details(struct doca_rdma_connection *connection,
                                                const void *bytes, size_t len,
                                                enum doca_core_item *item);
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_join(struct doca_rdma_connection *connection,
                                                const char *function);
DOCA_PRIV_DECL bool doca_priv_rdma_dial_again(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL bool doca_priv_rdma_hear_hello(struct doca_rdma *r, int fd, const uint8_t *bytes,
                                              size_t len, struct doca_priv_local_packet *packet);
DOCA_PRIV_DECL void doca_priv_rdma_conn_down(struct doca_rdma_connection *connection,
                                             doca_error_t status,
                                             enum doca_priv_rdma_happening event);
DOCA_PRIV_DECL void doca_priv_rdma_break(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL void doca_priv_rdma_lose(struct doca_rdma_connection *connection);
DOCA_PRIV_DECL void doca_priv_rdma_end_ops(struct doca_rdma_connection *connection,
                                           doca_error_t status);
DOCA_PRIV_DECL void doca_priv_rdma_set_deadline(struct doca_rdma_connection *connection,
                                                uint64_t ns);
DOCA_PRIV_DECL void doca_priv_rdma_set_timer(const struct doca_rdma *r);
DOCA_PRIV_DECL void doca_priv_rdma_tell(struct doca_rdma_connection *connection,
                                        enum doca_priv_rdma_happening event);

/* Wake the instance of the peer; wake the program of this instance if it has armed its PE. */
DOCA_PRIV_DECL void doca_priv_rdma_wake_peer(const struct doca_rdma_connection *connection);
DOCA_PRIV_DECL void doca_priv_rdma_wake_program(const struct doca_rdma *r);

#endif
