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
    doca_priv_sha_finish(&s, got);
    ref_hash(algorithm, data, len, want);
    CHECK_MEM(got, want, ref_bytes[algorithm].digest);
}

static void constants_are_what_the_standard_defines(void)
{
    ref_init();
    CHECK_MEM(doca_priv_sha_k, ref_cube_roots, sizeof(ref_cube_roots));
    CHECK_MEM(doca_priv_sha_root, ref_square_roots, sizeof(ref_square_roots));
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

static void chosen_kernels_hash_every_length(void)
{
    uint8_t algorithm;
    size_t len;

    random_data();
    for (algorithm = 0; algorithm < 3; algorithm++)
        for (len = 0; len <= 300; len++)
            check_digest(doca_priv_sha_kernels()[algorithm], algorithm, len);
}

/* From any state, on any blocks, at any alignment. */
static void kernels_agree(void)
{
    const doca_priv_sha_compress_t *simd = doca_priv_simd_sha();
    unsigned algorithm, round, i;

    if (simd == doca_priv_sha_plain)
        test_skip("no vector kernel for this CPU or build");
    for (algorithm = 0; algorithm < 3; algorithm++) {
        for (round = 0; round < 300; round++) {
            union doca_priv_sha_state one, other;
            size_t num = rig_random(BLOCKS + 1), off = rig_random(2);

            random_data();
            for (i = 0; i < 8; i++)
                one.w64[i] = (uint64_t)rig_random(UINT32_MAX) << 32 | rig_random(UINT32_MAX);
            other = one;
            doca_priv_sha_plain[algorithm](&one, data + off, num);
            simd[algorithm](&other, data + off, num);
            CHECK_MEM(&one, &other, sizeof(one));
        }
    }
}

static void choice_is_made_once(void)
{
    CHECK_PTR(doca_priv_sha_kernels(), doca_priv_simd_sha());
    CHECK_PTR(doca_priv_sha_kernels(), doca_priv_sha_kernels());
}

static const struct test_case cases[] = {
    CASE(constants_are_what_the_standard_defines, ""),
    CASE(plain_kernels_hash_every_length, ""),
    CASE(chosen_kernels_hash_every_length, ""),
    CASE(kernels_agree, ""),
    CASE(choice_is_made_once, ""),
};

TEST_MAIN(cases)
