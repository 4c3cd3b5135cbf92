/* Faults that the user has injected. */
#ifndef MLX5SIM_MACHINE_FAULT_H
#define MLX5SIM_MACHINE_FAULT_H

#include <stdbool.h>
#include <stdint.h>

/* Adds a fault. `spec` has the form of the argument of --fault. Returns 0, or EINVAL after a line
 * in the log. */
int fault_add(const char *spec);

/* Counts a firmware command. True when it is to fail, with this status and syndrome. */
bool fault_command(unsigned opcode, uint8_t *status, uint32_t *syndrome);

/* Counts a firmware command that the driver issues for a verbs call; opcode 0: the call needs no
 * command. Returns the result for the verbs call: 0, or the errno of an injected status. */
int fault_driver_command(unsigned opcode);

/* Counts a completion. True when it is to be dropped. */
bool fault_completion(void);

/* Counts a WQE and returns its number. fault_delay() returns by how many ns the WQE with this
 * number is delayed; fault_error() returns true when it fails, and sets the syndromes. */
uint64_t fault_wqe(void);
uint64_t fault_delay(uint64_t wqe);
bool fault_error(uint64_t wqe, uint8_t *syndrome, uint8_t *vendor);

/* Counts a doorbell of a send queue. True when the function is to fail now. */
bool fault_fatal(void);

#endif
