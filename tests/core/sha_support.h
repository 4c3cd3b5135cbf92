/* Helpers of the suites of the hash engine: a rig with a SHA context, its tasks, and digests of an
 * independent implementation. */
#ifndef SHA_SUPPORT_H
#define SHA_SUPPORT_H

#include "fixture.h"
#include "sha_reference.h"

#ifdef DOCA_TEST_LIBCRYPTO
#include <openssl/sha.h>
#endif

enum { LOG_TASKS = 3, TASKS = 1 << LOG_TASKS, TEXT_BYTES = 1 << 20 };

static const enum doca_sha_algorithm algorithms[] = { DOCA_SHA_ALGORITHM_SHA1,
                                                      DOCA_SHA_ALGORITHM_SHA256,
                                                      DOCA_SHA_ALGORITHM_SHA512 };

static unsigned char text[TEXT_BYTES]; /* the text to hash */

/* A rig with a SHA context instead of the DMA context. */
struct sha_rig {
    struct rig r;
    struct doca_mmap *text_map;
    struct doca_sha *sha;
    bool frees_tasks;
    void (*on_task)(struct sha_rig *s, struct doca_task *task);
};

static inline void task_done(struct sha_rig *s, struct doca_task *task, bool is_ok)
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

static inline void hash_completed(struct doca_sha_task_hash *task, union doca_data task_data,
                                  union doca_data ctx_data)
{
    (void)task_data;
    task_done(ctx_data.ptr, doca_sha_task_hash_as_task(task), true);
}

static inline void hash_failed(struct doca_sha_task_hash *task, union doca_data task_data,
                               union doca_data ctx_data)
{
    (void)task_data;
    task_done(ctx_data.ptr, doca_sha_task_hash_as_task(task), false);
}

static inline void partial_completed(struct doca_sha_task_partial_hash *task,
                                     union doca_data task_data, union doca_data ctx_data)
{
    (void)task_data;
    task_done(ctx_data.ptr, doca_sha_task_partial_hash_as_task(task), true);
}

static inline void partial_failed(struct doca_sha_task_partial_hash *task,
                                  union doca_data task_data, union doca_data ctx_data)
{
    (void)task_data;
    task_done(ctx_data.ptr, doca_sha_task_partial_hash_as_task(task), false);
}

/* Build a rig, destroy its DMA context, and connect an idle SHA context with both types of tasks to
 * its PE. */
static inline void sha_build(struct sha_rig *s, const char *pci_addr)
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

static inline void sha_open(struct sha_rig *s)
{
    sha_build(s, NULL);
    CHECK_OK(doca_ctx_start(s->r.ctx));
    rig_drain(&s->r);
}

static inline void sha_close(struct sha_rig *s)
{
    rig_stop(&s->r, s->r.ctx);
    CHECK_OK(doca_sha_destroy(s->sha));
    CHECK_OK(doca_mmap_destroy(s->text_map));
    rig_close(&s->r);
}

static inline struct doca_buf *get_args(struct sha_rig *s, struct doca_mmap *mmap,
                                        unsigned char *addr, size_t len, size_t data_off,
                                        size_t data_len)
{
    struct doca_buf *buf;

    CHECK_OK(doca_buf_inventory_buf_get_by_args(s->r.inventory, mmap, addr, len, addr + data_off,
                                                data_len, &buf));
    return buf;
}

/* Get a buffer whose content is [off, off + len) of the text. If `len` is 0 it has no content. */
static inline struct doca_buf *get_text(struct sha_rig *s, size_t off, size_t len)
{
    return get_args(s, s->text_map, text + off, len == 0 ? 1 : len, 0, len);
}

/* Make a list of `num` buffers of `len` bytes each, from `addr` on. */
static inline struct doca_buf *get_list(struct sha_rig *s, struct doca_mmap *mmap,
                                        unsigned char *addr, size_t len, unsigned num,
                                        bool as_content)
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

static inline void drop(struct doca_buf *buf)
{
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
}

static inline struct doca_sha_task_hash *hash_task(struct sha_rig *s,
                                                   enum doca_sha_algorithm algorithm,
                                                   struct doca_buf *src, struct doca_buf *dst)
{
    struct doca_sha_task_hash *task;

    CHECK_OK(doca_sha_task_hash_alloc_init(s->sha, algorithm, src, dst, (union doca_data){ 0 },
                                           &task));
    return task;
}

static inline struct doca_sha_task_partial_hash *partial_task(struct sha_rig *s,
                                                              enum doca_sha_algorithm algorithm,
                                                              struct doca_buf *src,
                                                              struct doca_buf *dst)
{
    struct doca_sha_task_partial_hash *task;

    CHECK_OK(doca_sha_task_partial_hash_alloc_init(s->sha, algorithm, src, dst,
                                                   (union doca_data){ 0 }, &task));
    return task;
}

static inline void run(struct sha_rig *s, struct doca_task *task)
{
    unsigned num_ok = s->r.num_ok;

    CHECK_OK(doca_task_try_submit(task));
    CHECK_EQ(rig_inflight(s->r.ctx), 1);
    rig_drain(&s->r);
    CHECK_EQ(s->r.num_ok, num_ok + 1);
}

/* Hash `src` into rig_to with a new task. */
static inline void run_hash(struct sha_rig *s, enum doca_sha_algorithm algorithm,
                            struct doca_buf *src)
{
    struct doca_buf *dst = rig_dst(&s->r, 0, 64);
    struct doca_sha_task_hash *task = hash_task(s, algorithm, src, dst);

    run(s, doca_sha_task_hash_as_task(task));
    CHECK_EQ(rig_data_len(dst), ref_bytes[algorithm].digest);
    doca_task_free(doca_sha_task_hash_as_task(task));
    drop(dst);
}

/* Hash one segment of a session, and release its buffer. */
static inline void run_segment(struct sha_rig *s, struct doca_sha_task_partial_hash *task,
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
static inline void independent_hash(unsigned algorithm, const unsigned char *data, size_t len,
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

static inline void check_digest(unsigned algorithm, const unsigned char *got,
                                const unsigned char *data, size_t len)
{
    unsigned char want[64];

    independent_hash(algorithm, data, len, want);
    CHECK_MEM(got, want, ref_bytes[algorithm].digest);
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
static inline void submit_to(struct sha_rig *s, struct hashing *h, unsigned i, unsigned algorithm,
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

static inline void submit_hash(struct sha_rig *s, struct hashing *h, unsigned i, unsigned algorithm,
                               size_t off, size_t len)
{
    submit_to(s, h, i, algorithm, off, len, 64);
}

static inline void release_hash(struct hashing *h)
{
    doca_task_free(doca_sha_task_hash_as_task(h->task));
    drop(h->src);
    drop(h->dst);
}

/* Check that the task succeeded and wrote only its digest. */
static inline void check_hash(const struct hashing *h, unsigned i)
{
    CHECK_OK(doca_task_get_status(doca_sha_task_hash_as_task(h->task)));
    CHECK_EQ(rig_data_len(h->dst), ref_bytes[h->algorithm].digest);
    check_digest(h->algorithm, rig_to + 64 * i, text + h->off, h->len);
    if (ref_bytes[h->algorithm].digest < 64)
        CHECK_EQ(rig_to[64 * i + ref_bytes[h->algorithm].digest], 0xee);
}

#endif
