/* Copy a text with tasks of DOCA DMA. The option --num-tasks sets the number of copies. */
#include <stdlib.h>
#include <string.h>

#include <doca_argp.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_log.h>
#include <doca_version.h>

#include "dma_copy.h"

DOCA_LOG_REGISTER(DMA_COPY::MAIN);

static doca_error_t pci_addr_callback(void *param, void *config)
{
    struct dma_copy_config *conf = (struct dma_copy_config *)config;
    const char *addr = (char *)param;
    size_t len = strnlen(addr, DOCA_DEVINFO_PCI_ADDR_SIZE);

    if (len == DOCA_DEVINFO_PCI_ADDR_SIZE) {
        DOCA_LOG_ERR("A PCI address has at most %d characters", DOCA_DEVINFO_PCI_ADDR_SIZE - 1);
        return DOCA_ERROR_INVALID_VALUE;
    }
    memcpy(conf->pci_addr, addr, len + 1);
    return DOCA_SUCCESS;
}

static doca_error_t text_callback(void *param, void *config)
{
    struct dma_copy_config *conf = (struct dma_copy_config *)config;
    const char *text = (char *)param;
    size_t len = strnlen(text, MAX_TEXT_SIZE);

    if (len == MAX_TEXT_SIZE) {
        DOCA_LOG_ERR("The text has at most %d characters", MAX_TEXT_SIZE - 1);
        return DOCA_ERROR_INVALID_VALUE;
    }
    memcpy(conf->text, text, len + 1);
    return DOCA_SUCCESS;
}

static doca_error_t num_tasks_callback(void *param, void *config)
{
    struct dma_copy_config *conf = (struct dma_copy_config *)config;

    conf->num_tasks = *(int *)param;
    return DOCA_SUCCESS;
}

static doca_error_t room_callback(void *param, void *config)
{
    struct dma_copy_config *conf = (struct dma_copy_config *)config;

    conf->room = *(int *)param;
    return DOCA_SUCCESS;
}

static doca_error_t caps_callback(void *param, void *config)
{
    struct dma_copy_config *conf = (struct dma_copy_config *)config;

    conf->show_caps = *(bool *)param;
    return DOCA_SUCCESS;
}

static doca_error_t validation_callback(void *config)
{
    struct dma_copy_config *conf = (struct dma_copy_config *)config;

    if (conf->num_tasks < 1 || conf->num_tasks > MAX_NUM_TASKS || conf->room < 1 ||
        conf->room > MAX_TEXT_SIZE) {
        DOCA_LOG_ERR("There must be 1 to %d tasks with 1 to %d bytes of room", MAX_NUM_TASKS,
                     MAX_TEXT_SIZE);
        return DOCA_ERROR_INVALID_VALUE;
    }
    return DOCA_SUCCESS;
}

static doca_error_t version_callback(void *param, void *config)
{
    (void)param;
    (void)config;
    printf("SDK %s, compiled with %s, linked with %s\n", SDK_VERSION, doca_version(),
           doca_version_runtime());
    return DOCA_SUCCESS;
}

static doca_error_t register_param(const char *short_name, const char *long_name,
                                   const char *arguments, const char *description,
                                   doca_argp_param_cb_t callback, enum doca_argp_type type)
{
    struct doca_argp_param *param;
    doca_error_t result;

    result = doca_argp_param_create(&param);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot create a parameter: %s", doca_error_get_descr(result));
        return result;
    }
    if (short_name != NULL)
        doca_argp_param_set_short_name(param, short_name);
    doca_argp_param_set_long_name(param, long_name);
    if (arguments != NULL)
        doca_argp_param_set_arguments(param, arguments);
    doca_argp_param_set_description(param, description);
    doca_argp_param_set_callback(param, callback);
    doca_argp_param_set_type(param, type);
    result = doca_argp_register_param(param);
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("Cannot register --%s: %s", long_name, doca_error_get_descr(result));
    return result;
}

static doca_error_t register_params(void)
{
    doca_error_t result;

    result = register_param("p", "pci-addr", "<address>", "PCI address of the device",
                            pci_addr_callback, DOCA_ARGP_TYPE_STRING);
    if (result == DOCA_SUCCESS)
        result = register_param("t", "text", "<text>", "text to copy", text_callback,
                                DOCA_ARGP_TYPE_STRING);
    if (result == DOCA_SUCCESS)
        result = register_param("n", "num-tasks", "<number>", "number of copies",
                                num_tasks_callback, DOCA_ARGP_TYPE_INT);
    if (result == DOCA_SUCCESS)
        result = register_param(NULL, "room", "<bytes>", "size of each destination", room_callback,
                                DOCA_ARGP_TYPE_INT);
    if (result == DOCA_SUCCESS)
        result = register_param("c", "caps", NULL, "log the device's limits", caps_callback,
                                DOCA_ARGP_TYPE_BOOLEAN);
    if (result == DOCA_SUCCESS)
        result = doca_argp_register_version_callback(version_callback);
    if (result == DOCA_SUCCESS)
        result = doca_argp_register_validation_callback(validation_callback);
    return result;
}

int main(int argc, char **argv)
{
    struct dma_copy_config conf;
    struct doca_log_backend *sdk_log;
    doca_error_t result;
    int exit_status = EXIT_FAILURE;

    memset(&conf, 0, sizeof(conf));
    strcpy(conf.pci_addr, "03:00.0");
    strcpy(conf.text, "a text to copy");
    conf.num_tasks = 1;
    conf.room = MAX_TEXT_SIZE;

    result = doca_log_backend_create_standard();
    if (result != DOCA_SUCCESS)
        goto sample_exit;
    result = doca_log_backend_create_with_file_sdk(stderr, &sdk_log);
    if (result != DOCA_SUCCESS)
        goto sample_exit;
    result = doca_log_backend_set_sdk_level(sdk_log, DOCA_LOG_LEVEL_WARNING);
    if (result != DOCA_SUCCESS)
        goto sample_exit;

    DOCA_LOG_INFO("Starting the sample");

    result = doca_argp_init("doca_dma_copy", &conf);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot initialize the parser: %s", doca_error_get_descr(result));
        goto sample_exit;
    }
    result = register_params();
    if (result != DOCA_SUCCESS)
        goto argp_cleanup;
    result = doca_argp_start(argc, argv);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot parse the arguments: %s", doca_error_get_name(result));
        goto argp_cleanup;
    }

    result = dma_copy(&conf);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("dma_copy() failed: %s", doca_error_get_name(result));
        goto argp_cleanup;
    }
    exit_status = EXIT_SUCCESS;

argp_cleanup:
    doca_argp_destroy();
sample_exit:
    if (exit_status == EXIT_SUCCESS)
        DOCA_LOG_INFO("The sample has finished");
    else
        DOCA_LOG_INFO("The sample has failed");
    return exit_status;
}
