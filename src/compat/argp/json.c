/* ---- >>impl.argp.json ------------------------------------------------------------------------
 * The structure of a JSON file: comments, white space, brackets and commas. This code reads it even
 * when json-c reads the values, because the tree that json-c builds of a whole file has lost the
 * positions for error messages, and all but one of the values of a repeated key.                */
#include "compat/argp/json_priv.h"

#include "compat/argp/output_priv.h"
#include "compat/argp/platform_priv.h"

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
