/* ---- >>argp.types ----------------------------------------------------------------------------
 * Types of flags, and the callbacks that a program registers.                                   */
#ifndef DOCA_SRC_COMPAT_ARGP_TYPES_H
#define DOCA_SRC_COMPAT_ARGP_TYPES_H

#include "compat/log/level.h"
#include "compat/argp/config.h"

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

#endif
