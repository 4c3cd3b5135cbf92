/*
 * The rdma_cm device. A program writes commands to it with write(2), and waits for events with the
 * command GET_EVENT or with poll(). The device process executes the commands; here only GET_EVENT
 * waits, and MIGRATE_ID, which names another descriptor of the program, is made independent of the
 * number that the descriptor has.
 */
#define _GNU_SOURCE
#include "program/cm.h"
#include "program/connection.h"
#include "program/request.h"
#include "wire/protocol.h"
#include "wire/sys_call.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <rdma/rdma_user_cm.h>

#define NAME "rdma_cm"

/* True when this process has opened the device. While it is false, the replacement of write(2) does
 * not ask the kernel which device a descriptor belongs to. */
static bool is_used;

int cm_open(int flags)
{
    int fd = sim_open(NAME, flags);

    if (fd < 0)
        return -1;
    __atomic_store_n(&is_used, true, __ATOMIC_RELEASE);
    if ((flags & O_NONBLOCK) != 0)
        fcntl(fd, F_SETFL, O_NONBLOCK);
    return fd;
}

static bool is_device(int fd)
{
    char name[SIM_NAME_BYTES];

    return sim_connection_name(fd, name) && strcmp(name, NAME) == 0;
}

bool cm_is_open(int fd)
{
    return __atomic_load_n(&is_used, __ATOMIC_ACQUIRE) && is_device(fd);
}

/* Takes the refusals that lie before other packets. They belong to requests that have failed, and
 * would let poll() report an event. */
static void take_refusals(int fd)
{
    struct wire_refusal refusal;

    while (recv(fd, &refusal, sizeof(refusal), MSG_PEEK | MSG_DONTWAIT) ==
               (ssize_t)sizeof(refusal) &&
           recv(fd, &refusal, sizeof(refusal), MSG_DONTWAIT) >= 0)
        ;
}

/* Sends a request without more data. Returns 0 or -1 with errno. */
static int request(int fd, uint32_t kind, const void *data, size_t bytes, struct wire_reply *reply)
{
    struct wire_request head = {.magic = WIRE_MAGIC, .kind = kind, .offset = (uintptr_t)data,
                                .len = bytes};
    struct iovec iov = {&head, sizeof(head)};
    int fds[WIRE_MAX_FDS];
    unsigned num_fds = 0, i;
    char packet;

    if (sim_request(fd, &iov, 1, reply, sizeof(*reply), fds, &num_fds) < 0)
        return -1;
    for (i = 0; i < reply->drain; i++) {
        take_refusals(fd);
        recv(fd, &packet, sizeof(packet), MSG_DONTWAIT);
    }
    if (reply->error == 0)
        return 0;
    errno = reply->error;
    return -1;
}

/* Waits until an event may have arrived. A signal ends the wait unless its handler was set with
 * SA_RESTART, as in the kernel. Returns 0, or -1 with errno. */
static int wait_for_event(int fd)
{
    char packet;
    ssize_t n = recv(fd, &packet, sizeof(packet), MSG_PEEK);

    if (n == 0)
        errno = EIO;            /* the device process has ended */
    return n > 0 ? 0 : -1;
}

struct migration {
    struct rdma_ucm_cmd_hdr hdr;
    struct rdma_ucm_migrate_id cmd;
};

/* Copies the command if it is a MIGRATE_ID. The kernel reads it, because the program's pointer may
 * be wrong; the device process then refuses the command. */
static bool is_migration(const void *data, size_t bytes, struct migration *copy)
{
    struct iovec to = {copy, sizeof(*copy)}, from = {(void *)(uintptr_t)data, sizeof(*copy)};

    return bytes == sizeof(*copy) &&
        sim_sys_call(SYS_process_vm_readv, getpid(), (long)&to, 1, (long)&from, 1, 0) ==
            (long)sizeof(*copy) &&
        copy->hdr.cmd == RDMA_USER_CM_CMD_MIGRATE_ID;
}

/* Replaces the descriptor in a MIGRATE_ID by the number of its connection, and executes it. The
 * identifier takes its unread events along. A second request on the old descriptor therefore takes
 * the packets of these events, which would leave the old descriptor readable. */
static int migrate(int fd, struct migration *copy)
{
    const int from = (int)copy->cmd.fd;
    struct wire_reply reply;

    if (fcntl(from, F_GETFD) < 0) {
        errno = ENOENT;
        return -1;
    }
    if (!is_device(from)) {
        errno = EINVAL;
        return -1;
    }
    if (request(from, WIRE_CM_NUMBER, NULL, 0, &reply) != 0)
        return -1;
    copy->cmd.fd = reply.number;
    if (request(fd, WIRE_CM_WRITE, copy, sizeof(*copy), &reply) != 0)
        return -1;
    request(from, WIRE_CM_NUMBER, NULL, 0, &reply);     /* the identifier has moved in any case */
    return 0;
}

ssize_t cm_write(int fd, const void *data, size_t bytes)
{
    struct migration copy = {.hdr = {0}};
    struct wire_reply reply;
    int flags, err;

    if (is_migration(data, bytes, &copy))
        return migrate(fd, &copy) == 0 ? (ssize_t)bytes : -1;
    for (;;) {
        err = request(fd, WIRE_CM_WRITE, data, bytes, &reply);
        if (err == 0)
            return (ssize_t)bytes;
        if (errno != EAGAIN)
            return -1;
        take_refusals(fd);
        flags = fcntl(fd, F_GETFL);
        errno = EAGAIN;
        if (flags < 0 || (flags & O_NONBLOCK) != 0 || wait_for_event(fd) != 0)
            return -1;
    }
}
