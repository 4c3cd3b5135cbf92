/* ---- >>log.config ----------------------------------------------------------------------------
 * Limits of this header. Define them before the include, with the same value in every file.     */
#ifndef DOCA_SRC_COMPAT_LOG_CONFIG_H
#define DOCA_SRC_COMPAT_LOG_CONFIG_H

/* amalgamate: skip */
#include "../../../doca_core.h"

/* Private functions and data that several parts use. The amalgamated header makes them static. */
#undef DOCA_PRIV_DECL /* doca_core.h defines it when the compiler optimizes */
#define DOCA_PRIV_DECL
#define DOCA_PRIV_DATA extern
/* amalgamate: end */

#include <stdio.h>

#ifdef DOCA_CORE_FREESTANDING
#error "doca_core_log.h is for hosted programs"
#endif

/* Maximum number of backends in the process. The standard backend counts as two. */
#ifndef DOCA_CORE_LOG_MAX_BACKENDS
#define DOCA_CORE_LOG_MAX_BACKENDS 16
#endif

/* Maximum number of sources registered at one time. Each takes 64 bytes of static memory. */
#ifndef DOCA_CORE_LOG_MAX_SOURCES
#define DOCA_CORE_LOG_MAX_SOURCES 256
#endif

/* Maximum length of a record in bytes, including the newline and NUL. The record is built on the
 * stack of the logging thread. */
#ifndef DOCA_CORE_LOG_LINE_BYTES
#define DOCA_CORE_LOG_LINE_BYTES 1024
#endif

/* Records per second that one place of DOCA_LOG_RATE_LIMIT writes. Assumed: the vendor does not
 * publish its number. */
#ifndef DOCA_CORE_LOG_PER_SECOND
#define DOCA_CORE_LOG_PER_SECOND 10
#endif

#if DOCA_CORE_LOG_MAX_BACKENDS < 2 || DOCA_CORE_LOG_MAX_SOURCES < 1 ||                             \
    DOCA_CORE_LOG_LINE_BYTES < 128
#error "the log needs at least 2 backends, 1 source and 128 bytes per record"
#endif

#if defined(__GNUC__) && !defined(__TINYC__)
#define DOCA_PRIV_LOG_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define DOCA_PRIV_LOG_FORMAT(text, first)
#endif

#endif
