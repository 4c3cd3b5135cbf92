/* Signatures of blocks: reads their description, checks and generates them. */
#include "device/hca/signature.h"
#include "wire/prm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { WIRE_INLINE = 32, MEMORY_INLINE = 48,
       FORMAT_CRC32 = 0x20, FORMAT_CRC32C = 0x40, FORMAT_CRC64 = 0x50, FORMAT_REPEAT = 2,
       FORMAT_SEED_0 = 1, DIF_CRC = 1, DIF_IP = 2, DIF_BYTES = 8,
       SYNDROME_REF = 1 << 11, SYNDROME_APP = 1 << 12, SYNDROME_GUARD = 1 << 13 };

/* ---- PSVs ----------------------------------------------------------------------------------- */

static void psv_release(struct hca_object *object)
{
    hca_unref(((struct hca_psv *)object)->pd);
}

int hca_psv_create(struct sim_client *client, struct hca_object *pd, struct hca_object **out)
{
    struct hca_psv *psv = calloc(1, sizeof(*psv));

    if (!psv || hca_add(&psv->object, HCA_PSV, client, psv_release)) {
        free(psv);
        return ENOMEM;
    }
    psv->pd = (struct hca_pd *)pd;
    hca_ref(pd);
    *out = &psv->object;
    return 0;
}

struct hca_psv *hca_psv_find(const struct hca_pd *pd, uint32_t number)
{
    struct hca_psv *psv = (struct hca_psv *)hca_find(HCA_PSV, number);

    return psv && psv->pd == pd ? psv : NULL;
}

/* ---- the BSF -------------------------------------------------------------------------------- */

uint32_t signature_block(unsigned selector)
{
    static const uint32_t blocks[] = { 0, 512, 520, 4096, 4160, 0, 4048 };

    return selector < sizeof(blocks) / sizeof(blocks[0]) ? blocks[selector] : 0;
}

static const char *load_dif(struct sig_domain *to, const uint8_t *inl)
{
    unsigned type = (unsigned)prm_get(inl, prm_wqe_bsf_inl_sig_type);

    if (!prm_get(inl, prm_wqe_bsf_inl_valid) || !prm_get(inl, prm_wqe_bsf_inl_repeat) ||
        (type != DIF_CRC && type != DIF_IP))
        return "the description of T10-DIF is not valid";
    to->kind = type == DIF_CRC ? GUARD_T10 : GUARD_IP;
    to->is_dif = true;
    to->bytes = DIF_BYTES;
    to->seed = prm_get(inl, prm_wqe_bsf_inl_seed) ? 0xffff : 0;
    to->app = (uint16_t)prm_get(inl, prm_wqe_bsf_inl_app_tag);
    to->app_mask = (uint16_t)prm_get(inl, prm_wqe_bsf_inl_app_mask);
    to->ref = (uint32_t)prm_get(inl, prm_wqe_bsf_inl_ref_tag);
    to->counts = prm_get(inl, prm_wqe_bsf_inl_inc_ref);
    to->escape_app = prm_get(inl, prm_wqe_bsf_inl_app_escape);
    to->escape_both = prm_get(inl, prm_wqe_bsf_inl_app_ref_escape);
    return NULL;
}

/* The device knows a CRC only when the format says that it repeats for each block. */
static const char *load_crc(struct sig_domain *to, unsigned format)
{
    switch (format & ~(unsigned)FORMAT_SEED_0) {
    case FORMAT_CRC32 | FORMAT_REPEAT: to->kind = GUARD_CRC32; break;
    case FORMAT_CRC32C | FORMAT_REPEAT: to->kind = GUARD_CRC32C; break;
    case FORMAT_CRC64 | FORMAT_REPEAT: to->kind = GUARD_CRC64; break;
    default: return "the format of the signature is not known";
    }
    to->bytes = to->kind == GUARD_CRC64 ? 8 : 4;
    to->seed = format & FORMAT_SEED_0 ? 0 : UINT64_MAX;
    return NULL;
}

/* Reads a domain. It has no signatures when neither a size of blocks nor a format is given. */
static const char *load_domain(struct sig_domain *to, const struct hca_pd *pd, unsigned block,
                               unsigned format, uint32_t psv, const uint8_t *inl)
{
    const char *wrong;

    *to = (struct sig_domain){ 0 };
    if (block == 0 && format == 0)
        return NULL;
    to->block = signature_block(block);
    if (to->block == 0)
        return "the size of the blocks is not known";
    wrong = format ? load_crc(to, format) : load_dif(to, inl);
    if (wrong)
        return wrong;
    to->psv = psv;
    return hca_psv_find(pd, psv) ? NULL : "the PSV does not exist, or belongs to another PD";
}

const char *signature_load(struct hca_signature *to, const struct hca_pd *pd, const uint8_t *bsf,
                           unsigned size)
{
    bool same = prm_get(bsf, prm_wqe_bsf_same);
    unsigned memory_block = (unsigned)prm_get(bsf, prm_wqe_bsf_mem);
    unsigned wire = (unsigned)prm_get(bsf, prm_wqe_bsf_wire);
    struct hca_signature sig = { .is_set = true, .enabled = to->enabled, .same = same,
        .has_failed = to->has_failed, .check = (uint8_t)prm_get(bsf, prm_wqe_bsf_check),
        .copy = same ? (uint8_t)wire : 0 };
    const char *wrong;

    if (prm_get(bsf, prm_wqe_bsf_size) != size)
        return "the size of the BSF is not supported";
    if (prm_get(bsf, prm_wqe_bsf_wire_transaction) || prm_get(bsf, prm_wqe_bsf_mem_transaction))
        return "signatures of whole transfers are not supported";
    wrong = load_domain(&sig.memory, pd, memory_block,
                        (unsigned)prm_get(bsf, prm_wqe_bsf_mem_format),
                        (uint32_t)prm_get(bsf, prm_wqe_bsf_mem_psv), bsf + MEMORY_INLINE);
    if (!wrong)
        wrong = load_domain(&sig.wire, pd, same ? memory_block : wire,
                            (unsigned)prm_get(bsf, prm_wqe_bsf_wire_format),
                            (uint32_t)prm_get(bsf, prm_wqe_bsf_wire_psv), bsf + WIRE_INLINE);
    if (!wrong && same && sig.memory.bytes != sig.wire.bytes)
        wrong = "the domains do not have the same signatures";
    if (!wrong)
        *to = sig;
    return wrong;
}

/* ---- conversion ----------------------------------------------------------------------------- */

/* A signature that is not complete at the end of a message has no data behind it. */
uint64_t signature_len(const struct sig_domain *from, const struct sig_domain *to, uint64_t len)
{
    uint64_t data = len;

    if (from->block) {
        uint64_t each = from->block + from->bytes, whole = len / each, rest = len % each;

        data = whole * from->block + (rest < from->block ? rest : from->block);
    }
    return to->block ? data + data / to->block * to->bytes : data;
}

/* A position in one form of the data. */
struct side {
    const struct sig_domain *domain;
    uint64_t at, len;
    uint64_t in_block;          /* bytes of data of the current block */
    uint32_t index;             /* of the block */
};

/* Returns the number of bytes of data up to the end of the block or of the form. */
static uint64_t room(const struct side *side)
{
    uint64_t left = side->len - side->at;

    if (side->domain->block && side->domain->block - side->in_block < left)
        left = side->domain->block - side->in_block;
    return left;
}

/* Advances by bytes of data. True when a block is complete. */
static bool advance(struct side *side, uint64_t bytes)
{
    side->at += bytes;
    side->in_block += bytes;
    return side->domain->block && side->in_block == side->domain->block;
}

/* Returns the signature of the block that ends at `end`, in the upper bits. */
static uint64_t generate(const struct side *side, const uint8_t *end)
{
    const struct sig_domain *d = side->domain;
    uint64_t guard = guard_of(d->kind, d->seed, end - d->block, d->block);

    if (d->is_dif)
        return guard << 48 | (uint64_t)d->app << 32 |
               (uint32_t)(d->ref + (d->counts ? side->index : 0));
    return d->bytes == 4 ? guard << 32 : guard;
}

/* Converts a mask with a bit for each byte of a signature to a mask of the signature. */
static uint64_t byte_mask(uint8_t bits)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < 8; i++)
        if (bits & 0x80 >> i)
            mask |= 0xffull << (56 - 8 * i);
    return mask;
}

static bool is_escaped(const struct sig_domain *d, uint64_t actual)
{
    bool app = (actual >> 32 & 0xffff) == 0xffff;

    return d->is_dif && app &&
           (d->escape_app || (d->escape_both && (uint32_t)actual == UINT32_MAX));
}

static void check(const struct side *side, bool in_memory, uint8_t mask, uint64_t expected,
                  uint64_t actual, struct sig_error *error)
{
    const struct sig_domain *d = side->domain;
    uint64_t bad = (expected ^ actual) & byte_mask(mask);

    if (d->bytes == 4)
        bad &= 0xffffffffull << 32;
    if (d->is_dif)
        bad &= ~((uint64_t)(uint16_t)~d->app_mask << 32);
    if (!bad || error->found || is_escaped(d, actual))
        return;
    *error = (struct sig_error){ .found = true, .in_memory = in_memory, .expected = expected,
        .actual = actual, .offset = side->at + d->bytes - 1, .syndrome = SYNDROME_GUARD };
    if (d->is_dif)
        error->syndrome = (uint16_t)((bad >> 48 ? SYNDROME_GUARD : 0) |
                                     (bad >> 32 & 0xffff ? SYNDROME_APP : 0) |
                                     ((uint32_t)bad ? SYNDROME_REF : 0));
}

static void next_block(struct side *side)
{
    uint64_t left = side->len - side->at;

    side->at += side->domain->bytes < left ? side->domain->bytes : left;
    side->in_block = 0;
    side->index++;
}

static uint64_t load(const uint8_t *bytes, unsigned num)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < num; i++)
        value |= (uint64_t)bytes[i] << (56 - 8 * i);
    return value;
}

/* Stores the signature of a block, or the part of it for which the form has room. */
static void store(const struct side *side, uint8_t *to, uint64_t value)
{
    for (unsigned i = 0; i < side->domain->bytes && side->at + i < side->len; i++)
        to[i] = (uint8_t)(value >> (56 - 8 * i));
}

void signature_convert(const struct hca_signature *sig, bool to_wire, const uint8_t *in,
                       uint64_t in_len, uint8_t *out, uint64_t out_len, struct sig_error *error)
{
    struct side from = { .domain = to_wire ? &sig->memory : &sig->wire, .len = in_len };
    struct side to = { .domain = to_wire ? &sig->wire : &sig->memory, .len = out_len };
    uint64_t copied = sig->same ? byte_mask(sig->copy) : 0, found = 0;

    for (;;) {
        uint64_t step = room(&from) < room(&to) ? room(&from) : room(&to);

        if (step == 0)
            return;
        memcpy(out + to.at, in + from.at, step);
        if (advance(&from, step)) {
            found = 0;
            if (from.len - from.at >= from.domain->bytes) {
                found = load(in + from.at, from.domain->bytes);
                check(&from, to_wire, sig->check, generate(&from, in + from.at), found, error);
            }
            next_block(&from);
        }
        if (advance(&to, step)) {
            uint64_t value = generate(&to, out + to.at);

            store(&to, out + to.at, (value & ~copied) | (found & copied));
            next_block(&to);
        }
    }
}
