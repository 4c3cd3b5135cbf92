/*
 * The emulated network. The functions of a port are connected by a switch in the card, which knows
 * their MAC addresses. A cable connects all ports; a cable of a card with one used port returns
 * frames to this port.
 */
#include "device/hca/network.h"
#include "device/hca/steering.h"
#include "device/machine/capture.h"
#include "device/machine/log.h"

#include <string.h>

/* Returns the function of the port with this MAC address, or NULL. */
static struct sim_function *owner(const uint8_t mac[6], unsigned port)
{
    for (unsigned i = 0; i < machine.num_functions; i++)
        if (machine.functions[i].port == port && memcmp(machine.functions[i].mac, mac, 6) == 0)
            return &machine.functions[i];
    return NULL;
}

/* Passes the frame to the function of the port that has the destination address, otherwise to all
 * functions of the port. */
static void enter_port(unsigned port, const struct packet *packet)
{
    struct sim_function *to = owner(packet->bytes, port);

    for (unsigned i = 0; i < machine.num_functions; i++)
        if (to ? to == &machine.functions[i] : machine.functions[i].port == port)
            steer_received(&machine.functions[i], packet);
}

static void enter_cable(unsigned port, const struct packet *packet)
{
    uint32_t entered = 1u << port;
    bool multicast = packet->bytes[0] & 1;

    for (unsigned i = 0; i < machine.num_functions; i++) {
        unsigned other = machine.functions[i].port;

        if (entered & 1u << other)
            continue;
        entered |= 1u << other;
        enter_port(other, packet);
    }
    if (entered == 1u << port && !multicast)
        enter_port(port, packet);
}

/* Sends a frame that the rules of its sender let pass. */
static void leave(struct sim_function *from, const struct packet *packet)
{
    const uint8_t *bytes = packet->bytes;

    sim_log(SIM_TRACE, "%s: sends a frame of %u bytes to %02x:%02x:%02x:%02x:%02x:%02x", from->name,
            packet->len, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5]);
    capture_frame(bytes, packet->len);
    if (bytes[0] & 1) {
        enter_port(from->port, packet);
        enter_cable(from->port, packet);
    } else if (owner(bytes, from->port)) {
        enter_port(from->port, packet);
    } else {
        enter_cable(from->port, packet);
    }
}

void network_send(struct sim_function *from, uint8_t *bytes, uint32_t len, uint32_t sqn,
                  uint32_t metadata)
{
    struct packet packet;

    packet_parse(bytes, len, &packet);
    packet.reg[PACKET_REG_A] = metadata;
    steer_sent(from, &packet, sqn, leave);
}
