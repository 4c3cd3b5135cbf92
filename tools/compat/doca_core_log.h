/* doca_core_log.h - the logging API of the vendor's SDK (doca_log.h), for use with doca_core.h
 *
 * This header provides the names, values and signatures of doca_log.h as of version 3.0. It is
 * built on stdio and POSIX. It allocates no heap memory and starts no thread. doca_core.h does not
 * depend on it.
 *
 * DO THIS in one C (or C++) file, and include the header without the macro everywhere else:
 *
 *     #define DOCA_CORE_LOG_IMPLEMENTATION
 *     #include "doca_core_log.h"
 *
 * A RECORD is one line, which is written at once:
 *
 *     [HH:MM:SS:usec][thread id][DOCA][INF][file.c:line][function] text
 *
 * The time is local time. The level is printed as CRT, ERR, WRN, INF, DBG or TRC. A line that is
 * longer than DOCA_CORE_LOG_LINE_BYTES is cut and ends in "...".
 *
 * TWO SIDES. There are application backends and SDK backends. Records of the program go to every
 * application backend, and records of the library go to every SDK backend. Each backend has an
 * upper and a lower limit, and writes a record only when
 *
 *     upper limit <= level of the record <= lower limit       (CRIT is 20, TRACE is 70)
 *
 * The lower limit is therefore the least severe level that the backend writes. Each call that
 * creates an SDK backend or sets an SDK level installs this header as the sink of the library's
 * log and sets the library's level (doca_core_log_set_sink, doca_core_log_set_level). A program
 * that calls doca_core_log_set_sink() afterwards takes the library's log away from this header. A
 * record of the library carries the function, object, state, reason and error code. It has no line
 * number and prints 0.
 *
 * LIFETIME. A backend cannot be destroyed, so the file, descriptor or buffer that it writes to must
 * outlive the program's use of the log. Closing the FILE of a backend is an error of the program.
 * When the descriptor of a backend is closed, its records are lost.
 *
 * MEMORY. Backends and sources are entries of tables with a fixed size. The C library itself may
 * allocate memory: for the time zone when the first backend is created, for the buffer of a FILE at
 * its first output, and at any time in syslog() and for unusual formats (%ls).
 *
 * THREADS. Any thread may make any call. A record outside the limits of every backend costs a few
 * loads and takes no lock. Writing a record takes one lock per backend. A record can be made while
 * the same thread is already writing to a backend, in a flush callback or a signal handler. Such a
 * record skips that backend, and every backend that another thread is writing to at that moment:
 * waiting for that thread could deadlock. A thread that waits for the lock calls sched_yield() in a
 * loop. If another thread holds the lock during fork(), the lock stays taken in the child. All
 * calls that log preserve errno.
 *
 * SIGNAL HANDLERS may call the logging macros, with or without a rate limit, and read the global
 * limits, even when they interrupt a call of this header. They may not make other calls. But the C
 * library takes its own locks in FILE output, in syslog() and in localtime(), which this header
 * calls for every record. So a signal handler must not log if it can interrupt the program's own
 * calls of these functions.
 *
 * ENVIRONMENT. DOCA_LOG_LEVEL sets the initial global lower limit, which otherwise is INFO. Its
 * value is one of the numbers 10, 20 ... 70 or a name from DISABLE to TRACE in upper or lower case.
 * A level that the program sets later replaces it. The first application backend logs a warning
 * about any other value. An empty value counts as unset.
 *
 * ERRORS are reported by code only; these calls do not set doca_core_last_error().
 *
 * Assumed, because the vendor's documents do not say: the error codes; that the latest call
 * determines a limit when one call sets it for one backend and another call for all backends; that
 * a level set by the program replaces the level of the environment; that the limits of an SDK
 * backend can be set like those of an application backend; that a second call of
 * doca_log_backend_create_standard() succeeds and changes nothing; that a buffer and syslog receive
 * the same line as a file; the spelling CRT.
 * Source: API reference, "DOCA Log"; DOCA Log guide.
 *
 * CONTENTS (search for the tag)
 *   API             >>log.config >>log.level >>log.backend >>log.record
 *   Private         >>priv.log.platform >>priv.log.table >>priv.log.line >>priv.log.write
 *                   >>priv.log.library >>priv.log.backend
 *   Implementation  >>impl.log.table >>impl.log.line >>impl.log.write >>impl.log.library
 *                   >>impl.log.backend >>impl.log.limit >>impl.log.record
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/compat/log/. Change the parts.
 */
#ifndef DOCA_CORE_LOG_H
#define DOCA_CORE_LOG_H

#include "doca_core.h"

/* part: src/compat/log/config.h */
/* ---- >>log.config ----------------------------------------------------------------------------
 * Limits of this header. Define them before the include, with the same value in every file.     */

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

#ifdef __cplusplus
extern "C" {
#endif

/* part: src/compat/log/level.h */
/* ---- >>log.level -----------------------------------------------------------------------------
 * Log levels. doca_core_log.h and doca_core_argp.h both contain them, and whichever is included
 * first defines them.                                                                           */

#ifndef DOCA_CORE_LOG_LEVELS /* doca_core_argp.h contains the same definition */
#define DOCA_CORE_LOG_LEVELS
enum doca_log_level {
    DOCA_LOG_LEVEL_DISABLE = 10, /* as a lower limit: write no record */
    DOCA_LOG_LEVEL_CRIT = 20,
    DOCA_LOG_LEVEL_ERROR = 30,
    DOCA_LOG_LEVEL_WARNING = 40,
    DOCA_LOG_LEVEL_INFO = 50,
    DOCA_LOG_LEVEL_DEBUG = 60,
    DOCA_LOG_LEVEL_TRACE = 70
};
#endif

/* part: src/compat/log/backend.h */
/* ---- >>log.backend ---------------------------------------------------------------------------
 * Backends: the places that records are written to, and the limits that choose records.         */

/* A destination of records. It belongs to the application side or to the SDK side, and has its own
 * limits. */
struct doca_log_backend;

/* Process the record in `buf`: one line with newline and NUL, valid until the callback returns.
 * Threads   runs in the thread that logs; one call at a time per backend
 * Callback  may log (see THREADS above); must not throw and must not leave by longjmp */
typedef void (*log_flush_callback)(char *buf);

/* ---- Creating a backend: the following is true for every call that creates a backend
 *
 *   backend  out: handle of the backend, for the calls that set limits
 *
 * Owns      one entry of the table of backends, until the program ends
 * Threads   any
 * Errors    INVALID_VALUE  an argument is NULL or invalid
 *           NO_MEMORY      there are DOCA_CORE_LOG_MAX_BACKENDS already; nothing changed
 *
 * A new application backend starts with the global limits, and a new SDK backend with the global
 * SDK limit. */

/* Send records of level INFO and less severe to stdout, and records of level WARNING and more
 * severe to stderr. These are two application backends. Global limits do not move the boundary
 * between them. Does nothing when the standard backends exist. */
doca_error_t doca_log_backend_create_standard(void);

/* Send records to `fptr`, and flush it after each record. */
doca_error_t doca_log_backend_create_with_file(FILE *fptr, struct doca_log_backend **backend);

/* Send records to the descriptor `fd`, which must be at least 0. Each record is one write(), or
 * several when the system accepts only part of it. */
doca_error_t doca_log_backend_create_with_fd(int fd, struct doca_log_backend **backend);

/* Write each record to the start of `buf` and call `handler`. A record that does not fit is cut
 * and ends in "...".
 *
 *   capacity  size of `buf` in bytes, at least 5 */
doca_error_t doca_log_backend_create_with_buf(char *buf, size_t capacity,
                                              log_flush_callback handler,
                                              struct doca_log_backend **backend);

/* The same call under its name in 2.5. */
doca_error_t doca_log_backend_create_with_buffer(char *buf, size_t capacity,
                                                 log_flush_callback handler,
                                                 struct doca_log_backend **backend);

/* Send records to syslog() with the facility of user programs. The C library has one name per
 * process, so the most recent `name` applies to all records. The name is copied and cut to 63
 * bytes. */
doca_error_t doca_log_backend_create_with_syslog(const char *name,
                                                 struct doca_log_backend **backend);

/* Create SDK backends, which write the records of the library. The calls are otherwise the same as
 * the calls above. */
doca_error_t doca_log_backend_create_with_file_sdk(FILE *fptr, struct doca_log_backend **backend);
doca_error_t doca_log_backend_create_with_fd_sdk(int fd, struct doca_log_backend **backend);
doca_error_t doca_log_backend_create_with_buf_sdk(char *buf, size_t capacity,
                                                  log_flush_callback handler,
                                                  struct doca_log_backend **backend);
doca_error_t doca_log_backend_create_with_syslog_sdk(const char *name,
                                                     struct doca_log_backend **backend);

/* ---- Limits: a level is one of 10, 20 ... 70
 *
 * Threads   any; a record that another thread is writing may still use the old limit
 * Errors    INVALID_VALUE  `backend` is not a backend, or belongs to the other side, or the level
 *                          is none of the values above
 *           NOT_PERMITTED  the level is beyond the strict limit of the backend; nothing changed */

/* Set the lower limit of one SDK backend: it writes records of the library that have this level or
 * are more severe. */
doca_error_t doca_log_backend_set_sdk_level(struct doca_log_backend *backend, uint32_t level);

/* Set the lower limit of one backend of either side: the least severe level that it writes. */
doca_error_t doca_log_backend_set_level_lower_limit(struct doca_log_backend *backend,
                                                    uint32_t level);

/* Set the upper limit of one backend of either side: the most severe level that it writes. */
doca_error_t doca_log_backend_set_level_upper_limit(struct doca_log_backend *backend,
                                                    uint32_t upper_limit);

/* Make the current lower limit of the backend strict: from then on the backend never writes less
 * severe records. A call that sets the lower limit of this backend fails if the new limit is less
 * severe than the strict limit. A call for all backends sets the limit of this backend to the
 * strict limit in this case. A strict limit cannot be removed. */
doca_error_t doca_log_backend_set_level_lower_limit_strict(struct doca_log_backend *backend);

/* Make the current upper limit of the backend strict: from then on the backend never writes more
 * severe records. The rest is as in the call above. */
doca_error_t doca_log_backend_set_level_upper_limit_strict(struct doca_log_backend *backend);

/* Set the lower limit of all existing and future application backends. The initial limit is the
 * level in the environment variable DOCA_LOG_LEVEL, or INFO. */
doca_error_t doca_log_level_set_global_lower_limit(uint32_t level);

/* Set the upper limit of all existing and future application backends. The initial limit is
 * CRIT. */
doca_error_t doca_log_level_set_global_upper_limit(uint32_t upper_limit);

uint32_t doca_log_level_get_global_lower_limit(void);
uint32_t doca_log_level_get_global_upper_limit(void);

/* Set the lower limit of all existing and future SDK backends. The initial limit is INFO. While
 * there is no SDK backend, the library uses the level of doca_core_log_set_level(). */
doca_error_t doca_log_level_set_global_sdk_limit(uint32_t level);

uint32_t doca_log_level_get_global_sdk_limit(void);

/* part: src/compat/log/record.h */
/* ---- >>log.record ----------------------------------------------------------------------------
 * Sources, records, and the macros that a program logs with.                                    */

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

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_LOG_H */

#if defined(DOCA_CORE_LOG_IMPLEMENTATION) && !defined(DOCA_PRIV_LOG_IMPLEMENTED)
#define DOCA_PRIV_LOG_IMPLEMENTED

#ifndef DOCA_PRIV_DECL
#define DOCA_PRIV_DECL static
#endif

/* part: src/compat/log/platform_priv.h */
/* ---- >>priv.log.platform ---------------------------------------------------------------------
 * System headers, and the macros that hide the differences between compilers.                   */

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

#ifdef __cplusplus
extern "C" {
#endif

/* part: src/compat/log/table_priv.h */
/* ---- >>priv.log.table ------------------------------------------------------------------------
 * The state of the log: one table per process.                                                  */

#define DOCA_PRIV_LOG_NAME_BYTES 64

struct doca_log_backend {
    uintptr_t lock;
    doca_error_t (*put)(struct doca_log_backend *backend, uint32_t level, const char *line,
                        size_t len);
    bool is_sdk;
    uint32_t lower;
    uint32_t upper;
    uint32_t lowest;  /* strict limits: lower <= lowest, upper >= highest */
    uint32_t highest;
    FILE *file;
    int fd;
    char *buf;
    size_t capacity;
    log_flush_callback handler;
    char name[DOCA_PRIV_LOG_NAME_BYTES];
};

struct doca_priv_log_limits {
    uint32_t lower;
    uint32_t upper;
    uint32_t sdk;
};

/* The lock guards all members except two that are read for each record without the lock: the number
 * of backends, which only grows, and the limits of each backend, which are read one word at a
 * time. */
struct doca_priv_log_table {
    uintptr_t lock;
    bool has_read_environment;
    bool has_bad_environment; /* the warning about the bad value of the environment has not been
                               * logged yet */
    bool has_standard;
    uint32_t num_backends;
    struct doca_log_backend backends[DOCA_CORE_LOG_MAX_BACKENDS];
    struct {
        bool is_taken;
        char name[DOCA_PRIV_LOG_NAME_BYTES];
    } sources[DOCA_CORE_LOG_MAX_SOURCES];
};

DOCA_PRIV_DECL bool doca_priv_log_enter(uintptr_t *lock, bool waits);
DOCA_PRIV_DECL void doca_priv_log_leave(uintptr_t *lock);
DOCA_PRIV_DECL bool doca_priv_log_is_level(uint32_t level);
DOCA_PRIV_DECL const char *doca_priv_log_environment(void);
DOCA_PRIV_DECL void doca_priv_log_read_environment(void);
DOCA_PRIV_DECL bool doca_priv_log_try_lock(void);
DOCA_PRIV_DECL void doca_priv_log_lock(void);
DOCA_PRIV_DECL void doca_priv_log_unlock(void);
DOCA_PRIV_DECL void doca_priv_log_name(char *to, const char *from);

/* part: src/compat/log/line_priv.h */
/* ---- >>priv.log.line -------------------------------------------------------------------------
 * The line of one record, while it is being built.                                              */

struct doca_priv_log_line {
    char text[DOCA_CORE_LOG_LINE_BYTES];
    size_t len;
    bool is_cut;
};

DOCA_PRIV_DECL void doca_priv_log_add_args(struct doca_priv_log_line *line, const char *format,
                                           va_list args) DOCA_PRIV_LOG_FORMAT(2, 0);
DOCA_PRIV_DECL void doca_priv_log_add(struct doca_priv_log_line *line, const char *format, ...)
    DOCA_PRIV_LOG_FORMAT(2, 3);
DOCA_PRIV_DECL long doca_priv_log_second(time_t now);
DOCA_PRIV_DECL void doca_priv_log_begin(struct doca_priv_log_line *line, uint32_t level,
                                        const char *fname, int number, const char *func,
                                        int func_len);
DOCA_PRIV_DECL void doca_priv_log_end(struct doca_priv_log_line *line);

/* part: src/compat/log/write_priv.h */
/* ---- >>priv.log.write ------------------------------------------------------------------------
 * Functions and types of >>impl.log.write that other parts use.                                 */

struct doca_priv_log_line;

DOCA_PRIV_DECL bool doca_priv_log_is_wanted(bool is_sdk, uint32_t level);
DOCA_PRIV_DECL doca_error_t doca_priv_log_put(bool is_sdk, uint32_t level,
                                              struct doca_priv_log_line *line);

/* part: src/compat/log/library_priv.h */
/* ---- >>priv.log.library ----------------------------------------------------------------------
 * Functions and types of >>impl.log.library that other parts use.                               */

DOCA_PRIV_DECL void doca_priv_log_claim_library(void);

/* part: src/compat/log/backend_priv.h */
/* ---- >>priv.log.backend ----------------------------------------------------------------------
 * Functions and types of >>impl.log.backend that other parts use.                               */

struct doca_log_backend;

DOCA_PRIV_DECL void doca_priv_log_limit_lower(struct doca_log_backend *backend, uint32_t level);
DOCA_PRIV_DECL void doca_priv_log_limit_upper(struct doca_log_backend *backend, uint32_t level);

/* part: src/compat/log/table.c */
/* ---- >>impl.log.table ------------------------------------------------------------------------
 * The table of backends and sources, its lock, and the levels from the environment.             */

DOCA_PRIV_DECL struct doca_priv_log_limits doca_priv_log_global = {
    DOCA_LOG_LEVEL_INFO, DOCA_LOG_LEVEL_CRIT, DOCA_LOG_LEVEL_INFO
};

DOCA_PRIV_DECL struct doca_priv_log_table doca_priv_log_table;

static DOCA_PRIV_LOG_THREAD_LOCAL char doca_priv_log_self; /* its address identifies the thread */

/* Take the lock. Returns false when this thread holds it already, or when another thread holds
 * it and `waits` is false. */
DOCA_PRIV_DECL bool doca_priv_log_enter(uintptr_t *lock, bool waits)
{
    const uintptr_t self = (uintptr_t)&doca_priv_log_self;
    uintptr_t owner = 0;

    while (!DOCA_PRIV_LOG_SWAP(lock, &owner, self)) {
        if (owner == self || !waits)
            return false;
        owner = 0;
        sched_yield();
    }
    return true;
}

DOCA_PRIV_DECL void doca_priv_log_leave(uintptr_t *lock)
{
    DOCA_PRIV_LOG_STORE(lock, (uintptr_t)0);
}

DOCA_PRIV_DECL bool doca_priv_log_is_level(uint32_t level)
{
    return level % 10 == 0 && level >= DOCA_LOG_LEVEL_DISABLE && level <= DOCA_LOG_LEVEL_TRACE;
}

/* True when `text` equals `name`, ignoring case. `name` is in upper case. */
static bool doca_priv_log_is_word(const char *text, const char *name)
{
    while (*name != '\0' &&
           (*text == *name || (*name >= 'A' && *name <= 'Z' && *text == *name - 'A' + 'a'))) {
        text++;
        name++;
    }
    return *name == '\0' && *text == '\0';
}

/* Return the value of DOCA_LOG_LEVEL, or NULL when it is unset or empty. Also NULL when the
 * program runs with more rights than its caller (setuid and the like): the caller must not
 * control its log. */
DOCA_PRIV_DECL const char *doca_priv_log_environment(void)
{
    const char *text = NULL;

#ifdef __linux__
    if (getauxval(AT_SECURE) != 0)
        return NULL;
#else
    if (geteuid() != getuid() || getegid() != getgid())
        return NULL;
#endif
    text = getenv("DOCA_LOG_LEVEL");
    return text != NULL && *text != '\0' ? text : NULL;
}

/* Read the level from the environment, at the first call. Must run before the global limits are
 * used. The caller holds the lock. */
DOCA_PRIV_DECL void doca_priv_log_read_environment(void)
{
    static const struct {
        const char *number;
        const char *name;
        uint32_t level;
    } levels[] = {
        { "10", "DISABLE", DOCA_LOG_LEVEL_DISABLE }, { "20", "CRIT", DOCA_LOG_LEVEL_CRIT },
        { "30", "ERROR", DOCA_LOG_LEVEL_ERROR },     { "40", "WARNING", DOCA_LOG_LEVEL_WARNING },
        { "50", "INFO", DOCA_LOG_LEVEL_INFO },       { "60", "DEBUG", DOCA_LOG_LEVEL_DEBUG },
        { "70", "TRACE", DOCA_LOG_LEVEL_TRACE },
    };
    const char *text;
    size_t i;

    if (doca_priv_log_table.has_read_environment)
        return;
    doca_priv_log_table.has_read_environment = true;
    text = doca_priv_log_environment();
    if (text == NULL)
        return;
    for (i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        if (doca_priv_log_is_word(text, levels[i].number) ||
            doca_priv_log_is_word(text, levels[i].name)) {
            doca_priv_log_global.lower = levels[i].level;
            return;
        }
    }
    doca_priv_log_table.has_bad_environment = true;
}

/* Take the lock of the table. Returns false when this thread holds it, which happens in a signal
 * handler that interrupted a call of this header. */
DOCA_PRIV_DECL bool doca_priv_log_try_lock(void)
{
    return doca_priv_log_enter(&doca_priv_log_table.lock, true);
}

DOCA_PRIV_DECL void doca_priv_log_lock(void)
{
    while (!doca_priv_log_try_lock())
        continue;
}

DOCA_PRIV_DECL void doca_priv_log_unlock(void)
{
    doca_priv_log_leave(&doca_priv_log_table.lock);
}

/* Copy a name, and cut it to DOCA_PRIV_LOG_NAME_BYTES. */
DOCA_PRIV_DECL void doca_priv_log_name(char *to, const char *from)
{
    size_t len = strlen(from);

    if (len > DOCA_PRIV_LOG_NAME_BYTES - 1)
        len = DOCA_PRIV_LOG_NAME_BYTES - 1;
    memcpy(to, from, len);
    to[len] = '\0';
}

/* part: src/compat/log/line.c */
/* ---- >>impl.log.line -------------------------------------------------------------------------
 * Build the line of one record.                                                                 */

/* this thread is in localtime_r() */
static DOCA_PRIV_LOG_THREAD_LOCAL volatile bool doca_priv_log_is_in_zone;

DOCA_PRIV_DECL const char doca_priv_log_mark[5] = "...\n";

/* Append formatted text to the line. Text that does not fit is cut; the last byte is reserved
 * for the newline. */
DOCA_PRIV_DECL void doca_priv_log_add_args(struct doca_priv_log_line *line, const char *format,
                                           va_list args)
{
    size_t room = sizeof(line->text) - 1 - line->len; /* including the NUL */
    int len = vsnprintf(line->text + line->len, room, format, args);

    if (len < 0) {
        line->text[line->len] = '\0';
    } else if ((size_t)len < room) {
        line->len += (size_t)len;
    } else {
        line->len += room - 1;
        line->is_cut = true;
    }
}

DOCA_PRIV_DECL void doca_priv_log_add(struct doca_priv_log_line *line, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    doca_priv_log_add_args(line, format, args);
    va_end(args);
}

/* Return the second of the local day. The C library holds a lock inside localtime_r(). A signal
 * handler that interrupts this thread there would wait for that lock forever, so it uses the
 * last known offset from UTC instead. */
DOCA_PRIV_DECL long doca_priv_log_second(time_t now)
{
    /* local time minus UTC in seconds, more than minus one day and less than one day */
    static long offset;
    const long day = 86400, utc = (long)(now % day);
    struct tm tm;

    if (!doca_priv_log_is_in_zone) {
        memset(&tm, 0, sizeof(tm));
        doca_priv_log_is_in_zone = true;
        localtime_r(&now, &tm);
        doca_priv_log_is_in_zone = false;
        DOCA_PRIV_LOG_STORE(&offset, tm.tm_hour * 3600L + tm.tm_min * 60 + tm.tm_sec - utc);
    }
    return (utc + DOCA_PRIV_LOG_LOAD(&offset) + 2 * day) % day;
}

#ifdef __linux__
/* Make a system call. All arguments have type long: if an int were passed to syscall(), the upper
 * half of the register would be undefined. tools/check_syscalls checks that this is the only
 * function of this header that calls syscall(). */
static long doca_priv_log_call(long number, long a, long b, long c, long d, long e, long f)
{
    return syscall(number, a, b, c, d, e, f);
}
#endif

DOCA_PRIV_DECL void doca_priv_log_begin(struct doca_priv_log_line *line, uint32_t level,
                                        const char *fname, int number, const char *func,
                                        int func_len)
{
    static const char *const names[] = { "CRT", "ERR", "WRN", "INF", "DBG", "TRC" };
    const char *slash = fname != NULL ? strrchr(fname, '/') : NULL;
    struct timeval now = { 0, 0 };
    long thread, second;

#ifdef __linux__
    thread = doca_priv_log_call(SYS_gettid, 0, 0, 0, 0, 0, 0);
#else
    thread = (long)getpid();
#endif
    gettimeofday(&now, NULL);
    second = doca_priv_log_second(now.tv_sec);
    line->len = 0;
    line->is_cut = false;
    doca_priv_log_add(line, "[%02ld:%02ld:%02ld:%06ld][%ld][DOCA][%s][%s:%d][%.*s] ", second / 3600,
                      second / 60 % 60, second % 60, (long)now.tv_usec, thread,
                      names[level / 10 - 2],
                      slash != NULL   ? slash + 1
                      : fname != NULL ? fname
                                      : "?",
                      number, func_len, func);
}

DOCA_PRIV_DECL void doca_priv_log_end(struct doca_priv_log_line *line)
{
    const size_t dots = sizeof(doca_priv_log_mark) - 2;

    if (line->is_cut)
        memcpy(line->text + line->len - dots, doca_priv_log_mark, dots);
    line->text[line->len++] = '\n';
    line->text[line->len] = '\0';
}

/* part: src/compat/log/write.c */
/* ---- >>impl.log.write ------------------------------------------------------------------------
 * Hand a record to every backend whose limits include its level.                                */

/* number of backends that this thread is writing to */
static DOCA_PRIV_LOG_THREAD_LOCAL unsigned doca_priv_log_depth;

static bool doca_priv_log_wants(const struct doca_log_backend *backend, bool is_sdk,
                                uint32_t level)
{
    return backend->is_sdk == is_sdk && level <= DOCA_PRIV_LOG_LOAD(&backend->lower) &&
           level >= DOCA_PRIV_LOG_LOAD(&backend->upper);
}

DOCA_PRIV_DECL bool doca_priv_log_is_wanted(bool is_sdk, uint32_t level)
{
    uint32_t num = DOCA_PRIV_LOG_LOAD(&doca_priv_log_table.num_backends), i;

    for (i = 0; i < num; i++)
        if (doca_priv_log_wants(&doca_priv_log_table.backends[i], is_sdk, level))
            return true;
    return false;
}

DOCA_PRIV_DECL doca_error_t doca_priv_log_put(bool is_sdk, uint32_t level,
                                              struct doca_priv_log_line *line)
{
    uint32_t num = DOCA_PRIV_LOG_LOAD(&doca_priv_log_table.num_backends), i;
    doca_error_t rc = DOCA_SUCCESS;

    doca_priv_log_end(line);
    for (i = 0; i < num; i++) {
        struct doca_log_backend *backend = &doca_priv_log_table.backends[i];

        if (doca_priv_log_wants(backend, is_sdk, level) &&
            doca_priv_log_enter(&backend->lock, doca_priv_log_depth == 0)) {
            doca_error_t put_rc;

            doca_priv_log_depth++;
            put_rc = backend->put(backend, level, line->text, line->len);
            doca_priv_log_depth--;
            doca_priv_log_leave(&backend->lock);
            DOCA_ERROR_PROPAGATE(rc, put_rc);
        }
    }
    return rc;
}

/* part: src/compat/log/library.c */
/* ---- >>impl.log.library ----------------------------------------------------------------------
 * Forward the records of the library to the SDK backends.                                       */

/* Sink of the library's log. `said` reads "doca_core: function: reason", or "doca_core: reason"
 * without a function. */
static void doca_priv_log_sink(uint32_t level, enum doca_core_item item, const char *said,
                               void *user)
{
    static const char head[] = "doca_core: ";
    const char *func = said, *end, *text;
    struct doca_priv_log_line line;
    int saved = errno;

    (void)item;
    (void)user;
    if (!doca_priv_log_is_wanted(true, level))
        return;
    if (strncmp(said, head, sizeof(head) - 1) == 0)
        func = said + sizeof(head) - 1;
    text = func;
    end = func + strspn(func, "abcdefghijklmnopqrstuvwxyz0123456789_");
    if (end > func && strncmp(end, ": ", 2) == 0)
        text = end + 2;
    else
        end = func;
    doca_priv_log_begin(&line, level, "doca_core.h", 0, func, (int)(end - func));
    doca_priv_log_add(&line, "%s", text);
    (void)doca_priv_log_put(true, level, &line);
    errno = saved;
}

/* Make this header the sink of the library's log, with the least severe level that any SDK
 * backend wants. Does nothing when there is no SDK backend. The caller holds the lock. */
DOCA_PRIV_DECL void doca_priv_log_claim_library(void)
{
    uint32_t level = 0, i;

    for (i = 0; i < doca_priv_log_table.num_backends; i++) {
        const struct doca_log_backend *backend = &doca_priv_log_table.backends[i];

        if (backend->is_sdk && backend->lower > level)
            level = backend->lower;
    }
    if (level == 0)
        return; /* no SDK backend */
    doca_core_log_set_level(level < DOCA_CORE_LOG_DEBUG ? level : DOCA_CORE_LOG_DEBUG);
    doca_core_log_set_sink(doca_priv_log_sink, NULL);
}

/* part: src/compat/log/backend.c */
/* ---- >>impl.log.backend ----------------------------------------------------------------------
 * Destinations of records, and the calls that create backends for them.                         */

static doca_error_t doca_priv_log_put_file(struct doca_log_backend *backend, uint32_t level,
                                           const char *line, size_t len)
{
    (void)level;
    return fwrite(line, 1, len, backend->file) == len && fflush(backend->file) == 0
               ? DOCA_SUCCESS
               : DOCA_ERROR_IO_FAILED;
}

static doca_error_t doca_priv_log_put_fd(struct doca_log_backend *backend, uint32_t level,
                                         const char *line, size_t len)
{
    (void)level;
    while (len > 0) {
        ssize_t done = write(backend->fd, line, len);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return DOCA_ERROR_IO_FAILED;
        line += done;
        len -= (size_t)done;
    }
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_log_put_buf(struct doca_log_backend *backend, uint32_t level,
                                          const char *line, size_t len)
{
    size_t kept = backend->capacity - sizeof(doca_priv_log_mark);

    (void)level;
    if (len < backend->capacity) {
        memcpy(backend->buf, line, len + 1);
    } else {
        memcpy(backend->buf, line, kept);
        memcpy(backend->buf + kept, doca_priv_log_mark, sizeof(doca_priv_log_mark));
    }
    backend->handler(backend->buf);
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_log_put_syslog(struct doca_log_backend *backend, uint32_t level,
                                             const char *line, size_t len)
{
    static const int priorities[] = { LOG_CRIT, LOG_ERR, LOG_WARNING, LOG_INFO, LOG_DEBUG,
                                      LOG_DEBUG };

    (void)backend;
    (void)len;
    syslog(priorities[level / 10 - 2], "%s", line);
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL void doca_priv_log_limit_lower(struct doca_log_backend *backend, uint32_t level)
{
    DOCA_PRIV_LOG_STORE(&backend->lower, level < backend->lowest ? level : backend->lowest);
}

DOCA_PRIV_DECL void doca_priv_log_limit_upper(struct doca_log_backend *backend, uint32_t level)
{
    DOCA_PRIV_LOG_STORE(&backend->upper, level > backend->highest ? level : backend->highest);
}

static struct doca_log_backend doca_priv_log_draft(bool is_sdk)
{
    struct doca_log_backend draft;

    memset(&draft, 0, sizeof(draft));
    draft.is_sdk = is_sdk;
    draft.lowest = DOCA_LOG_LEVEL_TRACE;
    draft.highest = DOCA_LOG_LEVEL_DISABLE;
    return draft;
}

/* Add a backend to the table. The caller holds the lock and has checked that an entry is free. */
static struct doca_log_backend *doca_priv_log_append(const struct doca_log_backend *draft)
{
    uint32_t num = doca_priv_log_table.num_backends;
    struct doca_log_backend *backend = &doca_priv_log_table.backends[num];

    doca_priv_log_read_environment();
    *backend = *draft;
    doca_priv_log_limit_lower(backend, draft->is_sdk ? doca_priv_log_global.sdk
                                                     : doca_priv_log_global.lower);
    doca_priv_log_limit_upper(backend, draft->is_sdk ? (uint32_t)DOCA_LOG_LEVEL_CRIT
                                                     : doca_priv_log_global.upper);
    if (backend->put == doca_priv_log_put_syslog)
        openlog(backend->name, LOG_PID, LOG_USER);
    DOCA_PRIV_LOG_STORE(&doca_priv_log_table.num_backends, num + 1);
    return backend;
}

/* Finish the creation of a backend outside the lock: read the time zone, and log the warning
 * about the environment when this is the first application backend. */
static void doca_priv_log_prepare(bool is_sdk)
{
    const char *text = doca_priv_log_environment();
    bool tells = false;

    /* the C library reads the time zone here and may allocate memory */
    (void)doca_priv_log_second(time(NULL));
    if (!is_sdk) {
        doca_priv_log_lock();
        tells = doca_priv_log_table.has_bad_environment;
        doca_priv_log_table.has_bad_environment = false;
        doca_priv_log_unlock();
    }
    if (tells)
        (void)doca_log(DOCA_LOG_LEVEL_WARNING, -1, __FILE__, __LINE__, __func__,
                       "DOCA_LOG_LEVEL is \"%s\", which is neither a level (10, 20 ... 70) nor the "
                       "name of one (DISABLE ... TRACE); using INFO",
                       text != NULL ? text : "");
}

static doca_error_t doca_priv_log_create(const struct doca_log_backend *draft, bool is_valid,
                                         struct doca_log_backend **backend)
{
    bool has_room;

    if (!is_valid || backend == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    doca_priv_log_lock();
    has_room = doca_priv_log_table.num_backends < DOCA_CORE_LOG_MAX_BACKENDS;
    if (has_room) {
        *backend = doca_priv_log_append(draft);
        if (draft->is_sdk)
            doca_priv_log_claim_library();
    }
    doca_priv_log_unlock();
    if (!has_room)
        return DOCA_ERROR_NO_MEMORY;
    doca_priv_log_prepare(draft->is_sdk);
    return DOCA_SUCCESS;
}

doca_error_t doca_log_backend_create_standard(void)
{
    struct doca_log_backend out = doca_priv_log_draft(false), err = out;
    bool has_room;

    out.put = err.put = doca_priv_log_put_file;
    out.file = stdout;
    out.highest = DOCA_LOG_LEVEL_INFO;
    err.file = stderr;
    err.lowest = DOCA_LOG_LEVEL_WARNING;
    doca_priv_log_lock();
    has_room = doca_priv_log_table.num_backends + 2 <= DOCA_CORE_LOG_MAX_BACKENDS;
    if (has_room && !doca_priv_log_table.has_standard) {
        doca_priv_log_append(&out);
        doca_priv_log_append(&err);
        doca_priv_log_table.has_standard = true;
    }
    has_room = doca_priv_log_table.has_standard;
    doca_priv_log_unlock();
    if (!has_room)
        return DOCA_ERROR_NO_MEMORY;
    doca_priv_log_prepare(false);
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_log_create_file(FILE *fptr, bool is_sdk,
                                              struct doca_log_backend **backend)
{
    struct doca_log_backend draft = doca_priv_log_draft(is_sdk);

    draft.put = doca_priv_log_put_file;
    draft.file = fptr;
    return doca_priv_log_create(&draft, fptr != NULL, backend);
}

doca_error_t doca_log_backend_create_with_file(FILE *fptr, struct doca_log_backend **backend)
{
    return doca_priv_log_create_file(fptr, false, backend);
}

doca_error_t doca_log_backend_create_with_file_sdk(FILE *fptr, struct doca_log_backend **backend)
{
    return doca_priv_log_create_file(fptr, true, backend);
}

static doca_error_t doca_priv_log_create_fd(int fd, bool is_sdk, struct doca_log_backend **backend)
{
    struct doca_log_backend draft = doca_priv_log_draft(is_sdk);

    draft.put = doca_priv_log_put_fd;
    draft.fd = fd;
    return doca_priv_log_create(&draft, fd >= 0, backend);
}

doca_error_t doca_log_backend_create_with_fd(int fd, struct doca_log_backend **backend)
{
    return doca_priv_log_create_fd(fd, false, backend);
}

doca_error_t doca_log_backend_create_with_fd_sdk(int fd, struct doca_log_backend **backend)
{
    return doca_priv_log_create_fd(fd, true, backend);
}

static doca_error_t doca_priv_log_create_buf(char *buf, size_t capacity,
                                             log_flush_callback handler, bool is_sdk,
                                             struct doca_log_backend **backend)
{
    struct doca_log_backend draft = doca_priv_log_draft(is_sdk);

    draft.put = doca_priv_log_put_buf;
    draft.buf = buf;
    draft.capacity = capacity;
    draft.handler = handler;
    return doca_priv_log_create(
        &draft, buf != NULL && handler != NULL && capacity >= sizeof(doca_priv_log_mark), backend);
}

doca_error_t doca_log_backend_create_with_buf(char *buf, size_t capacity,
                                              log_flush_callback handler,
                                              struct doca_log_backend **backend)
{
    return doca_priv_log_create_buf(buf, capacity, handler, false, backend);
}

doca_error_t doca_log_backend_create_with_buffer(char *buf, size_t capacity,
                                                 log_flush_callback handler,
                                                 struct doca_log_backend **backend)
{
    return doca_log_backend_create_with_buf(buf, capacity, handler, backend);
}

doca_error_t doca_log_backend_create_with_buf_sdk(char *buf, size_t capacity,
                                                  log_flush_callback handler,
                                                  struct doca_log_backend **backend)
{
    return doca_priv_log_create_buf(buf, capacity, handler, true, backend);
}

static doca_error_t doca_priv_log_create_syslog(const char *name, bool is_sdk,
                                                struct doca_log_backend **backend)
{
    struct doca_log_backend draft = doca_priv_log_draft(is_sdk);

    draft.put = doca_priv_log_put_syslog;
    doca_priv_log_name(draft.name, name != NULL ? name : "");
    return doca_priv_log_create(&draft, name != NULL, backend);
}

doca_error_t doca_log_backend_create_with_syslog(const char *name,
                                                 struct doca_log_backend **backend)
{
    return doca_priv_log_create_syslog(name, false, backend);
}

doca_error_t doca_log_backend_create_with_syslog_sdk(const char *name,
                                                     struct doca_log_backend **backend)
{
    return doca_priv_log_create_syslog(name, true, backend);
}

/* part: src/compat/log/limit.c */
/* ---- >>impl.log.limit ------------------------------------------------------------------------
 * Calls that set and read limits.                                                               */

/* True when `backend` is in the table. The caller holds the lock. */
static bool doca_priv_log_is_backend(const struct doca_log_backend *backend)
{
    uint32_t i;

    for (i = 0; i < doca_priv_log_table.num_backends; i++)
        if (backend == &doca_priv_log_table.backends[i])
            return true;
    return false;
}

static doca_error_t doca_priv_log_set_lower(struct doca_log_backend *backend, uint32_t level,
                                            bool must_be_sdk)
{
    doca_error_t rc = DOCA_SUCCESS;

    doca_priv_log_lock();
    if (!doca_priv_log_is_level(level) || !doca_priv_log_is_backend(backend) ||
        (must_be_sdk && !backend->is_sdk))
        rc = DOCA_ERROR_INVALID_VALUE;
    else if (level > backend->lowest)
        rc = DOCA_ERROR_NOT_PERMITTED;
    else
        doca_priv_log_limit_lower(backend, level);
    if (rc == DOCA_SUCCESS && backend->is_sdk)
        doca_priv_log_claim_library();
    doca_priv_log_unlock();
    return rc;
}

doca_error_t doca_log_backend_set_sdk_level(struct doca_log_backend *backend, uint32_t level)
{
    return doca_priv_log_set_lower(backend, level, true);
}

doca_error_t doca_log_backend_set_level_lower_limit(struct doca_log_backend *backend,
                                                    uint32_t level)
{
    return doca_priv_log_set_lower(backend, level, false);
}

doca_error_t doca_log_backend_set_level_upper_limit(struct doca_log_backend *backend,
                                                    uint32_t upper_limit)
{
    doca_error_t rc = DOCA_SUCCESS;

    doca_priv_log_lock();
    if (!doca_priv_log_is_level(upper_limit) || !doca_priv_log_is_backend(backend))
        rc = DOCA_ERROR_INVALID_VALUE;
    else if (upper_limit < backend->highest)
        rc = DOCA_ERROR_NOT_PERMITTED;
    else
        doca_priv_log_limit_upper(backend, upper_limit);
    doca_priv_log_unlock();
    return rc;
}

doca_error_t doca_log_backend_set_level_lower_limit_strict(struct doca_log_backend *backend)
{
    doca_error_t rc = DOCA_ERROR_INVALID_VALUE;

    doca_priv_log_lock();
    if (doca_priv_log_is_backend(backend)) {
        backend->lowest = backend->lower;
        rc = DOCA_SUCCESS;
    }
    doca_priv_log_unlock();
    return rc;
}

doca_error_t doca_log_backend_set_level_upper_limit_strict(struct doca_log_backend *backend)
{
    doca_error_t rc = DOCA_ERROR_INVALID_VALUE;

    doca_priv_log_lock();
    if (doca_priv_log_is_backend(backend)) {
        backend->highest = backend->upper;
        rc = DOCA_SUCCESS;
    }
    doca_priv_log_unlock();
    return rc;
}

/* Set `*global` to `level`, and call `limit` with it for every backend of that side. */
static doca_error_t doca_priv_log_set_global(uint32_t *global, uint32_t level, bool is_sdk,
                                             void (*limit)(struct doca_log_backend *, uint32_t))
{
    uint32_t i;

    if (!doca_priv_log_is_level(level))
        return DOCA_ERROR_INVALID_VALUE;
    doca_priv_log_lock();
    doca_priv_log_read_environment();
    *global = level;
    for (i = 0; i < doca_priv_log_table.num_backends; i++)
        if (doca_priv_log_table.backends[i].is_sdk == is_sdk)
            limit(&doca_priv_log_table.backends[i], level);
    if (is_sdk)
        doca_priv_log_claim_library();
    doca_priv_log_unlock();
    return DOCA_SUCCESS;
}

static uint32_t doca_priv_log_get_global(const uint32_t *global)
{
    bool is_locked = doca_priv_log_try_lock();
    uint32_t level;

    if (is_locked)
        doca_priv_log_read_environment();
    level = *global;
    if (is_locked)
        doca_priv_log_unlock();
    return level;
}

doca_error_t doca_log_level_set_global_lower_limit(uint32_t level)
{
    return doca_priv_log_set_global(&doca_priv_log_global.lower, level, false,
                                    doca_priv_log_limit_lower);
}

doca_error_t doca_log_level_set_global_upper_limit(uint32_t upper_limit)
{
    return doca_priv_log_set_global(&doca_priv_log_global.upper, upper_limit, false,
                                    doca_priv_log_limit_upper);
}

doca_error_t doca_log_level_set_global_sdk_limit(uint32_t level)
{
    return doca_priv_log_set_global(&doca_priv_log_global.sdk, level, true,
                                    doca_priv_log_limit_lower);
}

uint32_t doca_log_level_get_global_lower_limit(void)
{
    return doca_priv_log_get_global(&doca_priv_log_global.lower);
}

uint32_t doca_log_level_get_global_upper_limit(void)
{
    return doca_priv_log_get_global(&doca_priv_log_global.upper);
}

uint32_t doca_log_level_get_global_sdk_limit(void)
{
    return doca_priv_log_get_global(&doca_priv_log_global.sdk);
}

/* part: src/compat/log/record.c */
/* ---- >>impl.log.record -----------------------------------------------------------------------
 * Sources, and the calls that write records of the program.                                     */

doca_error_t doca_log_register_source(const char *source_name, int *source)
{
    doca_error_t rc = DOCA_ERROR_NO_MEMORY;
    int i;

    if (source_name == NULL || source == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    doca_priv_log_lock();
    for (i = 0; i < DOCA_CORE_LOG_MAX_SOURCES; i++) {
        if (!doca_priv_log_table.sources[i].is_taken) {
            doca_priv_log_table.sources[i].is_taken = true;
            doca_priv_log_name(doca_priv_log_table.sources[i].name, source_name);
            *source = i;
            rc = DOCA_SUCCESS;
            break;
        }
    }
    doca_priv_log_unlock();
    return rc;
}

doca_error_t doca_log_unregister_source(int source)
{
    doca_error_t rc = DOCA_ERROR_INVALID_VALUE;

    doca_priv_log_lock();
    if (source >= 0 && source < DOCA_CORE_LOG_MAX_SOURCES &&
        doca_priv_log_table.sources[source].is_taken) {
        doca_priv_log_table.sources[source].is_taken = false;
        rc = DOCA_SUCCESS;
    }
    doca_priv_log_unlock();
    return rc;
}

const char *doca_core_log_source_name(int source)
{
    const char *name = "";

    doca_priv_log_lock();
    if (source >= 0 && source < DOCA_CORE_LOG_MAX_SOURCES &&
        doca_priv_log_table.sources[source].is_taken)
        name = doca_priv_log_table.sources[source].name;
    doca_priv_log_unlock();
    return name;
}

static bool doca_priv_log_is_record(uint32_t level, const char *format)
{
    return doca_priv_log_is_level(level) && level != DOCA_LOG_LEVEL_DISABLE && format != NULL;
}

doca_error_t doca_log(uint32_t level, int source, const char *fname, int line, const char *func,
                      const char *format, ...)
{
    struct doca_priv_log_line record;
    int saved = errno;
    doca_error_t rc;
    va_list args;

    (void)source;
    if (!doca_priv_log_is_record(level, format))
        return DOCA_ERROR_INVALID_VALUE;
    if (!doca_priv_log_is_wanted(false, level))
        return DOCA_SUCCESS;
    doca_priv_log_begin(&record, level, fname, line, func != NULL ? func : "?", -1);
    errno = saved; /* the format may contain %m */
    va_start(args, format);
    doca_priv_log_add_args(&record, format, args);
    va_end(args);
    rc = doca_priv_log_put(false, level, &record);
    errno = saved;
    return rc;
}

/* Count a record against `limit`. Returns true when it may be written; `num_dropped` is then the
 * number of records dropped before it. Returns false when the record is to be dropped. A signal
 * handler that interrupted a call which holds the lock drops its record without counting it. */
static bool doca_priv_log_limit_count(struct doca_core_log_limit *limit, uint32_t per_second,
                                      uint32_t *num_dropped)
{
    uint64_t second = (uint64_t)time(NULL);
    bool is_allowed;

    if (!doca_priv_log_try_lock())
        return false;
    if (limit->second != second) {
        limit->second = second;
        limit->num_written = 0;
    }
    is_allowed = limit->num_written < per_second;
    *num_dropped = limit->num_dropped;
    if (is_allowed) {
        limit->num_written++;
        limit->num_dropped = 0;
    } else {
        limit->num_dropped++;
    }
    doca_priv_log_unlock();
    return is_allowed;
}

doca_error_t doca_core_log_limited(struct doca_core_log_limit *limit, uint32_t per_second,
                                   uint32_t level, int source, const char *fname, int line,
                                   const char *func, const char *format, ...)
{
    struct doca_priv_log_line record;
    uint32_t num_dropped;
    int saved = errno;
    doca_error_t rc;
    va_list args;

    (void)source;
    if (limit == NULL || !doca_priv_log_is_record(level, format))
        return DOCA_ERROR_INVALID_VALUE;
    if (!doca_priv_log_is_wanted(false, level))
        return DOCA_SUCCESS;
    if (!doca_priv_log_limit_count(limit, per_second, &num_dropped))
        return DOCA_ERROR_AGAIN;
    doca_priv_log_begin(&record, level, fname, line, func != NULL ? func : "?", -1);
    if (num_dropped > 0)
        doca_priv_log_add(&record, "(%lu left out) ", (unsigned long)num_dropped);
    errno = saved;
    va_start(args, format);
    doca_priv_log_add_args(&record, format, args);
    va_end(args);
    rc = doca_priv_log_put(false, level, &record);
    errno = saved;
    return rc;
}

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_LOG_IMPLEMENTATION */
