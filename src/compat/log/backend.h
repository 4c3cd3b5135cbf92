/* ---- >>log.backend ---------------------------------------------------------------------------
 * Backends: the places that records are written to, and the limits that choose records.         */
#ifndef DOCA_SRC_COMPAT_LOG_BACKEND_H
#define DOCA_SRC_COMPAT_LOG_BACKEND_H

#include "compat/log/config.h"

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

#endif
