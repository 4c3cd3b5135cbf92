/* The zip files that attestations of App Shield read, and the deflate format of their members. */
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "doca_core_apsh.h"

#include "zip_writer.h"

static struct doca_priv_apsh_zip zip;
static struct doca_priv_apsh_inflate inflate;
static unsigned char data[200000];
static char path[64];

/* 600 bytes of golden_byte(), deflated by zlib at level 9, in a block that defines its codes. */
static const unsigned char golden[] = {
    0xad, 0xcf, 0x31, 0x0e, 0x83, 0x31, 0x08, 0x83, 0xd1, 0xbd, 0xb7, 0x04, 0x4c, 0x0c,
    0x31, 0xb9, 0xff, 0x5a, 0x55, 0xaa, 0xd4, 0x25, 0x5b, 0x7f, 0xfb, 0x00, 0x4f, 0x9f,
    0xd9, 0x67, 0xee, 0x11, 0x40, 0x2e, 0x56, 0x6f, 0xcd, 0xb1, 0xc0, 0x62, 0xef, 0xb1,
    0x48, 0xb6, 0x8e, 0x83, 0x3d, 0x86, 0xd5, 0xe3, 0x59, 0x32, 0x70, 0x1b, 0x4a, 0x9e,
    0x7d, 0x50, 0x13, 0x94, 0x2f, 0x39, 0x15, 0x1c, 0xb4, 0xbd, 0x2e, 0x33, 0x7e, 0x5f,
    0xde, 0xb1, 0xa1, 0x1c, 0x5a, 0x87, 0xf2, 0x54, 0x68, 0x59, 0x63, 0x18, 0xa2, 0x6b,
    0xb9, 0x18, 0x53, 0x38, 0x9d, 0xae, 0x82, 0x6d, 0xc2, 0x54, 0xe9, 0xd3, 0x0b, 0x36,
    0x4d, 0xf8, 0x51, 0x33, 0xe3, 0x6a, 0x84, 0xbb, 0xfd, 0xf6, 0x7f, 0xcf, 0xcd, 0x48,
    0x61, 0x47, 0x7b, 0x3d, 0xd5, 0x73, 0x33, 0xba, 0xb8, 0x12, 0x88, 0xa7, 0x7a, 0x6e,
    0xc6, 0x49, 0x45, 0x1b, 0xe7, 0xa9, 0x9e, 0x9b, 0xf1, 0x06
};

static unsigned char golden_byte(unsigned i)
{
    return i % 100 < 80 ? (unsigned char)(97 + (i * i >> 5) % 13) : '\n';
}

static void make_data(void)
{
    uint32_t seed = 1;
    size_t i;

    for (i = 0; i < sizeof(data); i++) {
        seed = seed * 1664525 + 1013904223;
        data[i] = (unsigned char)(i < 40000    ? seed >> 24
                                  : i < 80000  ? 'a' + (seed >> 24) % 7
                                  : i < 120000 ? 0
                                  : i < 160000 ? data[i - 31999]
                                               : (i >> 3) + (seed >> 30));
    }
}

static void make_path(void)
{
    (void)snprintf(path, sizeof(path), "/tmp/doca_core_zip.%ld", (long)getpid());
}

/* Read all members in pieces of `piece` bytes. Returns what is wrong, or NULL. */
static const char *read_all(size_t piece, uint64_t may_read, uint64_t may_unpack)
{
    static unsigned char out[sizeof(data) + 1];
    struct doca_priv_apsh_packed member;
    unsigned n = 0;
    size_t got, len;

    zip_put(path);
    if (doca_priv_apsh_zip_open(&zip, path, &may_read))
        while (doca_priv_apsh_zip_next(&zip, &member)) {
            CHECK_STR(member.name, strlen(zip_members[n].name) < 256 ? zip_members[n].name : "");
            if (!doca_priv_apsh_zip_unpack(&zip, &member, &inflate, &may_unpack))
                break;
            len = 0;
            do {
                got = doca_priv_apsh_inflate_read(
                    &inflate, out + len, piece < sizeof(out) - len ? piece : sizeof(out) - len);
                len += got;
            } while (got > 0);
            if (zip.file.reason != NULL)
                break;
            CHECK_EQ(len, zip_members[n].size);
            if (zip_members[n].name[0] == 'l')
                CHECK_MEM(out, data, len);
            n++;
        }
    doca_priv_apsh_json_close(&zip.file);
    CHECK(unlink(path) == 0);
    CHECK(zip.file.reason != NULL || n == zip_num);
    return zip.file.reason;
}

static void members_of_each_kind_are_unpacked(void)
{
    static const size_t lengths[] = { 0, 1, 3, 4096, 65535, 65536, 90000, sizeof(data) };
    static const size_t pieces[] = { 1, 100, 4096, sizeof(data) + 1 };
    char name[24];
    unsigned i, how;

    make_path();
    make_data();
    zip_begin();
    for (how = ZIP_STORED; how <= ZIP_CODES; how++)
        for (i = 0; i < 8; i++) {
            (void)snprintf(name, sizeof(name), "lib%u.so.%u", how, i);
            zip_add(name, data, lengths[i], (enum zip_how)how);
        }
    zip_end();
    for (i = 0; i < 4; i++)
        CHECK(read_all(pieces[i], UINT64_MAX, UINT64_MAX) == NULL);
    /* the file ends with a comment that contains the signature of an end record */
    zip_set(zip_end_at + 20, 24, 2);
    for (i = 0; i < 24; i++)
        zip_byte(i < 22 ? zip_file[zip_end_at + i] : 0);
    CHECK(read_all(4096, UINT64_MAX, UINT64_MAX) == NULL);
    zip_begin();
    zip_end();
    CHECK(read_all(4096, UINT64_MAX, UINT64_MAX) == NULL);
}

static void member_of_zlib_is_unpacked(void)
{
    unsigned char text[600];
    unsigned i;

    make_path();
    for (i = 0; i < sizeof(text); i++)
        text[i] = golden_byte(i);
    zip_begin();
    zip_open_member("g", text, sizeof(text), 8);
    for (i = 0; i < sizeof(golden); i++)
        zip_byte(golden[i]);
    zip_close_member();
    zip_end();
    CHECK(read_all(4096, UINT64_MAX, UINT64_MAX) == NULL);
}

/* A file with three members of few bytes. */
static void make_small(void)
{
    zip_begin();
    zip_add("first", data + 40000, 3000, ZIP_FIXED);
    zip_add("second", data, 1000, ZIP_STORED);
    zip_add("third", data + 60000, 5000, ZIP_CODES);
    zip_end();
}

static void damaged_directories_are_an_error(void)
{
    /* a number that is written to the record at the end, or, where `at` is 100 or more, to the
     * second entry of the directory */
    static const struct {
        const char *reason;
        unsigned at;
        uint32_t value;
        unsigned bytes;
    } damages[] = {
        { "not a zip file", 0, 0, 4 },
        { "not a zip file", 20, 1, 2 },
        { "several parts", 4, 1, 2 },
        { "several parts", 6, 1, 2 },
        { "several parts", 8, 2, 2 },
        { "zip64", 10, 65535, 2 },
        { "zip64", 12, UINT32_MAX, 4 },
        { "zip64", 16, UINT32_MAX, 4 },
        { "does not end", 12, 1, 4 },
        { "does not end", 16, 0, 4 },
        { "is damaged", 100, 0, 4 },
        { "encrypted", 108, 1, 2 },
        { "encrypted", 108, 0x40, 2 },
        { "neither stored nor", 110, 9, 2 },
        { "zip64", 120, UINT32_MAX, 4 },
        { "zip64", 124, UINT32_MAX, 4 },
        { "overlap", 142, UINT32_MAX, 4 }, /* where the first member ends */
        { "cannot have its size", 120, 999, 4 },
        { "cannot have its size", 124, 1001, 4 },
        { "too short", 128, 65535, 2 },
        { "too short", 130, 65535, 2 },
        { "too short", 132, 65535, 2 },
        { "overlap", 142, 0, 4 },
        { "overlap", 142, 0x7fffffff, 4 },
    };
    const char *reason;
    size_t entry, i;

    make_path();
    make_data();
    for (i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
        make_small();
        entry = zip_directory + 46 + 5 + strlen(zip_members[0].name);
        zip_set(damages[i].at < 100 ? zip_end_at + damages[i].at : entry + damages[i].at - 100,
                damages[i].value, damages[i].bytes);
        reason = read_all(4096, UINT64_MAX, UINT64_MAX);
        if (reason == NULL || strstr(reason, damages[i].reason) == NULL)
            test_fail(__FILE__, __LINE__, "damage %zu: %s", i, reason != NULL ? reason : "none");
    }
    make_small(); /* the end record tells one member too few, or one too many */
    zip_set(zip_end_at + 8, 0x00020002, 4);
    CHECK(strstr(read_all(4096, UINT64_MAX, UINT64_MAX), "too long") != NULL);
    make_small();
    zip_set(zip_end_at + 8, 0x00040004, 4);
    CHECK(strstr(read_all(4096, UINT64_MAX, UINT64_MAX), "too short") != NULL);
    make_small();
    zip_set(zip_end_at + 8, 0, 4);
    CHECK(strstr(read_all(4096, UINT64_MAX, UINT64_MAX), "too long") != NULL);
    make_small(); /* a member whose name is too long for a file is passed over */
    zip_begin();
    zip_add("0123456789012345678901234567890123456789012345678901234567890123456789012345678901234"
            "5678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
            "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234"
            "56789", data, 10, ZIP_RAW);
    zip_end();
    CHECK(read_all(4096, UINT64_MAX, UINT64_MAX) == NULL);
}

static void damaged_members_are_an_error(void)
{
    const char *reason;
    unsigned i;

    make_path();
    make_data();
    make_small();
    zip_set(zip_members[1].at, 0, 1); /* the head */
    CHECK(strstr(read_all(4096, UINT64_MAX, UINT64_MAX), "head of a member") != NULL);
    make_small();
    zip_set(zip_members[1].at + 8, 8, 2);
    CHECK(strstr(read_all(4096, UINT64_MAX, UINT64_MAX), "head of a member") != NULL);
    make_small(); /* the data is in the next member */
    zip_set(zip_members[1].at + 28, 10, 2);
    CHECK(strstr(read_all(4096, UINT64_MAX, UINT64_MAX), "overlap") != NULL);
    make_small();
    zip_file[zip_members[1].at + 100] ^= 1;
    CHECK(strstr(read_all(4096, UINT64_MAX, UINT64_MAX), "checksum") != NULL);
    for (i = 0; i < 2; i++) { /* wrong sizes of a member */
        make_small();
        zip_set(zip_directory + 24, 2999 + 2 * i, 4);
        CHECK(strstr(read_all(4096, UINT64_MAX, UINT64_MAX), i == 0 ? "longer than its"
                                                                    : "shorter than its") != NULL);
        make_small();
        zip_set(zip_directory + 20, zip_members[0].packed - (i == 0 ? 1 : 200), 4);
        CHECK(strstr(read_all(4096, UINT64_MAX, UINT64_MAX), "ends too early") != NULL);
    }
    make_small();
    zip_set(zip_directory + 20, zip_members[0].packed - 1, 4);
    zip_set(zip_members[0].at + 28, 6, 2); /* the data begins a byte later */
    CHECK(read_all(4096, UINT64_MAX, UINT64_MAX) != NULL);
    /* bounds of the call */
    make_small();
    CHECK(strstr(read_all(4096, UINT64_MAX, 3999), "more to unpack") != NULL);
    reason = read_all(4096, 100, UINT64_MAX);
    CHECK(strstr(reason, "longer than may be read") != NULL);
}

/* Each of these streams is malformed, and is refused for its own reason. */
static void damaged_streams_are_an_error(void)
{
    static const struct {
        const char *reason;
        unsigned char bytes[24];
        unsigned num;
    } streams[] = {
        { "no known kind", { 0x07 }, 1 },
        { "damaged length", { 0x01, 0x05, 0x00, 0x00, 0x00, 0, 0, 0, 0, 0 }, 10 },
        { "too early", { 0x01, 0x05, 0x00, 0xfa, 0xff, 0 }, 6 },
        { "too early", { 0x01, 0x05, 0x00 }, 3 },
        { "too early", { 0x03 }, 1 },
        { "before its begin", { 0x03, 0x02, 0x00 }, 3 },
        { "no known length", { 0x1b, 0x03, 0x00 }, 3 }, /* symbol 286 */
        { "no known distance", { 0x03, 0x7e, 0x00 }, 3 }, /* symbol 31 */
        { "too many codes", { 0xfd, 0x00, 0x00, 0, 0, 0 }, 6 },
        { "too many codes", { 0x05, 0x1f, 0x00, 0, 0, 0 }, 6 },
        { "are no code", { 0x05, 0x00, 0xfe, 0xff, 0xff, 0xff, 0xff }, 7 },
        { "does not define", { 0x05, 0x00, 0x00, 0, 0, 0, 0 }, 7 },
        { "bytes behind", { 0x03, 0x00, 0x00 }, 3 },
    };
    const char *reason;
    unsigned i, k;

    make_path();
    for (i = 0; i < sizeof(streams) / sizeof(streams[0]); i++) {
        zip_begin();
        zip_open_member("g", data, i + 1 == sizeof(streams) / sizeof(streams[0]) ? 0 : 20, 8);
        for (k = 0; k < streams[i].num; k++)
            zip_byte(streams[i].bytes[k]);
        zip_close_member();
        zip_end();
        reason = read_all(4096, UINT64_MAX, UINT64_MAX);
        if (reason == NULL || strstr(reason, streams[i].reason) == NULL)
            test_fail(__FILE__, __LINE__, "stream %u: %s", i, reason != NULL ? reason : "none");
    }
}

/* At each place a bit is inverted, or the file is cut. The file is refused, or its members have the
 * bytes that they had before. */
static void each_damage_is_found(void)
{
    unsigned refused = 0;
    size_t at, end;

    make_path();
    make_data();
    make_small();
    end = zip_len;
    for (at = 0; at < end * 8; at += at < 8 * zip_directory ? 61 : 7) {
        zip_file[at / 8] ^= (unsigned char)(1u << at % 8);
        zip_put(path);
        zip_file[at / 8] ^= (unsigned char)(1u << at % 8);
        {
            struct doca_priv_apsh_packed member;
            uint64_t may_read = 1u << 20, may_unpack = 1u << 20;
            static unsigned char out[10000];

            if (doca_priv_apsh_zip_open(&zip, path, &may_read))
                while (doca_priv_apsh_zip_next(&zip, &member) &&
                       doca_priv_apsh_zip_unpack(&zip, &member, &inflate, &may_unpack))
                    (void)doca_priv_apsh_inflate_read(&inflate, out, sizeof(out));
            doca_priv_apsh_json_close(&zip.file);
            refused += zip.file.reason != NULL;
            if (at >= 8 * 45u && at < 8 * (zip_members[1].at - 1)) /* bits that are packed */
                CHECK(zip.file.reason != NULL);
        }
    }
    CHECK(refused > 300);
    for (at = 0; at < end; at += at < zip_directory ? 97 : 1) {
        zip_len = at;
        CHECK(read_all(4096, UINT64_MAX, UINT64_MAX) != NULL);
    }
}

static const struct test_case cases[] = {
    CASE(members_of_each_kind_are_unpacked, ""),
    CASE(member_of_zlib_is_unpacked, ""),
    CASE(damaged_directories_are_an_error, ""),
    CASE(damaged_members_are_an_error, ""),
    CASE(damaged_streams_are_an_error, ""),
    CASE(each_damage_is_found, ""),
};

TEST_MAIN(cases)
