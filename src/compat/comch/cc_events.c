/* ---- >>impl.comch.cc.events ------------------------------------------------------------------
 * Callbacks of 2.5 for events. A server or client calls a function of this file, and this function
 * calls the program's callback with the types of 2.5.                                           */
#include "compat/comch/cc_events_priv.h"

#include "base/error.h"
#include "base/types.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "compat/comch/cc_events.h"
#include "compat/comch/comch.h"
#include "compat/comch/objects_priv.h"

static void doca_priv_comch_25_received(struct doca_comch_event_msg_recv *event, uint8_t *bytes,
                                        uint32_t len, struct doca_comch_connection *connection)
{
    connection->comch->of_25.received(event, bytes, len, connection);
}

static void doca_priv_comch_25_connected(struct doca_comch_event_connection_status_changed *event,
                                         struct doca_comch_connection *connection,
                                         uint8_t change_successful)
{
    connection->comch->of_25.connected(event, connection, change_successful != 0);
}

static void
doca_priv_comch_25_disconnected(struct doca_comch_event_connection_status_changed *event,
                                struct doca_comch_connection *connection, uint8_t change_successful)
{
    connection->comch->of_25.disconnected(event, connection, change_successful != 0);
}

DOCA_CORE_DECL doca_error_t doca_cc_server_event_msg_recv_register(
    struct doca_comch_server *cc_server, doca_cc_event_msg_recv_cb_t recv_event_cb)
{
    doca_error_t rc = doca_comch_server_event_msg_recv_register(
        cc_server, recv_event_cb != NULL ? doca_priv_comch_25_received : NULL);
    DOCA_PRIV_OPEN(cc_server)

    if (rc == DOCA_SUCCESS)
        cc_server->comch.of_25.received = recv_event_cb;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_cc_client_event_msg_recv_register(
    struct doca_comch_client *cc_client, doca_cc_event_msg_recv_cb_t recv_event_cb)
{
    doca_error_t rc = doca_comch_client_event_msg_recv_register(
        cc_client, recv_event_cb != NULL ? doca_priv_comch_25_received : NULL);
    DOCA_PRIV_OPEN(cc_client)

    if (rc == DOCA_SUCCESS)
        cc_client->comch.of_25.received = recv_event_cb;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_cc_server_event_connection_register(
    struct doca_comch_server *cc_server,
    doca_cc_event_connection_status_changed_cb_t connect_event_cb,
    doca_cc_event_connection_status_changed_cb_t disconnect_event_cb)
{
    doca_error_t rc = doca_comch_server_event_connection_status_changed_register(
        cc_server, connect_event_cb != NULL ? doca_priv_comch_25_connected : NULL,
        disconnect_event_cb != NULL ? doca_priv_comch_25_disconnected : NULL);
    DOCA_PRIV_OPEN(cc_server)

    if (rc == DOCA_SUCCESS) {
        cc_server->comch.of_25.connected = connect_event_cb;
        cc_server->comch.of_25.disconnected = disconnect_event_cb;
    }
    return rc;
}
