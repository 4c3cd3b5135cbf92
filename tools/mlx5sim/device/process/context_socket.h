/* The connections of open devices (contexts). */
#ifndef MLX5SIM_PROCESS_CONTEXT_SOCKET_H
#define MLX5SIM_PROCESS_CONTEXT_SOCKET_H

#include "device/machine/machine.h"

/* Opens the device for the process that has connected as `fd`. */
void contexts_accept(int fd, struct sim_function *function);

void contexts_end(void);               /* ends all contexts */

#endif
