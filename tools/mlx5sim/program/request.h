/* Open devices of the emulated machine, and requests about them to the device process. */
#ifndef MLX5SIM_PROGRAM_REQUEST_H
#define MLX5SIM_PROGRAM_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/uio.h>

enum { SIM_NAME_BYTES = 16 };

/* Opens a device by the name of its socket in the machine's directory. All flags except O_CLOEXEC
 * are ignored. Returns the descriptor, or -1 with errno. */
int sim_open(const char *name, int flags);

/* Stores the name of the device that `fd` has open. False for all other descriptors. errno stays as
 * it is. */
bool sim_connection_name(int fd, char name[SIM_NAME_BYTES]);

/* Sends a request and waits for the reply. Returns the length of the reply in bytes, or -1 with
 * errno. EMFILE: this process has no free descriptor; ENFILE: the device process has none; EIO: the
 * device process has ended. */
long sim_request(int connection, const struct iovec *iov, size_t num_iov, void *reply,
                 size_t reply_bytes, int *fds, unsigned *num_fds);

#endif
