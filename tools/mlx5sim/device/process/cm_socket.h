/* The connections of open rdma_cm devices. */
#ifndef MLX5SIM_PROCESS_CM_SOCKET_H
#define MLX5SIM_PROCESS_CM_SOCKET_H

/* Opens the device for the process that has connected as `fd`. */
void cms_accept(int fd);

void cms_end(void);             /* closes all of them */

#endif
