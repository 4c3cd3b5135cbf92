/* ---- >>priv.argp.device ----------------------------------------------------------------------
 * Functions and types of >>impl.argp.device that other parts use.                               */
#ifndef DOCA_SRC_COMPAT_ARGP_DEVICE_PRIV_H
#define DOCA_SRC_COMPAT_ARGP_DEVICE_PRIV_H

#include "compat/argp/platform_priv.h"

struct doca_priv_argp_value;

DOCA_PRIV_DECL doca_error_t doca_priv_argp_call_device(const struct doca_priv_argp_value *value);

#endif
