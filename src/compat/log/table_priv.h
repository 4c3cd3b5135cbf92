/* ---- >>priv.log.table ------------------------------------------------------------------------
 * The state of the log: one table per process.                                                  */
#ifndef DOCA_SRC_COMPAT_LOG_TABLE_PRIV_H
#define DOCA_SRC_COMPAT_LOG_TABLE_PRIV_H

#include "compat/log/backend.h"
#include "compat/log/platform_priv.h"

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

DOCA_PRIV_DATA struct doca_priv_log_limits doca_priv_log_global;

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

DOCA_PRIV_DATA struct doca_priv_log_table doca_priv_log_table;

DOCA_PRIV_DECL bool doca_priv_log_enter(uintptr_t *lock, bool waits);
DOCA_PRIV_DECL void doca_priv_log_leave(uintptr_t *lock);
DOCA_PRIV_DECL bool doca_priv_log_is_level(uint32_t level);
DOCA_PRIV_DECL const char *doca_priv_log_environment(void);
DOCA_PRIV_DECL void doca_priv_log_read_environment(void);
DOCA_PRIV_DECL bool doca_priv_log_try_lock(void);
DOCA_PRIV_DECL void doca_priv_log_lock(void);
DOCA_PRIV_DECL void doca_priv_log_unlock(void);
DOCA_PRIV_DECL void doca_priv_log_name(char *to, const char *from);

#endif
