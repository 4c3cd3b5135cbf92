/* Memory keys: creates them, and translates addresses to memory. */
#include "device/hca/mkey.h"
#include "device/machine/log.h"

#include <errno.h>
#include <stdlib.h>

#include <rdma/ib_user_ioctl_verbs.h>

enum { MAX_STEPS = 1 << 20 };   /* entries read for one range */

/* ---- translation ---------------------------------------------------------------------------- */

struct walk {
    struct sim_function *function;
    struct hca_pd *pd;
    struct hca_pieces *pieces;
    unsigned depth, steps;
    bool blocks;                /* the first key may be a signature key */
};

static bool map(struct walk *walk, struct hca_mkey *mkey, uint64_t addr, uint64_t len,
                uint32_t need);

static bool refuse(const struct walk *walk, const struct hca_mkey *mkey, const char *why)
{
    sim_log(SIM_INFO, "%s: mkey %#x: %s", walk->function->name, mkey->object.number, why);
    return false;
}

/* Logs that a key does not exist; the access then ends in an error completion. If the key was
 * destroyed, the line says so, and with --strict it also goes to stderr. */
static bool log_missing(const struct sim_function *function, uint32_t key)
{
    bool is_destroyed = hca_is_destroyed_key(key);

    sim_log(is_destroyed && machine.strict ? SIM_ERROR : SIM_INFO, "%s: mkey %#x %s",
            function->name, key,
            is_destroyed ? "is used after it was destroyed" : "does not exist");
    return false;
}

/* Returns what the keys in the list of an indirect key need: local read or local write access, and
 * no remote rights, even for a remote request. This is assumed. */
static uint32_t entry_access(uint32_t need)
{
    return (need & HCA_PINNED) |
           (need & (HCA_LOCAL_WRITE | HCA_REMOTE_WRITE | HCA_ATOMIC) ? HCA_LOCAL_WRITE
                                                                     : HCA_LOCAL_READ);
}

/* Limits the number of entries that are read, because lists of very short entries could keep the
 * device busy for ever. */
static bool step(struct walk *walk, const struct hca_mkey *mkey)
{
    return ++walk->steps <= MAX_STEPS || refuse(walk, mkey, "the access needs too many entries");
}

/* Translates a range with the key of one list entry. */
/* analyzer: misc-no-recursion: no deeper than MKEY_MAX_DEPTH */
static bool map_entry(struct walk *walk, const struct hca_klm *entry, uint64_t addr, uint64_t len,
                      uint32_t need)
{
    struct hca_mkey *target = hca_mkey_find(walk->function, entry->key);
    bool ok;

    if (!target)
        return log_missing(walk->function, entry->key);
    if (walk->depth == MKEY_MAX_DEPTH)
        return refuse(walk, target, "too many levels of indirect keys");
    walk->depth++;
    ok = map(walk, target, addr, len, entry_access(need));
    walk->depth--;
    return ok;
}

/* analyzer: misc-no-recursion: no deeper than MKEY_MAX_DEPTH */
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

/* analyzer: misc-no-recursion: no deeper than MKEY_MAX_DEPTH */
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

/* analyzer: misc-no-recursion: no deeper than MKEY_MAX_DEPTH */
static bool map_strided(struct walk *walk, const struct hca_mkey *mkey, uint64_t at, uint64_t len,
                        uint32_t need)
{
    uint64_t block = 0;

    for (uint32_t i = 0; i < mkey->num_entries; i++)
        block += mkey->entries[i].bytes;
    if (block == 0)
        return len == 0 || refuse(walk, mkey, "the repeated block is empty");
    for (uint64_t repetition = at / block; len > 0; repetition++) {
        uint64_t in = at % block;

        if (repetition >= mkey->repeat)
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
            if (!map_entry(walk, entry, entry->addr + repetition * entry->stride + in, part, need))
                return false;
            in = 0;
            at += part;
            len -= part;
        }
    }
    return true;
}

/* An alias has the access rights of the exported key; the PD of the alias applies. This is
 * assumed. */
/* analyzer: misc-no-recursion: no deeper than MKEY_MAX_DEPTH */
static bool map_alias(struct walk *walk, const struct hca_mkey *alias, uint64_t addr, uint64_t len,
                      uint32_t need)
{
    struct hca_mkey *mkey = (struct hca_mkey *)hca_find(HCA_MKEY, alias->target_index);
    struct walk target;
    bool ok;

    if (!mkey || mkey->serial != alias->target_serial)
        return refuse(walk, alias, "the key that this alias refers to was destroyed");
    if (walk->depth == MKEY_MAX_DEPTH)
        return refuse(walk, alias, "too many levels of keys");
    target = (struct walk){ .function = mkey->object.function, .pieces = walk->pieces,
                           .depth = walk->depth + 1, .steps = walk->steps };
    ok = map(&target, mkey, addr, len, need);
    walk->steps = target.steps;
    return ok;
}

/* The null key works in every PD, but only for local access and as an entry of an indirect key. */
static bool map_null(struct walk *walk, const struct hca_mkey *mkey, uint64_t addr, uint64_t len,
                     uint32_t need)
{
    if ((need & HCA_RIGHTS & ~mkey->access) != 0)
        return refuse(walk, mkey, "the null key gives no remote access");
    return hca_pieces_add(walk->pieces, space_of_nothing(), addr, len) ||
           refuse(walk, mkey, "the message has too many pieces");
}

/* analyzer: misc-no-recursion: no deeper than MKEY_MAX_DEPTH */
static bool map(struct walk *walk, struct hca_mkey *mkey, uint64_t addr, uint64_t len,
                uint32_t need)
{
    uint64_t at = mkey->covers_all ? addr : addr - mkey->iova;

    if (mkey->free)
        return refuse(walk, mkey, "the key is free: no UMR has made it valid");
    if (mkey->kind == MKEY_NULL)
        return map_null(walk, mkey, addr, len, need);
    if (walk->pd && mkey->pd != walk->pd)
        return refuse(walk, mkey, "the key belongs to another PD");
    if (mkey->kind == MKEY_ALIAS)
        return map_alias(walk, mkey, addr, len, need);
    if ((mkey->sig.enabled || mkey->may_encrypt) && (!walk->blocks || walk->depth))
        return refuse(walk, mkey, "this access cannot use a key with signatures or encryption");
    if ((need & HCA_RIGHTS & ~mkey->access) != 0)
        return refuse(walk, mkey, "the key does not allow the access");
    if (!mkey->covers_all && (addr < mkey->iova || at > mkey->len || len > mkey->len - at))
        return refuse(walk, mkey, "the access is outside the range of the key");
    switch (mkey->kind) {
    case MKEY_KLM: return map_klm(walk, mkey, at, len, need);
    case MKEY_KSM: return map_ksm(walk, mkey, at, len, need);
    case MKEY_STRIDED: return map_strided(walk, mkey, at, len, need);
    default: break;
    }
    if (mkey->on_demand && (need & HCA_PINNED) != 0)
        return refuse(walk, mkey, "the access needs pinned memory, but the key is on demand");
    return hca_pieces_add(walk->pieces, mkey->space, mkey->addr + at, len) ||
           refuse(walk, mkey, "the message has too many pieces");
}

struct hca_mkey *hca_mkey_of_index(const struct sim_function *function, uint32_t key)
{
    struct hca_object *object = hca_find(HCA_MKEY, key >> 8);

    return object && object->function == function ? (struct hca_mkey *)object : NULL;
}

struct hca_mkey *hca_mkey_find(const struct sim_function *function, uint32_t key)
{
    static struct hca_mkey null = { .object = { .type = HCA_MKEY, .number = HCA_NULL_KEY },
        .kind = MKEY_NULL, .covers_all = true, .access = HCA_LOCAL_READ | HCA_LOCAL_WRITE,
        .qpn = HCA_ANY_QP };
    struct hca_mkey *mkey = hca_mkey_of_index(function, key);

    if (key == HCA_NULL_KEY)
        return &null;
    return mkey && mkey->object.number == key ? mkey : NULL;
}

bool hca_mkey_map(struct sim_function *function, struct hca_pd *pd, uint32_t key, uint64_t addr,
                  uint64_t len, uint32_t need, struct hca_pieces *pieces)
{
    struct walk walk = { .function = function, .pd = pd, .pieces = pieces };
    struct hca_mkey *mkey = hca_mkey_find(function, key);

    if (!mkey)
        return log_missing(function, key);
    return map(&walk, mkey, addr, len, need);
}

bool hca_mkey_map_blocks(struct hca_mkey *mkey, struct hca_pd *pd, uint64_t addr, uint64_t len,
                         uint32_t need, struct hca_pieces *pieces)
{
    struct walk walk = { .function = mkey->object.function, .pd = pd, .pieces = pieces,
                         .blocks = true };

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

static void mkey_release(struct hca_object *object)
{
    struct hca_mkey *mkey = (struct hca_mkey *)object;

    hca_mkey_clear(mkey);
    hca_unref(mkey->pd);
}

struct hca_mkey *hca_mkey_new(struct sim_client *client, struct hca_pd *pd, uint32_t tag)
{
    static uint64_t serial;
    struct hca_mkey *mkey = calloc(1, sizeof(*mkey));

    if (!mkey || hca_add(&mkey->object, HCA_MKEY, client, mkey_release)) {
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

/* Sets memory, range and rights of a key. Drops the reference to its previous memory. */
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
    mkey->covers_all = attr->covers_all;
    mkey->on_demand = (attr->access & IB_UVERBS_ACCESS_ON_DEMAND) != 0;
    mkey->access = hca_mkey_access(attr->access);
    return 0;
}

int hca_mkey_create(struct sim_client *client, const struct hca_mkey_attr *attr,
                    struct hca_object **out)
{
    static uint8_t tag;         /* changes with each key, so that the use of an old key fails */
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
