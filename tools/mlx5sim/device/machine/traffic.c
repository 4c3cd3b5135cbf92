/* The counters of a port. */
#include "device/machine/traffic.h"

void traffic_unicast(struct sim_traffic *from, struct sim_traffic *to, uint64_t bytes,
                     uint64_t mtu)
{
    uint64_t packets = bytes == 0 ? 1 : (bytes + mtu - 1) / mtu;

    from->xmit_bytes += bytes;
    from->xmit_unicast += packets;
    from->is_new = true;
    to->rcv_bytes += bytes;
    to->rcv_unicast += packets;
    to->is_new = true;
}

void traffic_multicast_sent(struct sim_traffic *from, uint64_t bytes)
{
    from->xmit_bytes += bytes;
    from->xmit_multicast++;
    from->is_new = true;
}

void traffic_multicast_received(struct sim_traffic *to, uint64_t bytes)
{
    to->rcv_bytes += bytes;
    to->rcv_multicast++;
    to->is_new = true;
}
