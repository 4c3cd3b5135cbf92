/* Memory on RDMA devices: used as buffers of tasks with every engine, and accessed by the CPU. */
#include "mlx5_rig.h"

#include <errno.h>
#include <pthread.h>

enum { LEN = 12000, PAGE = 4096 }; /* LEN is not a multiple of 64 */

/* Build a running rig on the first device, and skip the case when the device has no memory for
 * programs. Return false when the device does not copy with this engine. */
static bool open_rig(struct rig *r, enum doca_core_mlx5_engine engine)
{
    struct doca_mmap *map;
    doca_error_t rc;

    (void)mlx5_show(engine, mlx5_trap_sys());
    if (!mlx5_limits(0).has_dma)
        return false;
    mlx5_rig_open(r, mlx5_open(0), 8);
    rc = doca_core_mmap_create_on_dev(r->dev, PAGE, &map);
    if (rc != DOCA_SUCCESS) {
        CHECK_RC(rc, DOCA_ERROR_NOT_SUPPORTED);
        rig_close(r);
        test_skip("the device has no memory to give");
    }
    CHECK_OK(doca_mmap_destroy(map));
    return true;
}

static void with_engines(void (*body)(struct rig *r))
{
    struct rig r;
    size_t i;

    for (i = 0; i < MLX5_NUM_ENGINES; i++) {
        if (!open_rig(&r, mlx5_engines[i]))
            continue;
        body(&r);
        rig_close(&r);
    }
}

static struct doca_mmap *make_map(struct doca_dev *dev, size_t bytes)
{
    struct doca_mmap *map = NULL;

    CHECK_OK(doca_core_mmap_create_on_dev(dev, bytes, &map));
    CHECK(map != NULL);
    return map;
}

/* Return the address at which the buffers of the mmap begin. */
static unsigned char *begin_of(const struct doca_mmap *map)
{
    void *addr;
    size_t len;

    CHECK_OK(doca_mmap_get_memrange(map, &addr, &len));
    return addr;
}

/* ---- reads and writes by the CPU ---- */

static void write_and_read(struct rig *r)
{
    struct doca_mmap *map = make_map(r->dev, LEN);

    CHECK_OK(doca_core_mmap_write(map, 0, rig_from, LEN));
    CHECK_OK(doca_core_mmap_write(map, 400, rig_from + 1, 8)); /* from an unaligned host address */
    memset(rig_to, 0, LEN);
    CHECK_OK(doca_core_mmap_read(map, 0, rig_to, LEN));
    CHECK_MEM(rig_to, rig_from, 400);
    CHECK_MEM(rig_to + 400, rig_from + 1, 8);
    CHECK_MEM(rig_to + 408, rig_from + 408, LEN - 408);
    CHECK_OK(doca_core_mmap_read(map, LEN - 4, rig_to + 1, 4));
    CHECK_MEM(rig_to + 1, rig_from + LEN - 4, 4);
    CHECK_OK(doca_core_mmap_read(map, LEN, rig_to, 0));
    CHECK_OK(doca_mmap_destroy(map));
}

static void cpu_reads_what_it_wrote(void)
{
    with_engines(write_and_read);
}

/* Write pieces of every length up to 13 at every offset near the end of an mmap, and compare with a
 * model. The bytes around a piece must stay unchanged. */
static void write_pieces(struct rig *r)
{
    static const size_t lens[] = { 1, 2, 3, 4, 5, 8, 13, 63, 64, 65, 100, 4097 };
    unsigned char model[4097], back[4097];
    struct doca_mmap *map;
    size_t i, offset, len, round = 0;

    for (i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
        map = make_map(r->dev, lens[i]);
        memcpy(model, rig_from + i, lens[i]);
        CHECK_OK(doca_core_mmap_write(map, 0, model, lens[i]));
        for (offset = lens[i] > 100 ? lens[i] - 20 : 0; offset < lens[i]; offset++) {
            for (len = 0; len <= 13 && len <= lens[i] - offset; len++) {
                memcpy(model + offset, rig_from + ++round % 1000, len);
                CHECK_OK(doca_core_mmap_write(map, offset, rig_from + round % 1000, len));
                memset(back, 0xa5, sizeof(back));
                CHECK_OK(doca_core_mmap_read(map, offset, back, len));
                CHECK_MEM(back, model + offset, len);
                CHECK_EQ(back[len], 0xa5);
            }
        }
        CHECK_OK(doca_core_mmap_read(map, 0, back, lens[i]));
        CHECK_MEM(back, model, lens[i]);
        CHECK_OK(mlx5_copy(r, share_src(r, map, begin_of(map), lens[i]), rig_dst(r, 0, lens[i])));
        CHECK_MEM(rig_to, model, lens[i]);
        CHECK_RC(doca_core_mmap_read(map, lens[i], back, 1), DOCA_ERROR_INVALID_VALUE);
        CHECK_OK(doca_mmap_destroy(map));
    }
}

static void any_offset_and_length_can_be_written(void)
{
    with_engines(write_pieces);
}

/* Each thread writes one byte of its own, beside the bytes of the other threads. The memory is
 * written in whole words, and no thread may overwrite the byte of another thread. */
enum { NUM_WRITERS = 4, NUM_WRITES = 50000 };
static struct doca_mmap *written;

static void *write_bytes(void *arg)
{
    const size_t which = (size_t)arg;
    unsigned char byte;
    unsigned i;

    for (i = 1; i <= NUM_WRITES; i++) {
        byte = (unsigned char)i;
        if (doca_core_mmap_write(written, which, &byte, 1) != DOCA_SUCCESS ||
            doca_core_mmap_read(written, which, &byte, 1) != DOCA_SUCCESS ||
            byte != (unsigned char)i)
            return &written;
    }
    return NULL;
}

static void threads_write_neighbouring_bytes(void)
{
    pthread_t threads[NUM_WRITERS];
    void *failed, *any = NULL;
    struct rig r;
    size_t i;

    if (!open_rig(&r, DOCA_CORE_MLX5_ENGINE_AUTO))
        test_skip("the first device has no engine that copies");
    written = make_map(r.dev, 5);
    heap_trap_set(HEAP_TRAP_OFF);
    for (i = 0; i < NUM_WRITERS; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, write_bytes, (void *)i), 0);
    for (i = 0; i < NUM_WRITERS; i++) {
        CHECK_EQ(pthread_join(threads[i], &failed), 0);
        any = failed != NULL ? failed : any;
    }
    CHECK_PTR(any, NULL);
    CHECK_OK(doca_mmap_destroy(written));
    rig_close(&r);
}

/* Reads and writes that do not lie within the mmap are refused, and write nothing. */
static void cpu_access_outside_the_mmap_is_refused(void)
{
    static const struct {
        size_t offset, bytes;
    } rows[] = { { LEN, 4 },     { LEN - 4, 8 }, { LEN + 4, 0 },      { 0, LEN + 4 },
                 { LEN, 1 },     { LEN - 1, 2 }, { 1, LEN },          { 1, SIZE_MAX },
                 { 4, SIZE_MAX - 3 }, { SIZE_MAX - 3, 4 } };
    struct doca_mmap *map;
    uint32_t word = 0;
    struct rig r;
    size_t i;

    if (!open_rig(&r, DOCA_CORE_MLX5_ENGINE_AUTO))
        test_skip("the first device has no engine that copies");
    map = make_map(r.dev, LEN);
    CHECK_OK(doca_core_mmap_write(map, 0, &word, 4));
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CHECK_RC(doca_core_mmap_write(map, rows[i].offset, rig_from, rows[i].bytes),
                 DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_core_mmap_read(map, rows[i].offset, rig_to, rows[i].bytes),
                 DOCA_ERROR_INVALID_VALUE);
    }
    CHECK_OK(doca_core_mmap_read(map, 0, &word, 4));
    CHECK_EQ(word, 0);
    CHECK_RC(doca_core_mmap_write(NULL, 0, rig_from, 4), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mmap_write(map, 0, NULL, 4), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mmap_read(map, 0, NULL, 4), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_destroy(map));
    rig_close(&r);
}

/* ---- tasks ---- */

static void copy_through(struct rig *r)
{
    struct doca_mmap *map[2] = { make_map(r->dev, LEN), make_map(r->dev, PAGE) };
    unsigned char *at[2] = { begin_of(map[0]), begin_of(map[1]) };
    unsigned i;

    CHECK_OK(mlx5_copy(r, rig_src(r, 0, LEN), share_dst(r, map[0], at[0], LEN)));
    memset(rig_to, 0, LEN);
    CHECK_OK(doca_core_mmap_read(map[0], 0, rig_to, LEN));
    CHECK_MEM(rig_to, rig_from, LEN);
    CHECK_OK(mlx5_copy(r, share_src(r, map[0], at[0] + 7, 1001),
                       share_dst(r, map[1], at[1] + 3, 1001))); /* from device to device memory */
    CHECK_OK(mlx5_copy(r, share_src(r, map[1], at[1] + 3, 1001), rig_dst(r, 20000, 1001)));
    CHECK_MEM(rig_to + 20000, rig_from + 7, 1001);
    CHECK_OK(doca_core_mmap_write(map[1], 0, rig_from + 3000, 512));
    CHECK_OK(mlx5_copy(r, share_src(r, map[1], at[1] + 1, 500), rig_dst(r, 30000, 500)));
    CHECK_MEM(rig_to + 30000, rig_from + 3001, 500);
    for (i = 0; i < 2; i++)
        CHECK_OK(doca_mmap_destroy(map[i]));
}

static void tasks_copy_to_from_and_within_the_device(void)
{
    with_engines(copy_through);
}

/* Lists of host memory, device memory and memory of another function. */
static void copy_lists(struct rig *r)
{
    struct doca_mmap *map = make_map(r->dev, LEN), *theirs = NULL, *import = NULL;
    static unsigned char memory[5000], want[5000];
    unsigned char *at = begin_of(map);
    struct doca_buf *src, *dst;
    const void *desc;
    size_t len;

    share_fill(memory, sizeof(memory), 9);
    CHECK_OK(doca_core_mmap_write(map, 0, rig_from + 8000, 4000));
    src = share_src(r, map, at + 10, 300);
    CHECK_OK(doca_buf_chain_list(src, rig_src(r, 0, 300)));
    CHECK_OK(doca_buf_chain_list(src, share_src(r, map, at + 2000, 300)));
    memcpy(want, rig_from + 8010, 300);
    memcpy(want + 300, rig_from, 300);
    memcpy(want + 600, rig_from + 10000, 300);
    dst = rig_dst(r, 0, 450);
    CHECK_OK(doca_buf_chain_list(dst, share_dst(r, map, at + 8000, 450)));
    CHECK_OK(mlx5_copy(r, src, dst));
    CHECK_MEM(rig_to, want, 450);
    CHECK_OK(doca_core_mmap_read(map, 8000, rig_to, 452));
    CHECK_MEM(rig_to, want + 450, 450);
    if (r->dev->info.attr.limits.has_import_pci) {
        theirs = share_map(r->dev, memory, sizeof(memory), DOCA_ACCESS_FLAG_PCI_READ_WRITE);
        CHECK_OK(doca_mmap_export_pci(theirs, r->dev, &desc, &len));
        CHECK_OK(doca_mmap_create_from_export(NULL, desc, len, r->dev, &import));
        CHECK_OK(mlx5_copy(r, share_src(r, import, memory, 5000), share_dst(r, map, at, 5000)));
        memcpy(want, memory, 5000);
        memset(memory, 0, 5000);
        CHECK_OK(mlx5_copy(r, share_src(r, map, at, 5000), share_dst(r, import, memory, 5000)));
        CHECK_MEM(memory, want, 5000);
        CHECK_OK(doca_mmap_destroy(import));
        CHECK_OK(doca_mmap_destroy(theirs));
    }
    CHECK_OK(doca_mmap_destroy(map));
}

static void lists_mix_host_and_device(void)
{
    with_engines(copy_lists);
}

static void check_range_of_key(struct rig *r)
{
    enum { UNITS = LEN / 64 * 64 }; /* the key covers whole units of 64 bytes */
    struct doca_mmap *map = make_map(r->dev, UNITS), *other = make_map(r->dev, LEN);
    unsigned char *at = begin_of(map);

    CHECK_RC(mlx5_copy(r, share_src(r, map, at, 1000), share_dst(r, map, at + 10, 1000)),
             DOCA_ERROR_IO_FAILED);
    CHECK_EQ(share_item, DOCA_CORE_ITEM_MLX5_OVERLAP);
    CHECK_OK(doca_core_mmap_write(map, 0, rig_from, 1000));
    /* the addresses overlap, but belong to two mmaps */
    CHECK_OK(mlx5_copy(r, share_src(r, map, at, 1000),
                       share_dst(r, other, begin_of(other) + 10, 1000)));
    CHECK_OK(mlx5_copy(r, share_src(r, other, begin_of(other) + 10, 1000), rig_dst(r, 0, 1000)));
    CHECK_MEM(rig_to, rig_from, 1000);
    OBJECT(map)->end += PAGE; /* make the library accept accesses beyond the end */
    OBJECT(map)->len += PAGE;
    mlx5_check_denied(r, rig_src(r, 0, 2), share_dst(r, map, at + UNITS - 1, 2));
    mlx5_check_denied(r, share_src(r, map, at + UNITS, 1), rig_dst(r, 0, 1));
    OBJECT(map)->end -= PAGE;
    OBJECT(map)->len -= PAGE;
    CHECK_OK(mlx5_copy(r, rig_src(r, 0, 2), share_dst(r, map, at + UNITS - 2, 2)));
    CHECK_OK(doca_mmap_destroy(map));
    CHECK_OK(doca_mmap_destroy(other));
}

static void key_gives_no_access_beyond_the_range(void)
{
    with_engines(check_range_of_key);
}

/* ---- refusals ---- */

static void mmap_with_buffers_is_not_destroyed(void)
{
    struct doca_mmap *map;
    struct doca_buf *buf;
    struct rig r;

    if (!open_rig(&r, DOCA_CORE_MLX5_ENGINE_AUTO))
        test_skip("the first device has no engine that copies");
    map = make_map(r.dev, PAGE);
    buf = share_buf(&r, map, begin_of(map), 8, 0, 8);
    CHECK_RC(doca_mmap_destroy(map), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_core_mmap_write(map, 0, rig_from, 4)); /* the mmap still works */
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    CHECK_OK(doca_mmap_destroy(map));
    rig_close(&r);
}

/* A thread-safe mmap can be destroyed while it has buffers. Then no device accesses them. */
static void destroy_with_a_buffer(struct rig *r)
{
    struct doca_mmap *map = make_map(r->dev, LEN);
    struct doca_dma_task_memcpy *task;
    struct doca_buf *buf;

    CHECK_OK(doca_mmap_enable_thread_safety(map));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r->inventory, map, begin_of(map), 64, &buf));
    CHECK_OK(doca_mmap_destroy(map));
    task = rig_task(r->dma, buf, rig_dst(r, 0, 64));
    CHECK(doca_task_try_submit(doca_dma_task_memcpy_as_task(task)) != DOCA_SUCCESS);
    rig_release(task);
}

static void buffers_of_a_destroyed_mmap_reach_no_device(void)
{
    with_engines(destroy_with_a_buffer);
}

/* ---- the amount of memory ---- */

static void exhausted_memory_is_available_again_after_destroy(void)
{
    enum { MANY = 256 };
    struct doca_mmap *map[MANY];
    unsigned num[2], round, i;
    doca_error_t rc;
    struct rig r;

    if (!open_rig(&r, DOCA_CORE_MLX5_ENGINE_AUTO))
        test_skip("the first device has no engine that copies");
    CHECK_RC(doca_core_mmap_create_on_dev(r.dev, SIZE_MAX, &map[0]), DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_core_mmap_create_on_dev(r.dev, SIZE_MAX - 64, &map[0]), DOCA_ERROR_NO_MEMORY);
    for (round = 0; round < 2; round++) {
        for (num[round] = 0; num[round] < MANY; num[round]++) {
            rc = doca_core_mmap_create_on_dev(r.dev, PAGE / 2, &map[num[round]]);
            if (rc != DOCA_SUCCESS) {
                CHECK_RC(rc, DOCA_ERROR_NO_MEMORY);
                break;
            }
        }
        CHECK(num[round] > 0);
        CHECK_RC(doca_dev_close(r.dev), DOCA_ERROR_IN_USE);
        for (i = 0; i < num[round]; i++)
            CHECK_OK(doca_mmap_destroy(map[i]));
    }
    CHECK_EQ(num[1], num[0]);
    rig_close(&r);
}

/* ---- calls that fail ---- */

static unsigned fail_at, num_calls, num_dms, num_mrs;

static bool fails_now(void)
{
    errno = EAGAIN;
    return ++num_calls == fail_at;
}

static struct ibv_dm *counted_alloc_dm(struct ibv_context *context, size_t len)
{
    struct ibv_dm *dm = fails_now() ? NULL : mlx5_trap_alloc_dm(context, len);

    num_dms += dm != NULL;
    return dm;
}

static int counted_free_dm(struct ibv_dm *dm)
{
    num_dms--;
    return mlx5_trap_free_dm(dm);
}

static struct ibv_mr *counted_reg_dm_mr(struct ibv_pd *pd, struct ibv_dm *dm, size_t len,
                                        unsigned access)
{
    struct ibv_mr *mr = fails_now() ? NULL : mlx5_trap_reg_dm_mr(pd, dm, len, access);

    num_mrs += mr != NULL;
    return mr;
}

static int counted_dereg_mr(struct ibv_mr *mr)
{
    num_mrs--;
    return mlx5_trap_dereg_mr(mr);
}

static void no_failed_call_leaves_anything_behind(void)
{
    static struct doca_core_mlx5_sys sys;
    struct doca_mmap *map;
    struct rig r;
    unsigned k;

    if (!open_rig(&r, DOCA_CORE_MLX5_ENGINE_AUTO))
        test_skip("the first device has no engine that copies");
    rig_close(&r);
    sys = *mlx5_trap_sys();
    sys.alloc_dm = counted_alloc_dm;
    sys.free_dm = counted_free_dm;
    sys.reg_dm_mr = counted_reg_dm_mr;
    sys.dereg_mr = counted_dereg_mr;
    (void)mlx5_show(DOCA_CORE_MLX5_ENGINE_RC, &sys);
    r.dev = mlx5_open(0);
    for (k = 1;; k++) {
        num_calls = 0;
        fail_at = k;
        map = NULL;
        if (doca_core_mmap_create_on_dev(r.dev, PAGE, &map) == DOCA_SUCCESS)
            break;
        CHECK(k < 10);
        CHECK_PTR(map, NULL);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MLX5_CALL);
        CHECK_EQ(num_dms + num_mrs, 0);
    }
    CHECK_EQ(k, 4); /* three calls can fail: one for the memory, one for each of two keys */
    CHECK_OK(doca_mmap_destroy(map));
    CHECK_EQ(num_dms + num_mrs, 0);
    CHECK_OK(doca_dev_close(r.dev));
}

/* A software device has no memory for programs, and reports NOT_SUPPORTED. */
static void software_device_has_no_memory_for_programs(void)
{
    struct doca_core_dev_attr attr;
    struct doca_mmap *map = NULL;
    struct doca_dev *dev;

    (void)mlx5_show(DOCA_CORE_MLX5_ENGINE_AUTO, mlx5_trap_sys());
    memset(&attr, 0, sizeof(attr));
    memcpy(attr.pci_addr, "0000:0c:00.0", sizeof("0000:0c:00.0"));
    CHECK_OK(doca_core_sw_profile("unlimited", &attr.limits));
    CHECK_OK(doca_core_sw_set_devices(&attr, 1));
    dev = mlx5_open(0);
    CHECK_STR(dev->backend->name, "sw");
    CHECK_RC(doca_core_mmap_create_on_dev(dev, PAGE, &map), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEV_NO_MEMORY);
    CHECK_PTR(map, NULL);
    CHECK_OK(doca_dev_close(dev));
}

static const struct test_case cases[] = {
    CASE(cpu_reads_what_it_wrote, ""),
    CASE(any_offset_and_length_can_be_written, ""),
    CASE(threads_write_neighbouring_bytes, ""),
    CASE(cpu_access_outside_the_mmap_is_refused, ""),
    CASE(tasks_copy_to_from_and_within_the_device, ""),
    CASE(lists_mix_host_and_device, ""),
    CASE(key_gives_no_access_beyond_the_range, ""),
    CASE(mmap_with_buffers_is_not_destroyed, ""),
    CASE(buffers_of_a_destroyed_mmap_reach_no_device, ""),
    CASE(exhausted_memory_is_available_again_after_destroy, ""),
    CASE(no_failed_call_leaves_anything_behind, ""),
    CASE(software_device_has_no_memory_for_programs, ""),
};

TEST_MAIN(cases)
