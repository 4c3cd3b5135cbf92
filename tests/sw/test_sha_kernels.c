/* The SHA compression functions of the software device, for one message and in SIMD lanes: they are
 * compared with each other and with a reference of the standard. Some cases check other internals.
 * The program includes the implementation in order to call them. */
#define DOCA_CORE_STATIC
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#include "fixture.h"
#include "sha_reference.h"

enum { BLOCKS = 9 };

static const doca_priv_sha_compress_t plain[DOCA_PRIV_SHA_ALGORITHMS] = {
    doca_priv_sha1_plain, doca_priv_sha256_plain, doca_priv_sha512_plain
};

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

static void constants_match_the_standard(void)
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
            check_digest(plain[algorithm], algorithm, len);
}

/* Call `check` for every set of kernels that the library would choose on this CPU or on a CPU with
 * fewer features. */
static void for_each_choice(void (*check)(const struct doca_priv_sha_kernels *kernels))
{
    unsigned cpu, has = doca_priv_simd_cpu();

    for (cpu = 0; cpu <= has; cpu++)
        if ((cpu & ~has) == 0)
            check(doca_priv_simd_sha(cpu));
}

static void check_every_length(const struct doca_priv_sha_kernels *kernels)
{
    uint8_t algorithm;
    size_t len;

    random_data();
    for (algorithm = 0; algorithm < 3; algorithm++)
        for (len = 0; len <= 300; len++)
            check_digest(kernels->one[algorithm], algorithm, len);
}

static void kernels_of_every_cpu_hash_every_length(void)
{
    for_each_choice(check_every_length);
}

/* A whole message is hashed by other code than a stream. */
static void check_whole_messages(const struct doca_priv_sha_kernels *kernels)
{
    unsigned char got[64 + 1], want[64];
    uint8_t algorithm;
    size_t len, bytes;

    random_data();
    for (algorithm = 0; algorithm < 3; algorithm++) {
        bytes = ref_bytes[algorithm].digest;
        for (len = 0; len <= 300; len++) {
            got[bytes] = 0xee;
            doca_priv_sha_hash(kernels->one, algorithm, data + len % 7, len, got);
            ref_hash(algorithm, data + len % 7, len, want);
            CHECK_MEM(got, want, bytes);
            CHECK_EQ(got[bytes], 0xee);
        }
    }
}

static void whole_messages_have_the_digest_of_streams(void)
{
    for_each_choice(check_whole_messages);
}

/* Compare kernels with the plain kernels: random states, random blocks, with and without
 * alignment. */
static void check_against_plain(const struct doca_priv_sha_kernels *kernels)
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
            plain[algorithm](&one, data + off, num);
            kernels->one[algorithm](&other, data + off, num);
            CHECK_MEM(&one, &other, ref_bytes[algorithm].digest);
        }
    }
}

/* Hash a different message in each lane, from a random state. */
static void check_lanes(const struct doca_priv_sha_lanes *lanes, uint8_t algorithm)
{
    union doca_priv_sha_state want[DOCA_PRIV_SHA_GROUP];
    const unsigned char *from[DOCA_PRIV_SHA_GROUP];
    struct doca_priv_sha_in_lanes in;
    struct doca_priv_sha_message m;
    size_t num = 1 + rig_random(BLOCKS - 3), lane, i;

    in.num = lanes->num;
    in.algorithm = algorithm;
    for (lane = 0; lane < in.num; lane++) {
        from[lane] = data + rig_random(3 * 128);
        for (i = 0; i < 8; i++)
            m.state.w64[i] = (uint64_t)rig_random(UINT32_MAX) << 32 | rig_random(UINT32_MAX);
        doca_priv_sha_lane_enter(&in, lane, &m);
        want[lane] = m.state;
        plain[algorithm](&want[lane], from[lane], num);
    }
    lanes->run((union doca_priv_sha_state *)(void *)&in.state, from, num);
    for (lane = 0; lane < in.num; lane++) {
        doca_priv_sha_lane_leave(&in, lane, &m);
        CHECK_MEM(&m.state, &want[lane], ref_bytes[algorithm].digest);
    }
}

static unsigned num_lanes_checked;

static void check_all_lanes(const struct doca_priv_sha_kernels *kernels)
{
    const struct doca_priv_sha_lanes *lanes;
    uint8_t algorithm;
    unsigned round;

    for (round = 0; round < 50; round++) {
        random_data();
        for (algorithm = 0; algorithm < 3; algorithm++) {
            for (lanes = &kernels->few[algorithm]; lanes != NULL;
                 lanes = lanes == &kernels->few[algorithm] ? &kernels->many[algorithm] : NULL) {
                if (lanes->run != NULL)
                    check_lanes(lanes, algorithm);
                num_lanes_checked += lanes->num;
            }
        }
    }
}

static void every_lane_matches_the_plain_kernel(void)
{
    for_each_choice(check_all_lanes);
    if (num_lanes_checked == 0)
        test_skip("no SIMD lanes for this CPU or build");
}

/* Hash messages of these lengths as one group. */
static void check_group(const struct doca_priv_sha_kernels *kernels, uint8_t algorithm,
                        const size_t *len, size_t num)
{
    struct doca_priv_sha_message m[DOCA_PRIV_SHA_GROUP];
    unsigned char got[64], want[64];
    size_t i;

    for (i = 0; i < num; i++)
        doca_priv_sha_message_begin(&m[i], algorithm, data + i, len[i]);
    doca_priv_sha_hash_group(kernels, algorithm, m, num);
    for (i = 0; i < num; i++) {
        doca_priv_sha_put(&m[i].state, algorithm, got);
        ref_hash(algorithm, data + i, len[i], want);
        CHECK_MEM(got, want, ref_bytes[algorithm].digest);
    }
}

/* Hash a message of every length with each algorithm, in groups of every size. */
static void check_mixed_groups(const struct doca_priv_sha_kernels *kernels)
{
    size_t len[301], i, k, num, swap;
    uint8_t algorithm;

    random_data();
    for (algorithm = 0; algorithm < 3; algorithm++) {
        for (i = 0; i < 301; i++) {
            k = rig_random((uint32_t)i + 1);
            len[i] = i;
            swap = len[k];
            len[k] = i;
            len[i] = swap;
        }
        for (i = 0, num = 1; i < 301; i += num, num = num % DOCA_PRIV_SHA_GROUP + 1)
            check_group(kernels, algorithm, len + i, num < 301 - i ? num : 301 - i);
    }
}

static void messages_of_all_lengths_mix_in_groups_of_all_sizes(void)
{
    for_each_choice(check_mixed_groups);
}

static void kernels_match_the_plain_kernels(void)
{
    if (doca_priv_simd_cpu() == 0)
        test_skip("no vector kernel for this CPU or build");
    for_each_choice(check_against_plain);
}

static void kernels_are_chosen_once(void)
{
    CHECK_PTR(doca_priv_sha_choice(), doca_priv_simd_sha(doca_priv_simd_cpu()));
    CHECK_PTR(doca_priv_sha_choice(), doca_priv_sha_choice());
}

#ifdef DOCA_PRIV_STREAMS
/* Check a copy with stores that bypass the caches: it copies whole groups of pages and changes no
 * other byte. */
static void check_stream(doca_priv_sw_stream *stream)
{
    enum { GROUP = 4096 * DOCA_PRIV_SW_STREAM_PAGES, ROOM = 3 * GROUP + 64 };
    static DOCA_CORE_ALIGNED unsigned char from[ROOM + 64], to[ROOM + 64];
    const size_t lens[] = { 0, GROUP - 1, GROUP, 2 * GROUP + 1, 3 * GROUP };
    size_t i, skip, done, at;

    for (at = 0; at < sizeof(from); at++)
        from[at] = (unsigned char)(at * 7 + at / 251);
    for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
        for (skip = 0; skip < 64; skip += 21) {
            memset(to, 0x5a, sizeof(to));
            done = stream(to + 64, from + skip, lens[i]);
            CHECK_EQ(done, lens[i] / GROUP * GROUP);
            CHECK_MEM(to + 64, from + skip, done);
            for (at = 0; at < sizeof(to) && (to[at] == 0x5a || (at >= 64 && at < 64 + done)); at++)
                continue;
            CHECK_EQ(at, sizeof(to));
        }
    }
}

static void stores_that_bypass_caches_copy_correctly(void)
{
    const bool has_avx2 = (doca_priv_simd_cpu() & DOCA_PRIV_CPU_AVX2) != 0;

    check_stream(doca_priv_sw_stream_sse2);
    if (has_avx2)
        check_stream(doca_priv_sw_stream_avx2);
    CHECK(doca_priv_sw_stream_for(4096) == NULL);
    CHECK(doca_priv_sw_stream_for(DOCA_PRIV_SW_STREAM_ALWAYS) ==
          (has_avx2 ? doca_priv_sw_stream_avx2 : doca_priv_sw_stream_sse2));
}
#endif

/* Set a member of a task through its own type, and append the task to a queue, which reads the
 * member through a type that all tasks share. A compiler may assume that an object has only one
 * type, and may then move the write behind the read. */
static doca_error_t fill_and_append(struct doca_core_queue *queue, struct doca_sha_task_hash *hash,
                                    struct doca_task *task, const struct doca_buf *src)
{
    doca_error_t rc;

    hash->src = NULL;
    rc = doca_core_queue_append(queue, task);
    hash->src = src;
    return rc == DOCA_ERROR_INVALID_VALUE ? doca_core_queue_append(queue, task) : DOCA_ERROR_IN_USE;
}

static void queue_sees_members_that_were_just_set(void)
{
    doca_error_t (*volatile call)(struct doca_core_queue *, struct doca_sha_task_hash *,
                                  struct doca_task *, const struct doca_buf *) = fill_and_append;
    struct doca_sha_task_hash hash;
    struct doca_core_queue queue;
    struct doca_buf buf;

    memset(&hash, 0, sizeof(hash));
    memset(&queue, 0, sizeof(queue));
    memset(&buf, 0, sizeof(buf));
    hash.src = hash.dst = &buf;
    CHECK_OK(call(&queue, &hash, &hash.task, &buf));
    CHECK_PTR(queue.first, &hash.task);
    CHECK_PTR(queue.last, &hash.task);
}

static const struct test_case cases[] = {
    CASE(constants_match_the_standard, ""),
    CASE(plain_kernels_hash_every_length, ""),
    CASE(kernels_of_every_cpu_hash_every_length, ""),
    CASE(whole_messages_have_the_digest_of_streams, ""),
    CASE(kernels_match_the_plain_kernels, ""),
    CASE(every_lane_matches_the_plain_kernel, ""),
    CASE(messages_of_all_lengths_mix_in_groups_of_all_sizes, ""),
    CASE(kernels_are_chosen_once, ""),
    CASE(queue_sees_members_that_were_just_set, ""),
#ifdef DOCA_PRIV_STREAMS
    CASE(stores_that_bypass_caches_copy_correctly, ""),
#endif
};

TEST_MAIN(cases)
