/* Operands of x86-64 instructions. */
#define _GNU_SOURCE
#include "program/operand.h"

#include <ucontext.h>

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

#endif
