/* ---- >>impl.argp.json_own --------------------------------------------------------------------
 * Values of a JSON file, read without json-c.                                                   */
#include "compat/argp/json_priv.h"
#include "compat/argp/platform_priv.h"

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
