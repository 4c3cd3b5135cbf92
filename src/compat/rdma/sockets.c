/* ---- >>impl.rdma.sockets --------------------------------------------------------------------
 * Events on the descriptors of an instance: peers that connect, their first packets, the end of
 * their sockets, wake-ups and timers.                                                            */
#include "compat/rdma/sockets_priv.h"

#include "base/clock_priv.h"
#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/share_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/log_priv.h"
#include "compat/local/socket_priv.h"
#include "compat/rdma/address_priv.h"
#include "compat/rdma/config.h"
#include "compat/rdma/connection_priv.h"
#include "compat/rdma/objects_priv.h"
#include "compat/rdma/platform_priv.h"
#include "compat/rdma/ring_priv.h"

#define DOCA_PRIV_RDMA_WHERE_LOOKED "doca_pe_progress"
#define DOCA_PRIV_RDMA_LOOKS 16 /* ready descriptors that one call handles */

/* A peer asks for a connection through a port. Returns true when the socket belongs to the new
 * connection. */
static bool doca_priv_rdma_hear_ask(struct doca_rdma *r, const struct doca_priv_rdma_guest *guest,
                                    const uint8_t *bytes, size_t len)
{
    struct doca_rdma_connection *c = NULL;
    enum doca_core_item item;

    if (doca_priv_rdma_conn_open(r, &c, DOCA_PRIV_RDMA_WHERE_LOOKED) != DOCA_SUCCESS)
        return false;
    if (!doca_priv_rdma_take_details(c, bytes, len, &item)) {
        (void)doca_priv_fail(DOCA_ERROR_BAD_CONFIG, item, DOCA_PRIV_RDMA_WHERE_LOOKED, &r->ctx);
        doca_priv_rdma_conn_down(c, DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_NOTHING);
        return false;
    }
    doca_priv_sys_unwatch(r->set, guest->fd);
    if (!doca_priv_rdma_watch(r, guest->fd, DOCA_PRIV_RDMA_AT_CONN, (uint32_t)(c - r->conns))) {
        doca_priv_rdma_conn_down(c, DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_NOTHING);
        return false;
    }
    c->ask_fd = guest->fd;
    c->port = guest->port;
    c->obj.state = DOCA_PRIV_RDMA_ASKED;
    doca_priv_rdma_tell(c, DOCA_PRIV_RDMA_REQUESTED);
    return true;
}

/* Handle the first packet of a guest, or its end. */
static void doca_priv_rdma_hear_guest(struct doca_rdma *r, struct doca_priv_rdma_guest *guest)
{
    uint8_t bytes[DOCA_PRIV_RDMA_PACKET];
    const uint8_t *body = bytes + sizeof(struct doca_priv_local_head);
    struct doca_priv_local_packet packet;
    struct doca_priv_local_head head;
    bool is_taken = false;
    size_t len;

    doca_priv_local_receive(guest->fd, bytes, sizeof(bytes), &packet);
    if (packet.bytes < 0)
        return;
    if (packet.bytes >= (long)sizeof(head)) {
        DOCA_CORE_MEMCPY(&head, bytes, sizeof(head));
        len = (size_t)packet.bytes - sizeof(head);
        if (head.type == DOCA_PRIV_RDMA_HELLO && guest->port == 0)
            is_taken = doca_priv_rdma_hear_hello(r, guest->fd, body, len, &packet);
        else if (head.type == DOCA_PRIV_RDMA_ASK && guest->port != 0)
            is_taken = doca_priv_rdma_hear_ask(r, guest, body, len);
    }
    doca_priv_local_close_fds(&packet);
    if (is_taken)
        guest->fd = -1;
    else
        doca_priv_rdma_close_fd(r, &guest->fd);
}

/* Accept the clients of a listener, up to a number. Their first packets have usually arrived. When
 * there is no room for a guest, the oldest silent guest is closed. */
static void doca_priv_rdma_accept_all(struct doca_rdma *r, int listener, uint16_t port)
{
    struct doca_priv_rdma_guest *guest;
    uint32_t i, num;
    int fd;

    for (num = 0; num < DOCA_PRIV_LOCAL_ACCEPTS && (fd = doca_priv_local_accept(listener)) >= 0;
         num++) {
        if (!doca_priv_local_is_same_user(fd)) {
            (void)doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_RDMA_FOREIGN,
                                 DOCA_PRIV_RDMA_WHERE_LOOKED, &r->ctx);
            doca_priv_sys_close(fd);
            continue;
        }
        guest = &r->guests[0];
        for (i = 1; i < DOCA_PRIV_RDMA_GUESTS && guest->fd >= 0; i++)
            if (r->guests[i].fd < 0 ||
                r->num_guests - r->guests[i].since > r->num_guests - guest->since)
                guest = &r->guests[i];
        doca_priv_rdma_close_fd(r, &guest->fd);
        if (!doca_priv_rdma_watch(r, fd, DOCA_PRIV_RDMA_AT_GUEST, (uint32_t)(guest - r->guests))) {
            doca_priv_sys_close(fd);
            continue;
        }
        guest->fd = fd;
        guest->since = r->num_guests++;
        guest->port = port;
        doca_priv_rdma_hear_guest(r, guest);
    }
}

/* Handle the answer of a listener. */
static void doca_priv_rdma_hear_answer(struct doca_rdma_connection *c)
{
    uint8_t bytes[DOCA_PRIV_RDMA_PACKET];
    struct doca_priv_local_packet packet;
    struct doca_priv_local_head head;
    enum doca_core_item item;

    doca_priv_local_receive(c->ask_fd, bytes, sizeof(bytes), &packet);
    if (packet.bytes < 0)
        return;
    doca_priv_local_close_fds(&packet);
    if (packet.bytes < (long)sizeof(head)) {
        doca_priv_rdma_lose(c);
        return;
    }
    DOCA_CORE_MEMCPY(&head, bytes, sizeof(head));
    item = DOCA_CORE_ITEM_NONE;
    if (head.type != DOCA_PRIV_RDMA_ANSWER)
        item = DOCA_CORE_ITEM_RDMA_NONSENSE;
    else
        (void)doca_priv_rdma_take_details(c, bytes + sizeof(head),
                                          (size_t)packet.bytes - sizeof(head), &item);
    if (!c->has_details)
        (void)doca_priv_fail(DOCA_ERROR_BAD_CONFIG, item, DOCA_PRIV_RDMA_WHERE_LOOKED, c);
    if (!c->has_details || doca_priv_rdma_join(c, DOCA_PRIV_RDMA_WHERE_LOOKED) != DOCA_SUCCESS)
        doca_priv_rdma_conn_down(c, DOCA_ERROR_CONNECTION_ABORTED, DOCA_PRIV_RDMA_FAILED);
}

/* A socket of a connection has been reported as readable. Except for the answer of a listener, this
 * means that the peer has closed the socket. The report may be about an earlier connection that
 * used the same entry of the table, so the function looks at each socket of the connection. */
static void doca_priv_rdma_hear_conn(struct doca_rdma_connection *c)
{
    if (c->obj.state == DOCA_PRIV_RDMA_ASKING) {
        if (c->ask_fd >= 0)
            doca_priv_rdma_hear_answer(c);
        return;
    }
    if ((c->out_fd >= 0 && doca_priv_local_is_hung_up(c->out_fd)) ||
        (c->in_fd >= 0 && doca_priv_local_is_hung_up(c->in_fd)))
        doca_priv_rdma_lose(c);
    else if (c->obj.state == DOCA_PRIV_RDMA_ASKED && doca_priv_local_is_hung_up(c->ask_fd))
        doca_priv_sys_unwatch(c->rdma->set, c->ask_fd); /* accept will see it, too */
}

/* Handle a connection whose deadline has passed: its peer did not answer, or has posted no receive
 * task. */
static void doca_priv_rdma_expire_conn(struct doca_rdma_connection *c)
{
    struct doca_priv_rdma_task *op = c->ops;
    struct doca_priv_rdma_slot *slot;

    if (c->obj.state != DOCA_PRIV_RDMA_UP) {
        (void)doca_priv_fail(DOCA_ERROR_TIME_OUT, DOCA_CORE_ITEM_RDMA_LATE,
                             DOCA_PRIV_RDMA_WHERE_LOOKED, c);
        doca_priv_rdma_conn_down(c, DOCA_ERROR_TIME_OUT, DOCA_PRIV_RDMA_FAILED);
        return;
    }
    doca_priv_rdma_set_deadline(c, 0);
    if (op == NULL || !doca_priv_rdma_is_starving(c))
        return;
    slot = doca_priv_rdma_slot_of(&c->out, op->ticket);
    if (!doca_priv_rdma_swap(&slot->turn,
                             DOCA_PRIV_RDMA_TURN(op->ticket, DOCA_PRIV_RDMA_SLOT_FILLED),
                             DOCA_PRIV_RDMA_TURN(op->ticket, DOCA_PRIV_RDMA_SLOT_CANCELLED)))
        return; /* the peer has just received the message */
    op->stage = DOCA_PRIV_RDMA_ENDED;
    op->task.status = (uint8_t)DOCA_ERROR_IO_FAILED;
    (void)doca_priv_fail(DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_RDMA_NO_RECEIVE,
                         DOCA_PRIV_RDMA_WHERE_LOOKED, &op->task);
    doca_priv_rdma_break(c);
}

/* Handle each connection whose deadline has passed: a connection that is not yet established fails;
 * an established connection fails its oldest task, which waited for a receive task of the peer. */
DOCA_PRIV_DECL void doca_priv_rdma_expire(struct doca_rdma *r)
{
    const uint64_t now = doca_priv_sys_now();
    uint32_t i;

    for (i = 0; i < r->max_conns; i++)
        if (r->conns[i].deadline != 0 && r->conns[i].deadline <= now)
            doca_priv_rdma_expire_conn(&r->conns[i]);
    doca_priv_rdma_set_timer(r); /* an expired timer stays readable until it is set */
}

/* Open the sockets to listeners that were full. */
static void doca_priv_rdma_dial_all(struct doca_rdma *r)
{
    struct doca_rdma_connection *c;

    for (c = r->conns; r->num_unsettled > 0 && c < r->conns + r->max_conns; c++) {
        if (!doca_priv_rdma_is_dialling(c))
            continue;
        if (c->obj.state == DOCA_PRIV_RDMA_ASKING)
            doca_priv_rdma_ask_again(c);
        else
            (void)doca_priv_rdma_dial_again(c);
    }
}

/* Ask the kernel which descriptors are ready, and handle what is there. The set is level-triggered,
 * so descriptors that are not handled stay ready. */
DOCA_PRIV_DECL void doca_priv_rdma_look(struct doca_rdma *r)
{
    struct epoll_event events[DOCA_PRIV_RDMA_LOOKS];
    uint32_t number;
    uint64_t data;
    int num, i;

    doca_priv_rdma_dial_all(r);
    num = epoll_wait(r->set, events, DOCA_PRIV_RDMA_LOOKS, 0);
    for (i = 0; i < num; i++) {
        DOCA_CORE_MEMCPY(&data,
                         (const unsigned char *)(const void *)events +
                             (size_t)i * DOCA_PRIV_RDMA_READY_BYTES + DOCA_PRIV_RDMA_READY_DATA,
                         sizeof(data));
        number = (uint32_t)data;
        switch (data >> 32) {
        case DOCA_PRIV_RDMA_AT_LISTENER:
            if (r->listener >= 0)
                doca_priv_rdma_accept_all(r, r->listener, 0);
            break;
        case DOCA_PRIV_RDMA_AT_PORT:
            if (r->ports[number].fd >= 0)
                doca_priv_rdma_accept_all(r, r->ports[number].fd, r->ports[number].port);
            break;
        case DOCA_PRIV_RDMA_AT_GUEST:
            if (r->guests[number].fd >= 0)
                doca_priv_rdma_hear_guest(r, &r->guests[number]);
            break;
        case DOCA_PRIV_RDMA_AT_CONN:
            if (r->conns[number].obj.state != DOCA_PRIV_RDMA_FREE &&
                r->conns[number].obj.state != DOCA_PRIV_RDMA_DOWN)
                doca_priv_rdma_hear_conn(&r->conns[number]);
            break;
        case DOCA_PRIV_RDMA_AT_TIMER:
            doca_priv_rdma_expire(r);
            break;
        default:
            (void)doca_priv_sys_event_drain(r->wake_fd);
            break;
        }
    }
}
