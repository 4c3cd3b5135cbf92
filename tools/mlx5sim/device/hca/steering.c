/*
 * Rules for packets. The rules of a function are a list that is sorted by place and priority, and
 * in the order of creation within a priority. Rules of the same priority that match the same
 * packets have the effect of one rule with all their destinations.
 */
#include "device/hca/steering.h"
#include "device/hca/inbound.h"
#include "device/hca/tir.h"
#include "device/machine/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct hca_rule {
    struct hca_object object;
    struct hca_rule *next;
    struct hca_rule_attr attr;
};

static struct hca_rule *rules[SIM_MAX_FUNCTIONS];       /* by the index of the function */

/* ---- objects -------------------------------------------------------------------------------- */

int hca_counter_create(struct sim_client *client, struct hca_object **out)
{
    struct hca_counter *counter = calloc(1, sizeof(*counter));

    if (!counter || hca_add(&counter->object, HCA_COUNTER, client, NULL)) {
        free(counter);
        return ENOMEM;
    }
    *out = &counter->object;
    return 0;
}

static void rule_release(struct hca_object *object)
{
    struct hca_rule *rule = (struct hca_rule *)object, **at = &rules[object->function->index];

    while (*at != rule)
        at = &(*at)->next;
    *at = rule->next;
    for (unsigned i = 0; i < rule->attr.num_dests; i++)
        hca_unref(rule->attr.dest[i]);
    hca_unref(rule->attr.counter);
}

static bool comes_before(const struct hca_rule_attr *a, const struct hca_rule_attr *b)
{
    return a->place != b->place ? a->place < b->place : a->priority < b->priority;
}

int hca_rule_create(struct sim_client *client, const struct hca_rule_attr *attr,
                    struct hca_object **out)
{
    struct hca_rule *rule = calloc(1, sizeof(*rule)), **at = &rules[client->function->index];

    if (!rule || hca_add(&rule->object, HCA_RULE, client, rule_release)) {
        free(rule);
        return ENOMEM;
    }
    rule->attr = *attr;
    for (unsigned i = 0; i < attr->num_dests; i++)
        hca_ref(attr->dest[i]);
    hca_ref(attr->counter);
    while (*at && !comes_before(attr, &(*at)->attr))
        at = &(*at)->next;
    rule->next = *at;
    *at = rule;
    *out = &rule->object;
    return 0;
}

/* ---- packets -------------------------------------------------------------------------------- */

static void deliver(struct hca_object *dest, const struct packet *packet, uint32_t tag)
{
    struct inbound info = { .flow_tag = tag };
    struct hca_qp *qp = (struct hca_qp *)dest;

    if (dest->type == HCA_TIR)
        qp = hca_tir_select((const struct hca_tir *)dest, packet, &info.hash, &info.hash_type);
    inbound_deliver(qp, packet, &info);
}

static void apply(struct hca_rule *rule, const struct packet *packet)
{
    const struct hca_rule_attr *attr = &rule->attr;

    sim_log(SIM_TRACE, "%s: rule %#x of priority %u takes a frame of %u bytes",
            rule->object.function->name, rule->object.number, attr->priority, packet->len);
    if (attr->counter) {
        attr->counter->packets++;
        attr->counter->bytes += packet->len;
    }
    for (unsigned i = 0; i < attr->num_dests; i++)
        deliver(attr->dest[i], packet, attr->tag);
}

/* True when both rules belong to one priority and match the same packets. */
static bool is_same_match(const struct hca_rule_attr *a, const struct hca_rule_attr *b)
{
    return a->place == b->place && a->priority == b->priority &&
           memcmp(a->mask, b->mask, MATCH_BYTES) == 0 &&
           memcmp(a->value, b->value, MATCH_BYTES) == 0;
}

static void pass_sniffers(struct sim_function *function, const struct packet *packet)
{
    struct hca_rule *rule = rules[function->index];

    for (; rule && rule->attr.place == STEER_SNIFFER; rule = rule->next)
        apply(rule, packet);
}

void steer_received(struct sim_function *function, const struct packet *packet)
{
    const struct hca_rule_attr *taken = NULL;
    uint8_t match[MATCH_BYTES];

    if (!rules[function->index] || function->fatal)
        return;
    pass_sniffers(function, packet);
    match_of_packet(packet, 0, match);
    for (struct hca_rule *rule = rules[function->index]; rule; rule = rule->next) {
        const struct hca_rule_attr *attr = &rule->attr;

        if (attr->place == STEER_SNIFFER || attr->place == STEER_SENT ||
            !match_is_met(match, attr->mask, attr->value) ||
            (taken && !is_same_match(taken, attr)))
            continue;
        apply(rule, packet);
        if (!attr->goes_on)
            taken = attr;
    }
}

bool steer_sent(struct sim_function *function, const struct packet *packet, uint32_t sqn)
{
    uint8_t match[MATCH_BYTES];

    if (!rules[function->index])
        return true;
    match_of_packet(packet, sqn, match);
    for (struct hca_rule *rule = rules[function->index]; rule; rule = rule->next) {
        if (rule->attr.place != STEER_SENT ||
            !match_is_met(match, rule->attr.mask, rule->attr.value))
            continue;
        apply(rule, packet);
        if (rule->attr.drops)
            return false;
        break;
    }
    pass_sniffers(function, packet);
    return true;
}
