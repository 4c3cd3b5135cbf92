/* The network interfaces of emulated functions, and the RDMA devices, as programs find them:
 * netlink, ioctl, and functions of libc. The functions are a (p0, 127.3.0.1) and b (p1, 10.0.9.2),
 * unless the comment of a case says otherwise. Every machine has the interface lo. */
#include "netlink_rig.h"

#include <dirent.h>
#include <ifaddrs.h>
#include <net/if_arp.h>
#include <netpacket/packet.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

enum { STRICT = 12, MANY = 150, CHUNK = 1200 }; /* STRICT: NETLINK_GET_STRICT_CHK */

/* ---- NETLINK_ROUTE -------------------------------------------------------------------------- */

static void interface_is_found_by_name_and_index(void)
{
    struct request r = link_request(0, 0, "p0");
    const struct reply *reply = ask(NETLINK_ROUTE, &r, 4096);
    const struct nlmsghdr *link = link_named(reply, "p0");
    int index;

    CHECK(link != NULL && reply->num == 1 && reply->error == -1);
    index = ((const struct ifinfomsg *)NLMSG_DATA(link))->ifi_index;
    CHECK_EQ(index, if_nametoindex("p0"));
    CHECK(memcmp(attribute(link, sizeof(struct ifinfomsg), IFLA_ADDRESS), "\x5c\x25\x73\xaa\0",
                 6) == 0);
    r = link_request(NLM_F_ACK, index, NULL);
    reply = ask(NETLINK_ROUTE, &r, 0);
    CHECK(link_named(reply, "p0") != NULL && reply->num == 1 && reply->error == 0);
    r = link_request(NLM_F_ACK, 0, "p7");
    CHECK_EQ(ask(NETLINK_ROUTE, &r, 4096)->error, ENODEV);
    r = link_request(0, 0, "lo");
    CHECK(link_named(ask(NETLINK_ROUTE, &r, 4096), "lo") != NULL);
}

/* The kernel sends the answer to a request with NLM_F_ACK, and then another packet with the
 * acknowledgement. */
static void acknowledgement_is_another_packet(void)
{
    const uint32_t first = 0;
    const struct request requests[] = { link_request(NLM_F_ACK, 0, "p0"),
                                        link_request(NLM_F_ACK, 0, "lo"),
                                        device_request(RDMA_NLDEV_CMD_GET, NLM_F_ACK, &first) };

    for (size_t i = 0; i < 3; i++) {
        const struct request *r = &requests[i];
        int fd = open_netlink(i < 2 ? NETLINK_ROUTE : NETLINK_RDMA);
        struct pollfd readable = { .fd = fd, .events = POLLIN };
        struct { struct nlmsghdr header; struct nlmsgerr body; char rest[64]; } ack;
        const struct reply *reply;

        send_request(fd, r);
        reply = receive(fd, 4096);
        CHECK(reply->num == 1 && reply->num_packets == 1 && reply->error == -1);
        CHECK_EQ(poll(&readable, 1, 10000), 1);
        CHECK_EQ(recv(fd, &ack, sizeof(ack), 0), sizeof(ack.header) + sizeof(ack.body));
        CHECK(ack.header.nlmsg_type == NLMSG_ERROR && ack.body.error == 0);
        CHECK_EQ(memcmp(&ack.body.msg, &r->header, sizeof(r->header)), 0);
        CHECK_EQ(poll(&readable, 1, 0), 0);
        close(fd);
    }
}

static void lists_have_interfaces_of_both_kinds(void)
{
    static const size_t rooms[] = { 0, 32768, 4096, CHUNK };
    const struct rtgenmsg all = { AF_UNSPEC };
    struct request r = begin(RTM_GETLINK, NLM_F_DUMP, &all, sizeof(all));

    for (size_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++) {
        /* the links of the kernel may need more room than CHUNK */
        struct request short_r = address_request(AF_INET, 0);
        const struct reply *reply = ask(NETLINK_ROUTE, rooms[i] == CHUNK ? &short_r : &r, rooms[i]);

        CHECK(reply->has_end);
        if (rooms[i] == CHUNK)
            CHECK(has_address(reply, if_nametoindex("p1"), "10.0.9.2") &&
                  has_address(reply, if_nametoindex("lo"), "127.0.0.1"));
        else
            CHECK(link_named(reply, "lo") != NULL && link_named(reply, "p0") != NULL &&
                  link_named(reply, "p1") != NULL);
    }
}

static void addresses_are_listed_by_family_and_interface(void)
{
    const unsigned p0 = if_nametoindex("p0"), p1 = if_nametoindex("p1"), lo = if_nametoindex("lo");
    struct request r = address_request(AF_UNSPEC, 0);
    const struct reply *reply = ask(NETLINK_ROUTE, &r, 32768);
    const char *link_local = "fe80::5e25:73ff:feaa:0"; /* GID 0 of an Ethernet port */
    int fd, on = 1;

    CHECK(has_address(reply, p0, "127.3.0.1") && has_address(reply, p1, "10.0.9.2"));
    CHECK(has_address(reply, p0, link_local) && has_address(reply, lo, "127.0.0.1"));
    r = address_request(AF_INET, 0);
    reply = ask(NETLINK_ROUTE, &r, 32768);
    CHECK(has_address(reply, p0, "127.3.0.1") && !has_address(reply, p0, link_local));
    r = address_request(AF_INET6, 0);
    reply = ask(NETLINK_ROUTE, &r, 0);
    CHECK(!has_address(reply, p0, "127.3.0.1") && has_address(reply, p0, link_local));
    r = address_request(AF_UNSPEC, p0);
    reply = ask(NETLINK_ROUTE, &r, 4096);
    CHECK(reply->num == 2 && reply->has_end && has_address(reply, p0, link_local));
    fd = open_netlink(NETLINK_ROUTE);
    CHECK_EQ(setsockopt(fd, SOL_NETLINK, STRICT, &on, sizeof(on)), 0);
    r = address_request(AF_INET, lo);
    send_request(fd, &r);
    reply = receive(fd, 4096);
    CHECK(has_address(reply, lo, "127.0.0.1") && !has_address(reply, p0, "127.3.0.1"));
    r = address_request(AF_INET, 999999);
    send_request(fd, &r);
    CHECK(receive(fd, 4096)->num == 0);
    close(fd);
}

/* The lists of the ports of bridges, and of one kind of interface; not that of a family. */
static void filtered_lists_have_no_emulated_interface(void)
{
    const struct rtgenmsg ipv4 = { AF_INET };
    struct ifinfomsg ports = { .ifi_family = AF_BRIDGE };
    struct request r = link_request(NLM_F_DUMP, 0, NULL);
    struct { struct nlattr kind; char text[8]; } info = { { 11, 1 }, "bridge" };
    const struct reply *reply;

    add(&r, IFLA_LINKINFO, &info, 12);
    reply = ask(NETLINK_ROUTE, &r, 32768);
    CHECK(link_named(reply, "p0") == NULL);
    CHECK(reply->has_end || reply->error > 0);
    r = begin(RTM_GETLINK, NLM_F_DUMP, &ports, sizeof(ports));
    CHECK(link_named(ask(NETLINK_ROUTE, &r, 32768), "p0") == NULL);
    r = begin(RTM_GETLINK, NLM_F_DUMP, &ipv4, sizeof(ipv4));
    reply = ask(NETLINK_ROUTE, &r, 32768);
    CHECK(link_named(reply, "p0") != NULL && link_named(reply, "lo") != NULL);
}

static void requests_of_wrong_length_are_refused_or_ignored(void)
{
    const struct rtgenmsg all = { AF_UNSPEC };
    struct request r = link_request(NLM_F_ACK, 0, "p0"), text;
    int fd = open_netlink(NETLINK_ROUTE);
    struct nlattr *name = (void *)(r.body + sizeof(struct ifinfomsg));
    const struct reply *reply;
    char rest[16];

    for (uint32_t bytes = 0; bytes < sizeof(r.header) + sizeof(struct ifinfomsg); bytes++) {
        r = begin(RTM_GETLINK, NLM_F_ACK, &all, sizeof(all));
        r.header.nlmsg_len = bytes;
        CHECK_EQ(send(fd, &r, sizeof(r.header) + sizeof(struct ifinfomsg), 0),
                 sizeof(r.header) + sizeof(struct ifinfomsg));
        if (bytes < sizeof(r.header))
            continue;           /* the kernel takes it for no message */
        reply = receive(fd, 4096);
        CHECK(reply->num == 0 && (reply->error > 0 || bytes == sizeof(r.header)));
    }
    r = link_request(NLM_F_ACK, 0, "p0");
    name->nla_len = 3;
    send_request(fd, &r);
    CHECK(receive(fd, 4096)->error > 0);
    name->nla_len = 100;
    send_request(fd, &r);
    CHECK(receive(fd, 4096)->error > 0);
    text = link_request(NLM_F_ACK, 0, NULL);
    add(&text, IFLA_IFNAME, "p0p0", 4); /* no null byte */
    send_request(fd, &text);
    CHECK(receive(fd, 4096)->error > 0);
    r = link_request(NLM_F_ACK, 0, "p0");
    r.header.nlmsg_len = 4900;  /* more bytes than the packet */
    CHECK_EQ(send(fd, &r, 60, 0), 60);
    CHECK_EQ(recv(fd, rest, sizeof(rest), MSG_DONTWAIT), -1);
    close(fd);
}

/* ---- sockets -------------------------------------------------------------------------------- */

static void socket_is_readable_when_an_answer_waits(void)
{
    struct request r = link_request(0, 0, "p1");
    int fd = open_netlink(NETLINK_ROUTE), copy;
    struct pollfd readable = { .fd = fd, .events = POLLIN };
    char first[16];

    CHECK_EQ(recv(fd, first, sizeof(first), MSG_DONTWAIT), -1);
    CHECK_EQ(errno, EAGAIN);
    CHECK_EQ(poll(&readable, 1, 0), 0);
    send_request(fd, &r);
    CHECK_EQ(poll(&readable, 1, 10000), 1);
    CHECK_EQ(recv(fd, first, sizeof(first), MSG_PEEK), sizeof(first));
    CHECK_EQ(recv(fd, first, sizeof(first), MSG_PEEK), sizeof(first));
    CHECK_EQ(((struct nlmsghdr *)first)->nlmsg_type, RTM_NEWLINK);
    CHECK_EQ(recv(fd, (void *)8, 100, MSG_PEEK), -1);
    CHECK_EQ(errno, EFAULT);
    copy = dup(fd);
    CHECK(link_named(receive(copy, 4096), "p1") != NULL);
    CHECK_EQ(poll(&readable, 1, 0), 0);
    close(copy);
    close(fd);
}

static void a_packet_that_is_cut_is_gone(void)
{
    struct request r = link_request(0, 0, "p1");
    int fd = open_netlink(NETLINK_ROUTE);
    char first[16];

    send_request(fd, &r);
    CHECK(recv(fd, first, sizeof(first), MSG_TRUNC) > 200);
    CHECK_EQ(recv(fd, first, sizeof(first), MSG_DONTWAIT), -1);
    CHECK_EQ(errno, EAGAIN);
    close(fd);
}

/* The answers of sockets that the program closes unread do not reach other sockets. */
static void unread_answers_are_forgotten(void)
{
    struct request r = link_request(0, 0, "p1");
    int fd;

    for (unsigned i = 0; i < MANY; i++) {
        fd = open_netlink(NETLINK_ROUTE);
        send_request(fd, &r);
        close(fd);
    }
    CHECK(link_named(ask(NETLINK_ROUTE, &r, 4096), "p1") != NULL);
}

static void *ask_often(void *arg)
{
    const struct rtgenmsg all = { AF_UNSPEC };
    struct request list = begin(RTM_GETLINK, NLM_F_DUMP, &all, sizeof(all));
    struct request one = link_request(0, 0, "p0");

    for (unsigned i = 0; i < MANY; i++) {
        CHECK(link_named(ask(NETLINK_ROUTE, &one, 4096), "p0") != NULL);
        CHECK(link_named(ask(NETLINK_ROUTE, &list, 32768), "p1") != NULL);
    }
    return arg;
}

static void threads_get_their_own_answers(void)
{
    pthread_t threads[4];

    for (unsigned i = 0; i < 4; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, ask_often, NULL), 0);
    for (unsigned i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

/* Waits until other threads of the process wait in the kernel. */
static void wait_until_asleep(unsigned num)
{
    unsigned asleep;
    char path[300], line[512];

    do {
        DIR *tasks = opendir("/proc/self/task");
        const struct dirent *task;

        CHECK(tasks != NULL);
        asleep = 0;
        while ((task = readdir(tasks)) != NULL) {
            FILE *file;

            snprintf(path, sizeof(path), "/proc/self/task/%s/stat", task->d_name);
            file = fopen(path, "r");
            if (file != NULL && fgets(line, sizeof(line), file) != NULL)
                asleep += strstr(line, ") S ") != NULL;
            if (file != NULL)
                fclose(file);
        }
        closedir(tasks);
    } while (asleep < num);
}

/* Waits until other threads have received all packets of a socket. */
static void wait_until_read(int fd)
{
    struct pollfd readable = { .fd = fd, .events = POLLIN };

    while (poll(&readable, 1, 0) != 0)
        sched_yield();
}

/* Receives MANY answers of a socket, together with other threads. */
static void *receive_links(void *arg)
{
    const int fd = *(const int *)arg;
    _Alignas(4) char data[4096];

    for (unsigned i = 0; i < MANY; i++) {
        CHECK(recv(fd, data, sizeof(data), 0) > 0);
        CHECK_EQ(((struct nlmsghdr *)data)->nlmsg_type, RTM_NEWLINK);
    }
    return NULL;
}

/* The threads wait before the requests are sent, and one of them gets each answer. */
static void threads_can_receive_from_one_socket(void)
{
    struct request r = link_request(0, 0, "p0");
    int fd = open_netlink(NETLINK_ROUTE);
    pthread_t threads[3];

    for (unsigned i = 0; i < 3; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, receive_links, &fd), 0);
    wait_until_asleep(3);
    for (unsigned i = 0; i < 3 * MANY; i++) {
        r.header.nlmsg_seq = i;
        send_request(fd, &r);
        if (i % 8 == 7)
            wait_until_read(fd);
    }
    for (unsigned i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    close(fd);
}

/* Sockets of other kinds, and requests of two parts, are as they are without the emulator. */
static void other_packets_pass(void)
{
    struct request r = link_request(0, 0, "p0"), second = link_request(NLM_F_ACK, 0, "lo");
    int pair[2], fd = open_netlink(NETLINK_ROUTE);
    char data[64] = "x";

    CHECK_EQ(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair), 0);
    CHECK_EQ(send(pair[0], &r, r.header.nlmsg_len, 0), r.header.nlmsg_len);
    CHECK_EQ(recv(pair[1], data, sizeof(data), 0), r.header.nlmsg_len);
    CHECK_EQ(((struct nlmsghdr *)data)->nlmsg_type, RTM_GETLINK);
    close(pair[0]);
    close(pair[1]);
    r.header.nlmsg_len = NLMSG_ALIGN(r.header.nlmsg_len);
    memcpy((char *)&r + r.header.nlmsg_len, &second, second.header.nlmsg_len);
    CHECK(send(fd, &r, r.header.nlmsg_len + second.header.nlmsg_len, 0) > 0);
    CHECK_EQ(receive(fd, 4096)->error, ENODEV);
    CHECK(link_named(receive(fd, 4096), "lo") != NULL);
    CHECK_EQ(receive(fd, 4096)->error, 0);
    CHECK_EQ(send(fd, (void *)8, 100, 0), -1);
    CHECK_EQ(errno, EFAULT);
    CHECK_EQ(send(-1, &r, 40, 0), -1);
    CHECK_EQ(errno, EBADF);
    close(fd);
}

/* The whole packet is sent, and the kernel ignores what follows the last message. */
static void bytes_behind_a_request_are_sent(void)
{
    struct request r = link_request(0, 0, "p0"), second = link_request(NLM_F_ACK, 0, "p7");
    const size_t bytes = NLMSG_ALIGN(r.header.nlmsg_len), far = 4080;
    struct iovec parts[2] = { { &r, bytes }, { (char *)&r + bytes, 512 } };
    struct msghdr msg = { .msg_iov = parts, .msg_iovlen = 2 };
    int fd = open_netlink(NETLINK_ROUTE);

    CHECK_EQ(send(fd, &r, bytes + 512, 0), bytes + 512);
    CHECK(link_named(receive(fd, 4096), "p0") != NULL);
    CHECK_EQ(sendmsg(fd, &msg, 0), bytes + 512);
    CHECK(link_named(receive(fd, 4096), "p0") != NULL);
    parts[1].iov_base = (void *)8;
    CHECK(sendmsg(fd, &msg, 0) == -1 && errno == EFAULT);
    msg.msg_iov = (void *)8;
    CHECK(sendmsg(fd, &msg, 0) == -1 && errno == EFAULT);
    /* the second request crosses the end of the first 4096 bytes */
    r = link_request(NLM_F_ACK, 0, "p0");
    r.header.nlmsg_len = (uint32_t)far;
    memcpy((char *)&r + far, &second, second.header.nlmsg_len);
    CHECK_EQ(send(fd, &r, far + second.header.nlmsg_len, 0), far + second.header.nlmsg_len);
    CHECK(receive(fd, 8192)->error > 0);
    CHECK_EQ(receive(fd, 4096)->error, ENODEV);
    close(fd);
}

static int small_pair[2];
static volatile sig_atomic_t num_small;

static void send_and_receive(int signal)
{
    char byte = 's';

    (void)signal;
    num_small = (int)send(small_pair[0], &byte, 1, 0);
    num_small += (int)recv(small_pair[1], &byte, 1, 0);
}

/* A process with netlink sockets uses another socket on the stack of a signal handler. The page
 * below this stack cannot be accessed. */
static void other_sockets_need_a_small_stack(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t bytes = (getauxval(AT_MINSIGSTKSZ) + 4096 + page - 1) / page * page;
    char *map = mmap(NULL, page + bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct sigaction action = { .sa_handler = send_and_receive, .sa_flags = SA_ONSTACK }, old;
    stack_t stack = { .ss_sp = map + page, .ss_size = bytes }, old_stack;

    CHECK(map != MAP_FAILED && mprotect(map + page, bytes, PROT_READ | PROT_WRITE) == 0);
    close(open_netlink(NETLINK_ROUTE));
    CHECK_EQ(socketpair(AF_UNIX, SOCK_DGRAM, 0, small_pair), 0);
    send_and_receive(0); /* the first call looks up functions of libc, and needs a larger stack */
    num_small = 0;
    CHECK(sigaltstack(&stack, &old_stack) == 0 && sigaction(SIGUSR1, &action, &old) == 0);
    CHECK_EQ(raise(SIGUSR1), 0);
    CHECK(sigaltstack(&old_stack, NULL) == 0 && sigaction(SIGUSR1, &old, NULL) == 0);
    CHECK_EQ(num_small, 2);
    close(small_pair[0]);
    close(small_pair[1]);
    munmap(map, page + bytes);
}

/* ---- NETLINK_RDMA --------------------------------------------------------------------------- */

static void rdma_devices_are_listed(void)
{
    struct request r = device_request(RDMA_NLDEV_CMD_GET, NLM_F_DUMP, NULL);
    const struct reply *reply = ask(NETLINK_RDMA, &r, 4096);
    const uint32_t b = 1;
    const struct nlmsghdr *message = (const void *)reply->data;

    CHECK(reply->num == 2 && reply->has_end);
    CHECK(strcmp(attribute(message, 0, RDMA_NLDEV_ATTR_DEV_NAME), "a") == 0);
    CHECK(strcmp(attribute(message, 0, RDMA_NLDEV_ATTR_DEV_PROTOCOL), "roce") == 0);
    r = device_request(RDMA_NLDEV_CMD_GET, NLM_F_ACK, &b);
    reply = ask(NETLINK_RDMA, &r, 0);
    CHECK(reply->num == 1 && reply->error == 0);
    CHECK(strcmp(attribute(message, 0, RDMA_NLDEV_ATTR_DEV_NAME), "b") == 0);
    r = device_request(RDMA_NLDEV_CMD_PORT_GET, NLM_F_DUMP, &b);
    reply = ask(NETLINK_RDMA, &r, 4096);
    CHECK(reply->num == 1 && reply->has_end);
    CHECK(strcmp(attribute(message, 0, RDMA_NLDEV_ATTR_NDEV_NAME), "p1") == 0);
    CHECK_EQ(*(const uint32_t *)attribute(message, 0, RDMA_NLDEV_ATTR_NDEV_INDEX),
             if_nametoindex("p1"));
    r = device_request(RDMA_NLDEV_CMD_GET_CHARDEV, 0, &b);
    add(&r, RDMA_NLDEV_ATTR_CHARDEV_TYPE, "uverbs", 7);
    reply = ask(NETLINK_RDMA, &r, 4096);
    CHECK(strcmp(attribute(message, 0, RDMA_NLDEV_ATTR_CHARDEV_NAME), "uverbs1") == 0);
}

/* ---- NETLINK_GENERIC ------------------------------------------------------------------------ */

static void devlink_describes_pci_functions(void)
{
    struct request r = generic_request(GENL_ID_CTRL, 0, CTRL_CMD_GETFAMILY);
    const struct nlmsghdr *message;
    const struct reply *reply;

    add(&r, CTRL_ATTR_FAMILY_NAME, "devlink", 8);
    message = (const void *)ask(NETLINK_GENERIC, &r, 4096)->data;
    CHECK_EQ(*(const uint16_t *)attribute(message, sizeof(struct genlmsghdr), CTRL_ATTR_FAMILY_ID),
             DEVLINK_FAMILY);
    r = generic_request(DEVLINK_FAMILY, NLM_F_DUMP, DEVLINK_CMD_GET);
    reply = ask(NETLINK_GENERIC, &r, 4096);
    CHECK(reply->num == 2 && reply->has_end);
    r = generic_request(DEVLINK_FAMILY, 0, DEVLINK_CMD_PARAM_GET);
    add(&r, DEVLINK_ATTR_BUS_NAME, "pci", 4);
    add(&r, DEVLINK_ATTR_DEV_NAME, "0000:03:00.0", 13);
    CHECK_EQ(ask(NETLINK_GENERIC, &r, 4096)->error, EINVAL);    /* no parameter is named */
    add(&r, DEVLINK_ATTR_PARAM_NAME, "enable_roce", 12);
    reply = ask(NETLINK_GENERIC, &r, 4096);
    CHECK(reply->num == 1);
    message = (const void *)reply->data;
    CHECK(attribute(message, sizeof(struct genlmsghdr), DEVLINK_ATTR_PARAM));
    r = generic_request(DEVLINK_FAMILY, 0, DEVLINK_CMD_ESWITCH_GET);
    CHECK_EQ(ask(NETLINK_GENERIC, &r, 4096)->error, EOPNOTSUPP);
    r = generic_request(DEVLINK_FAMILY, 0, DEVLINK_CMD_GET);
    CHECK_EQ(ask(NETLINK_GENERIC, &r, 4096)->error, ENODEV);    /* no function is named */
    r.header.nlmsg_len = sizeof(r.header);      /* without a header of the family */
    CHECK_EQ(ask(NETLINK_GENERIC, &r, 4096)->error, EOPNOTSUPP);
}

/* Other families are the kernel's. */
static void other_families_pass(void)
{
    struct request r = generic_request(GENL_ID_CTRL, 0, CTRL_CMD_GETFAMILY);
    const struct nlmsghdr *message;

    add(&r, CTRL_ATTR_FAMILY_NAME, "nlctrl", 7);
    message = (const void *)ask(NETLINK_GENERIC, &r, 4096)->data;
    CHECK_EQ(*(const uint16_t *)attribute(message, sizeof(struct genlmsghdr), CTRL_ATTR_FAMILY_ID),
             GENL_ID_CTRL);
}

/* Returns how many objects of a kind the first device has, by the summary of resources. */
static uint64_t resources(const char *kind)
{
    const uint32_t index = 0;
    struct request r = device_request(RDMA_NLDEV_CMD_RES_GET, 0, &index);
    const struct nlmsghdr *message = (const void *)ask(NETLINK_RDMA, &r, 4096)->data;
    const unsigned char *table = attribute(message, 0, RDMA_NLDEV_ATTR_RES_SUMMARY);
    const struct nlattr *head = (const void *)(table - sizeof(struct nlattr)), *entry;
    uint64_t value;

    for (size_t at = 0, end = head->nla_len - sizeof(*head); at < end;
         at += (size_t)NLA_ALIGN(entry->nla_len)) {
        const struct nlattr *name, *number;

        entry = (const void *)(table + at);
        name = entry + 1;
        number = (const void *)((const char *)name + NLA_ALIGN(name->nla_len));
        CHECK_EQ(name->nla_type, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME);
        CHECK_EQ(number->nla_type, RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR);
        memcpy(&value, number + 1, sizeof(value));
        if (strcmp((const char *)(name + 1), kind) == 0)
            return value;
    }
    return UINT64_MAX;
}

static void resources_are_counted(void)
{
    struct ibv_device **list = ibv_get_device_list(NULL);
    struct ibv_context *context;
    struct ibv_pd *pd;
    struct ibv_mr *mr;
    static char memory[4096];
    uint64_t pds;

    CHECK(list != NULL && list[0] != NULL);
    for (size_t i = 0; list[i] != NULL; i++)
        if (strcmp(ibv_get_device_name(list[i]), "a") == 0)
            list[0] = list[i];
    CHECK_EQ(resources("ctx"), 0);
    CHECK((context = ibv_open_device(list[0])) != NULL);
    pds = resources("pd");
    CHECK((pd = ibv_alloc_pd(context)) != NULL);
    CHECK((mr = ibv_reg_mr(pd, memory, sizeof(memory), 0)) != NULL);
    CHECK(resources("ctx") == 1 && resources("pd") == pds + 1 && resources("mr") == 1);
    CHECK(resources("qp") == 0 && resources("cm_id") == 0 && resources("nothing") == UINT64_MAX);
    CHECK(ibv_dereg_mr(mr) == 0 && ibv_dealloc_pd(pd) == 0 && ibv_close_device(context) == 0);
    CHECK(resources("ctx") == 0 && resources("pd") == 0);
    ibv_free_device_list(list);
}

static void wrong_requests_about_rdma_devices_are_refused(void)
{
    const uint32_t first = 0, missing = 2, port = 1, no_port = 2;
    struct request r = device_request(RDMA_NLDEV_CMD_GET, 0, NULL);

    CHECK_EQ(ask(NETLINK_RDMA, &r, 4096)->error, EINVAL);
    r = device_request(RDMA_NLDEV_CMD_GET, 0, &missing);
    CHECK_EQ(ask(NETLINK_RDMA, &r, 4096)->error, EINVAL);
    r = device_request(RDMA_NLDEV_CMD_GET, 0, NULL);
    add(&r, RDMA_NLDEV_ATTR_DEV_INDEX, "\0\0", 2);
    CHECK_EQ(ask(NETLINK_RDMA, &r, 4096)->error, EINVAL);
    r = device_request(RDMA_NLDEV_CMD_PORT_GET, 0, &first);
    CHECK_EQ(ask(NETLINK_RDMA, &r, 4096)->error, EINVAL);
    add(&r, RDMA_NLDEV_ATTR_PORT_INDEX, &no_port, sizeof(no_port));
    CHECK_EQ(ask(NETLINK_RDMA, &r, 4096)->error, EINVAL);
    r = device_request(RDMA_NLDEV_CMD_PORT_GET, 0, &first);
    add(&r, RDMA_NLDEV_ATTR_PORT_INDEX, &port, sizeof(port));
    CHECK_EQ(ask(NETLINK_RDMA, &r, 4096)->num, 1);
    r = device_request(RDMA_NLDEV_CMD_PORT_GET, NLM_F_DUMP, NULL);
    CHECK_EQ(ask(NETLINK_RDMA, &r, 4096)->error, EINVAL);
    r = device_request(RDMA_NLDEV_CMD_GET_CHARDEV, 0, &first);
    CHECK_EQ(ask(NETLINK_RDMA, &r, 4096)->error, EINVAL);
    add(&r, RDMA_NLDEV_ATTR_CHARDEV_TYPE, "uverbs", 6); /* no null byte */
    CHECK_EQ(ask(NETLINK_RDMA, &r, 4096)->error, EINVAL);
    r = device_request(RDMA_NLDEV_CMD_GET_CHARDEV, 0, &first);
    add(&r, RDMA_NLDEV_ATTR_CHARDEV_TYPE, "umad", 5);
    CHECK_EQ(ask(NETLINK_RDMA, &r, 4096)->error, EOPNOTSUPP);
    r = device_request(RDMA_NLDEV_CMD_SET, 0, &first);
    CHECK_EQ(ask(NETLINK_RDMA, &r, 4096)->error, EOPNOTSUPP);
    r = begin(RDMA_NL_GET_TYPE(RDMA_NL_LS, 0), 0, NULL, 0);
    CHECK_EQ(ask(NETLINK_RDMA, &r, 4096)->error, EOPNOTSUPP);
}

/* ---- functions of libc ---------------------------------------------------------------------- */

static void ioctls_know_the_interfaces(void)
{
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct ifreq r = { .ifr_name = "p1" };
    const struct sockaddr_in *address = (const void *)&r.ifr_addr;
    struct ifreq list[64];
    struct ifconf conf = { .ifc_len = 0 };
    int bytes, num = 0;

    CHECK_EQ(ioctl(fd, SIOCGIFINDEX, &r), 0);
    CHECK_EQ(r.ifr_ifindex, if_nametoindex("p1"));
    memset(r.ifr_name, 0, sizeof(r.ifr_name));
    CHECK(ioctl(fd, SIOCGIFNAME, &r) == 0 && strcmp(r.ifr_name, "p1") == 0);
    CHECK(ioctl(fd, SIOCGIFADDR, &r) == 0 && address->sin_addr.s_addr == inet_addr("10.0.9.2"));
    CHECK(ioctl(fd, SIOCGIFNETMASK, &r) == 0 &&
          address->sin_addr.s_addr == inet_addr("255.255.255.0"));
    CHECK(ioctl(fd, SIOCGIFBRDADDR, &r) == 0 &&
          address->sin_addr.s_addr == inet_addr("10.0.9.255"));
    CHECK(ioctl(fd, SIOCGIFHWADDR, &r) == 0 && r.ifr_hwaddr.sa_family == ARPHRD_ETHER);
    CHECK(memcmp(r.ifr_hwaddr.sa_data, "\x5c\x25\x73\xaa\0\1", 6) == 0);
    CHECK(ioctl(fd, SIOCGIFFLAGS, &r) == 0 && (r.ifr_flags & IFF_UP) != 0);
    CHECK(ioctl(fd, SIOCGIFMTU, &r) == 0 && r.ifr_mtu == 1500);
    strcpy(r.ifr_name, "p7");
    CHECK(ioctl(fd, SIOCGIFMTU, &r) == -1 && errno == ENODEV);
    memset(r.ifr_name, 'p', sizeof(r.ifr_name)); /* no null byte */
    CHECK(ioctl(fd, SIOCGIFMTU, &r) == -1 && errno == ENODEV);
    r.ifr_ifindex = 999999;
    CHECK(ioctl(fd, SIOCGIFNAME, &r) == -1 && errno == ENODEV);
    CHECK(ioctl(-1, SIOCGIFMTU, &r) == -1 && errno == EBADF);
    CHECK_EQ(ioctl(fd, SIOCGIFCONF, &conf), 0);
    bytes = conf.ifc_len;
    conf = (struct ifconf){ .ifc_len = sizeof(list), .ifc_req = list };
    CHECK(ioctl(fd, SIOCGIFCONF, &conf) == 0 && conf.ifc_len == bytes);
    for (size_t i = 0; i < (size_t)bytes / sizeof(list[0]); i++)
        num += strcmp(list[i].ifr_name, "p0") == 0 || strcmp(list[i].ifr_name, "lo") == 0;
    CHECK_EQ(num, 2);
    conf.ifc_len = (int)(sizeof(list[0]) + 1);
    CHECK(ioctl(fd, SIOCGIFCONF, &conf) == 0 && conf.ifc_len == sizeof(list[0]));
    close(fd);
}

static void names_are_listed(void)
{
    struct if_nameindex *list = if_nameindex();
    char name[IF_NAMESIZE];
    unsigned num = 0;

    CHECK(list != NULL);
    for (size_t i = 0; list[i].if_index != 0; i++) {
        CHECK_EQ(if_nametoindex(list[i].if_name), list[i].if_index);
        num += strcmp(list[i].if_name, "lo") == 0 || strcmp(list[i].if_name, "p0") == 0 ||
            strcmp(list[i].if_name, "p1") == 0;
    }
    CHECK_EQ(num, 3);
    if_freenameindex(list);
    CHECK(if_indextoname(if_nametoindex("p1"), name) == name && strcmp(name, "p1") == 0);
    CHECK(if_indextoname(999999, name) == NULL && errno == ENXIO);
    CHECK(if_nametoindex("p7") == 0 && errno == ENODEV);
}

static void addresses_are_listed_by_libc(void)
{
    struct ifaddrs *list, *entry;
    unsigned link = 0, ipv4 = 0, ipv6 = 0, lo = 0;

    CHECK_EQ(getifaddrs(&list), 0);
    for (entry = list; entry != NULL; entry = entry->ifa_next) {
        lo += strcmp(entry->ifa_name, "lo") == 0;
        if (strcmp(entry->ifa_name, "p1") != 0)
            continue;
        CHECK((entry->ifa_flags & IFF_UP) != 0 && entry->ifa_addr != NULL);
        if (entry->ifa_addr->sa_family == AF_PACKET)
            link += ((struct sockaddr_ll *)(void *)entry->ifa_addr)->sll_addr[5] == 1;
        if (entry->ifa_addr->sa_family == AF_INET)
            ipv4 += ((struct sockaddr_in *)(void *)entry->ifa_addr)->sin_addr.s_addr ==
                inet_addr("10.0.9.2");
        if (entry->ifa_addr->sa_family == AF_INET6)
            ipv6 += ((struct sockaddr_in6 *)(void *)entry->ifa_addr)->sin6_scope_id ==
                if_nametoindex("p1");
    }
    CHECK(link == 1 && ipv4 == 1 && ipv6 == 1 && lo >= 2);
    freeifaddrs(list);
    freeifaddrs(NULL);
}

/* ---- other machines ------------------------------------------------------------------------- */

/* Both functions have the interface p0. */
static void functions_can_share_an_interface(void)
{
    struct request links = link_request(NLM_F_DUMP, 0, NULL), r = address_request(AF_INET, 0);
    const unsigned index = if_nametoindex("p0");
    const struct reply *reply = ask(NETLINK_ROUTE, &links, 32768);

    CHECK(link_named(reply, "p0") != NULL && link_named(reply, "p1") == NULL);
    reply = ask(NETLINK_ROUTE, &r, 32768);
    CHECK(has_address(reply, index, "127.3.0.1") && has_address(reply, index, "10.0.9.2"));
    CHECK_EQ(access("/sys/class/infiniband/a/device/net/p0/address", R_OK), 0);
    CHECK_EQ(access("/sys/class/infiniband/b/device/net/p0/address", R_OK), 0);
}

/* The function a has the interface lo. */
static void an_interface_of_the_host_stays_as_it_is(void)
{
    struct request links = link_request(NLM_F_DUMP, 0, NULL), r = address_request(AF_INET, 0);
    const uint32_t first = 0, port = 1;
    const struct reply *reply = ask(NETLINK_ROUTE, &links, 32768);
    const struct nlmsghdr *link = link_named(reply, "lo");
    char address[18] = "";
    FILE *file;

    CHECK(link != NULL);
    CHECK_EQ(((const struct ifinfomsg *)NLMSG_DATA(link))->ifi_index, 1);
    reply = ask(NETLINK_ROUTE, &r, 32768);
    CHECK(has_address(reply, 1, "127.0.0.1") && !has_address(reply, 1, "127.3.0.1"));
    r = device_request(RDMA_NLDEV_CMD_PORT_GET, 0, &first);
    add(&r, RDMA_NLDEV_ATTR_PORT_INDEX, &port, sizeof(port));
    reply = ask(NETLINK_RDMA, &r, 4096);
    CHECK_EQ(*(const uint32_t *)attribute((const void *)reply->data, 0, RDMA_NLDEV_ATTR_NDEV_INDEX),
             1);
    file = fopen("/sys/class/infiniband/a/device/net/lo/address", "r");
    CHECK(file != NULL && fgets(address, sizeof(address), file) != NULL);
    fclose(file);
    CHECK(strcmp(address, "00:00:00:00:00:00") == 0);
}

static const struct rig_case cases[] = {
    RIG_CASE(interface_is_found_by_name_and_index),
    RIG_CASE(acknowledgement_is_another_packet),
    RIG_CASE(lists_have_interfaces_of_both_kinds),
    RIG_CASE(addresses_are_listed_by_family_and_interface),
    RIG_CASE(filtered_lists_have_no_emulated_interface),
    RIG_CASE(requests_of_wrong_length_are_refused_or_ignored),
    RIG_CASE(socket_is_readable_when_an_answer_waits),
    RIG_CASE(a_packet_that_is_cut_is_gone),
    RIG_CASE(unread_answers_are_forgotten),
    RIG_CASE(threads_get_their_own_answers),
    RIG_CASE(threads_can_receive_from_one_socket),
    RIG_CASE(other_packets_pass),
    RIG_CASE(bytes_behind_a_request_are_sent),
    RIG_CASE(other_sockets_need_a_small_stack),
    RIG_CASE(devlink_describes_pci_functions),
    RIG_CASE(other_families_pass),
    RIG_CASE(rdma_devices_are_listed),
    RIG_CASE(resources_are_counted),
    RIG_CASE(wrong_requests_about_rdma_devices_are_refused),
    RIG_CASE(ioctls_know_the_interfaces),
    RIG_CASE(names_are_listed),
    RIG_CASE(addresses_are_listed_by_libc),
    RIG_CASE(functions_can_share_an_interface),
    RIG_CASE(an_interface_of_the_host_stays_as_it_is),
};

/* Without arguments, all cases run except the last two: they need other functions. */
int main(int argc, char **argv)
{
    return rig_main(argc, argv, cases, sizeof(cases) / sizeof(cases[0]) - (argc < 2 ? 2 : 0));
}
