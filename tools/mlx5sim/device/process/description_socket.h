/* Tells programs which functions and network interfaces the machine has. */
#ifndef MLX5SIM_PROCESS_DESCRIPTION_SOCKET_H
#define MLX5SIM_PROCESS_DESCRIPTION_SOCKET_H

/* Sends a struct wire_description and closes the connection. */
void description_accept(int fd);

#endif
