/* Error codes, their names and texts, the macros around them, and the scalar types. */
#include "doca_test.h"

#include <limits.h>

static const char fallback[] = "unrecognized error code";

/* The codes in the order of the 2.5.1 reference, then the codes of later API versions. */
#define CODE(enumerator)                                                                           \
    {                                                                                              \
        enumerator, #enumerator                                                                    \
    }
static const struct {
    doca_error_t code;
    const char *name;
} codes[] = {
    CODE(DOCA_SUCCESS),
    CODE(DOCA_ERROR_UNKNOWN),
    CODE(DOCA_ERROR_NOT_PERMITTED),
    CODE(DOCA_ERROR_IN_USE),
    CODE(DOCA_ERROR_NOT_SUPPORTED),
    CODE(DOCA_ERROR_AGAIN),
    CODE(DOCA_ERROR_INVALID_VALUE),
    CODE(DOCA_ERROR_NO_MEMORY),
    CODE(DOCA_ERROR_INITIALIZATION),
    CODE(DOCA_ERROR_TIME_OUT),
    CODE(DOCA_ERROR_SHUTDOWN),
    CODE(DOCA_ERROR_CONNECTION_RESET),
    CODE(DOCA_ERROR_CONNECTION_ABORTED),
    CODE(DOCA_ERROR_CONNECTION_INPROGRESS),
    CODE(DOCA_ERROR_NOT_CONNECTED),
    CODE(DOCA_ERROR_NO_LOCK),
    CODE(DOCA_ERROR_NOT_FOUND),
    CODE(DOCA_ERROR_IO_FAILED),
    CODE(DOCA_ERROR_BAD_STATE),
    CODE(DOCA_ERROR_UNSUPPORTED_VERSION),
    CODE(DOCA_ERROR_OPERATING_SYSTEM),
    CODE(DOCA_ERROR_DRIVER),
    CODE(DOCA_ERROR_UNEXPECTED),
    CODE(DOCA_ERROR_ALREADY_EXIST),
    CODE(DOCA_ERROR_FULL),
    CODE(DOCA_ERROR_EMPTY),
    CODE(DOCA_ERROR_IN_PROGRESS),
    CODE(DOCA_ERROR_TOO_BIG),
    CODE(DOCA_ERROR_AUTHENTICATION),
    CODE(DOCA_ERROR_BAD_CONFIG),
    CODE(DOCA_ERROR_SKIPPED),
    CODE(DOCA_ERROR_DEVICE_FATAL_ERROR),
};
#define NUM_CODES (sizeof(codes) / sizeof(codes[0]))

static const int unknown_codes[] = { -1, INT_MIN, (int)NUM_CODES, 100, 255, 256, INT_MAX };
#define NUM_UNKNOWN (sizeof(unknown_codes) / sizeof(unknown_codes[0]))

static void codes_have_the_order_of_the_reference(void)
{
    size_t i;

    CHECK_EQ(DOCA_SUCCESS, 0);
    CHECK_EQ(DOCA_ERROR_TOO_BIG, 27);
    for (i = 0; i < NUM_CODES; i++)
        CHECK_EQ(codes[i].code, i);
}

static void name_is_the_enumerator(void)
{
    size_t i;

    for (i = 0; i < NUM_CODES; i++)
        CHECK_STR(doca_error_get_name(codes[i].code), codes[i].name);
    for (i = 0; i < NUM_UNKNOWN; i++)
        CHECK_STR(doca_error_get_name((doca_error_t)unknown_codes[i]), fallback);
}

static void every_code_has_its_own_description(void)
{
    size_t i, k;

    for (i = 0; i < NUM_CODES; i++) {
        const char *descr = doca_error_get_descr(codes[i].code);

        CHECK(descr != NULL && descr[0] != '\0');
        CHECK(strcmp(descr, fallback) != 0 && strcmp(descr, codes[i].name) != 0);
        for (k = 0; k < i; k++)
            CHECK(strcmp(descr, doca_error_get_descr(codes[k].code)) != 0);
    }
    for (i = 0; i < NUM_UNKNOWN; i++)
        CHECK_STR(doca_error_get_descr((doca_error_t)unknown_codes[i]), fallback);
}

/* Codes that later versions added have names and texts. */
static void later_codes_have_names_and_texts(void)
{
    CHECK_EQ(DOCA_ERROR_AUTHENTICATION, 28);
    CHECK_EQ(DOCA_ERROR_BAD_CONFIG, 29);
    CHECK_EQ(DOCA_ERROR_SKIPPED, 30);
    CHECK_EQ(DOCA_ERROR_DEVICE_FATAL_ERROR, 31);
    CHECK_STR(doca_error_get_name(DOCA_ERROR_SKIPPED), "DOCA_ERROR_SKIPPED");
    CHECK(strcmp(doca_error_get_descr(DOCA_ERROR_SKIPPED), fallback) != 0);
}

static void propagate_keeps_the_first_error(void)
{
    static const struct {
        doca_error_t held, next, want;
    } steps[] = {
        { DOCA_SUCCESS, DOCA_SUCCESS, DOCA_SUCCESS },
        { DOCA_SUCCESS, DOCA_ERROR_AGAIN, DOCA_ERROR_AGAIN },
        { DOCA_ERROR_AGAIN, DOCA_ERROR_DRIVER, DOCA_ERROR_AGAIN },
        { DOCA_ERROR_AGAIN, DOCA_SUCCESS, DOCA_ERROR_AGAIN },
    };
    doca_error_t held;
    size_t i;

    for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        held = steps[i].held;
        DOCA_ERROR_PROPAGATE(held, steps[i].next);
        CHECK_RC(held, steps[i].want);
    }
    held = DOCA_SUCCESS;
    if (held == DOCA_SUCCESS) /* the macro must be a single statement, which needs no braces */
        DOCA_ERROR_PROPAGATE(held, DOCA_ERROR_FULL);
    else
        held = DOCA_ERROR_UNEXPECTED;
    CHECK_RC(held, DOCA_ERROR_FULL);
}

static void is_error_is_true_for_all_but_success(void)
{
    size_t i;

    CHECK(!DOCA_IS_ERROR(DOCA_SUCCESS));
    for (i = 1; i < NUM_CODES; i++)
        CHECK(DOCA_IS_ERROR(codes[i].code));
    CHECK(doca_likely(2 > 1) && !doca_unlikely(2 < 1));
}

/* Check that a call with NULL arguments returns INVALID_VALUE and logs NULL_ARGUMENT. */
#define REFUSED(call)                                                                              \
    do {                                                                                           \
        CHECK_RC(call, DOCA_ERROR_INVALID_VALUE);                                                  \
        if (doca_core_last_item() != DOCA_CORE_ITEM_NULL_ARGUMENT)                                 \
            test_fail(__FILE__, __LINE__, "%s logs item %d", #call, (int)doca_core_last_item());   \
    } while (0)

static void set_up_calls_refuse_null(void)
{
    union doca_data data = { 0 };
    size_t bytes;

    REFUSED(doca_core_arena_init(NULL, NULL, 0));
    REFUSED(doca_core_arena_take(NULL, 1, NULL));
    REFUSED(doca_core_arena_give(NULL, &bytes));
    REFUSED(doca_core_arena_query(NULL, NULL, NULL, NULL));
    REFUSED(doca_core_arena_audit(NULL));

    REFUSED(doca_core_bytes_devinfo_list(1, NULL));
    REFUSED(doca_core_bytes_dev(NULL));
    REFUSED(doca_core_bytes_devinfo_rep_list(1, NULL));
    REFUSED(doca_core_bytes_dev_rep(NULL));
    REFUSED(doca_core_bytes_mmap(NULL));
    REFUSED(doca_core_bytes_mmap_devs(1, NULL));
    REFUSED(doca_core_bytes_buf_inventory(1, NULL));
    REFUSED(doca_core_bytes_buf_pool(1, NULL));
    REFUSED(doca_core_bytes_pe(NULL));
    REFUSED(doca_core_bytes_dma(NULL, 1, &bytes));

    REFUSED(doca_devinfo_create_list(NULL, NULL));
    REFUSED(doca_core_devinfo_create_list_in(NULL, NULL, NULL));
    REFUSED(doca_devinfo_destroy_list(NULL));
    REFUSED(doca_devinfo_get_pci_addr_str(NULL, NULL));
    REFUSED(doca_devinfo_is_equal_pci_addr(NULL, NULL, NULL));
    REFUSED(doca_devinfo_get_ibdev_name(NULL, NULL, 0));
    REFUSED(doca_devinfo_get_iface_name(NULL, NULL, 0));
    REFUSED(doca_devinfo_get_ipv4_addr(NULL, NULL, 0));
    REFUSED(doca_devinfo_get_ipv6_addr(NULL, NULL, 0));
    REFUSED(doca_devinfo_get_mac_addr(NULL, NULL, 0));
    REFUSED(doca_devinfo_get_lid(NULL, NULL));
    REFUSED(doca_devinfo_cap_is_hotplug_manager_supported(NULL, NULL));
    REFUSED(doca_dev_open(NULL, NULL));

    REFUSED(doca_devinfo_rep_create_list(NULL, 0, NULL, NULL));
    REFUSED(doca_devinfo_rep_destroy_list(NULL));
    REFUSED(doca_devinfo_rep_cap_is_filter_all_supported(NULL, NULL));
    REFUSED(doca_devinfo_rep_cap_is_filter_net_supported(NULL, NULL));
    REFUSED(doca_devinfo_rep_cap_is_filter_emulated_supported(NULL, NULL));
    REFUSED(doca_devinfo_rep_get_is_hotplug(NULL, NULL));
    REFUSED(doca_devinfo_rep_get_pci_addr_str(NULL, NULL));
    REFUSED(doca_devinfo_rep_get_pci_func_type(NULL, NULL));
    REFUSED(doca_devinfo_rep_get_vuid(NULL, NULL, 0));
    REFUSED(doca_devinfo_rep_is_equal_pci_addr(NULL, NULL, NULL));
    REFUSED(doca_dev_rep_open(NULL, NULL));
    REFUSED(doca_dev_rep_close(NULL));

    REFUSED(doca_mmap_create(NULL));
    REFUSED(doca_core_mmap_create_in(NULL, NULL));
    REFUSED(doca_mmap_destroy(NULL));
    REFUSED(doca_mmap_start(NULL));
    REFUSED(doca_mmap_stop(NULL));
    REFUSED(doca_mmap_add_dev(NULL, NULL));
    REFUSED(doca_mmap_rm_dev(NULL, NULL));
    REFUSED(doca_mmap_set_memrange(NULL, NULL, 0));
    REFUSED(doca_mmap_set_dmabuf_memrange(NULL, 0, NULL, 0, 0));
    REFUSED(doca_mmap_set_permissions(NULL, 0));
    REFUSED(doca_mmap_set_max_num_devices(NULL, 1));
    REFUSED(doca_mmap_set_free_cb(NULL, NULL, NULL));
    REFUSED(doca_mmap_set_user_data(NULL, data));
    REFUSED(doca_mmap_get_memrange(NULL, NULL, NULL));
    REFUSED(doca_mmap_get_max_num_devices(NULL, NULL));
    REFUSED(doca_mmap_get_num_bufs(NULL, NULL));
    REFUSED(doca_mmap_get_user_data(NULL, NULL));
    REFUSED(doca_mmap_get_exported(NULL, NULL));
    REFUSED(doca_mmap_get_from_export(NULL, NULL));
    REFUSED(doca_mmap_cap_is_export_pci_supported(NULL, NULL));
    REFUSED(doca_mmap_cap_is_create_from_export_pci_supported(NULL, NULL));
    REFUSED(doca_mmap_export_pci(NULL, NULL, NULL, NULL));
    REFUSED(doca_mmap_export_rdma(NULL, NULL, NULL, NULL));
    REFUSED(doca_mmap_create_from_export(NULL, NULL, 0, NULL, NULL));

    REFUSED(doca_core_sw_profile(NULL, NULL));
    REFUSED(doca_core_sw_set_profile(NULL));
    REFUSED(doca_core_sw_set_devices(NULL, 1));
    REFUSED(doca_core_backend_register(NULL));
    REFUSED(doca_core_backend_unregister(NULL));
}

static void data_path_calls_refuse_null(void)
{
    union doca_data data = { 0 };

    REFUSED(doca_buf_get_head(NULL, NULL));
    REFUSED(doca_buf_get_len(NULL, NULL));
    REFUSED(doca_buf_get_data(NULL, NULL));
    REFUSED(doca_buf_get_data_len(NULL, NULL));
    REFUSED(doca_buf_get_refcount(NULL, NULL));
    REFUSED(doca_buf_set_data(NULL, NULL, 0));
    REFUSED(doca_buf_reset_data_len(NULL));
    REFUSED(doca_buf_inc_refcount(NULL, NULL));
    REFUSED(doca_buf_chain_list(NULL, NULL));
    REFUSED(doca_buf_unchain_list(NULL, NULL));
    REFUSED(doca_buf_get_next_in_list(NULL, NULL));
    REFUSED(doca_buf_get_last_in_list(NULL, NULL));
    REFUSED(doca_buf_get_list_len(NULL, NULL));
    REFUSED(doca_buf_is_first_in_list(NULL, NULL));
    REFUSED(doca_buf_is_last_in_list(NULL, NULL));
    REFUSED(doca_buf_is_in_list(NULL, NULL));

    REFUSED(doca_buf_inventory_create(1, NULL));
    REFUSED(doca_core_buf_inventory_create_in(NULL, 1, NULL));
    REFUSED(doca_buf_inventory_destroy(NULL));
    REFUSED(doca_buf_inventory_start(NULL));
    REFUSED(doca_buf_inventory_stop(NULL));
    REFUSED(doca_buf_inventory_buf_get_by_addr(NULL, NULL, NULL, 1, NULL));
    REFUSED(doca_buf_inventory_buf_get_by_data(NULL, NULL, NULL, 1, NULL));
    REFUSED(doca_buf_inventory_buf_get_by_args(NULL, NULL, NULL, 1, NULL, 1, NULL));
    REFUSED(doca_buf_inventory_buf_dup(NULL, NULL, NULL));
    REFUSED(doca_buf_inventory_get_num_elements(NULL, NULL));
    REFUSED(doca_buf_inventory_get_num_free_elements(NULL, NULL));
    REFUSED(doca_buf_inventory_get_user_data(NULL, NULL));
    REFUSED(doca_buf_inventory_set_user_data(NULL, data));

    REFUSED(doca_buf_pool_create(1, 1, NULL, NULL));
    REFUSED(doca_core_buf_pool_create_in(NULL, 1, 1, NULL, NULL));
    REFUSED(doca_buf_pool_destroy(NULL));
    REFUSED(doca_buf_pool_start(NULL));
    REFUSED(doca_buf_pool_stop(NULL));
    REFUSED(doca_buf_pool_buf_alloc(NULL, NULL));
    REFUSED(doca_buf_pool_set_element_alignment(NULL, 1));
    REFUSED(doca_buf_pool_get_element_alignment(NULL, NULL));
    REFUSED(doca_buf_pool_set_user_data(NULL, data));
    REFUSED(doca_buf_pool_get_user_data(NULL, NULL));
    REFUSED(doca_buf_pool_get_num_elements(NULL, NULL));
    REFUSED(doca_buf_pool_get_num_free_elements(NULL, NULL));

    REFUSED(doca_task_submit(NULL));
    REFUSED(doca_task_try_submit(NULL));
    REFUSED(doca_ctx_start(NULL));
    REFUSED(doca_ctx_stop(NULL));
    REFUSED(doca_ctx_get_state(NULL, NULL));
    REFUSED(doca_ctx_get_num_inflight_tasks(NULL, NULL));
    REFUSED(doca_ctx_set_user_data(NULL, data));
    REFUSED(doca_ctx_get_user_data(NULL, NULL));
    REFUSED(doca_ctx_set_state_changed_cb(NULL, NULL));
    REFUSED(doca_ctx_set_datapath_on_dpa(NULL, NULL));
    REFUSED(doca_ctx_set_datapath_on_gpu(NULL, NULL));

    REFUSED(doca_pe_create(NULL));
    REFUSED(doca_core_pe_create_in(NULL, NULL));
    REFUSED(doca_pe_destroy(NULL));
    REFUSED(doca_pe_connect_ctx(NULL, NULL));
    REFUSED(doca_pe_get_num_inflight_tasks(NULL, NULL));
    REFUSED(doca_pe_get_notification_handle(NULL, NULL));
    REFUSED(doca_pe_request_notification(NULL));
    REFUSED(doca_pe_clear_notification(NULL, doca_event_invalid_handle));

    REFUSED(doca_dma_create(NULL, NULL));
    REFUSED(doca_core_dma_create_in(NULL, NULL, NULL));
    REFUSED(doca_dma_cap_task_memcpy_is_supported(NULL));
    REFUSED(doca_dma_cap_task_memcpy_get_max_buf_list_len(NULL, NULL));
    REFUSED(doca_dma_cap_task_memcpy_get_max_buf_size(NULL, NULL));
    REFUSED(doca_dma_cap_get_max_num_tasks(NULL, NULL));
    REFUSED(doca_dma_task_memcpy_set_conf(NULL, NULL, NULL, 1));
    REFUSED(doca_dma_task_memcpy_alloc_init(NULL, NULL, NULL, data, NULL));
}

static void calls_without_an_error_code_accept_null(void)
{
    union doca_data data = { 0 };

    data.u64 = 7;
    CHECK_PTR(doca_dev_as_devinfo(NULL), NULL);
    CHECK_PTR(doca_dev_rep_as_devinfo(NULL), NULL);
    CHECK_PTR(doca_dma_as_ctx(NULL), NULL);
    CHECK_PTR(doca_dma_task_memcpy_as_task(NULL), NULL);
    CHECK_PTR(doca_dma_task_memcpy_get_src(NULL), NULL);
    CHECK_PTR(doca_dma_task_memcpy_get_dst(NULL), NULL);
    doca_dma_task_memcpy_set_src(NULL, NULL);
    doca_dma_task_memcpy_set_dst(NULL, NULL);
    doca_task_free(NULL);
    doca_task_set_user_data(NULL, data);
    CHECK_EQ(doca_task_get_user_data(NULL).u64, 0);
    CHECK_PTR(doca_task_get_ctx(NULL), NULL);
    CHECK_RC(doca_task_get_status(NULL), DOCA_ERROR_INVALID_VALUE);
}

/* Calls that destroy, close or free an object, with NULL as the object. If the reference lists
 * INVALID_VALUE for the call, the call returns that and logs a line. Otherwise the call succeeds
 * and logs nothing. The table in tools/compat/README.md has the same rows. */
#define ENDS_REFUSED(call)                                                                         \
    do {                                                                                           \
        test_log_lines = 0;                                                                        \
        CHECK_RC((call), DOCA_ERROR_INVALID_VALUE);                                                \
        CHECK_EQ(test_log_lines, 1);                                                               \
    } while (0)
#define ENDS_SILENTLY(call)                                                                        \
    do {                                                                                           \
        CHECK_RC(doca_mmap_start(NULL), DOCA_ERROR_INVALID_VALUE);                                 \
        test_log_lines = 0;                                                                        \
        CHECK_OK(call);                                                                            \
        CHECK_EQ(test_log_lines, 0);                                                               \
        CHECK(strstr(doca_core_last_error(), "doca_mmap_start") != NULL);                          \
    } while (0)

static void destroy_of_null_follows_the_reference(void)
{
    uint16_t refcount = 7;

    ENDS_SILENTLY(doca_dev_close(NULL));
    ENDS_SILENTLY(doca_dma_destroy(NULL));
    ENDS_SILENTLY(doca_buf_dec_refcount(NULL, NULL));
    ENDS_SILENTLY(doca_buf_dec_refcount(NULL, &refcount));
    CHECK_EQ(refcount, 0);
    ENDS_SILENTLY(doca_dpdk_mempool_destroy(NULL));
    ENDS_SILENTLY((doca_task_free(NULL), DOCA_SUCCESS));
    ENDS_SILENTLY((doca_task_batch_free(NULL), DOCA_SUCCESS));

    ENDS_REFUSED(doca_devinfo_destroy_list(NULL));
    ENDS_REFUSED(doca_devinfo_rep_destroy_list(NULL));
    ENDS_REFUSED(doca_dev_rep_close(NULL));
    ENDS_REFUSED(doca_mmap_destroy(NULL));
    ENDS_REFUSED(doca_buf_inventory_destroy(NULL));
    ENDS_REFUSED(doca_buf_pool_destroy(NULL));
    ENDS_REFUSED(doca_buf_arr_destroy(NULL));
    ENDS_REFUSED(doca_pe_destroy(NULL));
    ENDS_REFUSED(doca_sha_destroy(NULL));
    ENDS_REFUSED(doca_mmap_advise_destroy(NULL));
    ENDS_REFUSED(doca_sync_event_destroy(NULL));
    ENDS_REFUSED(doca_sync_event_remote_net_destroy(NULL));
    ENDS_REFUSED(doca_graph_destroy(NULL));
    ENDS_REFUSED(doca_graph_instance_destroy(NULL));
}

/* Functions for features that this library does not have are declared, and return NOT_SUPPORTED. */
static void missing_features_return_not_supported(void)
{
    static char stranger[64]; /* stands for objects that cannot be created here, such as a DPA */
    struct doca_devinfo **list;
    struct doca_dev *dev;
    struct doca_dma *dma;
    uint32_t n;

    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_OK(doca_dev_open(list[0], &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_dma_create(dev, &dma));
    CHECK_RC(doca_ctx_set_datapath_on_dpa(doca_dma_as_ctx(dma), (struct doca_dpa *)stranger),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_RC(doca_ctx_set_datapath_on_gpu(doca_dma_as_ctx(dma), (struct doca_gpu *)stranger),
             DOCA_ERROR_NOT_SUPPORTED);

    CHECK_OK(doca_dma_destroy(dma));
    CHECK_OK(doca_dev_close(dev));
}

static void data_union_overlays_pointer_and_number(void)
{
    union doca_data data;

    CHECK_EQ(sizeof(data), sizeof(uint64_t));
    CHECK_EQ(offsetof(union doca_data, ptr), offsetof(union doca_data, u64));
    data.u64 = 0;
    data.ptr = &data;
    CHECK(data.u64 != 0);
    data.u64 = 0;
    CHECK_PTR(data.ptr, NULL);
}

/* The vendor's reference and guide spell these flags differently: both spellings have the same
 * value. */
static void both_spellings_of_flags_agree(void)
{
    static const struct {
        int reference, guide, value;
    } pairs[] = {
        { DOCA_ACCESS_FLAG_LOCAL_READ_ONLY, DOCA_ACCESS_LOCAL_READ_ONLY, 0 },
        { DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, DOCA_ACCESS_LOCAL_READ_WRITE, 1 },
        { DOCA_ACCESS_FLAG_RDMA_READ, DOCA_ACCESS_RDMA_READ, 2 },
        { DOCA_ACCESS_FLAG_RDMA_WRITE, DOCA_ACCESS_RDMA_WRITE, 4 },
        { DOCA_ACCESS_FLAG_RDMA_ATOMIC, DOCA_ACCESS_RDMA_ATOMIC, 8 },
        { DOCA_ACCESS_FLAG_PCI_READ_ONLY, DOCA_ACCESS_DPU_READ_ONLY, 16 },
        { DOCA_ACCESS_FLAG_PCI_READ_WRITE, DOCA_ACCESS_DPU_READ_WRITE, 32 },
        { DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING, DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING, 64 },
        { DOCA_PCI_FUNC_TYPE_PF, DOCA_PCI_FUNC_PF, 0 },
        { DOCA_PCI_FUNC_TYPE_VF, DOCA_PCI_FUNC_VF, 1 },
        { DOCA_PCI_FUNC_TYPE_SF, DOCA_PCI_FUNC_SF, 2 },
    };
    size_t i;

    for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        CHECK_EQ(pairs[i].reference, pairs[i].value);
        CHECK_EQ(pairs[i].guide, pairs[i].value);
    }
}

/* A notification handle is a file descriptor. */
static void notification_handle_is_a_file_descriptor(void)
{
    doca_notification_handle_t handle = doca_event_invalid_handle;
    doca_event_handle_t event = handle;

    CHECK_EQ(sizeof(handle), sizeof(int));
    CHECK(event == -1);
}

static void plain_types_have_documented_values(void)
{
    struct doca_gather_list last = { NULL, UINT64_MAX, NULL };
    struct doca_gather_list first = { &last, 1, &last };

    CHECK_EQ(sizeof(doca_be16_t), 2);
    CHECK_EQ(sizeof(doca_be32_t), 4);
    CHECK_EQ(sizeof(doca_be64_t), 8);
    CHECK_EQ(DOCA_GID_BYTE_LENGTH, 16);
    CHECK_EQ(first.next->len, UINT64_MAX);
    CHECK_EQ(DOCA_GPU_MEM_TYPE_GPU, 0);
    CHECK_EQ(DOCA_GPU_MEM_TYPE_GPU_CPU, 1);
    CHECK_EQ(DOCA_GPU_MEM_TYPE_CPU_GPU, 2);
    CHECK_EQ(DOCA_ETH_WAIT_ON_TIME_TYPE_NONE, 0);
    CHECK_EQ(DOCA_ETH_WAIT_ON_TIME_TYPE_NATIVE, 1);
    CHECK_EQ(DOCA_ETH_WAIT_ON_TIME_TYPE_DPDK, 2);
    CHECK_EQ(DOCA_MTU_SIZE_256_BYTES, 0);
    CHECK_EQ(DOCA_MTU_SIZE_512_BYTES, 1);
    CHECK_EQ(DOCA_MTU_SIZE_1K_BYTES, 2);
    CHECK_EQ(DOCA_MTU_SIZE_2K_BYTES, 3);
    CHECK_EQ(DOCA_MTU_SIZE_4K_BYTES, 4);
    CHECK_EQ(DOCA_MTU_SIZE_RAW_ETHERNET, 5);
}

/* A number that is not an item, as a later version of the library may use it, also has a text. */
static void every_item_has_a_text_and_other_numbers_are_unknown(void)
{
    unsigned i;

    for (i = 0; i < DOCA_CORE_NUM_ITEMS; i++)
        CHECK(strlen(doca_core_item_text((enum doca_core_item)i)) > 3 || i == DOCA_CORE_ITEM_NONE);
    CHECK_STR(doca_core_item_text((enum doca_core_item)DOCA_CORE_NUM_ITEMS), "unknown item");
    CHECK_STR(doca_core_item_text((enum doca_core_item)-1), "unknown item");
}

static const struct test_case cases[] = {
    CASE(codes_have_the_order_of_the_reference, "1 2"),
    CASE(name_is_the_enumerator, "3"),
    CASE(every_code_has_its_own_description, "4"),
    CASE(later_codes_have_names_and_texts, ""),
    CASE(every_item_has_a_text_and_other_numbers_are_unknown, ""),
    CASE(propagate_keeps_the_first_error, "5"),
    CASE(is_error_is_true_for_all_but_success, "6"),
    CASE(set_up_calls_refuse_null, "1 19"),
    CASE(data_path_calls_refuse_null, "1"),
    CASE(calls_without_an_error_code_accept_null, ""),
    CASE(destroy_of_null_follows_the_reference, ""),
    CASE(missing_features_return_not_supported, "7"),
    CASE(data_union_overlays_pointer_and_number, "8"),
    CASE(both_spellings_of_flags_agree, "9 10"),
    CASE(notification_handle_is_a_file_descriptor, "11"),
    CASE(plain_types_have_documented_values, ""),
};

TEST_MAIN(cases)
