/* List the functions that this machine may represent. Each RDMA device that manages an eswitch
 * lists its representors: of functions of the host, and of its sub functions. The program prints
 * "unknown" for what the card or its kernel does not tell. Exit status 77: no device has
 * representors. The Arm side of a BlueField has them, and an emulated card can:
 * tools/mlx5sim/run --device name=bf,netdev=p0 --device name=sf,sf=4
 *   --device name=host,host=1 --device name=vf,host=1,vf=0 -- 27_mlx5_representors
 *
 *     p0 at 0000:03:00.0, on the side of the DPU:
 *       pf0hpf       physical function at 0000:0b:00.0, vhca 3, MLX5SIMHOSTS0D0F3
 *       pf0vf0       virtual function at 0000:0b:00.1, vhca 4, MLX5SIMHOSTS0D0F4
 *       en3f0pf0sf4  sub function at 0000:03:00.0, vhca 2, MLX5SIMDPUS0D0F2
 */
#define DOCA_CORE_MLX5_IMPLEMENTATION
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core_mlx5.h"

#include <stdio.h>
#include <stdlib.h>

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

static void show(const struct doca_devinfo_rep *rep)
{
    static const char *const types[] = { "physical", "virtual", "sub" };
    char iface[DOCA_DEVINFO_IFACE_NAME_SIZE], vuid[DOCA_DEVINFO_REP_VUID_SIZE];
    char addr[DOCA_DEVINFO_REP_PCI_ADDR_SIZE] = "no known one", vhca[16] = "unknown";
    enum doca_pci_func_type type;
    uint16_t id;
    doca_error_t rc;

    check(doca_devinfo_rep_get_iface_name(rep, iface, sizeof(iface)));
    check(doca_devinfo_rep_get_pci_func_type(rep, &type));
    check(doca_devinfo_rep_get_vuid(rep, vuid, sizeof(vuid)));
    rc = doca_devinfo_rep_get_pci_addr_str(rep, addr);
    check(rc == DOCA_ERROR_NOT_SUPPORTED ? DOCA_SUCCESS : rc);
    rc = doca_devinfo_rep_get_vhca_id(rep, &id);
    check(rc == DOCA_ERROR_NOT_SUPPORTED ? DOCA_SUCCESS : rc);
    if (rc == DOCA_SUCCESS)
        snprintf(vhca, sizeof(vhca), "%u", id);
    printf("  %-12s %s function at %s, vhca %s, %s\n", iface, types[type], addr, vhca, vuid);
}

/* How many representors the device has. */
static uint32_t show_all(struct doca_devinfo *info)
{
    static const char *const sides[] = { "unknown", "the DPU", "the host" };
    char iface[DOCA_DEVINFO_IFACE_NAME_SIZE], addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    struct doca_devinfo_rep **reps;
    enum doca_core_side side;
    struct doca_dev *dev;
    uint32_t num = 0, i;
    doca_error_t rc;

    check(doca_dev_open(info, &dev));
    rc = doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &num);
    if (rc == DOCA_SUCCESS) {
        check(doca_devinfo_get_iface_name(info, iface, sizeof(iface)));
        check(doca_devinfo_get_pci_addr_str(info, addr));
        check(doca_core_devinfo_get_side(info, &side));
        printf("%s at %s, on the side of %s:\n", iface, addr, sides[side]);
        for (i = 0; i < num; i++)
            show(reps[i]);
        check(doca_devinfo_rep_destroy_list(reps));
    }
    check(rc == DOCA_ERROR_NOT_SUPPORTED ? DOCA_SUCCESS : rc); /* the device has no representors */
    check(doca_dev_close(dev));
    return num;
}

int main(void)
{
    static const struct doca_core_dev_attr none;
    struct doca_devinfo **list;
    uint32_t num, num_reps = 0, i;
    doca_error_t rc;

    check(doca_core_sw_set_devices(&none, 0)); /* list only the devices of the machine */
    check(doca_core_backend_register(doca_core_mlx5_backend(NULL)));
    rc = doca_devinfo_create_list(&list, &num);
    if (rc == DOCA_ERROR_NOT_FOUND)
        return 77;
    check(rc);
    for (i = 0; i < num; i++)
        num_reps += show_all(list[i]);
    check(doca_devinfo_destroy_list(list));
    return num_reps > 0 ? EXIT_SUCCESS : 77;
}
