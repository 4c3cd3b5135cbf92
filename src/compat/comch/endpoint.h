/* ---- >>comch.endpoint -----------------------------------------------------------------------
 * The Comm Channel of DOCA 2.0 to 2.8 (doca_comm_channel.h), the predecessor of Comch: endpoints,
 * which a program polls. doca_comm_channel_ep_listen() makes an endpoint a service, and
 * doca_comm_channel_ep_connect() makes it a client. An endpoint owns a progress engine and a Comch
 * server or client. Therefore endpoints also reach servers and clients of Comch.
 *
 * Order of calls of a client:
 *     ep_create -> set_device, sizes -> connect
 *     -> peer_addr_update_info until it returns SUCCESS -> sendto, recvfrom -> disconnect
 *     -> connect again, or ep_destroy
 * Order of calls of a service:
 *     ep_create -> set_device, set_device_rep, sizes -> listen
 *     -> recvfrom, which also accepts clients -> sendto to the peers that it returns -> ep_destroy
 *
 * AGAIN of sendto and recvfrom means "not yet": the program calls again, or sleeps on the event
 * channel of that direction. Two threads may use the two directions of an endpoint if a lock of the
 * program admits one call at a time; the arm calls need no lock.
 * A peer (struct doca_comm_channel_addr_t) is one connection. Its handle is valid until
 * doca_comm_channel_ep_disconnect() or _ep_destroy() releases it, even after the connection broke.
 * For a handle that is NULL or not a live object of its type, a call returns INVALID_VALUE, or
 * NOT_CONNECTED if its comment says so.
 * In DOCA 1.3, ep_create has a struct of attributes; this form is not provided.
 * Source: API reference 2.5, "DOCA Comm Channel"; public programs of 2.x.                       */
#ifndef DOCA_SRC_COMPAT_COMCH_ENDPOINT_H
#define DOCA_SRC_COMPAT_COMCH_ENDPOINT_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/comch/config.h"

struct doca_comm_channel_addr_t;
struct doca_comm_channel_ep_t;

enum doca_comm_channel_msg_flags { DOCA_CC_MSG_FLAG_NONE = 0 };

typedef doca_event_handle_t doca_event_channel_t; /* a file descriptor for poll or epoll */

/* Query the limits of endpoints on a device. They are the limits of Comch.
 *
 *   max_service_name_len  out: maximum length of a name in bytes, with its NUL; the same for all
 *                         devices
 *   max_message_size      out: maximum length of a message in bytes
 *   max_..._queue_size    out: maximum number of messages in a queue
 *   max_num_connections   out: maximum number of clients of a service at the same time
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  an argument is NULL, or `devinfo` is not from a device list or device
 *           NOT_SUPPORTED  max_num_connections: this device cannot have a service
 *           UNEXPECTED     never */
DOCA_CORE_DECL doca_error_t
doca_comm_channel_get_max_service_name_len(uint32_t *max_service_name_len);
DOCA_CORE_DECL doca_error_t doca_comm_channel_get_max_message_size(struct doca_devinfo *devinfo,
                                                                   uint32_t *max_message_size);
DOCA_CORE_DECL doca_error_t doca_comm_channel_get_max_send_queue_size(
    struct doca_devinfo *devinfo, uint32_t *max_send_queue_size);
DOCA_CORE_DECL doca_error_t doca_comm_channel_get_max_recv_queue_size(
    struct doca_devinfo *devinfo, uint32_t *max_recv_queue_size);
DOCA_CORE_DECL doca_error_t doca_comm_channel_get_service_max_num_connections(
    struct doca_devinfo *devinfo, uint32_t *max_num_connections);

/* Compute the arena bytes of an endpoint, with its progress engine and its server or client.
 *
 *   is_service  true for a service, false for a client
 *   max_msg     as in set_max_msg_size, in bytes
 *   bytes       out: an upper bound
 *
 * Errors    INVALID_VALUE  an argument is NULL, `dev` is not open, or `max_msg` is 0 or exceeds
 *                          the limit */
DOCA_CORE_DECL doca_error_t doca_core_bytes_comm_channel_ep(struct doca_dev *dev, bool is_service,
                                                            uint32_t max_msg, size_t *bytes);

/* Create an endpoint without a device. doca_core_comm_channel_ep_create_in() takes all memory of
 * the endpoint from `arena` instead of from the bound arena.
 *
 * Owns      two blocks of the arena; from listen or connect on, up to four more blocks, up to nine
 *           file descriptors, and one file descriptor for each connection
 * Errors    INVALID_VALUE           an argument is NULL
 *           NO_MEMORY               the arena is exhausted
 *           INITIALIZATION, DRIVER  never */
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_create(struct doca_comm_channel_ep_t **ep);
DOCA_CORE_DECL doca_error_t doca_core_comm_channel_ep_create_in(struct doca_core_arena *arena,
                                                                struct doca_comm_channel_ep_t **ep);

/* Disconnect all peers and destroy an endpoint. Messages that the endpoint has sent are delivered;
 * messages that it has not received are dropped. The call does not wait for a peer.
 *
 * Errors    NOT_CONNECTED  the endpoint is NULL, or not a live object */
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_destroy(struct doca_comm_channel_ep_t *local_ep);

/* Get or set the device and the representor; initially NULL. Both must stay open as long as the
 * endpoint listens or is connected.
 *
 * Errors    INVALID_VALUE  an argument is NULL, or not a live object
 *           BAD_STATE      set: the endpoint listens or is connected */
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_device(struct doca_comm_channel_ep_t *ep,
                                                            struct doca_dev **device);
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_device_rep(struct doca_comm_channel_ep_t *ep,
                                                                struct doca_dev_rep **device_rep);
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_set_device(struct doca_comm_channel_ep_t *ep,
                                                            struct doca_dev *device);
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_set_device_rep(struct doca_comm_channel_ep_t *ep,
                                                                struct doca_dev_rep *device_rep);

/* Get or set sizes. The value in use can be greater than the value that the program sets: a message
 * size is raised to 64 bytes, and a queue size to 16 messages and to a power of two (both lower
 * limits are Assumed). Initially the message size is the maximum, and a queue has 64 messages. When
 * the message sizes of the two sides differ, the smaller size applies to both. Messages wait in a
 * buffer of the kernel, whose size does not depend on the queue sizes: a program must not rely on a
 * queue size as a bound.
 *
 * Errors    INVALID_VALUE  an argument is NULL; set: the value is 0, or above the limit
 *           BAD_STATE      set: the endpoint listens or is connected */
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_max_msg_size(struct doca_comm_channel_ep_t *ep,
                                                                  uint16_t *max_msg_size);
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_send_queue_size(
    struct doca_comm_channel_ep_t *ep, uint16_t *send_queue_size);
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_recv_queue_size(
    struct doca_comm_channel_ep_t *ep, uint16_t *recv_queue_size);
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_set_max_msg_size(struct doca_comm_channel_ep_t *ep,
                                                                  uint16_t max_msg_size);
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_set_send_queue_size(
    struct doca_comm_channel_ep_t *ep, uint16_t send_queue_size);
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_set_recv_queue_size(
    struct doca_comm_channel_ep_t *ep, uint16_t recv_queue_size);

/* Get the event channels: descriptors for poll and epoll. The program must neither read nor close
 * them. They stay the same until ep_destroy, even if a client connects again.
 *   recv     readable while recvfrom has work: a message, a new client, or a broken connection. The
 *            call can still return AGAIN
 *   send     readable while no sendto has returned AGAIN, or when one that did can now succeed
 *   service  readable after a client began to wait, connected or disconnected, until
 *            update_service_state_info
 * An output of get_event_channel may be NULL. The arm calls exist for programs written for a card:
 * here a channel becomes readable without them, and they only check the handle.
 *
 * Threads   arm: any thread, even without the lock of the program
 * Errors    INVALID_VALUE  the endpoint is NULL; get: all outputs are NULL
 *           BAD_STATE      get: the endpoint neither listens nor is connected
 *           NOT_SUPPORTED  service: the endpoint is a client
 *           NOT_FOUND      never */
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_event_channel(
    struct doca_comm_channel_ep_t *local_ep, doca_event_channel_t *send_event_channel,
    doca_event_channel_t *recv_event_channel);
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_service_event_channel(
    struct doca_comm_channel_ep_t *local_ep, doca_event_channel_t *service_event_channel);
DOCA_CORE_DECL doca_error_t
doca_comm_channel_ep_event_handle_arm_send(struct doca_comm_channel_ep_t *local_ep);
DOCA_CORE_DECL doca_error_t
doca_comm_channel_ep_event_handle_arm_recv(struct doca_comm_channel_ep_t *local_ep);

/* Make an endpoint a service for the function that the representor names. The endpoint stays a
 * service until ep_destroy.
 *
 *   name  1 to 119 bytes and a NUL; copied
 *
 * Errors    INVALID_VALUE       an argument is NULL; the name is empty or too long; or the
 *                               representor belongs to another device
 *           NOT_SUPPORTED       the device cannot have a service, or the function cannot be named:
 *                               see doca_comch_server_create()
 *           BAD_STATE           the device or the representor is not set
 *           NOT_PERMITTED       the endpoint listens or is connected
 *           NO_MEMORY           the arena is exhausted
 *           INITIALIZATION      the operating system refused a resource
 *           CONNECTION_ABORTED  another service of this user has this name and function
 *           DRIVER              the device has failed */
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_listen(struct doca_comm_channel_ep_t *local_ep,
                                                        const char *name);

/* Make an endpoint the client of the service with this name. The call does not wait: the service
 * accepts the client in its next recvfrom, and peer_addr_update_info then returns SUCCESS. After
 * doca_comm_channel_ep_disconnect() the endpoint can connect again.
 *
 *   name       1 to 119 bytes and a NUL; copied
 *   peer_addr  out: the peer
 *
 * Errors    INVALID_VALUE       an argument is NULL, or the name is empty or too long
 *           NOT_SUPPORTED       the device cannot have a client, or it cannot be named: see
 *                               doca_comch_client_create()
 *           BAD_STATE           the device is not set
 *           NOT_PERMITTED       the endpoint listens or is connected
 *           NO_MEMORY           the arena is exhausted
 *           INITIALIZATION      the operating system refused the event channels
 *           CONNECTION_ABORTED  no service has this name, the service belongs to another user, or
 *                               the operating system refused the socket
 *           DRIVER              the device has failed */
DOCA_CORE_DECL doca_error_t
doca_comm_channel_ep_connect(struct doca_comm_channel_ep_t *local_ep, const char *name,
                             struct doca_comm_channel_addr_t **peer_addr);

/* Send a message without waiting. On SUCCESS the message is on its way to the peer, and the program
 * may change its bytes.
 *
 *   len    length in bytes, at most the message size of both sides; may be 0
 *   flags  DOCA_CC_MSG_FLAG_NONE
 *
 * Cost      a system call
 * Errors    INVALID_VALUE            the endpoint or `msg` is NULL, the message is too long, or a
 *                                    flag is set
 *           NOT_CONNECTED            the peer is NULL, is not live, belongs to another endpoint, or
 *                                    is not connected yet
 *           AGAIN                    the buffer of the connection is full; the send channel becomes
 *                                    readable when it has room
 *           CONNECTION_RESET         the connection is broken; disconnect it
 *           INITIALIZATION, UNKNOWN  never */
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_sendto(struct doca_comm_channel_ep_t *local_ep,
                                                        const void *msg, size_t len, int flags,
                                                        struct doca_comm_channel_addr_t *peer_addr);

/* Receive a message without waiting. In this call a service also accepts clients, and detects that
 * clients have disconnected.
 *
 *   len        in: size of the buffer in bytes; out: length of the message. If the message is
 *              longer than the buffer, the call returns INVALID_VALUE, with the length of the
 *              message in *len; the next call can receive the message
 *   flags      DOCA_CC_MSG_FLAG_NONE
 *   peer_addr  out: the sender
 *
 * Cost      a few system calls
 * Errors    INVALID_VALUE            an argument is NULL, a flag is set, or the message is longer
 *                                    than the buffer
 *           NOT_CONNECTED            the endpoint neither listens nor is connected
 *           AGAIN                    there is no message; the receive channel becomes readable when
 *                                    there is one
 *           CONNECTION_RESET         client: the connection is broken and all messages are
 *                                    received; disconnect it
 *           INITIALIZATION, UNKNOWN  never */
DOCA_CORE_DECL doca_error_t
doca_comm_channel_ep_recvfrom(struct doca_comm_channel_ep_t *local_ep, void *msg, size_t *len,
                              int flags, struct doca_comm_channel_addr_t **peer_addr);

/* Disconnect a peer and release its handle. Messages that this side has sent are delivered;
 * messages from the peer that this side has not received are dropped. The call does not wait for
 * the peer.
 *
 * Errors    INVALID_VALUE       the endpoint is NULL
 *           NOT_CONNECTED       the peer is NULL, is not live, or belongs to another endpoint
 *           NO_MEMORY, UNKNOWN  never */
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_disconnect(
    struct doca_comm_channel_ep_t *local_ep, struct doca_comm_channel_addr_t *peer_addr);

/* Get or set a value that the program stores in a peer; initially 0.
 *
 * Errors    INVALID_VALUE  an argument is NULL */
DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_user_data(
    struct doca_comm_channel_addr_t *peer_addr, uint64_t *user_data);
DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_set_user_data(
    struct doca_comm_channel_addr_t *peer_addr, uint64_t user_context);

/* Copy the counters of a peer for the five getters, and test whether its connection is alive. For a
 * client this call also makes progress with the handshake.
 *
 * Errors    INVALID_VALUE          the argument is NULL
 *           CONNECTION_INPROGRESS  the service has not accepted the client yet
 *           CONNECTION_ABORTED     the connection has failed or ended; disconnect it */
DOCA_CORE_DECL doca_error_t
doca_comm_channel_peer_addr_update_info(struct doca_comm_channel_addr_t *peer_addr);

/* Get a counter of the latest update_info, or 0 before the first. The number of messages in flight
 * is always 0: as soon as sendto accepts a message, the message is in the connection.
 *
 * Errors    INVALID_VALUE  an argument is NULL */
DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_send_messages(
    const struct doca_comm_channel_addr_t *peer_addr, uint64_t *send_messages);
DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_send_bytes(
    const struct doca_comm_channel_addr_t *peer_addr, uint64_t *send_bytes);
DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_recv_messages(
    const struct doca_comm_channel_addr_t *peer_addr, uint64_t *recv_messages);
DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_recv_bytes(
    const struct doca_comm_channel_addr_t *peer_addr, uint64_t *recv_bytes);
DOCA_CORE_DECL doca_error_t doca_comm_channel_peer_addr_get_send_in_flight_messages(
    const struct doca_comm_channel_addr_t *peer_addr, uint64_t *send_in_flight_messages);

/* Take a snapshot of a service for the two getters below, and make the service channel unreadable
 * until the next change. recvfrom accepts the clients that the snapshot counts as pending.
 *
 * Errors    INVALID_VALUE     the endpoint is NULL
 *           NOT_SUPPORTED     the endpoint is not a service
 *           CONNECTION_RESET  the service has failed; destroy the endpoint
 *           AGAIN, DRIVER     never */
DOCA_CORE_DECL doca_error_t
doca_comm_channel_ep_update_service_state_info(struct doca_comm_channel_ep_t *local_ep);

/* Get values of the snapshot: the connected peers, or the number of clients that wait until
 * recvfrom accepts them. The array is valid until the next update_service_state_info.
 *
 * Errors    INVALID_VALUE  an argument is NULL
 *           NOT_SUPPORTED  the endpoint is not a service */
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_peer_addr_list(
    const struct doca_comm_channel_ep_t *local_ep,
    struct doca_comm_channel_addr_t ***peer_addr_array, uint32_t *peer_addr_array_len);
DOCA_CORE_DECL doca_error_t doca_comm_channel_ep_get_pending_connections(
    const struct doca_comm_channel_ep_t *local_ep, uint32_t *pending_connections);

#endif
