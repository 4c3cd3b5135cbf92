/* The compressions of the software device against each other, and against the standard read
 * literally. This program holds the implementation itself, to reach them. */
#define DOCA_CORE_STATIC
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include "fixture.h"
#include "sha_reference.h"

enum { BLOCKS = 9 };

static unsigned char data[BLOCKS * 128 + 1];

static void random_data(void)
{
    size_t i;

    for (i = 0; i < sizeof(data); i++)
        data[i] = (unsigned char)rig_random(256);
}

static void check_digest(doca_priv_sha_compress_t compress, uint8_t algorithm, size_t len)
{
    struct doca_priv_sha_stream s;
    unsigned char got[64], want[64];

    s.compress = compress;
    s.block_bytes = doca_priv_sha_sizes[algorithm].block;
    s.fill = 0;
    s.bytes = 0;
    doca_priv_sha_begin(&s.state, algorithm);
    doca_priv_sha_absorb(&s, data, len / 3);
    doca_priv_sha_absorb(&s, data + len / 3, len - len / 3);
    doca_priv_sha_finish(&s);
    doca_priv_sha_put(&s.state, algorithm, got);
    ref_hash(algorithm, data, len, want);
    CHECK_MEM(got, want, ref_bytes[algorithm].digest);
}

static void constants_are_what_the_standard_defines(void)
{
    unsigned i;

    ref_init();
    CHECK_MEM(doca_priv_sha_k, ref_cube_roots, sizeof(ref_cube_roots));
    CHECK_MEM(doca_priv_sha_root, ref_square_roots, sizeof(ref_square_roots));
    for (i = 0; i < 64; i++)
        CHECK_EQ(doca_priv_sha256_k[i], (uint32_t)(ref_cube_roots[i] >> 32));
    for (i = 0; i < 8; i++)
        CHECK_EQ(doca_priv_sha_start[1][i], (uint32_t)(ref_square_roots[i] >> 32));
}

static void plain_kernels_hash_every_length(void)
{
    uint8_t algorithm;
    size_t len;

    random_data();
    for (algorithm = 0; algorithm < 3; algorithm++)
        for (len = 0; len <= 300; len++)
            check_digest(doca_priv_sha_plain[algorithm], algorithm, len);
}

/* Every choice for a CPU that has no more than this one. */
static void each_choice(void (*check)(const doca_priv_sha_compress_t *kernels))
{
    unsigned cpu, has = doca_priv_simd_cpu();

    for (cpu = 0; cpu <= has; cpu++)
        if ((cpu & ~has) == 0)
            check(doca_priv_simd_sha(cpu));
}

static void check_every_length(const doca_priv_sha_compress_t *kernels)
{
    uint8_t algorithm;
    size_t len;

    random_data();
    for (algorithm = 0; algorithm < 3; algorithm++)
        for (len = 0; len <= 300; len++)
            check_digest(kernels[algorithm], algorithm, len);
}

static void kernels_of_every_cpu_hash_every_length(void)
{
    each_choice(check_every_length);
}

/* A whole message takes another way than a stream does. */
static void check_whole_messages(const doca_priv_sha_compress_t *kernels)
{
    unsigned char got[64 + 1], want[64];
    uint8_t algorithm;
    size_t len, bytes;

    random_data();
    for (algorithm = 0; algorithm < 3; algorithm++) {
        bytes = ref_bytes[algorithm].digest;
        for (len = 0; len <= 300; len++) {
            got[bytes] = 0xee;
            doca_priv_sha_hash(kernels, algorithm, data + len % 7, len, got);
            ref_hash(algorithm, data + len % 7, len, want);
            CHECK_MEM(got, want, bytes);
            CHECK_EQ(got[bytes], 0xee);
        }
    }
}

static void whole_messages_have_the_digest_of_streams(void)
{
    each_choice(check_whole_messages);
}

/* From any state, on any blocks, at any alignment. */
static void check_against_plain(const doca_priv_sha_compress_t *kernels)
{
    unsigned algorithm, round, i;

    for (algorithm = 0; algorithm < 3; algorithm++) {
        for (round = 0; round < 300; round++) {
            union doca_priv_sha_state one, other;
            size_t num = 1 + rig_random(BLOCKS), off = rig_random(2);

            random_data();
            for (i = 0; i < 8; i++)
                one.w64[i] = (uint64_t)rig_random(UINT32_MAX) << 32 | rig_random(UINT32_MAX);
            other = one;
            doca_priv_sha_plain[algorithm](&one, data + off, num);
            kernels[algorithm](&other, data + off, num);
            CHECK_MEM(&one, &other, ref_bytes[algorithm].digest);
        }
    }
}

static void kernels_agree(void)
{
    if (doca_priv_simd_cpu() == 0)
        test_skip("no vector kernel for this CPU or build");
    each_choice(check_against_plain);
}

static void choice_is_made_once(void)
{
    CHECK_PTR(doca_priv_sha_kernels(), doca_priv_simd_sha(doca_priv_simd_cpu()));
    CHECK_PTR(doca_priv_sha_kernels(), doca_priv_sha_kernels());
}

static const struct test_case cases[] = {
    CASE(constants_are_what_the_standard_defines, ""),
    CASE(plain_kernels_hash_every_length, ""),
    CASE(kernels_of_every_cpu_hash_every_length, ""),
    CASE(whole_messages_have_the_digest_of_streams, ""),
    CASE(kernels_agree, ""),
    CASE(choice_is_made_once, ""),
};

TEST_MAIN(cases)
