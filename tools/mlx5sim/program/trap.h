/* Traps accesses to watched pages: stores to doorbell pages are reported to the device process,
 * reads of the clock page get the current time, and the device process executes the operations of
 * device memory. */
#ifndef MLX5SIM_PROGRAM_TRAP_H
#define MLX5SIM_PROGRAM_TRAP_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Watches the UAR pages mapped read-only at [addr, addr + len). `alias` is a writable mapping of
 * the same memory. Returns 0 or an errno. */
int trap_add(void *addr, size_t len, void *alias, uint32_t function, uint32_t page);

/* Watches the page of the core clock at `addr`: each read of it gets the current time. Returns 0
 * or an errno. */
int trap_add_clock(void *addr, size_t len, void *alias);

/* Watches the addresses of an operation of device memory, which are mapped without any access.
 * `number` is the device's number of the operation. Returns 0 or an errno. */
int trap_add_operation(void *addr, size_t len, uint32_t number);

/* Stops watching a range. Called before the program unmaps it. */
void trap_remove(void *addr, size_t len);

/* Stores the handler that the program sets for SIGSEGV or SIGTRAP, because this library has
 * installed its handler for the signal. Returns false when this library does not handle the signal;
 * the caller then sets the handler in the kernel. */
bool trap_sigaction(int signal, const struct sigaction *action, struct sigaction *old);

/* Returns the signal set to block instead of `set`: SIGSEGV and SIGTRAP must stay unblocked. The
 * changed set is stored in `copy`. */
const sigset_t *trap_mask(int how, const sigset_t *set, sigset_t *copy);

#endif
