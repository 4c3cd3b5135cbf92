/* ---- >>priv.handles --------------------------------------------------------------------------
 * Declarations of >>impl.check.handles for other parts.                                         */
#ifndef DOCA_SRC_CHECK_HANDLES_PRIV_H
#define DOCA_SRC_CHECK_HANDLES_PRIV_H

#include "base/compiler.h"
#include "base/config.h"

#if DOCA_CORE_CHECK >= 2
#define DOCA_PRIV_CHECK_USERS 64 /* root objects that threads use at the same time */

struct doca_priv_check_user { /* use of a root object by a thread */
    const void *root;
    const char *function; /* the innermost call */
    uintptr_t place;      /* stack position of doca_pe_progress(), or 0 */
    uint32_t thread;
    uint32_t depth;
};

struct doca_priv_check_state {
    uint32_t is_watched; /* the handler for fork() is installed */
    uint32_t num_forks;  /* number of forks between the first process and this one */
    uint32_t lock;
    uint32_t thread;
    const void *stock;
    const struct doca_mmap *mmap;
    uint32_t users_lock;
    uint32_t num_users;
    struct doca_priv_check_user users[DOCA_PRIV_CHECK_USERS];
    uint32_t written_lock;
    struct doca_buf *written;
};

DOCA_PRIV_DATA uint64_t doca_priv_check_reports;
DOCA_PRIV_DATA struct doca_priv_check_state doca_priv_check_all;
#endif

#endif
