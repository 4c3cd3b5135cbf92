/* ---- >>mmap_advise --------------------------------------------------------------------------
 * Tasks that make bytes written by a device visible to the CPU, by invalidating the CPU caches of a
 * buffer (later versions). Caches are coherent on the machines that this library supports, so a
 * task only executes a full memory fence and, for a buffer in a dmabuf, the kernel's begin-access
 * and end-access calls.
 * Order of calls:
 *     create -> set_conf -> connect -> start -> alloc_init -> submit -> callback -> free
 * Source: public 3.0 reference, "DOCA MMAP advise".                                             */
#ifndef DOCA_SRC_ENGINE_MMAP_ADVISE_H
#define DOCA_SRC_ENGINE_MMAP_ADVISE_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/check.h"
#include "progress/ctx.h"
#include "progress/task.h"

struct doca_mmap_advise_task_invalidate_cache {
    struct doca_task task;
    struct doca_buf *buf;
    /* Members as in a task with two buffers, for the functions of the checked mode. `none` is
     * NULL. */
    DOCA_PRIV_CHECKED(struct doca_buf *none; uint64_t lives[2];)
};

/* Completion callback of a task. The same type serves success and failure. */
typedef void (*doca_mmap_advise_task_invalidate_cache_completion_cb_t)(
    struct doca_mmap_advise_task_invalidate_cache *task, union doca_data task_user_data,
    union doca_data ctx_user_data);

struct doca_mmap_advise {
    struct doca_ctx ctx;
    struct doca_priv_task_stock stock;
    doca_mmap_advise_task_invalidate_cache_completion_cb_t done, failed;
};

#ifndef DOCA_CORE_NO_MMAP_ADVISE

/* Compute the arena bytes that a started context with `num_tasks` tasks needs. */
#define DOCA_CORE_BYTES_MMAP_ADVISE(num_tasks)                                                     \
    (DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_mmap_advise)) +                                      \
     DOCA_CORE_BYTES_BLOCK(DOCA_CORE_SW_BYTES_QUEUE +                                              \
                           DOCA_PRIV_STOCKED(num_tasks) * DOCA_PRIV_TASK_BYTES))
DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_advise(uint32_t num_tasks, size_t *bytes);

/* Create an idle context on `dev`. doca_core_mmap_advise_create_in() takes the memory from `arena`
 * instead of from the arena of the device.
 *
 * Owns      one block of the arena, and a reference to the device, until destroy
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_mmap_advise_create(struct doca_dev *dev,
                                                    struct doca_mmap_advise **mmap_advise);
DOCA_CORE_DECL doca_error_t doca_core_mmap_advise_create_in(struct doca_core_arena *arena,
                                                            struct doca_dev *dev,
                                                            struct doca_mmap_advise **mmap_advise);

/* Destroy a context and disconnect it from its PE. A running context without allocated tasks is
 * stopped first. State changes that were not reported yet are dropped.
 *
 * Callback  allowed in the context's state callback when the new state is IDLE
 * Errors    IN_USE  tasks are in flight or not freed */
DOCA_CORE_DECL doca_error_t doca_mmap_advise_destroy(struct doca_mmap_advise *mmap_advise);

/* Return the context as a generic context; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_ctx *doca_mmap_advise_as_ctx(struct doca_mmap_advise *mmap_advise);

/* Query a device. Every device supports the tasks. The maximum buffer size is 1 GiB or, if that is
 * more, the maximum number of bytes of a memcpy task of the device.
 *
 *   buf_size  out: maximum number of bytes per task */
DOCA_CORE_DECL doca_error_t doca_mmap_advise_cap_task_cache_invalidate_is_supported(
    const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_mmap_advise_task_cache_invalidate_get_max_buf_size(
    const struct doca_devinfo *devinfo, uint64_t *buf_size);

/* Enable the tasks and set their number and callbacks. Mandatory before start. The call can be
 * repeated while the context is idle.
 *
 *   completion_cb, error_cb  called on success and on failure: exactly one of the two per
 *                            submission. They may be the same function.
 *   num_tasks                number of tasks that can be allocated at the same time, at least 1
 *
 * Errors    NOT_PERMITTED  the context is not idle */
DOCA_CORE_DECL doca_error_t doca_mmap_advise_task_invalidate_cache_set_conf(
    struct doca_mmap_advise *mmap_advise,
    doca_mmap_advise_task_invalidate_cache_completion_cb_t completion_cb,
    doca_mmap_advise_task_invalidate_cache_completion_cb_t error_cb, uint32_t num_tasks);

/* Allocate a task. It fails with IO_FAILED when the buffer was returned or exceeds the maximum
 * size, or when its mmap is not started on the device, not readable, or imported so that only RDMA
 * tasks reach it. A failed task does not stop the context.
 *
 *   buf  a single buffer; the rest of a list is ignored. The task invalidates all memory of the
 *        buffer, not only its data. NULL is allowed here, and the buffer is set later.
 *
 * Callback  allowed
 * Cost      O(1)
 * Errors    BAD_STATE  the context is not running
 *           NO_MEMORY  all tasks are allocated */
DOCA_CORE_DECL doca_error_t doca_mmap_advise_task_invalidate_cache_alloc_init(
    struct doca_mmap_advise *mmap_advise, struct doca_buf *buf, union doca_data user_data,
    struct doca_mmap_advise_task_invalidate_cache **task);

/* Return the task as a generic task; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_task *doca_mmap_advise_task_invalidate_cache_as_doca_task(
    struct doca_mmap_advise_task_invalidate_cache *task);

/* Get or set the buffer. Setting the buffer of a free or submitted task is logged and has no
 * effect. The getter returns NULL for a NULL task. */
DOCA_CORE_DECL void doca_mmap_advise_task_invalidate_cache_set_buf(
    struct doca_mmap_advise_task_invalidate_cache *task, struct doca_buf *buf);
DOCA_CORE_DECL struct doca_buf *doca_mmap_advise_task_invalidate_cache_get_buf(
    const struct doca_mmap_advise_task_invalidate_cache *task);

#endif /* DOCA_CORE_NO_MMAP_ADVISE */

#endif
