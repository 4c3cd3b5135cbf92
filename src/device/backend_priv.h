/* ---- >>priv.backend --------------------------------------------------------------------------
 * Declarations for the other parts: the flags that let a remote side write, and the functions
 * doca_priv_absent_*, which replace optional functions that a backend's table lacks.            */
#ifndef DOCA_SRC_DEVICE_BACKEND_PRIV_H
#define DOCA_SRC_DEVICE_BACKEND_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/types.h"
#include "device/backend.h"

struct doca_core_range;

#define DOCA_PRIV_ACCESS_OF_WRITERS /* permissions that let a remote side write */                 \
    ((uint32_t)DOCA_ACCESS_FLAG_PCI_READ_WRITE | (uint32_t)DOCA_ACCESS_FLAG_RDMA_WRITE |           \
     (uint32_t)DOCA_ACCESS_FLAG_RDMA_ATOMIC)

DOCA_PRIV_DECL doca_error_t doca_priv_absent_dev_open(struct doca_dev *dev);
DOCA_PRIV_DECL void doca_priv_absent_dev_close(struct doca_dev *dev);
DOCA_PRIV_DECL doca_error_t doca_priv_absent_reg(struct doca_dev *dev, void *addr, size_t len,
                                                 uint32_t access, uint32_t *mkey);
DOCA_PRIV_DECL void doca_priv_absent_dereg(struct doca_dev *dev, uint32_t mkey);
DOCA_PRIV_DECL doca_error_t doca_priv_absent_reg_range(struct doca_dev *dev,
                                                       const struct doca_core_range *range,
                                                       uint32_t *mkey, uint32_t *internal_mkey);
DOCA_PRIV_DECL doca_error_t doca_priv_absent_queue_opening(struct doca_core_queue *queue);
DOCA_PRIV_DECL void doca_priv_absent_queue_close(struct doca_core_queue *queue);
DOCA_PRIV_DECL int doca_priv_absent_queue_fd(struct doca_core_queue *queue);
DOCA_PRIV_DECL void doca_priv_absent_queue_arm(struct doca_core_queue *queue, bool armed);
DOCA_PRIV_DECL doca_error_t doca_priv_absent_get_pd(const struct doca_dev *dev, struct ibv_pd **pd);
DOCA_PRIV_DECL doca_error_t doca_priv_absent_open_from_pd(struct doca_dev *dev, struct ibv_pd *pd);
DOCA_PRIV_DECL doca_error_t doca_priv_absent_arr_start(struct doca_dev *dev,
                                                       const struct doca_buf_arr *arr,
                                                       void **handle);
DOCA_PRIV_DECL void doca_priv_absent_arr_stop(struct doca_dev *dev, const struct doca_buf_arr *arr,
                                              void *handle);

#endif
