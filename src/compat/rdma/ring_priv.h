/* ---- >>priv.rdma.ring ------------------------------------------------------------------------
 * The ring of one direction of a connection: memory that the process of the sender shares with that
 * of the receiver. Message number t (its ticket) is in slot t % num_slots. The slot holds a short
 * message itself. For a longer message it holds addresses in the sender's memory, and the receiver
 * copies the message from there. Either side may be hostile: it can write anything at any time.
 * Therefore the other side reads each number once, checks it, and uses the copy. slot.turn has the
 * ticket and the state:
 *     FILLED by the sender -> DONE by the receiver, with a status: the message is received
 *     FILLED -> CANCELLED by the sender, which has ended the task
 * The changes to DONE and to CANCELLED are compare-and-swaps, so that both sides agree whether a
 * message was received.                                                                         */
#ifndef DOCA_SRC_COMPAT_RDMA_RING_PRIV_H
#define DOCA_SRC_COMPAT_RDMA_RING_PRIV_H

#include "base/compiler.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "compat/rdma/config.h"

struct doca_core_refusal;

enum { DOCA_PRIV_RDMA_SLOT_FILLED = 1, DOCA_PRIV_RDMA_SLOT_DONE, DOCA_PRIV_RDMA_SLOT_CANCELLED };

#define DOCA_PRIV_RDMA_TURN(ticket, what) (4u * (ticket) + (what))
#define DOCA_PRIV_RDMA_SHORT 544 /* bytes of a message in its slot */

struct doca_priv_rdma_piece {
    uint64_t addr; /* in the sender's process */
    uint64_t len;
};

struct doca_priv_rdma_slot {
    uint32_t turn;
    uint32_t status; /* a doca_error_t */
    uint64_t len;
    doca_be32_t imm;
    uint32_t num_pieces; /* 0: the message is in the slot */
    uint32_t opcode;
    uint32_t unused;
    union {
        unsigned char bytes[DOCA_PRIV_RDMA_SHORT];
        struct doca_priv_rdma_piece
            pieces[DOCA_PRIV_RDMA_SHORT / sizeof(struct doca_priv_rdma_piece)];
    } u;
};

struct doca_priv_rdma_ring { /* each group of members between blank lines fills a cache line */
    uint64_t magic;
    uint32_t num_slots; /* a power of two */
    uint32_t unused[13];

    uint32_t receiver_sleeps; /* not 0: the sender must write to the receiver's eventfd */
    uint32_t unused_too[15];

    uint32_t sender_sleeps;
    uint32_t starving; /* slot.turn of a message that found no receive task, or 0 */
    uint32_t unused_as_well[14];
};

struct doca_priv_rdma_lane {          /* a mapped ring */
    struct doca_priv_rdma_ring *ring; /* NULL: not mapped */
    size_t bytes;
    int memory_fd;
    uint32_t num_slots; /* a copy of the ring's number, checked */
    uint32_t ticket;    /* of the next message */
};

DOCA_PRIV_DECL bool doca_priv_rdma_lane_create(struct doca_priv_rdma_lane *lane, uint32_t num_slots,
                                               struct doca_core_refusal *why);
DOCA_PRIV_DECL bool doca_priv_rdma_lane_import(struct doca_priv_rdma_lane *lane, int memory_fd);
DOCA_PRIV_DECL void doca_priv_rdma_lane_close(struct doca_priv_rdma_lane *lane);
DOCA_PRIV_DECL int doca_priv_rdma_lock_hold(void);
DOCA_PRIV_DECL void doca_priv_rdma_lock_drop(void);
DOCA_PRIV_DECL uint32_t *doca_priv_rdma_lock_import(int fd);
DOCA_PRIV_DECL void doca_priv_rdma_lock_close(uint32_t *lock);

DOCA_PRIV_HOT struct doca_priv_rdma_slot *
doca_priv_rdma_slot_of(const struct doca_priv_rdma_lane *lane, uint32_t ticket)
{
    struct doca_priv_rdma_slot *slots =
        (struct doca_priv_rdma_slot *)(void *)((uintptr_t)lane->ring + sizeof(*lane->ring));

    return &slots[ticket & (lane->num_slots - 1)];
}

/* Change *number from `from` to `to` if it is `from`. Ordered before and after other accesses. */
DOCA_PRIV_HOT bool doca_priv_rdma_swap(uint32_t *number, uint32_t from, uint32_t to)
{
#if defined(__TINYC__) /* it has no atomics: see DOCA_PRIV_LOAD */
    if (*number != from)
        return false;
    *number = to;
    return true;
#else
    return __atomic_compare_exchange_n(number, &from, to, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
#endif
}

DOCA_PRIV_HOT bool doca_priv_rdma_slot_is(const struct doca_priv_rdma_lane *lane, uint32_t ticket,
                                          unsigned what)
{
    return DOCA_PRIV_LOAD_ORDERED(&doca_priv_rdma_slot_of(lane, ticket)->turn) ==
           DOCA_PRIV_RDMA_TURN(ticket, what);
}

#endif
