/*
 * User-mode registration: WQEs that set memory, rights and range of an indirect mkey, or invalidate
 * the mkey.
 */
#include "device/hca/umr.h"
#include "device/hca/mkey.h"
#include "device/machine/log.h"
#include "wire/prm.h"

#include <stdlib.h>
#include <string.h>

enum {
    UMR_CTRL = 16, UMR_MKEY = 64, UMR_LIST = 128,       /* byte offsets in the WQE */
    OCTOWORD = 16,
    REPEAT_OP = 0x400           /* in the first entry: the list is a repeated block */
};

enum {                          /* mkey_mask */
    MASK_LEN = 1 << 0, MASK_START_ADDR = 1 << 6, MASK_MKEY = 1 << 13, MASK_QPN = 1 << 14,
    MASK_LR = 1 << 17, MASK_LW = 1 << 18, MASK_RR = 1 << 19, MASK_RW = 1 << 20,
    MASK_A = 1 << 21, MASK_FREE = 1 << 29
};

static int refuse(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome,
                  const char *why)
{
    sim_log(SIM_INFO, "%s: QP %#x: UMR WQE %u: %s", qp->object.function->name,
            qp->object.number, wqe->index, why);
    outcome->syndrome = PRM_SYND_MW_BIND;
    return WQE_DONE;
}

/* Reads the list of translations from the WQE, or from memory that the WQE refers to. NULL when it
 * cannot be read. */
static uint8_t *load_list(struct hca_qp *qp, const struct hca_wqe *wqe, uint32_t octowords)
{
    static uint8_t list[MKEY_MAX_ENTRIES * OCTOWORD];
    static struct hca_pieces pieces;
    const uint8_t *at = wqe->bytes + UMR_LIST;
    uint32_t bytes = octowords * OCTOWORD, in_wqe = wqe->ds * 16 - UMR_LIST;
    uint8_t *to = list;

    if (prm_get(wqe->bytes + UMR_CTRL, prm_wqe_umr_inline_)) {
        if (bytes > in_wqe)
            return NULL;
        memcpy(list, at, bytes);
        return list;
    }
    pieces.num = 0;
    pieces.len = 0;
    if (in_wqe < OCTOWORD ||
        !hca_mkey_map(qp->object.function, qp->pd, (uint32_t)prm_get(at, prm_wqe_data_lkey),
                      prm_get(at, prm_wqe_data_addr), bytes, HCA_LOCAL_READ, &pieces))
        return NULL;
    for (uint32_t i = 0; i < pieces.num; i++) {
        if (sim_read(pieces.piece[i].space, pieces.piece[i].addr, to, pieces.piece[i].len))
            return NULL;
        to += pieces.piece[i].len;
    }
    return list;
}

static bool room(struct hca_mkey *mkey)
{
    if (!mkey->entries)
        mkey->entries = calloc(mkey->max_entries ? mkey->max_entries : 1, sizeof(*mkey->entries));
    return mkey->entries != NULL;
}

static bool set_strided(struct hca_mkey *mkey, const uint8_t *list, uint32_t octowords)
{
    uint32_t num = (uint32_t)prm_get(list, prm_wqe_repeat_num_ent);

    if (num == 0 || num + 1 > octowords)
        return false;
    mkey->kind = MKEY_STRIDED;
    mkey->repeat = prm_get(list, prm_wqe_repeat_repeat_count);
    mkey->num_entries = num;
    for (uint32_t i = 0; i < num; i++) {
        const uint8_t *at = list + (i + 1) * OCTOWORD;

        mkey->entries[i] = (struct hca_klm){
            .bytes = (uint32_t)prm_get(at, prm_wqe_stride_byte_count),
            .stride = (uint32_t)prm_get(at, prm_wqe_stride_stride),
            .key = (uint32_t)prm_get(at, prm_wqe_stride_mkey),
            .addr = prm_get(at, prm_wqe_stride_addr) };
    }
    return true;
}

static bool set_list(struct hca_mkey *mkey, const uint8_t *list, uint32_t octowords, uint32_t from)
{
    if (mkey->kind == MKEY_STRIDED)
        mkey->kind = MKEY_KLM;
    for (uint32_t i = 0; i < octowords; i++) {
        const uint8_t *at = list + i * OCTOWORD;

        mkey->entries[from + i] = (struct hca_klm){
            .bytes = (uint32_t)prm_get(at, prm_klm_byte_count),
            .key = (uint32_t)prm_get(at, prm_klm_mkey), .addr = prm_get(at, prm_klm_address) };
    }
    if (from == 0 || from + octowords > mkey->num_entries)
        mkey->num_entries = from + octowords;
    return true;
}

static uint32_t set_bit(uint32_t access, uint32_t bit, bool on)
{
    return on ? access | bit : access & ~bit;
}

static void set_context(struct hca_mkey *mkey, const uint8_t *context, uint64_t mask)
{
    if (mask & MASK_LEN)
        mkey->len = prm_get(context, prm_wqe_mkey_len);
    if (mask & MASK_START_ADDR)
        mkey->iova = prm_get(context, prm_wqe_mkey_start_addr);
    if (mask & MASK_MKEY)
        mkey->object.number = (mkey->object.number & ~0xffu) |
                              (uint32_t)prm_get(context, prm_wqe_mkey_mkey_7_0);
    if (mask & MASK_QPN)
        mkey->qpn = (uint32_t)prm_get(context, prm_wqe_mkey_qpn);
    if (mask & MASK_LR)
        mkey->access = set_bit(mkey->access, HCA_LOCAL_READ, prm_get(context, prm_wqe_mkey_lr));
    if (mask & MASK_LW)
        mkey->access = set_bit(mkey->access, HCA_LOCAL_WRITE, prm_get(context, prm_wqe_mkey_lw));
    if (mask & MASK_RR)
        mkey->access = set_bit(mkey->access, HCA_REMOTE_READ, prm_get(context, prm_wqe_mkey_rr));
    if (mask & MASK_RW)
        mkey->access = set_bit(mkey->access, HCA_REMOTE_WRITE, prm_get(context, prm_wqe_mkey_rw));
    if (mask & MASK_A)
        mkey->access = set_bit(mkey->access, HCA_ATOMIC, prm_get(context, prm_wqe_mkey_a));
    if (mask & MASK_FREE)
        mkey->free = prm_get(context, prm_wqe_mkey_free);
}

int umr_execute(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome)
{
    const uint8_t *umr = wqe->bytes + UMR_CTRL, *context = wqe->bytes + UMR_MKEY, *list;
    uint32_t octowords = (uint32_t)prm_get(umr, prm_wqe_umr_klm_octowords), from = 0;
    uint32_t key = (uint32_t)prm_get(wqe->bytes, prm_wqe_ctrl_imm);
    bool offset = prm_get(umr, prm_wqe_umr_trans_off);
    struct hca_mkey *mkey = hca_mkey_find(qp->object.function, key);

    if (wqe->ds * 16 < UMR_LIST)
        return refuse(qp, wqe, outcome, "the WQE is too short");
    if (!mkey || !mkey->umr || mkey->pd != qp->pd)
        return refuse(qp, wqe, outcome, "the key does not exist, does not allow UMR, or belongs "
                      "to another PD");
    if (prm_get(umr, prm_wqe_umr_check_free) && !mkey->free)
        return refuse(qp, wqe, outcome, "the key is not free");
    if (prm_get(umr, prm_wqe_umr_check_qpn) && mkey->qpn != HCA_ANY_QP &&
        mkey->qpn != qp->object.number)
        return refuse(qp, wqe, outcome, "the key is bound to another QP");
    if (!offset && prm_get(umr, prm_wqe_umr_bsf_octowords))
        return refuse(qp, wqe, outcome, "signature and encryption (BSF) are not supported");
    if (offset)
        from = (uint32_t)prm_get(umr, prm_wqe_umr_bsf_octowords);
    if (octowords) {
        if (from + octowords > mkey->max_entries)
            return refuse(qp, wqe, outcome, "the WQE has more translations than the key can hold");
        list = load_list(qp, wqe, octowords);
        if (!list || !room(mkey))
            return refuse(qp, wqe, outcome, "the list of translations cannot be read");
        if (from == 0 && prm_get(list, prm_wqe_repeat_op) == REPEAT_OP) {
            if (!set_strided(mkey, list, octowords))
                return refuse(qp, wqe, outcome, "the repeated block is empty or not complete");
        } else {
            set_list(mkey, list, octowords, from);
        }
    }
    set_context(mkey, context, prm_get(umr, prm_wqe_umr_mkey_mask));
    return WQE_DONE;
}

bool umr_invalidate(struct hca_qp *qp, uint32_t key)
{
    struct hca_mkey *mkey = hca_mkey_find(qp->object.function, key);

    if (!mkey || mkey->pd != qp->pd || !mkey->umr || !mkey->remote_invalidate || mkey->free)
        return false;
    mkey->free = true;
    return true;
}
