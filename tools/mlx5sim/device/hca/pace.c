/* Packet pacing: the table of rates of each function, and the pacing of queues. */
#include "device/hca/pace.h"

#include <errno.h>
#include <stddef.h>

enum { PACKET = 1500 };         /* bytes of a typical packet of unknown size; assumed */

struct entry {
    struct pace_rate rate;
    bool is_dedicated;
    unsigned refs;              /* 0: free */
};

static struct entry tables[SIM_MAX_FUNCTIONS][PACE_NUM_RATES];

/* Returns the entry with this index, or NULL. Index 0 of queues means no rate, so the first entry
 * has index 1. */
static struct entry *entry_at(const struct sim_function *function, uint16_t index)
{
    if (index < 1 || index > PACE_NUM_RATES || !tables[function->index][index - 1].refs)
        return NULL;
    return &tables[function->index][index - 1];
}

static bool is_equal(const struct pace_rate *a, const struct pace_rate *b)
{
    return a->kbps == b->kbps && a->burst == b->burst && a->packet == b->packet;
}

int pace_get(const struct sim_function *function, const struct pace_rate *rate, bool is_dedicated,
             uint16_t *index)
{
    struct entry *table = tables[function->index], *found = NULL;

    if (rate->kbps < PACE_MIN_KBPS || rate->kbps > PACE_MAX_KBPS)
        return EINVAL;
    for (struct entry *at = table; at < table + PACE_NUM_RATES; at++)
        if (at->refs && !is_dedicated && !at->is_dedicated && is_equal(&at->rate, rate)) {
            found = at;
            break;
        } else if (!at->refs && !found) {
            found = at;
        }
    if (!found)
        return ENOSPC;
    if (!found->refs)
        *found = (struct entry){ .rate = *rate, .is_dedicated = is_dedicated };
    found->refs++;
    *index = (uint16_t)(found - table + 1);
    return 0;
}

void pace_put(const struct sim_function *function, uint16_t index)
{
    struct entry *entry = entry_at(function, index);

    if (entry)
        entry->refs--;
}

bool pace_set(struct hca_pace *pace, const struct sim_function *function, uint16_t index)
{
    struct entry *entry = entry_at(function, index);

    if (index && !entry)
        return false;
    if (pace->function == function && pace->index == index)
        return true;            /* keep the wait that the bytes sent so far have caused */
    if (entry)
        entry->refs++;
    if (pace->function)
        pace_put(pace->function, pace->index);
    *pace = (struct hca_pace){ .function = function, .index = index };
    return true;
}

/* Returns the time that the rate needs for so many bytes. */
static uint64_t time_of(const struct hca_pace *pace, uint64_t bytes)
{
    return bytes * 8000000 / entry_at(pace->function, pace->index)->rate.kbps;
}

/* A queue may send when the burst has room for a typical packet. */
bool pace_may_send(const struct hca_pace *pace, uint64_t now, uint64_t *wake)
{
    const struct pace_rate *rate;
    uint32_t packet;
    uint64_t from;

    if (!pace->index)
        return true;
    rate = &entry_at(pace->function, pace->index)->rate;
    packet = rate->packet ? rate->packet : PACKET;
    /* it is before time 0, if the burst needs more time than has passed since then */
    from = pace->busy_until - (rate->burst > packet ? time_of(pace, rate->burst - packet) : 0);
    if ((int64_t)(from - now) <= 0)
        return true;
    *wake = from;
    return false;
}

void pace_sent(struct hca_pace *pace, uint64_t now, uint32_t bytes)
{
    if (!pace->index)
        return;
    if (pace->busy_until < now)
        pace->busy_until = now;
    pace->busy_until += time_of(pace, bytes);
}
