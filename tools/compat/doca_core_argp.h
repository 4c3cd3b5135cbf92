/* doca_core_argp.h - read the flags of a DOCA program from the command line and a JSON file
 *
 * This is the argument parser of the vendor's SDK (doca_argp.h, all functions up to 3.3), for use
 * with doca_core.h. A program registers its flags, each with a callback that stores the value;
 * doca_argp_start() then reads them. The parser needs a hosted system with POSIX open(), read() and
 * write(). It allocates no heap memory (json-c does, see DOCA_CORE_ARGP_JSON_C): its tables, the
 * texts of the flags and the JSON file are in static memory, whose sizes are macros below.
 *
 * DO THIS in one C (or C++) file, and include the header without the macro everywhere else:
 *
 *     #include "doca_core.h"
 *     #define DOCA_CORE_ARGP_IMPLEMENTATION
 *     #include "doca_core_argp.h"
 *
 * THE COMMAND LINE. A flag is written `-x VALUE`, `--name VALUE` or `--name=VALUE`. A flag of type
 * BOOLEAN has no value; `--name=true` and `--name=false` are also accepted. `false` means that the
 * flag is not given, but it still counts when the parser looks for flags that are given twice. A
 * short name may have several letters, so a value must not be joined to it. The parser never takes
 * the name of a flag as the value of the flag before it; pass such a value as `--name=VALUE`.
 * Integers are decimal, or hexadecimal with 0x.
 *
 * A DEVICE (3.x) is written `pci/0000:03:00.0` or `03:00.0`, or as the name of an IB device or of a
 * network interface. A DEVICE_REP is a device, a comma, and one of its representors: the end of the
 * representor's interface name (pf0vf1 or pf0sf88), sfN for a scalable function, a PCI address or a
 * VUID. When the device is left out, the parser looks for the representor on all devices. The text
 * after a further comma is passed on as the arguments of the device:
 *
 *     -a pci/0000:03:00.0,dv_flow_en=2 -r pci/0000:03:00.0,pf0vf0
 *
 * The parser opens a device when it calls the callback of the flag, after the DPDK callback. It
 * opens each device once per start. The program must close the devices and representors that its
 * callbacks receive. A DOUBLE is decimal, with or without an exponent. (Everything in this
 * paragraph and the one before is Assumed, except for the pci/ forms.)
 *
 * Every program has the flags below. A program can register flags of its own with these names,
 * except -j and --json; the built-in flag then loses the name.
 *
 *     -h, --help          print all flags to standard output, exit with status 0     (Assumed: 0)
 *     -v, --version       call the version callback or print versions, exit with 0   (Assumed: 0)
 *     -l, --log-level N   level of the program's own messages: 10 disable, 20 critical, 30 error,
 *                         40 warning, 50 info, 60 debug or 70 trace
 *     --sdk-log-level N   level of the messages of the library, in the same numbers
 *     -j, --json FILE     read more flags from a file; refused when the program runs with more
 *                         rights than its caller (setuid and the like)
 *
 * COMMANDS (3.0). A program may have commands. Each command may have flags and commands of its own:
 *
 *     program [flags] command [flags] command [flags]
 *
 * The flags of a program or command stand before the next command. Inherited flags, and the flags
 * that every program has, may also stand after it. When two flags have the same name, the flag of
 * the innermost command is used. The keys of a JSON file name flags of the program and of the
 * commands on the command line. --help describes the last command that stands before it. If the
 * program has commands, the command line must contain one of them. If this command has no callback
 * but has commands of its own, the line must also contain one of those, and so on. If a singular
 * flag (doca_argp_param_set_singular()) is given, no command is required. (All of this paragraph is
 * Assumed.)
 *
 * LOG LEVELS. When doca_core_log.h was included before the implementation, the levels are passed to
 * doca_log_level_set_global_lower_limit() and ..._sdk_limit(). Otherwise --sdk-log-level sets the
 * level of the library's own log; without it, --log-level does.
 *
 * A DPDK PROGRAM (doca_argp_set_dpdk_program) is started as `program EAL-FLAGS -- FLAGS`. Its
 * callback receives argv[0] and the EAL flags. Without `--`, all words are EAL flags; but if one of
 * them is a help, version or json flag, all words are flags of the program. (Assumed.)
 *
 * THE JSON FILE follows RFC 8259. As in the vendor's files, // starts a comment that ends with the
 * line:
 *
 *     {
 *         "doca_dpdk_flags": {            // read by DPDK programs without EAL flags in argv
 *             "devices": [ { "device": "pf", "id": "0000:03:00.0", "hws": true } ],
 *             "core-mask": 3, "core-list": "0-3", "flags": "--file-prefix x"
 *         },
 *         "doca_general_flags": { "log-level": 60, "sdk-log-level": 40 },
 *         "doca_program_flags": { "pci-addr": "03:00.0", "verbose": true, "port": [1, 2] }
 *     }
 *
 * Keys are long names. An array gives several values to a flag with multiplicity. `false` means
 * that a BOOLEAN flag is not given. A flag on the command line, even with =false, replaces the
 * value in the file. The parser ignores unknown keys and keys of flags that are for the command
 * line only, with a line on standard error for each. A device is a `pf` or `vf` (its address), an
 * `sf` (auxiliary:mlx5_core.sf.ID) or `regex` (ID,class=regex). "sft" appends ,sft_en=1 or
 * ,sft_en=0, and "hws": true appends ,dv_flow_en=2 (Assumed).
 *
 * ERRORS are one line each in the form of the library's errors. They go to standard error or to the
 * logger callback. The line names the flag, or the file, line and column (in bytes). Before the
 * line about a mistake on the command line the parser prints all flags. It checks the whole command
 * line and file before it calls the first callback.
 *
 *     doca_core: doca_argp_start: --port: "12x" is not an integer [INVALID_VALUE]
 *     doca_core: doca_argp_start: a.json:3:17: expected ',' or '}' [IO_FAILED]
 *
 * THREADS. There is one parser per process. Only one thread at a time may call it.
 *
 * DIFFERENCES FROM THE VENDOR'S LIBRARY
 *   - When start fails, it returns an error code. The vendor's reference lists the codes, but the
 *     guide says that it exits.
 *   - A setter that is called with NULL, or for a registered flag or command, reports the error and
 *     does nothing. The vendor's behaviour is undefined.
 *   - The callback of a flag of type JSON_OBJ receives the text of the object, with blanks in place
 *     of comments. Assumed.
 *
 * Source: DOCA Arg Parser guide 2.5.1 and 3.0; DOCA Libraries API, "DOCA Arg Parser".
 *
 * CONTENTS (search for the tag)
 *   API             >>argp.config >>log.level >>argp.types >>argp.param >>argp.cmd >>argp.parser
 *   Private         >>priv.argp.platform >>priv.argp.state >>priv.argp.output >>priv.argp.usage
 *                   >>priv.argp.param >>priv.argp.cmd >>priv.argp.cli >>priv.argp.json
 *                   >>priv.argp.json_flag >>priv.argp.json_eal >>priv.argp.json_file
 *                   >>priv.argp.device
 *   Implementation  >>impl.argp.state >>impl.argp.output >>impl.argp.usage >>impl.argp.parser
 *                   >>impl.argp.param >>impl.argp.cmd >>impl.argp.cli >>impl.argp.json
 *                   >>impl.argp.json_c >>impl.argp.json_own >>impl.argp.json_flag
 *                   >>impl.argp.json_eal >>impl.argp.json_file >>impl.argp.device >>impl.argp.start
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/compat/argp/. Change the
 * parts.
 */
#ifndef DOCA_CORE_ARGP_H
#define DOCA_CORE_ARGP_H

#ifndef DOCA_CORE_H
#include "doca_core.h"
#endif

/* part: src/compat/argp/config.h */
/* ---- >>argp.config ---------------------------------------------------------------------------
 * Limits of this header. Define them before the include, with the same value in every file.     */

#include <stdarg.h>

/* Maximum number of flags of a program at one time. */
#ifndef DOCA_CORE_ARGP_MAX_PARAMS
#define DOCA_CORE_ARGP_MAX_PARAMS 64
#endif

/* Maximum number of commands of a program at one time. */
#ifndef DOCA_CORE_ARGP_MAX_CMDS
#define DOCA_CORE_ARGP_MAX_CMDS 32
#endif

/* Maximum number of values and commands in one command line and JSON file. */
#ifndef DOCA_CORE_ARGP_MAX_VALUES
#define DOCA_CORE_ARGP_MAX_VALUES 256
#endif

/* Space in bytes for all names, descriptions and arguments that are set between init and
 * destroy. */
#ifndef DOCA_CORE_ARGP_TEXT_BYTES
#define DOCA_CORE_ARGP_TEXT_BYTES 32768
#endif

/* Maximum size of a JSON file in bytes. */
#ifndef DOCA_CORE_ARGP_JSON_BYTES
#define DOCA_CORE_ARGP_JSON_BYTES 65536
#endif

/* EAL flags of a JSON file: maximum number of words, and space in bytes for all words. */
#ifndef DOCA_CORE_ARGP_EAL_WORDS
#define DOCA_CORE_ARGP_EAL_WORDS 64
#endif
#ifndef DOCA_CORE_ARGP_EAL_BYTES
#define DOCA_CORE_ARGP_EAL_BYTES 4096
#endif

/* DOCA_CORE_ARGP_JSON_C: define it before the implementation to read keys and values of JSON
 * files with json-c (Debian: libjson-c-dev, link with -ljson-c). The reasons in error messages
 * are then those of json-c. json-c allocates heap memory; all of it is freed before the first
 * callback is called. Without the macro, a strict reader in this header does the same without
 * json-c. */

#ifdef __cplusplus
extern "C" {
#endif

/* part: src/compat/log/level.h */
/* ---- >>log.level -----------------------------------------------------------------------------
 * Log levels. doca_core_log.h and doca_core_argp.h both contain them, and whichever is included
 * first defines them.                                                                           */

#ifndef DOCA_CORE_LOG_LEVELS /* doca_core_argp.h contains the same definition */
#define DOCA_CORE_LOG_LEVELS
enum doca_log_level {
    DOCA_LOG_LEVEL_DISABLE = 10, /* as a lower limit: write no record */
    DOCA_LOG_LEVEL_CRIT = 20,
    DOCA_LOG_LEVEL_ERROR = 30,
    DOCA_LOG_LEVEL_WARNING = 40,
    DOCA_LOG_LEVEL_INFO = 50,
    DOCA_LOG_LEVEL_DEBUG = 60,
    DOCA_LOG_LEVEL_TRACE = 70
};
#endif

/* part: src/compat/argp/types.h */
/* ---- >>argp.types ----------------------------------------------------------------------------
 * Types of flags, and the callbacks that a program registers.                                   */

struct doca_dev;
struct doca_dev_rep;
struct doca_devinfo;

enum doca_argp_type {
    DOCA_ARGP_TYPE_UNKNOWN = 0,
    DOCA_ARGP_TYPE_STRING,
    DOCA_ARGP_TYPE_INT,
    DOCA_ARGP_TYPE_BOOLEAN,
    DOCA_ARGP_TYPE_DEVICE,     /* this type and the next two exist since 3.x */
    DOCA_ARGP_TYPE_DEVICE_REP,
    DOCA_ARGP_TYPE_DOUBLE,
    /* only in a JSON file; a type of 2.5, which has the number of DEVICE there */
    DOCA_ARGP_TYPE_JSON_OBJ
};

/* The value that callbacks of DEVICE and DEVICE_REP flags receive. The structure is valid until the
 * callback returns. The devices and representors are open, and the program must close them. The
 * arguments are valid until the parser is closed or started again. */
struct doca_argp_device_ctx {
    struct doca_dev *dev;
    const char *devargs; /* NULL when there are no arguments */
};

struct doca_argp_device_rep_ctx {
    struct doca_argp_device_ctx dev_ctx; /* device that lists the representor */
    struct doca_dev_rep *dev_rep;
};

struct doca_argp_param;
struct doca_argp_cmd;

/* Store the value of a flag. `value` points to the text itself (char *; STRING and JSON_OBJ), to
 * an int, a bool or a double, or to one of the structures above. It is valid during the call.
 * `config` is the argument of doca_argp_init(). */
typedef doca_error_t (*doca_argp_param_cb_t)(void *value, void *config);

/* Start DPDK with the EAL flags; argv[0] is the name of the program. */
typedef doca_error_t (*doca_argp_dpdk_cb_t)(int argc, char **argv);

/* Open a device for a flag, instead of doca_dev_open(). `usr_ctx` is the argument of the
 * registration. */
typedef doca_error_t (*doca_argp_dev_open_cb_t)(struct doca_devinfo *devinfo, void *usr_ctx,
                                                struct doca_dev **dev);

/* Check the complete configuration. */
typedef doca_error_t (*doca_argp_validation_cb_t)(void *config);

/* Process a command that was given. */
typedef doca_error_t (*doca_argp_cmd_cb_t)(void *config);

/* Process one line, without newline, that would otherwise be written to standard error. The
 * level is ERROR, or WARNING when the parser continues. When the callback fails, the line is
 * also written to standard error. */
typedef doca_error_t (*doca_argp_logger_cb_t)(enum doca_log_level level, const char *format,
                                              va_list args);

/* part: src/compat/argp/param.h */
/* ---- >>argp.param ----------------------------------------------------------------------------
 * Flags: create, describe and register them.                                                    */

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

/* part: src/compat/argp/cmd.h */
/* ---- >>argp.cmd ------------------------------------------------------------------------------
 * Commands: create, describe and register them.                                                 */

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

/* part: src/compat/argp/parser.h */
/* ---- >>argp.parser ---------------------------------------------------------------------------
 * The parser as a whole: open it and close it, set its callbacks, start it.                     */

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

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_ARGP_H */

#if defined(DOCA_CORE_ARGP_IMPLEMENTATION) && !defined(DOCA_PRIV_ARGP_IMPLEMENTED)
#define DOCA_PRIV_ARGP_IMPLEMENTED

#ifndef DOCA_PRIV_DECL
#define DOCA_PRIV_DECL static
#endif

/* part: src/compat/argp/platform_priv.h */
/* ---- >>priv.argp.platform --------------------------------------------------------------------
 * System headers, and the macro that marks functions with a printf format.                      */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif
#ifdef DOCA_CORE_ARGP_JSON_C
#include <json-c/json.h>
#endif

#if defined(__GNUC__)
#define DOCA_PRIV_ARGP_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define DOCA_PRIV_ARGP_FORMAT(text, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* part: src/compat/argp/state_priv.h */
/* ---- >>priv.argp.state -----------------------------------------------------------------------
 * The state of the parser: one per process, in static memory.                                   */

struct doca_dev;

/* The built-in flags, which every program has, are the first entries of the table. */
enum {
    DOCA_PRIV_ARGP_HELP,
    DOCA_PRIV_ARGP_VERSION,
    DOCA_PRIV_ARGP_LOG_LEVEL,
    DOCA_PRIV_ARGP_SDK_LOG_LEVEL,
    DOCA_PRIV_ARGP_JSON,
    DOCA_PRIV_ARGP_NUM_BUILT_IN,
    DOCA_PRIV_ARGP_NUM_SLOTS = DOCA_PRIV_ARGP_NUM_BUILT_IN + DOCA_CORE_ARGP_MAX_PARAMS
};

enum doca_priv_argp_slot_state {
    DOCA_PRIV_ARGP_FREE,
    DOCA_PRIV_ARGP_CREATED,
    DOCA_PRIV_ARGP_REGISTERED
};

/* A command. The first entry of the table stands for the program itself; it is registered and
 * has no name. */
struct doca_argp_cmd {
    enum doca_priv_argp_slot_state slot_state;
    /* NULL for the program, and while the command is not registered */
    const struct doca_argp_cmd *parent;
    const char *name;
    const char *description;
    doca_argp_cmd_cb_t callback;
    bool is_hidden;
    bool is_short_of_text; /* one of its texts did not fit in DOCA_CORE_ARGP_TEXT_BYTES */
};

struct doca_argp_param {
    enum doca_priv_argp_slot_state slot_state;
    const struct doca_argp_cmd *cmd; /* command that the flag is registered with */
    int type; /* the program may pass numbers outside of enum doca_argp_type */
    const char *short_name;
    const char *long_name;
    const char *arguments;
    const char *description;
    doca_argp_param_cb_t callback;
    bool is_mandatory;
    bool is_cli_only;
    bool is_multiple;
    bool is_singular;
    bool is_inherited;
    bool is_hidden;
    bool is_short_of_text; /* as in struct doca_argp_cmd */
    bool is_on_cli;        /* the current start found it on the command line */
    bool is_seen;          /* found on the command line or in the JSON file */
    bool is_given;         /* found with a value other than false */
};

/* One value of a flag, or one command. The table has them in the order in which they were given. */
struct doca_priv_argp_value {
    struct doca_argp_param *param;
    const struct doca_argp_cmd *cmd; /* the command that was given; NULL when this is a flag */
    char *text; /* value of a STRING, JSON_OBJ, DEVICE or DEVICE_REP */
    size_t len; /* bytes of `text` */
    int number; /* value of an INT or BOOLEAN */
    double real; /* value of a DOUBLE */
};

#define DOCA_PRIV_ARGP_DEVS 16 /* maximum number of different devices in one start */

/* A device that the current start opened. */
struct doca_priv_argp_dev {
    struct doca_dev *dev;
    char ibdev_name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
};

struct doca_priv_argp_state {
    bool is_open;
    const char *program_name; /* argument of doca_argp_init(), copied; may be NULL */
    /* copy of the last part of argv[0], which may be changed after start */
    char called_as[256];
    /* number of starts and closes; when it changes, the gathered values are invalid */
    unsigned num_starts;
    void *config;
    doca_argp_param_cb_t version;
    doca_argp_validation_cb_t validation;
    doca_argp_dpdk_cb_t dpdk;
    doca_argp_logger_cb_t logger;
    doca_argp_dev_open_cb_t dev_open;
    void *dev_open_ctx;
    bool is_lenient; /* ignored keys of JSON files are not reported */
    size_t num_devs;
    struct doca_priv_argp_dev devs[DOCA_PRIV_ARGP_DEVS];
    /* the last command on the command line; the entry of the program if the line contains no
     * command */
    const struct doca_argp_cmd *current;
    int log_level;
    int sdk_log_level;
    size_t num_values;
    size_t num_eal_words;
    size_t text_used;
    size_t eal_used;
    struct doca_argp_param params[DOCA_PRIV_ARGP_NUM_SLOTS];
    struct doca_argp_cmd cmds[1 + DOCA_CORE_ARGP_MAX_CMDS];
    struct doca_priv_argp_value values[DOCA_CORE_ARGP_MAX_VALUES];
    char *eal_words[1 + DOCA_CORE_ARGP_EAL_WORDS + 1]; /* name of the program, EAL words, NULL */
    char text[DOCA_CORE_ARGP_TEXT_BYTES];
    char eal[DOCA_CORE_ARGP_EAL_BYTES];
    char json[DOCA_CORE_ARGP_JSON_BYTES + 1];
};

DOCA_PRIV_DECL struct doca_argp_param *doca_priv_argp_find_in(const struct doca_argp_cmd *cmd,
                                                              bool is_long, const char *name,
                                                              size_t len, int from, int to);
DOCA_PRIV_DECL struct doca_argp_param *doca_priv_argp_find(bool is_long, const char *name,
                                                           size_t len);
DOCA_PRIV_DECL bool doca_priv_argp_is_given(const struct doca_argp_cmd *cmd);

/* part: src/compat/argp/output_priv.h */
/* ---- >>priv.argp.output ----------------------------------------------------------------------
 * Functions and types of >>impl.argp.output that other parts use.                               */

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

/* part: src/compat/argp/usage_priv.h */
/* ---- >>priv.argp.usage -----------------------------------------------------------------------
 * Functions and types of >>impl.argp.usage that other parts use.                                */

DOCA_PRIV_DECL void doca_priv_argp_print_usage(int fd);

/* part: src/compat/argp/param_priv.h */
/* ---- >>priv.argp.param -----------------------------------------------------------------------
 * Functions and types of >>impl.argp.param that other parts use.                                */

struct doca_argp_cmd;
struct doca_argp_param;

DOCA_PRIV_DECL const char *doca_priv_argp_keep(const char *text);
DOCA_PRIV_DECL bool doca_priv_argp_is_param(const struct doca_argp_param *param);
DOCA_PRIV_DECL const char *doca_priv_argp_keep_for(bool *is_short_of_text, const char *text);
DOCA_PRIV_DECL doca_error_t doca_priv_argp_register(const struct doca_argp_cmd *cmd,
                                                    struct doca_argp_param *param,
                                                    const char *call);

/* part: src/compat/argp/cmd_priv.h */
/* ---- >>priv.argp.cmd -------------------------------------------------------------------------
 * Functions and types of >>impl.argp.cmd that other parts use.                                  */

struct doca_argp_cmd;

DOCA_PRIV_DECL const struct doca_argp_cmd *
doca_priv_argp_find_cmd(const struct doca_argp_cmd *parent, const char *name);
DOCA_PRIV_DECL bool doca_priv_argp_has_cmds(void);

/* part: src/compat/argp/cli_priv.h */
/* ---- >>priv.argp.cli -------------------------------------------------------------------------
 * Functions and types of >>impl.argp.cli that other parts use.                                  */

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

/* part: src/compat/argp/json_priv.h */
/* ---- >>priv.argp.json ------------------------------------------------------------------------
 * The reader of JSON files. A file is read as a whole, and its strings are decoded in place,
 * because a decoded string is never longer. Two readers of values exist, see >>impl.argp.json_c
 * and >>impl.argp.json_own.                                                                     */

/* Position in a JSON file. Each function leaves `at` after the text that it read, or at the first
 * wrong character. */
struct doca_priv_argp_json {
    const char *path;
    char *at;
    char *end; /* points to a NUL */
    char *line_start;
    unsigned line;
};

struct doca_priv_argp_span {
    char *text;
    size_t len;
};

DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_wrong(const struct doca_priv_argp_json *json,
                                                      doca_error_t code, const char *key,
                                                      const char *why);
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_bad(const struct doca_priv_argp_json *json,
                                                    const char *why);
DOCA_PRIV_DECL void doca_priv_argp_json_blank_comments(char *at, const char *end);
DOCA_PRIV_DECL void doca_priv_argp_json_pass(struct doca_priv_argp_json *json, size_t len);
DOCA_PRIV_DECL bool doca_priv_argp_json_is_blank(char c);
DOCA_PRIV_DECL bool doca_priv_argp_json_is_digit(char c);
DOCA_PRIV_DECL char doca_priv_argp_json_peek(struct doca_priv_argp_json *json);
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_take(struct doca_priv_argp_json *json, char c,
                                                     const char *why);
DOCA_PRIV_DECL bool doca_priv_argp_json_word(struct doca_priv_argp_json *json, const char *word);
DOCA_PRIV_DECL size_t doca_priv_argp_utf8_len(const char *s);
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_next(struct doca_priv_argp_json *json,
                                                     bool is_object, bool is_first,
                                                     struct doca_priv_argp_span *key,
                                                     bool *is_there);

/* Read a string, which may be a key. `*span` receives its decoded text, in place. */
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_string(struct doca_priv_argp_json *json,
                                                       struct doca_priv_argp_span *span);

/* Read a number. `*is_int` receives whether it is an integer that fits in `*number`. */
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_number(struct doca_priv_argp_json *json,
                                                       int *number, bool *is_int);

/* Skip any value with at most 32 levels of nesting, and leave its text unchanged. */
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_skip(struct doca_priv_argp_json *json);

/* part: src/compat/argp/json_flag_priv.h */
/* ---- >>priv.argp.json_flag -------------------------------------------------------------------
 * Functions and types of >>impl.argp.json_flag that other parts use.                            */

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

/* part: src/compat/argp/json_eal_priv.h */
/* ---- >>priv.argp.json_eal --------------------------------------------------------------------
 * Functions and types of >>impl.argp.json_eal that other parts use.                             */

struct doca_priv_argp_json;
struct doca_priv_argp_span;

DOCA_PRIV_DECL bool doca_priv_argp_key_is(const struct doca_priv_argp_span *key, const char *name);
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_eal(struct doca_priv_argp_json *json,
                                                    const struct doca_priv_argp_span *key);

/* part: src/compat/argp/json_file_priv.h */
/* ---- >>priv.argp.json_file -------------------------------------------------------------------
 * Functions and types of >>impl.argp.json_file that other parts use.                            */

DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_load(const char *path);

/* part: src/compat/argp/device_priv.h */
/* ---- >>priv.argp.device ----------------------------------------------------------------------
 * Functions and types of >>impl.argp.device that other parts use.                               */

struct doca_priv_argp_value;

DOCA_PRIV_DECL doca_error_t doca_priv_argp_call_device(const struct doca_priv_argp_value *value);

/* part: src/compat/argp/state.c */
/* ---- >>impl.argp.state -----------------------------------------------------------------------
 * The table of flags, and the search for a flag by its name.                                    */

DOCA_PRIV_DECL struct doca_priv_argp_state doca_priv_argp;

/* Find the registered flag of `cmd` with this name, among the entries [from, to) of the table.
 * Returns NULL when no entry matches. */
DOCA_PRIV_DECL struct doca_argp_param *doca_priv_argp_find_in(const struct doca_argp_cmd *cmd,
                                                              bool is_long, const char *name,
                                                              size_t len, int from, int to)
{
    int i;

    for (i = from; i < to && len > 0; i++) {
        struct doca_argp_param *param = &doca_priv_argp.params[i];
        const char *flag_name = is_long ? param->long_name : param->short_name;

        if (param->slot_state == DOCA_PRIV_ARGP_REGISTERED && param->cmd == cmd &&
            flag_name != NULL && strlen(flag_name) == len && memcmp(flag_name, name, len) == 0)
            return param;
    }
    return NULL;
}

/* Find the flag that this name selects when it stands after the current command. Returns NULL when
 * no flag matches. */
DOCA_PRIV_DECL struct doca_argp_param *doca_priv_argp_find(bool is_long, const char *name,
                                                           size_t len)
{
    const struct doca_argp_cmd *cmd;
    struct doca_argp_param *param;

    for (cmd = doca_priv_argp.current; cmd != NULL; cmd = cmd->parent) {
        param = doca_priv_argp_find_in(cmd, is_long, name, len, 0, DOCA_PRIV_ARGP_NUM_SLOTS);
        if (param != NULL && (cmd == doca_priv_argp.current || param->is_inherited))
            return param;
    }
    return NULL;
}

/* True when `cmd`, or a command inside of it, is the last command that was given. */
DOCA_PRIV_DECL bool doca_priv_argp_is_given(const struct doca_argp_cmd *cmd)
{
    const struct doca_argp_cmd *given = doca_priv_argp.current;

    while (given != NULL && given != cmd)
        given = given->parent;
    return given != NULL;
}

/* part: src/compat/argp/output.c */
/* ---- >>impl.argp.output ----------------------------------------------------------------------
 * Print lines for the user. Uses write(), because a stdio stream would allocate its buffer on the
 * heap.                                                                                         */

static void doca_priv_argp_write(int fd, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t done = write(fd, text, len);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return;
        text += done;
        len -= (size_t)done;
    }
}

DOCA_PRIV_DECL void doca_priv_argp_put(int fd, const char *text)
{
    doca_priv_argp_write(fd, text, strlen(text));
}

static doca_error_t doca_priv_argp_call_logger(enum doca_log_level level, const char *format, ...)
    DOCA_PRIV_ARGP_FORMAT(2, 3);

static doca_error_t doca_priv_argp_call_logger(enum doca_log_level level, const char *format, ...)
{
    doca_error_t rc;
    va_list args;

    va_start(args, format);
    rc = doca_priv_argp.logger(level, format, args);
    va_end(args);
    return rc;
}

/* Replace control characters in a message by '?', because text from a file or an argument could
 * otherwise control the terminal or start a new line. In UTF-8, the control characters above
 * ASCII are C2 80 to C2 9F. */
static void doca_priv_argp_mask_controls(char *text)
{
    unsigned char *c;

    for (c = (unsigned char *)text; *c != '\0'; c++) {
        if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0)
            c[0] = c[1] = '?';
        if (*c < ' ' || *c == 0x7f)
            *c = '?';
    }
}

DOCA_PRIV_DECL doca_error_t doca_priv_argp_fail(doca_error_t code, const char *call,
                                                const char *format, ...)
{
    const char *name = doca_error_get_name(code);
    char reason[768];
    char line[1024];
    va_list args;
    int len;

    va_start(args, format);
    (void)vsnprintf(reason, sizeof(reason), format, args);
    va_end(args);
    doca_priv_argp_mask_controls(reason);
    len = code == DOCA_SUCCESS
              ? snprintf(line, sizeof(line), "doca_core: %s: %s", call, reason)
              : snprintf(line, sizeof(line), "doca_core: %s: %s [%s]", call, reason,
                         name[0] == 'D' ? name + sizeof("DOCA_ERROR_") - 1 : name);
    if (doca_priv_argp.logger != NULL &&
        doca_priv_argp_call_logger(code == DOCA_SUCCESS ? DOCA_LOG_LEVEL_WARNING
                                                        : DOCA_LOG_LEVEL_ERROR,
                                   "%s", line) == DOCA_SUCCESS)
        return code;
    if (len > 0) {
        line[len] = '\n';
        doca_priv_argp_write(STDERR_FILENO, line, (size_t)len + 1);
    }
    return code;
}

DOCA_PRIV_DECL struct doca_priv_argp_name
doca_priv_argp_name_of(const struct doca_argp_param *param)
{
    struct doca_priv_argp_name name;

    (void)snprintf(name.text, sizeof(name.text), "%s%s", param->long_name != NULL ? "--" : "-",
                   param->long_name != NULL ? param->long_name : param->short_name);
    return name;
}

/* part: src/compat/argp/usage.c */
/* ---- >>impl.argp.usage -----------------------------------------------------------------------
 * The help text.                                                                                */

/* Write "  -x, --name <arguments>" to `fd`, or nothing when `fd` is negative. Returns its
 * length. */
static size_t doca_priv_argp_put_flag(int fd, const struct doca_argp_param *param)
{
    const char *parts[6];
    size_t i, len = 0;

    parts[0] = param->short_name != NULL ? "  -" : "  ";
    parts[1] = param->short_name != NULL ? param->short_name : "";
    parts[2] = param->long_name == NULL ? "" : param->short_name != NULL ? ", --" : "--";
    parts[3] = param->long_name != NULL ? param->long_name : "";
    parts[4] = param->arguments != NULL ? " " : "";
    parts[5] = param->arguments != NULL ? param->arguments : "";
    for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        len += strlen(parts[i]);
        if (fd >= 0)
            doca_priv_argp_put(fd, parts[i]);
    }
    return len;
}

/* The group of flags in which the help text of the current command lists a flag. */
enum doca_priv_argp_group {
    DOCA_PRIV_ARGP_ABSENT,
    DOCA_PRIV_ARGP_OF_ALL,
    DOCA_PRIV_ARGP_INHERITED,
    DOCA_PRIV_ARGP_OWN
};

/* Return the group of a flag. `*seen` receives a copy of the flag as the help text shows it,
 * without a name that selects another flag when the user writes it after the current command. */
static enum doca_priv_argp_group doca_priv_argp_group_of(int slot, struct doca_argp_param *seen)
{
    const struct doca_argp_param *param = &doca_priv_argp.params[slot];
    const char *name;

    *seen = *param;
    if (param->slot_state != DOCA_PRIV_ARGP_REGISTERED || param->is_hidden)
        return DOCA_PRIV_ARGP_ABSENT;
    name = param->short_name;
    if (name != NULL && doca_priv_argp_find(false, name, strlen(name)) != param)
        seen->short_name = NULL;
    name = param->long_name;
    if (name != NULL && doca_priv_argp_find(true, name, strlen(name)) != param)
        seen->long_name = NULL;
    return seen->short_name == NULL && seen->long_name == NULL ? DOCA_PRIV_ARGP_ABSENT
           : slot < DOCA_PRIV_ARGP_NUM_BUILT_IN                ? DOCA_PRIV_ARGP_OF_ALL
           : param->cmd == doca_priv_argp.current              ? DOCA_PRIV_ARGP_OWN
                                                               : DOCA_PRIV_ARGP_INHERITED;
}

/* True when the help text of the current command lists `cmd`. */
static bool doca_priv_argp_is_shown(const struct doca_argp_cmd *cmd)
{
    return cmd->slot_state == DOCA_PRIV_ARGP_REGISTERED && cmd->parent == doca_priv_argp.current &&
           cmd->parent != NULL && !cmd->is_hidden;
}

static void doca_priv_argp_put_blanks(int fd, size_t num)
{
    for (; num > 0; num--)
        doca_priv_argp_put(fd, " ");
}

static void doca_priv_argp_put_flags(int fd, const char *title, enum doca_priv_argp_group group,
                                     size_t column)
{
    struct doca_argp_param param;
    int i;

    for (i = 0; i < DOCA_PRIV_ARGP_NUM_SLOTS; i++) {
        size_t len;

        if (doca_priv_argp_group_of(i, &param) != group)
            continue;
        doca_priv_argp_put(fd, title);
        title = "";
        len = doca_priv_argp_put_flag(fd, &param);
        if (len >= column) { /* print the description on the next line */
            doca_priv_argp_put(fd, "\n");
            len = 0;
        }
        doca_priv_argp_put_blanks(fd, column - len);
        doca_priv_argp_put(fd, param.description);
        doca_priv_argp_put(fd, param.is_mandatory ? " (mandatory)" : "");
        doca_priv_argp_put(fd, param.is_multiple ? " (may be repeated)" : "");
        doca_priv_argp_put(fd, param.is_singular ? " (cannot be combined)" : "");
        doca_priv_argp_put(fd, "\n");
    }
}

static void doca_priv_argp_put_cmds(int fd, size_t column)
{
    const char *title = "\nCommands:\n";
    int i;

    for (i = 0; i <= DOCA_CORE_ARGP_MAX_CMDS; i++) {
        const struct doca_argp_cmd *cmd = &doca_priv_argp.cmds[i];
        size_t len;

        if (!doca_priv_argp_is_shown(cmd))
            continue;
        len = 2 + strlen(cmd->name);
        doca_priv_argp_put(fd, title);
        title = "";
        doca_priv_argp_put(fd, "  ");
        doca_priv_argp_put(fd, cmd->name);
        doca_priv_argp_put(fd, len >= column ? "\n" : "");
        doca_priv_argp_put_blanks(fd, len >= column ? column : column - len);
        doca_priv_argp_put(fd, cmd->description);
        doca_priv_argp_put(fd, "\n");
    }
}

/* Compute the column in which descriptions begin: after the longest flag or command. Flags and
 * commands of more than 40 characters are ignored. */
static size_t doca_priv_argp_column(bool *has_cmds)
{
    struct doca_argp_param param;
    size_t len, column = 0;
    int i;

    for (i = 0; i < DOCA_PRIV_ARGP_NUM_SLOTS; i++) {
        if (doca_priv_argp_group_of(i, &param) == DOCA_PRIV_ARGP_ABSENT)
            continue;
        len = 2 + doca_priv_argp_put_flag(-1, &param);
        if (len > column && len <= 40)
            column = len;
    }
    *has_cmds = false;
    for (i = 0; i <= DOCA_CORE_ARGP_MAX_CMDS; i++) {
        if (!doca_priv_argp_is_shown(&doca_priv_argp.cmds[i]))
            continue;
        *has_cmds = true;
        len = 4 + strlen(doca_priv_argp.cmds[i].name);
        if (len > column && len <= 40)
            column = len;
    }
    return column;
}

/* Write "Usage: program [flags] command [flags]", with the commands from the outermost to the
 * current one. */
static void doca_priv_argp_put_head(int fd, bool has_cmds)
{
    const struct doca_argp_cmd *current = doca_priv_argp.current, *cmd;
    int depth = 0, level, i;

    doca_priv_argp_put(fd, "Usage: ");
    doca_priv_argp_put(fd, doca_priv_argp.program_name != NULL   ? doca_priv_argp.program_name
                           : doca_priv_argp.called_as[0] != '\0' ? doca_priv_argp.called_as
                                                                 : "program");
    doca_priv_argp_put(fd, doca_priv_argp.dpdk != NULL ? " [EAL flags --]" : "");
    for (cmd = current; cmd != NULL; cmd = cmd->parent)
        depth++;
    for (level = depth; level > 0; level--) {
        for (cmd = current, i = 1; i < level; i++)
            cmd = cmd->parent;
        if (level < depth) {
            doca_priv_argp_put(fd, " ");
            doca_priv_argp_put(fd, cmd->name);
        }
        doca_priv_argp_put(fd, " [flags]");
    }
    doca_priv_argp_put(fd, has_cmds ? " COMMAND ...\n" : "\n");
    if (depth > 1) {
        doca_priv_argp_put(fd, "\n");
        doca_priv_argp_put(fd, current->description);
        doca_priv_argp_put(fd, "\n");
    }
}

DOCA_PRIV_DECL void doca_priv_argp_print_usage(int fd)
{
    bool has_cmds;
    size_t column = doca_priv_argp_column(&has_cmds);

    (void)fflush(stdout); /* earlier output of the program must come before the help text */
    doca_priv_argp_put_head(fd, has_cmds);
    doca_priv_argp_put_cmds(fd, column);
    doca_priv_argp_put_flags(fd, "\nFlags of every DOCA program:\n", DOCA_PRIV_ARGP_OF_ALL, column);
    doca_priv_argp_put_flags(fd, "\nInherited flags:\n", DOCA_PRIV_ARGP_INHERITED, column);
    doca_priv_argp_put_flags(fd, doca_priv_argp.current == doca_priv_argp.cmds
                                     ? "\nFlags of this program:\n"
                                     : "\nFlags of this command:\n",
                             DOCA_PRIV_ARGP_OWN, column);
}

DOCA_CORE_DECL void doca_argp_usage(void)
{
    doca_priv_argp_print_usage(STDOUT_FILENO);
    exit(EXIT_FAILURE);
}

/* part: src/compat/argp/parser.c */
/* ---- >>impl.argp.parser ----------------------------------------------------------------------
 * Open and close the parser, and set its callbacks.                                             */

static void doca_priv_argp_built_in(int slot, const char *short_name, const char *long_name,
                                    const char *arguments, enum doca_argp_type type,
                                    const char *description)
{
    struct doca_argp_param *param = &doca_priv_argp.params[slot];

    param->slot_state = DOCA_PRIV_ARGP_REGISTERED;
    param->cmd = doca_priv_argp.cmds;
    param->is_inherited = true;
    param->type = (int)type;
    param->short_name = short_name;
    param->long_name = long_name;
    param->arguments = arguments;
    param->description = description;
    param->is_cli_only = slot != DOCA_PRIV_ARGP_LOG_LEVEL && slot != DOCA_PRIV_ARGP_SDK_LOG_LEVEL;
}

DOCA_CORE_DECL doca_error_t doca_argp_init(const char *program_name, void *program_config)
{
    const char *name = NULL;

    if (doca_priv_argp.is_open)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is open already");
    if (program_name != NULL) {
        name = doca_priv_argp_keep(program_name);
        if (name == NULL)
            return DOCA_PRIV_ARGP_FAIL(NO_MEMORY,
                                       "the name does not fit in DOCA_CORE_ARGP_TEXT_BYTES");
    }
    doca_priv_argp.is_open = true;
    doca_priv_argp.cmds[0].slot_state = DOCA_PRIV_ARGP_REGISTERED;
    doca_priv_argp.current = doca_priv_argp.cmds;
    doca_priv_argp.program_name = name;
    doca_priv_argp.config = program_config;
    doca_priv_argp.log_level = DOCA_CORE_LOG_INFO;
    doca_priv_argp.sdk_log_level = DOCA_CORE_LOG_INFO;
    doca_priv_argp_built_in(DOCA_PRIV_ARGP_HELP, "h", "help", NULL, DOCA_ARGP_TYPE_BOOLEAN,
                            "print this text and exit");
    doca_priv_argp_built_in(DOCA_PRIV_ARGP_VERSION, "v", "version", NULL, DOCA_ARGP_TYPE_BOOLEAN,
                            "print versions and exit");
    doca_priv_argp_built_in(DOCA_PRIV_ARGP_LOG_LEVEL, "l", "log-level", "<level>",
                            DOCA_ARGP_TYPE_INT,
                            "log level of the program: 10 disable, 20 critical, 30 error, "
                            "40 warning, 50 info, 60 debug, 70 trace");
    doca_priv_argp_built_in(DOCA_PRIV_ARGP_SDK_LOG_LEVEL, NULL, "sdk-log-level", "<level>",
                            DOCA_ARGP_TYPE_INT, "log level of the library, in the same numbers");
    doca_priv_argp_built_in(DOCA_PRIV_ARGP_JSON, "j", "json", "<path>", DOCA_ARGP_TYPE_STRING,
                            "read more flags from a JSON file");
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_argp_destroy(void)
{
    if (!doca_priv_argp.is_open)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is not open");
    memset(doca_priv_argp.params, 0, sizeof(doca_priv_argp.params));
    memset(doca_priv_argp.cmds, 0, sizeof(doca_priv_argp.cmds));
    doca_priv_argp.current = NULL;
    doca_priv_argp.version = NULL;
    doca_priv_argp.validation = NULL;
    doca_priv_argp.dpdk = NULL;
    doca_priv_argp.logger = NULL;
    doca_priv_argp.dev_open = NULL;
    doca_priv_argp.is_lenient = false;
    doca_priv_argp.num_devs = 0;
    doca_priv_argp.program_name = NULL;
    doca_priv_argp.called_as[0] = '\0';
    doca_priv_argp.num_starts++;
    doca_priv_argp.text_used = 0;
    doca_priv_argp.is_open = false;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_argp_register_version_callback(doca_argp_param_cb_t callback)
{
    if (callback == NULL)
        return DOCA_PRIV_ARGP_FAIL(INVALID_VALUE, "an argument is NULL");
    if (!doca_priv_argp.is_open)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is not open");
    doca_priv_argp.version = callback;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t
doca_argp_register_validation_callback(doca_argp_validation_cb_t callback)
{
    if (callback == NULL)
        return DOCA_PRIV_ARGP_FAIL(INVALID_VALUE, "an argument is NULL");
    if (!doca_priv_argp.is_open)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is not open");
    doca_priv_argp.validation = callback;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_argp_register_dev_open_callback(doca_argp_dev_open_cb_t callback,
                                                                 void *usr_ctx)
{
    if (callback == NULL)
        return DOCA_PRIV_ARGP_FAIL(INVALID_VALUE, "the callback is NULL");
    if (!doca_priv_argp.is_open)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is not open");
    doca_priv_argp.dev_open = callback;
    doca_priv_argp.dev_open_ctx = usr_ctx;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_argp_disable_pedantic_config_parsing(void)
{
    if (!doca_priv_argp.is_open)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is not open");
    doca_priv_argp.is_lenient = true;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_argp_register_logger_callback(doca_argp_logger_cb_t callback)
{
    if (callback == NULL)
        return DOCA_PRIV_ARGP_FAIL(INVALID_VALUE, "an argument is NULL");
    if (!doca_priv_argp.is_open)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is not open");
    if (doca_priv_argp.logger != NULL)
        return DOCA_PRIV_ARGP_FAIL(ALREADY_EXIST, "there is a logger callback already");
    doca_priv_argp.logger = callback;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_argp_disable_logger_callback(void)
{
    if (doca_priv_argp.logger == NULL)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "there is no logger callback");
    doca_priv_argp.logger = NULL;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL void doca_argp_set_dpdk_program(doca_argp_dpdk_cb_t callback)
{
    if (!doca_priv_argp.is_open)
        (void)DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is not open");
    else
        doca_priv_argp.dpdk = callback;
}

static doca_error_t doca_priv_argp_get_level(const int *level, int *to, const char *call)
{
    if (to == NULL)
        return doca_priv_argp_fail(DOCA_ERROR_INVALID_VALUE, call, "an argument is NULL");
    if (!doca_priv_argp.is_open)
        return doca_priv_argp_fail(DOCA_ERROR_BAD_STATE, call, "the parser is not open");
    *to = *level;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_argp_get_log_level(int *log_level)
{
    return doca_priv_argp_get_level(&doca_priv_argp.log_level, log_level, __func__);
}

DOCA_CORE_DECL doca_error_t doca_argp_get_sdk_log_level(int *log_level)
{
    return doca_priv_argp_get_level(&doca_priv_argp.sdk_log_level, log_level, __func__);
}

/* part: src/compat/argp/param.c */
/* ---- >>impl.argp.param -----------------------------------------------------------------------
 * Create, describe and register flags.                                                          */

DOCA_PRIV_DECL const char *doca_priv_argp_keep(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *kept = doca_priv_argp.text + doca_priv_argp.text_used;

    if (bytes > sizeof(doca_priv_argp.text) - doca_priv_argp.text_used)
        return NULL;
    memcpy(kept, text, bytes);
    doca_priv_argp.text_used += bytes;
    return kept;
}

DOCA_CORE_DECL doca_error_t doca_argp_param_create(struct doca_argp_param **param)
{
    int i;

    if (param == NULL)
        return DOCA_PRIV_ARGP_FAIL(INVALID_VALUE, "an argument is NULL");
    if (!doca_priv_argp.is_open)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is not open");
    for (i = DOCA_PRIV_ARGP_NUM_BUILT_IN; i < DOCA_PRIV_ARGP_NUM_SLOTS; i++) {
        struct doca_argp_param *slot = &doca_priv_argp.params[i];

        if (slot->slot_state != DOCA_PRIV_ARGP_FREE)
            continue;
        memset(slot, 0, sizeof(*slot));
        slot->slot_state = DOCA_PRIV_ARGP_CREATED;
        *param = slot;
        return DOCA_SUCCESS;
    }
    return DOCA_PRIV_ARGP_FAIL(NO_MEMORY, "more flags than DOCA_CORE_ARGP_MAX_PARAMS (%d)",
                               DOCA_CORE_ARGP_MAX_PARAMS);
}

DOCA_PRIV_DECL bool doca_priv_argp_is_param(const struct doca_argp_param *param)
{
    int i;

    for (i = DOCA_PRIV_ARGP_NUM_BUILT_IN; i < DOCA_PRIV_ARGP_NUM_SLOTS; i++)
        if (param == &doca_priv_argp.params[i])
            return param->slot_state != DOCA_PRIV_ARGP_FREE;
    return false;
}

/* Check that `param` is a flag of the program that is not registered. */
static doca_error_t doca_priv_argp_check(const struct doca_argp_param *param, const char *call)
{
    if (!doca_priv_argp_is_param(param))
        return doca_priv_argp_fail(DOCA_ERROR_INVALID_VALUE, call,
                                   "the argument is not a flag of this program");
    if (param->slot_state == DOCA_PRIV_ARGP_REGISTERED)
        return doca_priv_argp_fail(DOCA_ERROR_BAD_STATE, call, "%s: the flag is registered already",
                                   doca_priv_argp_name_of(param).text);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_argp_param_destroy(struct doca_argp_param *param)
{
    doca_error_t rc = doca_priv_argp_check(param, __func__);

    if (rc == DOCA_SUCCESS)
        param->slot_state = DOCA_PRIV_ARGP_FREE;
    return rc;
}

DOCA_PRIV_DECL const char *doca_priv_argp_keep_for(bool *is_short_of_text, const char *text)
{
    const char *kept = text != NULL ? doca_priv_argp_keep(text) : NULL;

    if (text != NULL && kept == NULL)
        *is_short_of_text = true;
    return kept;
}

DOCA_CORE_DECL void doca_argp_param_set_short_name(struct doca_argp_param *param, const char *name)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->short_name = doca_priv_argp_keep_for(&param->is_short_of_text, name);
}

DOCA_CORE_DECL void doca_argp_param_set_long_name(struct doca_argp_param *param, const char *name)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->long_name = doca_priv_argp_keep_for(&param->is_short_of_text, name);
}

DOCA_CORE_DECL void doca_argp_param_set_arguments(struct doca_argp_param *param,
                                                  const char *arguments)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->arguments = doca_priv_argp_keep_for(&param->is_short_of_text, arguments);
}

DOCA_CORE_DECL void doca_argp_param_set_description(struct doca_argp_param *param,
                                                    const char *description)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->description = doca_priv_argp_keep_for(&param->is_short_of_text, description);
}

DOCA_CORE_DECL void doca_argp_param_set_callback(struct doca_argp_param *param,
                                                 doca_argp_param_cb_t callback)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->callback = callback;
}

DOCA_CORE_DECL void doca_argp_param_set_type(struct doca_argp_param *param,
                                             enum doca_argp_type type)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->type = (int)type;
}

DOCA_CORE_DECL void doca_argp_param_set_mandatory(struct doca_argp_param *param)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->is_mandatory = true;
}

DOCA_CORE_DECL void doca_argp_param_set_cli_only(struct doca_argp_param *param)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->is_cli_only = true;
}

DOCA_CORE_DECL void doca_argp_param_set_multiplicity(struct doca_argp_param *param)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->is_multiple = true;
}

DOCA_CORE_DECL void doca_argp_param_set_singular(struct doca_argp_param *param)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->is_singular = true;
}

DOCA_CORE_DECL void doca_argp_param_set_inherited(struct doca_argp_param *param)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->is_inherited = true;
}

DOCA_CORE_DECL void doca_argp_param_set_hidden(struct doca_argp_param *param)
{
    if (doca_priv_argp_check(param, __func__) == DOCA_SUCCESS)
        param->is_hidden = true;
}

/* True when a flag of `cmd` has this name, or when the name is j or json. A program may give the
 * names of the other built-in flags to its own flags. */
static bool doca_priv_argp_is_taken(const struct doca_argp_cmd *cmd, bool is_long, const char *name)
{
    size_t len = name != NULL ? strlen(name) : 0;

    return doca_priv_argp_find_in(cmd, is_long, name, len, DOCA_PRIV_ARGP_NUM_BUILT_IN,
                                  DOCA_PRIV_ARGP_NUM_SLOTS) != NULL ||
           doca_priv_argp_find_in(doca_priv_argp.cmds, is_long, name, len, DOCA_PRIV_ARGP_JSON,
                                  DOCA_PRIV_ARGP_NUM_BUILT_IN) != NULL;
}

/* Remove a name from the built-in flag that has it, because the program registers the name for its
 * own flag. */
static void doca_priv_argp_take_name(bool is_long, const char *name)
{
    struct doca_argp_param *param = NULL;

    if (name != NULL)
        param = doca_priv_argp_find_in(doca_priv_argp.cmds, is_long, name, strlen(name), 0,
                                       DOCA_PRIV_ARGP_JSON);
    if (param == NULL)
        return;
    *(is_long ? &param->long_name : &param->short_name) = NULL;
    if (param->long_name == NULL && param->short_name == NULL)
        param->slot_state = DOCA_PRIV_ARGP_FREE;
}

/* Check that a described flag can be registered with `cmd`. */
static doca_error_t doca_priv_argp_judge(const struct doca_argp_cmd *cmd,
                                         const struct doca_argp_param *param, const char *call)
{
    const char *missing = param->description == NULL               ? "description"
                          : param->callback == NULL                ? "callback"
                          : param->type == DOCA_ARGP_TYPE_UNKNOWN ? "type"
                                                                   : NULL;

    if (param->is_short_of_text)
        return doca_priv_argp_fail(DOCA_ERROR_NO_MEMORY, call,
                                   "the texts do not fit in DOCA_CORE_ARGP_TEXT_BYTES");
    if (param->short_name == NULL && param->long_name == NULL)
        return doca_priv_argp_fail(DOCA_ERROR_INITIALIZATION, call, "the flag has no name");
    if (missing != NULL)
        return doca_priv_argp_fail(DOCA_ERROR_INITIALIZATION, call, "%s: has no %s",
                                   doca_priv_argp_name_of(param).text, missing);
    if (param->type < 0 || param->type > DOCA_ARGP_TYPE_JSON_OBJ)
        return doca_priv_argp_fail(DOCA_ERROR_INVALID_VALUE, call, "%s: has an unknown type",
                                   doca_priv_argp_name_of(param).text);
    if (doca_priv_argp_is_taken(cmd, false, param->short_name) ||
        doca_priv_argp_is_taken(cmd, true, param->long_name))
        return doca_priv_argp_fail(DOCA_ERROR_INVALID_VALUE, call, "%s: the name is taken",
                                   doca_priv_argp_name_of(param).text);
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL doca_error_t doca_priv_argp_register(const struct doca_argp_cmd *cmd,
                                                    struct doca_argp_param *param, const char *call)
{
    doca_error_t rc = doca_priv_argp_check(param, call);

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_argp_judge(cmd, param, call);
    if (rc != DOCA_SUCCESS) {
        param->slot_state = DOCA_PRIV_ARGP_FREE;
        return rc;
    }
    param->slot_state = DOCA_PRIV_ARGP_REGISTERED;
    param->cmd = cmd;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_argp_register_param(struct doca_argp_param *input_param)
{
    doca_error_t rc;

    if (!doca_priv_argp.is_open)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is not open");
    rc = doca_priv_argp_register(doca_priv_argp.cmds, input_param, __func__);
    if (rc == DOCA_SUCCESS) {
        doca_priv_argp_take_name(false, input_param->short_name);
        doca_priv_argp_take_name(true, input_param->long_name);
    }
    return rc;
}

/* part: src/compat/argp/cmd.c */
/* ---- >>impl.argp.cmd -------------------------------------------------------------------------
 * Create, describe and register commands.                                                       */

DOCA_CORE_DECL doca_error_t doca_argp_cmd_create(struct doca_argp_cmd **cmd)
{
    int i;

    if (cmd == NULL)
        return DOCA_PRIV_ARGP_FAIL(INVALID_VALUE, "an argument is NULL");
    if (!doca_priv_argp.is_open)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is not open");
    for (i = 1; i <= DOCA_CORE_ARGP_MAX_CMDS; i++) {
        struct doca_argp_cmd *slot = &doca_priv_argp.cmds[i];

        if (slot->slot_state != DOCA_PRIV_ARGP_FREE)
            continue;
        memset(slot, 0, sizeof(*slot));
        slot->slot_state = DOCA_PRIV_ARGP_CREATED;
        *cmd = slot;
        return DOCA_SUCCESS;
    }
    return DOCA_PRIV_ARGP_FAIL(NO_MEMORY, "more commands than DOCA_CORE_ARGP_MAX_CMDS (%d)",
                               DOCA_CORE_ARGP_MAX_CMDS);
}

static bool doca_priv_argp_is_cmd(const struct doca_argp_cmd *cmd)
{
    int i = 1;

    while (i <= DOCA_CORE_ARGP_MAX_CMDS && cmd != &doca_priv_argp.cmds[i])
        i++;
    return i <= DOCA_CORE_ARGP_MAX_CMDS && cmd->slot_state != DOCA_PRIV_ARGP_FREE;
}

/* Check that `cmd` is a command of the program that is not registered. */
static doca_error_t doca_priv_argp_check_cmd(const struct doca_argp_cmd *cmd, const char *call)
{
    if (!doca_priv_argp_is_cmd(cmd))
        return doca_priv_argp_fail(DOCA_ERROR_INVALID_VALUE, call,
                                   "the argument is not a command of this program");
    if (cmd->slot_state == DOCA_PRIV_ARGP_REGISTERED)
        return doca_priv_argp_fail(DOCA_ERROR_BAD_STATE, call,
                                   "%s: the command is registered already", cmd->name);
    return DOCA_SUCCESS;
}

/* Free the command, all commands registered below it, at any depth, and the flags of all these
 * commands. */
static void doca_priv_argp_free_cmd(struct doca_argp_cmd *cmd)
{
    bool is_done = false;
    int i;

    cmd->slot_state = DOCA_PRIV_ARGP_FREE;
    while (!is_done) {
        is_done = true;
        for (i = 1; i <= DOCA_CORE_ARGP_MAX_CMDS; i++) {
            struct doca_argp_cmd *inner = &doca_priv_argp.cmds[i];

            if (inner->slot_state == DOCA_PRIV_ARGP_REGISTERED &&
                inner->parent->slot_state == DOCA_PRIV_ARGP_FREE) {
                inner->slot_state = DOCA_PRIV_ARGP_FREE;
                is_done = false;
            }
        }
    }
    for (i = DOCA_PRIV_ARGP_NUM_BUILT_IN; i < DOCA_PRIV_ARGP_NUM_SLOTS; i++) {
        struct doca_argp_param *param = &doca_priv_argp.params[i];

        if (param->slot_state == DOCA_PRIV_ARGP_REGISTERED &&
            param->cmd->slot_state == DOCA_PRIV_ARGP_FREE)
            param->slot_state = DOCA_PRIV_ARGP_FREE;
    }
}

DOCA_CORE_DECL doca_error_t doca_argp_cmd_destroy(struct doca_argp_cmd *cmd)
{
    doca_error_t rc = doca_priv_argp_check_cmd(cmd, __func__);

    if (rc == DOCA_SUCCESS)
        doca_priv_argp_free_cmd(cmd);
    return rc;
}

DOCA_CORE_DECL void doca_argp_cmd_set_name(struct doca_argp_cmd *cmd, const char *name)
{
    if (doca_priv_argp_check_cmd(cmd, __func__) == DOCA_SUCCESS)
        cmd->name = doca_priv_argp_keep_for(&cmd->is_short_of_text, name);
}

DOCA_CORE_DECL void doca_argp_cmd_set_description(struct doca_argp_cmd *cmd,
                                                  const char *description)
{
    if (doca_priv_argp_check_cmd(cmd, __func__) == DOCA_SUCCESS)
        cmd->description = doca_priv_argp_keep_for(&cmd->is_short_of_text, description);
}

DOCA_CORE_DECL void doca_argp_cmd_set_callback(struct doca_argp_cmd *cmd,
                                               doca_argp_cmd_cb_t callback)
{
    if (doca_priv_argp_check_cmd(cmd, __func__) == DOCA_SUCCESS)
        cmd->callback = callback;
}

DOCA_CORE_DECL void doca_argp_cmd_set_hidden(struct doca_argp_cmd *cmd)
{
    if (doca_priv_argp_check_cmd(cmd, __func__) == DOCA_SUCCESS)
        cmd->is_hidden = true;
}

/* Find the command of `parent` with this name. Returns NULL when `parent` has no such command. */
DOCA_PRIV_DECL const struct doca_argp_cmd *
doca_priv_argp_find_cmd(const struct doca_argp_cmd *parent, const char *name)
{
    int i;

    for (i = 1; i <= DOCA_CORE_ARGP_MAX_CMDS; i++) {
        const struct doca_argp_cmd *cmd = &doca_priv_argp.cmds[i];

        if (cmd->slot_state == DOCA_PRIV_ARGP_REGISTERED && cmd->parent == parent &&
            strcmp(cmd->name, name) == 0)
            return cmd;
    }
    return NULL;
}

/* Check that a described command can be registered with `parent`. */
static doca_error_t doca_priv_argp_judge_cmd(const struct doca_argp_cmd *parent,
                                             const struct doca_argp_cmd *cmd, const char *call)
{
    if (cmd->is_short_of_text)
        return doca_priv_argp_fail(DOCA_ERROR_NO_MEMORY, call,
                                   "the texts do not fit in DOCA_CORE_ARGP_TEXT_BYTES");
    if (cmd->name == NULL)
        return doca_priv_argp_fail(DOCA_ERROR_INITIALIZATION, call, "the command has no name");
    if (cmd->description == NULL)
        return doca_priv_argp_fail(DOCA_ERROR_INITIALIZATION, call, "%s: has no description",
                                   cmd->name);
    if (cmd->name[0] == '\0' || cmd->name[0] == '-')
        return doca_priv_argp_fail(DOCA_ERROR_INVALID_VALUE, call,
                                   "\"" DOCA_PRIV_ARGP_WORD "\" cannot be the name of a command",
                                   cmd->name);
    if (doca_priv_argp_find_cmd(parent, cmd->name) != NULL)
        return doca_priv_argp_fail(DOCA_ERROR_INVALID_VALUE, call, "%s: the name is taken",
                                   cmd->name);
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_argp_attach(const struct doca_argp_cmd *parent,
                                          struct doca_argp_cmd *cmd, const char *call)
{
    doca_error_t rc = doca_priv_argp_check_cmd(cmd, call);

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_argp_judge_cmd(parent, cmd, call);
    if (rc != DOCA_SUCCESS) {
        doca_priv_argp_free_cmd(cmd);
        return rc;
    }
    cmd->slot_state = DOCA_PRIV_ARGP_REGISTERED;
    cmd->parent = parent;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_argp_register_cmd(struct doca_argp_cmd *input_cmd)
{
    if (!doca_priv_argp.is_open)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is not open");
    return doca_priv_argp_attach(doca_priv_argp.cmds, input_cmd, __func__);
}

DOCA_CORE_DECL doca_error_t doca_argp_cmd_register_param(struct doca_argp_cmd *cmd,
                                                         struct doca_argp_param *input_param)
{
    doca_error_t rc;

    if (!doca_priv_argp.is_open)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is not open");
    rc = doca_priv_argp_check_cmd(cmd, __func__);
    if (rc == DOCA_SUCCESS)
        return doca_priv_argp_register(cmd, input_param, __func__);
    if (doca_priv_argp_is_param(input_param) && input_param->slot_state == DOCA_PRIV_ARGP_CREATED)
        input_param->slot_state = DOCA_PRIV_ARGP_FREE;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_argp_cmd_register_cmd(struct doca_argp_cmd *cmd,
                                                       struct doca_argp_cmd *input_cmd)
{
    doca_error_t rc;

    if (!doca_priv_argp.is_open)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is not open");
    rc = doca_priv_argp_check_cmd(cmd, __func__);
    if (rc == DOCA_SUCCESS && cmd == input_cmd)
        rc = DOCA_PRIV_ARGP_FAIL(INVALID_VALUE, "a command cannot be registered with itself");
    if (rc == DOCA_SUCCESS)
        /* analyzer: readability-suspicious-call-argument: the first argument is the parent */
        return doca_priv_argp_attach(cmd, input_cmd, __func__);
    if (doca_priv_argp_is_cmd(input_cmd) && input_cmd->slot_state == DOCA_PRIV_ARGP_CREATED)
        doca_priv_argp_free_cmd(input_cmd);
    return rc;
}

/* True when the current command, or the program, has commands. */
DOCA_PRIV_DECL bool doca_priv_argp_has_cmds(void)
{
    int i;

    for (i = 1; i <= DOCA_CORE_ARGP_MAX_CMDS; i++)
        if (doca_priv_argp.cmds[i].slot_state == DOCA_PRIV_ARGP_REGISTERED &&
            doca_priv_argp.cmds[i].parent == doca_priv_argp.current)
            return true;
    return false;
}

/* part: src/compat/argp/cli.c */
/* ---- >>impl.argp.cli -------------------------------------------------------------------------
 * The command line. Values of the command line and of the JSON file are gathered in one table. The
 * callbacks are called when everything has been checked.                                        */

static bool doca_priv_argp_is_level(const struct doca_argp_param *param)
{
    return param == &doca_priv_argp.params[DOCA_PRIV_ARGP_LOG_LEVEL] ||
           param == &doca_priv_argp.params[DOCA_PRIV_ARGP_SDK_LOG_LEVEL];
}

/* Take the next entry of the table of values. Returns NULL when the table is full. */
static struct doca_priv_argp_value *doca_priv_argp_next_value(void)
{
    struct doca_priv_argp_value *value = &doca_priv_argp.values[doca_priv_argp.num_values];

    if (doca_priv_argp.num_values == DOCA_CORE_ARGP_MAX_VALUES)
        return NULL;
    memset(value, 0, sizeof(*value));
    doca_priv_argp.num_values++;
    return value;
}

/* Add a value of a flag to the table. On failure, `*why` receives the reason. */
DOCA_PRIV_DECL doca_error_t doca_priv_argp_add(struct doca_argp_param *param, char *text,
                                               size_t len, int number, double real,
                                               const char **why)
{
    struct doca_priv_argp_value *value;

    if (doca_priv_argp_is_level(param) && (number % 10 != 0 || number < 10 || number > 70)) {
        *why = "not a log level (10, 20 ... 70)";
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (param->is_seen && !param->is_multiple) {
        *why = "given more than once";
        return DOCA_ERROR_INVALID_VALUE;
    }
    value = doca_priv_argp_next_value();
    if (value == NULL) {
        *why = "more values than DOCA_CORE_ARGP_MAX_VALUES";
        return DOCA_ERROR_NO_MEMORY;
    }
    param->is_seen = true;
    if (param->type != DOCA_ARGP_TYPE_BOOLEAN || number != 0)
        param->is_given = true;
    value->param = param;
    value->text = text;
    value->len = len;
    value->number = number;
    value->real = real;
    return DOCA_SUCCESS;
}

/* Read `len` bytes as a decimal number. The decimal separator is a point in every locale. */
DOCA_PRIV_DECL bool doca_priv_argp_parse_real(const char *text, size_t len, double *real)
{
    const char *point = localeconv()->decimal_point;
    char copy[128], *end, *dot;

    if (len == 0 || len >= sizeof(copy) || strspn(text, "+-.0123456789eE") < len)
        return false;
    memcpy(copy, text, len);
    copy[len] = '\0';
    dot = strchr(copy, '.');
    if (dot != NULL && point[0] != '\0' && point[1] == '\0')
        *dot = point[0];
    errno = 0;
    *real = strtod(copy, &end);
    return *end == '\0' && errno != ERANGE;
}

/* Find the flag that `word` names. `*value` receives the text after '=', or NULL. */
DOCA_PRIV_DECL struct doca_argp_param *doca_priv_argp_flag_of(char *word, char **value)
{
    bool is_long = word[0] == '-' && word[1] == '-';
    const char *name = word + (is_long ? 2 : 1);
    size_t len = is_long ? strcspn(name, "=") : word[0] == '-' ? strlen(name) : 0;

    *value = is_long && name[len] == '=' ? word + 2 + len + 1 : NULL;
    return doca_priv_argp_find(is_long, name, len);
}

static bool doca_priv_argp_parse_int(const char *text, int *number)
{
    const char *digits = text + (text[0] == '-' ? 1 : 0);
    bool is_hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    char *end;
    long value;

    if (is_hex ? strchr("0123456789abcdefABCDEF", digits[2]) == NULL || digits[2] == '\0'
               : digits[0] < '0' || digits[0] > '9')
        return false;
    errno = 0;
    value = strtol(text, &end, is_hex ? 16 : 10);
    if (*end != '\0')
        return false;
    if (errno != 0 || value < INT_MIN || value > INT_MAX)
        errno = ERANGE;
    *number = (int)value;
    return true;
}

/* Handle -v. Exits, except when the version callback fails. */
static doca_error_t doca_priv_argp_print_version(void)
{
    bool is_asked = true;
    doca_error_t rc;
    char line[128];

    if (doca_priv_argp.version == NULL) {
        (void)fflush(stdout);
        (void)snprintf(line, sizeof(line), "DOCA API %d.%d.%d, doca_core %d.%d.%d\n",
                       DOCA_CORE_API / 10000, DOCA_CORE_API / 100 % 100, DOCA_CORE_API % 100,
                       DOCA_CORE_VERSION_MAJOR, DOCA_CORE_VERSION_MINOR, DOCA_CORE_VERSION_PATCH);
        doca_priv_argp_put(STDOUT_FILENO, line);
        exit(EXIT_SUCCESS);
    }
    rc = doca_priv_argp.version(&is_asked, doca_priv_argp.config);
    if (rc == DOCA_SUCCESS)
        exit(EXIT_SUCCESS);
    return doca_priv_argp_fail(rc, "doca_argp_start", "the version callback failed");
}

DOCA_PRIV_DECL doca_error_t doca_priv_argp_wrong_flag(doca_error_t code,
                                                      const struct doca_argp_param *param,
                                                      const char *why)
{
    doca_priv_argp_print_usage(STDERR_FILENO);
    return doca_priv_argp_fail(code, "doca_argp_start", "%s: %s",
                               doca_priv_argp_name_of(param).text, why);
}

/* Read the value of a BOOLEAN flag; `value` is NULL when there is none. `*number` receives 1, or
 * 0 when the flag counts as not given. */
static doca_error_t doca_priv_argp_read_bool(const struct doca_argp_param *param,
                                             const char *value, int *number)
{
    *number = value == NULL || strcmp(value, "true") == 0;
    if (*number || strcmp(value, "false") == 0)
        return DOCA_SUCCESS;
    return doca_priv_argp_wrong_flag(DOCA_ERROR_INVALID_VALUE, param,
                                     "takes no value, =true or =false");
}

/* Add a flag of the command line, with its value as text. `value` is NULL for a BOOLEAN flag
 * without a value. */
static doca_error_t doca_priv_argp_note_flag(struct doca_argp_param *param, char *value)
{
    const char *why = NULL;
    doca_error_t rc;
    char text[256];
    int number = 1;
    double real = 0;

    if (param->type == DOCA_ARGP_TYPE_DOUBLE) {
        if (!doca_priv_argp_parse_real(value, strlen(value), &real)) {
            (void)snprintf(text, sizeof(text),
                           "\"" DOCA_PRIV_ARGP_WORD "\" is not a decimal number", value);
            return doca_priv_argp_wrong_flag(DOCA_ERROR_INVALID_VALUE, param, text);
        }
    } else if (param->type == DOCA_ARGP_TYPE_INT) {
        bool is_int = doca_priv_argp_parse_int(value, &number);

        if (!is_int || errno == ERANGE) {
            (void)snprintf(text, sizeof(text), "\"" DOCA_PRIV_ARGP_WORD "\" is %s", value,
                           is_int ? "out of the range of an integer" : "not an integer");
            return doca_priv_argp_wrong_flag(DOCA_ERROR_INVALID_VALUE, param, text);
        }
    } else if (param->type == DOCA_ARGP_TYPE_BOOLEAN) {
        rc = doca_priv_argp_read_bool(param, value, &number);
        if (rc != DOCA_SUCCESS)
            return rc;
    }
    rc = doca_priv_argp_add(param, value, value != NULL ? strlen(value) : 0, number, real, &why);
    if (rc != DOCA_SUCCESS)
        return doca_priv_argp_wrong_flag(rc, param, why);
    param->is_on_cli = true;
    return DOCA_SUCCESS;
}

/* Append the command that `word` names to the values, and make it the current command: the flags
 * after it belong to it. */
static doca_error_t doca_priv_argp_read_cmd(const char *word)
{
    const struct doca_argp_cmd *cmd = doca_priv_argp_find_cmd(doca_priv_argp.current, word);
    struct doca_priv_argp_value *value;

    if (cmd == NULL) {
        doca_priv_argp_print_usage(STDERR_FILENO);
        return DOCA_PRIV_ARGP_REFUSE(INVALID_VALUE, "\"" DOCA_PRIV_ARGP_WORD "\" is not a %s", word,
                                     doca_priv_argp_has_cmds() ? "command" : "flag");
    }
    value = doca_priv_argp_next_value();
    if (value == NULL)
        return DOCA_PRIV_ARGP_REFUSE(NO_MEMORY, "%s: more values than DOCA_CORE_ARGP_MAX_VALUES",
                                     cmd->name);
    value->cmd = cmd;
    doca_priv_argp.current = cmd;
    return DOCA_SUCCESS;
}

/* Handle --help and --version: exit, unless the value is false. */
static doca_error_t doca_priv_argp_print_and_exit(const struct doca_argp_param *param,
                                                  const char *value)
{
    int is_asked = 0;
    doca_error_t rc = doca_priv_argp_read_bool(param, value, &is_asked);

    if (rc != DOCA_SUCCESS || !is_asked)
        return rc;
    if (param == &doca_priv_argp.params[DOCA_PRIV_ARGP_VERSION])
        return doca_priv_argp_print_version();
    doca_priv_argp_print_usage(STDOUT_FILENO);
    exit(EXIT_SUCCESS);
}

/* Read the flag or command at argv[0], and its value. `*num_words` receives the number of words
 * that were read. */
DOCA_PRIV_DECL doca_error_t doca_priv_argp_read_flag(int argc, char **argv, int *num_words)
{
    char *value, *unused;
    struct doca_argp_param *param = doca_priv_argp_flag_of(argv[0], &value);

    *num_words = 1;
    if (param == NULL && argv[0][0] != '-')
        return doca_priv_argp_read_cmd(argv[0]);
    if (param == NULL) {
        doca_priv_argp_print_usage(STDERR_FILENO);
        return DOCA_PRIV_ARGP_REFUSE(NOT_SUPPORTED, DOCA_PRIV_ARGP_WORD ": unknown flag", argv[0]);
    }
    if (param == &doca_priv_argp.params[DOCA_PRIV_ARGP_HELP] ||
        param == &doca_priv_argp.params[DOCA_PRIV_ARGP_VERSION])
        return doca_priv_argp_print_and_exit(param, value);
    if (param->type == DOCA_ARGP_TYPE_JSON_OBJ)
        return doca_priv_argp_wrong_flag(DOCA_ERROR_INVALID_VALUE, param,
                                         "can be given in a JSON file only");
    if (param->type != DOCA_ARGP_TYPE_BOOLEAN && value == NULL) {
        if (argc < 2 || doca_priv_argp_flag_of(argv[1], &unused) != NULL)
            return doca_priv_argp_wrong_flag(DOCA_ERROR_INVALID_VALUE, param, "needs a value");
        value = argv[1];
        *num_words = 2;
    }
    return doca_priv_argp_note_flag(param, value);
}

/* part: src/compat/argp/json.c */
/* ---- >>impl.argp.json ------------------------------------------------------------------------
 * The structure of a JSON file: comments, white space, brackets and commas. This code reads it even
 * when json-c reads the values, because the tree that json-c builds of a whole file has lost the
 * positions for error messages, and all but one of the values of a repeated key.                */

DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_wrong(const struct doca_priv_argp_json *json,
                                                      doca_error_t code, const char *key,
                                                      const char *why)
{
    return doca_priv_argp_fail(code, "doca_argp_start", DOCA_PRIV_ARGP_WORD ":%u:%lu: %.200s%s%s",
                               json->path, json->line,
                               (unsigned long)(json->at - json->line_start) + 1, key,
                               key[0] != '\0' ? ": " : "",
                               json->at == json->end && code == DOCA_ERROR_IO_FAILED
                                   ? "the file ends too early"
                                   : why);
}

DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_bad(const struct doca_priv_argp_json *json,
                                                    const char *why)
{
    return doca_priv_argp_json_wrong(json, DOCA_ERROR_IO_FAILED, "", why);
}

/* Replace comments by blanks, so that neither reader of values has to know them. */
DOCA_PRIV_DECL void doca_priv_argp_json_blank_comments(char *at, const char *end)
{
    bool is_string = false;

    for (; at < end; at++) {
        if (*at == '"')
            is_string = !is_string;
        else if (is_string && *at == '\\')
            at++;
        else if (!is_string && at[0] == '/' && at[1] == '/')
            while (at < end && *at != '\n')
                *at++ = ' ';
    }
}

DOCA_PRIV_DECL void doca_priv_argp_json_pass(struct doca_priv_argp_json *json, size_t len)
{
    for (; len > 0; len--)
        if (*json->at++ == '\n') {
            json->line++;
            json->line_start = json->at;
        }
}

DOCA_PRIV_DECL bool doca_priv_argp_json_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

DOCA_PRIV_DECL bool doca_priv_argp_json_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Skip white space, and return the first character of the next token. */
DOCA_PRIV_DECL char doca_priv_argp_json_peek(struct doca_priv_argp_json *json)
{
    while (doca_priv_argp_json_is_blank(*json->at))
        doca_priv_argp_json_pass(json, 1);
    return *json->at;
}

DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_take(struct doca_priv_argp_json *json, char c,
                                                     const char *why)
{
    if (doca_priv_argp_json_peek(json) != c)
        return doca_priv_argp_json_bad(json, why);
    json->at++;
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL bool doca_priv_argp_json_word(struct doca_priv_argp_json *json, const char *word)
{
    size_t len = strlen(word);

    if (strncmp(json->at, word, len) != 0)
        return false;
    json->at += len;
    return true;
}

/* Return the length in bytes of the UTF-8 character at `s`, or 0 when there is no valid
 * character. */
DOCA_PRIV_DECL size_t doca_priv_argp_utf8_len(const char *s)
{
    unsigned char c = (unsigned char)s[0], next;
    size_t len = c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0, i;

    for (i = 1; i < len; i++) {
        next = (unsigned char)s[i];
        if ((next & 0xc0) != 0x80)
            return 0;
        if (i == 1 && ((c == 0xe0 && next < 0xa0) || (c == 0xf0 && next < 0x90) || /* overlong */
                       (c == 0xed && next > 0x9f) || (c == 0xf4 && next > 0x8f))) /* invalid */
            return 0;
    }
    return len;
}

/* Move json->at to the next element of an array, or to the next value of an object; `*key` receives
 * the key of this value. `is_first` means that `at` is just after the opening bracket. `*is_there`
 * receives true. When there is no further element, it receives false, and `at` moves past the
 * closing bracket. */
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_next(struct doca_priv_argp_json *json,
                                                     bool is_object, bool is_first,
                                                     struct doca_priv_argp_span *key,
                                                     bool *is_there)
{
    char c = doca_priv_argp_json_peek(json);
    doca_error_t rc;

    *is_there = c != (is_object ? '}' : ']');
    if (!*is_there || (c == ',' && !is_first))
        json->at++;
    else if (!is_first)
        return doca_priv_argp_json_bad(json, is_object ? "expected ',' or '}'"
                                                       : "expected ',' or ']'");
    if (!*is_there)
        return DOCA_SUCCESS;
    c = doca_priv_argp_json_peek(json);
    if (!is_object)
        return DOCA_SUCCESS;
    if (c != '"')
        return doca_priv_argp_json_bad(json, "expected a key in quotes");
    rc = doca_priv_argp_json_string(json, key);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_argp_json_take(json, ':', "expected ':'");
    (void)doca_priv_argp_json_peek(json);
    return rc;
}

/* part: src/compat/argp/json_c.c */
/* ---- >>impl.argp.json_c ----------------------------------------------------------------------
 * Values of a JSON file, read by json-c.                                                        */

#ifdef DOCA_CORE_ARGP_JSON_C

/* True when `s` is an escape for one half of a surrogate pair. `digits` are the values that the
 * second digit may have. */
static bool doca_priv_argp_json_is_half(const char *s, const char *digits)
{
    return s[0] == '\\' && s[1] == 'u' && (s[2] == 'd' || s[2] == 'D') && s[3] != '\0' &&
           strchr(digits, s[3]) != NULL;
}

/* Skip one character of a string. Returns NULL, or the reason why it is invalid. */
static const char *doca_priv_argp_json_judge_char(struct doca_priv_argp_json *json)
{
    size_t len = doca_priv_argp_utf8_len(json->at);

    if ((unsigned char)*json->at < 0x20)
        return "control character in a string";
    if (len == 0)
        return "not UTF-8";
    if (strncmp(json->at, "\\u0000", 6) == 0)
        return "a string cannot hold the character NUL";
    if (doca_priv_argp_json_is_half(json->at, "89abAB") &&
        doca_priv_argp_json_is_half(json->at + 6, "cdefCDEF"))
        len = 12;
    else if (doca_priv_argp_json_is_half(json->at, "89abcdefABCDEF"))
        return "half of a surrogate pair";
    else if (*json->at == '\\')
        len = 2;
    json->at += len;
    return NULL;
}

/* Skip the value that ends at `end`. Returns NULL, or the reason why it is not valid JSON:
 * json-c accepts some invalid values even in its strict mode. */
static const char *doca_priv_argp_json_judge(struct doca_priv_argp_json *json, const char *end)
{
    bool is_string = false, is_number = false;
    const char *why = NULL;

    while (why == NULL && json->at < end) {
        char c = *json->at;
        bool has_digit = doca_priv_argp_json_is_digit(json->at[1]);

        if (is_string && c != '"') {
            why = doca_priv_argp_json_judge_char(json);
            continue;
        }
        if (c == '\'' || c == 'N' || c == 'I')
            return "unexpected character"; /* as in 'key', NaN, Infinity */
        if (c == '.' && !is_number)
            return "expected a digit";
        doca_priv_argp_json_pass(json, 1);
        if (c == '.' && !has_digit)
            return "expected a digit";
        if (c == '0' && has_digit && !is_number)
            return "a number cannot begin with 0";
        is_number = doca_priv_argp_json_is_digit(c) || (is_number && strchr(".eE+-", c) != NULL);
        is_string = is_string != (c == '"');
    }
    return why;
}

/* Read the next value with json-c. The caller frees it by json_object_put(). No memory of json-c
 * is held when a callback is called, so a callback that does not return leaks none. */
static doca_error_t doca_priv_argp_json_parse(struct doca_priv_argp_json *json,
                                              struct json_object **value)
{
    /* json-c counts a value inside the innermost of 32 brackets as one level more */
    struct json_tokener *tokener = json_tokener_new_ex(32 + 1);
    enum json_tokener_error error;
    const char *why = NULL;
    size_t rest = (size_t)(json->end - json->at), len;

    *value = NULL;
    if (tokener == NULL)
        return doca_priv_argp_json_wrong(json, DOCA_ERROR_NO_MEMORY, "", "no memory for json-c");
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_ALLOW_TRAILING_CHARS |
                                        JSON_TOKENER_VALIDATE_UTF8);
    *value = json_tokener_parse_ex(tokener, json->at, (int)rest + 1); /* including the NUL */
    error = json_tokener_get_error(tokener);
    len = json_tokener_get_parse_end(tokener);
    json_tokener_free(tokener);
    len = len < rest ? len : rest;
    if (error == json_tokener_success) {
        while (len > 0 && doca_priv_argp_json_is_blank(json->at[len - 1]))
            len--;
        why = doca_priv_argp_json_judge(json, json->at + len);
    } else {
        doca_priv_argp_json_pass(json, len);
        why = json_tokener_error_desc(error);
    }
    if (why == NULL)
        return DOCA_SUCCESS;
    (void)json_object_put(*value);
    return doca_priv_argp_json_bad(json, why);
}

DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_string(struct doca_priv_argp_json *json,
                                                       struct doca_priv_argp_span *span)
{
    struct json_object *value;
    doca_error_t rc;

    if (doca_priv_argp_json_peek(json) != '"')
        return doca_priv_argp_json_bad(json, "expected a string");
    span->text = json->at + 1;
    rc = doca_priv_argp_json_parse(json, &value);
    if (rc != DOCA_SUCCESS)
        return rc;
    span->len = (size_t)json_object_get_string_len(value);
    if (span->len > 0)
        memcpy(span->text, json_object_get_string(value), span->len);
    (void)json_object_put(value);
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_number(struct doca_priv_argp_json *json,
                                                       int *number, bool *is_int)
{
    struct json_object *value;
    doca_error_t rc;
    int64_t wide;

    if (*json->at != '-' && !doca_priv_argp_json_is_digit(*json->at))
        return doca_priv_argp_json_bad(json, "expected a digit");
    rc = doca_priv_argp_json_parse(json, &value);
    if (rc != DOCA_SUCCESS)
        return rc;
    wide = json_object_get_int64(value);
    *is_int = json_object_is_type(value, json_type_int) && wide >= INT_MIN && wide <= INT_MAX;
    *number = *is_int ? (int)wide : 0;
    (void)json_object_put(value);
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_skip(struct doca_priv_argp_json *json)
{
    struct json_object *value;
    doca_error_t rc = doca_priv_argp_json_parse(json, &value);

    if (rc == DOCA_SUCCESS)
        (void)json_object_put(value);
    return rc;
}

#endif

/* part: src/compat/argp/json_own.c */
/* ---- >>impl.argp.json_own --------------------------------------------------------------------
 * Values of a JSON file, read without json-c.                                                   */

#ifndef DOCA_CORE_ARGP_JSON_C

/* Return the value of four hexadecimal digits, or more than 0xffff when they are not there. */
static unsigned long doca_priv_argp_json_hex(const char *s)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    unsigned long value = 0;
    int i;

    for (i = 0; i < 4; i++) {
        const char *digit = s[i] != '\0' ? strchr(digits, s[i]) : NULL;

        if (digit == NULL)
            return 0x10000;
        value = value << 4 | (unsigned long)((digit - digits) % 16);
    }
    return value;
}

static size_t doca_priv_argp_utf8(unsigned long c, char *out)
{
    size_t len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    size_t i;

    for (i = len - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(len == 1 ? c : (0xf00 >> len & 0xff) | c);
    return len;
}

/* Decode the escape sequence at `at`. */
static doca_error_t doca_priv_argp_json_escape(struct doca_priv_argp_json *json, char *out,
                                               size_t *len)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const char *letter = json->at[1] != '\0' ? strchr(letters, json->at[1]) : NULL;
    unsigned long c, low;

    if (letter != NULL) {
        *out = meanings[letter - letters];
        *len = 1;
        json->at += 2;
        return DOCA_SUCCESS;
    }
    c = json->at[1] == 'u' ? doca_priv_argp_json_hex(json->at + 2) : 0x10000;
    if (c > 0xffff)
        return doca_priv_argp_json_bad(json, "unknown escape");
    if (c == 0)
        return doca_priv_argp_json_bad(json, "a string cannot hold the character NUL");
    if (c >= 0xd800 && c < 0xe000) {
        low = json->at[6] == '\\' && json->at[7] == 'u' ? doca_priv_argp_json_hex(json->at + 8) : 0;
        if (c >= 0xdc00 || low < 0xdc00 || low > 0xdfff)
            return doca_priv_argp_json_bad(json, "half of a surrogate pair");
        c = 0x10000 + ((c - 0xd800) << 10 | (low - 0xdc00));
        json->at += 6;
    }
    json->at += 6;
    *len = doca_priv_argp_utf8(c, out);
    return DOCA_SUCCESS;
}

/* When `span` is NULL, the string is skipped and stays unchanged. */
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_string(struct doca_priv_argp_json *json,
                                                       struct doca_priv_argp_span *span)
{
    doca_error_t rc = doca_priv_argp_json_take(json, '"', "expected a string");
    char *to = json->at;
    char bytes[4];

    if (rc != DOCA_SUCCESS)
        return rc;
    if (span != NULL)
        span->text = to;
    while (*json->at != '"') {
        size_t len = doca_priv_argp_utf8_len(json->at);

        if ((unsigned char)*json->at < 0x20)
            return doca_priv_argp_json_bad(json, "control character in a string");
        if (len == 0)
            return doca_priv_argp_json_bad(json, "not UTF-8");
        if (*json->at == '\\') {
            rc = doca_priv_argp_json_escape(json, bytes, &len);
            if (rc != DOCA_SUCCESS)
                return rc;
        } else {
            memcpy(bytes, json->at, len);
            json->at += len;
        }
        if (span != NULL) {
            memcpy(to, bytes, len);
            to += len;
        }
    }
    if (span != NULL)
        span->len = (size_t)(to - span->text);
    json->at++;
    return DOCA_SUCCESS;
}

static size_t doca_priv_argp_json_digits(struct doca_priv_argp_json *json)
{
    const char *from = json->at;

    while (doca_priv_argp_json_is_digit(*json->at))
        json->at++;
    return (size_t)(json->at - from);
}

DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_number(struct doca_priv_argp_json *json,
                                                       int *number, bool *is_int)
{
    bool is_negative = *json->at == '-';
    long long value = 0;
    char *digit;

    json->at += is_negative;
    digit = json->at;
    if (doca_priv_argp_json_digits(json) == 0)
        return doca_priv_argp_json_bad(json, "expected a digit");
    if (*digit == '0' && json->at - digit > 1) {
        json->at = digit + 1;
        return doca_priv_argp_json_bad(json, "a number cannot begin with 0");
    }
    for (; digit < json->at && value <= -(long long)INT_MIN; digit++)
        value = 10 * value + (*digit - '0');
    value = is_negative ? -value : value;
    *is_int = value >= INT_MIN && value <= INT_MAX;
    *number = *is_int ? (int)value : 0;
    if (*json->at == '.') {
        json->at++;
        *is_int = false;
        if (doca_priv_argp_json_digits(json) == 0)
            return doca_priv_argp_json_bad(json, "expected a digit");
    }
    if (*json->at == 'e' || *json->at == 'E') {
        json->at++;
        json->at += *json->at == '+' || *json->at == '-';
        *is_int = false;
        if (doca_priv_argp_json_digits(json) == 0)
            return doca_priv_argp_json_bad(json, "expected a digit");
    }
    return DOCA_SUCCESS;
}

/* Skip a value that is neither an object nor an array. */
static doca_error_t doca_priv_argp_json_skip_scalar(struct doca_priv_argp_json *json)
{
    char c = doca_priv_argp_json_peek(json);
    bool is_int;
    int number;

    if (c == '"')
        return doca_priv_argp_json_string(json, NULL);
    if (c == '-' || doca_priv_argp_json_is_digit(c))
        return doca_priv_argp_json_number(json, &number, &is_int);
    if (doca_priv_argp_json_word(json, "true") || doca_priv_argp_json_word(json, "false") ||
        doca_priv_argp_json_word(json, "null"))
        return DOCA_SUCCESS;
    return doca_priv_argp_json_bad(json, "expected a value");
}

/* Bit n of `objects` is set when the n-th level from the innermost one is an object. */
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_skip(struct doca_priv_argp_json *json)
{
    uint32_t objects = 0;
    unsigned depth = 0;
    doca_error_t rc;

    do {
        char c = doca_priv_argp_json_peek(json);
        bool is_first = c == '{' || c == '[', is_there = false;

        if (is_first) {
            if (depth == 32)
                return doca_priv_argp_json_bad(json, "nested deeper than 32 levels");
            json->at++;
            objects = objects << 1 | (c == '{');
            depth++;
        } else {
            rc = doca_priv_argp_json_skip_scalar(json);
            if (rc != DOCA_SUCCESS)
                return rc;
        }
        while (depth > 0 && !is_there) {
            rc = doca_priv_argp_json_next(json, (objects & 1) != 0, is_first, NULL, &is_there);
            if (rc != DOCA_SUCCESS)
                return rc;
            is_first = false;
            if (!is_there) {
                objects >>= 1;
                depth--;
            }
        }
    } while (depth > 0);
    return DOCA_SUCCESS;
}
#endif

/* part: src/compat/argp/json_flag.c */
/* ---- >>impl.argp.json_flag -------------------------------------------------------------------
 * Flags in a JSON file.                                                                         */

/* Skip the value of a key that this program does not use, and report the key unless the parser
 * is lenient. */
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_ignore(struct doca_priv_argp_json *json,
                                                       const struct doca_priv_argp_span *key,
                                                       const char *why)
{
    if (!doca_priv_argp.is_lenient)
        (void)doca_priv_argp_fail(DOCA_SUCCESS, "doca_argp_start",
                                  DOCA_PRIV_ARGP_WORD ":%u:%lu: \"%.*s\" %s, ignored", json->path,
                                  json->line, (unsigned long)(json->at - json->line_start) + 1,
                                  (int)(key->len < 200 ? key->len : 200), key->text, why);
    return doca_priv_argp_json_skip(json);
}

/* Report that the value at `json` has the wrong type. If it is not valid JSON at all, report
 * that instead. */
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_unfit(const struct doca_priv_argp_json *json,
                                                      const char *key, const char *why)
{
    struct doca_priv_argp_json value = *json;
    doca_error_t rc = doca_priv_argp_json_skip(&value);

    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_argp_json_wrong(json, DOCA_ERROR_INVALID_VALUE, key, why);
}

/* Enter an object or array. Any other value is an error. */
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_enter(struct doca_priv_argp_json *json,
                                                      char bracket, const char *why)
{
    if (doca_priv_argp_json_peek(json) != bracket)
        return doca_priv_argp_json_unfit(json, "", why);
    json->at++;
    return DOCA_SUCCESS;
}

/* Read a string. Any other value is an error. */
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_text(struct doca_priv_argp_json *json,
                                                     struct doca_priv_argp_span *span)
{
    return doca_priv_argp_json_peek(json) == '"'
               ? doca_priv_argp_json_string(json, span)
               : doca_priv_argp_json_unfit(json, "", "expected a string");
}

/* True for flags whose value in a JSON file is a string. */
DOCA_PRIV_DECL bool doca_priv_argp_is_text(const struct doca_argp_param *param)
{
    return param->type == DOCA_ARGP_TYPE_STRING || param->type == DOCA_ARGP_TYPE_DEVICE ||
           param->type == DOCA_ARGP_TYPE_DEVICE_REP;
}

/* Read one value of a flag. It is checked but not used when the command line has the flag. */
static doca_error_t doca_priv_argp_json_value(struct doca_priv_argp_json *json,
                                              struct doca_argp_param *param)
{
    static const char *const wants[] = { "", "takes a string", "takes an integer of 32 bits",
                                         "takes true or false", "takes a string",
                                         "takes a string",      "takes a number",
                                         "takes an object" };
    const struct doca_priv_argp_json start = *json;
    struct doca_priv_argp_span span = { json->at, 0 };
    const char *why = wants[param->type];
    doca_error_t rc = DOCA_SUCCESS;
    char c = *json->at;
    bool fits = false;
    int number = 0;
    double real = 0;

    if (doca_priv_argp_is_text(param) && c == '"') {
        rc = doca_priv_argp_json_string(json, &span);
        fits = true;
    } else if (param->type == DOCA_ARGP_TYPE_INT && (c == '-' || (c >= '0' && c <= '9'))) {
        rc = doca_priv_argp_json_number(json, &number, &fits);
    } else if (param->type == DOCA_ARGP_TYPE_BOOLEAN) {
        number = doca_priv_argp_json_word(json, "true");
        fits = number || doca_priv_argp_json_word(json, "false");
    } else if (param->type == DOCA_ARGP_TYPE_DOUBLE && (c == '-' || (c >= '0' && c <= '9'))) {
        rc = doca_priv_argp_json_skip(json);
        fits = doca_priv_argp_parse_real(start.at, (size_t)(json->at - start.at), &real);
    } else if (param->type == DOCA_ARGP_TYPE_JSON_OBJ && c == '{') {
        rc = doca_priv_argp_json_skip(json);
        span.len = (size_t)(json->at - start.at);
        fits = true;
    }
    if (rc != DOCA_SUCCESS)
        return rc;
    if (!fits)
        return doca_priv_argp_json_unfit(&start, doca_priv_argp_name_of(param).text, why);
    if (!param->is_on_cli)
        rc = doca_priv_argp_add(param, span.text, span.len, number, real, &why);
    if (rc == DOCA_SUCCESS)
        return rc;
    return doca_priv_argp_json_wrong(&start, rc, doca_priv_argp_name_of(param).text, why);
}

/* Read the member `key` of the general flags or the program's flags: a value or an array of
 * values. */
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_flag(struct doca_priv_argp_json *json,
                                                     const struct doca_priv_argp_span *key,
                                                     bool is_general)
{
    const struct doca_argp_cmd *cmd = doca_priv_argp.current;
    struct doca_argp_param *param = NULL;
    doca_error_t rc;
    bool is_there;

    if (is_general)
        param = doca_priv_argp_find_in(doca_priv_argp.cmds, true, key->text, key->len, 0,
                                       DOCA_PRIV_ARGP_NUM_BUILT_IN);
    for (; !is_general && param == NULL && cmd != NULL; cmd = cmd->parent)
        param = doca_priv_argp_find_in(cmd, true, key->text, key->len, DOCA_PRIV_ARGP_NUM_BUILT_IN,
                                       DOCA_PRIV_ARGP_NUM_SLOTS);
    if (param == NULL)
        return doca_priv_argp_json_ignore(json, key, "is not a flag of this program");
    if (param->is_cli_only)
        return doca_priv_argp_json_ignore(json, key, "is for the command line only");
    if (!param->is_multiple || *json->at != '[')
        return doca_priv_argp_json_value(json, param);
    json->at++;
    rc = doca_priv_argp_json_next(json, false, true, NULL, &is_there);
    while (rc == DOCA_SUCCESS && is_there) {
        rc = doca_priv_argp_json_value(json, param);
        if (rc == DOCA_SUCCESS)
            rc = doca_priv_argp_json_next(json, false, false, NULL, &is_there);
    }
    return rc;
}

/* part: src/compat/argp/json_eal.c */
/* ---- >>impl.argp.json_eal --------------------------------------------------------------------
 * EAL flags in a JSON file.                                                                     */

DOCA_PRIV_DECL bool doca_priv_argp_key_is(const struct doca_priv_argp_span *key, const char *name)
{
    return strlen(name) == key->len && memcmp(key->text, name, key->len) == 0;
}

/* Append one word to the EAL flags: prefix, text and suffix. */
static doca_error_t doca_priv_argp_eal_word(struct doca_priv_argp_json *json, const char *prefix,
                                            struct doca_priv_argp_span text, const char *suffix)
{
    char *word = doca_priv_argp.eal + doca_priv_argp.eal_used;
    size_t room = sizeof(doca_priv_argp.eal) - doca_priv_argp.eal_used;
    size_t before = strlen(prefix), behind = strlen(suffix);

    if (doca_priv_argp.num_eal_words == DOCA_CORE_ARGP_EAL_WORDS)
        return doca_priv_argp_json_wrong(json, DOCA_ERROR_NO_MEMORY, "",
                                         "more words than DOCA_CORE_ARGP_EAL_WORDS");
    if (text.len >= room || before + text.len + behind >= room)
        return doca_priv_argp_json_wrong(json, DOCA_ERROR_NO_MEMORY, "",
                                         "more bytes than DOCA_CORE_ARGP_EAL_BYTES");
    /* analyzer: bugprone-not-null-terminated-result: the copy of the suffix includes its NUL */
    memcpy(word, prefix, before);
    memcpy(word + before, text.text, text.len);
    memcpy(word + before + text.len, suffix, behind + 1);
    doca_priv_argp.eal_used += before + text.len + behind + 1;
    doca_priv_argp.eal_words[1 + doca_priv_argp.num_eal_words++] = word;
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_argp_eal_flag(struct doca_priv_argp_json *json, const char *flag,
                                            const char *prefix, struct doca_priv_argp_span text,
                                            const char *suffix)
{
    struct doca_priv_argp_span nothing = { text.text, 0 };
    doca_error_t rc = doca_priv_argp_eal_word(json, flag, nothing, "");

    return rc != DOCA_SUCCESS ? rc : doca_priv_argp_eal_word(json, prefix, text, suffix);
}

static doca_error_t doca_priv_argp_json_bool(struct doca_priv_argp_json *json, int *value)
{
    *value = doca_priv_argp_json_word(json, "true");
    if (*value || doca_priv_argp_json_word(json, "false"))
        return DOCA_SUCCESS;
    return doca_priv_argp_json_unfit(json, "", "must be true or false");
}

/* Translate { "device": kind, "id": text, "sft": bool, "hws": bool } to `-a` and its argument. */
static doca_error_t doca_priv_argp_eal_device(struct doca_priv_argp_json *json)
{
    struct doca_priv_argp_span key, kind = { NULL, 0 }, id = { NULL, 0 };
    const char *prefix = "";
    char suffix[64];
    int sft = -1, hws = 0;
    bool is_first = true, is_there;
    doca_error_t rc = doca_priv_argp_json_enter(json, '{', "expected an object");

    for (; rc == DOCA_SUCCESS; is_first = false) {
        rc = doca_priv_argp_json_next(json, true, is_first, &key, &is_there);
        if (rc != DOCA_SUCCESS || !is_there)
            break;
        if (doca_priv_argp_key_is(&key, "device"))
            rc = doca_priv_argp_json_text(json, &kind);
        else if (doca_priv_argp_key_is(&key, "id"))
            rc = doca_priv_argp_json_text(json, &id);
        else if (doca_priv_argp_key_is(&key, "sft"))
            rc = doca_priv_argp_json_bool(json, &sft);
        else if (doca_priv_argp_key_is(&key, "hws"))
            rc = doca_priv_argp_json_bool(json, &hws);
        else
            rc = doca_priv_argp_json_wrong(json, DOCA_ERROR_INVALID_VALUE, "",
                                           "unknown key; \"flags\" takes any EAL flag");
    }
    if (rc != DOCA_SUCCESS)
        return rc;
    if (kind.text == NULL || id.text == NULL)
        return doca_priv_argp_json_wrong(json, DOCA_ERROR_INVALID_VALUE, "",
                                         "a device needs \"device\" and \"id\"");
    if (doca_priv_argp_key_is(&kind, "sf"))
        prefix = "auxiliary:mlx5_core.sf.";
    else if (!doca_priv_argp_key_is(&kind, "pf") && !doca_priv_argp_key_is(&kind, "vf") &&
             !doca_priv_argp_key_is(&kind, "regex"))
        return doca_priv_argp_json_wrong(json, DOCA_ERROR_INVALID_VALUE, "",
                                         "\"device\" must be pf, vf, sf or regex");
    (void)snprintf(suffix, sizeof(suffix), "%s%s%s",
                   doca_priv_argp_key_is(&kind, "regex") ? ",class=regex" : "",
                   sft < 0 ? "" : sft ? ",sft_en=1" : ",sft_en=0", hws ? ",dv_flow_en=2" : "");
    return doca_priv_argp_eal_flag(json, "-a", prefix, id, suffix);
}

static doca_error_t doca_priv_argp_eal_devices(struct doca_priv_argp_json *json)
{
    doca_error_t rc = doca_priv_argp_json_enter(json, '[', "expected an array");
    bool is_there = true, is_first = true;

    while (rc == DOCA_SUCCESS) {
        rc = doca_priv_argp_json_next(json, false, is_first, NULL, &is_there);
        if (rc != DOCA_SUCCESS || !is_there)
            break;
        is_first = false;
        rc = doca_priv_argp_eal_device(json);
    }
    return rc;
}

/* Append the words of a text like "a -b  c", which blanks separate. */
static doca_error_t doca_priv_argp_eal_words(struct doca_priv_argp_json *json)
{
    struct doca_priv_argp_span all = { NULL, 0 }, word;
    doca_error_t rc = doca_priv_argp_json_text(json, &all);
    size_t i = 0;

    while (rc == DOCA_SUCCESS && i < all.len) {
        word.text = all.text + i;
        word.len = 0;
        while (i < all.len && all.text[i] != ' ') {
            word.len++;
            i++;
        }
        i++;
        if (word.len > 0)
            rc = doca_priv_argp_eal_word(json, "", word, "");
    }
    return rc;
}

/* Read one member of the object with EAL flags. */
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_eal(struct doca_priv_argp_json *json,
                                                    const struct doca_priv_argp_span *key)
{
    const struct doca_priv_argp_json start = *json;
    struct doca_priv_argp_span text = { json->at, 0 };
    bool is_mask = doca_priv_argp_key_is(key, "core-mask"), is_int = false;
    doca_error_t rc;
    char hex[16];
    int mask = 0;

    if (doca_priv_argp_key_is(key, "devices"))
        return doca_priv_argp_eal_devices(json);
    if (doca_priv_argp_key_is(key, "flags"))
        return doca_priv_argp_eal_words(json);
    if (!is_mask && !doca_priv_argp_key_is(key, "core-list"))
        return doca_priv_argp_json_ignore(json, key, "is not a known key");
    if (!is_mask || *json->at == '"') { /* a mask that does not fit in an integer may be a string */
        rc = doca_priv_argp_json_text(json, &text);
    } else {
        rc = doca_priv_argp_json_number(json, &mask, &is_int);
        if (rc == DOCA_SUCCESS && (!is_int || mask <= 0))
            return doca_priv_argp_json_wrong(&start, DOCA_ERROR_INVALID_VALUE, "core-mask",
                                             "must be a positive integer or a string");
        text.text = hex; /* the EAL reads masks as hexadecimal */
        text.len = rc == DOCA_SUCCESS ? (size_t)snprintf(hex, sizeof(hex), "%x", (unsigned)mask)
                                      : 0;
    }
    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_argp_eal_flag(json, is_mask ? "-c" : "-l", "", text, "");
}

/* part: src/compat/argp/json_file.c */
/* ---- >>impl.argp.json_file -------------------------------------------------------------------
 * Load a JSON file, and read its three objects.                                                 */

enum { DOCA_PRIV_ARGP_DPDK_FLAGS, DOCA_PRIV_ARGP_GENERAL_FLAGS, DOCA_PRIV_ARGP_PROGRAM_FLAGS };

/* Read all members of one of the three objects of the file. */
static doca_error_t doca_priv_argp_json_section(struct doca_priv_argp_json *json, int section)
{
    doca_error_t rc = doca_priv_argp_json_enter(json, '{', "expected an object");
    bool is_there = true, is_first = true;
    struct doca_priv_argp_span key = { NULL, 0 };

    while (rc == DOCA_SUCCESS) {
        rc = doca_priv_argp_json_next(json, true, is_first, &key, &is_there);
        if (rc != DOCA_SUCCESS || !is_there)
            break;
        is_first = false;
        rc = section == DOCA_PRIV_ARGP_DPDK_FLAGS
                 ? doca_priv_argp_json_eal(json, &key)
                 : doca_priv_argp_json_flag(json, &key, section == DOCA_PRIV_ARGP_GENERAL_FLAGS);
    }
    return rc;
}

static doca_error_t doca_priv_argp_json_read(struct doca_priv_argp_json *json)
{
    static const char *const names[] = { "doca_dpdk_flags", "doca_general_flags",
                                         "doca_program_flags" };
    doca_error_t rc = doca_priv_argp_json_enter(json, '{', "expected an object");
    bool is_there = true, is_first = true;
    struct doca_priv_argp_span key = { NULL, 0 };

    while (rc == DOCA_SUCCESS) {
        int section = 0;

        rc = doca_priv_argp_json_next(json, true, is_first, &key, &is_there);
        if (rc != DOCA_SUCCESS || !is_there)
            break;
        is_first = false;
        while (section < 3 && !doca_priv_argp_key_is(&key, names[section]))
            section++;
        if (section == 3)
            rc = doca_priv_argp_json_ignore(json, &key, "is not a known key");
        else if (section == DOCA_PRIV_ARGP_DPDK_FLAGS && doca_priv_argp.dpdk == NULL)
            rc = doca_priv_argp_json_skip(json);
        else
            rc = doca_priv_argp_json_section(json, section);
    }
    if (rc == DOCA_SUCCESS && (doca_priv_argp_json_peek(json) != '\0' || json->at != json->end))
        rc = doca_priv_argp_json_bad(json, "expected the end of the file after the object");
    return rc;
}

/* Open the JSON file. Returns -1 and sets errno on failure. A program that runs with more rights
 * than its caller (setuid and the like) must not open a file that the caller names, because the
 * caller might not be allowed to read it. */
static int doca_priv_argp_open(const char *path)
{
#ifdef __linux__
    const bool is_secure = getauxval(AT_SECURE) != 0;
#else
    const bool is_secure = geteuid() != getuid() || getegid() != getgid();
#endif

    if (is_secure) {
        errno = EPERM;
        return -1;
    }
#ifdef O_CLOEXEC
    return open(path, O_RDONLY | O_CLOEXEC);
#else
    return open(path, O_RDONLY);
#endif
}

DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_load(const char *path)
{
    struct doca_priv_argp_json json;
    size_t len = 0;
    ssize_t got = -1;
    int fd = doca_priv_argp_open(path);

    if (fd >= 0) {
        do {
            got = read(fd, doca_priv_argp.json + len, sizeof(doca_priv_argp.json) - len);
            len += got > 0 ? (size_t)got : 0;
        } while (got > 0 || (got < 0 && errno == EINTR));
        if (got < 0)
            len = (size_t)errno;
        (void)close(fd);
    } else {
        len = (size_t)errno;
    }
    if (got < 0)
        return DOCA_PRIV_ARGP_REFUSE(IO_FAILED, DOCA_PRIV_ARGP_WORD ": %s", path,
                                     strerror((int)len));
    if (len == sizeof(doca_priv_argp.json))
        return DOCA_PRIV_ARGP_REFUSE(NO_MEMORY, DOCA_PRIV_ARGP_WORD
                                     ": longer than DOCA_CORE_ARGP_JSON_BYTES (%d)",
                                     path, DOCA_CORE_ARGP_JSON_BYTES);
    doca_priv_argp.json[len] = '\0';
    doca_priv_argp_json_blank_comments(doca_priv_argp.json, doca_priv_argp.json + len);
    json.path = path;
    json.at = json.line_start = doca_priv_argp.json;
    json.end = json.at + len;
    json.line = 1;
    return doca_priv_argp_json_read(&json);
}

/* part: src/compat/argp/device.c */
/* ---- >>impl.argp.device ----------------------------------------------------------------------
 * Flags whose values are devices. A value is IDENTIFIER or IDENTIFIER,REPRESENTOR, optionally
 * followed by a comma and arguments.                                                            */

#define DOCA_PRIV_ARGP_ID 128 /* size of an identifier in bytes, including NUL */

/* Copy the text up to the first comma. `*rest` receives the text after the comma, or NULL.
 * Returns false when the text is empty or too long. */
static bool doca_priv_argp_cut(const char *text, char id[DOCA_PRIV_ARGP_ID], const char **rest)
{
    const size_t len = strcspn(text, ",");

    *rest = text[len] == ',' ? text + len + 1 : NULL;
    if (len == 0 || len >= DOCA_PRIV_ARGP_ID)
        return false;
    memcpy(id, text, len);
    id[len] = '\0';
    return true;
}

/* True when `id` names the device. */
static bool doca_priv_argp_is_dev(const struct doca_devinfo *info, const char *id)
{
    const bool is_pci = strncmp(id, "pci/", 4) == 0;
    char name[DOCA_DEVINFO_IFACE_NAME_SIZE];
    uint8_t is_equal = 0;

    id += is_pci ? 4 : 0;
    if (strspn(id, "0123456789abcdefABCDEF:.") == strlen(id) && strchr(id, ':') != NULL)
        return doca_devinfo_is_equal_pci_addr(info, id, &is_equal) == DOCA_SUCCESS && is_equal;
    if (is_pci)
        return false;
    if (doca_devinfo_get_ibdev_name(info, name, DOCA_DEVINFO_IBDEV_NAME_SIZE) == DOCA_SUCCESS &&
        strcmp(name, id) == 0)
        return true;
    return doca_devinfo_get_iface_name(info, name, sizeof(name)) == DOCA_SUCCESS &&
           name[0] != '\0' && strcmp(name, id) == 0;
}

/* Open a device, unless this start opened it already. `*is_new` receives whether the call opened
 * it. */
static doca_error_t doca_priv_argp_open_dev(struct doca_devinfo *info, struct doca_dev **dev,
                                            bool *is_new)
{
    struct doca_priv_argp_dev *known = &doca_priv_argp.devs[doca_priv_argp.num_devs];
    struct doca_priv_argp_dev key;
    doca_error_t rc;
    size_t i;

    memset(&key, 0, sizeof(key));
    (void)doca_devinfo_get_ibdev_name(info, key.ibdev_name, sizeof(key.ibdev_name));
    (void)doca_devinfo_get_pci_addr_str(info, key.pci_addr);
    *is_new = false;
    for (i = 0; i < doca_priv_argp.num_devs; i++)
        if (strcmp(doca_priv_argp.devs[i].ibdev_name, key.ibdev_name) == 0 &&
            strcmp(doca_priv_argp.devs[i].pci_addr, key.pci_addr) == 0) {
            *dev = doca_priv_argp.devs[i].dev;
            return DOCA_SUCCESS;
        }
    if (doca_priv_argp.num_devs == DOCA_PRIV_ARGP_DEVS)
        return DOCA_ERROR_NO_MEMORY;
    *dev = NULL;
    rc = doca_priv_argp.dev_open != NULL
             ? doca_priv_argp.dev_open(info, doca_priv_argp.dev_open_ctx, dev)
             : doca_dev_open(info, dev);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (*dev == NULL)
        return DOCA_ERROR_UNEXPECTED;
    key.dev = *dev;
    *known = key;
    doca_priv_argp.num_devs++;
    *is_new = true;
    return DOCA_SUCCESS;
}

/* Close a device that this start opened but does not use. Does nothing when an earlier value of
 * this start opened the device (`is_new` is false). */
static void doca_priv_argp_close_unused(struct doca_dev *dev, bool is_new)
{
    if (is_new) {
        doca_priv_argp.num_devs--;
        (void)doca_dev_close(dev);
    }
}

#ifndef DOCA_CORE_NO_REP
/* True when `id` names the representor. */
static bool doca_priv_argp_is_rep(const struct doca_devinfo_rep *info, const char *id)
{
    const size_t len = strlen(id);
    char name[DOCA_DEVINFO_IFACE_NAME_SIZE], sf[16];
    uint8_t is_equal = 0;
    uint32_t index = 0;

    if (strchr(id, ':') != NULL)
        return doca_devinfo_rep_is_equal_pci_addr(info, strncmp(id, "pci/", 4) == 0 ? id + 4 : id,
                                                  &is_equal) == DOCA_SUCCESS &&
               is_equal;
    if (doca_devinfo_rep_get_iface_name(info, name, sizeof(name)) == DOCA_SUCCESS &&
        strlen(name) >= len && strcmp(name + strlen(name) - len, id) == 0 &&
        (strlen(name) == len || strncmp(id, "pf", 2) == 0))
        return true;
    if (doca_devinfo_rep_get_sf_index(info, &index) == DOCA_SUCCESS) {
        (void)snprintf(sf, sizeof(sf), "sf%lu", (unsigned long)index);
        if (strcmp(sf, id) == 0)
            return true;
    }
    return doca_devinfo_rep_get_vuid(info, name, DOCA_DEVINFO_REP_VUID_SIZE) == DOCA_SUCCESS &&
           name[0] != '\0' && strcmp(name, id) == 0;
}

/* Open the representor of `dev` that `id` names. NOT_FOUND when `dev` has no such representor. */
static doca_error_t doca_priv_argp_open_rep(struct doca_dev *dev, const char *id,
                                            struct doca_dev_rep **rep)
{
    struct doca_devinfo_rep **list = NULL;
    doca_error_t rc;
    uint32_t num = 0, i;

    if (doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &num) !=
        DOCA_SUCCESS)
        return DOCA_ERROR_NOT_FOUND;
    rc = DOCA_ERROR_NOT_FOUND;
    for (i = 0; i < num; i++)
        if (doca_priv_argp_is_rep(list[i], id)) {
            rc = doca_dev_rep_open(list[i], rep);
            break;
        }
    (void)doca_devinfo_rep_destroy_list(list);
    return rc;
}
#else
static doca_error_t doca_priv_argp_open_rep(struct doca_dev *dev, const char *id,
                                            struct doca_dev_rep **rep)
{
    (void)dev;
    (void)id;
    (void)rep;
    return DOCA_ERROR_NOT_SUPPORTED;
}
#endif

/* Open the device that `id` names, and its representor `rep_id` unless that is NULL. A NULL `id`
 * selects the first device that has the representor. */
static doca_error_t doca_priv_argp_open_named(const char *id, const char *rep_id,
                                              struct doca_argp_device_rep_ctx *ctx)
{
    struct doca_devinfo **list = NULL;
    doca_error_t rc;
    uint32_t num = 0, i;
    bool is_new = false;

    rc = doca_devinfo_create_list(&list, &num);
    if (rc != DOCA_SUCCESS)
        return rc == DOCA_ERROR_NO_MEMORY ? rc : DOCA_ERROR_NOT_FOUND;
    rc = DOCA_ERROR_NOT_FOUND;
    for (i = 0; i < num && rc == DOCA_ERROR_NOT_FOUND; i++) {
        if (id != NULL && !doca_priv_argp_is_dev(list[i], id))
            continue;
        rc = doca_priv_argp_open_dev(list[i], &ctx->dev_ctx.dev, &is_new);
        if (rc == DOCA_SUCCESS && rep_id != NULL) {
            rc = doca_priv_argp_open_rep(ctx->dev_ctx.dev, rep_id, &ctx->dev_rep);
            if (rc != DOCA_SUCCESS)
                doca_priv_argp_close_unused(ctx->dev_ctx.dev, is_new);
        }
    }
    (void)doca_devinfo_destroy_list(list);
    return rc;
}

/* Open the device and the representor of a value, and call the callback with them. */
DOCA_PRIV_DECL doca_error_t doca_priv_argp_call_device(const struct doca_priv_argp_value *value)
{
    const bool is_rep = value->param->type == DOCA_ARGP_TYPE_DEVICE_REP;
    char id[DOCA_PRIV_ARGP_ID], rep_id[DOCA_PRIV_ARGP_ID];
    const char *rest = NULL, *only = NULL;
    struct doca_argp_device_rep_ctx ctx;
    doca_error_t rc = DOCA_ERROR_INVALID_VALUE;

    memset(&ctx, 0, sizeof(ctx));
    if (doca_priv_argp_cut(value->text, id, &rest)) {
        if (is_rep && rest == NULL)
            only = id; /* the value names a representor only: look for it on all devices */
        else if (is_rep && !doca_priv_argp_cut(rest, rep_id, &rest))
            rest = NULL;
        else if (is_rep)
            only = rep_id;
        if (!is_rep || only != NULL)
            rc = doca_priv_argp_open_named(only == id ? NULL : id, only, &ctx);
    }
    if (rc != DOCA_SUCCESS)
        return doca_priv_argp_fail(
            rc == DOCA_ERROR_NOT_FOUND ? DOCA_ERROR_INVALID_VALUE : rc, "doca_argp_start",
            "%s: \"" DOCA_PRIV_ARGP_WORD "\" %s", doca_priv_argp_name_of(value->param).text,
            value->text,
            rc == DOCA_ERROR_NOT_FOUND
                ? (is_rep ? "names no representor of this machine; use pci/ADDRESS,pf0vf0"
                          : "names no device of this machine; use pci/ADDRESS")
                : rc == DOCA_ERROR_INVALID_VALUE ? "does not name a device"
                                                 : "cannot be opened");
    ctx.dev_ctx.devargs = rest;
    rc = is_rep ? value->param->callback(&ctx, doca_priv_argp.config)
                : value->param->callback(&ctx.dev_ctx, doca_priv_argp.config);
    return rc;
}

/* part: src/compat/argp/start.c */
/* ---- >>impl.argp.start -----------------------------------------------------------------------
 * Start: gather the values, check them, and call the callbacks.                                 */

/* Return the number of words of argv that belong to the EAL, including the name of the program.
 * `*first` receives the index of the first word for this parser. */
static int doca_priv_argp_split(int argc, char **argv, int *first)
{
    int num_eal = argc, i;
    char *value;

    *first = argc;
    for (i = 1; i < argc; i++) {
        const struct doca_argp_param *param = doca_priv_argp_flag_of(argv[i], &value);

        if (strcmp(argv[i], "--") == 0) {
            *first = i + 1;
            return i;
        }
        if ((param == &doca_priv_argp.params[DOCA_PRIV_ARGP_HELP] ||
             param == &doca_priv_argp.params[DOCA_PRIV_ARGP_VERSION] ||
             param == &doca_priv_argp.params[DOCA_PRIV_ARGP_JSON]) &&
            (value == NULL || strcmp(value, "false") != 0))
            num_eal = *first = 1;
    }
    return num_eal;
}

#ifdef DOCA_CORE_LOG_H
static void doca_priv_argp_set_levels(uint32_t log_level, uint32_t sdk_log_level)
{
    if (log_level != 0)
        (void)doca_log_level_set_global_lower_limit(log_level);
    if (sdk_log_level != 0)
        (void)doca_log_level_set_global_sdk_limit(sdk_log_level);
}
#else
static void doca_priv_argp_set_levels(uint32_t log_level, uint32_t sdk_log_level)
{
    uint32_t level = sdk_log_level != 0 ? sdk_log_level : log_level;

    if (level != 0) /* the library's log has no level TRACE: DEBUG is its highest */
        (void)doca_core_log_set_level(level < DOCA_CORE_LOG_DEBUG ? level : DOCA_CORE_LOG_DEBUG);
}
#endif

/* Check that all mandatory flags were given, and that singular flags are alone. */
static doca_error_t doca_priv_argp_judge_given(void)
{
    const struct doca_argp_param *singular = NULL, *param;
    char why[256];
    int i;

    for (i = DOCA_PRIV_ARGP_NUM_BUILT_IN; i < DOCA_PRIV_ARGP_NUM_SLOTS; i++)
        if (doca_priv_argp.params[i].is_given && doca_priv_argp.params[i].is_singular)
            singular = &doca_priv_argp.params[i];
    for (i = DOCA_PRIV_ARGP_NUM_BUILT_IN; i < DOCA_PRIV_ARGP_NUM_SLOTS; i++) {
        param = &doca_priv_argp.params[i];
        if (singular != NULL && param->is_given && param != singular) {
            (void)snprintf(why, sizeof(why), "cannot be combined with %s",
                           doca_priv_argp_name_of(param).text);
            return doca_priv_argp_wrong_flag(DOCA_ERROR_INVALID_VALUE, singular, why);
        }
        if (singular == NULL && param->slot_state == DOCA_PRIV_ARGP_REGISTERED &&
            param->is_mandatory &&
            !param->is_given && doca_priv_argp_is_given(param->cmd))
            return doca_priv_argp_wrong_flag(DOCA_ERROR_INVALID_VALUE, param, "is mandatory");
    }
    if (singular == NULL && doca_priv_argp.current->callback == NULL && doca_priv_argp_has_cmds()) {
        doca_priv_argp_print_usage(STDERR_FILENO);
        return DOCA_PRIV_ARGP_REFUSE(INVALID_VALUE, "%s%sneeds a command",
                                     doca_priv_argp.current->name != NULL
                                         ? doca_priv_argp.current->name
                                         : "the program",
                                     doca_priv_argp.current->name != NULL ? ": " : " ");
    }
    return DOCA_SUCCESS;
}

/* Gather all values of argv and of the JSON file. */
static doca_error_t doca_priv_argp_gather(int argc, char **argv)
{
    const struct doca_argp_param *json = &doca_priv_argp.params[DOCA_PRIV_ARGP_JSON];
    doca_error_t rc;
    size_t v;
    int i, num_words;

    doca_priv_argp.num_values = 0;
    doca_priv_argp.num_devs = 0;
    doca_priv_argp.num_eal_words = 0;
    doca_priv_argp.eal_used = 0;
    for (i = 0; i < DOCA_PRIV_ARGP_NUM_SLOTS; i++) {
        doca_priv_argp.params[i].is_on_cli = false;
        doca_priv_argp.params[i].is_seen = doca_priv_argp.params[i].is_given = false;
    }
    for (i = 0; i < argc; i += num_words) {
        rc = doca_priv_argp_read_flag(argc - i, argv + i, &num_words);
        if (rc != DOCA_SUCCESS)
            return rc;
    }
    for (v = 0; json->is_given && v < doca_priv_argp.num_values; v++)
        if (doca_priv_argp.values[v].param == json) {
            rc = doca_priv_argp_json_load(doca_priv_argp.values[v].text);
            if (rc != DOCA_SUCCESS)
                return rc;
        }
    return doca_priv_argp_judge_given();
}

/* Call the callback of a flag with its value, or the callback of a command. */
static doca_error_t doca_priv_argp_call(const struct doca_priv_argp_value *value)
{
    doca_argp_param_cb_t callback;
    int number = value->number;
    double real = value->real;
    bool is_set = true;

    if (value->cmd != NULL)
        return value->cmd->callback != NULL ? value->cmd->callback(doca_priv_argp.config)
                                            : DOCA_SUCCESS;
    callback = value->param->callback;
    if (callback == NULL) /* a built-in flag: the parser has already used its value */
        return DOCA_SUCCESS;
    if (value->param->type == DOCA_ARGP_TYPE_INT)
        return callback(&number, doca_priv_argp.config);
    if (value->param->type == DOCA_ARGP_TYPE_BOOLEAN)
        return number ? callback(&is_set, doca_priv_argp.config) : DOCA_SUCCESS;
    if (value->param->type == DOCA_ARGP_TYPE_DOUBLE)
        return callback(&real, doca_priv_argp.config);
    /* a value in a JSON file ends without NUL; the whole file has been read, so it can be cut
     * here */
    if (value->text[value->len] != '\0')
        value->text[value->len] = '\0';
    if (doca_priv_argp_is_text(value->param) && value->param->type != DOCA_ARGP_TYPE_STRING)
        return doca_priv_argp_call_device(value);
    return callback(value->text, doca_priv_argp.config);
}

/* Fail when a callback closed the parser or started it again, because the gathered values are then
 * invalid. `start` is the number of this start. */
static doca_error_t doca_priv_argp_check_start(unsigned start)
{
    return doca_priv_argp.num_starts == start
               ? DOCA_SUCCESS
               : DOCA_PRIV_ARGP_REFUSE(BAD_STATE, "a callback closed the parser, or started again");
}

static doca_error_t doca_priv_argp_deliver(const struct doca_priv_argp_value *value)
{
    const unsigned start = doca_priv_argp.num_starts;
    doca_error_t rc = doca_priv_argp_call(value), gone = doca_priv_argp_check_start(start);

    if (gone != DOCA_SUCCESS || rc == DOCA_SUCCESS)
        return gone;
    return doca_priv_argp_fail(rc, "doca_argp_start", "%s: its callback failed",
                               value->cmd != NULL ? value->cmd->name
                                                  : doca_priv_argp_name_of(value->param).text);
}

static void doca_priv_argp_take_levels(void)
{
    uint32_t log_level = 0, sdk_log_level = 0;
    size_t v;

    doca_priv_argp.log_level = doca_priv_argp.sdk_log_level = DOCA_CORE_LOG_INFO;
    for (v = 0; v < doca_priv_argp.num_values; v++) {
        const struct doca_priv_argp_value *value = &doca_priv_argp.values[v];

        if (value->param == &doca_priv_argp.params[DOCA_PRIV_ARGP_LOG_LEVEL]) {
            doca_priv_argp.log_level = value->number;
            log_level = (uint32_t)value->number;
        } else if (value->param == &doca_priv_argp.params[DOCA_PRIV_ARGP_SDK_LOG_LEVEL]) {
            doca_priv_argp.sdk_log_level = value->number;
            sdk_log_level = (uint32_t)value->number;
        }
    }
    doca_priv_argp_set_levels(log_level, sdk_log_level);
}

/* Call all callbacks in their order. */
static doca_error_t doca_priv_argp_deliver_all(int num_eal, char **eal)
{
    const unsigned start = doca_priv_argp.num_starts;
    doca_error_t rc = DOCA_SUCCESS;
    size_t v;

    if (doca_priv_argp.dpdk != NULL) {
        if (num_eal == 1) { /* use the EAL flags of the JSON file */
            num_eal = 1 + (int)doca_priv_argp.num_eal_words;
            doca_priv_argp.eal_words[0] = eal[0];
            doca_priv_argp.eal_words[num_eal] = NULL;
            eal = doca_priv_argp.eal_words;
        }
        rc = doca_priv_argp.dpdk(num_eal, eal);
        if (rc != DOCA_SUCCESS)
            return doca_priv_argp_fail(rc, "doca_argp_start", "the DPDK callback failed");
        rc = doca_priv_argp_check_start(start);
    }
    for (v = 0; v < doca_priv_argp.num_values && rc == DOCA_SUCCESS; v++)
        rc = doca_priv_argp_deliver(&doca_priv_argp.values[v]);
    if (rc != DOCA_SUCCESS || doca_priv_argp.validation == NULL)
        return rc;
    rc = doca_priv_argp.validation(doca_priv_argp.config);
    if (rc != DOCA_SUCCESS)
        return doca_priv_argp_fail(rc, "doca_argp_start", "the validation callback failed");
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_argp_start(int argc, char **argv)
{
    int first = 1, num_eal = 1, num_words = 0;
    const char *slash;
    doca_error_t rc;

    if (!doca_priv_argp.is_open)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is not open");
    while (argv != NULL && num_words < argc && argv[num_words] != NULL)
        num_words++;
    if (num_words == 0)
        return DOCA_PRIV_ARGP_FAIL(INVALID_VALUE, "argv has no program name");
    slash = strrchr(argv[0], '/');
    (void)snprintf(doca_priv_argp.called_as, sizeof(doca_priv_argp.called_as), "%s",
                   slash != NULL ? slash + 1 : argv[0]);
    doca_priv_argp.current = doca_priv_argp.cmds;
    doca_priv_argp.num_starts++;
    if (doca_priv_argp.dpdk != NULL)
        num_eal = doca_priv_argp_split(num_words, argv, &first);
    rc = doca_priv_argp_gather(num_words - first, argv + first);
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_argp_take_levels();
    return doca_priv_argp_deliver_all(num_eal, argv);
}

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_ARGP_IMPLEMENTATION */
