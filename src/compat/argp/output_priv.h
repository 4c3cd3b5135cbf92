/* ---- >>priv.argp.output ----------------------------------------------------------------------
 * Functions and types of >>impl.argp.output that other parts use.                               */
#ifndef DOCA_SRC_COMPAT_ARGP_OUTPUT_PRIV_H
#define DOCA_SRC_COMPAT_ARGP_OUTPUT_PRIV_H

#include "compat/argp/platform_priv.h"

struct doca_argp_param;

#define DOCA_PRIV_ARGP_FAIL(code, ...)                                                             \
    doca_priv_argp_fail(DOCA_ERROR_##code, __func__, __VA_ARGS__)

/* Format for a word of the user in a message. It is cut so that the line stays readable. */
#define DOCA_PRIV_ARGP_WORD "%.200s"

struct doca_priv_argp_name {
    char text[128];
};

#define DOCA_PRIV_ARGP_REFUSE(code, ...)                                                           \
    doca_priv_argp_fail(DOCA_ERROR_##code, "doca_argp_start", __VA_ARGS__)

DOCA_PRIV_DECL void doca_priv_argp_put(int fd, const char *text);
DOCA_PRIV_DECL doca_error_t doca_priv_argp_fail(doca_error_t code, const char *call,
                                                const char *format, ...)
    DOCA_PRIV_ARGP_FORMAT(3, 4);
DOCA_PRIV_DECL struct doca_priv_argp_name
doca_priv_argp_name_of(const struct doca_argp_param *param);

#endif
