/* ---- >>impl.log.record -----------------------------------------------------------------------
 * Sources, and the calls that write records of the program.                                     */
#include "compat/log/record.h"

#include "compat/log/level.h"
#include "compat/log/line_priv.h"
#include "compat/log/platform_priv.h"
#include "compat/log/table_priv.h"
#include "compat/log/write_priv.h"

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
