/* ---- >>impl.argp.start -----------------------------------------------------------------------
 * Start: gather the values, check them, and call the callbacks.                                 */
#include "compat/argp/cli_priv.h"
#include "compat/argp/cmd_priv.h"
#include "compat/argp/device_priv.h"
#include "compat/argp/json_file_priv.h"
#include "compat/argp/json_flag_priv.h"
#include "compat/argp/output_priv.h"
#include "compat/argp/parser.h"
#include "compat/argp/platform_priv.h"
#include "compat/argp/state_priv.h"
#include "compat/argp/types.h"
#include "compat/argp/usage_priv.h"

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
