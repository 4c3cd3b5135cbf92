/* ---- >>priv.sync_card ------------------------------------------------------------------------
 * Declarations of >>impl.sync_card for other parts of the library.                              */
#ifndef DOCA_SRC_ENGINE_SYNC_CARD_PRIV_H
#define DOCA_SRC_ENGINE_SYNC_CARD_PRIV_H

#include "base/compiler.h"
#include "base/error.h"
#include "engine/sync_event.h"

DOCA_PRIV_DECL doca_error_t doca_priv_event_export_card(struct doca_sync_event *event,
                                                        const uint8_t **data, size_t *sz,
                                                        const char *function);
DOCA_PRIV_DECL void doca_priv_event_end_card(struct doca_sync_event *event);
DOCA_PRIV_DECL doca_error_t doca_priv_event_import_net(struct doca_sync_event_remote_net *event,
                                                       struct doca_dev *dev, const uint8_t *data,
                                                       size_t sz, const char *function);

#endif
