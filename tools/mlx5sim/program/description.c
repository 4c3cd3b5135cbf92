/* The functions and the network interfaces of the emulated machine. */
#define _GNU_SOURCE
#include "program/description.h"
#include "program/connection.h"
#include "program/libc.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool description_get(struct wire_description *out)
{
    const int error = errno;
    ssize_t n = -1;
    int fd = sim_connect(WIRE_DESCRIPTION_SOCKET);

    if (fd >= 0) {
        do
            n = SIM_REAL(recv)(fd, out, sizeof(*out), 0);
        while (n < 0 && errno == EINTR);
        close(fd);
    }
    errno = error;
    return n == (ssize_t)sizeof(*out) && out->magic == WIRE_DESCRIPTION_MAGIC;
}

const struct wire_interface *description_find(const struct wire_description *of, const char *name)
{
    unsigned i;

    for (i = 0; i < of->num_interfaces; i++)
        if (strcmp(of->interfaces[i].name, name) == 0)
            return &of->interfaces[i];
    return NULL;
}

const struct wire_interface *description_at(const struct wire_description *of, unsigned index)
{
    unsigned i;

    for (i = 0; i < of->num_interfaces; i++)
        if (of->interfaces[i].index == index)
            return &of->interfaces[i];
    return NULL;
}
