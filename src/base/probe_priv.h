/* ---- >>priv.probe ---------------------------------------------------------------------------
 * Declarations of >>impl.probe for other parts.                                                 */
#ifndef DOCA_SRC_BASE_PROBE_PRIV_H
#define DOCA_SRC_BASE_PROBE_PRIV_H

#include "base/compiler.h"
#include "base/log.h"

DOCA_PRIV_DECL enum doca_core_item doca_priv_sys_probe(const void *addr, size_t len,
                                                       bool is_written, uintptr_t *page);
#if DOCA_CORE_CHECK >= 2 && !defined(DOCA_CORE_NO_SW)
DOCA_PRIV_DECL bool doca_priv_sys_move(unsigned char *to, const unsigned char *from, size_t len);
#endif

#endif
