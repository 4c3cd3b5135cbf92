/* Print which variables of the environment have an effect, and whether the file that --json names
 * is read. test_secure.sh runs this program with the rights of its caller, and with more rights. */
#include <stdio.h>

#include "tools/compat/doca_core_log.h"

#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"
#define DOCA_CORE_LOG_IMPLEMENTATION
#include "tools/compat/doca_core_log.h"
#define DOCA_CORE_ARGP_IMPLEMENTATION
#include "tools/compat/doca_core_argp.h"
#ifdef SECURE_MLX5
#define DOCA_CORE_MLX5_IMPLEMENTATION
#include "doca_core_mlx5.h"
#endif

static int report(doca_error_t rc)
{
    fprintf(stderr, "%s\n", doca_core_last_error());
    return (int)rc;
}

int main(int argc, char **argv)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint64_t bytes = 0;
    uint32_t num = 0;
    doca_error_t rc;

    printf("secure %d\n", getauxval(AT_SECURE) != 0);
    printf("log %d\n", (int)doca_log_level_get_global_lower_limit());
    rc = doca_devinfo_create_list(&list, &num);
    if (rc == DOCA_SUCCESS)
        rc = doca_dma_cap_task_memcpy_get_max_buf_size(list[0], &bytes);
    if (rc != DOCA_SUCCESS)
        return report(rc);
    printf("devices %u\n", (unsigned)num);
    printf("copies %s\n", bytes == 2u << 20 ? "up to 2 MiB" : "of any length");
    printf("faults %s\n", doca_dev_open(list[0], &dev) == DOCA_SUCCESS ? "none" : "one");
    printf("ptracer %s\n", doca_priv_sys_env("DOCA_CORE_SW_PTRACER") != NULL ? "any" : "none");
#ifdef SECURE_MLX5
    printf("engine %d\n", (int)doca_priv_mlx5_environment());
#endif
    rc = doca_argp_init("secure", NULL);
    if (rc == DOCA_SUCCESS)
        rc = doca_argp_start(argc, argv);
    printf("json %s\n", rc == DOCA_SUCCESS ? "read" : "refused");
    return 0;
}
