/* Events of identifiers: the queue of each open rdma_cm device. */
#define _GNU_SOURCE
#include "device/cm/event.h"
#include "device/machine/log.h"

#include <stdlib.h>
#include <sys/socket.h>

enum { MAX_PACKETS = 64 };      /* less than a socket holds */

/* Sends a packet to the program for a new event, unless MAX_PACKETS packets wait already. The
 * packet has no content. It makes the program's descriptor readable for poll() and epoll, and wakes
 * one thread that waits in GET_EVENT. The library receives one packet for each event that a program
 * reads. */
static void make_readable(struct cm_file *file)
{
    static const unsigned char packet;

    if (file->num_packets < MAX_PACKETS &&
        send(file->fd, &packet, 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1)
        file->num_packets++;
}

static void append(struct cm_file *file, struct cm_event *event)
{
    event->next = NULL;
    *file->last = event;
    file->last = &event->next;
    file->num_events++;
    make_readable(file);
}

struct cm_event *cm_event_new(struct cm_id *id, uint32_t type, int32_t status)
{
    struct cm_event *event = calloc(1, sizeof(*event));

    if (event == NULL) {
        sim_log(SIM_ERROR, "no memory for an event of rdma_cm identifier %u", id->handle);
        return NULL;
    }
    event->id = id;
    event->resp.uid = id->uid;
    event->resp.id = id->handle;
    event->resp.event = type;
    event->resp.status = (uint32_t)status;
    return event;
}

void cm_event_post(struct cm_event *event)
{
    uint32_t type;
    bool drop;

    if (event == NULL)
        return;
    type = event->resp.event;
    drop = event->id->uid == 0 && type != CM_CONNECT_REQUEST && type != CM_USER &&
           type != CM_INTERNAL;
    sim_log(SIM_TRACE, "rdma_cm %u: event %u, status %d%s", event->id->handle, event->resp.event,
            (int)event->resp.status, drop ? " (dropped: the identifier has the uid 0)" : "");
    if (drop)
        free(event);
    else
        append(event->id->file, event);
}

void cm_event_simple(struct cm_id *id, uint32_t type, int32_t status)
{
    cm_event_post(cm_event_new(id, type, status));
}

void cm_event_remove_first(struct cm_file *file)
{
    file->num_events--;
    file->first = file->first->next;
    if (file->first == NULL)
        file->last = &file->first;
}

uint32_t cm_file_drains(struct cm_file *file)
{
    uint32_t num = file->num_packets > file->num_events ? file->num_packets - file->num_events : 0;

    file->num_packets -= num;
    return num;
}

/* Takes the events of an identifier or of a membership out of the queue and returns them as a
 * list. */
static struct cm_event *take(struct cm_file *file, const struct cm_id *id,
                             const struct cm_multicast *multicast)
{
    struct cm_event **at = &file->first, *taken = NULL, **last = &taken;

    while (*at != NULL) {
        struct cm_event *event = *at;

        if (event->id != id || (multicast != NULL && event->multicast != multicast)) {
            at = &event->next;
            continue;
        }
        *at = event->next;
        file->num_events--;
        event->next = NULL;
        *last = event;
        last = &event->next;
    }
    file->last = at;
    return taken;
}

void cm_events_drop(struct cm_file *file, const struct cm_id *id,
                    const struct cm_multicast *multicast, void (*request)(struct cm_id *))
{
    struct cm_event *event = take(file, id, multicast), *next;

    for (; event != NULL; event = next) {
        next = event->next;
        if (event->request != NULL && request != NULL)
            request(event->request);
        free(event);
    }
}

void cm_events_move(struct cm_file *from, struct cm_file *to, const struct cm_id *id)
{
    struct cm_event *event = take(from, id, NULL), *next;

    for (; event != NULL; event = next) {
        next = event->next;
        if (event->request != NULL)
            event->request->file = to;
        append(to, event);
    }
}
