/* Decoding of the instructions that compilers use for doorbells. x86-64 only. */
#ifndef MLX5SIM_PROGRAM_STORE_H
#define MLX5SIM_PROGRAM_STORE_H

#include <stdbool.h>
#include <ucontext.h>

struct store {
    unsigned char data[16];
    unsigned bytes;             /* bytes stored: 4, 8 or 16 */
    unsigned length;            /* bytes of the instruction */
};

/* Decodes the store instruction at which a thread was stopped. False when compilers do not use this
 * instruction for doorbells. */
bool store_decode(const ucontext_t *uc, struct store *out);

/* A move of eight bytes between memory and a general register. */
struct move {
    bool is_store;
    unsigned char *addr;
    greg_t *reg;
    unsigned length;            /* bytes of the instruction */
};

/* Decodes the instruction at which a thread was stopped. False when it is no such move. */
bool move_decode(ucontext_t *uc, struct move *out);

#endif
