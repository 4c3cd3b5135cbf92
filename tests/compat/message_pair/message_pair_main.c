/* This file is built twice: with DOCA_ARCH_HOST as the client, and with DOCA_ARCH_DPU as the
 * server. */
#include <stdlib.h>
#include <string.h>

#include <doca_argp.h>
#include <doca_error.h>
#include <doca_log.h>

#include "message_pair.h"

DOCA_LOG_REGISTER(MESSAGE_PAIR::MAIN);

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

static doca_error_t pci_addr_callback(void *param, void *config)
{
    struct pair_config *conf = (struct pair_config *)config;

    return copy_text((const char *)param, conf->pci_addr, sizeof(conf->pci_addr));
}

static doca_error_t rep_addr_callback(void *param, void *config)
{
    struct pair_config *conf = (struct pair_config *)config;

    return copy_text((const char *)param, conf->rep_addr, sizeof(conf->rep_addr));
}

static doca_error_t name_callback(void *param, void *config)
{
    struct pair_config *conf = (struct pair_config *)config;

    return copy_text((const char *)param, conf->name, sizeof(conf->name));
}

static doca_error_t text_callback(void *param, void *config)
{
    struct pair_config *conf = (struct pair_config *)config;

    return copy_text((const char *)param, conf->text, sizeof(conf->text));
}

static doca_error_t messages_callback(void *param, void *config)
{
    struct pair_config *conf = (struct pair_config *)config;

    conf->num_messages = *(const int *)param;
    if (conf->num_messages > 0)
        return DOCA_SUCCESS;
    DOCA_LOG_ERR("%d is not a number of messages", conf->num_messages);
    return DOCA_ERROR_INVALID_VALUE;
}

static const struct {
    const char *short_name, *long_name, *arguments, *description;
    doca_argp_param_cb_t callback;
    enum doca_argp_type type;
} params[] = {
    { "p", "pci-addr", "<address>", "PCI address of the device", pci_addr_callback,
      DOCA_ARGP_TYPE_STRING },
    { "r", "rep-pci", "<address>", "PCI address of the represented function (server)",
      rep_addr_callback, DOCA_ARGP_TYPE_STRING },
    { "s", "server-name", "<name>", "name of the server", name_callback, DOCA_ARGP_TYPE_STRING },
    { "t", "text", "<text>", "text to send", text_callback, DOCA_ARGP_TYPE_STRING },
    { "n", "messages", "<number>", "messages of the data path", messages_callback,
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
    struct pair_config conf = { .name = "message_pair", .num_messages = 10 };
    struct doca_log_backend *sdk_log;
    doca_error_t result;

#ifdef DOCA_ARCH_DPU
    strcpy(conf.pci_addr, "03:00.0");
    strcpy(conf.rep_addr, "0b:00.0");
    strcpy(conf.text, "an answer of the server");
#else
    strcpy(conf.pci_addr, "0b:00.0");
    strcpy(conf.text, "a text of the client");
#endif
    if (doca_log_backend_create_standard() != DOCA_SUCCESS ||
        doca_log_backend_create_with_file_sdk(stderr, &sdk_log) != DOCA_SUCCESS ||
        doca_log_backend_set_sdk_level(sdk_log, DOCA_LOG_LEVEL_WARNING) != DOCA_SUCCESS)
        return EXIT_FAILURE;
    result = doca_argp_init("message_pair", &conf);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot initialize the parser: %s", doca_error_get_descr(result));
        return EXIT_FAILURE;
    }
    result = register_params();
    if (result == DOCA_SUCCESS)
        result = doca_argp_start(argc, argv);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot parse the arguments: %s", doca_error_get_name(result));
    } else {
        result = run_pair(&conf);
        if (result != DOCA_SUCCESS)
            DOCA_LOG_ERR("The pair failed: %s", doca_error_get_name(result));
    }
    doca_argp_destroy();
    return result == DOCA_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;
}
