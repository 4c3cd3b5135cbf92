/*
 * Memory-to-memory operations: DMA and SHA of the BlueField engines.
 *
 * The WQE has one basic block: control segment, opaque buffer, gather segment, scatter segment.
 */
#include "device/hca/mmo.h"
#include "device/hca/mkey.h"
#include "device/hca/sha.h"
#include "device/machine/log.h"
#include "wire/prm.h"

#include <rdma/ib_user_ioctl_verbs.h>

enum {
    OPMOD_SHA = 0, OPMOD_DMA = 1,
    GATHER = 32, SCATTER = 48, OPAQUE_BYTES = 64
};

static struct hca_pieces gather, scatter, opaque;

static int fail(struct hca_outcome *outcome, uint8_t syndrome)
{
    outcome->syndrome = syndrome;
    return WQE_DONE;
}

/* Translates a range into an empty list of pieces. The key must belong to the QP's PD, as for any
 * other local access. It is assumed that the engines cannot use on-demand paging, because no
 * capability says that they can. */
static bool map(struct hca_qp *qp, uint32_t key, uint64_t addr, uint64_t len, uint32_t need,
                struct hca_pieces *pieces)
{
    pieces->num = 0;
    pieces->len = 0;
    return hca_mkey_map(qp->object.function, qp->pd, key, addr, len, need | HCA_PINNED, pieces);
}

static uint64_t segment_bytes(const uint8_t *segment)
{
    uint64_t bytes = prm_get(segment, prm_wqe_data_byte_count);

    return bytes ? bytes : 1ull << 31;
}

static bool map_segment(struct hca_qp *qp, const uint8_t *segment, uint32_t need,
                        struct hca_pieces *pieces)
{
    return map(qp, (uint32_t)prm_get(segment, prm_wqe_data_lkey),
               prm_get(segment, prm_wqe_data_addr), segment_bytes(segment), need, pieces);
}

/* Executes a DMA. The gather segment has the length of the copy; the scatter segment may be longer.
 * Assumed: the syndrome of a copy above the limit, and that the key of the destination must cover
 * all of the scatter segment. */
static int dma(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome)
{
    const uint8_t *from = wqe->bytes + GATHER, *to = wqe->bytes + SCATTER;
    unsigned log_max = machine.profile.log_dma_mmo_max_size;
    uint64_t bytes = segment_bytes(from);

    if (segment_bytes(to) < bytes || (log_max && bytes > 1ull << log_max))
        return fail(outcome, PRM_SYND_LOCAL_LENGTH);
    if (!map_segment(qp, from, HCA_LOCAL_READ, &gather) ||
        !map_segment(qp, to, HCA_LOCAL_WRITE, &scatter))
        return fail(outcome, PRM_SYND_LOCAL_PROT);
    if (hca_pieces_copy(&scatter, 0, &gather, bytes))
        return fail(outcome, PRM_SYND_LOCAL_PROT);
    outcome->bytes = (uint32_t)bytes;
    return WQE_DONE;
}

/*
 * Executes a SHA. All of the layout is assumed, because no public source describes a SHA WQE. Bits
 * 31..30 of the word after the control segment select the algorithm (0: SHA-1, 1: SHA-256,
 * 2: SHA-512). The gather segment is the message, the scatter segment receives the digest, and the
 * byte count of the CQE is the length of the digest.
 */
static int sha(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome)
{
    static const unsigned algorithms[4] = { 1, 256, 512, 0 };
    const uint8_t *from = wqe->bytes + GATHER, *to = wqe->bytes + SCATTER;
    unsigned log_max = machine.profile.log_sha_mmo_max_size;
    unsigned algorithm = algorithms[prm_get(wqe->bytes, prm_wqe_mmo_control) >> 30];
    uint8_t digest[64];
    int bytes;

    if (!machine.profile.sha || algorithm == 0)
        return fail(outcome, PRM_SYND_LOCAL_QP_OP);
    if (log_max && segment_bytes(from) > 1ull << log_max)
        return fail(outcome, PRM_SYND_LOCAL_LENGTH);
    if (!map_segment(qp, from, HCA_LOCAL_READ, &gather) ||
        !map_segment(qp, to, HCA_LOCAL_WRITE, &scatter))
        return fail(outcome, PRM_SYND_LOCAL_PROT);
    bytes = sha_digest(algorithm, &gather, digest);
    if (bytes < 0)
        return fail(outcome, PRM_SYND_LOCAL_PROT);
    if ((uint64_t)bytes > scatter.len)
        return fail(outcome, PRM_SYND_LOCAL_LENGTH);
    for (uint64_t i = 0, at = 0; i < scatter.num && at < (uint64_t)bytes; i++) {
        uint64_t left = (uint64_t)bytes - at;
        uint64_t n = scatter.piece[i].len < left ? scatter.piece[i].len : left;

        if (sim_write(scatter.piece[i].space, scatter.piece[i].addr, digest + at, n))
            return fail(outcome, PRM_SYND_LOCAL_PROT);
        at += n;
    }
    outcome->bytes = (uint32_t)bytes;
    return WQE_DONE;
}

int mmo_execute(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome)
{
    uint32_t key = (uint32_t)prm_get(wqe->bytes, prm_wqe_mmo_opaque_lkey);
    uint64_t addr = prm_get(wqe->bytes, prm_wqe_mmo_opaque_addr);

    if (!machine.profile.mmo || !qp->mmo || qp->type != IB_UVERBS_QPT_RC || wqe->ds != 4) {
        sim_log(SIM_INFO, "%s: QP %#x: MMO WQE %u: %s", qp->object.function->name,
                qp->object.number, wqe->index,
                !machine.profile.mmo ? "the device does not support MMO"
                : wqe->ds != 4       ? "it is not one basic block"
                                     : "the QP is not enabled for MMO");
        return fail(outcome, PRM_SYND_LOCAL_QP_OP);
    }
    if (wqe->opmod != OPMOD_DMA && wqe->opmod != OPMOD_SHA)
        return fail(outcome, PRM_SYND_LOCAL_QP_OP);
    if (!map(qp, key, addr, OPAQUE_BYTES, HCA_LOCAL_WRITE, &opaque))
        return fail(outcome, PRM_SYND_LOCAL_PROT);
    return wqe->opmod == OPMOD_DMA ? dma(qp, wqe, outcome) : sha(qp, wqe, outcome);
}
