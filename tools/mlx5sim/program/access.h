/* Accesses of programs to operation addresses of device memory: decodes the instruction at which a
 * thread was stopped, and completes it when the device has executed the operation. x86-64 only. */
#ifndef MLX5SIM_PROGRAM_ACCESS_H
#define MLX5SIM_PROGRAM_ACCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* What an instruction does with the value that it loads: it moves the value to a register, or it
 * compares the value with an operand and sets the flags. */
enum access_use {
    ACCESS_MOVE, ACCESS_MOVE_SIGNED, ACCESS_COMPARE, ACCESS_COMPARE_REVERSED, ACCESS_TEST
};

struct access {
    bool is_store;
    unsigned bytes;             /* bytes of memory: 1, 2, 4 or 8 */
    unsigned length;            /* bytes of the instruction */
    uint64_t value;             /* the value to store, or the operand to compare with */
    enum access_use use;
    unsigned target;            /* number of the register that a move loads */
    unsigned target_bytes;      /* bytes of this register that the move writes */
    bool has_rex;               /* without REX, the bytes 4 to 7 are AH, CH, DH, BH */
};

/* Decodes the load or store at which a thread was stopped. False for an instruction that is no
 * plain move, comparison or test. */
bool access_decode(const ucontext_t *uc, struct access *out);

/* Completes the instruction: `value` is the loaded value. The thread continues behind it. */
void access_complete(ucontext_t *uc, const struct access *access, uint64_t value);

#endif
