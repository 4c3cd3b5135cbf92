/* ---- >>mlx5.priv.rep -------------------------------------------------------------------------
 * Declarations of >>mlx5.rep for other parts.                                                   */
#ifndef DOCA_SRC_MLX5_REP_PRIV_H
#define DOCA_SRC_MLX5_REP_PRIV_H

#include "mlx5/config.h"
#include "mlx5/platform_priv.h"

struct doca_core_dev_attr;

DOCA_PRIV_DECL uint32_t doca_priv_mlx5_enumerate_reps(struct doca_dev *dev, int filter,
                                                      struct doca_core_dev_attr *attrs,
                                                      uint32_t max);

#endif
