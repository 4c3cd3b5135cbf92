/* ---- >>impl.legacy.error ---------------------------------------------------------------------
 * Texts of errors.                                                                              */
#include "compat/legacy/error.h"

#include "base/error.h"
#include "base/platform_priv.h"

DOCA_CORE_DECL const char *doca_get_error_string(doca_error_t error)
{
    return doca_error_get_descr(error);
}
