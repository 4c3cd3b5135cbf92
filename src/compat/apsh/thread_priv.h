/* ---- >>priv.apsh.thread ----------------------------------------------------------------------
 * Declarations for the other parts.                                                             */
#ifndef DOCA_SRC_COMPAT_APSH_THREAD_PRIV_H
#define DOCA_SRC_COMPAT_APSH_THREAD_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/list.h"
#include "compat/apsh/snapshot_priv.h"

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_cpu_time(struct doca_priv_apsh_kernel *kernel,
                                                    uint64_t task, uint32_t limit, uint64_t *time);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_threads(const struct doca_apsh_process *process,
                                                   struct doca_priv_apsh_snapshot **snapshot,
                                                   const char *function);

#endif
