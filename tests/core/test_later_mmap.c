/* Thread-safe memory maps, and buffer arrays that get their mmap later. Versions after 2.5.1 added
 * these functions, so this file is compiled for both values of DOCA_CORE_API. */
#include "held_backend.h"

#include <pthread.h>
#include <sys/mman.h>

static DOCA_CORE_ALIGNED unsigned char memory[4096];
static int anything; /* its address stands for a DPA or a GPU; the library does not read it */

#define DPA ((struct doca_dpa *)&anything)

static void thread_safe_mmap_reports_no_buffers(void)
{
    struct doca_buf *shared, *other, *copy;
    struct doca_mmap *mmap;
    struct rig r;
    uint32_t num;

    rig_open(&r, 8);
    mmap = r.src_map;
    CHECK_RC(doca_mmap_enable_thread_safety(mmap), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_enable_thread_safety(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_stop(mmap));
    CHECK_OK(doca_mmap_enable_thread_safety(mmap));
    CHECK_OK(doca_mmap_enable_thread_safety(mmap));
    CHECK_RC(doca_buf_inventory_buf_get_by_addr(r.inventory, mmap, rig_from, 64, &copy),
             DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_buf_inventory_buf_get_by_addr(r.inventory, mmap, rig_from, RIG_BYTES + 1, &copy),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(rig_submit(rig_task(r.dma, rig_src(&r, 0, 64), rig_dst(&r, 0, 64))));
    r.frees_tasks = true;
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    CHECK(memcmp(rig_from, rig_to, 64) == 0);

    shared = rig_src(&r, 0, 64); /* a list with a buffer of an mmap that is not thread-safe */
    other = rig_dst(&r, 0, 64);
    CHECK_OK(doca_buf_chain_list(other, shared));
    CHECK_OK(doca_buf_inventory_buf_dup(r.inventory, other, &copy));
    CHECK_OK(doca_mmap_get_num_bufs(mmap, &num));
    CHECK_EQ(num, 0);
    CHECK_OK(doca_mmap_get_num_bufs(r.dst_map, &num));
    CHECK_EQ(num, 2);
    CHECK_OK(doca_mmap_stop(mmap));
    CHECK_RC(doca_buf_inventory_buf_reuse_by_addr(shared, rig_from, 8), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_MMAP_NOT_STARTED);
    CHECK_RC(doca_buf_set_data(shared, rig_from + 128, 8), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BUF_DATA_OUTSIDE);
    CHECK_EQ(rig_data_len(shared), 64);
    CHECK_RC(doca_mmap_stop(r.dst_map), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY),
             DOCA_ERROR_NOT_PERMITTED); /* buffers with the old permissions exist */
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MMAP_HAS_BUFS);
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_buf_dec_refcount(other, NULL));
    CHECK_OK(doca_buf_dec_refcount(copy, NULL));
    CHECK_OK(doca_mmap_get_num_bufs(r.dst_map, &num));
    CHECK_EQ(num, 0);
    CHECK_OK(doca_mmap_stop(mmap));
    CHECK_OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY));
    CHECK_OK(doca_mmap_start(mmap));
    rig_close(&r);
}

/* A thread-safe mmap that is destroyed keeps its memory until its last buffer is released. */
static void buffers_of_a_destroyed_thread_safe_mmap_can_be_released(void)
{
    static DOCA_CORE_ALIGNED unsigned char mem[DOCA_CORE_BYTES_MMAP(1)];
    struct doca_core_arena arena;
    struct doca_dma_task_memcpy *task;
    struct doca_buf_pool *pool;
    struct doca_mmap *mmap;
    struct doca_buf *buf, *copy, *element;
    size_t used;
    struct rig r;

    rig_open(&r, 3);
    CHECK_OK(doca_core_arena_init(&arena, mem, sizeof(mem)));
    CHECK_OK(doca_core_mmap_create_in(&arena, &mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    CHECK_OK(doca_mmap_add_dev(mmap, r.dev));
    CHECK_OK(doca_mmap_enable_thread_safety(mmap));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, mmap, memory, 64, &buf));
    CHECK_OK(doca_buf_inventory_buf_dup(r.inventory, buf, &copy));
    CHECK_OK(doca_core_buf_pool_create_in(doca_core_arena_bound(), 2, 64, mmap, &pool));
    CHECK_OK(doca_buf_pool_start(pool));
    CHECK_OK(doca_buf_pool_buf_alloc(pool, &element));
    CHECK_OK(doca_mmap_destroy(mmap));
    if (DOCA_CORE_CHECK >= 1)
        CHECK_RC(doca_mmap_stop(mmap), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_pool_buf_alloc(pool, &element), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_buf_inventory_buf_reuse_by_addr(buf, memory + 8, 8), DOCA_ERROR_BAD_STATE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_MMAP_NOT_STARTED);
    task = rig_task(r.dma, buf, rig_dst(&r, 0, 64)); /* no device accesses such a buffer */
    if (rig_submit(task) == DOCA_SUCCESS) {
        rig_drain(&r);
        CHECK_EQ(r.num_failed, 1);
    }
    rig_release(task);
    CHECK_OK(doca_buf_dec_refcount(copy, NULL));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, DOCA_CORE_BYTES_MMAP(1));
    CHECK_OK(doca_buf_dec_refcount(element, NULL));
    CHECK_OK(doca_buf_pool_destroy(pool));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
    CHECK_OK(doca_core_arena_audit(&arena));
    rig_close(&r);
}

/* Lists of four buffers, each of a thread-safe mmap or another one. The lists are built in pairs or
 * buffer by buffer, split at any place, or copied. The release of each buffer must change the count
 * of its own mmap. */
static void lists_may_mix_buffers_of_thread_safe_and_other_mmaps(void)
{
    static DOCA_CORE_ALIGNED unsigned char mem[DOCA_CORE_BYTES_MMAP(1)];
    struct doca_mmap *plain, *shared;
    struct doca_buf *bufs[4], *copy;
    struct doca_core_arena arena;
    unsigned which, turn, cut, i;
    uint32_t num_bufs;
    size_t used;
    struct rig r;

    rig_open(&r, 1);
    CHECK_OK(doca_core_arena_init(&arena, mem, sizeof(mem)));
    CHECK_OK(doca_mmap_create(&plain));
    CHECK_OK(doca_mmap_set_memrange(plain, memory, sizeof(memory)));
    CHECK_OK(doca_mmap_start(plain));
    for (which = 0; which < 16 * 2; which++) {
        for (turn = 0; turn < 8; turn++) { /* the copy is released last, from round 4 on first */
            cut = turn % 4;
            CHECK_OK(doca_core_mmap_create_in(&arena, &shared));
            CHECK_OK(doca_mmap_set_memrange(shared, memory, sizeof(memory)));
            CHECK_OK(doca_mmap_enable_thread_safety(shared));
            CHECK_OK(doca_mmap_start(shared));
            for (i = 0; i < 4; i++)
                CHECK_OK(doca_buf_inventory_buf_get_by_data(
                    r.inventory, (which >> i & 1) != 0 ? shared : plain, memory + 64 * i, 64,
                    &bufs[i]));
            CHECK_OK(doca_buf_chain_list(bufs[0], bufs[1]));
            if (which < 16)
                CHECK_OK(doca_buf_chain_list(bufs[0], bufs[2]));
            CHECK_OK(doca_buf_chain_list(bufs[which < 16 ? 0 : 2], bufs[3]));
            if (which >= 16)
                CHECK_OK(doca_buf_chain_list(bufs[0], bufs[2]));
            CHECK_OK(doca_mmap_destroy(shared));
            CHECK_OK(doca_buf_inventory_buf_dup(r.inventory, bufs[0], &copy));
            if (cut > 0)
                CHECK_OK(doca_buf_unchain_list(bufs[0], bufs[cut]));
            if (turn >= 4)
                CHECK_OK(doca_buf_dec_refcount(copy, NULL));
            CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
            CHECK_EQ(used, which % 16 != 0 ? DOCA_CORE_BYTES_MMAP(1) : 0);
            CHECK_OK(doca_buf_dec_refcount(bufs[0], NULL));
            if (cut > 0)
                CHECK_OK(doca_buf_dec_refcount(bufs[cut], NULL));
            if (turn < 4)
                CHECK_OK(doca_buf_dec_refcount(copy, NULL));
            CHECK_OK(doca_mmap_get_num_bufs(plain, &num_bufs));
            CHECK_EQ(num_bufs, 0);
            CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
            CHECK_EQ(used, 0);
        }
    }
    CHECK_OK(doca_mmap_destroy(plain));
    rig_close(&r);
}

enum { SHARERS = 3, SHARED_ROUNDS = 20000 };

static void *make_and_release(void *arg)
{
    struct doca_buf *bufs[4] = { NULL }, *copy = NULL;
    struct doca_buf_inventory *inventory = NULL;
    struct doca_mmap *mmap = arg;
    bool is_ok = doca_buf_inventory_create(8, &inventory) == DOCA_SUCCESS &&
                 doca_buf_inventory_start(inventory) == DOCA_SUCCESS;
    int i, k;

    for (i = 0; is_ok && i < SHARED_ROUNDS; i++) {
        for (k = 0; k < 4; k++)
            is_ok &= doca_buf_inventory_buf_get_by_data(inventory, mmap, memory + 16 * k, 16,
                                                        &bufs[k]) == DOCA_SUCCESS;
        is_ok &= doca_buf_chain_list(bufs[0], bufs[1]) == DOCA_SUCCESS &&
                 doca_buf_inventory_buf_dup(inventory, bufs[0], &copy) == DOCA_SUCCESS &&
                 doca_buf_dec_refcount(copy, NULL) == DOCA_SUCCESS &&
                 doca_buf_dec_refcount(bufs[0], NULL) == DOCA_SUCCESS &&
                 doca_buf_dec_refcount(bufs[2], NULL) == DOCA_SUCCESS &&
                 doca_buf_dec_refcount(bufs[3], NULL) == DOCA_SUCCESS;
    }
    is_ok &= inventory != NULL && doca_buf_inventory_destroy(inventory) == DOCA_SUCCESS;
    return is_ok ? mmap : NULL;
}

static void threads_create_buffers_of_a_thread_safe_mmap(void)
{
    static DOCA_CORE_ALIGNED unsigned char mem[DOCA_CORE_BYTES_MMAP(1)];
    enum heap_trap_mode mode;
    struct doca_core_arena arena;
    pthread_t threads[SHARERS];
    struct doca_mmap *mmap;
    size_t used;
    void *told;
    int i;

    CHECK_OK(doca_core_arena_init(&arena, mem, sizeof(mem)));
    CHECK_OK(doca_core_mmap_create_in(&arena, &mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    CHECK_OK(doca_mmap_enable_thread_safety(mmap));
    CHECK_OK(doca_mmap_start(mmap));
    mode = heap_trap_set(HEAP_TRAP_OFF); /* pthread_create() uses the heap */
    for (i = 0; i < SHARERS; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, make_and_release, mmap), 0);
    for (i = 0; i < SHARERS; i++) {
        CHECK_EQ(pthread_join(threads[i], &told), 0);
        CHECK_PTR(told, mmap);
    }
    heap_trap_set(mode);
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, DOCA_CORE_BYTES_MMAP(1));
    CHECK_OK(doca_mmap_destroy(mmap)); /* the count is right, so its memory is freed */
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
}

static pthread_barrier_t end_of_making;

static void *release_late(void *arg)
{
    struct doca_buf_inventory *inventory = NULL;
    struct doca_mmap *mmap = arg;
    struct doca_buf *bufs[64];
    bool is_ok = doca_buf_inventory_create(64, &inventory) == DOCA_SUCCESS &&
                 doca_buf_inventory_start(inventory) == DOCA_SUCCESS;
    int i;

    for (i = 0; is_ok && i < 64; i++)
        is_ok = doca_buf_inventory_buf_get_by_data(inventory, mmap, memory, 16, &bufs[i]) ==
                DOCA_SUCCESS;
    pthread_barrier_wait(&end_of_making);
    while (is_ok && i-- > 0)
        is_ok = doca_buf_dec_refcount(bufs[i], NULL) == DOCA_SUCCESS;
    is_ok = is_ok && doca_buf_inventory_destroy(inventory) == DOCA_SUCCESS;
    return is_ok ? arg : NULL;
}

/* Threads release buffers while another thread destroys the mmap. ThreadSanitizer reports accesses
 * that the library does not order. */
static void threads_release_while_the_mmap_is_destroyed(void)
{
    static DOCA_CORE_ALIGNED unsigned char mem[DOCA_CORE_BYTES_MMAP(1)];
    enum heap_trap_mode mode;
    struct doca_core_arena arena;
    pthread_t threads[SHARERS];
    struct doca_mmap *mmap;
    int i, round, num_ok = 0;
    size_t used;
    void *told;

    CHECK_OK(doca_core_arena_init(&arena, mem, sizeof(mem)));
    for (round = 0; round < 20; round++) {
        CHECK_OK(doca_core_mmap_create_in(&arena, &mmap));
        CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
        CHECK_OK(doca_mmap_enable_thread_safety(mmap));
        CHECK_OK(doca_mmap_start(mmap));
        mode = heap_trap_set(HEAP_TRAP_OFF); /* pthread_create() uses the heap */
        CHECK_EQ(pthread_barrier_init(&end_of_making, NULL, SHARERS + 1), 0);
        for (i = 0; i < SHARERS; i++)
            CHECK_EQ(pthread_create(&threads[i], NULL, release_late, mmap), 0);
        pthread_barrier_wait(&end_of_making);
        CHECK_OK(doca_mmap_destroy(mmap));
        for (i = 0; i < SHARERS; i++) {
            CHECK_EQ(pthread_join(threads[i], &told), 0);
            num_ok += told != NULL;
        }
        pthread_barrier_destroy(&end_of_making);
        heap_trap_set(mode);
        CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
        CHECK_EQ(used, 0);
    }
    CHECK_EQ(num_ok, 20 * SHARERS);
}

static void memory_of_a_dpa_is_not_supported(void)
{
    struct doca_dev *dev = rig_open_dev(NULL), *other = rig_open_second();
    struct doca_mmap *mmap;
    doca_dpa_dev_mmap_t handle = 7;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_RC(doca_mmap_set_dpa_memrange(mmap, DPA, 4096, 64), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_mmap_set_dpa_memrange(mmap, DPA, UINT64_MAX - 62, 64), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_set_dpa_memrange(mmap, DPA, 4096, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_set_dpa_memrange(mmap, NULL, 4096, 64), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_set_dpa_memrange(NULL, DPA, 4096, 64), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    CHECK_RC(doca_mmap_set_dpa_memrange(mmap, DPA, 4096, 64), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_add_dev(mmap, dev));
    CHECK_RC(doca_mmap_dev_get_dpa_handle(mmap, dev, &handle), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_RC(doca_mmap_set_dpa_memrange(mmap, DPA, 4096, 64), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_mmap_dev_get_dpa_handle(mmap, dev, &handle), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_mmap_dev_get_dpa_handle(mmap, other, &handle), DOCA_ERROR_NOT_FOUND);
    CHECK_RC(doca_mmap_dev_get_dpa_handle(mmap, dev, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_dev_get_dpa_handle(mmap, NULL, &handle), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_dev_get_dpa_handle(NULL, dev, &handle), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(handle, 7);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_dev_close(other));
    CHECK_OK(doca_dev_close(dev));
}

static void array_of_api_3_gets_its_mmap_later(void)
{
    static const struct {
        size_t size;
        uint64_t offset;
        doca_error_t want;
    } rows[] = {
        { 64, 0, DOCA_SUCCESS },
        { 63, 64, DOCA_SUCCESS },
        { 64, 1, DOCA_ERROR_INVALID_VALUE },
        { 0, 0, DOCA_ERROR_INVALID_VALUE },
        { 1, 4096, DOCA_ERROR_INVALID_VALUE },
        { 1, UINT64_MAX, DOCA_ERROR_INVALID_VALUE },
        { SIZE_MAX, 0, DOCA_ERROR_INVALID_VALUE },
    };
    struct doca_mmap *mmap, *bare;
    struct doca_buf_arr *array = NULL;
    doca_dpa_dev_buf_arr_t handle = 7;
    size_t i;

    CHECK_RC(doca_core_v3_buf_arr_create(0, &array), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_v3_buf_arr_create(64, NULL), DOCA_ERROR_INVALID_VALUE);
    if (sizeof(size_t) > 4)
        CHECK_RC(doca_core_v3_buf_arr_create((size_t)UINT32_MAX + 1, &array),
                 DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(array, NULL);
    CHECK_OK(doca_core_v3_buf_arr_create(64, &array));
    CHECK_RC(doca_buf_arr_start(array), DOCA_ERROR_INVALID_VALUE);
#if DOCA_CORE_API < 30000
    CHECK_RC(doca_buf_arr_set_params(array, 1, 1, 0), DOCA_ERROR_INVALID_VALUE); /* no mmap yet */
#endif
    CHECK_OK(doca_mmap_create(&bare));
    CHECK_RC(doca_core_v3_buf_arr_set_params(array, bare, 64, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        CHECK_RC(doca_core_v3_buf_arr_set_params(array, mmap, rows[i].size, rows[i].offset),
                 rows[i].want);
    CHECK_RC(doca_core_v3_buf_arr_set_params(array, NULL, 64, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_v3_buf_arr_set_params(NULL, mmap, 64, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_arr_start(array), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_RC(doca_core_v3_buf_arr_get_dpa_handle(array, &handle), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_buf_arr_start(array));
    CHECK_EQ(array->num, 64); /* a backend gets the last parameters that were accepted */
    CHECK_EQ(array->size, 63);
    CHECK_EQ(array->offset, 64);
    CHECK_RC(doca_core_v3_buf_arr_set_params(array, mmap, 64, 0), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_core_v3_buf_arr_get_dpa_handle(array, &handle), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(handle, 7);
    CHECK_OK(doca_buf_arr_destroy(array));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_mmap_destroy(bare));
}

static const struct test_case cases[] = {
    CASE(thread_safe_mmap_reports_no_buffers, ""),
    CASE(buffers_of_a_destroyed_thread_safe_mmap_can_be_released, ""),
    CASE(lists_may_mix_buffers_of_thread_safe_and_other_mmaps, ""),
    CASE(threads_create_buffers_of_a_thread_safe_mmap, ""),
    CASE(threads_release_while_the_mmap_is_destroyed, ""),
    CASE(memory_of_a_dpa_is_not_supported, ""),
    CASE(array_of_api_3_gets_its_mmap_later, ""),
};

TEST_MAIN(cases)
