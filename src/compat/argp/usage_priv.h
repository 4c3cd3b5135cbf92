/* ---- >>priv.argp.usage -----------------------------------------------------------------------
 * Functions and types of >>impl.argp.usage that other parts use.                                */
#ifndef DOCA_SRC_COMPAT_ARGP_USAGE_PRIV_H
#define DOCA_SRC_COMPAT_ARGP_USAGE_PRIV_H

#include "compat/argp/platform_priv.h"

DOCA_PRIV_DECL void doca_priv_argp_print_usage(int fd);

#endif
