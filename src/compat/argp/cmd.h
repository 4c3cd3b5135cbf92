/* ---- >>argp.cmd ------------------------------------------------------------------------------
 * Commands: create, describe and register them.                                                 */
#ifndef DOCA_SRC_COMPAT_ARGP_CMD_H
#define DOCA_SRC_COMPAT_ARGP_CMD_H

#include "compat/argp/config.h"
#include "compat/argp/types.h"

struct doca_argp_cmd;
struct doca_argp_param;

/*
 * Create a command without name, description and callback.
 *
 * Owns      one of DOCA_CORE_ARGP_MAX_CMDS slots, until the command or the parser is destroyed
 * Errors    INVALID_VALUE  `cmd` is NULL
 *           BAD_STATE      the parser is not open
 *           NO_MEMORY      all slots are in use
 */
DOCA_CORE_DECL doca_error_t doca_argp_cmd_create(struct doca_argp_cmd **cmd);

/*
 * Destroy a command that is not registered, with all flags and commands registered with it.
 *
 * Errors    INVALID_VALUE  `cmd` is not a command
 *           BAD_STATE      the command is registered; the parser owns it
 */
DOCA_CORE_DECL doca_error_t doca_argp_cmd_destroy(struct doca_argp_cmd *cmd);

/* Describe a command before it is registered. The texts are copied. A command needs a name and a
 * description. The callbacks of flags and commands are called in the order in which the flags and
 * commands were given. The help text does not list hidden commands. */
DOCA_CORE_DECL void doca_argp_cmd_set_name(struct doca_argp_cmd *cmd, const char *name);
DOCA_CORE_DECL void doca_argp_cmd_set_description(struct doca_argp_cmd *cmd,
                                                  const char *description);
DOCA_CORE_DECL void doca_argp_cmd_set_callback(struct doca_argp_cmd *cmd,
                                               doca_argp_cmd_cb_t callback);
DOCA_CORE_DECL void doca_argp_cmd_set_hidden(struct doca_argp_cmd *cmd);

/*
 * Register a flag or an inner command with a command that is not yet registered itself. The parser
 * owns the flag or inner command afterwards, even when the call fails.
 *
 * Errors    as doca_argp_register_param() and doca_argp_register_cmd(), and
 *           INVALID_VALUE   `cmd` is not a command, or `input_cmd` is `cmd`
 *           BAD_STATE       `cmd` is registered
 */
DOCA_CORE_DECL doca_error_t doca_argp_cmd_register_param(struct doca_argp_cmd *cmd,
                                                         struct doca_argp_param *input_param);
DOCA_CORE_DECL doca_error_t doca_argp_cmd_register_cmd(struct doca_argp_cmd *cmd,
                                                       struct doca_argp_cmd *input_cmd);

/*
 * Register a described command with the program. The parser owns the command afterwards, even when
 * the call fails.
 *
 * Errors    INVALID_VALUE   `input_cmd` is not a command; its name is empty, begins with '-', or
 *                           belongs to another command of the program
 *           INITIALIZATION  the name or the description was not set
 *           NO_MEMORY       a text did not fit in DOCA_CORE_ARGP_TEXT_BYTES
 *           BAD_STATE       the command is registered already, or the parser is not open
 */
DOCA_CORE_DECL doca_error_t doca_argp_register_cmd(struct doca_argp_cmd *input_cmd);

#endif
