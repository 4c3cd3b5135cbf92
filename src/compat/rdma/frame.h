/* amalgamate: manual */
#if defined(DOCA_CORE_RDMA_IMPLEMENTATION) && !defined(DOCA_CORE_IMPLEMENTATION) &&                \
    !defined(DOCA_PRIV_RDMA_IMPLEMENTED)
#error "define DOCA_CORE_IMPLEMENTATION in the file that defines DOCA_CORE_RDMA_IMPLEMENTATION"
#endif

#include "doca_core.h"

#ifndef DOCA_CORE_RDMA_H
#define DOCA_CORE_RDMA_H

/* amalgamate: config */

#ifdef __cplusplus
extern "C" {
#endif

/* amalgamate: interface */

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_RDMA_H */

#if defined(DOCA_CORE_RDMA_IMPLEMENTATION) && !defined(DOCA_PRIV_RDMA_IMPLEMENTED)
#define DOCA_PRIV_RDMA_IMPLEMENTED

/* All forms of the changed functions are defined below. Undo the renaming macros of an earlier
 * inclusion of this header. */
#undef doca_rdma_create
#undef doca_core_rdma_create_in
#undef doca_rdma_export
#undef doca_rdma_connect
#undef doca_rdma_set_grh_enabled
#undef doca_rdma_get_grh_enabled
#undef doca_rdma_get_dpa_handle
#undef doca_rdma_task_send_allocate_init
#undef doca_rdma_task_send_imm_allocate_init
#undef doca_rdma_task_read_allocate_init
#undef doca_rdma_task_write_allocate_init
#undef doca_rdma_task_write_imm_allocate_init
#undef doca_rdma_task_atomic_cmp_swp_allocate_init
#undef doca_rdma_task_atomic_fetch_add_allocate_init
#undef doca_rdma_task_remote_net_sync_event_get_allocate_init
#undef doca_rdma_task_remote_net_sync_event_notify_set_allocate_init
#undef doca_rdma_task_remote_net_sync_event_notify_add_allocate_init
#undef doca_rdma_bridge_accept

/* amalgamate: platform */

#ifdef __cplusplus
extern "C" {
#endif

#ifdef DOCA_CORE_RDMA_VERBS
/* amalgamate: mlx5 */
#endif

/* amalgamate: private */

/* amalgamate: implementation */

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_RDMA_IMPLEMENTATION */

/* amalgamate: names */
