/* Writes zip files in memory. Members are stored, or deflated with one of the three kinds of
 * blocks. A test may change bytes before zip_put() writes the file. */
#ifndef ZIP_WRITER_H
#define ZIP_WRITER_H

#include "doca_test.h"

#include <fcntl.h>

#define ZIP_BYTES (4u << 20)
#define ZIP_MEMBERS 64u

enum zip_how {
    ZIP_STORED, /* not deflated */
    ZIP_RAW,    /* deflated, in stored blocks */
    ZIP_FIXED,  /* deflated, in one block with the fixed codes of the format */
    ZIP_CODES   /* deflated, in blocks with their own codes, of up to 15 bits */
};

static unsigned char zip_file[ZIP_BYTES];
static size_t zip_len;
static struct {
    char name[300];
    uint32_t at, packed, size, crc, method; /* `at`: offset of the local header */
} zip_members[ZIP_MEMBERS];
static unsigned zip_num;
static size_t zip_directory, zip_end_at; /* offsets */

static inline void zip_byte(unsigned byte)
{
    CHECK(zip_len < ZIP_BYTES);
    zip_file[zip_len++] = (unsigned char)byte;
}

static inline void zip_number(uint32_t value, unsigned bytes)
{
    for (; bytes > 0; bytes--, value >>= 8)
        zip_byte(value & 255);
}

static inline void zip_set(size_t at, uint32_t value, unsigned bytes)
{
    for (; bytes > 0; bytes--, value >>= 8)
        zip_file[at++] = (unsigned char)(value & 255);
}

static inline uint32_t zip_crc(const unsigned char *data, size_t len)
{
    uint32_t crc = UINT32_MAX;
    unsigned k;

    while (len-- > 0)
        for (crc ^= *data++, k = 0; k < 8; k++)
            crc = (crc & 1) != 0 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    return ~crc;
}

/* ---- deflate ---- */

static uint32_t zip_bits, zip_num_bits;

static inline void zip_put_bits(uint32_t value, unsigned num)
{
    for (; num > 0; num--, value >>= 1) {
        zip_bits |= (value & 1) << zip_num_bits++;
        if (zip_num_bits == 8) {
            zip_byte(zip_bits);
            zip_bits = zip_num_bits = 0;
        }
    }
}

static inline void zip_align(void)
{
    while (zip_num_bits != 0)
        zip_put_bits(0, 1);
}

struct zip_code {
    uint8_t lengths[288];
    uint16_t codes[288];
};

static inline void zip_assign(struct zip_code *code, unsigned num)
{
    unsigned len, i, next = 0;

    for (len = 1; len <= 15; len++, next *= 2)
        for (i = 0; i < num; i++)
            if (code->lengths[i] == len)
                code->codes[i] = (uint16_t)next++;
}

static inline void zip_symbol(const struct zip_code *code, unsigned symbol)
{
    unsigned len = code->lengths[symbol];

    CHECK(len > 0);
    while (len-- > 0)
        zip_put_bits((uint32_t)code->codes[symbol] >> len, 1);
}

static const unsigned zip_lengths[30] = { 3,  4,  5,  6,  7,  8,  9,  10, 11,  13,
                                          15, 17, 19, 23, 27, 31, 35, 43, 51,  59,
                                          67, 83, 99, 115, 131, 163, 195, 227, 258, 259 };
static const unsigned zip_distances[31] = { 1,    2,    3,    4,    5,    7,     9,     13,
                                            17,   25,   33,   49,   65,   97,    129,   193,
                                            257,  385,  513,  769,  1025, 1537,  2049,  3073,
                                            4097, 6145, 8193, 12289, 16385, 24577, 32769 };

static inline void zip_copy(const struct zip_code *literals, const struct zip_code *distances,
                            unsigned len, unsigned distance)
{
    unsigned i;

    for (i = 0; zip_lengths[i + 1] <= len; i++)
        ;
    zip_symbol(literals, 257 + i);
    zip_put_bits(len - zip_lengths[i], i < 8 || i == 28 ? 0 : i / 4 - 1);
    for (i = 0; zip_distances[i + 1] <= distance; i++)
        ;
    zip_symbol(distances, i);
    zip_put_bits(distance - zip_distances[i], i < 4 ? 0 : i / 2 - 1);
}

/* Write bytes [from, to) of the data as literals and copies. */
static inline void zip_pack(const struct zip_code *literals, const struct zip_code *distances,
                            const unsigned char *data, size_t from, size_t to)
{
    static size_t latest[65536]; /* by hash of three bytes: 1 + offset where they occurred last */
    size_t at = from, place, len;
    unsigned hash;

    if (from == 0)
        memset(latest, 0, sizeof(latest));
    while (at < to) {
        len = 0;
        if (to - at >= 3) {
            hash = (data[at] * 31u + data[at + 1] * 1031u + data[at + 2] * 5003u) & 65535;
            place = latest[hash];
            latest[hash] = at + 1;
            while (place != 0 && at + 1 - place <= 32768 && len < 258 && at + len < to &&
                   data[place - 1 + len] == data[at + len])
                len++;
            if (len >= 3)
                zip_copy(literals, distances, (unsigned)len, (unsigned)(at + 1 - place));
        }
        if (len < 3)
            zip_symbol(literals, data[at]);
        at += len < 3 ? 1 : len;
    }
    zip_symbol(literals, 256);
}

/* Make the codes for ZIP_CODES: four short codes, one code of each length from 11 to 14, two codes
 * of 15 bits, and codes of 9 and 10 bits for all other symbols. */
static inline void zip_own_codes(struct zip_code *literals, struct zip_code *distances)
{
    static const uint8_t first[4] = { 0, ' ', 'e', 'a' };
    unsigned i, k = 0;

    memset(literals, 0, sizeof(*literals));
    memset(distances, 0, sizeof(*distances));
    for (i = 0; i < 4; i++)
        literals->lengths[first[i]] = (uint8_t)(2 + i);
    for (i = 0; i < 286; i++)
        if (literals->lengths[i] == 0) {
            literals->lengths[i] = (uint8_t)(k < 6 ? (k == 0 ? 15 : 16 - k) : k < 15 ? 10 : 9);
            k++;
        }
    for (i = 0; i < 30; i++)
        distances->lengths[i] = i < 2 ? 4 : 5;
    zip_assign(literals, 286);
    zip_assign(distances, 30);
}

/* Write the header of a block with these codes. Runs of equal lengths are written as
 * repetitions. */
static inline void zip_own_head(const struct zip_code *literals, const struct zip_code *distances)
{
    static const uint8_t order[19] = { 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1,
                                       15 };
    struct zip_code outer = { { 0 }, { 0 } };
    uint8_t all[316];
    unsigned i, run;

    for (i = 0; i < 19; i++)
        outer.lengths[i] = i < 13 ? 4 : 5;
    zip_assign(&outer, 19);
    memcpy(all, literals->lengths, 286);
    memcpy(all + 286, distances->lengths, 30);
    zip_put_bits(286 - 257, 5);
    zip_put_bits(30 - 1, 5);
    zip_put_bits(19 - 4, 4);
    for (i = 0; i < 19; i++)
        zip_put_bits(outer.lengths[order[i]], 3);
    for (i = 0; i < 316; i += run) {
        for (run = 1; run < 7 && i + run < 316 && all[i + run] == all[i]; run++)
            ;
        zip_symbol(&outer, all[i]);
        if (run >= 4) {
            zip_symbol(&outer, 16);
            zip_put_bits(run - 4, 2);
        } else {
            run = 1;
        }
    }
}

static inline void zip_deflate(const unsigned char *data, size_t len, enum zip_how how)
{
    struct zip_code literals, distances;
    const size_t step = how == ZIP_RAW ? 65535 : how == ZIP_CODES ? 20000 : len + 1;
    size_t at = 0, n, k;

    zip_bits = zip_num_bits = 0;
    zip_own_codes(&literals, &distances);
    if (how == ZIP_FIXED) {
        for (k = 0; k < 288; k++)
            literals.lengths[k] = k < 144 ? 8 : k < 256 ? 9 : k < 280 ? 7 : 8;
        memset(distances.lengths, 5, 30);
        zip_assign(&literals, 288);
        zip_assign(&distances, 30);
    }
    do {
        n = step < len - at ? step : len - at;
        zip_put_bits(at + n == len, 1);
        zip_put_bits(how == ZIP_RAW ? 0 : how == ZIP_FIXED ? 1 : 2, 2);
        if (how == ZIP_RAW) {
            zip_align();
            zip_number((uint32_t)n, 2);
            zip_number((uint32_t)n ^ 0xffff, 2);
            for (k = 0; k < n; k++)
                zip_byte(data[at + k]);
        } else {
            if (how == ZIP_CODES)
                zip_own_head(&literals, &distances);
            zip_pack(&literals, &distances, data, at, at + n);
        }
        at += n;
    } while (at < len);
    zip_align();
}

/* ---- members and directory ---- */

static inline void zip_begin(void)
{
    zip_len = 0;
    zip_num = 0;
}

/* Write the fields that the local header of a member and its directory entry have in common. */
static inline void zip_common(unsigned n)
{
    zip_number(20, 2); /* version */
    zip_number(0, 2);  /* flags */
    zip_number(zip_members[n].method, 2);
    zip_number(0, 4); /* time */
    zip_number(zip_members[n].crc, 4);
    zip_number(zip_members[n].packed, 4);
    zip_number(zip_members[n].size, 4);
    zip_number((uint32_t)strlen(zip_members[n].name), 2);
}

/* Begin a member. The caller then writes its packed bytes and calls zip_close_member(). */
static inline void zip_open_member(const char *name, const unsigned char *data, size_t len,
                                   unsigned method)
{
    CHECK(zip_num < ZIP_MEMBERS);
    (void)snprintf(zip_members[zip_num].name, sizeof(zip_members[0].name), "%s", name);
    zip_members[zip_num].at = (uint32_t)zip_len;
    zip_members[zip_num].method = method;
    zip_members[zip_num].size = (uint32_t)len;
    zip_members[zip_num].crc = zip_crc(data, len);
    zip_number(0x04034b50, 4);
    zip_common(zip_num);
    zip_number(5, 2); /* length of the extra field after the name */
    while (*name != '\0')
        zip_byte((unsigned char)*name++);
    zip_number(0, 5);
}

static inline void zip_close_member(void)
{
    const uint32_t at = zip_members[zip_num].at;

    zip_members[zip_num].packed =
        (uint32_t)(zip_len - at - 35 - strlen(zip_members[zip_num].name));
    zip_set(at + 18, zip_members[zip_num].packed, 4);
    zip_num++;
}

static inline void zip_add(const char *name, const void *data, size_t len, enum zip_how how)
{
    const unsigned char *bytes = (const unsigned char *)data;
    size_t i;

    zip_open_member(name, bytes, len, how == ZIP_STORED ? 0 : 8);
    if (how != ZIP_STORED)
        zip_deflate(bytes, len, how);
    for (i = 0; i < len && how == ZIP_STORED; i++)
        zip_byte(bytes[i]);
    zip_close_member();
}

static inline void zip_end(void)
{
    const char *text;
    unsigned i;

    zip_directory = zip_len;
    for (i = 0; i < zip_num; i++) {
        zip_number(0x02014b50, 4);
        zip_number(20, 2); /* version of the writer */
        zip_common(i);
        zip_number(3, 2); /* length of the extra field after the name */
        zip_number(2, 2); /* length of a comment */
        zip_number(0, 8); /* disk and attributes */
        zip_number(zip_members[i].at, 4);
        for (text = zip_members[i].name; *text != '\0'; text++)
            zip_byte((unsigned char)*text);
        zip_number(0, 5);
    }
    zip_end_at = zip_len;
    zip_number(0x06054b50, 4);
    zip_number(0, 4);
    zip_number(zip_num, 2);
    zip_number(zip_num, 2);
    zip_number((uint32_t)(zip_end_at - zip_directory), 4);
    zip_number((uint32_t)zip_directory, 4);
    zip_number(0, 2); /* length of a comment */
}

static inline void zip_put(const char *path)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    CHECK(fd >= 0 && write(fd, zip_file, zip_len) == (ssize_t)zip_len);
    CHECK(close(fd) == 0);
}

#endif
