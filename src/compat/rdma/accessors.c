/* ---- >>impl.rdma.accessors ------------------------------------------------------------------
 * Setters and getters of tasks.                                                                 */
#include "compat/rdma/task_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/types.h"
#include "object/check.h"
#include "compat/rdma/atomic.h"
#include "compat/rdma/connection_priv.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/read_write.h"
#include "compat/rdma/receive.h"
#include "compat/rdma/send.h"
#include "compat/rdma/sync_event.h"

/* Define the getter doca_rdma_task_<name>_get_<what>(). It returns a member of the task, or 0 for a
 * task that is NULL. */
#define DOCA_PRIV_RDMA_GET(name, type, what, value_type, member)                                   \
    DOCA_CORE_DECL value_type doca_rdma_task_##name##_get_##what(                                  \
        const struct doca_rdma_task_##name *task)                                                  \
    {                                                                                              \
        const struct doca_priv_rdma_task *t = doca_priv_rdma_readable(task, type, __func__);       \
                                                                                                   \
        return t != NULL ? (value_type)t->member : (value_type)0;                                  \
    }

/* Define the getter, and also the setter, of a member that is a number or a connection. */
#define DOCA_PRIV_RDMA_ACCESS(name, type, what, value_type, member)                                \
    DOCA_CORE_DECL void doca_rdma_task_##name##_set_##what(struct doca_rdma_task_##name *task,     \
                                                           value_type what)                        \
    {                                                                                              \
        struct doca_priv_rdma_task *t = doca_priv_rdma_writable(task, type, __func__);             \
                                                                                                   \
        if (t != NULL)                                                                             \
            t->member = what;                                                                      \
    }                                                                                              \
    DOCA_PRIV_RDMA_GET(name, type, what, value_type, member)

/* Let a task use a connection. The serial number tells it from later connections in its entry. */
static void doca_priv_rdma_bind(struct doca_priv_rdma_task *task,
                                struct doca_rdma_connection *connection)
{
    task->connection = connection;
    task->serial = doca_priv_rdma_is_connection(connection) ? connection->serial : 0;
}

/* Define both for the connection. Its getter returns a const pointer. */
#define DOCA_PRIV_RDMA_ACCESS_CONNECTION(name, type)                                               \
    DOCA_CORE_DECL void doca_rdma_task_##name##_set_rdma_connection(                               \
        struct doca_rdma_task_##name *task, struct doca_rdma_connection *rdma_connection)          \
    {                                                                                              \
        struct doca_priv_rdma_task *t = doca_priv_rdma_writable(task, type, __func__);             \
                                                                                                   \
        if (t != NULL)                                                                             \
            doca_priv_rdma_bind(t, rdma_connection);                                               \
    }                                                                                              \
    DOCA_PRIV_RDMA_GET(name, type, rdma_connection, const struct doca_rdma_connection *, connection)

/* Define both for a buffer. `qualifier` is const for a source. */
#define DOCA_PRIV_RDMA_ACCESS_BUF(name, type, what, qualifier, member)                             \
    DOCA_CORE_DECL void doca_rdma_task_##name##_set_##what(struct doca_rdma_task_##name *task,     \
                                                           qualifier struct doca_buf *what)        \
    {                                                                                              \
        DOCA_PRIV_OPEN(what)                                                                       \
        struct doca_priv_rdma_task *t = doca_priv_rdma_writable(task, type, __func__);             \
                                                                                                   \
        if (t != NULL)                                                                             \
            t->member = (struct doca_buf *)(uintptr_t)what;                                        \
    }                                                                                              \
    DOCA_CORE_DECL qualifier struct doca_buf *doca_rdma_task_##name##_get_##what(                  \
        const struct doca_rdma_task_##name *task)                                                  \
    {                                                                                              \
        const struct doca_priv_rdma_task *t = doca_priv_rdma_readable(task, type, __func__);       \
                                                                                                   \
        return t != NULL && t->member != NULL                                                      \
                   ? (qualifier struct doca_buf *)DOCA_PRIV_HANDLE(t->member)                      \
                   : NULL;                                                                         \
    }

DOCA_PRIV_RDMA_ACCESS_BUF(receive, DOCA_PRIV_RDMA_RECEIVE, dst_buf, , local)
DOCA_PRIV_RDMA_GET(receive, DOCA_PRIV_RDMA_RECEIVE, result_opcode, enum doca_rdma_opcode, opcode)
DOCA_PRIV_RDMA_GET(receive, DOCA_PRIV_RDMA_RECEIVE, result_len, uint32_t, result_len)
DOCA_PRIV_RDMA_GET(receive, DOCA_PRIV_RDMA_RECEIVE, result_immediate_data, doca_be32_t, imm)
DOCA_PRIV_RDMA_GET(receive, DOCA_PRIV_RDMA_RECEIVE, result_rdma_connection,
                   const struct doca_rdma_connection *, connection)

DOCA_PRIV_RDMA_ACCESS_BUF(send, DOCA_PRIV_RDMA_SEND, src_buf, const, local)
DOCA_PRIV_RDMA_ACCESS_CONNECTION(send, DOCA_PRIV_RDMA_SEND)

DOCA_PRIV_RDMA_ACCESS_BUF(send_imm, DOCA_PRIV_RDMA_SEND_IMM, src_buf, const, local)
DOCA_PRIV_RDMA_ACCESS(send_imm, DOCA_PRIV_RDMA_SEND_IMM, immediate_data, doca_be32_t, imm)
DOCA_PRIV_RDMA_ACCESS_CONNECTION(send_imm, DOCA_PRIV_RDMA_SEND_IMM)

DOCA_PRIV_RDMA_ACCESS_BUF(read, DOCA_PRIV_RDMA_READ, src_buf, const, remote)
DOCA_PRIV_RDMA_ACCESS_BUF(read, DOCA_PRIV_RDMA_READ, dst_buf, , local)
DOCA_PRIV_RDMA_GET(read, DOCA_PRIV_RDMA_READ, result_len, uint32_t, result_len)
DOCA_PRIV_RDMA_ACCESS_CONNECTION(read, DOCA_PRIV_RDMA_READ)

DOCA_PRIV_RDMA_ACCESS_BUF(write, DOCA_PRIV_RDMA_WRITE, src_buf, const, local)
DOCA_PRIV_RDMA_ACCESS_BUF(write, DOCA_PRIV_RDMA_WRITE, dst_buf, , remote)
DOCA_PRIV_RDMA_ACCESS_CONNECTION(write, DOCA_PRIV_RDMA_WRITE)

DOCA_PRIV_RDMA_ACCESS_BUF(write_imm, DOCA_PRIV_RDMA_WRITE_IMM, src_buf, const, local)
DOCA_PRIV_RDMA_ACCESS_BUF(write_imm, DOCA_PRIV_RDMA_WRITE_IMM, dst_buf, , remote)
DOCA_PRIV_RDMA_ACCESS(write_imm, DOCA_PRIV_RDMA_WRITE_IMM, immediate_data, doca_be32_t, imm)
DOCA_PRIV_RDMA_ACCESS_CONNECTION(write_imm, DOCA_PRIV_RDMA_WRITE_IMM)

DOCA_PRIV_RDMA_ACCESS_BUF(atomic_cmp_swp, DOCA_PRIV_RDMA_CMP_SWP, dst_buf, , remote)
DOCA_PRIV_RDMA_ACCESS_BUF(atomic_cmp_swp, DOCA_PRIV_RDMA_CMP_SWP, result_buf, , local)
DOCA_PRIV_RDMA_ACCESS(atomic_cmp_swp, DOCA_PRIV_RDMA_CMP_SWP, cmp_data, uint64_t, values[0])
DOCA_PRIV_RDMA_ACCESS(atomic_cmp_swp, DOCA_PRIV_RDMA_CMP_SWP, swap_data, uint64_t, values[1])
DOCA_PRIV_RDMA_ACCESS_CONNECTION(atomic_cmp_swp, DOCA_PRIV_RDMA_CMP_SWP)

DOCA_PRIV_RDMA_ACCESS_BUF(atomic_fetch_add, DOCA_PRIV_RDMA_FETCH_ADD, dst_buf, , remote)
DOCA_PRIV_RDMA_ACCESS_BUF(atomic_fetch_add, DOCA_PRIV_RDMA_FETCH_ADD, result_buf, , local)
DOCA_PRIV_RDMA_ACCESS(atomic_fetch_add, DOCA_PRIV_RDMA_FETCH_ADD, add_data, uint64_t, values[0])
DOCA_PRIV_RDMA_ACCESS_CONNECTION(atomic_fetch_add, DOCA_PRIV_RDMA_FETCH_ADD)

DOCA_CORE_DECL void doca_rdma_task_remote_net_sync_event_get_set_sync_event(
    struct doca_rdma_task_remote_net_sync_event_get *task,
    const struct doca_sync_event_remote_net *event)
{
    struct doca_priv_rdma_task *t =
        doca_priv_rdma_writable(task, DOCA_PRIV_RDMA_EVENT_GET, __func__);

    if (t != NULL)
        t->event = (struct doca_sync_event_remote_net *)(uintptr_t)event;
}
DOCA_PRIV_RDMA_GET(remote_net_sync_event_get, DOCA_PRIV_RDMA_EVENT_GET, sync_event,
                   const struct doca_sync_event_remote_net *, event)
DOCA_PRIV_RDMA_ACCESS_BUF(remote_net_sync_event_get, DOCA_PRIV_RDMA_EVENT_GET, dst_buf, , local)
DOCA_PRIV_RDMA_GET(remote_net_sync_event_get, DOCA_PRIV_RDMA_EVENT_GET, result_len, uint32_t,
                   result_len)
DOCA_PRIV_RDMA_ACCESS_CONNECTION(remote_net_sync_event_get, DOCA_PRIV_RDMA_EVENT_GET)

DOCA_PRIV_RDMA_ACCESS(remote_net_sync_event_notify_set, DOCA_PRIV_RDMA_EVENT_SET, sync_event,
                      struct doca_sync_event_remote_net *, event)
DOCA_PRIV_RDMA_ACCESS_BUF(remote_net_sync_event_notify_set, DOCA_PRIV_RDMA_EVENT_SET, src_buf,
                          const, local)
DOCA_PRIV_RDMA_ACCESS_CONNECTION(remote_net_sync_event_notify_set, DOCA_PRIV_RDMA_EVENT_SET)

DOCA_PRIV_RDMA_ACCESS(remote_net_sync_event_notify_add, DOCA_PRIV_RDMA_EVENT_ADD, sync_event,
                      struct doca_sync_event_remote_net *, event)
DOCA_PRIV_RDMA_ACCESS_BUF(remote_net_sync_event_notify_add, DOCA_PRIV_RDMA_EVENT_ADD, result_buf, ,
                          local)
DOCA_PRIV_RDMA_ACCESS(remote_net_sync_event_notify_add, DOCA_PRIV_RDMA_EVENT_ADD, add_data,
                      uint64_t, values[0])
DOCA_PRIV_RDMA_ACCESS_CONNECTION(remote_net_sync_event_notify_add, DOCA_PRIV_RDMA_EVENT_ADD)
