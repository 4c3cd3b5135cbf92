/* The hash engine: digests byte for byte, sessions of partial hashes, and all errors. */
#include "fixture.h"
#include "sha_reference.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#ifdef DOCA_TEST_LIBCRYPTO
#include <openssl/sha.h>
#endif

enum { LOG_TASKS = 3, TASKS = 1 << LOG_TASKS, TEXT_BYTES = 1 << 20 };

static const enum doca_sha_algorithm algorithms[] = { DOCA_SHA_ALGORITHM_SHA1,
                                                      DOCA_SHA_ALGORITHM_SHA256,
                                                      DOCA_SHA_ALGORITHM_SHA512 };

static unsigned char text[TEXT_BYTES]; /* the text to hash */
static unsigned char want_to[RIG_BYTES];

/* A rig with a SHA context instead of the DMA context. */
struct sha_rig {
    struct rig r;
    struct doca_mmap *text_map;
    struct doca_sha *sha;
    bool frees_tasks;
    void (*on_task)(struct sha_rig *s, struct doca_task *task);
};

static void task_done(struct sha_rig *s, struct doca_task *task, bool is_ok)
{
    CHECK(s->r.in_progress);
    s->r.num_callbacks++;
    s->r.status = doca_task_get_status(task);
    CHECK_EQ(s->r.status == DOCA_SUCCESS, is_ok);
    if (is_ok)
        s->r.num_ok++;
    else
        s->r.num_failed++;
    if (s->on_task != NULL)
        s->on_task(s, task);
    if (s->frees_tasks)
        doca_task_free(task);
}

static void hash_completed(struct doca_sha_task_hash *task, union doca_data task_data,
                           union doca_data ctx_data)
{
    (void)task_data;
    task_done(ctx_data.ptr, doca_sha_task_hash_as_task(task), true);
}

static void hash_failed(struct doca_sha_task_hash *task, union doca_data task_data,
                        union doca_data ctx_data)
{
    (void)task_data;
    task_done(ctx_data.ptr, doca_sha_task_hash_as_task(task), false);
}

static void partial_completed(struct doca_sha_task_partial_hash *task, union doca_data task_data,
                              union doca_data ctx_data)
{
    (void)task_data;
    task_done(ctx_data.ptr, doca_sha_task_partial_hash_as_task(task), true);
}

static void partial_failed(struct doca_sha_task_partial_hash *task, union doca_data task_data,
                           union doca_data ctx_data)
{
    (void)task_data;
    task_done(ctx_data.ptr, doca_sha_task_partial_hash_as_task(task), false);
}

/* Build a rig, destroy its DMA context, and connect an idle SHA context with both types of tasks to
 * its PE. */
static void sha_build(struct sha_rig *s, const char *pci_addr)
{
    size_t i;

    memset(s, 0, sizeof(*s));
    for (i = 0; i < TEXT_BYTES; i++)
        text[i] = (unsigned char)(i * 131 + (i >> 8) * 17 + (i >> 16) + 5);
    rig_build(&s->r, pci_addr, 1);
    CHECK_OK(doca_dma_destroy(s->r.dma));
    s->r.dma = NULL;
    s->text_map = rig_map(s->r.dev, text, TEXT_BYTES);
    CHECK_OK(doca_sha_create(s->r.dev, &s->sha));
    s->r.ctx = doca_sha_as_ctx(s->sha);
    CHECK_OK(doca_ctx_set_user_data(s->r.ctx, (union doca_data){ .ptr = s }));
    CHECK_OK(doca_sha_task_hash_set_conf(s->sha, hash_completed, hash_failed, LOG_TASKS));
    CHECK_OK(doca_sha_task_partial_hash_set_conf(s->sha, partial_completed, partial_failed,
                                                 LOG_TASKS));
    CHECK_OK(doca_pe_connect_ctx(s->r.pe, s->r.ctx));
}

static void sha_open(struct sha_rig *s)
{
    sha_build(s, NULL);
    CHECK_OK(doca_ctx_start(s->r.ctx));
    rig_drain(&s->r);
}

static void sha_close(struct sha_rig *s)
{
    rig_stop(&s->r, s->r.ctx);
    CHECK_OK(doca_sha_destroy(s->sha));
    CHECK_OK(doca_mmap_destroy(s->text_map));
    rig_close(&s->r);
}

static struct doca_buf *get_args(struct sha_rig *s, struct doca_mmap *mmap, unsigned char *addr,
                                 size_t len, size_t data_off, size_t data_len)
{
    struct doca_buf *buf;

    CHECK_OK(doca_buf_inventory_buf_get_by_args(s->r.inventory, mmap, addr, len, addr + data_off,
                                                data_len, &buf));
    return buf;
}

/* Get a buffer whose content is [off, off + len) of the text. If `len` is 0 it has no content. */
static struct doca_buf *get_text(struct sha_rig *s, size_t off, size_t len)
{
    return get_args(s, s->text_map, text + off, len == 0 ? 1 : len, 0, len);
}

/* Make a list of `num` buffers of `len` bytes each, from `addr` on. */
static struct doca_buf *get_list(struct sha_rig *s, struct doca_mmap *mmap, unsigned char *addr,
                                 size_t len, unsigned num, bool as_content)
{
    struct doca_buf *head = NULL;
    unsigned i;

    for (i = 0; i < num; i++) {
        struct doca_buf *buf = get_args(s, mmap, addr + i * len, len, 0, as_content ? len : 0);

        if (head == NULL)
            head = buf;
        else
            CHECK_OK(doca_buf_chain_list(head, buf));
    }
    return head;
}

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

static void drop(struct doca_buf *buf)
{
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
}

static struct doca_sha_task_hash *hash_task(struct sha_rig *s, enum doca_sha_algorithm algorithm,
                                            struct doca_buf *src, struct doca_buf *dst)
{
    struct doca_sha_task_hash *task;

    CHECK_OK(doca_sha_task_hash_alloc_init(s->sha, algorithm, src, dst, (union doca_data){ 0 },
                                           &task));
    return task;
}

static struct doca_sha_task_partial_hash *partial_task(struct sha_rig *s,
                                                       enum doca_sha_algorithm algorithm,
                                                       struct doca_buf *src, struct doca_buf *dst)
{
    struct doca_sha_task_partial_hash *task;

    CHECK_OK(doca_sha_task_partial_hash_alloc_init(s->sha, algorithm, src, dst,
                                                   (union doca_data){ 0 }, &task));
    return task;
}

static void run(struct sha_rig *s, struct doca_task *task)
{
    unsigned num_ok = s->r.num_ok;

    CHECK_OK(doca_task_try_submit(task));
    CHECK_EQ(rig_inflight(s->r.ctx), 1);
    rig_drain(&s->r);
    CHECK_EQ(s->r.num_ok, num_ok + 1);
}

/* Hash `src` into rig_to with a new task. */
static void run_hash(struct sha_rig *s, enum doca_sha_algorithm algorithm, struct doca_buf *src)
{
    struct doca_buf *dst = rig_dst(&s->r, 0, 64);
    struct doca_sha_task_hash *task = hash_task(s, algorithm, src, dst);

    run(s, doca_sha_task_hash_as_task(task));
    CHECK_EQ(rig_data_len(dst), ref_bytes[algorithm].digest);
    doca_task_free(doca_sha_task_hash_as_task(task));
    drop(dst);
}

/* Hash one segment of a session, and release its buffer. */
static void run_segment(struct sha_rig *s, struct doca_sha_task_partial_hash *task,
                        struct doca_buf *src, bool is_final)
{
    CHECK_OK(doca_sha_task_partial_hash_set_src(task, src));
    if (is_final)
        CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(task));
    CHECK_EQ(doca_sha_task_partial_hash_get_is_final(task), is_final);
    run(s, doca_sha_task_partial_hash_as_task(task));
    drop(src);
}

/* Compute the digest with libcrypto if the build has found it, otherwise with sha_reference.h. */
static void independent_hash(unsigned algorithm, const unsigned char *data, size_t len,
                             unsigned char *digest)
{
#ifdef DOCA_TEST_LIBCRYPTO
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);

    if (algorithm == REF_SHA1)
        SHA1(data, len, digest);
    else if (algorithm == REF_SHA256)
        SHA256(data, len, digest);
    else
        SHA512(data, len, digest);
    heap_trap_set(mode);
#else
    ref_hash(algorithm, data, len, digest);
#endif
}

static void check_digest(unsigned algorithm, const unsigned char *got, const unsigned char *data,
                         size_t len)
{
    unsigned char want[64];

    independent_hash(algorithm, data, len, want);
    CHECK_MEM(got, want, ref_bytes[algorithm].digest);
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

/* ---- sessions ---- */

enum { SPLIT_BLOCKS = 5 };

/* Hash a session: bit `i` of `cuts` ends a segment after block `i`; the final segment has `tail`
 * bytes. */
static void run_split(struct sha_rig *s, struct doca_sha_task_partial_hash *task, unsigned a,
                      unsigned cuts, size_t tail)
{
    size_t block = ref_bytes[a].block, at = 0;
    unsigned i;

    for (i = 0; i < SPLIT_BLOCKS; i++) {
        size_t end = (i + 1) * block;

        if ((cuts >> i & 1) == 0)
            continue;
        run_segment(s, task, get_list(s, s->text_map, text + at, block / 2,
                                      (unsigned)((end - at) / (block / 2)), true), false);
        CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 0);
        at = end;
    }
    run_segment(s, task, get_text(s, at, SPLIT_BLOCKS * block + tail - at), true);
    CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 1);
}

static void segments_hash_as_their_concatenation_in_all_splits(void)
{
    struct sha_rig s;
    unsigned a, cuts;
    size_t k;

    sha_open(&s);
    for (a = 0; a < 3; a++) {
        size_t block = ref_bytes[a].block, tails[] = { 0, 1, block / 2 + 55, block - 1, block };
        struct doca_buf *dst = rig_dst(&s.r, 0, 64);
        struct doca_sha_task_partial_hash *task = partial_task(&s, algorithms[a], NULL, dst);

        for (cuts = 0; cuts < 1 << SPLIT_BLOCKS; cuts++) {
            for (k = 0; k < sizeof(tails) / sizeof(tails[0]); k++) {
                memset(rig_to, 0xee, 64);
                CHECK_OK(doca_buf_reset_data_len(dst));
                run_split(&s, task, a, cuts, tails[k]);
                CHECK_EQ(rig_data_len(dst), ref_bytes[a].digest);
                check_digest(a, rig_to, text, SPLIT_BLOCKS * block + tails[k]);
                CHECK_OK(doca_sha_task_partial_hash_reset(task));
            }
        }
        doca_task_free(doca_sha_task_partial_hash_as_task(task));
        drop(dst);
    }
    sha_close(&s);
}

static void empty_segments_change_nothing(void)
{
    struct sha_rig s;
    struct doca_buf *dst;
    struct doca_sha_task_partial_hash *task;

    sha_open(&s);
    dst = rig_dst(&s.r, 0, 64);
    task = partial_task(&s, DOCA_SHA_ALGORITHM_SHA256, NULL, dst);
    run_segment(&s, task, get_text(&s, 0, 0), false);
    run_segment(&s, task, get_text(&s, 0, 128), false);
    run_segment(&s, task, get_text(&s, 0, 0), false);
    run_segment(&s, task, get_text(&s, 0, 0), true);
    check_digest(REF_SHA256, rig_to, text, 128);
    doca_task_free(doca_sha_task_partial_hash_as_task(task));
    drop(dst);
    sha_close(&s);
}

static void destination_is_written_by_the_final_segment(void)
{
    struct sha_rig s;
    struct doca_buf *dst;
    struct doca_sha_task_partial_hash *task;

    sha_open(&s);
    dst = rig_dst(&s.r, 0, 64);
    task = partial_task(&s, DOCA_SHA_ALGORITHM_SHA512, NULL, dst);
    memcpy(want_to, rig_to, RIG_BYTES);
    CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 0);
    run_segment(&s, task, get_text(&s, 0, 256), false);
    run_segment(&s, task, get_text(&s, 256, 128), false);
    CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 0);
    CHECK_MEM(rig_to, want_to, RIG_BYTES);
    CHECK_EQ(rig_data_len(dst), 0);
    run_segment(&s, task, get_text(&s, 384, 7), true);
    CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 1);
    check_digest(REF_SHA512, rig_to, text, 391);
    doca_task_free(doca_sha_task_partial_hash_as_task(task));
    drop(dst);
    sha_close(&s);
}

static void session_fixes_algorithm_and_destination(void)
{
    struct sha_rig s;
    struct doca_buf *dst, *other;
    struct doca_sha_task_partial_hash *task;
    unsigned way;

    sha_open(&s);
    dst = rig_dst(&s.r, 0, 64);
    other = rig_dst(&s.r, 100, 64);
    task = partial_task(&s, DOCA_SHA_ALGORITHM_SHA1, NULL, other);
    for (way = 0; way < 2; way++) { /* between segments, and after the final segment */
        CHECK_OK(doca_sha_task_partial_hash_set_dst(task, dst));
        CHECK_OK(doca_sha_task_partial_hash_set_algorithm(task, DOCA_SHA_ALGORITHM_SHA1));
        run_segment(&s, task, get_text(&s, 0, 64), false);
        if (way == 1)
            run_segment(&s, task, get_text(&s, 64, 1), true);
        CHECK_RC(doca_sha_task_partial_hash_set_dst(task, other), DOCA_ERROR_BAD_STATE);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_SHA_SESSION);
        CHECK_RC(doca_sha_task_partial_hash_set_algorithm(task, DOCA_SHA_ALGORITHM_SHA256),
                 DOCA_ERROR_BAD_STATE);
        CHECK_PTR(doca_sha_task_partial_hash_get_dst(task), dst);
        CHECK_EQ(doca_sha_task_partial_hash_get_algorithm(task), DOCA_SHA_ALGORITHM_SHA1);
        CHECK_OK(doca_sha_task_partial_hash_reset(task));
        CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 0);
        CHECK_EQ(doca_sha_task_partial_hash_get_is_final(task), 0);
        CHECK_OK(doca_sha_task_partial_hash_set_dst(task, other));
        CHECK_OK(doca_sha_task_partial_hash_set_algorithm(task, DOCA_SHA_ALGORITHM_SHA256));
        run_segment(&s, task, get_text(&s, 9, 128), false);
        run_segment(&s, task, get_text(&s, 137, 40), true);
        check_digest(REF_SHA256, rig_to + 100, text + 9, 168);
        CHECK_OK(doca_buf_reset_data_len(other));
        CHECK_OK(doca_sha_task_partial_hash_reset(task));
    }
    check_digest(REF_SHA1, rig_to, text, 65);
    doca_task_free(doca_sha_task_partial_hash_as_task(task));
    drop(dst);
    drop(other);
    sha_close(&s);
}

static void ended_session_takes_no_more_segments(void)
{
    struct sha_rig s;
    struct doca_buf *src, *dst;
    struct doca_sha_task_partial_hash *task;
    struct doca_task *base;

    sha_open(&s);
    src = get_text(&s, 0, 64);
    dst = rig_dst(&s.r, 0, 200);
    task = partial_task(&s, DOCA_SHA_ALGORITHM_SHA1, src, dst);
    base = doca_sha_task_partial_hash_as_task(task);
    CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(task)); /* the first segment is final */
    run(&s, base);
    check_digest(REF_SHA1, rig_to, text, 64);
    CHECK_RC(doca_task_try_submit(base), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_SHA_ENDED);
    CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 1);
    CHECK_OK(doca_sha_task_partial_hash_reset(task));
    run(&s, base); /* begins another session */
    CHECK_EQ(rig_data_len(dst), 20);
    doca_task_free(base);

    task = partial_task(&s, DOCA_SHA_ALGORITHM_SHA1, src, dst); /* reuses the task */
    CHECK_EQ(doca_sha_task_partial_hash_get_is_final(task), 0);
    CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 0);
    CHECK_OK(doca_sha_task_partial_hash_set_algorithm(task, DOCA_SHA_ALGORITHM_SHA512));
    doca_task_free(doca_sha_task_partial_hash_as_task(task));
    drop(src);
    drop(dst);
    sha_close(&s);
}

static void sessions_in_flight_do_not_mix(void)
{
    struct doca_sha_task_partial_hash *partial[TASKS];
    struct doca_sha_task_hash *whole[TASKS];
    struct doca_buf *dst[2 * TASKS], *src[2 * TASKS];
    struct sha_rig s;
    unsigned i, part;

    sha_open(&s);
    for (i = 0; i < TASKS; i++) {
        dst[i] = rig_dst(&s.r, i * 200, 64);
        dst[TASKS + i] = rig_dst(&s.r, i * 200 + 100, 64);
        partial[i] = partial_task(&s, algorithms[i % 3], NULL, dst[i]);
    }
    for (part = 0; part < 3; part++) {
        for (i = 0; i < TASKS; i++) {
            src[i] = get_text(&s, i * 1000 + part * 256, part < 2 ? 256 : 10 + i);
            src[TASKS + i] = get_text(&s, i * 1000 + part, 500);
            whole[i] = hash_task(&s, algorithms[(i + part) % 3], src[TASKS + i], dst[TASKS + i]);
            CHECK_OK(doca_sha_task_partial_hash_set_src(partial[i], src[i]));
            if (part == 2)
                CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(partial[i]));
            CHECK_OK(doca_task_submit(doca_sha_task_partial_hash_as_task(partial[i])));
            CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(whole[i])));
        }
        CHECK_EQ(rig_inflight(s.r.ctx), 2 * TASKS);
        rig_drain(&s.r);
        CHECK_EQ(s.r.num_ok, (part + 1) * 2 * TASKS);
        for (i = 0; i < TASKS; i++) {
            check_digest((i + part) % 3, rig_to + i * 200 + 100, text + i * 1000 + part, 500);
            doca_task_free(doca_sha_task_hash_as_task(whole[i]));
            CHECK_OK(doca_buf_reset_data_len(dst[TASKS + i]));
            drop(src[i]);
            drop(src[TASKS + i]);
        }
    }
    for (i = 0; i < TASKS; i++) {
        check_digest(i % 3, rig_to + i * 200, text + i * 1000, 522 + i);
        doca_task_free(doca_sha_task_partial_hash_as_task(partial[i]));
        drop(dst[i]);
        drop(dst[TASKS + i]);
    }
    sha_close(&s);
}

/* ---- refusals ---- */

#define SMALL "0000:0d:00.0"
#define ELSEWHERE "0000:0d:00.1"
#define SMALL_LIMITS                                                                               \
    { .sha_max_src_buf_size = 4096, .sha_max_buf_list_len = 4, .sha_max_num_tasks = 24,            \
      .dma_max_buf_size = 4096, .dma_max_buf_list_len = 4, .dma_max_num_tasks = 8, .has_dma = 1,   \
      .has_sha = 1 }

static const struct doca_core_dev_attr small_devices[] = {
    { .pci_addr = SMALL, .ibdev_name = "small_0", .iface_name = "s0", .limits = SMALL_LIMITS },
    { .pci_addr = ELSEWHERE, .ibdev_name = "small_1", .iface_name = "s1", .limits = SMALL_LIMITS },
};

static struct doca_mmap *read_only_map, *elsewhere_map;
static struct doca_dev *elsewhere;

static void open_small_rig(struct sha_rig *s)
{
    CHECK_OK(doca_core_sw_set_devices(small_devices, 2));
    sha_build(s, SMALL);
    elsewhere = rig_open_dev(ELSEWHERE);
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
    CHECK_OK(doca_ctx_start(s->r.ctx));
    rig_drain(&s->r);
    CHECK_OK(doca_mmap_create(&read_only_map));
    CHECK_OK(doca_mmap_set_memrange(read_only_map, rig_to, RIG_BYTES));
    CHECK_OK(doca_mmap_set_permissions(read_only_map, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY));
    CHECK_OK(doca_mmap_add_dev(read_only_map, s->r.dev));
    CHECK_OK(doca_mmap_start(read_only_map));
    elsewhere_map = rig_map(elsewhere, rig_to, RIG_BYTES);
}

static void close_small_rig(struct sha_rig *s)
{
    CHECK_OK(doca_mmap_destroy(read_only_map));
    CHECK_OK(doca_mmap_destroy(elsewhere_map));
    sha_close(s);
    CHECK_OK(doca_dev_close(elsewhere));
}

/* Mistakes of a SHA-256 task. Each function makes a source and a destination for its mistake. */
struct pair {
    struct doca_buf *src, *dst;
};

static struct pair source_too_large(struct sha_rig *s)
{
    return (struct pair){ get_text(s, 0, 4096 + 64), rig_dst(&s->r, 0, 64) };
}

static struct pair source_list_too_large(struct sha_rig *s)
{
    return (struct pair){ get_list(s, s->text_map, text, 1408, 3, true), rig_dst(&s->r, 0, 64) };
}

static struct pair source_list_too_long(struct sha_rig *s)
{
    return (struct pair){ get_list(s, s->text_map, text, 64, 5, true), rig_dst(&s->r, 0, 64) };
}

static struct pair destination_list_too_long(struct sha_rig *s)
{
    return (struct pair){ get_text(s, 0, 64), get_list(s, s->r.dst_map, rig_to, 40, 5, false) };
}

static struct pair destination_one_byte_short(struct sha_rig *s)
{
    return (struct pair){ get_text(s, 0, 64), rig_dst(&s->r, 0, 31) };
}

static struct pair destination_full_of_content(struct sha_rig *s)
{
    return (struct pair){ get_text(s, 0, 64), get_args(s, s->r.dst_map, rig_to, 64, 1, 32) };
}

static struct pair destination_list_one_byte_short(struct sha_rig *s)
{
    struct doca_buf *dst = rig_dst(&s->r, 0, 30);

    CHECK_OK(doca_buf_chain_list(dst, rig_dst(&s->r, 50, 1)));
    return (struct pair){ get_text(s, 0, 64), dst };
}

static struct pair destination_read_only(struct sha_rig *s)
{
    return (struct pair){ get_text(s, 0, 64), get_args(s, read_only_map, rig_to, 64, 0, 0) };
}

static struct pair source_on_another_device(struct sha_rig *s)
{
    return (struct pair){ get_args(s, elsewhere_map, rig_to, 64, 0, 64), rig_dst(&s->r, 99, 64) };
}

static struct pair destination_on_another_device(struct sha_rig *s)
{
    return (struct pair){ get_text(s, 0, 64), get_args(s, elsewhere_map, rig_to, 64, 0, 0) };
}

static struct pair source_released(struct sha_rig *s)
{
    struct pair p = { get_text(s, 0, 64), rig_dst(&s->r, 0, 64) };

    drop(p.src);
    return p;
}

static struct pair destination_released(struct sha_rig *s)
{
    struct pair p = { get_text(s, 0, 64), rig_dst(&s->r, 0, 64) };

    drop(p.dst);
    return p;
}

static struct pair segment_not_whole_blocks(struct sha_rig *s)
{
    return (struct pair){ get_text(s, 0, 65), rig_dst(&s->r, 0, 64) };
}

static struct pair segment_list_not_whole_blocks(struct sha_rig *s)
{
    return (struct pair){ get_list(s, s->text_map, text, 32, 3, true), rig_dst(&s->r, 0, 64) };
}

static const struct refusal {
    const char *name;
    struct pair (*make)(struct sha_rig *s);
    bool is_partial_only;
    doca_error_t try_submit;
    enum doca_core_item item;
} refusals[] = {
#define REFUSAL(make, is_partial_only, code, item)                                                 \
    { #make, make, is_partial_only, DOCA_ERROR_##code, DOCA_CORE_ITEM_##item }
    REFUSAL(source_too_large, false, INVALID_VALUE, TASK_TOO_LARGE),
    REFUSAL(source_list_too_large, false, INVALID_VALUE, TASK_TOO_LARGE),
    REFUSAL(source_list_too_long, false, INVALID_VALUE, TASK_LIST_TOO_LONG),
    REFUSAL(destination_list_too_long, false, INVALID_VALUE, TASK_LIST_TOO_LONG),
    REFUSAL(destination_one_byte_short, false, INVALID_VALUE, TASK_NO_ROOM),
    REFUSAL(destination_full_of_content, false, INVALID_VALUE, TASK_NO_ROOM),
    REFUSAL(destination_list_one_byte_short, false, INVALID_VALUE, TASK_NO_ROOM),
    REFUSAL(destination_read_only, false, NOT_PERMITTED, TASK_READ_ONLY),
    REFUSAL(source_on_another_device, false, INVALID_VALUE, TASK_NOT_MAPPED),
    REFUSAL(destination_on_another_device, false, INVALID_VALUE, TASK_NOT_MAPPED),
    REFUSAL(source_released, false, INVALID_VALUE, TASK_RETURNED),
    REFUSAL(destination_released, false, INVALID_VALUE, TASK_RETURNED),
    REFUSAL(segment_not_whole_blocks, true, INVALID_VALUE, SHA_SEGMENT),
    REFUSAL(segment_list_not_whole_blocks, true, INVALID_VALUE, SHA_SEGMENT),
#undef REFUSAL
};

#define NUM_REFUSALS (sizeof(refusals) / sizeof(refusals[0]))

#define CHECK_NAMED(name, got, want)                                                               \
    do {                                                                                           \
        if ((unsigned)(got) != (unsigned)(want))                                                   \
            test_fail(__FILE__, __LINE__, "%s: %s is %u, want %s = %u", name, #got,                \
                      (unsigned)(got), #want, (unsigned)(want));                                   \
    } while (0)

/* Make a task with this mistake: a hash of a whole message, or the first segment of a session. */
static struct doca_task *faulty_task(struct sha_rig *s, const struct refusal *f, bool is_partial,
                                     struct pair *p)
{
    struct doca_sha_task_partial_hash *task;

    *p = f->make(s);
    if (!is_partial)
        return doca_sha_task_hash_as_task(
            hash_task(s, DOCA_SHA_ALGORITHM_SHA256, p->src, p->dst));
    task = partial_task(s, DOCA_SHA_ALGORITHM_SHA256, p->src, p->dst);
    return doca_sha_task_partial_hash_as_task(task);
}

static void release_all(struct doca_task *task, struct pair p)
{
    doca_task_free(task);
    (void)doca_buf_dec_refcount(p.src, NULL); /* one of the two buffers may be released already */
    (void)doca_buf_dec_refcount(p.dst, NULL);
}

static void try_submit_names_every_fault(void)
{
    struct sha_rig s;
    size_t i;

    open_small_rig(&s);
    memcpy(want_to, rig_to, RIG_BYTES);
    for (i = 0; i < 2 * NUM_REFUSALS; i++) {
        const struct refusal *f = &refusals[i / 2];
        struct doca_task *task;
        struct pair p;

        if (i % 2 == 0 && f->is_partial_only)
            continue;
        task = faulty_task(&s, f, i % 2 == 1, &p);
        CHECK_NAMED(f->name, doca_task_try_submit(task), f->try_submit);
        CHECK_NAMED(f->name, doca_core_last_item(), f->item);
        CHECK_NAMED(f->name, rig_inflight(s.r.ctx), 0);
        CHECK_NAMED(f->name, rig_drain(&s.r), 0);
        if (DOCA_CORE_CHECK >= 2)
            CHECK_NAMED(f->name, doca_task_submit(task), f->try_submit);
        release_all(task, p);
    }
    CHECK_EQ(s.r.num_callbacks, 0);
    CHECK_EQ(rig_state(s.r.ctx), DOCA_CTX_STATE_RUNNING);
    CHECK_MEM(rig_to, want_to, RIG_BYTES);
    close_small_rig(&s);
}

static const struct refusal *expected;

static void check_reason(struct sha_rig *s, struct doca_task *task)
{
    (void)s;
    (void)task;
    CHECK_NAMED(expected->name, doca_core_last_item(), expected->item);
}

static void device_finds_every_fault(void)
{
    struct sha_rig s;
    unsigned num_failed = 0;
    size_t i;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("at this check level submit finds the errors");
    open_small_rig(&s);
    s.on_task = check_reason;
    memcpy(want_to, rig_to, RIG_BYTES);
    for (i = 0; i < 2 * NUM_REFUSALS; i++) {
        const struct refusal *f = expected = &refusals[i / 2];
        struct doca_task *task;
        struct pair p;

        if (i % 2 == 0 && f->is_partial_only)
            continue;
        task = faulty_task(&s, f, i % 2 == 1, &p);
        CHECK_NAMED(f->name, doca_task_submit(task), DOCA_SUCCESS);
        rig_drain(&s.r);
        CHECK_NAMED(f->name, s.r.num_failed, ++num_failed);
        CHECK_NAMED(f->name, s.r.status, DOCA_ERROR_IO_FAILED);
        CHECK_NAMED(f->name, rig_state(s.r.ctx), DOCA_CTX_STATE_STOPPING);
        release_all(task, p);
        rig_drain(&s.r);
        CHECK_NAMED(f->name, rig_state(s.r.ctx), DOCA_CTX_STATE_IDLE);
        CHECK_OK(doca_ctx_start(s.r.ctx));
        rig_drain(&s.r);
    }
    CHECK_EQ(s.r.num_ok, 0);
    CHECK_MEM(rig_to, want_to, RIG_BYTES);
    close_small_rig(&s);
}

static void good_task_at_each_limit_is_hashed(void)
{
    struct sha_rig s;
    struct doca_buf *src, *dst;
    struct doca_sha_task_hash *task;

    open_small_rig(&s);
    src = get_list(&s, s.text_map, text, 1024, 4, true);
    dst = get_list(&s, s.r.dst_map, rig_to, 8, 4, false);
    task = hash_task(&s, DOCA_SHA_ALGORITHM_SHA256, src, dst);
    run(&s, doca_sha_task_hash_as_task(task));
    check_digest(REF_SHA256, rig_to, text, 4096);
    doca_task_free(doca_sha_task_hash_as_task(task));
    drop(src);
    drop(dst);
    src = get_args(&s, read_only_map, rig_to, 64, 0, 64); /* a source needs no set permission */
    run_hash(&s, DOCA_SHA_ALGORITHM_SHA1, src);
    drop(src);
    close_small_rig(&s);
}

/* The buffers of a task in flight are released, and their memory is reused for something else. The
 * task must fail. */
static void memory_of_released_bufs_may_be_reused(void)
{
    static DOCA_CORE_ALIGNED unsigned char region[32 * DOCA_CORE_LINE];
    struct doca_buf_inventory *usual, *inventory;
    struct doca_sha_task_hash *task[3];
    struct doca_core_arena arena;
    struct sha_rig s;
    unsigned i, k;

    if (DOCA_CORE_CHECK != 1)
        test_skip("level 0 does not check buffers, and level 2 does not reuse them at once");
    for (k = 1; k <= 3; k += 2) { /* a single task, and tasks that may form a SIMD group */
        sha_open(&s);
        usual = s.r.inventory;
        CHECK_OK(doca_core_arena_init(&arena, region, sizeof(region)));
        CHECK_OK(doca_core_buf_inventory_create_in(&arena, 2 * k, &inventory));
        CHECK_OK(doca_buf_inventory_start(inventory));
        s.r.inventory = inventory;
        for (i = 0; i < k; i++) {
            CHECK_OK(doca_sha_task_hash_alloc_init(s.sha, DOCA_SHA_ALGORITHM_SHA256,
                                                   get_text(&s, 0, 64), rig_dst(&s.r, 64 * i, 64),
                                                   (union doca_data){ 0 }, &task[i]));
            CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(task[i])));
        }
        for (i = 0; i < k; i++) {
            drop((struct doca_buf *)(uintptr_t)doca_sha_task_hash_get_src(task[i]));
            drop((struct doca_buf *)(uintptr_t)doca_sha_task_hash_get_dst(task[i]));
        }
        s.r.inventory = usual;
        CHECK_OK(doca_buf_inventory_destroy(inventory));
        for (i = 0; i < sizeof(region); i++)
            region[i] = i % DOCA_CORE_LINE == 1 ? 8 : 0;
        rig_drain(&s.r);
        CHECK_EQ(s.r.num_failed, k);
        CHECK_RC(s.r.status, DOCA_ERROR_IO_FAILED);
        for (i = 0; i < k; i++)
            doca_task_free(doca_sha_task_hash_as_task(task[i]));
        sha_close(&s);
    }
}

static void null_buffers_are_refused_by_submit(void)
{
    struct sha_rig s;
    struct doca_buf *src, *dst;
    unsigned way;

    sha_open(&s);
    src = get_text(&s, 0, 64);
    dst = rig_dst(&s.r, 0, 64);
    for (way = 0; way < 4; way++) {
        struct doca_sha_task_hash *whole =
            hash_task(&s, DOCA_SHA_ALGORITHM_SHA1, way & 1 ? src : NULL, way & 2 ? dst : NULL);
        struct doca_sha_task_partial_hash *partial =
            partial_task(&s, DOCA_SHA_ALGORITHM_SHA1, way & 1 ? src : NULL, way & 2 ? dst : NULL);
        struct doca_task *tasks[] = { doca_sha_task_hash_as_task(whole),
                                      doca_sha_task_partial_hash_as_task(partial) };
        unsigned i;

        for (i = 0; i < 2; i++) {
            if (way != 3) {
                CHECK_RC(doca_task_submit(tasks[i]), DOCA_ERROR_INVALID_VALUE);
                CHECK_RC(doca_task_try_submit(tasks[i]), DOCA_ERROR_INVALID_VALUE);
                CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NO_BUFFER);
                CHECK_RC(doca_task_submit_ex(tasks[i], 0), DOCA_ERROR_INVALID_VALUE);
                CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_NO_BUFFER);
            }
            doca_task_free(tasks[i]);
        }
    }
    CHECK_EQ(rig_inflight(s.r.ctx), 0);
    drop(src);
    drop(dst);
    sha_close(&s);
}

/* ---- several tasks in flight ---- */

enum { LOG_MANY = 6, MANY = 1 << LOG_MANY };

/* Open a rig as sha_open() does, with MANY tasks of each type, which the test frees. */
static void open_for_many(struct sha_rig *s)
{
    sha_build(s, NULL);
    CHECK_OK(doca_sha_task_hash_set_conf(s->sha, hash_completed, hash_failed, LOG_MANY));
    CHECK_OK(doca_sha_task_partial_hash_set_conf(s->sha, partial_completed, partial_failed,
                                                 LOG_MANY));
    CHECK_OK(doca_ctx_start(s->r.ctx));
    rig_drain(&s->r);
}

/* A task with its source and its destination in rig_to. */
struct hashing {
    struct doca_sha_task_hash *task;
    struct doca_buf *src, *dst;
    unsigned algorithm;
    size_t off, len;
};

/* Submit task number `i`, which hashes bytes [off, off + len) of the text. The destination has
 * `room` bytes. */
static void submit_to(struct sha_rig *s, struct hashing *h, unsigned i, unsigned algorithm,
                      size_t off, size_t len, size_t room)
{
    h->algorithm = algorithm;
    h->off = off;
    h->len = len;
    h->src = get_text(s, off, len);
    h->dst = rig_dst(&s->r, 64 * i, room);
    h->task = hash_task(s, algorithms[algorithm], h->src, h->dst);
    doca_task_set_user_data(doca_sha_task_hash_as_task(h->task), (union doca_data){ .u64 = i });
    CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(h->task)));
}

static void submit_hash(struct sha_rig *s, struct hashing *h, unsigned i, unsigned algorithm,
                        size_t off, size_t len)
{
    submit_to(s, h, i, algorithm, off, len, 64);
}

static void release_hash(struct hashing *h)
{
    doca_task_free(doca_sha_task_hash_as_task(h->task));
    drop(h->src);
    drop(h->dst);
}

/* Check that the task succeeded and wrote only its digest. */
static void check_hash(const struct hashing *h, unsigned i)
{
    CHECK_OK(doca_task_get_status(doca_sha_task_hash_as_task(h->task)));
    CHECK_EQ(rig_data_len(h->dst), ref_bytes[h->algorithm].digest);
    check_digest(h->algorithm, rig_to + 64 * i, text + h->off, h->len);
    if (ref_bytes[h->algorithm].digest < 64)
        CHECK_EQ(rig_to[64 * i + ref_bytes[h->algorithm].digest], 0xee);
}

/* Hook which checks that tasks complete in the order of their numbers. */
static void expect_next(struct sha_rig *s, struct doca_task *task)
{
    CHECK_EQ(doca_task_get_user_data(task).u64, s->r.todo);
    s->r.todo++;
}

static void tasks_in_flight_complete_in_order(void)
{
    static const size_t limits[] = { 100, 1000, 20000 };
    struct hashing hashing[MANY];
    struct sha_rig s;
    unsigned num, i, k;

    open_for_many(&s);
    s.on_task = expect_next;
    for (num = 1; num <= MANY; num = num < 20 ? num + 1 : num * 2 - 8) {
        memset(rig_to, 0xee, RIG_BYTES);
        s.r.todo = 0;
        for (i = 0; i < num; i++) { /* one algorithm, or a change of algorithm after some tasks */
            size_t limit = limits[rig_random(3)];

            submit_hash(&s, &hashing[i], i, (num + i / 24) % 3, i * 5, rig_random((uint32_t)limit));
        }
        for (i = 0; i < num; i++) {
            CHECK_EQ(rig_inflight(s.r.ctx), num - i);
            k = s.r.num_ok;
            CHECK(rig_progress(&s.r));
            CHECK_EQ(s.r.num_ok, k + 1);
        }
        CHECK_EQ(rig_inflight(s.r.ctx), 0);
        for (i = 0; i < num; i++) {
            check_hash(&hashing[i], i);
            release_hash(&hashing[i]);
        }
    }
    sha_close(&s);
}

/* Random buffers over the first NARROW bytes of rig_to, with room for two digests. */
enum { NARROW = 1500 };

static struct doca_buf *narrow_buf(struct sha_rig *s)
{
    size_t len = 140 + rig_random(rig_random(2) == 0 ? 60 : 600), off = rig_random(8);

    return get_args(s, s->r.dst_map, rig_to + rig_random((uint32_t)(NARROW - len)), len, off,
                    rig_random((uint32_t)(len - off - 127)));
}

static size_t content_at(const struct doca_buf *buf)
{
    void *data;

    CHECK_OK(doca_buf_get_data(buf, &data));
    return (size_t)((unsigned char *)data - rig_to);
}

/* Tasks read bytes that other tasks write, and write bytes that other tasks read or write. The
 * result must be as if the tasks ran one after the other. */
static void overlapping_tasks_give_the_result_of_sequential_tasks(void)
{
    enum { NUM = 20 };
    struct doca_sha_task_hash *task[NUM];
    struct doca_buf *buf[NUM];
    size_t at[NUM], len[NUM]; /* expected offset and length of each buffer's content */
    unsigned char digest[64];
    unsigned round, i, src, dst;
    struct sha_rig s;

    open_for_many(&s);
    for (round = 0; round < 200; round++) {
        unsigned a = rig_random(3);

        for (i = 0; i < NARROW; i++)
            rig_to[i] = (unsigned char)rig_random(256);
        memcpy(want_to, rig_to, NARROW);
        for (i = 0; i < NUM; i++) {
            buf[i] = narrow_buf(&s);
            at[i] = content_at(buf[i]);
            len[i] = rig_data_len(buf[i]);
        }
        for (i = 0; i < NUM; i++) {
            src = rig_random(NUM);
            dst = i % 8 == 7 ? i - 1 : i; /* a destination that already has a digest */
            task[i] = hash_task(&s, algorithms[a], buf[src], buf[dst]);
            CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(task[i])));
            independent_hash(a, want_to + at[src], len[src], digest);
            memcpy(want_to + at[dst] + len[dst], digest, ref_bytes[a].digest);
            len[dst] += ref_bytes[a].digest;
        }
        rig_drain(&s.r);
        CHECK_EQ(s.r.num_failed, 0);
        CHECK_MEM(rig_to, want_to, NARROW);
        for (i = 0; i < NUM; i++) {
            CHECK_EQ(rig_data_len(buf[i]), len[i]);
            doca_task_free(doca_sha_task_hash_as_task(task[i]));
            drop(buf[i]);
        }
    }
    sha_close(&s);
}

/* Tasks complete in order, also with lists, partial hashes and several algorithms. */
static void tasks_of_all_types_complete_in_order(void)
{
    struct doca_sha_task_partial_hash *partial[MANY];
    struct hashing hashing[MANY];
    struct doca_buf *list;
    struct sha_rig s;
    unsigned round, i;

    open_for_many(&s);
    s.on_task = expect_next;
    for (round = 0; round < 20; round++) {
        memset(rig_to, 0xee, RIG_BYTES);
        s.r.todo = 0;
        for (i = 0; i < MANY; i++) {
            unsigned a = rig_random(8) == 0 ? rig_random(3) : round % 3, kind = rig_random(6);
            size_t len = 1 + rig_random(3000);

            partial[i] = NULL;
            if (kind > 1) {
                submit_hash(&s, &hashing[i], i, a, i, len);
                continue;
            }
            hashing[i].algorithm = a;
            hashing[i].off = 0;
            hashing[i].len = kind == 1 ? len + 70 : len;
            hashing[i].src = list = get_text(&s, 0, len);
            if (kind == 1)
                CHECK_OK(doca_buf_chain_list(list, get_text(&s, len, 70)));
            hashing[i].dst = rig_dst(&s.r, 64 * i, 64);
            if (kind == 1) {
                hashing[i].task = hash_task(&s, algorithms[a], list, hashing[i].dst);
            } else {
                partial[i] = partial_task(&s, algorithms[a], list, hashing[i].dst);
                CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(partial[i]));
            }
            doca_task_set_user_data(partial[i] != NULL
                                        ? doca_sha_task_partial_hash_as_task(partial[i])
                                        : doca_sha_task_hash_as_task(hashing[i].task),
                                    (union doca_data){ .u64 = i });
            CHECK_OK(doca_task_submit(partial[i] != NULL
                                          ? doca_sha_task_partial_hash_as_task(partial[i])
                                          : doca_sha_task_hash_as_task(hashing[i].task)));
        }
        rig_drain(&s.r);
        CHECK_EQ(s.r.todo, MANY);
        CHECK_EQ(s.r.num_failed, 0);
        for (i = 0; i < MANY; i++) {
            check_digest(hashing[i].algorithm, rig_to + 64 * i, text + hashing[i].off,
                         hashing[i].len);
            if (partial[i] == NULL) {
                release_hash(&hashing[i]);
                continue;
            }
            doca_task_free(doca_sha_task_partial_hash_as_task(partial[i]));
            drop(hashing[i].src);
            drop(hashing[i].dst);
        }
    }
    sha_close(&s);
}

/* Check that tasks [first, num) completed with `status` and wrote nothing. */
static void check_untouched(struct hashing *hashing, unsigned first, unsigned num,
                            doca_error_t status)
{
    unsigned i, k;

    for (i = first; i < num; i++) {
        CHECK_RC(doca_task_get_status(doca_sha_task_hash_as_task(hashing[i].task)), status);
        CHECK_EQ(rig_data_len(hashing[i].dst), 0);
        for (k = 0; k < 64; k++)
            CHECK_EQ(rig_to[64 * i + k], 0xee);
    }
}

/* A wrong task at any position: the tasks before it succeed, the tasks after it are flushed. */
static void wrong_task_fails_only_later_tasks(void)
{
    struct hashing hashing[MANY];
    struct sha_rig s;
    unsigned bad, i;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("submit refuses the wrong task at this check level");
    for (bad = 0; bad < 24; bad++) {
        open_for_many(&s);
        s.on_task = expect_next;
        for (i = 0; i < 24; i++)
            submit_to(&s, &hashing[i], i, bad % 3, i, 700, i == bad ? 4 : 64);
        rig_drain(&s.r);
        CHECK_EQ(s.r.num_ok, bad);
        CHECK_EQ(s.r.num_failed, 24 - bad);
        for (i = 0; i < bad; i++)
            check_hash(&hashing[i], i);
        check_untouched(hashing, bad, 24, DOCA_ERROR_IO_FAILED);
        for (i = 0; i < 24; i++)
            release_hash(&hashing[i]);
        sha_close(&s);
    }
}

/* The library checks several tasks at a time. It must find each mistake there, too. */
static void every_error_is_found_among_several_tasks(void)
{
    enum { GOOD = 6 };
    struct hashing hashing[GOOD];
    struct doca_task *task;
    struct sha_rig s;
    struct pair p;
    size_t i;
    unsigned k;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("at this check level submit finds the errors");
    open_small_rig(&s);
    for (i = 0; i < NUM_REFUSALS && !refusals[i].is_partial_only; i++) {
        memset(rig_to, 0xee, RIG_BYTES);
        s.r.num_ok = s.r.num_failed = 0;
        for (k = 0; k < GOOD; k++)
            submit_hash(&s, &hashing[k], 2 + k, REF_SHA256, k, 700);
        task = faulty_task(&s, &refusals[i], false, &p);
        CHECK_NAMED(refusals[i].name, doca_task_submit(task), DOCA_SUCCESS);
        rig_drain(&s.r);
        CHECK_NAMED(refusals[i].name, s.r.num_ok, GOOD);
        CHECK_NAMED(refusals[i].name, s.r.num_failed, 1);
        CHECK_NAMED(refusals[i].name, doca_task_get_status(task), DOCA_ERROR_IO_FAILED);
        for (k = 0; k < GOOD; k++) {
            check_hash(&hashing[k], 2 + k);
            release_hash(&hashing[k]);
        }
        release_all(task, p);
        rig_drain(&s.r);
        CHECK_OK(doca_ctx_start(s.r.ctx));
        rig_drain(&s.r);
    }
    CHECK_EQ(i, NUM_REFUSALS - 2);
    close_small_rig(&s);
}

static void stop_flushes_tasks_that_are_not_hashed(void)
{
    struct hashing hashing[MANY];
    struct sha_rig s;
    unsigned before, i;

    for (before = 0; before <= 20; before++) { /* number of callbacks before the stop */
        open_for_many(&s);
        s.on_task = expect_next;
        for (i = 0; i < 20; i++)
            submit_hash(&s, &hashing[i], i, before % 3, i, 300);
        for (i = 0; i < before; i++)
            CHECK(rig_progress(&s.r));
        CHECK_RC(doca_ctx_stop(s.r.ctx), DOCA_ERROR_IN_PROGRESS);
        rig_drain(&s.r);
        CHECK(s.r.num_ok >= before);
        CHECK_EQ(s.r.todo, 20);
        for (i = 0; i < s.r.num_ok; i++)
            check_hash(&hashing[i], i);
        check_untouched(hashing, s.r.num_ok, 20, DOCA_ERROR_SHUTDOWN);
        for (i = 0; i < 20; i++)
            release_hash(&hashing[i]);
        sha_close(&s);
    }
}

/* The handle is readable until progress has returned all finished tasks. */
static void finished_tasks_wake_the_pe(void)
{
    struct hashing hashing[MANY];
    doca_notification_handle_t handle;
    struct pollfd ready;
    struct sha_rig s;
    unsigned i;

    open_for_many(&s);
    for (i = 0; i < 16; i++)
        submit_hash(&s, &hashing[i], i, REF_SHA1, i, 500);
    CHECK_OK(doca_pe_get_notification_handle(s.r.pe, &handle));
    for (i = 0; i <= 16; i++) {
        CHECK_OK(doca_pe_request_notification(s.r.pe));
        ready.fd = handle;
        ready.events = POLLIN;
        CHECK_EQ(poll(&ready, 1, 0), i < 16);
        CHECK_OK(doca_pe_clear_notification(s.r.pe, handle));
        CHECK_EQ(rig_progress(&s.r), i < 16);
    }
    for (i = 0; i < 16; i++) {
        check_hash(&hashing[i], i);
        release_hash(&hashing[i]);
    }
    sha_close(&s);
}

/* Hook that submits each task again, so that the queue is never empty. */
static void resubmit_often(struct sha_rig *s, struct doca_task *task)
{
    struct hashing *h = doca_task_get_user_data(task).ptr;

    CHECK_EQ(rig_data_len(h->dst), ref_bytes[h->algorithm].digest);
    check_digest(h->algorithm, rig_to + h->off, text + h->off, h->len);
    if (s->r.todo == 0)
        return;
    s->r.todo--;
    memset(rig_to + h->off, 0xee, 64);
    CHECK_OK(doca_buf_set_data(h->dst, rig_to + h->off, 0));
    CHECK_OK(doca_task_submit(task));
}

static void queue_that_is_never_empty_hashes_all_tasks(void)
{
    struct hashing hashing[MANY];
    struct sha_rig s;
    unsigned i;

    open_for_many(&s);
    s.on_task = resubmit_often;
    s.r.todo = 2000;
    for (i = 0; i < 21; i++) {
        submit_hash(&s, &hashing[i], i, REF_SHA512, 64 * i, 10 * i);
        doca_task_set_user_data(doca_sha_task_hash_as_task(hashing[i].task),
                                (union doca_data){ .ptr = &hashing[i] });
    }
    rig_drain(&s.r);
    CHECK_EQ(s.r.num_ok, 2021);
    for (i = 0; i < 21; i++)
        release_hash(&hashing[i]);
    sha_close(&s);
}

/* ---- states of the engine ---- */

static void stop_flushes_tasks_and_keeps_the_session(void)
{
    struct sha_rig s;
    struct doca_sha_task_partial_hash *partial;
    struct doca_sha_task_hash *whole[3];
    struct doca_buf *src, *dst;
    unsigned i;

    sha_open(&s);
    src = get_text(&s, 0, 64);
    dst = rig_dst(&s.r, 0, 64);
    partial = partial_task(&s, DOCA_SHA_ALGORITHM_SHA1, src, dst);
    run(&s, doca_sha_task_partial_hash_as_task(partial));
    for (i = 0; i < 3; i++) {
        whole[i] = hash_task(&s, DOCA_SHA_ALGORITHM_SHA1, src, dst);
        CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(whole[i])));
    }
    CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(partial));
    CHECK_OK(doca_task_submit(doca_sha_task_partial_hash_as_task(partial)));
    CHECK_RC(doca_ctx_stop(s.r.ctx), DOCA_ERROR_IN_PROGRESS);
    rig_drain(&s.r);
    CHECK_EQ(s.r.num_ok, 1);
    CHECK_EQ(s.r.num_failed, 4);
    CHECK_RC(s.r.status, DOCA_ERROR_SHUTDOWN);
    CHECK_EQ(rig_data_len(dst), 0);
    CHECK_EQ(doca_sha_task_partial_hash_get_has_result(partial), 0);
    CHECK_RC(doca_sha_task_partial_hash_set_dst(partial, NULL), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_task_submit(doca_sha_task_partial_hash_as_task(partial)), DOCA_ERROR_BAD_STATE);
    for (i = 0; i < 3; i++)
        doca_task_free(doca_sha_task_hash_as_task(whole[i]));
    doca_task_free(doca_sha_task_partial_hash_as_task(partial));
    rig_drain(&s.r);
    CHECK_EQ(rig_state(s.r.ctx), DOCA_CTX_STATE_IDLE);

    CHECK_OK(doca_ctx_start(s.r.ctx)); /* the context works again */
    run_hash(&s, DOCA_SHA_ALGORITHM_SHA512, src);
    check_digest(REF_SHA512, rig_to, text, 64);
    drop(src);
    drop(dst);
    sha_close(&s);
}

static void failed_task_stops_the_context(void)
{
    struct sha_rig s;
    struct doca_sha_task_hash *bad, *good;
    struct doca_buf *src, *dst, *tight;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("submit refuses the first task at this check level");
    sha_open(&s);
    src = get_text(&s, 0, 64);
    dst = rig_dst(&s.r, 0, 64);
    tight = rig_dst(&s.r, 100, 19);
    bad = hash_task(&s, DOCA_SHA_ALGORITHM_SHA1, src, tight);
    good = hash_task(&s, DOCA_SHA_ALGORITHM_SHA1, src, dst);
    CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(bad)));
    CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(good)));
    rig_drain(&s.r);
    CHECK_EQ(s.r.num_failed, 2);
    CHECK_RC(doca_task_get_status(doca_sha_task_hash_as_task(good)), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(rig_data_len(dst), 0);
    doca_task_free(doca_sha_task_hash_as_task(bad));
    doca_task_free(doca_sha_task_hash_as_task(good));
    drop(src);
    drop(dst);
    drop(tight);
    sha_close(&s);
}

static void resubmit_until(struct sha_rig *s, struct doca_task *task)
{
    if (s->r.num_ok < 50)
        CHECK_OK(doca_task_submit(task));
}

static void task_is_submitted_again_from_its_callback(void)
{
    struct sha_rig s;
    struct doca_sha_task_partial_hash *task;
    struct doca_buf *src, *dst;

    sha_open(&s);
    src = get_text(&s, 0, 64);
    dst = rig_dst(&s.r, 0, 64);
    task = partial_task(&s, DOCA_SHA_ALGORITHM_SHA256, src, dst);
    s.on_task = resubmit_until;
    CHECK_OK(doca_task_submit(doca_sha_task_partial_hash_as_task(task)));
    rig_drain(&s.r);
    CHECK_EQ(s.r.num_ok, 50);
    s.on_task = NULL;
    drop(src);
    run_segment(&s, task, get_text(&s, 5, 3), true);
    for (size_t i = 50; i-- > 1;)
        memcpy(text + 64 * i, text, 64);
    memmove(text + 64 * 50, (unsigned char[]){ text[5], text[6], text[7] }, 3);
    check_digest(REF_SHA256, rig_to, text, 64 * 50 + 3);
    doca_task_free(doca_sha_task_partial_hash_as_task(task));
    drop(dst);
    sha_close(&s);
}

static void buffer_released_in_flight_fails_the_task(void)
{
    struct doca_sha_task_hash *task;
    struct doca_buf *bufs[2];
    struct sha_rig s;
    unsigned side;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("a buffer in flight cannot be released at this check level");
    for (side = 0; side < 2; side++) {
        sha_open(&s);
        bufs[0] = get_text(&s, 0, 64);
        bufs[1] = rig_dst(&s.r, 0, 64);
        task = hash_task(&s, DOCA_SHA_ALGORITHM_SHA256, bufs[0], bufs[1]);
        CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(task)));
        drop(bufs[side]);
        rig_drain(&s.r);
        CHECK_EQ(s.r.num_failed, 1);
        CHECK_RC(s.r.status, DOCA_ERROR_IO_FAILED);
        CHECK_EQ(rig_to[0], 0xee);
        doca_task_free(doca_sha_task_hash_as_task(task));
        drop(bufs[1 - side]);
        sha_close(&s);
    }
}

/* A task keeps its parameters until the program sets others. The engine uses the latest parameters.
 * Setting them does not change tasks of the other type. */
static void task_keeps_its_parameters_until_they_are_set(void)
{
    struct doca_buf *src[2], *dst[2];
    struct doca_sha_task_partial_hash *partial;
    struct doca_sha_task_hash *task;
    struct sha_rig s;
    unsigned i;

    sha_open(&s);
    for (i = 0; i < 2; i++) {
        src[i] = get_text(&s, 100 * i, 100);
        dst[i] = rig_dst(&s.r, 64 * i, 64);
    }
    task = hash_task(&s, DOCA_SHA_ALGORITHM_SHA1, src[0], dst[0]);
    CHECK_PTR(doca_sha_task_hash_get_src(task), src[0]);
    CHECK_PTR(doca_sha_task_hash_get_dst(task), dst[0]);
    CHECK_EQ(doca_sha_task_hash_get_algorithm(task), DOCA_SHA_ALGORITHM_SHA1);
    CHECK_OK(doca_sha_task_hash_set_src(task, src[1]));
    CHECK_OK(doca_sha_task_hash_set_dst(task, dst[1]));
    CHECK_OK(doca_sha_task_hash_set_algorithm(task, DOCA_SHA_ALGORITHM_SHA256));
    CHECK_PTR(doca_sha_task_hash_get_src(task), src[1]);
    CHECK_PTR(doca_sha_task_hash_get_dst(task), dst[1]);
    CHECK_EQ(doca_sha_task_hash_get_algorithm(task), DOCA_SHA_ALGORITHM_SHA256);
    if (DOCA_CORE_CHECK >= 1) {
        partial = partial_task(&s, DOCA_SHA_ALGORITHM_SHA1, src[0], dst[0]);
        CHECK_PTR(doca_sha_task_hash_get_src((void *)partial), NULL);
        CHECK_PTR(doca_sha_task_hash_get_dst((void *)partial), NULL);
        CHECK_RC(doca_sha_task_hash_set_dst((void *)partial, dst[1]), DOCA_ERROR_INVALID_VALUE);
        CHECK_PTR(doca_sha_task_partial_hash_get_dst(partial), dst[0]);
        doca_task_free(doca_sha_task_partial_hash_as_task(partial));
    }
    run(&s, doca_sha_task_hash_as_task(task));
    CHECK_EQ(rig_data_len(dst[0]), 0);
    CHECK_EQ(rig_data_len(dst[1]), 32);
    check_digest(REF_SHA256, rig_to + 64, text + 100, 100);
    CHECK_EQ(rig_to[0], 0xee);
    doca_task_free(doca_sha_task_hash_as_task(task));
    for (i = 0; i < 2; i++) {
        drop(src[i]);
        drop(dst[i]);
    }
    sha_close(&s);
}

static void task_in_flight_cannot_be_changed(void)
{
    struct sha_rig s;
    struct doca_sha_task_hash *whole;
    struct doca_sha_task_partial_hash *partial;
    struct doca_buf *src, *dst;

    sha_open(&s);
    src = get_text(&s, 0, 64);
    dst = rig_dst(&s.r, 0, 64);
    whole = hash_task(&s, DOCA_SHA_ALGORITHM_SHA1, src, dst);
    partial = partial_task(&s, DOCA_SHA_ALGORITHM_SHA1, src, dst);
    CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(whole)));
    CHECK_OK(doca_task_submit(doca_sha_task_partial_hash_as_task(partial)));
    CHECK_RC(doca_sha_task_hash_set_src(whole, NULL), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sha_task_hash_set_dst(whole, NULL), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sha_task_hash_set_algorithm(whole, DOCA_SHA_ALGORITHM_SHA512),
             DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sha_task_partial_hash_set_src(partial, NULL), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sha_task_partial_hash_set_dst(partial, NULL), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sha_task_partial_hash_set_algorithm(partial, DOCA_SHA_ALGORITHM_SHA512),
             DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sha_task_partial_hash_reset(partial), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sha_task_partial_hash_set_is_final_buf(partial), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_sha_destroy(s.sha), DOCA_ERROR_IN_USE);
    rig_drain(&s.r);
    CHECK_EQ(s.r.num_ok, 2);
    check_digest(REF_SHA1, rig_to, text, 64);
    doca_task_free(doca_sha_task_hash_as_task(whole));
    CHECK_RC(doca_sha_task_hash_set_src(whole, NULL), DOCA_ERROR_BAD_STATE);
    doca_task_free(doca_sha_task_partial_hash_as_task(partial));
    drop(src);
    drop(dst);
    sha_close(&s);
}

static void sha_and_dma_contexts_share_a_progress_engine(void)
{
    struct sha_rig s;
    struct doca_dma *dma;
    struct doca_dma_task_memcpy *copy;
    struct doca_sha_task_hash *hash;
    struct doca_buf *src, *dst;
    struct rig *r;

    sha_open(&s);
    r = &s.r;
    dma = rig_make_dma(r, 1);
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
    rig_drain(r);
    src = get_text(&s, 0, 64);
    dst = rig_dst(r, 0, 64);
    hash = hash_task(&s, DOCA_SHA_ALGORITHM_SHA1, src, dst);
    CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(hash)));
    copy = rig_copy(r, dma, 500, 64);
    rig_drain(r);
    CHECK_EQ(r->num_ok, 2);
    check_digest(REF_SHA1, rig_to, text, 64);
    CHECK_MEM(rig_to + 500, rig_from + 500, 64);
    rig_release(copy);
    doca_task_free(doca_sha_task_hash_as_task(hash));
    drop(src);
    drop(dst);
    rig_stop(r, doca_dma_as_ctx(dma));
    CHECK_OK(doca_dma_destroy(dma));
    sha_close(&s);
}

/* ---- configuration, capabilities, arguments ---- */

static void task_counts_are_logarithms(void)
{
    struct doca_sha_task_hash *tasks[8], *more;
    struct doca_sha_task_partial_hash *partial;
    struct sha_rig s;
    unsigned log, i;

    sha_build(&s, NULL);
    CHECK_RC(doca_sha_task_hash_alloc_init(s.sha, DOCA_SHA_ALGORITHM_SHA1, NULL, NULL,
                                           (union doca_data){ 0 }, &more), DOCA_ERROR_BAD_STATE);
    for (log = 0; log <= 3; log++) {
        CHECK_OK(doca_sha_task_hash_set_conf(s.sha, hash_completed, hash_failed, (uint8_t)log));
        CHECK_OK(doca_ctx_start(s.r.ctx));
        CHECK_RC(doca_sha_task_hash_set_conf(s.sha, hash_completed, hash_failed, 0),
                 DOCA_ERROR_BAD_STATE);
        CHECK_RC(doca_sha_task_partial_hash_set_conf(s.sha, partial_completed, partial_failed, 0),
                 DOCA_ERROR_BAD_STATE);
        for (i = 0; i < 1u << log; i++)
            tasks[i] = hash_task(&s, DOCA_SHA_ALGORITHM_SHA1, NULL, NULL);
        CHECK_RC(doca_sha_task_hash_alloc_init(s.sha, DOCA_SHA_ALGORITHM_SHA1, NULL, NULL,
                                               (union doca_data){ 0 }, &more),
                 DOCA_ERROR_NO_MEMORY);
        /* each type has its own tasks */
        partial = partial_task(&s, DOCA_SHA_ALGORITHM_SHA1, NULL, NULL);
        doca_task_free(doca_sha_task_partial_hash_as_task(partial));
        while (i-- > 0)
            doca_task_free(doca_sha_task_hash_as_task(tasks[i]));
        rig_stop(&s.r, s.r.ctx);
    }
    sha_close(&s);
}

static void one_type_of_tasks_is_enough(void)
{
    struct doca_sha_task_partial_hash *partial;
    struct sha_rig s;
    struct doca_sha *sha;
    struct doca_ctx *ctx;

    sha_build(&s, NULL);
    CHECK_OK(doca_sha_create(s.r.dev, &sha));
    ctx = doca_sha_as_ctx(sha);
    CHECK_OK(doca_pe_connect_ctx(s.r.pe, ctx));
    CHECK_RC(doca_ctx_start(ctx), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_NO_TASK_TYPE);
    CHECK_OK(doca_sha_task_hash_set_conf(sha, hash_completed, hash_failed, 0));
    CHECK_OK(doca_ctx_start(ctx));
    CHECK_RC(doca_sha_task_partial_hash_alloc_init(sha, DOCA_SHA_ALGORITHM_SHA1, NULL, NULL,
                                                   (union doca_data){ 0 }, &partial),
             DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_sha_destroy(sha));
    sha_close(&s);
}

static void task_counts_are_limited(void)
{
    struct sha_rig s;
    uint32_t max;

    open_small_rig(&s); /* the limit is 24 tasks; 8 of each type are configured */
    rig_stop(&s.r, s.r.ctx);
    CHECK_OK(doca_sha_cap_get_max_num_tasks(s.sha, &max));
    CHECK_EQ(max, 24);
    CHECK_OK(doca_sha_task_hash_set_conf(s.sha, hash_completed, hash_failed, 4));
    CHECK_RC(doca_sha_task_partial_hash_set_conf(s.sha, partial_completed, partial_failed, 4),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_TOO_MANY_TASKS);
    CHECK_RC(doca_sha_task_hash_set_conf(s.sha, hash_completed, hash_failed, 5),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sha_task_hash_set_conf(s.sha, hash_completed, hash_failed, 32),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sha_task_hash_set_conf(s.sha, hash_completed, hash_failed, 255),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sha_task_hash_set_conf(s.sha, NULL, hash_failed, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sha_task_partial_hash_set_conf(s.sha, partial_completed, NULL, 0),
             DOCA_ERROR_INVALID_VALUE);
    close_small_rig(&s);
}

static const struct { const char *name; uint64_t max_bytes; uint32_t max_list; bool has_sha; }
    profiles[] = {
        { "default", 1u << 30, 65536, true },
        { "unlimited", SIZE_MAX, UINT32_MAX, true },
        { "bluefield2", 128u << 20, 64, true },
        { "bluefield3", 0, 0, false },
        { "connectx7", 0, 0, false },
    };

static void restore_default_profile(void)
{
    const char *name = getenv("DOCA_CORE_SW_PROFILE");

    if (name == NULL || doca_core_sw_set_profile(name) != DOCA_SUCCESS)
        CHECK_OK(doca_core_sw_set_profile("default"));
}

static void check_capabilities(const struct doca_devinfo *info, bool has_sha, uint64_t max_bytes,
                               uint32_t max_list)
{
    doca_error_t want = has_sha ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
    uint64_t bytes = 1;
    uint32_t n = 1;
    unsigned a;

    for (a = 0; a < 3; a++) {
        CHECK_RC(doca_sha_cap_task_hash_get_supported(info, algorithms[a]), want);
        CHECK_RC(doca_sha_cap_task_partial_hash_get_supported(info, algorithms[a]), want);
        CHECK_RC(doca_sha_cap_get_min_dst_buf_size(info, algorithms[a], &n), want);
        CHECK_EQ(n, has_sha ? ref_bytes[a].digest : 1);
        CHECK_RC(doca_sha_cap_get_partial_hash_block_size(info, algorithms[a], &n), want);
        CHECK_EQ(n, has_sha ? ref_bytes[a].block : 1);
    }
    CHECK_RC(doca_sha_cap_get_max_src_buf_size(info, &bytes), want);
    CHECK_EQ(bytes, has_sha ? max_bytes : 1);
    CHECK_RC(doca_sha_cap_get_max_list_buf_num_elem(info, &n), want);
    CHECK_EQ(n, has_sha ? max_list : 1);
}

static void capabilities_answer_the_limits_of_the_profile(void)
{
    struct sha_rig s;
    uint32_t max;
    size_t i;

    for (i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
        CHECK_OK(doca_core_sw_set_profile(profiles[i].name));
        sha_build(&s, NULL);
        check_capabilities(doca_dev_as_devinfo(s.r.dev), profiles[i].has_sha,
                           profiles[i].max_bytes, profiles[i].max_list);
        CHECK_OK(doca_sha_cap_get_max_num_tasks(s.sha, &max));
        CHECK_EQ(max, profiles[i].has_sha ? 65536 : 0);
        CHECK_RC(doca_ctx_start(s.r.ctx),
                 profiles[i].has_sha ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED);
        if (profiles[i].has_sha) {
            CHECK_RC(doca_sha_task_hash_set_conf(s.sha, hash_completed, hash_failed, 17),
                     DOCA_ERROR_INVALID_VALUE);
        } else {
            CHECK_OK(doca_sha_task_hash_set_conf(s.sha, hash_completed, hash_failed, 17));
            CHECK_EQ(rig_state(s.r.ctx), DOCA_CTX_STATE_IDLE);
        }
        sha_close(&s);
    }
    restore_default_profile();
}

static void device_table_needs_limits(void)
{
    struct doca_core_dev_attr attr;
    struct sha_rig s;
    uint32_t max;
    unsigned i;

    for (i = 0; i < 3; i++) {
        attr = small_devices[0];
        if (i == 0)
            attr.limits.sha_max_src_buf_size = 0;
        else if (i == 1)
            attr.limits.sha_max_buf_list_len = 0;
        else
            attr.limits.sha_max_num_tasks = 0;
        CHECK_RC(doca_core_sw_set_devices(&attr, 1), DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_SW_LIMITS);
        attr.limits.has_sha = 0; /* without the engine its limits have no meaning */
        attr.limits.sha_max_num_tasks = 7;
        CHECK_OK(doca_core_sw_set_devices(&attr, 1));
        sha_build(&s, NULL);
        CHECK_OK(doca_sha_cap_get_max_num_tasks(s.sha, &max));
        CHECK_EQ(max, 0);
        sha_close(&s);
    }
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
}

static void wrong_arguments_are_refused(void)
{
    enum doca_sha_algorithm none = (enum doca_sha_algorithm)3;
    struct doca_sha_task_hash *task = NULL;
    struct doca_sha_task_partial_hash *partial = NULL;
    const struct doca_devinfo *info;
    struct sha_rig s;
    struct doca_sha *sha = NULL;
    uint64_t bytes;
    uint32_t n;
    size_t size;

    sha_open(&s);
    info = doca_dev_as_devinfo(s.r.dev);
#define REFUSED(call) CHECK_RC(call, DOCA_ERROR_INVALID_VALUE)
    REFUSED(doca_sha_create(NULL, &sha));
    REFUSED(doca_sha_create(s.r.dev, NULL));
    REFUSED(doca_core_sha_create_in(NULL, s.r.dev, &sha));
    REFUSED(doca_core_bytes_sha(NULL, 1, 1, &size));
    REFUSED(doca_core_bytes_sha(s.r.dev, 1, 1, NULL));
    REFUSED(doca_sha_destroy(NULL));
    CHECK_PTR(doca_sha_as_ctx(NULL), NULL);
    REFUSED(doca_sha_cap_task_hash_get_supported(NULL, DOCA_SHA_ALGORITHM_SHA1));
    REFUSED(doca_sha_cap_task_hash_get_supported(info, none));
    REFUSED(doca_sha_cap_task_partial_hash_get_supported(NULL, DOCA_SHA_ALGORITHM_SHA1));
    REFUSED(doca_sha_cap_task_partial_hash_get_supported(info, none));
    REFUSED(doca_sha_cap_get_max_list_buf_num_elem(NULL, &n));
    REFUSED(doca_sha_cap_get_max_list_buf_num_elem(info, NULL));
    REFUSED(doca_sha_cap_get_max_src_buf_size(NULL, &bytes));
    REFUSED(doca_sha_cap_get_max_src_buf_size(info, NULL));
    REFUSED(doca_sha_cap_get_min_dst_buf_size(NULL, DOCA_SHA_ALGORITHM_SHA1, &n));
    REFUSED(doca_sha_cap_get_min_dst_buf_size(info, none, &n));
    REFUSED(doca_sha_cap_get_min_dst_buf_size(info, DOCA_SHA_ALGORITHM_SHA1, NULL));
    REFUSED(doca_sha_cap_get_partial_hash_block_size(info, none, &n));
    REFUSED(doca_sha_cap_get_partial_hash_block_size(info, DOCA_SHA_ALGORITHM_SHA1, NULL));
    REFUSED(doca_sha_cap_get_max_num_tasks(NULL, &n));
    REFUSED(doca_sha_cap_get_max_num_tasks(s.sha, NULL));
    REFUSED(doca_sha_task_hash_set_conf(NULL, hash_completed, hash_failed, 0));
    REFUSED(doca_sha_task_hash_set_conf(s.sha, NULL, hash_failed, 0));
    REFUSED(doca_sha_task_hash_set_conf(s.sha, hash_completed, NULL, 0));
    REFUSED(doca_sha_task_partial_hash_set_conf(s.sha, NULL, partial_failed, 0));
    REFUSED(doca_sha_task_partial_hash_set_conf(s.sha, partial_completed, NULL, 0));
    REFUSED(doca_sha_task_hash_alloc_init(NULL, DOCA_SHA_ALGORITHM_SHA1, NULL, NULL,
                                          (union doca_data){ 0 }, &task));
    REFUSED(doca_sha_task_hash_alloc_init(s.sha, none, NULL, NULL, (union doca_data){ 0 }, &task));
    REFUSED(doca_sha_task_hash_alloc_init(s.sha, DOCA_SHA_ALGORITHM_SHA1, NULL, NULL,
                                          (union doca_data){ 0 }, NULL));
    REFUSED(doca_sha_task_partial_hash_alloc_init(s.sha, none, NULL, NULL, (union doca_data){ 0 },
                                                  &partial));
    CHECK(task == NULL && partial == NULL && sha == NULL);
    REFUSED(doca_sha_task_hash_set_src(NULL, NULL));
    REFUSED(doca_sha_task_hash_set_dst(NULL, NULL));
    REFUSED(doca_sha_task_hash_set_algorithm(NULL, DOCA_SHA_ALGORITHM_SHA1));
    REFUSED(doca_sha_task_partial_hash_reset(NULL));
    REFUSED(doca_sha_task_partial_hash_set_src(NULL, NULL));
    REFUSED(doca_sha_task_partial_hash_set_dst(NULL, NULL));
    REFUSED(doca_sha_task_partial_hash_set_algorithm(NULL, DOCA_SHA_ALGORITHM_SHA1));
    REFUSED(doca_sha_task_partial_hash_set_is_final_buf(NULL));
    CHECK_PTR(doca_sha_task_hash_as_task(NULL), NULL);
    CHECK_PTR(doca_sha_task_hash_get_src(NULL), NULL);
    CHECK_PTR(doca_sha_task_hash_get_dst(NULL), NULL);
    CHECK_PTR(doca_sha_task_partial_hash_as_task(NULL), NULL);
    CHECK_PTR(doca_sha_task_partial_hash_get_src(NULL), NULL);
    CHECK_PTR(doca_sha_task_partial_hash_get_dst(NULL), NULL);
    CHECK_EQ(doca_sha_task_hash_get_algorithm(NULL), 0);
    CHECK_EQ(doca_sha_task_partial_hash_get_algorithm(NULL), 0);
    CHECK_EQ(doca_sha_task_partial_hash_get_is_final(NULL), 0);
    CHECK_EQ(doca_sha_task_partial_hash_get_has_result(NULL), 0);
    task = hash_task(&s, DOCA_SHA_ALGORITHM_SHA256, NULL, NULL);
    partial = partial_task(&s, DOCA_SHA_ALGORITHM_SHA256, NULL, NULL);
    REFUSED(doca_sha_task_hash_set_algorithm(task, none));
    REFUSED(doca_sha_task_partial_hash_set_algorithm(partial, none));
    CHECK_EQ(doca_sha_task_hash_get_algorithm(task), DOCA_SHA_ALGORITHM_SHA256);
    doca_task_free(doca_sha_task_hash_as_task(task));
    doca_task_free(doca_sha_task_partial_hash_as_task(partial));
    sha_close(&s);
}

static void other_types_of_contexts_and_tasks_are_refused(void)
{
    struct doca_sha_task_hash *task;
    struct doca_sha_task_partial_hash *partial;
    struct doca_dma_task_memcpy *copy;
    struct doca_dma *dma;
    struct sha_rig s;
    uint32_t n;

    if (DOCA_CORE_CHECK == 0)
        test_skip("level 0 does not check the types of objects");
    sha_open(&s);
    dma = rig_make_dma(&s.r, 1);
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
    rig_drain(&s.r);
    REFUSED(doca_sha_destroy((void *)dma));
    REFUSED(doca_dma_destroy((void *)s.sha));
    REFUSED(doca_sha_cap_get_max_num_tasks((void *)dma, &n));
    REFUSED(doca_dma_cap_get_max_num_tasks((void *)s.sha, &n));
    REFUSED(doca_sha_task_hash_set_conf((void *)dma, hash_completed, hash_failed, 0));
    REFUSED(doca_dma_task_memcpy_set_conf((void *)s.sha, rig_completed, rig_failed, 1));
    REFUSED(doca_sha_task_hash_alloc_init((void *)dma, DOCA_SHA_ALGORITHM_SHA1, NULL, NULL,
                                          (union doca_data){ 0 }, &task));
    REFUSED(doca_dma_task_memcpy_alloc_init((void *)s.sha, NULL, NULL, (union doca_data){ 0 },
                                            &copy));
    task = hash_task(&s, DOCA_SHA_ALGORITHM_SHA512, NULL, NULL);
    partial = partial_task(&s, DOCA_SHA_ALGORITHM_SHA512, NULL, NULL);
    copy = rig_task(dma, NULL, NULL);
    REFUSED(doca_sha_task_partial_hash_reset((void *)task));
    REFUSED(doca_sha_task_partial_hash_set_src((void *)copy, NULL));
    REFUSED(doca_sha_task_hash_set_src((void *)partial, NULL));
    REFUSED(doca_sha_task_hash_set_algorithm((void *)copy, DOCA_SHA_ALGORITHM_SHA1));
    CHECK_EQ(doca_sha_task_hash_get_algorithm((void *)partial), 0);
    CHECK_EQ(doca_sha_task_partial_hash_get_algorithm((void *)task), 0);
    doca_task_free(doca_sha_task_hash_as_task(task));
    doca_task_free(doca_sha_task_partial_hash_as_task(partial));
    rig_release(copy);
    rig_stop(&s.r, doca_dma_as_ctx(dma));
    CHECK_OK(doca_dma_destroy(dma));
    sha_close(&s);
}

static void context_takes_the_documented_bytes(void)
{
    static DOCA_CORE_ALIGNED unsigned char mem[65536];
    static const uint8_t logs[][2] = { { 0, 0 }, { 3, 0 }, { 1, 6 } };
    struct doca_core_arena arena;
    struct sha_rig s;
    struct doca_sha *sha;
    size_t i, bytes, used;

    sha_build(&s, NULL);
    CHECK_OK(doca_core_arena_init(&arena, mem, sizeof(mem)));
    for (i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
        uint32_t num = 1u << logs[i][0], num_partial = 1u << logs[i][1];

        CHECK_OK(doca_core_sha_create_in(&arena, s.r.dev, &sha));
        CHECK_OK(doca_pe_connect_ctx(s.r.pe, doca_sha_as_ctx(sha)));
        CHECK_OK(doca_sha_task_hash_set_conf(sha, hash_completed, hash_failed, logs[i][0]));
        CHECK_OK(doca_sha_task_partial_hash_set_conf(sha, partial_completed, partial_failed,
                                                     logs[i][1]));
        CHECK_OK(doca_ctx_start(doca_sha_as_ctx(sha)));
        CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
        CHECK_EQ(used, DOCA_CORE_BYTES_SHA(num, num_partial));
        CHECK_OK(doca_core_bytes_sha(s.r.dev, num, num_partial, &bytes));
        CHECK_EQ(used, bytes);
        CHECK_OK(doca_sha_destroy(sha));
        CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
        CHECK_EQ(used, 0);
    }
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
    CASE(segments_hash_as_their_concatenation_in_all_splits, "251"),
    CASE(empty_segments_change_nothing, "251"),
    CASE(destination_is_written_by_the_final_segment, "251 252"),
    CASE(session_fixes_algorithm_and_destination, "253"),
    CASE(ended_session_takes_no_more_segments, "252"),
    CASE(sessions_in_flight_do_not_mix, "251"),
    CASE(try_submit_names_every_fault, "126 205"),
    CASE(device_finds_every_fault, "126 187"),
    CASE(good_task_at_each_limit_is_hashed, "206"),
    CASE(memory_of_released_bufs_may_be_reused, ""),
    CASE(null_buffers_are_refused_by_submit, ""),
    CASE(stop_flushes_tasks_and_keeps_the_session, ""),
    CASE(failed_task_stops_the_context, "187"),
    CASE(tasks_in_flight_complete_in_order, ""),
    CASE(overlapping_tasks_give_the_result_of_sequential_tasks, ""),
    CASE(tasks_of_all_types_complete_in_order, ""),
    CASE(wrong_task_fails_only_later_tasks, "187"),
    CASE(every_error_is_found_among_several_tasks, ""),
    CASE(stop_flushes_tasks_that_are_not_hashed, ""),
    CASE(finished_tasks_wake_the_pe, ""),
    CASE(queue_that_is_never_empty_hashes_all_tasks, ""),
    CASE(task_is_submitted_again_from_its_callback, "251"),
    CASE(buffer_released_in_flight_fails_the_task, ""),
    CASE(task_keeps_its_parameters_until_they_are_set, ""),
    CASE(task_in_flight_cannot_be_changed, ""),
    CASE(sha_and_dma_contexts_share_a_progress_engine, "217"),
    CASE(task_counts_are_logarithms, "250"),
    CASE(one_type_of_tasks_is_enough, ""),
    CASE(task_counts_are_limited, "250"),
    CASE(capabilities_answer_the_limits_of_the_profile, ""),
    CASE(device_table_needs_limits, ""),
    CASE(wrong_arguments_are_refused, "1 19"),
    CASE(other_types_of_contexts_and_tasks_are_refused, ""),
    CASE(context_takes_the_documented_bytes, ""),
};

TEST_MAIN(cases)
