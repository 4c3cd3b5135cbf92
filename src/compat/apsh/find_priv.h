/* ---- >>priv.apsh.find ------------------------------------------------------------------------
 * Declarations for the other parts.                                                             */
#ifndef DOCA_SRC_COMPAT_APSH_FIND_PRIV_H
#define DOCA_SRC_COMPAT_APSH_FIND_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/kernel_priv.h"

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_find(struct doca_priv_apsh_kernel *kernel,
                                                char *const *files, const char *function);

#endif
