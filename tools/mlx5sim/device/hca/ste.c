/* The way of a packet through steering entries of format 0. */
#include "device/hca/ste.h"
#include "device/hca/counter.h"
#include "device/hca/headers.h"
#include "device/hca/icm.h"
#include "device/hca/meter.h"
#include "device/hca/qp.h"
#include "device/hca/sampler.h"
#include "device/hca/ste_modify.h"
#include "device/hca/ste_tag.h"
#include "device/machine/log.h"
#include "wire/prm.h"

#include <string.h>

#include <rdma/ib_user_ioctl_verbs.h>

enum { TX = 1, RX = 2, MODIFY = 6 };            /* entry_type */
enum { TAG_AT = 32, MASK_AT = 48 };             /* bytes of an entry */
enum { DECAP = 2, DECAP_L3 = 3, POP_VLAN = 4 }; /* tunneling_action */
enum { PUSH_VLAN = 1, ENCAP_L3 = 3, ENCAP = 4 };        /* action_type */
enum { ACTIONS_PER_INDEX = 8, TAG_VALID = 1u << 31 };

#define GET(entry, field) prm_get(entry, prm_ste_##field)

/* The table that an entry names, and how to find the place of a packet in it. */
struct next {
    uint64_t address;
    uint64_t num;               /* entries, a power of two */
    unsigned lookup, byte_mask;
};

static bool wrong(const struct ste_walk *walk, uint64_t address, const char *why)
{
    sim_log(SIM_INFO, "%s: a frame is dropped by the steering entry at %#llx: %s",
            walk->function->name, (unsigned long long)address, why);
    return false;
}

/* Computes the CRC-32 of the bytes of a layout that the mask selects; the first byte has the
 * highest bit of the mask. The result is in the other byte order than usual. */
static uint32_t hash(const uint8_t tag[STE_TAG_BYTES], unsigned byte_mask)
{
    uint32_t crc = 0;

    for (unsigned i = 0; i < STE_TAG_BYTES; i++) {
        crc ^= byte_mask >> (STE_TAG_BYTES - 1 - i) & 1 ? tag[i] : 0u;
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return __builtin_bswap32(crc);
}

/* The address and the number of entries share a field: the lowest bit that is set is the number of
 * entries, in units of 32 bytes at the place of the address. */
static struct next next_of(const uint8_t *entry)
{
    uint64_t both = GET(entry, general_next_table_base_39_32_size) << 27 |
                    GET(entry, general_next_table_base_31_5_size);
    uint64_t num = both & -both;

    return (struct next){ .address = (both & ~num) << 5, .num = num,
                          .lookup = (unsigned)GET(entry, general_next_lu_type),
                          .byte_mask = (unsigned)GET(entry, general_byte_mask) };
}

static uint64_t miss_of(const uint8_t *entry)
{
    return GET(entry, rx_steering_mult_miss_address_39_32) << 32 |
           GET(entry, rx_steering_mult_miss_address_31_6) << 6;
}

static bool is_met(const uint8_t *entry, const uint8_t tag[STE_TAG_BYTES])
{
    for (unsigned i = 0; i < STE_TAG_BYTES; i++)
        if ((tag[i] & entry[MASK_AT + i]) != entry[TAG_AT + i])
            return false;
    return true;
}

/* ---- actions -------------------------------------------------------------------------------- */

static bool count(const struct ste_walk *walk, const uint8_t *entry)
{
    uint32_t index, id = (uint32_t)(GET(entry, rx_steering_mult_counter_trigger_23_16) << 16 |
                                    GET(entry, rx_steering_mult_counter_trigger_15_0));
    struct hca_counter *counter;

    if (id == 0)
        return true;
    counter = hca_counter_find(id, &index);
    if (!counter || counter->object.function != walk->function)
        return false;
    counter->value[index].packets++;
    counter->value[index].bytes += walk->packet->len;
    return true;
}

/* False when the way of the packet ends, because it has cost too much. */
static bool spend(struct ste_walk *walk, unsigned cost)
{
    bool can = cost <= walk->max - walk->cost;

    walk->cost = can ? walk->cost + cost : walk->max;
    return can;
}

static bool modify(struct ste_walk *walk, const uint8_t *entry)
{
    unsigned num = (unsigned)GET(entry, modify_packet_number_of_re_write_actions);
    uint64_t at = ICM_AT_MODIFY + STE_ACTION_BYTES * ACTIONS_PER_INDEX *
        GET(entry, modify_packet_header_re_write_actions_pointer);
    const uint8_t *actions = icm_at(walk->function, ICM_MODIFY, at,
                                    (uint64_t)num * STE_ACTION_BYTES);

    if (num == 0)
        return true;
    if (!actions)
        return wrong(walk, walk->address, "its list of header changes is not in the memory");
    if (!spend(walk, num * STE_ACTION_COST))
        return false;
    return ste_modify(walk->packet, actions, num) ||
           wrong(walk, walk->address, "unknown header change");
}

/* Finds the headers that an entry adds. The entry has the number of a packet reformat context. */
static struct hca_reformat *reformat_of(const struct ste_walk *walk, const uint8_t *entry,
                                        bool l3)
{
    uint32_t number = (uint32_t)GET(entry, sx_transmit_encap_pointer_vlan_data);
    struct hca_reformat *reformat = (struct hca_reformat *)hca_find(HCA_REFORMAT, number);

    return reformat && reformat->object.function == walk->function &&
        reformat->type != REFORMAT_L3_TUNNEL_TO_L2 &&
        (reformat->type == REFORMAT_L2_TO_L3_TUNNEL) == l3 ? reformat : NULL;
}

/* Removes the headers up to the IP packet in a tunnel. A list of header changes then fills in the
 * header of Ethernet; here it has no VLAN tag. */
static bool remove_l3_tunnel(struct ste_walk *walk)
{
    struct hca_reformat ethernet = { .type = REFORMAT_L3_TUNNEL_TO_L2, .len = PACKET_ETH };

    return hca_changes_apply(&(struct hca_changes){ .reformat = &ethernet }, walk->packet);
}

/* The actions of an entry that are not a list of header changes. */
static bool change(struct ste_walk *walk, const uint8_t *entry, unsigned type)
{
    struct hca_changes changes = { .decaps = false };
    unsigned action;

    if (type == TX) {
        action = (unsigned)GET(entry, sx_transmit_action_type);
        changes.pushes = action == PUSH_VLAN;
        changes.push[0] = (uint32_t)GET(entry, sx_transmit_encap_pointer_vlan_data);
        if (action == ENCAP || action == ENCAP_L3) {
            changes.reformat = reformat_of(walk, entry, action == ENCAP_L3);
            if (!changes.reformat)
                return wrong(walk, walk->address,
                             "the function has no such packet reformat context for this action");
        } else if (action != 0 && action != PUSH_VLAN) {
            return wrong(walk, walk->address, "unknown action");
        }
    } else {
        action = (unsigned)GET(entry, rx_steering_mult_tunneling_action);
        changes.decaps = action == DECAP;
        changes.pops = action == POP_VLAN;
        if (action != 0 && action != DECAP && action != POP_VLAN)
            return wrong(walk, walk->address, "unknown action");
    }
    return action == 0 || hca_changes_apply(&changes, walk->packet) ||
           wrong(walk, walk->address, "the frame would get too long or too short");
}

/* Executes the actions of an entry. False when the way of the packet ends. `*changed`: the packet
 * may have other headers. */
static bool act(struct ste_walk *walk, const uint8_t *entry, bool *changed)
{
    unsigned type = (unsigned)GET(entry, general_entry_type);
    uint32_t tag = (uint32_t)GET(entry, rx_steering_mult_qp_list_pointer);
    bool removes_l3 = type == MODIFY && !walk->sqn &&
        GET(entry, rx_steering_mult_tunneling_action) == DECAP_L3 &&
        !GET(entry, modify_packet_action_description);  /* 1: the new header has a VLAN tag */

    if (type != MODIFY && type != (walk->sqn ? TX : RX))
        return wrong(walk, walk->address, "its type does not fit the direction");
    if (!count(walk, entry))
        return wrong(walk, walk->address, "there is no such counter");
    if (type == RX && tag & TAG_VALID)
        walk->tag = tag & 0xffffff;
    *changed = type == MODIFY || GET(entry, rx_steering_mult_tunneling_action) ||
               GET(entry, sx_transmit_action_type);
    if (*changed && !spend(walk, STE_CHANGE_COST + walk->packet->len / STE_BYTES_PER_COST))
        return false;
    if (removes_l3 && !remove_l3_tunnel(walk))
        return wrong(walk, walk->address, "the frame would get too short");
    if (type == MODIFY && !modify(walk, entry))
        return false;
    /* an entry of a list has the bits of an entry for received packets */
    if (!removes_l3 && (type != MODIFY || GET(entry, rx_steering_mult_tunneling_action)))
        return change(walk, entry, type);
    return true;
}

/* ---- the way -------------------------------------------------------------------------------- */

/* A queue that takes frames: the type of a QP does not follow from its address. */
static bool takes_frames(const struct hca_object *object)
{
    const struct hca_qp *qp = (const struct hca_qp *)object;

    return object->type == HCA_TIR || (qp->type == IB_UVERBS_QPT_RAW_PACKET && qp->recv_cq);
}

/* True when packets of this direction can pass to the object. */
static bool is_dest(const struct ste_walk *walk, const struct hca_object *object)
{
    const struct hca_flow_table *table = (const struct hca_flow_table *)object;

    if (object->type == HCA_SAMPLER)
        table = ((const struct hca_sampler *)object)->attr.table;
    else if (object->type == HCA_METER)
        table = ((const struct hca_meter *)object)->attr.table;
    else if (object->type != HCA_TABLE)
        return !walk->sqn && takes_frames(object);
    return table->attr.type == (walk->sqn ? TABLE_SEND : TABLE_RECEIVE);
}

/* What is at an address outside the memory of entries. */
static enum ste_fate end_at(struct ste_walk *walk, uint64_t address)
{
    if (address == ICM_AT_DROP)
        return STE_DROP;
    if (address == ICM_AT_ALLOW && walk->sqn)
        return STE_ALLOW;
    walk->dest = icm_object_at(address);
    if (walk->dest && walk->dest->function == walk->function && is_dest(walk, walk->dest))
        return STE_DELIVER;
    wrong(walk, address, "there is no entry and no destination");
    return STE_DROP;
}

/* Computes the address of the entry for the packet in the next table. */
static bool enter(struct ste_walk *walk, const uint8_t *entry, const uint8_t match[MATCH_BYTES])
{
    struct next next = next_of(entry);
    uint8_t tag[STE_TAG_BYTES];
    uint64_t index = 0;

    if (next.num > 1) {
        if (!ste_tag(next.lookup, match, tag))
            return wrong(walk, walk->address, "unknown type of the next table");
        index = next.byte_mask ? hash(tag, next.byte_mask) & (next.num - 1) : 0;
    }
    walk->address = next.address + index * STE_BYTES;
    return true;
}

enum ste_fate ste_walk(struct ste_walk *walk)
{
    uint8_t match[MATCH_BYTES], tag[STE_TAG_BYTES];
    const uint8_t *entry;
    bool changed = false;

    match_of_packet(walk->packet, walk->sqn, match);
    /* an always-miss entry has a tag that its mask makes impossible */
    for (walk->cost = 0; spend(walk, STE_COST);) {
        entry = icm_at(walk->function, ICM_STEERING, walk->address, STE_BYTES);
        if (!entry)
            return end_at(walk, walk->address);
        if (!ste_tag((unsigned)GET(entry, general_entry_sub_type), match, tag)) {
            wrong(walk, walk->address, "unknown lookup type");
            return STE_DROP;
        }
        if (!is_met(entry, tag)) {
            walk->address = miss_of(entry);
            continue;
        }
        if (!act(walk, entry, &changed))
            return walk->cost < walk->max ? STE_DROP : STE_EXHAUSTED;
        if (changed)
            match_of_packet(walk->packet, walk->sqn, match);
        if (!enter(walk, entry, match))
            return STE_DROP;
    }
    return STE_EXHAUSTED;
}
