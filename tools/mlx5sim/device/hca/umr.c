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
    OCTOWORD = 16, MAX_OCTOWORDS = 0xffff,
    REPEAT_OP = 0x400           /* in the first entry: the list is a repeated block */
};

/* mkey_mask: the fields of the mkey that the WQE changes */
#define MASK_LEN (1ull << 0)
#define MASK_ENTITY_SIZE (1ull << 1)
#define MASK_START_ADDR (1ull << 6)
#define MASK_PD (1ull << 7)
#define MASK_EN_RINVAL (1ull << 8)
#define MASK_SIG_ERR (1ull << 9)
#define MASK_BSF_EN (1ull << 12)
#define MASK_MKEY (1ull << 13)
#define MASK_QPN (1ull << 14)
#define MASK_LR (1ull << 17)
#define MASK_LW (1ull << 18)
#define MASK_RR (1ull << 19)
#define MASK_RW (1ull << 20)
#define MASK_A (1ull << 21)
#define MASK_RELAXED_WRITE (1ull << 25)
#define MASK_FREE (1ull << 29)
#define MASK_RELAXED_READ (1ull << 47)
#define MASK_SUPPORTED (MASK_LEN | MASK_ENTITY_SIZE | MASK_START_ADDR | MASK_PD | MASK_EN_RINVAL | \
                        MASK_MKEY | MASK_QPN | MASK_LR | MASK_LW | MASK_RR | MASK_RW | MASK_A | \
                        MASK_RELAXED_WRITE | MASK_FREE | MASK_RELAXED_READ | \
                        MASK_SIG_ERR | MASK_BSF_EN)

static int refuse(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome,
                  const char *why)
{
    sim_log(SIM_INFO, "%s: QP %#x: UMR WQE %u: %s", qp->object.function->name,
            qp->object.number, wqe->index, why);
    outcome->syndrome = PRM_SYND_MW_BIND;
    return WQE_DONE;
}

/* Reads the list of translations from the WQE, or from memory that the WQE refers to. NULL when it
 * cannot be read. It is assumed that this memory must be pinned. */
static uint8_t *load_list(struct hca_qp *qp, const struct hca_wqe *wqe, uint32_t octowords)
{
    static uint8_t list[MAX_OCTOWORDS * OCTOWORD];
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
                      prm_get(at, prm_wqe_data_addr), bytes, HCA_LOCAL_READ | HCA_PINNED,
                      &pieces))
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
    if (mask & MASK_ENTITY_SIZE)
        mkey->log_entity_size = (uint32_t)prm_get(context, prm_wqe_mkey_log_entity_size);
    if (mask & MASK_EN_RINVAL)
        mkey->remote_invalidate = prm_get(context, prm_wqe_mkey_en_rinval);
    if (mask & MASK_RELAXED_WRITE)
        mkey->relaxed_write = prm_get(context, prm_wqe_mkey_relaxed_ordering_write);
    if (mask & MASK_RELAXED_READ)
        mkey->relaxed_read = prm_get(context, prm_wqe_mkey_relaxed_ordering_read);
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
    if (mask & MASK_BSF_EN)
        mkey->sig.enabled = prm_get(context, prm_wqe_mkey_bsf_en);
    if (mask & MASK_SIG_ERR)    /* the count of errors; it is assumed that every value does */
        mkey->sig.has_failed = false;
}

/* Returns the reason why the WQE may not change the fields of the mkey that its mask names, or
 * NULL. The refusals are assumed. */
static const char *wrong_fields(const struct hca_qp *qp, const uint8_t *context, uint64_t mask)
{
    if (mask & ~MASK_SUPPORTED)
        return "the mask has a field of the mkey that is not supported";
    if (mask & MASK_PD && prm_get(context, prm_wqe_mkey_pd) != qp->pd->object.number)
        return "the mkey cannot move to the PD of another QP";
    return NULL;
}

/* Loads the descriptions of a BSF: of signatures, of encryption, or of both. */
static const char *load_descriptions(const struct hca_pd *pd, const uint8_t *bsf, bool both,
                                     const struct hca_mkey *mkey, struct hca_signature *sig,
                                     struct hca_crypto *crypto)
{
    bool only_crypto = !both && prm_get(bsf, prm_wqe_bsf_crypto_type);
    const char *wrong = NULL;

    if ((both || only_crypto) && !mkey->may_encrypt)
        return "the key was not made for encryption";
    if (!only_crypto)
        wrong = signature_load(sig, pd, bsf, both ? BSF_SIZE_TWO : BSF_SIZE_ONE);
    if (!wrong && (both || only_crypto))
        wrong = crypto_load(crypto, pd, both ? bsf + BSF_BYTES : bsf,
                            both ? BSF_SIZE_TWO : BSF_SIZE_ONE);
    if (!wrong && both && crypto->before_signature == crypto->encrypt_on_tx &&
        sig->memory.block && sig->wire.block)
        wrong = "this order does not allow signatures in memory and on the wire";
    return wrong;
}

/* Loads the BSF behind an inline list of translations. Returns the reason of a refusal, or NULL. */
static const char *load_bsf(const struct hca_qp *qp, const struct hca_wqe *wqe,
                            const struct hca_mkey *mkey, uint32_t list, struct hca_signature *sig,
                            struct hca_crypto *crypto)
{
    const uint8_t *umr = wqe->bytes + UMR_CTRL, *context = wqe->bytes + UMR_MKEY;
    uint32_t octowords = prm_get(umr, prm_wqe_umr_trans_off)
        ? 0 : (uint32_t)prm_get(umr, prm_wqe_umr_bsf_octowords);
    bool enables = prm_get(umr, prm_wqe_umr_mkey_mask) & MASK_BSF_EN &&
                   prm_get(context, prm_wqe_mkey_bsf_en);
    size_t at = UMR_LIST + (size_t)list * OCTOWORD;

    if (octowords == 0)
        return enables && !sig->is_set && !crypto->is_set
            ? "the key has neither signature nor encryption that could be turned on" : NULL;
    if (octowords > mkey->bsf_octowords)
        return "the key has no room for this BSF";
    if (octowords * OCTOWORD != BSF_BYTES && octowords * OCTOWORD != BSF_BYTES + CRYPTO_BSF_BYTES)
        return "the BSF does not have the length of a signature, an encryption, or both";
    if (!prm_get(umr, prm_wqe_umr_inline_) || at + octowords * OCTOWORD > wqe->ds * 16)
        return "the BSF is not in the WQE";
    return load_descriptions(qp->pd, wqe->bytes + at, octowords * OCTOWORD > BSF_BYTES, mkey, sig,
                             crypto);
}

int umr_execute(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome)
{
    const uint8_t *umr = wqe->bytes + UMR_CTRL, *context = wqe->bytes + UMR_MKEY, *list;
    uint32_t octowords = (uint32_t)prm_get(umr, prm_wqe_umr_klm_octowords);
    uint32_t key = (uint32_t)prm_get(wqe->bytes, prm_wqe_ctrl_imm);
    uint64_t from = 0, mask = prm_get(umr, prm_wqe_umr_mkey_mask);
    bool offset = prm_get(umr, prm_wqe_umr_trans_off);
    struct hca_mkey *mkey = hca_mkey_of_index(qp->object.function, key);
    struct hca_signature sig;
    struct hca_crypto crypto;
    const char *wrong;

    if (wqe->ds * 16 < UMR_LIST)
        return refuse(qp, wqe, outcome, "the WQE is too short");
    wrong = wrong_fields(qp, context, mask);
    if (wrong)
        return refuse(qp, wqe, outcome, wrong);
    if (!mkey || !mkey->umr || mkey->pd != qp->pd)
        return refuse(qp, wqe, outcome, "the key does not exist, does not allow UMR, or belongs "
                      "to another PD");
    if (prm_get(umr, prm_wqe_umr_check_free) && !mkey->free)
        return refuse(qp, wqe, outcome, "the key is not free");
    if (prm_get(umr, prm_wqe_umr_check_qpn) && mkey->qpn != HCA_ANY_QP &&
        mkey->qpn != qp->object.number)
        return refuse(qp, wqe, outcome, "the key is bound to another QP");
    sig = mkey->sig;
    crypto = mkey->crypto;
    wrong = load_bsf(qp, wqe, mkey, octowords, &sig, &crypto);
    if (wrong)
        return refuse(qp, wqe, outcome, wrong);
    if (offset)
        from = prm_get(umr, prm_wqe_umr_xlt_offset_47_16) << 16 |
               prm_get(umr, prm_wqe_umr_bsf_octowords);
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
            set_list(mkey, list, octowords, (uint32_t)from);
        }
    }
    mkey->sig = sig;
    mkey->crypto = crypto;
    set_context(mkey, context, mask);
    return WQE_DONE;
}

int umr_set_psv(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome)
{
    const uint8_t *seg = wqe->bytes + UMR_CTRL;
    struct hca_psv *psv = wqe->ds * 16 < UMR_CTRL + OCTOWORD ? NULL :
        hca_psv_find(qp->pd, (uint32_t)prm_get(seg, prm_wqe_psv_psv_index));

    if (!psv)
        return refuse(qp, wqe, outcome, "the PSV does not exist, or belongs to another PD");
    psv->value = prm_get(seg, prm_wqe_psv_transient_signature);
    return WQE_DONE;
}

bool umr_invalidate(struct sim_function *function, const struct hca_pd *pd, uint32_t key)
{
    struct hca_mkey *mkey = hca_mkey_find(function, key);

    if (!mkey || mkey->pd != pd || !mkey->umr || !mkey->remote_invalidate || mkey->free)
        return false;
    mkey->free = true;
    return true;
}
