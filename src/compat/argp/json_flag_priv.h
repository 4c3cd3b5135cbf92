/* ---- >>priv.argp.json_flag -------------------------------------------------------------------
 * Functions and types of >>impl.argp.json_flag that other parts use.                            */
#ifndef DOCA_SRC_COMPAT_ARGP_JSON_FLAG_PRIV_H
#define DOCA_SRC_COMPAT_ARGP_JSON_FLAG_PRIV_H

#include "compat/argp/platform_priv.h"

struct doca_argp_param;
struct doca_priv_argp_json;
struct doca_priv_argp_span;

DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_ignore(struct doca_priv_argp_json *json,
                                                       const struct doca_priv_argp_span *key,
                                                       const char *why);
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_unfit(const struct doca_priv_argp_json *json,
                                                      const char *key, const char *why);
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_enter(struct doca_priv_argp_json *json,
                                                      char bracket, const char *why);
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_text(struct doca_priv_argp_json *json,
                                                     struct doca_priv_argp_span *span);
DOCA_PRIV_DECL bool doca_priv_argp_is_text(const struct doca_argp_param *param);
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_flag(struct doca_priv_argp_json *json,
                                                     const struct doca_priv_argp_span *key,
                                                     bool is_general);

#endif
