/* ---- >>priv.platform -------------------------------------------------------------------------
 * System headers and compiler features, and macros that hide the differences.                   */
#ifndef DOCA_SRC_BASE_PLATFORM_PRIV_H
#define DOCA_SRC_BASE_PLATFORM_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "base/kernels_priv.h"

#ifdef DOCA_CORE_FREESTANDING
#ifdef __cplusplus
extern "C" {
#endif
void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
#ifdef __cplusplus
}
#endif
#else
#include <string.h>
#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#if DOCA_CORE_CHECK >= 2
#include <pthread.h>
#endif
#include <sched.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif
#endif

#if defined(DOCA_CORE_DPDK) && !defined(DOCA_CORE_NO_BRIDGE)
#include <rte_dev.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>
#define DOCA_PRIV_WITH_DPDK(...) __VA_ARGS__
#else
#define DOCA_PRIV_WITH_DPDK(...)
#endif

/* Code that a function contains only if the named module is compiled in. */
#ifndef DOCA_CORE_NO_DMA
#define DOCA_PRIV_WITH_DMA(...) __VA_ARGS__
#else
#define DOCA_PRIV_WITH_DMA(...)
#endif
#ifndef DOCA_CORE_NO_SHA
#define DOCA_PRIV_WITH_SHA(...) __VA_ARGS__
#else
#define DOCA_PRIV_WITH_SHA(...)
#endif
#ifndef DOCA_CORE_NO_SW
#define DOCA_PRIV_WITH_SW(...) __VA_ARGS__
#else
#define DOCA_PRIV_WITH_SW(...)
#endif
#ifndef DOCA_CORE_NO_MMAP_ADVISE
#define DOCA_PRIV_WITH_MMAP_ADVISE(...) __VA_ARGS__
#else
#define DOCA_PRIV_WITH_MMAP_ADVISE(...)
#endif
#ifndef DOCA_CORE_NO_SYNC_EVENT
#define DOCA_PRIV_WITH_SYNC_EVENT(...) __VA_ARGS__
#else
#define DOCA_PRIV_WITH_SYNC_EVENT(...)
#endif
#ifndef DOCA_CORE_NO_STATS
#define DOCA_PRIV_WITH_STATS(...) __VA_ARGS__
#else
#define DOCA_PRIV_WITH_STATS(...)
#endif
#ifndef DOCA_CORE_NO_GRAPH
#define DOCA_PRIV_WITH_GRAPH(...) __VA_ARGS__
#else
#define DOCA_PRIV_WITH_GRAPH(...)
#endif

#ifdef __cplusplus
extern "C" {
#elif defined(__linux__) && !defined(DOCA_CORE_FREESTANDING)
long syscall(long number, ...); /* unistd.h hides the declaration in strict C */
#endif

#ifndef DOCA_CORE_MEMCPY
#define DOCA_CORE_MEMCPY memcpy
#endif
#ifndef DOCA_CORE_MEMMOVE
#define DOCA_CORE_MEMMOVE memmove
#ifdef DOCA_PRIV_SIMD_X86
#define DOCA_PRIV_STREAMS /* very large copies use streaming CPU instructions */
#endif
#endif
#ifndef DOCA_CORE_MEMSET
#define DOCA_CORE_MEMSET memset
#endif
#ifndef DOCA_CORE_MEMCMP
#define DOCA_CORE_MEMCMP memcmp
#endif

#ifndef DOCA_CORE_RELAX
#define DOCA_CORE_RELAX() ((void)0)
#endif

/* One iteration of a loop that waits for another thread: frees execution resources for the sibling
 * hardware thread of the core. */
#if defined(__GNUC__) && !defined(__TINYC__) && (defined(__x86_64__) || defined(__i386__))
#define DOCA_PRIV_PAUSE() __builtin_ia32_pause()
#elif defined(__GNUC__) && !defined(__TINYC__) && defined(__aarch64__)
#define DOCA_PRIV_PAUSE() __asm__ volatile("yield")
#else
#define DOCA_PRIV_PAUSE() ((void)0)
#endif

/* Prefetch a cache line for writing, so that the later write does not have to request it again. */
#if defined(__GNUC__) && !defined(__TINYC__) && defined(__x86_64__)
#define DOCA_PRIV_PREFETCH_WRITE(p) __asm__ volatile("prefetchw %0" : : "m"(*(const char *)(p)))
#elif defined(__GNUC__) && !defined(__TINYC__)
#define DOCA_PRIV_PREFETCH_WRITE(p) __builtin_prefetch((p), 1)
#else
#define DOCA_PRIV_PREFETCH_WRITE(p) ((void)(p))
#endif

#ifndef DOCA_CORE_THREAD_LOCAL
#if defined(DOCA_CORE_FREESTANDING) || defined(DOCA_CORE_SINGLE_THREAD) || defined(__TINYC__)
#define DOCA_CORE_THREAD_LOCAL
#else
#define DOCA_CORE_THREAD_LOCAL __thread
#endif
#endif

/* Marks a function that deliberately reads memory that other threads may be writing, and tolerates
 * any value. */
#if defined(__GNUC__) && !defined(__TINYC__) && DOCA_PRIV_HAS_TSAN
#define DOCA_PRIV_UNWATCHED __attribute__((no_sanitize_thread))
#else
#define DOCA_PRIV_UNWATCHED
#endif

/* Convert `x` from the byte order of the CPU to big-endian byte order. */
#if defined(__GNUC__) && !defined(__TINYC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define DOCA_PRIV_BIG32(x) __builtin_bswap32(x)
#define DOCA_PRIV_BIG64(x) __builtin_bswap64(x)
#elif defined(__GNUC__) && !defined(__TINYC__)
#define DOCA_PRIV_BIG32(x) (x)
#define DOCA_PRIV_BIG64(x) (x)
#else
#define DOCA_PRIV_BIG32(x) doca_priv_big32(x)
#define DOCA_PRIV_BIG64(x) doca_priv_big64(x)
static uint32_t doca_priv_big32(uint32_t x)
{
    const unsigned char bytes[4] = { (unsigned char)(x >> 24), (unsigned char)(x >> 16),
                                     (unsigned char)(x >> 8), (unsigned char)x };

    DOCA_CORE_MEMCPY(&x, bytes, sizeof(x));
    return x;
}
static uint64_t doca_priv_big64(uint64_t x)
{
    const uint32_t words[2] = { doca_priv_big32((uint32_t)(x >> 32)),
                                doca_priv_big32((uint32_t)x) };

    DOCA_CORE_MEMCPY(&x, words, sizeof(x));
    return x;
}
#endif

/* Hide the value of a variable from the compiler, so that it neither folds nor reorders
 * computations with it. */
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
#define DOCA_PRIV_HIDE(variable) __asm__("" : "+r"(variable))
#else
#define DOCA_PRIV_HIDE(variable) ((void)(variable))
#endif

#define DOCA_PRIV_ASSERT_STATIC(name, condition)                                                   \
    typedef char doca_priv_assert_##name[(condition) ? 1 : -1] DOCA_CORE_UNUSED

DOCA_PRIV_DECL int doca_priv_hex_digit(char c);
DOCA_PRIV_DECL size_t doca_priv_str_len(const char *s);
DOCA_PRIV_DECL bool doca_priv_str_equal(const char *a, const char *b);
DOCA_PRIV_DECL void doca_priv_lock(uint32_t *lock);
DOCA_PRIV_DECL void doca_priv_unlock(uint32_t *lock);

#endif
