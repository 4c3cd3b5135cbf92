/* Inside libmlx5sim.so: what its two files share. */
#ifndef MLX5SIM_PRELOAD_H
#define MLX5SIM_PRELOAD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* Connects to a socket in the machine's directory: fd or -1 with errno. */
int sim_connect(const char *name);

/* A packet with up to WIRE_MAX_FDS fds, which are closed on exec: bytes received, or -1. */
long sim_receive(int fd, void *buf, size_t bytes, int *fds, unsigned *num_fds);

/* Watches a UAR page at [addr, addr + len); `alias` is the same memory, writable. */
int trap_add(void *addr, size_t len, void *alias, uint32_t function, uint32_t page);

/* Keeps the page of the core clock at `addr` current: it is filled when it is read. */
int trap_add_clock(void *addr, size_t len, void *alias);

/* The range is about to be unmapped. */
void trap_remove(void *addr, size_t len);

/* The program's own wish for SIGSEGV or SIGTRAP while these are ours. False: not ours now. */
bool trap_sigaction(int signal, const struct sigaction *action, struct sigaction *old);

/* Takes SIGSEGV and SIGTRAP out of a set to be blocked. */
const sigset_t *trap_mask(int how, const sigset_t *set, sigset_t *copy);

/* The next definition of a libc function, looked up once. */
#define SIM_REAL(name)                                                      \
    __extension__({                                                         \
        static __typeof__(&name) real_;                                     \
        if (real_ == NULL)                                                  \
            real_ = (__typeof__(&name))sim_symbol(#name);                   \
        real_;                                                              \
    })

void *sim_symbol(const char *name);

#endif
