/* Memory of a request, also through signature keys. */
#include "device/hca/stage.h"
#include "device/machine/log.h"
#include "wire/prm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rdma/ib_user_ioctl_verbs.h>

enum {
    MAX_ENTRIES = 64,           /* ranges of signature keys in one request */
    MAX_BYTES = 64 << 20,       /* bytes on the wire of all of them; a card has no such limit */
    DOMAIN_MEMORY = 1
};

struct entry {
    enum stage_side side;
    struct hca_mkey *key;
    bool write;
    uint64_t at, len;           /* the form on the wire: a range of `buffer` */
    uint64_t before;            /* bytes of the request before this range */
    struct hca_pieces memory;   /* of the key */
    struct sig_error error;
};

static struct entry entries[MAX_ENTRIES];
static unsigned num_entries;

/* Both buffers are local spaces, so that they can be pieces of a list. */
static struct sim_space buffer = { .pidfd = -1, .refs = 1 }, scratch = { .pidfd = -1, .refs = 1 };
static uint64_t buffer_used;

void stage_begin(void)
{
    num_entries = 0;
    buffer_used = 0;
}

static bool reserve(struct sim_space *space, uint64_t len)
{
    uint8_t *base;

    if (len <= space->len)
        return true;
    base = realloc(space->base, len);
    if (!base)
        return false;
    space->base = base;
    space->len = len;
    return true;
}

static bool refuse(const struct hca_mkey *key, const char *why)
{
    sim_log(SIM_INFO, "%s: mkey %#x: %s", key->object.function->name, key->object.number, why);
    return false;
}

/* Converts a message from memory to the wire or back: signatures and encryption. The steps to the
 * wire are those to memory in the other order. `in` is changed, too. */
static bool convert(struct entry *e, bool to_wire, uint8_t *in, uint64_t in_len, uint8_t *out,
                    uint64_t out_len)
{
    static const struct hca_signature none;
    const struct hca_crypto *crypto = &e->key->crypto;
    const struct hca_signature *sig = e->key->sig.is_set ? &e->key->sig : &none;
    bool encrypt = crypto->encrypt_on_tx == to_wire, first = crypto->before_signature == to_wire;

    if (crypto->is_set && first && !crypto_run(crypto, e->key->pd, in, in_len, encrypt))
        return false;
    signature_convert(sig, to_wire, in, in_len, out, out_len, &e->error);
    return !crypto->is_set || first || crypto_run(crypto, e->key->pd, out, out_len, encrypt);
}

/* Reads the memory of a key and converts it to the form on the wire. */
static bool read_entry(struct entry *e, uint64_t memory_len)
{
    const struct hca_piece piece = { &scratch, 0, memory_len };
    const struct hca_pieces to = { (struct hca_piece *)&piece, 1, 1, memory_len };

    if (!reserve(&scratch, memory_len))
        return refuse(e->key, "no memory is left for the data of a signature key");
    if (hca_pieces_copy(&to, 0, &e->memory, memory_len))
        return refuse(e->key, "the memory of the key cannot be read");
    if (!convert(e, true, scratch.base, memory_len, buffer.base + e->at, e->len))
        return refuse(e->key, "the data are not whole data units, or the DEK was destroyed");
    return true;
}

/* It is assumed that a message begins with a block, wherever it begins in the range of the key. */
static bool stage_key(enum stage_side side, struct hca_pd *pd, struct hca_mkey *key, uint64_t addr,
                      uint64_t len, uint32_t need, struct hca_pieces *pieces)
{
    const struct sig_domain *wire = &key->sig.wire, *memory = &key->sig.memory;
    uint64_t at = addr - key->iova, memory_len = signature_len(wire, memory, len);
    struct entry *e = &entries[num_entries];

    if (num_entries == MAX_ENTRIES || len > MAX_BYTES - buffer_used)
        return refuse(key, "the request has more data of signature keys than the emulator holds");
    if (need & HCA_ATOMIC)
        return refuse(key, "a signature key does not take atomics");
    if (addr < key->iova || (wire->block && at % (wire->block + wire->bytes)))
        return refuse(key, "the access does not begin with a block");
    if ((memory->block && !hca_psv_find(key->pd, memory->psv)) ||
        (wire->block && !hca_psv_find(key->pd, wire->psv)))
        return refuse(key, "a PSV of the key was destroyed");
    e->side = side;
    e->key = key;
    e->write = need & (HCA_LOCAL_WRITE | HCA_REMOTE_WRITE);
    e->at = buffer_used;
    e->len = len;
    e->before = pieces->len;
    e->memory.num = 0;
    e->memory.len = 0;
    e->error.found = false;
    if (!hca_mkey_map_blocks(key, pd, key->iova + signature_len(wire, memory, at), memory_len, need,
                             &e->memory) ||
        !reserve(&buffer, buffer_used + len))
        return false;
    if (!e->write && !read_entry(e, memory_len))
        return false;
    buffer_used += len;
    num_entries++;
    return hca_pieces_add(pieces, &buffer, e->at, len);
}

bool stage_map(enum stage_side side, const struct hca_qp *qp, struct hca_pd *pd, uint32_t key,
               uint64_t addr, uint64_t len, uint32_t need, struct hca_pieces *pieces)
{
    struct hca_mkey *mkey = hca_mkey_find(qp->object.function, key);

    if (mkey && mkey->sig.enabled && qp->type == IB_UVERBS_QPT_RC &&
        (mkey->crypto.is_set || !mkey->may_encrypt))
        return stage_key(side, pd, mkey, addr, len, need, pieces);
    return hca_mkey_map(qp->object.function, pd, key, addr, len, need, pieces);
}

int stage_commit(uint64_t len)
{
    for (unsigned i = 0; i < num_entries; i++) {
        struct entry *e = &entries[i];
        uint64_t wire_len = len > e->before ? len - e->before : 0, memory_len;
        struct hca_piece piece = { &scratch, 0, 0 };
        struct hca_pieces from = { &piece, 1, 1, 0 };

        if (!e->write)
            continue;
        if (wire_len > e->len)
            wire_len = e->len;
        memory_len = signature_len(&e->key->sig.wire, &e->key->sig.memory, wire_len);
        if (!reserve(&scratch, memory_len))
            return ENOMEM;
        if (!convert(e, false, buffer.base + e->at, wire_len, scratch.base, memory_len))
            return EINVAL;
        piece.len = from.len = memory_len;
        if (hca_pieces_copy(&e->memory, 0, &from, memory_len))
            return EACCES;
    }
    return 0;
}

static void report(const struct entry *e, const struct hca_qp *qp, struct hca_cq *cq)
{
    struct hca_cqe cqe = { { 0 } };

    prm_set(cqe.bytes, prm_cqe_sig_expected, e->error.expected >> 32);
    prm_set(cqe.bytes, prm_cqe_sig_actual, e->error.actual >> 32);
    prm_set(cqe.bytes, prm_cqe_sig_expected_low, e->error.expected & UINT32_MAX);
    prm_set(cqe.bytes, prm_cqe_sig_actual_low, e->error.actual & UINT32_MAX);
    prm_set(cqe.bytes, prm_cqe_sig_syndrome, e->error.syndrome);
    prm_set(cqe.bytes, prm_cqe_sig_domain, e->error.in_memory ? DOMAIN_MEMORY : 0);
    prm_set(cqe.bytes, prm_cqe_sig_mkey, e->key->object.number);
    prm_set(cqe.bytes, prm_cqe_sig_offset, e->error.offset);
    prm_set(cqe.bytes, prm_cqe_qpn, qp->object.number);
    prm_set(cqe.bytes, prm_cqe_opcode, PRM_CQE_SIG_ERR);
    cqe_put(cq, &cqe, false);
}

bool stage_report(enum stage_side side, const struct hca_qp *qp, struct hca_cq *cq)
{
    bool any = false;

    for (unsigned i = 0; i < num_entries; i++) {
        struct entry *e = &entries[i];

        if (e->side != side || !e->error.found)
            continue;
        any = true;
        sim_log(SIM_INFO, "%s: mkey %#x: wrong signature at byte %llu: %#llx, not %#llx",
                qp->object.function->name, e->key->object.number,
                (unsigned long long)e->error.offset, (unsigned long long)e->error.actual,
                (unsigned long long)e->error.expected);
        e->error.found = false;
        if (!e->key->sig.has_failed)
            report(e, qp, cq);
        e->key->sig.has_failed = true;
    }
    return any;
}
