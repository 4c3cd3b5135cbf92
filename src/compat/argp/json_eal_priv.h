/* ---- >>priv.argp.json_eal --------------------------------------------------------------------
 * Functions and types of >>impl.argp.json_eal that other parts use.                             */
#ifndef DOCA_SRC_COMPAT_ARGP_JSON_EAL_PRIV_H
#define DOCA_SRC_COMPAT_ARGP_JSON_EAL_PRIV_H

#include "compat/argp/platform_priv.h"

struct doca_priv_argp_json;
struct doca_priv_argp_span;

DOCA_PRIV_DECL bool doca_priv_argp_key_is(const struct doca_priv_argp_span *key, const char *name);
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_eal(struct doca_priv_argp_json *json,
                                                    const struct doca_priv_argp_span *key);

#endif
