/* ---- >>impl.apsh.json ------------------------------------------------------------------------
 * Read files through a window, and parse JSON in them. The reader builds no tree and does not
 * recurse. It keeps only the latest key, string or number.                                      */
#include "compat/apsh/json_priv.h"

#include "compat/apsh/config.h"
#include "compat/apsh/object_priv.h"
#include "compat/apsh/platform_priv.h"

#ifdef O_CLOEXEC
#define DOCA_PRIV_APSH_OPEN (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
#else
#define DOCA_PRIV_APSH_OPEN (O_RDONLY | O_NONBLOCK | O_NOCTTY)
#endif

/* Store the reason of an error, unless an earlier error has stored one. Returns false. */
DOCA_PRIV_DECL bool doca_priv_apsh_json_bad(struct doca_priv_apsh_json *json, const char *reason)
{
    if (json->reason == NULL)
        json->reason = reason;
    return false;
}

/* Open a file. `budget`: bytes that may still be read of all files together. Devices and pipes are
 * refused, because reading them could block forever. */
DOCA_PRIV_DECL bool doca_priv_apsh_json_open(struct doca_priv_apsh_json *json, const char *path,
                                             uint64_t *budget)
{
    struct stat st;

    memset(json, 0, offsetof(struct doca_priv_apsh_json, text));
    json->budget = budget;
    json->fd = doca_core_backend_keep_fd(open(path, DOCA_PRIV_APSH_OPEN));
    if (json->fd < 0) {
        json->error = errno;
        return doca_priv_apsh_json_bad(json, "cannot be opened");
    }
    if (fstat(json->fd, &st) != 0 || !S_ISREG(st.st_mode))
        return doca_priv_apsh_json_bad(json, "not an ordinary file");
    return true;
}

/* Close the file. `reason` is kept. */
DOCA_PRIV_DECL void doca_priv_apsh_json_close(struct doca_priv_apsh_json *json)
{
    if (json->fd >= 0)
        (void)close(json->fd);
    json->fd = -1;
}

/* Return the offset in the file of the next byte. */
DOCA_PRIV_DECL uint64_t doca_priv_apsh_json_place(const struct doca_priv_apsh_json *json)
{
    return json->start + json->next;
}

/* Log the failure of a start whose reason is in `json`. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_file_fail(const struct doca_priv_apsh_json *json,
                                                     enum doca_core_item item, const char *function)
{
    struct doca_core_refusal why;

    memset(&why, 0, sizeof(why));
    why.status = json->reason;
    why.error = json->error;
    why.place = doca_priv_apsh_json_place(json);
    return doca_core_backend_refuse(DOCA_ERROR_INITIALIZATION, item, function, NULL, &why);
}

/* Fill the window with the following bytes of the file. */
static bool doca_priv_apsh_json_fill(struct doca_priv_apsh_json *json)
{
    size_t len = sizeof(json->window);
    ssize_t got = 0;

    if (json->reason != NULL)
        return false;
    json->start += json->filled;
    json->next = json->filled = 0;
    if (*json->budget == 0)
        return doca_priv_apsh_json_bad(json, "longer than may be read");
    len = *json->budget < len ? (size_t)*json->budget : len;
    do
        got = read(json->fd, json->window, len);
    while (got < 0 && errno == EINTR);
    if (got < 0) {
        json->error = errno;
        return doca_priv_apsh_json_bad(json, "cannot be read");
    }
    json->filled = (size_t)got;
    *json->budget -= (size_t)got;
    return got > 0;
}

/* Return the next byte without taking it, or -1 at the end of the file and after an error. */
static int doca_priv_apsh_json_peek(struct doca_priv_apsh_json *json)
{
    if (json->reason != NULL ||
        (json->next == json->filled && !doca_priv_apsh_json_fill(json)))
        return -1;
    return json->window[json->next];
}

/* Return the next byte, or -1 at the end of the file and after an error. */
DOCA_PRIV_DECL int doca_priv_apsh_json_byte(struct doca_priv_apsh_json *json)
{
    const int byte = doca_priv_apsh_json_peek(json);

    if (byte >= 0)
        json->next++;
    return byte;
}

/* Go back to an offset at which a value began, directly inside the outermost object. */
DOCA_PRIV_DECL bool doca_priv_apsh_json_again(struct doca_priv_apsh_json *json, uint64_t place)
{
    if (json->reason != NULL)
        return false;
    if (lseek(json->fd, (off_t)place, SEEK_SET) != (off_t)place) {
        json->error = errno;
        return doca_priv_apsh_json_bad(json, "cannot be read twice");
    }
    json->start = place;
    json->next = json->filled = 0;
    json->depth = 1;
    json->opened = 1;
    json->has_value = false;
    return true;
}

/* Skip blanks, and a byte order mark at the beginning of a file. Returns the next byte. */
static int doca_priv_apsh_json_blanks(struct doca_priv_apsh_json *json)
{
    int byte = doca_priv_apsh_json_peek(json);

    while (byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' ||
           (json->depth == 0 && json->start == 0 && json->next < 3 &&
            (byte == 0xef || byte == 0xbb || byte == 0xbf))) {
        json->next++;
        byte = doca_priv_apsh_json_peek(json);
    }
    return byte;
}

static void doca_priv_apsh_json_add(struct doca_priv_apsh_json *json, int byte)
{
    if (json->len < sizeof(json->text) - 1)
        json->text[json->len++] = (char)byte;
    else
        json->is_cut = true;
}

/* Read the characters after a backslash. A character that is not ASCII becomes a question mark: the
 * library looks for no name with such a character. */
static bool doca_priv_apsh_json_escape(struct doca_priv_apsh_json *json)
{
    static const char letters[] = "bfnrt", bytes[] = "\b\f\n\r\t";
    int byte = doca_priv_apsh_json_byte(json), i, digit;
    const char *at = byte > 0 ? strchr(letters, byte) : NULL;
    unsigned code = 0;

    if (byte == '"' || byte == '\'' || byte == '\\' || byte == '/') {
        doca_priv_apsh_json_add(json, byte);
        return true;
    }
    if (at != NULL) {
        doca_priv_apsh_json_add(json, bytes[at - letters]);
        return true;
    }
    for (i = 0; byte == 'u' && i < 4; i++) {
        digit = doca_priv_apsh_json_byte(json);
        if (digit >= '0' && digit <= '9')
            code = code << 4 | (unsigned)(digit - '0');
        else if ((digit | 32) >= 'a' && (digit | 32) <= 'f')
            code = code << 4 | (unsigned)((digit | 32) - 'a' + 10);
        else
            return doca_priv_apsh_json_bad(json, "an invalid escape");
    }
    if (byte != 'u')
        return doca_priv_apsh_json_bad(json, "an invalid escape");
    doca_priv_apsh_json_add(json, code > 0 && code < 128 ? (int)code : '?');
    return true;
}

/* Read a string, up to its closing quote. */
static bool doca_priv_apsh_json_quoted(struct doca_priv_apsh_json *json)
{
    const int quote = doca_priv_apsh_json_byte(json);
    int byte;

    json->len = 0;
    json->is_cut = false;
    for (;;) {
        byte = doca_priv_apsh_json_byte(json);
        if (byte < ' ')
            return doca_priv_apsh_json_bad(json, "a string without its end");
        if (byte == quote)
            break;
        if (byte != '\\')
            doca_priv_apsh_json_add(json, byte);
        else if (!doca_priv_apsh_json_escape(json))
            return false;
    }
    json->text[json->len] = '\0';
    return true;
}

/* Read a number or a word. */
static enum doca_priv_apsh_json_kind doca_priv_apsh_json_bare(struct doca_priv_apsh_json *json)
{
    static const char *const words[] = { "true", "false", "null", "True", "False", "None" };
    int byte = doca_priv_apsh_json_peek(json);
    uint32_t i;

    json->len = 0;
    json->is_cut = false;
    while ((byte >= '0' && byte <= '9') || ((byte | 32) >= 'a' && (byte | 32) <= 'z') ||
           byte == '-' || byte == '+' || byte == '.') {
        doca_priv_apsh_json_add(json, byte);
        json->next++;
        byte = doca_priv_apsh_json_peek(json);
    }
    json->text[json->len] = '\0';
    json->has_value = true;
    for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(json->text, words[i]) == 0)
            return DOCA_PRIV_APSH_JSON_WORD;
    if (json->len == 0 || strspn(json->text, "0123456789+-.eE") != json->len) {
        (void)doca_priv_apsh_json_bad(json, "neither a value nor a bracket");
        return DOCA_PRIV_APSH_JSON_NONE;
    }
    json->number = 0;
    json->is_number = !json->is_cut;
    for (i = 0; i < json->len && json->is_number; i++) {
        const unsigned digit = (unsigned)(unsigned char)json->text[i] - '0';

        json->is_number = digit <= 9 && (json->number < UINT64_MAX / 10 ||
                                         (json->number == UINT64_MAX / 10 &&
                                          digit <= UINT64_MAX % 10));
        json->number = json->number * 10 + digit;
    }
    return DOCA_PRIV_APSH_JSON_NUMBER;
}

static bool doca_priv_apsh_json_down(struct doca_priv_apsh_json *json, bool is_object)
{
    json->next++;
    if (json->depth == DOCA_PRIV_APSH_JSON_DEPTH)
        return doca_priv_apsh_json_bad(json, "more brackets than can be open");
    json->depth++;
    json->opened = json->opened << 1 | is_object;
    json->has_value = false;
    return true;
}

/* Close the innermost bracket. The next byte is the closing bracket. */
static bool doca_priv_apsh_json_up(struct doca_priv_apsh_json *json)
{
    const int byte = doca_priv_apsh_json_byte(json);

    if (json->depth == 0 || byte != ((json->opened & 1) != 0 ? '}' : ']'))
        return doca_priv_apsh_json_bad(json, "a bracket that closes none");
    json->depth--;
    json->opened >>= 1;
    json->has_value = true;
    return true;
}

/* Read the beginning of a value: a complete string, number or word, or an opening bracket. */
DOCA_PRIV_DECL enum doca_priv_apsh_json_kind
doca_priv_apsh_json_value(struct doca_priv_apsh_json *json)
{
    const int byte = doca_priv_apsh_json_blanks(json);

    if (byte == '{' || byte == '[') {
        if (!doca_priv_apsh_json_down(json, byte == '{'))
            return DOCA_PRIV_APSH_JSON_NONE;
        return byte == '{' ? DOCA_PRIV_APSH_JSON_OBJECT : DOCA_PRIV_APSH_JSON_ARRAY;
    }
    if (byte == '"' || byte == '\'') {
        json->has_value = true;
        return doca_priv_apsh_json_quoted(json) ? DOCA_PRIV_APSH_JSON_STRING
                                                : DOCA_PRIV_APSH_JSON_NONE;
    }
    if (byte < 0) {
        (void)doca_priv_apsh_json_bad(json, "the file ends too early");
        return DOCA_PRIV_APSH_JSON_NONE;
    }
    return doca_priv_apsh_json_bare(json);
}

/* In an object: read the key of the next member. The value of the member follows. Returns false
 * after the last member, when the object is closed, and after an error. */
DOCA_PRIV_DECL bool doca_priv_apsh_json_key(struct doca_priv_apsh_json *json)
{
    int byte = doca_priv_apsh_json_blanks(json);

    if (byte == ',' && json->has_value) {
        json->next++;
        json->has_value = false;
        byte = doca_priv_apsh_json_blanks(json);
    }
    if (byte == '}') {
        (void)doca_priv_apsh_json_up(json);
        return false;
    }
    if (byte < 0)
        return doca_priv_apsh_json_bad(json, "the file ends too early");
    if (json->has_value || (byte != '"' && byte != '\''))
        return doca_priv_apsh_json_bad(json, "no comma or name of a member");
    if (!doca_priv_apsh_json_quoted(json))
        return false;
    if (doca_priv_apsh_json_blanks(json) != ':')
        return doca_priv_apsh_json_bad(json, "no colon behind the name of a member");
    json->next++;
    return true;
}

/* Enter an object. */
DOCA_PRIV_DECL bool doca_priv_apsh_json_object(struct doca_priv_apsh_json *json)
{
    return doca_priv_apsh_json_value(json) == DOCA_PRIV_APSH_JSON_OBJECT ||
           doca_priv_apsh_json_bad(json, "no object where there should be one");
}

/* Read an integer from 0 to UINT64_MAX. */
DOCA_PRIV_DECL bool doca_priv_apsh_json_integer(struct doca_priv_apsh_json *json, uint64_t *value)
{
    if (doca_priv_apsh_json_value(json) != DOCA_PRIV_APSH_JSON_NUMBER || !json->is_number)
        return doca_priv_apsh_json_bad(json, "no number from 0 to 2^64 - 1");
    *value = json->number;
    return true;
}

/* Read a string. */
DOCA_PRIV_DECL bool doca_priv_apsh_json_string(struct doca_priv_apsh_json *json)
{
    return doca_priv_apsh_json_value(json) == DOCA_PRIV_APSH_JSON_STRING ||
           doca_priv_apsh_json_bad(json, "no string where there should be one");
}

/* True when the latest key, string or word is this text. */
DOCA_PRIV_DECL bool doca_priv_apsh_json_is(const struct doca_priv_apsh_json *json,
                                           const char *text)
{
    return !json->is_cut && strlen(text) == json->len && memcmp(json->text, text, json->len) == 0;
}

/* Skip a string. */
static bool doca_priv_apsh_json_pass(struct doca_priv_apsh_json *json)
{
    const int quote = doca_priv_apsh_json_byte(json);
    int byte;

    do {
        byte = doca_priv_apsh_json_byte(json);
        if (byte == '\\' && doca_priv_apsh_json_byte(json) >= 0)
            byte = ' ';
        if (byte < 0)
            return doca_priv_apsh_json_bad(json, "a string without its end");
    } while (byte != quote);
    return true;
}

/* Skip a value. In objects and arrays, only strings and brackets are checked. */
DOCA_PRIV_DECL void doca_priv_apsh_json_skip(struct doca_priv_apsh_json *json)
{
    const uint32_t depth = json->depth;
    enum doca_priv_apsh_json_kind kind = doca_priv_apsh_json_value(json);
    int byte;

    if (kind != DOCA_PRIV_APSH_JSON_OBJECT && kind != DOCA_PRIV_APSH_JSON_ARRAY)
        return;
    while (json->depth > depth) {
        byte = doca_priv_apsh_json_peek(json);
        if (byte == '"' || byte == '\'') {
            if (!doca_priv_apsh_json_pass(json))
                return;
        } else if (byte == '{' || byte == '[') {
            if (!doca_priv_apsh_json_down(json, byte == '{'))
                return;
        } else if (byte == '}' || byte == ']') {
            if (!doca_priv_apsh_json_up(json))
                return;
        } else if (byte < 0) {
            (void)doca_priv_apsh_json_bad(json, "the file ends too early");
            return;
        } else {
            json->next++;
        }
    }
}

/* Check that nothing but blanks follows the outermost value. */
DOCA_PRIV_DECL void doca_priv_apsh_json_end(struct doca_priv_apsh_json *json)
{
    if (json->reason == NULL && doca_priv_apsh_json_blanks(json) >= 0)
        (void)doca_priv_apsh_json_bad(json, "there is text after the end of the object");
}
