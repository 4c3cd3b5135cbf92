/*
 * The eswitch of a card in switchdev mode. The PF of a port on the DPU's side (on the host's side
 * of a ConnectX) manages the eswitch of the port. It has representors of the other functions of
 * this port. A card with InfiniBand ports has no eswitch.
 */
#include "device/machine/eswitch.h"

#include <stdio.h>

bool esw_has_arm(void)
{
    return machine.profile.card->option == 'b';
}

static bool is_pf(const struct sim_function *f)
{
    return f->vf < 0 && f->sf < 0;
}

struct sim_function *esw_manager(const struct sim_function *f)
{
    unsigned i;

    if (!machine.profile.ethernet || (f->host ? !esw_has_arm() : is_pf(f)))
        return NULL;
    for (i = 0; i < machine.num_functions; i++) {
        struct sim_function *other = &machine.functions[i];

        if (!other->host && is_pf(other) && other->port == f->port)
            return other;
    }
    return NULL;
}

bool esw_is_manager(const struct sim_function *f)
{
    unsigned i;

    for (i = 0; i < machine.num_functions; i++)
        if (esw_manager(&machine.functions[i]) == f)
            return true;
    return false;
}

/* The name begins with the controller, as in the kernel, when the function belongs to another
 * machine. */
void esw_port_name(const struct sim_function *f, char name[24])
{
    const char *controller = f->host ? "c1" : "";

    if (f->vf >= 0)
        snprintf(name, 24, "%spf%uvf%d", controller, f->port, f->vf);
    else if (f->sf >= 0)
        snprintf(name, 24, "%spf%usf%d", controller, f->port, f->sf);
    else
        snprintf(name, 24, "%spf%u", controller, f->port);
}

/* BlueField's udev rules give these names. */
void esw_netdev(const struct sim_function *f, char name[24])
{
    if (f->vf >= 0)
        snprintf(name, 24, "%spf%uvf%d", f->host || !esw_has_arm() ? "" : "ec", f->port, f->vf);
    else if (f->sf >= 0)
        snprintf(name, 24, "%s%upf%usf%d", f->host ? "c1f" : "en3f", f->port, f->port, f->sf);
    else
        snprintf(name, 24, "pf%uhpf", f->port);
}

/* Vport 0 is the host's PF; the VFs of the host have vports from 1. VFs of the embedded CPU have a
 * separate numbering. On a card without an embedded CPU, the manager itself is the host's PF. */
struct sim_function *esw_function(const struct sim_function *manager, unsigned vport, bool ec_vf)
{
    unsigned i;

    for (i = 0; i < machine.num_functions; i++) {
        struct sim_function *f = &machine.functions[i];

        if (esw_manager(f) == manager && f->sf < 0 && (!f->host && esw_has_arm()) == ec_vf &&
            vport == (unsigned)(f->vf + 1))
            return f;
    }
    return NULL;
}
