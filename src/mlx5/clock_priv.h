/* ---- >>mlx5.priv.clock -----------------------------------------------------------------------
 * Declarations of >>mlx5.clock for other parts.                                                 */
#ifndef DOCA_SRC_MLX5_CLOCK_PRIV_H
#define DOCA_SRC_MLX5_CLOCK_PRIV_H

#include "mlx5/config.h"
#include "mlx5/device_priv.h"
#include "mlx5/platform_priv.h"

DOCA_PRIV_DECL void doca_priv_mlx5_find_clock(struct doca_priv_mlx5_caps *caps,
                                              struct ibv_context *context);
DOCA_PRIV_DECL uint64_t doca_priv_mlx5_cycles_to_ns(uint64_t cycles, uint64_t khz);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_clock_cap(const struct doca_core_dev_attr *attr,
                                                     enum doca_core_nic_clock clock);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_clock_read(struct doca_dev *dev,
                                                      enum doca_core_nic_clock clock,
                                                      const char *function, uint64_t *ns);

#endif
