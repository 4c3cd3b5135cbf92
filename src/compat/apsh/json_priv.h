/* ---- >>priv.apsh.json ------------------------------------------------------------------------
 * The files that a program sets, read through a window from the beginning to the end: bytes, and
 * JSON of any length. Besides strict JSON the reader accepts the output of the vendor's tool: a
 * comma after the last member, and strings in single quotes, as Python prints them. After the first
 * error every call returns the same as at the end of the file, and `reason` contains the error. */
#ifndef DOCA_SRC_COMPAT_APSH_JSON_PRIV_H
#define DOCA_SRC_COMPAT_APSH_JSON_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/object_priv.h"

#define DOCA_PRIV_APSH_JSON_WINDOW 16384u
#define DOCA_PRIV_APSH_JSON_TEXT 1024u /* bytes of a string that are kept, with a NUL */
#define DOCA_PRIV_APSH_JSON_DEPTH 64u  /* maximum number of open brackets */

enum doca_priv_apsh_json_kind {
    DOCA_PRIV_APSH_JSON_NONE, /* an error, or the end of the file */
    DOCA_PRIV_APSH_JSON_OBJECT,
    DOCA_PRIV_APSH_JSON_ARRAY,
    DOCA_PRIV_APSH_JSON_STRING,
    DOCA_PRIV_APSH_JSON_NUMBER, /* if `is_number`, the value is in `number` */
    DOCA_PRIV_APSH_JSON_WORD    /* true, false, null, and Python's spellings of these words */
};

struct doca_priv_apsh_json {
    int fd;
    uint64_t start;     /* offset of the window in the file */
    size_t next;        /* next byte of the window */
    size_t filled;      /* bytes in the window */
    uint64_t *budget;   /* bytes of files that the call may still read */
    const char *reason; /* first error; NULL: no error yet */
    int error;          /* errno, when a system call failed */
    uint64_t opened;    /* bit for each open bracket, the innermost last: 1 for an object */
    uint32_t depth;     /* number of open brackets */
    bool has_value;     /* a member of the innermost bracket was read: a comma must follow */
    bool is_cut;        /* the latest string is longer than the text */
    bool is_number;     /* the latest number is an integer from 0 to UINT64_MAX */
    uint32_t len;       /* bytes of the text */
    uint64_t number;    /* latest number */
    char text[DOCA_PRIV_APSH_JSON_TEXT]; /* latest key, string, number or word */
    unsigned char window[DOCA_PRIV_APSH_JSON_WINDOW];
};

DOCA_PRIV_DECL bool doca_priv_apsh_json_open(struct doca_priv_apsh_json *json, const char *path,
                                             uint64_t *budget);
DOCA_PRIV_DECL void doca_priv_apsh_json_close(struct doca_priv_apsh_json *json);
DOCA_PRIV_DECL int doca_priv_apsh_json_byte(struct doca_priv_apsh_json *json);
DOCA_PRIV_DECL bool doca_priv_apsh_json_bad(struct doca_priv_apsh_json *json, const char *reason);
DOCA_PRIV_DECL uint64_t doca_priv_apsh_json_place(const struct doca_priv_apsh_json *json);
DOCA_PRIV_DECL bool doca_priv_apsh_json_again(struct doca_priv_apsh_json *json, uint64_t place);
DOCA_PRIV_DECL enum doca_priv_apsh_json_kind
doca_priv_apsh_json_value(struct doca_priv_apsh_json *json);
DOCA_PRIV_DECL bool doca_priv_apsh_json_key(struct doca_priv_apsh_json *json);
DOCA_PRIV_DECL bool doca_priv_apsh_json_object(struct doca_priv_apsh_json *json);
DOCA_PRIV_DECL bool doca_priv_apsh_json_integer(struct doca_priv_apsh_json *json, uint64_t *value);
DOCA_PRIV_DECL bool doca_priv_apsh_json_string(struct doca_priv_apsh_json *json);
DOCA_PRIV_DECL bool doca_priv_apsh_json_is(const struct doca_priv_apsh_json *json,
                                           const char *text);
DOCA_PRIV_DECL void doca_priv_apsh_json_skip(struct doca_priv_apsh_json *json);
DOCA_PRIV_DECL void doca_priv_apsh_json_end(struct doca_priv_apsh_json *json);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_file_fail(const struct doca_priv_apsh_json *json,
                                                     enum doca_core_item item,
                                                     const char *function);

#endif
