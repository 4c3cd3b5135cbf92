/* Functions for all firmware commands: refusals, and look-up of objects. */
#include "device/firmware/command.h"
#include "device/machine/log.h"
#include "wire/prm.h"
void devx_fail(struct devx_command *c, uint8_t status, uint32_t syndrome, const char *why)
{
    const char *name = prm_opcode_name(c->opcode);

    prm_set(c->out, prm_mbox_out_status, status);
    prm_set(c->out, prm_mbox_out_syndrome, syndrome);
    sim_log(SIM_INFO, "%s: command %s (%#x) refused: %s", c->client->function->name,
            name ? name : "unknown", c->opcode, why);
}

void *devx_object(struct devx_command *c, enum hca_type type, uint32_t number, const char *what)
{
    struct hca_object *object = hca_find(type, number);

    if (object && object->client == c->client)
        return object;
    devx_fail(c, PRM_BAD_RESOURCE, 0x100u + (uint32_t)type, what);
    return NULL;
}

struct hca_umem *devx_memory(struct devx_command *c, uint32_t id, uint64_t offset, uint64_t len,
                             const char *what)
{
    struct hca_umem *umem = hca_umem_find(c->client, id);

    if (umem && hca_umem_has(umem, offset, len))
        return umem;
    devx_fail(c, PRM_BAD_RESOURCE, 0x200, what);
    return NULL;
}

bool devx_output(struct devx_command *c, size_t least)
{
    if (c->out_len >= least && least <= DEVX_MAX_OUT)
        return true;
    devx_fail(c, PRM_BAD_OUTPUT_LEN, 0x504, "the output is too short");
    return false;
}

bool devx_uar(struct devx_command *c, uint32_t page)
{
    if (page < SIM_UAR_PAGES && c->client->function->uar_owner[page] == c->client)
        return true;
    devx_fail(c, PRM_BAD_PARAM, 0x300, "the UAR page does not belong to this client");
    return false;
}
