/* ---- >>impl.log.library ----------------------------------------------------------------------
 * Forward the records of the library to the SDK backends.                                       */
#include "compat/log/library_priv.h"

#include "compat/log/line_priv.h"
#include "compat/log/platform_priv.h"
#include "compat/log/table_priv.h"
#include "compat/log/write_priv.h"

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
