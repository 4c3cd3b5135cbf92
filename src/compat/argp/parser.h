/* ---- >>argp.parser ---------------------------------------------------------------------------
 * The parser as a whole: open it and close it, set its callbacks, start it.                     */
#ifndef DOCA_SRC_COMPAT_ARGP_PARSER_H
#define DOCA_SRC_COMPAT_ARGP_PARSER_H

#include "compat/argp/config.h"
#include "compat/argp/types.h"

/*
 * Open the parser.
 *
 *   program_name    name in the help text, copied; NULL selects the last part of argv[0]
 *   program_config  passed to the callbacks; may be NULL
 *
 * Errors    BAD_STATE  the parser is open already
 *           NO_MEMORY  program_name does not fit in DOCA_CORE_ARGP_TEXT_BYTES
 */
DOCA_CORE_DECL doca_error_t doca_argp_init(const char *program_name, void *program_config);

/*
 * Close the parser and free all its flags and commands.
 *
 * Errors    BAD_STATE  the parser is not open
 */
DOCA_CORE_DECL doca_error_t doca_argp_destroy(void);

/*
 * Set the callback that receives the lines which would go to standard error. Help texts are
 * always printed.
 *
 * Errors    INVALID_VALUE  `callback` is NULL
 *           ALREADY_EXIST  a logger callback is set already
 *           BAD_STATE      the parser is not open
 */
DOCA_CORE_DECL doca_error_t doca_argp_register_logger_callback(doca_argp_logger_cb_t callback);

/*
 * Remove the logger callback; lines go to standard error again.
 *
 * Errors    BAD_STATE  no logger callback is set, or the parser is not open
 */
DOCA_CORE_DECL doca_error_t doca_argp_disable_logger_callback(void);

/*
 * Set the callback for -v. It is called with a bool and the configuration. When it succeeds, the
 * program exits with status 0. When it fails, start fails with its error code.
 *
 * Errors    INVALID_VALUE  `callback` is NULL
 *           BAD_STATE      the parser is not open
 */
DOCA_CORE_DECL doca_error_t doca_argp_register_version_callback(doca_argp_param_cb_t callback);

/*
 * Set the callback that start calls last, to check the complete configuration.
 *
 * Errors    INVALID_VALUE  `callback` is NULL
 *           BAD_STATE      the parser is not open
 */
DOCA_CORE_DECL doca_error_t
doca_argp_register_validation_callback(doca_argp_validation_cb_t callback);

/*
 * Set the callback that opens the devices of flags. Without it, the parser calls doca_dev_open().
 *
 * Errors    INVALID_VALUE  `callback` is NULL
 *           BAD_STATE      the parser is not open
 */
DOCA_CORE_DECL doca_error_t doca_argp_register_dev_open_callback(doca_argp_dev_open_cb_t callback,
                                                                 void *usr_ctx);

/*
 * Stop reporting the keys of JSON files that the parser ignores.
 *
 * Errors    BAD_STATE  the parser is not open
 */
DOCA_CORE_DECL doca_error_t doca_argp_disable_pedantic_config_parsing(void);

/* Make the program a DPDK program, or an ordinary one when `callback` is NULL. Call this before
 * start. Start calls `callback` after all checks and before the callbacks of flags. */
DOCA_CORE_DECL void doca_argp_set_dpdk_program(doca_argp_dpdk_cb_t callback);

/*
 * Read the flags: check the command line and the JSON file, then call the DPDK callback, the
 * callbacks of flags and commands, and the validation callback. Values of the command line come
 * before values of the file, each in their order. A program may call start again.
 *
 *   argc, argv  the arguments of main(); argv[0] must be present, and a NULL ends the array early
 *
 * Errors    NOT_SUPPORTED  an unknown flag
 *           INVALID_VALUE  argv is empty; a value is missing, has the wrong type or is out of
 *                          range, or a flag is missing or given twice, on the command line or in
 *                          the JSON file; a command is unknown or missing; a singular flag is
 *                          combined with others
 *           IO_FAILED      the JSON file cannot be read, or is not valid JSON
 *           NO_MEMORY      there are more values than the macros allow, or the JSON file is longer
 *           BAD_STATE      the parser is not open, or a callback closed or restarted it
 *           any other      returned by a callback; the callbacks after it are not called
 */
DOCA_CORE_DECL doca_error_t doca_argp_start(int argc, char **argv);

/* Print the flags of the program, or of the last command that start found, to standard output, and
 * exit with EXIT_FAILURE. A program calls this when it cannot continue. (Assumed: the status.) */
DOCA_CORE_DECL void doca_argp_usage(void);

/*
 * Get the level that -l or --sdk-log-level set in the last start: 10 to 70. INFO (50) when the
 * flag was not given (Assumed).
 *
 * Errors    INVALID_VALUE  `log_level` or `sdk_log_level` is NULL
 *           BAD_STATE      the parser is not open
 */
DOCA_CORE_DECL doca_error_t doca_argp_get_log_level(int *log_level);
DOCA_CORE_DECL doca_error_t doca_argp_get_sdk_log_level(int *log_level);

#endif
