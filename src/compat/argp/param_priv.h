/* ---- >>priv.argp.param -----------------------------------------------------------------------
 * Functions and types of >>impl.argp.param that other parts use.                                */
#ifndef DOCA_SRC_COMPAT_ARGP_PARAM_PRIV_H
#define DOCA_SRC_COMPAT_ARGP_PARAM_PRIV_H

#include "compat/argp/platform_priv.h"

struct doca_argp_cmd;
struct doca_argp_param;

DOCA_PRIV_DECL const char *doca_priv_argp_keep(const char *text);
DOCA_PRIV_DECL bool doca_priv_argp_is_param(const struct doca_argp_param *param);
DOCA_PRIV_DECL const char *doca_priv_argp_keep_for(bool *is_short_of_text, const char *text);
DOCA_PRIV_DECL doca_error_t doca_priv_argp_register(const struct doca_argp_cmd *cmd,
                                                    struct doca_argp_param *param,
                                                    const char *call);

#endif
