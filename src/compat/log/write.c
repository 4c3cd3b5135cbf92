/* ---- >>impl.log.write ------------------------------------------------------------------------
 * Hand a record to every backend whose limits include its level.                                */
#include "compat/log/write_priv.h"

#include "compat/log/line_priv.h"
#include "compat/log/platform_priv.h"
#include "compat/log/table_priv.h"

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
