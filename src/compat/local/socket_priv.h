/* ---- >>priv.local.socket ---------------------------------------------------------------------
 * Declarations of >>impl.local.socket. A packet consists of a head and of bytes that depend on its
 * type. Both ends run on one machine, so numbers are in its byte order.                          */
#ifndef DOCA_SRC_COMPAT_LOCAL_SOCKET_PRIV_H
#define DOCA_SRC_COMPAT_LOCAL_SOCKET_PRIV_H

#include "base/compiler.h"
#include "base/types.h"

struct doca_core_refusal;

#ifndef DOCA_PRIV_LOCAL_SOCKET /* several headers contain this part */
struct doca_priv_local_head {
    uint32_t type;
    uint32_t number;
};

#define DOCA_PRIV_LOCAL_FDS 3      /* maximum number of descriptors of a packet */
#define DOCA_PRIV_LOCAL_ACCEPTS 32 /* maximum number of sockets that one poll of a listener
                                    * accepts */

enum doca_priv_local_sent {
    DOCA_PRIV_LOCAL_SENT,
    DOCA_PRIV_LOCAL_FULL,  /* the socket has no room at this time */
    DOCA_PRIV_LOCAL_BROKEN /* the peer has closed its end */
};

struct doca_priv_local_packet { /* a received packet */
    /* number of bytes of the packet, including its head; 0: the peer has closed its end; -1: no
     * packet has arrived */
    long bytes;
    int fds[DOCA_PRIV_LOCAL_FDS];
    unsigned num_fds;
};

DOCA_PRIV_DECL int doca_priv_local_listen(const char *prefix, uint64_t number,
                                          struct doca_core_refusal *why);
DOCA_PRIV_DECL int doca_priv_local_dial(const char *prefix, uint64_t number,
                                        struct doca_core_refusal *why);
DOCA_PRIV_DECL int doca_priv_local_accept(int listener);
DOCA_PRIV_DECL bool doca_priv_local_is_same_user(int fd);
DOCA_PRIV_DECL enum doca_priv_local_sent doca_priv_local_send(int fd, uint32_t type,
                                                              uint32_t number, const void *bytes,
                                                              size_t len, const int *fds);
DOCA_PRIV_DECL void doca_priv_local_receive(int fd, void *to, size_t room,
                                            struct doca_priv_local_packet *packet);
DOCA_PRIV_DECL void doca_priv_local_close_fds(struct doca_priv_local_packet *packet);
DOCA_PRIV_DECL DOCA_CORE_UNUSED void doca_priv_local_hang_up(int fd);
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_local_is_readable(int fd);
DOCA_PRIV_DECL DOCA_CORE_UNUSED bool doca_priv_local_is_hung_up(int fd);
#endif

#endif
