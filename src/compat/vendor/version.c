/* ---- >>impl.vendor.version -------------------------------------------------------------------
 * The version that the library was compiled with.                                               */
#include "compat/vendor/version.h"

DOCA_CORE_DECL const char *doca_version_runtime(void)
{
    return DOCA_VERSION_STRING;
}
