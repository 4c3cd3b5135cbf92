/* ---- >>priv.comch.receive --------------------------------------------------------------------
 * Declarations of >>impl.comch.receive for other parts.                                         */
#ifndef DOCA_SRC_COMPAT_COMCH_RECEIVE_PRIV_H
#define DOCA_SRC_COMPAT_COMCH_RECEIVE_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "compat/comch/objects_priv.h"

DOCA_PRIV_DECL void doca_priv_comch_accept_all(struct doca_priv_comch *c);
DOCA_PRIV_DECL struct doca_task *doca_priv_comch_hear(struct doca_comch_connection *connection);
DOCA_PRIV_DECL doca_error_t doca_priv_comch_hear_answer(struct doca_comch_connection *connection);
DOCA_PRIV_DECL void doca_priv_comch_drain(struct doca_comch_connection *connection);

#endif
