/* Ethernet frames: where their headers are, their checksums, and their hash. */
#ifndef MLX5SIM_HCA_PACKET_H
#define MLX5SIM_HCA_PACKET_H

#include <stdbool.h>
#include <stdint.h>

enum {
    PACKET_MAX = 16384,         /* bytes of a frame; assumed */
    PACKET_ETH = 14,            /* bytes of the Ethernet header */
    PACKET_VLAN = 4,            /* bytes of a VLAN tag */
    PACKET_IPV4 = 0x0800, PACKET_IPV6 = 0x86dd, PACKET_CVLAN = 0x8100, PACKET_SVLAN = 0x88a8,
    PACKET_TCP = 6, PACKET_UDP = 17, PACKET_GRE = 47, PACKET_ICMP = 1, PACKET_ICMPV6 = 58,
    PACKET_FRAME = 0x6558,      /* of a tunnel: it contains a frame */
    PACKET_VXLAN_PORT = 4789, PACKET_GENEVE_PORT = 6081
};

/* The registers that travel with a packet through flow tables: A, B, and C 0 to 7. */
enum { PACKET_REG_A, PACKET_REG_B, PACKET_REG_C, PACKET_REGISTERS = 10 };

/* The headers of a frame. An offset of 0 means that the frame has no such header. A header of which
 * the frame has only a part counts as absent. */
struct packet {
    uint8_t *bytes;             /* the Ethernet header */
    uint32_t len;
    unsigned num_vlans;         /* tags after the MAC addresses, at most 2 */
    uint16_t vlan_type[2], vlan[2];     /* type and TCI of each tag */
    uint16_t ethertype;         /* behind the tags */
    unsigned l3;                /* IPv4 or IPv6 header */
    unsigned l3_len;            /* bytes of the IP header with its options or extensions */
    unsigned ip_version;        /* 4 or 6; 0 without an IP header */
    uint8_t protocol;           /* protocol of the payload of IP */
    bool fragment;              /* a fragment of a datagram; only the first one has `l4` */
    unsigned l4;                /* header of TCP, UDP, ICMP or GRE */
    unsigned end;               /* end of the IP datagram in the frame; without IP: `len` */
    unsigned tunnel;            /* header of VXLAN */
    unsigned inner;             /* the frame inside VXLAN, Geneve or GRE */
    unsigned inner_l3;          /* the IP packet inside Geneve or GRE */
    uint16_t inner_type;        /* its ethertype */
    uint32_t reg[PACKET_REGISTERS];
};

/* Finds the headers, and sets the registers to 0. The frame has at least PACKET_ETH bytes. */
void packet_parse(uint8_t *bytes, uint32_t len, struct packet *packet);

/* Writes the length of the datagram into the IP header, so that the datagram ends with the frame,
 * and finds the headers again. The registers stay. */
void packet_set_length(struct packet *packet);

/* Reads a big-endian number of 2 or 4 bytes at an offset of the frame. */
uint16_t packet_be16(const struct packet *packet, unsigned at);
uint32_t packet_be32(const struct packet *packet, unsigned at);

/* True when the checksum of the IPv4 header is right; IPv6 has none. False without an IP header. */
bool packet_l3_ok(const struct packet *packet);
/* True when the checksum of TCP or UDP is right, or is absent as UDP over IPv4 permits. False for
 * other protocols and for fragments. */
bool packet_l4_ok(const struct packet *packet);

/* Write the checksum of the IPv4 header, and that of TCP or UDP. They do nothing when the frame has
 * no such header. */
void packet_set_l3_checksum(struct packet *packet);
void packet_set_l4_checksum(struct packet *packet);

/* Which fields of a packet enter its hash. */
enum {
    HASH_SRC_IP = 1, HASH_DST_IP = 2, HASH_L4_SPORT = 4, HASH_L4_DPORT = 8
};

/* The Toeplitz hash over the selected fields, in the order of these constants. `key` has 40
 * bytes. */
uint32_t packet_toeplitz(const struct packet *packet, unsigned fields, const uint8_t key[40]);

#endif
