/* A library for LD_PRELOAD, in the device process and in the program. The device process sleeps
 * after each accept, the program for a shorter time after each connect. Therefore the program sends
 * a packet before the device process handles the connection. */
#define _GNU_SOURCE
#include "../support/sys_call.h"

#include <sys/socket.h>

int accept4(int fd, struct sockaddr *addr, socklen_t *restrict len, int flags)
{
    int accepted = (int)sys_call(SYS_accept4, fd, (long)addr, (long)len, flags, 0, 0);

    if (accepted >= 0)
        usleep(40000);
    return accepted;
}

int connect(int fd, const struct sockaddr *addr, socklen_t len)
{
    int status = (int)sys_call(SYS_connect, fd, (long)addr, (long)len, 0, 0, 0);

    usleep(10000);
    return status;
}
