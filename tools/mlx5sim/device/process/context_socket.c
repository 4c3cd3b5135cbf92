/* Requests of programs: an ioctl or an mmap of an open device. */
#define _GNU_SOURCE
#include "device/process/context_socket.h"
#include "device/driver/ioctl.h"
#include "device/driver/uverbs.h"
#include "device/machine/log.h"
#include "device/machine/watch.h"
#include "device/process/doorbell_socket.h"
#include "device/process/sockets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

struct context_connection {
    struct watch watch;         /* must be first: events pass its address */
    struct uverbs_context *context;
    struct context_connection *next, **link;
};

static struct context_connection *connections;

static void serve_ioctl(struct call *call, unsigned char *ioctl_bytes, size_t bytes)
{
    struct ib_uverbs_ioctl_hdr *hdr = (void *)ioctl_bytes;

    call->hdr = hdr;
    if (bytes < sizeof(*hdr) || hdr->length != bytes ||
        bytes != sizeof(*hdr) + hdr->num_attrs * sizeof(hdr->attrs[0]))
        call->reply->error = EINVAL;
    else
        call->reply->error = uverbs_ioctl(call);
}

/* Executes a request and sends the reply. */
static void serve(struct uverbs_context *context, unsigned char *packet, size_t bytes, pid_t pid,
                  int reply_fd)
{
    static struct {
        struct wire_reply head;
        unsigned char ioctl[WIRE_IOCTL_BYTES];
    } out;
    struct wire_request request;
    struct call call = {.context = context, .client = context->client, .pid = pid,
                        .reply = &out.head};
    size_t body = bytes - sizeof(request), out_bytes = sizeof(out.head);
    struct sim_function *function = context->client->function;
    unsigned i;

    memcpy(&request, packet, sizeof(request));
    memset(&out.head, 0, sizeof(out.head));
    doorbells_drain();
    call.space = space_of_process(pid);
    if (call.space == NULL) {
        out.head.error = errno;
    } else if (request.kind == WIRE_IOCTL) {
        serve_ioctl(&call, packet + sizeof(request), body);
        memcpy(out.ioctl, packet + sizeof(request), body);
        out_bytes += body;
    } else if (request.kind == WIRE_MMAP) {
        out.head.error = uverbs_mmap(context, request.offset, request.len, &out.head);
        if (out.head.error == 0) {
            out.head.trap = machine.doorbells != SIM_DOORBELLS_POLL;
            out.head.function = function->index;
            send_reply(reply_fd, &out, out_bytes, &function->bar_fd, 1);
            sim_space_put(call.space);
            return;
        }
    } else {
        out.head.error = EINVAL;
    }
    out.head.error = kernel_error(out.head.error);
    send_reply(reply_fd, &out, out_bytes, call.fds, out.head.num_fds);
    for (i = 0; i < out.head.num_fds; i++)
        close(call.fds[i]);
    sim_space_put(call.space);
}

static void context_end(struct context_connection *connection)
{
    *connection->link = connection->next;
    if (connection->next != NULL)
        connection->next->link = connection->link;
    uverbs_context_free(connection->context);
    watch_close(&connection->watch, connection);
}

static void context_ready(struct watch *watch, uint32_t events)
{
    static unsigned char packet[sizeof(struct wire_request) + WIRE_IOCTL_BYTES]
        __attribute__((aligned(8)));
    struct context_connection *connection = (void *)watch;
    struct packet_from from;
    ssize_t n = receive_request(watch->fd, packet, sizeof(packet), &from);

    (void)events;
    if (n == 0)
        context_end(connection);
    if (n <= 0)
        return;
    serve(connection->context, packet, (size_t)n, from.pid, from.reply_fd);
    close(from.reply_fd);
}

void contexts_accept(int fd, struct sim_function *function)
{
    struct context_connection *connection = calloc(1, sizeof(*connection));
    struct ucred peer = {0};
    socklen_t len = sizeof(peer);

    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len);
    if (connection != NULL)
        connection->context = uverbs_context_new(function, peer.pid);
    if (connection == NULL || connection->context == NULL) {
        free(connection);
        send_refusal(fd, ENOMEM);
        close(fd);
        return;
    }
    connection->watch = (struct watch){.fd = fd, .ready = context_ready};
    connection->next = connections;
    connection->link = &connections;
    if (connections != NULL)
        connections->link = &connection->next;
    connections = connection;
    watch_add(&connection->watch, EPOLLIN);
}

void contexts_end(void)
{
    while (connections != NULL)
        context_end(connections);
}
