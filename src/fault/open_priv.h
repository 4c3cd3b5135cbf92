/* ---- >>priv.fault.open -----------------------------------------------------------------------
 * Opening of queues with fault injection, as the backend table uses it.                         */
#ifndef DOCA_SRC_FAULT_OPEN_PRIV_H
#define DOCA_SRC_FAULT_OPEN_PRIV_H

#include "base/compiler.h"
#include "device/backend.h"

DOCA_PRIV_DECL void doca_priv_fault_wrap_queues(struct doca_core_backend *table);

#endif
