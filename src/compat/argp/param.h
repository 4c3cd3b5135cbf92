/* ---- >>argp.param ----------------------------------------------------------------------------
 * Flags: create, describe and register them.                                                    */
#ifndef DOCA_SRC_COMPAT_ARGP_PARAM_H
#define DOCA_SRC_COMPAT_ARGP_PARAM_H

#include "compat/argp/config.h"
#include "compat/argp/types.h"

struct doca_argp_param;

/*
 * Create a flag without name, description, callback and type. It is optional, may be given once,
 * and is accepted on the command line and in JSON files.
 *
 * Owns      one of DOCA_CORE_ARGP_MAX_PARAMS slots, until the flag or the parser is destroyed
 * Errors    INVALID_VALUE  `param` is NULL
 *           BAD_STATE      the parser is not open
 *           NO_MEMORY      all slots are in use
 */
DOCA_CORE_DECL doca_error_t doca_argp_param_create(struct doca_argp_param **param);

/*
 * Destroy a flag that is not registered. The space of its texts is freed when the parser is
 * closed.
 *
 * Errors    INVALID_VALUE  `param` is not a flag
 *           BAD_STATE      the flag is registered; the parser owns it
 */
DOCA_CORE_DECL doca_error_t doca_argp_param_destroy(struct doca_argp_param *param);

/* Describe a flag before it is registered. The texts are copied. A flag needs a short or long name
 * (without dashes), a description, a callback and a type. The help text prints `arguments` after
 * the name, for example "<path>". */
DOCA_CORE_DECL void doca_argp_param_set_short_name(struct doca_argp_param *param, const char *name);
DOCA_CORE_DECL void doca_argp_param_set_long_name(struct doca_argp_param *param, const char *name);
DOCA_CORE_DECL void doca_argp_param_set_arguments(struct doca_argp_param *param,
                                                  const char *arguments);
DOCA_CORE_DECL void doca_argp_param_set_description(struct doca_argp_param *param,
                                                    const char *description);
DOCA_CORE_DECL void doca_argp_param_set_callback(struct doca_argp_param *param,
                                                 doca_argp_param_cb_t callback);
DOCA_CORE_DECL void doca_argp_param_set_type(struct doca_argp_param *param,
                                             enum doca_argp_type type);

/* Start fails when this flag is not given. */
DOCA_CORE_DECL void doca_argp_param_set_mandatory(struct doca_argp_param *param);

/* The flag is ignored in JSON files. */
DOCA_CORE_DECL void doca_argp_param_set_cli_only(struct doca_argp_param *param);

/* The flag may be given any number of times. The callback is called once for each time, in the
 * order of the values. */
DOCA_CORE_DECL void doca_argp_param_set_multiplicity(struct doca_argp_param *param);

/* Start fails when this flag is combined with another flag, except the flags that every program
 * has. When this flag is given, neither mandatory flags nor a command are required. */
DOCA_CORE_DECL void doca_argp_param_set_singular(struct doca_argp_param *param);

/* Let commands inherit the flag: it is also accepted after the commands of the program or command
 * that it belongs to. */
DOCA_CORE_DECL void doca_argp_param_set_inherited(struct doca_argp_param *param);

/* The flag is left out of the help text. */
DOCA_CORE_DECL void doca_argp_param_set_hidden(struct doca_argp_param *param);

/*
 * Register a described flag. The parser owns the flag afterwards, even when the call fails.
 *
 * Errors    INVALID_VALUE   `input_param` is not a flag, its type is unknown, or one of its names
 *                           is j, json or the name of another flag of the program
 *           INITIALIZATION  the names, the description, the callback or the type were not set
 *           NO_MEMORY       a text did not fit in DOCA_CORE_ARGP_TEXT_BYTES
 *           BAD_STATE       the flag is registered already, or the parser is not open
 */
DOCA_CORE_DECL doca_error_t doca_argp_register_param(struct doca_argp_param *input_param);

#endif
