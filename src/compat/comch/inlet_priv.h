/* ---- >>priv.comch.inlet ----------------------------------------------------------------------
 * Consumers, and the declarations of >>impl.comch.inlet for other parts.                        */
#ifndef DOCA_SRC_COMPAT_COMCH_INLET_PRIV_H
#define DOCA_SRC_COMPAT_COMCH_INLET_PRIV_H

#include "base/compiler.h"
#include "base/types.h"
#include "device/backend.h"
#include "memory/buf.h"
#include "progress/ctx.h"
#include "progress/task.h"
#include "compat/comch/config.h"
#include "compat/comch/consumer.h"
#include "compat/comch/objects_priv.h"

struct doca_priv_comch_inlet;
struct doca_priv_engine;

struct doca_comch_consumer {
    struct doca_ctx ctx;
    struct doca_priv_task_stock stock;
    struct doca_comch_connection *connection;
    struct doca_mmap *mmap;
    struct doca_priv_comch_inlet *inlet; /* queue of the consumer while started; with fault
                                          * injection, ctx.queue is another queue */
    doca_comch_consumer_task_post_recv_completion_cb_t done, failed;
    uint32_t id;
    uint32_t imm_len; /* maximum length of immediate data in bytes */
};

struct doca_comch_consumer_task_post_recv {
    struct doca_task task;
    struct doca_buf *buf;
    uint64_t len; /* length of the received message in bytes */
    uint32_t producer_id;
    uint32_t ticket; /* ticket of the task while it is posted */
    uint8_t imm_len;
    uint8_t imm[DOCA_CORE_COMCH_MAX_IMM];
};

DOCA_PRIV_DATA const struct doca_priv_engine doca_priv_comch_inlet_engine;

DOCA_PRIV_DECL const struct doca_core_backend *
doca_priv_comch_inlet_backend_of(const struct doca_dev *dev);
DOCA_PRIV_DECL bool doca_priv_comch_inlet_takes(const struct doca_comch_consumer *consumer,
                                                const struct doca_buf *buf);

#endif
