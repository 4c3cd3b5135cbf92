/* ---- >>mlx5.priv.dm --------------------------------------------------------------------------
 * Declarations of >>mlx5.dm for other parts.                                                    */
#ifndef DOCA_SRC_MLX5_DM_PRIV_H
#define DOCA_SRC_MLX5_DM_PRIV_H

#include "mlx5/config.h"
#include "mlx5/platform_priv.h"

struct doca_priv_mlx5_dev;
struct doca_priv_mlx5_dm;

DOCA_PRIV_DECL size_t doca_priv_mlx5_dm_bytes(size_t len);
DOCA_PRIV_DECL struct doca_priv_mlx5_dm *doca_priv_mlx5_dm_find(struct doca_priv_mlx5_dev *d,
                                                                uint32_t mkey, bool remove);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_dm_alloc(struct doca_dev *dev, size_t len, void **addr,
                                                    uint32_t *mkey, uint32_t *internal_mkey);
DOCA_PRIV_DECL void doca_priv_mlx5_dm_free(struct doca_dev *dev, uint32_t mkey);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_dm_copy(struct doca_dev *dev, uint32_t mkey,
                                                   size_t offset, void *bytes, size_t len,
                                                   bool is_write);

#endif
