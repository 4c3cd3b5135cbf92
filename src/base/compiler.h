/* ---- >>compiler -----------------------------------------------------------------------------
 * Function attributes, hints and atomic accesses, with replacements for compilers that lack them.
 * Programs compile this part too, because they inline the functions of >>hot.                   */
#ifndef DOCA_SRC_BASE_COMPILER_H
#define DOCA_SRC_BASE_COMPILER_H

#include "base/config.h"

/* amalgamate: skip */
/* DECL and DATA declare private functions and data that several parts use. The amalgamated header
 * makes them static. */
#define DOCA_PRIV_DECL
#define DOCA_PRIV_DATA extern
/* amalgamate: end */

/* HOT: a small function of the data path, always inlined. COLD: a function for failures or for the
 * memory of other processes, kept out of line and away from hot code. NOINLINE: a function that is
 * never inlined; a caller whose last action is this call needs no stack frame. */
#if defined(__GNUC__) && !defined(__TINYC__)
#define DOCA_PRIV_HOT static inline __attribute__((always_inline))
#define DOCA_PRIV_COLD __attribute__((cold, noinline, unused))
#define DOCA_PRIV_NOINLINE __attribute__((noinline))
#define DOCA_PRIV_COPY(to, from, bytes) __builtin_memcpy((to), (from), (bytes))
#define DOCA_PRIV_ASSUME(what) ((what) ? (void)0 : __builtin_unreachable())
/* Force the address into a register instead of base plus index. On x86, a value that was stored
 * through a base-plus-index address is forwarded to the next load about five cycles later. */
#define DOCA_PRIV_IN_REGISTER(address) __asm__("" : "+r"(address))
#define DOCA_PRIV_PREFETCH(address) __builtin_prefetch(address) /* NULL is harmless */
/* Make the compiler read *object again, as another thread may have written it. Unlike with an
 * atomic load, the read can still be folded into a compare instruction. */
#define DOCA_PRIV_REREAD(object) __asm__ volatile("" : "+m"(*(object)))
#if !defined(__clang__) && __GNUC__ >= 8
#define DOCA_PRIV_OPAQUE __attribute__((noipa))
#else
#define DOCA_PRIV_OPAQUE
#endif
#else
#ifndef DOCA_CORE_FREESTANDING
#include <string.h>
#else
void *memcpy(void *to, const void *from, size_t bytes);
#endif
#define DOCA_PRIV_OPAQUE
#define DOCA_PRIV_HOT static
#define DOCA_PRIV_COLD
#define DOCA_PRIV_NOINLINE
#define DOCA_PRIV_COPY(to, from, bytes) memcpy((to), (from), (bytes))
#define DOCA_PRIV_ASSUME(what) ((void)0)
#define DOCA_PRIV_IN_REGISTER(address) ((void)0)
#define DOCA_PRIV_PREFETCH(address) ((void)0)
#define DOCA_PRIV_REREAD(object) ((void)0)
#endif

/* True in builds with ThreadSanitizer: it reports every racing load that is not atomic. */
#define DOCA_PRIV_HAS_TSAN false
#ifdef __SANITIZE_THREAD__
#undef DOCA_PRIV_HAS_TSAN
#define DOCA_PRIV_HAS_TSAN true
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#undef DOCA_PRIV_HAS_TSAN
#define DOCA_PRIV_HAS_TSAN true
#endif
#endif

/* Atomic accesses. The first set, plain loads and stores, is for a single thread in a single
 * process: for TinyCC (it has neither atomics nor thread-local storage) and for processors without
 * 64-bit atomics. A single-threaded program that shares memory with other processes needs no locks,
 * but atomic accesses to the shared memory.
 * DOCA_PRIV_SHARES_CELLS is true if 64-bit words can be shared with other processes. */
#define DOCA_PRIV_SHARES_CELLS false
#if defined(__TINYC__) || (defined(DOCA_CORE_SINGLE_THREAD) &&                                     \
                           (defined(DOCA_CORE_FREESTANDING) || __GCC_ATOMIC_LLONG_LOCK_FREE != 2))
#define DOCA_PRIV_LOAD(p) (*(p))
#define DOCA_PRIV_STORE(p, value) (*(p) = (value))
#define DOCA_PRIV_TRY_LOCK(p) (*(p) == 0 ? (*(p) = 1, true) : false)
#define DOCA_PRIV_LOAD_ORDERED(p) (*(p))
#define DOCA_PRIV_STORE_ORDERED(p, value) (*(p) = (value))
#define DOCA_PRIV_FETCH_ADD(p, n) ((void)(*(p) = *(p) + (n)), *(p) - (n))
#define DOCA_PRIV_SWAP(p, value, was) ((was) = *(p), *(p) = (value))
#define DOCA_PRIV_PEEK(p) (*(p))
#else
#if __GCC_ATOMIC_LLONG_LOCK_FREE == 2 /* else emulated by a lock of each process */
#undef DOCA_PRIV_SHARES_CELLS
#define DOCA_PRIV_SHARES_CELLS true
#endif
#define DOCA_PRIV_LOAD(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define DOCA_PRIV_STORE(p, value) __atomic_store_n((p), (value), __ATOMIC_RELEASE)
#ifdef DOCA_CORE_SINGLE_THREAD
#define DOCA_PRIV_TRY_LOCK(p) (*(p) == 0 ? (*(p) = 1, true) : false)
#else
#define DOCA_PRIV_TRY_LOCK(p) (__atomic_exchange_n((p), 1u, __ATOMIC_ACQUIRE) == 0)
#endif
#define DOCA_PRIV_SWAP(p, value, was) ((was) = __atomic_exchange_n((p), (value), __ATOMIC_SEQ_CST))
#define DOCA_PRIV_PEEK(p) __atomic_load_n((p), __ATOMIC_RELAXED) /* compiles to a plain load */
/* LOAD_ORDERED, STORE_ORDERED and FETCH_ADD are sequentially consistent: all threads and processes
 * see them in the same order. When two sides each store a flag and then check the flag of the other
 * side, all four accesses must use them: x86 executes a load ahead of an earlier store, and so does
 * AArch64 when the load is only an acquire (ldapr). */
#define DOCA_PRIV_LOAD_ORDERED(p) __atomic_load_n((p), __ATOMIC_SEQ_CST)
#define DOCA_PRIV_FETCH_ADD(p, n) __atomic_fetch_add((p), (n), __ATOMIC_SEQ_CST)
#if defined(__x86_64__)
/* Compilers implement a sequentially consistent store as an exchange. An exchange waits until all
 * earlier instructions are complete. Here the store is issued at once and the barrier waits for it,
 * so a core that waits for this cache line gets it sooner. */
#define DOCA_PRIV_STORE_ORDERED(p, value)                                                          \
    do {                                                                                           \
        __atomic_store_n((p), (value), __ATOMIC_RELEASE);                                          \
        __asm__ volatile("lock or{l $0, (%%rsp)| dword ptr [rsp], 0}" : : : "memory", "cc");       \
    } while (0)
#else
#define DOCA_PRIV_STORE_ORDERED(p, value) __atomic_store_n((p), (value), __ATOMIC_SEQ_CST)
#endif
#endif

/* Full memory fence: for every thread and process, the loads and stores before the fence take
 * effect before those after it. ThreadSanitizer builds accept this builtin but reject
 * __atomic_thread_fence(). Without an operating system no other process reads exported memory, so
 * no fence is needed. */
#if defined(__TINYC__) || !defined(__GNUC__) || defined(DOCA_CORE_FREESTANDING)
#define DOCA_PRIV_FENCE() ((void)0)
#else
#define DOCA_PRIV_FENCE() __sync_synchronize()
#endif

#endif
