/*
 * Rules for packets. The rules of a function are a list that is sorted by place and priority, and
 * in the order of creation within a priority. Rules of the same priority that match the same
 * packets have the effect of one rule with all their destinations. The entries of a table are a
 * list that is sorted by index.
 */
#include "device/hca/steering.h"
#include "device/hca/inbound.h"
#include "device/hca/meter.h"
#include "device/hca/sampler.h"
#include "device/hca/ste.h"
#include "device/hca/tir.h"
#include "device/machine/log.h"
#include "wire/prm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Entries that a packet and its copies can reach, and entries that they can be compared with, in
 * all functions together. The limits are needed, because each table can multiply the packet by its
 * destinations. The numbers are assumed; the second one is that of four tables of the largest
 * size. */
enum { MAX_STEPS = 1024, MAX_COMPARED = 1 << 18 };

/* Tables that a packet can pass one after the other. Entries of tables send packets to tables of a
 * higher level only, but entries of programs can send a packet to a table of any level. */
enum { MAX_DEPTH = 2 * FLOW_MAX_LEVEL };

static unsigned steps, compared;        /* of the packet that is sent, and its copies */

static struct hca_rule *rules[SIM_MAX_FUNCTIONS];       /* by the index of the function */

/* ---- objects -------------------------------------------------------------------------------- */

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

    *rule->link = rule->next;
    if (rule->next)
        rule->next->link = rule->link;
    if (rule->attr.group)
        rule->attr.group->attr.table->at[rule->attr.index] = NULL;
    each_used(&rule->attr, hca_unref);
}

static bool comes_before(const struct hca_rule_attr *a, const struct hca_rule_attr *b)
{
    return a->place != b->place ? a->place < b->place : a->priority < b->priority;
}

/* Finds the place of a new rule in its list. */
static struct hca_rule **place_of(const struct hca_rule_attr *attr,
                                  const struct sim_function *function)
{
    struct hca_rule **link = &rules[function->index];

    if (attr->group) {
        struct hca_flow_table *table = attr->group->attr.table;

        for (uint32_t i = attr->index; i-- > 0;)
            if (table->at[i])
                return &table->at[i]->next;
        return &table->entries;
    }
    while (*link && !comes_before(attr, &(*link)->attr))
        link = &(*link)->next;
    return link;
}

int hca_rule_create(struct sim_client *client, const struct hca_rule_attr *attr,
                    struct hca_object **out)
{
    struct hca_rule *rule = calloc(1, sizeof(*rule));

    if (!rule || hca_add(&rule->object, HCA_RULE, client, rule_release)) {
        free(rule);
        return ENOMEM;
    }
    rule->attr = *attr;
    each_used(attr, hca_ref);
    rule->link = place_of(attr, client->function);
    rule->next = *rule->link;
    *rule->link = rule;
    if (rule->next)
        rule->next->link = &rule->next;
    if (attr->group)
        attr->group->attr.table->at[attr->index] = rule;
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
    return index >> table->attr.log_size == 0 ? table->at[index] : NULL;
}

/* ---- the way of a packet -------------------------------------------------------------------- */

struct passage {
    struct sim_function *function;
    uint32_t sqn;
    unsigned depth;             /* tables that have sent the packet to the current one */
    void (*leave)(struct sim_function *, const struct packet *);        /* NULL: was received */
};

static void apply(struct passage *passage, struct hca_rule *rule, const struct packet *packet,
                  uint32_t tag);
static void pass_table(struct passage *passage, const struct hca_flow_table *table,
                       const struct packet *packet, uint32_t tag);

static void deliver(struct hca_object *dest, const struct packet *packet, uint32_t tag)
{
    struct inbound info = { .flow_tag = tag };
    struct hca_qp *qp = (struct hca_qp *)dest;

    if (dest->type == HCA_TIR)
        qp = hca_tir_select((const struct hca_tir *)dest, packet, &info.hash, &info.hash_type);
    inbound_deliver(qp, packet, &info);
}

/* analyzer: misc-no-recursion: in the passage of a sniffer rule nothing leaves */
static void pass_sniffers(struct sim_function *function, const struct packet *packet)
{
    struct passage passage = { .function = function };
    struct hca_rule *rule = rules[function->index];

    for (; rule && rule->attr.place == STEER_SNIFFER; rule = rule->next)
        apply(&passage, rule, packet, 0);
}

/* Counts an entry. True when the packet must be dropped, because it has had `max` entries. */
static bool is_exhausted(const struct passage *passage, unsigned *num, unsigned max)
{
    if (*num > max)
        return true;
    if ((*num)++ < max)
        return false;
    sim_log(SIM_INFO, "%s: a frame is dropped, because it and its copies have had %u entries",
            passage->function->name, max);
    return true;
}

/* A copy that leaves counts like an entry. */
/* analyzer: misc-no-recursion: in the passage of a sniffer rule nothing leaves */
static void leave(const struct passage *passage, const struct packet *packet)
{
    if (!passage->leave || is_exhausted(passage, &steps, MAX_STEPS))
        return;
    pass_sniffers(passage->function, packet);
    passage->leave(passage->function, packet);
}

/* Sends a packet that has passed the entries of a program to their destination. */
/* analyzer: misc-no-recursion: `depth` limits it */
static void pass_to(struct passage *passage, struct hca_object *dest, const struct packet *packet,
                    uint32_t tag)
{
    struct hca_sampler *sampler = (struct hca_sampler *)dest;
    struct hca_meter *meter = (struct hca_meter *)dest;
    struct packet colored = *packet;

    if (dest->type == HCA_TABLE) {
        pass_table(passage, (const struct hca_flow_table *)dest, packet, tag);
    } else if (dest->type != HCA_SAMPLER && dest->type != HCA_METER) {
        deliver(dest, packet, tag);
    } else if (is_exhausted(passage, &steps, MAX_STEPS)) {
        return;
    } else if (dest->type == HCA_METER) {
        hca_meter_color(meter, &colored);
        pass_table(passage, meter->attr.table, &colored, tag);
    } else {
        if (hca_sampler_takes(sampler))
            pass_table(passage, sampler->attr.sample, packet, tag);
        pass_table(passage, sampler->attr.table, packet, tag);
    }
}

/* Passes a copy of the packet through the entries of a program. */
/* analyzer: misc-no-recursion: `depth` limits it */
static void pass_owned(struct passage *passage, const struct hca_flow_table *table,
                       const struct packet *packet, uint32_t tag)
{
    uint8_t *bytes = malloc(PACKET_MAX);
    struct packet copy = *packet;
    struct ste_walk walk = { .function = passage->function, .sqn = passage->sqn,
                             .address = table->attr.root, .packet = &copy, .tag = tag };
    enum ste_fate fate;

    if (!bytes || is_exhausted(passage, &compared, MAX_COMPARED)) {
        free(bytes);
        return;
    }
    memcpy(bytes, packet->bytes, packet->len);
    copy.bytes = bytes;
    walk.max = MAX_COMPARED - compared;
    fate = ste_walk(&walk);
    compared += walk.cost;
    if (fate == STE_DELIVER)
        pass_to(passage, walk.dest, &copy, walk.tag);
    else if (fate == STE_ALLOW)
        leave(passage, &copy);
    else if (fate == STE_EXHAUSTED)
        is_exhausted(passage, &compared, MAX_COMPARED);         /* writes the log */
    free(bytes);
}

/* Passes a packet through a table, and through the next tables when no entry matches. */
/* analyzer: misc-no-recursion: `depth` limits it */
static void pass_entries(struct passage *passage, const struct hca_flow_table *table,
                         const struct packet *packet, uint32_t tag)
{
    uint8_t match[MATCH_BYTES];

    match_of_packet(packet, passage->sqn, match);
    for (; table; table = table->attr.miss) {
        if (table->attr.sw_owned) {
            pass_owned(passage, table, packet, tag);
            return;
        }
        for (struct hca_rule *rule = table->entries; rule; rule = rule->next) {
            if (is_exhausted(passage, &compared, MAX_COMPARED))
                return;
            if (match_is_met(match, rule->attr.mask, rule->attr.value)) {
                apply(passage, rule, packet, tag);
                return;
            }
        }
    }
    leave(passage, packet);
}

/* analyzer: misc-no-recursion: `depth` limits it */
static void pass_table(struct passage *passage, const struct hca_flow_table *table,
                       const struct packet *packet, uint32_t tag)
{
    if (passage->depth == MAX_DEPTH) {
        sim_log(SIM_INFO, "%s: a frame is dropped, because entries send it through more than %u "
                "tables", passage->function->name, (unsigned)MAX_DEPTH);
        return;
    }
    passage->depth++;
    pass_entries(passage, table, packet, tag);
    passage->depth--;
}

static bool changes_packet(unsigned action)
{
    return (action & (PRM_FLOW_REFORMAT | PRM_FLOW_DECAP | PRM_FLOW_MODIFY | PRM_FLOW_POP_VLAN |
                      PRM_FLOW_PUSH_VLAN)) != 0;
}

/* Sends the packet of a rule, after its changes, to the destinations of the rule. */
/* analyzer: misc-no-recursion: `depth` limits it */
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

/* analyzer: misc-no-recursion: `depth` limits it */
static void change_and_forward(struct passage *passage, const struct hca_rule_attr *attr,
                               const struct packet *packet, uint32_t tag)
{
    uint8_t *bytes = malloc(PACKET_MAX);        /* many tables would need too much of the stack */
    struct packet changed = *packet;

    if (!bytes)
        return;
    memcpy(bytes, packet->bytes, packet->len);
    changed.bytes = bytes;
    if (hca_changes_apply(&attr->changes, &changed))
        forward(passage, attr, &changed, tag);
    else
        sim_log(SIM_INFO, "%s: a frame is dropped, because a rule makes it too long",
                passage->function->name);
    free(bytes);
}

/* analyzer: misc-no-recursion: `depth` limits it */
static void apply(struct passage *passage, struct hca_rule *rule, const struct packet *packet,
                  uint32_t tag)
{
    const struct hca_rule_attr *attr = &rule->attr;

    if (attr->group && is_exhausted(passage, &steps, MAX_STEPS))
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

/* Rules and entries of RDMA match all packets. They have at most one destination, which is a table
 * of a higher level. */
bool steer_rdma_passes(const struct sim_function *function, enum steer_place place)
{
    const struct hca_rule *rule = rules[function->index];

    while (rule && rule->attr.place != place)
        rule = rule->next;
    while (rule) {
        const struct hca_flow_table *table = NULL;

        if (!(rule->attr.action & PRM_FLOW_FORWARD))
            return !(rule->attr.action & PRM_FLOW_DROP);
        table = (const struct hca_flow_table *)rule->attr.dest[0];
        while (table && !table->entries)
            table = table->attr.miss;
        rule = table ? table->entries : NULL;
    }
    return true;
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

        if (attr->place == STEER_SNIFFER || attr->place >= STEER_SENT ||
            !match_is_met(match, attr->mask, attr->value) ||
            (taken && !is_same_match(taken, attr)))
            continue;
        apply(&passage, rule, &received, 0);
        if (!attr->goes_on)     /* of the rules that follow, only equal ones get a copy */
            taken = attr;
    }
}

void steer_sent(struct sim_function *function, const struct packet *packet, uint32_t sqn,
                void (*leave_function)(struct sim_function *, const struct packet *))
{
    struct passage passage = { .function = function, .sqn = sqn, .leave = leave_function };
    uint8_t match[MATCH_BYTES];

    steps = compared = 0;
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
