/* Descriptors that lie: a true one with changes that the input chooses. */
#ifndef FORGE_H
#define FORGE_H

#include "fuzz.h"

enum { FORGE_RAW = 1, FORGE_SEALED = 2, FORGE_CUT = 4, FORGE_BYTES = 1024 };

struct forge {
    unsigned char bytes[FORGE_BYTES];
    size_t len;
    unsigned flags;
};

/* Change `width` bytes somewhere in the first `len`: to a value, by one, or in some bits. */
static inline void forge_edit(struct forge *f, size_t len)
{
    static const unsigned char widths[4] = { 1, 2, 4, 8 };
    size_t at = fuzz_below((uint32_t)len);
    unsigned how = fuzz_byte(), width = widths[how % 4], i;
    uint64_t value = 0, operand;

    if (width > len - at)
        width = (unsigned)(len - at);
    for (i = 0; i < width; i++)
        value |= (uint64_t)f->bytes[at + i] << 8 * i;
    operand = fuzz_number(width);
    value = how / 4 % 3 == 0 ? operand : how / 4 % 3 == 1 ? value + operand : value ^ operand;
    for (i = 0; i < width; i++)
        f->bytes[at + i] = (unsigned char)(value >> 8 * i);
}

/* Replace the process number in a forged descriptor by this process's or by that of no process, so
 * that the test looks into no other process of the machine. */
static inline void forge_tame(struct doca_priv_export *head, uint32_t own)
{
    static const uint32_t nobody[] = { 0, UINT32_MAX, INT32_MAX, (uint32_t)INT32_MIN };

    if (head->pid != own)
        head->pid = nobody[head->pid % 4];
}

/* Make one of the true descriptor `desc`; its checksum is made right afterwards, if the input says
 * so (forge_is()), because other kinds have more than one. */
static inline void forge_begin(struct forge *f, const void *desc, size_t len)
{
    f->flags = fuzz_byte();
    f->len = len;
    memset(f->bytes, 0, sizeof(f->bytes));
    if ((f->flags & FORGE_RAW) != 0) {
        f->len = fuzz_left < FORGE_BYTES ? fuzz_left : FORGE_BYTES;
        memcpy(f->bytes, fuzz_input, f->len);
        return;
    }
    memcpy(f->bytes, desc, len);
    if ((f->flags & FORGE_CUT) != 0)
        f->len = fuzz_below(FORGE_BYTES);
    while (fuzz_left > 0)
        forge_edit(f, len);
}

static inline bool forge_is_sealed(const struct forge *f, size_t bytes)
{
    struct doca_priv_export head;
    unsigned char copy[FORGE_BYTES];

    if (f->len != bytes)
        return false;
    memcpy(copy, f->bytes, bytes);
    memcpy(&head, copy, sizeof(head));
    memset(copy + offsetof(struct doca_priv_export, crc), 0, sizeof(head.crc));
    return head.crc == share_crc(copy, bytes);
}

static inline void forge_seal(struct forge *f, size_t at, size_t bytes)
{
    uint32_t crc = 0;

    memcpy(f->bytes + at + offsetof(struct doca_priv_export, crc), &crc, sizeof(crc));
    crc = share_crc(f->bytes + at, bytes);
    memcpy(f->bytes + at + offsetof(struct doca_priv_export, crc), &crc, sizeof(crc));
}

#endif
