/* ---- >>priv.legacy.property ------------------------------------------------------------------
 * Functions and types of >>impl.legacy.property that other parts use.                           */
#ifndef DOCA_SRC_COMPAT_LEGACY_PROPERTY_PRIV_H
#define DOCA_SRC_COMPAT_LEGACY_PROPERTY_PRIV_H

#include "base/error.h"
#include "base/platform_priv.h"

DOCA_PRIV_DECL doca_error_t doca_priv_property_put(void *value, uint32_t size, const void *from,
                                                   size_t bytes, const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_property_put_32(void *value, uint32_t size, uint32_t number,
                                                      const char *function);

#endif
