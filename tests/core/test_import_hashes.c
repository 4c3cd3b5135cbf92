/* Hashes of imported memory. */
#include "export_support.h"

static void imports_can_be_source_and_destination_of_hashes(void)
{
    struct hasher h;
    struct share s;
    struct rig r;

    rig_needs_sha();
    share_rig_open(&r, 1);
    hasher_open(&h, &r);
    share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
    check_hashes(&h, s.import, far_bytes + 3, far_bytes + 3);
    check_partial(&h, s.import, far_bytes + 3, far_bytes + 3);
    share_close(&s);
    hasher_close(&h);
    rig_close(&r);
}

static void hash_of_lost_memory_fails_and_writes_no_digest(void)
{
    struct doca_buf *src, *dst;
    struct hasher h;
    struct share s;
    struct rig r;
    int way;

    rig_needs_sha();
    share_rig_open(&r, 1);
    hasher_open(&h, &r);
    for (way = 0; way < 2; way++) {
        share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
        memset(far_bytes + RIG_BYTES, 0x55, 64);
        CHECK_OK(doca_mmap_stop(s.map));
        src = way == 0 ? share_src(&r, s.import, far_bytes, 500) : rig_src(&r, 0, 500);
        dst = way == 0 ? rig_dst(&r, 0, 64) : share_dst(&r, s.import, far_bytes + RIG_BYTES, 64);
        CHECK_RC(hash_whole(&h, DOCA_SHA_ALGORITHM_SHA256, src, dst), DOCA_ERROR_IO_FAILED);
        CHECK_EQ(share_item, DOCA_CORE_ITEM_EXPORTER_STOPPED);
        CHECK_EQ(rig_data_len(dst), 0);
        CHECK_EQ(rig_to[0], 0xee);
        CHECK_EQ(far_bytes[RIG_BYTES], 0x55);
        share_drop(src, dst);
        share_close(&s);
        rig_drain(&r);
        CHECK_EQ(rig_state(h.ctx), DOCA_CTX_STATE_IDLE);
        CHECK_OK(doca_ctx_start(h.ctx));
        src = rig_src(&r, 0, 500);
        dst = rig_dst(&r, 1000, 64);
        CHECK_OK(hash_whole(&h, DOCA_SHA_ALGORITHM_SHA256, src, dst));
        share_drop(src, dst);
    }
    hasher_close(&h);
    rig_close(&r);
}

/* The export stops between two segments. The second segment fails, and the task has no result, not
 * even the digest of the first segment. */
static void partial_hash_of_an_ended_export_has_no_result(void)
{
    struct doca_sha_task_partial_hash *task;
    struct doca_buf *src[2], *dst;
    struct hasher h;
    struct share s;
    struct rig r;
    int i;

    rig_needs_sha();
    share_rig_open(&r, 1);
    hasher_open(&h, &r);
    share_open(&s, r.dev, far_bytes, FAR_BYTES, SHARE_PCI, doca_mmap_export_pci);
    for (i = 0; i < 2; i++)
        src[i] = share_src(&r, s.import, far_bytes + i * 1280, 1280);
    dst = rig_dst(&r, 0, 64);
    CHECK_OK(doca_sha_task_partial_hash_alloc_init(h.sha, DOCA_SHA_ALGORITHM_SHA256, src[0], dst,
                                                   (union doca_data){ 0 }, &task));
    CHECK_OK(hash_submit(&h, doca_sha_task_partial_hash_as_task(task)));
    CHECK_OK(doca_mmap_stop(s.map));
    CHECK_OK(doca_sha_task_partial_hash_set_src(task, src[1]));
    CHECK_OK(doca_sha_task_partial_hash_set_is_final_buf(task));
    CHECK_RC(hash_submit(&h, doca_sha_task_partial_hash_as_task(task)), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(share_item, DOCA_CORE_ITEM_EXPORTER_STOPPED);
    CHECK_EQ(doca_sha_task_partial_hash_get_has_result(task), 0);
    CHECK_EQ(rig_data_len(dst), 0);
    CHECK_EQ(rig_to[0], 0xee);
    doca_task_free(doca_sha_task_partial_hash_as_task(task));
    share_drop(src[0], src[1]);
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));
    share_close(&s);
    rig_drain(&r);
    CHECK_OK(doca_ctx_start(h.ctx));
    hasher_close(&h);
    rig_close(&r);
}

static void hash_obeys_the_permissions_of_an_import(void)
{
    struct doca_sha_task_hash *task;
    struct doca_buf *src, *dst;
    struct hasher h;
    struct share s;
    struct rig r;
    int way;

    rig_needs_sha();
    share_rig_open(&r, 1);
    hasher_open(&h, &r);
    for (way = 0; way < 2; way++) {
        share_open(&s, r.dev, far_bytes, FAR_BYTES,
                   way == 0 ? DOCA_ACCESS_FLAG_RDMA_WRITE : DOCA_ACCESS_FLAG_RDMA_READ,
                   doca_mmap_export_rdma);
        src = way == 0 ? share_src(&r, s.import, far_bytes, 500) : rig_src(&r, 0, 500);
        dst = way == 0 ? rig_dst(&r, 0, 64) : share_dst(&r, s.import, far_bytes, 64);
        CHECK_OK(doca_sha_task_hash_alloc_init(h.sha, DOCA_SHA_ALGORITHM_SHA1, src, dst,
                                               (union doca_data){ 0 }, &task));
        CHECK_RC(doca_task_try_submit(doca_sha_task_hash_as_task(task)), DOCA_ERROR_NOT_PERMITTED);
        doca_task_free(doca_sha_task_hash_as_task(task));
        share_drop(src, dst);
        share_close(&s);
    }
    hasher_close(&h);
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(imports_can_be_source_and_destination_of_hashes, "87"),
    CASE(check_hash_fails_without_the_exporter, ""),
    CASE(hash_of_lost_memory_fails_and_writes_no_digest, ""),
    CASE(partial_hash_of_an_ended_export_has_no_result, ""),
    CASE(hash_obeys_the_permissions_of_an_import, "244"),
};

TEST_MAIN(cases)
