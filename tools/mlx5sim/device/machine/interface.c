/* The network interfaces of the functions, and of the representors. */
#include "device/machine/interface.h"
#include "device/machine/eswitch.h"

#include <net/if.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_REPRESENTOR = SIM_FIRST_IFINDEX + 100 };

/* Gives an interface of the host the index that the host knows; any other one gets `index`. */
static void set_index(struct sim_interface *out, unsigned index)
{
    unsigned real = if_nametoindex(out->name);

    out->is_real = real != 0;
    out->index = out->is_real ? real : index;
}

static void set_switch_id(struct sim_interface *out, const struct sim_function *manager)
{
    snprintf(out->switch_id, sizeof(out->switch_id), "%016llx",
             (unsigned long long)manager->node_guid);
}

/* Returns the first function with the interface of `f`. */
static const struct sim_function *first_of(const struct sim_function *f)
{
    const struct sim_function *first = machine.functions;

    while (first != f && strcmp(first->netdev, f->netdev) != 0)
        first++;
    return first;
}

void interface_of(const struct sim_function *f, struct sim_interface *out)
{
    const struct sim_function *first = first_of(f);

    *out = (struct sim_interface){.owner = first};
    snprintf(out->name, sizeof(out->name), "%s", first->netdev);
    memcpy(out->mac, first->mac, sizeof(out->mac));
    set_index(out, SIM_FIRST_IFINDEX + first->index);
    if (!esw_is_manager(first))
        return;
    snprintf(out->port_name, sizeof(out->port_name), "p%u", first->port);
    set_switch_id(out, first);
}

void interface_of_representor(const struct sim_function *f, struct sim_interface *out)
{
    static const uint8_t mac[5] = {0x02, 0x5c, 0x25};

    *out = (struct sim_interface){.owner = esw_manager(f)};
    esw_netdev(f, out->name);
    memcpy(out->mac, mac, sizeof(mac));
    out->mac[5] = (uint8_t)f->index;
    set_index(out, FIRST_REPRESENTOR + f->index);
    esw_port_name(f, out->port_name);
    set_switch_id(out, out->owner);
}

unsigned interface_list(struct sim_interface list[SIM_MAX_INTERFACES])
{
    unsigned i, num = 0;

    for (i = 0; i < machine.num_functions; i++) {
        if (first_of(&machine.functions[i]) != &machine.functions[i])
            continue;
        interface_of(&machine.functions[i], &list[num]);
        num += !list[num].is_real;
    }
    for (i = 0; i < machine.num_functions; i++) {
        if (esw_manager(&machine.functions[i]) == NULL)
            continue;
        interface_of_representor(&machine.functions[i], &list[num]);
        num += !list[num].is_real;
    }
    return num;
}
