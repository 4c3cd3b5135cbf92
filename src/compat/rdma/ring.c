/* ---- >>impl.rdma.ring -----------------------------------------------------------------------
 * The memory of rings, and the lock of atomic tasks. The lock is a word in memory that a process
 * shares with all its peers: a peer holds the lock while it executes an atomic task on memory of
 * the process. The word contains the process number of the holder, or 0. A holder that has ended
 * loses the lock, unless another process has its number by then; a stopped holder keeps it.      */
#include "compat/rdma/ring_priv.h"

#include "base/compiler.h"
#include "base/platform_priv.h"
#include "base/share_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/log_priv.h"
#include "compat/local/memory_priv.h"
#include "compat/local/platform_priv.h"

#define DOCA_PRIV_RDMA_MAGIC 0x31676e69726d6472u

DOCA_PRIV_ASSERT_STATIC(rdma_slots_are_nine_lines, sizeof(struct doca_priv_rdma_slot) == 576);
DOCA_PRIV_ASSERT_STATIC(rdma_rings_are_three_lines, sizeof(struct doca_priv_rdma_ring) == 192);
DOCA_PRIV_ASSERT_STATIC(rdma_slots_have_the_pieces,
                        DOCA_PRIV_RDMA_SHORT / sizeof(struct doca_priv_rdma_piece) >=
                            DOCA_CORE_RDMA_MAX_SEND_LIST);

static size_t doca_priv_rdma_ring_bytes(uint32_t num_slots)
{
    return sizeof(struct doca_priv_rdma_ring) + num_slots * sizeof(struct doca_priv_rdma_slot);
}

static bool doca_priv_rdma_lane_map(struct doca_priv_rdma_lane *lane, size_t bytes)
{
    lane->ring = (struct doca_priv_rdma_ring *)doca_priv_local_map(lane->memory_fd, bytes);
    lane->bytes = bytes;
    return lane->ring != NULL;
}

/* Create the ring of a sender with up to `num_slots` messages in flight, a power of two. */
DOCA_PRIV_DECL bool doca_priv_rdma_lane_create(struct doca_priv_rdma_lane *lane, uint32_t num_slots,
                                               struct doca_core_refusal *why)
{
    const size_t bytes = doca_priv_rdma_ring_bytes(num_slots);

    lane->memory_fd = doca_priv_local_file("doca_core_rdma", bytes);
    if (lane->memory_fd < 0 || !doca_priv_rdma_lane_map(lane, bytes)) {
        why->step = DOCA_PRIV_LOG_TEXT("make the shared memory of the connection");
        why->error = errno;
        doca_priv_rdma_lane_close(lane);
        return false;
    }
    lane->ring->magic = DOCA_PRIV_RDMA_MAGIC;
    lane->ring->num_slots = num_slots;
    lane->num_slots = num_slots;
    return true;
}

/* Map the ring of a peer. The descriptor belongs to the lane from now on, also when the ring is
 * refused. */
DOCA_PRIV_DECL bool doca_priv_rdma_lane_import(struct doca_priv_rdma_lane *lane, int memory_fd)
{
    const size_t bytes = doca_priv_local_file_bytes(memory_fd);
    struct doca_priv_rdma_ring head;

    lane->memory_fd = memory_fd;
    if (bytes >= sizeof(head) && doca_priv_rdma_lane_map(lane, bytes)) {
        DOCA_CORE_MEMCPY(&head, lane->ring, sizeof(head));
        lane->num_slots = head.num_slots;
        if (head.magic == DOCA_PRIV_RDMA_MAGIC && head.num_slots != 0 &&
            head.num_slots <= DOCA_CORE_RDMA_MAX_SEND_QUEUE &&
            (head.num_slots & (head.num_slots - 1)) == 0 &&
            bytes == doca_priv_rdma_ring_bytes(head.num_slots))
            return true;
    }
    doca_priv_rdma_lane_close(lane);
    return false;
}

DOCA_PRIV_DECL void doca_priv_rdma_lane_close(struct doca_priv_rdma_lane *lane)
{
    if (lane->ring != NULL)
        doca_priv_local_unmap(lane->ring, lane->bytes);
    doca_priv_sys_close(lane->memory_fd);
    DOCA_CORE_MEMSET(lane, 0, sizeof(*lane));
    lane->memory_fd = -1;
}

/* The lock of this process, while it has instances that are started. */
static struct {
    uint32_t lock; /* serializes changes of the following members */
    uint32_t num_users;
    int fd;
} doca_priv_rdma_own_lock;

/* Return the descriptor of the lock of this process, or -1. Peers map the lock. Each successful
 * call must be followed by one call of doca_priv_rdma_lock_drop(). */
DOCA_PRIV_DECL int doca_priv_rdma_lock_hold(void)
{
    int fd;

    doca_priv_lock(&doca_priv_rdma_own_lock.lock);
    if (doca_priv_rdma_own_lock.num_users == 0)
        doca_priv_rdma_own_lock.fd = doca_priv_local_file("doca_core_rdma", DOCA_PRIV_PAGE_BYTES);
    fd = doca_priv_rdma_own_lock.fd;
    if (fd >= 0)
        doca_priv_rdma_own_lock.num_users++;
    doca_priv_unlock(&doca_priv_rdma_own_lock.lock);
    return fd;
}

DOCA_PRIV_DECL void doca_priv_rdma_lock_drop(void)
{
    doca_priv_lock(&doca_priv_rdma_own_lock.lock);
    if (--doca_priv_rdma_own_lock.num_users == 0)
        doca_priv_sys_close(doca_priv_rdma_own_lock.fd);
    doca_priv_unlock(&doca_priv_rdma_own_lock.lock);
}

/* Map the lock of a peer. Returns NULL when the descriptor is not one. */
DOCA_PRIV_DECL uint32_t *doca_priv_rdma_lock_import(int fd)
{
    return doca_priv_local_file_bytes(fd) == DOCA_PRIV_PAGE_BYTES
               ? (uint32_t *)doca_priv_local_map(fd, DOCA_PRIV_PAGE_BYTES)
               : NULL;
}

DOCA_PRIV_DECL void doca_priv_rdma_lock_close(uint32_t *lock)
{
    if (lock != NULL)
        doca_priv_local_unmap(lock, DOCA_PRIV_PAGE_BYTES);
}
