/*
 * The packets that the preloaded library and the device process send to each other.
 *
 * The descriptor of a context is a SOCK_SEQPACKET connection to DIR/uverbsN. The library sends a
 * request over it together with one end of a new socket pair, and receives the reply on the other
 * end. Threads and forked children can therefore share the context without a lock. A second
 * connection, to DIR/doorbell, carries doorbells.
 *
 * The descriptor of an open rdma_cm device is a connection of the same kind to DIR/rdma_cm. It
 * holds a packet of one byte for each unread event, so that the program can poll the descriptor.
 * The reply to a request that takes or drops an event asks the library to take the packet.
 *
 * A device process that has no free descriptor cannot receive the reply end of a request, nor keep
 * a new connection. It then sends a struct wire_refusal over the connection itself.
 */
#ifndef MLX5SIM_WIRE_H
#define MLX5SIM_WIRE_H

#include <stdint.h>

enum {
    WIRE_MAGIC = 0x6d783573,
    WIRE_IOCTL_BYTES = 4096,    /* header and attributes of one ioctl */
    WIRE_MAX_FDS = 4,
    WIRE_UVERBS_MAJOR = 231,
    WIRE_UVERBS_MINOR = 192,
    WIRE_CM_MAJOR = 10,         /* that of misc devices */
    WIRE_CM_MINOR = 122         /* assumed: the kernel chooses it */
};

/* The last two are requests of an open rdma_cm device; see `program/cm.c`. */
enum wire_kind { WIRE_IOCTL = 1, WIRE_MMAP = 2, WIRE_CM_WRITE = 3, WIRE_CM_NUMBER = 4 };
enum wire_map { WIRE_MAP_PLAIN, WIRE_MAP_UAR, WIRE_MAP_CLOCK, WIRE_MAP_OPERATION };

/* Where the program stores a descriptor that came with the reply. */
struct wire_fd {
    uint64_t addr;              /* address of a 32-bit word in the program; 0: use attr */
    uint32_t attr;              /* index of the ioctl attribute that receives it as data */
    uint32_t reserved;
};

struct wire_request {
    uint32_t magic;
    uint32_t kind;
    uint64_t offset, len;       /* arguments of an mmap; of write(2): address and bytes */
    /* for an ioctl, the caller's header and attributes follow */
};

struct wire_reply {
    int32_t error;              /* errno or 0 */
    uint32_t num_fds;
    struct wire_fd fd[WIRE_MAX_FDS];
    uint64_t map_offset;        /* mmap: offset in the memfd that is sent as the first descriptor */
    uint32_t map_kind;          /* enum wire_map */
    uint32_t function, page;    /* WIRE_MAP_UAR: the function and its UAR page;
                                 * WIRE_MAP_OPERATION: page is the number of the operation */
    uint32_t trap;              /* 1: stores to this UAR page must be reported */
    uint32_t drain;             /* number of packets that the program takes from the connection */
    uint32_t number;            /* WIRE_CM_NUMBER: the number of the connection */
    /* for an ioctl, the header and attributes follow as they are after the call */
};

/* The device process could not receive a request or keep a connection. */
struct wire_refusal {
    int32_t error;              /* errno */
};

/* First packet on a doorbell connection, sent by the device process with the memfd of a struct
 * wire_done. A struct wire_refusal takes its place if the device process cannot serve the
 * connection. */
struct wire_hello {
    int32_t error;              /* 0 */
    uint32_t magic;
    uint32_t sync;              /* 1: a store to a doorbell waits until the device has handled it */
    uint64_t clock_khz;
};

struct wire_doorbell {
    uint32_t seq;
    uint32_t function, page, offset;
    uint64_t value;
};

/* A load or store of an operation address of device memory. The second kind of packet on a doorbell
 * connection; it differs from a doorbell by its length. */
struct wire_operation {
    uint32_t seq;
    uint32_t number;            /* of the operation */
    uint32_t offset;            /* in the device memory */
    uint32_t bytes;             /* 1, 2, 4 or 8 */
    uint32_t is_store;
    uint32_t reserved;
    uint64_t value;             /* the value that is stored */
    uint64_t result;            /* address of a struct wire_result in the program */
};

/* The result of a struct wire_operation. The device process writes it before it marks the packet's
 * `seq` as handled in struct wire_done. */
struct wire_result {
    uint64_t value;             /* the value that a load gives */
    uint32_t is_done;           /* 1 */
    uint32_t reserved;
};

enum { WIRE_DONE_SLOTS = 512 };

/* Shared by all threads and forked children of a connection. The device process sets done[seq %
 * WIRE_DONE_SLOTS] to seq when it has handled doorbell `seq`, and wakes the word as a futex. */
struct wire_done {
    uint32_t next_seq;
    uint32_t reserved[15];
    uint32_t done[WIRE_DONE_SLOTS];
};

#endif
