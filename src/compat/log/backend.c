/* ---- >>impl.log.backend ----------------------------------------------------------------------
 * Destinations of records, and the calls that create backends for them.                         */
#include "compat/log/backend_priv.h"

#include "compat/log/backend.h"
#include "compat/log/level.h"
#include "compat/log/library_priv.h"
#include "compat/log/line_priv.h"
#include "compat/log/platform_priv.h"
#include "compat/log/record.h"
#include "compat/log/table_priv.h"

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
