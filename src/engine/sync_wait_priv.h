/* ---- >>priv.sync_wait ------------------------------------------------------------------------
 * Declarations of >>impl.sync_wait for other parts of the library.                              */
#ifndef DOCA_SRC_ENGINE_SYNC_WAIT_PRIV_H
#define DOCA_SRC_ENGINE_SYNC_WAIT_PRIV_H

#include "base/compiler.h"
#include "progress/task.h"

DOCA_PRIV_DECL void doca_priv_event_wait_done(struct doca_task *task);
DOCA_PRIV_DECL void doca_priv_event_wait_eq_done(struct doca_task *task);
DOCA_PRIV_DECL void doca_priv_event_wait_neq_done(struct doca_task *task);

#endif
