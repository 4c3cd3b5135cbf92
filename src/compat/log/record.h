/* ---- >>log.record ----------------------------------------------------------------------------
 * Sources, records, and the macros that a program logs with.                                    */
#ifndef DOCA_SRC_COMPAT_LOG_RECORD_H
#define DOCA_SRC_COMPAT_LOG_RECORD_H

#include "compat/log/backend.h"
#include "compat/log/config.h"
#include "compat/log/level.h"

/* Register a named part of the program that logs. DOCA_LOG_REGISTER calls this. Two
 * registrations of the same name are two sources.
 *
 *   source_name  copied, and cut to 63 bytes
 *   source       out: number of the source, from 0
 *
 * Owns      one entry of the table of sources, until doca_log_unregister_source()
 * Threads   any
 * Errors    INVALID_VALUE  an argument is NULL
 *           NO_MEMORY      DOCA_CORE_LOG_MAX_SOURCES are registered; the program can log without
 *                          a source */
doca_error_t doca_log_register_source(const char *source_name, int *source);

/* Unregister `source` and free its entry.
 *
 * Threads   any
 * Errors    INVALID_VALUE  `source` is not registered */
doca_error_t doca_log_unregister_source(int source);

/* Return the name of `source`, or "" when the number is not registered. Never returns NULL. The
 * text is valid while the source is registered. */
const char *doca_core_log_source_name(int source);

/* Write a record to every application backend whose limits include `level`. The macros below
 * call this function.
 *
 *   level   a level from CRIT to TRACE
 *   source  neither printed nor checked
 *   fname   source file; only the part after the last '/' is printed; NULL prints "?"
 *   func    function; NULL prints "?"
 *
 * Threads   any
 * Cost      a few loads when `level` is outside the limits of every backend; otherwise the
 *           formatting, and one write for each backend that gets the record
 * Errors    INVALID_VALUE  `level` is not a level from CRIT to TRACE, or `format` is NULL
 *           IO_FAILED      at least one backend could not write the record; the other backends
 *                          have written it */
doca_error_t doca_log(uint32_t level, int source, const char *fname, int line, const char *func,
                      const char *format, ...) DOCA_PRIV_LOG_FORMAT(6, 7);

/* State of one place that uses DOCA_CORE_LOG_LIMITED(). Initialize it with zero. */
struct doca_core_log_limit {
    uint64_t second;
    uint32_t num_written; /* number of records that were written in that second */
    uint32_t num_dropped; /* number of records that were dropped since the last written one */
};

/* Write a record like doca_log(), but drop it when `limit` has already counted `per_second` records
 * in the current second of the wall clock. The first record after N dropped records begins with
 * "(N left out) ".
 *
 * Errors    as doca_log(), and
 *           AGAIN  the record was dropped because of the limit. A signal handler that
 *                  interrupted a call of this header other than doca_log() also gets AGAIN; such
 *                  a record is dropped without being counted */
doca_error_t doca_core_log_limited(struct doca_core_log_limit *limit, uint32_t per_second,
                                   uint32_t level, int source, const char *fname, int line,
                                   const char *func, const char *format, ...)
    DOCA_PRIV_LOG_FORMAT(8, 9);

/* Log a record: DOCA_LOG_INFO("text") or DOCA_LOG_INFO("%d of %d", i, n). The file needs a
 * DOCA_LOG_REGISTER above. Without DOCA_LOGGING_ALLOW_TRACE, DOCA_LOG_TRC expands to nothing and
 * does not evaluate its arguments. */
#define DOCA_LOG(level, ...)                                                                       \
    ((void)doca_log((level), log_source, __FILE__, __LINE__, __func__, __VA_ARGS__))
#define DOCA_LOG_CRIT(...) DOCA_LOG(DOCA_LOG_LEVEL_CRIT, __VA_ARGS__)
#define DOCA_LOG_ERR(...) DOCA_LOG(DOCA_LOG_LEVEL_ERROR, __VA_ARGS__)
#define DOCA_LOG_WARN(...) DOCA_LOG(DOCA_LOG_LEVEL_WARNING, __VA_ARGS__)
#define DOCA_LOG_INFO(...) DOCA_LOG(DOCA_LOG_LEVEL_INFO, __VA_ARGS__)
#define DOCA_LOG_DBG(...) DOCA_LOG(DOCA_LOG_LEVEL_DEBUG, __VA_ARGS__)
#ifdef DOCA_LOGGING_ALLOW_TRACE
#define DOCA_LOG_TRC(...) DOCA_LOG(DOCA_LOG_LEVEL_TRACE, __VA_ARGS__)
#else
#define DOCA_LOG_TRC(...) ((void)0)
#endif

/* Log a record from this place at most `per_second` times per second. */
#define DOCA_CORE_LOG_LIMITED(level, per_second, ...)                                              \
    do {                                                                                           \
        static struct doca_core_log_limit doca_priv_log_limit;                                     \
        (void)doca_core_log_limited(&doca_priv_log_limit, (per_second), (level), log_source,       \
                                    __FILE__, __LINE__, __func__, __VA_ARGS__);                    \
    } while (0)

/* The vendor's macros for records with a rate limit, of versions up to 2.2. The limit is
 * DOCA_CORE_LOG_PER_SECOND. */
#define DOCA_LOG_RATE_LIMIT(level, ...)                                                            \
    DOCA_CORE_LOG_LIMITED(DOCA_LOG_LEVEL_##level, DOCA_CORE_LOG_PER_SECOND, __VA_ARGS__)
#define DOCA_LOG_RATE_LIMIT_CRIT(...) DOCA_LOG_RATE_LIMIT(CRIT, __VA_ARGS__)
#define DOCA_LOG_RATE_LIMIT_ERR(...) DOCA_LOG_RATE_LIMIT(ERROR, __VA_ARGS__)
#define DOCA_LOG_RATE_LIMIT_WARN(...) DOCA_LOG_RATE_LIMIT(WARNING, __VA_ARGS__)
#define DOCA_LOG_RATE_LIMIT_INFO(...) DOCA_LOG_RATE_LIMIT(INFO, __VA_ARGS__)
#define DOCA_LOG_RATE_LIMIT_DBG(...) DOCA_LOG_RATE_LIMIT(DEBUG, __VA_ARGS__)

/* Records for development. Without DOCA_LOGGING_ALLOW_DLOG these macros expand to nothing and do
 * not evaluate their arguments. */
#ifdef DOCA_LOGGING_ALLOW_DLOG
#define DOCA_DLOG(level, ...) DOCA_LOG(DOCA_LOG_LEVEL_##level, __VA_ARGS__)
#else
#define DOCA_DLOG(level, ...) ((void)0)
#endif
#define DOCA_DLOG_CRIT(...) DOCA_DLOG(CRIT, __VA_ARGS__)
#define DOCA_DLOG_ERR(...) DOCA_DLOG(ERROR, __VA_ARGS__)
#define DOCA_DLOG_WARN(...) DOCA_DLOG(WARNING, __VA_ARGS__)
#define DOCA_DLOG_INFO(...) DOCA_DLOG(INFO, __VA_ARGS__)
#define DOCA_DLOG_DBG(...) DOCA_DLOG(DEBUG, __VA_ARGS__)

#ifdef DOCA_CORE_LEGACY /* names of 1.x and 2.0 of calls that take the same parameters */
#define doca_logger_backend doca_log_backend
#define doca_log_create_standard_backend doca_log_backend_create_standard
#define doca_log_create_file_backend doca_log_backend_create_with_file
#define doca_log_create_fd_backend doca_log_backend_create_with_fd
#define doca_log_create_buffer_backend doca_log_backend_create_with_buf
#define doca_log_create_syslog_backend doca_log_backend_create_with_syslog
#define doca_log_backend_level_set doca_log_backend_set_level_lower_limit
#define doca_log_global_level_set doca_log_level_set_global_lower_limit
#define doca_log_global_level_get doca_log_level_get_global_lower_limit
#endif

/* Register a source for this file. The name is any sequence of tokens, for example A::B. The
 * source is registered before main() starts and unregistered after it returns. Use the macro
 * once per file, at file scope, with or without a semicolon; some declaration must follow it in
 * the file. TinyCC has no constructors, so a file that it compiles logs without a source. */
#define DOCA_LOG_REGISTER(...)                                                                     \
    static int log_source = -1;                                                                    \
    static __attribute__((destructor(101))) void doca_priv_log_source_leave(void)                  \
    {                                                                                              \
        (void)doca_log_unregister_source(log_source);                                              \
        log_source = -1;                                                                           \
    }                                                                                              \
    static __attribute__((constructor(101))) void doca_priv_log_source_enter(void)                 \
    {                                                                                              \
        (void)doca_log_register_source(#__VA_ARGS__, &log_source);                                 \
    }                                                                                              \
    DOCA_PRIV_LOG_SEMICOLON

/* DOCA_LOG_REGISTER must be valid with and without a semicolon after it. -pedantic warns about
 * a lone semicolon at file scope, but not about one after __extension__. Without a semicolon,
 * the word applies to the declaration that follows and turns its pedantic warnings off. */
#if defined(__GNUC__) && !defined(__TINYC__) && !defined(__cplusplus)
#define DOCA_PRIV_LOG_SEMICOLON __extension__
#else
#define DOCA_PRIV_LOG_SEMICOLON
#endif

#endif
