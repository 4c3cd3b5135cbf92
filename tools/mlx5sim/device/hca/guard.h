/* Check values of blocks of data: the guards of T10-DIF, and CRCs. */
#ifndef MLX5SIM_HCA_GUARD_H
#define MLX5SIM_HCA_GUARD_H

#include <stddef.h>
#include <stdint.h>

enum guard_kind {
    GUARD_NONE,
    GUARD_T10,                  /* CRC of T10-DIF, 16 bits */
    GUARD_IP,                   /* checksum of IP in the guard of T10-DIF, 16 bits */
    GUARD_CRC32,                /* the CRC of Fibre Channel and Ethernet, first bit first */
    GUARD_CRC32C,               /* the CRC of iSCSI */
    GUARD_CRC64                 /* the CRC of XP10 */
};

/* Returns the check value of a block as it stands in memory, read as a big-endian number. A seed of
 * T10-DIF is the initial value of the register. A seed of the other CRCs is a check value: that of
 * the data before the block. 0 therefore starts a CRC. */
uint64_t guard_of(enum guard_kind kind, uint64_t seed, const uint8_t *data, size_t len);

#endif
