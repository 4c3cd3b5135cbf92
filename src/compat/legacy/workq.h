/* ---- >>legacy.workq --------------------------------------------------------------------------
 * Work queues. A work queue takes jobs for any number of contexts, and returns their events.
 * Threads: a work queue and the buffers of its jobs belong to one thread at a time.
 * Source: 1.3 guide, 4.9 and 5.6.                                                               */
#ifndef DOCA_SRC_COMPAT_LEGACY_WORKQ_H
#define DOCA_SRC_COMPAT_LEGACY_WORKQ_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/legacy/config.h"

struct doca_event;
struct doca_job;
struct doca_workq;

enum doca_workq_property {
    DOCA_WORKQ_DEPTH /* uint32_t */
};

enum doca_workq_retrieve_flags { DOCA_WORKQ_RETRIEVE_FLAGS_NONE };

/* Create a work queue.
 *
 *   depth  maximum number of jobs in flight, at least 1; a job counts until its event has been
 *          retrieved
 *
 * Owns      three blocks of the bound arena
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_workq_create(uint32_t depth, struct doca_workq **workq);

/* Destroy a work queue.
 *
 * Errors    IN_USE  the work queue is attached to a context or graph */
DOCA_CORE_DECL doca_error_t doca_workq_destroy(struct doca_workq *workq);

/* Set or get a property. Get fills the rest of the `size` bytes with zeros.
 * doca_workq_set_depth() and doca_workq_get_depth() are the form of 1.5.
 *
 * Errors    INVALID_VALUE  an argument is NULL, or the property does not exist; set: the size is
 *                          wrong, or the depth is 0; get: `size` is too small
 *           BAD_STATE      set: the work queue is attached to a context or graph, or events have
 *                          not been retrieved
 *           NO_MEMORY      set: the arena is exhausted; the depth is unchanged */
DOCA_CORE_DECL doca_error_t doca_workq_property_set(struct doca_workq *workq,
                                                    enum doca_workq_property property,
                                                    const void *value, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_workq_property_get(const struct doca_workq *workq,
                                                    enum doca_workq_property property, void *value,
                                                    uint32_t size);
DOCA_CORE_DECL doca_error_t doca_workq_set_depth(struct doca_workq *workq, uint32_t depth);
DOCA_CORE_DECL doca_error_t doca_workq_get_depth(const struct doca_workq *workq, uint32_t *depth);

/* Submit a job to its context. Errors in its buffers that are not listed below are detected by the
 * device; the event of the job then reports IO_FAILED.
 *
 * Cost      O(number of attached contexts); O(depth) more when the destination is a list;
 *           otherwise as a task of doca_core.h: no lock, no allocation
 * Errors    INVALID_VALUE  the job does not belong to its context; a buffer is NULL, returned,
 *                          not the head of its list, or has the maximum number of references; a
 *                          copy is longer than its source; SHA: there is no data to hash, the
 *                          room for the digest is too small, a segment other than the last is
 *                          not whole blocks, or the session belongs to another context or work
 *                          queue or has a job in flight
 *           BAD_STATE      the context is stopped
 *           NOT_FOUND      the work queue is not attached to the context
 *           NO_MEMORY      the work queue or the device is full, or a job in flight writes to
 *                          the same list: retrieve events, then try again */
DOCA_CORE_DECL doca_error_t doca_workq_submit(struct doca_workq *workq, struct doca_job const *job);

/* Make progress, and retrieve one event of any job if there is one.
 *
 *   ev     out: the event; written when the call returns SUCCESS or IO_FAILED
 *   flags  ignored, because no flags are defined
 *
 * Errors    AGAIN      there is no event yet; call again
 *           IO_FAILED  `ev` is the event of a failed job or graph; its result is the error code */
DOCA_CORE_DECL doca_error_t doca_workq_progress_retrieve(struct doca_workq *workq,
                                                         struct doca_event *ev, int flags);

/* Wait on a descriptor, in the form of 1.5: enable the notification and get the handle once.
 * Then repeat: arm the handle, wait on it, clear it, and retrieve events until AGAIN.
 *
 * Errors    BAD_STATE         enable: the work queue is attached; handle calls: notification is not
 *                             enabled
 *           OPERATING_SYSTEM  the process or the system has no file descriptor left
 *           NOT_SUPPORTED     the library was built without an operating system */
DOCA_CORE_DECL doca_error_t doca_workq_set_event_driven_enable(struct doca_workq *workq,
                                                               uint8_t enable);
DOCA_CORE_DECL doca_error_t doca_workq_get_event_driven_enable(struct doca_workq *workq,
                                                               uint8_t *enabled);
DOCA_CORE_DECL doca_error_t doca_workq_get_event_handle(struct doca_workq *workq,
                                                        doca_event_handle_t *handle);
DOCA_CORE_DECL doca_error_t doca_workq_event_handle_arm(struct doca_workq *workq);
DOCA_CORE_DECL doca_error_t doca_workq_event_handle_clear(struct doca_workq *workq,
                                                          doca_event_handle_t handle);

#endif
