/* Copies with every engine on a fake device in plain memory (mlx5_fake.h): the WQEs that the
 * backend writes for a task, doorbells, and queues that wrap. */
#define DOCA_CORE_MLX5_IMPLEMENTATION
#include "mlx5_fake_rig.h"

static void every_engine_copies(void)
{
    struct rig r;
    size_t i;

    for (i = 0; i < NUM_ENGINES; i++) {
        open_fake_rig(&r, engines[i], 4);
        (void)rig_copy(&r, r.dma, 100, 5000);
        if (engines[i] != DOCA_CORE_MLX5_ENGINE_VERBS)
            CHECK_EQ(rig_drain(&r), 0); /* the task must not end before the device has run */
        finish(&r);
        CHECK_EQ(r.num_ok, 1);
        CHECK_MEM(rig_to + 100, rig_from + 100, 5000);
        CHECK_EQ(rig_to[99], 0xee);
        CHECK_EQ(rig_to[5100], 0xee);
        rig_close(&r);
        CHECK_EQ(fake.num_mrs, 0);
    }
}

static void queue_works_without_thread_domain_and_parent_domain(void)
{
    struct rig r;
    unsigned i;

    for (i = 1; i < 4; i++) { /* bits: no thread domain; no parent domain, so no place for rings */
        fake_reset();
        fake.no_td = (i & 1) != 0;
        fake.no_domain = (i & 2) != 0;
        use_fake(DOCA_CORE_MLX5_ENGINE_MMO);
        rig_open(&r, 4);
        r.frees_tasks = true;
        (void)rig_copy(&r, r.dma, 0, 100);
        finish(&r);
        CHECK_EQ(r.num_ok, 1);
        rig_close(&r);
    }
}

/* Tasks submitted without FLUSH share one doorbell, which the flush rings with the last WQE. */
static void tasks_of_a_batch_share_a_doorbell(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;
    unsigned i;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 8);
    for (i = 0; i < 8; i++) {
        task = rig_prepare(&r, r.dma, i * 100, 100);
        CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task),
                                     DOCA_TASK_SUBMIT_FLAG_NONE));
    }
    CHECK_EQ(fake_run(), 0);
    doca_ctx_flush_tasks(r.ctx);
    CHECK_MEM(&fake.qps[0].doorbell, fake.qps[0].sq + 7 * 64, 8);
    CHECK_EQ(fake_run(), 8);
    finish(&r);
    CHECK_EQ(r.num_ok, 8);
    rig_close(&r);
}

/* Tasks submitted without FLUSH start together with the next task that is flushed. When the context
 * is stopped before that, they end with SHUTDOWN and have not been started. */
static void deferred_tasks_start_with_the_next_flush_or_end_at_stop(void)
{
    /* in some rounds, earlier tasks make the WQEs cross the end of the ring */
    static const size_t starts[] = { FAKE_WQES - 5, 3 };
    struct rig r;
    size_t i, k;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 8);
    r.frees_tasks = true;
    for (i = 0; i < 2; i++) {
        for (k = 0; k < starts[i]; k++) {
            (void)rig_copy(&r, r.dma, 0, 64);
            finish(&r);
        }
        memset(rig_to, 0xee, RIG_BYTES);
        for (k = 0; k < 3; k++)
            CHECK_OK(doca_task_submit_ex(
                doca_dma_task_memcpy_as_task(rig_prepare(&r, r.dma, k * 64, 64)), 0));
        CHECK_EQ(fake_run(), 0);
        CHECK_EQ(rig_drain(&r), 0);
        (void)rig_copy(&r, r.dma, 192, 64);
        CHECK_EQ(fake_run(), 4);
        finish(&r);
        CHECK_MEM(rig_to, rig_from, 256);
        memset(rig_to, 0xee, RIG_BYTES);
        (void)rig_copy(&r, r.dma, 0, 64);
        for (k = 1; k < 4; k++)
            CHECK_OK(doca_task_submit_ex(
                doca_dma_task_memcpy_as_task(rig_prepare(&r, r.dma, k * 64, 64)), 0));
        CHECK_EQ(fake_run(), 1);
        r.num_ok = 0;
        r.num_failed = 0;
        CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
        finish(&r);
        CHECK_EQ(r.num_ok, 1);
        CHECK_EQ(r.num_failed, 3);
        CHECK_EQ(r.status, DOCA_ERROR_SHUTDOWN);
        CHECK_EQ(rig_to[64], 0xee);
        CHECK_OK(doca_ctx_start(r.ctx));
        rig_drain(&r);
    }
    rig_close(&r);
}

/* The CPU executes a copy between overlapping buffers. Submitted without FLUSH, it must not begin
 * before the flush either. */
static void deferred_task_of_the_cpu_waits_for_the_flush(void)
{
    struct doca_dma_task_memcpy *task;
    unsigned char before[30];
    struct doca_buf *src;
    struct rig r;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 8);
    r.frees_tasks = true;
    CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(rig_prepare(&r, r.dma, 0, 64)), 0));
    memcpy(rig_to + 500, rig_from, 20);
    memcpy(before, rig_to + 500, sizeof(before));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, r.dst_map, rig_to + 500, 20, &src));
    task = rig_task(r.dma, src, rig_dst(&r, 510, 20));
    CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task), 0));
    CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(rig_prepare(&r, r.dma, 64, 64)), 0));
    CHECK_EQ(fake_run(), 0);
    CHECK_EQ(rig_drain(&r), 0);
    CHECK_MEM(rig_to + 500, before, sizeof(before));
    doca_ctx_flush_tasks(r.ctx);
    CHECK_EQ(fake_run(), 2);
    finish(&r);
    CHECK_EQ(r.num_ok, 3);
    CHECK_MEM(rig_to + 510, before, 20);
    rig_close(&r);
}

/* An import may have the same addresses as memory of this process. The CPU must not take this for
 * an overlap: the device executes the copy. */
static void import_with_overlapping_addresses_is_copied_by_the_device(void)
{
    struct doca_mmap *map, *import;
    struct doca_buf *src, *dst;
    const void *desc;
    struct rig r;
    size_t len;

    fake_reset();
    fake.has_cap_2 = true;
    use_fake(DOCA_CORE_MLX5_ENGINE_MMO);
    rig_open(&r, 4);
    r.frees_tasks = true;
    CHECK_OK(doca_mmap_create(&map));
    CHECK_OK(doca_mmap_set_memrange(map, rig_to, 1000));
    CHECK_OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
    CHECK_OK(doca_mmap_add_dev(map, r.dev));
    CHECK_OK(doca_mmap_start(map));
    CHECK_OK(doca_mmap_export_pci(map, r.dev, &desc, &len));
    CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, r.dev, &import));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, import, rig_to, 100, &src));
    dst = rig_dst(&r, 50, 100);
    CHECK_OK(rig_submit(rig_task(r.dma, src, dst)));
    CHECK_EQ(fake_be32(&fake.qps[0].dbrec[1]), 1);
    CHECK_EQ(fake_be32(fake.qps[0].sq + 0x24), 0x12345700);
    (void)fake_run(); /* the fake does not know the key of the import, so the task fails */
    finish(&r);
    CHECK_EQ(r.num_failed, 1);
    CHECK_OK(doca_mmap_destroy(import));
    CHECK_OK(doca_mmap_destroy(map));
    rig_close(&r);
}

/* Maximum number of data bytes that a WQE holds: 28, or 0 in mlx5_copy.no_inline. */
static const unsigned max_inline = DOCA_CORE_MLX5_MAX_INLINE;

/* Return the queue pair whose doorbell was rung. */
static const struct fake_qp *rung_qp(void)
{
    return fake.qps[0].dbrec[1] != 0 ? &fake.qps[0] : &fake.qps[1];
}

/* Submit a copy from a list of 100, 200 and 300 bytes to a list of 250 and 350 bytes. */
static void submit_two_lists(struct rig *r)
{
    struct doca_buf *src = rig_src(r, 0, 100), *dst = rig_dst(r, 5000, 250);

    CHECK_OK(doca_buf_chain_list(src, rig_src(r, 1000, 200)));
    CHECK_OK(doca_buf_chain_list(src, rig_src(r, 2000, 300)));
    CHECK_OK(doca_buf_chain_list(dst, rig_dst(r, 6000, 350)));
    CHECK_OK(rig_submit(rig_task(r->dma, src, dst)));
}

static void check_two_lists(struct rig *r)
{
    finish(r);
    CHECK_EQ(r->num_ok, 1);
    CHECK_MEM(rig_to + 5000, rig_from, 100);
    CHECK_MEM(rig_to + 5100, rig_from + 1000, 150);
    CHECK_MEM(rig_to + 6000, rig_from + 1150, 50);
    CHECK_MEM(rig_to + 6050, rig_from + 2000, 300);
    rig_close(r);
}

/* A WQE of the MMO engine has one source and one destination, so the copy is split into pieces of
 * 100, 150, 50 and 300 bytes. Only the last WQE requests a completion. */
static void lists_become_pieces_and_one_completion(void)
{
    const struct fake_qp *q = &fake.qps[0];
    struct rig r;
    size_t k;

    open_fake_rig(&r, MMO_, 4);
    submit_two_lists(&r);
    CHECK_EQ(fake_be32(&q->dbrec[1]), 4);
    for (k = 0; k < 4; k++)
        CHECK_EQ(q->sq[k * 64 + 11], k == 3 ? 0x08 : 0);
    CHECK_EQ(fake_be32(q->sq + 0x20), 100);
    CHECK_EQ(fake_be32(q->sq + 64 + 0x20), 150);
    CHECK_EQ(fake_be32(q->sq + 128 + 0x20), 50);
    CHECK_EQ(fake_be32(q->sq + 192 + 0x20), 300);
    check_two_lists(&r);
    CHECK_EQ(fake.cq_pi, 1);
}

/* An RDMA WRITE has several sources and one destination. So one WQE gathers 100 and 150 bytes, and
 * a second one 50 and 300 bytes. */
static void rdma_write_gathers_the_sources_of_each_destination(void)
{
    const struct fake_qp *q;
    struct rig r;

    open_fake_rig(&r, RC_, 4);
    submit_two_lists(&r);
    q = rung_qp();
    CHECK_EQ(fake_be32(&q->dbrec[1]), 2);
    CHECK_EQ(q->sq[7], 4);
    CHECK_EQ(q->sq[11], 0);
    CHECK_EQ(fake_be32(q->sq + 0x20), 100);
    CHECK_EQ(fake_be32(q->sq + 0x30), 150);
    CHECK_EQ(q->sq[64 + 7], 4);
    CHECK_EQ(q->sq[64 + 11], 0x08);
    CHECK_EQ(fake_be32(q->sq + 64 + 0x20), 50);
    CHECK_EQ(fake_be32(q->sq + 64 + 0x30), 300);
    check_two_lists(&r);
    CHECK_EQ(fake.cq_pi, 1);
    open_fake_rig(&r, VERBS_, 4);
    submit_two_lists(&r);
    CHECK_EQ(fake.num_posted, 2);
    check_two_lists(&r);
}

static void submit_sources(struct rig *r, unsigned num, unsigned bytes)
{
    struct doca_buf *src = rig_src(r, 0, bytes);
    unsigned i;

    for (i = 1; i < num; i++)
        CHECK_OK(doca_buf_chain_list(src, rig_src(r, i * 500, bytes)));
    CHECK_OK(rig_submit(rig_task(r->dma, src, rig_dst(r, 0, num * bytes))));
}

static void check_sources(unsigned num, unsigned bytes)
{
    unsigned i;

    for (i = 0; i < num; i++)
        CHECK_MEM(rig_to + i * bytes, rig_from + i * 500, bytes);
    CHECK_EQ(rig_to[num * bytes], 0xee);
}

/* A list of more sources than fit into one WQE is split into several WQEs, also across the end of
 * the ring. */
static void any_number_of_sources_is_gathered(void)
{
    static const uint32_t limits[] = { 0, 1, 2, 7, 30, 32 }; /* max_sge of the device */
    unsigned num, blocks, sge, wqes;
    const struct fake_qp *q;
    struct rig r;
    size_t i;

    for (i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        fake_reset();
        fake.max_sge = limits[i];
        use_fake(RC_);
        rig_open(&r, 4);
        r.frees_tasks = true;
        sge = limits[i] == 0 ? 1 : limits[i] > 30 ? 30 : limits[i];
        for (num = 1; num <= 64; num++) {
            uint16_t before;

            submit_sources(&r, num, 60);
            q = rung_qp();
            before = q->ci;
            wqes = (num + sge - 1) / sge;
            blocks = num / sge * ((2 + sge + 3) / 4) +
                     (num % sge != 0 ? (2 + num % sge + 3) / 4 : 0);
            CHECK_EQ((uint16_t)(fake_be32(&q->dbrec[1]) - before), blocks);
            CHECK_EQ(fake_run(), wqes);
            CHECK_EQ(fake.cq_pi, num);
            finish(&r);
            CHECK_EQ(r.num_ok, num);
            check_sources(num, 60);
            memset(rig_to, 0xee, RIG_BYTES);
        }
        rig_close(&r);
    }
}

/* With verbs, the backend obeys the limits that the queue pair reports at creation. They may be
 * lower than the limits of the device. */
static void verbs_obey_the_limits_of_the_queue_pair(void)
{
    static const struct {
        uint32_t sge, bytes, want;
        bool is_inline;
    } rows[] = {
        { 30, 28, 30, true }, { 29, 100, 15, true }, { 7, 28, 7, true }, { 1, 28, 1, true },
        { 30, 27, 30, false }, { 1, 0, 1, false },
    };
    struct rig r;
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        fake_reset();
        fake.max_qp_sge = rows[i].sge;
        fake.max_qp_inline = rows[i].bytes;
        use_fake(VERBS_);
        rig_open(&r, 4);
        r.frees_tasks = true;
        submit_sources(&r, 60, 60);
        CHECK_EQ(fake.num_posted, (60 + rows[i].want - 1) / rows[i].want);
        CHECK_EQ(fake.num_posted_inline, 0);
        finish(&r);
        check_sources(60, 60);
        (void)rig_copy(&r, r.dma, 5000, 28);
        CHECK_EQ(fake.num_posted_inline, rows[i].is_inline && max_inline != 0);
        (void)rig_copy(&r, r.dma, 6000, 29);
        CHECK_EQ(fake.num_posted_inline, rows[i].is_inline && max_inline != 0);
        finish(&r);
        CHECK_EQ(r.num_ok, 3);
        CHECK_MEM(rig_to + 5000, rig_from + 5000, 28);
        CHECK_MEM(rig_to + 6000, rig_from + 6000, 29);
        rig_close(&r);
    }
}

/* RDMA WRITE: submit copies a short source into the WQE and reads no byte beside it. The MMO engine
 * has no WQE of this form. */
static void short_sources_are_in_the_wqe(void)
{
    const struct fake_qp *q;
    const unsigned char *w;
    unsigned i, len;
    struct rig r;

    for (i = 0; i < 2; i++) {
        for (len = 1; len <= 32; len++) {
            open_fake_rig(&r, engines[i], 4);
            (void)rig_copy(&r, r.dma, 100, len);
            q = rung_qp();
            w = q->sq;
            CHECK_EQ(fake_be32(&q->dbrec[1]), 1);
            CHECK_EQ(fake_be32(w + 0x20), len + (i == 1 && len <= max_inline ? 0x80000000 : 0));
            if (i == 1 && len <= max_inline)
                CHECK_MEM(w + 0x24, rig_from + 100, len);
            finish(&r);
            CHECK_EQ(r.num_ok, 1);
            CHECK_MEM(rig_to + 100, rig_from + 100, len);
            CHECK_EQ(rig_to[100 + len], 0xee);
            rig_close(&r);
        }
    }
}

/* A list whose total length is short is also copied into one WQE. */
static void short_lists_are_in_one_wqe(void)
{
    const struct fake_qp *q;
    struct rig r;

    open_fake_rig(&r, RC_, 4);
    submit_sources(&r, 4, 7);
    q = rung_qp();
    CHECK_EQ(fake_be32(&q->dbrec[1]), max_inline != 0 ? 1 : 2);
    CHECK_EQ(q->sq[7], max_inline != 0 ? 4 : 2 + 4);
    CHECK_EQ(fake_be32(q->sq + 0x20), max_inline != 0 ? 0x80000000 + 28 : 7);
    finish(&r);
    CHECK_EQ(r.num_ok, 1);
    check_sources(4, 7);
    memset(rig_to, 0xee, RIG_BYTES);
    submit_sources(&r, 29, 1); /* one byte more than fits into a WQE */
    CHECK_EQ(q->sq[(max_inline != 0 ? 64 : 128) + 7], 2 + 29);
    finish(&r);
    check_sources(29, 1);
    rig_close(&r);
    open_fake_rig(&r, VERBS_, 4);
    submit_sources(&r, 4, 7);
    CHECK_EQ(fake.num_posted, 1);
    CHECK_EQ(fake.num_posted_inline, max_inline != 0);
    finish(&r);
    check_sources(4, 7);
    rig_close(&r);
}

/* The CPU cannot read memory on the device or memory of another function at the addresses of its
 * buffers. Such a source is not copied into the WQE, and neither is a list with such an element. */
static void memory_the_cpu_cannot_read_is_not_copied_into_the_wqe(void)
{
    struct doca_mmap *maps[2], *map;
    struct doca_buf *src, *list;
    const struct fake_qp *q;
    const void *desc;
    struct rig r;
    void *addr;
    size_t len, i;

    fake_reset();
    fake.has_cap_2 = true;
    use_fake(RC_);
    rig_open(&r, 8);
    r.frees_tasks = true;
    CHECK_OK(doca_core_mmap_create_on_dev(r.dev, 64, &maps[0]));
    CHECK_OK(doca_mmap_create(&map));
    CHECK_OK(doca_mmap_set_memrange(map, rig_from, 1000));
    CHECK_OK(doca_mmap_set_permissions(map, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
    CHECK_OK(doca_mmap_add_dev(map, r.dev));
    CHECK_OK(doca_mmap_start(map));
    CHECK_OK(doca_mmap_export_pci(map, r.dev, &desc, &len));
    CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, r.dev, &maps[1]));
    for (i = 0; i < 2; i++) {
        CHECK_OK(doca_mmap_get_memrange(maps[i], &addr, &len));
        CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, maps[i], addr, 8, &src));
        CHECK_OK(rig_submit(rig_task(r.dma, src, rig_dst(&r, i * 100, 8))));
        q = rung_qp();
        CHECK_EQ(q->sq[i * 128 + 7], 3);
        CHECK_EQ(fake_be32(q->sq + i * 128 + 0x20), 8);
        CHECK_EQ(fake_be32(q->sq + i * 128 + 0x24), OBJECT(maps[i])->devs[0].mkey);
        CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, maps[i], addr, 8, &src));
        list = rig_src(&r, 0, 8);
        CHECK_OK(doca_buf_chain_list(list, src));
        CHECK_OK(rig_submit(rig_task(r.dma, list, rig_dst(&r, i * 100 + 50, 16))));
        CHECK_EQ(q->sq[i * 128 + 64 + 7], 4);
        CHECK_EQ(fake_be32(q->sq + i * 128 + 64 + 0x20), 8);
        CHECK_EQ(fake_be32(q->sq + i * 128 + 64 + 0x30), 8);
        CHECK_EQ(fake_be32(q->sq + i * 128 + 64 + 0x34), OBJECT(maps[i])->devs[0].mkey);
    }
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS); /* before the fake executes a task */
    finish(&r);
    CHECK_EQ(r.num_failed, 4);
    for (i = 0; i < 2; i++)
        CHECK_OK(doca_mmap_destroy(maps[i]));
    CHECK_OK(doca_mmap_destroy(map));
    rig_close(&r);
}

/* Submit more tasks than the ring has WQEs, so often that all rings wrap many times, with
 * completion entries of 64 and of 128 bytes. */
static void rings_wrap_and_tasks_wait_for_room(void)
{
    enum { TASKS = 300 };
    static const uint32_t cqe_bytes[] = { 64, 128 };
    struct doca_buf *src;
    struct rig r;
    unsigned round, i;
    size_t k;

    for (k = 0; k < 2; k++) {
        fake_reset();
        fake.cqe_bytes = cqe_bytes[k];
        use_fake(DOCA_CORE_MLX5_ENGINE_MMO);
        rig_open(&r, TASKS);
        r.frees_tasks = true;
        for (round = 0; round < 20; round++) {
            memset(rig_to, 0xee, RIG_BYTES);
            for (i = 0; i < 200; i++)
                (void)rig_copy(&r, r.dma, i * 64, 64);
            for (; i < 225; i++) { /* copies of two pieces */
                src = rig_src(&r, i * 64, 32);
                CHECK_OK(doca_buf_chain_list(src, rig_src(&r, i * 64 + 32, 32)));
                CHECK_OK(rig_submit(rig_task(r.dma, src, rig_dst(&r, i * 64, 64))));
            }
            CHECK_EQ(rig_drain(&r), 0); /* entries of the previous round do not count as new */
            finish(&r);
            CHECK_EQ(r.num_ok, (round + 1) * i);
            CHECK_MEM(rig_to, rig_from, i * 64);
        }
        CHECK(fake.cq_pi > 10 * fake.num_cqes);
        rig_close(&r);
    }
}

/* Set the counters of the queue and of the device close to the values at which they wrap. */
static void counters_wrap(void)
{
    static const struct {
        uint32_t wqes, cqes;
    } rows[] = {
        { 0xff80, 0xffff00 }, { 0xffff80, 0x1ffff00 }, { 0xffffff80, 0xffffff00 }
    };
    static const enum doca_core_mlx5_engine all[] = { MMO_, RC_ };
    struct doca_priv_mlx5_queue *q;
    unsigned i, k, n;
    struct rig r;

    for (i = 0; i < 6; i++) {
        open_fake_rig(&r, all[i % 2], 64);
        q = doca_priv_mlx5_queue_of(OBJECT(r.ctx)->queue);
        q->sq_pi = q->sq_ci = q->sq_pi_rung = rows[i / 2].wqes;
        q->cq_ci = fake.cq_pi = rows[i / 2].cqes;
        CHECK_EQ(q->cq_ci % fake.num_cqes, 0); /* the next completion is in the first entry */
        q->cq_owner = (uint8_t)(q->cq_ci / fake.num_cqes & 1);
        fake_qp_of(q->qp)->ci = (uint16_t)q->sq_pi;
        fake_put32(&fake_qp_of(q->qp)->dbrec[1], q->sq_pi & 0xffff);
        fake_put32(&fake.cq_dbrec[0], q->cq_ci & 0xffffff);
        memset(fake.cqes, 0xf0, sizeof(fake.cqes));
        for (n = 0; n < 10; n++) {
            memset(rig_to, 0xee, RIG_BYTES);
            for (k = 0; k < 40; k++)
                (void)rig_copy(&r, r.dma, k * 100, 100);
            finish(&r);
            CHECK_MEM(rig_to, rig_from, 4000);
        }
        CHECK_EQ(r.num_ok, 400);
        CHECK_EQ(q->cq_ci, rows[i / 2].cqes + 400);
        CHECK_EQ(q->sq_ci, rows[i / 2].wqes + 400);
        CHECK_EQ(fake_be32(&fake.cq_dbrec[0]), q->cq_ci & 0xffffff);
        CHECK_OK(doca_pe_request_notification(r.pe));
        CHECK_EQ(fake_be32(&fake.cq_dbrec[1]), q->cq_ci & 0xffffff);
        CHECK_OK(doca_pe_clear_notification(r.pe, 0));
        rig_close(&r);
    }
}

/* Make a list of `num` buffers of random length, at most `most` bytes each. The first begins at
 * `at` in rig_from. `want` receives their content and `*len` their total length. */
static struct doca_buf *random_sources(struct rig *r, size_t at, unsigned num, size_t most,
                                       unsigned char *want, size_t *len)
{
    struct doca_buf *list = NULL, *buf;
    size_t bytes;

    for (*len = 0; num > 0; num--, at += 97) {
        bytes = rig_random((uint32_t)most) + 1;
        buf = rig_src(r, at, bytes);
        memcpy(want + *len, rig_from + at, bytes);
        *len += bytes;
        if (list == NULL)
            list = buf;
        else
            CHECK_OK(doca_buf_chain_list(list, buf));
    }
    return list;
}

#define REGION 3000u /* bytes of the destinations of a task */

/* Make a random task that uses only one region; `want` receives the expected content of its
 * destination. */
static struct doca_dma_task_memcpy *random_task(struct rig *r, size_t region, unsigned char *want)
{
    struct doca_buf *src, *dst;
    size_t len, half;

    memset(want, 0xee, REGION);
    switch (rig_random(5)) {
    case 0: /* an overlap, which the CPU copies */
        len = rig_random(200) + 20;
        memcpy(rig_to + region, rig_from + region, REGION);
        memcpy(want, rig_from + region, REGION);
        memcpy(want + 10, rig_from + region, len);
        CHECK_OK(doca_buf_inventory_buf_get_by_data(r->inventory, r->dst_map, rig_to + region, len,
                                                    &src));
        return rig_task(r->dma, src, rig_dst(r, region + 10, len));
    case 1: /* short enough for a WQE */
        src = random_sources(r, region, 1, 28, want, &len);
        break;
    case 2:
        src = random_sources(r, region, 1, 600, want, &len);
        break;
    case 3: /* a list that may be short enough for a WQE */
        src = random_sources(r, region, 2 + rig_random(4), 9, want, &len);
        break;
    default:
        src = random_sources(r, region, 2 + rig_random(34), 40, want, &len);
        if (rig_random(2) == 0)
            break;
        half = len / 2; /* the second half goes to offset 1500 */
        dst = rig_dst(r, region, half);
        CHECK_OK(doca_buf_chain_list(dst, rig_dst(r, region + 1500, 1500)));
        memcpy(want + 1500, want + half, len - half);
        memset(want + half, 0xee, 1500 - half);
        return rig_task(r->dma, src, dst);
    }
    return rig_task(r->dma, src, rig_dst(r, region, REGION));
}

/* Mix short and long copies, lists and overlaps, with and without FLUSH, while the device runs or
 * waits. The counters of the queues wrap, and WQEs cross the end of the ring. */
static void any_mix_of_tasks_is_copied(void)
{
    enum { TASKS = 12 };
    static unsigned char want[TASKS * REGION];
    struct doca_dma_task_memcpy *task;
    struct doca_priv_mlx5_queue *q;
    unsigned round, k;
    struct rig r;
    size_t i;

    for (i = 0; i < NUM_ENGINES; i++) {
        open_fake_rig(&r, engines[i], 16);
        q = doca_priv_mlx5_queue_of(OBJECT(r.ctx)->queue);
        q->sq_pi = q->sq_ci = q->sq_pi_rung = 0xffffff00;
        fake_qp_of(q->qp)->ci = (uint16_t)q->sq_pi;
        fake_put32(&fake_qp_of(q->qp)->dbrec[1], q->sq_pi & 0xffff);
        for (round = 0; round < 200; round++) {
            memset(rig_to, 0xee, RIG_BYTES);
            for (k = 0; k < TASKS; k++) {
                task = random_task(&r, k * REGION, want + k * REGION);
                CHECK_OK(doca_task_submit_ex(doca_dma_task_memcpy_as_task(task),
                                             rig_random(2) == 0 ? DOCA_TASK_SUBMIT_FLAG_NONE
                                                                : DOCA_TASK_SUBMIT_FLAG_FLUSH));
                if (rig_random(3) == 0)
                    (void)fake_run();
                if (rig_random(3) == 0)
                    (void)rig_progress(&r);
            }
            doca_ctx_flush_tasks(r.ctx);
            finish(&r);
            CHECK_EQ(r.num_ok, (round + 1) * TASKS);
            CHECK_EQ(q->sq_ci, q->sq_pi);
            CHECK_EQ(q->sq_pi_rung, q->sq_pi);
            CHECK_MEM(rig_to, want, sizeof(want));
        }
        CHECK(q->sq_pi < 0xffffff00);
        rig_close(&r);
    }
}

static void check_order(struct rig *r, struct doca_dma_task_memcpy *task)
{
    CHECK_EQ(doca_task_get_user_data(doca_dma_task_memcpy_as_task(task)).u64, r->todo);
    r->todo++;
}

static void tasks_end_in_the_order_of_submission(void)
{
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src;
    struct rig r;
    unsigned i;

    open_fake_rig(&r, DOCA_CORE_MLX5_ENGINE_MMO, 200);
    r.on_task = check_order;
    for (i = 0; i < 200; i++) {
        if (i % 3 == 0) { /* the buffers overlap, so the CPU copies */
            CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, r.dst_map, rig_to + i * 64,
                                                        20, &src));
            task = rig_task(r.dma, src, rig_dst(&r, i * 64 + 10, 20));
        } else {
            task = rig_prepare(&r, r.dma, i * 64, 64);
        }
        doca_task_set_user_data(doca_dma_task_memcpy_as_task(task), (union doca_data){ .u64 = i });
        CHECK_OK(rig_submit(task));
    }
    /* 133 of the tasks need a WQE; those that do not fit into the ring wait in the library */
    CHECK_EQ(fake_be32(&fake.qps[0].dbrec[1]), FAKE_WQES - 1);
    finish(&r);
    CHECK_EQ(r.num_ok, 200);
    rig_close(&r);
}

static const struct test_case cases[] = {
    CASE(every_engine_copies, ""),
    CASE(queue_works_without_thread_domain_and_parent_domain, ""),
    CASE(tasks_of_a_batch_share_a_doorbell, ""),
    CASE(deferred_tasks_start_with_the_next_flush_or_end_at_stop, ""),
    CASE(deferred_task_of_the_cpu_waits_for_the_flush, ""),
    CASE(import_with_overlapping_addresses_is_copied_by_the_device, ""),
    CASE(lists_become_pieces_and_one_completion, ""),
    CASE(rdma_write_gathers_the_sources_of_each_destination, ""),
    CASE(any_number_of_sources_is_gathered, ""),
    CASE(verbs_obey_the_limits_of_the_queue_pair, ""),
    CASE(short_sources_are_in_the_wqe, ""),
    CASE(short_lists_are_in_one_wqe, ""),
    CASE(memory_the_cpu_cannot_read_is_not_copied_into_the_wqe, ""),
    CASE(rings_wrap_and_tasks_wait_for_room, ""),
    CASE(counters_wrap, ""),
    CASE(any_mix_of_tasks_is_copied, ""),
    CASE(tasks_end_in_the_order_of_submission, ""),
};

TEST_MAIN(cases)
