/*
 * Requests of a context to the device process. The request of an ioctl contains its attributes. The
 * reply to an mmap names a part of the function's BAR. The library maps this part into the program
 * and watches it if it consists of doorbell pages, the clock page, or addresses of an operation of
 * device memory.
 */
#define _GNU_SOURCE
#include "program/context.h"
#include "program/connection.h"
#include "program/libc.h"
#include "program/request.h"
#include "program/trap.h"
#include "wire/protocol.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int context_number(int fd)
{
    char name[SIM_NAME_BYTES];

    if (!sim_connection_name(fd, name) || strncmp(name, "uverbs", 6) != 0)
        return -1;
    return atoi(name + 6);
}

/* ---- open, ioctl, mmap ---------------------------------------------------------------------- */

int context_open(const char *path, int flags)
{
    return sim_open(path + sizeof("/dev/infiniband/") - 1, flags);
}

int context_ioctl(int fd, struct ib_uverbs_ioctl_hdr *hdr)
{
    struct {
        struct wire_reply head;
        unsigned char ioctl[WIRE_IOCTL_BYTES] __attribute__((aligned(8)));
    } reply;
    struct wire_request head = {.magic = WIRE_MAGIC, .kind = WIRE_IOCTL};
    struct iovec iov[2] = {{&head, sizeof(head)}, {hdr, hdr->length}};
    struct ib_uverbs_ioctl_hdr *after = (void *)reply.ioctl;
    int fds[WIRE_MAX_FDS];
    unsigned num_fds = 0, i;
    long n;

    if (hdr->length < sizeof(*hdr) || hdr->length > WIRE_IOCTL_BYTES) {
        errno = EINVAL;
        return -1;
    }
    n = sim_request(fd, iov, 2, &reply, sizeof(reply), fds, &num_fds);
    if (n < 0)
        return -1;
    for (i = 0; i < num_fds; i++) {
        struct wire_fd *to = &reply.head.fd[i];

        fds[i] = sim_above_standard_streams(fds[i]);
        if (i >= reply.head.num_fds)
            close(fds[i]);
        else if (to->addr != 0)
            *(uint32_t *)(uintptr_t)to->addr = (uint32_t)fds[i];
        else
            after->attrs[to->attr].data_s64 = fds[i];
    }
    if (n == (long)(sizeof(reply.head) + hdr->length))
        memcpy(hdr->attrs, after->attrs, hdr->length - sizeof(*hdr));
    if (reply.head.error == 0)
        return 0;       /* errno stays: libibverbs reports the errno before its cleanup */
    errno = reply.head.error;
    return -1;
}

/* Maps the addresses of an operation of device memory. Every access to them is trapped. */
static void *map_operation(void *addr, size_t len, int flags, int fd,
                           const struct wire_reply *reply)
{
    void *p = sim_mmap(addr, len, PROT_NONE, flags, fd, (off_t)reply->map_offset);
    int err = p != MAP_FAILED ? trap_add_operation(p, len, reply->page) : errno;

    if (err == 0)
        return p;
    if (p != MAP_FAILED)
        sim_munmap(p, len);
    errno = err;
    return MAP_FAILED;
}

/* Maps the part of the BAR that the reply names, and watches doorbell and clock pages. A watched
 * page is mapped twice: at `addr` without write access, and writable at `alias`. */
static void *map_reply(void *addr, size_t len, int prot, int flags, int fd,
                       const struct wire_reply *reply)
{
    bool clock = reply->map_kind == WIRE_MAP_CLOCK;
    bool watched = clock || (reply->map_kind == WIRE_MAP_UAR && reply->trap != 0);
    off_t offset = (off_t)reply->map_offset;
    void *alias, *p;
    int err;

    if (reply->map_kind == WIRE_MAP_OPERATION)
        return map_operation(addr, len, flags, fd, reply);
    if (!watched)
        return sim_mmap(addr, len, prot | PROT_READ, flags, fd, offset);
    alias = sim_mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
    if (alias == MAP_FAILED)
        return MAP_FAILED;
    p = sim_mmap(addr, len, clock ? PROT_NONE : PROT_READ, flags, fd, offset);
    if (p == MAP_FAILED) {
        sim_munmap(alias, len);
        return MAP_FAILED;
    }
    err = clock ? trap_add_clock(p, len, alias)
                : trap_add(p, len, alias, reply->function, reply->page);
    if (err == 0)
        return p;
    sim_munmap(p, len);
    sim_munmap(alias, len);
    errno = err;
    return MAP_FAILED;
}

void *context_mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
    struct wire_request head = {.magic = WIRE_MAGIC, .kind = WIRE_MMAP,
                                .offset = (uint64_t)offset, .len = len};
    struct iovec iov = {&head, sizeof(head)};
    struct wire_reply reply;
    int fds[WIRE_MAX_FDS], error;
    unsigned num_fds = 0, i;
    void *p = MAP_FAILED;

    if (sim_request(fd, &iov, 1, &reply, sizeof(reply), fds, &num_fds) < 0)
        return MAP_FAILED;
    error = reply.error;
    if (error == 0 && num_fds == 1) {
        p = map_reply(addr, len, prot, flags, fds[0], &reply);
        error = p == MAP_FAILED ? errno : 0;
    }
    for (i = 0; i < num_fds; i++)
        close(fds[i]);
    if (error != 0)
        errno = error;
    return p;
}
