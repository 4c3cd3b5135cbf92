/* ---- >>priv.rdma.platform --------------------------------------------------------------------
 * System calls by number. On 32-bit systems, the calls with 64-bit times have other numbers.    */
#ifndef DOCA_SRC_COMPAT_RDMA_PLATFORM_PRIV_H
#define DOCA_SRC_COMPAT_RDMA_PLATFORM_PRIV_H

#include "compat/local/platform_priv.h"

#ifdef DOCA_CORE_RDMA_VERBS
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#ifdef DOCA_CORE_RDMA_CM
#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <rdma/rdma_cma.h>
#include <sys/socket.h>
#endif
#endif

#ifdef SYS_timerfd_settime64
#define DOCA_PRIV_RDMA_TIMER_SETTIME SYS_timerfd_settime64
#else
#define DOCA_PRIV_RDMA_TIMER_SETTIME SYS_timerfd_settime
#endif

#endif
