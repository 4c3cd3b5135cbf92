/* ---- >>impl.rdma.verbs_sync -----------------------------------------------------------------
 * Tasks on sync events of the peer, on connections between queue pairs. The device reads, writes or
 * adds to the 8 bytes of the value. The export descriptor of the event contains the address and the
 * key of the value (>>impl.sync_card).                                                           */
#include "compat/rdma/verbs_sync_priv.h"

#include "base/compiler.h"
#include "base/error.h"
#include "base/log.h"
#include "base/types.h"
#include "engine/sync_event.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/platform_priv.h"
#include "compat/rdma/verbs_priv.h"

#ifdef DOCA_CORE_RDMA_VERBS

/* Check that the event of a task has a key. The event is a live object. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_verbs_check_event(const struct doca_task *task,
                                                             enum doca_core_item *item)
{
    const struct doca_priv_rdma_task *op = (const struct doca_priv_rdma_task *)(const void *)task;

    *item = DOCA_CORE_ITEM_RDMA_NO_EVENTS;
    return op->event->rkey != 0 ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
}

/* Fill in the request of a task on an event. */
DOCA_PRIV_DECL void doca_priv_rdma_verbs_fill_event(struct doca_priv_rdma_task *op,
                                                    struct ibv_send_wr *wr)
{
    const bool is_set = op->task.type == DOCA_PRIV_RDMA_EVENT_SET;

    op->ticket = sizeof(uint64_t);
    if (op->task.type == DOCA_PRIV_RDMA_EVENT_ADD) {
        wr->opcode = IBV_WR_ATOMIC_FETCH_AND_ADD;
        wr->wr.atomic.remote_addr = op->event->addr;
        wr->wr.atomic.rkey = op->event->rkey;
        wr->wr.atomic.compare_add = op->values[0];
    } else {
        wr->opcode = is_set ? IBV_WR_RDMA_WRITE : IBV_WR_RDMA_READ;
        wr->wr.rdma.remote_addr = op->event->addr;
        wr->wr.rdma.rkey = op->event->rkey;
    }
    wr->num_sge = doca_priv_rdma_verbs_gather(op->local, op->task.ctx->dev, !is_set,
                                              sizeof(uint64_t), wr->sg_list);
}

#endif /* DOCA_CORE_RDMA_VERBS */
