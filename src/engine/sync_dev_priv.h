/* ---- >>priv.sync_dev -------------------------------------------------------------------------
 * Declarations of >>impl.sync_dev for other parts of the library.                               */
#ifndef DOCA_SRC_ENGINE_SYNC_DEV_PRIV_H
#define DOCA_SRC_ENGINE_SYNC_DEV_PRIV_H

#include "base/compiler.h"
#include "base/error.h"

DOCA_PRIV_DECL bool doca_priv_event_is_for_dev(const struct doca_mmap *mmap);
DOCA_PRIV_DECL void doca_priv_event_detach(struct doca_sync_event *event, const char *function);
DOCA_PRIV_DECL void doca_priv_event_attach(struct doca_sync_event *event, struct doca_mmap *mmap,
                                           const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_event_check_cpu(struct doca_sync_event *event,
                                                      const char *function);
DOCA_PRIV_DECL void doca_priv_event_choose_dev(struct doca_sync_event *event);
DOCA_PRIV_DECL doca_error_t doca_priv_event_begin_alone(struct doca_sync_event *event,
                                                        const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_event_export_dev(struct doca_sync_event *event,
                                                       struct doca_dev *dev, const uint8_t **data,
                                                       size_t *sz, const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_event_import_dev(struct doca_core_arena *arena,
                                                       struct doca_dev *dev, const uint8_t *data,
                                                       size_t sz, struct doca_mmap **mmap,
                                                       uint64_t *addr, const char *function);
DOCA_PRIV_DECL bool doca_priv_event_is_of_dev(const uint8_t *data, size_t sz);

#endif
