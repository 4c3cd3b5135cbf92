/* Packet pacing: rates that limit send queues. */
#ifndef MLX5SIM_HCA_PACE_H
#define MLX5SIM_HCA_PACE_H

#include "device/machine/machine.h"

enum { PACE_NUM_RATES = 128, PACE_MIN_KBPS = 1, PACE_MAX_KBPS = 200000000 };

struct pace_rate {
    uint32_t kbps;
    uint32_t burst;             /* bytes that may go out at once */
    uint16_t packet;            /* bytes of a typical packet; 0: not known */
};

/* How a send queue is paced. */
struct hca_pace {
    const struct sim_function *function;        /* has the table of rates */
    uint16_t index;             /* of the rate; 0: no limit */
    uint64_t busy_until;        /* ns; when the rate has let out all that was sent */
};

/* Stores the index of a rate in the table of a function in `index`, and takes a reference. Equal
 * rates share an entry, except dedicated ones. Returns 0, EINVAL for a rate that the device does
 * not have, or ENOSPC. */
int pace_get(const struct sim_function *function, const struct pace_rate *rate, bool is_dedicated,
             uint16_t *index);
void pace_put(const struct sim_function *function, uint16_t index);

/* Paces a queue with a rate of the table; index 0 ends the pacing. Setting the rate that the queue
 * has changes nothing. False when the table has no such rate. */
bool pace_set(struct hca_pace *pace, const struct sim_function *function, uint16_t index);

/* True when the queue may send at time `now`; otherwise stores the time at which it may. */
bool pace_may_send(const struct hca_pace *pace, uint64_t now, uint64_t *wake);
void pace_sent(struct hca_pace *pace, uint64_t now, uint32_t bytes);

#endif
