/* The tables of objects: numbers, references, destruction. */
#include "device/hca/object.h"
#include "device/machine/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers -------------------------------------------------------------------------------- */

struct table {
    struct hca_object **slot;
    /* for each slot, the number of the object that was last destroyed there; 0 before the first */
    uint32_t *last_destroyed;
    uint32_t room, next, max, first;
};

static struct table tables[HCA_DEVX + 1];

enum { TABLE_START = 64, TABLE_LARGEST = 1 << 20 };

int hca_init(void)
{
    const struct sim_profile *p = &machine.profile;
    static const uint32_t first[] = {
        [HCA_PD] = 1, [HCA_MKEY] = 0x10, [HCA_CQ] = 0x400, [HCA_SRQ] = 0x10, [HCA_QP] = 0x100,
        [HCA_UMEM] = 1, [HCA_DM] = 1, [HCA_ICM] = 1, [HCA_XRCD] = 1, [HCA_RQT] = 1,
        [HCA_TIR] = 1, [HCA_RULE] = 1,
        [HCA_COUNTER] = 1, [HCA_TABLE] = 1, [HCA_GROUP] = 1, [HCA_REFORMAT] = 1, [HCA_MODIFY] = 1,
        [HCA_SAMPLER] = 1, [HCA_PSV] = 1, [HCA_DEK] = 1, [HCA_LOGIN] = 1, [HCA_OPERATION] = 1,
        [HCA_SCHED] = 1, [HCA_METER] = 1, [HCA_DEVX] = 1
    };
    const unsigned logs[] = {
        [HCA_PD] = p->log_max_pd, [HCA_MKEY] = p->log_max_mkey, [HCA_CQ] = p->log_max_cq,
        [HCA_SRQ] = p->log_max_srq, [HCA_QP] = p->log_max_qp, [HCA_UMEM] = 20, [HCA_DM] = 10,
        [HCA_ICM] = 16, [HCA_XRCD] = HCA_LOG_MAX_XRCD, [HCA_RQT] = 16, [HCA_TIR] = 16,
        [HCA_RULE] = 20, [HCA_COUNTER] = 16, [HCA_TABLE] = HCA_LOG_MAX_TABLES, [HCA_GROUP] = 16,
        [HCA_REFORMAT] = HCA_LOG_MAX_CHANGES, [HCA_MODIFY] = HCA_LOG_MAX_CHANGES,
        [HCA_SAMPLER] = HCA_LOG_MAX_TABLES, [HCA_PSV] = HCA_LOG_MAX_PSV,
        [HCA_DEK] = HCA_LOG_MAX_DEK, [HCA_LOGIN] = 10,
        [HCA_OPERATION] = HCA_LOG_MAX_OPERATION, [HCA_SCHED] = HCA_LOG_MAX_SCHED,
        [HCA_METER] = HCA_LOG_MAX_METER, [HCA_DEVX] = 16
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
    uint32_t *last_destroyed;

    if (room > t->max)
        room = t->max;
    if (room == t->room)
        return ENOMEM;
    /* analyzer: bugprone-sizeof-expression: it is an array of pointers */
    slot = realloc(t->slot, room * sizeof(*slot));
    if (!slot)
        return ENOMEM;
    t->slot = slot;
    last_destroyed = realloc(t->last_destroyed, room * sizeof(*last_destroyed));
    if (!last_destroyed)
        return ENOMEM;
    t->last_destroyed = last_destroyed;
    /* analyzer: bugprone-sizeof-expression: it is an array of pointers */
    memset(slot + t->room, 0, (room - t->room) * sizeof(*slot));
    memset(last_destroyed + t->room, 0, (room - t->room) * sizeof(*last_destroyed));
    t->next = t->room;
    t->room = room;
    return 0;
}

/* Finds the next free slot after the slot that was given out last. At the end of the table, first
 * enlarges the table up to its limit, and only then searches from the beginning. */
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

int hca_add(struct hca_object *object, enum hca_type type, struct sim_client *client,
            void (*release)(struct hca_object *))
{
    struct table *t = &tables[type];
    uint32_t slot;

    if (table_slot(t, &slot)) {
        sim_log(SIM_ERROR, "%s: no number is left for a new object of type %d (limit %u)",
                client->function->name, (int)type, t->max);
        return ENOMEM;
    }
    t->slot[slot] = object;
    t->next = slot + 1;
    object->type = type;
    object->number = t->first + slot;
    object->function = client->function;
    object->client = client;
    object->release = release;
    return 0;
}

static void hca_remove(struct hca_object *object)
{
    struct table *t = &tables[object->type];
    uint32_t number = object->type == HCA_MKEY ? object->number >> 8 : object->number;

    t->slot[number - t->first] = NULL;
    t->last_destroyed[number - t->first] = object->number;
}

bool hca_is_destroyed_key(uint32_t key)
{
    const struct table *t = &tables[HCA_MKEY];
    uint32_t slot = (key >> 8) - t->first;

    return key >> 8 >= t->first && slot < t->room && t->last_destroyed[slot] == key;
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

/* ---- destruction ---------------------------------------------------------------------------- */

int hca_destroy(struct hca_object *object)
{
    if (object->refs > 0) {
        sim_log(SIM_INFO, "%s: object %#x of type %d is not destroyed: %u other objects use it",
                object->function->name, object->number, (int)object->type, object->refs);
        return EBUSY;
    }
    if (object->release)
        object->release(object);
    hca_remove(object);
    free(object);
    return 0;
}

static void log_leaked(struct hca_object *object, void *arg)
{
    if (object->client == arg)
        sim_log(SIM_ERROR, "%s: object %#x of type %d was not destroyed with its client",
                object->function->name, object->number, (int)object->type);
}

void hca_log_leaked(struct sim_client *client)
{
    for (int type = HCA_PD; type <= HCA_DEVX; type++)
        hca_each((enum hca_type)type, log_leaked, client);
}
