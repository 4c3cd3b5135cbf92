/* Every function of DOCA RDMA is assigned to a pointer of the type that the reference documents, in
 * the form of the API version of the program: a signature that differs does not compile, a function
 * that is missing does not link. Then the callback types, and the values of the enumerations. */
#include "doca_core_rdma.h"
#include "doca_test.h"

enum { FIRST = __COUNTER__ + 1 };

/* The pointer is `used`, so that the function must be there. */
#define IS(result, name, parameters)                                                               \
    __attribute__((used)) static result (*const is_##name) parameters = name;                      \
    enum { number_of_##name = __COUNTER__ }

/* functions that are the same in each version: 162 */
IS(doca_error_t, doca_rdma_create, (struct doca_dev *, struct doca_rdma **));
IS(doca_error_t, doca_rdma_destroy, (struct doca_rdma *));
IS(struct doca_ctx *, doca_rdma_as_ctx, (struct doca_rdma *));
IS(doca_error_t, doca_rdma_dpa_completion_attach, (struct doca_rdma *, struct doca_dpa_completion
   *));
IS(doca_error_t, doca_rdma_addr_create, (enum doca_rdma_addr_type, const char *, uint16_t, struct
   doca_rdma_addr **));
IS(doca_error_t, doca_rdma_addr_destroy, (struct doca_rdma_addr *));
IS(doca_error_t, doca_rdma_start_listen_to_port, (struct doca_rdma *, uint16_t));
IS(doca_error_t, doca_rdma_stop_listen_to_port, (struct doca_rdma *, uint16_t));
IS(doca_error_t, doca_rdma_connection_accept, (struct doca_rdma_connection *, void *, uint8_t));
IS(doca_error_t, doca_rdma_connection_reject, (struct doca_rdma_connection *));
IS(doca_error_t, doca_rdma_connect_to_addr, (struct doca_rdma *, struct doca_rdma_addr *, union
   doca_data));
IS(doca_error_t, doca_rdma_connection_disconnect, (struct doca_rdma_connection *));
IS(doca_error_t, doca_rdma_bridge_established, (struct doca_rdma *, struct doca_rdma_connection *));
IS(doca_error_t, doca_rdma_connection_set_user_data, (struct doca_rdma_connection *, union
   doca_data));
IS(doca_error_t, doca_rdma_connection_get_addr, (const struct doca_rdma_connection *, struct
   doca_rdma_addr **));
IS(doca_error_t, doca_rdma_addr_get_params, (struct doca_rdma_addr *, enum doca_rdma_addr_type *,
   const char **, uint16_t *));
IS(doca_error_t, doca_rdma_connection_get_user_data, (const struct doca_rdma_connection *, union
   doca_data *));
IS(doca_error_t, doca_rdma_connection_get_id, (const struct doca_rdma_connection *, uint32_t *));
IS(doca_error_t, doca_rdma_set_connection_state_callbacks, (struct doca_rdma *,
   doca_rdma_connection_request_cb_t, doca_rdma_connection_established_cb_t,
   doca_rdma_connection_failure_cb_t, doca_rdma_connection_disconnection_cb_t));
IS(doca_error_t, doca_rdma_cap_get_max_recv_queue_size, (const struct doca_devinfo *, uint32_t *));
IS(doca_error_t, doca_rdma_cap_get_max_send_queue_size, (const struct doca_devinfo *, uint32_t *));
IS(doca_error_t, doca_rdma_cap_get_max_send_buf_list_len, (const struct doca_devinfo *, uint32_t
   *));
IS(doca_error_t, doca_rdma_cap_get_max_message_size, (const struct doca_devinfo *, uint32_t *));
IS(doca_error_t, doca_rdma_cap_get_gid_table_size, (const struct doca_devinfo *, uint32_t *));
IS(doca_error_t, doca_rdma_cap_get_gid, (const struct doca_devinfo *, uint32_t, uint32_t, struct
   doca_rdma_gid *));
IS(doca_error_t, doca_rdma_cap_transport_type_is_supported, (const struct doca_devinfo *, enum
   doca_rdma_transport_type));
IS(doca_error_t, doca_rdma_set_send_queue_size, (struct doca_rdma *, uint32_t));
IS(doca_error_t, doca_rdma_set_recv_queue_size, (struct doca_rdma *, uint32_t));
IS(doca_error_t, doca_rdma_set_max_send_buf_list_len, (struct doca_rdma *, uint32_t));
IS(doca_error_t, doca_rdma_set_transport_type, (struct doca_rdma *, enum doca_rdma_transport_type));
IS(doca_error_t, doca_rdma_set_mtu, (struct doca_rdma *, enum doca_mtu_size));
IS(doca_error_t, doca_rdma_set_permissions, (struct doca_rdma *, uint32_t));
IS(doca_error_t, doca_rdma_set_gid_index, (struct doca_rdma *, uint32_t));
IS(doca_error_t, doca_rdma_set_sl, (struct doca_rdma *, uint32_t));
IS(doca_error_t, doca_rdma_set_connection_request_timeout, (struct doca_rdma *, uint16_t));
IS(doca_error_t, doca_rdma_set_max_num_connections, (struct doca_rdma *, uint16_t));
IS(doca_error_t, doca_rdma_set_rnr_retry_count, (struct doca_rdma *, uint8_t));
IS(doca_error_t, doca_rdma_get_send_queue_size, (const struct doca_rdma *, uint32_t *));
IS(doca_error_t, doca_rdma_get_recv_queue_size, (const struct doca_rdma *, uint32_t *));
IS(doca_error_t, doca_rdma_get_max_send_buf_list_len, (const struct doca_rdma *, uint32_t *));
IS(doca_error_t, doca_rdma_get_transport_type, (const struct doca_rdma *, enum
   doca_rdma_transport_type *));
IS(doca_error_t, doca_rdma_get_mtu, (const struct doca_rdma *, enum doca_mtu_size *));
IS(doca_error_t, doca_rdma_get_permissions, (struct doca_rdma *, uint32_t *));
IS(doca_error_t, doca_rdma_get_gid_index, (const struct doca_rdma *, uint32_t *));
IS(doca_error_t, doca_rdma_get_sl, (const struct doca_rdma *, uint32_t *));
IS(doca_error_t, doca_rdma_get_gpu_handle, (struct doca_rdma *, struct doca_gpu_dev_rdma **));
IS(doca_error_t, doca_rdma_get_connection_request_timeout, (const struct doca_rdma *, uint16_t *));
IS(doca_error_t, doca_rdma_get_max_num_connections, (struct doca_rdma *, uint16_t *));
IS(doca_error_t, doca_rdma_get_rnr_retry_count, (const struct doca_rdma *, uint8_t *));
IS(doca_error_t, doca_rdma_cap_task_receive_is_supported, (const struct doca_devinfo *));
IS(doca_error_t, doca_rdma_cap_task_receive_get_max_dst_buf_list_len, (const struct doca_devinfo *,
   enum doca_rdma_transport_type, uint32_t *));
IS(doca_error_t, doca_rdma_task_receive_set_conf, (struct doca_rdma *,
   doca_rdma_task_receive_completion_cb_t, doca_rdma_task_receive_completion_cb_t, uint32_t));
IS(doca_error_t, doca_rdma_task_receive_set_dst_buf_list_len, (struct doca_rdma *, uint32_t));
IS(doca_error_t, doca_rdma_task_receive_get_dst_buf_list_len, (const struct doca_rdma *, uint32_t
   *));
IS(doca_error_t, doca_rdma_task_receive_allocate_init, (struct doca_rdma *, struct doca_buf *, union
   doca_data, struct doca_rdma_task_receive **));
IS(struct doca_task *, doca_rdma_task_receive_as_task, (struct doca_rdma_task_receive *));
IS(void, doca_rdma_task_receive_set_dst_buf, (struct doca_rdma_task_receive *, struct doca_buf *));
IS(struct doca_buf *, doca_rdma_task_receive_get_dst_buf, (const struct doca_rdma_task_receive *));
IS(enum doca_rdma_opcode, doca_rdma_task_receive_get_result_opcode, (const struct
   doca_rdma_task_receive *));
IS(uint32_t, doca_rdma_task_receive_get_result_len, (const struct doca_rdma_task_receive *));
IS(doca_be32_t, doca_rdma_task_receive_get_result_immediate_data, (const struct
   doca_rdma_task_receive *));
IS(const struct doca_rdma_connection *, doca_rdma_task_receive_get_result_rdma_connection, (const
   struct doca_rdma_task_receive *));
IS(doca_error_t, doca_rdma_cap_task_send_is_supported, (const struct doca_devinfo *));
IS(doca_error_t, doca_rdma_task_send_set_conf, (struct doca_rdma *,
   doca_rdma_task_send_completion_cb_t, doca_rdma_task_send_completion_cb_t, uint32_t));
IS(struct doca_task *, doca_rdma_task_send_as_task, (struct doca_rdma_task_send *));
IS(void, doca_rdma_task_send_set_src_buf, (struct doca_rdma_task_send *, const struct doca_buf *));
IS(const struct doca_buf *, doca_rdma_task_send_get_src_buf, (const struct doca_rdma_task_send *));
IS(void, doca_rdma_task_send_set_rdma_connection, (struct doca_rdma_task_send *, struct
   doca_rdma_connection *));
IS(const struct doca_rdma_connection *, doca_rdma_task_send_get_rdma_connection, (const struct
   doca_rdma_task_send *));
IS(doca_error_t, doca_rdma_cap_task_send_imm_is_supported, (const struct doca_devinfo *));
IS(doca_error_t, doca_rdma_task_send_imm_set_conf, (struct doca_rdma *,
   doca_rdma_task_send_imm_completion_cb_t, doca_rdma_task_send_imm_completion_cb_t, uint32_t));
IS(struct doca_task *, doca_rdma_task_send_imm_as_task, (struct doca_rdma_task_send_imm *));
IS(void, doca_rdma_task_send_imm_set_src_buf, (struct doca_rdma_task_send_imm *, const struct
   doca_buf *));
IS(const struct doca_buf *, doca_rdma_task_send_imm_get_src_buf, (const struct
   doca_rdma_task_send_imm *));
IS(void, doca_rdma_task_send_imm_set_immediate_data, (struct doca_rdma_task_send_imm *,
   doca_be32_t));
IS(doca_be32_t, doca_rdma_task_send_imm_get_immediate_data, (const struct doca_rdma_task_send_imm
   *));
IS(void, doca_rdma_task_send_imm_set_rdma_connection, (struct doca_rdma_task_send_imm *, struct
   doca_rdma_connection *));
IS(const struct doca_rdma_connection *, doca_rdma_task_send_imm_get_rdma_connection, (const struct
   doca_rdma_task_send_imm *));
IS(doca_error_t, doca_rdma_cap_task_read_is_supported, (const struct doca_devinfo *));
IS(doca_error_t, doca_rdma_task_read_set_conf, (struct doca_rdma *,
   doca_rdma_task_read_completion_cb_t, doca_rdma_task_read_completion_cb_t, uint32_t));
IS(struct doca_task *, doca_rdma_task_read_as_task, (struct doca_rdma_task_read *));
IS(void, doca_rdma_task_read_set_src_buf, (struct doca_rdma_task_read *, const struct doca_buf *));
IS(const struct doca_buf *, doca_rdma_task_read_get_src_buf, (const struct doca_rdma_task_read *));
IS(void, doca_rdma_task_read_set_dst_buf, (struct doca_rdma_task_read *, struct doca_buf *));
IS(struct doca_buf *, doca_rdma_task_read_get_dst_buf, (const struct doca_rdma_task_read *));
IS(uint32_t, doca_rdma_task_read_get_result_len, (const struct doca_rdma_task_read *));
IS(void, doca_rdma_task_read_set_rdma_connection, (struct doca_rdma_task_read *, struct
   doca_rdma_connection *));
IS(const struct doca_rdma_connection *, doca_rdma_task_read_get_rdma_connection, (const struct
   doca_rdma_task_read *));
IS(doca_error_t, doca_rdma_cap_task_write_is_supported, (const struct doca_devinfo *));
IS(doca_error_t, doca_rdma_task_write_set_conf, (struct doca_rdma *,
   doca_rdma_task_write_completion_cb_t, doca_rdma_task_write_completion_cb_t, uint32_t));
IS(struct doca_task *, doca_rdma_task_write_as_task, (struct doca_rdma_task_write *));
IS(void, doca_rdma_task_write_set_src_buf, (struct doca_rdma_task_write *, const struct doca_buf
   *));
IS(const struct doca_buf *, doca_rdma_task_write_get_src_buf, (const struct doca_rdma_task_write
   *));
IS(void, doca_rdma_task_write_set_dst_buf, (struct doca_rdma_task_write *, struct doca_buf *));
IS(struct doca_buf *, doca_rdma_task_write_get_dst_buf, (const struct doca_rdma_task_write *));
IS(void, doca_rdma_task_write_set_rdma_connection, (struct doca_rdma_task_write *, struct
   doca_rdma_connection *));
IS(const struct doca_rdma_connection *, doca_rdma_task_write_get_rdma_connection, (const struct
   doca_rdma_task_write *));
IS(doca_error_t, doca_rdma_cap_task_write_imm_is_supported, (const struct doca_devinfo *));
IS(doca_error_t, doca_rdma_task_write_imm_set_conf, (struct doca_rdma *,
   doca_rdma_task_write_imm_completion_cb_t, doca_rdma_task_write_imm_completion_cb_t, uint32_t));
IS(struct doca_task *, doca_rdma_task_write_imm_as_task, (struct doca_rdma_task_write_imm *));
IS(void, doca_rdma_task_write_imm_set_src_buf, (struct doca_rdma_task_write_imm *, const struct
   doca_buf *));
IS(const struct doca_buf *, doca_rdma_task_write_imm_get_src_buf, (const struct
   doca_rdma_task_write_imm *));
IS(void, doca_rdma_task_write_imm_set_dst_buf, (struct doca_rdma_task_write_imm *, struct doca_buf
   *));
IS(struct doca_buf *, doca_rdma_task_write_imm_get_dst_buf, (const struct doca_rdma_task_write_imm
   *));
IS(void, doca_rdma_task_write_imm_set_immediate_data, (struct doca_rdma_task_write_imm *,
   doca_be32_t));
IS(doca_be32_t, doca_rdma_task_write_imm_get_immediate_data, (const struct doca_rdma_task_write_imm
   *));
IS(void, doca_rdma_task_write_imm_set_rdma_connection, (struct doca_rdma_task_write_imm *, struct
   doca_rdma_connection *));
IS(const struct doca_rdma_connection *, doca_rdma_task_write_imm_get_rdma_connection, (const struct
   doca_rdma_task_write_imm *));
IS(doca_error_t, doca_rdma_cap_task_atomic_cmp_swp_is_supported, (const struct doca_devinfo *));
IS(doca_error_t, doca_rdma_task_atomic_cmp_swp_set_conf, (struct doca_rdma *,
   doca_rdma_task_atomic_cmp_swp_completion_cb_t, doca_rdma_task_atomic_cmp_swp_completion_cb_t,
   uint32_t));
IS(struct doca_task *, doca_rdma_task_atomic_cmp_swp_as_task, (struct doca_rdma_task_atomic_cmp_swp
   *));
IS(void, doca_rdma_task_atomic_cmp_swp_set_dst_buf, (struct doca_rdma_task_atomic_cmp_swp *, struct
   doca_buf *));
IS(struct doca_buf *, doca_rdma_task_atomic_cmp_swp_get_dst_buf, (const struct
   doca_rdma_task_atomic_cmp_swp *));
IS(void, doca_rdma_task_atomic_cmp_swp_set_result_buf, (struct doca_rdma_task_atomic_cmp_swp *,
   struct doca_buf *));
IS(struct doca_buf *, doca_rdma_task_atomic_cmp_swp_get_result_buf, (const struct
   doca_rdma_task_atomic_cmp_swp *));
IS(void, doca_rdma_task_atomic_cmp_swp_set_cmp_data, (struct doca_rdma_task_atomic_cmp_swp *,
   uint64_t));
IS(uint64_t, doca_rdma_task_atomic_cmp_swp_get_cmp_data, (const struct doca_rdma_task_atomic_cmp_swp
   *));
IS(void, doca_rdma_task_atomic_cmp_swp_set_swap_data, (struct doca_rdma_task_atomic_cmp_swp *,
   uint64_t));
IS(uint64_t, doca_rdma_task_atomic_cmp_swp_get_swap_data, (const struct
   doca_rdma_task_atomic_cmp_swp *));
IS(void, doca_rdma_task_atomic_cmp_swp_set_rdma_connection, (struct doca_rdma_task_atomic_cmp_swp *,
   struct doca_rdma_connection *));
IS(const struct doca_rdma_connection *, doca_rdma_task_atomic_cmp_swp_get_rdma_connection, (const
   struct doca_rdma_task_atomic_cmp_swp *));
IS(doca_error_t, doca_rdma_cap_task_atomic_fetch_add_is_supported, (const struct doca_devinfo *));
IS(doca_error_t, doca_rdma_task_atomic_fetch_add_set_conf, (struct doca_rdma *,
   doca_rdma_task_atomic_fetch_add_completion_cb_t, doca_rdma_task_atomic_fetch_add_completion_cb_t,
   uint32_t));
IS(struct doca_task *, doca_rdma_task_atomic_fetch_add_as_task, (struct
   doca_rdma_task_atomic_fetch_add *));
IS(void, doca_rdma_task_atomic_fetch_add_set_dst_buf, (struct doca_rdma_task_atomic_fetch_add *,
   struct doca_buf *));
IS(struct doca_buf *, doca_rdma_task_atomic_fetch_add_get_dst_buf, (const struct
   doca_rdma_task_atomic_fetch_add *));
IS(void, doca_rdma_task_atomic_fetch_add_set_result_buf, (struct doca_rdma_task_atomic_fetch_add *,
   struct doca_buf *));
IS(struct doca_buf *, doca_rdma_task_atomic_fetch_add_get_result_buf, (const struct
   doca_rdma_task_atomic_fetch_add *));
IS(void, doca_rdma_task_atomic_fetch_add_set_add_data, (struct doca_rdma_task_atomic_fetch_add *,
   uint64_t));
IS(uint64_t, doca_rdma_task_atomic_fetch_add_get_add_data, (const struct
   doca_rdma_task_atomic_fetch_add *));
IS(void, doca_rdma_task_atomic_fetch_add_set_rdma_connection, (struct
   doca_rdma_task_atomic_fetch_add *, struct doca_rdma_connection *));
IS(const struct doca_rdma_connection *, doca_rdma_task_atomic_fetch_add_get_rdma_connection, (const
   struct doca_rdma_task_atomic_fetch_add *));
IS(doca_error_t, doca_rdma_cap_task_remote_net_sync_event_get_is_supported, (const struct
   doca_devinfo *));
IS(doca_error_t, doca_rdma_task_remote_net_sync_event_get_set_conf, (struct doca_rdma *,
   doca_rdma_task_remote_net_sync_event_get_completion_cb_t,
   doca_rdma_task_remote_net_sync_event_get_completion_cb_t, uint32_t));
IS(struct doca_task *, doca_rdma_task_remote_net_sync_event_get_as_task, (struct
   doca_rdma_task_remote_net_sync_event_get *));
IS(void, doca_rdma_task_remote_net_sync_event_get_set_sync_event, (struct
   doca_rdma_task_remote_net_sync_event_get *, const struct doca_sync_event_remote_net *));
IS(const struct doca_sync_event_remote_net *,
   doca_rdma_task_remote_net_sync_event_get_get_sync_event, (const struct
   doca_rdma_task_remote_net_sync_event_get *));
IS(void, doca_rdma_task_remote_net_sync_event_get_set_dst_buf, (struct
   doca_rdma_task_remote_net_sync_event_get *, struct doca_buf *));
IS(struct doca_buf *, doca_rdma_task_remote_net_sync_event_get_get_dst_buf, (const struct
   doca_rdma_task_remote_net_sync_event_get *));
IS(uint32_t, doca_rdma_task_remote_net_sync_event_get_get_result_len, (const struct
   doca_rdma_task_remote_net_sync_event_get *));
IS(void, doca_rdma_task_remote_net_sync_event_get_set_rdma_connection, (struct
   doca_rdma_task_remote_net_sync_event_get *, struct doca_rdma_connection *));
IS(const struct doca_rdma_connection *,
   doca_rdma_task_remote_net_sync_event_get_get_rdma_connection, (const struct
   doca_rdma_task_remote_net_sync_event_get *));
IS(doca_error_t, doca_rdma_cap_task_remote_net_sync_event_notify_set_is_supported, (const struct
   doca_devinfo *));
IS(doca_error_t, doca_rdma_task_remote_net_sync_event_notify_set_set_conf, (struct doca_rdma *,
   doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t,
   doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t, uint32_t));
IS(struct doca_task *, doca_rdma_task_remote_net_sync_event_notify_set_as_task, (struct
   doca_rdma_task_remote_net_sync_event_notify_set *));
IS(void, doca_rdma_task_remote_net_sync_event_notify_set_set_sync_event, (struct
   doca_rdma_task_remote_net_sync_event_notify_set *, struct doca_sync_event_remote_net *));
IS(struct doca_sync_event_remote_net *,
   doca_rdma_task_remote_net_sync_event_notify_set_get_sync_event, (const struct
   doca_rdma_task_remote_net_sync_event_notify_set *));
IS(void, doca_rdma_task_remote_net_sync_event_notify_set_set_rdma_connection, (struct
   doca_rdma_task_remote_net_sync_event_notify_set *, struct doca_rdma_connection *));
IS(const struct doca_rdma_connection *,
   doca_rdma_task_remote_net_sync_event_notify_set_get_rdma_connection, (const struct
   doca_rdma_task_remote_net_sync_event_notify_set *));
IS(void, doca_rdma_task_remote_net_sync_event_notify_set_set_src_buf, (struct
   doca_rdma_task_remote_net_sync_event_notify_set *, const struct doca_buf *));
IS(const struct doca_buf *, doca_rdma_task_remote_net_sync_event_notify_set_get_src_buf, (const
   struct doca_rdma_task_remote_net_sync_event_notify_set *));
IS(doca_error_t, doca_rdma_cap_task_remote_net_sync_event_notify_add_is_supported, (const struct
   doca_devinfo *));
IS(doca_error_t, doca_rdma_task_remote_net_sync_event_notify_add_set_conf, (struct doca_rdma *,
   doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t,
   doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t, uint32_t));
IS(struct doca_task *, doca_rdma_task_remote_net_sync_event_notify_add_as_task, (struct
   doca_rdma_task_remote_net_sync_event_notify_add *));
IS(void, doca_rdma_task_remote_net_sync_event_notify_add_set_sync_event, (struct
   doca_rdma_task_remote_net_sync_event_notify_add *, struct doca_sync_event_remote_net *));
IS(struct doca_sync_event_remote_net *,
   doca_rdma_task_remote_net_sync_event_notify_add_get_sync_event, (const struct
   doca_rdma_task_remote_net_sync_event_notify_add *));
IS(void, doca_rdma_task_remote_net_sync_event_notify_add_set_result_buf, (struct
   doca_rdma_task_remote_net_sync_event_notify_add *, struct doca_buf *));
IS(struct doca_buf *, doca_rdma_task_remote_net_sync_event_notify_add_get_result_buf, (const struct
   doca_rdma_task_remote_net_sync_event_notify_add *));
IS(void, doca_rdma_task_remote_net_sync_event_notify_add_set_add_data, (struct
   doca_rdma_task_remote_net_sync_event_notify_add *, uint64_t));
IS(uint64_t, doca_rdma_task_remote_net_sync_event_notify_add_get_add_data, (const struct
   doca_rdma_task_remote_net_sync_event_notify_add *));
IS(void, doca_rdma_task_remote_net_sync_event_notify_add_set_rdma_connection, (struct
   doca_rdma_task_remote_net_sync_event_notify_add *, struct doca_rdma_connection *));
IS(const struct doca_rdma_connection *,
   doca_rdma_task_remote_net_sync_event_notify_add_get_rdma_connection, (const struct
   doca_rdma_task_remote_net_sync_event_notify_add *));

/* functions that have changed */
#if DOCA_CORE_API < 21000
IS(doca_error_t, doca_rdma_export, (const struct doca_rdma *, const void **, size_t *));
IS(doca_error_t, doca_rdma_connect, (struct doca_rdma *, const void *, size_t));
IS(doca_error_t, doca_rdma_set_grh_enabled, (struct doca_rdma *, bool));
IS(doca_error_t, doca_rdma_get_grh_enabled, (const struct doca_rdma *, bool *));
IS(doca_error_t, doca_rdma_get_dpa_handle, (struct doca_rdma *, struct doca_dpa_dev_rdma **));
IS(doca_error_t, doca_rdma_task_send_allocate_init, (struct doca_rdma *, const struct doca_buf *,
   union doca_data, struct doca_rdma_task_send **));
IS(doca_error_t, doca_rdma_task_send_imm_allocate_init, (struct doca_rdma *, const struct doca_buf
   *, doca_be32_t, union doca_data, struct doca_rdma_task_send_imm **));
IS(doca_error_t, doca_rdma_task_read_allocate_init, (struct doca_rdma *, const struct doca_buf *,
   struct doca_buf *, union doca_data, struct doca_rdma_task_read **));
IS(doca_error_t, doca_rdma_task_write_allocate_init, (struct doca_rdma *, const struct doca_buf *,
   struct doca_buf *, union doca_data, struct doca_rdma_task_write **));
IS(doca_error_t, doca_rdma_task_write_imm_allocate_init, (struct doca_rdma *, const struct doca_buf
   *, struct doca_buf *, doca_be32_t, union doca_data, struct doca_rdma_task_write_imm **));
IS(doca_error_t, doca_rdma_task_atomic_cmp_swp_allocate_init, (struct doca_rdma *, struct doca_buf
   *, struct doca_buf *, uint64_t, uint64_t, union doca_data, struct doca_rdma_task_atomic_cmp_swp
   **));
IS(doca_error_t, doca_rdma_task_atomic_fetch_add_allocate_init, (struct doca_rdma *, struct doca_buf
   *, struct doca_buf *, uint64_t, union doca_data, struct doca_rdma_task_atomic_fetch_add **));
IS(doca_error_t, doca_rdma_task_remote_net_sync_event_get_allocate_init, (struct doca_rdma *, const
   struct doca_sync_event_remote_net *, struct doca_buf *, union doca_data, struct
   doca_rdma_task_remote_net_sync_event_get **));
IS(doca_error_t, doca_rdma_task_remote_net_sync_event_notify_set_allocate_init, (struct doca_rdma *,
   struct doca_sync_event_remote_net *, const struct doca_buf *, union doca_data, struct
   doca_rdma_task_remote_net_sync_event_notify_set **));
IS(doca_error_t, doca_rdma_task_remote_net_sync_event_notify_add_allocate_init, (struct doca_rdma *,
   struct doca_sync_event_remote_net *, struct doca_buf *, uint64_t, union doca_data, struct
   doca_rdma_task_remote_net_sync_event_notify_add **));
IS(uint32_t, doca_rdma_task_receive_get_result_length, (const struct doca_rdma_task_receive *));
IS(uint32_t, doca_rdma_task_read_get_result_length, (const struct doca_rdma_task_read *));
IS(uint32_t, doca_rdma_task_remote_net_sync_event_get_get_result_length, (const struct
   doca_rdma_task_remote_net_sync_event_get *));
#else
IS(doca_error_t, doca_rdma_export, (struct doca_rdma *, const void **, size_t *, struct
   doca_rdma_connection **));
IS(doca_error_t, doca_rdma_connect, (struct doca_rdma *, const void *, size_t, struct
   doca_rdma_connection *));
IS(doca_error_t, doca_rdma_set_grh_enabled, (struct doca_rdma *, uint8_t));
IS(doca_error_t, doca_rdma_get_grh_enabled, (const struct doca_rdma *, uint8_t *));
IS(doca_error_t, doca_rdma_get_dpa_handle, (struct doca_rdma *, doca_dpa_dev_rdma_t *));
IS(doca_error_t, doca_rdma_task_send_allocate_init, (struct doca_rdma *, struct doca_rdma_connection
   *, const struct doca_buf *, union doca_data, struct doca_rdma_task_send **));
IS(doca_error_t, doca_rdma_task_send_imm_allocate_init, (struct doca_rdma *, struct
   doca_rdma_connection *, const struct doca_buf *, doca_be32_t, union doca_data, struct
   doca_rdma_task_send_imm **));
IS(doca_error_t, doca_rdma_task_read_allocate_init, (struct doca_rdma *, struct doca_rdma_connection
   *, const struct doca_buf *, struct doca_buf *, union doca_data, struct doca_rdma_task_read **));
IS(doca_error_t, doca_rdma_task_write_allocate_init, (struct doca_rdma *, struct
   doca_rdma_connection *, const struct doca_buf *, struct doca_buf *, union doca_data, struct
   doca_rdma_task_write **));
IS(doca_error_t, doca_rdma_task_write_imm_allocate_init, (struct doca_rdma *, struct
   doca_rdma_connection *, const struct doca_buf *, struct doca_buf *, doca_be32_t, union doca_data,
   struct doca_rdma_task_write_imm **));
IS(doca_error_t, doca_rdma_task_atomic_cmp_swp_allocate_init, (struct doca_rdma *, struct
   doca_rdma_connection *, struct doca_buf *, struct doca_buf *, uint64_t, uint64_t, union
   doca_data, struct doca_rdma_task_atomic_cmp_swp **));
IS(doca_error_t, doca_rdma_task_atomic_fetch_add_allocate_init, (struct doca_rdma *, struct
   doca_rdma_connection *, struct doca_buf *, struct doca_buf *, uint64_t, union doca_data, struct
   doca_rdma_task_atomic_fetch_add **));
IS(doca_error_t, doca_rdma_task_remote_net_sync_event_get_allocate_init, (struct doca_rdma *, struct
   doca_rdma_connection *, const struct doca_sync_event_remote_net *, struct doca_buf *, union
   doca_data, struct doca_rdma_task_remote_net_sync_event_get **));
IS(doca_error_t, doca_rdma_task_remote_net_sync_event_notify_set_allocate_init, (struct doca_rdma *,
   struct doca_rdma_connection *, struct doca_sync_event_remote_net *, const struct doca_buf *,
   union doca_data, struct doca_rdma_task_remote_net_sync_event_notify_set **));
IS(doca_error_t, doca_rdma_task_remote_net_sync_event_notify_add_allocate_init, (struct doca_rdma *,
   struct doca_rdma_connection *, struct doca_sync_event_remote_net *, struct doca_buf *, uint64_t,
   union doca_data, struct doca_rdma_task_remote_net_sync_event_notify_add **));
#endif

/* programs that listen by librdmacm: 2.10, and 3.0 */
IS(doca_error_t, doca_rdma_bridge_prepare_connection, (struct doca_rdma *, struct rdma_cm_id *,
   struct doca_rdma_connection **));
#if DOCA_CORE_API < 30000
IS(doca_error_t, doca_rdma_bridge_accept, (struct doca_rdma *, struct rdma_cm_id *, void *, uint8_t,
   struct doca_rdma_connection **));
#else
IS(doca_error_t, doca_rdma_bridge_accept, (struct doca_rdma *, void *, uint8_t, struct
   doca_rdma_connection *));
#endif

enum { FUNCTIONS = __COUNTER__ - FIRST };

/* ours: the first has the form of the version, the others are there in each version */
IS(doca_error_t, doca_core_rdma_create_in, (struct doca_core_arena *, struct doca_dev *,
   struct doca_rdma **));
IS(doca_error_t, doca_core_bytes_rdma, (struct doca_dev *, const struct doca_core_rdma_sizes *,
   size_t *));
IS(doca_error_t, doca_core_rdma_25_create, (struct doca_dev *, struct doca_rdma **));
IS(doca_error_t, doca_core_rdma_25_create_in, (struct doca_core_arena *, struct doca_dev *,
   struct doca_rdma **));
IS(doca_error_t, doca_core_rdma_25_export, (const struct doca_rdma *, const void **, size_t *));
IS(doca_error_t, doca_core_rdma_25_connect, (struct doca_rdma *, const void *, size_t));
IS(struct doca_rdma_connection *, doca_core_rdma_25_connection, (struct doca_rdma *));
IS(doca_error_t, doca_core_v3_rdma_bridge_accept, (struct doca_rdma *, void *, uint8_t, struct
   doca_rdma_connection *));

/* callback types */
#define IS_TYPE(type, parameters) typedef void of_##type parameters;                               \
    __attribute__((used)) static of_##type *const *const type##_is = (type const *)NULL

IS_TYPE(doca_rdma_connection_request_cb_t, (struct doca_rdma_connection *, union doca_data));
IS_TYPE(doca_rdma_connection_established_cb_t, (struct doca_rdma_connection *, union doca_data,
        union doca_data));
IS_TYPE(doca_rdma_connection_failure_cb_t, (struct doca_rdma_connection *, union doca_data, union
        doca_data));
IS_TYPE(doca_rdma_connection_disconnection_cb_t, (struct doca_rdma_connection *, union doca_data,
        union doca_data));
IS_TYPE(doca_rdma_task_receive_completion_cb_t, (struct doca_rdma_task_receive *, union doca_data,
        union doca_data));
IS_TYPE(doca_rdma_task_send_completion_cb_t, (struct doca_rdma_task_send *, union doca_data, union
        doca_data));
IS_TYPE(doca_rdma_task_send_imm_completion_cb_t, (struct doca_rdma_task_send_imm *, union doca_data,
        union doca_data));
IS_TYPE(doca_rdma_task_read_completion_cb_t, (struct doca_rdma_task_read *, union doca_data, union
        doca_data));
IS_TYPE(doca_rdma_task_write_completion_cb_t, (struct doca_rdma_task_write *, union doca_data, union
        doca_data));
IS_TYPE(doca_rdma_task_write_imm_completion_cb_t, (struct doca_rdma_task_write_imm *, union
        doca_data, union doca_data));
IS_TYPE(doca_rdma_task_atomic_cmp_swp_completion_cb_t, (struct doca_rdma_task_atomic_cmp_swp *,
        union doca_data, union doca_data));
IS_TYPE(doca_rdma_task_atomic_fetch_add_completion_cb_t, (struct doca_rdma_task_atomic_fetch_add *,
        union doca_data, union doca_data));
IS_TYPE(doca_rdma_task_remote_net_sync_event_get_completion_cb_t, (struct
        doca_rdma_task_remote_net_sync_event_get *, union doca_data, union doca_data));
IS_TYPE(doca_rdma_task_remote_net_sync_event_notify_set_completion_cb_t, (struct
        doca_rdma_task_remote_net_sync_event_notify_set *, union doca_data, union doca_data));
IS_TYPE(doca_rdma_task_remote_net_sync_event_notify_add_completion_cb_t, (struct
        doca_rdma_task_remote_net_sync_event_notify_add *, union doca_data, union doca_data));

static void every_function_is_there(void)
{
#if DOCA_CORE_API < 21000
    CHECK_EQ(FUNCTIONS, 179 + 3); /* with the names of 2.5 that 2.6 has renamed */
#else
    CHECK_EQ(FUNCTIONS, 179);
#endif
}

/* The vendor's name of a changed function stands for the form of the version. */
static void names_stand_for_the_form_of_the_version(void)
{
#if DOCA_CORE_API < 21000
    CHECK(doca_rdma_create == doca_core_rdma_25_create);
    CHECK(doca_core_rdma_create_in == doca_core_rdma_25_create_in);
    CHECK(doca_rdma_export == doca_core_rdma_25_export);
    CHECK(doca_rdma_connect == doca_core_rdma_25_connect);
    CHECK(doca_rdma_task_read_get_result_length == doca_rdma_task_read_get_result_len);
#else
    CHECK(doca_rdma_create != doca_core_rdma_25_create);
    CHECK(doca_core_rdma_create_in != doca_core_rdma_25_create_in);
#endif
#if DOCA_CORE_API >= 30000
    CHECK(doca_rdma_bridge_accept == doca_core_v3_rdma_bridge_accept);
#endif
}

static void every_enumerator_has_the_vendors_value(void)
{
    CHECK_EQ(DOCA_RDMA_TRANSPORT_TYPE_RC, 0);
    CHECK_EQ(DOCA_RDMA_TRANSPORT_TYPE_DC, 1);
    CHECK_EQ(DOCA_RDMA_ADDR_TYPE_IPv4, 0);
    CHECK_EQ(DOCA_RDMA_ADDR_TYPE_IPv6, 1);
    CHECK_EQ(DOCA_RDMA_ADDR_TYPE_GID, 2);
    CHECK_EQ(DOCA_RDMA_OPCODE_RECV_SEND, 0);
    CHECK_EQ(DOCA_RDMA_OPCODE_RECV_SEND_WITH_IMM, 1);
    CHECK_EQ(DOCA_RDMA_OPCODE_RECV_WRITE_WITH_IMM, 2);
}

static void gid_is_sixteen_bytes(void)
{
    struct doca_rdma_gid gid = { { 0 } };

    CHECK_EQ(sizeof(gid.raw), DOCA_GID_BYTE_LENGTH);
    CHECK_EQ(sizeof(gid), 16);
    CHECK_EQ(sizeof(doca_dpa_dev_rdma_t), 8);
}

static const struct test_case cases[] = {
    CASE(every_function_is_there, ""),
    CASE(names_stand_for_the_form_of_the_version, ""),
    CASE(every_enumerator_has_the_vendors_value, ""),
    CASE(gid_is_sixteen_bytes, ""),
};

TEST_MAIN(cases)
