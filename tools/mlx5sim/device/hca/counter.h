/* Flow counters. */
#ifndef MLX5SIM_HCA_COUNTER_H
#define MLX5SIM_HCA_COUNTER_H

#include "device/hca/object.h"

enum {
    COUNTER_LOG_MAX_BULK = 14,  /* counters of one object; flow_counter_bulk can express no more */
    COUNTER_MAX = 1 << 15       /* counters of the device; assumed */
};

/* The counters that one command has allocated. A counter counts the packets and the bytes of the
 * rules that use it. */
struct hca_counter {
    struct hca_object object;
    uint32_t num;
    struct { uint64_t packets, bytes; } value[];
};

/* Returns 0, or ENOMEM when memory or counters are lacking. */
int hca_counter_create(struct sim_client *client, uint32_t num, struct hca_object **out);

/* Returns the number that commands use for counter `index` of the object. */
uint32_t hca_counter_id(const struct hca_counter *counter, uint32_t index);
/* Finds the object of a counter by this number, and the index of the counter in the object. Returns
 * NULL when there is no such counter. */
struct hca_counter *hca_counter_find(uint32_t id, uint32_t *index);

#endif
