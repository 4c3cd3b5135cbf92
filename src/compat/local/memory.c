/* ---- >>impl.local.memory --------------------------------------------------------------------
 * Memory and eventfds that two processes share. One process creates them and sends their
 * descriptors to the other process through a socket. The memory is an anonymous file of fixed size.
 * Several headers contain this part; the first header that a program includes defines it.        */
#include "compat/local/memory_priv.h"

#include "base/compiler.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"
#include "compat/local/platform_priv.h"

#ifndef DOCA_PRIV_LOCAL_MEMORY
#define DOCA_PRIV_LOCAL_MEMORY

/* Open an anonymous file of `bytes` zeros that nobody can make shorter or longer. `name` is what
 * the operating system shows. Returns -1, with the cause in errno, on failure. */
DOCA_PRIV_DECL int doca_priv_local_file(const char *name, size_t bytes)
{
    struct rlimit limit;
    int fd, error;

    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < bytes) {
        errno = EFBIG; /* a write beyond the limit would end the process by a signal */
        return -1;
    }
    fd = doca_priv_sys_keep((int)doca_priv_sys_call(SYS_memfd_create, (long)name,
                                                    3 /* CLOEXEC, ALLOW_SEALING */, 0, 0, 0, 0));
    if (fd >= 0 && (lseek(fd, (off_t)bytes - 1, SEEK_SET) < 0 || write(fd, "", 1) != 1 ||
                    fcntl(fd, 1033 /* F_ADD_SEALS */, DOCA_PRIV_SEALS) != 0)) {
        error = errno;
        close(fd);
        errno = error;
        fd = -1;
    }
    return fd;
}

/* Return the bytes of a file that the peer sent. Returns 0 when it could become shorter, so that an
 * access could end this process by a signal. */
DOCA_PRIV_DECL size_t doca_priv_local_file_bytes(int fd)
{
    int seals = fcntl(fd, DOCA_PRIV_GET_SEALS);
    struct stat status;

    return seals >= 0 && (seals & DOCA_PRIV_SEALS) == DOCA_PRIV_SEALS && fstat(fd, &status) == 0
               ? (size_t)status.st_size
               : 0;
}

/* Map a file for reading and writing. Returns NULL, with the cause in errno, on failure. */
DOCA_PRIV_DECL void *doca_priv_local_map(int fd, size_t bytes)
{
    void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    return map == MAP_FAILED ? NULL : map;
}

DOCA_PRIV_DECL void doca_priv_local_unmap(void *map, size_t bytes)
{
    (void)munmap(map, bytes);
}

/* True when a descriptor of the peer is one that a write of 8 bytes does not block on: an eventfd
 * has no file type, and does not block unless the peer makes it do so on purpose. */
DOCA_PRIV_DECL bool doca_priv_local_is_event(int fd)
{
    struct stat status;
    int flags = fcntl(fd, F_GETFL);

    return flags >= 0 && (flags & O_NONBLOCK) != 0 && fstat(fd, &status) == 0 &&
           (status.st_mode & 0170000u /* S_IFMT */) == 0;
}

#endif /* DOCA_PRIV_LOCAL_MEMORY */
