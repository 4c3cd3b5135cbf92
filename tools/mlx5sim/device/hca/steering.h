/*
 * Rules for packets, of three origins: flow rules of verbs, flow rules of mlx5dv, and entries of
 * flow tables.
 */
#ifndef MLX5SIM_HCA_STEERING_H
#define MLX5SIM_HCA_STEERING_H

#include "device/hca/counter.h"
#include "device/hca/flow_table.h"
#include "device/hca/headers.h"

/* The places of the rules of a function. A received packet passes them in this order. All sniffer
 * rules get a copy. Of the other rules, the first one that matches takes the packet. */
enum steer_place {
    STEER_SNIFFER,              /* copies of received and sent packets */
    STEER_NORMAL,               /* rules with a priority; a smaller number comes first */
    STEER_DEFAULT,              /* rules for packets that no normal rule has taken */
    STEER_SENT,                 /* for packets that the function sends, by priority */
    STEER_RDMA_RECEIVED, STEER_RDMA_SENT        /* for packets of QPs with a transport */
};

enum { STEER_LOG_MAX_DESTS = 3, STEER_MAX_DESTS = 1 << STEER_LOG_MAX_DESTS };

struct hca_rule_attr {
    struct hca_flow_group *group;       /* of an entry of a table; NULL: a rule of a function */
    uint32_t index;             /* of an entry in its table, which uses the first matching entry */
    enum steer_place place;     /* place and priority of a rule of a function */
    uint32_t priority;
    bool goes_on;               /* the rule gets a copy, and later rules see the packet */
    uint8_t mask[MATCH_BYTES], value[MATCH_BYTES];
    unsigned action;            /* PRM_FLOW_* */
    struct hca_changes changes; /* what the action does to the packet, before it reaches `dest` */
    struct hca_object *dest[STEER_MAX_DESTS];   /* HCA_QP, HCA_TIR or HCA_TABLE */
    unsigned num_dests;
    struct hca_counter *counter;        /* or NULL */
    uint32_t counter_index;
    uint32_t tag;               /* the flow tag in CQEs; 0: that of the previous table */
};

struct hca_rule {
    struct hca_object object;
    struct hca_rule *next, **link;      /* `link` is the pointer to the rule in its list */
    struct hca_rule_attr attr;
};

/* A rule holds references on all objects in its attributes. */
int hca_rule_create(struct sim_client *client, const struct hca_rule_attr *attr,
                    struct hca_object **out);
/* Replaces all attributes except the group, the index, the place and the priority. */
void hca_rule_modify(struct hca_rule *rule, const struct hca_rule_attr *attr);
/* Returns the entry of a table with this index, or NULL. */
struct hca_rule *hca_rule_find(const struct hca_flow_table *table, uint32_t index);

/* True when packets of QPs with a transport pass the rules of one of the two places for RDMA.
 * Without a rule or an entry they pass. */
bool steer_rdma_passes(const struct sim_function *function, enum steer_place place);

/*
 * Both functions let a packet pass the rules of a function, and then the tables to which the rules
 * send it. A packet without a match in a table passes to the next table of that table. Behind the
 * last table, a received packet is dropped, and a sent packet leaves the function (assumed).
 */
void steer_received(struct sim_function *function, const struct packet *packet);
/* `leave` gets each packet that leaves; `sqn` is the send queue. */
void steer_sent(struct sim_function *function, const struct packet *packet, uint32_t sqn,
                void (*leave)(struct sim_function *function, const struct packet *packet));

#endif
