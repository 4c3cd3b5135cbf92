/* Functions that versions after 2.5.1 added, for devices, inventories, buffers, contexts and
 * progress engines. This file is compiled for both values of DOCA_CORE_API. The program for 3.x is
 * linked with an implementation that was built for 2.5.1, because one library serves programs of
 * both versions. */
#include "held_backend.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>

#if DOCA_CORE_API >= 30000
#define API_IS_3 1
#else
#define API_IS_3 0
#endif

static DOCA_CORE_ALIGNED unsigned char memory[4096];

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

static const struct test_case cases[] = {
    CASE_OF_SW(device_reports_its_type_and_numbers, "", "the functions of its default topology"),
    CASE_OF_SW(numbers_come_from_the_device_table, "", "a table of its devices"),
    CASE_OF_SW(rate_has_the_unit_of_the_version, "", "a table of its devices"),
    CASE_OF_SW(representor_reports_its_function, "", "the functions of its default topology"),
    CASE(resource_reclaim_does_nothing, ""),
    CASE(vendor_name_calls_the_function_of_the_version, ""),
    CASE(inventory_expands, ""),
    CASE(expansion_must_be_within_16_gib, ""),
    CASE(expansion_of_an_inventory_is_not_a_valid_handle, ""),
    CASE(buffer_has_two_more_setters, ""),
    CASE(context_has_one_completion_vector, ""),
    CASE(old_and_new_names_of_sha_are_equivalent, ""),
    CASE(handle_that_disarms_itself_needs_no_clear, ""),
    CASE(mode_that_disarms_applies_to_earlier_signals, ""),
    CASE(device_wakes_a_pe_that_disarms_itself, ""),
    CASE(clear_disarms_in_either_mode, ""),
    CASE(event_numbers_are_right_for_the_version, ""),
};

TEST_MAIN(cases)
