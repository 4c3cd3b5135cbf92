/* ---- >>mlx5.priv.sysfs -----------------------------------------------------------------------
 * Declarations of >>mlx5.sysfs for other parts.                                                 */
#ifndef DOCA_SRC_MLX5_SYSFS_PRIV_H
#define DOCA_SRC_MLX5_SYSFS_PRIV_H

#include "mlx5/config.h"
#include "mlx5/device_priv.h"
#include "mlx5/platform_priv.h"

struct doca_core_dev_attr;

#define DOCA_PRIV_MLX5_PATH_BYTES (IBV_SYSFS_PATH_MAX + 128)

enum doca_priv_mlx5_port_kind {
    DOCA_PRIV_MLX5_PORT_OTHER = 0,
    DOCA_PRIV_MLX5_PORT_UPLINK = 1,
    DOCA_PRIV_MLX5_PORT_PF = 2, /* PF, VF, SF: the port of a representor */
    DOCA_PRIV_MLX5_PORT_VF = 3,
    DOCA_PRIV_MLX5_PORT_SF = 4
};

struct doca_priv_mlx5_port { /* a port of an eswitch */
    enum doca_priv_mlx5_port_kind kind;
    bool has_controller; /* the function belongs to another machine, behind this controller */
    uint32_t controller;
    uint32_t pf;
    uint32_t number; /* number of the VF or SF */
};

DOCA_PRIV_DECL void doca_priv_mlx5_copy_text(char *to, size_t bytes, const char *from);
DOCA_PRIV_DECL void doca_priv_mlx5_describe_path(struct doca_core_dev_attr *attr, const char *path);
DOCA_PRIV_DECL bool doca_priv_mlx5_append(char *path, const char *text);
DOCA_PRIV_DECL bool doca_priv_mlx5_read_attr(const char *dir, const char *name, const char *file,
                                             char *text, size_t bytes);
DOCA_PRIV_DECL bool doca_priv_mlx5_read_switch(const char *dir, const char *name,
                                               char text[DOCA_PRIV_MLX5_SWITCH_BYTES]);
DOCA_PRIV_DECL void doca_priv_mlx5_find_parent(const char *dir, const char *name,
                                               char addr[DOCA_DEVINFO_PCI_ADDR_SIZE]);
DOCA_PRIV_DECL void doca_priv_mlx5_net_dir(const struct ibv_device *device,
                                           char path[DOCA_PRIV_MLX5_PATH_BYTES]);
DOCA_PRIV_DECL struct doca_priv_mlx5_port doca_priv_mlx5_parse_port(const char *text);
DOCA_PRIV_DECL void doca_priv_mlx5_describe_names(struct doca_core_dev_attr *attr,
                                                  const struct ibv_device *device);

#endif
