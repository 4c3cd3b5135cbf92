/* Writes the files that a program may set for a system of App Shield, for the machine of
 * apsh_image.h: the symbol map is made of the type information and the symbols of the image. A test
 * changes the text before files_put(). */
#ifndef APSH_FILES_H
#define APSH_FILES_H

#include "apsh_image.h"

#define FILES_BYTES (40u << 20)

struct files_options {
    bool is_descending; /* types in falling order, so that outer types precede inner ones */
    bool has_symbols_last;
    bool has_no_banner;
    const char *swapped[2]; /* names of two members to exchange, or NULL */
    unsigned num_fillers;   /* structures that the library does not look for */
};

static char files_text[FILES_BYTES];
static size_t files_len;

static inline void files_add(const char *format, ...) __attribute__((format(printf, 1, 2)));
static inline void files_add(const char *format, ...)
{
    va_list args;
    int len;

    va_start(args, format);
    len = vsnprintf(files_text + files_len, sizeof(files_text) - files_len, format, args);
    va_end(args);
    CHECK(len >= 0 && (size_t)len < sizeof(files_text) - files_len);
    files_len += (size_t)len;
}

/* Write the text to the file at `path`. */
static inline void files_put(const char *path)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    size_t at = 0;
    ssize_t len;

    CHECK(fd >= 0);
    for (; at < files_len; at += (size_t)len) {
        len = write(fd, files_text + at, files_len - at);
        CHECK(len > 0);
    }
    CHECK(close(fd) == 0);
}

/* ---- type information as structures of a symbol map ---- */

struct files_type {
    const char *name;
    uint32_t at, kind, num, size; /* `size` of an alias: the type that it stands for */
};

static inline uint32_t files_word(uint32_t at)
{
    uint32_t word;

    memcpy(&word, image_types + at, 4);
    return word;
}

static inline struct files_type files_type(uint32_t number)
{
    struct files_type type = { NULL, 0, 0, 0, 0 };
    uint32_t at = 0, i;

    for (i = 1;; i++) {
        type.at = at;
        type.name = image_strings + files_word(at);
        type.kind = files_word(at + 4) >> 24;
        type.num = files_word(at + 4) & 0xffff;
        type.size = files_word(at + 8);
        if (i == number)
            return type;
        at += 12 + (type.kind == 1 ? 4u : type.kind == 3 ? 12u : 0u) +
              (type.kind == 4 || type.kind == 5 ? 12 * type.num : 0u);
    }
}

/* Write the JSON object that refers to a type. */
static inline void files_reference(uint32_t number)
{
    struct files_type type = files_type(number);
    unsigned num_open = 1;

    while (type.kind >= 8 || type.kind == 3) {
        if (type.kind == 3) {
            number = files_word(type.at + 12);
            files_add("{\"kind\": \"array\", \"count\": %u, \"subtype\": ",
                      files_word(type.at + 20));
            num_open++;
        } else {
            number = type.size;
        }
        type = files_type(number);
    }
    if (type.kind != 4 && type.kind != 5)
        files_add("{\"kind\": \"base\", \"name\": \"int\"");
    else if (type.name[0] == '\0')
        files_add("{\"kind\": \"%s\", \"name\": \"unnamed_%u\"",
                  type.kind == 4 ? "struct" : "union", number);
    else
        files_add("{\"kind\": \"%s\", \"name\": \"%s\"", type.kind == 4 ? "struct" : "union",
                  type.name);
    for (; num_open > 0; num_open--)
        files_add("}");
}

static inline const char *files_member(const struct files_options *o, const char *name)
{
    if (o->swapped[0] != NULL && strcmp(name, o->swapped[0]) == 0)
        return o->swapped[1];
    if (o->swapped[0] != NULL && strcmp(name, o->swapped[1]) == 0)
        return o->swapped[0];
    return name;
}

static inline void files_struct(const struct files_options *o, uint32_t number)
{
    const struct files_type type = files_type(number);
    uint32_t i, at = type.at + 12;

    if (type.name[0] == '\0')
        files_add("\"unnamed_%u\": {", number);
    else
        files_add("\"%s\": {", type.name);
    files_add("\"size\": %u, \"fields\": {", type.size);
    for (i = 0; i < type.num; i++, at += 12) {
        const char *name = image_strings + files_word(at);

        if (name[0] == '\0')
            files_add("%s\"unnamed_field_%u\": {\"anonymous\": true, \"type\": ", i ? ", " : "", i);
        else
            files_add("%s\"%s\": {\"type\": ", i ? ", " : "", files_member(o, name));
        files_reference(files_word(at + 4));
        files_add(", \"offset\": %u}", files_word(at + 8) / 8);
    }
    files_add("}, \"kind\": \"%s\"}", type.kind == 4 ? "struct" : "union");
}

static inline void files_types(const struct files_options *o)
{
    const char *comma = "";
    uint32_t i, number;
    unsigned n;

    files_add("\"user_types\": {\n");
    for (n = 0; n < o->num_fillers; n++)
        files_add("\"filler_%u\": {\"size\": 8, \"fields\": {\"comm\": {\"type\": {\"kind\": "
                  "\"pointer\", \"subtype\": {\"kind\": \"struct\", \"name\": \"filler_%u\"}}, "
                  "\"offset\": 0}, \"a\\\"}\": {\"offset\": [4, {}]}}, \"kind\": \"struct\"},\n",
                  n, n + 1);
    for (i = 1; i <= image_num_types; i++) {
        number = o->is_descending ? image_num_types + 1 - i : i;
        if (files_type(number).kind != 4 && files_type(number).kind != 5)
            continue;
        files_add("%s", comma);
        files_struct(o, number);
        comma = ",\n";
    }
    files_add("}");
}

/* ---- symbols ---- */

static inline void files_base64(const char *text, size_t len)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t i, k, n;

    for (i = 0; i < len; i += 3) {
        uint32_t three = 0;

        n = len - i < 3 ? len - i : 3;
        for (k = 0; k < 3; k++)
            three = three << 8 | (k < n ? (unsigned char)text[i + k] : 0);
        for (k = 0; k < 4; k++)
            files_add("%c", k <= n ? digits[three >> (18 - 6 * k) & 63] : '=');
    }
}

static inline void files_symbols(const struct image *image, const struct files_options *o)
{
    const char *banner = (const char *)image_ram + image->banner;
    unsigned n;

    files_add("\"symbols\": {\n");
    for (n = 0; n < image->num_symbols; n++) {
        files_add("%s\"%s\": {", n > 0 ? ",\n" : "", image->symbols[n].name);
        if (strcmp(image->symbols[n].name, "linux_banner") == 0 && !o->has_no_banner) {
            files_add("\"type\": {\"kind\": \"array\", \"count\": 40}, \"constant_data\": \"");
            files_base64(banner, strlen(banner) + 1);
            files_add("\", ");
        }
        files_add("\"address\": %llu}",
                  (unsigned long long)(image->symbols[n].addr - image->o.kaslr));
    }
    files_add("}");
}

/* Make the text of a symbol map of the image. */
static inline void files_map(const struct image *image, const struct files_options *o)
{
    files_len = 0;
    files_add("{\"metadata\": {\"format\": \"6.2.0\", \"linux\": {\"symbols\": []}},\n");
    if (o->has_symbols_last) {
        files_types(o);
        files_add(",\n");
        files_symbols(image, o);
    } else {
        files_symbols(image, o);
        files_add(",\n");
        files_types(o);
    }
    files_add(",\n\"enums\": {}, \"base_types\": {\"int\": {\"size\": 4}}}\n");
}

/* Remove type information and symbols from the image, so that only a symbol map has them. */
static inline void files_strip(const struct image *image)
{
    memset(image_ram + image->btf, 0, 24);
    memset(image_ram + image_table[1], 0, 2048); /* tokens */
}

#endif
