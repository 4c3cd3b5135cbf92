/* Converts actions of the lists in the memory of the device to those of firmware commands. */
#include "device/hca/ste_modify.h"
#include "device/hca/headers.h"
#include "wire/prm.h"

#include <stddef.h>

enum { NOTHING = 0, COPY = 1, SET = 2, ADD = 3 };       /* opcode in the memory of the device */
enum { OF_SET = 1, OF_ADD = 2, OF_COPY = 3 };           /* action_type of a firmware command */

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

static void change(struct packet *packet, const uint8_t *action)
{
    struct hca_modify list = { .num = 1 };
    struct hca_changes changes = { .modify = &list };

    for (unsigned i = 0; i < STE_ACTION_BYTES; i++)
        list.actions[0][i] = action[i];
    hca_changes_apply(&changes, packet);        /* the length stays */
}

static bool set_or_add(struct packet *p, const uint8_t *in, bool adds)
{
    unsigned shift = (unsigned)prm_get(in, prm_dr_action_hw_set_destination_left_shifter);
    unsigned length = (unsigned)prm_get(in, prm_dr_action_hw_set_destination_length);
    uint8_t out[STE_ACTION_BYTES] = { 0 };
    const struct part *part;
    bool known;

    part = find(p, (unsigned)prm_get(in, prm_dr_action_hw_set_destination_field_code), shift,
                length ? length : 32, &known);
    if (!part)
        return known;
    prm_set(out, prm_set_action_in_action_type, adds ? OF_ADD : OF_SET);
    prm_set(out, prm_set_action_in_field, part->id);
    prm_set(out, prm_set_action_in_data, prm_get(in, prm_dr_action_hw_set_inline_data));
    if (!adds) {
        prm_set(out, prm_set_action_in_offset, shift - part->start);
        prm_set(out, prm_set_action_in_length, length);
    }
    change(p, out);
    return true;
}

static bool copy(struct packet *p, const uint8_t *in)
{
    unsigned shift = (unsigned)prm_get(in, prm_dr_action_hw_copy_destination_left_shifter);
    unsigned from = (unsigned)prm_get(in, prm_dr_action_hw_copy_source_left_shifter);
    unsigned length = (unsigned)prm_get(in, prm_dr_action_hw_copy_destination_length);
    const struct part *to_part, *from_part;
    uint8_t out[STE_ACTION_BYTES] = { 0 };
    bool to_known, from_known;

    length = length ? length : 32;
    to_part = find(p, (unsigned)prm_get(in, prm_dr_action_hw_copy_destination_field_code), shift,
                   length, &to_known);
    from_part = find(p, (unsigned)prm_get(in, prm_dr_action_hw_copy_source_field_code), from,
                     length, &from_known);
    if (!to_part || !from_part)
        return to_known && from_known;
    prm_set(out, prm_set_action_in_action_type, OF_COPY);
    prm_set(out, prm_set_action_in_field, from_part->id);
    prm_set(out, prm_set_action_in_offset, from - from_part->start);
    prm_set(out, prm_set_action_in_length, length % 32);
    prm_set(out, prm_copy_action_in_dst_field, to_part->id);
    prm_set(out, prm_copy_action_in_dst_offset, shift - to_part->start);
    change(p, out);
    return true;
}

bool ste_modify(struct packet *packet, const uint8_t action[STE_ACTION_BYTES])
{
    switch (prm_get(action, prm_dr_action_hw_set_opcode)) {
    case NOTHING:
        return true;
    case SET:
        return set_or_add(packet, action, false);
    case ADD:
        return set_or_add(packet, action, true);
    case COPY:
        return copy(packet, action);
    default:
        return false;
    }
}
