/* Netlink sockets of the program. */
#define _GNU_SOURCE
#include "program/netlink.h"
#include "program/connection.h"
#include "program/description.h"
#include "program/devlink.h"
#include "program/libc.h"
#include "program/message.h"
#include "program/rdma.h"
#include "program/route.h"
#include "wire/sys_call.h"

#include <errno.h>
#include <limits.h>
#include <linux/netlink.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { REQUEST_BYTES = 4096, MAX_KEPT = 32 };

/* The answer to a request, until the program has received it. */
struct kept {
    uint64_t socket;            /* cookie of the socket */
    uint32_t seq;               /* of the request */
    enum verdict verdict;
    size_t at;                  /* bytes that the program has received */
    struct answer answer;
};

/* Answers that the program has not received. A thread holds the lock while it uses them. */
static struct kept *slots[MAX_KEPT];
static unsigned next_victim;
static pid_t lock_owner;        /* 0, or the process of the thread that holds the lock */
static bool is_used;

bool netlink_is_used(void)
{
    return __atomic_load_n(&is_used, __ATOMIC_RELAXED);
}

int netlink_socket(int type, int protocol)
{
    __atomic_store_n(&is_used, true, __ATOMIC_RELAXED);
    if (protocol == NETLINK_RDMA && sim_machine_dir() != NULL)
        protocol = NETLINK_SOCK_DIAG;
    return SIM_REAL(socket)(AF_NETLINK, type, protocol);
}

/* ---- lock ----------------------------------------------------------------------------------- */

/* Locks. No signal handler runs and no call is a cancellation point until unlock(), so the thread
 * does unlock; it must not wait for anything else. A child of fork() may find the lock held by a
 * thread of its parent, and takes it. errno stays as it is. Returns the signals that were blocked
 * before. */
static uint64_t lock(void)
{
    const uint64_t all = UINT64_MAX;
    const struct timespec pause = {.tv_nsec = 20000};
    const pid_t self = getpid();
    const int error = errno;
    uint64_t blocked = 0;
    pid_t owner = 0;

    sim_sys_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)&blocked, sizeof(all), 0, 0);
    while (!__atomic_compare_exchange_n(&lock_owner, &owner, self, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
        if (owner != self)
            continue;           /* the next turn expects this owner */
        owner = 0;
        sim_sys_call(SYS_nanosleep, (long)&pause, 0, 0, 0, 0, 0);
    }
    errno = error;
    return blocked;
}

static void unlock(uint64_t blocked)
{
    __atomic_store_n(&lock_owner, 0, __ATOMIC_RELEASE);
    sim_sys_call(SYS_rt_sigprocmask, SIG_SETMASK, (long)&blocked, 0, sizeof(blocked), 0, 0);
}

/* ---- kept answers --------------------------------------------------------------------------- */

static void drop(struct kept *kept)
{
    sim_munmap(kept, sizeof(*kept));
}

/* Maps memory. malloc() is not used here, because programs may have replaced it. Returns NULL when
 * no memory is left. */
static void *map_memory(size_t bytes)
{
    void *at = sim_mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return at != MAP_FAILED ? at : NULL;
}

/* Keeps an answer. When all slots are used, another answer is dropped: its socket has been closed,
 * or the program does not read. The caller has locked. */
static void keep(struct kept *kept)
{
    unsigned i = 0;

    while (i < MAX_KEPT && slots[i] != NULL)
        i++;
    if (i == MAX_KEPT) {
        i = next_victim++ % MAX_KEPT;
        drop(slots[i]);
    }
    slots[i] = kept;
}

/* Takes the answer to the request `seq` of a socket out of its slot. Returns NULL when the slots
 * have no such answer. The caller has locked. */
static struct kept *take(uint64_t socket, uint32_t seq)
{
    struct kept *kept;
    unsigned i;

    for (i = 0; i < MAX_KEPT; i++) {
        kept = slots[i];
        if (kept == NULL || kept->socket != socket || kept->seq != seq)
            continue;
        slots[i] = NULL;
        return kept;
    }
    return NULL;
}

/* ---- sockets -------------------------------------------------------------------------------- */

static long socket_option(int fd, int option, void *value, socklen_t bytes)
{
    const int error = errno;
    long result = sim_sys_call(SYS_getsockopt, fd, SOL_SOCKET, option, (long)value, (long)&bytes,
                               0);

    errno = error;
    return result;
}

/* Who answers requests of a protocol. */
struct describer {
    int protocol;
    bool (*is_asked)(const struct nlmsghdr *request);
    enum verdict (*answer)(const struct nlmsghdr *request, const struct wire_description *of,
                           struct answer *a);
};

/* Returns NULL for protocols whose requests are only the kernel's. */
static const struct describer *find_describer(int protocol)
{
    static const struct describer describers[] = {
        {NETLINK_ROUTE, route_is_asked, route_answer},
        {NETLINK_SOCK_DIAG, rdma_is_asked, rdma_answer},        /* stands for NETLINK_RDMA */
        {NETLINK_GENERIC, devlink_is_asked, devlink_answer}};
    unsigned i;

    for (i = 0; i < sizeof(describers) / sizeof(describers[0]); i++)
        if (describers[i].protocol == protocol)
            return &describers[i];
    return NULL;
}

/* Returns the protocol of a netlink socket that may carry requests about the machine, or -1. */
static int netlink_protocol(int fd)
{
    int domain, protocol;

    if (sim_machine_dir() == NULL || socket_option(fd, SO_DOMAIN, &domain, sizeof(domain)) != 0 ||
        domain != AF_NETLINK || socket_option(fd, SO_PROTOCOL, &protocol, sizeof(protocol)) != 0)
        return -1;
    return find_describer(protocol) != NULL ? protocol : -1;
}

static uint64_t socket_cookie(int fd)
{
    uint64_t cookie = 0;

    return socket_option(fd, SO_COOKIE, &cookie, sizeof(cookie)) == 0 ? cookie : 0;
}

/* Copies between buffers of the program and of this library. The kernel copies, so a wrong address
 * of the program does not crash it. Returns the number of bytes, or -1 with errno. */
static long copy(const struct iovec *to, size_t num_to, const struct iovec *from, size_t num_from)
{
    return sim_sys_call(SYS_process_vm_readv, getpid(), (long)to, (long)num_to, (long)from,
                        (long)num_from, 0);
}

/* ---- sending -------------------------------------------------------------------------------- */

/* True when the bytes begin with a complete message. */
static bool is_message(const unsigned char *data, size_t bytes)
{
    const struct nlmsghdr *message = (const void *)data;

    return bytes >= sizeof(*message) && message->nlmsg_len >= sizeof(*message) &&
        message->nlmsg_len <= bytes;
}

/* Copies a packet of the program. Returns its bytes, or 0 when it is longer than the buffer or has
 * a wrong address. The kernel has read the list of parts before this function reads it. */
static size_t copy_packet(const struct msghdr *msg, unsigned char *buf, size_t bytes)
{
    const struct iovec to = {buf, bytes};
    const long n = copy(&to, 1, msg->msg_iov, msg->msg_iovlen);
    size_t sum = 0, i;

    for (i = 0; n > 0 && i < msg->msg_iovlen && sum <= bytes; i++)
        sum += msg->msg_iov[i].iov_len;
    return n > 0 && sum == (size_t)n ? sum : 0;
}

/* Reads the request of a packet to the kernel. Bytes that are no message may follow it. Returns the
 * bytes of the packet, or 0 for all other packets, such as those with several requests. */
static size_t read_request(const struct msghdr *msg, unsigned char *buf, size_t bytes)
{
    const struct nlmsghdr *request = (const void *)buf;
    const int error = errno;
    struct sockaddr_nl name = {0};
    size_t at, n = 0;

    if (msg->msg_iovlen > IOV_MAX)
        return 0;
    if (msg->msg_name == NULL ||
        (msg->msg_namelen >= sizeof(name) &&
         copy(&(struct iovec){&name, sizeof(name)}, 1,
              &(struct iovec){msg->msg_name, sizeof(name)}, 1) == (long)sizeof(name) &&
         name.nl_pid == 0 && name.nl_groups == 0))
        n = copy_packet(msg, buf, bytes);
    errno = error;
    if (!is_message(buf, n))
        return 0;
    at = NLMSG_ALIGN(request->nlmsg_len);
    return at < n && is_message(buf + at, n - at) ? 0 : n;
}

/* Returns the answer to a request, or NULL when the request is only the kernel's. */
static struct kept *answer_to(int protocol, const struct nlmsghdr *request)
{
    const struct describer *describer = find_describer(protocol);
    struct wire_description description;
    struct kept *kept;

    if (!describer->is_asked(request) || !description_get(&description))
        return NULL;
    kept = map_memory(sizeof(*kept));
    if (kept == NULL)
        return NULL;
    kept->seq = request->nlmsg_seq;
    kept->verdict = describer->answer(request, &description, &kept->answer);
    if (kept->verdict != VERDICT_PASS && kept->answer.bytes > 0)
        return kept;
    drop(kept);
    return NULL;
}

/* Sends, in place of a request, a message that does nothing. The kernel acknowledges it with the
 * sequence number of the request. */
static bool send_nothing(int fd, const struct msghdr *msg, uint32_t seq, int flags)
{
    struct nlmsghdr nothing = {.nlmsg_len = sizeof(nothing), .nlmsg_type = NLMSG_NOOP,
                               .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK, .nlmsg_seq = seq};
    struct iovec iov = {&nothing, sizeof(nothing)};
    struct msghdr out = {.msg_name = msg->msg_name, .msg_namelen = msg->msg_namelen,
                         .msg_iov = &iov, .msg_iovlen = 1};

    return SIM_REAL(sendmsg)(fd, &out, flags) == (ssize_t)sizeof(nothing);
}

/* Drops the answer to a request that the kernel has not received. errno stays as it is. */
static void forget(uint64_t socket, uint32_t seq)
{
    const uint64_t blocked = lock();
    struct kept *kept = take(socket, seq);

    if (kept != NULL)
        drop(kept);
    unlock(blocked);
}

/* Needs a large stack frame, and must not be a part of netlink_send(): sockets of other kinds send
 * from small stacks, such as those of signal handlers. */
__attribute__((noinline)) static ssize_t send_request(int fd, int protocol,
                                                      const struct msghdr *msg, int flags)
{
    _Alignas(8) unsigned char request[REQUEST_BYTES];
    size_t bytes = read_request(msg, request, sizeof(request));
    struct kept *kept = bytes > 0 ? answer_to(protocol, (void *)request) : NULL;
    const uint64_t cookie = kept != NULL ? socket_cookie(fd) : 0;
    enum verdict verdict;
    uint64_t blocked;
    ssize_t n;
    uint32_t seq;

    if (kept == NULL)
        return SIM_REAL(sendmsg)(fd, msg, flags);
    kept->socket = cookie;
    verdict = kept->verdict;
    seq = kept->seq;
    blocked = lock();
    keep(kept);                 /* before the kernel answers: another thread may receive */
    unlock(blocked);
    if (verdict == VERDICT_ADD)
        n = SIM_REAL(sendmsg)(fd, msg, flags);
    else
        n = send_nothing(fd, msg, seq, flags) ? (ssize_t)bytes : -1;
    if (n < 0)
        forget(cookie, seq);
    return n;
}

ssize_t netlink_send(int fd, const struct msghdr *msg, int flags)
{
    const int protocol = netlink_protocol(fd);

    return protocol >= 0 ? send_request(fd, protocol, msg, flags)
        : SIM_REAL(sendmsg)(fd, msg, flags);
}

/* ---- receiving ------------------------------------------------------------------------------ */

/* A packet of the kernel, and later the packet that the program receives for it. */
struct packet {
    const struct nlmsghdr *first;
    size_t bytes, tail;         /* `tail`: offset of the message that ends a list, or 0 */
    unsigned char *data;        /* the kernel's packet, followed by room for an answer */
    size_t mapped;
};

/* Finds the message that ends a list. */
static size_t find_tail(const struct packet *p)
{
    const struct nlmsghdr *message;
    size_t at;

    for (at = 0; at + sizeof(*message) <= p->bytes; at += NLMSG_ALIGN(message->nlmsg_len)) {
        message = (const void *)(p->data + at);
        if (message->nlmsg_len < sizeof(*message))
            break;
        if (message->nlmsg_type == NLMSG_DONE)
            return at;
    }
    return p->bytes;
}

/* Receives without waiting. In contrast to the functions of libc, it is no cancellation point. */
static long receive_bytes(int fd, void *data, size_t bytes, int flags, struct sockaddr_nl *from)
{
    socklen_t from_bytes = sizeof(*from);

    return sim_sys_call(SYS_recvfrom, fd, (long)data, (long)bytes, flags | MSG_DONTWAIT, (long)from,
                        from != NULL ? (long)&from_bytes : 0);
}

/* Looks at the next packet of the kernel without taking it. A read of more bytes than the program's
 * would make the kernel send longer packets, so only the bytes that the packet has are read.
 * Returns 1, or 0 for a packet that has nothing to do with an answer, or -1 with errno. */
static int look(int fd, struct packet *p)
{
    struct nlmsghdr header;
    struct sockaddr_nl from = {0};
    long n = receive_bytes(fd, &header, sizeof(header), MSG_PEEK | MSG_TRUNC, &from);

    *p = (struct packet){0};
    if (n < (long)sizeof(header) || from.nl_pid != 0)
        return n < 0 ? -1 : 0;
    p->bytes = (size_t)n;
    p->mapped = p->bytes + ANSWER_BYTES;
    p->data = map_memory(p->mapped);
    if (p->data == NULL)
        return 0;
    n = receive_bytes(fd, p->data, p->bytes, MSG_PEEK, NULL);
    p->first = (const void *)p->data;
    if (n == (long)p->bytes)
        return 1;
    sim_munmap(p->data, p->mapped);
    return 0;
}

/* Sets the port number in messages of this library. */
static void set_port(unsigned char *data, size_t bytes, uint32_t port)
{
    struct nlmsghdr *message;
    size_t at;

    for (at = 0; at < bytes; at += NLMSG_ALIGN(message->nlmsg_len)) {
        message = (void *)(data + at);
        message->nlmsg_pid = port;
    }
}

/* Returns the bytes of an answer's next packet: the messages that fit, at least the first message.
 * An acknowledgement is a packet of its own, as the kernel sends it. */
static size_t next_packet(const struct kept *kept, size_t room)
{
    const struct nlmsghdr *message;
    size_t at = kept->at, next;

    while (at < kept->answer.bytes) {
        message = (const void *)(kept->answer.data + at);
        next = at + NLMSG_ALIGN(message->nlmsg_len);
        if (at > kept->at && (next - kept->at > room || message->nlmsg_type == NLMSG_ERROR))
            break;
        at = next;
    }
    return at - kept->at;
}

/* Joins the kernel's packet and the answer, when they fit. Otherwise makes a packet of the answer's
 * next messages; the kernel's packet then stays. Returns the bytes of the packet in p->data. */
static size_t join(struct packet *p, const struct kept *kept, size_t room, size_t *from_answer)
{
    const size_t rest = kept->answer.bytes - kept->at, tail = p->bytes - p->tail;
    const uint32_t port = p->first->nlmsg_pid;
    const bool is_joined = kept->verdict == VERDICT_ADD && p->bytes + rest <= room;

    *from_answer = is_joined ? rest : next_packet(kept, room);
    if (!is_joined)
        p->bytes = p->tail = 0;
    else
        memmove(p->data + p->tail + rest, p->data + p->tail, tail);
    memcpy(p->data + p->tail, kept->answer.data + kept->at, *from_answer);
    set_port(p->data + p->tail, *from_answer, port);
    return p->bytes + *from_answer;
}

/* Gives a packet to the program as recvmsg() does. */
static ssize_t give(struct msghdr *msg, int flags, const struct packet *p, size_t bytes,
                    size_t room)
{
    static const struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
    const struct iovec from = {p->data, bytes};
    long n = copy(msg->msg_iov, msg->msg_iovlen, &from, 1);

    if (n < 0 || (size_t)n < (bytes < room ? bytes : room)) {
        errno = EFAULT;
        return -1;
    }
    if (msg->msg_name != NULL)
        memcpy(msg->msg_name, &kernel,
               msg->msg_namelen < sizeof(kernel) ? msg->msg_namelen : sizeof(kernel));
    msg->msg_namelen = msg->msg_name != NULL ? sizeof(kernel) : 0;
    msg->msg_controllen = 0;
    msg->msg_flags = (size_t)n < bytes ? MSG_TRUNC : 0;
    return (flags & MSG_TRUNC) != 0 ? (ssize_t)bytes : n;
}

/* Delivers the answer that belongs to the kernel's packet `p`. */
static ssize_t deliver(int fd, struct msghdr *msg, int flags, struct packet *p, struct kept *kept,
                       size_t room)
{
    const bool is_peek = (flags & MSG_PEEK) != 0;
    /* The program asks for the length of the packet, to receive it with a buffer of that length.
     * So the packet is as long as if there was enough room. */
    const bool is_question = is_peek && (flags & MSG_TRUNC) != 0;
    size_t from_answer, bytes = join(p, kept, is_question ? SIZE_MAX : room, &from_answer);
    ssize_t n = give(msg, flags, p, bytes, room);

    if (is_peek || n < 0) {
        keep(kept);
        return n;
    }
    kept->at += from_answer;
    if (kept->at < kept->answer.bytes) {
        keep(kept);
        return n;
    }
    if (p->bytes > 0 || kept->verdict == VERDICT_REPLACE)
        receive_bytes(fd, NULL, 0, 0, NULL);    /* the kernel's packet has been delivered */
    drop(kept);
    return n;
}

/* Returns the answer that the kernel's packet lets the program receive, or NULL. */
static struct kept *answer_at(uint64_t cookie, struct packet *p)
{
    struct kept *kept = take(cookie, p->first->nlmsg_seq);
    const bool is_error = p->first->nlmsg_type == NLMSG_ERROR;

    if (kept == NULL || kept->verdict == VERDICT_REPLACE)
        return kept;
    if (is_error) {             /* the kernel refuses to list anything */
        drop(kept);
        return NULL;
    }
    p->tail = find_tail(p);
    if (p->tail < p->bytes)
        return kept;
    keep(kept);                 /* more packets of the list follow */
    return NULL;
}

/* Receives the next packet, without waiting for it. The caller has locked. */
static ssize_t receive_next(int fd, uint64_t cookie, struct msghdr *msg, int flags)
{
    struct packet packet;
    struct kept *kept = NULL;
    size_t room = 0, i;
    ssize_t n = look(fd, &packet);

    if (n < 0)
        return -1;
    if (n > 0) {
        kept = answer_at(cookie, &packet);
        for (i = 0; kept != NULL && i < msg->msg_iovlen; i++)
            room += msg->msg_iov[i].iov_len;
        if (kept != NULL)
            n = deliver(fd, msg, flags, &packet, kept, room);
        sim_munmap(packet.data, packet.mapped);
    }
    return kept != NULL ? n
        : sim_sys_call(SYS_recvmsg, fd, (long)msg, flags | MSG_DONTWAIT, 0, 0, 0);
}

/* A thread waits for a packet before it locks, and looks for an answer when the packet is there:
 * another thread may send the request while this one waits, and may receive the packet. */
ssize_t netlink_receive(int fd, struct msghdr *msg, int flags)
{
    const uint64_t cookie = netlink_protocol(fd) >= 0 ? socket_cookie(fd) : 0;
    const int error = errno;
    uint64_t blocked;
    ssize_t n;

    if (cookie == 0 || msg->msg_iovlen > IOV_MAX || (flags & (MSG_OOB | MSG_ERRQUEUE)) != 0)
        return SIM_REAL(recvmsg)(fd, msg, flags);
    do {
        if (SIM_REAL(recvfrom)(fd, NULL, 0, MSG_PEEK | (flags & MSG_DONTWAIT), NULL, NULL) < 0)
            return -1;
        blocked = lock();
        n = receive_next(fd, cookie, msg, flags);
        unlock(blocked);
    } while (n < 0 && errno == EAGAIN);
    if (n >= 0)
        errno = error;
    return n;
}
