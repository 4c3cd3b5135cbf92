/* ---- >>priv.argp.json_file -------------------------------------------------------------------
 * Functions and types of >>impl.argp.json_file that other parts use.                            */
#ifndef DOCA_SRC_COMPAT_ARGP_JSON_FILE_PRIV_H
#define DOCA_SRC_COMPAT_ARGP_JSON_FILE_PRIV_H

#include "compat/argp/platform_priv.h"

DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_load(const char *path);

#endif
