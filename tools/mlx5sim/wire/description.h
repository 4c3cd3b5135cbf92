/*
 * What the device process says of the machine: its functions and their network interfaces.
 *
 * A program connects to DIR/description and receives one packet, a struct wire_description. The
 * device process then closes the connection.
 */
#ifndef MLX5SIM_WIRE_DESCRIPTION_H
#define MLX5SIM_WIRE_DESCRIPTION_H

#include <stdint.h>

#define WIRE_DESCRIPTION_SOCKET "description"

/* A program connects to DIR/counters, and waits until the device process closes the connection: the
 * files of the counters in DIR/sys then have the present numbers. */
#define WIRE_COUNTERS_SOCKET "counters"

enum {
    WIRE_DESCRIPTION_MAGIC = 0x6d783564,
    WIRE_MAX_FUNCTIONS = 16,
    WIRE_MAX_INTERFACES = 2 * WIRE_MAX_FUNCTIONS,   /* each function may have a representor */
    WIRE_MAX_ADDRESSES = 2 * WIRE_MAX_FUNCTIONS,
    WIRE_MTU = 1500,            /* of every interface */
    WIRE_PREFIX_IPV4 = 24,
    WIRE_PREFIX_IPV6 = 64
};

/* A network interface that the kernel does not have. */
struct wire_interface {
    char name[24];
    uint32_t index;
    uint8_t mac[6];
    char port_name[24], switch_id[24];  /* empty when it is not a port of an eswitch */
    char pci[16];
};

/* An address of one of these interfaces. */
struct wire_address {
    uint32_t index;             /* of the interface */
    uint32_t is_ipv6;
    uint8_t bytes[16];          /* network byte order; 4 bytes of an IPv4 address */
};

/* Objects that the kernel counts for each RDMA device. */
enum wire_count {
    WIRE_COUNT_PD, WIRE_COUNT_CQ, WIRE_COUNT_QP, WIRE_COUNT_CM_ID, WIRE_COUNT_MR, WIRE_COUNT_CTX,
    WIRE_COUNT_SRQ, WIRE_NUM_COUNTS
};

/* An RDMA device with its only port. */
struct wire_function {
    char name[32];
    char firmware[16];
    char pci[16];               /* empty for an SF */
    uint64_t node_guid, sys_image_guid;     /* host byte order */
    uint64_t port_flags;        /* CapabilityMask and CapabilityMask2 */
    uint64_t subnet_prefix;
    uint32_t lid, sm_lid;
    uint32_t is_ethernet;
    uint32_t interface;         /* index of the network interface, also of one that the host has */
    char interface_name[24];
    uint32_t counts[WIRE_NUM_COUNTS];
};

struct wire_description {
    uint32_t magic;
    uint32_t num_functions, num_interfaces, num_addresses;
    struct wire_function functions[WIRE_MAX_FUNCTIONS];     /* in the order of uverbsN */
    struct wire_interface interfaces[WIRE_MAX_INTERFACES];
    struct wire_address addresses[WIRE_MAX_ADDRESSES];      /* IPv4 before IPv6 */
};

#endif
