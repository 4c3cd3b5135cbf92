/* Flow meters. */
#include "device/hca/meter.h"

#include <errno.h>
#include <stdlib.h>

enum { ON_CABLE = 24 };         /* bytes: preamble 8, checksum 4, gap 12; assumed */

#define SECOND 1000000000ull    /* ns */

static void meter_release(struct hca_object *object)
{
    hca_unref(((struct hca_meter *)object)->attr.table);
}

int hca_meter_create(struct sim_client *client, const struct hca_meter_attr *attr,
                     struct hca_object **out)
{
    struct hca_meter *meter = calloc(1, sizeof(*meter));

    if (!meter || hca_add(&meter->object, HCA_METER, client, meter_release)) {
        free(meter);
        return ENOMEM;
    }
    meter->attr = *attr;
    meter->filled = sim_now();
    for (unsigned i = 0; i < METER_BUCKETS; i++)
        meter->tokens[i] = (int64_t)attr->bucket[i].size;
    hca_ref(attr->table);
    *out = &meter->object;
    return 0;
}

/* Returns how many tokens a rate gives in so many ns; `rest` keeps the billionths of a token. */
static uint64_t tokens_of(uint64_t rate, uint64_t ns, uint64_t *rest)
{
    uint64_t per_ns = rate / SECOND, per_second = rate % SECOND;
    uint64_t parts = ns % SECOND * per_second + *rest;

    *rest = parts % SECOND;
    return ns * per_ns + ns / SECOND * per_second + parts / SECOND;
}

/* Adds tokens to a bucket. Returns the number of tokens for which the bucket has no room. */
static uint64_t add(struct hca_meter *meter, unsigned i, uint64_t tokens)
{
    /* a debt is at most one packet */
    uint64_t room = (uint64_t)((int64_t)meter->attr.bucket[i].size - meter->tokens[i]);
    uint64_t fits = tokens < room ? tokens : room;

    meter->tokens[i] += (int64_t)fits;
    return tokens - fits;
}

static void fill(struct hca_meter *meter)
{
    uint64_t now = sim_now(), tokens[METER_BUCKETS], lost;

    for (unsigned i = 0; i < METER_BUCKETS; i++)
        tokens[i] = tokens_of(meter->attr.bucket[i].rate, now - meter->filled, &meter->rest[i]);
    lost = add(meter, METER_COMMITTED, tokens[METER_COMMITTED]);
    add(meter, METER_EXCESS, tokens[METER_EXCESS]);
    if (meter->attr.overflows)
        add(meter, METER_EXCESS, lost);
    meter->filled = now;
}

void hca_meter_modify(struct hca_meter *meter, const struct hca_meter_attr *attr)
{
    fill(meter);
    meter->attr.is_active = attr->is_active;
    for (unsigned i = 0; i < METER_BUCKETS; i++) {
        meter->attr.bucket[i] = attr->bucket[i];
        if (meter->tokens[i] > (int64_t)attr->bucket[i].size)
            meter->tokens[i] = (int64_t)attr->bucket[i].size;
    }
}

static int64_t length_of(const struct hca_meter *meter, const struct packet *packet)
{
    if (meter->attr.mode == METER_IP && packet->l3)
        return packet->end - packet->l3;
    return packet->len + (meter->attr.mode == METER_CABLE ? ON_CABLE : 0);
}

/* True when a bucket lets out a packet of this length. */
static bool has(const struct hca_meter *meter, unsigned i, int64_t len)
{
    const struct hca_bucket_attr *bucket = &meter->attr.bucket[i];

    return (bucket->size || bucket->rate) &&
           (meter->tokens[i] >= len || meter->tokens[i] == (int64_t)bucket->size);
}

static enum hca_color color_of(struct hca_meter *meter, int64_t len)
{
    enum hca_color start = meter->attr.start;

    fill(meter);
    if (start == COLOR_GREEN && has(meter, METER_COMMITTED, len) &&
        (!meter->attr.takes_both || has(meter, METER_EXCESS, len))) {
        meter->tokens[METER_COMMITTED] -= len;
        meter->tokens[METER_EXCESS] -= meter->attr.takes_both ? len : 0;
        return COLOR_GREEN;
    }
    if (start != COLOR_RED && has(meter, METER_EXCESS, len)) {
        meter->tokens[METER_EXCESS] -= len;
        return COLOR_YELLOW;
    }
    return COLOR_RED;
}

void hca_meter_color(struct hca_meter *meter, struct packet *packet)
{
    enum hca_color color = meter->attr.is_active ? color_of(meter, length_of(meter, packet))
                                                 : meter->attr.start;
    uint32_t *reg = &packet->reg[PACKET_REG_C + meter->attr.reg];

    *reg = (*reg & ~0xffu) | color;
}
