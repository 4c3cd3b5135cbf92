/* List the processes of a host from its DPU, with the threads and memory areas of one of them. */
#include <stdlib.h>
#include <string.h>

#include <doca_argp.h>
#include <doca_error.h>
#include <doca_log.h>

#include "process_list.h"

DOCA_LOG_REGISTER(PROCESS_LIST::MAIN);

/* Copy the text of an argument, if there is room. */
static doca_error_t copy_text(const char *text, char *to, size_t size)
{
    size_t len = strnlen(text, size);

    if (len == size) {
        DOCA_LOG_ERR("An argument has more than %zu characters", size - 1);
        return DOCA_ERROR_INVALID_VALUE;
    }
    memcpy(to, text, len + 1);
    return DOCA_SUCCESS;
}

static doca_error_t device_callback(void *param, void *config)
{
    struct process_list_config *conf = (struct process_list_config *)config;

    return copy_text((char *)param, conf->pci_addr, sizeof(conf->pci_addr));
}

static doca_error_t vuid_callback(void *param, void *config)
{
    struct process_list_config *conf = (struct process_list_config *)config;

    return copy_text((char *)param, conf->vuid, sizeof(conf->vuid));
}

static doca_error_t symbols_callback(void *param, void *config)
{
    struct process_list_config *conf = (struct process_list_config *)config;

    return copy_text((char *)param, conf->symbol_map, sizeof(conf->symbol_map));
}

static doca_error_t regions_callback(void *param, void *config)
{
    struct process_list_config *conf = (struct process_list_config *)config;

    return copy_text((char *)param, conf->memory_regions, sizeof(conf->memory_regions));
}

static doca_error_t pid_callback(void *param, void *config)
{
    struct process_list_config *conf = (struct process_list_config *)config;

    conf->pid = *(int *)param;
    return DOCA_SUCCESS;
}

static const struct {
    const char *short_name, *long_name, *arguments, *description;
    doca_argp_param_cb_t callback;
    enum doca_argp_type type;
} params[] = {
    { "d", "device", "<address>", "PCI address of the device that reads the memory",
      device_callback, DOCA_ARGP_TYPE_STRING },
    { "f", "vuid", "<VUID>", "VUID of the function of the target", vuid_callback,
      DOCA_ARGP_TYPE_STRING },
    { "o", "symbols", "<path>", "symbol map of the target's kernel", symbols_callback,
      DOCA_ARGP_TYPE_STRING },
    { "m", "regions", "<path>", "memory regions of the target", regions_callback,
      DOCA_ARGP_TYPE_STRING },
    { "p", "pid", "<number>", "process whose threads and areas are listed", pid_callback,
      DOCA_ARGP_TYPE_INT },
};

static doca_error_t register_params(void)
{
    struct doca_argp_param *param;
    doca_error_t result;
    size_t i;

    for (i = 0; i < sizeof(params) / sizeof(params[0]); i++) {
        result = doca_argp_param_create(&param);
        if (result != DOCA_SUCCESS)
            return result;
        doca_argp_param_set_short_name(param, params[i].short_name);
        doca_argp_param_set_long_name(param, params[i].long_name);
        doca_argp_param_set_arguments(param, params[i].arguments);
        doca_argp_param_set_description(param, params[i].description);
        doca_argp_param_set_callback(param, params[i].callback);
        doca_argp_param_set_type(param, params[i].type);
        result = doca_argp_register_param(param);
        if (result != DOCA_SUCCESS)
            return result;
    }
    return DOCA_SUCCESS;
}

int main(int argc, char **argv)
{
    struct process_list_config conf;
    struct doca_log_backend *sdk_log;
    doca_error_t result;

    memset(&conf, 0, sizeof(conf));
    strcpy(conf.pci_addr, "03:00.0");
    if (doca_log_backend_create_standard() != DOCA_SUCCESS ||
        doca_log_backend_create_with_file_sdk(stderr, &sdk_log) != DOCA_SUCCESS ||
        doca_log_backend_set_sdk_level(sdk_log, DOCA_LOG_LEVEL_WARNING) != DOCA_SUCCESS)
        return EXIT_FAILURE;
    result = doca_argp_init("doca_process_list", &conf);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot initialize the parser: %s", doca_error_get_descr(result));
        return EXIT_FAILURE;
    }
    result = register_params();
    if (result == DOCA_SUCCESS)
        result = doca_argp_start(argc, argv);
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("Cannot parse the arguments: %s", doca_error_get_name(result));
    else
        result = process_list(&conf);
    doca_argp_destroy();
    return result == DOCA_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;
}
