/* ---- >>impl.legacy.export --------------------------------------------------------------------
 * Export descriptors as JSON text, and mmaps that are created from them.                        */
#include "base/error.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "device/device.h"
#include "device/device_priv.h"
#include "memory/export_priv.h"
#include "memory/mmap.h"
#include "memory/mmap_export_priv.h"
#include "compat/legacy/chunk_priv.h"
#include "compat/legacy/mmap.h"
#include "compat/legacy/mmap_priv.h"

static const char doca_priv_base64[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

#define DOCA_PRIV_LEGACY_KEY "doca_core_export"

/* Maximum length in bytes of the text of a descriptor: two numbers, the base64 text, and the
 * characters around them. */
#define DOCA_PRIV_LEGACY_JSON                                                                      \
    (64 + 2 * 20 + sizeof(DOCA_PRIV_LEGACY_KEY) +                                                  \
     (sizeof(struct doca_priv_mmap_desc) + 2) / 3 * 4)

static char *doca_priv_legacy_put(char *to, const char *text)
{
    while (*text != '\0')
        *to++ = *text++;
    return to;
}

static char *doca_priv_legacy_put_number(char *to, uint64_t number)
{
    uint64_t unit = 1;

    while (number / unit >= 10)
        unit *= 10;
    for (; unit > 0; unit /= 10)
        *to++ = (char)('0' + number / unit % 10);
    return to;
}

/* Write a descriptor of `len` bytes as text. Returns the length of the text in bytes, including
 * NUL. */
static size_t doca_priv_legacy_json_write(char *text, const struct doca_priv_mmap_desc *desc,
                                          size_t len)
{
    const unsigned char *bytes = (const unsigned char *)(const void *)desc;
    uint32_t three;
    char *to = text;
    size_t i, k;

    to = doca_priv_legacy_put(to, "{ \"addr\": ");
    to = doca_priv_legacy_put_number(to, desc->addr);
    to = doca_priv_legacy_put(to, ", \"len\": ");
    to = doca_priv_legacy_put_number(to, desc->len);
    to = doca_priv_legacy_put(to, ", \"" DOCA_PRIV_LEGACY_KEY "\": \"");
    for (i = 0; i < len; i += 3) {
        three = (uint32_t)bytes[i] << 16 | (uint32_t)(i + 1 < len ? bytes[i + 1] : 0) << 8 |
                (i + 2 < len ? bytes[i + 2] : 0);
        for (k = 0; k < 4 && i + k <= len; k++)
            *to++ = doca_priv_base64[three >> (18 - 6 * k) & 63];
    }
    to = doca_priv_legacy_put(to, "\" }");
    *to++ = '\0';
    return (size_t)(to - text);
}

static bool doca_priv_legacy_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Return the value of a base64 character, or 64 when `c` is not a base64 character. */
static uint32_t doca_priv_legacy_base64(char c)
{
    uint32_t value = 0;

    while (value < 64 && doca_priv_base64[value] != c)
        value++;
    return value;
}

/* Decode base64 text up to a quotation mark. Returns the number of bytes, or 0 when the text is
 * not base64 or too long. */
static size_t doca_priv_legacy_decode(const char *text, const char *end, unsigned char *to,
                                      size_t max)
{
    uint32_t bits = 0, value;
    unsigned num_bits = 0;
    size_t len = 0;

    for (; text < end && *text != '"'; text++) {
        value = doca_priv_legacy_base64(*text);
        if (value == 64)
            return 0;
        bits = (bits << 6 | value) & 0xffff;
        num_bits += 6;
        if (num_bits < 8)
            continue;
        num_bits -= 8;
        if (len == max)
            return 0;
        to[len++] = (unsigned char)(bits >> num_bits & 0xff);
    }
    return text < end ? len : 0;
}

/* Skip a string whose opening quotation mark is at `text`. Returns the address after its end,
 * or `end`. */
static const char *doca_priv_legacy_string(const char *text, const char *end)
{
    for (text++; text < end && *text != '"'; text++)
        if (*text == '\\' && text + 1 < end)
            text++;
    return text < end ? text + 1 : end;
}

/* Find the descriptor in JSON text of at most `len` bytes, and decode it to `desc`. Returns the
 * length of the descriptor in bytes, or 0 when the text contains no descriptor. */
static size_t doca_priv_legacy_json_read(const void *json, size_t len,
                                         struct doca_priv_mmap_desc *desc)
{
    const size_t key_len = sizeof(DOCA_PRIV_LEGACY_KEY) - 1;
    const char *text = (const char *)json, *end = text + len, *behind;
    unsigned depth = 0;

    while (text < end && doca_priv_legacy_is_blank(*text))
        text++;
    if (text == end || *text != '{')
        return 0;
    for (; text < end && *text != '\0'; text = behind) {
        behind = text + 1;
        depth += *text == '{' || *text == '[';
        depth -= (*text == '}' || *text == ']') && depth > 0;
        if (*text != '"')
            continue;
        behind = doca_priv_legacy_string(text, end);
        if (depth != 1 || (size_t)(behind - text) != key_len + 2 ||
            DOCA_CORE_MEMCMP(text + 1, DOCA_PRIV_LEGACY_KEY, key_len) != 0)
            continue;
        for (text = behind; text < end && (doca_priv_legacy_is_blank(*text) || *text == ':');)
            text++;
        return text < end && *text == '"'
                   ? doca_priv_legacy_decode(text + 1, end, (unsigned char *)(void *)desc,
                                             sizeof(*desc))
                   : 0;
    }
    return 0;
}

DOCA_CORE_DECL doca_error_t doca_mmap_export(struct doca_core_legacy_mmap *mmap,
                                             const struct doca_dev *dev, void **export_desc,
                                             size_t *export_desc_len)
{
    doca_error_t rc = doca_priv_legacy_mmap_change(mmap, export_desc, __func__);
    const void *desc = NULL;
    size_t len = 0;
    void *blob;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (export_desc_len == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, mmap);
    if (doca_priv_legacy_mmap_find(mmap, dev) == mmap->num_devs)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_DEV_MISSING, mmap);
    if (mmap->num_chunks != 1)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, LEGACY_NOT_ONE_CHUNK, mmap);
    blob = DOCA_CORE_LEGACY_MALLOC(DOCA_PRIV_LEGACY_JSON);
    if (blob == NULL)
        return DOCA_PRIV_FAIL(NO_MEMORY, LEGACY_HEAP, mmap);
    rc = doca_priv_mmap_publish(mmap->chunks[0], dev, DOCA_PRIV_EXPORT_MMAP_PCI, &desc, &len,
                                __func__);
    if (rc != DOCA_SUCCESS) {
        DOCA_CORE_LEGACY_FREE(blob);
        return rc;
    }
    mmap->is_exported = true;
    *export_desc = blob;
    *export_desc_len = doca_priv_legacy_json_write(
        (char *)blob, (const struct doca_priv_mmap_desc *)desc, len);
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_legacy_mmap_import(const char *name,
                                                 const union doca_data *user_data,
                                                 const void *export_desc, size_t export_desc_len,
                                                 struct doca_dev *dev,
                                                 struct doca_core_legacy_mmap **mmap,
                                                 const char *function)
{
    doca_error_t rc =
        doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, export_desc != NULL ? mmap : NULL, function);
    struct doca_core_legacy_mmap *m = NULL;
    struct doca_priv_mmap_desc desc;
    struct doca_mmap *chunk = NULL;
    size_t desc_len;

    if (rc != DOCA_SUCCESS)
        return rc;
    desc_len = doca_priv_legacy_json_read(export_desc, export_desc_len, &desc);
    if (desc_len > 0) {
        export_desc = &desc;
        export_desc_len = desc_len;
    }
    rc = doca_priv_legacy_mmap_make(name, user_data, &m, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_core_legacy_mmap_start(m);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_mmap_import(dev->info.arena, NULL, export_desc, export_desc_len, dev, &chunk,
                                   function);
    if (rc != DOCA_SUCCESS) {
        (void)doca_core_legacy_mmap_destroy(m);
        return rc;
    }
    chunk->obj.owner = DOCA_PRIV_OF_LEGACY;
    chunk->user_data.ptr = m;
    m->chunks[m->num_chunks++] = chunk;
    m->devs[m->num_devs++] = dev;
    doca_priv_dev_hold(dev);
    m->is_imported = true;
    m->flags = (chunk->access & DOCA_ACCESS_FLAG_LOCAL_READ_WRITE) != 0
                   ? DOCA_MMAP_ACCESS_LOCAL_WRITE
                   : DOCA_MMAP_ACCESS_LOCAL_READ;
    *mmap = m;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_from_export(
    const char *name, const void *export_desc, size_t export_desc_len, struct doca_dev *dev,
    struct doca_core_legacy_mmap **mmap)
{
    return doca_priv_legacy_mmap_import(name, NULL, export_desc, export_desc_len, dev, mmap,
                                        __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_from_export_15(
    const union doca_data *user_data, const void *export_desc, size_t export_desc_len,
    struct doca_dev *dev, struct doca_core_legacy_mmap **mmap)
{
    return doca_priv_legacy_mmap_import(NULL, user_data, export_desc, export_desc_len, dev, mmap,
                                        __func__);
}
