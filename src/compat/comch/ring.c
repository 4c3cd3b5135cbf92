/* ---- >>impl.comch.ring ----------------------------------------------------------------------
 * The memory of rings: an anonymous file of fixed size. The consumer's process creates the file and
 * sends its descriptor to the process of the producers.                                         */
#include "compat/comch/ring_priv.h"

#include "base/compiler.h"
#include "base/platform_priv.h"
#include "base/share_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/log_priv.h"
#include "compat/local/memory_priv.h"
#include "compat/local/platform_priv.h"

#define DOCA_PRIV_COMCH_MAGIC 0x33676e69726d6364u /* must change when the layout changes */

DOCA_PRIV_ASSERT_STATIC(comch_slots_are_two_lines, sizeof(struct doca_priv_comch_slot) == 128);
DOCA_PRIV_ASSERT_STATIC(comch_rings_are_four_lines, sizeof(struct doca_priv_comch_ring) == 256);
DOCA_PRIV_ASSERT_STATIC(comch_chunk_heads_are_a_line,
                        sizeof(struct doca_priv_comch_chunk) == 64 + DOCA_PRIV_COMCH_CHUNK);

/* Bytes of an array, rounded up to whole cache lines. */
static size_t doca_priv_comch_array_bytes(uint32_t num, size_t each)
{
    return (num * each + DOCA_CORE_LINE - 1) / DOCA_CORE_LINE * DOCA_CORE_LINE;
}

static size_t doca_priv_comch_ring_bytes(uint32_t num_slots, uint32_t num_chunks)
{
    return sizeof(struct doca_priv_comch_ring) +
           doca_priv_comch_array_bytes(num_slots, sizeof(uint64_t)) +
           doca_priv_comch_array_bytes(num_slots, sizeof(uint32_t)) +
           num_slots * sizeof(struct doca_priv_comch_slot) +
           num_chunks * sizeof(struct doca_priv_comch_chunk);
}

static bool doca_priv_comch_lane_map(struct doca_priv_comch_lane *lane, int fd, size_t bytes)
{
    lane->ring = (struct doca_priv_comch_ring *)doca_priv_local_map(fd, bytes);
    lane->bytes = bytes;
    return lane->ring != NULL;
}

/* Set the addresses of the arrays of a mapped ring. num_slots must be set. */
static void doca_priv_comch_lane_lay_out(struct doca_priv_comch_lane *lane)
{
    uintptr_t at = (uintptr_t)lane->ring + sizeof(*lane->ring);

    lane->capacities = (uint64_t *)(void *)at;
    at += doca_priv_comch_array_bytes(lane->num_slots, sizeof(*lane->capacities));
    lane->claims = (uint32_t *)(void *)at;
    at += doca_priv_comch_array_bytes(lane->num_slots, sizeof(*lane->claims));
    lane->slots = (struct doca_priv_comch_slot *)(void *)at;
    lane->chunks = (struct doca_priv_comch_chunk *)(void *)(lane->slots + lane->num_slots);
}

/* Create the ring of a consumer that posts up to `num_tasks` buffers. */
DOCA_PRIV_DECL bool doca_priv_comch_lane_create(struct doca_priv_comch_lane *lane,
                                                uint32_t num_tasks, uint32_t imm_len,
                                                struct doca_core_refusal *why)
{
    uint32_t num_slots = 1, i;
    size_t bytes;

    while (num_slots < num_tasks)
        num_slots *= 2;
    lane->num_slots = num_slots;
    lane->num_chunks =
        num_slots < DOCA_PRIV_COMCH_MAX_CHUNKS ? num_slots : DOCA_PRIV_COMCH_MAX_CHUNKS;
    lane->imm_len = imm_len;
    lane->wake_fd = doca_priv_sys_event_open();
    lane->room_fd = doca_priv_sys_event_open();
    bytes = doca_priv_comch_ring_bytes(lane->num_slots, lane->num_chunks);
    lane->memory_fd = doca_priv_local_file("doca_core_comch", bytes);
    if (lane->wake_fd < 0 || lane->room_fd < 0 || lane->memory_fd < 0 ||
        !doca_priv_comch_lane_map(lane, lane->memory_fd, bytes)) {
        why->step = DOCA_PRIV_LOG_TEXT("make the shared memory of the consumer");
        why->error = errno;
        doca_priv_comch_lane_close(lane);
        return false;
    }
    lane->ring->magic = DOCA_PRIV_COMCH_MAGIC;
    lane->ring->num_slots = lane->num_slots;
    lane->ring->num_chunks = lane->num_chunks;
    lane->ring->imm_len = imm_len;
    doca_priv_comch_lane_lay_out(lane);
    for (i = 0; i < num_slots; i++) { /* the same state as after the use of all earlier tickets */
        lane->claims[i] = DOCA_PRIV_COMCH_TURN(i - num_slots, DOCA_PRIV_COMCH_CLAIMED);
        lane->slots[i].turn = DOCA_PRIV_COMCH_TURN(i - num_slots, DOCA_PRIV_COMCH_FILLED);
    }
    lane->is_live = 1;
    return true;
}

/* True when a number that the peer chose is a power of two from 1 to `max`. */
static bool doca_priv_comch_is_size(uint32_t n, uint32_t max)
{
    return n != 0 && n <= max && (n & (n - 1)) == 0;
}

/* Map the ring of a consumer of the peer. `fds` are the descriptors of the peer's packet; they
 * belong to the lane afterwards, even if the ring is refused. */
DOCA_PRIV_DECL bool doca_priv_comch_lane_import(struct doca_priv_comch_lane *lane, const int *fds,
                                                uint32_t id)
{
    const size_t bytes = doca_priv_local_file_bytes(fds[0]);
    struct doca_priv_comch_ring head;

    DOCA_CORE_MEMSET(lane, 0, offsetof(struct doca_priv_comch_lane, num_users));
    lane->memory_fd = fds[0];
    lane->wake_fd = fds[1];
    lane->room_fd = fds[2];
    lane->id = id;
    if (bytes >= sizeof(head) && doca_priv_local_is_event(fds[1]) &&
        doca_priv_local_is_event(fds[2]) && doca_priv_comch_lane_map(lane, fds[0], bytes)) {
        DOCA_CORE_MEMCPY(&head, lane->ring, sizeof(head));
        lane->num_slots = head.num_slots;
        lane->num_chunks = head.num_chunks;
        lane->imm_len = head.imm_len;
        if (head.magic == DOCA_PRIV_COMCH_MAGIC &&
            doca_priv_comch_is_size(head.num_slots, DOCA_CORE_COMCH_MAX_TASKS) &&
            doca_priv_comch_is_size(head.num_chunks, DOCA_PRIV_COMCH_MAX_CHUNKS) &&
            head.imm_len <= DOCA_CORE_COMCH_MAX_IMM &&
            lane->bytes == doca_priv_comch_ring_bytes(head.num_slots, head.num_chunks)) {
            doca_priv_comch_lane_lay_out(lane);
            DOCA_PRIV_STORE(&lane->is_live, 1u);
            return true;
        }
    }
    doca_priv_comch_lane_close(lane);
    return false;
}

/* Unmap a ring and close its descriptors. */
DOCA_PRIV_DECL void doca_priv_comch_lane_close(struct doca_priv_comch_lane *lane)
{
    if (lane->ring != NULL)
        doca_priv_local_unmap(lane->ring, lane->bytes);
    doca_priv_sys_close(lane->memory_fd);
    doca_priv_sys_close(lane->wake_fd);
    doca_priv_sys_close(lane->room_fd);
    DOCA_CORE_MEMSET(lane, 0, offsetof(struct doca_priv_comch_lane, num_users));
    lane->memory_fd = -1;
    lane->wake_fd = -1;
    lane->room_fd = -1;
}
