/* Executes the lists of header changes in the memory of the device. */
#include "device/hca/ste_modify.h"
#include "device/hca/headers.h"
#include "wire/prm.h"

#include <stddef.h>

enum { NOTHING = 0, COPY = 1, SET = 2, ADD = 3 };       /* opcode in the memory of the device */

/* A field of 64 bits in the memory of the device consists of fields of firmware commands. Which
 * ones depends on the headers of the packet. */
static const struct part {
    uint8_t code, start, width;         /* start: number of the lowest bit */
    uint8_t id;                         /* of the field of firmware commands */
    uint8_t ip_version, protocol;       /* 0: any */
} parts[] = {
    { 0x00, 16, 32, 0x04, 0, 0 }, { 0x00, 0, 16, 0x05, 0, 0 },  /* destination MAC address */
    { 0x01, 16, 32, 0x01, 0, 0 }, { 0x01, 0, 16, 0x02, 0, 0 },  /* source MAC address */
    { 0x02, 32, 16, 0x03, 0, 0 }, { 0x02, 0, 12, 0x17, 0, 0 },  /* type, VLAN */
    { 0x04, 0, 6, 0x06, 0, 0 }, { 0x04, 8, 8, 0x0a, 4, 0 }, { 0x04, 8, 8, 0x47, 6, 0 },
    { 0x03, 0, 32, 0x15, 4, 0 }, { 0x03, 32, 32, 0x16, 4, 0 },  /* addresses of IPv4 */
    { 0x06, 32, 32, 0x0d, 6, 0 }, { 0x06, 0, 32, 0x0e, 6, 0 },  /* source address of IPv6 */
    { 0x07, 32, 32, 0x0f, 6, 0 }, { 0x07, 0, 32, 0x10, 6, 0 },
    { 0x03, 32, 32, 0x11, 6, 0 }, { 0x03, 0, 32, 0x12, 6, 0 },  /* destination address of IPv6 */
    { 0x05, 32, 32, 0x13, 6, 0 }, { 0x05, 0, 32, 0x14, 6, 0 },
    { 0x08, 0, 16, 0x08, 0, PACKET_TCP }, { 0x08, 16, 16, 0x09, 0, PACKET_TCP },
    { 0x08, 48, 9, 0x07, 0, PACKET_TCP },
    { 0x08, 0, 16, 0x0b, 0, PACKET_UDP }, { 0x08, 16, 16, 0x0c, 0, PACKET_UDP },
    { 0x09, 32, 32, 0x59, 0, PACKET_TCP }, { 0x09, 0, 32, 0x5b, 0, PACKET_TCP },
    { 0x16, 0, 32, 0x49, 0, 0 }, { 0x16, 32, 32, 0x50, 0, 0 },  /* registers A, B */
    { 0x0c, 32, 32, 0x51, 0, 0 }, { 0x0c, 0, 32, 0x52, 0, 0 },  /* registers C */
    { 0x0d, 32, 32, 0x53, 0, 0 }, { 0x0d, 0, 32, 0x54, 0, 0 },
    { 0x0e, 32, 32, 0x55, 0, 0 }, { 0x0e, 0, 32, 0x56, 0, 0 },
};

/* Finds the part that has these bits. `known` becomes true when packets of any kind have one. */
static const struct part *find(const struct packet *p, unsigned code, unsigned shift,
                               unsigned length, bool *known)
{
    *known = false;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        const struct part *part = &parts[i];

        if (part->code != code || shift < part->start ||
            shift + length > (unsigned)part->start + part->width)
            continue;
        *known = true;
        if ((!part->ip_version || part->ip_version == p->ip_version) &&
            (!part->protocol || (p->l4 && part->protocol == p->protocol)))
            return part;
    }
    return NULL;
}

static bool set_or_add(struct packet *p, const uint8_t *in, enum hca_field_op op)
{
    unsigned shift = (unsigned)prm_get(in, prm_dr_action_hw_set_destination_left_shifter);
    struct hca_field_change change = { .op = op,
        .length = (unsigned)prm_get(in, prm_dr_action_hw_set_destination_length),
        .data = (uint32_t)prm_get(in, prm_dr_action_hw_set_inline_data) };
    const struct part *part;
    bool known;

    change.length = change.length ? change.length : 32;
    part = find(p, (unsigned)prm_get(in, prm_dr_action_hw_set_destination_field_code), shift,
                change.length, &known);
    if (!part)
        return known;
    change.field = part->id;
    change.offset = shift - part->start;
    hca_field_change(p, &change);
    return true;
}

static bool copy(struct packet *p, const uint8_t *in)
{
    unsigned shift = (unsigned)prm_get(in, prm_dr_action_hw_copy_destination_left_shifter);
    unsigned from = (unsigned)prm_get(in, prm_dr_action_hw_copy_source_left_shifter);
    struct hca_field_change change = { .op = FIELD_COPY,
        .length = (unsigned)prm_get(in, prm_dr_action_hw_copy_destination_length) };
    const struct part *to_part, *from_part;
    bool to_known, from_known;

    change.length = change.length ? change.length : 32;
    to_part = find(p, (unsigned)prm_get(in, prm_dr_action_hw_copy_destination_field_code), shift,
                   change.length, &to_known);
    from_part = find(p, (unsigned)prm_get(in, prm_dr_action_hw_copy_source_field_code), from,
                     change.length, &from_known);
    if (!to_part || !from_part)
        return to_known && from_known;
    change.field = to_part->id;
    change.offset = shift - to_part->start;
    change.from = from_part->id;
    change.from_offset = from - from_part->start;
    hca_field_change(p, &change);
    return true;
}

static bool execute(struct packet *packet, const uint8_t *action)
{
    switch (prm_get(action, prm_dr_action_hw_set_opcode)) {
    case NOTHING:
        return true;
    case SET:
        return set_or_add(packet, action, FIELD_SET);
    case ADD:
        return set_or_add(packet, action, FIELD_ADD);
    case COPY:
        return copy(packet, action);
    default:
        return false;
    }
}

bool ste_modify(struct packet *packet, const uint8_t *actions, unsigned num)
{
    struct hca_checksums right = hca_checksums_of(packet);
    bool known = true;

    for (unsigned i = 0; known && i < num; i++)
        known = execute(packet, actions + (size_t)i * STE_ACTION_BYTES);
    hca_checksums_restore(packet, right);
    return known;
}
