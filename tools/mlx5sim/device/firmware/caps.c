/* QUERY_HCA_CAP: the capabilities of the profile. Only features that work are announced. */
#include "device/firmware/caps.h"
#include "device/machine/eswitch.h"
#include "wire/prm.h"

enum {                          /* capability types */
    CAP_GENERAL = 0x0, CAP_ETHERNET = 0x1, CAP_ODP = 0x2, CAP_ATOMIC = 0x3, CAP_ROCE = 0x4,
    CAP_NIC_FLOW_TABLE = 0x7, CAP_QOS = 0xc, CAP_DEVICE_MEMORY = 0xf, CAP_GENERAL_2 = 0x20
};

enum {
    PORT_IB = 0, PORT_ETH = 1, BF_REGISTER_LOG = 9, ATOMIC_CAS_FA = 0x3, ATOMIC_8_BYTES = 0x8,
    LOCAL_MKEY_TO_REMOTE_MKEY = 0x100, ALLOW_MKEY = 0x4, TS_FREE_RUNNING = 0, MEMIC_LOG_MIN = 12
};

static void queues(const struct sim_profile *p, uint8_t *cap)
{
    prm_set(cap, prm_cmd_hca_cap_log_max_srq_sz, p->log_max_srq_sz);
    prm_set(cap, prm_cmd_hca_cap_log_max_qp_sz, p->log_max_qp_sz);
    prm_set(cap, prm_cmd_hca_cap_log_max_qp, p->log_max_qp);
    prm_set(cap, prm_cmd_hca_cap_log_max_srq, p->log_max_srq);
    prm_set(cap, prm_cmd_hca_cap_log_max_cq_sz, p->log_max_cq_sz);
    prm_set(cap, prm_cmd_hca_cap_log_max_cq, p->log_max_cq);
    prm_set(cap, prm_cmd_hca_cap_log_max_rmp, p->log_max_srq);
    prm_set(cap, prm_cmd_hca_cap_log_max_wq_sz, p->log_max_srq_sz);
    prm_set(cap, prm_cmd_hca_cap_max_wqe_sz_sq, p->max_sq_desc);
    prm_set(cap, prm_cmd_hca_cap_max_wqe_sz_rq, p->max_rq_desc);
    prm_set(cap, prm_cmd_hca_cap_log_max_msg, p->log_max_msg);
    prm_set(cap, prm_cmd_hca_cap_cqe_version, 1);
    prm_set(cap, prm_cmd_hca_cap_compact_address_vector, 1);
    prm_set(cap, prm_cmd_hca_cap_cq_oi, 1);
    prm_set(cap, prm_cmd_hca_cap_cq_resize, 1);
    prm_set(cap, prm_cmd_hca_cap_basic_cyclic_rcv_wqe, 1);
    prm_set(cap, prm_cmd_hca_cap_sq_ts_format, TS_FREE_RUNNING);
    prm_set(cap, prm_cmd_hca_cap_rq_ts_format, TS_FREE_RUNNING);
}

static void transports(const struct sim_profile *p, uint8_t *cap)
{
    unsigned log_rd = 0;

    while (2u << log_rd <= p->max_rd_atomic)
        log_rd++;
    prm_set(cap, prm_cmd_hca_cap_rc, 1);
    prm_set(cap, prm_cmd_hca_cap_uc, 1);
    prm_set(cap, prm_cmd_hca_cap_ud, 1);
    prm_set(cap, prm_cmd_hca_cap_atomic, 1);
    prm_set(cap, prm_cmd_hca_cap_log_max_ra_req_qp, log_rd);
    prm_set(cap, prm_cmd_hca_cap_log_max_ra_res_qp, log_rd);
    prm_set(cap, prm_cmd_hca_cap_port_type, p->ethernet ? PORT_ETH : PORT_IB);
    prm_set(cap, prm_cmd_hca_cap_roce, p->ethernet);
    prm_set(cap, prm_cmd_hca_cap_num_ports, 1);
    prm_set(cap, prm_cmd_hca_cap_gid_table_size, 1);
    prm_set(cap, prm_cmd_hca_cap_pkey_table_size, 0);   /* 128 << n */
}

static void memory(const struct sim_profile *p, uint8_t *cap)
{
    prm_set(cap, prm_cmd_hca_cap_log_max_mkey, p->log_max_mkey);
    prm_set(cap, prm_cmd_hca_cap_log_max_pd, p->log_max_pd);
    prm_set(cap, prm_cmd_hca_cap_max_indirection, 4);
    prm_set(cap, prm_cmd_hca_cap_log_max_mrw_sz, 64);
    prm_set(cap, prm_cmd_hca_cap_log_max_klm_list_size, 16);
    prm_set(cap, prm_cmd_hca_cap_relaxed_ordering_write, 1);
    prm_set(cap, prm_cmd_hca_cap_relaxed_ordering_read, 1);
    prm_set(cap, prm_cmd_hca_cap_device_memory, 1);
    prm_set(cap, prm_cmd_hca_cap_log_max_umem, 20);
    prm_set(cap, prm_cmd_hca_cap_log_max_uctx, 16);
}

static void engines(const struct sim_profile *p, uint8_t *cap)
{
    if (p->mmo) {
        prm_set(cap, prm_cmd_hca_cap_dma_mmo_qp, 1);
        prm_set(cap, prm_cmd_hca_cap_log_dma_mmo_max_size, p->log_dma_mmo_max_size);
    }
    if (p->mmo && p->sha) {
        prm_set(cap, prm_cmd_hca_cap_sha_mmo_qp, 1);
        prm_set(cap, prm_cmd_hca_cap_log_sha_mmo_max_size, p->log_sha_mmo_max_size);
    }
}

static void general(const struct sim_function *function, uint8_t *cap)
{
    const struct sim_profile *p = &machine.profile;

    prm_set(cap, prm_cmd_hca_cap_hca_cap_2, 1);
    prm_set(cap, prm_cmd_hca_cap_vhca_id, function->vhca_id);
    prm_set(cap, prm_cmd_hca_cap_eswitch_manager, esw_is_manager(function));
    queues(p, cap);
    transports(p, cap);
    memory(p, cap);
    engines(p, cap);
    prm_set(cap, prm_cmd_hca_cap_log_max_eq_sz, 22);
    prm_set(cap, prm_cmd_hca_cap_log_max_eq, 8);
    prm_set(cap, prm_cmd_hca_cap_log_max_transport_domain, 16);
    prm_set(cap, prm_cmd_hca_cap_uar_4k, 1);
    prm_set(cap, prm_cmd_hca_cap_log_pg_sz, 12);
    prm_set(cap, prm_cmd_hca_cap_bf, 1);
    prm_set(cap, prm_cmd_hca_cap_log_bf_reg_size, BF_REGISTER_LOG);
    prm_set(cap, prm_cmd_hca_cap_num_of_uars_per_page, 1);
    prm_set(cap, prm_cmd_hca_cap_device_frequency_mhz, p->core_clock_khz / 1000);
    prm_set(cap, prm_cmd_hca_cap_device_frequency_khz, p->core_clock_khz);
}

static void roce(const struct sim_function *function, uint8_t *cap)
{
    enum { IPV4 = 1, IPV6 = 2, VERSION_1 = 1 << 0, VERSION_2 = 1 << 2, UDP_PORT = 4791 };

    if (!machine.profile.ethernet)
        return;
    prm_set(cap, prm_roce_cap_l3_type, IPV4 | IPV6);
    prm_set(cap, prm_roce_cap_roce_version, VERSION_1 | VERSION_2);
    prm_set(cap, prm_roce_cap_r_roce_dest_udp_port, UDP_PORT);
    prm_set(cap, prm_roce_cap_roce_address_table_size, function->num_gids);
}

bool caps_query(struct sim_function *function, unsigned type, uint8_t *cap)
{
    switch (type) {
    case CAP_GENERAL:
        general(function, cap);
        return true;
    case CAP_ATOMIC:            /* values are in the host's byte order */
        prm_set(cap, prm_atomic_caps_atomic_req_8B_endianness_mode, 1);
        prm_set(cap, prm_atomic_caps_atomic_operations, ATOMIC_CAS_FA);
        prm_set(cap, prm_atomic_caps_atomic_size_qp, ATOMIC_8_BYTES);
        return true;
    case CAP_DEVICE_MEMORY:
        prm_set(cap, prm_device_mem_cap_memic, 1);
        prm_set(cap, prm_device_mem_cap_log_min_memic_alloc_size, MEMIC_LOG_MIN);
        prm_set(cap, prm_device_mem_cap_max_memic_size, SIM_DM_BYTES);
        return true;
    case CAP_GENERAL_2:
        prm_set(cap, prm_cmd_hca_cap_2_cross_vhca_object_to_object_supported,
                LOCAL_MKEY_TO_REMOTE_MKEY);
        prm_set(cap, prm_cmd_hca_cap_2_allowed_object_for_other_vhca_access, ALLOW_MKEY);
        return true;
    case CAP_ROCE:
        roce(function, cap);
        return true;
    case CAP_ETHERNET: case CAP_ODP: case CAP_NIC_FLOW_TABLE: case CAP_QOS:
        return true;            /* all of its fields are zero */
    default:
        return false;
    }
}
