/* The functions, the network interfaces and the counters of the emulated machine. */
#define _GNU_SOURCE
#include "program/description.h"
#include "program/connection.h"
#include "program/libc.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Connects to a socket of the machine, and receives one packet or the end of the connection. */
static ssize_t receive_from(const char *socket, void *out, size_t bytes)
{
    const int error = errno;
    ssize_t n = -1;
    int fd = sim_connect(socket);

    if (fd >= 0) {
        do
            n = SIM_REAL(recv)(fd, out, bytes, 0);
        while (n < 0 && errno == EINTR);
        close(fd);
    }
    errno = error;
    return n;
}

bool description_get(struct wire_description *out)
{
    return receive_from(WIRE_DESCRIPTION_SOCKET, out, sizeof(*out)) == (ssize_t)sizeof(*out) &&
        out->magic == WIRE_DESCRIPTION_MAGIC;
}

void description_update_counters(void)
{
    char none;

    receive_from(WIRE_COUNTERS_SOCKET, &none, sizeof(none));
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
