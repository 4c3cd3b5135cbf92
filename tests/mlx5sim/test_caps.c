/*
 * Capabilities, in both directions: the device can do what QUERY_HCA_CAP announces, and announces
 * what it can do.
 *
 * Each row of the table names a field of the answer and a probe that uses the feature. The device
 * must announce a value other than 0 exactly when the probe succeeds. Every bit of the answers that
 * is set must belong to a row, so a feature cannot be announced without a probe. The rows without a
 * value on any card are features that the device must refuse.
 */
#include "caps_odp.h"
#include "caps_compress.h"
#include "caps_flows.h"
#include "caps_memic.h"
#include "caps_meters.h"
#include "caps_pacing.h"
#include "caps_sched.h"
#include "caps_signature.h"
#include "caps_tags.h"

/* ---- table ---------------------------------------------------------------------------------- */

/* A row for each request of a transport. */
#define ODP_ROW(bit, name) { TYPE_ODP, bit, 1, name, on_demand_request }
#define ODP_ROWS(bit, name) \
    ODP_ROW((bit) + 0, name), ODP_ROW((bit) + 1, name), ODP_ROW((bit) + 2, name), \
    ODP_ROW((bit) + 3, name), ODP_ROW((bit) + 4, name), ODP_ROW((bit) + 5, name)

static const struct row {
    unsigned type, bit, width;
    const char *name;
    bool (*works)(struct probe *p);
} rows[] = {
    { TYPE_GENERAL, 0x13, 5, "log_sha_mmo_max_size", limit_sha },
    { TYPE_GENERAL, 0x20, 1, "hca_cap_2", general_2 },
    { TYPE_GENERAL, 0x30, 16, "vhca_id", alias },
    { TYPE_GENERAL, 0x6b, 5, "log_dma_mmo_max_size", limit_dma },
    { TYPE_GENERAL, 0x80, 8, "log_max_srq_sz", limit_srq_wr },
    { TYPE_GENERAL, 0x88, 8, "log_max_qp_sz", limit_wqe },
    { TYPE_GENERAL, 0x9b, 5, "log_max_qp", limit_qp },
    { TYPE_GENERAL, 0xab, 5, "log_max_srq", limit_srq },
    { TYPE_GENERAL, 0xc8, 8, "log_max_cq_sz", limit_cqe },
    { TYPE_GENERAL, 0xd0, 1, "relaxed_ordering_write_umr", umr_orders_writes },
    { TYPE_GENERAL, 0xd1, 1, "relaxed_ordering_read_umr", umr_orders_reads },
    { TYPE_GENERAL, 0xdb, 5, "log_max_cq", limit_cq },
    { TYPE_GENERAL, 0xe0, 8, "log_max_eq_sz", has_eqs },
    { TYPE_GENERAL, 0xe8, 1, "relaxed_ordering_write", orders_writes },
    { TYPE_GENERAL, 0xe9, 1, "relaxed_ordering_read", orders_reads },
    { TYPE_GENERAL, 0xea, 6, "log_max_mkey", limit_mkey },
    { TYPE_GENERAL, 0xf8, 1, "dump_fill_mkey", null_key },
    { TYPE_GENERAL, 0xfc, 4, "log_max_eq", has_eqs },
    { TYPE_GENERAL, 0x100, 8, "max_indirection", limit_levels },
    { TYPE_GENERAL, 0x108, 1, "fixed_buffer_size", ksm },
    { TYPE_GENERAL, 0x109, 7, "log_max_mrw_sz", any_size },
    { TYPE_GENERAL, 0x112, 6, "log_max_bsf_list_size", limit_bsf },
    { TYPE_GENERAL, 0x118, 1, "umr_extended_translation_offset", far_entry },
    { TYPE_GENERAL, 0x119, 1, "null_mkey", null_entry },
    { TYPE_GENERAL, 0x11a, 6, "log_max_klm_list_size", limit_list },
    { TYPE_GENERAL, 0x122, 1, "qpc_extension", dci_streams },
    { TYPE_GENERAL, 0x12a, 6, "log_max_ra_req_dc", limit_dc_reads },
    { TYPE_GENERAL, 0x13a, 6, "log_max_ra_res_dc", limit_reads },
    { TYPE_GENERAL, 0x147, 1, "sig_crc64_xp10", signs_with_crc64 },
    { TYPE_GENERAL, 0x148, 1, "sig_crc32c", signs_with_crc32c },
    { TYPE_GENERAL, 0x14a, 6, "log_max_ra_req_qp", limit_reads },
    { TYPE_GENERAL, 0x151, 1, "rts2rts_udp_sport", sets_udp_port },
    { TYPE_GENERAL, 0x152, 1, "rts2rts_lag_tx_port_affinity", sets_any_lag_port },
    { TYPE_GENERAL, 0x153, 1, "dma_mmo_sq", dma_on_any_queue },
    { TYPE_GENERAL, 0x158, 1, "compress_mmo_sq", compress },
    { TYPE_GENERAL, 0x15a, 6, "log_max_ra_res_qp", limit_reads },
    { TYPE_GENERAL, 0x186, 10, "max_qp_cnt", counters },
    { TYPE_GENERAL, 0x1a6, 1, "nic_flow_table", makes_table },
    { TYPE_GENERAL, 0x1a7, 1, "eswitch_manager", manages },
    { TYPE_GENERAL, 0x1a8, 1, "device_memory", device_memory },
    { TYPE_GENERAL, 0x1b6, 2, "port_type", is_ethernet },
    { TYPE_GENERAL, 0x1b8, 8, "num_ports", has_ports },
    { TYPE_GENERAL, 0x1c3, 5, "log_max_msg", limit_message },
    { TYPE_GENERAL, 0x1f0, 1, "sig_block_4048", signs_4048_bytes },
    { TYPE_GENERAL, 0x1fc, 4, "cqe_version", own_queue_runs },
    { TYPE_GENERAL, 0x200, 1, "compact_address_vector", ud },
    { TYPE_GENERAL, 0x206, 1, "repeated_block_disabled", no_repeated_block },
    { TYPE_GENERAL, 0x207, 1, "umr_modify_entity_size_disabled", no_entity_size },
    { TYPE_GENERAL, 0x208, 1, "umr_modify_atomic_disabled", no_atomic },
    { TYPE_GENERAL, 0x20f, 1, "drain_sigerr", stops_at_wrong_signature },
    { TYPE_GENERAL, 0x212, 1, "sigerr_cqe", reports_wrong_signature },
    { TYPE_GENERAL, 0x217, 1, "sho", signs_with_crc32 },
    { TYPE_GENERAL, 0x21a, 1, "dct", dct },
    { TYPE_GENERAL, 0x21b, 1, "qos", paces },
    { TYPE_GENERAL, 0x21c, 1, "eth_net_offloads", raw_packet },
    { TYPE_GENERAL, 0x21d, 1, "roce", has_roce },
    { TYPE_GENERAL, 0x21e, 1, "atomic", adds },
    { TYPE_GENERAL, 0x220, 1, "cq_oi", overruns },
    { TYPE_GENERAL, 0x221, 1, "cq_resize", resizes },
    { TYPE_GENERAL, 0x222, 1, "cq_moderation", moderates },
    { TYPE_GENERAL, 0x227, 1, "pg", on_demand },
    { TYPE_GENERAL, 0x23c, 1, "xrc", xrc },
    { TYPE_GENERAL, 0x23d, 1, "ud", ud },
    { TYPE_GENERAL, 0x23e, 1, "uc", uc },
    { TYPE_GENERAL, 0x23f, 1, "rc", rc },
    { TYPE_GENERAL, 0x240, 1, "uar_4k", own_queue_runs },
    { TYPE_GENERAL, 0x258, 8, "log_pg_sz", umem },
    { TYPE_GENERAL, 0x260, 1, "bf", own_queue_runs },
    { TYPE_GENERAL, 0x26b, 5, "log_bf_reg_size", own_queue_runs },
    { TYPE_GENERAL, 0x290, 16, "max_wqe_sz_sq", limit_send_bytes },
    { TYPE_GENERAL, 0x2b0, 16, "max_wqe_sz_rq", limit_receive_bytes },
    { TYPE_GENERAL, 0x278, 1, "lag_tx_port_affinity", sets_any_lag_port },
    { TYPE_GENERAL, 0x27b, 1, "lag_master", lag },
    { TYPE_GENERAL, 0x27c, 4, "num_lag_ports", limit_lag_ports },
    { TYPE_GENERAL, 0x2e7, 25, "max_qp_mcg", limit_group },
    { TYPE_GENERAL, 0x310, 8, "flow_counter_bulk_alloc", counts_in_bulk },
    { TYPE_GENERAL, 0x318, 8, "log_max_mcg", limit_groups },
    { TYPE_GENERAL, 0x323, 5, "log_max_transport_domain", transport_domain },
    { TYPE_GENERAL, 0x32b, 5, "log_max_pd", limit_pd },
    { TYPE_GENERAL, 0x33b, 5, "log_max_xrcd", xrc },
    { TYPE_GENERAL, 0x350, 16, "max_flow_counter_15_0", limit_flow_counters },
    { TYPE_GENERAL, 0x363, 5, "log_max_rq", rqs },
    { TYPE_GENERAL, 0x36b, 5, "log_max_sq", sqs },
    { TYPE_GENERAL, 0x373, 5, "log_max_tir", tirs },
    { TYPE_GENERAL, 0x37b, 5, "log_max_tis", tiss },
    { TYPE_GENERAL, 0x380, 1, "basic_cyclic_rcv_wqe", cyclic_rmp },
    { TYPE_GENERAL, 0x383, 5, "log_max_rmp", linked_rmp },
    { TYPE_GENERAL, 0x38b, 5, "log_max_rqt", rqts },
    { TYPE_GENERAL, 0x393, 5, "log_max_rqt_size", limit_table },
    { TYPE_GENERAL, 0x3db, 5, "log_max_wq_sz", limit_rmp },
    { TYPE_GENERAL, 0x400, 64, "general_obj_types", makes_general_objects },
    { TYPE_GENERAL, 0x3f2, 1, "aes_xts_multi_block_be_tweak", takes_deks },
    { TYPE_GENERAL, 0x463, 5, "log_max_uctx", always },
    { TYPE_GENERAL, 0x469, 1, "crypto", takes_deks },
    { TYPE_GENERAL, 0x46b, 5, "log_max_umem", umem },
    { TYPE_GENERAL, 0x480, 1, "sigerr_domain_and_sig_type", reports_wrong_signature },
    { TYPE_GENERAL, 0x4c0, 32, "device_frequency_mhz", runs_clock },
    { TYPE_GENERAL, 0x4e0, 32, "device_frequency_khz", runs_clock },
    { TYPE_GENERAL, 0x520, 32, "num_of_uars_per_page", own_queue_runs },
    { TYPE_GENERAL, 0x58b, 5, "log_max_dci_stream_channels", limit_streams },
    { TYPE_GENERAL, 0x593, 5, "log_max_dci_errored_streams", limit_failed_streams },
    { TYPE_GENERAL, 0x5b2, 1, "crossing_vhca_mkey", crossing },
    { TYPE_GENERAL, 0x5bc, 1, "mini_cqe_resp_stride_index", compresses_strides },
    { TYPE_GENERAL, 0x5be, 1, "cqe_compression_128", compresses_128 },
    { TYPE_GENERAL, 0x5bf, 1, "cqe_compression", compresses },
    { TYPE_GENERAL, 0x5d0, 16, "cqe_compression_max_num", limit_title },
    { TYPE_GENERAL, 0x5f0, 1, "tag_matching", matches_tags },
    { TYPE_GENERAL, 0x5f1, 1, "rndv_offload_rc", reads_rendezvous },
    { TYPE_GENERAL, 0x5f3, 5, "log_tag_matching_list_sz", limit_tags },
    { TYPE_GENERAL, 0x5fb, 5, "log_max_xrq", xrqs },
    { TYPE_GENERAL, 0x740, 1, "sha_mmo_qp", sha },
    { TYPE_GENERAL, 0x748, 1, "dma_mmo_qp", dma },
    { TYPE_GENERAL, 0x74a, 1, "compress_mmo_qp", compress },
    { TYPE_GENERAL, 0x74b, 1, "decompress_deflate_v1", decompress },
    { TYPE_ETHERNET, 0x00, 1, "csum_cap", inserts_checksums },
    { TYPE_ETHERNET, 0x0b, 5, "max_lso_cap", limit_lso },
    { TYPE_ETHERNET, 0x12, 2, "wqe_inline_mode", needs_no_inline_header },
    ODP_ROWS(0x80, "rc_odp_caps"),
    ODP_ROWS(0xa0, "uc_odp_caps"),
    ODP_ROWS(0xc0, "ud_odp_caps"),
    ODP_ROWS(0xe0, "xrc_odp_caps"),
    ODP_ROWS(0x100, "dc_odp_caps"),
    { TYPE_QOS, 0x00, 1, "packet_pacing", paces },
    { TYPE_QOS, 0x01, 1, "esw_scheduling", schedules_eswitch },
    { TYPE_QOS, 0x05, 1, "packet_pacing_burst_bound", paces_bursts },
    { TYPE_QOS, 0x06, 1, "packet_pacing_typical_size", paces_packets },
    { TYPE_QOS, 0x07, 1, "flow_meter_old", meters },
    { TYPE_QOS, 0x08, 1, "nic_sq_scheduling", schedules_frames },
    { TYPE_QOS, 0x09, 1, "nic_bw_share", keeps_shares },
    { TYPE_QOS, 0x0a, 1, "nic_rate_limit", keeps_rates },
    { TYPE_QOS, 0x0b, 1, "packet_pacing_uid", paces },
    { TYPE_QOS, 0x10, 8, "log_max_flow_meter", limit_meters },
    { TYPE_QOS, 0x18, 8, "flow_meter_reg_id", meters_to_registers },
    { TYPE_QOS, 0x21, 1, "nic_qp_scheduling", schedules_requests },
    { TYPE_QOS, 0x24, 4, "log_nic_max_sched_depth", limit_levels_of_tree },
    { TYPE_QOS, 0x28, 1, "flow_meter", meters },
    { TYPE_QOS, 0x2b, 5, "log_max_qos_nic_queue_group", limit_leaves },
    { TYPE_QOS, 0x40, 32, "packet_pacing_max_rate", limit_fastest },
    { TYPE_QOS, 0x60, 32, "packet_pacing_min_rate", limit_slowest },
    { TYPE_QOS, 0x90, 16, "packet_pacing_rate_table_size", limit_rates },
    { TYPE_QOS, 0xe0, 32, "max_tsar_bw_share", limit_share },
    { TYPE_QOS, 0x100, 16, "nic_element_type", element_types },
    { TYPE_QOS, 0x110, 16, "nic_tsar_type", node_types },
    { TYPE_QOS, 0x143, 5, "log_max_qos_nic_scheduling_element", limit_elements },
    { TYPE_ATOMIC, 0x40, 2, "atomic_req_8B_endianness_mode", adds },
    { TYPE_ATOMIC, 0x90, 16, "atomic_operations", adds },
    { TYPE_ATOMIC, 0xb0, 16, "atomic_size_qp", adds },
    { TYPE_ATOMIC, 0xd0, 16, "atomic_size_dc", dct_with_atomics },
    { TYPE_ROCE, 0x8c, 4, "l3_type", has_roce },
    { TYPE_ROCE, 0x98, 8, "roce_version", has_roce },
    { TYPE_ROCE, 0xb0, 16, "r_roce_dest_udp_port", has_roce },
    { TYPE_ROCE, 0xf0, 16, "roce_address_table_size", limit_roce },
    { TYPE_FLOW_TABLE, 0x20, 1, "encap_general_header", rx_reformats },
    { TYPE_FLOW_TABLE, 0x2b, 5, "log_max_packet_reformat_context", limit_reformat },
    { TYPE_FLOW_TABLE, 0x36, 10, "max_encap_header_size", limit_header },
    { TYPE_FLOW_TABLE, 0x200 + 0x00, 1, "ft_support", makes_table },
    { TYPE_FLOW_TABLE, 0x200 + 0x02, 1, "flow_counter", rx_counts },
    { TYPE_FLOW_TABLE, 0x200 + 0x03, 1, "flow_modify_en", rx_changes_entry },
    { TYPE_FLOW_TABLE, 0x200 + 0x05, 1, "identified_miss_table_mode", names_next_table },
    { TYPE_FLOW_TABLE, 0x200 + 0x06, 1, "flow_table_modify", rx_changes_table },
    { TYPE_FLOW_TABLE, 0x200 + 0x07, 1, "reformat", rx_reformats },
    { TYPE_FLOW_TABLE, 0x200 + 0x08, 1, "decap", rx_decaps },
    { TYPE_FLOW_TABLE, 0x200 + 0x0a, 1, "pop_vlan", rx_pops },
    { TYPE_FLOW_TABLE, 0x200 + 0x0b, 1, "push_vlan", rx_pushes },
    { TYPE_FLOW_TABLE, 0x200 + 0x0d, 1, "pop_vlan_2", rx_pops_2 },
    { TYPE_FLOW_TABLE, 0x200 + 0x0e, 1, "push_vlan_2", rx_pushes_2 },
    { TYPE_FLOW_TABLE, 0x200 + 0x0f, 1, "reformat_and_vlan_action", rx_reformats_vlan },
    { TYPE_FLOW_TABLE, 0x200 + 0x11, 1, "sw_owner", makes_software_table },
    { TYPE_FLOW_TABLE, 0x200 + 0x12, 1, "reformat_l3_tunnel_to_l2", rx_makes_l2 },
    { TYPE_FLOW_TABLE, 0x200 + 0x13, 1, "reformat_l2_to_l3_tunnel", rx_makes_l3 },
    { TYPE_FLOW_TABLE, 0x200 + 0x14, 1, "reformat_and_modify_action", rx_reformats_modified },
    { TYPE_FLOW_TABLE, 0x200 + 0x18, 1, "termination_table", makes_terminating_table },
    { TYPE_FLOW_TABLE, 0x200 + 0x22, 6, "log_max_ft_size", limit_table_size },
    { TYPE_FLOW_TABLE, 0x200 + 0x28, 8, "log_max_modify_header_context", limit_modify },
    { TYPE_FLOW_TABLE, 0x200 + 0x30, 8, "max_modify_header_actions", limit_actions },
    { TYPE_FLOW_TABLE, 0x200 + 0x38, 8, "max_ft_level", limit_table_level },
    { TYPE_FLOW_TABLE, 0x200 + 0x78, 8, "log_max_ft_num", limit_tables },
    { TYPE_FLOW_TABLE, 0x200 + 0x98, 8, "log_max_destination", rx_limit_destinations },
    { TYPE_FLOW_TABLE, 0x200 + 0xb8, 8, "log_max_flow", limit_flows },
    { TYPE_FLOW_TABLE, 0x400 + 0x00, 1, "ft_support", makes_rdma_rx_table },
    { TYPE_FLOW_TABLE, 0x400 + 0x03, 1, "flow_modify_en", rdma_rx_changes_entry },
    { TYPE_FLOW_TABLE, 0x400 + 0x05, 1, "identified_miss_table_mode", names_next_rdma_rx_table },
    { TYPE_FLOW_TABLE, 0x400 + 0x06, 1, "flow_table_modify", rdma_rx_changes_table },
    { TYPE_FLOW_TABLE, 0x400 + 0x22, 6, "log_max_ft_size", limit_rdma_size },
    { TYPE_FLOW_TABLE, 0x400 + 0x38, 8, "max_ft_level", limit_rdma_level },
    { TYPE_FLOW_TABLE, 0xa00 + 0x00, 1, "ft_support", makes_rdma_tx_table },
    { TYPE_FLOW_TABLE, 0xa00 + 0x03, 1, "flow_modify_en", rdma_tx_changes_entry },
    { TYPE_FLOW_TABLE, 0xa00 + 0x05, 1, "identified_miss_table_mode", names_next_rdma_tx_table },
    { TYPE_FLOW_TABLE, 0xa00 + 0x06, 1, "flow_table_modify", rdma_tx_changes_table },
    { TYPE_FLOW_TABLE, 0xa00 + 0x22, 6, "log_max_ft_size", limit_rdma_size },
    { TYPE_FLOW_TABLE, 0xa00 + 0x38, 8, "max_ft_level", limit_rdma_level },
    { TYPE_FLOW_TABLE, 0x800 + 0x00, 1, "ft_support", makes_tx_table },
    { TYPE_FLOW_TABLE, 0x800 + 0x02, 1, "flow_counter", tx_counts },
    { TYPE_FLOW_TABLE, 0x800 + 0x03, 1, "flow_modify_en", tx_changes_entry },
    { TYPE_FLOW_TABLE, 0x800 + 0x05, 1, "identified_miss_table_mode", names_next_tx_table },
    { TYPE_FLOW_TABLE, 0x800 + 0x06, 1, "flow_table_modify", tx_changes_table },
    { TYPE_FLOW_TABLE, 0x800 + 0x07, 1, "reformat", tx_reformats },
    { TYPE_FLOW_TABLE, 0x800 + 0x08, 1, "decap", tx_decaps },
    { TYPE_FLOW_TABLE, 0x800 + 0x0a, 1, "pop_vlan", tx_pops },
    { TYPE_FLOW_TABLE, 0x800 + 0x0b, 1, "push_vlan", tx_pushes },
    { TYPE_FLOW_TABLE, 0x800 + 0x0d, 1, "pop_vlan_2", tx_pops_2 },
    { TYPE_FLOW_TABLE, 0x800 + 0x0e, 1, "push_vlan_2", tx_pushes_2 },
    { TYPE_FLOW_TABLE, 0x800 + 0x0f, 1, "reformat_and_vlan_action", tx_reformats_vlan },
    { TYPE_FLOW_TABLE, 0x800 + 0x12, 1, "reformat_l3_tunnel_to_l2", tx_makes_l2 },
    { TYPE_FLOW_TABLE, 0x800 + 0x13, 1, "reformat_l2_to_l3_tunnel", tx_makes_l3 },
    { TYPE_FLOW_TABLE, 0x800 + 0x14, 1, "reformat_and_modify_action", tx_reformats_modified },
    { TYPE_FLOW_TABLE, 0x800 + 0x18, 1, "termination_table", makes_terminating_tx_table },
    { TYPE_FLOW_TABLE, 0x800 + 0x22, 6, "log_max_ft_size", limit_table_size },
    { TYPE_FLOW_TABLE, 0x800 + 0x28, 8, "log_max_modify_header_context", limit_modify },
    { TYPE_FLOW_TABLE, 0x800 + 0x30, 8, "max_modify_header_actions", limit_actions },
    { TYPE_FLOW_TABLE, 0x800 + 0x38, 8, "max_ft_level", limit_table_level },
    { TYPE_FLOW_TABLE, 0x800 + 0x78, 8, "log_max_ft_num", limit_tables },
    { TYPE_FLOW_TABLE, 0x800 + 0x98, 8, "log_max_destination", tx_limit_destinations },
    { TYPE_FLOW_TABLE, 0x800 + 0xb8, 8, "log_max_flow", limit_flows },
    { TYPE_ESWITCH_TABLE, 0x200, 1, "ft_support", makes_fdb_table },
    { TYPE_MEMIC, 0x00, 1, "memic", device_memory },
    { TYPE_MEMIC, 0x2b, 5, "log_min_memic_alloc_size", device_memory },
    { TYPE_MEMIC, 0x20, 8, "increment_size_sup", increments },
    { TYPE_MEMIC, 0x30, 8, "test_and_set_size_sup", tests_and_sets },
    { TYPE_MEMIC, 0xa0, 32, "max_memic_size", limit_dm },
    { TYPE_MEMIC, 0x200, 32, "memic_operations", maps_operations },
    { TYPE_FLOW_TABLE, 0x200 + 0x11, 1, "sw_owner", writes_entries },
    { TYPE_FLOW_TABLE, 0x800 + 0x11, 1, "sw_owner", writes_entries },
    { TYPE_FLOW_TABLE, 0x2000, 64, "sw_steering_nic_rx_action_drop_icm_address", writes_entries },
    { TYPE_FLOW_TABLE, 0x2040, 64, "sw_steering_nic_tx_action_drop_icm_address", writes_entries },
    { TYPE_FLOW_TABLE, 0x2080, 64, "sw_steering_nic_tx_action_allow_icm_address", writes_entries },
    { TYPE_MEMIC, 0xc0, 64, "steering_sw_icm_start_address", writes_entries },
    { TYPE_MEMIC, 0x108, 8, "log_header_modify_sw_icm_size", writes_entries },
    { TYPE_MEMIC, 0x112, 6, "log_sw_icm_alloc_granularity", writes_entries },
    { TYPE_MEMIC, 0x118, 8, "log_steering_sw_icm_size", writes_entries },
    { TYPE_MEMIC, 0x140, 64, "header_modify_sw_icm_start_address", writes_entries },
    { TYPE_ROCE, 0x06, 1, "fl_rc_qp_when_roce_enabled", writes_entries },
    { TYPE_CRYPTO, 0x00, 1, "wrapped_crypto_operational", wraps_deks },
    { TYPE_CRYPTO, 0x18, 8, "wrapped_import_method", wraps_deks },
    { TYPE_CRYPTO, 0x2b, 5, "log_max_num_deks", limit_deks },
    { TYPE_CRYPTO, 0x50, 8, "num_nv_import_keks", wraps_deks },
    { TYPE_CRYPTO, 0x58, 8, "num_nv_credentials", wraps_deks },
    { TYPE_GENERAL_2, 0x8b, 5, "log_max_num_reserved_qpn", limit_reserved },
    { TYPE_GENERAL_2, 0x93, 5, "log_reserved_qpn_granularity", limit_range },
    { TYPE_GENERAL_2, 0x9b, 5, "log_reserved_qpn_max_alloc", limit_range },
    { TYPE_GENERAL_2, 0xe0, 32, "cross_vhca_object_to_object_supported", alias },
    { TYPE_GENERAL_2, 0x100, 64, "allowed_object_for_other_vhca_access", alias },
};

enum { NUM_ROWS = sizeof(rows) / sizeof(rows[0]) };

static struct probe probe_open(void)
{
    struct probe p = { .rig = rig_open(0) };

    CHECK_EQ(ibv_query_device_ex(p.rig.ctx, NULL, &p.attr), 0);
    CHECK_EQ(ibv_query_port(p.rig.ctx, 1, &p.port), 0);
    p.mem = rig_memory(BYTES);
    p.mr = ibv_reg_mr(p.rig.pd, p.mem, BYTES, RIG_ALL_ACCESS);
    CHECK(p.mr);
    return p;
}

static void probe_close(struct probe *p)
{
    CHECK_EQ(ibv_dereg_mr(p->mr), 0);
    rig_close(&p->rig);
    free(p->mem);
}

static void every_feature_is_announced_exactly_when_it_works(void)
{
    struct probe p = probe_open();
    unsigned wrong = 0;

    for (unsigned i = 0; i < NUM_ROWS; i++) {
        uint8_t out[0x1010];
        bool works;

        query_caps(&p.rig, rows[i].type, out);  /* zeros for an unknown type */
        p.value = get(out, 0x80 + rows[i].bit, rows[i].width);
        p.bit = rows[i].bit;
        works = rows[i].works(&p);
        if (works == (p.value != 0))
            continue;
        printf("  %s (type %#x, bit %#x) is %#llx, but the feature %s\n", rows[i].name,
               rows[i].type, rows[i].bit, (unsigned long long)p.value,
               works ? "works" : "does not work");
        wrong++;
    }
    CHECK_EQ(wrong, 0);
    probe_close(&p);
}

static void every_announced_bit_has_a_probe(void)
{
    struct rig rig = rig_open(0);
    unsigned wrong = 0, types = 0;

    for (unsigned type = 0; type < 0x40; type++) {
        uint8_t out[0x1010];

        if (!query_caps(&rig, type, out))
            continue;
        types++;
        for (unsigned i = 0; i < NUM_ROWS; i++)
            if (rows[i].type == type)
                put(out, 0x80 + rows[i].bit, rows[i].width, 0);
        for (unsigned bit = 0; bit < 0x8000; bit++)
            if (get(out, 0x80 + bit, 1)) {
                printf("  bit %#x of type %#x is announced, but no row of the test uses it\n", bit,
                       type);
                wrong++;
            }
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(types, 10);
    rig_close(&rig);
}

static const struct rig_case cases[] = {
    RIG_CASE(every_announced_bit_has_a_probe),
    RIG_CASE(every_feature_is_announced_exactly_when_it_works),
};

RIG_MAIN(cases)
