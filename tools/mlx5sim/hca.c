/* Objects of the device: their numbers, protection domains, umems, device memory, SRQs. */
#include "hca.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <rdma/ib_user_ioctl_verbs.h>

/* ---- numbers -------------------------------------------------------------------------------- */

struct table {
    struct hca_object **slot;
    uint32_t *gone;             /* by slot: the number of what was there last, 0: nothing */
    uint32_t room, next, max, first;
};

static struct table tables[HCA_DEVX + 1];

enum { TABLE_START = 64, TABLE_LARGEST = 1 << 20 };

int hca_init(void)
{
    const struct sim_profile *p = &machine.profile;
    static const uint32_t first[] = {
        [HCA_PD] = 1, [HCA_MKEY] = 0x10, [HCA_CQ] = 0x400, [HCA_SRQ] = 0x10, [HCA_QP] = 0x100,
        [HCA_UMEM] = 1, [HCA_DM] = 1, [HCA_DEVX] = 1
    };
    const unsigned logs[] = {
        [HCA_PD] = p->log_max_pd, [HCA_MKEY] = p->log_max_mkey, [HCA_CQ] = p->log_max_cq,
        [HCA_SRQ] = p->log_max_srq, [HCA_QP] = p->log_max_qp, [HCA_UMEM] = 20, [HCA_DM] = 10,
        [HCA_DEVX] = 16
    };

    for (int type = HCA_PD; type <= HCA_DEVX; type++) {
        uint32_t max = logs[type] < 20 ? 1u << logs[type] : TABLE_LARGEST;

        tables[type].max = max;
        tables[type].first = first[type];
    }
    return 0;
}

struct hca_object *hca_find(enum hca_type type, uint32_t number)
{
    const struct table *t = &tables[type];
    uint32_t slot = number - t->first;

    return number >= t->first && slot < t->room ? t->slot[slot] : NULL;
}

void hca_each(enum hca_type type, void (*each)(struct hca_object *, void *), void *arg)
{
    const struct table *t = &tables[type];

    for (uint32_t i = 0; i < t->room; i++)
        if (t->slot[i])
            each(t->slot[i], arg);
}

static int table_grow(struct table *t)
{
    uint32_t room = t->room ? t->room * 2 : TABLE_START;
    struct hca_object **slot;
    uint32_t *gone;

    if (room > t->max)
        room = t->max;
    if (room == t->room)
        return ENOMEM;
    /* analyzer: bugprone-sizeof-expression: it is an array of pointers */
    slot = realloc(t->slot, room * sizeof(*slot));
    if (!slot)
        return ENOMEM;
    t->slot = slot;
    gone = realloc(t->gone, room * sizeof(*gone));
    if (!gone)
        return ENOMEM;
    t->gone = gone;
    /* analyzer: bugprone-sizeof-expression: it is an array of pointers */
    memset(slot + t->room, 0, (room - t->room) * sizeof(*slot));
    memset(gone + t->room, 0, (room - t->room) * sizeof(*gone));
    t->next = t->room;
    t->room = room;
    return 0;
}

/* The next free slot after the one given last; the table grows when it has gone round. */
static int table_slot(struct table *t, uint32_t *slot)
{
    for (uint32_t i = t->next; i < t->room; i++)
        if (!t->slot[i]) {
            *slot = i;
            return 0;
        }
    if (table_grow(t) == 0) {
        *slot = t->next;
        return 0;
    }
    for (uint32_t i = 0; i < t->room; i++)
        if (!t->slot[i]) {
            *slot = i;
            return 0;
        }
    return ENOMEM;
}

int hca_add(struct hca_object *object, enum hca_type type, struct sim_client *client)
{
    struct table *t = &tables[type];
    uint32_t slot;

    if (table_slot(t, &slot)) {
        sim_log(SIM_ERROR, "%s: no number is left for another object of type %d (limit %u)",
                client->function->name, (int)type, t->max);
        return ENOMEM;
    }
    t->slot[slot] = object;
    t->next = slot + 1;
    object->type = type;
    object->number = t->first + slot;
    object->function = client->function;
    object->client = client;
    return 0;
}

void hca_remove(struct hca_object *object)
{
    struct table *t = &tables[object->type];
    uint32_t number = object->type == HCA_MKEY ? object->number >> 8 : object->number;

    t->slot[number - t->first] = NULL;
    t->gone[number - t->first] = object->number;
}

bool hca_was_key(uint32_t key)
{
    const struct table *t = &tables[HCA_MKEY];
    uint32_t slot = (key >> 8) - t->first;

    return key >> 8 >= t->first && slot < t->room && t->gone[slot] == key;
}

void hca_ref(void *object)
{
    if (object)
        ((struct hca_object *)object)->refs++;
}

void hca_unref(void *object)
{
    if (object)
        ((struct hca_object *)object)->refs--;
}

/* A device reads four bytes at once. The kernel may copy one after the other, while their owner
 * writes: so they are read until they are what they were. */
bool hca_read_be32(struct sim_space *space, uint64_t addr, uint32_t *value)
{
    uint32_t word, again;

    if (sim_read(space, addr, &again, sizeof(again)))
        return false;
    do {
        word = again;
        if (sim_read(space, addr, &again, sizeof(again)))
            return false;
    } while (again != word);
    *value = be32toh(word);
    return true;
}

/* ---- PD, umem, device memory ---------------------------------------------------------------- */

int hca_pd_create(struct sim_client *client, struct hca_object **out)
{
    struct hca_pd *pd = calloc(1, sizeof(*pd));

    if (!pd || hca_add(&pd->object, HCA_PD, client)) {
        free(pd);
        return ENOMEM;
    }
    *out = &pd->object;
    return 0;
}

int hca_umem_create(struct sim_client *client, struct sim_space *space, uint64_t addr,
                    uint64_t len, uint32_t access, struct hca_object **out)
{
    struct hca_umem *umem;

    if (len == 0 || addr + len < addr)
        return EINVAL;
    umem = calloc(1, sizeof(*umem));
    if (!umem || hca_add(&umem->object, HCA_UMEM, client)) {
        free(umem);
        return ENOMEM;
    }
    umem->space = sim_space_get(space);
    umem->addr = addr;
    umem->len = len;
    umem->access = access;
    /* analyzer: analyzer-malloc-leak: it is found again by its object */
    *out = &umem->object;
    return 0;
}

struct hca_umem *hca_umem_find(const struct sim_client *client, uint32_t id)
{
    struct hca_object *object = hca_find(HCA_UMEM, id);

    if (!object || object->client != client) {
        sim_violation(client, "umem %u is not there or not this client's", id);
        return NULL;
    }
    return (struct hca_umem *)object;
}

bool hca_umem_has(const struct hca_umem *umem, uint64_t offset, uint64_t len)
{
    if (offset <= umem->len && len <= umem->len - offset)
        return true;
    sim_violation(umem->object.client, "%llu bytes at %#llx are outside umem %u of %llu bytes",
                  (unsigned long long)len, (unsigned long long)offset, umem->object.number,
                  (unsigned long long)umem->len);
    return false;
}

/* First fit among the function's pages; MEMIC is given out in pages. */
struct dm_search {
    struct sim_function *function;
    uint8_t used[SIM_DM_BYTES / SIM_PAGE];
};

static void dm_mark(struct hca_object *object, void *arg)
{
    struct dm_search *search = arg;
    const struct hca_dm *dm = (const struct hca_dm *)object;

    if (object->function == search->function)
        memset(search->used + (dm->offset - SIM_BAR_DM) / SIM_PAGE, 1,
               (dm->len + SIM_PAGE - 1) / SIM_PAGE);
}

static bool dm_place(struct sim_function *function, uint64_t len, uint64_t align, uint64_t *at)
{
    struct dm_search search = { .function = function };
    uint32_t pages = (uint32_t)((len + SIM_PAGE - 1) / SIM_PAGE);
    uint32_t step = align > SIM_PAGE ? (uint32_t)(align / SIM_PAGE) : 1;

    hca_each(HCA_DM, dm_mark, &search);
    for (uint32_t first = 0; first + pages <= sizeof(search.used); first += step)
        if (!memchr(search.used + first, 1, pages)) {
            *at = SIM_BAR_DM + (uint64_t)first * SIM_PAGE;
            return true;
        }
    return false;
}

int hca_dm_create(struct sim_client *client, uint64_t len, uint32_t log_align,
                  uint64_t *bar_offset, struct hca_object **out)
{
    struct hca_dm *dm;
    uint64_t offset;

    if (len == 0 || log_align > 18)
        return EINVAL;
    if (len > SIM_DM_BYTES || !dm_place(client->function, len, 1ull << log_align, &offset))
        return ENOMEM;
    dm = calloc(1, sizeof(*dm));
    if (!dm || hca_add(&dm->object, HCA_DM, client)) {
        free(dm);
        return ENOMEM;
    }
    dm->offset = offset;
    dm->len = len;
    memset(client->function->bar + offset, 0, (len + SIM_PAGE - 1) / SIM_PAGE * SIM_PAGE);
    *bar_offset = offset;
    *out = &dm->object;
    return 0;
}

/* ---- SRQ ------------------------------------------------------------------------------------ */

int hca_srq_create(struct sim_client *client, const struct hca_srq_attr *attr,
                   struct hca_object **out)
{
    const struct sim_profile *p = &machine.profile;
    struct hca_srq *srq;

    if (attr->num_wqes == 0 || attr->num_wqes & (attr->num_wqes - 1) ||
        attr->num_wqes > 1u << p->log_max_srq_sz || attr->wqe_shift < 5 ||
        1u << attr->wqe_shift > WQE_MAX)
        return EINVAL;
    srq = calloc(1, sizeof(*srq));
    if (!srq || hca_add(&srq->object, HCA_SRQ, client)) {
        free(srq);
        return ENOMEM;
    }
    srq->pd = (struct hca_pd *)attr->pd;
    hca_ref(srq->pd);
    srq->rq = (struct hca_rq){ .space = sim_space_get(attr->space), .addr = attr->buf_addr,
        .db_addr = attr->db_addr, .num_wqes = attr->num_wqes, .wqe_shift = attr->wqe_shift,
        .linked = true, .headed = true };
    srq->limit = attr->limit;
    srq->uidx = attr->uidx;
    /* analyzer: analyzer-malloc-leak: it is found again by its object */
    *out = &srq->object;
    return 0;
}

int hca_srq_set_limit(struct hca_object *object, uint32_t limit)
{
    struct hca_srq *srq = (struct hca_srq *)object;

    if (limit >= srq->rq.num_wqes)
        return EINVAL;
    srq->limit = limit;
    return 0;
}

uint32_t hca_srq_limit(const struct hca_object *object)
{
    return ((const struct hca_srq *)object)->limit;
}

/* ---- the end of objects and clients --------------------------------------------------------- */

static void mkey_release(struct hca_mkey *mkey)
{
    hca_mkey_clear(mkey);
    hca_unref(mkey->pd);
}

static void cq_release(struct hca_cq *cq)
{
    hca_unref(cq->umem);
    hca_unref(cq->db_umem);
    sim_space_put(cq->space);
}

static void srq_release(struct hca_srq *srq)
{
    hca_unref(srq->pd);
    hca_unref(srq->umem);
    hca_unref(srq->db_umem);
    sim_space_put(srq->rq.space);
}

static void qp_release(struct hca_qp *qp)
{
    hca_forget_work(qp);
    hca_unref(qp->pd);
    hca_unref(qp->send_cq);
    hca_unref(qp->recv_cq);
    hca_unref(qp->srq);
    hca_unref(qp->umem);
    hca_unref(qp->db_umem);
    sim_space_put(qp->space);
    sim_space_put(qp->rq.space);
}

int hca_destroy(struct hca_object *object)
{
    if (object->refs > 0) {
        sim_log(SIM_INFO, "%s: object %#x of type %d is used by %u others and stays",
                object->function->name, object->number, (int)object->type, object->refs);
        return EBUSY;
    }
    switch (object->type) {
    case HCA_MKEY: mkey_release((struct hca_mkey *)object); break;
    case HCA_CQ: cq_release((struct hca_cq *)object); break;
    case HCA_SRQ: srq_release((struct hca_srq *)object); break;
    case HCA_QP: qp_release((struct hca_qp *)object); break;
    case HCA_UMEM: sim_space_put(((struct hca_umem *)object)->space); break;
    default: break;
    }
    hca_remove(object);
    free(object);
    return 0;
}

int hca_client_new(struct sim_client *client)
{
    client->hca = NULL;
    return 0;
}

static void left_over(struct hca_object *object, void *arg)
{
    if (object->client == arg)
        sim_log(SIM_ERROR, "%s: object %#x of type %d outlives its client",
                object->function->name, object->number, (int)object->type);
}

void hca_client_gone(struct sim_client *client)
{
    for (int type = HCA_PD; type <= HCA_DEVX; type++)
        hca_each((enum hca_type)type, left_over, client);
}
