/* Hashes as tasks, beside OpenSSL with a context that is reused. Small messages show the overhead
 * of a task, large messages the speed of the compression function, and many tasks in flight the
 * gain of a device that hashes them side by side, as ipsec-mb does with a stream of jobs. */
#define _GNU_SOURCE
#define DOCA_CORE_IMPLEMENTATION
#include "rig.h"

#define DEPTH 16u
#define LARGE ((size_t)1 << 20)
#define DIGEST 64u /* bytes of the longest digest */

struct algorithm {
    enum doca_sha_algorithm ours;
    const char *name; /* the name in OpenSSL */
    size_t bytes;     /* of a digest */
    int job_hash;     /* the number in ipsec-mb */
};

#ifdef BENCH_IPSEC_MB
#include <intel-ipsec-mb.h>
#define IF_IPSEC_MB(function) function
#define JOB_HASH(hash) hash
#else
#define IF_IPSEC_MB(function) NULL
#define JOB_HASH(hash) 0
#endif

static const struct algorithm sha1 = { DOCA_SHA_ALGORITHM_SHA1, "SHA1", 20,
                                       JOB_HASH(IMB_AUTH_SHA_1) };
static const struct algorithm sha256 = { DOCA_SHA_ALGORITHM_SHA256, "SHA256", 32,
                                         JOB_HASH(IMB_AUTH_SHA_256) };
static const struct algorithm sha512 = { DOCA_SHA_ALGORITHM_SHA512, "SHA512", 64,
                                         JOB_HASH(IMB_AUTH_SHA_512) };

struct message { /* one measurement hashes `num` messages of one length */
    const struct algorithm *algorithm;
    size_t bytes;
    unsigned num; /* number of messages; they are adjacent in `text` */
};

static unsigned char text[LARGE] __attribute__((aligned(4096)));
static unsigned char digests[DEPTH * DIGEST] __attribute__((aligned(BENCH_LINE)));

static struct bench_rig rig; /* the text is the memory of the rig */
static struct doca_mmap *digest_map;
static struct doca_pe *pe;
static struct doca_sha *sha;
static struct doca_buf *src[DEPTH], *dst[DEPTH]; /* buffers of the message that is measured */

static void on_done(struct doca_sha_task_hash *task, union doca_data task_data,
                    union doca_data ctx_data)
{
    (void)task, (void)task_data, (void)ctx_data;
}

static void on_error(struct doca_sha_task_hash *task, union doca_data task_data,
                     union doca_data ctx_data)
{
    (void)task, (void)task_data, (void)ctx_data;
    bench_die(doca_core_last_error());
}

/* ---- ours ---- */

static void buffers_taken(const void *arg)
{
    const struct message *m = arg;
    unsigned i;

    for (i = 0; i < m->num; i++) {
        bench_must(doca_buf_inventory_buf_get_by_data(rig.inventory, rig.map, text + i * m->bytes,
                                                      m->bytes, &src[i]));
        bench_must(doca_buf_inventory_buf_get_by_addr(rig.inventory, digest_map,
                                                      digests + i * DIGEST, DIGEST, &dst[i]));
    }
}

static void buffers_given(const void *arg)
{
    const struct message *m = arg;
    unsigned i;

    for (i = 0; i < m->num; i++) {
        bench_must(doca_buf_dec_refcount(src[i], NULL));
        bench_must(doca_buf_dec_refcount(dst[i], NULL));
    }
}

/* n hashes, `num` of them in flight at one time, from alloc_init to free. */
static void tasks(unsigned long n, const void *arg)
{
    const union doca_data none = { NULL };
    const struct message *m = arg;
    struct doca_sha_task_hash *hash;
    struct doca_task *task[DEPTH];
    unsigned i;

    for (; bench_left(n); n -= m->num) {
        for (i = 0; i < m->num; i++) {
            bench_must(doca_buf_reset_data_len(dst[i]));
            bench_must(doca_sha_task_hash_alloc_init(sha, m->algorithm->ours, src[i], dst[i], none,
                                                     &hash));
            task[i] = doca_sha_task_hash_as_task(hash);
            bench_must(doca_task_submit(task[i]));
        }
        for (i = 0; i < m->num; i++)
            while (doca_pe_progress(pe) == 0)
                continue;
        for (i = 0; i < m->num; i++)
            doca_task_free(task[i]);
    }
}

/* ---- OpenSSL: context and digest are made once ---- */

#ifdef BENCH_OPENSSL
#include <openssl/evp.h>
#define IF_OPENSSL(function) function

static EVP_MD_CTX *evp_ctx;
static EVP_MD *evp_md;

static const char *openssl_ready(void)
{
    evp_ctx = evp_ctx == NULL ? EVP_MD_CTX_new() : evp_ctx;
    return evp_ctx == NULL ? "OpenSSL does not start here" : NULL;
}

static void evp_fetch(const void *arg)
{
    const struct message *m = arg;

    evp_md = EVP_MD_fetch(NULL, m->algorithm->name, NULL);
    bench_check(evp_md != NULL, "OpenSSL lacks the digest");
}

static void evp_free(const void *arg)
{
    (void)arg;
    EVP_MD_free(evp_md);
}

static void evp(unsigned long n, const void *arg)
{
    const struct message *m = arg;
    unsigned i;

    for (; bench_left(n); n -= m->num)
        for (i = 0; i < m->num; i++)
            bench_check(EVP_DigestInit_ex2(evp_ctx, evp_md, NULL) == 1 &&
                            EVP_DigestUpdate(evp_ctx, text + i * m->bytes, m->bytes) == 1 &&
                            EVP_DigestFinal_ex(evp_ctx, digests + i * DIGEST, NULL) == 1,
                        "OpenSSL failed");
}

static void openssl_end(void)
{
    EVP_MD_CTX_free(evp_ctx);
}
#else
#define IF_OPENSSL(function) NULL

static const char *openssl_ready(void)
{
    return "built without OpenSSL 3 (libssl-dev)";
}

static void openssl_end(void)
{
}
#endif

/* ---- ipsec-mb: a stream of jobs, hashed in SIMD lanes ---- */

#ifdef BENCH_IPSEC_MB
static IMB_MGR *manager;

static const char *ipsec_mb_ready(void)
{
    if (manager == NULL) {
        manager = alloc_mb_mgr(0);
        if (manager != NULL)
            init_mb_mgr_auto(manager, NULL);
    }
    return manager == NULL ? "ipsec-mb does not start here" : NULL;
}

static unsigned long job_done(const IMB_JOB *job)
{
    if (job == NULL)
        return 0;
    bench_check(job->status == IMB_STATUS_COMPLETED, "ipsec-mb failed");
    return 1;
}

static void jobs(unsigned long n, const void *arg)
{
    const struct message *m = arg;
    unsigned long posted, done = 0;
    unsigned i;
    IMB_JOB *job;

    for (posted = 0; posted < n; posted++) {
        i = (unsigned)(posted % m->num);
        job = IMB_GET_NEXT_JOB(manager);
        memset(job, 0, sizeof(*job));
        job->cipher_mode = IMB_CIPHER_NULL;
        job->cipher_direction = IMB_DIR_ENCRYPT;
        job->chain_order = IMB_ORDER_HASH_CIPHER;
        job->hash_alg = (IMB_HASH_ALG)m->algorithm->job_hash;
        job->src = text + i * m->bytes;
        job->msg_len_to_hash_in_bytes = m->bytes;
        job->auth_tag_output = digests + i * DIGEST;
        job->auth_tag_output_len_in_bytes = m->algorithm->bytes;
        done += job_done(IMB_SUBMIT_JOB_NOCHECK(manager));
    }
    while (done < n)
        done += job_done(IMB_FLUSH_JOB(manager));
}

static void ipsec_mb_end(void)
{
    if (manager != NULL)
        free_mb_mgr(manager);
}
#else
static const char *ipsec_mb_ready(void)
{
    return "built without ipsec-mb (libipsec-mb-dev)";
}

static void ipsec_mb_end(void)
{
}
#endif

/* ---- verification: the tasks must give the same digests as a peer ---- */

static void run_alone(const struct bench_side *side)
{
    const struct message *m = side->arg;

    memset(digests, 0, sizeof(digests));
    if (side->begin != NULL)
        side->begin(m);
    side->run(m->num, m);
    if (side->end != NULL)
        side->end(m);
}

#define OURS                                                                                       \
    { .side = "ours", .name = "inlined", .run = tasks, .begin = buffers_taken,                     \
      .end = buffers_given }
#define EVP                                                                                        \
    { .side = "peer", .name = "OpenSSL EVP, context reused", .run = IF_OPENSSL(evp),               \
      .begin = IF_OPENSSL(evp_fetch), .end = IF_OPENSSL(evp_free), .ready = openssl_ready }
#define JOBS                                                                                       \
    { .side = "peer", .name = "ipsec-mb, a stream of jobs", .run = IF_IPSEC_MB(jobs),              \
      .ready = ipsec_mb_ready }

static const struct bench_side ours_side = OURS, evp_side = EVP, jobs_side = JOBS;

static bool is_as_others(const struct bench_side *side)
{
    unsigned char expected[sizeof(digests)];
    const struct message *m = side->arg;
    struct bench_side other = side->run == tasks ? evp_side : ours_side;
    unsigned i;

    if (other.ready != NULL && other.ready() != NULL)
        return true; /* the side to compare with is not available */
    bench_fill(text, m->bytes * m->num);
    other.arg = m;
    run_alone(&other);
    memcpy(expected, digests, sizeof(digests));
    run_alone(side);
    for (i = 0; i < m->num; i++)
        if (memcmp(expected + i * DIGEST, digests + i * DIGEST, m->algorithm->bytes) != 0)
            return false;
    return true;
}

static const struct {
    const char *work, *title;
    struct message message;
    const char *row, *rule;
    double must;
} hashes[] = {
    { "sha1_64", "SHA-1 task of 64 B", { &sha1, 64, 1 }, "17", "ratio", 0.6 },
    { "sha256_64", "SHA-256 task of 64 B", { &sha256, 64, 1 }, "17", "ratio", 0.7 },
    { "sha512_64", "SHA-512 task of 64 B", { &sha512, 64, 1 }, "17", "ratio", 1.0 },
    { "sha1_64k", "SHA-1 task of 64 KiB", { &sha1, 65536, 1 }, "18", "speed", 0.99 },
    { "sha256_64k", "SHA-256 task of 64 KiB", { &sha256, 65536, 1 }, "18", "speed", 0.99 },
    { "sha512_64k", "SHA-512 task of 64 KiB", { &sha512, 65536, 1 }, "18", "speed", 0.99 },
    { "sha1_1m", "SHA-1 task of 1 MiB", { &sha1, LARGE, 1 }, "18", "speed", 0.99 },
    { "sha256_1m", "SHA-256 task of 1 MiB", { &sha256, LARGE, 1 }, "18", "speed", 0.99 },
    { "sha512_1m", "SHA-512 task of 1 MiB", { &sha512, LARGE, 1 }, "18", "speed", 0.99 },
    { "sha1_16x4k", "SHA-1 tasks of 4 KiB, 16 under way", { &sha1, 4096, DEPTH }, "18", "speed",
      1.5 },
    { "sha256_16x4k", "SHA-256 tasks of 4 KiB, 16 under way", { &sha256, 4096, DEPTH }, "18",
      "speed", 1.5 },
    { "sha512_16x4k", "SHA-512 tasks of 4 KiB, 16 under way", { &sha512, 4096, DEPTH }, "18",
      "speed", 1.5 },
};

static void run_hash(size_t i)
{
    const struct message *m = &hashes[i].message;
    struct bench_work w = {
        .area = "sha",
        .work = hashes[i].work,
        .title = hashes[i].title,
        .bytes = m->bytes,
        .batch = m->num,
        .targets = { { hashes[i].row, "inlined", "OpenSSL EVP, context reused", hashes[i].rule,
                       hashes[i].must, NAN } }
    };
    unsigned k, num = 0;

    w.sides[num++] = ours_side;
    w.sides[num++] = evp_side;
    if (m->num > 1) {
        w.sides[num++] = jobs_side;
        w.targets[1] = (struct bench_target){ hashes[i].row, "inlined", jobs_side.name, "speed",
                                              NAN, 1.0 };
    }
    for (k = 0; k < num; k++) {
        w.sides[k].arg = m;
        w.sides[k].verify = is_as_others;
    }
    bench_run(&w);
}

int main(int argc, char **argv)
{
    size_t i;

    bench_begin("bench_sha", argc, argv);
    bench_fill(text, sizeof(text));
    bench_rig_open(&rig, text, sizeof(text), (size_t)2 * DEPTH);
    digest_map = bench_map(rig.dev, digests, sizeof(digests));
    bench_must(doca_pe_create(&pe));
    bench_must(doca_sha_create(rig.dev, &sha));
    bench_must(doca_pe_connect_ctx(pe, doca_sha_as_ctx(sha)));
    bench_must(doca_sha_task_hash_set_conf(sha, on_done, on_error, 4)); /* 2^4 tasks: DEPTH */
    bench_must(doca_ctx_start(doca_sha_as_ctx(sha)));
    for (i = 0; i < sizeof(hashes) / sizeof(hashes[0]); i++)
        run_hash(i);
    openssl_end();
    ipsec_mb_end();
    bench_must(doca_sha_destroy(sha));
    bench_must(doca_pe_destroy(pe));
    bench_must(doca_mmap_destroy(digest_map));
    bench_rig_close(&rig);
    return bench_end();
}
