/* ---- >>mlx5.priv.find ------------------------------------------------------------------------
 * Declarations of >>mlx5.find for other parts.                                                  */
#ifndef DOCA_SRC_MLX5_FIND_PRIV_H
#define DOCA_SRC_MLX5_FIND_PRIV_H

#include "mlx5/api.h"
#include "mlx5/config.h"
#include "mlx5/device_priv.h"
#include "mlx5/platform_priv.h"

struct doca_core_dev_attr;
struct doca_priv_mlx5_caps;
struct doca_priv_mlx5_dev;

DOCA_PRIV_DECL int doca_priv_mlx5_read_port(struct doca_priv_mlx5_caps *caps,
                                            struct ibv_context *context,
                                            struct ibv_port_attr *port);
DOCA_PRIV_DECL void doca_priv_mlx5_find(enum doca_core_mlx5_engine wanted);
DOCA_PRIV_DECL struct doca_priv_mlx5_card *doca_priv_mlx5_find_card(const char *name);
DOCA_PRIV_DECL uint32_t doca_priv_mlx5_enumerate(struct doca_core_dev_attr *attrs, uint32_t max);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_dev_open(struct doca_dev *dev);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_open_from_pd(struct doca_dev *dev, struct ibv_pd *pd);
DOCA_PRIV_DECL struct doca_priv_mlx5_dev *doca_priv_mlx5_dev_of(const struct doca_dev *dev);
DOCA_PRIV_DECL void doca_priv_mlx5_dev_close(struct doca_dev *dev);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_get_pd(const struct doca_dev *dev, struct ibv_pd **pd);
DOCA_PRIV_DECL void doca_priv_mlx5_handle_event(struct doca_priv_mlx5_dev *d,
                                                const struct ibv_async_event *event);
DOCA_PRIV_DECL void doca_priv_mlx5_read_events(struct doca_priv_mlx5_dev *d);
DOCA_PRIV_DECL bool doca_priv_mlx5_dev_failed(struct doca_dev *dev);

static inline bool doca_priv_mlx5_is_fatal(const struct doca_priv_mlx5_dev *d)
{
    return __atomic_load_n(&d->card->num_failures, __ATOMIC_RELAXED) != d->failures_at_open;
}

#endif
