/* ---- >>priv.legacy.graph.run -----------------------------------------------------------------
 * The execution of graph instances.                                                             */
#ifndef DOCA_SRC_COMPAT_LEGACY_GRAPH_RUN_PRIV_H
#define DOCA_SRC_COMPAT_LEGACY_GRAPH_RUN_PRIV_H

#include "base/error.h"
#include "base/platform_priv.h"
#include "base/types.h"

struct doca_core_legacy_graph_instance;
struct doca_priv_run;
struct doca_workq;

DOCA_PRIV_DECL void doca_priv_run_job_ended(struct doca_priv_run *run, doca_error_t status,
                                            union doca_data user_data);
DOCA_PRIV_DECL void doca_priv_graph_end_call(struct doca_workq *workq);
DOCA_PRIV_DECL void doca_priv_graph_run_next(struct doca_workq *workq);
DOCA_PRIV_DECL void doca_priv_graph_event_taken(struct doca_core_legacy_graph_instance *instance);

#endif
