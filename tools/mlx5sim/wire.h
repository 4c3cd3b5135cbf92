/*
 * What the preloaded library and the device process send each other.
 *
 * A context fd is a SOCK_SEQPACKET connection to DIR/uverbsN. A request goes over it together with
 * one end of a socket pair; the reply comes back there, so that threads and forked children may
 * share the context without a lock. Another connection, to DIR/doorbell, carries doorbells.
 */
#ifndef MLX5SIM_WIRE_H
#define MLX5SIM_WIRE_H

#include <stdint.h>

enum {
    WIRE_MAGIC = 0x6d783573,
    WIRE_IOCTL_BYTES = 4096,    /* header and attributes of one ioctl */
    WIRE_MAX_FDS = 4,
    WIRE_UVERBS_MAJOR = 231,
    WIRE_UVERBS_MINOR = 192
};

enum wire_kind { WIRE_IOCTL = 1, WIRE_MMAP = 2 };
enum wire_map { WIRE_MAP_PLAIN, WIRE_MAP_UAR, WIRE_MAP_CLOCK };

/* Where the caller puts an fd that came with the reply. */
struct wire_fd {
    uint64_t addr;              /* a 32-bit word in the caller's memory, or 0: */
    uint32_t attr;              /* the data of this attribute */
    uint32_t reserved;
};

struct wire_request {
    uint32_t magic;
    uint32_t kind;
    uint64_t offset, len;       /* mmap */
    /* ioctl: the caller's buffer follows */
};

struct wire_reply {
    int32_t error;              /* errno or 0 */
    uint32_t num_fds;
    struct wire_fd fd[WIRE_MAX_FDS];
    uint64_t map_offset;        /* mmap: in the memfd that comes as fd 0 */
    uint32_t map_kind;
    uint32_t function, page;    /* WIRE_MAP_UAR */
    uint32_t trap;              /* stores to a UAR page have to be reported */
    /* ioctl: the buffer as it is after the call */
};

/* First packet on a doorbell connection, with the memfd of a struct wire_done. */
struct wire_hello {
    uint32_t magic;
    uint32_t sync;              /* wait for each doorbell to be worked off */
    uint64_t clock_khz;
};

struct wire_doorbell {
    uint32_t seq;
    uint32_t function, page, offset;
    uint64_t value;
};

enum { WIRE_DONE_SLOTS = 512 };

/* Shared by all threads and forked children of a connection. done[seq % SLOTS] becomes seq when
 * doorbell `seq` has been worked off, and is woken as a futex. */
struct wire_done {
    uint32_t next_seq;
    uint32_t reserved[15];
    uint32_t done[WIRE_DONE_SLOTS];
};

#endif
