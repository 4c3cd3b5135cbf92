/* App Shield on a machine that runs Linux: the calls that DOCA 2.5.1 has for Windows only, and
 * scans without libyara. */
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "doca_core_apsh.h"

#include "apsh_shield.h"

/* The call was refused in one line with this item, and left its outputs alone. */
static void check_refusal(doca_error_t rc, enum doca_core_item item, const void *list, int num)
{
    CHECK_RC(rc, DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(test_log_lines, 1);
    CHECK_EQ(test_log_item, item);
    CHECK(list == NULL && num == 77);
    test_log_lines = 0;
}

static void calls_for_windows_are_not_supported(void)
{
    struct doca_apsh_process_parameters *parameters = NULL;
    struct doca_apsh_injection_detect **injections = NULL;
    struct doca_apsh_ldrmodule **ldrmodules = NULL;
    struct doca_apsh_privilege **privileges = NULL;
    struct doca_apsh_netscan **connections = NULL;
    struct doca_apsh_handle **handles = NULL;
    struct doca_apsh_sid **sids = NULL;
    struct doca_apsh_process **processes;
    struct doca_apsh_process *process;
    struct image image;
    struct shield s;
    int num = 77;

    image_make(&image, &usual);
    s = shield_start(&image);
    processes = shield_processes(&s);
    process = processes[0];
    test_log_lines = 0;
    check_refusal(doca_apsh_netscan_get(s.system, &connections, &num),
                  DOCA_CORE_ITEM_APSH_WINDOWS_ONLY, connections, num);
    check_refusal(doca_apsh_handles_get(process, &handles, &num),
                  DOCA_CORE_ITEM_APSH_WINDOWS_ONLY, handles, num);
    check_refusal(doca_apsh_ldrmodules_get(process, &ldrmodules, &num),
                  DOCA_CORE_ITEM_APSH_WINDOWS_ONLY, ldrmodules, num);
    check_refusal(doca_apsh_privileges_get(process, &privileges, &num),
                  DOCA_CORE_ITEM_APSH_WINDOWS_ONLY, privileges, num);
    check_refusal(doca_apsh_sids_get(process, &sids, &num), DOCA_CORE_ITEM_APSH_WINDOWS_ONLY,
                  sids, num);
    check_refusal(doca_apsh_process_parameters_get(process, &parameters),
                  DOCA_CORE_ITEM_APSH_WINDOWS_ONLY, parameters, num);
    check_refusal(doca_apsh_injection_detect_get(process, &injections, &num),
                  DOCA_CORE_ITEM_APSH_WINDOWS_ONLY, injections, num);
    doca_apsh_processes_free(processes);
    shield_close(&s, &image);
}

static void scan_without_libyara_is_not_supported(void)
{
    enum doca_apsh_yara_rule rule = DOCA_APSH_YARA_RULE_HELLO_WORLD, *rules[] = { &rule };
    struct doca_apsh_process **processes;
    struct doca_apsh_yara **matches = NULL;
    struct image image;
    struct shield s;
    int num = 77;

    image_make(&image, &usual);
    s = shield_start(&image);
    processes = shield_processes(&s);
    test_log_lines = 0;
    check_refusal(doca_apsh_yara_get(processes[2], rules, 1, DOCA_APSH_YARA_SCAN_HEAP, &matches,
                                     &num),
                  DOCA_CORE_ITEM_APSH_NO_YARA, matches, num);
    CHECK(strstr(doca_core_last_error(), "DOCA_CORE_APSH_YARA") != NULL);
    doca_apsh_processes_free(processes);
    shield_close(&s, &image);
}

static const struct test_case cases[] = {
    CASE(calls_for_windows_are_not_supported, ""),
    CASE(scan_without_libyara_is_not_supported, ""),
};

TEST_MAIN(cases)
