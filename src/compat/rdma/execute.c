/* ---- >>impl.rdma.execute --------------------------------------------------------------------
 * Checks of submitted tasks, and the execution of tasks that need no action of the peer: reads,
 * writes, atomic tasks, and tasks on sync events of the peer.                                    */
#include "compat/rdma/execute_priv.h"

#include "base/compiler.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/share_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/hot.h"
#include "object/hot_trace.h"
#include "object/object_priv.h"
#include "device/device.h"
#include "memory/buf.h"
#include "memory/export_priv.h"
#include "memory/hot_buf.h"
#include "memory/mmap.h"
#include "memory/mmap_get_priv.h"
#include "progress/task_priv.h"
#include "engine/sync_event.h"
#include "engine/sync_shared_priv.h"
#include "sw/sw_priv.h"
#include "compat/rdma/config.h"
#include "compat/rdma/connection_priv.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/ring_priv.h"

#define DOCA_PRIV_RDMA_WORD sizeof(uint64_t) /* bytes of an atomic value, and of a sync event */

/* Polls in a row that find the lock of the peer held before its holder is suspected to have ended.
 */
#define DOCA_PRIV_RDMA_LOCK_PATIENCE 256u

static bool doca_priv_rdma_is_event(const struct doca_priv_rdma_task *op)
{
    return op->task.type >= DOCA_PRIV_RDMA_EVENT_GET;
}

/* Check the number of buffers of a local list, and count its bytes of data or of room in *bytes.
 * NULL is an empty list. */
static doca_error_t doca_priv_rdma_check_local(const struct doca_priv_rdma_task *op,
                                               bool is_destination, uint32_t max_num,
                                               uint64_t *bytes, enum doca_core_item *item)
{
    struct doca_priv_task_list list;
    doca_error_t rc;

    *bytes = 0;
    if (op->local == NULL)
        return DOCA_SUCCESS;
    *item = DOCA_CORE_ITEM_RDMA_BUF;
    if (!doca_priv_is_buf(op->local))
        return DOCA_ERROR_INVALID_VALUE;
    rc = doca_priv_task_measure(op->local, op->task.ctx->dev, is_destination, &list, item);
    if (rc != DOCA_SUCCESS)
        return rc;
    *bytes = list.bytes;
    *item = DOCA_CORE_ITEM_RDMA_BUF;
    return list.num <= max_num ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

/* Check that the remote buffer is in memory that was imported on the device. Permissions are looked
 * at when the task is executed, because on a card the peer checks them. */
static doca_error_t doca_priv_rdma_check_remote(const struct doca_priv_rdma_task *op,
                                                enum doca_core_item *item)
{
    const struct doca_buf *buf = op->remote;
    const struct doca_mmap *mmap;

    *item = DOCA_CORE_ITEM_RDMA_BUF;
    if (!doca_priv_is_buf(buf) || buf->flags == 0)
        return DOCA_ERROR_INVALID_VALUE;
    mmap = buf->mmap;
    *item = DOCA_CORE_ITEM_RDMA_NOT_REMOTE;
    return mmap->is_imported && mmap->devs[0].dev == op->task.ctx->dev &&
                   (mmap->remote_key != 0 ||
                    (mmap->far != NULL && mmap->far->view == NULL && mmap->far->rep_mem == NULL))
               ? DOCA_SUCCESS
               : DOCA_ERROR_INVALID_VALUE;
}

/* Check a read or a write. */
static doca_error_t doca_priv_rdma_check_move(const struct doca_priv_rdma_task *op,
                                              enum doca_core_item *item)
{
    const struct doca_rdma *r = (const struct doca_rdma *)(const void *)op->task.ctx;
    const bool is_read = op->task.type == DOCA_PRIV_RDMA_READ;
    uint64_t here, len, room;
    doca_error_t rc;

    if (op->local == NULL && op->remote == NULL)
        return DOCA_SUCCESS;
    *item = DOCA_CORE_ITEM_RDMA_BUF;
    if (op->local == NULL || op->remote == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    rc = doca_priv_rdma_check_local(op, is_read, r->send_list_len, &here, item);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_rdma_check_remote(op, item);
    if (rc != DOCA_SUCCESS)
        return rc;
    len = is_read ? op->remote->data_len : here;
    room = is_read ? here : doca_priv_buf_tailroom(op->remote);
    *item = DOCA_CORE_ITEM_RDMA_NO_ROOM;
    return len <= room && len <= r->limits.message ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

/* Check a task whose local buffer has 8 bytes: of room for a result, or of data for a new value. */
static doca_error_t doca_priv_rdma_check_word(const struct doca_priv_rdma_task *op,
                                              enum doca_core_item *item)
{
    const struct doca_rdma *r = (const struct doca_rdma *)(const void *)op->task.ctx;
    const bool is_set = op->task.type == DOCA_PRIV_RDMA_EVENT_SET;
    const uint32_t max_num = op->task.type == DOCA_PRIV_RDMA_EVENT_GET ? r->send_list_len : 1;
    uint64_t bytes;
    doca_error_t rc;

    if (doca_priv_rdma_is_event(op)) {
        *item = DOCA_CORE_ITEM_RDMA_EVENT;
        if (!doca_priv_is(op->event, DOCA_PRIV_KIND_SYNC_EVENT_NET))
            return DOCA_ERROR_INVALID_VALUE;
    } else {
        rc = doca_priv_rdma_check_remote(op, item);
        if (rc != DOCA_SUCCESS)
            return rc;
        *item = DOCA_CORE_ITEM_RDMA_UNALIGNED;
        if ((uintptr_t)op->remote->data % DOCA_PRIV_RDMA_WORD != 0)
            return DOCA_ERROR_INVALID_VALUE;
        *item = DOCA_CORE_ITEM_RDMA_NO_ROOM;
        if ((size_t)(op->remote->end - op->remote->data) < DOCA_PRIV_RDMA_WORD)
            return DOCA_ERROR_INVALID_VALUE;
    }
    *item = DOCA_CORE_ITEM_RDMA_BUF;
    if (op->local == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    rc = doca_priv_rdma_check_local(op, !is_set, max_num, &bytes, item);
    if (rc != DOCA_SUCCESS)
        return rc;
    *item = DOCA_CORE_ITEM_RDMA_NO_ROOM;
    return bytes >= DOCA_PRIV_RDMA_WORD ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_check(const struct doca_task *task,
                                                 enum doca_core_item *item)
{
    const struct doca_priv_rdma_task *op = (const struct doca_priv_rdma_task *)(const void *)task;
    const struct doca_rdma *r = (const struct doca_rdma *)(const void *)task->ctx;
    uint64_t bytes;
    doca_error_t rc;

    if (task->type == DOCA_PRIV_RDMA_RECEIVE)
        return doca_priv_rdma_check_local(op, true, r->recv_list_len, &bytes, item);
    *item = DOCA_CORE_ITEM_RDMA_OF_OTHER;
    if (!doca_priv_rdma_is_connection(op->connection) || op->connection->rdma != r)
        return DOCA_ERROR_INVALID_VALUE;
    *item = DOCA_CORE_ITEM_RDMA_NOT_CONNECTED;
    /* A task with another serial was allocated for an earlier connection in this entry. It passes
     * here, and post completes it with CONNECTION_ABORTED. */
    if (op->serial == op->connection->serial && op->connection->obj.state < DOCA_PRIV_RDMA_JOINING)
        return DOCA_ERROR_NOT_CONNECTED;
    switch (task->type) {
    case DOCA_PRIV_RDMA_SEND:
    case DOCA_PRIV_RDMA_SEND_IMM:
        rc = doca_priv_rdma_check_local(op, false, r->send_list_len, &bytes, item);
        if (rc == DOCA_SUCCESS && bytes > r->limits.message) {
            *item = DOCA_CORE_ITEM_RDMA_NO_ROOM;
            rc = DOCA_ERROR_INVALID_VALUE;
        }
        return rc;
    case DOCA_PRIV_RDMA_READ:
    case DOCA_PRIV_RDMA_WRITE:
    case DOCA_PRIV_RDMA_WRITE_IMM:
        return doca_priv_rdma_check_move(op, item);
    default:
        return doca_priv_rdma_check_word(op, item);
    }
}

/* Copy the data of one list to the free room of another list. One of the two lists may be in memory
 * of the peer. `is_one`: only the first buffer of the source is copied. `grows`: the copied bytes
 * become data of the destination. */
DOCA_PRIV_DECL enum doca_core_item doca_priv_rdma_move(const struct doca_buf *src, bool is_one,
                                                       struct doca_buf *dst, uint64_t len,
                                                       bool grows)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    const struct doca_buf *from;
    struct doca_priv_sw_out out;

    doca_priv_sw_sync(src, true);
    doca_priv_sw_sync(dst, true);
    doca_priv_sw_out_begin(&out, dst);
    for (from = src; from != NULL && item == DOCA_CORE_ITEM_NONE; from = is_one ? NULL : from->next)
        item = doca_priv_sw_far_append(&out, from->mmap, from->data, from->data_len);
    if (item == DOCA_CORE_ITEM_NONE)
        item = doca_priv_sw_out_end(&out, dst, grows ? len : 0);
    for (from = src; item != DOCA_CORE_ITEM_NONE && from != NULL; from = is_one ? NULL : from->next)
        if (from->mmap->far != NULL) { /* the data may come from after the end of an export */
            doca_priv_sw_out_clear(&out, dst);
            break;
        }
    doca_priv_sw_sync(dst, false);
    doca_priv_sw_sync(src, false);
    return item;
}

/* Store the result of a task on a word in its local list. */
static enum doca_core_item doca_priv_rdma_put_word(struct doca_priv_rdma_task *op, uint64_t value)
{
    enum doca_core_item item;
    struct doca_priv_sw_out out;

    op->result_len = DOCA_PRIV_RDMA_WORD;
    doca_priv_sw_sync(op->local, true);
    doca_priv_sw_out_begin(&out, op->local);
    item = doca_priv_sw_far_append(&out, NULL, (unsigned char *)(void *)&value, sizeof(value));
    if (item == DOCA_CORE_ITEM_NONE)
        item = doca_priv_sw_out_end(&out, op->local, sizeof(value));
    doca_priv_sw_sync(op->local, false);
    return item;
}

/* Read the 8 bytes of data of the local buffer. */
static enum doca_core_item doca_priv_rdma_get_word(const struct doca_priv_rdma_task *op,
                                                   uint64_t *value)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    const struct doca_buf *buf = op->local;
    const unsigned char *local = doca_priv_mmap_local(buf->mmap, buf->data);
    struct doca_priv_far_trip trip;

    doca_priv_sw_sync(buf, true);
    if (local != NULL) {
        DOCA_CORE_MEMCPY(value, local, sizeof(*value));
    } else {
        doca_priv_far_begin(&trip, NULL);
        item = doca_priv_sw_trip_add(&trip, buf->mmap->far, false, (unsigned char *)(void *)value,
                                     buf->data, sizeof(*value));
        if (item == DOCA_CORE_ITEM_NONE)
            item = doca_priv_far_go(&trip);
    }
    doca_priv_sw_sync(buf, false);
    return item;
}

static enum doca_core_item doca_priv_rdma_use_event(struct doca_priv_rdma_task *op)
{
    const struct doca_priv_event_share *share = &op->event->share;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    doca_error_t rc = DOCA_SUCCESS;
    uint64_t value = 0;

    if (op->task.type == DOCA_PRIV_RDMA_EVENT_GET) {
        if (doca_priv_share_is_reset(share))
            return DOCA_CORE_ITEM_EVENT_GONE;
        return doca_priv_rdma_put_word(op, DOCA_PRIV_LOAD(share->value));
    }
    if (op->task.type == DOCA_PRIV_RDMA_EVENT_SET) {
        item = doca_priv_rdma_get_word(op, &value);
        if (item == DOCA_CORE_ITEM_NONE)
            rc = doca_priv_share_set(share, value);
    } else {
        rc = doca_priv_share_add(share, op->values[0], &value);
        if (rc == DOCA_SUCCESS)
            item = doca_priv_rdma_put_word(op, value);
    }
    return rc == DOCA_SUCCESS ? item : DOCA_CORE_ITEM_EVENT_GONE;
}

/* Take the lock of the peer. The lock of a process that has ended meanwhile is taken over. */
static bool doca_priv_rdma_take_lock(struct doca_rdma_connection *c)
{
    const uint32_t own = doca_priv_sys_pid(), holder = DOCA_PRIV_LOAD(c->peer_lock);

    if (holder == 0 && doca_priv_rdma_swap(c->peer_lock, 0, own)) {
        c->num_lock_failures = 0;
        return true;
    }
    if (++c->num_lock_failures % DOCA_PRIV_RDMA_LOCK_PATIENCE == 0 && holder != own &&
        doca_priv_sys_process_is_gone(-1, holder, -1))
        (void)doca_priv_rdma_swap(c->peer_lock, holder, 0);
    return false;
}

/* Read a word of the peer's memory, change it, and store the old value. The caller has the lock. */
static enum doca_core_item doca_priv_rdma_change_word(struct doca_priv_rdma_task *op)
{
    const struct doca_priv_far *far = op->remote->mmap->far;
    unsigned char *at = op->remote->data;
    enum doca_core_item item;
    struct doca_priv_far_trip trip;
    uint64_t old = 0, new_value;

    doca_priv_far_begin(&trip, NULL);
    item = doca_priv_sw_trip_add(&trip, far, false, (unsigned char *)(void *)&old, at, sizeof(old));
    if (item == DOCA_CORE_ITEM_NONE)
        item = doca_priv_far_go(&trip);
    if (item != DOCA_CORE_ITEM_NONE)
        return item;
    new_value = op->task.type == DOCA_PRIV_RDMA_FETCH_ADD ? old + op->values[0] : op->values[1];
    if (op->task.type == DOCA_PRIV_RDMA_FETCH_ADD || old == op->values[0])
        item = doca_priv_sw_trip_add(&trip, far, true, (unsigned char *)(void *)&new_value, at,
                                     sizeof(new_value));
    if (item == DOCA_CORE_ITEM_NONE)
        item = doca_priv_far_go(&trip);
    return item == DOCA_CORE_ITEM_NONE ? doca_priv_rdma_put_word(op, old) : item;
}

/* Return the permissions of the task's kind. The instance of the peer must have at least one of
 * them. */
static uint32_t doca_priv_rdma_needs(const struct doca_priv_rdma_task *op)
{
    switch (op->task.type) {
    case DOCA_PRIV_RDMA_READ:
    case DOCA_PRIV_RDMA_EVENT_GET:
        return DOCA_ACCESS_FLAG_RDMA_READ;
    case DOCA_PRIV_RDMA_CMP_SWP:
    case DOCA_PRIV_RDMA_FETCH_ADD:
        return DOCA_ACCESS_FLAG_RDMA_ATOMIC;
    case DOCA_PRIV_RDMA_EVENT_ADD: /* either is enough: the vendor's programs grant no ATOMIC */
        return DOCA_ACCESS_FLAG_RDMA_ATOMIC | DOCA_ACCESS_FLAG_RDMA_WRITE;
    default:
        return DOCA_ACCESS_FLAG_RDMA_WRITE;
    }
}

/* Return the process that has exported the event or the memory of a task. */
static uint32_t doca_priv_rdma_owner(const struct doca_priv_rdma_task *op)
{
    return doca_priv_rdma_is_event(op) ? op->event->share.exporter_pid : op->remote->mmap->far->pid;
}

/* True when the task needs the lock of the peer. */
static bool doca_priv_rdma_is_atomic(const struct doca_priv_rdma_task *op)
{
    return op->remote != NULL &&
           (op->task.type == DOCA_PRIV_RDMA_CMP_SWP || op->task.type == DOCA_PRIV_RDMA_FETCH_ADD);
}

/* Return why the peer does not permit a valid task, or ITEM_NONE. */
static enum doca_core_item doca_priv_rdma_judge(const struct doca_priv_rdma_task *op)
{
    const struct doca_rdma_connection *c = op->connection;
    const uint32_t needs = doca_priv_rdma_needs(op);

    if (!doca_priv_rdma_is_event(op) && op->remote == NULL)
        return DOCA_CORE_ITEM_NONE;
    if ((c->peer_permissions & needs) == 0)
        return DOCA_CORE_ITEM_RDMA_REFUSED;
    if (doca_priv_rdma_owner(op) != c->far.pid)
        return DOCA_CORE_ITEM_RDMA_OF_OTHER_PEER;
    return op->remote != NULL && (op->remote->mmap->far->rdma_access & needs) == 0
               ? DOCA_CORE_ITEM_RDMA_ACCESS
               : DOCA_CORE_ITEM_NONE;
}

/* Execute a task that the peer permits. An atomic task has the lock of the peer, and releases it.
 * Returns the reason of a failure, or ITEM_NONE. */
static enum doca_core_item doca_priv_rdma_perform(struct doca_priv_rdma_task *op)
{
    enum doca_core_item item;

    if (doca_priv_rdma_is_event(op))
        return doca_priv_rdma_use_event(op);
    if (op->remote == NULL)
        return DOCA_CORE_ITEM_NONE;
    if (doca_priv_rdma_is_atomic(op)) {
        item = doca_priv_rdma_change_word(op);
        (void)doca_priv_rdma_swap(op->connection->peer_lock, doca_priv_sys_pid(), 0u);
        return item;
    }
    if (op->task.type != DOCA_PRIV_RDMA_READ)
        return doca_priv_rdma_move(op->local, false, op->remote, 0, false);
    op->result_len = (uint32_t)op->remote->data_len;
    return doca_priv_rdma_move(op->remote, true, op->local, op->remote->data_len, true);
}

/* Execute a task of an established connection. Returns SUCCESS, IO_FAILED with the reason in *item,
 * or AGAIN while another process has the lock of the peer. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_execute(struct doca_priv_rdma_task *op,
                                                   enum doca_core_item *item)
{
    const bool is_valid = doca_priv_rdma_check(&op->task, item) == DOCA_SUCCESS;

    if (is_valid)
        *item = doca_priv_rdma_judge(op);
    if (is_valid && *item == DOCA_CORE_ITEM_NONE && doca_priv_rdma_is_atomic(op) &&
        !doca_priv_rdma_take_lock(op->connection))
        return DOCA_ERROR_AGAIN;
    DOCA_PRIV_TRACED(doca_priv_trace(DOCA_PRIV_TRACE_BEGIN, op, 0, 0);)
    if (is_valid && *item == DOCA_CORE_ITEM_NONE)
        *item = doca_priv_rdma_perform(op);
    return is_valid && *item == DOCA_CORE_ITEM_NONE ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
}
