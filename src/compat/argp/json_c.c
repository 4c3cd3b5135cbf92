/* ---- >>impl.argp.json_c ----------------------------------------------------------------------
 * Values of a JSON file, read by json-c.                                                        */
#include "compat/argp/json_priv.h"
#include "compat/argp/platform_priv.h"

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
