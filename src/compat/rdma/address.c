/* ---- >>impl.rdma.address --------------------------------------------------------------------
 * Addresses, and requests for connections to them. Addresses are elements of a static table.     */
#include "compat/rdma/address_priv.h"

#include "base/clock_priv.h"
#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "compat/local/socket_priv.h"
#include "compat/rdma/config.h"
#include "compat/rdma/connection.h"
#include "compat/rdma/connection_priv.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/platform_priv.h"

#define DOCA_PRIV_RDMA_ADDR_TEXT 48 /* bytes: IPv6 needs 46, with the NUL */

struct doca_rdma_addr {
    struct doca_priv_object obj;
    uint32_t num_users; /* connections */
    uint16_t port;
    uint8_t type;
    bool is_used;    /* this element of the table */
    uint64_t unused; /* handles are multiples of 8 */
    char text[DOCA_PRIV_RDMA_ADDR_TEXT];
};

static struct {
    DOCA_CORE_ALIGNED struct doca_rdma_addr addrs[DOCA_CORE_RDMA_MAX_ADDRS];
    uint32_t lock;
} doca_priv_rdma_addrs;

/* True when the text is four numbers from 0 to 255 with dots between them. */
static bool doca_priv_rdma_is_ipv4(const char *s)
{
    unsigned part, value, digits;

    for (part = 0; part < 4; part++) {
        for (value = 0, digits = 0; *s >= '0' && *s <= '9' && digits < 3; s++, digits++)
            value = value * 10 + (unsigned)(*s - '0');
        if (digits == 0 || value > 255 || *s != (part < 3 ? '.' : '\0'))
            return false;
        s++;
    }
    return true;
}

static bool doca_priv_rdma_is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* True when the text is an address of IPv6: eight groups of one to four hexadecimal digits with
 * colons between them. One "::" stands for at least one group of zeros, and an address of IPv4 may
 * take the place of the last two groups. */
static bool doca_priv_rdma_is_ipv6(const char *s)
{
    unsigned num = 0, digits;
    bool has_gap = s[0] == ':' && s[1] == ':';

    if (has_gap)
        s += 2;
    while (*s != '\0') {
        if (doca_priv_rdma_is_ipv4(s))
            return has_gap ? num <= 5 : num == 6;
        for (digits = 0; doca_priv_rdma_is_hex(*s) && digits < 4; digits++)
            s++;
        if (digits == 0 || ++num > 8)
            return false;
        if (*s == '\0')
            break;
        if (*s++ != ':' || *s == '\0')
            return false;
        if (*s == ':') {
            if (has_gap)
                return false;
            has_gap = true;
            s++;
        }
    }
    return has_gap ? num <= 7 : num == 8;
}

DOCA_CORE_DECL doca_error_t doca_rdma_addr_create(enum doca_rdma_addr_type addr_type,
                                                  const char *address, uint16_t port,
                                                  struct doca_rdma_addr **addr)
{
    struct doca_rdma_addr *a = doca_priv_rdma_addrs.addrs;
    bool is_valid;
    size_t len;

    if (address == NULL || addr == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    len = doca_priv_str_len(address);
    is_valid = len < DOCA_PRIV_RDMA_ADDR_TEXT && port != 0 &&
               (addr_type == DOCA_RDMA_ADDR_TYPE_IPv4 ? doca_priv_rdma_is_ipv4(address)
                : addr_type == DOCA_RDMA_ADDR_TYPE_IPv6
                    ? doca_priv_rdma_is_ipv6(address)
                    : addr_type == DOCA_RDMA_ADDR_TYPE_GID && doca_priv_rdma_is_ipv6(address));
    if (!is_valid)
        return DOCA_PRIV_FAIL(INVALID_VALUE, RDMA_ADDRESS, NULL);
    doca_priv_lock(&doca_priv_rdma_addrs.lock);
    while (a < doca_priv_rdma_addrs.addrs + DOCA_CORE_RDMA_MAX_ADDRS && a->is_used)
        a++;
    if (a < doca_priv_rdma_addrs.addrs + DOCA_CORE_RDMA_MAX_ADDRS) {
        DOCA_CORE_MEMSET(a, 0, sizeof(*a));
        a->port = port;
        a->type = (uint8_t)addr_type;
        a->is_used = true;
        DOCA_CORE_MEMCPY(a->text, address, len + 1);
        doca_priv_object_init(&a->obj, DOCA_PRIV_KIND_RDMA_ADDR);
    } else {
        a = NULL;
    }
    doca_priv_unlock(&doca_priv_rdma_addrs.lock);
    if (a == NULL)
        return DOCA_PRIV_FAIL(NO_MEMORY, RDMA_ADDRESSES, NULL);
    *addr = a;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_rdma_addr_destroy(struct doca_rdma_addr *addr)
{
    bool is_used;

    if (!doca_priv_is(addr, DOCA_PRIV_KIND_RDMA_ADDR))
        return DOCA_PRIV_FAIL_HANDLE(addr);
    doca_priv_lock(&doca_priv_rdma_addrs.lock);
    is_used = addr->num_users > 0;
    if (!is_used) {
        doca_priv_object_end(&addr->obj);
        addr->is_used = false;
    }
    doca_priv_unlock(&doca_priv_rdma_addrs.lock);
    return is_used ? DOCA_PRIV_FAIL(BAD_STATE, RDMA_ADDRESS_USED, addr) : DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_rdma_addr_get_params(struct doca_rdma_addr *addr,
                                                      enum doca_rdma_addr_type *addr_type,
                                                      const char **address, uint16_t *port)
{
    doca_error_t rc = doca_priv_check_args(addr, DOCA_PRIV_KIND_RDMA_ADDR, addr_type, __func__);

    if (rc == DOCA_SUCCESS && (address == NULL || port == NULL))
        rc = DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, addr);
    if (rc != DOCA_SUCCESS)
        return rc;
    *addr_type = (enum doca_rdma_addr_type)addr->type;
    *address = addr->text;
    *port = addr->port;
    return DOCA_SUCCESS;
}

/* Count a connection of the address more, or less. */
static void doca_priv_rdma_count_addr(struct doca_rdma_addr *addr, uint32_t change)
{
    doca_priv_lock(&doca_priv_rdma_addrs.lock);
    addr->num_users += change;
    doca_priv_unlock(&doca_priv_rdma_addrs.lock);
}

DOCA_PRIV_DECL void doca_priv_rdma_hold_addr(struct doca_rdma_addr *addr)
{
    doca_priv_rdma_count_addr(addr, 1);
}

DOCA_PRIV_DECL void doca_priv_rdma_drop_addr(struct doca_rdma_addr *addr)
{
    if (addr != NULL)
        doca_priv_rdma_count_addr(addr, ~0u);
}

/* Send the request on a socket that was opened to the listener. */
static void doca_priv_rdma_request(struct doca_rdma_connection *c, int fd)
{
    c->ask_fd = fd;
    if (!doca_priv_local_is_same_user(fd) ||
        doca_priv_local_send(fd, DOCA_PRIV_RDMA_ASK, 0, &c->details, sizeof(c->details), NULL) !=
            DOCA_PRIV_LOCAL_SENT ||
        !doca_priv_rdma_watch(c->rdma, fd, DOCA_PRIV_RDMA_AT_CONN, (uint32_t)(c - c->rdma->conns)))
        doca_priv_rdma_lose(c);
}

/* End the connection with the failure callback: the port has no listener. */
static void doca_priv_rdma_no_listener(struct doca_rdma_connection *c, const char *function)
{
    (void)doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_NO_LISTENER, function,
                         c);
    doca_priv_rdma_conn_down(c, DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_FAILED);
}

/* Ask the instance that listens on the port of the address for a connection. When the port has no
 * listener, the call succeeds, and the connection ends with the failure callback. When too many
 * clients wait at the port, poll tries again until the deadline. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_ask(struct doca_rdma_connection *connection,
                                               struct doca_rdma_addr *addr, const char *function)
{
    struct doca_rdma *r = connection->rdma;
    struct doca_core_refusal why;
    int fd;

    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    fd = doca_priv_local_dial(DOCA_PRIV_RDMA_PORT_PREFIX, addr->port, &why);
    if (fd < 0 && why.error != ECONNREFUSED && why.error != EAGAIN)
        return doca_core_backend_refuse(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_SYSTEM,
                                        function, &r->ctx, &why);
    doca_priv_rdma_hold_addr(addr);
    connection->addr = addr;
    if (fd < 0 && why.error == ECONNREFUSED) {
        doca_priv_rdma_no_listener(connection, function);
        return DOCA_SUCCESS;
    }
    doca_priv_rdma_set_asking(connection);
    doca_priv_rdma_set_deadline(connection, doca_priv_sys_now() + (uint64_t)r->timeout * 1000000u);
    if (fd >= 0)
        doca_priv_rdma_request(connection, fd);
    doca_priv_rdma_wake_program(r);
    return DOCA_SUCCESS;
}

/* Try again to ask a listener that was full. */
DOCA_PRIV_DECL void doca_priv_rdma_ask_again(struct doca_rdma_connection *connection)
{
    struct doca_core_refusal why;
    int fd;

    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    fd = doca_priv_local_dial(DOCA_PRIV_RDMA_PORT_PREFIX, connection->addr->port, &why);
    if (fd >= 0)
        doca_priv_rdma_request(connection, fd);
    else if (why.error == ECONNREFUSED)
        doca_priv_rdma_no_listener(connection, "doca_pe_progress");
}

DOCA_PRIV_DECL doca_error_t doca_priv_rdma_listen(struct doca_rdma *r,
                                                  struct doca_priv_rdma_port *entry, uint16_t port,
                                                  const char *function)
{
    struct doca_core_refusal why;

    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    entry->fd = doca_priv_local_listen(DOCA_PRIV_RDMA_PORT_PREFIX, port, &why);
    if (entry->fd < 0 && why.error == EADDRINUSE)
        return doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_PORT_TAKEN,
                              function, r);
    if (entry->fd >= 0 &&
        !doca_priv_rdma_watch(r, entry->fd, DOCA_PRIV_RDMA_AT_PORT, (uint32_t)(entry - r->ports))) {
        why.step = DOCA_PRIV_LOG_TEXT("watch the socket of the port");
        why.error = errno;
        doca_priv_rdma_close_fd(r, &entry->fd);
    }
    if (entry->fd < 0)
        return doca_core_backend_refuse(DOCA_ERROR_CONNECTION_ABORTED, DOCA_CORE_ITEM_RDMA_SYSTEM,
                                        function, r, &why);
    entry->port = port;
    return DOCA_SUCCESS;
}

/* Refuse the requests that came through a port and were not reported to the program. */
DOCA_PRIV_DECL void doca_priv_rdma_refuse_unheard(struct doca_rdma *r, uint16_t port)
{
    uint32_t i;

    for (i = 0; i < r->max_conns; i++)
        if (r->conns[i].port == port && (r->conns[i].events & 1u << DOCA_PRIV_RDMA_REQUESTED) != 0)
            r->transport->down(&r->conns[i], DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_NOTHING);
}

DOCA_PRIV_DECL void doca_priv_rdma_unlisten(struct doca_rdma *r, struct doca_priv_rdma_port *entry)
{
    uint32_t i;

    doca_priv_rdma_close_fd(r, &entry->fd);
    for (i = 0; i < DOCA_PRIV_RDMA_GUESTS; i++)
        if (r->guests[i].port == entry->port)
            doca_priv_rdma_close_fd(r, &r->guests[i].fd);
    doca_priv_rdma_refuse_unheard(r, entry->port);
}

/* The private data is not sent. */
DOCA_PRIV_DECL doca_error_t doca_priv_rdma_accept(struct doca_rdma_connection *connection,
                                                  const void *private_data,
                                                  uint8_t private_data_len, const char *function)
{
    doca_error_t rc = doca_priv_rdma_join(connection, function);

    (void)private_data;
    (void)private_data_len;
    if (rc == DOCA_SUCCESS &&
        doca_priv_local_send(connection->ask_fd, DOCA_PRIV_RDMA_ANSWER, 0, &connection->details,
                             sizeof(connection->details), NULL) == DOCA_PRIV_LOCAL_SENT)
        return DOCA_SUCCESS;
    doca_priv_rdma_conn_down(connection, DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_NOTHING);
    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_fail(DOCA_ERROR_CONNECTION_ABORTED,
                                               DOCA_CORE_ITEM_RDMA_GONE, function, NULL);
}
