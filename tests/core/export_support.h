/* Helpers of the suites of exports and dmabufs: mmaps that are exported and imported within one
 * process, memory without an address, and hashes of it. */
#ifndef EXPORT_SUPPORT_H
#define EXPORT_SUPPORT_H

#include "share.h"

#include <fcntl.h>

#define PAGE 4096u
#define FAR_BYTES (4 * RIG_BYTES)

static _Alignas(PAGE) unsigned char far_bytes[FAR_BYTES];
static unsigned char want[FAR_BYTES];

/* Set a topology of one or two software devices with these capabilities. */
static inline void set_devs(uint32_t num, bool exports, bool imports, bool has_rdma,
                            bool has_dmabuf)
{
    static struct doca_core_dev_attr attrs[2];
    uint32_t i;

    for (i = 0; i < num; i++) {
        memcpy(attrs[i].pci_addr, i == 0 ? "0000:0c:00.0" : "0000:0c:00.1", sizeof("0000:0c:00.0"));
        CHECK_OK(doca_core_sw_profile("unlimited", &attrs[i].limits));
        attrs[i].limits.has_export_pci = exports;
        attrs[i].limits.has_import_pci = imports;
        attrs[i].limits.has_rdma = has_rdma;
        attrs[i].limits.has_dmabuf = has_dmabuf;
    }
    CHECK_OK(doca_core_sw_set_devices(attrs, num));
}

#define ANY_PCI (DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE)
#define ANY_RDMA                                                                                   \
    (DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_ATOMIC)

static const struct {
    share_export_t *call;
    uint32_t flags; /* the export needs one of these permissions */
} exports[] = { { doca_mmap_export_pci, ANY_PCI }, { doca_mmap_export_rdma, ANY_RDMA } };
/* Index of the first kind of export that the device supports. */
#define FIRST_KIND (share_is_rdma_only() ? 1u : 0u)

static inline uint8_t is_exported(const struct doca_mmap *mmap)
{
    uint8_t exported = 9;

    CHECK_OK(doca_mmap_get_exported(mmap, &exported));
    return exported;
}

static inline uint8_t is_import(const struct doca_mmap *mmap)
{
    uint8_t from_export = 9;

    CHECK_OK(doca_mmap_get_from_export(mmap, &from_export));
    return from_export;
}

/* Check that this export fails and does not change its outputs. */
static inline void check_no_export(share_export_t *how, struct doca_mmap *mmap,
                                   struct doca_dev *dev, doca_error_t code)
{
    const void *desc = far_bytes;
    size_t len = 77;

    CHECK_RC(how(mmap, dev, &desc, &len), code);
    CHECK_PTR(desc, far_bytes);
    CHECK_EQ(len, 77);
}

static inline void check_no_import(const void *desc, size_t len, struct doca_dev *dev,
                                   doca_error_t code)
{
    struct doca_mmap *mmap = (struct doca_mmap *)(void *)far_bytes;

    CHECK_RC(doca_mmap_create_from_export(NULL, desc, len, dev, &mmap), code);
    CHECK_PTR(mmap, far_bytes);
}

/* Make a list of `num` buffers of `each` bytes with gaps of `gap` bytes between them. */
static inline struct doca_buf *row(struct rig *r, struct doca_mmap *mmap, unsigned char *at,
                                   size_t num, size_t each, size_t gap, bool is_src)
{
    struct doca_buf *head = NULL, *buf;

    for (; num > 0; num--, at += each + gap) {
        buf = is_src ? share_src(r, mmap, at, each) : share_dst(r, mmap, at, each);
        if (head == NULL)
            head = buf;
        else
            CHECK_OK(doca_buf_chain_list(head, buf));
    }
    return head;
}

/* Return the largest number of buffers in a list that the device accepts. */
static inline uint32_t most_pieces(const struct rig *r)
{
    uint32_t num;

    CHECK_OK(doca_dma_cap_task_memcpy_get_max_buf_list_len(doca_dev_as_devinfo(r->dev), &num));
    CHECK(num >= 64);
    return num;
}

/* Lists with fewer buffers than one system call can copy, with exactly that number, and with
 * more. */
static inline void lists_of_many_buffers_are_copied(void)
{
    static const size_t nums[] = { 2, 15, 16, 17, 31, 32, 33, 48, 49, 100 };
    enum { EACH = 60, GAP = 3 };
    struct share s;
    struct rig r;
    size_t i, k;
    int way;

    share_rig_open(&r, 4);
    share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
    for (i = 0; i < sizeof(nums) / sizeof(nums[0]); i++) {
        for (way = 1; way < 4; way++) {
            unsigned char *from = way & 1 ? far_bytes : rig_from;
            unsigned char *to = far_bytes + RIG_BYTES;
            size_t max_num = most_pieces(&r), num = nums[i] < max_num ? nums[i] : max_num;

            share_fill(far_bytes, FAR_BYTES, (unsigned)num);
            memcpy(want, far_bytes, FAR_BYTES);
            /* the buffers of source and destination have different lengths */
            for (k = 0; k < num * EACH; k++)
                want[RIG_BYTES + k / (2 * EACH) * (2 * EACH + GAP) + k % (2 * EACH)] =
                    from[k / EACH * (EACH + GAP) + k % EACH];
            share_copy(&r, row(&r, way & 1 ? s.import : r.src_map, from, num, EACH, GAP, true),
                       row(&r, way & 2 ? s.import : s.map, to, num / 2 + 1, 2 * EACH, GAP, false));
            CHECK_MEM(far_bytes, want, FAR_BYTES);
        }
    }
    share_close(&s);
    rig_close(&r);
}

/* Create a memfd, which the tests use as a dmabuf. The library makes the same system calls for
 * both. Only the ioctls that begin and end an access fail on a memfd, and the library ignores
 * that. */
static inline int new_memfd(size_t bytes)
{
    int fd = memfd_create("dmabuf", MFD_CLOEXEC | MFD_ALLOW_SEALING);

    CHECK(fd >= 0);
    CHECK_EQ(ftruncate(fd, (off_t)bytes), 0);
    CHECK_EQ(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK), 0); /* a dmabuf never shrinks */
    return fd;
}

static inline unsigned char *view_of(int fd, size_t bytes)
{
    void *view = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    CHECK(view != MAP_FAILED);
    return view;
}

static inline struct doca_mmap *dmabuf_map(struct doca_dev *dev, int fd, void *addr, size_t offset,
                                           size_t len)
{
    struct doca_mmap *mmap;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_dmabuf_memrange(mmap, fd, addr, offset, len));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_start(mmap));
    return mmap;
}

/* The address of the buffers of a dmabuf. No memory is mapped there. */
#define NOWHERE ((unsigned char *)(uintptr_t)(5 * PAGE + 24))

static inline struct doca_buf *append(struct doca_buf *head, struct doca_buf *buf)
{
    if (head == NULL)
        return buf;
    CHECK_OK(doca_buf_chain_list(head, buf));
    return head;
}

/* A copy between two exporters, of which one has ended. The buffers of that exporter are in the
 * middle of the list. */
static inline void copy_between_exporters_fails_when_one_has_ended(void)
{
    enum { NUM = 3, EACH = 20000 };
    struct doca_buf *src, *dst;
    struct share good, bad;
    struct rig r;
    unsigned i;
    int way;

    share_rig_open(&r, 4);
    for (way = 0; way < 2; way++) {
        share_open(&good, r.dev, far_bytes, 2 * RIG_BYTES, SHARE_PCI, doca_mmap_export_pci);
        share_open(&bad, r.dev, far_bytes + 2 * RIG_BYTES, 2 * RIG_BYTES, SHARE_PCI,
                   doca_mmap_export_pci);
        CHECK_OK(doca_mmap_stop(bad.map));
        src = dst = NULL;
        for (i = 0; i < NUM; i++) {
            unsigned char *from = far_bytes + i * EACH, *to = from + RIG_BYTES;
            bool is_from = i == 1 && way == 0, is_to = i == 1 && way == 1;

            src = append(src, share_src(&r, is_from ? bad.import : good.import,
                                        from + (is_from ? 2 * RIG_BYTES : 0), EACH));
            dst = append(dst, share_dst(&r, is_to ? bad.import : good.import,
                                        to + (is_to ? 2 * RIG_BYTES : 0), EACH / 2));
            dst = append(dst, share_dst(&r, good.import, to + EACH / 2, EACH / 2));
        }
        share_fails(&r, src, dst, DOCA_CORE_ITEM_EXPORTER_STOPPED);
        share_close(&bad);
        share_copy(&r, share_src(&r, good.import, far_bytes, EACH),
                   share_dst(&r, good.import, far_bytes + RIG_BYTES, EACH));
        CHECK_MEM(far_bytes + RIG_BYTES, far_bytes, EACH);
        share_close(&good);
    }
    rig_close(&r);
}

/* In each round another element of the list is wrong. No element's data length may increase. */
static inline void failure_in_a_list_changes_no_element(void)
{
    enum { NUM = 40, EACH = 100 };
    struct doca_buf *src, *dst;
    struct share good, bad;
    struct rig r;
    size_t i, at;

    share_rig_open(&r, 4);
    share_open(&good, r.dev, far_bytes, RIG_BYTES, SHARE_PCI, doca_mmap_export_pci);
    share_open(&bad, r.dev, far_bytes + RIG_BYTES, RIG_BYTES, SHARE_PCI, doca_mmap_export_pci);
    CHECK_OK(doca_mmap_stop(bad.map));
    for (at = 0; at < NUM; at++) {
        src = dst = NULL;
        for (i = 0; i < NUM; i++) {
            struct doca_mmap *map = i == at ? bad.import : i % 2 == 0 ? good.import : r.dst_map;
            unsigned char *to = i == at ? far_bytes + RIG_BYTES : i % 2 == 0 ? far_bytes : rig_to;

            src = append(src, rig_src(&r, i * EACH, EACH));
            dst = append(dst, share_dst(&r, map, to + i * EACH, EACH));
        }
        share_fails(&r, src, dst, DOCA_CORE_ITEM_EXPORTER_STOPPED);
    }
    share_close(&good);
    share_close(&bad);
    rig_close(&r);
}

/* A SHA context that is connected to the PE of a rig. */
struct hasher {
    struct rig *r;
    struct doca_sha *sha;
    struct doca_ctx *ctx;
    doca_error_t status;
    unsigned num_done;
};

static inline void hash_done(struct hasher *h, struct doca_task *task)
{
    h->status = doca_task_get_status(task);
    share_item = h->status != DOCA_SUCCESS ? doca_core_last_item() : DOCA_CORE_ITEM_NONE;
    h->num_done++;
}

static inline void whole_done(struct doca_sha_task_hash *task, union doca_data task_data,
                              union doca_data ctx_data)
{
    (void)task_data;
    hash_done(ctx_data.ptr, doca_sha_task_hash_as_task(task));
}

static inline void partial_done(struct doca_sha_task_partial_hash *task, union doca_data task_data,
                                union doca_data ctx_data)
{
    (void)task_data;
    hash_done(ctx_data.ptr, doca_sha_task_partial_hash_as_task(task));
}

static inline void hasher_open(struct hasher *h, struct rig *r)
{
    h->r = r;
    h->num_done = 0;
    CHECK_OK(doca_sha_create(r->dev, &h->sha));
    h->ctx = doca_sha_as_ctx(h->sha);
    CHECK_OK(doca_ctx_set_user_data(h->ctx, (union doca_data){ .ptr = h }));
    CHECK_OK(doca_sha_task_hash_set_conf(h->sha, whole_done, whole_done, 1));
    CHECK_OK(doca_sha_task_partial_hash_set_conf(h->sha, partial_done, partial_done, 1));
    CHECK_OK(doca_pe_connect_ctx(r->pe, h->ctx));
    CHECK_OK(doca_ctx_start(h->ctx));
}

static inline void hasher_close(struct hasher *h)
{
    CHECK_OK(doca_ctx_stop(h->ctx));
    rig_drain(h->r);
    CHECK_OK(doca_sha_destroy(h->sha));
}

static inline doca_error_t hash_submit(struct hasher *h, struct doca_task *task)
{
    unsigned num = h->num_done;

    CHECK_OK(doca_task_submit(task));
    rig_drain(h->r);
    CHECK_EQ(h->num_done, num + 1);
    return h->status;
}

static inline doca_error_t hash_whole(struct hasher *h, enum doca_sha_algorithm algorithm,
                                      struct doca_buf *src, struct doca_buf *dst)
{
    struct doca_sha_task_hash *task;
    doca_error_t rc;

    CHECK_OK(doca_sha_task_hash_alloc_init(h->sha, algorithm, src, dst, (union doca_data){ 0 },
                                           &task));
    rc = hash_submit(h, doca_sha_task_hash_as_task(task));
    doca_task_free(doca_sha_task_hash_as_task(task));
    return rc;
}

static const size_t digest_bytes[] = { 20, 32, 64 };

/* Compute the expected digest with local memory. (test_sha.c checks local digests.) */
static inline void local_digest(struct hasher *h, enum doca_sha_algorithm algorithm, size_t len,
                                unsigned char *digest)
{
    struct doca_buf *src = rig_src(h->r, 0, len), *dst = rig_dst(h->r, RIG_BYTES - 64, 64);

    CHECK_OK(hash_whole(h, algorithm, src, dst));
    memcpy(digest, rig_to + RIG_BYTES - 64, digest_bytes[algorithm]);
    share_drop(src, dst);
}

/* Hash from and to the memory at address `at` of `map`. The test accesses the same RIG_BYTES + 100
 * bytes at `seen`. */
static inline void check_hashes(struct hasher *h, struct doca_mmap *map, unsigned char *at,
                                unsigned char *seen)
{
    static const size_t lens[] = { 1, 63, 64, 65, 4096, 8191, 8192, 8193, 20000, RIG_BYTES };
    unsigned char digest[64];
    struct doca_buf *src, *dst;
    size_t i;
    int a;

    memcpy(seen, rig_from, RIG_BYTES);
    for (a = 0; a < 3; a++) {
        for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
            local_digest(h, (enum doca_sha_algorithm)a, lens[i], digest);
            memset(seen + RIG_BYTES, 0xee, 100);
            /* the source is a list of two buffers */
            src = share_src(h->r, map, at, lens[i] / 2 + 1);
            if (lens[i] > 1)
                CHECK_OK(doca_buf_chain_list(src, share_src(h->r, map, at + lens[i] / 2 + 1,
                                                            lens[i] - lens[i] / 2 - 1 +
                                                                (lens[i] == 2))));
            dst = share_buf(h->r, map, at + RIG_BYTES, 90, 0, 7);
            CHECK_OK(hash_whole(h, (enum doca_sha_algorithm)a, src, dst));
            CHECK_EQ(rig_data_len(dst), 7 + digest_bytes[a]);
            CHECK_EQ(seen[RIG_BYTES + 6], 0xee);
            CHECK_MEM(seen + RIG_BYTES + 7, digest, digest_bytes[a]);
            CHECK_EQ(seen[RIG_BYTES + 7 + digest_bytes[a]], 0xee);
            share_drop(src, dst);
        }
    }
}

/* Hash segments of whole blocks, and then the rest. The digest is that of all bytes. */
static inline void check_partial(struct hasher *h, struct doca_mmap *map, unsigned char *at,
                                 unsigned char *seen)
{
    enum { LEN = 30000, SEGMENT = 128 * 70 };
    struct doca_sha_task_partial_hash *task;
    unsigned char digest[64];
    struct doca_buf *src, *dst;
    size_t done, n;
    int a;

    memcpy(seen, rig_from, RIG_BYTES);
    for (a = 0; a < 3; a++) {
        local_digest(h, (enum doca_sha_algorithm)a, LEN, digest);
        dst = share_dst(h->r, map, at + RIG_BYTES, 64);
        CHECK_OK(doca_sha_task_partial_hash_alloc_init(h->sha, (enum doca_sha_algorithm)a, NULL,
                                                       dst, (union doca_data){ 0 }, &task));
        for (done = 0; done < LEN; done += n) {
            n = LEN - done < SEGMENT ? LEN - done : SEGMENT;
            src = share_src(h->r, map, at + done, n);
            CHECK_OK(doca_sha_task_partial_hash_set_src(task, src));
            if (done + n == LEN)
                CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(task));
            CHECK_EQ(rig_data_len(dst), 0);
            CHECK_OK(hash_submit(h, doca_sha_task_partial_hash_as_task(task)));
            CHECK_OK(doca_buf_dec_refcount(src, NULL));
        }
        CHECK_EQ(rig_data_len(dst), digest_bytes[a]);
        CHECK_MEM(seen + RIG_BYTES, digest, digest_bytes[a]);
        doca_task_free(doca_sha_task_partial_hash_as_task(task));
        CHECK_OK(doca_buf_dec_refcount(dst, NULL));
    }
}

/* Hash while the exporter of a part of the source, or of the destination, has ended. The task must
 * fail, and no byte of a digest may be written. */
static inline void check_hash_fails_without_the_exporter(void)
{
    enum { NUM = 3, EACH = 20000 };
    struct doca_mmap *maps[NUM];
    struct doca_buf *src, *dst;
    struct share s[NUM];
    struct hasher h;
    struct rig r;
    unsigned i, lost;
    unsigned way;

    rig_needs_sha();
    share_rig_open(&r, 1);
    hasher_open(&h, &r);
    for (lost = 0; lost < 2 * NUM; lost++) {
        way = lost / NUM;
        for (i = 0; i < NUM; i++) {
            share_open(&s[i], r.dev, far_bytes + i * EACH, EACH, SHARE_PCI, doca_mmap_export_pci);
            maps[i] = s[i].import;
        }
        memset(far_bytes, 0x55, NUM * EACH);
        CHECK_OK(doca_mmap_stop(s[lost % NUM].map));
        src = dst = NULL;
        for (i = 0; i < NUM; i++) {
            if (way == 0)
                src = append(src, share_src(&r, maps[i], far_bytes + i * EACH, EACH));
            else
                dst = append(dst, share_dst(&r, maps[i], far_bytes + i * EACH, 24));
        }
        if (way == 0)
            dst = rig_dst(&r, 0, 64);
        else
            src = rig_src(&r, 0, 500);
        CHECK_RC(hash_whole(&h, DOCA_SHA_ALGORITHM_SHA512, src, dst), DOCA_ERROR_IO_FAILED);
        CHECK_EQ(share_item, DOCA_CORE_ITEM_EXPORTER_STOPPED);
        CHECK_EQ(rig_data_len(dst), 0);
        CHECK_EQ(rig_to[0], 0xee);
        share_drop(src, dst);
        for (i = 0; i < NUM; i++)
            share_close(&s[i]);
        rig_drain(&r);
        CHECK_OK(doca_ctx_start(h.ctx));
    }
    hasher_close(&h);
    rig_close(&r);
}

#endif
