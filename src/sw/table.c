/* ---- >>impl.sw.table ------------------------------------------------------------------------
 * The backend table of the software device. Its queues are plain queues or, on a device with
 * workers, queues that workers serve (>>impl.sw.served). With DOCA_CORE_NO_SW the table lists no
 * devices.                                                                                      */
#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "object/log_priv.h"
#include "device/backend.h"
#include "device/backend_priv.h"
#include "device/device.h"
#include "progress/ctx.h"
#include "progress/task.h"
#include "progress/task_priv.h"
#include "sw/clock_priv.h"
#include "sw/copy_priv.h"
#include "sw/hash_priv.h"
#include "sw/ram_priv.h"
#include "sw/served_priv.h"
#include "sw/sw_priv.h"
#include "sw/topology_priv.h"
#include "sw/worker_priv.h"

#ifndef DOCA_CORE_NO_SW

/* Poll of a queue that was flushed: return tasks without executing them. */
static struct doca_task *doca_priv_sw_poll_flushed(struct doca_core_queue *queue)
{
    struct doca_task *task = queue->first;

    if (task != NULL) {
        queue->first = task->next;
        if (task->status != DOCA_SUCCESS) /* the task was flushed before it was executed */
            (void)doca_priv_fail((doca_error_t)task->status, DOCA_CORE_ITEM_FLUSHED,
                                 "doca_pe_progress", task);
    }
    return task;
}

static size_t doca_priv_sw_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                       uint32_t depth)
{
    (void)dev;
    (void)engine;
    (void)depth;
    return DOCA_CORE_SW_BYTES_QUEUE;
}

static doca_error_t doca_priv_sw_queue_open(struct doca_core_queue *queue,
                                            enum doca_core_engine engine, uint32_t depth)
{
    (void)engine;
    (void)depth;
    queue->post = doca_core_queue_append;
    DOCA_PRIV_WITH_DMA(if (engine != DOCA_CORE_ENGINE_SHA) doca_priv_sw_dma_open(queue);)
    DOCA_PRIV_WITH_SHA(if (engine == DOCA_CORE_ENGINE_SHA) doca_priv_sw_sha_open(queue);)
    return DOCA_SUCCESS;
}

static void doca_priv_sw_queue_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_task *task = queue->first;
    uint32_t num_done = 0;

    if (task != NULL && task->ctx->engine->id == DOCA_CORE_ENGINE_SHA)
        num_done = ((struct doca_priv_sw_sha_queue *)(void *)queue)->num_done;
    for (; task != NULL; task = task->next)
        if (num_done > 0)
            num_done--;
        else
            task->status = (uint8_t)status;
    queue->poll = doca_priv_sw_poll_flushed;
}

static bool doca_priv_sw_queue_ready(struct doca_core_queue *queue)
{
    return queue->first != NULL;
}

/* True when workers serve the queue. The post function shows this, because it never changes. */
static bool doca_priv_sw_is_served(const struct doca_core_queue *queue)
{
    DOCA_PRIV_WITH_DMA(if (queue->post == doca_priv_sw_served_dma_post) return true;)
    DOCA_PRIV_WITH_SHA(if (queue->post == doca_priv_sw_served_sha_post) return true;)
    (void)queue;
    return false;
}

static doca_error_t doca_priv_sw_any_queue_open(struct doca_core_queue *queue,
                                                enum doca_core_engine engine, uint32_t depth)
{
    struct doca_priv_sw_served *served = NULL;
    doca_error_t rc = doca_priv_sw_served_open(queue->dev, depth, &served);

    if (rc != DOCA_SUCCESS || served == NULL)
        return rc != DOCA_SUCCESS ? rc : doca_priv_sw_queue_open(queue, engine, depth);
    served->plain.queue.backend = queue->backend;
    served->plain.queue.dev = queue->dev;
    (void)doca_priv_sw_queue_open(&served->plain.queue, engine, depth);
    ((struct doca_priv_sw_served_queue *)(void *)queue)->served = served;
    queue->poll = doca_priv_sw_served_poll;
    DOCA_PRIV_WITH_DMA(if (engine != DOCA_CORE_ENGINE_SHA) {
        queue->post = doca_priv_sw_served_dma_post;
        doca_priv_sw_served_begin(served, NULL);
    })
    DOCA_PRIV_WITH_SHA(if (engine == DOCA_CORE_ENGINE_SHA) {
        queue->post = doca_priv_sw_served_sha_post;
        doca_priv_sw_served_begin(served, served->plain.sha.kernels);
    })
    return DOCA_SUCCESS;
}

static void doca_priv_sw_any_queue_close(struct doca_core_queue *queue)
{
    if (doca_priv_sw_is_served(queue))
        doca_priv_sw_served_close(doca_priv_sw_served_of(queue));
}

static void doca_priv_sw_any_queue_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_priv_sw_served *served;

    if (doca_priv_sw_is_served(queue)) {
        served = doca_priv_sw_served_of(queue);
        doca_priv_sw_served_flush(served, status);
        doca_priv_sw_queue_flush(&served->plain.queue, status);
    } else {
        doca_priv_sw_queue_flush(queue, status);
    }
}

static bool doca_priv_sw_any_queue_ready(struct doca_core_queue *queue)
{
    return doca_priv_sw_is_served(queue) ? doca_priv_sw_served_ready(doca_priv_sw_served_of(queue))
                                         : doca_priv_sw_queue_ready(queue);
}

static int doca_priv_sw_any_queue_fd(struct doca_core_queue *queue)
{
    return doca_priv_sw_is_served(queue) ? doca_priv_sw_served_of(queue)->fd : -1;
}

static void doca_priv_sw_any_queue_arm(struct doca_core_queue *queue, bool armed)
{
    if (doca_priv_sw_is_served(queue))
        doca_priv_sw_served_arm(doca_priv_sw_served_of(queue), armed);
}

DOCA_CORE_DECL const struct doca_core_backend *doca_core_sw_backend(void)
{
    static const struct doca_core_backend backend = {
        "sw",
        doca_priv_sw_enumerate,
        doca_priv_sw_enumerate_reps,
        doca_priv_absent_dev_open,
        doca_priv_absent_dev_close,
        doca_priv_sw_reg,
        doca_priv_absent_dereg,
        doca_priv_sw_queue_bytes,
        doca_priv_sw_any_queue_open,
        doca_priv_absent_queue_opening,
        doca_priv_sw_any_queue_close,
        doca_priv_sw_any_queue_flush,
        doca_priv_sw_any_queue_ready,
        doca_priv_sw_any_queue_fd,
        doca_priv_sw_any_queue_arm,
        doca_priv_absent_get_pd,
        doca_priv_sw_open_from_pd,
        doca_priv_absent_arr_start,
        doca_priv_absent_arr_stop,
        doca_priv_sw_reg_range,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        0,
        true,
        doca_priv_sw_rep_mem_open,
        doca_priv_sw_rep_mem_close,
        doca_priv_sw_clock_cap,
        doca_priv_sw_clock_read,
    };

    return &backend;
}

#else /* without the software device, its table has no device and needs no queue */

DOCA_PRIV_DECL uint32_t doca_priv_sw_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    (void)attrs;
    (void)max;
    return 0;
}

DOCA_CORE_DECL const struct doca_core_backend *doca_core_sw_backend(void)
{
    static const struct doca_core_backend backend = {
        "sw",
        doca_priv_sw_enumerate,
        NULL,
        doca_priv_absent_dev_open,
        doca_priv_absent_dev_close,
        doca_priv_absent_reg,
        doca_priv_absent_dereg,
        NULL,
        NULL,
        doca_priv_absent_queue_opening,
        doca_priv_absent_queue_close,
        NULL,
        NULL,
        doca_priv_absent_queue_fd,
        doca_priv_absent_queue_arm,
        doca_priv_absent_get_pd,
        doca_priv_absent_open_from_pd,
        doca_priv_absent_arr_start,
        doca_priv_absent_arr_stop,
        doca_priv_absent_reg_range,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        0,
        false,
        NULL,
        NULL,
        NULL,
        NULL,
    };

    return &backend;
}

#endif /* DOCA_CORE_NO_SW */
