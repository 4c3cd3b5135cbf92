/* Contexts. A context is an open uverbs device. Its descriptor is a connection to the device
 * process. */
#ifndef MLX5SIM_PROGRAM_CONTEXT_H
#define MLX5SIM_PROGRAM_CONTEXT_H

#include <stddef.h>
#include <sys/types.h>

#include <rdma/rdma_user_ioctl_cmds.h>

/* Returns the number of the uverbs device that `fd` is a context of, or -1. */
int context_number(int fd);

/* Opens the uverbs device `path`. All flags except O_CLOEXEC are ignored. Returns the descriptor,
 * or -1 with errno. */
int context_open(const char *path, int flags);

/* Sends the ioctl to the device process and waits for the result. Returns 0, or -1 with errno. */
int context_ioctl(int fd, struct ib_uverbs_ioctl_hdr *hdr);

/* Implements mmap of a context: `offset` selects a doorbell page, a clock page or device memory in
 * the function's BAR. */
void *context_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset);

#endif
