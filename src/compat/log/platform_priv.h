/* ---- >>priv.log.platform ---------------------------------------------------------------------
 * System headers, and the macros that hide the differences between compilers.                   */
#ifndef DOCA_SRC_COMPAT_LOG_PLATFORM_PRIV_H
#define DOCA_SRC_COMPAT_LOG_PLATFORM_PRIV_H

#include "compat/log/config.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/auxv.h>
#include <sys/syscall.h>
#endif

#ifndef __cplusplus /* strict C modes hide these in time.h and unistd.h */
struct tm *localtime_r(const time_t *time, struct tm *tm);
long syscall(long number, ...);
#endif

#if defined(DOCA_CORE_SINGLE_THREAD) || defined(__TINYC__)
#define DOCA_PRIV_LOG_LOAD(p) (*(p))
#define DOCA_PRIV_LOG_STORE(p, value) (*(p) = (value))
#define DOCA_PRIV_LOG_SWAP(p, old, value)                                                          \
    (*(p) == *(old) ? (*(p) = (value), true) : (*(old) = *(p), false))
#define DOCA_PRIV_LOG_THREAD_LOCAL
#else
#define DOCA_PRIV_LOG_LOAD(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define DOCA_PRIV_LOG_STORE(p, value) __atomic_store_n((p), (value), __ATOMIC_RELEASE)
#define DOCA_PRIV_LOG_SWAP(p, old, value)                                                          \
    __atomic_compare_exchange_n((p), (old), (value), 0, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)
#define DOCA_PRIV_LOG_THREAD_LOCAL __thread
#endif

#endif
