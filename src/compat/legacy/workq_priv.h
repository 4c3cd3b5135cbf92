/* ---- >>priv.legacy.workq ---------------------------------------------------------------------
 * Work queues, their slots for jobs, and their events.                                          */
#ifndef DOCA_SRC_COMPAT_LEGACY_WORKQ_PRIV_H
#define DOCA_SRC_COMPAT_LEGACY_WORKQ_PRIV_H

#include "base/platform_priv.h"
#include "base/types.h"
#include "memory/buf.h"
#include "compat/legacy/job.h"

struct doca_core_arena;
struct doca_core_legacy_graph_instance;
struct doca_pe;
struct doca_priv_graph_link;
struct doca_priv_link;
struct doca_priv_run;
struct doca_sha_partial_session;

/* An event of a job or a graph instance, until it is retrieved. */
struct doca_priv_legacy_event {
    struct doca_event event;
    struct doca_priv_legacy_event *next;
    struct doca_priv_job *job;
    struct doca_core_legacy_graph_instance *instance;
};

/* A slot of a work queue. */
struct doca_priv_job {
    struct doca_buf src; /* copies of the buffers for the engine, with the lengths of the job */
    struct doca_buf dst;
    struct doca_buf *held_src; /* the buffers of the program */
    struct doca_buf *held_dst; /* NULL when the job is not in flight */
    struct doca_workq *workq;
    struct doca_priv_link *link;
    struct doca_priv_run *run; /* graph node that the job works for; NULL without one */
    /* session whose segment the job hashes; NULL without a session */
    struct doca_sha_partial_session *session;
    struct doca_priv_job *next; /* next free slot */
    struct doca_priv_legacy_event end;
};

struct doca_workq {
    struct doca_priv_object obj;
    uint32_t depth;
    uint32_t num_free;
    bool is_event_driven;
    struct doca_core_arena *arena;
    struct doca_pe *pe;
    struct doca_priv_link *links;
    struct doca_priv_graph_link *graphs;
    struct doca_priv_job *jobs; /* array of all slots */
    struct doca_priv_job *free_jobs;
    struct doca_priv_legacy_event *events; /* events that have not been retrieved, oldest first */
    struct doca_priv_legacy_event *last_event;
    struct doca_priv_run *ready; /* graph nodes that are ready to run, oldest first */
    struct doca_priv_run *last_ready;
    /* user node whose function is running; NULL when no function is running */
    struct doca_priv_run *calling;
};

DOCA_PRIV_DECL void doca_priv_workq_wake(struct doca_workq *workq);
DOCA_PRIV_DECL void doca_priv_workq_put_event(struct doca_workq *workq,
                                              struct doca_priv_legacy_event *end);

#endif
