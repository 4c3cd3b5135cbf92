/* Injected faults: devices that are lost or refused, contexts that do not start, and each
 * engine. */
#include "fault_support.h"
#include "event_rig.h"
#include "sha_reference.h"

#include <sys/wait.h>

static void device_is_lost_with_tasks_in_flight(void)
{
    unsigned char more[64];
    struct doca_mmap *mmap;
    struct ibv_pd *pd;
    struct doca_dma *other;
    struct rig r;
    unsigned i;

    fault_open(&r, "dma.complete=lose@3");
    fault_submit(&r, NUM);
    fault_wait(&r, NUM);
    for (i = 0; i < NUM; i++)
        CHECK_EQ(ended.which[i], i);
    CHECK_RC(ended.status[0], DOCA_SUCCESS);
    CHECK_RC(ended.status[1], DOCA_SUCCESS);
    CHECK_RC(ended.status[2], DOCA_ERROR_DRIVER);
    if (test_other() == NULL)
        for (i = 3; i < NUM; i++)
            CHECK_RC(ended.status[i], DOCA_ERROR_DRIVER);
    /* every operation on the lost device fails */
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, more, sizeof(more)));
    CHECK_OK(doca_mmap_add_dev(mmap, r.dev));
    CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_DRIVER);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_FAULT_LOST);
    CHECK_RC(doca_rdma_bridge_get_dev_pd(r.dev, &pd), DOCA_ERROR_DRIVER);
    CHECK_OK(doca_mmap_destroy(mmap));
    other = rig_make_dma(&r, 2);
    CHECK_RC(doca_ctx_start(doca_dma_as_ctx(other)), DOCA_ERROR_DRIVER);
    CHECK_OK(doca_dma_destroy(other));
    fault_close(&r);
    /* after it was closed, the device can be opened again and works */
    fault_open(&r, "");
    fault_submit(&r, NUM);
    fault_wait(&r, NUM);
    CHECK_EQ(r.num_ok, NUM);
    fault_close(&r);
}

static void loss_affects_all_contexts_of_the_device(void)
{
    struct doca_dma_task_memcpy *task, *late;
    struct doca_dma *other;
    struct rig r;

    fault_open(&r, "dma.complete=hold");
    other = rig_make_dma(&r, 4);
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(other)));
    task = rig_prepare(&r, other, 1024, 64);
    late = rig_prepare(&r, other, 2048, 64);
    CHECK_OK(rig_submit(task));
    CHECK_OK(doca_core_fault_set("dma.submit=lose@1"));
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_RC(rig_submit(task), DOCA_ERROR_DRIVER);
    rig_release(task);
    CHECK_RC(rig_submit(late), DOCA_ERROR_DRIVER);
    rig_release(late);
    CHECK_EQ(doca_core_fault_release(UINT32_MAX), 1);
    fault_wait(&r, 1);
    if (test_other() == NULL)
        CHECK_RC(ended.status[0], DOCA_ERROR_DRIVER);
    (void)doca_ctx_stop(doca_dma_as_ctx(other));
    while (rig_state(doca_dma_as_ctx(other)) != DOCA_CTX_STATE_IDLE)
        (void)rig_progress(&r);
    CHECK_OK(doca_dma_destroy(other));
    fault_close(&r);
}

static void delayed_start_ends_when_the_device_is_lost(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_dma *other;
    struct doca_ctx *ctx;
    unsigned i;
    struct rig r;

    fault_open(&r, "dma.open=delay:1000,dma.submit=lose@1");
    other = rig_make_dma(&r, 4);
    ctx = doca_dma_as_ctx(other);
    CHECK_RC(doca_ctx_start(ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK(!rig_progress(&r) || rig_state(ctx) == DOCA_CTX_STATE_STARTING);
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_RC(rig_submit(task), DOCA_ERROR_DRIVER);
    rig_release(task);
    for (i = 0; rig_state(ctx) != DOCA_CTX_STATE_IDLE && i < 100; i++)
        (void)rig_progress(&r);
    CHECK_EQ(rig_state(ctx), DOCA_CTX_STATE_IDLE);
    CHECK_RC(doca_ctx_start(ctx), DOCA_ERROR_DRIVER);
    CHECK_OK(doca_dma_destroy(other));
    fault_close(&r);
}

static void start_fails_or_is_delayed(void)
{
    struct rig r;
    unsigned i;

    CHECK_OK(doca_core_fault_set("dma.open=fail:FULL@1,dma.open=delay:9@2"));
    rig_build(&r, NULL, 4);
    r.frees_tasks = true;
    r.on_task = note_end;
    memset(&ended, 0, sizeof(ended));
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_FULL);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_OK(doca_ctx_stop(r.ctx)); /* no task is in flight, so the stop is complete at once */
    CHECK_OK(doca_core_fault_set("dma.open=fail:EMPTY@1,dma.open=again@1,"
                                 "dma.open=delay:1ms"));
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_EMPTY); /* fails at once, like FULL above */
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_IN_PROGRESS);
    while (rig_state(r.ctx) == DOCA_CTX_STATE_STARTING)
        (void)rig_progress(&r);
    rig_stop(&r, r.ctx);
    CHECK_OK(doca_core_fault_set("dma.open=delay:9"));
    rig_drain(&r);
    rig_forget_states(&r);
    CHECK_RC(doca_ctx_start(r.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STARTING);
    for (i = 0; rig_state(r.ctx) == DOCA_CTX_STATE_STARTING && i < RIG_PATIENCE; i++)
        (void)rig_progress(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
    CHECK_EQ(i, 11); /* nine calls for the delay, and one for each of two changes of state */
    fault_submit(&r, 4);
    fault_wait(&r, 4);
    CHECK_EQ(r.num_ok, 4);
    fault_close(&r);
}

static void faults_refuse_devices_and_memory(void)
{
    struct doca_mmap *mmap, *imported;
    unsigned char memory[64];
    struct doca_devinfo **list;
    struct doca_dev *dev;
    struct ibv_pd *pd;
    const void *blob;
    size_t len;
    uint32_t n;

    CHECK_OK(doca_core_fault_set("dev.open=fail@1,mem.reg=fail:NO_MEMORY@1"));
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    test_log_item = DOCA_CORE_ITEM_NONE;
    CHECK_RC(doca_dev_open(list[0], &dev), DOCA_ERROR_NOT_CONNECTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_FAULT_FAIL);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_FAULT_FAIL);
    CHECK_OK(doca_dev_open(list[0], &dev));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_core_fault_set("dev.open=again@1,dev.pd=fail:FULL,mem.reg=fail:NO_MEMORY@1,"
                                 "log=0"));
    test_log_item = DOCA_CORE_ITEM_NONE;
    CHECK_RC(doca_dev_open(list[0], &dev), DOCA_ERROR_NOT_CONNECTED);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BACKEND_REFUSED); /* log=0 hides the line of the fault */
    CHECK_OK(doca_dev_open(list[0], &dev));
    CHECK_RC(doca_rdma_bridge_get_dev_pd(dev, &pd), DOCA_ERROR_FULL);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_DEV_NO_PD);
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
    CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_NO_MEMORY);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_FAULT_FAIL);
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_core_fault_set("mem.export=fail:FULL,mem.import=fail:EMPTY"));
    CHECK_RC(doca_mmap_export_pci(mmap, dev, &blob, &len), DOCA_ERROR_FULL);
    CHECK_OK(doca_core_fault_set("mem.import=fail:EMPTY"));
    CHECK_OK(doca_mmap_export_pci(mmap, dev, &blob, &len));
    CHECK_RC(doca_mmap_create_from_export(NULL, blob, len, dev, &imported), DOCA_ERROR_EMPTY);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_core_fault_set(NULL));
}

static unsigned hashes_ok, hashes_failed;

static void hash_ok(struct doca_sha_task_hash *task, union doca_data a, union doca_data b)
{
    (void)a;
    (void)b;
    hashes_ok++;
    doca_task_free(doca_sha_task_hash_as_task(task));
}

static void hash_failed(struct doca_sha_task_hash *task, union doca_data a, union doca_data b)
{
    (void)a;
    (void)b;
    hashes_failed++;
    doca_task_free(doca_sha_task_hash_as_task(task));
}

/* Hash 64 bytes with SHA-256 in a new context, with the faults of `text`. */
static void hash_once(struct rig *r, const char *text, unsigned char *digest, bool fails)
{
    struct doca_sha_task_hash *task;
    struct doca_buf *src = rig_src(r, 0, 64), *dst = rig_dst(r, 4096, 64);
    struct doca_sha *sha;
    struct doca_ctx *ctx;

    CHECK_OK(doca_core_fault_set(text));
    hashes_ok = hashes_failed = 0;
    CHECK_OK(doca_sha_create(r->dev, &sha));
    ctx = doca_sha_as_ctx(sha);
    CHECK_OK(doca_pe_connect_ctx(r->pe, ctx));
    CHECK_OK(doca_sha_task_hash_set_conf(sha, hash_ok, hash_failed, 1));
    CHECK_OK(doca_ctx_start(ctx));
    CHECK_OK(doca_sha_task_hash_alloc_init(sha, DOCA_SHA_ALGORITHM_SHA256, src, dst,
                                           (union doca_data){ 0 }, &task));
    CHECK_OK(doca_task_submit(doca_sha_task_hash_as_task(task)));
    CHECK_PTR(doca_sha_task_hash_get_src(task), src); /* also when the fault is `truncate` */
    while (hashes_ok + hashes_failed == 0)
        (void)doca_pe_progress(r->pe);
    CHECK_EQ(hashes_failed, fails);
    CHECK_EQ(rig_data_len(dst), fails ? 0 : 32);
    memcpy(digest, rig_to + 4096, 32);
    (void)doca_ctx_stop(ctx);
    rig_drain(r);
    CHECK_OK(doca_sha_destroy(sha));
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    CHECK_OK(doca_buf_dec_refcount(dst, NULL));
}

static void faults_apply_to_hashes(void)
{
    unsigned char digest[32], want[64];
    struct rig r;

    rig_needs_sha();
    fault_open(&r, "");
    ref_hash(REF_SHA256, rig_from, 64, want);
    hash_once(&r, "sha.complete=fail@2", digest, false);
    CHECK_MEM(digest, want, 32);
    hash_once(&r, "sha.complete=flip:1", digest, false);
    CHECK_EQ(count_bits(digest, want, 32), 1);
    hash_once(&r, "sha.complete=fail", digest, true);
    ref_hash(REF_SHA256, rig_from, 3, want);
    hash_once(&r, "sha.submit=truncate:3", digest, false);
    CHECK_MEM(digest, want, 32);
    fault_close(&r);
}

static void faults_apply_to_sync_events(void)
{
    struct event_rig r;
    struct doca_task *set, *wait;
    uint64_t value = 7;

    CHECK_OK(doca_core_fault_set("event.submit=again@1,event.complete=fail:FULL@2,"
                                 "event.complete=hold@3"));
    event_open(&r, false);
    set = event_set_task(&r, 5);
    CHECK_RC(doca_task_submit(set), DOCA_ERROR_AGAIN);
    event_do(&r, set);
    CHECK_EQ(value, 7);
    set = event_get_task(&r, &value);
    CHECK_OK(doca_task_submit(set));
    event_drain(&r);
    CHECK_EQ(r.num_failed, 1);
    CHECK_RC(r.status, DOCA_ERROR_FULL);
    CHECK_EQ(value, 7); /* the read was not executed */
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_RUNNING);
    CHECK_OK(doca_task_submit(set));
    event_drain(&r);
    CHECK_EQ(value, 5);
    CHECK_EQ(r.num_ok, 1);
    CHECK_EQ(doca_core_fault_release(1), 1);
    event_drain(&r);
    CHECK_EQ(r.num_ok, 2);
    doca_task_free(set);
    wait = event_wait_task(&r, 1000, UINT64_MAX);
    CHECK_OK(doca_core_fault_set("event.submit=lose@2"));
    CHECK_OK(doca_task_submit(wait));
    set = event_set_task(&r, 2000);
    CHECK_RC(doca_task_submit(set), DOCA_ERROR_DRIVER);
    event_drain(&r);
    CHECK_RC(r.status, DOCA_ERROR_DRIVER);
    doca_task_free(set);
    doca_task_free(wait);
    event_close(&r);
    CHECK_OK(doca_core_fault_set(NULL));
}

static unsigned advised;

static void advise_done(struct doca_mmap_advise_task_invalidate_cache *task, union doca_data a,
                        union doca_data b)
{
    (void)a;
    (void)b;
    advised++;
    doca_task_free(doca_mmap_advise_task_invalidate_cache_as_doca_task(task));
}

static void faults_apply_to_advice(void)
{
    struct doca_mmap_advise_task_invalidate_cache *task;
    struct doca_mmap_advise *advise;
    struct doca_ctx *ctx;
    struct doca_buf *buf;
    struct rig r;
    unsigned i;

    fault_open(&r, NULL); /* opened with an empty text, the device obeys texts that are set later */
    buf = rig_src(&r, 0, 64);
    CHECK_OK(doca_mmap_advise_create(r.dev, &advise));
    CHECK_OK(doca_core_fault_set("advise.open=fail:FULL@1,advise.complete=delay:7"));
    ctx = doca_mmap_advise_as_ctx(advise);
    CHECK_OK(doca_pe_connect_ctx(r.pe, ctx));
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_done, advise_done, 1));
    CHECK_RC(doca_ctx_start(ctx), DOCA_ERROR_FULL);
    CHECK_OK(doca_ctx_start(ctx));
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, buf, (union doca_data){ 0 },
                                                               &task));
    CHECK_OK(doca_task_submit(doca_mmap_advise_task_invalidate_cache_as_doca_task(task)));
    advised = 0;
    for (i = 0; advised == 0 && i < 100; i++)
        (void)doca_pe_progress(r.pe);
    CHECK_EQ(i, 8);
    CHECK_OK(doca_ctx_stop(ctx));
    CHECK_OK(doca_mmap_advise_destroy(advise));
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    fault_close(&r);
}

/* Faults apply only to devices that are opened after doca_core_fault_set(). The mmap advise
 * contexts of a device that was opened earlier have no faults. */
static void advice_on_devices_without_faults_is_unchanged(void)
{
    struct doca_mmap_advise *advise;
    struct doca_ctx *ctx;
    struct rig r;

    rig_open(&r, 1);
    CHECK_OK(doca_core_fault_set("advise.open=lose"));
    CHECK_OK(doca_mmap_advise_create(r.dev, &advise));
    ctx = doca_mmap_advise_as_ctx(advise);
    CHECK_OK(doca_pe_connect_ctx(r.pe, ctx));
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_done, advise_done, 1));
    CHECK_OK(doca_ctx_start(ctx));
    CHECK_OK(doca_ctx_stop(ctx));
    CHECK_OK(doca_mmap_advise_destroy(advise));
    rig_close(&r);
    fault_open(&r, ""); /* a device that is opened later, at the same address, works */
    fault_close(&r);
}

static void workers_serve_devices_with_faults(void)
{
    struct doca_core_sw_worker *worker;
    unsigned i, k, num_served = 0;
    struct rig r;

    fault_open(&r, "dma.complete=hold@1,dma.complete=fail@9");
    CHECK_OK(doca_core_sw_worker_create(r.dev, &worker));
    CHECK_OK(doca_ctx_stop(r.ctx)); /* restart the context, so that the worker serves it */
    CHECK_OK(doca_ctx_start(r.ctx));
    rig_drain(&r);
    CHECK_EQ(doca_core_sw_worker_step(worker, 64), 0);
    fault_submit(&r, NUM);
    for (i = 0; i < NUM && ended.num < NUM - 1; i++) {
        num_served += doca_core_sw_worker_step(worker, 64);
        for (k = 0; k < 100; k++)
            (void)rig_progress(&r);
    }
    CHECK(num_served > 0);
    CHECK_EQ(ended.num, NUM - 1);
    CHECK_EQ(doca_core_fault_release(1), 1);
    fault_wait(&r, NUM);
    CHECK_EQ(r.num_ok, NUM);
    CHECK_OK(doca_core_sw_worker_stop(worker));
    CHECK_OK(doca_ctx_stop(r.ctx));
    rig_drain(&r);
    CHECK_OK(doca_core_sw_worker_destroy(worker));
    fault_close(&r);
}

static const struct test_case cases[] = {
    CASE(device_is_lost_with_tasks_in_flight, "197"),
    CASE(loss_affects_all_contexts_of_the_device, ""),
    CASE(delayed_start_ends_when_the_device_is_lost, ""),
    CASE(start_fails_or_is_delayed, ""),
    CASE(faults_refuse_devices_and_memory, ""),
    CASE(faults_apply_to_hashes, ""),
    CASE(faults_apply_to_sync_events, ""),
    CASE(faults_apply_to_advice, ""),
    CASE(advice_on_devices_without_faults_is_unchanged, ""),
    CASE_OF_SW(workers_serve_devices_with_faults, "", "it has workers"),
};

TEST_MAIN(cases)
