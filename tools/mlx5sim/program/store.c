/* Decodes store instructions: moves of 4, 8 and 16 bytes from registers, and of immediates. Decodes
 * the moves of a copy of eight bytes at a time. */
#define _GNU_SOURCE
#include "program/store.h"
#include "program/operand.h"

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)

/* True when 0F `op` with mandatory prefix `prefix` is a plain 16-byte store of an XMM register. */
static bool is_vector_store(unsigned prefix, unsigned op)
{
    switch (op) {
    case 0x11:                                          /* movups, movupd */
    case 0x29:                                          /* movaps, movapd */
    case 0x2b:                                          /* movntps, movntpd */
        return prefix == 0 || prefix == 0x66;
    case 0x7f:                                          /* movdqa, movdqu */
        return prefix == 0x66 || prefix == 0xf3;
    case 0xe7:                                          /* movntdq */
        return prefix == 0x66;
    default:
        return false;
    }
}

static bool decode_0f(const ucontext_t *uc, const unsigned char *p, unsigned prefix, unsigned rex,
                      struct store *out)
{
    unsigned op = p[0], reg = ((p[1] >> 3) & 7) | ((rex & 4) << 1), n = operand_length(p + 1);

    if (n == 0)
        return false;
    out->length = 1 + n;
    if (op == 0xc3 && prefix == 0) {                    /* movnti */
        out->bytes = (rex & 8) != 0 ? 8 : 4;
        memcpy(out->data, &uc->uc_mcontext.gregs[operand_register[reg]], 8);
        return true;
    }
    if (uc->uc_mcontext.fpregs == NULL)
        return false;
    memcpy(out->data, &uc->uc_mcontext.fpregs->_xmm[reg], 16);
    if (op == 0xd6 && prefix == 0x66) {                 /* movq */
        out->bytes = 8;
        return true;
    }
    out->bytes = 16;
    return is_vector_store(prefix, op);
}

bool store_decode(const ucontext_t *uc, struct store *out)
{
    const unsigned char *start = (const unsigned char *)uc->uc_mcontext.gregs[REG_RIP], *p = start;
    unsigned prefix = 0, rex = 0, reg, n;

    if (*p == 0x66 || *p == 0xf3 || *p == 0xf2)
        prefix = *p++;
    if ((*p & 0xf0) == 0x40)
        rex = *p++;
    if (*p == 0x0f) {
        if (!decode_0f(uc, p + 1, prefix, rex, out))
            return false;
        out->length += (unsigned)(p + 1 - start);
        return true;
    }
    n = operand_length(p + 1);
    if (prefix != 0 || n == 0)
        return false;
    out->bytes = (rex & 8) != 0 ? 8 : 4;
    out->length = (unsigned)(p + 1 - start) + n;
    if (*p == 0x89) {                                   /* mov from a register */
        reg = ((p[1] >> 3) & 7) | ((rex & 4) << 1);
        memcpy(out->data, &uc->uc_mcontext.gregs[operand_register[reg]], 8);
        return true;
    }
    if (*p == 0xc7 && ((p[1] >> 3) & 7) == 0) {         /* mov of an immediate */
        int32_t low;
        int64_t value;

        memcpy(&low, p + 1 + n, 4);
        value = low;
        memcpy(out->data, &value, 8);
        out->length += 4;
        return true;
    }
    return false;
}

bool move_decode(ucontext_t *uc, struct move *out)
{
    const unsigned char *start = (const unsigned char *)uc->uc_mcontext.gregs[REG_RIP];
    const unsigned char *modrm = start + 2;
    unsigned rex = start[0], n = operand_length(modrm);

    if ((rex & 0xf8) != 0x48 || (start[1] != 0x89 && start[1] != 0x8b) || n == 0)
        return false;
    out->is_store = start[1] == 0x89;
    out->addr = (unsigned char *)(uintptr_t)operand_address(uc, modrm, rex, modrm + n);
    out->reg = &uc->uc_mcontext.gregs[operand_register[((*modrm >> 3) & 7) | (rex & 4) << 1]];
    out->length = 2 + n;
    return true;
}

#else

bool store_decode(const ucontext_t *uc, struct store *out)
{
    (void)uc;
    (void)out;
    return false;
}

#endif
