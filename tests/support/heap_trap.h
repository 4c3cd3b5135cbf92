/* Catch every call of malloc() and its relatives in this program: count it, or end the program with
 * a message that names the function. Linked into every test and into the demo. It needs glibc or a
 * sanitizer; elsewhere heap_trap_works() returns false. */
#ifndef HEAP_TRAP_H
#define HEAP_TRAP_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum heap_trap_mode { HEAP_TRAP_OFF, HEAP_TRAP_COUNT, HEAP_TRAP_ABORT };

/* Set what a heap call of this thread does. Return the previous mode. */
enum heap_trap_mode heap_trap_set(enum heap_trap_mode mode);

/* Return the number of heap calls that this thread has made in the modes COUNT and ABORT. */
unsigned long heap_trap_calls(void);

/* Return the number of blocks that these calls have allocated and not yet freed. */
long heap_trap_held(void);

/* Return false when heap calls cannot be caught with this C library. */
bool heap_trap_works(void);

#ifdef __cplusplus
}
#endif

#endif
