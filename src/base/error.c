/* ---- >>impl.error --------------------------------------------------------------------------- */
#include "base/error.h"

#include "base/config.h"
#include "base/platform_priv.h"

#define DOCA_PRIV_ERROR_NAME(name, value, text)                                                    \
    case DOCA_##name:                                                                              \
        return "DOCA_" #name;
#define DOCA_PRIV_ERROR_TEXT(name, value, text)                                                    \
    case DOCA_##name:                                                                              \
        return text;

DOCA_CORE_DECL const char *doca_error_get_name(doca_error_t error)
{
    switch ((int)error) {
    case DOCA_SUCCESS:
        return "DOCA_SUCCESS";
        DOCA_CORE_ERRORS(DOCA_PRIV_ERROR_NAME)
    default:
        return "unrecognized error code";
    }
}

DOCA_CORE_DECL const char *doca_error_get_descr(doca_error_t error)
{
    switch ((int)error) {
    case DOCA_SUCCESS:
        return "success";
        DOCA_CORE_ERRORS(DOCA_PRIV_ERROR_TEXT)
    default:
        return "unrecognized error code";
    }
}
