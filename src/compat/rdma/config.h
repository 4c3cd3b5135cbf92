/* ---- >>rdma.config ---------------------------------------------------------------------------
 * Limits of this header. The capability queries return them, and they bound the requests of a
 * peer. Define them before the include, with the same value in every file of every process that
 * uses a connection. All numbers are Assumed, because the vendor publishes none.                 */
#ifndef DOCA_SRC_COMPAT_RDMA_CONFIG_H
#define DOCA_SRC_COMPAT_RDMA_CONFIG_H

#include "base/config.h"

#ifdef DOCA_CORE_FREESTANDING
#error "doca_core_rdma.h is for hosted programs"
#endif
#ifndef __linux__
#error "doca_core_rdma.h needs sockets and shared memory of Linux"
#endif
#ifdef DOCA_CORE_NO_SYNC_EVENT
#error "doca_core_rdma.h needs sync events"
#endif

/* Define DOCA_CORE_RDMA_VERBS, without a value, in the files that have the implementation of this
 * header and of doca_core_mlx5.h, and link with -libverbs -lmlx5: the devices of doca_core_mlx5.h
 * then have RDMA, too (see RDMA DEVICES in the manual above). Without the macro, only software
 * devices have RDMA. Define DOCA_CORE_RDMA_CM as well, and link with -lrdmacm, for connections of
 * these devices by address. */

/* Per instance: connections; send and receive tasks in flight, and tasks of one type; ports that
 * the instance listens on at the same time. The number of connections is at most 65,535, and the
 * sizes of queues are powers of two. */
#ifndef DOCA_CORE_RDMA_MAX_CONNECTIONS
#define DOCA_CORE_RDMA_MAX_CONNECTIONS 64
#endif
#ifndef DOCA_CORE_RDMA_MAX_SEND_QUEUE
#define DOCA_CORE_RDMA_MAX_SEND_QUEUE 8192
#endif
#ifndef DOCA_CORE_RDMA_MAX_RECV_QUEUE
#define DOCA_CORE_RDMA_MAX_RECV_QUEUE 8192
#endif
#ifndef DOCA_CORE_RDMA_MAX_PORTS
#define DOCA_CORE_RDMA_MAX_PORTS 4
#endif

/* Per task: buffers of a local list; bytes of a message, a read or a write. */
#ifndef DOCA_CORE_RDMA_MAX_SEND_LIST
#define DOCA_CORE_RDMA_MAX_SEND_LIST 32
#endif
#ifndef DOCA_CORE_RDMA_MAX_MESSAGE
#define DOCA_CORE_RDMA_MAX_MESSAGE (1u << 30)
#endif

/* Addresses (doca_rdma_addr_create()) that exist in the process at the same time. Each takes about
 * 100 bytes of static memory. */
#ifndef DOCA_CORE_RDMA_MAX_ADDRS
#define DOCA_CORE_RDMA_MAX_ADDRS 64
#endif

/* Milliseconds between two attempts of a message whose receiver has no receive task posted. It
 * matters with a number of retries from 0 to 6: see doca_rdma_set_rnr_retry_count(). */
#ifndef DOCA_CORE_RDMA_RNR_MS
#define DOCA_CORE_RDMA_RNR_MS 100
#endif

/* Milliseconds between two probes of a connection that has no task in flight, on RDMA devices. By
 * an unanswered probe a side notices that the process of its peer was killed (see RDMA DEVICES in
 * the manual above). 0: no probes. Files with the implementation only. */
#ifndef DOCA_CORE_RDMA_PROBE_MS
#define DOCA_CORE_RDMA_PROBE_MS 2000
#endif

#if defined(DOCA_CORE_RDMA_CM) && !defined(DOCA_CORE_RDMA_VERBS)
#error "DOCA_CORE_RDMA_CM needs DOCA_CORE_RDMA_VERBS"
#endif
#if DOCA_CORE_RDMA_MAX_CONNECTIONS < 1 || DOCA_CORE_RDMA_MAX_CONNECTIONS > 65535
#error "DOCA_CORE_RDMA_MAX_CONNECTIONS is 1 to 65535"
#endif
#if DOCA_CORE_RDMA_MAX_SEND_QUEUE < 1 ||                                                           \
    (DOCA_CORE_RDMA_MAX_SEND_QUEUE & (DOCA_CORE_RDMA_MAX_SEND_QUEUE - 1)) != 0 ||                  \
    DOCA_CORE_RDMA_MAX_RECV_QUEUE < 1 ||                                                           \
    (DOCA_CORE_RDMA_MAX_RECV_QUEUE & (DOCA_CORE_RDMA_MAX_RECV_QUEUE - 1)) != 0
#error "DOCA_CORE_RDMA_MAX_SEND_QUEUE and DOCA_CORE_RDMA_MAX_RECV_QUEUE are powers of two"
#endif
#if DOCA_CORE_RDMA_MAX_SEND_LIST < 1 || DOCA_CORE_RDMA_MAX_SEND_LIST > 34
#error "DOCA_CORE_RDMA_MAX_SEND_LIST is 1 to 34"
#endif
#if DOCA_CORE_RDMA_MAX_PORTS < 1 || DOCA_CORE_RDMA_MAX_ADDRS < 1 || DOCA_CORE_RDMA_RNR_MS < 1
#error "DOCA_CORE_RDMA_MAX_PORTS, _MAX_ADDRS and _RNR_MS are at least 1"
#endif
#if (DOCA_CORE_RDMA_MAX_MESSAGE) < 4096 || (DOCA_CORE_RDMA_MAX_MESSAGE) > 0x80000000u
#error "DOCA_CORE_RDMA_MAX_MESSAGE is 4096 to 2 GiB"
#endif

#endif
