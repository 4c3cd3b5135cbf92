/* Memory keys: making them, and finding the memory behind an address. */
#include "hca.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rdma/ib_user_ioctl_verbs.h>

enum {
    MAX_DEPTH = 4,              /* indirect keys of indirect keys */
    MAX_PIECES = 1 << 16,       /* of one message */
    MAX_STEPS = 1 << 20         /* entries looked at for one range */
};

/* ---- lists of memory ------------------------------------------------------------------------ */

bool hca_pieces_add(struct hca_pieces *pieces, struct sim_space *space, uint64_t addr,
                    uint64_t len)
{
    struct hca_piece *last = pieces->num ? &pieces->piece[pieces->num - 1] : NULL;

    if (len == 0)
        return true;
    pieces->len += len;
    if (last && last->space == space && last->addr + last->len == addr) {
        last->len += len;
        return true;
    }
    if (pieces->num == pieces->room) {
        uint32_t room = pieces->room ? pieces->room * 2 : 16;
        struct hca_piece *piece;

        if (room > MAX_PIECES)
            return false;
        piece = realloc(pieces->piece, room * sizeof(*piece));
        if (!piece)
            return false;
        pieces->piece = piece;
        pieces->room = room;
    }
    /* analyzer: core.NullDereference: there are pieces, unless room is 0 */
    pieces->piece[pieces->num++] = (struct hca_piece){ space, addr, len };
    return true;
}

int hca_pieces_copy(const struct hca_pieces *dst, uint64_t skip, const struct hca_pieces *src,
                    uint64_t len)
{
    uint32_t d = 0, s = 0;
    uint64_t d_at = skip, s_at = 0;

    while (len > 0) {
        uint64_t step = len;

        while (d < dst->num && d_at >= dst->piece[d].len)
            d_at -= dst->piece[d++].len;
        while (s < src->num && s_at >= src->piece[s].len)
            s_at -= src->piece[s++].len;
        if (d == dst->num || s == src->num)
            return EMSGSIZE;
        if (step > dst->piece[d].len - d_at)
            step = dst->piece[d].len - d_at;
        if (step > src->piece[s].len - s_at)
            step = src->piece[s].len - s_at;
        if (sim_copy(dst->piece[d].space, dst->piece[d].addr + d_at, src->piece[s].space,
                     src->piece[s].addr + s_at, step))
            return EFAULT;
        d_at += step;
        s_at += step;
        len -= step;
    }
    return 0;
}

/* ---- translation ---------------------------------------------------------------------------- */

struct walk {
    struct sim_function *function;
    struct hca_pd *pd;
    struct hca_pieces *pieces;
    unsigned depth, steps;
};

static bool map(struct walk *walk, struct hca_mkey *mkey, uint64_t addr, uint64_t len,
                uint32_t need);

static bool refuse(const struct walk *walk, const struct hca_mkey *mkey, const char *why)
{
    sim_log(SIM_INFO, "%s: mkey %#x: %s", walk->function->name, mkey->object.number, why);
    return false;
}

/* The answer of a device is an error completion. That the key was destroyed before its last use is
 * worth saying aloud to who asked for strictness. */
static bool missing(const struct sim_function *function, uint32_t key)
{
    bool was = hca_was_key(key);

    sim_log(was && machine.strict ? SIM_ERROR : SIM_INFO, "%s: mkey %#x %s", function->name, key,
            was ? "is used after it was destroyed" : "is not there");
    return false;
}

/* Keys below an indirect one are used locally, whatever the request was: reading and writing
 * are asked of them, remote rights are not. Assumed. */
static uint32_t need_below(uint32_t need)
{
    return need & (HCA_LOCAL_WRITE | HCA_REMOTE_WRITE | HCA_ATOMIC) ? HCA_LOCAL_WRITE
                                                                   : HCA_LOCAL_READ;
}

/* Entries of no or little length could keep the device busy for ever. */
static bool step(struct walk *walk, const struct hca_mkey *mkey)
{
    return ++walk->steps <= MAX_STEPS || refuse(walk, mkey, "has too many entries to go through");
}

/* analyzer: misc-no-recursion: no deeper than MAX_DEPTH */
static bool map_entry(struct walk *walk, const struct hca_klm *entry, uint64_t addr, uint64_t len,
                      uint32_t need)
{
    struct hca_mkey *below = hca_mkey_find(walk->function, entry->key);
    bool ok;

    if (!below)
        return missing(walk->function, entry->key);
    if (walk->depth == MAX_DEPTH)
        return refuse(walk, below, "too many indirect keys below one another");
    walk->depth++;
    ok = map(walk, below, addr, len, need_below(need));
    walk->depth--;
    return ok;
}

/* analyzer: misc-no-recursion: no deeper than MAX_DEPTH */
static bool map_klm(struct walk *walk, const struct hca_mkey *mkey, uint64_t at, uint64_t len,
                    uint32_t need)
{
    for (uint32_t i = 0; i < mkey->num_entries && len > 0; i++) {
        const struct hca_klm *entry = &mkey->entries[i];
        uint64_t bytes = entry->bytes ? entry->bytes : 1ull << 31;
        uint64_t part;

        if (!step(walk, mkey))
            return false;
        if (at >= bytes) {
            at -= bytes;
            continue;
        }
        part = bytes - at < len ? bytes - at : len;
        if (!map_entry(walk, entry, entry->addr + at, part, need))
            return false;
        at = 0;
        len -= part;
    }
    return len == 0 || refuse(walk, mkey, "the entries of the list end before the access");
}

/* analyzer: misc-no-recursion: no deeper than MAX_DEPTH */
static bool map_ksm(struct walk *walk, const struct hca_mkey *mkey, uint64_t at, uint64_t len,
                    uint32_t need)
{
    uint64_t size = 1ull << mkey->log_entity_size;

    while (len > 0) {
        uint64_t i = at >> mkey->log_entity_size, in = at & (size - 1);
        uint64_t part = size - in < len ? size - in : len;

        if (i >= mkey->num_entries)
            return refuse(walk, mkey, "the entries of the list end before the access");
        if (!step(walk, mkey) ||
            !map_entry(walk, &mkey->entries[i], mkey->entries[i].addr + in, part, need))
            return false;
        at += part;
        len -= part;
    }
    return true;
}

/* analyzer: misc-no-recursion: no deeper than MAX_DEPTH */
static bool map_strided(struct walk *walk, const struct hca_mkey *mkey, uint64_t at, uint64_t len,
                        uint32_t need)
{
    uint64_t block = 0;

    for (uint32_t i = 0; i < mkey->num_entries; i++)
        block += mkey->entries[i].bytes;
    if (block == 0)
        return len == 0 || refuse(walk, mkey, "the repeated block is empty");
    for (uint64_t turn = at / block; len > 0; turn++) {
        uint64_t in = at % block;

        if (turn >= mkey->repeat)
            return refuse(walk, mkey, "the access goes past the last repetition");
        for (uint32_t i = 0; i < mkey->num_entries && len > 0; i++) {
            const struct hca_klm *entry = &mkey->entries[i];
            uint64_t part = entry->bytes;

            if (!step(walk, mkey))
                return false;
            if (in >= part) {
                in -= part;
                continue;
            }
            part = part - in < len ? part - in : len;
            if (!map_entry(walk, entry, entry->addr + turn * entry->stride + in, part, need))
                return false;
            in = 0;
            at += part;
            len -= part;
        }
    }
    return true;
}

/* The exporter's rights hold, its PD does not: the alias has one of its own. Assumed. */
/* analyzer: misc-no-recursion: no deeper than MAX_DEPTH */
static bool map_alias(struct walk *walk, const struct hca_mkey *alias, uint64_t addr, uint64_t len,
                      uint32_t need)
{
    struct hca_mkey *mkey = (struct hca_mkey *)hca_find(HCA_MKEY, alias->target_index);
    struct walk there;
    bool ok;

    if (!mkey || mkey->serial != alias->target_serial)
        return refuse(walk, alias, "the key it is an alias of is gone");
    if (walk->depth == MAX_DEPTH)
        return refuse(walk, alias, "too many keys below one another");
    there = (struct walk){ .function = mkey->object.function, .pieces = walk->pieces,
                           .depth = walk->depth + 1, .steps = walk->steps };
    ok = map(&there, mkey, addr, len, need);
    walk->steps = there.steps;
    return ok;
}

/* analyzer: misc-no-recursion: no deeper than MAX_DEPTH */
static bool map(struct walk *walk, struct hca_mkey *mkey, uint64_t addr, uint64_t len,
                uint32_t need)
{
    uint64_t at = mkey->all ? addr : addr - mkey->iova;

    if (mkey->free)
        return refuse(walk, mkey, "is free: no UMR has made it valid");
    if (walk->pd && mkey->pd != walk->pd)
        return refuse(walk, mkey, "belongs to another PD");
    if (mkey->kind == MKEY_ALIAS)
        return map_alias(walk, mkey, addr, len, need);
    if ((mkey->access & need) != need)
        return refuse(walk, mkey, "does not allow the access");
    if (!mkey->all && (addr < mkey->iova || at > mkey->len || len > mkey->len - at))
        return refuse(walk, mkey, "the access is outside its range");
    switch (mkey->kind) {
    case MKEY_KLM: return map_klm(walk, mkey, at, len, need);
    case MKEY_KSM: return map_ksm(walk, mkey, at, len, need);
    case MKEY_STRIDED: return map_strided(walk, mkey, at, len, need);
    default: break;
    }
    return hca_pieces_add(walk->pieces, mkey->space, mkey->addr + at, len) ||
           refuse(walk, mkey, "the message has too many pieces");
}

struct hca_mkey *hca_mkey_find(const struct sim_function *function, uint32_t key)
{
    struct hca_object *object = hca_find(HCA_MKEY, key >> 8);

    if (!object || object->number != key || object->function != function)
        return NULL;
    return (struct hca_mkey *)object;
}

bool hca_mkey_map(struct sim_function *function, struct hca_pd *pd, uint32_t key, uint64_t addr,
                  uint64_t len, uint32_t need, struct hca_pieces *pieces)
{
    struct walk walk = { .function = function, .pd = pd, .pieces = pieces };
    struct hca_mkey *mkey = hca_mkey_find(function, key);

    if (!mkey)
        return missing(function, key);
    return map(&walk, mkey, addr, len, need);
}

/* ---- creation ------------------------------------------------------------------------------- */

uint32_t hca_mkey_access(uint32_t verbs)
{
    return HCA_LOCAL_READ | (verbs & IB_UVERBS_ACCESS_LOCAL_WRITE ? HCA_LOCAL_WRITE : 0) |
           (verbs & IB_UVERBS_ACCESS_REMOTE_WRITE ? HCA_REMOTE_WRITE : 0) |
           (verbs & IB_UVERBS_ACCESS_REMOTE_READ ? HCA_REMOTE_READ : 0) |
           (verbs & IB_UVERBS_ACCESS_REMOTE_ATOMIC ? HCA_ATOMIC : 0);
}

struct hca_mkey *hca_mkey_new(struct sim_client *client, struct hca_pd *pd, uint32_t tag)
{
    static uint64_t serial;
    struct hca_mkey *mkey = calloc(1, sizeof(*mkey));

    if (!mkey || hca_add(&mkey->object, HCA_MKEY, client)) {
        free(mkey);
        return NULL;
    }
    mkey->object.number = mkey->object.number << 8 | (tag & 0xff);
    mkey->serial = ++serial;
    mkey->qpn = HCA_ANY_QP;
    mkey->pd = pd;
    hca_ref(pd);
    return mkey;
}

/* Lets go of the memory behind the key. */
void hca_mkey_clear(struct hca_mkey *mkey)
{
    sim_space_put(mkey->space);
    hca_unref(mkey->umem);
    free(mkey->entries);
    mkey->space = NULL;
    mkey->umem = NULL;
    mkey->entries = NULL;
    mkey->num_entries = 0;
}

static int mkey_set(struct hca_mkey *mkey, const struct hca_mkey_attr *attr)
{
    if (attr->addr + attr->len < attr->addr || attr->iova + attr->len < attr->iova)
        return EINVAL;
    sim_space_get(attr->space);
    sim_space_put(mkey->space);
    mkey->space = attr->space;
    mkey->addr = attr->addr;
    mkey->iova = attr->iova;
    mkey->len = attr->len;
    mkey->access = hca_mkey_access(attr->access);
    return 0;
}

int hca_mkey_create(struct sim_client *client, const struct hca_mkey_attr *attr,
                    struct hca_object **out)
{
    static uint8_t tag;         /* differs from key to key, so that an old key is noticed */
    struct hca_mkey *mkey = hca_mkey_new(client, (struct hca_pd *)attr->pd, ++tag);
    int status;

    if (!mkey)
        return ENOMEM;
    status = mkey_set(mkey, attr);
    if (status) {
        hca_destroy(&mkey->object);
        return status;
    }
    *out = &mkey->object;
    return 0;
}

int hca_mkey_modify(struct hca_object *object, const struct hca_mkey_attr *attr)
{
    struct hca_mkey *mkey = (struct hca_mkey *)object;
    int status = mkey_set(mkey, attr);

    if (status)
        return status;
    hca_ref(attr->pd);
    hca_unref(mkey->pd);
    mkey->pd = (struct hca_pd *)attr->pd;
    return 0;
}

int hca_mw_create(struct sim_client *client, struct hca_object *pd, unsigned type,
                  struct hca_object **out)
{
    struct hca_mkey *mkey;

    if (type != 1 && type != 2)
        return EINVAL;
    mkey = hca_mkey_new(client, (struct hca_pd *)pd, 0);
    if (!mkey)
        return ENOMEM;
    mkey->kind = MKEY_KLM;
    mkey->access = HCA_LOCAL_READ;
    mkey->free = mkey->umr = true;
    mkey->remote_invalidate = type == 2;
    mkey->max_entries = 4;
    *out = &mkey->object;
    return 0;
}
