/* Tells programs which functions and network interfaces the machine has. */
#include "device/process/description_socket.h"
#include "device/cm/id.h"
#include "device/driver/state.h"
#include "device/machine/interface.h"
#include "device/machine/machine.h"
#include "wire/description.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

_Static_assert((int)WIRE_MAX_FUNCTIONS == (int)SIM_MAX_FUNCTIONS, "functions of a machine");
_Static_assert((int)WIRE_MAX_INTERFACES == (int)SIM_MAX_INTERFACES, "interfaces of a machine");

/* Counts an object that a program has made by a verb. The kernel does not count others. */
static void count_object(struct hca_object *object, void *arg)
{
    static const uint8_t kinds[] = {
        [UO_PD] = WIRE_COUNT_PD + 1, [UO_CQ] = WIRE_COUNT_CQ + 1, [UO_QP] = WIRE_COUNT_QP + 1,
        [UO_MR] = WIRE_COUNT_MR + 1, [UO_SRQ] = WIRE_COUNT_SRQ + 1};
    const struct uobject *uobject = object->uobject;
    struct wire_description *description = arg;

    if (uobject != NULL && uobject->type < sizeof(kinds) && kinds[uobject->type] != 0)
        description->functions[object->function->index].counts[kinds[uobject->type] - 1]++;
}

static void count_objects(struct wire_description *out)
{
    static const enum hca_type types[] = {HCA_PD, HCA_CQ, HCA_QP, HCA_MKEY, HCA_SRQ};
    const struct sim_client *client;
    const struct cm_id *id;
    unsigned i;

    for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        hca_each(types[i], count_object, out);
    for (client = machine.clients; client != NULL; client = client->next)
        out->functions[client->function->index].counts[WIRE_COUNT_CTX]++;
    for (id = cm_id_from(0); id != NULL; id = cm_id_from(id->handle + 1))
        if (id->function != NULL)
            out->functions[id->function->index].counts[WIRE_COUNT_CM_ID]++;
}

static void describe_function(const struct sim_function *f, struct wire_function *out)
{
    struct sim_interface interface;
    unsigned i;

    memcpy(out->name, f->name, sizeof(out->name));
    snprintf(out->firmware, sizeof(out->firmware), SIM_FIRMWARE_FORMAT,
             machine.profile.card->firmware);
    if (f->sf < 0)
        memcpy(out->pci, f->pci, sizeof(out->pci));
    out->node_guid = f->node_guid;
    out->sys_image_guid = f->sys_image_guid;
    out->is_ethernet = machine.profile.ethernet;
    out->port_flags = out->is_ethernet ? 0 : SIM_PORT_FLAGS;
    for (i = 0; i < 8; i++)
        out->subnet_prefix = out->subnet_prefix << 8 | f->gid[i];
    out->lid = f->lid;
    out->sm_lid = out->is_ethernet ? 0 : 1;
    interface_of(f, &interface);
    memcpy(out->interface_name, interface.name, sizeof(out->interface_name));
    out->interface = interface.index;
}

static void describe_interfaces(struct wire_description *out)
{
    struct sim_interface list[SIM_MAX_INTERFACES];
    unsigned i;

    out->num_interfaces = interface_list(list);
    for (i = 0; i < out->num_interfaces; i++) {
        struct wire_interface *to = &out->interfaces[i];

        memcpy(to->name, list[i].name, sizeof(to->name));
        to->index = list[i].index;
        memcpy(to->mac, list[i].mac, sizeof(to->mac));
        memcpy(to->port_name, list[i].port_name, sizeof(to->port_name));
        memcpy(to->switch_id, list[i].switch_id, sizeof(to->switch_id));
        memcpy(to->pci, list[i].owner->pci, sizeof(to->pci));
    }
}

/* Describes the addresses of one family. The IPv6 address of a function is its GID. */
static void describe_addresses(struct wire_description *out, bool is_ipv6)
{
    struct sim_interface interface;
    unsigned i;

    for (i = 0; i < machine.num_functions; i++) {
        const struct sim_function *f = &machine.functions[i];
        struct wire_address *to = &out->addresses[out->num_addresses];

        interface_of(f, &interface);
        if (interface.is_real)
            continue;
        to->index = interface.index;
        to->is_ipv6 = is_ipv6;
        if (is_ipv6)
            memcpy(to->bytes, f->gid, sizeof(f->gid));
        else
            memcpy(to->bytes, &f->ipv4, sizeof(f->ipv4));
        out->num_addresses++;
    }
}

void description_accept(int fd)
{
    struct wire_description out = {.magic = WIRE_DESCRIPTION_MAGIC,
                                   .num_functions = machine.num_functions};
    unsigned i;

    for (i = 0; i < machine.num_functions; i++)
        describe_function(&machine.functions[i], &out.functions[i]);
    count_objects(&out);
    describe_interfaces(&out);
    describe_addresses(&out, false);
    describe_addresses(&out, true);
    send(fd, &out, sizeof(out), MSG_NOSIGNAL | MSG_DONTWAIT);
    close(fd);
}
