/* ---- >>mlx5.priv.share -----------------------------------------------------------------------
 * Declarations of >>mlx5.share for other parts.                                                 */
#ifndef DOCA_SRC_MLX5_SHARE_PRIV_H
#define DOCA_SRC_MLX5_SHARE_PRIV_H

#include "mlx5/config.h"
#include "mlx5/platform_priv.h"

struct doca_core_range;
struct doca_core_refusal;

DOCA_PRIV_DECL bool doca_priv_mlx5_get_status(const uint8_t *out, struct doca_core_refusal *why);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_mem_export(struct doca_dev *dev, uint32_t mkey,
                                                      uint32_t internal_mkey, bool is_rdma,
                                                      unsigned char blob[DOCA_CORE_EXPORT_BYTES]);
DOCA_PRIV_DECL void doca_priv_mlx5_mem_unexport(struct doca_dev *dev, uint32_t mkey,
                                                uint32_t internal_mkey, bool is_rdma);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_mem_import(
    struct doca_dev *dev, const struct doca_core_range *range, bool is_rdma,
    const unsigned char blob[DOCA_CORE_EXPORT_BYTES], uint32_t *mkey, uint32_t *internal_mkey);
DOCA_PRIV_DECL void doca_priv_mlx5_mem_unimport(struct doca_dev *dev, uint32_t mkey,
                                                uint32_t internal_mkey);

#endif
