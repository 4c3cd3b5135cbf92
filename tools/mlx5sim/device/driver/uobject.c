/* Handles of a context. */
#include "device/driver/uobject.h"
#include "device/driver/channel.h"
#include "device/driver/subscription.h"
#include "device/hca/pace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    HANDLE_INDEX = 0xfffff,     /* mask of the index in a handle; the upper bits: generation */
    HANDLE_SHIFT = 20
};

static bool grow(struct uverbs_context *context)
{
    uint32_t len = context->table_len != 0 ? context->table_len * 2 : 64;
    struct uobject **table;
    uint32_t *generation;

    if (len > HANDLE_INDEX + 1)
        return false;
    /* analyzer: bugprone-sizeof-expression: it is an array of pointers */
    table = realloc(context->table, len * sizeof(*table));
    if (table == NULL)
        return false;
    context->table = table;
    generation = realloc(context->generation, len * sizeof(*generation));
    if (generation == NULL)
        return false;
    context->generation = generation;
    /* analyzer: bugprone-sizeof-expression: it is an array of pointers */
    memset(table + context->table_len, 0, (len - context->table_len) * sizeof(*table));
    memset(generation + context->table_len, 0, (len - context->table_len) * sizeof(*generation));
    context->table_len = len;
    return true;
}

struct uobject *uobject_new(struct uverbs_context *context, enum uobject_type type)
{
    struct uobject *uobject = calloc(1, sizeof(*uobject));
    uint32_t i, n = context->table_len;

    if (uobject == NULL)
        return NULL;
    for (i = 0; i < n && context->table[(context->next_index + i) % n] != NULL; i++)
        ;
    i = i < n ? (context->next_index + i) % n : n;
    if (i == n && !grow(context)) {
        free(uobject);
        return NULL;
    }
    context->next_index = i + 1;
    context->table[i] = uobject;
    uobject->type = type;
    uobject->handle = i | context->generation[i] << HANDLE_SHIFT;
    uobject->context = context;
    uobject->older = context->newest;
    if (context->newest != NULL)
        context->newest->newer = uobject;
    context->newest = uobject;
    return uobject;
}

void uobject_bind(struct uobject *uobject, struct hca_object *hca)
{
    uobject->hca = hca;
    hca->uobject = uobject;
}

void uobject_share(struct uobject *uobject, struct hca_object *hca)
{
    struct uobject *owner = hca->uobject;

    if (owner == NULL) {
        uobject_bind(uobject, hca);
        return;
    }
    uobject->hca = hca;
    uobject->prev_sharer = owner;
    uobject->next_sharer = owner->next_sharer;
    if (owner->next_sharer != NULL)
        owner->next_sharer->prev_sharer = uobject;
    owner->next_sharer = uobject;
}

static bool is_shared(const struct uobject *uobject)
{
    return uobject->next_sharer != NULL || uobject->prev_sharer != NULL;
}

/* Removes a uobject from the list of those that have the same object of the device. */
static void unshare(struct uobject *uobject)
{
    struct uobject *next = uobject->next_sharer;

    if (next != NULL)
        next->prev_sharer = uobject->prev_sharer;
    if (uobject->prev_sharer != NULL) {
        uobject->prev_sharer->next_sharer = next;
    } else {                            /* it was the owner */
        uobject->hca->uobject = next;
        uobject->hca->client = next->context->client;
    }
}

void uobject_use(struct uobject *uobject, struct uobject *used)
{
    unsigned i;

    if (used == NULL)
        return;
    for (i = 0; uobject->used[i] != NULL; i++)
        ;
    uobject->used[i] = used;
    used->num_users++;
}

struct uobject *uobject_find(struct uverbs_context *context, uint32_t handle,
                             enum uobject_type type)
{
    uint32_t i = handle & HANDLE_INDEX;
    struct uobject *uobject = i < context->table_len ? context->table[i] : NULL;

    if (uobject == NULL || uobject->handle != handle)
        return NULL;
    return type == UO_NONE || uobject->type == type ? uobject : NULL;
}

static void put_var(struct sim_var *var)
{
    if (var->was_mapped)
        var->is_destroyed = true;
    else
        var->owner = NULL;
}

void uobject_drop(struct uobject *uobject)
{
    struct uverbs_context *context = uobject->context;
    uint32_t i = uobject->handle & HANDLE_INDEX;
    unsigned k;

    for (k = 0; k < sizeof(uobject->used) / sizeof(uobject->used[0]); k++)
        if (uobject->used[k] != NULL)
            uobject->used[k]->num_users--;
    if (is_shared(uobject))
        unshare(uobject);
    if (uobject->channel != NULL)
        channel_unuse(uobject->channel);
    if (uobject->newer != NULL)
        uobject->newer->older = uobject->older;
    else
        context->newest = uobject->older;
    if (uobject->older != NULL)
        uobject->older->newer = uobject->newer;
    if (uobject->type == UO_MR)
        sim_space_put(uobject->mr.space);
    if (uobject->type == UO_MATCHER)
        free(uobject->matcher);
    if (uobject->type == UO_UAR)
        context->client->function->uar_owner[uobject->uar_page] = NULL;
    if (uobject->type == UO_PACE)
        pace_put(context->client->function, uobject->rate);
    if (uobject->type == UO_VAR)
        put_var(&context->client->function->var[uobject->var_page]);
    context->table[i] = NULL;
    context->generation[i]++;
    free(uobject);
}

int uobject_destroy(struct uobject *uobject, uint32_t read[2])
{
    int err;

    if (uobject->num_users != 0)
        return EBUSY;
    if (uobject->hca != NULL && !is_shared(uobject)) {
        err = hca_destroy(uobject->hca);
        if (err != 0)
            return err;
        subscriptions_remove_object(uobject->hca);
    }
    channel_drop_events(uobject->context, uobject);
    if (read != NULL) {
        read[0] = uobject->comp_events_read;
        read[1] = uobject->events_read;
    }
    uobject_drop(uobject);
    return 0;
}

struct uobject *attr_uobject(const struct call *call, unsigned id, enum uobject_type type)
{
    const struct ib_uverbs_attr *attr = attr_find(call, id);

    return attr != NULL ? uobject_find(call->context, (uint32_t)attr->data, type) : NULL;
}

int uverbs_destroy(struct call *call, unsigned id, enum uobject_type type)
{
    struct uobject *uobject = attr_uobject(call, id, type);

    return uobject != NULL ? uobject_destroy(uobject, NULL) : ENOENT;
}
