/* Forged descriptors: valid descriptors with changes that the input chooses. */
#ifndef FORGE_H
#define FORGE_H

#include "fuzz.h"

enum { FORGE_RAW = 1, FORGE_SEALED = 2, FORGE_CUT = 4, FORGE_BYTES = 1024 };

struct forge {
    unsigned char bytes[FORGE_BYTES];
    size_t len;
    unsigned flags;
};

/* Change 1, 2, 4 or 8 of the first `len` bytes: replace them, add a number, or flip bits. */
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

/* If a forged descriptor has another process id than `own`, replace it by an id that no process
 * has, so that the library accesses no other process of the machine. */
static inline void forge_limit_pid(struct doca_priv_export *head, uint32_t own)
{
    static const uint32_t unused_pids[] = { 0, UINT32_MAX, INT32_MAX, (uint32_t)INT32_MIN };

    if (head->pid != own)
        head->pid = unused_pids[head->pid % 4];
}

/* Forge a copy of the valid descriptor `desc`. If f->flags has FORGE_SEALED, the caller then
 * computes its checksums with forge_seal(): some kinds of descriptors have two. */
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

/* True if the descriptor has this length and a correct checksum. */
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

/* Compute the checksum of the descriptor of `bytes` bytes at offset `at`. */
static inline void forge_seal(struct forge *f, size_t at, size_t bytes)
{
    uint32_t crc = 0;

    memcpy(f->bytes + at + offsetof(struct doca_priv_export, crc), &crc, sizeof(crc));
    crc = share_crc(f->bytes + at, bytes);
    memcpy(f->bytes + at + offsetof(struct doca_priv_export, crc), &crc, sizeof(crc));
}

#endif
