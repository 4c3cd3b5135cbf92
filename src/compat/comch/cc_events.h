/* ---- >>comch.cc.events -----------------------------------------------------------------------
 * The two event callbacks of 2.5 whose parameters differ: the length of a message is a size_t, and
 * the result of a connection event is a bool. The other names of 2.5 are in >>comch.cc.
 * Source: API reference 2.5, "DOCA Comm Channel"; public programs of 2.5.                       */
#ifndef DOCA_SRC_COMPAT_COMCH_CC_EVENTS_H
#define DOCA_SRC_COMPAT_COMCH_CC_EVENTS_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/comch/comch.h"
#include "compat/comch/config.h"

/* As doca_comch_event_msg_recv_cb_t and doca_comch_event_connection_status_changed_cb_t. */
typedef void (*doca_cc_event_msg_recv_cb_t)(struct doca_comch_event_msg_recv *event,
                                            uint8_t *recv_buffer, size_t msg_len,
                                            struct doca_comch_connection *cc_connection);
typedef void (*doca_cc_event_connection_status_changed_cb_t)(
    struct doca_comch_event_connection_status_changed *event,
    struct doca_comch_connection *cc_connection, bool change_successful);

/* Set these callbacks in place of the callbacks of the current API. Each call replaces the earlier
 * callback for the same kind of event. Errors are those of
 * doca_comch_server_event_msg_recv_register(), doca_comch_client_event_msg_recv_register() and
 * doca_comch_server_event_connection_status_changed_register():
 *
 * Errors    INVALID_VALUE  an argument is NULL
 *           BAD_STATE      the context is not idle */
DOCA_CORE_DECL doca_error_t doca_cc_server_event_msg_recv_register(
    struct doca_comch_server *cc_server, doca_cc_event_msg_recv_cb_t recv_event_cb);
DOCA_CORE_DECL doca_error_t doca_cc_client_event_msg_recv_register(
    struct doca_comch_client *cc_client, doca_cc_event_msg_recv_cb_t recv_event_cb);
DOCA_CORE_DECL doca_error_t doca_cc_server_event_connection_register(
    struct doca_comch_server *cc_server,
    doca_cc_event_connection_status_changed_cb_t connect_event_cb,
    doca_cc_event_connection_status_changed_cb_t disconnect_event_cb);

#endif
