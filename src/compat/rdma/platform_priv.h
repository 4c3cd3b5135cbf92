/* ---- >>priv.rdma.platform --------------------------------------------------------------------
 * System headers.                                                                               */
#ifndef DOCA_SRC_COMPAT_RDMA_PLATFORM_PRIV_H
#define DOCA_SRC_COMPAT_RDMA_PLATFORM_PRIV_H

#include "compat/rdma/config.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#endif
