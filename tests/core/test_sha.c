/* The hash engine: digests, byte for byte. */
#include "sha_support.h"

#include <fcntl.h>
#include <unistd.h>

static unsigned char want_to[RIG_BYTES];

/* Make a list of up to 40 buffers that contain bytes [0, len) of the text. The lengths are random;
 * some buffers are empty. */
static struct doca_buf *cut_text(struct sha_rig *s, size_t len)
{
    struct doca_buf *head = NULL, *buf;
    unsigned left = 1 + rig_random(40);
    size_t at = 0, n;

    for (; left > 0; left--, at += n) {
        n = left == 1            ? len - at
            : rig_random(4) == 0 ? 0
            : rig_random(2) == 0 ? rig_random((uint32_t)(len - at) + 1)
                                 : rig_random(200);
        if (n > len - at)
            n = len - at;
        buf = get_text(s, at == TEXT_BYTES ? 0 : at, n);
        if (head == NULL)
            head = buf;
        else
            CHECK_OK(doca_buf_chain_list(head, buf));
    }
    return head;
}

static void check_hex(const char *name, unsigned algorithm, const unsigned char *got,
                      const char *want)
{
    char hex[129];
    size_t i;

    for (i = 0; i < ref_bytes[algorithm].digest; i++)
        snprintf(hex + 2 * i, 3, "%02x", got[i]);
    if (strcmp(hex, want) != 0)
        test_fail(__FILE__, __LINE__, "%s, algorithm %u: %s, want %s", name, algorithm, hex, want);
}

/* ---- digests ---- */

static const struct {
    const char *name;
    unsigned algorithm;
    const char *message;
    unsigned times;
    const char *digest;
} vectors[] = {
    { "FIPS 180: abc", 0, "abc", 1,
      "a9993e364706816aba3e25717850c26c9cd0d89d" },
    { "FIPS 180: abc", 1, "abc", 1,
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
    { "FIPS 180: abc", 2, "abc", 1,
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
      "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f" },
    { "empty", 0, "", 1,
      "da39a3ee5e6b4b0d3255bfef95601890afd80709" },
    { "empty", 1, "", 1,
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
    { "empty", 2, "", 1,
      "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
      "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e" },
    { "FIPS 180: 448 bits", 0, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "84983e441c3bd26ebaae4aa1f95129e5e54670f1" },
    { "FIPS 180: 448 bits", 1, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
    { "FIPS 180: 448 bits", 2, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c335"
      "96fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445" },
    { "FIPS 180: 896 bits", 0, "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
      "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu", 1,
      "a49b2446a02c645bf419f995b67091253a04a259" },
    { "FIPS 180: 896 bits", 1, "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
      "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu", 1,
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1" },
    { "FIPS 180: 896 bits", 2, "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
      "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu", 1,
      "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
      "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909" },
    { "FIPS 180: a million a", 0, "a", 1000000,
      "34aa973cd4c4daa4f61eeb2bdbad27316534016f" },
    { "FIPS 180: a million a", 1, "a", 1000000,
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
    { "FIPS 180: a million a", 2, "a", 1000000,
      "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
      "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b" },
    { "8 times the digits", 0, "1234567890123456789012345678901234567890123456789012345678901234"
      "5678901234567890", 1,
      "50abf5706a150990a08b2c5ea40fa0e585554732" },
    { "8 times the digits", 1, "1234567890123456789012345678901234567890123456789012345678901234"
      "5678901234567890", 1,
      "f371bc4a311f2b009eef952dd83ca80e2b60026c8e935592d0f9c308453c813e" },
    { "8 times the digits", 2, "1234567890123456789012345678901234567890123456789012345678901234"
      "5678901234567890", 1,
      "72ec1ef1124a45b047e8b7c75a932195135bb61de24ec0d1914042246e0aec3a"
      "2354e093d76f3048b456764346900cb130d2a4fd5dd16abb5e30bcb850dee843" },
    { "640 octal digits", 0, "01234567012345670123456701234567", 20,
      "dea356a2cddd90c7a7ecedc5ebb563934f460452" },
    { "640 octal digits", 1, "01234567012345670123456701234567", 20,
      "594847328451bdfa85056225462cc1d867d877fb388df0ce35f25ab5562bfbb5" },
    { "640 octal digits", 2, "01234567012345670123456701234567", 20,
      "89d05ba632c699c31231ded4ffc127d5a894dad412c0e024db872d1abd2ba814"
      "1a0f85072a9be1e2aa04cf33c765cb510813a39cd5a84c4acaa64d3f3fb7bae9" },
    { "CAVS: one byte", 0, "\x36", 1,
      "c1dfd96eea8cc2b62785275bca38ac261256e278" },
    { "CAVS: one byte", 1, "\xd3", 1,
      "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1" },
    { "CAVS: one byte", 2, "\x21", 1,
      "3831a6a6155e509dee59a7f451eb35324d8f8f2df6e3708894740f98fdee2388"
      "9f4de5adb0c5010dfb555cda77c8ab5dc902094c52de3278f35a75ebc25f093a" },
};

static void published_digests_are_computed(void)
{
    struct sha_rig s;
    size_t i, len, k;

    sha_open(&s);
    for (i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
        struct doca_buf *src;

        len = strlen(vectors[i].message);
        for (k = 0; k < vectors[i].times; k++)
            memcpy(text + k * len, vectors[i].message, len);
        src = get_text(&s, 0, len * vectors[i].times);
        run_hash(&s, algorithms[vectors[i].algorithm], src);
        check_hex(vectors[i].name, vectors[i].algorithm, rig_to, vectors[i].digest);
        drop(src);
    }
    sha_close(&s);
}

/* ---- test vectors of NIST's CAVP (byte-oriented), where these are installed ---- */

#ifdef DOCA_TEST_SHA_VECTORS

static const char *const vector_files[3] = { "SHA1/SHA1", "SHA2/SHA256", "SHA2/SHA512" };

static char *read_vectors(unsigned a, const char *kind)
{
    static char lines[1 << 21];
    char path[256];
    size_t len = 0;
    ssize_t n;
    int fd;

    snprintf(path, sizeof(path), "%s/%s%s.rsp", DOCA_TEST_SHA_VECTORS, vector_files[a], kind);
    fd = open(path, O_RDONLY);
    while ((n = read(fd, lines + len, sizeof(lines) - 1 - len)) > 0)
        len += (size_t)n;
    CHECK(n == 0 && len > 0 && len < sizeof(lines) - 1);
    lines[len] = '\0';
    CHECK_EQ(close(fd), 0);
    return lines;
}

/* Return the value of the next line with this name, and set *at to the text after the line. Return
 * NULL when there is no such line. */
static char *next_value(char **at, const char *name)
{
    char start[16], *value;

    snprintf(start, sizeof(start), "%s = ", name);
    value = strstr(*at, start);
    if (value == NULL)
        return NULL;
    value += strlen(start);
    *at = value + strcspn(value, "\r\n");
    CHECK(**at != '\0');
    *(*at)++ = '\0';
    return value;
}

static void hex_to_text(const char *hex, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    size_t i;

    for (i = 0; i < len; i++)
        text[i] = (unsigned char)((strchr(digits, hex[2 * i]) - digits) * 16 +
                                  (strchr(digits, hex[2 * i + 1]) - digits));
}

/* Hash the first `len` bytes of the text as one buffer, as a list, and in segments of whole
 * blocks. */
static void check_three_ways(struct sha_rig *s, unsigned a, size_t len, const char *want)
{
    struct doca_buf *src = get_text(s, 0, len), *dst;
    struct doca_sha_task_partial_hash *task;
    size_t at, n;

    run_hash(s, algorithms[a], src);
    check_hex("one buffer", a, rig_to, want);
    drop(src);
    src = cut_text(s, len);
    run_hash(s, algorithms[a], src);
    check_hex("list", a, rig_to, want);
    drop(src);
    dst = rig_dst(&s->r, 0, 64);
    task = partial_task(s, algorithms[a], NULL, dst);
    for (at = 0; (n = ref_bytes[a].block * (1 + rig_random(2))) <= len - at; at += n)
        run_segment(s, task, get_text(s, at, n), false);
    run_segment(s, task, get_text(s, at, len - at), true);
    check_hex("segments", a, rig_to, want);
    doca_task_free(doca_sha_task_partial_hash_as_task(task));
    drop(dst);
}

static unsigned check_messages(struct sha_rig *s, unsigned a, const char *kind)
{
    char *at = read_vectors(a, kind), *bits, *message, *digest;
    unsigned num = 0;

    while ((bits = next_value(&at, "Len")) != NULL) {
        size_t len = (size_t)atoi(bits) / 8;

        message = next_value(&at, "Msg");
        digest = next_value(&at, "MD");
        CHECK(message != NULL && digest != NULL && len <= TEXT_BYTES);
        if (len > 0) {
            CHECK_EQ(strlen(message), 2 * len);
            hex_to_text(message, len);
        }
        check_three_ways(s, a, len, digest);
        num++;
    }
    return num;
}

static void published_messages_are_hashed_in_three_ways(void)
{
    struct sha_rig s;
    unsigned a;

    sha_open(&s);
    for (a = 0; a < 3; a++) {
        unsigned block = (unsigned)ref_bytes[a].block;

        CHECK_EQ(check_messages(&s, a, "ShortMsg"), block + 1); /* one message of each length */
        CHECK_EQ(check_messages(&s, a, "LongMsg"), block);
    }
    sha_close(&s);
}

/* Each digest of a chain is that of the three digests before it. Every 1,000 steps there is a
 * checkpoint. */
static void published_monte_carlo_chain_reaches_its_checkpoints(void)
{
    struct sha_rig s;
    unsigned a, step, num;

    sha_open(&s);
    for (a = 0; a < 3; a++) {
        size_t digest = ref_bytes[a].digest;
        struct doca_buf *src = get_text(&s, 0, 3 * digest), *dst = rig_dst(&s.r, 0, 64);
        struct doca_sha_task_hash *task = hash_task(&s, algorithms[a], src, dst);
        char *at = read_vectors(a, "Monte"), *hex = next_value(&at, "Seed");

        CHECK(hex != NULL);
        hex_to_text(hex, digest);
        for (num = 0; (hex = next_value(&at, "MD")) != NULL; num++) {
            memcpy(text + digest, text, digest);
            memcpy(text + 2 * digest, text, digest);
            for (step = 0; step < 1000; step++) {
                CHECK_OK(doca_buf_reset_data_len(dst));
                run(&s, doca_sha_task_hash_as_task(task));
                memmove(text, text + digest, 2 * digest);
                memcpy(text + 2 * digest, rig_to, digest);
            }
            check_hex("checkpoint", a, rig_to, hex);
            memcpy(text, rig_to, digest);
        }
        CHECK_EQ(num, 100);
        doca_task_free(doca_sha_task_hash_as_task(task));
        drop(src);
        drop(dst);
    }
    sha_close(&s);
}

#endif

static void every_length_is_hashed(void)
{
    struct sha_rig s;
    unsigned a;
    size_t len;

    sha_open(&s);
    for (a = 0; a < 3; a++) {
        for (len = 0; len <= 300; len++) {
            struct doca_buf *src = get_text(&s, len % 9, len);

            run_hash(&s, algorithms[a], src);
            check_digest(a, rig_to, text + len % 9, len);
            drop(src);
        }
    }
    sha_close(&s);
}

static void random_lists_are_hashed_as_one_text(void)
{
    struct sha_rig s;
    unsigned round;

    sha_open(&s);
    for (round = 0; round < 120; round++) {
        size_t len = round < 3 ? TEXT_BYTES : rig_random((uint32_t)1 << rig_random(20));
        struct doca_buf *src = cut_text(&s, len);

        run_hash(&s, algorithms[round % 3], src);
        check_digest(round % 3, rig_to, text, len);
        drop(src);
    }
    sha_close(&s);
}

static void digest_is_appended_to_the_content(void)
{
    struct sha_rig s;
    unsigned a;

    sha_open(&s);
    for (a = 0; a < 3; a++) {
        size_t digest = ref_bytes[a].digest;
        struct doca_buf *src = get_text(&s, 3, 500);
        struct doca_buf *dst = get_args(&s, s.r.dst_map, rig_to + 100, 7 + 30 + 2 * digest + 5, 7,
                                        30);
        struct doca_sha_task_hash *task = hash_task(&s, algorithms[a], src, dst);
        void *data;

        memset(rig_to, 0xee, RIG_BYTES);
        memcpy(want_to, rig_to, RIG_BYTES);
        independent_hash(a, text + 3, 500, want_to + 137);
        run(&s, doca_sha_task_hash_as_task(task));
        CHECK_MEM(rig_to, want_to, RIG_BYTES);
        CHECK_EQ(rig_data_len(dst), 30 + digest);
        CHECK_EQ(rig_data_len(src), 500);
        CHECK_OK(doca_buf_get_data(dst, &data));
        CHECK_PTR(data, rig_to + 107);

        memcpy(want_to + 137 + digest, want_to + 137, digest);
        run(&s, doca_sha_task_hash_as_task(task));
        CHECK_MEM(rig_to, want_to, RIG_BYTES);
        CHECK_EQ(rig_data_len(dst), 30 + 2 * digest);
        doca_task_free(doca_sha_task_hash_as_task(task));
        drop(src);
        drop(dst);
    }
    sha_close(&s);
}

static void digest_is_scattered_over_a_list_in_order(void)
{
    static const size_t want_len[] = { 9, 9, 9, 5, 0 };
    struct sha_rig s;
    struct doca_buf *src, *dst, *at;
    struct doca_sha_task_hash *task;
    size_t i;

    sha_open(&s);
    src = get_text(&s, 0, 1000);
    dst = get_list(&s, s.r.dst_map, rig_to + 50, 9, 5, false);
    task = hash_task(&s, DOCA_SHA_ALGORITHM_SHA256, src, dst);
    memcpy(want_to, rig_to, RIG_BYTES);
    independent_hash(REF_SHA256, text, 1000, want_to + 50);
    run(&s, doca_sha_task_hash_as_task(task));
    CHECK_MEM(rig_to, want_to, RIG_BYTES);
    for (i = 0, at = dst; i < 5; i++) {
        CHECK_EQ(rig_data_len(at), want_len[i]);
        CHECK_OK(doca_buf_get_next_in_list(at, &at));
    }
    doca_task_free(doca_sha_task_hash_as_task(task));
    drop(src);
    drop(dst);
    sha_close(&s);
}

static void text_may_be_its_own_destination(void)
{
    struct sha_rig s;
    struct doca_buf *buf;
    struct doca_sha_task_hash *task;

    sha_open(&s);
    buf = get_args(&s, s.text_map, text, 100, 0, 60);
    independent_hash(REF_SHA1, text, 60, want_to);
    task = hash_task(&s, DOCA_SHA_ALGORITHM_SHA1, buf, buf);
    run(&s, doca_sha_task_hash_as_task(task));
    CHECK_MEM(text + 60, want_to, 20);
    CHECK_EQ(rig_data_len(buf), 80);
    doca_task_free(doca_sha_task_hash_as_task(task));
    drop(buf);
    sha_close(&s);
}

static const struct test_case cases[] = {
    CASE(published_digests_are_computed, "249"),
#ifdef DOCA_TEST_SHA_VECTORS
    CASE(published_messages_are_hashed_in_three_ways, "249 251"),
    CASE(published_monte_carlo_chain_reaches_its_checkpoints, "249"),
#endif
    CASE(every_length_is_hashed, "249"),
    CASE(random_lists_are_hashed_as_one_text, "124 249"),
    CASE(digest_is_appended_to_the_content, "97 98 99 100 249"),
    CASE(digest_is_scattered_over_a_list_in_order, "125 249"),
    CASE(text_may_be_its_own_destination, ""),
};

TEST_MAIN(cases)
