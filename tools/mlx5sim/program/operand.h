/* Operands of x86-64 instructions. */
#ifndef MLX5SIM_PROGRAM_OPERAND_H
#define MLX5SIM_PROGRAM_OPERAND_H

#include <stdint.h>
#include <ucontext.h>

#if defined(__x86_64__)

/* Index in `gregs` of a signal's context, by the number of a general register. */
extern const int operand_register[16];

/* Returns the number of bytes of ModRM, SIB and displacement of a memory operand; 0 for a register
 * operand. */
unsigned operand_length(const unsigned char *modrm);

/* Returns the address of a memory operand. `rex` is the REX prefix of the instruction, or 0, and
 * `end` is the address of the next instruction. A segment prefix is not supported. */
uint64_t operand_address(const ucontext_t *uc, const unsigned char *modrm, unsigned rex,
                         const unsigned char *end);

#endif

#endif
