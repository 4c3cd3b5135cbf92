/* Calls of libc functions and of the kernel by the preloaded library. */
#define _GNU_SOURCE
#include "program/libc.h"
#include "wire/sys_call.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

/* This library has no constructor, because constructors of other libraries may call its functions
 * before it would run. Instead, every entry point looks up the symbols that it needs. */
void *sim_symbol(const char *name)
{
    void *symbol = dlsym(RTLD_NEXT, name);

    if (symbol == NULL) {
        fprintf(stderr, "mlx5sim: libc has no %s\n", name);
        abort();
    }
    return symbol;
}

void *sim_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
    return (void *)sim_sys_call(SYS_mmap, (long)addr, (long)len, prot, flags, fd, offset);
}

int sim_munmap(void *addr, size_t len)
{
    return (int)sim_sys_call(SYS_munmap, (long)addr, (long)len, 0, 0, 0, 0);
}

bool sim_copy(void *to, const void *from, size_t bytes)
{
    const struct iovec local = {to, bytes}, remote = {(void *)from, bytes};
    const int error = errno;
    const long n = sim_sys_call(SYS_process_vm_readv, getpid(), (long)&local, 1, (long)&remote, 1,
                                0);

    errno = error;
    return n == (long)bytes;
}
