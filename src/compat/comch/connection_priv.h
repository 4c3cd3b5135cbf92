/* ---- >>priv.comch.connection -----------------------------------------------------------------
 * Declarations of >>impl.comch.connection for other parts.                                      */
#ifndef DOCA_SRC_COMPAT_COMCH_CONNECTION_PRIV_H
#define DOCA_SRC_COMPAT_COMCH_CONNECTION_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "compat/comch/objects_priv.h"

struct doca_core_refusal;

DOCA_PRIV_DECL bool doca_priv_comch_is_connection(const struct doca_comch_connection *connection);
DOCA_PRIV_DECL doca_error_t doca_priv_comch_check_up(const struct doca_comch_connection *connection,
                                                     const void *pointer, const char *function);
DOCA_PRIV_DECL struct doca_comch_connection *doca_priv_comch_conn_open(struct doca_priv_comch *c,
                                                                       int fd);
DOCA_PRIV_DECL void doca_priv_comch_conn_hang_up(struct doca_comch_connection *connection);
DOCA_PRIV_DECL struct doca_priv_comch_lane *
doca_priv_comch_conn_free_lane(struct doca_comch_connection *connection, uint32_t id);
DOCA_PRIV_DECL void doca_priv_comch_conn_end(struct doca_comch_connection *connection);
DOCA_PRIV_DECL void doca_priv_comch_conn_free(struct doca_comch_connection *connection);
DOCA_PRIV_DECL void doca_priv_comch_conn_flush(struct doca_comch_connection *connection);
DOCA_PRIV_DECL void doca_priv_comch_conn_drop_unsent(struct doca_comch_connection *connection,
                                                     doca_error_t status);
DOCA_PRIV_DECL void doca_priv_comch_conn_await_room(struct doca_comch_connection *connection);
DOCA_PRIV_DECL uint32_t doca_priv_comch_conn_index(const struct doca_comch_connection *connection);
DOCA_PRIV_DECL doca_error_t doca_priv_comch_join(struct doca_comch_connection *connection,
                                                 bool is_consumer, uint32_t *id,
                                                 const char *function);
DOCA_PRIV_DECL void doca_priv_comch_part(struct doca_comch_connection *connection, bool is_consumer,
                                         uint32_t id);
DOCA_PRIV_DECL bool doca_priv_comch_has_children(struct doca_comch_connection *connection);
DOCA_PRIV_DECL void doca_priv_comch_tell_expired(struct doca_comch_connection *connection,
                                                 uint32_t id);

#endif
