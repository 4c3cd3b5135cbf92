/* ---- >>impl.pe ------------------------------------------------------------------------------
 * Active contexts form a ring. The PE serves the first one next; a new context joins at the end.
 * Notification handle: is_armed is set from request_notification to clear_notification.
 * is_signalled is set from a write to event_fd until event_fd is drained.
 * Device failure: any thread may detect a failure. That thread sets obj.state of every PE that may
 * have contexts on the device to DOCA_PRIV_PE_FAILED and then makes the PE's handle readable, even
 * if the PE is not armed. The handle is drained when the state is reset, or at the next regular
 * drain. The lock of doca_priv_fallible_pes protects the list of these PEs, and their event_fd,
 * against use by other threads.                                                                 */
#include "progress/pe_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "base/share_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/hot_trace.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "progress/hot_task.h"
#include "progress/stats_priv.h"
#include "progress/task.h"
#include "progress/task_priv.h"

static struct {
    uint32_t lock;
    struct doca_pe *first;
} doca_priv_fallible_pes;

DOCA_CORE_DECL doca_error_t doca_core_bytes_pe(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_pe), bytes, __func__);
}

DOCA_PRIV_DECL doca_error_t doca_priv_pe_create(struct doca_core_arena *arena, struct doca_pe **pe,
                                                const char *function)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, pe, function);
    void *block = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_object_take(arena, sizeof(**pe), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    *pe = (struct doca_pe *)block;
    doca_priv_object_init(&(*pe)->obj, DOCA_PRIV_KIND_PE);
    (*pe)->arena = arena;
    (*pe)->fd = doca_event_invalid_handle;
    (*pe)->event_fd = doca_event_invalid_handle;
    (*pe)->listen_set = doca_event_invalid_handle;
    (*pe)->inotify = doca_event_invalid_handle;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_pe_create_in(struct doca_core_arena *arena,
                                                   struct doca_pe **pe)
{
    return doca_priv_pe_create(arena, pe, __func__);
}

DOCA_CORE_DECL doca_error_t doca_pe_create(struct doca_pe **pe)
{
    return doca_priv_pe_create(doca_core_arena_bound(), pe, __func__);
}

DOCA_CORE_DECL doca_error_t doca_pe_destroy(struct doca_pe *pe)
{
    DOCA_PRIV_ENTER(pe, __func__)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(pe, DOCA_PRIV_KIND_PE))
        return DOCA_PRIV_FAIL_HANDLE(pe);
    if (pe->ctxs != NULL || pe->watched != NULL)
        return DOCA_PRIV_FAIL(IN_USE, PE_CONNECTED, pe);
    DOCA_PRIV_TRACED(doca_priv_trace_end_left(pe);)
    if (pe->fd != doca_event_invalid_handle)
        doca_priv_sys_wait_close(pe->fd, pe->event_fd);
    DOCA_PRIV_WITH_STATS(doca_priv_stats_detach(&pe->stats, pe);)
    return doca_priv_object_give(pe->arena, &pe->obj);
}

/* Put a context at the head of a list of its PE. */
static void doca_priv_pe_link(struct doca_ctx *ctx, struct doca_ctx **list)
{
    ctx->pe_next = *list;
    ctx->pe_link = list;
    if (*list != NULL)
        (*list)->pe_link = &ctx->pe_next;
    *list = ctx;
}

/* Remove a context from the list of its PE. */
DOCA_PRIV_DECL void doca_priv_pe_unlink(struct doca_ctx *ctx)
{
    *ctx->pe_link = ctx->pe_next;
    if (ctx->pe_next != NULL)
        ctx->pe_next->pe_link = ctx->pe_link;
}

DOCA_PRIV_DECL void doca_priv_pe_adopt(struct doca_pe *pe, struct doca_ctx *ctx)
{
    ctx->pe = pe;
    doca_priv_pe_link(ctx, &pe->ctxs);
}

/* Connect a context. The caller has entered the PE (see DOCA_PRIV_ENTER). This function enters the
 * context, because another thread may be using it. */
static doca_error_t doca_priv_pe_connect(struct doca_pe *pe, struct doca_ctx *ctx,
                                         const char *function)
{
    DOCA_PRIV_ENTER(ctx, function)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (ctx->obj.state != DOCA_CTX_STATE_IDLE)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_CTX_NOT_IDLE, function, ctx);
    if (ctx->pe != NULL)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_CTX_HAS_PE, function, ctx);
    doca_priv_pe_adopt(pe, ctx);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_pe_connect_ctx(struct doca_pe *pe, struct doca_ctx *ctx)
{
    DOCA_PRIV_OPEN(ctx)
    DOCA_PRIV_ENTER(pe, __func__)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(pe, DOCA_PRIV_KIND_PE))
        return DOCA_PRIV_FAIL_HANDLE(pe);
    if (!doca_priv_is_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    return doca_priv_pe_connect(pe, ctx, __func__);
}

/* Make the handle readable, at most once per request. */
DOCA_PRIV_DECL doca_error_t doca_priv_pe_signal(struct doca_pe *pe, const char *function)
{
    if (pe->is_signalled)
        return DOCA_SUCCESS;
    if (!doca_priv_sys_event_signal(pe->event_fd))
        return doca_priv_fail_system(DOCA_CORE_ITEM_PE_SYSTEM, function, pe,
                                     DOCA_PRIV_LOG_TEXT("write to the eventfd of the progress "
                                                        "engine"));
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_WAKE, pe, 0, doca_priv_trace_id(pe));)
    pe->is_signalled = 1;
    if (pe->disarms)
        pe->is_armed = 0;
    return DOCA_SUCCESS;
}

/* Add a context to the ring if it is not there. If the PE is armed and the context has work, signal
 * the handle. */
DOCA_PRIV_DECL void doca_priv_pe_activate(struct doca_ctx *ctx)
{
    struct doca_pe *pe = ctx->pe;
    struct doca_ctx *first = pe->active != NULL ? pe->active : ctx;

    if (ctx->active_next == NULL) {
        pe->active = first;
        ctx->active_prev = ctx; /* the same stores for an empty ring and a non-empty one */
        ctx->active_next = first;
        ctx->active_prev = first->active_prev;
        ctx->active_prev->active_next = ctx;
        first->active_prev = ctx;
    }
    if (pe->is_armed && doca_priv_ctx_has_work(ctx))
        (void)doca_priv_pe_signal(pe, "doca_task_submit");
}

/* Set the state for an empty ring: doca_pe_progress() then counts its calls and checks the devices
 * from time to time. */
static void doca_priv_pe_set_idle(struct doca_pe *pe)
{
    uint8_t was;

    DOCA_PRIV_SWAP(&pe->obj.state, DOCA_PRIV_PE_IDLE, was);
    if (was == DOCA_PRIV_PE_FAILED)
        DOCA_PRIV_STORE(&pe->obj.state, DOCA_PRIV_PE_FAILED);
}

static void doca_priv_pe_leave(struct doca_ctx *ctx)
{
    struct doca_pe *pe = ctx->pe;

    if (pe->active == ctx)
        pe->active = ctx->active_next == ctx ? NULL : ctx->active_next;
    ctx->active_next->active_prev = ctx->active_prev;
    ctx->active_prev->active_next = ctx->active_next;
    ctx->active_next = NULL;
    doca_priv_ctx_use_slow_submit(ctx);
}

DOCA_PRIV_DECL void doca_priv_pe_deactivate(struct doca_ctx *ctx)
{
    struct doca_pe *pe = ctx->pe;

    if (ctx->active_next == NULL)
        return;
    doca_priv_pe_leave(ctx);
    if (pe->num_fallible > 0 && pe->active == NULL)
        doca_priv_pe_set_idle(pe);
}

DOCA_CORE_DECL void doca_core_backend_dev_failed(const struct doca_dev *dev)
{
    struct doca_priv_failure failed = doca_priv_failure_make(
        DOCA_ERROR_DRIVER, DOCA_CORE_ITEM_CTX_DEV_FAILED, __func__, dev);
    struct doca_pe *pe;

    doca_priv_log(&failed);
    doca_priv_lock(&doca_priv_fallible_pes.lock);
    for (pe = doca_priv_fallible_pes.first; pe != NULL; pe = pe->next) {
        DOCA_PRIV_STORE(&pe->obj.state, DOCA_PRIV_PE_FAILED);
        if (pe->event_fd >= 0)
            (void)doca_priv_sys_event_signal(pe->event_fd);
    }
    doca_priv_unlock(&doca_priv_fallible_pes.lock);
}

/* Set the state to QUIET. Returns true if it was FAILED. */
static bool doca_priv_pe_calm(struct doca_pe *pe)
{
    uint8_t was;

    DOCA_PRIV_SWAP(&pe->obj.state, DOCA_PRIV_PE_QUIET, was);
    if (was != DOCA_PRIV_PE_FAILED)
        return false;
    doca_priv_lock(&doca_priv_fallible_pes.lock); /* the thread that set FAILED signals under this
                                                   * lock */
    doca_priv_unlock(&doca_priv_fallible_pes.lock);
    if (pe->event_fd >= 0 && !pe->is_signalled)
        (void)doca_priv_sys_event_drain(pe->event_fd);
    return true;
}

/* True when `ctx` requires that the PE counts calls of doca_pe_progress() that find nothing. */
static bool doca_priv_pe_must_follow(const struct doca_ctx *ctx)
{
    return doca_priv_ctx_is_fallible(ctx) || ctx->stats != 0;
}

/* Count a context that leaves IDLE, if its device can fail or it has counters.
 * doca_priv_pe_unfollow() is called when the context becomes idle again. */
DOCA_PRIV_DECL void doca_priv_pe_follow(struct doca_ctx *ctx)
{
    struct doca_pe *pe = ctx->pe;

    if (!doca_priv_pe_must_follow(ctx))
        return;
    if (pe->num_fallible++ == 0) {
        doca_priv_lock(&doca_priv_fallible_pes.lock);
        pe->next = doca_priv_fallible_pes.first;
        doca_priv_fallible_pes.first = pe;
        doca_priv_unlock(&doca_priv_fallible_pes.lock);
    }
    if (doca_priv_ctx_is_lost(ctx)) { /* the device may have failed before the PE was listed */
        DOCA_PRIV_STORE(&pe->obj.state, DOCA_PRIV_PE_FAILED);
        if (pe->event_fd >= 0)
            (void)doca_priv_sys_event_signal(pe->event_fd);
    }
    else if (pe->active == NULL) /* a context without work does not join the ring */
        doca_priv_pe_set_idle(pe);
}

DOCA_PRIV_DECL void doca_priv_pe_unfollow(struct doca_ctx *ctx)
{
    struct doca_pe *pe = ctx->pe, **link = &doca_priv_fallible_pes.first;

    if (!doca_priv_pe_must_follow(ctx) || --pe->num_fallible > 0)
        return;
    doca_priv_lock(&doca_priv_fallible_pes.lock);
    while (*link != pe)
        link = &(*link)->next;
    *link = pe->next;
    doca_priv_unlock(&doca_priv_fallible_pes.lock);
    (void)doca_priv_pe_calm(pe);
}

/* Check the devices of the contexts in a list, and stop the contexts whose devices have failed. A
 * context that is already stopping waits for its tasks in flight; its device is checked, too, so
 * that the backend notices the failure and poll returns these tasks. A context that begins to stop
 * stays in its list until it is idle. */
static void doca_priv_pe_ask_list(struct doca_ctx *ctx)
{
    const struct doca_dev *asked = NULL;
    bool is_lost = false;

    for (; ctx != NULL; ctx = ctx->pe_next) {
        if (ctx->obj.state == DOCA_CTX_STATE_IDLE)
            continue;
        if (ctx->dev != asked)
            is_lost = doca_priv_ctx_is_lost(ctx);
        asked = ctx->dev;
        if (is_lost && ctx->obj.state != DOCA_CTX_STATE_STOPPING) {
            (void)doca_priv_fail(DOCA_ERROR_DRIVER, DOCA_CORE_ITEM_CTX_DEV_FAILED,
                                 "doca_pe_progress", ctx);
            doca_priv_ctx_enter_stopping(ctx, DOCA_ERROR_IO_FAILED, "doca_pe_progress");
        }
    }
}

static void doca_priv_pe_ask(struct doca_pe *pe)
{
    DOCA_PRIV_WITH_STATS(doca_priv_stats_publish(pe);)
    doca_priv_pe_ask_list(pe->watched);
    doca_priv_pe_ask_list(pe->ctxs);
}

/* Called when doca_pe_progress() found nothing; returns 0. */
static DOCA_PRIV_NOINLINE uint8_t doca_priv_pe_wait(struct doca_pe *pe)
{
    if (++pe->num_fruitless % DOCA_CORE_PE_PATIENCE == 0)
        doca_priv_pe_ask(pe);
    if (pe->active == NULL && DOCA_PRIV_PEEK(&pe->obj.state) == DOCA_PRIV_PE_QUIET)
        doca_priv_pe_set_idle(pe);
    return 0;
}

/* Called by doca_pe_progress() when the state of the PE is not QUIET. */
static DOCA_PRIV_NOINLINE void doca_priv_pe_drain_listeners(struct doca_pe *pe)
{
    if (pe->active == NULL && DOCA_PRIV_PEEK(&pe->obj.state) == DOCA_PRIV_PE_IDLE)
        return;
    if (doca_priv_pe_calm(pe))
        doca_priv_pe_ask(pe);
}

/* Serve the contexts of the ring in turn until a callback has run. */
static uint8_t doca_priv_pe_turn(struct doca_pe *pe, bool is_polled)
{
    struct doca_ctx *ctx, *last;
    struct doca_task *task;

    if (doca_unlikely(DOCA_PRIV_PEEK(&pe->obj.state) != DOCA_PRIV_PE_QUIET))
        doca_priv_pe_drain_listeners(pe);
    if (pe->active == NULL)
        return pe->num_fallible > 0 ? doca_priv_pe_wait(pe) : 0;
    last = pe->active->active_prev;
    do {
        ctx = pe->active;
        pe->active = ctx->active_next;
        if (doca_unlikely(ctx->attention)) {
            if (doca_priv_ctx_attend(ctx))
                return 1;
        } else {
            task = is_polled ? NULL : ctx->queue->poll(ctx->queue);
            if (task != NULL) {
                doca_priv_ctx_complete(ctx, task);
                return 1;
            }
            if (ctx->num_inflight == 0 && !doca_priv_ctx_has_events(ctx))
                doca_priv_pe_leave(ctx);
        }
        is_polled = false;
    } while (ctx != last);
    return doca_unlikely(pe->num_fallible > 0) ? doca_priv_pe_wait(pe) : 0;
}

DOCA_CORE_DECL uint8_t doca_priv_pe_progress_other(struct doca_pe *pe, bool is_polled)
{
    DOCA_PRIV_CHECKED(struct doca_priv_check_visit visit DOCA_PRIV_AT_END(doca_priv_check_leave) =
                          doca_priv_check_enter(pe, "doca_pe_progress", true,
                                                doca_priv_check_place());)
    uint8_t num;

    DOCA_PRIV_CHECKED(if (visit.is_refused) return 0;)
    if (doca_unlikely(!doca_priv_is(pe, DOCA_PRIV_KIND_PE))) {
        (void)doca_priv_fail_handle(pe, "doca_pe_progress");
        return 0;
    }
    if (DOCA_CORE_CHECK >= 2 && pe->is_armed && !pe->disarms)
        (void)doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_PE_ARMED_PROGRESS,
                             "doca_pe_progress", pe);
    num = doca_priv_pe_turn(pe, is_polled);
    DOCA_PRIV_CHECKED(doca_priv_check_leave(&visit);) /* for compilers without cleanups */
    return num;
}

DOCA_CORE_DECL uint8_t doca_pe_progress(struct doca_pe *pe)
{
    return doca_priv_hot_pe_progress(pe);
}

DOCA_CORE_DECL doca_error_t doca_pe_get_num_inflight_tasks(const struct doca_pe *pe,
                                                           size_t *num_inflight_tasks)
{
    doca_error_t rc = doca_priv_check_args(pe, DOCA_PRIV_KIND_PE, num_inflight_tasks, __func__);
    const struct doca_ctx *ctx;
    size_t num = 0;

    if (rc != DOCA_SUCCESS)
        return rc;
    ctx = pe->active; /* contexts with tasks in flight are in the ring */
    if (ctx != NULL) {
        do {
            num += ctx->num_inflight;
            ctx = ctx->active_next;
        } while (ctx != pe->active);
    }
    *num_inflight_tasks = num;
    return DOCA_SUCCESS;
}

/* Add the descriptor of an open queue to the epoll set of the handle, if both exist. */
static bool doca_priv_pe_add_fd(struct doca_ctx *ctx)
{
    const struct doca_pe *pe = ctx->pe;
    int fd = ctx->backend->queue_fd(ctx->queue);

    if (fd < 0 || pe->fd < 0)
        return true;
    if (!doca_priv_sys_watch(pe->fd, fd))
        return false;
    if (pe->is_armed)
        ctx->backend->queue_arm(ctx->queue, true);
    return true;
}

/* Begin to watch the queue of a started context, if the queue has a descriptor or may wait for
 * shared values. Returns false when the epoll set of the handle refuses the descriptor of the
 * queue. */
DOCA_PRIV_DECL bool doca_priv_pe_watch(struct doca_ctx *ctx)
{
    if (ctx->obj.kind == DOCA_PRIV_KIND_SYNC_EVENT || ctx->backend->queue_fd(ctx->queue) >= 0) {
        doca_priv_pe_unlink(ctx);
        doca_priv_pe_link(ctx, &ctx->pe->watched);
    }
    return doca_priv_pe_add_fd(ctx);
}

DOCA_PRIV_DECL void doca_priv_pe_unwatch(struct doca_ctx *ctx)
{
    int fd = ctx->backend->queue_fd(ctx->queue);

    doca_priv_pe_unlink(ctx);
    doca_priv_pe_link(ctx, &ctx->pe->ctxs);
    if (fd >= 0 && ctx->pe->fd >= 0)
        doca_priv_sys_unwatch(ctx->pe->fd, fd);
}

/* Open the handle on first use: a PE that is only polled needs no descriptors. */
static doca_error_t doca_priv_pe_open_handle(struct doca_pe *pe, const char *function)
{
    int event_fd = doca_event_invalid_handle;
    struct doca_ctx *ctx;

    if (pe->fd != doca_event_invalid_handle)
        return DOCA_SUCCESS;
    if (!doca_priv_sys_has_event)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_PE_NO_NOTIFICATION, function,
                              pe);
    pe->fd = doca_priv_sys_wait_open(&event_fd);
    for (ctx = pe->watched; pe->fd >= 0 && ctx != NULL; ctx = ctx->pe_next) {
        if (!doca_priv_pe_add_fd(ctx)) {
            doca_priv_sys_wait_close(pe->fd, event_fd);
            pe->fd = doca_event_invalid_handle;
        }
    }
    if (pe->fd >= 0) {
        doca_priv_lock(&doca_priv_fallible_pes.lock);
        pe->event_fd = event_fd;
        doca_priv_unlock(&doca_priv_fallible_pes.lock);
    }
    return pe->fd >= 0 ? DOCA_SUCCESS
                       : doca_priv_fail_system(DOCA_CORE_ITEM_PE_SYSTEM, function, pe,
                                               DOCA_PRIV_LOG_TEXT("open an epoll set"));
}

DOCA_CORE_DECL doca_error_t doca_pe_get_notification_handle(const struct doca_pe *pe,
                                                            doca_notification_handle_t *handle)
{
    DOCA_PRIV_ENTER(pe, __func__)
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    rc = doca_priv_check_args(pe, DOCA_PRIV_KIND_PE, handle, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_pe_open_handle((struct doca_pe *)(uintptr_t)pe, __func__);
    if (rc == DOCA_SUCCESS)
        *handle = pe->fd;
    return rc;
}

/* Make the handle unreadable. `is_sure`: the caller is sure that only this library writes to the
 * eventfd in the handle; if the library has not written to it, the system call is skipped. */
static doca_error_t doca_priv_pe_drain(struct doca_pe *pe, bool is_sure, const char *function)
{
    bool is_told = DOCA_PRIV_LOAD(&pe->obj.state) == DOCA_PRIV_PE_FAILED;

    if (pe->event_fd >= 0 && (!is_sure || pe->is_signalled || is_told) &&
        !doca_priv_sys_event_drain(pe->event_fd))
        return doca_priv_fail_system(DOCA_CORE_ITEM_PE_SYSTEM, function, pe,
                                     DOCA_PRIV_LOG_TEXT("read the eventfd of the progress engine"));
    pe->is_signalled = 0;
    return DOCA_SUCCESS;
}

static void doca_priv_pe_disarm(struct doca_pe *pe)
{
    struct doca_ctx *ctx;

    for (ctx = pe->watched; ctx != NULL; ctx = ctx->pe_next)
        ctx->backend->queue_arm(ctx->queue, false);
    pe->is_armed = 0;
}

/* Prepare a context of the ring for a notification: its next submit takes the path that may signal
 * the handle, and a context without tasks in flight leaves the ring. Returns true if the context
 * has work. */
static bool doca_priv_pe_prepare(struct doca_ctx *ctx)
{
    if (!ctx->attention && ctx->num_inflight == 0 && !doca_priv_ctx_has_events(ctx)) {
        doca_priv_pe_deactivate(ctx);
        return false;
    }
    if (ctx->must_post) { /* the queue may have room, and no event would report that */
        doca_priv_ctx_post_deferred(ctx, false);
        ctx->backend->queue_arm(ctx->queue, true); /* the queue may not have been armed while it had
                                                    * no tasks */
    }
    doca_priv_ctx_use_slow_submit(ctx);
    return doca_priv_ctx_has_work(ctx);
}

/* Arm the queues, and prepare the contexts of the ring until one of them has work; then return
 * true. The remaining contexts of the ring need no preparation, because the handle becomes
 * readable. A context outside of the ring gets work only by a submit, which adds the context to the
 * ring and signals the handle. */
static bool doca_priv_pe_prepare_all(struct doca_pe *pe)
{
    struct doca_ctx *ctx, *next = pe->active, *last;
    bool has_work;

    for (ctx = pe->watched; ctx != NULL; ctx = ctx->pe_next)
        ctx->backend->queue_arm(ctx->queue, true); /* before the check for work, so that no
                                                    * completion is missed */
    if (next == NULL)
        return false;
    last = next->active_prev;
    do {
        ctx = next;
        next = ctx->active_next;
        has_work = doca_priv_pe_prepare(ctx);
    } while (ctx != last && !has_work);
    return has_work;
}

DOCA_CORE_DECL doca_error_t doca_pe_request_notification(struct doca_pe *pe)
{
    DOCA_PRIV_ENTER(pe, __func__)
    bool has_work;
    doca_error_t rc;

    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(pe, DOCA_PRIV_KIND_PE))
        return DOCA_PRIV_FAIL_HANDLE(pe);
    rc = doca_priv_pe_open_handle(pe, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (pe->listeners != NULL) /* before any value is read, so that later writes are reported */
        doca_priv_sys_listen_drain(pe->listen_set, pe->inotify);
    has_work = doca_priv_pe_prepare_all(pe);
    pe->is_armed = 1;
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_ARM, pe, 0, doca_priv_trace_id(pe));)
    rc = doca_priv_pe_drain(pe, true, __func__); /* from here on, only a new signal makes the handle
                                                  * readable */
    has_work = has_work || DOCA_PRIV_LOAD(&pe->obj.state) == DOCA_PRIV_PE_FAILED;
    if (rc == DOCA_SUCCESS && has_work)
        rc = doca_priv_pe_signal(pe, __func__);
    if (rc != DOCA_SUCCESS)
        doca_priv_pe_disarm(pe);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_pe_clear_notification(struct doca_pe *pe,
                                                       doca_notification_handle_t handle)
{
    DOCA_PRIV_ENTER(pe, __func__)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    (void)handle;
    if (!doca_priv_is(pe, DOCA_PRIV_KIND_PE))
        return DOCA_PRIV_FAIL_HANDLE(pe);
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_CLEAR, pe, 0, doca_priv_trace_id(pe));)
    if (pe->is_armed || pe->is_signalled)
        doca_priv_pe_disarm(pe);
    /* Drain unconditionally: a forked process, or a write to a wrong descriptor, would otherwise
     * keep the handle readable forever. */
    return doca_priv_pe_drain(pe, false, __func__);
}

DOCA_CORE_DECL doca_error_t doca_pe_set_event_mode(struct doca_pe *pe,
                                                   enum doca_pe_event_mode event_mode)
{
    DOCA_PRIV_ENTER(pe, __func__)
    DOCA_PRIV_ALONE(return DOCA_ERROR_NOT_PERMITTED)
    if (!doca_priv_is(pe, DOCA_PRIV_KIND_PE))
        return DOCA_PRIV_FAIL_HANDLE(pe);
    if ((unsigned)event_mode > DOCA_PE_EVENT_MODE_PROGRESS_ALL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, PE_EVENT_MODE, pe);
    pe->disarms = event_mode == DOCA_PE_EVENT_MODE_PROGRESS_ALL;
    if (pe->disarms && pe->is_signalled)
        pe->is_armed = 0;
    return DOCA_SUCCESS;
}
