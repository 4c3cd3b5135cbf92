/* ---- >>priv.log.write ------------------------------------------------------------------------
 * Functions and types of >>impl.log.write that other parts use.                                 */
#ifndef DOCA_SRC_COMPAT_LOG_WRITE_PRIV_H
#define DOCA_SRC_COMPAT_LOG_WRITE_PRIV_H

#include "compat/log/platform_priv.h"

struct doca_priv_log_line;

DOCA_PRIV_DECL bool doca_priv_log_is_wanted(bool is_sdk, uint32_t level);
DOCA_PRIV_DECL doca_error_t doca_priv_log_put(bool is_sdk, uint32_t level,
                                              struct doca_priv_log_line *line);

#endif
