/* Operands of x86-64 instructions. */
#ifndef MLX5SIM_PROGRAM_OPERAND_H
#define MLX5SIM_PROGRAM_OPERAND_H

#if defined(__x86_64__)

/* Index in `gregs` of a signal's context, by the number of a general register. */
extern const int operand_register[16];

/* Returns the number of bytes of ModRM, SIB and displacement of a memory operand; 0 for a register
 * operand. */
unsigned operand_length(const unsigned char *modrm);

#endif

#endif
