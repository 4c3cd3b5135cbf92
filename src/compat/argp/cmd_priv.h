/* ---- >>priv.argp.cmd -------------------------------------------------------------------------
 * Functions and types of >>impl.argp.cmd that other parts use.                                  */
#ifndef DOCA_SRC_COMPAT_ARGP_CMD_PRIV_H
#define DOCA_SRC_COMPAT_ARGP_CMD_PRIV_H

#include "compat/argp/platform_priv.h"

struct doca_argp_cmd;

DOCA_PRIV_DECL const struct doca_argp_cmd *
doca_priv_argp_find_cmd(const struct doca_argp_cmd *parent, const char *name);
DOCA_PRIV_DECL bool doca_priv_argp_has_cmds(void);

#endif
