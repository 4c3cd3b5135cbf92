/* ---- >>legacy.sha ----------------------------------------------------------------------------
 * Hashes of 1.4 to 2.2: jobs of a SHA context. A one-shot job hashes all data of req_buf, which may
 * be a list. A job of a session hashes one segment of a message; the job with
 * the flag SHA_PARTIAL_FINAL writes the digest. A segment may be submitted after the event of the
 * previous one. The digest is written to the data address of resp_buf, or of the head of its list,
 * and is the data of resp_buf afterwards. Other segments leave resp_buf unchanged.
 * Source: public programs of 1.5 and 2.0; DOCA SHA Programming Guide 1.5.                       */
#ifndef DOCA_SRC_COMPAT_LEGACY_SHA_H
#define DOCA_SRC_COMPAT_LEGACY_SHA_H

#include "base/config.h"
#include "base/error.h"
#include "compat/legacy/config.h"
#include "compat/legacy/job.h"

struct doca_buf;
struct doca_core_legacy_ctx;
struct doca_core_legacy_sha;
struct doca_devinfo;
struct doca_workq;

#define DOCA_SHA1_BYTE_COUNT 20
#define DOCA_SHA256_BYTE_COUNT 32
#define DOCA_SHA512_BYTE_COUNT 64

enum doca_sha_job_type {
    DOCA_SHA_JOB_SHA1 = DOCA_ACTION_SHA_FIRST + 1,
    DOCA_SHA_JOB_SHA256,
    DOCA_SHA_JOB_SHA512,
    DOCA_SHA_JOB_SHA1_PARTIAL,
    DOCA_SHA_JOB_SHA256_PARTIAL,
    DOCA_SHA_JOB_SHA512_PARTIAL
};

enum doca_sha_job_flags {
    DOCA_SHA_JOB_FLAGS_NONE = 0,
    DOCA_SHA_JOB_FLAGS_SHA_PARTIAL_FINAL = 1 /* ignored for one-shot jobs */
};

struct doca_sha_partial_session;

struct doca_sha_job {
    struct doca_job base;
    struct doca_buf *req_buf;  /* its data is hashed; at least one byte */
    struct doca_buf *resp_buf; /* must have room for the digest from its data address on */
    uint64_t flags;
};

struct doca_sha_partial_job {
    struct doca_sha_job sha_job; /* all segments but the last must be whole blocks */
    struct doca_sha_partial_session *session;
};

/* Create a stopped SHA context, destroy a SHA context, or return the context of a SHA object.
 *
 * Owns      one block of the bound arena
 * Errors    NO_MEMORY  the arena is exhausted
 *           IN_USE     destroy: the context has a device, and possibly work queues */
DOCA_CORE_DECL doca_error_t doca_core_legacy_sha_create(struct doca_core_legacy_sha **sha);
DOCA_CORE_DECL doca_error_t doca_core_legacy_sha_destroy(struct doca_core_legacy_sha *sha);
DOCA_CORE_DECL struct doca_core_legacy_ctx *doca_core_legacy_sha_as_ctx(
    struct doca_core_legacy_sha *sha);

/* Get capabilities of a device. Software devices report that they are hardware, as for DMA.
 *
 * Errors    INVALID_VALUE  an argument is NULL, or the type of job does not exist
 *           NOT_SUPPORTED  the device has no hash engine */
DOCA_CORE_DECL doca_error_t doca_sha_job_get_supported(const struct doca_devinfo *devinfo,
                                                       enum doca_sha_job_type job_type);
DOCA_CORE_DECL doca_error_t doca_sha_get_hardware_supported(const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_sha_get_max_list_buf_num_elem(const struct doca_devinfo *devinfo,
                                                               uint32_t *max_list_num_elem);
DOCA_CORE_DECL doca_error_t doca_sha_get_max_src_buffer_size(const struct doca_devinfo *devinfo,
                                                             uint64_t *max_buffer_size);
DOCA_CORE_DECL doca_error_t doca_sha_get_min_dst_buffer_size(const struct doca_devinfo *devinfo,
                                                             enum doca_sha_job_type job_type,
                                                             uint32_t *min_buffer_size);

/* Create a session for jobs of `sha` on `workq`, destroy it, or copy the state of `from_session`
 * to `to_session`. Copies allow the common beginning of several messages to be hashed only once.
 * After the last segment of a message, the next segment begins a new message. After a segment that
 * failed, the session is in the state before that segment.
 *
 * Owns      one block of the arena of the work queue until destroy
 * Threads   the thread of the work queue
 * Errors    INVALID_VALUE  an argument is NULL, or the session belongs to another context or
 *                          work queue
 *           NO_MEMORY      create: the arena is exhausted
 *           IN_USE         destroy, copy: a job of the session is in flight, or its event has
 *                          not been retrieved */
DOCA_CORE_DECL doca_error_t doca_sha_partial_session_create(
    struct doca_core_legacy_sha *sha, struct doca_workq *workq,
    struct doca_sha_partial_session **session);
DOCA_CORE_DECL doca_error_t doca_sha_partial_session_destroy(
    struct doca_core_legacy_sha *sha, struct doca_workq *workq,
    struct doca_sha_partial_session *session);
DOCA_CORE_DECL doca_error_t doca_sha_partial_session_copy(
    struct doca_core_legacy_sha *sha, struct doca_workq *workq,
    const struct doca_sha_partial_session *from_session,
    struct doca_sha_partial_session *to_session);

#endif
