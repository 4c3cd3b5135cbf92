/* ---- >>priv.apsh.attest ----------------------------------------------------------------------
 * Declarations for the other parts.                                                             */
#ifndef DOCA_SRC_COMPAT_APSH_ATTEST_PRIV_H
#define DOCA_SRC_COMPAT_APSH_ATTEST_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/snapshot_priv.h"

struct doca_apsh_process;

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_attest(const struct doca_apsh_process *process,
                                                  const char *path,
                                                  struct doca_priv_apsh_snapshot **snapshot,
                                                  const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_attest_again(struct doca_priv_apsh_snapshot *old,
                                                        struct doca_priv_apsh_snapshot **snapshot,
                                                        const char *function);

#endif
