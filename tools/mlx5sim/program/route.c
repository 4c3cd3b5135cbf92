/* The network interfaces of the emulated functions, as the kernel's NETLINK_ROUTE describes its
 * interfaces. */
#define _GNU_SOURCE
#include "program/route.h"
#include "program/libc.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <linux/if_addr.h>
#include <linux/if_arp.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>

enum { OPERSTATE_UP = 6, SCOPE_LOOPBACK = 127, FLAG_LOWER_UP = 1 << 16 };

bool route_is_asked(const struct nlmsghdr *request)
{
    return (request->nlmsg_flags & NLM_F_REQUEST) != 0 &&
        (request->nlmsg_type == RTM_GETLINK || request->nlmsg_type == RTM_GETADDR);
}

static bool is_list(const struct nlmsghdr *request)
{
    return (request->nlmsg_flags & NLM_F_DUMP) != 0;
}

static void put_link(struct answer *a, const struct nlmsghdr *request,
                     const struct wire_interface *interface)
{
    static const uint8_t broadcast[6] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    static const struct rtnl_link_stats64 stats64;
    static const struct rtnl_link_stats stats;
    const struct ifinfomsg header = {
        .ifi_type = ARPHRD_ETHER, .ifi_index = (int)interface->index,
        .ifi_flags = IFF_UP | IFF_BROADCAST | IFF_RUNNING | IFF_MULTICAST | FLAG_LOWER_UP};

    message_begin(a, request, RTM_NEWLINK, is_list(request) ? NLM_F_MULTI : 0, &header,
                  sizeof(header));
    message_string(a, IFLA_IFNAME, interface->name);
    message_u32(a, IFLA_TXQLEN, 1000);
    message_u8(a, IFLA_OPERSTATE, OPERSTATE_UP);
    message_u8(a, IFLA_LINKMODE, 0);
    message_u32(a, IFLA_MTU, WIRE_MTU);
    message_u32(a, IFLA_GROUP, 0);
    message_u32(a, IFLA_PROMISCUITY, 0);
    message_u32(a, IFLA_NUM_TX_QUEUES, 1);
    message_u32(a, IFLA_NUM_RX_QUEUES, 1);
    message_u8(a, IFLA_CARRIER, 1);
    message_string(a, IFLA_QDISC, "noqueue");
    message_put(a, IFLA_ADDRESS, interface->mac, sizeof(interface->mac));
    message_put(a, IFLA_BROADCAST, broadcast, sizeof(broadcast));
    message_put(a, IFLA_STATS64, &stats64, sizeof(stats64));
    message_put(a, IFLA_STATS, &stats, sizeof(stats));
    if (interface->port_name[0] != '\0')
        message_string(a, IFLA_PHYS_PORT_NAME, interface->port_name);
    message_string(a, IFLA_PARENT_DEV_NAME, interface->pci);
    message_string(a, IFLA_PARENT_DEV_BUS_NAME, "pci");
    message_end(a);
}

static void put_address(struct answer *a, const struct nlmsghdr *request, const char *name,
                        const struct wire_address *address)
{
    const struct ifa_cacheinfo forever = {.ifa_prefered = UINT32_MAX, .ifa_valid = UINT32_MAX};
    const bool is_ipv6 = address->is_ipv6 != 0;
    const size_t bytes = is_ipv6 ? 16 : 4;
    const struct ifaddrmsg header = {
        .ifa_family = is_ipv6 ? AF_INET6 : AF_INET,
        .ifa_prefixlen = is_ipv6 ? WIRE_PREFIX_IPV6 : WIRE_PREFIX_IPV4,
        .ifa_flags = IFA_F_PERMANENT,
        .ifa_scope = is_ipv6 ? RT_SCOPE_LINK
            : address->bytes[0] == SCOPE_LOOPBACK ? RT_SCOPE_HOST : RT_SCOPE_UNIVERSE,
        .ifa_index = address->index};

    message_begin(a, request, RTM_NEWADDR, NLM_F_MULTI, &header, sizeof(header));
    message_put(a, IFA_ADDRESS, address->bytes, bytes);
    if (!is_ipv6) {
        message_put(a, IFA_LOCAL, address->bytes, bytes);
        message_string(a, IFA_LABEL, name);
    }
    message_u32(a, IFA_FLAGS, IFA_F_PERMANENT);
    message_put(a, IFA_CACHEINFO, &forever, sizeof(forever));
    message_end(a);
}

/* Lists all interfaces. The family AF_BRIDGE stands for the ports of bridges; for all other
 * families the kernel lists each interface. An emulated interface is no part of another one and has
 * no kind, so the lists of the parts of an interface, and of one kind, have no emulated interface.
 */
static enum verdict list_links(const struct nlmsghdr *request, const struct wire_description *of,
                               struct answer *a)
{
    static const unsigned filters[] = {IFLA_MASTER, IFLA_LINKINFO, IFLA_TARGET_NETNSID};
    const struct rtgenmsg *family = message_header(request, sizeof(*family));
    unsigned i;

    if (family == NULL || family->rtgen_family == AF_BRIDGE)
        return VERDICT_PASS;
    for (i = 0; i < sizeof(filters) / sizeof(filters[0]); i++)
        if (message_attribute(request, sizeof(struct ifinfomsg), filters[i], 1) != NULL)
            return VERDICT_PASS;
    for (i = 0; i < of->num_interfaces; i++)
        put_link(a, request, &of->interfaces[i]);
    return VERDICT_ADD;
}

static enum verdict find_link(const struct nlmsghdr *request, const struct wire_description *of,
                              struct answer *a)
{
    const struct ifinfomsg *header = message_header(request, sizeof(*header));
    const struct wire_interface *interface = NULL;
    const char *name;

    if (header == NULL ||
        message_attribute(request, sizeof(*header), IFLA_TARGET_NETNSID, 1) != NULL)
        return VERDICT_PASS;
    if (header->ifi_index != 0)
        interface = description_at(of, (unsigned)header->ifi_index);
    else {
        name = message_attribute(request, sizeof(*header), IFLA_IFNAME, 0);
        if (name == NULL)
            name = message_attribute(request, sizeof(*header), IFLA_ALT_IFNAME, 0);
        if (name != NULL && SIM_REAL(if_nametoindex)(name) == 0)
            interface = description_find(of, name);
    }
    if (interface == NULL)
        return VERDICT_PASS;
    put_link(a, request, interface);
    if ((request->nlmsg_flags & NLM_F_ACK) != 0)
        message_error(a, request, 0);
    return VERDICT_REPLACE;
}

/* Lists addresses: all of them, or those of a single interface. */
static enum verdict list_addresses(const struct nlmsghdr *request,
                                   const struct wire_description *of, struct answer *a)
{
    const struct rtgenmsg *family = message_header(request, sizeof(*family));
    const struct ifaddrmsg *header = message_header(request, sizeof(*header));
    const unsigned index = header != NULL ? header->ifa_index : 0;
    unsigned i;

    if (family == NULL || (index != 0 && description_at(of, index) == NULL) ||
        (header != NULL &&
         message_attribute(request, sizeof(*header), IFA_TARGET_NETNSID, 1) != NULL))
        return VERDICT_PASS;
    for (i = 0; i < of->num_addresses; i++) {
        const struct wire_address *address = &of->addresses[i];
        const struct wire_interface *interface = description_at(of, address->index);

        if ((index == 0 || index == address->index) && interface != NULL &&
            (family->rtgen_family == AF_UNSPEC ||
             family->rtgen_family == (address->is_ipv6 ? AF_INET6 : AF_INET)))
            put_address(a, request, interface->name, address);
    }
    if (index == 0)
        return VERDICT_ADD;
    message_done(a, request);
    return VERDICT_REPLACE;
}

enum verdict route_answer(const struct nlmsghdr *request, const struct wire_description *of,
                          struct answer *a)
{
    if (request->nlmsg_type == RTM_GETLINK)
        return is_list(request) ? list_links(request, of, a) : find_link(request, of, a);
    return is_list(request) ? list_addresses(request, of, a) : VERDICT_PASS;
}
