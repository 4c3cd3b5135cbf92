/* Child processes that export memory. The test sends commands to such a process through a socket.
 * Every child ends at the latest with this program, and every wait for a child has a time limit. */
#ifndef EXPORT_PEER_H
#define EXPORT_PEER_H

#include "share.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>

enum {
    LEN = RIG_BYTES,
    GUARD = 4096,    /* bytes before and after the exported memory, which no copy may change */
    UNTOUCHED = 0xa5 /* value of bytes that no copy has written */
};

/* Message of an exporter: a descriptor and an address, as real programs exchange them. */
struct offer {
    unsigned char *addr;
    size_t desc_len;
    unsigned char desc[512];
};

struct peer {
    pid_t pid;
    int fd; /* -1: closed */
};

static inline void send_all(int fd, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    ssize_t sent;

    for (; bytes > 0; at += sent, bytes -= (size_t)sent) {
        sent = send(fd, at, bytes, MSG_NOSIGNAL);
        if (sent <= 0)
            peer_explain(__FILE__, __LINE__);
        CHECK(sent > 0);
    }
}

static inline void receive_all(int fd, void *data, size_t bytes)
{
    unsigned char *at = data;
    ssize_t got;

    for (; bytes > 0; at += got, bytes -= (size_t)got) {
        got = recv(fd, at, bytes, 0);
        if (got <= 0)
            peer_explain(__FILE__, __LINE__);
        CHECK(got > 0);
    }
}

static inline void send_byte(int fd)
{
    send_all(fd, "!", 1);
}

static inline void wait_for_byte(int fd)
{
    unsigned char byte;

    receive_all(fd, &byte, 1);
}

/* True when the other process has sent a byte, or has ended. */
static inline bool has_byte(int fd)
{
    struct pollfd p = { fd, POLLIN, 0 };

    return poll(&p, 1, 0) == 1;
}

/* Run `body` in a child process. Parent and child are connected by a socket pair. */
static inline struct peer start_peer(void (*body)(int fd, uint32_t arg), uint32_t arg)
{
    static const struct timeval patience = { 20, 0 };
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    struct peer peer;
    int ends[2];

    CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    CHECK_EQ(setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)), 0);
    peer.fd = ends[0];
    peer.pid = peer_fork();
    CHECK(peer.pid >= 0);
    if (peer.pid == 0) {
        alarm(60);
        close(ends[0]);
        if (setjmp(test_leave) == 0) {
            body(ends[1], arg);
            _exit(0);
        }
        fflush(stdout);
        _exit(1);
    }
    close(ends[1]);
    peer_watch(peer.pid);
    heap_trap_set(mode);
    return peer;
}

/* Close the socket. */
static inline void hang_up(struct peer *peer)
{
    if (peer->fd >= 0) {
        shutdown(peer->fd, SHUT_RDWR); /* children forked later have the socket open, too */
        close(peer->fd);
    }
    peer->fd = -1;
}

/* Close the socket, whereupon the child ends, and wait for the end of the child. */
static inline void end_peer(struct peer *peer)
{
    hang_up(peer);
    PEER_REAP(peer->pid);
}

/* Wait for the end of a process that was killed. */
static inline void reap_killed_peer(struct peer *peer)
{
    int status = -1;

    peer_forget(peer->pid);
    CHECK_EQ(waitpid(peer->pid, &status, 0), peer->pid);
    CHECK(WIFSIGNALED(status));
    hang_up(peer);
}

static inline void kill_peer(struct peer *peer)
{
    peer_kill(peer->pid);
    reap_killed_peer(peer);
}

/* ---- the exporter ---- */

enum { BY_RDMA = 1 }; /* flag in `how`: export for RDMA; without it, export for PCI */

static inline void send_offer(int fd, struct doca_mmap *map, struct doca_dev *dev, uint32_t how)
{
    struct offer offer;
    const void *desc;
    void *addr;
    size_t len;

    memset(&offer, 0, sizeof(offer));
    CHECK_OK((how & BY_RDMA ? doca_mmap_export_rdma : doca_mmap_export_pci)(map, dev, &desc,
                                                                           &offer.desc_len));
    CHECK(offer.desc_len <= sizeof(offer.desc));
    memcpy(offer.desc, desc, offer.desc_len);
    CHECK_OK(doca_mmap_get_memrange(map, &addr, &len));
    offer.addr = addr;
    send_all(fd, &offer, sizeof(offer));
}

/* Execute a command from the test. `map` is the middle of `memory`, with GUARD bytes on each
 * side. */
static inline void execute_command(int fd, unsigned char command, unsigned char *memory,
                                   struct doca_mmap *map, struct doca_dev *dev, uint32_t how)
{
    struct itimerval timer = { { 0, 0 }, { 0, 0 } };
    uint32_t delay_us;
    size_t i;

    switch (command) {
    case 'm': /* send the contents of the memory */
        for (i = 0; i < GUARD; i++)
            CHECK(memory[i] == UNTOUCHED && memory[GUARD + LEN + i] == UNTOUCHED);
        send_all(fd, memory + GUARD, LEN);
        break;
    case 's': /* stop */
        CHECK_OK(doca_mmap_stop(map));
        send_all(fd, &command, 1);
        break;
    case 'e': /* export again */
        CHECK_OK(doca_mmap_start(map));
        send_offer(fd, map, dev, how);
        break;
    case 't': /* stop after some time */
        receive_all(fd, &delay_us, sizeof(delay_us));
        usleep(delay_us);
        CHECK_OK(doca_mmap_stop(map));
        break;
    case 'd': /* die after some time */
        receive_all(fd, &delay_us, sizeof(delay_us));
        timer.it_value.tv_usec = 1 + (suseconds_t)delay_us;
        CHECK_EQ(setitimer(ITIMER_REAL, &timer, NULL), 0);
        break;
    default:
        CHECK(false);
    }
}

/* Export LEN bytes in the middle of memory from malloc(), send the descriptor, and execute commands
 * until the test closes its end of the socket. */
static inline void serve_exports(int fd, struct doca_dev *dev, uint32_t how)
{
    unsigned char *memory = malloc(LEN + 2 * GUARD), command = 0;
    struct doca_mmap *map;

    CHECK(memory != NULL);
    memset(memory, UNTOUCHED, LEN + 2 * GUARD);
    share_fill(memory + GUARD, LEN, 1);
    map = share_map(dev, memory + GUARD, LEN, SHARE_PCI | SHARE_RDMA);
    send_offer(fd, map, dev, how);
    while (read(fd, &command, 1) == 1)
        execute_command(fd, command, memory, map, dev, how);
    CHECK_OK(doca_mmap_destroy(map));
    CHECK_OK(doca_dev_close(dev));
    free(memory);
}

/* Ask the exporter for the contents of its memory, and return them. */
static inline unsigned char *memory_of_peer(struct peer *peer)
{
    static unsigned char memory[LEN];

    send_all(peer->fd, "m", 1);
    receive_all(peer->fd, memory, LEN);
    return memory;
}

static inline struct doca_mmap *import_of(struct doca_dev *dev, const struct offer *offer)
{
    struct doca_mmap *import;

    CHECK_OK(doca_mmap_create_from_export(NULL, offer->desc, offer->desc_len, dev, &import));
    return import;
}

/* Check that the import fails with `code`. */
static inline void check_refused(struct doca_dev *dev, const struct offer *offer, doca_error_t code)
{
    struct doca_mmap *import = NULL;

    CHECK_RC(doca_mmap_create_from_export(NULL, offer->desc, offer->desc_len, dev, &import), code);
    CHECK_PTR(import, NULL);
}

#endif
