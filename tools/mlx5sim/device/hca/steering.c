/*
 * Rules for packets. The rules of a function are a list that is sorted by place and priority, and
 * in the order of creation within a priority. Rules of the same priority that match the same
 * packets have the effect of one rule with all their destinations. The entries of a table are a
 * list that is sorted by index.
 */
#include "device/hca/steering.h"
#include "device/hca/inbound.h"
#include "device/hca/tir.h"
#include "device/machine/log.h"
#include "wire/prm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Entries that a packet and its copies can reach. A limit is needed, because each table can
 * multiply the packet by its destinations. The number is assumed. */
enum { MAX_STEPS = 1024 };

static struct hca_rule *rules[SIM_MAX_FUNCTIONS];       /* by the index of the function */

/* ---- objects -------------------------------------------------------------------------------- */

static struct hca_rule **list_of(const struct hca_rule_attr *attr,
                                 const struct sim_function *function)
{
    return attr->group ? &attr->group->attr.table->entries : &rules[function->index];
}

static void each_used(const struct hca_rule_attr *attr, void (*change)(void *object))
{
    for (unsigned i = 0; i < attr->num_dests; i++)
        change(attr->dest[i]);
    change(attr->group);
    change(attr->counter);
    change(attr->changes.modify);
    change(attr->changes.reformat);
}

static void rule_release(struct hca_object *object)
{
    struct hca_rule *rule = (struct hca_rule *)object;
    struct hca_rule **at = list_of(&rule->attr, object->function);

    while (*at != rule)
        at = &(*at)->next;
    *at = rule->next;
    each_used(&rule->attr, hca_unref);
}

static bool comes_before(const struct hca_rule_attr *a, const struct hca_rule_attr *b)
{
    if (a->group)
        return a->index < b->index;
    return a->place != b->place ? a->place < b->place : a->priority < b->priority;
}

int hca_rule_create(struct sim_client *client, const struct hca_rule_attr *attr,
                    struct hca_object **out)
{
    struct hca_rule *rule = calloc(1, sizeof(*rule)), **at = list_of(attr, client->function);

    if (!rule || hca_add(&rule->object, HCA_RULE, client, rule_release)) {
        free(rule);
        return ENOMEM;
    }
    rule->attr = *attr;
    each_used(attr, hca_ref);
    while (*at && !comes_before(attr, &(*at)->attr))
        at = &(*at)->next;
    rule->next = *at;
    *at = rule;
    *out = &rule->object;
    return 0;
}

void hca_rule_modify(struct hca_rule *rule, const struct hca_rule_attr *attr)
{
    each_used(attr, hca_ref);
    each_used(&rule->attr, hca_unref);
    rule->attr = *attr;
}

struct hca_rule *hca_rule_find(const struct hca_flow_table *table, uint32_t index)
{
    struct hca_rule *rule = table->entries;

    while (rule && rule->attr.index < index)
        rule = rule->next;
    return rule && rule->attr.index == index ? rule : NULL;
}

/* ---- the way of a packet -------------------------------------------------------------------- */

struct passage {
    struct sim_function *function;
    uint32_t sqn;
    void (*leave)(struct sim_function *, const struct packet *);        /* NULL: was received */
    unsigned steps;             /* entries that were reached */
};

static void apply(struct passage *passage, struct hca_rule *rule, const struct packet *packet,
                  uint32_t tag);

static void deliver(struct hca_object *dest, const struct packet *packet, uint32_t tag)
{
    struct inbound info = { .flow_tag = tag };
    struct hca_qp *qp = (struct hca_qp *)dest;

    if (dest->type == HCA_TIR)
        qp = hca_tir_select((const struct hca_tir *)dest, packet, &info.hash, &info.hash_type);
    inbound_deliver(qp, packet, &info);
}

static void pass_sniffers(struct sim_function *function, const struct packet *packet)
{
    struct passage passage = { .function = function };
    struct hca_rule *rule = rules[function->index];

    for (; rule && rule->attr.place == STEER_SNIFFER; rule = rule->next)
        apply(&passage, rule, packet, 0);
}

static void leave(const struct passage *passage, const struct packet *packet)
{
    if (!passage->leave)
        return;
    pass_sniffers(passage->function, packet);
    passage->leave(passage->function, packet);
}

static void pass_table(struct passage *passage, const struct hca_flow_table *table,
                       const struct packet *packet, uint32_t tag)
{
    uint8_t match[MATCH_BYTES];

    match_of_packet(packet, passage->sqn, match);
    for (; table; table = table->attr.miss)
        for (struct hca_rule *rule = table->entries; rule; rule = rule->next)
            if (match_is_met(match, rule->attr.mask, rule->attr.value)) {
                apply(passage, rule, packet, tag);
                return;
            }
    leave(passage, packet);
}

static bool changes_packet(unsigned action)
{
    return (action & (PRM_FLOW_REFORMAT | PRM_FLOW_DECAP | PRM_FLOW_MODIFY | PRM_FLOW_POP_VLAN |
                      PRM_FLOW_PUSH_VLAN)) != 0;
}

/* Sends the packet of a rule, after its changes, to the destinations of the rule. */
static void forward(struct passage *passage, const struct hca_rule_attr *attr,
                    const struct packet *packet, uint32_t tag)
{
    for (unsigned i = 0; i < attr->num_dests; i++)
        if (attr->dest[i]->type == HCA_TABLE)
            pass_table(passage, (const struct hca_flow_table *)attr->dest[i], packet, tag);
        else
            deliver(attr->dest[i], packet, tag);
    if (attr->action & PRM_FLOW_ALLOW)
        leave(passage, packet);
}

static void change_and_forward(struct passage *passage, const struct hca_rule_attr *attr,
                               const struct packet *packet, uint32_t tag)
{
    uint8_t bytes[PACKET_MAX];
    struct packet changed = *packet;

    memcpy(bytes, packet->bytes, packet->len);
    changed.bytes = bytes;
    if (hca_changes_apply(&attr->changes, &changed))
        forward(passage, attr, &changed, tag);
    else
        sim_log(SIM_INFO, "%s: a frame is dropped, because a rule makes it too long",
                passage->function->name);
}

static void apply(struct passage *passage, struct hca_rule *rule, const struct packet *packet,
                  uint32_t tag)
{
    const struct hca_rule_attr *attr = &rule->attr;

    if (passage->steps++ == MAX_STEPS)
        sim_log(SIM_INFO, "%s: a frame is dropped, because it has reached %u entries of tables",
                passage->function->name, MAX_STEPS);
    if (passage->steps > MAX_STEPS)
        return;
    sim_log(SIM_TRACE, "%s: rule %#x of priority %u takes a frame of %u bytes",
            rule->object.function->name, rule->object.number,
            attr->group ? attr->index : attr->priority, packet->len);
    if (attr->counter) {
        attr->counter->value[attr->counter_index].packets++;
        attr->counter->value[attr->counter_index].bytes += packet->len;
    }
    if (attr->action & PRM_FLOW_DROP)
        return;
    tag = attr->tag ? attr->tag : tag;
    if (changes_packet(attr->action))
        change_and_forward(passage, attr, packet, tag);
    else
        forward(passage, attr, packet, tag);
}

/* ---- the rules of a function ---------------------------------------------------------------- */

/* True when both rules belong to one priority and match the same packets. */
static bool is_same_match(const struct hca_rule_attr *a, const struct hca_rule_attr *b)
{
    return a->place == b->place && a->priority == b->priority &&
           memcmp(a->mask, b->mask, MATCH_BYTES) == 0 &&
           memcmp(a->value, b->value, MATCH_BYTES) == 0;
}

void steer_received(struct sim_function *function, const struct packet *packet)
{
    struct passage passage = { .function = function };
    const struct hca_rule_attr *taken = NULL;
    struct packet received = *packet;
    uint8_t match[MATCH_BYTES];

    if (!rules[function->index] || function->fatal)
        return;
    memset(received.reg, 0, sizeof(received.reg));
    pass_sniffers(function, &received);
    match_of_packet(&received, 0, match);
    for (struct hca_rule *rule = rules[function->index]; rule; rule = rule->next) {
        const struct hca_rule_attr *attr = &rule->attr;

        if (attr->place == STEER_SNIFFER || attr->place == STEER_SENT ||
            !match_is_met(match, attr->mask, attr->value) ||
            (taken && !is_same_match(taken, attr)))
            continue;
        apply(&passage, rule, &received, 0);
        if (!attr->goes_on)
            taken = attr;
    }
}

void steer_sent(struct sim_function *function, const struct packet *packet, uint32_t sqn,
                void (*leave_function)(struct sim_function *, const struct packet *))
{
    struct passage passage = { .function = function, .sqn = sqn, .leave = leave_function };
    uint8_t match[MATCH_BYTES];

    if (rules[function->index])
        match_of_packet(packet, sqn, match);
    for (struct hca_rule *rule = rules[function->index]; rule; rule = rule->next)
        if (rule->attr.place == STEER_SENT &&
            match_is_met(match, rule->attr.mask, rule->attr.value)) {
            apply(&passage, rule, packet, 0);
            return;
        }
    leave(&passage, packet);
}
