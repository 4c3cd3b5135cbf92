/* Print the time of a clock, or a cross timestamp of it and a clock of the NIC. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doca_argp.h>
#include <doca_clock.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_log.h>

#include "../common.h"

DOCA_LOG_REGISTER(CLOCK_TIMES);

#define NIC_CLOCKS                                                                                 \
    (DOCA_CLOCK_NIC_FREE_RUNNING | DOCA_CLOCK_NIC_REAL_TIME | DOCA_CLOCK_NIC_DPA_TIMER)

struct clock_times_config {
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    uint64_t primary;
    uint64_t nic; /* 0: print the primary clock only */
};

static const struct {
    const char *name;
    uint64_t type;
} clocks[] = {
    { "cycles", DOCA_CLOCK_HOST_COUNTER_CYCLES },
    { "monotonic", DOCA_CLOCK_HOST_MONOTONIC },
    { "raw", DOCA_CLOCK_HOST_MONOTONIC_RAW },
    { "real", DOCA_CLOCK_HOST_REAL_TIME },
    { "nic_free", DOCA_CLOCK_NIC_FREE_RUNNING },
    { "nic_real", DOCA_CLOCK_NIC_REAL_TIME },
    { "nic_dpa", DOCA_CLOCK_NIC_DPA_TIMER },
};
#define NUM_CLOCKS (sizeof(clocks) / sizeof(clocks[0]))

static const char *name_of(uint64_t type)
{
    switch (type) {
    case DOCA_CLOCK_HOST_COUNTER_CYCLES:
        return "the cycle counter";
    case DOCA_CLOCK_NIC_FREE_RUNNING:
    case DOCA_CLOCK_NIC_REAL_TIME:
    case DOCA_CLOCK_NIC_DPA_TIMER:
        return "the clock of the NIC";
    default:
        return "the clock of the host";
    }
}

static uint64_t type_of(const char *name)
{
    size_t i;

    for (i = 0; i < NUM_CLOCKS; i++)
        if (strcmp(clocks[i].name, name) == 0)
            return clocks[i].type;
    return 0;
}

/* ---- arguments */

static doca_error_t device_callback(void *param, void *config)
{
    struct clock_times_config *conf = (struct clock_times_config *)config;
    size_t len = strnlen((char *)param, sizeof(conf->pci_addr));

    if (len == sizeof(conf->pci_addr))
        return DOCA_ERROR_INVALID_VALUE;
    memcpy(conf->pci_addr, param, len + 1);
    return DOCA_SUCCESS;
}

static doca_error_t primary_callback(void *param, void *config)
{
    struct clock_times_config *conf = (struct clock_times_config *)config;

    conf->primary = type_of((char *)param);
    if (conf->primary != 0)
        return DOCA_SUCCESS;
    DOCA_LOG_ERR("Unknown clock %s", (char *)param);
    return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t nic_callback(void *param, void *config)
{
    struct clock_times_config *conf = (struct clock_times_config *)config;

    conf->nic = type_of((char *)param);
    if ((conf->nic & NIC_CLOCKS) != 0)
        return DOCA_SUCCESS;
    DOCA_LOG_ERR("%s is not a clock of the NIC", (char *)param);
    return DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t register_param(const char *short_name, const char *long_name,
                                   const char *description, doca_argp_param_cb_t callback,
                                   bool is_mandatory)
{
    struct doca_argp_param *param;
    doca_error_t result = doca_argp_param_create(&param);

    if (result != DOCA_SUCCESS)
        return result;
    doca_argp_param_set_short_name(param, short_name);
    doca_argp_param_set_long_name(param, long_name);
    doca_argp_param_set_description(param, description);
    doca_argp_param_set_callback(param, callback);
    doca_argp_param_set_type(param, DOCA_ARGP_TYPE_STRING);
    if (is_mandatory)
        doca_argp_param_set_mandatory(param);
    return doca_argp_register_param(param);
}

static doca_error_t register_params(void)
{
    doca_error_t result = register_param("p", "pci-addr", "PCI address of the device",
                                         device_callback, false);

    if (result == DOCA_SUCCESS)
        result = register_param("c", "clock", "the primary clock", primary_callback, true);
    if (result == DOCA_SUCCESS)
        result = register_param("n", "nic-clock", "the second clock", nic_callback, false);
    return result;
}

/* ---- clocks */

static doca_error_t print_time(const struct doca_clock *clock, uint64_t type)
{
    union doca_clock_timespec_t now = {};
    doca_error_t result = doca_clock_get_timestamp(clock, type, &now);

    if (result != DOCA_SUCCESS)
        return result;
    if (type == DOCA_CLOCK_HOST_COUNTER_CYCLES)
        printf("%s: %lu cycles\n", name_of(type), now.counter);
    else
        printf("%s: %lu.%09lu s\n", name_of(type), now.ts.tv_sec, now.ts.tv_nsec);
    return DOCA_SUCCESS;
}

static doca_error_t print_cross_timestamp(const struct doca_clock *clock, uint64_t primary,
                                          uint64_t nic)
{
    union doca_clock_timespec_t first = {}, second = {};
    uint64_t accuracy = 0;
    doca_error_t result =
        doca_clock_get_crosstimestamp(clock, primary, nic, &first, &second, &accuracy);

    if (result != DOCA_SUCCESS)
        return result;
    if (primary == DOCA_CLOCK_HOST_COUNTER_CYCLES)
        printf("%s: %lu cycles, within %lu cycles of\n", name_of(primary), first.counter,
               accuracy);
    else
        printf("%s: %lu.%09lu s, within %lu ns of\n", name_of(primary), first.ts.tv_sec,
               first.ts.tv_nsec, accuracy);
    printf("  %s: %lu.%09lu s\n", name_of(nic), second.ts.tv_sec, second.ts.tv_nsec);
    return DOCA_SUCCESS;
}

/* Return whether the device has a clock, if it is one of the NIC. */
static doca_error_t check_clock(const struct doca_devinfo *devinfo, uint64_t type)
{
    static doca_error_t (*const checks[])(const struct doca_devinfo *) = {
        doca_clock_cap_nic_free_running_is_supported,
        doca_clock_cap_nic_real_time_is_supported,
        doca_clock_cap_nic_dpa_timer_is_supported,
    };

    return type == DOCA_CLOCK_NIC_FREE_RUNNING ? checks[0](devinfo)
           : type == DOCA_CLOCK_NIC_REAL_TIME  ? checks[1](devinfo)
           : type == DOCA_CLOCK_NIC_DPA_TIMER  ? checks[2](devinfo)
                                               : DOCA_SUCCESS;
}

static doca_error_t clock_times(const struct clock_times_config *conf)
{
    struct doca_clock *clock;
    struct doca_dev *dev;
    doca_error_t result = open_device(conf->pci_addr, NULL, &dev);

    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot open the device: %s", doca_error_get_name(result));
        return result;
    }
    result = check_clock(doca_dev_as_devinfo(dev), conf->primary);
    if (result == DOCA_SUCCESS)
        result = check_clock(doca_dev_as_devinfo(dev), conf->nic);
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("The device lacks the clock: %s", doca_error_get_name(result));
    else
        result = doca_clock_create(dev, &clock);
    if (result == DOCA_SUCCESS) {
        result = conf->nic == 0 ? print_time(clock, conf->primary)
                                : print_cross_timestamp(clock, conf->primary, conf->nic);
        if (result != DOCA_SUCCESS)
            DOCA_LOG_ERR("Cannot read the clocks: %s", doca_error_get_descr(result));
        (void)doca_clock_destroy(clock);
    }
    (void)doca_dev_close(dev);
    return result;
}

int main(int argc, char **argv)
{
    struct clock_times_config conf;
    struct doca_log_backend *sdk_log;
    doca_error_t result;

    memset(&conf, 0, sizeof(conf));
    strcpy(conf.pci_addr, "03:00.0");
    if (doca_log_backend_create_standard() != DOCA_SUCCESS ||
        doca_log_backend_create_with_file_sdk(stderr, &sdk_log) != DOCA_SUCCESS ||
        doca_log_backend_set_sdk_level(sdk_log, DOCA_LOG_LEVEL_WARNING) != DOCA_SUCCESS)
        return EXIT_FAILURE;
    result = doca_argp_init("doca_clock_times", &conf);
    if (result != DOCA_SUCCESS)
        return EXIT_FAILURE;
    result = register_params();
    if (result == DOCA_SUCCESS)
        result = doca_argp_start(argc, argv);
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("Cannot parse the arguments: %s", doca_error_get_name(result));
    else
        result = clock_times(&conf);
    doca_argp_destroy();
    return result == DOCA_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;
}
