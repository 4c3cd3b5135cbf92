/* App Shield: contexts and systems, their settings, and calls that Linux targets do not have. */
#include "doca_core_apsh.h"
#include "doca_test.h"

static unsigned char memory[1 << 20] __attribute__((aligned(DOCA_CORE_LINE)));
static struct doca_core_arena arena;

/* An arena of `bytes` bytes, bound until arena_end(). */
static void arena_begin(size_t bytes)
{
    CHECK_OK(doca_core_arena_init(&arena, memory, bytes));
    CHECK_OK(doca_core_arena_bind(&arena));
}

static size_t arena_used(void)
{
    size_t used = 0;

    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    return used;
}

static void arena_end(void)
{
    CHECK_EQ(arena_used(), 0);
    CHECK_OK(doca_core_arena_bind(NULL));
}

struct host { /* the first device of the DPU with its first representor */
    struct doca_dev *dev;
    struct doca_dev_rep *rep;
};

static struct host host_open(void)
{
    struct doca_devinfo **list;
    struct doca_devinfo_rep **reps;
    struct host host;
    uint32_t num;

    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK_OK(doca_dev_open(list[0], &host.dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    CHECK_OK(doca_devinfo_rep_create_list(host.dev, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &num));
    CHECK_OK(doca_dev_rep_open(reps[0], &host.rep));
    CHECK_OK(doca_devinfo_rep_destroy_list(reps));
    return host;
}

static void host_close(struct host *host)
{
    CHECK_OK(doca_dev_rep_close(host->rep));
    CHECK_OK(doca_dev_close(host->dev));
}

static struct doca_apsh_ctx *ctx_started(struct doca_dev *dev)
{
    struct doca_apsh_ctx *ctx = doca_apsh_create();

    CHECK(ctx != NULL);
    CHECK_OK(doca_apsh_dma_dev_set(ctx, dev));
    CHECK_OK(doca_apsh_start(ctx));
    return ctx;
}

static void context_starts_with_a_device(void)
{
    struct doca_apsh_ctx *ctx;
    struct host host;

    arena_begin(sizeof(memory));
    host = host_open();
    ctx = doca_apsh_create();
    CHECK_RC(doca_apsh_start(ctx), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_NO_DEV);
    CHECK_RC(doca_apsh_dma_dev_set(NULL, host.dev), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_apsh_dma_dev_set(ctx, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_apsh_dma_dev_set(ctx, (struct doca_dev *)(void *)host.rep),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_apsh_dma_dev_set(ctx, host.dev));
    CHECK_OK(doca_apsh_start(ctx));
    CHECK_RC(doca_apsh_start(ctx), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_apsh_dma_dev_set(ctx, host.dev), DOCA_ERROR_BAD_STATE);
    doca_apsh_destroy(ctx);
    host_close(&host);
    arena_end();
}

static void device_without_dma_is_refused(void)
{
    struct doca_apsh_ctx *ctx;
    struct host host;

    arena_begin(sizeof(memory));
    CHECK_OK(doca_core_sw_set_topology("03:00.0 side=dpu profile=connectx7; "
                                       "0b:00.0 side=host rep=03:00.0"));
    host = host_open();
    ctx = doca_apsh_create();
    CHECK_OK(doca_apsh_dma_dev_set(ctx, host.dev));
    CHECK_RC(doca_apsh_start(ctx), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_DEV_NO_DMA);
    doca_apsh_destroy(ctx);
    host_close(&host);
    CHECK_OK(doca_core_sw_set_topology(NULL));
    arena_end();
}

static void system_starts_with_all_that_is_mandatory(void)
{
    struct doca_apsh_system *system;
    struct doca_apsh_ctx *ctx;
    struct host host;

    arena_begin(sizeof(memory));
    host = host_open();
    ctx = doca_apsh_create();
    system = doca_apsh_system_create(ctx);
    CHECK(system != NULL);
    CHECK_RC(doca_apsh_system_start(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_apsh_system_start(system), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_CTX_NOT_STARTED);
    CHECK_OK(doca_apsh_dma_dev_set(ctx, host.dev));
    CHECK_OK(doca_apsh_start(ctx));
    CHECK_RC(doca_apsh_system_start(system), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_NO_REP);
    CHECK_RC(doca_apsh_sys_dev_set(system, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_apsh_sys_dev_set(system, (struct doca_dev_rep *)(void *)host.dev),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_apsh_sys_dev_set(system, host.rep));
    CHECK_RC(doca_apsh_system_start(system), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_NO_OS);
    CHECK_RC(doca_apsh_sys_os_type_set(system, DOCA_APSH_SYSTEM_WINDOWS),
             DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_WINDOWS);
    CHECK_RC(doca_apsh_sys_config(system, DOCA_APSH_OS_TYPE, 2), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_OK(doca_apsh_sys_os_type_set(system, DOCA_APSH_SYSTEM_LINUX));
    doca_apsh_system_destroy(system);
    doca_apsh_destroy(ctx);
    host_close(&host);
    arena_end();
}

static void objects_end_in_any_order(void)
{
    struct doca_apsh_system *first, *second;
    struct doca_apsh_ctx *ctx;

    arena_begin(sizeof(memory));
    ctx = doca_apsh_create();
    first = doca_apsh_system_create(ctx);
    second = doca_apsh_system_create(ctx);
    doca_apsh_destroy(ctx);
    doca_apsh_destroy(ctx);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_DEAD_HANDLE);
    CHECK(doca_apsh_system_create(ctx) == NULL);
    doca_apsh_system_destroy(first);
    CHECK_OK(doca_apsh_sys_os_type_set(second, DOCA_APSH_SYSTEM_LINUX));
    doca_apsh_system_destroy(second);
    doca_apsh_system_destroy(NULL);
    doca_apsh_destroy(NULL);
    CHECK(doca_apsh_system_create(NULL) == NULL);
    arena_end();
}

static void sizes_are_true_and_exhaustion_is_an_error(void)
{
    const size_t bytes = DOCA_CORE_BYTES_APSH_CTX(1) + DOCA_CORE_BYTES_APSH_SYSTEM(1);
    struct doca_apsh_system *system;
    struct doca_apsh_ctx *ctx;
    size_t got = 0;

    CHECK_OK(doca_core_bytes_apsh_ctx(&got));
    CHECK_EQ(got, DOCA_CORE_BYTES_APSH_CTX(1));
    CHECK_OK(doca_core_bytes_apsh_system(&got));
    CHECK_EQ(got, DOCA_CORE_BYTES_APSH_SYSTEM(1));
    CHECK_RC(doca_core_bytes_apsh_system(NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_core_bytes_apsh_ctx(NULL), DOCA_ERROR_INVALID_VALUE);
    arena_begin(bytes);
    ctx = doca_apsh_create();
    CHECK(ctx != NULL);
    CHECK_EQ(arena_used(), DOCA_CORE_BYTES_APSH_CTX(1));
    system = doca_apsh_system_create(ctx);
    CHECK(system != NULL);
    CHECK_EQ(arena_used(), bytes);
    CHECK(doca_apsh_system_create(ctx) == NULL);
    CHECK(doca_apsh_create() == NULL);
    CHECK(strstr(doca_core_last_error(), "NO_MEMORY") != NULL);
    CHECK_RC(doca_apsh_sys_kpgd_file_set(system, "kpgd_file.conf"), DOCA_ERROR_NO_MEMORY);
    CHECK_EQ(arena_used(), bytes);
    doca_apsh_system_destroy(system);
    doca_apsh_destroy(ctx);
    CHECK(doca_core_apsh_create_in(NULL) == NULL);
    arena_end();
}

static void settings_are_checked(void)
{
    struct doca_apsh_system *system;
    struct doca_apsh_ctx *ctx;
    struct host host;
    size_t used;
    int limit;

    arena_begin(sizeof(memory));
    host = host_open();
    ctx = ctx_started(host.dev);
    system = doca_apsh_system_create(ctx);
    CHECK_OK(doca_apsh_sys_os_symbol_map_set(system, "symbols.json"));
    used = arena_used();
    CHECK_OK(doca_apsh_sys_config(system, DOCA_APSH_OS_SYMBOL_MAP, "other.json"));
    CHECK_EQ(arena_used(), used); /* the block of the first path was given back */
    CHECK_OK(doca_apsh_sys_mem_region_set(system, "mem_regions.json"));
    CHECK_RC(doca_apsh_sys_mem_region_set(system, ""), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_apsh_sys_mem_region_set(system, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_apsh_sys_kpgd_file_set(NULL, "kpgd_file.conf"), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_apsh_sys_set_scan_window_size(system, 8192));
    CHECK_OK(doca_apsh_sys_set_scan_window_step(system, 1024));
    CHECK_RC(doca_apsh_sys_set_scan_window_step(system, 3000), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_apsh_sys_config(system, DOCA_APSH_SCAN_WIN_STEP, 0), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_apsh_sys_config(system, DOCA_APSH_SCAN_WIN_SIZE, 5000),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_apsh_sys_config(system, DOCA_APSH_VHCA_ID, host.rep));
    for (limit = DOCA_APSH_HASHTEST_LIMIT; limit <= DOCA_APSH_STRING_LIMIT; limit++) {
        CHECK_OK(doca_apsh_sys_config(system, (enum doca_apsh_system_config_attr)limit, 1));
        CHECK_RC(doca_apsh_sys_config(system, (enum doca_apsh_system_config_attr)limit, 0),
                 DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_apsh_sys_config(system, (enum doca_apsh_system_config_attr)limit, -1),
                 DOCA_ERROR_INVALID_VALUE);
    }
    CHECK_RC(doca_apsh_sys_config(system, (enum doca_apsh_system_config_attr)17, 1),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_apsh_sys_config(NULL, DOCA_APSH_OS_TYPE, 0), DOCA_ERROR_INVALID_VALUE);
    doca_apsh_system_destroy(system);
    doca_apsh_destroy(ctx);
    host_close(&host);
    arena_end();
}

static void calls_before_the_start_are_refused(void)
{
    struct doca_apsh_netscan **connections = NULL;
    struct doca_apsh_process **processes = NULL;
    struct doca_apsh_module **modules = NULL;
    struct doca_apsh_system *system;
    struct doca_apsh_ctx *ctx;
    int num = 5;

    arena_begin(sizeof(memory));
    ctx = doca_apsh_create();
    system = doca_apsh_system_create(ctx);
    CHECK_RC(doca_apsh_processes_get(system, &processes, &num), DOCA_ERROR_INITIALIZATION);
    CHECK_RC(doca_apsh_modules_get(system, &modules, &num), DOCA_ERROR_INITIALIZATION);
    CHECK_RC(doca_apsh_netscan_get(system, &connections, &num), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_apsh_processes_get(NULL, &processes, &num), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_apsh_processes_get(system, NULL, &num), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_apsh_netscan_get(system, &connections, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(num, 5);
    CHECK(processes == NULL && modules == NULL && connections == NULL);
    doca_apsh_system_destroy(system);
    doca_apsh_destroy(ctx);
    arena_end();
}

/* Each call for a process refuses a pointer to another object. */
static void calls_without_a_process_are_refused(void)
{
    static uint64_t zeros[64];
    struct doca_apsh_process *stray = (struct doca_apsh_process *)(void *)(zeros + 32);
    struct doca_apsh_process *process[] = { NULL, stray };
    struct doca_apsh_process_parameters *parameters;
    struct doca_apsh_attestation **attestations = NULL;
    struct doca_apsh_injection_detect **injections;
    struct doca_apsh_ldrmodule **ldrmodules;
    struct doca_apsh_privilege **privileges;
    struct doca_apsh_thread **threads;
    enum doca_apsh_yara_rule *rules[1] = { NULL };
    struct doca_apsh_handle **handles;
    struct doca_apsh_envar **envars;
    struct doca_apsh_yara **matches;
    struct doca_apsh_lib **libs;
    struct doca_apsh_vad **vads;
    struct doca_apsh_sid **sids;
    int num = 0;
    size_t i;

    for (i = 0; i < 2; i++) {
        struct doca_apsh_process *p = process[i];

        CHECK_RC(doca_apsh_libs_get(p, &libs, &num), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_apsh_threads_get(p, &threads, &num), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_apsh_vads_get(p, &vads, &num), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_apsh_attestation_get(p, "hash.zip", &attestations, &num),
                 DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_apsh_envars_get(p, &envars, &num), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_apsh_handles_get(p, &handles, &num), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_apsh_ldrmodules_get(p, &ldrmodules, &num), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_apsh_privileges_get(p, &privileges, &num), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_apsh_sids_get(p, &sids, &num), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_apsh_process_parameters_get(p, &parameters), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_apsh_injection_detect_get(p, &injections, &num), DOCA_ERROR_INVALID_VALUE);
        CHECK_RC(doca_apsh_yara_get(p, rules, 1, DOCA_APSH_YARA_SCAN_HEAP, &matches, &num),
                 DOCA_ERROR_INVALID_VALUE);
        CHECK_PTR(doca_apsh_process_info_get(p, DOCA_APSH_PROCESS_COMM), NULL);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_DEAD_HANDLE);
    }
    attestations = NULL;
    CHECK_RC(doca_apsh_attst_refresh(&attestations, &num), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_NULL_ARGUMENT);
    CHECK_RC(doca_apsh_attst_refresh(NULL, &num), DOCA_ERROR_INVALID_VALUE);
}

static void what_is_no_list_is_not_freed(void)
{
    static uint64_t zeros[64];

    test_log_lines = 0;
    doca_apsh_processes_free(NULL);
    doca_apsh_module_free(NULL);
    doca_apsh_libs_free(NULL);
    doca_apsh_threads_free(NULL);
    doca_apsh_vads_free(NULL);
    doca_apsh_attestation_free(NULL);
    doca_apsh_netscan_free(NULL);
    doca_apsh_envars_free(NULL);
    doca_apsh_handles_free(NULL);
    doca_apsh_ldrmodules_free(NULL);
    doca_apsh_privileges_free(NULL);
    doca_apsh_sids_free(NULL);
    doca_apsh_process_parameters_free(NULL);
    doca_apsh_injection_detect_free(NULL);
    doca_apsh_yara_free(NULL);
    CHECK_EQ(test_log_lines, 0);
    doca_apsh_vads_free((struct doca_apsh_vad **)(void *)(zeros + 32));
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_DEAD_HANDLE);
    CHECK_EQ(test_log_lines, 1);
}

static void elements_of_other_systems_do_not_exist(void)
{
    CHECK_EQ(doca_apsh_envar_info_get(NULL, DOCA_APSH_ENVARS_PID), 0);
    CHECK_EQ(doca_apsh_handle_info_get(NULL, DOCA_APSH_HANDLE_VALUE), 0);
    CHECK_EQ(doca_apsh_ldrmodule_info_get(NULL, DOCA_APSH_LDRMODULE_WINDOWS_INMEM), false);
    CHECK_PTR(doca_apsh_privilege_info_get(NULL, DOCA_APSH_PRIVILEGES_NAME), NULL);
    CHECK_PTR(doca_apsh_sid_info_get(NULL, DOCA_APSH_PROCESS_SID_STRING), NULL);
    CHECK_EQ(doca_apsh_netscan_info_get(NULL, DOCA_APSH_NETSCAN_LOCAL_PORT), 0);
    CHECK_EQ(doca_apsh_yara_info_get(NULL, DOCA_APSH_YARA_MATCH_WINDOW_LEN), 0);
    CHECK_PTR(doca_apsh_injection_detect_info_get(
                  NULL, DOCA_APSH_INJECTION_DETECT_VAD_FILE_PATH), NULL);
    CHECK_PTR(doca_apsh_process_parameters_info_get(NULL, DOCA_APSH_PROCESS_PARAMETERS_CMD_LINE),
              NULL);
    CHECK_EQ(doca_apsh_attst_info_get(NULL, DOCA_APSH_ATTESTATION_PAGES_NUMBER), 0);
    CHECK_EQ(doca_apsh_lib_info_get(NULL, DOCA_APSH_LIB_LOAD_ADRESS), 0);
    CHECK_EQ(doca_apsh_module_info_get(NULL, DOCA_APSH_MODULES_SIZE), 0);
    CHECK_EQ(doca_apsh_thread_info_get(NULL, DOCA_APSH_THREAD_TID), 0);
    CHECK_EQ(doca_apsh_vad_info_get(NULL, DOCA_APSH_VMA_VM_END), 0);
}

static const struct test_case cases[] = {
    CASE(context_starts_with_a_device, ""),
    CASE(device_without_dma_is_refused, ""),
    CASE(system_starts_with_all_that_is_mandatory, ""),
    CASE(objects_end_in_any_order, ""),
    CASE(sizes_are_true_and_exhaustion_is_an_error, ""),
    CASE(settings_are_checked, ""),
    CASE(calls_before_the_start_are_refused, ""),
    CASE(calls_without_a_process_are_refused, ""),
    CASE(what_is_no_list_is_not_freed, ""),
    CASE(elements_of_other_systems_do_not_exist, ""),
};

TEST_MAIN(cases)
