/* doca_core as a compiled library, with the vendor's log, argument parser, App Shield, clocks,
 * Comch and RDMA, and for programs of DOCA 1.x. With DOCA_CORE_LIBRARY_MLX5, it also has the RDMA
 * devices of doca_core_mlx5.h. */
#ifdef DOCA_CORE_LIBRARY_MLX5
#define DOCA_CORE_RDMA_VERBS
#define DOCA_CORE_MLX5_IMPLEMENTATION
#endif
#define DOCA_CORE_IMPLEMENTATION
#define DOCA_CORE_LOG_IMPLEMENTATION
#define DOCA_CORE_ARGP_IMPLEMENTATION
#define DOCA_CORE_APSH_IMPLEMENTATION
#define DOCA_CORE_CLOCK_IMPLEMENTATION
#define DOCA_CORE_COMCH_IMPLEMENTATION
#define DOCA_CORE_RDMA_IMPLEMENTATION
#include "doca_core_vendor.h"

#include "doca_core_legacy.h"

#ifdef DOCA_CORE_LIBRARY_MLX5
#include "doca_core_mlx5.h"

/* List the RDMA devices of the machine, if it has any. Programs for the SDK select a device by its
 * PCI address or take the first one, and the default software devices have the addresses of a real
 * DPU. Therefore they are listed beside RDMA devices only if DOCA_CORE_SW_TOPOLOGY is set. */
__attribute__((constructor)) static void doca_priv_library_begin(void)
{
    static const struct doca_core_dev_attr none;
    struct ibv_device **list;
    int num = 0;

    list = ibv_get_device_list(&num);
    if (list != NULL)
        ibv_free_device_list(list);
    if (num > 0 && doca_core_backend_register(doca_core_mlx5_backend(NULL)) == DOCA_SUCCESS &&
        doca_priv_sys_env("DOCA_CORE_SW_TOPOLOGY") == NULL)
        (void)doca_core_sw_set_devices(&none, 0);
}
#endif
