/* The connections that carry doorbells; each program has one connection. */
#ifndef MLX5SIM_PROCESS_DOORBELL_SOCKET_H
#define MLX5SIM_PROCESS_DOORBELL_SOCKET_H

#include <stdbool.h>

#include "device/machine/machine.h"

void doorbells_accept(int fd);

/* Handles all doorbells that have arrived. Called before each command, because a command must not
 * overtake earlier doorbells. */
void doorbells_drain(void);

/* With --doorbells poll: reads the doorbell pages of a function, and handles the queues of each
 * page that a program has stored to. True when there was such a page. */
bool doorbells_poll(struct sim_function *function);

void doorbells_end(void);              /* closes the connections */

#endif
