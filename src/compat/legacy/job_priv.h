/* ---- >>priv.legacy.job -----------------------------------------------------------------------
 * The submission and the completion of jobs.                                                    */
#ifndef DOCA_SRC_COMPAT_LEGACY_JOB_PRIV_H
#define DOCA_SRC_COMPAT_LEGACY_JOB_PRIV_H

#include "base/error.h"
#include "base/platform_priv.h"
#include "base/types.h"

struct doca_buf;
struct doca_dma_task_memcpy;
struct doca_job;
struct doca_priv_job;
struct doca_priv_link;
struct doca_priv_run;
struct doca_sha_partial_session;
struct doca_sha_task_hash;
struct doca_sha_task_partial_hash;
struct doca_workq;

/* A job of any type in a common form. */
struct doca_priv_order {
    struct doca_buf *src;
    struct doca_buf *dst;
    uint64_t bytes; /* length of a copy; 0 stands for the data length of the source */
    unsigned task_type;
    bool is_final;     /* true: this job of a hash writes the digest */
    uint8_t algorithm;
    struct doca_sha_partial_session *session;
};

DOCA_PRIV_DECL void doca_priv_job_free(struct doca_priv_job *job);
DOCA_PRIV_DECL doca_error_t doca_priv_job_check(struct doca_workq *workq,
                                                const struct doca_job *job,
                                                struct doca_priv_link **link,
                                                struct doca_priv_order *order,
                                                const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_job_post(struct doca_workq *workq,
                                               struct doca_priv_link *link,
                                               const struct doca_job *base,
                                               const struct doca_priv_order *order,
                                               struct doca_priv_run *run, const char *function);
DOCA_PRIV_DECL void doca_priv_copy_ended(struct doca_dma_task_memcpy *task, union doca_data data,
                                         union doca_data unused);
DOCA_PRIV_DECL void doca_priv_hash_ended(struct doca_sha_task_hash *task, union doca_data data,
                                         union doca_data unused);
DOCA_PRIV_DECL void doca_priv_segment_ended(struct doca_sha_task_partial_hash *task,
                                            union doca_data data, union doca_data unused);

#endif
