/* The counters of a port: packets and data that functions exchanged, requests, and errors. */
#ifndef MLX5SIM_MACHINE_TRAFFIC_H
#define MLX5SIM_MACHINE_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

struct sim_traffic {
    uint64_t xmit_bytes, rcv_bytes;     /* of messages, without the headers of packets */
    uint64_t xmit_unicast, rcv_unicast, xmit_multicast, rcv_multicast;  /* packets */
    uint64_t writes, reads, atomics;    /* requests that arrived here */
    uint64_t out_of_buffer;             /* messages that found no receive WQE here */
    /* send WQEs of this function that failed, and the reasons of some of them */
    uint64_t failed, rnr_failed, access_failed, invalid_failed;
    bool is_new;                        /* something was counted since the files were written */
};

/* Counts a unicast message of `bytes` bytes in packets of at most `mtu` bytes. */
void traffic_unicast(struct sim_traffic *from, struct sim_traffic *to, uint64_t bytes,
                     uint64_t mtu);

/* Count a multicast datagram where it leaves, and where it arrives. */
void traffic_multicast_sent(struct sim_traffic *from, uint64_t bytes);
void traffic_multicast_received(struct sim_traffic *to, uint64_t bytes);

#endif
