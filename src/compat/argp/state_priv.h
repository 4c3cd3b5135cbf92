/* ---- >>priv.argp.state -----------------------------------------------------------------------
 * The state of the parser: one per process, in static memory.                                   */
#ifndef DOCA_SRC_COMPAT_ARGP_STATE_PRIV_H
#define DOCA_SRC_COMPAT_ARGP_STATE_PRIV_H

#include "compat/argp/platform_priv.h"
#include "compat/argp/types.h"

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

DOCA_PRIV_DATA struct doca_priv_argp_state doca_priv_argp;

DOCA_PRIV_DECL struct doca_argp_param *doca_priv_argp_find_in(const struct doca_argp_cmd *cmd,
                                                              bool is_long, const char *name,
                                                              size_t len, int from, int to);
DOCA_PRIV_DECL struct doca_argp_param *doca_priv_argp_find(bool is_long, const char *name,
                                                           size_t len);
DOCA_PRIV_DECL bool doca_priv_argp_is_given(const struct doca_argp_cmd *cmd);

#endif
