/*
 * Memory of the device for software-managed steering (SW ICM): programs write steering entries and
 * lists of header changes into it. Each function has a memory of each kind. Entries name memory,
 * and everything else that a packet can reach, by addresses of 40 bits.
 */
#ifndef MLX5SIM_HCA_ICM_H
#define MLX5SIM_HCA_ICM_H

#include "device/hca/object.h"
#include "device/machine/space.h"

enum icm_kind { ICM_STEERING, ICM_MODIFY, ICM_KINDS };

enum {                          /* bytes of a memory; assumed */
    ICM_LOG_STEERING = 26, ICM_LOG_MODIFY = 20,
    ICM_LOG_GRANULE = 12        /* a piece of a memory has at least so many bytes */
};

/* Addresses; all values are assumed. The address of an object has the object's number above the low
 * six bits, because entries name places of 64 bytes. */
#define ICM_AT_STEERING 0x0100000000ull
#define ICM_AT_MODIFY   0x0200000000ull
#define ICM_AT_TIR      0x8000000000ull
#define ICM_AT_QP       0x9000000000ull
#define ICM_AT_DROP     0xa000000000ull
#define ICM_AT_ALLOW    0xb000000000ull
#define ICM_AT_TABLE    0xc000000000ull
#define ICM_AT_SAMPLER  0xd000000000ull
#define ICM_AT_METER    0xe000000000ull

struct hca_icm {
    struct hca_object object;
    enum icm_kind kind;
    struct sim_space *space;    /* the whole memory */
    uint64_t offset, len;       /* of this piece */
};

/* Allocates a piece, filled with zeros. The length becomes a power of two of at least a granule and
 * at least 2^log_align, and the piece starts at a multiple of its length. Returns 0, EINVAL for
 * length 0, or ENOMEM. The cost does not depend on the number of pieces. */
int hca_icm_create(struct sim_client *client, enum icm_kind kind, uint64_t len, unsigned log_align,
                   struct hca_object **out);
uint64_t hca_icm_address(const struct hca_icm *icm);

/* Returns where `len` bytes from this address are, or NULL when the function has no such memory. */
const uint8_t *icm_at(const struct sim_function *function, enum icm_kind kind, uint64_t address,
                      uint64_t len);

/* Returns the address of a TIR, a QP, a flow table, a sampler or a meter. */
uint64_t icm_address_of(const struct hca_object *object);
/* Returns the object that has this address, or NULL. */
struct hca_object *icm_object_at(uint64_t address);

#endif
