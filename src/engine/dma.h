/* ---- >>dma ----------------------------------------------------------------------------------
 * The copy engine. A memcpy task copies all data of a source buffer list into the tailroom of a
 * destination buffer list (the free bytes after the data of each buffer). On success the data of
 * the destination grows by the number of bytes copied; on failure all data lengths are unchanged.
 * If a task fails because the export that it reads has ended, no byte of the source remains in the
 * destination: the bytes that the task had overwritten are set to 0, and all other bytes are
 * unchanged.
 * One exception: if a memcpy task that consists of several mlx5 requests is flushed, the
 * destination may keep the bytes of the requests that the device had completed while the export was
 * still valid.
 * Source and destination may overlap if each is a single buffer; the result is as with memmove().
 * Overlapping lists are rejected by doca_task_try_submit(). doca_task_submit() accepts them and
 * leaves unspecified bytes in the tailroom of the destination.
 * Order of calls:
 *     create -> set_conf -> connect -> start -> alloc_init -> submit -> callback -> free
 * Source: DOCA DMA guide; public 3.0 reference, "DOCA DMA".                                     */
#ifndef DOCA_SRC_ENGINE_DMA_H
#define DOCA_SRC_ENGINE_DMA_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/check.h"
#include "progress/ctx.h"

/* Completion callback of a memcpy task. The same type serves success and failure. */
typedef void (*doca_dma_task_memcpy_completion_cb_t)(struct doca_dma_task_memcpy *task,
                                                     union doca_data task_user_data,
                                                     union doca_data ctx_user_data);

struct doca_dma {
    struct doca_ctx ctx;
    struct doca_priv_task_stock memcpy_stock;
    doca_dma_task_memcpy_completion_cb_t memcpy_done;
    doca_dma_task_memcpy_completion_cb_t memcpy_failed;
    bool is_ordered; /* argument of the last doca_dma_set_ordered_completions() */
};

#ifndef DOCA_CORE_NO_DMA

/* Compute the arena bytes that a started DMA context with `num_tasks` tasks needs. The macro is for
 * the software device. Queues of other devices can be larger; the function asks the backend of
 * `dev` for the size. */
#define DOCA_CORE_BYTES_DMA(num_tasks)                                                             \
    (DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_dma)) +                                              \
     DOCA_CORE_BYTES_BLOCK(DOCA_CORE_SW_BYTES_QUEUE +                                              \
                           DOCA_PRIV_STOCKED(num_tasks) * DOCA_PRIV_TASK_BYTES))
DOCA_CORE_DECL doca_error_t doca_core_bytes_dma(struct doca_dev *dev, uint32_t num_tasks,
                                                size_t *bytes);

/* Create an idle DMA context on `dev`. doca_core_dma_create_in() takes the memory from `arena`
 * instead of from the arena of the device.
 *
 * Owns      one block of the arena, and a reference to the device, until destroy
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_dma_create(struct doca_dev *dev, struct doca_dma **dma);
DOCA_CORE_DECL doca_error_t doca_core_dma_create_in(struct doca_core_arena *arena,
                                                    struct doca_dev *dev, struct doca_dma **dma);

/* Destroy a DMA context and disconnect it from its PE. A running context without allocated tasks is
 * stopped first. State changes that were not reported yet are dropped.
 *
 *   dma  the context; with NULL the call does nothing and returns SUCCESS
 *
 * Callback  allowed in the context's state callback when the new state is IDLE
 * Errors    IN_USE  tasks are in flight or not freed */
DOCA_CORE_DECL doca_error_t doca_dma_destroy(struct doca_dma *dma);

/* Require that tasks of this context complete in the order of their submission (later versions).
 * Devices whose backend has `in_order` set, such as the software device and mlx5 devices, keep this
 * order in any case. On these devices the setting only has an effect during fault injection (see
 * >>fault), which does not delay, hold back or reorder tasks of a context that requires the order.
 *
 *   enable  nonzero requires the order; 0, the initial setting, does not
 *
 * Threads   the thread of the context; allowed in any state of the context
 * Errors    NOT_SUPPORTED  `enable` is nonzero and the device does not promise an order
 * Source    public programs of 3.x; that the call is allowed in any state is Assumed */
DOCA_CORE_DECL doca_error_t doca_dma_set_ordered_completions(struct doca_dma *dma, uint8_t enable);

/* Return the DMA context as a generic context; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_ctx *doca_dma_as_ctx(struct doca_dma *dma);

/* Return the GPU handle of a DMA context whose data path runs on a GPU (later versions).
 *
 * Errors    BAD_STATE  always: no data path of this library runs on a GPU */
DOCA_CORE_DECL doca_error_t doca_dma_get_gpu_handle(struct doca_dma *dma,
                                                    struct doca_gpu_dma **gpu_dma);

/* Query the copy engine of a device.
 *
 *   max_buf_list_len  out: maximum number of buffers per list; 1: lists are not supported
 *   buf_size          out: maximum number of bytes per task
 *   max_num_tasks     out: maximum number of tasks per context; 0 if the device has no copy engine
 *
 * Errors    NOT_SUPPORTED  the device has no copy engine (get_max_num_tasks succeeds instead) */
DOCA_CORE_DECL doca_error_t doca_dma_cap_task_memcpy_is_supported(
    const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_dma_cap_task_memcpy_get_max_buf_list_len(
    const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len);
DOCA_CORE_DECL doca_error_t doca_dma_cap_task_memcpy_get_max_buf_size(
    const struct doca_devinfo *devinfo, uint64_t *buf_size);
DOCA_CORE_DECL doca_error_t doca_dma_cap_get_max_num_tasks(struct doca_dma *dma,
                                                           uint32_t *max_num_tasks);

/* Enable memcpy tasks and set their number and callbacks. Mandatory before start. The call can be
 * repeated while the context is idle.
 *
 *   task_completion_cb, task_error_cb  called on success and on failure: exactly one of the two per
 *                                      submission. They may be the same function.
 *   num_memcpy_tasks                   number of tasks that can be allocated at the same time, at
 *                                      least 1
 *
 * Errors    INVALID_VALUE  also: the number is 0, or exceeds doca_dma_cap_get_max_num_tasks() on a
 *                          device that has a copy engine (without one, start fails with
 *                          NOT_SUPPORTED)
 *           BAD_STATE      the context is not idle */
DOCA_CORE_DECL doca_error_t doca_dma_task_memcpy_set_conf(
    struct doca_dma *dma, doca_dma_task_memcpy_completion_cb_t task_completion_cb,
    doca_dma_task_memcpy_completion_cb_t task_error_cb, uint32_t num_memcpy_tasks);

/* Allocate a memcpy task.
 *
 *   src, dst  the buffers; NULL is allowed here, and the buffers are set later. The program keeps
 *             its references to them.
 *
 * Callback  allowed
 * Cost      O(1)
 * Errors    BAD_STATE  the context is not running
 *           NO_MEMORY  all tasks are allocated */
DOCA_CORE_DECL doca_error_t doca_dma_task_memcpy_alloc_init(struct doca_dma *dma,
                                                            const struct doca_buf *src,
                                                            struct doca_buf *dst,
                                                            union doca_data user_data,
                                                            struct doca_dma_task_memcpy **task);

/* Return the memcpy task as a generic task; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_task *doca_dma_task_memcpy_as_task(struct doca_dma_task_memcpy *task);

/* Get or set a buffer of the task. Setting a buffer of a free or submitted task is logged and has
 * no effect. Getters return NULL for a NULL task. */
DOCA_CORE_DECL void doca_dma_task_memcpy_set_src(struct doca_dma_task_memcpy *task,
                                                 const struct doca_buf *src);
DOCA_CORE_DECL const struct doca_buf *doca_dma_task_memcpy_get_src(
    const struct doca_dma_task_memcpy *task);
DOCA_CORE_DECL void doca_dma_task_memcpy_set_dst(struct doca_dma_task_memcpy *task,
                                                 struct doca_buf *dst);
DOCA_CORE_DECL struct doca_buf *doca_dma_task_memcpy_get_dst(
    const struct doca_dma_task_memcpy *task);

#endif /* DOCA_CORE_NO_DMA */

#endif
