/* ---- >>impl.check.flight --------------------------------------------------------------------
 * Checks of objects that tasks in flight use, and of released buffers and tasks.                */
#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "memory/buf.h"
#include "memory/export_priv.h"
#include "memory/hot_buf.h"
#include "memory/inventory.h"
#include "memory/mmap.h"
#include "progress/ctx.h"
#include "progress/task.h"
#include "engine/mmap_advise.h"
#include "engine/sha_priv.h"
#include "check/handles_priv.h"

#if DOCA_CORE_CHECK >= 2

/* Called by getters: report that the buffer was released, or that its content is read while it is
 * in flight. */
DOCA_CORE_DECL void doca_priv_check_read_buf(const struct doca_buf *buf, bool is_content,
                                             const char *function)
{
    if (buf->flags == 0)
        (void)doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_BUF_RETURNED, function, buf);
    else if (is_content && buf->check.is.num_tasks > 0)
        (void)doca_priv_fail(DOCA_ERROR_IN_USE, DOCA_CORE_ITEM_CHECK_IN_FLIGHT, function, buf);
}

DOCA_CORE_DECL void doca_priv_check_read_task(const struct doca_task *task, const char *function)
{
    if (task->state == DOCA_PRIV_TASK_FREE)
        (void)doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_TASK_NOT_OWNED, function, task);
}

/* Report a read of a result that a task in flight does not have yet, or a write to the user data of
 * a task in flight. */
DOCA_CORE_DECL void doca_priv_check_has_ended(const struct doca_task *task, const char *function)
{
    if (task->state == DOCA_PRIV_TASK_SUBMITTED)
        (void)doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_TASK_NOT_OWNED, function, task);
}

/* True, with a report, when a task in flight uses the buffer or, with `is_list`, any buffer of the
 * list that begins with it. A task that uses a buffer uses all buffers after it, too. */
DOCA_PRIV_DECL bool doca_priv_check_is_busy(const struct doca_buf *buf, bool is_list,
                                            const char *function)
{
    if ((is_list ? buf->last : buf)->check.is.num_tasks == 0)
        return false;
    while (buf->check.is.num_tasks == 0 && buf->next != NULL)
        buf = buf->next;
    (void)doca_priv_fail(DOCA_ERROR_IN_USE, DOCA_CORE_ITEM_CHECK_IN_FLIGHT, function, buf);
    return true;
}

/* Get the buffer lists of a task; both are NULL if tasks of its type have no buffers. */
static void doca_priv_check_buffers(const struct doca_task *task, struct doca_buf **src,
                                    struct doca_buf **dst)
{
    const struct doca_dma_task_memcpy *t = (const struct doca_dma_task_memcpy *)(const void *)task;
    const uint8_t kind = task->ctx->obj.kind;

    *src = *dst = NULL;
    if (kind == DOCA_PRIV_KIND_MMAP_ADVISE)
        *src = ((const struct doca_mmap_advise_task_invalidate_cache *)(const void *)task)->buf;
    if (kind != DOCA_PRIV_KIND_DMA && kind != DOCA_PRIV_KIND_SHA)
        return;
    /* analyzer: bugprone-sizeof-expression: the sizes of pointers are intended */
    DOCA_PRIV_COPY(src, &t->src, sizeof(*src));
    DOCA_PRIV_COPY(dst, &t->dst, sizeof(*dst));
}

/* Return the serial number of a buffer; 0 if `buf` is not a live buffer. */
DOCA_PRIV_DECL uint64_t doca_priv_check_life_of(const struct doca_buf *buf)
{
    return doca_priv_is_buf(buf) ? buf->check.is.life : 0;
}

/* Return the buffer of a task that was replaced by another one at the same address, or NULL. */
DOCA_PRIV_DECL const struct doca_buf *doca_priv_check_find_other(const struct doca_task *task)
{
    const struct doca_dma_task_memcpy *t = (const struct doca_dma_task_memcpy *)(const void *)task;
    struct doca_buf *src, *dst;
    uint64_t lives[2];

    doca_priv_check_buffers(task, &src, &dst);
    if (src == NULL && dst == NULL)
        return NULL;
    DOCA_PRIV_COPY(lives, t->lives, sizeof(lives));
    return src != NULL && doca_priv_check_life_of(src) != lives[0]   ? src
           : dst != NULL && doca_priv_check_life_of(dst) != lives[1] ? dst
                                                                     : NULL;
}

/* Compute the number of bytes that a task writes to its destination. */
static uint64_t doca_priv_check_bytes(const struct doca_task *task, const struct doca_buf *src)
{
    uint64_t bytes = 0;

    (void)task;
    DOCA_PRIV_WITH_SHA(
        if (task->ctx->obj.kind == DOCA_PRIV_KIND_SHA) return doca_priv_sha_written(task);)
    for (; src != NULL; src = src->next)
        bytes += src->data_len;
    return bytes;
}

DOCA_PRIV_DECL bool doca_priv_check_is_out(const struct doca_buf *buf)
{
    return doca_priv_is_buf(buf) && buf->flags != 0;
}

/* True when a list of the task is circular, so that walking it would never end. */
DOCA_PRIV_DECL bool doca_priv_check_has_ring(const struct doca_task *task)
{
    const struct doca_buf *buf, *mark;
    struct doca_buf *lists[2];
    unsigned i;
    size_t num;

    doca_priv_check_buffers(task, &lists[0], &lists[1]);
    for (i = 0; i < 2; i++)
        for (buf = lists[i], mark = NULL, num = 0; doca_priv_check_is_out(buf);
             buf = buf->next, num++) {
            if (buf == mark)
                return true;
            if ((num & (num + 1)) == 0)
                mark = buf;
        }
    return false;
}

/* Called when a task lacks a buffer or has a released buffer. Return the buffer whose history
 * explains the error, or NULL. */
DOCA_PRIV_DECL const void *doca_priv_check_returned(const struct doca_task *task)
{
    struct doca_buf *src, *dst;

    doca_priv_check_buffers(task, &src, &dst);
    return src != NULL && !doca_priv_check_is_out(src)   ? src
           : dst != NULL && !doca_priv_check_is_out(dst) ? dst
                                                         : doca_priv_check_find_other(task);
}

/* Find a buffer in which a task in flight writes to bytes of [begin, end) of process `pid`; or
 * return NULL. The caller holds written_lock. */
static const struct doca_buf *doca_priv_check_find_writer(uintptr_t begin, uintptr_t end,
                                                          uint32_t pid)
{
    const struct doca_buf *other = doca_priv_check_all.written;

    while (other != NULL && (begin >= other->check.is.end || other->check.is.begin >= end ||
                             other->check.is.begin == other->check.is.end ||
                             pid != other->check.is.pid))
        other = other->check.is.next;
    return other;
}

/* Record one more task that writes to [begin, end) of `buf`. The caller holds written_lock. */
static void doca_priv_check_write(struct doca_buf *buf, uintptr_t begin, uintptr_t end,
                                  uint32_t pid)
{
    struct doca_buf **first = &doca_priv_check_all.written;

    if (buf->check.is.num_writers++ > 0) { /* every writer begins at the end of the content, so
                                            * `begin` stays */
        buf->check.is.end = end > buf->check.is.end ? end : buf->check.is.end;
        return;
    }
    buf->check.is.begin = begin;
    buf->check.is.end = end;
    buf->check.is.pid = pid;
    buf->check.is.num_forks = doca_priv_check_all.num_forks;
    buf->check.is.next = *first;
    buf->check.is.link = first;
    if (*first != NULL)
        (*first)->check.is.link = &buf->check.is.next;
    *first = buf;
}

/* Find another task in flight that writes to bytes to which this task would write. With `is_begun`,
 * record this task as a writer instead. The caller holds written_lock. */
static const struct doca_buf *doca_priv_check_written(struct doca_buf *dst, uint64_t left,
                                                      bool is_begun)
{
    const struct doca_buf *other = NULL;
    uintptr_t begin;
    uint32_t pid;
    size_t room;

    for (; dst != NULL && other == NULL; dst = dst->next) {
        room = doca_priv_buf_tailroom(dst);
        room = left < room ? (size_t)left : room;
        left -= room;
        begin = doca_priv_far_place(dst->mmap, dst->data + dst->data_len, &pid);
        if (is_begun)
            doca_priv_check_write(dst, begin, begin + room, pid);
        else if (room > 0)
            other = doca_priv_check_find_writer(begin, begin + room, pid);
    }
    return other;
}

/* Record the submit of a task, and report an overlap with another task in flight. */
DOCA_PRIV_DECL void doca_priv_check_begin(struct doca_task *task)
{
    const struct doca_buf *other;
    struct doca_buf *src, *dst, *buf;
    uint64_t bytes;

    doca_priv_check_buffers(task, &src, &dst);
    bytes = doca_priv_check_bytes(task, src);
    doca_priv_check_watch_forks();
    doca_priv_check_note(task, DOCA_PRIV_NOTE_SUBMITTED);
    doca_priv_lock(&doca_priv_check_all.written_lock);
    for (; src != NULL; src = src->next)
        src->check.is.num_tasks++;
    for (buf = dst; buf != NULL; buf = buf->next)
        buf->check.is.num_tasks++;
    other = doca_priv_check_written(dst, bytes, false);
    (void)doca_priv_check_written(dst, bytes, true);
    if (other != NULL) /* still under the lock, which keeps the buffer and its state valid */
        doca_priv_last = doca_priv_failure_make(DOCA_ERROR_IN_USE, DOCA_CORE_ITEM_CHECK_OVERLAP,
                                                doca_priv_check_function(task->ctx->pe), other);
    doca_priv_unlock(&doca_priv_check_all.written_lock);
    if (other != NULL)
        doca_priv_log(&doca_priv_last);
}

/* Record the completion of a task. */
DOCA_CORE_DECL void doca_priv_check_finish(struct doca_task *task)
{
    struct doca_buf *src, *dst;

    doca_priv_check_buffers(task, &src, &dst);
    doca_priv_check_note(task, DOCA_PRIV_NOTE_COMPLETED);
    doca_priv_lock(&doca_priv_check_all.written_lock);
    for (; src != NULL; src = src->next)
        src->check.is.num_tasks--;
    for (; dst != NULL; dst = dst->next) {
        dst->check.is.num_tasks--;
        if (--dst->check.is.num_writers > 0 ||
            dst->check.is.num_forks != doca_priv_check_all.num_forks) /* the parent's list has the
                                                                       * buffer */
            continue;
        *dst->check.is.link = dst->check.is.next;
        if (dst->check.is.next != NULL)
            dst->check.is.next->check.is.link = dst->check.is.link;
    }
    doca_priv_unlock(&doca_priv_check_all.written_lock);
}

/* Append a released buffer to the free list, so that all other free buffers are reused before it.
 * The list is never empty, because it contains at least the extra elements of the checked mode. A
 * pool has no slots for these elements: the released buffer passes its slot on to the first free
 * buffer without a slot. Buffers of an inventory have no slots, so there this has no effect. */
DOCA_CORE_DECL void doca_priv_check_bury_buf(struct doca_priv_stock *stock, struct doca_buf *buf)
{
    buf->next = NULL;
    stock->last_free->next = buf;
    stock->last_free = buf;
    stock->no_slot->head = buf->head;
    stock->no_slot = stock->no_slot->next;
}

DOCA_CORE_DECL void doca_priv_check_bury_task(struct doca_task *task)
{
    struct doca_ctx *ctx = task->ctx;

    task->next = NULL;
    ctx->last_free[task->type]->next = task;
    ctx->last_free[task->type] = task;
    ctx->num_free[task->type]++;
    doca_priv_check_note(task, DOCA_PRIV_NOTE_RETURNED);
}

#endif

DOCA_CORE_DECL uint64_t doca_core_check_num_reports(void)
{
#if DOCA_CORE_CHECK >= 2
    return DOCA_PRIV_LOAD(&doca_priv_check_reports);
#else
    return 0;
#endif
}

DOCA_CORE_DECL doca_error_t doca_core_check_life(const void *object, char *text, size_t bytes)
{
    DOCA_PRIV_CHECKED(struct doca_priv_text to;)

    if (object == NULL || text == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    if (bytes < 96)
        return DOCA_PRIV_FAIL(INVALID_VALUE, TEXT_TOO_SHORT, NULL);
#if DOCA_CORE_CHECK >= 2
    to.at = text;
    to.end = text + bytes - 1;
    return doca_priv_check_add_life(object, "", &to)
               ? DOCA_SUCCESS
               : DOCA_PRIV_FAIL(NOT_FOUND, CHECK_NO_LIFE, NULL);
#else
    return DOCA_PRIV_FAIL(NOT_SUPPORTED, CHECK_OFF, NULL);
#endif
}
