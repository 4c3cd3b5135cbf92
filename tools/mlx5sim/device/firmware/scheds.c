/* Firmware commands on scheduling elements. All refusals are assumed. */
#include "device/firmware/scheds.h"
#include "device/hca/qp.h"
#include "wire/prm.h"

enum { HIERARCHY_NIC = 3, TYPE_TSAR = 0, TYPE_QUEUE_GROUP = 4, TSAR_DWRR = 0,
       SELECT_SHARE = 1, SELECT_RATE = 2, OBJECT_BYTES = 0x70 };

/* ---- creation ------------------------------------------------------------------------------- */

/* Reads type and parent of a new element. False after devx_fail(). */
static bool read_place(struct devx_command *c, const uint8_t *context, struct hca_sched_attr *attr)
{
    unsigned type = (unsigned)prm_get(context, prm_scheduling_context_element_type);
    const uint8_t *tsar = PRM_AT(context, prm_scheduling_context_element_attributes);
    uint32_t parent = (uint32_t)prm_get(context, prm_scheduling_context_parent_element_id);

    attr->is_leaf = type == TYPE_QUEUE_GROUP;
    if (!attr->is_leaf && (type != TYPE_TSAR || prm_get(tsar, prm_tsar_element_tsar_type) !=
                                                TSAR_DWRR)) {
        devx_fail(c, PRM_BAD_PARAM, 0x900, "the type of the element is not supported");
        return false;
    }
    if (parent == 0 && !attr->is_leaf)
        return true;
    attr->parent = devx_object(c, HCA_SCHED, parent, "the parent is not this client's");
    if (attr->parent && attr->parent->attr.is_leaf) {
        devx_fail(c, PRM_BAD_RESOURCE, 0x901, "the parent is a leaf");
        attr->parent = NULL;
    }
    return attr->parent != NULL;
}

/* Reads the selected parameters. False after devx_fail(). */
static bool read_limits(struct devx_command *c, const uint8_t *context, uint64_t select,
                        struct hca_sched_attr *attr)
{
    if (select & SELECT_SHARE)
        attr->share = (uint32_t)prm_get(context, prm_scheduling_context_bw_share);
    if (select & SELECT_RATE)
        attr->mbps = (uint32_t)prm_get(context, prm_scheduling_context_max_average_bw);
    if (attr->share <= SCHED_MAX_SHARE && (attr->parent || (!attr->share && !attr->mbps)))
        return true;
    devx_fail(c, PRM_BAD_PARAM, 0x902, "the share is above the limit, or a root has limits");
    return false;
}

/* True when the command concerns the NIC. False after devx_fail(). */
static bool is_of_nic(struct devx_command *c, uint64_t hierarchy)
{
    if (machine.profile.ethernet && hierarchy == HIERARCHY_NIC)
        return true;
    devx_fail(c, PRM_BAD_PARAM, 0x903, "the device has no scheduling elements of this hierarchy");
    return false;
}

static bool create(struct devx_command *c, uint64_t hierarchy, const uint8_t *context)
{
    struct hca_sched_attr attr = { .parent = NULL };

    if (!is_of_nic(c, hierarchy) || !read_place(c, context, &attr) ||
        !read_limits(c, context, SELECT_SHARE | SELECT_RATE, &attr))
        return false;
    if (hca_sched_create(c->client, &attr, &c->created)) {
        devx_fail(c, PRM_NO_RESOURCES, 0x904, "the tree is too deep, or no element is left");
        return false;
    }
    return true;
}

void devx_create_sched(struct devx_command *c)
{
    if (create(c, prm_get(c->in, prm_create_scheduling_element_in_scheduling_hierarchy),
               PRM_AT(c->in, prm_create_scheduling_element_in_scheduling_context)))
        prm_set(c->out, prm_create_scheduling_element_out_scheduling_element_id,
                c->created->number);
}

/* Returns the element in the input of a command on a general object; NULL after devx_fail(). */
static const uint8_t *object_of(struct devx_command *c)
{
    if (c->in_len >= OBJECT_BYTES)
        return PRM_AT(c->in, prm_create_sched_elem_in_sched_elem);
    devx_fail(c, PRM_BAD_INPUT_LEN, 0x905, "the input is too short for a scheduling element");
    return NULL;
}

void devx_create_sched_object(struct devx_command *c)
{
    const uint8_t *object = object_of(c);

    if (object && create(c, prm_get(object, prm_sched_elem_scheduling_hierarchy),
                         PRM_AT(object, prm_sched_elem_sched_context)))
        prm_set(c->out, prm_general_obj_out_cmd_hdr_obj_id, c->created->number);
}

/* ---- changes and queries -------------------------------------------------------------------- */

static struct hca_sched *find(struct devx_command *c, uint32_t number)
{
    return devx_object(c, HCA_SCHED, number, "the scheduling element is not this client's");
}

/* A queue that waits for an old rate looks at the new rate. */
static void wake(struct hca_object *object, void *changed)
{
    struct hca_qp *qp = (struct hca_qp *)object;
    const struct hca_sched *sched = qp->requester;

    while (sched && sched != changed)
        sched = sched->attr.parent;
    if (sched)
        qp->wake = 0;
}

static void modify(struct devx_command *c, struct hca_sched *sched, uint64_t select,
                   const uint8_t *context)
{
    struct hca_sched_attr attr;

    if (!sched)
        return;
    attr = sched->attr;
    if ((select & ~(uint64_t)(SELECT_SHARE | SELECT_RATE)) != 0) {
        devx_fail(c, PRM_BAD_PARAM, 0x906, "only the share and the rate can be modified");
        return;
    }
    if (!read_limits(c, context, select, &attr))
        return;
    if (attr.mbps == sched->attr.mbps) {
        sched->attr = attr;     /* keep the wait that the bytes sent so far have caused */
        return;
    }
    sched->attr = attr;
    sched->busy_until = 0;
    hca_each(HCA_QP, wake, sched);
}

void devx_modify_sched(struct devx_command *c)
{
    if (is_of_nic(c, prm_get(c->in, prm_modify_scheduling_element_in_scheduling_hierarchy)))
        modify(c, find(c, (uint32_t)prm_get(
                   c->in, prm_modify_scheduling_element_in_scheduling_element_id)),
               prm_get(c->in, prm_modify_scheduling_element_in_modify_bitmask),
               PRM_AT(c->in, prm_modify_scheduling_element_in_scheduling_context));
}

void devx_modify_sched_object(struct devx_command *c)
{
    const uint8_t *object = object_of(c);

    if (object && is_of_nic(c, prm_get(object, prm_sched_elem_scheduling_hierarchy)))
        modify(c, find(c, (uint32_t)prm_get(c->in, prm_general_obj_in_cmd_hdr_obj_id)),
               prm_get(object, prm_sched_elem_modify_field_select),
               PRM_AT(object, prm_sched_elem_sched_context));
}

static void query(const struct hca_sched *sched, uint8_t *context)
{
    if (!sched)
        return;
    prm_set(context, prm_scheduling_context_element_type,
            sched->attr.is_leaf ? TYPE_QUEUE_GROUP : TYPE_TSAR);
    prm_set(context, prm_scheduling_context_parent_element_id,
            sched->attr.parent ? sched->attr.parent->object.number : 0);
    prm_set(context, prm_scheduling_context_bw_share, sched->attr.share);
    prm_set(context, prm_scheduling_context_max_average_bw, sched->attr.mbps);
}

void devx_query_sched(struct devx_command *c)
{
    if (devx_output(c, prm_fields[prm_query_scheduling_element_out_scheduling_context].bit / 8 +
                       0x40) &&
        is_of_nic(c, prm_get(c->in, prm_query_scheduling_element_in_scheduling_hierarchy)))
        query(find(c, (uint32_t)prm_get(
                   c->in, prm_query_scheduling_element_in_scheduling_element_id)),
              PRM_AT(c->out, prm_query_scheduling_element_out_scheduling_context));
}

void devx_query_sched_object(struct devx_command *c)
{
    uint8_t *object = PRM_AT(c->out, prm_create_sched_elem_in_sched_elem);

    if (!devx_output(c, OBJECT_BYTES))
        return;
    prm_set(object, prm_sched_elem_scheduling_hierarchy, HIERARCHY_NIC);
    query(find(c, (uint32_t)prm_get(c->in, prm_general_obj_in_cmd_hdr_obj_id)),
          PRM_AT(object, prm_sched_elem_sched_context));
}

bool devx_sched_leaf(struct devx_command *c, uint32_t number, struct hca_sched **leaf)
{
    *leaf = NULL;
    if (number == 0)
        return true;
    *leaf = find(c, number);
    if (*leaf && !(*leaf)->attr.is_leaf) {
        devx_fail(c, PRM_BAD_RESOURCE, 0x907, "the scheduling element is not a leaf");
        *leaf = NULL;
    }
    return *leaf != NULL;
}
