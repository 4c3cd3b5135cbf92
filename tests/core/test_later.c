/* Functions that versions after 2.5.1 added. This file is compiled for both values of
 * DOCA_CORE_API. The program for 3.x is linked with an implementation that was built for 2.5.1,
 * because one library serves programs of both versions. */
#include "held_backend.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/mman.h>

#if DOCA_CORE_API >= 30000
#define API_IS_3 1
#else
#define API_IS_3 0
#endif

static DOCA_CORE_ALIGNED unsigned char memory[4096];
static int anything; /* its address stands for a DPA or a GPU; the library does not read it */

#define DPA ((struct doca_dpa *)&anything)
#define GPU ((struct doca_gpu *)&anything)

/* ---- devices ---- */

static struct doca_devinfo *find_ib(struct doca_devinfo **list, uint32_t num, const char *ib,
                                    const char *pci)
{
    char name[DOCA_DEVINFO_IBDEV_NAME_SIZE];
    uint8_t is_equal;
    uint32_t i;

    for (i = 0; i < num; i++) {
        CHECK_OK(doca_devinfo_get_ibdev_name(list[i], name, sizeof(name)));
        CHECK_OK(doca_devinfo_is_equal_pci_addr(list[i], pci, &is_equal));
        if (is_equal && strcmp(name, ib) == 0)
            return list[i];
    }
    test_fail(__FILE__, __LINE__, "no %s at %s", ib, pci);
}

static void device_reports_its_type_and_numbers(void)
{
    static const struct {
        const char *ib, *pci;
        enum doca_pci_func_type type;
    } functions[] = {
        { "mlx5_0", "03:00.0", DOCA_PCI_FUNC_TYPE_PF },
        { "mlx5_2", "03:00.0", DOCA_PCI_FUNC_TYPE_SF },
        { "mlx5_3", "03:00.1", DOCA_PCI_FUNC_TYPE_SF },
        { "mlx5_2", "0b:00.2", DOCA_PCI_FUNC_TYPE_VF },
    };
    enum { NUM = sizeof(functions) / sizeof(functions[0]) };
    uint16_t vhca_ids[NUM];
    uint32_t sf_indexes[NUM], num, i, j;
    enum doca_pci_func_type type;
    struct doca_devinfo **list, *info;

    CHECK_OK(doca_devinfo_create_list(&list, &num));
    for (i = 0; i < NUM; i++) {
        info = find_ib(list, num, functions[i].ib, functions[i].pci);
        CHECK_OK(doca_devinfo_get_pci_func_type(info, &type));
        CHECK_EQ(type, functions[i].type);
        CHECK_OK(doca_devinfo_get_vhca_id(info, &vhca_ids[i]));
        sf_indexes[i] = 0;
        CHECK_RC(doca_devinfo_get_sf_index(info, &sf_indexes[i]),
                 type == DOCA_PCI_FUNC_TYPE_SF ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED);
        for (j = 0; j < i; j++) {
            CHECK(vhca_ids[i] != vhca_ids[j]);
            CHECK(sf_indexes[i] != sf_indexes[j] || sf_indexes[i] == 0);
        }
        CHECK_RC(doca_devinfo_get_pci_func_type(info, NULL), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_devinfo_get_vhca_id(info, NULL), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_devinfo_get_sf_index(info, NULL), DOCA_ERROR_INVALID_VALUE);
    }
    CHECK_RC(doca_devinfo_get_vhca_id(NULL, vhca_ids), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_get_sf_index(NULL, sf_indexes), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_get_pci_func_type(NULL, &type), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_devinfo_destroy_list(list));
}

static void numbers_come_from_the_device_table(void)
{
    struct doca_core_dev_attr attrs[] = {
        { .pci_addr = "0000:03:00.0", .ibdev_name = "a", .func_type = DOCA_PCI_FUNC_TYPE_SF,
          .vhca_id = 77, .sf_index = 88 },
        { .pci_addr = "0000:03:00.0", .ibdev_name = "b", .func_type = DOCA_PCI_FUNC_TYPE_SF },
    };
    struct doca_devinfo **list;
    uint32_t num, sf_index = 0;
    uint16_t vhca_id = 0;

    CHECK_OK(doca_core_sw_set_devices(attrs, 2));
    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK_EQ(num, 2);
    CHECK_OK(doca_devinfo_get_vhca_id(list[0], &vhca_id));
    CHECK_OK(doca_devinfo_get_sf_index(list[0], &sf_index));
    CHECK_EQ(vhca_id, 77);
    CHECK_EQ(sf_index, 88);
    /* the table has no values for this device: the defaults depend on its row */
    CHECK_OK(doca_devinfo_get_vhca_id(list[1], &vhca_id));
    CHECK_OK(doca_devinfo_get_sf_index(list[1], &sf_index));
    CHECK_EQ(vhca_id, 1);
    CHECK_EQ(sf_index, 1);
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));
}

static void rate_has_the_unit_of_the_version(void)
{
    struct doca_core_dev_attr attr = { .pci_addr = "0000:03:00.0", .rate_gbps = 25 };
    struct doca_devinfo **list;
    uint32_t num;
#if API_IS_3
    uint64_t rate = 0, want = UINT64_C(25000000000);
#else
    double rate = 0, want = 25;
#endif

    CHECK_OK(doca_core_sw_set_devices(&attr, 1));
    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK_OK(doca_devinfo_get_active_rate(list[0], &rate));
    CHECK(!(rate < want || rate > want));
    CHECK_RC(doca_devinfo_get_active_rate(list[0], NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_get_active_rate(NULL, &rate), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_core_sw_set_devices(NULL, 0));

    held_begin(); /* the held backend does not know the rate */
    CHECK_OK(doca_devinfo_create_list(&list, &num));
    rate = 7;
    CHECK_RC(doca_devinfo_get_active_rate(find_ib(list, num, "held_0", HELD_DMA), &rate),
             DOCA_ERROR_DRIVER);
    CHECK(rate > 6 && rate < 8);
    CHECK_OK(doca_devinfo_destroy_list(list));
    held_end();
}

static void representor_reports_its_function(void)
{
    char iface[DOCA_DEVINFO_IFACE_NAME_SIZE];
    struct doca_dev *dev = rig_open_dev("03:00.0");
    struct doca_devinfo **infos;
    struct doca_devinfo_rep **list;
    enum doca_pci_func_type type;
    uint32_t num, num_infos, sf_index, want_sf, i;
    uint16_t vhca_id, want;
    unsigned num_sfs = 0;

    CHECK_OK(doca_devinfo_create_list(&infos, &num_infos));
    CHECK_OK(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &num));
    CHECK(num >= 2);
    for (i = 0; i < num; i++) {
        CHECK_OK(doca_devinfo_rep_get_iface_name(list[i], iface, sizeof(iface)));
        CHECK_OK(doca_devinfo_rep_get_vhca_id(list[i], &vhca_id));
        CHECK_OK(doca_devinfo_rep_get_pci_func_type(list[i], &type));
        CHECK_RC(doca_devinfo_rep_get_sf_index(list[i], &sf_index),
                 type == DOCA_PCI_FUNC_TYPE_SF ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED);
        if (strcmp(iface, "p0s0") == 0) { /* the function's own devinfo has the same number */
            struct doca_devinfo *sf = find_ib(infos, num_infos, "mlx5_2", "03:00.0");

            CHECK_OK(doca_devinfo_get_vhca_id(sf, &want));
            CHECK_EQ(vhca_id, want);
            CHECK_OK(doca_devinfo_get_sf_index(sf, &want_sf));
            CHECK_EQ(sf_index, want_sf);
            num_sfs++;
        }
    }
    CHECK_EQ(num_sfs, 1);
    CHECK_RC(doca_devinfo_rep_get_iface_name(list[0], iface, sizeof(iface) - 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_rep_get_iface_name(NULL, iface, sizeof(iface)), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_rep_get_vhca_id(NULL, &vhca_id), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_devinfo_rep_get_sf_index(NULL, &sf_index), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_devinfo_rep_destroy_list(list));
    CHECK_OK(doca_devinfo_destroy_list(infos));
    CHECK_OK(doca_dev_close(dev));
}

static void resource_reclaim_does_nothing(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    const struct doca_devinfo *info = doca_dev_as_devinfo(dev);
    uint32_t num = 0;
    uint8_t is_there = 9;

    CHECK_OK(doca_devinfo_cap_is_accelerate_resource_reclaim_supported(info, &is_there));
    CHECK_EQ(is_there, 0);
    is_there = 9;
    CHECK_OK(doca_devinfo_cap_is_notification_moderation_supported(info, &is_there));
    CHECK_EQ(is_there, 0);
    CHECK_RC(doca_dev_accelerate_resource_reclaim(dev), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_dev_accelerate_resource_reclaim(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_ctx_cap_get_num_completion_vectors(info, &num));
    CHECK_EQ(num, 1);
    CHECK_RC(doca_ctx_cap_get_num_completion_vectors(info, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_ctx_cap_get_num_completion_vectors(NULL, &num), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_dev_close(dev));
}

/* ---- memory maps, buffer arrays ---- */

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

/* The same source code calls different functions for different versions of the API. */
static void vendor_name_calls_the_function_of_the_version(void)
{
    struct doca_buf_arr *array;
    struct doca_mmap *mmap;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
#if API_IS_3
    {
        doca_error_t (*create)(size_t num_elem, struct doca_buf_arr **buf_arr) =
            doca_buf_arr_create;
        doca_error_t (*set_params)(struct doca_buf_arr *buf_arr, struct doca_mmap *m,
                                   size_t elem_size, uint64_t start_offset) =
            &doca_buf_arr_set_params;
        doca_error_t (*handle)(const struct doca_buf_arr *buf_arr, doca_dpa_dev_buf_arr_t *out) =
            doca_buf_arr_get_dpa_handle;

        CHECK(handle != NULL);
        CHECK_OK(create(64, &array));
        CHECK_OK(set_params(array, mmap, 64, 0));
    }
#else
    {
        doca_error_t (*create)(struct doca_mmap *m, struct doca_buf_arr **buf_arr) =
            doca_buf_arr_create;
        doca_error_t (*set_params)(struct doca_buf_arr *buf_arr, size_t size, uint32_t num_elem,
                                   uint32_t start_offset) = &doca_buf_arr_set_params;
        doca_error_t (*handle)(const struct doca_buf_arr *buf_arr,
                               struct doca_dpa_dev_buf_arr **out) = doca_buf_arr_get_dpa_handle;

        CHECK(handle != NULL);
        CHECK_OK(create(mmap, &array));
        CHECK_OK(set_params(array, 64, 64, 0));
    }
#endif
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_buf_arr_start(array));
    CHECK_OK(doca_buf_arr_destroy(array));
    CHECK_OK(doca_mmap_destroy(mmap));
}

/* ---- contexts ---- */

static uint32_t num_elements(struct doca_buf_inventory *inventory, uint32_t *num_free)
{
    uint32_t num;

    CHECK_OK(doca_buf_inventory_get_num_elements(inventory, &num));
    CHECK_OK(doca_buf_inventory_get_num_free_elements(inventory, num_free));
    return num;
}

static void expansion_of_an_inventory_is_not_a_valid_handle(void)
{
    struct doca_buf_inventory *inventory, *gone;

    CHECK_OK(doca_buf_inventory_create(1, &inventory));
    CHECK_OK(doca_buf_inventory_create(4, &gone));
    CHECK_OK(doca_buf_inventory_destroy(gone));
    CHECK_OK(doca_buf_inventory_expand(inventory, 4)); /* in the memory of the destroyed one */
    if (DOCA_CORE_CHECK >= 1)
        CHECK_RC(doca_buf_inventory_destroy(gone), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_buf_inventory_destroy(inventory));
}

/* A buf stores the distance to its inventory, which can be up to 16 GiB. The library must not
 * expand an inventory with memory that is further away. */
static void expansion_must_be_within_16_gib(void)
{
#if SIZE_MAX > UINT32_MAX
    const size_t bytes = (size_t)17 << 30;
    struct doca_buf_inventory *inventory, *other;
    struct doca_core_arena arena;
    void *mem, *between;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("at this level the arena writes to all 17 GiB");
    mem = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
               0);
    if (mem == MAP_FAILED)
        test_skip("the address space has no room for 17 GiB");
    CHECK_OK(doca_core_arena_init(&arena, mem, bytes));
    CHECK_OK(doca_core_buf_inventory_create_in(&arena, 1, &inventory));
    CHECK_OK(doca_core_arena_take(&arena, (size_t)16 << 30, &between));
    CHECK_RC(doca_buf_inventory_expand(inventory, 1), DOCA_ERROR_NO_MEMORY);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_STOCK_FAR);
    CHECK_OK(doca_core_buf_inventory_create_in(&arena, 1, &other)); /* a new one may be anywhere */
    CHECK_OK(doca_buf_inventory_destroy(other));
    CHECK_OK(doca_core_arena_give(&arena, between));
    CHECK_OK(doca_buf_inventory_expand(inventory, 1));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_core_arena_audit(&arena));
    CHECK_EQ(munmap(mem, bytes), 0);
#else
    test_skip("no 17 GiB of addresses");
#endif
}

static void inventory_expands(void)
{
    static DOCA_CORE_ALIGNED unsigned char
        mem[DOCA_CORE_BYTES_BUF_INVENTORY(2) + DOCA_CORE_BYTES_BUF_INVENTORY(3) +
            DOCA_CORE_BYTES_BUF_INVENTORY(1)];
    struct doca_buf_inventory *inventory;
    struct doca_buf *bufs[6], *buf = NULL;
    struct doca_core_arena arena;
    struct doca_mmap *mmap;
    uint32_t num_free, i, round;
    size_t used;

    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_core_arena_init(&arena, mem, sizeof(mem)));
    CHECK_OK(doca_core_buf_inventory_create_in(&arena, 2, &inventory));
    CHECK_OK(doca_buf_inventory_start(inventory));
    CHECK_RC(doca_buf_inventory_expand(NULL, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_expand(inventory, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_expand(inventory, UINT32_MAX), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_expand(inventory, TEST_MOST_BUFS - 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_inventory_expand(inventory, TEST_MOST_BUFS - 2), DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_buf_inventory_expand(inventory, 4096), DOCA_ERROR_NO_MEMORY);
    for (i = 0; i < 2; i++)
        CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory, 64, &bufs[i]));
    CHECK_RC(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory, 64, &buf),
             DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_buf_inventory_expand(inventory, 3));
    CHECK_OK(doca_buf_inventory_expand(inventory, 1));
    CHECK_EQ(num_elements(inventory, &num_free), 6);
    CHECK_EQ(num_free, 4);
    CHECK_RC(doca_buf_inventory_buf_get_by_args(inventory, mmap, memory, 64, memory + 1, 64, &buf),
             DOCA_ERROR_INVALID_VALUE);
    for (round = 0; round < 3; round++) {
        for (i = round == 0 ? 2 : 0; i < 6; i++)
            CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory + 64 * i, 64,
                                                        &bufs[i]));
        CHECK_RC(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory, 64, &buf),
                 DOCA_ERROR_NO_MEMORY);
        CHECK_EQ(num_elements(inventory, &num_free), 6);
        CHECK_EQ(num_free, 0);
        CHECK_RC(doca_buf_inventory_destroy(inventory), DOCA_ERROR_IN_USE);
        for (i = 0; i < 6; i++) /* release in another order each round */
            CHECK_OK(doca_buf_dec_refcount(bufs[(i * 5 + round) % 6], NULL));
        CHECK_EQ(num_elements(inventory, &num_free), 6);
        CHECK_EQ(num_free, 6);
    }
    for (i = 0; i < 3; i++) { /* a list of 3 bufs, which is copied below */
        CHECK_OK(doca_buf_inventory_buf_get_by_data(inventory, mmap, memory + 64 * i, 64,
                                                    &bufs[i]));
        if (i > 0)
            CHECK_OK(doca_buf_chain_list(bufs[0], bufs[i]));
    }
    CHECK_OK(doca_buf_inventory_buf_dup(inventory, bufs[0], &buf));
    CHECK_OK(doca_buf_get_list_len(buf, &i));
    CHECK_EQ(i, 3);
    CHECK_EQ(num_elements(inventory, &num_free), 6);
    CHECK_EQ(num_free, 0);
    CHECK_RC(doca_buf_inventory_buf_dup(inventory, bufs[0], &bufs[5]), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_buf_dec_refcount(bufs[0], NULL));
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, sizeof(mem));
    CHECK_OK(doca_buf_inventory_destroy(inventory));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
    CHECK_OK(doca_mmap_destroy(mmap));
}

static void buffer_has_two_more_setters(void)
{
    struct doca_buf *a, *b, *c;
    uint32_t num;
    void *data;
    struct rig r;

    rig_open(&r, 1);
    a = rig_src(&r, 0, 64);
    CHECK_OK(doca_buf_set_data(a, rig_from + 16, 8));
    CHECK_OK(doca_buf_set_data_len(a, 48));
    CHECK_EQ(rig_data_len(a), 48);
    CHECK_RC(doca_buf_set_data_len(a, SIZE_MAX / 2), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_set_data_len(NULL, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(rig_data_len(a), 48);
    CHECK_OK(doca_buf_get_data(a, &data));
    CHECK_PTR(data, rig_from + 16);

    b = rig_src(&r, 64, 64);
    c = rig_src(&r, 128, 64);
    CHECK_RC(doca_buf_chain_list_tail(a, b, c), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_chain_list_tail(NULL, a, c), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_chain_list_tail(a, NULL, c), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_chain_list_tail(a, a, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_buf_chain_list_tail(a, a, a), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_buf_chain_list_tail(a, a, b));
    CHECK_RC(doca_buf_chain_list_tail(b, b, c), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_buf_chain_list_tail(a, b, c));
    CHECK_OK(doca_buf_get_list_len(a, &num));
    CHECK_EQ(num, 3);
    CHECK_OK(doca_buf_dec_refcount(a, NULL));
    CHECK_RC(doca_buf_set_data_len(a, 1), DOCA_ERROR_BAD_STATE);
    rig_close(&r);
}

static void context_has_one_completion_vector(void)
{
    struct doca_gpu_dma *gpu_dma = NULL;
    struct rig r;

    rig_build(&r, NULL, 1);
    CHECK_OK(doca_ctx_set_completion_vector(r.ctx, 0));
    CHECK_RC(doca_ctx_set_completion_vector(r.ctx, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_ctx_set_completion_vector(NULL, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_ctx_start(r.ctx));
    CHECK_RC(doca_ctx_set_completion_vector(r.ctx, 0), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_dma_get_gpu_handle(r.dma, &gpu_dma), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_dma_get_gpu_handle(r.dma, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_dma_get_gpu_handle(NULL, &gpu_dma), DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(gpu_dma, NULL);
    rig_close(&r);
}

static void old_and_new_names_of_sha_are_equivalent(void)
{
    const struct doca_devinfo *info;
    struct doca_dev *dev;
    uint64_t max = 0, max_older = 1;
    uint32_t min = 0, min_older = 1;

    rig_needs_sha();
    dev = rig_open_dev(NULL);
    info = doca_dev_as_devinfo(dev);
    CHECK_OK(doca_sha_cap_get_max_src_buf_size(info, &max));
    CHECK_OK(doca_sha_cap_get_max_src_buffer_size(info, &max_older));
    CHECK_EQ(max, max_older);
    CHECK_OK(doca_sha_cap_get_min_dst_buf_size(info, DOCA_SHA_ALGORITHM_SHA512, &min));
    CHECK_OK(doca_sha_cap_get_min_dst_buffer_size(info, DOCA_SHA_ALGORITHM_SHA512, &min_older));
    CHECK_EQ(min, 64);
    CHECK_EQ(min_older, 64);
    CHECK_RC(doca_sha_task_partial_hash_set_is_final_buffer(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_sha_task_partial_hash_get_is_final_buf(NULL), 0);
    CHECK_EQ(doca_sha_task_partial_hash_get_is_final_buffer(NULL), 0);
    CHECK_OK(doca_dev_close(dev));
}

/* ---- submitting without FLUSH ---- */

#define FLUSH DOCA_TASK_SUBMIT_FLAG_FLUSH

static doca_error_t submit_ex(struct doca_dma_task_memcpy *task, uint32_t flags)
{
    return doca_task_submit_ex(doca_dma_task_memcpy_as_task(task), flags);
}

static void kept_task_waits_for_a_flush(void)
{
    static const uint32_t flags[] = { DOCA_TASK_SUBMIT_FLAG_NONE,
                                      DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS };
    struct rig r;
    size_t i;

    rig_open(&r, 4);
    r.frees_tasks = true;
    for (i = 0; i < 2; i++) {
        memset(rig_to, 0xee, 256);
        CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 0, 64), flags[i]));
        CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 64, 64), flags[i]));
        CHECK_EQ(rig_inflight(r.ctx), 2);
        CHECK_EQ(rig_drain(&r), 0);
        CHECK_EQ(rig_to[0], 0xee);
        doca_ctx_flush_tasks(r.ctx);
        CHECK_EQ(rig_drain(&r), 2);
        CHECK_EQ(rig_inflight(r.ctx), 0);
        CHECK(memcmp(rig_from, rig_to, 128) == 0);
        doca_ctx_flush_tasks(r.ctx); /* nothing to flush */
        CHECK_EQ(rig_drain(&r), 0);
    }
    CHECK_EQ(r.num_ok, 4);
    rig_close(&r);
}

static unsigned order[8], num_order;

static void note_order(struct rig *r, struct doca_dma_task_memcpy *task)
{
    void *head;

    (void)r;
    CHECK_OK(doca_buf_get_head(doca_dma_task_memcpy_get_dst(task), &head));
    order[num_order++] = (unsigned)((unsigned char *)head - rig_to) / 64;
}

static void submit_with_flush_hands_over_all_tasks(void)
{
    unsigned round, i;
    struct rig r;

    rig_open(&r, 4);
    r.frees_tasks = true;
    r.on_task = note_order;
    for (round = 0; round < 3; round++) {
        num_order = 0;
        for (i = 0; i < 3; i++)
            CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 64 * i, 64), 0));
        if (round == 0)
            CHECK_OK(rig_submit(rig_prepare(&r, r.dma, 192, 64)));
        else if (round == 1)
            CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 192, 64), FLUSH));
        else
            CHECK_OK(doca_task_try_submit(
                doca_dma_task_memcpy_as_task(rig_prepare(&r, r.dma, 192, 64))));
        CHECK_EQ(rig_drain(&r), 4);
        for (i = 0; i < 4; i++)
            CHECK_EQ(order[i], i);
    }
    num_order = 0;
    rig_copy(&r, r.dma, 0, 64); /* the queue still works */
    CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 64, 64),
                       FLUSH | DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS));
    CHECK_EQ(rig_drain(&r), 2);
    rig_close(&r);
}

static void submit_ex_refuses_what_submit_refuses(void)
{
    struct doca_dma_task_memcpy *task;
    struct rig r;

    rig_open(&r, 2);
    CHECK_RC(doca_task_submit_ex(NULL, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_task_submit_ex(NULL, 4), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_NULL_ARGUMENT);
    task = rig_task(r.dma, NULL, NULL);
    CHECK_RC(submit_ex(task, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(submit_ex(task, FLUSH), DOCA_ERROR_INVALID_VALUE);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_RC(submit_ex(task, 4), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(submit_ex(task, UINT32_MAX), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(rig_inflight(r.ctx), 0);
    CHECK_OK(submit_ex(task, 0));
    CHECK_RC(submit_ex(task, 0), DOCA_ERROR_BAD_STATE);
    CHECK_RC(submit_ex(task, FLUSH), DOCA_ERROR_BAD_STATE);
    doca_dma_task_memcpy_set_src(task, NULL); /* in flight: logged and ignored */
    CHECK(doca_dma_task_memcpy_get_src(task) != NULL);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    r.frees_tasks = true;
    doca_ctx_flush_tasks(NULL);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_NULL_ARGUMENT);
    doca_ctx_flush_tasks(r.ctx);
    CHECK_EQ(rig_drain(&r), 1);
    rig_stop(&r, r.ctx);
    doca_ctx_flush_tasks(r.ctx);
    rig_close(&r);
}

static void stop_flushes_tasks_submitted_without_flush(void)
{
    struct rig r;

    rig_open(&r, 3);
    r.frees_tasks = true;
    rig_copy(&r, r.dma, 0, 64);
    CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 64, 64), 0));
    CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 128, 64), 0));
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    rig_drain(&r);
    CHECK_EQ(r.num_ok + r.num_failed, 3);
    /* another device may have completed one task already */
    CHECK(r.num_ok == 0 || (test_other() != NULL && r.num_ok == 1));
    CHECK_EQ(r.status, DOCA_ERROR_SHUTDOWN);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    CHECK_EQ(rig_to[64], 0xee);

    r.num_ok = 0;
    CHECK_OK(doca_ctx_start(r.ctx)); /* no old task is left */
    rig_drain(&r);
    rig_copy(&r, r.dma, 0, 64);
    CHECK_EQ(rig_drain(&r), 1);
    CHECK_EQ(r.num_ok, 1);
    rig_close(&r);
}

static void failed_task_fails_tasks_submitted_without_flush(void)
{
    struct rig r;

    held_begin();
    held_open_rig(&r, 3);
    r.frees_tasks = true;
    held.num_to_fail = 1;
    rig_copy(&r, r.dma, 0, 64);
    CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 64, 64), 0));
    CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 128, 64), 0));
    rig_drain(&r);
    CHECK_EQ(r.num_failed, 3);
    CHECK_EQ(r.status, DOCA_ERROR_IO_FAILED);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    held_close_rig(&r);
}

static void full_queue_loses_no_task_submitted_without_flush(void)
{
    struct doca_dma_task_memcpy *late;
    struct rig r;
    unsigned i;

    held_begin();
    held_open_rig(&r, 4);
    r.frees_tasks = true;
    r.on_task = note_order;
    num_order = 0;
    for (i = 0; i < 3; i++)
        CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 64 * i, 64), 0));
    held.full = true;
    doca_ctx_flush_tasks(r.ctx);
    CHECK_EQ(rig_drain(&r), 0);
    late = rig_prepare(&r, r.dma, 192, 64);
    CHECK_RC(rig_submit(late), DOCA_ERROR_AGAIN);
    CHECK_EQ(rig_inflight(r.ctx), 3);
    CHECK_EQ(rig_drain(&r), 0);
    held.full = false;
    CHECK_EQ(rig_drain(&r), 3); /* no second flush is needed */
    CHECK_OK(rig_submit(late));
    CHECK_EQ(rig_drain(&r), 1);
    for (i = 0; i < 4; i++)
        CHECK_EQ(order[i], i);

    CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 0, 64), 0)); /* a full queue, then a stop */
    held.full = true;
    doca_ctx_flush_tasks(r.ctx);
    rig_stop(&r, r.ctx);
    CHECK_EQ(r.status, DOCA_ERROR_SHUTDOWN);
    CHECK_EQ(r.num_failed, 1);
    held_close_rig(&r);
}

/* A task submitted without FLUSH fails when post() returns an error. The backend may also return a
 * value that is not an error code and whose lowest byte equals SUCCESS. */
static void task_submitted_without_flush_fails_if_post_fails(void)
{
    const doca_error_t answers[] = { DOCA_ERROR_FULL, (doca_error_t)256 };
    struct rig r;
    unsigned i;

    held_begin();
    held_open_rig(&r, 1);
    r.frees_tasks = true;
    for (i = 0; i < 2; i++) {
        CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 64 * i, 64), 0));
        held.answer = answers[i];
        doca_ctx_flush_tasks(r.ctx);
        held.answer = DOCA_SUCCESS;
        rig_drain(&r);
        CHECK_EQ(r.num_failed, i + 1);
        CHECK_EQ(r.status, i == 0 ? DOCA_ERROR_FULL : DOCA_ERROR_UNKNOWN);
        CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
        CHECK_OK(doca_ctx_start(r.ctx));
        rig_drain(&r);
    }
    held_close_rig(&r);
}

static void end_of_tasks_submitted_without_flush_wakes(void)
{
    struct pollfd fd;
    struct rig r;

    rig_open(&r, 1);
    r.frees_tasks = true;
    CHECK_OK(doca_ctx_set_state_changed_cb(r.ctx, NULL)); /* a report of the state would wake */
    CHECK_OK(doca_pe_get_notification_handle(r.pe, &fd.fd));
    fd.events = POLLIN;
    CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 0, 64), 0));
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    CHECK_EQ(poll(&fd, 1, 0), 1);
    CHECK_OK(doca_pe_clear_notification(r.pe, fd.fd));
    rig_drain(&r);
    CHECK_EQ(r.status, DOCA_ERROR_SHUTDOWN);
    rig_close(&r);
}

static void task_submitted_without_flush_does_not_wake(void)
{
    doca_notification_handle_t handle;
    struct pollfd fd;
    struct rig r;

    rig_open(&r, 2);
    r.frees_tasks = true;
    CHECK_OK(doca_pe_get_notification_handle(r.pe, &handle));
    fd.fd = handle;
    fd.events = POLLIN;
    CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 0, 64), 0));
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_EQ(poll(&fd, 1, 0), 0);
    CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 64, 64), 0));
    CHECK_EQ(poll(&fd, 1, 0), 0);
    doca_ctx_flush_tasks(r.ctx);
    CHECK_EQ(poll(&fd, 1, 0), 1);
    CHECK_OK(doca_pe_clear_notification(r.pe, handle));
    CHECK_EQ(rig_drain(&r), 2);
    rig_close(&r);
}

static void request_wakes_for_tasks_that_waited_for_room(void)
{
    struct pollfd fd;
    struct rig r;

    held_begin();
    held_open_rig(&r, 1);
    r.frees_tasks = true;
    CHECK_OK(doca_pe_get_notification_handle(r.pe, &fd.fd));
    fd.events = POLLIN;
    CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 0, 64), 0));
    held.full = true;
    doca_ctx_flush_tasks(r.ctx);
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_EQ(poll(&fd, 1, 0), 0);
    held.full = false; /* the queue has room, and the program sleeps without progress */
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_EQ(poll(&fd, 1, 0), 1);
    CHECK_OK(doca_pe_clear_notification(r.pe, fd.fd));
    CHECK_EQ(rig_drain(&r), 1);
    held_close_rig(&r);
}

static unsigned num_graph_ends;

static void graph_ended(struct doca_graph_instance *instance, union doca_data data,
                        union doca_data graph_data)
{
    (void)instance;
    (void)data;
    (void)graph_data;
    num_graph_ends++;
}

static void graph_node_after_tasks_without_flush_wakes(void)
{
    struct doca_graph_instance *instance;
    struct doca_dma_task_memcpy *task;
    struct doca_graph_node *node;
    struct doca_graph *graph;
    struct pollfd fd;
    unsigned flushes;
    struct rig r;

    held_begin();
    held_open_rig(&r, 2);
    r.frees_tasks = true;
    CHECK_OK(doca_graph_create(r.pe, &graph));
    CHECK_OK(doca_graph_node_create_from_ctx(graph, r.ctx, &node));
    CHECK_OK(doca_graph_set_conf(graph, graph_ended, graph_ended, 1));
    CHECK_OK(doca_graph_start(graph));
    CHECK_OK(doca_graph_instance_create(graph, &instance));
    task = rig_prepare(&r, r.dma, 0, 64);
    CHECK_OK(doca_graph_instance_set_ctx_node_data(instance, node,
                                                   doca_dma_task_memcpy_as_task(task)));
    CHECK_OK(doca_pe_get_notification_handle(r.pe, &fd.fd));
    fd.events = POLLIN;
    for (flushes = 0; flushes < 2; flushes++) {
        held.full = true;
        CHECK_OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(task)));
        CHECK_OK(doca_graph_instance_submit(instance));
        CHECK_OK(submit_ex(rig_prepare(&r, r.dma, 64, 64), 0));
        if (flushes > 0) { /* the task then waits for room, too, which only the device can make */
            doca_ctx_flush_tasks(r.ctx);
            CHECK_OK(doca_pe_request_notification(r.pe));
            CHECK_EQ(poll(&fd, 1, 0), 0);
            CHECK_OK(doca_pe_clear_notification(r.pe, fd.fd));
        }
        held.full = false;
        /* the queue is empty, so the device cannot wake the PE */
        CHECK_OK(doca_pe_request_notification(r.pe));
        CHECK_EQ(poll(&fd, 1, 0), 1);
        CHECK_OK(doca_pe_clear_notification(r.pe, fd.fd));
        num_graph_ends = 0;
        rig_drain(&r);
        if (flushes == 0)
            doca_ctx_flush_tasks(r.ctx);
        rig_drain(&r);
        CHECK_EQ(num_graph_ends, 1);
        CHECK_EQ(r.num_ok, flushes + 1);
    }
    rig_release(task);
    CHECK_OK(doca_graph_instance_destroy(instance));
    CHECK_OK(doca_graph_stop(graph));
    CHECK_OK(doca_graph_destroy(graph));
    held_close_rig(&r);
}

/* ---- event modes ---- */

static void handle_that_disarms_itself_needs_no_clear(void)
{
    doca_notification_handle_t handle;
    struct pollfd fd;
    struct rig r;
    unsigned i;

    rig_open(&r, 1);
    r.frees_tasks = true;
    CHECK_RC(doca_pe_set_event_mode(NULL, DOCA_PE_EVENT_MODE_PROGRESS_ALL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_pe_set_event_mode(r.pe, (enum doca_pe_event_mode)2), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_pe_get_notification_handle(r.pe, &handle));
    fd.fd = handle;
    fd.events = POLLIN;
    CHECK_OK(doca_pe_set_event_mode(r.pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL));
    for (i = 0; i < 3; i++) {
        CHECK_OK(doca_pe_request_notification(r.pe));
        CHECK_EQ(poll(&fd, 1, 0), 0);
        CHECK_EQ(rig_drain(&r), 0); /* progress is permitted at any time */
        rig_copy(&r, r.dma, 0, 64);
        CHECK_EQ(poll(&fd, 1, 0), 1);
        test_log_lines = 0;
        CHECK_EQ(rig_drain(&r), 1);
        CHECK_EQ(test_log_lines, 0);
    }
    CHECK_OK(doca_pe_clear_notification(r.pe, handle)); /* but a clear is permitted */
    CHECK_EQ(poll(&fd, 1, 0), 0);

    CHECK_OK(doca_pe_request_notification(r.pe));
    rig_copy(&r, r.dma, 0, 64); /* the mode changes after the signal */
    CHECK_OK(doca_pe_set_event_mode(r.pe, DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE));
    CHECK_OK(doca_pe_clear_notification(r.pe, handle));
    CHECK_OK(doca_pe_request_notification(r.pe));
    CHECK_EQ(poll(&fd, 1, 0), 1);
    test_log_lines = 0;
    CHECK_EQ(rig_drain(&r), 1);
    CHECK_EQ(test_log_lines > 0, DOCA_CORE_CHECK >= 2); /* the missing clear is reported */
    CHECK_OK(doca_pe_clear_notification(r.pe, handle));
    rig_close(&r);
}

/* A PE that was signalled before the mode changed needs no clear either. */
static void mode_that_disarms_applies_to_earlier_signals(void)
{
    struct pollfd fd;
    struct rig r;

    rig_open(&r, 1);
    r.frees_tasks = true;
    CHECK_OK(doca_pe_get_notification_handle(r.pe, &fd.fd));
    fd.events = POLLIN;
    CHECK_OK(doca_pe_request_notification(r.pe));
    rig_copy(&r, r.dma, 0, 64);
    CHECK_EQ(poll(&fd, 1, -1), 1);
    CHECK_OK(doca_pe_set_event_mode(r.pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL));
    CHECK_OK(doca_pe_set_event_mode(r.pe, DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE)); /* no effect */
    test_log_lines = 0;
    CHECK_EQ(rig_drain(&r), 1);
    CHECK_EQ(test_log_lines, 0);
    CHECK_EQ(r.num_ok, 1);
    CHECK_OK(doca_pe_set_event_mode(r.pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL));
    CHECK_OK(doca_pe_request_notification(r.pe)); /* the PE can be armed again */
    CHECK_EQ(poll(&fd, 1, 0), 0);
    rig_copy(&r, r.dma, 64, 64);
    CHECK_EQ(poll(&fd, 1, -1), 1);
    CHECK_EQ(rig_drain(&r), 1);
    rig_close(&r);
}

static void device_wakes_a_pe_that_disarms_itself(void)
{
    struct pollfd fd;
    struct rig r;
    unsigned i;

    held_begin();
    held.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    CHECK(held.fd >= 0);
    held_open_rig(&r, 1);
    r.frees_tasks = true;
    CHECK_OK(doca_pe_set_event_mode(r.pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL));
    CHECK_OK(doca_pe_get_notification_handle(r.pe, &fd.fd));
    fd.events = POLLIN;
    for (i = 0; i < 2; i++) {
        held.budget = 0;
        CHECK_OK(doca_pe_request_notification(r.pe));
        rig_copy(&r, r.dma, 0, 64);
        CHECK_EQ(poll(&fd, 1, 0), 0);
        held_finish();
        CHECK_EQ(poll(&fd, 1, 0), 1);
        CHECK_EQ(rig_drain(&r), 1);
        CHECK_OK(doca_pe_clear_notification(r.pe, fd.fd));
        CHECK(!held.is_armed);
        CHECK_EQ(poll(&fd, 1, 0), 0);
    }
    /* the submit signals, because its task completes at once */
    CHECK_OK(doca_pe_request_notification(r.pe));
    rig_copy(&r, r.dma, 0, 64);
    CHECK_EQ(poll(&fd, 1, 0), 1);
    CHECK(held.is_armed);
    CHECK_EQ(rig_drain(&r), 1);
    held.num_asked = 0;
    rig_copy(&r, r.dma, 0, 64); /* the PE is not armed, so the submit does not signal */
    CHECK_EQ(held.num_asked, 0);
    CHECK_EQ(rig_drain(&r), 1);
    CHECK_OK(doca_pe_clear_notification(r.pe, fd.fd));
    CHECK(!held.is_armed);
    i = (unsigned)held.fd;
    held_close_rig(&r);
    close((int)i);
}

static void clear_disarms_in_either_mode(void)
{
    struct pollfd fd;
    struct rig r;
    int held_fd;

    held_begin();
    held_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    CHECK(held_fd >= 0);
    held.fd = held_fd;
    held_open_rig(&r, 1);
    r.frees_tasks = true;
    CHECK_OK(doca_pe_get_notification_handle(r.pe, &fd.fd));
    fd.events = POLLIN;
    CHECK_OK(doca_pe_set_event_mode(r.pe, DOCA_PE_EVENT_MODE_PROGRESS_ALL));
    CHECK_OK(doca_pe_request_notification(r.pe));
    rig_copy(&r, r.dma, 0, 64);
    CHECK_EQ(poll(&fd, 1, 0), 1);
    CHECK_OK(doca_pe_set_event_mode(r.pe, DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE));
    CHECK_OK(doca_pe_clear_notification(r.pe, fd.fd));
    CHECK(!held.is_armed);
    CHECK_EQ(rig_drain(&r), 1);
    held_close_rig(&r);
    close(held_fd);
}

static void event_numbers_are_right_for_the_version(void)
{
    CHECK_EQ(DOCA_EVENT_BATCH_EVENTS_NUMBER_4, API_IS_3 ? 2 : 0);
    CHECK_EQ(DOCA_EVENT_BATCH_EVENTS_NUMBER_128, API_IS_3 ? 7 : 5);
    CHECK_EQ(DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16, 0);
    CHECK_EQ(DOCA_TASK_BATCH_MAX_TASKS_NUMBER_128, 3);
    CHECK_EQ(DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS, 2);
}

/* ---- batches ---- */

#define BATCH_16 DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16

static unsigned batch_oks, batch_failures;
static void (*on_batch)(struct doca_task_batch *batch);

static void batch_done(struct doca_task_batch *batch, uint16_t num_tasks, union doca_data data,
                       union doca_data ctx_data)
{
    struct rig *r = ctx_data.ptr;

    CHECK(r->in_progress);
    r->num_callbacks++;
    CHECK_EQ(num_tasks, doca_task_batch_get_tasks_num(batch));
    CHECK_EQ(data.u64, doca_task_batch_get_user_data(batch).u64);
    CHECK_PTR(doca_task_batch_get_ctx_user_data(batch).ptr, r);
    CHECK_PTR(doca_task_batch_get_ctx(batch), r->ctx);
    if (on_batch != NULL)
        on_batch(batch);
}

static void batch_ok(struct doca_task_batch *batch, uint16_t num_tasks, union doca_data data,
                     union doca_data ctx_data)
{
    batch_oks++;
    CHECK_OK(doca_task_batch_get_status(batch));
    batch_done(batch, num_tasks, data, ctx_data);
}

static void batch_failed(struct doca_task_batch *batch, uint16_t num_tasks, union doca_data data,
                         union doca_data ctx_data)
{
    batch_failures++;
    CHECK(doca_task_batch_get_status(batch) != DOCA_SUCCESS);
    batch_done(batch, num_tasks, data, ctx_data);
}

static void open_with_batches(struct rig *r, const char *pci, uint32_t num_tasks,
                              uint32_t num_batches)
{
    batch_oks = 0;
    batch_failures = 0;
    on_batch = NULL;
    rig_build(r, pci, num_tasks);
    CHECK_OK(doca_core_ctx_set_task_batch_conf(r->ctx, BATCH_16, num_batches, batch_ok,
                                               batch_failed));
    CHECK_OK(doca_ctx_start(r->ctx));
    rig_drain(r);
    rig_forget_states(r);
}

static struct doca_task_batch *make_batch(struct rig *r, unsigned num_tasks)
{
    struct doca_task_batch *batch;
    unsigned i;

    CHECK_OK(doca_core_task_batch_alloc_init(r->ctx, (union doca_data){ .u64 = 42 }, &batch));
    for (i = 0; i < num_tasks; i++)
        CHECK_OK(doca_core_task_batch_add(
            batch, doca_dma_task_memcpy_as_task(rig_prepare(r, r->dma, 64 * i, 64))));
    return batch;
}

static void free_batch(struct doca_task_batch *batch)
{
    struct doca_buf *bufs[32];
    struct doca_task *task;
    uint16_t i, n = 0;

    for (i = 0; (task = doca_core_task_batch_get_task(batch, i)) != NULL; i++) {
        struct doca_dma_task_memcpy *t = (struct doca_dma_task_memcpy *)(void *)task;

        bufs[n++] = (struct doca_buf *)(size_t)doca_dma_task_memcpy_get_src(t);
        bufs[n++] = doca_dma_task_memcpy_get_dst(t);
    }
    doca_task_batch_free(batch);
    while (n > 0)
        CHECK_OK(doca_buf_dec_refcount(bufs[--n], NULL));
}

static void batch_is_reported_once(void)
{
    struct doca_task_batch *batch;
    unsigned round, i;
    struct rig r;

    open_with_batches(&r, NULL, 16, 1);
    batch = make_batch(&r, 16);
    for (round = 0; round < 3; round++) {
        memset(rig_to, 0xee, 1024);
        for (i = 0; i < 16; i++)
            CHECK_OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(
                (struct doca_dma_task_memcpy *)(void *)doca_core_task_batch_get_task(
                    batch, (uint16_t)i))));
        CHECK_OK(round == 1 ? doca_task_batch_try_submit(batch) : doca_task_batch_submit(batch));
        CHECK_EQ(rig_inflight(r.ctx), 16);
        CHECK_EQ(batch_oks, round);
        CHECK_EQ(rig_drain(&r), 16);
        CHECK_EQ(batch_oks, round + 1);
        CHECK(memcmp(rig_from, rig_to, 1024) == 0);
    }
    CHECK_EQ(r.num_ok + r.num_failed + batch_failures, 0); /* tasks of a batch have no callbacks */
    free_batch(batch);
    rig_close(&r);
}

static void task_of_a_batch_belongs_to_the_batch(void)
{
    struct doca_task_batch *batch, *second = NULL;
    struct doca_dma_task_memcpy *t, *other;
    struct doca_task *task;
    union doca_data data = { .u64 = 7 };
    struct doca_buf *buf;
    struct rig r;

    open_with_batches(&r, NULL, 18, 1);
    batch = make_batch(&r, 1);
    CHECK_RC(doca_core_task_batch_alloc_init(r.ctx, data, &second), DOCA_ERROR_NO_MEMORY);
    CHECK_PTR(second, NULL);
    task = doca_core_task_batch_get_task(batch, 0);
    CHECK_PTR(doca_core_task_batch_get_task(batch, 1), NULL);
    CHECK_PTR(doca_core_task_batch_get_task(NULL, 0), NULL);
    t = (struct doca_dma_task_memcpy *)(void *)task;
    CHECK_RC(doca_task_submit(task), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_task_submit_ex(task, 0), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_core_task_batch_add(batch, task), DOCA_ERROR_BAD_STATE);
    doca_task_free(task);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_TASK_NOT_OWNED);
    doca_task_set_user_data(task, data); /* user data can be changed */
    CHECK_EQ(doca_task_get_user_data(task).u64, 7);
    buf = doca_dma_task_memcpy_get_dst(t);
    doca_dma_task_memcpy_set_dst(t, NULL);
    CHECK_PTR(doca_dma_task_memcpy_get_dst(t), NULL);
    CHECK_RC(doca_task_batch_submit(batch), DOCA_ERROR_INVALID_VALUE);
    doca_dma_task_memcpy_set_dst(t, buf);

    CHECK_OK(doca_task_batch_submit(batch));
    CHECK_RC(doca_task_batch_submit(batch), DOCA_ERROR_BAD_STATE);
    other = rig_prepare(&r, r.dma, 0, 64);
    CHECK_RC(doca_core_task_batch_add(batch, doca_dma_task_memcpy_as_task(other)),
             DOCA_ERROR_BAD_STATE);
    doca_task_batch_free(batch);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BATCH_NOT_OWNED);
    doca_task_batch_set_user_data(batch, data);
    rig_drain(&r);
    CHECK_EQ(batch_oks, 1);
    CHECK_RC(doca_task_submit(task), DOCA_ERROR_BAD_STATE); /* owned by the batch again */
    CHECK_EQ(doca_task_batch_get_user_data(batch).u64, 7);
    rig_release(other);
    free_batch(batch);
    CHECK_PTR(doca_core_task_batch_get_task(batch, 0), NULL); /* the batch has no tasks left */
    if (DOCA_CORE_CHECK >= 1) { /* free the batch a second time */
        doca_task_batch_free(batch);
        test_log_item = DOCA_CORE_ITEM_NONE;
        doca_task_batch_set_user_data(batch, data);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_BATCH_NOT_OWNED);
    }
    t = rig_prepare(&r, r.dma, 0, 64); /* a task that was in a batch can be submitted alone again */
    r.frees_tasks = true;
    CHECK_OK(rig_submit(t));
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    rig_close(&r);
}

static void wrong_batches_and_tasks_are_refused(void)
{
    struct doca_task_batch *batch;
    struct doca_dma_task_memcpy *t;
    struct doca_dma *other_dma;
    struct doca_ctx *other;
    union doca_data none = { 0 };
    struct rig r;
    size_t bytes;

    rig_build(&r, NULL, 20);
    CHECK_RC(doca_core_ctx_set_task_batch_conf(NULL, BATCH_16, 1, batch_ok, batch_failed),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_ctx_set_task_batch_conf(r.ctx, BATCH_16, 1, NULL, batch_failed),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_ctx_set_task_batch_conf(r.ctx, BATCH_16, 1, batch_ok, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_ctx_set_task_batch_conf(r.ctx, BATCH_16, 0, batch_ok, batch_failed),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_ctx_set_task_batch_conf(r.ctx, BATCH_16, 256, batch_ok, batch_failed),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_ctx_set_task_batch_conf(
                 r.ctx, (enum doca_task_batch_max_tasks_number)4, 1, batch_ok, batch_failed),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_task_batch(1, (enum doca_task_batch_max_tasks_number)4, &bytes),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_task_batch(1, BATCH_16, NULL), DOCA_ERROR_INVALID_VALUE);
    if (sizeof(size_t) == 4)
        CHECK_RC(doca_core_bytes_task_batch(UINT32_MAX, BATCH_16, &bytes), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_core_ctx_set_task_batch_conf(r.ctx, BATCH_16, 255, batch_ok, batch_failed));
    CHECK_RC(doca_core_task_batch_alloc_init(r.ctx, none, &batch), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_core_task_batch_alloc_init(NULL, none, &batch), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_ctx_start(r.ctx));
    CHECK_RC(doca_core_ctx_set_task_batch_conf(r.ctx, BATCH_16, 1, batch_ok, batch_failed),
             DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_core_task_batch_alloc_init(r.ctx, none, NULL), DOCA_ERROR_INVALID_VALUE);
    batch = make_batch(&r, 0);
    CHECK_RC(doca_task_batch_submit(batch), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_task_batch_try_submit(batch), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_task_batch_add(batch, NULL), DOCA_ERROR_INVALID_VALUE);
    doca_task_batch_free(batch);

    batch = make_batch(&r, 16);
    t = rig_task(r.dma, NULL, NULL);
    CHECK_RC(doca_core_task_batch_add(batch, doca_dma_task_memcpy_as_task(t)), DOCA_ERROR_FULL);
    doca_task_free(doca_dma_task_memcpy_as_task(t));
    free_batch(batch);

    other_dma = rig_make_dma(&r, 1);
    other = doca_dma_as_ctx(other_dma);
    CHECK_OK(doca_ctx_start(other));
    CHECK_RC(doca_core_task_batch_alloc_init(other, none, &batch), DOCA_ERROR_NO_MEMORY);
    batch = make_batch(&r, 0);
    t = rig_task(other_dma, NULL, NULL);
    CHECK_RC(doca_core_task_batch_add(batch, doca_dma_task_memcpy_as_task(t)),
             DOCA_ERROR_INVALID_VALUE);
    doca_task_free(doca_dma_task_memcpy_as_task(t));
    t = rig_task(r.dma, rig_src(&r, 0, 64), rig_dst(&r, 0, 32)); /* the destination is too small */
    CHECK_OK(doca_core_task_batch_add(batch, doca_dma_task_memcpy_as_task(t)));
    CHECK_RC(doca_task_batch_try_submit(batch), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(rig_inflight(r.ctx), 0);
    free_batch(batch);
    rig_stop(&r, other);
    CHECK_OK(doca_dma_destroy(other_dma));

    CHECK_RC(doca_task_batch_submit(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_task_batch_try_submit(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_task_batch_get_status(NULL), DOCA_ERROR_INVALID_VALUE);
    doca_task_batch_free(NULL);
    doca_task_batch_set_user_data(NULL, none);
    CHECK_EQ(doca_task_batch_get_user_data(NULL).u64, 0);
    CHECK_EQ(doca_task_batch_get_ctx_user_data(NULL).u64, 0);
    CHECK_PTR(doca_task_batch_get_ctx(NULL), NULL);
    CHECK_EQ(doca_task_batch_get_tasks_num(NULL), 0);
    rig_close(&r);
}

static void batch_fails_with_its_first_failure(void)
{
    struct doca_task_batch *batch;
    struct rig r;
    uint16_t i;

    held_begin();
    open_with_batches(&r, HELD_DMA, 4, 1);
    batch = make_batch(&r, 4);
    held.num_to_fail = 1; /* the first task fails, and breaks the context */
    CHECK_OK(doca_task_batch_submit(batch));
    rig_drain(&r);
    CHECK_EQ(batch_failures, 1);
    CHECK_EQ(batch_oks, 0);
    CHECK_RC(doca_task_batch_get_status(batch), DOCA_ERROR_IO_FAILED);
    for (i = 0; i < 4; i++)
        CHECK_RC(doca_task_get_status(doca_core_task_batch_get_task(batch, i)),
                 DOCA_ERROR_IO_FAILED);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STOPPING); /* the batch is not free */
    CHECK_RC(doca_task_batch_submit(batch), DOCA_ERROR_BAD_STATE);
    free_batch(batch);
    rig_drain(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    if (DOCA_CORE_CHECK >= 1)
        CHECK_RC(doca_task_batch_submit(batch), DOCA_ERROR_INVALID_VALUE);
    held_close_rig(&r);
}

static void stop_ends_a_batch(void)
{
    struct doca_task_batch *batch, *empty;
    struct rig r;

    open_with_batches(&r, NULL, 4, 2);
    batch = make_batch(&r, 3);
    empty = make_batch(&r, 0);
    CHECK_OK(doca_task_batch_submit(batch));
    rig_progress(&r); /* the first task succeeds */
    CHECK_RC(doca_ctx_stop(r.ctx), DOCA_ERROR_IN_PROGRESS);
    rig_drain(&r);
    if (test_other() != NULL && batch_oks == 1) { /* the device has completed all tasks */
        CHECK_EQ(batch_failures, 0);
        CHECK_OK(doca_task_batch_get_status(batch));
    } else {
        CHECK_EQ(batch_failures, 1);
        CHECK_RC(doca_task_batch_get_status(batch), DOCA_ERROR_SHUTDOWN);
    }
    CHECK_OK(doca_task_get_status(doca_core_task_batch_get_task(batch, 0)));
    CHECK_RC(doca_dma_destroy(r.dma), DOCA_ERROR_IN_USE);
    free_batch(batch);
    rig_drain(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_STOPPING);
    doca_task_batch_free(empty);
    rig_drain(&r);
    CHECK_EQ(rig_state(r.ctx), DOCA_CTX_STATE_IDLE);
    rig_close(&r);
}

static unsigned num_again;

static void submit_batch_again(struct doca_task_batch *batch)
{
    uint16_t i;

    for (i = 0; i < doca_task_batch_get_tasks_num(batch); i++)
        CHECK_OK(doca_buf_reset_data_len(doca_dma_task_memcpy_get_dst(
            (struct doca_dma_task_memcpy *)(void *)doca_core_task_batch_get_task(batch, i))));
    if (num_again > 0) {
        num_again--;
        CHECK_OK(doca_task_batch_submit(batch));
    } else {
        free_batch(batch);
    }
}

static void batch_is_submitted_and_freed_in_its_callback(void)
{
    struct doca_task_batch *batch;
    struct rig r;

    open_with_batches(&r, NULL, 16, 3);
    on_batch = submit_batch_again;
    num_again = 5;
    batch = make_batch(&r, 5);
    CHECK_OK(doca_task_batch_submit(batch));
    batch = make_batch(&r, 7);
    CHECK_OK(doca_task_batch_submit(batch));
    rig_drain(&r);
    CHECK_EQ(batch_oks, 7);
    rig_close(&r);
}

static void batch_waits_for_room_in_the_queue(void)
{
    struct doca_task_batch *batch;
    struct rig r;

    held_begin();
    open_with_batches(&r, HELD_DMA, 4, 1);
    batch = make_batch(&r, 4);
    held.full = true;
    CHECK_OK(doca_task_batch_submit(batch));
    CHECK_EQ(rig_drain(&r), 0);
    held.full = false;
    CHECK_EQ(rig_drain(&r), 4);
    CHECK_EQ(batch_oks, 1);
    free_batch(batch);
    held_close_rig(&r);
}

static struct doca_sha *sha;
static unsigned hash_oks;

static void hash_done(struct doca_sha_task_hash *task, union doca_data data, union doca_data ctx)
{
    (void)task;
    (void)data;
    (void)ctx;
    test_fail(__FILE__, __LINE__, "a callback ran for a task of a batch");
}

static void hash_batch_done(struct doca_task_batch *batch, uint16_t num_tasks,
                            union doca_data data, union doca_data ctx)
{
    (void)batch;
    (void)data;
    (void)ctx;
    hash_oks += num_tasks;
}

static void hashes_come_in_batches_as_well(void)
{
    struct doca_sha_task_hash *tasks[2];
    struct doca_task_batch *batch;
    struct doca_buf *src, *dst[2];
    union doca_data none = { 0 };
    struct rig r;
    unsigned i;

    rig_needs_sha();
    rig_open(&r, 1);
    hash_oks = 0;
    CHECK_OK(doca_sha_create(r.dev, &sha));
    CHECK_OK(doca_sha_task_hash_set_conf(sha, hash_done, hash_done, 1));
    CHECK_OK(doca_core_ctx_set_task_batch_conf(doca_sha_as_ctx(sha), BATCH_16, 1, hash_batch_done,
                                               hash_batch_done));
    CHECK_OK(doca_pe_connect_ctx(r.pe, doca_sha_as_ctx(sha)));
    CHECK_OK(doca_ctx_start(doca_sha_as_ctx(sha)));
    CHECK_OK(doca_core_task_batch_alloc_init(doca_sha_as_ctx(sha), none, &batch));
    src = rig_src(&r, 0, 100);
    for (i = 0; i < 2; i++) {
        dst[i] = rig_dst(&r, 64 * i, 64);
        CHECK_OK(doca_sha_task_hash_alloc_init(sha, DOCA_SHA_ALGORITHM_SHA256, src, dst[i], none,
                                               &tasks[i]));
        CHECK_OK(doca_core_task_batch_add(batch, doca_sha_task_hash_as_task(tasks[i])));
    }
    CHECK_OK(doca_sha_task_hash_set_algorithm(tasks[1], DOCA_SHA_ALGORITHM_SHA1)); /* idle */
    CHECK_OK(doca_task_batch_try_submit(batch));
    rig_drain(&r);
    CHECK_EQ(hash_oks, 2);
    CHECK_EQ(rig_data_len(dst[0]), 32);
    CHECK_EQ(rig_data_len(dst[1]), 20);
    doca_task_batch_free(batch);
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    CHECK_OK(doca_buf_dec_refcount(dst[0], NULL));
    CHECK_OK(doca_buf_dec_refcount(dst[1], NULL));
    CHECK_OK(doca_sha_destroy(sha));
    rig_close(&r);
}

static void batches_take_the_documented_bytes(void)
{
    static DOCA_CORE_ALIGNED unsigned char
        mem[TEST_BYTES_DMA(3) + DOCA_CORE_BYTES_TASK_BATCH(5, 32)];
    struct doca_core_arena arena;
    size_t bytes, of_dma, used;
    struct doca_dma *dma;
    struct rig r;

    CHECK_OK(doca_core_bytes_task_batch(5, DOCA_TASK_BATCH_MAX_TASKS_NUMBER_32, &bytes));
    CHECK_EQ(bytes, DOCA_CORE_BYTES_TASK_BATCH(5, 32));
    rig_open(&r, 1);
    CHECK_OK(doca_core_bytes_dma(r.dev, 3, &of_dma));
    CHECK(test_other() != NULL || of_dma == DOCA_CORE_BYTES_DMA(3));
    bytes += of_dma;
    CHECK(bytes <= sizeof(mem));
    CHECK_OK(doca_core_arena_init(&arena, mem, bytes));
    CHECK_OK(doca_core_dma_create_in(&arena, r.dev, &dma));
    CHECK_OK(doca_dma_task_memcpy_set_conf(dma, rig_completed, rig_failed, 3));
    CHECK_OK(doca_core_ctx_set_task_batch_conf(doca_dma_as_ctx(dma),
                                               DOCA_TASK_BATCH_MAX_TASKS_NUMBER_64, 5, batch_ok,
                                               batch_failed));
    CHECK_OK(doca_pe_connect_ctx(r.pe, doca_dma_as_ctx(dma)));
    CHECK_RC(doca_ctx_start(doca_dma_as_ctx(dma)), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_core_ctx_set_task_batch_conf(doca_dma_as_ctx(dma),
                                               DOCA_TASK_BATCH_MAX_TASKS_NUMBER_32, 5, batch_ok,
                                               batch_failed));
    CHECK_OK(doca_ctx_start(doca_dma_as_ctx(dma)));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, bytes);
    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
    rig_close(&r);
}

/* ---- sync events ---- */

static struct doca_sync_event *make_event(struct doca_dev *dev, bool is_shared)
{
    struct doca_sync_event *event;

    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
    if (is_shared)
        CHECK_OK(doca_sync_event_add_subscriber_location_remote_pci(event));
    return event;
}

static void *set_to_5_later(void *arg)
{
    struct doca_sync_event *event = arg;

    usleep(2000);
    (void)doca_sync_event_update_set(event, 4);
    usleep(2000);
    (void)doca_sync_event_update_set(event, 5);
    return NULL;
}

static void wait_ends_with_its_condition(void)
{
    static doca_error_t (*const waits[])(struct doca_sync_event *event, uint64_t value,
                                         uint64_t mask) = {
        doca_sync_event_wait_eq, doca_sync_event_wait_eq_yield, doca_sync_event_wait_neq,
        doca_sync_event_wait_neq_yield,
    };
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = make_event(dev, false);
    enum heap_trap_mode mode;
    pthread_t thread;
    uint64_t value;
    unsigned i;

    for (i = 0; i < 4; i++) {
        CHECK_RC(waits[i](NULL, 0, 0), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(waits[i](event, 0, 0), DOCA_ERROR_BAD_STATE);
    }
    CHECK_OK(doca_sync_event_start(event));
    CHECK_OK(doca_sync_event_update_set(event, 0x1234));
    for (i = 0; i < 2; i++) { /* both waits return at once */
        CHECK_OK(waits[i](event, 0x1234, UINT64_MAX));
        CHECK_OK(waits[i](event, 0x34, 0xff));
        CHECK_OK(waits[i](event, 0, 0));
        CHECK_OK(waits[2 + i](event, 0x1235, UINT64_MAX));
        CHECK_OK(waits[2 + i](event, 0x1234, 0xff));
        CHECK_OK(waits[2 + i](event, 1, 0));
    }
    for (i = 0; i < 4; i++) {
        CHECK_OK(doca_sync_event_update_set(event, 3));
        mode = heap_trap_set(HEAP_TRAP_OFF);
        CHECK_EQ(pthread_create(&thread, NULL, set_to_5_later, event), 0);
        heap_trap_set(mode);
        CHECK_OK(waits[i](event, i < 2 ? 5 : 3, UINT64_MAX));
        CHECK_OK(doca_sync_event_get(event, &value));
        CHECK(i < 2 ? value == 5 : value == 4 || value == 5);
        mode = heap_trap_set(HEAP_TRAP_OFF);
        CHECK_EQ(pthread_join(thread, NULL), 0);
        heap_trap_set(mode);
    }
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

static unsigned eq_oks, neq_oks, gt_oks, wait_failures;
static doca_error_t wait_status;

static void eq_ok(struct doca_sync_event_task_wait_eq *task, union doca_data data,
                  union doca_data ctx_data)
{
    (void)ctx_data;
    CHECK(IS_HANDLE(task));
    CHECK_EQ(data.u64, 1);
    CHECK_OK(doca_task_get_status(doca_sync_event_task_wait_eq_as_doca_task(task)));
    eq_oks++;
}

static void eq_failed(struct doca_sync_event_task_wait_eq *task, union doca_data data,
                      union doca_data ctx_data)
{
    (void)data;
    (void)ctx_data;
    CHECK(IS_HANDLE(task));
    wait_status = doca_task_get_status(doca_sync_event_task_wait_eq_as_doca_task(task));
    wait_failures++;
}

static void neq_ok(struct doca_sync_event_task_wait_neq *task, union doca_data data,
                   union doca_data ctx_data)
{
    (void)ctx_data;
    CHECK(IS_HANDLE(task));
    CHECK_EQ(data.u64, 2);
    CHECK_OK(doca_task_get_status(doca_sync_event_task_wait_neq_as_doca_task(task)));
    neq_oks++;
}

static void neq_failed(struct doca_sync_event_task_wait_neq *task, union doca_data data,
                       union doca_data ctx_data)
{
    (void)data;
    (void)ctx_data;
    CHECK(IS_HANDLE(task));
    wait_status = doca_task_get_status(doca_sync_event_task_wait_neq_as_doca_task(task));
    wait_failures++;
}

static void gt_ok(struct doca_sync_event_task_wait_gt *task, union doca_data data,
                  union doca_data ctx_data)
{
    (void)task;
    (void)data;
    (void)ctx_data;
    gt_oks++;
}

struct waiting {
    struct doca_pe *pe;
    struct doca_ctx *ctx;
    struct doca_sync_event_task_wait_eq *eq;
    struct doca_sync_event_task_wait_neq *neq;
};

static struct waiting begin_waiting(struct doca_sync_event *event)
{
    struct waiting w;

    eq_oks = neq_oks = gt_oks = wait_failures = 0;
    CHECK_OK(doca_pe_create(&w.pe));
    w.ctx = doca_sync_event_as_ctx(event);
    CHECK_OK(doca_sync_event_task_wait_eq_set_conf(event, eq_ok, eq_failed, 1));
    CHECK_OK(doca_sync_event_task_wait_neq_set_conf(event, neq_ok, neq_failed, 1));
    CHECK_OK(doca_sync_event_task_wait_gt_set_conf(event, gt_ok, gt_ok, 1));
    CHECK_OK(doca_pe_connect_ctx(w.pe, w.ctx));
    CHECK_OK(doca_ctx_start(w.ctx));
    CHECK_OK(doca_sync_event_task_wait_eq_alloc_init(event, 7, UINT64_MAX,
                                                     (union doca_data){ .u64 = 1 }, &w.eq));
    CHECK_OK(doca_sync_event_task_wait_neq_alloc_init(event, 0, UINT64_MAX,
                                                      (union doca_data){ .u64 = 2 }, &w.neq));
    CHECK(IS_HANDLE(w.eq) && IS_HANDLE(w.neq));
    return w;
}

static void end_waiting(struct waiting *w, struct doca_sync_event *event)
{
    doca_task_free(doca_sync_event_task_wait_eq_as_doca_task(w->eq));
    doca_task_free(doca_sync_event_task_wait_neq_as_doca_task(w->neq));
    while (doca_pe_progress(w->pe))
        continue;
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_pe_destroy(w->pe));
}

static void waiting_tasks_end_with_their_conditions(void)
{
    static DOCA_CORE_ALIGNED uint64_t cell;
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = make_event(dev, false);
    struct doca_sync_event_task_wait_gt *gt;
    struct doca_task *eq_task, *neq_task;
    struct waiting w;

    cell = 0;
    CHECK_OK(doca_sync_event_set_addr(event, &cell));
    w = begin_waiting(event);
    eq_task = doca_sync_event_task_wait_eq_as_doca_task(w.eq);
    neq_task = doca_sync_event_task_wait_neq_as_doca_task(w.neq);
    CHECK_OK(doca_sync_event_task_wait_gt_alloc_init(event, 6, UINT64_MAX, (union doca_data){ 0 },
                                                     &gt));
    CHECK_OK(doca_task_submit(eq_task));
    CHECK_OK(doca_task_try_submit(neq_task));
    CHECK_OK(doca_task_submit(doca_sync_event_task_wait_gt_as_doca_task(gt)));
    CHECK_EQ(doca_pe_progress(w.pe), 0);
    cell = 3;
    while (doca_pe_progress(w.pe))
        continue;
    CHECK_EQ(neq_oks, 1);
    CHECK_EQ(eq_oks + gt_oks, 0);
    cell = 8; /* the value has passed the expected one */
    while (doca_pe_progress(w.pe))
        continue;
    CHECK_EQ(gt_oks, 1);
    CHECK_EQ(eq_oks, 0);
    cell = 7;
    CHECK_EQ(doca_pe_progress(w.pe), 1);
    CHECK_EQ(eq_oks, 1);

    doca_sync_event_task_wait_eq_set_wait_val(w.eq, 0x12);
    doca_sync_event_task_wait_eq_set_mask(w.eq, 0xff);
    doca_sync_event_task_wait_neq_set_wait_val(w.neq, 0x12);
    doca_sync_event_task_wait_neq_set_mask(w.neq, 0xff);
    CHECK_EQ(doca_sync_event_task_wait_eq_get_wait_val(w.eq), 0x12);
    CHECK_EQ(doca_sync_event_task_wait_eq_get_mask(w.eq), 0xff);
    CHECK_EQ(doca_sync_event_task_wait_neq_get_wait_val(w.neq), 0x12);
    CHECK_EQ(doca_sync_event_task_wait_neq_get_mask(w.neq), 0xff);
    cell = 0x3412;
    CHECK_OK(doca_task_submit(eq_task));
    CHECK_OK(doca_task_submit(neq_task));
    while (doca_pe_progress(w.pe))
        continue;
    CHECK_EQ(eq_oks, 2);
    CHECK_EQ(neq_oks, 1);
    doca_sync_event_task_wait_eq_set_wait_val(w.eq, 0x13);
    CHECK_OK(doca_task_submit(eq_task));
    CHECK_RC(doca_ctx_stop(w.ctx), DOCA_ERROR_IN_PROGRESS);
    while (doca_pe_progress(w.pe))
        continue;
    CHECK_EQ(wait_failures, 2); /* one task of each type, in its error callback */
    CHECK_EQ(eq_oks, 2);
    CHECK_EQ(neq_oks, 1);
    CHECK_EQ(doca_task_get_status(eq_task), DOCA_ERROR_SHUTDOWN);
    CHECK_EQ(doca_task_get_status(neq_task), DOCA_ERROR_SHUTDOWN);

    CHECK_PTR(doca_sync_event_task_wait_eq_as_doca_task(NULL), NULL);
    CHECK_PTR(doca_sync_event_task_wait_neq_as_doca_task(NULL), NULL);
    CHECK_EQ(doca_sync_event_task_wait_eq_get_mask(NULL), 0);
    CHECK_EQ(doca_sync_event_task_wait_eq_get_wait_val(NULL), 0);
    CHECK_EQ(doca_sync_event_task_wait_neq_get_mask(NULL), 0);
    CHECK_EQ(doca_sync_event_task_wait_neq_get_wait_val(NULL), 0);
    if (DOCA_CORE_CHECK >= 1) { /* a handle of another type is refused */
        CHECK_EQ(doca_sync_event_task_wait_eq_get_mask(
                     (struct doca_sync_event_task_wait_eq *)(void *)w.neq), 0);
        doca_sync_event_task_wait_neq_set_mask(
            (struct doca_sync_event_task_wait_neq *)(void *)w.eq, 5);
        CHECK_EQ(doca_sync_event_task_wait_eq_get_mask(w.eq), 0xff);
    }
    doca_task_free(doca_sync_event_task_wait_gt_as_doca_task(gt));
    end_waiting(&w, event);
    CHECK_OK(doca_dev_close(dev));
}

static void wait_conf_is_checked(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = make_event(dev, false);
    struct doca_sync_event_task_wait_eq *eq = NULL;
    struct doca_sync_event_task_wait_neq *neq = NULL;
    const uint32_t most = (1u << 30) - 1;
    union doca_data none = { 0 };
    struct waiting w;

    CHECK_RC(doca_sync_event_task_wait_eq_set_conf(NULL, eq_ok, eq_failed, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_task_wait_eq_set_conf(event, NULL, eq_failed, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_task_wait_neq_set_conf(event, neq_ok, NULL, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_task_wait_neq_set_conf(event, neq_ok, neq_failed, 0),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_task_wait_neq_set_conf(event, neq_ok, neq_failed, most + 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_sync_event_task_wait_gt_set_conf(event, gt_ok, gt_ok, most));
    CHECK_OK(doca_sync_event_task_wait_eq_set_conf(event, eq_ok, eq_failed, most));
    CHECK_OK(doca_sync_event_task_wait_neq_set_conf(event, neq_ok, neq_failed, most));
    CHECK_RC(doca_sync_event_task_wait_eq_alloc_init(event, 0, 0, none, &eq),
             DOCA_ERROR_BAD_STATE);
    w = begin_waiting(event);
    CHECK_RC(doca_sync_event_task_wait_eq_set_conf(event, eq_ok, eq_failed, 1),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_sync_event_task_wait_neq_set_conf(event, neq_ok, neq_failed, 1),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_sync_event_task_wait_eq_alloc_init(event, 0, 0, none, &eq), DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_sync_event_task_wait_neq_alloc_init(event, 0, 0, none, &neq),
             DOCA_ERROR_NO_MEMORY);
    CHECK_RC(doca_sync_event_task_wait_neq_alloc_init(event, 0, 0, none, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(eq, NULL);
    CHECK_PTR(neq, NULL);
    end_waiting(&w, event);
    CHECK_OK(doca_dev_close(dev));
}

static void both_types_of_wait_tasks_wake_a_sleeping_program(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event_task_wait_eq *eq;
    struct doca_sync_event_task_wait_neq *neq;
    struct doca_sync_event *event, *import;
    struct doca_task *task;
    struct doca_pe *pe;
    struct pollfd fd;
    const uint8_t *data;
    size_t bytes;
    unsigned i;

    for (i = 0; i < 2; i++) { /* only one type of tasks is configured */
        eq_oks = neq_oks = 0;
        event = make_event(dev, true);
        CHECK_OK(doca_sync_event_start(event));
        CHECK_OK(doca_sync_event_export_to_remote_pci(event, dev, &data, &bytes));
        CHECK_OK(doca_sync_event_create_from_export(dev, data, bytes, &import));
        CHECK_OK(doca_pe_create(&pe));
        CHECK_OK(doca_pe_connect_ctx(pe, doca_sync_event_as_ctx(import)));
        if (i == 0)
            CHECK_OK(doca_sync_event_task_wait_eq_set_conf(import, eq_ok, eq_failed, 1));
        else
            CHECK_OK(doca_sync_event_task_wait_neq_set_conf(import, neq_ok, neq_failed, 1));
        CHECK_OK(doca_ctx_start(doca_sync_event_as_ctx(import)));
        if (i == 0) {
            CHECK_OK(doca_sync_event_task_wait_eq_alloc_init(import, 7, UINT64_MAX,
                                                             (union doca_data){ .u64 = 1 }, &eq));
            task = doca_sync_event_task_wait_eq_as_doca_task(eq);
        } else {
            CHECK_OK(doca_sync_event_task_wait_neq_alloc_init(import, 0, UINT64_MAX,
                                                              (union doca_data){ .u64 = 2 }, &neq));
            task = doca_sync_event_task_wait_neq_as_doca_task(neq);
        }
        CHECK_OK(doca_task_submit(task));
        CHECK_OK(doca_pe_get_notification_handle(pe, &fd.fd));
        fd.events = POLLIN;
        CHECK_OK(doca_pe_request_notification(pe));
        CHECK_EQ(poll(&fd, 1, 0), 0);
        CHECK_OK(doca_sync_event_update_set(event, 7));
        CHECK_EQ(poll(&fd, 1, 1000), 1);
        CHECK_OK(doca_pe_clear_notification(pe, fd.fd));
        CHECK_EQ(doca_pe_progress(pe), 1);
        CHECK_EQ(eq_oks + neq_oks, 1);
        doca_task_free(task);
        CHECK_OK(doca_sync_event_destroy(import));
        CHECK_OK(doca_pe_destroy(pe));
        CHECK_OK(doca_sync_event_destroy(event));
    }
    CHECK_OK(doca_dev_close(dev));
}

/* The import is in the same process. The library shares the value in the same way as between two
 * processes. */
static void remote_pci_is_the_dpu(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event, *import;
    const uint8_t *data = NULL, *same = NULL;
    size_t bytes = 0, same_bytes = 0;
    doca_notification_handle_t handle;
    struct pollfd fd;
    struct waiting w;

    CHECK_RC(doca_sync_event_add_publisher_location_remote_pci(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_add_subscriber_location_remote_pci(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_publisher_location_remote_pci(event));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
    CHECK_RC(doca_sync_event_export_to_remote_pci(event, dev, &data, &bytes),
             DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_sync_event_start(event));
    CHECK_RC(doca_sync_event_export_to_remote_pci(event, NULL, &data, &bytes),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_export_to_remote_pci(event, dev, NULL, &bytes),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_sync_event_export_to_remote_pci(event, dev, &data, &bytes));
    CHECK_OK(doca_sync_event_export_to_dpu(event, dev, &same, &same_bytes));
    CHECK_PTR(data, same);
    CHECK_EQ(bytes, same_bytes);

    CHECK_OK(doca_sync_event_create_from_export(dev, data, bytes, &import));
    w = begin_waiting(import);
    CHECK_OK(doca_task_submit(doca_sync_event_task_wait_eq_as_doca_task(w.eq)));
    CHECK_OK(doca_pe_get_notification_handle(w.pe, &handle));
    fd.fd = handle;
    fd.events = POLLIN;
    CHECK_OK(doca_pe_request_notification(w.pe));
    CHECK_EQ(poll(&fd, 1, 0), 0);
    CHECK_OK(doca_sync_event_update_set(event, 6)); /* wakes, but ends no wait */
    CHECK_OK(doca_pe_clear_notification(w.pe, handle));
    CHECK_EQ(doca_pe_progress(w.pe), 0);
    CHECK_OK(doca_pe_request_notification(w.pe));
    CHECK_EQ(poll(&fd, 1, 0), 0);
    CHECK_OK(doca_sync_event_update_set(event, 7));
    CHECK_EQ(poll(&fd, 1, 1000), 1);
    CHECK_OK(doca_pe_clear_notification(w.pe, handle));
    CHECK_EQ(doca_pe_progress(w.pe), 1);
    CHECK_EQ(eq_oks, 1);

    doca_sync_event_task_wait_neq_set_wait_val(w.neq, 7);
    CHECK_OK(doca_task_submit(doca_sync_event_task_wait_neq_as_doca_task(w.neq)));
    CHECK_EQ(doca_pe_progress(w.pe), 0);
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_EQ(doca_pe_progress(w.pe), 1);
    CHECK_EQ(wait_failures, 1);
    CHECK_EQ(wait_status, DOCA_ERROR_CONNECTION_RESET);
    end_waiting(&w, import);
    CHECK_OK(doca_dev_close(dev));
}

static void wait_ends_when_the_exporter_has_ended(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_sync_event *event = make_event(dev, true), *import;
    const uint8_t *data;
    size_t bytes;

    CHECK_OK(doca_sync_event_start(event));
    CHECK_OK(doca_sync_event_export_to_remote_pci(event, dev, &data, &bytes));
    CHECK_OK(doca_sync_event_create_from_export(dev, data, bytes, &import));
    CHECK_OK(doca_sync_event_start(import));
    CHECK_OK(doca_sync_event_update_set(event, 4));
    CHECK_OK(doca_sync_event_wait_eq(import, 4, UINT64_MAX));
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_sync_event_wait_eq(import, 4, UINT64_MAX));
    CHECK_RC(doca_sync_event_wait_eq(import, 5, UINT64_MAX), DOCA_ERROR_CONNECTION_RESET);
    CHECK_RC(doca_sync_event_wait_neq_yield(import, 4, UINT64_MAX), DOCA_ERROR_CONNECTION_RESET);
    CHECK_OK(doca_sync_event_destroy(import));
    CHECK_OK(doca_dev_close(dev));
}

static void event_has_no_handle_on_processors(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    const struct doca_devinfo *info = doca_dev_as_devinfo(dev);
    struct doca_sync_event *event;
    struct doca_sync_event_remote_net *net;
    doca_dpa_dev_sync_event_t dpa = 7;
    doca_gpu_dev_sync_event_t *gpu = NULL;
    doca_dpa_dev_sync_event_remote_net_t net_dpa;
    doca_gpu_dev_sync_event_remote_net_t net_gpu;
    const uint8_t *data;
    size_t bytes;

    CHECK_OK(doca_sync_event_cap_is_export_to_remote_pci_supported(info));
    CHECK_OK(doca_sync_event_cap_task_wait_eq_is_supported(info));
    CHECK_OK(doca_sync_event_cap_task_wait_neq_is_supported(info));
    CHECK_RC(doca_sync_event_cap_is_export_to_remote_pci_supported(NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_cap_task_wait_eq_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_cap_task_wait_neq_is_supported(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_sync_event_create(&event));
    CHECK_OK(doca_sync_event_add_publisher_location_remote_net(event));
    CHECK_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
    CHECK_RC(doca_sync_event_get_dpa_handle(event, DPA, &dpa), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_sync_event_get_dpa_handle(event, NULL, &dpa), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_get_gpu_handle(event, GPU, &gpu), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_sync_event_get_gpu_handle(event, GPU, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_sync_event_start(event));
    CHECK_OK(doca_sync_event_export_to_remote_net(event, &data, &bytes));
    CHECK_OK(doca_sync_event_remote_net_create_from_export(dev, data, bytes, &net));
    CHECK_RC(doca_sync_event_remote_net_get_dpa_handle(net, DPA, &net_dpa),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_sync_event_remote_net_get_gpu_handle(net, GPU, &net_gpu),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_sync_event_remote_net_get_dpa_handle(NULL, DPA, &net_dpa),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_remote_net_get_gpu_handle(net, NULL, &net_gpu),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(dpa, 7);
    CHECK_PTR(gpu, NULL);
    CHECK_OK(doca_sync_event_remote_net_destroy(net));
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_dev_close(dev));
}

static void value_of_an_event_can_be_in_a_buffer(void)
{
    struct doca_sync_event *event;
    struct doca_buf *buf, *other;
    struct doca_mmap *read_only;
    uint64_t value = 5, got = 0;
    struct rig r;

    rig_open(&r, 1);
    event = make_event(r.dev, false);
    memcpy(rig_to + 8, &value, sizeof(value));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, r.dst_map, rig_to + 8, 8, &buf));
    CHECK_RC(doca_sync_event_set_doca_buf(NULL, buf), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_sync_event_set_doca_buf(event, NULL), DOCA_ERROR_INVALID_VALUE);
    if (DOCA_CORE_CHECK >= 1)
        CHECK_RC(doca_sync_event_set_doca_buf(event, (void *)r.dev), DOCA_ERROR_INVALID_VALUE);

    CHECK_OK(doca_buf_set_data(buf, rig_to + 8, 7));
    CHECK_RC(doca_sync_event_set_doca_buf(event, buf), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, r.dst_map, rig_to + 4, 8, &other));
    CHECK_RC(doca_sync_event_set_doca_buf(event, other), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_buf_set_data(buf, rig_to + 8, 8));
    CHECK_OK(doca_buf_chain_list(buf, other));
    CHECK_RC(doca_sync_event_set_doca_buf(event, buf), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_sync_event_set_doca_buf(event, other), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_buf_unchain_list(buf, other));
    CHECK_OK(doca_buf_dec_refcount(other, NULL));
    CHECK_RC(doca_sync_event_set_doca_buf(event, other), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_mmap_create(&read_only));
    CHECK_OK(doca_mmap_set_memrange(read_only, memory, sizeof(memory)));
    CHECK_OK(doca_mmap_set_permissions(read_only, DOCA_ACCESS_FLAG_LOCAL_READ_ONLY));
    CHECK_OK(doca_mmap_start(read_only));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, read_only, memory, 8, &other));
    CHECK_RC(doca_sync_event_set_doca_buf(event, other), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_buf_dec_refcount(other, NULL));
    CHECK_OK(doca_mmap_destroy(read_only));

    CHECK_OK(doca_sync_event_set_doca_buf(event, buf));
    CHECK_OK(doca_sync_event_start(event));
    CHECK_RC(doca_sync_event_set_doca_buf(event, buf), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_sync_event_get(event, &got));
    CHECK_EQ(got, 5);
    CHECK_OK(doca_sync_event_update_add(event, 2, &got));
    memcpy(&value, rig_to + 8, sizeof(value));
    CHECK_EQ(value, 7);
    CHECK_OK(doca_sync_event_wait_eq(event, 7, UINT64_MAX));
    CHECK_OK(doca_sync_event_destroy(event));
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    rig_close(&r);
}

/* ---- mmap advise ---- */

typedef struct doca_mmap_advise_task_invalidate_cache advise_task;

#define AS_TASK doca_mmap_advise_task_invalidate_cache_as_doca_task

static unsigned advise_oks, advise_failures;

static void advise_ok(advise_task *task, union doca_data data, union doca_data ctx_data)
{
    CHECK_EQ(data.u64, 5);
    CHECK_EQ(ctx_data.u64, 6);
    CHECK_OK(doca_task_get_status(AS_TASK(task)));
    advise_oks++;
}

static void advise_failed(advise_task *task, union doca_data data, union doca_data ctx_data)
{
    (void)data;
    (void)ctx_data;
    wait_status = doca_task_get_status(AS_TASK(task));
    advise_failures++;
}

static void tasks_invalidate_caches(void)
{
    struct doca_mmap_advise *advise;
    struct doca_ctx *ctx;
    struct doca_buf *buf;
    advise_task *task, *none = NULL;
    union doca_data data = { .u64 = 5 };
    uint64_t max = 0;
    struct rig r;

    advise_oks = advise_failures = 0;
    rig_open(&r, 1);
    CHECK_OK(doca_mmap_advise_cap_task_cache_invalidate_is_supported(doca_dev_as_devinfo(r.dev)));
    CHECK_OK(doca_mmap_advise_task_cache_invalidate_get_max_buf_size(doca_dev_as_devinfo(r.dev),
                                                                     &max));
    CHECK(max >= 1u << 30); /* the default profile has this limit */
    if (test_other() == NULL && getenv("DOCA_CORE_SW_PROFILE") == NULL)
        CHECK_EQ(max, 1u << 30);
    CHECK_OK(doca_mmap_advise_create(r.dev, &advise));
    ctx = doca_mmap_advise_as_ctx(advise);
    CHECK_OK(doca_ctx_set_user_data(ctx, (union doca_data){ .u64 = 6 }));
    CHECK_OK(doca_pe_connect_ctx(r.pe, ctx));
    CHECK_RC(doca_ctx_start(ctx), DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_ok, advise_failed, 1));
    CHECK_RC(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, NULL, data, &none),
             DOCA_ERROR_BAD_STATE);
    CHECK_OK(doca_ctx_start(ctx));
    CHECK_RC(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_ok, advise_failed, 1),
             DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, NULL, data, &task));
    CHECK_RC(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, NULL, data, &none),
             DOCA_ERROR_NO_MEMORY);
    CHECK_PTR(none, NULL);
    CHECK_PTR(doca_mmap_advise_task_invalidate_cache_get_buf(task), NULL);
    CHECK_RC(doca_task_submit(AS_TASK(task)), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_task_try_submit(AS_TASK(task)), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_task_submit_ex(AS_TASK(task), 0), DOCA_ERROR_INVALID_VALUE);

    buf = rig_dst(&r, 0, 4096);
    doca_mmap_advise_task_invalidate_cache_set_buf(task, buf);
    CHECK_PTR(doca_mmap_advise_task_invalidate_cache_get_buf(task), buf);
    CHECK_OK(doca_task_try_submit(AS_TASK(task)));
    CHECK_EQ(rig_inflight(ctx), 1);
    doca_mmap_advise_task_invalidate_cache_set_buf(task, NULL); /* in flight, so no effect */
    while (doca_pe_progress(r.pe))
        continue;
    CHECK_EQ(advise_oks, 1);
    CHECK_OK(doca_task_submit_ex(AS_TASK(task), 0)); /* without FLUSH, as in other contexts */
    CHECK_EQ(doca_pe_progress(r.pe), 0);
    doca_ctx_flush_tasks(ctx);
    while (doca_pe_progress(r.pe))
        continue;
    CHECK_EQ(advise_oks, 2);

    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    if (DOCA_CORE_CHECK < 2) {
        CHECK_OK(doca_task_submit(AS_TASK(task)));
        while (doca_pe_progress(r.pe))
            continue;
        CHECK_EQ(advise_failures, 1);
        CHECK_EQ(wait_status, DOCA_ERROR_IO_FAILED);
    }
    CHECK_RC(doca_task_try_submit(AS_TASK(task)), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(rig_state(ctx), DOCA_CTX_STATE_RUNNING);
    buf = rig_dst(&r, 0, 64);
    doca_mmap_advise_task_invalidate_cache_set_buf(task, buf);
    CHECK_OK(doca_task_submit(AS_TASK(task)));
    CHECK_RC(doca_ctx_stop(ctx), DOCA_ERROR_IN_PROGRESS);
    while (doca_pe_progress(r.pe))
        continue;
    CHECK_EQ(wait_status, DOCA_ERROR_SHUTDOWN);
    CHECK_RC(doca_mmap_advise_destroy(advise), DOCA_ERROR_IN_USE);
    doca_task_free(AS_TASK(task));
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    CHECK_OK(doca_mmap_advise_destroy(advise));
    rig_close(&r);
}

static struct doca_task_batch *failed_batch;

static void advise_batch_ok(struct doca_task_batch *batch, uint16_t num_tasks,
                            union doca_data data, union doca_data ctx_data)
{
    (void)batch;
    (void)num_tasks;
    (void)data;
    (void)ctx_data;
    batch_oks++;
}

static void advise_batch_failed(struct doca_task_batch *batch, uint16_t num_tasks,
                                union doca_data data, union doca_data ctx_data)
{
    (void)data;
    (void)ctx_data;
    CHECK_EQ(num_tasks, 3);
    failed_batch = batch;
}

/* A batch with one failed task, in a context that continues after the failure. */
static void batch_with_one_failed_task_fails(void)
{
    static const doca_error_t want[3] = { DOCA_SUCCESS, DOCA_ERROR_IO_FAILED, DOCA_SUCCESS };
    struct doca_mmap_advise *advise;
    struct doca_task_batch *batch;
    union doca_data none = { 0 };
    struct doca_buf *bufs[3];
    struct doca_ctx *ctx;
    advise_task *task;
    struct rig r;
    uint16_t i;

    if (DOCA_CORE_CHECK >= 2)
        test_skip("at this check level submit reports the error");
    rig_open(&r, 1);
    batch_oks = 0;
    failed_batch = NULL;
    CHECK_OK(doca_mmap_advise_create(r.dev, &advise));
    ctx = doca_mmap_advise_as_ctx(advise);
    CHECK_OK(doca_pe_connect_ctx(r.pe, ctx));
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_ok, advise_failed, 3));
    CHECK_OK(doca_core_ctx_set_task_batch_conf(ctx, BATCH_16, 1, advise_batch_ok,
                                               advise_batch_failed));
    CHECK_OK(doca_ctx_start(ctx));
    CHECK_OK(doca_core_task_batch_alloc_init(ctx, none, &batch));
    for (i = 0; i < 3; i++) {
        bufs[i] = rig_dst(&r, 64 * i, 64);
        CHECK_OK(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, bufs[i], none, &task));
        CHECK_OK(doca_core_task_batch_add(batch, AS_TASK(task)));
    }
    CHECK_OK(doca_buf_dec_refcount(bufs[1], NULL));
    CHECK_RC(doca_task_batch_try_submit(batch), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_task_batch_submit(batch));
    while (doca_pe_progress(r.pe))
        continue;
    CHECK_PTR(failed_batch, batch);
    CHECK_EQ(batch_oks, 0);
    CHECK_RC(doca_task_batch_get_status(batch), DOCA_ERROR_IO_FAILED);
    for (i = 0; i < 3; i++)
        CHECK_RC(doca_task_get_status(doca_core_task_batch_get_task(batch, i)), want[i]);
    bufs[1] = rig_dst(&r, 64, 64);
    doca_mmap_advise_task_invalidate_cache_set_buf(
        (advise_task *)(void *)doca_core_task_batch_get_task(batch, 1), bufs[1]);
    CHECK_OK(doca_task_batch_submit(batch)); /* succeeds without the wrong task */
    while (doca_pe_progress(r.pe))
        continue;
    CHECK_EQ(batch_oks, 1);
    CHECK_OK(doca_task_batch_get_status(batch));
    doca_task_batch_free(batch);
    for (i = 0; i < 3; i++)
        CHECK_OK(doca_buf_dec_refcount(bufs[i], NULL));
    CHECK_OK(doca_mmap_advise_destroy(advise));
    rig_close(&r);
}

/* The capability query reports the largest buffer: one byte more is refused. */
static void advise_beyond_the_largest_buffer_is_refused(void)
{
    struct doca_mmap_advise *advise;
    struct doca_buf *buf;
    struct doca_mmap *map;
    advise_task *task;
    uint64_t max = 0;
    struct rig r;
    void *at;

    advise_oks = advise_failures = 0;
    rig_open(&r, 1);
    CHECK_OK(doca_mmap_advise_task_cache_invalidate_get_max_buf_size(doca_dev_as_devinfo(r.dev),
                                                                     &max));
    at = max > SIZE_MAX / 4 ? MAP_FAILED
                            : mmap(NULL, (size_t)max + 1, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) {
        rig_close(&r);
        test_skip("the address space has no room for such a large mapping");
    }
    map = rig_map(r.dev, at, (size_t)max + 1);
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(r.inventory, map, at, (size_t)max + 1, &buf));
    CHECK_OK(doca_mmap_advise_create(r.dev, &advise));
    CHECK_OK(doca_ctx_set_user_data(doca_mmap_advise_as_ctx(advise),
                                    (union doca_data){ .u64 = 6 }));
    CHECK_OK(doca_pe_connect_ctx(r.pe, doca_mmap_advise_as_ctx(advise)));
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_ok, advise_failed, 1));
    CHECK_OK(doca_ctx_start(doca_mmap_advise_as_ctx(advise)));
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_alloc_init(
        advise, buf, (union doca_data){ .u64 = 5 }, &task));
    CHECK_RC(doca_task_try_submit(AS_TASK(task)), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_TASK_TOO_LARGE);
    CHECK_OK(doca_buf_inventory_buf_reuse_by_addr(buf, at, (size_t)max));
    CHECK_OK(doca_task_try_submit(AS_TASK(task)));
    while (doca_pe_progress(r.pe))
        continue;
    CHECK(advise_oks == 1 && advise_failures == 0);
    doca_task_free(AS_TASK(task));
    CHECK_OK(doca_buf_dec_refcount(buf, NULL));
    CHECK_OK(doca_mmap_advise_destroy(advise));
    CHECK_OK(doca_mmap_destroy(map));
    CHECK_EQ(munmap(at, (size_t)max + 1), 0);
    rig_close(&r);
}

static void wrong_advise_tasks_and_arguments_are_refused(void)
{
    static DOCA_CORE_ALIGNED unsigned char mem[DOCA_CORE_BYTES_MMAP_ADVISE(3)];
    struct doca_dev *dev = rig_open_dev(NULL);
    struct doca_mmap_advise *advise = NULL;
    union doca_data none = { 0 };
    advise_task *task = NULL;
    struct doca_core_arena arena;
    size_t bytes = 0, used;
    struct doca_pe *pe;
    uint64_t max;

    CHECK_RC(doca_mmap_advise_create(NULL, &advise), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_advise_create(dev, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_advise_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(doca_mmap_advise_as_ctx(NULL), NULL);
    CHECK_PTR(AS_TASK(NULL), NULL);
    CHECK_PTR(doca_mmap_advise_task_invalidate_cache_get_buf(NULL), NULL);
    doca_mmap_advise_task_invalidate_cache_set_buf(NULL, NULL);
    CHECK_RC(doca_mmap_advise_cap_task_cache_invalidate_is_supported(NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_advise_task_cache_invalidate_get_max_buf_size(NULL, &max),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_advise_task_cache_invalidate_get_max_buf_size(doca_dev_as_devinfo(dev),
                                                                     NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_mmap_advise(3, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_core_bytes_mmap_advise(3, &bytes));
    CHECK_EQ(bytes, sizeof(mem));

    CHECK_OK(doca_core_arena_init(&arena, mem, sizeof(mem)));
    CHECK_RC(doca_core_mmap_advise_create_in(NULL, dev, &advise), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_mmap_advise_create_in(&arena, dev, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_advise_task_invalidate_cache_alloc_init(NULL, NULL, none, &task),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(advise, NULL);
    CHECK_PTR(task, NULL);
    CHECK_OK(doca_core_mmap_advise_create_in(&arena, dev, &advise));
    CHECK_RC(doca_mmap_advise_task_invalidate_cache_set_conf(advise, NULL, advise_failed, 3),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_ok, NULL, 3),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_ok, advise_failed, 0),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_ok, advise_failed, 4));
    CHECK_OK(doca_pe_create(&pe));
    CHECK_OK(doca_pe_connect_ctx(pe, doca_mmap_advise_as_ctx(advise)));
    CHECK_RC(doca_ctx_start(doca_mmap_advise_as_ctx(advise)), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_mmap_advise_task_invalidate_cache_set_conf(advise, advise_ok, advise_failed, 3));
    CHECK_OK(doca_ctx_start(doca_mmap_advise_as_ctx(advise)));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, sizeof(mem));
    CHECK_RC(doca_mmap_advise_task_invalidate_cache_alloc_init(advise, NULL, none, NULL),
             DOCA_ERROR_INVALID_VALUE);
    if (DOCA_CORE_CHECK >= 1)
        CHECK_PTR(doca_mmap_advise_task_invalidate_cache_get_buf((advise_task *)(void *)dev), NULL);
    CHECK_RC(doca_ctx_set_completion_vector(doca_mmap_advise_as_ctx(advise), 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK(strstr(doca_core_last_error(), "mmap advise 0x") != NULL); /* with object and state */
    CHECK(strstr(doca_core_last_error(), "(running)") != NULL);
    CHECK_OK(doca_mmap_advise_destroy(advise));
    CHECK_OK(doca_pe_destroy(pe));
    CHECK_OK(doca_dev_close(dev));
}

static const struct test_case cases[] = {
    CASE_OF_SW(device_reports_its_type_and_numbers, "", "the functions of its default topology"),
    CASE_OF_SW(numbers_come_from_the_device_table, "", "a table of its devices"),
    CASE_OF_SW(rate_has_the_unit_of_the_version, "", "a table of its devices"),
    CASE_OF_SW(representor_reports_its_function, "", "the functions of its default topology"),
    CASE(resource_reclaim_does_nothing, ""),
    CASE(thread_safe_mmap_reports_no_buffers, ""),
    CASE(buffers_of_a_destroyed_thread_safe_mmap_can_be_released, ""),
    CASE(lists_may_mix_buffers_of_thread_safe_and_other_mmaps, ""),
    CASE(threads_create_buffers_of_a_thread_safe_mmap, ""),
    CASE(threads_release_while_the_mmap_is_destroyed, ""),
    CASE(memory_of_a_dpa_is_not_supported, ""),
    CASE(array_of_api_3_gets_its_mmap_later, ""),
    CASE(vendor_name_calls_the_function_of_the_version, ""),
    CASE(inventory_expands, ""),
    CASE(expansion_must_be_within_16_gib, ""),
    CASE(expansion_of_an_inventory_is_not_a_valid_handle, ""),
    CASE(buffer_has_two_more_setters, ""),
    CASE(context_has_one_completion_vector, ""),
    CASE(old_and_new_names_of_sha_are_equivalent, ""),
    CASE(kept_task_waits_for_a_flush, ""),
    CASE(submit_with_flush_hands_over_all_tasks, ""),
    CASE(submit_ex_refuses_what_submit_refuses, ""),
    CASE(stop_flushes_tasks_submitted_without_flush, ""),
    CASE(failed_task_fails_tasks_submitted_without_flush, ""),
    CASE(full_queue_loses_no_task_submitted_without_flush, ""),
    CASE(task_submitted_without_flush_fails_if_post_fails, ""),
    CASE(end_of_tasks_submitted_without_flush_wakes, ""),
    CASE(task_submitted_without_flush_does_not_wake, ""),
    CASE(request_wakes_for_tasks_that_waited_for_room, ""),
    CASE(graph_node_after_tasks_without_flush_wakes, ""),
    CASE(handle_that_disarms_itself_needs_no_clear, ""),
    CASE(mode_that_disarms_applies_to_earlier_signals, ""),
    CASE(device_wakes_a_pe_that_disarms_itself, ""),
    CASE(clear_disarms_in_either_mode, ""),
    CASE(event_numbers_are_right_for_the_version, ""),
    CASE(batch_is_reported_once, ""),
    CASE(task_of_a_batch_belongs_to_the_batch, ""),
    CASE(wrong_batches_and_tasks_are_refused, ""),
    CASE(batch_fails_with_its_first_failure, ""),
    CASE(stop_ends_a_batch, ""),
    CASE(batch_is_submitted_and_freed_in_its_callback, ""),
    CASE(batch_waits_for_room_in_the_queue, ""),
    CASE(hashes_come_in_batches_as_well, ""),
    CASE(batches_take_the_documented_bytes, ""),
    CASE(wait_ends_with_its_condition, ""),
    CASE(waiting_tasks_end_with_their_conditions, ""),
    CASE(wait_conf_is_checked, ""),
    CASE(both_types_of_wait_tasks_wake_a_sleeping_program, ""),
    CASE(remote_pci_is_the_dpu, ""),
    CASE(wait_ends_when_the_exporter_has_ended, ""),
    CASE(event_has_no_handle_on_processors, ""),
    CASE(value_of_an_event_can_be_in_a_buffer, ""),
    CASE(tasks_invalidate_caches, ""),
    CASE(batch_with_one_failed_task_fails, ""),
    CASE_OF_SW(advise_beyond_the_largest_buffer_is_refused, "", "that it does not pin memory"),
    CASE(wrong_advise_tasks_and_arguments_are_refused, ""),
};

TEST_MAIN(cases)
