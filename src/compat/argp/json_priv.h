/* ---- >>priv.argp.json ------------------------------------------------------------------------
 * The reader of JSON files. A file is read as a whole, and its strings are decoded in place,
 * because a decoded string is never longer. Two readers of values exist, see >>impl.argp.json_c
 * and >>impl.argp.json_own.                                                                     */
#ifndef DOCA_SRC_COMPAT_ARGP_JSON_PRIV_H
#define DOCA_SRC_COMPAT_ARGP_JSON_PRIV_H

#include "compat/argp/platform_priv.h"

/* Position in a JSON file. Each function leaves `at` after the text that it read, or at the first
 * wrong character. */
struct doca_priv_argp_json {
    const char *path;
    char *at;
    char *end; /* points to a NUL */
    char *line_start;
    unsigned line;
};

struct doca_priv_argp_span {
    char *text;
    size_t len;
};

DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_wrong(const struct doca_priv_argp_json *json,
                                                      doca_error_t code, const char *key,
                                                      const char *why);
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_bad(const struct doca_priv_argp_json *json,
                                                    const char *why);
DOCA_PRIV_DECL void doca_priv_argp_json_blank_comments(char *at, const char *end);
DOCA_PRIV_DECL void doca_priv_argp_json_pass(struct doca_priv_argp_json *json, size_t len);
DOCA_PRIV_DECL bool doca_priv_argp_json_is_blank(char c);
DOCA_PRIV_DECL bool doca_priv_argp_json_is_digit(char c);
DOCA_PRIV_DECL char doca_priv_argp_json_peek(struct doca_priv_argp_json *json);
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_take(struct doca_priv_argp_json *json, char c,
                                                     const char *why);
DOCA_PRIV_DECL bool doca_priv_argp_json_word(struct doca_priv_argp_json *json, const char *word);
DOCA_PRIV_DECL size_t doca_priv_argp_utf8_len(const char *s);
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_next(struct doca_priv_argp_json *json,
                                                     bool is_object, bool is_first,
                                                     struct doca_priv_argp_span *key,
                                                     bool *is_there);

/* Read a string, which may be a key. `*span` receives its decoded text, in place. */
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_string(struct doca_priv_argp_json *json,
                                                       struct doca_priv_argp_span *span);

/* Read a number. `*is_int` receives whether it is an integer that fits in `*number`. */
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_number(struct doca_priv_argp_json *json,
                                                       int *number, bool *is_int);

/* Skip any value with at most 32 levels of nesting, and leave its text unchanged. */
DOCA_PRIV_DECL doca_error_t doca_priv_argp_json_skip(struct doca_priv_argp_json *json);

#endif
