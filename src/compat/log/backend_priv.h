/* ---- >>priv.log.backend ----------------------------------------------------------------------
 * Functions and types of >>impl.log.backend that other parts use.                               */
#ifndef DOCA_SRC_COMPAT_LOG_BACKEND_PRIV_H
#define DOCA_SRC_COMPAT_LOG_BACKEND_PRIV_H

#include "compat/log/platform_priv.h"

struct doca_log_backend;

DOCA_PRIV_DECL void doca_priv_log_limit_lower(struct doca_log_backend *backend, uint32_t level);
DOCA_PRIV_DECL void doca_priv_log_limit_upper(struct doca_log_backend *backend, uint32_t level);

#endif
