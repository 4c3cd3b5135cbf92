/* ---- >>legacy.view.old -----------------------------------------------------------------------
 * After doca_core.h has been included: remove the macros of >>legacy.view, and declare the
 * functions of 1.x under their old names.                                                       */
#ifndef DOCA_SRC_COMPAT_LEGACY_VIEW_OLD_H
#define DOCA_SRC_COMPAT_LEGACY_VIEW_OLD_H

#ifdef DOCA_PRIV_LEGACY_VIEW
#undef doca_mmap
#undef doca_ctx
#undef doca_dma
#undef doca_sha
#undef doca_graph
#undef doca_graph_node
#undef doca_graph_instance
#undef doca_graph_user_node_cb_t
#undef doca_buf_inventory_create
#undef doca_mmap_create
#undef doca_mmap_create_from_export
#undef doca_buf_inventory_destroy
#undef doca_buf_inventory_buf_dup
#undef doca_buf_inventory_get_user_data
#undef doca_buf_inventory_set_user_data
#undef doca_mmap_destroy
#undef doca_mmap_start
#undef doca_mmap_stop
#undef doca_mmap_set_memrange
#undef doca_mmap_get_memrange
#undef doca_mmap_set_dmabuf_memrange
#undef doca_mmap_set_permissions
#undef doca_mmap_set_free_cb
#undef doca_mmap_set_user_data
#undef doca_mmap_export_rdma
#undef doca_mmap_set_max_num_devices
#undef doca_mmap_get_max_num_devices
#undef doca_mmap_get_num_bufs
#undef doca_mmap_get_exported
#undef doca_mmap_get_from_export
#undef doca_mmap_get_user_data
#undef doca_ctx_start
#undef doca_ctx_stop
#undef doca_dma_create
#undef doca_dma_destroy
#undef doca_dma_as_ctx
#undef doca_sha_create
#undef doca_sha_destroy
#undef doca_sha_as_ctx
#undef doca_graph_create
#undef doca_graph_destroy
#undef doca_graph_add_dependency
#undef doca_graph_start
#undef doca_graph_stop
#undef doca_graph_instance_create
#undef doca_graph_instance_destroy
#undef doca_graph_instance_set_ctx_node_data
#undef doca_graph_instance_set_user_node_data
#undef doca_graph_instance_set_sub_graph_node_data
#undef doca_dev_as_devinfo

#define doca_core_legacy_mmap doca_mmap
#define doca_core_legacy_ctx doca_ctx
#define doca_core_legacy_dma doca_dma
#define doca_core_legacy_sha doca_sha
#define doca_core_legacy_graph doca_graph
#define doca_core_legacy_graph_node doca_graph_node
#define doca_core_legacy_graph_instance doca_graph_instance
#define doca_core_legacy_graph_user_node_cb_t doca_graph_user_node_cb_t

#define doca_core_legacy_buf_inventory_destroy(...)                                                \
    DOCA_PRIV_OLD(buf_inventory_destroy, (__VA_ARGS__))
#define doca_core_legacy_buf_inventory_buf_dup(...)                                                \
    DOCA_PRIV_OLD(buf_inventory_buf_dup, (__VA_ARGS__))
#define doca_core_legacy_buf_inventory_get_user_data(...)                                          \
    DOCA_PRIV_OLD(buf_inventory_get_user_data, (__VA_ARGS__))
#define doca_core_legacy_buf_inventory_set_user_data(...)                                          \
    DOCA_PRIV_OLD(buf_inventory_set_user_data, (__VA_ARGS__))
#define doca_core_legacy_mmap_destroy(...) DOCA_PRIV_OLD(mmap_destroy, (__VA_ARGS__))
#define doca_core_legacy_mmap_start(...) DOCA_PRIV_OLD(mmap_start, (__VA_ARGS__))
#define doca_core_legacy_mmap_stop(...) DOCA_PRIV_OLD(mmap_stop, (__VA_ARGS__))
#define doca_core_legacy_mmap_set_memrange(...) DOCA_PRIV_OLD(mmap_set_memrange, (__VA_ARGS__))
#define doca_core_legacy_mmap_get_memrange(...) DOCA_PRIV_OLD(mmap_get_memrange, (__VA_ARGS__))
#define doca_core_legacy_mmap_set_dmabuf_memrange(...)                                             \
    DOCA_PRIV_OLD(mmap_set_dmabuf_memrange, (__VA_ARGS__))
#define doca_core_legacy_mmap_set_permissions(...)                                                 \
    DOCA_PRIV_OLD(mmap_set_permissions, (__VA_ARGS__))
#define doca_core_legacy_mmap_set_free_cb(...) DOCA_PRIV_OLD(mmap_set_free_cb, (__VA_ARGS__))
#define doca_core_legacy_mmap_set_user_data(...) DOCA_PRIV_OLD(mmap_set_user_data, (__VA_ARGS__))
#define doca_core_legacy_mmap_export_rdma(...) DOCA_PRIV_OLD(mmap_export_rdma, (__VA_ARGS__))
#define doca_core_legacy_mmap_set_max_num_devices(...)                                             \
    DOCA_PRIV_OLD(mmap_set_max_num_devices, (__VA_ARGS__))
#define doca_core_legacy_mmap_get_max_num_devices(...)                                             \
    DOCA_PRIV_OLD(mmap_get_max_num_devices, (__VA_ARGS__))
#define doca_core_legacy_mmap_get_num_bufs(...) DOCA_PRIV_OLD(mmap_get_num_bufs, (__VA_ARGS__))
#define doca_core_legacy_mmap_get_exported(...) DOCA_PRIV_OLD(mmap_get_exported, (__VA_ARGS__))
#define doca_core_legacy_mmap_get_from_export(...)                                                 \
    DOCA_PRIV_OLD(mmap_get_from_export, (__VA_ARGS__))
#define doca_core_legacy_mmap_get_user_data(...) DOCA_PRIV_OLD(mmap_get_user_data, (__VA_ARGS__))
#define doca_core_legacy_ctx_start(...) DOCA_PRIV_OLD(ctx_start, (__VA_ARGS__))
#define doca_core_legacy_ctx_stop(...) DOCA_PRIV_OLD(ctx_stop, (__VA_ARGS__))
#define doca_core_legacy_dma_create(...) DOCA_PRIV_OLD(dma_create, (__VA_ARGS__))
#define doca_core_legacy_dma_destroy(...) DOCA_PRIV_OLD(dma_destroy, (__VA_ARGS__))
#define doca_core_legacy_dma_as_ctx(...) DOCA_PRIV_OLD(dma_as_ctx, (__VA_ARGS__))
#define doca_core_legacy_sha_create(...) DOCA_PRIV_OLD(sha_create, (__VA_ARGS__))
#define doca_core_legacy_sha_destroy(...) DOCA_PRIV_OLD(sha_destroy, (__VA_ARGS__))
#define doca_core_legacy_sha_as_ctx(...) DOCA_PRIV_OLD(sha_as_ctx, (__VA_ARGS__))
#define doca_core_legacy_graph_create(...) DOCA_PRIV_OLD(graph_create, (__VA_ARGS__))
#define doca_core_legacy_graph_destroy(...) DOCA_PRIV_OLD(graph_destroy, (__VA_ARGS__))
#define doca_core_legacy_graph_add_dependency(...)                                                 \
    DOCA_PRIV_OLD(graph_add_dependency, (__VA_ARGS__))
#define doca_core_legacy_graph_start(...) DOCA_PRIV_OLD(graph_start, (__VA_ARGS__))
#define doca_core_legacy_graph_stop(...) DOCA_PRIV_OLD(graph_stop, (__VA_ARGS__))
#define doca_core_legacy_graph_instance_create(...)                                                \
    DOCA_PRIV_OLD(graph_instance_create, (__VA_ARGS__))
#define doca_core_legacy_graph_instance_destroy(...)                                               \
    DOCA_PRIV_OLD(graph_instance_destroy, (__VA_ARGS__))
#define doca_core_legacy_graph_instance_set_ctx_node_data(...)                                     \
    DOCA_PRIV_OLD(graph_instance_set_ctx_node_data, (__VA_ARGS__))
#define doca_core_legacy_graph_instance_set_user_node_data(...)                                    \
    DOCA_PRIV_OLD(graph_instance_set_user_node_data, (__VA_ARGS__))
#define doca_core_legacy_graph_instance_set_sub_graph_node_data(...)                               \
    DOCA_PRIV_OLD(graph_instance_set_sub_graph_node_data, (__VA_ARGS__))
#if DOCA_CORE_LEGACY + 0 >= 10500
#define doca_core_legacy_buf_inventory_create_15(...)                                              \
    DOCA_PRIV_OLD_AS(buf_inventory_create, buf_inventory_create_15, (__VA_ARGS__))
#if DOCA_CORE_LEGACY + 0 >= 20000
#define doca_core_legacy_mmap_create_20(...)                                                       \
    DOCA_PRIV_OLD_AS(mmap_create, mmap_create_20, (__VA_ARGS__))
#else
#define doca_core_legacy_mmap_create_15(...)                                                       \
    DOCA_PRIV_OLD_AS(mmap_create, mmap_create_15, (__VA_ARGS__))
#endif
#define doca_core_legacy_mmap_create_from_export_15(...)                                           \
    DOCA_PRIV_OLD_AS(mmap_create_from_export, mmap_create_from_export_15, (__VA_ARGS__))
#define doca_core_legacy_dma_job_memcpy_15 doca_dma_job_memcpy
#define DOCA_CORE_LEGACY_DMA_JOB_MEMCPY_15 DOCA_DMA_JOB_MEMCPY
#else
#define doca_core_legacy_dma_job_memcpy doca_dma_job_memcpy
#define DOCA_CORE_LEGACY_DMA_JOB_MEMCPY DOCA_DMA_JOB_MEMCPY
#define doca_core_legacy_buf_inventory_create(...)                                                 \
    DOCA_PRIV_OLD(buf_inventory_create, (__VA_ARGS__))
#define doca_core_legacy_mmap_create(...) DOCA_PRIV_OLD(mmap_create, (__VA_ARGS__))
#define doca_core_legacy_mmap_create_from_export(...)                                              \
    DOCA_PRIV_OLD(mmap_create_from_export, (__VA_ARGS__))
#endif
#ifdef DOCA_CORE_LEGACY_GUIDE
#define doca_core_legacy_dev_as_devinfo(...) DOCA_PRIV_OLD(dev_as_devinfo, (__VA_ARGS__))
#endif
#endif

#endif
