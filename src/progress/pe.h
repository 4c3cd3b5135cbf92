/* ---- >>pe -----------------------------------------------------------------------------------
 * A progress engine (PE) completes tasks: each doca_pe_progress() serves the connected contexts
 * round robin. A context without tasks in flight and without state changes to report costs
 * nothing. A program can call doca_pe_progress() in a loop, or sleep on the PE's notification
 * handle:
 *     request_notification, submit (in either order), epoll, clear_notification, progress until 0
 * Threads: one at a time.
 * Source: DOCA Core Programming Guide, "DOCA Progress Engine"; public 3.0 reference, same title.*/
#ifndef DOCA_SRC_PROGRESS_PE_H
#define DOCA_SRC_PROGRESS_PE_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "object/arena.h"

struct doca_pe {
    struct doca_priv_object obj;
    struct doca_ctx *active; /* ring of active contexts, starting with the next to serve */
    uint8_t is_armed;
    uint8_t is_signalled; /* event_fd is readable */
    uint8_t disarms;      /* signalling also disarms (DOCA_PE_EVENT_MODE_PROGRESS_ALL) */
    uint8_t is_listening; /* `listen_set` is in the epoll set `fd` */
    int fd;               /* notification handle: an epoll set, opened on first use; or -1 */
    int event_fd;         /* eventfd in this set; readable while is_signalled */
    int listen_set;       /* epoll set with `inotify` and exporters' processes; -1: no listeners */
    int inotify;          /* inotify instance for writes to pages of shared sync events */
    uint16_t stats;       /* number of the PE's counters (>>stats); 0: no counters */
    struct doca_priv_listener *listeners; /* contexts that may wait for a shared sync event */
    uint32_t num_hearing;                 /* number of listeners that a write would wake */
    uint32_t num_fallible; /* contexts that are not idle and that have counters or a device that can
                            * fail */
    /* All contexts, including the contexts of graphs, are in one of two lists. `watched` has the
     * started contexts whose queues must be armed and disarmed: contexts whose queue has a
     * descriptor, and sync event contexts. */
    struct doca_ctx *ctxs;
    struct doca_ctx *watched;
    struct doca_core_arena *arena;
    struct doca_pe *next;  /* list of all PEs with num_fallible > 0 */
    uint64_t num_fruitless; /* progress calls that found nothing, while num_fallible > 0 */
};

#define DOCA_CORE_BYTES_PE(n) ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_pe)))
DOCA_CORE_DECL doca_error_t doca_core_bytes_pe(size_t *bytes);

/* Create a PE without contexts.
 *
 * Owns      one block of the bound arena; two file descriptors after the first use of its handle;
 *           two more descriptors, one of them an inotify instance, while a sync event context is
 *           started whose tasks wait for a shared value
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_pe_create(struct doca_pe **pe);
DOCA_CORE_DECL doca_error_t doca_core_pe_create_in(struct doca_core_arena *arena,
                                                   struct doca_pe **pe);

/* Destroy a PE.
 *
 * Errors    IN_USE  a context is connected, or a graph exists; destroying these disconnects them */
DOCA_CORE_DECL doca_error_t doca_pe_destroy(struct doca_pe *pe);

/* Connect an idle context. The connection lasts until the context is destroyed.
 *
 * Errors    BAD_STATE      the context is not idle
 *           NOT_PERMITTED  the context already has a PE */
DOCA_CORE_DECL doca_error_t doca_pe_connect_ctx(struct doca_pe *pe, struct doca_ctx *ctx);

/* Make progress: run at most one callback, or the functions of up to 64 user nodes of one graph
 * instance. Returns 1 if something happened (a task completed, a node ran, a context became RUNNING
 * or IDLE, a state change was reported), otherwise 0. `pe` must not be NULL.
 * The library's state is consistent before a callback runs. Therefore a callback may leave by
 * longjmp, or by a C++ exception (compile the implementation with -fexceptions or as C++), and the
 * program may then call doca_pe_progress() again.
 * When a device fails, its contexts begin to stop in the next call after the failure was detected.
 * Detection happens when an armed PE is woken, when a PE has found nothing in DOCA_CORE_PE_PATIENCE
 * calls, or when a PE starts a context on the device.
 *
 * Callback  not allowed inside callbacks
 * Cost      O(1), and on a software device the work of one task; O(contexts in flight) if all their
 *           devices are busy; a check of the handle and a branch if no task is in flight. Contexts
 *           on devices that can fail (doca_core_mlx5.h) cost a little more: one of
 *           DOCA_CORE_PE_PATIENCE calls that find nothing makes one system call per such device */
#define DOCA_CORE_PE_PATIENCE 16384
DOCA_CORE_DECL uint8_t doca_pe_progress(struct doca_pe *pe);

/* Get the number of tasks in flight of all connected contexts, plus the number of items of graphs
 * that wait for progress: user nodes, tasks that found the queue full, callbacks. If the number is
 * 0, a context may still have a state change to report.
 * Cost      O(contexts and graphs with tasks in flight or other work). A context without work is
 *           included until a call of doca_pe_progress() has checked it */
DOCA_CORE_DECL doca_error_t doca_pe_get_num_inflight_tasks(const struct doca_pe *pe,
                                                           size_t *num_inflight_tasks);

/* Get a file descriptor for poll, epoll or select. It stays the same until the PE is destroyed. It
 * becomes readable when the PE is armed and has work, and, armed or not, when a device of a context
 * that is not idle may have failed.
 *
 * Errors    NOT_SUPPORTED     the library was built without an operating system
 *           OPERATING_SYSTEM  the process has no free descriptor, or the kernel refuses to watch
 *                             the descriptor of a device */
DOCA_CORE_DECL doca_error_t doca_pe_get_notification_handle(const struct doca_pe *pe,
                                                            doca_notification_handle_t *handle);

/* Arm the handle once: it becomes readable as soon as there is work, now or later. Another request
 * before doca_pe_clear_notification() arms the handle again.
 *
 * Cost      O(started contexts whose devices complete tasks on their own), plus O(contexts with
 *           tasks in flight or counters) up to the first context that has work
 * Errors    as doca_pe_get_notification_handle() */
DOCA_CORE_DECL doca_error_t doca_pe_request_notification(struct doca_pe *pe);

/* Make the handle unreadable and disarm it. `handle` is ignored, as on Linux with the vendor's
 * library. Data that the program itself wrote to the handle is also cleared.
 *
 * Cost      a system call if the PE has a handle; after a request also O(started contexts whose
 *           devices complete tasks on their own), with up to a few system calls for each
 * Errors    OPERATING_SYSTEM  the read failed */
DOCA_CORE_DECL doca_error_t doca_pe_clear_notification(struct doca_pe *pe,
                                                       doca_notification_handle_t handle);

/* Event modes (later versions). */
enum doca_pe_event_mode {
    DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE = 0, /* the default */
    DOCA_PE_EVENT_MODE_PROGRESS_ALL = 1
};

/* Choose how an armed handle is disarmed (later versions).
 *   SELECTIVE  by doca_pe_clear_notification(). The checked mode reports calls of
 *              doca_pe_progress() before that (vendor: such calls serve only contexts with an
 *              event).
 *   ALL        by the event itself. Clearing is not necessary, doca_pe_progress() may be called at
 *              any time, and the handle stays readable until the next request.
 *
 * Callback  not allowed inside task callbacks
 * Errors    INVALID_VALUE  also: unknown mode */
DOCA_CORE_DECL doca_error_t doca_pe_set_event_mode(struct doca_pe *pe,
                                                   enum doca_pe_event_mode event_mode);

/* Batch sizes for libraries with batches of events (later versions). No function of this header
 * uses them. Version 3.0 added two in front of the existing ones. */
enum doca_event_batch_events_number {
#if DOCA_CORE_API >= 30000
    DOCA_EVENT_BATCH_EVENTS_NUMBER_1,
    DOCA_EVENT_BATCH_EVENTS_NUMBER_2,
#endif
    DOCA_EVENT_BATCH_EVENTS_NUMBER_4,
    DOCA_EVENT_BATCH_EVENTS_NUMBER_8,
    DOCA_EVENT_BATCH_EVENTS_NUMBER_16,
    DOCA_EVENT_BATCH_EVENTS_NUMBER_32,
    DOCA_EVENT_BATCH_EVENTS_NUMBER_64,
    DOCA_EVENT_BATCH_EVENTS_NUMBER_128
};

#endif
