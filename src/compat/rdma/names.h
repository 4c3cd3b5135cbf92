/* ---- >>rdma.names ----------------------------------------------------------------------------
 * DOCA_CORE_API decides which form of a changed function has the vendor's name; >>rdma.api_25 and
 * >>rdma.connection describe the forms. The macros have no parameters, so a program can still take
 * the address of each function. The implementation defines all forms under their own names, so this
 * part follows it. A failure of an inline function is logged by the name of the called function. */
#ifndef DOCA_SRC_COMPAT_RDMA_NAMES_H
#define DOCA_SRC_COMPAT_RDMA_NAMES_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/rdma/api_25.h"
#include "compat/rdma/atomic.h"
#include "compat/rdma/connection.h"
#include "compat/rdma/rdma.h"
#include "compat/rdma/read_write.h"
#include "compat/rdma/receive.h"
#include "compat/rdma/send.h"
#include "compat/rdma/sync_event.h"

#if DOCA_CORE_API < 21000

#ifndef DOCA_CORE_RDMA_25_H
#define DOCA_CORE_RDMA_25_H

#ifdef __cplusplus
extern "C" {
#endif

struct doca_dpa_dev_rdma;

/* In 2.5 the flag grh is a bool, and the handle of a DPA is a pointer. No call gives a handle. */
static inline doca_error_t doca_core_rdma_25_set_grh_enabled(struct doca_rdma *rdma,
                                                             bool grh_enabled)
{
    return doca_rdma_set_grh_enabled(rdma, grh_enabled ? 1 : 0);
}

static inline doca_error_t doca_core_rdma_25_get_grh_enabled(const struct doca_rdma *rdma,
                                                             bool *grh_enabled)
{
    uint8_t flag = 0;
    doca_error_t rc = doca_rdma_get_grh_enabled(rdma, grh_enabled != NULL ? &flag : NULL);

    if (rc == DOCA_SUCCESS)
        *grh_enabled = flag != 0;
    return rc;
}

static inline doca_error_t doca_core_rdma_25_get_dpa_handle(struct doca_rdma *rdma,
                                                            struct doca_dpa_dev_rdma **dpa_rdma)
{
    doca_dpa_dev_rdma_t handle = 0;

    return doca_rdma_get_dpa_handle(rdma, dpa_rdma != NULL ? &handle : NULL);
}

/* Allocate tasks of the only connection. Parameters are those of the functions of 2.10. */
static inline doca_error_t
doca_core_rdma_25_task_send_allocate_init(struct doca_rdma *rdma, const struct doca_buf *src_buf,
                                          union doca_data user_data,
                                          struct doca_rdma_task_send **task)
{
    return doca_rdma_task_send_allocate_init(rdma, doca_core_rdma_25_connection(rdma), src_buf,
                                             user_data, task);
}

static inline doca_error_t doca_core_rdma_25_task_send_imm_allocate_init(
    struct doca_rdma *rdma, const struct doca_buf *src_buf, doca_be32_t immediate_data,
    union doca_data user_data, struct doca_rdma_task_send_imm **task)
{
    return doca_rdma_task_send_imm_allocate_init(rdma, doca_core_rdma_25_connection(rdma), src_buf,
                                                 immediate_data, user_data, task);
}

static inline doca_error_t
doca_core_rdma_25_task_read_allocate_init(struct doca_rdma *rdma, const struct doca_buf *src_buf,
                                          struct doca_buf *dst_buf, union doca_data user_data,
                                          struct doca_rdma_task_read **task)
{
    return doca_rdma_task_read_allocate_init(rdma, doca_core_rdma_25_connection(rdma), src_buf,
                                             dst_buf, user_data, task);
}

static inline doca_error_t
doca_core_rdma_25_task_write_allocate_init(struct doca_rdma *rdma, const struct doca_buf *src_buf,
                                           struct doca_buf *dst_buf, union doca_data user_data,
                                           struct doca_rdma_task_write **task)
{
    return doca_rdma_task_write_allocate_init(rdma, doca_core_rdma_25_connection(rdma), src_buf,
                                              dst_buf, user_data, task);
}

static inline doca_error_t doca_core_rdma_25_task_write_imm_allocate_init(
    struct doca_rdma *rdma, const struct doca_buf *src_buf, struct doca_buf *dst_buf,
    doca_be32_t immediate_data, union doca_data user_data, struct doca_rdma_task_write_imm **task)
{
    return doca_rdma_task_write_imm_allocate_init(rdma, doca_core_rdma_25_connection(rdma), src_buf,
                                                  dst_buf, immediate_data, user_data, task);
}

static inline doca_error_t doca_core_rdma_25_task_atomic_cmp_swp_allocate_init(
    struct doca_rdma *rdma, struct doca_buf *dst_buf, struct doca_buf *result_buf,
    uint64_t cmp_data, uint64_t swap_data, union doca_data user_data,
    struct doca_rdma_task_atomic_cmp_swp **task)
{
    return doca_rdma_task_atomic_cmp_swp_allocate_init(rdma, doca_core_rdma_25_connection(rdma),
                                                       dst_buf, result_buf, cmp_data, swap_data,
                                                       user_data, task);
}

static inline doca_error_t doca_core_rdma_25_task_atomic_fetch_add_allocate_init(
    struct doca_rdma *rdma, struct doca_buf *dst_buf, struct doca_buf *result_buf,
    uint64_t add_data, union doca_data user_data, struct doca_rdma_task_atomic_fetch_add **task)
{
    return doca_rdma_task_atomic_fetch_add_allocate_init(
        rdma, doca_core_rdma_25_connection(rdma), dst_buf, result_buf, add_data, user_data, task);
}

static inline doca_error_t doca_core_rdma_25_task_remote_net_sync_event_get_allocate_init(
    struct doca_rdma *rdma, const struct doca_sync_event_remote_net *event,
    struct doca_buf *dst_buf, union doca_data user_data,
    struct doca_rdma_task_remote_net_sync_event_get **task)
{
    return doca_rdma_task_remote_net_sync_event_get_allocate_init(
        rdma, doca_core_rdma_25_connection(rdma), event, dst_buf, user_data, task);
}

static inline doca_error_t doca_core_rdma_25_task_remote_net_sync_event_notify_set_allocate_init(
    struct doca_rdma *rdma, struct doca_sync_event_remote_net *event,
    const struct doca_buf *src_buf, union doca_data user_data,
    struct doca_rdma_task_remote_net_sync_event_notify_set **task)
{
    return doca_rdma_task_remote_net_sync_event_notify_set_allocate_init(
        rdma, doca_core_rdma_25_connection(rdma), event, src_buf, user_data, task);
}

static inline doca_error_t doca_core_rdma_25_task_remote_net_sync_event_notify_add_allocate_init(
    struct doca_rdma *rdma, struct doca_sync_event_remote_net *event, struct doca_buf *result_buf,
    uint64_t add_data, union doca_data user_data,
    struct doca_rdma_task_remote_net_sync_event_notify_add **task)
{
    return doca_rdma_task_remote_net_sync_event_notify_add_allocate_init(
        rdma, doca_core_rdma_25_connection(rdma), event, result_buf, add_data, user_data, task);
}

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_RDMA_25_H */

#define doca_rdma_create doca_core_rdma_25_create
#define doca_core_rdma_create_in doca_core_rdma_25_create_in
#define doca_rdma_export doca_core_rdma_25_export
#define doca_rdma_connect doca_core_rdma_25_connect
#define doca_rdma_set_grh_enabled doca_core_rdma_25_set_grh_enabled
#define doca_rdma_get_grh_enabled doca_core_rdma_25_get_grh_enabled
#define doca_rdma_get_dpa_handle doca_core_rdma_25_get_dpa_handle
#define doca_rdma_task_send_allocate_init doca_core_rdma_25_task_send_allocate_init
#define doca_rdma_task_send_imm_allocate_init doca_core_rdma_25_task_send_imm_allocate_init
#define doca_rdma_task_read_allocate_init doca_core_rdma_25_task_read_allocate_init
#define doca_rdma_task_write_allocate_init doca_core_rdma_25_task_write_allocate_init
#define doca_rdma_task_write_imm_allocate_init doca_core_rdma_25_task_write_imm_allocate_init
#define doca_rdma_task_atomic_cmp_swp_allocate_init                                                \
    doca_core_rdma_25_task_atomic_cmp_swp_allocate_init
#define doca_rdma_task_atomic_fetch_add_allocate_init                                              \
    doca_core_rdma_25_task_atomic_fetch_add_allocate_init
#define doca_rdma_task_remote_net_sync_event_get_allocate_init                                     \
    doca_core_rdma_25_task_remote_net_sync_event_get_allocate_init
#define doca_rdma_task_remote_net_sync_event_notify_set_allocate_init                              \
    doca_core_rdma_25_task_remote_net_sync_event_notify_set_allocate_init
#define doca_rdma_task_remote_net_sync_event_notify_add_allocate_init                              \
    doca_core_rdma_25_task_remote_net_sync_event_notify_add_allocate_init

/* names of 2.5; 2.6 has the new ones */
#define doca_rdma_task_receive_get_result_length doca_rdma_task_receive_get_result_len
#define doca_rdma_task_read_get_result_length doca_rdma_task_read_get_result_len
#define doca_rdma_task_remote_net_sync_event_get_get_result_length                                 \
    doca_rdma_task_remote_net_sync_event_get_get_result_len

#endif /* DOCA_CORE_API */

#if DOCA_CORE_API >= 30000
#define doca_rdma_bridge_accept doca_core_v3_rdma_bridge_accept
#endif

#endif
