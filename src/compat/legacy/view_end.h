/* ---- >>legacy.view.end -----------------------------------------------------------------------
 * After the declarations of this header: remove the macros of >>legacy.view.old.                */
#ifndef DOCA_SRC_COMPAT_LEGACY_VIEW_END_H
#define DOCA_SRC_COMPAT_LEGACY_VIEW_END_H

#ifdef DOCA_PRIV_LEGACY_VIEW
#undef doca_core_legacy_mmap
#undef doca_core_legacy_ctx
#undef doca_core_legacy_dma
#undef doca_core_legacy_sha
#undef doca_core_legacy_graph
#undef doca_core_legacy_graph_node
#undef doca_core_legacy_graph_instance
#undef doca_core_legacy_graph_user_node_cb_t
#undef doca_core_legacy_buf_inventory_destroy
#undef doca_core_legacy_buf_inventory_buf_dup
#undef doca_core_legacy_buf_inventory_get_user_data
#undef doca_core_legacy_buf_inventory_set_user_data
#undef doca_core_legacy_mmap_destroy
#undef doca_core_legacy_mmap_start
#undef doca_core_legacy_mmap_stop
#undef doca_core_legacy_mmap_set_memrange
#undef doca_core_legacy_mmap_get_memrange
#undef doca_core_legacy_mmap_set_dmabuf_memrange
#undef doca_core_legacy_mmap_set_permissions
#undef doca_core_legacy_mmap_set_free_cb
#undef doca_core_legacy_mmap_set_user_data
#undef doca_core_legacy_mmap_export_rdma
#undef doca_core_legacy_mmap_set_max_num_devices
#undef doca_core_legacy_mmap_get_max_num_devices
#undef doca_core_legacy_mmap_get_num_bufs
#undef doca_core_legacy_mmap_get_exported
#undef doca_core_legacy_mmap_get_from_export
#undef doca_core_legacy_mmap_get_user_data
#undef doca_core_legacy_ctx_start
#undef doca_core_legacy_ctx_stop
#undef doca_core_legacy_dma_create
#undef doca_core_legacy_dma_destroy
#undef doca_core_legacy_dma_as_ctx
#undef doca_core_legacy_sha_create
#undef doca_core_legacy_sha_destroy
#undef doca_core_legacy_sha_as_ctx
#undef doca_core_legacy_graph_create
#undef doca_core_legacy_graph_destroy
#undef doca_core_legacy_graph_add_dependency
#undef doca_core_legacy_graph_start
#undef doca_core_legacy_graph_stop
#undef doca_core_legacy_graph_instance_create
#undef doca_core_legacy_graph_instance_destroy
#undef doca_core_legacy_graph_instance_set_ctx_node_data
#undef doca_core_legacy_graph_instance_set_user_node_data
#undef doca_core_legacy_graph_instance_set_sub_graph_node_data
#undef doca_core_legacy_buf_inventory_create
#undef doca_core_legacy_buf_inventory_create_15
#undef doca_core_legacy_mmap_create
#undef doca_core_legacy_mmap_create_15
#undef doca_core_legacy_mmap_create_20
#undef doca_core_legacy_mmap_create_from_export
#undef doca_core_legacy_mmap_create_from_export_15
#undef doca_core_legacy_dev_as_devinfo
#undef doca_core_legacy_dma_job_memcpy
#undef doca_core_legacy_dma_job_memcpy_15
#undef DOCA_CORE_LEGACY_DMA_JOB_MEMCPY
#undef DOCA_CORE_LEGACY_DMA_JOB_MEMCPY_15
#undef DOCA_PRIV_TODAY
#undef DOCA_PRIV_OLD
#undef DOCA_PRIV_OLD_AS

/* These two names are macros here and in >>legacy.names, because doca_core.h declares the
 * structures under the names of 1.5. */
typedef struct doca_devinfo_rep doca_devinfo_remote;
typedef struct doca_dev_rep doca_dev_remote;
#define doca_devinfo_remote doca_devinfo_rep
#define doca_dev_remote doca_dev_rep
#endif

#endif
