/* ---- >>priv.apsh.module ----------------------------------------------------------------------
 * Declarations for the other parts.                                                             */
#ifndef DOCA_SRC_COMPAT_APSH_MODULE_PRIV_H
#define DOCA_SRC_COMPAT_APSH_MODULE_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/object.h"
#include "compat/apsh/snapshot_priv.h"

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_modules(struct doca_apsh_system *system,
                                                   struct doca_priv_apsh_snapshot **snapshot,
                                                   const char *function);

#endif
