/* ---- >>hot.engine ---------------------------------------------------------------------------
 * Inline fast paths of the engines: allocation of memcpy and hash tasks, and reads and updates of
 * the value of a sync event. Each function handles the common case; rare cases and errors go
 * to a function of the same name ending in _other.                                              */
#ifndef DOCA_SRC_ENGINE_HOT_ENGINE_H
#define DOCA_SRC_ENGINE_HOT_ENGINE_H

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "object/check.h"
#include "object/hot.h"
#include "device/backend.h"
#include "device/device.h"
#include "memory/buf.h"
#include "memory/buf_array.h"
#include "memory/inventory.h"
#include "progress/ctx.h"
#include "progress/hot_task.h"
#include "progress/pe.h"
#include "progress/task.h"
#include "engine/dma.h"
#include "engine/sha.h"
#include "engine/sync_event.h"

#ifndef DOCA_CORE_NO_DMA
DOCA_CORE_DECL doca_error_t doca_priv_dma_task_memcpy_alloc_other(
    struct doca_dma *dma, const struct doca_buf *src, struct doca_buf *dst,
    union doca_data user_data, struct doca_dma_task_memcpy **task);

DOCA_PRIV_HOT doca_error_t doca_priv_hot_dma_task_memcpy_alloc_init(
    struct doca_dma *dma, const struct doca_buf *src, struct doca_buf *dst,
    union doca_data user_data, struct doca_dma_task_memcpy **task)
{
    DOCA_PRIV_OPEN(dma)
    DOCA_PRIV_OPEN(src)
    DOCA_PRIV_OPEN(dst)
    struct doca_dma_task_memcpy *t;
    doca_error_t rc;

    if (DOCA_CORE_CHECK >= 2 ||
        doca_unlikely(!doca_priv_is_in(dma, DOCA_PRIV_KIND_DMA, DOCA_CTX_STATE_RUNNING)) ||
        doca_unlikely(task == NULL || dma->ctx.free_tasks[0] == NULL)) {
        rc = doca_priv_dma_task_memcpy_alloc_other(dma, src, dst, user_data,
                                                   task != NULL ? &t : NULL);
        if (rc != DOCA_SUCCESS || task == NULL)
            return rc;
        DOCA_PRIV_ASSUME(dma != NULL);
        DOCA_PRIV_ASSUME(t != NULL);
    } else {
        t = (struct doca_dma_task_memcpy *)(void *)doca_priv_task_pop(&dma->ctx, 0, user_data);
        t->src = src;
        t->dst = dst;
    }
    *task = (struct doca_dma_task_memcpy *)DOCA_PRIV_HANDLE(t);
    return DOCA_SUCCESS;
}

DOCA_PRIV_HOT struct doca_task *doca_priv_hot_dma_task_memcpy_as_task(
    struct doca_dma_task_memcpy *task)
{
    return (struct doca_task *)(void *)task;
}
#endif

#ifndef DOCA_CORE_NO_SHA
DOCA_CORE_DECL doca_error_t doca_priv_sha_task_hash_alloc_other(
    struct doca_sha *sha, enum doca_sha_algorithm algorithm, const struct doca_buf *src_buf,
    struct doca_buf *dst_buf, union doca_data user_data, struct doca_sha_task_hash **task);

DOCA_PRIV_HOT doca_error_t doca_priv_hot_sha_task_hash_alloc_init(
    struct doca_sha *sha, enum doca_sha_algorithm algorithm, const struct doca_buf *src_buf,
    struct doca_buf *dst_buf, union doca_data user_data, struct doca_sha_task_hash **task)
{
    DOCA_PRIV_OPEN(sha)
    DOCA_PRIV_OPEN(src_buf)
    DOCA_PRIV_OPEN(dst_buf)
    struct doca_sha_task_hash *t;
    doca_error_t rc;

    if (DOCA_CORE_CHECK >= 2 ||
        doca_unlikely(!doca_priv_is_in(sha, DOCA_PRIV_KIND_SHA, DOCA_CTX_STATE_RUNNING)) ||
        doca_unlikely((uint32_t)algorithm > DOCA_SHA_ALGORITHM_SHA512 || task == NULL ||
                      sha->ctx.free_tasks[DOCA_CORE_SHA_HASH] == NULL)) {
        rc = doca_priv_sha_task_hash_alloc_other(sha, algorithm, src_buf, dst_buf, user_data,
                                                 task != NULL ? &t : NULL);
        if (rc != DOCA_SUCCESS || task == NULL)
            return rc;
        DOCA_PRIV_ASSUME(sha != NULL);
        DOCA_PRIV_ASSUME(t != NULL);
    } else {
        t = (struct doca_sha_task_hash *)(void *)doca_priv_task_pop(&sha->ctx, DOCA_CORE_SHA_HASH,
                                                                    user_data);
        t->src = src_buf;
        t->dst = dst_buf;
        t->algorithm = (uint8_t)algorithm; /* later members are always 0 in hash tasks */
    }
    *task = (struct doca_sha_task_hash *)DOCA_PRIV_HANDLE(t);
    return DOCA_SUCCESS;
}

DOCA_PRIV_HOT struct doca_task *doca_priv_hot_sha_task_hash_as_task(struct doca_sha_task_hash *task)
{
    return (struct doca_task *)(void *)task;
}
#endif

/* ctx.obj.state of a started event that does not work as a context.
 * PLAIN   the value is not shared with other processes and no thread sleeps until it changes, so
 *         an update is a single store or addition
 * SHARED  the value is in a page that other processes may have mapped
 * READ    devices add to the value in a way that is not atomic with the CPU; the CPU only reads */
enum {
    DOCA_PRIV_EVENT_PLAIN = DOCA_CTX_STATE_STOPPING + 1,
    DOCA_PRIV_EVENT_SHARED,
    DOCA_PRIV_EVENT_READ
};

#ifndef DOCA_CORE_NO_SYNC_EVENT
DOCA_PRIV_HOT bool doca_priv_event_is_plain(const struct doca_sync_event *event)
{
    return doca_priv_is_in(event, DOCA_PRIV_KIND_SYNC_EVENT, DOCA_PRIV_EVENT_PLAIN);
}

DOCA_CORE_DECL doca_error_t doca_priv_event_get_other(struct doca_sync_event *event,
                                                      uint64_t *value);

/* The slow path writes to the local variable `other`, never through `value`. So the address of the
 * program's variable is not passed to another function, and the compiler can keep the variable in a
 * register. Otherwise it would have to store the variable to memory, and the next locked
 * instruction would wait for that store. */
DOCA_PRIV_HOT doca_error_t doca_priv_hot_sync_event_get(struct doca_sync_event *event,
                                                        uint64_t *value)
{
    DOCA_PRIV_OPEN(event)
    uint64_t other;
    doca_error_t rc;

    if (doca_likely(doca_priv_event_is_plain(event) && value != NULL)) {
        *value = DOCA_PRIV_LOAD(event->share.value);
        return DOCA_SUCCESS;
    }
    rc = doca_priv_event_get_other(event, value != NULL ? &other : NULL);
    if (rc == DOCA_SUCCESS && value != NULL)
        *value = other;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_priv_event_set_other(struct doca_sync_event *event,
                                                      uint64_t value);

DOCA_PRIV_HOT doca_error_t doca_priv_hot_sync_event_update_set(struct doca_sync_event *event,
                                                               uint64_t value)
{
    DOCA_PRIV_OPEN(event)
    if (doca_likely(doca_priv_event_is_plain(event))) {
        DOCA_PRIV_STORE(event->share.value, value);
        return DOCA_SUCCESS;
    }
    return doca_priv_event_set_other(event, value);
}

DOCA_CORE_DECL doca_error_t doca_priv_event_add_other(struct doca_sync_event *event,
                                                      uint64_t value, uint64_t *fetched);

DOCA_PRIV_HOT doca_error_t doca_priv_hot_sync_event_update_add(struct doca_sync_event *event,
                                                               uint64_t value, uint64_t *fetched)
{
    DOCA_PRIV_OPEN(event)
    uint64_t other;
    doca_error_t rc;

    if (doca_likely(doca_priv_event_is_plain(event) && fetched != NULL)) {
        *fetched = DOCA_PRIV_FETCH_ADD(event->share.value, value);
        return DOCA_SUCCESS;
    }
    rc = doca_priv_event_add_other(event, value, fetched != NULL ? &other : NULL);
    if (rc == DOCA_SUCCESS && fetched != NULL)
        *fetched = other;
    return rc;
}
#endif

#endif
