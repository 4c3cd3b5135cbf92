/*
 * Changes of a packet by a rule: removing a tunnel, removing and inserting VLAN tags, setting
 * fields of headers, and adding a tunnel.
 */
#ifndef MLX5SIM_HCA_HEADERS_H
#define MLX5SIM_HCA_HEADERS_H

#include "device/hca/object.h"
#include "device/hca/packet.h"

enum {
    HEADERS_MAX_DATA = 256,     /* bytes that a reformat context inserts; assumed */
    HEADERS_MAX_ACTIONS = 16    /* of a modify header context; assumed */
};

enum hca_reformat_type {        /* values of reformat_type */
    REFORMAT_L2_TO_VXLAN = 0, REFORMAT_L2_TO_L2_TUNNEL = 2, REFORMAT_L3_TUNNEL_TO_L2 = 3,
    REFORMAT_L2_TO_L3_TUNNEL = 4
};

/* A packet reformat context. Its data are the headers that a packet gets. */
struct hca_reformat {
    struct hca_object object;
    enum hca_reformat_type type;
    uint32_t len;
    uint8_t data[HEADERS_MAX_DATA];
};

/* A modify header context: actions in the layout of commands. */
struct hca_modify {
    struct hca_object object;
    unsigned table_type;        /* of the tables whose entries may use the context */
    unsigned num;
    uint8_t actions[HEADERS_MAX_ACTIONS][8];
};

struct hca_changes {
    bool decaps;                /* removes the headers before the frame in a tunnel */
    unsigned pops, pushes;      /* VLAN tags, at most 2 */
    uint32_t push[2];           /* type and TCI of the tags; the first one is pushed first */
    struct hca_modify *modify;  /* or NULL */
    struct hca_reformat *reformat;      /* or NULL */
};

/* A change of bits of a field. Fields have the numbers of firmware commands. */
enum hca_field_op { FIELD_SET = 1, FIELD_ADD = 2, FIELD_COPY = 3 };     /* values of action_type */

struct hca_field_change {
    enum hca_field_op op;
    unsigned field, offset, length;     /* the bits that change; offset 0 is the lowest bit */
    uint32_t data;              /* FIELD_SET, FIELD_ADD */
    unsigned from, from_offset; /* FIELD_COPY: the bits that are copied */
};

/* Which checksums of a packet are right. */
struct hca_checksums { bool l3, l4; };

int hca_reformat_create(struct sim_client *client, enum hca_reformat_type type,
                        const uint8_t *data, uint32_t len, struct hca_object **out);
int hca_modify_create(struct sim_client *client, unsigned table_type, const uint8_t *actions,
                      unsigned num, struct hca_object **out);

/* True when the device has contexts of this type with this length of data. */
bool hca_reformat_is_known(unsigned type, uint32_t len);
/* True when the device can execute the action: the field exists, and has the bits. */
bool hca_modify_is_known(const uint8_t action[8]);

/*
 * A list of changes of fields: the caller remembers the checksums, makes the changes, and then
 * makes the checksums right that were right before. The last function also finds the headers again.
 * A change of a header that the packet does not have does nothing. FIELD_ADD drops the carry.
 */
struct hca_checksums hca_checksums_of(const struct packet *packet);
void hca_field_change(struct packet *packet, const struct hca_field_change *change);
void hca_checksums_restore(struct packet *packet, struct hca_checksums were_right);

/*
 * Changes a packet in this order: decapsulation, VLAN tags removed, fields, VLAN tags inserted,
 * encapsulation. The order of decapsulation and encapsulation is public, the rest is assumed. A
 * change is left out when the packet lacks the headers that it needs (assumed). A checksum that was
 * right is right afterwards. The buffer of the packet has PACKET_MAX bytes; false when the packet
 * gets longer.
 */
bool hca_changes_apply(const struct hca_changes *changes, struct packet *packet);

#endif
