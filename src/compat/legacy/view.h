/* ---- >>legacy.view ---------------------------------------------------------------------------
 * Declarations for a file that uses the API of 1.x only, see NAMES. The macros below rename the
 * functions of doca_core.h while it is included; >>legacy.view.old and >>legacy.view.end remove
 * them. Each name that >>legacy.names has must occur four times in these three parts.           */
#ifndef DOCA_SRC_COMPAT_LEGACY_VIEW_H
#define DOCA_SRC_COMPAT_LEGACY_VIEW_H

#if defined(DOCA_CORE_LEGACY) && !defined(DOCA_CORE_H) && !defined(DOCA_CORE_IMPLEMENTATION) &&    \
    !defined(DOCA_CORE_STATIC) && !defined(DOCA_PRIV_LEGACY_NAMED) &&                              \
    (defined(__ELF__) || (defined(__TINYC__) && defined(__linux__)))
#define DOCA_PRIV_LEGACY_VIEW
#define DOCA_PRIV_LEGACY_NAMED

#define DOCA_PRIV_TODAY(name, args) doca_core_today_##name args __asm__("doca_" #name)
#define DOCA_PRIV_OLD(name, args) DOCA_PRIV_OLD_AS(name, name, args)
#define DOCA_PRIV_OLD_AS(name, symbol, args) doca_##name args __asm__("doca_core_legacy_" #symbol)

#define doca_mmap doca_core_today_mmap
#define doca_ctx doca_core_today_ctx
#define doca_dma doca_core_today_dma
#define doca_sha doca_core_today_sha
#define doca_graph doca_core_today_graph
#define doca_graph_node doca_core_today_graph_node
#define doca_graph_instance doca_core_today_graph_instance
#define doca_graph_user_node_cb_t doca_core_today_graph_user_node_cb_t

#define doca_buf_inventory_create(...) DOCA_PRIV_TODAY(buf_inventory_create, (__VA_ARGS__))
#define doca_mmap_create(...) DOCA_PRIV_TODAY(mmap_create, (__VA_ARGS__))
#define doca_mmap_create_from_export(...) DOCA_PRIV_TODAY(mmap_create_from_export, (__VA_ARGS__))
#define doca_buf_inventory_destroy(...) DOCA_PRIV_TODAY(buf_inventory_destroy, (__VA_ARGS__))
#define doca_buf_inventory_buf_dup(...) DOCA_PRIV_TODAY(buf_inventory_buf_dup, (__VA_ARGS__))
#define doca_buf_inventory_get_user_data(...)                                                      \
    DOCA_PRIV_TODAY(buf_inventory_get_user_data, (__VA_ARGS__))
#define doca_buf_inventory_set_user_data(...)                                                      \
    DOCA_PRIV_TODAY(buf_inventory_set_user_data, (__VA_ARGS__))
#define doca_mmap_destroy(...) DOCA_PRIV_TODAY(mmap_destroy, (__VA_ARGS__))
#define doca_mmap_start(...) DOCA_PRIV_TODAY(mmap_start, (__VA_ARGS__))
#define doca_mmap_stop(...) DOCA_PRIV_TODAY(mmap_stop, (__VA_ARGS__))
#define doca_mmap_set_memrange(...) DOCA_PRIV_TODAY(mmap_set_memrange, (__VA_ARGS__))
#define doca_mmap_get_memrange(...) DOCA_PRIV_TODAY(mmap_get_memrange, (__VA_ARGS__))
#define doca_mmap_set_dmabuf_memrange(...) DOCA_PRIV_TODAY(mmap_set_dmabuf_memrange, (__VA_ARGS__))
#define doca_mmap_set_permissions(...) DOCA_PRIV_TODAY(mmap_set_permissions, (__VA_ARGS__))
#define doca_mmap_set_free_cb(...) DOCA_PRIV_TODAY(mmap_set_free_cb, (__VA_ARGS__))
#define doca_mmap_set_user_data(...) DOCA_PRIV_TODAY(mmap_set_user_data, (__VA_ARGS__))
#define doca_mmap_export_rdma(...) DOCA_PRIV_TODAY(mmap_export_rdma, (__VA_ARGS__))
#define doca_mmap_set_max_num_devices(...) DOCA_PRIV_TODAY(mmap_set_max_num_devices, (__VA_ARGS__))
#define doca_mmap_get_max_num_devices(...) DOCA_PRIV_TODAY(mmap_get_max_num_devices, (__VA_ARGS__))
#define doca_mmap_get_num_bufs(...) DOCA_PRIV_TODAY(mmap_get_num_bufs, (__VA_ARGS__))
#define doca_mmap_get_exported(...) DOCA_PRIV_TODAY(mmap_get_exported, (__VA_ARGS__))
#define doca_mmap_get_from_export(...) DOCA_PRIV_TODAY(mmap_get_from_export, (__VA_ARGS__))
#define doca_mmap_get_user_data(...) DOCA_PRIV_TODAY(mmap_get_user_data, (__VA_ARGS__))
#define doca_ctx_start(...) DOCA_PRIV_TODAY(ctx_start, (__VA_ARGS__))
#define doca_ctx_stop(...) DOCA_PRIV_TODAY(ctx_stop, (__VA_ARGS__))
#define doca_dma_create(...) DOCA_PRIV_TODAY(dma_create, (__VA_ARGS__))
#define doca_dma_destroy(...) DOCA_PRIV_TODAY(dma_destroy, (__VA_ARGS__))
#define doca_dma_as_ctx(...) DOCA_PRIV_TODAY(dma_as_ctx, (__VA_ARGS__))
#define doca_sha_create(...) DOCA_PRIV_TODAY(sha_create, (__VA_ARGS__))
#define doca_sha_destroy(...) DOCA_PRIV_TODAY(sha_destroy, (__VA_ARGS__))
#define doca_sha_as_ctx(...) DOCA_PRIV_TODAY(sha_as_ctx, (__VA_ARGS__))
#define doca_graph_create(...) DOCA_PRIV_TODAY(graph_create, (__VA_ARGS__))
#define doca_graph_destroy(...) DOCA_PRIV_TODAY(graph_destroy, (__VA_ARGS__))
#define doca_graph_add_dependency(...) DOCA_PRIV_TODAY(graph_add_dependency, (__VA_ARGS__))
#define doca_graph_start(...) DOCA_PRIV_TODAY(graph_start, (__VA_ARGS__))
#define doca_graph_stop(...) DOCA_PRIV_TODAY(graph_stop, (__VA_ARGS__))
#define doca_graph_instance_create(...) DOCA_PRIV_TODAY(graph_instance_create, (__VA_ARGS__))
#define doca_graph_instance_destroy(...) DOCA_PRIV_TODAY(graph_instance_destroy, (__VA_ARGS__))
#define doca_graph_instance_set_ctx_node_data(...)                                                 \
    DOCA_PRIV_TODAY(graph_instance_set_ctx_node_data, (__VA_ARGS__))
#define doca_graph_instance_set_user_node_data(...)                                                \
    DOCA_PRIV_TODAY(graph_instance_set_user_node_data, (__VA_ARGS__))
#define doca_graph_instance_set_sub_graph_node_data(...)                                           \
    DOCA_PRIV_TODAY(graph_instance_set_sub_graph_node_data, (__VA_ARGS__))
#ifdef DOCA_CORE_LEGACY_GUIDE
#define doca_dev_as_devinfo(...) DOCA_PRIV_TODAY(dev_as_devinfo, (__VA_ARGS__))
#endif
#endif

#endif
