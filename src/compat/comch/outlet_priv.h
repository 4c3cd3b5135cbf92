/* ---- >>priv.comch.outlet ---------------------------------------------------------------------
 * Producers, and the declarations of >>impl.comch.outlet for other parts.                       */
#ifndef DOCA_SRC_COMPAT_COMCH_OUTLET_PRIV_H
#define DOCA_SRC_COMPAT_COMCH_OUTLET_PRIV_H

#include "base/compiler.h"
#include "base/types.h"
#include "device/backend.h"
#include "memory/buf.h"
#include "progress/ctx.h"
#include "progress/task.h"
#include "compat/comch/config.h"
#include "compat/comch/objects_priv.h"
#include "compat/comch/producer.h"

struct doca_priv_engine;

struct doca_comch_producer {
    struct doca_ctx ctx;
    struct doca_priv_task_stock stock;
    struct doca_comch_connection *connection;
    doca_comch_producer_task_send_completion_cb_t done, failed;
    uint32_t id;
};

enum doca_priv_comch_stage {
    DOCA_PRIV_COMCH_WAITS,   /* the task waits for its chunk */
    DOCA_PRIV_COMCH_STREAMS, /* the task is streaming its message through the chunk */
    DOCA_PRIV_COMCH_ENDED
};

struct doca_comch_producer_task_send {
    struct doca_task task;
    const struct doca_buf *buf; /* NULL: the message has immediate data only */
    struct doca_priv_comch_lane *lane;
    struct doca_comch_producer_task_send *next_waiting;
    uint64_t num_written; /* bytes that were written to the ring so far */
    uint32_t consumer_id;
    uint32_t ticket;
    uint8_t stage;
    bool sleeps;      /* the task is counted in ring.producers_sleep */
    bool is_streamed; /* the bit of the task's chunk in lane.busy_chunks is set */
    bool is_user;     /* the task is counted in lane.num_users */
    uint8_t imm_len;
    uint8_t imm[DOCA_CORE_COMCH_MAX_IMM];
};

DOCA_PRIV_DATA const struct doca_priv_engine doca_priv_comch_outlet_engine;

DOCA_PRIV_DECL const struct doca_core_backend *
doca_priv_comch_outlet_backend_of(const struct doca_dev *dev);

#endif
