/* Addresses of the connection manager, and the functions that they belong to. */
#define _GNU_SOURCE
#include "device/cm/address.h"

#include <arpa/inet.h>
#include <endian.h>
#include <ifaddrs.h>
#include <string.h>

size_t cm_addr_size(const union cm_addr *addr)
{
    switch (addr->any.sa_family) {
    case AF_INET:
        return sizeof(addr->ipv4);
    case AF_INET6:
        return sizeof(addr->ipv6);
    case CM_AF_IB:
        return sizeof(addr->ib);
    default:
        return 0;
    }
}

static bool is_zero(const uint8_t *bytes, size_t n)
{
    size_t i;

    for (i = 0; i < n; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

/* Returns the bytes of an address without its port. */
static const uint8_t *value(const union cm_addr *addr, size_t *bytes)
{
    *bytes = addr->any.sa_family == AF_INET ? 4 : 16;
    if (addr->any.sa_family == AF_INET)
        return (const uint8_t *)&addr->ipv4.sin_addr;
    return addr->any.sa_family == AF_INET6 ? addr->ipv6.sin6_addr.s6_addr : addr->ib.gid;
}

bool cm_addr_is_any(const union cm_addr *addr)
{
    size_t bytes;
    const uint8_t *at = value(addr, &bytes);

    return is_zero(at, bytes);
}

bool cm_addr_equal(const union cm_addr *a, const union cm_addr *b)
{
    size_t bytes;
    const uint8_t *of_a = value(a, &bytes), *of_b = value(b, &bytes);

    return a->any.sa_family == b->any.sa_family && memcmp(of_a, of_b, bytes) == 0;
}

uint16_t cm_addr_port(const union cm_addr *addr)
{
    if (addr->any.sa_family == AF_INET)
        return ntohs(addr->ipv4.sin_port);
    if (addr->any.sa_family == AF_INET6)
        return ntohs(addr->ipv6.sin6_port);
    return (uint16_t)(be64toh(addr->ib.service) & be64toh(addr->ib.service_mask));
}

void cm_addr_set_port(union cm_addr *addr, uint16_t port, uint16_t ps)
{
    if (addr->any.sa_family == AF_INET)
        addr->ipv4.sin_port = htons(port);
    else if (addr->any.sa_family == AF_INET6)
        addr->ipv6.sin6_port = htons(port);
    else {
        addr->ib.service = htobe64((uint64_t)ps << 16 | port);
        addr->ib.service_mask = ~0ull;
    }
}

uint16_t cm_addr_ps(const union cm_addr *addr, uint16_t ps)
{
    uint64_t number = be64toh(addr->ib.service) >> 16;

    if (addr->any.sa_family != CM_AF_IB)
        return ps;
    return number == RDMA_PS_TCP || number == RDMA_PS_UDP || number == RDMA_PS_IPOIB
        ? (uint16_t)number : RDMA_PS_IB;
}

bool cm_addr_is_multicast(const union cm_addr *addr)
{
    size_t bytes;
    const uint8_t *at = value(addr, &bytes);

    return addr->any.sa_family == AF_INET ? at[0] >> 4 == 0xe : at[0] == 0xff;
}

struct sim_function *cm_addr_scope(const union cm_addr *addr)
{
    uint32_t index;

    if (addr->any.sa_family != AF_INET6 || !IN6_IS_ADDR_LINKLOCAL(&addr->ipv6.sin6_addr))
        return NULL;
    index = addr->ipv6.sin6_scope_id - SIM_FIRST_IFINDEX;
    return index < machine.num_functions ? &machine.functions[index] : NULL;
}

void cm_addr_to_loopback(union cm_addr *addr)
{
    if (!cm_addr_is_any(addr))
        return;
    if (addr->any.sa_family == AF_INET)
        addr->ipv4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    else if (addr->any.sa_family == AF_INET6)
        addr->ipv6.sin6_addr = in6addr_loopback;
    else
        memcpy(addr->ib.gid, machine.functions[0].gid, sizeof(addr->ib.gid));
}

/* ---- functions ------------------------------------------------------------------------------ */

static struct sim_function *function_of_netdev(const char *name)
{
    unsigned i;

    for (i = 0; i < machine.num_functions; i++)
        if (strcmp(machine.functions[i].netdev, name) == 0)
            return &machine.functions[i];
    return &machine.functions[0];
}

/* Finds an address among the interfaces of the emulator's host. */
static struct sim_function *function_of_host(const union cm_addr *addr)
{
    struct sim_function *function = NULL;
    struct ifaddrs *list, *entry;
    union cm_addr other;

    if (getifaddrs(&list) != 0)
        return NULL;
    for (entry = list; entry != NULL && function == NULL; entry = entry->ifa_next) {
        if (entry->ifa_addr == NULL || entry->ifa_addr->sa_family != addr->any.sa_family)
            continue;
        memset(&other, 0, sizeof(other));
        other.any.sa_family = addr->any.sa_family;
        memcpy(&other, entry->ifa_addr, cm_addr_size(&other));
        if (cm_addr_equal(&other, addr))
            function = function_of_netdev(entry->ifa_name);
    }
    freeifaddrs(list);
    return function;
}

static struct sim_function *function_of_gid(const uint8_t gid[16])
{
    unsigned i;

    for (i = 0; i < machine.num_functions; i++)
        if (memcmp(machine.functions[i].gid, gid, 16) == 0)
            return &machine.functions[i];
    return NULL;
}

static struct sim_function *function_of_ipv4(const union cm_addr *addr)
{
    struct sim_function *function;
    unsigned i;

    for (i = 0; i < machine.num_functions; i++)
        if (machine.functions[i].ipv4 == addr->ipv4.sin_addr.s_addr)
            return &machine.functions[i];
    function = function_of_host(addr);
    if (function == NULL && ntohl(addr->ipv4.sin_addr.s_addr) >> 24 == 127)
        function = &machine.functions[0];
    return function;
}

struct sim_function *cm_addr_function(const union cm_addr *addr)
{
    union cm_addr mapped = {.ipv4 = {.sin_family = AF_INET}};
    struct sim_function *function;

    if (cm_addr_is_any(addr))
        return NULL;
    if (addr->any.sa_family == AF_INET)
        return function_of_ipv4(addr);
    if (addr->any.sa_family == CM_AF_IB)
        return function_of_gid(addr->ib.gid);
    if (IN6_IS_ADDR_V4MAPPED(&addr->ipv6.sin6_addr)) {
        memcpy(&mapped.ipv4.sin_addr, addr->ipv6.sin6_addr.s6_addr + 12, 4);
        return function_of_ipv4(&mapped);
    }
    function = function_of_gid(addr->ipv6.sin6_addr.s6_addr);
    return function != NULL ? function : function_of_host(addr);
}
