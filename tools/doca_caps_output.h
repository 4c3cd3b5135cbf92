/* How doca_caps prints facts: as text, or as JSON. Each fact has a name, a kind and a value, or the
 * reason why there is no value. */
#ifndef DOCA_CAPS_OUTPUT_H
#define DOCA_CAPS_OUTPUT_H

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_COLUMNS 80

static FILE *out;
static bool as_json;
static int depth;             /* of the brackets, or headings, that are open */
static bool is_first = true;  /* the next entry is the first in its bracket */

__attribute__((format(printf, 2, 3))) static void die(int status, const char *format, ...)
{
    va_list args;

    fputs("doca_caps: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    exit(status);
}

static void written(int rc)
{
    if (rc < 0)
        die(EXIT_FAILURE, "cannot write: %s", strerror(errno));
}

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    va_list args;
    int rc;

    va_start(args, format);
    rc = vfprintf(out, format, args);
    va_end(args);
    written(rc);
}

/* Return the length of the UTF-8 character at `s`, or 0 when the bytes are not valid UTF-8. */
static size_t utf8_len(const unsigned char *s)
{
    size_t len = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4, i;

    if (s[0] > 0xf4 || (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    for (i = 1; i < len; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    return len;
}

/* Print a text of the system. Bytes that would control a terminal, or end a string of JSON, are
 * escaped. */
static void put_text(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;

    for (; *s != '\0'; s++) {
        size_t len = utf8_len(s);
        bool is_control = *s < 0x20 || *s == 0x7f || (*s == 0xc2 && s[1] < 0xa0);

        if (len == 0)
            put(as_json ? "\\ufffd" : "\\x%02x", *s);
        else if (is_control)
            put(as_json ? "\\u%04x" : "\\x%02x", len == 1 ? *s : s[1]);
        else if (as_json && (*s == '"' || *s == '\\'))
            put("\\%c", *s);
        else
            put("%.*s", (int)len, (const char *)s);
        s += len > 0 ? len - 1 : 0;
    }
}

/* Begin a new line of JSON, with `key` and `suffix` as its key. NULL: without a key. */
static void put_key(const char *key, const char *suffix)
{
    put("%s%*s", is_first ? "\n" : ",\n", 2 * depth, "");
    is_first = false;
    if (key != NULL)
        put("\"%s%s\": ", key, suffix);
}

/* In JSON, begin an object or array with this key; in text, begin a block with this heading. NULL:
 * without a key or heading. */
static void begin(const char *key, const char *heading, char bracket)
{
    if (as_json) {
        put_key(key, "");
        put("%c", bracket);
    } else if (heading != NULL) {
        put("%*s", 2 * depth, "");
        put_text(heading);
        put("\n");
    }
    is_first = true;
    depth += as_json || heading != NULL;
}

static void end(const char *heading, char bracket)
{
    depth -= as_json || heading != NULL;
    if (as_json && is_first)
        put("%c", bracket);
    else if (as_json)
        put("\n%*s%c", 2 * depth, "", bracket);
    is_first = false;
}

enum kind { YES_NO, COUNT, BYTES, TEXT, LIST, NUMBER };

struct fact {
    enum kind kind;
    doca_error_t rc;
    enum doca_core_item item; /* the reason if rc is not SUCCESS */
    uint64_t number;
    char text[DOCA_DEVINFO_IFACE_NAME_SIZE]; /* the longest text of all facts */
};

/* Record the result of the call that was made for the fact. */
static void outcome(struct fact *fact, doca_error_t rc)
{
    fact->rc = rc;
    fact->item = doca_core_last_item();
}

static const char *code_of(const struct fact *fact)
{
    return doca_error_get_name(fact->rc) + sizeof("DOCA_ERROR_") - 1;
}

static void put_json_fact(const char *key, const struct fact *fact)
{
    static const char *const nothing[] = { "false", "null", "null", "null", "[]", "null" };

    put_key(key, "");
    if (fact->rc != DOCA_SUCCESS) {
        put("%s", nothing[fact->kind]);
        put_key(key, "_reason");
        put("\"%s: ", code_of(fact));
        put_text(doca_core_item_text(fact->item));
        put("\"");
    } else if (fact->kind == YES_NO) {
        put("%s", fact->number != 0 ? "true" : "false");
    } else if (fact->kind == TEXT) {
        put("\"");
        put_text(fact->text);
        put("\"");
    } else {
        put("%" PRIu64, fact->number);
    }
}

/* Print why the call has no answer. A long text is wrapped and continued in the same column. */
static void put_reason(int column, const struct fact *fact)
{
    const char *answer = fact->rc != DOCA_ERROR_NOT_SUPPORTED ? code_of(fact)
                         : fact->kind == YES_NO               ? "no"
                                                              : "none";
    const char *word = doca_core_item_text(fact->item);
    int at = column + (int)strlen(answer) + 1, len;

    put("%s:", answer);
    for (; *word != '\0'; word += len + (word[len] == ' ')) {
        len = (int)strcspn(word, " ");
        if (at + 1 + len > MAX_COLUMNS) {
            put("\n%*s", column, "");
            at = column;
        } else {
            put(" ");
            at++;
        }
        put("%.*s", len, word);
        at += len;
    }
}

static void put_text_fact(const char *key, int width, const struct fact *fact)
{
    const uint64_t mib = 1024 * 1024;

    put("%*s%-*s ", 2 * depth, "", width, key);
    if (fact->rc != DOCA_SUCCESS)
        put_reason(2 * depth + width + 1, fact);
    else if (fact->kind == YES_NO)
        put("%s", fact->number != 0 ? "yes" : "no");
    else if (fact->kind == TEXT)
        put_text(fact->text[0] != '\0' ? fact->text : "-");
    else
        put("%" PRIu64, fact->number);
    if (fact->rc == DOCA_SUCCESS && ((fact->kind == BYTES && fact->number == UINT64_MAX) ||
                                     (fact->kind == COUNT && fact->number == UINT32_MAX)))
        put(" (no limit)");
    else if (fact->rc == DOCA_SUCCESS && fact->kind == BYTES && fact->number % mib == 0)
        put(" (%" PRIu64 " MiB)", fact->number / mib);
    put("\n");
}

/* `width` is the width of the column of keys. */
static void put_fact(const char *key, int width, const struct fact *fact)
{
    if (as_json)
        put_json_fact(key, fact);
    else
        put_text_fact(key, width, fact);
}

static void put_words(const char *key, int width, const char *text)
{
    struct fact fact = { TEXT, DOCA_SUCCESS, DOCA_CORE_ITEM_NONE, 0, "" };

    snprintf(fact.text, sizeof(fact.text), "%s", text);
    put_fact(key, width, &fact);
}

static void put_yes_no(const char *key, int width, bool is_so)
{
    struct fact fact = { YES_NO, DOCA_SUCCESS, DOCA_CORE_ITEM_NONE, is_so, "" };

    put_fact(key, width, &fact);
}

#endif
