/*
 * Flow samplers: a packet passes to a table, and a copy of some packets passes to another table
 * before. Steering entries name a sampler by its address.
 */
#ifndef MLX5SIM_HCA_SAMPLER_H
#define MLX5SIM_HCA_SAMPLER_H

#include "device/hca/flow_table.h"

struct hca_sampler_attr {
    uint32_t ratio;             /* a copy of one packet in so many */
    struct hca_flow_table *sample;      /* for the copies */
    struct hca_flow_table *table;       /* for all packets; of the same type */
};

struct hca_sampler {
    struct hca_object object;
    struct hca_sampler_attr attr;
    uint32_t passed;            /* packets since the last copy */
};

/* A sampler holds references on its tables. Returns 0 or ENOMEM. */
int hca_sampler_create(struct sim_client *client, const struct hca_sampler_attr *attr,
                       struct hca_object **out);

/* Counts a packet. True when the packet must be copied. A card takes packets with the probability
 * 1 / ratio; here it is every packet with a number that is a multiple of the ratio. */
bool hca_sampler_takes(struct hca_sampler *sampler);

#endif
