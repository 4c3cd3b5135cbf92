/* ---- >>impl.apsh.zip -------------------------------------------------------------------------
 * Read a zip file. Its directory is near the end of the file, followed by a record and an optional
 * comment. Opening the file reads the directory once, so that damage is reported before a member is
 * used. Each pass through the directory checks everything again, because the file may have changed.
 *                                                                                               */
#include "compat/apsh/zip_priv.h"

#include "compat/apsh/bytes_priv.h"
#include "compat/apsh/config.h"
#include "compat/apsh/inflate_priv.h"
#include "compat/apsh/json_priv.h"
#include "compat/apsh/platform_priv.h"

#define DOCA_PRIV_APSH_ZIP_END 22u  /* bytes of the record at the end */
#define DOCA_PRIV_APSH_ZIP_ENTRY 46u /* bytes of an entry of the directory without its name */
#define DOCA_PRIV_APSH_ZIP_HEAD 30u /* bytes of the head of a member without its name */
#define DOCA_PRIV_APSH_ZIP_COMMENT 65535u
#define DOCA_PRIV_APSH_ZIP_RATIO 1032u /* maximum ratio of deflate: unpacked bytes for each packed
                                        * byte */

static uint32_t doca_priv_apsh_zip_u16(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8;
}

/* Seek to an offset of the file, inside the window if possible. */
static bool doca_priv_apsh_zip_seek(struct doca_priv_apsh_zip *zip, uint64_t place)
{
    struct doca_priv_apsh_json *file = &zip->file;

    if (file->reason == NULL && place >= file->start && place - file->start <= file->filled) {
        file->next = (size_t)(place - file->start);
        return true;
    }
    return doca_priv_apsh_json_again(file, place);
}

/* Read bytes at the current offset. */
static bool doca_priv_apsh_zip_bytes(struct doca_priv_apsh_zip *zip, unsigned char *to, size_t len)
{
    size_t i;
    int byte;

    for (i = 0; i < len; i++) {
        byte = doca_priv_apsh_json_byte(&zip->file);
        if (byte < 0)
            return doca_priv_apsh_json_bad(&zip->file, "the file ends too early");
        to[i] = (unsigned char)byte;
    }
    return true;
}

/* Find the record at the end of a file of `bytes` bytes: the last one whose comment ends with the
 * file. Returns its offset, or UINT64_MAX. */
static uint64_t doca_priv_apsh_zip_find(struct doca_priv_apsh_zip *zip, uint64_t bytes,
                                        unsigned char record[DOCA_PRIV_APSH_ZIP_END])
{
    const uint64_t most = DOCA_PRIV_APSH_ZIP_END + DOCA_PRIV_APSH_ZIP_COMMENT;
    uint64_t at = bytes > most ? bytes - most : 0, found = UINT64_MAX;
    unsigned char latest[DOCA_PRIV_APSH_ZIP_END];

    memset(latest, 0, sizeof(latest));
    if (!doca_priv_apsh_zip_seek(zip, at))
        return UINT64_MAX;
    for (; at < bytes; at++) {
        memmove(latest, latest + 1, sizeof(latest) - 1);
        if (!doca_priv_apsh_zip_bytes(zip, latest + sizeof(latest) - 1, 1))
            return UINT64_MAX;
        if (memcmp(latest, "PK\5\6", 4) == 0 &&
            doca_priv_apsh_zip_u16(latest + 20) == bytes - at - 1) {
            found = at + 1 - sizeof(latest);
            memcpy(record, latest, sizeof(latest));
        }
    }
    return found;
}

/* Read the record at the end of the file. */
static bool doca_priv_apsh_zip_end(struct doca_priv_apsh_zip *zip)
{
    struct doca_priv_apsh_json *file = &zip->file;
    const off_t bytes = lseek(file->fd, 0, SEEK_END);
    unsigned char record[DOCA_PRIV_APSH_ZIP_END];
    uint64_t at, len;

    memset(record, 0, sizeof(record));
    if (bytes < 0 || lseek(file->fd, 0, SEEK_SET) != 0) { /* seek to where the window is */
        file->error = errno;
        return doca_priv_apsh_json_bad(file, "cannot be read");
    }
    at = doca_priv_apsh_zip_find(zip, (uint64_t)bytes, record);
    if (at == UINT64_MAX)
        return doca_priv_apsh_json_bad(file, "not a zip file, or cut");
    zip->num = doca_priv_apsh_zip_u16(record + 10);
    len = doca_priv_apsh_u32(record + 12);
    zip->directory = doca_priv_apsh_u32(record + 16);
    if (zip->num == UINT16_MAX || len == UINT32_MAX || zip->directory == UINT32_MAX)
        return doca_priv_apsh_json_bad(file, "the format zip64 is not supported");
    if (doca_priv_apsh_zip_u16(record + 4) != 0 || doca_priv_apsh_zip_u16(record + 6) != 0 ||
        doca_priv_apsh_zip_u16(record + 8) != zip->num)
        return doca_priv_apsh_json_bad(file, "a part of a zip file of several parts");
    zip->directory_end = zip->directory + len;
    return zip->directory_end == at ||
           doca_priv_apsh_json_bad(file, "the directory does not end where it should");
}

/* Start again with the first member. */
DOCA_PRIV_DECL void doca_priv_apsh_zip_rewind(struct doca_priv_apsh_zip *zip)
{
    zip->next = zip->directory;
    zip->next_number = 0;
}

/* Decode an entry of the directory. */
static bool doca_priv_apsh_zip_entry(struct doca_priv_apsh_zip *zip, const unsigned char *entry,
                                     struct doca_priv_apsh_packed *member)
{
    const uint32_t flags = doca_priv_apsh_zip_u16(entry + 8);
    const uint32_t method = doca_priv_apsh_zip_u16(entry + 10);

    member->crc = doca_priv_apsh_u32(entry + 16);
    member->packed = doca_priv_apsh_u32(entry + 20);
    member->size = doca_priv_apsh_u32(entry + 24);
    member->at = doca_priv_apsh_u32(entry + 42);
    member->is_deflated = method == 8;
    if (memcmp(entry, "PK\1\2", 4) != 0)
        return doca_priv_apsh_json_bad(&zip->file, "the directory is damaged");
    if (member->packed == UINT32_MAX || member->size == UINT32_MAX || member->at == UINT32_MAX)
        return doca_priv_apsh_json_bad(&zip->file, "the format zip64 is not supported");
    if ((flags & 0x2041) != 0) /* encrypted in one of three ways */
        return doca_priv_apsh_json_bad(&zip->file, "a member is encrypted");
    if (method != 0 && method != 8)
        return doca_priv_apsh_json_bad(&zip->file, "a member is neither stored nor deflated");
    if (method == 0 ? member->packed != member->size
                    : member->size > member->packed * DOCA_PRIV_APSH_ZIP_RATIO)
        return doca_priv_apsh_json_bad(&zip->file, "a member cannot have its size");
    return true;
}

/* Find the offset where a member must end: where the next member or, after the last member, the
 * directory begins. The entry of the next member is at zip->next. */
static bool doca_priv_apsh_zip_limit(struct doca_priv_apsh_zip *zip,
                                     struct doca_priv_apsh_packed *member)
{
    unsigned char entry[DOCA_PRIV_APSH_ZIP_ENTRY];

    member->limit = zip->directory;
    if (zip->next_number < zip->num) {
        if (zip->directory_end - zip->next < sizeof(entry))
            return doca_priv_apsh_json_bad(&zip->file, "the directory is too short");
        if (!doca_priv_apsh_zip_seek(zip, zip->next) ||
            !doca_priv_apsh_zip_bytes(zip, entry, sizeof(entry)))
            return false;
        member->limit = doca_priv_apsh_u32(entry + 42);
    } else if (zip->next != zip->directory_end) {
        return doca_priv_apsh_json_bad(&zip->file, "the directory is too long");
    }
    if (member->limit > zip->directory ||
        member->at + DOCA_PRIV_APSH_ZIP_HEAD + member->packed > member->limit)
        return doca_priv_apsh_json_bad(&zip->file, "members overlap, or are not in the order of "
                                                   "the directory");
    return true;
}

/* Read the next entry of the directory. Returns false at its end and after an error. */
DOCA_PRIV_DECL bool doca_priv_apsh_zip_next(struct doca_priv_apsh_zip *zip,
                                            struct doca_priv_apsh_packed *member)
{
    unsigned char entry[DOCA_PRIV_APSH_ZIP_ENTRY];
    uint64_t len;

    if (zip->next_number == zip->num || zip->file.reason != NULL)
        return false;
    if (zip->directory_end - zip->next < sizeof(entry))
        return doca_priv_apsh_json_bad(&zip->file, "the directory is too short");
    if (!doca_priv_apsh_zip_seek(zip, zip->next) ||
        !doca_priv_apsh_zip_bytes(zip, entry, sizeof(entry)) ||
        !doca_priv_apsh_zip_entry(zip, entry, member))
        return false;
    member->name_len = doca_priv_apsh_zip_u16(entry + 28);
    len = sizeof(entry) + member->name_len + doca_priv_apsh_zip_u16(entry + 30) +
          doca_priv_apsh_zip_u16(entry + 32);
    if (zip->directory_end - zip->next < len)
        return doca_priv_apsh_json_bad(&zip->file, "the directory is too short");
    if (member->name_len > DOCA_PRIV_APSH_MEMBER_NAME)
        member->name_len = 0;
    if (!doca_priv_apsh_zip_bytes(zip, (unsigned char *)member->name, member->name_len))
        return false;
    member->name[member->name_len] = '\0';
    zip->next += len;
    zip->next_number++;
    return doca_priv_apsh_zip_limit(zip, member);
}

/* Begin to unpack a member. `work`: bytes that the call may still unpack. */
DOCA_PRIV_DECL bool doca_priv_apsh_zip_unpack(struct doca_priv_apsh_zip *zip,
                                              const struct doca_priv_apsh_packed *member,
                                              struct doca_priv_apsh_inflate *inflate,
                                              uint64_t *work)
{
    unsigned char head[DOCA_PRIV_APSH_ZIP_HEAD];
    uint64_t data;

    if (!doca_priv_apsh_zip_seek(zip, member->at) ||
        !doca_priv_apsh_zip_bytes(zip, head, sizeof(head)))
        return false;
    if (memcmp(head, "PK\3\4", 4) != 0 ||
        doca_priv_apsh_zip_u16(head + 8) != (member->is_deflated ? 8u : 0u))
        return doca_priv_apsh_json_bad(&zip->file, "the head of a member is damaged");
    data = member->at + sizeof(head) + doca_priv_apsh_zip_u16(head + 26) +
           doca_priv_apsh_zip_u16(head + 28);
    if (data > member->limit || member->packed > member->limit - data)
        return doca_priv_apsh_json_bad(&zip->file, "members overlap");
    if (!doca_priv_apsh_zip_seek(zip, data))
        return false;
    doca_priv_apsh_inflate_begin(inflate, &zip->file, member->is_deflated, member->packed,
                                 member->size, member->crc, work);
    return true;
}

/* Open a zip file, and check its directory. Returns false on failure, with the reason in zip->file.
 * `budget`: bytes that may still be read; it is counted down. The caller closes the file in any
 * case. */
DOCA_PRIV_DECL bool doca_priv_apsh_zip_open(struct doca_priv_apsh_zip *zip, const char *path,
                                            uint64_t *budget)
{
    struct doca_priv_apsh_packed member;

    zip->num = 0;
    if (!doca_priv_apsh_json_open(&zip->file, path, budget) || !doca_priv_apsh_zip_end(zip))
        return false;
    if (zip->num == 0 && zip->directory != zip->directory_end)
        return doca_priv_apsh_json_bad(&zip->file, "the directory is too long");
    doca_priv_apsh_zip_rewind(zip);
    while (doca_priv_apsh_zip_next(zip, &member))
        ;
    doca_priv_apsh_zip_rewind(zip);
    return zip->file.reason == NULL;
}
