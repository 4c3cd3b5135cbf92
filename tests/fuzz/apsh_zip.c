/* The zip file of an attestation: the input is the file. All members are unpacked in pieces of a
 * length that follows from the first byte. The library does not read or unpack more bytes than
 * allowed, and gives a reason for each refused file. The unpacked bytes do not depend on the length
 * of the pieces. */
#include "fuzz.h"

#include <sys/mman.h>

#define DOCA_CORE_APSH_IMPLEMENTATION
#include "tools/compat/doca_core_apsh.h"

#define MAY_READ (1u << 24)
#define MAY_UNPACK (1u << 18)

struct outcome {
    const char *reason;
    uint64_t hash; /* of all bytes that came out before an error */
    uint64_t unpacked;
    uint32_t num;
};

static int file;
static char path[64];
static struct doca_priv_apsh_zip zip;
static struct doca_priv_apsh_inflate inflate;

static void fuzz_set_up(void)
{
    file = memfd_create("input", 0);
    CHECK(file >= 0);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
}

static void read_member(struct outcome *out, size_t piece)
{
    unsigned char bytes[4096 + 8];
    size_t got, i;

    do {
        memset(bytes, 0x5a, sizeof(bytes));
        got = doca_priv_apsh_inflate_read(&inflate, bytes, piece);
        CHECK(got <= piece);
        for (i = piece; i < sizeof(bytes); i++)
            CHECK_EQ(bytes[i], 0x5a);
        for (i = 0; i < got; i++)
            out->hash = (out->hash ^ bytes[i]) * 0x100000001b3u;
        out->unpacked += got;
    } while (got == piece);
}

static void read_file(struct outcome *out, size_t piece)
{
    uint64_t may_read = MAY_READ, may_unpack = MAY_UNPACK;
    struct doca_priv_apsh_packed member;
    const int next = dup(file); /* the number that a new descriptor gets */

    memset(out, 0, sizeof(*out));
    CHECK(close(next) == 0);
    if (doca_priv_apsh_zip_open(&zip, path, &may_read))
        while (doca_priv_apsh_zip_next(&zip, &member)) {
            CHECK(member.at < member.limit && member.limit <= zip.directory);
            CHECK(member.packed < member.limit - member.at);
            CHECK_EQ(strnlen(member.name, sizeof(member.name)) <= member.name_len, 1);
            if (!doca_priv_apsh_zip_unpack(&zip, &member, &inflate, &may_unpack))
                break;
            read_member(out, piece);
            if (zip.file.reason == NULL)
                out->num++;
        }
    doca_priv_apsh_json_close(&zip.file);
    out->reason = zip.file.reason;
    CHECK(out->reason != NULL || out->num == zip.num);
    CHECK_EQ(out->unpacked, MAY_UNPACK - may_unpack);
    CHECK_EQ(dup(file), next);
    CHECK(close(next) == 0);
}

static void fuzz_run_input(void)
{
    const size_t piece = 1 + fuzz_byte() * 16u;
    struct outcome first, second;

    CHECK(ftruncate(file, 0) == 0);
    CHECK(pwrite(file, fuzz_input, fuzz_left, 0) == (ssize_t)fuzz_left);
    read_file(&first, piece);
    read_file(&second, 4096);
    CHECK_EQ(first.hash, second.hash);
    CHECK_EQ(first.unpacked, second.unpacked);
    CHECK_PTR(first.reason, second.reason);
}
