/* ---- >>impl.argp.cli -------------------------------------------------------------------------
 * The command line. Values of the command line and of the JSON file are gathered in one table. The
 * callbacks are called when everything has been checked.                                        */
#include "compat/argp/cli_priv.h"

#include "compat/argp/cmd_priv.h"
#include "compat/argp/output_priv.h"
#include "compat/argp/platform_priv.h"
#include "compat/argp/state_priv.h"
#include "compat/argp/types.h"
#include "compat/argp/usage_priv.h"

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
