/* What versions after 2.5.1 added. The file is compiled for either DOCA_CORE_API, and the one for
 * 3.x runs with an implementation that was built for 2.5.1: a library serves both. */
#include "held_backend.h"

#if DOCA_CORE_API >= 30000
#define API_IS_3 1
#else
#define API_IS_3 0
#endif

static DOCA_CORE_ALIGNED unsigned char memory[4096];
static int anything; /* stands for a DPA or a GPU, which nobody looks into */

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

static void device_says_what_it_is(void)
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

static void rate_is_in_the_unit_of_its_version(void)
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

    held_begin(); /* its backend does not know */
    CHECK_OK(doca_devinfo_create_list(&list, &num));
    rate = 7;
    CHECK_RC(doca_devinfo_get_active_rate(find_ib(list, num, "held_0", HELD_DMA), &rate),
             DOCA_ERROR_DRIVER);
    CHECK(rate > 6 && rate < 8);
    CHECK_OK(doca_devinfo_destroy_list(list));
    held_end();
}

static void representor_says_what_it_stands_for(void)
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
        if (strcmp(iface, "p0s0") == 0) { /* a function has one number, wherever one looks */
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

static void device_has_nothing_to_hasten(void)
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

static void uncounted_mmap_ends_with_buffers(void)
{
    struct doca_buf *src, *dst;
    struct doca_mmap *mmap;
    struct rig r;
    uint32_t num;

    rig_open(&r, 2);
    mmap = r.src_map;
    CHECK_RC(doca_mmap_enable_thread_safety(mmap), DOCA_ERROR_NOT_PERMITTED);
    CHECK_RC(doca_mmap_enable_thread_safety(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_stop(mmap));
    CHECK_OK(doca_mmap_enable_thread_safety(mmap));
    CHECK_OK(doca_mmap_enable_thread_safety(mmap));
    CHECK_OK(doca_mmap_start(mmap));
    src = rig_src(&r, 0, 64);
    dst = rig_dst(&r, 0, 64);
    CHECK_OK(doca_mmap_get_num_bufs(mmap, &num));
    CHECK_EQ(num, 0);
    CHECK_OK(rig_submit(rig_task(r.dma, src, dst)));
    r.frees_tasks = true;
    rig_drain(&r);
    CHECK_EQ(r.num_ok, 1);
    CHECK(memcmp(rig_from, rig_to, 64) == 0);

    src = rig_src(&r, 0, 64);
    CHECK_OK(doca_mmap_stop(mmap));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    src = rig_dst(&r, 0, 64); /* the other one counts, as ever */
    CHECK_RC(doca_mmap_stop(r.dst_map), DOCA_ERROR_NOT_PERMITTED);
    CHECK_OK(doca_buf_dec_refcount(src, NULL));
    rig_close(&r);
}

static void buffer_outlives_an_uncounted_mmap(void)
{
    static DOCA_CORE_ALIGNED unsigned char mem[DOCA_CORE_BYTES_MMAP(1)];
    struct doca_core_arena arena;
    struct doca_dma_task_memcpy *task;
    struct doca_mmap *mmap;
    struct doca_buf *buf;
    size_t used;
    struct rig r;

    rig_open(&r, 1);
    CHECK_OK(doca_core_arena_init(&arena, mem, sizeof(mem)));
    CHECK_OK(doca_core_mmap_create_in(&arena, &mmap));
    CHECK_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
    CHECK_OK(doca_mmap_add_dev(mmap, r.dev));
    CHECK_OK(doca_mmap_enable_thread_safety(mmap));
    CHECK_OK(doca_mmap_start(mmap));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(r.inventory, mmap, memory, 64, &buf));
    CHECK_OK(doca_mmap_destroy(mmap));
    if (DOCA_CORE_CHECK >= 1)
        CHECK_RC(doca_mmap_stop(mmap), DOCA_ERROR_INVALID_VALUE);
    task = rig_task(r.dma, buf, rig_dst(&r, 0, 64)); /* no device follows it */
    if (rig_submit(task) == DOCA_SUCCESS) {
        rig_drain(&r);
        CHECK_EQ(r.num_failed, 1);
    }
    rig_release(task);
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, DOCA_CORE_BYTES_MMAP(1)); /* never given to anybody else */
    CHECK_OK(doca_core_arena_audit(&arena));
    rig_close(&r);
}

static void there_is_no_memory_of_a_dpa(void)
{
    struct doca_dev *dev = rig_open_dev(NULL), *other = rig_open_dev("03:00.1");
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

static void array_of_3_names_its_mmap_late(void)
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
    CHECK_RC(doca_core_v3_buf_arr_set_params(array, mmap, 64, 0), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_core_v3_buf_arr_get_dpa_handle(array, &handle), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(handle, 7);
    CHECK_OK(doca_buf_arr_destroy(array));
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_OK(doca_mmap_destroy(bare));
}

/* The same source text means the one function here and the other one there. */
static void vendor_name_means_the_version_of_the_api(void)
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

static void context_has_one_vector(void)
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

static void older_and_newer_names_of_sha_agree(void)
{
    struct doca_dev *dev = rig_open_dev(NULL);
    const struct doca_devinfo *info = doca_dev_as_devinfo(dev);
    uint64_t max = 0, max_older = 1;
    uint32_t min = 0, min_older = 1;

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

static const struct test_case cases[] = {
    CASE(device_says_what_it_is, ""),
    CASE(rate_is_in_the_unit_of_its_version, ""),
    CASE(representor_says_what_it_stands_for, ""),
    CASE(device_has_nothing_to_hasten, ""),
    CASE(uncounted_mmap_ends_with_buffers, ""),
    CASE(buffer_outlives_an_uncounted_mmap, ""),
    CASE(there_is_no_memory_of_a_dpa, ""),
    CASE(array_of_3_names_its_mmap_late, ""),
    CASE(vendor_name_means_the_version_of_the_api, ""),
    CASE(context_has_one_vector, ""),
    CASE(older_and_newer_names_of_sha_agree, ""),
};

TEST_MAIN(cases)
