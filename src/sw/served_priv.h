/* ---- >>priv.sw.served ------------------------------------------------------------------------
 * Queues that workers serve: functions for the backend table.                                   */
#ifndef DOCA_SRC_SW_SERVED_PRIV_H
#define DOCA_SRC_SW_SERVED_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "device/backend.h"
#include "sw/lanes_priv.h"
#include "sw/worker_priv.h"

struct doca_priv_sha_kernels;
struct doca_priv_sw_served;
struct doca_priv_sw_served_queue;

#if !defined(DOCA_CORE_NO_DMA)
DOCA_PRIV_DECL doca_error_t doca_priv_sw_served_dma_post(struct doca_core_queue *queue,
                                                         struct doca_task *task);
#endif
#if !defined(DOCA_CORE_NO_SHA)
DOCA_PRIV_DECL doca_error_t doca_priv_sw_served_sha_post(struct doca_core_queue *queue,
                                                         struct doca_task *task);
#endif
DOCA_PRIV_DECL struct doca_task *doca_priv_sw_served_poll(struct doca_core_queue *queue);
DOCA_PRIV_DECL bool doca_priv_sw_served_ready(struct doca_priv_sw_served *served);
DOCA_PRIV_DECL void doca_priv_sw_served_arm(struct doca_priv_sw_served *served, bool armed);
DOCA_PRIV_DECL doca_error_t doca_priv_sw_served_open(struct doca_dev *dev, uint32_t num_tasks,
                                                     struct doca_priv_sw_served **served);
DOCA_PRIV_DECL DOCA_CORE_UNUSED void
doca_priv_sw_served_begin(struct doca_priv_sw_served *served,
                          const struct doca_priv_sha_kernels *kernels);
DOCA_PRIV_DECL void doca_priv_sw_served_flush(struct doca_priv_sw_served *served,
                                              doca_error_t status);
DOCA_PRIV_DECL void doca_priv_sw_served_close(struct doca_priv_sw_served *served);

DOCA_PRIV_HOT struct doca_priv_sw_served *doca_priv_sw_served_of(
    const struct doca_core_queue *queue)
{
    return ((const struct doca_priv_sw_served_queue *)(const void *)queue)->served;
}

#endif
