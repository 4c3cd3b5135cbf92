/*
 * The way of a packet through entries that a program has written into the memory of its function
 * (software-managed steering), in format 0 of these entries.
 */
#ifndef MLX5SIM_HCA_STE_H
#define MLX5SIM_HCA_STE_H

#include "device/hca/packet.h"
#include "device/hca/object.h"

enum { STE_BYTES = 64 };

enum ste_fate { STE_DROP, STE_EXHAUSTED, STE_ALLOW, STE_DELIVER };

struct ste_walk {
    struct sim_function *function;
    uint32_t sqn;               /* of a packet that is sent, otherwise 0 */
    uint64_t address;           /* of the first entry */
    struct packet *packet;      /* its buffer has PACKET_MAX bytes; entries can change it */
    unsigned max;               /* entries that the packet may be compared with */
    unsigned compared;          /* out: entries that it was compared with */
    uint32_t tag;               /* in and out: the flow tag */
    struct hca_object *dest;    /* out, of STE_DELIVER: a TIR or a QP */
};

/* Returns what happens to the packet. A wrong entry drops it (assumed) and logs the reason. */
enum ste_fate ste_walk(struct ste_walk *walk);

#endif
