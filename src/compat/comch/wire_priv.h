/* ---- >>priv.comch.wire -----------------------------------------------------------------------
 * Packets of the control path. Each is one packet of a local SOCK_SEQPACKET socket, and consists of
 * a head and a body that depends on the type of the packet. Both ends run on one machine, so
 * numbers are in native byte order.                                                              */
#ifndef DOCA_SRC_COMPAT_COMCH_WIRE_PRIV_H
#define DOCA_SRC_COMPAT_COMCH_WIRE_PRIV_H

#include "base/compiler.h"
#include "base/types.h"
#include "compat/comch/config.h"
#include "compat/local/socket_priv.h"

struct doca_core_refusal;

enum {                               /* types of packets */
       DOCA_PRIV_COMCH_HELLO = 1,    /* client to server, first: struct doca_priv_comch_hello */
       DOCA_PRIV_COMCH_WELCOME = 2,  /* answer; number: maximum message size of the server */
       DOCA_PRIV_COMCH_REFUSED = 3,  /* answer; number: a doca_error_t */
       DOCA_PRIV_COMCH_MESSAGE = 4,  /* bytes of the program */
       DOCA_PRIV_COMCH_CONSUMER = 5, /* a consumer has started; number: its id. With three
                                      * descriptors. */
       DOCA_PRIV_COMCH_EXPIRED = 6   /* a consumer has ended; number: its id */
};

#define DOCA_PRIV_COMCH_VERSION 1u

struct doca_priv_comch_hello {
    uint32_t version;
    uint32_t max_msg; /* maximum message size of the client, in bytes */
    char name[DOCA_CORE_COMCH_MAX_NAME];
};

/* Bytes of the largest packet with messages of at most `max_msg` bytes. */
#define DOCA_PRIV_COMCH_PACKET(max_msg)                                                            \
    (sizeof(struct doca_priv_local_head) + ((max_msg) > sizeof(struct doca_priv_comch_hello)       \
                                                ? (max_msg)                                        \
                                                : sizeof(struct doca_priv_comch_hello)))

DOCA_PRIV_DECL int doca_priv_comch_listen(const char *function_name, const char *service,
                                          struct doca_core_refusal *why);
DOCA_PRIV_DECL int doca_priv_comch_dial(const char *function_name, const char *service,
                                        struct doca_core_refusal *why);

#endif
