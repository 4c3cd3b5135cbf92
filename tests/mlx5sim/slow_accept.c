/* Preloaded into the device process, which is held up behind each accept, and into the program,
 * which writes meanwhile: the packet is there before the device process has done anything with its
 * connection. */
#define _GNU_SOURCE
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int accept4(int fd, struct sockaddr *addr, socklen_t *restrict len, int flags)
{
    int accepted = (int)syscall(SYS_accept4, fd, addr, len, flags);

    if (accepted >= 0)
        usleep(40000);
    return accepted;
}

int connect(int fd, const struct sockaddr *addr, socklen_t len)
{
    int status = (int)syscall(SYS_connect, fd, addr, len);

    usleep(10000);
    return status;
}
