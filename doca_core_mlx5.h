/* doca_core_mlx5.h - doca_core on BlueField and ConnectX, and on any RDMA device
 *
 * A backend of doca_core.h on rdma-core (libibverbs and libmlx5, version 44 or later, Linux). The
 * programs stay as they are: with this table registered, the devices of the machine appear in
 * device lists behind those of the software device, and do what it does.
 *
 * DO THIS in one C (or C++) file, which may be the one that holds doca_core.h's implementation:
 *
 *     #define DOCA_CORE_MLX5_IMPLEMENTATION
 *     #include "doca_core_mlx5.h"
 *
 * link with -libverbs -lmlx5, and call this before the first device list:
 *
 *     doca_core_backend_register(doca_core_mlx5_backend(NULL));
 *
 * A program that wants no software devices beside them: doca_core_sw_set_devices(&attr, 0).
 *
 * THE ENGINES. Copies take one of three ways, chosen for each device when it is found, or by the
 * program (options.engine, or DOCA_CORE_MLX5_ENGINE=mmo|rc|verbs in the environment):
 *     MMO    the DMA engine of BlueField: WQEs of opcode MMO on a queue pair that has them enabled
 *     RC     RDMA WRITE over a pair of queue pairs of one port, written as WQEs of mlx5
 *     VERBS  the same by ibv_post_send and ibv_poll_cq: any RDMA device, soft-RoCE included
 * The first two ring doorbells, for which there is code on x86 and Armv8; elsewhere it is VERBS.
 * What a device can do is asked of its firmware (QUERY_HCA_CAP by DevX), never assumed. There is
 * no hash engine: the layout of its WQEs is not public. A device that is on no PCI bus has an
 * address in the domain ffff, by its place among libibverbs' devices: ffff:00:00.0 is the first.
 *
 * TASKS. A task becomes a WQE for each destination in its list, which gathers the sources that go
 * there, up to 30 or what the device takes; with MMO, for each pair of source and destination that
 * its lists cut it into. The last WQE asks for a completion (with VERBS, each does); a context's
 * tasks finish in the order of their submission. With RC and VERBS, what is short, up to 28 bytes,
 * is read by the CPU at submit and is in the WQE, unless it is imported, in a dmabuf or on the NIC
 * (DOCA_CORE_MLX5_MAX_INLINE).
 * What the device would refuse is found when a task is submitted, and reported when those before it
 * are done; tasks behind it are not begun. Two single buffers that overlap are moved by the CPU, in
 * doca_pe_progress(): the order in which engines read and write is not known. In imported memory
 * and in dmabufs, where it cannot, such tasks fail. A destination that has changed when its task
 * ends lets the task fail. An error completion stops the context, as a failed task does; its
 * syndromes are in doca_core_last_error(). A context that is started again has new queues.
 *
 * FAILURE. When a device fails (IBV_EVENT_DEVICE_FATAL), or loses the completions of one of our
 * queues for good (CQ_ERR, QP_FATAL), the tasks that it has fail, and all its contexts stop, idle
 * ones too: see doca_pe_progress(). Contexts can run again on a device that was opened after that.
 * Of a device that is opened from a PD such events are the program's: it passes them on with
 * doca_core_mlx5_pass_event(), else the failure is found by a PE that polls in vain for long. A
 * completion that the device loses without saying so is waited for until the next one comes, which
 * that of the end is when the context is stopped: there is no time limit, as the hardware has none.
 * (A device that loses that one too, and does not fail, keeps the context from becoming idle.)
 *
 * MEMORY. doca_mmap_start() registers the range with the rights of its permissions, and takes one
 * small block of the device's arena (DOCA_CORE_MLX5_BYTES_REG). RDMA permissions imply local
 * writing where the verbs do. With RC and VERBS a writable range is registered once more, with a
 * key of its own that the pair writes by. Relaxed ordering, where permissions have it, is asked for
 * in all these keys and in those of exports, and left out where the device has none.
 * What a queue has is in the block of its context: slots, the buffer for opaque data and, with MMO
 * and RC, the rings and doorbell records of its queue pairs and completion queue, on pages of their
 * own, which libmlx5 is given by a parent domain.
 * From the heap libibverbs and libmlx5 take what they describe their objects with when one is
 * made: a device, a registration, and with a context its channel, completion queue, parent domain
 * and queue pairs, with 16 bytes for each WQE and at times 32 KiB for a table of queue pairs. With
 * VERBS the rings are there too, and where a libmlx5 makes them larger than is known here; the log
 * (INFO) tells that. The C library takes some to read a directory, where devices and representors
 * are found. Between start and stop nothing here takes memory, nor does what it calls.
 * doca_core_mmap_create_on_dev() makes mmaps of memory on the NIC, which the CPU reads and writes
 * in words of 4 bytes: other offsets and lengths are INVALID_VALUE.
 *
 * SIDES AND REPRESENTORS. A device on a PCI bus whose root port is a bridge of the card's maker is
 * on the Arm side of a BlueField, any other one on a host. Who manages an eswitch in switchdev mode
 * has representors, those that sysfs has interfaces of: for functions of the host, and for VFs and
 * SFs on its own side. Addresses and vhca ids of the host's functions are the firmware's answer,
 * and so are VUIDs; what it does not say is NOT_SUPPORTED, but a VUID, which is then made of switch
 * and port. PCI domains of the host are not known here, and given as 0000. Emulated functions are
 * not listed.
 *
 * EXPORTS. An mmap is exported for PCI, and for RDMA, by a key of its own with the rights of these
 * permissions alone, which any function of the same card can use by an alias, whatever its engine.
 * The firmware makes the alias for whoever has the descriptor, with 32 random bytes that it
 * compares. Where it has no aliases, an export for RDMA can be imported on the very device that
 * exported it. A stop takes the key back, as the end of the process does: later tasks of importers
 * fail with IO_FAILED. Nothing tells an importer before.
 *
 * SYNC EVENTS whose value is in a buffer of such an mmap, of an imported one, or of one that others
 * may write, have their tasks done by the device (doca_sync_event_set_doca_buf() in doca_core.h),
 * with a pair of queue pairs, also where the copies' engine is MMO: RDMA WRITE of 8 bytes inline
 * sets, FETCH_ADD adds, RDMA READ gets, and looks for tasks that wait; each behind a fence, so that
 * they take effect in the order of submission. It takes a device with atomics (ibv_devinfo:
 * atomic_cap). ATOMIC_HCA, which most have, says that only devices of the card are atomic with each
 * other; of such an event the CPU's updates are refused. A PCI export with PCI_READ_WRITE lets
 * importers add, too. A thread that sleeps on the handle while tasks wait is woken every 50 us, and
 * less and less often, down to each millisecond, to have the device look.
 *
 * THREADS. As doca_core.h says. Contexts of different threads share nothing on the data path: each
 * has a doorbell of its own, by a thread domain, as long as the device has some left. Others, in
 * libmlx5, share pages of doorbells, which are written 8 bytes at a time here.
 *
 * CONTENTS (search for the tag)
 *   API             >>mlx5.config >>mlx5.api >>mlx5.sys
 *   Implementation  >>mlx5.layout >>mlx5.order >>mlx5.calls >>mlx5.device >>mlx5.sysfs
 *                   >>mlx5.find >>mlx5.rep >>mlx5.mkey >>mlx5.share >>mlx5.dm >>mlx5.queue
 *                   >>mlx5.dma >>mlx5.poll >>mlx5.sync >>mlx5.event >>mlx5.table
 */
#ifndef DOCA_CORE_MLX5_H
#define DOCA_CORE_MLX5_H

#include "doca_core.h"

/* ---- >>mlx5.config --------------------------------------------------------------------------
 * Every knob of this header. They matter where the implementation is.                           */

/* RDMA devices that are found, and that are open at one time, those from PDs included; about 2 KiB
 * of static memory for each. */
#ifndef DOCA_CORE_MLX5_MAX_DEVS
#define DOCA_CORE_MLX5_MAX_DEVS 16
#endif

/* Elements of a source or destination list. */
#ifndef DOCA_CORE_MLX5_MAX_LIST
#define DOCA_CORE_MLX5_MAX_LIST 64
#endif

/* WQEs of a queue, a power of two: tasks beyond that wait for room. At least two lists of them. */
#ifndef DOCA_CORE_MLX5_MAX_WQES
#define DOCA_CORE_MLX5_MAX_WQES 4096
#endif

/* Bytes of source, 28 at most, that the CPU writes into the WQE of an RDMA WRITE. 0: none, which a
 * program wants that has mmaps of memory that it cannot read itself, as that of a GPU is that was
 * registered by its address. */
#ifndef DOCA_CORE_MLX5_MAX_INLINE
#define DOCA_CORE_MLX5_MAX_INLINE 28
#endif

/* Bytes of a page, a power of two: rings are on pages of their own. Where the system's are larger,
 * rings are not in the blocks of their contexts. */
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

/* ---- >>mlx5.api ----------------------------------------------------------------------------- */

enum doca_core_mlx5_engine {
    DOCA_CORE_MLX5_ENGINE_AUTO = 0, /* the first of these that the device has */
    DOCA_CORE_MLX5_ENGINE_MMO = 1,
    DOCA_CORE_MLX5_ENGINE_RC = 2,
    DOCA_CORE_MLX5_ENGINE_VERBS = 3
};

struct doca_core_mlx5_sys;
struct ibv_async_event;

struct doca_core_mlx5_options { /* all zero: the defaults */
    const struct doca_core_mlx5_sys *sys; /* NULL: libibverbs, libmlx5 and the kernel */
    enum doca_core_mlx5_engine engine;    /* of copies; AUTO: the environment may say */
};

/* Find the devices, and give the table for doca_core_backend_register(). Devices that appear later
 * are found by another call, with the backend registered or not.
 *
 *   options  NULL: the defaults. Copied; what options->sys points to has to stay
 *
 * Owns      libibverbs' list of devices, until the next call
 * Threads   one at a time, while no other one lists, opens or closes devices
 * Cost      opens and closes every device
 * Errors    when devices of this backend are open it gives the table and changes nothing else. A
 *           device that lacks the chosen engine is listed without copies, and the log (INFO) says
 *           why */
DOCA_CORE_DECL const struct doca_core_backend *doca_core_mlx5_backend(
    const struct doca_core_mlx5_options *options);

/* Say how a device copies.
 *
 * Threads   any
 * Errors    NOT_SUPPORTED  not a device of this backend, or it does not copy */
DOCA_CORE_DECL doca_error_t doca_core_mlx5_get_engine(const struct doca_dev *dev,
                                                      enum doca_core_mlx5_engine *engine);

/* Pass on an event that the program took with ibv_get_async_event() from its own context, before it
 * acknowledges it or after. DEVICE_FATAL, or CQ_ERR or QP_FATAL of a queue of this library: the
 * device has failed, with all that are open on the same card, and their contexts stop. Other events
 * change nothing.
 *
 *   dev  opened from a PD of that context
 *
 * Threads   any, while `dev` is open
 * Errors    NOT_SUPPORTED  not a device of this backend */
DOCA_CORE_DECL doca_error_t doca_core_mlx5_pass_event(struct doca_dev *dev,
                                                      const struct ibv_async_event *event);

/* Bytes that a started mmap takes of the arena of each device, and those of a DMA context with
 * `num_tasks`; doca_core_bytes_dma() says the latter at run time, less the rings with VERBS. */
#define DOCA_CORE_MLX5_BYTES_REG DOCA_CORE_BYTES_BLOCK(DOCA_CORE_LINE)
#define DOCA_CORE_MLX5_BYTES_DMA(num_tasks)                                                        \
    (DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_dma)) +                                              \
     DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_MLX5_QUEUE_BYTES +                                            \
                           DOCA_PRIV_MLX5_SLOTS(num_tasks) + DOCA_PRIV_MLX5_RINGS(num_tasks) +     \
                           DOCA_PRIV_STOCKED(num_tasks) * DOCA_PRIV_TASK_BYTES))
#define DOCA_PRIV_MLX5_QUEUE_BYTES ((size_t)8 * DOCA_CORE_LINE)
#define DOCA_PRIV_MLX5_SYNC_BYTES ((size_t)12 * DOCA_CORE_LINE) /* of one of sync events */
#define DOCA_PRIV_MLX5_SLOT_BYTES ((size_t)32)
#define DOCA_PRIV_MLX5_SLOTS(num_tasks) /* bytes, whole lines */                                   \
    (((size_t)(num_tasks) * DOCA_PRIV_MLX5_SLOT_BYTES + DOCA_CORE_LINE - 1) / DOCA_CORE_LINE *     \
     DOCA_CORE_LINE)

/* Bytes of a sync event whose tasks the device does, `num_tasks` of all types together, started; in
 * the checked mode at most. */
#define DOCA_CORE_MLX5_BYTES_SYNC_EVENT(num_tasks)                                                 \
    (DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_sync_event)) +                                       \
     DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_MLX5_SYNC_BYTES +                                             \
                           DOCA_PRIV_MLX5_SLOTS((size_t)(num_tasks) + 1) +                         \
                           DOCA_PRIV_MLX5_RINGS((size_t)(num_tasks) + 1) +                         \
                           DOCA_PRIV_EVENT_STOCKED(num_tasks) * DOCA_CORE_LINE))

/* WQEs of a queue of so many tasks at most, and the bytes of its rings: up to a page's begin, CQ,
 * SQ, and the SQ of the peer. */
#define DOCA_PRIV_MLX5_SMEAR(n, log) ((n) | (n) >> (log))
#define DOCA_PRIV_MLX5_SMEAR_4(n) DOCA_PRIV_MLX5_SMEAR(DOCA_PRIV_MLX5_SMEAR(n, 1), 2)
#define DOCA_PRIV_MLX5_SMEAR_16(n) DOCA_PRIV_MLX5_SMEAR(DOCA_PRIV_MLX5_SMEAR(n, 4), 8)
#define DOCA_PRIV_MLX5_POWER(n) /* of two, n or the next, for n from 2 to 65536 */                 \
    (DOCA_PRIV_MLX5_SMEAR_16(DOCA_PRIV_MLX5_SMEAR_4((size_t)(n) - 1)) + 1)
#define DOCA_PRIV_MLX5_LEAST DOCA_PRIV_MLX5_POWER(2 * DOCA_CORE_MLX5_MAX_LIST)
#define DOCA_PRIV_MLX5_WQES(num_tasks)                                                             \
    ((size_t)(num_tasks) <= DOCA_PRIV_MLX5_LEAST         ? DOCA_PRIV_MLX5_LEAST                    \
     : (size_t)(num_tasks) >= DOCA_CORE_MLX5_MAX_WQES ? (size_t)DOCA_CORE_MLX5_MAX_WQES            \
                                                         : DOCA_PRIV_MLX5_POWER(num_tasks))
#define DOCA_PRIV_MLX5_RING(num_wqes) /* bytes, whole pages */                                     \
    (((num_wqes) * 64 + DOCA_CORE_MLX5_PAGE - 1) / DOCA_CORE_MLX5_PAGE * DOCA_CORE_MLX5_PAGE)
#define DOCA_PRIV_MLX5_RINGS(num_tasks)                                                            \
    (2 * DOCA_PRIV_MLX5_RING(DOCA_PRIV_MLX5_WQES(num_tasks)) + (size_t)2 * DOCA_CORE_MLX5_PAGE)

/* ---- >>mlx5.sys -----------------------------------------------------------------------------
 * Every call that is made of libibverbs and libmlx5, so that a test can stand in for all of them in
 * plain memory. They are called as the functions of nearly the same names, and answer as these do,
 * but: those that give an int give 0 or an errno, and the descriptors of contexts and channels do
 * not block.                                                                                    */

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
    /* devices; `text` gets what a file holds, or a path leads to, and NUL; list_names calls `visit`
     * for each of the names in a directory, in any order */
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

    /* queues; a completion queue is in the parent domain, or NULL */
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

    /* events: take one that is there and acknowledge it; EAGAIN: there is none */
    int (*take_cq_event)(struct ibv_comp_channel *channel);
    int (*take_async_event)(struct ibv_context *context, struct ibv_async_event *event);

    /* the data path of VERBS */
    int (*post_send)(struct ibv_qp *qp, struct ibv_send_wr *wr);
    int (*poll_cq)(struct ibv_cq *cq, struct ibv_wc *wc); /* how many: 0, 1, or less than 0 */
    int (*req_notify_cq)(struct ibv_cq *cq);
};

/* Give the real ones, for tables that replace some of them. */
DOCA_CORE_DECL const struct doca_core_mlx5_sys *doca_core_mlx5_real_sys(void);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_MLX5_H */

#if defined(DOCA_CORE_MLX5_IMPLEMENTATION) && !defined(DOCA_CORE_MLX5_IMPLEMENTATION_GUARD)
#define DOCA_CORE_MLX5_IMPLEMENTATION_GUARD

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

#ifndef PATH_MAX /* where the program asks for plain C */
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

/* ---- >>mlx5.layout --------------------------------------------------------------------------
 * What the hardware reads and writes, by the names of the programmer's reference manual (PRM): big
 * endian, one function for each kind of WQE, and fields of commands by the number of their first
 * bit. WQEs are written from a model of the queue's, in words of 4 and 8 bytes; nothing is cast
 * onto a ring.                                                                                  */

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define DOCA_PRIV_MLX5_BE16(x) __builtin_bswap16((uint16_t)(x))
#define DOCA_PRIV_MLX5_BE32(x) __builtin_bswap32((uint32_t)(x))
#define DOCA_PRIV_MLX5_BE64(x) __builtin_bswap64((uint64_t)(x))
#else
#define DOCA_PRIV_MLX5_BE16(x) ((uint16_t)(x))
#define DOCA_PRIV_MLX5_BE32(x) ((uint32_t)(x))
#define DOCA_PRIV_MLX5_BE64(x) ((uint64_t)(x))
#endif

/* HOT: small, on the data path, in every caller. APART: out of its way. */
#define DOCA_PRIV_MLX5_HOT static inline __attribute__((always_inline))
#define DOCA_PRIV_MLX5_APART static __attribute__((noinline))

#define DOCA_PRIV_MLX5_UAR_CQ 0x20 /* where completion queues are armed in a page of doorbells */
#define DOCA_PRIV_MLX5_WQEBB 64 /* bytes of a basic block: a WQE is one, or some that follow */
#define DOCA_PRIV_MLX5_MAX_SGE 30 /* sources of a WQE: eight basic blocks */

enum { /* opcodes of WQEs, and modifiers of MMO */
    DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE = 0x08,
    DOCA_PRIV_MLX5_OPCODE_RDMA_READ = 0x10,
    DOCA_PRIV_MLX5_OPCODE_ATOMIC_FA = 0x12,
    DOCA_PRIV_MLX5_OPCODE_MMO = 0x2f,
    DOCA_PRIV_MLX5_OPMOD_MMO_DMA = 1
};

#define DOCA_PRIV_MLX5_CE_ALWAYS 0x08 /* in fm_ce_se: write a CQE, not only for an error */

#define DOCA_PRIV_MLX5_FENCE 0x80 /* beside it: begin when the READs and atomics before are done */
#define DOCA_PRIV_MLX5_INLINE 0x80000000u /* in a byte count: the data follow */

struct doca_priv_mlx5_ctrl_seg {
    uint32_t opmod_idx_opcode;
    uint32_t qpn_ds; /* ds: size of the WQE in units of 16 bytes */
    uint8_t signature;
    uint8_t reserved[2];
    uint8_t fm_ce_se;
    uint32_t imm; /* of MMO: control 63_32 */
};

#define DOCA_PRIV_MLX5_INLINE 0x80000000u /* in byte_count: the data follows it */

struct doca_priv_mlx5_data_seg {
    uint32_t byte_count; /* 31 bits; 0: 2 GiB */
    uint32_t lkey;
    uint64_t addr;
};

struct doca_priv_mlx5_mmo_seg {
    uint32_t control_31_0;
    uint32_t opaque_lkey;
    uint64_t opaque_addr;
};

struct doca_priv_mlx5_raddr_seg {
    uint64_t raddr;
    uint32_t rkey;
    uint32_t reserved;
};

/* As far as is public, WQEs of MMO have one source and one destination, and no data in them. */
struct doca_priv_mlx5_mmo_wqe {
    struct doca_priv_mlx5_ctrl_seg ctrl;
    struct doca_priv_mlx5_mmo_seg mmo;
    struct doca_priv_mlx5_data_seg gather;
    struct doca_priv_mlx5_data_seg scatter;
};

struct doca_priv_mlx5_write_wqe { /* and more of the last; up to a block's end nothing is read */
    struct doca_priv_mlx5_ctrl_seg ctrl;
    struct doca_priv_mlx5_raddr_seg remote;
    struct doca_priv_mlx5_data_seg gather;
};

#define DOCA_PRIV_MLX5_INLINE_BYTES 28 /* of data in one basic block */

struct doca_priv_mlx5_inline_wqe {
    struct doca_priv_mlx5_ctrl_seg ctrl;
    struct doca_priv_mlx5_raddr_seg remote;
    uint32_t byte_count;
    uint8_t data[DOCA_PRIV_MLX5_INLINE_BYTES];
};

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

struct doca_priv_mlx5_model { /* what every WQE of a queue begins with */
    struct doca_priv_mlx5_ctrl_seg ctrl;
    struct doca_priv_mlx5_mmo_seg mmo;
};

struct doca_priv_mlx5_cqe { /* that of an error, where they differ */
    uint8_t reserved[54];
    uint8_t vendor_err_synd; /* this and the next: of an error only */
    uint8_t syndrome;
    uint32_t sop_drop_qpn;
    uint16_t wqe_counter; /* index of the WQE's first basic block */
    uint8_t signature;
    uint8_t op_own; /* opcode in the upper half, owner in bit 0; written last */
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

enum { /* opcodes of CQEs */
    DOCA_PRIV_MLX5_CQE_REQ = 0,
    DOCA_PRIV_MLX5_CQE_REQ_ERR = 13,
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
    DOCA_PRIV_MLX5_SYNDROME_REMOTE_ABORTED = 0x22,

    DOCA_PRIV_MLX5_SYNDROME_CALL = 0xfd,  /* ours: verbs did not take it all; the errno follows */
    DOCA_PRIV_MLX5_SYNDROME_FATAL = 0xfe, /* ours: there is no completion, the device has failed */
    DOCA_PRIV_MLX5_SYNDROME_NONE = 0xff   /* ours: an error without a syndrome */
};

/* One copy that the device does at a stroke. */
struct doca_priv_mlx5_piece {
    uint64_t from;
    uint64_t to;
    uint64_t bytes; /* at most 2 GiB */
    uint32_t from_key;
    uint32_t to_key;
};

/* What one WQE does: sources, one behind another, to one destination. */
struct doca_priv_mlx5_copy {
    uint64_t to;
    uint64_t bytes;
    uint32_t to_key;
    uint32_t num; /* of sources, at least 1 */
    bool is_near; /* the CPU can read them all */
    struct ibv_sge from[DOCA_PRIV_MLX5_MAX_SGE];
};

DOCA_PRIV_MLX5_HOT uint32_t doca_priv_mlx5_byte_count(uint64_t bytes)
{
    return DOCA_PRIV_MLX5_BE32(bytes & 0x7fffffff); /* 2 GiB is 0, and bit 31 means inline data */
}

/* What does not change from one WQE of a queue to the next: it asks for a completion. */
static void doca_priv_mlx5_model_ctrl(struct doca_priv_mlx5_ctrl_seg *ctrl, uint32_t opmod,
                                      uint32_t opcode, uint32_t qpn, uint32_t ds)
{
    memset(ctrl, 0, sizeof(*ctrl));
    ctrl->opmod_idx_opcode = DOCA_PRIV_MLX5_BE32(opmod << 24 | opcode);
    ctrl->qpn_ds = DOCA_PRIV_MLX5_BE32(qpn << 8 | ds);
    ctrl->fm_ce_se = DOCA_PRIV_MLX5_CE_ALWAYS;
}

/* Of copies by the DMA engine. The opaque buffer is the engine's to write. */
static void doca_priv_mlx5_model_mmo(struct doca_priv_mlx5_model *model, uint32_t qpn,
                                     uint32_t opaque_lkey, uint64_t opaque_addr)
{
    doca_priv_mlx5_model_ctrl(&model->ctrl, DOCA_PRIV_MLX5_OPMOD_MMO_DMA,
                              DOCA_PRIV_MLX5_OPCODE_MMO, qpn, 4);
    model->mmo.control_31_0 = 0;
    model->mmo.opaque_lkey = DOCA_PRIV_MLX5_BE32(opaque_lkey);
    model->mmo.opaque_addr = DOCA_PRIV_MLX5_BE64(opaque_addr);
}

/* Of copies by RDMA WRITE. */
static void doca_priv_mlx5_model_write(struct doca_priv_mlx5_model *model, uint32_t qpn)
{
    memset(model, 0, sizeof(*model));
    doca_priv_mlx5_model_ctrl(&model->ctrl, 0, DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE, qpn, 3);
}

/* Write 4 or 8 bytes of a WQE in the ring, and what makes up a data segment. */
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

/* Write the segments that are as in the model but for the index, and for the bits of ds that are
 * `other`. The first 8 bytes are given: the doorbell takes them too. */
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

/* A copy by the DMA engine, whole in the ring; its first 8 bytes. */
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

/* Where an RDMA WRITE goes. */
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

/* A copy by RDMA WRITE. */
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

/* Copy up to 28 bytes, as two parts of 16, 8 or 4 that may overlap, or one by one. */
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

/* The same with the data itself, 28 bytes at most: the device does not read the source. */
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
    return doca_priv_mlx5_put_model(wqe, model, sizeof(model->ctrl), index,
                                    3u ^ (2 + (bytes + 19) / 16));
}

/* A copy of any number of sources by RDMA WRITE, in a ring of mask + 1 basic blocks, at whose end
 * it may wrap. */
static void doca_priv_mlx5_pack_gather(unsigned char *sq, uint32_t mask,
                                       const struct doca_priv_mlx5_model *model, uint32_t index,
                                       const struct doca_priv_mlx5_copy *copy)
{
    const size_t last = (size_t)mask * 4 + 3; /* in units of 16 bytes, as each segment is one */
    unsigned char *wqe = sq + (size_t)(index & mask) * DOCA_PRIV_MLX5_WQEBB;
    uint32_t i;

    doca_priv_mlx5_put_remote(wqe, copy->to_key, copy->to);
    for (i = 0; i < copy->num; i++)
        doca_priv_mlx5_put_data(sq + (((size_t)index * 4 + 2 + i) & last) * 16,
                                doca_priv_mlx5_byte_count(copy->from[i].length),
                                copy->from[i].lkey, copy->from[i].addr);
    (void)doca_priv_mlx5_put_model(wqe, model, sizeof(model->ctrl), index, 3u ^ (2 + copy->num));
}

/* What a queue pair does with the 8 bytes of a sync event's value at `addr`, by its key: `set` or
 * `add` are operands, `cell` is where what it reads goes, locally. Behind a fence, as every one. */
struct doca_priv_mlx5_access_8 {
    uint32_t opcode; /* RDMA_WRITE, ATOMIC_FA, RDMA_READ */
    uint32_t rkey;
    uint64_t addr;
    uint64_t operand;
    uint32_t lkey;
    uint64_t cell;
};

static void doca_priv_mlx5_pack_access_8(unsigned char *wqe, uint32_t qpn, uint32_t index,
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
        doca_priv_mlx5_put64(data + 4, a->operand); /* as it stands in memory */
    } else {
        w.atomic.swap_add = DOCA_PRIV_MLX5_BE64(is_atomic ? a->operand : 0);
        doca_priv_mlx5_put_data(data, doca_priv_mlx5_byte_count(8), a->lkey, a->cell);
    }
    memcpy(wqe, &w, sizeof(w));
}

/* Let a WQE write no CQE, but for an error. */
static void doca_priv_mlx5_unsignal(unsigned char *wqe)
{
    wqe[offsetof(struct doca_priv_mlx5_ctrl_seg, fm_ce_se)] = 0;
}

/* What a completion says, of whichever engine. */
struct doca_priv_mlx5_done {
    uint16_t wqe;
    uint8_t syndrome; /* 0: success */
    uint8_t vendor;
};

static void doca_priv_mlx5_parse_cqe(const struct doca_priv_mlx5_cqe *cqe,
                                     struct doca_priv_mlx5_done *done)
{
    bool is_error = cqe->op_own >> 4 != DOCA_PRIV_MLX5_CQE_REQ;

    done->wqe = DOCA_PRIV_MLX5_BE16(cqe->wqe_counter);
    done->syndrome = is_error ? cqe->syndrome : 0;
    done->vendor = is_error ? cqe->vendor_err_synd : 0;
    if (is_error && done->syndrome == 0)
        done->syndrome = DOCA_PRIV_MLX5_SYNDROME_NONE; /* an opcode that does not belong here */
}

/* Commands: fields by the number of their first bit, counted from the most significant one. */
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

    DOCA_PRIV_MLX5_CAP = 0x80, /* where the capabilities begin in the answer */
    DOCA_PRIV_MLX5_CAP_IN_BYTES = 16,
    DOCA_PRIV_MLX5_CAP_OTHER_FUNCTION = 0x40, /* 1 */
    DOCA_PRIV_MLX5_CAP_EC_VF_FUNCTION = 0x41, /* 1: a VF of the embedded CPU's own */
    DOCA_PRIV_MLX5_CAP_FUNCTION_ID = 0x50,    /* 16: its vport */
    DOCA_PRIV_MLX5_CAP_OUT_BYTES = 16 + 4096,
    DOCA_PRIV_MLX5_CAP_GENERAL_NOW = 1, /* op_mod: type << 1 | 1 for the present value */
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
    DOCA_PRIV_MLX5_LOCAL_MKEY_TO_REMOTE = 0x100, /* in the former */
    DOCA_PRIV_MLX5_ALLOWED_MKEY = 0x4,           /* in the latter */

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
    DOCA_PRIV_MLX5_MKC = 0x80,               /* where the context begins, */
    DOCA_PRIV_MLX5_MKC_RELAXED_WRITE = 0x80 + 0x0d, /* 1: relaxed_ordering_write */
    DOCA_PRIV_MLX5_MKC_A = 0x80 + 0x11,      /* 1, and the following: atomic, */
    DOCA_PRIV_MLX5_MKC_RW = 0x80 + 0x12,     /* remote write, */
    DOCA_PRIV_MLX5_MKC_RR = 0x80 + 0x13,     /* remote read, */
    DOCA_PRIV_MLX5_MKC_LW = 0x80 + 0x14,     /* local write, */
    DOCA_PRIV_MLX5_MKC_LR = 0x80 + 0x15,     /* local read */
    DOCA_PRIV_MLX5_MKC_ACCESS_MODE = 0x80 + 0x16, /* 2 */
    DOCA_PRIV_MLX5_MKC_MODE_MTT = 1,
    DOCA_PRIV_MLX5_MKC_QPN = 0x80 + 0x20,        /* 24; all ones: any */
    DOCA_PRIV_MLX5_MKC_PD = 0x80 + 0x68,         /* 24 */
    DOCA_PRIV_MLX5_MKC_START_ADDR = 0x80 + 0x80, /* 64 */
    DOCA_PRIV_MLX5_MKC_LEN = 0x80 + 0xc0,        /* 64 */
    DOCA_PRIV_MLX5_MKC_OCTWORDS = 0x80 + 0x1a0,  /* 32: translations_octword_size */
    DOCA_PRIV_MLX5_MKC_RELAXED_READ = 0x80 + 0x1d9,  /* 1 */
    DOCA_PRIV_MLX5_MKC_LOG_PAGE_SIZE = 0x80 + 0x1db, /* 5 */

    DOCA_PRIV_MLX5_ESW_IN_BYTES = 16,
    DOCA_PRIV_MLX5_ESW_OUT_BYTES = 128,
    DOCA_PRIV_MLX5_ESW_HOST_NUMBER = 0x80,   /* 8, and the following: of host_params_context */
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
    DOCA_PRIV_MLX5_OBJ_ID = 0x40,      /* 32, of the answer */
    DOCA_PRIV_MLX5_OBJ_ALIAS = 0x60,   /* 1 */
    DOCA_PRIV_MLX5_ALIAS_VHCA = 0x80,  /* 16: vhca_id_to_be_accessed */
    DOCA_PRIV_MLX5_ALIAS_STATUS = 0x9d, /* 3, of the answer; 0: it can be used */
    DOCA_PRIV_MLX5_ALIAS_OBJECT = 0xa0, /* 32: object_id_to_be_accessed */
    DOCA_PRIV_MLX5_ALIAS_KEY = 0x100,  /* 256: access_key */
    DOCA_PRIV_MLX5_ALIAS_PD = 0x200,   /* 32: metadata_1 */
    DOCA_PRIV_MLX5_ACCESS_KEY_BYTES = 32
};

enum { /* statuses of commands that failed, for other reasons than what they ask for */
    DOCA_PRIV_MLX5_STATUS_INT_ERR = 0x1,
    DOCA_PRIV_MLX5_STATUS_BAD_OP = 0x2,
    DOCA_PRIV_MLX5_STATUS_BAD_SYS_STATE = 0x4,
    DOCA_PRIV_MLX5_STATUS_EXCEED_LIM = 0x8,
    DOCA_PRIV_MLX5_STATUS_NO_RESOURCES = 0xf
};

static void doca_priv_mlx5_set(uint8_t *cmd, uint32_t bit, uint32_t num, uint32_t value)
{
    for (; num > 0; bit++, num--)
        if ((value >> (num - 1) & 1) != 0)
            cmd[bit / 8] = (uint8_t)(cmd[bit / 8] | 0x80u >> bit % 8);
}

static uint32_t doca_priv_mlx5_get(const uint8_t *cmd, uint32_t bit, uint32_t num)
{
    uint32_t value = 0;

    for (; num > 0; bit++, num--)
        value = value << 1 | (uint32_t)(cmd[bit / 8] >> (7 - bit % 8) & 1);
    return value;
}

/* ---- >>mlx5.order ---------------------------------------------------------------------------
 * The barriers between CPU and device, each with the race that it stops. On x86-64 stores to
 * ordinary memory are seen in order, and loads are made in order; only stores to the
 * write-combining pages of doorbells pass others.                                               */

#if defined(__x86_64__) || defined(__i386__)
#define DOCA_PRIV_MLX5_HAS_DOORBELL true
#define DOCA_PRIV_MLX5_STORES() __asm__ volatile("" : : : "memory")
#define DOCA_PRIV_MLX5_LOADS() __asm__ volatile("" : : : "memory")
#define DOCA_PRIV_MLX5_DOORBELL() __asm__ volatile("sfence" : : : "memory")
#elif defined(__aarch64__)
#define DOCA_PRIV_MLX5_HAS_DOORBELL true
#define DOCA_PRIV_MLX5_STORES() __asm__ volatile("dmb oshst" : : : "memory")
#define DOCA_PRIV_MLX5_LOADS() __asm__ volatile("dmb oshld" : : : "memory")
#define DOCA_PRIV_MLX5_DOORBELL() __asm__ volatile("dsb st" : : : "memory")
#else /* nor is a store to a doorbell what the bus wants everywhere; tests that have none say so */
#ifndef DOCA_PRIV_MLX5_HAS_DOORBELL
#define DOCA_PRIV_MLX5_HAS_DOORBELL false
#endif
#define DOCA_PRIV_MLX5_STORES() __sync_synchronize()
#define DOCA_PRIV_MLX5_LOADS() __sync_synchronize()
#define DOCA_PRIV_MLX5_DOORBELL() __sync_synchronize()
#endif

/* Or the device, seeing the new index, would read a WQE that is not whole; and source data that
 * the program wrote before its submit. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_wqe_before_dbrec(void)
{
    DOCA_PRIV_MLX5_STORES();
}

/* Or the device, rung, would read an old index, and not be rung again. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_dbrec_before_uar(void)
{
    DOCA_PRIV_MLX5_DOORBELL();
}

/* Or the doorbell would stay in a buffer of the CPU, and the next one overtake it. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_uar_before_next(void)
{
    DOCA_PRIV_MLX5_DOORBELL();
}

/* Or the rest of a CQE, and the data that it stands for, would be read before its owner bit said
 * that they are there. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_owner_before_cqe(void)
{
    DOCA_PRIV_MLX5_LOADS();
}

/* Or the device, seeing the new index, would overwrite a CQE that is not read yet. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_cqe_before_dbrec(void)
{
#if defined(__aarch64__)
    __asm__ volatile("dmb osh" : : : "memory");
#else
    DOCA_PRIV_MLX5_LOADS();
#endif
}

/* A doorbell register takes 8 bytes at once, or torn ones of two threads would meet in it. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_uar_write(void *reg, uint64_t value)
{
    __atomic_store_n((uint64_t *)reg, value, __ATOMIC_RELAXED);
}

DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_dbrec_write(uint32_t *dbrec, uint32_t value)
{
    __atomic_store_n(dbrec, DOCA_PRIV_MLX5_BE32(value), __ATOMIC_RELAXED);
}

/* ---- >>mlx5.calls ---------------------------------------------------------------------------
 * The real system: each call of >>mlx5.sys in the words of libibverbs.                          */

/* Its calls give an error number, or -1 and errno. */
static int doca_priv_mlx5_errno(int answer)
{
    return answer >= 0 ? answer : errno != 0 ? errno : EIO;
}

static void doca_priv_mlx5_unblock(int fd)
{
    (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

/* Firmware without contexts of users answers no commands; the rest of such a device works. */
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

/* The pages of the umem are to be such as its address is aligned to: all that an mkey over it has
 * of the address is where in a page it begins. */
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
    };

    return &sys;
}

/* ---- >>mlx5.device --------------------------------------------------------------------------
 * The cards that were found, and those that are open. The lock of doca_core.h's devices guards
 * both, but for doca_core_mlx5_backend(); the one of an open card guards its registrations.     */

#define DOCA_PRIV_MLX5_PORT 1
#define DOCA_PRIV_MLX5_NUM_LISTS 64 /* of registrations, by mkey */
#define DOCA_PRIV_MLX5_GIDS 16      /* that are looked at for one that is set */
#define DOCA_PRIV_MLX5_SWITCH_BYTES 65 /* of the text of a switch id, which has 32 bytes at most */

struct doca_priv_mlx5_caps {
    bool is_mlx5;
    bool has_mmo;        /* queue pairs do DMA, */
    bool has_mmo_bit;    /* after their mmo bit is set */
    bool has_export;     /* other functions can be let use mkeys, */
    bool has_import;     /* and this one use theirs */
    bool has_relaxed_write; /* mkeys let what is written pass other writes on the bus, */
    bool has_relaxed_read;  /* and what is read come in any order */
    bool has_vhca_id;
    bool is_eswitch_manager;
    bool is_ethernet;
    bool has_gid;
    uint8_t event_engine; /* DOCA_CORE_EVENT_ENGINE_* */
    uint8_t active_mtu;  /* enum ibv_mtu */
    uint8_t gid_index;
    uint16_t lid;
    uint16_t vhca_id;
    uint64_t sys_image_guid; /* of the card */
    uint32_t max_wqes;
    uint32_t max_cqes;
    uint32_t max_sge;    /* sources of a WQE */
    uint64_t max_mmo;    /* bytes of one copy */
    uint64_t max_write;
    uint8_t gid[16];
};

struct doca_priv_mlx5_card {
    struct ibv_device *device;
    uint32_t era; /* how often it has failed */
    enum doca_core_mlx5_engine engine; /* AUTO: none */
    struct doca_priv_mlx5_caps caps;
    struct doca_core_dev_attr attr;
    char switch_id[DOCA_PRIV_MLX5_SWITCH_BYTES]; /* of its eswitch; "": it has no representors */
};

struct doca_priv_mlx5_share { /* of a range with other functions */
    struct mlx5dv_devx_obj *obj; /* the mkey, or the alias of another function's; NULL: none */
    struct mlx5dv_devx_umem *umem;
};

struct doca_priv_mlx5_reg { /* of a range on a device, or of an import */
    struct ibv_mr *mr;  /* NULL: an import */
    struct ibv_mr *own; /* by which pairs write; NULL: none */
    struct doca_priv_mlx5_share shares[2]; /* for PCI, for RDMA; of an import the first */
    struct doca_priv_mlx5_reg *next;
    uint32_t key; /* an import's mkey; of a range what its export for RDMA is known by, 0: none */
    uint16_t access; /* DOCA_ACCESS_FLAG_*, as the program gave them */
};
DOCA_PRIV_MLX5_ASSERT(reg_fits_a_line, sizeof(struct doca_priv_mlx5_reg) <= DOCA_CORE_LINE);

struct doca_priv_mlx5_dm { /* memory of a device's own */
    struct ibv_dm *dm;
    struct ibv_mr *mr;
    struct ibv_mr *own; /* as of a registration */
    struct doca_priv_mlx5_dm *next;
};

struct doca_priv_mlx5_queue;

struct doca_priv_mlx5_dev { /* an open card: doca_dev.backend_data */
    struct doca_priv_mlx5_card *card; /* NULL: not taken */
    struct doca_dev *dev;
    struct ibv_context *context;
    struct ibv_pd *pd;
    uint32_t lock;     /* of the lists below */
    uint32_t era;      /* the card's when it was opened; once that is another, it has failed */
    uint32_t num_asks; /* whether it has, of one in a PD of the program's */
    uint32_t num_watching;               /* queues that watch the context's descriptor */
    struct doca_priv_mlx5_queue *queues; /* open */
    struct doca_priv_mlx5_reg *regs[DOCA_PRIV_MLX5_NUM_LISTS];
    struct doca_priv_mlx5_dm *dms;
};

static struct {
    const struct doca_core_mlx5_sys *sys;
    struct ibv_device **list;
    uint64_t process; /* a number that no other process has; 0: none was to be had */
    uint32_t num_cards;
    struct doca_priv_mlx5_card cards[DOCA_CORE_MLX5_MAX_DEVS];
    struct doca_priv_mlx5_dev devs[DOCA_CORE_MLX5_MAX_DEVS];
} doca_priv_mlx5;

static void doca_priv_mlx5_lock(uint32_t *lock)
{
    while (__atomic_exchange_n(lock, 1u, __ATOMIC_ACQUIRE) != 0)
        DOCA_CORE_RELAX();
}

static void doca_priv_mlx5_unlock(uint32_t *lock)
{
    __atomic_store_n(lock, 0u, __ATOMIC_RELEASE);
}

/* What an errno is among the codes of DOCA. */
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

/* The call that gave no object: why. */
static doca_error_t doca_priv_mlx5_refused(const char *function, const void *object)
{
    int error = errno != 0 ? errno : EIO;

    return doca_core_backend_fail(doca_priv_mlx5_code(error), DOCA_CORE_ITEM_MLX5_CALL, function,
                                  object, (uint32_t)error);
}

/* Of several errors the first is told. */
static void doca_priv_mlx5_join(int *error, int another)
{
    if (*error == 0)
        *error = another;
}

/* The device, or the kernel, keeps what was to be given back: nobody can help that, but know it. */
static void doca_priv_mlx5_kept(int error, enum doca_core_item item, const char *function)
{
    if (error != 0)
        (void)doca_core_backend_fail(DOCA_ERROR_DRIVER, item, function, NULL, (uint32_t)error);
}

/* ---- >>mlx5.sysfs ---------------------------------------------------------------------------
 * What the kernel tells of devices, interfaces and the ports of eswitches in sysfs. devlink tells
 * of ports by netlink what phys_port_name tells here, which is made of it: a letter and a number
 * for each of controller, PF, VF and SF.                                                        */

#define DOCA_PRIV_MLX5_PATH_BYTES (IBV_SYSFS_PATH_MAX + 128)

static void doca_priv_mlx5_copy_text(char *to, size_t bytes, const char *from)
{
    size_t len = strlen(from);

    if (len >= bytes)
        len = bytes - 1;
    memcpy(to, from, len);
    to[len] = '\0';
}

/* Is it "DDDD:BB:DD.F", to its end or to a '/'? */
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

/* From where sysfs has the device: its address is the last one on the way, and an SF is below. */
static void doca_priv_mlx5_describe_path(struct doca_core_dev_attr *attr, const char *path)
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

/* Add to a path of DOCA_PRIV_MLX5_PATH_BYTES. False: there is no room. */
static bool doca_priv_mlx5_append(char *path, const char *text)
{
    size_t at = strlen(path), len = strlen(text);

    if (at + len >= DOCA_PRIV_MLX5_PATH_BYTES)
        return false;
    memcpy(path + at, text, len + 1);
    return true;
}

/* Read dir/name/file. False: there is none, or nothing in it. */
static bool doca_priv_mlx5_read_of(const char *dir, const char *name, const char *file, char *text,
                                   size_t bytes)
{
    char path[DOCA_PRIV_MLX5_PATH_BYTES];

    doca_priv_mlx5_copy_text(path, sizeof(path), dir);
    return doca_priv_mlx5_append(path, "/") && doca_priv_mlx5_append(path, name) &&
           doca_priv_mlx5_append(path, "/") && doca_priv_mlx5_append(path, file) &&
           doca_priv_mlx5.sys->read_file(path, text, bytes) == 0 && text[0] != '\0';
}

/* The switch id of an interface: hexadecimal, as the kernel writes it. VUIDs begin with it. */
static bool doca_priv_mlx5_read_switch(const char *dir, const char *name,
                                       char text[DOCA_PRIV_MLX5_SWITCH_BYTES])
{
    return doca_priv_mlx5_read_of(dir, name, "phys_switch_id", text, DOCA_PRIV_MLX5_SWITCH_BYTES) &&
           text[strspn(text, "0123456789abcdef")] == '\0';
}

/* The PCI address of an interface's parent in dir; "": it has none there. */
static void doca_priv_mlx5_find_parent(const char *dir, const char *name,
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

/* Where sysfs has the interfaces, beside class/infiniband/NAME. */
static void doca_priv_mlx5_net_dir(const struct ibv_device *device,
                                   char path[DOCA_PRIV_MLX5_PATH_BYTES])
{
    unsigned num;

    doca_priv_mlx5_copy_text(path, DOCA_PRIV_MLX5_PATH_BYTES, device->ibdev_path);
    for (num = 0; num < 2 && strrchr(path, '/') != NULL; num++)
        *strrchr(path, '/') = '\0';
    (void)doca_priv_mlx5_append(path, "/net");
}

enum doca_priv_mlx5_port_kind {
    DOCA_PRIV_MLX5_PORT_OTHER = 0,
    DOCA_PRIV_MLX5_PORT_UPLINK = 1,
    DOCA_PRIV_MLX5_PORT_PF = 2, /* and the following: a representor's */
    DOCA_PRIV_MLX5_PORT_VF = 3,
    DOCA_PRIV_MLX5_PORT_SF = 4
};

struct doca_priv_mlx5_port { /* of an eswitch */
    enum doca_priv_mlx5_port_kind kind;
    bool has_controller; /* the function is another machine's, by this controller */
    uint32_t controller;
    uint32_t pf;
    uint32_t number; /* of the VF or SF */
};

/* Take `prefix` and a decimal number of up to 9 digits off the text. */
static bool doca_priv_mlx5_take_number(const char **text, const char *prefix, uint32_t *number)
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

/* "p0" of an uplink; "pf0", "pf0vf1", "pf0sf88" of representors, behind "c1" where the function is
 * of controller 1 and not of this machine. Some drivers name the first one "pf0hpf". */
static struct doca_priv_mlx5_port doca_priv_mlx5_parse_port(const char *text)
{
    struct doca_priv_mlx5_port port;
    uint32_t uplink;

    memset(&port, 0, sizeof(port));
    if (doca_priv_mlx5_take_number(&text, "p", &uplink)) {
        port.kind = *text == '\0' ? DOCA_PRIV_MLX5_PORT_UPLINK : DOCA_PRIV_MLX5_PORT_OTHER;
        return port;
    }
    port.has_controller = doca_priv_mlx5_take_number(&text, "c", &port.controller);
    if (!doca_priv_mlx5_take_number(&text, "pf", &port.pf))
        return port;
    port.kind = DOCA_PRIV_MLX5_PORT_PF;
    if (doca_priv_mlx5_take_number(&text, "vf", &port.number))
        port.kind = DOCA_PRIV_MLX5_PORT_VF;
    else if (doca_priv_mlx5_take_number(&text, "sf", &port.number))
        port.kind = DOCA_PRIV_MLX5_PORT_SF;
    else if (strcmp(text, "hpf") == 0)
        return port;
    if (*text != '\0')
        port.kind = DOCA_PRIV_MLX5_PORT_OTHER;
    return port;
}

struct doca_priv_mlx5_iface { /* is looked for */
    const char *dir;
    char name[64]; /* the first by the alphabet until now; "": none */
};

/* In switchdev mode the representors are in the device's directory as well. */
static void doca_priv_mlx5_visit_iface(const char *name, void *data)
{
    struct doca_priv_mlx5_iface *iface = (struct doca_priv_mlx5_iface *)data;
    char text[64];

    if (strlen(name) < sizeof(iface->name) &&
        (iface->name[0] == '\0' || strcmp(name, iface->name) < 0) &&
        !(doca_priv_mlx5_read_of(iface->dir, name, "phys_port_name", text, sizeof(text)) &&
          doca_priv_mlx5_parse_port(text).kind >= DOCA_PRIV_MLX5_PORT_PF))
        doca_priv_mlx5_copy_text(iface->name, sizeof(iface->name), name);
}

/* On which side a device is that has this path: the Arm cores of BlueField-2 and -3 reach it
 * through a root port of the card's own, hosts by one of theirs. A bridge of the card's further
 * down is there on both sides. BOTH: sysfs does not tell. */
static enum doca_core_side doca_priv_mlx5_side(const char *path)
{
    static const char bridge[] = "0x0604"; /* and the programming interface */
    char dir[PATH_MAX], name[DOCA_DEVINFO_PCI_ADDR_SIZE], vendor[16], pci_class[16];
    const char *at = strchr(path, '/');

    while (at != NULL && !doca_priv_mlx5_is_pci(at + 1))
        at = strchr(at + 1, '/');
    if (at == NULL)
        return DOCA_CORE_SIDE_BOTH;
    doca_priv_mlx5_copy_text(dir, sizeof(dir), path);
    dir[at - path] = '\0';
    doca_priv_mlx5_copy_text(name, sizeof(name), at + 1);
    if (!doca_priv_mlx5_read_of(dir, name, "vendor", vendor, sizeof(vendor)) ||
        !doca_priv_mlx5_read_of(dir, name, "class", pci_class, sizeof(pci_class)))
        return DOCA_CORE_SIDE_BOTH;
    return strcmp(vendor, "0x15b3") == 0 && strncmp(pci_class, bridge, strlen(bridge)) == 0
               ? DOCA_CORE_SIDE_DPU
               : DOCA_CORE_SIDE_HOST;
}

/* What sysfs says of the device: names, address, kind of function, side. */
static void doca_priv_mlx5_describe_names(struct doca_core_dev_attr *attr,
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
        iface.name[0] = '\0'; /* as on InfiniBand */
        doca_priv_mlx5_copy_text(path + strlen(device->ibdev_path), 64, "/device/net");
        iface.dir = path;
        (void)doca_priv_mlx5.sys->list_names(path, doca_priv_mlx5_visit_iface, &iface);
    }
    doca_priv_mlx5_copy_text(attr->iface_name, sizeof(attr->iface_name), iface.name);
}

/* ---- >>mlx5.find ----------------------------------------------------------------------------
 * Finding the devices, with what ports and firmware tell of them, and opening them.             */

/* Gbit/s of a port: lanes times the speed of one. */
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

/* By which GID the port is to reach itself: the first that is made of an IPv4 address, or else the
 * first there is. An IPv6 address of the link is not usable at once when the link comes up. */
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

/* Where the port is at this time, and what it takes. */
static int doca_priv_mlx5_ask_port(struct doca_priv_mlx5_caps *caps, struct ibv_context *context,
                                   struct ibv_port_attr *port)
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

    if (doca_priv_mlx5_ask_port(caps, context, &port) != 0)
        return;
    attr->port = caps->is_ethernet ? DOCA_CORE_PORT_ETHERNET : DOCA_CORE_PORT_INFINIBAND;
    attr->lid = caps->is_ethernet ? 0 : port.lid;
    attr->rate_gbps = doca_priv_mlx5_rate(&port);
}

/* Ask the firmware for one kind of capabilities: 4 KiB at `cap`. */
static bool doca_priv_mlx5_query_cap(struct ibv_context *context, uint32_t op_mod,
                                     uint8_t out[DOCA_PRIV_MLX5_CAP_OUT_BYTES])
{
    uint8_t in[DOCA_PRIV_MLX5_CAP_IN_BYTES];

    memset(in, 0, sizeof(in));
    memset(out, 0, DOCA_PRIV_MLX5_CAP_OUT_BYTES);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_IN_OPCODE, 16, DOCA_PRIV_MLX5_CMD_QUERY_HCA_CAP);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_IN_OP_MOD, 16, op_mod);
    return doca_priv_mlx5.sys->general_cmd(context, in, sizeof(in), out,
                                           DOCA_PRIV_MLX5_CAP_OUT_BYTES) == 0;
}

/* Ask the firmware what it can do. */
static void doca_priv_mlx5_ask_firmware(struct doca_priv_mlx5_caps *caps,
                                        struct ibv_context *context)
{
    uint8_t out[DOCA_PRIV_MLX5_CAP_OUT_BYTES];
    const uint8_t *cap = out + DOCA_PRIV_MLX5_CAP / 8;
    uint32_t log_max;

    if (!doca_priv_mlx5_query_cap(context, DOCA_PRIV_MLX5_CAP_GENERAL_NOW, out))
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
        !doca_priv_mlx5_query_cap(context, DOCA_PRIV_MLX5_CAP_GENERAL_2_NOW, out))
        return;
    caps->has_export = (doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_2_ALLOWED, 32) &
                        DOCA_PRIV_MLX5_ALLOWED_MKEY) != 0;
    caps->has_import = (doca_priv_mlx5_get(cap, DOCA_PRIV_MLX5_CAP_2_CROSS_VHCA, 32) &
                        DOCA_PRIV_MLX5_LOCAL_MKEY_TO_REMOTE) != 0;
}

/* The engine for a device: the one that is asked for, or the first that it has. */
static enum doca_core_mlx5_engine doca_priv_mlx5_choose(const struct doca_priv_mlx5_caps *caps,
                                                        enum doca_core_mlx5_engine wanted)
{
    bool has_pair = caps->max_write > 0 && (!caps->is_ethernet || caps->has_gid);
    bool has_rc = caps->is_mlx5 && has_pair && DOCA_PRIV_MLX5_HAS_DOORBELL;
    bool has_mmo = caps->has_mmo && has_rc; /* its queue pair is connected as well */

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

/* What follows from the engine. Sync events can be memory of this process: any device has them. */
static void doca_priv_mlx5_limit(struct doca_priv_mlx5_card *card)
{
    struct doca_core_limits *limits = &card->attr.limits;

    limits->has_sync_event = 1;
    limits->has_dmabuf = 1; /* if the kernel's driver says no, start does */
    limits->has_export_pci = card->caps.has_export;
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

/* Programs look for PCI addresses: a device that has none, such as soft-RoCE, gets one that no real
 * one has, by its place in libibverbs' list. */
static void doca_priv_mlx5_make_address(char addr[DOCA_DEVINFO_PCI_ADDR_SIZE], uint32_t place)
{
    static const char digits[] = "0123456789abcdef";

    if (addr[0] != '\0')
        return;
    memcpy(addr, "ffff:00:00.0", DOCA_DEVINFO_PCI_ADDR_SIZE);
    addr[5] = digits[place / 16 % 16];
    addr[6] = digits[place % 16];
}

struct doca_priv_mlx5_uplink { /* is looked for */
    struct doca_priv_mlx5_card *card;
    char dir[DOCA_PRIV_MLX5_PATH_BYTES]; /* of the interfaces */
};

static void doca_priv_mlx5_visit_uplink(const char *name, void *data)
{
    struct doca_priv_mlx5_uplink *uplink = (struct doca_priv_mlx5_uplink *)data;
    char text[DOCA_PRIV_MLX5_SWITCH_BYTES], parent[DOCA_DEVINFO_PCI_ADDR_SIZE];

    if (!doca_priv_mlx5_read_of(uplink->dir, name, "phys_port_name", text, sizeof(text)) ||
        doca_priv_mlx5_parse_port(text).kind != DOCA_PRIV_MLX5_PORT_UPLINK ||
        !doca_priv_mlx5_read_switch(uplink->dir, name, text))
        return;
    doca_priv_mlx5_find_parent(uplink->dir, name, parent);
    if (strcmp(parent, uplink->card->attr.pci_addr) == 0)
        memcpy(uplink->card->switch_id, text, sizeof(text));
}

/* Who manages an eswitch has representors in switchdev mode: only there has its uplink a switch id.
 * The device's interface is the uplink, or a bond of the uplinks of two ports. */
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

/* Open a device to look at it. False: it cannot be opened. */
static bool doca_priv_mlx5_inspect(struct doca_priv_mlx5_card *card, struct ibv_device *device,
                                   uint32_t place, enum doca_core_mlx5_engine wanted)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct ibv_context *context;
    struct ibv_device_attr device_attr;

    memset(card, 0, sizeof(*card));
    memset(&device_attr, 0, sizeof(device_attr));
    card->device = device;
    card->caps.is_mlx5 = sys->is_mlx5(device);
    context = sys->open_device(device, card->caps.is_mlx5);
    if (context == NULL)
        return false;
    doca_priv_mlx5_describe_names(&card->attr, device);
    doca_priv_mlx5_make_address(card->attr.pci_addr, place);
    if (sys->query_device(context, &device_attr) == 0) {
        card->caps.max_wqes = (uint32_t)device_attr.max_qp_wr;
        card->caps.max_cqes = (uint32_t)device_attr.max_cqe;
        card->caps.max_sge = (uint32_t)device_attr.max_sge;
        card->caps.sys_image_guid = device_attr.sys_image_guid;
        card->caps.event_engine = device_attr.atomic_cap == IBV_ATOMIC_GLOB
                                      ? DOCA_CORE_EVENT_ENGINE_ALL
                                  : device_attr.atomic_cap == IBV_ATOMIC_HCA
                                      ? DOCA_CORE_EVENT_ENGINE_CARD
                                      : DOCA_CORE_EVENT_ENGINE_NONE;
    }
    doca_priv_mlx5_describe_port(&card->attr, &card->caps, context);
    if (card->caps.is_mlx5)
        doca_priv_mlx5_ask_firmware(&card->caps, context);
    (void)sys->close_device(context);
    card->engine = doca_priv_mlx5_choose(&card->caps, wanted);
    doca_priv_mlx5_limit(card);
    doca_priv_mlx5_find_switch(card);
    return true;
}

/* Find all devices anew. */
static void doca_priv_mlx5_find(enum doca_core_mlx5_engine wanted)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct doca_priv_mlx5_card *card;
    int num = 0, i;

    if (doca_priv_mlx5.process == 0 &&
        getrandom(&doca_priv_mlx5.process, sizeof(doca_priv_mlx5.process), 0) < 0)
        doca_priv_mlx5.process = 0;
    doca_priv_mlx5.num_cards = 0;
    errno = 0;
    doca_priv_mlx5.list = sys->get_device_list(&num);
    if (doca_priv_mlx5.list == NULL)
        (void)doca_core_backend_fail(DOCA_ERROR_NOT_FOUND, DOCA_CORE_ITEM_MLX5_NO_LIST,
                                     "doca_core_mlx5_backend", NULL, (uint32_t)errno);
    for (i = 0; doca_priv_mlx5.list != NULL && i < num; i++) {
        if (doca_priv_mlx5.num_cards == DOCA_CORE_MLX5_MAX_DEVS) {
            (void)doca_core_backend_fail(DOCA_ERROR_FULL, DOCA_CORE_ITEM_MLX5_TOO_MANY,
                                         "doca_core_mlx5_backend", NULL, 0);
            return;
        }
        card = &doca_priv_mlx5.cards[doca_priv_mlx5.num_cards];
        if (!doca_priv_mlx5_inspect(card, doca_priv_mlx5.list[i], (uint32_t)i, wanted)) {
            (void)doca_priv_mlx5_refused("doca_core_mlx5_backend", NULL);
            continue;
        }
        doca_priv_mlx5.num_cards++;
        if (card->engine == DOCA_CORE_MLX5_ENGINE_AUTO)
            (void)doca_core_backend_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_MLX5_NO_ENGINE,
                                         "doca_core_mlx5_backend", NULL, (uint32_t)wanted);
    }
}

static uint32_t doca_priv_mlx5_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    uint32_t i;

    for (i = 0; i < doca_priv_mlx5.num_cards && i < max; i++)
        attrs[i] = doca_priv_mlx5.cards[i].attr;
    return doca_priv_mlx5.num_cards;
}

/* A place for one more open device, NULL when all are taken. */
static struct doca_priv_mlx5_dev *doca_priv_mlx5_vacant(void)
{
    uint32_t i;

    for (i = 0; i < DOCA_CORE_MLX5_MAX_DEVS; i++)
        if (doca_priv_mlx5.devs[i].card == NULL)
            return &doca_priv_mlx5.devs[i];
    return NULL;
}

static struct doca_priv_mlx5_card *doca_priv_mlx5_card_named(const char *name)
{
    uint32_t i;

    for (i = 0; i < doca_priv_mlx5.num_cards; i++)
        if (strcmp(doca_priv_mlx5.cards[i].attr.ibdev_name, name) == 0)
            return &doca_priv_mlx5.cards[i];
    return NULL;
}

static doca_error_t doca_priv_mlx5_dev_open(struct doca_dev *dev)
{
    struct doca_priv_mlx5_card *card = doca_priv_mlx5_card_named(dev->info.attr.ibdev_name);
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_vacant();

    if (card == NULL)
        return DOCA_ERROR_NOT_FOUND;
    if (d == NULL)
        return DOCA_ERROR_NO_MEMORY;
    memset(d, 0, sizeof(*d));
    d->era = __atomic_load_n(&card->era, __ATOMIC_RELAXED);
    d->context = sys->open_device(card->device, card->caps.is_mlx5);
    if (d->context == NULL)
        return DOCA_ERROR_NOT_CONNECTED;
    d->pd = sys->alloc_pd(d->context);
    if (d->pd == NULL) {
        (void)sys->close_device(d->context);
        return DOCA_ERROR_NOT_CONNECTED;
    }
    d->card = card;
    d->dev = dev;
    dev->backend_data = d;
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_mlx5_open_from_pd(struct doca_dev *dev, struct ibv_pd *pd)
{
    struct doca_priv_mlx5_card *card = doca_priv_mlx5_card_named(pd->context->device->name);
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_vacant();

    if (card == NULL)
        return DOCA_ERROR_NOT_FOUND;
    if (d == NULL)
        return DOCA_ERROR_NO_MEMORY;
    memset(d, 0, sizeof(*d));
    d->era = __atomic_load_n(&card->era, __ATOMIC_RELAXED);
    d->card = card;
    d->dev = dev;
    d->context = pd->context;
    d->pd = pd;
    dev->backend_data = d;
    dev->info.attr = card->attr;
    return DOCA_SUCCESS;
}

static struct doca_priv_mlx5_dev *doca_priv_mlx5_dev_of(const struct doca_dev *dev)
{
    return (struct doca_priv_mlx5_dev *)dev->backend_data;
}

static void doca_priv_mlx5_dev_close(struct doca_dev *dev)
{
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    int error;

    if (dev->from_pd == NULL) {
        error = doca_priv_mlx5.sys->dealloc_pd(d->pd);
        doca_priv_mlx5_join(&error, doca_priv_mlx5.sys->close_device(d->context));
        doca_priv_mlx5_kept(error, DOCA_CORE_ITEM_MLX5_CALL, "doca_dev_close");
    }
    d->card = NULL;
}

static doca_error_t doca_priv_mlx5_get_pd(const struct doca_dev *dev, struct ibv_pd **pd)
{
    *pd = doca_priv_mlx5_dev_of(dev)->pd;
    return DOCA_SUCCESS;
}

static inline bool doca_priv_mlx5_is_fatal(const struct doca_priv_mlx5_dev *d)
{
    return __atomic_load_n(&d->card->era, __ATOMIC_RELAXED) != d->era;
}

/* The device has failed. Every context of libibverbs has an event for it: one of an earlier era
 * says nothing new. */
static void doca_priv_mlx5_set_fatal(struct doca_priv_mlx5_dev *d)
{
    uint32_t era = d->era;

    if (__atomic_compare_exchange_n(&d->card->era, &era, era + 1, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
        doca_core_backend_dev_failed(d->dev);
}

static bool doca_priv_mlx5_ends_queue(struct doca_priv_mlx5_dev *d,
                                      const struct ibv_async_event *event);

/* What the device, or a program for it, says beside completions. */
static void doca_priv_mlx5_hear(struct doca_priv_mlx5_dev *d, const struct ibv_async_event *event)
{
    if (event->event_type == IBV_EVENT_DEVICE_FATAL || doca_priv_mlx5_ends_queue(d, event))
        doca_priv_mlx5_set_fatal(d);
}

/* Take it in. Only of a context of our own: events of the program's are the program's. */
static void doca_priv_mlx5_look(struct doca_priv_mlx5_dev *d)
{
    struct ibv_async_event event;

    while (d->dev->from_pd == NULL &&
           doca_priv_mlx5.sys->take_async_event(d->context, &event) == 0)
        doca_priv_mlx5_hear(d, &event);
}

#define DOCA_PRIV_MLX5_ASKS 64 /* between two questions to a device in a PD of the program's */

/* Has the device failed? In a PD of the program's its port is asked, which takes the kernel a
 * while. */
static bool doca_priv_mlx5_dev_failed(struct doca_dev *dev)
{
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    struct ibv_port_attr port;
    int error = 0;

    doca_priv_mlx5_look(d);
    if (dev->from_pd != NULL && !doca_priv_mlx5_is_fatal(d) &&
        __atomic_fetch_add(&d->num_asks, 1u, __ATOMIC_RELAXED) % DOCA_PRIV_MLX5_ASKS == 0)
        error = doca_priv_mlx5.sys->query_port(d->context, DOCA_PRIV_MLX5_PORT, &port);
    if (error == EIO || error == ENOLINK || error == ENXIO || error == ENODEV)
        doca_priv_mlx5_set_fatal(d);
    return doca_priv_mlx5_is_fatal(d);
}

/* ---- >>mlx5.rep -----------------------------------------------------------------------------
 * Representors: the interfaces of an eswitch's ports, and what the firmware knows of the functions
 * behind them.                                                                                  */

struct doca_priv_mlx5_host { /* what the manager of an eswitch is told of the host's PF */
    bool is_asked;
    bool has_pf;      /* there is one, */
    bool has_vhca_id; /* and this is known of it, */
    bool has_vfs;     /* and where its VFs are */
    uint32_t controller;
    uint16_t vhca_id;
    uint32_t address; /* bus, device and function: 8, 5 and 3 bits */
    uint32_t vf_stride, vf_offset;
};

struct doca_priv_mlx5_reps { /* are listed */
    const struct doca_priv_mlx5_dev *d;
    struct doca_priv_mlx5_host host;
    struct doca_core_dev_attr *attrs;
    uint32_t max, num;
    char dir[DOCA_PRIV_MLX5_PATH_BYTES]; /* of the interfaces */
};

static bool doca_priv_mlx5_command(const struct doca_priv_mlx5_dev *d, uint8_t *in, size_t in_bytes,
                                   uint32_t opcode, uint8_t *out, size_t out_bytes)
{
    memset(out, 0, out_bytes);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_IN_OPCODE, 16, opcode);
    return doca_priv_mlx5.sys->general_cmd(d->context, in, in_bytes, out, out_bytes) == 0;
}

/* Asked when the first representor of such a function is found. */
static void doca_priv_mlx5_ask_host(const struct doca_priv_mlx5_dev *d,
                                    struct doca_priv_mlx5_host *host)
{
    uint8_t in[DOCA_PRIV_MLX5_ESW_IN_BYTES] = { 0 }, out[DOCA_PRIV_MLX5_ESW_OUT_BYTES];
    uint32_t bus, device, function;

    host->is_asked = true;
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

/* Of another function, by its vport. */
static void doca_priv_mlx5_ask_vhca_id(const struct doca_priv_mlx5_dev *d, uint32_t vport,
                                       bool is_own_vf, struct doca_core_dev_attr *attr)
{
    uint8_t in[DOCA_PRIV_MLX5_CAP_IN_BYTES] = { 0 }, out[DOCA_PRIV_MLX5_CAP_OUT_BYTES];

    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_IN_OP_MOD, 16, DOCA_PRIV_MLX5_CAP_GENERAL_NOW);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_CAP_OTHER_FUNCTION, 1, 1);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_CAP_EC_VF_FUNCTION, 1, is_own_vf ? 1 : 0);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_CAP_FUNCTION_ID, 16, vport);
    if (!doca_priv_mlx5_command(d, in, sizeof(in), DOCA_PRIV_MLX5_CMD_QUERY_HCA_CAP, out,
                                sizeof(out)))
        return;
    attr->vhca_id = (uint16_t)doca_priv_mlx5_get(out + DOCA_PRIV_MLX5_CAP / 8,
                                                 DOCA_PRIV_MLX5_CAP_VHCA_ID, 16);
    attr->has_no_vhca_id = 0;
}

/* The firmware's text, or else one of switch and port: either is no other function's. */
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

/* A function of the host's: what the firmware said of its PF, and asks of its VFs. */
static void doca_priv_mlx5_describe_remote(struct doca_priv_mlx5_reps *reps,
                                           const struct doca_priv_mlx5_port *port,
                                           struct doca_core_dev_attr *attr)
{
    static const char digits[] = "0123456789abcdef";
    const struct doca_priv_mlx5_host *host = &reps->host;
    bool is_vf = port->kind == DOCA_PRIV_MLX5_PORT_VF;
    uint32_t at;

    attr->side = DOCA_CORE_SIDE_HOST;
    if (!host->is_asked)
        doca_priv_mlx5_ask_host(reps->d, &reps->host);
    at = host->address;
    if (!host->has_pf || (port->has_controller && port->controller != host->controller))
        return;
    if (port->kind == DOCA_PRIV_MLX5_PORT_PF && host->has_vhca_id) {
        attr->vhca_id = host->vhca_id;
        attr->has_no_vhca_id = 0;
    } else if (port->kind != DOCA_PRIV_MLX5_PORT_SF && port->number < 0xffff) {
        doca_priv_mlx5_ask_vhca_id(reps->d, is_vf ? port->number + 1 : 0, false, attr);
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

/* Where VF `number` of the device is; false: it is no VF of this machine. */
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

/* A function of this machine: where it is among the devices, it is known. */
static void doca_priv_mlx5_describe_local(const struct doca_priv_mlx5_reps *reps,
                                          const struct doca_priv_mlx5_port *port,
                                          struct doca_core_dev_attr *attr)
{
    const struct doca_core_dev_attr *own = &reps->d->card->attr, *other;
    bool is_sf = port->kind == DOCA_PRIV_MLX5_PORT_SF;
    uint32_t i;

    attr->side = own->side;
    if (is_sf)
        memcpy(attr->pci_addr, own->pci_addr, sizeof(own->pci_addr));
    for (i = 0; attr->pci_addr[0] != '\0' && i < doca_priv_mlx5.num_cards; i++) {
        other = &doca_priv_mlx5.cards[i].attr;
        if (other->func_type != attr->func_type || strcmp(other->pci_addr, attr->pci_addr) != 0 ||
            (is_sf && other->sf_index != port->number))
            continue;
        memcpy(attr->ibdev_name, other->ibdev_name, sizeof(other->ibdev_name));
        attr->vhca_id = other->vhca_id;
        attr->has_no_vhca_id = other->has_no_vhca_id;
        return;
    }
    if (port->kind == DOCA_PRIV_MLX5_PORT_VF && port->number < 0xffff) /* somebody else has it */
        doca_priv_mlx5_ask_vhca_id(reps->d, port->number + 1, own->side == DOCA_CORE_SIDE_DPU,
                                   attr);
}

enum doca_priv_mlx5_owner {
    DOCA_PRIV_MLX5_OWNER_OTHER = 0,
    DOCA_PRIV_MLX5_OWNER_DEVICE = 1,
    DOCA_PRIV_MLX5_OWNER_BOND = 2 /* a port that is bonded with the device's, and has no device */
};

/* A port is of the device that is its parent. Representors of older kernels have none, but the
 * number of the PF. Bonded ports share a switch id. */
static enum doca_priv_mlx5_owner doca_priv_mlx5_owner_of(const struct doca_priv_mlx5_reps *reps,
                                                         const char *name,
                                                         const struct doca_priv_mlx5_port *port)
{
    const struct doca_priv_mlx5_card *own = reps->d->card, *card;
    char parent[DOCA_DEVINFO_PCI_ADDR_SIZE];
    uint32_t i;

    doca_priv_mlx5_find_parent(reps->dir, name, parent);
    for (i = 0; i < doca_priv_mlx5.num_cards; i++) {
        card = &doca_priv_mlx5.cards[i];
        if (strcmp(card->switch_id, own->switch_id) == 0 &&
            (parent[0] != '\0' ? strcmp(parent, card->attr.pci_addr) == 0
                               : port->pf == (uint32_t)(card->attr.pci_addr[11] - '0')))
            return card == own ? DOCA_PRIV_MLX5_OWNER_DEVICE : DOCA_PRIV_MLX5_OWNER_OTHER;
    }
    return DOCA_PRIV_MLX5_OWNER_BOND;
}

/* Of a port that is bonded with the device's, the device knows no more than its name. */
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
    attr->sf_index = port->number; /* of a VF too, for the order */
    attr->func_type = port->kind == DOCA_PRIV_MLX5_PORT_PF   ? DOCA_PCI_FUNC_TYPE_PF
                      : port->kind == DOCA_PRIV_MLX5_PORT_VF ? DOCA_PCI_FUNC_TYPE_VF
                                                             : DOCA_PCI_FUNC_TYPE_SF;
    /* without a controller, as with older kernels, only sysfs tells whose the VF is */
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

/* PFs, VFs, SFs; of these the host's, and the device's own side's; by their numbers. */
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
        !doca_priv_mlx5_read_of(reps->dir, name, "phys_port_name", port_name, sizeof(port_name)))
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

/* They all are network functions, which each of the device's filters takes. */
static uint32_t doca_priv_mlx5_enumerate_reps(struct doca_dev *dev, int filter,
                                              struct doca_core_dev_attr *attrs, uint32_t max)
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

/* ---- >>mlx5.mkey ----------------------------------------------------------------------------
 * Registrations. Each is a block of the device's arena in one of the device's lists.            */

/* What the verbs call the permissions. They give no right to write from afar, or to do so
 * atomically, without the local one. Relaxed ordering is a wish: who has none of it leaves it. */
static unsigned doca_priv_mlx5_access(uint32_t access)
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

static uint32_t doca_priv_mlx5_reg_mkey(const struct doca_priv_mlx5_reg *reg)
{
    return reg->mr != NULL ? reg->mr->lkey : reg->key;
}

static void doca_priv_mlx5_reg_add(struct doca_priv_mlx5_dev *d, struct doca_priv_mlx5_reg *reg)
{
    const uint32_t number = doca_priv_mlx5_reg_mkey(reg) >> 8;
    struct doca_priv_mlx5_reg **list = &d->regs[number % DOCA_PRIV_MLX5_NUM_LISTS];

    doca_priv_mlx5_lock(&d->lock);
    reg->next = *list;
    *list = reg;
    doca_priv_mlx5_unlock(&d->lock);
}

/* The registration, or the import, with this mkey, NULL when there is none; taken out of its list,
 * or not. */
static struct doca_priv_mlx5_reg *doca_priv_mlx5_reg_find(struct doca_priv_mlx5_dev *d,
                                                          uint32_t mkey, bool is_import,
                                                          bool take_out)
{
    struct doca_priv_mlx5_reg **link = &d->regs[(mkey >> 8) % DOCA_PRIV_MLX5_NUM_LISTS], *reg;

    doca_priv_mlx5_lock(&d->lock);
    while (*link != NULL &&
           (doca_priv_mlx5_reg_mkey(*link) != mkey || ((*link)->mr == NULL) != is_import))
        link = &(*link)->next;
    reg = *link;
    if (reg != NULL && take_out)
        *link = reg->next;
    doca_priv_mlx5_unlock(&d->lock);
    return reg;
}

/* A block of the device's arena; `function` is the program's call that needs it. */
static doca_error_t doca_priv_mlx5_take(const struct doca_dev *dev, size_t bytes,
                                        const char *function, void **block)
{
    doca_error_t rc = doca_core_arena_take(dev->info.arena, bytes, block);

    return rc == DOCA_SUCCESS ? rc
                              : doca_core_backend_fail(rc, DOCA_CORE_ITEM_ARENA_EXHAUSTED, function,
                                                       dev->info.arena, 0);
}

static doca_error_t doca_priv_mlx5_reg_range(struct doca_dev *dev,
                                             const struct doca_core_range *range, uint32_t *mkey,
                                             uint32_t *own)
{
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    bool wants_own = (d->card->engine == DOCA_CORE_MLX5_ENGINE_RC ||
                      d->card->engine == DOCA_CORE_MLX5_ENGINE_VERBS) &&
                     (range->access & DOCA_ACCESS_FLAG_LOCAL_READ_WRITE) != 0;
    const uint32_t relaxed = range->access & DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING;
    struct doca_priv_mlx5_reg *reg;
    void *block = NULL;
    doca_error_t rc = doca_priv_mlx5_take(dev, sizeof(*reg), "doca_mmap_start", &block);

    if (rc != DOCA_SUCCESS)
        return rc;
    reg = (struct doca_priv_mlx5_reg *)block;
    memset(reg, 0, sizeof(*reg));
    reg->mr = doca_priv_mlx5_reg_mr(d, range, doca_priv_mlx5_access(range->access));
    if (reg->mr != NULL && wants_own)
        reg->own = doca_priv_mlx5_reg_mr(
            d, range, doca_priv_mlx5_access(DOCA_ACCESS_FLAG_RDMA_WRITE | relaxed));
    if (reg->mr == NULL || (wants_own && reg->own == NULL)) {
        rc = doca_priv_mlx5_refused("doca_mmap_start", NULL);
        if (reg->mr != NULL)
            (void)doca_priv_mlx5.sys->dereg_mr(reg->mr);
        (void)doca_core_arena_give(dev->info.arena, reg);
        return rc;
    }
    reg->access = (uint16_t)range->access;
    *mkey = reg->mr->lkey;
    *own = reg->own != NULL ? reg->own->rkey : reg->mr->lkey;
    doca_priv_mlx5_reg_add(d, reg);
    return DOCA_SUCCESS;
}

static void doca_priv_mlx5_dereg(struct doca_dev *dev, uint32_t mkey)
{
    struct doca_priv_mlx5_reg *reg =
        doca_priv_mlx5_reg_find(doca_priv_mlx5_dev_of(dev), mkey, false, true);
    int error = 0;

    if (reg == NULL)
        return;
    if (reg->own != NULL)
        error = doca_priv_mlx5.sys->dereg_mr(reg->own);
    doca_priv_mlx5_join(&error, doca_priv_mlx5.sys->dereg_mr(reg->mr));
    doca_priv_mlx5_kept(error, DOCA_CORE_ITEM_MLX5_KEPT, "doca_mmap_stop");
    (void)doca_core_arena_give(dev->info.arena, reg);
}

/* ---- >>mlx5.share ---------------------------------------------------------------------------
 * Ranges that another function of the card uses, be it in the host or on the DPU. Who exports makes
 * one more mkey of the range, with the rights of the export, and lets other functions use it that
 * know a secret; who imports makes an alias of it, which is a key of his own: as lkey, and as rkey
 * of the pair, with the exporter's addresses. When the mkey goes, with the export or with its
 * process, tasks on aliases of it fail in the device.
 * An import without alias has the keys of a range of the same device, and nothing of its own.   */

struct doca_priv_mlx5_blob { /* what travels */
    uint64_t sys_image_guid; /* functions of one card have the same */
    uint64_t process;        /* the exporter; 0: nothing can be said of it */
    uint32_t index;          /* of the mkey; 0: there is none */
    uint32_t mkey;           /* of the range itself, */
    uint16_t place;          /* on the device with this number in the process */
    uint16_t vhca_id;
    uint16_t version;        /* 1 */
    uint8_t access_key[DOCA_PRIV_MLX5_ACCESS_KEY_BYTES];
};
DOCA_PRIV_MLX5_ASSERT(blob, sizeof(struct doca_priv_mlx5_blob) <= DOCA_CORE_EXPORT_BYTES);

/* What a command that failed leaves to be said: `code` and `item`, unless it was not about what was
 * asked for. */
static doca_error_t doca_priv_mlx5_command_failed(const uint8_t *out, const char *function,
                                                  doca_error_t code, enum doca_core_item item)
{
    uint32_t syndrome = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_OUT_SYNDROME, 32);

    switch (doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_OUT_STATUS, 8)) {
    case 0: /* it was not the firmware */
        return doca_priv_mlx5_refused(function, NULL);
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
    return doca_core_backend_fail(code, item, function, NULL, syndrome);
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

/* CREATE_MKEY of pages, over a umem. Its rights as those of the verbs; who may read from afar may
 * do so as a source of the engine, too. Firmware refuses relaxed ordering that it does not have.
 * An alias is given no word of it: it is the key itself, of another function's. */
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

/* What an export gives, of the permissions that the mmap was registered with. */
static unsigned doca_priv_mlx5_share_access(uint32_t access, bool is_rdma)
{
    const unsigned writes =
        IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC;
    unsigned verbs = doca_priv_mlx5_access(access & DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING);

    if (is_rdma) /* atomics do not imply the writing that registrations need for them */
        return verbs |
               doca_priv_mlx5_access(access &
                                     (DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE)) |
               ((access & DOCA_ACCESS_FLAG_RDMA_ATOMIC) != 0 ? (unsigned)IBV_ACCESS_REMOTE_ATOMIC
                                                             : 0u);
    if ((access & (DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE)) != 0)
        verbs |= IBV_ACCESS_REMOTE_READ;
    return (access & DOCA_ACCESS_FLAG_PCI_READ_WRITE) != 0 ? verbs | writes : verbs;
}

/* End an export. What the device keeps is lost to the program, and others still reach it. */
static void doca_priv_mlx5_unshare(struct doca_priv_mlx5_share *share)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    int kept = share->obj != NULL ? sys->obj_destroy(share->obj) : 0;

    doca_priv_mlx5_join(&kept, share->umem != NULL ? sys->umem_dereg(share->umem) : 0);
    doca_priv_mlx5_kept(kept, DOCA_CORE_ITEM_MLX5_KEPT, "doca_mmap_stop");
    share->obj = NULL;
    share->umem = NULL;
}

/* Make the mkey of an export; its index goes to *index. */
static doca_error_t doca_priv_mlx5_share_make(const struct doca_priv_mlx5_dev *d,
                                              const struct ibv_mr *mr, unsigned access,
                                              struct doca_priv_mlx5_share *share, uint32_t *index,
                                              const char *function)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    uint8_t in[DOCA_PRIV_MLX5_MKEY_IN_BYTES], out[DOCA_PRIV_MLX5_MKEY_OUT_BYTES];

    errno = 0;
    share->umem = sys->umem_reg(
        d->context, mr->addr, mr->length,
        (access & (IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_ATOMIC)) != 0 ? IBV_ACCESS_LOCAL_WRITE
                                                                           : 0);
    if (share->umem == NULL)
        return doca_priv_mlx5_refused(function, NULL);
    doca_priv_mlx5_pack_mkey(in, &d->card->caps, share->umem->umem_id, doca_priv_mlx5_pdn(d->pd),
                             (uintptr_t)mr->addr, mr->length, access);
    memset(out, 0, sizeof(out));
    share->obj = sys->obj_create(d->context, in, sizeof(in), out, sizeof(out));
    if (share->obj == NULL)
        return doca_priv_mlx5_command_failed(out, function, DOCA_ERROR_DRIVER,
                                             DOCA_CORE_ITEM_MLX5_COMMAND);
    *index = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_MKEY_OUT_INDEX, 24);
    return DOCA_SUCCESS;
}

/* Let whoever knows the access key make an alias of it. */
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
    return doca_priv_mlx5_command_failed(out, function, DOCA_ERROR_DRIVER,
                                         DOCA_CORE_ITEM_MLX5_COMMAND);
}

/* What the exporter keeps of the secret, for imports without alias; never 0. */
static uint32_t doca_priv_mlx5_known_by(const struct doca_priv_mlx5_blob *b)
{
    uint32_t key;

    memcpy(&key, b->access_key, sizeof(key));
    return key | 1;
}

static void doca_priv_mlx5_reg_know(struct doca_priv_mlx5_dev *d, struct doca_priv_mlx5_reg *reg,
                                    uint32_t key)
{
    doca_priv_mlx5_lock(&d->lock); /* other threads may be importing */
    reg->key = key;
    doca_priv_mlx5_unlock(&d->lock);
}

static doca_error_t doca_priv_mlx5_mem_export(struct doca_dev *dev, uint32_t mkey, uint32_t own,
                                              bool is_rdma,
                                              unsigned char blob[DOCA_CORE_EXPORT_BYTES])
{
    const char *function = is_rdma ? "doca_mmap_export_rdma" : "doca_mmap_export_pci";
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    struct doca_priv_mlx5_reg *reg = doca_priv_mlx5_reg_find(d, mkey, false, false);
    struct doca_priv_mlx5_share *share;
    struct doca_priv_mlx5_blob b;
    doca_error_t rc = DOCA_SUCCESS;

    (void)own;
    if (reg == NULL)
        return DOCA_ERROR_NOT_FOUND;
    share = &reg->shares[is_rdma];
    memset(&b, 0, sizeof(b));
    b.version = 1;
    b.vhca_id = d->card->caps.vhca_id;
    b.sys_image_guid = d->card->caps.sys_image_guid;
    b.process = is_rdma ? doca_priv_mlx5.process : 0;
    b.place = (uint16_t)(d - doca_priv_mlx5.devs);
    b.mkey = mkey;
    if (getrandom(b.access_key, sizeof(b.access_key), 0) != (ssize_t)sizeof(b.access_key))
        return doca_core_backend_fail(DOCA_ERROR_OPERATING_SYSTEM, DOCA_CORE_ITEM_MLX5_CALL,
                                      function, NULL, (uint32_t)errno);
    if (d->card->caps.has_export) {
        rc = doca_priv_mlx5_share_make(d, reg->mr,
                                       doca_priv_mlx5_share_access(reg->access, is_rdma), share,
                                       &b.index, function);
        if (rc == DOCA_SUCCESS)
            rc = doca_priv_mlx5_share_allow(d, &b, function);
    }
    if (rc != DOCA_SUCCESS) {
        doca_priv_mlx5_unshare(share);
        return rc;
    }
    if (is_rdma)
        doca_priv_mlx5_reg_know(d, reg, doca_priv_mlx5_known_by(&b));
    memcpy(blob, &b, sizeof(b));
    return DOCA_SUCCESS;
}

static void doca_priv_mlx5_mem_unexport(struct doca_dev *dev, uint32_t mkey, uint32_t own,
                                        bool is_rdma)
{
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    struct doca_priv_mlx5_reg *reg = doca_priv_mlx5_reg_find(d, mkey, false, false);

    (void)own;
    if (reg == NULL)
        return;
    doca_priv_mlx5_unshare(&reg->shares[is_rdma]);
    if (is_rdma)
        doca_priv_mlx5_reg_know(d, reg, 0);
}

static doca_error_t doca_priv_mlx5_import_failed(doca_error_t code, enum doca_core_item item)
{
    return doca_core_backend_fail(code, item, "doca_mmap_create_from_export", NULL, 0);
}

/* Import, for RDMA, what the same device exports. Key 0 is nobody's. */
static doca_error_t doca_priv_mlx5_import_own(struct doca_priv_mlx5_dev *d,
                                              const struct doca_core_range *range,
                                              const struct doca_priv_mlx5_blob *b, uint32_t *mkey,
                                              uint32_t *own)
{
    const struct doca_priv_mlx5_reg *reg;
    bool is_there;

    if (b->process == 0 || b->process != doca_priv_mlx5.process ||
        b->place != d - doca_priv_mlx5.devs)
        return doca_priv_mlx5_import_failed(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_MLX5_NO_ALIAS);
    doca_priv_mlx5_lock(&d->lock); /* other threads may be stopping the exporter's mmap */
    reg = d->regs[(b->mkey >> 8) % DOCA_PRIV_MLX5_NUM_LISTS];
    while (reg != NULL && (reg->mr == NULL || reg->mr->lkey != b->mkey))
        reg = reg->next;
    is_there = reg != NULL && reg->key == doca_priv_mlx5_known_by(b) &&
               reg->mr->addr == range->addr && reg->mr->length == range->len;
    if (is_there) {
        *mkey = (reg->access & DOCA_ACCESS_FLAG_RDMA_READ) != 0 ? reg->mr->lkey : 0;
        *own = (reg->access & DOCA_ACCESS_FLAG_RDMA_WRITE) != 0 ? reg->mr->rkey : 0;
    }
    doca_priv_mlx5_unlock(&d->lock);
    return is_there ? DOCA_SUCCESS
                    : doca_priv_mlx5_import_failed(DOCA_ERROR_INVALID_VALUE,
                                                   DOCA_CORE_ITEM_MLX5_NO_EXPORT);
}

/* Make the alias that a blob tells of. */
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
        return doca_priv_mlx5_command_failed(out, "doca_mmap_create_from_export",
                                             DOCA_ERROR_INVALID_VALUE,
                                             DOCA_CORE_ITEM_MLX5_NO_EXPORT);
    if (doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_ALIAS_STATUS, 3) != 0) {
        (void)doca_priv_mlx5.sys->obj_destroy(reg->shares[0].obj);
        return doca_priv_mlx5_import_failed(DOCA_ERROR_INVALID_VALUE,
                                            DOCA_CORE_ITEM_MLX5_NO_EXPORT);
    }
    reg->key = doca_priv_mlx5_get(out, DOCA_PRIV_MLX5_OBJ_ID, 32) << 8;
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_mlx5_mem_import(struct doca_dev *dev,
                                              const struct doca_core_range *range, bool is_rdma,
                                              const unsigned char blob[DOCA_CORE_EXPORT_BYTES],
                                              uint32_t *mkey, uint32_t *own)
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
        return is_rdma ? doca_priv_mlx5_import_own(d, range, &b, mkey, own)
                       : doca_priv_mlx5_import_failed(DOCA_ERROR_NOT_SUPPORTED,
                                                      DOCA_CORE_ITEM_MLX5_NO_ALIAS);
    if (b.sys_image_guid != d->card->caps.sys_image_guid)
        return doca_priv_mlx5_import_failed(DOCA_ERROR_NOT_SUPPORTED,
                                            DOCA_CORE_ITEM_MLX5_OTHER_CARD);
    rc = doca_priv_mlx5_take(dev, sizeof(*reg), "doca_mmap_create_from_export", &block);
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
    *own = reg->key; /* one key, for either side of a copy */
    return DOCA_SUCCESS;
}

static void doca_priv_mlx5_mem_unimport(struct doca_dev *dev, uint32_t mkey, uint32_t own)
{
    struct doca_priv_mlx5_reg *reg =
        doca_priv_mlx5_reg_find(doca_priv_mlx5_dev_of(dev), mkey, true, true);

    (void)own;
    if (reg == NULL)
        return;
    doca_priv_mlx5_kept(doca_priv_mlx5.sys->obj_destroy(reg->shares[0].obj),
                        DOCA_CORE_ITEM_MLX5_KEPT, "doca_mmap_destroy");
    (void)doca_core_arena_give(dev->info.arena, reg);
}

/* ---- >>mlx5.dm ------------------------------------------------------------------------------
 * Memory on the NIC. Its keys count from its beginning, and so would its addresses; these begin one
 * line later, so that no buffer is at NULL. (That the DMA engine reaches such keys as RDMA does is
 * Assumed.)                                                                                     */

#define DOCA_PRIV_MLX5_DM_BEGIN DOCA_CORE_LINE

/* Give back what there is of it. */
static void doca_priv_mlx5_dm_end(const struct doca_priv_mlx5_dm *dm)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    int error = 0;

    if (dm->own != NULL)
        error = sys->dereg_mr(dm->own);
    if (dm->mr != NULL)
        doca_priv_mlx5_join(&error, sys->dereg_mr(dm->mr));
    if (dm->dm != NULL)
        doca_priv_mlx5_join(&error, sys->free_dm(dm->dm));
    doca_priv_mlx5_kept(error, DOCA_CORE_ITEM_MLX5_KEPT, "doca_mmap_destroy");
}

/* The memory with this mkey; taken out of the list, or not. */
static struct doca_priv_mlx5_dm *doca_priv_mlx5_dm_find(struct doca_priv_mlx5_dev *d,
                                                        uint32_t mkey, bool take_out)
{
    struct doca_priv_mlx5_dm **link = &d->dms, *dm;

    doca_priv_mlx5_lock(&d->lock);
    while (*link != NULL && (*link)->mr->lkey != mkey)
        link = &(*link)->next;
    dm = *link;
    if (dm != NULL && take_out)
        *link = dm->next;
    doca_priv_mlx5_unlock(&d->lock);
    return dm;
}

static doca_error_t doca_priv_mlx5_dm_alloc(struct doca_dev *dev, size_t len, void **addr,
                                            uint32_t *mkey, uint32_t *own)
{
    const unsigned access = IBV_ACCESS_ZERO_BASED | IBV_ACCESS_LOCAL_WRITE;
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    struct doca_priv_mlx5_dm *dm;
    void *block = NULL;
    doca_error_t rc;

    if (len > SIZE_MAX - DOCA_PRIV_MLX5_DM_BEGIN)
        return DOCA_ERROR_NO_MEMORY;
    rc = doca_priv_mlx5_take(dev, sizeof(*dm), "doca_core_mmap_create_on_dev", &block);
    if (rc != DOCA_SUCCESS)
        return rc;
    dm = (struct doca_priv_mlx5_dm *)block;
    memset(dm, 0, sizeof(*dm));
    len += DOCA_PRIV_MLX5_DM_BEGIN;
    errno = 0;
    dm->dm = sys->alloc_dm(d->context, len);
    if (dm->dm == NULL && errno == EINVAL)
        errno = ENOMEM; /* more than the device has at all */
    if (dm->dm != NULL)
        dm->mr = sys->reg_dm_mr(d->pd, dm->dm, len, access);
    if (dm->mr != NULL)
        dm->own = sys->reg_dm_mr(d->pd, dm->dm, len, access | IBV_ACCESS_REMOTE_WRITE);
    if (dm->own == NULL) {
        rc = doca_priv_mlx5_refused("doca_core_mmap_create_on_dev", NULL);
        doca_priv_mlx5_dm_end(dm);
        (void)doca_core_arena_give(dev->info.arena, dm);
        return rc;
    }
    *addr = (void *)(uintptr_t)DOCA_PRIV_MLX5_DM_BEGIN;
    /* analyzer: core.NullDereference: it has its own only where it has mr */
    *mkey = dm->mr->lkey;
    *own = dm->own->rkey;
    doca_priv_mlx5_lock(&d->lock);
    dm->next = d->dms;
    d->dms = dm;
    doca_priv_mlx5_unlock(&d->lock);
    return DOCA_SUCCESS;
}

static void doca_priv_mlx5_dm_free(struct doca_dev *dev, uint32_t mkey)
{
    struct doca_priv_mlx5_dm *dm = doca_priv_mlx5_dm_find(doca_priv_mlx5_dev_of(dev), mkey, true);

    if (dm == NULL)
        return;
    doca_priv_mlx5_dm_end(dm);
    (void)doca_core_arena_give(dev->info.arena, dm);
}

static doca_error_t doca_priv_mlx5_dm_copy(struct doca_dev *dev, uint32_t mkey, size_t offset,
                                           void *bytes, size_t len, bool is_write)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct doca_priv_mlx5_dm *dm = doca_priv_mlx5_dm_find(doca_priv_mlx5_dev_of(dev), mkey, false);

    if (dm == NULL)
        return DOCA_ERROR_NOT_FOUND;
    offset += DOCA_PRIV_MLX5_DM_BEGIN;
    errno = is_write ? sys->memcpy_to_dm(dm->dm, offset, bytes, len)
                     : sys->memcpy_from_dm(bytes, dm->dm, offset, len);
    return errno == 0 ? DOCA_SUCCESS : doca_priv_mlx5_refused("doca_core_mmap_read/write", NULL);
}

/* ---- >>mlx5.queue ---------------------------------------------------------------------------
 * A queue is a ring of slots, one for each task it has, in the order of submission; a queue pair,
 * with a peer where the engine is RDMA; and a completion queue.
 * The slots that have begun stand before those that wait, for room or because the queue is broken.
 * Every WQE has one entry of the completion queue left to it: an error flushes them all.        */

enum doca_priv_mlx5_kind { /* what stands in a slot */
    DOCA_PRIV_MLX5_NOTHING = 0,
    DOCA_PRIV_MLX5_WAITING = 1,
    DOCA_PRIV_MLX5_POSTED = 2, /* to the device */
    DOCA_PRIV_MLX5_BY_CPU = 3, /* to be moved when its turn comes */
    DOCA_PRIV_MLX5_REFUSED = 4
};

struct doca_priv_mlx5_slot {
    struct doca_task *task;
    unsigned char *to; /* where the content of the first destination ended */
    uint64_t bytes;
    uint32_t last; /* POSTED: its last WQE, as sq_pi counts them; REFUSED: the item that says why */
    uint8_t kind;
    uint8_t syndrome; /* of its first WQE that failed */
    uint8_t vendor; /* or the errno of what was called in vain */
    uint8_t blocks; /* POSTED: of its last WQE */
};
DOCA_PRIV_MLX5_ASSERT(slot, sizeof(struct doca_priv_mlx5_slot) <= DOCA_PRIV_MLX5_SLOT_BYTES);

struct doca_priv_mlx5_sync;

struct doca_priv_mlx5_queue {
    struct doca_core_queue queue;
    struct doca_priv_mlx5_dev *dev;
    struct doca_priv_mlx5_slot *slots;
    struct doca_priv_mlx5_slot *end;
    struct doca_priv_mlx5_slot *oldest; /* that a task stands in */
    struct doca_priv_mlx5_slot *next;   /* that a task is to stand in */
    uint64_t max_bytes;   /* of a copy */
    uint64_t max_usual;   /* the same less what is short, with RC, and is in the WQE */
    uint32_t num_waiting; /* tasks, the newest */
    uint16_t usual;       /* how usual bufs begin; 0, as none does, while tasks wait */
    uint8_t engine;
    bool is_broken;       /* nothing begins any more */
    uint8_t max_sge;      /* sources of a WQE */
    uint8_t max_inline;   /* bytes of them that can be in it */

    unsigned char *sq;
    uint32_t *sq_dbrec;
    void *uar;
    uint32_t sq_mask;
    uint32_t sq_pi;    /* counts basic blocks; of VERBS, WQEs */
    uint32_t sq_ci;
    uint32_t sq_rung;  /* what the device was told of sq_pi */
    uint32_t max_wqes; /* of one block that are under way at a time; one more ends a flush */
    struct doca_priv_mlx5_model model;

    unsigned char *cqe;     /* the last 64 bytes of the next entry */
    unsigned char *cqe_end; /* the same of the one behind the last */
    unsigned char *cq;      /* and of the first */
    uint32_t *cq_dbrec;
    unsigned char *cq_uar;
    uint32_t cqe_bytes;
    uint32_t cq_ci;
    uint8_t cq_owner; /* bit 0 of an entry's op_own in this turn */
    uint32_t cqn;
    uint32_t arm_sn;

    bool is_flushed;
    bool has_done;        /* `done` was read ahead */
    bool is_lost;         /* VERBS: the completion queue cannot be read */
    bool is_reset;        /* for that, or the device's failure */
    bool is_hw_armed;     /* an event is to come, or to be taken */
    bool is_masked;       /* the channel is not looked at */
    bool is_watching;     /* the device, for its failure */
    bool is_deaf;         /* VERBS: it cannot be armed, so it is polled */
    struct doca_priv_mlx5_done done;
    doca_error_t status;  /* of tasks that are flushed */
    int fd;               /* readable by what it watches */
    struct doca_priv_mlx5_queue *next_of_dev;
    unsigned char *place; /* for the next ring, */
    size_t place_bytes;
    unsigned char *dbrec_place; /* and doorbell record */
    struct ibv_pd *domain; /* NULL: there is none */
    struct ibv_td *td;     /* NULL: its doorbell is shared */
    struct ibv_comp_channel *channel;
    struct ibv_cq *ibv_cq;
    struct ibv_qp *qp;
    struct ibv_qp *peer;
    struct ibv_mr *opaque_mr; /* of sync events: of the slots */
    unsigned char *opaque;
    struct doca_priv_mlx5_sync *sync; /* NULL: its tasks are copies */
};

#define DOCA_PRIV_MLX5_OPAQUE_BYTES 64
#define DOCA_PRIV_MLX5_DBRECS_BYTES 64 /* the line before it: 8 for each of a CQ and two QPs */
DOCA_PRIV_MLX5_ASSERT(queue, sizeof(struct doca_priv_mlx5_queue) + DOCA_PRIV_MLX5_OPAQUE_BYTES +
                                     DOCA_PRIV_MLX5_DBRECS_BYTES <=
                                 DOCA_PRIV_MLX5_QUEUE_BYTES);

static struct doca_priv_mlx5_queue *doca_priv_mlx5_queue_of(struct doca_core_queue *queue)
{
    return (struct doca_priv_mlx5_queue *)(void *)queue;
}

static size_t doca_priv_mlx5_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                         uint32_t depth)
{
    bool has_rings = doca_priv_mlx5_dev_of(dev)->card->engine != DOCA_CORE_MLX5_ENGINE_VERBS;
    bool is_sync = engine == DOCA_CORE_ENGINE_EVENT;
    size_t num_slots = (size_t)depth + is_sync;

    return (is_sync ? DOCA_PRIV_MLX5_SYNC_BYTES : DOCA_PRIV_MLX5_QUEUE_BYTES) +
           DOCA_PRIV_MLX5_SLOTS(num_slots) + (has_rings ? DOCA_PRIV_MLX5_RINGS(num_slots) : 0);
}

/* How many WQEs a queue of `depth` tasks is to have: for each a task without lists, and for one
 * with the longest. */
static uint32_t doca_priv_mlx5_num_wqes(const struct doca_priv_mlx5_caps *caps, uint32_t depth)
{
    uint32_t num = (uint32_t)DOCA_PRIV_MLX5_WQES(depth);

    while (num > DOCA_PRIV_MLX5_LEAST && (num > caps->max_wqes / 4 || num > caps->max_cqes))
        num /= 2;
    return num;
}

/* What libmlx5 takes memory by for the rings and records of a queue. What does not fit it takes
 * from the heap, as it does by itself. */
static void *doca_priv_mlx5_ring_alloc(struct ibv_pd *domain, void *queue, size_t bytes,
                                       size_t alignment, uint64_t type)
{
    struct doca_priv_mlx5_queue *q = (struct doca_priv_mlx5_queue *)queue;
    bool is_dbrec = type == MLX5DV_RES_TYPE_DBR;
    unsigned char *at = is_dbrec ? q->dbrec_place : q->place;
    size_t room = is_dbrec ? (size_t)(q->opaque - q->dbrec_place) : q->place_bytes;

    (void)domain;
    if (bytes > room || (alignment != 0 && (uintptr_t)at % alignment != 0)) {
        (void)doca_core_backend_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_MLX5_RINGS,
                                     "doca_ctx_start", NULL, (uint32_t)bytes);
        return IBV_ALLOCATOR_USE_DEFAULT;
    }
    if (is_dbrec)
        q->dbrec_place += bytes;
    else
        q->place_bytes = 0; /* it is taken */
    memset(at, 0, bytes);
    return at;
}

static void doca_priv_mlx5_ring_free(struct ibv_pd *domain, void *queue, void *ring, uint64_t type)
{
    (void)domain; /* its place is the context's */
    (void)queue;
    (void)ring;
    (void)type;
}

/* Let the rings of a queue be in its block, and it have a doorbell of its own. Without a parent
 * domain they are on the heap, and it is shared. */
static void doca_priv_mlx5_make_domain(struct doca_priv_mlx5_queue *q)
{
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
    (void)doca_core_backend_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_MLX5_RINGS,
                                 "doca_ctx_start", NULL, (uint32_t)errno);
    if (q->td != NULL)
        (void)doca_priv_mlx5.sys->dealloc_td(q->td);
    q->td = NULL;
}

/* Where the next ring is to be: the n-th of them, of `bytes`. */
static void doca_priv_mlx5_set_place(struct doca_priv_mlx5_queue *q, size_t offset, size_t bytes)
{
    uintptr_t rings = (uintptr_t)q->end + (DOCA_CORE_LINE - 1);

    rings = rings / DOCA_CORE_LINE * DOCA_CORE_LINE + (DOCA_CORE_MLX5_PAGE - 1);
    q->place = (unsigned char *)(rings / DOCA_CORE_MLX5_PAGE * DOCA_CORE_MLX5_PAGE) + offset;
    q->place_bytes = bytes;
}

#define DOCA_PRIV_MLX5_RC_BLOCKS 4 /* basic blocks that libmlx5 counts for a WQE of an RC pair */

/* What libmlx5 is told of WQEs only says how large its ring is to be. */
static struct ibv_qp *doca_priv_mlx5_make_qp(struct doca_priv_mlx5_queue *q, uint32_t num_wqes,
                                             uint32_t num_sge, uint32_t bytes_inline)
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
    return qp; /* analyzer: returnDanglingLifetime: a queue pair keeps nothing of its attributes */
}

/* The queue pair that WQEs are posted to. With VERBS, the most sources and data that the device
 * takes: what it says of either alone may be too much for both. */
static struct ibv_qp *doca_priv_mlx5_make_main_qp(struct doca_priv_mlx5_queue *q,
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

/* Let a queue pair do DMA: its mmo bit is set by the firmware's own command. */
static int doca_priv_mlx5_enable_mmo(struct ibv_qp *qp)
{
    uint8_t in[DOCA_PRIV_MLX5_QP_IN_BYTES], out[DOCA_PRIV_MLX5_QP_OUT_BYTES];

    memset(in, 0, sizeof(in));
    memset(out, 0, sizeof(out));
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_IN_OPCODE, 16, DOCA_PRIV_MLX5_CMD_INIT2INIT_QP);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_QP_QPC_EXT, 1, 1);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_QP_QPN, 24, qp->qp_num);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_QP_OPT_MASK_63_32, 32, DOCA_PRIV_MLX5_QP_OPT_MMO);
    doca_priv_mlx5_set(in, DOCA_PRIV_MLX5_QP_EXT_MMO, 1, 1);
    return doca_priv_mlx5.sys->devx_qp_modify(qp, in, sizeof(in), out, sizeof(out));
}

/* Bring a queue pair to RTS, connected to another one on the port of `caps`, or to itself. */
static int doca_priv_mlx5_connect(const struct doca_priv_mlx5_queue *q,
                                  const struct doca_priv_mlx5_caps *caps, struct ibv_qp *qp,
                                  uint32_t dest_qpn, unsigned access)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct ibv_qp_attr attr;
    int error;

    memset(&attr, 0, sizeof(attr));
    attr.qp_state = IBV_QPS_INIT;
    attr.port_num = DOCA_PRIV_MLX5_PORT;
    attr.qp_access_flags = access;
    error = sys->modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
                                          IBV_QP_ACCESS_FLAGS);
    if (error == 0 && q->engine == DOCA_CORE_MLX5_ENGINE_MMO && caps->has_mmo_bit)
        error = doca_priv_mlx5_enable_mmo(qp);
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
    return sys->modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                                         IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
                                         IBV_QP_MAX_QP_RD_ATOMIC);
}

/* Learn where libmlx5 has the rings, doorbells and records. */
static int doca_priv_mlx5_take_rings(struct doca_priv_mlx5_queue *q)
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
    /* analyzer: autoVariables: dbrec is a pointer, to what stays */
    q->sq_dbrec = (uint32_t *)&qp.dbrec[MLX5_SND_DBR];
    q->uar = qp.bf.reg;
    q->sq_mask = qp.sq.wqe_cnt - 1;
    q->max_wqes = (qp.sq.wqe_cnt < cq.cqe_cnt ? qp.sq.wqe_cnt : cq.cqe_cnt) - 1;
    if (q->max_wqes < 2 * DOCA_CORE_MLX5_MAX_LIST - 1) /* the pieces of the longest lists */
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

/* ---- >>mlx5.dma -----------------------------------------------------------------------------
 * From a task to WQEs.                                                                          */

/* The two lists of a task, cut where either has a boundary. */
struct doca_priv_mlx5_walk {
    const struct doca_buf *src;
    const struct doca_buf *dst;
    uint64_t src_done; /* of the content of src */
    uint64_t dst_done; /* of the room of dst */
    uint64_t left;
};

static uint64_t doca_priv_mlx5_tailroom(const struct doca_buf *buf)
{
    /* analyzer: core.NullDereference: lists end where nothing is left */
    return (uint64_t)((uintptr_t)buf->end - (uintptr_t)buf->data) - buf->data_len;
}

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

/* How `dev` knows the memory of an mmap that is registered on it. */
static const struct doca_priv_mmap_dev *doca_priv_mlx5_keys(const struct doca_mmap *mmap,
                                                            const struct doca_dev *dev)
{
    const struct doca_priv_mmap_dev *keys = mmap->devs;

    while (keys->dev != dev)
        keys++;
    return keys;
}

/* The next piece; false: there is none. What inspection let through has room. */
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
    piece->to_key = to->own;
    piece->bytes = from_here < to_here ? from_here : to_here;
    walk->src_done += piece->bytes;
    walk->dst_done += piece->bytes;
    walk->left -= piece->bytes;
    return true;
}

/* Are the bytes of a buffer at its address in this process? */
static bool doca_priv_mlx5_is_local(const struct doca_buf *buf)
{
    return buf->mmap->far == NULL && !buf->mmap->is_elsewhere;
}

/* The next WQE: pieces that go to one place, as many as it takes; false: there is none. */
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
    copy->is_near = true;
    do {
        before = *walk;
        copy->from[copy->num].addr = piece.from;
        copy->from[copy->num].length = (uint32_t)piece.bytes;
        copy->from[copy->num++].lkey = piece.from_key;
        copy->bytes += piece.bytes;
        copy->is_near = copy->is_near && doca_priv_mlx5_is_local(walk->src);
    } while (copy->num < q->max_sge && doca_priv_mlx5_walk_next(walk, q, &piece) &&
             piece.to == copy->to + copy->bytes && piece.to_key == copy->to_key);
    *walk = before; /* the piece that is of another WQE comes again */
    return true;
}

/* Is the data to be in the WQE? It is read now, before the task is done with it. */
static bool doca_priv_mlx5_is_inline(const struct doca_priv_mlx5_queue *q,
                                     const struct doca_priv_mlx5_copy *copy)
{
    return copy->bytes <= q->max_inline && copy->is_near;
}

static uint32_t doca_priv_mlx5_blocks(const struct doca_priv_mlx5_queue *q,
                                      const struct doca_priv_mlx5_copy *copy)
{
    return q->engine != DOCA_CORE_MLX5_ENGINE_RC || doca_priv_mlx5_is_inline(q, copy)
               ? 1
               : (2 + copy->num + 3) / 4;
}

static int doca_priv_mlx5_send(struct doca_priv_mlx5_queue *q, struct doca_priv_mlx5_copy *copy)
{
    struct ibv_send_wr wr;

    memset(&wr, 0, sizeof(wr));
    wr.wr_id = q->sq_pi & 0xffff;
    wr.sg_list = copy->from;
    wr.num_sge = (int)copy->num;
    wr.opcode = IBV_WR_RDMA_WRITE;
    wr.send_flags = IBV_SEND_SIGNALED; /* or a task that is given up could wait for ever */
    if (doca_priv_mlx5_is_inline(q, copy))
        wr.send_flags |= IBV_SEND_INLINE;
    wr.wr.rdma.remote_addr = copy->to;
    wr.wr.rdma.rkey = copy->to_key;
    return doca_priv_mlx5.sys->post_send(q->qp, &wr);
}

/* Write a WQE into the ring; how many blocks it takes. */
static uint32_t doca_priv_mlx5_put_wqe(struct doca_priv_mlx5_queue *q,
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
    return doca_priv_mlx5_blocks(q, copy);
}

/* Hand one WQE to the device, which learns of it when it is rung; by verbs at once. */
static int doca_priv_mlx5_put(struct doca_priv_mlx5_queue *q, struct doca_priv_mlx5_copy *copy,
                              bool is_signaled)
{
    int error;

    if (q->engine != DOCA_CORE_MLX5_ENGINE_VERBS) {
        q->sq_pi += doca_priv_mlx5_put_wqe(q, copy, is_signaled);
        return 0;
    }
    error = doca_priv_mlx5_send(q, copy);
    if (error == 0)
        q->sq_rung = ++q->sq_pi;
    return error;
}

/* Tell the device of all WQEs up to now. `first`: how the last of them begins. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_doorbell(struct doca_priv_mlx5_queue *q, uint64_t first)
{
    doca_priv_mlx5_wqe_before_dbrec();
    doca_priv_mlx5_dbrec_write(q->sq_dbrec, q->sq_pi & 0xffff);
    doca_priv_mlx5_dbrec_before_uar();
    doca_priv_mlx5_uar_write(q->uar, first);
    doca_priv_mlx5_uar_before_next();
    q->sq_rung = q->sq_pi;
}

/* The same, the last WQE being `last`. */
static void doca_priv_mlx5_ring_last(struct doca_priv_mlx5_queue *q, uint32_t last)
{
    uint64_t first;

    memcpy(&first, q->sq + (size_t)(last & q->sq_mask) * DOCA_PRIV_MLX5_WQEBB, sizeof(first));
    doca_priv_mlx5_doorbell(q, first);
}

/* The oldest slot whose task waits; the next one, where none does. */
static struct doca_priv_mlx5_slot *doca_priv_mlx5_oldest_waiting(
    const struct doca_priv_mlx5_queue *q)
{
    size_t newer = (size_t)(q->next - q->slots);

    return q->num_waiting <= newer ? q->next - q->num_waiting : q->end - (q->num_waiting - newer);
}

/* Tell the device of all WQEs up to now, if there are some that it was not told of: the last is
 * that of the newest task that was posted. There is none if it has completed what it did not know,
 * as no device does; it learns of that with the next one. */
static void doca_priv_mlx5_ring(struct doca_priv_mlx5_queue *q)
{
    const struct doca_priv_mlx5_slot *first = doca_priv_mlx5_oldest_waiting(q), *slot = first;

    if (q->sq_rung == q->sq_pi)
        return;
    do
        slot = (slot != q->slots ? slot : q->end) - 1;
    while (slot->kind != DOCA_PRIV_MLX5_POSTED && slot != first);
    if (slot->kind == DOCA_PRIV_MLX5_POSTED)
        doca_priv_mlx5_ring_last(q, slot->last);
}

/* Do source and destination, both single, share bytes? Not by their addresses alone, if one of them
 * is elsewhere. */
static bool doca_priv_mlx5_overlaps(const struct doca_dma_task_memcpy *t)
{
    uintptr_t from = (uintptr_t)t->src->data, to = (uintptr_t)t->dst->data + t->dst->data_len;

    return from < to + t->src->data_len && to < from + t->src->data_len && t->src->next == NULL &&
           t->dst->next == NULL &&
           (t->src->mmap == t->dst->mmap ||
            (doca_priv_mlx5_is_local(t->src) && doca_priv_mlx5_is_local(t->dst)));
}

static void doca_priv_mlx5_refuse(struct doca_priv_mlx5_queue *q, struct doca_priv_mlx5_slot *slot,
                                  enum doca_core_item item)
{
    slot->kind = DOCA_PRIV_MLX5_REFUSED;
    slot->last = (uint32_t)item;
    q->is_broken = true;
}

/* Move both queue pairs. The peer comes second: it would still write what was sent before, of
 * which the completions of the other one say nothing. */
static bool doca_priv_mlx5_move_to(const struct doca_priv_mlx5_queue *q, enum ibv_qp_state state)
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

/* Let the device flush what it has. False: it has nothing, or does not. */
static bool doca_priv_mlx5_enter_error(const struct doca_priv_mlx5_queue *q)
{
    return q->sq_pi != q->sq_ci && !q->is_reset && doca_priv_mlx5_move_to(q, IBV_QPS_ERR);
}

/* Verbs did not take a WQE. Those of the task before it have to come back first. */
static void doca_priv_mlx5_give_up(struct doca_priv_mlx5_queue *q,
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

/* Write the WQEs of a task that is in order. False: there is no room now. */
static bool doca_priv_mlx5_write_task(struct doca_priv_mlx5_queue *q,
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
            num += doca_priv_mlx5_blocks(q, &copy);
        doca_priv_mlx5_walk_begin(&walk, t);
    }
    if (doca_unlikely(room < num || room == 0))
        return false;
    while (doca_priv_mlx5_walk_wqe(&walk, q, &copy)) {
        begin = q->sq_pi;
        error = doca_priv_mlx5_put(q, &copy, walk.left == 0);
        if (doca_unlikely(error != 0)) {
            doca_priv_mlx5_give_up(q, slot, error);
            return true;
        }
        slot->last = begin;
        slot->blocks = (uint8_t)(q->sq_pi - begin);
        slot->kind = DOCA_PRIV_MLX5_POSTED;
    }
    return true;
}

/* Is it between two single buffers, alive, writable, registered, with room, as most are? What is
 * not so may be in order as well. len - 1 makes an empty source too long. */
static inline bool doca_priv_mlx5_is_plain(const struct doca_priv_mlx5_queue *q,
                                           const struct doca_dma_task_memcpy *t)
{
    const struct doca_buf *src = t->src, *dst = t->dst;

    return src->kind == DOCA_PRIV_BUF_KIND && dst->kind == DOCA_PRIV_BUF_KIND &&
           src->next == NULL && dst->next == NULL && src->flags != 0 &&
           (dst->flags & DOCA_PRIV_BUF_WRITE) != 0 &&
           (src->mmap->dev_mask & dst->mmap->dev_mask & q->queue.dev->bit) != 0 &&
           src->data_len - 1 < doca_priv_mlx5_tailroom(dst) && src->data_len <= q->max_bytes;
}

/* Let the oldest task that waits begin. False: it cannot, now. */
static bool doca_priv_mlx5_begin(struct doca_priv_mlx5_queue *q, struct doca_priv_mlx5_slot *slot)
{
    const struct doca_dma_task_memcpy *t =
        (const struct doca_dma_task_memcpy *)(const void *)slot->task;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;

    if (doca_unlikely(!doca_priv_mlx5_is_plain(q, t)) &&
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
    } else if (!doca_priv_mlx5_write_task(q, slot)) {
        return false;
    }
    q->num_waiting--;
    return true;
}

/* Take the next slot for a task. */
DOCA_PRIV_MLX5_HOT struct doca_priv_mlx5_slot *doca_priv_mlx5_slot_take(
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

/* How usual bufs of a device begin; 0, as none does, for a device that has no flag of theirs, and
 * while tasks wait: those behind them do too. Then nothing is usual. */
static void doca_priv_mlx5_set_usual(struct doca_priv_mlx5_queue *q)
{
    uint8_t begin[2] = { DOCA_PRIV_BUF_KIND, DOCA_PRIV_BUF_OUT | DOCA_PRIV_BUF_WRITE };
    uint64_t bit = q->queue.dev->bit;
    unsigned place = bit != 0 ? (unsigned)__builtin_ctzll(bit) : DOCA_PRIV_BUF_DEVS;

    q->usual = 0;
    begin[1] = (uint8_t)(begin[1] + (place + 1) * DOCA_PRIV_BUF_DEV);
    if (place < DOCA_PRIV_BUF_DEVS && q->num_waiting == 0 && !q->is_broken)
        memcpy(&q->usual, begin, sizeof(q->usual));
}

/* Of any engine, and for any task. */
DOCA_PRIV_MLX5_APART doca_error_t doca_priv_mlx5_post(struct doca_core_queue *queue,
                                                      struct doca_task *task)
{
    const struct doca_dma_task_memcpy *t = (const struct doca_dma_task_memcpy *)(const void *)task;
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    struct doca_priv_mlx5_slot *slot;

    if (task->more == DOCA_CORE_MORE_LATER) /* it might end before the device is to learn of it */
        return DOCA_ERROR_AGAIN;
    if (doca_unlikely(t->src == NULL || t->dst == NULL)) {
        doca_priv_mlx5_ring(q);
        return DOCA_ERROR_INVALID_VALUE;
    }
    slot = doca_priv_mlx5_slot_take(q, task, DOCA_PRIV_MLX5_WAITING);
    if (++q->num_waiting == 1 && doca_likely(!q->is_broken))
        (void)doca_priv_mlx5_begin(q, slot);
    doca_priv_mlx5_set_usual(q);
    if (task->more == DOCA_CORE_MORE_NONE)
        doca_priv_mlx5_ring(q);
    return DOCA_SUCCESS;
}

/* How a buf begins: kind and flags. */
DOCA_PRIV_MLX5_HOT uint16_t doca_priv_mlx5_buf_begin(const struct doca_buf *buf, uint8_t flags)
{
    const uint8_t more[2] = { 0, flags };
    uint16_t begin, word;

    memcpy(&begin, buf, sizeof(begin));
    memcpy(&word, more, sizeof(word));
    return begin | word;
}

/* Is it a copy between two bufs that are alone, alive, in mmaps of this device only, and writable,
 * and is there room for a WQE? */
DOCA_PRIV_MLX5_HOT bool doca_priv_mlx5_is_usual(const struct doca_priv_mlx5_queue *q,
                                                const struct doca_dma_task_memcpy *t)
{
    return doca_likely(t->src != NULL && t->dst != NULL && q->sq_pi - q->sq_ci < q->max_wqes &&
                       doca_priv_mlx5_buf_begin(t->src, DOCA_PRIV_BUF_WRITE) == q->usual &&
                       doca_priv_mlx5_buf_begin(t->dst, 0) == q->usual);
}

/* Is one that is usual of more bytes than `least`, and no more than `most` above that, with room,
 * and apart? Then here it is. Such mmaps do not end with all memory; what is not more becomes too
 * long by the - 1. */
DOCA_PRIV_MLX5_HOT bool doca_priv_mlx5_is_between(const struct doca_dma_task_memcpy *t,
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
    piece->to_key = dst->mmap->devs->own;
    return true;
}

enum doca_priv_mlx5_form { DOCA_PRIV_MLX5_MMO, DOCA_PRIV_MLX5_WRITE, DOCA_PRIV_MLX5_SHORT };

static doca_error_t doca_priv_mlx5_post_short(struct doca_core_queue *queue,
                                              struct doca_task *task);

/* Post a usual task, if its bytes are too. */
/* analyzer: misc-no-recursion: once, for what is short; as such it comes back no more */
DOCA_PRIV_MLX5_HOT doca_error_t doca_priv_mlx5_post_bytes(struct doca_core_queue *queue,
                                                          struct doca_task *task,
                                                          enum doca_priv_mlx5_form form)
{
    const uint64_t least = form == DOCA_PRIV_MLX5_WRITE ? DOCA_CORE_MLX5_MAX_INLINE : 0;
    const struct doca_dma_task_memcpy *t = (const struct doca_dma_task_memcpy *)(const void *)task;
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    const uint64_t most = form == DOCA_PRIV_MLX5_SHORT ? DOCA_CORE_MLX5_MAX_INLINE : q->max_usual;
    struct doca_priv_mlx5_piece piece;
    struct doca_priv_mlx5_slot *slot;
    unsigned char *wqe;
    uint64_t first;

    if (!doca_priv_mlx5_is_between(t, least, most, &piece))
        return form == DOCA_PRIV_MLX5_WRITE ? doca_priv_mlx5_post_short(queue, task)
                                            : doca_priv_mlx5_post(queue, task);
    wqe = q->sq + (size_t)(q->sq_pi & q->sq_mask) * DOCA_PRIV_MLX5_WQEBB;
    if (form == DOCA_PRIV_MLX5_MMO)
        first = doca_priv_mlx5_pack_mmo(wqe, &q->model, q->sq_pi, &piece);
    else if (form == DOCA_PRIV_MLX5_SHORT && doca_likely(doca_priv_mlx5_is_local(t->src)))
        first = doca_priv_mlx5_pack_inline(wqe, &q->model, q->sq_pi, &piece);
    else
        first = doca_priv_mlx5_pack_write(wqe, &q->model, q->sq_pi, &piece);
    slot = doca_priv_mlx5_slot_take(q, task, DOCA_PRIV_MLX5_POSTED);
    slot->to = (unsigned char *)(uintptr_t)piece.to;
    slot->bytes = piece.bytes;
    slot->last = q->sq_pi++;
    if (task->more == DOCA_CORE_MORE_NONE)
        doca_priv_mlx5_doorbell(q, first);
    return DOCA_SUCCESS;
}

/* Post a task to a queue of the device that nothing stands in the way of. Whether the device has
 * failed is seen by who polls. */
DOCA_PRIV_MLX5_HOT doca_error_t doca_priv_mlx5_post_usual(struct doca_core_queue *queue,
                                                          struct doca_task *task,
                                                          enum doca_priv_mlx5_form form)
{
    return doca_priv_mlx5_is_usual(doca_priv_mlx5_queue_of(queue),
                                   (const struct doca_dma_task_memcpy *)(const void *)task)
               ? doca_priv_mlx5_post_bytes(queue, task, form)
               : doca_priv_mlx5_post(queue, task);
}

static doca_error_t doca_priv_mlx5_post_mmo(struct doca_core_queue *queue, struct doca_task *task)
{
    return doca_priv_mlx5_post_usual(queue, task, DOCA_PRIV_MLX5_MMO);
}

static doca_error_t doca_priv_mlx5_post_rc(struct doca_core_queue *queue, struct doca_task *task)
{
    return doca_priv_mlx5_post_usual(queue, task, DOCA_PRIV_MLX5_WRITE);
}

/* A usual task of few bytes, as it mostly is: these go into the WQE, if the CPU can read them. */
/* analyzer: misc-no-recursion: what is SHORT is not posted from here again */
DOCA_PRIV_MLX5_APART doca_error_t doca_priv_mlx5_post_short(struct doca_core_queue *queue,
                                                            struct doca_task *task)
{
    return doca_priv_mlx5_post_bytes(queue, task, DOCA_PRIV_MLX5_SHORT);
}

/* ---- >>mlx5.poll ----------------------------------------------------------------------------
 * From completions back to tasks. Only the last WQE of a task writes an entry, unless there is an
 * error: then every one does that was not done.                                                 */

/* Is there an entry to read? */
static const unsigned char *doca_priv_mlx5_peek(const struct doca_priv_mlx5_queue *q)
{
    uint8_t op_own = __atomic_load_n(q->cqe + offsetof(struct doca_priv_mlx5_cqe, op_own),
                                     __ATOMIC_RELAXED);

    return op_own >> 4 != DOCA_PRIV_MLX5_CQE_INVALID && (op_own & 1u) == q->cq_owner ? q->cqe
                                                                                     : NULL;
}

/* The entry was read: the device may have it again. */
DOCA_PRIV_MLX5_HOT void doca_priv_mlx5_cqe_give(struct doca_priv_mlx5_queue *q)
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

/* The syndrome that goes with a status of verbs; both follow the InfiniBand specification. */
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

/* Take a completion from verbs. */
static bool doca_priv_mlx5_read_ahead(struct doca_priv_mlx5_queue *q)
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

/* Read one completion; false: there is none. */
static bool doca_priv_mlx5_reap(struct doca_priv_mlx5_queue *q, struct doca_priv_mlx5_done *done)
{
    struct doca_priv_mlx5_cqe copy;
    const unsigned char *cqe;

    if (q->has_done ||
        (q->engine == DOCA_CORE_MLX5_ENGINE_VERBS && doca_priv_mlx5_read_ahead(q))) {
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
    doca_priv_mlx5_cqe_give(q);
    return true;
}

/* What the program reads of a syndrome. */
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

static doca_error_t doca_priv_mlx5_fail(const struct doca_priv_mlx5_slot *slot, doca_error_t code,
                                        enum doca_core_item item, uint32_t detail)
{
    return doca_core_backend_fail(code, item, "doca_pe_progress", slot->task, detail);
}

/* Let the contents of the destination grow: all is there. */
static doca_error_t doca_priv_mlx5_grow(const struct doca_priv_mlx5_slot *slot)
{
    struct doca_buf *dst = ((struct doca_dma_task_memcpy *)(void *)slot->task)->dst, *d;
    uint64_t left = slot->bytes, room;

    if (doca_unlikely(dst->flags == 0 || dst->data + dst->data_len != slot->to))
        return doca_priv_mlx5_fail(slot, DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_MLX5_BUF, 0);
    for (d = dst; d != NULL && left > 0; d = d->next) {
        room = doca_priv_mlx5_tailroom(d);
        left -= room < left ? room : left;
    }
    if (doca_unlikely(left > 0))
        return doca_priv_mlx5_fail(slot, DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_MLX5_BUF, 0);
    for (left = slot->bytes; left > 0; dst = dst->next) {
        room = doca_priv_mlx5_tailroom(dst);
        room = room < left ? room : left;
        dst->data_len += (size_t)room;
        left -= room;
    }
    return DOCA_SUCCESS;
}

/* How a task of the device's ended. */
static doca_error_t doca_priv_mlx5_outcome(const struct doca_priv_mlx5_queue *q,
                                           const struct doca_priv_mlx5_slot *slot)
{
    if (doca_likely(slot->syndrome == 0))
        return doca_priv_mlx5_grow(slot);
    if (slot->syndrome == DOCA_PRIV_MLX5_SYNDROME_WR_FLUSH)
        return doca_priv_mlx5_fail(slot, q->status, DOCA_CORE_ITEM_FLUSHED, 0);
    if (slot->syndrome == DOCA_PRIV_MLX5_SYNDROME_CALL)
        return doca_priv_mlx5_fail(slot, DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_MLX5_CALL,
                                   slot->vendor);
    return doca_priv_mlx5_fail(slot, DOCA_ERROR_IO_FAILED, doca_priv_mlx5_item(slot->syndrome),
                               (uint32_t)slot->vendor << 8 | slot->syndrome);
}

/* Has the device done with the oldest task, which it has? Completions are in the order of WQEs: one
 * from behind the task says that its own is lost. */
static bool doca_priv_mlx5_is_done(struct doca_priv_mlx5_queue *q,
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

/* Has the device failed, so that nothing will come back? It may be a part of it that failed: what
 * this queue has under way is ended, before its tasks go back without a completion. */
static bool doca_priv_mlx5_is_lost(struct doca_priv_mlx5_queue *q,
                                   struct doca_priv_mlx5_slot *slot)
{
    if (doca_likely(!doca_priv_mlx5_is_fatal(q->dev) && !q->is_lost))
        return false;
    if (!q->is_reset) {
        q->is_reset = true;
        (void)doca_priv_mlx5_move_to(q, IBV_QPS_RESET);
    }
    q->is_broken = true;
    slot->syndrome = DOCA_PRIV_MLX5_SYNDROME_FATAL;
    return true;
}

static doca_error_t doca_priv_mlx5_move(const struct doca_priv_mlx5_queue *q,
                                        const struct doca_priv_mlx5_slot *slot)
{
    const struct doca_dma_task_memcpy *t =
        (const struct doca_dma_task_memcpy *)(const void *)slot->task;
    doca_error_t rc;

    if (!doca_priv_mlx5_is_plain(q, t) || t->src->data_len != slot->bytes)
        return doca_priv_mlx5_fail(slot, DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_MLX5_BUF, 0);
    rc = doca_priv_mlx5_grow(slot);
    if (rc == DOCA_SUCCESS)
        memmove(slot->to, t->src->data, (size_t)slot->bytes);
    return rc;
}

/* Let the task of the oldest slot go. */
DOCA_PRIV_MLX5_HOT struct doca_task *doca_priv_mlx5_slot_give(struct doca_priv_mlx5_queue *q,
                                                              struct doca_priv_mlx5_slot *slot,
                                                              doca_error_t rc)
{
    struct doca_task *task = slot->task;

    task->status = (uint8_t)rc;
    slot->kind = DOCA_PRIV_MLX5_NOTHING;
    q->oldest = slot + 1 != q->end ? slot + 1 : q->slots;
    return task;
}

/* Of any engine, and whatever there is. */
DOCA_PRIV_MLX5_APART struct doca_task *doca_priv_mlx5_poll(struct doca_core_queue *queue)
{
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    struct doca_priv_mlx5_slot *slot = q->oldest;
    struct doca_task *task;
    bool begun = false;
    doca_error_t rc;

    if (slot->kind == DOCA_PRIV_MLX5_NOTHING)
        return NULL;
    if (slot->kind == DOCA_PRIV_MLX5_POSTED) {
        if (!doca_priv_mlx5_is_done(q, slot) && !doca_priv_mlx5_is_lost(q, slot))
            return NULL;
        rc = doca_priv_mlx5_outcome(q, slot);
    } else if (slot->kind == DOCA_PRIV_MLX5_REFUSED) {
        rc = doca_priv_mlx5_fail(slot, DOCA_ERROR_IO_FAILED, (enum doca_core_item)slot->last,
                                 slot->vendor);
    } else if (slot->kind == DOCA_PRIV_MLX5_BY_CPU && !q->is_flushed) {
        rc = doca_priv_mlx5_move(q, slot);
    } else {
        q->num_waiting -= slot->kind == DOCA_PRIV_MLX5_WAITING;
        rc = doca_priv_mlx5_fail(slot, q->status, DOCA_CORE_ITEM_FLUSHED, 0);
    }
    task = doca_priv_mlx5_slot_give(q, slot, rc);
    while (doca_unlikely(q->num_waiting > 0) && !q->is_broken &&
           doca_priv_mlx5_begin(q, doca_priv_mlx5_oldest_waiting(q)))
        begun = true;
    doca_priv_mlx5_set_usual(q);
    if (begun) /* else what the device was not told of is still held */
        doca_priv_mlx5_ring(q);
    return task;
}

/* kind, syndrome and what follows of a slot whose task the device has, nothing failed of, and the
 * last WQE is one block. */
DOCA_PRIV_MLX5_HOT bool doca_priv_mlx5_is_well(const struct doca_priv_mlx5_slot *slot)
{
    const uint8_t wanted[4] = { DOCA_PRIV_MLX5_POSTED, 0, 0, 1 };
    uint32_t is, should;

    memcpy(&is, &slot->kind, sizeof(is));
    memcpy(&should, wanted, sizeof(should));
    return is == should;
}

#define DOCA_PRIV_MLX5_OP_OWN 0xf1u /* opcode, and owner */

/* Of MMO and RC: the oldest task, done without an error, with a usual destination that is as it
 * was. */
static struct doca_task *doca_priv_mlx5_poll_usual(struct doca_core_queue *queue)
{
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    struct doca_priv_mlx5_slot *slot = q->oldest;
    struct doca_buf *dst;
    uint16_t counter;

    if ((__atomic_load_n(q->cqe + offsetof(struct doca_priv_mlx5_cqe, op_own), __ATOMIC_RELAXED) &
         DOCA_PRIV_MLX5_OP_OWN) != ((uint32_t)DOCA_PRIV_MLX5_CQE_REQ << 4 | q->cq_owner) ||
        doca_unlikely(!doca_priv_mlx5_is_well(slot)))
        return doca_priv_mlx5_poll(queue);
    doca_priv_mlx5_owner_before_cqe();
    memcpy(&counter, q->cqe + offsetof(struct doca_priv_mlx5_cqe, wqe_counter), sizeof(counter));
    dst = ((struct doca_dma_task_memcpy *)(void *)slot->task)->dst;
    if (doca_unlikely(DOCA_PRIV_MLX5_BE16(counter) != (uint16_t)slot->last ||
                      doca_priv_mlx5_buf_begin(dst, 0) != q->usual ||
                      dst->data + dst->data_len != slot->to ||
                      (uintptr_t)slot->to + slot->bytes > (uintptr_t)dst->end))
        return doca_priv_mlx5_poll(queue);
    doca_priv_mlx5_cqe_give(q);
    q->sq_ci = slot->last + 1;
    dst->data_len += (size_t)slot->bytes;
    return doca_priv_mlx5_slot_give(q, slot, DOCA_SUCCESS);
}

/* What the device was not told of was not begun. */
static void doca_priv_mlx5_take_back(struct doca_priv_mlx5_queue *q)
{
    struct doca_priv_mlx5_slot *slot;

    for (slot = q->slots; q->sq_pi != q->sq_rung && slot != q->end; slot++) {
        if (slot->kind == DOCA_PRIV_MLX5_POSTED &&
            slot->last - q->sq_rung < q->sq_pi - q->sq_rung) {
            slot->kind = DOCA_PRIV_MLX5_WAITING;
            q->num_waiting++;
        }
    }
    q->sq_pi = q->sq_rung;
}

/* Behind all that the device has goes a WQE that it only flushes: its completion is the last one,
 * so that no task waits for one that is lost. There is always room for it. */
static void doca_priv_mlx5_queue_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    struct doca_priv_mlx5_copy nothing;

    q->status = status;
    q->is_flushed = true;
    q->is_broken = true;
    doca_priv_mlx5_take_back(q);
    doca_priv_mlx5_set_usual(q);
    memset(&nothing, 0, sizeof(nothing));
    nothing.num = 1;
    if (doca_priv_mlx5_enter_error(q) && doca_priv_mlx5_put(q, &nothing, true) == 0 &&
        q->engine != DOCA_CORE_MLX5_ENGINE_VERBS)
        doca_priv_mlx5_ring_last(q, q->sq_pi - 1);
}

static void doca_priv_mlx5_queue_ring(struct doca_core_queue *queue)
{
    doca_priv_mlx5_ring(doca_priv_mlx5_queue_of(queue));
}

static bool doca_priv_mlx5_sync_holds(struct doca_priv_mlx5_sync *s);

static bool doca_priv_mlx5_queue_ready(struct doca_core_queue *queue)
{
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);

    if (q->sync != NULL && doca_priv_mlx5_sync_holds(q->sync))
        return true;
    if (q->oldest->kind == DOCA_PRIV_MLX5_NOTHING)
        return false;
    if (q->oldest->kind != DOCA_PRIV_MLX5_POSTED || q->has_done || q->is_deaf ||
        doca_priv_mlx5_is_fatal(q->dev))
        return true;
    return q->engine == DOCA_CORE_MLX5_ENGINE_VERBS ? doca_priv_mlx5_read_ahead(q) || q->is_lost
                                                    : doca_priv_mlx5_peek(q) != NULL;
}

/* ---- >>mlx5.sync ----------------------------------------------------------------------------
 * Queues of sync events. Tasks that read or update stand in slots, one WQE each; the 8 bytes that
 * come back go into the slot. (That a device reads and writes 8 aligned bytes at once is Assumed.)
 * Tasks that wait stand apart, in two lists: those that the look under way is for, and those that
 * came after it began, of which it says nothing. A look at memory that the CPU does not reach is a
 * READ in a slot of its own, which no task stands in; between two of them goes a number of polls,
 * or, while the queue is armed, some time.
 * Both kinds of tasks take turns, so that neither can keep the other from finishing.            */

#define DOCA_PRIV_MLX5_SYNC_RIGHTS                                                                 \
    ((unsigned)IBV_ACCESS_REMOTE_WRITE | (unsigned)IBV_ACCESS_REMOTE_READ |                        \
     (unsigned)IBV_ACCESS_REMOTE_ATOMIC)
#define DOCA_PRIV_MLX5_MAX_PAUSE 255 /* polls between two READs */
#define DOCA_PRIV_MLX5_CLOCK 1       /* Linux's CLOCK_MONOTONIC */

struct doca_priv_mlx5_waits {
    struct doca_task *first;
    struct doca_task **end; /* where the link to the next one is */
};

struct doca_priv_mlx5_sync {
    struct doca_priv_mlx5_queue q;
    uint64_t addr;
    uint32_t rkey;
    struct ibv_mr *mr;             /* of the value; NULL: rkey is not ours */
    const volatile uint64_t *here; /* where the CPU looks; NULL: it does not reach it */
    struct doca_priv_mlx5_waits waits;
    struct doca_priv_mlx5_waits fresh;
    uint32_t reads;   /* the last RDMA READ ends before this WQE, */
    uint32_t fetches; /* and the last one, or the last addition */
    uint64_t value;   /* of the last look */
    bool has_value;   /* that `waits` were not judged by */
    bool is_looking;  /* a READ is under way */
    bool waits_turn;  /* those that wait come first in the next poll */
    bool is_armed;
    bool is_timed;    /* the timer runs, or has run out */
    uint32_t pause;   /* polls before the READ after the next one, */
    uint32_t left;    /* and before the next one */
    int timer;
};
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

/* Take out the task that `link` leads to. */
static struct doca_task *doca_priv_mlx5_waits_take(struct doca_priv_mlx5_waits *waits,
                                                   struct doca_task **link)
{
    struct doca_task *task = *link;

    /* analyzer: core.NullDereference: callers know that one waits */
    *link = task->next;
    if (*link == NULL)
        waits->end = link;
    return task;
}

/* A look begins: it is for all that wait now. */
static void doca_priv_mlx5_sync_join(struct doca_priv_mlx5_sync *s)
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

/* Does this value end the task's waiting? */
static bool doca_priv_mlx5_sync_ends(const struct doca_task *task, uint64_t value)
{
    const struct doca_sync_event_task_wait_gt *t =
        (const struct doca_sync_event_task_wait_gt *)(const void *)task;

    value &= t->mask;
    return task->type == DOCA_CORE_EVENT_WAIT_GT
               ? value > t->wait_val
               : (value == t->wait_val) == (task->type == DOCA_CORE_EVENT_WAIT_EQ);
}

/* The first of some that need not wait any longer with this value, or where the link of the last
 * one leads to: NULL. */
static struct doca_task **doca_priv_mlx5_sync_find(struct doca_priv_mlx5_waits *waits,
                                                   uint64_t value)
{
    struct doca_task **link = &waits->first;

    while (*link != NULL && !doca_priv_mlx5_sync_ends(*link, value))
        link = &(*link)->next;
    return link;
}

/* Would a poll hand over one of those that wait? */
static bool doca_priv_mlx5_sync_holds(struct doca_priv_mlx5_sync *s)
{
    uint64_t value;

    if (!doca_priv_mlx5_sync_has_waits(s))
        return false;
    if (s->q.is_flushed || doca_priv_mlx5_is_fatal(s->q.dev))
        return true;
    if (s->here == NULL)
        return s->has_value && *doca_priv_mlx5_sync_find(&s->waits, s->value) != NULL;
    value = __atomic_load_n(s->here, __ATOMIC_ACQUIRE);
    return *doca_priv_mlx5_sync_find(&s->waits, value) != NULL ||
           *doca_priv_mlx5_sync_find(&s->fresh, value) != NULL;
}

/* What the device is to do for the task of a slot; NULL: look. */
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

/* By verbs a fence is made here: soft-RoCE of Linux 6.1 can sleep on one of its own for ever. Is
 * one needed, before a write when something is yet to come back, and before an addition when that
 * is a read? All other pairs keep their order. */
static bool doca_priv_mlx5_sync_is_fenced(const struct doca_priv_mlx5_sync *s, uint32_t opcode)
{
    uint32_t end = opcode == DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE  ? s->fetches
                   : opcode == DOCA_PRIV_MLX5_OPCODE_ATOMIC_FA ? s->reads
                                                               : s->q.sq_ci;

    return s->q.engine == DOCA_CORE_MLX5_ENGINE_VERBS &&
           end - s->q.sq_ci - 1 < s->q.sq_pi - s->q.sq_ci; /* it is behind sq_ci */
}

/* What sync_access() gave, by verbs. */
static int doca_priv_mlx5_sync_send(const struct doca_priv_mlx5_queue *q,
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

/* Let the oldest slot that waits begin. False: it cannot, now. */
static bool doca_priv_mlx5_sync_begin(struct doca_priv_mlx5_sync *s,
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
            error = doca_priv_mlx5_sync_send(q, &a);
        else
            doca_priv_mlx5_pack_access_8(
                q->sq + (size_t)(q->sq_pi & q->sq_mask) * DOCA_PRIV_MLX5_WQEBB, q->qp->qp_num,
                q->sq_pi, &a);
        if (doca_unlikely(error != 0)) {
            doca_priv_mlx5_give_up(q, slot, error);
        } else {
            slot->last = q->sq_pi++;
            slot->kind = DOCA_PRIV_MLX5_POSTED;
            if (q->engine == DOCA_CORE_MLX5_ENGINE_VERBS)
                q->sq_rung = q->sq_pi;
            if (a.opcode == DOCA_PRIV_MLX5_OPCODE_RDMA_READ)
                s->reads = q->sq_pi;
            if (a.opcode != DOCA_PRIV_MLX5_OPCODE_RDMA_WRITE)
                s->fetches = q->sq_pi;
        }
    }
    q->num_waiting--;
    return true;
}

/* Let a task stand in the next slot, or, with NULL, a look. */
static void doca_priv_mlx5_sync_submit(struct doca_priv_mlx5_sync *s, struct doca_task *task)
{
    struct doca_priv_mlx5_slot *slot =
        doca_priv_mlx5_slot_take(&s->q, task, DOCA_PRIV_MLX5_WAITING);

    if (++s->q.num_waiting == 1 && doca_likely(!s->q.is_broken))
        (void)doca_priv_mlx5_sync_begin(s, slot);
}

static void doca_priv_mlx5_sync_arm(struct doca_priv_mlx5_sync *s, bool armed);

/* Where the result of a task goes; to be there when it is submitted. */
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

static doca_error_t doca_priv_mlx5_sync_post(struct doca_core_queue *queue, struct doca_task *task)
{
    struct doca_priv_mlx5_sync *s = doca_priv_mlx5_sync_of(queue);

    if (task->more == DOCA_CORE_MORE_LATER) /* it might end before the device is to learn of it */
        return DOCA_ERROR_AGAIN;
    if (doca_unlikely(doca_priv_mlx5_sync_has_result(task) &&
                      doca_priv_mlx5_sync_result(task) == NULL)) {
        doca_priv_mlx5_ring(&s->q);
        return DOCA_ERROR_INVALID_VALUE;
    }
    if (task->type >= DOCA_CORE_EVENT_WAIT_GT) {
        doca_priv_mlx5_waits_add(&s->fresh, task);
        s->pause = 0;
        s->left = 0;
        if (s->is_armed)
            doca_priv_mlx5_sync_arm(s, true);
    } else {
        doca_priv_mlx5_sync_submit(s, task);
    }
    if (task->more == DOCA_CORE_MORE_NONE)
        doca_priv_mlx5_ring(&s->q);
    return DOCA_SUCCESS;
}

/* How what stood in a slot ended. */
static doca_error_t doca_priv_mlx5_sync_outcome(const struct doca_priv_mlx5_queue *q,
                                                const struct doca_priv_mlx5_slot *slot)
{
    if (slot->kind == DOCA_PRIV_MLX5_REFUSED)
        return doca_priv_mlx5_fail(slot, DOCA_ERROR_IO_FAILED, (enum doca_core_item)slot->last,
                                   slot->vendor);
    if (slot->kind == DOCA_PRIV_MLX5_WAITING)
        return doca_priv_mlx5_fail(slot, q->status, DOCA_CORE_ITEM_FLUSHED, 0);
    if (doca_unlikely(slot->syndrome != 0))
        return doca_priv_mlx5_outcome(q, slot);
    if (slot->task != NULL && doca_priv_mlx5_sync_has_result(slot->task))
        *doca_priv_mlx5_sync_result(slot->task) = slot->bytes;
    return DOCA_SUCCESS;
}

/* The first of those that wait ends with `rc`; what failed was a look on its behalf. */
static struct doca_task *doca_priv_mlx5_sync_fail(struct doca_priv_mlx5_sync *s, doca_error_t rc)
{
    struct doca_task *task;

    doca_priv_mlx5_sync_join(s);
    task = doca_priv_mlx5_waits_take(&s->waits, &s->waits.first);
    task->status = (uint8_t)rc;
    return task;
}

/* A look came to its end: in `slot`, which is given back. */
static struct doca_task *doca_priv_mlx5_sync_looked(struct doca_priv_mlx5_sync *s,
                                                    struct doca_priv_mlx5_slot *slot)
{
    doca_error_t rc = DOCA_SUCCESS;

    s->is_looking = false;
    if (!s->q.is_flushed) {
        slot->task = s->waits.first; /* whom a failure is told of */
        if (slot->syndrome != 0 || slot->kind != DOCA_PRIV_MLX5_POSTED)
            rc = doca_priv_mlx5_sync_outcome(&s->q, slot);
        if (s->value != slot->bytes)
            s->pause = 0;
        s->value = slot->bytes;
        s->has_value = rc == DOCA_SUCCESS;
    }
    slot->kind = DOCA_PRIV_MLX5_NOTHING;
    s->q.oldest = slot + 1 != s->q.end ? slot + 1 : s->q.slots;
    return rc != DOCA_SUCCESS ? doca_priv_mlx5_sync_fail(s, rc) : NULL;
}

/* The task of the oldest slot, if it has ended. */
static struct doca_task *doca_priv_mlx5_sync_next(struct doca_priv_mlx5_sync *s)
{
    struct doca_priv_mlx5_queue *q = &s->q;
    struct doca_priv_mlx5_slot *slot = q->oldest;
    struct doca_task *task;
    bool begun = false;

    if (slot->kind == DOCA_PRIV_MLX5_NOTHING)
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
               ? doca_priv_mlx5_sync_looked(s, slot)
               : doca_priv_mlx5_slot_give(q, slot, doca_priv_mlx5_sync_outcome(q, slot));
    while (doca_unlikely(q->num_waiting > 0) && !q->is_broken &&
           doca_priv_mlx5_sync_begin(s, doca_priv_mlx5_oldest_waiting(q)))
        begun = true;
    if (begun) /* else what the device was not told of is still held */
        doca_priv_mlx5_ring(q);
    return task;
}

/* The first of those that wait whose condition holds, by what was seen last. */
static struct doca_task *doca_priv_mlx5_sync_judge(struct doca_priv_mlx5_sync *s)
{
    struct doca_task **link, *task;
    uint64_t value;

    if (!doca_priv_mlx5_sync_has_waits(s) || s->q.is_flushed)
        return NULL;
    if (s->here != NULL) {
        value = __atomic_load_n(s->here, __ATOMIC_ACQUIRE);
        s->has_value = s->has_value || s->fresh.first != NULL || value != s->value;
        s->value = value;
        doca_priv_mlx5_sync_join(s);
    }
    if (!s->has_value)
        return NULL;
    link = doca_priv_mlx5_sync_find(&s->waits, s->value);
    s->has_value = *link != NULL;
    if (*link == NULL)
        return NULL;
    task = doca_priv_mlx5_waits_take(&s->waits, link);
    task->status = DOCA_SUCCESS;
    return task;
}

/* Look for those that wait, unless it is too soon. */
static void doca_priv_mlx5_sync_look(struct doca_priv_mlx5_sync *s)
{
    if (s->here != NULL || s->is_looking || s->has_value || s->q.is_broken ||
        !doca_priv_mlx5_sync_has_waits(s))
        return;
    if (s->left > 0) {
        s->left--;
        return;
    }
    doca_priv_mlx5_sync_join(s);
    s->is_looking = true;
    doca_priv_mlx5_sync_submit(s, NULL);
    doca_priv_mlx5_ring(&s->q);
    s->left = s->pause;
    s->pause = s->pause < DOCA_PRIV_MLX5_MAX_PAUSE ? 2 * s->pause + 1 : DOCA_PRIV_MLX5_MAX_PAUSE;
}

/* Nothing is in the slots any more: those that wait end with it, if the queue was flushed, or the
 * device has failed. */
static struct doca_task *doca_priv_mlx5_sync_end(struct doca_priv_mlx5_sync *s)
{
    struct doca_priv_mlx5_queue *q = &s->q;
    doca_error_t rc;

    if (!doca_priv_mlx5_sync_has_waits(s) || q->oldest->kind != DOCA_PRIV_MLX5_NOTHING)
        return NULL;
    if (doca_likely(!q->is_flushed && !doca_priv_mlx5_is_fatal(q->dev)))
        return NULL;
    doca_priv_mlx5_sync_join(s);
    rc = q->is_flushed
             ? doca_core_backend_fail(q->status, DOCA_CORE_ITEM_FLUSHED, "doca_pe_progress",
                                      s->waits.first, 0)
             : doca_core_backend_fail(DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_MLX5_FATAL,
                                      "doca_pe_progress", s->waits.first, 0);
    return doca_priv_mlx5_sync_fail(s, rc);
}

static struct doca_task *doca_priv_mlx5_sync_poll(struct doca_core_queue *queue)
{
    struct doca_priv_mlx5_sync *s = doca_priv_mlx5_sync_of(queue);
    struct doca_task *task = NULL;

    if (s->waits_turn) {
        task = doca_priv_mlx5_sync_judge(s);
        doca_priv_mlx5_sync_look(s);
    }
    s->waits_turn = false;
    if (task == NULL) {
        task = doca_priv_mlx5_sync_next(s);
        s->waits_turn = task != NULL;
    }
    if (task == NULL)
        task = doca_priv_mlx5_sync_judge(s);
    if (task == NULL)
        doca_priv_mlx5_sync_look(s);
    return task != NULL ? task : doca_priv_mlx5_sync_end(s);
}

/* Who sleeps is woken to look, while tasks wait and no READ will do so. */
static void doca_priv_mlx5_sync_arm(struct doca_priv_mlx5_sync *s, bool armed)
{
    const bool is_on = armed && doca_priv_mlx5_sync_has_waits(s) && !s->is_looking;
    struct itimerspec spec;

    s->is_armed = armed;
    if (!is_on && !s->is_timed)
        return;
    memset(&spec, 0, sizeof(spec));
    if (is_on) {
        spec.it_value.tv_nsec = 1000L * (50 + 4 * (long)s->pause);
        s->left = 0; /* it has passed when somebody is woken */
        if (s->here != NULL)
            s->pause =
                s->pause < DOCA_PRIV_MLX5_MAX_PAUSE ? 2 * s->pause + 1 : DOCA_PRIV_MLX5_MAX_PAUSE;
    }
    (void)timerfd_settime(s->timer, 0, &spec, NULL);
    s->is_timed = is_on;
}

static int doca_priv_mlx5_watch(const struct doca_priv_mlx5_queue *q, int op, int fd, bool is_on);

/* Take what a queue of sync events needs beside its queue pairs; false: errno says why not. */
static bool doca_priv_mlx5_sync_open(struct doca_priv_mlx5_sync *s,
                                     const struct doca_core_event_place *place)
{
    const unsigned rights = DOCA_PRIV_MLX5_SYNC_RIGHTS | (unsigned)IBV_ACCESS_LOCAL_WRITE;
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct doca_priv_mlx5_queue *q = &s->q;
    struct doca_priv_mlx5_dm *dm;

    s->waits.end = &s->waits.first;
    s->fresh.end = &s->fresh.first;
    s->addr = (uintptr_t)place->addr;
    s->here = place->here;
    s->rkey = place->own != 0 ? place->own : place->mkey;
    errno = 0;
    q->opaque_mr =
        sys->reg_mr(q->dev->pd, q->slots, (size_t)(q->end - q->slots) * sizeof(*q->slots),
                    IBV_ACCESS_LOCAL_WRITE);
    if (q->opaque_mr == NULL)
        return false;
    if (place->mmap->is_on_dev) {
        dm = doca_priv_mlx5_dm_find(q->dev, place->mkey, false);
        if (dm == NULL)
            return false;
        s->mr = sys->reg_dm_mr(q->dev->pd, dm->dm, place->mmap->len + DOCA_PRIV_MLX5_DM_BEGIN,
                               rights | (unsigned)IBV_ACCESS_ZERO_BASED);
    } else if (!place->mmap->is_imported) {
        s->mr = sys->reg_mr(q->dev->pd, place->addr, sizeof(*place->here), rights);
    }
    if (s->mr == NULL && !place->mmap->is_imported)
        return false;
    if (s->mr != NULL)
        s->rkey = s->mr->rkey;
    s->timer = timerfd_create(DOCA_PRIV_MLX5_CLOCK, TFD_NONBLOCK | TFD_CLOEXEC);
    return s->timer >= 0 && doca_priv_mlx5_watch(q, EPOLL_CTL_ADD, s->timer, true) == 0;
}

static int doca_priv_mlx5_sync_close(struct doca_priv_mlx5_sync *s)
{
    if (s->timer >= 0)
        (void)close(s->timer);
    return s->mr != NULL ? doca_priv_mlx5.sys->dereg_mr(s->mr) : 0;
}

/* ---- >>mlx5.event ---------------------------------------------------------------------------
 * Sleeping until a completion comes, or the device fails. The device sends one event for each
 * arming, at the first entry behind the index that it was armed with: also at one that was there.
 * It cannot be disarmed. So the descriptor of a queue is a set of others, from which the channel
 * is taken out while the queue is not armed and the device still is.
 * Linux lets a descriptor be reached by 100 chains of three sets (the queue's, the PE's, the
 * program's): only some queues of a device watch the device itself, others when these close. Who
 * learns of its failure lets core wake the rest.                                                */

#define DOCA_PRIV_MLX5_MAX_WATCHING 64

static int doca_priv_mlx5_watch(const struct doca_priv_mlx5_queue *q, int op, int fd, bool is_on)
{
    struct epoll_event event;

    memset(&event, 0, sizeof(event));
    event.events = is_on ? (uint32_t)EPOLLIN : 0;
    return fd < 0 ? 0 : epoll_ctl(q->fd, op, fd, &event);
}

/* Let queues watch the device, as many as may. Under its lock, by which their descriptors stay. */
static void doca_priv_mlx5_let_watch(struct doca_priv_mlx5_dev *d)
{
    struct doca_priv_mlx5_queue *q = d->queues;

    for (; q != NULL && d->num_watching < DOCA_PRIV_MLX5_MAX_WATCHING; q = q->next_of_dev) {
        if (!q->is_watching &&
            doca_priv_mlx5_watch(q, EPOLL_CTL_ADD, d->context->async_fd, true) == 0) {
            q->is_watching = true;
            d->num_watching++;
        }
    }
}

/* Make the set of a queue. */
static bool doca_priv_mlx5_event_open(struct doca_priv_mlx5_queue *q)
{
    struct doca_priv_mlx5_dev *d = q->dev;
    bool is_watched;

    q->fd = epoll_create1(EPOLL_CLOEXEC);
    if (q->fd < 0 || doca_priv_mlx5_watch(q, EPOLL_CTL_ADD, q->channel->fd, true) != 0)
        return false;
    doca_priv_mlx5_lock(&d->lock);
    q->next_of_dev = d->queues;
    d->queues = q;
    if (d->dev->from_pd == NULL)
        doca_priv_mlx5_let_watch(d);
    is_watched = d->dev->from_pd != NULL || d->num_watching > 0;
    doca_priv_mlx5_unlock(&d->lock);
    return is_watched;
}

/* Does the event say that one of our queues will see no more completions? */
static bool doca_priv_mlx5_ends_queue(struct doca_priv_mlx5_dev *d,
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

/* Take it apart, whatever of it was made. */
static void doca_priv_mlx5_event_close(struct doca_priv_mlx5_queue *q)
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
    if (q->is_watching) {
        d->num_watching--;
        doca_priv_mlx5_let_watch(d);
    }
    doca_priv_mlx5_unlock(&d->lock);
}

static int doca_priv_mlx5_queue_fd(struct doca_core_queue *queue)
{
    return doca_priv_mlx5_queue_of(queue)->fd;
}

/* Ask for an event at the next completion. */
static void doca_priv_mlx5_arm_cq(struct doca_priv_mlx5_queue *q)
{
    uint32_t first = (q->arm_sn & 3) << 28 | (q->cq_ci & 0xffffff);
    uint32_t words[2] = { DOCA_PRIV_MLX5_BE32(first), DOCA_PRIV_MLX5_BE32(q->cqn) };
    uint64_t doorbell;

    memcpy(&doorbell, words, sizeof(doorbell));
    doca_priv_mlx5_dbrec_write(&q->cq_dbrec[1], first);
    doca_priv_mlx5_dbrec_before_uar();
    doca_priv_mlx5_uar_write(q->cq_uar + DOCA_PRIV_MLX5_UAR_CQ, doorbell);
    doca_priv_mlx5_uar_before_next();
}

/* Take the event of the arming before; false: it is still to come, or there was none. */
static bool doca_priv_mlx5_take_event(struct doca_priv_mlx5_queue *q)
{
    if (!q->is_hw_armed || doca_priv_mlx5.sys->take_cq_event(q->channel) != 0)
        return false;
    q->is_hw_armed = false;
    q->arm_sn++;
    return true;
}

/* The same by verbs. What cannot be armed counts as ready, so that nobody sleeps on it. */
static void doca_priv_mlx5_request(struct doca_priv_mlx5_queue *q)
{
    int error = doca_priv_mlx5.sys->req_notify_cq(q->ibv_cq);

    q->is_hw_armed = error == 0;
    q->is_deaf = error != 0;
    if (error == 0)
        return;
    (void)doca_core_backend_fail(DOCA_ERROR_DRIVER, DOCA_CORE_ITEM_MLX5_CALL,
                                 "doca_pe_request_notification", NULL, (uint32_t)error);
    __atomic_store_n(&q->dev->num_asks, 0u, __ATOMIC_RELAXED); /* ask now */
    (void)doca_priv_mlx5_dev_failed(q->queue.dev);
}

static void doca_priv_mlx5_queue_arm(struct doca_core_queue *queue, bool armed)
{
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    bool is_on;

    if (!doca_priv_mlx5_take_event(q))
        doca_priv_mlx5_look(q->dev); /* whatever it was that woke */
    if (armed && !q->is_hw_armed) {
        if (q->engine == DOCA_CORE_MLX5_ENGINE_VERBS) {
            doca_priv_mlx5_request(q);
        } else {
            q->is_hw_armed = true;
            doca_priv_mlx5_arm_cq(q);
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

/* ---- >>mlx5.table ---------------------------------------------------------------------------
 * Opening and closing queues, and what core gets to see.                                        */

static void doca_priv_mlx5_queue_close(struct doca_core_queue *queue)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    int error = 0;

    if (q->qp != NULL)
        error = sys->destroy_qp(q->qp);
    if (q->peer != NULL)
        doca_priv_mlx5_join(&error, sys->destroy_qp(q->peer));
    if (q->opaque_mr != NULL)
        doca_priv_mlx5_join(&error, sys->dereg_mr(q->opaque_mr));
    while (q->channel != NULL && q->ibv_cq != NULL && sys->take_cq_event(q->channel) == 0) {
    }
    if (q->sync != NULL)
        doca_priv_mlx5_join(&error, doca_priv_mlx5_sync_close(q->sync));
    doca_priv_mlx5_event_close(q);
    if (q->ibv_cq != NULL)
        doca_priv_mlx5_join(&error, sys->destroy_cq(q->ibv_cq));
    if (q->domain != NULL)
        doca_priv_mlx5_join(&error, sys->dealloc_pd(q->domain));
    if (q->td != NULL)
        doca_priv_mlx5_join(&error, sys->dealloc_td(q->td));
    if (q->channel != NULL)
        doca_priv_mlx5_join(&error, sys->destroy_comp_channel(q->channel));
    doca_priv_mlx5_kept(error, DOCA_CORE_ITEM_MLX5_CALL, "doca_ctx_stop");
}

/* Connect the queue pairs by the address that the port has now: subnet managers and administrators
 * change it. */
static int doca_priv_mlx5_connect_all(const struct doca_priv_mlx5_queue *q)
{
    struct doca_priv_mlx5_caps caps = q->dev->card->caps;
    struct ibv_port_attr port;
    int error = doca_priv_mlx5_ask_port(&caps, q->dev->context, &port);

    if (error == 0 && caps.is_ethernet && !caps.has_gid)
        error = EADDRNOTAVAIL;
    if (error == 0 && q->peer != NULL)
        error = doca_priv_mlx5_connect(q, &caps, q->peer, q->qp->qp_num,
                                       q->sync != NULL ? DOCA_PRIV_MLX5_SYNC_RIGHTS
                                                       : (unsigned)IBV_ACCESS_REMOTE_WRITE);
    if (error == 0)
        error = doca_priv_mlx5_connect(q, &caps, q->qp,
                                       (q->peer != NULL ? q->peer : q->qp)->qp_num, 0);
    return error;
}

/* Make the objects of a queue, in the order in which close takes them back. */
static bool doca_priv_mlx5_make(struct doca_priv_mlx5_queue *q, uint32_t num_wqes)
{
    const size_t ring = DOCA_PRIV_MLX5_RING(num_wqes);
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;

    errno = 0;
    q->channel = sys->create_comp_channel(q->dev->context);
    if (q->channel == NULL)
        return false;
    doca_priv_mlx5_make_domain(q);
    doca_priv_mlx5_set_place(q, 0, ring);
    /* libmlx5 takes one entry more, and a power of two */
    q->ibv_cq = sys->create_cq(q->dev->context,
                               (int)(q->domain != NULL ? num_wqes - 1 : num_wqes), q->channel,
                               q->domain);
    if (q->ibv_cq == NULL)
        return false;
    if (q->engine == DOCA_CORE_MLX5_ENGINE_MMO) {
        q->opaque_mr = sys->reg_mr(q->dev->pd, q->opaque, DOCA_PRIV_MLX5_OPAQUE_BYTES,
                                   IBV_ACCESS_LOCAL_WRITE);
        if (q->opaque_mr == NULL)
            return false;
    } else {
        doca_priv_mlx5_set_place(q, 2 * ring, DOCA_CORE_MLX5_PAGE);
        q->peer = doca_priv_mlx5_make_qp(q, 1, 1, 0);
        if (q->peer == NULL)
            return false;
    }
    doca_priv_mlx5_set_place(q, ring, ring);
    q->qp = doca_priv_mlx5_make_main_qp(q, num_wqes);
    if (q->qp == NULL)
        return false;
    if (q->opaque_mr != NULL)
        doca_priv_mlx5_model_mmo(&q->model, q->qp->qp_num, q->opaque_mr->lkey,
                                 (uintptr_t)q->opaque);
    else
        doca_priv_mlx5_model_write(&q->model, q->qp->qp_num);
    q->max_wqes = num_wqes - 1;
    errno = q->engine == DOCA_CORE_MLX5_ENGINE_VERBS ? 0 : doca_priv_mlx5_take_rings(q);
    if (errno == 0)
        errno = doca_priv_mlx5_connect_all(q);
    return errno == 0 && doca_priv_mlx5_event_open(q);
}

/* What queues of either kind begin with: of `bytes`, before `depth` slots. */
static doca_error_t doca_priv_mlx5_queue_make(struct doca_core_queue *queue, size_t bytes,
                                              uint32_t depth)
{
    struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    doca_error_t rc;

    q->dev = doca_priv_mlx5_dev_of(queue->dev);
    q->engine = (uint8_t)q->dev->card->engine;
    if (q->sync != NULL && q->engine == DOCA_CORE_MLX5_ENGINE_MMO)
        q->engine = DOCA_CORE_MLX5_ENGINE_RC;
    q->slots = (struct doca_priv_mlx5_slot *)(void *)((unsigned char *)queue + bytes);
    q->end = q->slots + depth;
    q->oldest = q->slots;
    q->next = q->slots;
    doca_priv_mlx5_set_usual(q);
    q->max_bytes = queue->dev->info.attr.limits.dma_max_buf_size;
    q->max_usual = q->max_bytes - (q->engine == DOCA_CORE_MLX5_ENGINE_RC ? DOCA_CORE_MLX5_MAX_INLINE
                                                                          : 0);
    q->opaque = (unsigned char *)q->slots - DOCA_PRIV_MLX5_OPAQUE_BYTES;
    q->dbrec_place = q->opaque - DOCA_PRIV_MLX5_DBRECS_BYTES;
    q->status = DOCA_ERROR_IO_FAILED;
    q->fd = -1;
    if (!doca_priv_mlx5_make(q, doca_priv_mlx5_num_wqes(&q->dev->card->caps, depth))) {
        rc = doca_priv_mlx5_refused("doca_ctx_start", NULL);
        doca_priv_mlx5_queue_close(queue);
        return rc;
    }
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_mlx5_queue_open(struct doca_core_queue *queue,
                                              enum doca_core_engine engine, uint32_t depth)
{
    const struct doca_priv_mlx5_queue *q = doca_priv_mlx5_queue_of(queue);
    doca_error_t rc;

    if (engine != DOCA_CORE_ENGINE_DMA)
        return DOCA_ERROR_NOT_SUPPORTED;
    rc = doca_priv_mlx5_queue_make(queue, DOCA_PRIV_MLX5_QUEUE_BYTES, depth);
    if (rc != DOCA_SUCCESS)
        return rc;
    queue->post = q->engine == DOCA_CORE_MLX5_ENGINE_MMO  ? doca_priv_mlx5_post_mmo
                  : q->engine == DOCA_CORE_MLX5_ENGINE_RC ? doca_priv_mlx5_post_rc
                                                          : doca_priv_mlx5_post;
    queue->poll = q->engine == DOCA_CORE_MLX5_ENGINE_VERBS ? doca_priv_mlx5_poll
                                                           : doca_priv_mlx5_poll_usual;
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_mlx5_sync_queue_open(struct doca_core_queue *queue,
                                                   const struct doca_core_event_place *place,
                                                   uint32_t depth)
{
    struct doca_priv_mlx5_sync *s = (struct doca_priv_mlx5_sync *)(void *)queue;
    doca_error_t rc;

    if (depth == UINT32_MAX) /* one slot more is needed */
        return DOCA_ERROR_NO_MEMORY;
    s->timer = -1;
    s->q.sync = s;
    rc = doca_priv_mlx5_queue_make(queue, DOCA_PRIV_MLX5_SYNC_BYTES, depth + 1);
    if (rc == DOCA_SUCCESS && !doca_priv_mlx5_sync_open(s, place)) {
        rc = doca_priv_mlx5_refused("doca_ctx_start", NULL);
        doca_priv_mlx5_queue_close(queue);
    }
    queue->post = doca_priv_mlx5_sync_post;
    queue->poll = doca_priv_mlx5_sync_poll;
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
    doca_priv_mlx5_hear(doca_priv_mlx5_dev_of(dev), event);
    return DOCA_SUCCESS;
}

/* What the environment says of the engine; AUTO: nothing that is understood, or it is that of
 * somebody with fewer rights than the program. */
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
