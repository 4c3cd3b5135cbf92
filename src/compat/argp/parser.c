/* ---- >>impl.argp.parser ----------------------------------------------------------------------
 * Open and close the parser, and set its callbacks.                                             */
#include "compat/argp/parser.h"

#include "compat/argp/output_priv.h"
#include "compat/argp/param_priv.h"
#include "compat/argp/platform_priv.h"
#include "compat/argp/state_priv.h"
#include "compat/argp/types.h"

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
