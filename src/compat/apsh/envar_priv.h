/* ---- >>priv.apsh.envar -----------------------------------------------------------------------
 * Declarations for the other parts.                                                             */
#ifndef DOCA_SRC_COMPAT_APSH_ENVAR_PRIV_H
#define DOCA_SRC_COMPAT_APSH_ENVAR_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/list.h"
#include "compat/apsh/snapshot_priv.h"

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_envars(const struct doca_apsh_process *process,
                                                  struct doca_priv_apsh_snapshot **snapshot,
                                                  const char *function);

#endif
