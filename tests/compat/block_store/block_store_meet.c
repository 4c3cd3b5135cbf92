/* How a reader and the owner meet. DOCA RDMA connects two instances when each side has the details
 * of the other; the program carries the details through a TCP connection, which works on every
 * device, on one machine or between two. The TCP connection ends with the exchange. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "block_store.h"

DOCA_LOG_REGISTER(BLOCK_STORE::MEET);

#define SILENCE_SECONDS 5 /* until an exchange with a silent peer fails */
#define BACKLOG 16

static struct sockaddr_in address_of(const struct store_config *conf)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)conf->port) };

    (void)inet_pton(AF_INET, conf->ip, &address.sin_addr); /* main() has checked the text */
    return address;
}

doca_error_t open_port(const struct store_config *conf, int *port_fd)
{
    const struct sockaddr_in address = address_of(conf);
    const int one = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd >= 0 && setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) == 0 &&
        bind(fd, (const struct sockaddr *)&address, sizeof(address)) == 0 &&
        listen(fd, BACKLOG) == 0) {
        *port_fd = fd;
        return DOCA_SUCCESS;
    }
    DOCA_LOG_ERR("Cannot listen on %s, port %d: %s", conf->ip, conf->port, strerror(errno));
    if (fd >= 0)
        close(fd);
    return DOCA_ERROR_OPERATING_SYSTEM;
}

int accept_reader(int port_fd)
{
    return accept(port_fd, NULL, NULL);
}

doca_error_t call_owner(const struct store_config *conf, int *fd)
{
    const struct sockaddr_in address = address_of(conf);

    *fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (*fd >= 0 && connect(*fd, (const struct sockaddr *)&address, sizeof(address)) == 0)
        return DOCA_SUCCESS;
    if (*fd >= 0)
        close(*fd);
    return DOCA_ERROR_NOT_FOUND;
}

/* Send or receive all bytes. */
static bool transfer(int fd, void *bytes, size_t len, bool is_send)
{
    char *at = bytes;
    ssize_t num;

    for (; len > 0; at += num, len -= (size_t)num) {
        num = is_send ? send(fd, at, len, MSG_NOSIGNAL) : recv(fd, at, len, 0);
        if (num < 0 && errno == EINTR)
            num = 0;
        else if (num <= 0)
            return false;
    }
    return true;
}

/* Send these details of this side, and receive those of the peer. */
static bool swap(int fd, const void *details, size_t len, struct details *peer)
{
    struct details own = { .len = htonl((uint32_t)len) };

    memcpy(own.bytes, details, len);
    if (!transfer(fd, &own, sizeof(own), true) || !transfer(fd, peer, sizeof(*peer), false))
        return false;
    peer->len = ntohl(peer->len);
    return peer->len <= MAX_DESCRIPTOR_SIZE;
}

doca_error_t meet_peer(struct endpoint *endpoint, int fd, union doca_data data)
{
    const struct timeval patience = { .tv_sec = SILENCE_SECONDS };
    struct doca_rdma_connection *connection;
    const void *details;
    struct details peer;
    doca_error_t result;
    size_t len;

    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    (void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
    result = doca_rdma_export(endpoint->rdma, &details, &len, &connection);
    if (result == DOCA_SUCCESS) {
        if (len > MAX_DESCRIPTOR_SIZE)
            result = DOCA_ERROR_TOO_BIG;
        else if (!swap(fd, details, len, &peer))
            result = DOCA_ERROR_IO_FAILED;
        if (result == DOCA_SUCCESS)
            result = doca_rdma_connection_set_user_data(connection, data);
        if (result == DOCA_SUCCESS)
            result = doca_rdma_connect(endpoint->rdma, peer.bytes, peer.len, connection);
        if (result != DOCA_SUCCESS)
            (void)doca_rdma_connection_disconnect(connection);
    }
    close(fd);
    return result;
}
