/* A store of blocks: one owner, which keeps blocks of 4 KiB in its memory and rewrites them, and
 * several readers, which keep copies of the blocks. The processes are connected by DOCA RDMA.
 *
 *   - A reader fetches a block by an RDMA read, while the owner may be rewriting it. The reader
 *     repeats the read until the versions at both ends of the block are equal and even, and the
 *     checksum is right.
 *   - The owner counts its rewrites: the number of the latest one is the epoch. After each rewrite
 *     it sets the sync event of every reader to the epoch, by a task for remote sync events. A
 *     reader that finds a new epoch in its event reads the directory, which holds the version of
 *     each block, and drops its copies of older versions.
 *   - A reader records every block that it uses: the epoch that it knew, the version, and the
 *     checksum that it has computed of the bytes. It sends the records to the owner, which compares
 *     them with its history. A block is torn if its checksum is not that of its version. A block is
 *     stale if the next version was published in the epoch that the reader knew, or earlier.
 *
 * A reader and the owner exchange the details of their connection through TCP, or, with the flag
 * --by-address, the reader connects to the address of the owner's device. The owner and the readers
 * can run on different devices, and on different machines.
 *
 * The program needs DOCA 2.10 or later: an instance of the owner has a connection for each reader.
 * It runs on devices that support RDMA reads, and takes the first one unless --pci-addr names
 * another. */
#ifndef BLOCK_STORE_H_
#define BLOCK_STORE_H_

#include <stdbool.h>
#include <stdint.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_log.h>
#include <doca_mmap.h>
#include <doca_pe.h>
#include <doca_rdma.h>
#include <doca_sync_event.h>

#include "../common.h"

#define MAX_READERS 8
#define MAX_BLOCKS 256
#define BLOCK_WORDS 509
#define NUM_RECORDS 64           /* records in one message */
#define MAX_DESCRIPTOR_SIZE 1024 /* bytes of an exported memory map or sync event */
#define STOP ((uint64_t)1 << 63) /* bit of an epoch: the readers must end */

struct store_config {
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
    bool is_owner;
    char ip[16];     /* IPv4 address at which the owner listens */
    int port;        /* TCP port at which the owner listens */
    int gid_index;   /* of the device; only RoCE needs it */
    bool by_address; /* connect by address, without TCP */
    int num_blocks;  /* owner: number of blocks */
    int num_readers; /* owner: number of readers to wait for at the beginning */
    /* The owner ends when it has lost num_lost readers and, since the latest loss, each reader has
     * used num_accepts blocks and the owner has rewritten num_rewrites blocks. */
    int num_lost;
    int num_accepts;
    int num_rewrites;
    bool is_careless; /* reader: use copies that are too old, so that the owner finds them */
};

/* 4 KiB. The owner makes both versions odd before it changes anything else. */
struct block {
    uint64_t version;
    uint64_t checksum;
    uint64_t words[BLOCK_WORDS];
    uint64_t version_again;
};

/* The memory that the readers can read. */
struct store {
    uint64_t versions[MAX_BLOCKS]; /* the directory */
    struct block blocks[MAX_BLOCKS];
};

struct record {
    uint64_t epoch, block, version, checksum;
};

struct report {
    uint64_t num_accepted; /* records that the reader has sent */
    uint64_t num_reads;    /* of blocks */
    uint64_t num_torn;     /* reads that were repeated */
    uint64_t num_dropped;  /* copies of older versions */
};

/* A reader sends HELLO, RECORDS and REPORT. The owner answers HELLO with WELCOME. */
enum message_type { HELLO = 1, WELCOME, RECORDS, REPORT };

struct message {
    uint32_t type;
    uint32_t count; /* length of the descriptor, or number of records */
    uint64_t num_blocks;
    union {
        unsigned char descriptor[MAX_DESCRIPTOR_SIZE];
        struct record records[NUM_RECORDS];
        struct report report;
    } of;
};

/* Message that each side sends to its peer by TCP. */
struct details {
    uint32_t len; /* in network byte order */
    unsigned char bytes[MAX_DESCRIPTOR_SIZE];
};

/* The objects that an owner and a reader both have. The structure is the user data of the
 * context. */
struct endpoint {
    void (*handle_message)(struct endpoint *endpoint, const struct doca_rdma_connection *connection,
                           const struct message *message);
    const struct store_config *conf;
    struct doca_dev *dev;
    struct doca_pe *pe;
    struct doca_buf_inventory *inventory;
    struct doca_mmap *mmap; /* messages, and copies of blocks */
    struct doca_rdma *rdma;
    uint32_t num_sending;
    doca_error_t result; /* the first failure in a callback */
};

/* ---- block_store_core.c ---- */

/* The checksum of the words of a block, with its number and version. */
uint64_t checksum_of(const uint64_t *words, uint64_t number, uint64_t version);

/* Open a device and create the objects. `memory` is what the tasks of this side read and write,
 * `permissions` what its peers may do. Whether this succeeds or not, stop_endpoint() and
 * close_endpoint() release the objects. */
doca_error_t open_endpoint(const struct store_config *conf, void *memory, size_t len,
                           uint32_t permissions, struct endpoint *endpoint);
doca_error_t start_endpoint(struct endpoint *endpoint);

/* Stop and destroy the RDMA instance. From then on, no peer reaches memory of this process. */
doca_error_t stop_endpoint(struct endpoint *endpoint);

/* Destroy the other objects. */
doca_error_t close_endpoint(struct endpoint *endpoint);

/* Progress once, or sleep a little when there is nothing to do. */
void progress_or_sleep(struct endpoint *endpoint);

/* Keep the first failure. */
void note(struct endpoint *endpoint, doca_error_t result, const char *what);

/* Make a buffer whose first `data_len` bytes are its data. */
doca_error_t get_buf(struct endpoint *endpoint, struct doca_mmap *mmap, void *addr, size_t len,
                     size_t data_len, struct doca_buf **buf);

/* Send a message. It must not change while `num_sending` counts it. */
doca_error_t send_message(struct endpoint *endpoint, struct doca_rdma_connection *connection,
                          struct message *message);

/* Post a receive task for a message. */
doca_error_t post_receive(struct endpoint *endpoint, struct message *message);

/* ---- block_store_meet.c ---- */

/* Owner: listen for readers by TCP. */
doca_error_t open_port(const struct store_config *conf, int *port_fd);

/* Owner: return the TCP socket of the next reader; negative when no reader waits. */
int accept_reader(int port_fd);

/* Reader: connect to the owner by TCP. NOT_FOUND: no owner listens. */
doca_error_t call_owner(const struct store_config *conf, int *fd);

/* Make an RDMA connection with the peer at the other end of the TCP socket, which is closed. `data`
 * is the user data of the connection. */
doca_error_t meet_peer(struct endpoint *endpoint, int fd, union doca_data data);

/* ---- block_store_owner.c, block_store_reader.c ---- */

doca_error_t run_owner(const struct store_config *conf);
doca_error_t run_reader(const struct store_config *conf);

#endif /* BLOCK_STORE_H_ */
