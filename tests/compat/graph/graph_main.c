/* Copy texts, hash the texts and their copies, and compare the digests, with a graph of a DMA node,
 * two SHA nodes and a user node. */
#include <stdlib.h>

#include <doca_argp.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_log.h>

#include "graph.h"

DOCA_LOG_REGISTER(GRAPH::MAIN);

static doca_error_t instances_callback(void *param, void *config)
{
    struct graph_config *conf = (struct graph_config *)config;
    int num = *(int *)param;

    if (num < 1 || num > MAX_INSTANCES) {
        DOCA_LOG_ERR("The number of instances must be 1 to %d", MAX_INSTANCES);
        return DOCA_ERROR_INVALID_VALUE;
    }
    conf->num_instances = (uint32_t)num;
    return DOCA_SUCCESS;
}

static doca_error_t fail_callback(void *param, void *config)
{
    ((struct graph_config *)config)->failing_instance = *(int *)param;
    return DOCA_SUCCESS;
}

static doca_error_t register_params(void)
{
    struct doca_argp_param *instances, *fail;
    doca_error_t result;

    result = doca_argp_param_create(&instances);
    if (result != DOCA_SUCCESS)
        return result;
    doca_argp_param_set_short_name(instances, "i");
    doca_argp_param_set_long_name(instances, "instances");
    doca_argp_param_set_arguments(instances, "<number>");
    doca_argp_param_set_description(instances, "number of instances that run at the same time");
    doca_argp_param_set_callback(instances, instances_callback);
    doca_argp_param_set_type(instances, DOCA_ARGP_TYPE_INT);
    result = doca_argp_register_param(instances);
    if (result != DOCA_SUCCESS)
        return result;

    result = doca_argp_param_create(&fail);
    if (result != DOCA_SUCCESS)
        return result;
    doca_argp_param_set_long_name(fail, "fail");
    doca_argp_param_set_arguments(fail, "<instance>");
    doca_argp_param_set_description(fail, "instance whose user node fails in the second run");
    doca_argp_param_set_callback(fail, fail_callback);
    doca_argp_param_set_type(fail, DOCA_ARGP_TYPE_INT);
    return doca_argp_register_param(fail);
}

int main(int argc, char **argv)
{
    struct graph_config conf = { .num_instances = 4, .failing_instance = -1 };
    struct doca_log_backend *sdk_log;
    doca_error_t result;
    int exit_status = EXIT_FAILURE;

    result = doca_log_backend_create_standard();
    if (result != DOCA_SUCCESS)
        return EXIT_FAILURE;
    result = doca_log_backend_create_with_file_sdk(stderr, &sdk_log);
    if (result != DOCA_SUCCESS)
        return EXIT_FAILURE;
    result = doca_log_backend_set_sdk_level(sdk_log, DOCA_LOG_LEVEL_WARNING);
    if (result != DOCA_SUCCESS)
        return EXIT_FAILURE;

    result = doca_argp_init("doca_graph", &conf);
    if (result != DOCA_SUCCESS)
        return EXIT_FAILURE;
    result = register_params();
    if (result == DOCA_SUCCESS)
        result = doca_argp_start(argc, argv);
    if (result != DOCA_SUCCESS) {
        DOCA_LOG_ERR("Cannot parse the arguments: %s", doca_error_get_name(result));
        goto argp_cleanup;
    }

    result = run_graph(&conf);
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("run_graph() failed: %s", doca_error_get_descr(result));
    else
        exit_status = EXIT_SUCCESS;

argp_cleanup:
    doca_argp_destroy();
    return exit_status;
}
