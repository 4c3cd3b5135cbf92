/* Flow counters. */
#include "device/hca/counter.h"

#include <errno.h>
#include <stdlib.h>

static uint32_t num_counters;           /* of all objects */

static void counter_release(struct hca_object *object)
{
    num_counters -= ((struct hca_counter *)object)->num;
}

int hca_counter_create(struct sim_client *client, uint32_t num, struct hca_object **out)
{
    struct hca_counter *counter = NULL;

    if (num <= COUNTER_MAX - num_counters)
        counter = calloc(1, sizeof(*counter) + num * sizeof(counter->value[0]));
    if (!counter || hca_add(&counter->object, HCA_COUNTER, client, counter_release)) {
        free(counter);
        return ENOMEM;
    }
    counter->num = num;
    num_counters += num;
    *out = &counter->object;
    return 0;
}

uint32_t hca_counter_id(const struct hca_counter *counter, uint32_t index)
{
    return counter->object.number << COUNTER_LOG_MAX_BULK | index;
}

struct hca_counter *hca_counter_find(uint32_t id, uint32_t *index)
{
    struct hca_counter *counter =
        (struct hca_counter *)hca_find(HCA_COUNTER, id >> COUNTER_LOG_MAX_BULK);

    *index = id & ((1u << COUNTER_LOG_MAX_BULK) - 1);
    return counter && *index < counter->num ? counter : NULL;
}
