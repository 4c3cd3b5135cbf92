/* Declares again, as the vendor documents it, every function that API 2.5.1 and 3.x have in the
 * modules of doca_core.h. If a signature differs, this file does not compile. If a function is
 * missing, or is only a macro, the program does not link. A few functions changed between the
 * versions; they are declared as in the version that DOCA_CORE_API selects. A comment before each
 * group has its module and the number of its functions; "later" means versions after 2.5.1. */
#include "doca_test.h"

/* error: 2 */
const char *doca_error_get_descr(doca_error_t error);
const char *doca_error_get_name(doca_error_t error);

/* device: 27 */
struct doca_devinfo *doca_dev_as_devinfo(const struct doca_dev *dev);
doca_error_t doca_dev_close(struct doca_dev *dev);
doca_error_t doca_dev_open(struct doca_devinfo *devinfo, struct doca_dev **dev);
struct doca_devinfo_rep *doca_dev_rep_as_devinfo(struct doca_dev_rep *dev_rep);
doca_error_t doca_dev_rep_close(struct doca_dev_rep *dev);
doca_error_t doca_dev_rep_open(struct doca_devinfo_rep *devinfo, struct doca_dev_rep **dev_rep);
doca_error_t doca_devinfo_cap_is_hotplug_manager_supported(const struct doca_devinfo *devinfo,
                                                           uint8_t *is_hotplug_manager);
doca_error_t doca_devinfo_create_list(struct doca_devinfo ***dev_list, uint32_t *nb_devs);
doca_error_t doca_devinfo_destroy_list(struct doca_devinfo **dev_list);
doca_error_t doca_devinfo_get_ibdev_name(const struct doca_devinfo *devinfo, char *ibdev_name,
                                         uint32_t size);
doca_error_t doca_devinfo_get_iface_name(const struct doca_devinfo *devinfo, char *iface_name,
                                         uint32_t size);
doca_error_t doca_devinfo_get_ipv4_addr(const struct doca_devinfo *devinfo, uint8_t *ipv4_addr,
                                        uint32_t size);
doca_error_t doca_devinfo_get_ipv6_addr(const struct doca_devinfo *devinfo, uint8_t *ipv6_addr,
                                        uint32_t size);
doca_error_t doca_devinfo_get_lid(const struct doca_devinfo *devinfo, uint16_t *lid);
doca_error_t doca_devinfo_get_mac_addr(const struct doca_devinfo *devinfo, uint8_t *mac_addr,
                                       uint32_t size);
doca_error_t doca_devinfo_get_pci_addr_str(const struct doca_devinfo *devinfo, char *pci_addr_str);
doca_error_t doca_devinfo_is_equal_pci_addr(const struct doca_devinfo *devinfo,
                                            const char *pci_addr_str, uint8_t *is_equal);
doca_error_t doca_devinfo_rep_cap_is_filter_all_supported(const struct doca_devinfo *devinfo,
                                                          uint8_t *filter_all_supported);
doca_error_t doca_devinfo_rep_cap_is_filter_emulated_supported(const struct doca_devinfo *devinfo,
                                                               uint8_t *filter_emulated_supported);
doca_error_t doca_devinfo_rep_cap_is_filter_net_supported(const struct doca_devinfo *devinfo,
                                                          uint8_t *filter_net_supported);
doca_error_t doca_devinfo_rep_create_list(struct doca_dev *dev, int filter,
                                          struct doca_devinfo_rep ***dev_list_rep,
                                          uint32_t *nb_devs_rep);
doca_error_t doca_devinfo_rep_destroy_list(struct doca_devinfo_rep **dev_list_rep);
doca_error_t doca_devinfo_rep_get_is_hotplug(const struct doca_devinfo_rep *devinfo_rep,
                                             uint8_t *is_hotplug);
doca_error_t doca_devinfo_rep_get_pci_addr_str(const struct doca_devinfo_rep *devinfo_rep,
                                               char *pci_addr_str);
doca_error_t doca_devinfo_rep_get_pci_func_type(const struct doca_devinfo_rep *devinfo_rep,
                                                enum doca_pci_func_type *pci_func_type);
doca_error_t doca_devinfo_rep_get_vuid(const struct doca_devinfo_rep *devinfo_rep, char *rep_vuid,
                                       uint32_t size);
doca_error_t doca_devinfo_rep_is_equal_pci_addr(const struct doca_devinfo_rep *devinfo_rep,
                                                const char *pci_addr_str, uint8_t *is_equal);

/* mmap: 23 */
doca_error_t doca_mmap_add_dev(struct doca_mmap *mmap, struct doca_dev *dev);
doca_error_t doca_mmap_cap_is_create_from_export_pci_supported(const struct doca_devinfo *devinfo,
                                                               uint8_t *from_export);
doca_error_t doca_mmap_cap_is_export_pci_supported(const struct doca_devinfo *devinfo,
                                                   uint8_t *mmap_export);
doca_error_t doca_mmap_create(struct doca_mmap **mmap);
doca_error_t doca_mmap_create_from_export(const union doca_data *user_data, const void *export_desc,
                                          size_t export_desc_len, struct doca_dev *dev,
                                          struct doca_mmap **mmap);
doca_error_t doca_mmap_destroy(struct doca_mmap *mmap);
doca_error_t doca_mmap_export_pci(struct doca_mmap *mmap, const struct doca_dev *dev,
                                  const void **export_desc, size_t *export_desc_len);
doca_error_t doca_mmap_export_rdma(struct doca_mmap *mmap, const struct doca_dev *dev,
                                   const void **export_desc, size_t *export_desc_len);
doca_error_t doca_mmap_get_exported(const struct doca_mmap *mmap, uint8_t *exported);
doca_error_t doca_mmap_get_from_export(const struct doca_mmap *mmap, uint8_t *from_export);
doca_error_t doca_mmap_get_max_num_devices(const struct doca_mmap *mmap, uint32_t *max_num_devices);
doca_error_t doca_mmap_get_memrange(const struct doca_mmap *mmap, void **addr, size_t *len);
doca_error_t doca_mmap_get_num_bufs(const struct doca_mmap *mmap, uint32_t *num_bufs);
doca_error_t doca_mmap_get_user_data(const struct doca_mmap *mmap, union doca_data *user_data);
doca_error_t doca_mmap_rm_dev(struct doca_mmap *mmap, struct doca_dev *dev);
doca_error_t doca_mmap_set_dmabuf_memrange(struct doca_mmap *mmap, int dmabuf_fd, void *addr,
                                           size_t dmabuf_offset, size_t len);
doca_error_t doca_mmap_set_free_cb(struct doca_mmap *mmap, doca_mmap_memrange_free_cb_t *free_cb,
                                   void *opaque);
doca_error_t doca_mmap_set_max_num_devices(struct doca_mmap *mmap, uint32_t max_num_devices);
doca_error_t doca_mmap_set_memrange(struct doca_mmap *mmap, void *addr, size_t len);
doca_error_t doca_mmap_set_permissions(struct doca_mmap *mmap, uint32_t access_mask);
doca_error_t doca_mmap_set_user_data(struct doca_mmap *mmap, union doca_data user_data);
doca_error_t doca_mmap_start(struct doca_mmap *mmap);
doca_error_t doca_mmap_stop(struct doca_mmap *mmap);

/* buf: 17 */
doca_error_t doca_buf_chain_list(struct doca_buf *list1, struct doca_buf *list2);
doca_error_t doca_buf_dec_refcount(struct doca_buf *buf, uint16_t *refcount);
doca_error_t doca_buf_get_data(const struct doca_buf *buf, void **data);
doca_error_t doca_buf_get_data_len(const struct doca_buf *buf, size_t *data_len);
doca_error_t doca_buf_get_head(const struct doca_buf *buf, void **head);
doca_error_t doca_buf_get_last_in_list(struct doca_buf *buf, struct doca_buf **last_buf);
doca_error_t doca_buf_get_len(const struct doca_buf *buf, size_t *len);
doca_error_t doca_buf_get_list_len(const struct doca_buf *buf, uint32_t *num_elements);
doca_error_t doca_buf_get_next_in_list(struct doca_buf *buf, struct doca_buf **next_buf);
doca_error_t doca_buf_get_refcount(const struct doca_buf *buf, uint16_t *refcount);
doca_error_t doca_buf_inc_refcount(struct doca_buf *buf, uint16_t *refcount);
doca_error_t doca_buf_is_first_in_list(const struct doca_buf *buf, uint8_t *is_first);
doca_error_t doca_buf_is_in_list(const struct doca_buf *buf, uint8_t *is_in_list);
doca_error_t doca_buf_is_last_in_list(const struct doca_buf *buf, uint8_t *is_last);
doca_error_t doca_buf_reset_data_len(struct doca_buf *buf);
doca_error_t doca_buf_set_data(struct doca_buf *buf, void *data, size_t data_len);
doca_error_t doca_buf_unchain_list(struct doca_buf *list1, struct doca_buf *list2);

/* inventory: 12 */
doca_error_t doca_buf_inventory_buf_dup(struct doca_buf_inventory *inventory,
                                        const struct doca_buf *src_buf, struct doca_buf **dst_buf);
doca_error_t doca_buf_inventory_buf_get_by_addr(struct doca_buf_inventory *inventory,
                                                struct doca_mmap *mmap, void *addr, size_t len,
                                                struct doca_buf **buf);
doca_error_t doca_buf_inventory_buf_get_by_args(struct doca_buf_inventory *inventory,
                                                struct doca_mmap *mmap, void *addr, size_t len,
                                                void *data, size_t data_len, struct doca_buf **buf);
doca_error_t doca_buf_inventory_buf_get_by_data(struct doca_buf_inventory *inventory,
                                                struct doca_mmap *mmap, void *data, size_t data_len,
                                                struct doca_buf **buf);
doca_error_t doca_buf_inventory_create(size_t num_elements, struct doca_buf_inventory **inventory);
doca_error_t doca_buf_inventory_destroy(struct doca_buf_inventory *inventory);
doca_error_t doca_buf_inventory_get_num_elements(const struct doca_buf_inventory *inventory,
                                                 uint32_t *num_of_elements);
doca_error_t doca_buf_inventory_get_num_free_elements(const struct doca_buf_inventory *inventory,
                                                      uint32_t *num_of_free_elements);
doca_error_t doca_buf_inventory_get_user_data(const struct doca_buf_inventory *inventory,
                                              union doca_data *user_data);
doca_error_t doca_buf_inventory_set_user_data(struct doca_buf_inventory *inventory,
                                              union doca_data user_data);
doca_error_t doca_buf_inventory_start(struct doca_buf_inventory *inventory);
doca_error_t doca_buf_inventory_stop(struct doca_buf_inventory *inventory);

/* pool: 11 */
doca_error_t doca_buf_pool_buf_alloc(struct doca_buf_pool *buf_pool, struct doca_buf **buf);
doca_error_t doca_buf_pool_create(size_t num_elements, size_t element_size,
                                  const struct doca_mmap *mmap, struct doca_buf_pool **buf_pool);
doca_error_t doca_buf_pool_destroy(struct doca_buf_pool *buf_pool);
doca_error_t doca_buf_pool_get_element_alignment(const struct doca_buf_pool *buf_pool,
                                                 size_t *element_alignment);
doca_error_t doca_buf_pool_get_num_elements(const struct doca_buf_pool *buf_pool,
                                            uint32_t *num_of_elements);
doca_error_t doca_buf_pool_get_num_free_elements(const struct doca_buf_pool *buf_pool,
                                                 uint32_t *num_of_free_elements);
doca_error_t doca_buf_pool_get_user_data(const struct doca_buf_pool *buf_pool,
                                         union doca_data *user_data);
doca_error_t doca_buf_pool_set_element_alignment(struct doca_buf_pool *buf_pool,
                                                 size_t element_alignment);
doca_error_t doca_buf_pool_set_user_data(struct doca_buf_pool *buf_pool, union doca_data user_data);
doca_error_t doca_buf_pool_start(struct doca_buf_pool *buf_pool);
doca_error_t doca_buf_pool_stop(struct doca_buf_pool *buf_pool);

/* buf array: 9, including those that differ between versions */
doca_error_t doca_buf_arr_destroy(struct doca_buf_arr *buf_arr);
doca_error_t doca_buf_arr_get_gpu_handle(const struct doca_buf_arr *buf_arr,
                                         struct doca_gpu_buf_arr **gpu_buf_arr);
doca_error_t doca_buf_arr_set_target_dpa(struct doca_buf_arr *buf_arr,
                                         struct doca_dpa *dpa_handler);
doca_error_t doca_buf_arr_set_target_gpu(struct doca_buf_arr *buf_arr,
                                         struct doca_gpu *gpu_handler);
doca_error_t doca_buf_arr_start(struct doca_buf_arr *buf_arr);
doca_error_t doca_buf_arr_stop(struct doca_buf_arr *buf_arr);

/* pe, task: 15 */
doca_error_t doca_pe_create(struct doca_pe **pe);
doca_error_t doca_pe_destroy(struct doca_pe *pe);
doca_error_t doca_pe_connect_ctx(struct doca_pe *pe, struct doca_ctx *ctx);
uint8_t doca_pe_progress(struct doca_pe *pe);
doca_error_t doca_pe_get_notification_handle(const struct doca_pe *pe,
                                             doca_notification_handle_t *handle);
doca_error_t doca_pe_request_notification(struct doca_pe *pe);
doca_error_t doca_pe_clear_notification(struct doca_pe *pe, doca_notification_handle_t handle);
doca_error_t doca_pe_get_num_inflight_tasks(const struct doca_pe *pe, size_t *num_inflight_tasks);
doca_error_t doca_task_submit(struct doca_task *task);
doca_error_t doca_task_try_submit(struct doca_task *task);
void doca_task_free(struct doca_task *task);
doca_error_t doca_task_get_status(const struct doca_task *task);
void doca_task_set_user_data(struct doca_task *task, union doca_data user_data);
union doca_data doca_task_get_user_data(const struct doca_task *task);
struct doca_ctx *doca_task_get_ctx(const struct doca_task *task);

/* ctx: 9 */
doca_error_t doca_ctx_get_num_inflight_tasks(const struct doca_ctx *ctx,
                                             size_t *num_inflight_tasks);
doca_error_t doca_ctx_get_state(const struct doca_ctx *ctx, enum doca_ctx_states *state);
doca_error_t doca_ctx_get_user_data(const struct doca_ctx *ctx, union doca_data *user_data);
doca_error_t doca_ctx_set_datapath_on_dpa(struct doca_ctx *ctx, struct doca_dpa *dpa_dev);
doca_error_t doca_ctx_set_datapath_on_gpu(struct doca_ctx *ctx, struct doca_gpu *gpu_dev);
doca_error_t doca_ctx_set_state_changed_cb(struct doca_ctx *ctx,
                                           doca_ctx_state_changed_callback_t cb);
doca_error_t doca_ctx_set_user_data(struct doca_ctx *ctx, union doca_data user_data);
doca_error_t doca_ctx_start(struct doca_ctx *ctx);
doca_error_t doca_ctx_stop(struct doca_ctx *ctx);

/* dma: 14 */
doca_error_t doca_dma_create(struct doca_dev *dev, struct doca_dma **dma);
doca_error_t doca_dma_destroy(struct doca_dma *dma);
struct doca_ctx *doca_dma_as_ctx(struct doca_dma *dma);
doca_error_t doca_dma_cap_task_memcpy_is_supported(const struct doca_devinfo *devinfo);
doca_error_t doca_dma_cap_get_max_num_tasks(struct doca_dma *dma, uint32_t *max_num_tasks);
doca_error_t doca_dma_cap_task_memcpy_get_max_buf_list_len(const struct doca_devinfo *devinfo,
                                                           uint32_t *max_buf_list_len);
doca_error_t doca_dma_cap_task_memcpy_get_max_buf_size(const struct doca_devinfo *devinfo,
                                                       uint64_t *buf_size);
doca_error_t doca_dma_task_memcpy_set_conf(struct doca_dma *dma,
                                           doca_dma_task_memcpy_completion_cb_t task_completion_cb,
                                           doca_dma_task_memcpy_completion_cb_t task_error_cb,
                                           uint32_t num_memcpy_tasks);
doca_error_t doca_dma_task_memcpy_alloc_init(struct doca_dma *dma, const struct doca_buf *src,
                                             struct doca_buf *dst, union doca_data user_data,
                                             struct doca_dma_task_memcpy **task);
struct doca_task *doca_dma_task_memcpy_as_task(struct doca_dma_task_memcpy *task);
void doca_dma_task_memcpy_set_src(struct doca_dma_task_memcpy *task, const struct doca_buf *src);
const struct doca_buf *doca_dma_task_memcpy_get_src(const struct doca_dma_task_memcpy *task);
void doca_dma_task_memcpy_set_dst(struct doca_dma_task_memcpy *task, struct doca_buf *dst);
struct doca_buf *doca_dma_task_memcpy_get_dst(const struct doca_dma_task_memcpy *task);

/* sha: 32 */
doca_error_t doca_sha_create(struct doca_dev *dev, struct doca_sha **sha);
doca_error_t doca_sha_destroy(struct doca_sha *sha);
struct doca_ctx *doca_sha_as_ctx(struct doca_sha *sha);
doca_error_t doca_sha_cap_task_hash_get_supported(struct doca_devinfo const *devinfo, enum
    doca_sha_algorithm algorithm);
doca_error_t doca_sha_cap_task_partial_hash_get_supported(struct doca_devinfo const *devinfo,
    enum doca_sha_algorithm algorithm);
doca_error_t doca_sha_cap_get_max_list_buf_num_elem(struct doca_devinfo const *devinfo, uint32_t
    *max_list_buf_num_elem);
doca_error_t doca_sha_cap_get_max_src_buf_size(struct doca_devinfo const *devinfo, uint64_t
    *max_src_buf_size);
doca_error_t doca_sha_cap_get_min_dst_buf_size(struct doca_devinfo const *devinfo, enum
    doca_sha_algorithm algorithm, uint32_t *min_dst_buf_size);
doca_error_t doca_sha_cap_get_partial_hash_block_size(struct doca_devinfo const *devinfo, enum
    doca_sha_algorithm algorithm, uint32_t *partial_block_size);
doca_error_t doca_sha_cap_get_max_num_tasks(struct doca_sha *sha, uint32_t *max_num_tasks);
doca_error_t doca_sha_task_hash_set_conf(struct doca_sha *sha,
    doca_sha_task_hash_completion_cb_t task_completion_cb, doca_sha_task_hash_completion_cb_t
    task_error_cb, uint8_t log_num_tasks);
doca_error_t doca_sha_task_hash_alloc_init(struct doca_sha *sha, enum doca_sha_algorithm
    algorithm, struct doca_buf const *src_buf, struct doca_buf *dst_buf, union doca_data
    user_data, struct doca_sha_task_hash **task);
doca_error_t doca_sha_task_hash_set_src(struct doca_sha_task_hash *task, struct doca_buf const
    *src_buf);
struct doca_buf const *doca_sha_task_hash_get_src(struct doca_sha_task_hash const *task);
doca_error_t doca_sha_task_hash_set_dst(struct doca_sha_task_hash *task, struct doca_buf
    *dst_buf);
struct doca_buf const *doca_sha_task_hash_get_dst(struct doca_sha_task_hash const *task);
doca_error_t doca_sha_task_hash_set_algorithm(struct doca_sha_task_hash *task, enum
    doca_sha_algorithm algorithm);
enum doca_sha_algorithm doca_sha_task_hash_get_algorithm(struct doca_sha_task_hash const *task);
struct doca_task *doca_sha_task_hash_as_task(struct doca_sha_task_hash *task);
doca_error_t doca_sha_task_partial_hash_set_conf(struct doca_sha *sha,
    doca_sha_task_partial_hash_completion_cb_t task_completion_cb,
    doca_sha_task_partial_hash_completion_cb_t task_error_cb, uint8_t log_num_tasks);
doca_error_t doca_sha_task_partial_hash_alloc_init(struct doca_sha *sha, enum doca_sha_algorithm
    algorithm, struct doca_buf const *src_buf, struct doca_buf *dst_buf, union doca_data
    user_data, struct doca_sha_task_partial_hash **task);
doca_error_t doca_sha_task_partial_hash_reset(struct doca_sha_task_partial_hash *task);
doca_error_t doca_sha_task_partial_hash_set_src(struct doca_sha_task_partial_hash *task, struct
    doca_buf const *src_buf);
struct doca_buf const *doca_sha_task_partial_hash_get_src(struct doca_sha_task_partial_hash
    const *task);
doca_error_t doca_sha_task_partial_hash_set_dst(struct doca_sha_task_partial_hash *task, struct
    doca_buf *dst_buf);
struct doca_buf const *doca_sha_task_partial_hash_get_dst(struct doca_sha_task_partial_hash
    const *task);
doca_error_t doca_sha_task_partial_hash_set_algorithm(struct doca_sha_task_partial_hash *task,
    enum doca_sha_algorithm algorithm);
enum doca_sha_algorithm doca_sha_task_partial_hash_get_algorithm(struct
    doca_sha_task_partial_hash const *task);
doca_error_t doca_sha_task_partial_hash_set_is_final_buf(struct doca_sha_task_partial_hash
    *task);
uint8_t doca_sha_task_partial_hash_get_is_final(struct doca_sha_task_partial_hash const *task);
uint8_t doca_sha_task_partial_hash_get_has_result(struct doca_sha_task_partial_hash const
    *task);
struct doca_task *doca_sha_task_partial_hash_as_task(struct doca_sha_task_partial_hash *task);

/* sync event: 65 */
doca_error_t doca_sync_event_add_publisher_location_cpu(struct doca_sync_event *event, struct
    doca_dev *dev);
doca_error_t doca_sync_event_add_publisher_location_dpa(struct doca_sync_event *event, struct
    doca_dpa *dpa);
doca_error_t doca_sync_event_add_publisher_location_dpu(struct doca_sync_event *event);
doca_error_t doca_sync_event_add_publisher_location_gpu(struct doca_sync_event *event, struct
    doca_gpu *gpu);
doca_error_t doca_sync_event_add_publisher_location_remote_net(struct doca_sync_event *event);
doca_error_t doca_sync_event_add_subscriber_location_cpu(struct doca_sync_event *event, struct
    doca_dev *dev);
doca_error_t doca_sync_event_add_subscriber_location_dpa(struct doca_sync_event *event, struct
    doca_dpa *dpa);
doca_error_t doca_sync_event_add_subscriber_location_dpu(struct doca_sync_event *event);
doca_error_t doca_sync_event_add_subscriber_location_gpu(struct doca_sync_event *event, struct
    doca_gpu *gpu);
struct doca_ctx *doca_sync_event_as_ctx(struct doca_sync_event *event);
doca_error_t doca_sync_event_cap_is_create_from_export_supported(const struct doca_devinfo
    *devinfo);
doca_error_t doca_sync_event_cap_is_export_to_dpa_supported(const struct doca_devinfo *devinfo);
doca_error_t doca_sync_event_cap_is_export_to_dpu_supported(const struct doca_devinfo *devinfo);
doca_error_t doca_sync_event_cap_is_export_to_gpu_supported(const struct doca_devinfo *devinfo);
doca_error_t doca_sync_event_cap_is_export_to_remote_net_supported(const struct doca_devinfo
    *devinfo);
doca_error_t doca_sync_event_cap_remote_net_is_create_from_export_supported(const struct
    doca_devinfo *devinfo);
doca_error_t doca_sync_event_cap_remote_net_is_export_to_dpa_supported(const struct doca_devinfo
    *devinfo);
doca_error_t doca_sync_event_cap_remote_net_is_export_to_gpu_supported(const struct doca_devinfo
    *devinfo);
doca_error_t doca_sync_event_cap_task_get_is_supported(const struct doca_devinfo *devinfo);
doca_error_t doca_sync_event_cap_task_notify_add_is_supported(const struct doca_devinfo *devinfo);
doca_error_t doca_sync_event_cap_task_notify_set_is_supported(const struct doca_devinfo *devinfo);
doca_error_t doca_sync_event_cap_task_wait_gt_is_supported(const struct doca_devinfo *devinfo);
doca_error_t doca_sync_event_create(struct doca_sync_event **event);
doca_error_t doca_sync_event_create_from_export(struct doca_dev *dev, const uint8_t *data, size_t
    sz, struct doca_sync_event **event);
doca_error_t doca_sync_event_destroy(struct doca_sync_event *event);
doca_error_t doca_sync_event_export_to_dpa(struct doca_sync_event *event, struct doca_dpa *dpa,
    doca_dpa_dev_sync_event_t *dpa_dev_se_handle);
doca_error_t doca_sync_event_export_to_dpu(struct doca_sync_event *event, struct doca_dev *dev,
    const uint8_t **data, size_t *sz);
doca_error_t doca_sync_event_export_to_gpu(struct doca_sync_event *event, struct doca_gpu *gpu,
    doca_gpu_dev_sync_event_t **gpu_dev_se);
doca_error_t doca_sync_event_export_to_remote_net(struct doca_sync_event *event, const uint8_t
    **data, size_t *sz);
doca_error_t doca_sync_event_get(struct doca_sync_event *event, uint64_t *value);
doca_error_t doca_sync_event_remote_net_create_from_export(struct doca_dev *dev, const uint8_t
    *data, size_t sz, struct doca_sync_event_remote_net **event);
doca_error_t doca_sync_event_remote_net_destroy(struct doca_sync_event_remote_net *event);
doca_error_t doca_sync_event_remote_net_export_to_dpa(struct doca_sync_event_remote_net *event,
    struct doca_dpa *dpa, doca_dpa_dev_sync_event_remote_net_t *dpa_remote_event);
doca_error_t doca_sync_event_remote_net_export_to_gpu(struct doca_sync_event_remote_net *event,
    struct doca_gpu *gpu, doca_gpu_dev_sync_event_remote_net_t *gpu_remote_event);
doca_error_t doca_sync_event_set_addr(struct doca_sync_event *event, uint64_t *addr);
doca_error_t doca_sync_event_start(struct doca_sync_event *event);
doca_error_t doca_sync_event_stop(struct doca_sync_event *event);
doca_error_t doca_sync_event_task_get_alloc_init(struct doca_sync_event *event, uint64_t
    *ret_val_ptr, union doca_data user_data, struct doca_sync_event_task_get **task);
struct doca_task *doca_sync_event_task_get_as_doca_task(struct doca_sync_event_task_get *task);
uint64_t *doca_sync_event_task_get_get_ret_val_ptr(const struct doca_sync_event_task_get *task);
doca_error_t doca_sync_event_task_get_set_conf(struct doca_sync_event *event,
    doca_sync_event_task_get_completion_cb_t completion_cb, doca_sync_event_task_get_completion_cb_t
    error_cb, uint32_t num_tasks);
void doca_sync_event_task_get_set_ret_val_ptr(struct doca_sync_event_task_get *task, uint64_t
    *ret_val_ptr);
doca_error_t doca_sync_event_task_notify_add_alloc_init(struct doca_sync_event *event, uint64_t
    inc_val, uint64_t *fetched_val_ptr, union doca_data user_data, struct
    doca_sync_event_task_notify_add **task);
struct doca_task *doca_sync_event_task_notify_add_as_doca_task(struct
    doca_sync_event_task_notify_add *task);
uint64_t *doca_sync_event_task_notify_add_get_fetched_val_ptr(const struct
    doca_sync_event_task_notify_add *task);
uint64_t doca_sync_event_task_notify_add_get_inc_val(const struct doca_sync_event_task_notify_add
    *task);
doca_error_t doca_sync_event_task_notify_add_set_conf(struct doca_sync_event *event,
    doca_sync_event_task_notify_add_completion_cb_t completion_cb,
    doca_sync_event_task_notify_add_completion_cb_t error_cb, uint32_t num_tasks);
void doca_sync_event_task_notify_add_set_fetched_val_ptr(struct doca_sync_event_task_notify_add
    *task, uint64_t *fetched_val_ptr);
void doca_sync_event_task_notify_add_set_inc_val(struct doca_sync_event_task_notify_add *task,
    uint64_t inc_val);
doca_error_t doca_sync_event_task_notify_set_alloc_init(struct doca_sync_event *event, uint64_t
    set_val, union doca_data user_data, struct doca_sync_event_task_notify_set **task);
struct doca_task *doca_sync_event_task_notify_set_as_doca_task(struct
    doca_sync_event_task_notify_set *task);
uint64_t doca_sync_event_task_notify_set_get_set_val(const struct doca_sync_event_task_notify_set
    *task);
doca_error_t doca_sync_event_task_notify_set_set_conf(struct doca_sync_event *event,
    doca_sync_event_task_notify_set_completion_cb_t completion_cb,
    doca_sync_event_task_notify_set_completion_cb_t error_cb, uint32_t num_tasks);
void doca_sync_event_task_notify_set_set_set_val(struct doca_sync_event_task_notify_set *task,
    uint64_t set_val);
doca_error_t doca_sync_event_task_wait_gt_alloc_init(struct doca_sync_event *event, uint64_t
    wait_val, uint64_t mask, union doca_data user_data, struct doca_sync_event_task_wait_gt **task);
struct doca_task *doca_sync_event_task_wait_gt_as_doca_task(struct doca_sync_event_task_wait_gt
    *task);
uint64_t doca_sync_event_task_wait_gt_get_mask(const struct doca_sync_event_task_wait_gt *task);
uint64_t doca_sync_event_task_wait_gt_get_wait_val(const struct doca_sync_event_task_wait_gt *task);
doca_error_t doca_sync_event_task_wait_gt_set_conf(struct doca_sync_event *event,
    doca_sync_event_task_wait_gt_completion_cb_t completion_cb,
    doca_sync_event_task_wait_gt_completion_cb_t error_cb, uint32_t num_tasks);
void doca_sync_event_task_wait_gt_set_mask(struct doca_sync_event_task_wait_gt *task, uint64_t
    mask);
void doca_sync_event_task_wait_gt_set_wait_val(struct doca_sync_event_task_wait_gt *task, uint64_t
    wait_val);
doca_error_t doca_sync_event_update_add(struct doca_sync_event *event, uint64_t value, uint64_t
    *fetched);
doca_error_t doca_sync_event_update_set(struct doca_sync_event *event, uint64_t value);
doca_error_t doca_sync_event_wait_gt(struct doca_sync_event *event, uint64_t value, uint64_t mask);
doca_error_t doca_sync_event_wait_gt_yield(struct doca_sync_event *event, uint64_t value, uint64_t
    mask);

/* graph: 19 */
doca_error_t doca_graph_create(struct doca_pe *pe, struct doca_graph **graph);
doca_error_t doca_graph_destroy(struct doca_graph *graph);
doca_error_t doca_graph_set_conf(struct doca_graph *graph, doca_graph_completion_cb_t
    graph_completion_cb, doca_graph_completion_cb_t graph_error_cb, uint32_t num_instances);
doca_error_t doca_graph_set_user_data(struct doca_graph *graph, union doca_data user_data);
doca_error_t doca_graph_get_user_data(const struct doca_graph *graph, union doca_data
    *user_data);
doca_error_t doca_graph_node_create_from_ctx(struct doca_graph *graph, const struct doca_ctx
    *ctx, struct doca_graph_node **node);
doca_error_t doca_graph_node_create_from_user(struct doca_graph *graph,
    doca_graph_user_node_cb_t cb, struct doca_graph_node **node);
doca_error_t doca_graph_node_create_from_graph(struct doca_graph *graph, struct doca_graph
    *sub_graph, struct doca_graph_node **node);
doca_error_t doca_graph_add_dependency(struct doca_graph *graph, struct doca_graph_node *from,
    struct doca_graph_node *to);
doca_error_t doca_graph_start(struct doca_graph *graph);
doca_error_t doca_graph_stop(struct doca_graph *graph);
doca_error_t doca_graph_instance_create(const struct doca_graph *graph, struct
    doca_graph_instance **graph_instance);
doca_error_t doca_graph_instance_destroy(struct doca_graph_instance *graph_instance);
doca_error_t doca_graph_instance_set_user_data(struct doca_graph_instance *graph_instance, union
    doca_data user_data);
doca_error_t doca_graph_instance_get_user_data(const struct doca_graph_instance *graph_instance,
    union doca_data *user_data);
doca_error_t doca_graph_instance_set_ctx_node_data(struct doca_graph_instance *graph_instance,
    struct doca_graph_node *node, struct doca_task *task);
doca_error_t doca_graph_instance_set_user_node_data(struct doca_graph_instance *graph_instance,
    struct doca_graph_node *node, void *cookie);
doca_error_t doca_graph_instance_set_sub_graph_node_data(struct doca_graph_instance
    *graph_instance, struct doca_graph_node *node, struct doca_graph_instance
    *sub_graph_instance);
doca_error_t doca_graph_instance_submit(struct doca_graph_instance *graph_instance);

/* rdma bridge: 3 */
doca_error_t doca_rdma_bridge_get_buf_mkey(const struct doca_buf *buf, struct doca_dev *dev,
                                           uint32_t *mkey);
doca_error_t doca_rdma_bridge_get_dev_pd(const struct doca_dev *dev, struct ibv_pd **pd);
doca_error_t doca_rdma_bridge_open_dev_from_pd(struct ibv_pd *pd, struct doca_dev **dev);

/* dpdk: 9 */
doca_error_t doca_dpdk_get_first_port_id(const struct doca_dev *dev, uint16_t *port_id);
doca_error_t doca_dpdk_mempool_create(const struct rte_mempool *mbuf_pool,
                                      struct doca_dpdk_mempool **mempool_out);
doca_error_t doca_dpdk_mempool_destroy(struct doca_dpdk_mempool *mempool);
doca_error_t doca_dpdk_mempool_dev_add(struct doca_dpdk_mempool *mempool, struct doca_dev *dev);
doca_error_t doca_dpdk_mempool_mbuf_to_buf(struct doca_dpdk_mempool *mempool,
                                           struct doca_buf_inventory *inventory,
                                           struct rte_mbuf *mbuf, struct doca_buf **buf);
doca_error_t doca_dpdk_mempool_set_permissions(struct doca_dpdk_mempool *mempool,
                                               uint32_t access_mask);
doca_error_t doca_dpdk_mempool_start(struct doca_dpdk_mempool *mempool);
doca_error_t doca_dpdk_port_as_dev(uint16_t port_id, struct doca_dev **dev);
doca_error_t doca_dpdk_port_probe(struct doca_dev *dev, const char *devargs);

/* 2.5.1 and 3.x differ: 4 */
#if DOCA_CORE_API >= 30000
doca_error_t doca_buf_arr_create(size_t num_elem, struct doca_buf_arr **buf_arr);
doca_error_t doca_buf_arr_get_dpa_handle(const struct doca_buf_arr *buf_arr,
                                         doca_dpa_dev_buf_arr_t *dpa_buf_arr);
doca_error_t doca_buf_arr_set_params(struct doca_buf_arr *buf_arr, struct doca_mmap *mmap,
                                     size_t elem_size, uint64_t start_offset);
doca_error_t doca_devinfo_get_active_rate(const struct doca_devinfo *devinfo,
                                          uint64_t *active_rate);
#else
doca_error_t doca_buf_arr_create(struct doca_mmap *mmap, struct doca_buf_arr **buf_arr);
doca_error_t doca_buf_arr_get_dpa_handle(const struct doca_buf_arr *buf_arr,
                                         struct doca_dpa_dev_buf_arr **dpa_buf_arr);
doca_error_t doca_buf_arr_set_params(struct doca_buf_arr *buf_arr, size_t size, uint32_t num_elem,
                                     uint32_t start_offset);
doca_error_t doca_devinfo_get_active_rate(const struct doca_devinfo *devinfo, double *active_rate);
#endif

/* later, buf and inventory: 3 */
doca_error_t doca_buf_inventory_expand(struct doca_buf_inventory *inventory,
                                       uint32_t num_elements);
doca_error_t doca_buf_chain_list_tail(struct doca_buf *list1_head, struct doca_buf *list1_tail,
                                      struct doca_buf *list2);
doca_error_t doca_buf_set_data_len(struct doca_buf *buf, size_t data_len);

/* later, pe and task: 11 */
doca_error_t doca_pe_set_event_mode(struct doca_pe *pe, enum doca_pe_event_mode event_mode);
doca_error_t doca_task_batch_submit(struct doca_task_batch *task_batch);
doca_error_t doca_task_batch_try_submit(struct doca_task_batch *task_batch);
doca_error_t doca_task_batch_get_status(const struct doca_task_batch *task_batch);
doca_error_t doca_task_submit_ex(struct doca_task *task, uint32_t flags);
struct doca_ctx *doca_task_batch_get_ctx(const struct doca_task_batch *task_batch);
uint16_t doca_task_batch_get_tasks_num(struct doca_task_batch *task_batch);
union doca_data doca_task_batch_get_ctx_user_data(const struct doca_task_batch *task_batch);
union doca_data doca_task_batch_get_user_data(const struct doca_task_batch *task_batch);
void doca_task_batch_free(struct doca_task_batch *task_batch);
void doca_task_batch_set_user_data(struct doca_task_batch *task_batch, union doca_data user_data);

/* later, ctx: 3 */
doca_error_t doca_ctx_cap_get_num_completion_vectors(const struct doca_devinfo *devinfo,
                                                     uint32_t *num_comp_vectors);
doca_error_t doca_ctx_set_completion_vector(struct doca_ctx *ctx, uint32_t comp_vector);
void doca_ctx_flush_tasks(struct doca_ctx *ctx);

/* later, device: 9 */
doca_error_t doca_dev_accelerate_resource_reclaim(struct doca_dev *dev);
doca_error_t doca_devinfo_cap_is_accelerate_resource_reclaim_supported(
    const struct doca_devinfo *devinfo, uint8_t *is_accelerate_resource_reclaim);
doca_error_t doca_devinfo_cap_is_notification_moderation_supported(
    const struct doca_devinfo *devinfo, uint8_t *is_notification_moderation_supported);
doca_error_t doca_devinfo_get_pci_func_type(const struct doca_devinfo *devinfo,
                                            enum doca_pci_func_type *pci_func_type);
doca_error_t doca_devinfo_get_sf_index(const struct doca_devinfo *devinfo, uint32_t *sf_index);
doca_error_t doca_devinfo_get_vhca_id(const struct doca_devinfo *devinfo, uint16_t *vhca_id);
doca_error_t doca_devinfo_rep_get_iface_name(const struct doca_devinfo_rep *devinfo_rep,
                                             char *iface_name, uint32_t size);
doca_error_t doca_devinfo_rep_get_sf_index(const struct doca_devinfo_rep *devinfo_rep,
                                           uint32_t *sf_index);
doca_error_t doca_devinfo_rep_get_vhca_id(const struct doca_devinfo_rep *devinfo_rep,
                                          uint16_t *vhca_id);

/* later, mmap, DMA: 4 */
doca_error_t doca_dma_get_gpu_handle(struct doca_dma *dma, struct doca_gpu_dma **gpu_dma);
doca_error_t doca_mmap_dev_get_dpa_handle(struct doca_mmap *mmap, const struct doca_dev *dev,
                                          doca_dpa_dev_mmap_t *dpa_mmap_handle);
doca_error_t doca_mmap_enable_thread_safety(struct doca_mmap *mmap);
doca_error_t doca_mmap_set_dpa_memrange(struct doca_mmap *mmap, struct doca_dpa *dpa,
                                        uint64_t dpa_addr, size_t len);

/* 3.1 to 3.3: 7 */
doca_error_t doca_buf_inventory_buf_reuse_by_addr(struct doca_buf *buf, void *addr, size_t len);
doca_error_t doca_buf_inventory_buf_reuse_by_args(struct doca_buf *buf, void *addr, size_t len,
                                                  void *data, size_t data_len);
doca_error_t doca_buf_inventory_buf_reuse_by_data(struct doca_buf *buf, void *data,
                                                  size_t data_len);
doca_error_t doca_mmap_get_mkey(const struct doca_mmap *mmap, const struct doca_dev *dev,
                                uint32_t *mkey);
doca_error_t doca_dma_set_ordered_completions(struct doca_dma *dma, uint8_t enable);
doca_error_t doca_devinfo_get_is_pcc_supported(const struct doca_devinfo *devinfo);
doca_error_t doca_dpdk_port_probe_with_representors(struct doca_dev *dev, const char *devargs,
                                                    struct doca_dev_rep **dev_reps,
                                                    uint32_t nb_reps);

/* alternative names of SHA: 5 */
doca_error_t doca_sha_cap_get_max_src_buffer_size(struct doca_devinfo const *devinfo,
                                                  uint64_t *max_src_buffer_size);
doca_error_t doca_sha_cap_get_min_dst_buffer_size(struct doca_devinfo const *devinfo,
                                                  enum doca_sha_algorithm algorithm,
                                                  uint32_t *min_dst_buffer_size);
doca_error_t doca_sha_task_partial_hash_set_is_final_buffer(
    struct doca_sha_task_partial_hash *task);
uint8_t doca_sha_task_partial_hash_get_is_final_buf(struct doca_sha_task_partial_hash const *task);
uint8_t doca_sha_task_partial_hash_get_is_final_buffer(
    struct doca_sha_task_partial_hash const *task);

/* later, mmap advise: 10 */
doca_error_t doca_mmap_advise_cap_task_cache_invalidate_is_supported(
    const struct doca_devinfo *devinfo);
doca_error_t doca_mmap_advise_create(struct doca_dev *dev, struct doca_mmap_advise **mmap_advise);
doca_error_t doca_mmap_advise_destroy(struct doca_mmap_advise *mmap_advise);
doca_error_t doca_mmap_advise_task_cache_invalidate_get_max_buf_size(
    const struct doca_devinfo *devinfo, uint64_t *buf_size);
doca_error_t doca_mmap_advise_task_invalidate_cache_alloc_init(
    struct doca_mmap_advise *mmap_advise, struct doca_buf *buf, union doca_data user_data,
    struct doca_mmap_advise_task_invalidate_cache **task);
doca_error_t doca_mmap_advise_task_invalidate_cache_set_conf(
    struct doca_mmap_advise *mmap_advise,
    doca_mmap_advise_task_invalidate_cache_completion_cb_t completion_cb,
    doca_mmap_advise_task_invalidate_cache_completion_cb_t error_cb, uint32_t num_tasks);
struct doca_buf *doca_mmap_advise_task_invalidate_cache_get_buf(
    const struct doca_mmap_advise_task_invalidate_cache *task);
struct doca_ctx *doca_mmap_advise_as_ctx(struct doca_mmap_advise *mmap_advise);
struct doca_task *doca_mmap_advise_task_invalidate_cache_as_doca_task(
    struct doca_mmap_advise_task_invalidate_cache *task);
void doca_mmap_advise_task_invalidate_cache_set_buf(
    struct doca_mmap_advise_task_invalidate_cache *task, struct doca_buf *buf);

/* later, sync event: 29 */
doca_error_t doca_sync_event_add_publisher_location_remote_pci(struct doca_sync_event *event);
doca_error_t doca_sync_event_add_subscriber_location_remote_pci(struct doca_sync_event *event);
doca_error_t doca_sync_event_cap_is_export_to_remote_pci_supported(
    const struct doca_devinfo *devinfo);
doca_error_t doca_sync_event_cap_task_wait_eq_is_supported(const struct doca_devinfo *devinfo);
doca_error_t doca_sync_event_cap_task_wait_neq_is_supported(const struct doca_devinfo *devinfo);
doca_error_t doca_sync_event_export_to_remote_pci(struct doca_sync_event *event,
                                                  struct doca_dev *dev, const uint8_t **data,
                                                  size_t *sz);
doca_error_t doca_sync_event_get_dpa_handle(struct doca_sync_event *event, struct doca_dpa *dpa,
                                            doca_dpa_dev_sync_event_t *dpa_dev_se_handle);
doca_error_t doca_sync_event_get_gpu_handle(struct doca_sync_event *event, struct doca_gpu *gpu,
                                            doca_gpu_dev_sync_event_t **gpu_dev_se);
doca_error_t doca_sync_event_remote_net_get_dpa_handle(
    struct doca_sync_event_remote_net *event, struct doca_dpa *dpa,
    doca_dpa_dev_sync_event_remote_net_t *dpa_remote_event);
doca_error_t doca_sync_event_remote_net_get_gpu_handle(
    struct doca_sync_event_remote_net *event, struct doca_gpu *gpu,
    doca_gpu_dev_sync_event_remote_net_t *gpu_remote_event);
doca_error_t doca_sync_event_set_doca_buf(struct doca_sync_event *event, struct doca_buf *buf);
doca_error_t doca_sync_event_wait_eq(struct doca_sync_event *event, uint64_t value, uint64_t mask);
doca_error_t doca_sync_event_wait_eq_yield(struct doca_sync_event *event, uint64_t value,
                                           uint64_t mask);
doca_error_t doca_sync_event_wait_neq(struct doca_sync_event *event, uint64_t value,
                                      uint64_t mask);
doca_error_t doca_sync_event_wait_neq_yield(struct doca_sync_event *event, uint64_t value,
                                            uint64_t mask);
doca_error_t doca_sync_event_task_wait_eq_alloc_init(
    struct doca_sync_event *event, uint64_t wait_val, uint64_t mask, union doca_data user_data,
    struct doca_sync_event_task_wait_eq **task);
doca_error_t doca_sync_event_task_wait_eq_set_conf(
    struct doca_sync_event *event, doca_sync_event_task_wait_eq_completion_cb_t completion_cb,
    doca_sync_event_task_wait_eq_completion_cb_t error_cb, uint32_t num_tasks);
struct doca_task *doca_sync_event_task_wait_eq_as_doca_task(
    struct doca_sync_event_task_wait_eq *task);
uint64_t doca_sync_event_task_wait_eq_get_mask(
    const struct doca_sync_event_task_wait_eq *task);
uint64_t doca_sync_event_task_wait_eq_get_wait_val(
    const struct doca_sync_event_task_wait_eq *task);
void doca_sync_event_task_wait_eq_set_mask(struct doca_sync_event_task_wait_eq *task,
                                             uint64_t mask);
void doca_sync_event_task_wait_eq_set_wait_val(struct doca_sync_event_task_wait_eq *task,
                                                 uint64_t wait_val);
doca_error_t doca_sync_event_task_wait_neq_alloc_init(
    struct doca_sync_event *event, uint64_t wait_val, uint64_t mask, union doca_data user_data,
    struct doca_sync_event_task_wait_neq **task);
doca_error_t doca_sync_event_task_wait_neq_set_conf(
    struct doca_sync_event *event, doca_sync_event_task_wait_neq_completion_cb_t completion_cb,
    doca_sync_event_task_wait_neq_completion_cb_t error_cb, uint32_t num_tasks);
struct doca_task *doca_sync_event_task_wait_neq_as_doca_task(
    struct doca_sync_event_task_wait_neq *task);
uint64_t doca_sync_event_task_wait_neq_get_mask(
    const struct doca_sync_event_task_wait_neq *task);
uint64_t doca_sync_event_task_wait_neq_get_wait_val(
    const struct doca_sync_event_task_wait_neq *task);
void doca_sync_event_task_wait_neq_set_mask(struct doca_sync_event_task_wait_neq *task,
                                             uint64_t mask);
void doca_sync_event_task_wait_neq_set_wait_val(struct doca_sync_event_task_wait_neq *task,
                                                 uint64_t wait_val);

typedef void (*any_function_t)(void);

static const any_function_t functions[] = {
    (any_function_t)doca_error_get_descr,
    (any_function_t)doca_error_get_name,
    (any_function_t)doca_dev_as_devinfo,
    (any_function_t)doca_dev_close,
    (any_function_t)doca_dev_open,
    (any_function_t)doca_dev_rep_as_devinfo,
    (any_function_t)doca_dev_rep_close,
    (any_function_t)doca_dev_rep_open,
    (any_function_t)doca_devinfo_cap_is_hotplug_manager_supported,
    (any_function_t)doca_devinfo_create_list,
    (any_function_t)doca_devinfo_destroy_list,
    (any_function_t)doca_devinfo_get_ibdev_name,
    (any_function_t)doca_devinfo_get_iface_name,
    (any_function_t)doca_devinfo_get_ipv4_addr,
    (any_function_t)doca_devinfo_get_ipv6_addr,
    (any_function_t)doca_devinfo_get_lid,
    (any_function_t)doca_devinfo_get_mac_addr,
    (any_function_t)doca_devinfo_get_pci_addr_str,
    (any_function_t)doca_devinfo_is_equal_pci_addr,
    (any_function_t)doca_devinfo_rep_cap_is_filter_all_supported,
    (any_function_t)doca_devinfo_rep_cap_is_filter_emulated_supported,
    (any_function_t)doca_devinfo_rep_cap_is_filter_net_supported,
    (any_function_t)doca_devinfo_rep_create_list,
    (any_function_t)doca_devinfo_rep_destroy_list,
    (any_function_t)doca_devinfo_rep_get_is_hotplug,
    (any_function_t)doca_devinfo_rep_get_pci_addr_str,
    (any_function_t)doca_devinfo_rep_get_pci_func_type,
    (any_function_t)doca_devinfo_rep_get_vuid,
    (any_function_t)doca_devinfo_rep_is_equal_pci_addr,
    (any_function_t)doca_mmap_add_dev,
    (any_function_t)doca_mmap_cap_is_create_from_export_pci_supported,
    (any_function_t)doca_mmap_cap_is_export_pci_supported,
    (any_function_t)doca_mmap_create,
    (any_function_t)doca_mmap_create_from_export,
    (any_function_t)doca_mmap_destroy,
    (any_function_t)doca_mmap_export_pci,
    (any_function_t)doca_mmap_export_rdma,
    (any_function_t)doca_mmap_get_exported,
    (any_function_t)doca_mmap_get_from_export,
    (any_function_t)doca_mmap_get_max_num_devices,
    (any_function_t)doca_mmap_get_memrange,
    (any_function_t)doca_mmap_get_num_bufs,
    (any_function_t)doca_mmap_get_user_data,
    (any_function_t)doca_mmap_rm_dev,
    (any_function_t)doca_mmap_set_dmabuf_memrange,
    (any_function_t)doca_mmap_set_free_cb,
    (any_function_t)doca_mmap_set_max_num_devices,
    (any_function_t)doca_mmap_set_memrange,
    (any_function_t)doca_mmap_set_permissions,
    (any_function_t)doca_mmap_set_user_data,
    (any_function_t)doca_mmap_start,
    (any_function_t)doca_mmap_stop,
    (any_function_t)doca_buf_chain_list,
    (any_function_t)doca_buf_dec_refcount,
    (any_function_t)doca_buf_get_data,
    (any_function_t)doca_buf_get_data_len,
    (any_function_t)doca_buf_get_head,
    (any_function_t)doca_buf_get_last_in_list,
    (any_function_t)doca_buf_get_len,
    (any_function_t)doca_buf_get_list_len,
    (any_function_t)doca_buf_get_next_in_list,
    (any_function_t)doca_buf_get_refcount,
    (any_function_t)doca_buf_inc_refcount,
    (any_function_t)doca_buf_is_first_in_list,
    (any_function_t)doca_buf_is_in_list,
    (any_function_t)doca_buf_is_last_in_list,
    (any_function_t)doca_buf_reset_data_len,
    (any_function_t)doca_buf_set_data,
    (any_function_t)doca_buf_unchain_list,
    (any_function_t)doca_buf_inventory_buf_dup,
    (any_function_t)doca_buf_inventory_buf_get_by_addr,
    (any_function_t)doca_buf_inventory_buf_get_by_args,
    (any_function_t)doca_buf_inventory_buf_get_by_data,
    (any_function_t)doca_buf_inventory_create,
    (any_function_t)doca_buf_inventory_destroy,
    (any_function_t)doca_buf_inventory_get_num_elements,
    (any_function_t)doca_buf_inventory_get_num_free_elements,
    (any_function_t)doca_buf_inventory_get_user_data,
    (any_function_t)doca_buf_inventory_set_user_data,
    (any_function_t)doca_buf_inventory_start,
    (any_function_t)doca_buf_inventory_stop,
    (any_function_t)doca_buf_pool_buf_alloc,
    (any_function_t)doca_buf_pool_create,
    (any_function_t)doca_buf_pool_destroy,
    (any_function_t)doca_buf_pool_get_element_alignment,
    (any_function_t)doca_buf_pool_get_num_elements,
    (any_function_t)doca_buf_pool_get_num_free_elements,
    (any_function_t)doca_buf_pool_get_user_data,
    (any_function_t)doca_buf_pool_set_element_alignment,
    (any_function_t)doca_buf_pool_set_user_data,
    (any_function_t)doca_buf_pool_start,
    (any_function_t)doca_buf_pool_stop,
    (any_function_t)doca_buf_arr_create,
    (any_function_t)doca_buf_arr_destroy,
    (any_function_t)doca_buf_arr_get_dpa_handle,
    (any_function_t)doca_buf_arr_get_gpu_handle,
    (any_function_t)doca_buf_arr_set_params,
    (any_function_t)doca_buf_arr_set_target_dpa,
    (any_function_t)doca_buf_arr_set_target_gpu,
    (any_function_t)doca_buf_arr_start,
    (any_function_t)doca_buf_arr_stop,
    (any_function_t)doca_pe_create,
    (any_function_t)doca_pe_destroy,
    (any_function_t)doca_pe_connect_ctx,
    (any_function_t)doca_pe_progress,
    (any_function_t)doca_pe_get_notification_handle,
    (any_function_t)doca_pe_request_notification,
    (any_function_t)doca_pe_clear_notification,
    (any_function_t)doca_pe_get_num_inflight_tasks,
    (any_function_t)doca_task_submit,
    (any_function_t)doca_task_try_submit,
    (any_function_t)doca_task_free,
    (any_function_t)doca_task_get_status,
    (any_function_t)doca_task_set_user_data,
    (any_function_t)doca_task_get_user_data,
    (any_function_t)doca_task_get_ctx,
    (any_function_t)doca_ctx_get_num_inflight_tasks,
    (any_function_t)doca_ctx_get_state,
    (any_function_t)doca_ctx_get_user_data,
    (any_function_t)doca_ctx_set_datapath_on_dpa,
    (any_function_t)doca_ctx_set_datapath_on_gpu,
    (any_function_t)doca_ctx_set_state_changed_cb,
    (any_function_t)doca_ctx_set_user_data,
    (any_function_t)doca_ctx_start,
    (any_function_t)doca_ctx_stop,
    (any_function_t)doca_dma_create,
    (any_function_t)doca_dma_destroy,
    (any_function_t)doca_dma_as_ctx,
    (any_function_t)doca_dma_cap_task_memcpy_is_supported,
    (any_function_t)doca_dma_cap_get_max_num_tasks,
    (any_function_t)doca_dma_cap_task_memcpy_get_max_buf_list_len,
    (any_function_t)doca_dma_cap_task_memcpy_get_max_buf_size,
    (any_function_t)doca_dma_task_memcpy_set_conf,
    (any_function_t)doca_dma_task_memcpy_alloc_init,
    (any_function_t)doca_dma_task_memcpy_as_task,
    (any_function_t)doca_dma_task_memcpy_set_src,
    (any_function_t)doca_dma_task_memcpy_get_src,
    (any_function_t)doca_dma_task_memcpy_set_dst,
    (any_function_t)doca_dma_task_memcpy_get_dst,
    (any_function_t)doca_sha_create,
    (any_function_t)doca_sha_destroy,
    (any_function_t)doca_sha_as_ctx,
    (any_function_t)doca_sha_cap_task_hash_get_supported,
    (any_function_t)doca_sha_cap_task_partial_hash_get_supported,
    (any_function_t)doca_sha_cap_get_max_list_buf_num_elem,
    (any_function_t)doca_sha_cap_get_max_src_buf_size,
    (any_function_t)doca_sha_cap_get_min_dst_buf_size,
    (any_function_t)doca_sha_cap_get_partial_hash_block_size,
    (any_function_t)doca_sha_cap_get_max_num_tasks,
    (any_function_t)doca_sha_task_hash_set_conf,
    (any_function_t)doca_sha_task_hash_alloc_init,
    (any_function_t)doca_sha_task_hash_set_src,
    (any_function_t)doca_sha_task_hash_get_src,
    (any_function_t)doca_sha_task_hash_set_dst,
    (any_function_t)doca_sha_task_hash_get_dst,
    (any_function_t)doca_sha_task_hash_set_algorithm,
    (any_function_t)doca_sha_task_hash_get_algorithm,
    (any_function_t)doca_sha_task_hash_as_task,
    (any_function_t)doca_sha_task_partial_hash_set_conf,
    (any_function_t)doca_sha_task_partial_hash_alloc_init,
    (any_function_t)doca_sha_task_partial_hash_reset,
    (any_function_t)doca_sha_task_partial_hash_set_src,
    (any_function_t)doca_sha_task_partial_hash_get_src,
    (any_function_t)doca_sha_task_partial_hash_set_dst,
    (any_function_t)doca_sha_task_partial_hash_get_dst,
    (any_function_t)doca_sha_task_partial_hash_set_algorithm,
    (any_function_t)doca_sha_task_partial_hash_get_algorithm,
    (any_function_t)doca_sha_task_partial_hash_set_is_final_buf,
    (any_function_t)doca_sha_task_partial_hash_get_is_final,
    (any_function_t)doca_sha_task_partial_hash_get_has_result,
    (any_function_t)doca_sha_task_partial_hash_as_task,
    (any_function_t)doca_sync_event_add_publisher_location_cpu,
    (any_function_t)doca_sync_event_add_publisher_location_dpa,
    (any_function_t)doca_sync_event_add_publisher_location_dpu,
    (any_function_t)doca_sync_event_add_publisher_location_gpu,
    (any_function_t)doca_sync_event_add_publisher_location_remote_net,
    (any_function_t)doca_sync_event_add_subscriber_location_cpu,
    (any_function_t)doca_sync_event_add_subscriber_location_dpa,
    (any_function_t)doca_sync_event_add_subscriber_location_dpu,
    (any_function_t)doca_sync_event_add_subscriber_location_gpu,
    (any_function_t)doca_sync_event_as_ctx,
    (any_function_t)doca_sync_event_cap_is_create_from_export_supported,
    (any_function_t)doca_sync_event_cap_is_export_to_dpa_supported,
    (any_function_t)doca_sync_event_cap_is_export_to_dpu_supported,
    (any_function_t)doca_sync_event_cap_is_export_to_gpu_supported,
    (any_function_t)doca_sync_event_cap_is_export_to_remote_net_supported,
    (any_function_t)doca_sync_event_cap_remote_net_is_create_from_export_supported,
    (any_function_t)doca_sync_event_cap_remote_net_is_export_to_dpa_supported,
    (any_function_t)doca_sync_event_cap_remote_net_is_export_to_gpu_supported,
    (any_function_t)doca_sync_event_cap_task_get_is_supported,
    (any_function_t)doca_sync_event_cap_task_notify_add_is_supported,
    (any_function_t)doca_sync_event_cap_task_notify_set_is_supported,
    (any_function_t)doca_sync_event_cap_task_wait_gt_is_supported,
    (any_function_t)doca_sync_event_create,
    (any_function_t)doca_sync_event_create_from_export,
    (any_function_t)doca_sync_event_destroy,
    (any_function_t)doca_sync_event_export_to_dpa,
    (any_function_t)doca_sync_event_export_to_dpu,
    (any_function_t)doca_sync_event_export_to_gpu,
    (any_function_t)doca_sync_event_export_to_remote_net,
    (any_function_t)doca_sync_event_get,
    (any_function_t)doca_sync_event_remote_net_create_from_export,
    (any_function_t)doca_sync_event_remote_net_destroy,
    (any_function_t)doca_sync_event_remote_net_export_to_dpa,
    (any_function_t)doca_sync_event_remote_net_export_to_gpu,
    (any_function_t)doca_sync_event_set_addr,
    (any_function_t)doca_sync_event_start,
    (any_function_t)doca_sync_event_stop,
    (any_function_t)doca_sync_event_task_get_alloc_init,
    (any_function_t)doca_sync_event_task_get_as_doca_task,
    (any_function_t)doca_sync_event_task_get_get_ret_val_ptr,
    (any_function_t)doca_sync_event_task_get_set_conf,
    (any_function_t)doca_sync_event_task_get_set_ret_val_ptr,
    (any_function_t)doca_sync_event_task_notify_add_alloc_init,
    (any_function_t)doca_sync_event_task_notify_add_as_doca_task,
    (any_function_t)doca_sync_event_task_notify_add_get_fetched_val_ptr,
    (any_function_t)doca_sync_event_task_notify_add_get_inc_val,
    (any_function_t)doca_sync_event_task_notify_add_set_conf,
    (any_function_t)doca_sync_event_task_notify_add_set_fetched_val_ptr,
    (any_function_t)doca_sync_event_task_notify_add_set_inc_val,
    (any_function_t)doca_sync_event_task_notify_set_alloc_init,
    (any_function_t)doca_sync_event_task_notify_set_as_doca_task,
    (any_function_t)doca_sync_event_task_notify_set_get_set_val,
    (any_function_t)doca_sync_event_task_notify_set_set_conf,
    (any_function_t)doca_sync_event_task_notify_set_set_set_val,
    (any_function_t)doca_sync_event_task_wait_gt_alloc_init,
    (any_function_t)doca_sync_event_task_wait_gt_as_doca_task,
    (any_function_t)doca_sync_event_task_wait_gt_get_mask,
    (any_function_t)doca_sync_event_task_wait_gt_get_wait_val,
    (any_function_t)doca_sync_event_task_wait_gt_set_conf,
    (any_function_t)doca_sync_event_task_wait_gt_set_mask,
    (any_function_t)doca_sync_event_task_wait_gt_set_wait_val,
    (any_function_t)doca_sync_event_update_add,
    (any_function_t)doca_sync_event_update_set,
    (any_function_t)doca_sync_event_wait_gt,
    (any_function_t)doca_sync_event_wait_gt_yield,
    (any_function_t)doca_graph_create,
    (any_function_t)doca_graph_destroy,
    (any_function_t)doca_graph_set_conf,
    (any_function_t)doca_graph_set_user_data,
    (any_function_t)doca_graph_get_user_data,
    (any_function_t)doca_graph_node_create_from_ctx,
    (any_function_t)doca_graph_node_create_from_user,
    (any_function_t)doca_graph_node_create_from_graph,
    (any_function_t)doca_graph_add_dependency,
    (any_function_t)doca_graph_start,
    (any_function_t)doca_graph_stop,
    (any_function_t)doca_graph_instance_create,
    (any_function_t)doca_graph_instance_destroy,
    (any_function_t)doca_graph_instance_set_user_data,
    (any_function_t)doca_graph_instance_get_user_data,
    (any_function_t)doca_graph_instance_set_ctx_node_data,
    (any_function_t)doca_graph_instance_set_user_node_data,
    (any_function_t)doca_graph_instance_set_sub_graph_node_data,
    (any_function_t)doca_graph_instance_submit,
    (any_function_t)doca_rdma_bridge_get_buf_mkey,
    (any_function_t)doca_rdma_bridge_get_dev_pd,
    (any_function_t)doca_rdma_bridge_open_dev_from_pd,
    (any_function_t)doca_dpdk_get_first_port_id,
    (any_function_t)doca_dpdk_mempool_create,
    (any_function_t)doca_dpdk_mempool_destroy,
    (any_function_t)doca_dpdk_mempool_dev_add,
    (any_function_t)doca_dpdk_mempool_mbuf_to_buf,
    (any_function_t)doca_dpdk_mempool_set_permissions,
    (any_function_t)doca_dpdk_mempool_start,
    (any_function_t)doca_dpdk_port_as_dev,
    (any_function_t)doca_dpdk_port_probe,
    (any_function_t)doca_devinfo_get_active_rate,
    (any_function_t)doca_buf_inventory_expand,
    (any_function_t)doca_buf_chain_list_tail,
    (any_function_t)doca_buf_set_data_len,
    (any_function_t)doca_pe_set_event_mode,
    (any_function_t)doca_task_batch_submit,
    (any_function_t)doca_task_batch_try_submit,
    (any_function_t)doca_task_batch_get_status,
    (any_function_t)doca_task_submit_ex,
    (any_function_t)doca_task_batch_get_ctx,
    (any_function_t)doca_task_batch_get_tasks_num,
    (any_function_t)doca_task_batch_get_ctx_user_data,
    (any_function_t)doca_task_batch_get_user_data,
    (any_function_t)doca_task_batch_free,
    (any_function_t)doca_task_batch_set_user_data,
    (any_function_t)doca_ctx_cap_get_num_completion_vectors,
    (any_function_t)doca_ctx_set_completion_vector,
    (any_function_t)doca_ctx_flush_tasks,
    (any_function_t)doca_dev_accelerate_resource_reclaim,
    (any_function_t)doca_devinfo_cap_is_accelerate_resource_reclaim_supported,
    (any_function_t)doca_devinfo_cap_is_notification_moderation_supported,
    (any_function_t)doca_devinfo_get_pci_func_type,
    (any_function_t)doca_devinfo_get_sf_index,
    (any_function_t)doca_devinfo_get_vhca_id,
    (any_function_t)doca_devinfo_rep_get_iface_name,
    (any_function_t)doca_devinfo_rep_get_sf_index,
    (any_function_t)doca_devinfo_rep_get_vhca_id,
    (any_function_t)doca_dma_get_gpu_handle,
    (any_function_t)doca_mmap_dev_get_dpa_handle,
    (any_function_t)doca_mmap_enable_thread_safety,
    (any_function_t)doca_mmap_set_dpa_memrange,
    (any_function_t)doca_sha_cap_get_max_src_buffer_size,
    (any_function_t)doca_sha_cap_get_min_dst_buffer_size,
    (any_function_t)doca_sha_task_partial_hash_set_is_final_buffer,
    (any_function_t)doca_sha_task_partial_hash_get_is_final_buf,
    (any_function_t)doca_sha_task_partial_hash_get_is_final_buffer,
    (any_function_t)doca_mmap_advise_cap_task_cache_invalidate_is_supported,
    (any_function_t)doca_mmap_advise_create,
    (any_function_t)doca_mmap_advise_destroy,
    (any_function_t)doca_mmap_advise_task_cache_invalidate_get_max_buf_size,
    (any_function_t)doca_mmap_advise_task_invalidate_cache_alloc_init,
    (any_function_t)doca_mmap_advise_task_invalidate_cache_set_conf,
    (any_function_t)doca_mmap_advise_task_invalidate_cache_get_buf,
    (any_function_t)doca_mmap_advise_as_ctx,
    (any_function_t)doca_mmap_advise_task_invalidate_cache_as_doca_task,
    (any_function_t)doca_mmap_advise_task_invalidate_cache_set_buf,
    (any_function_t)doca_sync_event_add_publisher_location_remote_pci,
    (any_function_t)doca_sync_event_add_subscriber_location_remote_pci,
    (any_function_t)doca_sync_event_cap_is_export_to_remote_pci_supported,
    (any_function_t)doca_sync_event_cap_task_wait_eq_is_supported,
    (any_function_t)doca_sync_event_cap_task_wait_neq_is_supported,
    (any_function_t)doca_sync_event_export_to_remote_pci,
    (any_function_t)doca_sync_event_get_dpa_handle,
    (any_function_t)doca_sync_event_get_gpu_handle,
    (any_function_t)doca_sync_event_remote_net_get_dpa_handle,
    (any_function_t)doca_sync_event_remote_net_get_gpu_handle,
    (any_function_t)doca_sync_event_set_doca_buf,
    (any_function_t)doca_sync_event_wait_eq,
    (any_function_t)doca_sync_event_wait_eq_yield,
    (any_function_t)doca_sync_event_wait_neq,
    (any_function_t)doca_sync_event_wait_neq_yield,
    (any_function_t)doca_sync_event_task_wait_eq_alloc_init,
    (any_function_t)doca_sync_event_task_wait_eq_set_conf,
    (any_function_t)doca_sync_event_task_wait_eq_as_doca_task,
    (any_function_t)doca_sync_event_task_wait_eq_get_mask,
    (any_function_t)doca_sync_event_task_wait_eq_get_wait_val,
    (any_function_t)doca_sync_event_task_wait_eq_set_mask,
    (any_function_t)doca_sync_event_task_wait_eq_set_wait_val,
    (any_function_t)doca_sync_event_task_wait_neq_alloc_init,
    (any_function_t)doca_sync_event_task_wait_neq_set_conf,
    (any_function_t)doca_sync_event_task_wait_neq_as_doca_task,
    (any_function_t)doca_sync_event_task_wait_neq_get_mask,
    (any_function_t)doca_sync_event_task_wait_neq_get_wait_val,
    (any_function_t)doca_sync_event_task_wait_neq_set_mask,
    (any_function_t)doca_sync_event_task_wait_neq_set_wait_val,
    (any_function_t)doca_buf_inventory_buf_reuse_by_addr,
    (any_function_t)doca_buf_inventory_buf_reuse_by_args,
    (any_function_t)doca_buf_inventory_buf_reuse_by_data,
    (any_function_t)doca_mmap_get_mkey,
    (any_function_t)doca_dma_set_ordered_completions,
    (any_function_t)doca_devinfo_get_is_pcc_supported,
    (any_function_t)doca_dpdk_port_probe_with_representors,
};

static void every_function_is_there(void)
{
    size_t i, j;

    CHECK_EQ(sizeof(functions) / sizeof(functions[0]),
             2 + 27 + 23 + 17 + 12 + 11 + 9 + 15 + 9 + 14 + 32 + 65 + 19 + 3 + 9 +
                 1 + 3 + 11 + 3 + 9 + 4 + 5 + 10 + 29 + 7);
    for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
        for (j = 0; j < i; j++)
            CHECK(functions[i] != functions[j]);
}

static const struct test_case cases[] = {
    CASE(every_function_is_there, ""),
};

TEST_MAIN(cases)
