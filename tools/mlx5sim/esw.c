/*
 * The eswitch of the card in switchdev mode: which function of the DPU's side manages a port, whom
 * it has representors of, and the firmware commands about these. There are none on InfiniBand.
 */
#include "devx.h"

#include <stdio.h>
#include <string.h>

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

/* As the kernel does: a controller is named where the function is another machine's. */
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

/* As BlueField's rules for udev do. */
void esw_netdev(const struct sim_function *f, char name[24])
{
    if (f->vf >= 0)
        snprintf(name, 24, "%spf%uvf%d", f->host || !esw_has_arm() ? "" : "ec", f->port, f->vf);
    else if (f->sf >= 0)
        snprintf(name, 24, "%s%upf%usf%d", f->host ? "c1f" : "en3f", f->port, f->port, f->sf);
    else
        snprintf(name, 24, "pf%uhpf", f->port);
}

/* ---- firmware commands ---------------------------------------------------------------------- */

/* The function at a vport of the manager's eswitch: 0 is the host's PF, then its VFs follow. Those
 * of the embedded CPU have numbers of their own; without one the manager is the host's PF. */
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

/* Domain, bus, device and function as one number. */
static long rid(const struct sim_function *f)
{
    unsigned domain, bus, slot, function;

    if (sscanf(f->pci, "%x:%x:%x.%x", &domain, &bus, &slot, &function) != 4)
        return -1;
    return (long)domain << 16 | bus << 8 | slot << 3 | function;
}

/* SR-IOV has the addresses of VFs in a row; those of the command line may be in none. */
static bool vfs_are_a_row(const struct sim_function *manager, const struct sim_function *pf,
                          long *stride, long *offset)
{
    const struct sim_function *first = NULL, *f;
    unsigned vport;

    *stride = 1;
    *offset = 0;
    for (vport = 1; vport <= 256; vport++) {
        f = esw_function(manager, vport, false);
        if (f == NULL)
            continue;
        if (first == NULL) {
            first = f;
        } else if (*offset == 0) {
            /* analyzer: core.DivideZero: each vport is another VF */
            *stride = (rid(f) - rid(first)) / (f->vf - first->vf);
            *offset = rid(first) - rid(pf) - *stride * first->vf;
        }
        if (*offset != 0 && rid(f) != rid(pf) + *offset + *stride * f->vf)
            return false;
    }
    if (first != NULL && *offset == 0)
        *offset = rid(first) - rid(pf) - first->vf;
    return first != NULL && *stride > 0 && *stride <= 0xffff && *offset > 0 && *offset <= 0xffff;
}

void devx_query_esw_functions(struct devx_command *c)
{
    const struct sim_function *manager = c->client->function, *pf, *f;
    uint8_t *host = PRM_AT(c->out, prm_query_esw_functions_out_host_params_context);
    long stride, offset, at;
    unsigned i, num = 0;

    if (!esw_is_manager(manager)) {
        devx_fail(c, PRM_BAD_PARAM, 0x406, "the function manages no eswitch"); /* assumed */
        return;
    }
    pf = esw_function(manager, 0, false);
    if (pf == NULL) {
        prm_set(host, prm_host_params_context_host_pf_not_exist, 1);
        return;
    }
    for (i = 0; i < machine.num_functions; i++) {
        f = &machine.functions[i];
        num += f->host && f->vf >= 0 && esw_manager(f) == manager;
    }
    at = rid(pf);
    prm_set(host, prm_host_params_context_host_num_of_vfs, num);
    prm_set(host, prm_host_params_context_host_total_vfs, 128);
    prm_set(host, prm_host_params_context_host_pf_vhca_id_valid, 1);
    prm_set(host, prm_host_params_context_host_pf_vhca_id, pf->vhca_id);
    prm_set(host, prm_host_params_context_host_pci_bus, (uint64_t)at >> 8 & 0xff);
    prm_set(host, prm_host_params_context_host_pci_device, (uint64_t)at >> 3 & 31);
    prm_set(host, prm_host_params_context_host_pci_function, (uint64_t)at & 7);
    if (!vfs_are_a_row(manager, pf, &stride, &offset))
        return;
    prm_set(host, prm_host_params_context_host_pci_vf_info_valid, 1);
    prm_set(host, prm_host_params_context_host_pci_vf_stride, (uint64_t)stride);
    prm_set(host, prm_host_params_context_host_pci_first_vf_offset, (uint64_t)offset);
}

/* Of the function itself, or of one that it has the eswitch of (assumed: of no others). */
void devx_query_vuid(struct devx_command *c)
{
    const struct sim_function *own = c->client->function, *f;
    uint64_t vhca_id = prm_get(c->in, prm_query_vuid_in_vhca_id);
    unsigned i;

    for (i = 0; i < machine.num_functions; i++) {
        f = &machine.functions[i];
        if (f->vhca_id != vhca_id || (f != own && esw_manager(f) != own))
            continue;
        prm_set(c->out, prm_query_vuid_out_num_of_entries, 1);
        snprintf((char *)PRM_AT(c->out, prm_query_vuid_out_vuid), 128, "MLX5SIM%sS0D%uF%u",
                 f->host || !esw_has_arm() ? "HOST" : "DPU", f->port, f->vhca_id);
        return;
    }
    devx_fail(c, PRM_BAD_PARAM, 0x407, "no such function, or one of another eswitch");
}
