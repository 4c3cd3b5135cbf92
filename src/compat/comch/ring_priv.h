/* ---- >>priv.comch.ring -----------------------------------------------------------------------
 * The ring of a consumer: memory that the process of the consumer shares with the process of the
 * producers. Each posted buffer has a number, its ticket, and the slot ticket % num_slots. A
 * producer takes the next ticket, claims its slot, and writes its message into the slot; if the
 * message has more than DOCA_PRIV_COMCH_SHORT bytes, into the chunk ticket % num_chunks. Then it
 * sets slot.turn. The consumer copies the messages into its buffers in the order of the tickets.
 * The producers' side keeps the next ticket in its own memory; the credit is num_posted minus this
 * ticket. Either side may be hostile and write anything at any time. Therefore the other side reads
 * each number once, checks it, and uses the copy. It may lose messages, but it never accesses
 * memory outside the ring.
 *
 * Two words of each slot contain a ticket and a state. A producer sets slot.turn to FILLED when the
 * message is in the slot. Each change of a claim is a compare-and-swap, so that both sides agree on
 * the order of their changes:
 *     claims[]   older ticket -> CLAIMED by a producer, which thereby has the ticket
 *                older ticket -> SKIPPED: the program freed the task before a producer claimed the
 *                                ticket; the producer takes another ticket
 *                older ticket or CLAIMED -> CLOSED: the consumer has stopped, and gets no message
 *                CLAIMED -> DELIVERED: the producer sees after its store to slot.turn that the
 *                                consumer is stopping; the consumer takes the message
 * A producer writes only into slots and chunks that it has claimed. When a consumer stops, it first
 * sets is_closed and then reads slot.turn. A producer first sets slot.turn and then reads
 * is_closed. Both use a barrier, so at least one of them sees the store of the other. If the
 * consumer sees FILLED, it takes the message; otherwise the claim decides.
 *
 * The latency of a message depends on the cache lines that move between the two cores. The consumer
 * polls the line of slot.turn, which is written once for each message. The claims are in other
 * lines, which only producers change in normal operation. The capacities of the posted buffers are
 * in lines that do not change while all buffers have one size. Producers keep copies of num_posted
 * and num_done, and read the originals again only when the ring seems to be full.                */
#ifndef DOCA_SRC_COMPAT_COMCH_RING_PRIV_H
#define DOCA_SRC_COMPAT_COMCH_RING_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "compat/comch/config.h"

struct doca_core_refusal;

#define DOCA_PRIV_COMCH_SHORT 64              /* maximum length in bytes of a message in its slot */
#define DOCA_PRIV_COMCH_CHUNK ((size_t)65536) /* bytes of a chunk */
#define DOCA_PRIV_COMCH_MAX_CHUNKS 32u

/* value of chunk.num_written after the producer has abandoned the rest of a message */
#define DOCA_PRIV_COMCH_ABANDONED UINT64_MAX

/* value of chunk.num_read after the consumer has read and discarded a message */
#define DOCA_PRIV_COMCH_DISCARDED UINT64_MAX

enum {
    DOCA_PRIV_COMCH_CLAIMED,
    DOCA_PRIV_COMCH_SKIPPED,
    DOCA_PRIV_COMCH_FILLED,
    DOCA_PRIV_COMCH_CLOSED,
    DOCA_PRIV_COMCH_DELIVERED
};

#define DOCA_PRIV_COMCH_TURN(ticket, what) (8u * (ticket) + (what))

struct doca_priv_comch_slot {
    uint32_t turn;
    uint16_t imm_len;
    uint16_t is_refused; /* the message does not fit; its bytes were not written */
    uint64_t len;
    uint32_t producer_id;
    uint32_t unused[3];
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
    uint32_t imm_len; /* maximum length of immediate data in bytes */
    uint32_t unused[11];

    uint32_t num_posted; /* posted buffers; the consumer writes it for each of them */
    uint32_t num_done;   /* tickets that have ended: their slots and chunks are free */
    uint32_t unused_too[14];

    uint32_t consumer_sleeps; /* the consumer sleeps until wake_fd is signalled */
    uint32_t is_closed;       /* read for each message, like consumer_sleeps; rarely written */
    uint32_t unused_as_well[14];

    uint32_t producers_sleep; /* number of producers that sleep until room_fd is signalled */
    uint32_t unused_at_last[15];
};

/* A mapped ring and its descriptors, on either side. The arrays follow the ring in its memory. */
struct doca_priv_comch_lane {
    struct doca_priv_comch_ring *ring; /* NULL: not mapped */
    uint64_t *capacities;              /* free bytes of the posted buffer of each slot */
    uint32_t *claims;                  /* claim of each slot */
    struct doca_priv_comch_slot *slots;
    struct doca_priv_comch_chunk *chunks;
    size_t bytes;
    int memory_fd;
    int wake_fd; /* eventfds: the first wakes the consumer, the second the producers */
    int room_fd;
    uint32_t num_slots; /* checked copies of the ring's numbers */
    uint32_t num_chunks;
    uint32_t imm_len;
    uint32_t id;          /* id of the consumer */
    uint32_t is_live;     /* 0: the consumer or the connection has ended */
    /* Producers' side: all tickets before this one are claimed or skipped. Another thread may have
     * claimed this ticket and later ones, too. */
    uint32_t num_tickets;
    uint32_t num_posted;  /* producers' side: ring.num_posted as last read */
    uint32_t num_done;    /* producers' side: ring.num_done as last read */
    /* Producers' side: a bit for each chunk whose streamed message has not completed on this side.
     * The consumer may have finished with such a chunk, but the producer must still read num_read,
     * to learn whether the consumer read all of the message. */
    uint32_t busy_chunks;
    /* Producers' side: number of waiting tasks and of producers that use the lane. This is the last
     * member, because other threads change it at any time: code that clears the lane must stop
     * before it. */
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
    return &lane->slots[ticket & (lane->num_slots - 1)];
}

DOCA_PRIV_HOT struct doca_priv_comch_chunk *
doca_priv_comch_chunk_of(const struct doca_priv_comch_lane *lane, uint32_t ticket)
{
    return &lane->chunks[ticket & (lane->num_chunks - 1)];
}

/* Copy a message. Most short messages have the maximum length; the copy of a constant number of
 * bytes needs no call. */
DOCA_PRIV_HOT void doca_priv_comch_copy(void *to, const void *from, size_t len)
{
    if (len == DOCA_PRIV_COMCH_SHORT)
        DOCA_CORE_MEMCPY(to, from, DOCA_PRIV_COMCH_SHORT);
    else
        DOCA_CORE_MEMCPY(to, from, len);
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

/* Set the claim of a ticket to CLAIMED, SKIPPED or CLOSED, unless it has a state already. */
DOCA_PRIV_HOT bool doca_priv_comch_claim_as(const struct doca_priv_comch_lane *lane,
                                            uint32_t ticket, uint32_t what)
{
    uint32_t *claim = &lane->claims[ticket & (lane->num_slots - 1)];
    const uint32_t was = DOCA_PRIV_LOAD(claim);

    return (int32_t)(was - DOCA_PRIV_COMCH_TURN(ticket, 0)) < 0 &&
           doca_priv_comch_swap(claim, was, DOCA_PRIV_COMCH_TURN(ticket, what));
}

/* Change the claim of a ticket from CLAIMED to CLOSED or DELIVERED. Returns false when the claim is
 * not CLAIMED. */
DOCA_PRIV_HOT bool doca_priv_comch_settle_claim(const struct doca_priv_comch_lane *lane,
                                                uint32_t ticket, uint32_t what)
{
    return doca_priv_comch_swap(&lane->claims[ticket & (lane->num_slots - 1)],
                                DOCA_PRIV_COMCH_TURN(ticket, DOCA_PRIV_COMCH_CLAIMED),
                                DOCA_PRIV_COMCH_TURN(ticket, what));
}

/* Producers' side: return how many buffers the consumer has posted for a ticket and later ones;
 * 0 or less: none. */
DOCA_PRIV_HOT int32_t doca_priv_comch_credit(struct doca_priv_comch_lane *lane, uint32_t ticket)
{
    uint32_t posted = DOCA_PRIV_LOAD(&lane->num_posted);

    if ((int32_t)(posted - ticket) <= 0) {
        posted = DOCA_PRIV_LOAD(&lane->ring->num_posted);
        DOCA_PRIV_STORE(&lane->num_posted, posted);
    }
    return (int32_t)(posted - ticket);
}

/* Producers' side: claim the first ticket that no producer has, for a message of `len` bytes.
 * Returns AGAIN when all posted buffers are taken, and CONNECTION_RESET when the consumer has
 * stopped or wrote an invalid number. num_tickets is only the ticket where the search begins:
 * another thread may have taken this ticket and later ones. The claim of a ticket's slot then has
 * this ticket or a later one, and the ticket one lap before a later one has ended with all tickets
 * before it. The number of attempts is bounded, because a hostile consumer could change the claims
 * endlessly. */
DOCA_PRIV_HOT doca_error_t doca_priv_comch_claim(struct doca_priv_comch_lane *lane, uint64_t len,
                                                 uint32_t *ticket)
{
    const uint32_t num_slots = lane->num_slots;
    uint32_t next = DOCA_PRIV_LOAD(&lane->num_tickets), *claim, was, ahead, i;
    struct doca_priv_comch_slot *slot;
    int32_t credit;

    for (i = 0; i < 2 * num_slots + 2; i++) {
        claim = &lane->claims[next & (num_slots - 1)];
        was = DOCA_PRIV_LOAD(claim);
        ahead = was - DOCA_PRIV_COMCH_TURN(next, 0);
        if (doca_likely((int32_t)ahead < 0)) {
            credit = doca_priv_comch_credit(lane, next);
            if (credit <= 0)
                return DOCA_ERROR_AGAIN;
            /* The lines of the slot are in the cache of the consumer. Request both at once. */
            slot = &lane->slots[next & (num_slots - 1)];
            if (doca_likely(len <= DOCA_PRIV_COMCH_SHORT))
                DOCA_PRIV_PREFETCH_WRITE(slot->bytes);
            DOCA_PRIV_PREFETCH_WRITE(slot);
            if (doca_likely(doca_priv_comch_swap(
                    claim, was, DOCA_PRIV_COMCH_TURN(next, DOCA_PRIV_COMCH_CLAIMED)))) {
                DOCA_PRIV_STORE(&lane->num_tickets, next + 1);
                *ticket = next;
                /* ThreadSanitizer cannot see that the last writer of the slot came earlier, because
                 * a consumer in the same process has mapped the ring at another address. */
                if (DOCA_PRIV_HAS_TSAN)
                    (void)DOCA_PRIV_LOAD(&slot->turn);
                /* No other thread had the ticket, so no later lap can have begun, and more credit
                 * than slots is an invalid number of the consumer. */
                return doca_likely((uint32_t)credit <= num_slots) ? DOCA_SUCCESS
                                                                  : DOCA_ERROR_CONNECTION_RESET;
            }
        } else {
            next += ahead / 8 > num_slots ? ahead / 8 - num_slots + 1 : 1;
        }
        if (DOCA_PRIV_LOAD(&lane->ring->is_closed) != 0)
            return DOCA_ERROR_CONNECTION_RESET;
    }
    return DOCA_ERROR_AGAIN;
}

#endif
