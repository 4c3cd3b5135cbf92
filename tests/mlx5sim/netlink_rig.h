/* Helpers for tests of netlink: requests, and the messages that answer them. */
#ifndef MLX5SIM_TEST_NETLINK_RIG_H
#define MLX5SIM_TEST_NETLINK_RIG_H

#include "rig.h"

#include <arpa/inet.h>
#include <linux/devlink.h>
#include <linux/genetlink.h>
#include <linux/if_addr.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <rdma/rdma_netlink.h>
#include <sys/socket.h>

/* ---- requests ------------------------------------------------------------------------------- */

struct request {
    struct nlmsghdr header;
    _Alignas(4) unsigned char body[5000];
};

static struct request begin(unsigned type, unsigned flags, const void *header, size_t bytes)
{
    struct request r = { .header = { .nlmsg_type = (uint16_t)type,
                                     .nlmsg_flags = (uint16_t)(NLM_F_REQUEST | flags),
                                     .nlmsg_seq = 77 } };

    if (bytes > 0)
        memcpy(r.body, header, bytes);
    r.header.nlmsg_len = (uint32_t)(sizeof(r.header) + bytes);
    return r;
}

static void add(struct request *r, unsigned type, const void *data, size_t bytes)
{
    struct nlattr *attribute = (void *)((char *)r + NLMSG_ALIGN(r->header.nlmsg_len));

    *attribute = (struct nlattr){ (uint16_t)(sizeof(*attribute) + bytes), (uint16_t)type };
    memcpy(attribute + 1, data, bytes);
    r->header.nlmsg_len = NLMSG_ALIGN(r->header.nlmsg_len);
    r->header.nlmsg_len += (uint32_t)NLA_ALIGN(attribute->nla_len);
}

static struct request link_request(unsigned flags, int index, const char *name)
{
    struct ifinfomsg header = { .ifi_index = index };
    struct request r = begin(RTM_GETLINK, flags, &header, sizeof(header));

    if (name != NULL)
        add(&r, IFLA_IFNAME, name, strlen(name) + 1);
    return r;
}

/* The number of the family devlink, which the emulator has in place of the kernel. */
enum { DEVLINK_FAMILY = GENL_MAX_ID };

static struct request generic_request(unsigned type, unsigned flags, uint8_t command)
{
    const struct genlmsghdr header = { .cmd = command, .version = 1 };

    return begin(type, flags, &header, sizeof(header));
}

static struct request address_request(int family, unsigned index)
{
    struct ifaddrmsg header = { .ifa_family = (uint8_t)family, .ifa_index = index };

    return begin(RTM_GETADDR, NLM_F_DUMP, &header, sizeof(header));
}

static struct request device_request(unsigned op, unsigned flags, const uint32_t *index)
{
    struct request r = begin(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, op), flags, NULL, 0);

    if (index != NULL)
        add(&r, RDMA_NLDEV_ATTR_DEV_INDEX, index, sizeof(*index));
    return r;
}

static int open_netlink(int protocol)
{
    struct sockaddr_nl at = { .nl_family = AF_NETLINK };
    struct timeval limit = { .tv_sec = 20 };
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);

    CHECK(fd >= 0);
    CHECK_EQ(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
    CHECK_EQ(setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)), 0);
    return fd;
}

static void send_request(int fd, const struct request *r)
{
    CHECK_EQ(send(fd, r, r->header.nlmsg_len, 0), r->header.nlmsg_len);
}

/* ---- replies -------------------------------------------------------------------------------- */

/* The messages that answer a request, without the one that ends a list. */
struct reply {
    unsigned num, num_packets;
    int error;                  /* errno, 0: an acknowledgement; -1: no message said any */
    bool has_end;
    size_t bytes;
    _Alignas(4) unsigned char data[65536];
};

/* Adds the messages of a packet. Returns true when nothing follows them. */
static bool add_packet(struct reply *out, const unsigned char *data, size_t bytes, uint32_t port)
{
    bool is_last = false;

    out->num_packets++;
    for (size_t at = 0; at + sizeof(struct nlmsghdr) <= bytes;) {
        const struct nlmsghdr *message = (const void *)(data + at);

        CHECK(message->nlmsg_len >= sizeof(*message) && message->nlmsg_len <= bytes - at);
        CHECK_EQ(message->nlmsg_seq, 77);
        CHECK_EQ(message->nlmsg_pid, port);
        CHECK(!is_last);
        at += NLMSG_ALIGN(message->nlmsg_len);
        if (message->nlmsg_type == NLMSG_ERROR)
            out->error = -((const struct nlmsgerr *)(message + 1))->error;
        out->has_end = out->has_end || message->nlmsg_type == NLMSG_DONE;
        is_last = is_last || message->nlmsg_type < NLMSG_MIN_TYPE ||
            (message->nlmsg_flags & NLM_F_MULTI) == 0;
        if (message->nlmsg_type < NLMSG_MIN_TYPE)
            continue;
        CHECK(out->bytes + message->nlmsg_len <= sizeof(out->data));
        memcpy(out->data + out->bytes, message, message->nlmsg_len);
        out->bytes += NLMSG_ALIGN(message->nlmsg_len);
        out->num++;
    }
    return is_last;
}

static _Thread_local struct reply received;

/* Receives packets until a message ends the answer, or no message follows. */
static void receive_packets(int fd, size_t room)
{
    static _Thread_local _Alignas(4) unsigned char packet[65536];
    struct sockaddr_nl from, self;
    socklen_t bytes = sizeof(self);
    ssize_t n, expected;

    CHECK_EQ(getsockname(fd, (struct sockaddr *)&self, &bytes), 0);
    do {
        struct iovec iov = { packet, room };
        struct msghdr msg = { .msg_name = &from, .msg_namelen = sizeof(from), .msg_iov = &iov,
                              .msg_iovlen = 1 };

        expected = -1;
        if (room == 0) {
            iov.iov_len = 0;
            expected = recvmsg(fd, &msg, MSG_PEEK | MSG_TRUNC);
            CHECK(expected > 0 && expected <= (ssize_t)sizeof(packet));
            CHECK_EQ(msg.msg_flags & MSG_TRUNC, MSG_TRUNC);
            iov.iov_len = (size_t)expected;
            msg.msg_namelen = sizeof(from);
        }
        n = recvmsg(fd, &msg, 0);
        CHECK(n > 0 && (expected < 0 || n == expected));
        CHECK_EQ(msg.msg_flags & MSG_TRUNC, 0);
        CHECK(msg.msg_namelen == sizeof(from) && from.nl_family == AF_NETLINK && from.nl_pid == 0);
    } while (!add_packet(&received, packet, (size_t)n, self.nl_pid));
}

/* Receives the answer to a request, with a buffer of `room` bytes for each packet; with room 0, a
 * buffer of the length that the packet has. An acknowledgement behind the answer is not a part of
 * it: the kernel sends it as another packet. */
static const struct reply *receive(int fd, size_t room)
{
    memset(&received, 0, offsetof(struct reply, data));
    received.error = -1;
    receive_packets(fd, room);
    return &received;
}

/* Returns the whole answer to a request, with the acknowledgement that it demands. */
static const struct reply *ask(int protocol, const struct request *r, size_t room)
{
    int fd = open_netlink(protocol);
    char rest[16];

    send_request(fd, r);
    receive(fd, room);
    if (received.error == -1 && !received.has_end && (r->header.nlmsg_flags & NLM_F_ACK) != 0) {
        CHECK_EQ(received.num_packets, 1);
        receive_packets(fd, room);
        CHECK(received.num_packets == 2 && received.error == 0);
    }
    CHECK_EQ(recv(fd, rest, sizeof(rest), MSG_DONTWAIT), -1);
    CHECK_EQ(errno, EAGAIN);
    close(fd);
    return &received;
}

static const void *attribute(const struct nlmsghdr *message, size_t header, unsigned type)
{
    for (size_t at = NLMSG_SPACE(header); at + sizeof(struct nlattr) <= message->nlmsg_len;) {
        const struct nlattr *a = (const void *)((const char *)message + at);

        CHECK(a->nla_len >= sizeof(*a) && a->nla_len <= message->nlmsg_len - at);
        if ((a->nla_type & NLA_TYPE_MASK) == type)
            return a + 1;
        at += (size_t)NLA_ALIGN(a->nla_len);
    }
    return NULL;
}

#define EACH(message, reply)                                                                       \
    (const struct nlmsghdr *message = (const void *)(reply)->data;                                 \
     (const unsigned char *)message < (reply)->data + (reply)->bytes;                              \
     message = (const void *)((const char *)message + NLMSG_ALIGN(message->nlmsg_len)))

/* Returns the only message about the interface with this name, or NULL. */
static const struct nlmsghdr *link_named(const struct reply *reply, const char *name)
{
    const struct nlmsghdr *found = NULL;

    for EACH (message, reply) {
        CHECK_EQ(message->nlmsg_type, RTM_NEWLINK);
        if (strcmp(attribute(message, sizeof(struct ifinfomsg), IFLA_IFNAME), name) != 0)
            continue;
        CHECK(found == NULL);
        found = message;
    }
    return found;
}

static bool has_address(const struct reply *reply, unsigned index, const char *text)
{
    unsigned char bytes[16];
    int family = strchr(text, ':') != NULL ? AF_INET6 : AF_INET;

    CHECK_EQ(inet_pton(family, text, bytes), 1);
    for EACH (message, reply) {
        const struct ifaddrmsg *header = NLMSG_DATA(message);

        CHECK_EQ(message->nlmsg_type, RTM_NEWADDR);
        if (header->ifa_index == index && header->ifa_family == family &&
            memcmp(attribute(message, sizeof(*header), IFA_ADDRESS), bytes,
                   family == AF_INET ? 4u : 16u) == 0)
            return true;
    }
    return false;
}

#endif
