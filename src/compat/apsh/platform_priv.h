/* ---- >>priv.apsh.platform --------------------------------------------------------------------
 * System headers, and the macros that hide the differences between compilers.                   */
#ifndef DOCA_SRC_COMPAT_APSH_PLATFORM_PRIV_H
#define DOCA_SRC_COMPAT_APSH_PLATFORM_PRIV_H

#include "compat/apsh/config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#ifdef DOCA_CORE_APSH_YARA
#if defined(__STRICT_ANSI__) && !defined(__cplusplus) && !defined(_POSIX_C_SOURCE)
#error "libyara's header needs POSIX: define _POSIX_C_SOURCE=200809L, or compile with -std=gnu99"
#endif
#include <pthread.h>
#include <yara.h>
#endif

#if defined(__linux__) && !defined(__cplusplus)
long syscall(long number, ...); /* unistd.h hides the declaration in strict C */
#endif

/* Check a constant expression at compile time. */
#define DOCA_PRIV_APSH_ASSERT(name, condition)                                                     \
    struct doca_priv_apsh_assert_##name {                                                          \
        char holds[(condition) ? 1 : -1];                                                          \
    };

/* HOT: a small function that is always inlined. APART: a function that is never inlined. LOADED: a
 * barrier for the compiler. Without it, the compiler might load a byte a second time after the
 * value was checked, and the target may have changed the byte meanwhile. */
#if defined(__GNUC__) && !defined(__TINYC__)
#define DOCA_PRIV_APSH_HOT static inline __attribute__((always_inline))
#define DOCA_PRIV_APSH_APART __attribute__((noinline))
#define DOCA_PRIV_APSH_LOADED(values) __asm__ volatile("" : : "r"(values) : "memory")
#else
#define DOCA_PRIV_APSH_HOT static
#define DOCA_PRIV_APSH_APART
#define DOCA_PRIV_APSH_LOADED(values) ((void)(values))
#endif

/* Add to a counter that several threads change. Returns the previous value. */
#if defined(DOCA_CORE_SINGLE_THREAD) || defined(__TINYC__)
#define DOCA_PRIV_APSH_ADD(counter, value) ((*(counter) += (value)) - (value))
#else
#define DOCA_PRIV_APSH_ADD(counter, value) __atomic_fetch_add((counter), (value), __ATOMIC_ACQ_REL)
#endif

#endif
