/* Changes of a packet. */
#include "device/hca/headers.h"
#include "wire/prm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MACS = 12 };

/* ---- objects -------------------------------------------------------------------------------- */

int hca_reformat_create(struct sim_client *client, enum hca_reformat_type type,
                        const uint8_t *data, uint32_t len, struct hca_object **out)
{
    struct hca_reformat *reformat = calloc(1, sizeof(*reformat));

    if (!reformat || hca_add(&reformat->object, HCA_REFORMAT, client, NULL)) {
        free(reformat);
        return ENOMEM;
    }
    reformat->type = type;
    reformat->len = len;
    if (len)
        memcpy(reformat->data, data, len);
    *out = &reformat->object;
    return 0;
}

bool hca_reformat_is_known(unsigned type, uint32_t len)
{
    switch (type) {
    case REFORMAT_L3_TUNNEL_TO_L2:      /* a header of Ethernet, with or without a VLAN tag */
        return len == PACKET_ETH || len == PACKET_ETH + PACKET_VLAN;
    case REFORMAT_L2_TO_VXLAN: case REFORMAT_L2_TO_L2_TUNNEL: case REFORMAT_L2_TO_L3_TUNNEL:
        return len >= PACKET_ETH && len <= HEADERS_MAX_DATA;
    default:
        return false;
    }
}

int hca_modify_create(struct sim_client *client, unsigned table_type, const uint8_t *actions,
                      unsigned num, struct hca_object **out)
{
    struct hca_modify *modify = calloc(1, sizeof(*modify));

    if (!modify || hca_add(&modify->object, HCA_MODIFY, client, NULL)) {
        free(modify);
        return ENOMEM;
    }
    modify->table_type = table_type;
    modify->num = num;
    memcpy(modify->actions, actions, num * sizeof(modify->actions[0]));
    *out = &modify->object;
    return 0;
}

/* ---- fields --------------------------------------------------------------------------------- */

enum place { FRAME, TYPE, VLAN, IPV4, IPV6, TCP, UDP, REGISTER };

/* The fields that actions name. IPv4 and IPv6 have the field DSCP at different places. */
static const struct field {
    uint16_t id;
    uint8_t place, width;
    uint16_t bit;               /* of the header; of a register: its number */
} fields[] = {
    { 0x01, FRAME, 32, 48 }, { 0x02, FRAME, 16, 80 },           /* source MAC address */
    { 0x04, FRAME, 32, 0 }, { 0x05, FRAME, 16, 32 },            /* destination MAC address */
    { 0x03, TYPE, 16, 0 }, { 0x17, VLAN, 12, 4 },
    { 0x06, IPV4, 6, 8 }, { 0x06, IPV6, 6, 4 },                 /* DSCP */
    { 0x0a, IPV4, 8, 64 }, { 0x47, IPV6, 8, 56 },               /* TTL, hop limit */
    { 0x15, IPV4, 32, 96 }, { 0x16, IPV4, 32, 128 },
    { 0x0d, IPV6, 32, 64 }, { 0x0e, IPV6, 32, 96 }, { 0x0f, IPV6, 32, 128 },
    { 0x10, IPV6, 32, 160 }, { 0x11, IPV6, 32, 192 }, { 0x12, IPV6, 32, 224 },
    { 0x13, IPV6, 32, 256 }, { 0x14, IPV6, 32, 288 },
    { 0x08, TCP, 16, 0 }, { 0x09, TCP, 16, 16 }, { 0x59, TCP, 32, 32 }, { 0x5b, TCP, 32, 64 },
    { 0x07, TCP, 9, 103 },                                      /* flags */
    { 0x0b, UDP, 16, 0 }, { 0x0c, UDP, 16, 16 },
    { 0x49, REGISTER, 32, PACKET_REG_A }, { 0x50, REGISTER, 32, PACKET_REG_B },
    { 0x51, REGISTER, 32, PACKET_REG_C }, { 0x52, REGISTER, 32, PACKET_REG_C + 1 },
    { 0x53, REGISTER, 32, PACKET_REG_C + 2 }, { 0x54, REGISTER, 32, PACKET_REG_C + 3 },
    { 0x55, REGISTER, 32, PACKET_REG_C + 4 }, { 0x56, REGISTER, 32, PACKET_REG_C + 5 },
    { 0x57, REGISTER, 32, PACKET_REG_C + 6 }, { 0x58, REGISTER, 32, PACKET_REG_C + 7 },
};

enum { NUM_FIELDS = sizeof(fields) / sizeof(fields[0]) };

/* Finds the header of a field. False when the packet does not have it. */
static bool header_of(const struct packet *p, enum place place, unsigned *at)
{
    bool has_l4 = p->l4 && !p->fragment;

    *at = place == TYPE ? MACS + p->num_vlans * PACKET_VLAN : place == VLAN ? PACKET_ETH
        : place == IPV4 || place == IPV6 ? p->l3 : place == TCP || place == UDP ? p->l4 : 0;
    switch (place) {
    case VLAN: return p->num_vlans > 0;
    case IPV4: return p->ip_version == 4;
    case IPV6: return p->ip_version == 6;
    case TCP: return has_l4 && p->protocol == PACKET_TCP;
    case UDP: return has_l4 && p->protocol == PACKET_UDP;
    default: return true;
    }
}

/* Finds a field in the packet, or in any packet if `p` is NULL. */
static const struct field *find(const struct packet *p, unsigned id, unsigned *at)
{
    for (unsigned i = 0; i < NUM_FIELDS; i++)
        if (fields[i].id == id && (!p || header_of(p, (enum place)fields[i].place, at)))
            return &fields[i];
    return NULL;
}

static uint32_t low_bits(unsigned num)
{
    return num < 32 ? (1u << num) - 1 : UINT32_MAX;
}

static uint32_t read_field(const struct packet *p, const struct field *f, unsigned at)
{
    uint32_t value = 0;

    if (f->place == REGISTER)
        return p->reg[f->bit];
    for (unsigned bit = f->bit; bit < (unsigned)f->bit + f->width; bit++)
        value = value << 1 | (p->bytes[at + bit / 8] >> (7 - bit % 8) & 1u);
    return value;
}

static void write_field(struct packet *p, const struct field *f, unsigned at, uint32_t value)
{
    if (f->place == REGISTER) {
        p->reg[f->bit] = value;
        return;
    }
    for (unsigned i = 0; i < f->width; i++) {
        unsigned bit = f->bit + f->width - 1u - i;
        uint8_t *byte = &p->bytes[at + bit / 8], mask = (uint8_t)(0x80 >> bit % 8);

        *byte = (uint8_t)(value >> i & 1 ? *byte | mask : *byte & ~mask);
    }
}

/* Replaces `length` bits of a field, from `offset` above its lowest bit. */
static void write_bits(struct packet *p, const struct field *f, unsigned at, uint32_t value,
                       unsigned offset, unsigned length)
{
    uint32_t mask = low_bits(length) << offset;

    write_field(p, f, at, (read_field(p, f, at) & ~mask) | (value << offset & mask));
}

/* The number of bits that an action changes; 0 stands for 32. */
static unsigned length_of(const uint8_t *action)
{
    unsigned length = (unsigned)prm_get(action, prm_set_action_in_length);

    return length ? length : 32;
}

bool hca_modify_is_known(const uint8_t action[8])
{
    unsigned offset = (unsigned)prm_get(action, prm_set_action_in_offset), unused;
    const struct field *f = find(NULL, (unsigned)prm_get(action, prm_set_action_in_field), &unused);
    unsigned type = (unsigned)prm_get(action, prm_set_action_in_action_type);

    if (!f || type < FIELD_SET || type > FIELD_COPY)
        return false;
    if (type == FIELD_ADD)
        return true;
    if (offset + length_of(action) > f->width)
        return false;
    if (type == FIELD_SET)
        return true;
    f = find(NULL, (unsigned)prm_get(action, prm_copy_action_in_dst_field), &unused);
    offset = (unsigned)prm_get(action, prm_copy_action_in_dst_offset);
    return f && offset + length_of(action) <= f->width;
}

void hca_field_change(struct packet *p, const struct hca_field_change *change)
{
    unsigned at, from_at;
    const struct field *f = find(p, change->field, &at), *from;
    uint32_t value = change->data;

    if (!f)
        return;
    if (change->op == FIELD_ADD) {
        value += read_field(p, f, at) >> change->offset;
    } else if (change->op == FIELD_COPY) {
        from = find(p, change->from, &from_at);
        if (!from)
            return;
        value = read_field(p, from, from_at) >> change->from_offset;
    }
    write_bits(p, f, at, value, change->offset, change->length);
}

/* Executes an action of a firmware command. FIELD_ADD has no offset: it changes the whole field. */
static void modify(struct packet *p, const uint8_t *action)
{
    struct hca_field_change change = {
        .op = (enum hca_field_op)prm_get(action, prm_set_action_in_action_type),
        .field = (unsigned)prm_get(action, prm_set_action_in_field), .length = 32,
        .data = (uint32_t)prm_get(action, prm_set_action_in_data) };

    if (change.op != FIELD_ADD) {
        change.offset = (unsigned)prm_get(action, prm_set_action_in_offset);
        change.length = length_of(action);
    }
    if (change.op == FIELD_COPY) {
        change.from = change.field;
        change.from_offset = change.offset;
        change.field = (unsigned)prm_get(action, prm_copy_action_in_dst_field);
        change.offset = (unsigned)prm_get(action, prm_copy_action_in_dst_offset);
    }
    hca_field_change(p, &change);
}

static void parse_again(struct packet *p, uint32_t len)
{
    uint32_t reg[PACKET_REGISTERS];

    memcpy(reg, p->reg, sizeof(reg));
    packet_parse(p->bytes, len, p);
    memcpy(p->reg, reg, sizeof(reg));
}

struct hca_checksums hca_checksums_of(const struct packet *p)
{
    struct hca_checksums right = { packet_l3_ok(p), packet_l4_ok(p) };

    if (right.l4 && p->protocol == PACKET_UDP && packet_be16(p, p->l4 + 6) == 0)
        right.l4 = false;       /* UDP without a checksum */
    return right;
}

void hca_checksums_restore(struct packet *p, struct hca_checksums were_right)
{
    if (were_right.l3)
        packet_set_l3_checksum(p);
    if (were_right.l4)
        packet_set_l4_checksum(p);
    parse_again(p, p->len);
}

static void modify_all(struct packet *p, const struct hca_modify *list)
{
    struct hca_checksums right = hca_checksums_of(p);

    for (unsigned i = 0; i < list->num; i++)
        modify(p, list->actions[i]);
    hca_checksums_restore(p, right);
}

/* ---- whole headers -------------------------------------------------------------------------- */

/* Replaces `old` bytes of the frame from `at` by `len` bytes of data. False when the frame becomes
 * too long or too short. */
static bool replace(struct packet *p, uint32_t at, uint32_t old, const uint8_t *data, uint32_t len)
{
    uint32_t rest = p->len - at - old;

    if (at + len + rest > PACKET_MAX || at + len + rest < PACKET_ETH)
        return false;
    memmove(p->bytes + at + len, p->bytes + at + old, rest);
    if (len)
        memcpy(p->bytes + at, data, len);
    parse_again(p, at + len + rest);
    return true;
}

/* Removes everything before the frame in a tunnel, and what is behind it. */
static bool decap(struct packet *p)
{
    if (!p->inner)
        return true;
    p->len = p->end;
    return replace(p, 0, p->inner, NULL, 0);
}

/* Replaces the headers up to the IP packet in a tunnel by a header of Ethernet. The type in this
 * header is that of the IP packet (assumed). */
static bool decap_l3(struct packet *p, const struct hca_reformat *reformat)
{
    const uint16_t type = p->inner_type;

    if (!p->inner_l3)
        return true;
    p->len = p->end;
    if (!replace(p, 0, p->inner_l3, reformat->data, reformat->len))
        return false;
    p->bytes[reformat->len - 2] = (uint8_t)(type >> 8);
    p->bytes[reformat->len - 1] = (uint8_t)type;
    parse_again(p, p->len);
    return true;
}

/* Inserts the headers of a tunnel before the frame, or instead of its header of Ethernet. The
 * device fills in the lengths, and the checksum of IPv4. The checksum of UDP stays as it is. */
static bool encap(struct packet *p, const struct hca_reformat *reformat)
{
    bool l3 = reformat->type == REFORMAT_L2_TO_L3_TUNNEL;
    unsigned udp_len;

    if (l3 && !p->l3)
        return true;
    if (!replace(p, 0, l3 ? p->l3 : 0, reformat->data, reformat->len))
        return false;
    packet_set_length(p);
    if (p->l4 && p->protocol == PACKET_UDP) {
        udp_len = p->end - p->l4;
        p->bytes[p->l4 + 4] = (uint8_t)(udp_len >> 8);
        p->bytes[p->l4 + 5] = (uint8_t)udp_len;
    }
    packet_set_l3_checksum(p);
    return true;
}

static bool push(struct packet *p, uint32_t tag)
{
    const uint8_t bytes[PACKET_VLAN] = { (uint8_t)(tag >> 24), (uint8_t)(tag >> 16),
                                         (uint8_t)(tag >> 8), (uint8_t)tag };

    return replace(p, MACS, 0, bytes, sizeof(bytes));
}

bool hca_changes_apply(const struct hca_changes *c, struct packet *p)
{
    const struct hca_reformat *reformat = c->reformat;
    bool removes = reformat && reformat->type == REFORMAT_L3_TUNNEL_TO_L2;

    if (c->decaps && !decap(p))
        return false;
    if (removes && !decap_l3(p, reformat))
        return false;
    for (unsigned i = 0; i < c->pops && p->num_vlans > 0; i++)
        if (!replace(p, MACS, PACKET_VLAN, NULL, 0))
            return false;
    if (c->modify)
        modify_all(p, c->modify);
    for (unsigned i = 0; i < c->pushes; i++)
        if (!push(p, c->push[i]))
            return false;
    return !reformat || removes || encap(p, reformat);
}
