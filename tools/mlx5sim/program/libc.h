/* The libc functions and system calls that the preloaded library itself uses. */
#ifndef MLX5SIM_PROGRAM_LIBC_H
#define MLX5SIM_PROGRAM_LIBC_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Exports a function of this library. Programs then call it instead of the libc function. */
#define EXPORT __attribute__((visibility("default")))

/* Returns the libc function with this name, which this library replaces. Aborts when libc does not
 * have it. */
void *sim_symbol(const char *name);

/* The libc function `name`, looked up at the first use. */
#define SIM_REAL(name)                                                      \
    __extension__({                                                         \
        static __typeof__(&name) real_;                                     \
        if (real_ == NULL)                                                  \
            real_ = (__typeof__(&name))sim_symbol(#name);                   \
        real_;                                                              \
    })

/* Map and unmap memory by system calls, which bypass libc and other preloaded libraries. */
void *sim_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset);
int sim_munmap(void *addr, size_t len);

/* Copies between memory of the program and of this library. The kernel copies, so a wrong address
 * of the program does not crash it: the function then returns false. errno stays as it is. */
bool sim_copy(void *to, const void *from, size_t bytes);

#endif
