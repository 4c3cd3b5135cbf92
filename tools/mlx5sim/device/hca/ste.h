/*
 * The way of a packet through entries that a program has written into the memory of its function
 * (software-managed steering), in format 0 of these entries.
 *
 * Entries reach all entries, TIRs, QPs, tables and counters of their function, also those of other
 * programs. The same holds for a card: only a firmware command contains the uid by which the device
 * distinguishes programs, and the device reads entries without a command. Therefore the kernel
 * allocates this memory only for programs with CAP_NET_RAW and CAP_SYS_RAWIO. Entries do not reach
 * objects of other functions.
 */
#ifndef MLX5SIM_HCA_STE_H
#define MLX5SIM_HCA_STE_H

#include "device/hca/packet.h"
#include "device/hca/object.h"

enum { STE_BYTES = 64 };

/* What the way of a packet costs, in units of a comparison with an entry of a flow table: each
 * comparison with an entry of a program, each entry that changes the packet, and each action of its
 * list. A change costs more for a long frame, because of its checksum. The costs are those of the
 * emulator. They end the way of a packet through entries that lead in a circle. */
enum { STE_COST = 16, STE_CHANGE_COST = 64, STE_BYTES_PER_COST = 64, STE_ACTION_COST = 1 };

enum ste_fate { STE_DROP, STE_EXHAUSTED, STE_ALLOW, STE_DELIVER };

struct ste_walk {
    struct sim_function *function;
    uint32_t sqn;               /* of a packet that is sent, otherwise 0 */
    uint64_t address;           /* of the first entry */
    struct packet *packet;      /* its buffer has PACKET_MAX bytes; entries can change it */
    unsigned max;               /* what the way of the packet may cost */
    unsigned cost;              /* out: what it has cost; `max` with STE_EXHAUSTED */
    uint32_t tag;               /* in and out: the flow tag */
    struct hca_object *dest;    /* out, of STE_DELIVER: a TIR, a QP, a flow table or a sampler */
};

/* Returns what happens to the packet. A wrong entry drops it (assumed) and logs the reason. */
enum ste_fate ste_walk(struct ste_walk *walk);

#endif
