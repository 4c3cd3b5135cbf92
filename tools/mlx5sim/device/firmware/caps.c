/*
 * QUERY_HCA_CAP: the table of capabilities.
 *
 * Every feature that works has a row, and every feature that has a row works, except that programs
 * cannot create EQs although log_max_eq is announced. tests/mlx5sim/test_caps.c checks that each
 * feature with a row works and that features without a row do not. The README says which programs
 * of other projects use a feature. A value of 0 means that this card does not have the feature.
 */
#include "device/firmware/caps.h"
#include "device/firmware/counters.h"
#include "device/firmware/deks.h"
#include "device/firmware/flows.h"
#include "device/firmware/meters.h"
#include "device/firmware/reserved.h"
#include "device/hca/ethernet.h"
#include "device/hca/icm.h"
#include "device/hca/mcast.h"
#include "device/hca/mkey.h"
#include "device/hca/odp.h"
#include "device/hca/operation.h"
#include "device/hca/pace.h"
#include "device/hca/qp.h"
#include "device/hca/steering.h"
#include "device/hca/tis.h"
#include "device/hca/tir.h"
#include "device/hca/tm.h"
#include "device/machine/eswitch.h"
#include "device/machine/gid.h"
#include "wire/prm.h"

#include <rdma/ib_user_ioctl_verbs.h>

enum {                          /* capability types */
    CAP_GENERAL = 0x0, CAP_ETHERNET = 0x1, CAP_ODP = 0x2, CAP_ATOMIC = 0x3, CAP_ROCE = 0x4,
    CAP_NIC_FLOW_TABLE = 0x7, CAP_ESWITCH_TABLE = 0x8, CAP_ESWITCH = 0x9, CAP_QOS = 0xc,
    CAP_DEVICE_MEMORY = 0xf, CAP_GENERAL_2 = 0x20,
    CAP_CRYPTO = 0x1a
};

enum {
    PORT_IB = 0, PORT_ETH = 1, BF_REGISTER_LOG = 9, ATOMIC_CAS_FA = 0x3, ATOMIC_8_BYTES = 0x8,
    ATOMIC_HOST_ORDER = 1, LOCAL_MKEY_TO_REMOTE_MKEY = 0x100, ALLOW_MKEY = 0x4, MEMIC_LOG_MIN = 12,
    L3_IPV4 = 1, L3_IPV6 = 2, ROCE_V1 = 1 << 0, ROCE_V2 = 1 << 2, ROCE_UDP_PORT = 4791,
    INLINE_NOT_REQUIRED = 2, SCHED_TSAR = 1 << 0, SCHED_QUEUE_GROUP = 1 << 4, SCHED_DWRR = 1 << 0
};

/* C(type, structure, field, value): `f` is the function, `p` the profile of the card */
#define QUEUE_CAPS(C) \
    C(GENERAL, cmd_hca_cap, log_max_qp, p->log_max_qp) \
    C(GENERAL, cmd_hca_cap, log_max_qp_sz, p->log_max_qp_sz) \
    C(GENERAL, cmd_hca_cap, log_max_srq, p->log_max_srq) \
    C(GENERAL, cmd_hca_cap, log_max_srq_sz, p->log_max_srq_sz) \
    C(GENERAL, cmd_hca_cap, log_max_rmp, p->log_max_srq) \
    C(GENERAL, cmd_hca_cap, log_max_wq_sz, p->log_max_srq_sz) \
    C(GENERAL, cmd_hca_cap, basic_cyclic_rcv_wqe, 1) \
    C(GENERAL, cmd_hca_cap, log_max_cq, p->log_max_cq) \
    C(GENERAL, cmd_hca_cap, log_max_cq_sz, p->log_max_cq_sz) \
    C(GENERAL, cmd_hca_cap, cqe_version, 1) \
    C(GENERAL, cmd_hca_cap, cqe_compression, 1) \
    C(GENERAL, cmd_hca_cap, cqe_compression_128, 1) \
    C(GENERAL, cmd_hca_cap, cqe_compression_max_num, COMPRESS_MAX) \
    C(GENERAL, cmd_hca_cap, mini_cqe_resp_stride_index, 1) \
    C(GENERAL, cmd_hca_cap, cq_oi, 1) \
    C(GENERAL, cmd_hca_cap, cq_resize, 1) \
    C(GENERAL, cmd_hca_cap, max_wqe_sz_sq, p->max_sq_desc) \
    C(GENERAL, cmd_hca_cap, max_wqe_sz_rq, p->max_rq_desc) \
    C(GENERAL, cmd_hca_cap, log_max_eq, 8) \
    C(GENERAL, cmd_hca_cap, log_max_eq_sz, 22)

#define TRANSPORT_CAPS(C) \
    C(GENERAL, cmd_hca_cap, rc, 1) \
    C(GENERAL, cmd_hca_cap, uc, 1) \
    C(GENERAL, cmd_hca_cap, ud, 1) \
    C(GENERAL, cmd_hca_cap, xrc, 1) \
    C(GENERAL, cmd_hca_cap, log_max_xrcd, HCA_LOG_MAX_XRCD) \
    C(GENERAL, cmd_hca_cap, dct, 1) \
    C(GENERAL, cmd_hca_cap, log_max_ra_req_dc, log_of(p->max_rd_atomic)) \
    C(GENERAL, cmd_hca_cap, log_max_ra_res_dc, log_of(p->max_rd_atomic)) \
    C(GENERAL, cmd_hca_cap, qpc_extension, 1) \
    C(GENERAL, cmd_hca_cap, log_max_dci_stream_channels, HCA_LOG_MAX_STREAMS) \
    C(GENERAL, cmd_hca_cap, log_max_dci_errored_streams, HCA_LOG_MAX_FAILED_STREAMS) \
    C(GENERAL, cmd_hca_cap, rts2rts_udp_sport, p->ethernet) \
    C(GENERAL, cmd_hca_cap, rts2rts_lag_tx_port_affinity, 1) \
    C(GENERAL, cmd_hca_cap, lag_tx_port_affinity, 1) \
    C(GENERAL, cmd_hca_cap, num_lag_ports, HCA_LAG_PORTS) \
    C(ATOMIC, atomic_caps, atomic_size_dc, ATOMIC_8_BYTES) \
    C(GENERAL, cmd_hca_cap, log_max_mcg, HCA_LOG_MAX_GROUPS) \
    C(GENERAL, cmd_hca_cap, max_qp_mcg, HCA_MAX_GROUP_QPS) \
    C(GENERAL, cmd_hca_cap, tag_matching, !p->ethernet) \
    C(GENERAL, cmd_hca_cap, rndv_offload_rc, !p->ethernet) \
    C(GENERAL, cmd_hca_cap, log_tag_matching_list_sz, p->ethernet ? 0 : TM_LOG_MAX_TAGS) \
    C(GENERAL, cmd_hca_cap, compact_address_vector, 1) \
    C(GENERAL, cmd_hca_cap, log_max_msg, p->log_max_msg) \
    C(GENERAL, cmd_hca_cap, log_max_ra_req_qp, log_of(p->max_rd_atomic)) \
    C(GENERAL, cmd_hca_cap, log_max_ra_res_qp, log_of(p->max_rd_atomic)) \
    C(GENERAL, cmd_hca_cap, num_ports, 1) \
    C(GENERAL, cmd_hca_cap, port_type, p->ethernet ? PORT_ETH : PORT_IB) \
    C(GENERAL, cmd_hca_cap, log_max_transport_domain, 16) \
    C(GENERAL, cmd_hca_cap, atomic, 1) \
    C(ATOMIC, atomic_caps, atomic_req_8B_endianness_mode, ATOMIC_HOST_ORDER) \
    C(ATOMIC, atomic_caps, atomic_operations, ATOMIC_CAS_FA) \
    C(ATOMIC, atomic_caps, atomic_size_qp, ATOMIC_8_BYTES) \
    C(GENERAL, cmd_hca_cap, roce, p->ethernet) \
    C(ROCE, roce_cap, fl_rc_qp_when_roce_enabled, p->ethernet) \
    C(ROCE, roce_cap, l3_type, p->ethernet ? L3_IPV4 | L3_IPV6 : 0) \
    C(ROCE, roce_cap, roce_version, p->ethernet ? ROCE_V1 | ROCE_V2 : 0) \
    C(ROCE, roce_cap, r_roce_dest_udp_port, p->ethernet ? ROCE_UDP_PORT : 0) \
    C(ROCE, roce_cap, roce_address_table_size, p->ethernet ? gid_table_len() : 0)

#define PACKET_CAPS(C) \
    C(GENERAL, cmd_hca_cap, eth_net_offloads, p->ethernet) \
    C(GENERAL, cmd_hca_cap, log_max_rq, p->ethernet ? p->log_max_qp : 0) \
    C(GENERAL, cmd_hca_cap, log_max_sq, p->ethernet ? p->log_max_qp : 0) \
    C(GENERAL, cmd_hca_cap, log_max_tir, p->ethernet ? RQT_LOG_MAX : 0) \
    C(GENERAL, cmd_hca_cap, log_max_tis, p->ethernet ? RQT_LOG_MAX : 0) \
    C(GENERAL, cmd_hca_cap, log_max_rqt, p->ethernet ? RQT_LOG_MAX : 0) \
    C(GENERAL, cmd_hca_cap, log_max_rqt_size, p->ethernet ? RQT_LOG_MAX_SIZE : 0) \
    C(GENERAL, cmd_hca_cap, qos, p->ethernet) \
    C(QOS, qos_cap, packet_pacing, p->ethernet) \
    C(QOS, qos_cap, packet_pacing_burst_bound, p->ethernet) \
    C(QOS, qos_cap, packet_pacing_typical_size, p->ethernet) \
    C(QOS, qos_cap, packet_pacing_uid, p->ethernet) \
    C(QOS, qos_cap, packet_pacing_max_rate, p->ethernet ? PACE_MAX_KBPS : 0) \
    C(QOS, qos_cap, packet_pacing_min_rate, p->ethernet ? PACE_MIN_KBPS : 0) \
    C(QOS, qos_cap, packet_pacing_rate_table_size, p->ethernet ? PACE_NUM_RATES : 0) \
    C(QOS, qos_cap, flow_meter_old, p->ethernet) \
    C(QOS, qos_cap, flow_meter, p->ethernet) \
    C(QOS, qos_cap, log_max_flow_meter, p->ethernet ? HCA_LOG_MAX_METER : 0) \
    C(QOS, qos_cap, flow_meter_reg_id, p->ethernet ? METERS_REGISTERS : 0) \
    C(QOS, qos_cap, nic_sq_scheduling, p->ethernet) \
    C(QOS, qos_cap, nic_bw_share, p->ethernet) \
    C(QOS, qos_cap, nic_rate_limit, p->ethernet) \
    C(QOS, qos_cap, nic_qp_scheduling, p->ethernet) \
    C(QOS, qos_cap, log_nic_max_sched_depth, p->ethernet ? SCHED_LOG_MAX_LEVELS : 0) \
    C(QOS, qos_cap, log_max_qos_nic_queue_group, p->ethernet ? SCHED_LOG_MAX_LEAVES : 0) \
    C(QOS, qos_cap, max_tsar_bw_share, p->ethernet ? SCHED_MAX_SHARE : 0) \
    C(QOS, qos_cap, nic_element_type, p->ethernet ? SCHED_TSAR | SCHED_QUEUE_GROUP : 0) \
    C(QOS, qos_cap, nic_tsar_type, p->ethernet ? SCHED_DWRR : 0) \
    C(QOS, qos_cap, log_max_qos_nic_scheduling_element, p->ethernet ? HCA_LOG_MAX_SCHED : 0) \
    C(ETHERNET, per_protocol_networking_offload_caps, csum_cap, p->ethernet) \
    C(ETHERNET, per_protocol_networking_offload_caps, max_lso_cap, \
      p->ethernet ? ETHERNET_LOG_MAX_LSO : 0) \
    C(ETHERNET, per_protocol_networking_offload_caps, wqe_inline_mode, \
      p->ethernet ? INLINE_NOT_REQUIRED : 0)

#define MEMORY_CAPS(C) \
    C(GENERAL, cmd_hca_cap, log_max_pd, p->log_max_pd) \
    C(GENERAL, cmd_hca_cap, log_max_mkey, p->log_max_mkey) \
    C(GENERAL, cmd_hca_cap, log_max_mrw_sz, 64) \
    C(GENERAL, cmd_hca_cap, max_indirection, MKEY_MAX_DEPTH) \
    C(GENERAL, cmd_hca_cap, log_max_klm_list_size, MKEY_LOG_MAX_ENTRIES) \
    C(GENERAL, cmd_hca_cap, fixed_buffer_size, 1) /* KSM mkeys */ \
    C(GENERAL, cmd_hca_cap, umr_extended_translation_offset, 1) \
    C(GENERAL, cmd_hca_cap, log_max_bsf_list_size, MKEY_LOG_MAX_BSF) \
    C(GENERAL, cmd_hca_cap, sho, 1) /* signatures of blocks */ \
    C(GENERAL, cmd_hca_cap, sigerr_cqe, 1) \
    C(GENERAL, cmd_hca_cap, sigerr_domain_and_sig_type, 1) \
    C(GENERAL, cmd_hca_cap, sig_block_4048, 1) \
    C(GENERAL, cmd_hca_cap, sig_crc32c, 1) \
    C(GENERAL, cmd_hca_cap, sig_crc64_xp10, 1) \
    C(GENERAL, cmd_hca_cap, drain_sigerr, 1) \
    C(GENERAL, cmd_hca_cap, null_mkey, 1) \
    C(GENERAL, cmd_hca_cap, dump_fill_mkey, 1) \
    C(GENERAL, cmd_hca_cap, relaxed_ordering_write, 1) \
    C(GENERAL, cmd_hca_cap, relaxed_ordering_read, 1) \
    C(GENERAL, cmd_hca_cap, relaxed_ordering_write_umr, 1) \
    C(GENERAL, cmd_hca_cap, relaxed_ordering_read_umr, 1) \
    C(GENERAL, cmd_hca_cap, device_memory, 1) \
    C(DEVICE_MEMORY, device_mem_cap, memic, 1) \
    C(DEVICE_MEMORY, device_mem_cap, log_min_memic_alloc_size, MEMIC_LOG_MIN) \
    C(DEVICE_MEMORY, device_mem_cap, max_memic_size, SIM_DM_BYTES) \
    C(DEVICE_MEMORY, device_mem_cap, memic_operations, OPERATION_CAPS) \
    C(DEVICE_MEMORY, device_mem_cap, increment_size_sup, OPERATION_SIZES) \
    C(DEVICE_MEMORY, device_mem_cap, test_and_set_size_sup, OPERATION_SIZES) \
    C(GENERAL, cmd_hca_cap, pg, 1) \
    C(ODP, odp_cap, rc_odp_caps, odp_field(IB_UVERBS_QPT_RC)) \
    C(ODP, odp_cap, ud_odp_caps, odp_field(IB_UVERBS_QPT_UD)) \
    C(ODP, odp_cap, xrc_odp_caps, odp_field(IB_UVERBS_QPT_XRC_INI)) \
    C(ODP, odp_cap, dc_odp_caps, odp_field(HCA_QPT_DCI)) \
    C(GENERAL, cmd_hca_cap, log_max_umem, 20) \
    C(GENERAL, cmd_hca_cap, log_max_uctx, 16)

#define ENGINE_CAPS(C) \
    C(GENERAL, cmd_hca_cap, dma_mmo_qp, p->mmo) \
    C(GENERAL, cmd_hca_cap, log_dma_mmo_max_size, p->mmo ? p->log_dma_mmo_max_size : 0) \
    C(GENERAL, cmd_hca_cap, sha_mmo_qp, p->mmo && p->sha) \
    C(GENERAL, cmd_hca_cap, log_sha_mmo_max_size, \
      p->mmo && p->sha ? p->log_sha_mmo_max_size : 0)

#define TABLE_CAPS(C) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, ft_support, 1) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, sw_owner, machine.profile.ethernet) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, termination_table, 1) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, flow_counter, 1) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, flow_modify_en, 1) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, identified_miss_table_mode, 1) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, flow_table_modify, 1) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, reformat, 1) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, decap, 1) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, pop_vlan, 1) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, push_vlan, 1) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, pop_vlan_2, 1) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, push_vlan_2, 1) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, reformat_and_vlan_action, 1) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, reformat_l3_tunnel_to_l2, 1) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, reformat_l2_to_l3_tunnel, 1) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, reformat_and_modify_action, 1) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, log_max_ft_size, FLOW_LOG_MAX_SIZE) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, log_max_modify_header_context, \
      HCA_LOG_MAX_CHANGES) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, max_modify_header_actions, HEADERS_MAX_ACTIONS) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, max_ft_level, FLOW_MAX_LEVEL) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, log_max_ft_num, HCA_LOG_MAX_TABLES) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, log_max_destination, STEER_LOG_MAX_DESTS) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, log_max_flow, FLOW_LOG_MAX_SIZE)

/* of tables for packets of QPs with a transport */
#define RDMA_TABLE_CAPS(C) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, ft_support, 1) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, flow_modify_en, 1) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, identified_miss_table_mode, 1) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, flow_table_modify, 1) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, log_max_ft_size, FLOW_LOG_MAX_SIZE) \
    C(NIC_FLOW_TABLE, flow_table_prop_layout, max_ft_level, FLOW_RDMA_MAX_LEVEL)

#define FLOW_CAPS(C) \
    C(GENERAL, cmd_hca_cap, nic_flow_table, 1) \
    C(NIC_FLOW_TABLE, flow_table_nic_cap, sw_steering_nic_rx_action_drop_icm_address, \
      p->ethernet ? ICM_AT_DROP : 0) \
    C(NIC_FLOW_TABLE, flow_table_nic_cap, sw_steering_nic_tx_action_drop_icm_address, \
      p->ethernet ? ICM_AT_DROP : 0) \
    C(NIC_FLOW_TABLE, flow_table_nic_cap, sw_steering_nic_tx_action_allow_icm_address, \
      p->ethernet ? ICM_AT_ALLOW : 0) \
    C(DEVICE_MEMORY, device_mem_cap, steering_sw_icm_start_address, \
      p->ethernet ? ICM_AT_STEERING : 0) \
    C(DEVICE_MEMORY, device_mem_cap, log_steering_sw_icm_size, \
      p->ethernet ? ICM_LOG_STEERING : 0) \
    C(DEVICE_MEMORY, device_mem_cap, header_modify_sw_icm_start_address, \
      p->ethernet ? ICM_AT_MODIFY : 0) \
    C(DEVICE_MEMORY, device_mem_cap, log_header_modify_sw_icm_size, \
      p->ethernet ? ICM_LOG_MODIFY : 0) \
    C(DEVICE_MEMORY, device_mem_cap, log_sw_icm_alloc_granularity, \
      p->ethernet ? ICM_LOG_GRANULE : 0) \
    C(GENERAL, cmd_hca_cap, flow_counter_bulk_alloc, COUNTER_BULKS) \
    C(GENERAL, cmd_hca_cap, max_flow_counter_15_0, COUNTER_MAX) \
    C(NIC_FLOW_TABLE, flow_table_nic_cap, encap_general_header, 1) \
    C(NIC_FLOW_TABLE, flow_table_nic_cap, log_max_packet_reformat_context, HCA_LOG_MAX_CHANGES) \
    C(NIC_FLOW_TABLE, flow_table_nic_cap, max_encap_header_size, HEADERS_MAX_DATA)

#define FUNCTION_CAPS(C) \
    C(GENERAL, cmd_hca_cap, hca_cap_2, 1) \
    C(GENERAL, cmd_hca_cap, general_obj_types, 1ull << PRM_OBJ_TYPE_RESERVED_QPN | \
                                               1ull << PRM_OBJ_TYPE_AV_QP_MAPPING | \
                                               (uint64_t)p->ethernet << PRM_OBJ_TYPE_SAMPLER | \
                                               (uint64_t)p->ethernet << PRM_OBJ_TYPE_SCHED | \
                                               (uint64_t)p->ethernet << PRM_OBJ_TYPE_METER | \
                                               1ull << PRM_OBJ_TYPE_DEK | \
                                               (p->kek_bytes ? 1ull << PRM_OBJ_TYPE_CRYPTO_LOGIN \
                                                             : 0)) \
    C(GENERAL, cmd_hca_cap, crypto, 1) \
    C(GENERAL, cmd_hca_cap, aes_xts_multi_block_be_tweak, 1) \
    C(CRYPTO, crypto_caps, log_max_num_deks, HCA_LOG_MAX_DEK) \
    C(CRYPTO, crypto_caps, wrapped_crypto_operational, p->kek_bytes != 0) \
    C(CRYPTO, crypto_caps, wrapped_import_method, p->kek_bytes ? CRYPTO_IMPORT_AES_XTS : 0) \
    C(CRYPTO, crypto_caps, num_nv_import_keks, p->kek_bytes != 0) \
    C(CRYPTO, crypto_caps, num_nv_credentials, p->kek_bytes != 0) \
    C(GENERAL_2, cmd_hca_cap_2, log_max_num_reserved_qpn, RESERVED_LOG_MAX) \
    C(GENERAL_2, cmd_hca_cap_2, log_reserved_qpn_granularity, RESERVED_LOG_QPNS) \
    C(GENERAL_2, cmd_hca_cap_2, log_reserved_qpn_max_alloc, RESERVED_LOG_QPNS) \
    C(GENERAL, cmd_hca_cap, vhca_id, f->vhca_id) \
    C(GENERAL, cmd_hca_cap, eswitch_manager, esw_is_manager(f)) \
    C(GENERAL_2, cmd_hca_cap_2, cross_vhca_object_to_object_supported, LOCAL_MKEY_TO_REMOTE_MKEY) \
    C(GENERAL_2, cmd_hca_cap_2, allowed_object_for_other_vhca_access, ALLOW_MKEY) \
    C(GENERAL, cmd_hca_cap, uar_4k, 1) \
    C(GENERAL, cmd_hca_cap, num_of_uars_per_page, 1) \
    C(GENERAL, cmd_hca_cap, log_pg_sz, 12) \
    C(GENERAL, cmd_hca_cap, bf, 1) \
    C(GENERAL, cmd_hca_cap, log_bf_reg_size, BF_REGISTER_LOG) \
    C(GENERAL, cmd_hca_cap, device_frequency_mhz, p->core_clock_khz / 1000) \
    C(GENERAL, cmd_hca_cap, device_frequency_khz, p->core_clock_khz)

static unsigned log_of(unsigned value)
{
    unsigned log = 0;

    while (2u << log <= value)
        log++;
    return log;
}

/* Returns what a transport can do with on-demand paging. The bits of the field are in the order of
 * ODP_*, but the first is the most significant one. */
static uint32_t odp_field(uint32_t type)
{
    uint32_t field = 0;

    for (unsigned i = 0; i < 6; i++)
        if (odp_caps(type) & 1u << i)
            field |= 1u << (31 - i);
    return field;
}

/* Tables of both directions have the same properties. */
static void flow_tables(uint8_t *cap)
{
    uint8_t *directions[] = {
        PRM_AT(cap, prm_flow_table_nic_cap_flow_table_properties_nic_receive),
        PRM_AT(cap, prm_flow_table_nic_cap_flow_table_properties_nic_transmit) };
    uint8_t *rdma[] = {
        PRM_AT(cap, prm_flow_table_nic_cap_flow_table_properties_nic_receive_rdma),
        PRM_AT(cap, prm_flow_table_nic_cap_flow_table_properties_nic_transmit_rdma) };

    for (unsigned i = 0; i < 2; i++) {
#define SET(of_type, structure, field, value) \
        prm_set(directions[i], prm_##structure##_##field, value);
        TABLE_CAPS(SET)
#undef SET
#define SET(of_type, structure, field, value) \
        prm_set(rdma[i], prm_##structure##_##field, value);
        RDMA_TABLE_CAPS(SET)
#undef SET
    }
}

bool caps_query(const struct sim_function *f, unsigned type, uint8_t *cap)
{
    const struct sim_profile *p = &machine.profile;

#define SET(of_type, structure, field, value) \
    if (type == CAP_##of_type) \
        prm_set(cap, prm_##structure##_##field, (uint64_t)(value));
    QUEUE_CAPS(SET)
    TRANSPORT_CAPS(SET)
    PACKET_CAPS(SET)
    MEMORY_CAPS(SET)
    ENGINE_CAPS(SET)
    FLOW_CAPS(SET)
    FUNCTION_CAPS(SET)
#undef SET
    switch (type) {
    case CAP_NIC_FLOW_TABLE:
        flow_tables(cap);
        return true;
    case CAP_GENERAL: case CAP_ATOMIC: case CAP_ROCE: case CAP_DEVICE_MEMORY: case CAP_GENERAL_2:
    case CAP_ETHERNET: case CAP_ODP: case CAP_QOS: case CAP_CRYPTO:
        return true;
    case CAP_ESWITCH_TABLE: case CAP_ESWITCH:
        return esw_is_manager(f);       /* all fields are zero */
    default:
        return false;
    }
}
