/* ---- >>priv.comch.ring -----------------------------------------------------------------------
 * The ring of a consumer: memory that the process of the consumer shares with that of the
 * producers. Each posted buffer has a number, its ticket, and the slot ticket % num_slots. A
 * producer takes the next ticket, writes its message into the slot, and for more than
 * DOCA_PRIV_COMCH_SHORT bytes into the chunk ticket % num_chunks, and then sets slot.turn. The
 * consumer copies the messages into its buffers in the order of the tickets. The producers' side
 * counts the tickets in its own memory, so credit is num_posted - tickets. Either side may be
 * hostile: it can write anything at any time. The other reads each number once, checks it, and uses
 * the copy. It loses messages, but does not leave its own memory. slot.turn contains the ticket and
 * the state of the slot:
 *     OPEN -> CLAIMED by the producer that has the ticket -> FILLED: the message is in the slot
 *     OPEN -> SKIPPED: the program took the posted buffer back; the producer takes another ticket
 *     OPEN, CLAIMED -> CLOSED: the consumer has stopped
 * Each change is a compare-and-swap, so that both sides agree on the order of their changes. A
 * producer writes only into slots and chunks that it has claimed.                                */
#ifndef DOCA_SRC_COMPAT_COMCH_RING_PRIV_H
#define DOCA_SRC_COMPAT_COMCH_RING_PRIV_H

#include "base/compiler.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "compat/comch/config.h"

struct doca_core_refusal;

#define DOCA_PRIV_COMCH_SHORT 64              /* bytes of a message in its slot */
#define DOCA_PRIV_COMCH_CHUNK ((size_t)65536) /* bytes of a chunk */
#define DOCA_PRIV_COMCH_MAX_CHUNKS 32u

/* chunk.num_written when the producer gives the rest of a message up */
#define DOCA_PRIV_COMCH_ABANDONED UINT64_MAX

/* chunk.num_read when the consumer took all of a message and discarded it */
#define DOCA_PRIV_COMCH_DISCARDED UINT64_MAX

enum {
    DOCA_PRIV_COMCH_OPEN,
    DOCA_PRIV_COMCH_CLAIMED,
    DOCA_PRIV_COMCH_FILLED,
    DOCA_PRIV_COMCH_SKIPPED,
    DOCA_PRIV_COMCH_CLOSED
};

#define DOCA_PRIV_COMCH_TURN(ticket, what) (8u * (ticket) + (what))

struct doca_priv_comch_slot {
    uint64_t capacity; /* bytes of room of the posted buffer */
    uint32_t turn;
    uint16_t imm_len;
    uint16_t is_refused; /* the message does not fit; it has no bytes */
    uint64_t len;
    uint32_t producer_id;
    uint32_t unused;
    uint8_t imm[DOCA_CORE_COMCH_MAX_IMM];
    uint8_t bytes[DOCA_PRIV_COMCH_SHORT];
};

struct doca_priv_comch_chunk {
    uint64_t num_written; /* bytes of the message that the producer has written so far */
    uint64_t num_read;
    uint8_t unused[48];
    uint8_t bytes[DOCA_PRIV_COMCH_CHUNK]; /* byte i of the message is at i % CHUNK */
};

struct doca_priv_comch_ring { /* each group of members has a cache line of its own */
    uint64_t magic;
    uint32_t num_slots; /* a power of two, as is num_chunks */
    uint32_t num_chunks;
    uint32_t imm_len; /* maximum bytes of immediate data */
    uint32_t unused[11];

    uint32_t num_posted; /* written by the consumer, for each message */
    uint32_t num_done;   /* tickets whose slots and chunks are free again */
    uint32_t unused_too[14];

    uint32_t consumer_sleeps; /* the consumer wants wake_fd to be written */
    uint32_t is_closed;       /* read for each message, like consumer_sleeps; rarely written */
    uint32_t unused_as_well[14];

    uint32_t producers_sleep; /* number of producers that want room_fd to be written */
    uint32_t unused_at_last[15];
};

/* A mapped ring and its descriptors, on either side. */
struct doca_priv_comch_lane {
    struct doca_priv_comch_ring *ring; /* NULL: none */
    size_t bytes;
    int memory_fd;
    int wake_fd; /* eventfds: of the consumer, and of the producers */
    int room_fd;
    uint32_t num_slots; /* copies of the ring's numbers, checked */
    uint32_t num_chunks;
    uint32_t imm_len;
    uint32_t id;          /* of the consumer */
    uint32_t is_live;     /* 0: the consumer has ended, or the connection */
    uint32_t num_tickets; /* producers' side: tickets taken */
    uint32_t num_posted;  /* producers' side: credit as last read */
    /* Producers' side: a bit for each chunk whose streamed message has not ended on this side. The
     * consumer may be done with the chunk, but num_read must still tell the producer whether the
     * consumer took all of the message. */
    uint32_t busy_chunks;
    /* Producers' side: tasks that use the lane. The last member: other threads change it at any
     * time, so it is not cleared with the others. */
    uint32_t num_users;
};

DOCA_PRIV_DECL bool doca_priv_comch_lane_create(struct doca_priv_comch_lane *lane,
                                                uint32_t num_tasks, uint32_t imm_len,
                                                struct doca_core_refusal *why);
DOCA_PRIV_DECL bool doca_priv_comch_lane_import(struct doca_priv_comch_lane *lane, const int *fds,
                                                uint32_t id);
DOCA_PRIV_DECL void doca_priv_comch_lane_close(struct doca_priv_comch_lane *lane);

DOCA_PRIV_HOT struct doca_priv_comch_slot *
doca_priv_comch_slot_of(const struct doca_priv_comch_lane *lane, uint32_t ticket)
{
    struct doca_priv_comch_slot *slots =
        (struct doca_priv_comch_slot *)(void *)((uintptr_t)lane->ring + sizeof(*lane->ring));

    return &slots[ticket & (lane->num_slots - 1)];
}

DOCA_PRIV_HOT struct doca_priv_comch_chunk *
doca_priv_comch_chunk_of(const struct doca_priv_comch_lane *lane, uint32_t ticket)
{
    struct doca_priv_comch_chunk *chunks =
        (struct doca_priv_comch_chunk *)(void *)doca_priv_comch_slot_of(lane, lane->num_slots - 1);

    chunks = (struct doca_priv_comch_chunk *)(void *)((uintptr_t)chunks +
                                                      sizeof(struct doca_priv_comch_slot));
    return &chunks[ticket & (lane->num_chunks - 1)];
}

/* Change *number from `from` to `to` if it is `from`. Ordered before and after other accesses. */
DOCA_PRIV_HOT bool doca_priv_comch_swap(uint32_t *number, uint32_t from, uint32_t to)
{
#if defined(__TINYC__) || defined(DOCA_CORE_SINGLE_THREAD)
    if (*number != from)
        return false;
    *number = to;
    return true;
#else
    return __atomic_compare_exchange_n(number, &from, to, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
#endif
}

/* Change the state of the slot of a ticket from `from` to `to`, if it is `from`. */
DOCA_PRIV_HOT bool doca_priv_comch_turn(struct doca_priv_comch_slot *slot, uint32_t ticket,
                                        uint32_t from, uint32_t to)
{
    return doca_priv_comch_swap(&slot->turn, DOCA_PRIV_COMCH_TURN(ticket, from),
                                DOCA_PRIV_COMCH_TURN(ticket, to));
}

#endif
