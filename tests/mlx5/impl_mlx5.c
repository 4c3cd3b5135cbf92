/* Compiles the implementation in both headers, for the suites on RDMA devices: the RDMA devices
 * replace the software devices, which are hidden. With DOCA_CORE_MLX5_ENGINE the first device must
 * copy with that engine. */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"
#define DOCA_CORE_MLX5_IMPLEMENTATION
#include "mlx5_trap.h"

#include "other_backend.h"

#include <stdio.h>

_Static_assert(DOCA_CORE_MLX5_BYTES_DMA(128) <= TEST_BYTES_DMA(128), "test memory");

static void show_devices(void)
{
    static const struct doca_core_dev_attr none;

    (void)doca_core_sw_set_devices(&none, 0);
}

static enum doca_core_mlx5_engine engine_used;

static size_t bytes_dma(size_t num_tasks)
{
    return DOCA_CORE_MLX5_BYTES_DMA(num_tasks) -
           (engine_used == DOCA_CORE_MLX5_ENGINE_VERBS ? DOCA_PRIV_MLX5_RINGS(num_tasks) : 0);
}

struct test_backend test_other_backend = { .name = "mlx5", .bytes_reg = DOCA_CORE_MLX5_BYTES_REG,
                                           .bytes_dma = bytes_dma, .show = show_devices };

static void end_program(const char *why)
{
    printf("no test on mlx5: %s\n", why);
    exit(1);
}

/* Check that the first device copies as the environment requests, and collect the properties of the
 * devices. */
static bool has_the_engine(void)
{
    const char *name = getenv("DOCA_CORE_MLX5_ENGINE");
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint8_t has_export = 0;
    bool has = false;
    uint32_t num, i;

    if (doca_devinfo_create_list(&list, &num) != DOCA_SUCCESS)
        return false;
    for (i = 0; i < num && i < 2; i++)
        (void)doca_devinfo_get_pci_addr_str(list[i], test_other_backend.pci_addrs[i]);
    (void)doca_mmap_cap_is_export_pci_supported(list[0], &has_export);
    test_other_backend.has_card = has_export != 0;
    if (doca_dev_open(list[0], &dev) == DOCA_SUCCESS) {
        has = doca_core_mlx5_get_engine(dev, &engine_used) == DOCA_SUCCESS &&
              (name == NULL || engine_used == doca_priv_mlx5_environment());
        (void)doca_dev_close(dev);
    }
    (void)doca_devinfo_destroy_list(list);
    return has;
}

__attribute__((constructor)) static void begin(void)
{
    struct doca_core_mlx5_options options = { mlx5_trap_sys(), DOCA_CORE_MLX5_ENGINE_AUTO };
    struct ibv_device **devices;
    int num = 0;

    devices = ibv_get_device_list(&num);
    if (devices != NULL)
        ibv_free_device_list(devices);
    test_other_backend.num_devs = (uint32_t)num;
    if (doca_core_backend_register(doca_core_mlx5_backend(&options)) != DOCA_SUCCESS)
        end_program(doca_core_last_error());
    show_devices();
    if (!has_the_engine())
        end_program("no RDMA device, or the first one does not copy with DOCA_CORE_MLX5_ENGINE");
}
