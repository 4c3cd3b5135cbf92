/* ---- >>legacy.error --------------------------------------------------------------------------
 * Texts of errors.                                                                              */
#ifndef DOCA_SRC_COMPAT_LEGACY_ERROR_H
#define DOCA_SRC_COMPAT_LEGACY_ERROR_H

#include "base/config.h"
#include "base/error.h"
#include "compat/legacy/config.h"

/* Old name of doca_error_get_descr(). */
DOCA_CORE_DECL const char *doca_get_error_string(doca_error_t error);

#endif
