/* Flow tables and groups. */
#include "device/hca/flow_table.h"

#include <errno.h>
#include <stdlib.h>

/* ---- tables --------------------------------------------------------------------------------- */

static void table_release(struct hca_object *object)
{
    struct hca_flow_table *table = (struct hca_flow_table *)object;

    hca_unref(table->attr.miss);
    free(table->at);
}

int hca_table_create(struct sim_client *client, const struct hca_table_attr *attr,
                     struct hca_object **out)
{
    struct hca_flow_table *table = calloc(1, sizeof(*table));
    /* analyzer: bugprone-sizeof-expression: it is an array of pointers */
    struct hca_rule **at = calloc((size_t)1 << attr->log_size, sizeof(*at));

    if (!table || !at || hca_add(&table->object, HCA_TABLE, client, table_release)) {
        free(at);
        free(table);
        return ENOMEM;
    }
    table->attr = *attr;
    table->at = at;
    hca_ref(attr->miss);
    *out = &table->object;
    return 0;
}

void hca_table_set_miss(struct hca_flow_table *table, struct hca_flow_table *miss)
{
    hca_ref(miss);
    hca_unref(table->attr.miss);
    table->attr.miss = miss;
}

/* ---- groups --------------------------------------------------------------------------------- */

static void group_release(struct hca_object *object)
{
    struct hca_flow_group *group = (struct hca_flow_group *)object;
    struct hca_flow_group **at = &group->attr.table->groups;

    while (*at != group)
        at = &(*at)->next;
    *at = group->next;
    hca_unref(group->attr.table);
}

int hca_group_create(struct sim_client *client, const struct hca_group_attr *attr,
                     struct hca_object **out)
{
    struct hca_flow_group *group = attr->table->groups;

    for (; group; group = group->next)
        if (group->attr.first <= attr->last && attr->first <= group->attr.last)
            return EEXIST;
    group = calloc(1, sizeof(*group));
    if (!group || hca_add(&group->object, HCA_GROUP, client, group_release)) {
        free(group);
        return ENOMEM;
    }
    group->attr = *attr;
    group->next = attr->table->groups;
    attr->table->groups = group;
    hca_ref(attr->table);
    *out = &group->object;
    return 0;
}
