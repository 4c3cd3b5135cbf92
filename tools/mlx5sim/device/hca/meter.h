/*
 * Flow meters: a packet gets a colour by the rate of all packets before it, the colour is written
 * into a register C of the packet, and the packet passes to a table. Steering entries name a meter
 * by its address.
 */
#ifndef MLX5SIM_HCA_METER_H
#define MLX5SIM_HCA_METER_H

#include "device/hca/flow_table.h"
#include "device/hca/packet.h"

enum hca_color { COLOR_RED = 0, COLOR_YELLOW = 1, COLOR_GREEN = 2 };   /* values of a register */

/* The bytes of a packet that a meter counts: those of the IP packet, of the frame, or of the frame
 * with its preamble, its checksum and the gap behind it on a cable. */
enum hca_meter_mode { METER_IP, METER_FRAME, METER_CABLE };

/* A bucket gets tokens of one byte at its rate until it is full. */
struct hca_bucket_attr {
    uint64_t rate;              /* bytes per second */
    uint64_t size;              /* bytes, less than 2^63 */
};

enum { METER_COMMITTED, METER_EXCESS, METER_BUCKETS };

struct hca_meter_attr {
    struct hca_flow_table *table;       /* the next table */
    unsigned reg;               /* the register C: 0 to 7 */
    bool is_active;             /* an inactive meter gives the start colour (assumed) */
    enum hca_color start;       /* the colour that a packet has before the meter */
    enum hca_meter_mode mode;
    bool overflows;             /* tokens that the full bucket loses go to the excess bucket */
    bool takes_both;            /* a green packet takes tokens of both buckets */
    struct hca_bucket_attr bucket[METER_BUCKETS];
};

struct hca_meter {
    struct hca_object object;
    struct hca_meter_attr attr;
    uint64_t filled;            /* time in ns until which the buckets have got their tokens */
    int64_t tokens[METER_BUCKETS];
    uint64_t rest[METER_BUCKETS];       /* billionths of a token */
};

/* The buckets are full at first. A meter holds a reference on its table. Returns 0 or ENOMEM. */
int hca_meter_create(struct sim_client *client, const struct hca_meter_attr *attr,
                     struct hca_object **out);

/* Replaces the buckets and `is_active`. The tokens stay as far as they fit. */
void hca_meter_modify(struct hca_meter *meter, const struct hca_meter_attr *attr);

/*
 * Writes the colour of a packet into the lowest 8 bits of the register; the other bits stay
 * (assumed, because DPDK keeps other values in them).
 *
 * A green packet takes its tokens from the committed bucket. A packet that is yellow before, or for
 * which this bucket has too few tokens, takes tokens from the excess bucket and is yellow. If there
 * are too few as well, the packet is red. These are the rules of RFC 2697, RFC 2698 and RFC 4115
 * for packets that have a colour. A full bucket also lets out a packet that is larger than the
 * bucket, and then owes the rest (assumed). A bucket whose size and rate are 0 lets out nothing.
 */
void hca_meter_color(struct hca_meter *meter, struct packet *packet);

#endif
