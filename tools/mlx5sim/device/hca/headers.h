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
    bool decaps;                /* removes the outer headers of a VXLAN packet */
    unsigned pops, pushes;      /* VLAN tags, at most 2 */
    uint32_t push[2];           /* type and TCI of the tags; the first one is pushed first */
    struct hca_modify *modify;  /* or NULL */
    struct hca_reformat *reformat;      /* or NULL */
};

int hca_reformat_create(struct sim_client *client, enum hca_reformat_type type,
                        const uint8_t *data, uint32_t len, struct hca_object **out);
int hca_modify_create(struct sim_client *client, unsigned table_type, const uint8_t *actions,
                      unsigned num, struct hca_object **out);

/* True when the device has contexts of this type with this length of data. */
bool hca_reformat_is_known(unsigned type, uint32_t len);
/* True when the device can execute the action: the field exists, and has the bits. */
bool hca_modify_is_known(const uint8_t action[8]);

/*
 * Changes a packet in this order: decapsulation, VLAN tags removed, fields, VLAN tags inserted,
 * encapsulation. The order of decapsulation and encapsulation is public, the rest is assumed. A
 * change is left out when the packet lacks the headers that it needs (assumed). A checksum that was
 * right is right afterwards. The buffer of the packet has PACKET_MAX bytes; false when the packet
 * gets longer.
 */
bool hca_changes_apply(const struct hca_changes *changes, struct packet *packet);

#endif
