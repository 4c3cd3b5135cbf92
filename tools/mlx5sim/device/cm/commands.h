/* The commands of the rdma_cm device, which programs write(2) to it. */
#ifndef MLX5SIM_CM_COMMANDS_H
#define MLX5SIM_CM_COMMANDS_H

#include "device/cm/state.h"
#include "device/machine/space.h"

/* Opens the device for the program at the other end of `fd`. NULL when no memory is left. */
struct cm_file *cm_open(int fd);
/* Ends all identifiers of the file as if the program had destroyed them. */
void cm_close(struct cm_file *file);

/* Executes the write(2) of `bytes` bytes at `addr` of the program. Returns 0 or an errno; EAGAIN:
 * the command is GET_EVENT and there is no event. */
int cm_write(struct cm_file *file, struct sim_space *space, uint64_t addr, uint64_t bytes);

/* Ends steps whose time is over. Returns the time of the next one, or UINT64_MAX. */
uint64_t cm_tick(uint64_t now);

#endif
