/* Firmware commands about the functions of an eswitch. */
#include "device/firmware/vports.h"
#include "device/machine/eswitch.h"
#include "wire/prm.h"

#include <stdio.h>

enum { ESW_VPORT_OUT_BYTES = 16 + 0x100 };

/* Returns domain, bus, device and function as one number. */
static long rid(const struct sim_function *f)
{
    unsigned domain, bus, slot, function;

    if (sscanf(f->pci, "%x:%x:%x.%x", &domain, &bus, &slot, &function) != 4)
        return -1;
    return (long)domain << 16 | bus << 8 | slot << 3 | function;
}

/* True when the PCI addresses of the VFs have a constant stride, as SR-IOV requires. The addresses
 * on the command line need not have one. */
static bool vfs_have_stride(const struct sim_function *manager, const struct sim_function *pf,
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
            /* analyzer: core.DivideZero: different vports have different VF numbers */
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
    if (!vfs_have_stride(manager, pf, &stride, &offset))
        return;
    prm_set(host, prm_host_params_context_host_pci_vf_info_valid, 1);
    prm_set(host, prm_host_params_context_host_pci_vf_stride, (uint64_t)stride);
    prm_set(host, prm_host_params_context_host_pci_first_vf_offset, (uint64_t)offset);
}

/* Returns the VUID of the function itself, or of a function in an eswitch that it manages. It is
 * assumed that firmware refuses all other functions. */
void devx_query_vuid(struct devx_command *c)
{
    const struct sim_function *caller = c->client->function, *f;
    uint64_t vhca_id = prm_get(c->in, prm_query_vuid_in_vhca_id);
    unsigned i;

    for (i = 0; i < machine.num_functions; i++) {
        f = &machine.functions[i];
        if (f->vhca_id != vhca_id || (f != caller && esw_manager(f) != caller))
            continue;
        prm_set(c->out, prm_query_vuid_out_num_of_entries, 1);
        snprintf((char *)PRM_AT(c->out, prm_query_vuid_out_vuid), 128, "MLX5SIM%sS0D%uF%u",
                 f->host || !esw_has_arm() ? "HOST" : "DPU", f->port, f->vhca_id);
        return;
    }
    devx_fail(c, PRM_BAD_PARAM, 0x407, "the eswitch of the caller has no such function");
}

/* All fields are zero: an eswitch has no steering that is owned by software. */
void devx_query_esw_vport_context(struct devx_command *c)
{
    const struct sim_function *manager = c->client->function;
    unsigned vport = (unsigned)prm_get(c->in, prm_query_esw_vport_context_in_vport_number);

    if (!devx_output(c, ESW_VPORT_OUT_BYTES))
        return;
    if (!esw_is_manager(manager))
        devx_fail(c, PRM_BAD_PARAM, 0x408, "the function manages no eswitch");      /* assumed */
    else if (prm_get(c->in, prm_query_esw_vport_context_in_other_vport) &&
             esw_function(manager, vport, false) == NULL)
        devx_fail(c, PRM_BAD_PARAM, 0x409, "the eswitch has no such vport");        /* assumed */
}
