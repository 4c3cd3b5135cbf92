/* Network interfaces of the emulated functions, which the kernel does not know. */
#define _GNU_SOURCE
#include "program/interface.h"
#include "program/connection.h"
#include "program/description.h"
#include "program/ethtool.h"
#include "program/libc.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_link.h>
#include <linux/sockios.h>
#include <net/if_arp.h>
#include <netpacket/packet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    FLAGS = IFF_UP | IFF_BROADCAST | IFF_RUNNING | IFF_MULTICAST,
    /* the other flags are set by the kernel; it ignores them in a request */
    CAN_BE_SET = IFF_UP | IFF_DEBUG | IFF_NOTRAILERS | IFF_NOARP | IFF_PROMISC | IFF_ALLMULTI |
        IFF_MULTICAST | IFF_PORTSEL | IFF_AUTOMEDIA | IFF_DYNAMIC,
    QUEUE_LENGTH = 1000
};

union any_address {
    struct sockaddr any;
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;
    struct sockaddr_ll link;
};

static void set_ipv4(union any_address *to, const struct wire_address *from)
{
    *to = (union any_address){.ipv4 = {.sin_family = AF_INET}};
    memcpy(&to->ipv4.sin_addr, from->bytes, 4);
}

/* Sets the address that has the first `bits` bits of `from`, and `fill` in all others. */
static void set_prefix(union any_address *to, const struct wire_address *from, unsigned bits,
                       uint8_t fill)
{
    uint8_t bytes[16];
    unsigned i;

    for (i = 0; i < 16; i++)
        bytes[i] = i < bits / 8 ? from->bytes[i] : fill;
    memset(to, 0, sizeof(*to));
    to->any.sa_family = from->is_ipv6 ? AF_INET6 : AF_INET;
    if (from->is_ipv6)
        memcpy(&to->ipv6.sin6_addr, bytes, 16);
    else
        memcpy(&to->ipv4.sin_addr, bytes, 4);
}

static void set_mask(union any_address *to, const struct wire_address *of)
{
    struct wire_address ones = {.is_ipv6 = of->is_ipv6};

    memset(ones.bytes, 0xff, sizeof(ones.bytes));
    set_prefix(to, &ones, of->is_ipv6 ? WIRE_PREFIX_IPV6 : WIRE_PREFIX_IPV4, 0);
}

/* ---- ioctl ---------------------------------------------------------------------------------- */

bool interface_is_asked(unsigned long code)
{
    switch (code) {
    case SIOCGIFADDR:
    case SIOCGIFNETMASK:
    case SIOCGIFBRDADDR:
    case SIOCGIFDSTADDR:
    case SIOCGIFHWADDR:
    case SIOCGIFFLAGS:
    case SIOCGIFMTU:
    case SIOCGIFMETRIC:
    case SIOCGIFTXQLEN:
    case SIOCGIFINDEX:
    case SIOCGIFNAME:
    case SIOCGIFCONF:
    case SIOCETHTOOL:
    case SIOCSIFFLAGS:
    case SIOCSIFMTU:
        return sim_machine_dir() != NULL;
    default:
        return false;
    }
}

/* Answers a request for an IPv4 address of an interface. Returns 0 or an errno. */
static int get_address(unsigned long code, const struct wire_description *of, unsigned index,
                       struct ifreq *request)
{
    union any_address address;
    unsigned i = 0;

    while (i < of->num_addresses && (of->addresses[i].index != index || of->addresses[i].is_ipv6))
        i++;
    if (i == of->num_addresses)
        return EADDRNOTAVAIL;
    if (code == SIOCGIFNETMASK)
        set_mask(&address, &of->addresses[i]);
    else if (code == SIOCGIFBRDADDR)
        set_prefix(&address, &of->addresses[i], WIRE_PREFIX_IPV4, 0xff);
    else
        set_ipv4(&address, &of->addresses[i]);
    memcpy(&request->ifr_addr, &address, sizeof(request->ifr_addr));
    return 0;
}

/* Answers a request to change an emulated interface, which cannot be changed: a request for the
 * state that it has succeeds. Programs set IFF_UP although the interface is up. */
static int set_property(bool is_as_it_is)
{
    return is_as_it_is ? 0 : EPERM;
}

/* Answers a request about an emulated interface. Returns 0 or an errno. */
static int get_property(unsigned long code, const struct wire_description *of,
                        const struct wire_interface *interface, struct ifreq *request)
{
    switch (code) {
    case SIOCGIFHWADDR:
        memset(&request->ifr_hwaddr, 0, sizeof(request->ifr_hwaddr));
        request->ifr_hwaddr.sa_family = ARPHRD_ETHER;
        memcpy(request->ifr_hwaddr.sa_data, interface->mac, sizeof(interface->mac));
        return 0;
    case SIOCGIFFLAGS:
        request->ifr_flags = FLAGS;
        return 0;
    case SIOCGIFMTU:
        request->ifr_mtu = WIRE_MTU;
        return 0;
    case SIOCSIFFLAGS:
        return set_property(((uint16_t)request->ifr_flags & CAN_BE_SET) == (FLAGS & CAN_BE_SET));
    case SIOCSIFMTU:
        return set_property(request->ifr_mtu == WIRE_MTU);
    case SIOCETHTOOL:
        return ethtool_execute(of, interface, request->ifr_data);
    case SIOCGIFMETRIC:
        request->ifr_metric = 0;
        return 0;
    case SIOCGIFTXQLEN:
        request->ifr_qlen = QUEUE_LENGTH;
        return 0;
    case SIOCGIFINDEX:
        request->ifr_ifindex = (int)interface->index;
        return 0;
    case SIOCGIFNAME:
        snprintf(request->ifr_name, IFNAMSIZ, "%.*s", IFNAMSIZ - 1, interface->name);
        return 0;
    default:
        return get_address(code, of, interface->index, request);
    }
}

/* Appends the interfaces that have an IPv4 address to the kernel's list. `room` is the length of
 * the program's buffer. */
static void append_to_list(struct ifconf *list, int room)
{
    const size_t bytes = sizeof(struct ifreq);
    const struct wire_interface *interface;
    struct wire_description description;
    union any_address address;
    struct ifreq *request;
    unsigned i;

    if (!description_get(&description))
        return;
    for (i = 0; i < description.num_addresses; i++) {
        interface = description_at(&description, description.addresses[i].index);
        if (description.addresses[i].is_ipv6 || interface == NULL)
            continue;
        if (list->ifc_buf != NULL) {
            if ((int)(list->ifc_len + bytes) > room)
                return;
            request = (void *)(list->ifc_buf + list->ifc_len);
            memset(request, 0, bytes);
            snprintf(request->ifr_name, IFNAMSIZ, "%.*s", IFNAMSIZ - 1, interface->name);
            set_ipv4(&address, &description.addresses[i]);
            memcpy(&request->ifr_addr, &address, sizeof(request->ifr_addr));
        }
        list->ifc_len += (int)bytes;
    }
}

int interface_ioctl(int fd, unsigned long code, void *arg)
{
    const int room = code == SIOCGIFCONF ? ((struct ifconf *)arg)->ifc_len : 0;
    const int result = SIM_REAL(ioctl)(fd, code, arg);
    const struct wire_interface *interface;
    struct wire_description description;
    char name[IFNAMSIZ + 1] = "";
    struct ifreq *request = arg;
    int error;

    if (result == 0 && code == SIOCGIFCONF)
        append_to_list(arg, room);
    if (result == 0 || errno != ENODEV || code == SIOCGIFCONF || !description_get(&description))
        return result;
    memcpy(name, request->ifr_name, IFNAMSIZ);
    interface = code == SIOCGIFNAME
        ? description_at(&description, (unsigned)request->ifr_ifindex)
        : description_find(&description, name);
    error = interface != NULL ? get_property(code, &description, interface, request) : ENODEV;
    if (error != 0)
        errno = error;
    return error == 0 ? 0 : -1;
}

/* ---- names ---------------------------------------------------------------------------------- */

unsigned interface_index(const char *name)
{
    const unsigned index = SIM_REAL(if_nametoindex)(name);
    const struct wire_interface *interface = NULL;
    struct wire_description description;

    if (index == 0 && errno == ENODEV && description_get(&description))
        interface = description_find(&description, name);
    return interface != NULL ? interface->index : index;
}

char *interface_name(unsigned index, char name[IF_NAMESIZE])
{
    char *result = SIM_REAL(if_indextoname)(index, name);
    const struct wire_interface *interface = NULL;
    struct wire_description description;

    if (result == NULL && errno == ENXIO && description_get(&description))
        interface = description_at(&description, index);
    if (interface == NULL)
        return result;
    snprintf(name, IF_NAMESIZE, "%.*s", IF_NAMESIZE - 1, interface->name);
    return name;
}

/* The list of if_nameindex() with its names. */
struct names {
    struct if_nameindex *entry;
    char (*text)[IF_NAMESIZE];
};

static void add_name(struct names *to, unsigned index, const char *name)
{
    snprintf(*to->text, IF_NAMESIZE, "%s", name);
    *to->entry++ = (struct if_nameindex){index, *to->text++};
}

struct if_nameindex *interface_names(void)
{
    struct if_nameindex *real = SIM_REAL(if_nameindex)(), *list;
    struct wire_description description;
    struct names names;
    size_t num = 1, i;

    if (real == NULL)
        return NULL;
    if (!description_get(&description))
        description.num_interfaces = 0;
    for (i = 0; real[i].if_index != 0; i++)
        num++;
    num += description.num_interfaces;
    list = calloc(num, sizeof(*list) + IF_NAMESIZE);
    if (list != NULL) {
        names = (struct names){list, (void *)(list + num)};
        for (i = 0; real[i].if_index != 0; i++)
            add_name(&names, real[i].if_index, real[i].if_name);
        for (i = 0; i < description.num_interfaces; i++)
            add_name(&names, description.interfaces[i].index, description.interfaces[i].name);
    }
    SIM_REAL(if_freenameindex)(real);
    errno = list != NULL ? errno : ENOBUFS;
    return list;
}

/* ---- addresses ------------------------------------------------------------------------------ */

/* An emulated interface, or an address of one. */
struct emulated {
    char name[IF_NAMESIZE];
    union any_address address, mask, broadcast;
    struct rtnl_link_stats stats;
};

/* The list of getifaddrs(): copies of the kernel's entries, then those of emulated interfaces. */
struct address_list {
    struct ifaddrs *real;       /* the kernel's entries; the copies point to their addresses */
    struct emulated *emulated;
    struct ifaddrs entries[];
};

static struct ifaddrs *add_entry(struct ifaddrs *entry, struct emulated *emulated, const char *name)
{
    snprintf(emulated->name, sizeof(emulated->name), "%.*s", IF_NAMESIZE - 1, name);
    *entry = (struct ifaddrs){.ifa_next = entry + 1, .ifa_name = emulated->name,
                              .ifa_flags = FLAGS, .ifa_addr = &emulated->address.any};
    return entry;
}

static void add_interface(struct ifaddrs *entry, struct emulated *to,
                          const struct wire_interface *interface)
{
    const struct sockaddr_ll link = {.sll_family = AF_PACKET, .sll_ifindex = (int)interface->index,
                                     .sll_hatype = ARPHRD_ETHER, .sll_halen = 6};

    add_entry(entry, to, interface->name);
    to->address.link = to->broadcast.link = link;
    memcpy(to->address.link.sll_addr, interface->mac, 6);
    memset(to->broadcast.link.sll_addr, 0xff, 6);
    entry->ifa_broadaddr = &to->broadcast.any;
    entry->ifa_data = &to->stats;
}

static void add_address(struct ifaddrs *entry, struct emulated *to, const char *name,
                        const struct wire_address *address)
{
    add_entry(entry, to, name);
    set_mask(&to->mask, address);
    entry->ifa_netmask = &to->mask.any;
    if (address->is_ipv6) {
        to->address.ipv6 = (struct sockaddr_in6){.sin6_family = AF_INET6,
                                                 .sin6_scope_id = address->index};
        memcpy(&to->address.ipv6.sin6_addr, address->bytes, 16);
    } else {
        set_ipv4(&to->address, address);
        set_prefix(&to->broadcast, address, WIRE_PREFIX_IPV4, 0xff);
        entry->ifa_broadaddr = &to->broadcast.any;
    }
}

int interface_addresses(struct ifaddrs **out)
{
    struct wire_description description;
    const struct wire_interface *interface;
    struct ifaddrs *real, *from, *to;
    struct address_list *list;
    struct emulated *emulated;
    size_t num = 0, num_emulated = 0;
    unsigned i;

    if (SIM_REAL(getifaddrs)(&real) != 0)
        return -1;
    if (description_get(&description))
        num_emulated = description.num_interfaces + description.num_addresses;
    for (from = real; from != NULL; from = from->ifa_next)
        num++;
    list = calloc(1, sizeof(*list) + (num + num_emulated) * sizeof(list->entries[0]));
    emulated = calloc(num_emulated + 1, sizeof(*emulated));
    if (list == NULL || emulated == NULL) {
        free(list);
        free(emulated);
        SIM_REAL(freeifaddrs)(real);
        errno = ENOBUFS;
        return -1;
    }
    *list = (struct address_list){.real = real, .emulated = emulated};
    to = list->entries;
    for (from = real; from != NULL; from = from->ifa_next, to++) {
        *to = *from;
        to->ifa_next = to + 1;
    }
    for (i = 0; num_emulated > 0 && i < description.num_interfaces; i++)
        add_interface(to++, emulated++, &description.interfaces[i]);
    for (i = 0; num_emulated > 0 && i < description.num_addresses; i++) {
        interface = description_at(&description, description.addresses[i].index);
        if (interface == NULL)
            continue;
        add_address(to++, emulated++, interface->name, &description.addresses[i]);
    }
    if (to > list->entries)
        to[-1].ifa_next = NULL;
    *out = to > list->entries ? list->entries : NULL;
    if (*out == NULL) {
        free(list->emulated);
        free(list);
    }
    return 0;
}

void interface_free_addresses(struct ifaddrs *entries)
{
    struct address_list *list;

    if (entries == NULL)
        return;
    list = (void *)((char *)entries - offsetof(struct address_list, entries));
    SIM_REAL(freeifaddrs)(list->real);
    free(list->emulated);
    free(list);
}

/* Appends the contents of a file. */
static void append(int to, const char *path)
{
    int fd = SIM_REAL(openat)(AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    char part[1024];
    ssize_t n;

    while (fd >= 0 && (n = read(fd, part, sizeof(part))) > 0)
        if (SIM_REAL(write)(to, part, (size_t)n) != n)
            break;
    if (fd >= 0)
        close(fd);
}

/* Appends the line of an IPv6 address. dprintf() is not used, because it calls malloc(). */
static void append_ipv6(int to, const struct wire_address *address, const char *name)
{
    char line[96], hex[33] = "";
    unsigned k;
    int length;

    for (k = 0; k < 16; k++)
        snprintf(hex + 2 * k, 3, "%02x", address->bytes[k]);
    /* index, length of the prefix, scope (link), flags (permanent) */
    length = snprintf(line, sizeof(line), "%s %02x %02x 20 80 %8s\n", hex, address->index,
                      WIRE_PREFIX_IPV6, name);
    if (length > 0 && (size_t)length < sizeof(line))
        (void)!SIM_REAL(write)(to, line, (size_t)length);
}

int interface_open_ipv6_list(int flags)
{
    struct wire_description description;
    unsigned i;
    int fd;

    if (!description_get(&description))
        return -1;
    fd = memfd_create("if_inet6", MFD_CLOEXEC);
    if (fd < 0)
        return -1;
    append(fd, INTERFACE_IPV6_LIST);
    for (i = 0; i < description.num_addresses; i++) {
        const struct wire_address *address = &description.addresses[i];
        const struct wire_interface *interface = description_at(&description, address->index);

        if (address->is_ipv6 && interface != NULL)
            append_ipv6(fd, address, interface->name);
    }
    lseek(fd, 0, SEEK_SET);
    if ((flags & O_CLOEXEC) == 0)
        fcntl(fd, F_SETFD, 0);
    return fd;
}
