/* doca_core_argp.h - the flags of a DOCA program, from the command line and from a JSON file
 *
 * The argument parser of the vendor's SDK (doca_argp.h, all functions of 3.0) beside doca_core.h:
 * a program registers its flags, each with a callback that stores the value, and start reads them.
 * It is for hosted systems (POSIX open, read and write), takes nothing from the heap (json-c does,
 * see DOCA_CORE_ARGP_JSON_C), and holds its tables, the texts of the flags and the JSON file in
 * static memory, whose sizes are macros below.
 *
 * DO THIS in one C (or C++) file, and include the header plainly everywhere else:
 *
 *     #include "doca_core.h"
 *     #define DOCA_CORE_ARGP_IMPLEMENTATION
 *     #include "doca_core_argp.h"
 *
 * THE COMMAND LINE. A flag is `-x VALUE`, `--name VALUE` or `--name=VALUE`; one of type BOOLEAN
 * has no value (or `--name=true`, `--name=false`; false leaves it out, but a second one is still
 * too many). Short names may have several letters, therefore none is joined with its value. A word
 * that is the name of a flag is never taken for the value of the flag before it; write
 * `--name=VALUE` for such a value. Integers are decimal or begin with 0x.
 *
 * Every program has these; one that registers such a name itself has it for itself, except -j and
 * --json:
 *
 *     -h, --help          print all flags to standard output, exit with status 0     (Assumed: 0)
 *     -v, --version       call the version callback, or print versions; then the same    (likewise)
 *     -l, --log-level N   10 disable, 20 critical, 30 error, 40 warning, 50 info, 60 debug or
 *                         70 trace, for the program's own messages
 *     --sdk-log-level N   the same for the messages of the library
 *     -j, --json FILE     more flags from a file; refused to programs that have more rights than
 *                         who started them (setuid and the like)
 *
 * COMMANDS (3.0). A program may have commands, and each of them too, with flags of their own:
 *
 *     program [flags] command [flags] command [flags]
 *
 * A flag stands before the next command; one that is inherited may also stand behind it, as may
 * those of every program. Of two flags of one name that of the nearer command is meant. The keys of
 * a JSON file are flags of the program and of the commands that were given. Help is about the last
 * command before it. What has commands but no callback, as the program has none, needs one of its
 * commands, unless a singular flag is given.                                             Assumed
 *
 * The levels go to doca_log_level_set_global_lower_limit() and ..._sdk_limit() where
 * doca_core_log.h was included before the implementation; otherwise the level of the core's own
 * log is that of --sdk-log-level, or else that of --log-level.
 *
 * A DPDK PROGRAM (doca_argp_set_dpdk_program) is started as `program EAL-FLAGS -- FLAGS`. Its
 * callback gets argv[0] and the EAL flags. Without `--`, all words are EAL flags, unless one of
 * them is help, version or json: then none is.                                        Assumed
 *
 * THE JSON FILE is RFC 8259, with comments from // to the end of the line as in the vendor's files:
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
 * Keys are long names; an array is for flags with multiplicity; false leaves a BOOLEAN flag out. A
 * flag of the command line, also a false one, takes the place of the file's. Unknown keys and those
 * of flags for the command line only are named on standard error and ignored. A device is a `pf` or
 * `vf` (its address), an `sf` (auxiliary:mlx5_core.sf.ID) or `regex` (ID,class=regex); "sft"
 * appends ,sft_en=1 or 0, and a true "hws" appends ,dv_flow_en=2 (Assumed).
 *
 * ERRORS are one line on standard error in the form of the core's, or go to the logger callback,
 * with the flag, or with file, line and column (in bytes); before a mistake on the command line
 * stand all flags. All of the command line and of the file is checked before the first callback is
 * called.
 *
 *     doca_core: doca_argp_start: --port: "12x" is not an integer [INVALID_VALUE]
 *     doca_core: doca_argp_start: a.json:3:17: expected ',' or '}' [IO_FAILED]
 *
 * THREADS. One parser per process; one thread at a time.
 *
 * DIFFERS FROM THE VENDOR'S LIBRARY
 *   - A failing start returns its code (the reference lists them; the guide says that it exits).
 *   - Setters that get NULL for the flag or command, or one that is registered, say so and do
 *     nothing (vendor: undefined).
 *   - For a flag of type JSON_OBJ, callbacks get the text of the object, with blanks for
 *     comments.                                                                         Assumed
 *
 * Source: DOCA Arg Parser guide 2.5.1 and 3.0; DOCA Libraries API, "DOCA Arg Parser".
 */
#ifndef DOCA_CORE_ARGP_H
#define DOCA_CORE_ARGP_H

#ifndef DOCA_CORE_H
#include "doca_core.h"
#endif

/* Flags a program can have at one time. */
#ifndef DOCA_CORE_ARGP_MAX_PARAMS
#define DOCA_CORE_ARGP_MAX_PARAMS 64
#endif

/* Commands a program can have at one time. */
#ifndef DOCA_CORE_ARGP_MAX_CMDS
#define DOCA_CORE_ARGP_MAX_CMDS 32
#endif

/* Values and commands that one command line and JSON file can give. */
#ifndef DOCA_CORE_ARGP_MAX_VALUES
#define DOCA_CORE_ARGP_MAX_VALUES 256
#endif

/* Bytes of all names, descriptions and arguments that are set between init and destroy. */
#ifndef DOCA_CORE_ARGP_TEXT_BYTES
#define DOCA_CORE_ARGP_TEXT_BYTES 32768
#endif

/* Largest JSON file, in bytes. */
#ifndef DOCA_CORE_ARGP_JSON_BYTES
#define DOCA_CORE_ARGP_JSON_BYTES 65536
#endif

/* EAL flags of a JSON file: words, and bytes of all of them. */
#ifndef DOCA_CORE_ARGP_EAL_WORDS
#define DOCA_CORE_ARGP_EAL_WORDS 64
#endif
#ifndef DOCA_CORE_ARGP_EAL_BYTES
#define DOCA_CORE_ARGP_EAL_BYTES 4096
#endif

/* DOCA_CORE_ARGP_JSON_C, defined before the implementation: keys and values of JSON files are read
 * by json-c (Debian: libjson-c-dev, link with -ljson-c), and its reasons stand in what start says
 * about them. It takes memory from the heap, and gives all of it back before callbacks are called.
 * Otherwise a strict reader of our own does the same. */

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef DOCA_CORE_LOG_LEVELS /* the same as in doca_core_log.h, which may be there or not */
#define DOCA_CORE_LOG_LEVELS
enum doca_log_level {
    DOCA_LOG_LEVEL_DISABLE = 10,
    DOCA_LOG_LEVEL_CRIT = 20,
    DOCA_LOG_LEVEL_ERROR = 30,
    DOCA_LOG_LEVEL_WARNING = 40,
    DOCA_LOG_LEVEL_INFO = 50,
    DOCA_LOG_LEVEL_DEBUG = 60,
    DOCA_LOG_LEVEL_TRACE = 70
};
#endif

enum doca_argp_type {
    DOCA_ARGP_TYPE_UNKNOWN = 0,
    DOCA_ARGP_TYPE_STRING,
    DOCA_ARGP_TYPE_INT,
    DOCA_ARGP_TYPE_BOOLEAN,
    DOCA_ARGP_TYPE_JSON_OBJ /* in a JSON file only */
};

struct doca_argp_param;
struct doca_argp_cmd;

/* Take the value of a flag: `value` is a char * (STRING, JSON_OBJ: the text itself), an int * or a
 * bool *, valid during the call only; `config` is that of doca_argp_init(). */
typedef doca_error_t (*doca_argp_param_cb_t)(void *value, void *config);

/* Start DPDK with the EAL flags; argv[0] is the program's. */
typedef doca_error_t (*doca_argp_dpdk_cb_t)(int argc, char **argv);

/* Judge the whole configuration. */
typedef doca_error_t (*doca_argp_validation_cb_t)(void *config);

/* Note that a command was given. */
typedef doca_error_t (*doca_argp_cmd_cb_t)(void *config);

/* Take one line, without line end, that would have gone to standard error; ERROR, or WARNING where
 * the parser goes on. When it fails, the line goes there all the same. */
typedef doca_error_t (*doca_argp_logger_cb_t)(enum doca_log_level level, const char *format,
                                              va_list args);

/*
 * Open the parser.
 *
 *   program_name    for the help text; copied; NULL: the last part of argv[0]
 *   program_config  handed to the callbacks; may be NULL
 *
 * Errors    BAD_STATE  it is open
 *           NO_MEMORY  program_name does not fit in DOCA_CORE_ARGP_TEXT_BYTES
 */
DOCA_CORE_DECL doca_error_t doca_argp_init(const char *program_name, void *program_config);

/*
 * Close the parser and give back all its flags.
 *
 * Errors    BAD_STATE  it is not open
 */
DOCA_CORE_DECL doca_error_t doca_argp_destroy(void);

/*
 * Take one flag from the table, without name, description, callback and type; it is optional, for
 * the command line and JSON, and may be given once.
 *
 * Owns      one of DOCA_CORE_ARGP_MAX_PARAMS slots, until destroy of it or of the parser
 * Errors    INVALID_VALUE  NULL
 *           BAD_STATE      the parser is not open
 *           NO_MEMORY      all slots are in use
 */
DOCA_CORE_DECL doca_error_t doca_argp_param_create(struct doca_argp_param **param);

/*
 * Give back a flag that was not registered. Its texts return when the parser is closed.
 *
 * Errors    INVALID_VALUE  not a flag
 *           BAD_STATE      it is registered, the parser owns it
 */
DOCA_CORE_DECL doca_error_t doca_argp_param_destroy(struct doca_argp_param *param);

/* Describe a flag before it is registered. The texts are copied. A flag needs a name of either
 * kind (without dashes), a description, a callback and a type. `arguments` stands behind the name
 * in the help text, "<path>" for instance. */
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

/* A start without this flag fails. */
DOCA_CORE_DECL void doca_argp_param_set_mandatory(struct doca_argp_param *param);

/* The flag is ignored in JSON files. */
DOCA_CORE_DECL void doca_argp_param_set_cli_only(struct doca_argp_param *param);

/* The flag may be given any number of times; the callback is called for each, in order. */
DOCA_CORE_DECL void doca_argp_param_set_multiplicity(struct doca_argp_param *param);

/* The flag stands alone: with another one, those of every program aside, start fails; without one,
 * neither mandatory flags nor a command are asked for. */
DOCA_CORE_DECL void doca_argp_param_set_singular(struct doca_argp_param *param);

/* The flag may also stand behind a command of the program or command that has it. */
DOCA_CORE_DECL void doca_argp_param_set_inherited(struct doca_argp_param *param);

/* The flag is left out of the help text. */
DOCA_CORE_DECL void doca_argp_param_set_hidden(struct doca_argp_param *param);

/*
 * Hand a described flag to the parser, which owns it in every outcome.
 *
 * Errors    INVALID_VALUE   not a flag, its type is unknown, or a name of it is that of another
 *                           flag of the program, j or json
 *           INITIALIZATION  names, description, callback or type were not set
 *           NO_MEMORY       a text did not fit in DOCA_CORE_ARGP_TEXT_BYTES
 *           BAD_STATE       it is registered, or the parser is not open
 */
DOCA_CORE_DECL doca_error_t doca_argp_register_param(struct doca_argp_param *input_param);

/*
 * Take one command from the table, without name, description and callback.
 *
 * Owns      one of DOCA_CORE_ARGP_MAX_CMDS slots, until destroy of it or of the parser
 * Errors    INVALID_VALUE  NULL
 *           BAD_STATE      the parser is not open
 *           NO_MEMORY      all slots are in use
 */
DOCA_CORE_DECL doca_error_t doca_argp_cmd_create(struct doca_argp_cmd **cmd);

/*
 * Give back a command that was not registered, with all flags and commands of its own.
 *
 * Errors    INVALID_VALUE  not a command
 *           BAD_STATE      it is registered, the parser owns it
 */
DOCA_CORE_DECL doca_error_t doca_argp_cmd_destroy(struct doca_argp_cmd *cmd);

/* Describe a command before it is registered. The texts are copied. It needs a name and a
 * description; the callback is called in the place of the command among the flags, and one that is
 * hidden is left out of the help text. */
DOCA_CORE_DECL void doca_argp_cmd_set_name(struct doca_argp_cmd *cmd, const char *name);
DOCA_CORE_DECL void doca_argp_cmd_set_description(struct doca_argp_cmd *cmd,
                                                  const char *description);
DOCA_CORE_DECL void doca_argp_cmd_set_callback(struct doca_argp_cmd *cmd,
                                               doca_argp_cmd_cb_t callback);
DOCA_CORE_DECL void doca_argp_cmd_set_hidden(struct doca_argp_cmd *cmd);

/*
 * Give a command a flag, or a command of its own, before it is registered itself. The parser owns
 * what is given in every outcome.
 *
 * Errors    INVALID_VALUE   also: not a command, or input_cmd is cmd; else as register_param and
 *                           register_cmd
 *           BAD_STATE       also: one of the two is registered
 */
DOCA_CORE_DECL doca_error_t doca_argp_cmd_register_param(struct doca_argp_cmd *cmd,
                                                         struct doca_argp_param *input_param);
DOCA_CORE_DECL doca_error_t doca_argp_cmd_register_cmd(struct doca_argp_cmd *cmd,
                                                       struct doca_argp_cmd *input_cmd);

/*
 * Hand a described command to the program; the parser owns it in every outcome.
 *
 * Errors    INVALID_VALUE   not a command; its name is empty, begins with '-', or is that of
 *                           another command beside it
 *           INITIALIZATION  name or description were not set
 *           NO_MEMORY       a text did not fit in DOCA_CORE_ARGP_TEXT_BYTES
 *           BAD_STATE       it is registered, or the parser is not open
 */
DOCA_CORE_DECL doca_error_t doca_argp_register_cmd(struct doca_argp_cmd *input_cmd);

/*
 * Set what gets the lines that would go to standard error; help texts are not among them.
 *
 * Errors    INVALID_VALUE  NULL
 *           ALREADY_EXIST  there is one
 *           BAD_STATE      the parser is not open
 */
DOCA_CORE_DECL doca_error_t doca_argp_register_logger_callback(doca_argp_logger_cb_t callback);

/*
 * Return to standard error.
 *
 * Errors    BAD_STATE  there is no logger callback, or the parser is not open
 */
DOCA_CORE_DECL doca_error_t doca_argp_disable_logger_callback(void);

/*
 * Set what -v calls, with a bool and the configuration. The program exits after it: with status 0,
 * or, if it fails, start fails with its code.
 *
 * Errors    INVALID_VALUE  NULL
 *           BAD_STATE      the parser is not open
 */
DOCA_CORE_DECL doca_error_t doca_argp_register_version_callback(doca_argp_param_cb_t callback);

/*
 * Set what start calls last.
 *
 * Errors    INVALID_VALUE  NULL
 *           BAD_STATE      the parser is not open
 */
DOCA_CORE_DECL doca_error_t
doca_argp_register_validation_callback(doca_argp_validation_cb_t callback);

/* Make this a DPDK program; NULL: not one. Before start, which then calls `callback` after all
 * checks and before the callbacks of flags. */
DOCA_CORE_DECL void doca_argp_set_dpdk_program(doca_argp_dpdk_cb_t callback);

/*
 * Read the flags: check everything, then call the DPDK callback, those of flags and commands (the
 * command line's first, each source in its order), and the validation callback. It can be called
 * again.
 *
 *   argc, argv  those of main; argv[0] is there; NULL ends them
 *
 * Errors    NOT_SUPPORTED  an unknown flag
 *           INVALID_VALUE  no argv; a value is missing, of the wrong type or out of range; a flag
 *                          is missing or given twice; likewise in the JSON file; an unknown or no
 *                          command; a singular flag is not alone
 *           IO_FAILED      the JSON file cannot be read, or is not JSON
 *           NO_MEMORY      more values, or a longer JSON file, than the macros say
 *           BAD_STATE      the parser is not open, or a callback has closed it, or started again
 *           or what a callback returned; the callbacks after it are not called
 */
DOCA_CORE_DECL doca_error_t doca_argp_start(int argc, char **argv);

/* Print all flags, those of the command that the last start found, to standard output and end the
 * program with EXIT_FAILURE: a program calls this when it cannot go on (Assumed: the status). */
DOCA_CORE_DECL void doca_argp_usage(void);

/*
 * Give the level of -l, or of --sdk-log-level, of the last start: 10 to 70; INFO (50) where none
 * was given (Assumed).
 *
 * Errors    INVALID_VALUE  NULL
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

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

#ifdef __cplusplus
extern "C" {
#endif

/* ---- state ----------------------------------------------------------------------------------- */

/* The flags of every program are the first slots of the table. */
enum {
    DOCA_PRIV_ARGP_HELP,
    DOCA_PRIV_ARGP_VERSION,
    DOCA_PRIV_ARGP_LOG_LEVEL,
    DOCA_PRIV_ARGP_SDK_LOG_LEVEL,
    DOCA_PRIV_ARGP_JSON,
    DOCA_PRIV_ARGP_NUM_BUILT_IN,
    DOCA_PRIV_ARGP_NUM_SLOTS = DOCA_PRIV_ARGP_NUM_BUILT_IN + DOCA_CORE_ARGP_MAX_PARAMS
};

enum doca_priv_argp_slot {
    DOCA_PRIV_ARGP_FREE,
    DOCA_PRIV_ARGP_CREATED,
    DOCA_PRIV_ARGP_REGISTERED
};

/* The first of the table is the program itself, which is registered and has no name. */
struct doca_argp_cmd {
    enum doca_priv_argp_slot slot;
    const struct doca_argp_cmd *parent; /* NULL: the program, or not registered */
    const char *name;
    const char *description;
    doca_argp_cmd_cb_t callback;
    bool is_hidden;
    bool is_short_of_text; /* one of its texts did not fit */
};

struct doca_argp_param {
    enum doca_priv_argp_slot slot;
    const struct doca_argp_cmd *cmd; /* whose flag it is, once registered */
    int type; /* enum doca_argp_type, or what the program takes for one */
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
    bool is_short_of_text; /* likewise */
    bool is_on_cli;        /* in the running start */
    bool is_seen;          /* there or in the file */
    bool is_given;         /* likewise, and not as false */
};

struct doca_priv_argp_value {
    struct doca_argp_param *param;
    const struct doca_argp_cmd *cmd; /* was given, instead of a flag */
    char *text; /* STRING, JSON_OBJ */
    size_t len;
    int number; /* INT, BOOLEAN */
};

static struct {
    bool is_open;
    const char *program_name; /* as init got it, or NULL */
    char called_as[256];      /* the last part of argv[0], which may go after start */
    unsigned num_starts;      /* and closes: what was gathered is no more */
    void *config;
    doca_argp_param_cb_t version;
    doca_argp_validation_cb_t validation;
    doca_argp_dpdk_cb_t dpdk;
    doca_argp_logger_cb_t logger;
    const struct doca_argp_cmd *current; /* the last command that start found, or the program */
    int log_level;
    int sdk_log_level;
    size_t num_values;
    size_t num_eal_words;
    size_t text_used;
    size_t eal_used;
    struct doca_argp_param params[DOCA_PRIV_ARGP_NUM_SLOTS];
    struct doca_argp_cmd cmds[1 + DOCA_CORE_ARGP_MAX_CMDS];
    struct doca_priv_argp_value values[DOCA_CORE_ARGP_MAX_VALUES];
    char *eal_words[1 + DOCA_CORE_ARGP_EAL_WORDS + 1]; /* program, words, NULL */
    char text[DOCA_CORE_ARGP_TEXT_BYTES];
    char eal[DOCA_CORE_ARGP_EAL_BYTES];
    char json[DOCA_CORE_ARGP_JSON_BYTES + 1];
} doca_priv_argp;

/* The registered flag of a command, among slots [from, to), that has the name; NULL: none. */
static struct doca_argp_param *doca_priv_argp_find_in(const struct doca_argp_cmd *cmd, bool is_long,
                                                      const char *name, size_t len, int from,
                                                      int to)
{
    int i;

    for (i = from; i < to && len > 0; i++) {
        struct doca_argp_param *param = &doca_priv_argp.params[i];
        const char *own = is_long ? param->long_name : param->short_name;

        if (param->slot == DOCA_PRIV_ARGP_REGISTERED && param->cmd == cmd && own != NULL &&
            strlen(own) == len && memcmp(own, name, len) == 0)
            return param;
    }
    return NULL;
}

/* The flag that the name means behind the current command; NULL: none. */
static struct doca_argp_param *doca_priv_argp_find(bool is_long, const char *name, size_t len)
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

/* Was the command, or one of its commands, the last that was given? */
static bool doca_priv_argp_is_given(const struct doca_argp_cmd *cmd)
{
    const struct doca_argp_cmd *given = doca_priv_argp.current;

    while (given != NULL && given != cmd)
        given = given->parent;
    return given != NULL;
}

/* ---- output ----------------------------------------------------------------------------------
 * By write(): the buffer of a stdio stream would come from the heap. */

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

static void doca_priv_argp_put(int fd, const char *text)
{
    doca_priv_argp_write(fd, text, strlen(text));
}

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static doca_error_t doca_priv_argp_hand_over(enum doca_log_level level, const char *format, ...)
{
    doca_error_t rc;
    va_list args;

    va_start(args, format);
    rc = doca_priv_argp.logger(level, format, args);
    va_end(args);
    return rc;
}

/* What a file or an argument has of control characters would speak to a terminal, or begin a line
 * of its own: '?' instead. In UTF-8 those of the second kind are C2 80 to C2 9F. */
static void doca_priv_argp_tame(char *text)
{
    unsigned char *c;

    for (c = (unsigned char *)text; *c != '\0'; c++) {
        if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0)
            c[0] = c[1] = '?';
        if (*c < ' ' || *c == 0x7f)
            *c = '?';
    }
}

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static doca_error_t doca_priv_argp_fail(doca_error_t code, const char *call, const char *format,
                                        ...)
{
    const char *name = doca_error_get_name(code);
    char reason[768];
    char line[1024];
    va_list args;
    int len;

    va_start(args, format);
    (void)vsnprintf(reason, sizeof(reason), format, args);
    va_end(args);
    doca_priv_argp_tame(reason);
    len = code == DOCA_SUCCESS
              ? snprintf(line, sizeof(line), "doca_core: %s: %s", call, reason)
              : snprintf(line, sizeof(line), "doca_core: %s: %s [%s]", call, reason,
                         name[0] == 'D' ? name + sizeof("DOCA_ERROR_") - 1 : name);
    if (doca_priv_argp.logger != NULL &&
        doca_priv_argp_hand_over(code == DOCA_SUCCESS ? DOCA_LOG_LEVEL_WARNING
                                                      : DOCA_LOG_LEVEL_ERROR,
                                 "%s", line) == DOCA_SUCCESS)
        return code;
    if (len > 0) {
        line[len] = '\n';
        doca_priv_argp_write(STDERR_FILENO, line, (size_t)len + 1);
    }
    return code;
}

#define DOCA_PRIV_ARGP_FAIL(code, ...)                                                             \
    doca_priv_argp_fail(DOCA_ERROR_##code, __func__, __VA_ARGS__)

/* A word of the program's in quotes would be longer than a line; this much of it says enough. */
#define DOCA_PRIV_ARGP_WORD "%.200s"

struct doca_priv_argp_name {
    char text[128];
};

static struct doca_priv_argp_name doca_priv_argp_name_of(const struct doca_argp_param *param)
{
    struct doca_priv_argp_name name;

    (void)snprintf(name.text, sizeof(name.text), "%s%s", param->long_name != NULL ? "--" : "-",
                   param->long_name != NULL ? param->long_name : param->short_name);
    return name;
}

/* "  -x, --name <arguments>" to `fd`, or nowhere where that is negative; give its length. */
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

/* How the help text of the current command has a flag. */
enum doca_priv_argp_group {
    DOCA_PRIV_ARGP_ABSENT,
    DOCA_PRIV_ARGP_OF_ALL,
    DOCA_PRIV_ARGP_INHERITED,
    DOCA_PRIV_ARGP_OWN
};

/* `seen` out: the flag without the names that mean another one there */
static enum doca_priv_argp_group doca_priv_argp_group_of(int slot, struct doca_argp_param *seen)
{
    const struct doca_argp_param *param = &doca_priv_argp.params[slot];
    const char *name;

    *seen = *param;
    if (param->slot != DOCA_PRIV_ARGP_REGISTERED || param->is_hidden)
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

/* Does the help text of the current command have this one? */
static bool doca_priv_argp_is_shown(const struct doca_argp_cmd *cmd)
{
    return cmd->slot == DOCA_PRIV_ARGP_REGISTERED && cmd->parent == doca_priv_argp.current &&
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
        if (len >= column) { /* the description has a line of its own */
            doca_priv_argp_put(fd, "\n");
            len = 0;
        }
        doca_priv_argp_put_blanks(fd, column - len);
        doca_priv_argp_put(fd, param.description);
        doca_priv_argp_put(fd, param.is_mandatory ? " (mandatory)" : "");
        doca_priv_argp_put(fd, param.is_multiple ? " (may be repeated)" : "");
        doca_priv_argp_put(fd, param.is_singular ? " (stands alone)" : "");
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

/* Where descriptions begin: behind what is in front of them, where that is not too long. */
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

/* "Usage: program [flags] command [flags]", with the commands from the outermost one. */
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

static void doca_priv_argp_print_usage(int fd)
{
    bool has_cmds;
    size_t column = doca_priv_argp_column(&has_cmds);

    (void)fflush(stdout); /* what the program printed before comes first */
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

/* ---- flags ----------------------------------------------------------------------------------- */

static const char *doca_priv_argp_keep(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *kept = doca_priv_argp.text + doca_priv_argp.text_used;

    if (bytes > sizeof(doca_priv_argp.text) - doca_priv_argp.text_used)
        return NULL;
    memcpy(kept, text, bytes);
    doca_priv_argp.text_used += bytes;
    return kept;
}

static void doca_priv_argp_built_in(int slot, const char *short_name, const char *long_name,
                                    const char *arguments, enum doca_argp_type type,
                                    const char *description)
{
    struct doca_argp_param *param = &doca_priv_argp.params[slot];

    param->slot = DOCA_PRIV_ARGP_REGISTERED;
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
            return DOCA_PRIV_ARGP_FAIL(NO_MEMORY, "the name is beyond DOCA_CORE_ARGP_TEXT_BYTES");
    }
    doca_priv_argp.is_open = true;
    doca_priv_argp.cmds[0].slot = DOCA_PRIV_ARGP_REGISTERED;
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
    doca_priv_argp.program_name = NULL;
    doca_priv_argp.called_as[0] = '\0';
    doca_priv_argp.num_starts++;
    doca_priv_argp.text_used = 0;
    doca_priv_argp.is_open = false;
    return DOCA_SUCCESS;
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

        if (slot->slot != DOCA_PRIV_ARGP_FREE)
            continue;
        memset(slot, 0, sizeof(*slot));
        slot->slot = DOCA_PRIV_ARGP_CREATED;
        *param = slot;
        return DOCA_SUCCESS;
    }
    return DOCA_PRIV_ARGP_FAIL(NO_MEMORY, "more flags than DOCA_CORE_ARGP_MAX_PARAMS (%d)",
                               DOCA_CORE_ARGP_MAX_PARAMS);
}

static bool doca_priv_argp_is_param(const struct doca_argp_param *param)
{
    int i;

    for (i = DOCA_PRIV_ARGP_NUM_BUILT_IN; i < DOCA_PRIV_ARGP_NUM_SLOTS; i++)
        if (param == &doca_priv_argp.params[i])
            return param->slot != DOCA_PRIV_ARGP_FREE;
    return false;
}

/* The common check of calls that need a flag of the caller's. */
static doca_error_t doca_priv_argp_check(const struct doca_argp_param *param, const char *call)
{
    if (!doca_priv_argp_is_param(param))
        return doca_priv_argp_fail(DOCA_ERROR_INVALID_VALUE, call, "not a live flag");
    if (param->slot == DOCA_PRIV_ARGP_REGISTERED)
        return doca_priv_argp_fail(DOCA_ERROR_BAD_STATE, call, "%s: is registered",
                                   doca_priv_argp_name_of(param).text);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_argp_param_destroy(struct doca_argp_param *param)
{
    doca_error_t rc = doca_priv_argp_check(param, __func__);

    if (rc == DOCA_SUCCESS)
        param->slot = DOCA_PRIV_ARGP_FREE;
    return rc;
}

static const char *doca_priv_argp_keep_for(bool *is_short_of_text, const char *text)
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

/* Is the name taken for good? One of a built-in flag other than json can be had. */
static bool doca_priv_argp_is_taken(const struct doca_argp_cmd *cmd, bool is_long, const char *name)
{
    size_t len = name != NULL ? strlen(name) : 0;

    return doca_priv_argp_find_in(cmd, is_long, name, len, DOCA_PRIV_ARGP_NUM_BUILT_IN,
                                  DOCA_PRIV_ARGP_NUM_SLOTS) != NULL ||
           doca_priv_argp_find_in(doca_priv_argp.cmds, is_long, name, len, DOCA_PRIV_ARGP_JSON,
                                  DOCA_PRIV_ARGP_NUM_BUILT_IN) != NULL;
}

/* The program has the name of a built-in flag for itself. */
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
        param->slot = DOCA_PRIV_ARGP_FREE;
}

/* Is the described flag fit for registration? */
static doca_error_t doca_priv_argp_judge(const struct doca_argp_cmd *cmd,
                                         const struct doca_argp_param *param, const char *call)
{
    const char *missing = param->description == NULL               ? "description"
                          : param->callback == NULL                ? "callback"
                          : param->type == DOCA_ARGP_TYPE_UNKNOWN ? "type"
                                                                   : NULL;

    if (param->is_short_of_text)
        return doca_priv_argp_fail(DOCA_ERROR_NO_MEMORY, call,
                                   "the texts are beyond DOCA_CORE_ARGP_TEXT_BYTES");
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

static doca_error_t doca_priv_argp_register(const struct doca_argp_cmd *cmd,
                                            struct doca_argp_param *param, const char *call)
{
    doca_error_t rc = doca_priv_argp_check(param, call);

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_argp_judge(cmd, param, call);
    if (rc != DOCA_SUCCESS) {
        param->slot = DOCA_PRIV_ARGP_FREE;
        return rc;
    }
    param->slot = DOCA_PRIV_ARGP_REGISTERED;
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

/* ---- commands -------------------------------------------------------------------------------- */

DOCA_CORE_DECL doca_error_t doca_argp_cmd_create(struct doca_argp_cmd **cmd)
{
    int i;

    if (cmd == NULL)
        return DOCA_PRIV_ARGP_FAIL(INVALID_VALUE, "an argument is NULL");
    if (!doca_priv_argp.is_open)
        return DOCA_PRIV_ARGP_FAIL(BAD_STATE, "the parser is not open");
    for (i = 1; i <= DOCA_CORE_ARGP_MAX_CMDS; i++) {
        struct doca_argp_cmd *slot = &doca_priv_argp.cmds[i];

        if (slot->slot != DOCA_PRIV_ARGP_FREE)
            continue;
        memset(slot, 0, sizeof(*slot));
        slot->slot = DOCA_PRIV_ARGP_CREATED;
        *cmd = slot;
        return DOCA_SUCCESS;
    }
    return DOCA_PRIV_ARGP_FAIL(NO_MEMORY, "more commands than DOCA_CORE_ARGP_MAX_CMDS (%d)",
                               DOCA_CORE_ARGP_MAX_CMDS);
}

/* The common check of calls that need a command that can still be changed. */
static bool doca_priv_argp_is_cmd(const struct doca_argp_cmd *cmd)
{
    int i = 1;

    while (i <= DOCA_CORE_ARGP_MAX_CMDS && cmd != &doca_priv_argp.cmds[i])
        i++;
    return i <= DOCA_CORE_ARGP_MAX_CMDS && cmd->slot != DOCA_PRIV_ARGP_FREE;
}

static doca_error_t doca_priv_argp_check_cmd(const struct doca_argp_cmd *cmd, const char *call)
{
    if (!doca_priv_argp_is_cmd(cmd))
        return doca_priv_argp_fail(DOCA_ERROR_INVALID_VALUE, call, "not a live command");
    if (cmd->slot == DOCA_PRIV_ARGP_REGISTERED)
        return doca_priv_argp_fail(DOCA_ERROR_BAD_STATE, call, "%s: is registered", cmd->name);
    return DOCA_SUCCESS;
}

/* Give back the command, and then whatever belongs to one that is free. */
static void doca_priv_argp_free_cmd(struct doca_argp_cmd *cmd)
{
    bool is_done = false;
    int i;

    cmd->slot = DOCA_PRIV_ARGP_FREE;
    while (!is_done) {
        is_done = true;
        for (i = 1; i <= DOCA_CORE_ARGP_MAX_CMDS; i++) {
            struct doca_argp_cmd *inner = &doca_priv_argp.cmds[i];

            if (inner->slot == DOCA_PRIV_ARGP_REGISTERED &&
                inner->parent->slot == DOCA_PRIV_ARGP_FREE) {
                inner->slot = DOCA_PRIV_ARGP_FREE;
                is_done = false;
            }
        }
    }
    for (i = DOCA_PRIV_ARGP_NUM_BUILT_IN; i < DOCA_PRIV_ARGP_NUM_SLOTS; i++) {
        struct doca_argp_param *param = &doca_priv_argp.params[i];

        if (param->slot == DOCA_PRIV_ARGP_REGISTERED && param->cmd->slot == DOCA_PRIV_ARGP_FREE)
            param->slot = DOCA_PRIV_ARGP_FREE;
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

/* The command of this name that `parent` has; NULL: none. */
static const struct doca_argp_cmd *doca_priv_argp_find_cmd(const struct doca_argp_cmd *parent,
                                                           const char *name)
{
    int i;

    for (i = 1; i <= DOCA_CORE_ARGP_MAX_CMDS; i++) {
        const struct doca_argp_cmd *cmd = &doca_priv_argp.cmds[i];

        if (cmd->slot == DOCA_PRIV_ARGP_REGISTERED && cmd->parent == parent &&
            strcmp(cmd->name, name) == 0)
            return cmd;
    }
    return NULL;
}

/* Is the described command fit to be one of `parent`? */
static doca_error_t doca_priv_argp_judge_cmd(const struct doca_argp_cmd *parent,
                                             const struct doca_argp_cmd *cmd, const char *call)
{
    if (cmd->is_short_of_text)
        return doca_priv_argp_fail(DOCA_ERROR_NO_MEMORY, call,
                                   "the texts are beyond DOCA_CORE_ARGP_TEXT_BYTES");
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
    cmd->slot = DOCA_PRIV_ARGP_REGISTERED;
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
    if (doca_priv_argp_is_param(input_param) && input_param->slot == DOCA_PRIV_ARGP_CREATED)
        input_param->slot = DOCA_PRIV_ARGP_FREE;
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
        rc = DOCA_PRIV_ARGP_FAIL(INVALID_VALUE, "a command cannot be one of its own");
    if (rc == DOCA_SUCCESS)
        /* analyzer: readability-suspicious-call-argument: the parent comes first */
        return doca_priv_argp_attach(cmd, input_cmd, __func__);
    if (doca_priv_argp_is_cmd(input_cmd) && input_cmd->slot == DOCA_PRIV_ARGP_CREATED)
        doca_priv_argp_free_cmd(input_cmd);
    return rc;
}

/* ---- command line ----------------------------------------------------------------------------
 * Values of both sources are gathered in one table, and delivered when nothing is wrong. */

#define DOCA_PRIV_ARGP_REFUSE(code, ...)                                                           \
    doca_priv_argp_fail(DOCA_ERROR_##code, "doca_argp_start", __VA_ARGS__)

static bool doca_priv_argp_is_level(const struct doca_argp_param *param)
{
    return param == &doca_priv_argp.params[DOCA_PRIV_ARGP_LOG_LEVEL] ||
           param == &doca_priv_argp.params[DOCA_PRIV_ARGP_SDK_LOG_LEVEL];
}

/* The next place of the table; NULL: it is full. */
static struct doca_priv_argp_value *doca_priv_argp_next_value(void)
{
    struct doca_priv_argp_value *value = &doca_priv_argp.values[doca_priv_argp.num_values];

    if (doca_priv_argp.num_values == DOCA_CORE_ARGP_MAX_VALUES)
        return NULL;
    memset(value, 0, sizeof(*value));
    doca_priv_argp.num_values++;
    return value;
}

/* On failure `why` says what to print. */
static doca_error_t doca_priv_argp_add(struct doca_argp_param *param, char *text, size_t len,
                                       int number, const char **why)
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
    return DOCA_SUCCESS;
}

/* The flag that the word names, and its value behind '=', or NULL. */
static struct doca_argp_param *doca_priv_argp_flag_of(char *word, char **value)
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

/* -v: only a callback that fails lets the program live. */
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

static doca_error_t doca_priv_argp_wrong_flag(doca_error_t code,
                                              const struct doca_argp_param *param,
                                              const char *why)
{
    doca_priv_argp_print_usage(STDERR_FILENO);
    return doca_priv_argp_fail(code, "doca_argp_start", "%s: %s",
                               doca_priv_argp_name_of(param).text, why);
}

/* Read the value of a BOOLEAN; NULL: it stands alone. `number` out: 0 leaves the flag out. */
static doca_error_t doca_priv_argp_read_bool(const struct doca_argp_param *param,
                                             const char *value, int *number)
{
    *number = value == NULL || strcmp(value, "true") == 0;
    if (*number || strcmp(value, "false") == 0)
        return DOCA_SUCCESS;
    return doca_priv_argp_wrong_flag(DOCA_ERROR_INVALID_VALUE, param,
                                     "takes no value, or true or false");
}

/* Note the flag with its value as text; `value` is NULL for a BOOLEAN that stands alone. */
static doca_error_t doca_priv_argp_note_flag(struct doca_argp_param *param, char *value)
{
    const char *why = NULL;
    doca_error_t rc;
    char text[256];
    int number = 1;

    if (param->type == DOCA_ARGP_TYPE_INT) {
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
    rc = doca_priv_argp_add(param, value, value != NULL ? strlen(value) : 0, number, &why);
    if (rc != DOCA_SUCCESS)
        return doca_priv_argp_wrong_flag(rc, param, why);
    param->is_on_cli = true;
    return DOCA_SUCCESS;
}

/* Does the current command, or program, have commands? */
static bool doca_priv_argp_has_cmds(void)
{
    int i;

    for (i = 1; i <= DOCA_CORE_ARGP_MAX_CMDS; i++)
        if (doca_priv_argp.cmds[i].slot == DOCA_PRIV_ARGP_REGISTERED &&
            doca_priv_argp.cmds[i].parent == doca_priv_argp.current)
            return true;
    return false;
}

/* Note the command that the word names; flags behind it are its own. */
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

/* --help and --version, unless they are left out: they end the program. */
static doca_error_t doca_priv_argp_answer(const struct doca_argp_param *param, const char *value)
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

/* Read the flag or command at argv[0], and its value; `num_words` out: how many words these are. */
static doca_error_t doca_priv_argp_read_flag(int argc, char **argv, int *num_words)
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
        return doca_priv_argp_answer(param, value);
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

/* ---- JSON ------------------------------------------------------------------------------------
 * The file is read whole, and its strings are decoded where they stand, which never makes them
 * longer. What is between the values is read here, because the tree that a parser makes of a file
 * has neither places nor keys that come twice; each value is read by one of two readers. Each
 * function leaves `at` behind what it read, or on the character that is wrong. */

struct doca_priv_argp_json {
    const char *path;
    char *at;
    char *end; /* there stands NUL */
    char *line_start;
    unsigned line;
};

struct doca_priv_argp_span {
    char *text;
    size_t len;
};

static doca_error_t doca_priv_argp_json_wrong(const struct doca_priv_argp_json *json,
                                              doca_error_t code, const char *key, const char *why)
{
    return doca_priv_argp_fail(code, "doca_argp_start", DOCA_PRIV_ARGP_WORD ":%u:%lu: %.200s%s%s",
                               json->path, json->line,
                               (unsigned long)(json->at - json->line_start) + 1, key,
                               key[0] != '\0' ? ": " : "",
                               json->at == json->end && code == DOCA_ERROR_IO_FAILED
                                   ? "the file ends too early"
                                   : why);
}

static doca_error_t doca_priv_argp_json_bad(const struct doca_priv_argp_json *json,
                                            const char *why)
{
    return doca_priv_argp_json_wrong(json, DOCA_ERROR_IO_FAILED, "", why);
}

/* Neither reader meets a comment. */
static void doca_priv_argp_json_blank_comments(char *at, const char *end)
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

static void doca_priv_argp_json_pass(struct doca_priv_argp_json *json, size_t len)
{
    for (; len > 0; len--)
        if (*json->at++ == '\n') {
            json->line++;
            json->line_start = json->at;
        }
}

static bool doca_priv_argp_json_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool doca_priv_argp_json_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Move to the next token. */
static char doca_priv_argp_json_peek(struct doca_priv_argp_json *json)
{
    while (doca_priv_argp_json_is_blank(*json->at))
        doca_priv_argp_json_pass(json, 1);
    return *json->at;
}

static doca_error_t doca_priv_argp_json_take(struct doca_priv_argp_json *json, char c,
                                             const char *why)
{
    if (doca_priv_argp_json_peek(json) != c)
        return doca_priv_argp_json_bad(json, why);
    json->at++;
    return DOCA_SUCCESS;
}

static bool doca_priv_argp_json_word(struct doca_priv_argp_json *json, const char *word)
{
    size_t len = strlen(word);

    if (strncmp(json->at, word, len) != 0)
        return false;
    json->at += len;
    return true;
}

/* Bytes of the character of UTF-8 at `s`; 0: there is none. */
static size_t doca_priv_argp_utf8_len(const char *s)
{
    unsigned char c = (unsigned char)s[0], next;
    size_t len = c < 0x80 ? 1 : c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0, i;

    for (i = 1; i < len; i++) {
        next = (unsigned char)s[i];
        if ((next & 0xc0) != 0x80)
            return 0;
        if (i == 1 && ((c == 0xe0 && next < 0xa0) || (c == 0xf0 && next < 0x90) || /* too long */
                       (c == 0xed && next > 0x9f) || (c == 0xf4 && next > 0x8f))) /* no character */
            return 0;
    }
    return len;
}

/* A string, a key too; `span` out: decoded in place. */
static doca_error_t doca_priv_argp_json_string(struct doca_priv_argp_json *json,
                                               struct doca_priv_argp_span *span);

/* A number; `is_int` out: it is one, and fits in `number`. */
static doca_error_t doca_priv_argp_json_number(struct doca_priv_argp_json *json, int *number,
                                               bool *is_int);

/* Any value, of at most 32 levels, which is left as it is. */
static doca_error_t doca_priv_argp_json_skip(struct doca_priv_argp_json *json);

/* Move to the next element of an array, or the next value of an object, whose key goes to `key`.
 * `is_first`: just behind the opening bracket. `is_there` out: false: behind the closing one. */
static doca_error_t doca_priv_argp_json_next(struct doca_priv_argp_json *json, bool is_object,
                                             bool is_first, struct doca_priv_argp_span *key,
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

#ifdef DOCA_CORE_ARGP_JSON_C
/* ---- values, read by json-c ------------------------------------------------------------------ */

/* Is there an escape for half of a surrogate pair? `digits` are the second one it can have. */
static bool doca_priv_argp_json_is_half(const char *s, const char *digits)
{
    return s[0] == '\\' && s[1] == 'u' && (s[2] == 'd' || s[2] == 'D') && s[3] != '\0' &&
           strchr(digits, s[3]) != NULL;
}

/* Move behind the character of a string, or say what is wrong with it. */
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

/* Move behind the value, which ends at `end`, or say what is not JSON in it although json-c, strict
 * as it is set, has taken it. */
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
            return "unexpected character"; /* of 'key', NaN, Infinity */
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

/* The next value, which json_object_put() gives back. json-c has nothing of ours meanwhile that a
 * callback could leave behind. */
static doca_error_t doca_priv_argp_json_parse(struct doca_priv_argp_json *json,
                                              struct json_object **value)
{
    /* 32 levels, and what is in the last one */
    struct json_tokener *tokener = json_tokener_new_ex(32 + 1);
    enum json_tokener_error error;
    const char *why = NULL;
    size_t rest = (size_t)(json->end - json->at), len;

    *value = NULL;
    if (tokener == NULL)
        return doca_priv_argp_json_wrong(json, DOCA_ERROR_NO_MEMORY, "", "no memory for json-c");
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_ALLOW_TRAILING_CHARS |
                                        JSON_TOKENER_VALIDATE_UTF8);
    *value = json_tokener_parse_ex(tokener, json->at, (int)rest + 1); /* with the NUL */
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

static doca_error_t doca_priv_argp_json_string(struct doca_priv_argp_json *json,
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

static doca_error_t doca_priv_argp_json_number(struct doca_priv_argp_json *json, int *number,
                                               bool *is_int)
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

static doca_error_t doca_priv_argp_json_skip(struct doca_priv_argp_json *json)
{
    struct json_object *value;
    doca_error_t rc = doca_priv_argp_json_parse(json, &value);

    if (rc == DOCA_SUCCESS)
        (void)json_object_put(value);
    return rc;
}

#else
/* ---- values, read by ourselves --------------------------------------------------------------- */

/* Four hexadecimal digits; more than 0xffff: they are not there. */
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

/* One escape at `at`, as the bytes it stands for. */
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

/* `span` may be NULL: then the string stays as it is. */
static doca_error_t doca_priv_argp_json_string(struct doca_priv_argp_json *json,
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

static doca_error_t doca_priv_argp_json_number(struct doca_priv_argp_json *json, int *number,
                                               bool *is_int)
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

/* A value that is neither object nor array. */
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

/* Bit n of `objects` says that level n is one. */
static doca_error_t doca_priv_argp_json_skip(struct doca_priv_argp_json *json)
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

/* ---- flags of the JSON file ------------------------------------------------------------------ */

/* Name what is not for this program, at the value behind the key, and pass over it. */
static doca_error_t doca_priv_argp_json_ignore(struct doca_priv_argp_json *json,
                                               const struct doca_priv_argp_span *key,
                                               const char *why)
{
    (void)doca_priv_argp_fail(DOCA_SUCCESS, "doca_argp_start",
                              DOCA_PRIV_ARGP_WORD ":%u:%lu: \"%.*s\" %s, ignored", json->path,
                              json->line, (unsigned long)(json->at - json->line_start) + 1,
                              (int)(key->len < 200 ? key->len : 200), key->text, why);
    return doca_priv_argp_json_skip(json);
}

/* The value at `json` does not fit; what is no JSON at all is told as such. */
static doca_error_t doca_priv_argp_json_unfit(const struct doca_priv_argp_json *json,
                                              const char *key, const char *why)
{
    struct doca_priv_argp_json value = *json;
    doca_error_t rc = doca_priv_argp_json_skip(&value);

    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_argp_json_wrong(json, DOCA_ERROR_INVALID_VALUE, key, why);
}

/* Move into an object or array; another value does not fit. */
static doca_error_t doca_priv_argp_json_enter(struct doca_priv_argp_json *json, char bracket,
                                              const char *why)
{
    if (doca_priv_argp_json_peek(json) != bracket)
        return doca_priv_argp_json_unfit(json, "", why);
    json->at++;
    return DOCA_SUCCESS;
}

/* A string, where another value does not fit. */
static doca_error_t doca_priv_argp_json_text(struct doca_priv_argp_json *json,
                                             struct doca_priv_argp_span *span)
{
    return doca_priv_argp_json_peek(json) == '"'
               ? doca_priv_argp_json_string(json, span)
               : doca_priv_argp_json_unfit(json, "", "expected a string");
}

/* The value of a flag; the command line's takes its place. */
static doca_error_t doca_priv_argp_json_value(struct doca_priv_argp_json *json,
                                              struct doca_argp_param *param)
{
    static const char *const wants[] = { "", "takes a string", "takes an integer of 32 bits",
                                         "takes true or false", "takes an object" };
    const struct doca_priv_argp_json start = *json;
    struct doca_priv_argp_span span = { json->at, 0 };
    const char *why = wants[param->type];
    doca_error_t rc = DOCA_SUCCESS;
    char c = *json->at;
    bool fits = false;
    int number = 0;

    if (param->type == DOCA_ARGP_TYPE_STRING && c == '"') {
        rc = doca_priv_argp_json_string(json, &span);
        fits = true;
    } else if (param->type == DOCA_ARGP_TYPE_INT && (c == '-' || (c >= '0' && c <= '9'))) {
        rc = doca_priv_argp_json_number(json, &number, &fits);
    } else if (param->type == DOCA_ARGP_TYPE_BOOLEAN) {
        number = doca_priv_argp_json_word(json, "true");
        fits = number || doca_priv_argp_json_word(json, "false");
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
        rc = doca_priv_argp_add(param, span.text, span.len, number, &why);
    if (rc == DOCA_SUCCESS)
        return rc;
    return doca_priv_argp_json_wrong(&start, rc, doca_priv_argp_name_of(param).text, why);
}

/* The member `key` of the general or the program's flags: its value, or an array of values. */
static doca_error_t doca_priv_argp_json_flag(struct doca_priv_argp_json *json,
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

/* ---- EAL flags of the JSON file -------------------------------------------------------------- */

static bool doca_priv_argp_key_is(const struct doca_priv_argp_span *key, const char *name)
{
    return strlen(name) == key->len && memcmp(key->text, name, key->len) == 0;
}

/* One word of argv: prefix, text and suffix. */
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
    /* analyzer: bugprone-not-null-terminated-result: the suffix ends it */
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
    return doca_priv_argp_json_unfit(json, "", "is true or false");
}

/* { "device": kind, "id": text, "sft": bool, "hws": bool } as `-a` and its argument */
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
                                         "a device is pf, vf, sf or regex");
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

/* "a -b  c": words between blanks */
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

/* A member of the EAL flags. */
static doca_error_t doca_priv_argp_json_eal(struct doca_priv_argp_json *json,
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
        return doca_priv_argp_json_ignore(json, key, "is unknown");
    if (!is_mask || *json->at == '"') { /* a mask beyond an integer may be a string */
        rc = doca_priv_argp_json_text(json, &text);
    } else {
        rc = doca_priv_argp_json_number(json, &mask, &is_int);
        if (rc == DOCA_SUCCESS && (!is_int || mask <= 0))
            return doca_priv_argp_json_wrong(&start, DOCA_ERROR_INVALID_VALUE, "core-mask",
                                             "is a positive integer, or a string");
        text.text = hex; /* the EAL reads masks as hexadecimal */
        text.len = rc == DOCA_SUCCESS ? (size_t)snprintf(hex, sizeof(hex), "%x", (unsigned)mask)
                                      : 0;
    }
    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_argp_eal_flag(json, is_mask ? "-c" : "-l", "", text, "");
}

/* ---- the JSON file --------------------------------------------------------------------------- */

enum { DOCA_PRIV_ARGP_DPDK_FLAGS, DOCA_PRIV_ARGP_GENERAL_FLAGS, DOCA_PRIV_ARGP_PROGRAM_FLAGS };

/* All members of one of the three objects of the file. */
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
            rc = doca_priv_argp_json_ignore(json, &key, "is unknown");
        else if (section == DOCA_PRIV_ARGP_DPDK_FLAGS && doca_priv_argp.dpdk == NULL)
            rc = doca_priv_argp_json_skip(json);
        else
            rc = doca_priv_argp_json_section(json, section);
    }
    if (rc == DOCA_SUCCESS && (doca_priv_argp_json_peek(json) != '\0' || json->at != json->end))
        rc = doca_priv_argp_json_bad(json, "something follows the end of the object");
    return rc;
}

/* A program with more rights than who started it (setuid and the like) opens no file that they
 * name: which ones they may read themselves, the kernel answers only to them. -1: with the cause
 * in errno. */
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

static doca_error_t doca_priv_argp_json_load(const char *path)
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

/* ---- start ----------------------------------------------------------------------------------- */

/* How many words of argv are for the EAL, the program's name included; `first` out: the first one
 * that is ours. */
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

    if (level != 0) /* the core has no TRACE */
        (void)doca_core_log_set_level(level < DOCA_CORE_LOG_DEBUG ? level : DOCA_CORE_LOG_DEBUG);
}
#endif

/* Is what was given complete, and fit to stand together? */
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
            (void)snprintf(why, sizeof(why), "stands alone, not with %s",
                           doca_priv_argp_name_of(param).text);
            return doca_priv_argp_wrong_flag(DOCA_ERROR_INVALID_VALUE, singular, why);
        }
        if (singular == NULL && param->slot == DOCA_PRIV_ARGP_REGISTERED && param->is_mandatory &&
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

/* Take note of everything in argv and in the JSON file. */
static doca_error_t doca_priv_argp_gather(int argc, char **argv)
{
    const struct doca_argp_param *json = &doca_priv_argp.params[DOCA_PRIV_ARGP_JSON];
    doca_error_t rc;
    size_t v;
    int i, num_words;

    doca_priv_argp.num_values = 0;
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

/* Call the callback of the flag with its value, or that of the command. */
static doca_error_t doca_priv_argp_call(const struct doca_priv_argp_value *value)
{
    doca_argp_param_cb_t callback;
    int number = value->number;
    bool is_set = true;

    if (value->cmd != NULL)
        return value->cmd->callback != NULL ? value->cmd->callback(doca_priv_argp.config)
                                            : DOCA_SUCCESS;
    callback = value->param->callback;
    if (callback == NULL) /* built-in: used before */
        return DOCA_SUCCESS;
    if (value->param->type == DOCA_ARGP_TYPE_INT)
        return callback(&number, doca_priv_argp.config);
    if (value->param->type == DOCA_ARGP_TYPE_BOOLEAN)
        return number ? callback(&is_set, doca_priv_argp.config) : DOCA_SUCCESS;
    if (value->text[value->len] != '\0') /* of JSON, all is read by now */
        value->text[value->len] = '\0';
    return callback(value->text, doca_priv_argp.config);
}

/* A callback has left what this start gathered; or has it? */
static doca_error_t doca_priv_argp_go_on(unsigned start)
{
    return doca_priv_argp.num_starts == start
               ? DOCA_SUCCESS
               : DOCA_PRIV_ARGP_REFUSE(BAD_STATE, "a callback closed the parser, or started again");
}

static doca_error_t doca_priv_argp_deliver(const struct doca_priv_argp_value *value)
{
    const unsigned start = doca_priv_argp.num_starts;
    doca_error_t rc = doca_priv_argp_call(value), gone = doca_priv_argp_go_on(start);

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

/* All callbacks, in their order. */
static doca_error_t doca_priv_argp_deliver_all(int num_eal, char **eal)
{
    const unsigned start = doca_priv_argp.num_starts;
    doca_error_t rc = DOCA_SUCCESS;
    size_t v;

    if (doca_priv_argp.dpdk != NULL) {
        if (num_eal == 1) { /* the file's, if any */
            num_eal = 1 + (int)doca_priv_argp.num_eal_words;
            doca_priv_argp.eal_words[0] = eal[0];
            doca_priv_argp.eal_words[num_eal] = NULL;
            eal = doca_priv_argp.eal_words;
        }
        rc = doca_priv_argp.dpdk(num_eal, eal);
        if (rc != DOCA_SUCCESS)
            return doca_priv_argp_fail(rc, "doca_argp_start", "the DPDK callback failed");
        rc = doca_priv_argp_go_on(start);
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
