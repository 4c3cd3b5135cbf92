/* ---- >>priv.comch.cc.events ------------------------------------------------------------------
 * The callbacks of 2.5, as a member of servers and clients.                                     */
#ifndef DOCA_SRC_COMPAT_COMCH_CC_EVENTS_PRIV_H
#define DOCA_SRC_COMPAT_COMCH_CC_EVENTS_PRIV_H

#include "compat/comch/cc_events.h"

struct doca_priv_comch_25 {
    doca_cc_event_msg_recv_cb_t received;
    doca_cc_event_connection_status_changed_cb_t connected, disconnected;
};

#endif
