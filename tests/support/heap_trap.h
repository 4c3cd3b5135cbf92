/* Notice every call of the malloc family in this program: count it, or end the program by name.
 * Linked into every test and into the demo. glibc only; elsewhere heap_trap_works() is false. */
#ifndef HEAP_TRAP_H
#define HEAP_TRAP_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum heap_trap_mode { HEAP_TRAP_OFF, HEAP_TRAP_COUNT, HEAP_TRAP_ABORT };

/* Set what a heap call of this thread does from now on; give what it did before. */
enum heap_trap_mode heap_trap_set(enum heap_trap_mode mode);

/* Heap calls of this thread in the modes COUNT and ABORT so far. */
unsigned long heap_trap_calls(void);

/* Of these calls, the number of blocks that were allocated and not freed. */
long heap_trap_held(void);

/* False where the C library gives no way to notice. */
bool heap_trap_works(void);

#ifdef __cplusplus
}
#endif

#endif
