/* ---- >>impl.argp.json_flag -------------------------------------------------------------------
 * Flags in a JSON file.                                                                         */
#include "compat/argp/json_flag_priv.h"

#include "compat/argp/cli_priv.h"
#include "compat/argp/json_priv.h"
#include "compat/argp/output_priv.h"
#include "compat/argp/platform_priv.h"
#include "compat/argp/state_priv.h"
#include "compat/argp/types.h"

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
