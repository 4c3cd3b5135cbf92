/* This file is built twice: with DOCA_ARCH_HOST as the program of the host, and with DOCA_ARCH_DPU
 * as the program of the DPU. */
#include <stdlib.h>
#include <string.h>

#include <doca_argp.h>
#include <doca_build_config.h>
#include <doca_error.h>
#include <doca_log.h>

#include "remote_copy.h"

DOCA_LOG_REGISTER(REMOTE_COPY);

static doca_error_t copy_param(const char *value, char *to, size_t size)
{
    size_t len = strlen(value);

    if (len >= size) {
        DOCA_LOG_ERR("\"%s\" is longer than %zu characters", value, size - 1);
        return DOCA_ERROR_INVALID_VALUE;
    }
    memcpy(to, value, len + 1);
    return DOCA_SUCCESS;
}

static doca_error_t pci_addr_callback(void *param, void *config)
{
    struct remote_copy_config *conf = config;

    return copy_param(param, conf->pci_addr, sizeof(conf->pci_addr));
}

static doca_error_t file_callback(void *param, void *config)
{
    struct remote_copy_config *conf = config;

    return copy_param(param, conf->file_path, sizeof(conf->file_path));
}

static doca_error_t descriptor_callback(void *param, void *config)
{
    struct remote_copy_config *conf = config;

    return copy_param(param, conf->descriptor_path, sizeof(conf->descriptor_path));
}

static doca_error_t buffer_callback(void *param, void *config)
{
    struct remote_copy_config *conf = config;

    return copy_param(param, conf->buffer_path, sizeof(conf->buffer_path));
}

static const struct {
    const char *short_name;
    const char *long_name;
    const char *arguments;
    const char *description;
    doca_argp_param_cb_t callback;
    bool is_mandatory;
} params[] = {
    { "p", "pci-addr", "<address>", "PCI address of the device", pci_addr_callback, false },
    { "f", "file", "<path>", "file to send (host) or to write (DPU)", file_callback, true },
    { "d", "descriptor-path", "<path>", "file with the export descriptor", descriptor_callback,
      true },
    { "b", "buffer-path", "<path>", "file with address and length", buffer_callback, true },
};

static doca_error_t register_params(void)
{
    struct doca_argp_param *param;
    doca_error_t result = DOCA_SUCCESS;
    size_t i;

    for (i = 0; i < sizeof(params) / sizeof(params[0]); i++) {
        result = doca_argp_param_create(&param);
        if (result != DOCA_SUCCESS)
            break;
        doca_argp_param_set_short_name(param, params[i].short_name);
        doca_argp_param_set_long_name(param, params[i].long_name);
        doca_argp_param_set_arguments(param, params[i].arguments);
        doca_argp_param_set_description(param, params[i].description);
        doca_argp_param_set_callback(param, params[i].callback);
        doca_argp_param_set_type(param, DOCA_ARGP_TYPE_STRING);
        if (params[i].is_mandatory)
            doca_argp_param_set_mandatory(param);
        result = doca_argp_register_param(param);
        if (result != DOCA_SUCCESS)
            break;
    }
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("Cannot register a parameter: %s", doca_error_get_descr(result));
    return result;
}

int main(int argc, char **argv)
{
#ifdef DOCA_ARCH_DPU
    struct remote_copy_config conf = { .pci_addr = "03:00.0" };
#else
    struct remote_copy_config conf = { .pci_addr = "0b:00.0" };
#endif
    struct doca_log_backend *sdk_log;
    int exit_status = EXIT_FAILURE;
    doca_error_t result;

    if (doca_log_backend_create_standard() != DOCA_SUCCESS ||
        doca_log_backend_create_with_file_sdk(stderr, &sdk_log) != DOCA_SUCCESS ||
        doca_log_backend_set_sdk_level(sdk_log, DOCA_LOG_LEVEL_WARNING) != DOCA_SUCCESS)
        return EXIT_FAILURE;

    result = doca_argp_init("doca_remote_copy", &conf);
    if (result != DOCA_SUCCESS)
        return EXIT_FAILURE;
    result = register_params();
    if (result != DOCA_SUCCESS)
        goto argp_cleanup;
    result = doca_argp_start(argc, argv);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot parse the arguments: %s", doca_error_get_name(result));
        goto argp_cleanup;
    }

#ifdef DOCA_ARCH_DPU
    result = remote_copy_dpu(&conf);
#else
    result = remote_copy_host(&conf);
#endif
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("The copy failed: %s", doca_error_get_name(result));
        goto argp_cleanup;
    }
    exit_status = EXIT_SUCCESS;

argp_cleanup:
    doca_argp_destroy();
    return exit_status;
}
