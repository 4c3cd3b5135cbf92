/* ---- >>sync_event ---------------------------------------------------------------------------
 * A sync event is a 64-bit value that threads of this process, and other processes on this machine,
 * can set, add to, read and wait on. RDMA devices of other machines can set, add to and read it, if
 * it is a remote net event. An event is used in one of two ways. Stand-alone, by calls:
 *     create -> add locations -> start -> update, get, wait -> stop -> destroy
 * Or as a context, by tasks of a PE:
 *     create -> add locations -> as_ctx -> set_conf -> connect -> start -> alloc_init -> submit
 * Export: a started event with a remote location (DPU or remote net) can be exported. Its value is
 * then in a page of shared memory. An event that another process, the importer, creates from the
 * export descriptor uses the same value. Importing works while the first thread of the exporter
 * runs. The page exists as long as one of the processes uses it.
 * End of the exporter: when the exporter has stopped or destroyed the event, or has exited,
 * importers can still read the value. Their updates fail with CONNECTION_RESET, and so do waits
 * whose condition does not hold. Stop and destroy are noticed at once. The exit of the exporter, or
 * its call of exec(), is only noticed by waits of the importing process; exec() is not noticed
 * while a child process of the exporter still has the page.
 * End of an importer: if an importer is killed during an update, waiting contexts may not be woken
 * before the next update. If it is killed while its notifications are armed, every later update of
 * the event needs two additional system calls, until the exporter stops the event.
 * Devices: a value in a buffer (doca_sync_event_set_doca_buf) can be accessible to devices: in
 * device memory, in an imported mmap, or in an mmap whose permissions allow remote writes. Then a
 * device with an engine for it executes the tasks of the context.
 * Threads: any thread may update, read and wait on a started event. All other calls, and tasks, are
 * made by one thread at a time.
 * Source: DOCA Core Programming Guide, "DOCA Core"; API reference, "DOCA Sync Event".           */
#ifndef DOCA_SRC_ENGINE_SYNC_EVENT_H
#define DOCA_SRC_ENGINE_SYNC_EVENT_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "object/arena.h"
#include "memory/mmap.h"
#include "progress/ctx.h"
#include "progress/task.h"

/* Handles for DPA and GPU. No call of this library returns one. */
typedef uint64_t doca_dpa_dev_sync_event_t;
typedef uint64_t doca_dpa_dev_sync_event_remote_net_t;
typedef uint64_t doca_gpu_dev_sync_event_t;
typedef uint64_t doca_gpu_dev_sync_event_remote_net_t;

struct doca_sync_event_task_get {
    struct doca_task task;
    uint64_t *ret_val_ptr;
};

struct doca_sync_event_task_notify_set {
    struct doca_task task;
    uint64_t set_val;
};

struct doca_sync_event_task_notify_add {
    struct doca_task task;
    uint64_t inc_val;
    uint64_t *fetched_val_ptr;
};

struct doca_sync_event_task_wait_gt {
    struct doca_task task;
    uint64_t wait_val;
    uint64_t mask;
};

struct doca_sync_event_task_wait_eq { /* later versions */
    struct doca_sync_event_task_wait_gt wait;
};

struct doca_sync_event_task_wait_neq { /* later versions */
    struct doca_sync_event_task_wait_gt wait;
};

/* Completion callbacks of tasks. Each type serves success and failure. */
typedef void (*doca_sync_event_task_get_completion_cb_t)(struct doca_sync_event_task_get *task,
                                                         union doca_data task_user_data,
                                                         union doca_data ctx_user_data);
typedef void (*doca_sync_event_task_notify_set_completion_cb_t)(
    struct doca_sync_event_task_notify_set *task, union doca_data task_user_data,
    union doca_data ctx_user_data);
typedef void (*doca_sync_event_task_notify_add_completion_cb_t)(
    struct doca_sync_event_task_notify_add *task, union doca_data task_user_data,
    union doca_data ctx_user_data);
typedef void (*doca_sync_event_task_wait_gt_completion_cb_t)(
    struct doca_sync_event_task_wait_gt *task, union doca_data task_user_data,
    union doca_data ctx_user_data);
typedef void (*doca_sync_event_task_wait_eq_completion_cb_t)(
    struct doca_sync_event_task_wait_eq *task, union doca_data task_user_data,
    union doca_data ctx_user_data);
typedef void (*doca_sync_event_task_wait_neq_completion_cb_t)(
    struct doca_sync_event_task_wait_neq *task, union doca_data task_user_data,
    union doca_data ctx_user_data);

#define DOCA_PRIV_EVENT_TYPES 6

typedef volatile uint64_t doca_priv_cell DOCA_PRIV_ALIGNED_8;

/* The part of an event that processes share, at the start of a page of shared memory. The value has
 * a cache line of its own, the only one that a spinning thread reads; so the second line stays in
 * the cache of the updating core. A write to the middle of the page wakes waiting contexts. */
struct doca_priv_event_page {
    doca_priv_cell value;
    uint8_t rest_of_line[DOCA_CORE_LINE - sizeof(uint64_t)];
    volatile uint32_t num_armed; /* number of contexts in all processes that an update wakes */
    volatile uint32_t is_closed; /* 1: the exporter has ended the event or exited */
    uint64_t token;              /* random number of this start; also in the descriptor */
    uint32_t is_locked;          /* 1: the exporter has a file lock on the page while it uses it */
};

/* Location of the value of an event, and how it is shared. */
struct doca_priv_event_share {
    doca_priv_cell *value;
    struct doca_priv_event_page *page; /* NULL: the value is not shared with other processes */
    int fd;                 /* file descriptor of the page */
    uint32_t exporter_pid;  /* process number of the exporter in an importer; otherwise 0 */
    int exporter_fd;        /* importer: a descriptor that becomes readable when the exporter exits;
                             * -1 if the kernel has no such descriptors */
    uint32_t exporter_slot; /* importer: 1 + index of exporter_fd in doca_priv_exporters; 0 if
                             * exporter_fd belongs to this share only */
};

struct doca_priv_event_desc { /* export descriptor of a value in a page */
    struct doca_priv_export head;
    int32_t fd;    /* number of the page's file descriptor in the exporting process */
    uint32_t zero; /* padding */
};

/* Export descriptor of a value in a page that RDMA devices can access as well: see
 * >>impl.sync_card. */
struct doca_priv_event_card_desc {
    struct doca_priv_export head;
    uint64_t addr; /* address of the value in the exporting process */
    uint32_t rkey; /* key of the value, for queue pairs that are connected to the exporter */
    uint32_t zero; /* padding */
    struct doca_priv_event_desc page; /* the page, for importers on this machine */
};

struct doca_priv_event_dev_desc { /* export descriptor of a value that devices access */
    struct doca_priv_export head;
    uint64_t addr;                   /* address of the value in the exported range */
    struct doca_priv_mmap_desc mmap; /* export descriptor of the mmap that contains the value */
};

struct doca_sync_event {
    struct doca_ctx ctx; /* ctx.obj.state: DOCA_PRIV_EVENT_PLAIN, _SHARED or _READ while started
                          * stand-alone */
    struct doca_priv_task_stock stocks[DOCA_PRIV_EVENT_TYPES];
    uint8_t mode;        /* DOCA_PRIV_EVENT_NEW, _ALONE, _IS_CTX or _READ_ONLY */
    uint8_t publishers;  /* locations of the publishers; DOCA_PRIV_EVENT_ON_* bits */
    uint8_t subscribers; /* locations of the subscribers */
    struct doca_priv_event_share share;
    doca_priv_cell local_value; /* the value, if it is neither at `addr` nor in a page */
    uint64_t *addr;             /* address of the value set by the program; otherwise NULL */
    struct doca_dev *publisher_dev;
    struct doca_dev *subscriber_dev;
    doca_sync_event_task_get_completion_cb_t get_done, get_failed;
    doca_sync_event_task_notify_set_completion_cb_t set_done, set_failed;
    doca_sync_event_task_notify_add_completion_cb_t add_done, add_failed;
    doca_sync_event_task_wait_gt_completion_cb_t wait_done, wait_failed;
    doca_sync_event_task_wait_eq_completion_cb_t wait_eq_done, wait_eq_failed;
    doca_sync_event_task_wait_neq_completion_cb_t wait_neq_done, wait_neq_failed;
    struct doca_priv_event_desc desc; /* all 0 before the first export */
    struct doca_mmap *mmap; /* mmap that contains the value, if devices access the value; the event
                             * has a reference to the mmap. Otherwise NULL */
    /* Descriptor of the latest export through a device; NULL before the first export. */
    struct doca_priv_event_dev_desc *dev_desc;
    /* Registration for a remote net export; NULL before the first export. */
    struct doca_priv_event_card *card;
    /* True: the event was imported from a descriptor that contains one of an mmap, and the event
     * has imported this mmap as well. */
    bool owns_mmap;
};

struct doca_sync_event_remote_net {
    struct doca_priv_object obj;
    struct doca_priv_event_share share; /* all 0: this process cannot use the exporter's page */
    struct doca_core_arena *arena;
    struct doca_dev *dev;
    uint64_t addr; /* address of the value in the exporting process, for RDMA devices */
    uint32_t rkey; /* key of the value; 0 if the exporter's device has no keys for other machines */
};

#ifndef DOCA_CORE_NO_SYNC_EVENT

/* Bytes of the queue of an event context, and number of its task slots. In the checked mode the
 * number includes the quarantine of every task type. */
#define DOCA_PRIV_EVENT_QUEUE_BYTES (2 * DOCA_CORE_LINE)
#define DOCA_PRIV_EVENT_STOCKED(num_tasks)                                                         \
    ((size_t)(num_tasks) + (size_t)DOCA_PRIV_EVENT_TYPES * DOCA_PRIV_CHECK_QUARANTINED)

/* Compute the arena bytes of an event, and of `n` remote net handles.
 *
 *   num_tasks  0 for a stand-alone event; otherwise the number of tasks, of all types together, of
 *              a started event context. In the checked mode the result is an upper bound. */
#define DOCA_CORE_BYTES_SYNC_EVENT(num_tasks)                                                      \
    (DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_sync_event)) +                                       \
     ((num_tasks) > 0                                                                              \
          ? DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_EVENT_QUEUE_BYTES +                                    \
                                  DOCA_PRIV_EVENT_STOCKED(num_tasks) * DOCA_CORE_LINE)             \
          : (size_t)0))
#define DOCA_CORE_BYTES_SYNC_EVENT_REMOTE_NET(n)                                                   \
    ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_sync_event_remote_net)))
DOCA_CORE_DECL doca_error_t doca_core_bytes_sync_event(uint32_t num_tasks, size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_sync_event_remote_net(size_t *bytes);

/* Create an event without locations. doca_core_sync_event_create_in() takes the memory from `arena`
 * instead of from the bound arena.
 *
 * Owns      one block of the arena until destroy
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_sync_event_create(struct doca_sync_event **event);
DOCA_CORE_DECL doca_error_t doca_core_sync_event_create_in(struct doca_core_arena *arena,
                                                           struct doca_sync_event **event);

/* Create an event from an export descriptor of doca_sync_event_export_to_dpu(), in this or another
 * process. The event has its locations already and cannot be configured or exported. It is started,
 * or used as a context, like any other event. Several events can be created from one descriptor.
 *
 *   data, sz  the descriptor and its length in bytes. Any bytes are safe: bytes that are not a
 *             descriptor are rejected. The descriptor is not needed after the call.
 *
 * Owns      until destroy: one block of the arena (the arena of the device, or `arena`), a
 *           reference to the device, a mapped page and its file descriptor. The first event
 *           imported from a process also opens a file descriptor of that process, which all events
 *           imported from the process share until the last of them is destroyed. (If events of 256
 *           other processes are imported already, each further event opens its own descriptor.)
 * Errors    INVALID_VALUE     also: the bytes are not a descriptor, are damaged, or describe an
 *                             object of another kind; the exporter stopped or destroyed the event,
 *                             or exited
 *           NOT_SUPPORTED     the device has no sync events; the descriptor comes from another
 *                             machine or container; the library was built without an operating
 *                             system or without 64-bit atomics
 *           NOT_PERMITTED     the exporter runs as another user and this process lacks
 *                             CAP_SYS_PTRACE
 *           NO_MEMORY         the arena is exhausted
 *           OPERATING_SYSTEM  no file descriptor is left (the reason names RLIMIT_NOFILE); the page
 *                             cannot be mapped; RLIMIT_FSIZE is below 4 KiB; there is no /proc, or
 *                             it does not show the exporter
 *           any               for a value in a buffer: errors of doca_mmap_create_from_export() */
DOCA_CORE_DECL doca_error_t doca_sync_event_create_from_export(struct doca_dev *dev,
                                                               const uint8_t *data, size_t sz,
                                                               struct doca_sync_event **event);
DOCA_CORE_DECL doca_error_t doca_core_sync_event_create_from_export_in(
    struct doca_core_arena *arena, struct doca_dev *dev, const uint8_t *data, size_t sz,
    struct doca_sync_event **event);

/* Destroy an event, whether it is started or not. Importers notice that the exporter has ended the
 * event. An event context is disconnected from its PE.
 *
 * Errors    IN_USE  tasks are in flight or not freed */
DOCA_CORE_DECL doca_error_t doca_sync_event_destroy(struct doca_sync_event *event);

/* Add a location of publishers or subscribers: publishers update the value, subscribers read it and
 * wait for it. At least one of each is mandatory before start. Adding a location again is allowed.
 * CPU is this process. DPU and remote net stand for other processes; DPU may also be the side that
 * this program runs on. Remote PCI is the name of later versions for DPU.
 *
 *   dev  CPU location: the device; a later call replaces it
 *
 * Owns      CPU location: a reference to the device until destroy
 * Errors    BAD_STATE      the event is started or is used as a context
 *           NOT_PERMITTED  the event was created from an export descriptor
 *           NOT_SUPPORTED  DPA and GPU locations: always, after the argument checks */
DOCA_CORE_DECL doca_error_t doca_sync_event_add_publisher_location_cpu(
    struct doca_sync_event *event, struct doca_dev *dev);
DOCA_CORE_DECL doca_error_t doca_sync_event_add_publisher_location_dpa(
    struct doca_sync_event *event, struct doca_dpa *dpa);
DOCA_CORE_DECL doca_error_t doca_sync_event_add_publisher_location_dpu(
    struct doca_sync_event *event);
DOCA_CORE_DECL doca_error_t doca_sync_event_add_publisher_location_remote_pci(
    struct doca_sync_event *event);
DOCA_CORE_DECL doca_error_t doca_sync_event_add_publisher_location_gpu(
    struct doca_sync_event *event, struct doca_gpu *gpu);
DOCA_CORE_DECL doca_error_t doca_sync_event_add_publisher_location_remote_net(
    struct doca_sync_event *event);
DOCA_CORE_DECL doca_error_t doca_sync_event_add_subscriber_location_cpu(
    struct doca_sync_event *event, struct doca_dev *dev);
DOCA_CORE_DECL doca_error_t doca_sync_event_add_subscriber_location_dpa(
    struct doca_sync_event *event, struct doca_dpa *dpa);
DOCA_CORE_DECL doca_error_t doca_sync_event_add_subscriber_location_dpu(
    struct doca_sync_event *event);
DOCA_CORE_DECL doca_error_t doca_sync_event_add_subscriber_location_remote_pci(
    struct doca_sync_event *event);
DOCA_CORE_DECL doca_error_t doca_sync_event_add_subscriber_location_gpu(
    struct doca_sync_event *event, struct doca_gpu *gpu);

/* Place the value of the event in memory of the program, from the next start on. The value begins
 * with the 8 bytes at `addr`. A plain store of the program to this memory is visible to polling
 * waits; it does not wake a PE that sleeps. Such an event cannot be exported.
 *
 *   addr  aligned to 8 bytes; owned by the program, and valid until stop
 *
 * Errors    INVALID_VALUE  also: `addr` is not aligned
 *           BAD_STATE      the event is started or is used as a context
 *           NOT_PERMITTED  the event was created from an export descriptor
 *           NOT_SUPPORTED  a location is remote net */
DOCA_CORE_DECL doca_error_t doca_sync_event_set_addr(struct doca_sync_event *event,
                                                     uint64_t *addr);

/* Place the value of the event in the data section of a buffer (later versions). The buffer may lie
 * in a dmabuf that other processes map as well. The event stores the address of the data and takes
 * no reference to the buffer, so the program must not release the buffer before stop.
 *
 * The value is accessed by devices if it is in device memory, in an imported mmap, or in an mmap
 * with the permission PCI_READ_WRITE, RDMA_WRITE or RDMA_ATOMIC, and if a device of the mmap has an
 * engine for such tasks (event_engine in its limits). Then:
 *   - As a context: the publisher's device, or else the subscriber's device, executes get,
 *     notify_set and notify_add tasks in the order of submission. Each is atomic with accesses
 *     through any device of the same card. For wait tasks, the CPU reads the value if it is in
 *     memory of this process; otherwise the device reads it, one read at a time, with pauses. When
 *     a task fails, it and all later tasks in flight end with IO_FAILED, and the context stops. A
 *     program that sleeps on the notification handle while tasks wait is woken from time to time,
 *     even if the value has not changed. One of the two devices must be in the mmap.
 *   - Stand-alone: the value must be in memory of this process; otherwise the event cannot be
 *     started. The value can be read and waited on. Updates fail with NOT_SUPPORTED, unless the
 *     devices of the mmap add atomically with respect to the CPU (DOCA_CORE_EVENT_ENGINE_ALL).
 *   - If the mmap has the permission PCI_READ_WRITE and is memory of this process, the started
 *     event can be exported to a DPU. The descriptor is valid until the mmap is stopped.
 *   - The event has a reference to the mmap, as a buffer does, until destroy or until the value is
 *     placed elsewhere.
 * In all other cases the CPU executes the tasks, and the value must be in memory of this process.
 *
 *   buf  a single buffer, not a list, with 8 aligned bytes of data
 *
 * Errors    those of doca_sync_event_set_addr(), and
 *           BAD_STATE      also: the buffer was returned; its mmap (shared by threads) was stopped
 *                          or destroyed
 *           NOT_PERMITTED  also: the buffer is a list, has another data length, or belongs to an
 *                          mmap without local write permission
 *           NOT_SUPPORTED  also: the buffer is in memory of another process or of a device, and no
 *                          device of the mmap has an engine for the tasks; or the buffer is in a
 *                          dmabuf, and its mmap is shared by threads */
DOCA_CORE_DECL doca_error_t doca_sync_event_set_doca_buf(struct doca_sync_event *event,
                                                         struct doca_buf *buf);

/* Query a device: SUCCESS or NOT_SUPPORTED. A device with sync events supports everything except
 * DPA and GPU. */
DOCA_CORE_DECL doca_error_t doca_sync_event_cap_is_create_from_export_supported(
    const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_sync_event_cap_is_export_to_dpa_supported(
    const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_sync_event_cap_is_export_to_dpu_supported(
    const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_sync_event_cap_is_export_to_remote_pci_supported(
    const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_sync_event_cap_is_export_to_gpu_supported(
    const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_sync_event_cap_is_export_to_remote_net_supported(
    const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_sync_event_cap_remote_net_is_create_from_export_supported(
    const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_sync_event_cap_remote_net_is_export_to_dpa_supported(
    const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_sync_event_cap_remote_net_is_export_to_gpu_supported(
    const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_sync_event_cap_task_get_is_supported(
    const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_sync_event_cap_task_notify_add_is_supported(
    const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_sync_event_cap_task_notify_set_is_supported(
    const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_sync_event_cap_task_wait_gt_is_supported(
    const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_sync_event_cap_task_wait_eq_is_supported(
    const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_sync_event_cap_task_wait_neq_is_supported(
    const struct doca_devinfo *devinfo);

/* Start an event for stand-alone use. Afterwards it cannot be used as a context. The value begins
 * with 0 (Assumed), or with the bytes at the address that the program has set. An imported event
 * keeps the current value.
 *
 * Owns      with a remote location: a mapped page and a file descriptor, until stop
 * Errors    INVALID_VALUE     also: the event has no publisher or no subscriber location
 *           BAD_STATE         the event is started or is used as a context; the mmap of its value
 *                             (shared by threads) was stopped or destroyed
 *           NOT_SUPPORTED     the device of a location has no sync events; a location is remote net
 *                             and the program has set an address; a location is remote and the
 *                             library was built without an operating system or without 64-bit
 *                             atomics; the value is in a buffer that the CPU cannot access. As a
 *                             context: devices access the value, but neither device of the event
 *                             can execute the tasks; that device was removed from the mmap
 *           OPERATING_SYSTEM  shared memory cannot be created (it needs /proc, and RLIMIT_FSIZE of
 *                             at least 4 KiB) */
DOCA_CORE_DECL doca_error_t doca_sync_event_start(struct doca_sync_event *event);

/* Stop a stand-alone event. Its export descriptor becomes invalid, and importers notice that the
 * exporter has ended the event. No other thread may be in a call on the event.
 *
 * Errors    BAD_STATE  the event is not started or is used as a context */
DOCA_CORE_DECL doca_error_t doca_sync_event_stop(struct doca_sync_event *event);

/* Return the event as a generic context; both are the same object. From then on the event can only
 * be used as a context. NULL gives NULL, and so does an event that was started stand-alone.
 *
 * doca_ctx_start() can also fail with the errors of doca_sync_event_start(). Started contexts with
 * wait tasks for a shared value use one inotify instance per PE (fs.inotify.max_user_instances, 128
 * per user by default) and one inotify watch per context (fs.inotify.max_user_watches). If the
 * system refuses one, start fails with OPERATING_SYSTEM and the reason names the limit. */
DOCA_CORE_DECL struct doca_ctx *doca_sync_event_as_ctx(struct doca_sync_event *event);

/* Export a started event to another process: return a descriptor for the create_from_export calls.
 * It is valid until the event is stopped or destroyed, or this process exits.
 *
 *   event      for dpu and remote_pci: every location is CPU or DPU, and at least one is DPU.
 *              For remote_net: a publisher location is remote net
 *   data, sz   out: the descriptor and its length in bytes. The event contains it until stop, and
 *              every call returns the same descriptor. But if devices access the value, there is
 *              one descriptor at a time: the descriptor for the device of the latest call.
 *
 * Owns      if devices access the value: one block of the event's arena until the value is placed
 *           elsewhere, and the resources of doca_mmap_export_pci()
 * Errors    BAD_STATE         the event is not started
 *           NOT_PERMITTED     the event was created from an export descriptor; it has unsuitable
 *                             locations; the mmap of the value lacks PCI_READ_WRITE
 *           NOT_SUPPORTED     the device has no sync events; the value is at an address set by the
 *                             program, or in device memory. The calls for DPA and GPU: always,
 *                             after the argument checks
 *           any               if devices access the value: errors of doca_mmap_export_pci()
 *           OPERATING_SYSTEM  a file descriptor, needed during the call, cannot be opened; there is
 *                             no /proc */
DOCA_CORE_DECL doca_error_t doca_sync_event_export_to_dpa(
    struct doca_sync_event *event, struct doca_dpa *dpa,
    doca_dpa_dev_sync_event_t *dpa_dev_se_handle);
DOCA_CORE_DECL doca_error_t doca_sync_event_export_to_dpu(struct doca_sync_event *event,
                                                          struct doca_dev *dev,
                                                          const uint8_t **data, size_t *sz);
DOCA_CORE_DECL doca_error_t doca_sync_event_export_to_remote_pci(struct doca_sync_event *event,
                                                                 struct doca_dev *dev,
                                                                 const uint8_t **data,
                                                                 size_t *sz);
DOCA_CORE_DECL doca_error_t doca_sync_event_get_dpa_handle(
    struct doca_sync_event *event, struct doca_dpa *dpa,
    doca_dpa_dev_sync_event_t *dpa_dev_se_handle);
DOCA_CORE_DECL doca_error_t doca_sync_event_get_gpu_handle(
    struct doca_sync_event *event, struct doca_gpu *gpu, doca_gpu_dev_sync_event_t **gpu_dev_se);
DOCA_CORE_DECL doca_error_t doca_sync_event_export_to_gpu(
    struct doca_sync_event *event, struct doca_gpu *gpu,
    doca_gpu_dev_sync_event_t **gpu_dev_se);
DOCA_CORE_DECL doca_error_t doca_sync_event_export_to_remote_net(struct doca_sync_event *event,
                                                                 const uint8_t **data,
                                                                 size_t *sz);

/* Read the value (get), replace it (update_set), or add to it modulo 2^64 (update_add).
 *
 *   fetched  out: the value before the addition
 *
 * Threads   any, while the event is started
 * Cost      a load (acquire), a store (release), or a fetch-and-add. With a remote location, set
 *           is an exchange, and each update has an additional load. An update only makes system
 *           calls while a PE sleeps until the value changes.
 * Errors    BAD_STATE         the event is not started or is used as a context
 *           CONNECTION_RESET  update: the exporter is known to have ended; the value is unchanged
 *           NOT_SUPPORTED     update: devices may add to the value; see
 *                             doca_sync_event_set_doca_buf() */
DOCA_CORE_DECL doca_error_t doca_sync_event_get(struct doca_sync_event *event, uint64_t *value);
DOCA_CORE_DECL doca_error_t doca_sync_event_update_set(struct doca_sync_event *event,
                                                       uint64_t value);
DOCA_CORE_DECL doca_error_t doca_sync_event_update_add(struct doca_sync_event *event,
                                                       uint64_t value, uint64_t *fetched);

/* Wait until (value of the event & mask) is greater than `value` (gt), equal to it (eq), or not
 * equal to it (neq); eq and neq belong to later versions. Returns at once if the condition holds.
 * The calls without _yield spin, with DOCA_CORE_RELAX() after each read of the value. The _yield
 * calls give up the CPU after each read. If an importer ends, waits of the exporter continue.
 *
 * Threads   any, while the event is started
 * Errors    BAD_STATE         the event is not started or is used as a context
 *           CONNECTION_RESET  the exporter has ended; its exit is noticed within milliseconds */
DOCA_CORE_DECL doca_error_t doca_sync_event_wait_gt(struct doca_sync_event *event, uint64_t value,
                                                    uint64_t mask);
DOCA_CORE_DECL doca_error_t doca_sync_event_wait_gt_yield(struct doca_sync_event *event,
                                                          uint64_t value, uint64_t mask);
DOCA_CORE_DECL doca_error_t doca_sync_event_wait_eq(struct doca_sync_event *event, uint64_t value,
                                                    uint64_t mask);
DOCA_CORE_DECL doca_error_t doca_sync_event_wait_eq_yield(struct doca_sync_event *event,
                                                          uint64_t value, uint64_t mask);
DOCA_CORE_DECL doca_error_t doca_sync_event_wait_neq(struct doca_sync_event *event, uint64_t value,
                                                     uint64_t mask);
DOCA_CORE_DECL doca_error_t doca_sync_event_wait_neq_yield(struct doca_sync_event *event,
                                                           uint64_t value, uint64_t mask);

/* Create a handle from an export descriptor of doca_sync_event_export_to_remote_net(). With the
 * vendor's SDK such handles are used in tasks of other libraries; with this library they are used
 * in tasks of doca_core_rdma.h and in the doca_core_sync_event_remote_net_*() calls. If the
 * exporter runs on another machine, or as another user, only RDMA devices can import the
 * descriptor, and only the tasks work.
 *
 * Owns, Errors  as doca_sync_event_create_from_export() */
DOCA_CORE_DECL doca_error_t doca_sync_event_remote_net_create_from_export(
    struct doca_dev *dev, const uint8_t *data, size_t sz,
    struct doca_sync_event_remote_net **event);
DOCA_CORE_DECL doca_error_t doca_core_sync_event_remote_net_create_from_export_in(
    struct doca_core_arena *arena, struct doca_dev *dev, const uint8_t *data, size_t sz,
    struct doca_sync_event_remote_net **event);
DOCA_CORE_DECL doca_error_t doca_sync_event_remote_net_destroy(
    struct doca_sync_event_remote_net *event);

/* Export a remote net handle to DPA or GPU. Not offered: the calls check their arguments and fail.
 *
 * Errors    NOT_SUPPORTED  always, after the argument checks */
DOCA_CORE_DECL doca_error_t doca_sync_event_remote_net_export_to_dpa(
    struct doca_sync_event_remote_net *event, struct doca_dpa *dpa,
    doca_dpa_dev_sync_event_remote_net_t *dpa_remote_event);
DOCA_CORE_DECL doca_error_t doca_sync_event_remote_net_export_to_gpu(
    struct doca_sync_event_remote_net *event, struct doca_gpu *gpu,
    doca_gpu_dev_sync_event_remote_net_t *gpu_remote_event);
DOCA_CORE_DECL doca_error_t doca_sync_event_remote_net_get_dpa_handle( /* later versions */
    struct doca_sync_event_remote_net *event, struct doca_dpa *dpa,
    doca_dpa_dev_sync_event_remote_net_t *dpa_remote_event);
DOCA_CORE_DECL doca_error_t doca_sync_event_remote_net_get_gpu_handle(
    struct doca_sync_event_remote_net *event, struct doca_gpu *gpu,
    doca_gpu_dev_sync_event_remote_net_t *gpu_remote_event);

/* Read, update or wait on the value of a remote net handle, like the calls of the same name for a
 * stand-alone event. A handle does not need to be started. The vendor's SDK has no such calls.
 *
 * Threads   any
 * Errors    CONNECTION_RESET  update, wait: the exporter has ended, as for events
 *           NOT_SUPPORTED     the exporter runs on another machine or as another user */
DOCA_CORE_DECL doca_error_t doca_core_sync_event_remote_net_get(
    struct doca_sync_event_remote_net *event, uint64_t *value);
DOCA_CORE_DECL doca_error_t doca_core_sync_event_remote_net_update_set(
    struct doca_sync_event_remote_net *event, uint64_t value);
DOCA_CORE_DECL doca_error_t doca_core_sync_event_remote_net_update_add(
    struct doca_sync_event_remote_net *event, uint64_t value, uint64_t *fetched);
DOCA_CORE_DECL doca_error_t doca_core_sync_event_remote_net_wait_gt(
    struct doca_sync_event_remote_net *event, uint64_t value, uint64_t mask);

/* Enable a task type and set the number and callbacks of its tasks. At least one type is mandatory
 * before doca_ctx_start(). The calls can be repeated while the context is idle.
 *
 *   completion_cb, error_cb  called on success and on failure: exactly one of the two per
 *                            submission. They may be the same function.
 *   num_tasks                number of tasks that can be allocated at the same time, 1 to
 *                            2^30 - 1. All types together have at most 2^32 - 1 tasks.
 *
 * Errors    INVALID_VALUE  also: num_tasks is out of range
 *           NOT_PERMITTED  the event is not idle */
DOCA_CORE_DECL doca_error_t doca_sync_event_task_get_set_conf(
    struct doca_sync_event *event, doca_sync_event_task_get_completion_cb_t completion_cb,
    doca_sync_event_task_get_completion_cb_t error_cb, uint32_t num_tasks);
DOCA_CORE_DECL doca_error_t doca_sync_event_task_notify_set_set_conf(
    struct doca_sync_event *event, doca_sync_event_task_notify_set_completion_cb_t completion_cb,
    doca_sync_event_task_notify_set_completion_cb_t error_cb, uint32_t num_tasks);
DOCA_CORE_DECL doca_error_t doca_sync_event_task_notify_add_set_conf(
    struct doca_sync_event *event, doca_sync_event_task_notify_add_completion_cb_t completion_cb,
    doca_sync_event_task_notify_add_completion_cb_t error_cb, uint32_t num_tasks);
DOCA_CORE_DECL doca_error_t doca_sync_event_task_wait_gt_set_conf(
    struct doca_sync_event *event, doca_sync_event_task_wait_gt_completion_cb_t completion_cb,
    doca_sync_event_task_wait_gt_completion_cb_t error_cb, uint32_t num_tasks);
DOCA_CORE_DECL doca_error_t doca_sync_event_task_wait_eq_set_conf(
    struct doca_sync_event *event, doca_sync_event_task_wait_eq_completion_cb_t completion_cb,
    doca_sync_event_task_wait_eq_completion_cb_t error_cb, uint32_t num_tasks);
DOCA_CORE_DECL doca_error_t doca_sync_event_task_wait_neq_set_conf(
    struct doca_sync_event *event, doca_sync_event_task_wait_neq_completion_cb_t completion_cb,
    doca_sync_event_task_wait_neq_completion_cb_t error_cb, uint32_t num_tasks);

/* Allocate a task:
 *   get         stores the value at ret_val_ptr
 *   notify_set  replaces the value by set_val
 *   notify_add  adds inc_val and stores the previous value at fetched_val_ptr
 *   wait_gt     completes once (value & mask) > wait_val
 *   wait_eq     completes once (value & mask) == wait_val (later versions)
 *   wait_neq    completes once (value & mask) != wait_val (later versions)
 * The pointers may be NULL here and be set later; doca_task_submit() rejects NULL.
 * Order: get, notify_set and notify_add tasks complete in the order of submission. So do wait tasks
 * whose conditions hold at the same time. A waiting task does not delay any other task. If a value
 * is replaced before the next call of progress, wait tasks may not notice it.
 * Failure: a task fails with CONNECTION_RESET when the exporter has ended; this does not stop the
 * context. While tasks wait, the exit of the exporter is noticed within 512 calls of progress. An
 * armed PE is woken at once when the exporter exits, but not when the exporter calls exec(), and
 * not on Linux before 5.3.
 * Every wait_val and mask is allowed. (The vendor's SDK requires masks of whole bytes, and values
 * up to 254 for wait_gt.)
 *
 * Callback  allowed
 * Cost      O(1); progress checks all waiting tasks whenever the value has changed
 * Errors    BAD_STATE  the context is not running
 *           NO_MEMORY  all tasks of the type are allocated, or the type was not enabled */
DOCA_CORE_DECL doca_error_t doca_sync_event_task_get_alloc_init(
    struct doca_sync_event *event, uint64_t *ret_val_ptr, union doca_data user_data,
    struct doca_sync_event_task_get **task);
DOCA_CORE_DECL doca_error_t doca_sync_event_task_notify_set_alloc_init(
    struct doca_sync_event *event, uint64_t set_val, union doca_data user_data,
    struct doca_sync_event_task_notify_set **task);
DOCA_CORE_DECL doca_error_t doca_sync_event_task_notify_add_alloc_init(
    struct doca_sync_event *event, uint64_t inc_val, uint64_t *fetched_val_ptr,
    union doca_data user_data, struct doca_sync_event_task_notify_add **task);
DOCA_CORE_DECL doca_error_t doca_sync_event_task_wait_gt_alloc_init(
    struct doca_sync_event *event, uint64_t wait_val, uint64_t mask, union doca_data user_data,
    struct doca_sync_event_task_wait_gt **task);
DOCA_CORE_DECL doca_error_t doca_sync_event_task_wait_eq_alloc_init(
    struct doca_sync_event *event, uint64_t wait_val, uint64_t mask, union doca_data user_data,
    struct doca_sync_event_task_wait_eq **task);
DOCA_CORE_DECL doca_error_t doca_sync_event_task_wait_neq_alloc_init(
    struct doca_sync_event *event, uint64_t wait_val, uint64_t mask, union doca_data user_data,
    struct doca_sync_event_task_wait_neq **task);

/* Return a task of any type as a generic task; both are the same object. NULL gives NULL. */
DOCA_CORE_DECL struct doca_task *doca_sync_event_task_get_as_doca_task(
    struct doca_sync_event_task_get *task);
DOCA_CORE_DECL struct doca_task *doca_sync_event_task_notify_set_as_doca_task(
    struct doca_sync_event_task_notify_set *task);
DOCA_CORE_DECL struct doca_task *doca_sync_event_task_notify_add_as_doca_task(
    struct doca_sync_event_task_notify_add *task);
DOCA_CORE_DECL struct doca_task *doca_sync_event_task_wait_gt_as_doca_task(
    struct doca_sync_event_task_wait_gt *task);
DOCA_CORE_DECL struct doca_task *doca_sync_event_task_wait_eq_as_doca_task(
    struct doca_sync_event_task_wait_eq *task);
DOCA_CORE_DECL struct doca_task *doca_sync_event_task_wait_neq_as_doca_task(
    struct doca_sync_event_task_wait_neq *task);

/* Get or set the parameters of a task. Setting a parameter of a free or submitted task is logged
 * and has no effect. The getters return NULL or 0 for NULL and for a task of another type. */
DOCA_CORE_DECL void doca_sync_event_task_get_set_ret_val_ptr(struct doca_sync_event_task_get *task,
                                                             uint64_t *ret_val_ptr);
DOCA_CORE_DECL uint64_t *doca_sync_event_task_get_get_ret_val_ptr(
    const struct doca_sync_event_task_get *task);
DOCA_CORE_DECL void doca_sync_event_task_notify_set_set_set_val(
    struct doca_sync_event_task_notify_set *task, uint64_t set_val);
DOCA_CORE_DECL uint64_t doca_sync_event_task_notify_set_get_set_val(
    const struct doca_sync_event_task_notify_set *task);
DOCA_CORE_DECL void doca_sync_event_task_notify_add_set_inc_val(
    struct doca_sync_event_task_notify_add *task, uint64_t inc_val);
DOCA_CORE_DECL uint64_t doca_sync_event_task_notify_add_get_inc_val(
    const struct doca_sync_event_task_notify_add *task);
DOCA_CORE_DECL void doca_sync_event_task_notify_add_set_fetched_val_ptr(
    struct doca_sync_event_task_notify_add *task, uint64_t *fetched_val_ptr);
DOCA_CORE_DECL uint64_t *doca_sync_event_task_notify_add_get_fetched_val_ptr(
    const struct doca_sync_event_task_notify_add *task);
DOCA_CORE_DECL void doca_sync_event_task_wait_gt_set_wait_val(
    struct doca_sync_event_task_wait_gt *task, uint64_t wait_val);
DOCA_CORE_DECL uint64_t doca_sync_event_task_wait_gt_get_wait_val(
    const struct doca_sync_event_task_wait_gt *task);
DOCA_CORE_DECL void doca_sync_event_task_wait_gt_set_mask(struct doca_sync_event_task_wait_gt *task,
                                                          uint64_t mask);
DOCA_CORE_DECL uint64_t doca_sync_event_task_wait_gt_get_mask(
    const struct doca_sync_event_task_wait_gt *task);
DOCA_CORE_DECL void doca_sync_event_task_wait_eq_set_wait_val(
    struct doca_sync_event_task_wait_eq *task, uint64_t wait_val);
DOCA_CORE_DECL uint64_t doca_sync_event_task_wait_eq_get_wait_val(
    const struct doca_sync_event_task_wait_eq *task);
DOCA_CORE_DECL void doca_sync_event_task_wait_eq_set_mask(
    struct doca_sync_event_task_wait_eq *task, uint64_t mask);
DOCA_CORE_DECL uint64_t doca_sync_event_task_wait_eq_get_mask(
    const struct doca_sync_event_task_wait_eq *task);
DOCA_CORE_DECL void doca_sync_event_task_wait_neq_set_wait_val(
    struct doca_sync_event_task_wait_neq *task, uint64_t wait_val);
DOCA_CORE_DECL uint64_t doca_sync_event_task_wait_neq_get_wait_val(
    const struct doca_sync_event_task_wait_neq *task);
DOCA_CORE_DECL void doca_sync_event_task_wait_neq_set_mask(
    struct doca_sync_event_task_wait_neq *task, uint64_t mask);
DOCA_CORE_DECL uint64_t doca_sync_event_task_wait_neq_get_mask(
    const struct doca_sync_event_task_wait_neq *task);

#endif /* DOCA_CORE_NO_SYNC_EVENT */

#endif
