/* Requests of programs that have the rdma_cm device open. */
#define _GNU_SOURCE
#include "device/process/cm_socket.h"
#include "device/cm/commands.h"
#include "device/cm/event.h"
#include "device/machine/watch.h"
#include "device/process/doorbell_socket.h"
#include "device/process/sockets.h"
#include "wire/protocol.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

struct cm_connection {
    struct watch watch;         /* must be first: events pass its address */
    struct cm_file *file;
    struct cm_connection *next, **link;
};

static struct cm_connection *connections;

/* Executes a request and sends the reply. */
static void serve(struct cm_file *file, const struct wire_request *request,
                  const struct packet_from *from)
{
    struct wire_reply reply = {.number = file->number};
    struct sim_space *space;

    doorbells_drain();          /* a command must not overtake earlier doorbells */
    space = space_of_process(from->pid);
    if (space == NULL)
        reply.error = errno;
    else if (request->kind == WIRE_CM_WRITE)
        reply.error = cm_write(file, space, request->offset, request->len);
    else if (request->kind != WIRE_CM_NUMBER)
        reply.error = EINVAL;
    reply.error = kernel_error(reply.error);
    reply.drain = cm_file_drains(file);
    send_reply(from->reply_fd, &reply, sizeof(reply), NULL, 0);
    sim_space_put(space);
}

static void connection_end(struct cm_connection *connection)
{
    *connection->link = connection->next;
    if (connection->next != NULL)
        connection->next->link = connection->link;
    cm_close(connection->file);
    watch_close(&connection->watch, connection);
}

static void connection_ready(struct watch *watch, uint32_t events)
{
    struct cm_connection *connection = (void *)watch;
    unsigned char packet[sizeof(struct wire_request)];
    struct wire_request request;
    struct packet_from from;
    ssize_t n = receive_request(watch->fd, packet, sizeof(packet), &from);

    (void)events;
    if (n == 0)
        connection_end(connection);
    if (n <= 0)
        return;
    memcpy(&request, packet, sizeof(request));
    serve(connection->file, &request, &from);
    close(from.reply_fd);
}

void cms_accept(int fd)
{
    struct cm_connection *connection = calloc(1, sizeof(*connection));

    if (connection != NULL)
        connection->file = cm_open(fd);
    if (connection == NULL || connection->file == NULL) {
        free(connection);
        send_refusal(fd, ENOMEM);
        close(fd);
        return;
    }
    connection->watch = (struct watch){.fd = fd, .ready = connection_ready};
    connection->next = connections;
    connection->link = &connections;
    if (connections != NULL)
        connections->link = &connection->next;
    connections = connection;
    watch_add(&connection->watch, EPOLLIN);
}

void cms_end(void)
{
    while (connections != NULL)
        connection_end(connections);
}
