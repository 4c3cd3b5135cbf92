/* doca_core_mlx5.h - doca_core on BlueField and ConnectX, and on any RDMA device
 *
 * This is a backend of doca_core.h. It runs on rdma-core (libibverbs and libmlx5, version 44 or
 * later) and needs Linux. Programs do not change: once the backend is registered, device lists
 * contain the RDMA devices of the machine after the software devices, and the RDMA devices offer
 * the same operations.
 *
 * DO THIS in one C (or C++) file; it may be the file that holds doca_core.h's implementation:
 *
 *     #define DOCA_CORE_MLX5_IMPLEMENTATION
 *     #include "doca_core_mlx5.h"
 *
 * Link the program with -libverbs -lmlx5, and make this call before it creates a device list:
 *
 *     doca_core_backend_register(doca_core_mlx5_backend(NULL));
 *
 * To hide the software devices, also call doca_core_sw_set_devices(&attr, 0).
 *
 * THE ENGINES. A device copies with one of three engines. The backend chooses the engine when it
 * finds the device; the program can choose it instead, with options.engine, or the user with
 * DOCA_CORE_MLX5_ENGINE=mmo|rc|verbs in the environment:
 *     MMO    the DMA engine of BlueField: WQEs with opcode MMO, on a queue pair enabled for them
 *     RC     RDMA WRITE between two connected queue pairs of one port, with WQEs in mlx5's format
 *     VERBS  RDMA WRITE through ibv_post_send and ibv_poll_cq: works on any RDMA device, including
 *            soft-RoCE
 * With MMO and RC the backend writes doorbell registers itself, which it can do on x86 and Armv8;
 * on other processors every device uses VERBS. The backend reads the capabilities of a device from
 * its firmware (QUERY_HCA_CAP through DevX). It has no hash engine, because the WQE layout of
 * hashes is not public. A device that is not on a PCI bus gets an address in PCI domain ffff,
 * numbered by its position in libibverbs' list: ffff:00:00.0 is the first device of that list.
 *
 * TASKS. With RC and VERBS, a WQE gathers consecutive sources and writes them to one contiguous
 * destination: a task becomes one WQE for each buffer of its destination list, and more if a
 * buffer receives more sources than a WQE can have (30, or fewer if the device supports fewer).
 * With MMO a task becomes one WQE for each contiguous piece, where a piece ends at every boundary
 * of a source or destination buffer. Only the last WQE of a task asks for a completion (with
 * VERBS, every WQE does). The tasks of a context complete in the order of their submission.
 * With RC and VERBS, the CPU reads sources of up to 28 bytes during submit and places them in the
 * WQE (DOCA_CORE_MLX5_MAX_INLINE). It does not do so if the source is imported, in a dmabuf or on
 * the NIC.
 * If the device would reject a task, the backend detects this at submit, reports it after all
 * single buffers that overlap, the CPU moves the bytes in doca_pe_progress(), because the order in
 * which an engine reads and writes is unknown. The CPU cannot do so in imported memory and in
 * dmabufs; such a task fails. A task also fails if the program changed its destination buffer
 * before the task completed. An error completion stops the context, as every failed task does;
 * doca_core_last_error() contains its syndromes. A context that is started again has new queues.
 *
 * REFUSALS. When libibverbs, the kernel or the firmware refuses a call, doca_core_last_error()
 * gives the step that was refused, the name of the errno, the firmware's status and syndrome if it
 * reported them, and the likely cause with its remedy:
 *     doca_core: doca_mmap_start: dev 0x5581c0: libibverbs or the kernel refused to register the
 *     memory: EFAULT; the range is not mapped completely, or it is read-only: set
 *     DOCA_ACCESS_FLAG_LOCAL_READ_ONLY for read-only memory [INVALID_VALUE]
 * For most commands libibverbs does not pass on the syndrome; the kernel writes it to its log
 * (dmesg).
 *
 * FAILURE. A device has failed when it reports IBV_EVENT_DEVICE_FATAL, or when it reports that a
 * queue of this library will deliver no more completions (CQ_ERR, QP_FATAL). Its tasks in flight
 * then fail, and all its contexts stop, including idle ones; see doca_pe_progress(). Contexts can
 * run again on a device that is opened after the failure.
 * If a device was opened from a PD of the program, the program receives these events and should
 * pass them on with doca_core_mlx5_pass_event(). If it does not, the failure is detected only after
 * a PE has polled without result for a long time.
 * If a device loses a single completion without reporting it, the loss is detected when the next
 * completion arrives. Stopping the context always makes the device write another completion. The
 * backend sets no time limit for tasks, because the hardware sets none. (If the device also loses
 * the completion caused by the stop, and reports no failure, the context never becomes idle.)
 *
 * MEMORY. doca_mmap_start() registers the range with the rights that its permissions imply, and
 * takes one small block of the device's arena (DOCA_CORE_MLX5_BYTES_REG). RDMA permissions include
 * local writing where the verbs require it. With RC and VERBS a writable range is registered a
 * second time; the queue pairs write with the key of this second registration. If the permissions
 * contain relaxed ordering, these keys and the keys of exports ask for it; devices without relaxed
 * ordering ignore the flag.
 * The block of a context in the arena holds everything that its queue needs: the slots, the buffer
 * for opaque data and, with MMO and RC, the rings and doorbell records of its queue pairs and its
 * completion queue. The rings share no page with other data; libmlx5 receives them through a parent
 * domain.
 * libibverbs and libmlx5 allocate heap memory to describe each object that they create: devices,
 * registrations and, for each context, a channel, a completion queue, a parent domain and queue
 * pairs. They also allocate 16 bytes for each WQE, and occasionally 32 KiB for a table of queue
 * pairs. With VERBS the rings are on the heap, too. The same happens if the installed libmlx5 makes
 * rings larger than this header expects; the log (INFO) says so. The C library allocates memory to
 * read directories when devices and representors are looked up. Between start and stop of a
 * context, neither this backend nor the functions that it calls allocate memory.
 * doca_core_mmap_create_on_dev() creates mmaps of memory on the NIC, of any length. The length is
 * rounded up to a multiple of 64 bytes for the device, and the keys cover the rounded length. The
 * CPU accesses this memory in words of 4 bytes. If doca_core_mmap_write() writes only a part of a
 * word, it reads the word, changes it and writes it back. Threads of one process can write
 * neighbouring bytes at the same time; but if a device writes other bytes of the same word at that
 * moment, the bytes of the device can be lost.
 *
 * SIDES AND REPRESENTORS. A device is on the Arm side of a BlueField if the root port of its PCI
 * bus is a bridge made by the card's vendor; every other device on a PCI bus is on a host.
 * Representors of a device are listed if the device manages an eswitch in switchdev mode and sysfs
 * shows them as network interfaces. They represent functions of the host, and VFs and SFs on the
 * same side as the device. The firmware supplies the addresses, vhca ids and VUIDs of the host's
 * functions. If it does not supply an address or a vhca id, the getter for it returns
 * NOT_SUPPORTED. If it does not supply a VUID, the VUID is made from the ids of switch and port.
 * The PCI domain of a host's function is unknown and reported as 0000. Emulated functions are not
 * listed.
 *
 * EXPORTS. Each export of an mmap, for PCI or for RDMA, has its own key, with only the rights that
 * its kind of export needs. Every function of the same card, with any engine, can use this key
 * through an alias. The descriptor of the export contains 32 random bytes, and the firmware creates
 * an alias for every process that presents them. If the firmware does not support aliases, an
 * export for RDMA can be imported only on the device that exported it.
 * Stopping the mmap revokes the key, and so does the end of the exporting process. Importers are
 * not notified: their later tasks fail with IO_FAILED. When a copy from an import fails in the
 * device, the backend sets the part of the destination that the copy was to write to 0, if that
 * part is in memory of this process or of the device. A destination in another import keeps the
 * bytes that earlier WQEs of the task have written.
 *
 * SYNC EVENTS. The device executes the tasks of a sync event whose value is in memory on the NIC,
 * in an imported mmap, or in an mmap that other functions may write
 * (doca_sync_event_set_doca_buf() in doca_core.h). It uses two connected queue pairs, even if the
 * engine for copies is MMO. An RDMA WRITE of 8 inline bytes sets the value, FETCH_ADD adds to it,
 * and RDMA READ gets it; RDMA READ also fetches the value for waiting tasks if the CPU cannot read
 * it. The tasks take effect in the order of their submission: each WQE has a fence or, with VERBS,
 * is posted only when the earlier WQEs that it must follow have completed.
 * The device must support atomics (ibv_devinfo: atomic_cap). Most devices report ATOMIC_HCA: their
 * operations are atomic only with respect to devices of the same card, and updates of such an
 * event by the CPU are refused. After a PCI export with PCI_READ_WRITE, importers can add, too.
 * A thread that sleeps on the notification handle while tasks wait is woken to read the value
 * again: after 50 us at first, then less and less often, down to about once per millisecond.
 *
 * THREADS. The rules of doca_core.h apply. Contexts of different threads share nothing on the data
 * path: each context has a doorbell register of its own, through a thread domain. When the device
 * has no registers left, further contexts share doorbell pages with other users of libmlx5. Sharing
 * is safe because this backend writes a doorbell with one 8-byte store.
 *
 * CONTENTS (search for the tag)
 *   API             >>mlx5.config >>mlx5.api >>mlx5.sys
 *   Private         >>mlx5.priv.platform >>mlx5.priv.wqe >>mlx5.priv.layout >>mlx5.priv.order
 *                   >>mlx5.priv.device >>mlx5.priv.sysfs >>mlx5.priv.find >>mlx5.priv.rep
 *                   >>mlx5.priv.mkey >>mlx5.priv.share >>mlx5.priv.dm >>mlx5.priv.clock
 *                   >>mlx5.priv.queue >>mlx5.priv.dma >>mlx5.priv.poll >>mlx5.priv.sync
 *                   >>mlx5.priv.event
 *   Implementation  >>mlx5.layout >>mlx5.order >>mlx5.calls >>mlx5.device >>mlx5.clock >>mlx5.sysfs
 *                   >>mlx5.find >>mlx5.rep >>mlx5.mkey >>mlx5.share >>mlx5.dm >>mlx5.queue
 *                   >>mlx5.dma >>mlx5.poll >>mlx5.sync >>mlx5.event >>mlx5.table
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/mlx5/. Edit those parts.
 */
#ifndef DOCA_CORE_MLX5_H
#define DOCA_CORE_MLX5_H

#include "doca_core.h"

/* part: src/mlx5/config.h */
/* ---- >>mlx5.config --------------------------------------------------------------------------
 * All settings of this header. They take effect in the file that contains the implementation.   */

/* Maximal number of RDMA devices that are found, and of devices that are open at the same time,
 * including those opened from PDs. Each takes about 2 KiB of static memory. */
#ifndef DOCA_CORE_MLX5_MAX_DEVS
#define DOCA_CORE_MLX5_MAX_DEVS 16
#endif

/* Maximal number of buffers in a source or destination list. */
#ifndef DOCA_CORE_MLX5_MAX_LIST
#define DOCA_CORE_MLX5_MAX_LIST 64
#endif

/* Maximal number of WQEs of a queue, a power of two that is at least twice DOCA_CORE_MLX5_MAX_LIST.
 * Further tasks wait until the queue has room. */
#ifndef DOCA_CORE_MLX5_MAX_WQES
#define DOCA_CORE_MLX5_MAX_WQES 4096
#endif

/* Maximal number of source bytes that the CPU copies into the WQE of an RDMA WRITE, from 0 to 28.
 * Set it to 0 if the program has mmaps of memory that the CPU cannot read, such as GPU memory
 * registered by its address. */
#ifndef DOCA_CORE_MLX5_MAX_INLINE
#define DOCA_CORE_MLX5_MAX_INLINE 28
#endif

/* Bytes of a page, a power of two. Rings share no page with other data. On a system with larger
 * pages, the rings are on the heap instead of in the blocks of their contexts. */
#ifndef DOCA_CORE_MLX5_PAGE
#if defined(__x86_64__) || defined(__i386__)
#define DOCA_CORE_MLX5_PAGE 4096
#else
#define DOCA_CORE_MLX5_PAGE 65536
#endif
#endif

#if DOCA_CORE_MLX5_MAX_DEVS < 1 || DOCA_CORE_MLX5_MAX_LIST < 1
#error "DOCA_CORE_MLX5_MAX_DEVS and DOCA_CORE_MLX5_MAX_LIST are at least 1"
#endif
#if DOCA_CORE_MLX5_MAX_WQES < 2 * DOCA_CORE_MLX5_MAX_LIST ||                                       \
    (DOCA_CORE_MLX5_MAX_WQES & (DOCA_CORE_MLX5_MAX_WQES - 1)) != 0
#error "DOCA_CORE_MLX5_MAX_WQES is a power of two with room for two lists"
#endif

#if DOCA_CORE_MLX5_MAX_INLINE < 0 || DOCA_CORE_MLX5_MAX_INLINE > 28
#error "DOCA_CORE_MLX5_MAX_INLINE is from 0 to 28"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* part: src/mlx5/api.h */
/* ---- >>mlx5.api ----------------------------------------------------------------------------- */

enum doca_core_mlx5_engine {
    DOCA_CORE_MLX5_ENGINE_AUTO = 0, /* the first of the engines below that the device supports */
    DOCA_CORE_MLX5_ENGINE_MMO = 1,
    DOCA_CORE_MLX5_ENGINE_RC = 2,
    DOCA_CORE_MLX5_ENGINE_VERBS = 3
};

struct doca_core_mlx5_sys;
struct ibv_async_event;

struct doca_core_mlx5_options { /* a structure of zeros selects the defaults */
    const struct doca_core_mlx5_sys *sys; /* NULL: the real libibverbs, libmlx5 and kernel */
    enum doca_core_mlx5_engine engine;    /* for copies; AUTO: the environment can choose */
};

/* Find the RDMA devices of the machine and return the backend table for
 * doca_core_backend_register(). Call it again to find devices that have appeared in the meantime;
 * the backend may already be registered then.
 *
 *   options  NULL: the defaults. The structure is copied, but the table that options->sys points to
 *            must stay valid.
 *
 * Owns      libibverbs' list of devices, until the next call
 * Threads   one at a time, while no thread lists, opens or closes devices
 * Cost      opens and closes every device
 * Errors    Does not fail. While devices of this backend are open, the call returns the table and
 *           changes nothing else. A device that lacks the chosen engine is listed without copies,
 *           and the log (INFO) gives the reason. A device that cannot be opened, and devices beyond
 *           the first DOCA_CORE_MLX5_MAX_DEVS, are not listed; the log (ERROR) gives the reason. */
DOCA_CORE_DECL const struct doca_core_backend *doca_core_mlx5_backend(
    const struct doca_core_mlx5_options *options);

/* Get the engine that a device uses for copies.
 *
 * Threads   any
 * Errors    INVALID_VALUE  `dev` is not an open device, or `engine` is NULL
 *           NOT_SUPPORTED  the device belongs to another backend, or it does not support copies */
DOCA_CORE_DECL doca_error_t doca_core_mlx5_get_engine(const struct doca_dev *dev,
                                                      enum doca_core_mlx5_engine *engine);

/* Pass on an asynchronous event that the program received with ibv_get_async_event() from its own
 * context. The call may be made before or after the program acknowledges the event. Three kinds of
 * events mean that the device has failed: DEVICE_FATAL, and CQ_ERR or QP_FATAL of a queue that
 * belongs to this library. `dev` and all other open devices on the same card then fail,
 * and their contexts stop. Events of other kinds have no effect.
 *
 *   dev  a device that was opened from a protection domain (PD) of that context
 *
 * Threads   any, while `dev` is open
 * Errors    INVALID_VALUE  `dev` is not an open device, or `event` is NULL
 *           NOT_SUPPORTED  the device belongs to another backend */
DOCA_CORE_DECL doca_error_t doca_core_mlx5_pass_event(struct doca_dev *dev,
                                                      const struct ibv_async_event *event);

/* Arena bytes, for dimensioning. _REG: bytes that a started mmap takes from the arena of each of
 * its devices. _DMA: bytes that a DMA context with `num_tasks` tasks takes. doca_core_bytes_dma()
 * gives the number for a DMA context at run time. With VERBS that number is smaller, because
 * libibverbs allocates the rings on the heap. */
#define DOCA_CORE_MLX5_BYTES_REG DOCA_CORE_BYTES_BLOCK(DOCA_CORE_LINE)
#define DOCA_CORE_MLX5_BYTES_DMA(num_tasks)                                                        \
    (DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_dma)) +                                              \
     DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_MLX5_QUEUE_BYTES +                                            \
                           DOCA_PRIV_MLX5_SLOTS(num_tasks) + DOCA_PRIV_MLX5_RINGS(num_tasks) +     \
                           DOCA_PRIV_STOCKED(num_tasks) * DOCA_PRIV_TASK_BYTES))
#define DOCA_PRIV_MLX5_QUEUE_BYTES ((size_t)8 * DOCA_CORE_LINE)
/* a queue of a sync event, before its slots */
#define DOCA_PRIV_MLX5_SYNC_BYTES ((size_t)12 * DOCA_CORE_LINE)
#define DOCA_PRIV_MLX5_SLOT_BYTES ((size_t)32)
#define DOCA_PRIV_MLX5_SLOTS(num_tasks) /* bytes, rounded up to whole cache lines */               \
    (((size_t)(num_tasks) * DOCA_PRIV_MLX5_SLOT_BYTES + DOCA_CORE_LINE - 1) / DOCA_CORE_LINE *     \
     DOCA_CORE_LINE)

/* Bytes of a started sync event whose tasks are executed by the device; `num_tasks` counts the
 * tasks of all types together. In the checked mode this is an upper bound. */
#define DOCA_CORE_MLX5_BYTES_SYNC_EVENT(num_tasks)                                                 \
    (DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_sync_event)) +                                       \
     DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_MLX5_SYNC_BYTES +                                             \
                           DOCA_PRIV_MLX5_SLOTS((size_t)(num_tasks) + 1) +                         \
                           DOCA_PRIV_MLX5_RINGS((size_t)(num_tasks) + 1) +                         \
                           DOCA_PRIV_EVENT_STOCKED(num_tasks) * DOCA_CORE_LINE))

/* _WQES: upper bound of the number of WQEs of a queue with `num_tasks` tasks. _RINGS: bytes of its
 * rings: the completion queue (CQ), the send queue (SQ), a page for the peer's SQ, and a page for
 * alignment. _SMEAR: a step of setting all bits below the highest set bit of `n`; _POWER uses it to
 * round up to a power of two. */
#define DOCA_PRIV_MLX5_SMEAR(n, log) ((n) | (n) >> (log))
#define DOCA_PRIV_MLX5_SMEAR_4(n) DOCA_PRIV_MLX5_SMEAR(DOCA_PRIV_MLX5_SMEAR(n, 1), 2)
#define DOCA_PRIV_MLX5_SMEAR_16(n) DOCA_PRIV_MLX5_SMEAR(DOCA_PRIV_MLX5_SMEAR(n, 4), 8)
#define DOCA_PRIV_MLX5_POWER(n) /* smallest power of two >= n, for 2 <= n <= 65536 */              \
    (DOCA_PRIV_MLX5_SMEAR_16(DOCA_PRIV_MLX5_SMEAR_4((size_t)(n) - 1)) + 1)
#define DOCA_PRIV_MLX5_MIN_WQES DOCA_PRIV_MLX5_POWER(2 * DOCA_CORE_MLX5_MAX_LIST)
#define DOCA_PRIV_MLX5_WQES(num_tasks)                                                             \
    ((size_t)(num_tasks) <= DOCA_PRIV_MLX5_MIN_WQES         ? DOCA_PRIV_MLX5_MIN_WQES              \
     : (size_t)(num_tasks) >= DOCA_CORE_MLX5_MAX_WQES ? (size_t)DOCA_CORE_MLX5_MAX_WQES            \
                                                         : DOCA_PRIV_MLX5_POWER(num_tasks))
#define DOCA_PRIV_MLX5_RING(num_wqes) /* bytes, rounded up to whole pages */                       \
    (((num_wqes) * 64 + DOCA_CORE_MLX5_PAGE - 1) / DOCA_CORE_MLX5_PAGE * DOCA_CORE_MLX5_PAGE)
#define DOCA_PRIV_MLX5_RINGS(num_tasks)                                                            \
    (2 * DOCA_PRIV_MLX5_RING(DOCA_PRIV_MLX5_WQES(num_tasks)) + (size_t)2 * DOCA_CORE_MLX5_PAGE)

/* part: src/mlx5/sys.h */
/* ---- >>mlx5.sys -----------------------------------------------------------------------------
 * The calls of libibverbs, libmlx5 and the kernel that this backend makes. A test can replace them
 * by functions that work on plain memory. Most have the parameters and results of the library
 * function with a similar name. A function that returns int returns 0 or an errno unless its
 * comment says otherwise. The descriptors of contexts and channels are non-blocking.            */

struct ibv_async_event;
struct ibv_comp_channel;
struct ibv_context;
struct ibv_cq;
struct ibv_device;
struct ibv_device_attr;
struct ibv_dm;
struct ibv_mr;
struct ibv_parent_domain_init_attr;
struct ibv_port_attr;
struct ibv_qp;
struct ibv_qp_attr;
struct ibv_qp_init_attr;
struct ibv_send_wr;
struct ibv_td;
struct ibv_wc;
struct mlx5dv_devx_obj;
struct mlx5dv_devx_umem;
struct mlx5dv_obj;

struct doca_core_mlx5_sys {
    /* devices. `text` receives the content of a file, or the path that a link resolves to, and NUL.
     * list_names() calls `visit` for each name in a directory, in any order. */
    struct ibv_device **(*get_device_list)(int *num);
    void (*free_device_list)(struct ibv_device **list);
    bool (*is_mlx5)(struct ibv_device *device);
    struct ibv_context *(*open_device)(struct ibv_device *device, bool with_devx);
    int (*close_device)(struct ibv_context *context);
    int (*query_device)(struct ibv_context *context, struct ibv_device_attr *attr);
    int (*query_port)(struct ibv_context *context, uint8_t port, struct ibv_port_attr *attr);
    int (*query_gid)(struct ibv_context *context, uint8_t port, int index, uint8_t gid[16]);
    int (*general_cmd)(struct ibv_context *context, const void *in, size_t in_bytes, void *out,
                       size_t out_bytes);
    int (*read_file)(const char *path, char *text, size_t bytes);
    int (*resolve_path)(const char *path, char *text, size_t bytes);
    int (*list_names)(const char *path, void (*visit)(const char *name, void *data), void *data);

    /* memory */
    struct ibv_pd *(*alloc_pd)(struct ibv_context *context);
    int (*dealloc_pd)(struct ibv_pd *pd);
    struct ibv_mr *(*reg_mr)(struct ibv_pd *pd, void *addr, size_t len, unsigned access);
    struct ibv_mr *(*reg_dmabuf_mr)(struct ibv_pd *pd, uint64_t offset, size_t len, uint64_t iova,
                                    int fd, unsigned access);
    int (*dereg_mr)(struct ibv_mr *mr);
    struct ibv_dm *(*alloc_dm)(struct ibv_context *context, size_t len);
    int (*free_dm)(struct ibv_dm *dm);
    struct ibv_mr *(*reg_dm_mr)(struct ibv_pd *pd, struct ibv_dm *dm, size_t len, unsigned access);
    int (*memcpy_to_dm)(struct ibv_dm *dm, uint64_t offset, const void *from, size_t len);
    int (*memcpy_from_dm)(void *to, struct ibv_dm *dm, uint64_t offset, size_t len);
    struct mlx5dv_devx_umem *(*umem_reg)(struct ibv_context *context, void *addr, size_t len,
                                         uint32_t access);
    int (*umem_dereg)(struct mlx5dv_devx_umem *umem);
    struct mlx5dv_devx_obj *(*obj_create)(struct ibv_context *context, const void *in,
                                          size_t in_bytes, void *out, size_t out_bytes);
    int (*obj_destroy)(struct mlx5dv_devx_obj *obj);

    /* queues. `domain` of create_cq() is a parent domain, or NULL. */
    struct ibv_td *(*alloc_td)(struct ibv_context *context);
    int (*dealloc_td)(struct ibv_td *td);
    struct ibv_pd *(*alloc_parent_domain)(struct ibv_context *context,
                                          struct ibv_parent_domain_init_attr *attr);
    struct ibv_comp_channel *(*create_comp_channel)(struct ibv_context *context);
    int (*destroy_comp_channel)(struct ibv_comp_channel *channel);
    struct ibv_cq *(*create_cq)(struct ibv_context *context, int num_cqes,
                                struct ibv_comp_channel *channel, struct ibv_pd *domain);
    int (*destroy_cq)(struct ibv_cq *cq);
    struct ibv_qp *(*create_qp)(struct ibv_pd *pd, struct ibv_qp_init_attr *attr);
    int (*destroy_qp)(struct ibv_qp *qp);
    int (*modify_qp)(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask);
    int (*devx_qp_modify)(struct ibv_qp *qp, const void *in, size_t in_bytes, void *out,
                          size_t out_bytes);
    int (*init_obj)(struct mlx5dv_obj *obj, uint64_t type);

    /* events. Each call reads and acknowledges the next pending event; EAGAIN: none is pending. */
    int (*take_cq_event)(struct ibv_comp_channel *channel);
    int (*take_async_event)(struct ibv_context *context, struct ibv_async_event *event);

    /* the data path of VERBS */
    int (*post_send)(struct ibv_qp *qp, struct ibv_send_wr *wr);
    /* number of completions, 0 or 1; negative: an error */
    int (*poll_cq)(struct ibv_cq *cq, struct ibv_wc *wc);
    int (*req_notify_cq)(struct ibv_cq *cq);

    /* the core clock of the device. The three pointers are NULL if the devices have no clocks.
     * query_clock: get the frequency in kHz; 0 if the device has no such clock.
     * read_clock: get the current number of cycles.
     * clock_to_ns: convert a recent number of cycles to a time of the driver's real time clock. */
    int (*query_clock)(struct ibv_context *context, uint64_t *khz);
    int (*read_clock)(struct ibv_context *context, uint64_t *cycles);
    int (*clock_to_ns)(struct ibv_context *context, uint64_t cycles, uint64_t *ns);
};

/* Return the table of the real calls, for programs that replace some of them. */
DOCA_CORE_DECL const struct doca_core_mlx5_sys *doca_core_mlx5_real_sys(void);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_MLX5_H */

#if defined(DOCA_CORE_MLX5_IMPLEMENTATION) && !defined(DOCA_CORE_MLX5_IMPLEMENTATION_GUARD)
#define DOCA_CORE_MLX5_IMPLEMENTATION_GUARD

#ifndef DOCA_PRIV_DECL
#define DOCA_PRIV_DECL static
#endif

/* part: src/mlx5/platform_priv.h */
/* ---- >>mlx5.priv.platform --------------------------------------------------------------------
 * System headers, and declarations that are missing when the program asks for standard C only.  */

#if !defined(__linux__) || !defined(__GNUC__)
#error "doca_core_mlx5.h needs Linux and GNU C"
#endif

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/timerfd.h>
#include <unistd.h>

#ifndef DOCA_CORE_RELAX
#define DOCA_CORE_RELAX() ((void)0)
#endif

#ifndef PATH_MAX
#define PATH_MAX 4096
#endif
#ifndef O_CLOEXEC
#define O_CLOEXEC 02000000
#endif
#if !defined(__cplusplus) && !defined(__USE_MISC) && !defined(__USE_XOPEN_EXTENDED)
extern char *realpath(const char *path, char *resolved);
#endif

#ifdef __cplusplus
extern "C" {
#define DOCA_PRIV_MLX5_ASSERT(name, what) static_assert(what, #name)
#else
#define DOCA_PRIV_MLX5_ASSERT(name, what)                                                          \
    typedef char doca_priv_mlx5_assert_##name[(what) ? 1 : -1] DOCA_CORE_UNUSED
#endif

/* part: src/mlx5/wqe_priv.h */
/* ---- >>mlx5.priv.wqe -------------------------------------------------------------------------
 * Segments of WQEs and fields of CQEs, with the names of the programmer's reference manual (PRM).
 * All fields are big-endian. doca_core_rdma.h contains this part as well, because its queue pairs
 * have the same layout. Therefore this part must not include other parts of either header.      */

#ifndef DOCA_PRIV_MLX5_WQE /* several headers contain this part */
#define DOCA_PRIV_MLX5_WQE

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define DOCA_PRIV_MLX5_BE16(x) __builtin_bswap16((uint16_t)(x))
#define DOCA_PRIV_MLX5_BE32(x) __builtin_bswap32((uint32_t)(x))
#define DOCA_PRIV_MLX5_BE64(x) __builtin_bswap64((uint64_t)(x))
#endif
#if !(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#define DOCA_PRIV_MLX5_BE16(x) ((uint16_t)(x))
#define DOCA_PRIV_MLX5_BE32(x) ((uint32_t)(x))
#define DOCA_PRIV_MLX5_BE64(x) ((uint64_t)(x))
#endif

/* A small function of the data path, inlined into every caller. */
#define DOCA_PRIV_MLX5_HOT static inline __attribute__((always_inline))
#define DOCA_PRIV_MLX5_UAR_CQ 0x20 /* offset of the register that arms CQs in a doorbell page */
#define DOCA_PRIV_MLX5_WQEBB 64 /* bytes of a basic block; a WQE has one or more of them */
#define DOCA_PRIV_MLX5_SEG_BYTES 16 /* bytes of a segment; a basic block has four */
#define DOCA_PRIV_MLX5_SRQ_NEXT 2   /* offset in a WQE of an SRQ: index of the next WQE, 16 bits */
#define DOCA_PRIV_MLX5_INVALID_LKEY 0x100 /* ends the data segments of a receive WQE */
#define DOCA_PRIV_MLX5_CE_ALWAYS 0x08 /* bit of fm_ce_se: write a CQE also on success */

enum { /* opcodes of WQEs, and modifiers of MMO */
    DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE = 0x08,
    DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE_IMM = 0x09,
    DOCA_PRIV_MLX5_OPCODE_SEND = 0x0a,
    DOCA_PRIV_MLX5_OPCODE_SEND_IMM = 0x0b,
    DOCA_PRIV_MLX5_OPCODE_RDMA_READ = 0x10,
    DOCA_PRIV_MLX5_OPCODE_ATOMIC_CS = 0x11,
    DOCA_PRIV_MLX5_OPCODE_ATOMIC_FA = 0x12,
    DOCA_PRIV_MLX5_OPCODE_MMO = 0x2f,
    DOCA_PRIV_MLX5_OPMOD_MMO_DMA = 1
};

#define DOCA_PRIV_MLX5_INLINE 0x80000000u /* in a byte count: the data follows it */

struct doca_priv_mlx5_ctrl_seg {
    uint32_t opmod_idx_opcode;
    uint32_t qpn_ds; /* ds: size of the WQE in units of 16 bytes */
    uint8_t signature;
    uint8_t reserved[2];
    uint8_t fm_ce_se;
    uint32_t imm; /* for MMO: bits 63 to 32 of control */
};

struct doca_priv_mlx5_data_seg {
    uint32_t byte_count; /* 31 bits; 0 means 2 GiB */
    uint32_t lkey;
    uint64_t addr;
};

struct doca_priv_mlx5_raddr_seg {
    uint64_t raddr;
    uint32_t rkey;
    uint32_t reserved;
};

struct doca_priv_mlx5_cqe { /* an error CQE has the fields before sop_drop_qpn */
    uint8_t reserved[54];
    uint8_t vendor_err_synd; /* valid only for errors, like `syndrome` */
    uint8_t syndrome;
    uint32_t sop_drop_qpn;
    uint16_t wqe_counter; /* index of the WQE's first basic block */
    uint8_t signature;
    uint8_t op_own; /* opcode in the upper half, owner in bit 0; written last */
};

enum { /* offsets in the CQE of a received message; an error CQE has other fields there */
    DOCA_PRIV_MLX5_CQE_IMM = 36,
    DOCA_PRIV_MLX5_CQE_BYTE_COUNT = 44
};

enum { /* opcodes of CQEs */
    DOCA_PRIV_MLX5_CQE_REQ = 0,
    DOCA_PRIV_MLX5_CQE_RESP_WRITE_IMM = 1,
    DOCA_PRIV_MLX5_CQE_RESP_SEND = 2,
    DOCA_PRIV_MLX5_CQE_RESP_SEND_IMM = 3,
    DOCA_PRIV_MLX5_CQE_REQ_ERR = 13,
    DOCA_PRIV_MLX5_CQE_RESP_ERR = 14,
    DOCA_PRIV_MLX5_CQE_INVALID = 15
};

enum { /* syndromes of error CQEs */
    DOCA_PRIV_MLX5_SYNDROME_LOCAL_LENGTH = 0x01,
    DOCA_PRIV_MLX5_SYNDROME_LOCAL_QP_OP = 0x02,
    DOCA_PRIV_MLX5_SYNDROME_LOCAL_PROT = 0x04,
    DOCA_PRIV_MLX5_SYNDROME_WR_FLUSH = 0x05,
    DOCA_PRIV_MLX5_SYNDROME_MW_BIND = 0x06,
    DOCA_PRIV_MLX5_SYNDROME_BAD_RESP = 0x10,
    DOCA_PRIV_MLX5_SYNDROME_LOCAL_ACCESS = 0x11,
    DOCA_PRIV_MLX5_SYNDROME_REMOTE_INVAL_REQ = 0x12,
    DOCA_PRIV_MLX5_SYNDROME_REMOTE_ACCESS = 0x13,
    DOCA_PRIV_MLX5_SYNDROME_REMOTE_OP = 0x14,
    DOCA_PRIV_MLX5_SYNDROME_TRANSPORT_RETRY_EXC = 0x15,
    DOCA_PRIV_MLX5_SYNDROME_RNR_RETRY_EXC = 0x16,
    DOCA_PRIV_MLX5_SYNDROME_REMOTE_ABORTED = 0x22
};

DOCA_PRIV_MLX5_HOT uint32_t doca_priv_mlx5_byte_count(uint64_t bytes)
{
    /* The device reads 0 as 2 GiB. Bit 31 must be 0, because it marks inline data. */
    return DOCA_PRIV_MLX5_BE32(bytes & 0x7fffffff);
}

/* Write 4 or 8 bytes, or a whole data segment, of a WQE in the ring. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_put32(unsigned char *at, uint32_t value)
{
    memcpy(at, &value, sizeof(value));
}

DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_put64(unsigned char *at, uint64_t value)
{
    memcpy(at, &value, sizeof(value));
}

DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_put_data(unsigned char *seg, uint32_t byte_count,
                                                uint32_t lkey, uint64_t addr)
{
    doca_priv_mlx5_put32(seg + offsetof(struct doca_priv_mlx5_data_seg, byte_count), byte_count);
    doca_priv_mlx5_put32(seg + offsetof(struct doca_priv_mlx5_data_seg, lkey),
                         DOCA_PRIV_MLX5_BE32(lkey));
    doca_priv_mlx5_put64(seg + offsetof(struct doca_priv_mlx5_data_seg, addr),
                         DOCA_PRIV_MLX5_BE64(addr));
}

/* Copy up to 28 bytes: as two parts of 16, 8 or 4 bytes that may overlap, or byte by byte if there
 * are fewer than 4. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_copy_short(unsigned char *to, const unsigned char *from,
                                                  uint32_t bytes)
{
    if (bytes >= 16) {
        memcpy(to, from, 16);
        memcpy(to + bytes - 16, from + bytes - 16, 16);
    } else if (bytes >= 8) {
        memcpy(to, from, 8);
        memcpy(to + bytes - 8, from + bytes - 8, 8);
    } else if (bytes >= 4) {
        memcpy(to, from, 4);
        memcpy(to + bytes - 4, from + bytes - 4, 4);
    } else {
        while (bytes-- > 0)
            to[bytes] = from[bytes];
    }
}

#endif

/* part: src/mlx5/layout_priv.h */
/* ---- >>mlx5.priv.layout ----------------------------------------------------------------------
 * Declarations of >>mlx5.layout for other parts, and the functions that write WQEs.             */

/* A function for rare cases, never inlined. */
#define DOCA_PRIV_MLX5_NOINLINE DOCA_PRIV_DECL __attribute__((noinline))
#define DOCA_PRIV_MLX5_MAX_SGE 30 /* sources of a WQE of eight basic blocks */

struct doca_priv_mlx5_mmo_seg {
    uint32_t control_31_0;
    uint32_t opaque_lkey;
    uint64_t opaque_addr;
};

/* WQE of the DMA engine. According to public documents it has one source, one destination and no
 * inline data. */
struct doca_priv_mlx5_mmo_wqe {
    struct doca_priv_mlx5_ctrl_seg ctrl;
    struct doca_priv_mlx5_mmo_seg mmo;
    struct doca_priv_mlx5_data_seg gather;
    struct doca_priv_mlx5_data_seg scatter;
};

struct doca_priv_mlx5_write_wqe { /* more data segments may follow `gather` */
    struct doca_priv_mlx5_ctrl_seg ctrl;
    struct doca_priv_mlx5_raddr_seg remote;
    struct doca_priv_mlx5_data_seg gather;
};

#define DOCA_PRIV_MLX5_INLINE_BYTES 28 /* inline data that fits one basic block */

struct doca_priv_mlx5_inline_wqe {
    struct doca_priv_mlx5_ctrl_seg ctrl;
    struct doca_priv_mlx5_raddr_seg remote;
    uint32_t byte_count;
    uint8_t data[DOCA_PRIV_MLX5_INLINE_BYTES];
};

struct doca_priv_mlx5_model { /* template of a queue's WQEs: their first segments */
    struct doca_priv_mlx5_ctrl_seg ctrl;
    struct doca_priv_mlx5_mmo_seg mmo;
};

enum { /* values of a syndrome that this backend sets */
    DOCA_PRIV_MLX5_SYNDROME_CALL = 0xfd,  /* ibv_post_send() refused a WQE; slot->vendor is the
                                           * errno */
    DOCA_PRIV_MLX5_SYNDROME_FATAL = 0xfe, /* the device failed without a completion */
    DOCA_PRIV_MLX5_SYNDROME_NONE = 0xff   /* an error without a syndrome */
};

/* A copy from one contiguous source to one contiguous destination. */
struct doca_priv_mlx5_piece {
    uint64_t from;
    uint64_t to;
    uint64_t bytes; /* at most 2 GiB */
    uint32_t from_key;
    uint32_t to_key;
};

/* The copy that one WQE performs: it reads several sources, one after the other, and writes them to
 * one contiguous destination. */
struct doca_priv_mlx5_copy {
    uint64_t to;
    uint64_t bytes;
    uint32_t to_key;
    uint32_t num; /* number of sources, at least 1 */
    bool is_cpu_readable; /* the CPU can read all sources */
    struct ibv_sge from[DOCA_PRIV_MLX5_MAX_SGE];
};

/* An access to the 8 bytes of a sync event's value at `addr`, with the key `rkey`. `operand` is the
 * value to set or to add; `cell` is the local address that the device writes a fetched value to. */
struct doca_priv_mlx5_access_8 {
    uint32_t opcode; /* RDMA_WRITE, ATOMIC_FA, RDMA_READ */
    uint32_t rkey;
    uint64_t addr;
    uint64_t operand;
    uint32_t lkey;
    uint64_t cell;
};

/* The content of a completion, of any engine. */
struct doca_priv_mlx5_done {
    uint16_t wqe;
    uint8_t syndrome; /* 0: success */
    uint8_t vendor;
};

/* Layouts of commands. A constant with a number in its comment is the position of a field's first
 * bit, counted from the most significant bit of the command; the number is the width of the field
 * in bits. Positions of capabilities count from DOCA_PRIV_MLX5_CAP. */
enum {
    DOCA_PRIV_MLX5_CMD_QUERY_HCA_CAP = 0x100,
    DOCA_PRIV_MLX5_CMD_CREATE_MKEY = 0x200,
    DOCA_PRIV_MLX5_CMD_INIT2INIT_QP = 0x50e,
    DOCA_PRIV_MLX5_CMD_QUERY_ESW_FUNCTIONS = 0x740,
    DOCA_PRIV_MLX5_CMD_CREATE_GENERAL_OBJECT = 0xa00,
    DOCA_PRIV_MLX5_CMD_ALLOW_OTHER_VHCA_ACCESS = 0xb16,
    DOCA_PRIV_MLX5_CMD_QUERY_VUID = 0xb22,

    DOCA_PRIV_MLX5_IN_OPCODE = 0x00,  /* 16 bits */
    DOCA_PRIV_MLX5_IN_OP_MOD = 0x30,  /* 16 */
    DOCA_PRIV_MLX5_OUT_STATUS = 0x00, /* 8 */
    DOCA_PRIV_MLX5_OUT_SYNDROME = 0x20, /* 32 */

    DOCA_PRIV_MLX5_CAP = 0x80, /* first bit of the capabilities in the answer */
    DOCA_PRIV_MLX5_CAP_IN_BYTES = 16,
    DOCA_PRIV_MLX5_CAP_OTHER_FUNCTION = 0x40, /* 1 */
    DOCA_PRIV_MLX5_CAP_EC_VF_FUNCTION = 0x41, /* 1: the function is a VF of the embedded CPU */
    DOCA_PRIV_MLX5_CAP_FUNCTION_ID = 0x50,    /* 16: the function's vport */
    DOCA_PRIV_MLX5_CAP_OUT_BYTES = 16 + 4096,
    DOCA_PRIV_MLX5_CAP_GENERAL_NOW = 1, /* op_mod is type << 1 | 1 for the current values */
    DOCA_PRIV_MLX5_CAP_GENERAL_2_NOW = 0x20 << 1 | 1,
    DOCA_PRIV_MLX5_CAP_HCA_CAP_2 = 0x20,       /* 1 */
    DOCA_PRIV_MLX5_CAP_VHCA_ID = 0x30,         /* 16 */
    DOCA_PRIV_MLX5_CAP_LOG_DMA_MMO_MAX = 0x6b, /* 5 */
    DOCA_PRIV_MLX5_CAP_RELAXED_WRITE = 0xe8,   /* 1: relaxed_ordering_write */
    DOCA_PRIV_MLX5_CAP_RELAXED_READ = 0xe9,    /* 1 */
    DOCA_PRIV_MLX5_CAP_DMA_MMO_SQ = 0x153,     /* 1 */
    DOCA_PRIV_MLX5_CAP_ESWITCH_MANAGER = 0x1a7, /* 1 */
    DOCA_PRIV_MLX5_CAP_DMA_MMO_QP = 0x748,     /* 1 */
    DOCA_PRIV_MLX5_CAP_2_CROSS_VHCA = 0xe0,    /* 32: cross_vhca_object_to_object_supported */
    DOCA_PRIV_MLX5_CAP_2_ALLOWED = 0x120,      /* 32: allowed_object_for_other_vhca_access, low */
    DOCA_PRIV_MLX5_LOCAL_MKEY_TO_REMOTE = 0x100, /* bit of CAP_2_CROSS_VHCA */
    DOCA_PRIV_MLX5_ALLOWED_MKEY = 0x4,           /* bit of CAP_2_ALLOWED */

    DOCA_PRIV_MLX5_QP_IN_BYTES = 0x1d0,
    DOCA_PRIV_MLX5_QP_OUT_BYTES = 16,
    DOCA_PRIV_MLX5_QP_QPC_EXT = 0x40,  /* 1 */
    DOCA_PRIV_MLX5_QP_QPN = 0x48,      /* 24 */
    DOCA_PRIV_MLX5_QP_OPT_MASK_63_32 = 0x860, /* 32: the lower half of opt_param_mask_95_32 */
    DOCA_PRIV_MLX5_QP_EXT_MMO = 0x882, /* 1, in qpc_data_extension */
    DOCA_PRIV_MLX5_QP_OPT_MMO = 1 << 3,

    DOCA_PRIV_MLX5_MKEY_IN_BYTES = 0x110,
    DOCA_PRIV_MLX5_MKEY_OUT_BYTES = 16,
    DOCA_PRIV_MLX5_MKEY_IN_OCTWORDS = 0x300, /* 32: translations_octword_actual_size */
    DOCA_PRIV_MLX5_MKEY_IN_UMEM_ID = 0x320,  /* 32 */
    DOCA_PRIV_MLX5_MKEY_OUT_INDEX = 0x48,    /* 24 */
    DOCA_PRIV_MLX5_MKC = 0x80,               /* first bit of the mkey context */
    DOCA_PRIV_MLX5_MKC_RELAXED_WRITE = 0x80 + 0x0d, /* 1: relaxed_ordering_write */
    DOCA_PRIV_MLX5_MKC_A = 0x80 + 0x11,      /* 1: atomic access */
    DOCA_PRIV_MLX5_MKC_RW = 0x80 + 0x12,     /* 1: remote write */
    DOCA_PRIV_MLX5_MKC_RR = 0x80 + 0x13,     /* 1: remote read */
    DOCA_PRIV_MLX5_MKC_LW = 0x80 + 0x14,     /* 1: local write */
    DOCA_PRIV_MLX5_MKC_LR = 0x80 + 0x15,     /* 1: local read */
    DOCA_PRIV_MLX5_MKC_ACCESS_MODE = 0x80 + 0x16, /* 2 */
    DOCA_PRIV_MLX5_MKC_MODE_MTT = 1,
    DOCA_PRIV_MLX5_MKC_QPN = 0x80 + 0x20,        /* 24; all ones: any queue pair */
    DOCA_PRIV_MLX5_MKC_PD = 0x80 + 0x68,         /* 24 */
    DOCA_PRIV_MLX5_MKC_START_ADDR = 0x80 + 0x80, /* 64 */
    DOCA_PRIV_MLX5_MKC_LEN = 0x80 + 0xc0,        /* 64 */
    DOCA_PRIV_MLX5_MKC_OCTWORDS = 0x80 + 0x1a0,  /* 32: translations_octword_size */
    DOCA_PRIV_MLX5_MKC_RELAXED_READ = 0x80 + 0x1d9,  /* 1 */
    DOCA_PRIV_MLX5_MKC_LOG_PAGE_SIZE = 0x80 + 0x1db, /* 5 */

    DOCA_PRIV_MLX5_ESW_IN_BYTES = 16,
    DOCA_PRIV_MLX5_ESW_OUT_BYTES = 128,
    DOCA_PRIV_MLX5_ESW_HOST_NUMBER = 0x80,   /* 8; host_params_context begins here */
    DOCA_PRIV_MLX5_ESW_VF_INFO_VALID = 0x8c, /* 1: vf_stride, first_vf_offset */
    DOCA_PRIV_MLX5_ESW_PF_NOT_EXIST = 0x8d,  /* 1 */
    DOCA_PRIV_MLX5_ESW_VHCA_VALID = 0x8e,    /* 1: pf_vhca_id */
    DOCA_PRIV_MLX5_ESW_PF_DISABLED = 0x8f,   /* 1 */
    DOCA_PRIV_MLX5_ESW_PCI_BUS = 0xb0,       /* 16 */
    DOCA_PRIV_MLX5_ESW_PF_VHCA_ID = 0xc0,    /* 16 */
    DOCA_PRIV_MLX5_ESW_PCI_DEVICE = 0xd0,    /* 16 */
    DOCA_PRIV_MLX5_ESW_PCI_FUNCTION = 0xf0,  /* 16 */
    DOCA_PRIV_MLX5_ESW_VF_STRIDE = 0x100,    /* 16 */
    DOCA_PRIV_MLX5_ESW_VF_OFFSET = 0x110,    /* 16 */

    DOCA_PRIV_MLX5_VUID_IN_BYTES = 16,
    DOCA_PRIV_MLX5_VUID_IN_VHCA = 0x70, /* 16 */
    DOCA_PRIV_MLX5_VUID_OUT_BYTES = 64 + 128,
    DOCA_PRIV_MLX5_VUID_NUM = 0x1f0,    /* 16: num_of_entries */
    DOCA_PRIV_MLX5_VUID_TEXT = 0x200,   /* 128 bytes */

    DOCA_PRIV_MLX5_OBJ_TYPE_MKEY = 0xff01,
    DOCA_PRIV_MLX5_ALLOW_BYTES = 0x40,
    DOCA_PRIV_MLX5_ALLOW_OBJECT_TYPE = 0x90, /* 16 */
    DOCA_PRIV_MLX5_ALLOW_OBJECT_ID = 0xa0,   /* 32 */
    DOCA_PRIV_MLX5_ALLOW_KEY = 0x100,        /* 256 */
    DOCA_PRIV_MLX5_OBJ_BYTES = 0x50,
    DOCA_PRIV_MLX5_OBJ_TYPE = 0x30,    /* 16 */
    DOCA_PRIV_MLX5_OBJ_ID = 0x40,      /* 32, in the answer */
    DOCA_PRIV_MLX5_OBJ_ALIAS = 0x60,   /* 1 */
    DOCA_PRIV_MLX5_ALIAS_VHCA = 0x80,  /* 16: vhca_id_to_be_accessed */
    DOCA_PRIV_MLX5_ALIAS_STATUS = 0x9d, /* 3, in the answer; 0: the alias can be used */
    DOCA_PRIV_MLX5_ALIAS_OBJECT = 0xa0, /* 32: object_id_to_be_accessed */
    DOCA_PRIV_MLX5_ALIAS_KEY = 0x100,  /* 256: access_key */
    DOCA_PRIV_MLX5_ALIAS_PD = 0x200,   /* 32: metadata_1 */
    DOCA_PRIV_MLX5_ACCESS_KEY_BYTES = 32
};

enum { /* command statuses that do not concern the arguments of the command */
    DOCA_PRIV_MLX5_STATUS_INT_ERR = 0x1,
    DOCA_PRIV_MLX5_STATUS_BAD_OP = 0x2,
    DOCA_PRIV_MLX5_STATUS_BAD_SYS_STATE = 0x4,
    DOCA_PRIV_MLX5_STATUS_EXCEED_LIM = 0x8,
    DOCA_PRIV_MLX5_STATUS_NO_RESOURCES = 0xf
};

DOCA_PRIV_DECL void doca_priv_mlx5_model_mmo(struct doca_priv_mlx5_model *model, uint32_t qpn,
                                             uint32_t opaque_lkey, uint64_t opaque_addr);
DOCA_PRIV_DECL void doca_priv_mlx5_model_write(struct doca_priv_mlx5_model *model, uint32_t qpn);
DOCA_PRIV_DECL void doca_priv_mlx5_pack_gather(unsigned char *sq, uint32_t mask,
                                               const struct doca_priv_mlx5_model *model,
                                               uint32_t index,
                                               const struct doca_priv_mlx5_copy *copy);
DOCA_PRIV_DECL void doca_priv_mlx5_pack_access_8(unsigned char *wqe, uint32_t qpn, uint32_t index,
                                                 const struct doca_priv_mlx5_access_8 *a);
DOCA_PRIV_DECL void doca_priv_mlx5_unsignal(unsigned char *wqe);
DOCA_PRIV_DECL void doca_priv_mlx5_parse_cqe(const struct doca_priv_mlx5_cqe *cqe,
                                             struct doca_priv_mlx5_done *done);
DOCA_PRIV_DECL void doca_priv_mlx5_set(uint8_t *cmd, uint32_t bit, uint32_t num, uint32_t value);
DOCA_PRIV_DECL uint32_t doca_priv_mlx5_get(const uint8_t *cmd, uint32_t bit, uint32_t num);

/* Write the first `bytes` bytes of the model, with the WQE's index, and with the bits of `other`
 * inverted in the size field `ds`. Return the first 8 bytes, which are the value for the doorbell
 * register. */
DOCA_PRIV_MLX5_HOT uint64_t doca_priv_mlx5_put_model(unsigned char *wqe,
                                                     const struct doca_priv_mlx5_model *model,
                                                     size_t bytes, uint32_t index, uint32_t other)
{
    uint64_t first;

    memcpy(&first, model, sizeof(first));
    first ^= DOCA_PRIV_MLX5_BE64((uint64_t)(index & 0xffff) << 40 | other);
    doca_priv_mlx5_put64(wqe, first);
    memcpy(wqe + sizeof(first), (const unsigned char *)model + sizeof(first),
           bytes - sizeof(first));
    return first;
}

/* Write a WQE for a copy by the DMA engine. Return its first 8 bytes. */
DOCA_PRIV_MLX5_HOT uint64_t doca_priv_mlx5_pack_mmo(unsigned char *wqe,
                                                    const struct doca_priv_mlx5_model *model,
                                                    uint32_t index,
                                                    const struct doca_priv_mlx5_piece *piece)
{
    const uint32_t byte_count = doca_priv_mlx5_byte_count(piece->bytes);

    doca_priv_mlx5_put_data(wqe + offsetof(struct doca_priv_mlx5_mmo_wqe, gather), byte_count,
                            piece->from_key, piece->from);
    doca_priv_mlx5_put_data(wqe + offsetof(struct doca_priv_mlx5_mmo_wqe, scatter), byte_count,
                            piece->to_key, piece->to);
    return doca_priv_mlx5_put_model(wqe, model, sizeof(*model), index, 0);
}

/* Write the destination of an RDMA WRITE. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_put_remote(unsigned char *wqe, uint32_t rkey,
                                                  uint64_t raddr)
{
    unsigned char *remote = wqe + offsetof(struct doca_priv_mlx5_write_wqe, remote);

    doca_priv_mlx5_put64(remote + offsetof(struct doca_priv_mlx5_raddr_seg, raddr),
                         DOCA_PRIV_MLX5_BE64(raddr));
    doca_priv_mlx5_put32(remote + offsetof(struct doca_priv_mlx5_raddr_seg, rkey),
                         DOCA_PRIV_MLX5_BE32(rkey));
    doca_priv_mlx5_put32(remote + offsetof(struct doca_priv_mlx5_raddr_seg, reserved), 0);
}

/* Write a WQE for a copy by RDMA WRITE with one source. Return its first 8 bytes. */
DOCA_PRIV_MLX5_HOT uint64_t doca_priv_mlx5_pack_write(unsigned char *wqe,
                                                      const struct doca_priv_mlx5_model *model,
                                                      uint32_t index,
                                                      const struct doca_priv_mlx5_piece *piece)
{
    doca_priv_mlx5_put_remote(wqe, piece->to_key, piece->to);
    doca_priv_mlx5_put_data(wqe + offsetof(struct doca_priv_mlx5_write_wqe, gather),
                            doca_priv_mlx5_byte_count(piece->bytes), piece->from_key, piece->from);
    return doca_priv_mlx5_put_model(wqe, model, sizeof(model->ctrl), index, 0);
}

/* Write a WQE for an RDMA WRITE with the data inline, up to 28 bytes, so that the device does not
 * read the source. Return its first 8 bytes. */
DOCA_PRIV_MLX5_HOT uint64_t doca_priv_mlx5_pack_inline(unsigned char *wqe,
                                                       const struct doca_priv_mlx5_model *model,
                                                       uint32_t index,
                                                       const struct doca_priv_mlx5_piece *piece)
{
    const uint32_t bytes = (uint32_t)piece->bytes;

    doca_priv_mlx5_put_remote(wqe, piece->to_key, piece->to);
    doca_priv_mlx5_put32(wqe + offsetof(struct doca_priv_mlx5_inline_wqe, byte_count),
                         DOCA_PRIV_MLX5_BE32(DOCA_PRIV_MLX5_INLINE | bytes));
    doca_priv_mlx5_copy_short(wqe + offsetof(struct doca_priv_mlx5_inline_wqe, data),
                              (const unsigned char *)(uintptr_t)piece->from, bytes);
    /* The model's `ds` is 3. The byte count (4 bytes) and the data follow two segments. */
    return doca_priv_mlx5_put_model(wqe, model, sizeof(model->ctrl), index,
                                    3u ^ (2 + (bytes + 19) / 16));
}

/* part: src/mlx5/order_priv.h */
/* ---- >>mlx5.priv.order -----------------------------------------------------------------------
 * Declarations of >>mlx5.order for other parts, and the barriers.                               */

#ifndef DOCA_PRIV_MLX5_ORDER /* several headers contain this part */
#define DOCA_PRIV_MLX5_ORDER

#if defined(__x86_64__) || defined(__i386__)
#define DOCA_PRIV_MLX5_HAS_DOORBELL true
#define DOCA_PRIV_MLX5_STORES() __asm__ volatile("" : : : "memory")
#define DOCA_PRIV_MLX5_LOADS() __asm__ volatile("" : : : "memory")
#define DOCA_PRIV_MLX5_DOORBELL() __asm__ volatile("sfence" : : : "memory")
#endif
#if !(defined(__x86_64__) || defined(__i386__)) && defined(__aarch64__)
#define DOCA_PRIV_MLX5_HAS_DOORBELL true
#define DOCA_PRIV_MLX5_STORES() __asm__ volatile("dmb oshst" : : : "memory")
#define DOCA_PRIV_MLX5_LOADS() __asm__ volatile("dmb oshld" : : : "memory")
#define DOCA_PRIV_MLX5_DOORBELL() __asm__ volatile("dsb st" : : : "memory")
#endif
#if !(defined(__x86_64__) || defined(__i386__)) && !defined(__aarch64__) &&                        \
    !defined(DOCA_PRIV_MLX5_HAS_DOORBELL)
#define DOCA_PRIV_MLX5_HAS_DOORBELL false
#endif
#if !(defined(__x86_64__) || defined(__i386__)) && !defined(__aarch64__)
#define DOCA_PRIV_MLX5_STORES() __sync_synchronize()
#define DOCA_PRIV_MLX5_LOADS() __sync_synchronize()
#define DOCA_PRIV_MLX5_DOORBELL() __sync_synchronize()
#endif

/* Order the WQE, and the source data that the program wrote before submit, before the doorbell
 * record. Otherwise the device could see the new index first and read an incomplete WQE or old
 * data. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_wqe_before_dbrec(void)
{
    DOCA_PRIV_MLX5_STORES();
}

/* Order the doorbell record before the doorbell register. Otherwise the device could react to the
 * doorbell, read the old index, and not be notified again. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_dbrec_before_uar(void)
{
    DOCA_PRIV_MLX5_DOORBELL();
}

/* Order a write of the doorbell register before the next one. Otherwise the first one could stay in
 * a write-combining buffer of the CPU and be overtaken. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_uar_before_next(void)
{
    DOCA_PRIV_MLX5_DOORBELL();
}

/* Order the load of a CQE's owner bit before the loads of its other fields and of the data that was
 * copied. Otherwise the CPU could read them before the device has written them. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_owner_before_cqe(void)
{
    DOCA_PRIV_MLX5_LOADS();
}

/* Order the loads of a CQE before the doorbell record of the CQ. Otherwise the device could see the
 * new index and overwrite a CQE that the CPU has not read completely. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_cqe_before_dbrec(void)
{
#if defined(__aarch64__)
    __asm__ volatile("dmb osh" : : : "memory");
#else
    DOCA_PRIV_MLX5_LOADS();
#endif
}

/* Write a doorbell register with one 8-byte store. The device could see two 4-byte stores mixed
 * with stores that another thread makes to the same register. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_uar_write(void *reg, uint64_t value)
{
    __atomic_store_n((uint64_t *)reg, value, __ATOMIC_RELAXED);
}

DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_dbrec_write(uint32_t *dbrec, uint32_t value)
{
    __atomic_store_n(dbrec, DOCA_PRIV_MLX5_BE32(value), __ATOMIC_RELAXED);
}

/* Tell the device to execute all WQEs of a send queue before the index `pi`, which counts basic
 * blocks. `first`: the first 8 bytes of the last WQE. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_ring_doorbell(uint32_t *dbrec, void *uar, uint32_t pi,
                                                     uint64_t first)
{
    doca_priv_mlx5_wqe_before_dbrec();
    doca_priv_mlx5_dbrec_write(dbrec, pi & 0xffff);
    doca_priv_mlx5_dbrec_before_uar();
    doca_priv_mlx5_uar_write(uar, first);
    doca_priv_mlx5_uar_before_next();
}

/* Arm a completion queue: the device sends an event for the first CQE after index `ci`. `sn`: the
 * number of events that were read. `uar`: the doorbell page of the CQ. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_ring_arm(uint32_t *dbrecs, unsigned char *uar, uint32_t cqn,
                                                uint32_t ci, uint32_t sn)
{
    const uint32_t first = (sn & 3) << 28 | (ci & 0xffffff);
    const uint32_t words[2] = { DOCA_PRIV_MLX5_BE32(first), DOCA_PRIV_MLX5_BE32(cqn) };
    uint64_t doorbell;

    memcpy(&doorbell, words, sizeof(doorbell));
    doca_priv_mlx5_dbrec_write(&dbrecs[1], first);
    doca_priv_mlx5_dbrec_before_uar();
    doca_priv_mlx5_uar_write(uar + DOCA_PRIV_MLX5_UAR_CQ, doorbell);
    doca_priv_mlx5_uar_before_next();
}

#endif

/* part: src/mlx5/device_priv.h */
/* ---- >>mlx5.priv.device ----------------------------------------------------------------------
 * Declarations of >>mlx5.device for other parts.                                                */

struct doca_core_dev_attr;
struct doca_core_mlx5_sys;
struct doca_core_refusal;
struct doca_priv_mlx5_queue;

#define DOCA_PRIV_MLX5_PORT 1
#define DOCA_PRIV_MLX5_NUM_LISTS 64 /* hash lists of registrations, by mkey */
#define DOCA_PRIV_MLX5_GIDS 16      /* entries of the GID table that are searched */
#define DOCA_PRIV_MLX5_SWITCH_BYTES 65 /* hexadecimal text of a switch id of up to 32 bytes, and
                                        * NUL */

struct doca_priv_mlx5_caps {
    bool is_mlx5;
    bool has_mmo;        /* queue pairs can do DMA */
    bool is_incomplete;  /* a query was refused, and logged: the capabilities count as absent */
    bool has_mmo_bit;    /* a queue pair needs its MMO bit set for DMA */
    bool has_export;     /* other functions can be allowed to use mkeys of this function */
    bool has_import;     /* this function can use mkeys of other functions through aliases */
    bool has_relaxed_write; /* mkeys can allow relaxed ordering of writes */
    bool has_relaxed_read;  /* mkeys can allow relaxed ordering of reads */
    bool has_vhca_id;
    bool is_eswitch_manager;
    bool is_ethernet;
    bool is_connectx;    /* a PF of a card without a DPU */
    bool has_gid;
    uint8_t event_engine; /* DOCA_CORE_EVENT_ENGINE_* */
    uint8_t active_mtu;  /* enum ibv_mtu */
    uint8_t gid_index;
    uint16_t lid;
    uint16_t vhca_id;
    uint64_t sys_image_guid; /* equal for all functions of one card */
    uint32_t max_wqes;
    uint32_t max_cqes;
    uint32_t max_sge;    /* largest number of sources of a WQE */
    uint64_t max_mmo;    /* largest copy by MMO, in bytes */
    uint64_t max_write;  /* largest copy by RDMA WRITE, in bytes */
    uint64_t clock_khz;  /* frequency of the core clock; 0: it cannot be read */
    bool has_real_time;  /* the driver converts cycles of the core clock to its real time clock */
    uint8_t gid[16];
};

struct doca_priv_mlx5_card {
    struct ibv_device *device;
    uint32_t num_failures; /* number of failures so far */
    enum doca_core_mlx5_engine engine; /* AUTO: the card cannot copy */
    struct doca_priv_mlx5_caps caps;
    struct doca_core_dev_attr attr;
    char switch_id[DOCA_PRIV_MLX5_SWITCH_BYTES]; /* switch id of its eswitch; "": no representors */
};

struct doca_priv_mlx5_share { /* an mkey that other functions can use, or an alias */
    struct mlx5dv_devx_obj *obj; /* the mkey or the alias; NULL when neither exists */
    struct mlx5dv_devx_umem *umem;
};

struct doca_priv_mlx5_reg { /* registration of a range on a device, or an import */
    struct ibv_mr *mr;       /* first registration; NULL: this is an import */
    struct ibv_mr *write_mr; /* second registration, for writes by queue pairs; may be NULL */
    struct doca_priv_mlx5_share shares[2]; /* exports for PCI and for RDMA; in an import, [0] is the
                                            * alias */
    struct doca_priv_mlx5_reg *next;
    /* import: its mkey. Registration: part of the secret of its RDMA export; 0 without such an
     * export */
    uint32_t key;
    uint16_t access; /* DOCA_ACCESS_FLAG_* that the program has set */
};

struct doca_priv_mlx5_dm { /* memory on the NIC */
    struct ibv_dm *dm;
    struct ibv_mr *mr;
    struct ibv_mr *write_mr; /* second registration, as in doca_priv_mlx5_reg */
    struct doca_priv_mlx5_dm *next;
};

struct doca_priv_mlx5_dev { /* an open card; doca_dev.backend_data points to it */
    struct doca_priv_mlx5_card *card; /* NULL when this element is free */
    struct doca_dev *dev;
    struct ibv_context *context;
    struct ibv_pd *pd;
    uint32_t lock;     /* guards the lists below */
    uint32_t failures_at_open; /* card->num_failures when the device was opened; if they differ,
                                * the device has failed */
    uint32_t num_calls; /* calls of doca_priv_mlx5_dev_failed(); for a device from a PD, every
                         * DOCA_PRIV_MLX5_QUERY_EVERY-th call queries the port */
    uint32_t num_watching; /* queues whose epoll set contains the context's descriptor */
    struct doca_priv_mlx5_queue *queues; /* open queues */
    struct doca_priv_mlx5_reg *regs[DOCA_PRIV_MLX5_NUM_LISTS];
    struct doca_priv_mlx5_dm *dms;
};

struct doca_priv_mlx5_state {
    const struct doca_core_mlx5_sys *sys;
    struct ibv_device **list;
    uint64_t process; /* random number of this process and its children; 0: not available */
    uint32_t num_cards;
    struct doca_priv_mlx5_card cards[DOCA_CORE_MLX5_MAX_DEVS];
    struct doca_priv_mlx5_dev devs[DOCA_CORE_MLX5_MAX_DEVS];
};

#if defined(DOCA_CORE_NO_LOG)
/* Texts that appear only in log lines. */
#define DOCA_PRIV_MLX5_TEXT(text) NULL
#endif
#if !defined(DOCA_CORE_NO_LOG)
#define DOCA_PRIV_MLX5_TEXT(text) (text)
#endif

DOCA_PRIV_DECL void doca_priv_mlx5_lock(uint32_t *lock);
DOCA_PRIV_DECL void doca_priv_mlx5_unlock(uint32_t *lock);
DOCA_PRIV_DECL const char *doca_priv_mlx5_memory_hint(int error, bool is_dmabuf);
DOCA_PRIV_DECL struct doca_core_refusal doca_priv_mlx5_no_refusal(void);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_report_as(doca_error_t code, enum doca_core_item item,
                                                     const char *function, const void *object,
                                                     int error, struct doca_core_refusal *why);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_report(const char *function, const void *object,
                                                  struct doca_core_refusal *why);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_report_step(const char *function, const void *object,
                                                       const char *step);
DOCA_PRIV_DECL void doca_priv_mlx5_keep_first(int *error, int another);
DOCA_PRIV_DECL void doca_priv_mlx5_log_leak(int error, enum doca_core_item item,
                                            const char *function, const char *step);

/* part: src/mlx5/sysfs_priv.h */
/* ---- >>mlx5.priv.sysfs -----------------------------------------------------------------------
 * Declarations of >>mlx5.sysfs for other parts.                                                 */

struct doca_core_dev_attr;

#define DOCA_PRIV_MLX5_PATH_BYTES (IBV_SYSFS_PATH_MAX + 128)

enum doca_priv_mlx5_port_kind {
    DOCA_PRIV_MLX5_PORT_OTHER = 0,
    DOCA_PRIV_MLX5_PORT_UPLINK = 1,
    DOCA_PRIV_MLX5_PORT_PF = 2, /* PF, VF, SF: the port of a representor */
    DOCA_PRIV_MLX5_PORT_VF = 3,
    DOCA_PRIV_MLX5_PORT_SF = 4
};

struct doca_priv_mlx5_port { /* a port of an eswitch */
    enum doca_priv_mlx5_port_kind kind;
    bool has_controller; /* the function belongs to another machine, behind this controller */
    uint32_t controller;
    uint32_t pf;
    uint32_t number; /* number of the VF or SF */
};

DOCA_PRIV_DECL void doca_priv_mlx5_copy_text(char *to, size_t bytes, const char *from);
DOCA_PRIV_DECL void doca_priv_mlx5_describe_path(struct doca_core_dev_attr *attr, const char *path);
DOCA_PRIV_DECL bool doca_priv_mlx5_append(char *path, const char *text);
DOCA_PRIV_DECL bool doca_priv_mlx5_read_attr(const char *dir, const char *name, const char *file,
                                             char *text, size_t bytes);
DOCA_PRIV_DECL bool doca_priv_mlx5_read_switch(const char *dir, const char *name,
                                               char text[DOCA_PRIV_MLX5_SWITCH_BYTES]);
DOCA_PRIV_DECL void doca_priv_mlx5_find_parent(const char *dir, const char *name,
                                               char addr[DOCA_DEVINFO_PCI_ADDR_SIZE]);
DOCA_PRIV_DECL void doca_priv_mlx5_net_dir(const struct ibv_device *device,
                                           char path[DOCA_PRIV_MLX5_PATH_BYTES]);
DOCA_PRIV_DECL struct doca_priv_mlx5_port doca_priv_mlx5_parse_port(const char *text);
DOCA_PRIV_DECL void doca_priv_mlx5_describe_names(struct doca_core_dev_attr *attr,
                                                  const struct ibv_device *device);

/* part: src/mlx5/find_priv.h */
/* ---- >>mlx5.priv.find ------------------------------------------------------------------------
 * Declarations of >>mlx5.find for other parts.                                                  */

struct doca_core_dev_attr;
struct doca_priv_mlx5_caps;
struct doca_priv_mlx5_dev;

DOCA_PRIV_DECL int doca_priv_mlx5_read_port(struct doca_priv_mlx5_caps *caps,
                                            struct ibv_context *context,
                                            struct ibv_port_attr *port);
DOCA_PRIV_DECL void doca_priv_mlx5_find(enum doca_core_mlx5_engine wanted);
DOCA_PRIV_DECL struct doca_priv_mlx5_card *doca_priv_mlx5_find_card(const char *name);
DOCA_PRIV_DECL uint32_t doca_priv_mlx5_enumerate(struct doca_core_dev_attr *attrs, uint32_t max);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_dev_open(struct doca_dev *dev);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_open_from_pd(struct doca_dev *dev, struct ibv_pd *pd);
DOCA_PRIV_DECL struct doca_priv_mlx5_dev *doca_priv_mlx5_dev_of(const struct doca_dev *dev);
DOCA_PRIV_DECL void doca_priv_mlx5_dev_close(struct doca_dev *dev);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_get_pd(const struct doca_dev *dev, struct ibv_pd **pd);
DOCA_PRIV_DECL void doca_priv_mlx5_handle_event(struct doca_priv_mlx5_dev *d,
                                                const struct ibv_async_event *event);
DOCA_PRIV_DECL void doca_priv_mlx5_read_events(struct doca_priv_mlx5_dev *d);
DOCA_PRIV_DECL bool doca_priv_mlx5_dev_failed(struct doca_dev *dev);

static inline bool doca_priv_mlx5_is_fatal(const struct doca_priv_mlx5_dev *d)
{
    return __atomic_load_n(&d->card->num_failures, __ATOMIC_RELAXED) != d->failures_at_open;
}

/* part: src/mlx5/rep_priv.h */
/* ---- >>mlx5.priv.rep -------------------------------------------------------------------------
 * Declarations of >>mlx5.rep for other parts.                                                   */

struct doca_core_dev_attr;

DOCA_PRIV_DECL uint32_t doca_priv_mlx5_enumerate_reps(struct doca_dev *dev, int filter,
                                                      struct doca_core_dev_attr *attrs,
                                                      uint32_t max);

/* part: src/mlx5/mkey_priv.h */
/* ---- >>mlx5.priv.mkey ------------------------------------------------------------------------
 * Declarations of >>mlx5.mkey for other parts.                                                  */

struct doca_core_range;
struct doca_priv_mlx5_dev;
struct doca_priv_mlx5_reg;

DOCA_PRIV_DECL unsigned doca_priv_mlx5_access(uint32_t access);
DOCA_PRIV_DECL void doca_priv_mlx5_reg_add(struct doca_priv_mlx5_dev *d,
                                           struct doca_priv_mlx5_reg *reg);
DOCA_PRIV_DECL struct doca_priv_mlx5_reg *
doca_priv_mlx5_reg_find(struct doca_priv_mlx5_dev *d, uint32_t mkey, bool is_import, bool remove);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_arena_alloc(const struct doca_dev *dev, size_t bytes,
                                                       const char *function, void **block);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_reg_range(struct doca_dev *dev,
                                                     const struct doca_core_range *range,
                                                     uint32_t *mkey, uint32_t *internal_mkey);
DOCA_PRIV_DECL void doca_priv_mlx5_dereg(struct doca_dev *dev, uint32_t mkey);

/* part: src/mlx5/share_priv.h */
/* ---- >>mlx5.priv.share -----------------------------------------------------------------------
 * Declarations of >>mlx5.share for other parts.                                                 */

struct doca_core_range;
struct doca_core_refusal;

DOCA_PRIV_DECL bool doca_priv_mlx5_get_status(const uint8_t *out, struct doca_core_refusal *why);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_mem_export(struct doca_dev *dev, uint32_t mkey,
                                                      uint32_t internal_mkey, bool is_rdma,
                                                      unsigned char blob[DOCA_CORE_EXPORT_BYTES]);
DOCA_PRIV_DECL void doca_priv_mlx5_mem_unexport(struct doca_dev *dev, uint32_t mkey,
                                                uint32_t internal_mkey, bool is_rdma);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_mem_import(
    struct doca_dev *dev, const struct doca_core_range *range, bool is_rdma,
    const unsigned char blob[DOCA_CORE_EXPORT_BYTES], uint32_t *mkey, uint32_t *internal_mkey);
DOCA_PRIV_DECL void doca_priv_mlx5_mem_unimport(struct doca_dev *dev, uint32_t mkey,
                                                uint32_t internal_mkey);

/* part: src/mlx5/dm_priv.h */
/* ---- >>mlx5.priv.dm --------------------------------------------------------------------------
 * Declarations of >>mlx5.dm for other parts.                                                    */

struct doca_priv_mlx5_dev;
struct doca_priv_mlx5_dm;

DOCA_PRIV_DECL size_t doca_priv_mlx5_dm_bytes(size_t len);
DOCA_PRIV_DECL struct doca_priv_mlx5_dm *doca_priv_mlx5_dm_find(struct doca_priv_mlx5_dev *d,
                                                                uint32_t mkey, bool remove);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_dm_alloc(struct doca_dev *dev, size_t len, void **addr,
                                                    uint32_t *mkey, uint32_t *internal_mkey);
DOCA_PRIV_DECL void doca_priv_mlx5_dm_free(struct doca_dev *dev, uint32_t mkey);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_dm_copy(struct doca_dev *dev, uint32_t mkey,
                                                   size_t offset, void *bytes, size_t len,
                                                   bool is_write);

/* part: src/mlx5/clock_priv.h */
/* ---- >>mlx5.priv.clock -----------------------------------------------------------------------
 * Declarations of >>mlx5.clock for other parts.                                                 */

DOCA_PRIV_DECL void doca_priv_mlx5_find_clock(struct doca_priv_mlx5_caps *caps,
                                              struct ibv_context *context);
DOCA_PRIV_DECL uint64_t doca_priv_mlx5_cycles_to_ns(uint64_t cycles, uint64_t khz);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_clock_cap(const struct doca_core_dev_attr *attr,
                                                     enum doca_core_nic_clock clock);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_clock_read(struct doca_dev *dev,
                                                      enum doca_core_nic_clock clock,
                                                      const char *function, uint64_t *ns);

/* part: src/mlx5/queue_priv.h */
/* ---- >>mlx5.priv.queue -----------------------------------------------------------------------
 * Declarations of >>mlx5.queue for other parts.
 * Three terms: A task is `posted` when its WQEs are in the send queue. A `fast` task is handled by
 * the fast path: it copies between two single buffers, and the first two bytes of both (kind and
 * flags) have the value in `fast_buf`. A queue is `broken` after a failed task or a flush; it then
 * starts no more tasks.                                                                         */

struct doca_core_refusal;
struct doca_priv_mlx5_caps;
struct doca_priv_mlx5_dev;
struct doca_priv_mlx5_done;
struct doca_priv_mlx5_model;
struct doca_priv_mlx5_sync;

enum doca_priv_mlx5_kind { /* state of a slot */
    DOCA_PRIV_MLX5_EMPTY = 0,
    DOCA_PRIV_MLX5_WAITING = 1,
    DOCA_PRIV_MLX5_POSTED = 2, /* its WQEs are in the send queue */
    DOCA_PRIV_MLX5_BY_CPU = 3, /* the CPU moves the bytes when the task is the oldest one */
    DOCA_PRIV_MLX5_REFUSED = 4
};

struct doca_priv_mlx5_slot {
    struct doca_task *task; /* NULL in the slot of a probe (see >>mlx5.sync) */
    unsigned char *to;      /* where the first destination's content ended at submit */
    uint64_t bytes;         /* length of the copy; for a sync event: the 8 bytes that the device
                             * returned */
    uint32_t last;          /* POSTED: index (sq_pi) of the task's last WQE; REFUSED: enum
                             * doca_core_item, the reason */
    uint8_t kind;           /* enum doca_priv_mlx5_kind */
    uint8_t syndrome;       /* syndrome of the first WQE that failed; 0: no WQE failed */
    uint8_t vendor;         /* vendor syndrome, or the errno of the verbs call that failed */
    uint8_t blocks;         /* POSTED: basic blocks of the task's last WQE */
};

struct doca_priv_mlx5_queue {
    struct doca_core_queue queue;       /* the part that the core uses; must be first */
    struct doca_priv_mlx5_dev *dev;
    struct doca_priv_mlx5_slot *slots;  /* first slot */
    struct doca_priv_mlx5_slot *end;    /* after the last slot */
    struct doca_priv_mlx5_slot *oldest; /* slot of the oldest task in the queue */
    struct doca_priv_mlx5_slot *next;   /* slot for the next task */
    uint64_t max_bytes;                 /* longest copy */
    uint64_t max_fast;                  /* `most` of doca_priv_mlx5_describe_fast(): max_bytes; with
                                         * RC, less the inline limit */
    uint32_t num_waiting;               /* tasks not started yet; they are the newest ones */
    uint16_t fast_buf;                  /* first two bytes of buffers of fast tasks; 0 matches no
                                         * buffer and turns the fast path off */
    uint8_t engine;                     /* enum doca_core_mlx5_engine */
    bool is_broken;                     /* no further task may start */
    uint8_t max_sge;                    /* largest number of sources of a WQE */
    uint8_t max_inline;                 /* largest number of inline bytes of a WQE */

    unsigned char *sq;                  /* send queue: first basic block */
    uint32_t *sq_dbrec;                 /* doorbell record of the send queue */
    void *uar;                          /* doorbell register of the send queue */
    uint32_t sq_mask;                   /* basic blocks of the send queue, less 1 */
    uint32_t sq_pi;                     /* producer index, in basic blocks (VERBS: in WQEs) */
    uint32_t sq_ci;                     /* consumer index: after the last completed WQE */
    uint32_t sq_pi_rung;                /* value of sq_pi at the last doorbell */
    uint32_t max_wqes;                  /* maximum number of basic blocks (VERBS: of WQEs) in
                                         * flight; the ring has one more, for the flush */
    struct doca_priv_mlx5_model model;  /* template of the WQEs */

    unsigned char *cqe;                 /* last 64 bytes of the next CQE to read */
    unsigned char *cqe_end;             /* value of `cqe` after the last CQE of the ring */
    unsigned char *cq;                  /* last 64 bytes of the first CQE of the ring */
    uint32_t *cq_dbrec;                 /* doorbell records of the CQ: consumer index, arming */
    unsigned char *cq_uar;              /* doorbell page of the CQ */
    uint32_t cqe_bytes;                 /* size of a CQE: 64 or 128 */
    uint32_t cq_ci;                     /* number of CQEs read */
    uint8_t cq_owner;                   /* bit 0 of op_own in new CQEs; flips when the ring wraps */
    uint32_t cqn;                       /* number of the CQ */
    uint32_t arm_sn;                    /* number of events read; arming the CQ sends it */

    bool is_flushed;                    /* queue_flush() was called */
    bool has_done;                      /* `done` holds a completion not processed yet */
    bool is_lost;                       /* VERBS: ibv_poll_cq() failed */
    bool is_reset;                      /* the queue pairs are in RESET, after is_lost or a
                                         * failure of the device */
    bool is_hw_armed;                   /* the CQ is armed; its event was not read yet */
    bool is_masked;                     /* the epoll set does not report the channel */
    bool watches_dev;                   /* the epoll set contains the device's descriptor of
                                         * asynchronous events */
    bool has_no_events;                 /* VERBS: arming the CQ failed; it must be polled */
    struct doca_priv_mlx5_done done;    /* see has_done */
    doca_error_t status;                /* status of flushed tasks */
    int fd;                             /* epoll set; readable when one of its descriptors is */
    struct doca_priv_mlx5_queue *next_of_dev; /* next open queue of the device */
    unsigned char *ring_place;          /* memory for the next ring of ring_alloc() */
    size_t ring_bytes;                  /* size of ring_place; 0: ring_place is in use */
    unsigned char *dbrec_place;         /* memory for the next doorbell record of ring_alloc() */
    struct ibv_pd *domain;              /* parent domain; NULL: not available */
    struct ibv_td *td;                  /* thread domain; NULL: the doorbell register is shared */
    struct ibv_comp_channel *channel;   /* completion channel, for the events of the CQ */
    struct ibv_cq *ibv_cq;
    struct ibv_qp *qp;                  /* the queue pair that WQEs are posted to */
    struct ibv_qp *peer;                /* queue pair connected to `qp`; NULL with MMO */
    struct ibv_mr *opaque_mr;           /* registration of `opaque`; in the queue of a sync event,
                                         * registration of the slots */
    unsigned char *opaque;              /* OPAQUE_BYTES that the MMO engine writes to */
    struct doca_priv_mlx5_sync *sync;   /* the structure that begins with this queue if it belongs
                                         * to a sync event; NULL in a queue of copies */
};

#define DOCA_PRIV_MLX5_OPAQUE_BYTES 64
#define DOCA_PRIV_MLX5_DBRECS_BYTES 64 /* cache line before `opaque`; a CQ and two QPs use 8
                                        * bytes each */

DOCA_PRIV_DECL struct doca_priv_mlx5_queue *doca_priv_mlx5_queue_of(struct doca_core_queue *queue);
DOCA_PRIV_DECL size_t doca_priv_mlx5_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                                 uint32_t depth);
DOCA_PRIV_DECL uint32_t doca_priv_mlx5_num_wqes(const struct doca_priv_mlx5_caps *caps,
                                                uint32_t depth);
DOCA_PRIV_DECL void doca_priv_mlx5_make_domain(struct doca_priv_mlx5_queue *q);
DOCA_PRIV_DECL void doca_priv_mlx5_set_ring_place(struct doca_priv_mlx5_queue *q, size_t offset,
                                                  size_t bytes);
DOCA_PRIV_DECL struct ibv_qp *doca_priv_mlx5_make_qp(struct doca_priv_mlx5_queue *q,
                                                     uint32_t num_wqes, uint32_t num_sge,
                                                     uint32_t bytes_inline);
DOCA_PRIV_DECL struct ibv_qp *doca_priv_mlx5_make_main_qp(struct doca_priv_mlx5_queue *q,
                                                          uint32_t num_wqes);
DOCA_PRIV_DECL int doca_priv_mlx5_connect(const struct doca_priv_mlx5_queue *q,
                                          const struct doca_priv_mlx5_caps *caps, struct ibv_qp *qp,
                                          uint32_t dest_qpn, unsigned access,
                                          struct doca_core_refusal *why);
DOCA_PRIV_DECL int doca_priv_mlx5_get_rings(struct doca_priv_mlx5_queue *q);

/* part: src/mlx5/dma_priv.h */
/* ---- >>mlx5.priv.dma -------------------------------------------------------------------------
 * Declarations of >>mlx5.dma for other parts.                                                   */

struct doca_priv_mlx5_copy;
struct doca_priv_mlx5_queue;
struct doca_priv_mlx5_slot;
struct doca_priv_mmap_dev;

DOCA_PRIV_DECL uint64_t doca_priv_mlx5_tailroom(const struct doca_buf *buf);
DOCA_PRIV_DECL const struct doca_priv_mmap_dev *doca_priv_mlx5_keys(const struct doca_mmap *mmap,
                                                                    const struct doca_dev *dev);
DOCA_PRIV_DECL bool doca_priv_mlx5_is_local(const struct doca_buf *buf);
DOCA_PRIV_DECL int doca_priv_mlx5_post_wqe(struct doca_priv_mlx5_queue *q,
                                           struct doca_priv_mlx5_copy *copy, bool is_signaled);
DOCA_PRIV_DECL void doca_priv_mlx5_ring_wqe(struct doca_priv_mlx5_queue *q, uint32_t last);
DOCA_PRIV_DECL struct doca_priv_mlx5_slot *
doca_priv_mlx5_oldest_waiting(const struct doca_priv_mlx5_queue *q);
DOCA_PRIV_DECL void doca_priv_mlx5_ring(struct doca_priv_mlx5_queue *q);
DOCA_PRIV_DECL void doca_priv_mlx5_refuse(struct doca_priv_mlx5_queue *q,
                                          struct doca_priv_mlx5_slot *slot,
                                          enum doca_core_item item);
DOCA_PRIV_DECL bool doca_priv_mlx5_set_qp_state(const struct doca_priv_mlx5_queue *q,
                                                enum ibv_qp_state state);
DOCA_PRIV_DECL bool doca_priv_mlx5_enter_error(const struct doca_priv_mlx5_queue *q);
DOCA_PRIV_DECL void doca_priv_mlx5_fail_post(struct doca_priv_mlx5_queue *q,
                                             struct doca_priv_mlx5_slot *slot, int error);
DOCA_PRIV_DECL bool doca_priv_mlx5_start(struct doca_priv_mlx5_queue *q,
                                         struct doca_priv_mlx5_slot *slot);
DOCA_PRIV_DECL void doca_priv_mlx5_set_fast_path(struct doca_priv_mlx5_queue *q);
DOCA_PRIV_MLX5_NOINLINE doca_error_t doca_priv_mlx5_post(struct doca_core_queue *queue,
                                                         struct doca_task *task);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_post_mmo(struct doca_core_queue *queue,
                                                    struct doca_task *task);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_post_rc(struct doca_core_queue *queue,
                                                   struct doca_task *task);

/* Quick test for the common valid task: a copy between two single, live, registered buffers, with a
 * writable destination that has enough space. A task that fails this test can still be valid; the
 * full inspection decides. The `- 1` turns a length of 0 into a huge number, so that an empty
 * source fails the test. */
static inline bool doca_priv_mlx5_is_simple_task(const struct doca_priv_mlx5_queue *q,
                                                 const struct doca_dma_task_memcpy *t)
{
    const struct doca_buf *src = t->src, *dst = t->dst;

    return src->kind == DOCA_PRIV_BUF_KIND && dst->kind == DOCA_PRIV_BUF_KIND &&
           src->next == NULL && dst->next == NULL && src->flags != 0 &&
           (dst->flags & DOCA_PRIV_BUF_WRITE) != 0 &&
           (src->mmap->dev_mask & dst->mmap->dev_mask & q->queue.dev->bit) != 0 &&
           src->data_len - 1 < doca_priv_mlx5_tailroom(dst) && src->data_len <= q->max_bytes;
}

/* Put a task into the next free slot. */
DOCA_PRIV_MLX5_HOT struct doca_priv_mlx5_slot *doca_priv_mlx5_slot_add(
    struct doca_priv_mlx5_queue *q, struct doca_task *task, enum doca_priv_mlx5_kind kind)
{
    struct doca_priv_mlx5_slot *slot = q->next;

    slot->task = task;
    slot->kind = (uint8_t)kind;
    slot->syndrome = 0;
    slot->vendor = 0;
    slot->blocks = 1;
    q->next = slot + 1 != q->end ? slot + 1 : q->slots;
    return slot;
}

/* Return the first two bytes of a buffer, its kind and flags, with `flags` set. */
DOCA_PRIV_MLX5_HOT uint16_t doca_priv_mlx5_buf_bytes(const struct doca_buf *buf, uint8_t flags)
{
    const uint8_t more[2] = { 0, flags };
    uint16_t begin, word;

    memcpy(&begin, buf, sizeof(begin));
    memcpy(&word, more, sizeof(word));
    return begin | word;
}

/* part: src/mlx5/poll_priv.h */
/* ---- >>mlx5.priv.poll ------------------------------------------------------------------------
 * Declarations of >>mlx5.poll for other parts.                                                  */

struct doca_priv_mlx5_queue;
struct doca_priv_mlx5_slot;

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_fail(const struct doca_priv_mlx5_slot *slot,
                                                doca_error_t code, enum doca_core_item item);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_fail_refused(const struct doca_priv_mlx5_slot *slot);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_task_status(const struct doca_priv_mlx5_queue *q,
                                                       const struct doca_priv_mlx5_slot *slot);
DOCA_PRIV_DECL bool doca_priv_mlx5_is_done(struct doca_priv_mlx5_queue *q,
                                           struct doca_priv_mlx5_slot *slot);
DOCA_PRIV_DECL bool doca_priv_mlx5_is_lost(struct doca_priv_mlx5_queue *q,
                                           struct doca_priv_mlx5_slot *slot);
DOCA_PRIV_MLX5_NOINLINE struct doca_task *doca_priv_mlx5_poll(struct doca_core_queue *queue);
DOCA_PRIV_DECL struct doca_task *doca_priv_mlx5_poll_fast(struct doca_core_queue *queue);
DOCA_PRIV_DECL void doca_priv_mlx5_queue_flush(struct doca_core_queue *queue, doca_error_t status);
DOCA_PRIV_DECL void doca_priv_mlx5_queue_ring(struct doca_core_queue *queue);
DOCA_PRIV_DECL bool doca_priv_mlx5_queue_ready(struct doca_core_queue *queue);

/* Complete the task of the oldest slot with `rc`, and free the slot. */
DOCA_PRIV_MLX5_HOT struct doca_task *doca_priv_mlx5_slot_complete(struct doca_priv_mlx5_queue *q,
                                                                  struct doca_priv_mlx5_slot *slot,
                                                                  doca_error_t rc)
{
    struct doca_task *task = slot->task;

    task->status = (uint8_t)rc;
    slot->kind = DOCA_PRIV_MLX5_EMPTY;
    q->oldest = slot + 1 != q->end ? slot + 1 : q->slots;
    return task;
}

/* part: src/mlx5/sync_priv.h */
/* ---- >>mlx5.priv.sync ------------------------------------------------------------------------
 * Declarations of >>mlx5.sync for other parts.                                                  */

struct doca_core_event_place;
struct doca_core_refusal;
struct doca_priv_mlx5_queue;

#define DOCA_PRIV_MLX5_SYNC_ACCESS                                                                 \
    ((unsigned)IBV_ACCESS_REMOTE_WRITE | (unsigned)IBV_ACCESS_REMOTE_READ |                        \
     (unsigned)IBV_ACCESS_REMOTE_ATOMIC)

struct doca_priv_mlx5_waits { /* list of waiting tasks */
    struct doca_task *first; /* the oldest task; NULL when the list is empty */
    struct doca_task **end;  /* where to link the next task */
};

struct doca_priv_mlx5_sync {
    struct doca_priv_mlx5_queue q;     /* must be first */
    uint64_t addr;                     /* address of the value, for the device */
    uint32_t rkey;                     /* key of the value */
    struct ibv_mr *mr;                 /* registration of the value; NULL: rkey belongs to the
                                        * mmap */
    const volatile uint64_t *cpu_addr; /* address of the value for the CPU; NULL when only the
                                        * device can read it */
    struct doca_priv_mlx5_waits waits; /* waiting tasks that the last probe can complete */
    struct doca_priv_mlx5_waits fresh; /* waiting tasks submitted after that probe began */
    uint32_t reads;                    /* WQE index after the last RDMA READ */
    uint32_t fetches;                  /* WQE index after the last RDMA READ or FETCH_ADD */
    uint64_t value;                    /* the value as last read */
    bool is_value_unchecked;           /* `value` is still to be compared with some of `waits` */
    bool is_probing;                   /* an RDMA READ for waiting tasks is in flight */
    bool waits_first;                  /* the next poll checks waiting tasks before it reads
                                        * completions */
    bool is_armed;                     /* a thread may sleep on the notification handle */
    bool is_timed;                     /* the timer is set, and may have expired */
    uint32_t next_skips;               /* value for `skips` after the next probe */
    uint32_t skips;                    /* polls to skip before the next probe */
    int timer;                         /* descriptor of the timer; -1 before it is created */
};

DOCA_PRIV_DECL bool doca_priv_mlx5_sync_has_ready(struct doca_priv_mlx5_sync *s);
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_sync_post(struct doca_core_queue *queue,
                                                     struct doca_task *task);
DOCA_PRIV_DECL struct doca_task *doca_priv_mlx5_sync_poll(struct doca_core_queue *queue);
DOCA_PRIV_DECL void doca_priv_mlx5_sync_arm(struct doca_priv_mlx5_sync *s, bool armed);
DOCA_PRIV_DECL bool doca_priv_mlx5_sync_open(struct doca_priv_mlx5_sync *s,
                                             const struct doca_core_event_place *place,
                                             struct doca_core_refusal *why);
DOCA_PRIV_DECL int doca_priv_mlx5_sync_close(struct doca_priv_mlx5_sync *s);

/* part: src/mlx5/event_priv.h */
/* ---- >>mlx5.priv.event -----------------------------------------------------------------------
 * Declarations of >>mlx5.event for other parts.                                                 */

struct doca_core_refusal;
struct doca_priv_mlx5_dev;
struct doca_priv_mlx5_queue;

DOCA_PRIV_DECL int doca_priv_mlx5_watch(const struct doca_priv_mlx5_queue *q, int op, int fd,
                                        bool is_on);
DOCA_PRIV_DECL bool doca_priv_mlx5_event_open(struct doca_priv_mlx5_queue *q,
                                              struct doca_core_refusal *why);
DOCA_PRIV_DECL bool doca_priv_mlx5_is_queue_error(struct doca_priv_mlx5_dev *d,
                                                  const struct ibv_async_event *event);
DOCA_PRIV_DECL void doca_priv_mlx5_event_close(struct doca_priv_mlx5_queue *q);
DOCA_PRIV_DECL int doca_priv_mlx5_queue_fd(struct doca_core_queue *queue);
DOCA_PRIV_DECL void doca_priv_mlx5_queue_arm(struct doca_core_queue *queue, bool armed);

/* part: src/mlx5/layout.c */
/* ---- >>mlx5.layout --------------------------------------------------------------------------
 * Data layouts that the hardware defines, with the names of the programmer's reference manual
 * (PRM). All fields are big-endian. There is one function for each kind of WQE. Fields of commands
 * are identified by the number of their first bit. A WQE is built from a per-queue template (the
 * `model`) and is written in words of 4 and 8 bytes; no structure is cast onto a ring.          */

#define DOCA_PRIV_MLX5_FENCE 0x80 /* bit of fm_ce_se: wait for earlier READs and atomics */

struct doca_priv_mlx5_atomic_seg {
    uint64_t swap_add;
    uint64_t compare;
};

struct doca_priv_mlx5_atomic_wqe {
    struct doca_priv_mlx5_ctrl_seg ctrl;
    struct doca_priv_mlx5_raddr_seg remote;
    struct doca_priv_mlx5_atomic_seg atomic;
    struct doca_priv_mlx5_data_seg scatter;
};

DOCA_PRIV_MLX5_ASSERT(ctrl, sizeof(struct doca_priv_mlx5_ctrl_seg) == 16);
DOCA_PRIV_MLX5_ASSERT(data, sizeof(struct doca_priv_mlx5_data_seg) == 16);
DOCA_PRIV_MLX5_ASSERT(mmo, sizeof(struct doca_priv_mlx5_mmo_wqe) == DOCA_PRIV_MLX5_WQEBB);
DOCA_PRIV_MLX5_ASSERT(write, sizeof(struct doca_priv_mlx5_write_wqe) == 48);
DOCA_PRIV_MLX5_ASSERT(inline, sizeof(struct doca_priv_mlx5_inline_wqe) == DOCA_PRIV_MLX5_WQEBB);
DOCA_PRIV_MLX5_ASSERT(max_inline, DOCA_CORE_MLX5_MAX_INLINE <= DOCA_PRIV_MLX5_INLINE_BYTES);
DOCA_PRIV_MLX5_ASSERT(atomic, sizeof(struct doca_priv_mlx5_atomic_wqe) == DOCA_PRIV_MLX5_WQEBB);
DOCA_PRIV_MLX5_ASSERT(model, sizeof(struct doca_priv_mlx5_model) == 32);
DOCA_PRIV_MLX5_ASSERT(cqe, sizeof(struct doca_priv_mlx5_cqe) == 64);
DOCA_PRIV_MLX5_ASSERT(cqe_counter, offsetof(struct doca_priv_mlx5_cqe, wqe_counter) == 60);
DOCA_PRIV_MLX5_ASSERT(cqe_syndrome, offsetof(struct doca_priv_mlx5_cqe, syndrome) == 55);

/* Fill the control segment of a queue's model, the template of its WQEs. The WQEs write a CQE also
 * on success unless doca_priv_mlx5_unsignal() changes them. */
static void doca_priv_mlx5_model_ctrl(struct doca_priv_mlx5_ctrl_seg *ctrl, uint32_t opmod,
                                      uint32_t opcode, uint32_t qpn, uint32_t ds)
{
    memset(ctrl, 0, sizeof(*ctrl));
    ctrl->opmod_idx_opcode = DOCA_PRIV_MLX5_BE32(opmod << 24 | opcode);
    ctrl->qpn_ds = DOCA_PRIV_MLX5_BE32(qpn << 8 | ds);
    ctrl->fm_ce_se = DOCA_PRIV_MLX5_CE_ALWAYS;
}

/* Fill the model for copies by the DMA engine. The engine writes to the opaque buffer. */
DOCA_PRIV_DECL void doca_priv_mlx5_model_mmo(struct doca_priv_mlx5_model *model, uint32_t qpn,
                                             uint32_t opaque_lkey, uint64_t opaque_addr)
{
    doca_priv_mlx5_model_ctrl(&model->ctrl, DOCA_PRIV_MLX5_OPMOD_MMO_DMA,
                              DOCA_PRIV_MLX5_OPCODE_MMO, qpn, 4);
    model->mmo.control_31_0 = 0;
    model->mmo.opaque_lkey = DOCA_PRIV_MLX5_BE32(opaque_lkey);
    model->mmo.opaque_addr = DOCA_PRIV_MLX5_BE64(opaque_addr);
}

/* Fill the model for copies by RDMA WRITE. */
DOCA_PRIV_DECL void doca_priv_mlx5_model_write(struct doca_priv_mlx5_model *model, uint32_t qpn)
{
    memset(model, 0, sizeof(*model));
    doca_priv_mlx5_model_ctrl(&model->ctrl, 0, DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE, qpn, 3);
}

/* Write the WQE of a copy by RDMA WRITE with any number of sources. The ring has mask + 1 basic
 * blocks; the WQE may wrap around its end. */
DOCA_PRIV_DECL void doca_priv_mlx5_pack_gather(unsigned char *sq, uint32_t mask,
                                               const struct doca_priv_mlx5_model *model,
                                               uint32_t index,
                                               const struct doca_priv_mlx5_copy *copy)
{
    const size_t last = (size_t)mask * 4 + 3; /* in units of 16 bytes, the size of a segment */
    unsigned char *wqe = sq + (size_t)(index & mask) * DOCA_PRIV_MLX5_WQEBB;
    uint32_t i;

    doca_priv_mlx5_put_remote(wqe, copy->to_key, copy->to);
    for (i = 0; i < copy->num; i++)
        doca_priv_mlx5_put_data(sq + (((size_t)index * 4 + 2 + i) & last) * 16,
                                doca_priv_mlx5_byte_count(copy->from[i].length),
                                copy->from[i].lkey, copy->from[i].addr);
    (void)doca_priv_mlx5_put_model(wqe, model, sizeof(model->ctrl), index, 3u ^ (2 + copy->num));
}

/* Write the WQE of an access to a sync event's value, with a fence. */
DOCA_PRIV_DECL void doca_priv_mlx5_pack_access_8(unsigned char *wqe, uint32_t qpn, uint32_t index,
                                                 const struct doca_priv_mlx5_access_8 *a)
{
    const bool is_atomic = a->opcode == DOCA_PRIV_MLX5_OPCODE_ATOMIC_FA;
    struct doca_priv_mlx5_atomic_wqe w;
    unsigned char *data = (unsigned char *)(is_atomic ? (void *)&w.scatter : (void *)&w.atomic);

    memset(&w, 0, sizeof(w));
    doca_priv_mlx5_model_ctrl(&w.ctrl, 0, a->opcode | (index & 0xffff) << 8, qpn,
                              is_atomic ? 4 : 3);
    w.ctrl.fm_ce_se |= DOCA_PRIV_MLX5_FENCE;
    w.remote.raddr = DOCA_PRIV_MLX5_BE64(a->addr);
    w.remote.rkey = DOCA_PRIV_MLX5_BE32(a->rkey);
    if (a->opcode == DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE) {
        doca_priv_mlx5_put32(data, DOCA_PRIV_MLX5_BE32(DOCA_PRIV_MLX5_INLINE | 8));
        doca_priv_mlx5_put64(data + 4, a->operand); /* in the CPU's byte order */
    } else {
        w.atomic.swap_add = DOCA_PRIV_MLX5_BE64(is_atomic ? a->operand : 0);
        doca_priv_mlx5_put_data(data, doca_priv_mlx5_byte_count(8), a->lkey, a->cell);
    }
    memcpy(wqe, &w, sizeof(w));
}

/* Change a WQE so that it writes a CQE only after an error. */
DOCA_PRIV_DECL void doca_priv_mlx5_unsignal(unsigned char *wqe)
{
    wqe[offsetof(struct doca_priv_mlx5_ctrl_seg, fm_ce_se)] = 0;
}

/* Extract the WQE index and the syndromes from a CQE. */
DOCA_PRIV_DECL void doca_priv_mlx5_parse_cqe(const struct doca_priv_mlx5_cqe *cqe,
                                             struct doca_priv_mlx5_done *done)
{
    bool is_error = cqe->op_own >> 4 != DOCA_PRIV_MLX5_CQE_REQ;

    done->wqe = DOCA_PRIV_MLX5_BE16(cqe->wqe_counter);
    done->syndrome = is_error ? cqe->syndrome : 0;
    done->vendor = is_error ? cqe->vendor_err_synd : 0;
    if (is_error && done->syndrome == 0)
        done->syndrome = DOCA_PRIV_MLX5_SYNDROME_NONE; /* a CQE with an unexpected opcode */
}

/* Set a field of `num` bits that begins at `bit`. The field must contain 0 before. */
DOCA_PRIV_DECL void doca_priv_mlx5_set(uint8_t *cmd, uint32_t bit, uint32_t num, uint32_t value)
{
    for (; num > 0; bit++, num--)
        if ((value >> (num - 1) & 1) != 0)
            cmd[bit / 8] = (uint8_t)(cmd[bit / 8] | 0x80u >> bit % 8);
}

/* Return the value of a field of `num` bits that begins at `bit`. */
DOCA_PRIV_DECL uint32_t doca_priv_mlx5_get(const uint8_t *cmd, uint32_t bit, uint32_t num)
{
    uint32_t value = 0;

    for (; num > 0; bit++, num--)
        value = value << 1 | (uint32_t)(cmd[bit / 8] >> (7 - bit % 8) & 1);
    return value;
}

/* part: src/mlx5/order.c */
/* ---- >>mlx5.order ---------------------------------------------------------------------------
 * Memory barriers between CPU and device; the comment of each names the race that it prevents. On
 * x86-64 the device sees stores to ordinary memory in program order, and the CPU performs loads in
 * program order. Only stores to the write-combining pages of doorbells can overtake other
 * stores.                                                                                       */

#if defined(__x86_64__) || defined(__i386__)
#elif defined(__aarch64__)
#endif

/* part: src/mlx5/calls.c */
/* ---- >>mlx5.calls ---------------------------------------------------------------------------
 * The real system: implements each call of >>mlx5.sys with libibverbs, libmlx5 or the kernel.   */

/* Convert the result of a call to 0 or an errno. Calls of libibverbs return an errno, or -1 and set
 * errno. */
static int doca_priv_mlx5_errno(int answer)
{
    return answer >= 0 ? answer : errno != 0 ? errno : EIO;
}

static void doca_priv_mlx5_unblock(int fd)
{
    (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/* Open a device, with DevX if possible. Firmware without user contexts refuses DevX; such a device
 * works without firmware commands. */
static struct ibv_context *doca_priv_mlx5_call_open(struct ibv_device *device, bool with_devx)
{
    struct mlx5dv_context_attr attr;
    struct ibv_context *context;

    memset(&attr, 0, sizeof(attr));
    attr.flags = MLX5DV_CONTEXT_FLAGS_DEVX;
    context = with_devx ? mlx5dv_open_device(device, &attr) : NULL;
    if (!with_devx || (context == NULL && errno == EINVAL))
        context = ibv_open_device(device);
    if (context != NULL)
        doca_priv_mlx5_unblock(context->async_fd);
    return context;
}

static int doca_priv_mlx5_call_close(struct ibv_context *context)
{
    return doca_priv_mlx5_errno(ibv_close_device(context));
}

static int doca_priv_mlx5_call_query_port(struct ibv_context *context, uint8_t port,
                                          struct ibv_port_attr *attr)
{
    return doca_priv_mlx5_errno(ibv_query_port(context, port, attr));
}

static int doca_priv_mlx5_call_query_gid(struct ibv_context *context, uint8_t port, int index,
                                         uint8_t gid[16])
{
    union ibv_gid raw;
    int answer = ibv_query_gid(context, port, index, &raw);

    if (answer == 0)
        memcpy(gid, raw.raw, sizeof(raw.raw));
    return doca_priv_mlx5_errno(answer);
}

static int doca_priv_mlx5_call_general_cmd(struct ibv_context *context, const void *in,
                                           size_t in_bytes, void *out, size_t out_bytes)
{
    return doca_priv_mlx5_errno(mlx5dv_devx_general_cmd(context, in, in_bytes, out, out_bytes));
}

static int doca_priv_mlx5_call_read_file(const char *path, char *text, size_t bytes)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t num = fd < 0 ? -1 : read(fd, text, bytes - 1);
    int error = errno;

    if (fd >= 0)
        (void)close(fd);
    if (num < 0)
        return error;
    while (num > 0 && text[num - 1] == '\n')
        num--;
    text[num] = '\0';
    return 0;
}

static int doca_priv_mlx5_call_resolve_path(const char *path, char *text, size_t bytes)
{
    char full[PATH_MAX];

    if (realpath(path, full) == NULL)
        return errno;
    if (strlen(full) >= bytes)
        return ENAMETOOLONG;
    memcpy(text, full, strlen(full) + 1);
    return 0;
}

static int doca_priv_mlx5_call_list_names(const char *path,
                                          void (*visit)(const char *name, void *data), void *data)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;

    if (dir == NULL)
        return errno;
    while ((entry = readdir(dir)) != NULL)
        if (entry->d_name[0] != '.')
            visit(entry->d_name, data);
    (void)closedir(dir);
    return 0;
}

static int doca_priv_mlx5_call_dealloc_pd(struct ibv_pd *pd)
{
    return doca_priv_mlx5_errno(ibv_dealloc_pd(pd));
}

static struct ibv_mr *doca_priv_mlx5_call_reg_mr(struct ibv_pd *pd, void *addr, size_t len,
                                                 unsigned access)
{
    return ibv_reg_mr(pd, addr, len, access);
}

static struct ibv_mr *doca_priv_mlx5_call_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset,
                                                        size_t len, uint64_t iova, int fd,
                                                        unsigned access)
{
    return ibv_reg_dmabuf_mr(pd, offset, len, iova, fd, (int)access);
}

static int doca_priv_mlx5_call_dereg_mr(struct ibv_mr *mr)
{
    return doca_priv_mlx5_errno(ibv_dereg_mr(mr));
}

/* Register a umem. pgsz_bitmap allows the page sizes that divide the address after it is rounded
 * down to 4 KiB. The umem must begin with that 4 KiB page, because an mkey over it stores only the
 * offset of the address within 4 KiB. */
static struct mlx5dv_devx_umem *doca_priv_mlx5_call_umem_reg(struct ibv_context *context,
                                                             void *addr, size_t len,
                                                             uint32_t access)
{
    uint64_t page = (uint64_t)(uintptr_t)addr & ~(uint64_t)4095;
    struct mlx5dv_devx_umem_in in;

    memset(&in, 0, sizeof(in));
    in.addr = addr;
    in.size = len;
    in.access = access;
    in.pgsz_bitmap = ((page & (~page + 1)) << 1) - 1;
    return mlx5dv_devx_umem_reg_ex(context, &in);
}

static struct ibv_dm *doca_priv_mlx5_call_alloc_dm(struct ibv_context *context, size_t len)
{
    struct ibv_alloc_dm_attr attr;

    memset(&attr, 0, sizeof(attr));
    attr.length = len;
    return ibv_alloc_dm(context, &attr);
}

static int doca_priv_mlx5_call_free_dm(struct ibv_dm *dm)
{
    return doca_priv_mlx5_errno(ibv_free_dm(dm));
}

static struct ibv_mr *doca_priv_mlx5_call_reg_dm_mr(struct ibv_pd *pd, struct ibv_dm *dm,
                                                    size_t len, unsigned access)
{
    return ibv_reg_dm_mr(pd, dm, 0, len, access);
}

static int doca_priv_mlx5_call_memcpy_to_dm(struct ibv_dm *dm, uint64_t offset, const void *from,
                                            size_t len)
{
    return doca_priv_mlx5_errno(ibv_memcpy_to_dm(dm, offset, from, len));
}

static int doca_priv_mlx5_call_memcpy_from_dm(void *to, struct ibv_dm *dm, uint64_t offset,
                                              size_t len)
{
    return doca_priv_mlx5_errno(ibv_memcpy_from_dm(to, dm, offset, len));
}

static int doca_priv_mlx5_call_umem_dereg(struct mlx5dv_devx_umem *umem)
{
    return doca_priv_mlx5_errno(mlx5dv_devx_umem_dereg(umem));
}

static int doca_priv_mlx5_call_obj_destroy(struct mlx5dv_devx_obj *obj)
{
    return doca_priv_mlx5_errno(mlx5dv_devx_obj_destroy(obj));
}

static struct ibv_comp_channel *doca_priv_mlx5_call_channel(struct ibv_context *context)
{
    struct ibv_comp_channel *channel = ibv_create_comp_channel(context);

    if (channel != NULL)
        doca_priv_mlx5_unblock(channel->fd);
    return channel;
}

static int doca_priv_mlx5_call_destroy_channel(struct ibv_comp_channel *channel)
{
    return doca_priv_mlx5_errno(ibv_destroy_comp_channel(channel));
}

static struct ibv_cq *doca_priv_mlx5_call_create_cq(struct ibv_context *context, int num_cqes,
                                                    struct ibv_comp_channel *channel,
                                                    struct ibv_pd *domain)
{
    struct ibv_cq_init_attr_ex attr;
    struct ibv_cq_ex *cq;

    if (domain == NULL)
        return ibv_create_cq(context, num_cqes, NULL, channel, 0);
    memset(&attr, 0, sizeof(attr));
    attr.cqe = (uint32_t)num_cqes;
    attr.channel = channel;
    attr.comp_mask = IBV_CQ_INIT_ATTR_MASK_PD;
    attr.parent_domain = domain;
    cq = ibv_create_cq_ex(context, &attr);
    return cq != NULL ? ibv_cq_ex_to_cq(cq) : NULL;
}

static struct ibv_td *doca_priv_mlx5_call_alloc_td(struct ibv_context *context)
{
    struct ibv_td_init_attr attr;

    memset(&attr, 0, sizeof(attr));
    return ibv_alloc_td(context, &attr);
}

static int doca_priv_mlx5_call_dealloc_td(struct ibv_td *td)
{
    return doca_priv_mlx5_errno(ibv_dealloc_td(td));
}

static struct ibv_pd *doca_priv_mlx5_call_parent_domain(struct ibv_context *context,
                                                        struct ibv_parent_domain_init_attr *attr)
{
    return ibv_alloc_parent_domain(context, attr);
}

static int doca_priv_mlx5_call_destroy_cq(struct ibv_cq *cq)
{
    return doca_priv_mlx5_errno(ibv_destroy_cq(cq));
}

static int doca_priv_mlx5_call_destroy_qp(struct ibv_qp *qp)
{
    return doca_priv_mlx5_errno(ibv_destroy_qp(qp));
}

static int doca_priv_mlx5_call_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
    return doca_priv_mlx5_errno(ibv_modify_qp(qp, attr, mask));
}

static int doca_priv_mlx5_call_devx_qp_modify(struct ibv_qp *qp, const void *in, size_t in_bytes,
                                              void *out, size_t out_bytes)
{
    return doca_priv_mlx5_errno(mlx5dv_devx_qp_modify(qp, in, in_bytes, out, out_bytes));
}

static int doca_priv_mlx5_call_take_cq_event(struct ibv_comp_channel *channel)
{
    struct ibv_cq *cq;
    void *cq_context;

    if (ibv_get_cq_event(channel, &cq, &cq_context) != 0)
        return errno != 0 ? errno : EAGAIN;
    ibv_ack_cq_events(cq, 1);
    return 0;
}

static int doca_priv_mlx5_call_take_async_event(struct ibv_context *context,
                                                struct ibv_async_event *event)
{
    if (ibv_get_async_event(context, event) != 0)
        return errno != 0 ? errno : EAGAIN;
    ibv_ack_async_event(event);
    return 0;
}

static int doca_priv_mlx5_call_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr)
{
    struct ibv_send_wr *bad;

    return doca_priv_mlx5_errno(ibv_post_send(qp, wr, &bad));
}

static int doca_priv_mlx5_call_poll_cq(struct ibv_cq *cq, struct ibv_wc *wc)
{
    return ibv_poll_cq(cq, 1, wc);
}

static int doca_priv_mlx5_call_req_notify_cq(struct ibv_cq *cq)
{
    return doca_priv_mlx5_errno(ibv_req_notify_cq(cq, 0));
}

static int doca_priv_mlx5_call_query_clock(struct ibv_context *context, uint64_t *khz)
{
    struct ibv_device_attr_ex attr;
    int answer;

    memset(&attr, 0, sizeof(attr));
    answer = ibv_query_device_ex(context, NULL, &attr);
    *khz = attr.hca_core_clock;
    return doca_priv_mlx5_errno(answer);
}

/* libmlx5 returns the number of cycles in tv_nsec. If it could not read the clock, it does not
 * return an error but clears the bit in comp_mask. */
static int doca_priv_mlx5_call_read_clock(struct ibv_context *context, uint64_t *cycles)
{
    struct ibv_values_ex values;
    int answer;

    memset(&values, 0, sizeof(values));
    values.comp_mask = IBV_VALUES_MASK_RAW_CLOCK;
    answer = ibv_query_rt_values_ex(context, &values);
    if (answer != 0)
        return doca_priv_mlx5_errno(answer);
    if ((values.comp_mask & IBV_VALUES_MASK_RAW_CLOCK) == 0)
        return EOPNOTSUPP;
    *cycles = (uint64_t)values.raw_clock.tv_nsec;
    return 0;
}

static int doca_priv_mlx5_call_clock_to_ns(struct ibv_context *context, uint64_t cycles,
                                           uint64_t *ns)
{
    struct mlx5dv_clock_info info;
    int answer;

    memset(&info, 0, sizeof(info));
    answer = mlx5dv_get_clock_info(context, &info);
    if (answer == 0)
        *ns = mlx5dv_ts_to_ns(&info, cycles);
    return doca_priv_mlx5_errno(answer);
}

DOCA_CORE_DECL const struct doca_core_mlx5_sys *doca_core_mlx5_real_sys(void)
{
    static const struct doca_core_mlx5_sys sys = {
        ibv_get_device_list,
        ibv_free_device_list,
        mlx5dv_is_supported,
        doca_priv_mlx5_call_open,
        doca_priv_mlx5_call_close,
        ibv_query_device,
        doca_priv_mlx5_call_query_port,
        doca_priv_mlx5_call_query_gid,
        doca_priv_mlx5_call_general_cmd,
        doca_priv_mlx5_call_read_file,
        doca_priv_mlx5_call_resolve_path,
        doca_priv_mlx5_call_list_names,
        ibv_alloc_pd,
        doca_priv_mlx5_call_dealloc_pd,
        doca_priv_mlx5_call_reg_mr,
        doca_priv_mlx5_call_reg_dmabuf_mr,
        doca_priv_mlx5_call_dereg_mr,
        doca_priv_mlx5_call_alloc_dm,
        doca_priv_mlx5_call_free_dm,
        doca_priv_mlx5_call_reg_dm_mr,
        doca_priv_mlx5_call_memcpy_to_dm,
        doca_priv_mlx5_call_memcpy_from_dm,
        doca_priv_mlx5_call_umem_reg,
        doca_priv_mlx5_call_umem_dereg,
        mlx5dv_devx_obj_create,
        doca_priv_mlx5_call_obj_destroy,
        doca_priv_mlx5_call_alloc_td,
        doca_priv_mlx5_call_dealloc_td,
        doca_priv_mlx5_call_parent_domain,
        doca_priv_mlx5_call_channel,
        doca_priv_mlx5_call_destroy_channel,
        doca_priv_mlx5_call_create_cq,
        doca_priv_mlx5_call_destroy_cq,
        ibv_create_qp,
        doca_priv_mlx5_call_destroy_qp,
        doca_priv_mlx5_call_modify_qp,
        doca_priv_mlx5_call_devx_qp_modify,
        mlx5dv_init_obj,
        doca_priv_mlx5_call_take_cq_event,
        doca_priv_mlx5_call_take_async_event,
        doca_priv_mlx5_call_post_send,
        doca_priv_mlx5_call_poll_cq,
        doca_priv_mlx5_call_req_notify_cq,
        doca_priv_mlx5_call_query_clock,
        doca_priv_mlx5_call_read_clock,
        doca_priv_mlx5_call_clock_to_ns,
    };

    return &sys;
}

/* part: src/mlx5/device.c */
/* ---- >>mlx5.device --------------------------------------------------------------------------
 * The cards that were found, and the devices that are open. A `card` is one RDMA device found by
 * doca_core_mlx5_backend(); a device (`dev`) is an open card. The device lock of doca_core.h guards
 * both tables. doca_core_mlx5_backend() does not take the lock, because the program must not use
 * devices while it runs. The lock of an open device guards its lists of registrations, device
 * memory and queues.                                                                            */

DOCA_PRIV_MLX5_ASSERT(reg_fits_a_line, sizeof(struct doca_priv_mlx5_reg) <= DOCA_CORE_LINE);

struct doca_priv_mlx5_queue;

DOCA_PRIV_DECL struct doca_priv_mlx5_state doca_priv_mlx5;

/* Acquire a spin lock. */
DOCA_PRIV_DECL void doca_priv_mlx5_lock(uint32_t *lock)
{
    while (__atomic_exchange_n(lock, 1u, __ATOMIC_ACQUIRE) != 0)
        DOCA_CORE_RELAX();
}

DOCA_PRIV_DECL void doca_priv_mlx5_unlock(uint32_t *lock)
{
    __atomic_store_n(lock, 0u, __ATOMIC_RELEASE);
}

/* Convert an errno to a DOCA error code. */
static doca_error_t doca_priv_mlx5_code(int error)
{
    switch (error) {
    case EINVAL:
    case EFAULT:
        return DOCA_ERROR_INVALID_VALUE;
    case ENOMEM:
    case ENOSPC:
        return DOCA_ERROR_NO_MEMORY;
    case EMFILE:
    case ENFILE:
        return DOCA_ERROR_OPERATING_SYSTEM;
    case EPERM:
    case EACCES:
        return DOCA_ERROR_NOT_PERMITTED;
    case EOPNOTSUPP:
    case ENOSYS:
    case EPROTONOSUPPORT:
        return DOCA_ERROR_NOT_SUPPORTED;
    default:
        return DOCA_ERROR_DRIVER;
    }
}

/* Return the likely cause of an errno of libibverbs or the kernel, and its remedy. Returns NULL
 * when the core has a text for the errno or no cause is known. */
static const char *doca_priv_mlx5_hint(int error)
{
    switch (error) {
    case ENOMEM:
    case EAGAIN:
        return DOCA_PRIV_MLX5_TEXT("the limit of locked memory (ulimit -l, RLIMIT_MEMLOCK) is too "
                                   "low, or the device has no more of these resources");
    case EPERM:
    case EACCES:
        return DOCA_PRIV_MLX5_TEXT("this user has no permission for /dev/infiniband/uverbs*, or "
                                   "for this request");
    case ENOSYS:
    case EOPNOTSUPP:
    case EPROTONOSUPPORT:
        return DOCA_PRIV_MLX5_TEXT("the kernel or the device does not support it");
    case EADDRNOTAVAIL:
        return DOCA_PRIV_MLX5_TEXT("the port has no GID: give its interface an address and bring "
                                   "it up");
    case ETIMEDOUT:
    case ENETUNREACH:
    case EHOSTUNREACH:
        return DOCA_PRIV_MLX5_TEXT("the port is not active: see ibv_devinfo");
    case ENODEV:
    case ENXIO:
    case EIO:
        return DOCA_PRIV_MLX5_TEXT("the device is gone or has failed: see the kernel's log "
                                   "(dmesg)");
    case EINVAL:
    case EREMOTEIO:
        return DOCA_PRIV_MLX5_TEXT("the device or its firmware does not support the request: see "
                                   "the kernel's log (dmesg)");
    default:
        return NULL;
    }
}

/* Return the likely cause, and its remedy, of an errno of a memory registration. */
DOCA_PRIV_DECL const char *doca_priv_mlx5_memory_hint(int error, bool is_dmabuf)
{
    if (error == EFAULT)
        return DOCA_PRIV_MLX5_TEXT("the range is not mapped completely, or it is read-only: set "
                                   "DOCA_ACCESS_FLAG_LOCAL_READ_ONLY for read-only memory");
    if (is_dmabuf && error == EINVAL)
        return DOCA_PRIV_MLX5_TEXT("the range is outside the dmabuf, or its address and offset "
                                   "have different positions in a page");
    if (is_dmabuf && error == EBADF)
        return DOCA_PRIV_MLX5_TEXT("the file descriptor is not a dmabuf");
    return doca_priv_mlx5_hint(error);
}

/* Return an empty description of a refusal. */
DOCA_PRIV_DECL struct doca_core_refusal doca_priv_mlx5_no_refusal(void)
{
    struct doca_core_refusal why;

    memset(&why, 0, sizeof(why));
    return why;
}

/* Report that the step in *why failed with `error`, and return `code`. An `error` of 0 counts as
 * EIO. */
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_report_as(doca_error_t code, enum doca_core_item item,
                                                     const char *function, const void *object,
                                                     int error, struct doca_core_refusal *why)
{
    why->error = error != 0 ? error : EIO;
    if (why->hint == NULL)
        why->hint = doca_priv_mlx5_hint(why->error);
    return doca_core_backend_refuse(code, item, function, object, why);
}

/* Report that the step in *why failed with the current errno, and return the error code that
 * matches the errno. */
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_report(const char *function, const void *object,
                                                  struct doca_core_refusal *why)
{
    const int error = errno != 0 ? errno : EIO;

    return doca_priv_mlx5_report_as(doca_priv_mlx5_code(error), DOCA_CORE_ITEM_MLX5_CALL, function,
                                    object, error, why);
}

/* Report that `step` failed with the current errno, and return the matching error code. */
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_report_step(const char *function, const void *object,
                                                       const char *step)
{
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();

    why.step = step;
    return doca_priv_mlx5_report(function, object, &why);
}

/* Collect errors: keep the first of several. */
DOCA_PRIV_DECL void doca_priv_mlx5_keep_first(int *error, int another)
{
    if (*error == 0)
        *error = another;
}

/* Log that the kernel or the firmware refused to release a resource, with the error number. The
 * resource leaks; nothing can be done about it here. With an `error` of 0 the function does
 * nothing. */
DOCA_PRIV_DECL void doca_priv_mlx5_log_leak(int error, enum doca_core_item item,
                                            const char *function, const char *step)
{
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();

    why.step = step;
    if (error != 0)
        (void)doca_priv_mlx5_report_as(DOCA_ERROR_DRIVER, item, function, NULL, error, &why);
}

/* part: src/mlx5/clock.c */
/* ---- >>mlx5.clock ---------------------------------------------------------------------------
 * Clocks of the NIC. The free running clock is the core clock of the HCA: libmlx5 reads its counter
 * from a page of the device, and this part converts the cycles with the frequency that the device
 * reports. The real time clock is the clock that the kernel's driver keeps for PTP: the driver
 * shares a page with the numbers that convert cycles of the core clock. The host cannot read the
 * DPA timer.                                                                                    */

/* Find out which clocks of the device can be read, by reading them. A device without clocks is not
 * an error, so nothing is logged. */
DOCA_PRIV_DECL void doca_priv_mlx5_find_clock(struct doca_priv_mlx5_caps *caps,
                                              struct ibv_context *context)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    uint64_t cycles = 0, ns = 0, khz = 0;

    if (!caps->is_mlx5 || sys->query_clock == NULL || sys->read_clock == NULL)
        return;
    if (sys->query_clock(context, &khz) != 0 || sys->read_clock(context, &cycles) != 0)
        return;
    caps->clock_khz = khz;
    caps->has_real_time =
        khz != 0 && sys->clock_to_ns != NULL && sys->clock_to_ns(context, cycles, &ns) == 0;
}

/* Convert cycles at `khz` kHz to nanoseconds; `khz` must not be 0. Whole milliseconds and the rest
 * are converted separately, so that the result is right for 584 years. */
DOCA_PRIV_DECL uint64_t doca_priv_mlx5_cycles_to_ns(uint64_t cycles, uint64_t khz)
{
    return cycles / khz * 1000000u + cycles % khz * 1000000u / khz;
}

static bool doca_priv_mlx5_has_clock(const struct doca_priv_mlx5_card *card,
                                     enum doca_core_nic_clock clock)
{
    return clock == DOCA_CORE_NIC_CLOCK_FREE_RUNNING ? card->caps.clock_khz != 0
           : clock == DOCA_CORE_NIC_CLOCK_REAL_TIME  ? card->caps.has_real_time
                                                     : false;
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_clock_cap(const struct doca_core_dev_attr *attr,
                                                     enum doca_core_nic_clock clock)
{
    const struct doca_priv_mlx5_card *card = doca_priv_mlx5_find_card(attr->ibdev_name);

    return card != NULL && doca_priv_mlx5_has_clock(card, clock) ? DOCA_SUCCESS
                                                                 : DOCA_ERROR_NOT_SUPPORTED;
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_clock_read(struct doca_dev *dev,
                                                      enum doca_core_nic_clock clock,
                                                      const char *function, uint64_t *ns)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    const struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();
    uint64_t cycles = 0;
    int error;

    if (!doca_priv_mlx5_has_clock(d->card, clock))
        return DOCA_ERROR_NOT_SUPPORTED;
    why.step = DOCA_PRIV_MLX5_TEXT("read the core clock");
    error = sys->read_clock(d->context, &cycles);
    if (error == 0 && clock == DOCA_CORE_NIC_CLOCK_REAL_TIME) {
        why.step = DOCA_PRIV_MLX5_TEXT("convert the core clock to real time");
        error = sys->clock_to_ns(d->context, cycles, ns);
    }
    if (error != 0)
        return doca_priv_mlx5_report_as(DOCA_ERROR_DRIVER, DOCA_CORE_ITEM_MLX5_CALL, function, dev,
                                        error, &why);
    if (clock == DOCA_CORE_NIC_CLOCK_FREE_RUNNING)
        *ns = doca_priv_mlx5_cycles_to_ns(cycles, d->card->caps.clock_khz);
    return DOCA_SUCCESS;
}

/* part: src/mlx5/sysfs.c */
/* ---- >>mlx5.sysfs ---------------------------------------------------------------------------
 * Reads names, addresses and ids of devices, interfaces and eswitch ports from sysfs. The kernel
 * builds phys_port_name from the same port attributes that devlink reports through netlink: letters
 * and a number for each of controller, PF, VF and SF.                                           */

/* Copy a string into `to`, which has `bytes` bytes. A string that is too long is truncated. */
DOCA_PRIV_DECL void doca_priv_mlx5_copy_text(char *to, size_t bytes, const char *from)
{
    size_t len = strlen(from);

    if (len >= bytes)
        len = bytes - 1;
    memcpy(to, from, len);
    to[len] = '\0';
}

/* True when `s` is a PCI address, DDDD:BB:DD.F, followed by the end or by a slash. */
static bool doca_priv_mlx5_is_pci(const char *s)
{
    static const char shape[] = "xxxx:xx:xx.x";
    size_t i;

    for (i = 0; shape[i] != '\0'; i++)
        if (shape[i] == 'x' ? strchr("0123456789abcdef", s[i]) == NULL || s[i] == '\0'
                            : s[i] != shape[i])
            return false;
    return s[i] == '\0' || s[i] == '/';
}

/* Derive PCI address and kind of function from a device's path in sysfs. The last PCI address in
 * the path belongs to the device; the path of an SF continues below the address of its parent. */
DOCA_PRIV_DECL void doca_priv_mlx5_describe_path(struct doca_core_dev_attr *attr, const char *path)
{
    static const char sf[] = "/mlx5_core.sf.";
    const char *at, *below = strstr(path, sf);
    char text[32], name[PATH_MAX + 32];

    for (at = strchr(path, '/'); at != NULL; at = strchr(at + 1, '/'))
        if (doca_priv_mlx5_is_pci(at + 1))
            doca_priv_mlx5_copy_text(attr->pci_addr, sizeof(attr->pci_addr), at + 1);
    attr->func_type = DOCA_PCI_FUNC_TYPE_PF;
    if (below != NULL) {
        attr->func_type = DOCA_PCI_FUNC_TYPE_SF;
        at = strchr(below + 1, '/');
        doca_priv_mlx5_copy_text(name, sizeof(name), path);
        doca_priv_mlx5_copy_text(name + (at != NULL ? (size_t)(at - path) : strlen(path)), 8,
                                 "/sfnum");
        if (doca_priv_mlx5.sys->read_file(name, text, sizeof(text)) == 0)
            attr->sf_index = (uint32_t)strtoul(text, NULL, 0);
    }
}

/* Append to a path of DOCA_PRIV_MLX5_PATH_BYTES bytes. Returns false when the text does not
 * fit. */
DOCA_PRIV_DECL bool doca_priv_mlx5_append(char *path, const char *text)
{
    size_t at = strlen(path), len = strlen(text);

    if (at + len >= DOCA_PRIV_MLX5_PATH_BYTES)
        return false;
    memcpy(path + at, text, len + 1);
    return true;
}

/* Read the file dir/name/file. Returns false when it cannot be read or is empty. */
DOCA_PRIV_DECL bool doca_priv_mlx5_read_attr(const char *dir, const char *name, const char *file,
                                             char *text, size_t bytes)
{
    char path[DOCA_PRIV_MLX5_PATH_BYTES];

    doca_priv_mlx5_copy_text(path, sizeof(path), dir);
    return doca_priv_mlx5_append(path, "/") && doca_priv_mlx5_append(path, name) &&
           doca_priv_mlx5_append(path, "/") && doca_priv_mlx5_append(path, file) &&
           doca_priv_mlx5.sys->read_file(path, text, bytes) == 0 && text[0] != '\0';
}

/* Read the switch id of an interface. The kernel writes it in hexadecimal. VUIDs begin with it. */
DOCA_PRIV_DECL bool doca_priv_mlx5_read_switch(const char *dir, const char *name,
                                               char text[DOCA_PRIV_MLX5_SWITCH_BYTES])
{
    return doca_priv_mlx5_read_attr(dir, name, "phys_switch_id", text,
                                    DOCA_PRIV_MLX5_SWITCH_BYTES) &&
           text[strspn(text, "0123456789abcdef")] == '\0';
}

/* Get the PCI address of an interface's parent device; an empty string when sysfs shows no
 * parent. */
DOCA_PRIV_DECL void doca_priv_mlx5_find_parent(const char *dir, const char *name,
                                               char addr[DOCA_DEVINFO_PCI_ADDR_SIZE])
{
    char path[DOCA_PRIV_MLX5_PATH_BYTES], real[PATH_MAX];
    struct doca_core_dev_attr parent;

    memset(&parent, 0, sizeof(parent));
    doca_priv_mlx5_copy_text(path, sizeof(path), dir);
    if (doca_priv_mlx5_append(path, "/") && doca_priv_mlx5_append(path, name) &&
        doca_priv_mlx5_append(path, "/device") &&
        doca_priv_mlx5.sys->resolve_path(path, real, sizeof(real)) == 0)
        doca_priv_mlx5_describe_path(&parent, real);
    memcpy(addr, parent.pci_addr, sizeof(parent.pci_addr));
}

/* Get the sysfs directory of the network interfaces, class/net, next to class/infiniband. */
DOCA_PRIV_DECL void doca_priv_mlx5_net_dir(const struct ibv_device *device,
                                           char path[DOCA_PRIV_MLX5_PATH_BYTES])
{
    unsigned num;

    doca_priv_mlx5_copy_text(path, DOCA_PRIV_MLX5_PATH_BYTES, device->ibdev_path);
    for (num = 0; num < 2 && strrchr(path, '/') != NULL; num++)
        *strrchr(path, '/') = '\0';
    (void)doca_priv_mlx5_append(path, "/net");
}

/* Parse `prefix` and a decimal number of up to 9 digits, and advance *text past them. Returns false
 * when the text does not have this form; *text is unchanged then. */
static bool doca_priv_mlx5_parse_number(const char **text, const char *prefix, uint32_t *number)
{
    const char *at = *text + strlen(prefix);
    uint32_t value = 0;
    unsigned num = 0;

    if (strncmp(*text, prefix, strlen(prefix)) != 0)
        return false;
    while (num <= 9 && at[num] >= '0' && at[num] <= '9')
        value = value * 10 + (uint32_t)(at[num++] - '0');
    if (num == 0 || num > 9)
        return false;
    *text = at + num;
    *number = value;
    return true;
}

/* Parse the phys_port_name of a port. An uplink is "p0"; representors are "pf0", "pf0vf1" or
 * "pf0sf88", preceded by "c1" if the function belongs to controller 1, in another machine. Some
 * drivers name the representor of the host's PF "pf0hpf". */
DOCA_PRIV_DECL struct doca_priv_mlx5_port doca_priv_mlx5_parse_port(const char *text)
{
    struct doca_priv_mlx5_port port;
    uint32_t uplink;

    memset(&port, 0, sizeof(port));
    if (doca_priv_mlx5_parse_number(&text, "p", &uplink)) {
        port.kind = *text == '\0' ? DOCA_PRIV_MLX5_PORT_UPLINK : DOCA_PRIV_MLX5_PORT_OTHER;
        return port;
    }
    port.has_controller = doca_priv_mlx5_parse_number(&text, "c", &port.controller);
    if (!doca_priv_mlx5_parse_number(&text, "pf", &port.pf))
        return port;
    port.kind = DOCA_PRIV_MLX5_PORT_PF;
    if (doca_priv_mlx5_parse_number(&text, "vf", &port.number))
        port.kind = DOCA_PRIV_MLX5_PORT_VF;
    else if (doca_priv_mlx5_parse_number(&text, "sf", &port.number))
        port.kind = DOCA_PRIV_MLX5_PORT_SF;
    else if (strcmp(text, "hpf") == 0)
        return port;
    if (*text != '\0')
        port.kind = DOCA_PRIV_MLX5_PORT_OTHER;
    return port;
}

struct doca_priv_mlx5_iface { /* state of a search for the interface of a device */
    const char *dir;
    char name[64]; /* alphabetically first name found so far; empty before the first */
};

/* Keep the first interface that is not a representor. In switchdev mode representors are in the
 * device's directory, too. */
static void doca_priv_mlx5_visit_iface(const char *name, void *data)
{
    struct doca_priv_mlx5_iface *iface = (struct doca_priv_mlx5_iface *)data;
    char text[64];

    if (strlen(name) < sizeof(iface->name) &&
        (iface->name[0] == '\0' || strcmp(name, iface->name) < 0) &&
        !(doca_priv_mlx5_read_attr(iface->dir, name, "phys_port_name", text, sizeof(text)) &&
          doca_priv_mlx5_parse_port(text).kind >= DOCA_PRIV_MLX5_PORT_PF))
        doca_priv_mlx5_copy_text(iface->name, sizeof(iface->name), name);
}

/* Return the side of the device that has this path in sysfs. The Arm cores of BlueField-2 and -3
 * reach the device through a root port of the card, a host reaches it through a root port of the
 * host. (Bridges below the root port do not show the side: both sides see bridges of the card.)
 * Returns BOTH when sysfs does not show the root port. */
static enum doca_core_side doca_priv_mlx5_side(const char *path)
{
    static const char bridge[] = "0x0604"; /* class and subclass, without the interface */
    char dir[PATH_MAX], name[DOCA_DEVINFO_PCI_ADDR_SIZE], vendor[16], pci_class[16];
    const char *at = strchr(path, '/');

    while (at != NULL && !doca_priv_mlx5_is_pci(at + 1))
        at = strchr(at + 1, '/');
    if (at == NULL)
        return DOCA_CORE_SIDE_BOTH;
    doca_priv_mlx5_copy_text(dir, sizeof(dir), path);
    dir[at - path] = '\0';
    doca_priv_mlx5_copy_text(name, sizeof(name), at + 1);
    if (!doca_priv_mlx5_read_attr(dir, name, "vendor", vendor, sizeof(vendor)) ||
        !doca_priv_mlx5_read_attr(dir, name, "class", pci_class, sizeof(pci_class)))
        return DOCA_CORE_SIDE_BOTH;
    return strcmp(vendor, "0x15b3") == 0 && strncmp(pci_class, bridge, strlen(bridge)) == 0
               ? DOCA_CORE_SIDE_DPU
               : DOCA_CORE_SIDE_HOST;
}

/* Describe a device from sysfs: names, PCI address, kind of function, side. */
DOCA_PRIV_DECL void doca_priv_mlx5_describe_names(struct doca_core_dev_attr *attr,
                                                  const struct ibv_device *device)
{
    char path[IBV_SYSFS_PATH_MAX + 64], real[PATH_MAX];
    struct doca_priv_mlx5_iface iface;

    doca_priv_mlx5_copy_text(attr->ibdev_name, sizeof(attr->ibdev_name), device->name);
    doca_priv_mlx5_copy_text(path, sizeof(path), device->ibdev_path);
    doca_priv_mlx5_copy_text(path + strlen(path), 64, "/device");
    if (doca_priv_mlx5.sys->resolve_path(path, real, sizeof(real)) == 0) {
        doca_priv_mlx5_describe_path(attr, real);
        attr->side = doca_priv_mlx5_side(real);
    }
    doca_priv_mlx5_copy_text(path + strlen(path), 56, "/physfn");
    if (doca_priv_mlx5.sys->resolve_path(path, real, sizeof(real)) == 0)
        attr->func_type = DOCA_PCI_FUNC_TYPE_VF;
    doca_priv_mlx5_copy_text(path, sizeof(path), device->ibdev_path);
    doca_priv_mlx5_copy_text(path + strlen(path), 64, "/ports/1/gid_attrs/ndevs/0");
    memset(&iface, 0, sizeof(iface));
    if (doca_priv_mlx5.sys->read_file(path, iface.name, sizeof(iface.name)) != 0) {
        iface.name[0] = '\0'; /* InfiniBand ports have no such file */
        doca_priv_mlx5_copy_text(path + strlen(device->ibdev_path), 64, "/device/net");
        iface.dir = path;
        (void)doca_priv_mlx5.sys->list_names(path, doca_priv_mlx5_visit_iface, &iface);
    }
    doca_priv_mlx5_copy_text(attr->iface_name, sizeof(attr->iface_name), iface.name);
}

/* part: src/mlx5/find.c */
/* ---- >>mlx5.find ----------------------------------------------------------------------------
 * Finds the devices, reads their capabilities from ports and firmware, and opens and closes
 * them.                                                                                         */

/* Return the rate of a port in Gbit/s: the number of lanes times the speed of one lane. */
static uint32_t doca_priv_mlx5_rate(const struct ibv_port_attr *port)
{
    static const uint16_t tenths[8] = { 25, 50, 100, 100, 140, 250, 500, 1000 }; /* SDR to NDR */
    uint32_t lanes = port->active_width == 1   ? 1u
                     : port->active_width == 2 ? 4u
                     : port->active_width == 4 ? 8u
                     : port->active_width == 8 ? 12u
                                               : 2u;
    uint32_t log = 0;

    while (log < 7 && port->active_speed >> log > 1)
        log++;
    return lanes * tenths[log] / 10;
}

/* Log that a query of a device failed with `error`. Without permission for DEVX, or support for it,
 * each query of the firmware fails with EOPNOTSUPP; the function does not log this. */
static void doca_priv_mlx5_report_query(struct doca_priv_mlx5_caps *caps, int error,
                                        const char *step)
{
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();

    if (error == 0 || error == EOPNOTSUPP)
        return;
    caps->is_incomplete = true;
    why.step = step;
    errno = error;
    (void)doca_priv_mlx5_report("doca_core_mlx5_backend", NULL, &why);
}

/* Choose the GID for loopback connections: the first GID made from an IPv4 address, otherwise the
 * first valid one. A GID made from a link-local IPv6 address is not usable immediately after the
 * link comes up. */
static void doca_priv_mlx5_choose_gid(struct doca_priv_mlx5_caps *caps,
                                      struct ibv_context *context, int num)
{
    static const uint8_t ipv4[12] = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff };
    static const uint8_t none[16] = { 0 };
    bool is_ipv4 = false;
    uint8_t gid[16];
    int i;

    for (i = 0; i < DOCA_PRIV_MLX5_GIDS && i < num && !is_ipv4; i++) {
        if (doca_priv_mlx5.sys->query_gid(context, DOCA_PRIV_MLX5_PORT, i, gid) != 0 ||
            memcmp(gid, none, sizeof(none)) == 0)
            continue;
        is_ipv4 = memcmp(gid, ipv4, sizeof(ipv4)) == 0;
        if (caps->has_gid && !is_ipv4)
            continue;
        caps->has_gid = true;
        caps->gid_index = (uint8_t)i;
        memcpy(caps->gid, gid, sizeof(gid));
    }
}

/* Read the port's current address and limits into *caps. Return 0 or an errno. */
DOCA_PRIV_DECL int doca_priv_mlx5_read_port(struct doca_priv_mlx5_caps *caps,
                                            struct ibv_context *context, struct ibv_port_attr *port)
{
    int error;

    memset(port, 0, sizeof(*port));
    error = doca_priv_mlx5.sys->query_port(context, DOCA_PRIV_MLX5_PORT, port);
    if (error != 0)
        return error;
    caps->is_ethernet = port->link_layer == IBV_LINK_LAYER_ETHERNET;
    caps->active_mtu = (uint8_t)port->active_mtu;
    caps->lid = port->lid;
    caps->max_write = port->max_msg_sz < 1u << 30 ? port->max_msg_sz : 1u << 30;
    caps->has_gid = false;
    doca_priv_mlx5_choose_gid(caps, context, port->gid_tbl_len);
    return 0;
}

static void doca_priv_mlx5_describe_port(struct doca_core_dev_attr *attr,
                                         struct doca_priv_mlx5_caps *caps,
                                         struct ibv_context *context)
{
    struct ibv_port_attr port;
    const int error = doca_priv_mlx5_read_port(caps, context, &port);

    doca_priv_mlx5_report_query(caps, error,
                                DOCA_PRIV_MLX5_TEXT("query the port (it counts as down)"));
    if (error != 0)
        return;
    attr->port = caps->is_ethernet ? DOCA_CORE_PORT_ETHERNET : DOCA_CORE_PORT_INFINIBAND;
    attr->lid = caps->is_ethernet ? 0 : port.lid;
    attr->rate_gbps = doca_priv_mlx5_rate(&port);
}

/* Query one group of capabilities from the firmware: 4 KiB at DOCA_PRIV_MLX5_CAP in `out`. */
static bool doca_priv_mlx5_query_cap(struct doca_priv_mlx5_caps *caps,
                                     struct ibv_context *context, uint32_t op_mod,
                                     uint8_t out[DOCA_PRIV_MLX5_CAP_OUT_BYTES])
{
    uint8_t in[DOCA_PRIV_MLX5_CAP_IN_BYTES];
    int error;

    memset(in, 0, sizeof(in));
    memset(out, 0, DOCA_PRIV_MLX5_CAP_OUT_BYTES);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_IN_OPCODE, 16, DOCA_PRIV_MLX5_CMD_QUERY_HCA_CAP);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_IN_OP_MOD, 16, op_mod);
    error = doca_priv_mlx5.sys->general_cmd(context, in, sizeof(in), out,
                                            DOCA_PRIV_MLX5_CAP_OUT_BYTES);
    doca_priv_mlx5_report_query(caps, error,
                                DOCA_PRIV_MLX5_TEXT("query the capabilities of the firmware (they "
                                                    "count as absent)"));
    return error == 0;
}

/* Read the capabilities from the firmware. A capability whose query fails counts as absent. */
static void doca_priv_mlx5_read_caps(struct doca_priv_mlx5_caps *caps,
                                     struct ibv_context *context)
{
    uint8_t out[DOCA_PRIV_MLX5_CAP_OUT_BYTES];
    const uint8_t *cap = out + DOCA_PRIV_MLX5_CAP / 8;
    uint32_t log_max;

    if (!doca_priv_mlx5_query_cap(caps, context, DOCA_PRIV_MLX5_CAP_GENERAL_NOW, out))
        return;
    caps->vhca_id = (uint16_t)doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_VHCA_ID, 16);
    caps->has_vhca_id = true;
    caps->is_eswitch_manager = doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_ESWITCH_MANAGER, 1) != 0;
    caps->has_mmo_bit = doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_DMA_MMO_QP, 1) != 0;
    caps->has_mmo = caps->has_mmo_bit || doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_DMA_MMO_SQ, 1);
    log_max = doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_LOG_DMA_MMO_MAX, 5);
    caps->max_mmo = (uint64_t)1 << (log_max == 0 || log_max > 31 ? 31 : log_max);
    caps->has_relaxed_write = doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_RELAXED_WRITE, 1) != 0;
    caps->has_relaxed_read = doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_RELAXED_READ, 1) != 0;
    if (doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_HCA_CAP_2, 1) == 0 ||
        !doca_priv_mlx5_query_cap(caps, context, DOCA_PRIV_MLX5_CAP_GENERAL_2_NOW, out))
        return;
    caps->has_export = (doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_2_ALLOWED, 32) &
                        DOCA_PRIV_MLX5_ALLOWED_MKEY) != 0;
    caps->has_import = (doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_2_CROSS_VHCA, 32) &
                        DOCA_PRIV_MLX5_LOCAL_MKEY_TO_REMOTE) != 0;
}

/* Return `wanted` if the device supports this engine. With AUTO, return the first engine that the
 * device supports. Return AUTO when the device supports no such engine. */
static enum doca_core_mlx5_engine doca_priv_mlx5_pick_engine(const struct doca_priv_mlx5_caps *caps,
                                                             enum doca_core_mlx5_engine wanted)
{
    bool has_pair = caps->max_write > 0 && (!caps->is_ethernet || caps->has_gid);
    bool has_rc = caps->is_mlx5 && has_pair && DOCA_PRIV_MLX5_HAS_DOORBELL;
    bool has_mmo = caps->has_mmo && has_rc; /* MMO needs a connected queue pair, too */

    if (wanted == DOCA_CORE_MLX5_ENGINE_AUTO)
        wanted = has_mmo  ? DOCA_CORE_MLX5_ENGINE_MMO
                 : has_rc ? DOCA_CORE_MLX5_ENGINE_RC
                          : DOCA_CORE_MLX5_ENGINE_VERBS;
    if ((wanted == DOCA_CORE_MLX5_ENGINE_MMO && has_mmo) ||
        (wanted == DOCA_CORE_MLX5_ENGINE_RC && has_rc) ||
        (wanted == DOCA_CORE_MLX5_ENGINE_VERBS && has_pair))
        return wanted;
    return DOCA_CORE_MLX5_ENGINE_AUTO;
}

/* Return whether this PCI device id belongs to a PF of a ConnectX, a card without a DPU. The VFs of
 * a ConnectX are not recognised, because those of a BlueField have the same ids. */
static bool doca_priv_mlx5_is_connectx(uint32_t part)
{
    switch (part) {
    case 0x1011: /* Connect-IB */
    case 0x1013: /* ConnectX-4 */
    case 0x1015: /* ConnectX-4 Lx */
    case 0x1017: /* ConnectX-5 */
    case 0x1019: /* ConnectX-5 Ex */
    case 0x101b: /* ConnectX-6 */
    case 0x101d: /* ConnectX-6 Dx */
    case 0x101f: /* ConnectX-6 Lx */
    case 0x1021: /* ConnectX-7 */
    case 0x1023: /* ConnectX-8 */
    case 0x1025: /* ConnectX-9 */
        return true;
    default:
        return false;
    }
}

/* Set the limits that follow from the engine. Every device supports sync events, because the CPU
 * executes their tasks if the value is in memory of this process. */
static void doca_priv_mlx5_set_limits(struct doca_priv_mlx5_card *card)
{
    struct doca_core_limits *limits = &card->attr.limits;

    limits->has_sync_event = 1;
    limits->has_dmabuf = 1; /* if the kernel's driver does not support it, start fails */
    limits->has_export_pci = card->caps.has_export;
    limits->has_no_comch = card->caps.is_connectx;
    limits->has_rdma = card->caps.has_export || card->engine != DOCA_CORE_MLX5_ENGINE_AUTO;
    card->attr.vhca_id = card->caps.vhca_id;
    card->attr.has_no_vhca_id = !card->caps.has_vhca_id;
    if (card->engine == DOCA_CORE_MLX5_ENGINE_AUTO)
        return;
    limits->has_import_pci = card->caps.has_import;
    limits->event_engine = card->caps.event_engine;
    limits->has_dma = 1;
    limits->dma_max_buf_size =
        card->engine == DOCA_CORE_MLX5_ENGINE_MMO ? card->caps.max_mmo : card->caps.max_write;
    limits->dma_max_buf_list_len = DOCA_CORE_MLX5_MAX_LIST;
    limits->dma_max_num_tasks = 65536;
}

/* Give a device that has no PCI address (such as soft-RoCE) an address that no real device has,
 * because programs select devices by PCI address. It depends on the device's position in
 * libibverbs' list. */
static void doca_priv_mlx5_make_pci_addr(char addr[DOCA_DEVINFO_PCI_ADDR_SIZE], uint32_t list_index)
{
    static const char digits[] = "0123456789abcdef";

    if (addr[0] != '\0')
        return;
    memcpy(addr, "ffff:00:00.0", DOCA_DEVINFO_PCI_ADDR_SIZE);
    addr[5] = digits[list_index / 16 % 16];
    addr[6] = digits[list_index % 16];
}

struct doca_priv_mlx5_uplink { /* state of a search for the card's uplink interface */
    struct doca_priv_mlx5_card *card;
    char dir[DOCA_PRIV_MLX5_PATH_BYTES]; /* sysfs directory of the interfaces */
};

static void doca_priv_mlx5_visit_uplink(const char *name, void *data)
{
    struct doca_priv_mlx5_uplink *uplink = (struct doca_priv_mlx5_uplink *)data;
    char text[DOCA_PRIV_MLX5_SWITCH_BYTES], parent[DOCA_DEVINFO_PCI_ADDR_SIZE];

    if (!doca_priv_mlx5_read_attr(uplink->dir, name, "phys_port_name", text, sizeof(text)) ||
        doca_priv_mlx5_parse_port(text).kind != DOCA_PRIV_MLX5_PORT_UPLINK ||
        !doca_priv_mlx5_read_switch(uplink->dir, name, text))
        return;
    doca_priv_mlx5_find_parent(uplink->dir, name, parent);
    if (strcmp(parent, uplink->card->attr.pci_addr) == 0)
        memcpy(uplink->card->switch_id, text, sizeof(text));
}

/* Find the switch id of a card's eswitch and store it in the card. A PF that manages an eswitch has
 * representors in switchdev mode; only in this mode does its uplink have a switch id. The network
 * interface of the device is the uplink itself, or a bond of the uplinks of two ports. */
static void doca_priv_mlx5_find_switch(struct doca_priv_mlx5_card *card)
{
    struct doca_priv_mlx5_uplink uplink;

    if (!card->caps.is_eswitch_manager || card->attr.func_type != DOCA_PCI_FUNC_TYPE_PF)
        return;
    uplink.card = card;
    doca_priv_mlx5_net_dir(card->device, uplink.dir);
    if (card->attr.iface_name[0] == '\0' ||
        !doca_priv_mlx5_read_switch(uplink.dir, card->attr.iface_name, card->switch_id)) {
        card->switch_id[0] = '\0';
        (void)doca_priv_mlx5.sys->list_names(uplink.dir, doca_priv_mlx5_visit_uplink, &uplink);
    }
    if (card->switch_id[0] != '\0')
        card->attr.rep_filters = DOCA_CORE_REP_ALL | DOCA_CORE_REP_NET;
}

/* Open a device, describe it in *card, and close it. Returns false when it cannot be opened. */
static bool doca_priv_mlx5_inspect(struct doca_priv_mlx5_card *card, struct ibv_device *device,
                                   uint32_t list_index, enum doca_core_mlx5_engine wanted)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct ibv_context *context;
    struct ibv_device_attr device_attr;
    int error;

    memset(card, 0, sizeof(*card));
    memset(&device_attr, 0, sizeof(device_attr));
    card->device = device;
    card->caps.is_mlx5 = sys->is_mlx5(device);
    errno = 0;
    context = sys->open_device(device, card->caps.is_mlx5);
    if (context == NULL)
        return false;
    doca_priv_mlx5_describe_names(&card->attr, device);
    doca_priv_mlx5_make_pci_addr(card->attr.pci_addr, list_index);
    error = sys->query_device(context, &device_attr);
    doca_priv_mlx5_report_query(&card->caps, error,
                                DOCA_PRIV_MLX5_TEXT("query the limits of a device (they count as "
                                                    "0)"));
    if (error == 0) {
        card->caps.max_wqes = (uint32_t)device_attr.max_qp_wr;
        card->caps.max_cqes = (uint32_t)device_attr.max_cqe;
        card->caps.max_sge = (uint32_t)device_attr.max_sge;
        card->caps.sys_image_guid = device_attr.sys_image_guid;
        card->caps.is_connectx =
            card->caps.is_mlx5 && doca_priv_mlx5_is_connectx(device_attr.vendor_part_id);
        card->caps.event_engine = device_attr.atomic_cap == IBV_ATOMIC_GLOB
                                      ? DOCA_CORE_EVENT_ENGINE_ALL
                                  : device_attr.atomic_cap == IBV_ATOMIC_HCA
                                      ? DOCA_CORE_EVENT_ENGINE_CARD
                                      : DOCA_CORE_EVENT_ENGINE_NONE;
    }
    doca_priv_mlx5_describe_port(&card->attr, &card->caps, context);
    if (card->caps.is_mlx5)
        doca_priv_mlx5_read_caps(&card->caps, context);
    doca_priv_mlx5_find_clock(&card->caps, context);
    (void)sys->close_device(context);
    card->engine = doca_priv_mlx5_pick_engine(&card->caps, wanted);
    doca_priv_mlx5_set_limits(card);
    doca_priv_mlx5_find_switch(card);
    return true;
}

/* Log that a device does not support the engine that was chosen for it. */
static void doca_priv_mlx5_log_no_engine(enum doca_core_mlx5_engine wanted)
{
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();

    why.status = wanted == DOCA_CORE_MLX5_ENGINE_MMO     ? "MMO"
                 : wanted == DOCA_CORE_MLX5_ENGINE_RC    ? "RC"
                 : wanted == DOCA_CORE_MLX5_ENGINE_VERBS ? "VERBS"
                                                         : NULL;
    if (why.status != NULL)
        why.hint = DOCA_PRIV_MLX5_TEXT("the engine was chosen by options.engine or "
                                       "DOCA_CORE_MLX5_ENGINE");
    (void)doca_core_backend_refuse(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_MLX5_NO_ENGINE,
                                   "doca_core_mlx5_backend", NULL, &why);
}

/* Replace the list of cards by the devices that exist at this time. */
DOCA_PRIV_DECL void doca_priv_mlx5_find(enum doca_core_mlx5_engine wanted)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();
    struct doca_priv_mlx5_card *card;
    int num = 0, i;

    if (doca_priv_mlx5.process == 0 &&
        getrandom(&doca_priv_mlx5.process, sizeof(doca_priv_mlx5.process), 0) < 0)
        doca_priv_mlx5.process = 0;
    doca_priv_mlx5.num_cards = 0;
    errno = 0;
    doca_priv_mlx5.list = sys->get_device_list(&num);
    if (doca_priv_mlx5.list == NULL) {
        why.error = errno;
        why.hint = DOCA_PRIV_MLX5_TEXT("check that the kernel modules ib_uverbs and mlx5_ib are "
                                       "loaded");
        (void)doca_core_backend_refuse(DOCA_ERROR_NOT_FOUND, DOCA_CORE_ITEM_MLX5_NO_LIST,
                                       "doca_core_mlx5_backend", NULL, &why);
    }
    for (i = 0; doca_priv_mlx5.list != NULL && i < num; i++) {
        if (doca_priv_mlx5.num_cards == DOCA_CORE_MLX5_MAX_DEVS) {
            (void)doca_core_backend_fail(DOCA_ERROR_FULL, DOCA_CORE_ITEM_MLX5_TOO_MANY,
                                         "doca_core_mlx5_backend", NULL, 0);
            return;
        }
        card = &doca_priv_mlx5.cards[doca_priv_mlx5.num_cards];
        if (!doca_priv_mlx5_inspect(card, doca_priv_mlx5.list[i], (uint32_t)i, wanted)) {
            (void)doca_priv_mlx5_report_step("doca_core_mlx5_backend", NULL,
                                             DOCA_PRIV_MLX5_TEXT("open a device (it is not "
                                                                 "listed)"));
            continue;
        }
        doca_priv_mlx5.num_cards++;
        if (card->engine == DOCA_CORE_MLX5_ENGINE_AUTO && !card->caps.is_incomplete)
            doca_priv_mlx5_log_no_engine(wanted);
    }
}

DOCA_PRIV_DECL uint32_t doca_priv_mlx5_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    uint32_t i;

    for (i = 0; i < doca_priv_mlx5.num_cards && i < max; i++)
        attrs[i] = doca_priv_mlx5.cards[i].attr;
    return doca_priv_mlx5.num_cards;
}

/* Return a free element for an open device; NULL when all are taken. */
static struct doca_priv_mlx5_dev *doca_priv_mlx5_unused_dev(void)
{
    uint32_t i;

    for (i = 0; i < DOCA_CORE_MLX5_MAX_DEVS; i++)
        if (doca_priv_mlx5.devs[i].card == NULL)
            return &doca_priv_mlx5.devs[i];
    return NULL;
}

/* Return the card with this name, or NULL. */
DOCA_PRIV_DECL struct doca_priv_mlx5_card *doca_priv_mlx5_find_card(const char *name)
{
    uint32_t i;

    for (i = 0; i < doca_priv_mlx5.num_cards; i++)
        if (strcmp(doca_priv_mlx5.cards[i].attr.ibdev_name, name) == 0)
            return &doca_priv_mlx5.cards[i];
    return NULL;
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_dev_open(struct doca_dev *dev)
{
    struct doca_priv_mlx5_card *card = doca_priv_mlx5_find_card(dev->info.attr.ibdev_name);
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_unused_dev();
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();

    if (card == NULL)
        return DOCA_ERROR_NOT_FOUND;
    if (d == NULL)
        return DOCA_ERROR_NO_MEMORY;
    memset(d, 0, sizeof(*d));
    d->failures_at_open = __atomic_load_n(&card->num_failures, __ATOMIC_RELAXED);
    errno = 0;
    why.step = DOCA_PRIV_MLX5_TEXT("open the device");
    d->context = sys->open_device(card->device, card->caps.is_mlx5);
    if (d->context != NULL) {
        why.step = DOCA_PRIV_MLX5_TEXT("allocate a protection domain");
        d->pd = sys->alloc_pd(d->context);
    }
    if (d->pd == NULL) {
        (void)doca_priv_mlx5_report_as(DOCA_ERROR_NOT_CONNECTED, DOCA_CORE_ITEM_MLX5_CALL,
                                       "doca_dev_open", NULL, errno, &why);
        if (d->context != NULL)
            (void)sys->close_device(d->context);
        return DOCA_ERROR_NOT_CONNECTED;
    }
    d->card = card;
    d->dev = dev;
    dev->backend_data = d;
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_open_from_pd(struct doca_dev *dev, struct ibv_pd *pd)
{
    struct doca_priv_mlx5_card *card = doca_priv_mlx5_find_card(pd->context->device->name);
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_unused_dev();

    if (card == NULL)
        return DOCA_ERROR_NOT_FOUND;
    if (d == NULL)
        return DOCA_ERROR_NO_MEMORY;
    memset(d, 0, sizeof(*d));
    d->failures_at_open = __atomic_load_n(&card->num_failures, __ATOMIC_RELAXED);
    d->card = card;
    d->dev = dev;
    d->context = pd->context;
    d->pd = pd;
    dev->backend_data = d;
    dev->info.attr = card->attr;
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL struct doca_priv_mlx5_dev *doca_priv_mlx5_dev_of(const struct doca_dev *dev)
{
    return (struct doca_priv_mlx5_dev *)dev->backend_data;
}

DOCA_PRIV_DECL void doca_priv_mlx5_dev_close(struct doca_dev *dev)
{
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    int error;

    if (dev->from_pd == NULL) {
        error = doca_priv_mlx5.sys->dealloc_pd(d->pd);
        doca_priv_mlx5_keep_first(&error, doca_priv_mlx5.sys->close_device(d->context));
        doca_priv_mlx5_log_leak(error, DOCA_CORE_ITEM_MLX5_CALL, "doca_dev_close",
                                DOCA_PRIV_MLX5_TEXT("close the device"));
    }
    d->card = NULL;
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_get_pd(const struct doca_dev *dev, struct ibv_pd **pd)
{
    *pd = doca_priv_mlx5_dev_of(dev)->pd;
    return DOCA_SUCCESS;
}

/* Record that the device has failed. Every context of libibverbs on the card receives its own event
 * for one failure; the compare-and-exchange counts the failure once. */
static void doca_priv_mlx5_set_fatal(struct doca_priv_mlx5_dev *d)
{
    uint32_t failures = d->failures_at_open;

    if (__atomic_compare_exchange_n(&d->card->num_failures, &failures, failures + 1, false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        doca_core_backend_dev_failed(d->dev);
}

/* Handle an asynchronous event, from the device or passed on by the program. */
DOCA_PRIV_DECL void doca_priv_mlx5_handle_event(struct doca_priv_mlx5_dev *d,
                                                const struct ibv_async_event *event)
{
    if (event->event_type == IBV_EVENT_DEVICE_FATAL || doca_priv_mlx5_is_queue_error(d, event))
        doca_priv_mlx5_set_fatal(d);
}

/* Read and handle all pending asynchronous events. Events of a context that the program owns are
 * left to the program. */
DOCA_PRIV_DECL void doca_priv_mlx5_read_events(struct doca_priv_mlx5_dev *d)
{
    struct ibv_async_event event;

    while (d->dev->from_pd == NULL &&
           doca_priv_mlx5.sys->take_async_event(d->context, &event) == 0)
        doca_priv_mlx5_handle_event(d, &event);
}

#define DOCA_PRIV_MLX5_QUERY_EVERY 64 /* calls between two port queries, for a device from a PD */

/* True when the device has failed. For a device that was opened from a PD, every
 * DOCA_PRIV_MLX5_QUERY_EVERY-th call queries the port, because the events go to the program. */
DOCA_PRIV_DECL bool doca_priv_mlx5_dev_failed(struct doca_dev *dev)
{
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    struct ibv_port_attr port;
    int error = 0;

    doca_priv_mlx5_read_events(d);
    if (dev->from_pd != NULL && !doca_priv_mlx5_is_fatal(d) &&
        __atomic_fetch_add(&d->num_calls, 1u, __ATOMIC_RELAXED) % DOCA_PRIV_MLX5_QUERY_EVERY == 0)
        error = doca_priv_mlx5.sys->query_port(d->context, DOCA_PRIV_MLX5_PORT, &port);
    if (error == EIO || error == ENOLINK || error == ENXIO || error == ENODEV)
        doca_priv_mlx5_set_fatal(d);
    return doca_priv_mlx5_is_fatal(d);
}

/* part: src/mlx5/rep.c */
/* ---- >>mlx5.rep -----------------------------------------------------------------------------
 * Representors: lists the network interfaces that represent functions in an eswitch, and adds the
 * addresses and ids of these functions, which the firmware supplies.                            */

struct doca_priv_mlx5_host { /* the firmware's description of the host's functions */
    bool is_queried;  /* the firmware was queried */
    bool has_pf;      /* the host has an enabled PF */
    bool has_vhca_id; /* vhca_id is valid */
    bool has_vfs;     /* vf_stride and vf_offset are valid */
    uint32_t controller;
    uint16_t vhca_id;
    uint32_t address; /* bus, device and function: 8, 5 and 3 bits */
    uint32_t vf_stride, vf_offset;
};

struct doca_priv_mlx5_reps { /* state of one listing */
    const struct doca_priv_mlx5_dev *d;
    struct doca_priv_mlx5_host host;
    struct doca_core_dev_attr *attrs;
    uint32_t max, num;
    char dir[DOCA_PRIV_MLX5_PATH_BYTES]; /* sysfs directory of the interfaces */
};

/* Execute a firmware command. Returns false when it fails. */
static bool doca_priv_mlx5_command(const struct doca_priv_mlx5_dev *d, uint8_t *in, size_t in_bytes,
                                   uint32_t opcode, uint8_t *out, size_t out_bytes)
{
    memset(out, 0, out_bytes);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_IN_OPCODE, 16, opcode);
    return doca_priv_mlx5.sys->general_cmd(d->context, in, in_bytes, out, out_bytes) == 0;
}

/* Query the firmware about the host's PF and VFs. */
static void doca_priv_mlx5_query_host(const struct doca_priv_mlx5_dev *d,
                                      struct doca_priv_mlx5_host *host)
{
    uint8_t in[DOCA_PRIV_MLX5_ESW_IN_BYTES] = { 0 }, out[DOCA_PRIV_MLX5_ESW_OUT_BYTES];
    uint32_t bus, device, function;

    host->is_queried = true;
    if (!doca_priv_mlx5_command(d, in, sizeof(in), DOCA_PRIV_MLX5_CMD_QUERY_ESW_FUNCTIONS, out,
                                sizeof(out)))
        return;
    bus = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_PCI_BUS, 16);
    device = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_PCI_DEVICE, 16);
    function = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_PCI_FUNCTION, 16);
    host->has_pf = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_PF_NOT_EXIST, 1) == 0 &&
                   doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_PF_DISABLED, 1) == 0 &&
                   bus < 256 && device < 32 && function < 8;
    host->has_vhca_id = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_VHCA_VALID, 1) != 0;
    host->has_vfs = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_VF_INFO_VALID, 1) != 0;
    host->controller = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_HOST_NUMBER, 8) + 1;
    host->vhca_id = (uint16_t)doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_PF_VHCA_ID, 16);
    host->address = bus << 8 | device << 3 | function;
    host->vf_stride = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_VF_STRIDE, 16);
    host->vf_offset = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ESW_VF_OFFSET, 16);
}

/* Query the vhca id of the function with the number `vport` in the eswitch. `is_dpu_vf`: the
 * function is a VF of the DPU itself. */
static void doca_priv_mlx5_query_vhca_id(const struct doca_priv_mlx5_dev *d, uint32_t vport,
                                         bool is_dpu_vf, struct doca_core_dev_attr *attr)
{
    uint8_t in[DOCA_PRIV_MLX5_CAP_IN_BYTES] = { 0 }, out[DOCA_PRIV_MLX5_CAP_OUT_BYTES];

    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_IN_OP_MOD, 16, DOCA_PRIV_MLX5_CAP_GENERAL_NOW);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_CAP_OTHER_FUNCTION, 1, 1);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_CAP_EC_VF_FUNCTION, 1, is_dpu_vf ? 1 : 0);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_CAP_FUNCTION_ID, 16, vport);
    if (!doca_priv_mlx5_command(d, in, sizeof(in), DOCA_PRIV_MLX5_CMD_QUERY_HCA_CAP, out,
                                sizeof(out)))
        return;
    attr->vhca_id = (uint16_t)doca_priv_mlx5_get(out + DOCA_PRIV_MLX5_CAP / 8,
                                                 DOCA_PRIV_MLX5_CAP_VHCA_ID, 16);
    attr->has_no_vhca_id = 0;
}

/* Set the VUID: the firmware's text, otherwise one made from the ids of switch and port. Both are
 * unique to the function. */
static void doca_priv_mlx5_make_vuid(const struct doca_priv_mlx5_dev *d, const char *port_name,
                                     struct doca_core_dev_attr *attr)
{
    uint8_t in[DOCA_PRIV_MLX5_VUID_IN_BYTES] = { 0 }, out[DOCA_PRIV_MLX5_VUID_OUT_BYTES];
    const char *text = (const char *)out + DOCA_PRIV_MLX5_VUID_TEXT / 8;
    size_t len = 0;

    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_VUID_IN_VHCA, 16, attr->vhca_id);
    if (attr->has_no_vhca_id == 0 &&
        doca_priv_mlx5_command(d, in, sizeof(in), DOCA_PRIV_MLX5_CMD_QUERY_VUID, out,
                               sizeof(out)) &&
        doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_VUID_NUM, 16) == 1)
        while (len < sizeof(attr->vuid) - 1 && text[len] > ' ' && text[len] < 0x7f)
            len++;
    if (len > 0 && text[len] == '\0') {
        memcpy(attr->vuid, text, len + 1);
        return;
    }
    doca_priv_mlx5_copy_text(attr->vuid, sizeof(attr->vuid), d->card->switch_id);
    len = strlen(attr->vuid);
    attr->vuid[len] = '-';
    doca_priv_mlx5_copy_text(attr->vuid + len + 1, sizeof(attr->vuid) - len - 1, port_name);
}

/* Describe a function of the host. The firmware supplies the vhca id, the PCI address of the PF,
 * and the distance of the VFs' addresses from it. */
static void doca_priv_mlx5_describe_remote(struct doca_priv_mlx5_reps *reps,
                                           const struct doca_priv_mlx5_port *port,
                                           struct doca_core_dev_attr *attr)
{
    static const char digits[] = "0123456789abcdef";
    const struct doca_priv_mlx5_host *host = &reps->host;
    bool is_vf = port->kind == DOCA_PRIV_MLX5_PORT_VF;
    uint32_t at;

    attr->side = DOCA_CORE_SIDE_HOST;
    if (!host->is_queried)
        doca_priv_mlx5_query_host(reps->d, &reps->host);
    at = host->address;
    if (!host->has_pf || (port->has_controller && port->controller != host->controller))
        return;
    if (port->kind == DOCA_PRIV_MLX5_PORT_PF && host->has_vhca_id) {
        attr->vhca_id = host->vhca_id;
        attr->has_no_vhca_id = 0;
    } else if (port->kind != DOCA_PRIV_MLX5_PORT_SF && port->number < 0xffff) {
        doca_priv_mlx5_query_vhca_id(reps->d, is_vf ? port->number + 1 : 0, false, attr);
    }
    if (is_vf && port->number < 65536)
        at += host->vf_offset + host->vf_stride * port->number;
    if (at > 0xffff || (is_vf && (!host->has_vfs || port->number >= 65536)))
        return;
    memcpy(attr->pci_addr, "0000:00:00.0", DOCA_DEVINFO_PCI_ADDR_SIZE);
    attr->pci_addr[5] = digits[at >> 12];
    attr->pci_addr[6] = digits[at >> 8 & 15];
    attr->pci_addr[8] = digits[at >> 7 & 1];
    attr->pci_addr[9] = digits[at >> 3 & 15];
    attr->pci_addr[11] = digits[at & 7];
}

/* Find the PCI address of VF `number` of the device. Returns false when this machine has
 * no such VF. */
static bool doca_priv_mlx5_find_vf(const struct ibv_device *device, uint32_t number,
                                   struct doca_core_dev_attr *attr)
{
    char path[DOCA_PRIV_MLX5_PATH_BYTES], real[PATH_MAX], digits[12] = "";
    size_t at = sizeof(digits) - 1;
    struct doca_core_dev_attr vf;

    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    doca_priv_mlx5_copy_text(path, sizeof(path), device->ibdev_path);
    if (!doca_priv_mlx5_append(path, "/device/virtfn") ||
        !doca_priv_mlx5_append(path, digits + at) ||
        doca_priv_mlx5.sys->resolve_path(path, real, sizeof(real)) != 0)
        return false;
    memset(&vf, 0, sizeof(vf));
    doca_priv_mlx5_describe_path(&vf, real);
    memcpy(attr->pci_addr, vf.pci_addr, sizeof(vf.pci_addr));
    return true;
}

/* Describe a function of this machine. If the function is one of the cards that were found, copy
 * the name and the vhca id of that card. */
static void doca_priv_mlx5_describe_local(const struct doca_priv_mlx5_reps *reps,
                                          const struct doca_priv_mlx5_port *port,
                                          struct doca_core_dev_attr *attr)
{
    const struct doca_core_dev_attr *manager = &reps->d->card->attr, *found;
    bool is_sf = port->kind == DOCA_PRIV_MLX5_PORT_SF;
    uint32_t i;

    attr->side = manager->side;
    if (is_sf)
        memcpy(attr->pci_addr, manager->pci_addr, sizeof(manager->pci_addr));
    for (i = 0; attr->pci_addr[0] != '\0' && i < doca_priv_mlx5.num_cards; i++) {
        found = &doca_priv_mlx5.cards[i].attr;
        if (found->func_type != attr->func_type || strcmp(found->pci_addr, attr->pci_addr) != 0 ||
            (is_sf && found->sf_index != port->number))
            continue;
        memcpy(attr->ibdev_name, found->ibdev_name, sizeof(found->ibdev_name));
        attr->vhca_id = found->vhca_id;
        attr->has_no_vhca_id = found->has_no_vhca_id;
        return;
    }
    /* The VF is not among the cards, for example because a virtual machine uses it. */
    if (port->kind == DOCA_PRIV_MLX5_PORT_VF && port->number < 0xffff)
        doca_priv_mlx5_query_vhca_id(reps->d, port->number + 1, manager->side == DOCA_CORE_SIDE_DPU,
                                     attr);
}

enum doca_priv_mlx5_owner {
    DOCA_PRIV_MLX5_OWNER_OTHER = 0,
    DOCA_PRIV_MLX5_OWNER_DEVICE = 1,
    DOCA_PRIV_MLX5_OWNER_BOND = 2 /* a port that has no card, because it is bonded with the port of
                                   * the device */
};

/* Return the owner of an interface's port. The port belongs to the device that is the parent of the
 * interface in sysfs. On older kernels representors have no parent; then the port belongs to the
 * device whose PCI function number is the number of the PF. Bonded ports have the same switch
 * id. */
static enum doca_priv_mlx5_owner doca_priv_mlx5_owner_of(const struct doca_priv_mlx5_reps *reps,
                                                         const char *name,
                                                         const struct doca_priv_mlx5_port *port)
{
    const struct doca_priv_mlx5_card *manager = reps->d->card, *card;
    char parent[DOCA_DEVINFO_PCI_ADDR_SIZE];
    uint32_t i;

    doca_priv_mlx5_find_parent(reps->dir, name, parent);
    for (i = 0; i < doca_priv_mlx5.num_cards; i++) {
        card = &doca_priv_mlx5.cards[i];
        if (strcmp(card->switch_id, manager->switch_id) == 0 &&
            (parent[0] != '\0' ? strcmp(parent, card->attr.pci_addr) == 0
                               : port->pf == (uint32_t)(card->attr.pci_addr[11] - '0')))
            return card == manager ? DOCA_PRIV_MLX5_OWNER_DEVICE : DOCA_PRIV_MLX5_OWNER_OTHER;
    }
    return DOCA_PRIV_MLX5_OWNER_BOND;
}

/* Describe the function of a representor. The PCI address and the vhca id stay unknown if the port
 * is bonded with the port of the device. */
static void doca_priv_mlx5_describe_rep(struct doca_priv_mlx5_reps *reps, const char *name,
                                        const char *port_name,
                                        const struct doca_priv_mlx5_port *port, bool is_bond,
                                        struct doca_core_dev_attr *attr)
{
    const struct doca_priv_mlx5_card *card = reps->d->card;
    bool is_host = card->attr.side == DOCA_CORE_SIDE_HOST;

    memset(attr, 0, sizeof(*attr));
    doca_priv_mlx5_copy_text(attr->iface_name, sizeof(attr->iface_name), name);
    attr->has_no_vhca_id = 1;
    attr->sf_index = port->number; /* also for a VF; determines the order of the list */
    attr->func_type = port->kind == DOCA_PRIV_MLX5_PORT_PF   ? DOCA_PCI_FUNC_TYPE_PF
                      : port->kind == DOCA_PRIV_MLX5_PORT_VF ? DOCA_PCI_FUNC_TYPE_VF
                                                             : DOCA_PCI_FUNC_TYPE_SF;
    /* Older kernels do not report a controller; then a VF is a VF of this machine if sysfs shows a
     * device for it. */
    if (is_bond)
        attr->side = port->has_controller || (!is_host && port->kind != DOCA_PRIV_MLX5_PORT_SF)
                         ? DOCA_CORE_SIDE_HOST
                         : card->attr.side;
    else if (port->has_controller || (!is_host && port->kind == DOCA_PRIV_MLX5_PORT_PF) ||
             (port->kind == DOCA_PRIV_MLX5_PORT_VF &&
              !doca_priv_mlx5_find_vf(card->device, port->number, attr) && !is_host))
        doca_priv_mlx5_describe_remote(reps, port, attr);
    else
        doca_priv_mlx5_describe_local(reps, port, attr);
    doca_priv_mlx5_make_vuid(reps->d, port_name, attr);
}

/* The order of the list: PFs, then VFs, then SFs. For each kind, the functions of the host come
 * before the functions of the device's own side. The rest is sorted by number and name. */
static bool doca_priv_mlx5_is_before(const struct doca_core_dev_attr *a,
                                     const struct doca_core_dev_attr *b)
{
    if (a->func_type != b->func_type)
        return a->func_type < b->func_type;
    if (a->side != b->side)
        return a->side > b->side;
    if (a->sf_index != b->sf_index)
        return a->sf_index < b->sf_index;
    return strcmp(a->iface_name, b->iface_name) < 0;
}

static void doca_priv_mlx5_visit_rep(const char *name, void *data)
{
    struct doca_priv_mlx5_reps *reps = (struct doca_priv_mlx5_reps *)data;
    char switch_id[DOCA_PRIV_MLX5_SWITCH_BYTES], port_name[32];
    enum doca_priv_mlx5_owner owner;
    struct doca_core_dev_attr attr;
    struct doca_priv_mlx5_port port;
    uint32_t i;

    if (!doca_priv_mlx5_read_switch(reps->dir, name, switch_id) ||
        strcmp(switch_id, reps->d->card->switch_id) != 0 ||
        !doca_priv_mlx5_read_attr(reps->dir, name, "phys_port_name", port_name, sizeof(port_name)))
        return;
    port = doca_priv_mlx5_parse_port(port_name);
    if (port.kind < DOCA_PRIV_MLX5_PORT_PF)
        return;
    owner = doca_priv_mlx5_owner_of(reps, name, &port);
    if (owner == DOCA_PRIV_MLX5_OWNER_OTHER)
        return;
    i = reps->num++;
    if (i >= reps->max)
        return;
    doca_priv_mlx5_describe_rep(reps, name, port_name, &port, owner == DOCA_PRIV_MLX5_OWNER_BOND,
                                &attr);
    for (; i > 0 && doca_priv_mlx5_is_before(&attr, &reps->attrs[i - 1]); i--)
        reps->attrs[i] = reps->attrs[i - 1];
    reps->attrs[i] = attr;
}

/* List the representors of a device. `filter` makes no difference: all representors are network
 * functions, and these match every filter that the device offers. */
DOCA_PRIV_DECL uint32_t doca_priv_mlx5_enumerate_reps(struct doca_dev *dev, int filter,
                                                      struct doca_core_dev_attr *attrs,
                                                      uint32_t max)
{
    struct doca_priv_mlx5_reps reps;

    (void)filter;
    memset(&reps, 0, sizeof(reps));
    reps.d = doca_priv_mlx5_dev_of(dev);
    reps.attrs = attrs;
    reps.max = max;
    doca_priv_mlx5_net_dir(reps.d->card->device, reps.dir);
    (void)doca_priv_mlx5.sys->list_names(reps.dir, doca_priv_mlx5_visit_rep, &reps);
    return reps.num;
}

/* part: src/mlx5/mkey.c */
/* ---- >>mlx5.mkey ----------------------------------------------------------------------------
 * Memory registration. Each registration is a block of the device's arena, linked into one of the
 * device's hash lists.                                                                          */

/* Convert DOCA permissions to access flags of verbs. Verbs require local write access for remote
 * writes and atomics, so it is included. Relaxed ordering is optional: devices without it ignore
 * the flag. */
DOCA_PRIV_DECL unsigned doca_priv_mlx5_access(uint32_t access)
{
    static const struct {
        uint32_t doca;
        unsigned verbs;
    } rows[] = {
        { DOCA_ACCESS_FLAG_LOCAL_READ_WRITE, IBV_ACCESS_LOCAL_WRITE },
        { DOCA_ACCESS_FLAG_RDMA_READ, IBV_ACCESS_REMOTE_READ },
        { DOCA_ACCESS_FLAG_RDMA_WRITE, IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_LOCAL_WRITE },
        { DOCA_ACCESS_FLAG_RDMA_ATOMIC, IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_LOCAL_WRITE },
        { DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING, IBV_ACCESS_RELAXED_ORDERING },
    };
    unsigned verbs = 0;
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if ((access & rows[i].doca) != 0)
            verbs |= rows[i].verbs;
    return verbs;
}

static struct ibv_mr *doca_priv_mlx5_reg_mr(const struct doca_priv_mlx5_dev *d,
                                            const struct doca_core_range *range, unsigned access)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;

    errno = 0;
    return range->dmabuf_fd < 0
               ? sys->reg_mr(d->pd, range->addr, range->len, access)
               : sys->reg_dmabuf_mr(d->pd, range->dmabuf_offset, range->len,
                                    (uint64_t)(uintptr_t)range->addr, range->dmabuf_fd, access);
}

/* Return the mkey of a registration or of an import. */
static uint32_t doca_priv_mlx5_reg_mkey(const struct doca_priv_mlx5_reg *reg)
{
    return reg->mr != NULL ? reg->mr->lkey : reg->key;
}

/* Link a registration or an import into the hash list for its mkey. */
DOCA_PRIV_DECL void doca_priv_mlx5_reg_add(struct doca_priv_mlx5_dev *d,
                                           struct doca_priv_mlx5_reg *reg)
{
    const uint32_t number = doca_priv_mlx5_reg_mkey(reg) >> 8;
    struct doca_priv_mlx5_reg **list = &d->regs[number % DOCA_PRIV_MLX5_NUM_LISTS];

    doca_priv_mlx5_lock(&d->lock);
    reg->next = *list;
    *list = reg;
    doca_priv_mlx5_unlock(&d->lock);
}

/* Find a registration, or an import if `is_import` is set, by its mkey. Returns NULL when it does
 * not exist. `remove`: also remove it from its list. */
DOCA_PRIV_DECL struct doca_priv_mlx5_reg *
doca_priv_mlx5_reg_find(struct doca_priv_mlx5_dev *d, uint32_t mkey, bool is_import, bool remove)
{
    struct doca_priv_mlx5_reg **link = &d->regs[(mkey >> 8) % DOCA_PRIV_MLX5_NUM_LISTS], *reg;

    doca_priv_mlx5_lock(&d->lock);
    while (*link != NULL &&
           (doca_priv_mlx5_reg_mkey(*link) != mkey || ((*link)->mr == NULL) != is_import))
        link = &(*link)->next;
    reg = *link;
    if (reg != NULL && remove)
        *link = reg->next;
    doca_priv_mlx5_unlock(&d->lock);
    return reg;
}

/* Allocate a block from the device's arena. `function`: name of the public call that needs it, for
 * the log. */
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_arena_alloc(const struct doca_dev *dev, size_t bytes,
                                                       const char *function, void **block)
{
    doca_error_t rc = doca_core_arena_take(dev->info.arena, bytes, block);

    return rc == DOCA_SUCCESS ? rc
                              : doca_core_backend_fail(rc, DOCA_CORE_ITEM_ARENA_EXHAUSTED, function,
                                                       dev->info.arena, 0);
}

/* Report a refused registration; errno holds the reason. `is_write_mr`: the second registration,
 * for writes by queue pairs, was refused. After EFAULT the core first checks whether the CPU can
 * access the range; if it cannot, the core reports the page. */
static doca_error_t doca_priv_mlx5_reg_refused(struct doca_dev *dev,
                                               const struct doca_core_range *range,
                                               bool is_write_mr)
{
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();
    const int error = errno;
    doca_error_t rc =
        error == EFAULT ? doca_core_backend_probe(range, "doca_mmap_start") : DOCA_SUCCESS;

    if (rc != DOCA_SUCCESS)
        return rc;
    why.step = range->dmabuf_fd >= 0 ? DOCA_PRIV_MLX5_TEXT("register the dmabuf")
               : is_write_mr ? DOCA_PRIV_MLX5_TEXT("register the memory for writes by the device")
                        : DOCA_PRIV_MLX5_TEXT("register the memory");
    why.hint = doca_priv_mlx5_memory_hint(error, range->dmabuf_fd >= 0);
    errno = error;
    return doca_priv_mlx5_report("doca_mmap_start", dev, &why);
}

/* Register a range. *internal_mkey receives the key that queue pairs write with. */
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_reg_range(struct doca_dev *dev,
                                                     const struct doca_core_range *range,
                                                     uint32_t *mkey, uint32_t *internal_mkey)
{
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    bool wants_write_mr = (d->card->engine == DOCA_CORE_MLX5_ENGINE_RC ||
                           d->card->engine == DOCA_CORE_MLX5_ENGINE_VERBS) &&
                     (range->access & DOCA_ACCESS_FLAG_LOCAL_READ_WRITE) != 0;
    const uint32_t relaxed = range->access & DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING;
    struct doca_priv_mlx5_reg *reg;
    void *block = NULL;
    doca_error_t rc = doca_priv_mlx5_arena_alloc(dev, sizeof(*reg), "doca_mmap_start", &block);

    if (rc != DOCA_SUCCESS)
        return rc;
    reg = (struct doca_priv_mlx5_reg *)block;
    memset(reg, 0, sizeof(*reg));
    reg->mr = doca_priv_mlx5_reg_mr(d, range, doca_priv_mlx5_access(range->access));
    if (reg->mr != NULL && wants_write_mr)
        reg->write_mr = doca_priv_mlx5_reg_mr(
            d, range, doca_priv_mlx5_access(DOCA_ACCESS_FLAG_RDMA_WRITE | relaxed));
    if (reg->mr == NULL || (wants_write_mr && reg->write_mr == NULL)) {
        rc = doca_priv_mlx5_reg_refused(dev, range, reg->mr != NULL);
        if (reg->mr != NULL)
            (void)doca_priv_mlx5.sys->dereg_mr(reg->mr);
        (void)doca_core_arena_give(dev->info.arena, reg);
        return rc;
    }
    reg->access = (uint16_t)range->access;
    *mkey = reg->mr->lkey;
    *internal_mkey = reg->write_mr != NULL ? reg->write_mr->rkey : reg->mr->lkey;
    doca_priv_mlx5_reg_add(d, reg);
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL void doca_priv_mlx5_dereg(struct doca_dev *dev, uint32_t mkey)
{
    struct doca_priv_mlx5_reg *reg =
        doca_priv_mlx5_reg_find(doca_priv_mlx5_dev_of(dev), mkey, false, true);
    int error = 0;

    if (reg == NULL)
        return;
    if (reg->write_mr != NULL)
        error = doca_priv_mlx5.sys->dereg_mr(reg->write_mr);
    doca_priv_mlx5_keep_first(&error, doca_priv_mlx5.sys->dereg_mr(reg->mr));
    doca_priv_mlx5_log_leak(error, DOCA_CORE_ITEM_MLX5_KEPT, "doca_mmap_stop",
                            DOCA_PRIV_MLX5_TEXT("deregister the memory"));
    (void)doca_core_arena_give(dev->info.arena, reg);
}

/* part: src/mlx5/share.c */
/* ---- >>mlx5.share ---------------------------------------------------------------------------
 * Exports and imports: memory ranges that other functions of the card use, in the host or on the
 * DPU. The exporter creates a further mkey of the range, with the rights of the export, and allows
 * functions that know a secret to use it. The importer creates an alias of this mkey. The alias is
 * a key of the importer's own device: it serves as lkey, and as rkey of its queue pairs, with the
 * exporter's addresses. When the exporter's mkey is destroyed, at the end of the export or of its
 * process, tasks that use aliases of it fail in the device.
 * An import without an alias is possible only on the device that exported the range. It uses the
 * keys of the exporter's registration and creates no object.                                    */

struct doca_priv_mlx5_blob { /* the backend's part of an export descriptor */
    uint64_t sys_image_guid; /* equal for all functions of one card */
    uint64_t process;        /* identifies the exporting process; 0: not available */
    uint32_t index;          /* index of the export's mkey; 0: importers use the exporter's
                              * registration */
    uint32_t mkey;           /* mkey of the exporter's registration */
    uint16_t dev_index;      /* number of the device within the exporting process */
    uint16_t vhca_id;
    uint16_t version;        /* 1 */
    uint8_t access_key[DOCA_PRIV_MLX5_ACCESS_KEY_BYTES]; /* secret random bytes */
};
DOCA_PRIV_MLX5_ASSERT(blob, sizeof(struct doca_priv_mlx5_blob) <= DOCA_CORE_EXPORT_BYTES);

/* Return the name of a command status in the programmer's reference manual; NULL for success. */
static const char *doca_priv_mlx5_status_name(uint32_t status)
{
    static const struct {
        uint8_t status;
        const char *name;
    } rows[] = {
        { 0x01, "INT_ERR" },       { 0x02, "BAD_OP" },        { 0x03, "BAD_PARAM" },
        { 0x04, "BAD_SYS_STATE" }, { 0x05, "BAD_RES" },       { 0x06, "RES_BUSY" },
        { 0x08, "EXCEED_LIM" },    { 0x09, "BAD_RES_STATE" }, { 0x0a, "BAD_INDEX" },
        { 0x0f, "NO_RESOURCES" },  { 0x10, "BAD_RES_STATE" }, { 0x30, "BAD_PKT" },
        { 0x40, "BAD_SIZE" },      { 0x50, "BAD_INPUT_LEN" }, { 0x51, "BAD_OUTPUT_LEN" },
    };
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].status == status)
            return rows[i].name;
    return status == 0 ? NULL : DOCA_PRIV_MLX5_TEXT("unknown status");
}

/* Copy the firmware's status and syndrome into *why. Returns false when the firmware
 * reported no error. */
DOCA_PRIV_DECL bool doca_priv_mlx5_get_status(const uint8_t *out, struct doca_core_refusal *why)
{
    const uint32_t status = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_OUT_STATUS, 8);

    why->status = doca_priv_mlx5_status_name(status);
    why->syndrome = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_OUT_SYNDROME, 32);
    return status != 0;
}

/* Report a failed command. The result is `code` with the reason `item`, unless the firmware's
 * status shows that the command failed for a more general reason, such as a lack of resources. */
static doca_error_t doca_priv_mlx5_command_failed(const uint8_t *out, const char *function,
                                                  const char *step, doca_error_t code,
                                                  enum doca_core_item item)
{
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();

    why.step = step;
    if (!doca_priv_mlx5_get_status(out, &why))
        return doca_priv_mlx5_report(function, NULL, &why);
    switch (doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_OUT_STATUS, 8)) {
    case DOCA_PRIV_MLX5_STATUS_BAD_OP:
        code = DOCA_ERROR_NOT_SUPPORTED;
        item = DOCA_CORE_ITEM_MLX5_COMMAND;
        break;
    case DOCA_PRIV_MLX5_STATUS_EXCEED_LIM:
    case DOCA_PRIV_MLX5_STATUS_NO_RESOURCES:
        code = DOCA_ERROR_NO_MEMORY;
        item = DOCA_CORE_ITEM_MLX5_COMMAND;
        break;
    case DOCA_PRIV_MLX5_STATUS_INT_ERR:
    case DOCA_PRIV_MLX5_STATUS_BAD_SYS_STATE:
        code = DOCA_ERROR_DRIVER;
        item = DOCA_CORE_ITEM_MLX5_COMMAND;
        break;
    default:
        break;
    }
    if (item != DOCA_CORE_ITEM_MLX5_COMMAND)
        why.step = NULL; /* the text of `item` already names the step */
    return doca_core_backend_refuse(code, item, function, NULL, &why);
}

static uint32_t doca_priv_mlx5_pdn(struct ibv_pd *pd)
{
    struct mlx5dv_obj obj;
    struct mlx5dv_pd out;

    memset(&obj, 0, sizeof(obj));
    memset(&out, 0, sizeof(out));
    obj.pd.in = pd;
    obj.pd.out = &out;
    return doca_priv_mlx5.sys->init_obj(&obj, MLX5DV_OBJ_PD) == 0 ? out.pdn : 0;
}

static void doca_priv_mlx5_set64(uint8_t *cmd, uint32_t bit, uint64_t value)
{
    doca_priv_mlx5_set(cmd, bit, 32, (uint32_t)(value >> 32));
    doca_priv_mlx5_set(cmd, bit + 32, 32, (uint32_t)value);
}

/* Build the command CREATE_MKEY for a umem. The access flags are the same as for a registration by
 * verbs; remote read permission also allows the DMA engine to use the memory as a source. Relaxed
 * ordering is only requested if the firmware supports it, because the firmware refuses the command
 * otherwise. An alias of this mkey has no attributes of its own: the attributes of the mkey
 * apply. */
static void doca_priv_mlx5_pack_mkey(uint8_t in[DOCA_PRIV_MLX5_MKEY_IN_BYTES],
                                     const struct doca_priv_mlx5_caps *caps, uint32_t umem_id,
                                     uint32_t pdn, uint64_t addr, uint64_t len, unsigned access)
{
    bool is_relaxed = (access & IBV_ACCESS_RELAXED_ORDERING) != 0;
    const uint32_t log_page = 12;
    uint64_t pages = ((addr & 4095) + len + 4095) >> log_page;
    uint32_t octwords = (uint32_t)((pages + 1) / 2); /* 8 bytes for each page */

    memset(in, 0, DOCA_PRIV_MLX5_MKEY_IN_BYTES);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_IN_OPCODE, 16, DOCA_PRIV_MLX5_CMD_CREATE_MKEY);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKEY_IN_OCTWORDS, 32, octwords);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKEY_IN_UMEM_ID, 32, umem_id);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_RELAXED_WRITE, 1,
                       is_relaxed && caps->has_relaxed_write);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_RELAXED_READ, 1,
                       is_relaxed && caps->has_relaxed_read);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_A, 1, (access & IBV_ACCESS_REMOTE_ATOMIC) != 0);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_RW, 1, (access & IBV_ACCESS_REMOTE_WRITE) != 0);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_RR, 1, (access & IBV_ACCESS_REMOTE_READ) != 0);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_LW, 1, (access & IBV_ACCESS_LOCAL_WRITE) != 0);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_LR, 1, (access & IBV_ACCESS_REMOTE_READ) != 0);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_ACCESS_MODE, 2, DOCA_PRIV_MLX5_MKC_MODE_MTT);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_QPN, 24, 0xffffff);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_PD, 24, pdn);
    doca_priv_mlx5_set64(in, DOCA_PRIV_MLX5_MKC_START_ADDR, addr);
    doca_priv_mlx5_set64(in, DOCA_PRIV_MLX5_MKC_LEN, len);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_OCTWORDS, 32, octwords);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_MKC_LOG_PAGE_SIZE, 5, log_page);
}

/* Return the access flags of an export, derived from the permissions of the mmap. */
static unsigned doca_priv_mlx5_share_access(uint32_t access, bool is_rdma)
{
    const unsigned writes =
        IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC;
    unsigned verbs = doca_priv_mlx5_access(access & DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING);

    /* doca_priv_mlx5_access() adds write permission to the atomic permission, because registrations
     * by verbs need it. The mkey of an export does not. */
    if (is_rdma)
        return verbs |
               doca_priv_mlx5_access(access &
                                     (DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE)) |
               ((access & DOCA_ACCESS_FLAG_RDMA_ATOMIC) != 0 ? (unsigned)IBV_ACCESS_REMOTE_ATOMIC
                                                             : 0u);
    if ((access & (DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE)) != 0)
        verbs |= IBV_ACCESS_REMOTE_READ;
    return (access & DOCA_ACCESS_FLAG_PCI_READ_WRITE) != 0 ? verbs | writes : verbs;
}

/* End an export. If the device refuses to destroy the mkey, the mkey leaks and importers can still
 * use it. */
static void doca_priv_mlx5_share_destroy(struct doca_priv_mlx5_share *share)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    int error = share->obj != NULL ? sys->obj_destroy(share->obj) : 0;

    doca_priv_mlx5_keep_first(&error, share->umem != NULL ? sys->umem_dereg(share->umem) : 0);
    doca_priv_mlx5_log_leak(error, DOCA_CORE_ITEM_MLX5_KEPT, "doca_mmap_stop",
                            DOCA_PRIV_MLX5_TEXT("destroy the key of an export"));
    share->obj = NULL;
    share->umem = NULL;
}

/* Create the mkey of an export, and store its index in *index. */
static doca_error_t doca_priv_mlx5_share_create(const struct doca_priv_mlx5_dev *d,
                                                const struct ibv_mr *mr, unsigned access,
                                                struct doca_priv_mlx5_share *share, uint32_t *index,
                                                const char *function)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    uint8_t in[DOCA_PRIV_MLX5_MKEY_IN_BYTES], out[DOCA_PRIV_MLX5_MKEY_OUT_BYTES];
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();

    errno = 0;
    share->umem = sys->umem_reg(
        d->context, mr->addr, mr->length,
        (access & (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC)) != 0 ? IBV_ACCESS_LOCAL_WRITE
                                                                           : 0);
    if (share->umem == NULL) {
        why.step = DOCA_PRIV_MLX5_TEXT("register the memory for an export");
        why.hint = doca_priv_mlx5_memory_hint(errno, false);
        return doca_priv_mlx5_report(function, NULL, &why);
    }
    doca_priv_mlx5_pack_mkey(in, &d->card->caps, share->umem->umem_id, doca_priv_mlx5_pdn(d->pd),
                             (uintptr_t)mr->addr, mr->length, access);
    memset(out, 0, sizeof(out));
    share->obj = sys->obj_create(d->context, in, sizeof(in), out, sizeof(out));
    if (share->obj == NULL)
        return doca_priv_mlx5_command_failed(
            out, function, DOCA_PRIV_MLX5_TEXT("make a key for the export (CREATE_MKEY)"),
            DOCA_ERROR_DRIVER, DOCA_CORE_ITEM_MLX5_COMMAND);
    *index = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_MKEY_OUT_INDEX, 24);
    return DOCA_SUCCESS;
}

/* Allow every function that knows the access key to create an alias of the export's mkey. */
static doca_error_t doca_priv_mlx5_share_allow(const struct doca_priv_mlx5_dev *d,
                                               const struct doca_priv_mlx5_blob *b,
                                               const char *function)
{
    uint8_t in[DOCA_PRIV_MLX5_ALLOW_BYTES], out[DOCA_PRIV_MLX5_MKEY_OUT_BYTES];
    int error;

    memset(in, 0, sizeof(in));
    memset(out, 0, sizeof(out));
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_IN_OPCODE, 16,
                       DOCA_PRIV_MLX5_CMD_ALLOW_OTHER_VHCA_ACCESS);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_ALLOW_OBJECT_TYPE, 16, DOCA_PRIV_MLX5_OBJ_TYPE_MKEY);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_ALLOW_OBJECT_ID, 32, b->index);
    memcpy(in + DOCA_PRIV_MLX5_ALLOW_KEY / 8, b->access_key, sizeof(b->access_key));
    error = doca_priv_mlx5.sys->general_cmd(d->context, in, sizeof(in), out, sizeof(out));
    if (error == 0)
        return DOCA_SUCCESS;
    errno = error;
    return doca_priv_mlx5_command_failed(
        out, function,
        DOCA_PRIV_MLX5_TEXT("allow other functions to use the key (ALLOW_OTHER_VHCA_ACCESS)"),
        DOCA_ERROR_DRIVER, DOCA_CORE_ITEM_MLX5_COMMAND);
}

/* Return the part of the secret that the exporter remembers, to check imports without an alias;
 * never 0. */
static uint32_t doca_priv_mlx5_short_secret(const struct doca_priv_mlx5_blob *b)
{
    uint32_t key;

    memcpy(&key, b->access_key, sizeof(key));
    return key | 1;
}

static void doca_priv_mlx5_set_secret(struct doca_priv_mlx5_dev *d, struct doca_priv_mlx5_reg *reg,
                                      uint32_t key)
{
    doca_priv_mlx5_lock(&d->lock); /* a thread that imports may read the key at the same time */
    reg->key = key;
    doca_priv_mlx5_unlock(&d->lock);
}

/* Return the number that identifies this process in exports; 0: not available. A child of fork()
 * inherits the random number, so the result also depends on the process identifier. */
static uint64_t doca_priv_mlx5_process(void)
{
    return doca_priv_mlx5.process == 0 ? 0 : doca_priv_mlx5.process ^ (uint64_t)getpid();
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_mem_export(struct doca_dev *dev, uint32_t mkey,
                                                      uint32_t internal_mkey, bool is_rdma,
                                                      unsigned char blob[DOCA_CORE_EXPORT_BYTES])
{
    const char *function = is_rdma ? "doca_mmap_export_rdma" : "doca_mmap_export_pci";
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    struct doca_priv_mlx5_reg *reg = doca_priv_mlx5_reg_find(d, mkey, false, false);
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();
    struct doca_priv_mlx5_share *share;
    struct doca_priv_mlx5_blob b;
    doca_error_t rc = DOCA_SUCCESS;

    (void)internal_mkey;
    if (reg == NULL)
        return DOCA_ERROR_NOT_FOUND;
    share = &reg->shares[is_rdma];
    memset(&b, 0, sizeof(b));
    b.version = 1;
    b.vhca_id = d->card->caps.vhca_id;
    b.sys_image_guid = d->card->caps.sys_image_guid;
    b.process = is_rdma ? doca_priv_mlx5_process() : 0;
    b.dev_index = (uint16_t)(d - doca_priv_mlx5.devs);
    b.mkey = mkey;
    why.step = DOCA_PRIV_MLX5_TEXT("give random bytes (getrandom)");
    if (getrandom(b.access_key, sizeof(b.access_key), 0) != (ssize_t)sizeof(b.access_key))
        return doca_priv_mlx5_report_as(DOCA_ERROR_OPERATING_SYSTEM, DOCA_CORE_ITEM_MLX5_CALL,
                                        function, NULL, errno, &why);
    if (d->card->caps.has_export) {
        rc = doca_priv_mlx5_share_create(d, reg->mr,
                                         doca_priv_mlx5_share_access(reg->access, is_rdma), share,
                                         &b.index, function);
        if (rc == DOCA_SUCCESS)
            rc = doca_priv_mlx5_share_allow(d, &b, function);
    }
    if (rc != DOCA_SUCCESS) {
        doca_priv_mlx5_share_destroy(share);
        return rc;
    }
    if (is_rdma)
        doca_priv_mlx5_set_secret(d, reg, doca_priv_mlx5_short_secret(&b));
    memcpy(blob, &b, sizeof(b));
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL void doca_priv_mlx5_mem_unexport(struct doca_dev *dev, uint32_t mkey,
                                                uint32_t internal_mkey, bool is_rdma)
{
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    struct doca_priv_mlx5_reg *reg = doca_priv_mlx5_reg_find(d, mkey, false, false);

    (void)internal_mkey;
    if (reg == NULL)
        return;
    doca_priv_mlx5_share_destroy(&reg->shares[is_rdma]);
    if (is_rdma)
        doca_priv_mlx5_set_secret(d, reg, 0);
}

static doca_error_t doca_priv_mlx5_import_failed(doca_error_t code, enum doca_core_item item)
{
    return doca_core_backend_fail(code, item, "doca_mmap_create_from_export", NULL, 0);
}

/* Import a range that this device cannot access itself. RDMA tasks of a connected queue pair access
 * the range with the exporter's key, which the core knows. Every other task is refused, because the
 * import has no key of this device. If the library has no RDMA tasks, the import is refused for the
 * reason `item`. */
static doca_error_t doca_priv_mlx5_import_by_key(enum doca_core_item item, uint32_t *mkey,
                                                 uint32_t *internal_mkey)
{
#ifdef DOCA_CORE_RDMA_VERBS
    (void)item;
    *mkey = *internal_mkey = 0;
    return DOCA_SUCCESS;
#else
    (void)mkey;
    (void)internal_mkey;
    return doca_priv_mlx5_import_failed(DOCA_ERROR_NOT_SUPPORTED, item);
#endif
}

/* Import, for RDMA, a range that the same device exports. The import has separate keys for reading
 * and for writing. A key is 0, which is never valid, if the exporter did not grant the right. */
static doca_error_t doca_priv_mlx5_import_same_dev(struct doca_priv_mlx5_dev *d,
                                                   const struct doca_core_range *range,
                                                   const struct doca_priv_mlx5_blob *b,
                                                   uint32_t *mkey, uint32_t *internal_mkey)
{
    const struct doca_priv_mlx5_reg *reg;
    bool is_valid;

    if (b->process == 0 || b->process != doca_priv_mlx5_process() ||
        b->dev_index != d - doca_priv_mlx5.devs)
        return doca_priv_mlx5_import_by_key(DOCA_CORE_ITEM_MLX5_NO_ALIAS, mkey, internal_mkey);
    doca_priv_mlx5_lock(&d->lock); /* another thread may stop the exporter's mmap */
    reg = d->regs[(b->mkey >> 8) % DOCA_PRIV_MLX5_NUM_LISTS];
    while (reg != NULL && (reg->mr == NULL || reg->mr->lkey != b->mkey))
        reg = reg->next;
    is_valid = reg != NULL && reg->key == doca_priv_mlx5_short_secret(b) &&
               reg->mr->addr == range->addr && reg->mr->length == range->len;
    if (is_valid) {
        *mkey = (reg->access & DOCA_ACCESS_FLAG_RDMA_READ) != 0 ? reg->mr->lkey : 0;
        *internal_mkey = (reg->access & DOCA_ACCESS_FLAG_RDMA_WRITE) != 0 ? reg->mr->rkey : 0;
    }
    doca_priv_mlx5_unlock(&d->lock);
    return is_valid ? DOCA_SUCCESS
                    : doca_priv_mlx5_import_failed(DOCA_ERROR_INVALID_VALUE,
                                                   DOCA_CORE_ITEM_MLX5_NO_EXPORT);
}

/* Create the alias that an export descriptor describes. */
static doca_error_t doca_priv_mlx5_alias(const struct doca_priv_mlx5_dev *d,
                                         const struct doca_priv_mlx5_blob *b,
                                         struct doca_priv_mlx5_reg *reg)
{
    uint8_t in[DOCA_PRIV_MLX5_OBJ_BYTES], out[DOCA_PRIV_MLX5_OBJ_BYTES];

    memset(in, 0, sizeof(in));
    memset(out, 0, sizeof(out));
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_IN_OPCODE, 16, DOCA_PRIV_MLX5_CMD_CREATE_GENERAL_OBJECT);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_OBJ_TYPE, 16, DOCA_PRIV_MLX5_OBJ_TYPE_MKEY);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_OBJ_ALIAS, 1, 1);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_ALIAS_VHCA, 16, b->vhca_id);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_ALIAS_OBJECT, 32, b->index);
    memcpy(in + DOCA_PRIV_MLX5_ALIAS_KEY / 8, b->access_key, sizeof(b->access_key));
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_ALIAS_PD, 32, doca_priv_mlx5_pdn(d->pd));
    errno = 0;
    reg->shares[0].obj = doca_priv_mlx5.sys->obj_create(d->context, in, sizeof(in), out,
                                                        sizeof(out));
    if (reg->shares[0].obj == NULL)
        return doca_priv_mlx5_command_failed(
            out, "doca_mmap_create_from_export",
            DOCA_PRIV_MLX5_TEXT("make an alias of the export's key (CREATE_GENERAL_OBJECT)"),
            DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MLX5_NO_EXPORT);
    if (doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ALIAS_STATUS, 3) != 0) {
        (void)doca_priv_mlx5.sys->obj_destroy(reg->shares[0].obj);
        return doca_priv_mlx5_import_failed(DOCA_ERROR_INVALID_VALUE,
                                            DOCA_CORE_ITEM_MLX5_NO_EXPORT);
    }
    reg->key = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_OBJ_ID, 32) << 8;
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_mem_import(
    struct doca_dev *dev, const struct doca_core_range *range, bool is_rdma,
    const unsigned char blob[DOCA_CORE_EXPORT_BYTES], uint32_t *mkey, uint32_t *internal_mkey)
{
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    struct doca_priv_mlx5_reg *reg;
    struct doca_priv_mlx5_blob b;
    void *block = NULL;
    doca_error_t rc;

    memcpy(&b, blob, sizeof(b));
    if (b.version != 1)
        return doca_priv_mlx5_import_failed(DOCA_ERROR_NOT_SUPPORTED,
                                            DOCA_CORE_ITEM_EXPORT_VERSION);
    if (b.index == 0 || !d->card->caps.has_import)
        return is_rdma ? doca_priv_mlx5_import_same_dev(d, range, &b, mkey, internal_mkey)
                       : doca_priv_mlx5_import_failed(DOCA_ERROR_NOT_SUPPORTED,
                                                      DOCA_CORE_ITEM_MLX5_NO_ALIAS);
    if (b.sys_image_guid != d->card->caps.sys_image_guid)
        return is_rdma ? doca_priv_mlx5_import_by_key(DOCA_CORE_ITEM_MLX5_OTHER_CARD, mkey,
                                                      internal_mkey)
                       : doca_priv_mlx5_import_failed(DOCA_ERROR_NOT_SUPPORTED,
                                                      DOCA_CORE_ITEM_MLX5_OTHER_CARD);
    rc = doca_priv_mlx5_arena_alloc(dev, sizeof(*reg), "doca_mmap_create_from_export", &block);
    if (rc != DOCA_SUCCESS)
        return rc;
    reg = (struct doca_priv_mlx5_reg *)block;
    memset(reg, 0, sizeof(*reg));
    rc = doca_priv_mlx5_alias(d, &b, reg);
    if (rc != DOCA_SUCCESS) {
        (void)doca_core_arena_give(dev->info.arena, reg);
        return rc;
    }
    doca_priv_mlx5_reg_add(d, reg);
    *mkey = reg->key;
    *internal_mkey = reg->key; /* the alias serves for both sources and destinations */
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL void doca_priv_mlx5_mem_unimport(struct doca_dev *dev, uint32_t mkey,
                                                uint32_t internal_mkey)
{
    struct doca_priv_mlx5_reg *reg =
        doca_priv_mlx5_reg_find(doca_priv_mlx5_dev_of(dev), mkey, true, true);

    (void)internal_mkey;
    if (reg == NULL)
        return;
    doca_priv_mlx5_log_leak(doca_priv_mlx5.sys->obj_destroy(reg->shares[0].obj),
                            DOCA_CORE_ITEM_MLX5_KEPT, "doca_mmap_destroy",
                            DOCA_PRIV_MLX5_TEXT("destroy the alias of an export's key"));
    (void)doca_core_arena_give(dev->info.arena, reg);
}

/* part: src/mlx5/dm.c */
/* ---- >>mlx5.dm ------------------------------------------------------------------------------
 * Memory on the NIC.
 * The keys of this memory address it from 0. The addresses of mmaps and buffers begin one cache
 * line later, so that no buffer has the address NULL. (It is assumed that the DMA engine uses such
 * keys in the same way as RDMA does.) The firmware registers whole units of 64 bytes, and libmlx5
 * copies whole words; the functions of this part accept any range of bytes.                     */

#define DOCA_PRIV_MLX5_DM_BEGIN DOCA_CORE_LINE
/* Device memory is allocated and registered in units of this many bytes. */
#define DOCA_PRIV_MLX5_DM_UNIT ((size_t)64)
#define DOCA_PRIV_MLX5_DM_WORD ((size_t)4)  /* bytes; the CPU reads and writes whole words */

/* Return the number of bytes to allocate and register for an mmap of `len` bytes; 0 on overflow. */
DOCA_PRIV_DECL size_t doca_priv_mlx5_dm_bytes(size_t len)
{
    const size_t more = DOCA_PRIV_MLX5_DM_BEGIN + DOCA_PRIV_MLX5_DM_UNIT - 1;

    return len > SIZE_MAX - more ? 0
                                 : (len + more) / DOCA_PRIV_MLX5_DM_UNIT * DOCA_PRIV_MLX5_DM_UNIT;
}

/* Release the registrations and the memory, as far as they were created. */
static void doca_priv_mlx5_dm_release(const struct doca_priv_mlx5_dm *dm)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    int error = 0;

    if (dm->write_mr != NULL)
        error = sys->dereg_mr(dm->write_mr);
    if (dm->mr != NULL)
        doca_priv_mlx5_keep_first(&error, sys->dereg_mr(dm->mr));
    if (dm->dm != NULL)
        doca_priv_mlx5_keep_first(&error, sys->free_dm(dm->dm));
    doca_priv_mlx5_log_leak(error, DOCA_CORE_ITEM_MLX5_KEPT, "doca_mmap_destroy",
                            DOCA_PRIV_MLX5_TEXT("free the device's memory"));
}

/* Return the device memory with this mkey, or NULL. `remove`: also remove it from the list. */
DOCA_PRIV_DECL struct doca_priv_mlx5_dm *doca_priv_mlx5_dm_find(struct doca_priv_mlx5_dev *d,
                                                                uint32_t mkey, bool remove)
{
    struct doca_priv_mlx5_dm **link = &d->dms, *dm;

    doca_priv_mlx5_lock(&d->lock);
    while (*link != NULL && (*link)->mr->lkey != mkey)
        link = &(*link)->next;
    dm = *link;
    if (dm != NULL && remove)
        *link = dm->next;
    doca_priv_mlx5_unlock(&d->lock);
    return dm;
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_dm_alloc(struct doca_dev *dev, size_t len, void **addr,
                                                    uint32_t *mkey, uint32_t *internal_mkey)
{
    const unsigned access = IBV_ACCESS_ZERO_BASED | IBV_ACCESS_LOCAL_WRITE;
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    const size_t bytes = doca_priv_mlx5_dm_bytes(len);
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();
    struct doca_priv_mlx5_dm *dm;
    void *block = NULL;
    doca_error_t rc;

    if (bytes == 0)
        return DOCA_ERROR_NO_MEMORY;
    rc = doca_priv_mlx5_arena_alloc(dev, sizeof(*dm), "doca_core_mmap_create_on_dev", &block);
    if (rc != DOCA_SUCCESS)
        return rc;
    dm = (struct doca_priv_mlx5_dm *)block;
    memset(dm, 0, sizeof(*dm));
    errno = 0;
    dm->dm = sys->alloc_dm(d->context, bytes);
    if (dm->dm == NULL && errno == EINVAL)
        errno = ENOMEM; /* the request exceeds the device's total memory */
    if (dm->dm != NULL)
        dm->mr = sys->reg_dm_mr(d->pd, dm->dm, bytes, access);
    if (dm->mr != NULL)
        dm->write_mr = sys->reg_dm_mr(d->pd, dm->dm, bytes, access | IBV_ACCESS_REMOTE_WRITE);
    if (dm->write_mr == NULL) {
        why.step = dm->dm == NULL ? DOCA_PRIV_MLX5_TEXT("allocate memory of the device")
                                  : DOCA_PRIV_MLX5_TEXT("register memory of the device");
        if (dm->dm == NULL && errno == ENOMEM)
            why.hint = DOCA_PRIV_MLX5_TEXT("the device has not enough memory left (ibv_devinfo -v: "
                                           "max_dm_size)");
        rc = doca_priv_mlx5_report("doca_core_mmap_create_on_dev", dev, &why);
        doca_priv_mlx5_dm_release(dm);
        (void)doca_core_arena_give(dev->info.arena, dm);
        return rc;
    }
    *addr = (void *)(uintptr_t)DOCA_PRIV_MLX5_DM_BEGIN;
    /* analyzer: core.NullDereference: dm->write_mr is not NULL, hence dm->mr is not NULL either */
    *mkey = dm->mr->lkey;
    *internal_mkey = dm->write_mr->rkey;
    doca_priv_mlx5_lock(&d->lock);
    dm->next = d->dms;
    d->dms = dm;
    doca_priv_mlx5_unlock(&d->lock);
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL void doca_priv_mlx5_dm_free(struct doca_dev *dev, uint32_t mkey)
{
    struct doca_priv_mlx5_dm *dm = doca_priv_mlx5_dm_find(doca_priv_mlx5_dev_of(dev), mkey, true);

    if (dm == NULL)
        return;
    doca_priv_mlx5_dm_release(dm);
    (void)doca_core_arena_give(dev->info.arena, dm);
}

/* Copy `len` bytes that lie within one word of the device. A write reads the word first; the lock
 * keeps other threads of the process from writing the word in between. Return 0 or an errno. */
static int doca_priv_mlx5_dm_copy_part(struct doca_priv_mlx5_dev *d, struct ibv_dm *dm,
                                       uint64_t offset, unsigned char *bytes, size_t len,
                                       bool is_write)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    const size_t in_word = (size_t)(offset % DOCA_PRIV_MLX5_DM_WORD);
    unsigned char word[DOCA_PRIV_MLX5_DM_WORD];
    int error;

    offset -= in_word;
    doca_priv_mlx5_lock(&d->lock);
    error = sys->memcpy_from_dm(word, dm, offset, sizeof(word));
    if (error == 0 && is_write) {
        memcpy(word + in_word, bytes, len);
        error = sys->memcpy_to_dm(dm, offset, word, sizeof(word));
    }
    doca_priv_mlx5_unlock(&d->lock);
    if (error == 0 && !is_write)
        memcpy(bytes, word + in_word, len);
    return error;
}

/* Copy `len` bytes at `offset` in three steps: a part of the first word, whole words, and a part of
 * the last word. Each step may be absent. Return 0 or an errno. */
static int doca_priv_mlx5_dm_copy_at(struct doca_priv_mlx5_dev *d, struct ibv_dm *dm,
                                     uint64_t offset, unsigned char *bytes, size_t len,
                                     bool is_write)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    size_t num = (size_t)(0 - offset) % DOCA_PRIV_MLX5_DM_WORD;
    int error = 0;

    num = num < len ? num : len;
    if (num > 0)
        error = doca_priv_mlx5_dm_copy_part(d, dm, offset, bytes, num, is_write);
    offset += num;
    bytes += num;
    len -= num;
    num = len / DOCA_PRIV_MLX5_DM_WORD * DOCA_PRIV_MLX5_DM_WORD;
    if (error == 0 && num > 0)
        error = is_write ? sys->memcpy_to_dm(dm, offset, bytes, num)
                         : sys->memcpy_from_dm(bytes, dm, offset, num);
    if (error == 0 && len > num)
        error = doca_priv_mlx5_dm_copy_part(d, dm, offset + num, bytes + num, len - num, is_write);
    return error;
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_dm_copy(struct doca_dev *dev, uint32_t mkey,
                                                   size_t offset, void *bytes, size_t len,
                                                   bool is_write)
{
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    struct doca_priv_mlx5_dm *dm = doca_priv_mlx5_dm_find(d, mkey, false);

    if (dm == NULL)
        return DOCA_ERROR_NOT_FOUND;
    errno = doca_priv_mlx5_dm_copy_at(d, dm->dm, offset + DOCA_PRIV_MLX5_DM_BEGIN,
                                      (unsigned char *)bytes, len, is_write);
    return errno == 0 ? DOCA_SUCCESS
                      : doca_priv_mlx5_report_step(
                            is_write ? "doca_core_mmap_write" : "doca_core_mmap_read", dev,
                            DOCA_PRIV_MLX5_TEXT("copy to or from memory of the device"));
}

/* part: src/mlx5/queue.c */
/* ---- >>mlx5.queue ---------------------------------------------------------------------------
 * A queue consists of a ring of slots, a completion queue and a queue pair. With the engines RC and
 * VERBS the queue pair is connected to a second queue pair (the peer), with MMO to itself. A slot
 * holds one task, and the slots are in the order of submission. Started tasks come before waiting
 * tasks. A task waits because the send queue is full, or because the queue is broken and starts no
 * more tasks.
 * The completion queue has an entry for every WQE in flight, even for WQEs that do not ask for a
 * completion: after an error the device writes an entry for each of them.                       */

DOCA_PRIV_MLX5_ASSERT(slot, sizeof(struct doca_priv_mlx5_slot) <= DOCA_PRIV_MLX5_SLOT_BYTES);

struct doca_priv_mlx5_sync;

DOCA_PRIV_MLX5_ASSERT(queue, sizeof(struct doca_priv_mlx5_queue) + DOCA_PRIV_MLX5_OPAQUE_BYTES +
                                     DOCA_PRIV_MLX5_DBRECS_BYTES <=
                                 DOCA_PRIV_MLX5_QUEUE_BYTES);

DOCA_PRIV_DECL struct doca_priv_mlx5_queue *doca_priv_mlx5_queue_of(struct doca_core_queue *queue)
{
    return (struct doca_priv_mlx5_queue *)(void *)queue;
}

/* Return the size of a queue's block: the structure, the slots and the rings. */
DOCA_PRIV_DECL size_t doca_priv_mlx5_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                                 uint32_t depth)
{
    bool has_rings = doca_priv_mlx5_dev_of(dev)->card->engine != DOCA_CORE_MLX5_ENGINE_VERBS;
    bool is_sync = engine == DOCA_CORE_ENGINE_EVENT;
    size_t num_slots = (size_t)depth + is_sync;

    return (is_sync ? DOCA_PRIV_MLX5_SYNC_BYTES : DOCA_PRIV_MLX5_QUEUE_BYTES) +
           DOCA_PRIV_MLX5_SLOTS(num_slots) + (has_rings ? DOCA_PRIV_MLX5_RINGS(num_slots) : 0);
}

/* Return the number of WQEs for a queue of `depth` tasks: enough for that many tasks with single
 * buffers, and for one task with source and destination lists of maximal length. The first number
 * is halved while the device does not support it. */
DOCA_PRIV_DECL uint32_t doca_priv_mlx5_num_wqes(const struct doca_priv_mlx5_caps *caps,
                                                uint32_t depth)
{
    uint32_t num = (uint32_t)DOCA_PRIV_MLX5_WQES(depth);

    while (num > DOCA_PRIV_MLX5_MIN_WQES && (num > caps->max_wqes / 4 || num > caps->max_cqes))
        num /= 2;
    return num;
}

/* The allocator that libmlx5 calls for the rings and doorbell records of a queue. It returns memory
 * that the queue has reserved in its block. If a request does not fit, it tells libmlx5 to use the
 * heap. */
static void *doca_priv_mlx5_ring_alloc(struct ibv_pd *domain, void *queue, size_t bytes,
                                       size_t alignment, uint64_t type)
{
    struct doca_priv_mlx5_queue *q = (struct doca_priv_mlx5_queue *)queue;
    bool is_dbrec = type == MLX5DV_RES_TYPE_DBR;
    unsigned char *at = is_dbrec ? q->dbrec_place : q->ring_place;
    size_t room = is_dbrec ? (size_t)(q->opaque - q->dbrec_place) : q->ring_bytes;

    (void)domain;
    if (bytes > room || (alignment != 0 && (uintptr_t)at % alignment != 0)) {
        (void)doca_core_backend_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_MLX5_RING_BYTES,
                                     "doca_ctx_start", NULL, (uint32_t)bytes);
        return IBV_ALLOCATOR_USE_DEFAULT;
    }
    if (is_dbrec)
        q->dbrec_place += bytes;
    else
        q->ring_bytes = 0;  /* the reserved memory holds one ring */
    memset(at, 0, bytes);
    return at;
}

static void doca_priv_mlx5_ring_free(struct ibv_pd *domain, void *queue, void *ring, uint64_t type)
{
    (void)domain; /* the memory belongs to the block of the context */
    (void)queue;
    (void)ring;
    (void)type;
}

/* Create the parent domain through which libmlx5 places the rings in the queue's block and gives
 * the queue its own doorbell register. If this fails, the rings are on the heap and the doorbell
 * register is shared. */
DOCA_PRIV_DECL void doca_priv_mlx5_make_domain(struct doca_priv_mlx5_queue *q)
{
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();
    struct ibv_parent_domain_init_attr attr;

    if (q->engine == DOCA_CORE_MLX5_ENGINE_VERBS)
        return;
    memset(&attr, 0, sizeof(attr));
    attr.pd = q->dev->pd;
    q->td = doca_priv_mlx5.sys->alloc_td(q->dev->context);
    attr.td = q->td;
    attr.comp_mask =
        IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS | IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT;
    attr.alloc = doca_priv_mlx5_ring_alloc;
    attr.free = doca_priv_mlx5_ring_free;
    attr.pd_context = q;
    errno = 0;
    q->domain = doca_priv_mlx5.sys->alloc_parent_domain(q->dev->context, &attr);
    if (q->domain != NULL)
        return;
    (void)doca_priv_mlx5_report_as(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_MLX5_RINGS,
                                   "doca_ctx_start", NULL, errno, &why);
    if (q->td != NULL)
        (void)doca_priv_mlx5.sys->dealloc_td(q->td);
    q->td = NULL;
}

/* Set where libmlx5 places the next ring that it allocates: `bytes` bytes, `offset` bytes after the
 * first page boundary after the slots. */
DOCA_PRIV_DECL void doca_priv_mlx5_set_ring_place(struct doca_priv_mlx5_queue *q, size_t offset,
                                                  size_t bytes)
{
    uintptr_t rings = (uintptr_t)q->end + (DOCA_CORE_LINE - 1);

    rings = rings / DOCA_CORE_LINE * DOCA_CORE_LINE + (DOCA_CORE_MLX5_PAGE - 1);
    q->ring_place = (unsigned char *)(rings / DOCA_CORE_MLX5_PAGE * DOCA_CORE_MLX5_PAGE) + offset;
    q->ring_bytes = bytes;
}

#define DOCA_PRIV_MLX5_RC_BLOCKS 4 /* basic blocks that libmlx5 counts per WQE of an RC pair */

/* Create a queue pair. With MMO and RC this backend writes the WQEs itself, so that the attributes
 * only determine how large a ring libmlx5 allocates. */
DOCA_PRIV_DECL struct ibv_qp *doca_priv_mlx5_make_qp(struct doca_priv_mlx5_queue *q,
                                                     uint32_t num_wqes, uint32_t num_sge,
                                                     uint32_t bytes_inline)
{
    struct ibv_qp *qp;
    uint32_t blocks = q->engine == DOCA_CORE_MLX5_ENGINE_VERBS ? 1 : DOCA_PRIV_MLX5_RC_BLOCKS;
    struct ibv_qp_init_attr attr;

    memset(&attr, 0, sizeof(attr));
    attr.send_cq = q->ibv_cq;
    attr.recv_cq = q->ibv_cq;
    attr.cap.max_send_wr = (num_wqes + blocks - 1) / blocks;
    attr.cap.max_send_sge = num_sge;
    attr.cap.max_inline_data = bytes_inline;
    attr.qp_type = IBV_QPT_RC;
    errno = 0;
    qp = doca_priv_mlx5.sys->create_qp(q->domain != NULL ? q->domain : q->dev->pd, &attr);
    q->max_sge = (uint8_t)num_sge;
    q->max_inline = (uint8_t)(attr.cap.max_inline_data < bytes_inline ? attr.cap.max_inline_data
                                                                      : bytes_inline);
    return qp; /* analyzer: returnDanglingLifetime: create_qp() keeps no pointer to `attr` */
}

/* Create the queue pair that WQEs are posted to. With VERBS, search for the largest number of
 * sources and inline bytes that the device accepts together: it reports a limit for each of them
 * alone, but may refuse a queue pair that uses both. */
DOCA_PRIV_DECL struct ibv_qp *doca_priv_mlx5_make_main_qp(struct doca_priv_mlx5_queue *q,
                                                          uint32_t num_wqes)
{
    const uint32_t max = q->dev->card->caps.max_sge;
    uint32_t num = max == 0 ? 1 : max < DOCA_PRIV_MLX5_MAX_SGE ? max : DOCA_PRIV_MLX5_MAX_SGE;
    struct ibv_qp *qp = NULL;

    if (q->engine == DOCA_CORE_MLX5_ENGINE_VERBS && q->sync != NULL)
        return doca_priv_mlx5_make_qp(q, num_wqes, 1, sizeof(uint64_t));
    if (q->engine == DOCA_CORE_MLX5_ENGINE_VERBS) {
        for (; qp == NULL && num > 0; num /= 2) {
            qp = doca_priv_mlx5_make_qp(q, num_wqes, num, DOCA_CORE_MLX5_MAX_INLINE);
            if (qp == NULL)
                qp = doca_priv_mlx5_make_qp(q, num_wqes, num, 0);
        }
        return qp;
    }
    qp = doca_priv_mlx5_make_qp(q, num_wqes, 1, 0);
    if (q->engine == DOCA_CORE_MLX5_ENGINE_RC) {
        q->max_sge = (uint8_t)num;
        q->max_inline = DOCA_CORE_MLX5_MAX_INLINE;
    }
    return qp;
}

/* Enable DMA on a queue pair: set its MMO bit. This takes a firmware command, because verbs have no
 * call for it. */
static int doca_priv_mlx5_enable_mmo(struct ibv_qp *qp, struct doca_core_refusal *why)
{
    uint8_t in[DOCA_PRIV_MLX5_QP_IN_BYTES], out[DOCA_PRIV_MLX5_QP_OUT_BYTES];
    int error;

    memset(in, 0, sizeof(in));
    memset(out, 0, sizeof(out));
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_IN_OPCODE, 16, DOCA_PRIV_MLX5_CMD_INIT2INIT_QP);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_QP_QPC_EXT, 1, 1);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_QP_QPN, 24, qp->qp_num);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_QP_OPT_MASK_63_32, 32, DOCA_PRIV_MLX5_QP_OPT_MMO);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_QP_EXT_MMO, 1, 1);
    why->step = DOCA_PRIV_MLX5_TEXT("set the MMO bit of a queue pair (INIT2INIT_QP)");
    error = doca_priv_mlx5.sys->devx_qp_modify(qp, in, sizeof(in), out, sizeof(out));
    if (error != 0)
        (void)doca_priv_mlx5_get_status(out, why);
    return error;
}

/* Move a queue pair to the state RTS, connected to the queue pair `dest_qpn` on the port that
 * `caps` describes. `dest_qpn` may be the number of the queue pair itself. Return 0, or the errno
 * of the step that failed; *why then names the step. */
DOCA_PRIV_DECL int doca_priv_mlx5_connect(const struct doca_priv_mlx5_queue *q,
                                          const struct doca_priv_mlx5_caps *caps, struct ibv_qp *qp,
                                          uint32_t dest_qpn, unsigned access,
                                          struct doca_core_refusal *why)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct ibv_qp_attr attr;
    int error;

    memset(&attr, 0, sizeof(attr));
    attr.qp_state = IBV_QPS_INIT;
    attr.port_num = DOCA_PRIV_MLX5_PORT;
    attr.qp_access_flags = access;
    why->step = DOCA_PRIV_MLX5_TEXT("move a queue pair from RESET to INIT");
    error = sys->modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
                                          IBV_QP_ACCESS_FLAGS);
    if (error == 0 && q->engine == DOCA_CORE_MLX5_ENGINE_MMO && caps->has_mmo_bit)
        error = doca_priv_mlx5_enable_mmo(qp, why);
    if (error != 0)
        return error;
    attr.qp_state = IBV_QPS_RTR;
    attr.path_mtu = (enum ibv_mtu)caps->active_mtu;
    attr.dest_qp_num = dest_qpn;
    attr.max_dest_rd_atomic = 1;
    attr.min_rnr_timer = 12;
    attr.ah_attr.dlid = caps->lid;
    attr.ah_attr.port_num = DOCA_PRIV_MLX5_PORT;
    attr.ah_attr.is_global = caps->is_ethernet;
    if (caps->is_ethernet) {
        memcpy(attr.ah_attr.grh.dgid.raw, caps->gid, sizeof(caps->gid));
        attr.ah_attr.grh.sgid_index = caps->gid_index;
        attr.ah_attr.grh.hop_limit = 1;
    }
    why->step = DOCA_PRIV_MLX5_TEXT("move a queue pair from INIT to RTR");
    error = sys->modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
                                          IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
                                          IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
    if (error != 0)
        return error;
    attr.qp_state = IBV_QPS_RTS;
    attr.timeout = 14; /* 67 ms */
    attr.retry_cnt = 7;
    attr.rnr_retry = 7;
    attr.max_rd_atomic = 1;
    why->step = DOCA_PRIV_MLX5_TEXT("move a queue pair from RTR to RTS");
    return sys->modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                                         IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
                                         IBV_QP_MAX_QP_RD_ATOMIC);
}

/* Read from libmlx5 where the rings, doorbell registers and doorbell records of the queue are.
 * Return 0 or an errno. */
DOCA_PRIV_DECL int doca_priv_mlx5_get_rings(struct doca_priv_mlx5_queue *q)
{
    struct mlx5dv_obj obj;
    struct mlx5dv_qp qp;
    struct mlx5dv_cq cq;
    int error;

    memset(&obj, 0, sizeof(obj));
    memset(&qp, 0, sizeof(qp));
    memset(&cq, 0, sizeof(cq));
    obj.qp.in = q->qp;
    obj.qp.out = &qp;
    obj.cq.in = q->ibv_cq;
    obj.cq.out = &cq;
    error = doca_priv_mlx5.sys->init_obj(&obj, MLX5DV_OBJ_QP | MLX5DV_OBJ_CQ);
    if (error != 0)
        return error;
    q->sq = (unsigned char *)qp.sq.buf;
    /* analyzer: autoVariables: dbrec points to memory that libmlx5 keeps, not into `qp` */
    q->sq_dbrec = (uint32_t *)&qp.dbrec[MLX5_SND_DBR];
    q->uar = qp.bf.reg;
    q->sq_mask = qp.sq.wqe_cnt - 1;
    q->max_wqes = (qp.sq.wqe_cnt < cq.cqe_cnt ? qp.sq.wqe_cnt : cq.cqe_cnt) - 1;
    /* A task with two lists of maximal length has up to this many pieces. */
    if (q->max_wqes < 2 * DOCA_CORE_MLX5_MAX_LIST - 1)
        return ENOSPC;
    q->cq = (unsigned char *)cq.buf + cq.cqe_size - sizeof(struct doca_priv_mlx5_cqe);
    q->cqe = q->cq;
    q->cqe_end = q->cq + (size_t)cq.cqe_cnt * cq.cqe_size;
    q->cqe_bytes = cq.cqe_size;
    q->cq_dbrec = (uint32_t *)cq.dbrec;
    q->cq_uar = (unsigned char *)cq.cq_uar;
    q->cqn = cq.cqn;
    return 0;
}

/* part: src/mlx5/dma.c */
/* ---- >>mlx5.dma -----------------------------------------------------------------------------
 * Submitting copy tasks: inspects a task, turns it into WQEs and rings the doorbell. A `piece` is a
 * contiguous copy: the lists of a task are cut at every boundary of a source or destination buffer.
 * A WQE consists of one or more pieces with one contiguous destination. The fast path (functions
 * with `fast` in their names) handles copies between two single buffers; all other tasks go
 * through doca_priv_mlx5_post().                                                                */

/* Iterator over the pieces of a task. */
struct doca_priv_mlx5_walk {
    const struct doca_buf *src;
    const struct doca_buf *dst;
    uint64_t src_done; /* bytes of src's content that are consumed */
    uint64_t dst_done; /* bytes of dst's free space that are used */
    uint64_t left;
};

/* Return the number of free bytes after the buffer's content. */
DOCA_PRIV_DECL uint64_t doca_priv_mlx5_tailroom(const struct doca_buf *buf)
{
    /* analyzer: core.NullDereference: a walk stops before the end of either list */
    return (uint64_t)((uintptr_t)buf->end - (uintptr_t)buf->data) - buf->data_len;
}

/* Start an iteration over the pieces of a task. */
static void doca_priv_mlx5_walk_begin(struct doca_priv_mlx5_walk *walk,
                                      const struct doca_dma_task_memcpy *t)
{
    const struct doca_buf *src;

    walk->src = t->src;
    walk->dst = t->dst;
    walk->src_done = 0;
    walk->dst_done = 0;
    walk->left = 0;
    for (src = t->src; src != NULL; src = src->next)
        walk->left += src->data_len;
}

/* Return the memory keys of `mmap` on `dev`. The mmap must be registered on `dev`. */
DOCA_PRIV_DECL const struct doca_priv_mmap_dev *doca_priv_mlx5_keys(const struct doca_mmap *mmap,
                                                                    const struct doca_dev *dev)
{
    const struct doca_priv_mmap_dev *keys = mmap->devs;

    while (keys->dev != dev)
        keys++;
    return keys;
}

/* Get the next piece; false when all bytes are done. The destination list has enough space, because
 * the task has passed inspection. */
static bool doca_priv_mlx5_walk_next(struct doca_priv_mlx5_walk *walk,
                                     const struct doca_priv_mlx5_queue *q,
                                     struct doca_priv_mlx5_piece *piece)
{
    const struct doca_priv_mmap_dev *to;
    uint64_t from_here, to_here;

    if (walk->left == 0)
        return false;
    while ((from_here = walk->src->data_len - walk->src_done) == 0) {
        walk->src = walk->src->next;
        walk->src_done = 0;
    }
    while ((to_here = doca_priv_mlx5_tailroom(walk->dst) - walk->dst_done) == 0) {
        walk->dst = walk->dst->next;
        walk->dst_done = 0;
    }
    to = doca_priv_mlx5_keys(walk->dst->mmap, q->queue.dev);
    piece->from = (uintptr_t)walk->src->data + walk->src_done;
    piece->from_key = doca_priv_mlx5_keys(walk->src->mmap, q->queue.dev)->mkey;
    piece->to = (uintptr_t)walk->dst->data + walk->dst->data_len + walk->dst_done;
    piece->to_key = to->internal_mkey;
    piece->bytes = from_here < to_here ? from_here : to_here;
    walk->src_done += piece->bytes;
    walk->dst_done += piece->bytes;
    walk->left -= piece->bytes;
    return true;
}

/* True when the CPU can access the buffer's bytes at their address in this process. */
DOCA_PRIV_DECL bool doca_priv_mlx5_is_local(const struct doca_buf *buf)
{
    return buf->mmap->far == NULL && !buf->mmap->is_backend_only;
}

/* Get the next WQE: successive pieces with one contiguous destination, up to the number of sources
 * that a WQE can have. Returns false when all pieces are done. */
static bool doca_priv_mlx5_walk_wqe(struct doca_priv_mlx5_walk *walk,
                                    const struct doca_priv_mlx5_queue *q,
                                    struct doca_priv_mlx5_copy *copy)
{
    struct doca_priv_mlx5_piece piece;
    struct doca_priv_mlx5_walk before;

    if (!doca_priv_mlx5_walk_next(walk, q, &piece))
        return false;
    copy->to = piece.to;
    copy->to_key = piece.to_key;
    copy->bytes = 0;
    copy->num = 0;
    copy->is_cpu_readable = true;
    do {
        before = *walk;
        copy->from[copy->num].addr = piece.from;
        copy->from[copy->num].length = (uint32_t)piece.bytes;
        copy->from[copy->num++].lkey = piece.from_key;
        copy->bytes += piece.bytes;
        copy->is_cpu_readable = copy->is_cpu_readable && doca_priv_mlx5_is_local(walk->src);
    } while (copy->num < q->max_sge && doca_priv_mlx5_walk_next(walk, q, &piece) &&
             piece.to == copy->to + copy->bytes && piece.to_key == copy->to_key);
    *walk = before; /* the last piece belongs to the next WQE: return to it */
    return true;
}

/* True when the data is copied into the WQE itself. The CPU then reads the data during submit,
 * before the task completes. */
static bool doca_priv_mlx5_is_inline(const struct doca_priv_mlx5_queue *q,
                                     const struct doca_priv_mlx5_copy *copy)
{
    return copy->bytes <= q->max_inline && copy->is_cpu_readable;
}

/* Return the number by which a WQE for this copy increases sq_pi: the number of its basic blocks,
 * or 1 with VERBS. */
static uint32_t doca_priv_mlx5_num_blocks(const struct doca_priv_mlx5_queue *q,
                                          const struct doca_priv_mlx5_copy *copy)
{
    return q->engine != DOCA_CORE_MLX5_ENGINE_RC || doca_priv_mlx5_is_inline(q, copy)
               ? 1
               : (2 + copy->num + 3) / 4;
}

/* Post a WQE through verbs. Return 0 or an errno. */
static int doca_priv_mlx5_send_wr(struct doca_priv_mlx5_queue *q, struct doca_priv_mlx5_copy *copy)
{
    struct ibv_send_wr wr;

    memset(&wr, 0, sizeof(wr));
    wr.wr_id = q->sq_pi & 0xffff;
    wr.sg_list = copy->from;
    wr.num_sge = (int)copy->num;
    wr.opcode = IBV_WR_RDMA_WRITE;
    /* Every WQE asks for a completion: otherwise a task whose later WQEs are refused might wait
     * forever. */
    wr.send_flags = IBV_SEND_SIGNALED;
    if (doca_priv_mlx5_is_inline(q, copy))
        wr.send_flags |= IBV_SEND_INLINE;
    wr.wr.rdma.remote_addr = copy->to;
    wr.wr.rdma.rkey = copy->to_key;
    return doca_priv_mlx5.sys->post_send(q->qp, &wr);
}

/* Write a WQE into the ring. Return the number of its basic blocks. */
static uint32_t doca_priv_mlx5_fill_wqe(struct doca_priv_mlx5_queue *q,
                                        const struct doca_priv_mlx5_copy *copy, bool is_signaled)
{
    unsigned char *wqe = q->sq + (size_t)(q->sq_pi & q->sq_mask) * DOCA_PRIV_MLX5_WQEBB;
    unsigned char data[DOCA_PRIV_MLX5_INLINE_BYTES];
    struct doca_priv_mlx5_piece piece;
    size_t num = 0;
    uint32_t i;

    piece.from = copy->from[0].addr;
    piece.from_key = copy->from[0].lkey;
    piece.to = copy->to;
    piece.to_key = copy->to_key;
    piece.bytes = copy->bytes;
    if (q->engine == DOCA_CORE_MLX5_ENGINE_MMO) {
        (void)doca_priv_mlx5_pack_mmo(wqe, &q->model, q->sq_pi, &piece);
    } else if (doca_priv_mlx5_is_inline(q, copy)) {
        for (i = 0; i < copy->num; num += copy->from[i++].length)
            memcpy(data + num, (const void *)(uintptr_t)copy->from[i].addr, copy->from[i].length);
        piece.from = (uintptr_t)data;
        (void)doca_priv_mlx5_pack_inline(wqe, &q->model, q->sq_pi, &piece);
    } else {
        doca_priv_mlx5_pack_gather(q->sq, q->sq_mask, &q->model, q->sq_pi, copy);
    }
    if (!is_signaled)
        doca_priv_mlx5_unsignal(wqe);
    return doca_priv_mlx5_num_blocks(q, copy);
}

/* Post one WQE. With VERBS the device starts it at once; with MMO and RC the device starts it after
 * the next doorbell. Return 0 or an errno. */
DOCA_PRIV_DECL int doca_priv_mlx5_post_wqe(struct doca_priv_mlx5_queue *q,
                                           struct doca_priv_mlx5_copy *copy, bool is_signaled)
{
    int error;

    if (q->engine != DOCA_CORE_MLX5_ENGINE_VERBS) {
        q->sq_pi += doca_priv_mlx5_fill_wqe(q, copy, is_signaled);
        return 0;
    }
    error = doca_priv_mlx5_send_wr(q, copy);
    if (error == 0)
        q->sq_pi_rung = ++q->sq_pi;
    return error;
}

/* Ring the doorbell for all WQEs that are posted. `first`: the first 8 bytes of the last WQE, the
 * value for the doorbell register. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_doorbell(struct doca_priv_mlx5_queue *q, uint64_t first)
{
    doca_priv_mlx5_ring_doorbell(q->sq_dbrec, q->uar, q->sq_pi, first);
#if DOCA_CORE_TRACE
    doca_core_backend_trace_doorbell(q, q->sq_pi - q->sq_pi_rung);
#endif
    q->sq_pi_rung = q->sq_pi;
}

/* Ring the doorbell for all WQEs that are posted. `last`: index of the last WQE. */
DOCA_PRIV_DECL void doca_priv_mlx5_ring_wqe(struct doca_priv_mlx5_queue *q, uint32_t last)
{
    uint64_t first;

    memcpy(&first, q->sq + (size_t)(last & q->sq_mask) * DOCA_PRIV_MLX5_WQEBB, sizeof(first));
    doca_priv_mlx5_doorbell(q, first);
}

/* Return the slot of the oldest waiting task, or the next free slot when no task waits. */
DOCA_PRIV_DECL struct doca_priv_mlx5_slot *
doca_priv_mlx5_oldest_waiting(const struct doca_priv_mlx5_queue *q)
{
    size_t newer = (size_t)(q->next - q->slots);

    return q->num_waiting <= newer ? q->next - q->num_waiting : q->end - (q->num_waiting - newer);
}

/* Ring the doorbell if WQEs were posted since the last doorbell. The last WQE belongs to the newest
 * posted task. The function does not find such a task if the device has completed the WQEs before
 * their doorbell. Real devices do not do this; the next doorbell then covers these WQEs. */
DOCA_PRIV_DECL void doca_priv_mlx5_ring(struct doca_priv_mlx5_queue *q)
{
    const struct doca_priv_mlx5_slot *first = doca_priv_mlx5_oldest_waiting(q), *slot = first;

    if (q->sq_pi_rung == q->sq_pi)
        return;
    do
        slot = (slot != q->slots ? slot : q->end) - 1;
    while (slot->kind != DOCA_PRIV_MLX5_POSTED && slot != first);
    if (slot->kind == DOCA_PRIV_MLX5_POSTED)
        doca_priv_mlx5_ring_wqe(q, slot->last);
}

/* True when source and destination are single buffers that share bytes. Addresses of different
 * mmaps can be compared only if the CPU can access both. */
static bool doca_priv_mlx5_overlaps(const struct doca_dma_task_memcpy *t)
{
    uintptr_t from = (uintptr_t)t->src->data, to = (uintptr_t)t->dst->data + t->dst->data_len;

    return from < to + t->src->data_len && to < from + t->src->data_len && t->src->next == NULL &&
           t->dst->next == NULL &&
           (t->src->mmap == t->dst->mmap ||
            (doca_priv_mlx5_is_local(t->src) && doca_priv_mlx5_is_local(t->dst)));
}

/* Mark a task as refused. It fails with the reason `item` after all earlier tasks have completed,
 * and no later task starts. */
DOCA_PRIV_DECL void doca_priv_mlx5_refuse(struct doca_priv_mlx5_queue *q,
                                          struct doca_priv_mlx5_slot *slot,
                                          enum doca_core_item item)
{
    slot->kind = DOCA_PRIV_MLX5_REFUSED;
    slot->last = (uint32_t)item;
    q->is_broken = true;
}

/* Move both queue pairs to `state`. If the peer did not move, it could write data that it received
 * earlier, after the main queue pair has completed the WQE. Returns false when the main queue pair
 * did not move. */
DOCA_PRIV_DECL bool doca_priv_mlx5_set_qp_state(const struct doca_priv_mlx5_queue *q,
                                                enum ibv_qp_state state)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct ibv_qp_attr attr;
    bool has_moved;

    memset(&attr, 0, sizeof(attr));
    attr.qp_state = state;
    has_moved = sys->modify_qp(q->qp, &attr, IBV_QP_STATE) == 0;
    if (q->peer != NULL)
        (void)sys->modify_qp(q->peer, &attr, IBV_QP_STATE);
    return has_moved;
}

/* Move the queue pairs to the error state, so that the device flushes their WQEs. Returns false
 * when no WQEs are in flight, or when the move failed. */
DOCA_PRIV_DECL bool doca_priv_mlx5_enter_error(const struct doca_priv_mlx5_queue *q)
{
    return q->sq_pi != q->sq_ci && !q->is_reset && doca_priv_mlx5_set_qp_state(q, IBV_QPS_ERR);
}

/* Handle a WQE that ibv_post_send() refused with `error`. If earlier WQEs of the same task are
 * posted, the task fails once they have completed; otherwise it is refused as a whole. */
DOCA_PRIV_DECL void doca_priv_mlx5_fail_post(struct doca_priv_mlx5_queue *q,
                                             struct doca_priv_mlx5_slot *slot, int error)
{
    slot->vendor = (uint8_t)error;
    if (slot->kind == DOCA_PRIV_MLX5_POSTED) {
        slot->syndrome = DOCA_PRIV_MLX5_SYNDROME_CALL;
        q->is_broken = true;
        (void)doca_priv_mlx5_enter_error(q);
    } else {
        doca_priv_mlx5_refuse(q, slot, DOCA_CORE_ITEM_MLX5_CALL);
    }
}

/* Post the WQEs of a valid task. Returns false when the send queue has too little room at the
 * moment. */
static bool doca_priv_mlx5_post_task(struct doca_priv_mlx5_queue *q,
                                     struct doca_priv_mlx5_slot *slot)
{
    const struct doca_dma_task_memcpy *t =
        (const struct doca_dma_task_memcpy *)(const void *)slot->task;
    uint32_t room = q->max_wqes - (q->sq_pi - q->sq_ci), num = 0, begin;
    struct doca_priv_mlx5_copy copy;
    struct doca_priv_mlx5_walk walk;
    int error;

    doca_priv_mlx5_walk_begin(&walk, t);
    slot->bytes = walk.left;
    slot->to = t->dst->data + t->dst->data_len;
    if (doca_unlikely(t->src->next != NULL || t->dst->next != NULL)) {
        while (doca_priv_mlx5_walk_wqe(&walk, q, &copy))
            num += doca_priv_mlx5_num_blocks(q, &copy);
        doca_priv_mlx5_walk_begin(&walk, t);
    }
    if (doca_unlikely(room < num || room == 0))
        return false;
    while (doca_priv_mlx5_walk_wqe(&walk, q, &copy)) {
        begin = q->sq_pi;
        error = doca_priv_mlx5_post_wqe(q, &copy, walk.left == 0);
        if (doca_unlikely(error != 0)) {
            doca_priv_mlx5_fail_post(q, slot, error);
            return true;
        }
        slot->last = begin;
        slot->blocks = (uint8_t)(q->sq_pi - begin);
        slot->kind = DOCA_PRIV_MLX5_POSTED;
    }
    return true;
}

/* Start the oldest waiting task: post it, refuse it, or leave it to the CPU. Returns false when the
 * send queue has too little room at the moment. */
DOCA_PRIV_DECL bool doca_priv_mlx5_start(struct doca_priv_mlx5_queue *q,
                                         struct doca_priv_mlx5_slot *slot)
{
    const struct doca_dma_task_memcpy *t =
        (const struct doca_dma_task_memcpy *)(const void *)slot->task;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;

    if (doca_unlikely(!doca_priv_mlx5_is_simple_task(q, t)) &&
        doca_core_dma_task_inspect(t, &item) != DOCA_SUCCESS) {
        doca_priv_mlx5_refuse(q, slot, item);
    } else if (doca_unlikely(doca_priv_mlx5_is_fatal(q->dev))) {
        doca_priv_mlx5_refuse(q, slot, DOCA_CORE_ITEM_MLX5_FATAL);
    } else if (doca_unlikely(doca_priv_mlx5_overlaps(t))) {
        if (!doca_priv_mlx5_is_local(t->dst))
            doca_priv_mlx5_refuse(q, slot, DOCA_CORE_ITEM_MLX5_OVERLAP);
        else
            slot->kind = DOCA_PRIV_MLX5_BY_CPU;
        slot->bytes = t->src->data_len;
        slot->to = t->dst->data + t->dst->data_len;
    } else if (!doca_priv_mlx5_post_task(q, slot)) {
        return false;
    }
    q->num_waiting--;
    return true;
}

/* Compute `fast_buf`: the kind and flags of the buffers that the fast path accepts. The value 0
 * turns the fast path off. It is off while the queue is broken, and while tasks wait, because later
 * tasks must wait behind them. It is always off on a device that has no bit in the flags of
 * buffers; only the first DOCA_PRIV_BUF_DEVS devices have a bit. */
DOCA_PRIV_DECL void doca_priv_mlx5_set_fast_path(struct doca_priv_mlx5_queue *q)
{
    uint8_t begin[2] = { DOCA_PRIV_BUF_KIND, DOCA_PRIV_BUF_OUT | DOCA_PRIV_BUF_WRITE };
    uint64_t bit = q->queue.dev->bit;
    unsigned place = bit != 0 ? (unsigned)__builtin_ctzll(bit) : DOCA_PRIV_BUF_DEVS;

    q->fast_buf = 0;
    begin[1] = (uint8_t)(begin[1] + (place + 1) * DOCA_PRIV_BUF_DEV);
    if (place < DOCA_PRIV_BUF_DEVS && q->num_waiting == 0 && !q->is_broken)
        memcpy(&q->fast_buf, begin, sizeof(q->fast_buf));
}

/* Post any task, with any engine. */
DOCA_PRIV_MLX5_NOINLINE doca_error_t doca_priv_mlx5_post(struct doca_core_queue *queue,
                                                         struct doca_task *task)
{
    const struct doca_dma_task_memcpy *t = (const struct doca_dma_task_memcpy *)(const void *)task;
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    struct doca_priv_mlx5_slot *slot;

    /* This queue does not defer tasks: a deferred task that is refused here could complete before
     * the core calls queue_ring(). */
    if (task->more == DOCA_CORE_MORE_LATER)
        return DOCA_ERROR_AGAIN;
    if (doca_unlikely(t->src == NULL || t->dst == NULL)) {
        doca_priv_mlx5_ring(q);
        return DOCA_ERROR_INVALID_VALUE;
    }
    slot = doca_priv_mlx5_slot_add(q, task, DOCA_PRIV_MLX5_WAITING);
    if (++q->num_waiting == 1 && doca_likely(!q->is_broken))
        (void)doca_priv_mlx5_start(q, slot);
    doca_priv_mlx5_set_fast_path(q);
    if (task->more == DOCA_CORE_MORE_NONE)
        doca_priv_mlx5_ring(q);
    return DOCA_SUCCESS;
}

/* True when a task is fast: both buffers are live, single and registered on this device only, no
 * threads share their mmaps, the destination is writable, and the send queue has room for one WQE.
 * The flag WRITE is added to the source's flags before the comparison, as the source may be
 * read-only. */
DOCA_PRIV_MLX5_HOT bool doca_priv_mlx5_is_fast(const struct doca_priv_mlx5_queue *q,
                                               const struct doca_dma_task_memcpy *t)
{
    return doca_likely(t->src != NULL && t->dst != NULL && q->sq_pi - q->sq_ci < q->max_wqes &&
                       doca_priv_mlx5_buf_bytes(t->src, DOCA_PRIV_BUF_WRITE) == q->fast_buf &&
                       doca_priv_mlx5_buf_bytes(t->dst, 0) == q->fast_buf);
}

/* Second test of the fast path, for a task that passed doca_priv_mlx5_is_fast(): the copy is
 * longer than `least` and at most `least` + `most` bytes long, fits the destination, and its source
 * and destination do not overlap. If so, describe it in *piece. The `- 1` turns every length up to
 * `least` into a huge number: a single comparison checks both limits. The additions cannot
 * overflow, because buffers of the fast path never end at the top of the address space. */
DOCA_PRIV_MLX5_HOT bool doca_priv_mlx5_describe_fast(const struct doca_dma_task_memcpy *t,
                                                     uint64_t least, uint64_t most,
                                                     struct doca_priv_mlx5_piece *piece)
{
    const struct doca_buf *src = t->src, *dst = t->dst;

    piece->bytes = src->data_len;
    piece->from = (uintptr_t)src->data;
    piece->to = (uintptr_t)dst->data + dst->data_len;
    if (doca_unlikely(piece->bytes - least - 1 >= most ||
                      piece->to + piece->bytes > (uintptr_t)dst->end ||
                      piece->to - piece->from + piece->bytes - 1 < 2 * piece->bytes - 1))
        return false;
    piece->from_key = src->mmap->devs->mkey;
    piece->to_key = dst->mmap->devs->internal_mkey;
    return true;
}

enum doca_priv_mlx5_form { DOCA_PRIV_MLX5_MMO, DOCA_PRIV_MLX5_WRITE, DOCA_PRIV_MLX5_SHORT };

static doca_error_t doca_priv_mlx5_post_short(struct doca_core_queue *queue,
                                              struct doca_task *task);

/* Post a fast task if it passes doca_priv_mlx5_describe_fast(); else pass it on to a slower
 * function. */
/* analyzer: misc-no-recursion: WRITE calls SHORT, and SHORT does not call this function again */
DOCA_PRIV_MLX5_HOT doca_error_t doca_priv_mlx5_post_form(struct doca_core_queue *queue,
                                                         struct doca_task *task,
                                                         enum doca_priv_mlx5_form form)
{
    const uint64_t least = form == DOCA_PRIV_MLX5_WRITE ? DOCA_CORE_MLX5_MAX_INLINE : 0;
    const struct doca_dma_task_memcpy *t = (const struct doca_dma_task_memcpy *)(const void *)task;
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    const uint64_t most = form == DOCA_PRIV_MLX5_SHORT ? DOCA_CORE_MLX5_MAX_INLINE : q->max_fast;
    struct doca_priv_mlx5_piece piece;
    struct doca_priv_mlx5_slot *slot;
    unsigned char *wqe;
    uint64_t first;

    if (!doca_priv_mlx5_describe_fast(t, least, most, &piece))
        return form == DOCA_PRIV_MLX5_WRITE ? doca_priv_mlx5_post_short(queue, task)
                                            : doca_priv_mlx5_post(queue, task);
    wqe = q->sq + (size_t)(q->sq_pi & q->sq_mask) * DOCA_PRIV_MLX5_WQEBB;
    if (form == DOCA_PRIV_MLX5_MMO)
        first = doca_priv_mlx5_pack_mmo(wqe, &q->model, q->sq_pi, &piece);
    else if (form == DOCA_PRIV_MLX5_SHORT && doca_likely(doca_priv_mlx5_is_local(t->src)))
        first = doca_priv_mlx5_pack_inline(wqe, &q->model, q->sq_pi, &piece);
    else
        first = doca_priv_mlx5_pack_write(wqe, &q->model, q->sq_pi, &piece);
    slot = doca_priv_mlx5_slot_add(q, task, DOCA_PRIV_MLX5_POSTED);
    slot->to = (unsigned char *)(uintptr_t)piece.to;
    slot->bytes = piece.bytes;
    slot->last = q->sq_pi++;
    if (task->more == DOCA_CORE_MORE_NONE)
        doca_priv_mlx5_doorbell(q, first);
    return DOCA_SUCCESS;
}

/* Post a task on the fast path if it is fast, else through doca_priv_mlx5_post(). A failure of the
 * device is not checked here; polling detects it. */
DOCA_PRIV_MLX5_HOT doca_error_t doca_priv_mlx5_post_fast(struct doca_core_queue *queue,
                                                         struct doca_task *task,
                                                         enum doca_priv_mlx5_form form)
{
    return doca_priv_mlx5_is_fast(doca_priv_mlx5_queue_of(queue),
                                  (const struct doca_dma_task_memcpy *)(const void *)task)
               ? doca_priv_mlx5_post_form(queue, task, form)
               : doca_priv_mlx5_post(queue, task);
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_post_mmo(struct doca_core_queue *queue,
                                                    struct doca_task *task)
{
    return doca_priv_mlx5_post_fast(queue, task, DOCA_PRIV_MLX5_MMO);
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_post_rc(struct doca_core_queue *queue,
                                                   struct doca_task *task)
{
    return doca_priv_mlx5_post_fast(queue, task, DOCA_PRIV_MLX5_WRITE);
}

/* Post a fast task that does not pass the test of the form WRITE, usually because it is short. If
 * the CPU can read the bytes of a short task, they are placed in the WQE. */
/* analyzer: misc-no-recursion: a task of the form SHORT is not posted from here again */
DOCA_PRIV_MLX5_NOINLINE doca_error_t doca_priv_mlx5_post_short(struct doca_core_queue *queue,
                                                               struct doca_task *task)
{
    return doca_priv_mlx5_post_form(queue, task, DOCA_PRIV_MLX5_SHORT);
}

/* part: src/mlx5/poll.c */
/* ---- >>mlx5.poll ----------------------------------------------------------------------------
 * Polling: reads completions and completes the tasks that they belong to.
 * In the absence of errors, only the last WQE of a task writes a completion queue entry (CQE).
 * After an error, the device writes a CQE for every WQE that it has not executed.               */

/* Return the next CQE, or NULL when the device has not written it yet. */
static const unsigned char *doca_priv_mlx5_peek(const struct doca_priv_mlx5_queue *q)
{
    uint8_t op_own = __atomic_load_n(q->cqe + offsetof(struct doca_priv_mlx5_cqe, op_own),
                                     __ATOMIC_RELAXED);

    return op_own >> 4 != DOCA_PRIV_MLX5_CQE_INVALID && (op_own & 1u) == q->cq_owner ? q->cqe
                                                                                     : NULL;
}

/* Release the CQE that has just been read, so that the device can overwrite it. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_cqe_release(struct doca_priv_mlx5_queue *q)
{
    q->cq_ci++;
    doca_priv_mlx5_cqe_before_dbrec();
    doca_priv_mlx5_dbrec_write(&q->cq_dbrec[0], q->cq_ci & 0xffffff);
    q->cqe += q->cqe_bytes;
    if (doca_unlikely(q->cqe == q->cqe_end)) {
        q->cqe = q->cq;
        q->cq_owner ^= 1;
    }
}

/* Return the syndrome for a status of verbs. Both numberings follow the InfiniBand
 * specification. */
static uint8_t doca_priv_mlx5_syndrome(enum ibv_wc_status status)
{
    switch (status) {
    case IBV_WC_SUCCESS:
        return 0;
    case IBV_WC_LOC_LEN_ERR:
        return DOCA_PRIV_MLX5_SYNDROME_LOCAL_LENGTH;
    case IBV_WC_LOC_QP_OP_ERR:
        return DOCA_PRIV_MLX5_SYNDROME_LOCAL_QP_OP;
    case IBV_WC_LOC_PROT_ERR:
        return DOCA_PRIV_MLX5_SYNDROME_LOCAL_PROT;
    case IBV_WC_WR_FLUSH_ERR:
        return DOCA_PRIV_MLX5_SYNDROME_WR_FLUSH;
    case IBV_WC_LOC_ACCESS_ERR:
        return DOCA_PRIV_MLX5_SYNDROME_LOCAL_ACCESS;
    case IBV_WC_REM_INV_REQ_ERR:
        return DOCA_PRIV_MLX5_SYNDROME_REMOTE_INVAL_REQ;
    case IBV_WC_REM_ACCESS_ERR:
        return DOCA_PRIV_MLX5_SYNDROME_REMOTE_ACCESS;
    case IBV_WC_REM_OP_ERR:
        return DOCA_PRIV_MLX5_SYNDROME_REMOTE_OP;
    case IBV_WC_RETRY_EXC_ERR:
        return DOCA_PRIV_MLX5_SYNDROME_TRANSPORT_RETRY_EXC;
    case IBV_WC_RNR_RETRY_EXC_ERR:
        return DOCA_PRIV_MLX5_SYNDROME_RNR_RETRY_EXC;
    default:
        return DOCA_PRIV_MLX5_SYNDROME_NONE;
    }
}

/* Poll for a completion through verbs and store it in q->done. Returns false when no completion has
 * arrived. */
static bool doca_priv_mlx5_poll_verbs(struct doca_priv_mlx5_queue *q)
{
    struct ibv_wc wc;

    int num = doca_priv_mlx5.sys->poll_cq(q->ibv_cq, &wc);

    q->is_lost = num < 0;
    q->has_done = num > 0;
    if (q->has_done) {
        q->done.wqe = (uint16_t)wc.wr_id;
        q->done.syndrome = doca_priv_mlx5_syndrome(wc.status);
        q->done.vendor = q->done.syndrome != 0 ? (uint8_t)wc.vendor_err : 0;
    }
    return q->has_done;
}

/* Read the next completion, with any engine. Returns false when no completion has arrived. */
static bool doca_priv_mlx5_reap(struct doca_priv_mlx5_queue *q, struct doca_priv_mlx5_done *done)
{
    struct doca_priv_mlx5_cqe copy;
    const unsigned char *cqe;

    if (q->has_done ||
        (q->engine == DOCA_CORE_MLX5_ENGINE_VERBS && doca_priv_mlx5_poll_verbs(q))) {
        q->has_done = false;
        *done = q->done;
        return true;
    }
    if (q->engine == DOCA_CORE_MLX5_ENGINE_VERBS)
        return false;
    cqe = doca_priv_mlx5_peek(q);
    if (cqe == NULL)
        return false;
    doca_priv_mlx5_owner_before_cqe();
    memcpy(&copy, cqe, sizeof(copy));
    doca_priv_mlx5_parse_cqe(&copy, done);
    doca_priv_mlx5_cqe_release(q);
    return true;
}

/* Return the reason text that the program gets for a syndrome. */
static enum doca_core_item doca_priv_mlx5_item(uint8_t syndrome)
{
    switch (syndrome) {
    case DOCA_PRIV_MLX5_SYNDROME_LOCAL_LENGTH:
        return DOCA_CORE_ITEM_MLX5_LENGTH;
    case DOCA_PRIV_MLX5_SYNDROME_LOCAL_QP_OP:
        return DOCA_CORE_ITEM_MLX5_QP_OP;
    case DOCA_PRIV_MLX5_SYNDROME_LOCAL_PROT:
    case DOCA_PRIV_MLX5_SYNDROME_LOCAL_ACCESS:
        return DOCA_CORE_ITEM_MLX5_PROTECTION;
    case DOCA_PRIV_MLX5_SYNDROME_REMOTE_ACCESS:
        return DOCA_CORE_ITEM_MLX5_ACCESS;
    case DOCA_PRIV_MLX5_SYNDROME_REMOTE_INVAL_REQ:
    case DOCA_PRIV_MLX5_SYNDROME_REMOTE_OP:
    case DOCA_PRIV_MLX5_SYNDROME_REMOTE_ABORTED:
        return DOCA_CORE_ITEM_MLX5_REMOTE;
    case DOCA_PRIV_MLX5_SYNDROME_TRANSPORT_RETRY_EXC:
    case DOCA_PRIV_MLX5_SYNDROME_RNR_RETRY_EXC:
        return DOCA_CORE_ITEM_MLX5_RETRY;
    case DOCA_PRIV_MLX5_SYNDROME_FATAL:
        return DOCA_CORE_ITEM_MLX5_FATAL;
    default:
        return DOCA_CORE_ITEM_MLX5_OTHER;
    }
}

/* Report why the task of a slot failed. Return `code`. */
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_fail(const struct doca_priv_mlx5_slot *slot,
                                                doca_error_t code, enum doca_core_item item)
{
    return doca_core_backend_fail(code, item, "doca_pe_progress", slot->task, 0);
}

/* Report a task whose WQE ibv_post_send() refused. */
static doca_error_t doca_priv_mlx5_fail_call(const struct doca_priv_mlx5_slot *slot)
{
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();

    why.step = DOCA_PRIV_MLX5_TEXT("take a request (ibv_post_send)");
    why.hint = slot->vendor == ENOMEM ? DOCA_PRIV_MLX5_TEXT("the queue pair has no room left")
                                      : NULL;
    return doca_priv_mlx5_report_as(DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_MLX5_CALL,
                                    "doca_pe_progress", slot->task, slot->vendor, &why);
}

/* Report a task that was refused before the device received it. */
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_fail_refused(const struct doca_priv_mlx5_slot *slot)
{
    const enum doca_core_item item = (enum doca_core_item)slot->last;

    return item == DOCA_CORE_ITEM_MLX5_CALL
               ? doca_priv_mlx5_fail_call(slot)
               : doca_priv_mlx5_fail(slot, DOCA_ERROR_IO_FAILED, item);
}

/* Report a task with the syndromes of its error completion. */
static doca_error_t doca_priv_mlx5_fail_done(const struct doca_priv_mlx5_slot *slot)
{
    static const struct {
        uint8_t syndrome;
        const char *name;
    } rows[] = {
        { DOCA_PRIV_MLX5_SYNDROME_LOCAL_LENGTH, "LOCAL_LENGTH_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_LOCAL_QP_OP, "LOCAL_QP_OP_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_LOCAL_PROT, "LOCAL_PROT_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_MW_BIND, "MW_BIND_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_BAD_RESP, "BAD_RESP_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_LOCAL_ACCESS, "LOCAL_ACCESS_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_REMOTE_INVAL_REQ, "REMOTE_INVAL_REQ_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_REMOTE_ACCESS, "REMOTE_ACCESS_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_REMOTE_OP, "REMOTE_OP_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_TRANSPORT_RETRY_EXC, "TRANSPORT_RETRY_EXC_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_RNR_RETRY_EXC, "RNR_RETRY_EXC_ERR" },
        { DOCA_PRIV_MLX5_SYNDROME_REMOTE_ABORTED, "REMOTE_ABORTED_ERR" },
    };
    const enum doca_core_item item = doca_priv_mlx5_item(slot->syndrome);
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].syndrome == slot->syndrome)
            why.status = rows[i].name;
    if (slot->syndrome == DOCA_PRIV_MLX5_SYNDROME_NONE)
        why.status = DOCA_PRIV_MLX5_TEXT("no syndrome");
    else if (item != DOCA_CORE_ITEM_MLX5_FATAL)
        why.syndrome = slot->syndrome;
    why.vendor_syndrome = slot->vendor;
    return doca_core_backend_refuse(DOCA_ERROR_IO_FAILED, item, "doca_pe_progress", slot->task,
                                    &why);
}

/* Add the copied bytes to the content of the destination buffers. Fails if the buffers have
 * changed. */
static doca_error_t doca_priv_mlx5_extend_dst(const struct doca_priv_mlx5_slot *slot)
{
    struct doca_buf *dst = ((struct doca_dma_task_memcpy *)(void *)slot->task)->dst, *d;
    uint64_t left = slot->bytes, room;

    if (doca_unlikely(dst->flags == 0 || dst->data + dst->data_len != slot->to))
        return doca_priv_mlx5_fail(slot, DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_MLX5_BUF);
    for (d = dst; d != NULL && left > 0; d = d->next) {
        room = doca_priv_mlx5_tailroom(d);
        left -= room < left ? room : left;
    }
    if (doca_unlikely(left > 0))
        return doca_priv_mlx5_fail(slot, DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_MLX5_BUF);
    for (left = slot->bytes; left > 0; dst = dst->next) {
        room = doca_priv_mlx5_tailroom(dst);
        room = room < left ? room : left;
        /* analyzer: core.NullDereference: the loop above found room for all of `left` */
        dst->data_len += (size_t)room;
        left -= room;
    }
    return DOCA_SUCCESS;
}

/* Return the status of a task that the device has finished, and update its destination. */
DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_task_status(const struct doca_priv_mlx5_queue *q,
                                                       const struct doca_priv_mlx5_slot *slot)
{
    if (doca_likely(slot->syndrome == 0))
        return doca_priv_mlx5_extend_dst(slot);
    if (slot->syndrome == DOCA_PRIV_MLX5_SYNDROME_WR_FLUSH)
        return doca_priv_mlx5_fail(slot, q->status, DOCA_CORE_ITEM_FLUSHED);
    if (slot->syndrome == DOCA_PRIV_MLX5_SYNDROME_CALL)
        return doca_priv_mlx5_fail_call(slot);
    return doca_priv_mlx5_fail_done(slot);
}

/* Set `len` bytes after the content of `dst` to 0, if the CPU can write them: in memory of this
 * process and in memory of the device. */
static void doca_priv_mlx5_clear_buf(const struct doca_buf *dst, struct doca_dev *dev, uint64_t len)
{
    static const unsigned char zeros[256] = { 0 };
    unsigned char *to = dst->data + dst->data_len;
    size_t at, n;

    if (doca_priv_mlx5_is_local(dst))
        doca_core_backend_clear(to, (size_t)len);
    for (at = 0; dst->mmap->is_on_dev && at < len; at += n) {
        n = len - at < sizeof(zeros) ? (size_t)(len - at) : sizeof(zeros);
        (void)doca_priv_mlx5_dm_copy(dev, doca_priv_mlx5_keys(dst->mmap, dev)->mkey,
                                     (size_t)(to - dst->mmap->addr) + at,
                                     (void *)(uintptr_t)zeros, n, true);
    }
}

/* Clear the destination of a failed task whose source list has a buffer that is not local, for
 * example a buffer in an import: the export may have ended before all WQEs of the task had run, so
 * the copied bytes must not be used. A flushed task needs no clearing: it has copied nothing, or
 * only bytes that it read while the export was valid. If the program has released or changed the
 * destination since submit, the function does nothing, because the free bytes of the destination
 * are then not the bytes that the task wrote. */
static void doca_priv_mlx5_clear_dst(const struct doca_priv_mlx5_queue *q,
                                     const struct doca_priv_mlx5_slot *slot)
{
    const struct doca_dma_task_memcpy *t =
        (const struct doca_dma_task_memcpy *)(const void *)slot->task;
    const struct doca_buf *src = t->src, *dst = t->dst;
    uint64_t left = slot->bytes, room;

    while (src != NULL && doca_priv_mlx5_is_local(src))
        src = src->next;
    if (slot->syndrome == 0 || slot->syndrome == DOCA_PRIV_MLX5_SYNDROME_WR_FLUSH || src == NULL ||
        dst->flags == 0 || dst->data + dst->data_len != slot->to)
        return;
    for (; left > 0 && dst != NULL; dst = dst->next, left -= room) {
        room = doca_priv_mlx5_tailroom(dst);
        room = room < left ? room : left;
        if (room > 0)
            doca_priv_mlx5_clear_buf(dst, q->queue.dev, room);
    }
}

/* True when the device has finished the oldest posted task, whose slot is `slot`. Completions
 * arrive in the order of the WQEs. A completion of a later WQE therefore means that the completion
 * of this task is lost; the task then fails, and the later completion is stored for the next
 * call. */
DOCA_PRIV_DECL bool doca_priv_mlx5_is_done(struct doca_priv_mlx5_queue *q,
                                           struct doca_priv_mlx5_slot *slot)
{
    struct doca_priv_mlx5_done done;

    while (doca_priv_mlx5_reap(q, &done)) {
        if (doca_unlikely((uint16_t)(done.wqe - slot->last - 1u) < 0x7fff)) {
            q->done = done;
            q->has_done = true;
            q->is_broken = true;
            if (slot->syndrome == 0)
                slot->syndrome = DOCA_PRIV_MLX5_SYNDROME_NONE;
            done.wqe = (uint16_t)slot->last;
        } else if (doca_unlikely(done.syndrome != 0)) {
            q->is_broken = true;
            if (slot->syndrome == 0) {
                slot->syndrome = done.syndrome;
                slot->vendor = done.vendor;
            }
        }
        if (done.wqe == (uint16_t)slot->last) {
            q->sq_ci = slot->last + slot->blocks;
            return true;
        }
    }
    return false;
}

/* True when the device has failed and will write no more completions. Some parts of the device may
 * still work. Therefore the queue pairs are reset, to end all transfers in flight, before the tasks
 * are completed without CQEs. */
DOCA_PRIV_DECL bool doca_priv_mlx5_is_lost(struct doca_priv_mlx5_queue *q,
                                           struct doca_priv_mlx5_slot *slot)
{
    if (doca_likely(!doca_priv_mlx5_is_fatal(q->dev) && !q->is_lost))
        return false;
    if (!q->is_reset) {
        q->is_reset = true;
        (void)doca_priv_mlx5_set_qp_state(q, IBV_QPS_RESET);
    }
    q->is_broken = true;
    slot->syndrome = DOCA_PRIV_MLX5_SYNDROME_FATAL;
    return true;
}

/* Let the CPU move the bytes of a task that has overlapping buffers. Fails if the buffers have
 * changed since submit. */
static doca_error_t doca_priv_mlx5_move_by_cpu(const struct doca_priv_mlx5_queue *q,
                                               const struct doca_priv_mlx5_slot *slot)
{
    const struct doca_dma_task_memcpy *t =
        (const struct doca_dma_task_memcpy *)(const void *)slot->task;
    doca_error_t rc;

    if (!doca_priv_mlx5_is_simple_task(q, t) || t->src->data_len != slot->bytes)
        return doca_priv_mlx5_fail(slot, DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_MLX5_BUF);
    rc = doca_priv_mlx5_extend_dst(slot);
    if (rc == DOCA_SUCCESS)
        memmove(slot->to, t->src->data, (size_t)slot->bytes);
    return rc;
}

/* Complete the oldest task if it has finished, with any engine and any outcome. */
DOCA_PRIV_MLX5_NOINLINE struct doca_task *doca_priv_mlx5_poll(struct doca_core_queue *queue)
{
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    struct doca_priv_mlx5_slot *slot = q->oldest;
    struct doca_task *task;
    bool started = false;
    doca_error_t rc;

    if (slot->kind == DOCA_PRIV_MLX5_EMPTY)
        return NULL;
    if (slot->kind == DOCA_PRIV_MLX5_POSTED) {
        if (!doca_priv_mlx5_is_done(q, slot) && !doca_priv_mlx5_is_lost(q, slot))
            return NULL;
        rc = doca_priv_mlx5_task_status(q, slot);
        if (doca_unlikely(rc != DOCA_SUCCESS))
            doca_priv_mlx5_clear_dst(q, slot);
    } else if (slot->kind == DOCA_PRIV_MLX5_REFUSED) {
        rc = doca_priv_mlx5_fail_refused(slot);
    } else if (slot->kind == DOCA_PRIV_MLX5_BY_CPU && !q->is_flushed) {
        rc = doca_priv_mlx5_move_by_cpu(q, slot);
    } else {
        q->num_waiting -= slot->kind == DOCA_PRIV_MLX5_WAITING;
        rc = doca_priv_mlx5_fail(slot, q->status, DOCA_CORE_ITEM_FLUSHED);
    }
    task = doca_priv_mlx5_slot_complete(q, slot, rc);
    while (doca_unlikely(q->num_waiting > 0) && !q->is_broken &&
           doca_priv_mlx5_start(q, doca_priv_mlx5_oldest_waiting(q)))
        started = true;
    doca_priv_mlx5_set_fast_path(q);
    /* If no task was started here, tasks submitted without FLUSH stay without a doorbell. */
    if (started)
        doca_priv_mlx5_ring(q);
    return task;
}

/* True when a slot holds a posted task without an error whose last WQE has one basic block. The
 * four fields kind, syndrome, vendor and blocks are compared as one word. */
DOCA_PRIV_MLX5_HOT bool doca_priv_mlx5_is_simple_slot(const struct doca_priv_mlx5_slot *slot)
{
    const uint8_t wanted[4] = { DOCA_PRIV_MLX5_POSTED, 0, 0, 1 };
    uint32_t is, should;

    memcpy(&is, &slot->kind, sizeof(is));
    memcpy(&should, wanted, sizeof(should));
    return is == should;
}

#define DOCA_PRIV_MLX5_OP_OWN 0xf1u /* the bits of op_own that hold opcode and owner */

/* Fast path of polling, for MMO and RC: complete the oldest task if its CQE has arrived, reports no
 * error, and the destination matches `fast_buf` and has not changed since submit. Otherwise call
 * doca_priv_mlx5_poll(). */
DOCA_PRIV_DECL struct doca_task *doca_priv_mlx5_poll_fast(struct doca_core_queue *queue)
{
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    struct doca_priv_mlx5_slot *slot = q->oldest;
    struct doca_buf *dst;
    uint16_t counter;

    if ((__atomic_load_n(q->cqe + offsetof(struct doca_priv_mlx5_cqe, op_own), __ATOMIC_RELAXED) &
         DOCA_PRIV_MLX5_OP_OWN) != ((uint32_t)DOCA_PRIV_MLX5_CQE_REQ << 4 | q->cq_owner) ||
        doca_unlikely(!doca_priv_mlx5_is_simple_slot(slot)))
        return doca_priv_mlx5_poll(queue);
    doca_priv_mlx5_owner_before_cqe();
    memcpy(&counter, q->cqe + offsetof(struct doca_priv_mlx5_cqe, wqe_counter), sizeof(counter));
    dst = ((struct doca_dma_task_memcpy *)(void *)slot->task)->dst;
    if (doca_unlikely(DOCA_PRIV_MLX5_BE16(counter) != (uint16_t)slot->last ||
                      doca_priv_mlx5_buf_bytes(dst, 0) != q->fast_buf ||
                      dst->data + dst->data_len != slot->to ||
                      (uintptr_t)slot->to + slot->bytes > (uintptr_t)dst->end))
        return doca_priv_mlx5_poll(queue);
    doca_priv_mlx5_cqe_release(q);
    q->sq_ci = slot->last + 1;
    dst->data_len += (size_t)slot->bytes;
    return doca_priv_mlx5_slot_complete(q, slot, DOCA_SUCCESS);
}

/* Return tasks that were posted after the last doorbell to the state WAITING: the device has not
 * started them. Their WQEs are discarded. */
static void doca_priv_mlx5_unpost(struct doca_priv_mlx5_queue *q)
{
    struct doca_priv_mlx5_slot *slot;

    for (slot = q->slots; q->sq_pi != q->sq_pi_rung && slot != q->end; slot++) {
        if (slot->kind == DOCA_PRIV_MLX5_POSTED &&
            slot->last - q->sq_pi_rung < q->sq_pi - q->sq_pi_rung) {
            slot->kind = DOCA_PRIV_MLX5_WAITING;
            q->num_waiting++;
        }
    }
    q->sq_pi = q->sq_pi_rung;
}

/* Flush the queue: tasks that have not started complete with `status`. The queue pair enters the
 * error state, and one more WQE is posted. The device flushes this WQE, and its completion arrives
 * after all others: if the completion of a task is lost, the task does not wait forever. The ring
 * always has room for this WQE. */
DOCA_PRIV_DECL void doca_priv_mlx5_queue_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    struct doca_priv_mlx5_copy nothing;

    q->status = status;
    q->is_flushed = true;
    q->is_broken = true;
    doca_priv_mlx5_unpost(q);
    doca_priv_mlx5_set_fast_path(q);
    memset(&nothing, 0, sizeof(nothing));
    nothing.num = 1;
    if (doca_priv_mlx5_enter_error(q) && doca_priv_mlx5_post_wqe(q, &nothing, true) == 0 &&
        q->engine != DOCA_CORE_MLX5_ENGINE_VERBS)
        doca_priv_mlx5_ring_wqe(q, q->sq_pi - 1);
}

DOCA_PRIV_DECL void doca_priv_mlx5_queue_ring(struct doca_core_queue *queue)
{
    doca_priv_mlx5_ring(doca_priv_mlx5_queue_of(queue));
}

DOCA_PRIV_DECL bool doca_priv_mlx5_queue_ready(struct doca_core_queue *queue)
{
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);

    if (q->sync != NULL && doca_priv_mlx5_sync_has_ready(q->sync))
        return true;
    if (q->oldest->kind == DOCA_PRIV_MLX5_EMPTY)
        return false;
    if (q->oldest->kind != DOCA_PRIV_MLX5_POSTED || q->has_done || q->has_no_events ||
        doca_priv_mlx5_is_fatal(q->dev))
        return true;
    return q->engine == DOCA_CORE_MLX5_ENGINE_VERBS ? doca_priv_mlx5_poll_verbs(q) || q->is_lost
                                                    : doca_priv_mlx5_peek(q) != NULL;
}

/* part: src/mlx5/sync.c */
/* ---- >>mlx5.sync ----------------------------------------------------------------------------
 * Queues of sync events.
 * Tasks that read or update the value are in slots, with one WQE each; the 8 bytes that an RDMA
 * READ or FETCH_ADD returns are written into the slot. (It is assumed that the device reads and
 * writes 8 aligned bytes atomically.)
 * Waiting tasks are not in slots but in two lists. `waits` contains the tasks that the latest read
 * of the value is for. `fresh` contains tasks that were submitted after this read had started: its
 * result must not complete them. If the CPU cannot access the value, each read for waiting tasks
 * (a `probe`) is an RDMA READ in a slot without a task. Between two probes the queue waits for a
 * number of polls or, while it is armed, for a time interval.
 * Polling alternates between the tasks in slots and the waiting tasks, so that neither kind can
 * keep the other from completing.                                                               */

#define DOCA_PRIV_MLX5_MAX_SKIPS 255 /* largest number of polls between two READs */
#define DOCA_PRIV_MLX5_CLOCK 1       /* CLOCK_MONOTONIC of Linux */

DOCA_PRIV_MLX5_ASSERT(sync, sizeof(struct doca_priv_mlx5_sync) + DOCA_PRIV_MLX5_OPAQUE_BYTES +
                                    DOCA_PRIV_MLX5_DBRECS_BYTES <=
                                DOCA_PRIV_MLX5_SYNC_BYTES);

static struct doca_priv_mlx5_sync *doca_priv_mlx5_sync_of(struct doca_core_queue *queue)
{
    return (struct doca_priv_mlx5_sync *)(void *)queue;
}

static void doca_priv_mlx5_waits_add(struct doca_priv_mlx5_waits *waits, struct doca_task *task)
{
    task->next = NULL;
    *waits->end = task;
    waits->end = &task->next;
}

/* Remove the task that *link points to from its list, and return it. */
static struct doca_task *doca_priv_mlx5_waits_take(struct doca_priv_mlx5_waits *waits,
                                                   struct doca_task **link)
{
    struct doca_task *task = *link;

    /* analyzer: core.NullDereference: callers pass the link of an existing task */
    *link = task->next;
    if (*link == NULL)
        waits->end = link;
    return task;
}

/* Append the fresh tasks to `waits`, because the probe that begins counts for them. */
static void doca_priv_mlx5_sync_add_fresh(struct doca_priv_mlx5_sync *s)
{
    if (s->fresh.first == NULL)
        return;
    *s->waits.end = s->fresh.first;
    s->waits.end = s->fresh.end;
    s->fresh.first = NULL;
    s->fresh.end = &s->fresh.first;
}

static bool doca_priv_mlx5_sync_has_waits(const struct doca_priv_mlx5_sync *s)
{
    return s->waits.first != NULL || s->fresh.first != NULL;
}

/* True when `value` satisfies the condition of a waiting task. */
static bool doca_priv_mlx5_sync_is_met(const struct doca_task *task, uint64_t value)
{
    const struct doca_sync_event_task_wait_gt *t =
        (const struct doca_sync_event_task_wait_gt *)(const void *)task;

    value &= t->mask;
    return task->type == DOCA_CORE_EVENT_WAIT_GT
               ? value > t->wait_val
               : (value == t->wait_val) == (task->type == DOCA_CORE_EVENT_WAIT_EQ);
}

/* Return the link to the first task in `waits` whose condition `value` satisfies. If `value`
 * satisfies no condition, return the link at the end of the list; it contains NULL. */
static struct doca_task **doca_priv_mlx5_sync_find_met(struct doca_priv_mlx5_waits *waits,
                                                       uint64_t value)
{
    struct doca_task **link = &waits->first;

    while (*link != NULL && !doca_priv_mlx5_sync_is_met(*link, value))
        link = &(*link)->next;
    return link;
}

/* True when a poll would complete one of the waiting tasks. */
DOCA_PRIV_DECL bool doca_priv_mlx5_sync_has_ready(struct doca_priv_mlx5_sync *s)
{
    uint64_t value;

    if (!doca_priv_mlx5_sync_has_waits(s))
        return false;
    if (s->q.is_flushed || doca_priv_mlx5_is_fatal(s->q.dev))
        return true;
    if (s->cpu_addr == NULL)
        return s->is_value_unchecked && *doca_priv_mlx5_sync_find_met(&s->waits, s->value) != NULL;
    value = __atomic_load_n(s->cpu_addr, __ATOMIC_ACQUIRE);
    return *doca_priv_mlx5_sync_find_met(&s->waits, value) != NULL ||
           *doca_priv_mlx5_sync_find_met(&s->fresh, value) != NULL;
}

/* Describe in *a what the device does for the task of a slot. A slot without a task stands for a
 * probe: an RDMA READ. */
static void doca_priv_mlx5_sync_access(const struct doca_priv_mlx5_sync *s,
                                       struct doca_priv_mlx5_slot *slot,
                                       struct doca_priv_mlx5_access_8 *a)
{
    const struct doca_task *task = slot->task;

    memset(a, 0, sizeof(*a));
    a->opcode = DOCA_PRIV_MLX5_OPCODE_RDMA_READ;
    a->addr = s->addr;
    a->rkey = s->rkey;
    a->cell = (uintptr_t)&slot->bytes;
    a->lkey = s->q.opaque_mr->lkey;
    if (task != NULL && task->type == DOCA_CORE_EVENT_NOTIFY_SET) {
        a->opcode = DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE;
        a->operand =
            ((const struct doca_sync_event_task_notify_set *)(const void *)task)->set_val;
    } else if (task != NULL && task->type == DOCA_CORE_EVENT_NOTIFY_ADD) {
        a->opcode = DOCA_PRIV_MLX5_OPCODE_ATOMIC_FA;
        a->operand =
            ((const struct doca_sync_event_task_notify_add *)(const void *)task)->inc_val;
    }
}

/* True when a WQE with this opcode must not be posted yet. With VERBS the order is ensured here,
 * without fence flags, because soft-RoCE of Linux 6.1 can hang on a fence. A write must wait while
 * a READ or an addition is in flight, and an addition must wait while a READ is in flight. Other
 * combinations take effect in order without a wait. */
static bool doca_priv_mlx5_sync_is_fenced(const struct doca_priv_mlx5_sync *s, uint32_t opcode)
{
    uint32_t end = opcode == DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE  ? s->fetches
                   : opcode == DOCA_PRIV_MLX5_OPCODE_ATOMIC_FA ? s->reads
                                                               : s->q.sq_ci;

    return s->q.engine == DOCA_CORE_MLX5_ENGINE_VERBS &&
           end - s->q.sq_ci - 1 < s->q.sq_pi - s->q.sq_ci; /* true when `end` is after sq_ci */
}

/* Post the access that doca_priv_mlx5_sync_access() has prepared, through verbs. Return 0 or an
 * errno. */
static int doca_priv_mlx5_sync_send_wr(const struct doca_priv_mlx5_queue *q,
                                       struct doca_priv_mlx5_access_8 *a)
{
    struct ibv_send_wr wr;
    struct ibv_sge sge;

    memset(&wr, 0, sizeof(wr));
    sge.addr = a->cell;
    sge.length = sizeof(a->operand);
    sge.lkey = a->lkey;
    wr.wr_id = q->sq_pi & 0xffff;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.send_flags = IBV_SEND_SIGNALED;
    if (a->opcode == DOCA_PRIV_MLX5_OPCODE_ATOMIC_FA) {
        wr.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD;
        wr.wr.atomic.remote_addr = a->addr;
        wr.wr.atomic.rkey = a->rkey;
        wr.wr.atomic.compare_add = a->operand;
    } else {
        wr.opcode = IBV_WR_RDMA_READ;
        wr.wr.rdma.remote_addr = a->addr;
        wr.wr.rdma.rkey = a->rkey;
    }
    if (a->opcode == DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE) {
        wr.opcode = IBV_WR_RDMA_WRITE;
        wr.send_flags |= IBV_SEND_INLINE;
        sge.addr = (uintptr_t)&a->operand;
    }
    return doca_priv_mlx5.sys->post_send(q->qp, &wr);
}

/* Start the task or probe of the oldest waiting slot. Returns false when it cannot start at the
 * moment. */
static bool doca_priv_mlx5_sync_start(struct doca_priv_mlx5_sync *s,
                                      struct doca_priv_mlx5_slot *slot)
{
    struct doca_priv_mlx5_queue *q = &s->q;
    struct doca_priv_mlx5_access_8 a;
    int error = 0;

    doca_priv_mlx5_sync_access(s, slot, &a);
    if (q->sq_pi - q->sq_ci >= q->max_wqes || doca_priv_mlx5_sync_is_fenced(s, a.opcode))
        return false;
    if (doca_unlikely(doca_priv_mlx5_is_fatal(q->dev))) {
        doca_priv_mlx5_refuse(q, slot, DOCA_CORE_ITEM_MLX5_FATAL);
    } else {
        if (q->engine == DOCA_CORE_MLX5_ENGINE_VERBS)
            error = doca_priv_mlx5_sync_send_wr(q, &a);
        else
            doca_priv_mlx5_pack_access_8(
                q->sq + (size_t)(q->sq_pi & q->sq_mask) * DOCA_PRIV_MLX5_WQEBB, q->qp->qp_num,
                q->sq_pi, &a);
        if (doca_unlikely(error != 0)) {
            doca_priv_mlx5_fail_post(q, slot, error);
        } else {
            slot->last = q->sq_pi++;
            slot->kind = DOCA_PRIV_MLX5_POSTED;
            if (q->engine == DOCA_CORE_MLX5_ENGINE_VERBS)
                q->sq_pi_rung = q->sq_pi;
            if (a.opcode == DOCA_PRIV_MLX5_OPCODE_RDMA_READ)
                s->reads = q->sq_pi;
            if (a.opcode != DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE)
                s->fetches = q->sq_pi;
        }
    }
    q->num_waiting--;
    return true;
}

/* Put a task into the next slot, or a probe if `task` is NULL, and start it if it can start. */
static void doca_priv_mlx5_sync_submit(struct doca_priv_mlx5_sync *s, struct doca_task *task)
{
    struct doca_priv_mlx5_slot *slot =
        doca_priv_mlx5_slot_add(&s->q, task, DOCA_PRIV_MLX5_WAITING);

    if (++s->q.num_waiting == 1 && doca_likely(!s->q.is_broken))
        (void)doca_priv_mlx5_sync_start(s, slot);
}

/* Return the address that the task's result is written to. The program must have set it before
 * submit. */
static uint64_t *doca_priv_mlx5_sync_result(struct doca_task *task)
{
    return task->type == DOCA_CORE_EVENT_GET
               ? ((struct doca_sync_event_task_get *)(void *)task)->ret_val_ptr
               : ((struct doca_sync_event_task_notify_add *)(void *)task)->fetched_val_ptr;
}

static bool doca_priv_mlx5_sync_has_result(const struct doca_task *task)
{
    return task->type == DOCA_CORE_EVENT_GET || task->type == DOCA_CORE_EVENT_NOTIFY_ADD;
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_sync_post(struct doca_core_queue *queue,
                                                     struct doca_task *task)
{
    struct doca_priv_mlx5_sync *s = doca_priv_mlx5_sync_of(queue);

    /* This queue does not defer tasks: a deferred task that is refused here could complete before
     * the core calls queue_ring(). */
    if (task->more == DOCA_CORE_MORE_LATER)
        return DOCA_ERROR_AGAIN;
    if (doca_unlikely(doca_priv_mlx5_sync_has_result(task) &&
                      doca_priv_mlx5_sync_result(task) == NULL)) {
        doca_priv_mlx5_ring(&s->q);
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (task->type >= DOCA_CORE_EVENT_WAIT_GT) {
        doca_priv_mlx5_waits_add(&s->fresh, task);
        s->next_skips = 0;
        s->skips = 0;
        if (s->is_armed)
            doca_priv_mlx5_sync_arm(s, true);
    } else {
        doca_priv_mlx5_sync_submit(s, task);
    }
    if (task->more == DOCA_CORE_MORE_NONE)
        doca_priv_mlx5_ring(&s->q);
    return DOCA_SUCCESS;
}

/* Return the status of the task or probe in a slot, and write the task's result. */
static doca_error_t doca_priv_mlx5_sync_status(const struct doca_priv_mlx5_queue *q,
                                               const struct doca_priv_mlx5_slot *slot)
{
    if (slot->kind == DOCA_PRIV_MLX5_REFUSED)
        return doca_priv_mlx5_fail_refused(slot);
    if (slot->kind == DOCA_PRIV_MLX5_WAITING)
        return doca_priv_mlx5_fail(slot, q->status, DOCA_CORE_ITEM_FLUSHED);
    if (doca_unlikely(slot->syndrome != 0))
        return doca_priv_mlx5_task_status(q, slot);
    if (slot->task != NULL && doca_priv_mlx5_sync_has_result(slot->task))
        *doca_priv_mlx5_sync_result(slot->task) = slot->bytes;
    return DOCA_SUCCESS;
}

/* Complete the first waiting task with `rc`, because a probe has failed or the queue was
 * aborted. */
static struct doca_task *doca_priv_mlx5_sync_fail(struct doca_priv_mlx5_sync *s, doca_error_t rc)
{
    struct doca_task *task;

    doca_priv_mlx5_sync_add_fresh(s);
    task = doca_priv_mlx5_waits_take(&s->waits, &s->waits.first);
    task->status = (uint8_t)rc;
    return task;
}

/* Handle a finished probe: store the value that it has read and free its slot. If it failed,
 * complete the first waiting task with the error and return that task, else NULL. */
static struct doca_task *doca_priv_mlx5_sync_probe_done(struct doca_priv_mlx5_sync *s,
                                                        struct doca_priv_mlx5_slot *slot)
{
    doca_error_t rc = DOCA_SUCCESS;

    s->is_probing = false;
    if (!s->q.is_flushed) {
        slot->task = s->waits.first; /* the task that is named in the report of a failure */
        if (slot->syndrome != 0 || slot->kind != DOCA_PRIV_MLX5_POSTED)
            rc = doca_priv_mlx5_sync_status(&s->q, slot);
        if (s->value != slot->bytes)
            s->next_skips = 0;
        s->value = slot->bytes;
        s->is_value_unchecked = rc == DOCA_SUCCESS;
    }
    slot->kind = DOCA_PRIV_MLX5_EMPTY;
    s->q.oldest = slot + 1 != s->q.end ? slot + 1 : s->q.slots;
    return rc != DOCA_SUCCESS ? doca_priv_mlx5_sync_fail(s, rc) : NULL;
}

/* Return the task of the oldest slot if it has finished, and start slots that wait. */
static struct doca_task *doca_priv_mlx5_sync_poll_slot(struct doca_priv_mlx5_sync *s)
{
    struct doca_priv_mlx5_queue *q = &s->q;
    struct doca_priv_mlx5_slot *slot = q->oldest;
    struct doca_task *task;
    bool started = false;

    if (slot->kind == DOCA_PRIV_MLX5_EMPTY)
        return NULL;
    if (slot->kind == DOCA_PRIV_MLX5_POSTED && !doca_priv_mlx5_is_done(q, slot) &&
        !doca_priv_mlx5_is_lost(q, slot))
        return NULL;
    if (slot->kind == DOCA_PRIV_MLX5_WAITING) {
        if (!q->is_broken)
            return NULL;
        q->num_waiting--;
    }
    task = slot->task == NULL
               ? doca_priv_mlx5_sync_probe_done(s, slot)
               : doca_priv_mlx5_slot_complete(q, slot, doca_priv_mlx5_sync_status(q, slot));
    while (doca_unlikely(q->num_waiting > 0) && !q->is_broken &&
           doca_priv_mlx5_sync_start(s, doca_priv_mlx5_oldest_waiting(q)))
        started = true;
    /* If no task was started here, tasks submitted without FLUSH stay without a doorbell. */
    if (started)
        doca_priv_mlx5_ring(q);
    return task;
}

/* Return the first waiting task whose condition holds for the value that was last read. */
static struct doca_task *doca_priv_mlx5_sync_take_met(struct doca_priv_mlx5_sync *s)
{
    struct doca_task **link, *task;
    uint64_t value;

    if (!doca_priv_mlx5_sync_has_waits(s) || s->q.is_flushed)
        return NULL;
    if (s->cpu_addr != NULL) {
        value = __atomic_load_n(s->cpu_addr, __ATOMIC_ACQUIRE);
        s->is_value_unchecked = s->is_value_unchecked || s->fresh.first != NULL ||
                                value != s->value;
        s->value = value;
        doca_priv_mlx5_sync_add_fresh(s);
    }
    if (!s->is_value_unchecked)
        return NULL;
    link = doca_priv_mlx5_sync_find_met(&s->waits, s->value);
    s->is_value_unchecked = *link != NULL;
    if (*link == NULL)
        return NULL;
    task = doca_priv_mlx5_waits_take(&s->waits, link);
    task->status = DOCA_SUCCESS;
    return task;
}

/* Start a probe for the waiting tasks, unless it is too early or no probe is needed. */
static void doca_priv_mlx5_sync_probe(struct doca_priv_mlx5_sync *s)
{
    if (s->cpu_addr != NULL || s->is_probing || s->is_value_unchecked || s->q.is_broken ||
        !doca_priv_mlx5_sync_has_waits(s))
        return;
    if (s->skips > 0) {
        s->skips--;
        return;
    }
    doca_priv_mlx5_sync_add_fresh(s);
    s->is_probing = true;
    doca_priv_mlx5_sync_submit(s, NULL);
    doca_priv_mlx5_ring(&s->q);
    s->skips = s->next_skips;
    s->next_skips =
        s->next_skips < DOCA_PRIV_MLX5_MAX_SKIPS ? 2 * s->next_skips + 1 : DOCA_PRIV_MLX5_MAX_SKIPS;
}

/* Complete a waiting task with an error after a flush or a failure of the device, once all slots
 * are empty. */
static struct doca_task *doca_priv_mlx5_sync_abort(struct doca_priv_mlx5_sync *s)
{
    struct doca_priv_mlx5_queue *q = &s->q;
    doca_error_t rc;

    if (!doca_priv_mlx5_sync_has_waits(s) || q->oldest->kind != DOCA_PRIV_MLX5_EMPTY)
        return NULL;
    if (doca_likely(!q->is_flushed && !doca_priv_mlx5_is_fatal(q->dev)))
        return NULL;
    doca_priv_mlx5_sync_add_fresh(s);
    rc = q->is_flushed
             ? doca_core_backend_fail(q->status, DOCA_CORE_ITEM_FLUSHED, "doca_pe_progress",
                                      s->waits.first, 0)
             : doca_core_backend_fail(DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_MLX5_FATAL,
                                      "doca_pe_progress", s->waits.first, 0);
    return doca_priv_mlx5_sync_fail(s, rc);
}

DOCA_PRIV_DECL struct doca_task *doca_priv_mlx5_sync_poll(struct doca_core_queue *queue)
{
    struct doca_priv_mlx5_sync *s = doca_priv_mlx5_sync_of(queue);
    struct doca_task *task = NULL;

    if (s->waits_first) {
        task = doca_priv_mlx5_sync_take_met(s);
        doca_priv_mlx5_sync_probe(s);
    }
    s->waits_first = false;
    if (task == NULL) {
        task = doca_priv_mlx5_sync_poll_slot(s);
        s->waits_first = task != NULL;
    }
    if (task == NULL)
        task = doca_priv_mlx5_sync_take_met(s);
    if (task == NULL)
        doca_priv_mlx5_sync_probe(s);
    return task != NULL ? task : doca_priv_mlx5_sync_abort(s);
}

/* Set or stop the timer. While the queue is armed, tasks wait and no READ is in flight, the timer
 * wakes the sleeping thread, so that it polls and reads the value. */
DOCA_PRIV_DECL void doca_priv_mlx5_sync_arm(struct doca_priv_mlx5_sync *s, bool armed)
{
    const bool is_on = armed && doca_priv_mlx5_sync_has_waits(s) && !s->is_probing;
    struct itimerspec spec;

    s->is_armed = armed;
    if (!is_on && !s->is_timed)
        return;
    memset(&spec, 0, sizeof(spec));
    if (is_on) {
        spec.it_value.tv_nsec = 1000L * (50 + 4 * (long)s->next_skips);
        s->skips = 0; /* the poll that the timer causes reads the value at once */
        if (s->cpu_addr != NULL)
            s->next_skips = s->next_skips < DOCA_PRIV_MLX5_MAX_SKIPS ? 2 * s->next_skips + 1
                                                                     : DOCA_PRIV_MLX5_MAX_SKIPS;
    }
    (void)timerfd_settime(s->timer, 0, &spec, NULL);
    s->is_timed = is_on;
}

/* Acquire what a queue of a sync event needs in addition to its queue pairs. Returns false on
 * failure; errno and *why then say what failed. */
DOCA_PRIV_DECL bool doca_priv_mlx5_sync_open(struct doca_priv_mlx5_sync *s,
                                             const struct doca_core_event_place *place,
                                             struct doca_core_refusal *why)
{
    const unsigned rights = DOCA_PRIV_MLX5_SYNC_ACCESS | (unsigned)IBV_ACCESS_LOCAL_WRITE;
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct doca_priv_mlx5_queue *q = &s->q;
    struct doca_priv_mlx5_dm *dm;

    s->waits.end = &s->waits.first;
    s->fresh.end = &s->fresh.first;
    s->addr = (uintptr_t)place->addr;
    s->cpu_addr = place->here;
    s->rkey = place->internal_mkey != 0 ? place->internal_mkey : place->mkey;
    errno = 0;
    why->step = DOCA_PRIV_MLX5_TEXT("register the memory for results");
    q->opaque_mr =
        sys->reg_mr(q->dev->pd, q->slots, (size_t)(q->end - q->slots) * sizeof(*q->slots),
                    IBV_ACCESS_LOCAL_WRITE);
    if (q->opaque_mr == NULL)
        return false;
    why->step = DOCA_PRIV_MLX5_TEXT("register the event's value");
    if (place->mmap->is_on_dev) {
        dm = doca_priv_mlx5_dm_find(q->dev, place->mkey, false);
        if (dm == NULL)
            return false;
        s->mr = sys->reg_dm_mr(q->dev->pd, dm->dm, doca_priv_mlx5_dm_bytes(place->mmap->len),
                               rights | (unsigned)IBV_ACCESS_ZERO_BASED);
    } else if (!place->mmap->is_imported) {
        s->mr = sys->reg_mr(q->dev->pd, place->addr, sizeof(*place->here), rights);
    }
    if (s->mr == NULL && !place->mmap->is_imported)
        return false;
    if (s->mr != NULL)
        s->rkey = s->mr->rkey;
    why->step = DOCA_PRIV_MLX5_TEXT("open a timer (timerfd_create)");
    s->timer = doca_core_backend_keep_fd(
        timerfd_create(DOCA_PRIV_MLX5_CLOCK, TFD_NONBLOCK | TFD_CLOEXEC));
    return s->timer >= 0 && doca_priv_mlx5_watch(q, EPOLL_CTL_ADD, s->timer, true) == 0;
}

DOCA_PRIV_DECL int doca_priv_mlx5_sync_close(struct doca_priv_mlx5_sync *s)
{
    if (s->timer >= 0)
        (void)close(s->timer);
    return s->mr != NULL ? doca_priv_mlx5.sys->dereg_mr(s->mr) : 0;
}

/* part: src/mlx5/event.c */
/* ---- >>mlx5.event ---------------------------------------------------------------------------
 * Notification handles: a queue's descriptor becomes readable when a completion arrives or the
 * device fails.
 * Arming a completion queue gives the device a CQE index. The device sends one event, to the
 * completion channel of the queue, for the first CQE after this index, even if it had written that
 * CQE before the arming. The device cannot be disarmed. Therefore a queue's descriptor is an epoll
 * set that contains the channel. When the core has disarmed the queue but the device has not sent
 * its event yet, the set does not report the channel.
 * Linux limits how many chains of nested epoll sets may lead to one descriptor: 100 chains of three
 * sets (those of the queue, the PE and the program). Therefore only some queues of a device have
 * the device's own descriptor in their sets; when such a queue closes, another queue adds it.
 * A queue that detects a failure reports it to the core, and the core wakes the other queues.   */

#define DOCA_PRIV_MLX5_MAX_WATCHING 64

/* Add a descriptor to the queue's epoll set, or change it (`op`). The set reports the descriptor if
 * `is_on`. Returns 0, also for a negative `fd`, or -1. */
DOCA_PRIV_DECL int doca_priv_mlx5_watch(const struct doca_priv_mlx5_queue *q, int op, int fd,
                                        bool is_on)
{
    struct epoll_event event;

    memset(&event, 0, sizeof(event));
    event.events = is_on ? (uint32_t)EPOLLIN : 0;
    return fd < 0 ? 0 : epoll_ctl(q->fd, op, fd, &event);
}

/* Add the device's descriptor to the epoll sets of its queues, until DOCA_PRIV_MLX5_MAX_WATCHING
 * sets contain it. The caller holds the device's lock, so that no queue can close its epoll set
 * during the call. */
static void doca_priv_mlx5_add_watches(struct doca_priv_mlx5_dev *d)
{
    struct doca_priv_mlx5_queue *q = d->queues;

    for (; q != NULL && d->num_watching < DOCA_PRIV_MLX5_MAX_WATCHING; q = q->next_of_dev) {
        if (!q->watches_dev &&
            doca_priv_mlx5_watch(q, EPOLL_CTL_ADD, d->context->async_fd, true) == 0) {
            q->watches_dev = true;
            d->num_watching++;
        }
    }
}

/* Create the epoll set of a queue. Returns false on failure; errno and *why then say what
 * failed. */
DOCA_PRIV_DECL bool doca_priv_mlx5_event_open(struct doca_priv_mlx5_queue *q,
                                              struct doca_core_refusal *why)
{
    struct doca_priv_mlx5_dev *d = q->dev;
    bool is_watched;

    why->step = DOCA_PRIV_MLX5_TEXT("open an epoll set, and watch the queue and the device in it");
    q->fd = doca_core_backend_keep_fd(epoll_create1(EPOLL_CLOEXEC));
    if (q->fd < 0 || doca_priv_mlx5_watch(q, EPOLL_CTL_ADD, q->channel->fd, true) != 0)
        return false;
    doca_priv_mlx5_lock(&d->lock);
    q->next_of_dev = d->queues;
    d->queues = q;
    if (d->dev->from_pd == NULL)
        doca_priv_mlx5_add_watches(d);
    is_watched = d->dev->from_pd != NULL || d->num_watching > 0;
    doca_priv_mlx5_unlock(&d->lock);
    return is_watched;
}

/* True when the event says that a queue of this library will deliver no more completions. */
DOCA_PRIV_DECL bool doca_priv_mlx5_is_queue_error(struct doca_priv_mlx5_dev *d,
                                                  const struct ibv_async_event *event)
{
    const struct ibv_cq *cq = event->event_type == IBV_EVENT_CQ_ERR ? event->element.cq : NULL;
    const struct ibv_qp *qp = event->event_type == IBV_EVENT_QP_FATAL ? event->element.qp : NULL;
    const struct doca_priv_mlx5_queue *q;

    if (cq == NULL && qp == NULL)
        return false;
    doca_priv_mlx5_lock(&d->lock);
    for (q = d->queues; q != NULL; q = q->next_of_dev)
        if (cq != NULL ? q->ibv_cq == cq : q->qp == qp || q->peer == qp)
            break;
    doca_priv_mlx5_unlock(&d->lock);
    return q != NULL;
}

/* Close the epoll set and unlink the queue from its device, if event_open() has created the set. */
DOCA_PRIV_DECL void doca_priv_mlx5_event_close(struct doca_priv_mlx5_queue *q)
{
    struct doca_priv_mlx5_dev *d = q->dev;
    struct doca_priv_mlx5_queue **link = &d->queues;

    if (q->fd < 0)
        return;
    doca_priv_mlx5_lock(&d->lock);
    while (*link != NULL && *link != q)
        link = &(*link)->next_of_dev;
    if (*link != NULL)
        *link = q->next_of_dev;
    (void)close(q->fd);
    if (q->watches_dev) {
        d->num_watching--;
        doca_priv_mlx5_add_watches(d);
    }
    doca_priv_mlx5_unlock(&d->lock);
}

DOCA_PRIV_DECL int doca_priv_mlx5_queue_fd(struct doca_core_queue *queue)
{
    return doca_priv_mlx5_queue_of(queue)->fd;
}

/* Read the event of the last arming. Returns false when it has not arrived yet, and when the queue
 * was not armed. */
static bool doca_priv_mlx5_read_cq_event(struct doca_priv_mlx5_queue *q)
{
    if (!q->is_hw_armed || doca_priv_mlx5.sys->take_cq_event(q->channel) != 0)
        return false;
    q->is_hw_armed = false;
    q->arm_sn++;
    return true;
}

/* Arm the completion queue through verbs. If that fails, the queue reports that it is ready, so
 * that no thread sleeps on it. */
static void doca_priv_mlx5_arm_verbs(struct doca_priv_mlx5_queue *q)
{
    int error = doca_priv_mlx5.sys->req_notify_cq(q->ibv_cq);

    q->is_hw_armed = error == 0;
    q->has_no_events = error != 0;
    if (error == 0)
        return;
    doca_priv_mlx5_log_leak(error, DOCA_CORE_ITEM_MLX5_CALL, "doca_pe_request_notification",
                            DOCA_PRIV_MLX5_TEXT("arm the completion queue (ibv_req_notify_cq)"));
    /* Make the next call query the port. */
    __atomic_store_n(&q->dev->num_calls, 0u, __ATOMIC_RELAXED);
    (void)doca_priv_mlx5_dev_failed(q->queue.dev);
}

DOCA_PRIV_DECL void doca_priv_mlx5_queue_arm(struct doca_core_queue *queue, bool armed)
{
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    bool is_on;

    if (!doca_priv_mlx5_read_cq_event(q))
        doca_priv_mlx5_read_events(q->dev); /* an asynchronous event may have woken the thread */
    if (armed && !q->is_hw_armed) {
        if (q->engine == DOCA_CORE_MLX5_ENGINE_VERBS) {
            doca_priv_mlx5_arm_verbs(q);
        } else {
            q->is_hw_armed = true;
            doca_priv_mlx5_ring_arm(q->cq_dbrec, q->cq_uar, q->cqn, q->cq_ci, q->arm_sn);
        }
    }
    if (q->sync != NULL)
        doca_priv_mlx5_sync_arm(q->sync, armed);
    is_on = armed || !q->is_hw_armed;
    if (is_on == q->is_masked) {
        (void)doca_priv_mlx5_watch(q, EPOLL_CTL_MOD, q->channel->fd, is_on);
        q->is_masked = !is_on;
    }
}

/* part: src/mlx5/table.c */
/* ---- >>mlx5.table ---------------------------------------------------------------------------
 * Opens and closes queues, and implements the public calls of this backend and its table.       */

/* Close a queue, also if it was opened only partly. */
static void doca_priv_mlx5_queue_close(struct doca_core_queue *queue)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    int error = 0;

    if (q->qp != NULL)
        error = sys->destroy_qp(q->qp);
    if (q->peer != NULL)
        doca_priv_mlx5_keep_first(&error, sys->destroy_qp(q->peer));
    if (q->opaque_mr != NULL)
        doca_priv_mlx5_keep_first(&error, sys->dereg_mr(q->opaque_mr));
    while (q->channel != NULL && q->ibv_cq != NULL && sys->take_cq_event(q->channel) == 0) {
        /* acknowledge all pending events */
    }
    if (q->sync != NULL)
        doca_priv_mlx5_keep_first(&error, doca_priv_mlx5_sync_close(q->sync));
    doca_priv_mlx5_event_close(q);
    if (q->ibv_cq != NULL)
        doca_priv_mlx5_keep_first(&error, sys->destroy_cq(q->ibv_cq));
    if (q->domain != NULL)
        doca_priv_mlx5_keep_first(&error, sys->dealloc_pd(q->domain));
    if (q->td != NULL)
        doca_priv_mlx5_keep_first(&error, sys->dealloc_td(q->td));
    if (q->channel != NULL)
        doca_priv_mlx5_keep_first(&error, sys->destroy_comp_channel(q->channel));
    doca_priv_mlx5_log_leak(error, DOCA_CORE_ITEM_MLX5_CALL, "doca_ctx_stop",
                            DOCA_PRIV_MLX5_TEXT("destroy the resources of a queue"));
}

/* Connect the queue pairs. The port's address is queried each time, because subnet managers and
 * administrators change it. Return 0 or an errno; *why then names the step. */
static int doca_priv_mlx5_connect_all(const struct doca_priv_mlx5_queue *q,
                                      struct doca_core_refusal *why)
{
    struct doca_priv_mlx5_caps caps = q->dev->card->caps;
    struct ibv_port_attr port;
    int error;

    why->step = DOCA_PRIV_MLX5_TEXT("query the port");
    error = doca_priv_mlx5_read_port(&caps, q->dev->context, &port);
    if (error == 0 && caps.is_ethernet && !caps.has_gid) {
        why->step = DOCA_PRIV_MLX5_TEXT("connect with a GID of the port");
        error = EADDRNOTAVAIL;
    }
    if (error == 0 && q->peer != NULL)
        error = doca_priv_mlx5_connect(q, &caps, q->peer, q->qp->qp_num,
                                       q->sync != NULL ? DOCA_PRIV_MLX5_SYNC_ACCESS
                                                       : (unsigned)IBV_ACCESS_REMOTE_WRITE,
                                       why);
    if (error == 0)
        error = doca_priv_mlx5_connect(q, &caps, q->qp,
                                       (q->peer != NULL ? q->peer : q->qp)->qp_num, 0, why);
    return error;
}

/* Create the objects of a queue. doca_priv_mlx5_queue_close() destroys them, however many were
 * created. Returns false on failure; errno and *why then say what failed. */
static bool doca_priv_mlx5_queue_create(struct doca_priv_mlx5_queue *q, uint32_t num_wqes,
                                        struct doca_core_refusal *why)
{
    const size_t ring = DOCA_PRIV_MLX5_RING(num_wqes);
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;

    errno = 0;
    why->step = DOCA_PRIV_MLX5_TEXT("create a completion channel");
    q->channel = sys->create_comp_channel(q->dev->context);
    if (q->channel == NULL)
        return false;
    doca_priv_mlx5_make_domain(q);
    doca_priv_mlx5_set_ring_place(q, 0, ring);
    why->step = DOCA_PRIV_MLX5_TEXT("create a completion queue");
    /* libmlx5 adds one entry and rounds up to a power of two. With a domain the ring is in the
     * queue's block, where the space is for `num_wqes` entries, a power of two. */
    q->ibv_cq = sys->create_cq(q->dev->context,
                               (int)(q->domain != NULL ? num_wqes - 1 : num_wqes), q->channel,
                               q->domain);
    if (q->ibv_cq == NULL)
        return false;
    if (q->engine == DOCA_CORE_MLX5_ENGINE_MMO) {
        why->step = DOCA_PRIV_MLX5_TEXT("register the queue's memory");
        q->opaque_mr = sys->reg_mr(q->dev->pd, q->opaque, DOCA_PRIV_MLX5_OPAQUE_BYTES,
                                   IBV_ACCESS_LOCAL_WRITE);
        if (q->opaque_mr == NULL)
            return false;
    } else {
        doca_priv_mlx5_set_ring_place(q, 2 * ring, DOCA_CORE_MLX5_PAGE);
        why->step = DOCA_PRIV_MLX5_TEXT("create the second queue pair");
        q->peer = doca_priv_mlx5_make_qp(q, 1, 1, 0);
        if (q->peer == NULL)
            return false;
    }
    doca_priv_mlx5_set_ring_place(q, ring, ring);
    why->step = DOCA_PRIV_MLX5_TEXT("create a queue pair");
    q->qp = doca_priv_mlx5_make_main_qp(q, num_wqes);
    if (q->qp == NULL)
        return false;
    if (q->opaque_mr != NULL)
        doca_priv_mlx5_model_mmo(&q->model, q->qp->qp_num, q->opaque_mr->lkey,
                                 (uintptr_t)q->opaque);
    else
        doca_priv_mlx5_model_write(&q->model, q->qp->qp_num);
    q->max_wqes = num_wqes - 1;
    why->step = DOCA_PRIV_MLX5_TEXT("provide large enough rings (mlx5dv_init_obj)");
    errno = q->engine == DOCA_CORE_MLX5_ENGINE_VERBS ? 0 : doca_priv_mlx5_get_rings(q);
    if (errno == 0)
        errno = doca_priv_mlx5_connect_all(q, why);
    return errno == 0 && doca_priv_mlx5_event_open(q, why);
}

/* Set up the part that queues of copies and of sync events have in common. `bytes`: offset of the
 * slots from the beginning of the queue. `depth`: number of slots. */
static doca_error_t doca_priv_mlx5_queue_init(struct doca_core_queue *queue, size_t bytes,
                                              uint32_t depth)
{
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();
    doca_error_t rc;

    q->dev = doca_priv_mlx5_dev_of(queue->dev);
    q->engine = (uint8_t)q->dev->card->engine;
    if (q->sync != NULL && q->engine == DOCA_CORE_MLX5_ENGINE_MMO)
        q->engine = DOCA_CORE_MLX5_ENGINE_RC;
    q->slots = (struct doca_priv_mlx5_slot *)(void *)((unsigned char *)queue + bytes);
    q->end = q->slots + depth;
    q->oldest = q->slots;
    q->next = q->slots;
    doca_priv_mlx5_set_fast_path(q);
    q->max_bytes = queue->dev->info.attr.limits.dma_max_buf_size;
    q->max_fast = q->max_bytes - (q->engine == DOCA_CORE_MLX5_ENGINE_RC ? DOCA_CORE_MLX5_MAX_INLINE
                                                                          : 0);
    q->opaque = (unsigned char *)q->slots - DOCA_PRIV_MLX5_OPAQUE_BYTES;
    q->dbrec_place = q->opaque - DOCA_PRIV_MLX5_DBRECS_BYTES;
    q->status = DOCA_ERROR_IO_FAILED;
    q->fd = -1;
    if (!doca_priv_mlx5_queue_create(q, doca_priv_mlx5_num_wqes(&q->dev->card->caps, depth),
                                     &why)) {
        rc = doca_priv_mlx5_report("doca_ctx_start", queue->dev, &why);
        doca_priv_mlx5_queue_close(queue);
        return rc;
    }
    return DOCA_SUCCESS;
}

#if DOCA_CORE_TRACE
/* The poll functions of recordings: they also record when a completion is seen. */
static struct doca_task *doca_priv_mlx5_poll_traced(struct doca_core_queue *queue)
{
    struct doca_task *task =
        doca_priv_mlx5_queue_of(queue)->engine == DOCA_CORE_MLX5_ENGINE_VERBS
            ? doca_priv_mlx5_poll(queue)
            : doca_priv_mlx5_poll_fast(queue);

    if (task != NULL)
        doca_core_backend_trace_end(task);
    return task;
}

static struct doca_task *doca_priv_mlx5_sync_poll_traced(struct doca_core_queue *queue)
{
    struct doca_task *task = doca_priv_mlx5_sync_poll(queue);

    if (task != NULL)
        doca_core_backend_trace_end(task);
    return task;
}
#endif

static doca_error_t doca_priv_mlx5_queue_open(struct doca_core_queue *queue,
                                              enum doca_core_engine engine, uint32_t depth)
{
    const struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    doca_error_t rc;

    if (engine != DOCA_CORE_ENGINE_DMA)
        return DOCA_ERROR_NOT_SUPPORTED;
    rc = doca_priv_mlx5_queue_init(queue, DOCA_PRIV_MLX5_QUEUE_BYTES, depth);
    if (rc != DOCA_SUCCESS)
        return rc;
    queue->post = q->engine == DOCA_CORE_MLX5_ENGINE_MMO  ? doca_priv_mlx5_post_mmo
                  : q->engine == DOCA_CORE_MLX5_ENGINE_RC ? doca_priv_mlx5_post_rc
                                                          : doca_priv_mlx5_post;
    queue->poll = q->engine == DOCA_CORE_MLX5_ENGINE_VERBS ? doca_priv_mlx5_poll
                                                           : doca_priv_mlx5_poll_fast;
#if DOCA_CORE_TRACE
    queue->poll = doca_priv_mlx5_poll_traced;
#endif
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_mlx5_sync_queue_open(struct doca_core_queue *queue,
                                                   const struct doca_core_event_place *place,
                                                   uint32_t depth)
{
    struct doca_priv_mlx5_sync *s = (struct doca_priv_mlx5_sync *)(void *)queue;
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();
    doca_error_t rc;

    /* The queue needs a slot more than it has tasks, for a probe (see >>mlx5.sync). */
    if (depth == UINT32_MAX)
        return DOCA_ERROR_NO_MEMORY;
    s->timer = -1;
    s->q.sync = s;
    rc = doca_priv_mlx5_queue_init(queue, DOCA_PRIV_MLX5_SYNC_BYTES, depth + 1);
    if (rc == DOCA_SUCCESS && !doca_priv_mlx5_sync_open(s, place, &why)) {
        rc = doca_priv_mlx5_report("doca_ctx_start", queue->dev, &why);
        doca_priv_mlx5_queue_close(queue);
    }
    queue->post = doca_priv_mlx5_sync_post;
    queue->poll = doca_priv_mlx5_sync_poll;
#if DOCA_CORE_TRACE
    queue->poll = doca_priv_mlx5_sync_poll_traced;
#endif
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_mlx5_get_engine(const struct doca_dev *dev,
                                                      enum doca_core_mlx5_engine *engine)
{
    const struct doca_priv_mlx5_dev *d;

    if (!doca_core_backend_is_dev(dev, __func__))
        return DOCA_ERROR_INVALID_VALUE;
    if (engine == NULL)
        return doca_core_backend_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT,
                                      __func__, dev, 0);
    if (dev->backend->enumerate != doca_priv_mlx5_enumerate)
        return doca_core_backend_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_MLX5_FOREIGN,
                                      __func__, dev, 0);
    d = doca_priv_mlx5_dev_of(dev);
    if (d->card->engine == DOCA_CORE_MLX5_ENGINE_AUTO)
        return doca_core_backend_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_MLX5_NO_ENGINE,
                                      __func__, dev, 0);
    *engine = d->card->engine;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_mlx5_pass_event(struct doca_dev *dev,
                                                      const struct ibv_async_event *event)
{
    if (!doca_core_backend_is_dev(dev, __func__))
        return DOCA_ERROR_INVALID_VALUE;
    if (event == NULL)
        return doca_core_backend_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT,
                                      __func__, dev, 0);
    if (dev->backend->enumerate != doca_priv_mlx5_enumerate)
        return doca_core_backend_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_MLX5_FOREIGN,
                                      __func__, dev, 0);
    doca_priv_mlx5_handle_event(doca_priv_mlx5_dev_of(dev), event);
    return DOCA_SUCCESS;
}

/* Return the engine that the environment chooses. Returns AUTO when the variable is not set or has
 * an unknown value, and in set-user-ID and similar programs, because a user with fewer rights
 * controls their environment. */
static enum doca_core_mlx5_engine doca_priv_mlx5_environment(void)
{
    static const char *const names[] = { "auto", "mmo", "rc", "verbs" };
    const char *text = getauxval(AT_SECURE) == 0 ? getenv("DOCA_CORE_MLX5_ENGINE") : NULL;
    unsigned i;

    for (i = 0; text != NULL && i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(text, names[i]) == 0)
            return (enum doca_core_mlx5_engine)i;
    return DOCA_CORE_MLX5_ENGINE_AUTO;
}

static bool doca_priv_mlx5_is_in_use(void)
{
    uint32_t i;

    for (i = 0; i < DOCA_CORE_MLX5_MAX_DEVS; i++)
        if (doca_priv_mlx5.devs[i].card != NULL)
            return true;
    return false;
}

DOCA_CORE_DECL const struct doca_core_backend *doca_core_mlx5_backend(
    const struct doca_core_mlx5_options *options)
{
    static struct doca_core_backend table;
    enum doca_core_mlx5_engine engine =
        options != NULL ? options->engine : DOCA_CORE_MLX5_ENGINE_AUTO;

    table.name = "mlx5";
    table.enumerate = doca_priv_mlx5_enumerate;
    table.enumerate_reps = doca_priv_mlx5_enumerate_reps;
    table.dev_open = doca_priv_mlx5_dev_open;
    table.dev_close = doca_priv_mlx5_dev_close;
    table.reg_range = doca_priv_mlx5_reg_range;
    table.dereg = doca_priv_mlx5_dereg;
    table.queue_bytes = doca_priv_mlx5_queue_bytes;
    table.queue_open = doca_priv_mlx5_queue_open;
    table.queue_close = doca_priv_mlx5_queue_close;
    table.queue_flush = doca_priv_mlx5_queue_flush;
    table.queue_ready = doca_priv_mlx5_queue_ready;
    table.queue_fd = doca_priv_mlx5_queue_fd;
    table.queue_arm = doca_priv_mlx5_queue_arm;
    table.queue_ring = doca_priv_mlx5_queue_ring;
    table.in_order = true;
    table.event_open = doca_priv_mlx5_sync_queue_open;
    table.dev_failed = doca_priv_mlx5_dev_failed;
    table.mem_export = doca_priv_mlx5_mem_export;
    table.mem_unexport = doca_priv_mlx5_mem_unexport;
    table.mem_import = doca_priv_mlx5_mem_import;
    table.mem_unimport = doca_priv_mlx5_mem_unimport;
    table.dm_alloc = doca_priv_mlx5_dm_alloc;
    table.dm_free = doca_priv_mlx5_dm_free;
    table.dm_copy = doca_priv_mlx5_dm_copy;
    table.get_pd = doca_priv_mlx5_get_pd;
    table.open_from_pd = doca_priv_mlx5_open_from_pd;
    table.clock_cap = doca_priv_mlx5_clock_cap;
    table.clock_read = doca_priv_mlx5_clock_read;
    if (doca_priv_mlx5_is_in_use())
        return &table;
    if (doca_priv_mlx5.list != NULL)
        doca_priv_mlx5.sys->free_device_list(doca_priv_mlx5.list);
    doca_priv_mlx5.sys =
        options != NULL && options->sys != NULL ? options->sys : doca_core_mlx5_real_sys();
    doca_priv_mlx5_find(engine != DOCA_CORE_MLX5_ENGINE_AUTO ? engine
                                                             : doca_priv_mlx5_environment());
    return &table;
}

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_MLX5_IMPLEMENTATION */

/* MIT License. Copyright (c) 2026 doca_core contributors
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
 * associated documentation files (the "Software"), to deal in the Software without restriction,
 * including without limitation the rights to use, copy, modify, merge, publish, distribute,
 * sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
 * furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all copies or
 * substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
 * NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
 * NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
 * DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 * OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE. */
