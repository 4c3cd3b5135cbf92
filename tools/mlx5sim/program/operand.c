/* Operands of x86-64 instructions. */
#define _GNU_SOURCE
#include "program/operand.h"

#include <string.h>

#if defined(__x86_64__)

const int operand_register[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI,
                                  REG_RDI, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13,
                                  REG_R14, REG_R15};

unsigned operand_length(const unsigned char *modrm)
{
    unsigned mod = modrm[0] >> 6, rm = modrm[0] & 7, n = 1;

    if (mod == 3)
        return 0;
    if (rm == 4) {
        n++;
        if (mod == 0 && (modrm[1] & 7) == 5)
            n += 4;
    } else if (mod == 0 && rm == 5) {
        n += 4;
    }
    return n + (mod == 1 ? 1 : mod == 2 ? 4 : 0);
}

uint64_t operand_address(const ucontext_t *uc, const unsigned char *modrm, unsigned rex,
                         const unsigned char *end)
{
    const greg_t *gregs = uc->uc_mcontext.gregs;
    unsigned mod = modrm[0] >> 6, base = modrm[0] & 7, index = 4, scale = 0;
    const unsigned char *displacement = modrm + 1;
    int32_t word = 0;
    uint64_t addr;

    if (base == 4) {
        base = modrm[1] & 7;
        index = ((modrm[1] >> 3) & 7) | (rex & 2) << 2;
        scale = modrm[1] >> 6;
        displacement++;
    } else if (mod == 0 && base == 5) {
        memcpy(&word, displacement, 4);
        return (uint64_t)(uintptr_t)end + (uint64_t)word;
    }
    if (mod == 2 || (mod == 0 && base == 5))
        memcpy(&word, displacement, 4);
    else if (mod == 1)
        word = (signed char)*displacement;
    addr = (uint64_t)word;
    if (mod != 0 || base != 5)
        addr += (uint64_t)gregs[operand_register[base | (rex & 1) << 3]];
    if (index != 4)                     /* number 4 stands for no index */
        addr += (uint64_t)gregs[operand_register[index]] << scale;
    return addr;
}

#endif
