/* Programs of DOCA 2.0 to 2.2 use work queues, and mmaps that get one range and their permissions
 * before they start. The SHA jobs are those of 1.5 to 2.2. doca_test.h uses today's API and must be
 * included before DOCA_CORE_LEGACY is defined. */
#include "doca_test.h"
#include "sha_reference.h"

#define DOCA_CORE_LEGACY 20000
#include "doca_core_legacy.h"

#define BYTES 65536u
#define MAX_TRIES 1000000u

static unsigned char from[BYTES], to[BYTES], digest[128];

struct kit {
    struct doca_dev *dev;
    struct doca_mmap *src_map, *dst_map;
    struct doca_buf_inventory *inventory;
    struct doca_workq *workq;
    struct doca_dma *dma;
    struct doca_sha *sha;
    struct doca_ctx *ctx, *sha_ctx;
};

static struct doca_dev *open_dev(const char *pci_addr)
{
    struct doca_devinfo **list;
    struct doca_dev *dev = NULL;
    uint8_t is_equal;
    uint32_t num, i;

    CHECK_OK(doca_devinfo_list_create(&list, &num));
    for (i = 0; i < num && dev == NULL; i++) {
        CHECK_OK(doca_devinfo_get_is_pci_addr_equal(list[i], pci_addr, &is_equal));
        if (is_equal)
            CHECK_OK(doca_dev_open(list[i], &dev));
    }
    CHECK_OK(doca_devinfo_list_destroy(list));
    CHECK(dev != NULL);
    return dev;
}

/* Create and start an mmap. The calls have the order of the samples of 2.0. */
static struct doca_mmap *map(struct doca_dev *dev, void *addr, size_t len, uint32_t access)
{
    struct doca_mmap *mmap;

    CHECK_OK(doca_mmap_create(NULL, &mmap));
    CHECK_OK(doca_mmap_dev_add(mmap, dev));
    CHECK_OK(doca_mmap_set_permissions(mmap, access));
    CHECK_OK(doca_mmap_set_memrange(mmap, addr, len));
    CHECK_OK(doca_mmap_start(mmap));
    return mmap;
}

static void attach(struct kit *k, struct doca_ctx *ctx)
{
    CHECK_OK(doca_ctx_dev_add(ctx, k->dev));
    CHECK_OK(doca_ctx_start(ctx));
    CHECK_OK(doca_ctx_workq_add(ctx, k->workq));
}

static void detach(struct kit *k, struct doca_ctx *ctx)
{
    CHECK_OK(doca_ctx_workq_rm(ctx, k->workq));
    CHECK_OK(doca_ctx_stop(ctx));
    CHECK_OK(doca_ctx_dev_rm(ctx, k->dev));
}

static void kit_open(struct kit *k, uint32_t depth)
{
    size_t i;

    for (i = 0; i < BYTES; i++)
        from[i] = (unsigned char)(i * 31 + (i >> 8) * 7 + 1);
    memset(to, 0xee, sizeof(to));
    memset(digest, 0xee, sizeof(digest));
    ref_init();
    k->dev = open_dev("03:00.0");
    k->src_map = map(k->dev, from, BYTES, DOCA_ACCESS_LOCAL_READ_ONLY);
    k->dst_map = map(k->dev, to, BYTES, DOCA_ACCESS_LOCAL_READ_WRITE);
    CHECK_OK(doca_buf_inventory_create(NULL, 64, DOCA_BUF_EXTENSION_LINKED_LIST, &k->inventory));
    CHECK_OK(doca_buf_inventory_start(k->inventory));
    CHECK_OK(doca_workq_create(depth, &k->workq));
    CHECK_OK(doca_dma_create(&k->dma));
    k->ctx = doca_dma_as_ctx(k->dma);
    CHECK_OK(doca_sha_create(&k->sha));
    k->sha_ctx = doca_sha_as_ctx(k->sha);
    attach(k, k->ctx);
    attach(k, k->sha_ctx);
}

static void kit_close(struct kit *k)
{
    detach(k, k->ctx);
    detach(k, k->sha_ctx);
    CHECK_OK(doca_dma_destroy(k->dma));
    CHECK_OK(doca_sha_destroy(k->sha));
    CHECK_OK(doca_workq_destroy(k->workq));
    CHECK_OK(doca_buf_inventory_destroy(k->inventory));
    CHECK_OK(doca_mmap_destroy(k->src_map));
    CHECK_OK(doca_mmap_destroy(k->dst_map));
    CHECK_OK(doca_dev_close(k->dev));
}

static doca_error_t retrieve(struct kit *k, struct doca_event *event)
{
    doca_error_t rc = DOCA_ERROR_AGAIN;
    unsigned i;

    for (i = 0; i < MAX_TRIES && rc == DOCA_ERROR_AGAIN; i++)
        rc = doca_workq_progress_retrieve(k->workq, event, DOCA_WORKQ_RETRIEVE_FLAGS_NONE);
    return rc;
}

static struct doca_buf *content(struct kit *k, size_t off, size_t len)
{
    struct doca_buf *buf;

    CHECK_OK(doca_buf_inventory_buf_by_data(k->inventory, k->src_map, from + off, len, &buf));
    return buf;
}

static struct doca_buf *room(struct kit *k, size_t off, size_t len)
{
    struct doca_buf *buf;

    CHECK_OK(doca_buf_inventory_buf_by_addr(k->inventory, k->dst_map, to + off, len, &buf));
    return buf;
}

/* ---- mmaps of 2.0 ---- */

static void mmap_gets_its_range_before_start(void)
{
    struct doca_dma_job_memcpy job;
    struct doca_event event;
    struct doca_mmap *late;
    union doca_data word, got;
    uint32_t num = 0;
    uint8_t is = 7;
    size_t len = 0;
    void *addr;
    struct kit k;

    kit_open(&k, 4);
    memset(&job, 0, sizeof(job));
    job.base.type = DOCA_DMA_JOB_MEMCPY;
    job.base.ctx = k.ctx;
    job.base.user_data.u64 = 20;
    job.src_buff = content(&k, 64, 4096);
    job.dst_buff = room(&k, 0, 4096);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_OK(retrieve(&k, &event));
    CHECK_EQ(event.user_data.u64, 20);
    CHECK_EQ(event.type, DOCA_DMA_JOB_MEMCPY);
    CHECK_MEM(to, from + 64, 4096);
    CHECK_OK(doca_mmap_get_num_bufs(k.src_map, &num));
    CHECK_EQ(num, 1);
    CHECK_RC(doca_mmap_stop(k.src_map), DOCA_ERROR_NOT_PERMITTED); /* has buffers, as in 2.5 */
    CHECK_RC(doca_mmap_destroy(k.src_map), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_buf_refcount_rm((struct doca_buf *)(uintptr_t)job.src_buff, NULL));
    CHECK_OK(doca_buf_refcount_rm(job.dst_buff, NULL));
    CHECK_OK(doca_mmap_get_memrange(k.src_map, &addr, &len));
    CHECK_PTR(addr, from);
    CHECK_EQ(len, BYTES);
    CHECK_OK(doca_mmap_get_exported(k.src_map, &is));
    CHECK_EQ(is, 0);

    word.u64 = 17;
    CHECK_OK(doca_mmap_create(&word, &late));
    CHECK_OK(doca_mmap_get_user_data(late, &got));
    CHECK_EQ(got.u64, 17);
    word.u64 = 18;
    CHECK_OK(doca_mmap_set_user_data(late, word));
    CHECK_OK(doca_mmap_get_user_data(late, &got));
    CHECK_EQ(got.u64, 18);
    CHECK_RC(doca_mmap_start(late), DOCA_ERROR_INVALID_VALUE); /* no range and no device */
    CHECK_OK(doca_mmap_set_max_num_devices(late, 3));
    CHECK_OK(doca_mmap_get_max_num_devices(late, &num));
    CHECK_EQ(num, 3);
    CHECK_OK(doca_mmap_dev_add(late, k.dev));
    CHECK_OK(doca_mmap_dev_rm(late, k.dev));
    CHECK_OK(doca_mmap_dev_add(late, k.dev));
    CHECK_OK(doca_mmap_set_memrange(late, digest, sizeof(digest)));
    CHECK_RC(doca_mmap_populate(late, to, 64, 4096, NULL, NULL), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_start(late));
    CHECK_RC(doca_mmap_set_permissions(late, DOCA_ACCESS_LOCAL_READ_ONLY), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_mmap_set_user_data(late, word), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_mmap_stop(late));
    CHECK_OK(doca_mmap_destroy(late));
    kit_close(&k);
}

static unsigned num_freed;

static void count_free(void *addr, size_t len, void *opaque)
{
    CHECK_PTR(addr, digest);
    CHECK_EQ(len, sizeof(digest));
    CHECK_PTR(opaque, &num_freed);
    num_freed++;
}

/* The host and the DPU are in one process. The DPU copies from memory that the host exports. */
static void export_to_the_dpu_is_imported(void)
{
    struct doca_mmap *host_map, *imported;
    struct doca_dma_job_memcpy job;
    struct doca_event event;
    struct doca_dev *host;
    const void *desc;
    struct doca_buf *src;
    size_t len;
    uint8_t is = 0;
    struct kit k;

    kit_open(&k, 4);
    host = open_dev("0000:0b:00.0");
    CHECK_OK(doca_mmap_create(NULL, &host_map));
    CHECK_OK(doca_mmap_dev_add(host_map, host));
    CHECK_OK(doca_mmap_set_free_cb(host_map, count_free, &num_freed));
    CHECK_OK(doca_mmap_set_memrange(host_map, digest, sizeof(digest)));
    CHECK_OK(doca_mmap_set_permissions(host_map, DOCA_ACCESS_DPU_READ_ONLY));
    CHECK_RC(doca_mmap_export_dpu(host_map, host, &desc, &len), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_start(host_map));
    memcpy(digest, from, sizeof(digest));
    CHECK_OK(doca_mmap_export_dpu(host_map, host, &desc, &len));
    CHECK_OK(doca_mmap_get_exported(host_map, &is));
    CHECK_EQ(is, 1);
    CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, k.dev, &imported));
    CHECK_OK(doca_mmap_get_from_export(imported, &is));
    CHECK_EQ(is, 1);
    CHECK_OK(doca_buf_inventory_buf_by_data(k.inventory, imported, digest, sizeof(digest), &src));
    memset(&job, 0, sizeof(job));
    job.base.type = DOCA_DMA_JOB_MEMCPY;
    job.base.ctx = k.ctx;
    job.src_buff = src;
    job.dst_buff = room(&k, 0, 4096);
    CHECK_OK(doca_workq_submit(k.workq, &job.base));
    CHECK_OK(retrieve(&k, &event));
    CHECK_MEM(to, from, sizeof(digest));
    CHECK_OK(doca_buf_refcount_rm(src, NULL));
    CHECK_OK(doca_buf_refcount_rm(job.dst_buff, NULL));
    CHECK_OK(doca_mmap_destroy(imported));
    num_freed = 0;
    CHECK_OK(doca_mmap_destroy(host_map));
    CHECK_EQ(num_freed, 1);
    CHECK_OK(doca_dev_close(host));
    kit_close(&k);
}

/* ---- SHA jobs ---- */

static const int whole[] = { DOCA_SHA_JOB_SHA1, DOCA_SHA_JOB_SHA256, DOCA_SHA_JOB_SHA512 };
static const int partial[] = { DOCA_SHA_JOB_SHA1_PARTIAL, DOCA_SHA_JOB_SHA256_PARTIAL,
                               DOCA_SHA_JOB_SHA512_PARTIAL };
static const size_t count[] = { DOCA_SHA1_BYTE_COUNT, DOCA_SHA256_BYTE_COUNT,
                                DOCA_SHA512_BYTE_COUNT };

static void check_digest(struct doca_buf *resp, unsigned algorithm, const void *bytes, size_t len)
{
    unsigned char want[64];
    void *data;
    size_t n;

    ref_hash(algorithm, (const unsigned char *)bytes, len, want);
    CHECK_OK(doca_buf_get_data(resp, &data));
    CHECK_OK(doca_buf_get_data_len(resp, &n));
    CHECK_EQ(n, count[algorithm]);
    CHECK_MEM(data, want, count[algorithm]);
}

static struct doca_sha_job sha_job(struct kit *k, int type, struct doca_buf *req,
                                   struct doca_buf *resp)
{
    struct doca_sha_job job;

    memset(&job, 0, sizeof(job));
    job.base.type = type;
    job.base.flags = DOCA_JOB_FLAGS_NONE;
    job.base.ctx = k->sha_ctx;
    job.base.user_data.u64 = (uint64_t)type;
    job.req_buf = req;
    job.resp_buf = resp;
    job.flags = DOCA_SHA_JOB_FLAGS_NONE;
    return job;
}

static void sha_jobs_hash(void)
{
    static const size_t lens[] = { 1, 3, 55, 56, 63, 64, 65, 127, 128, 1000, 40000 };
    struct doca_sha_job job;
    struct doca_event event;
    struct doca_buf *req, *second, *resp;
    unsigned a, i;
    struct kit k;

    kit_open(&k, 4);
    for (a = 0; a < 3; a++) {
        for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
            req = content(&k, i, lens[i]);
            resp = room(&k, 0, count[a]);
            job = sha_job(&k, whole[a], req, resp);
            job.flags = i % 2 == 0 ? DOCA_SHA_JOB_FLAGS_NONE : DOCA_SHA_JOB_FLAGS_SHA_PARTIAL_FINAL;
            CHECK_OK(doca_workq_submit(k.workq, &job.base));
            CHECK_OK(retrieve(&k, &event));
            CHECK_EQ(event.type, whole[a]);
            CHECK_EQ(event.user_data.u64, (uint64_t)whole[a]);
            CHECK_EQ(event.result.u64, DOCA_SUCCESS);
            check_digest(resp, a, from + i, lens[i]);
            CHECK_OK(doca_buf_refcount_rm(req, NULL));
            CHECK_OK(doca_buf_refcount_rm(resp, NULL));
        }
        /* The request is a list of two buffers, and the response buffer has data already. */
        req = content(&k, 0, 100);
        second = content(&k, 100, 77);
        CHECK_OK(doca_buf_list_chain(req, second));
        resp = room(&k, 0, 256);
        CHECK_OK(doca_buf_set_data(resp, to + 32, 8));
        job = sha_job(&k, whole[a], req, resp);
        CHECK_OK(doca_workq_submit(k.workq, &job.base));
        CHECK_OK(retrieve(&k, &event));
        check_digest(resp, a, from, 177);
        CHECK_OK(doca_buf_refcount_rm(req, NULL));
        CHECK_OK(doca_buf_refcount_rm(resp, NULL));
    }
    kit_close(&k);
}

/* Submit one segment and wait for its event. */
static void segment(struct kit *k, unsigned algorithm, size_t off, size_t len, bool is_final,
                    struct doca_sha_partial_session *session, struct doca_buf *resp)
{
    struct doca_sha_partial_job job;
    struct doca_buf *req = content(k, off, len);
    struct doca_event event;

    job.sha_job = sha_job(k, partial[algorithm], req, resp);
    job.sha_job.flags = is_final ? DOCA_SHA_JOB_FLAGS_SHA_PARTIAL_FINAL : DOCA_SHA_JOB_FLAGS_NONE;
    job.session = session;
    CHECK_OK(doca_workq_submit(k->workq, &job.sha_job.base));
    CHECK_OK(retrieve(k, &event));
    CHECK_EQ(event.type, partial[algorithm]);
    CHECK_OK(doca_buf_refcount_rm(req, NULL));
}

static void segments_of_a_session_form_one_message(void)
{
    struct doca_sha_partial_session *session, *copy;
    struct doca_buf *resp;
    size_t len = 7;
    unsigned a, turn;
    struct kit k;

    kit_open(&k, 1); /* queue depth of one job */
    for (a = 0; a < 3; a++) {
        CHECK_OK(doca_sha_partial_session_create(k.sha, k.workq, &session));
        CHECK_OK(doca_sha_partial_session_create(k.sha, k.workq, &copy));
        for (turn = 0; turn < 2; turn++) { /* reuse the session after its final segment */
            resp = room(&k, 0, 64);
            memset(to, 0xee, 64);
            segment(&k, a, 0, 1280, false, session, resp);
            segment(&k, a, 1280, 128, false, session, resp);
            CHECK_OK(doca_buf_get_data_len(resp, &len));
            CHECK_EQ(len, 0);
            CHECK_EQ(to[0], 0xee);
            CHECK_OK(doca_sha_partial_session_copy(k.sha, k.workq, session, copy));
            segment(&k, a, 1408, 13, true, session, resp);
            check_digest(resp, a, from, 1421);
            segment(&k, a, 1408, 100, true, copy, resp);
            check_digest(resp, a, from, 1508);
            CHECK_OK(doca_buf_refcount_rm(resp, NULL));
        }
        CHECK_OK(doca_sha_partial_session_destroy(k.sha, k.workq, session));
        CHECK_OK(doca_sha_partial_session_destroy(k.sha, k.workq, copy));
    }
    kit_close(&k);
}

static void invalid_sha_jobs_are_refused(void)
{
    struct doca_sha_partial_session *session, *second;
    struct doca_buf *req, *empty, *resp, *small;
    struct doca_sha_partial_job job;
    struct doca_event event;
    struct doca_sha *other;
    struct kit k;

    kit_open(&k, 4);
    CHECK_OK(doca_sha_partial_session_create(k.sha, k.workq, &session));
    req = content(&k, 0, 100);
    empty = room(&k, 512, 64);
    resp = room(&k, 0, 64);
    small = room(&k, 256, 31);
    memset(&job, 0, sizeof(job));
#define REFUSED(kind, in, out, of)                                                                 \
    do {                                                                                           \
        job.sha_job = sha_job(&k, kind, in, out);                                                  \
        job.session = of;                                                                          \
        CHECK_RC(doca_workq_submit(k.workq, &job.sha_job.base), DOCA_ERROR_INVALID_VALUE);         \
    } while (0)
    REFUSED(DOCA_SHA_JOB_SHA256, NULL, resp, NULL);
    REFUSED(DOCA_SHA_JOB_SHA256, req, NULL, NULL);
    REFUSED(DOCA_SHA_JOB_SHA256, empty, resp, NULL); /* nothing to hash */
    REFUSED(DOCA_SHA_JOB_SHA256, req, small, NULL);  /* no room for the digest of 32 bytes */
    REFUSED(DOCA_SHA_JOB_SHA512_PARTIAL + 1, req, resp, NULL);
    REFUSED(DOCA_SHA_JOB_SHA1 - 1, req, resp, NULL);
    REFUSED(DOCA_DMA_JOB_MEMCPY, req, resp, NULL);
    REFUSED(DOCA_SHA_JOB_SHA256_PARTIAL, req, resp, NULL);    /* no session */
    REFUSED(DOCA_SHA_JOB_SHA256_PARTIAL, req, resp, session); /* no whole blocks */

    CHECK_OK(doca_buf_set_data(req, from, 64));
    job.sha_job = sha_job(&k, DOCA_SHA_JOB_SHA256_PARTIAL, req, resp);
    job.session = session;
    CHECK_OK(doca_workq_submit(k.workq, &job.sha_job.base));
    CHECK_RC(doca_workq_submit(k.workq, &job.sha_job.base), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sha_partial_session_destroy(k.sha, k.workq, session), DOCA_ERROR_IN_USE);
    CHECK_OK(retrieve(&k, &event));
    REFUSED(DOCA_SHA_JOB_SHA1_PARTIAL, req, resp, session); /* it began with SHA-256 */
    CHECK_OK(doca_sha_create(&other));
    CHECK_OK(doca_sha_partial_session_create(other, k.workq, &second));
    REFUSED(DOCA_SHA_JOB_SHA256_PARTIAL, req, resp, second);
    CHECK_RC(doca_sha_partial_session_copy(k.sha, k.workq, session, second),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sha_partial_session_destroy(k.sha, k.workq, second), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sha_partial_session_destroy(k.sha, k.workq, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sha_partial_session_create(k.sha, NULL, &second), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_sha_partial_session_destroy(other, k.workq, second));
    CHECK_OK(doca_sha_destroy(other));
    CHECK_RC(doca_sha_destroy(k.sha), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_sha_partial_session_destroy(k.sha, k.workq, session));
    CHECK_OK(doca_buf_refcount_rm(req, NULL));
    CHECK_OK(doca_buf_refcount_rm(empty, NULL));
    CHECK_OK(doca_buf_refcount_rm(resp, NULL));
    CHECK_OK(doca_buf_refcount_rm(small, NULL));
    kit_close(&k);
}

/* A device error stops the context, which restarts by itself. The session keeps the segments that
 * were hashed before the failed segment. */
static void failed_segment_leaves_its_session_unchanged(void)
{
    struct doca_sha_partial_session *session;
    struct doca_sha_partial_job job;
    struct doca_event event;
    struct doca_buf *req, *resp;
    struct kit k;

    CHECK_OK(doca_core_fault_set("sha.complete=fail@2,log=0"));
    kit_open(&k, 2);
    CHECK_OK(doca_sha_partial_session_create(k.sha, k.workq, &session));
    resp = room(&k, 0, 64);
    segment(&k, 1, 0, 640, false, session, resp);
    req = content(&k, 640, 9);
    job.sha_job = sha_job(&k, DOCA_SHA_JOB_SHA256_PARTIAL, req, resp);
    job.sha_job.flags = DOCA_SHA_JOB_FLAGS_SHA_PARTIAL_FINAL;
    job.session = session;
    CHECK_OK(doca_workq_submit(k.workq, &job.sha_job.base));
    CHECK_RC(retrieve(&k, &event), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(event.result.u64, DOCA_ERROR_IO_FAILED);
    CHECK_OK(doca_workq_submit(k.workq, &job.sha_job.base));
    CHECK_OK(retrieve(&k, &event));
    check_digest(resp, 1, from, 649);
    CHECK_OK(doca_buf_refcount_rm(req, NULL));
    CHECK_OK(doca_buf_refcount_rm(resp, NULL));
    CHECK_OK(doca_sha_partial_session_destroy(k.sha, k.workq, session));
    kit_close(&k);
    CHECK_OK(doca_core_fault_set(NULL));
}

static void hash_and_copy_run_in_a_graph(void)
{
    struct doca_graph_node *hash, *copy;
    struct doca_graph_instance *instance;
    struct doca_dma_job_memcpy dma_job;
    struct doca_sha_job job;
    struct doca_graph *graph;
    struct doca_event event;
    union doca_data word;
    struct kit k;

    kit_open(&k, 4);
    job = sha_job(&k, DOCA_SHA_JOB_SHA256, content(&k, 0, 1000), room(&k, 0, 64));
    memset(&dma_job, 0, sizeof(dma_job));
    dma_job.base.type = DOCA_DMA_JOB_MEMCPY;
    dma_job.base.ctx = k.ctx;
    dma_job.src_buff = content(&k, 0, 1000);
    dma_job.dst_buff = room(&k, 4096, 1000);
    CHECK_OK(doca_graph_create(&graph));
    CHECK_RC(doca_graph_ctx_node_create(graph, DOCA_DMA_JOB_MEMCPY, k.sha_ctx, &hash),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_graph_ctx_node_create(graph, DOCA_SHA_JOB_SHA256, k.sha_ctx, &hash));
    CHECK_OK(doca_graph_ctx_node_create(graph, DOCA_DMA_JOB_MEMCPY, k.ctx, &copy));
    CHECK_OK(doca_graph_add_dependency(graph, hash, copy));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_workq_add(graph, k.workq));
    CHECK_OK(doca_graph_instance_create(graph, &instance));
    CHECK_OK(doca_graph_instance_set_ctx_node_data(instance, hash, &job.base, NULL));
    CHECK_OK(doca_graph_instance_set_ctx_node_data(instance, copy, &dma_job.base, NULL));
    word.u64 = 5;
    CHECK_OK(doca_workq_graph_submit(k.workq, instance, word));
    CHECK_OK(retrieve(&k, &event));
    CHECK_EQ(event.type, DOCA_GRAPH_JOB);
    check_digest(job.resp_buf, 1, from, 1000);
    CHECK_MEM(to + 4096, from, 1000);
    CHECK_OK(doca_graph_instance_destroy(instance));
    CHECK_OK(doca_graph_workq_rm(graph, k.workq));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    CHECK_OK(doca_buf_refcount_rm(job.req_buf, NULL));
    CHECK_OK(doca_buf_refcount_rm(job.resp_buf, NULL));
    CHECK_OK(doca_buf_refcount_rm((struct doca_buf *)(uintptr_t)dma_job.src_buff, NULL));
    CHECK_OK(doca_buf_refcount_rm(dma_job.dst_buff, NULL));
    kit_close(&k);
}

static void sha_capabilities_are_reported(void)
{
    struct doca_dev *dev = open_dev("0000:03:00.0");
    const struct doca_devinfo *info = doca_dev_as_devinfo(dev);
    uint32_t num = 0, i;
    uint64_t most = 0;

    for (i = 0; i < 3; i++) {
        CHECK_OK(doca_sha_job_get_supported(info, (enum doca_sha_job_type)whole[i]));
        CHECK_OK(doca_sha_job_get_supported(info, (enum doca_sha_job_type)partial[i]));
        CHECK_OK(doca_sha_get_min_dst_buffer_size(info, (enum doca_sha_job_type)partial[i], &num));
        CHECK_EQ(num, count[i]);
    }
    CHECK_OK(doca_sha_get_hardware_supported(info));
    CHECK_OK(doca_sha_get_max_list_buf_num_elem(info, &num));
    CHECK(num > 1);
    CHECK_OK(doca_sha_get_max_src_buffer_size(info, &most));
    CHECK(most > 4096);
    CHECK_RC(doca_sha_job_get_supported(info, (enum doca_sha_job_type)7), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sha_job_get_supported(NULL, DOCA_SHA_JOB_SHA1), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dev_close(dev));
}

static void byte_counts_of_sha_match_the_arena(void)
{
    struct doca_sha_partial_session *session;
    struct doca_dev *dev = open_dev("0000:03:00.0");
    size_t used, before, want;
    struct doca_workq *workq;
    struct doca_sha *sha;
    struct doca_ctx *ctx;

#define TAKEN(call, says)                                                                          \
    do {                                                                                           \
        doca_core_arena_query(doca_core_arena_bound(), &before, NULL, NULL);                       \
        CHECK_OK(call);                                                                            \
        doca_core_arena_query(doca_core_arena_bound(), &used, NULL, NULL);                         \
        CHECK_OK(says);                                                                            \
        CHECK_EQ(used - before, want);                                                             \
    } while (0)
    TAKEN(doca_sha_create(&sha), doca_core_bytes_legacy_sha(&want));
    ctx = doca_sha_as_ctx(sha);
    CHECK_OK(doca_ctx_dev_add(ctx, dev));
    CHECK_OK(doca_ctx_start(ctx));
    CHECK_OK(doca_workq_create(5, &workq));
    TAKEN(doca_ctx_workq_add(ctx, workq), doca_core_bytes_legacy_sha_workq(dev, 5, &want));
    TAKEN(doca_sha_partial_session_create(sha, workq, &session),
          doca_core_bytes_legacy_sha_session(&want));
    CHECK_OK(doca_sha_partial_session_destroy(sha, workq, session));
    CHECK_OK(doca_ctx_workq_rm(ctx, workq));
    CHECK_OK(doca_ctx_stop(ctx));
    CHECK_OK(doca_ctx_dev_rm(ctx, dev));
    CHECK_OK(doca_workq_destroy(workq));
    CHECK_OK(doca_sha_destroy(sha));
    CHECK_OK(doca_dev_close(dev));
}

static const struct test_case cases[] = {
    CASE(mmap_gets_its_range_before_start, ""),
    CASE(export_to_the_dpu_is_imported, ""),
    CASE(sha_jobs_hash, ""),
    CASE(segments_of_a_session_form_one_message, ""),
    CASE(invalid_sha_jobs_are_refused, ""),
    CASE(failed_segment_leaves_its_session_unchanged, ""),
    CASE(hash_and_copy_run_in_a_graph, ""),
    CASE(sha_capabilities_are_reported, ""),
    CASE(byte_counts_of_sha_match_the_arena, ""),
};

TEST_MAIN(cases)
