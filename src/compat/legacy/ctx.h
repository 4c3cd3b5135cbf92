/* ---- >>legacy.ctx ----------------------------------------------------------------------------
 * Contexts of DMA and, in >>legacy.sha, of SHA. Devices are added and removed while a context is
 * stopped. Work queues are attached and detached while it is started.
 * Threads: any.
 * Source: 1.3 guide, 4.8 and 5.5.                                                               */
#ifndef DOCA_SRC_COMPAT_LEGACY_CTX_H
#define DOCA_SRC_COMPAT_LEGACY_CTX_H

#include "base/config.h"
#include "base/error.h"
#include "compat/legacy/config.h"

struct doca_core_legacy_ctx;
struct doca_core_legacy_dma;
struct doca_dev;
struct doca_devinfo;
struct doca_workq;

/* Create a stopped DMA context, or destroy one. Destroy accepts NULL and then does nothing.
 *
 * Owns      one block of the bound arena
 * Errors    NO_MEMORY  the arena is exhausted
 *           IN_USE     destroy: the context has a device, and possibly work queues */
DOCA_CORE_DECL doca_error_t doca_core_legacy_dma_create(struct doca_core_legacy_dma **dma);
DOCA_CORE_DECL doca_error_t doca_core_legacy_dma_destroy(struct doca_core_legacy_dma *dma);

/* Return the context of a DMA object, which is the same object. Returns NULL for NULL. */
DOCA_CORE_DECL struct doca_core_legacy_ctx *doca_core_legacy_dma_as_ctx(
    struct doca_core_legacy_dma *dma);

enum doca_dma_devinfo_caps {
    DOCA_DMA_CAP_NONE = 0,
    DOCA_DMA_CAP_HW_OFFLOAD = 1u << 0 /* the device copies; software devices also report it */
};

/* Get the capabilities of a device: a mask of enum doca_dma_devinfo_caps. */
DOCA_CORE_DECL doca_error_t doca_dma_devinfo_caps_get(struct doca_devinfo *devinfo, uint32_t *caps);

/* Add the device to the context, or remove it.
 *
 * Owns      a reference on the device until rm
 * Errors    BAD_STATE      the context is started
 *           IN_USE         add: the context has this device already
 *           NOT_SUPPORTED  add: the device has no such engine, or the context has another device
 *           NOT_FOUND      rm: the context does not have the device */
DOCA_CORE_DECL doca_error_t doca_ctx_dev_add(struct doca_core_legacy_ctx *ctx,
                                             struct doca_dev *dev);
DOCA_CORE_DECL doca_error_t doca_ctx_dev_rm(struct doca_core_legacy_ctx *ctx, struct doca_dev *dev);

/* Start or stop the context. Stopping a stopped context does nothing.
 *
 * Errors    INVALID_VALUE  start: `ctx` is invalid, or it has no device
 *           BAD_STATE      start: the context is started already
 *           NOT_PERMITTED  stop: work queues are attached */
DOCA_CORE_DECL doca_error_t doca_core_legacy_ctx_start(struct doca_core_legacy_ctx *ctx);
DOCA_CORE_DECL doca_error_t doca_core_legacy_ctx_stop(struct doca_core_legacy_ctx *ctx);

/* Attach a work queue, which then accepts jobs of the context. Call this from the thread of the
 * work queue. The call waits until the device has started.
 *
 * Owns      four blocks of the arena of the work queue until rm
 * Errors    BAD_STATE       the context is not started
 *           IN_USE          the work queue is attached already
 *           NO_MEMORY       the arena is exhausted
 *           INITIALIZATION  the device did not start, or another code that the device returned */
DOCA_CORE_DECL doca_error_t doca_ctx_workq_add(struct doca_core_legacy_ctx *ctx,
                                               struct doca_workq *workq);

/* Detach a work queue. Call this from the thread of the work queue.
 *
 * Errors    BAD_STATE      the context is not started
 *           NOT_FOUND      the work queue is not attached
 *           NOT_PERMITTED  jobs are in flight, or events of jobs have not been retrieved, or
 *                          graphs are attached to the work queue */
DOCA_CORE_DECL doca_error_t doca_ctx_workq_rm(struct doca_core_legacy_ctx *ctx,
                                              struct doca_workq *workq);

/* Get limits of a device, in the form of 1.5.
 *
 * Errors    NOT_SUPPORTED  the device cannot copy */
DOCA_CORE_DECL doca_error_t doca_dma_get_max_list_buf_num_elem(const struct doca_devinfo *devinfo,
                                                               uint32_t *max_list_num_elem);
DOCA_CORE_DECL doca_error_t doca_dma_get_max_buf_size(const struct doca_devinfo *devinfo,
                                                      uint64_t *buf_size);

#endif
