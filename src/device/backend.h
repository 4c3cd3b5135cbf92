/* ---- >>backend ------------------------------------------------------------------------------
 * The interface between the core and its backends: a table of functions that a backend implements.
 * Only authors of backends need this section.
 * The core owns states, reference counts, task slots and the order of callbacks. A backend owns
 * the device's queues and completions and reports results only through poll. A backend never reads
 * user_data and never calls the program. It receives addresses of objects and can dereference them.
 * In the checked mode, the handles of programs are different: they contain a generation number.
 *
 * Order of calls:
 *   1. enumerate, at any time.
 *   2. dev_open; then reg, dereg and queues; dev_close last.
 *   3. queue_open, on queue_bytes() bytes of line-aligned, zeroed memory.
 *   4. queue_opening, until it returns a result other than IN_PROGRESS. The core may then call it
 *      again, and it must return the same result. When the context stops before there is a result,
 *      the core calls queue_close instead of steps 5 and 6.
 *   5. post and poll. post returns AGAIN only while the queue contains tasks.
 *   6. queue_flush once, when the context stops with tasks in flight; poll continues.
 *   7. queue_close when the queue has no tasks. It is not called after a queue_open that failed.
 * Threads: all calls for one queue come from one thread.                                        */
#ifndef DOCA_SRC_DEVICE_BACKEND_H
#define DOCA_SRC_DEVICE_BACKEND_H

#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/types.h"
#include "device/device.h"
#include "device/nic_clock.h"

struct doca_core_rep_mem;

enum doca_core_engine {
    DOCA_CORE_ENGINE_DMA = 0, /* tasks are struct doca_dma_task_memcpy */
    DOCA_CORE_ENGINE_SHA = 1, /* tasks are struct doca_sha_task_hash; when task.type is
                               * DOCA_CORE_SHA_PARTIAL, the task is the beginning of a struct
                               * doca_sha_task_partial_hash */
    DOCA_CORE_ENGINE_EVENT = 2 /* task.type is DOCA_CORE_EVENT_*. Tasks are struct
                                * doca_sync_event_task_get, _notify_set, _notify_add or _wait_gt;
                                * _wait_eq and _wait_neq begin with a _wait_gt. */
};

enum { /* types of the tasks of DOCA_CORE_ENGINE_EVENT */
    DOCA_CORE_EVENT_GET = DOCA_PRIV_EVENT_GET,
    DOCA_CORE_EVENT_NOTIFY_SET = DOCA_PRIV_EVENT_SET,
    DOCA_CORE_EVENT_NOTIFY_ADD = DOCA_PRIV_EVENT_ADD,
    DOCA_CORE_EVENT_WAIT_GT = DOCA_PRIV_EVENT_WAIT, /* the first of the waiting types */
    DOCA_CORE_EVENT_WAIT_EQ = DOCA_PRIV_EVENT_WAIT_EQ,
    DOCA_CORE_EVENT_WAIT_NEQ = DOCA_PRIV_EVENT_WAIT_NEQ
};

/* The beginning of every queue. The private members of the backend follow it in the same memory. */
struct doca_core_queue {
    /* Data path: these functions never block, allocate, lock or call the program.
     * post: required. Accept a task and return SUCCESS. Or reject the task: AGAIN when the queue is
     * full, INVALID_VALUE when a buffer is NULL. task->more says when the device must be notified
     * of the task (DOCA_CORE_MORE_*). A post that rejects its task must notify the device of the
     * tasks accepted before.
     * poll: required. Return one finished task with its status set, or NULL.
     * The core reads both pointers when the context enters RUNNING. After a flush it reads `poll`
     * again. */
    doca_error_t (*post)(struct doca_core_queue *queue, struct doca_task *task);
    struct doca_task *(*poll)(struct doca_core_queue *queue);
    struct doca_task *first; /* list filled by doca_core_queue_append(); NULL when empty */
    struct doca_task *last;  /* end of that list; meaningless when the list is empty */
    const struct doca_core_backend *backend; /* the core sets this and `dev` before queue_open */
    struct doca_dev *dev;
};

/* A post function that appends the task to the list queue->first, linked by next. It is for queues
 * whose poll takes tasks from that list. The tasks must begin like DMA tasks. The core recognizes
 * this function and appends the task itself, without the call. */
DOCA_CORE_DECL doca_error_t doca_core_queue_append(struct doca_core_queue *queue,
                                                   struct doca_task *task);

struct doca_core_range { /* memory to register on a device */
    void *addr; /* the address that buffers use */
    size_t len;
    uint32_t access;
    int dmabuf_fd; /* -1: the memory is at addr in this process */
    size_t dmabuf_offset;
    const struct doca_mmap *mmap; /* the mmap of the range; named in log lines */
};

struct doca_core_event_place { /* memory of the value of a sync event */
    void *addr;                    /* the address that buffers use; aligned to 8 */
    const struct doca_mmap *mmap;  /* the mmap that contains it while the queue is open */
    uint32_t mkey;                 /* key of the mmap on the device */
    uint32_t internal_mkey;        /* internal_mkey of reg_range, mem_import or dm_alloc */
    const volatile uint64_t *here; /* address for the CPU; NULL when the CPU cannot access the
                                    * value */
};

struct doca_core_backend {
    const char *name; /* "sw", "mlx5", ...; must stay valid while registered */

    /* Describe up to `max` devices in `attrs` (NULL when `max` is 0). Returns the number of devices
     * that exist. Required.
     * Threads: any. enumerate and get_pd must not call this library; dev_open, open_from_pd and
     * dev_close may only call doca_core_backend_fail() and doca_core_backend_refuse(). */
    uint32_t (*enumerate)(struct doca_core_dev_attr *attrs, uint32_t max);

    /* Describe, in the same way, the represented functions of an open device that match `filter`, a
     * DOCA_DEVINFO_REP_FILTER_* that the device's rep_filters allow. Optional: without this
     * function the devices of the backend have no representors, whatever rep_filters says. */
    uint32_t (*enumerate_reps)(struct doca_dev *dev, int filter, struct doca_core_dev_attr *attrs,
                               uint32_t max);

    /* Open or close the device that dev->info.attr describes. dev->backend_data is free for use.
     * Optional. */
    doca_error_t (*dev_open)(struct doca_dev *dev);
    void (*dev_close)(struct doca_dev *dev);

    /* Register or deregister a range with DOCA_ACCESS_FLAG_* permissions. mkey 0 means that the
     * range has no key. Optional: without reg every range gets mkey 0. */
    doca_error_t (*reg)(struct doca_dev *dev, void *addr, size_t len, uint32_t access,
                        uint32_t *mkey);
    void (*dereg)(struct doca_dev *dev, uint32_t mkey);

    /* Return the bytes of a queue for `depth` tasks, at least sizeof(struct doca_core_queue).
     * Required. */
    size_t (*queue_bytes)(struct doca_dev *dev, enum doca_core_engine engine, uint32_t depth);

    /* Open a queue: set queue->post, queue->poll and the private members. Returns SUCCESS when the
     * queue can be used, or IN_PROGRESS when queue_opening will report the result. Required. */
    doca_error_t (*queue_open)(struct doca_core_queue *queue, enum doca_core_engine engine,
                               uint32_t depth);

    /* Return SUCCESS when the queue is open, IN_PROGRESS, or the error of the failed opening.
     * Optional: without this function the result is SUCCESS. */
    doca_error_t (*queue_opening)(struct doca_core_queue *queue);

    /* Release the resources of the queue. Its memory belongs to the core. Optional. */
    void (*queue_close)(struct doca_core_queue *queue);

    /* Make every task that has not begun finish with `status`. Required. */
    void (*queue_flush)(struct doca_core_queue *queue, doca_error_t status);

    /* Return whether poll would return a task at this time. Required. */
    bool (*queue_ready)(struct doca_core_queue *queue);

    /* For devices whose tasks finish outside of these calls.
     * queue_fd: return a file descriptor that stays the same from queue_open to queue_close, and
     * that is readable exactly while the queue is armed and has finished tasks.
     * queue_arm: arm or disarm the queue; the core may repeat a call with the same argument.
     * Optional: without queue_fd the queue has no descriptor, and the core calls queue_ready
     * when the PE is armed and at each submit. */
    int (*queue_fd)(struct doca_core_queue *queue);
    void (*queue_arm)(struct doca_core_queue *queue, bool armed);

    /* For the RDMA bridge.
     * get_pd: return the protection domain (PD) of an open device that was not opened from a PD, or
     * an error when the backend has no PD for it.
     * open_from_pd: like dev_open, but for a device in a PD that the program created; it fills in
     * dev->info.attr. dev_close closes such a device too and leaves the PD to the program.
     * Optional: NOT_SUPPORTED. */
    doca_error_t (*get_pd)(const struct doca_dev *dev, struct ibv_pd **pd);
    doca_error_t (*open_from_pd)(struct doca_dev *dev, struct ibv_pd *pd);

    /* For buffer arrays on processors other than the CPU; both or none.
     * arr_start: create the view of a starting array for the processor arr->target, of type
     * arr->processor; return NOT_SUPPORTED when the device does not serve the processor.
     * arr_stop: destroy the view when the array stops. It must not use arr->mmap, which may have
     * been destroyed or replaced. */
    doca_error_t (*arr_start)(struct doca_dev *dev, const struct doca_buf_arr *arr, void **handle);
    void (*arr_stop)(struct doca_dev *dev, const struct doca_buf_arr *arr, void *handle);

    /* Called instead of reg, by devices that need more than the address of a range. *internal_mkey
     * is a second key for the backend's internal use; the core stores it beside the mkey, in
     * mmap->devs[]. Optional: without this function the core calls reg, which does not get the
     * dmabuf of the range. */
    doca_error_t (*reg_range)(struct doca_dev *dev, const struct doca_core_range *range,
                              uint32_t *mkey, uint32_t *internal_mkey);

    /* For exported ranges that other functions of the device access. Optional: a backend has either
     * all four functions, or none of them. Without them, exports and imports work as on the
     * software device, where the operating system copies.
     * mem_export: allow other functions to access a registered range, over PCI or RDMA, and
     * describe the range for them in `blob`, which the core has filled with zeros. A range has at
     * most one export of each kind at a time. The core calls mem_unexport before dereg.
     * mem_import: make the range of such a blob usable through `dev`. range->addr is an address of
     * the exporter; mkey and internal_mkey are as in reg_range.
     * mem_unimport: end the import. The exporter may have ended its export long before. */
    doca_error_t (*mem_export)(struct doca_dev *dev, uint32_t mkey, uint32_t internal_mkey,
                               bool is_rdma, unsigned char blob[DOCA_CORE_EXPORT_BYTES]);
    void (*mem_unexport)(struct doca_dev *dev, uint32_t mkey, uint32_t internal_mkey,
                         bool is_rdma);
    doca_error_t (*mem_import)(struct doca_dev *dev, const struct doca_core_range *range,
                               bool is_rdma, const unsigned char blob[DOCA_CORE_EXPORT_BYTES],
                               uint32_t *mkey, uint32_t *internal_mkey);
    void (*mem_unimport)(struct doca_dev *dev, uint32_t mkey, uint32_t internal_mkey);

    /* For devices that have memory; all three or none.
     * dm_alloc: allocate and register `len` bytes. *addr is the address that buffers use; mkey and
     * internal_mkey are as in reg_range.
     * dm_free: deregister and free the memory.
     * dm_copy: copy between this process and [offset, offset + len) of the memory. The core has
     * checked that the range is inside; offset and length have any alignment.
     * Optional: without these functions the calls return NOT_SUPPORTED. */
    doca_error_t (*dm_alloc)(struct doca_dev *dev, size_t len, void **addr, uint32_t *mkey,
                             uint32_t *internal_mkey);
    void (*dm_free)(struct doca_dev *dev, uint32_t mkey);
    doca_error_t (*dm_copy)(struct doca_dev *dev, uint32_t mkey, size_t offset, void *bytes,
                            size_t len, bool is_write);

    /* Notify the device of tasks that were posted with DOCA_CORE_MORE_LATER. Does nothing when
     * there are no such tasks. Optional: without this function the core itself defers such tasks,
     * and post never gets DOCA_CORE_MORE_LATER. */
    void (*queue_ring)(struct doca_core_queue *queue);

    /* queue_open for DOCA_CORE_ENGINE_EVENT, for devices whose limits have an event_engine. post
     * must return INVALID_VALUE for a task without a place for its result. */
    doca_error_t (*event_open)(struct doca_core_queue *queue,
                               const struct doca_core_event_place *place, uint32_t depth);

    /* Return whether the device has failed as a whole. The call may ask the device or the operating
     * system, for some microseconds. It may come from any thread, while a context of the device
     * exists. Optional: without this function the device never fails.
     * The core calls it when a context starts (the start then fails with DRIVER); for each context
     * that is not idle after doca_core_backend_dev_failed(); and from time to time in a
     * doca_pe_progress() that finds nothing to do. The core stops the running contexts of a failed
     * device: queue_flush with IO_FAILED ends their tasks. A context that is already stopping is
     * not flushed again; poll must return its tasks. A failed device may work again later. */
    bool (*dev_failed)(struct doca_dev *dev);

    uint32_t serial; /* set by the core: unique for every registration */

    /* True when each DMA queue of the backend returns its tasks in the order of their posts,
     * whether they succeeded, failed or were flushed. */
    bool in_order;

    /* For devices that can read the memory of the machine that has a represented function; both or
     * none.
     * rep_mem_open: make the memory of the machine with the function `rep` readable, and not
     * writable, through `dev`, and describe the memory in *mem (>>mmap_rep). The core has set
     * mem->fd to -1 and all other members to 0.
     * rep_mem_close: undo rep_mem_open. The core does not call it for memory with fd >= 0.
     * Optional: without these functions the calls return NOT_SUPPORTED. */
    doca_error_t (*rep_mem_open)(struct doca_dev *dev, const struct doca_core_dev_attr *rep,
                                 struct doca_core_rep_mem *mem);
    void (*rep_mem_close)(struct doca_dev *dev, uint32_t mkey, uint32_t internal_mkey);

    /* For devices with clocks (>>nic_clock); both or none.
     * clock_cap: return SUCCESS when the device that `attr` describes has the clock and clock_read
     * can read it, NOT_SUPPORTED otherwise. The device need not be open.
     * clock_read: read the clock of an open device, in nanoseconds. `function` is the call of the
     * program, for log lines. If clock_cap denies the clock, return NOT_SUPPORTED and log nothing.
     * Threads: any.
     * Optional: without these functions the devices have no clocks. */
    doca_error_t (*clock_cap)(const struct doca_core_dev_attr *attr,
                              enum doca_core_nic_clock clock);
    doca_error_t (*clock_read)(struct doca_dev *dev, enum doca_core_nic_clock clock,
                               const char *function, uint64_t *ns);
};

/* For backends: record the reason of a failure and log it, as the calls of this library do. Returns
 * `code`.
 *
 *   function  name of the public call that failed
 *   object    an object of this library, or NULL
 *   detail    number that the log line shows after the text; 0: no number
 *
 * Threads   any, except in functions that must not call this library. If dev_open, open_from_pd or
 *           dev_close reports several failures, only the last one is logged, after the core has
 *           released the lock that it holds during these functions. If dev_open or open_from_pd
 *           returns SUCCESS, nothing is logged. */
DOCA_CORE_DECL doca_error_t doca_core_backend_fail(doca_error_t code, enum doca_core_item item,
                                                   const char *function, const void *object,
                                                   uint32_t detail);

/* For backends: like doca_core_backend_fail(), with the details of a refused request after the
 * item's text:
 *     <text> to <step>: EFAULT, BAD_PARAM, syndrome 0x1, vendor syndrome 0x51; <hint> [CODE]
 *
 *   why  details, copied. For EMFILE and ENFILE the library adds the hint. */
DOCA_CORE_DECL doca_error_t doca_core_backend_refuse(doca_error_t code, enum doca_core_item item,
                                                     const char *function, const void *object,
                                                     const struct doca_core_refusal *why);

/* For backends: announce that dev_failed returns true from now on, and log it. Every PE that has a
 * context that is not idle, on any device that has a dev_failed, calls dev_failed in its next
 * doca_pe_progress(). If the PE has a notification handle, the handle becomes readable, even if the
 * PE is not armed. No announcement is needed when the device works again: a starting context calls
 * dev_failed.
 *
 * Threads   any, and in any function of the table except those that must not call this library
 * Cost      O(such PEs), and a system call for each PE that has a notification handle */
DOCA_CORE_DECL void doca_core_backend_dev_failed(const struct doca_dev *dev);

/* For backends: return whether `dev` is an open device. If not, the error is logged with the name
 * of `function`.
 *
 * Threads   any */
DOCA_CORE_DECL bool doca_core_backend_is_dev(const struct doca_dev *dev, const char *function);

/* For objects outside of this header that need an open device: hold the device, so that
 * doca_dev_close() fails with IN_USE until doca_core_backend_drop_dev() is called. Each hold needs
 * one drop. If `dev` is not an open device, the call logs the error under the name of `function`
 * and returns false.
 *
 * Threads   any */
DOCA_CORE_DECL bool doca_core_backend_hold_dev(struct doca_dev *dev, const char *function);
DOCA_CORE_DECL void doca_core_backend_drop_dev(struct doca_dev *dev);

/* For backends: move a file descriptor out of the range of the standard streams (0 to 2). In a
 * process that has closed its standard streams, a new descriptor could get such a number, and
 * output of the program would be written to it. The library treats every descriptor that it keeps
 * in this way.
 *
 *   fd  a descriptor. A number above 2 is returned unchanged; so is -1, the result of a failed
 *       open, with errno unchanged.
 *
 * Owns      for a number from 0 to 2: the call closes `fd` and returns a new descriptor for the
 *           same file. The new descriptor is closed on exec. When the process has no descriptor
 *           left, the call closes `fd`, sets errno and returns -1.
 * Threads   any */
DOCA_CORE_DECL int doca_core_backend_keep_fd(int fd);

/* For backends: find the page because of which a device or the kernel refused a range, for example
 * with EFAULT. Returns INVALID_VALUE, and logs the page and the reason: the page is not mapped, not
 * readable, past the end of its file, or read-only although range->access permits a write. Returns
 * SUCCESS and logs nothing when the process itself can access the whole range, when the reason
 * cannot be found, and for a dmabuf.
 *
 * Threads   any
 * Cost      as doca_mmap_start() */
DOCA_CORE_DECL doca_error_t doca_core_backend_probe(const struct doca_core_range *range,
                                                    const char *function);

/* For backends: clear memory of this process after a copy that failed after some of its data had
 * arrived. The kernel writes the zeros and skips pages that are unmapped or read-only by then;
 * direct writes to them would crash the process. If the kernel refuses the system call, the CPU
 * writes the zeros.
 *
 *   addr  address of the first byte
 *   len   bytes
 *
 * Cost      a system call for each page
 * Threads   any */
DOCA_CORE_DECL void doca_core_backend_clear(void *addr, size_t len);

/* For backends: record (>>trace) that the device was notified of tasks. Without DOCA_CORE_TRACE the
 * call has no effect.
 *
 *   queue  address of the backend's queue; the recording shows it
 *   num    number of tasks or work requests in this notification
 *
 * Threads   any */
DOCA_CORE_DECL void doca_core_backend_trace_doorbell(const void *queue, uint32_t num);

/* For backends: record (>>trace) that poll has found the completion of a task that a device
 * executed. The recording shows the task as running from the doorbell on. Without DOCA_CORE_TRACE
 * the call has no effect.
 *
 * Threads   any */
DOCA_CORE_DECL void doca_core_backend_trace_end(const struct doca_task *task);

/* For backends: check a memcpy task by the rules of the software device. The software device
 * completes a task that breaks the rules with IO_FAILED. Both buffers of the task must be set.
 * Returns SUCCESS, or an error with the reason in *item.
 *
 * Cost      O(elements of the task's lists) */
DOCA_CORE_DECL doca_error_t doca_core_dma_task_inspect(const struct doca_dma_task_memcpy *task,
                                                       enum doca_core_item *item);

/* Register a backend: its devices appear in device lists that are created from now on. The table is
 * copied.
 *
 * Threads   any
 * Errors    INVALID_VALUE  a required member is absent, or a group of members is incomplete
 *           ALREADY_EXIST  a backend of this name is registered
 *           FULL           DOCA_CORE_MAX_BACKENDS backends are registered */
DOCA_CORE_DECL doca_error_t doca_core_backend_register(const struct doca_core_backend *backend);

/* Unregister a backend.
 *
 * Threads   any
 * Errors    NOT_FOUND      no backend of this name is registered
 *           IN_USE         devices of the backend are open
 *           NOT_PERMITTED  the backend is the software device */
DOCA_CORE_DECL doca_error_t doca_core_backend_unregister(const char *name);

/* Return the table of the software device, for backends that wrap it. */
DOCA_CORE_DECL const struct doca_core_backend *doca_core_sw_backend(void);

#endif
