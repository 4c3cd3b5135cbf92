/* ---- >>impl.log.table ------------------------------------------------------------------------
 * The table of backends and sources, its lock, and the levels from the environment.             */
#include "compat/log/table_priv.h"

#include "compat/log/level.h"
#include "compat/log/platform_priv.h"

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
