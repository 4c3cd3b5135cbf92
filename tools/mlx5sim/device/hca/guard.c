/* Check values of blocks of data. */
#include "device/hca/guard.h"

#include <endian.h>
#include <stdbool.h>

/* `poly` of a CRC that takes the last bit of a byte first is reversed. */
struct crc {
    unsigned width;
    bool last_bit_first;
    uint64_t poly;
    bool is_ready;
    uint64_t table[256];
};

static struct crc crcs[] = {
    [GUARD_T10] = { .width = 16, .poly = 0x8bb7 },
    [GUARD_CRC32] = { .width = 32, .poly = 0x04c11db7 },
    [GUARD_CRC32C] = { .width = 32, .last_bit_first = true, .poly = 0x82f63b78 },
    [GUARD_CRC64] = { .width = 64, .last_bit_first = true, .poly = 0x9a6c9329ac4bc9b5 },
};

/* Computes what each value of a byte changes in the register. */
static void prepare(struct crc *crc)
{
    uint64_t top = 1ull << (crc->width - 1);

    for (unsigned byte = 0; byte < 256; byte++) {
        uint64_t reg = crc->last_bit_first ? byte : (uint64_t)byte << (crc->width - 8);

        for (unsigned bit = 0; bit < 8; bit++) {
            if (crc->last_bit_first)
                reg = reg >> 1 ^ (reg & 1 ? crc->poly : 0);
            else
                reg = reg << 1 ^ (reg & top ? crc->poly : 0);
        }
        crc->table[byte] = reg;
    }
    crc->is_ready = true;
}

static uint64_t run(struct crc *crc, uint64_t reg, const uint8_t *data, size_t len)
{
    unsigned shift = crc->width - 8;

    if (!crc->is_ready)
        prepare(crc);
    for (size_t i = 0; i < len; i++) {
        if (crc->last_bit_first)
            reg = reg >> 8 ^ crc->table[(reg ^ data[i]) & 0xff];
        else
            reg = reg << 8 ^ crc->table[(reg >> shift ^ data[i]) & 0xff];
    }
    return crc->width == 64 ? reg : reg & ((1ull << crc->width) - 1);
}

static uint64_t ip_checksum(uint64_t sum, const uint8_t *data, size_t len)
{
    for (size_t i = 0; i < len; i++)
        sum += i % 2 ? data[i] : (uint64_t)data[i] << 8;
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return ~sum & 0xffff;
}

uint64_t guard_of(enum guard_kind kind, uint64_t seed, const uint8_t *data, size_t len)
{
    switch (kind) {
    case GUARD_IP: return ip_checksum(seed & 0xffff, data, len);
    case GUARD_T10: return run(&crcs[kind], seed & 0xffff, data, len);
    case GUARD_CRC32: return ~run(&crcs[kind], ~seed, data, len) & UINT32_MAX;
    case GUARD_CRC32C:
        return htobe32((uint32_t)htole64(~run(&crcs[kind], ~seed & UINT32_MAX, data, len)));
    case GUARD_CRC64: return htobe64(htole64(~run(&crcs[kind], ~seed, data, len)));
    default: return 0;
    }
}
