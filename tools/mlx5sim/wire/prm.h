/*
 * The structures of the device as a table: structure, field, first bit, width. Bit 0 is the most
 * significant bit of byte 0, as in the programmer's reference manual (PRM). Structures of commands
 * and contexts have the names of public definitions, so that check_prm can compare the table with
 * them. The names of WQE segments (wqe_*) and of the CQE (cqe) exist only here.
 *
 * A field that is a structure itself is reached with PRM_AT, which adds its byte offset.
 */
#ifndef MLX5SIM_PRM_H
#define MLX5SIM_PRM_H

#include <stdint.h>

#define PRM_COMMAND_FIELDS(F) \
    F(mbox_in, opcode, 0x00, 16) F(mbox_in, uid, 0x10, 16) F(mbox_in, op_mod, 0x30, 16) \
    F(mbox_out, status, 0x00, 8) F(mbox_out, syndrome, 0x20, 32) \
    F(query_hca_cap_in, other_function, 0x40, 1) F(query_hca_cap_in, ec_vf_function, 0x41, 1) \
    F(query_hca_cap_in, function_id, 0x50, 16) F(query_hca_cap_out, capability, 0x80, 0x8000) \
    F(query_esw_functions_out, host_params_context, 0x80, 0x200) \
    F(query_esw_vport_context_in, other_vport, 0x40, 1) \
    F(query_esw_vport_context_in, vport_number, 0x50, 16) \
    F(query_vuid_in, vhca_id, 0x70, 16) F(query_vuid_out, num_of_entries, 0x1f0, 16) \
    F(query_vuid_out, vuid, 0x200, 0) \
    F(create_mkey_in, mkey_umem_valid, 0x61, 1) \
    F(create_mkey_in, memory_key_mkey_entry, 0x80, 0x200) \
    F(create_mkey_in, translations_octword_actual_size, 0x300, 32) \
    F(create_mkey_in, mkey_umem_id, 0x320, 32) F(create_mkey_in, mkey_umem_offset, 0x340, 64) \
    F(create_mkey_in, klm_pas_mtt, 0x880, 0) F(create_mkey_out, mkey_index, 0x48, 24) \
    F(query_mkey_in, mkey_index, 0x48, 24) \
    F(query_mkey_out, memory_key_mkey_entry, 0x80, 0x200) \
    F(create_psv_in, num_psv, 0x40, 4) F(create_psv_in, pd, 0x48, 24) \
    F(create_psv_out, psv0_index, 0x88, 24) \
    F(create_cq_in, cq_context, 0x80, 0x200) F(create_cq_in, cq_umem_offset, 0x280, 64) \
    F(create_cq_in, cq_umem_id, 0x2c0, 32) F(create_cq_in, cq_umem_valid, 0x2e0, 1) \
    F(create_cq_out, cqn, 0x48, 24) F(query_cq_in, cqn, 0x48, 24) \
    F(query_cq_out, cq_context, 0x80, 0x200) F(modify_cq_in, cqn, 0x48, 24) \
    F(modify_cq_in, modify_field_select_resize_field_select, 0x60, 32) \
    F(modify_cq_in, cq_context, 0x80, 0x200) \
    F(create_qp_in, qpc_ext, 0x40, 1) F(create_qp_in, opt_param_mask, 0x80, 32) \
    F(create_qp_in, qpc, 0xc0, 0x740) F(create_qp_in, wq_umem_offset, 0x800, 64) \
    F(create_qp_in, wq_umem_id, 0x840, 32) F(create_qp_in, wq_umem_valid, 0x860, 1) \
    F(create_qp_in, qpc_data_extension, 0x880, 0x600) F(create_qp_out, qpn, 0x48, 24) \
    F(modify_qp_in, qpn, 0x48, 24) F(init2init_qp_in, qpc_ext, 0x40, 1) \
    F(init2init_qp_in, opt_param_mask_95_32, 0x840, 64) \
    F(init2init_qp_in, qpc_data_ext, 0x880, 0x600) F(qpc_ext, mmo, 0x02, 1) \
    F(qpc_ext, qos_queue_group_id_requester, 0x20, 32) \
    F(qpc_ext, qos_queue_group_id_responder, 0x40, 32) \
    F(qpc_ext, dci_stream_channel_id, 0x10, 16) F(rts2rts_qp_in, qpc_ext, 0x40, 1) \
    F(rts2rts_qp_in, opt_param_mask_95_32, 0x840, 64) \
    F(rts2rts_qp_in, qpc_data_ext, 0x880, 0x600) \
    F(query_qp_out, qpc, 0xc0, 0x740) \
    F(create_dct_in, dct_context, 0x80, 0x200) F(create_dct_out, dctn, 0x48, 24) \
    F(query_dct_in, dctn, 0x48, 24) F(query_dct_out, dctc, 0x80, 0x200) \
    F(create_rmp_in, ctx, 0x100, 0x780) F(create_rmp_out, rmpn, 0x48, 24) \
    F(modify_rmp_in, rmp_state, 0x40, 4) F(modify_rmp_in, rmpn, 0x48, 24) \
    F(modify_rmp_in, bitmask, 0x80, 64) F(modify_rmp_in, ctx, 0x100, 0x780) \
    F(query_rmp_in, rmpn, 0x48, 24) F(query_rmp_out, rmp_context, 0x100, 0x780) \
    F(create_sq_in, ctx, 0x100, 0x780) F(create_sq_out, sqn, 0x48, 24) \
    F(modify_sq_in, sq_state, 0x40, 4) F(modify_sq_in, modify_bitmask, 0x80, 64) \
    F(modify_sq_in, ctx, 0x100, 0x780) \
    F(query_sq_out, sq_context, 0x100, 0x780) \
    F(create_rq_in, ctx, 0x100, 0x780) F(create_rq_out, rqn, 0x48, 24) \
    F(modify_rq_in, rq_state, 0x40, 4) F(modify_rq_in, ctx, 0x100, 0x780) \
    F(query_rq_out, rq_context, 0x100, 0x780) \
    F(create_tis_in, ctx, 0x100, 0x500) F(create_tis_out, tisn, 0x48, 24) \
    F(query_tis_in, tisn, 0x48, 24) F(query_tis_out, tis_context, 0x80, 0x500) \
    F(create_rqt_in, rqt_context, 0x100, 0x780) F(create_rqt_out, rqtn, 0x48, 24) \
    F(modify_rqt_in, rqtn, 0x48, 24) F(modify_rqt_in, bitmask, 0x80, 64) \
    F(modify_rqt_in, ctx, 0x100, 0x780) F(query_rqt_in, rqtn, 0x48, 24) \
    F(query_rqt_out, rqt_context, 0x100, 0x780) \
    F(create_tir_in, ctx, 0x100, 0x780) F(create_tir_out, tirn, 0x48, 24) \
    F(create_tir_out, icm_address_63_40, 0x08, 24) F(create_tir_out, icm_address_39_32, 0x40, 8) \
    F(create_tir_out, icm_address_31_0, 0x60, 32) \
    F(query_tir_in, tirn, 0x48, 24) F(query_tir_out, tir_context, 0x100, 0x780) \
    F(modify_tir_in, tirn, 0x48, 24) F(modify_tir_in, bitmask, 0x80, 64) \
    F(modify_tir_in, ctx, 0x100, 0x780) \
    F(modify_tis_in, tisn, 0x48, 24) F(modify_tis_in, bitmask, 0x80, 64) \
    F(modify_tis_in, ctx, 0x100, 0x500) \
    F(alloc_pd_out, pd, 0x48, 24) F(alloc_transport_domain_out, transport_domain, 0x48, 24) \
    F(query_hca_vport_context_out, hca_vport_context, 0x80, 0x1000) \
    F(query_nic_vport_context_out, nic_vport_context, 0x80, 0x800) \
    F(query_special_contexts_out, dump_fill_mkey, 0x40, 32) \
    F(query_special_contexts_out, resd_lkey, 0x60, 32) \
    F(query_special_contexts_out, null_mkey, 0x80, 32) \
    F(query_lag_out, ctx, 0x40, 64) F(lagc, lag_state, 0x1d, 3) \
    F(alloc_flow_counter_in, flow_counter_bulk_log_size, 0x73, 5) \
    F(alloc_flow_counter_in, flow_counter_bulk, 0x78, 8) \
    F(alloc_flow_counter_out, flow_counter_id, 0x40, 32) \
    F(query_flow_counter_in, mkey, 0x60, 32) F(query_flow_counter_in, address, 0x80, 64) \
    F(query_flow_counter_in, clear, 0xc0, 1) F(query_flow_counter_in, dump_to_memory, 0xc1, 1) \
    F(query_flow_counter_in, num_of_counters_29_0, 0xc2, 30) \
    F(query_flow_counter_in, flow_counter_id, 0xe0, 32) \
    F(query_flow_counter_out, flow_statistics, 0x80, 0) \
    F(traffic_counter, packets, 0x00, 64) F(traffic_counter, octets, 0x40, 64) \
    F(create_flow_table_in, other_vport, 0x40, 1) F(create_flow_table_in, table_type, 0x80, 8) \
    F(create_flow_table_in, flow_table_context, 0xc0, 0x140) \
    F(create_flow_table_out, table_id, 0x48, 24) \
    F(query_flow_table_in, table_type, 0x80, 8) F(query_flow_table_in, table_id, 0xa8, 24) \
    F(query_flow_table_out, flow_table_context, 0xc0, 0x140) \
    F(modify_flow_table_in, other_vport, 0x40, 1) \
    F(modify_flow_table_in, modify_field_select, 0x70, 16) \
    F(modify_flow_table_in, table_type, 0x80, 8) F(modify_flow_table_in, table_id, 0xa8, 24) \
    F(modify_flow_table_in, flow_table_context, 0xc0, 0x140) \
    F(create_flow_group_in, other_vport, 0x40, 1) F(create_flow_group_in, table_type, 0x80, 8) \
    F(create_flow_group_in, group_type, 0x8c, 4) F(create_flow_group_in, table_id, 0xa8, 24) \
    F(create_flow_group_in, start_flow_index, 0xe0, 32) \
    F(create_flow_group_in, end_flow_index, 0x120, 32) \
    F(create_flow_group_in, match_definer_id, 0x150, 16) \
    F(create_flow_group_in, match_criteria_enable, 0x1f8, 8) \
    F(create_flow_group_in, match_criteria, 0x200, 0x1000) \
    F(create_flow_group_out, group_id, 0x48, 24) \
    F(query_flow_group_in, table_type, 0x80, 8) F(query_flow_group_in, table_id, 0xa8, 24) \
    F(query_flow_group_in, group_id, 0xc0, 32) \
    F(query_flow_group_out, start_flow_index, 0xe0, 32) \
    F(query_flow_group_out, end_flow_index, 0x120, 32) \
    F(query_flow_group_out, match_criteria_enable, 0x1f8, 8) \
    F(query_flow_group_out, match_criteria, 0x200, 0x1000) \
    F(set_fte_in, other_vport, 0x40, 1) F(set_fte_in, table_type, 0x80, 8) \
    F(set_fte_in, table_id, 0xa8, 24) F(set_fte_in, ignore_flow_level, 0xc0, 1) \
    F(set_fte_in, modify_enable_mask, 0xd8, 8) F(set_fte_in, flow_index, 0x100, 32) \
    F(set_fte_in, flow_context, 0x200, 0x1800) \
    F(query_fte_in, table_type, 0x80, 8) F(query_fte_in, table_id, 0xa8, 24) \
    F(query_fte_in, flow_index, 0x100, 32) F(query_fte_out, flow_context, 0x200, 0x1800) \
    F(alloc_packet_reformat_context_in, packet_reformat_context, 0xe0, 0) \
    F(alloc_packet_reformat_context_out, packet_reformat_id, 0x40, 32) \
    F(alloc_modify_header_context_in, table_type, 0x60, 8) \
    F(alloc_modify_header_context_in, num_of_actions, 0x78, 8) \
    F(alloc_modify_header_context_in, actions, 0x80, 0) \
    F(alloc_modify_header_context_out, modify_header_id, 0x40, 32) \
    F(query_roce_address_in, roce_address_index, 0x40, 16) \
    F(query_roce_address_out, roce_address, 0x80, 0x100) \
    F(access_register_in, register_id, 0x50, 16) F(access_register_out, register_data, 0x80, 0) \
    F(general_obj_in_cmd_hdr, obj_type, 0x30, 16) F(general_obj_in_cmd_hdr, obj_id, 0x40, 32) \
    F(general_obj_in_cmd_hdr, alias_object, 0x60, 1) \
    F(general_obj_in_cmd_hdr, log_obj_range, 0x63, 5) F(general_obj_out_cmd_hdr, obj_id, 0x40, 32) \
    F(create_alias_obj_in, alias_ctx, 0x80, 0x200) \
    F(create_sampler_obj_in, sampler_object, 0x80, 0x200) \
    F(create_scheduling_element_in, scheduling_hierarchy, 0x40, 8) \
    F(create_scheduling_element_in, scheduling_context, 0x100, 0x200) \
    F(create_scheduling_element_out, scheduling_element_id, 0x80, 32) \
    F(modify_scheduling_element_in, scheduling_hierarchy, 0x40, 8) \
    F(modify_scheduling_element_in, scheduling_element_id, 0x60, 32) \
    F(modify_scheduling_element_in, modify_bitmask, 0xa0, 32) \
    F(modify_scheduling_element_in, scheduling_context, 0x100, 0x200) \
    F(query_scheduling_element_in, scheduling_hierarchy, 0x40, 8) \
    F(query_scheduling_element_in, scheduling_element_id, 0x60, 32) \
    F(query_scheduling_element_out, scheduling_context, 0x100, 0x200) \
    F(scheduling_context, element_type, 0x00, 8) \
    F(scheduling_context, element_attributes, 0x20, 32) \
    F(scheduling_context, parent_element_id, 0x40, 32) \
    F(scheduling_context, bw_share, 0xa0, 32) F(scheduling_context, max_average_bw, 0xc0, 32) \
    F(tsar_element, tsar_type, 0x08, 8) F(create_sched_elem_in, sched_elem, 0x80, 0x400) \
    F(sched_elem, modify_field_select, 0x00, 64) F(sched_elem, scheduling_hierarchy, 0x40, 8) \
    F(sched_elem, sched_context, 0x100, 0x200) \
    F(create_flow_meter_in, meter, 0x80, 0x400) F(flow_meter, modify_field_select, 0x00, 64) \
    F(flow_meter, active, 0x40, 1) F(flow_meter, return_reg_id, 0x44, 4) \
    F(flow_meter, table_type, 0x48, 8) F(flow_meter, destination_table_id, 0x68, 24) \
    F(flow_meter, flow_meter_params, 0x100, 0x100) \
    F(flow_meter, sw_steering_icm_address_rx, 0x380, 64) \
    F(flow_meter, sw_steering_icm_address_tx, 0x3c0, 64) \
    F(flow_meter_parameters, valid, 0x00, 1) F(flow_meter_parameters, bucket_overflow, 0x01, 1) \
    F(flow_meter_parameters, start_color, 0x02, 2) \
    F(flow_meter_parameters, both_buckets_on_green, 0x04, 1) \
    F(flow_meter_parameters, meter_mode, 0x06, 2) \
    F(flow_meter_parameters, cbs_exponent, 0x43, 5) \
    F(flow_meter_parameters, cbs_mantissa, 0x48, 8) \
    F(flow_meter_parameters, cir_exponent, 0x53, 5) \
    F(flow_meter_parameters, cir_mantissa, 0x58, 8) \
    F(flow_meter_parameters, ebs_exponent, 0x83, 5) \
    F(flow_meter_parameters, ebs_mantissa, 0x88, 8) \
    F(flow_meter_parameters, eir_exponent, 0x93, 5) \
    F(flow_meter_parameters, eir_mantissa, 0x98, 8) \
    F(sampler_obj, table_type, 0x40, 8) F(sampler_obj, level, 0x48, 8) \
    F(sampler_obj, ignore_flow_level, 0x5f, 1) F(sampler_obj, sample_ratio, 0x60, 32) \
    F(sampler_obj, sample_table_id, 0x88, 24) F(sampler_obj, default_table_id, 0xa8, 24) \
    F(sampler_obj, sw_steering_icm_address_rx, 0xc0, 64) \
    F(sampler_obj, sw_steering_icm_address_tx, 0x100, 64) \
    F(create_dek_in, dek, 0x80, 0x800) F(create_crypto_login_in, crypto_login, 0x80, 0x800) \
    F(create_av_qp_mapping_in, mapping, 0x80, 0x200) F(av_qp_mapping, qpn, 0x60, 32) \
    F(allow_other_vhca_access_in, object_type_to_be_accessed, 0x90, 16) \
    F(allow_other_vhca_access_in, object_id_to_be_accessed, 0xa0, 32) \
    F(allow_other_vhca_access_in, access_key, 0x100, 0x100)

#define PRM_CONTEXT_FIELDS(F) \
    F(host_params_context, host_pci_vf_info_valid, 0x0c, 1) \
    F(host_params_context, host_pf_not_exist, 0x0d, 1) \
    F(host_params_context, host_pf_vhca_id_valid, 0x0e, 1) \
    F(host_params_context, host_num_of_vfs, 0x10, 16) \
    F(host_params_context, host_total_vfs, 0x20, 16) \
    F(host_params_context, host_pci_bus, 0x30, 16) \
    F(host_params_context, host_pf_vhca_id, 0x40, 16) \
    F(host_params_context, host_pci_device, 0x50, 16) \
    F(host_params_context, host_pci_function, 0x70, 16) \
    F(host_params_context, host_pci_vf_stride, 0x80, 16) \
    F(host_params_context, host_pci_first_vf_offset, 0x90, 16) \
    F(alias_context, vhca_id_to_be_accessed, 0x00, 16) F(alias_context, status, 0x1d, 3) \
    F(alias_context, object_id_to_be_accessed, 0x20, 32) \
    F(alias_context, access_key, 0x80, 0x100) F(alias_context, metadata_1, 0x180, 32) \
    F(dek, key_size, 0x54, 4) F(dek, has_keytag, 0x58, 1) F(dek, key_purpose, 0x5c, 4) \
    F(dek, pd, 0x68, 24) F(dek, opaque, 0x180, 64) F(dek, key, 0x200, 0x400) \
    F(crypto_login, state, 0x84, 4) F(crypto_login, credential_pointer, 0x88, 24) \
    F(crypto_login, session_import_kek_ptr, 0xa8, 24) \
    F(crypto_login, credential, 0x200, 0x180) \
    F(mkc, free, 0x01, 1) F(mkc, access_mode_4_2, 0x03, 3) F(mkc, umr_en, 0x10, 1) \
    F(mkc, relaxed_ordering_write, 0x0d, 1) F(mkc, relaxed_ordering_read, 0x1d9, 1) \
    F(mkc, a, 0x11, 1) F(mkc, rw, 0x12, 1) F(mkc, rr, 0x13, 1) F(mkc, lw, 0x14, 1) \
    F(mkc, lr, 0x15, 1) F(mkc, access_mode_1_0, 0x16, 2) F(mkc, qpn, 0x20, 24) \
    F(mkc, mkey_7_0, 0x38, 8) F(mkc, length64, 0x60, 1) F(mkc, bsf_en, 0x61, 1) \
    F(mkc, en_rinval, 0x67, 1) F(mkc, pd, 0x68, 24) F(mkc, start_addr, 0x80, 64) \
    F(mkc, len, 0xc0, 64) F(mkc, bsf_octword_size, 0x100, 32) \
    F(mkc, translations_octword_size, 0x1a0, 32) \
    F(mkc, log_entity_size, 0x1db, 5) F(mkc, crypto_en, 0x1e3, 2) \
    F(klm, byte_count, 0x00, 32) F(klm, mkey, 0x20, 32) F(klm, address, 0x40, 64) \
    F(cqc, status, 0x00, 4) F(cqc, dbr_umem_valid, 0x06, 1) F(cqc, cqe_sz, 0x08, 3) \
    F(cqc, oi, 0x0e, 1) F(cqc, cqe_comp_en, 0x11, 1) \
    F(cqc, mini_cqe_res_format, 0x12, 2) F(cqc, st, 0x14, 4) \
    F(cqc, dbr_umem_id, 0x20, 32) F(cqc, log_cq_size, 0x63, 5) F(cqc, uar_page, 0x68, 24) \
    F(cqc, consumer_counter, 0x148, 24) F(cqc, producer_counter, 0x168, 24) \
    F(cqc, dbr_addr, 0x1c0, 64) \
    F(ads, fl, 0x00, 1) F(ads, pkey_index, 0x10, 16) F(ads, grh, 0x28, 1) F(ads, rlid, 0x30, 16) \
    F(ads, ack_timeout, 0x40, 5) F(ads, src_addr_index, 0x48, 8) F(ads, hop_limit, 0x58, 8) \
    F(ads, tclass, 0x64, 8) F(ads, flow_label, 0x6c, 20) F(ads, udp_sport, 0x110, 16) \
    F(ads, sl, 0x124, 4) \
    F(ads, vhca_port_num, 0x128, 8) \
    F(qpc, state, 0x00, 4) F(qpc, lag_tx_port_affinity, 0x04, 4) F(qpc, st, 0x08, 8) \
    F(qpc, pm_state, 0x13, 2) \
    F(qpc, drain_sigerr, 0x25, 1) F(qpc, pd, 0x28, 24) \
    F(qpc, mtu, 0x40, 3) F(qpc, log_msg_max, 0x43, 5) F(qpc, log_rq_size, 0x49, 4) \
    F(qpc, log_rq_stride, 0x4d, 3) F(qpc, no_sq, 0x50, 1) F(qpc, log_sq_size, 0x51, 4) \
    F(qpc, ts_format, 0x58, 2) F(qpc, uar_page, 0x68, 24) F(qpc, user_index, 0x88, 24) \
    F(qpc, remote_qpn, 0xa8, 24) F(qpc, primary_address_path, 0xc0, 0x160) \
    F(qpc, log_sra_max, 0x388, 3) F(qpc, retry_count, 0x38d, 3) F(qpc, rnr_retry, 0x390, 3) \
    F(qpc, next_send_psn, 0x3c8, 24) F(qpc, cqn_snd, 0x3e8, 24) \
    F(qpc, log_num_dci_stream_channels, 0x3e3, 5) F(qpc, log_num_dci_errored_streams, 0x403, 5) \
    F(qpc, log_rra_max, 0x488, 3) \
    F(qpc, atomic_mode, 0x48c, 4) F(qpc, rre, 0x490, 1) F(qpc, rwe, 0x491, 1) \
    F(qpc, rae, 0x492, 1) F(qpc, page_offset, 0x494, 6) F(qpc, min_rnr_nak, 0x4a3, 5) \
    F(qpc, next_rcv_psn, 0x4a8, 24) F(qpc, cqn_rcv, 0x4e8, 24) F(qpc, dbr_addr, 0x500, 64) \
    F(qpc, q_key, 0x540, 32) F(qpc, rq_type, 0x565, 3) F(qpc, srqn_rmpn_xrqn, 0x568, 24) \
    F(qpc, hw_sq_wqebb_counter, 0x5a0, 16) F(qpc, sw_sq_wqebb_counter, 0x5b0, 16) \
    F(qpc, hw_rq_counter, 0x5c0, 32) F(qpc, sw_rq_counter, 0x5e0, 32) F(qpc, cs_req, 0x630, 8) \
    F(qpc, cs_res, 0x638, 8) F(qpc, dbr_umem_valid, 0x683, 1) F(qpc, dbr_umem_id, 0x720, 32) \
    F(dctc, state, 0x04, 4) F(dctc, user_index, 0x28, 24) F(dctc, cqn, 0x48, 24) \
    F(dctc, rre, 0x6c, 1) F(dctc, rwe, 0x6d, 1) F(dctc, rae, 0x6e, 1) \
    F(dctc, min_rnr_nak, 0x93, 5) F(dctc, srqn_xrqn, 0xa8, 24) F(dctc, pd, 0xc8, 24) \
    F(dctc, dc_access_key, 0x100, 64) F(dctc, mtu, 0x145, 3) F(dctc, port, 0x148, 8) \
    F(dctc, pkey_index, 0x150, 16) \
    F(rmpc, state, 0x08, 4) F(rmpc, basic_cyclic_rcv_wqe, 0x20, 1) F(rmpc, wq, 0x180, 0x600) \
    F(sqc, state, 0x08, 4) F(sqc, user_index, 0x28, 24) F(sqc, cqn, 0x48, 24) \
    F(sqc, packet_pacing_rate_limit_index, 0xf0, 16) F(sqc, qos_queue_group_id, 0x110, 16) \
    F(sqc, tis_num_0, 0x168, 24) \
    F(sqc, wq, 0x180, 0x600) \
    F(rqc, delay_drop_en, 0x01, 1) F(rqc, scatter_fcs, 0x02, 1) F(rqc, mem_rq_type, 0x04, 4) \
    F(rqc, state, 0x08, 4) F(rqc, user_index, 0x28, 24) F(rqc, cqn, 0x48, 24) \
    F(rqc, wq, 0x180, 0x600) F(tisc, lag_tx_port_affinity, 0x04, 4) \
    F(tisc, prio, 0x0c, 4) F(tisc, transport_domain, 0x128, 24) \
    F(rqtc, rqt_max_size, 0xb0, 16) F(rqtc, rqt_actual_size, 0xd0, 16) F(rqtc, rq_num, 0x780, 0) \
    F(rq_num, rq_num, 0x08, 24) \
    F(tirc, disp_type, 0x20, 4) F(tirc, inline_rqn, 0xe8, 24) \
    F(tirc, rx_hash_symmetric, 0x100, 1) F(tirc, indirect_table, 0x108, 24) \
    F(tirc, rx_hash_fn, 0x120, 4) F(tirc, transport_domain, 0x128, 24) \
    F(tirc, rx_hash_toeplitz_key, 0x140, 320) \
    F(tirc, rx_hash_field_selector_outer, 0x280, 32) \
    F(rx_hash_field_select, l3_prot_type, 0x00, 1) \
    F(rx_hash_field_select, l4_prot_type, 0x01, 1) \
    F(rx_hash_field_select, selected_fields, 0x02, 30) \
    F(wq, wq_type, 0x00, 4) F(wq, lwm, 0x30, 16) F(wq, pd, 0x48, 24) F(wq, dbr_addr, 0x80, 64) \
    F(wq, uar_page, 0x68, 24) \
    F(wq, log_wq_stride, 0x10c, 4) F(wq, log_wq_sz, 0x11b, 5) F(wq, dbr_umem_valid, 0x120, 1) \
    F(wq, wq_umem_valid, 0x121, 1) F(wq, dbr_umem_id, 0x140, 32) F(wq, wq_umem_id, 0x160, 32) \
    F(wq, wq_umem_offset, 0x180, 64) \
    F(flow_table_context, reformat_en, 0x00, 1) F(flow_table_context, decap_en, 0x01, 1) \
    F(flow_table_context, sw_owner, 0x02, 1) F(flow_table_context, termination_table, 0x03, 1) \
    F(flow_table_context, table_miss_action, 0x04, 4) F(flow_table_context, level, 0x08, 8) \
    F(flow_table_context, log_size, 0x18, 8) F(flow_table_context, table_miss_id, 0x28, 24) \
    F(flow_table_context, sw_owner_icm_root_1, 0xc0, 64) \
    F(flow_table_context, sw_owner_icm_root_0, 0x100, 64) \
    F(flow_context, push_vlan, 0x00, 0x20) F(flow_context, group_id, 0x20, 32) \
    F(flow_context, flow_tag, 0x48, 24) F(flow_context, action, 0x70, 16) \
    F(flow_context, extended_destination, 0x80, 1) \
    F(flow_context, destination_list_size, 0x88, 24) \
    F(flow_context, flow_counter_list_size, 0xa8, 24) \
    F(flow_context, packet_reformat_id, 0xc0, 32) F(flow_context, modify_header_id, 0xe0, 32) \
    F(flow_context, push_vlan_2, 0x100, 0x20) F(flow_context, match_value, 0x200, 0x1000) \
    F(flow_context, destination, 0x1800, 0) \
    F(dest_format_struct, destination_type, 0x00, 8) \
    F(dest_format_struct, destination_id, 0x08, 24) \
    F(dest_format_struct, packet_reformat, 0x21, 1) \
    F(flow_counter_list, flow_counter_id, 0x00, 32) \
    F(packet_reformat_context_in, reformat_type, 0x00, 8) \
    F(packet_reformat_context_in, reformat_data_size, 0x16, 10) \
    F(packet_reformat_context_in, reformat_data, 0x30, 0) \
    F(set_action_in, action_type, 0x00, 4) F(set_action_in, field, 0x04, 12) \
    F(set_action_in, offset, 0x13, 5) F(set_action_in, length, 0x1b, 5) \
    F(set_action_in, data, 0x20, 32) \
    F(copy_action_in, dst_field, 0x24, 12) F(copy_action_in, dst_offset, 0x33, 5) \
    F(hca_vport_context, port_state, 0x118, 4) F(hca_vport_context, vport_state, 0x11c, 4) \
    F(hca_vport_context, port_physical_state, 0x110, 4) \
    F(hca_vport_context, system_image_guid, 0x140, 64) F(hca_vport_context, port_guid, 0x180, 64) \
    F(hca_vport_context, node_guid, 0x1c0, 64) F(hca_vport_context, lid, 0x300, 16) \
    F(nic_vport_context, roce_en, 0x1f, 1) F(nic_vport_context, mtu, 0x130, 16) \
    F(nic_vport_context, system_image_guid, 0x140, 64) F(nic_vport_context, port_guid, 0x180, 64) \
    F(nic_vport_context, node_guid, 0x1c0, 64) F(nic_vport_context, permanent_address, 0x7a0, 64) \
    F(roce_addr_layout, source_l3_address, 0x00, 128) \
    F(roce_addr_layout, source_mac_47_32, 0x90, 16) F(roce_addr_layout, source_mac_31_0, 0xa0, 32) \
    F(roce_addr_layout, roce_l3_type, 0xd4, 4) F(roce_addr_layout, roce_version, 0xd8, 8)

/* What a rule of a flow table matches: the headers of a packet. */
#define PRM_MATCH_FIELDS(F) \
    F(fte_match_set_lyr_2_4, smac_47_16, 0x00, 32) F(fte_match_set_lyr_2_4, smac_15_0, 0x20, 16) \
    F(fte_match_set_lyr_2_4, ethertype, 0x30, 16) F(fte_match_set_lyr_2_4, dmac_47_16, 0x40, 32) \
    F(fte_match_set_lyr_2_4, dmac_15_0, 0x60, 16) F(fte_match_set_lyr_2_4, first_prio, 0x70, 3) \
    F(fte_match_set_lyr_2_4, first_cfi, 0x73, 1) F(fte_match_set_lyr_2_4, first_vid, 0x74, 12) \
    F(fte_match_set_lyr_2_4, ip_protocol, 0x80, 8) F(fte_match_set_lyr_2_4, ip_dscp, 0x88, 6) \
    F(fte_match_set_lyr_2_4, ip_ecn, 0x8e, 2) F(fte_match_set_lyr_2_4, cvlan_tag, 0x90, 1) \
    F(fte_match_set_lyr_2_4, svlan_tag, 0x91, 1) F(fte_match_set_lyr_2_4, frag, 0x92, 1) \
    F(fte_match_set_lyr_2_4, ip_version, 0x93, 4) F(fte_match_set_lyr_2_4, tcp_flags, 0x97, 9) \
    F(fte_match_set_lyr_2_4, tcp_sport, 0xa0, 16) F(fte_match_set_lyr_2_4, tcp_dport, 0xb0, 16) \
    F(fte_match_set_lyr_2_4, ttl_hoplimit, 0xd8, 8) \
    F(fte_match_set_lyr_2_4, udp_sport, 0xe0, 16) F(fte_match_set_lyr_2_4, udp_dport, 0xf0, 16) \
    F(fte_match_set_lyr_2_4, src_ipv4_src_ipv6, 0x100, 0x80) \
    F(fte_match_set_lyr_2_4, dst_ipv4_dst_ipv6, 0x180, 0x80) \
    F(fte_match_set_misc, source_sqn, 0x08, 24) \
    F(fte_match_set_misc, outer_second_prio, 0x40, 3) \
    F(fte_match_set_misc, outer_second_cfi, 0x43, 1) \
    F(fte_match_set_misc, outer_second_vid, 0x44, 12) \
    F(fte_match_set_misc, outer_second_cvlan_tag, 0x60, 1) \
    F(fte_match_set_misc, outer_second_svlan_tag, 0x62, 1) \
    F(fte_match_set_misc, gre_protocol, 0x70, 16) F(fte_match_set_misc, vxlan_vni, 0xa0, 24) \
    F(fte_match_set_misc, outer_ipv6_flow_label, 0xec, 20) \
    F(fte_match_set_misc, inner_ipv6_flow_label, 0x10c, 20) \
    F(fte_match_set_misc2, metadata_reg_c_7, 0x80, 32) \
    F(fte_match_set_misc2, metadata_reg_c_6, 0xa0, 32) \
    F(fte_match_set_misc2, metadata_reg_c_5, 0xc0, 32) \
    F(fte_match_set_misc2, metadata_reg_c_4, 0xe0, 32) \
    F(fte_match_set_misc2, metadata_reg_c_3, 0x100, 32) \
    F(fte_match_set_misc2, metadata_reg_c_2, 0x120, 32) \
    F(fte_match_set_misc2, metadata_reg_c_1, 0x140, 32) \
    F(fte_match_set_misc2, metadata_reg_c_0, 0x160, 32) \
    F(fte_match_set_misc2, metadata_reg_a, 0x180, 32) \
    F(fte_match_param, outer_headers, 0x00, 0x200) \
    F(fte_match_param, misc_parameters, 0x200, 0x200) \
    F(fte_match_param, inner_headers, 0x400, 0x200) \
    F(fte_match_param, misc_parameters_2, 0x600, 0x200)

#define PRM_EVENT_FIELDS(F) \
    F(eqe, event_type, 0x08, 8) F(eqe, event_sub_type, 0x18, 8) F(eqe, event_data, 0x100, 0xe0) \
    F(comp_event, cq_number, 0xc8, 24) F(cq_error, cqn, 0x08, 24) F(cq_error, syndrome, 0x58, 8) \
    F(qp_events, type, 0xa0, 8) F(qp_events, qpn_rqn_sqn, 0xc8, 24) \
    F(port_state_change_event, port_num, 0x40, 4)

#define PRM_CAP_FIELDS(F) \
    F(cmd_hca_cap, hca_cap_2, 0x20, 1) F(cmd_hca_cap, vhca_id, 0x30, 16) \
    F(cmd_hca_cap, log_dma_mmo_max_size, 0x6b, 5) F(cmd_hca_cap, log_max_srq_sz, 0x80, 8) \
    F(cmd_hca_cap, log_max_qp_sz, 0x88, 8) F(cmd_hca_cap, log_max_qp, 0x9b, 5) \
    F(cmd_hca_cap, log_max_srq, 0xab, 5) F(cmd_hca_cap, log_max_cq_sz, 0xc8, 8) \
    F(cmd_hca_cap, relaxed_ordering_write_umr, 0xd0, 1) \
    F(cmd_hca_cap, relaxed_ordering_read_umr, 0xd1, 1) \
    F(cmd_hca_cap, log_max_cq, 0xdb, 5) F(cmd_hca_cap, log_max_eq_sz, 0xe0, 8) \
    F(cmd_hca_cap, relaxed_ordering_write, 0xe8, 1) \
    F(cmd_hca_cap, relaxed_ordering_read, 0xe9, 1) F(cmd_hca_cap, log_max_mkey, 0xea, 6) \
    F(cmd_hca_cap, dump_fill_mkey, 0xf8, 1) F(cmd_hca_cap, log_max_eq, 0xfc, 4) \
    F(cmd_hca_cap, qpc_extension, 0x122, 1) F(cmd_hca_cap, rts2rts_udp_sport, 0x151, 1) \
    F(cmd_hca_cap, rts2rts_lag_tx_port_affinity, 0x152, 1) \
    F(cmd_hca_cap, lag_tx_port_affinity, 0x278, 1) F(cmd_hca_cap, num_lag_ports, 0x27c, 4) \
    F(cmd_hca_cap, mini_cqe_resp_stride_index, 0x5bc, 1) \
    F(cmd_hca_cap, cqe_compression_128, 0x5be, 1) F(cmd_hca_cap, cqe_compression, 0x5bf, 1) \
    F(cmd_hca_cap, cqe_compression_max_num, 0x5d0, 16) \
    F(cmd_hca_cap, log_max_dci_stream_channels, 0x58b, 5) \
    F(cmd_hca_cap, log_max_dci_errored_streams, 0x593, 5) \
    F(cmd_hca_cap, flow_counter_bulk_alloc, 0x310, 8) \
    F(cmd_hca_cap, max_qp_mcg, 0x2e7, 25) F(cmd_hca_cap, log_max_mcg, 0x318, 8) \
    F(cmd_hca_cap, max_indirection, 0x100, 8) F(cmd_hca_cap, fixed_buffer_size, 0x108, 1) \
    F(cmd_hca_cap, umr_extended_translation_offset, 0x118, 1) F(cmd_hca_cap, null_mkey, 0x119, 1) \
    F(cmd_hca_cap, log_max_mrw_sz, 0x109, 7) F(cmd_hca_cap, log_max_klm_list_size, 0x11a, 6) \
    F(cmd_hca_cap, log_max_bsf_list_size, 0x112, 6) F(cmd_hca_cap, sig_crc64_xp10, 0x147, 1) \
    F(cmd_hca_cap, sig_crc32c, 0x148, 1) F(cmd_hca_cap, sig_block_4048, 0x1f0, 1) \
    F(cmd_hca_cap, drain_sigerr, 0x20f, 1) F(cmd_hca_cap, sigerr_cqe, 0x212, 1) \
    F(cmd_hca_cap, sho, 0x217, 1) F(cmd_hca_cap, sigerr_domain_and_sig_type, 0x480, 1) \
    F(cmd_hca_cap, log_max_ra_req_dc, 0x12a, 6) F(cmd_hca_cap, log_max_ra_res_dc, 0x13a, 6) \
    F(cmd_hca_cap, dct, 0x21a, 1) \
    F(cmd_hca_cap, log_max_ra_req_qp, 0x14a, 6) F(cmd_hca_cap, dma_mmo_sq, 0x153, 1) \
    F(cmd_hca_cap, log_max_ra_res_qp, 0x15a, 6) F(cmd_hca_cap, gid_table_size, 0x170, 16) \
    F(cmd_hca_cap, pkey_table_size, 0x190, 16) F(cmd_hca_cap, eswitch_manager, 0x1a7, 1) \
    F(cmd_hca_cap, nic_flow_table, 0x1a6, 1) F(cmd_hca_cap, device_memory, 0x1a8, 1) \
    F(cmd_hca_cap, port_type, 0x1b6, 2) F(cmd_hca_cap, num_ports, 0x1b8, 8) \
    F(cmd_hca_cap, log_max_msg, 0x1c3, 5) F(cmd_hca_cap, cqe_version, 0x1fc, 4) \
    F(cmd_hca_cap, compact_address_vector, 0x200, 1) F(cmd_hca_cap, qos, 0x21b, 1) \
    F(cmd_hca_cap, eth_net_offloads, 0x21c, 1) \
    F(cmd_hca_cap, roce, 0x21d, 1) F(cmd_hca_cap, atomic, 0x21e, 1) \
    F(cmd_hca_cap, xrc, 0x23c, 1) F(cmd_hca_cap, log_max_xrcd, 0x33b, 5) \
    F(cmd_hca_cap, cq_oi, 0x220, 1) F(cmd_hca_cap, cq_resize, 0x221, 1) \
    F(cmd_hca_cap, pg, 0x227, 1) \
    F(cmd_hca_cap, ud, 0x23d, 1) F(cmd_hca_cap, uc, 0x23e, 1) F(cmd_hca_cap, rc, 0x23f, 1) \
    F(cmd_hca_cap, uar_4k, 0x240, 1) F(cmd_hca_cap, log_pg_sz, 0x258, 8) \
    F(cmd_hca_cap, bf, 0x260, 1) F(cmd_hca_cap, log_bf_reg_size, 0x26b, 5) \
    F(cmd_hca_cap, max_wqe_sz_sq, 0x290, 16) F(cmd_hca_cap, max_wqe_sz_rq, 0x2b0, 16) \
    F(cmd_hca_cap, log_max_transport_domain, 0x323, 5) F(cmd_hca_cap, log_max_pd, 0x32b, 5) \
    F(cmd_hca_cap, max_flow_counter_15_0, 0x350, 16) \
    F(cmd_hca_cap, log_max_rq, 0x363, 5) F(cmd_hca_cap, log_max_sq, 0x36b, 5) \
    F(cmd_hca_cap, log_max_tir, 0x373, 5) F(cmd_hca_cap, log_max_tis, 0x37b, 5) \
    F(cmd_hca_cap, log_max_rqt, 0x38b, 5) F(cmd_hca_cap, log_max_rqt_size, 0x393, 5) \
    F(cmd_hca_cap, log_max_rmp, 0x383, 5) F(cmd_hca_cap, basic_cyclic_rcv_wqe, 0x380, 1) \
    F(cmd_hca_cap, roce_rw_supported, 0x3a1, 1) F(cmd_hca_cap, log_max_wq_sz, 0x3db, 5) \
    F(cmd_hca_cap, rq_ts_format, 0x442, 2) F(cmd_hca_cap, sq_ts_format, 0x440, 2) \
    F(cmd_hca_cap, log_max_uctx, 0x463, 5) F(cmd_hca_cap, log_max_umem, 0x46b, 5) \
    F(cmd_hca_cap, log_uar_page_sz, 0x490, 16) F(cmd_hca_cap, device_frequency_mhz, 0x4c0, 32) \
    F(cmd_hca_cap, device_frequency_khz, 0x4e0, 32) \
    F(cmd_hca_cap, num_of_uars_per_page, 0x520, 32) F(cmd_hca_cap, crossing_vhca_mkey, 0x5b2, 1) \
    F(cmd_hca_cap, tag_matching, 0x5f0, 1) F(cmd_hca_cap, rndv_offload_rc, 0x5f1, 1) \
    F(cmd_hca_cap, log_tag_matching_list_sz, 0x5f3, 5) \
    F(cmd_hca_cap, cqe_128_always, 0x5bd, 1) F(cmd_hca_cap, sha_mmo_qp, 0x740, 1) \
    F(cmd_hca_cap, log_sha_mmo_max_size, 0x13, 5) F(cmd_hca_cap, dma_mmo_qp, 0x748, 1) \
    F(cmd_hca_cap, general_obj_types, 0x400, 64) \
    F(cmd_hca_cap, aes_xts_multi_block_be_tweak, 0x3f2, 1) F(cmd_hca_cap, crypto, 0x469, 1) \
    F(crypto_caps, wrapped_crypto_operational, 0x00, 1) \
    F(crypto_caps, wrapped_import_method, 0x18, 8) F(crypto_caps, log_max_num_deks, 0x2b, 5) \
    F(crypto_caps, num_nv_import_keks, 0x50, 8) F(crypto_caps, num_nv_credentials, 0x58, 8) \
    F(cmd_hca_cap_2, log_max_num_reserved_qpn, 0x8b, 5) \
    F(cmd_hca_cap_2, log_reserved_qpn_granularity, 0x93, 5) \
    F(cmd_hca_cap_2, log_reserved_qpn_max_alloc, 0x9b, 5) \
    F(cmd_hca_cap_2, cross_vhca_object_to_object_supported, 0xe0, 32) \
    F(cmd_hca_cap_2, allowed_object_for_other_vhca_access, 0x100, 64) \
    F(flow_table_nic_cap, flow_table_properties_nic_receive, 0x200, 0x200) \
    F(flow_table_nic_cap, flow_table_properties_nic_receive_rdma, 0x400, 0x200) \
    F(flow_table_nic_cap, flow_table_properties_nic_transmit, 0x800, 0x200) \
    F(flow_table_nic_cap, flow_table_properties_nic_transmit_rdma, 0xa00, 0x200) \
    F(flow_table_nic_cap, encap_general_header, 0x20, 1) \
    F(flow_table_nic_cap, log_max_packet_reformat_context, 0x2b, 5) \
    F(flow_table_nic_cap, max_encap_header_size, 0x36, 10) \
    F(flow_table_nic_cap, sw_steering_nic_rx_action_drop_icm_address, 0x2000, 64) \
    F(flow_table_nic_cap, sw_steering_nic_tx_action_drop_icm_address, 0x2040, 64) \
    F(flow_table_nic_cap, sw_steering_nic_tx_action_allow_icm_address, 0x2080, 64) \
    F(flow_table_prop_layout, sw_owner, 0x11, 1) \
    F(flow_table_prop_layout, termination_table, 0x18, 1) \
    F(flow_table_prop_layout, ft_support, 0x00, 1) \
    F(flow_table_prop_layout, flow_counter, 0x02, 1) \
    F(flow_table_prop_layout, flow_modify_en, 0x03, 1) \
    F(flow_table_prop_layout, identified_miss_table_mode, 0x05, 1) \
    F(flow_table_prop_layout, flow_table_modify, 0x06, 1) \
    F(flow_table_prop_layout, reformat, 0x07, 1) F(flow_table_prop_layout, decap, 0x08, 1) \
    F(flow_table_prop_layout, pop_vlan, 0x0a, 1) F(flow_table_prop_layout, push_vlan, 0x0b, 1) \
    F(flow_table_prop_layout, pop_vlan_2, 0x0d, 1) \
    F(flow_table_prop_layout, push_vlan_2, 0x0e, 1) \
    F(flow_table_prop_layout, reformat_and_vlan_action, 0x0f, 1) \
    F(flow_table_prop_layout, reformat_l3_tunnel_to_l2, 0x12, 1) \
    F(flow_table_prop_layout, reformat_l2_to_l3_tunnel, 0x13, 1) \
    F(flow_table_prop_layout, reformat_and_modify_action, 0x14, 1) \
    F(flow_table_prop_layout, log_max_ft_size, 0x22, 6) \
    F(flow_table_prop_layout, log_max_modify_header_context, 0x28, 8) \
    F(flow_table_prop_layout, max_modify_header_actions, 0x30, 8) \
    F(flow_table_prop_layout, max_ft_level, 0x38, 8) \
    F(flow_table_prop_layout, log_max_ft_num, 0x78, 8) \
    F(odp_cap, rc_odp_caps, 0x80, 32) F(odp_cap, ud_odp_caps, 0xc0, 32) \
    F(odp_cap, xrc_odp_caps, 0xe0, 32) F(odp_cap, dc_odp_caps, 0x100, 32) \
    F(flow_table_prop_layout, log_max_destination, 0x98, 8) \
    F(flow_table_prop_layout, log_max_flow, 0xb8, 8) \
    F(atomic_caps, atomic_req_8B_endianness_mode, 0x40, 2) \
    F(atomic_caps, atomic_operations, 0x90, 16) F(atomic_caps, atomic_size_qp, 0xb0, 16) \
    F(atomic_caps, atomic_size_dc, 0xd0, 16) \
    F(per_protocol_networking_offload_caps, csum_cap, 0x00, 1) \
    F(per_protocol_networking_offload_caps, max_lso_cap, 0x0b, 5) \
    F(per_protocol_networking_offload_caps, wqe_inline_mode, 0x12, 2) \
    F(qos_cap, packet_pacing, 0x00, 1) F(qos_cap, packet_pacing_burst_bound, 0x05, 1) \
    F(qos_cap, packet_pacing_typical_size, 0x06, 1) F(qos_cap, packet_pacing_uid, 0x0b, 1) \
    F(qos_cap, packet_pacing_max_rate, 0x40, 32) F(qos_cap, packet_pacing_min_rate, 0x60, 32) \
    F(qos_cap, packet_pacing_rate_table_size, 0x90, 16) F(qos_cap, nic_sq_scheduling, 0x08, 1) \
    F(qos_cap, flow_meter_old, 0x07, 1) F(qos_cap, log_max_flow_meter, 0x10, 8) \
    F(qos_cap, flow_meter_reg_id, 0x18, 8) F(qos_cap, flow_meter, 0x28, 1) \
    F(qos_cap, nic_bw_share, 0x09, 1) F(qos_cap, nic_rate_limit, 0x0a, 1) \
    F(qos_cap, nic_qp_scheduling, 0x21, 1) F(qos_cap, log_nic_max_sched_depth, 0x24, 4) \
    F(qos_cap, log_max_qos_nic_queue_group, 0x2b, 5) F(qos_cap, max_tsar_bw_share, 0xe0, 32) \
    F(qos_cap, nic_element_type, 0x100, 16) F(qos_cap, nic_tsar_type, 0x110, 16) \
    F(qos_cap, log_max_qos_nic_scheduling_element, 0x143, 5) \
    F(set_pp_rate_limit_context, rate_limit, 0x00, 32) \
    F(set_pp_rate_limit_context, burst_upper_bound, 0x20, 32) \
    F(set_pp_rate_limit_context, typical_packet_size, 0x50, 16) \
    F(roce_cap, fl_rc_qp_when_roce_enabled, 0x06, 1) \
    F(roce_cap, roce_apm, 0x00, 1) F(roce_cap, qp_ts_format, 0x1e, 2) \
    F(roce_cap, l3_type, 0x8c, 4) F(roce_cap, roce_version, 0x98, 8) \
    F(roce_cap, r_roce_dest_udp_port, 0xb0, 16) \
    F(roce_cap, roce_address_table_size, 0xf0, 16) \
    F(device_mem_cap, memic, 0x00, 1) F(device_mem_cap, increment_size_sup, 0x20, 8) \
    F(device_mem_cap, log_min_memic_alloc_size, 0x2b, 5) \
    F(device_mem_cap, test_and_set_size_sup, 0x30, 8) \
    F(device_mem_cap, memic_operations, 0x200, 32) \
    F(device_mem_cap, log_max_memic_addr_alignment, 0x38, 8) \
    F(device_mem_cap, steering_sw_icm_start_address, 0xc0, 64) \
    F(device_mem_cap, log_header_modify_sw_icm_size, 0x108, 8) \
    F(device_mem_cap, log_sw_icm_alloc_granularity, 0x112, 6) \
    F(device_mem_cap, log_steering_sw_icm_size, 0x118, 8) \
    F(device_mem_cap, header_modify_sw_icm_start_address, 0x140, 64) \
    F(device_mem_cap, memic_bar_size, 0x80, 32) F(device_mem_cap, max_memic_size, 0xa0, 32)

#define PRM_WQE_FIELDS(F) \
    F(wqe_ctrl, opmod, 0x00, 8) F(wqe_ctrl, wqe_index, 0x08, 16) F(wqe_ctrl, opcode, 0x18, 8) \
    F(wqe_ctrl, dci_stream_channel_id, 0x48, 16) \
    F(wqe_ctrl, qpn, 0x20, 24) F(wqe_ctrl, ds, 0x3a, 6) F(wqe_ctrl, fm_ce_se, 0x58, 8) \
    F(wqe_ctrl, ce, 0x5c, 2) F(wqe_ctrl, se, 0x5e, 1) F(wqe_ctrl, imm, 0x60, 32) \
    F(wqe_raddr, raddr, 0x00, 64) F(wqe_raddr, rkey, 0x40, 32) \
    F(wqe_atomic, swap_add, 0x00, 64) F(wqe_atomic, compare, 0x40, 64) \
    F(wqe_data, byte_count, 0x00, 32) F(wqe_data, lkey, 0x20, 32) F(wqe_data, addr, 0x40, 64) \
    F(wqe_next, next_wqe_index, 0x10, 16) \
    F(wqe_tm, opcode, 0x00, 4) F(wqe_tm, flags, 0x08, 8) F(wqe_tm, index, 0x10, 16) \
    F(wqe_tm, sw_cnt, 0x30, 16) F(wqe_tm, append_tag, 0x80, 64) \
    F(wqe_tm, append_mask, 0xc0, 64) F(wqe_tmh, tag, 0x40, 64) F(wqe_rvh, va, 0x80, 64) \
    F(wqe_rvh, rkey, 0xc0, 32) F(wqe_rvh, len, 0xe0, 32) \
    F(wqe_av, q_key, 0x00, 32) F(wqe_av, dc_key, 0x00, 64) \
    F(wqe_av, extended, 0x40, 1) F(wqe_av, dqpn, 0x48, 24) \
    F(wqe_av, sl, 0x64, 4) F(wqe_av, rlid, 0x70, 16) F(wqe_av, tclass, 0xd0, 8) \
    F(wqe_av, hop_limit, 0xd8, 8) F(wqe_av, grh, 0xe1, 1) \
    F(wqe_av, src_addr_index, 0xe4, 8) F(wqe_av, flow_label, 0xec, 20) \
    F(wqe_xrc, xrc_srqn, 0x08, 24) \
    F(wqe_eth, cs_flags, 0x20, 8) F(wqe_eth, mss, 0x30, 16) F(wqe_eth, metadata, 0x40, 32) \
    F(wqe_eth, inline_hdr_sz, 0x60, 16) \
    F(wqe_umr, inline_, 0x00, 1) F(wqe_umr, check_free, 0x02, 1) F(wqe_umr, trans_off, 0x03, 1) \
    F(wqe_umr, check_qpn, 0x04, 1) F(wqe_umr, klm_octowords, 0x20, 16) \
    F(wqe_umr, bsf_octowords, 0x30, 16) F(wqe_umr, mkey_mask, 0x40, 64) \
    F(wqe_umr, xlt_offset_47_16, 0x80, 32) \
    F(wqe_mkey, free, 0x01, 1) F(wqe_mkey, relaxed_ordering_write, 0x0d, 1) \
    F(wqe_mkey, relaxed_ordering_read, 0x1d9, 1) F(wqe_mkey, log_entity_size, 0x1db, 5) \
    F(wqe_mkey, en_rinval, 0x67, 1) F(wqe_mkey, a, 0x11, 1) F(wqe_mkey, rw, 0x12, 1) \
    F(wqe_mkey, rr, 0x13, 1) F(wqe_mkey, lw, 0x14, 1) F(wqe_mkey, lr, 0x15, 1) \
    F(wqe_mkey, qpn, 0x20, 24) F(wqe_mkey, mkey_7_0, 0x38, 8) F(wqe_mkey, pd, 0x68, 24) \
    F(wqe_mkey, start_addr, 0x80, 64) F(wqe_mkey, len, 0xc0, 64) \
    F(wqe_mkey, translations_octword_size, 0x1a0, 32) F(wqe_mkey, bsf_en, 0x61, 1) \
    F(wqe_psv, psv_index, 0x08, 24) F(wqe_psv, transient_signature, 0x40, 64) \
    F(wqe_bsf, size, 0x00, 2) F(wqe_bsf, same, 0x03, 1) F(wqe_bsf, check, 0x08, 8) \
    F(wqe_bsf, wire, 0x10, 8) F(wqe_bsf, mem, 0x18, 8) F(wqe_bsf, wire_format, 0x40, 8) \
    F(wqe_bsf, wire_psv, 0x48, 24) F(wqe_bsf, mem_format, 0x60, 8) \
    F(wqe_bsf, mem_psv, 0x68, 24) F(wqe_bsf, wire_transaction, 0xc0, 32) \
    F(wqe_bsf, mem_transaction, 0xe0, 32) \
    F(wqe_bsf_crypto, size, 0x00, 2) F(wqe_bsf_crypto, type, 0x06, 2) \
    F(wqe_bsf_crypto, enc_order, 0x08, 8) F(wqe_bsf_crypto, enc_standard, 0x18, 8) \
    F(wqe_bsf_crypto, block, 0x40, 8) F(wqe_bsf_crypto, xts_init_tweak, 0x80, 0x80) \
    F(wqe_bsf_crypto, dek, 0x108, 24) F(wqe_bsf_crypto, keytag, 0x140, 64) \
    F(wqe_bsf_inl, valid, 0x00, 1) F(wqe_bsf_inl, app_tag, 0x10, 16) \
    F(wqe_bsf_inl, ref_tag, 0x20, 32) F(wqe_bsf_inl, sig_type, 0x40, 8) \
    F(wqe_bsf_inl, repeat, 0x48, 1) F(wqe_bsf_inl, seed, 0x4c, 1) \
    F(wqe_bsf_inl, inc_ref, 0x69, 1) F(wqe_bsf_inl, app_ref_escape, 0x6e, 1) \
    F(wqe_bsf_inl, app_escape, 0x6f, 1) F(wqe_bsf_inl, app_mask, 0x70, 16) \
    F(wqe_repeat, byte_count, 0x00, 32) F(wqe_repeat, op, 0x20, 32) \
    F(wqe_repeat, repeat_count, 0x40, 32) F(wqe_repeat, num_ent, 0x70, 16) \
    F(wqe_stride, stride, 0x00, 16) F(wqe_stride, byte_count, 0x10, 16) \
    F(wqe_stride, mkey, 0x20, 32) F(wqe_stride, addr, 0x40, 64) \
    F(wqe_mmo, opaque_lkey, 0xa0, 32) F(wqe_mmo, opaque_addr, 0xc0, 64) \
    F(wqe_mmo, control, 0x80, 32) \
    F(cqe, tm_success, 0x00, 1) F(cqe, tm_hw_phase_cnt, 0x20, 16) \
    F(cqe, sig_expected, 0x80, 32) F(cqe, sig_actual, 0xa0, 32) \
    F(cqe, sig_expected_low, 0xc0, 32) F(cqe, sig_actual_low, 0xe0, 32) \
    F(cqe, sig_syndrome, 0x100, 16) F(cqe, sig_domain, 0x118, 8) F(cqe, sig_mkey, 0x120, 32) \
    F(cqe, sig_offset, 0x140, 64) \
    F(cqe, app, 0x140, 8) F(cqe, app_op, 0x148, 8) F(cqe, app_info, 0x150, 16) \
    F(cqe, rx_hash_result, 0x60, 32) F(cqe, rx_hash_type, 0x80, 8) F(cqe, check_sum, 0xa0, 16) \
    F(cqe, slid, 0xb0, 16) F(cqe, grh, 0xc2, 2) F(cqe, sl, 0xc4, 4) F(cqe, rqpn, 0xc8, 24) \
    F(cqe, l2_l3_l4_ok, 0xe0, 8) \
    F(cqe, hdr_type, 0xe8, 8) \
    F(cqe, user_index, 0x100, 32) F(cqe, imm_inval_pkey, 0x120, 32) F(cqe, byte_cnt, 0x160, 32) \
    F(cqe, timestamp, 0x180, 64) F(cqe, wqe_opcode, 0x1c0, 8) F(cqe, qpn, 0x1c8, 24) \
    F(cqe, wqe_counter, 0x1e0, 16) F(cqe, opcode, 0x1f8, 4) F(cqe, format, 0x1fc, 2) \
    F(cqe, se, 0x1fe, 1) F(mini_cqe, rx_hash_result, 0x00, 32) F(mini_cqe, check_sum, 0x00, 16) \
    F(mini_cqe, stride_index, 0x10, 16) F(mini_cqe, byte_cnt, 0x20, 32) \
    F(cqe, owner, 0x1ff, 1) F(cqe, engine_syndrome, 0x1a0, 8) \
    F(cqe, vendor_error_syndrome, 0x1b0, 8) F(cqe, syndrome, 0x1b8, 8)

/* Steering entries of format 0, and the lists of header changes that they name. The counter and the
 * address for a miss are at the same offsets in entries for sent and for received packets, so the
 * fields of ste_rx_steering_mult serve both. */
#define PRM_STE_FIELDS(F) \
    F(ste_general, entry_type, 0x00, 4) F(ste_general, entry_sub_type, 0x08, 8) \
    F(ste_general, byte_mask, 0x10, 16) F(ste_general, next_lu_type, 0x30, 8) \
    F(ste_general, next_table_base_39_32_size, 0x38, 8) \
    F(ste_general, next_table_base_31_5_size, 0x40, 27) \
    F(ste_rx_steering_mult, qp_list_pointer, 0x80, 32) \
    F(ste_rx_steering_mult, tunneling_action, 0xa1, 3) \
    F(ste_rx_steering_mult, counter_trigger_15_0, 0xb0, 16) \
    F(ste_rx_steering_mult, counter_trigger_23_16, 0xd0, 8) \
    F(ste_rx_steering_mult, miss_address_39_32, 0xd8, 8) \
    F(ste_rx_steering_mult, miss_address_31_6, 0xe0, 26) \
    F(ste_sx_transmit, action_type, 0x66, 3) \
    F(ste_sx_transmit, encap_pointer_vlan_data, 0x80, 32) \
    F(ste_modify_packet, number_of_re_write_actions, 0x60, 16) \
    F(ste_modify_packet, header_re_write_actions_pointer, 0x80, 32) \
    F(ste_modify_packet, action_description, 0xa4, 4) \
    F(dr_action_hw_set, opcode, 0x00, 8) F(dr_action_hw_set, destination_field_code, 0x08, 8) \
    F(dr_action_hw_set, destination_left_shifter, 0x12, 6) \
    F(dr_action_hw_set, destination_length, 0x1b, 5) F(dr_action_hw_set, inline_data, 0x20, 32) \
    F(dr_action_hw_copy, destination_field_code, 0x08, 8) \
    F(dr_action_hw_copy, destination_left_shifter, 0x12, 6) \
    F(dr_action_hw_copy, destination_length, 0x1a, 6) \
    F(dr_action_hw_copy, source_field_code, 0x28, 8) \
    F(dr_action_hw_copy, source_left_shifter, 0x32, 6)

#define PRM_FIELDS(F) \
    PRM_COMMAND_FIELDS(F) PRM_CONTEXT_FIELDS(F) PRM_MATCH_FIELDS(F) PRM_EVENT_FIELDS(F) \
    PRM_CAP_FIELDS(F) PRM_STE_FIELDS(F) PRM_WQE_FIELDS(F)

struct prm_field {
    const char *structure, *name;
    unsigned bit, width;
};

#define PRM_ID(structure, name, bit, width) prm_##structure##_##name,
enum prm_id { PRM_FIELDS(PRM_ID) prm_count };
#undef PRM_ID

extern const struct prm_field prm_fields[prm_count];

/* Read and write a field of at most 64 bits. `base` is the start of its structure. */
uint64_t prm_get(const void *base, enum prm_id field);
void prm_set(void *base, enum prm_id field, uint64_t value);

/* The address of a field that is a structure or an array. */
#define PRM_AT(base, field) ((base) + prm_fields[field].bit / 8)

/* Returns the name of a command, for example "CREATE_MKEY" for 0x200. NULL for an unknown
 * opcode. */
const char *prm_opcode_name(unsigned opcode);

enum {
    PRM_QUERY_HCA_CAP = 0x100, PRM_QUERY_ADAPTER = 0x101, PRM_CREATE_MKEY = 0x200,
    PRM_QUERY_MKEY = 0x201, PRM_DESTROY_MKEY = 0x202, PRM_QUERY_SPECIAL_CONTEXTS = 0x203,
    PRM_ALLOC_MEMIC = 0x205, PRM_MODIFY_MEMIC = 0x207,
    PRM_CREATE_CQ = 0x400, PRM_DESTROY_CQ = 0x401,
    PRM_QUERY_CQ = 0x402, PRM_MODIFY_CQ = 0x403,
    PRM_CREATE_PSV = 0x600,
    PRM_CREATE_QP = 0x500, PRM_DESTROY_QP = 0x501, PRM_RST2INIT_QP = 0x502,
    PRM_INIT2RTR_QP = 0x503, PRM_RTR2RTS_QP = 0x504, PRM_RTS2RTS_QP = 0x505,
    PRM_SQERR2RTS_QP = 0x506, PRM_2ERR_QP = 0x507, PRM_2RST_QP = 0x50a, PRM_QUERY_QP = 0x50b,
    PRM_INIT2INIT_QP = 0x50e, PRM_QUERY_ESW_FUNCTIONS = 0x740,
    PRM_QUERY_NIC_VPORT_CONTEXT = 0x754, PRM_QUERY_ROCE_ADDRESS = 0x760,
    PRM_QUERY_HCA_VPORT_CONTEXT = 0x762, PRM_ALLOC_PD = 0x800, PRM_DEALLOC_PD = 0x801,
    PRM_ACCESS_REG = 0x805, PRM_ALLOC_XRCD = 0x80e, PRM_CREATE_XRC_SRQ = 0x705,
    PRM_CREATE_XRQ = 0x717,
    PRM_CREATE_DCT = 0x710, PRM_DESTROY_DCT = 0x711, PRM_DRAIN_DCT = 0x712,
    PRM_QUERY_DCT = 0x713, PRM_ATTACH_TO_MCG = 0x806,
    PRM_ALLOC_TRANSPORT_DOMAIN = 0x816,
    PRM_DEALLOC_TRANSPORT_DOMAIN = 0x817, PRM_CREATE_TIR = 0x900, PRM_QUERY_TIR = 0x903,
    PRM_CREATE_SQ = 0x904, PRM_MODIFY_SQ = 0x905, PRM_QUERY_SQ = 0x907, PRM_CREATE_RQ = 0x908,
    PRM_MODIFY_RQ = 0x909, PRM_QUERY_RQ = 0x90b, PRM_CREATE_TIS = 0x912,
    PRM_QUERY_TIS = 0x915, PRM_CREATE_RQT = 0x916,
    PRM_MODIFY_RQT = 0x917, PRM_QUERY_RQT = 0x919, PRM_SET_FLOW_TABLE_ENTRY = 0x936,
    PRM_CREATE_RMP = 0x90c, PRM_MODIFY_RMP = 0x90d,
    PRM_DESTROY_RMP = 0x90e, PRM_QUERY_RMP = 0x90f, PRM_QUERY_LAG = 0x842,
    PRM_MODIFY_TIR = 0x901, PRM_MODIFY_TIS = 0x913,
    PRM_CREATE_FLOW_TABLE = 0x930, PRM_DESTROY_FLOW_TABLE = 0x931, PRM_QUERY_FLOW_TABLE = 0x932,
    PRM_CREATE_FLOW_GROUP = 0x933, PRM_QUERY_FLOW_GROUP = 0x935,
    PRM_QUERY_FLOW_TABLE_ENTRY = 0x937, PRM_MODIFY_FLOW_TABLE = 0x93c,
    PRM_ALLOC_PACKET_REFORMAT_CONTEXT = 0x93d, PRM_ALLOC_MODIFY_HEADER_CONTEXT = 0x940,
    PRM_ALLOC_FLOW_COUNTER = 0x939, PRM_DEALLOC_FLOW_COUNTER = 0x93a,
    PRM_QUERY_FLOW_COUNTER = 0x93b, PRM_CREATE_GENERAL_OBJECT = 0xa00,
    PRM_MODIFY_GENERAL_OBJECT = 0xa01, PRM_QUERY_GENERAL_OBJECT = 0xa02,
    PRM_DESTROY_GENERAL_OBJECT = 0xa03, PRM_CREATE_UMEM = 0xa08,
    PRM_SYNC_STEERING = 0xb00, PRM_CREATE_SCHEDULING_ELEMENT = 0x782,
    PRM_QUERY_SCHEDULING_ELEMENT = 0x784, PRM_MODIFY_SCHEDULING_ELEMENT = 0x785,
    PRM_QUERY_ESW_VPORT_CONTEXT = 0x752, PRM_ALLOW_OTHER_VHCA_ACCESS = 0xb16, PRM_QUERY_VUID = 0xb22
};

enum {                          /* status of a command */
    PRM_OK = 0x0, PRM_INTERNAL_ERR = 0x1, PRM_BAD_OP = 0x2, PRM_BAD_PARAM = 0x3,
    PRM_BAD_SYS_STATE = 0x4, PRM_BAD_RESOURCE = 0x5, PRM_RESOURCE_BUSY = 0x6, PRM_LIM_ERR = 0x8,
    PRM_BAD_RES_STATE = 0x9, PRM_NO_RESOURCES = 0xf, PRM_BAD_INPUT_LEN = 0x50,
    PRM_BAD_OUTPUT_LEN = 0x51
};

enum {                          /* opcodes of WQEs */
    PRM_WQE_NOP = 0x00, PRM_WQE_SEND_INVAL = 0x01, PRM_WQE_WRITE = 0x08, PRM_WQE_WRITE_IMM = 0x09,
    PRM_WQE_SEND = 0x0a, PRM_WQE_SEND_IMM = 0x0b, PRM_WQE_LSO = 0x0e, PRM_WQE_READ = 0x10,
    PRM_WQE_CAS = 0x11, PRM_WQE_FA = 0x12, PRM_WQE_SET_PSV = 0x20, PRM_WQE_UMR = 0x25,
    PRM_WQE_TAG_MATCHING = 0x28, PRM_WQE_MMO = 0x2f
};

enum {                          /* opcodes of CQEs */
    PRM_CQE_REQ = 0x0, PRM_CQE_RESP_WRITE_IMM = 0x1, PRM_CQE_RESP_SEND = 0x2,
    PRM_CQE_RESP_SEND_IMM = 0x3, PRM_CQE_RESP_SEND_INV = 0x4, PRM_CQE_RESIZE = 0x5,
    PRM_CQE_NO_PACKET = 0x6,
    PRM_CQE_SIG_ERR = 0xc, PRM_CQE_REQ_ERR = 0xd, PRM_CQE_RESP_ERR = 0xe, PRM_CQE_INVALID = 0xf
};

enum {                          /* syndromes of error CQEs */
    PRM_SYND_LOCAL_LENGTH = 0x01, PRM_SYND_LOCAL_QP_OP = 0x02, PRM_SYND_LOCAL_PROT = 0x04,
    PRM_SYND_WR_FLUSH = 0x05, PRM_SYND_MW_BIND = 0x06, PRM_SYND_BAD_RESP = 0x10,
    PRM_SYND_LOCAL_ACCESS = 0x11, PRM_SYND_REMOTE_INVAL_REQ = 0x12, PRM_SYND_REMOTE_ACCESS = 0x13,
    PRM_SYND_REMOTE_OP = 0x14, PRM_SYND_RETRY_EXC = 0x15, PRM_SYND_RNR_RETRY_EXC = 0x16
};

enum {                          /* actions of a flow table entry */
    PRM_FLOW_ALLOW = 0x1, PRM_FLOW_DROP = 0x2, PRM_FLOW_FORWARD = 0x4, PRM_FLOW_COUNT = 0x8,
    PRM_FLOW_REFORMAT = 0x10, PRM_FLOW_DECAP = 0x20, PRM_FLOW_MODIFY = 0x40,
    PRM_FLOW_POP_VLAN = 0x80, PRM_FLOW_PUSH_VLAN = 0x100, PRM_FLOW_POP_VLAN_2 = 0x400,
    PRM_FLOW_PUSH_VLAN_2 = 0x800
};

enum { PRM_INVALID_LKEY = 0x100, PRM_OBJ_TYPE_MKEY = 0xff01, PRM_OBJ_TYPE_RESERVED_QPN = 0x2c,
       PRM_OBJ_TYPE_AV_QP_MAPPING = 0x3a, PRM_OBJ_TYPE_SAMPLER = 0x20, PRM_OBJ_TYPE_DEK = 0xc,
       PRM_OBJ_TYPE_CRYPTO_LOGIN = 0x1f, PRM_OBJ_TYPE_SCHED = 0x26, PRM_OBJ_TYPE_METER = 0xa,
       PRM_PAOS = 0x5006 };

#endif
