/* ---- >>legacy.names --------------------------------------------------------------------------
 * Old names as macros, for files in which >>legacy.view does not declare them. They come last, so
 * that they do not affect the code above.                                                       */
#ifndef DOCA_SRC_COMPAT_LEGACY_NAMES_H
#define DOCA_SRC_COMPAT_LEGACY_NAMES_H

#if defined(DOCA_CORE_LEGACY) && !defined(DOCA_PRIV_LEGACY_NAMED)
#define DOCA_PRIV_LEGACY_NAMED

#define doca_mmap doca_core_legacy_mmap
#define doca_ctx doca_core_legacy_ctx
#define doca_dma doca_core_legacy_dma
#define doca_sha doca_core_legacy_sha
#define doca_graph doca_core_legacy_graph
#define doca_graph_node doca_core_legacy_graph_node
#define doca_graph_instance doca_core_legacy_graph_instance
#define doca_graph_user_node_cb_t doca_core_legacy_graph_user_node_cb_t
#define doca_devinfo_remote doca_devinfo_rep
#define doca_dev_remote doca_dev_rep

#define doca_buf_inventory_destroy doca_core_legacy_buf_inventory_destroy
#define doca_buf_inventory_buf_dup doca_core_legacy_buf_inventory_buf_dup
#define doca_buf_inventory_get_user_data doca_core_legacy_buf_inventory_get_user_data
#define doca_buf_inventory_set_user_data doca_core_legacy_buf_inventory_set_user_data
#define doca_mmap_destroy doca_core_legacy_mmap_destroy
#define doca_mmap_start doca_core_legacy_mmap_start
#define doca_mmap_stop doca_core_legacy_mmap_stop
#define doca_mmap_set_memrange doca_core_legacy_mmap_set_memrange
#define doca_mmap_get_memrange doca_core_legacy_mmap_get_memrange
#define doca_mmap_set_dmabuf_memrange doca_core_legacy_mmap_set_dmabuf_memrange
#define doca_mmap_set_permissions doca_core_legacy_mmap_set_permissions
#define doca_mmap_set_free_cb doca_core_legacy_mmap_set_free_cb
#define doca_mmap_set_user_data doca_core_legacy_mmap_set_user_data
#define doca_mmap_export_rdma doca_core_legacy_mmap_export_rdma
#define doca_mmap_set_max_num_devices doca_core_legacy_mmap_set_max_num_devices
#define doca_mmap_get_max_num_devices doca_core_legacy_mmap_get_max_num_devices
#define doca_mmap_get_num_bufs doca_core_legacy_mmap_get_num_bufs
#define doca_mmap_get_exported doca_core_legacy_mmap_get_exported
#define doca_mmap_get_from_export doca_core_legacy_mmap_get_from_export
#define doca_mmap_get_user_data doca_core_legacy_mmap_get_user_data
#define doca_ctx_start doca_core_legacy_ctx_start
#define doca_ctx_stop doca_core_legacy_ctx_stop
#define doca_dma_create doca_core_legacy_dma_create
#define doca_dma_destroy doca_core_legacy_dma_destroy
#define doca_dma_as_ctx doca_core_legacy_dma_as_ctx
#define doca_sha_create doca_core_legacy_sha_create
#define doca_sha_destroy doca_core_legacy_sha_destroy
#define doca_sha_as_ctx doca_core_legacy_sha_as_ctx
#define doca_graph_create doca_core_legacy_graph_create
#define doca_graph_destroy doca_core_legacy_graph_destroy
#define doca_graph_add_dependency doca_core_legacy_graph_add_dependency
#define doca_graph_start doca_core_legacy_graph_start
#define doca_graph_stop doca_core_legacy_graph_stop
#define doca_graph_instance_create doca_core_legacy_graph_instance_create
#define doca_graph_instance_destroy doca_core_legacy_graph_instance_destroy
#define doca_graph_instance_set_ctx_node_data doca_core_legacy_graph_instance_set_ctx_node_data
#define doca_graph_instance_set_user_node_data doca_core_legacy_graph_instance_set_user_node_data
#define doca_graph_instance_set_sub_graph_node_data                                                \
    doca_core_legacy_graph_instance_set_sub_graph_node_data

#if DOCA_CORE_LEGACY + 0 >= 10500
#define doca_buf_inventory_create doca_core_legacy_buf_inventory_create_15
#if DOCA_CORE_LEGACY + 0 >= 20000
#define doca_mmap_create doca_core_legacy_mmap_create_20
#else
#define doca_mmap_create doca_core_legacy_mmap_create_15
#endif
#define doca_mmap_create_from_export doca_core_legacy_mmap_create_from_export_15
#define doca_dma_job_memcpy doca_core_legacy_dma_job_memcpy_15
#define DOCA_DMA_JOB_MEMCPY DOCA_CORE_LEGACY_DMA_JOB_MEMCPY_15
#else
#define doca_dma_job_memcpy doca_core_legacy_dma_job_memcpy
#define DOCA_DMA_JOB_MEMCPY DOCA_CORE_LEGACY_DMA_JOB_MEMCPY
#define doca_buf_inventory_create doca_core_legacy_buf_inventory_create
#define doca_mmap_create doca_core_legacy_mmap_create
#define doca_mmap_create_from_export doca_core_legacy_mmap_create_from_export
#endif

#ifdef DOCA_CORE_LEGACY_GUIDE
#define doca_dev_as_devinfo doca_core_legacy_dev_as_devinfo
#endif

#endif

#endif
