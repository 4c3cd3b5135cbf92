/* Firmware commands on PDs, mkeys, CQs, RMPs, aliases and transport domains. */
#include "device/firmware/objects.h"
#include "device/firmware/deks.h"
#include "device/firmware/meters.h"
#include "device/firmware/reserved.h"
#include "device/firmware/samplers.h"
#include "device/firmware/scheds.h"
#include "device/hca/cq.h"
#include "device/hca/mkey.h"
#include "device/hca/rq.h"
#include "device/hca/tir.h"
#include "device/hca/tis.h"
#include "wire/prm.h"

#include <stdlib.h>
#include <string.h>

#include <rdma/ib_user_ioctl_verbs.h>

enum { MODE_PA = 0, MODE_MTT = 1, MODE_KLM = 2, MODE_KSM = 3, OCTOWORD = 16 };

/* ---- PDs, transport domains ------------------------------------------------------------------ */

void devx_alloc_pd(struct devx_command *c)
{
    if (hca_pd_create(c->client, &c->created))
        devx_fail(c, PRM_NO_RESOURCES, 0x403, "no PD is left");
    else
        prm_set(c->out, prm_alloc_pd_out_pd, c->created->number);
}

void devx_alloc_transport_domain(struct devx_command *c)
{
    if (hca_transport_domain_create(c->client, &c->created))
        devx_fail(c, PRM_NO_RESOURCES, 0x404, "no transport domain is left");
    else
        prm_set(c->out, prm_alloc_transport_domain_out_transport_domain, c->created->number);
}

/* ---- mkeys ---------------------------------------------------------------------------------- */

static uint32_t mkc_access(const uint8_t *mkc)
{
    return (prm_get(mkc, prm_mkc_lr) ? HCA_LOCAL_READ : 0) |
           (prm_get(mkc, prm_mkc_lw) ? HCA_LOCAL_WRITE : 0) |
           (prm_get(mkc, prm_mkc_rr) ? HCA_REMOTE_READ : 0) |
           (prm_get(mkc, prm_mkc_rw) ? HCA_REMOTE_WRITE : 0) |
           (prm_get(mkc, prm_mkc_a) ? HCA_ATOMIC : 0);
}

/* Checks that the command has a translation of 8 bytes for each page, and that the key's address
 * and the memory's address have the same offset in a page, because a card translates only the upper
 * bits. Refuses the command otherwise; the syndromes are assumed. */
static bool mkey_has_pages(struct devx_command *c, const struct hca_mkey *mkey, const uint8_t *mkc,
                           uint64_t addr)
{
    unsigned log_page = (unsigned)prm_get(mkc, prm_mkc_log_entity_size);
    uint64_t mask = (1ull << log_page) - 1, octwords;

    octwords = ((((mkey->iova & mask) + mkey->len + mask) >> log_page) + 1) / 2;
    if (log_page < 12 || ((mkey->iova ^ addr) & mask) != 0) {
        devx_fail(c, PRM_BAD_PARAM, 0x611, "the mkey's page size does not match its addresses");
        return false;
    }
    if (prm_get(mkc, prm_mkc_translations_octword_size) < octwords ||
        prm_get(c->in, prm_create_mkey_in_translations_octword_actual_size) < octwords) {
        devx_fail(c, PRM_BAD_PARAM, 0x612, "the mkey has fewer translations than pages");
        return false;
    }
    return true;
}

/* Sets the memory of a key that is in a umem. A key with write access needs a umem that was
 * registered for writing. */
static bool mkey_over_umem(struct devx_command *c, struct hca_mkey *mkey, const uint8_t *mkc)
{
    uint32_t id = (uint32_t)prm_get(c->in, prm_create_mkey_in_mkey_umem_id);
    uint64_t offset = prm_get(c->in, prm_create_mkey_in_mkey_umem_offset);
    struct hca_umem *umem;

    if (!prm_get(c->in, prm_create_mkey_in_mkey_umem_valid)) {
        devx_fail(c, PRM_BAD_PARAM, 0x601, "an MTT mkey needs a umem");
        return false;
    }
    if (mkey->covers_all || mkey->len == 0 || mkey->iova + mkey->len < mkey->iova) {
        devx_fail(c, PRM_BAD_PARAM, 0x602, "an MTT mkey needs a length");
        return false;
    }
    umem = devx_memory(c, id, offset, mkey->len, "the mkey's memory is not in the umem");
    if (!umem)
        return false;
    if (mkey->access & (HCA_LOCAL_WRITE | HCA_REMOTE_WRITE | HCA_ATOMIC) &&
        !(umem->access & IB_UVERBS_ACCESS_LOCAL_WRITE)) {
        devx_fail(c, PRM_BAD_PARAM, 0x603, "the umem is not registered for local writes");
        return false;
    }
    if (!mkey_has_pages(c, mkey, mkc, umem->addr + offset))
        return false;
    hca_ref(umem);
    mkey->log_entity_size = (uint32_t)prm_get(mkc, prm_mkc_log_entity_size);
    mkey->umem = umem;
    mkey->space = sim_space_get(umem->space);
    mkey->addr = umem->addr + offset;
    return true;
}

static bool mkey_list(struct devx_command *c, struct hca_mkey *mkey, const uint8_t *mkc)
{
    uint32_t num = (uint32_t)prm_get(c->in, prm_create_mkey_in_translations_octword_actual_size);
    uint32_t max = (uint32_t)prm_get(mkc, prm_mkc_translations_octword_size);
    const uint8_t *list = PRM_AT(c->in, prm_create_mkey_in_klm_pas_mtt);

    if (max > MKEY_MAX_ENTRIES || num > max ||
        (num && (size_t)(list - c->in) + (size_t)num * OCTOWORD > c->in_len)) {
        devx_fail(c, PRM_BAD_PARAM, 0x604, "the list of translations is longer than the input");
        return false;
    }
    mkey->max_entries = max;
    mkey->log_entity_size = (uint32_t)prm_get(mkc, prm_mkc_log_entity_size);
    mkey->entries = calloc(mkey->max_entries ? mkey->max_entries : 1, sizeof(*mkey->entries));
    if (!mkey->entries) {
        devx_fail(c, PRM_NO_RESOURCES, 0x605, "no memory for the list of translations");
        return false;
    }
    mkey->num_entries = num;
    for (uint32_t i = 0; i < num; i++, list += OCTOWORD)
        mkey->entries[i] = (struct hca_klm){
            .bytes = (uint32_t)prm_get(list, prm_klm_byte_count),
            .key = (uint32_t)prm_get(list, prm_klm_mkey),
            .addr = prm_get(list, prm_klm_address) };
    return true;
}

static bool mkey_mode(struct devx_command *c, struct hca_mkey *mkey, const uint8_t *mkc)
{
    unsigned mode = (unsigned)(prm_get(mkc, prm_mkc_access_mode_4_2) << 2 |
                               prm_get(mkc, prm_mkc_access_mode_1_0));

    if (mode == MODE_MTT) {
        mkey->kind = MKEY_DIRECT;
        return mkey_over_umem(c, mkey, mkc);
    }
    if (mode != MODE_KLM && mode != MODE_KSM) {
        devx_fail(c, PRM_BAD_PARAM, 0x606, "the access mode of the mkey is not supported");
        return false;
    }
    mkey->kind = mode == MODE_KLM ? MKEY_KLM : MKEY_KSM;
    return mkey_list(c, mkey, mkc);
}

void devx_create_mkey(struct devx_command *c)
{
    const uint8_t *mkc = PRM_AT(c->in, prm_create_mkey_in_memory_key_mkey_entry);
    struct hca_pd *pd = devx_object(c, HCA_PD, (uint32_t)prm_get(mkc, prm_mkc_pd),
                                    "the mkey's PD is not this client's");
    struct hca_mkey *mkey;

    if (!pd)
        return;
    if (prm_get(mkc, prm_mkc_bsf_octword_size) > 1u << MKEY_LOG_MAX_BSF) {
        devx_fail(c, PRM_BAD_PARAM, 0x607, "the BSF of the mkey is longer than the limit");
        return;
    }
    mkey = hca_mkey_new(c->client, pd, (uint32_t)prm_get(mkc, prm_mkc_mkey_7_0));
    if (!mkey) {
        devx_fail(c, PRM_NO_RESOURCES, 0x608, "no mkey is left");
        return;
    }
    mkey->access = mkc_access(mkc);
    mkey->iova = prm_get(mkc, prm_mkc_start_addr);
    mkey->len = prm_get(mkc, prm_mkc_len);
    mkey->covers_all = prm_get(mkc, prm_mkc_length64);
    mkey->free = prm_get(mkc, prm_mkc_free);
    mkey->umr = prm_get(mkc, prm_mkc_umr_en);
    if (prm_get(mkc, prm_mkc_bsf_en))
        mkey->bsf_octowords = (uint32_t)prm_get(mkc, prm_mkc_bsf_octword_size);
    mkey->may_encrypt = prm_get(mkc, prm_mkc_crypto_en);
    mkey->remote_invalidate = prm_get(mkc, prm_mkc_en_rinval);
    mkey->relaxed_write = prm_get(mkc, prm_mkc_relaxed_ordering_write);
    mkey->relaxed_read = prm_get(mkc, prm_mkc_relaxed_ordering_read);
    if (!mkey_mode(c, mkey, mkc)) {
        hca_destroy(&mkey->object);
        return;
    }
    c->created = &mkey->object;
    prm_set(c->out, prm_create_mkey_out_mkey_index, mkey->object.number >> 8);
}

void devx_query_mkey(struct devx_command *c)
{
    struct hca_mkey *mkey = devx_object(c, HCA_MKEY,
        (uint32_t)prm_get(c->in, prm_query_mkey_in_mkey_index), "the mkey is not this client's");
    uint8_t *mkc = PRM_AT(c->out, prm_query_mkey_out_memory_key_mkey_entry);
    unsigned mode;

    if (!mkey)
        return;
    mode = mkey->kind == MKEY_DIRECT ? MODE_MTT : mkey->kind == MKEY_KSM ? MODE_KSM : MODE_KLM;
    prm_set(mkc, prm_mkc_free, mkey->free);
    prm_set(mkc, prm_mkc_umr_en, mkey->umr);
    prm_set(mkc, prm_mkc_en_rinval, mkey->remote_invalidate);
    prm_set(mkc, prm_mkc_relaxed_ordering_write, mkey->relaxed_write);
    prm_set(mkc, prm_mkc_relaxed_ordering_read, mkey->relaxed_read);
    prm_set(mkc, prm_mkc_access_mode_1_0, mode);
    prm_set(mkc, prm_mkc_lr, (mkey->access & HCA_LOCAL_READ) != 0);
    prm_set(mkc, prm_mkc_lw, (mkey->access & HCA_LOCAL_WRITE) != 0);
    prm_set(mkc, prm_mkc_rr, (mkey->access & HCA_REMOTE_READ) != 0);
    prm_set(mkc, prm_mkc_rw, (mkey->access & HCA_REMOTE_WRITE) != 0);
    prm_set(mkc, prm_mkc_a, (mkey->access & HCA_ATOMIC) != 0);
    prm_set(mkc, prm_mkc_qpn, 0xffffff);
    prm_set(mkc, prm_mkc_mkey_7_0, mkey->object.number & 0xff);
    prm_set(mkc, prm_mkc_length64, mkey->covers_all);
    prm_set(mkc, prm_mkc_pd, mkey->pd->object.number);
    prm_set(mkc, prm_mkc_start_addr, mkey->iova);
    prm_set(mkc, prm_mkc_len, mkey->len);
    prm_set(mkc, prm_mkc_bsf_en, mkey->bsf_octowords != 0);
    prm_set(mkc, prm_mkc_bsf_octword_size, mkey->bsf_octowords);
    prm_set(mkc, prm_mkc_crypto_en, mkey->may_encrypt);
    prm_set(mkc, prm_mkc_translations_octword_size, mkey->max_entries);
    prm_set(mkc, prm_mkc_log_entity_size, mkey->log_entity_size);
}

/* ---- PSVs ----------------------------------------------------------------------------------- */

/* It is assumed that a program makes one PSV at a time: DESTROY_PSV destroys only the first one. */
void devx_create_psv(struct devx_command *c)
{
    struct hca_pd *pd = devx_object(c, HCA_PD, (uint32_t)prm_get(c->in, prm_create_psv_in_pd),
                                    "the PD of the PSV is not this client's");

    if (!pd || !devx_output(c, 0x14))
        return;
    if (prm_get(c->in, prm_create_psv_in_num_psv) != 1)
        devx_fail(c, PRM_BAD_PARAM, 0x620, "only one PSV can be made at a time");
    else if (hca_psv_create(c->client, &pd->object, &c->created))
        devx_fail(c, PRM_NO_RESOURCES, 0x621, "no PSV is left");
    else
        prm_set(c->out, prm_create_psv_out_psv0_index, c->created->number);
}

/* ---- CQs ------------------------------------------------------------------------------------ */

/* Marks every CQE of a new ring as owned by the device: invalid until the device writes it. */
static void clear_ring(const struct hca_cq_attr *attr)
{
    uint64_t bytes = (uint64_t)attr->num_cqes * attr->cqe_bytes;
    uint8_t page[SIM_PAGE] = { 0 };

    for (uint32_t at = attr->cqe_bytes - 1; at < sizeof(page); at += attr->cqe_bytes)
        page[at] = PRM_CQE_INVALID << 4 | 1;
    for (uint64_t at = 0; at < bytes; at += sizeof(page))
        sim_write(attr->space, attr->buf_addr + at, page,
                  bytes - at < sizeof(page) ? bytes - at : sizeof(page));
}

void devx_create_cq(struct devx_command *c)
{
    const uint8_t *cqc = PRM_AT(c->in, prm_create_cq_in_cq_context);
    uint64_t offset = prm_get(c->in, prm_create_cq_in_cq_umem_offset);
    uint64_t db_offset = prm_get(cqc, prm_cqc_dbr_addr);
    struct hca_cq_attr attr = { .num_cqes = 1u << prm_get(cqc, prm_cqc_log_cq_size),
        .cqe_bytes = prm_get(cqc, prm_cqc_cqe_sz) ? 128 : 64,
        .uar_page = (uint32_t)prm_get(cqc, prm_cqc_uar_page),
        .compresses = prm_get(cqc, prm_cqc_cqe_comp_en),
        .format = (unsigned)prm_get(cqc, prm_cqc_mini_cqe_res_format),
        .overrun_ignore = prm_get(cqc, prm_cqc_oi) };
    struct hca_umem *ring, *db;
    struct hca_cq *cq;

    if (!prm_get(c->in, prm_create_cq_in_cq_umem_valid) ||
        !prm_get(cqc, prm_cqc_dbr_umem_valid)) {
        devx_fail(c, PRM_BAD_PARAM, 0x610, "ring and doorbell record must be in umems");
        return;
    }
    if (!devx_uar(c, attr.uar_page))
        return;
    ring = devx_memory(c, (uint32_t)prm_get(c->in, prm_create_cq_in_cq_umem_id), offset,
                       (uint64_t)attr.num_cqes * attr.cqe_bytes, "the CQ is not in its umem");
    db = ring ? devx_memory(c, (uint32_t)prm_get(cqc, prm_cqc_dbr_umem_id), db_offset, 8,
                            "the doorbell record is not in its umem") : NULL;
    if (!db)
        return;
    if (db->space != ring->space) {
        devx_fail(c, PRM_BAD_PARAM, 0x611, "ring and doorbell record belong to two processes");
        return;
    }
    attr.space = ring->space;
    attr.buf_addr = ring->addr + offset;
    attr.db_addr = db->addr + db_offset;
    if (hca_cq_create(c->client, &attr, &c->created)) {
        devx_fail(c, PRM_BAD_PARAM, 0x612, "the CQ is larger than the limit, or its format "
                  "does not exist, or no CQ is left");
        return;
    }
    clear_ring(&attr);
    cq = (struct hca_cq *)c->created;
    cq->umem = ring;
    cq->db_umem = db;
    hca_ref(ring);
    hca_ref(db);
    prm_set(c->out, prm_create_cq_out_cqn, c->created->number);
}

void devx_query_cq(struct devx_command *c)
{
    struct hca_cq *cq = devx_object(c, HCA_CQ, (uint32_t)prm_get(c->in, prm_query_cq_in_cqn),
                                    "the CQ is not this client's");
    uint8_t *cqc = PRM_AT(c->out, prm_query_cq_out_cq_context);
    unsigned log = 0;
    uint32_t ci = 0;

    if (!cq)
        return;
    while (1u << log < cq->num_cqes)
        log++;
    sim_read_be32(cq->space, cq->db_addr, &ci);
    prm_set(cqc, prm_cqc_status, cq->failed ? 9 : 0);
    prm_set(cqc, prm_cqc_cqe_sz, cq->cqe_bytes == 128);
    prm_set(cqc, prm_cqc_oi, cq->overrun_ignore);
    if (cq->session) {
        prm_set(cqc, prm_cqc_cqe_comp_en, 1);
        prm_set(cqc, prm_cqc_mini_cqe_res_format, cq->session->format);
    }
    prm_set(cqc, prm_cqc_st, cq->armed ? (cq->armed_solicited ? 6 : 9) : 10);
    prm_set(cqc, prm_cqc_log_cq_size, log);
    prm_set(cqc, prm_cqc_uar_page, cq->uar_page & 0xffffff);
    prm_set(cqc, prm_cqc_consumer_counter, ci & 0xffffff);
    prm_set(cqc, prm_cqc_producer_counter, cq->pi & 0xffffff);
}

/* Refuses period and count, because the device does not announce moderation (cq_moderation). */
void devx_modify_cq(struct devx_command *c)
{
    enum { MODIFY = 0, OVERRUN_IGNORE = 1 << 2 };
    const uint8_t *cqc = PRM_AT(c->in, prm_modify_cq_in_cq_context);
    uint32_t fields =
        (uint32_t)prm_get(c->in, prm_modify_cq_in_modify_field_select_resize_field_select);
    struct hca_cq *cq = devx_object(c, HCA_CQ, (uint32_t)prm_get(c->in, prm_modify_cq_in_cqn),
                                    "the CQ is not this client's");

    if (!cq)
        return;
    if (prm_get(c->in, prm_mbox_in_op_mod) != MODIFY ||
        fields & ~(uint32_t)OVERRUN_IGNORE)
        devx_fail(c, PRM_BAD_PARAM, 0x613, "only the handling of overruns can be modified");
    else if (fields & OVERRUN_IGNORE)
        cq->overrun_ignore = prm_get(cqc, prm_cqc_oi);
}

/* ---- RMPs: the SRQs of DevX ----------------------------------------------------------------- */

void devx_create_rmp(struct devx_command *c)
{
    enum { LINKED_LIST = 0, CYCLIC = 1 };
    const uint8_t *rmpc = PRM_AT(c->in, prm_create_rmp_in_ctx), *wq = PRM_AT(rmpc, prm_rmpc_wq);
    unsigned type = (unsigned)prm_get(wq, prm_wq_wq_type);
    uint64_t offset = prm_get(wq, prm_wq_wq_umem_offset), db_offset = prm_get(wq, prm_wq_dbr_addr);
    struct hca_srq_attr attr = { .num_wqes = 1u << (prm_get(wq, prm_wq_log_wq_sz) & 31),
        .wqe_shift = (uint32_t)prm_get(wq, prm_wq_log_wq_stride),
        .limit = (uint32_t)prm_get(wq, prm_wq_lwm) };
    struct hca_umem *ring, *db;
    struct hca_srq *srq;

    attr.pd = devx_object(c, HCA_PD, (uint32_t)prm_get(wq, prm_wq_pd),
                          "the RMP's PD is not this client's");
    if (!attr.pd)
        return;
    ring = devx_memory(c, (uint32_t)prm_get(wq, prm_wq_wq_umem_id), offset,
                       (uint64_t)attr.num_wqes << attr.wqe_shift, "the RMP is not in its umem");
    db = ring ? devx_memory(c, (uint32_t)prm_get(wq, prm_wq_dbr_umem_id), db_offset, 4,
                            "the doorbell record is not in its umem") : NULL;
    if (!db)
        return;
    attr.space = ring->space;
    attr.buf_addr = ring->addr + offset;
    attr.db_addr = db->addr + db_offset;
    if ((type != LINKED_LIST && type != CYCLIC) || db->space != ring->space ||
        hca_srq_create(c->client, &attr, &c->created)) {
        devx_fail(c, PRM_BAD_PARAM, 0x620, "the RMP's type or size is not supported");
        return;
    }
    srq = (struct hca_srq *)c->created;
    srq->rq.is_linked = type == LINKED_LIST;
    srq->rq.has_next_seg = srq->rq.is_linked || !prm_get(rmpc, prm_rmpc_basic_cyclic_rcv_wqe);
    srq->umem = ring;
    srq->db_umem = db;
    hca_ref(ring);
    hca_ref(db);
    prm_set(c->out, prm_create_rmp_out_rmpn, c->created->number);
}

void devx_modify_rmp(struct devx_command *c)
{
    enum { LWM = 1 };
    const uint8_t *wq = PRM_AT(PRM_AT(c->in, prm_modify_rmp_in_ctx), prm_rmpc_wq);
    struct hca_srq *srq = devx_object(c, HCA_SRQ, (uint32_t)prm_get(c->in, prm_modify_rmp_in_rmpn),
                                      "the RMP is not this client's");

    if (srq && prm_get(c->in, prm_modify_rmp_in_bitmask) & LWM &&
        hca_srq_set_limit(&srq->object, (uint32_t)prm_get(wq, prm_wq_lwm)))
        devx_fail(c, PRM_BAD_PARAM, 0x621, "the limit is not below the number of WQEs");
}

void devx_query_rmp(struct devx_command *c)
{
    uint8_t *rmpc = PRM_AT(c->out, prm_query_rmp_out_rmp_context), *wq;
    struct hca_srq *srq = devx_object(c, HCA_SRQ, (uint32_t)prm_get(c->in, prm_query_rmp_in_rmpn),
                                      "the RMP is not this client's");
    unsigned log = 0;

    if (!srq)
        return;
    while (1u << log < srq->rq.num_wqes)
        log++;
    wq = PRM_AT(rmpc, prm_rmpc_wq);
    prm_set(rmpc, prm_rmpc_state, 1);
    prm_set(wq, prm_wq_wq_type, srq->rq.is_linked ? 0 : 1);
    prm_set(wq, prm_wq_lwm, srq->limit);
    prm_set(wq, prm_wq_pd, srq->pd->object.number);
    prm_set(wq, prm_wq_log_wq_stride, srq->rq.wqe_shift);
    prm_set(wq, prm_wq_log_wq_sz, log);
}

/* ---- keys of other functions ---------------------------------------------------------------- */

void devx_allow_other_vhca(struct devx_command *c)
{
    uint32_t index =
        (uint32_t)prm_get(c->in, prm_allow_other_vhca_access_in_object_id_to_be_accessed);
    struct hca_mkey *mkey;

    if (prm_get(c->in, prm_allow_other_vhca_access_in_object_type_to_be_accessed) !=
        PRM_OBJ_TYPE_MKEY) {
        devx_fail(c, PRM_BAD_PARAM, 0x630, "only mkeys can be shared with other functions");
        return;
    }
    mkey = devx_object(c, HCA_MKEY, index, "the mkey is not this client's");
    if (!mkey)
        return;
    if (mkey->kind == MKEY_ALIAS) {
        devx_fail(c, PRM_BAD_PARAM, 0x631, "an alias cannot be exported again");
        return;
    }
    mkey->exported = true;
    memcpy(mkey->access_key, PRM_AT(c->in, prm_allow_other_vhca_access_in_access_key),
           sizeof(mkey->access_key));
}

/* Returns the exported key that an alias refers to; NULL when function or access key are wrong. */
static struct hca_mkey *alias_target(struct devx_command *c, const uint8_t *alias)
{
    uint32_t index = (uint32_t)prm_get(alias, prm_alias_context_object_id_to_be_accessed);
    struct hca_mkey *mkey = (struct hca_mkey *)hca_find(HCA_MKEY, index);
    const struct sim_function *function = c->client->function;

    if (!mkey || !mkey->exported ||
        mkey->object.function->vhca_id != prm_get(alias, prm_alias_context_vhca_id_to_be_accessed))
        devx_fail(c, PRM_BAD_RESOURCE, 0x640, "that function exports no such mkey");
    else if (mkey->object.function->sys_image_guid != function->sys_image_guid)
        devx_fail(c, PRM_BAD_RESOURCE, 0x641, "the function belongs to another device");
    else if (memcmp(mkey->access_key, PRM_AT(alias, prm_alias_context_access_key),
                    sizeof(mkey->access_key)) != 0)
        devx_fail(c, PRM_BAD_PARAM, 0x642, "the access key is wrong");
    else
        return mkey;
    return NULL;
}

/* Handles CREATE_GENERAL_OBJECT of a mapping, which tells the device to treat packets to an address
 * as a QP treats congestion. The device has no congestion, so the object has no effect. It is
 * assumed that the QP can be that of another program; the object can outlive the QP. */
static void create_av_qp_mapping(struct devx_command *c)
{
    const uint8_t *mapping = PRM_AT(c->in, prm_create_av_qp_mapping_in_mapping);
    const struct hca_object *qp;
    struct hca_other *other;

    if (c->in_len < 0x50) {
        devx_fail(c, PRM_BAD_INPUT_LEN, 0x648, "the input is too short for a mapping");
        return;
    }
    qp = hca_find(HCA_QP, (uint32_t)prm_get(mapping, prm_av_qp_mapping_qpn));
    if (!qp || qp->function != c->client->function || hca_is_sq(qp) || hca_is_rq(qp)) {
        devx_fail(c, PRM_BAD_RESOURCE, 0x649, "the function has no such QP");
        return;
    }
    other = calloc(1, sizeof(*other));
    if (!other || hca_add(&other->object, HCA_DEVX, c->client, NULL)) {
        free(other);
        devx_fail(c, PRM_NO_RESOURCES, 0x64a, "no mapping is left");
        return;
    }
    other->kind = c->opcode;
    c->created = &other->object;
    prm_set(c->out, prm_general_obj_out_cmd_hdr_obj_id, other->object.number);
}

void devx_create_general(struct devx_command *c)
{
    const unsigned type = (unsigned)prm_get(c->in, prm_general_obj_in_cmd_hdr_obj_type);
    const bool is_alias = prm_get(c->in, prm_general_obj_in_cmd_hdr_alias_object);
    const uint8_t *alias = PRM_AT(c->in, prm_create_alias_obj_in_alias_ctx);
    struct hca_mkey *target, *mkey;
    struct hca_pd *pd;

    if (!is_alias && type == PRM_OBJ_TYPE_RESERVED_QPN) {
        devx_create_reserved_qpns(c);
        return;
    }
    if (!is_alias && type == PRM_OBJ_TYPE_AV_QP_MAPPING) {
        create_av_qp_mapping(c);
        return;
    }
    if (!is_alias && type == PRM_OBJ_TYPE_SAMPLER && machine.profile.ethernet) {
        devx_create_sampler(c);
        return;
    }
    if (!is_alias && type == PRM_OBJ_TYPE_METER && machine.profile.ethernet) {
        devx_create_meter(c);
        return;
    }
    if (!is_alias && type == PRM_OBJ_TYPE_SCHED) {
        devx_create_sched_object(c);
        return;
    }
    if (!is_alias && type == PRM_OBJ_TYPE_DEK) {
        devx_create_dek(c);
        return;
    }
    if (!is_alias && type == PRM_OBJ_TYPE_CRYPTO_LOGIN) {
        devx_create_login(c);
        return;
    }
    if (!is_alias || type != PRM_OBJ_TYPE_MKEY || c->in_len < 0x50) {
        devx_fail(c, PRM_BAD_PARAM, 0x643, "the general object is not supported");
        return;
    }
    target = alias_target(c, alias);
    if (!target)
        return;
    pd = devx_object(c, HCA_PD, (uint32_t)prm_get(alias, prm_alias_context_metadata_1),
                     "the alias's PD is not this client's");
    if (!pd)
        return;
    mkey = hca_mkey_new(c->client, pd, 0);
    if (!mkey) {
        devx_fail(c, PRM_NO_RESOURCES, 0x644, "no mkey is left");
        return;
    }
    mkey->kind = MKEY_ALIAS;
    mkey->target_index = target->object.number >> 8;
    mkey->target_serial = target->serial;
    mkey->covers_all = true;
    c->created = &mkey->object;
    prm_set(c->out, prm_general_obj_out_cmd_hdr_obj_id, mkey->object.number >> 8);
}

static void query_alias(struct devx_command *c)
{
    uint8_t *alias = PRM_AT(c->out, prm_create_alias_obj_in_alias_ctx);
    struct hca_mkey *mkey = devx_object(c, HCA_MKEY,
        (uint32_t)prm_get(c->in, prm_general_obj_in_cmd_hdr_obj_id),
        "the object is not this client's");
    const struct hca_mkey *target;

    if (!mkey)
        return;
    if (mkey->kind != MKEY_ALIAS) {
        devx_fail(c, PRM_BAD_PARAM, 0x645, "the mkey is not an alias");
        return;
    }
    target = (const struct hca_mkey *)hca_find(HCA_MKEY, mkey->target_index);
    if (target && target->serial == mkey->target_serial)
        prm_set(alias, prm_alias_context_vhca_id_to_be_accessed,
                target->object.function->vhca_id);
    else
        prm_set(alias, prm_alias_context_status, 1);
    prm_set(alias, prm_alias_context_object_id_to_be_accessed, mkey->target_index);
    prm_set(alias, prm_alias_context_metadata_1, mkey->pd->object.number);
}

void devx_query_general(struct devx_command *c)
{
    switch (prm_get(c->in, prm_general_obj_in_cmd_hdr_obj_type)) {
    case PRM_OBJ_TYPE_DEK: devx_query_dek(c); break;
    case PRM_OBJ_TYPE_CRYPTO_LOGIN: devx_query_login(c); break;
    case PRM_OBJ_TYPE_SAMPLER: devx_query_sampler(c); break;
    case PRM_OBJ_TYPE_METER: devx_query_meter(c); break;
    case PRM_OBJ_TYPE_SCHED: devx_query_sched_object(c); break;
    default: query_alias(c); break;
    }
}

void devx_modify_general(struct devx_command *c)
{
    switch (prm_get(c->in, prm_general_obj_in_cmd_hdr_obj_type)) {
    case PRM_OBJ_TYPE_METER: devx_modify_meter(c); break;
    case PRM_OBJ_TYPE_SCHED: devx_modify_sched_object(c); break;
    default: devx_fail(c, PRM_BAD_PARAM, 0x646, "the general object cannot be modified");
    }
}
