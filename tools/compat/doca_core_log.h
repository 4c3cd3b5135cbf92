/* doca_core_log.h - the vendor's log, as a convenience beside doca_core.h
 *
 * The names, values and signatures of doca_log.h (3.0 form), on stdio and POSIX, without a heap and
 * without a thread of its own. Nothing of doca_core.h needs it.
 *
 * DO THIS in one C (or C++) file, and include the header plainly everywhere else:
 *
 *     #define DOCA_CORE_LOG_IMPLEMENTATION
 *     #include "doca_core_log.h"
 *
 * A RECORD is one line, written at once:
 *
 *     [HH:MM:SS:usec][thread id][DOCA][INF][file.c:line][function] text
 *
 * in local time. Levels read CRT, ERR, WRN, INF, DBG, TRC. A line that is longer than
 * DOCA_CORE_LOG_LINE_BYTES ends in "...".
 *
 * TWO SIDES. What the program logs goes to every application backend, what the library says to
 * every SDK backend, where the limits of the backend let it through:
 *
 *     upper limit <= level of the record <= lower limit       (CRIT is 20, TRACE 70)
 *
 * so the lower limit is the least grave level that is let through. Once there is an SDK backend,
 * the library's log (doca_core_log_set_sink, doca_core_log_set_level) belongs to this header: every
 * call that makes an SDK backend or sets an SDK level claims it again. Before that, and once the
 * program calls doca_core_log_set_sink() itself, the library's own rule holds. The records of the
 * library name the function and carry object, state, reason and code; they have no line, so 0.
 *
 * LIFE. There is no call that ends a backend: what it writes to has to live on. A FILE that was
 * closed is the program's mistake; a descriptor that was closed loses the records.
 *
 * MEMORY. Backends and sources are slots of fixed tables. The C library may allocate for its own
 * part: for the time zone when the first backend is made, for the buffer of a FILE at its first
 * output, in syslog() and for unusual formats (%ls) at any time.
 *
 * THREADS. Every call is for any thread. A record that no backend wants costs a few loads and no
 * lock; writing takes a small lock per backend. A record that is made while the same thread writes
 * to a backend (in a flush callback or signal handler) leaves that one out, and those that other
 * threads write to just then, who may wait for this one. The lock spins with sched_yield(), and is
 * not undone in the child of a fork() while another thread held it. errno is preserved by all that
 * logs.
 *
 * SIGNAL HANDLERS may log, also limited, and ask for the global limits, whatever of this header
 * they interrupt; other calls are not for them. What else of the program they interrupt is their
 * care: there the C library may wait for itself in a FILE, in syslog(), and in localtime() and its
 * like, of which every record calls one.
 *
 * ENVIRONMENT. DOCA_LOG_LEVEL, a number 10, 20 ... 70 or a name DISABLE ... TRACE in any case, is
 * where the global lower limit starts, in place of INFO; what the program sets later wins. Another
 * value is told once, by the first application backend. Empty is as none.
 *
 * ERRORS are codes alone; doca_core_last_error() does not speak of these calls.
 *
 * Assumed, where the vendor's documents are silent: the codes; that the latest of a call for one
 * backend and a call for all decides; that the environment gives way to the program; that an SDK
 * backend takes the calls for limits as well; that a second doca_log_backend_create_standard()
 * succeeds and changes nothing; what a buffer and syslog get is the same line; CRT in it.
 * Source: API reference, "DOCA Log"; DOCA Log guide.                                            */
#ifndef DOCA_CORE_LOG_H
#define DOCA_CORE_LOG_H

#include "doca_core.h"

#include <stdio.h>

#ifdef DOCA_CORE_FREESTANDING
#error "doca_core_log.h is for hosted programs"
#endif

/* Backends there can be in the process; the standard ones are two. */
#ifndef DOCA_CORE_LOG_MAX_BACKENDS
#define DOCA_CORE_LOG_MAX_BACKENDS 16
#endif

/* Sources registered at one time; 64 bytes each, untouched until needed. */
#ifndef DOCA_CORE_LOG_MAX_SOURCES
#define DOCA_CORE_LOG_MAX_SOURCES 256
#endif

/* Bytes of a record, with line end and NUL; on the stack of the thread that logs. */
#ifndef DOCA_CORE_LOG_LINE_BYTES
#define DOCA_CORE_LOG_LINE_BYTES 1024
#endif

/* Records in a second from one place of DOCA_LOG_RATE_LIMIT (Assumed: the vendor's number is not
 * public). */
#ifndef DOCA_CORE_LOG_PER_SECOND
#define DOCA_CORE_LOG_PER_SECOND 10
#endif

#if DOCA_CORE_LOG_MAX_BACKENDS < 2 || DOCA_CORE_LOG_MAX_SOURCES < 1 ||                             \
    DOCA_CORE_LOG_LINE_BYTES < 128
#error "at least 2 backends, 1 source and 128 bytes of a record"
#endif

#if defined(__GNUC__) && !defined(__TINYC__)
#define DOCA_PRIV_LOG_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define DOCA_PRIV_LOG_FORMAT(text, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

#ifndef DOCA_CORE_LOG_LEVELS /* doca_core_argp.h has them, too */
#define DOCA_CORE_LOG_LEVELS
enum doca_log_level {
    DOCA_LOG_LEVEL_DISABLE = 10, /* as a lower limit: nothing */
    DOCA_LOG_LEVEL_CRIT = 20,
    DOCA_LOG_LEVEL_ERROR = 30,
    DOCA_LOG_LEVEL_WARNING = 40,
    DOCA_LOG_LEVEL_INFO = 50,
    DOCA_LOG_LEVEL_DEBUG = 60,
    DOCA_LOG_LEVEL_TRACE = 70
};
#endif

/* Where records go; of one side, and with limits of its own. */
struct doca_log_backend;

/* Take the record that stands in `buf`, a line with its end and NUL, valid during the call.
 * Threads   one call at a time per backend, in the thread that logs
 * Callback  may log (see THREADS above); must neither throw nor jump out */
typedef void (*log_flush_callback)(char *buf);

/* ---- backends: what all calls that make one have in common
 *
 *   backend  out: its handle, for the limits
 *
 * Owns      a slot, for ever
 * Threads   any
 * Errors    INVALID_VALUE  NULL argument, or a bad one
 *           NO_MEMORY      DOCA_CORE_LOG_MAX_BACKENDS exist; nothing changed
 *
 * A new application backend has the global limits, a new SDK backend those of the SDK. */

/* Send records up to INFO to stdout and those from WARNING on to stderr. These are two application
 * backends, whose border stays where it is: neither is moved across it by a global limit. Does
 * nothing when they exist. */
doca_error_t doca_log_backend_create_standard(void);

/* Send records to `fptr`, which is flushed after each. */
doca_error_t doca_log_backend_create_with_file(FILE *fptr, struct doca_log_backend **backend);

/* Send records to `fd`, at least 0, each by one write() unless the system takes only a part. */
doca_error_t doca_log_backend_create_with_fd(int fd, struct doca_log_backend **backend);

/* Write each record to the start of `buf` and call `handler`. A record that does not fit is cut and
 * ends in "...".
 *
 *   capacity  bytes of `buf`, at least 5 */
doca_error_t doca_log_backend_create_with_buf(char *buf, size_t capacity,
                                              log_flush_callback handler,
                                              struct doca_log_backend **backend);

/* The same, by its name in 2.5. */
doca_error_t doca_log_backend_create_with_buffer(char *buf, size_t capacity,
                                                 log_flush_callback handler,
                                                 struct doca_log_backend **backend);

/* Send records to syslog(), as those of a user program. The C library has one `name` per process,
 * so the latest counts for all; it is copied, at most 63 bytes. */
doca_error_t doca_log_backend_create_with_syslog(const char *name,
                                                 struct doca_log_backend **backend);

/* The same for what the library says. */
doca_error_t doca_log_backend_create_with_file_sdk(FILE *fptr, struct doca_log_backend **backend);
doca_error_t doca_log_backend_create_with_fd_sdk(int fd, struct doca_log_backend **backend);
doca_error_t doca_log_backend_create_with_buf_sdk(char *buf, size_t capacity,
                                                  log_flush_callback handler,
                                                  struct doca_log_backend **backend);
doca_error_t doca_log_backend_create_with_syslog_sdk(const char *name,
                                                     struct doca_log_backend **backend);

/* ---- limits: 10, 20 ... 70
 *
 * Threads   any; a record under way may still go by the old limit
 * Errors    INVALID_VALUE  not a backend of the side that is meant, or not a level
 *           NOT_PERMITTED  beyond the backend's strict limit; nothing changed */

/* Let records of the library through to one SDK backend down to `level`. */
doca_error_t doca_log_backend_set_sdk_level(struct doca_log_backend *backend, uint32_t level);

/* Let records through to one backend, of either side, down to `level`. */
doca_error_t doca_log_backend_set_level_lower_limit(struct doca_log_backend *backend,
                                                    uint32_t level);

/* Let records through to one backend, of either side, up to `upper_limit`. */
doca_error_t doca_log_backend_set_level_upper_limit(struct doca_log_backend *backend,
                                                    uint32_t upper_limit);

/* Make the backend's present lower limit the lowest it can have: less grave levels stay out. A call
 * for one backend that goes beyond is refused, one for all goes as far as it may. For good. */
doca_error_t doca_log_backend_set_level_lower_limit_strict(struct doca_log_backend *backend);

/* Likewise make the present upper limit the highest: graver levels stay out. */
doca_error_t doca_log_backend_set_level_upper_limit_strict(struct doca_log_backend *backend);

/* Set the lower limit of all application backends, and of those to come. At first INFO, or
 * DOCA_LOG_LEVEL of the environment. */
doca_error_t doca_log_level_set_global_lower_limit(uint32_t level);

/* Set the upper limit of all application backends, and of those to come. At first CRIT. */
doca_error_t doca_log_level_set_global_upper_limit(uint32_t upper_limit);

uint32_t doca_log_level_get_global_lower_limit(void);
uint32_t doca_log_level_get_global_upper_limit(void);

/* Set the level of all SDK backends, and of those to come. At first INFO. Without an SDK backend
 * the library goes on by doca_core_log_set_level(). */
doca_error_t doca_log_level_set_global_sdk_limit(uint32_t level);

uint32_t doca_log_level_get_global_sdk_limit(void);

/* ---- sources and records */

/* Name a part of the program that logs; DOCA_LOG_REGISTER does. Equal names are two sources.
 *
 *   source_name  copied, at most 63 bytes
 *   source       out: its number, from 0
 *
 * Owns      a slot until doca_log_unregister_source()
 * Threads   any
 * Errors    INVALID_VALUE  NULL argument
 *           NO_MEMORY      DOCA_CORE_LOG_MAX_SOURCES are registered; it may log all the same */
doca_error_t doca_log_register_source(const char *source_name, int *source);

/* Give back the slot of `source`.
 *
 * Threads   any
 * Errors    INVALID_VALUE  not registered */
doca_error_t doca_log_unregister_source(int source);

/* Say the name of `source`; "" for a number that is not registered. Never NULL; valid while it is
 * registered. */
const char *doca_core_log_source_name(int source);

/* Write a record to the application backends that want it. The macros below call it.
 *
 *   level   CRIT to TRACE
 *   source  not shown in the line, and not checked
 *   fname   NULL is "?"; what is before the last '/' is left out
 *   func    NULL is "?"
 *
 * Threads   any
 * Cost      a few loads when filtered out; else formatting and a write per backend
 * Errors    INVALID_VALUE  no such level, or `format` is NULL
 *           IO_FAILED      a backend did not take the record; the others have it */
doca_error_t doca_log(uint32_t level, int source, const char *fname, int line, const char *func,
                      const char *format, ...) DOCA_PRIV_LOG_FORMAT(6, 7);

/* What one place of DOCA_CORE_LOG_LIMITED() remembers. */
struct doca_core_log_limit {
    uint64_t second;
    uint32_t num_written; /* in it */
    uint32_t num_dropped; /* since the last one that was written */
};

/* The same, at most `per_second` times in a second of the clock for one `limit`, which begins as
 * zero. The first record after some were left out begins with "(N left out) ".
 *
 * Errors    as doca_log(), and AGAIN: left out; also, not counted, in a signal handler that has
 *           interrupted another call of this header, except doca_log() */
doca_error_t doca_core_log_limited(struct doca_core_log_limit *limit, uint32_t per_second,
                                   uint32_t level, int source, const char *fname, int line,
                                   const char *func, const char *format, ...)
    DOCA_PRIV_LOG_FORMAT(8, 9);

/* Log: DOCA_LOG_INFO("text") or DOCA_LOG_INFO("%d of %d", i, n). The file has a DOCA_LOG_REGISTER
 * above. DOCA_LOG_TRC is nothing, its arguments included, unless DOCA_LOGGING_ALLOW_TRACE. */
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

/* Log from this place at most `per_second` times in a second. */
#define DOCA_CORE_LOG_LIMITED(level, per_second, ...)                                              \
    do {                                                                                           \
        static struct doca_core_log_limit doca_priv_log_limit;                                     \
        (void)doca_core_log_limited(&doca_priv_log_limit, (per_second), (level), log_source,       \
                                    __FILE__, __LINE__, __func__, __VA_ARGS__);                    \
    } while (0)

/* The vendor's names for that (up to 2.2; then gone): so often as DOCA_CORE_LOG_PER_SECOND. */
#define DOCA_LOG_RATE_LIMIT(level, ...)                                                            \
    DOCA_CORE_LOG_LIMITED(DOCA_LOG_LEVEL_##level, DOCA_CORE_LOG_PER_SECOND, __VA_ARGS__)
#define DOCA_LOG_RATE_LIMIT_CRIT(...) DOCA_LOG_RATE_LIMIT(CRIT, __VA_ARGS__)
#define DOCA_LOG_RATE_LIMIT_ERR(...) DOCA_LOG_RATE_LIMIT(ERROR, __VA_ARGS__)
#define DOCA_LOG_RATE_LIMIT_WARN(...) DOCA_LOG_RATE_LIMIT(WARNING, __VA_ARGS__)
#define DOCA_LOG_RATE_LIMIT_INFO(...) DOCA_LOG_RATE_LIMIT(INFO, __VA_ARGS__)
#define DOCA_LOG_RATE_LIMIT_DBG(...) DOCA_LOG_RATE_LIMIT(DEBUG, __VA_ARGS__)

/* And for records of development: nothing, arguments included, unless DOCA_LOGGING_ALLOW_DLOG. */
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

#ifdef DOCA_CORE_LEGACY /* the names of 1.x and 2.0, for what takes the same parameters */
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

/* Register the source of this file, of any tokens, A::B for instance, from before main() until
 * after it. Once per file, at file scope, with or without a semicolon, and with something behind it
 * in the file. TinyCC has no constructors: such a file logs without a source. */
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

/* C knows no declaration with and without a semicolon, and -pedantic minds a lone one, except after
 * this word; which, where there is none, takes the pedantry from the declaration that follows. */
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

#ifdef __cplusplus
extern "C" {
#else /* which strict C keeps out of time.h and unistd.h */
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

#define DOCA_PRIV_LOG_NAME_BYTES 64

struct doca_log_backend {
    uintptr_t lock;
    doca_error_t (*put)(struct doca_log_backend *backend, uint32_t level, const char *line,
                        size_t len);
    bool is_sdk;
    uint32_t lower;
    uint32_t upper;
    uint32_t lowest;  /* the strict limits: lower <= lowest, upper >= highest */
    uint32_t highest;
    FILE *file;
    int fd;
    char *buf;
    size_t capacity;
    log_flush_callback handler;
    char name[DOCA_PRIV_LOG_NAME_BYTES];
};

static struct {
    uint32_t lower;
    uint32_t upper;
    uint32_t sdk;
} doca_priv_log_global = { DOCA_LOG_LEVEL_INFO, DOCA_LOG_LEVEL_CRIT, DOCA_LOG_LEVEL_INFO };

/* The lock guards all but what a record reads: the number of backends, which only grows, and their
 * limits, each a word of its own. */
static struct {
    uintptr_t lock;
    bool has_read_environment;
    bool has_bad_environment; /* and has not told it */
    bool has_standard;
    uint32_t num_backends;
    struct doca_log_backend backends[DOCA_CORE_LOG_MAX_BACKENDS];
    struct {
        bool is_taken;
        char name[DOCA_PRIV_LOG_NAME_BYTES];
    } sources[DOCA_CORE_LOG_MAX_SOURCES];
} doca_priv_log_table;

static DOCA_PRIV_LOG_THREAD_LOCAL char doca_priv_log_self; /* its address is the thread's name */

static DOCA_PRIV_LOG_THREAD_LOCAL unsigned doca_priv_log_depth; /* backends that it writes to */

static DOCA_PRIV_LOG_THREAD_LOCAL volatile bool doca_priv_log_is_in_zone; /* in localtime_r() */

/* Take the lock, or false: this thread holds it; or another one, for which it does not wait. */
static bool doca_priv_log_enter(uintptr_t *lock, bool waits)
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

static void doca_priv_log_leave(uintptr_t *lock)
{
    DOCA_PRIV_LOG_STORE(lock, (uintptr_t)0);
}

static bool doca_priv_log_is_level(uint32_t level)
{
    return level % 10 == 0 && level >= DOCA_LOG_LEVEL_DISABLE && level <= DOCA_LOG_LEVEL_TRACE;
}

/* `text` is `name`, which is in capitals, in any case. */
static bool doca_priv_log_is_word(const char *text, const char *name)
{
    while (*name != '\0' &&
           (*text == *name || (*name >= 'A' && *name <= 'Z' && *text == *name - 'A' + 'a'))) {
        text++;
        name++;
    }
    return *name == '\0' && *text == '\0';
}

/* The level that the environment says; NULL: none, or it is that of somebody with fewer rights than
 * the program has. */
static const char *doca_priv_log_environment(void)
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

/* Before the first use of the global limits. Under the lock. */
static void doca_priv_log_read_environment(void)
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

/* False: this thread holds it, and a signal handler has interrupted it. */
static bool doca_priv_log_try_lock(void)
{
    return doca_priv_log_enter(&doca_priv_log_table.lock, true);
}

static void doca_priv_log_lock(void)
{
    while (!doca_priv_log_try_lock())
        continue;
}

static void doca_priv_log_unlock(void)
{
    doca_priv_log_leave(&doca_priv_log_table.lock);
}

/* A copy that is cut to what a name may have. */
static void doca_priv_log_name(char *to, const char *from)
{
    size_t len = strlen(from);

    if (len > DOCA_PRIV_LOG_NAME_BYTES - 1)
        len = DOCA_PRIV_LOG_NAME_BYTES - 1;
    memcpy(to, from, len);
    to[len] = '\0';
}

/* ---- one record */

struct doca_priv_log_line {
    char text[DOCA_CORE_LOG_LINE_BYTES];
    size_t len;
    bool is_cut;
};

static const char doca_priv_log_mark[] = "...\n";

static void doca_priv_log_add_args(struct doca_priv_log_line *line, const char *format,
                                   va_list args) DOCA_PRIV_LOG_FORMAT(2, 0);
static void doca_priv_log_add(struct doca_priv_log_line *line, const char *format, ...)
    DOCA_PRIV_LOG_FORMAT(2, 3);

/* What does not fit is left out; the last byte is kept for the line end. */
static void doca_priv_log_add_args(struct doca_priv_log_line *line, const char *format,
                                   va_list args)
{
    size_t room = sizeof(line->text) - 1 - line->len; /* with NUL */
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

static void doca_priv_log_add(struct doca_priv_log_line *line, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    doca_priv_log_add_args(line, format, args);
    va_end(args);
}

/* The second of the local day. The C library has a lock inside, for which the handler of a signal
 * that arrives there would wait for ever: it goes by what was known last. */
static long doca_priv_log_second(time_t now)
{
    static long offset; /* seconds that the local day is ahead, between two whole days */
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

static void doca_priv_log_begin(struct doca_priv_log_line *line, uint32_t level,
                                const char *fname, int number, const char *func, int func_len)
{
    static const char *const names[] = { "CRT", "ERR", "WRN", "INF", "DBG", "TRC" };
    const char *slash = fname != NULL ? strrchr(fname, '/') : NULL;
    struct timeval now = { 0, 0 };
    long thread, second;

#ifdef __linux__
    thread = syscall(SYS_gettid);
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

static void doca_priv_log_end(struct doca_priv_log_line *line)
{
    const size_t dots = sizeof(doca_priv_log_mark) - 2;

    if (line->is_cut)
        memcpy(line->text + line->len - dots, doca_priv_log_mark, dots);
    line->text[line->len++] = '\n';
    line->text[line->len] = '\0';
}

static bool doca_priv_log_wants(const struct doca_log_backend *backend, bool is_sdk,
                                uint32_t level)
{
    return backend->is_sdk == is_sdk && level <= DOCA_PRIV_LOG_LOAD(&backend->lower) &&
           level >= DOCA_PRIV_LOG_LOAD(&backend->upper);
}

static bool doca_priv_log_is_wanted(bool is_sdk, uint32_t level)
{
    uint32_t num = DOCA_PRIV_LOG_LOAD(&doca_priv_log_table.num_backends), i;

    for (i = 0; i < num; i++)
        if (doca_priv_log_wants(&doca_priv_log_table.backends[i], is_sdk, level))
            return true;
    return false;
}

static doca_error_t doca_priv_log_put(bool is_sdk, uint32_t level, struct doca_priv_log_line *line)
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

/* ---- where records go */

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

/* ---- the library's records */

/* `said` reads "doca_core: function: reason", or has no function. */
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

/* Have the library tell the SDK backends what they want to know. Under the lock. */
static void doca_priv_log_claim_library(void)
{
    uint32_t level = 0, i;

    for (i = 0; i < doca_priv_log_table.num_backends; i++) {
        const struct doca_log_backend *backend = &doca_priv_log_table.backends[i];

        if (backend->is_sdk && backend->lower > level)
            level = backend->lower;
    }
    if (level == 0)
        return; /* there is none */
    doca_core_log_set_level(level < DOCA_CORE_LOG_DEBUG ? level : DOCA_CORE_LOG_DEBUG);
    doca_core_log_set_sink(doca_priv_log_sink, NULL);
}

/* ---- backends */

static void doca_priv_log_limit_lower(struct doca_log_backend *backend, uint32_t level)
{
    DOCA_PRIV_LOG_STORE(&backend->lower, level < backend->lowest ? level : backend->lowest);
}

static void doca_priv_log_limit_upper(struct doca_log_backend *backend, uint32_t level)
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

/* Under the lock, with a slot to spare. */
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

/* After the first backends: what waited for them. */
static void doca_priv_log_prepare(bool is_sdk)
{
    const char *text = doca_priv_log_environment();
    bool tells = false;

    /* the C library reads the time zone here, and may allocate */
    (void)doca_priv_log_second(time(NULL));
    if (!is_sdk) {
        doca_priv_log_lock();
        tells = doca_priv_log_table.has_bad_environment;
        doca_priv_log_table.has_bad_environment = false;
        doca_priv_log_unlock();
    }
    if (tells)
        (void)doca_log(DOCA_LOG_LEVEL_WARNING, -1, __FILE__, __LINE__, __func__,
                       "DOCA_LOG_LEVEL is \"%s\", not 10, 20 ... 70 nor DISABLE ... TRACE; "
                       "INFO holds",
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

/* ---- limits */

/* Under the lock. */
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

/* Set one of the global words, and `limit` of the backends of its side. */
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

/* ---- sources */

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

/* ---- the program's records */

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
    errno = saved; /* for %m */
    va_start(args, format);
    doca_priv_log_add_args(&record, format, args);
    va_end(args);
    rc = doca_priv_log_put(false, level, &record);
    errno = saved;
    return rc;
}

/* Count a record; false: it is one too many, or not to be counted now. `num_dropped` is how many
 * were too many, before it. */
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
