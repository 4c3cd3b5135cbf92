/* ---- >>priv.log.library ----------------------------------------------------------------------
 * Functions and types of >>impl.log.library that other parts use.                               */
#ifndef DOCA_SRC_COMPAT_LOG_LIBRARY_PRIV_H
#define DOCA_SRC_COMPAT_LOG_LIBRARY_PRIV_H

#include "compat/log/platform_priv.h"

DOCA_PRIV_DECL void doca_priv_log_claim_library(void);

#endif
