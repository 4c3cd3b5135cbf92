/* ---- >>mlx5.priv.mkey ------------------------------------------------------------------------
 * Declarations of >>mlx5.mkey for other parts.                                                  */
#ifndef DOCA_SRC_MLX5_MKEY_PRIV_H
#define DOCA_SRC_MLX5_MKEY_PRIV_H

#include "mlx5/config.h"
#include "mlx5/platform_priv.h"

struct doca_core_range;
struct doca_priv_mlx5_dev;
struct doca_priv_mlx5_reg;

DOCA_PRIV_DECL unsigned doca_priv_mlx5_access(uint32_t access);
DOCA_PRIV_DECL void doca_priv_mlx5_reg_add(struct doca_priv_mlx5_dev *d,
                                           struct doca_priv_mlx5_reg *reg);
DOCA_PRIV_DECL struct doca_priv_mlx5_reg *
doca_priv_mlx5_reg_find(struct doca_priv_mlx5_dev *d, uint32_t mkey, bool is_import, bool remove);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_arena_alloc(const struct doca_dev *dev, size_t bytes,
                                                       const char *function, void **block);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_reg_range(struct doca_dev *dev,
                                                     const struct doca_core_range *range,
                                                     uint32_t *mkey, uint32_t *internal_mkey);
DOCA_PRIV_DECL void doca_priv_mlx5_dereg(struct doca_dev *dev, uint32_t mkey);

#endif
