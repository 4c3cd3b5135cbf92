/* ---- >>comch.config --------------------------------------------------------------------------
 * Limits of this header. The capability queries return them, and they bound the requests of a peer.
 * Define them before the include, with the same value in every file of every process that uses a
 * channel. 4080 bytes is the message size of public programs. All other numbers are Assumed,
 * because the vendor publishes none of them.                                                    */
#ifndef DOCA_SRC_COMPAT_COMCH_CONFIG_H
#define DOCA_SRC_COMPAT_COMCH_CONFIG_H

#include "base/config.h"

#ifdef DOCA_CORE_FREESTANDING
#error "doca_core_comch.h is for hosted programs"
#endif
#ifndef __linux__
#error "doca_core_comch.h needs sockets and shared memory of Linux"
#endif
#ifdef DOCA_CORE_NO_REP
#error "doca_core_comch.h needs representors"
#endif

/* Control path: maximum length in bytes of a message, and of the name of a server with its NUL;
 * maximum number of messages in a receive queue, of send tasks of a server or client, and of
 * connections of a server. */
#ifndef DOCA_CORE_COMCH_MAX_MSG
#define DOCA_CORE_COMCH_MAX_MSG 4080
#endif
#define DOCA_CORE_COMCH_MAX_NAME 120
#ifndef DOCA_CORE_COMCH_MAX_RECV_QUEUE
#define DOCA_CORE_COMCH_MAX_RECV_QUEUE 8192
#endif
#ifndef DOCA_CORE_COMCH_MAX_SEND_TASKS
#define DOCA_CORE_COMCH_MAX_SEND_TASKS 8192
#endif
#ifndef DOCA_CORE_COMCH_MAX_CLIENTS
#define DOCA_CORE_COMCH_MAX_CLIENTS 64
#endif

/* Data path: maximum number of consumers and of producers that each side of a connection may have,
 * and of tasks of a consumer or producer; maximum length in bytes of one buffer, and of the
 * immediate data of one message. */
#ifndef DOCA_CORE_COMCH_MAX_CONSUMERS
#define DOCA_CORE_COMCH_MAX_CONSUMERS 64
#endif
#ifndef DOCA_CORE_COMCH_MAX_PRODUCERS
#define DOCA_CORE_COMCH_MAX_PRODUCERS 64
#endif
#if DOCA_CORE_COMCH_MAX_CONSUMERS > 64 || DOCA_CORE_COMCH_MAX_PRODUCERS > 64
#error "a side of a connection has at most 64 consumers and 64 producers"
#endif
#ifndef DOCA_CORE_COMCH_MAX_TASKS
#define DOCA_CORE_COMCH_MAX_TASKS 8192
#endif
#ifndef DOCA_CORE_COMCH_MAX_BUF
#define DOCA_CORE_COMCH_MAX_BUF (1u << 30)
#endif
#define DOCA_CORE_COMCH_MAX_IMM 32

#define DOCA_PRIV_COMCH_RECV_QUEUE 64 /* initial size of a receive queue */

#endif
