/* The arguments of the program. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doca_argp.h>

#include "block_store.h"

DOCA_LOG_REGISTER(BLOCK_STORE::MAIN);

static doca_error_t pci_addr_callback(void *param, void *config)
{
    struct store_config *conf = (struct store_config *)config;
    const char *text = (const char *)param;

    if (strlen(text) >= sizeof(conf->pci_addr)) {
        DOCA_LOG_ERR("\"%s\" is not a PCI address", text);
        return DOCA_ERROR_INVALID_VALUE;
    }
    strcpy(conf->pci_addr, text);
    return DOCA_SUCCESS;
}

static doca_error_t ip_callback(void *param, void *config)
{
    struct store_config *conf = (struct store_config *)config;
    const char *text = (const char *)param;
    struct in_addr address;

    if (strlen(text) >= sizeof(conf->ip) || inet_pton(AF_INET, text, &address) != 1) {
        DOCA_LOG_ERR("\"%s\" is not an IPv4 address", text);
        return DOCA_ERROR_INVALID_VALUE;
    }
    strcpy(conf->ip, text);
    return DOCA_SUCCESS;
}

static doca_error_t by_address_callback(void *param, void *config)
{
    ((struct store_config *)config)->by_address = *(const bool *)param;
    return DOCA_SUCCESS;
}

static doca_error_t owner_callback(void *param, void *config)
{
    ((struct store_config *)config)->is_owner = *(const bool *)param;
    return DOCA_SUCCESS;
}

static doca_error_t careless_callback(void *param, void *config)
{
    ((struct store_config *)config)->is_careless = *(const bool *)param;
    return DOCA_SUCCESS;
}

static doca_error_t set_number(const void *param, int min, int max, int *number)
{
    const int value = *(const int *)param;

    if (value < min || value > max) {
        DOCA_LOG_ERR("%d is not a number from %d to %d", value, min, max);
        return DOCA_ERROR_INVALID_VALUE;
    }
    *number = value;
    return DOCA_SUCCESS;
}

static doca_error_t port_callback(void *param, void *config)
{
    return set_number(param, 1, 65535, &((struct store_config *)config)->port);
}

static doca_error_t gid_callback(void *param, void *config)
{
    return set_number(param, 0, 255, &((struct store_config *)config)->gid_index);
}

static doca_error_t blocks_callback(void *param, void *config)
{
    return set_number(param, 1, MAX_BLOCKS, &((struct store_config *)config)->num_blocks);
}

static doca_error_t readers_callback(void *param, void *config)
{
    return set_number(param, 1, MAX_READERS, &((struct store_config *)config)->num_readers);
}

static doca_error_t lost_callback(void *param, void *config)
{
    return set_number(param, 0, MAX_READERS, &((struct store_config *)config)->num_lost);
}

static doca_error_t accepts_callback(void *param, void *config)
{
    return set_number(param, 1, 1000000, &((struct store_config *)config)->num_accepts);
}

static doca_error_t rewrites_callback(void *param, void *config)
{
    return set_number(param, 1, 1000000, &((struct store_config *)config)->num_rewrites);
}

static const struct {
    const char *short_name, *long_name, *arguments, *description;
    doca_argp_param_cb_t callback;
    enum doca_argp_type type;
} params[] = {
    { "p", "pci-addr", "<address>", "PCI address of the device; otherwise the first one with RDMA",
      pci_addr_callback, DOCA_ARGP_TYPE_STRING },
    { "i", "ip", "<address>", "IPv4 address of the owner", ip_callback, DOCA_ARGP_TYPE_STRING },
    { "q", "port", "<port>", "port of the owner", port_callback, DOCA_ARGP_TYPE_INT },
    { "g", "gid-index", "<index>", "GID of the device to use", gid_callback, DOCA_ARGP_TYPE_INT },
    { "r", "by-address", NULL, "connect by the address of the owner's device, without TCP",
      by_address_callback, DOCA_ARGP_TYPE_BOOLEAN },
    { "o", "owner", NULL, "be the owner, not a reader", owner_callback, DOCA_ARGP_TYPE_BOOLEAN },
    { "b", "blocks", "<number>", "blocks (owner)", blocks_callback, DOCA_ARGP_TYPE_INT },
    { "n", "readers", "<number>", "readers to wait for (owner)", readers_callback,
      DOCA_ARGP_TYPE_INT },
    { "k", "lost", "<number>", "readers to lose before the end (owner)", lost_callback,
      DOCA_ARGP_TYPE_INT },
    { "a", "accepts", "<number>", "blocks that each reader uses at least (owner)", accepts_callback,
      DOCA_ARGP_TYPE_INT },
    { "w", "rewrites", "<number>", "blocks to rewrite at least (owner)", rewrites_callback,
      DOCA_ARGP_TYPE_INT },
    { "c", "careless", NULL, "use blocks that are too old (reader)", careless_callback,
      DOCA_ARGP_TYPE_BOOLEAN },
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
        if (params[i].arguments != NULL)
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
    struct store_config conf = { .ip = "127.0.0.1",
                                 .port = 13579,
                                 .num_blocks = 64,
                                 .num_readers = 3,
                                 .num_accepts = 2000,
                                 .num_rewrites = 2000 };
    struct doca_log_backend *sdk_log;
    doca_error_t result;

    if (doca_log_backend_create_standard() != DOCA_SUCCESS ||
        doca_log_backend_create_with_file_sdk(stderr, &sdk_log) != DOCA_SUCCESS ||
        doca_log_backend_set_sdk_level(sdk_log, DOCA_LOG_LEVEL_WARNING) != DOCA_SUCCESS)
        return EXIT_FAILURE;
    srand((unsigned)getpid());
    result = doca_argp_init("block_store", &conf);
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
        result = conf.is_owner ? run_owner(&conf) : run_reader(&conf);
        if (result != DOCA_SUCCESS)
            DOCA_LOG_ERR("The %s failed: %s", conf.is_owner ? "owner" : "reader",
                         doca_error_get_name(result));
    }
    doca_argp_destroy();
    return result == DOCA_SUCCESS ? EXIT_SUCCESS : EXIT_FAILURE;
}
