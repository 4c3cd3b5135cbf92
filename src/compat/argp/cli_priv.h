/* ---- >>priv.argp.cli -------------------------------------------------------------------------
 * Functions and types of >>impl.argp.cli that other parts use.                                  */
#ifndef DOCA_SRC_COMPAT_ARGP_CLI_PRIV_H
#define DOCA_SRC_COMPAT_ARGP_CLI_PRIV_H

#include "compat/argp/platform_priv.h"

struct doca_argp_param;

DOCA_PRIV_DECL doca_error_t doca_priv_argp_add(struct doca_argp_param *param, char *text,
                                               size_t len, int number, double real,
                                               const char **why);
DOCA_PRIV_DECL bool doca_priv_argp_parse_real(const char *text, size_t len, double *real);
DOCA_PRIV_DECL struct doca_argp_param *doca_priv_argp_flag_of(char *word, char **value);
DOCA_PRIV_DECL doca_error_t doca_priv_argp_wrong_flag(doca_error_t code,
                                                      const struct doca_argp_param *param,
                                                      const char *why);
DOCA_PRIV_DECL doca_error_t doca_priv_argp_read_flag(int argc, char **argv, int *num_words);

#endif
