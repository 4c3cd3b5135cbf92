/* ---- >>priv.apsh.scan ------------------------------------------------------------------------
 * Scans of the memory of a process.                                                             */
#ifndef DOCA_SRC_COMPAT_APSH_SCAN_PRIV_H
#define DOCA_SRC_COMPAT_APSH_SCAN_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/list.h"
#include "compat/apsh/snapshot_priv.h"

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_yara(const struct doca_apsh_process *process,
                                                enum doca_apsh_yara_rule *const *rules,
                                                uint32_t num_rules, uint64_t scan_type,
                                                struct doca_priv_apsh_snapshot **snapshot,
                                                const char *function);

#endif
