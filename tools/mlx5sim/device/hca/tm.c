/*
 * Tag matching. A message begins with a header (TMH) that has a tag. The list of an SRQ has tags
 * with masks and buffers. The first entry that matches takes the message; the SRQ's receive WQEs
 * take the others. A rendezvous request names memory of the sender, which the device reads into the
 * buffer; then it sends a message (FIN) to the sender.
 *
 * The device counts the messages with a tag that match no entry, and the program tells how many of
 * them it has handled. While the two numbers differ, added entries do not match: one of these
 * messages may be for them.
 */
#include "device/hca/tm.h"
#include "device/hca/events.h"
#include "device/hca/mkey.h"
#include "device/hca/peer.h"
#include "device/machine/log.h"
#include "wire/prm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rdma/ib_user_ioctl_verbs.h>

enum {
    SEG = 16, TMH = 16, REQUEST = 32,           /* bytes: a segment, a TMH, a TMH with an RVH */
    TMH_RENDEZVOUS = 1, TMH_FIN = 2, TMH_EAGER = 3,     /* opcodes of a TMH */
    OP_NOP = 0, OP_APPEND = 1, OP_REMOVE = 2,   /* opcodes of a WQE */
    SW_CNT = 1 << 6, CQE_REQ = 1 << 7,          /* flags of a WQE */
    APP_TAG_MATCHING = 1, SUCCESS = 1,
    CONSUMED = 1, EXPECTED = 2, UNEXPECTED = 3, APPENDED = 5, REMOVED = 6, NOOP = 7,
    CONSUMED_SW_RENDEZVOUS = 11, CONSUMED_MESSAGE = 10, /* values of app_op in a CQE */
    FIN_RETRY_NS = 200000
};

struct tm_entry {
    bool is_used;
    bool is_active;             /* matches messages */
    uint64_t tag, mask, addr;
    uint32_t lkey, len;
    uint64_t serial;            /* order in which the entries were added */
};

struct hca_tm {
    uint32_t num;
    uint16_t next;              /* index of the next entry that is added */
    uint16_t num_unexpected;    /* messages with a tag that matched no entry */
    uint16_t num_handled;       /* unexpected messages that the program has handled */
    uint64_t last_serial;
    struct tm_entry entries[1 << TM_LOG_MAX_TAGS];
};

/* Memory of the device process for headers, as a space. */
static struct {
    uint8_t header[REQUEST];
    uint8_t fin[TMH];
} tm_memory;

static struct sim_space tm_space = { .pidfd = -1, .base = (uint8_t *)&tm_memory,
                                     .len = sizeof(tm_memory), .refs = 1 };

static struct hca_pieces buffer, remote, rest;

int tm_create(struct hca_srq *srq, uint32_t num_tags)
{
    unsigned log = 0;

    while (num_tags >> log > 1)
        log++;
    if (num_tags == 0 || log + 1 > TM_LOG_MAX_TAGS)
        return EINVAL;
    srq->tm = calloc(1, sizeof(*srq->tm));
    if (!srq->tm)
        return ENOMEM;
    srq->tm->num = 1u << (log + 1);
    return 0;
}

/* ---- WQEs ----------------------------------------------------------------------------------- */

void tm_mark(struct hca_srq *srq, uint8_t app_op, struct hca_cqe *cqe)
{
    prm_set(cqe->bytes, prm_cqe_app, APP_TAG_MATCHING);
    prm_set(cqe->bytes, prm_cqe_app_op, app_op);
    if (app_op == UNEXPECTED)
        srq->tm->num_unexpected++;
}

/* True when the program has handled all unexpected messages. Entries that are added while this is
 * false stay inactive until it is true. */
static bool in_step(const struct hca_tm *tm)
{
    return tm->num_unexpected == tm->num_handled;
}

static void set_handled(struct hca_tm *tm, uint16_t num)
{
    tm->num_handled = num;
    for (uint32_t i = 0; i < tm->num && in_step(tm); i++)
        tm->entries[i].is_active = tm->entries[i].is_used;
}

/* Adds an entry. False when the list is full, or when the WQE names no valid next entry. */
static bool append(struct hca_tm *tm, const uint8_t *seg, const uint8_t *data)
{
    struct tm_entry *entry = &tm->entries[tm->next];
    uint16_t next = (uint16_t)prm_get(seg, prm_wqe_tm_index);

    if (entry->is_used || next >= tm->num)
        return false;
    *entry = (struct tm_entry){ .is_used = true, .is_active = in_step(tm),
        .tag = prm_get(seg, prm_wqe_tm_append_tag), .mask = prm_get(seg, prm_wqe_tm_append_mask),
        .lkey = (uint32_t)prm_get(data, prm_wqe_data_lkey),
        .addr = prm_get(data, prm_wqe_data_addr),
        .len = (uint32_t)prm_get(data, prm_wqe_data_byte_count), .serial = ++tm->last_serial };
    tm->next = next;
    return true;
}

static void complete_op(struct hca_qp *qp, const struct hca_wqe *wqe, uint8_t app_op,
                        uint16_t entry, bool success)
{
    struct hca_srq *srq = qp->srq;
    struct hca_cqe cqe = { { 0 } };

    tm_mark(srq, app_op, &cqe);
    prm_set(cqe.bytes, prm_cqe_app_info, entry);
    prm_set(cqe.bytes, prm_cqe_tm_success, success);
    prm_set(cqe.bytes, prm_cqe_tm_hw_phase_cnt, srq->tm->num_unexpected);
    prm_set(cqe.bytes, prm_cqe_user_index, srq->uidx);
    prm_set(cqe.bytes, prm_cqe_qpn, qp->object.number);
    prm_set(cqe.bytes, prm_cqe_wqe_counter, wqe->index);
    prm_set(cqe.bytes, prm_cqe_opcode, PRM_CQE_NO_PACKET);
    cqe_put(srq->cq, &cqe, false);
}

int tm_execute(struct hca_qp *qp, const struct hca_wqe *wqe, struct hca_outcome *outcome)
{
    const uint8_t *seg = wqe->bytes + SEG, *data = seg + 2 * SEG;
    unsigned op = (unsigned)prm_get(seg, prm_wqe_tm_opcode);
    struct hca_tm *tm = qp->srq ? qp->srq->tm : NULL;
    unsigned flags = (unsigned)prm_get(seg, prm_wqe_tm_flags);
    uint16_t index = (uint16_t)prm_get(seg, prm_wqe_tm_index);
    uint8_t app_op = op == OP_APPEND ? APPENDED : op == OP_REMOVE ? REMOVED : NOOP;
    bool success = true;

    outcome->syndrome = PRM_SYND_LOCAL_QP_OP;
    if (!tm || op > OP_REMOVE || wqe->ds < (op == OP_APPEND ? 4u : 3u) ||
        (op == OP_REMOVE && index >= tm->num))
        return WQE_DONE;
    if (flags & SW_CNT)
        set_handled(tm, (uint16_t)prm_get(seg, prm_wqe_tm_sw_cnt));
    if (op == OP_APPEND) {
        index = tm->next;
        if (!append(tm, seg, data))
            return WQE_DONE;
    } else if (op == OP_REMOVE) {
        success = tm->entries[index].is_used;
        tm->entries[index].is_used = tm->entries[index].is_active = false;
    }
    outcome->syndrome = 0;
    if (flags & CQE_REQ)
        complete_op(qp, wqe, app_op, index, success);
    return WQE_DONE;
}

/* ---- messages ------------------------------------------------------------------------------- */

/* Copies the first `bytes` bytes of a message to tm_memory.header, which is at address 0 of
 * tm_space. */
static bool read_header(const struct hca_pieces *message, uint64_t bytes)
{
    struct hca_piece piece = { &tm_space, 0, bytes };
    const struct hca_pieces header = { &piece, 1, 1, bytes };

    return hca_pieces_copy(&header, 0, message, bytes) == 0;
}

static bool matches(const struct tm_entry *entry, uint64_t tag)
{
    return entry->is_active && ((entry->tag ^ tag) & entry->mask) == 0;
}

/* Returns the oldest entry that matches the tag, or NULL. */
static struct tm_entry *find(struct hca_tm *tm, uint64_t tag)
{
    struct tm_entry *found = NULL;

    for (struct tm_entry *entry = tm->entries; entry < tm->entries + tm->num; entry++)
        if (matches(entry, tag) && (!found || entry->serial < found->serial))
            found = entry;
    return found;
}

/* Copies the message without its TMH into the buffer of the entry. */
static enum tm_result copy_rest(const struct hca_pieces *message)
{
    uint64_t skip = TMH;
    int err;

    if (message->len - TMH > buffer.len)
        return TM_INVALID;
    rest.num = 0;
    rest.len = 0;
    for (uint32_t i = 0; i < message->num; i++) {
        const struct hca_piece *piece = &message->piece[i];

        if (piece->len > skip &&
            !hca_pieces_add(&rest, piece->space, piece->addr + skip, piece->len - skip))
            return TM_INVALID;
        skip -= skip < piece->len ? skip : piece->len;
    }
    err = hca_pieces_copy(&buffer, 0, &rest, rest.len);
    return err == 0 ? TM_TAKEN : err == EFAULT ? TM_UNREADABLE : TM_INVALID;
}

/* Reads the memory that the request in `header` names. It is assumed that a QP that forbids reads
 * forbids this one, too. */
static bool read_remote(struct hca_qp *from)
{
    uint32_t key = (uint32_t)prm_get(tm_memory.header, prm_wqe_rvh_rkey);
    const struct hca_mkey *mkey = hca_mkey_find(from->object.function, key);
    uint64_t len = prm_get(tm_memory.header, prm_wqe_rvh_len);

    remote.num = 0;
    remote.len = 0;
    if (mkey && mkey->qpn != HCA_ANY_QP && mkey->qpn != from->object.number)
        return false;           /* a memory window of another QP */
    return hca_qp_allows(from, IB_UVERBS_ACCESS_REMOTE_READ) && len <= buffer.len &&
           len <= 1ull << machine.profile.log_max_msg &&
           hca_mkey_map(from->object.function, from->pd, key,
                        prm_get(tm_memory.header, prm_wqe_rvh_va), len, HCA_REMOTE_READ,
                        &remote) &&
           hca_pieces_copy(&buffer, 0, &remote, len) == 0;
}

/* Writes a CQE for the message; with the TMH, if the message matched with this CQE. */
static void complete_tag(const struct hca_responder *to, const struct tm_entry *entry,
                         const struct hca_cqe *common, uint8_t app_op, uint64_t bytes,
                         bool solicited)
{
    struct hca_cqe cqe = *common;

    tm_mark(to->srq, app_op, &cqe);
    if (app_op != EXPECTED)
        memcpy(cqe.bytes, tm_memory.header, TMH);
    else
        memset(cqe.bytes, 0, TMH);
    prm_set(cqe.bytes, prm_cqe_app_info, (uint64_t)(entry - to->srq->tm->entries));
    prm_set(cqe.bytes, prm_cqe_byte_cnt, bytes);
    if (app_op == CONSUMED)     /* the data come later */
        prm_set(cqe.bytes, prm_cqe_opcode, PRM_CQE_NO_PACKET);
    cqe_put(to->cq, &cqe, solicited);
}

/* Executes a rendezvous request. If the device cannot read the memory of the sender, the buffer
 * gets the request, and the program must do the rest. */
static enum tm_result rendezvous(struct hca_qp *from, const struct hca_responder *to,
                                 struct tm_entry *entry, const struct hca_pieces *message,
                                 const struct hca_cqe *cqe, bool solicited)
{
    enum tm_result result;

    if (message->len < REQUEST || message->len > TM_MAX_RENDEZVOUS || from->has_fin)
        return TM_INVALID;
    if (!read_header(message, REQUEST))
        return TM_UNREADABLE;
    if (!read_remote(from)) {
        result = copy_rest(message);
        if (result == TM_TAKEN)
            complete_tag(to, entry, cqe, CONSUMED_SW_RENDEZVOUS, message->len - TMH, solicited);
        return result;
    }
    complete_tag(to, entry, cqe, CONSUMED, message->len - TMH, false);
    complete_tag(to, entry, cqe, EXPECTED, prm_get(tm_memory.header, prm_wqe_rvh_len), solicited);
    memcpy(from->fin, tm_memory.header, TMH);
    from->fin[0] = TMH_FIN;
    from->has_fin = true;
    return TM_TAKEN;
}

/* It is assumed that the receiver refuses a message that is too long for the buffer of its tag. */
enum tm_result tm_receive(struct hca_qp *from, const struct hca_responder *to,
                          const struct hca_pieces *message, struct hca_cqe *cqe, bool solicited,
                          uint8_t *app_op)
{
    enum tm_result result;
    struct tm_entry *entry;

    *app_op = TM_NO_TAG;
    if (message->len < TMH)
        return TM_FOR_SRQ;
    if (!read_header(message, TMH))
        return TM_UNREADABLE;
    if (tm_memory.header[0] != TMH_EAGER && tm_memory.header[0] != TMH_RENDEZVOUS)
        return TM_FOR_SRQ;
    entry = find(to->srq->tm, prm_get(tm_memory.header, prm_wqe_tmh_tag));
    if (!entry) {
        *app_op = UNEXPECTED;
        return TM_FOR_SRQ;
    }
    buffer.num = 0;
    buffer.len = 0;
    if (entry->len && entry->lkey != PRM_INVALID_LKEY &&
        !hca_mkey_map(to->qp->object.function, to->srq->pd, entry->lkey, entry->addr, entry->len,
                      HCA_LOCAL_WRITE, &buffer))
        return TM_INVALID;
    if (tm_memory.header[0] == TMH_RENDEZVOUS) {
        result = rendezvous(from, to, entry, message, cqe, solicited);
    } else {
        result = copy_rest(message);
        if (result == TM_TAKEN)
            complete_tag(to, entry, cqe, CONSUMED_MESSAGE, message->len - TMH, solicited);
    }
    if (result == TM_TAKEN)
        entry->is_used = entry->is_active = false;
    return result;
}

/* ---- end of a rendezvous -------------------------------------------------------------------- */

bool tm_deliver_fin(struct hca_qp *qp)
{
    static struct hca_receive receive;
    struct hca_outcome failed = { .syndrome = PRM_SYND_LOCAL_PROT };
    struct hca_piece piece = { &tm_space, REQUEST, TMH };
    const struct hca_pieces fin = { &piece, 1, 1, TMH };
    struct hca_cqe cqe = { { 0 } };
    struct hca_responder to;
    enum hca_take take;

    peer_self(qp, &to);
    take = hca_take_receive(&to, &receive);
    if (take == TAKE_EMPTY) {
        qp->wake = sim_now() + FIN_RETRY_NS;
        return false;
    }
    qp->has_fin = false;
    memcpy(tm_memory.fin, qp->fin, TMH);
    if (take == TAKE_OK && receive.room < TMH)
        failed.syndrome = PRM_SYND_LOCAL_LENGTH;
    if (take == TAKE_BAD || receive.room < TMH ||
        hca_pieces_copy(&receive.pieces, 0, &fin, TMH)) {
        hca_qp_receive_error(qp, to.cq, to.uidx, receive.index, &failed);
        hca_qp_to_error(qp);
        return true;
    }
    if (to.srq && to.srq->tm)
        tm_mark(to.srq, TM_NO_TAG, &cqe);
    prm_set(cqe.bytes, prm_cqe_rqpn, qp->attr.dest_qp_num);
    prm_set(cqe.bytes, prm_cqe_user_index, to.uidx);
    prm_set(cqe.bytes, prm_cqe_byte_cnt, TMH);
    prm_set(cqe.bytes, prm_cqe_qpn, qp->object.number);
    prm_set(cqe.bytes, prm_cqe_wqe_counter, receive.index);
    prm_set(cqe.bytes, prm_cqe_opcode, PRM_CQE_RESP_SEND);
    cqe_put(to.cq, &cqe, false);
    return true;
}
