/* Rules for packets. */
#ifndef MLX5SIM_HCA_STEERING_H
#define MLX5SIM_HCA_STEERING_H

#include "device/hca/match.h"
#include "device/hca/object.h"

/* The places of rules. A received packet passes them in this order. All sniffer rules get a copy.
 * Of the other rules, the first one that matches takes the packet. */
enum steer_place {
    STEER_SNIFFER,              /* copies of received and sent packets */
    STEER_NORMAL,               /* rules with a priority; a smaller number comes first */
    STEER_DEFAULT,              /* for packets that nothing else takes */
    STEER_SENT                  /* for packets that the function sends, by priority */
};

enum { STEER_MAX_DESTS = 8 };

/* Counts packets and bytes of the rules that use it. */
struct hca_counter {
    struct hca_object object;
    uint64_t packets, bytes;
};

struct hca_rule_attr {
    enum steer_place place;
    uint32_t priority;
    uint8_t mask[MATCH_BYTES], value[MATCH_BYTES];
    struct hca_object *dest[STEER_MAX_DESTS];   /* HCA_QP or HCA_TIR */
    unsigned num_dests;         /* 0: received packets are dropped */
    bool drops;                 /* STEER_SENT: the packet is not sent */
    struct hca_counter *counter;        /* or NULL */
    uint32_t tag;               /* the flow tag in CQEs */
    bool goes_on;               /* the rule gets a copy, and later rules see the packet */
};

int hca_counter_create(struct sim_client *client, struct hca_object **out);
/* The rule holds references on its destinations and on its counter. */
int hca_rule_create(struct sim_client *client, const struct hca_rule_attr *attr,
                    struct hca_object **out);

/* Lets a packet pass the rules of a function that receives it. */
void steer_received(struct sim_function *function, const struct packet *packet);
/* Lets a packet pass the rules of the function that sends it from send queue `sqn`. False when a
 * rule drops it. */
bool steer_sent(struct sim_function *function, const struct packet *packet, uint32_t sqn);

#endif
