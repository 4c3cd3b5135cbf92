/* Events of identifiers: the queue of each open rdma_cm device. */
#ifndef MLX5SIM_CM_EVENT_H
#define MLX5SIM_CM_EVENT_H

#include "device/cm/state.h"

struct cm_event {
    struct cm_event *next;
    struct cm_id *id;
    struct cm_id *request;      /* CONNECT_REQUEST: the identifier of the new connection; NULL: the
                                   identifier has ended. Its field `request` points back */
    struct cm_multicast *multicast;     /* the membership that the event is about, or NULL */
    struct rdma_ucm_event_resp resp;
};

/* Values of rdma_ucm_event_resp.event, which are those of enum rdma_cm_event_type. */
enum {
    CM_ADDR_RESOLVED_EVENT = 0, CM_ADDR_ERROR = 1, CM_ROUTE_RESOLVED_EVENT = 2,
    CM_CONNECT_REQUEST = 4, CM_CONNECT_RESPONSE = 5, CM_UNREACHABLE = 7, CM_REJECTED = 8,
    CM_ESTABLISHED = 9, CM_DISCONNECTED = 10, CM_MULTICAST_JOIN = 12, CM_TIMEWAIT_EXIT = 15,
    CM_ADDRINFO_ERROR = 17, CM_USER = 18, CM_INTERNAL = 19      /* linux-libc-dev may be older */
};

/* Makes an event of the identifier, with its uid and handle. NULL when no memory is left. */
struct cm_event *cm_event_new(struct cm_id *id, uint32_t type, int32_t status);
/* Appends the event to the queue of its identifier's file, which owns the event from now on. Like
 * the kernel, the function drops an event whose identifier has the uid 0, because the program has
 * not accepted that identifier yet. A CONNECT_REQUEST and the events that programs write are never
 * dropped. `event` may be NULL. */
void cm_event_post(struct cm_event *event);
/* Posts an event that has no data. */
void cm_event_simple(struct cm_id *id, uint32_t type, int32_t status);

/* Removes the first event of the file; the caller frees it. */
void cm_event_remove_first(struct cm_file *file);

/* Returns how many packets the program must take from its connection, so that only packets of
 * unread events remain (`drain` in struct wire_reply). The program takes them before it uses the
 * reply. */
uint32_t cm_file_drains(struct cm_file *file);

/* Drops the unread events of an identifier, or of a membership. `request`, unless NULL, is called
 * for each request of a connection among them. */
void cm_events_drop(struct cm_file *file, const struct cm_id *id,
                    const struct cm_multicast *multicast, void (*request)(struct cm_id *));
/* Moves the unread events of the identifier, and the identifiers of new connections in its
 * CONNECT_REQUESTs, to another file. */
void cm_events_move(struct cm_file *from, struct cm_file *to, const struct cm_id *id);

#endif
