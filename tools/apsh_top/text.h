/* Output of tools/apsh_top.c: a text of bounded length in static memory, written by one write().
 * Names of the target and of files are cleaned, so that nothing in them can steer a
 * terminal or end a string of JSON. */
#ifndef APSH_TOP_TEXT_H
#define APSH_TOP_TEXT_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum status { /* exit status of the tool; --help explains them */
    OK = 0,
    WRONG_ARGUMENTS = 64,
    NO_LIST = 65,
    NO_FILE = 66,
    TARGET_ENDED = 69,
    NO_OUTPUT = 74,
    NOT_HERE = 77
};

#define PRINTF(at, first) __attribute__((format(printf, at, first)))

static void screen_leave(void);

/* Restore the terminal, print one line to standard error, and exit. */
PRINTF(2, 3) _Noreturn static void die(enum status status, const char *format, ...)
{
    char line[1024];
    va_list args;
    size_t len, i;

    screen_leave();
    va_start(args, format);
    len = (size_t)vsnprintf(line, sizeof(line), format, args);
    va_end(args);
    len = len < sizeof(line) ? len : sizeof(line) - 1;
    for (i = 0; i < len; i++)
        if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f)
            line[i] = '?';
    fprintf(stderr, "apsh-top: %s\n", line);
    exit((int)status);
}

static struct {
    size_t len;
    char bytes[1 << 20];
} out;

/* Write the text that `out` has, and empty it. */
static void out_flush(void)
{
    size_t done = 0;

    while (done < out.len) {
        const ssize_t n = write(STDOUT_FILENO, out.bytes + done, out.len - done);

        if (n < 0 && errno != EINTR)
            die(NO_OUTPUT, "cannot write: %s", strerror(errno));
        done += n > 0 ? (size_t)n : 0;
    }
    out.len = 0;
}

/* Append bytes to `out`, after writing and emptying it when it is full. A frame always fits. */
static void out_bytes(const char *bytes, size_t len)
{
    if (len > sizeof(out.bytes) - out.len)
        out_flush();
    if (len <= sizeof(out.bytes)) {
        memcpy(out.bytes + out.len, bytes, len);
        out.len += len;
    }
}

static void out_text(const char *text)
{
    out_bytes(text, strlen(text));
}

PRINTF(1, 2) static void out_format(const char *format, ...)
{
    char piece[512];
    va_list args;
    int len;

    va_start(args, format);
    len = vsnprintf(piece, sizeof(piece), format, args);
    va_end(args);
    if (len > 0)
        out_bytes(piece, (size_t)len < sizeof(piece) ? (size_t)len : sizeof(piece) - 1);
}

/* Copy a name with a question mark for each byte that is no printable character of ASCII. */
static void clean_copy(char *to, size_t size, const char *name)
{
    size_t i;

    for (i = 0; name[i] != '\0' && i + 1 < size; i++)
        to[i] = name[i] >= 0x20 && name[i] < 0x7f ? name[i] : '?';
    to[i] = '\0';
}

/* Return the length of the UTF-8 character at `s`, or 0 when the bytes are not valid UTF-8. */
static unsigned character_len(const unsigned char *s)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned len = s[0] < 0x80 ? 1 : s[0] < 0xc0 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
    uint32_t code = s[0] & (0xffu >> (len + 1));
    unsigned i;

    if (len <= 1)
        return len;
    if (s[0] > 0xf4)
        return 0;
    for (i = 1; i < len; i++) { /* a NUL ends this loop, too */
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (s[i] & 0x3fu);
    }
    return code < least[len] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : len;
}

/* Append a name as a string of JSON. A byte that is no part of UTF-8 becomes U+FFFD. */
static void out_json(const char *name)
{
    const unsigned char *s = (const unsigned char *)name;

    out_text("\"");
    while (*s != '\0') {
        const unsigned len = character_len(s);

        if (len == 0)
            out_text("\\ufffd");
        else if (*s < 0x20 || *s == 0x7f)
            out_format("\\u%04x", *s);
        else if (*s == '"' || *s == '\\')
            out_format("\\%c", *s);
        else
            out_bytes((const char *)s, len);
        s += len > 0 ? len : 1;
    }
    out_text("\"");
}

#endif
