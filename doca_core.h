/* doca_core.h - DOCA Core for any machine, in one header, without a heap
 *
 * DOCA Core is the object model under every program for NVIDIA BlueField DPUs: devices, memory
 * maps, buffers, contexts, tasks, progress engines, sync events, graphs. This header implements it,
 * with the vendor's names, values and signatures, on plain structures in memory that the caller
 * provides, together with a software device that really copies and hashes. It is an independent
 * project; NVIDIA, DOCA and BlueField are trademarks of NVIDIA Corporation, which has no part in
 * it.
 *
 * DO THIS in one C (or C++) file, and include the header plainly everywhere else:
 *
 *     #define DOCA_CORE_IMPLEMENTATION
 *     #include "doca_core.h"
 *
 * THE OBJECTS
 *
 *     arena ......... memory of the caller; every object below is carved from it
 *       devinfo list    what devices exist            doca_devinfo_create_list
 *       dev             one opened device             doca_dev_open
 *         dev_rep       its view of a host function   doca_dev_rep_open
 *         sw_worker     a thread lent to it           doca_core_sw_worker_create
 *       mmap            a range devices may touch     doca_mmap_create
 *       dpdk mempool    mbufs of DPDK, for bufs       doca_dpdk_mempool_create
 *       inventory, pool stock of buffer descriptors   doca_buf_inventory_create, ..._pool_create
 *         buf           a window on one mmap; bufs chain into lists
 *       dma (a ctx)     an engine: copies             doca_dma_create
 *       sha (a ctx)     an engine: hashes             doca_sha_create
 *       mmap_advise (a ctx)   drops what caches hold  doca_mmap_advise_create
 *       sync_event      a value to wait for; may be a ctx   doca_sync_event_create
 *         task          one unit of work              doca_dma_task_memcpy_alloc_init
 *         batch         tasks that go together        doca_core_task_batch_alloc_init
 *       pe              the loop that finishes it     doca_pe_create
 *       graph           tasks and functions in order  doca_graph_create
 *         node          a step of it                  doca_graph_node_create_from_ctx
 *         instance      one run of all its steps      doca_graph_instance_create
 *
 *     caller's memory -> mmap -> buf(head, data, len) -> task(src, dst) -> submit -> device queue
 *     application callback <- doca_pe_progress <- completion <- device queue
 *
 * A COMPLETE PROGRAM (the same text stands in the README, from where the tests build it)
 *
 *     #define DOCA_CORE_IMPLEMENTATION
 *     #include "doca_core.h"
 *     #include <stdio.h>
 *
 *     static char memory[64] = "copied by a DMA engine";
 *
 *     static void done(struct doca_dma_task_memcpy *task, union doca_data text,
 *                      union doca_data unused)
 *     {
 *         (void)unused;
 *         printf("%s: %s\n", (char *)text.ptr,
 *                doca_error_get_name(doca_task_get_status(doca_dma_task_memcpy_as_task(task))));
 *         doca_task_free(doca_dma_task_memcpy_as_task(task));
 *     }
 *
 *     int main(void)
 *     {
 *         struct doca_devinfo **list;      struct doca_dev *dev; struct doca_mmap *map;
 *         struct doca_buf_inventory *inv;  struct doca_buf *src, *dst;
 *         struct doca_pe *pe;              struct doca_dma *dma;
 *         struct doca_dma_task_memcpy *task;
 *         union doca_data text = { memory + 32 };
 *         uint32_t num;
 *
 *         if (doca_devinfo_create_list(&list, &num) || doca_dev_open(list[0], &dev) ||
 *             doca_devinfo_destroy_list(list) || doca_mmap_create(&map) ||
 *             doca_mmap_set_memrange(map, memory, sizeof(memory)) || doca_mmap_add_dev(map, dev) ||
 *             doca_mmap_start(map) || doca_buf_inventory_create(2, &inv) ||
 *             doca_buf_inventory_start(inv) ||
 *             doca_buf_inventory_buf_get_by_data(inv, map, memory, 32, &src) ||
 *             doca_buf_inventory_buf_get_by_addr(inv, map, memory + 32, 32, &dst) ||
 *             doca_pe_create(&pe) || doca_dma_create(dev, &dma) ||
 *             doca_pe_connect_ctx(pe, doca_dma_as_ctx(dma)) ||
 *             doca_dma_task_memcpy_set_conf(dma, done, done, 1) ||
 *             doca_ctx_start(doca_dma_as_ctx(dma)) ||
 *             doca_dma_task_memcpy_alloc_init(dma, src, dst, text, &task) ||
 *             doca_task_submit(doca_dma_task_memcpy_as_task(task)))
 *             return printf("%s\n", doca_core_last_error()), 1;
 *         while (doca_pe_progress(pe))
 *             continue;
 *         return doca_dma_destroy(dma) || doca_pe_destroy(pe) ||
 *                doca_buf_dec_refcount(src, NULL) || doca_buf_dec_refcount(dst, NULL) ||
 *                doca_buf_inventory_destroy(inv) || doca_mmap_destroy(map) || doca_dev_close(dev);
 *     }
 *
 * MEMORY. No call here reaches a heap, before or after start: `tools/check_symbols` proves it on
 * the compiled code. A created object draws from its parent's arena, else from the bound arena
 * (doca_core_arena_bind), else from a static one of DOCA_CORE_DEFAULT_ARENA_BYTES, which costs no
 * memory until it is touched. Start takes what the configuration needs; nothing is taken after it.
 * DOCA_CORE_BYTES_X(n) says, as a constant expression, what n objects cost; doca_core_bytes_x()
 * says the same at run time. Exhaustion is DOCA_ERROR_NO_MEMORY and leaves nothing half-made.
 *
 * THREADS. Device lists, devices, representors, arenas, the log and the settings of >>sw may be
 * used from any thread at any time. Every other object belongs to one thread at a time, and a
 * context or graph shares the thread of its PE; only the value of a sync event is for any thread,
 * and for other processes. The library starts no thread: the software device works inside
 * doca_pe_progress(), or in threads that the program lends it (doca_core_sw_worker_run). A child of
 * fork() has copies of the objects, but shares what the system keeps of them: it leaves inherited
 * PEs with a handle, shared sync events, and workers with what they serve, alone, and makes its
 * own.
 *
 * ERRORS. Every fallible call returns doca_error_t; outputs are untouched on failure. The reason of
 * the latest failure is text: doca_core_last_error(). Misuse is also logged (doca_core_log_*), by
 * default to standard error. Bad input never crashes and never half-applies: NULL, a handle of the
 * wrong kind or of a destroyed object is INVALID_VALUE. A destroy that finds its block's header
 * overwritten gives UNEXPECTED, and the block stays taken. Each ledger below lists only what is
 * particular to its call.
 *
 * COMPILE-TIME MACROS are documented and given their defaults in >>config.
 *
 * DIFFERS FROM THE VENDOR'S LIBRARY
 *   - get_by_args and set_data refuse a data section outside the buffer (vendor: undefined).
 *   - doca_task_submit refuses NULL buffers; every other check is the device's, as on hardware.
 *   - doca_task_free on a task in flight, or twice, is logged and ignored (vendor: undefined).
 *   - A context's state callback runs in doca_pe_progress only, never inside start or stop; by
 *     then the context may have moved on, and further changes follow.
 *   - A device opened from an ibv_pd may be added to an mmap (of the vendor's two documents, one
 *     forbids it and one says that it is the purpose).
 *   - A sync event with a location on the DPU or remote net reaches processes of this machine; once
 *     the exporter has gone, importers that wait or update get CONNECTION_RESET.
 *   - There is one header; doca_dma.h, doca_pe.h and so on are names of it (see the README).
 *   - An imported mmap reaches the exporter's process on the same machine, for PCI as for RDMA.
 *   - A task submitted without FLUSH stays with its context until a flush (vendor: may stay).
 *   - Batches of tasks are made by doca_core_ calls, of any kind of tasks (vendor: by the network
 *     queues, of theirs).
 *   - Not offered yet, answering DOCA_ERROR_NOT_SUPPORTED: data paths and sync events on DPA and
 *     GPU. Buffer arrays there are offered where a backend serves them.
 *
 * CONTENTS (search for the tag)
 *   API             >>config >>types >>error >>log >>check >>arena >>device >>rep >>mmap >>buf
 *                   >>inventory >>pool >>buf_array >>task >>ctx >>pe >>batch >>dma >>sha
 *                   >>mmap_advise >>sync_event >>graph >>bridge >>sw >>backend >>hot >>hot.task
 *   Implementation  >>impl.platform >>impl.system >>impl.object >>impl.error >>impl.log
 *                   >>impl.check >>impl.arena >>impl.device >>impl.rep >>impl.export >>impl.mmap
 *                   >>impl.mmap_export >>impl.mmap_dev >>impl.buf >>impl.inventory >>impl.pool
 *                   >>impl.buf_array >>impl.task >>impl.ctx >>impl.pe >>impl.batch >>impl.dma
 *                   >>impl.sha >>impl.sync_shared >>impl.sync_task >>impl.sync_wait
 *                   >>impl.sync_dev >>impl.sync_event >>impl.sync_value >>impl.sync_net
 *                   >>impl.graph.run >>impl.graph >>impl.bridge
 *                   >>impl.backend >>impl.sw.text >>impl.sw.topology >>impl.sw.sha >>impl.sw.simd
 *                   >>impl.sw.lanes >>impl.sw >>impl.sw.hash >>impl.sw.worker >>impl.sw.served
 *                   >>impl.sw.table >>impl.mmap_advise
 */
#ifndef DOCA_CORE_H
#define DOCA_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- >>config -------------------------------------------------------------------------------
 * Every knob of the header. Define it before the include, with the same value in every file.   */

#define DOCA_CORE_VERSION_MAJOR 0
#define DOCA_CORE_VERSION_MINOR 1
#define DOCA_CORE_VERSION_PATCH 0

/* DOCA API version whose signatures are declared: 20501 or, for 3.x, 30000. Both have all names of
 * either version. What changed its parameters is two functions, and 30000 gives the vendor's name
 * to the later one: by a macro without parameters, at the end of this file, so that a program can
 * take the address. Code of both versions links with one implementation, whatever it was built
 * with. */
#ifndef DOCA_CORE_API
#define DOCA_CORE_API 20501
#endif

/* 0: the contract on the control path, memory safety on the data path. 1: also that every handle
 * is alive and of its kind, one compare per call. 2: the checked mode, for development: all of
 * >>check. */
#ifndef DOCA_CORE_CHECK
#define DOCA_CORE_CHECK 1
#endif

/* What the checked mode remembers: the latest so many things that happened to all objects; a power
 * of two. 32 bytes each, static. */
#ifndef DOCA_CORE_CHECK_NOTES
#define DOCA_CORE_CHECK_NOTES 16384
#endif

/* Bytes of the static arena that serves when none is bound. 0 removes it. Untouched pages of it
 * cost nothing. The default carries 4,098 mmaps and several contexts of 4,096 tasks. */
#ifndef DOCA_CORE_DEFAULT_ARENA_BYTES
#define DOCA_CORE_DEFAULT_ARENA_BYTES (64u << 20)
#endif

/* Devices an mmap can hold before doca_mmap_set_max_num_devices(), as a plain decimal number; 16
 * bytes of each mmap per device. More than this takes a second block from the arena. */
#ifndef DOCA_CORE_MMAP_DEVS
#define DOCA_CORE_MMAP_DEVS 4
#endif

/* Devices open at one time in the process, 1 to 64. */
#ifndef DOCA_CORE_MAX_DEVS
#define DOCA_CORE_MAX_DEVS 32
#endif

/* Backends registered at one time, the software device included. */
#ifndef DOCA_CORE_MAX_BACKENDS
#define DOCA_CORE_MAX_BACKENDS 4
#endif

/* Devices the software topology can hold, those of both sides together; about a kilobyte of static
 * memory for each, untouched until a device list is made. */
#ifndef DOCA_CORE_SW_MAX_DEVS
#define DOCA_CORE_SW_MAX_DEVS 64
#endif

/* DOCA_ARCH_DPU, DOCA_ARCH_HOST
 *                         the vendor's; where one of them is defined for the implementation, the
 *                         process is on that side of the software topology (see >>sw; DPU wins).
 * DOCA_CORE_PROCESS_SIDE  where neither is, an expression of an enum doca_core_side; default BOTH.
 *                         For an implementation that is compiled before the program is known. */

/* DOCA_CORE_FREESTANDING  no operating system: no <string.h> (the four mem functions must link),
 *                         no notification handle, no default log sink, no environment, no
 *                         addresses of interfaces. Hosted systems other than Linux lack these
 *                         four as well.
 * DOCA_CORE_DPDK          the DPDK half of >>bridge is real: the implementation includes DPDK's
 *                         headers, 22.11 or later, which want GNU C, and the program links libdpdk.
 * DOCA_CORE_SINGLE_THREAD plain loads and stores instead of atomics.
 * DOCA_CORE_NO_SIMD       the software device hashes in plain C, where it otherwise uses the vector
 *                         and SHA instructions of the CPU it finds itself on (x86-64, AArch64;
 *                         never when freestanding, where vector registers may not be the
 *                         program's).
 * DOCA_CORE_NO_LOG        leaves the reason texts out; the names of the items stand for them.
 * DOCA_CORE_NO_INLINE     calls of the data path stay calls. Otherwise GNU compilers that optimise
 *                         inline them, by macros that rename the calls of >>hot to functions of the
 *                         header; a program linked with an implementation of another version must
 *                         not have that.
 * DOCA_CORE_STATIC        every function is static to the file that includes the header, which then
 *                         has devices, bound arena and default arena of its own.
 * DOCA_CORE_THREAD_LOCAL  storage class of the last-error record; may be empty.
 * DOCA_CORE_RELAX()       what a thread does while it waits for a lock of another one, and between
 *                         the looks of doca_sync_event_wait_gt(); default nothing. Real-time
 *                         threads on one core want a yield here.
 * DOCA_CORE_MEMCPY, DOCA_CORE_MEMMOVE, DOCA_CORE_MEMSET, DOCA_CORE_MEMCMP
 *                         replace the C library's functions. */

#if DOCA_CORE_MAX_DEVS < 1 || DOCA_CORE_MAX_DEVS > 64
#error "DOCA_CORE_MAX_DEVS is 1 to 64: an mmap keeps its devices as bits of one 64-bit word"
#endif
#if (DOCA_CORE_DEFAULT_ARENA_BYTES) != 0 && (DOCA_CORE_DEFAULT_ARENA_BYTES) < 128
#error "DOCA_CORE_DEFAULT_ARENA_BYTES is 0, or at least two lines"
#endif
#if DOCA_CORE_MMAP_DEVS < 1 || DOCA_CORE_MAX_BACKENDS < 1
#error "DOCA_CORE_MMAP_DEVS and DOCA_CORE_MAX_BACKENDS are at least 1"
#endif
#if DOCA_CORE_SW_MAX_DEVS < 9
#error "DOCA_CORE_SW_MAX_DEVS is at least 9: the default topology has so many"
#endif
#if DOCA_CORE_CHECK < 0 || DOCA_CORE_CHECK > 2
#error "DOCA_CORE_CHECK is 0, 1 or 2"
#endif
#if DOCA_CORE_CHECK_NOTES < 1 || (DOCA_CORE_CHECK_NOTES & (DOCA_CORE_CHECK_NOTES - 1)) != 0
#error "DOCA_CORE_CHECK_NOTES is a power of two"
#endif
#if DOCA_CORE_API != 20501 && DOCA_CORE_API != 30000
#error "DOCA_CORE_API is 20501 or 30000"
#endif

#define DOCA_CORE_LINE 64 /* bytes of a cache line: the unit and alignment of the arena */

#if defined(__GNUC__) && !defined(__TINYC__) /* clang says so too */
#define DOCA_CORE_ALIGNED __attribute__((aligned(DOCA_CORE_LINE)))
#define DOCA_PRIV_ALIGNED_8 __attribute__((aligned(8))) /* where 64-bit words have less */
#define DOCA_CORE_UNUSED __attribute__((unused))
#elif defined(__cplusplus)
#define DOCA_CORE_ALIGNED alignas(DOCA_CORE_LINE)
#define DOCA_PRIV_ALIGNED_8
#define DOCA_CORE_UNUSED
#else
#define DOCA_CORE_ALIGNED _Alignas(DOCA_CORE_LINE)
#define DOCA_PRIV_ALIGNED_8
#define DOCA_CORE_UNUSED
#endif

#ifdef DOCA_CORE_STATIC
#define DOCA_CORE_DECL static DOCA_CORE_UNUSED
#else
#define DOCA_CORE_DECL extern
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Files that disagree about the size of struct doca_mmap must not link: each refers to a symbol
 * named after it, which the implementation defines. */
#define DOCA_PRIV_PASTE(a, b) a##b
#define DOCA_PRIV_ABI_NAMED(num_devs) DOCA_PRIV_PASTE(doca_core_mmap_devs_is_, num_devs)
#define DOCA_PRIV_ABI DOCA_PRIV_ABI_NAMED(DOCA_CORE_MMAP_DEVS)
#if defined(__GNUC__) && !defined(__TINYC__) && !defined(DOCA_CORE_STATIC)
extern const char DOCA_PRIV_ABI;
static const char *const doca_priv_abi __attribute__((used)) = &DOCA_PRIV_ABI;
#endif

/* ---- >>types --------------------------------------------------------------------------------
 * Scalars, flags and unions shared by all modules.
 * Source: DOCA Core Programming Guide, "Generic Structures/Enum"; API reference, "DOCA Types".  */

#define DOCA_GID_BYTE_LENGTH 16

typedef uint16_t doca_be16_t; /* big-endian in memory */
typedef uint32_t doca_be32_t;
typedef uint64_t doca_be64_t;

typedef int doca_event_handle_t; /* a file descriptor */
#define doca_event_invalid_handle (-1)
typedef doca_event_handle_t doca_notification_handle_t;

/* A word of the program's own, carried along and handed back. */
union doca_data {
    void *ptr;
    uint64_t u64;
};

struct doca_gather_list {
    void *addr;
    uint64_t len; /* bytes */
    struct doca_gather_list *next;
};

/* Who may do what with the memory of an mmap; a bit mask. */
enum doca_access_flag {
    DOCA_ACCESS_FLAG_LOCAL_READ_ONLY = 0,
    DOCA_ACCESS_FLAG_LOCAL_READ_WRITE = 1 << 0,
    DOCA_ACCESS_FLAG_RDMA_READ = 1 << 1,
    DOCA_ACCESS_FLAG_RDMA_WRITE = 1 << 2,
    DOCA_ACCESS_FLAG_RDMA_ATOMIC = 1 << 3,
    DOCA_ACCESS_FLAG_PCI_READ_ONLY = 1 << 4, /* excludes PCI_READ_WRITE */
    DOCA_ACCESS_FLAG_PCI_READ_WRITE = 1 << 5,
    DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING = 1 << 6,

    /* the guide's spelling of the same values */
    DOCA_ACCESS_LOCAL_READ_ONLY = DOCA_ACCESS_FLAG_LOCAL_READ_ONLY,
    DOCA_ACCESS_LOCAL_READ_WRITE = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE,
    DOCA_ACCESS_RDMA_READ = DOCA_ACCESS_FLAG_RDMA_READ,
    DOCA_ACCESS_RDMA_WRITE = DOCA_ACCESS_FLAG_RDMA_WRITE,
    DOCA_ACCESS_RDMA_ATOMIC = DOCA_ACCESS_FLAG_RDMA_ATOMIC,
    DOCA_ACCESS_DPU_READ_ONLY = DOCA_ACCESS_FLAG_PCI_READ_ONLY,
    DOCA_ACCESS_DPU_READ_WRITE = DOCA_ACCESS_FLAG_PCI_READ_WRITE
};

enum doca_pci_func_type {
    DOCA_PCI_FUNC_TYPE_PF = 0,
    DOCA_PCI_FUNC_TYPE_VF = 1,
    DOCA_PCI_FUNC_TYPE_SF = 2,

    DOCA_PCI_FUNC_PF = DOCA_PCI_FUNC_TYPE_PF,
    DOCA_PCI_FUNC_VF = DOCA_PCI_FUNC_TYPE_VF,
    DOCA_PCI_FUNC_SF = DOCA_PCI_FUNC_TYPE_SF
};

enum doca_gpu_mem_type {
    DOCA_GPU_MEM_TYPE_GPU = 0,
    DOCA_GPU_MEM_TYPE_GPU_CPU = 1,
    DOCA_GPU_MEM_TYPE_CPU_GPU = 2
};

enum doca_eth_wait_on_time_type {
    DOCA_ETH_WAIT_ON_TIME_TYPE_NONE = 0,
    DOCA_ETH_WAIT_ON_TIME_TYPE_NATIVE = 1,
    DOCA_ETH_WAIT_ON_TIME_TYPE_DPDK = 2
};

enum doca_mtu_size {
    DOCA_MTU_SIZE_256_BYTES = 0x0,
    DOCA_MTU_SIZE_512_BYTES = 0x1,
    DOCA_MTU_SIZE_1K_BYTES = 0x2,
    DOCA_MTU_SIZE_2K_BYTES = 0x3,
    DOCA_MTU_SIZE_4K_BYTES = 0x4,
    DOCA_MTU_SIZE_RAW_ETHERNET = 0x5
};

struct doca_buf;
struct doca_buf_arr;
struct doca_buf_inventory;
struct doca_buf_pool;
struct doca_ctx;
struct doca_dev;
struct doca_dev_rep;
struct doca_devinfo;
struct doca_devinfo_rep;
struct doca_dma;
struct doca_dma_task_memcpy;
struct doca_dpa;
struct doca_dpa_dev_buf_arr;
struct doca_dpdk_mempool;
struct doca_gpu;
struct doca_gpu_buf_arr;
struct doca_gpu_dma;
struct doca_graph;
struct doca_graph_instance;
struct doca_graph_node;
struct doca_mmap;
struct doca_mmap_advise;
struct doca_mmap_advise_task_invalidate_cache;
struct doca_pe;
struct doca_sha;
struct doca_sha_task_hash;
struct doca_sha_task_partial_hash;
struct doca_sync_event;
struct doca_sync_event_remote_net;
struct doca_sync_event_task_get;
struct doca_sync_event_task_notify_add;
struct doca_sync_event_task_notify_set;
struct doca_sync_event_task_wait_eq;
struct doca_sync_event_task_wait_gt;
struct doca_sync_event_task_wait_neq;
struct doca_task;
struct doca_task_batch;
struct doca_core_arena;
struct doca_core_backend;
struct doca_core_queue;
struct ibv_pd;      /* of libibverbs: handed through, never looked into */
struct rte_mbuf;    /* of DPDK */
struct rte_mempool;

/* First member of every object of ours: what it is, where it stands in its life, and whether it
 * is alive, in one word. Private, as are the members of all structures below without a ledger. */
struct doca_priv_object {
    uint8_t kind;
    uint8_t state;
    uint16_t guard;
    uint32_t owner; /* 0: the program; or DOCA_PRIV_OF_* */
};

/* ---- >>error --------------------------------------------------------------------------------
 * One list gives the codes, their names and their texts.
 * Source: DOCA Core Programming Guide, "Generic"; API reference, "DOCA Error".                  */

/* X(name without prefix, value, meaning) */
#define DOCA_CORE_ERRORS(X)                                                                        \
    X(ERROR_UNKNOWN, 1, "failure without a known cause")                                           \
    X(ERROR_NOT_PERMITTED, 2, "not allowed for this object or by its permissions")                 \
    X(ERROR_IN_USE, 3, "still in use by something else")                                           \
    X(ERROR_NOT_SUPPORTED, 4, "not offered by this device or build")                               \
    X(ERROR_AGAIN, 5, "no room or nothing there at the moment, try later")                         \
    X(ERROR_INVALID_VALUE, 6, "an argument is invalid")                                            \
    X(ERROR_NO_MEMORY, 7, "the stock or the arena it comes from is exhausted")                     \
    X(ERROR_INITIALIZATION, 8, "a resource could not be set up")                                   \
    X(ERROR_TIME_OUT, 9, "time ran out")                                                           \
    X(ERROR_SHUTDOWN, 10, "ended early because its context stopped")                               \
    X(ERROR_CONNECTION_RESET, 11, "the peer reset the connection")                                 \
    X(ERROR_CONNECTION_ABORTED, 12, "the connection was given up")                                 \
    X(ERROR_CONNECTION_INPROGRESS, 13, "the connection is being set up")                           \
    X(ERROR_NOT_CONNECTED, 14, "not connected")                                                    \
    X(ERROR_NO_LOCK, 15, "a lock could not be taken")                                              \
    X(ERROR_NOT_FOUND, 16, "nothing matches")                                                      \
    X(ERROR_IO_FAILED, 17, "the device could not do the work")                                     \
    X(ERROR_BAD_STATE, 18, "the object is in the wrong state for this call")                       \
    X(ERROR_UNSUPPORTED_VERSION, 19, "the version is not supported")                               \
    X(ERROR_OPERATING_SYSTEM, 20, "a system call failed")                                          \
    X(ERROR_DRIVER, 21, "the device driver failed")                                                \
    X(ERROR_UNEXPECTED, 22, "an internal rule was found broken")                                   \
    X(ERROR_ALREADY_EXIST, 23, "it exists already")                                                \
    X(ERROR_FULL, 24, "no more room")                                                              \
    X(ERROR_EMPTY, 25, "nothing left to take")                                                     \
    X(ERROR_IN_PROGRESS, 26, "begun, the end is reported later")                                   \
    X(ERROR_TOO_BIG, 27, "larger than the limit")                                                  \
    X(ERROR_AUTHENTICATION, 28, "authentication failed")                                           \
    X(ERROR_BAD_CONFIG, 29, "the configuration is invalid")                                        \
    X(ERROR_SKIPPED, 30, "left out on purpose")                                                    \
    X(ERROR_DEVICE_FATAL_ERROR, 31, "the device broke down and must be reset")

/* NVIDIA's GPUNetIO brings the same enum under this guard; a program may see both, in any order. */
#ifndef DOCA_ERROR_H
#define DOCA_ERROR_H
#define DOCA_PRIV_ERROR_ENUM(name, value, text) DOCA_##name = value,
typedef enum doca_error {
    DOCA_SUCCESS = 0,
    /* 28 to 31 belong to later API versions; nothing declared here returns them */
    DOCA_CORE_ERRORS(DOCA_PRIV_ERROR_ENUM)
} doca_error_t;
#undef DOCA_PRIV_ERROR_ENUM
#endif

#if defined(__GNUC__) || defined(__clang__)
#define doca_likely(x) __builtin_expect(!!(x), 1)
#define doca_unlikely(x) __builtin_expect(!!(x), 0)
#else
#define doca_likely(x) (x)
#define doca_unlikely(x) (x)
#endif

/* Keep the first error: sets `r` to `t` only while `r` is DOCA_SUCCESS. */
#define DOCA_ERROR_PROPAGATE(r, t)                                                                 \
    do {                                                                                           \
        if ((r) == DOCA_SUCCESS)                                                                   \
            (r) = (t);                                                                             \
    } while (0)

#define DOCA_IS_ERROR(r) doca_unlikely((r) != DOCA_SUCCESS)

/* Say what `error` means, as one sentence. Never NULL; a code without meaning gives
 * "unrecognized error code".   Threads any */
DOCA_CORE_DECL const char *doca_error_get_descr(doca_error_t error);

/* Give the enumerator of `error` as text, "DOCA_ERROR_BAD_STATE" for instance. Never NULL; a code
 * without enumerator gives "unrecognized error code".   Threads any */
DOCA_CORE_DECL const char *doca_error_get_name(doca_error_t error);

/* ---- >>log ----------------------------------------------------------------------------------
 * Each failure names an item of the list below. The thread's latest one can be read as a sentence;
 * items at or above the chosen level also go, as one line, to a sink of the program's choice.
 *     doca_core: doca_mmap_set_memrange: mmap 0x5581c0 (started): is started [BAD_STATE]
 * Levels: misuse is ERROR, a task the device refused WARNING, an ordinary "no" (a stock used up, a
 * capability absent, a stop that takes time) DEBUG.                                             */

#define DOCA_CORE_LOG_DISABLE 10u
#define DOCA_CORE_LOG_CRIT 20u
#define DOCA_CORE_LOG_ERROR 30u
#define DOCA_CORE_LOG_WARNING 40u
#define DOCA_CORE_LOG_INFO 50u
#define DOCA_CORE_LOG_DEBUG 60u

/* X(item, level, text) */
#define DOCA_CORE_ITEMS(X)                                                                         \
    X(NONE, DEBUG, "no failure so far")                                                            \
    X(NULL_ARGUMENT, ERROR, "an argument is NULL")                                                 \
    X(DEAD_HANDLE, ERROR, "not a live object of this kind")                                        \
    X(ZERO, ERROR, "must be at least 1")                                                           \
    X(ARENA_MISALIGNED, ERROR, "memory must start on a cache line (DOCA_CORE_ALIGNED)")            \
    X(ARENA_TOO_SMALL, ERROR, "memory is too small for a single block")                            \
    X(ARENA_TOO_LARGE, ERROR, "a block of this size is beyond what an arena can describe")         \
    X(ARENA_EXHAUSTED, INFO, "no free block is large enough")                                      \
    X(ARENA_FOREIGN, ERROR, "not a block of this arena")                                           \
    X(ARENA_GIVEN_TWICE, ERROR, "the block was given back already")                                \
    X(ARENA_BROKEN, CRIT, "block headers were overwritten")                                        \
    X(LOG_LEVEL, ERROR, "not a log level (10, 20 ... 60)")                                         \
    X(TEXT_TOO_SHORT, ERROR, "the buffer is smaller than the documented size")                     \
    X(PCI_ADDR_MALFORMED, ERROR, "a PCI address reads DDDD:BB:DD.F or BB:DD.F")                    \
    X(DEV_NONE, INFO, "no device exists, or none on the chosen side")                              \
    X(DEV_TOO_MANY, ERROR, "more devices are open than DOCA_CORE_MAX_DEVS")                        \
    X(DEV_BUSY, ERROR, "mmaps, contexts or representors still use the device")                     \
    X(DEV_NO_LID, DEBUG, "the port is not InfiniBand, it has no LID")                              \
    X(DEV_NO_MAC, DEBUG, "the port is not Ethernet, it has no MAC address")                        \
    X(DEV_NO_ADDRESS, INFO, "the interface has no address of this family")                         \
    X(DEV_NO_DMA, DEBUG, "the device has no copy engine")                                          \
    X(DEV_NO_SHA, DEBUG, "the device has no hash engine")                                          \
    X(DEV_NO_SYNC_EVENT, DEBUG, "the device has no sync events")                                   \
    X(DEV_NO_RATE, INFO, "the rate of the port is not known")                                      \
    X(DEV_NO_SF, DEBUG, "the function is no sub function")                                         \
    X(DEV_NO_VHCA_ID, DEBUG, "the number of the function on its card is not known")                \
    X(DEV_NO_RECLAIM, INFO, "the device has no quicker way to give resources back")                \
    X(DEV_NO_REPRESENTORS, INFO, "the device has no representors")                                 \
    X(DEV_FROM_PD, DEBUG, "the device was opened from a PD")                                       \
    X(DEV_NO_PD, INFO, "no PD can be had from the device")                                         \
    X(DEV_OWN_PD, ERROR, "the PD is that of a device which was opened without one")                \
    X(REP_NO_PCI_ADDR, DEBUG, "the function's PCI address is not known on this side")              \
    X(REP_FILTER_UNKNOWN, ERROR, "unknown representor filter")                                     \
    X(REP_FILTER_OFF, INFO, "the device cannot list representors by this filter")                  \
    X(REP_DEV_CLOSED, ERROR, "the device that has the representor is not open")                    \
    X(BACKEND_INCOMPLETE, ERROR, "the backend lacks a required operation")                         \
    X(BACKEND_TOO_MANY, ERROR, "more backends than DOCA_CORE_MAX_BACKENDS")                        \
    X(BACKEND_EXISTS, ERROR, "a backend of this name is registered")                               \
    X(BACKEND_UNKNOWN, ERROR, "no backend of this name is registered")                             \
    X(BACKEND_BUSY, ERROR, "devices of the backend are open")                                      \
    X(BACKEND_QUEUE, ERROR, "the backend asks for less memory than a queue has")                   \
    X(BACKEND_REFUSED, ERROR, "the backend refused")                                               \
    X(SW_TOO_MANY, ERROR, "more devices than DOCA_CORE_SW_MAX_DEVS")                               \
    X(SW_NAME_OPEN, ERROR, "a device name is not NUL-terminated")                                  \
    X(SW_ADDRESS_TWICE, ERROR, "two devices of a side share a PCI address, unlike named SFs")     \
    X(SW_VUID_TWICE, ERROR, "two functions have one VUID")                                         \
    X(SW_ATTR, ERROR, "side, function type, port, filter or flag is none of the known ones")       \
    X(SW_REP_FILTERS, ERROR, "a device of the host, or an SF, has no representors")                \
    X(SW_REP_DEV, ERROR, "rep_dev (rep=) is not the address of a device with representors")        \
    X(SW_LIMITS, ERROR, "a device with an engine needs limits of at least 1 for it")               \
    X(SW_PCI_ADDR, ERROR, "not a PCI address: DDDD:BB:DD.F, in texts also BB:DD.F, lower case")    \
    X(SW_UNKNOWN_PROFILE, ERROR, "no such profile: unlimited, bluefield2, bluefield3, connectx7")  \
    X(SW_UNKNOWN_SIDE, ERROR, "no such side: both, dpu, host")                                     \
    X(SW_TEXT_KEY, ERROR, "not a key=value that a function can have")                              \
    X(SW_TEXT_TWICE, ERROR, "the function has this key already")                                   \
    X(SW_WORKER_DEV, INFO, "workers are for devices of the software backend")                      \
    X(SW_WORKER_FULL, ERROR, "the device has DOCA_CORE_SW_MAX_WORKERS workers")                    \
    X(SW_WORKER_RUNS, ERROR, "a thread is in doca_core_sw_worker_run()")                           \
    X(SW_WORKER_BUSY, ERROR, "contexts that the worker serves are not idle")                       \
    X(SW_WORKER_DST, WARNING, "the destination changed while a worker had the task")               \
    X(SW_TEXT_VALUE, ERROR, "the key cannot have this value")                                      \
    X(MMAP_STARTED, ERROR, "not possible while started")                                           \
    X(MMAP_NOT_STARTED, ERROR, "the mmap is not started")                                          \
    X(MMAP_RANGE_SET, ERROR, "a memory range is set already")                                      \
    X(MMAP_NO_RANGE, ERROR, "no memory range is set")                                              \
    X(MMAP_RANGE_WRAPS, ERROR, "address + length goes past the end of memory")                     \
    X(MMAP_RANGE_OUTSIDE, ERROR, "the range is not inside the memory map")                         \
    X(MMAP_ACCESS_UNKNOWN, ERROR, "unknown access flag")                                           \
    X(MMAP_ACCESS_CONFLICT, ERROR, "PCI_READ_ONLY and PCI_READ_WRITE exclude each other")          \
    X(MMAP_DEV_TWICE, ERROR, "the device is in the mmap already")                                  \
    X(MMAP_DEV_FULL, ERROR, "the mmap holds max_num_devices devices")                              \
    X(MMAP_DEV_MISSING, ERROR, "the device is not in the mmap")                                    \
    X(MMAP_DEVS_FIXED, ERROR, "max_num_devices is fixed by the first start")                       \
    X(MMAP_DEVS_FEWER, ERROR, "more devices than that are in the mmap")                            \
    X(MMAP_HAS_BUFS, ERROR, "buffers still point into the mmap")                                   \
    X(MMAP_IMPORTED, ERROR, "not possible with an imported mmap")                                  \
    X(MMAP_EXPORTED, ERROR, "the mmap is exported, and started therefore")                         \
    X(MMAP_ACCESS_LACKS, ERROR, "no permission of the mmap allows such an export")                 \
    X(MMAP_DMABUF_EXPORT, INFO, "the memory of a dmabuf cannot be exported")                       \
    X(MMAP_DMABUF_MAP, ERROR, "the dmabuf has no such part, or the kernel does not map it")        \
    X(MMAP_NO_DPA, INFO, "memory maps on DPA are not offered")                                     \
    X(DEV_NO_DMABUF, INFO, "the device takes no dmabufs")                                          \
    X(DEV_NO_MEMORY, INFO, "the device has no memory of its own to give")                          \
    X(MMAP_ON_DEV, ERROR, "not possible with an mmap of a device's own memory")                    \
    X(MMAP_NOT_ON_DEV, ERROR, "not an mmap of a device's own memory")                              \
    X(MMAP_OUTSIDE, ERROR, "not inside the mmap")                                                  \
    X(DEV_NO_EXPORT, INFO, "not an export, or import, of mmaps that the device offers")            \
    X(EXPORT_LENGTH, ERROR, "the descriptor is cut short, or longer than it says")                 \
    X(EXPORT_FOREIGN, ERROR, "not a descriptor of this library")                                   \
    X(EXPORT_VERSION, ERROR, "the descriptor is of another version or word size")                  \
    X(EXPORT_KIND, ERROR, "the descriptor is of another kind of object")                           \
    X(EXPORT_DAMAGED, ERROR, "the descriptor was changed on its way")                              \
    X(EXPORT_BACKEND, ERROR, "the descriptor is of a device of another kind")                      \
    X(EXPORT_MACHINE, ERROR, "the descriptor is of another machine, boot or pid namespace")        \
    X(EXPORT_SYSTEM, ERROR, "no file descriptor to be had to tell this machine by")                \
    X(EXPORTER_GONE, WARNING, "the exporting process has ended")                                   \
    X(EXPORTER_STOPPED, WARNING, "the exporter stopped or destroyed what it exported")             \
    X(EXPORTER_MEMORY, WARNING, "the exporter's memory is no longer there, or not writable")       \
    X(EXPORTER_GUARDED, WARNING,                                                                   \
      "the kernel refuses the exporter's memory: run both as one user and with ptrace_scope 0 or " \
      "DOCA_CORE_SW_PTRACER=any there, or give CAP_SYS_PTRACE here")                               \
    X(EXPORTER_KERNEL, WARNING, "the kernel offers no access to other processes, or no memory")    \
    X(BUF_RETURNED, ERROR, "the buffer was returned to its stock")                                 \
    X(BUF_NOT_HEAD, ERROR, "the buffer is not the head of its list")                               \
    X(BUF_SHARED, ERROR, "the head of the second list has a refcount other than 1")                \
    X(BUF_REFCOUNT_MAX, ERROR, "the refcount is at 65535")                                         \
    X(BUF_SAME_LIST, ERROR, "a list cannot be chained to itself")                                  \
    X(BUF_NOT_IN_LIST, ERROR, "the second buffer is not behind the first in one list")             \
    X(BUF_BROKEN, CRIT, "a descriptor of the list was overwritten")                                \
    X(BUF_DATA_OUTSIDE, ERROR, "the data section is not inside the buffer")                        \
    X(BUF_NO_KEY, INFO, "the device has no memory key for the mmap")                               \
    X(STOCK_STARTED, ERROR, "not possible while started")                                          \
    X(STOCK_NOT_STARTED, ERROR, "is not started")                                                  \
    X(STOCK_EMPTY, DEBUG, "all elements are in use")                                               \
    X(STOCK_OUTSTANDING, ERROR, "buffers have not been returned")                                  \
    X(STOCK_TOO_MANY, ERROR, "more elements than it can have")                                     \
    X(STOCK_FAR, ERROR, "what the arena has is too far from the other elements")                   \
    X(POOL_ALIGNMENT, ERROR, "an alignment is a power of two")                                     \
    X(POOL_RANGE_SHORT, ERROR, "the mmap is too small for this many aligned elements")             \
    X(ARRAY_NO_PARAMS, ERROR, "size and number of the elements are not set")                       \
    X(ARRAY_NO_TARGET, INFO, "no backend, or no device of the mmap, serves this processor")        \
    X(TASK_NOT_OWNED, ERROR, "the task is not the program's: it is free, in flight or in a graph") \
    X(TASK_NO_BUFFER, ERROR, "source or destination is NULL")                                      \
    X(CHECK_IN_FLIGHT, ERROR, "a task in flight uses the buffer")                                  \
    X(CHECK_OVERLAP, ERROR, "another task in flight writes to the same bytes")                     \
    X(CHECK_THREAD, ERROR, "another thread is inside of the progress engine")                      \
    X(CHECK_NESTED, ERROR, "progress inside a callback of the same progress engine")               \
    X(CHECK_NO_LIFE, INFO, "nothing is remembered of it")                                          \
    X(CHECK_OFF, INFO, "only with DOCA_CORE_CHECK 2")                                              \
    X(TASK_POOL_EMPTY, DEBUG, "all tasks of this type are allocated")                              \
    X(TASK_TOO_LARGE, WARNING, "longer than the device takes in one task")                         \
    X(TASK_LIST_TOO_LONG, WARNING, "a list is longer than the device accepts")                     \
    X(TASK_NO_ROOM, WARNING, "the destination has too little room behind its data")                \
    X(TASK_READ_ONLY, WARNING, "the destination mmap gives no local write permission")             \
    X(TASK_WRITE_ONLY, WARNING, "the exporter of the source allows no reading")                    \
    X(TASK_NOT_MAPPED, WARNING, "an mmap was not started on this device")                          \
    X(TASK_RETURNED, WARNING, "a buffer was returned to its stock")                                \
    X(TASK_FLAGS, ERROR, "unknown submit flag")                                                    \
    X(BATCH_CONF, ERROR, "no such batch size, or not 1 to 255 batches")                            \
    X(BATCH_POOL_EMPTY, DEBUG, "all batches are allocated")                                        \
    X(BATCH_NOT_OWNED, ERROR, "the batch is free or in flight")                                    \
    X(BATCH_FOREIGN, ERROR, "the task is of another context")                                      \
    X(BATCH_FULL, ERROR, "the batch holds as many tasks as it can")                                \
    X(BATCH_EMPTY, ERROR, "the batch holds no task")                                               \
    X(CTX_NOT_RUNNING, ERROR, "the context is not running")                                        \
    X(CTX_NOT_IDLE, ERROR, "the context is not idle")                                              \
    X(CTX_NO_PE, ERROR, "no progress engine is connected")                                         \
    X(CTX_HAS_PE, ERROR, "a progress engine is connected already")                                 \
    X(CTX_NO_TASK_TYPE, ERROR, "no task type is configured")                                       \
    X(CTX_UNSUITABLE, ERROR, "the device lacks this engine")                                       \
    X(CTX_TOO_MANY_TASKS, ERROR, "more tasks than the device allows")                              \
    X(CTX_STOPPING, DEBUG, "the stop goes on in doca_pe_progress until all tasks are freed")       \
    X(CTX_STARTING, DEBUG, "the start goes on in doca_pe_progress")                                \
    X(CTX_BUSY, ERROR, "tasks are in flight or not freed")                                         \
    X(CTX_NO_OFFLOAD, INFO, "data paths on DPA and GPU are not offered")                           \
    X(CTX_NO_VECTOR, ERROR, "the device has no such completion vector")                            \
    X(CTX_BROKEN, WARNING, "a task failed, the context stops")                                     \
    X(CTX_DEV_FAILED, ERROR, "the device has failed, and its contexts stop")                       \
    X(CTX_EVENTS_FOLDED, WARNING, "state changes nobody collected were folded")                    \
    X(QUEUE_FULL, DEBUG, "the device queue is full")                                               \
    X(PE_CONNECTED, ERROR, "contexts are connected, or graphs exist")                              \
    X(PE_NO_NOTIFICATION, INFO, "this build has no notification handle")                           \
    X(PE_SYSTEM, ERROR, "a system call on the notification handle failed")                         \
    X(PE_ARMED_PROGRESS, WARNING, "progress between request and clear of a notification")          \
    X(PE_EVENT_MODE, ERROR, "no such event mode")                                                  \
    X(DMA_EMPTY_SOURCE, WARNING, "the source holds no data")                                       \
    X(DMA_OVERLAP, WARNING, "source and destination lists overlap")                                \
    X(SHA_ALGORITHM, ERROR, "not a hash algorithm")                                                \
    X(SHA_SESSION, ERROR, "fixed since the first segment, until reset")                            \
    X(SHA_SEGMENT, WARNING, "not the final segment, and not whole blocks")                         \
    X(SHA_ENDED, WARNING, "the session has its result, reset begins another")                      \
    X(GRAPH_STARTED, ERROR, "not possible while the graph is started")                             \
    X(GRAPH_NOT_STARTED, ERROR, "the graph is not started")                                        \
    X(GRAPH_NO_CONF, ERROR, "callbacks and number of instances are not set")                       \
    X(GRAPH_NO_CTX_NODE, ERROR, "the graph has no context node")                                   \
    X(GRAPH_CTX, ERROR, "the context of a node is not running on the PE of the graph")             \
    X(GRAPH_PE, ERROR, "the graphs are on different progress engines")                             \
    X(GRAPH_CYCLE, ERROR, "a node would wait for itself")                                          \
    X(GRAPH_FOREIGN, ERROR, "does not fit: of another graph, kind or context")                     \
    X(GRAPH_NO_DATA, ERROR, "a node has no task, or no instance of its graph")                     \
    X(GRAPH_TOO_MANY, ERROR, "more nodes than 32 bits can count")                                  \
    X(GRAPH_NO_INSTANCE, DEBUG, "all instances exist")                                             \
    X(GRAPH_HAS_INSTANCES, ERROR, "instances exist")                                               \
    X(GRAPH_USED, ERROR, "another graph uses it")                                                  \
    X(GRAPH_SUBMITTED, ERROR, "the instance is submitted")                                         \
    X(GRAPH_INSTANCE_USED, ERROR, "the instance is set as the data of a node")                     \
    X(GRAPH_FAILED, WARNING, "a node failed, no other one begins")                                 \
    X(DPDK_ABSENT, INFO, "built without DPDK (DOCA_CORE_DPDK)")                                    \
    X(DPDK_POOL, ERROR, "not a pool of mbufs that have their memory in it")                        \
    X(DPDK_NO_DEV, ERROR, "no device was added")                                                   \
    X(DPDK_ACCESS, ERROR, "PCI permissions are not for the memory of mbufs")                       \
    X(DPDK_MBUF, ERROR, "the memory of the mbuf is not that of the pool")                          \
    X(DPDK_DEVARGS, ERROR, "the arguments name the PCI address, which is the device's")            \
    X(DPDK_PROBE, ERROR, "DPDK could not attach the device")                                       \
    X(DPDK_NO_PORT, INFO, "no port and open device have the same PCI address")                     \
    X(EVENT_NO_LOCATION, ERROR, "no publisher, or no subscriber location is set")                  \
    X(EVENT_FIXED, ERROR, "not possible while started, nor once it is a context")                  \
    X(EVENT_IMPORTED, ERROR, "created from an export: is neither configured nor exported")         \
    X(EVENT_MISALIGNED, ERROR, "the value must be aligned to 8 bytes")                             \
    X(EVENT_OWN_ADDR, ERROR, "a value at an address of the program's is not shared")               \
    X(EVENT_BUF, ERROR, "the value wants one writable buffer with 8 bytes of data")                \
    X(EVENT_BUF_FAR, INFO, "the buffer is elsewhere, and no device of the event serves it there")  \
    X(EVENT_BY_DEV, ERROR, "the CPU does not reach the value: it is for tasks, of a context")      \
    X(EVENT_NOT_ATOMIC, ERROR, "devices may add to the value, and the CPU not atomically with it") \
    X(EVENT_NOT_STARTED, ERROR, "the event is not started")                                        \
    X(EVENT_IS_CTX, ERROR, "the event works as a context only")                                    \
    X(EVENT_IS_NO_CTX, ERROR, "the event works stand-alone, or as_ctx was not called")             \
    X(EVENT_LOCATION, ERROR, "the locations do not fit this export")                               \
    X(EVENT_NO_TARGET, INFO, "sync events on DPA and GPU are not offered")                         \
    X(EVENT_OTHER_USER, ERROR, "the exporter is of another user: run both as one user")            \
    X(EVENT_GONE, WARNING, "the exporter stopped or destroyed the event, or has ended")            \
    X(EVENT_SYSTEM, ERROR, "no shared memory, descriptor, inotify instance or /proc")              \
    X(FLUSHED, DEBUG, "the task was flushed")                                                      \
    /* of doca_core_mlx5.h */                                                                      \
    X(MLX5_CALL, ERROR, "libibverbs refused, with this errno")                                     \
    X(MLX5_COMMAND, ERROR, "the firmware refused a command, with this syndrome")                   \
    X(MLX5_NO_LIST, INFO, "libibverbs gives no list of devices, with this errno")                  \
    X(MLX5_NO_ENGINE, INFO, "the device lacks what the chosen engine of copies needs")             \
    X(MLX5_TOO_MANY, ERROR, "more devices than DOCA_CORE_MLX5_MAX_DEVS")                           \
    X(MLX5_BUF, WARNING, "a buffer changed while the device had its task")                         \
    X(MLX5_LENGTH, WARNING, "local length error; vendor syndrome and syndrome")                    \
    X(MLX5_QP_OP, WARNING, "local QP operation error; vendor syndrome and syndrome")               \
    X(MLX5_PROTECTION, WARNING, "local protection error; vendor syndrome and syndrome")            \
    X(MLX5_ACCESS, WARNING, "remote access error; vendor syndrome and syndrome")                   \
    X(MLX5_REMOTE, WARNING, "the remote end refused; vendor syndrome and syndrome")                \
    X(MLX5_RETRY, WARNING, "no answer after all retries; vendor syndrome and syndrome")            \
    X(MLX5_OTHER, WARNING, "error completion; vendor syndrome and syndrome")                       \
    X(MLX5_FATAL, ERROR, "the device has failed")                                                  \
    X(MLX5_OVERLAP, WARNING, "source and destination overlap where the CPU cannot move them")      \
    X(MLX5_OTHER_CARD, ERROR, "the exporter's function is of another card")                        \
    X(MLX5_NO_EXPORT, ERROR, "the firmware knows no such export, or it has ended; its syndrome")   \
    X(MLX5_RINGS, INFO, "libmlx5 has rings on the heap, not in the context's block")               \
    X(MLX5_NO_ALIAS, INFO, "the firmware of the device uses no keys of other functions")           \
    X(MLX5_KEPT, ERROR, "others still reach the memory: its key was not taken back; errno")        \
    /* of tools/compat/doca_core_legacy.h */                                                       \
    X(LEGACY_PROPERTY, ERROR, "no such property, or not a value for it")                           \
    X(LEGACY_READ_ONLY, ERROR, "the property can only be read")                                    \
    X(LEGACY_FIXED, ERROR, "fixed since the first start")                                          \
    X(LEGACY_PAGE_SIZE, ERROR, "a page size is a power of two, at least 4096")                     \
    X(LEGACY_CHUNKS_FULL, ERROR, "the mmap holds max_num_chunks ranges")                           \
    X(LEGACY_CHUNK_OVERLAP, ERROR, "the range overlaps one of the mmap")                           \
    X(LEGACY_NOT_ONE_CHUNK, ERROR, "only an mmap with exactly one range can be exported")          \
    X(LEGACY_HEAP, ERROR, "no memory from the heap for the descriptor")                            \
    X(LEGACY_CTX_DEV, ERROR, "the context has a device")                                           \
    X(LEGACY_CTX_NO_DEV, ERROR, "the context does not have the device, or has none")               \
    X(LEGACY_NO_REFCOUNT, INFO, "references cannot be added in this API")                          \
    X(WORKQ_ADDED, ERROR, "a work queue is attached")                                              \
    X(WORKQ_NOT_ADDED, ERROR, "the work queue is not attached")                                    \
    X(WORKQ_HAS_GRAPHS, ERROR, "graphs are attached to the work queue")                            \
    X(WORKQ_PENDING, ERROR, "jobs are in flight, or their events were not retrieved")              \
    X(WORKQ_FULL, DEBUG, "no room in the work queue before more events are retrieved")             \
    X(WORKQ_POLLED, ERROR, "the event-driven mode is not enabled")                                 \
    X(JOB_TYPE, ERROR, "not a job of this context")                                                \
    X(JOB_LENGTH, ERROR, "more bytes than the source has, or the source is a list")                \
    X(GRAPH_UNFINISHED, ERROR, "the node did not complete")

#define DOCA_PRIV_ITEM_ENUM(item, level, text) DOCA_CORE_ITEM_##item,
enum doca_core_item {
    DOCA_CORE_ITEMS(DOCA_PRIV_ITEM_ENUM) DOCA_CORE_NUM_ITEMS
};
#undef DOCA_PRIV_ITEM_ENUM

/* Receive one log line. `level` is one of DOCA_CORE_LOG_*, `item` says which failure, `line` is
 * NUL-terminated without line end and valid during the call only.
 * Threads   called in the thread that failed, possibly in several at once
 * Callback  must not call this library, except doca_core_last_error() */
typedef void (*doca_core_log_sink_t)(uint32_t level, enum doca_core_item item, const char *line,
                                     void *user);

/* Send log lines to `sink`, with `user` handed along; NULL restores the default, which writes to
 * standard error (freestanding: nowhere).
 *
 * Threads   any, but lines that are under way may still reach the old sink */
DOCA_CORE_DECL void doca_core_log_set_sink(doca_core_log_sink_t sink, void *user);

/* Log items of this level and of worse ones: 10 nothing, 20 CRIT, 30 ERROR, 40 WARNING (default),
 * 50 INFO, 60 DEBUG.
 *
 * Threads   any
 * Errors    INVALID_VALUE  not one of these numbers */
DOCA_CORE_DECL doca_error_t doca_core_log_set_level(uint32_t level);

/* Say why the latest failing call of this thread failed: call, object, state, reason and code, as
 * one line. Valid until the thread's next call of this function. Never NULL.
 * A task that fails in the device also counts, in the thread that progresses it.
 *
 * Threads   each thread has its own record (one for the process where thread-local storage does
 *           not exist) */
DOCA_CORE_DECL const char *doca_core_last_error(void);

/* Give the item of the latest failing call of this thread; DOCA_CORE_ITEM_NONE before any. */
DOCA_CORE_DECL enum doca_core_item doca_core_last_item(void);

/* Say what an item means, as in its log lines. Never NULL.   Threads any */
DOCA_CORE_DECL const char *doca_core_item_text(enum doca_core_item item);

/* ---- >>check --------------------------------------------------------------------------------
 * The checked mode, DOCA_CORE_CHECK 2: what it finds beside what every level refuses. Each finding
 * is a report: the line of the log that every failure has, with object and call, and behind it the
 * object's life, the latest of what DOCA_CORE_CHECK_NOTES remembers of it:
 *
 *     ... [BAD_STATE]; life of task 0x5581c0: #812 taken, #813 submitted, #827 completed,
 *     #828 returned
 *
 * The numbers count what happened to all objects, so that lives can be compared; "by N" says from
 * where on it was another thread than before, the N-th one that did something; "as dev", that
 * another object was in the same place then.
 *
 *   use after the end   A handle that was given back is refused at level 1. Here its life is told,
 *                       and what is in stock is taken again after 64 others, if there are so many.
 *   a buffer of a task  in flight, its content, its list, or its last reference: IN_USE.
 *   overlap             Two tasks in flight on one PE that write to the same bytes: told at the
 *                       second submit, which goes on.
 *   a second thread     calls progress, submit, a task's alloc_init or free, or start or stop of a
 *                       context while the first is inside of one of these on the same PE, callbacks
 *                       included: NOT_PERMITTED, or nothing done where there is no code to return.
 *   progress            inside a callback of the same PE: told, and goes on. (After a callback
 *                       that left by longjmp its thread counts as inside until it calls progress
 *                       again, from no deeper in its stack.)
 *   children            Parents are not destroyed before them at any level: IN_USE, or the like.
 *   what a device finds A task is refused at submit as by doca_task_try_submit().
 *   overwritten memory  Lists of bufs are audited by the calls that take them (the first 64
 *                       elements), an arena whenever a block returns to it; that block is filled
 *                       with 0xdd.
 *
 * Bufs are twice as large, the calls of >>hot slower, and submit O(buffers in flight); the other
 * levels have no instruction of it. */

#if DOCA_CORE_CHECK >= 2
#define DOCA_PRIV_CHECKED(what) what
#else
#define DOCA_PRIV_CHECKED(what)
#endif

/* Give the number of reports so far; at other levels 0.   Threads any */
DOCA_CORE_DECL uint64_t doca_core_check_num_reports(void);

/* Write the life of an object, which may be long gone, or of what was at an address.
 *
 *   text, bytes  where to, at least 32; what does not fit is left out at the beginning
 *
 * Threads   any
 * Errors    INVALID_VALUE  also: bytes is less than 32
 *           NOT_FOUND      nothing is remembered of it
 *           NOT_SUPPORTED  not at this level */
DOCA_CORE_DECL doca_error_t doca_core_check_life(const void *object, char *text, size_t bytes);

struct doca_priv_check_user { /* which thread is inside, and how deep; 0: none */
    uint32_t lock;
    uint32_t thread;
    uint32_t depth;
    uintptr_t place; /* on the stack of the thread, where progress is */
};

union doca_priv_check_buf { /* of a buf: what tasks in flight do with it */
    struct {
        uint32_t num_tasks;
        uint32_t num_writers;
        uintptr_t begin; /* of what is written */
        uintptr_t end;
        struct doca_buf *next; /* of those that the tasks of a PE write to */
        struct doca_buf **link;
    } is;
    unsigned char line[DOCA_CORE_LINE];
};

/* ---- >>arena --------------------------------------------------------------------------------
 * Where all objects live: a region of the caller, cut into blocks of whole cache lines. Each block
 * begins with one line that describes it, so an overrun that reaches the next block is found by the
 * audit. Take and give are O(1) (two-level segregated fit), neighbours coalesce, and a small lock
 * makes an arena usable from any thread. Ours, the vendor has no such object.                   */

/* Bytes one block of `bytes` costs an arena, header line included. */
#define DOCA_CORE_BYTES_BLOCK(bytes)                                                               \
    (DOCA_CORE_LINE +                                                                              \
     ((size_t)(bytes) + DOCA_CORE_LINE - 1) / DOCA_CORE_LINE * (size_t)DOCA_CORE_LINE)

#define DOCA_PRIV_ARENA_FL 42 /* size classes by power of two, in lines */
#define DOCA_PRIV_ARENA_SL 8  /* and each of them cut in this many */

struct doca_priv_block { /* the header line */
    uint32_t magic;
    uint32_t is_free;
    size_t lines; /* of the whole block */
    struct doca_priv_block *below; /* the physical neighbour; NULL for the first block */
    struct doca_priv_block *next;  /* while free: its list */
    struct doca_priv_block *prev;
};

struct doca_core_arena {
    struct doca_priv_object obj;
    uint32_t lock;
    uint32_t salt;       /* signs the headers: those of an earlier arena here are not ours */
    unsigned char *base; /* NULL: blocks are only counted, never handed out */
    size_t lines;
    size_t used; /* lines */
    size_t peak;
    uint64_t fl_map;
    uint8_t sl_map[DOCA_PRIV_ARENA_FL];
    struct doca_priv_block *free_list[DOCA_PRIV_ARENA_FL][DOCA_PRIV_ARENA_SL];
};

/* Make an arena of [mem, mem + bytes).
 *
 *   arena  the caller's structure, content ignored
 *   mem    aligned to DOCA_CORE_LINE
 *   bytes  rounded down to whole lines
 *
 * Owns      nothing; both stay the caller's and must outlive every object in the arena
 * Cost      O(1); touches one line of `mem`
 * Errors    INVALID_VALUE  `mem` is misaligned, or 2^47 bytes or more
 *           NO_MEMORY      shorter than two lines */
DOCA_CORE_DECL doca_error_t doca_core_arena_init(struct doca_core_arena *arena, void *mem,
                                                 size_t bytes);

/* Let every create without a parent draw from `arena`, in all threads; NULL goes back to the
 * static default arena. Objects that exist keep theirs.   Threads any */
DOCA_CORE_DECL doca_error_t doca_core_arena_bind(struct doca_core_arena *arena);

/* Give the arena that a create without a parent draws from now. When none is bound and the default
 * one was configured away, that is an arena without memory. */
DOCA_CORE_DECL struct doca_core_arena *doca_core_arena_bound(void);

/* Take `bytes` (at least 1) as one line-aligned block with undefined content.
 *
 * Threads   any
 * Cost      O(1)
 * Errors    NO_MEMORY  no free block that is large enough was found; nothing changed */
DOCA_CORE_DECL doca_error_t doca_core_arena_take(struct doca_core_arena *arena, size_t bytes,
                                                 void **block);

/* Give back a block of doca_core_arena_take(). NULL is accepted.
 *
 * Threads   any
 * Cost      O(1)
 * Errors    INVALID_VALUE  not a block of this arena
 *           BAD_STATE      given back already
 *           UNEXPECTED     the block's header was overwritten; the block stays taken */
DOCA_CORE_DECL doca_error_t doca_core_arena_give(struct doca_core_arena *arena, void *block);

/* Report bytes taken now and at most so far (headers included), and the size of the largest block
 * that a take would surely get. Each output may be NULL.   Threads any */
DOCA_CORE_DECL doca_error_t doca_core_arena_query(struct doca_core_arena *arena, size_t *used,
                                                  size_t *peak, size_t *largest_free);

/* Check every header, link and counter of the arena.
 *
 * Threads   any
 * Cost      O(blocks), under the lock
 * Errors    UNEXPECTED  something was overwritten; the log names the block */
DOCA_CORE_DECL doca_error_t doca_core_arena_audit(struct doca_core_arena *arena);

/* ---- >>device -------------------------------------------------------------------------------
 * A devinfo describes a device that exists; a dev is one that is opened. Opening a device twice
 * gives the same dev, counted. A devinfo list is a snapshot; devs outlive it.
 * All calls of this section may be made from any thread.
 * Source: DOCA Core Programming Guide, "DOCA Device"; API reference, "DOCA Device".             */

#define DOCA_DEVINFO_PCI_ADDR_SIZE 13 /* "0000:03:00.0" and NUL */
#define DOCA_DEVINFO_PCI_BDF_SIZE 8   /* "03:00.0" and NUL */
#define DOCA_DEVINFO_REP_PCI_ADDR_SIZE 13
#define DOCA_DEVINFO_REP_PCI_BDF_SIZE 8
#define DOCA_DEVINFO_VUID_SIZE 128
#define DOCA_DEVINFO_IPV4_ADDR_SIZE 4
#define DOCA_DEVINFO_IPV6_ADDR_SIZE 16
#define DOCA_DEVINFO_MAC_ADDR_SIZE 6
#define DOCA_DEVINFO_IFACE_NAME_SIZE 256
#define DOCA_DEVINFO_IBDEV_NAME_SIZE 64
#define DOCA_DEVINFO_REP_VUID_SIZE 128

enum doca_devinfo_rep_filter {
    DOCA_DEVINFO_REP_FILTER_ALL = 0,
    DOCA_DEVINFO_REP_FILTER_NET = 1 << 1,
    DOCA_DEVINFO_REP_FILTER_EMULATED = 1 << 2
};

enum doca_core_port {
    DOCA_CORE_PORT_ETHERNET = 0, /* has a MAC address, no LID */
    DOCA_CORE_PORT_INFINIBAND = 1 /* has a LID, no MAC address */
};

enum { /* Does a device do tasks of sync events, where it reaches the value? */
    DOCA_CORE_EVENT_ENGINE_NONE = 0,
    DOCA_CORE_EVENT_ENGINE_CARD = 1, /* its additions are atomic with those of its card, */
    DOCA_CORE_EVENT_ENGINE_ALL = 2   /* and with the CPU's */
};

/* What a device can do. The capability calls answer from it and the engines enforce it. */
struct doca_core_limits {
    uint64_t dma_max_buf_size;      /* bytes per memcpy task */
    uint32_t dma_max_buf_list_len;  /* elements; 1: no lists */
    uint32_t dma_max_num_tasks;     /* tasks per context */
    uint64_t sha_max_src_buf_size;  /* bytes per hash task, or per segment */
    uint32_t sha_max_buf_list_len;  /* elements; 1: no lists */
    uint32_t sha_max_num_tasks;     /* tasks per context, of both types together */
    uint8_t has_dma;                /* 0: no memcpy engine */
    uint8_t has_sha;                /* 0: no hash engine */
    uint8_t has_export_pci;         /* 1: mmaps can be exported to the DPU */
    uint8_t has_import_pci;         /* 1: mmaps can be imported from the host */
    uint8_t has_rdma;               /* 1: mmaps can be exported and imported for RDMA */
    uint8_t has_sync_event;         /* 1: sync events, on this side and between sides */
    uint8_t has_dmabuf;             /* 1: mmaps can be made of a dmabuf */
    uint8_t event_engine;           /* DOCA_CORE_EVENT_ENGINE_*: does tasks of sync events */
};

/* A DPU and its host are two machines; one process is on one side, or sees both at once. */
enum doca_core_side {
    DOCA_CORE_SIDE_BOTH = 0, /* of a process: nobody chose; of a device: seen from either side */
    DOCA_CORE_SIDE_DPU = 1,
    DOCA_CORE_SIDE_HOST = 2
};

/* Bits of rep_filters below; in enum doca_devinfo_rep_filter, ALL has none. */
#define DOCA_CORE_REP_ALL 1u
#define DOCA_CORE_REP_NET ((unsigned)DOCA_DEVINFO_REP_FILTER_NET)
#define DOCA_CORE_REP_EMULATED ((unsigned)DOCA_DEVINFO_REP_FILTER_EMULATED)

/* What a device is: plain facts, filled in by a backend. A representor has the facts of the
 * function it stands for. */
struct doca_core_dev_attr {
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];     /* "0000:03:00.0", lower case; of a function
                                                      that is represented also "": not known */
    char ibdev_name[DOCA_DEVINFO_IBDEV_NAME_SIZE]; /* tells the SFs of one PCI address apart */
    char iface_name[64];
    /* all 0: unknown; where there is an iface_name, each list asks the operating system */
    uint8_t mac_addr[DOCA_DEVINFO_MAC_ADDR_SIZE];
    uint8_t ipv4_addr[DOCA_DEVINFO_IPV4_ADDR_SIZE];
    uint8_t ipv6_addr[DOCA_DEVINFO_IPV6_ADDR_SIZE];
    uint16_t lid;
    enum doca_core_port port;
    struct doca_core_limits limits;
    enum doca_core_side side;
    enum doca_pci_func_type func_type;
    char rep_dev[DOCA_DEVINFO_PCI_ADDR_SIZE]; /* the device that has its representor; "": none */
    char vuid[DOCA_DEVINFO_REP_VUID_SIZE];    /* of this function only, and for good */
    uint8_t rep_filters;        /* DOCA_CORE_REP_*, by which its representors are listed; 0: none */
    uint8_t is_hotplug;         /* 1: the function was plugged in by software */
    uint8_t is_emulated;        /* 1: an emulated function, 0: a network function */
    uint8_t is_hotplug_manager; /* 1: the device can plug functions in */
    uint16_t vhca_id;           /* of this function only, on its card */
    uint8_t has_no_vhca_id;     /* 1: that is not known */
    uint32_t sf_index;          /* of an SF */
    uint32_t rate_gbps;         /* of the port, Gbit/s; 0: unknown */
};

struct doca_devinfo {
    struct doca_priv_object obj;
    struct doca_core_arena *arena;
    const struct doca_core_backend *backend;
    uint32_t serial; /* of the backend, when the list was made */
    struct doca_core_dev_attr attr;
};

struct doca_dev {
    struct doca_priv_object obj;
    uint32_t num_opens;
    uint32_t num_users; /* mmaps that hold it, contexts made on it, representors open on it */
    uint64_t bit;       /* its place in doca_mmap.dev_mask */
    const struct doca_core_backend *backend;
    void *backend_data; /* the backend's own */
    struct ibv_pd *from_pd; /* NULL: opened through a devinfo */
    struct doca_dev *next;
    struct doca_dev_rep *reps; /* open ones */
    struct doca_devinfo info;
};

/* Bytes of a device list with `n` devices, and of `n` open devices. */
#define DOCA_CORE_BYTES_DEVINFO_LIST(n)                                                            \
    DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_priv_devinfo_list) +                                  \
                          (size_t)(n) * sizeof(struct doca_priv_devinfo_row))
#define DOCA_CORE_BYTES_DEV(n) ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_dev)))

struct doca_priv_devinfo_list { /* then n pointers, the program's list, then n devinfos */
    struct doca_priv_object obj;
    uint32_t num;
    struct doca_core_arena *arena;
    struct doca_devinfo *infos;
};

struct doca_priv_devinfo_row { /* what one device adds to a list */
    uint64_t pointer;          /* as wide as a devinfo may have to be aligned */
    struct doca_devinfo info;
};

DOCA_CORE_DECL doca_error_t doca_core_bytes_devinfo_list(uint32_t num_devs, size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_dev(size_t *bytes);

/* List the devices of all backends: (*dev_list)[0] to (*dev_list)[*nb_devs - 1].
 *
 * Owns      one block of the bound arena until doca_devinfo_destroy_list()
 * Cost      O(devices); the operating system is asked for addresses that a backend left open
 * Errors    NO_MEMORY  the arena is exhausted
 *           NOT_FOUND  no device exists */
DOCA_CORE_DECL doca_error_t doca_devinfo_create_list(struct doca_devinfo ***dev_list,
                                                     uint32_t *nb_devs);
DOCA_CORE_DECL doca_error_t doca_core_devinfo_create_list_in(struct doca_core_arena *arena,
                                                             struct doca_devinfo ***dev_list,
                                                             uint32_t *nb_devs);

/* Give a list back. Its elements end here; devices opened through them stay. */
DOCA_CORE_DECL doca_error_t doca_devinfo_destroy_list(struct doca_devinfo **dev_list);

/* Write "DDDD:BB:DD.F" and NUL, DOCA_DEVINFO_PCI_ADDR_SIZE bytes, to `pci_addr_str`. */
DOCA_CORE_DECL doca_error_t doca_devinfo_get_pci_addr_str(const struct doca_devinfo *devinfo,
                                                          char *pci_addr_str);

/* Compare with an address in the form DDDD:BB:DD.F or BB:DD.F (then domain 0), hexadecimal in
 * either case; *is_equal is 1 or 0.
 *
 * Errors    INVALID_VALUE  also: the string has neither form */
DOCA_CORE_DECL doca_error_t doca_devinfo_is_equal_pci_addr(const struct doca_devinfo *devinfo,
                                                           const char *pci_addr_str,
                                                           uint8_t *is_equal);

/* Write one property. `size` is the room in bytes, at least the matching DOCA_DEVINFO_*_SIZE;
 * names end with NUL, addresses are in network order.
 *
 * Errors    INVALID_VALUE     also: `size` is too small
 *           OPERATING_SYSTEM  there is no such interface, or it has no such address
 *           NOT_SUPPORTED     MAC address of an InfiniBand port, LID of an Ethernet port */
DOCA_CORE_DECL doca_error_t doca_devinfo_get_ibdev_name(const struct doca_devinfo *devinfo,
                                                        char *ibdev_name, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_iface_name(const struct doca_devinfo *devinfo,
                                                        char *iface_name, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_ipv4_addr(const struct doca_devinfo *devinfo,
                                                       uint8_t *ipv4_addr, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_ipv6_addr(const struct doca_devinfo *devinfo,
                                                       uint8_t *ipv6_addr, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_mac_addr(const struct doca_devinfo *devinfo,
                                                      uint8_t *mac_addr, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_lid(const struct doca_devinfo *devinfo, uint16_t *lid);

/* Write one number (later versions): the rate of the port, in Gbit/s before and in bit/s since 3.0,
 * each under the vendor's name with its DOCA_CORE_API; the number of the function on its card; what
 * the function is; which SF it is.
 *
 * Errors    DRIVER         active_rate: not known
 *           NOT_SUPPORTED  sf_index: is no SF; vhca_id: not known */
DOCA_CORE_DECL doca_error_t doca_devinfo_get_active_rate(const struct doca_devinfo *devinfo,
                                                         double *active_rate);
DOCA_CORE_DECL doca_error_t doca_core_v3_devinfo_get_active_rate(
    const struct doca_devinfo *devinfo, uint64_t *active_rate);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_vhca_id(const struct doca_devinfo *devinfo,
                                                     uint16_t *vhca_id);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_pci_func_type(
    const struct doca_devinfo *devinfo, enum doca_pci_func_type *pci_func_type);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_sf_index(const struct doca_devinfo *devinfo,
                                                      uint32_t *sf_index);

/* Say on which side of a DPU the device is (ours, not vendor's): DPU, or HOST, which is also where
 * cards without a DPU are; BOTH: it is seen from either side, or nothing tells. */
DOCA_CORE_DECL doca_error_t doca_core_devinfo_get_side(const struct doca_devinfo *devinfo,
                                                       enum doca_core_side *side);

/* Say whether the device can plug functions in and out: 1 or 0. */
DOCA_CORE_DECL doca_error_t doca_devinfo_cap_is_hotplug_manager_supported(
    const struct doca_devinfo *devinfo, uint8_t *is_hotplug_manager);

/* Say whether the device can give its resources back faster once told so, or can hold notifications
 * back to gather them (later versions): 0, here is nothing to hasten or to gather. */
DOCA_CORE_DECL doca_error_t doca_devinfo_cap_is_accelerate_resource_reclaim_supported(
    const struct doca_devinfo *devinfo, uint8_t *is_accelerate_resource_reclaim);
DOCA_CORE_DECL doca_error_t doca_devinfo_cap_is_notification_moderation_supported(
    const struct doca_devinfo *devinfo, uint8_t *is_notification_moderation_supported);

/* Open a device, or count one more opening of it.
 *
 *   dev   out: the same pointer for every opening of one device
 *
 * Owns      one block of the arena of the devinfo of the first opening, until the last
 *           doca_dev_close(); that arena has to outlive the other openings as well
 * Errors    NO_MEMORY       the arena is exhausted
 *           NOT_CONNECTED   the device cannot be opened
 *           INITIALIZATION  DOCA_CORE_MAX_DEVS devices are open */
DOCA_CORE_DECL doca_error_t doca_dev_open(struct doca_devinfo *devinfo, struct doca_dev **dev);

/* Undo one doca_dev_open(), or one opening from a PD.
 *
 * Errors    IN_USE  it is the last one and mmaps, contexts or open representors still hold the
 *                   device */
DOCA_CORE_DECL doca_error_t doca_dev_close(struct doca_dev *dev);

/* Have the device give its resources back faster (later versions).
 *
 * Errors    NOT_SUPPORTED  always, as its capability says */
DOCA_CORE_DECL doca_error_t doca_dev_accelerate_resource_reclaim(struct doca_dev *dev);

/* Give the description of an open device, valid until it is closed; NULL when `dev` is not one, or
 * was opened from a PD. */
DOCA_CORE_DECL struct doca_devinfo *doca_dev_as_devinfo(const struct doca_dev *dev);

/* ---- >>rep ----------------------------------------------------------------------------------
 * A representor stands, on the DPU, for a function that belongs to the host, or for a sub function;
 * it has the function's PCI address. A devinfo_rep describes one, as a snapshot; a dev_rep is one
 * that is opened on the device that has it.
 * All calls of this section may be made from any thread.
 * Source: DOCA Core Programming Guide, "Local Device and Representor"; API reference, "DOCA
 * Device".                                                                                      */

struct doca_devinfo_rep {
    struct doca_devinfo info; /* of the function; attr.rep_dev is the device that has it */
};

struct doca_dev_rep {
    struct doca_priv_object obj;
    uint32_t num_opens;
    struct doca_dev *dev;
    struct doca_dev_rep *next; /* of the same device */
    struct doca_devinfo_rep info;
};

/* Bytes of a representor list with `n` elements, and of `n` open representors. */
#define DOCA_CORE_BYTES_DEVINFO_REP_LIST(n) DOCA_CORE_BYTES_DEVINFO_LIST(n)
#define DOCA_CORE_BYTES_DEV_REP(n)                                                                 \
    ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_dev_rep)))

DOCA_CORE_DECL doca_error_t doca_core_bytes_devinfo_rep_list(uint32_t num_reps, size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_dev_rep(size_t *bytes);

/* Say whether doca_devinfo_rep_create_list() takes this filter: 1 or 0.
 *
 * Errors    NOT_SUPPORTED  the device has no representors at all */
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_cap_is_filter_all_supported(
    const struct doca_devinfo *devinfo, uint8_t *filter_all_supported);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_cap_is_filter_net_supported(
    const struct doca_devinfo *devinfo, uint8_t *filter_net_supported);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_cap_is_filter_emulated_supported(
    const struct doca_devinfo *devinfo, uint8_t *filter_emulated_supported);

/* List the representors of a device: (*dev_list_rep)[0] to (*dev_list_rep)[*nb_devs_rep - 1]. The
 * list may be empty; it is a list then, to be given back as any other.
 *
 *   filter  DOCA_DEVINFO_REP_FILTER_ALL, or a union of NET (network functions) and EMULATED
 *
 * Owns      one block of the device's arena until doca_devinfo_rep_destroy_list(); the device may
 *           be closed before
 * Errors    INVALID_VALUE  also: an unknown filter
 *           NO_MEMORY      the arena is exhausted
 *           NOT_SUPPORTED  the device has no representors, or not by one of these filters */
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_create_list(struct doca_dev *dev, int filter,
                                                         struct doca_devinfo_rep ***dev_list_rep,
                                                         uint32_t *nb_devs_rep);

/* Give a list back. Its elements end here; representors opened through them stay. */
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_destroy_list(struct doca_devinfo_rep **dev_list_rep);

/* Say whether the function was plugged in: 1, or 0 for one that was always there. */
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_is_hotplug(
    const struct doca_devinfo_rep *devinfo_rep, uint8_t *is_hotplug);

/* Write, or compare, the PCI address; as doca_devinfo_get_pci_addr_str() and _is_equal_pci_addr().
 * It is the one that the function has on its own side, and where that is not known, no address is
 * equal to it.
 *
 * Errors    NOT_SUPPORTED  get: it is not known */
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_pci_addr_str(
    const struct doca_devinfo_rep *devinfo_rep, char *pci_addr_str);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_is_equal_pci_addr(
    const struct doca_devinfo_rep *devinfo_rep, const char *pci_addr_str, uint8_t *is_equal);

/* Say what the function is: physical, virtual or sub. */
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_pci_func_type(
    const struct doca_devinfo_rep *devinfo_rep, enum doca_pci_func_type *pci_func_type);

/* Write the text that names the function and no other one, at any time, with NUL. `size` is the
 * room in bytes, at least DOCA_DEVINFO_REP_VUID_SIZE.
 *
 * Errors    INVALID_VALUE  also: `size` is too small */
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_vuid(const struct doca_devinfo_rep *devinfo_rep,
                                                      char *rep_vuid, uint32_t size);

/* Write what the calls of these names write for a device (later versions), of the function that is
 * represented. The interface of a software function is the one that it has on its own side; other
 * devices do not know that, and give the representor's, as the vendor does. */
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_iface_name(
    const struct doca_devinfo_rep *devinfo_rep, char *iface_name, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_vhca_id(
    const struct doca_devinfo_rep *devinfo_rep, uint16_t *vhca_id);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_sf_index(
    const struct doca_devinfo_rep *devinfo_rep, uint32_t *sf_index);

/* Open a representor, or count one more opening of it. It holds its device open: the last
 * doca_dev_close() gives IN_USE before the representor is closed.
 *
 *   dev_rep  out: the same pointer for every opening of one representor
 *
 * Owns      one block of the arena of the devinfo_rep of the first opening, until the last
 *           doca_dev_rep_close()
 * Errors    NO_MEMORY  the arena is exhausted
 *           BAD_STATE  the device that has the representor is not open (any more) */
DOCA_CORE_DECL doca_error_t doca_dev_rep_open(struct doca_devinfo_rep *devinfo,
                                              struct doca_dev_rep **dev_rep);

/* Undo one doca_dev_rep_open(). */
DOCA_CORE_DECL doca_error_t doca_dev_rep_close(struct doca_dev_rep *dev);

/* Give the description of an open representor, valid until it is closed; NULL when `dev_rep` is not
 * one. */
DOCA_CORE_DECL struct doca_devinfo_rep *doca_dev_rep_as_devinfo(struct doca_dev_rep *dev_rep);

/* ---- >>mmap ---------------------------------------------------------------------------------
 * One range of the caller's memory, registered on the devices that may touch it.
 * stopped: configure.  started: make buffers; nothing can be changed.  Live buffers hold an mmap
 * started, so what a buffer says about its mmap stays true.  imported: started for all its life, on
 * memory of another process, at the addresses it has there: not to be followed by the program.
 * Source: DOCA Core Programming Guide, "DOCA Memory Map"; API reference, "DOCA Memory Map".     */

/* Takes a range back at destroy. A function type, not a pointer type. */
typedef void(doca_mmap_memrange_free_cb_t)(void *addr, size_t len, void *opaque);

typedef uint32_t doca_dpa_dev_mmap_t; /* a handle that no call of this library gives */

struct doca_priv_mmap_dev {
    struct doca_dev *dev;
    uint32_t mkey; /* while started */
    uint32_t own;  /* the same for the backend's own use */
};

/* Memory that is not simply at its address in this process: an exporter's, or a dmabuf's. */
struct doca_priv_far {
    unsigned char *view; /* dmabuf: where it is mapped while the mmap is started; else NULL */
    size_t dmabuf_offset;
    int dmabuf_fd;
    uint32_t pid;        /* of the exporter */
    uint64_t token;      /* stands there at token_at while the export holds */
    uint64_t token_at;
    bool may_read;
};

/* How every descriptor begins; in the byte order of the machine, which it cannot leave. */
struct doca_priv_export {
    char magic[8];
    uint16_t version;
    uint8_t kind;
    uint8_t pointer_bytes;
    uint32_t bytes; /* of the whole descriptor */
    uint32_t crc;   /* of the whole descriptor with 0 here */
    uint32_t pid;
    uint64_t machine; /* this boot of this machine, this namespace of process numbers */
    uint64_t token;
    uint64_t token_at;
};

#define DOCA_CORE_EXPORT_BYTES 64   /* what a backend has in a descriptor for its own */
#define DOCA_PRIV_EXPORT_BACKEND 16 /* as much of its name */

struct doca_priv_mmap_desc { /* what travels */
    struct doca_priv_export head;
    uint64_t addr;
    uint64_t len;
    uint32_t access;
    char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE + 7]; /* of the device, for people who look */
    char backend[DOCA_PRIV_EXPORT_BACKEND];        /* nothing: the operating system copies */
    unsigned char blob[DOCA_CORE_EXPORT_BYTES];    /* of that backend */
};

struct doca_priv_mmap_export { /* what stays, until stop */
    uint64_t token;
    struct doca_priv_mmap_export *next;
    struct doca_priv_mmap_dev reg; /* as it was in mmap->devs[] */
    struct doca_priv_mmap_desc desc;
};

struct doca_mmap {
    struct doca_priv_object obj;
    unsigned char *addr;
    unsigned char *end; /* since it was started */
    uint32_t num_bufs;
    uint32_t buf_word; /* while started: how a buf on it begins */
    uint64_t dev_mask; /* doca_dev.bit of every device, while started; 0 while stopped, far, or
                        * is_write_only */
    struct doca_priv_far *far; /* NULL: the bytes are at addr */
    size_t len;
    struct doca_priv_mmap_export *exports; /* until stop */
    struct doca_core_arena *arena;
    struct doca_priv_mmap_dev *devs; /* own_devs, or a block of the arena */
    uint32_t num_devs;
    uint32_t max_devs;
    uint32_t access;
    uint32_t serial;
    bool has_range;
    bool is_imported;
    bool was_started;
    bool free_cb_armed; /* started since the callback was set */
    bool is_shared;     /* by threads: it counts itself among its buffers, until destroy */
    bool is_elsewhere;  /* its backend reaches the range, which is not memory of this process, */
    bool is_on_dev;     /* but of the device, which has given it; */
    bool is_write_only; /* or of an exporter that lets nobody read it */
    union doca_data user_data;
    doca_mmap_memrange_free_cb_t *free_cb;
    void *free_opaque;
    struct doca_priv_mmap_dev own_devs[DOCA_CORE_MMAP_DEVS];
};

/* Bytes of `n` mmaps of up to DOCA_CORE_MMAP_DEVS devices each, and of what one mmap takes in
 * addition when doca_mmap_set_max_num_devices() asks for `num_devs`, more than that. */
#define DOCA_CORE_BYTES_MMAP(n) ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_mmap)))
#define DOCA_CORE_BYTES_MMAP_DEVS(num_devs)                                                        \
    DOCA_CORE_BYTES_BLOCK((size_t)(num_devs) * sizeof(struct doca_priv_mmap_dev))
DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap(size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_devs(uint32_t num_devs, size_t *bytes);

/* Bytes of `n` exports, of `n` imported mmaps, and of what `n` dmabuf ranges add to their mmaps. */
#define DOCA_CORE_BYTES_MMAP_EXPORT(n)                                                             \
    ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_priv_mmap_export)))
#define DOCA_CORE_BYTES_MMAP_DMABUF(n)                                                             \
    ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_priv_far)))
#define DOCA_CORE_BYTES_MMAP_IMPORT(n)                                                             \
    (DOCA_CORE_BYTES_MMAP(n) + DOCA_CORE_BYTES_MMAP_DMABUF(n))
DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_export(size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_dmabuf(size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_import(size_t *bytes);

/* Create a stopped mmap without range, devices and permissions of its own (local read and write).
 *
 * Owns      one block of the bound arena
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_mmap_create(struct doca_mmap **mmap);
DOCA_CORE_DECL doca_error_t doca_core_mmap_create_in(struct doca_core_arena *arena,
                                                     struct doca_mmap **mmap);

/* Destroy an mmap, stopping it first. The free callback runs last, when the mmap is gone.
 *
 * Errors    NOT_PERMITTED  buffers still point into it; nothing changed */
DOCA_CORE_DECL doca_error_t doca_mmap_destroy(struct doca_mmap *mmap);

/* Register the range on every device and let buffers be made.
 *
 * Cost      one registration per device; a set-up call
 * Errors    INVALID_VALUE     no range was set
 *           BAD_STATE         is started
 *           NOT_PERMITTED     is exported, or imported
 *           NOT_SUPPORTED     a device takes no dmabufs
 *           OPERATING_SYSTEM  the dmabuf is smaller, or the kernel does not map it
 *           any               what a backend answered to the registration; none is left behind */
DOCA_CORE_DECL doca_error_t doca_mmap_start(struct doca_mmap *mmap);

/* Take the registrations back and open the setters again. Exports end here: their descriptors are
 * gone, and tasks on mmaps that were imported from them fail with IO_FAILED.
 *
 * Errors    NOT_PERMITTED  buffers still point into it, or it is imported
 *           BAD_STATE      is not started */
DOCA_CORE_DECL doca_error_t doca_mmap_stop(struct doca_mmap *mmap);

/* Allow a device to use the range, or withdraw it.
 *
 * Owns      a use of the device until rm_dev or destroy
 * Errors    NOT_PERMITTED  is started, exported or imported
 *           ALREADY_EXIST  add: the device is in the mmap
 *           NO_MEMORY      add: max_num_devices are in it
 *           NOT_FOUND      rm: the device is not in it */
DOCA_CORE_DECL doca_error_t doca_mmap_add_dev(struct doca_mmap *mmap, struct doca_dev *dev);
DOCA_CORE_DECL doca_error_t doca_mmap_rm_dev(struct doca_mmap *mmap, struct doca_dev *dev);

/* Name the memory, once in the life of the mmap. It stays the caller's.
 *
 *   len   bytes, at least 1
 *
 * Errors    INVALID_VALUE  also: addr + len wraps
 *           BAD_STATE      is started
 *           NOT_PERMITTED  a range was set before, or it is imported, as with all setters */
DOCA_CORE_DECL doca_error_t doca_mmap_set_memrange(struct doca_mmap *mmap, void *addr, size_t len);

/* Name memory by a dmabuf: [dmabuf_offset, dmabuf_offset + len) of `dmabuf_fd` becomes the range
 * [addr, addr + len) of the buffers, whatever is at these addresses in this process. Software
 * devices reach it through a mapping that start makes and stop takes back, with the dmabuf's
 * begin-of-access and end-of-access calls around each task.
 *
 *   dmabuf_fd      stays the caller's, open until the mmap is stopped for the last time
 *   dmabuf_offset  bytes, whole pages
 *
 * Owns      one more block of the arena, until destroy
 * Errors    as doca_mmap_set_memrange(), and
 *           INVALID_VALUE  also: the descriptor is negative
 *           NO_MEMORY      the arena is exhausted
 *           NOT_SUPPORTED  this is not Linux */
DOCA_CORE_DECL doca_error_t doca_mmap_set_dmabuf_memrange(struct doca_mmap *mmap, int dmabuf_fd,
                                                          void *addr, size_t dmabuf_offset,
                                                          size_t len);

/* Set who may do what: a mask of enum doca_access_flag. Never set, local devices read and write.
 *
 * Errors    INVALID_VALUE  unknown flag, or both PCI_READ_ONLY and PCI_READ_WRITE
 *           BAD_STATE      is started */
DOCA_CORE_DECL doca_error_t doca_mmap_set_permissions(struct doca_mmap *mmap, uint32_t access_mask);

/* Set how many devices the mmap can hold; DOCA_CORE_MMAP_DEVS when never set.
 *
 * Owns      above DOCA_CORE_MMAP_DEVS: one more block of the arena, until destroy
 * Errors    INVALID_VALUE  0, or fewer than it holds
 *           NOT_PERMITTED  was started once
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_mmap_set_max_num_devices(struct doca_mmap *mmap,
                                                          uint32_t max_num_devices);

/* Have `free_cb` called once with the range and `opaque`, at destroy, if the mmap was started
 * after this call. NULL removes it.
 *
 * Errors    BAD_STATE  is started */
DOCA_CORE_DECL doca_error_t doca_mmap_set_free_cb(struct doca_mmap *mmap,
                                                  doca_mmap_memrange_free_cb_t *free_cb,
                                                  void *opaque);

/* Carry a word of the program.
 *
 * Errors    BAD_STATE  is started */
DOCA_CORE_DECL doca_error_t doca_mmap_set_user_data(struct doca_mmap *mmap,
                                                    union doca_data user_data);

/* Let several threads make and release buffers of the mmap at a time, each with an inventory or a
 * pool of its own (later versions). There is no way back. From then on num_bufs reads 0, and the
 * mmap stops, and goes, while there are buffers of it, which can only be released then; the last of
 * them takes the structure along. Other calls stay with one thread; it starts and stops the mmap
 * while no other one makes buffers.
 *
 * Cost      an atomic addition more for each buffer that is made, and released
 * Errors    NOT_PERMITTED  is started */
DOCA_CORE_DECL doca_error_t doca_mmap_enable_thread_safety(struct doca_mmap *mmap);

/* Memory of a DPA (later versions). Not offered: NOT_SUPPORTED when all else is in order.
 *
 * Errors    set_dpa_memrange: as doca_mmap_set_memrange()
 *           NOT_PERMITTED  handle: is not started
 *           NOT_FOUND      handle: the device is not in the mmap */
DOCA_CORE_DECL doca_error_t doca_mmap_set_dpa_memrange(struct doca_mmap *mmap, struct doca_dpa *dpa,
                                                       uint64_t dpa_addr, size_t len);
DOCA_CORE_DECL doca_error_t doca_mmap_dev_get_dpa_handle(struct doca_mmap *mmap,
                                                         const struct doca_dev *dev,
                                                         doca_dpa_dev_mmap_t *dpa_mmap_handle);

/* Read what was set: in any state. user_data is 0 when never set; num_bufs counts live buffers;
 * exported is 1 from the first export to stop, from_export is 1 for an imported mmap. The range of
 * an imported mmap is the exporter's.
 *
 * Errors    BAD_STATE  get_memrange: no range was set */
DOCA_CORE_DECL doca_error_t doca_mmap_get_memrange(const struct doca_mmap *mmap, void **addr,
                                                   size_t *len);
DOCA_CORE_DECL doca_error_t doca_mmap_get_max_num_devices(const struct doca_mmap *mmap,
                                                          uint32_t *max_num_devices);
DOCA_CORE_DECL doca_error_t doca_mmap_get_num_bufs(const struct doca_mmap *mmap,
                                                   uint32_t *num_bufs);
DOCA_CORE_DECL doca_error_t doca_mmap_get_user_data(const struct doca_mmap *mmap,
                                                    union doca_data *user_data);
DOCA_CORE_DECL doca_error_t doca_mmap_get_exported(const struct doca_mmap *mmap, uint8_t *exported);
DOCA_CORE_DECL doca_error_t doca_mmap_get_from_export(const struct doca_mmap *mmap,
                                                      uint8_t *from_export);

/* Say whether a device can export mmaps to the other side of the PCI bus, or import such exports.
 * RDMA has no such question; there the calls answer. */
DOCA_CORE_DECL doca_error_t doca_mmap_cap_is_export_pci_supported(
    const struct doca_devinfo *devinfo, uint8_t *mmap_export);
DOCA_CORE_DECL doca_error_t doca_mmap_cap_is_create_from_export_pci_supported(
    const struct doca_devinfo *devinfo, uint8_t *from_export);

/* Describe a started mmap, for another process to import. The descriptor carries the range and the
 * permissions, not the memory: whoever imports it reads and writes this process's memory, while
 * this process may sleep. The kernel must let it: both run as one user, and where ptrace is
 * restricted (kernel.yama.ptrace_scope) the importer has CAP_SYS_PTRACE or, enough for scope 1, the
 * environment of this process says DOCA_CORE_SW_PTRACER=any, which opens it to all processes of its
 * user. Devices of a backend that exports (mem_export in >>backend) reach it by themselves, from
 * wherever their functions are; what they refuse, and why, is their backend's to say.
 *
 *   dev              in the mmap
 *   export_desc      out: the mmap's, until it is stopped; the same again for the same device
 *   export_desc_len  out: bytes
 *
 * Owns      one block of the mmap's arena until stop
 * Cost      a set-up call
 * Errors    NOT_PERMITTED     is not started, is imported, or has no PCI (RDMA) permission
 *           NOT_FOUND         the device is not in the mmap
 *           NOT_SUPPORTED     the device cannot, or the range is a dmabuf's
 *           NO_MEMORY         the arena is exhausted
 *           OPERATING_SYSTEM  no file descriptor to be had, for a moment */
DOCA_CORE_DECL doca_error_t doca_mmap_export_pci(struct doca_mmap *mmap, const struct doca_dev *dev,
                                                 const void **export_desc, size_t *export_desc_len);
DOCA_CORE_DECL doca_error_t doca_mmap_export_rdma(struct doca_mmap *mmap,
                                                  const struct doca_dev *dev,
                                                  const void **export_desc,
                                                  size_t *export_desc_len);

/* Make an mmap of an export of another process (or this one) on this machine, started and on `dev`
 * alone. Buffers are made at the exporter's addresses. PCI permissions, or the RDMA ones for an
 * export_rdma descriptor, say what tasks may do: with RDMA_WRITE alone they cannot read. Atomic
 * RDMA permissions mean nothing to it. Nothing of the exporter's is held; when it stops its mmap or
 * ends, tasks fail with IO_FAILED.
 *
 *   user_data    NULL: 0
 *   export_desc  not kept; every byte of it is checked
 *
 * Owns      two blocks of the device's arena (one, if a backend imports, and what that takes), and
 *           a use of the device, until doca_mmap_destroy()
 * Cost      a set-up call; one system call reaches into the exporter
 * Errors    INVALID_VALUE     also: not a whole and unchanged descriptor of an mmap, or the export
 *                             has ended
 *           NOT_SUPPORTED     the device cannot, or is of another backend than the exporter's, or
 *                             the exporter is on another machine, in another pid namespace, or the
 *                             kernel has no access between processes
 *           NOT_PERMITTED     the kernel refuses; doca_core_last_error() says what to do
 *           NO_MEMORY         the arena is exhausted
 *           OPERATING_SYSTEM  no file descriptor to be had, for a moment */
DOCA_CORE_DECL doca_error_t doca_mmap_create_from_export(const union doca_data *user_data,
                                                         const void *export_desc,
                                                         size_t export_desc_len,
                                                         struct doca_dev *dev,
                                                         struct doca_mmap **mmap);
DOCA_CORE_DECL doca_error_t doca_core_mmap_create_from_export_in(
    struct doca_core_arena *arena, const union doca_data *user_data, const void *export_desc,
    size_t export_desc_len, struct doca_dev *dev, struct doca_mmap **mmap);

/* Make an mmap of memory that the device itself has: on the NIC, with a ConnectX or a BlueField.
 * It is started for all its life, on this device alone, and local devices read and write it. Its
 * range, from which bufs are made, is in addresses of the device, not to be followed by the
 * program.
 *
 *   len   bytes, at least 1
 *   mmap  out: its content is undefined
 *
 * Owns      two blocks of the device's arena, and a use of the device, until doca_mmap_destroy()
 * Cost      a set-up call
 * Errors    NOT_SUPPORTED  the device has none to give, as software devices
 *           NO_MEMORY      the arena is exhausted, or the device's memory
 *           any            what else the backend answered */
DOCA_CORE_DECL doca_error_t doca_core_mmap_create_on_dev(struct doca_dev *dev, size_t len,
                                                         struct doca_mmap **mmap);

/* Copy between such an mmap and memory of this process; the CPU does it.
 *
 *   offset  bytes, from the beginning of the mmap
 *
 * Errors    INVALID_VALUE  also: not inside the mmap
 *           NOT_SUPPORTED  not an mmap of a device's own memory
 *           any            what the backend answered */
DOCA_CORE_DECL doca_error_t doca_core_mmap_read(const struct doca_mmap *mmap, size_t offset,
                                                void *to, size_t len);
DOCA_CORE_DECL doca_error_t doca_core_mmap_write(struct doca_mmap *mmap, size_t offset,
                                                 const void *from, size_t len);

/* ---- >>buf ----------------------------------------------------------------------------------
 * A buf is a window on one mmap: [head, head + len) is room, [data, data + data_len) is content.
 * As a source its content is read; as a destination it is written behind the content, which grows.
 * Bufs form singly linked lists; the head of a list owns the elements behind it, and only a head is
 * counted. One cache line each (64-bit), never moved; a returned one keeps a readable header.
 * Threads: a buf, its inventory and its mmap belong to one thread at a time.
 * Callback: every call of this section, and get and release, may be made in task callbacks.
 * Source: DOCA Core Programming Guide, "DOCA Buffer"; API reference, "DOCA Buffer".             */

struct doca_buf {
    uint8_t kind;
    uint8_t flags;     /* DOCA_PRIV_BUF_*; 0 while in stock */
    uint16_t refcount; /* of a head; inner elements hold 1; 0 while in stock */
    int32_t home;      /* where its stock is from here, in units of DOCA_PRIV_HOME */
    unsigned char *head;
    unsigned char *end;
    unsigned char *data;
    size_t data_len;
    struct doca_mmap *mmap;
    struct doca_buf *next; /* in its list; while in stock: the next one in stock */
    struct doca_buf *last; /* of a head: the end of its list; while in stock: itself */
    DOCA_PRIV_CHECKED(union doca_priv_check_buf check;)
};

#define DOCA_PRIV_BUF_KIND 0xca /* its kind, as long as it exists */

#define DOCA_PRIV_BUF_OUT 1    /* not in stock */
#define DOCA_PRIV_BUF_INNER 2  /* of a list, but not its head */
#define DOCA_PRIV_BUF_LIST 4   /* of a head: there are others behind it */
#define DOCA_PRIV_BUF_WRITE 8  /* the permissions of its mmap let devices write */
#define DOCA_PRIV_BUF_OTHER 16 /* its mmap, or one in its list, is shared by threads, or of DPDK */
#define DOCA_PRIV_BUF_DEV 32   /* times 1 to 7: its mmap has one device, of the first seven */
#define DOCA_PRIV_BUF_DEVS 7

/* Read one property; always SUCCESS for valid arguments. Length covers the whole room. A buf that
 * was returned reads as it last was, with refcount 0. */
DOCA_CORE_DECL doca_error_t doca_buf_get_head(const struct doca_buf *buf, void **head);
DOCA_CORE_DECL doca_error_t doca_buf_get_len(const struct doca_buf *buf, size_t *len);
DOCA_CORE_DECL doca_error_t doca_buf_get_data(const struct doca_buf *buf, void **data);
DOCA_CORE_DECL doca_error_t doca_buf_get_data_len(const struct doca_buf *buf, size_t *data_len);
DOCA_CORE_DECL doca_error_t doca_buf_get_refcount(const struct doca_buf *buf, uint16_t *refcount);

/* Make [data, data + data_len) the content; the second call (later versions) leaves data as it is.
 *
 * Errors    INVALID_VALUE  also: not inside the buffer (the vendor leaves this undefined)
 *           BAD_STATE      it was returned */
DOCA_CORE_DECL doca_error_t doca_buf_set_data(struct doca_buf *buf, void *data, size_t data_len);
DOCA_CORE_DECL doca_error_t doca_buf_set_data_len(struct doca_buf *buf, size_t data_len);

/* Empty the content: data_len becomes 0, data stays.
 *
 * Errors    BAD_STATE  it was returned */
DOCA_CORE_DECL doca_error_t doca_buf_reset_data_len(struct doca_buf *buf);

/* Add one to, or take one from, the count of a head; *refcount (may be NULL) is the count before.
 * At 0 every element of the list goes back to its stock. The memory itself is not touched.
 *
 * Cost      O(1); dec to 0: O(elements)
 * Errors    NOT_PERMITTED  an inner element of a list
 *           TOO_BIG        inc: the count is 65535
 *           BAD_STATE      the count is 0: it was returned */
DOCA_CORE_DECL doca_error_t doca_buf_inc_refcount(struct doca_buf *buf, uint16_t *refcount);
DOCA_CORE_DECL doca_error_t doca_buf_dec_refcount(struct doca_buf *buf, uint16_t *refcount);

/* Put the list `list2` behind the list `list1`. `list2` stops being a head. The second call (later
 * versions) is told the last element of list1, which is known here anyway.
 *
 * Cost      O(1)
 * Errors    INVALID_VALUE  also: both are the same buf; list1_tail is not the last element of list1
 *           NOT_PERMITTED  one of them is not a head, or list2 has a refcount other than 1
 *           BAD_STATE      one of them was returned */
DOCA_CORE_DECL doca_error_t doca_buf_chain_list(struct doca_buf *list1, struct doca_buf *list2);
DOCA_CORE_DECL doca_error_t doca_buf_chain_list_tail(struct doca_buf *list1_head,
                                                     struct doca_buf *list1_tail,
                                                     struct doca_buf *list2);

/* Cut the list before `list2`, which becomes the head of the rest, with refcount 1.
 *
 * Cost      O(elements before list2)
 * Errors    INVALID_VALUE  also: list2 is not behind list1 in one list
 *           NOT_PERMITTED  list1 is not a head
 *           BAD_STATE      one of them was returned */
DOCA_CORE_DECL doca_error_t doca_buf_unchain_list(struct doca_buf *list1, struct doca_buf *list2);

/* Walk a list. next is NULL behind the last element; last may be `buf` itself; the length counts
 * `buf`; is_* are 1 or 0.
 *
 * Cost      O(1); get_list_len, and get_last_in_list of an inner element: O(elements)
 * Errors    NOT_PERMITTED  get_list_len: not a head
 *           BAD_STATE      get_list_len: it was returned */
DOCA_CORE_DECL doca_error_t doca_buf_get_next_in_list(struct doca_buf *buf,
                                                      struct doca_buf **next_buf);
DOCA_CORE_DECL doca_error_t doca_buf_get_last_in_list(struct doca_buf *buf,
                                                      struct doca_buf **last_buf);
DOCA_CORE_DECL doca_error_t doca_buf_get_list_len(const struct doca_buf *buf,
                                                  uint32_t *num_elements);
DOCA_CORE_DECL doca_error_t doca_buf_is_first_in_list(const struct doca_buf *buf,
                                                      uint8_t *is_first);
DOCA_CORE_DECL doca_error_t doca_buf_is_last_in_list(const struct doca_buf *buf, uint8_t *is_last);
DOCA_CORE_DECL doca_error_t doca_buf_is_in_list(const struct doca_buf *buf, uint8_t *is_in_list);

/* ---- >>inventory ----------------------------------------------------------------------------
 * A fixed stock of buffer descriptors, for ranges of any mmap.
 * stopped: nothing can be taken.  started: get and dup.  Buffers stay valid when it stops.
 * Source: DOCA Core Programming Guide, "DOCA Buffer Inventory"; reference, same title.          */

#define DOCA_PRIV_HOME ((int)sizeof(void *)) /* bytes: processors scale an index by that */

struct doca_priv_stock { /* what inventory and pool share; their bufs begin one line behind it */
    struct doca_priv_object obj;
    uint32_t num;
    uint32_t num_free;
    struct doca_buf *free_bufs; /* last returned first */
    struct doca_core_arena *arena;
    union doca_data user_data;
};

struct doca_buf_inventory {
    struct doca_priv_stock stock;
    struct doca_buf_inventory *more; /* the blocks that expand added bufs of the first one in */
};

/* Bytes of one inventory of `num_elements`, or of what an expansion adds. */
#define DOCA_CORE_BYTES_BUF_INVENTORY(num_elements)                                                \
    DOCA_CORE_BYTES_BLOCK(DOCA_CORE_LINE + (size_t)(num_elements) * sizeof(struct doca_buf))
DOCA_CORE_DECL doca_error_t doca_core_bytes_buf_inventory(size_t num_elements, size_t *bytes);

/* Create a stopped inventory of `num_elements`, at least 1 and below 2^28.
 *
 * Owns      one block of the bound arena
 * Cost      O(num_elements)
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_create(size_t num_elements,
                                                      struct doca_buf_inventory **inventory);
DOCA_CORE_DECL doca_error_t doca_core_buf_inventory_create_in(
    struct doca_core_arena *arena, size_t num_elements, struct doca_buf_inventory **inventory);

/* Destroy an inventory, started or not.
 *
 * Cost      O(num_elements)
 * Errors    IN_USE  buffers have not been returned */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_destroy(struct doca_buf_inventory *inventory);

/* Add elements, in any state (later versions).
 *
 *   num_elements  at least 1; with those that are there below 2^28
 *
 * Owns      one more block of the inventory's arena, until destroy
 * Cost      O(num_elements)
 * Errors    NO_MEMORY  the arena is exhausted, or what it has is 16 GiB away; nothing changed */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_expand(struct doca_buf_inventory *inventory,
                                                      uint32_t num_elements);

/* Open or close the inventory.
 *
 * Errors    BAD_STATE  start: is started; stop: is not */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_start(struct doca_buf_inventory *inventory);
DOCA_CORE_DECL doca_error_t doca_buf_inventory_stop(struct doca_buf_inventory *inventory);

/* Take one buf as a window on [addr, addr + len) of `mmap`.
 *   by_addr  the content is empty and begins at addr
 *   by_data  the content is the whole window
 *   by_args  the content is [data, data + data_len), inside the window
 *
 *   len   bytes, at least 1
 *   buf   out: refcount 1, not chained
 *
 * Owns      one element until its refcount is 0; the mmap counts it
 * Cost      O(1); no lock, no system call
 * Errors    INVALID_VALUE  also: the range is not inside the mmap, the content not in the range
 *           BAD_STATE      inventory or mmap is not started
 *           NO_MEMORY      all elements are in use; nothing changed, try again after a release */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_get_by_addr(struct doca_buf_inventory *inventory,
                                                               struct doca_mmap *mmap, void *addr,
                                                               size_t len, struct doca_buf **buf);
DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_get_by_data(struct doca_buf_inventory *inventory,
                                                               struct doca_mmap *mmap, void *data,
                                                               size_t data_len,
                                                               struct doca_buf **buf);
DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_get_by_args(struct doca_buf_inventory *inventory,
                                                               struct doca_mmap *mmap, void *addr,
                                                               size_t len, void *data,
                                                               size_t data_len,
                                                               struct doca_buf **buf);

/* Take a second descriptor of the same windows and contents: one element for each member of the
 * list that `src_buf` heads, all or nothing. The bytes are shared, not copied.
 *
 * Cost      O(elements)
 * Errors    BAD_STATE      the inventory is not started, or src_buf was returned
 *           NOT_PERMITTED  src_buf is not a head
 *           NO_MEMORY      too few elements are free */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_dup(struct doca_buf_inventory *inventory,
                                                       const struct doca_buf *src_buf,
                                                       struct doca_buf **dst_buf);

/* Read or carry; allowed in every state. user_data is 0 when never set. */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_get_num_elements(
    const struct doca_buf_inventory *inventory, uint32_t *num_of_elements);
DOCA_CORE_DECL doca_error_t doca_buf_inventory_get_num_free_elements(
    const struct doca_buf_inventory *inventory, uint32_t *num_of_free_elements);
DOCA_CORE_DECL doca_error_t doca_buf_inventory_get_user_data(
    const struct doca_buf_inventory *inventory, union doca_data *user_data);
DOCA_CORE_DECL doca_error_t doca_buf_inventory_set_user_data(struct doca_buf_inventory *inventory,
                                                             union doca_data user_data);

/* ---- >>pool ---------------------------------------------------------------------------------
 * A stock of bufs that each own, for life, one slot of one mmap: a memory pool.
 * Source: DOCA Core Programming Guide, "Inventory Types"; API reference, "DOCA Buffer Pool".    */

struct doca_buf_pool {
    struct doca_priv_stock stock;
    struct doca_mmap *mmap;
    size_t element_size;
    uint32_t mmap_serial; /* tells another mmap in the same place */
    uint32_t log_alignment;
};

/* Bytes of one pool of `num_elements`; the slots are the mmap's memory. */
#define DOCA_CORE_BYTES_BUF_POOL(num_elements)                                                     \
    DOCA_CORE_BYTES_BLOCK(DOCA_CORE_LINE + (size_t)(num_elements) * sizeof(struct doca_buf))
DOCA_CORE_DECL doca_error_t doca_core_bytes_buf_pool(size_t num_elements, size_t *bytes);

/* Create a stopped pool of slots in `mmap`, which has its range and need not be started yet.
 *
 *   num_elements  at least 1, below 2^32
 *   element_size  bytes of a slot, at least 1
 *
 * Owns      one block of the arena of the mmap, which has to outlive a pool in another arena
 * Errors    INVALID_VALUE  also: a 0, or an mmap without range
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_buf_pool_create(size_t num_elements, size_t element_size,
                                                 const struct doca_mmap *mmap,
                                                 struct doca_buf_pool **buf_pool);
DOCA_CORE_DECL doca_error_t doca_core_buf_pool_create_in(struct doca_core_arena *arena,
                                                         size_t num_elements, size_t element_size,
                                                         const struct doca_mmap *mmap,
                                                         struct doca_buf_pool **buf_pool);

/* Destroy a pool, started or not.
 *
 * Cost      O(num_elements)
 * Errors    IN_USE  buffers have not been returned */
DOCA_CORE_DECL doca_error_t doca_buf_pool_destroy(struct doca_buf_pool *buf_pool);

/* Cut the mmap into slots: the first at its first aligned address, the others at multiples of the
 * slot size rounded up to the alignment.
 *
 * Cost      O(num_elements)
 * Errors    BAD_STATE       the mmap is not started or was destroyed, or the pool is started
 *           INITIALIZATION  the slots, each rounded up, do not fit into the mmap */
DOCA_CORE_DECL doca_error_t doca_buf_pool_start(struct doca_buf_pool *buf_pool);

/* Close the pool and open its setters.
 *
 * Errors    BAD_STATE  is not started
 *           IN_USE     buffers have not been returned */
DOCA_CORE_DECL doca_error_t doca_buf_pool_stop(struct doca_buf_pool *buf_pool);

/* Take one buf: the whole of its slot, empty, refcount 1.
 *
 * Cost      O(1)
 * Errors    BAD_STATE  is not started, or the mmap is not (any more)
 *           EMPTY      all elements are in use; nothing changed, try again after a release */
DOCA_CORE_DECL doca_error_t doca_buf_pool_buf_alloc(struct doca_buf_pool *buf_pool,
                                                    struct doca_buf **buf);

/* Set the alignment of every slot in bytes, a power of two; 1 when never set.
 *
 * Errors    INVALID_VALUE  also: not a power of two
 *           BAD_STATE      is started */
DOCA_CORE_DECL doca_error_t doca_buf_pool_set_element_alignment(struct doca_buf_pool *buf_pool,
                                                                size_t element_alignment);
DOCA_CORE_DECL doca_error_t doca_buf_pool_get_element_alignment(
    const struct doca_buf_pool *buf_pool, size_t *element_alignment);

/* Carry a word of the program; 0 when never set.
 *
 * Errors    BAD_STATE  set: is started */
DOCA_CORE_DECL doca_error_t doca_buf_pool_set_user_data(struct doca_buf_pool *buf_pool,
                                                        union doca_data user_data);
DOCA_CORE_DECL doca_error_t doca_buf_pool_get_user_data(const struct doca_buf_pool *buf_pool,
                                                        union doca_data *user_data);
DOCA_CORE_DECL doca_error_t doca_buf_pool_get_num_elements(const struct doca_buf_pool *buf_pool,
                                                           uint32_t *num_of_elements);
DOCA_CORE_DECL doca_error_t doca_buf_pool_get_num_free_elements(
    const struct doca_buf_pool *buf_pool, uint32_t *num_of_free_elements);

/* ---- >>buf_array ----------------------------------------------------------------------------
 * A row of equal windows on one mmap, by index rather than by pointer, for processors that cannot
 * follow ours. What such a processor (DPA, GPU) is and how it sees the row, a backend says (see
 * arr_start in >>backend); without one the array can be made and started, but has no handle.
 * stopped: configure.  started: fixed.
 * Source: API reference, "DOCA Buffer Array".                                                   */

enum doca_core_processor {
    DOCA_CORE_PROCESSOR_CPU = 0,
    DOCA_CORE_PROCESSOR_DPA = 1, /* struct doca_dpa, struct doca_dpa_dev_buf_arr */
    DOCA_CORE_PROCESSOR_GPU = 2  /* struct doca_gpu, struct doca_gpu_buf_arr */
};

struct doca_buf_arr {
    struct doca_priv_object obj;
    uint32_t mmap_serial;
    uint32_t num;    /* elements */
    size_t size;     /* bytes of an element; 0 before set_params */
    uint64_t offset; /* of the first one in the mmap */
    enum doca_core_processor processor;
    struct doca_mmap *mmap; /* NULL: made as since 3.0, and none named yet */
    struct doca_core_arena *arena;
    void *target; /* the processor, NULL: the CPU */
    void *handle; /* while started: what it sees, */
    struct doca_dev *dev; /* and through whom */
};

#define DOCA_CORE_BYTES_BUF_ARR(n)                                                                 \
    ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_buf_arr)))
DOCA_CORE_DECL doca_error_t doca_core_bytes_buf_arr(size_t *bytes);

typedef uint64_t doca_dpa_dev_buf_arr_t; /* since 3.0: what a DPA sees, as a number */

/* Create a stopped array on `mmap`, which has its range and need not be started yet.
 *
 * Owns      one block of the arena of the mmap, which has to outlive an array in another arena
 * Errors    INVALID_VALUE  also: the mmap has no range
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_buf_arr_create(struct doca_mmap *mmap,
                                                struct doca_buf_arr **buf_arr);
DOCA_CORE_DECL doca_error_t doca_core_buf_arr_create_in(struct doca_core_arena *arena,
                                                        struct doca_mmap *mmap,
                                                        struct doca_buf_arr **buf_arr);

/* The same as since 3.0, where it has the vendor's name: a stopped array of `num_elem` elements, on
 * the mmap that its parameters will name.
 *
 * Owns      one block of the bound arena
 * Errors    INVALID_VALUE  also: 0 elements, or more than 32 bits can count
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_core_v3_buf_arr_create(size_t num_elem,
                                                        struct doca_buf_arr **buf_arr);
DOCA_CORE_DECL doca_error_t doca_core_v3_buf_arr_create_in(struct doca_core_arena *arena,
                                                           size_t num_elem,
                                                           struct doca_buf_arr **buf_arr);

/* Destroy an array, started or not. */
DOCA_CORE_DECL doca_error_t doca_buf_arr_destroy(struct doca_buf_arr *buf_arr);

/* Name the row: `num_elem` windows of `size` bytes, the first `start_offset` bytes into the mmap.
 *
 * Errors    INVALID_VALUE  also: a 0, or the row does not fit into the mmap
 *           BAD_STATE      is started */
DOCA_CORE_DECL doca_error_t doca_buf_arr_set_params(struct doca_buf_arr *buf_arr, size_t size,
                                                    uint32_t num_elem, uint32_t start_offset);

/* The same as since 3.0, where it has the vendor's name: the mmap is named here, with its range
 * set, and the number of elements stays. The arena of the mmap has to outlive the array.
 *
 * Errors    as above */
DOCA_CORE_DECL doca_error_t doca_core_v3_buf_arr_set_params(struct doca_buf_arr *buf_arr,
                                                            struct doca_mmap *mmap,
                                                            size_t elem_size,
                                                            uint64_t start_offset);

/* Name the processor; the last call counts. It stays the caller's.
 *
 * Errors    BAD_STATE      is started
 *           NOT_SUPPORTED  no registered backend serves other processors */
DOCA_CORE_DECL doca_error_t doca_buf_arr_set_target_dpa(struct doca_buf_arr *buf_arr,
                                                        struct doca_dpa *dpa_handler);
DOCA_CORE_DECL doca_error_t doca_buf_arr_set_target_gpu(struct doca_buf_arr *buf_arr,
                                                        struct doca_gpu *gpu_handler);

/* Fix the configuration, and have the processor's view made, if one was named.
 *
 * Owns      with a processor: a use of the device that serves it, until stop or destroy
 * Errors    INVALID_VALUE  no parameters were set
 *           BAD_STATE      is started
 *           NOT_PERMITTED  the mmap is not started or was destroyed
 *           NOT_SUPPORTED  no device of the mmap serves the processor
 *           any            what the backend answered */
DOCA_CORE_DECL doca_error_t doca_buf_arr_start(struct doca_buf_arr *buf_arr);

/* Open the setters again.
 *
 * Errors    BAD_STATE  is not started */
DOCA_CORE_DECL doca_error_t doca_buf_arr_stop(struct doca_buf_arr *buf_arr);

/* Give the processor's view of the array, valid until it is stopped. The last one has the vendor's
 * name since 3.0.
 *
 * Errors    BAD_STATE      is not started
 *           NOT_SUPPORTED  the array is not for this processor */
DOCA_CORE_DECL doca_error_t doca_buf_arr_get_dpa_handle(const struct doca_buf_arr *buf_arr,
                                                        struct doca_dpa_dev_buf_arr **dpa_buf_arr);
DOCA_CORE_DECL doca_error_t doca_buf_arr_get_gpu_handle(const struct doca_buf_arr *buf_arr,
                                                        struct doca_gpu_buf_arr **gpu_buf_arr);
DOCA_CORE_DECL doca_error_t doca_core_v3_buf_arr_get_dpa_handle(
    const struct doca_buf_arr *buf_arr, doca_dpa_dev_buf_arr_t *dpa_buf_arr);

/* ---- >>task ---------------------------------------------------------------------------------
 * One unit of work: a slot in its context's stock, with this generic part first.
 * free: in the stock.  owned: the program's, from alloc_init and again from its callback on.
 * submitted: the library's, until exactly one callback runs for it.
 * held: a batch, or a submitted graph instance, will submit it; it can be changed, not submitted or
 * freed.
 * Source: DOCA Core Programming Guide, "DOCA Task"; public 3.0 reference, "DOCA PE".            */

struct doca_task {
    uint8_t kind; /* read and written as one word with state, DOCA_PRIV_TASK_*, and zero */
    uint8_t state;
    uint16_t zero;
    uint8_t status;         /* doca_error_t; a backend sets it before poll hands the task over */
    uint8_t type;           /* index in the context */
    uint8_t batch;          /* 1 + index of the one it is in; 0: none */
    uint8_t more;           /* DOCA_CORE_MORE_*, while it is posted */
    struct doca_task *next; /* free: the context's; submitted: the backend's to use */
    struct doca_ctx *ctx;
    union doca_data user_data;
    void (*done)(struct doca_task *task); /* calls the program's callback */
};

/* When a device is to learn of a task. */
enum {
    DOCA_CORE_MORE_NONE = 0,    /* now, and of all before it */
    DOCA_CORE_MORE_AT_ONCE = 1, /* now, or with the one that is posted right behind it */
    DOCA_CORE_MORE_LATER = 2    /* from a post without this, or queue_ring; AGAIN: it cannot wait */
};

enum {
    DOCA_PRIV_TASK_FREE = 0,
    DOCA_PRIV_TASK_OWNED = 1,
    DOCA_PRIV_TASK_SUBMITTED = 2,
    DOCA_PRIV_TASK_HELD = 3
};

/* Completion, of whichever outcome. */
typedef void (*doca_task_completion_cb_t)(struct doca_task *task, union doca_data task_user_data,
                                          union doca_data ctx_user_data);

/* Hand a task to the device. What is wrong with its buffers the device finds, as hardware does:
 * the error callback reports IO_FAILED and the context stops. (DOCA_CORE_CHECK 2: as try_submit.)
 *
 * Owns      on SUCCESS the library has the task until its callback, else it stays the program's
 * Callback  allowed inside task callbacks, for the same task or others
 * Cost      O(1); no lock, no system call, except one write when it wakes an armed PE
 * Errors    INVALID_VALUE  also: source or destination is NULL
 *           BAD_STATE      the context is not running, or the task is free or submitted
 *           AGAIN          the device queue is full; progress, then try again
 *           any            what else a backend answered; the task stays the program's */
DOCA_CORE_DECL doca_error_t doca_task_submit(struct doca_task *task);

/* Later versions; a bit mask. */
enum doca_task_submit_flag {
    DOCA_TASK_SUBMIT_FLAG_NONE = 0,
    DOCA_TASK_SUBMIT_FLAG_FLUSH = 1 << 0,           /* tell the device, as submit does */
    DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS = 1 << 1 /* its callback may come later; it does not */
};

/* Submit with flags (later versions). Without FLUSH the context keeps the task, in flight, and the
 * device learns of it, after those kept before it, from the next submit of any kind that is not
 * without FLUSH, from doca_ctx_flush_tasks(), or never: a stop flushes it as it does the others.
 *
 * Owns, Callback, Cost  as doca_task_submit()
 * Errors    as doca_task_submit(), and
 *           INVALID_VALUE  also: an unknown flag */
DOCA_CORE_DECL doca_error_t doca_task_submit_ex(struct doca_task *task, uint32_t flags);

/* Check everything the device would refuse, then submit. For development.
 *
 * Cost      O(elements of its lists), product of both for the overlap of two lists
 * Errors    as doca_task_submit(), and
 *           INVALID_VALUE  source returned, too large, or longer in elements than the device's
 *                          limit; too little room in the destination; an mmap that was not started
 *                          on the device. memcpy: source empty, overlapping lists. Partial hash: a
 *                          segment, not the final one, that is not whole blocks
 *           NOT_PERMITTED  the destination mmap gives no local write permission, or the exporter of
 *                          the source no reading
 *           BAD_STATE      partial hash: the session has its result */
DOCA_CORE_DECL doca_error_t doca_task_try_submit(struct doca_task *task);

/* Return a task to its context. Every task must be freed before the context can become idle.
 * NULL, a free task, a submitted one and one in a graph instance are logged and left alone.
 *
 * Callback  allowed   Cost O(1) */
DOCA_CORE_DECL void doca_task_free(struct doca_task *task);

/* Read or carry. The status is that of the latest submission, SUCCESS before any; the user data is
 * what the callbacks receive; setting that of a free task is logged and ignored. NULL reads as
 * INVALID_VALUE, 0 and NULL. */
DOCA_CORE_DECL doca_error_t doca_task_get_status(const struct doca_task *task);
DOCA_CORE_DECL void doca_task_set_user_data(struct doca_task *task, union doca_data user_data);
DOCA_CORE_DECL union doca_data doca_task_get_user_data(const struct doca_task *task);
DOCA_CORE_DECL struct doca_ctx *doca_task_get_ctx(const struct doca_task *task);

/* ---- >>ctx ----------------------------------------------------------------------------------
 * An engine as seen by the PE: the first member of doca_dma, doca_sha and doca_sync_event.
 *     IDLE -> (STARTING ->) RUNNING -> STOPPING -> IDLE; straight to IDLE when nothing is out
 * IDLE: configure.  RUNNING: allocate and submit tasks.  STOPPING: tasks in flight finish or are
 * flushed with DOCA_ERROR_SHUTDOWN; the program frees every task; then a progress call makes it
 * IDLE. A failed task can stop its context: the tasks behind it then fail with IO_FAILED. So does a
 * failure of the device, and with it all its contexts, also those that have nothing to do.
 * Threads: one at a time, that of the PE.
 * Source: DOCA Core Programming Guide, "DOCA Context"; API reference, "DOCA Context".           */

enum doca_ctx_states {
    DOCA_CTX_STATE_IDLE = 0,
    DOCA_CTX_STATE_STARTING = 1,
    DOCA_CTX_STATE_RUNNING = 2,
    DOCA_CTX_STATE_STOPPING = 3
};

/* Learn of a state change. Runs in doca_pe_progress(), once for each change, in order, as the only
 * callback of that call; the context may be configured, started, stopped, used or, when
 * next_state is IDLE, destroyed in it. */
typedef void (*doca_ctx_state_changed_callback_t)(const union doca_data user_data,
                                                  struct doca_ctx *ctx,
                                                  enum doca_ctx_states prev_state,
                                                  enum doca_ctx_states next_state);

#define DOCA_PRIV_CTX_TYPES 6 /* of tasks, at most */

struct doca_priv_task_stock { /* one per task type of a context, right behind its struct doca_ctx */
    void (*done)(struct doca_task *task);
    uint32_t num;        /* configured; 0: type disabled */
    uint32_t task_bytes; /* of a slot, whole lines */
};

/* Completion of a batch (see >>batch): all its tasks succeeded, or not all of them. */
typedef void (*doca_core_task_batch_completion_cb_t)(struct doca_task_batch *task_batch,
                                                     uint16_t num_tasks,
                                                     union doca_data task_batch_user_data,
                                                     union doca_data ctx_user_data);

struct doca_priv_batch_stock {
    struct doca_task_batch *free_batches;
    unsigned char *first; /* batch of the block that start takes */
    uint32_t num;
    uint32_t max_tasks; /* of each */
    doca_core_task_batch_completion_cb_t done;
    doca_core_task_batch_completion_cb_t failed;
};

struct doca_priv_engine; /* what the kinds of contexts differ in; defined where they are built */

#define DOCA_PRIV_CTX_EVENTS 8 /* state changes a context can hold before they are collected */

struct doca_ctx {
    struct doca_priv_object obj; /* obj.state is the enum doca_ctx_states */
    uint32_t num_inflight;
    uint32_t num_out; /* while STOPPING: tasks and batches that are not free */
    struct doca_core_queue *queue; /* first in the block start takes; NULL while idle */
    /* the queue's, NULL for doca_core_queue_append(); or one that has more to do for a task, and
     * one that has none, for attention */
    doca_error_t (*post)(struct doca_core_queue *queue, struct doca_task *task);
    struct doca_task *(*poll)(struct doca_core_queue *queue);
    union doca_data user_data;
    struct doca_ctx *active_next; /* ring of the PE's active contexts; NULL: not in it */
    struct doca_ctx *active_prev;
    struct doca_task *free_tasks[DOCA_PRIV_CTX_TYPES]; /* last freed first */

    /* cold */
    struct doca_pe *pe;
    uint8_t attention; /* progress has more to do for it than poll the queue */
    uint8_t can_hold;  /* post is the queue's, which may keep tasks from the device */
    uint8_t num_stocks;
    uint8_t num_events;
    uint8_t events[DOCA_PRIV_CTX_EVENTS]; /* previous state * 4 + next state */
    doca_ctx_state_changed_callback_t state_cb;
    const struct doca_priv_engine *engine;
    const struct doca_core_backend *backend; /* the device's, or one of core's own */
    struct doca_dev *dev;                    /* NULL: works without one */
    struct doca_core_arena *arena;
    struct doca_ctx *pe_next; /* all contexts of the PE, those inside of graphs included */
    struct doca_task *kept; /* in flight, and the queue was not told; NULL: none */
    struct doca_task *kept_last;
    struct doca_task *refused; /* in flight, and the queue did not take them; progress ends them */
    struct doca_task *refused_last;
    bool must_tell; /* the queue was full: progress tells it of those that are kept */
    struct doca_priv_batch_stock batches;
};

/* Take all resources and begin to run.
 *
 * Owns      one block of the context's arena until it is idle again
 * Errors    IN_PROGRESS       the device starts later: STARTING, progress until RUNNING
 *           BAD_STATE         is not idle, or no task type was configured
 *           NOT_CONNECTED     has no PE
 *           NOT_SUPPORTED     the device has no such engine
 *           NO_MEMORY         the arena is exhausted
 *           OPERATING_SYSTEM  the handle of the PE cannot watch the device, or the device found no
 *                             file descriptor left
 *           DRIVER            the device has failed; it may work again later
 *           INITIALIZATION    or what else the backend answered */
DOCA_CORE_DECL doca_error_t doca_ctx_start(struct doca_ctx *ctx);

/* Stop. With no task in flight or allocated: IDLE at once. On an idle context: nothing.
 *
 * Callback  allowed, in callbacks of its own tasks too
 * Errors    IN_PROGRESS  tasks are out: STOPPING, progress until IDLE */
DOCA_CORE_DECL doca_error_t doca_ctx_stop(struct doca_ctx *ctx);

/* Tell the device of the tasks that were submitted without FLUSH (later versions). In any state.
 *
 * Callback  allowed
 * Cost      O(tasks) */
DOCA_CORE_DECL void doca_ctx_flush_tasks(struct doca_ctx *ctx);

/* Read the state, or the number of tasks submitted and not yet handed to their callback. */
DOCA_CORE_DECL doca_error_t doca_ctx_get_state(const struct doca_ctx *ctx,
                                               enum doca_ctx_states *state);
DOCA_CORE_DECL doca_error_t doca_ctx_get_num_inflight_tasks(const struct doca_ctx *ctx,
                                                            size_t *num_inflight_tasks);

/* Carry a word that every callback of the context receives; 0 when never set. In any state. */
DOCA_CORE_DECL doca_error_t doca_ctx_set_user_data(struct doca_ctx *ctx, union doca_data user_data);
DOCA_CORE_DECL doca_error_t doca_ctx_get_user_data(const struct doca_ctx *ctx,
                                                   union doca_data *user_data);

/* Have `cb` called for every state change from now on; NULL removes it. In any state. Changes that
 * were not yet reported to another callback are dropped. Up to 8 changes wait for progress; beyond
 * that the oldest are folded, with a warning. */
DOCA_CORE_DECL doca_error_t doca_ctx_set_state_changed_cb(struct doca_ctx *ctx,
                                                          doca_ctx_state_changed_callback_t cb);

/* Move the data path to another processor. Not offered.
 *
 * Errors    BAD_STATE      is not idle
 *           NOT_SUPPORTED  otherwise */
DOCA_CORE_DECL doca_error_t doca_ctx_set_datapath_on_dpa(struct doca_ctx *ctx,
                                                         struct doca_dpa *dpa_dev);
DOCA_CORE_DECL doca_error_t doca_ctx_set_datapath_on_gpu(struct doca_ctx *ctx,
                                                         struct doca_gpu *gpu_dev);

/* Choose which interrupt of the device tells of finished tasks, and ask how many there are (later
 * versions). A device has one, number 0, which is the choice from the beginning.
 *
 * Errors    INVALID_VALUE  set: no such vector
 *           BAD_STATE      set: is not idle */
DOCA_CORE_DECL doca_error_t doca_ctx_set_completion_vector(struct doca_ctx *ctx,
                                                           uint32_t comp_vector);
DOCA_CORE_DECL doca_error_t doca_ctx_cap_get_num_completion_vectors(
    const struct doca_devinfo *devinfo, uint32_t *num_comp_vectors);

/* ---- >>pe -----------------------------------------------------------------------------------
 * The loop that finishes work. It serves its contexts round robin; one with nothing in flight and
 * nothing to report costs nothing. Poll it, or sleep on its handle:
 *     request_notification, submit (in either order), epoll, clear_notification, progress until 0
 * Threads: one at a time.
 * Source: DOCA Core Programming Guide, "DOCA Progress Engine"; public 3.0 reference, same title. */

struct doca_pe {
    struct doca_priv_object obj;
    struct doca_ctx *active; /* the ring, beginning with the context to serve next */
    uint8_t is_armed;
    uint8_t is_signalled; /* the handle is readable */
    uint8_t disarms;      /* by itself, when it signals */
    int fd;               /* the handle: an epoll set. -1 until somebody asks for it */
    int event_fd;         /* in the set: readable while is_signalled */
    struct doca_ctx *ctxs;
    struct doca_core_arena *arena;
    DOCA_PRIV_CHECKED(struct doca_priv_check_user user; struct doca_buf *written;)
    struct doca_pe *next;  /* of those with num_fallible > 0 */
    uint32_t num_fallible; /* contexts that are not idle, of devices that can fail */
    uint32_t num_vain;     /* calls of progress that found nothing, while there are such */
};

#define DOCA_CORE_BYTES_PE(n) ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_pe)))
DOCA_CORE_DECL doca_error_t doca_core_bytes_pe(size_t *bytes);

/* Create a PE without contexts.
 *
 * Owns      one block of the bound arena; two file descriptors once its handle is used
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_pe_create(struct doca_pe **pe);
DOCA_CORE_DECL doca_error_t doca_core_pe_create_in(struct doca_core_arena *arena,
                                                   struct doca_pe **pe);

/* Destroy a PE.
 *
 * Errors    IN_USE  a context is connected, or a graph exists; their destroy disconnects them */
DOCA_CORE_DECL doca_error_t doca_pe_destroy(struct doca_pe *pe);

/* Connect an idle context, for the rest of its life.
 *
 * Errors    BAD_STATE      the context is not idle
 *           NOT_PERMITTED  it has a PE */
DOCA_CORE_DECL doca_error_t doca_pe_connect_ctx(struct doca_pe *pe, struct doca_ctx *ctx);

/* Do the next piece of work: run at most one callback, or the functions of up to 64 user nodes of
 * one graph instance. 1 when anything moved (a task finished, a node ran, a context reached RUNNING
 * or IDLE, a change was reported), else 0. `pe` is not NULL.
 * Everything is in order before a callback runs, so a callback may leave by longjmp, or by a C++
 * exception (compile the implementation with -fexceptions or as C++), and progress be called again.
 * Contexts of a device that has failed begin to stop in the next call after any PE has learned of
 * it: one that is armed, and wakes; that has found nothing DOCA_CORE_PE_PATIENCE times; or that
 * starts a context on it.
 *
 * Callback  not allowed inside callbacks
 * Cost      O(1) + the work of one task on a software device; O(contexts in flight) when the
 *           devices of those are still busy; 0 contexts in flight: a handle check and a branch;
 *           with contexts of devices that can fail (doca_core_mlx5.h) a little more, and once in
 *           DOCA_CORE_PE_PATIENCE calls that find nothing a system call for each such device */
#define DOCA_CORE_PE_PATIENCE 16384
DOCA_CORE_DECL uint8_t doca_pe_progress(struct doca_pe *pe);

/* Sum up the tasks in flight of all connected contexts, and what the graphs have waiting for
 * progress: user nodes, tasks that met a full queue, callbacks. 0 exactly when nothing is left to
 * do.   Cost O(contexts and graphs) */
DOCA_CORE_DECL doca_error_t doca_pe_get_num_inflight_tasks(const struct doca_pe *pe,
                                                           size_t *num_inflight_tasks);

/* Give a file descriptor for poll, epoll or select, the same for the life of the PE: readable when
 * the PE was armed and has work.
 *
 * Errors    NOT_SUPPORTED     built without an operating system
 *           OPERATING_SYSTEM  no descriptor to be had */
DOCA_CORE_DECL doca_error_t doca_pe_get_notification_handle(const struct doca_pe *pe,
                                                            doca_notification_handle_t *handle);

/* Arm the handle, once: it becomes readable as soon as there is work, now or later. Asking again
 * before the clear begins anew.
 *
 * Errors    as doca_pe_get_notification_handle() */
DOCA_CORE_DECL doca_error_t doca_pe_request_notification(struct doca_pe *pe);

/* Make the handle unreadable and disarm it. `handle` is ignored, as on Linux with the vendor.
 *
 * Errors    OPERATING_SYSTEM  the read failed */
DOCA_CORE_DECL doca_error_t doca_pe_clear_notification(struct doca_pe *pe,
                                                       doca_notification_handle_t handle);

/* Later versions. */
enum doca_pe_event_mode {
    DOCA_PE_EVENT_MODE_PROGRESS_SELECTIVE = 0, /* from the beginning */
    DOCA_PE_EVENT_MODE_PROGRESS_ALL = 1
};

/* Choose how an armed handle ends (later versions). SELECTIVE: by doca_pe_clear_notification(), and
 * progress before it is reported at check level 2 (vendor: serves only what had an event). ALL: by
 * itself, with the event; nothing needs to be cleared, progress may come at any time, and the
 * handle stays readable until the next request.
 *
 * Callback  not allowed inside task callbacks
 * Errors    INVALID_VALUE  also: no such mode */
DOCA_CORE_DECL doca_error_t doca_pe_set_event_mode(struct doca_pe *pe,
                                                   enum doca_pe_event_mode event_mode);

/* Later versions, for libraries with events that come in batches; nothing here takes one. 3.0 put
 * two before those that were there. */
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

/* ---- >>batch --------------------------------------------------------------------------------
 * Tasks of one context that are submitted with one call and reported with one callback, once all of
 * them have finished (later versions). The vendor's batches are those of its network queues, which
 * also make them; here the two doca_core_ calls do, and tasks of any kind join:
 *     set_conf -> start -> alloc_init -> task's alloc_init, add ... -> submit -> callback -> free
 * From add to free a task is the batch's: held, or submitted with it. Its own callbacks do not run.
 * Threads: one at a time, that of the PE.
 * Source: public 3.0 reference, "DOCA PE".                                                      */

enum doca_task_batch_max_tasks_number {
    DOCA_TASK_BATCH_MAX_TASKS_NUMBER_16,
    DOCA_TASK_BATCH_MAX_TASKS_NUMBER_32,
    DOCA_TASK_BATCH_MAX_TASKS_NUMBER_64,
    DOCA_TASK_BATCH_MAX_TASKS_NUMBER_128
};

struct doca_task_batch { /* then its tasks, as pointers */
    struct doca_priv_object obj; /* obj.state is DOCA_PRIV_TASK_FREE, _OWNED or _SUBMITTED */
    uint16_t num;
    uint16_t num_left; /* in flight */
    doca_error_t status;
    struct doca_ctx *ctx;
    struct doca_task_batch *next; /* free ones */
    union doca_data user_data;
};

/* Bytes that `num_batches` of up to `max_tasks` tasks (the number, not the enumerator) add to a
 * started context; no header line is in it, they stand in the block that start takes. */
#define DOCA_CORE_BYTES_TASK_BATCH(num_batches, max_tasks)                                         \
    ((size_t)(num_batches) * (DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_task_batch) +               \
                                                    (size_t)(max_tasks) * sizeof(void *)) -        \
                              DOCA_CORE_LINE))
DOCA_CORE_DECL doca_error_t doca_core_bytes_task_batch(
    uint32_t num_batches, enum doca_task_batch_max_tasks_number max_tasks, size_t *bytes);

/* Let a context have batches, from its next start on. May be called again while idle.
 *
 *   max_tasks            of each batch
 *   num_batches          that can be allocated at one time, 1 to 255
 *   batch_completion_cb  every task succeeded
 *   batch_error_cb       the other case; may be the same function
 *
 * Errors    INVALID_VALUE  also: a count outside of that, no such size
 *           BAD_STATE      the context is not idle */
DOCA_CORE_DECL doca_error_t doca_core_ctx_set_task_batch_conf(
    struct doca_ctx *ctx, enum doca_task_batch_max_tasks_number max_tasks, uint32_t num_batches,
    doca_core_task_batch_completion_cb_t batch_completion_cb,
    doca_core_task_batch_completion_cb_t batch_error_cb);

/* Take a batch without tasks.
 *
 * Callback  allowed   Cost O(1)
 * Errors    BAD_STATE  the context is not running
 *           NO_MEMORY  all batches are allocated, or none were enabled */
DOCA_CORE_DECL doca_error_t doca_core_task_batch_alloc_init(struct doca_ctx *ctx,
                                                            union doca_data user_data,
                                                            struct doca_task_batch **task_batch);

/* Put a task that is the program's behind the others of a batch, or give the one with this index:
 * NULL when there is none.
 *
 * Owns      the task is freed with the batch
 * Callback  allowed   Cost O(1)
 * Errors    INVALID_VALUE  also: the task is of another context
 *           BAD_STATE      the batch is free or submitted; the task is free, submitted or held
 *           FULL           it has max_tasks already */
DOCA_CORE_DECL doca_error_t doca_core_task_batch_add(struct doca_task_batch *task_batch,
                                                     struct doca_task *task);
DOCA_CORE_DECL struct doca_task *doca_core_task_batch_get_task(
    const struct doca_task_batch *task_batch, uint16_t index);

/* Submit all tasks of a batch, in order, or none; as doca_task_submit() and _try_submit(). What the
 * device has no room for at the moment follows in progress. Its tasks count in flight one by one; a
 * progress call finishes one.
 *
 * Owns      on SUCCESS the library has the batch until its callback
 * Callback  allowed   Cost O(tasks)
 * Errors    INVALID_VALUE  also: the batch is empty; source or destination of a task is NULL
 *           BAD_STATE      the context is not running, or the batch is free or submitted
 *           any            try_submit: what doca_task_try_submit() says of a task */
DOCA_CORE_DECL doca_error_t doca_task_batch_submit(struct doca_task_batch *task_batch);
DOCA_CORE_DECL doca_error_t doca_task_batch_try_submit(struct doca_task_batch *task_batch);

/* Return a batch, and its tasks, to their context. Both hold the context up as a task does. NULL, a
 * free batch and a submitted one are logged and left alone.
 *
 * Callback  allowed   Cost O(tasks) */
DOCA_CORE_DECL void doca_task_batch_free(struct doca_task_batch *task_batch);

/* Read or carry, as the calls for a task do. The status is that of the first task that failed in
 * the latest submission; each task has its own as well. */
DOCA_CORE_DECL doca_error_t doca_task_batch_get_status(const struct doca_task_batch *task_batch);
DOCA_CORE_DECL void doca_task_batch_set_user_data(struct doca_task_batch *task_batch,
                                                  union doca_data user_data);
DOCA_CORE_DECL union doca_data doca_task_batch_get_user_data(
    const struct doca_task_batch *task_batch);
DOCA_CORE_DECL struct doca_ctx *doca_task_batch_get_ctx(const struct doca_task_batch *task_batch);
DOCA_CORE_DECL union doca_data doca_task_batch_get_ctx_user_data(
    const struct doca_task_batch *task_batch);
DOCA_CORE_DECL uint16_t doca_task_batch_get_tasks_num(struct doca_task_batch *task_batch);

/* ---- >>dma ----------------------------------------------------------------------------------
 * The copy engine: memcpy tasks from the content of a source list to the room behind the content
 * of a destination list, whose content grows by as much. All or nothing. Two single bufs may
 * overlap, the result is as by memmove; lists that overlap are refused by try_submit, and get
 * unspecified bytes, inside their room, otherwise.
 * create -> set_conf -> connect -> start -> alloc_init -> submit -> callback -> free
 * Source: DOCA DMA guide; public 3.0 reference, "DOCA DMA".                                     */

struct doca_dma_task_memcpy {
    struct doca_task task;
    const struct doca_buf *src;
    struct doca_buf *dst;
    uint64_t backend_data; /* the backend's own while submitted */
};

/* Completion of a memcpy task; serves both outcomes. */
typedef void (*doca_dma_task_memcpy_completion_cb_t)(struct doca_dma_task_memcpy *task,
                                                     union doca_data task_user_data,
                                                     union doca_data ctx_user_data);

struct doca_dma {
    struct doca_ctx ctx;
    struct doca_priv_task_stock memcpy_stock;
    doca_dma_task_memcpy_completion_cb_t memcpy_done;
    doca_dma_task_memcpy_completion_cb_t memcpy_failed;
};

/* Bytes of one DMA context of `num_tasks` on a software device, started; other devices' queues may
 * be larger, which the run-time form knows. */
#define DOCA_CORE_SW_BYTES_QUEUE DOCA_CORE_LINE
#define DOCA_CORE_BYTES_DMA(num_tasks)                                                             \
    (DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_dma)) +                                              \
     DOCA_CORE_BYTES_BLOCK(DOCA_CORE_SW_BYTES_QUEUE + (size_t)(num_tasks) * DOCA_CORE_LINE))
DOCA_CORE_DECL doca_error_t doca_core_bytes_dma(struct doca_dev *dev, uint32_t num_tasks,
                                                size_t *bytes);

/* Create an idle DMA context on `dev`.
 *
 * Owns      one block of the device's arena, and a use of the device
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_dma_create(struct doca_dev *dev, struct doca_dma **dma);
DOCA_CORE_DECL doca_error_t doca_core_dma_create_in(struct doca_core_arena *arena,
                                                    struct doca_dev *dev, struct doca_dma **dma);

/* Destroy a DMA context and disconnect it from its PE. A running one with nothing out is stopped;
 * state changes not yet reported are dropped.
 *
 * Callback  allowed in its state callback when the state is IDLE
 * Errors    IN_USE  tasks are in flight or not freed */
DOCA_CORE_DECL doca_error_t doca_dma_destroy(struct doca_dma *dma);

/* View a DMA as its context; the same object. NULL for NULL. */
DOCA_CORE_DECL struct doca_ctx *doca_dma_as_ctx(struct doca_dma *dma);

/* Give the GPU's view of a DMA context whose data path is there (later versions).
 *
 * Errors    BAD_STATE  none is */
DOCA_CORE_DECL doca_error_t doca_dma_get_gpu_handle(struct doca_dma *dma,
                                                    struct doca_gpu_dma **gpu_dma);

/* Ask what a device can do. is_supported gives SUCCESS or NOT_SUPPORTED; a list length of 1 means
 * no lists; sizes are bytes per task.
 *
 * Errors    NOT_SUPPORTED  the device has no copy engine (max_num_tasks: 0 then) */
DOCA_CORE_DECL doca_error_t doca_dma_cap_task_memcpy_is_supported(
    const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_dma_cap_task_memcpy_get_max_buf_list_len(
    const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len);
DOCA_CORE_DECL doca_error_t doca_dma_cap_task_memcpy_get_max_buf_size(
    const struct doca_devinfo *devinfo, uint64_t *buf_size);
DOCA_CORE_DECL doca_error_t doca_dma_cap_get_max_num_tasks(struct doca_dma *dma,
                                                           uint32_t *max_num_tasks);

/* Enable memcpy tasks; mandatory before start. May be called again while idle.
 *
 *   task_completion_cb, task_error_cb  one of them per submission; may be the same function
 *   num_memcpy_tasks                   tasks that can be allocated at one time, at least 1
 *
 * Errors    INVALID_VALUE  also: 0, or more than doca_dma_cap_get_max_num_tasks(), except on a
 *                          device without copy engine, where start gives NOT_SUPPORTED
 *           BAD_STATE      the context is not idle */
DOCA_CORE_DECL doca_error_t doca_dma_task_memcpy_set_conf(
    struct doca_dma *dma, doca_dma_task_memcpy_completion_cb_t task_completion_cb,
    doca_dma_task_memcpy_completion_cb_t task_error_cb, uint32_t num_memcpy_tasks);

/* Take a task. The buffers may be NULL now and be set later; they stay the program's.
 *
 * Callback  allowed
 * Cost      O(1)
 * Errors    BAD_STATE  the context is not running
 *           NO_MEMORY  all tasks are allocated */
DOCA_CORE_DECL doca_error_t doca_dma_task_memcpy_alloc_init(struct doca_dma *dma,
                                                            const struct doca_buf *src,
                                                            struct doca_buf *dst,
                                                            union doca_data user_data,
                                                            struct doca_dma_task_memcpy **task);

/* View a memcpy task as a task; the same object. NULL for NULL. */
DOCA_CORE_DECL struct doca_task *doca_dma_task_memcpy_as_task(struct doca_dma_task_memcpy *task);

/* Read or replace a buffer, not while submitted (logged and ignored). NULL reads as NULL. */
DOCA_CORE_DECL void doca_dma_task_memcpy_set_src(struct doca_dma_task_memcpy *task,
                                                 const struct doca_buf *src);
DOCA_CORE_DECL const struct doca_buf *doca_dma_task_memcpy_get_src(
    const struct doca_dma_task_memcpy *task);
DOCA_CORE_DECL void doca_dma_task_memcpy_set_dst(struct doca_dma_task_memcpy *task,
                                                 struct doca_buf *dst);
DOCA_CORE_DECL struct doca_buf *doca_dma_task_memcpy_get_dst(
    const struct doca_dma_task_memcpy *task);

/* ---- >>sha ----------------------------------------------------------------------------------
 * The hash engine: SHA-1, SHA-256 and SHA-512 of the content of a source list, joined in order. The
 * digest goes to the room behind the content of a destination list, whose content grows by its 20,
 * 32 or 64 bytes. All or nothing. An empty source has a digest, too.
 * A hash task does all of it. A partial hash task is submitted once per segment of a longer text:
 *     alloc_init -> submit -> set_src, submit ... -> set_src, set_is_final_buf, submit -> reset
 * Its session begins with the first segment that succeeds, keeps its state in the task, and ends
 * with reset; the final segment writes the digest. The others are multiples of the block size.
 * create -> set_conf, of one type or of both -> connect -> start -> alloc_init -> submit -> ...
 * Source: DOCA SHA guide; public 3.0 reference, "DOCA SHA"; FIPS 180-4.                         */

enum doca_sha_algorithm {
    DOCA_SHA_ALGORITHM_SHA1 = 0,
    DOCA_SHA_ALGORITHM_SHA256 = 1,
    DOCA_SHA_ALGORITHM_SHA512 = 2
};

enum { /* doca_task.type of the tasks */
    DOCA_CORE_SHA_HASH = 0,
    DOCA_CORE_SHA_PARTIAL = 1
};

struct doca_sha_task_hash {
    struct doca_task task;
    const struct doca_buf *src;
    struct doca_buf *dst;
    uint8_t algorithm;  /* enum doca_sha_algorithm; the rest is 0 for hash tasks */
    uint8_t session;    /* DOCA_PRIV_SHA_*; core keeps these three */
    uint8_t is_final;
    uint8_t has_result;
};

enum {
    DOCA_PRIV_SHA_NEW = 0,  /* before the first segment */
    DOCA_PRIV_SHA_OPEN = 1, /* between segments */
    DOCA_PRIV_SHA_ENDED = 2 /* after the final one */
};

union doca_priv_sha_state { /* the hash so far: 5 or 8 words of 32 bits, or 8 of 64 */
    uint32_t w32[8];
    uint64_t w64[8];
};

struct doca_sha_task_partial_hash {
    struct doca_sha_task_hash hash;
    union doca_priv_sha_state state; /* the backend's own while the session is open, as is: */
    uint64_t bytes;                  /* hashed so far */
};

/* Completion of a hash task, or of one segment; serves both outcomes. */
typedef void (*doca_sha_task_hash_completion_cb_t)(struct doca_sha_task_hash *task,
                                                   union doca_data task_user_data,
                                                   union doca_data ctx_user_data);
typedef void (*doca_sha_task_partial_hash_completion_cb_t)(struct doca_sha_task_partial_hash *task,
                                                           union doca_data task_user_data,
                                                           union doca_data ctx_user_data);

struct doca_sha {
    struct doca_ctx ctx;
    struct doca_priv_task_stock stocks[2]; /* by doca_task.type */
    doca_sha_task_hash_completion_cb_t hash_done;
    doca_sha_task_hash_completion_cb_t hash_failed;
    doca_sha_task_partial_hash_completion_cb_t partial_done;
    doca_sha_task_partial_hash_completion_cb_t partial_failed;
};

/* Bytes of one SHA context with these numbers of tasks (not their logarithms) on a software device,
 * started; other devices' queues may be larger, which the run-time form knows. */
#define DOCA_PRIV_SHA_PARTIAL_BYTES                                                                \
    ((sizeof(struct doca_sha_task_partial_hash) + DOCA_CORE_LINE - 1) / DOCA_CORE_LINE *           \
     DOCA_CORE_LINE)
#define DOCA_CORE_BYTES_SHA(num_hash_tasks, num_partial_hash_tasks)                                \
    (DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_sha)) +                                              \
     DOCA_CORE_BYTES_BLOCK(DOCA_CORE_SW_BYTES_QUEUE + (size_t)(num_hash_tasks) * DOCA_CORE_LINE +  \
                           (size_t)(num_partial_hash_tasks) * DOCA_PRIV_SHA_PARTIAL_BYTES))
DOCA_CORE_DECL doca_error_t doca_core_bytes_sha(struct doca_dev *dev, uint32_t num_hash_tasks,
                                                uint32_t num_partial_hash_tasks, size_t *bytes);

/* Create an idle SHA context on `dev`.
 *
 * Owns      one block of the device's arena, and a use of the device
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_sha_create(struct doca_dev *dev, struct doca_sha **sha);
DOCA_CORE_DECL doca_error_t doca_core_sha_create_in(struct doca_core_arena *arena,
                                                    struct doca_dev *dev, struct doca_sha **sha);

/* Destroy a SHA context and disconnect it from its PE. A running one with nothing out is stopped;
 * state changes not yet reported are dropped.
 *
 * Callback  allowed in its state callback when the state is IDLE
 * Errors    IN_USE  tasks are in flight or not freed */
DOCA_CORE_DECL doca_error_t doca_sha_destroy(struct doca_sha *sha);

/* View a SHA as its context; the same object. NULL for NULL. */
DOCA_CORE_DECL struct doca_ctx *doca_sha_as_ctx(struct doca_sha *sha);

/* Ask what a device can do. get_supported gives SUCCESS or NOT_SUPPORTED; a list length of 1 means
 * no lists; the source size is bytes per submission; the destination size is the digest's; the
 * block size is 64, 64 or 128.
 *
 * Errors    INVALID_VALUE  also: no such algorithm
 *           NOT_SUPPORTED  the device has no hash engine (max_num_tasks: 0 then) */
DOCA_CORE_DECL doca_error_t doca_sha_cap_task_hash_get_supported(
    const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm);
DOCA_CORE_DECL doca_error_t doca_sha_cap_task_partial_hash_get_supported(
    const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm);
DOCA_CORE_DECL doca_error_t doca_sha_cap_get_max_list_buf_num_elem(
    const struct doca_devinfo *devinfo, uint32_t *max_list_buf_num_elem);
DOCA_CORE_DECL doca_error_t doca_sha_cap_get_max_src_buf_size(const struct doca_devinfo *devinfo,
                                                              uint64_t *max_src_buf_size);
DOCA_CORE_DECL doca_error_t doca_sha_cap_get_min_dst_buf_size(const struct doca_devinfo *devinfo,
                                                              enum doca_sha_algorithm algorithm,
                                                              uint32_t *min_dst_buf_size);
DOCA_CORE_DECL doca_error_t doca_sha_cap_get_max_src_buffer_size( /* the first two, as up to 2.5 */
    const struct doca_devinfo *devinfo, uint64_t *max_src_buf_size);
DOCA_CORE_DECL doca_error_t doca_sha_cap_get_min_dst_buffer_size(
    const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm,
    uint32_t *min_dst_buf_size);
DOCA_CORE_DECL doca_error_t doca_sha_cap_get_partial_hash_block_size(
    const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm,
    uint32_t *partial_block_size);
DOCA_CORE_DECL doca_error_t doca_sha_cap_get_max_num_tasks(struct doca_sha *sha,
                                                           uint32_t *max_num_tasks);

/* Enable a type of tasks; one of the two is mandatory before start. May be called again while idle.
 *
 *   task_completion_cb, task_error_cb  one of them per submission; may be the same function
 *   log_num_tasks                      2^log_num_tasks can be allocated at one time
 *
 * Errors    INVALID_VALUE  also: with the other type more than doca_sha_cap_get_max_num_tasks(),
 *                          except on a device without hash engine, where start gives NOT_SUPPORTED;
 *                          32 and more
 *           BAD_STATE      the context is not idle */
DOCA_CORE_DECL doca_error_t doca_sha_task_hash_set_conf(
    struct doca_sha *sha, doca_sha_task_hash_completion_cb_t task_completion_cb,
    doca_sha_task_hash_completion_cb_t task_error_cb, uint8_t log_num_tasks);
DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_conf(
    struct doca_sha *sha, doca_sha_task_partial_hash_completion_cb_t task_completion_cb,
    doca_sha_task_partial_hash_completion_cb_t task_error_cb, uint8_t log_num_tasks);

/* Take a task. The buffers may be NULL now and be set later; they stay the program's.
 *
 * Callback  allowed
 * Cost      O(1)
 * Errors    INVALID_VALUE  also: no such algorithm
 *           BAD_STATE      the context is not running
 *           NO_MEMORY      all tasks of the type are allocated, or it was not enabled */
DOCA_CORE_DECL doca_error_t doca_sha_task_hash_alloc_init(
    struct doca_sha *sha, enum doca_sha_algorithm algorithm, const struct doca_buf *src_buf,
    struct doca_buf *dst_buf, union doca_data user_data, struct doca_sha_task_hash **task);
DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_alloc_init(
    struct doca_sha *sha, enum doca_sha_algorithm algorithm, const struct doca_buf *src_buf,
    struct doca_buf *dst_buf, union doca_data user_data, struct doca_sha_task_partial_hash **task);

/* View a task of ours as a task; the same object. NULL for NULL. */
DOCA_CORE_DECL struct doca_task *doca_sha_task_hash_as_task(struct doca_sha_task_hash *task);
DOCA_CORE_DECL struct doca_task *doca_sha_task_partial_hash_as_task(
    struct doca_sha_task_partial_hash *task);

/* Read or replace what a hash task works on. NULL reads as NULL and SHA-1.
 *
 * Errors    INVALID_VALUE  also: no such algorithm
 *           BAD_STATE      the task is free or submitted */
DOCA_CORE_DECL doca_error_t doca_sha_task_hash_set_src(struct doca_sha_task_hash *task,
                                                       const struct doca_buf *src_buf);
DOCA_CORE_DECL const struct doca_buf *doca_sha_task_hash_get_src(
    const struct doca_sha_task_hash *task);
DOCA_CORE_DECL doca_error_t doca_sha_task_hash_set_dst(struct doca_sha_task_hash *task,
                                                       struct doca_buf *dst_buf);
DOCA_CORE_DECL const struct doca_buf *doca_sha_task_hash_get_dst(
    const struct doca_sha_task_hash *task);
DOCA_CORE_DECL doca_error_t doca_sha_task_hash_set_algorithm(struct doca_sha_task_hash *task,
                                                             enum doca_sha_algorithm algorithm);
DOCA_CORE_DECL enum doca_sha_algorithm doca_sha_task_hash_get_algorithm(
    const struct doca_sha_task_hash *task);

/* The same for a partial hash task. The source is the next segment; destination and algorithm stay
 * as they are during a session.
 *
 * Errors    INVALID_VALUE  also: no such algorithm
 *           BAD_STATE      the task is free or submitted; set_dst, set_algorithm: in a session */
DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_src(
    struct doca_sha_task_partial_hash *task, const struct doca_buf *src_buf);
DOCA_CORE_DECL const struct doca_buf *doca_sha_task_partial_hash_get_src(
    const struct doca_sha_task_partial_hash *task);
DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_dst(
    struct doca_sha_task_partial_hash *task, struct doca_buf *dst_buf);
DOCA_CORE_DECL const struct doca_buf *doca_sha_task_partial_hash_get_dst(
    const struct doca_sha_task_partial_hash *task);
DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_algorithm(
    struct doca_sha_task_partial_hash *task, enum doca_sha_algorithm algorithm);
DOCA_CORE_DECL enum doca_sha_algorithm doca_sha_task_partial_hash_get_algorithm(
    const struct doca_sha_task_partial_hash *task);

/* Forget the session and its result, and that a segment is the final one. The task and its buffers
 * stay. Or: say that the segment submitted next is the final one; it may be the first one as well
 * (vendor: undefined), of any length, and empty.
 *
 * Errors    BAD_STATE  the task is free or submitted */
DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_reset(
    struct doca_sha_task_partial_hash *task);
DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_is_final_buf(
    struct doca_sha_task_partial_hash *task);
DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_is_final_buffer( /* up to 2.5 */
    struct doca_sha_task_partial_hash *task);

/* 1 or 0: is it the final segment; does the destination hold the digest? NULL reads as 0. */
DOCA_CORE_DECL uint8_t doca_sha_task_partial_hash_get_is_final(
    const struct doca_sha_task_partial_hash *task);
DOCA_CORE_DECL uint8_t doca_sha_task_partial_hash_get_is_final_buf( /* other names of it */
    const struct doca_sha_task_partial_hash *task);
DOCA_CORE_DECL uint8_t doca_sha_task_partial_hash_get_is_final_buffer(
    const struct doca_sha_task_partial_hash *task);
DOCA_CORE_DECL uint8_t doca_sha_task_partial_hash_get_has_result(
    const struct doca_sha_task_partial_hash *task);

/* ---- >>mmap_advise --------------------------------------------------------------------------
 * Makes the CPU see what a device wrote (later versions): tasks that drop what its caches hold of a
 * buffer. The caches of the machines this runs on see by themselves; a task is a full fence here,
 * and for a dmabuf one round of its begin-of-access and end-of-access calls.
 * create -> set_conf -> connect -> start -> alloc_init -> submit -> callback -> free
 * Source: public 3.0 reference, "DOCA MMAP advise".                                             */

struct doca_mmap_advise_task_invalidate_cache {
    struct doca_task task;
    struct doca_buf *buf;
};

/* Completion of a task; serves both outcomes. */
typedef void (*doca_mmap_advise_task_invalidate_cache_completion_cb_t)(
    struct doca_mmap_advise_task_invalidate_cache *task, union doca_data task_user_data,
    union doca_data ctx_user_data);

struct doca_mmap_advise {
    struct doca_ctx ctx;
    struct doca_priv_task_stock stock;
    doca_mmap_advise_task_invalidate_cache_completion_cb_t done, failed;
};

/* Bytes of one context of `num_tasks`, started. */
#define DOCA_CORE_BYTES_MMAP_ADVISE(num_tasks)                                                     \
    (DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_mmap_advise)) +                                      \
     DOCA_CORE_BYTES_BLOCK(DOCA_CORE_SW_BYTES_QUEUE + (size_t)(num_tasks) * DOCA_CORE_LINE))
DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_advise(uint32_t num_tasks, size_t *bytes);

/* Create an idle context on `dev`.
 *
 * Owns      one block of the device's arena, and a use of the device
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_mmap_advise_create(struct doca_dev *dev,
                                                    struct doca_mmap_advise **mmap_advise);
DOCA_CORE_DECL doca_error_t doca_core_mmap_advise_create_in(struct doca_core_arena *arena,
                                                            struct doca_dev *dev,
                                                            struct doca_mmap_advise **mmap_advise);

/* Destroy a context, as doca_dma_destroy() does.
 *
 * Errors    IN_USE  tasks are in flight or not freed */
DOCA_CORE_DECL doca_error_t doca_mmap_advise_destroy(struct doca_mmap_advise *mmap_advise);

/* View it as its context; the same object. NULL for NULL. */
DOCA_CORE_DECL struct doca_ctx *doca_mmap_advise_as_ctx(struct doca_mmap_advise *mmap_advise);

/* Ask what a device can do: SUCCESS, on any, for buffers of any size (UINT64_MAX). */
DOCA_CORE_DECL doca_error_t doca_mmap_advise_cap_task_cache_invalidate_is_supported(
    const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t doca_mmap_advise_task_cache_invalidate_get_max_buf_size(
    const struct doca_devinfo *devinfo, uint64_t *buf_size);

/* Enable the tasks; mandatory before start. May be called again while idle.
 *
 *   completion_cb, error_cb  one of them per submission; may be the same function
 *   num_tasks                that can be allocated at one time, at least 1
 *
 * Errors    NOT_PERMITTED  the context is not idle */
DOCA_CORE_DECL doca_error_t doca_mmap_advise_task_invalidate_cache_set_conf(
    struct doca_mmap_advise *mmap_advise,
    doca_mmap_advise_task_invalidate_cache_completion_cb_t completion_cb,
    doca_mmap_advise_task_invalidate_cache_completion_cb_t error_cb, uint32_t num_tasks);

/* Take a task. The buffer, of which the whole room counts but no other of its list, may be NULL now
 * and be set later. A task whose buffer was returned, or whose mmap is not started on the device or
 * may not be read by it, fails with IO_FAILED; that does not stop the context.
 *
 * Callback  allowed
 * Cost      O(1)
 * Errors    BAD_STATE  the context is not running
 *           NO_MEMORY  all tasks are allocated */
DOCA_CORE_DECL doca_error_t doca_mmap_advise_task_invalidate_cache_alloc_init(
    struct doca_mmap_advise *mmap_advise, struct doca_buf *buf, union doca_data user_data,
    struct doca_mmap_advise_task_invalidate_cache **task);

/* View a task of ours as a task; the same object. NULL for NULL. */
DOCA_CORE_DECL struct doca_task *doca_mmap_advise_task_invalidate_cache_as_doca_task(
    struct doca_mmap_advise_task_invalidate_cache *task);

/* Read or replace the buffer, not while submitted (logged and ignored). NULL reads as NULL. */
DOCA_CORE_DECL void doca_mmap_advise_task_invalidate_cache_set_buf(
    struct doca_mmap_advise_task_invalidate_cache *task, struct doca_buf *buf);
DOCA_CORE_DECL struct doca_buf *doca_mmap_advise_task_invalidate_cache_get_buf(
    const struct doca_mmap_advise_task_invalidate_cache *task);

/* ---- >>sync_event ---------------------------------------------------------------------------
 * One 64-bit value that is set, added to, read and waited on, by threads of this process and by
 * other processes on this machine. It is used stand-alone:
 *     create -> add locations -> start -> update, get, wait -> stop -> destroy
 * or as a context, by tasks of a PE:
 *     create -> add locations -> as_ctx -> set_conf -> connect -> start -> alloc_init -> submit
 * A started event with a location that is remote (DPU, remote net) can be exported; who creates one
 * from the descriptor uses the same value. Its memory outlives either process. Once the exporter
 * has stopped or destroyed the event, or has died, an importer can still read the value; its
 * updates, and its waits whose condition does not hold, end with CONNECTION_RESET.
 * A value in a buffer (doca_sync_event_set_doca_buf) can be where others reach it through a device:
 * in its own memory, in an imported mmap, or in one whose permissions let others write. Then the
 * device does the tasks of the context, if it has an engine for them; see there.
 * Threads: update, get and wait of a started event from any; all else, and tasks, one at a time.
 * Source: DOCA Core Programming Guide, "DOCA Core"; API reference, "DOCA Sync Event".           */

typedef uint64_t doca_dpa_dev_sync_event_t; /* handles that no call of this library gives */
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

struct doca_sync_event_task_wait_eq { /* later versions, as the next one */
    struct doca_sync_event_task_wait_gt wait;
};

struct doca_sync_event_task_wait_neq {
    struct doca_sync_event_task_wait_gt wait;
};

/* Completion of a task; each type serves both outcomes. */
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

enum { /* types of tasks; from WAIT on those that wait */
    DOCA_PRIV_EVENT_GET,
    DOCA_PRIV_EVENT_SET,
    DOCA_PRIV_EVENT_ADD,
    DOCA_PRIV_EVENT_WAIT,
    DOCA_PRIV_EVENT_WAIT_EQ,
    DOCA_PRIV_EVENT_WAIT_NEQ
};
#define DOCA_PRIV_EVENT_TYPES 6

typedef volatile uint64_t doca_priv_cell DOCA_PRIV_ALIGNED_8;

/* What processes share of an event; the rest of its page is scratch. Who spins looks at the first
 * line only, and who updates finds the second one where it left it. */
struct doca_priv_event_page {
    doca_priv_cell value;
    uint8_t rest_of_line[DOCA_CORE_LINE - sizeof(uint64_t)];
    volatile uint32_t num_armed; /* who must be woken by an update */
    volatile uint32_t is_closed; /* the exporter has gone */
    uint64_t token;              /* this start of this event, and no other */
};

/* Where a value is, and who else looks at it. */
struct doca_priv_event_share {
    doca_priv_cell *value;
    struct doca_priv_event_page *page; /* NULL: nobody else */
    int fd;                            /* of the page */
    int exporter_fd;                   /* importer: what the page is called over there */
    uint32_t exporter_pid;             /* importer; 0: is none */
    int exporter;                      /* importer: readable once that process ended; else -1 */
};

struct doca_priv_event_desc { /* what travels */
    struct doca_priv_export head;
    int32_t fd;
    uint32_t zero;
};

struct doca_priv_event_dev_desc { /* of a value that devices reach: with that of its mmap */
    struct doca_priv_export head;
    uint64_t addr;
    struct doca_priv_mmap_desc mmap;
};

struct doca_sync_event {
    struct doca_ctx ctx; /* ctx.obj.state: DOCA_PRIV_EVENT_PLAIN, _SHARED while it stands alone */
    struct doca_priv_task_stock stocks[DOCA_PRIV_EVENT_TYPES];
    uint8_t mode;        /* DOCA_PRIV_EVENT_NEW, _ALONE, _IS_CTX, _READS */
    uint8_t publishers;  /* DOCA_PRIV_EVENT_ON_* */
    uint8_t subscribers;
    struct doca_priv_event_share share;
    doca_priv_cell own_value;
    uint64_t *addr; /* the program's; NULL: own_value, or a page */
    struct doca_dev *publisher_dev;
    struct doca_dev *subscriber_dev;
    doca_sync_event_task_get_completion_cb_t get_done, get_failed;
    doca_sync_event_task_notify_set_completion_cb_t set_done, set_failed;
    doca_sync_event_task_notify_add_completion_cb_t add_done, add_failed;
    doca_sync_event_task_wait_gt_completion_cb_t wait_done, wait_failed;
    doca_sync_event_task_wait_eq_completion_cb_t wait_eq_done, wait_eq_failed;
    doca_sync_event_task_wait_neq_completion_cb_t wait_neq_done, wait_neq_failed;
    struct doca_priv_event_desc desc; /* all 0 before the first export */
    struct doca_mmap *mmap; /* held: others reach it, and the value is at addr in it; or NULL */
    struct doca_priv_event_dev_desc *dev_desc; /* NULL: not exported from there */
    bool owns_mmap;                            /* it was created from such an export */
};

struct doca_sync_event_remote_net {
    struct doca_priv_object obj;
    struct doca_priv_event_share share;
    struct doca_core_arena *arena;
    struct doca_dev *dev;
};

/* Bytes of an event: with 0 tasks one that stands alone, else a context of `num_tasks`, of all
 * types together, started. And of `n` remote handles. */
#define DOCA_PRIV_EVENT_QUEUE_BYTES (2 * DOCA_CORE_LINE)
#define DOCA_CORE_BYTES_SYNC_EVENT(num_tasks)                                                      \
    (DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_sync_event)) +                                       \
     ((num_tasks) > 0 ? DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_EVENT_QUEUE_BYTES +                        \
                                              (size_t)(num_tasks) * DOCA_CORE_LINE)                \
                      : (size_t)0))
#define DOCA_CORE_BYTES_SYNC_EVENT_REMOTE_NET(n)                                                   \
    ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_sync_event_remote_net)))
DOCA_CORE_DECL doca_error_t doca_core_bytes_sync_event(uint32_t num_tasks, size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_sync_event_remote_net(size_t *bytes);

/* Create an event without locations.
 *
 * Owns      one block of the bound arena
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_sync_event_create(struct doca_sync_event **event);
DOCA_CORE_DECL doca_error_t doca_core_sync_event_create_in(struct doca_core_arena *arena,
                                                           struct doca_sync_event **event);

/* Create an event from a descriptor of doca_sync_event_export_to_dpu(), in this or another process.
 * It has its locations and cannot be configured or exported; it is started, or made a context, as
 * any other. Several may be made of one descriptor. Only read: the descriptor need not stay.
 *
 *   data, sz  any bytes; what is not a descriptor is refused
 *
 * Owns      one block of the device's arena, and a use of the device; a mapped page, and up to two
 *           file descriptors
 * Errors    INVALID_VALUE     also: not a descriptor, a damaged one, one of another kind; the
 *                             exporter stopped or destroyed the event, or ended
 *           NOT_SUPPORTED     the device has no sync events; the descriptor comes from another
 *                             machine or container
 *           NOT_PERMITTED     the exporter runs as another user (CAP_SYS_PTRACE permits it)
 *           NO_MEMORY         the arena is exhausted
 *           OPERATING_SYSTEM  no descriptor, or no mapping, to be had */
DOCA_CORE_DECL doca_error_t doca_sync_event_create_from_export(struct doca_dev *dev,
                                                               const uint8_t *data, size_t sz,
                                                               struct doca_sync_event **event);
DOCA_CORE_DECL doca_error_t doca_core_sync_event_create_from_export_in(
    struct doca_core_arena *arena, struct doca_dev *dev, const uint8_t *data, size_t sz,
    struct doca_sync_event **event);

/* Destroy an event, a started one as well; the importers of its value learn it. A context is
 * disconnected from its PE.
 *
 * Errors    IN_USE  tasks are in flight or not freed */
DOCA_CORE_DECL doca_error_t doca_sync_event_destroy(struct doca_sync_event *event);

/* Say who updates the value, and who reads it and waits; at least one of each before start. The
 * same location may be added again. DPU and remote net are other processes here, and DPU may also
 * be the side that this program runs on. Later versions call it remote PCI.
 *
 *   dev  cpu: the last one given counts
 *
 * Owns      cpu: a use of the device until destroy
 * Errors    BAD_STATE      is started, or works as a context
 *           NOT_PERMITTED  was created from an export
 *           NOT_SUPPORTED  dpa, gpu: always, after the argument checks */
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

/* Keep the value in memory of the program, from the next start on, beginning with what it holds
 * there. A plain store to it is seen by everybody who polls; it wakes nobody who sleeps. Such an
 * event cannot be exported.
 *
 *   addr  aligned to 8 bytes; stays the program's, and valid until stop
 *
 * Errors    INVALID_VALUE  also: misaligned
 *           BAD_STATE      is started, or works as a context
 *           NOT_PERMITTED  was created from an export
 *           NOT_SUPPORTED  a location is remote net */
DOCA_CORE_DECL doca_error_t doca_sync_event_set_addr(struct doca_sync_event *event,
                                                     uint64_t *addr);

/* The same with the data section of a buffer (later versions), which may be of a dmabuf that other
 * processes map as well. Only the place is kept: whoever has the buffer has to keep it until stop.
 *
 * Devices reach the value in an mmap of a device's own memory, in an imported one, and in one with
 * the permission PCI_READ_WRITE, RDMA_WRITE or RDMA_ATOMIC, if a device of it has an engine for
 * such tasks (event_engine of its limits). Then:
 *   - as a context, the publisher's device, or else the subscriber's, does get, notify_set and
 *     notify_add, in the order of submission, each atomic with what others do through devices of
 *     its card. Tasks that wait look at memory of this process by the CPU, and at other memory by
 *     reads of the device, one at a time, with pauses. A task that fails ends with IO_FAILED, as
 *     all that are in flight behind it, and stops the context. Who sleeps on the handle while tasks
 *     wait is woken from time to time. One of the two devices has to be in the mmap.
 *   - alone, an event in memory of this process is read and waited on; updates are NOT_SUPPORTED
 *     unless the additions of the mmap's devices are atomic with those of the CPU
 *     (DOCA_CORE_EVENT_ENGINE_ALL). An event in other memory does not start.
 *   - with PCI_READ_WRITE, and in memory of this process, the started event can be exported to a
 *     DPU; the descriptor ends with the mmap.
 *   - the event holds the mmap as a buffer does, until destroy or until it stands elsewhere.
 * Everywhere else the CPU does all tasks, and memory of others is NOT_SUPPORTED.
 *
 *   buf  one buffer, not a list, with 8 bytes of data; aligned
 *
 * Errors    as doca_sync_event_set_addr(), and
 *           BAD_STATE      also: the buffer was returned
 *           NOT_PERMITTED  also: a list, another length, an mmap without local write permission
 *           NOT_SUPPORTED  also: memory of another process, or of a device's own, and no device of
 *                          the mmap has an engine for it */
DOCA_CORE_DECL doca_error_t doca_sync_event_set_doca_buf(struct doca_sync_event *event,
                                                         struct doca_buf *buf);

/* Ask what a device can do: SUCCESS or NOT_SUPPORTED. What has to do with DPA or GPU is never
 * supported; all else is, on a device with sync events. */
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

/* Start an event to stand alone; it cannot become a context any more. The value begins with 0
 * (Assumed), or with what doca_sync_event_set_addr() names; that of an import goes on.
 *
 * Owns      with a remote location: a mapped page and a file descriptor, until stop
 * Errors    INVALID_VALUE     also: no publisher, or no subscriber location
 *           BAD_STATE         is started, or works as a context
 *           NOT_SUPPORTED     the device of a location has no sync events; remote net with
 *                             doca_sync_event_set_addr(); a remote location in a build without
 *                             operating system; a buffer that the CPU does not reach; as a
 *                             context, one that others reach, and no device of the event's
 *           OPERATING_SYSTEM  no shared memory to be had (needs /proc) */
DOCA_CORE_DECL doca_error_t doca_sync_event_start(struct doca_sync_event *event);

/* Undo doca_sync_event_start(). The descriptor of an export becomes void; importers learn it. No
 * other call on the event is under way in another thread.
 *
 * Errors    BAD_STATE  is not started, or works as a context */
DOCA_CORE_DECL doca_error_t doca_sync_event_stop(struct doca_sync_event *event);

/* Make the event work as a context only, for the rest of its life, and view it as one: the same
 * object at every call. Its doca_ctx_start() fails as doca_sync_event_start() does, too, and, with
 * wait_gt tasks on a shared value, with OPERATING_SYSTEM when no descriptors, or no inotify
 * instance (128 per user by default), are to be had. NULL for NULL, and for an event that stands
 * alone. */
DOCA_CORE_DECL struct doca_ctx *doca_sync_event_as_ctx(struct doca_sync_event *event);

/* Describe a started event to another process. The descriptor is void once the event is stopped or
 * destroyed, or the process has ended.
 *
 *   event      dpu, remote_pci: publisher and subscriber are CPU or DPU, one at least is DPU
 *              remote_net: the publisher is remote net
 *   data, sz   out: the descriptor, the same at every call; it lives in the event until stop
 *
 * Errors    BAD_STATE         is not started
 *           NOT_PERMITTED     was created from an export; the locations do not fit
 *           NOT_SUPPORTED     the device has no sync events; the value is at an address of the
 *                             program's, or in a device's own memory. dpa, gpu, by either name:
 *                             always, after the argument checks
 *           any               of a value in a buffer: what doca_mmap_export_pci() answers
 *           OPERATING_SYSTEM  no file descriptor to be had, for a moment */
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

/* Read the value, replace it, or add to it modulo 2^64, and give what it was before.
 *
 * Threads   any, while the event is started
 * Cost      a load (acquire), a store (release), or a fetch-and-add, and only while somebody sleeps
 *           until the value changes some system calls. Events with a location that is remote: an
 *           exchange instead of the store, and a look at who sleeps
 * Errors    BAD_STATE         is not started, or works as a context
 *           CONNECTION_RESET  update: the exporter has gone, as far as is known; nothing changed
 *           NOT_SUPPORTED     update: devices may add to the value, see
 *                             doca_sync_event_set_doca_buf() */
DOCA_CORE_DECL doca_error_t doca_sync_event_get(struct doca_sync_event *event, uint64_t *value);
DOCA_CORE_DECL doca_error_t doca_sync_event_update_set(struct doca_sync_event *event,
                                                       uint64_t value);
DOCA_CORE_DECL doca_error_t doca_sync_event_update_add(struct doca_sync_event *event,
                                                       uint64_t value, uint64_t *fetched);

/* Wait until (value of the event & mask) > value, or is equal to it, or is not (both in later
 * versions); at once if it is so. The first form keeps the CPU, with DOCA_CORE_RELAX() after each
 * look; the second one gives it up after each. The exporter waits on when an importer has gone.
 *
 * Threads   any, while the event is started
 * Errors    BAD_STATE         is not started, or works as a context
 *           CONNECTION_RESET  the exporter has gone; a dead one is noticed within milliseconds */
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

/* Create a handle from a descriptor of doca_sync_event_export_to_remote_net(). The vendor uses it
 * in tasks of other libraries; here doca_core_sync_event_remote_net_*() do.
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

/* Not offered: NOT_SUPPORTED after the argument checks. */
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

/* What the calls of the same ending do with an event, on the value behind a remote handle. The
 * handle needs no start. Ours, the vendor has no such calls.
 *
 * Threads   any
 * Errors    CONNECTION_RESET  as there */
DOCA_CORE_DECL doca_error_t doca_core_sync_event_remote_net_get(
    struct doca_sync_event_remote_net *event, uint64_t *value);
DOCA_CORE_DECL doca_error_t doca_core_sync_event_remote_net_update_set(
    struct doca_sync_event_remote_net *event, uint64_t value);
DOCA_CORE_DECL doca_error_t doca_core_sync_event_remote_net_update_add(
    struct doca_sync_event_remote_net *event, uint64_t value, uint64_t *fetched);
DOCA_CORE_DECL doca_error_t doca_core_sync_event_remote_net_wait_gt(
    struct doca_sync_event_remote_net *event, uint64_t value, uint64_t mask);

/* Enable a type of tasks; one is mandatory before start as a context. May be called again while
 * idle.
 *
 *   completion_cb, error_cb  one of them per submission; may be the same function
 *   num_tasks                that can be allocated at one time, 1 to 2^30 - 1; of all types
 *                            together no more than 32 bits can count
 *
 * Errors    INVALID_VALUE  also: a count outside of that
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

/* Take a task: one that stores the value at ret_val_ptr, sets it, adds to it and stores what it was
 * before at fetched_val_ptr, or finishes once (value & mask) > wait_val, or is equal to it, or is
 * not (both in later versions). The pointers may be NULL now; doca_task_submit() refuses them then.
 * get, notify_set and notify_add finish in the order of their submission, and so do those that wait
 * and whose conditions hold; the others delay nobody. A value that comes and goes between two calls
 * of progress is not seen. A task that fails, with CONNECTION_RESET, does not stop the context. An
 * exporter that dies while one that waits is polled for is noticed within 256 calls of progress,
 * and at once by who sleeps on the handle (kernels before 5.3: not). Any wait_val and any mask will
 * do (vendor: whole bytes of ones, and for wait_gt up to 254).
 *
 * Callback  allowed
 * Cost      O(1); a progress call looks through the waiting tasks when the value has changed
 * Errors    BAD_STATE  the context is not running
 *           NO_MEMORY  all tasks of the type are allocated, or it was not enabled */
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

/* View a task of ours as a task; the same object. NULL for NULL. */
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

/* Read or replace what a task works on, not while submitted (logged and ignored). NULL, and a task
 * of another type, reads as NULL and 0. */
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

/* ---- >>graph --------------------------------------------------------------------------------
 * Tasks and functions that run in an order. A graph is the order: context nodes each run a task,
 * user nodes call a function, sub-graph nodes run an instance of another graph, and a dependency
 * makes one node wait for another. An instance is the data of one run; all of them may run at once,
 * beside plain tasks on the same PE.
 *     create -> nodes, dependencies, set_conf -> start -> instance_create -> set_..._node_data ->
 *     instance_submit -> completion or error callback -> instance_submit ... -> instance_destroy
 * Nodes without parents begin at submit, the others when all their parents completed. A task that
 * meets a full queue waits for room. The first node that fails fails the instance: nodes that run
 * finish, a sub-graph with all of its own, no other one begins, then the error callback runs; the
 * reason is in the log.
 * Threads: one at a time, that of the PE.
 * Source: DOCA Core Programming Guide, "DOCA Graph Execution"; 3.0 reference, "DOCA Graph".      */

/* Completion of an instance, of either outcome. It may be submitted again, or destroyed, and with
 * the last one the graph stopped and destroyed. */
typedef void (*doca_graph_completion_cb_t)(struct doca_graph_instance *instance,
                                           union doca_data instance_user_data,
                                           union doca_data graph_user_data);

/* The work of a user node; what is not SUCCESS fails it, as does leaving by longjmp or exception,
 * and progress in it. Runs in doca_pe_progress(), which does no more in that call than to go on
 * with such nodes of the instance, 64 at most. Tasks of the instance that were not submitted yet
 * can be changed here. */
typedef doca_error_t (*doca_graph_user_node_cb_t)(void *cookie);

#define DOCA_PRIV_GRAPH_LINE 64 /* user nodes that one call of progress runs */

enum { /* obj.state of a node */
    DOCA_PRIV_NODE_CTX = 0,
    DOCA_PRIV_NODE_USER = 1,
    DOCA_PRIV_NODE_GRAPH = 2
};

union doca_priv_graph_work { /* by the kind of node */
    struct doca_ctx *ctx;
    doca_graph_user_node_cb_t user;
    struct doca_graph *graph;
};

struct doca_priv_graph_edge {
    struct doca_graph_node *to;
    struct doca_priv_graph_edge *next;
};

struct doca_graph_node {
    struct doca_priv_object obj;
    uint32_t num_parents;
    uint32_t num_children;
    uint32_t index;   /* in the plan */
    uint32_t is_seen; /* by the search for a cycle, as is todo */
    struct doca_graph *graph;
    struct doca_graph_node *next;
    struct doca_graph_node *todo;
    struct doca_priv_graph_edge *children;
    union doca_priv_graph_work work;
};

struct doca_priv_graph_lane { /* one per context: who waits for room in it */
    struct doca_ctx *ctx;
    struct doca_task *first; /* of slots; NULL: nobody */
    struct doca_task *last;
};

struct doca_priv_graph_step { /* a node, as compiled */
    union doca_priv_graph_work work;
    size_t offset;            /* of its slots in their instances */
    ptrdiff_t heir;           /* to the slot of its only child, if that is a user node and has no
                                 other parent; else 0 */
    const uint32_t *children; /* indices */
    uint32_t num_children;
    uint32_t num_parents;
    struct doca_priv_graph_lane *lane; /* of a context node */
    uint8_t kind;
    bool is_last_holder; /* of the graph */
};

/* A node of one instance; one line. */
struct doca_priv_graph_slot {
    struct doca_task turn; /* for progress; `next` also in a lane; `user_data`: that of the task,
                              while it runs */
    const struct doca_priv_graph_step *step;
    void *data;           /* task, cookie, or instance */
    uint32_t num_pending; /* parents that did not complete; all again once it has begun */
    uint8_t is_held;      /* its task, or sub instance, is kept from the program */
};

struct doca_graph_instance { /* one line; its slots follow */
    struct doca_priv_object obj; /* obj.state: is it submitted? */
    struct doca_task turn;       /* its callback's; `ctx`: the graph; `next` also while free;
                                    `status`: of the first node that failed */
    uint32_t num_running;        /* nodes begun and not ended */
    uint32_t num_uses;           /* slots of other instances whose data it is */
    struct doca_priv_graph_slot *parent; /* that it runs for; NULL: for itself */
};

struct doca_graph {
    struct doca_ctx ctx;               /* inside only: how a PE gives a graph its turns */
    struct doca_task moved;            /* the turn in which a task left its lane */
    struct doca_priv_graph_plan *plan; /* NULL: stopped */
    struct doca_graph_node *nodes;
    struct doca_graph_node *last_node;
    uint32_t num_nodes;
    uint32_t num_edges;
    uint32_t num_instances;
    uint32_t num_live;  /* instances that exist */
    uint32_t num_uses;  /* nodes of other graphs that run it, */
    uint32_t num_users; /* and those of started ones */
    doca_graph_completion_cb_t completed;
    doca_graph_completion_cb_t failed;
};

/* Bytes of one graph, started. A sub-graph counts by itself. */
#define DOCA_PRIV_GRAPH_HEAD_BYTES (2 * DOCA_CORE_LINE)
#define DOCA_PRIV_GRAPH_INSTANCE_BYTES(num_nodes)                                                  \
    ((sizeof(struct doca_graph_instance) +                                                         \
      (size_t)(num_nodes) * sizeof(struct doca_priv_graph_slot) + DOCA_CORE_LINE - 1) /            \
     DOCA_CORE_LINE * DOCA_CORE_LINE)
#define DOCA_CORE_BYTES_GRAPH(num_nodes, num_dependencies, num_instances)                          \
    (DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_graph)) +                                            \
     (size_t)(num_nodes) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_graph_node)) +                 \
     (size_t)(num_dependencies) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_priv_graph_edge)) +     \
     DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_GRAPH_HEAD_BYTES +                                            \
                           (size_t)(num_instances) * DOCA_PRIV_GRAPH_INSTANCE_BYTES(num_nodes) +   \
                           (size_t)(num_nodes) * (sizeof(struct doca_priv_graph_step) +            \
                                                  sizeof(struct doca_priv_graph_lane)) +           \
                           (size_t)(num_dependencies) * sizeof(uint32_t)))
DOCA_CORE_DECL doca_error_t doca_core_bytes_graph(uint32_t num_nodes, uint32_t num_dependencies,
                                                  uint32_t num_instances, size_t *bytes);

/* Create a stopped graph without nodes on `pe`, for the rest of its life.
 *
 * Owns      one block of the PE's arena, and one for each node and dependency
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_graph_create(struct doca_pe *pe, struct doca_graph **graph);
DOCA_CORE_DECL doca_error_t doca_core_graph_create_in(struct doca_core_arena *arena,
                                                      struct doca_pe *pe,
                                                      struct doca_graph **graph);

/* Destroy a graph and all of its nodes.
 *
 * Callback  allowed in the callback of its last instance, once that is destroyed
 * Errors    BAD_STATE  is started
 *           IN_USE     a node of another graph runs it */
DOCA_CORE_DECL doca_error_t doca_graph_destroy(struct doca_graph *graph);

/* Say what is called at the end of an instance, and how many can exist at one time. Mandatory
 * before start; may be called again while stopped.
 *
 *   graph_completion_cb, graph_error_cb  one of them per submission; may be the same function
 *
 * Errors    INVALID_VALUE  also: no instances
 *           BAD_STATE      is started */
DOCA_CORE_DECL doca_error_t doca_graph_set_conf(struct doca_graph *graph,
                                                doca_graph_completion_cb_t graph_completion_cb,
                                                doca_graph_completion_cb_t graph_error_cb,
                                                uint32_t num_instances);

/* Carry a word that the callbacks of all instances receive; 0 when never set.
 *
 * Errors    BAD_STATE  set: is started */
DOCA_CORE_DECL doca_error_t doca_graph_set_user_data(struct doca_graph *graph,
                                                     union doca_data user_data);
DOCA_CORE_DECL doca_error_t doca_graph_get_user_data(const struct doca_graph *graph,
                                                     union doca_data *user_data);

/* Add a node without parents, until the graph is destroyed: one that runs a task of `ctx`, calls
 * `cb`, or runs an instance of `sub_graph`.
 *
 *   ctx        of any engine and state; start asks for more
 *   sub_graph  started, on the same PE
 *
 * Errors    INVALID_VALUE  also: the sub-graph is on another PE
 *           BAD_STATE      the graph is started, or the sub-graph is not
 *           NOT_PERMITTED  the sub-graph is the graph itself. Longer cycles cannot be made: a graph
 *                          gets nodes while stopped, and stays started while others use it
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_graph_node_create_from_ctx(struct doca_graph *graph,
                                                            const struct doca_ctx *ctx,
                                                            struct doca_graph_node **node);
DOCA_CORE_DECL doca_error_t doca_graph_node_create_from_user(struct doca_graph *graph,
                                                             doca_graph_user_node_cb_t cb,
                                                             struct doca_graph_node **node);
DOCA_CORE_DECL doca_error_t doca_graph_node_create_from_graph(struct doca_graph *graph,
                                                              struct doca_graph *sub_graph,
                                                              struct doca_graph_node **node);

/* Let `to` wait until `from` completed. Where it does so already: nothing.
 *
 * Cost      O(nodes + dependencies); while nothing waits for `to`, or `from` for nothing, only
 *           O(dependencies of `from`)
 * Errors    INVALID_VALUE  also: a node of another graph
 *           BAD_STATE      is started
 *           NOT_PERMITTED  `from` waits for `to`, or is `to`
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_graph_add_dependency(struct doca_graph *graph,
                                                      struct doca_graph_node *from,
                                                      struct doca_graph_node *to);

/* Compile the order and take all instances. On a started graph: nothing.
 *
 * Owns      one block of the graph's arena until it is stopped
 * Cost      O(nodes * contexts + dependencies + instances)
 * Errors    BAD_STATE  set_conf was not called; no node runs a task, in sub-graphs neither; the
 *                      context of a node is not running on the PE of the graph; a sub-graph was
 *                      stopped
 *           NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_graph_start(struct doca_graph *graph);

/* Give that back, and be open to configuration. On a stopped graph: nothing.
 *
 * Callback  allowed in the callback of its last instance, once that is destroyed
 * Errors    IN_USE  instances exist, or a started graph has a node that runs it */
DOCA_CORE_DECL doca_error_t doca_graph_stop(struct doca_graph *graph);

/* Take an instance, without data. The number of them is that of doca_graph_set_conf().
 *
 * Callback  allowed   Cost O(nodes)
 * Errors    BAD_STATE  the graph is not started
 *           NO_MEMORY  all instances exist */
DOCA_CORE_DECL doca_error_t doca_graph_instance_create(const struct doca_graph *graph,
                                                       struct doca_graph_instance **graph_instance);

/* Give it back. The tasks and sub instances that were its data stay the program's.
 *
 * Callback  allowed, in its own callback too   Cost O(nodes)
 * Errors    IN_USE  is submitted, or is the data of a sub-graph node */
DOCA_CORE_DECL doca_error_t doca_graph_instance_destroy(struct doca_graph_instance *graph_instance);

/* Carry a word that the callback of the instance receives; 0 when never set.
 *
 * Errors    IN_USE  set: is submitted */
DOCA_CORE_DECL doca_error_t doca_graph_instance_set_user_data(
    struct doca_graph_instance *graph_instance, union doca_data user_data);
DOCA_CORE_DECL doca_error_t doca_graph_instance_get_user_data(
    const struct doca_graph_instance *graph_instance, union doca_data *user_data);

/* Say what a node works on in this instance, from now on: a task of the node's context, which
 * outlives the instance or is replaced in it; what the function is called with, NULL unless set; an
 * instance of the node's graph.
 *
 * Errors    BAD_STATE      the instance is submitted
 *           NOT_PERMITTED  the node is another graph's, or of another kind; the task is another
 *                          context's; the sub instance is another graph's, or is submitted */
DOCA_CORE_DECL doca_error_t doca_graph_instance_set_ctx_node_data(
    struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
    struct doca_task *task);
DOCA_CORE_DECL doca_error_t doca_graph_instance_set_user_node_data(
    struct doca_graph_instance *graph_instance, struct doca_graph_node *node, void *cookie);
DOCA_CORE_DECL doca_error_t doca_graph_instance_set_sub_graph_node_data(
    struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
    struct doca_graph_instance *sub_graph_instance);

/* Run an instance. It cannot be aborted or flushed; stopping a context fails the nodes in need of
 * it. Callbacks of its tasks are not called, nor (Assumed) those of its sub instances. Its tasks
 * cannot be submitted or freed until their node completed, or the instance ended; those not
 * submitted yet can be changed.
 *
 * Callback  allowed, in its own callback too
 * Cost      O(nodes, those of sub-graphs included)
 * Errors    INVALID_VALUE  also: a node has no task or sub instance, or it is gone; the task of a
 *                          node without parents lacks a buffer
 *           IN_USE         is submitted, by itself or in another one; a sub instance is
 *           BAD_STATE      a task is free, submitted, or twice in here; its context does not run
 *           any            DOCA_CORE_CHECK 2: what doca_task_submit() says of such a task. With an
 *                          error nothing was begun */
DOCA_CORE_DECL doca_error_t doca_graph_instance_submit(struct doca_graph_instance *graph_instance);

/* ---- >>bridge -------------------------------------------------------------------------------
 * Ways out of DOCA. To RDMA programs: an ibv_pd is to libibverbs what a dev is here, and a memory
 * key what an mmap's registration on a dev is. To DPDK programs: mbufs as bufs, ports as devs.
 * Source: API reference, "DOCA RDMA BRIDGE" and "DOCA DPDK".                                    */

/* Give the protection domain of a device: the one it was opened from, else the backend's own.
 *
 * Owns      nothing; the PD of a device that was not opened from one ends with the device
 * Threads   any
 * Errors    NOT_SUPPORTED  the device has none: a software device not opened from one
 *           BAD_STATE      it is broken */
DOCA_CORE_DECL doca_error_t doca_rdma_bridge_get_dev_pd(const struct doca_dev *dev,
                                                        struct ibv_pd **pd);

/* Open a device in a PD that the program made, or count one more opening of it.
 *
 *   pd    for the first registered backend that offers this; without one, for the software device,
 *         to which it is a mere name: not looked into, and any address will do
 *   dev   out: the same pointer for every opening from one PD
 *
 * Such a device serves mmaps and contexts; the software one is as the first device of the topology.
 * It has no devinfo (doca_dev_as_devinfo() gives NULL), no representors, and neither exports nor
 * imports mmaps.
 *
 * Owns      one block of the arena until the last doca_dev_close(); the PD stays the program's,
 *           and has to outlive the device
 * Threads   any
 * Errors    INVALID_VALUE   also: the PD is that of an open device which was not opened from it
 *           NO_MEMORY       the arena is exhausted
 *           INITIALIZATION  DOCA_CORE_MAX_DEVS devices are open
 *           any             what the backend answered */
DOCA_CORE_DECL doca_error_t doca_rdma_bridge_open_dev_from_pd(struct ibv_pd *pd,
                                                              struct doca_dev **dev);
DOCA_CORE_DECL doca_error_t doca_core_rdma_bridge_open_dev_from_pd_in(
    struct doca_core_arena *arena, struct ibv_pd *pd, struct doca_dev **dev);

/* Give the key under which a device knows the memory of a buf, with the rights that the mmap's
 * permissions give; never 0. It is the same for all bufs of an mmap, until that stops. Those of the
 * software device are only names, though no two registrations have the same.
 *
 * Cost      O(devices of the mmap)
 * Errors    INVALID_VALUE  also: the device is not in the buf's mmap
 *           BAD_STATE      the buf was returned
 *           NOT_SUPPORTED  there is none: the device gives no keys, or the mmap is imported */
DOCA_CORE_DECL doca_error_t doca_rdma_bridge_get_buf_mkey(const struct doca_buf *buf,
                                                          struct doca_dev *dev, uint32_t *mkey);

/* What follows is for programs with DPDK and defined DOCA_CORE_DPDK where the implementation is;
 * otherwise every call gives NOT_SUPPORTED after the argument checks. All but the mempool's own
 * memory is DPDK's, heap included. A mempool and its bufs belong to one thread at a time; the port
 * calls to the thread that configures DPDK. */

struct doca_dpdk_mempool { /* then its mmaps, one for each memory chunk of the pool */
    struct doca_priv_object obj;
    uint32_t num_maps;
    uint32_t mbuf_bytes; /* between the addresses of an mbuf and of its memory */
    struct doca_core_arena *arena;
    const struct rte_mempool *mbuf_pool;
};

/* Bytes of one mempool over a pool of `num_chunks` memory chunks (rte_mempool.nb_mem_chunks). */
#define DOCA_CORE_BYTES_DPDK_MEMPOOL(num_chunks)                                                   \
    DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_dpdk_mempool) +                                       \
                          (size_t)(num_chunks) * sizeof(struct doca_mmap))
DOCA_CORE_DECL doca_error_t doca_core_bytes_dpdk_mempool(uint32_t num_chunks, size_t *bytes);

/* Create a stopped mempool over the memory of an mbuf pool, as it is now.
 *
 *   mbuf_pool  of rte_pktmbuf_pool_create() or a relative, its memory not external
 *
 * Owns      one block of the bound arena; the pool stays the program's, and has to outlive this
 * Cost      O(memory chunks)
 * Errors    INVALID_VALUE  also: not such a pool
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_create(const struct rte_mempool *mbuf_pool,
                                                     struct doca_dpdk_mempool **mempool_out);
DOCA_CORE_DECL doca_error_t doca_core_dpdk_mempool_create_in(
    struct doca_core_arena *arena, const struct rte_mempool *mbuf_pool,
    struct doca_dpdk_mempool **mempool_out);

/* Destroy a mempool. Pool and mbufs stay as they are.
 *
 * Errors    IN_USE  bufs of it have not been returned; nothing changed */
DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_destroy(struct doca_dpdk_mempool *mempool);

/* Let a device use the mbufs, for the life of the mempool.
 *
 * Owns      a use of the device until destroy
 * Errors    BAD_STATE      is started
 *           ALREADY_EXIST  the device is in it
 *           NO_MEMORY      DOCA_CORE_MMAP_DEVS devices are in it */
DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_dev_add(struct doca_dpdk_mempool *mempool,
                                                      struct doca_dev *dev);

/* Set what the devices may do: local and RDMA flags of enum doca_access_flag. Never set, they read
 * and write.
 *
 * Errors    INVALID_VALUE  unknown flag, or a PCI flag
 *           BAD_STATE      is started */
DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_set_permissions(struct doca_dpdk_mempool *mempool,
                                                              uint32_t access_mask);

/* Register the memory on every device; there is no stop but destroy.
 *
 * Cost      one registration per device and memory chunk
 * Errors    INVALID_VALUE  no device was added
 *           BAD_STATE      is started
 *           any            what a backend answered to a registration; none is left behind */
DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_start(struct doca_dpdk_mempool *mempool);

/* Take a buf from `inventory` for each segment of `mbuf`, as one list: head and length are the
 * segment's memory, data and its length the segment's data, as they are now; later changes on
 * either side do not reach the other one.
 *
 *   mempool    started
 *   inventory  started
 *   mbuf       its memory, that of the direct mbufs behind indirect segments, is in the pool
 *
 * Owns      the inventory's elements, and one reference to each direct mbuf, until
 *           doca_buf_dec_refcount() brings the count to 0, where rte_pktmbuf_free_seg() takes each.
 *           doca_buf_inventory_buf_dup() takes references of its own
 * Cost      O(segments), times the memory chunks of the pool (usually one)
 * Errors    INVALID_VALUE  also: a segment outside the pool, or with external memory
 *           BAD_STATE      mempool or inventory is not started
 *           NO_MEMORY      the inventory has fewer elements; no reference is left behind */
DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_mbuf_to_buf(struct doca_dpdk_mempool *mempool,
                                                          struct doca_buf_inventory *inventory,
                                                          struct rte_mbuf *mbuf,
                                                          struct doca_buf **buf);

/* Attach the device's PCI address to DPDK, which was told at its start to leave it alone.
 *
 *   devargs  as for DPDK, without the address; "" for none
 *
 * Errors    INVALID_VALUE  also: the address stands in devargs
 *           DRIVER         DPDK could not: always so for a software device, which is on no PCI bus
 *           NO_MEMORY      DPDK had no memory */
DOCA_CORE_DECL doca_error_t doca_dpdk_port_probe(struct doca_dev *dev, const char *devargs);

/* Give the open device, opened through a devinfo, whose PCI address is the name of the device
 * under the port. This does not count as an opening.
 *
 * Errors    NOT_FOUND  no such port, or no such device */
DOCA_CORE_DECL doca_error_t doca_dpdk_port_as_dev(uint16_t port_id, struct doca_dev **dev);

/* Give the first port on the device's PCI address.
 *
 * Errors    NOT_FOUND  there is none */
DOCA_CORE_DECL doca_error_t doca_dpdk_get_first_port_id(const struct doca_dev *dev,
                                                        uint16_t *port_id);

/* ---- >>sw -----------------------------------------------------------------------------------
 * The software device: always there, and it really copies and hashes, inside doca_pe_progress(), a
 * task per call, or up to 16 that wait and hash one buffer each by the same algorithm; or in
 * workers, which end this section. By default there is a card of two ports in a host, as in the
 * figure of the guide:
 *     DPU side    IB device  interface       host side     IB device  interface  representor of
 *     03:00.0     mlx5_0     p0              0b:00.0 (PF)  mlx5_0     pf0        p0
 *     03:00.1     mlx5_1     p1              0b:00.1 (PF)  mlx5_1     pf1        p1
 *     03:00.0 SF  mlx5_2     p0s0, also p0's 0b:00.2 (VF)  mlx5_2     pf0vf0     p0
 *     03:00.1 SF  mlx5_3     p1s0, also p1's 0b:00.3 (VF)  mlx5_3     pf0vf1     p0
 *                                            0b:00.4 (VF)  mlx5_4     pf1vf0     p1
 * A process that chose no side has all of them in one list, in this order, those of the DPU first.
 *
 * Devices of the host export mmaps by PCI, but import none. All other limits are a profile's:
 *     profile      memcpy: bytes   list   tasks     hash: bytes   list   tasks
 *     unlimited    SIZE_MAX        2^32-1 65,536    SIZE_MAX      2^32-1 65,536
 *     bluefield2   128 MiB         64     65,536    128 MiB       64     65,536
 *     bluefield3   2 MiB           64     65,536    no hash engine
 *     connectx7    no copy engine                   no hash engine
 * with bytes per task, elements, and tasks per context (list lengths and task counts of the cards,
 * every limit of hash tasks, and that ConnectX-7 has no copy engine: Assumed).
 *
 * Where the program did not choose by a call, the environment of a hosted process does, when the
 * first device list is made:
 *     DOCA_CORE_SW_PROFILE   one of the profiles
 *     DOCA_CORE_SIDE         dpu, host or both; before DOCA_ARCH_* of the compilation
 *     DOCA_CORE_SW_TOPOLOGY  other devices, as doca_core_sw_set_topology() takes them
 * A value that is refused is logged and has no effect; an empty one is as none. Of its own time is
 * DOCA_CORE_SW_PTRACER, read when an mmap is exported: see doca_mmap_export_pci().              */

#define DOCA_CORE_SW_DEFAULT_DEVS 9 /* of the table above, for DOCA_CORE_BYTES_DEVINFO_LIST() */

/* Give the limits of a profile, for a table of doca_core_sw_set_devices().
 *
 * Errors    NOT_FOUND  no such profile */
DOCA_CORE_DECL doca_error_t doca_core_sw_profile(const char *name,
                                                 struct doca_core_limits *limits);

/* Give the default devices this profile, from the next device list on.
 *
 * Threads   any
 * Errors    NOT_FOUND  no such profile */
DOCA_CORE_DECL doca_error_t doca_core_sw_set_profile(const char *name);

/* Choose the side whose devices are listed, from the next device list on; BOTH: all of them.
 *
 * Threads   any
 * Errors    INVALID_VALUE  not a side */
DOCA_CORE_DECL doca_error_t doca_core_sw_set_side(enum doca_core_side side);

/* Replace the devices of both sides, from the next device list on. Open devices stay as they are,
 * open representors too. A device's representors are those whose rep_dev is its PCI address.
 *
 *   attrs  copied; NULL with num 0 restores those of the environment, or the default ones. An empty
 *          vuid is made of side, PCI address and, for an SF, IB device name; a vhca_id or sf_index
 *          of 0 becomes the place in the table, a rate_gbps of 0 becomes 100
 *   num    at most DOCA_CORE_SW_MAX_DEVS; 0 with attrs not NULL: no devices at all
 *
 * Threads   any
 * Errors    INVALID_VALUE  also: a PCI address that is not "DDDD:BB:DD.F" in lower case, with a
 *                          device up to 1f and a function up to 7; two equal addresses on a side,
 *                          unless of an SF with an IB device name of its own; two equal VUIDs; a
 *                          text that is not NUL-terminated; has_dma or has_sha with a limit of 0; a
 *                          rep_dev that is not the address of a device with rep_filters;
 *                          rep_filters on the host side or of an SF; an enumerator or flag without
 *                          meaning
 *           TOO_BIG        more than DOCA_CORE_SW_MAX_DEVS */
DOCA_CORE_DECL doca_error_t doca_core_sw_set_devices(const struct doca_core_dev_attr *attrs,
                                                     uint32_t num);

/* The same with a text. Functions stand apart by ';' or line ends; each is a PCI address, long or
 * short, and then words key=value in any order, apart by blanks:
 *     03:00.0 side=dpu ib=mlx5_0 if=p0 ; 0b:00.0 side=host ib=mlx5_0 rep=03:00.0 type=pf
 *
 *     side=both|dpu|host        (both)      type=pf|vf|sf            (pf)
 *     ib=NAME  if=NAME          (none)      vuid=TEXT                (made, as above)
 *     mac=02:00:00:00:00:01     (none)      ipv4=192.0.2.1  ipv6=2001:db8::1  (none)
 *     port=eth|ib               (eth)       lid=0 to 65535           (0)
 *     rep=PCI ADDRESS           (none)      the device that has its representor
 *     filters=all+net+emulated  (all three for side=dpu without type=sf, else none)
 *     profile=NAME              (the one that is in force when a list is made)
 *     hotplug=0|1  emulated=0|1  manager=0|1  (0)
 *
 * with the defaults in parentheses. The log line of a refusal says at which character, from 1, the
 * word stands, or the function, that is to blame.
 *
 *   text  not kept; NULL restores as doca_core_sw_set_devices() does
 *
 * Threads   any
 * Errors    INVALID_VALUE  the text is not of this form, or its table would be refused
 *           TOO_BIG        more than DOCA_CORE_SW_MAX_DEVS */
DOCA_CORE_DECL doca_error_t doca_core_sw_set_topology(const char *text);

/* A worker is a thread of the program's that serves a software device, so that copies and hashes
 * proceed while the thread of the PE does other work.
 *     doca_core_sw_worker_create(dev, &worker)             contexts are started after it
 *     pthread_create(..., that calls doca_core_sw_worker_run(worker))
 *     ...                                                  contexts are idle again
 *     doca_core_sw_worker_stop(worker); pthread_join(...); doca_core_sw_worker_destroy(worker)
 * A DMA or SHA context that starts while its device has workers has a queue that all of them serve,
 * side by side: its tasks end in any order, as on hardware. Other contexts, and those of other
 * devices, are served as ever. One worker serves many contexts, of many PEs. All that a program
 * sees, callbacks and contents that grow, stays in doca_pe_progress().
 * What workers do: copies between two single buffers, and hash tasks with them. What else there is,
 * lists, memory of other processes, segments of partial hash tasks, whatever the device refuses,
 * and what finds no mailbox, of which each worker has an equal share, the thread of the PE does, in
 * doca_pe_progress(), as without a worker.
 * While a task is under way nothing else touches its buffers: two tasks with one destination, or
 * one that reads what another one writes, go one after the other. A destination that has changed
 * when its task ends makes the task fail with IO_FAILED.
 * A worker serves from its first run or step to its stop. Where none serves, the thread of the PE
 * does all there is to do: nothing waits for a worker that is not there.                        */

#define DOCA_CORE_SW_MAX_WORKERS 16 /* of a device */

struct doca_priv_sw_lane;

struct doca_core_sw_worker {
    struct doca_priv_object obj;
    uint32_t pid; /* of the process it belongs to */
    uint32_t num_queues; /* open, and served by it */
    struct doca_core_arena *arena;
    struct doca_dev *dev;
    struct doca_core_sw_worker *next; /* of the device */

    uint32_t lock;        /* held by the thread that serves; guards the rest */
    uint32_t num_waiting; /* threads that want it */
    uint32_t asleep;      /* what the thread sleeps on */
    uint32_t max_idle;
    struct doca_priv_sw_lane *lanes;
    bool is_serving; /* lanes are held, or will be in the next turn */
    bool is_running;
    bool is_stopped;
    bool is_asleep;
};

/* Bytes of `n` workers; and what a context of `num_tasks`, of all types, takes beside its own bytes
 * when it starts on a device with `num_workers`, 1 or more. */
#define DOCA_CORE_BYTES_SW_WORKER(n)                                                               \
    ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_core_sw_worker)))
#define DOCA_CORE_BYTES_SW_LANES(num_tasks, num_workers)                                           \
    DOCA_CORE_BYTES_BLOCK(                                                                         \
        DOCA_CORE_LINE *                                                                           \
        (2 + (size_t)(num_workers) *                                                               \
                 (3 + ((size_t)(num_tasks) + (num_workers) - 1) / (size_t)(num_workers))))
DOCA_CORE_DECL doca_error_t doca_core_bytes_sw_worker(size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_sw_lanes(uint32_t num_tasks, uint32_t num_workers,
                                                     size_t *bytes);

/* Create a worker for `dev`.
 *
 * Owns      one block of the device's arena, and a use of the device. Each context that starts
 *           while it exists takes one more, of DOCA_CORE_BYTES_SW_LANES(), from the arena of the
 *           device until it is idle
 * Threads   any
 * Errors    NOT_SUPPORTED  not a device of the software backend
 *           FULL           the device has DOCA_CORE_SW_MAX_WORKERS
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_core_sw_worker_create(struct doca_dev *dev,
                                                       struct doca_core_sw_worker **worker);
DOCA_CORE_DECL doca_error_t doca_core_sw_worker_create_in(struct doca_core_arena *arena,
                                                          struct doca_dev *dev,
                                                          struct doca_core_sw_worker **worker);

/* Destroy a worker.
 *
 * Threads   any, with nobody else in a call with it
 * Errors    IN_USE  a thread is in run, or contexts that it serves are not idle */
DOCA_CORE_DECL doca_error_t doca_core_sw_worker_destroy(struct doca_core_sw_worker *worker);

/* Choose how many turns without work in a row a run makes, by default 20,000, until it sleeps;
 * UINT32_MAX: it never does, as on systems other than Linux. A turn takes some nanoseconds, and
 * longer with many contexts; waking a sleeper costs a submit a system call, and the task some
 * microseconds.
 *
 * Threads   any, from its next turn on */
DOCA_CORE_DECL doca_error_t doca_core_sw_worker_set_max_idle_turns(
    struct doca_core_sw_worker *worker, uint32_t num_turns);

/* Serve, in the calling thread, until doca_core_sw_worker_stop(). It may be run again.
 *
 * Threads   any; one at a time
 * Errors    IN_USE  another thread is in it */
DOCA_CORE_DECL doca_error_t doca_core_sw_worker_run(struct doca_core_sw_worker *worker);

/* Execute tasks that are there now, at most `max_tasks`, and give their number. For programs that
 * have a loop of their own: from the first step on tasks wait for the next one, until stop.
 *
 * Threads   any
 * Cost      the tasks, and a lock
 * Errors    give 0: also that a thread is in run */
DOCA_CORE_DECL uint32_t doca_core_sw_worker_step(struct doca_core_sw_worker *worker,
                                                 uint32_t max_tasks);

/* End the run that is under way, which may return a little later; else the service that steps
 * began, and the next run as soon as it begins, unless there is a step before it. Tasks that were
 * not begun are done by doca_pe_progress() of their thread.
 *
 * Threads   any; waits while a task is executed */
DOCA_CORE_DECL doca_error_t doca_core_sw_worker_stop(struct doca_core_sw_worker *worker);


/* ---- >>backend ------------------------------------------------------------------------------
 * The table an engine implements; users stop reading above this. Core owns states, refcounts, task
 * slots and callback order. A backend owns descriptors and completions, and reports only through
 * poll. It never reads user_data and never calls the program.
 *
 * Order of calls: enumerate (any time); dev_open, then reg/dereg and queues, dev_close last.
 * queue_open on queue_bytes() of line-aligned zeroed memory; queue_opening until it does not say
 * IN_PROGRESS (or queue_close, when the context stops before that); post and poll; queue_flush once
 * when the context stops with tasks in flight, poll going on; queue_close when no task is left,
 * but not after a queue_open that failed. All calls of one queue come from one thread.          */

enum doca_core_engine {
    DOCA_CORE_ENGINE_DMA = 0, /* tasks are struct doca_dma_task_memcpy */
    DOCA_CORE_ENGINE_SHA = 1, /* struct doca_sha_task_hash; those with task.type
                               * DOCA_CORE_SHA_PARTIAL begin struct doca_sha_task_partial_hash */
    DOCA_CORE_ENGINE_EVENT = 2 /* task.type is DOCA_CORE_EVENT_*: struct doca_sync_event_task_get,
                                * _notify_set, _notify_add; _wait_gt, with which _eq, _neq begin */
};

enum { /* types of tasks of ENGINE_EVENT */
    DOCA_CORE_EVENT_GET = DOCA_PRIV_EVENT_GET,
    DOCA_CORE_EVENT_NOTIFY_SET = DOCA_PRIV_EVENT_SET,
    DOCA_CORE_EVENT_NOTIFY_ADD = DOCA_PRIV_EVENT_ADD,
    DOCA_CORE_EVENT_WAIT_GT = DOCA_PRIV_EVENT_WAIT, /* the first one of those that wait */
    DOCA_CORE_EVENT_WAIT_EQ = DOCA_PRIV_EVENT_WAIT_EQ,
    DOCA_CORE_EVENT_WAIT_NEQ = DOCA_PRIV_EVENT_WAIT_NEQ
};

/* Head of every queue; the backend's own members follow it in the same memory. */
struct doca_core_queue {
    /* Data path: never blocks, allocates, locks, or calls the program.
     * post: required. Take the task. AGAIN: the queue is full. INVALID_VALUE: a buffer is NULL.
     *       Not taken unless SUCCESS. task->more says when the device is to learn of it; a post
     *       that does not take its task tells the device of those before.
     * poll: required. Hand over one finished task with its status set, or NULL.
     * Core reads both when the context begins to run; after a flush it reads poll anew. */
    doca_error_t (*post)(struct doca_core_queue *queue, struct doca_task *task);
    struct doca_task *(*poll)(struct doca_core_queue *queue);
    struct doca_task *first; /* of doca_core_queue_append(); NULL: there is none */
    struct doca_task *last;  /* stale while there is none */
    const struct doca_core_backend *backend; /* set by core before queue_open, as is dev */
    struct doca_dev *dev;
};

/* The post of a queue whose poll takes its tasks, which begin as those of DMA do, from a list:
 * first, then its next, and so on. Core does without the call. */
DOCA_CORE_DECL doca_error_t doca_core_queue_append(struct doca_core_queue *queue,
                                                   struct doca_task *task);

struct doca_core_range { /* memory that a device is to reach */
    void *addr; /* where bufs have it */
    size_t len;
    uint32_t access;
    int dmabuf_fd; /* -1: it is at addr in this process */
    size_t dmabuf_offset;
};

struct doca_core_event_place { /* where the value of a sync event is */
    void *addr;                    /* where bufs have it; 8 bytes, aligned */
    const struct doca_mmap *mmap;  /* that it is in, as long as the queue is open */
    uint32_t mkey;                 /* of this mmap on the device, */
    uint32_t own;                  /* as reg_range, mem_import or dm_alloc gave them */
    const volatile uint64_t *here; /* where the CPU reads it too; NULL: it does not reach it */
};

struct doca_core_backend {
    const char *name; /* "sw", "mlx5", ...; valid while registered */

    /* Describe up to `max` devices in attrs (NULL with max 0); return how many exist. Required.
     * Any thread. Like dev_open and dev_close it must not call this library. */
    uint32_t (*enumerate)(struct doca_core_dev_attr *attrs, uint32_t max);

    /* The same for the functions that an open device has representors of and that match `filter`
     * (DOCA_DEVINFO_REP_FILTER_*, one that the device's rep_filters have). Absent: no device has
     * representors, whatever its rep_filters say. */
    uint32_t (*enumerate_reps)(struct doca_dev *dev, int filter, struct doca_core_dev_attr *attrs,
                               uint32_t max);

    /* Open or close; dev->info.attr says which device, dev->backend_data is free to use.
     * Absent: nothing to do. */
    doca_error_t (*dev_open)(struct doca_dev *dev);
    void (*dev_close)(struct doca_dev *dev);

    /* Register a range with DOCA_ACCESS_FLAG_* permissions; mkey 0: it has no key. Absent: nothing
     * to do, mkey 0. */
    doca_error_t (*reg)(struct doca_dev *dev, void *addr, size_t len, uint32_t access,
                        uint32_t *mkey);
    void (*dereg)(struct doca_dev *dev, uint32_t mkey);

    /* Bytes of a queue of `depth` tasks, at least sizeof(struct doca_core_queue). Required. */
    size_t (*queue_bytes)(struct doca_dev *dev, enum doca_core_engine engine, uint32_t depth);

    /* Set queue->post and queue->poll and what else it needs. SUCCESS: it can be used.
     * IN_PROGRESS: queue_opening will say when. Required. */
    doca_error_t (*queue_open)(struct doca_core_queue *queue, enum doca_core_engine engine,
                               uint32_t depth);

    /* SUCCESS, IN_PROGRESS, or why the queue will never open. Absent: SUCCESS. */
    doca_error_t (*queue_opening)(struct doca_core_queue *queue);

    /* Release what the queue holds; its memory is core's. Absent: nothing to do. */
    void (*queue_close)(struct doca_core_queue *queue);

    /* Let every task that has not begun finish with `status`. Required. */
    void (*queue_flush)(struct doca_core_queue *queue, doca_error_t status);

    /* Say whether poll would hand over a task now. Required. */
    bool (*queue_ready)(struct doca_core_queue *queue);

    /* For a device whose tasks finish outside of these calls: a descriptor, the same from
     * queue_open to queue_close, that is readable exactly while the queue is armed and has finished
     * tasks; queue_arm arms or disarms the queue, also twice in the same way. Absent: no descriptor
     * (-1), nothing to do; queue_ready is asked when the PE is armed and at each submit. */
    int (*queue_fd)(struct doca_core_queue *queue);
    void (*queue_arm)(struct doca_core_queue *queue, bool armed);

    /* For the RDMA bridge. get_pd: the protection domain of an open device that has no from_pd, or
     * why there is none. open_from_pd: dev_open for a device in a PD of the program's; describe it
     * in dev->info.attr. dev_close ends it too, and it lets go of the PD. Both must not call this
     * library. Absent: NOT_SUPPORTED. */
    doca_error_t (*get_pd)(const struct doca_dev *dev, struct ibv_pd **pd);
    doca_error_t (*open_from_pd)(struct doca_dev *dev, struct ibv_pd *pd);

    /* For buffer arrays on processors beside the CPU, both or neither: make what arr->target, of
     * the kind arr->processor, sees of a starting array, or NOT_SUPPORTED; take it back at stop. */
    doca_error_t (*arr_start)(struct doca_dev *dev, const struct doca_buf_arr *arr, void **handle);
    void (*arr_stop)(struct doca_dev *dev, const struct doca_buf_arr *arr, void *handle);

    /* Called in place of reg: for devices that do not reach memory by its address alone. *own stays
     * beside the mkey, in mmap->devs[].own, for the backend. Absent: reg is called, and not told of
     * a dmabuf. */
    doca_error_t (*reg_range)(struct doca_dev *dev, const struct doca_core_range *range,
                              uint32_t *mkey, uint32_t *own);

    /* For ranges that other functions of the device use, all four or none. Absent: exports and
     * imports are those of the software device, which the operating system copies.
     * mem_export: let others use a registered range, for PCI or RDMA, and say in `blob`, which is
     * all 0, what they need for it; once for each kind until mem_unexport, which ends it. dereg
     * comes after that. mem_import: make a range of such a blob, at range->addr in somebody else's
     * memory, usable through `dev`; mkey and own as in reg_range. mem_unimport ends it: whoever
     * exported it may have done so long before. */
    doca_error_t (*mem_export)(struct doca_dev *dev, uint32_t mkey, uint32_t own, bool is_rdma,
                               unsigned char blob[DOCA_CORE_EXPORT_BYTES]);
    void (*mem_unexport)(struct doca_dev *dev, uint32_t mkey, uint32_t own, bool is_rdma);
    doca_error_t (*mem_import)(struct doca_dev *dev, const struct doca_core_range *range,
                               bool is_rdma, const unsigned char blob[DOCA_CORE_EXPORT_BYTES],
                               uint32_t *mkey, uint32_t *own);
    void (*mem_unimport)(struct doca_dev *dev, uint32_t mkey, uint32_t own);

    /* For devices with memory of their own, all three or none. dm_alloc: take `len` bytes, and
     * register them; *addr is where bufs have them, mkey and own are as in reg_range. dm_free: take
     * it all back. dm_copy: between this process and [offset, offset + len), which is inside.
     * Absent: NOT_SUPPORTED. */
    doca_error_t (*dm_alloc)(struct doca_dev *dev, size_t len, void **addr, uint32_t *mkey,
                             uint32_t *own);
    void (*dm_free)(struct doca_dev *dev, uint32_t mkey);
    doca_error_t (*dm_copy)(struct doca_dev *dev, uint32_t mkey, size_t offset, void *bytes,
                            size_t len, bool is_write);

    /* For queues that take tasks without telling the device: tell it of those, if there are some.
     * Absent: core keeps such tasks, and DOCA_CORE_MORE_LATER is never seen. */
    void (*queue_ring)(struct doca_core_queue *queue);

    /* For devices whose limits have an event_engine: queue_open for
     * ENGINE_EVENT. post answers INVALID_VALUE to a task without a place for its result. */
    doca_error_t (*event_open)(struct doca_core_queue *queue,
                               const struct doca_core_event_place *place, uint32_t depth);

    /* For devices that can fail as a whole: has it? It may ask the device or the operating system,
     * for some microseconds. Any thread, while a context of the device exists. Core asks when a
     * context starts, which then fails with DRIVER; for each one that runs when
     * doca_core_backend_dev_failed() was called, and at times in a doca_pe_progress() that finds
     * nothing: these then stop, by queue_flush with IO_FAILED where they have tasks. A device may
     * work again. Absent: never. */
    bool (*dev_failed)(struct doca_dev *dev);

    uint32_t serial; /* set by core: no two registrations have the same */
};

/* For backends: say why something failed, as calls of this library do, and give `code` again.
 *
 *   function  the public call in which it did
 *   object    one of the library's, or NULL
 *   detail    a number that stands behind the text; 0: none
 *
 * Threads   any, but not in what must not call this library */
DOCA_CORE_DECL doca_error_t doca_core_backend_fail(doca_error_t code, enum doca_core_item item,
                                                   const char *function, const void *object,
                                                   uint32_t detail);

/* For backends: tell that dev_failed says so from now on. Every PE with a context that is not idle,
 * of any device with dev_failed, asks in its next doca_pe_progress(), and wakes if it is armed. Of
 * a device that works again nothing is told: contexts that start ask.
 *
 * Threads   any, and in any member but those that must not call this library
 * Cost      O(such PEs), and a system call for each that has a handle */
DOCA_CORE_DECL void doca_core_backend_dev_failed(const struct doca_dev *dev);

/* For backends: judge a memcpy task that has its buffers as the software device does, which lets
 * it fail with IO_FAILED for what is wrong. SUCCESS, or why not, in *item.
 *
 * Cost      O(elements of its lists) */
DOCA_CORE_DECL doca_error_t doca_core_dma_task_inspect(const struct doca_dma_task_memcpy *task,
                                                       enum doca_core_item *item);

/* Make the devices of a backend appear in the next device list. The table is copied.
 *
 * Threads   any
 * Errors    INVALID_VALUE  a required member is absent
 *           ALREADY_EXIST  a backend of this name is registered
 *           FULL           DOCA_CORE_MAX_BACKENDS are registered */
DOCA_CORE_DECL doca_error_t doca_core_backend_register(const struct doca_core_backend *backend);

/* Remove a backend.
 *
 * Threads   any
 * Errors    NOT_FOUND      no backend of this name
 *           IN_USE         devices of it are open
 *           NOT_PERMITTED  it is the software device */
DOCA_CORE_DECL doca_error_t doca_core_backend_unregister(const char *name);

/* Give the software device's table, for backends that wrap it. */
DOCA_CORE_DECL const struct doca_core_backend *doca_core_sw_backend(void);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_H */

/* ---- >>hot ----------------------------------------------------------------------------------
 * The calls of the data path, as they usually go: what programs inline. What is not usual they
 * leave to a function with _other at its end, in the section that the call belongs to. The calls
 * are real functions as well, for other languages and with DOCA_CORE_NO_INLINE. First what checks
 * handles, and the calls for bufs.                                                              */

#if defined(__GNUC__) && !defined(__TINYC__) && defined(__OPTIMIZE__) &&                           \
    !defined(DOCA_CORE_NO_INLINE)
#define DOCA_PRIV_INLINES
#endif

#if (defined(DOCA_PRIV_INLINES) || defined(DOCA_CORE_IMPLEMENTATION)) && !defined(DOCA_PRIV_HOT)

/* HOT: small, on the data path, in every caller. COLD: a failure, or another process, out of
 * everybody's way. APART: so that who calls it last needs no frame. */
#if defined(__GNUC__) && !defined(__TINYC__)
#define DOCA_PRIV_HOT static inline __attribute__((always_inline))
#define DOCA_PRIV_COLD static __attribute__((cold, noinline, unused))
#define DOCA_PRIV_APART static __attribute__((noinline))
#define DOCA_PRIV_COPY(to, from, bytes) __builtin_memcpy((to), (from), (bytes))
#define DOCA_PRIV_ASSUME(what) ((what) ? (void)0 : __builtin_unreachable())
/* Not base and index: x86 forwards what was stored to the next load there later, by five cycles. */
#define DOCA_PRIV_PLAIN(address) __asm__("" : "+r"(address))
#define DOCA_PRIV_PREFETCH(address) __builtin_prefetch(address) /* NULL does no harm */
/* Others may have written there: read it anew. An atomic load is no part of a compare. */
#define DOCA_PRIV_RENEW(object) __asm__ volatile("" : "+m"(*(object)))
#if !defined(__clang__) && __GNUC__ >= 8
#define DOCA_PRIV_OPAQUE __attribute__((noipa))
#else
#define DOCA_PRIV_OPAQUE
#endif
#else
#ifndef DOCA_CORE_FREESTANDING
#include <string.h>
#else
void *memcpy(void *to, const void *from, size_t bytes);
#endif
#define DOCA_PRIV_OPAQUE
#define DOCA_PRIV_HOT static
#define DOCA_PRIV_COLD static
#define DOCA_PRIV_APART static
#define DOCA_PRIV_COPY(to, from, bytes) memcpy((to), (from), (bytes))
#define DOCA_PRIV_ASSUME(what) ((void)0)
#define DOCA_PRIV_PLAIN(address) ((void)0)
#define DOCA_PRIV_PREFETCH(address) ((void)0)
#define DOCA_PRIV_RENEW(object) ((void)0)
#endif

/* Is this for ThreadSanitizer, to which a load that is no atomic one is a race? */
#define DOCA_PRIV_SEES_RACES false
#ifdef __SANITIZE_THREAD__
#undef DOCA_PRIV_SEES_RACES
#define DOCA_PRIV_SEES_RACES true
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#undef DOCA_PRIV_SEES_RACES
#define DOCA_PRIV_SEES_RACES true
#endif
#endif

/* TinyCC has neither atomics nor thread-local storage: one thread, as with SINGLE_THREAD. */
#if defined(DOCA_CORE_SINGLE_THREAD) || defined(__TINYC__)
#define DOCA_PRIV_LOAD(p) (*(p))
#define DOCA_PRIV_STORE(p, value) (*(p) = (value))
#define DOCA_PRIV_TRY_LOCK(p) (*(p) == 0 ? (*(p) = 1, true) : false)
#define DOCA_PRIV_LOAD_ORDERED(p) (*(p))
#define DOCA_PRIV_STORE_ORDERED(p, value) (*(p) = (value))
#define DOCA_PRIV_FETCH_ADD(p, n) ((void)(*(p) = *(p) + (n)), *(p) - (n))
#define DOCA_PRIV_SWAP(p, value, was) ((was) = *(p), *(p) = (value))
#define DOCA_PRIV_PEEK(p) (*(p))
#else
#define DOCA_PRIV_LOAD(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define DOCA_PRIV_STORE(p, value) __atomic_store_n((p), (value), __ATOMIC_RELEASE)
#define DOCA_PRIV_TRY_LOCK(p) (__atomic_exchange_n((p), 1u, __ATOMIC_ACQUIRE) == 0)
#define DOCA_PRIV_SWAP(p, value, was) ((was) = __atomic_exchange_n((p), (value), __ATOMIC_SEQ_CST))
#define DOCA_PRIV_PEEK(p) __atomic_load_n((p), __ATOMIC_RELAXED) /* as cheap as any load */
/* these three have one order that all threads and processes see */
#define DOCA_PRIV_LOAD_ORDERED(p) __atomic_load_n((p), __ATOMIC_SEQ_CST)
#define DOCA_PRIV_FETCH_ADD(p, n) __atomic_fetch_add((p), (n), __ATOMIC_SEQ_CST)
#if defined(__x86_64__)
/* Compilers make an exchange of it, which begins only when all before it is done. Here the store
 * sets out at once, and the barrier waits for it: a core that waits has the line sooner. */
#define DOCA_PRIV_STORE_ORDERED(p, value)                                                          \
    do {                                                                                           \
        __atomic_store_n((p), (value), __ATOMIC_RELEASE);                                          \
        __asm__ volatile("lock; orl $0, (%%rsp)" : : : "memory", "cc");                            \
    } while (0)
#else
#define DOCA_PRIV_STORE_ORDERED(p, value) __atomic_store_n((p), (value), __ATOMIC_SEQ_CST)
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What a handle can be. Values unlikely in other memory: bufs and tasks have no guard word. */
enum {
    DOCA_PRIV_KIND_ARENA = 0xc1,
    DOCA_PRIV_KIND_DEVINFO_LIST,
    DOCA_PRIV_KIND_DEVINFO,
    DOCA_PRIV_KIND_DEV,
    DOCA_PRIV_KIND_REP_LIST,
    DOCA_PRIV_KIND_DEVINFO_REP,
    DOCA_PRIV_KIND_DEV_REP,
    DOCA_PRIV_KIND_MMAP,
    DOCA_PRIV_KIND_MMAP_GONE, /* what buffers are left of; no handle any more */
    DOCA_PRIV_KIND_BUF,
    DOCA_PRIV_KIND_INVENTORY,
    DOCA_PRIV_KIND_INVENTORY_MORE, /* what expand added; no handle */
    DOCA_PRIV_KIND_POOL,
    DOCA_PRIV_KIND_ARRAY,
    DOCA_PRIV_KIND_TASK,
    DOCA_PRIV_KIND_BATCH,
    DOCA_PRIV_KIND_DMA, /* the first kind of context */
    DOCA_PRIV_KIND_SHA,
    DOCA_PRIV_KIND_MMAP_ADVISE,
    DOCA_PRIV_KIND_SYNC_EVENT, /* the last one */
    DOCA_PRIV_KIND_SYNC_EVENT_NET,
    DOCA_PRIV_KIND_PE,
    DOCA_PRIV_KIND_GRAPH,
    DOCA_PRIV_KIND_NODE,
    DOCA_PRIV_KIND_INSTANCE,
    DOCA_PRIV_KIND_DPDK_MEMPOOL,
    DOCA_PRIV_KIND_SW_WORKER,
    DOCA_PRIV_KIND_LEGACY_MMAP, /* these of tools/compat/doca_core_legacy.h */
    DOCA_PRIV_KIND_LEGACY_DMA,
    DOCA_PRIV_KIND_LEGACY_GRAPH,
    DOCA_PRIV_KIND_LEGACY_NODE,
    DOCA_PRIV_KIND_LEGACY_INSTANCE,
    DOCA_PRIV_KIND_WORKQ,
    DOCA_PRIV_KIND_END
};

enum { /* in doca_priv_object.owner: whose the user_data is, when not the program's */
    DOCA_PRIV_OF_DPDK = 1,
    DOCA_PRIV_OF_LEGACY = 2
};

#define DOCA_PRIV_GUARD 0xd0ca /* in doca_priv_object.guard while the object is alive */

enum { /* what happened to an object; behind STATE the states of contexts */
    DOCA_PRIV_NOTE_CREATED,
    DOCA_PRIV_NOTE_DESTROYED,
    DOCA_PRIV_NOTE_TAKEN,
    DOCA_PRIV_NOTE_RETURNED,
    DOCA_PRIV_NOTE_SUBMITTED,
    DOCA_PRIV_NOTE_COMPLETED,
    DOCA_PRIV_NOTE_CHAINED,
    DOCA_PRIV_NOTE_STATE
};

#if DOCA_CORE_CHECK >= 2
DOCA_CORE_DECL void doca_priv_check_note(const void *object, unsigned what);
DOCA_CORE_DECL void doca_priv_check_finish(struct doca_task *task);
DOCA_CORE_DECL void doca_priv_check_bury_buf(struct doca_buf **first);
DOCA_CORE_DECL void doca_priv_check_bury_task(struct doca_task **first);
#endif

/* State of mmap, inventory and pool. An mmap that threads share is started in a way of its own, so
 * that the others are made buffers of without a look at that. */
enum { DOCA_PRIV_STOPPED = 0, DOCA_PRIV_STARTED = 1, DOCA_PRIV_STARTED_SHARED = 2 };

/* Is `object` alive, of this kind and in this state? One compare with a constant that fits into an
 * instruction. With DOCA_CORE_CHECK 0: is it there, and in this state? */
DOCA_PRIV_HOT bool doca_priv_is_in(const void *object, uint8_t kind, uint8_t state)
{
    const struct doca_priv_object wanted = { kind, state, DOCA_PRIV_GUARD, 0 };
    uint32_t is, should;

    if (DOCA_CORE_CHECK == 0)
        return object != NULL && ((const struct doca_priv_object *)object)->state == state;
    DOCA_PRIV_COPY(&should, &wanted, sizeof(should));
    if (doca_unlikely(object == NULL))
        return false;
    DOCA_PRIV_COPY(&is, object, sizeof(is));
    return is == should;
}

/* State of a PE. FAILED is set by any thread, the others by the PE's own. */
enum {
    DOCA_PRIV_PE_QUIET = 0,
    DOCA_PRIV_PE_IDLE = 1,  /* nothing is active, and devices are to be asked now and then */
    DOCA_PRIV_PE_FAILED = 2 /* one of them may have failed */
};

/* doca_priv_is_in() of a PE that is quiet, though others may be writing that it is not. */
DOCA_PRIV_HOT bool doca_priv_pe_is_quiet(struct doca_pe *pe)
{
    if (doca_unlikely(pe == NULL))
        return false;
    if (DOCA_PRIV_SEES_RACES)
        return DOCA_PRIV_PEEK(&pe->obj.state) == DOCA_PRIV_PE_QUIET &&
               (DOCA_CORE_CHECK == 0 ||
                (DOCA_PRIV_PEEK(&pe->obj.kind) == DOCA_PRIV_KIND_PE &&
                 DOCA_PRIV_PEEK(&pe->obj.guard) == DOCA_PRIV_GUARD));
    DOCA_PRIV_RENEW(&pe->obj);
    return doca_priv_is_in(pe, DOCA_PRIV_KIND_PE, DOCA_PRIV_PE_QUIET);
}

DOCA_PRIV_HOT bool doca_priv_is_buf(const struct doca_buf *buf)
{
    return buf != NULL && (DOCA_CORE_CHECK == 0 || buf->kind == DOCA_PRIV_KIND_BUF);
}

/* The first four bytes of a buf that begins like this. */
DOCA_PRIV_HOT uint32_t doca_priv_buf_word_of(uint8_t kind, uint8_t flags, uint16_t refcount)
{
    const struct {
        uint8_t kind;
        uint8_t flags;
        uint16_t refcount;
    } begin = { kind, flags, refcount };
    uint32_t word;

    DOCA_PRIV_COPY(&word, &begin, sizeof(word));
    return word;
}

/* A load that is wider than the store before it waits for that: changes are of all four, too. */
DOCA_PRIV_HOT void doca_priv_buf_set_word(struct doca_buf *buf, uint32_t word)
{
    DOCA_PRIV_COPY((void *)buf, &word, sizeof(word));
}

/* What of them is left of these bits. */
DOCA_PRIV_HOT uint32_t doca_priv_buf_word(const struct doca_buf *buf, uint8_t flags,
                                          uint16_t refcount)
{
    uint32_t word;

    DOCA_PRIV_COPY(&word, buf, sizeof(word));
    return word & doca_priv_buf_word_of(0xff, flags, refcount);
}

/* Is it a head, as one compare? With `once`: that holds one reference. `without`: and that has none
 * of these flags. */
DOCA_PRIV_HOT bool doca_priv_buf_is_head(const struct doca_buf *buf, bool once, uint8_t without)
{
    const uint8_t flags = DOCA_PRIV_BUF_OUT | DOCA_PRIV_BUF_INNER | without;

    return doca_likely(buf != NULL) &&
           doca_likely(doca_priv_buf_word(buf, flags, once ? UINT16_MAX : 0) ==
                       doca_priv_buf_word_of(DOCA_PRIV_KIND_BUF, DOCA_PRIV_BUF_OUT, once ? 1 : 0));
}

DOCA_PRIV_HOT size_t doca_priv_buf_len(const struct doca_buf *buf)
{
    return (size_t)((uintptr_t)buf->end - (uintptr_t)buf->head);
}

/* Bytes of room behind the content. */
DOCA_PRIV_HOT size_t doca_priv_buf_tailroom(const struct doca_buf *buf)
{
    return (size_t)((uintptr_t)buf->end - (uintptr_t)buf->data) - buf->data_len;
}

/* Take the first free buf, empty, as the window [addr, addr + len) of `mmap`, which has yet to
 * count it. */
DOCA_PRIV_HOT struct doca_buf *doca_priv_stock_take(struct doca_priv_stock *stock,
                                                    struct doca_mmap *mmap, unsigned char *addr,
                                                    size_t len)
{
    struct doca_buf *buf = stock->free_bufs;

    stock->free_bufs = buf->next;
    stock->num_free--;
    doca_priv_buf_set_word(buf, mmap->buf_word);
    buf->head = addr;
    buf->end = (unsigned char *)((uintptr_t)addr + len); /* up to the end of all memory */
    buf->data = addr;
    buf->data_len = 0;
    buf->mmap = mmap;
    buf->next = NULL;
    DOCA_PRIV_CHECKED(doca_priv_check_note(buf, DOCA_PRIV_NOTE_TAKEN);)
    return buf;
}

DOCA_CORE_DECL doca_error_t doca_priv_inventory_get_other(struct doca_buf_inventory *inventory,
                                                          struct doca_mmap *mmap, void *addr,
                                                          size_t len, void *data, size_t data_len,
                                                          struct doca_buf **buf,
                                                          const char *function);

/* What another function gives goes through a variable of its own, here and below, so that the
 * program's may stay in a register; and what that did not refuse is there. */
DOCA_PRIV_HOT doca_error_t doca_priv_inventory_get(struct doca_buf_inventory *inventory,
                                                   struct doca_mmap *mmap, void *addr, size_t len,
                                                   void *data, size_t data_len,
                                                   struct doca_buf **buf, const char *function)
{
    const uintptr_t begin = (uintptr_t)addr, end = begin + len, skip = (uintptr_t)data - begin;
    struct doca_buf *b;
    doca_error_t rc;

    /* whether they are there first: compilers then remember it from one get to the next */
    if (doca_unlikely(inventory == NULL) || doca_unlikely(mmap == NULL) ||
        doca_unlikely(!doca_priv_is_in(inventory, DOCA_PRIV_KIND_INVENTORY, DOCA_PRIV_STARTED)) ||
        doca_unlikely(!doca_priv_is_in(mmap, DOCA_PRIV_KIND_MMAP, DOCA_PRIV_STARTED)) ||
        doca_unlikely(buf == NULL || begin < (uintptr_t)mmap->addr || begin >= end ||
                      end > (uintptr_t)mmap->end || skip > len || data_len > len - skip ||
                      inventory->stock.free_bufs == NULL)) {
        b = NULL; /* for compilers that find no reason why that one refuses */
        rc = doca_priv_inventory_get_other(inventory, mmap, addr, len, data, data_len,
                                           buf != NULL ? &b : NULL, function);
        if (rc != DOCA_SUCCESS || buf == NULL)
            return rc;
        DOCA_PRIV_ASSUME(inventory != NULL);
        DOCA_PRIV_ASSUME(mmap != NULL);
        DOCA_PRIV_ASSUME(b != NULL);
    } else {
        b = doca_priv_stock_take(&inventory->stock, mmap, (unsigned char *)addr, len);
        mmap->num_bufs++;
        b->data = (unsigned char *)data;
        b->data_len = data_len;
    }
    *buf = b;
    return DOCA_SUCCESS;
}

DOCA_PRIV_HOT doca_error_t doca_priv_hot_buf_inventory_buf_get_by_args(
    struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr, size_t len,
    void *data, size_t data_len, struct doca_buf **buf)
{
    return doca_priv_inventory_get(inventory, mmap, addr, len, data, data_len, buf,
                                   "doca_buf_inventory_buf_get_by_args");
}

DOCA_PRIV_HOT doca_error_t doca_priv_hot_buf_inventory_buf_get_by_addr(
    struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *addr, size_t len,
    struct doca_buf **buf)
{
    return doca_priv_inventory_get(inventory, mmap, addr, len, addr, 0, buf,
                                   "doca_buf_inventory_buf_get_by_addr");
}

DOCA_PRIV_HOT doca_error_t doca_priv_hot_buf_inventory_buf_get_by_data(
    struct doca_buf_inventory *inventory, struct doca_mmap *mmap, void *data, size_t data_len,
    struct doca_buf **buf)
{
    return doca_priv_inventory_get(inventory, mmap, data, data_len, data, data_len, buf,
                                   "doca_buf_inventory_buf_get_by_data");
}

/* Put one element back into the stock it came from. */
DOCA_PRIV_HOT void doca_priv_buf_put(struct doca_buf *buf)
{
    struct doca_priv_stock *stock = (struct doca_priv_stock *)(
        (uintptr_t)buf + (uintptr_t)(intptr_t)buf->home * DOCA_PRIV_HOME);

    doca_priv_buf_set_word(buf, doca_priv_buf_word_of(DOCA_PRIV_KIND_BUF, 0, 0));
    buf->next = stock->free_bufs;
    stock->free_bufs = buf;
    stock->num_free++;
    DOCA_PRIV_CHECKED(doca_priv_check_note(buf, DOCA_PRIV_NOTE_RETURNED);
                      doca_priv_check_bury_buf(&stock->free_bufs);)
}

DOCA_CORE_DECL doca_error_t doca_priv_buf_release_list(struct doca_buf *buf);
DOCA_CORE_DECL doca_error_t doca_priv_buf_dec_refcount_other(struct doca_buf *buf,
                                                             uint16_t *refcount);

DOCA_PRIV_HOT doca_error_t doca_priv_hot_buf_dec_refcount(struct doca_buf *buf, uint16_t *refcount)
{
    if (DOCA_CORE_CHECK < 2 &&
        doca_likely(doca_priv_buf_is_head(buf, true, DOCA_PRIV_BUF_LIST | DOCA_PRIV_BUF_OTHER))) {
        if (refcount != NULL)
            *refcount = 1;
        buf->mmap->num_bufs--;
        doca_priv_buf_put(buf);
        return DOCA_SUCCESS;
    }
    if (DOCA_CORE_CHECK < 2 && refcount == NULL &&
        doca_priv_buf_is_head(buf, true, DOCA_PRIV_BUF_OTHER))
        return doca_priv_buf_release_list(buf);
    return doca_priv_buf_dec_refcount_other(buf, refcount);
}

DOCA_CORE_DECL doca_error_t doca_priv_buf_chain_list_other(struct doca_buf *list1,
                                                           struct doca_buf *list2,
                                                           const char *function);

/* Put one list behind another one, whose head gets these flags. */
DOCA_PRIV_HOT void doca_priv_buf_link(struct doca_buf *list1, struct doca_buf *list2, uint8_t flags)
{
    list1->last->next = list2;
    list1->last = list2->last;
    doca_priv_buf_set_word(list1, doca_priv_buf_word(list1, 0xff, UINT16_MAX) |
                                      doca_priv_buf_word_of(0, flags, 0));
    doca_priv_buf_set_word(list2, doca_priv_buf_word(list2, 0xff, UINT16_MAX) |
                                      doca_priv_buf_word_of(0, DOCA_PRIV_BUF_INNER, 0));
    DOCA_PRIV_CHECKED(doca_priv_check_note(list2, DOCA_PRIV_NOTE_CHAINED);)
}

DOCA_PRIV_HOT doca_error_t doca_priv_hot_buf_chain_list(struct doca_buf *list1,
                                                        struct doca_buf *list2)
{
    if (DOCA_CORE_CHECK >= 2 ||
        doca_unlikely(!doca_priv_buf_is_head(list1, false, DOCA_PRIV_BUF_OTHER)) ||
        doca_unlikely(!doca_priv_buf_is_head(list2, true, DOCA_PRIV_BUF_OTHER)) ||
        doca_unlikely(list1 == list2))
        return doca_priv_buf_chain_list_other(list1, list2, "doca_buf_chain_list");
    doca_priv_buf_link(list1, list2, DOCA_PRIV_BUF_LIST);
    return DOCA_SUCCESS;
}

/* Why a call with a buf and a place for what it gives is refused. To compilers it may write there:
 * they would warn of programs that do not look at the error. */
DOCA_PRIV_OPAQUE
DOCA_CORE_DECL doca_error_t doca_priv_buf_refuse(const struct doca_buf *buf, void *out,
                                                 const char *function);

#define DOCA_PRIV_BUF_GETTER(name, type, value)                                                    \
    DOCA_PRIV_HOT doca_error_t doca_priv_hot_buf_get_##name(const struct doca_buf *buf, type *out) \
    {                                                                                              \
        if (doca_unlikely(!doca_priv_is_buf(buf) || out == NULL))                                  \
            return doca_priv_buf_refuse(buf, out, "doca_buf_get_" #name);                          \
        *out = (value);                                                                            \
        return DOCA_SUCCESS;                                                                       \
    }

DOCA_PRIV_BUF_GETTER(head, void *, buf->head)
DOCA_PRIV_BUF_GETTER(len, size_t, doca_priv_buf_len(buf))
DOCA_PRIV_BUF_GETTER(data, void *, buf->data)
DOCA_PRIV_BUF_GETTER(data_len, size_t, buf->data_len)

DOCA_CORE_DECL doca_error_t doca_priv_buf_set_data_other(struct doca_buf *buf, void *data,
                                                         size_t data_len, const char *function);
DOCA_CORE_DECL doca_error_t doca_priv_buf_set_len(struct doca_buf *buf, size_t data_len,
                                                  const char *function);

DOCA_PRIV_HOT doca_error_t doca_priv_hot_buf_set_data(struct doca_buf *buf, void *data,
                                                      size_t data_len)
{
    size_t skip;

    if (DOCA_CORE_CHECK < 2 &&
        doca_likely(doca_priv_is_buf(buf) && data != NULL && buf->flags != 0)) {
        skip = (size_t)((uintptr_t)data - (uintptr_t)buf->head);
        if (doca_likely(skip <= doca_priv_buf_len(buf) &&
                        data_len <= doca_priv_buf_len(buf) - skip)) {
            buf->data = (unsigned char *)data;
            buf->data_len = data_len;
            return DOCA_SUCCESS;
        }
    }
    return doca_priv_buf_set_data_other(buf, data, data_len, "doca_buf_set_data");
}

DOCA_PRIV_HOT doca_error_t doca_priv_hot_buf_reset_data_len(struct doca_buf *buf)
{
    if (DOCA_CORE_CHECK >= 2 || doca_unlikely(!doca_priv_is_buf(buf) || buf->flags == 0))
        return doca_priv_buf_set_len(buf, 0, "doca_buf_reset_data_len");
    buf->data_len = 0;
    return DOCA_SUCCESS;
}

/* ---- >>hot.task -----------------------------------------------------------------------------
 * The same for tasks, contexts, progress and sync events.                                       */

/* Kind and state of a task are read as one word, and so written as one. */
DOCA_PRIV_HOT void doca_priv_task_set_state(struct doca_task *task, uint8_t state)
{
    const uint8_t begin[4] = { DOCA_PRIV_KIND_TASK, state, 0, 0 };

    DOCA_PRIV_COPY((void *)task, begin, sizeof(begin));
}

/* Is the task the program's to submit or free? */
DOCA_PRIV_HOT bool doca_priv_task_is_owned(const struct doca_task *task)
{
    const uint8_t wanted[4] = { DOCA_PRIV_KIND_TASK, DOCA_PRIV_TASK_OWNED, 0, 0 };
    uint32_t is, should;

    DOCA_PRIV_COPY(&should, wanted, sizeof(should));
    if (doca_unlikely(task == NULL))
        return false;
    DOCA_PRIV_COPY(&is, task, sizeof(is));
    return is == should;
}

/* Has a task that begins as those of DMA do its bufs? Copied, as it may be of another type, and so
 * not what compilers take a structure of this type to be. */
DOCA_PRIV_HOT bool doca_priv_task_has_bufs(const struct doca_task *task)
{
    const struct doca_dma_task_memcpy *t = (const struct doca_dma_task_memcpy *)(const void *)task;
    const struct doca_buf *src, *dst;

    DOCA_PRIV_COPY(&src, &t->src, sizeof(src));
    DOCA_PRIV_COPY(&dst, &t->dst, sizeof(dst));
    return src != NULL && dst != NULL;
}

DOCA_PRIV_HOT void doca_priv_queue_append(struct doca_core_queue *queue, struct doca_task *task)
{
    task->next = NULL;
#ifdef __clang__ /* would make one way of the branch longer; of addresses it selects one */
    {
        uintptr_t end = (uintptr_t)queue->last + offsetof(struct doca_task, next);

        DOCA_PRIV_PLAIN(end);
        if (queue->first == NULL)
            end = (uintptr_t)&queue->first;
        *(struct doca_task **)end = task;
    }
#else
    if (queue->first == NULL)
        queue->first = task;
    else
        queue->last->next = task;
#endif
    queue->last = task;
}

/* Hand a task to the queue of its context. Unless SUCCESS its state is the caller's to set back. */
DOCA_PRIV_HOT doca_error_t doca_priv_task_post(struct doca_task *task)
{
    struct doca_ctx *ctx = task->ctx;
    doca_error_t rc;

    doca_priv_task_set_state(task, DOCA_PRIV_TASK_SUBMITTED);
    if (doca_likely(ctx->post == NULL)) {
        if (doca_unlikely(!doca_priv_task_has_bufs(task)))
            return DOCA_ERROR_INVALID_VALUE;
        ctx->num_inflight++;
        doca_priv_queue_append(ctx->queue, task);
        return DOCA_SUCCESS;
    }
    ctx->num_inflight++;
    rc = ctx->post(ctx->queue, task);
    if (doca_unlikely(rc != DOCA_SUCCESS))
        ctx->num_inflight--;
    return rc;
}

/* Hand a task to a queue that lets the device learn of it later. AGAIN: it does not. */
DOCA_PRIV_HOT doca_error_t doca_priv_task_hold(struct doca_task *task, struct doca_ctx *ctx)
{
    doca_error_t rc;

    doca_priv_task_set_state(task, DOCA_PRIV_TASK_SUBMITTED);
    ctx->num_inflight++;
    task->more = DOCA_CORE_MORE_LATER;
    rc = ctx->queue->post(ctx->queue, task);
    task->more = DOCA_CORE_MORE_NONE;
    if (doca_unlikely(rc != DOCA_SUCCESS)) {
        ctx->num_inflight--;
        doca_priv_task_set_state(task, DOCA_PRIV_TASK_OWNED);
    }
    return rc;
}

/* `rc`: what a queue said to a task that is to be submitted, or SUCCESS: it was not asked. */
DOCA_CORE_DECL doca_error_t doca_priv_task_submit_other(struct doca_task *task, uint32_t flags,
                                                        doca_error_t rc, const char *function);

DOCA_PRIV_HOT doca_error_t doca_priv_task_submit(struct doca_task *task, uint32_t flags,
                                                 const char *function)
{
    doca_error_t rc = DOCA_SUCCESS;

    if (DOCA_CORE_CHECK < 2 &&
        doca_likely((flags & ~(uint32_t)DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS) ==
                    DOCA_TASK_SUBMIT_FLAG_FLUSH) &&
        doca_likely(doca_priv_task_is_owned(task))) {
        rc = doca_priv_task_post(task);
        if (doca_likely(rc == DOCA_SUCCESS))
            return rc;
    } else if (DOCA_CORE_CHECK < 2 &&
               (flags & ~(uint32_t)DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS) == 0 &&
               doca_priv_task_is_owned(task) && task->ctx->can_hold &&
               doca_likely(doca_priv_task_hold(task, task->ctx) == DOCA_SUCCESS)) {
        return DOCA_SUCCESS;
    }
    return doca_priv_task_submit_other(task, flags, rc, function);
}

DOCA_PRIV_HOT doca_error_t doca_priv_hot_task_submit(struct doca_task *task)
{
    return doca_priv_task_submit(task, DOCA_TASK_SUBMIT_FLAG_FLUSH, "doca_task_submit");
}

DOCA_PRIV_HOT doca_error_t doca_priv_hot_task_submit_ex(struct doca_task *task, uint32_t flags)
{
    return doca_priv_task_submit(task, flags, "doca_task_submit_ex");
}

DOCA_CORE_DECL void doca_priv_task_free_other(struct doca_task *task);

DOCA_PRIV_HOT void doca_priv_task_put(struct doca_task *task)
{
    struct doca_task **stock = &task->ctx->free_tasks[task->type];

    DOCA_PRIV_PLAIN(stock);
    doca_priv_task_set_state(task, DOCA_PRIV_TASK_FREE);
    task->next = *stock;
    *stock = task;
    DOCA_PRIV_CHECKED(doca_priv_check_note(task, DOCA_PRIV_NOTE_RETURNED);
                      doca_priv_check_bury_task(stock);)
}

DOCA_PRIV_HOT void doca_priv_hot_task_free(struct doca_task *task)
{
    if (DOCA_CORE_CHECK < 2 && doca_likely(doca_priv_task_is_owned(task) &&
                                           task->ctx->obj.state == DOCA_CTX_STATE_RUNNING))
        doca_priv_task_put(task);
    else
        doca_priv_task_free_other(task);
}

DOCA_PRIV_HOT bool doca_priv_is_task(const struct doca_task *task)
{
    return task != NULL && (DOCA_CORE_CHECK == 0 || task->kind == DOCA_PRIV_KIND_TASK);
}

DOCA_CORE_DECL doca_error_t doca_priv_task_refuse(const struct doca_task *task,
                                                  const char *function);

DOCA_PRIV_HOT doca_error_t doca_priv_hot_task_get_status(const struct doca_task *task)
{
    return doca_likely(doca_priv_is_task(task))
               ? (doca_error_t)task->status
               : doca_priv_task_refuse(task, "doca_task_get_status");
}

/* A task of `ctx` finished; everything is in order before its callback runs. */
DOCA_PRIV_HOT void doca_priv_ctx_complete(struct doca_ctx *ctx, struct doca_task *task)
{
    ctx->num_inflight--;
    doca_priv_task_set_state(task, DOCA_PRIV_TASK_OWNED);
    DOCA_PRIV_CHECKED(doca_priv_check_finish(task);)
    task->done(task);
}

/* is_polled: the first context has nothing. */
DOCA_CORE_DECL uint8_t doca_priv_pe_progress_other(struct doca_pe *pe, bool is_polled);

DOCA_PRIV_HOT uint8_t doca_priv_hot_pe_progress(struct doca_pe *pe)
{
    struct doca_task *task;
    struct doca_ctx *ctx;

    if (DOCA_CORE_CHECK >= 2 || doca_unlikely(!doca_priv_pe_is_quiet(pe)))
        return doca_priv_pe_progress_other(pe, false);
    ctx = pe->active;
    if (ctx == NULL)
        return 0;
    task = ctx->poll(ctx->queue);
    if (doca_unlikely(task == NULL))
        return doca_priv_pe_progress_other(pe, true);
    pe->active = ctx->active_next;
    doca_priv_ctx_complete(ctx, task);
    return 1;
}

DOCA_CORE_DECL doca_error_t doca_priv_dma_task_memcpy_alloc_other(
    struct doca_dma *dma, const struct doca_buf *src, struct doca_buf *dst,
    union doca_data user_data, struct doca_dma_task_memcpy **task);

/* Take the first free task of a type. There is one. */
DOCA_PRIV_HOT struct doca_task *doca_priv_task_pop(struct doca_ctx *ctx, uint8_t type,
                                                   union doca_data user_data)
{
    const uint8_t begin[8] = { DOCA_PRIV_KIND_TASK, DOCA_PRIV_TASK_OWNED, 0, 0, 0, type, 0, 0 };
    struct doca_task *task = ctx->free_tasks[type];

    ctx->free_tasks[type] = task->next;
    DOCA_PRIV_COPY((void *)task, begin, sizeof(begin));
    task->user_data = user_data;
    return task;
}

DOCA_PRIV_HOT doca_error_t doca_priv_hot_dma_task_memcpy_alloc_init(
    struct doca_dma *dma, const struct doca_buf *src, struct doca_buf *dst,
    union doca_data user_data, struct doca_dma_task_memcpy **task)
{
    struct doca_dma_task_memcpy *t;
    doca_error_t rc;

    if (DOCA_CORE_CHECK >= 2 ||
        doca_unlikely(!doca_priv_is_in(dma, DOCA_PRIV_KIND_DMA, DOCA_CTX_STATE_RUNNING)) ||
        doca_unlikely(task == NULL || dma->ctx.free_tasks[0] == NULL)) {
        rc = doca_priv_dma_task_memcpy_alloc_other(dma, src, dst, user_data,
                                                   task != NULL ? &t : NULL);
        if (rc != DOCA_SUCCESS || task == NULL)
            return rc;
        DOCA_PRIV_ASSUME(dma != NULL);
        DOCA_PRIV_ASSUME(t != NULL);
    } else {
        t = (struct doca_dma_task_memcpy *)(void *)doca_priv_task_pop(&dma->ctx, 0, user_data);
        t->src = src;
        t->dst = dst;
    }
    *task = t;
    return DOCA_SUCCESS;
}

DOCA_PRIV_HOT struct doca_task *doca_priv_hot_dma_task_memcpy_as_task(
    struct doca_dma_task_memcpy *task)
{
    return task != NULL ? &task->task : NULL;
}

DOCA_CORE_DECL doca_error_t doca_priv_sha_task_hash_alloc_other(
    struct doca_sha *sha, enum doca_sha_algorithm algorithm, const struct doca_buf *src_buf,
    struct doca_buf *dst_buf, union doca_data user_data, struct doca_sha_task_hash **task);

DOCA_PRIV_HOT doca_error_t doca_priv_hot_sha_task_hash_alloc_init(
    struct doca_sha *sha, enum doca_sha_algorithm algorithm, const struct doca_buf *src_buf,
    struct doca_buf *dst_buf, union doca_data user_data, struct doca_sha_task_hash **task)
{
    struct doca_sha_task_hash *t;
    doca_error_t rc;

    if (DOCA_CORE_CHECK >= 2 ||
        doca_unlikely(!doca_priv_is_in(sha, DOCA_PRIV_KIND_SHA, DOCA_CTX_STATE_RUNNING)) ||
        doca_unlikely((uint32_t)algorithm > DOCA_SHA_ALGORITHM_SHA512 || task == NULL ||
                      sha->ctx.free_tasks[DOCA_CORE_SHA_HASH] == NULL)) {
        rc = doca_priv_sha_task_hash_alloc_other(sha, algorithm, src_buf, dst_buf, user_data,
                                                 task != NULL ? &t : NULL);
        if (rc != DOCA_SUCCESS || task == NULL)
            return rc;
        DOCA_PRIV_ASSUME(sha != NULL);
        DOCA_PRIV_ASSUME(t != NULL);
    } else {
        t = (struct doca_sha_task_hash *)(void *)doca_priv_task_pop(&sha->ctx, DOCA_CORE_SHA_HASH,
                                                                    user_data);
        t->src = src_buf;
        t->dst = dst_buf;
        t->algorithm = (uint8_t)algorithm; /* the members behind it stay 0 */
    }
    *task = t;
    return DOCA_SUCCESS;
}

DOCA_PRIV_HOT struct doca_task *doca_priv_hot_sha_task_hash_as_task(struct doca_sha_task_hash *task)
{
    return task != NULL ? &task->task : NULL;
}

/* ctx.obj.state of a started event that stands alone. PLAIN: nobody sleeps until its value changes,
 * or has it from another process. READ: devices update it, and the CPU does not. */
enum {
    DOCA_PRIV_EVENT_PLAIN = DOCA_CTX_STATE_STOPPING + 1,
    DOCA_PRIV_EVENT_SHARED,
    DOCA_PRIV_EVENT_READ
};

DOCA_PRIV_HOT bool doca_priv_event_is_plain(const struct doca_sync_event *event)
{
    return doca_priv_is_in(event, DOCA_PRIV_KIND_SYNC_EVENT, DOCA_PRIV_EVENT_PLAIN);
}

DOCA_CORE_DECL doca_error_t doca_priv_event_get_other(struct doca_sync_event *event,
                                                      uint64_t *value);

/* What is given goes through `other`, so that the program's variable may stay in a register: a
 * store before the next locked instruction is what that one would wait for. */
DOCA_PRIV_HOT doca_error_t doca_priv_hot_sync_event_get(struct doca_sync_event *event,
                                                        uint64_t *value)
{
    uint64_t other;
    doca_error_t rc;

    if (doca_likely(doca_priv_event_is_plain(event) && value != NULL)) {
        *value = DOCA_PRIV_LOAD(event->share.value);
        return DOCA_SUCCESS;
    }
    rc = doca_priv_event_get_other(event, value != NULL ? &other : NULL);
    if (rc == DOCA_SUCCESS && value != NULL)
        *value = other;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_priv_event_set_other(struct doca_sync_event *event,
                                                      uint64_t value);

DOCA_PRIV_HOT doca_error_t doca_priv_hot_sync_event_update_set(struct doca_sync_event *event,
                                                               uint64_t value)
{
    if (doca_likely(doca_priv_event_is_plain(event))) {
        DOCA_PRIV_STORE(event->share.value, value);
        return DOCA_SUCCESS;
    }
    return doca_priv_event_set_other(event, value);
}

DOCA_CORE_DECL doca_error_t doca_priv_event_add_other(struct doca_sync_event *event,
                                                      uint64_t value, uint64_t *fetched);

DOCA_PRIV_HOT doca_error_t doca_priv_hot_sync_event_update_add(struct doca_sync_event *event,
                                                               uint64_t value, uint64_t *fetched)
{
    uint64_t other;
    doca_error_t rc;

    if (doca_likely(doca_priv_event_is_plain(event) && fetched != NULL)) {
        *fetched = DOCA_PRIV_FETCH_ADD(event->share.value, value);
        return DOCA_SUCCESS;
    }
    rc = doca_priv_event_add_other(event, value, fetched != NULL ? &other : NULL);
    if (rc == DOCA_SUCCESS && fetched != NULL)
        *fetched = other;
    return rc;
}

#ifdef __cplusplus
}
#endif

#endif /* DOCA_PRIV_HOT */

#if defined(DOCA_CORE_IMPLEMENTATION) && !defined(DOCA_CORE_IMPLEMENTATION_GUARD)
#define DOCA_CORE_IMPLEMENTATION_GUARD

/* Both variants of what changed are defined below, whatever an earlier inclusion renamed. */
#undef doca_buf_arr_create
#undef doca_core_buf_arr_create_in
#undef doca_buf_arr_set_params
#undef doca_buf_arr_get_dpa_handle
#undef doca_devinfo_get_active_rate
#undef doca_buf_inventory_buf_get_by_args
#undef doca_buf_inventory_buf_get_by_addr
#undef doca_buf_inventory_buf_get_by_data
#undef doca_buf_dec_refcount
#undef doca_buf_chain_list
#undef doca_buf_get_head
#undef doca_buf_get_len
#undef doca_buf_get_data
#undef doca_buf_get_data_len
#undef doca_buf_set_data
#undef doca_buf_reset_data_len
#undef doca_task_submit
#undef doca_task_submit_ex
#undef doca_task_free
#undef doca_task_get_status
#undef doca_pe_progress
#undef doca_dma_task_memcpy_alloc_init
#undef doca_dma_task_memcpy_as_task
#undef doca_sha_task_hash_alloc_init
#undef doca_sha_task_hash_as_task
#undef doca_sync_event_get
#undef doca_sync_event_update_set
#undef doca_sync_event_update_add

/* ---- >>impl.platform ------------------------------------------------------------------------
 * Everything that depends on the compiler, and in >>impl.system on the operating system; the only
 * conditionals below them choose the instructions in >>impl.sw.simd and whether DPDK is there in
 * >>impl.bridge.                                                                                */

#ifdef DOCA_CORE_FREESTANDING
#ifdef __cplusplus
extern "C" {
#endif
void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
#ifdef __cplusplus
}
#endif
#else
#include <string.h>
#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif
#endif

#ifdef DOCA_CORE_DPDK
#include <rte_dev.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <rte_mempool.h>
static const bool doca_priv_has_dpdk = true;
#else
static const bool doca_priv_has_dpdk = false;
#endif

/* Which vector kernels are built; whether the CPU has them is seen when they are first wanted. Arm:
 * on Linux by compilers that offer the instructions to single functions, elsewhere by those that
 * were told to use them everywhere. */
#if defined(DOCA_CORE_NO_SIMD) || defined(DOCA_CORE_FREESTANDING) || defined(__TINYC__) ||         \
    !defined(__GNUC__)
#elif defined(__x86_64__)
#define DOCA_PRIV_SIMD_X86
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__) && !defined(__AARCH64EB__)
#if defined(__linux__) && (defined(__clang__) ? __clang_major__ >= 16 : __GNUC__ >= 8)
#define DOCA_PRIV_SIMD_ARM
#include <arm_neon.h>
#include <sys/auxv.h>
#elif !defined(__linux__) && defined(__ARM_FEATURE_SHA2)
#define DOCA_PRIV_SIMD_ARM
#include <arm_neon.h>
#endif
#endif

#ifdef __cplusplus
extern "C" {
#elif defined(__linux__) && !defined(DOCA_CORE_FREESTANDING)
long syscall(long number, ...); /* which strict C keeps out of unistd.h */
#endif

#ifndef DOCA_CORE_MEMCPY
#define DOCA_CORE_MEMCPY memcpy
#endif
#ifndef DOCA_CORE_MEMMOVE
#define DOCA_CORE_MEMMOVE memmove
#ifdef DOCA_PRIV_SIMD_X86
#define DOCA_PRIV_STREAMS /* very large copies by instructions of the CPU */
#endif
#endif
#ifndef DOCA_CORE_MEMSET
#define DOCA_CORE_MEMSET memset
#endif
#ifndef DOCA_CORE_MEMCMP
#define DOCA_CORE_MEMCMP memcmp
#endif

#ifndef DOCA_CORE_RELAX
#define DOCA_CORE_RELAX() ((void)0)
#endif

/* What a loop that waits for another thread does, for the sake of the core's other one. */
#if defined(__GNUC__) && !defined(__TINYC__) && (defined(__x86_64__) || defined(__i386__))
#define DOCA_PRIV_PAUSE() __builtin_ia32_pause()
#elif defined(__GNUC__) && !defined(__TINYC__) && defined(__aarch64__)
#define DOCA_PRIV_PAUSE() __asm__ volatile("yield")
#else
#define DOCA_PRIV_PAUSE() ((void)0)
#endif

/* Ask for a line that will be written: it comes once, and not a second time for the write. */
#if defined(__GNUC__) && !defined(__TINYC__) && defined(__x86_64__)
#define DOCA_PRIV_WANT(p) __asm__ volatile("prefetchw %0" : : "m"(*(const char *)(p)))
#elif defined(__GNUC__) && !defined(__TINYC__)
#define DOCA_PRIV_WANT(p) __builtin_prefetch((p), 1)
#else
#define DOCA_PRIV_WANT(p) ((void)(p))
#endif

#ifndef DOCA_CORE_THREAD_LOCAL
#if defined(DOCA_CORE_FREESTANDING) || defined(DOCA_CORE_SINGLE_THREAD) || defined(__TINYC__)
#define DOCA_CORE_THREAD_LOCAL
#else
#define DOCA_CORE_THREAD_LOCAL __thread
#endif
#endif

/* The number that lies in memory as `x` with the highest byte first. */
#if defined(__GNUC__) && !defined(__TINYC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define DOCA_PRIV_BIG32(x) __builtin_bswap32(x)
#define DOCA_PRIV_BIG64(x) __builtin_bswap64(x)
#elif defined(__GNUC__) && !defined(__TINYC__)
#define DOCA_PRIV_BIG32(x) (x)
#define DOCA_PRIV_BIG64(x) (x)
#else
#define DOCA_PRIV_BIG32(x) doca_priv_big32(x)
#define DOCA_PRIV_BIG64(x) doca_priv_big64(x)
static uint32_t doca_priv_big32(uint32_t x)
{
    const unsigned char bytes[4] = { (unsigned char)(x >> 24), (unsigned char)(x >> 16),
                                     (unsigned char)(x >> 8), (unsigned char)x };

    DOCA_CORE_MEMCPY(&x, bytes, sizeof(x));
    return x;
}
static uint64_t doca_priv_big64(uint64_t x)
{
    const uint32_t words[2] = { doca_priv_big32((uint32_t)(x >> 32)),
                                doca_priv_big32((uint32_t)x) };

    DOCA_CORE_MEMCPY(&x, words, sizeof(x));
    return x;
}
#endif

/* From here on the compiler does not know what the variable holds: it neither folds nor regroups
 * what is computed from it. */
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__TINYC__)
#define DOCA_PRIV_HIDE(variable) __asm__("" : "+r"(variable))
#else
#define DOCA_PRIV_HIDE(variable) ((void)(variable))
#endif

#ifndef DOCA_CORE_STATIC
extern const char DOCA_PRIV_ABI;
const char DOCA_PRIV_ABI = 0; /* see >>config */
#endif

/* The side of a process that does not say otherwise. */
#if defined(DOCA_ARCH_DPU)
#define DOCA_PRIV_SIDE DOCA_CORE_SIDE_DPU
#elif defined(DOCA_ARCH_HOST)
#define DOCA_PRIV_SIDE DOCA_CORE_SIDE_HOST
#elif defined(DOCA_CORE_PROCESS_SIDE)
#define DOCA_PRIV_SIDE (DOCA_CORE_PROCESS_SIDE)
#else
#define DOCA_PRIV_SIDE DOCA_CORE_SIDE_BOTH
#endif

#define DOCA_PRIV_ASSERT_STATIC(name, condition)                                                   \
    typedef char doca_priv_assert_##name[(condition) ? 1 : -1] DOCA_CORE_UNUSED

static int doca_priv_hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static size_t doca_priv_str_len(const char *s)
{
    size_t len = 0;

    while (s[len] != '\0')
        len++;
    return len;
}

static bool doca_priv_str_equal(const char *a, const char *b)
{
    size_t len = doca_priv_str_len(a);

    return len == doca_priv_str_len(b) && DOCA_CORE_MEMCMP(a, b, len) == 0;
}

/* Spins: what a lock guards is a handful of loads and stores, or a backend that lists, opens or
 * closes devices. The program is never called under a lock. */
static void doca_priv_lock(uint32_t *lock)
{
    while (!DOCA_PRIV_TRY_LOCK(lock)) {
        while (DOCA_PRIV_LOAD(lock) != 0)
            DOCA_CORE_RELAX();
    }
}

static void doca_priv_unlock(uint32_t *lock)
{
    DOCA_PRIV_STORE(lock, 0u);
}

/* ---- >>impl.system --------------------------------------------------------------------------
 * What the operating system does for the rest; nothing, where there is none.                    */

/* A number that no earlier call gave (within 2^32 of them). */
static uint32_t doca_priv_serial(void)
{
    static uint32_t lock, latest;
    uint32_t serial;

    doca_priv_lock(&lock);
    serial = ++latest;
    doca_priv_unlock(&lock);
    return serial;
}

/* A piece of memory, as the operating system's vectored calls take it. */
struct doca_priv_iovec {
    void *base;
    size_t bytes;
};

/* What stands between this process and the memory of another one. */
enum doca_priv_sys_far {
    DOCA_PRIV_FAR_OK,
    DOCA_PRIV_FAR_GONE,    /* there is no such process */
    DOCA_PRIV_FAR_GUARDED, /* permission to trace it */
    DOCA_PRIV_FAR_MEMORY,  /* it has no such memory */
    DOCA_PRIV_FAR_KERNEL   /* no such system call, or another refusal */
};

#define DOCA_PRIV_PAGE_BYTES 4096
#define DOCA_PRIV_PAGE_SCRATCH 2048 /* where it is written to for the sake of it */
#define DOCA_PRIV_SEALS 7           /* never shrinks, never grows, for ever */

#if defined(__linux__) && !defined(DOCA_CORE_FREESTANDING)

static void doca_priv_sys_print(const char *line, size_t len)
{
    ssize_t written = write(2, line, len);

    (void)written; /* a log that cannot be written has nobody to tell */
}

static const char *doca_priv_sys_env(const char *name)
{
    const char *value = getenv(name);

    return value != NULL && value[0] != '\0' ? value : NULL;
}

/* The notification handle: an epoll set, with an eventfd in it and what else is to be watched. -1,
 * or false, with the cause in errno. */
static const bool doca_priv_sys_has_event = true;

static bool doca_priv_sys_watch(int set, int fd)
{
    struct epoll_event event;

    DOCA_CORE_MEMSET(&event, 0, sizeof(event));
    event.events = EPOLLIN;
    return epoll_ctl(set, EPOLL_CTL_ADD, fd, &event) == 0;
}

static void doca_priv_sys_unwatch(int set, int fd)
{
    struct epoll_event event; /* old kernels want one */

    DOCA_CORE_MEMSET(&event, 0, sizeof(event));
    (void)epoll_ctl(set, EPOLL_CTL_DEL, fd, &event);
}

static void doca_priv_sys_wait_close(int set, int event_fd)
{
    close(event_fd);
    close(set);
}

static int doca_priv_sys_event_open(void)
{
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

static int doca_priv_sys_wait_open(int *event_fd)
{
    int set = epoll_create1(EPOLL_CLOEXEC), event = doca_priv_sys_event_open();

    if (set >= 0 && event >= 0 && doca_priv_sys_watch(set, event)) {
        *event_fd = event;
        return set;
    }
    doca_priv_sys_wait_close(set, event);
    return -1;
}

static bool doca_priv_sys_event_signal(int fd)
{
    uint64_t one = 1;

    return write(fd, &one, sizeof(one)) == (ssize_t)sizeof(one);
}

static bool doca_priv_sys_event_drain(int fd)
{
    uint64_t count;

    return read(fd, &count, sizeof(count)) == (ssize_t)sizeof(count) || errno == EAGAIN;
}

#define DOCA_PRIV_CLOEXEC EFD_CLOEXEC /* the value of O_CLOEXEC, which strict C hides */

static uint32_t doca_priv_sys_pid(void)
{
    return (uint32_t)getpid();
}

/* A number that no other process has, nor this one again. */
static uint64_t doca_priv_sys_random(void)
{
    uint64_t x = 0;

    if (syscall(SYS_getrandom, &x, sizeof(x), 0) != (long)sizeof(x))
        x = (uint64_t)getpid() << 32 | doca_priv_serial();
    return x;
}

/* A number that two processes share exactly when they can name each other by process number: made
 * of the identity of this boot and of the namespace of process numbers. False: no descriptor to be
 * had for it, now. */
static bool doca_priv_sys_machine(uint64_t *machine)
{
    const uint64_t prime = 0x100000001b3u; /* FNV-1a */
    uint64_t hash = 0xcbf29ce484222325u;
    char boot[40];
    struct stat st;
    ssize_t len = 0, i;
    int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | DOCA_PRIV_CLOEXEC);

    if (fd >= 0) {
        len = read(fd, boot, sizeof(boot));
        close(fd);
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) {
        return false;
    }
    for (i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)boot[i]) * prime;
    if (stat("/proc/self/ns/pid", &st) == 0)
        hash = (hash ^ (uint64_t)st.st_ino) * prime;
    *machine = hash;
    return true;
}

/* Copy `bytes` between pieces of this process and as many of process `pid`. */
static enum doca_priv_sys_far doca_priv_sys_far_copy(uint32_t pid,
                                                     const struct doca_priv_iovec *local,
                                                     const struct doca_priv_iovec *remote,
                                                     unsigned num, size_t bytes, bool is_write)
{
    long done = syscall(is_write ? SYS_process_vm_writev : SYS_process_vm_readv, (long)pid, local,
                        (unsigned long)num, remote, (unsigned long)num, 0ul);

    if (done >= 0)
        return (size_t)done == bytes ? DOCA_PRIV_FAR_OK : DOCA_PRIV_FAR_MEMORY;
    switch (errno) {
    case ESRCH:
        return DOCA_PRIV_FAR_GONE;
    case EPERM:
    case EACCES:
        return DOCA_PRIV_FAR_GUARDED;
    case EFAULT:
        return DOCA_PRIV_FAR_MEMORY;
    default:
        return DOCA_PRIV_FAR_KERNEL;
    }
}

/* Let other processes of the user reach the memory of this one, where Yama restricts that. */
static void doca_priv_sys_far_permit(void)
{
#ifdef PR_SET_PTRACER
    (void)syscall(SYS_prctl, (long)PR_SET_PTRACER, -1l, 0l, 0l, 0l);
#endif
}

static const bool doca_priv_sys_has_dmabuf = true;

/* Map a part of a dmabuf, or give NULL. The kernel itself refuses what is behind the end of a
 * dmabuf, but of a file it would map that, for a signal at the first access. */
static unsigned char *doca_priv_sys_dmabuf_map(int fd, size_t offset, size_t len)
{
    struct stat st;
    void *view;

    if (fstat(fd, &st) != 0 || ((st.st_size > 0 || S_ISREG(st.st_mode)) &&
                                ((uint64_t)st.st_size < offset ||
                                 (uint64_t)st.st_size - offset < len)))
        return NULL;
    view = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
    return view == MAP_FAILED ? NULL : (unsigned char *)view;
}

static void doca_priv_sys_dmabuf_unmap(unsigned char *view, size_t len)
{
    (void)munmap(view, len);
}

/* Tell the exporter of a dmabuf that the CPU begins, or ends, to read and write it. */
static void doca_priv_sys_dmabuf_sync(int fd, bool begins)
{
    uint64_t flags = begins ? 3u : 7u; /* DMA_BUF_SYNC_RW, with DMA_BUF_SYNC_END */

    (void)ioctl(fd, _IOW('b', 0, uint64_t), &flags); /* shared memory files know no such call */
}

/* One request about an interface; how the kernel lays it out, whichever feature macros hide it. */
struct doca_priv_ifreq {
    char name[16];
    unsigned char answer[24]; /* a struct sockaddr */
};

/* Ask for `bytes` at `offset` of the answer; they stay as they are where there is none. */
static void doca_priv_sys_iface_ask(int fd, unsigned long request, const char *name, size_t offset,
                                    uint8_t *to, size_t bytes)
{
    struct doca_priv_ifreq ifreq;

    DOCA_CORE_MEMSET(&ifreq, 0, sizeof(ifreq));
    DOCA_CORE_MEMCPY(ifreq.name, name, doca_priv_str_len(name));
    if (ioctl(fd, request, &ifreq) == 0)
        DOCA_CORE_MEMCPY(to, ifreq.answer + offset, bytes);
}

/* One line of /proc/net/if_inet6, "address index prefix scope flags name" in hexadecimal, cut into
 * its words. */
struct doca_priv_if_inet6 {
    char words[6][40]; /* 32 digits are the longest */
    unsigned word, len;
};

/* Take one more byte of the file; true when it ended a line with all its words. */
static bool doca_priv_if_inet6_feed(struct doca_priv_if_inet6 *line, char c)
{
    bool is_whole = c == '\n' && line->word == 5 && line->len > 0;

    if (c == '\n' || (c == ' ' && line->len > 0)) {
        line->word = c == '\n' ? 0 : line->word + 1;
        line->len = 0;
    } else if (c != ' ' && line->word < 6 && line->len < sizeof(line->words[0]) - 1) {
        line->words[line->word][line->len++] = c;
        line->words[line->word][line->len] = '\0';
    }
    return is_whole;
}

/* The first global address of the interface, or else the first one. */
static void doca_priv_sys_iface_ipv6(const char *name, uint8_t *ipv6)
{
    struct doca_priv_if_inet6 line = { { "" }, 0, 0 };
    int fd = open("/proc/net/if_inet6", O_RDONLY | DOCA_PRIV_CLOEXEC);
    bool is_found = false;
    char part[512];
    ssize_t len, i;
    size_t k;

    while (fd >= 0 && (len = read(fd, part, sizeof(part))) > 0) {
        for (i = 0; i < len; i++) {
            if (!doca_priv_if_inet6_feed(&line, part[i]) ||
                !doca_priv_str_equal(line.words[5], name) ||
                (is_found && !doca_priv_str_equal(line.words[3], "00")))
                continue;
            for (k = 0; k < DOCA_DEVINFO_IPV6_ADDR_SIZE; k++)
                ipv6[k] = (uint8_t)(doca_priv_hex_digit(line.words[0][2 * k]) * 16 +
                                    doca_priv_hex_digit(line.words[0][2 * k + 1]));
            if (doca_priv_str_equal(line.words[3], "00")) {
                close(fd);
                return;
            }
            is_found = true;
        }
    }
    if (fd >= 0)
        close(fd);
}

/* Ask for the addresses of an interface, but for those that are NULL. What is not known stays. */
static void doca_priv_sys_iface(const char *name, uint8_t *mac, uint8_t *ipv4, uint8_t *ipv6)
{
    int fd;

    if (doca_priv_str_len(name) >= sizeof(((struct doca_priv_ifreq *)0)->name))
        return; /* no interface has such a name */
    fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd >= 0 && mac != NULL) /* behind the family of a sockaddr */
        doca_priv_sys_iface_ask(fd, SIOCGIFHWADDR, name, 2, mac, DOCA_DEVINFO_MAC_ADDR_SIZE);
    if (fd >= 0 && ipv4 != NULL) /* behind family and port */
        doca_priv_sys_iface_ask(fd, SIOCGIFADDR, name, 4, ipv4, DOCA_DEVINFO_IPV4_ADDR_SIZE);
    if (fd >= 0)
        close(fd);
    if (ipv6 != NULL)
        doca_priv_sys_iface_ipv6(name, ipv6);
}

/* A page that processes share: a file in memory, which cannot shrink, so that nobody who maps it
 * ever faults. Its first bytes are the sharers', the middle is written to for the sake of it. */
#define DOCA_PRIV_PAGE_NAME "doca_core_page"
#define DOCA_PRIV_PATH_BYTES 32 /* "/proc/<pid>/fd/<fd>", each number of ten digits at most */

static char *doca_priv_sys_digits(char *to, uint32_t n)
{
    uint32_t power = 1;

    while (n / power >= 10)
        power *= 10;
    for (; power > 0; power /= 10)
        *to++ = (char)('0' + n / power % 10);
    *to = '\0';
    return to;
}

static void doca_priv_sys_fd_path(char *path, uint32_t pid, int fd)
{
    DOCA_CORE_MEMCPY(path, "/proc/", sizeof("/proc/"));
    path = doca_priv_sys_digits(path + sizeof("/proc/") - 1, pid);
    DOCA_CORE_MEMCPY(path, "/fd/", sizeof("/fd/"));
    (void)doca_priv_sys_digits(path + sizeof("/fd/") - 1, (uint32_t)fd);
}

/* Is the process, which was there a moment ago, at its end, collected or not? It has no memory from
 * then on, before it counts as a zombie, and its descriptors seem to be of another user. */
static bool doca_priv_sys_process_has_ended(uint32_t pid)
{
    char path[DOCA_PRIV_PATH_BYTES], pages[2] = { '0', ' ' };
    int fd;

    DOCA_CORE_MEMCPY(path, "/proc/", sizeof("/proc/"));
    DOCA_CORE_MEMCPY(doca_priv_sys_digits(path + sizeof("/proc/") - 1, pid), "/statm",
                     sizeof("/statm"));
    fd = open(path, O_RDONLY | DOCA_PRIV_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == ESRCH;
    if (read(fd, pages, sizeof(pages)) < 0 && errno != ESRCH)
        pages[0] = '?';
    close(fd);
    return pages[0] == '0' && pages[1] == ' ';
}

/* Why a descriptor of another process cannot be had. */
static doca_error_t doca_priv_sys_page_refused(uint32_t pid)
{
    if (errno == EACCES || errno == EPERM)
        return doca_priv_sys_process_has_ended(pid) ? DOCA_ERROR_NOT_FOUND
                                                    : DOCA_ERROR_NOT_PERMITTED;
    return errno == ENOENT || errno == ESRCH ? DOCA_ERROR_NOT_FOUND : DOCA_ERROR_OPERATING_SYSTEM;
}

/* Open and map what descriptor `at` of process `pid` is: NOT_FOUND unless it is such a page. It is
 * opened only after its name was read, for opening a device can have effects. */
static doca_error_t doca_priv_sys_page_open(uint32_t pid, int at, int *fd, void **page)
{
    static const char want[] = "/memfd:" DOCA_PRIV_PAGE_NAME " ";
    char path[DOCA_PRIV_PATH_BYTES], name[sizeof(want) - 1];
    doca_error_t rc = DOCA_ERROR_NOT_FOUND;
    int file, seals;
    void *map;
    long len;

    doca_priv_sys_fd_path(path, pid, at);
    len = syscall(SYS_readlinkat, -100l /* AT_FDCWD */, path, name, sizeof(name));
    if (len < 0)
        return doca_priv_sys_page_refused(pid);
    if (len != (long)sizeof(name) || DOCA_CORE_MEMCMP(name, want, sizeof(name)) != 0)
        return DOCA_ERROR_NOT_FOUND;
    file = open(path, O_RDWR | DOCA_PRIV_CLOEXEC);
    if (file < 0)
        return doca_priv_sys_page_refused(pid);
    seals = fcntl(file, 1034 /* F_GET_SEALS */);
    if (seals >= 0 && (seals & DOCA_PRIV_SEALS) == DOCA_PRIV_SEALS &&
        lseek(file, 0, SEEK_END) == DOCA_PRIV_PAGE_BYTES) {
        map = mmap(NULL, DOCA_PRIV_PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (map != MAP_FAILED) {
            *fd = file;
            *page = map;
            return DOCA_SUCCESS;
        }
        rc = DOCA_ERROR_OPERATING_SYSTEM;
    }
    close(file);
    return rc;
}

/* Make a page of zeros. It is opened by its path, as others open it: a write through the first
 * descriptor of such a file does not reach those who listen (Linux 6.14). */
static doca_error_t doca_priv_sys_page_create(int *fd, void **page)
{
    long file = syscall(SYS_memfd_create, DOCA_PRIV_PAGE_NAME, 11ul); /* CLOEXEC, seals, no exec */
    doca_error_t rc = DOCA_ERROR_OPERATING_SYSTEM;

    if (file < 0 && errno == EINVAL) /* Linux before 6.3 */
        file = syscall(SYS_memfd_create, DOCA_PRIV_PAGE_NAME, 3ul);
    if (file < 0)
        return rc;
    if (lseek((int)file, DOCA_PRIV_PAGE_BYTES - 1, SEEK_SET) >= 0 &&
        write((int)file, "", 1) == 1 &&
        fcntl((int)file, 1033 /* F_ADD_SEALS */, DOCA_PRIV_SEALS) == 0 &&
        doca_priv_sys_page_open(doca_priv_sys_pid(), (int)file, fd, page) == DOCA_SUCCESS)
        rc = DOCA_SUCCESS;
    close((int)file);
    return rc;
}

static void doca_priv_sys_page_close(int fd, void *page)
{
    (void)munmap(page, DOCA_PRIV_PAGE_BYTES);
    close(fd);
}

/* Wake who listens. Several threads may push each other's offset on, by a byte each. */
static void doca_priv_sys_page_touch(int fd)
{
    ssize_t written = lseek(fd, DOCA_PRIV_PAGE_SCRATCH, SEEK_SET) < 0 ? -1 : write(fd, "", 1);

    (void)written; /* to a file in memory, at a place that it has */
}

/* A descriptor that is readable once the process has ended; -1 before Linux 5.3. */
static int doca_priv_sys_process_open(uint32_t pid)
{
    return (int)syscall(434 /* SYS_pidfd_open */, (long)pid, 0ul);
}

static void doca_priv_sys_close(int fd)
{
    if (fd >= 0)
        close(fd);
}

/* Without such a descriptor: a process that has ended has none itself. */
static bool doca_priv_sys_process_is_gone(int process, uint32_t pid, int fd)
{
    char path[DOCA_PRIV_PATH_BYTES];
    struct pollfd wait;

    if (process < 0) {
        doca_priv_sys_fd_path(path, pid, fd);
        return access(path, F_OK) != 0 &&
               (errno == ENOENT || doca_priv_sys_process_has_ended(pid));
    }
    wait.fd = process;
    wait.events = POLLIN;
    wait.revents = 0;
    return poll(&wait, 1, 0) > 0;
}

/* An empty epoll set, and what to put into it to hear of writes to a page. -1: none to be had. */
static int doca_priv_sys_listen_open(int page_fd, int *notes)
{
    int set = epoll_create1(EPOLL_CLOEXEC), in = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    char path[DOCA_PRIV_PATH_BYTES];

    doca_priv_sys_fd_path(path, doca_priv_sys_pid(), page_fd);
    if (set >= 0 && in >= 0 && inotify_add_watch(in, path, IN_MODIFY) >= 0) {
        *notes = in;
        return set;
    }
    doca_priv_sys_wait_close(set, in);
    return -1;
}

static void doca_priv_sys_listen_drain(int notes)
{
    char events[256]; /* equal ones that follow each other are one */

    while (read(notes, events, sizeof(events)) > 0)
        continue;
}

static void doca_priv_sys_yield(void)
{
    (void)sched_yield();
}

/* Sleep while `word` is `value`, or for no reason less long; wake who sleeps on it. */
static void doca_priv_sys_sleep(uint32_t *word, uint32_t value)
{
    (void)syscall(SYS_futex, word, 128l, (unsigned long)value, 0l, 0l, 0l); /* WAIT, PRIVATE */
}

static void doca_priv_sys_wake(uint32_t *word)
{
    (void)syscall(SYS_futex, word, 129l, 1l, 0l, 0l, 0l); /* WAKE, PRIVATE */
}

#else

static void doca_priv_sys_sleep(uint32_t *word, uint32_t value)
{
    (void)word;
    (void)value;
}

static void doca_priv_sys_wake(uint32_t *word)
{
    (void)word;
}

static int doca_priv_sys_event_open(void)
{
    return -1;
}

static void doca_priv_sys_print(const char *line, size_t len)
{
    (void)line;
    (void)len;
}

static const char *doca_priv_sys_env(const char *name)
{
    (void)name;
    return NULL;
}

static void doca_priv_sys_iface(const char *name, uint8_t *mac, uint8_t *ipv4, uint8_t *ipv6)
{
    (void)name;
    (void)mac;
    (void)ipv4;
    (void)ipv6;
}

static const bool doca_priv_sys_has_event = false;

static bool doca_priv_sys_watch(int set, int fd)
{
    (void)set;
    (void)fd;
    return false;
}

static void doca_priv_sys_unwatch(int set, int fd)
{
    (void)set;
    (void)fd;
}

static void doca_priv_sys_wait_close(int set, int event_fd)
{
    (void)set;
    (void)event_fd;
}

static int doca_priv_sys_wait_open(int *event_fd)
{
    (void)event_fd;
    return -1;
}

static bool doca_priv_sys_event_signal(int fd)
{
    (void)fd;
    return false;
}

static bool doca_priv_sys_event_drain(int fd)
{
    (void)fd;
    return false;
}

static uint32_t doca_priv_sys_pid(void)
{
    return 0;
}

static uint64_t doca_priv_sys_random(void)
{
    return doca_priv_serial();
}

static bool doca_priv_sys_machine(uint64_t *machine)
{
    *machine = 0;
    return true;
}

static enum doca_priv_sys_far doca_priv_sys_far_copy(uint32_t pid,
                                                     const struct doca_priv_iovec *local,
                                                     const struct doca_priv_iovec *remote,
                                                     unsigned num, size_t bytes, bool is_write)
{
    (void)pid;
    (void)local;
    (void)remote;
    (void)num;
    (void)bytes;
    (void)is_write;
    return DOCA_PRIV_FAR_KERNEL;
}

static void doca_priv_sys_far_permit(void)
{
}

static const bool doca_priv_sys_has_dmabuf = false;

static unsigned char *doca_priv_sys_dmabuf_map(int fd, size_t offset, size_t len)
{
    (void)fd;
    (void)offset;
    (void)len;
    return NULL;
}

static void doca_priv_sys_dmabuf_unmap(unsigned char *view, size_t len)
{
    (void)view;
    (void)len;
}

static void doca_priv_sys_dmabuf_sync(int fd, bool begins)
{
    (void)fd;
    (void)begins;
}

static doca_error_t doca_priv_sys_page_open(uint32_t pid, int at, int *fd, void **page)
{
    (void)pid;
    (void)at;
    (void)fd;
    (void)page;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static doca_error_t doca_priv_sys_page_create(int *fd, void **page)
{
    return doca_priv_sys_page_open(0, 0, fd, page);
}

static void doca_priv_sys_page_close(int fd, void *page)
{
    (void)fd;
    (void)page;
}

static void doca_priv_sys_page_touch(int fd)
{
    (void)fd;
}

static int doca_priv_sys_process_open(uint32_t pid)
{
    (void)pid;
    return -1;
}

static void doca_priv_sys_close(int fd)
{
    (void)fd;
}

static bool doca_priv_sys_process_is_gone(int process, uint32_t pid, int fd)
{
    (void)process;
    (void)pid;
    (void)fd;
    return false;
}

static int doca_priv_sys_listen_open(int page_fd, int *notes)
{
    (void)page_fd;
    (void)notes;
    return -1;
}

static void doca_priv_sys_listen_drain(int notes)
{
    (void)notes;
}

static void doca_priv_sys_yield(void)
{
    DOCA_CORE_RELAX();
}

#endif

#ifdef DOCA_CORE_NO_LOG
#define DOCA_PRIV_ITEM_ROW(item, level, text) { DOCA_CORE_LOG_##level, "item " #item },
#else
#define DOCA_PRIV_ITEM_ROW(item, level, text) { DOCA_CORE_LOG_##level, text },
#endif

/* ---- >>impl.object --------------------------------------------------------------------------
 * What the head of an object says, and sums that cannot wrap.                                   */

static void doca_priv_object_init(struct doca_priv_object *obj, uint8_t kind)
{
    obj->kind = kind;
    obj->state = DOCA_PRIV_STOPPED;
    obj->guard = DOCA_PRIV_GUARD;
    obj->owner = 0;
    DOCA_PRIV_CHECKED(doca_priv_check_note(obj, DOCA_PRIV_NOTE_CREATED);)
}

/* Is `object` a live object of one of these kinds? With DOCA_CORE_CHECK 0: is it not NULL? */
DOCA_PRIV_HOT bool doca_priv_is_between(const void *object, uint8_t first, uint8_t last)
{
    const struct doca_priv_object *obj = (const struct doca_priv_object *)object;

    return obj != NULL &&
           (DOCA_CORE_CHECK == 0 || ((uintptr_t)obj % sizeof(void *) == 0 && obj->kind >= first &&
                                     obj->kind <= last && obj->guard == DOCA_PRIV_GUARD));
}

DOCA_PRIV_HOT bool doca_priv_is(const void *object, uint8_t kind)
{
    return doca_priv_is_between(object, kind, kind);
}

/* Position of the highest bit of x > 0. */
static unsigned doca_priv_high_bit(uint64_t x)
{
    unsigned bit = 0, step;

    for (step = 32; step > 0; step /= 2) {
        if (x >> step != 0) {
            x >>= step;
            bit += step;
        }
    }
    return bit;
}

static unsigned doca_priv_low_bit(uint64_t x)
{
    return doca_priv_high_bit(x & (~x + 1));
}

/* The flags of bufs whose mmap is on the device with this bit only; 0 where there is no flag for
 * it. */
static uint8_t doca_priv_buf_dev(uint64_t dev_bit)
{
    unsigned place = dev_bit == 0 ? DOCA_PRIV_BUF_DEVS : doca_priv_high_bit(dev_bit);

    return place < DOCA_PRIV_BUF_DEVS ? (uint8_t)((place + 1) * DOCA_PRIV_BUF_DEV) : 0;
}

/* n * each + more, or SIZE_MAX where that is too much to count. */
static size_t doca_priv_size(size_t n, size_t each, size_t more)
{
    return n > (SIZE_MAX - more) / each ? SIZE_MAX : n * each + more;
}

/* Up to whole lines, or SIZE_MAX. */
static size_t doca_priv_round_up(size_t bytes)
{
    return doca_priv_size(bytes / DOCA_CORE_LINE + (bytes % DOCA_CORE_LINE != 0), DOCA_CORE_LINE,
                          0);
}

/* ---- >>impl.error --------------------------------------------------------------------------- */

#define DOCA_PRIV_ERROR_NAME(name, value, text)                                                    \
    case DOCA_##name:                                                                              \
        return "DOCA_" #name;
#define DOCA_PRIV_ERROR_TEXT(name, value, text)                                                    \
    case DOCA_##name:                                                                              \
        return text;

DOCA_CORE_DECL const char *doca_error_get_name(doca_error_t error)
{
    switch ((int)error) {
    case DOCA_SUCCESS:
        return "DOCA_SUCCESS";
        DOCA_CORE_ERRORS(DOCA_PRIV_ERROR_NAME)
    default:
        return "unrecognized error code";
    }
}

DOCA_CORE_DECL const char *doca_error_get_descr(doca_error_t error)
{
    switch ((int)error) {
    case DOCA_SUCCESS:
        return "success";
        DOCA_CORE_ERRORS(DOCA_PRIV_ERROR_TEXT)
    default:
        return "unrecognized error code";
    }
}

/* ---- >>impl.log -----------------------------------------------------------------------------
 * A failure is recorded as a few words and becomes text only when somebody wants to read it.    */

static struct {
    uint32_t lock;
    uint32_t level;
    doca_core_log_sink_t sink;
    void *user;
} doca_priv_log_to = { 0, DOCA_CORE_LOG_WARNING, NULL, NULL };

struct doca_priv_failure {
    doca_error_t code;
    enum doca_core_item item;
    const char *function;
    const void *object; /* printed, never followed: it may be gone by then */
    size_t place;       /* in a text that the program gave, from 1; 0: not about one */
    uint32_t detail;    /* a number of the system's or the device's; 0: none */
    uint8_t kind;       /* 0: the object is unknown */
    uint8_t state;
    bool is_backends;   /* a backend said it */
    DOCA_PRIV_CHECKED(const void *whose;) /* life is told; NULL: nobody's */
};

static DOCA_CORE_THREAD_LOCAL struct doca_priv_failure doca_priv_last;
static DOCA_CORE_THREAD_LOCAL char doca_priv_last_text[DOCA_CORE_CHECK >= 2 ? 640 : 256];

static const struct {
    uint32_t level;
    const char *text;
} doca_priv_items[] = { DOCA_CORE_ITEMS(DOCA_PRIV_ITEM_ROW) };

struct doca_priv_text {
    char *at;
    char *end; /* the last byte, kept for NUL */
};

static void doca_priv_text_add(struct doca_priv_text *text, const char *s)
{
    while (*s != '\0' && text->at < text->end)
        *text->at++ = *s++;
    *text->at = '\0';
}

static void doca_priv_text_add_number(struct doca_priv_text *text, uintptr_t value, unsigned base)
{
    char digits[3 * sizeof(value) + 1];
    size_t i = sizeof(digits) - 1;

    digits[i] = '\0';
    do {
        digits[--i] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    doca_priv_text_add(text, digits + i);
}

static const char *const doca_priv_kind_names[] = {
    "arena",       "devinfo list", "devinfo",    "dev",   "rep list",     "devinfo_rep",
    "dev_rep",     "mmap",         "mmap",       "buf",   "inventory",    "inventory",
    "pool",        "array",        "task",       "batch", "dma",          "sha",
    "mmap advise", "sync event",   "remote sync event",   "pe",           "graph",    "node",
    "instance",    "dpdk mempool", "sw worker",  "1.x mmap", "1.x dma",   "1.x graph",
    "1.x node",    "1.x instance", "work queue"
};
DOCA_PRIV_ASSERT_STATIC(kind_of_a_buf, (int)DOCA_PRIV_KIND_BUF == DOCA_PRIV_BUF_KIND);
DOCA_PRIV_ASSERT_STATIC(every_kind_has_a_name,
                        sizeof(doca_priv_kind_names) / sizeof(doca_priv_kind_names[0]) ==
                            DOCA_PRIV_KIND_END - DOCA_PRIV_KIND_ARENA);

static const char *doca_priv_kind_name(uint8_t kind)
{
    return kind >= DOCA_PRIV_KIND_ARENA && kind < DOCA_PRIV_KIND_END
               ? doca_priv_kind_names[kind - DOCA_PRIV_KIND_ARENA]
               : "object";
}

static const char *doca_priv_state_name(uint8_t kind, uint8_t state)
{
    static const char *const started[] = { "stopped", "started", "started, shared" };
    static const char *const task[] = { "free", "owned", "submitted", "held" };
    static const char *const ctx[] = { "idle", "starting", "running", "stopping" };

    switch (kind) {
    case DOCA_PRIV_KIND_MMAP:
    case DOCA_PRIV_KIND_INVENTORY:
    case DOCA_PRIV_KIND_POOL:
    case DOCA_PRIV_KIND_ARRAY:
    case DOCA_PRIV_KIND_DPDK_MEMPOOL:
    case DOCA_PRIV_KIND_LEGACY_MMAP:
    case DOCA_PRIV_KIND_LEGACY_DMA:
    case DOCA_PRIV_KIND_LEGACY_GRAPH:
        return started[state % 3];
    case DOCA_PRIV_KIND_TASK:
    case DOCA_PRIV_KIND_BATCH:
        return task[state % 4];
    case DOCA_PRIV_KIND_DMA:
    case DOCA_PRIV_KIND_SHA:
    case DOCA_PRIV_KIND_MMAP_ADVISE:
    case DOCA_PRIV_KIND_SYNC_EVENT:
        return ctx[state % 4];
    case DOCA_PRIV_KIND_GRAPH:
        return started[state != DOCA_CTX_STATE_IDLE];
    case DOCA_PRIV_KIND_INSTANCE:
        return state == 0 ? "idle" : "submitted";
    case DOCA_PRIV_KIND_BUF:
        return state == 0 ? "returned" : (state & DOCA_PRIV_BUF_INNER) == 0 ? "head" : "inner";
    default:
        return NULL;
    }
}

#if DOCA_CORE_CHECK >= 2
static bool doca_priv_check_add_life(const void *object, const char *before,
                                     struct doca_priv_text *text);
static const void *doca_priv_check_whose(enum doca_core_item item, const void *object);
#endif

/* "doca_core: call: kind 0x1234 (state): reason [CODE]" into `to` */
static void doca_priv_failure_text(const struct doca_priv_failure *f, char *to, size_t bytes)
{
    const char *code = doca_error_get_name(f->code);
    const char *state = doca_priv_state_name(f->kind, f->state);
    struct doca_priv_text text;

    text.at = to;
    text.end = to + bytes - 1;
    doca_priv_text_add(&text, "doca_core: ");
    if (f->function != NULL) {
        doca_priv_text_add(&text, f->function);
        doca_priv_text_add(&text, ": ");
    }
    if (f->kind != 0) {
        doca_priv_text_add(&text, doca_priv_kind_name(f->kind));
        doca_priv_text_add(&text, " 0x");
        doca_priv_text_add_number(&text, (uintptr_t)f->object, 16);
        if (state != NULL) {
            doca_priv_text_add(&text, " (");
            doca_priv_text_add(&text, state);
            doca_priv_text_add(&text, ")");
        }
        doca_priv_text_add(&text, ": ");
    }
    if (f->place != 0) {
        doca_priv_text_add(&text, "at character ");
        doca_priv_text_add_number(&text, f->place, 10);
        doca_priv_text_add(&text, ": ");
    }
    doca_priv_text_add(&text, doca_priv_items[f->item].text);
    if (f->detail != 0) {
        doca_priv_text_add(&text, " 0x");
        doca_priv_text_add_number(&text, f->detail, 16);
    }
    doca_priv_text_add(&text, " [");
    doca_priv_text_add(&text, f->code == DOCA_SUCCESS ? code : code + sizeof("DOCA_ERROR_") - 1);
    doca_priv_text_add(&text, "]");
    DOCA_PRIV_CHECKED(doca_priv_check_add_life(f->whose, "; ", &text);)
}

static void doca_priv_log(const struct doca_priv_failure *f)
{
    char line[sizeof(doca_priv_last_text) + 1];
    uint32_t level = doca_priv_items[f->item].level;
    doca_core_log_sink_t sink;
    void *user;
    size_t len;

    if (level > DOCA_PRIV_LOAD(&doca_priv_log_to.level))
        return;
    doca_priv_failure_text(f, line, sizeof(line) - 1);
    doca_priv_lock(&doca_priv_log_to.lock);
    sink = doca_priv_log_to.sink;
    user = doca_priv_log_to.user;
    doca_priv_unlock(&doca_priv_log_to.lock);
    if (sink != NULL) {
        sink(level, f->item, line, user);
        return;
    }
    len = doca_priv_str_len(line);
    line[len] = '\n';
    doca_priv_sys_print(line, len + 1);
}

/* `object` begins with kind and state, as every object of ours does, or is NULL. */
static struct doca_priv_failure doca_priv_failure_make(doca_error_t code,
                                                       enum doca_core_item item,
                                                       const char *function, const void *object)
{
    struct doca_priv_failure f;

    f.code = code;
    f.item = item;
    f.function = function;
    f.object = object;
    f.place = 0;
    f.detail = 0;
    f.kind = object == NULL ? 0 : ((const uint8_t *)object)[0];
    f.state = object == NULL ? 0 : ((const uint8_t *)object)[1];
    f.is_backends = false;
    DOCA_PRIV_CHECKED(f.whose = doca_priv_check_whose(item, object);)
    return f;
}

/* Note a failure of the running call: what doca_core_last_error() tells, and a log line. */
DOCA_PRIV_COLD doca_error_t doca_priv_fail(doca_error_t code, enum doca_core_item item,
                                           const char *function, const void *object)
{
    doca_priv_last = doca_priv_failure_make(code, item, function, object);
    doca_priv_log(&doca_priv_last);
    return code;
}

/* The same about a text that the program gave. */
DOCA_PRIV_COLD doca_error_t doca_priv_fail_at(doca_error_t code, enum doca_core_item item,
                                              const char *function, size_t place)
{
    doca_priv_last = doca_priv_failure_make(code, item, function, NULL);
    doca_priv_last.place = place;
    doca_priv_log(&doca_priv_last);
    return code;
}

/* What backends said up to now is not about the call that comes. */
static void doca_priv_listen(void)
{
    doca_priv_last.is_backends = false;
}

/* A call of a backend's failed. The reason is the one that it gave since doca_priv_listen(). */
static doca_error_t doca_priv_refused(doca_error_t code, const char *function, const void *object)
{
    return doca_priv_last.is_backends && doca_priv_last.code == code
               ? code
               : doca_priv_fail(code, DOCA_CORE_ITEM_BACKEND_REFUSED, function, object);
}

#define DOCA_PRIV_FAIL(code, item, object)                                                         \
    doca_priv_fail(DOCA_ERROR_##code, DOCA_CORE_ITEM_##item, __func__, (object))

/* The object itself was NULL, or not one. */
DOCA_PRIV_COLD doca_error_t doca_priv_fail_handle(const void *handle, const char *function)
{
    doca_priv_last = doca_priv_failure_make(DOCA_ERROR_INVALID_VALUE,
                                            handle == NULL ? DOCA_CORE_ITEM_NULL_ARGUMENT
                                                           : DOCA_CORE_ITEM_DEAD_HANDLE,
                                            function, NULL);
    DOCA_PRIV_CHECKED(
        doca_priv_last.whose = doca_priv_check_whose(DOCA_CORE_ITEM_DEAD_HANDLE, handle);)
    doca_priv_log(&doca_priv_last);
    return DOCA_ERROR_INVALID_VALUE;
}

#define DOCA_PRIV_FAIL_HANDLE(handle) doca_priv_fail_handle((handle), __func__)

/* The common check of calls with one object and one pointer: `object` is of `kind` and `pointer`
 * is there, or INVALID_VALUE. */
static doca_error_t doca_priv_check_args(const void *object, uint8_t kind, const void *pointer,
                                         const char *function)
{
    bool is_live = doca_priv_is(object, kind);

    if (is_live && pointer != NULL)
        return DOCA_SUCCESS;
    return is_live ? doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT,
                                    function, object)
                   : doca_priv_fail_handle(object, function);
}

DOCA_CORE_DECL void doca_core_log_set_sink(doca_core_log_sink_t sink, void *user)
{
    doca_priv_lock(&doca_priv_log_to.lock);
    doca_priv_log_to.sink = sink;
    doca_priv_log_to.user = user;
    doca_priv_unlock(&doca_priv_log_to.lock);
}

DOCA_CORE_DECL doca_error_t doca_core_log_set_level(uint32_t level)
{
    if (level % 10 != 0 || level < DOCA_CORE_LOG_DISABLE || level > DOCA_CORE_LOG_DEBUG)
        return DOCA_PRIV_FAIL(INVALID_VALUE, LOG_LEVEL, NULL);
    DOCA_PRIV_STORE(&doca_priv_log_to.level, level);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL const char *doca_core_last_error(void)
{
    doca_priv_failure_text(&doca_priv_last, doca_priv_last_text, sizeof(doca_priv_last_text));
    return doca_priv_last_text;
}

DOCA_CORE_DECL enum doca_core_item doca_core_last_item(void)
{
    return doca_priv_last.item;
}

DOCA_CORE_DECL const char *doca_core_item_text(enum doca_core_item item)
{
    return (unsigned)item < DOCA_CORE_NUM_ITEMS ? doca_priv_items[item].text : "unknown item";
}

/* ---- >>impl.check ---------------------------------------------------------------------------
 * The checked mode: what happened to objects, in a ring that all threads write to, and what of it
 * is a report.                                                                                  */

#define DOCA_PRIV_BUF_AUDITED 64 /* elements; or building a list would cost its length squared */

#if DOCA_CORE_CHECK >= 2

#define DOCA_PRIV_CHECK_BURIED 64 /* a returned element waits for so many others */
#define DOCA_PRIV_CHECK_TOLD 8    /* notes of a life, at most */

struct doca_priv_check_note {
    uint64_t serial; /* 1 is the first one; written last, 0 while the note changes */
    const void *object;
    uint32_t thread;
    uint8_t kind;
    uint8_t what;
};

static struct doca_priv_check_note doca_priv_check_notes[DOCA_CORE_CHECK_NOTES];
static uint64_t doca_priv_check_num_notes;
static uint64_t doca_priv_check_reports;
static uint32_t doca_priv_check_num_threads;
static DOCA_CORE_THREAD_LOCAL uint32_t doca_priv_check_me; /* from 1; 0: not yet counted */

static uint32_t doca_priv_check_thread(void)
{
    if (doca_priv_check_me == 0)
        doca_priv_check_me = DOCA_PRIV_FETCH_ADD(&doca_priv_check_num_threads, 1u) + 1;
    return doca_priv_check_me;
}

DOCA_CORE_DECL void doca_priv_check_note(const void *object, unsigned what)
{
    uint64_t serial = DOCA_PRIV_FETCH_ADD(&doca_priv_check_num_notes, (uint64_t)1) + 1;
    struct doca_priv_check_note *note =
        &doca_priv_check_notes[serial & (DOCA_CORE_CHECK_NOTES - 1)];

    DOCA_PRIV_STORE(&note->serial, (uint64_t)0);
    DOCA_PRIV_STORE(&note->object, object);
    DOCA_PRIV_STORE(&note->thread, doca_priv_check_thread());
    DOCA_PRIV_STORE(&note->kind, ((const uint8_t *)object)[0]);
    DOCA_PRIV_STORE(&note->what, (uint8_t)what);
    DOCA_PRIV_STORE(&note->serial, serial);
}

/* The latest notes of `object`, oldest first; how many there are. */
static unsigned doca_priv_check_find(const void *object,
                                     struct doca_priv_check_note found[DOCA_PRIV_CHECK_TOLD])
{
    uint64_t serial = DOCA_PRIV_LOAD(&doca_priv_check_num_notes), left = DOCA_CORE_CHECK_NOTES;
    struct doca_priv_check_note *note, copy;
    unsigned num = 0, i;

    for (; serial > 0 && left > 0 && num < DOCA_PRIV_CHECK_TOLD; serial--, left--) {
        note = &doca_priv_check_notes[serial & (DOCA_CORE_CHECK_NOTES - 1)];
        copy.serial = DOCA_PRIV_LOAD(&note->serial);
        copy.object = DOCA_PRIV_LOAD(&note->object);
        copy.thread = DOCA_PRIV_LOAD(&note->thread);
        copy.kind = DOCA_PRIV_LOAD(&note->kind);
        copy.what = DOCA_PRIV_LOAD(&note->what);
        if (copy.object == object && copy.serial == serial &&
            DOCA_PRIV_LOAD(&note->serial) == serial)
            found[num++] = copy;
    }
    for (i = 0; i < num / 2; i++) {
        copy = found[i];
        found[i] = found[num - 1 - i];
        found[num - 1 - i] = copy;
    }
    return num;
}

static void doca_priv_check_add_notes(const struct doca_priv_check_note *notes, unsigned num,
                                      struct doca_priv_text *text)
{
    static const char *const whats[] = { "created",   "destroyed", "taken",    "returned",
                                         "submitted", "completed", "chained",  "idle",
                                         "starting",  "running",   "stopping" };
    unsigned i;

    for (i = 0; i < num; i++) {
        doca_priv_text_add(text, i == 0 ? ": #" : ", #");
        doca_priv_text_add_number(text, (uintptr_t)notes[i].serial, 10);
        doca_priv_text_add(text, " ");
        doca_priv_text_add(text, whats[notes[i].what]);
        if (notes[i].what == DOCA_PRIV_NOTE_CREATED && notes[i].kind != notes[num - 1].kind) {
            doca_priv_text_add(text, " as ");
            doca_priv_text_add(text, doca_priv_kind_name(notes[i].kind));
        }
        if (i > 0 && notes[i].thread != notes[i - 1].thread) {
            doca_priv_text_add(text, " by ");
            doca_priv_text_add_number(text, notes[i].thread, 10);
        }
    }
}

/* "life of task 0x1234: #12 taken, #13 submitted by 2", with as many of the latest notes as fit.
 * False: nothing is remembered. */
static bool doca_priv_check_add_life(const void *object, const char *before,
                                     struct doca_priv_text *text)
{
    struct doca_priv_check_note notes[DOCA_PRIV_CHECK_TOLD];
    unsigned num = object != NULL ? doca_priv_check_find(object, notes) : 0, first;
    char *begin = text->at;

    for (first = 0; first < num; first++) {
        text->at = begin;
        doca_priv_text_add(text, before);
        doca_priv_text_add(text, "life of ");
        doca_priv_text_add(text, doca_priv_kind_name(notes[num - 1].kind));
        doca_priv_text_add(text, " 0x");
        doca_priv_text_add_number(text, (uintptr_t)object, 16);
        doca_priv_check_add_notes(notes + first, num - first, text);
        if (text->at < text->end)
            break;
    }
    return num > 0;
}

/* Is such a failure a report, so that it tells whose life? It counts. */
static const void *doca_priv_check_whose(enum doca_core_item item, const void *object)
{
    switch (item) {
    case DOCA_CORE_ITEM_DEAD_HANDLE:
    case DOCA_CORE_ITEM_BUF_RETURNED:
    case DOCA_CORE_ITEM_BUF_BROKEN:
    case DOCA_CORE_ITEM_TASK_NOT_OWNED:
    case DOCA_CORE_ITEM_CHECK_IN_FLIGHT:
    case DOCA_CORE_ITEM_CHECK_OVERLAP:
    case DOCA_CORE_ITEM_CHECK_THREAD:
    case DOCA_CORE_ITEM_CHECK_NESTED:
        if (object != NULL)
            (void)DOCA_PRIV_FETCH_ADD(&doca_priv_check_reports, 1u);
        return object;
    default:
        return NULL;
    }
}

/* ---- threads and callbacks ---- */

static bool doca_priv_check_is_inside(const struct doca_pe *pe)
{
    return DOCA_PRIV_LOAD(&pe->user.thread) == doca_priv_check_thread();
}

/* May this thread use the PE, or what belongs to it? Not while another one is inside. */
static bool doca_priv_check_may(const struct doca_pe *pe, const char *function)
{
    bool may = DOCA_PRIV_LOAD(&pe->user.lock) == 0 || doca_priv_check_is_inside(pe);

    if (!may)
        (void)doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_CHECK_THREAD, function, pe);
    return may;
}

/* The same, and be inside until leave. */
static bool doca_priv_check_enter(struct doca_pe *pe, const char *function)
{
    if (!doca_priv_check_is_inside(pe)) {
        if (!DOCA_PRIV_TRY_LOCK(&pe->user.lock)) {
            (void)doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_CHECK_THREAD, function,
                                 pe);
            return false;
        }
        DOCA_PRIV_STORE(&pe->user.thread, doca_priv_check_thread());
    }
    pe->user.depth++;
    return true;
}

/* A callback may have destroyed it. */
static void doca_priv_check_leave(struct doca_pe *pe)
{
    if (doca_priv_is(pe, DOCA_PRIV_KIND_PE) && doca_priv_check_is_inside(pe) &&
        --pe->user.depth == 0) {
        DOCA_PRIV_STORE(&pe->user.thread, 0u);
        doca_priv_unlock(&pe->user.lock);
    }
}

/* Enter for progress. Is it that of a callback? Not when it is no deeper in the stack than the one
 * before, whose callback then left by longjmp. */
static bool doca_priv_check_progress(struct doca_pe *pe)
{
    uintptr_t place = (uintptr_t)&place;

    if (!doca_priv_check_enter(pe, "doca_pe_progress"))
        return false;
    if (pe->user.depth > 1 && place < pe->user.place)
        (void)doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_CHECK_NESTED,
                             "doca_pe_progress", pe);
    else
        pe->user.depth = 1;
    pe->user.place = place;
    return true;
}

/* ---- what is in flight, and what was ---- */

/* Does a task in flight use the buf, or, of a list, one behind it? Then that is reported. */
static bool doca_priv_check_is_busy(const struct doca_buf *buf, bool is_list, const char *function)
{
    unsigned i;

    for (i = 0; buf != NULL && i < (is_list ? DOCA_PRIV_BUF_AUDITED : 1); i++, buf = buf->next)
        if (buf->check.is.num_tasks > 0) {
            (void)doca_priv_fail(DOCA_ERROR_IN_USE, DOCA_CORE_ITEM_CHECK_IN_FLIGHT, function, buf);
            return true;
        }
    return false;
}

static uint64_t doca_priv_sha_written(const struct doca_task *task);

/* The lists of a task whose kind has them; both NULL: it does not. And the bytes it writes. */
static uint64_t doca_priv_check_lists(const struct doca_task *task, struct doca_buf **src,
                                      struct doca_buf **dst)
{
    const struct doca_dma_task_memcpy *t = (const struct doca_dma_task_memcpy *)(const void *)task;
    const uint8_t kind = task->ctx->obj.kind;
    const struct doca_buf *buf;
    uint64_t bytes = 0;

    *src = *dst = NULL;
    if (kind != DOCA_PRIV_KIND_DMA && kind != DOCA_PRIV_KIND_SHA)
        return 0;
    DOCA_PRIV_COPY(src, &t->src, sizeof(*src));
    DOCA_PRIV_COPY(dst, &t->dst, sizeof(*dst));
    if (kind == DOCA_PRIV_KIND_SHA)
        return doca_priv_sha_written(task);
    for (buf = *src; buf != NULL; buf = buf->next)
        bytes += buf->data_len;
    return bytes;
}

/* One more writer of [begin, end), which is in the room of `buf`. */
static void doca_priv_check_write(struct doca_pe *pe, struct doca_buf *buf, uintptr_t begin,
                                  uintptr_t end)
{
    const struct doca_buf *other;

    for (other = pe->written; other != NULL; other = other->check.is.next)
        if (begin < other->check.is.end && other->check.is.begin < end) {
            (void)doca_priv_fail(DOCA_ERROR_IN_USE, DOCA_CORE_ITEM_CHECK_OVERLAP,
                                 "doca_task_submit", other);
            break;
        }
    if (buf->check.is.num_writers++ > 0) { /* from where the content ends, like the other one */
        buf->check.is.end = end > buf->check.is.end ? end : buf->check.is.end;
        return;
    }
    buf->check.is.begin = begin;
    buf->check.is.end = end;
    buf->check.is.next = pe->written;
    buf->check.is.link = &pe->written;
    if (pe->written != NULL)
        pe->written->check.is.link = &buf->check.is.next;
    pe->written = buf;
}

/* A task was submitted. */
static void doca_priv_check_begin(struct doca_task *task)
{
    struct doca_buf *src, *dst;
    uint64_t left = doca_priv_check_lists(task, &src, &dst);
    uintptr_t begin;
    size_t room;

    doca_priv_check_note(task, DOCA_PRIV_NOTE_SUBMITTED);
    for (; src != NULL; src = src->next)
        src->check.is.num_tasks++;
    for (; dst != NULL; dst = dst->next) {
        dst->check.is.num_tasks++;
        room = doca_priv_buf_tailroom(dst);
        begin = (uintptr_t)dst->data + dst->data_len;
        room = left < room ? (size_t)left : room;
        left -= room;
        doca_priv_check_write(task->ctx->pe, dst, begin, begin + room);
    }
}

/* It ended. */
DOCA_CORE_DECL void doca_priv_check_finish(struct doca_task *task)
{
    struct doca_buf *src, *dst;

    (void)doca_priv_check_lists(task, &src, &dst);
    doca_priv_check_note(task, DOCA_PRIV_NOTE_COMPLETED);
    for (; src != NULL; src = src->next)
        src->check.is.num_tasks--;
    for (; dst != NULL; dst = dst->next) {
        dst->check.is.num_tasks--;
        if (--dst->check.is.num_writers > 0)
            continue;
        *dst->check.is.link = dst->check.is.next;
        if (dst->check.is.next != NULL)
            dst->check.is.next->check.is.link = dst->check.is.link;
    }
}

/* Let the first one of a stock, just returned, wait behind others. */
#define DOCA_PRIV_CHECK_BURY(first)                                                                \
    do {                                                                                           \
        unsigned depth;                                                                            \
                                                                                                   \
        for (depth = 0, last = *(first);                                                           \
             depth < DOCA_PRIV_CHECK_BURIED && last->next != NULL; depth++)                        \
            last = last->next;                                                                     \
        if (depth > 0) {                                                                           \
            one = *(first);                                                                        \
            *(first) = one->next;                                                                  \
            one->next = last->next;                                                                \
            last->next = one;                                                                      \
        }                                                                                          \
    } while (0)

DOCA_CORE_DECL void doca_priv_check_bury_buf(struct doca_buf **first)
{
    struct doca_buf *one, *last;

    DOCA_PRIV_CHECK_BURY(first);
}

DOCA_CORE_DECL void doca_priv_check_bury_task(struct doca_task **first)
{
    struct doca_task *one, *last;

    DOCA_PRIV_CHECK_BURY(first);
}

#endif

DOCA_CORE_DECL uint64_t doca_core_check_num_reports(void)
{
#if DOCA_CORE_CHECK >= 2
    return DOCA_PRIV_LOAD(&doca_priv_check_reports);
#else
    return 0;
#endif
}

DOCA_CORE_DECL doca_error_t doca_core_check_life(const void *object, char *text, size_t bytes)
{
    DOCA_PRIV_CHECKED(struct doca_priv_text to;)

    if (object == NULL || text == NULL || bytes < 32)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
#if DOCA_CORE_CHECK >= 2
    to.at = text;
    to.end = text + bytes - 1;
    return doca_priv_check_add_life(object, "", &to)
               ? DOCA_SUCCESS
               : DOCA_PRIV_FAIL(NOT_FOUND, CHECK_NO_LIFE, NULL);
#else
    return DOCA_PRIV_FAIL(NOT_SUPPORTED, CHECK_OFF, NULL);
#endif
}

/* ---- >>impl.arena ---------------------------------------------------------------------------
 * Two-level segregated fit over whole lines. Class of a size: its highest bit and the three bits
 * below it; sizes below 8 lines have a class each. A request looks into its own class first (the
 * block last given back often fits exactly), then takes the smallest class whose blocks all fit. */

#define DOCA_PRIV_ARENA_LOOKS 4 /* blocks looked at in the class of the size itself */

DOCA_PRIV_ASSERT_STATIC(header_is_a_line, sizeof(struct doca_priv_block) <= DOCA_CORE_LINE);

/* Are 2^47 bytes, 2^41 lines, all that the classes describe, too few? */
static bool doca_priv_arena_is_beyond(size_t bytes)
{
    return doca_priv_high_bit((uint64_t)bytes | 1) >= 47;
}

/* Differs from block to block, so that a copied header is noticed. */
static uint32_t doca_priv_block_sign(const struct doca_core_arena *arena,
                                     const struct doca_priv_block *block)
{
    return arena->salt ^ (uint32_t)((uintptr_t)block / DOCA_CORE_LINE);
}

static struct doca_priv_block *doca_priv_block_at(struct doca_priv_block *block, size_t lines)
{
    return (struct doca_priv_block *)(void *)((unsigned char *)block + lines * DOCA_CORE_LINE);
}

/* The physical neighbour above; NULL for the topmost block. */
static struct doca_priv_block *doca_priv_block_above(const struct doca_core_arena *arena,
                                                     struct doca_priv_block *block)
{
    struct doca_priv_block *above = doca_priv_block_at(block, block->lines);

    return (unsigned char *)above < arena->base + arena->lines * DOCA_CORE_LINE ? above : NULL;
}

static void doca_priv_arena_class(size_t lines, unsigned *fl, unsigned *sl)
{
    unsigned high = lines < DOCA_PRIV_ARENA_SL ? 2 : doca_priv_high_bit(lines);

    *fl = high - 2;
    *sl = (unsigned)(lines >> (high - (high > 2 ? 3 : 2))) % DOCA_PRIV_ARENA_SL;
}

static void doca_priv_arena_insert(struct doca_core_arena *arena, struct doca_priv_block *block)
{
    struct doca_priv_block **list;
    unsigned fl, sl;

    doca_priv_arena_class(block->lines, &fl, &sl);
    list = &arena->free_list[fl][sl];
    block->is_free = 1;
    block->prev = NULL;
    block->next = *list;
    if (*list != NULL)
        (*list)->prev = block;
    *list = block;
    arena->fl_map |= (uint64_t)1 << fl;
    arena->sl_map[fl] = (uint8_t)(arena->sl_map[fl] | 1u << sl);
}

static void doca_priv_arena_remove(struct doca_core_arena *arena, struct doca_priv_block *block)
{
    unsigned fl, sl;

    doca_priv_arena_class(block->lines, &fl, &sl);
    if (block->next != NULL)
        block->next->prev = block->prev;
    if (block->prev != NULL)
        block->prev->next = block->next;
    else
        arena->free_list[fl][sl] = block->next;
    if (arena->free_list[fl][sl] == NULL) {
        arena->sl_map[fl] = (uint8_t)(arena->sl_map[fl] & ~(1u << sl));
        if (arena->sl_map[fl] == 0)
            arena->fl_map &= ~((uint64_t)1 << fl);
    }
    block->is_free = 0;
}

static struct doca_priv_block *doca_priv_arena_find(struct doca_core_arena *arena, size_t lines)
{
    struct doca_priv_block *block;
    unsigned fl, sl, looks = 0;
    uint64_t fls;
    unsigned sls;

    doca_priv_arena_class(lines, &fl, &sl);
    for (block = arena->free_list[fl][sl]; block != NULL; block = block->next) {
        if (block->lines >= lines)
            return block;
        if (++looks == DOCA_PRIV_ARENA_LOOKS)
            break;
    }
    sls = arena->sl_map[fl] & (unsigned)(0xfeu << sl);
    if (sls == 0) {
        fls = arena->fl_map & ~(((uint64_t)2 << fl) - 1);
        if (fls == 0)
            return NULL;
        fl = doca_priv_low_bit(fls);
        sls = arena->sl_map[fl];
    }
    return arena->free_list[fl][doca_priv_low_bit(sls)];
}

/* Cut `block` down to `lines`; what is above becomes a block of its own. */
static void doca_priv_arena_split(struct doca_core_arena *arena, struct doca_priv_block *block,
                                  size_t lines)
{
    struct doca_priv_block *rest, *above = doca_priv_block_above(arena, block);

    if (block->lines == lines)
        return;
    rest = doca_priv_block_at(block, lines);
    rest->magic = doca_priv_block_sign(arena, rest);
    rest->lines = block->lines - lines;
    rest->below = block;
    block->lines = lines;
    if (above != NULL)
        above->below = rest;
    doca_priv_arena_insert(arena, rest);
}

/* Join `upper` to its neighbour `lower`. Neither is in a free list. */
static void doca_priv_arena_join(struct doca_core_arena *arena, struct doca_priv_block *lower,
                                 struct doca_priv_block *upper)
{
    struct doca_priv_block *above;

    lower->lines += upper->lines;
    upper->is_free = 1; /* its header stays readable: giving it again is noticed */
    above = doca_priv_block_above(arena, lower);
    if (above != NULL)
        above->below = lower;
}

static void doca_priv_arena_charge(struct doca_core_arena *arena, size_t lines)
{
    arena->used += lines;
    if (arena->used > arena->peak)
        arena->peak = arena->used;
}

/* An arena that has no memory; with base NULL it counts what it is asked for. */
static void doca_priv_arena_clear(struct doca_core_arena *arena)
{
    DOCA_CORE_MEMSET(arena, 0, sizeof(*arena));
    doca_priv_object_init(&arena->obj, DOCA_PRIV_KIND_ARENA);
}

DOCA_CORE_DECL doca_error_t doca_core_arena_init(struct doca_core_arena *arena, void *mem,
                                                 size_t bytes)
{
    struct doca_priv_block *block;

    if (arena == NULL || mem == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    if ((uintptr_t)mem % DOCA_CORE_LINE != 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ARENA_MISALIGNED, NULL);
    if (doca_priv_arena_is_beyond(bytes))
        return DOCA_PRIV_FAIL(INVALID_VALUE, ARENA_TOO_LARGE, NULL);
    if (bytes < 2 * DOCA_CORE_LINE)
        return DOCA_PRIV_FAIL(NO_MEMORY, ARENA_TOO_SMALL, NULL);
    doca_priv_arena_clear(arena);
    arena->salt = doca_priv_serial() * 0x9e3779b9u; /* odd, so as unique, but spread out */
    arena->base = (unsigned char *)mem;
    arena->lines = bytes / DOCA_CORE_LINE;
    block = (struct doca_priv_block *)mem;
    block->magic = doca_priv_block_sign(arena, block);
    block->lines = arena->lines;
    block->below = NULL;
    doca_priv_arena_insert(arena, block);
    return DOCA_SUCCESS;
}

static struct doca_core_arena *doca_priv_bound_arena;

/* The static one, set up by whoever needs it first. One line more than its size, because not every
 * compiler aligns static objects as far as DOCA_CORE_ALIGNED asks. */
static struct doca_core_arena *doca_priv_default_arena(void)
{
    static DOCA_CORE_ALIGNED unsigned char mem[(DOCA_CORE_DEFAULT_ARENA_BYTES) + DOCA_CORE_LINE];
    static struct doca_core_arena arena;
    static uint32_t lock;
    size_t shift = (size_t)(0 - (uintptr_t)mem) % DOCA_CORE_LINE;

    doca_priv_lock(&lock);
    if (arena.base == NULL && (DOCA_CORE_DEFAULT_ARENA_BYTES) > 0) {
        (void)doca_core_arena_init(&arena, mem + shift, DOCA_CORE_DEFAULT_ARENA_BYTES);
    } else if (arena.base == NULL) {
        doca_priv_arena_clear(&arena);
        arena.base = mem; /* which makes it an arena, of no lines, that does not count */
    }
    doca_priv_unlock(&lock);
    return &arena;
}

DOCA_CORE_DECL doca_error_t doca_core_arena_bind(struct doca_core_arena *arena)
{
    if (arena != NULL && !doca_priv_is(arena, DOCA_PRIV_KIND_ARENA))
        return DOCA_PRIV_FAIL_HANDLE(arena);
    DOCA_PRIV_STORE(&doca_priv_bound_arena, arena);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL struct doca_core_arena *doca_core_arena_bound(void)
{
    struct doca_core_arena *arena = DOCA_PRIV_LOAD(&doca_priv_bound_arena);

    return arena != NULL ? arena : doca_priv_default_arena();
}

/* doca_core_arena_take() on behalf of `function`, which a failure names. */
static doca_error_t doca_priv_arena_take(struct doca_core_arena *arena, size_t bytes, void **block,
                                         const char *function)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, block, function);
    struct doca_priv_block *b = NULL;
    size_t lines;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (bytes == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_ZERO, function, arena);
    if (doca_priv_arena_is_beyond(bytes) || bytes > SIZE_MAX - 2 * DOCA_CORE_LINE)
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_ARENA_EXHAUSTED, function,
                              arena);
    lines = (bytes - 1) / DOCA_CORE_LINE + 2;
    if (arena->base == NULL) {
        doca_priv_arena_charge(arena, lines);
        *block = NULL;
        return DOCA_SUCCESS;
    }
    doca_priv_lock(&arena->lock);
    b = doca_priv_arena_find(arena, lines);
    if (b != NULL) {
        doca_priv_arena_remove(arena, b);
        doca_priv_arena_split(arena, b, lines);
        doca_priv_arena_charge(arena, lines);
    }
    doca_priv_unlock(&arena->lock);
    if (b == NULL)
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_ARENA_EXHAUSTED, function,
                              arena);
    *block = doca_priv_block_at(b, 1);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_arena_take(struct doca_core_arena *arena, size_t bytes,
                                                 void **block)
{
    return doca_priv_arena_take(arena, bytes, block, __func__);
}

/* Is there a header of this arena at `b`? */
static bool doca_priv_arena_holds(const struct doca_core_arena *arena,
                                  const struct doca_priv_block *b)
{
    size_t offset = (size_t)((uintptr_t)b - (uintptr_t)arena->base);

    return offset % DOCA_CORE_LINE == 0 && offset / DOCA_CORE_LINE < arena->lines &&
           b->magic == doca_priv_block_sign(arena, b);
}

/* Why `b` cannot be a taken block between sound neighbours, or ITEM_NONE. */
static enum doca_core_item doca_priv_arena_doubt(const struct doca_core_arena *arena,
                                                 struct doca_priv_block *b)
{
    size_t offset = (size_t)((uintptr_t)b - (uintptr_t)arena->base);
    struct doca_priv_block *above;

    /* a taken block has two lines at least, so its header is not in the last one */
    if (offset % DOCA_CORE_LINE != 0 || offset / DOCA_CORE_LINE >= arena->lines ||
        offset / DOCA_CORE_LINE + 1 == arena->lines)
        return DOCA_CORE_ITEM_ARENA_FOREIGN;
    if (!doca_priv_arena_holds(arena, b))
        return DOCA_CORE_ITEM_ARENA_BROKEN;
    if (b->is_free != 0)
        return DOCA_CORE_ITEM_ARENA_GIVEN_TWICE;
    if (b->lines == 0 || b->lines > arena->lines - offset / DOCA_CORE_LINE)
        return DOCA_CORE_ITEM_ARENA_BROKEN;
    above = doca_priv_block_above(arena, b);
    if (above != NULL && (!doca_priv_arena_holds(arena, above) || above->below != b))
        return DOCA_CORE_ITEM_ARENA_BROKEN;
    if (b->below == NULL ? offset != 0
                         : !doca_priv_arena_holds(arena, b->below) ||
                               doca_priv_block_above(arena, b->below) != b)
        return DOCA_CORE_ITEM_ARENA_BROKEN;
    return DOCA_CORE_ITEM_NONE;
}

DOCA_CORE_DECL doca_error_t doca_core_arena_give(struct doca_core_arena *arena, void *block)
{
    struct doca_priv_block *b, *above, *below;
    enum doca_core_item doubt;

    if (!doca_priv_is(arena, DOCA_PRIV_KIND_ARENA))
        return DOCA_PRIV_FAIL_HANDLE(arena);
    if (block == NULL)
        return DOCA_SUCCESS;
    b = (struct doca_priv_block *)((uintptr_t)block - DOCA_CORE_LINE); /* checked before use */
    doca_priv_lock(&arena->lock);
    doubt = doca_priv_arena_doubt(arena, b);
    if (doubt == DOCA_CORE_ITEM_NONE) {
        if (DOCA_CORE_CHECK >= 2)
            DOCA_CORE_MEMSET(block, 0xdd, (b->lines - 1) * DOCA_CORE_LINE);
        arena->used -= b->lines;
        above = doca_priv_block_above(arena, b);
        below = b->below;
        if (above != NULL && above->is_free != 0) {
            doca_priv_arena_remove(arena, above);
            doca_priv_arena_join(arena, b, above);
        }
        if (below != NULL && below->is_free != 0) {
            doca_priv_arena_remove(arena, below);
            doca_priv_arena_join(arena, below, b);
            b = below;
        }
        doca_priv_arena_insert(arena, b);
    }
    doca_priv_unlock(&arena->lock);
    if (doubt == DOCA_CORE_ITEM_ARENA_FOREIGN)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ARENA_FOREIGN, arena);
    if (doubt == DOCA_CORE_ITEM_ARENA_GIVEN_TWICE)
        return DOCA_PRIV_FAIL(BAD_STATE, ARENA_GIVEN_TWICE, arena);
    if (doubt != DOCA_CORE_ITEM_NONE)
        return DOCA_PRIV_FAIL(UNEXPECTED, ARENA_BROKEN, arena);
    return DOCA_CORE_CHECK >= 2 ? doca_core_arena_audit(arena) : DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_arena_query(struct doca_core_arena *arena, size_t *used,
                                                  size_t *peak, size_t *largest_free)
{
    struct doca_priv_block *block;
    size_t lines = 0;
    unsigned fl, looks;

    if (!doca_priv_is(arena, DOCA_PRIV_KIND_ARENA))
        return DOCA_PRIV_FAIL_HANDLE(arena);
    doca_priv_lock(&arena->lock);
    if (used != NULL)
        *used = arena->used * DOCA_CORE_LINE;
    if (peak != NULL)
        *peak = arena->peak * DOCA_CORE_LINE;
    if (largest_free != NULL) {
        if (arena->fl_map != 0) { /* a take looks no further into the top class either */
            fl = doca_priv_high_bit(arena->fl_map);
            block = arena->free_list[fl][doca_priv_high_bit(arena->sl_map[fl])];
            for (looks = 0; block != NULL && looks < DOCA_PRIV_ARENA_LOOKS; looks++) {
                if (block->lines > lines)
                    lines = block->lines;
                block = block->next;
            }
        }
        *largest_free = lines > 1 ? (lines - 1) * DOCA_CORE_LINE : 0;
    }
    doca_priv_unlock(&arena->lock);
    return DOCA_SUCCESS;
}

/* Does the chain of blocks from the bottom to the top add up? Counts free ones and used lines. */
static bool doca_priv_arena_walk(const struct doca_core_arena *arena, size_t *num_free,
                                 size_t *used)
{
    struct doca_priv_block *b = NULL, *below = NULL;
    size_t at = 0;

    while (at < arena->lines) {
        b = (struct doca_priv_block *)(void *)(arena->base + at * DOCA_CORE_LINE);
        if (!doca_priv_arena_holds(arena, b) || b->below != below || b->lines == 0 ||
            b->lines > arena->lines - at || b->is_free > 1)
            return false;
        if (b->is_free != 0)
            ++*num_free;
        else
            *used += b->lines;
        at += b->lines;
        below = b;
    }
    return true;
}

/* Do the free lists hold what they should? Counts their blocks; stops beyond `limit` of them. */
static bool doca_priv_arena_lists(const struct doca_core_arena *arena, size_t limit, size_t *listed)
{
    struct doca_priv_block *b, *prev;
    unsigned fl, sl, own_fl, own_sl;

    for (fl = 0; fl < DOCA_PRIV_ARENA_FL; fl++) {
        if ((arena->fl_map >> fl & 1) != (arena->sl_map[fl] != 0 ? 1u : 0u))
            return false;
        for (sl = 0; sl < DOCA_PRIV_ARENA_SL; sl++) {
            if ((arena->sl_map[fl] >> sl & 1) != (arena->free_list[fl][sl] != NULL ? 1 : 0))
                return false;
            prev = NULL;
            for (b = arena->free_list[fl][sl]; b != NULL; prev = b, b = b->next) {
                if (!doca_priv_arena_holds(arena, b))
                    return false;
                doca_priv_arena_class(b->lines, &own_fl, &own_sl);
                if (b->is_free != 1 || b->prev != prev || own_fl != fl || own_sl != sl ||
                    ++*listed > limit)
                    return false;
            }
        }
    }
    return true;
}

DOCA_CORE_DECL doca_error_t doca_core_arena_audit(struct doca_core_arena *arena)
{
    size_t num_free = 0, listed = 0, used = 0;
    bool sound;

    if (!doca_priv_is(arena, DOCA_PRIV_KIND_ARENA))
        return DOCA_PRIV_FAIL_HANDLE(arena);
    doca_priv_lock(&arena->lock);
    sound = doca_priv_arena_walk(arena, &num_free, &used) &&
            doca_priv_arena_lists(arena, num_free, &listed) && listed == num_free &&
            used == arena->used;
    doca_priv_unlock(&arena->lock);
    return sound ? DOCA_SUCCESS : DOCA_PRIV_FAIL(UNEXPECTED, ARENA_BROKEN, arena);
}

/* Take a block for an object and zero it. */
static doca_error_t doca_priv_object_take(struct doca_core_arena *arena, size_t bytes, void **p,
                                          const char *function)
{
    doca_error_t rc = doca_priv_arena_take(arena, bytes, p, function);

    if (rc == DOCA_SUCCESS && *p != NULL)
        DOCA_CORE_MEMSET(*p, 0, bytes);
    return rc;
}

/* End an object: from here on it is a dead handle, and its block is the arena's. */
static doca_error_t doca_priv_object_give(struct doca_core_arena *arena,
                                          struct doca_priv_object *obj)
{
    DOCA_PRIV_CHECKED(doca_priv_check_note(obj, DOCA_PRIV_NOTE_DESTROYED);)
    obj->guard = 0;
    return doca_core_arena_give(arena, obj);
}

/* Begin to count what something costs: `arena` only counts from here on. */
static doca_error_t doca_priv_count(struct doca_core_arena *arena, const size_t *bytes,
                                    const char *function)
{
    if (bytes == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              NULL);
    doca_priv_arena_clear(arena);
    return DOCA_SUCCESS;
}

/* The end of it: what `arena` was asked for, unless `rc` says that it failed. */
static doca_error_t doca_priv_counted(const struct doca_core_arena *arena, doca_error_t rc,
                                      size_t *bytes)
{
    if (rc == DOCA_SUCCESS && arena->used > SIZE_MAX / DOCA_CORE_LINE)
        rc = DOCA_PRIV_FAIL(NO_MEMORY, ARENA_EXHAUSTED, NULL);
    if (rc == DOCA_SUCCESS)
        *bytes = arena->used * DOCA_CORE_LINE;
    return rc;
}

/* What an object costs that is nothing but its structure. */
static doca_error_t doca_priv_bytes_object(size_t object_bytes, size_t *bytes,
                                           const char *function)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, function);
    void *block;

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_object_take(&count, object_bytes, &block, function);
    return doca_priv_counted(&count, rc, bytes);
}

/* ---- >>impl.device --------------------------------------------------------------------------
 * One lock guards the open devices, their counts and the table of backends.                     */

static struct {
    uint32_t lock;
    uint32_t num_registrations; /* of backends, ever */
    uint64_t dev_bits;          /* taken ones */
    struct doca_dev *devs;
    struct doca_core_backend backends[DOCA_CORE_MAX_BACKENDS]; /* without name: vacant */
} doca_priv_world;

static void doca_priv_sw_ask_environment(void);
static doca_error_t doca_priv_stub_open_from_pd(struct doca_dev *dev, struct ibv_pd *pd);

/* "DDDD:BB:DD.F" or "BB:DD.F" as one number: domain, bus, device and function, 8 bits the last. */
static bool doca_priv_pci_parse(const char *s, uint64_t *addr)
{
    static const char *const shapes[] = { "xxxx:xx:xx.x", "xx:xx.x" };
    uint64_t value = 0;
    size_t i, len = 0;
    const char *shape;
    int digit;

    while (len <= 12 && s[len] != '\0') /* a longer string is not read further */
        len++;
    shape = shapes[len == 12 ? 0 : 1];
    if (len != 12 && len != 7)
        return false;
    for (i = 0; i < len; i++) {
        digit = doca_priv_hex_digit(s[i]);
        if (shape[i] != 'x' ? s[i] != shape[i] : digit < 0)
            return false;
        if (shape[i] == 'x')
            value = value * 16 + (uint64_t)digit;
    }
    *addr = value;
    return (value >> 4 & 0xff) < 32 && (value & 0xf) < 8; /* device, function */
}

/* Take the block of a list of `num` devices. */
static doca_error_t doca_priv_devinfo_list_carve(struct doca_core_arena *arena, uint32_t num,
                                                 void **block, const char *function)
{
    return doca_priv_object_take(arena,
                                 doca_priv_size(num, sizeof(struct doca_priv_devinfo_row),
                                                sizeof(struct doca_priv_devinfo_list)),
                                 block, function);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_devinfo_list(uint32_t num_devs, size_t *bytes)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, __func__);
    void *block;

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_devinfo_list_carve(&count, num_devs, &block, __func__);
    return doca_priv_counted(&count, rc, bytes);
}

/* The next backend after `backend`, the software device first, and NULL behind the last one. Under
 * the lock. */
static const struct doca_core_backend *doca_priv_backend_next(
    const struct doca_core_backend *backend)
{
    const struct doca_core_backend *end = doca_priv_world.backends + DOCA_CORE_MAX_BACKENDS;

    if (backend == NULL)
        return doca_core_sw_backend();
    backend = backend == doca_core_sw_backend() ? doca_priv_world.backends : backend + 1;
    while (backend < end && backend->name == NULL)
        backend++;
    return backend < end ? backend : NULL;
}

/* Make infos of the bare attributes that stand at the far end of the infos' own memory, where
 * unpacking them from the front never overtakes what is still to be read. */
static void doca_priv_devinfo_unpack(const struct doca_core_dev_attr *attrs, uint32_t num,
                                     uint8_t kind, const struct doca_core_backend *backend,
                                     struct doca_core_arena *arena, struct doca_devinfo *infos)
{
    uint32_t i;

    for (i = 0; i < num; i++) {
        DOCA_CORE_MEMMOVE(&infos[i].attr, &attrs[i], sizeof(attrs[i]));
        doca_priv_object_init(&infos[i].obj, kind);
        infos[i].arena = arena;
        infos[i].backend = backend;
        infos[i].serial = backend->serial;
    }
}

/* Where a backend is to write the attributes of `max` infos. */
static struct doca_core_dev_attr *doca_priv_devinfo_attrs(struct doca_devinfo *infos, uint32_t max)
{
    return (struct doca_core_dev_attr *)(void *)(infos + max) - max;
}

/* Describe up to `max` devices of `backend` as infos[0] and following; return how many. */
static uint32_t doca_priv_devinfo_fill(const struct doca_core_backend *backend,
                                       struct doca_core_arena *arena, struct doca_devinfo *infos,
                                       uint32_t max)
{
    struct doca_core_dev_attr *attrs = doca_priv_devinfo_attrs(infos, max);
    uint32_t i, num = backend->enumerate(attrs, max);

    if (num > max)
        num = max; /* one more appeared meanwhile */
    doca_priv_devinfo_unpack(attrs, num, DOCA_PRIV_KIND_DEVINFO, backend, arena, infos);
    for (i = 0; i < num; i++)
        if (backend->enumerate_reps == NULL || infos[i].attr.func_type == DOCA_PCI_FUNC_TYPE_SF)
            infos[i].attr.rep_filters = 0;
    return num;
}

/* Count the devices of all backends, or describe up to `max` of them in `infos`. */
static uint32_t doca_priv_devinfo_gather(struct doca_core_arena *arena, struct doca_devinfo *infos,
                                         uint32_t max)
{
    const struct doca_core_backend *backend = NULL;
    uint32_t num = 0;

    doca_priv_lock(&doca_priv_world.lock);
    while ((backend = doca_priv_backend_next(backend)) != NULL)
        num += infos == NULL ? backend->enumerate(NULL, 0)
                             : doca_priv_devinfo_fill(backend, arena, infos + num, max - num);
    doca_priv_unlock(&doca_priv_world.lock);
    return num;
}

/* A list with room for `num` infos, which are still to be written, as are the pointers. */
static doca_error_t doca_priv_devinfo_list_make(struct doca_core_arena *arena, uint8_t kind,
                                                uint32_t num, struct doca_priv_devinfo_list **list,
                                                const char *function)
{
    void *block = NULL;
    doca_error_t rc = doca_priv_devinfo_list_carve(arena, num, &block, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    *list = (struct doca_priv_devinfo_list *)block;
    doca_priv_object_init(&(*list)->obj, kind);
    (*list)->arena = arena;
    (*list)->infos = (struct doca_devinfo *)(void *)((uint64_t *)(void *)(*list + 1) + num);
    return DOCA_SUCCESS;
}

/* End the list that the program knows by `pointers`, and its infos. */
static doca_error_t doca_priv_devinfo_list_end(void *pointers, uint8_t kind, const char *function)
{
    struct doca_priv_devinfo_list *list = (struct doca_priv_devinfo_list *)pointers;
    uint32_t i;

    if (pointers == NULL || !doca_priv_is(--list, kind))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE,
                              pointers == NULL ? DOCA_CORE_ITEM_NULL_ARGUMENT
                                               : DOCA_CORE_ITEM_DEAD_HANDLE,
                              function, NULL);
    for (i = 0; i < list->num; i++) /* not by the program's pointers, which it may have moved */
        list->infos[i].obj.guard = 0;
    return doca_priv_object_give(list->arena, &list->obj);
}

static bool doca_priv_is_zero(const uint8_t *bytes, size_t num)
{
    while (num > 0 && bytes[num - 1] == 0)
        num--;
    return num == 0;
}

/* Ask the operating system for what the backend does not know of the device's interface. */
static void doca_priv_devinfo_ask_system(struct doca_core_dev_attr *attr)
{
    bool has_mac = attr->port != DOCA_CORE_PORT_ETHERNET ||
                   !doca_priv_is_zero(attr->mac_addr, sizeof(attr->mac_addr));
    bool has_ipv4 = !doca_priv_is_zero(attr->ipv4_addr, sizeof(attr->ipv4_addr));
    bool has_ipv6 = !doca_priv_is_zero(attr->ipv6_addr, sizeof(attr->ipv6_addr));

    if (attr->iface_name[0] != '\0' && !(has_mac && has_ipv4 && has_ipv6))
        doca_priv_sys_iface(attr->iface_name, has_mac ? NULL : attr->mac_addr,
                            has_ipv4 ? NULL : attr->ipv4_addr, has_ipv6 ? NULL : attr->ipv6_addr);
}

static doca_error_t doca_priv_devinfo_create_list(struct doca_core_arena *arena,
                                                  struct doca_devinfo ***dev_list,
                                                  uint32_t *nb_devs, const char *function)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA,
                                           dev_list != NULL ? nb_devs : NULL, function);
    struct doca_priv_devinfo_list *list = NULL;
    struct doca_devinfo **pointers;
    uint32_t i, num;

    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_sw_ask_environment();
    num = doca_priv_devinfo_gather(arena, NULL, 0);
    if (num == 0)
        return doca_priv_fail(DOCA_ERROR_NOT_FOUND, DOCA_CORE_ITEM_DEV_NONE, function, NULL);
    rc = doca_priv_devinfo_list_make(arena, DOCA_PRIV_KIND_DEVINFO_LIST, num, &list, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    list->num = doca_priv_devinfo_gather(arena, list->infos, num);
    if (list->num == 0) { /* they vanished meanwhile */
        (void)doca_priv_object_give(arena, &list->obj);
        return doca_priv_fail(DOCA_ERROR_NOT_FOUND, DOCA_CORE_ITEM_DEV_NONE, function, NULL);
    }
    pointers = (struct doca_devinfo **)(void *)(list + 1);
    for (i = 0; i < list->num; i++) { /* no lock is held here */
        doca_priv_devinfo_ask_system(&list->infos[i].attr);
        pointers[i] = &list->infos[i];
    }
    *dev_list = pointers;
    *nb_devs = list->num;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_devinfo_create_list_in(struct doca_core_arena *arena,
                                                             struct doca_devinfo ***dev_list,
                                                             uint32_t *nb_devs)
{
    return doca_priv_devinfo_create_list(arena, dev_list, nb_devs, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_create_list(struct doca_devinfo ***dev_list,
                                                     uint32_t *nb_devs)
{
    return doca_priv_devinfo_create_list(doca_core_arena_bound(), dev_list, nb_devs, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_destroy_list(struct doca_devinfo **dev_list)
{
    return doca_priv_devinfo_list_end(dev_list, DOCA_PRIV_KIND_DEVINFO_LIST, __func__);
}

static doca_error_t doca_priv_devinfo_get_pci_addr(const void *devinfo, uint8_t kind, char *to,
                                                   const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, kind, to, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (((const struct doca_devinfo *)devinfo)->attr.pci_addr[0] == '\0')
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_REP_NO_PCI_ADDR, function,
                              devinfo);
    DOCA_CORE_MEMCPY(to, ((const struct doca_devinfo *)devinfo)->attr.pci_addr,
                     DOCA_DEVINFO_PCI_ADDR_SIZE);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_pci_addr_str(const struct doca_devinfo *devinfo,
                                                          char *pci_addr_str)
{
    return doca_priv_devinfo_get_pci_addr(devinfo, DOCA_PRIV_KIND_DEVINFO, pci_addr_str, __func__);
}

static doca_error_t doca_priv_devinfo_is_equal(const void *devinfo, uint8_t kind, const char *text,
                                               uint8_t *is_equal, const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, kind, text != NULL ? is_equal : NULL, function);
    uint64_t own = 0, other;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_pci_parse(text, &other))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_PCI_ADDR_MALFORMED, function,
                              devinfo);
    *is_equal = doca_priv_pci_parse(((const struct doca_devinfo *)devinfo)->attr.pci_addr, &own) &&
                        own == other
                    ? 1
                    : 0;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_is_equal_pci_addr(const struct doca_devinfo *devinfo,
                                                           const char *pci_addr_str,
                                                           uint8_t *is_equal)
{
    return doca_priv_devinfo_is_equal(devinfo, DOCA_PRIV_KIND_DEVINFO, pci_addr_str, is_equal,
                                      __func__);
}

/* Copy one property of `bytes` to a buffer of `size`, which has to be at least `least`. */
static doca_error_t doca_priv_devinfo_give(const struct doca_devinfo *devinfo, const void *property,
                                           size_t bytes, void *to, uint32_t size, uint32_t least,
                                           const char *function)
{
    if (to == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              devinfo);
    if (size < least)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_TEXT_TOO_SHORT, function,
                              devinfo);
    DOCA_CORE_MEMCPY(to, property, bytes);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_ibdev_name(const struct doca_devinfo *devinfo,
                                                        char *ibdev_name, uint32_t size)
{
    if (!doca_priv_is(devinfo, DOCA_PRIV_KIND_DEVINFO))
        return DOCA_PRIV_FAIL_HANDLE(devinfo);
    return doca_priv_devinfo_give(devinfo, devinfo->attr.ibdev_name,
                                  sizeof(devinfo->attr.ibdev_name), ibdev_name, size,
                                  DOCA_DEVINFO_IBDEV_NAME_SIZE, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_iface_name(const struct doca_devinfo *devinfo,
                                                        char *iface_name, uint32_t size)
{
    if (!doca_priv_is(devinfo, DOCA_PRIV_KIND_DEVINFO))
        return DOCA_PRIV_FAIL_HANDLE(devinfo);
    return doca_priv_devinfo_give(devinfo, devinfo->attr.iface_name,
                                  sizeof(devinfo->attr.iface_name), iface_name, size,
                                  DOCA_DEVINFO_IFACE_NAME_SIZE, __func__);
}

/* An address; all zero means that there is none. */
static doca_error_t doca_priv_devinfo_give_addr(const struct doca_devinfo *devinfo,
                                                const uint8_t *addr, uint32_t bytes, uint8_t *to,
                                                uint32_t size, const char *function)
{
    if (to != NULL && size >= bytes && doca_priv_is_zero(addr, bytes))
        return doca_priv_fail(DOCA_ERROR_OPERATING_SYSTEM, DOCA_CORE_ITEM_DEV_NO_ADDRESS, function,
                              devinfo);
    return doca_priv_devinfo_give(devinfo, addr, bytes, to, size, bytes, function);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_ipv4_addr(const struct doca_devinfo *devinfo,
                                                       uint8_t *ipv4_addr, uint32_t size)
{
    if (!doca_priv_is(devinfo, DOCA_PRIV_KIND_DEVINFO))
        return DOCA_PRIV_FAIL_HANDLE(devinfo);
    return doca_priv_devinfo_give_addr(devinfo, devinfo->attr.ipv4_addr,
                                       DOCA_DEVINFO_IPV4_ADDR_SIZE, ipv4_addr, size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_ipv6_addr(const struct doca_devinfo *devinfo,
                                                       uint8_t *ipv6_addr, uint32_t size)
{
    if (!doca_priv_is(devinfo, DOCA_PRIV_KIND_DEVINFO))
        return DOCA_PRIV_FAIL_HANDLE(devinfo);
    return doca_priv_devinfo_give_addr(devinfo, devinfo->attr.ipv6_addr,
                                       DOCA_DEVINFO_IPV6_ADDR_SIZE, ipv6_addr, size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_mac_addr(const struct doca_devinfo *devinfo,
                                                      uint8_t *mac_addr, uint32_t size)
{
    if (!doca_priv_is(devinfo, DOCA_PRIV_KIND_DEVINFO))
        return DOCA_PRIV_FAIL_HANDLE(devinfo);
    if (mac_addr != NULL && devinfo->attr.port != DOCA_CORE_PORT_ETHERNET)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, DEV_NO_MAC, devinfo);
    return doca_priv_devinfo_give_addr(devinfo, devinfo->attr.mac_addr, DOCA_DEVINFO_MAC_ADDR_SIZE,
                                       mac_addr, size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_lid(const struct doca_devinfo *devinfo, uint16_t *lid)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, lid, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (devinfo->attr.port != DOCA_CORE_PORT_INFINIBAND)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, DEV_NO_LID, devinfo);
    *lid = devinfo->attr.lid;
    return DOCA_SUCCESS;
}

/* A capability that is a byte. */
static doca_error_t doca_priv_devinfo_cap(const struct doca_devinfo *devinfo, uint8_t value,
                                          uint8_t *to, const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, to, function);

    if (rc == DOCA_SUCCESS)
        *to = value;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_cap_is_hotplug_manager_supported(
    const struct doca_devinfo *devinfo, uint8_t *is_hotplug_manager)
{
    uint8_t value = doca_priv_is(devinfo, DOCA_PRIV_KIND_DEVINFO) ? devinfo->attr.is_hotplug_manager
                                                                  : 0;

    return doca_priv_devinfo_cap(devinfo, value, is_hotplug_manager, __func__);
}

/* The rate of the port in Gbit/s; 0: not known, or nowhere to write it, in *rc. */
static uint32_t doca_priv_devinfo_rate(const struct doca_devinfo *devinfo, const void *out,
                                       doca_error_t *rc, const char *function)
{
    *rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, out, function);
    if (*rc != DOCA_SUCCESS)
        return 0;
    if (devinfo->attr.rate_gbps == 0)
        *rc = doca_priv_fail(DOCA_ERROR_DRIVER, DOCA_CORE_ITEM_DEV_NO_RATE, function, devinfo);
    return devinfo->attr.rate_gbps;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_active_rate(const struct doca_devinfo *devinfo,
                                                         double *active_rate)
{
    doca_error_t rc;
    uint32_t rate = doca_priv_devinfo_rate(devinfo, active_rate, &rc, __func__);

    if (rc == DOCA_SUCCESS)
        *active_rate = rate;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_v3_devinfo_get_active_rate(
    const struct doca_devinfo *devinfo, uint64_t *active_rate)
{
    doca_error_t rc;
    uint32_t rate = doca_priv_devinfo_rate(devinfo, active_rate, &rc, __func__);

    if (rc == DOCA_SUCCESS)
        *active_rate = rate * UINT64_C(1000000000);
    return rc;
}

/* Of a device, or of the function behind a representor. */
static doca_error_t doca_priv_devinfo_vhca_id(const struct doca_devinfo *devinfo, uint8_t kind,
                                              uint16_t *vhca_id, const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, kind, vhca_id, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (devinfo->attr.has_no_vhca_id != 0)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DEV_NO_VHCA_ID, function,
                              devinfo);
    *vhca_id = devinfo->attr.vhca_id;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_vhca_id(const struct doca_devinfo *devinfo,
                                                     uint16_t *vhca_id)
{
    return doca_priv_devinfo_vhca_id(devinfo, DOCA_PRIV_KIND_DEVINFO, vhca_id, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_devinfo_get_side(const struct doca_devinfo *devinfo,
                                                       enum doca_core_side *side)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, side, __func__);

    if (rc == DOCA_SUCCESS)
        *side = devinfo->attr.side;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_pci_func_type(const struct doca_devinfo *devinfo,
                                                           enum doca_pci_func_type *pci_func_type)
{
    doca_error_t rc =
        doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, pci_func_type, __func__);

    if (rc == DOCA_SUCCESS)
        *pci_func_type = devinfo->attr.func_type;
    return rc;
}

/* Of a device, or of the function behind a representor. */
static doca_error_t doca_priv_devinfo_sf_index(const struct doca_devinfo *devinfo, uint8_t kind,
                                               uint32_t *sf_index, const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, kind, sf_index, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (devinfo->attr.func_type != DOCA_PCI_FUNC_TYPE_SF)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DEV_NO_SF, function,
                              devinfo);
    *sf_index = devinfo->attr.sf_index;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_sf_index(const struct doca_devinfo *devinfo,
                                                      uint32_t *sf_index)
{
    return doca_priv_devinfo_sf_index(devinfo, DOCA_PRIV_KIND_DEVINFO, sf_index, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_cap_is_accelerate_resource_reclaim_supported(
    const struct doca_devinfo *devinfo, uint8_t *is_accelerate_resource_reclaim)
{
    return doca_priv_devinfo_cap(devinfo, 0, is_accelerate_resource_reclaim, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_cap_is_notification_moderation_supported(
    const struct doca_devinfo *devinfo, uint8_t *is_notification_moderation_supported)
{
    return doca_priv_devinfo_cap(devinfo, 0, is_notification_moderation_supported, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dev_accelerate_resource_reclaim(struct doca_dev *dev)
{
    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    return DOCA_PRIV_FAIL(NOT_SUPPORTED, DEV_NO_RECLAIM, dev);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_dev(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_dev), bytes, __func__);
}

/* Do both tell of one function? The two sides are two machines, with addresses of their own. */
static bool doca_priv_attr_is_same(const struct doca_core_dev_attr *a,
                                   const struct doca_core_dev_attr *b)
{
    return a->side == b->side && doca_priv_str_equal(a->pci_addr, b->pci_addr) &&
           doca_priv_str_equal(a->ibdev_name, b->ibdev_name);
}

/* The open device that `info` describes, or, for a representor's, the one that has it; or NULL.
 * Under the lock. */
static struct doca_dev *doca_priv_dev_find(const struct doca_devinfo *info, bool is_rep)
{
    const struct doca_core_dev_attr *attr;
    struct doca_dev *dev;

    for (dev = doca_priv_world.devs; dev != NULL; dev = dev->next) {
        attr = &dev->info.attr;
        if (dev->from_pd == NULL && dev->backend == info->backend &&
            dev->info.serial == info->serial &&
            (is_rep ? attr->rep_filters != 0 &&
                          doca_priv_str_equal(attr->pci_addr, info->attr.rep_dev)
                    : doca_priv_attr_is_same(attr, &info->attr)))
            return dev;
    }
    return NULL;
}

/* The device that was opened from `pd`, or NULL. Under the lock. */
static struct doca_dev *doca_priv_dev_find_pd(const struct ibv_pd *pd)
{
    struct doca_dev *dev = doca_priv_world.devs;

    while (dev != NULL && dev->from_pd != pd)
        dev = dev->next;
    return dev;
}

/* Open a device that is not open, in the block `d`. Under the lock, where nothing may be logged:
 * the reason of a failure goes to *item. */
static doca_error_t doca_priv_dev_make(const struct doca_devinfo *devinfo, struct ibv_pd *pd,
                                       struct doca_dev *d, enum doca_core_item *item)
{
    uint64_t free_bits =
        ~doca_priv_world.dev_bits & (~(uint64_t)0 >> (64 - (DOCA_CORE_MAX_DEVS)));
    doca_error_t rc;

    *item = DOCA_CORE_ITEM_BACKEND_UNKNOWN;
    if (devinfo->backend->serial != devinfo->serial) /* unregistered since the list was made */
        return DOCA_ERROR_NOT_CONNECTED;
    *item = DOCA_CORE_ITEM_DEV_TOO_MANY;
    if (free_bits == 0)
        return DOCA_ERROR_INITIALIZATION;
    doca_priv_object_init(&d->obj, DOCA_PRIV_KIND_DEV);
    d->backend = devinfo->backend;
    d->info = *devinfo;
    *item = DOCA_CORE_ITEM_BACKEND_REFUSED;
    d->from_pd = pd;
    rc = pd == NULL ? d->backend->dev_open(d) : d->backend->open_from_pd(d, pd);
    if (rc != DOCA_SUCCESS)
        return pd != NULL || rc == DOCA_ERROR_NO_MEMORY ? rc : DOCA_ERROR_NOT_CONNECTED;
    if (pd != NULL) { /* others could not name it */
        d->info.attr.limits.has_export_pci = 0;
        d->info.attr.limits.has_import_pci = 0;
        d->info.attr.limits.has_rdma = 0;
        d->info.attr.rep_filters = 0;
    }
    d->bit = free_bits & (~free_bits + 1);
    doca_priv_world.dev_bits |= d->bit;
    d->next = doca_priv_world.devs;
    doca_priv_world.devs = d;
    return DOCA_SUCCESS;
}

/* Open what `devinfo` describes; or, from `pd` unless that is NULL, a device about which `devinfo`
 * knows but backend and arena. */
static doca_error_t doca_priv_dev_open(const struct doca_devinfo *devinfo, struct ibv_pd *pd,
                                       struct doca_dev **dev, const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, dev, function);
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_dev *d;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    /* the block first: there is no waiting for an arena under the lock */
    rc = doca_priv_object_take(devinfo->arena, sizeof(*d), &block, function);
    doca_priv_lock(&doca_priv_world.lock);
    d = pd == NULL ? doca_priv_dev_find(devinfo, false) : doca_priv_dev_find_pd(pd);
    if (d == NULL && rc == DOCA_SUCCESS) {
        rc = doca_priv_dev_make(devinfo, pd, (struct doca_dev *)block, &item);
        if (rc == DOCA_SUCCESS) {
            d = (struct doca_dev *)block;
            block = NULL;
        }
    }
    if (d != NULL)
        d->num_opens++;
    doca_priv_unlock(&doca_priv_world.lock);
    (void)doca_core_arena_give(devinfo->arena, block);
    if (d == NULL)
        return item == DOCA_CORE_ITEM_NONE
                   ? rc
                   : doca_priv_fail(rc, item, function, pd == NULL ? devinfo : NULL);
    *dev = d;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_dev_open(struct doca_devinfo *devinfo, struct doca_dev **dev)
{
    return doca_priv_dev_open(devinfo, NULL, dev, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dev_close(struct doca_dev *dev)
{
    struct doca_dev **link;
    bool busy, last;

    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    doca_priv_lock(&doca_priv_world.lock);
    last = dev->num_opens == 1;
    busy = last && dev->num_users > 0;
    if (last && !busy) {
        for (link = &doca_priv_world.devs; *link != dev; link = &(*link)->next) {
        }
        *link = dev->next;
        doca_priv_world.dev_bits &= ~dev->bit;
        dev->backend->dev_close(dev);
    } else if (!last) {
        dev->num_opens--;
    }
    doca_priv_unlock(&doca_priv_world.lock);
    if (busy)
        return DOCA_PRIV_FAIL(IN_USE, DEV_BUSY, dev);
    if (!last)
        return DOCA_SUCCESS;
    dev->info.obj.guard = 0;
    return doca_priv_object_give(dev->info.arena, &dev->obj);
}

/* Count one more, or one less, that needs the device open. */
static void doca_priv_dev_hold(struct doca_dev *dev)
{
    doca_priv_lock(&doca_priv_world.lock);
    dev->num_users++;
    doca_priv_unlock(&doca_priv_world.lock);
}

static void doca_priv_dev_drop(struct doca_dev *dev)
{
    doca_priv_lock(&doca_priv_world.lock);
    dev->num_users--;
    doca_priv_unlock(&doca_priv_world.lock);
}

DOCA_CORE_DECL struct doca_devinfo *doca_dev_as_devinfo(const struct doca_dev *dev)
{
    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV)) {
        (void)DOCA_PRIV_FAIL_HANDLE(dev);
        return NULL;
    }
    if (dev->from_pd != NULL) {
        (void)DOCA_PRIV_FAIL(NOT_SUPPORTED, DEV_FROM_PD, dev);
        return NULL;
    }
    return &((struct doca_dev *)(uintptr_t)dev)->info;
}

/* ---- >>impl.rep -----------------------------------------------------------------------------
 * A representor list is a device list of another kind: a devinfo_rep is a devinfo of the function
 * that is represented. The lock of >>impl.device guards the open representors as well.          */

DOCA_CORE_DECL doca_error_t doca_core_bytes_devinfo_rep_list(uint32_t num_reps, size_t *bytes)
{
    return doca_core_bytes_devinfo_list(num_reps, bytes);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_dev_rep(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_dev_rep), bytes, __func__);
}

static doca_error_t doca_priv_rep_cap(const struct doca_devinfo *devinfo, uint8_t filter_bit,
                                      uint8_t *is_supported, const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, is_supported, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (devinfo->attr.rep_filters == 0)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DEV_NO_REPRESENTORS,
                              function, devinfo);
    *is_supported = (devinfo->attr.rep_filters & filter_bit) != 0 ? 1 : 0;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_cap_is_filter_all_supported(
    const struct doca_devinfo *devinfo, uint8_t *filter_all_supported)
{
    return doca_priv_rep_cap(devinfo, DOCA_CORE_REP_ALL, filter_all_supported, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_cap_is_filter_net_supported(
    const struct doca_devinfo *devinfo, uint8_t *filter_net_supported)
{
    return doca_priv_rep_cap(devinfo, DOCA_CORE_REP_NET, filter_net_supported, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_cap_is_filter_emulated_supported(
    const struct doca_devinfo *devinfo, uint8_t *filter_emulated_supported)
{
    return doca_priv_rep_cap(devinfo, DOCA_CORE_REP_EMULATED, filter_emulated_supported, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_create_list(struct doca_dev *dev, int filter,
                                                         struct doca_devinfo_rep ***dev_list_rep,
                                                         uint32_t *nb_devs_rep)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV,
                                           dev_list_rep != NULL ? nb_devs_rep : NULL, __func__);
    unsigned needed = filter == DOCA_DEVINFO_REP_FILTER_ALL ? DOCA_CORE_REP_ALL : (unsigned)filter;
    struct doca_priv_devinfo_list *list = NULL;
    struct doca_devinfo_rep **pointers;
    struct doca_core_dev_attr *attrs;
    uint32_t i, num, max;

    if (rc != DOCA_SUCCESS)
        return rc;
    if ((filter & ~(DOCA_DEVINFO_REP_FILTER_NET | DOCA_DEVINFO_REP_FILTER_EMULATED)) != 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, REP_FILTER_UNKNOWN, dev);
    if (dev->info.attr.rep_filters == 0)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, DEV_NO_REPRESENTORS, dev);
    if ((dev->info.attr.rep_filters & needed) != needed)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, REP_FILTER_OFF, dev);
    max = dev->backend->enumerate_reps(dev, filter, NULL, 0);
    rc = doca_priv_devinfo_list_make(dev->info.arena, DOCA_PRIV_KIND_REP_LIST, max, &list,
                                     __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    attrs = doca_priv_devinfo_attrs(list->infos, max);
    num = dev->backend->enumerate_reps(dev, filter, attrs, max);
    list->num = num < max ? num : max;
    doca_priv_devinfo_unpack(attrs, list->num, DOCA_PRIV_KIND_DEVINFO_REP, dev->backend,
                             dev->info.arena, list->infos);
    pointers = (struct doca_devinfo_rep **)(void *)(list + 1);
    for (i = 0; i < list->num; i++) {
        DOCA_CORE_MEMCPY(list->infos[i].attr.rep_dev, dev->info.attr.pci_addr,
                         DOCA_DEVINFO_PCI_ADDR_SIZE);
        pointers[i] = (struct doca_devinfo_rep *)(void *)&list->infos[i];
    }
    *dev_list_rep = pointers;
    *nb_devs_rep = list->num;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_destroy_list(struct doca_devinfo_rep **dev_list_rep)
{
    return doca_priv_devinfo_list_end(dev_list_rep, DOCA_PRIV_KIND_REP_LIST, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_is_hotplug(
    const struct doca_devinfo_rep *devinfo_rep, uint8_t *is_hotplug)
{
    doca_error_t rc =
        doca_priv_check_args(devinfo_rep, DOCA_PRIV_KIND_DEVINFO_REP, is_hotplug, __func__);

    if (rc == DOCA_SUCCESS)
        *is_hotplug = devinfo_rep->info.attr.is_hotplug;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_pci_addr_str(
    const struct doca_devinfo_rep *devinfo_rep, char *pci_addr_str)
{
    return doca_priv_devinfo_get_pci_addr(devinfo_rep, DOCA_PRIV_KIND_DEVINFO_REP, pci_addr_str,
                                          __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_is_equal_pci_addr(
    const struct doca_devinfo_rep *devinfo_rep, const char *pci_addr_str, uint8_t *is_equal)
{
    return doca_priv_devinfo_is_equal(devinfo_rep, DOCA_PRIV_KIND_DEVINFO_REP, pci_addr_str,
                                      is_equal, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_pci_func_type(
    const struct doca_devinfo_rep *devinfo_rep, enum doca_pci_func_type *pci_func_type)
{
    doca_error_t rc =
        doca_priv_check_args(devinfo_rep, DOCA_PRIV_KIND_DEVINFO_REP, pci_func_type, __func__);

    if (rc == DOCA_SUCCESS)
        *pci_func_type = devinfo_rep->info.attr.func_type;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_vuid(const struct doca_devinfo_rep *devinfo_rep,
                                                      char *rep_vuid, uint32_t size)
{
    if (!doca_priv_is(devinfo_rep, DOCA_PRIV_KIND_DEVINFO_REP))
        return DOCA_PRIV_FAIL_HANDLE(devinfo_rep);
    return doca_priv_devinfo_give(&devinfo_rep->info, devinfo_rep->info.attr.vuid,
                                  sizeof(devinfo_rep->info.attr.vuid), rep_vuid, size,
                                  DOCA_DEVINFO_REP_VUID_SIZE, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_iface_name(
    const struct doca_devinfo_rep *devinfo_rep, char *iface_name, uint32_t size)
{
    if (!doca_priv_is(devinfo_rep, DOCA_PRIV_KIND_DEVINFO_REP))
        return DOCA_PRIV_FAIL_HANDLE(devinfo_rep);
    return doca_priv_devinfo_give(&devinfo_rep->info, devinfo_rep->info.attr.iface_name,
                                  sizeof(devinfo_rep->info.attr.iface_name), iface_name, size,
                                  DOCA_DEVINFO_IFACE_NAME_SIZE, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_vhca_id(
    const struct doca_devinfo_rep *devinfo_rep, uint16_t *vhca_id)
{
    return doca_priv_devinfo_vhca_id((const struct doca_devinfo *)(const void *)devinfo_rep,
                                     DOCA_PRIV_KIND_DEVINFO_REP, vhca_id, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_sf_index(
    const struct doca_devinfo_rep *devinfo_rep, uint32_t *sf_index)
{
    return doca_priv_devinfo_sf_index((const struct doca_devinfo *)(const void *)devinfo_rep,
                                      DOCA_PRIV_KIND_DEVINFO_REP, sf_index, __func__);
}

/* The open representor of the function that `devinfo` describes, or NULL. Functions whose address
 * is not known are told apart by their vuid. Under the lock. */
static struct doca_dev_rep *doca_priv_rep_find(const struct doca_dev *dev,
                                               const struct doca_devinfo_rep *devinfo)
{
    struct doca_dev_rep *rep = dev->reps;

    while (rep != NULL && !(doca_priv_attr_is_same(&rep->info.info.attr, &devinfo->info.attr) &&
                            doca_priv_str_equal(rep->info.info.attr.vuid, devinfo->info.attr.vuid)))
        rep = rep->next;
    return rep;
}

DOCA_CORE_DECL doca_error_t doca_dev_rep_open(struct doca_devinfo_rep *devinfo,
                                              struct doca_dev_rep **dev_rep)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO_REP, dev_rep, __func__);
    struct doca_dev_rep *rep = NULL;
    struct doca_dev *dev;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    /* the block first, as in doca_dev_open() */
    rc = doca_priv_object_take(devinfo->info.arena, sizeof(*rep), &block, __func__);
    doca_priv_lock(&doca_priv_world.lock);
    dev = doca_priv_dev_find(&devinfo->info, true);
    if (dev != NULL)
        rep = doca_priv_rep_find(dev, devinfo);
    if (dev != NULL && rep == NULL && rc == DOCA_SUCCESS) {
        rep = (struct doca_dev_rep *)block;
        block = NULL;
        doca_priv_object_init(&rep->obj, DOCA_PRIV_KIND_DEV_REP);
        rep->info = *devinfo;
        rep->dev = dev;
        rep->next = dev->reps;
        dev->reps = rep;
        dev->num_users++;
    }
    if (rep != NULL)
        rep->num_opens++;
    doca_priv_unlock(&doca_priv_world.lock);
    (void)doca_core_arena_give(devinfo->info.arena, block);
    if (dev == NULL)
        return DOCA_PRIV_FAIL(BAD_STATE, REP_DEV_CLOSED, devinfo);
    if (rep == NULL)
        return rc;
    *dev_rep = rep;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_dev_rep_close(struct doca_dev_rep *dev)
{
    struct doca_dev_rep **link;
    bool last;

    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV_REP))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    doca_priv_lock(&doca_priv_world.lock);
    last = --dev->num_opens == 0;
    if (last) {
        for (link = &dev->dev->reps; *link != dev; link = &(*link)->next) {
        }
        *link = dev->next;
        dev->dev->num_users--;
    }
    doca_priv_unlock(&doca_priv_world.lock);
    if (!last)
        return DOCA_SUCCESS;
    dev->info.info.obj.guard = 0;
    return doca_priv_object_give(dev->info.info.arena, &dev->obj);
}

DOCA_CORE_DECL struct doca_devinfo_rep *doca_dev_rep_as_devinfo(struct doca_dev_rep *dev_rep)
{
    if (!doca_priv_is(dev_rep, DOCA_PRIV_KIND_DEV_REP)) {
        (void)DOCA_PRIV_FAIL_HANDLE(dev_rep);
        return NULL;
    }
    return &dev_rep->info;
}

/* ---- >>impl.export --------------------------------------------------------------------------
 * What leaves this process as bytes, and how another process reaches the memory behind it. The
 * exporter may be asleep, stopped or dead: all that is asked of it is that one 64-bit word, the
 * token, stands in its memory exactly as long as the export holds. Each copy reads the token in
 * the same system call, behind the data; before it writes, in one more.                         */

enum doca_priv_export_kind {
    DOCA_PRIV_EXPORT_MMAP_PCI = 1,
    DOCA_PRIV_EXPORT_MMAP_RDMA = 2,
    DOCA_PRIV_EXPORT_EVENT_PCI = 3,
    DOCA_PRIV_EXPORT_EVENT_NET = 4,
    DOCA_PRIV_EXPORT_EVENT_DEV = 5 /* PCI, by devices */
};

#define DOCA_PRIV_EXPORT_VERSION 1

static const char doca_priv_export_magic[8] = { 'd', 'o', 'c', 'a', 'c', 'o', 'r', 'e' };

/* The CRC-32 of Ethernet; bit by bit, for descriptors are short and rare. */
static uint32_t doca_priv_crc32(const void *data, size_t bytes)
{
    const unsigned char *at = (const unsigned char *)data;
    uint32_t crc = UINT32_MAX;
    unsigned bit;

    while (bytes-- > 0) {
        crc ^= *at++;
        for (bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1u)));
    }
    return ~crc;
}

/* Complete the head of a descriptor of `bytes` whose other members stand already. `token` is the
 * word in this process that vouches for it; NULL: a device does, and it may leave the machine.
 * OPERATING_SYSTEM: not now; nothing was completed. */
static doca_error_t doca_priv_export_seal(struct doca_priv_export *head,
                                          enum doca_priv_export_kind kind, size_t bytes,
                                          const uint64_t *token)
{
    if (token != NULL && !doca_priv_sys_machine(&head->machine))
        return DOCA_ERROR_OPERATING_SYSTEM;
    DOCA_CORE_MEMCPY(head->magic, doca_priv_export_magic, sizeof(head->magic));
    head->version = DOCA_PRIV_EXPORT_VERSION;
    head->kind = (uint8_t)kind;
    head->pointer_bytes = (uint8_t)sizeof(void *);
    head->bytes = (uint32_t)bytes;
    head->crc = 0;
    head->pid = doca_priv_sys_pid();
    if (token != NULL) {
        head->token = *token;
        head->token_at = (uintptr_t)token;
    } else {
        head->machine = 0;
    }
    head->crc = doca_priv_crc32(head, bytes);
    return DOCA_SUCCESS;
}

/* Copy a descriptor of one of two kinds into `head`, which has `bytes`, and judge it: SUCCESS, or
 * the code and in *item the reason. Reads no byte beyond desc[len]. */
static doca_error_t doca_priv_export_open(const void *desc, size_t len,
                                          enum doca_priv_export_kind kind,
                                          enum doca_priv_export_kind or_kind,
                                          struct doca_priv_export *head, size_t bytes,
                                          enum doca_core_item *item)
{
    uint64_t machine;
    uint32_t crc;

    *item = DOCA_CORE_ITEM_EXPORT_LENGTH;
    if (len < sizeof(*head))
        return DOCA_ERROR_INVALID_VALUE;
    DOCA_CORE_MEMCPY(head, desc, sizeof(*head));
    *item = DOCA_CORE_ITEM_EXPORT_FOREIGN;
    if (DOCA_CORE_MEMCMP(head->magic, doca_priv_export_magic, sizeof(head->magic)) != 0)
        return DOCA_ERROR_INVALID_VALUE;
    *item = DOCA_CORE_ITEM_EXPORT_VERSION;
    if (head->version != DOCA_PRIV_EXPORT_VERSION || head->pointer_bytes != sizeof(void *))
        return DOCA_ERROR_INVALID_VALUE;
    *item = DOCA_CORE_ITEM_EXPORT_KIND;
    if (head->kind != kind && head->kind != or_kind)
        return DOCA_ERROR_INVALID_VALUE;
    *item = DOCA_CORE_ITEM_EXPORT_LENGTH;
    if (len != bytes || head->bytes != bytes)
        return DOCA_ERROR_INVALID_VALUE;
    DOCA_CORE_MEMCPY(head, desc, bytes);
    crc = head->crc;
    head->crc = 0;
    *item = DOCA_CORE_ITEM_EXPORT_DAMAGED;
    if (crc != doca_priv_crc32(head, bytes))
        return DOCA_ERROR_INVALID_VALUE;
    *item = DOCA_CORE_ITEM_EXPORT_SYSTEM;
    if (head->machine == 0) /* a device vouches for it */
        return DOCA_SUCCESS;
    if (!doca_priv_sys_machine(&machine))
        return DOCA_ERROR_OPERATING_SYSTEM;
    *item = DOCA_CORE_ITEM_EXPORT_MACHINE;
    return head->machine == machine ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
}

/* Why a copy to or from another process did not happen. */
static enum doca_core_item doca_priv_far_item(enum doca_priv_sys_far outcome)
{
    switch (outcome) {
    case DOCA_PRIV_FAR_GONE:
        return DOCA_CORE_ITEM_EXPORTER_GONE;
    case DOCA_PRIV_FAR_GUARDED:
        return DOCA_CORE_ITEM_EXPORTER_GUARDED;
    case DOCA_PRIV_FAR_MEMORY:
        return DOCA_CORE_ITEM_EXPORTER_MEMORY;
    case DOCA_PRIV_FAR_KERNEL:
        return DOCA_CORE_ITEM_EXPORTER_KERNEL;
    default:
        return DOCA_CORE_ITEM_NONE;
    }
}

/* Where the byte at `at` of an mmap is: its address, in the process *pid, 0 for this one. Where the
 * range of a backend's is nobody knows here: it stands for a process of its own. */
static uintptr_t doca_priv_far_place(const struct doca_mmap *mmap, const unsigned char *at,
                                     uint32_t *pid)
{
    const struct doca_priv_far *far = mmap->far;

    *pid = mmap->is_elsewhere ? 1u << 31 | (uint32_t)((uintptr_t)mmap / DOCA_CORE_LINE) : 0;
    if (far != NULL && far->view != NULL)
        return (uintptr_t)(far->view + (at - mmap->addr));
    if (far != NULL && far->pid != doca_priv_sys_pid()) /* one can import one's own exports */
        *pid = far->pid;
    return (uintptr_t)at;
}

#define DOCA_PRIV_FAR_PIECES 16
#define DOCA_PRIV_FAR_BYTES ((size_t)1 << 30) /* per system call; the kernel's limit is 2 GiB */

/* Pieces on their way to or from one exporter, for one system call. */
struct doca_priv_far_trip {
    const struct doca_priv_far *far;
    bool is_write;
    unsigned num;
    size_t bytes;
    struct doca_priv_iovec local[DOCA_PRIV_FAR_PIECES + 1]; /* one more for the token */
    struct doca_priv_iovec remote[DOCA_PRIV_FAR_PIECES + 1];
};

static void doca_priv_far_add(struct doca_priv_far_trip *trip, void *local, uint64_t remote,
                              size_t bytes)
{
    trip->local[trip->num].base = local;
    trip->local[trip->num].bytes = bytes;
    trip->remote[trip->num].base = (void *)(uintptr_t)remote;
    trip->remote[trip->num].bytes = bytes;
    trip->num++;
    trip->bytes += bytes;
}

/* Read the pieces, or none, and the token: does the export still hold? */
static enum doca_core_item doca_priv_far_read(struct doca_priv_far_trip *trip)
{
    enum doca_priv_sys_far outcome;
    uint64_t token = 0;

    doca_priv_far_add(trip, &token, trip->far->token_at, sizeof(token));
    outcome = doca_priv_sys_far_copy(trip->far->pid, trip->local, trip->remote, trip->num,
                                     trip->bytes, false);
    if (outcome == DOCA_PRIV_FAR_OK && token != trip->far->token)
        return DOCA_CORE_ITEM_EXPORTER_STOPPED;
    return doca_priv_far_item(outcome);
}

/* Does the export still hold? */
static enum doca_core_item doca_priv_far_ask(const struct doca_priv_far *far)
{
    struct doca_priv_far_trip trip;
    enum doca_core_item item;

    trip.far = far;
    trip.num = 0;
    trip.bytes = 0;
    item = doca_priv_far_read(&trip);
    return item == DOCA_CORE_ITEM_EXPORTER_MEMORY ? DOCA_CORE_ITEM_EXPORTER_STOPPED : item;
}

/* Let the pieces go, if there are any. */
static enum doca_core_item doca_priv_far_go(struct doca_priv_far_trip *trip)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;

    if (trip->num > 0 && trip->is_write) {
        item = doca_priv_far_ask(trip->far);
        if (item == DOCA_CORE_ITEM_NONE)
            item = doca_priv_far_item(doca_priv_sys_far_copy(trip->far->pid, trip->local,
                                                             trip->remote, trip->num, trip->bytes,
                                                             true));
    } else if (trip->num > 0) {
        item = doca_priv_far_read(trip);
    }
    if (item == DOCA_CORE_ITEM_EXPORTER_MEMORY && !trip->is_write)
        item = doca_priv_far_ask(trip->far) != DOCA_CORE_ITEM_NONE ? DOCA_CORE_ITEM_EXPORTER_STOPPED
                                                                   : item;
    trip->num = 0;
    trip->bytes = 0;
    return item;
}

/* ---- >>impl.mmap ---------------------------------------------------------------------------- */

DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_mmap), bytes, __func__);
}

static doca_error_t doca_priv_mmap_devs_carve(struct doca_core_arena *arena, uint32_t num,
                                              void **block, const char *function)
{
    return doca_priv_object_take(arena, doca_priv_size(num, sizeof(struct doca_priv_mmap_dev), 0),
                                 block, function);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_devs(uint32_t num_devs, size_t *bytes)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, __func__);
    void *block;

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_mmap_devs_carve(&count, num_devs, &block, __func__);
    return doca_priv_counted(&count, rc, bytes);
}

/* Make a stopped mmap of zeroed memory. */
static void doca_priv_mmap_init(struct doca_mmap *m, struct doca_core_arena *arena)
{
    doca_priv_object_init(&m->obj, DOCA_PRIV_KIND_MMAP);
    m->access = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
    m->serial = doca_priv_serial();
    m->arena = arena;
    m->devs = m->own_devs;
    m->max_devs = DOCA_CORE_MMAP_DEVS;
}

static doca_error_t doca_priv_mmap_create(struct doca_core_arena *arena, struct doca_mmap **mmap,
                                          const char *function)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, mmap, function);
    void *block = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_object_take(arena, sizeof(**mmap), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    *mmap = (struct doca_mmap *)block;
    doca_priv_mmap_init(*mmap, arena);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_mmap_create_in(struct doca_core_arena *arena,
                                                     struct doca_mmap **mmap)
{
    return doca_priv_mmap_create(arena, mmap, __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_create(struct doca_mmap **mmap)
{
    return doca_priv_mmap_create(doca_core_arena_bound(), mmap, __func__);
}

/* Take back the registrations on devs[0] to devs[num - 1], and the mapping of a dmabuf. */
static void doca_priv_mmap_dereg(struct doca_mmap *mmap, uint32_t num)
{
    while (num-- > 0)
        mmap->devs[num].dev->backend->dereg(mmap->devs[num].dev, mmap->devs[num].mkey);
    mmap->dev_mask = 0;
    if (mmap->far != NULL && mmap->far->view != NULL) {
        doca_priv_sys_dmabuf_unmap(mmap->far->view, mmap->len);
        mmap->far->view = NULL;
    }
}

/* Map the dmabuf, for devices that all take one. */
static doca_error_t doca_priv_mmap_view(struct doca_mmap *mmap, const char *function)
{
    uint32_t i;

    for (i = 0; i < mmap->num_devs; i++)
        if (mmap->devs[i].dev->info.attr.limits.has_dmabuf == 0)
            return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DEV_NO_DMABUF, function,
                                  mmap->devs[i].dev);
    mmap->far->view = doca_priv_sys_dmabuf_map(mmap->far->dmabuf_fd, mmap->far->dmabuf_offset,
                                               mmap->len);
    return mmap->far->view != NULL
               ? DOCA_SUCCESS
               : doca_priv_fail(DOCA_ERROR_OPERATING_SYSTEM, DOCA_CORE_ITEM_MMAP_DMABUF_MAP,
                                function, mmap);
}

/* End all exports: the tokens go first, then the blocks. */
static void doca_priv_mmap_revoke(struct doca_mmap *mmap)
{
    struct doca_priv_mmap_export *e;

    while ((e = mmap->exports) != NULL) {
        mmap->exports = e->next;
        *(volatile uint64_t *)&e->token = 0; /* somebody else reads it */
        if (e->reg.dev->backend->mem_unexport != NULL)
            e->reg.dev->backend->mem_unexport(e->reg.dev, e->reg.mkey, e->reg.own,
                                              e->desc.head.kind == DOCA_PRIV_EXPORT_MMAP_RDMA);
        (void)doca_core_arena_give(mmap->arena, e);
    }
}

/* May the mmap be changed? `code` when it may not for being started. */
static doca_error_t doca_priv_mmap_change(const struct doca_mmap *mmap, doca_error_t code,
                                          const char *function)
{
    if (mmap->is_imported)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_MMAP_IMPORTED, function,
                              mmap);
    if (mmap->obj.state != DOCA_PRIV_STOPPED)
        return doca_priv_fail(code, DOCA_CORE_ITEM_MMAP_STARTED, function, mmap);
    return DOCA_SUCCESS;
}

/* The range is as it stays: let there be buffers on it. The last page of all memory is no usual
 * one: where a copy ends is counted beyond it. */
static void doca_priv_mmap_enter_started(struct doca_mmap *mmap)
{
    const uintptr_t end = (uintptr_t)mmap->addr + mmap->len;
    uint8_t flags = DOCA_PRIV_BUF_OUT;

    if ((mmap->access & DOCA_ACCESS_FLAG_LOCAL_READ_WRITE) != 0)
        flags |= DOCA_PRIV_BUF_WRITE;
    if (mmap->is_shared || mmap->obj.owner == DOCA_PRIV_OF_DPDK)
        flags |= DOCA_PRIV_BUF_OTHER;
    if (mmap->num_devs == 1 && mmap->obj.owner == 0 && end - 1 < UINTPTR_MAX - 4096)
        flags |= doca_priv_buf_dev(mmap->dev_mask);
    mmap->end = (unsigned char *)end;
    mmap->buf_word = doca_priv_buf_word_of(DOCA_PRIV_KIND_BUF, flags, 1);
    mmap->obj.state = mmap->is_shared ? DOCA_PRIV_STARTED_SHARED : DOCA_PRIV_STARTED;
}

/* What a device is to register. */
static void doca_priv_mmap_range(const struct doca_mmap *mmap, struct doca_core_range *range)
{
    range->addr = mmap->addr;
    range->len = mmap->len;
    range->access = mmap->access;
    range->dmabuf_fd = mmap->far != NULL ? mmap->far->dmabuf_fd : -1;
    range->dmabuf_offset = mmap->far != NULL ? mmap->far->dmabuf_offset : 0;
}

DOCA_CORE_DECL doca_error_t doca_mmap_start(struct doca_mmap *mmap)
{
    struct doca_core_range range;
    struct doca_priv_mmap_dev *d;
    doca_error_t rc;
    uint32_t i;

    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    if (mmap->exports != NULL)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, MMAP_EXPORTED, mmap);
    rc = doca_priv_mmap_change(mmap, DOCA_ERROR_BAD_STATE, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (!mmap->has_range)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_NO_RANGE, mmap);
    rc = mmap->far != NULL ? doca_priv_mmap_view(mmap, __func__) : DOCA_SUCCESS;
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_mmap_range(mmap, &range);
    doca_priv_listen();
    for (i = 0; i < mmap->num_devs; i++) {
        d = &mmap->devs[i];
        rc = d->dev->backend->reg_range(d->dev, &range, &d->mkey, &d->own);
        if (rc != DOCA_SUCCESS) {
            doca_priv_mmap_dereg(mmap, i);
            return doca_priv_refused(rc, __func__, mmap);
        }
        if (mmap->far == NULL)
            mmap->dev_mask |= d->dev->bit;
    }
    doca_priv_mmap_enter_started(mmap);
    mmap->was_started = true;
    mmap->free_cb_armed = mmap->free_cb != NULL;
    return DOCA_SUCCESS;
}

/* One buffer more holds the mmap. */
DOCA_PRIV_HOT void doca_priv_mmap_hold(struct doca_mmap *mmap)
{
    if (doca_unlikely(mmap->is_shared))
        (void)DOCA_PRIV_FETCH_ADD(&mmap->num_bufs, 1u);
    else
        mmap->num_bufs++;
}

/* Are there buffers that hold the mmap? */
static bool doca_priv_mmap_has_bufs(const struct doca_mmap *mmap)
{
    return !mmap->is_shared && mmap->num_bufs > 0; /* in this order: threads count the others */
}

DOCA_CORE_DECL doca_error_t doca_mmap_stop(struct doca_mmap *mmap)
{
    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    if (mmap->is_imported)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, MMAP_IMPORTED, mmap);
    if (mmap->is_on_dev)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, MMAP_ON_DEV, mmap);
    if (mmap->obj.state == DOCA_PRIV_STOPPED)
        return DOCA_PRIV_FAIL(BAD_STATE, MMAP_NOT_STARTED, mmap);
    if (doca_priv_mmap_has_bufs(mmap))
        return DOCA_PRIV_FAIL(NOT_PERMITTED, MMAP_HAS_BUFS, mmap);
    doca_priv_mmap_revoke(mmap);
    doca_priv_mmap_dereg(mmap, mmap->num_devs);
    mmap->obj.state = DOCA_PRIV_STOPPED;
    return DOCA_SUCCESS;
}

/* Let go of an mmap that threads share, for itself or a buffer: the last one ends it. */
static doca_error_t doca_priv_mmap_let_go(struct doca_mmap *mmap)
{
    return DOCA_PRIV_FETCH_ADD(&mmap->num_bufs, -1u) == 1
               ? doca_priv_object_give(mmap->arena, &mmap->obj)
               : DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_destroy(struct doca_mmap *mmap)
{
    doca_mmap_memrange_free_cb_t *free_cb;
    void *addr, *opaque;
    doca_error_t rc;
    size_t len;
    uint32_t i;

    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    if (doca_priv_mmap_has_bufs(mmap))
        return DOCA_PRIV_FAIL(NOT_PERMITTED, MMAP_HAS_BUFS, mmap);
    doca_priv_mmap_revoke(mmap);
    if (mmap->is_imported && mmap->far == NULL)
        mmap->devs[0].dev->backend->mem_unimport(mmap->devs[0].dev, mmap->devs[0].mkey,
                                                 mmap->devs[0].own);
    else if (mmap->is_on_dev)
        mmap->devs[0].dev->backend->dm_free(mmap->devs[0].dev, mmap->devs[0].mkey);
    else if (mmap->obj.state != DOCA_PRIV_STOPPED && !mmap->is_imported)
        doca_priv_mmap_dereg(mmap, mmap->num_devs);
    for (i = 0; i < mmap->num_devs; i++)
        doca_priv_dev_drop(mmap->devs[i].dev);
    free_cb = mmap->free_cb_armed ? mmap->free_cb : NULL;
    addr = mmap->addr;
    len = mmap->len;
    opaque = mmap->free_opaque;
    if (mmap->devs != mmap->own_devs)
        (void)doca_core_arena_give(mmap->arena, mmap->devs);
    (void)doca_core_arena_give(mmap->arena, mmap->far);
    if (mmap->is_shared) {
        mmap->far = NULL;
        mmap->num_devs = 0; /* others may be open by now where they were */
        mmap->obj.kind = DOCA_PRIV_KIND_MMAP_GONE;
        rc = doca_priv_mmap_let_go(mmap);
    } else {
        rc = doca_priv_object_give(mmap->arena, &mmap->obj);
    }
    if (free_cb != NULL)
        free_cb(addr, len, opaque);
    return rc;
}

/* Is there, where an mmap of this serial was, still the same one? The guard is read at every check
 * level: this is no handle of the program's. */
DOCA_PRIV_HOT bool doca_priv_mmap_is(const struct doca_mmap *mmap, uint32_t serial)
{
    return mmap->obj.guard == DOCA_PRIV_GUARD && mmap->obj.kind == DOCA_PRIV_KIND_MMAP &&
           mmap->serial == serial;
}

/* And started? */
DOCA_PRIV_HOT bool doca_priv_mmap_serves(const struct doca_mmap *mmap, uint32_t serial)
{
    return doca_priv_mmap_is(mmap, serial) && mmap->obj.state != DOCA_PRIV_STOPPED;
}

/* Where `dev` stands in the mmap; num_devs when it does not. */
static uint32_t doca_priv_mmap_find(const struct doca_mmap *mmap, const struct doca_dev *dev)
{
    uint32_t i;

    for (i = 0; i < mmap->num_devs && mmap->devs[i].dev != dev; i++) {
    }
    return i;
}

/* Does `dev` reach the range in another way than at its address, or not to read it? */
DOCA_PRIV_COLD bool doca_priv_mmap_is_far(const struct doca_mmap *mmap,
                                          const struct doca_dev *dev)
{
    return (mmap->far != NULL || mmap->is_write_only) && mmap->obj.state != DOCA_PRIV_STOPPED &&
           doca_priv_mmap_find(mmap, dev) < mmap->num_devs;
}

DOCA_CORE_DECL doca_error_t doca_mmap_add_dev(struct doca_mmap *mmap, struct doca_dev *dev)
{
    doca_error_t rc;

    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    rc = doca_priv_mmap_change(mmap, DOCA_ERROR_NOT_PERMITTED, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (doca_priv_mmap_find(mmap, dev) < mmap->num_devs)
        return DOCA_PRIV_FAIL(ALREADY_EXIST, MMAP_DEV_TWICE, mmap);
    if (mmap->num_devs == mmap->max_devs)
        return DOCA_PRIV_FAIL(NO_MEMORY, MMAP_DEV_FULL, mmap);
    mmap->devs[mmap->num_devs].dev = dev;
    mmap->devs[mmap->num_devs].mkey = 0;
    mmap->num_devs++;
    doca_priv_dev_hold(dev);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_rm_dev(struct doca_mmap *mmap, struct doca_dev *dev)
{
    doca_error_t rc;
    uint32_t i;

    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    rc = doca_priv_mmap_change(mmap, DOCA_ERROR_NOT_PERMITTED, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    i = doca_priv_mmap_find(mmap, dev);
    if (i == mmap->num_devs)
        return DOCA_PRIV_FAIL(NOT_FOUND, MMAP_DEV_MISSING, mmap);
    mmap->num_devs--;
    mmap->devs[i] = mmap->devs[mmap->num_devs];
    doca_priv_dev_drop(dev);
    return DOCA_SUCCESS;
}

/* What set_memrange and set_dmabuf_memrange check alike. */
static doca_error_t doca_priv_mmap_range_check(const struct doca_mmap *mmap, const void *addr,
                                               size_t len, const char *function)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, addr, function);
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (len == 0)
        item = DOCA_CORE_ITEM_ZERO;
    else if (len > UINTPTR_MAX - (uintptr_t)addr)
        item = DOCA_CORE_ITEM_MMAP_RANGE_WRAPS;
    if (item != DOCA_CORE_ITEM_NONE)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, item, function, mmap);
    rc = doca_priv_mmap_change(mmap, DOCA_ERROR_BAD_STATE, function);
    if (rc == DOCA_SUCCESS && mmap->has_range)
        rc = doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_MMAP_RANGE_SET, function,
                            mmap);
    return rc;
}

static void doca_priv_mmap_set_range(struct doca_mmap *mmap, void *addr, size_t len)
{
    mmap->addr = (unsigned char *)addr;
    mmap->len = len;
    mmap->has_range = true;
}

DOCA_CORE_DECL doca_error_t doca_mmap_set_memrange(struct doca_mmap *mmap, void *addr, size_t len)
{
    doca_error_t rc = doca_priv_mmap_range_check(mmap, addr, len, __func__);

    if (rc == DOCA_SUCCESS)
        doca_priv_mmap_set_range(mmap, addr, len);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_mmap_set_dpa_memrange(struct doca_mmap *mmap, struct doca_dpa *dpa,
                                                       uint64_t dpa_addr, size_t len)
{
    doca_error_t rc = doca_priv_mmap_range_check(mmap, dpa, len, __func__);

    if (rc == DOCA_SUCCESS && len > UINT64_MAX - dpa_addr)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_RANGE_WRAPS, mmap);
    return rc != DOCA_SUCCESS ? rc : DOCA_PRIV_FAIL(NOT_SUPPORTED, MMAP_NO_DPA, mmap);
}

DOCA_CORE_DECL doca_error_t doca_mmap_dev_get_dpa_handle(struct doca_mmap *mmap,
                                                         const struct doca_dev *dev,
                                                         doca_dpa_dev_mmap_t *dpa_mmap_handle)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, dpa_mmap_handle, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, dev, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (mmap->obj.state == DOCA_PRIV_STOPPED)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, MMAP_NOT_STARTED, mmap);
    return doca_priv_mmap_find(mmap, dev) == mmap->num_devs
               ? DOCA_PRIV_FAIL(NOT_FOUND, MMAP_DEV_MISSING, mmap)
               : DOCA_PRIV_FAIL(NOT_SUPPORTED, MMAP_NO_DPA, mmap);
}

DOCA_CORE_DECL doca_error_t doca_mmap_enable_thread_safety(struct doca_mmap *mmap)
{
    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    if (mmap->obj.state != DOCA_PRIV_STOPPED)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, MMAP_STARTED, mmap);
    if (!mmap->is_shared)
        mmap->num_bufs = 1;
    mmap->is_shared = true;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_dmabuf(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_priv_far), bytes, __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_set_dmabuf_memrange(struct doca_mmap *mmap, int dmabuf_fd,
                                                          void *addr, size_t dmabuf_offset,
                                                          size_t len)
{
    doca_error_t rc = doca_priv_mmap_range_check(mmap, addr, len, __func__);
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (dmabuf_fd < 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_DMABUF_MAP, mmap);
    if (!doca_priv_sys_has_dmabuf)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, DEV_NO_DMABUF, mmap);
    rc = doca_priv_object_take(mmap->arena, sizeof(*mmap->far), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    mmap->far = (struct doca_priv_far *)block;
    mmap->far->dmabuf_fd = dmabuf_fd;
    mmap->far->dmabuf_offset = dmabuf_offset;
    mmap->far->may_read = true;
    doca_priv_mmap_set_range(mmap, addr, len);
    return DOCA_SUCCESS;
}

#define DOCA_PRIV_ACCESS_KNOWN (2u * DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING - 1)

DOCA_CORE_DECL doca_error_t doca_mmap_set_permissions(struct doca_mmap *mmap, uint32_t access_mask)
{
    const uint32_t both = DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE;
    doca_error_t rc;

    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    if ((access_mask & ~DOCA_PRIV_ACCESS_KNOWN) != 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_ACCESS_UNKNOWN, mmap);
    if ((access_mask & both) == both)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_ACCESS_CONFLICT, mmap);
    rc = doca_priv_mmap_change(mmap, DOCA_ERROR_BAD_STATE, __func__);
    if (rc == DOCA_SUCCESS)
        mmap->access = access_mask;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_mmap_set_max_num_devices(struct doca_mmap *mmap,
                                                          uint32_t max_num_devices)
{
    struct doca_priv_mmap_dev *devs;
    void *block = NULL;
    doca_error_t rc;

    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    if (max_num_devices == 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ZERO, mmap);
    if (mmap->was_started)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, MMAP_DEVS_FIXED, mmap);
    if (max_num_devices < mmap->num_devs)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_DEVS_FEWER, mmap);
    if (max_num_devices == mmap->max_devs)
        return DOCA_SUCCESS;
    devs = mmap->own_devs;
    if (max_num_devices > DOCA_CORE_MMAP_DEVS) {
        rc = doca_priv_mmap_devs_carve(mmap->arena, max_num_devices, &block, __func__);
        if (rc != DOCA_SUCCESS)
            return rc;
        devs = (struct doca_priv_mmap_dev *)block;
    }
    if (devs != mmap->devs)
        DOCA_CORE_MEMCPY(devs, mmap->devs, mmap->num_devs * sizeof(*devs));
    if (mmap->devs != mmap->own_devs)
        (void)doca_core_arena_give(mmap->arena, mmap->devs);
    mmap->devs = devs;
    mmap->max_devs = max_num_devices;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_set_free_cb(struct doca_mmap *mmap,
                                                  doca_mmap_memrange_free_cb_t *free_cb,
                                                  void *opaque)
{
    doca_error_t rc;

    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    rc = doca_priv_mmap_change(mmap, DOCA_ERROR_BAD_STATE, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    mmap->free_cb = free_cb;
    mmap->free_opaque = opaque;
    mmap->free_cb_armed = false;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_set_user_data(struct doca_mmap *mmap,
                                                    union doca_data user_data)
{
    doca_error_t rc;

    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    rc = doca_priv_mmap_change(mmap, DOCA_ERROR_BAD_STATE, __func__);
    if (rc == DOCA_SUCCESS)
        mmap->user_data = user_data;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_mmap_get_memrange(const struct doca_mmap *mmap, void **addr,
                                                   size_t *len)
{
    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    if (addr == NULL || len == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, mmap);
    if (!mmap->has_range)
        return DOCA_PRIV_FAIL(BAD_STATE, MMAP_NO_RANGE, mmap);
    *addr = mmap->addr;
    *len = mmap->len;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_get_max_num_devices(const struct doca_mmap *mmap,
                                                          uint32_t *max_num_devices)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, max_num_devices, __func__);

    if (rc == DOCA_SUCCESS)
        *max_num_devices = mmap->max_devs;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_mmap_get_num_bufs(const struct doca_mmap *mmap, uint32_t *num_bufs)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, num_bufs, __func__);

    if (rc == DOCA_SUCCESS)
        *num_bufs = mmap->is_shared ? 0 : mmap->num_bufs;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_mmap_get_user_data(const struct doca_mmap *mmap,
                                                    union doca_data *user_data)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, user_data, __func__);

    if (rc == DOCA_SUCCESS)
        *user_data = mmap->user_data;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_mmap_get_exported(const struct doca_mmap *mmap, uint8_t *exported)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, exported, __func__);

    if (rc == DOCA_SUCCESS)
        *exported = mmap->exports != NULL ? 1 : 0;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_mmap_get_from_export(const struct doca_mmap *mmap,
                                                      uint8_t *from_export)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, from_export, __func__);

    if (rc == DOCA_SUCCESS)
        *from_export = mmap->is_imported ? 1 : 0;
    return rc;
}

/* ---- >>impl.mmap_export --------------------------------------------------------------------- */

/* A capability that is one of the limits. */
static doca_error_t doca_priv_mmap_cap(const struct doca_devinfo *devinfo, size_t limit,
                                       uint8_t *to, const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, to, function);

    if (rc == DOCA_SUCCESS)
        *to = ((const uint8_t *)(const void *)&devinfo->attr.limits)[limit] != 0 ? 1 : 0;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_mmap_cap_is_export_pci_supported(
    const struct doca_devinfo *devinfo, uint8_t *mmap_export)
{
    return doca_priv_mmap_cap(devinfo, offsetof(struct doca_core_limits, has_export_pci),
                              mmap_export, __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_cap_is_create_from_export_pci_supported(
    const struct doca_devinfo *devinfo, uint8_t *from_export)
{
    return doca_priv_mmap_cap(devinfo, offsetof(struct doca_core_limits, has_import_pci),
                              from_export, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_export(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_priv_mmap_export), bytes, __func__);
}

/* The permissions without which an export of this kind would be of no use. */
static uint32_t doca_priv_mmap_export_flags(uint8_t kind)
{
    return kind == DOCA_PRIV_EXPORT_MMAP_PCI
               ? DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE
               : DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_WRITE |
                     DOCA_ACCESS_FLAG_RDMA_ATOMIC;
}

/* What forbids an export of this kind through `dev`. */
static doca_error_t doca_priv_mmap_export_check(const struct doca_mmap *mmap,
                                                const struct doca_dev *dev,
                                                enum doca_priv_export_kind kind,
                                                enum doca_core_item *item)
{
    const struct doca_core_limits *limits = &dev->info.attr.limits;

    *item = DOCA_CORE_ITEM_MMAP_ON_DEV;
    if (mmap->is_on_dev)
        return DOCA_ERROR_NOT_SUPPORTED;
    *item = mmap->is_imported                          ? DOCA_CORE_ITEM_MMAP_IMPORTED
            : mmap->obj.state == DOCA_PRIV_STOPPED     ? DOCA_CORE_ITEM_MMAP_NOT_STARTED
            : (mmap->access & doca_priv_mmap_export_flags((uint8_t)kind)) == 0
                ? DOCA_CORE_ITEM_MMAP_ACCESS_LACKS
                : DOCA_CORE_ITEM_NONE;
    if (*item != DOCA_CORE_ITEM_NONE)
        return DOCA_ERROR_NOT_PERMITTED;
    *item = DOCA_CORE_ITEM_MMAP_DEV_MISSING;
    if (doca_priv_mmap_find(mmap, dev) == mmap->num_devs)
        return DOCA_ERROR_NOT_FOUND;
    *item = DOCA_CORE_ITEM_DEV_NO_EXPORT;
    if ((kind == DOCA_PRIV_EXPORT_MMAP_PCI ? limits->has_export_pci : limits->has_rdma) == 0)
        return DOCA_ERROR_NOT_SUPPORTED;
    *item = DOCA_CORE_ITEM_MMAP_DMABUF_EXPORT;
    return mmap->far == NULL ? DOCA_SUCCESS : DOCA_ERROR_NOT_SUPPORTED;
}

/* Who serves the exports and imports of a backend's devices, as descriptors say it. */
static void doca_priv_mmap_backend(const struct doca_core_backend *backend,
                                   char name[DOCA_PRIV_EXPORT_BACKEND])
{
    size_t i;

    DOCA_CORE_MEMSET(name, 0, DOCA_PRIV_EXPORT_BACKEND);
    if (backend->mem_export != NULL)
        for (i = 0; i < DOCA_PRIV_EXPORT_BACKEND && backend->name[i] != '\0'; i++)
            name[i] = backend->name[i];
}

/* Fill and seal the descriptor of a new export. */
static doca_error_t doca_priv_mmap_describe(const struct doca_mmap *mmap,
                                            const struct doca_priv_mmap_dev *d,
                                            enum doca_priv_export_kind kind,
                                            struct doca_priv_mmap_export *e, const char *function)
{
    const struct doca_core_backend *backend = d->dev->backend;
    doca_error_t rc;

    e->reg = *d;
    e->token = doca_priv_sys_random();
    e->desc.addr = (uintptr_t)mmap->addr;
    e->desc.len = mmap->len;
    e->desc.access = mmap->access;
    DOCA_CORE_MEMCPY(e->desc.pci_addr, d->dev->info.attr.pci_addr, DOCA_DEVINFO_PCI_ADDR_SIZE);
    if (backend->mem_export != NULL) {
        doca_priv_mmap_backend(backend, e->desc.backend);
        doca_priv_listen();
        rc = backend->mem_export(d->dev, d->mkey, d->own, kind == DOCA_PRIV_EXPORT_MMAP_RDMA,
                                 e->desc.blob);
        if (rc != DOCA_SUCCESS)
            return doca_priv_refused(rc, function, mmap);
    }
    rc = doca_priv_export_seal(&e->desc.head, kind, sizeof(e->desc),
                               backend->mem_export == NULL ? &e->token : NULL);
    return rc == DOCA_SUCCESS
               ? rc
               : doca_priv_fail(rc, DOCA_CORE_ITEM_EXPORT_SYSTEM, function, mmap);
}

static doca_error_t doca_priv_mmap_publish(struct doca_mmap *mmap, const struct doca_dev *dev,
                                           enum doca_priv_export_kind kind,
                                           const void **export_desc, size_t *export_desc_len,
                                           const char *function)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, export_desc, function);
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_mmap_export *e;
    const char *ptracer;
    void *block = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, export_desc_len, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_mmap_export_check(mmap, dev, kind, &item);
    if (rc != DOCA_SUCCESS)
        return doca_priv_fail(rc, item, function, mmap);
    e = mmap->exports;
    while (e != NULL && (e->reg.dev != dev || e->desc.head.kind != kind ||
                         e->desc.head.pid != doca_priv_sys_pid())) /* a parent's, over a fork */
        e = e->next;
    if (e == NULL) {
        rc = doca_priv_object_take(mmap->arena, sizeof(*e), &block, function);
        if (rc != DOCA_SUCCESS)
            return rc;
        e = (struct doca_priv_mmap_export *)block;
        rc = doca_priv_mmap_describe(mmap, &mmap->devs[doca_priv_mmap_find(mmap, dev)], kind, e,
                                     function);
        if (rc != DOCA_SUCCESS) {
            (void)doca_core_arena_give(mmap->arena, e);
            return rc;
        }
        e->next = mmap->exports;
        mmap->exports = e;
        ptracer = doca_priv_sys_env("DOCA_CORE_SW_PTRACER");
        if (ptracer != NULL && doca_priv_str_equal(ptracer, "any"))
            doca_priv_sys_far_permit();
    }
    *export_desc = &e->desc;
    *export_desc_len = sizeof(e->desc);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_export_pci(struct doca_mmap *mmap, const struct doca_dev *dev,
                                                 const void **export_desc, size_t *export_desc_len)
{
    return doca_priv_mmap_publish(mmap, dev, DOCA_PRIV_EXPORT_MMAP_PCI, export_desc,
                                  export_desc_len, __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_export_rdma(struct doca_mmap *mmap,
                                                  const struct doca_dev *dev,
                                                  const void **export_desc, size_t *export_desc_len)
{
    return doca_priv_mmap_publish(mmap, dev, DOCA_PRIV_EXPORT_MMAP_RDMA, export_desc,
                                  export_desc_len, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_import(size_t *bytes)
{
    size_t mmap_bytes = 0, far_bytes = 0;
    doca_error_t rc = doca_core_bytes_mmap(bytes != NULL ? &mmap_bytes : NULL);

    if (rc == DOCA_SUCCESS)
        rc = doca_core_bytes_mmap_dmabuf(&far_bytes);
    if (rc == DOCA_SUCCESS)
        *bytes = mmap_bytes + far_bytes;
    return rc;
}

/* Judge a descriptor for `dev`, and ask its exporter. */
static doca_error_t doca_priv_mmap_import_check(const struct doca_dev *dev, const void *export_desc,
                                                size_t export_desc_len,
                                                struct doca_priv_mmap_desc *desc,
                                                struct doca_priv_far *far,
                                                enum doca_core_item *item)
{
    const struct doca_core_limits *limits = &dev->info.attr.limits;
    doca_error_t rc = doca_priv_export_open(export_desc, export_desc_len, DOCA_PRIV_EXPORT_MMAP_PCI,
                                            DOCA_PRIV_EXPORT_MMAP_RDMA, &desc->head, sizeof(*desc),
                                            item);
    char name[DOCA_PRIV_EXPORT_BACKEND];

    if (rc != DOCA_SUCCESS)
        return rc;
    *item = DOCA_CORE_ITEM_EXPORT_DAMAGED;
    if (desc->len == 0 || desc->addr > UINTPTR_MAX || desc->len > UINTPTR_MAX - desc->addr ||
        (desc->access & ~DOCA_PRIV_ACCESS_KNOWN) != 0)
        return DOCA_ERROR_INVALID_VALUE;
    *item = DOCA_CORE_ITEM_EXPORT_BACKEND;
    doca_priv_mmap_backend(dev->backend, name);
    if (DOCA_CORE_MEMCMP(desc->backend, name, sizeof(name)) != 0)
        return DOCA_ERROR_NOT_SUPPORTED;
    *item = DOCA_CORE_ITEM_DEV_NO_EXPORT;
    if ((desc->head.kind == DOCA_PRIV_EXPORT_MMAP_PCI ? limits->has_import_pci
                                                      : limits->has_rdma) == 0)
        return DOCA_ERROR_NOT_SUPPORTED;
    if (name[0] != '\0') /* the backend is asked when the mmap is made */
        return DOCA_SUCCESS;
    far->pid = desc->head.pid;
    far->token = desc->head.token;
    far->token_at = desc->head.token_at;
    far->may_read = desc->head.kind == DOCA_PRIV_EXPORT_MMAP_PCI ||
                    (desc->access & DOCA_ACCESS_FLAG_RDMA_READ) != 0;
    *item = doca_priv_far_ask(far);
    return *item == DOCA_CORE_ITEM_NONE               ? DOCA_SUCCESS
           : *item == DOCA_CORE_ITEM_EXPORTER_GUARDED ? DOCA_ERROR_NOT_PERMITTED
           : *item == DOCA_CORE_ITEM_EXPORTER_KERNEL  ? DOCA_ERROR_NOT_SUPPORTED
                                                      : DOCA_ERROR_INVALID_VALUE;
}

/* Make the range of an imported mmap usable: what the kernel copies needs `far`, kept in a block of
 * its own; other ranges are their backend's. */
static doca_error_t doca_priv_mmap_import_range(struct doca_mmap *m, struct doca_dev *dev,
                                                const struct doca_priv_mmap_desc *desc,
                                                const struct doca_priv_far *far,
                                                const char *function)
{
    struct doca_core_range range;
    void *block = NULL;
    doca_error_t rc;

    if (dev->backend->mem_export == NULL) {
        rc = doca_priv_object_take(m->arena, sizeof(*far), &block, function);
        if (rc != DOCA_SUCCESS)
            return rc;
        m->far = (struct doca_priv_far *)block;
        *m->far = *far;
    } else {
        doca_priv_mmap_range(m, &range);
        doca_priv_listen();
        rc = dev->backend->mem_import(dev, &range, desc->head.kind == DOCA_PRIV_EXPORT_MMAP_RDMA,
                                      desc->blob, &m->devs[0].mkey, &m->devs[0].own);
        if (rc != DOCA_SUCCESS)
            return doca_priv_refused(rc, function, dev);
        m->is_write_only = desc->head.kind == DOCA_PRIV_EXPORT_MMAP_RDMA &&
                           (desc->access & DOCA_ACCESS_FLAG_RDMA_READ) == 0;
        m->dev_mask = m->is_write_only ? 0 : dev->bit; /* so that it is looked at */
        m->is_elsewhere = true;
    }
    m->devs[0].dev = dev;
    m->num_devs = 1;
    doca_priv_dev_hold(dev);
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_mmap_import(struct doca_core_arena *arena,
                                          const union doca_data *user_data, const void *export_desc,
                                          size_t export_desc_len, struct doca_dev *dev,
                                          struct doca_mmap **mmap, const char *function)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_mmap_desc desc;
    struct doca_priv_far far;
    struct doca_mmap *m = NULL;
    doca_error_t rc;

    DOCA_CORE_MEMSET(&far, 0, sizeof(far));
    rc = doca_priv_mmap_import_check(dev, export_desc, export_desc_len, &desc, &far, &item);
    if (rc != DOCA_SUCCESS)
        return doca_priv_fail(rc, item, function, dev);
    rc = doca_priv_mmap_create(arena, &m, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    m->access = (desc.access & (desc.head.kind == DOCA_PRIV_EXPORT_MMAP_PCI
                                    ? DOCA_ACCESS_FLAG_PCI_READ_WRITE
                                    : DOCA_ACCESS_FLAG_RDMA_WRITE)) != 0
                    ? DOCA_ACCESS_FLAG_LOCAL_READ_WRITE
                    : DOCA_ACCESS_FLAG_LOCAL_READ_ONLY;
    doca_priv_mmap_set_range(m, (void *)(uintptr_t)desc.addr, (size_t)desc.len);
    rc = doca_priv_mmap_import_range(m, dev, &desc, &far, function);
    if (rc != DOCA_SUCCESS) {
        (void)doca_priv_object_give(arena, &m->obj);
        return rc;
    }
    if (user_data != NULL)
        m->user_data = *user_data;
    m->is_imported = true;
    m->was_started = true;
    doca_priv_mmap_enter_started(m);
    *mmap = m;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_mmap_create_from_export_in(
    struct doca_core_arena *arena, const union doca_data *user_data, const void *export_desc,
    size_t export_desc_len, struct doca_dev *dev, struct doca_mmap **mmap)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, export_desc, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, mmap, __func__);
    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_mmap_import(arena, user_data, export_desc,
                                                      export_desc_len, dev, mmap, __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_create_from_export(const union doca_data *user_data,
                                                         const void *export_desc,
                                                         size_t export_desc_len,
                                                         struct doca_dev *dev,
                                                         struct doca_mmap **mmap)
{
    doca_error_t rc =
        doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, export_desc != NULL ? mmap : NULL, __func__);

    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_mmap_import(dev->info.arena, user_data, export_desc,
                                                      export_desc_len, dev, mmap, __func__);
}

/* ---- >>impl.mmap_dev ------------------------------------------------------------------------ */

DOCA_CORE_DECL doca_error_t doca_core_mmap_create_on_dev(struct doca_dev *dev, size_t len,
                                                         struct doca_mmap **mmap)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, mmap, __func__);
    struct doca_mmap *m = NULL;
    void *addr = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (len == 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ZERO, dev);
    if (dev->backend->dm_alloc == NULL)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, DEV_NO_MEMORY, dev);
    rc = doca_priv_mmap_create(dev->info.arena, &m, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_listen();
    rc = dev->backend->dm_alloc(dev, len, &addr, &m->devs[0].mkey, &m->devs[0].own);
    if (rc != DOCA_SUCCESS) {
        (void)doca_priv_object_give(m->arena, &m->obj);
        return doca_priv_refused(rc, __func__, dev);
    }
    doca_priv_mmap_set_range(m, addr, len);
    m->devs[0].dev = dev;
    m->num_devs = 1;
    m->dev_mask = dev->bit;
    m->is_elsewhere = true;
    m->is_on_dev = true;
    m->was_started = true;
    doca_priv_dev_hold(dev);
    doca_priv_mmap_enter_started(m);
    *mmap = m;
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_mmap_copy(const struct doca_mmap *mmap, size_t offset, void *bytes,
                                        size_t len, bool is_write, const char *function)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, bytes, function);
    const struct doca_priv_mmap_dev *d;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!mmap->is_on_dev)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_MMAP_NOT_ON_DEV, function,
                              mmap);
    if (offset > mmap->len || len > mmap->len - offset)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MMAP_OUTSIDE, function,
                              mmap);
    d = &mmap->devs[0];
    doca_priv_listen();
    rc = d->dev->backend->dm_copy(d->dev, d->mkey, offset, bytes, len, is_write);
    return rc == DOCA_SUCCESS ? rc : doca_priv_refused(rc, function, mmap);
}

DOCA_CORE_DECL doca_error_t doca_core_mmap_read(const struct doca_mmap *mmap, size_t offset,
                                                void *to, size_t len)
{
    return doca_priv_mmap_copy(mmap, offset, to, len, false, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_mmap_write(struct doca_mmap *mmap, size_t offset,
                                                 const void *from, size_t len)
{
    return doca_priv_mmap_copy(mmap, offset, (void *)(uintptr_t)from, len, true, __func__);
}

/* ---- >>impl.buf ----------------------------------------------------------------------------- */

DOCA_PRIV_ASSERT_STATIC(buf_is_a_line, sizeof(void *) != 8 || DOCA_CORE_CHECK >= 2 ||
                                           sizeof(struct doca_buf) == DOCA_CORE_LINE);
DOCA_PRIV_ASSERT_STATIC(bufs_are_at_steps_from_home, sizeof(struct doca_buf) % DOCA_PRIV_HOME == 0);
DOCA_PRIV_ASSERT_STATIC(stocks_fit_a_line, sizeof(struct doca_buf_pool) <= DOCA_CORE_LINE &&
                                               sizeof(struct doca_buf_inventory) <= DOCA_CORE_LINE);

DOCA_CORE_DECL doca_error_t doca_priv_buf_refuse(const struct doca_buf *buf, void *out,
                                                 const char *function)
{
    return doca_priv_fail_handle(out == NULL ? NULL : buf, function);
}

/* The common check of the calls below, for a getter of one property. */
DOCA_PRIV_HOT doca_error_t doca_priv_buf_check(const struct doca_buf *buf, void *out,
                                               const char *function)
{
    return doca_likely(doca_priv_is_buf(buf) && out != NULL)
               ? DOCA_SUCCESS
               : doca_priv_buf_refuse(buf, out, function);
}

static bool doca_priv_buf_heads(const struct doca_buf *buf)
{
    return (buf->flags & (DOCA_PRIV_BUF_OUT | DOCA_PRIV_BUF_INNER)) == DOCA_PRIV_BUF_OUT;
}

/* Why `buf` is not a head: an inner element, or returned. */
DOCA_PRIV_COLD doca_error_t doca_priv_buf_not_head(const struct doca_buf *buf, const char *function)
{
    if ((buf->flags & DOCA_PRIV_BUF_INNER) != 0)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_BUF_NOT_HEAD, function, buf);
    return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_BUF_RETURNED, function, buf);
}

/* Is its mmap alive? One that threads share changes its kind when it goes, while they come here. */
static bool doca_priv_buf_has_mmap(const struct doca_buf *buf)
{
    return (buf->flags & DOCA_PRIV_BUF_OTHER) != 0
               ? buf->mmap != NULL && buf->mmap->obj.guard == DOCA_PRIV_GUARD
               : doca_priv_is(buf->mmap, DOCA_PRIV_KIND_MMAP);
}

/* Do the first descriptors of a list hold together? Asked at check level 2 only. */
static bool doca_priv_buf_is_sound(const struct doca_buf *head)
{
    const struct doca_buf *buf, *last = head, *mark = NULL;
    size_t offset, len, num;

    for (buf = head, num = 0; buf != NULL && num < DOCA_PRIV_BUF_AUDITED; buf = buf->next, num++) {
        if (buf == mark) /* a ring: it came back to where it was at the latest power of two */
            return false;
        if ((num & (num + 1)) == 0)
            mark = buf;
        offset = (size_t)(buf->data - buf->head);
        len = doca_priv_buf_len(buf);
        if (!doca_priv_is_buf(buf) || !doca_priv_buf_has_mmap(buf) ||
            (buf->flags & DOCA_PRIV_BUF_INNER) != (buf == head ? 0 : DOCA_PRIV_BUF_INNER) ||
            buf->refcount == 0 || (buf != head && buf->refcount != 1) || offset > len ||
            buf->data_len > len - offset || buf->head < buf->mmap->addr ||
            len > buf->mmap->len || (size_t)(buf->head - buf->mmap->addr) > buf->mmap->len - len)
            return false;
        last = buf;
    }
    return buf != NULL || head->last == last;
}

/* The call may go on with the list that `head` heads: SUCCESS. At check level 2 after an audit. */
DOCA_PRIV_HOT doca_error_t doca_priv_buf_check_list(const struct doca_buf *head,
                                                    const char *function)
{
    if (doca_unlikely(!doca_priv_buf_heads(head)))
        return doca_priv_buf_not_head(head, function);
    if (DOCA_CORE_CHECK >= 2 && !doca_priv_buf_is_sound(head))
        return doca_priv_fail(DOCA_ERROR_UNEXPECTED, DOCA_CORE_ITEM_BUF_BROKEN, function, head);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_get_head(const struct doca_buf *buf, void **head)
{
    return doca_priv_hot_buf_get_head(buf, head);
}

DOCA_CORE_DECL doca_error_t doca_buf_get_len(const struct doca_buf *buf, size_t *len)
{
    return doca_priv_hot_buf_get_len(buf, len);
}

DOCA_CORE_DECL doca_error_t doca_buf_get_data(const struct doca_buf *buf, void **data)
{
    return doca_priv_hot_buf_get_data(buf, data);
}

DOCA_CORE_DECL doca_error_t doca_buf_get_data_len(const struct doca_buf *buf, size_t *data_len)
{
    return doca_priv_hot_buf_get_data_len(buf, data_len);
}

DOCA_CORE_DECL doca_error_t doca_buf_get_refcount(const struct doca_buf *buf, uint16_t *refcount)
{
    doca_error_t rc = doca_priv_buf_check(buf, refcount, __func__);

    if (rc == DOCA_SUCCESS)
        *refcount = buf->refcount;
    return rc;
}

/* Set the content, or say why not: a buf that is none or returned, bytes outside, or in flight. */
DOCA_CORE_DECL doca_error_t doca_priv_buf_set_data_other(struct doca_buf *buf, void *data,
                                                         size_t data_len, const char *function)
{
    size_t skip;

    if (!doca_priv_is_buf(buf) || data == NULL)
        return doca_priv_buf_refuse(buf, data, function);
    if (buf->flags == 0)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_BUF_RETURNED, function, buf);
    skip = (size_t)((uintptr_t)data - (uintptr_t)buf->head);
    if (skip > doca_priv_buf_len(buf) || data_len > doca_priv_buf_len(buf) - skip)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_BUF_DATA_OUTSIDE, function,
                              buf);
    DOCA_PRIV_CHECKED(if (doca_priv_check_is_busy(buf, false, function)) return DOCA_ERROR_IN_USE;)
    buf->data = (unsigned char *)data;
    buf->data_len = data_len;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_priv_buf_set_len(struct doca_buf *buf, size_t data_len,
                                                  const char *function)
{
    if (!doca_priv_is_buf(buf))
        return doca_priv_buf_refuse(buf, buf, function);
    return doca_priv_buf_set_data_other(buf, buf->flags != 0 ? buf->data : (void *)buf, data_len,
                                        function);
}

DOCA_CORE_DECL doca_error_t doca_buf_set_data(struct doca_buf *buf, void *data, size_t data_len)
{
    return doca_priv_hot_buf_set_data(buf, data, data_len);
}

DOCA_CORE_DECL doca_error_t doca_buf_set_data_len(struct doca_buf *buf, size_t data_len)
{
    return doca_priv_buf_set_len(buf, data_len, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_reset_data_len(struct doca_buf *buf)
{
    return doca_priv_hot_buf_reset_data_len(buf);
}

DOCA_CORE_DECL doca_error_t doca_buf_inc_refcount(struct doca_buf *buf, uint16_t *refcount)
{
    doca_error_t rc;

    if (!doca_priv_is_buf(buf))
        return DOCA_PRIV_FAIL_HANDLE(buf);
    rc = doca_priv_buf_check_list(buf, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (buf->refcount == UINT16_MAX)
        return DOCA_PRIV_FAIL(TOO_BIG, BUF_REFCOUNT_MAX, buf);
    if (refcount != NULL)
        *refcount = buf->refcount;
    doca_priv_buf_set_word(buf, doca_priv_buf_word(buf, 0xff, UINT16_MAX) +
                                    doca_priv_buf_word_of(0, 0, 1));
    return DOCA_SUCCESS;
}

static void doca_priv_dpdk_hold(const struct doca_buf *list);
static void doca_priv_dpdk_free(const struct doca_buf *buf);

/* Put every element of a list back. SUCCESS always, so that it can be the last call of others. */
DOCA_CORE_DECL doca_error_t doca_priv_buf_release_list(struct doca_buf *buf)
{
    struct doca_buf *next;

    do {
        next = buf->next;
        buf->last = buf;
        buf->mmap->num_bufs--;
        doca_priv_buf_put(buf);
        buf = next;
    } while (buf != NULL);
    return DOCA_SUCCESS;
}

/* The same where some are of an mbuf, or of an mmap that threads share. */
DOCA_PRIV_COLD doca_error_t doca_priv_buf_release_others(struct doca_buf *buf)
{
    struct doca_buf *next;
    bool is_of_mbuf;

    do {
        next = buf->next;
        buf->last = buf;
        is_of_mbuf = buf->mmap->obj.owner == DOCA_PRIV_OF_DPDK;
        if (buf->mmap->is_shared)
            (void)doca_priv_mmap_let_go(buf->mmap);
        else
            buf->mmap->num_bufs--;
        doca_priv_buf_put(buf);
        if (is_of_mbuf)
            doca_priv_dpdk_free(buf);
        buf = next;
    } while (buf != NULL);
    return DOCA_SUCCESS;
}

/* One of several references, or what is to be refused. */
DOCA_CORE_DECL doca_error_t doca_priv_buf_dec_refcount_other(struct doca_buf *buf,
                                                             uint16_t *refcount)
{
    doca_error_t rc;

    if (!doca_priv_is_buf(buf))
        return doca_priv_buf_refuse(buf, buf, "doca_buf_dec_refcount");
    rc = doca_priv_buf_check_list(buf, "doca_buf_dec_refcount");
    if (rc != DOCA_SUCCESS)
        return rc;
    if (refcount != NULL)
        *refcount = buf->refcount;
    if (buf->refcount > 1) {
        doca_priv_buf_set_word(buf, doca_priv_buf_word(buf, 0xff, UINT16_MAX) -
                                        doca_priv_buf_word_of(0, 0, 1));
        return DOCA_SUCCESS;
    }
    DOCA_PRIV_CHECKED(if (doca_priv_check_is_busy(buf, true, "doca_buf_dec_refcount"))
                          return DOCA_ERROR_IN_USE;)
    return (buf->flags & DOCA_PRIV_BUF_OTHER) != 0 ? doca_priv_buf_release_others(buf)
                                                   : doca_priv_buf_release_list(buf);
}

DOCA_CORE_DECL doca_error_t doca_buf_dec_refcount(struct doca_buf *buf, uint16_t *refcount)
{
    return doca_priv_hot_buf_dec_refcount(buf, refcount);
}

/* Put any list behind any other one. */
static void doca_priv_buf_append(struct doca_buf *list1, struct doca_buf *list2)
{
    doca_priv_buf_link(list1, list2,
                       (uint8_t)(DOCA_PRIV_BUF_LIST | (list2->flags & DOCA_PRIV_BUF_OTHER)));
}

DOCA_CORE_DECL doca_error_t doca_priv_buf_chain_list_other(struct doca_buf *list1,
                                                           struct doca_buf *list2,
                                                           const char *function)
{
    doca_error_t rc;

    if (!doca_priv_is_buf(list1))
        return doca_priv_buf_refuse(list1, list1, function);
    if (!doca_priv_is_buf(list2))
        return doca_priv_buf_refuse(list2, list2, function);
    if (list1 == list2)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_BUF_SAME_LIST, function,
                              list1);
    rc = doca_priv_buf_check_list(list1, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_buf_check_list(list2, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (list2->refcount != 1)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_BUF_SHARED, function, list2);
    DOCA_PRIV_CHECKED(if (doca_priv_check_is_busy(list1, true, function) ||
                          doca_priv_check_is_busy(list2, true, function))
                          return DOCA_ERROR_IN_USE;)
    doca_priv_buf_append(list1, list2);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_chain_list(struct doca_buf *list1, struct doca_buf *list2)
{
    return doca_priv_hot_buf_chain_list(list1, list2);
}

DOCA_CORE_DECL doca_error_t doca_buf_chain_list_tail(struct doca_buf *list1_head,
                                                     struct doca_buf *list1_tail,
                                                     struct doca_buf *list2)
{
    if (!doca_priv_is_buf(list1_head))
        return DOCA_PRIV_FAIL_HANDLE(list1_head);
    if (!doca_priv_is_buf(list1_tail))
        return DOCA_PRIV_FAIL_HANDLE(list1_tail);
    if (doca_priv_buf_heads(list1_head) && list1_head->last != list1_tail)
        return DOCA_PRIV_FAIL(INVALID_VALUE, BUF_NOT_IN_LIST, list1_tail);
    return doca_priv_buf_chain_list_other(list1_head, list2, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_unchain_list(struct doca_buf *list1, struct doca_buf *list2)
{
    struct doca_buf *before;
    doca_error_t rc;

    if (!doca_priv_is_buf(list1))
        return DOCA_PRIV_FAIL_HANDLE(list1);
    if (!doca_priv_is_buf(list2))
        return DOCA_PRIV_FAIL_HANDLE(list2);
    rc = doca_priv_buf_check_list(list1, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (list2->flags == 0)
        return doca_priv_buf_not_head(list2, __func__);
    for (before = list1; before != NULL && before->next != list2; before = before->next) {
    }
    if (before == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, BUF_NOT_IN_LIST, list2);
    DOCA_PRIV_CHECKED(if (doca_priv_check_is_busy(list1, true, __func__)) return DOCA_ERROR_IN_USE;)
    list2->last = list1->last;
    list2->flags &= (uint8_t)~(DOCA_PRIV_BUF_INNER | DOCA_PRIV_BUF_LIST);
    list2->flags |= (uint8_t)((list2->next != NULL ? DOCA_PRIV_BUF_LIST : 0) |
                              (list1->flags & DOCA_PRIV_BUF_OTHER)); /* it may be in either part */
    before->next = NULL;
    list1->last = before;
    if (before == list1)
        list1->flags &= (uint8_t)~DOCA_PRIV_BUF_LIST;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_get_next_in_list(struct doca_buf *buf,
                                                      struct doca_buf **next_buf)
{
    doca_error_t rc = doca_priv_buf_check(buf, next_buf, __func__);

    if (rc == DOCA_SUCCESS)
        *next_buf = buf->flags != 0 ? buf->next : NULL;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_get_last_in_list(struct doca_buf *buf,
                                                      struct doca_buf **last_buf)
{
    doca_error_t rc = doca_priv_buf_check(buf, last_buf, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (doca_priv_buf_heads(buf))
        buf = buf->last;
    while (buf->flags != 0 && buf->next != NULL)
        buf = buf->next;
    *last_buf = buf;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_get_list_len(const struct doca_buf *buf,
                                                  uint32_t *num_elements)
{
    doca_error_t rc = doca_priv_buf_check(buf, num_elements, __func__);
    uint32_t num = 0;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_buf_check_list(buf, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    for (; buf != NULL; buf = buf->next)
        num++;
    *num_elements = num;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_is_first_in_list(const struct doca_buf *buf, uint8_t *is_first)
{
    doca_error_t rc = doca_priv_buf_check(buf, is_first, __func__);

    if (rc == DOCA_SUCCESS)
        *is_first = (buf->flags & DOCA_PRIV_BUF_INNER) == 0;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_is_last_in_list(const struct doca_buf *buf, uint8_t *is_last)
{
    doca_error_t rc = doca_priv_buf_check(buf, is_last, __func__);

    if (rc == DOCA_SUCCESS)
        *is_last = buf->flags == 0 || buf->next == NULL;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_is_in_list(const struct doca_buf *buf, uint8_t *is_in_list)
{
    doca_error_t rc = doca_priv_buf_check(buf, is_in_list, __func__);

    if (rc == DOCA_SUCCESS)
        *is_in_list = (buf->flags & (DOCA_PRIV_BUF_LIST | DOCA_PRIV_BUF_INNER)) != 0;
    return rc;
}

/* ---- >>impl.inventory -----------------------------------------------------------------------
 * Also what inventory and pool share.                                                           */

static struct doca_buf *doca_priv_stock_bufs(struct doca_priv_stock *stock)
{
    return (struct doca_buf *)(void *)((unsigned char *)stock + DOCA_CORE_LINE);
}

static doca_error_t doca_priv_stock_carve(struct doca_core_arena *arena, size_t num, void **block,
                                          const char *function)
{
    return doca_priv_arena_take(arena, doca_priv_size(num, sizeof(struct doca_buf), DOCA_CORE_LINE),
                                block, function);
}

#define DOCA_PRIV_STOCK_MAX (((uint32_t)1 << 28) - 1) /* bufs that are not too far from home */

/* Fill a block with `num` bufs, in front of those that `stock` has. */
static void doca_priv_stock_fill(struct doca_priv_stock *stock, struct doca_priv_stock *block,
                                 uint32_t num)
{
    struct doca_buf *bufs = doca_priv_stock_bufs(block);
    const uintptr_t home = (uintptr_t)stock;
    uint32_t i;

    for (i = 0; i < num; i++) {
        DOCA_CORE_MEMSET(&bufs[i], 0, sizeof(bufs[i]));
        bufs[i].kind = DOCA_PRIV_KIND_BUF;
        bufs[i].home = (int32_t)((intptr_t)(home - (uintptr_t)&bufs[i]) / DOCA_PRIV_HOME);
        bufs[i].last = &bufs[i];
        bufs[i].next = i + 1 < num ? &bufs[i + 1] : stock->free_bufs;
    }
    stock->free_bufs = bufs;
    stock->num += num;
    stock->num_free += num;
}

/* Make a stopped stock with `num` bufs in it, or, with those of `first`, an addition to that. */
static doca_error_t doca_priv_stock_create(struct doca_core_arena *arena, size_t num, uint8_t kind,
                                           struct doca_priv_stock *first, void **block,
                                           const char *function)
{
    struct doca_priv_stock *stock;
    uintptr_t apart;
    doca_error_t rc;

    if (num == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_ZERO, function, first);
    if (num > DOCA_PRIV_STOCK_MAX - (first != NULL ? first->num : 0))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_STOCK_TOO_MANY, function,
                              first);
    rc = doca_priv_stock_carve(arena, num, block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    stock = (struct doca_priv_stock *)*block;
    if (first == NULL)
        first = stock;
    apart = (uintptr_t)stock > (uintptr_t)first ? (uintptr_t)stock - (uintptr_t)first
                                                : (uintptr_t)first - (uintptr_t)stock;
    if ((apart + DOCA_CORE_LINE + num * sizeof(struct doca_buf)) / DOCA_PRIV_HOME > INT32_MAX) {
        (void)doca_core_arena_give(arena, stock);
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_STOCK_FAR, function, first);
    }
    DOCA_CORE_MEMSET(stock, 0, DOCA_CORE_LINE);
    doca_priv_object_init(&stock->obj, kind);
    stock->arena = arena;
    doca_priv_stock_fill(first, stock, (uint32_t)num);
    return DOCA_SUCCESS;
}

/* End a stock whose bufs are all free. */
static doca_error_t doca_priv_stock_end(struct doca_priv_stock *stock)
{
    struct doca_buf *buf;

    for (buf = stock->free_bufs; DOCA_CORE_CHECK >= 1 && buf != NULL; buf = buf->next)
        buf->kind = 0; /* dead handles from here on */
    return doca_priv_object_give(stock->arena, &stock->obj);
}

static doca_error_t doca_priv_bytes_stock(size_t num_elements, size_t *bytes, const char *function)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, function);
    void *block;

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_stock_carve(&count, num_elements, &block, function);
    return doca_priv_counted(&count, rc, bytes);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_buf_inventory(size_t num_elements, size_t *bytes)
{
    return doca_priv_bytes_stock(num_elements, bytes, __func__);
}

static doca_error_t doca_priv_inventory_create(struct doca_core_arena *arena, size_t num_elements,
                                               struct doca_buf_inventory **inventory,
                                               const char *function)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, inventory, function);
    void *block = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_stock_create(arena, num_elements, DOCA_PRIV_KIND_INVENTORY, NULL, &block,
                                    function);
    if (rc == DOCA_SUCCESS)
        *inventory = (struct doca_buf_inventory *)block;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_buf_inventory_create_in(
    struct doca_core_arena *arena, size_t num_elements, struct doca_buf_inventory **inventory)
{
    return doca_priv_inventory_create(arena, num_elements, inventory, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_create(size_t num_elements,
                                                      struct doca_buf_inventory **inventory)
{
    return doca_priv_inventory_create(doca_core_arena_bound(), num_elements, inventory, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_expand(struct doca_buf_inventory *inventory,
                                                      uint32_t num_elements)
{
    struct doca_buf_inventory *more;
    void *block = NULL;
    doca_error_t rc;

    if (!doca_priv_is(inventory, DOCA_PRIV_KIND_INVENTORY))
        return DOCA_PRIV_FAIL_HANDLE(inventory);
    rc = doca_priv_stock_create(inventory->stock.arena, num_elements,
                                DOCA_PRIV_KIND_INVENTORY_MORE, &inventory->stock, &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    more = (struct doca_buf_inventory *)block;
    more->more = inventory->more;
    inventory->more = more;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_destroy(struct doca_buf_inventory *inventory)
{
    struct doca_buf_inventory *more, *next;
    doca_error_t rc;

    if (!doca_priv_is(inventory, DOCA_PRIV_KIND_INVENTORY))
        return DOCA_PRIV_FAIL_HANDLE(inventory);
    if (inventory->stock.num_free < inventory->stock.num)
        return DOCA_PRIV_FAIL(IN_USE, STOCK_OUTSTANDING, inventory);
    more = inventory->more;
    rc = doca_priv_stock_end(&inventory->stock);
    for (; more != NULL; more = next) {
        next = more->more;
        (void)doca_priv_object_give(more->stock.arena, &more->stock.obj);
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_start(struct doca_buf_inventory *inventory)
{
    if (!doca_priv_is(inventory, DOCA_PRIV_KIND_INVENTORY))
        return DOCA_PRIV_FAIL_HANDLE(inventory);
    if (inventory->stock.obj.state == DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, STOCK_STARTED, inventory);
    inventory->stock.obj.state = DOCA_PRIV_STARTED;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_stop(struct doca_buf_inventory *inventory)
{
    if (!doca_priv_is(inventory, DOCA_PRIV_KIND_INVENTORY))
        return DOCA_PRIV_FAIL_HANDLE(inventory);
    if (inventory->stock.obj.state != DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, STOCK_NOT_STARTED, inventory);
    inventory->stock.obj.state = DOCA_PRIV_STOPPED;
    return DOCA_SUCCESS;
}

/* A get that is not usual: of an mmap that threads share or that another part of the library has,
 * of elements that are not at hand, or one that is to be refused. */
DOCA_CORE_DECL doca_error_t doca_priv_inventory_get_other(struct doca_buf_inventory *inventory,
                                                          struct doca_mmap *mmap, void *addr,
                                                          size_t len, void *data, size_t data_len,
                                                          struct doca_buf **buf,
                                                          const char *function)
{
    struct doca_buf *b;
    size_t offset;

    if (buf == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              NULL);
    if (!doca_priv_is(inventory, DOCA_PRIV_KIND_INVENTORY))
        return doca_priv_check_args(inventory, DOCA_PRIV_KIND_INVENTORY, NULL, function);
    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_MMAP))
        return doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, NULL, function);
    if (addr == NULL || data == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              inventory);
    if (len == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_ZERO, function, inventory);
    if (inventory->stock.obj.state != DOCA_PRIV_STARTED)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_STOCK_NOT_STARTED, function,
                              inventory);
    if (mmap->obj.state == DOCA_PRIV_STOPPED)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_MMAP_NOT_STARTED, function,
                              mmap);
    offset = (size_t)((uintptr_t)addr - (uintptr_t)mmap->addr);
    if (offset >= mmap->len || len > mmap->len - offset)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MMAP_RANGE_OUTSIDE, function,
                              mmap);
    if (inventory->stock.free_bufs == NULL)
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_STOCK_EMPTY, function,
                              inventory);
    offset = (size_t)((uintptr_t)data - (uintptr_t)addr);
    if (offset > len || data_len > len - offset)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_BUF_DATA_OUTSIDE, function,
                              inventory);
    b = doca_priv_stock_take(&inventory->stock, mmap, (unsigned char *)addr, len);
    doca_priv_mmap_hold(mmap);
    b->data = (unsigned char *)data;
    b->data_len = data_len;
    *buf = b;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_get_by_args(struct doca_buf_inventory *inventory,
                                                               struct doca_mmap *mmap, void *addr,
                                                               size_t len, void *data,
                                                               size_t data_len,
                                                               struct doca_buf **buf)
{
    return doca_priv_hot_buf_inventory_buf_get_by_args(inventory, mmap, addr, len, data, data_len,
                                                       buf);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_get_by_addr(struct doca_buf_inventory *inventory,
                                                               struct doca_mmap *mmap, void *addr,
                                                               size_t len, struct doca_buf **buf)
{
    return doca_priv_hot_buf_inventory_buf_get_by_addr(inventory, mmap, addr, len, buf);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_get_by_data(struct doca_buf_inventory *inventory,
                                                               struct doca_mmap *mmap, void *data,
                                                               size_t data_len,
                                                               struct doca_buf **buf)
{
    return doca_priv_hot_buf_inventory_buf_get_by_data(inventory, mmap, data, data_len, buf);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_dup(struct doca_buf_inventory *inventory,
                                                       const struct doca_buf *src_buf,
                                                       struct doca_buf **dst_buf)
{
    doca_error_t rc =
        doca_priv_check_args(inventory, DOCA_PRIV_KIND_INVENTORY, dst_buf, __func__);
    struct doca_buf *copy, *head = NULL;
    const struct doca_buf *src;
    bool has_mbufs = false;
    uint32_t num = 0;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_is_buf(src_buf))
        return DOCA_PRIV_FAIL_HANDLE(src_buf);
    if (inventory->stock.obj.state != DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, STOCK_NOT_STARTED, inventory);
    rc = doca_priv_buf_check_list(src_buf, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    for (src = src_buf; src != NULL; src = src->next)
        num++;
    if (num > inventory->stock.num_free)
        return DOCA_PRIV_FAIL(NO_MEMORY, STOCK_EMPTY, inventory);
    for (src = src_buf; src != NULL; src = src->next) {
        copy = doca_priv_stock_take(&inventory->stock, src->mmap, src->head,
                                    doca_priv_buf_len(src));
        doca_priv_mmap_hold(src->mmap);
        copy->data = src->data;
        copy->data_len = src->data_len;
        if (head == NULL) {
            head = copy;
        } else {
            doca_priv_buf_append(head, copy);
        }
        has_mbufs = has_mbufs || src->mmap->obj.owner == DOCA_PRIV_OF_DPDK;
    }
    if (doca_unlikely(has_mbufs))
        doca_priv_dpdk_hold(src_buf);
    *dst_buf = head;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_get_num_elements(
    const struct doca_buf_inventory *inventory, uint32_t *num_of_elements)
{
    doca_error_t rc =
        doca_priv_check_args(inventory, DOCA_PRIV_KIND_INVENTORY, num_of_elements, __func__);

    if (rc == DOCA_SUCCESS)
        *num_of_elements = inventory->stock.num;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_get_num_free_elements(
    const struct doca_buf_inventory *inventory, uint32_t *num_of_free_elements)
{
    doca_error_t rc =
        doca_priv_check_args(inventory, DOCA_PRIV_KIND_INVENTORY, num_of_free_elements, __func__);

    if (rc == DOCA_SUCCESS)
        *num_of_free_elements = inventory->stock.num_free;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_get_user_data(
    const struct doca_buf_inventory *inventory, union doca_data *user_data)
{
    doca_error_t rc =
        doca_priv_check_args(inventory, DOCA_PRIV_KIND_INVENTORY, user_data, __func__);

    if (rc == DOCA_SUCCESS)
        *user_data = inventory->stock.user_data;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_set_user_data(struct doca_buf_inventory *inventory,
                                                             union doca_data user_data)
{
    if (!doca_priv_is(inventory, DOCA_PRIV_KIND_INVENTORY))
        return DOCA_PRIV_FAIL_HANDLE(inventory);
    inventory->stock.user_data = user_data;
    return DOCA_SUCCESS;
}

/* ---- >>impl.pool ---------------------------------------------------------------------------- */

DOCA_CORE_DECL doca_error_t doca_core_bytes_buf_pool(size_t num_elements, size_t *bytes)
{
    return doca_priv_bytes_stock(num_elements, bytes, __func__);
}

/* A NULL `arena` is the one of the mmap. */
static doca_error_t doca_priv_pool_create(struct doca_core_arena *arena, size_t num_elements,
                                          size_t element_size, const struct doca_mmap *mmap,
                                          struct doca_buf_pool **buf_pool, const char *function)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, buf_pool, function);
    struct doca_buf_pool *pool;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (element_size == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_ZERO, function, NULL);
    if (!mmap->has_range)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MMAP_NO_RANGE, function,
                              mmap);
    rc = doca_priv_stock_create(arena != NULL ? arena : mmap->arena, num_elements,
                                DOCA_PRIV_KIND_POOL, NULL, &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    pool = (struct doca_buf_pool *)block;
    pool->mmap = (struct doca_mmap *)(uintptr_t)mmap; /* its bufs are counted there */
    pool->mmap_serial = mmap->serial;
    pool->element_size = element_size;
    *buf_pool = pool;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_buf_pool_create_in(struct doca_core_arena *arena,
                                                         size_t num_elements, size_t element_size,
                                                         const struct doca_mmap *mmap,
                                                         struct doca_buf_pool **buf_pool)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, buf_pool, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    return doca_priv_pool_create(arena, num_elements, element_size, mmap, buf_pool, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_create(size_t num_elements, size_t element_size,
                                                 const struct doca_mmap *mmap,
                                                 struct doca_buf_pool **buf_pool)
{
    return doca_priv_pool_create(NULL, num_elements, element_size, mmap, buf_pool, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_destroy(struct doca_buf_pool *buf_pool)
{
    if (!doca_priv_is(buf_pool, DOCA_PRIV_KIND_POOL))
        return DOCA_PRIV_FAIL_HANDLE(buf_pool);
    if (buf_pool->stock.num_free < buf_pool->stock.num)
        return DOCA_PRIV_FAIL(IN_USE, STOCK_OUTSTANDING, buf_pool);
    return doca_priv_stock_end(&buf_pool->stock);
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_start(struct doca_buf_pool *buf_pool)
{
    size_t mask, padding, stride, offset;
    const struct doca_mmap *mmap;
    struct doca_buf *bufs;
    uint32_t i;

    if (!doca_priv_is(buf_pool, DOCA_PRIV_KIND_POOL))
        return DOCA_PRIV_FAIL_HANDLE(buf_pool);
    mmap = buf_pool->mmap;
    if (buf_pool->stock.obj.state == DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, STOCK_STARTED, buf_pool);
    if (!doca_priv_mmap_serves(mmap, buf_pool->mmap_serial))
        return DOCA_PRIV_FAIL(BAD_STATE, MMAP_NOT_STARTED, buf_pool);
    mask = ((size_t)1 << buf_pool->log_alignment) - 1;
    padding = (size_t)(0 - (uintptr_t)mmap->addr) & mask;
    stride = (buf_pool->element_size + mask) & ~mask;
    if (stride < buf_pool->element_size || padding > mmap->len ||
        stride > (mmap->len - padding) / buf_pool->stock.num)
        return DOCA_PRIV_FAIL(INITIALIZATION, POOL_RANGE_SHORT, buf_pool);
    bufs = doca_priv_stock_bufs(&buf_pool->stock);
    for (i = 0, offset = padding; i < buf_pool->stock.num; i++, offset += stride)
        bufs[i].head = mmap->addr + offset;
    buf_pool->stock.obj.state = DOCA_PRIV_STARTED;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_stop(struct doca_buf_pool *buf_pool)
{
    if (!doca_priv_is(buf_pool, DOCA_PRIV_KIND_POOL))
        return DOCA_PRIV_FAIL_HANDLE(buf_pool);
    if (buf_pool->stock.obj.state != DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, STOCK_NOT_STARTED, buf_pool);
    if (buf_pool->stock.num_free < buf_pool->stock.num)
        return DOCA_PRIV_FAIL(IN_USE, STOCK_OUTSTANDING, buf_pool);
    buf_pool->stock.obj.state = DOCA_PRIV_STOPPED;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_buf_alloc(struct doca_buf_pool *buf_pool,
                                                    struct doca_buf **buf)
{
    doca_error_t rc = doca_priv_check_args(buf_pool, DOCA_PRIV_KIND_POOL, buf, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (doca_unlikely(buf_pool->stock.obj.state != DOCA_PRIV_STARTED))
        return DOCA_PRIV_FAIL(BAD_STATE, STOCK_NOT_STARTED, buf_pool);
    if (doca_unlikely(buf_pool->stock.free_bufs == NULL))
        return DOCA_PRIV_FAIL(EMPTY, STOCK_EMPTY, buf_pool);
    if (doca_unlikely(!doca_priv_mmap_serves(buf_pool->mmap, buf_pool->mmap_serial)))
        return DOCA_PRIV_FAIL(BAD_STATE, MMAP_NOT_STARTED, buf_pool);
    *buf = doca_priv_stock_take(&buf_pool->stock, buf_pool->mmap,
                                buf_pool->stock.free_bufs->head, buf_pool->element_size);
    doca_priv_mmap_hold(buf_pool->mmap);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_set_element_alignment(struct doca_buf_pool *buf_pool,
                                                                size_t element_alignment)
{
    if (!doca_priv_is(buf_pool, DOCA_PRIV_KIND_POOL))
        return DOCA_PRIV_FAIL_HANDLE(buf_pool);
    if (element_alignment == 0 || (element_alignment & (element_alignment - 1)) != 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, POOL_ALIGNMENT, buf_pool);
    if (buf_pool->stock.obj.state == DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, STOCK_STARTED, buf_pool);
    buf_pool->log_alignment = doca_priv_high_bit(element_alignment);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_get_element_alignment(
    const struct doca_buf_pool *buf_pool, size_t *element_alignment)
{
    doca_error_t rc =
        doca_priv_check_args(buf_pool, DOCA_PRIV_KIND_POOL, element_alignment, __func__);

    if (rc == DOCA_SUCCESS)
        *element_alignment = (size_t)1 << buf_pool->log_alignment;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_set_user_data(struct doca_buf_pool *buf_pool,
                                                        union doca_data user_data)
{
    if (!doca_priv_is(buf_pool, DOCA_PRIV_KIND_POOL))
        return DOCA_PRIV_FAIL_HANDLE(buf_pool);
    if (buf_pool->stock.obj.state == DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, STOCK_STARTED, buf_pool);
    buf_pool->stock.user_data = user_data;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_get_user_data(const struct doca_buf_pool *buf_pool,
                                                        union doca_data *user_data)
{
    doca_error_t rc = doca_priv_check_args(buf_pool, DOCA_PRIV_KIND_POOL, user_data, __func__);

    if (rc == DOCA_SUCCESS)
        *user_data = buf_pool->stock.user_data;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_get_num_elements(const struct doca_buf_pool *buf_pool,
                                                           uint32_t *num_of_elements)
{
    doca_error_t rc =
        doca_priv_check_args(buf_pool, DOCA_PRIV_KIND_POOL, num_of_elements, __func__);

    if (rc == DOCA_SUCCESS)
        *num_of_elements = buf_pool->stock.num;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_pool_get_num_free_elements(
    const struct doca_buf_pool *buf_pool, uint32_t *num_of_free_elements)
{
    doca_error_t rc =
        doca_priv_check_args(buf_pool, DOCA_PRIV_KIND_POOL, num_of_free_elements, __func__);

    if (rc == DOCA_SUCCESS)
        *num_of_free_elements = buf_pool->stock.num_free;
    return rc;
}

/* ---- >>impl.buf_array ----------------------------------------------------------------------- */

DOCA_CORE_DECL doca_error_t doca_core_bytes_buf_arr(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_buf_arr), bytes, __func__);
}

/* An array of `num` elements of no mmap yet. */
static doca_error_t doca_priv_array_take(struct doca_core_arena *arena, uint32_t num,
                                         struct doca_buf_arr **buf_arr, const char *function)
{
    void *block = NULL;
    doca_error_t rc = doca_priv_object_take(arena, sizeof(**buf_arr), &block, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    *buf_arr = (struct doca_buf_arr *)block;
    doca_priv_object_init(&(*buf_arr)->obj, DOCA_PRIV_KIND_ARRAY);
    (*buf_arr)->arena = arena;
    (*buf_arr)->num = num;
    return DOCA_SUCCESS;
}

/* A NULL `arena` is the one of the mmap. */
static doca_error_t doca_priv_array_create(struct doca_core_arena *arena, struct doca_mmap *mmap,
                                           struct doca_buf_arr **buf_arr, const char *function)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, buf_arr, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!mmap->has_range)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MMAP_NO_RANGE, function,
                              mmap);
    rc = doca_priv_array_take(arena != NULL ? arena : mmap->arena, 0, buf_arr, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    (*buf_arr)->mmap = mmap;
    (*buf_arr)->mmap_serial = mmap->serial;
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_array_create_v3(struct doca_core_arena *arena, size_t num_elem,
                                              struct doca_buf_arr **buf_arr, const char *function)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, buf_arr, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (num_elem == 0 || num_elem > UINT32_MAX)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE,
                              num_elem == 0 ? DOCA_CORE_ITEM_ZERO : DOCA_CORE_ITEM_STOCK_TOO_MANY,
                              function, NULL);
    return doca_priv_array_take(arena, (uint32_t)num_elem, buf_arr, function);
}

DOCA_CORE_DECL doca_error_t doca_core_buf_arr_create_in(struct doca_core_arena *arena,
                                                        struct doca_mmap *mmap,
                                                        struct doca_buf_arr **buf_arr)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, buf_arr, __func__);

    return rc != DOCA_SUCCESS ? rc : doca_priv_array_create(arena, mmap, buf_arr, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_arr_create(struct doca_mmap *mmap,
                                                struct doca_buf_arr **buf_arr)
{
    return doca_priv_array_create(NULL, mmap, buf_arr, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_v3_buf_arr_create_in(struct doca_core_arena *arena,
                                                           size_t num_elem,
                                                           struct doca_buf_arr **buf_arr)
{
    return doca_priv_array_create_v3(arena, num_elem, buf_arr, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_v3_buf_arr_create(size_t num_elem,
                                                        struct doca_buf_arr **buf_arr)
{
    return doca_priv_array_create_v3(doca_core_arena_bound(), num_elem, buf_arr, __func__);
}

/* Name the row on an mmap of `len` bytes; 0: there is none. */
static doca_error_t doca_priv_array_set_row(struct doca_buf_arr *buf_arr, size_t len, size_t size,
                                            uint32_t num, uint64_t offset, const char *function)
{
    if (size == 0 || num == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_ZERO, function, buf_arr);
    if (buf_arr->obj.state == DOCA_PRIV_STARTED)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_STOCK_STARTED, function,
                              buf_arr);
    if (offset > len || size > (len - (size_t)offset) / num)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MMAP_RANGE_OUTSIDE, function,
                              buf_arr);
    buf_arr->size = size;
    buf_arr->num = num;
    buf_arr->offset = offset;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_arr_set_params(struct doca_buf_arr *buf_arr, size_t size,
                                                    uint32_t num_elem, uint32_t start_offset)
{
    const struct doca_mmap *mmap;

    if (!doca_priv_is(buf_arr, DOCA_PRIV_KIND_ARRAY))
        return DOCA_PRIV_FAIL_HANDLE(buf_arr);
    mmap = buf_arr->mmap;
    return doca_priv_array_set_row(
        buf_arr, mmap != NULL && doca_priv_mmap_is(mmap, buf_arr->mmap_serial) ? mmap->len : 0,
        size, num_elem, start_offset, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_v3_buf_arr_set_params(struct doca_buf_arr *buf_arr,
                                                            struct doca_mmap *mmap,
                                                            size_t elem_size,
                                                            uint64_t start_offset)
{
    doca_error_t rc = doca_priv_check_args(buf_arr, DOCA_PRIV_KIND_ARRAY, mmap, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_MMAP, mmap, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_array_set_row(buf_arr, mmap->len, elem_size, buf_arr->num, start_offset,
                                     __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    buf_arr->mmap = mmap;
    buf_arr->mmap_serial = mmap->serial;
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_stub_arr_start(struct doca_dev *dev, const struct doca_buf_arr *arr,
                                             void **handle);

static doca_error_t doca_priv_array_set_target(struct doca_buf_arr *buf_arr, void *target,
                                               enum doca_core_processor processor,
                                               const char *function)
{
    doca_error_t rc = doca_priv_check_args(buf_arr, DOCA_PRIV_KIND_ARRAY, target, function);
    const struct doca_core_backend *backend = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (buf_arr->obj.state == DOCA_PRIV_STARTED)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_STOCK_STARTED, function,
                              buf_arr);
    doca_priv_lock(&doca_priv_world.lock);
    do
        backend = doca_priv_backend_next(backend);
    while (backend != NULL && backend->arr_start == doca_priv_stub_arr_start);
    doca_priv_unlock(&doca_priv_world.lock);
    if (backend == NULL)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_ARRAY_NO_TARGET, function,
                              buf_arr);
    buf_arr->target = target;
    buf_arr->processor = processor;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_arr_set_target_dpa(struct doca_buf_arr *buf_arr,
                                                        struct doca_dpa *dpa_handler)
{
    return doca_priv_array_set_target(buf_arr, dpa_handler, DOCA_CORE_PROCESSOR_DPA, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_arr_set_target_gpu(struct doca_buf_arr *buf_arr,
                                                        struct doca_gpu *gpu_handler)
{
    return doca_priv_array_set_target(buf_arr, gpu_handler, DOCA_CORE_PROCESSOR_GPU, __func__);
}

/* Have the first device that can make the processor's view. */
static doca_error_t doca_priv_array_show(struct doca_buf_arr *buf_arr)
{
    const struct doca_mmap *mmap = buf_arr->mmap;
    doca_error_t rc = DOCA_ERROR_NOT_SUPPORTED;
    struct doca_dev *dev = NULL;
    uint32_t i;

    for (i = 0; i < mmap->num_devs && rc == DOCA_ERROR_NOT_SUPPORTED; i++) {
        dev = mmap->devs[i].dev;
        rc = dev->backend->arr_start(dev, buf_arr, &buf_arr->handle);
    }
    if (rc == DOCA_SUCCESS) {
        buf_arr->dev = dev;
        doca_priv_dev_hold(dev);
    }
    return rc;
}

static void doca_priv_array_hide(struct doca_buf_arr *buf_arr)
{
    if (buf_arr->dev != NULL) {
        buf_arr->dev->backend->arr_stop(buf_arr->dev, buf_arr, buf_arr->handle);
        doca_priv_dev_drop(buf_arr->dev);
    }
    buf_arr->dev = NULL;
    buf_arr->handle = NULL;
}

DOCA_CORE_DECL doca_error_t doca_buf_arr_start(struct doca_buf_arr *buf_arr)
{
    doca_error_t rc;

    if (!doca_priv_is(buf_arr, DOCA_PRIV_KIND_ARRAY))
        return DOCA_PRIV_FAIL_HANDLE(buf_arr);
    if (buf_arr->obj.state == DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, STOCK_STARTED, buf_arr);
    if (buf_arr->size == 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ARRAY_NO_PARAMS, buf_arr);
    if (!doca_priv_mmap_serves(buf_arr->mmap, buf_arr->mmap_serial))
        return DOCA_PRIV_FAIL(NOT_PERMITTED, MMAP_NOT_STARTED, buf_arr);
    if (buf_arr->target != NULL) {
        rc = doca_priv_array_show(buf_arr);
        if (rc != DOCA_SUCCESS)
            return doca_priv_fail(rc, rc == DOCA_ERROR_NOT_SUPPORTED
                                          ? DOCA_CORE_ITEM_ARRAY_NO_TARGET
                                          : DOCA_CORE_ITEM_BACKEND_REFUSED,
                                  __func__, buf_arr);
    }
    buf_arr->obj.state = DOCA_PRIV_STARTED;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_arr_stop(struct doca_buf_arr *buf_arr)
{
    if (!doca_priv_is(buf_arr, DOCA_PRIV_KIND_ARRAY))
        return DOCA_PRIV_FAIL_HANDLE(buf_arr);
    if (buf_arr->obj.state != DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, STOCK_NOT_STARTED, buf_arr);
    doca_priv_array_hide(buf_arr);
    buf_arr->obj.state = DOCA_PRIV_STOPPED;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_arr_destroy(struct doca_buf_arr *buf_arr)
{
    if (!doca_priv_is(buf_arr, DOCA_PRIV_KIND_ARRAY))
        return DOCA_PRIV_FAIL_HANDLE(buf_arr);
    doca_priv_array_hide(buf_arr);
    return doca_priv_object_give(buf_arr->arena, &buf_arr->obj);
}

/* Can the array give its handle to this kind of processor? */
static doca_error_t doca_priv_array_check_handle(const struct doca_buf_arr *buf_arr,
                                                 const void *out,
                                                 enum doca_core_processor processor,
                                                 const char *function)
{
    doca_error_t rc = doca_priv_check_args(buf_arr, DOCA_PRIV_KIND_ARRAY, out, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (buf_arr->obj.state != DOCA_PRIV_STARTED)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_STOCK_NOT_STARTED, function,
                              buf_arr);
    if (buf_arr->dev == NULL || buf_arr->processor != processor)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_ARRAY_NO_TARGET, function,
                              buf_arr);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_arr_get_dpa_handle(const struct doca_buf_arr *buf_arr,
                                                        struct doca_dpa_dev_buf_arr **dpa_buf_arr)
{
    doca_error_t rc = doca_priv_array_check_handle(buf_arr, dpa_buf_arr, DOCA_CORE_PROCESSOR_DPA,
                                                   __func__);

    if (rc == DOCA_SUCCESS)
        *dpa_buf_arr = (struct doca_dpa_dev_buf_arr *)buf_arr->handle;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_v3_buf_arr_get_dpa_handle(
    const struct doca_buf_arr *buf_arr, doca_dpa_dev_buf_arr_t *dpa_buf_arr)
{
    doca_error_t rc = doca_priv_array_check_handle(buf_arr, dpa_buf_arr, DOCA_CORE_PROCESSOR_DPA,
                                                   __func__);

    if (rc == DOCA_SUCCESS)
        *dpa_buf_arr = (uintptr_t)buf_arr->handle;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_arr_get_gpu_handle(const struct doca_buf_arr *buf_arr,
                                                        struct doca_gpu_buf_arr **gpu_buf_arr)
{
    doca_error_t rc = doca_priv_array_check_handle(buf_arr, gpu_buf_arr, DOCA_CORE_PROCESSOR_GPU,
                                                   __func__);

    if (rc == DOCA_SUCCESS)
        *gpu_buf_arr = (struct doca_gpu_buf_arr *)buf_arr->handle;
    return rc;
}

/* ---- >>impl.task ---------------------------------------------------------------------------- */

/* What the kinds of contexts differ in, above the backend. */
struct doca_priv_engine {
    enum doca_core_engine id;
    bool error_stops; /* a failed task breaks the context */
    bool (*is_supported)(const struct doca_core_limits *limits);

    /* What try_submit refuses: SUCCESS, or the code and in *item the reason. */
    doca_error_t (*check)(const struct doca_task *task, enum doca_core_item *item);

    /* Has the task all that a queue asks for when it takes it? */
    bool (*is_complete)(const struct doca_task *task);

    /* What is to be done before the callback of a finished task, and without one. */
    void (*settle)(struct doca_task *task);

    /* Open ctx->queue, which is zeroed, or say why not: SUCCESS, IN_PROGRESS, or logged. */
    doca_error_t (*open)(struct doca_ctx *ctx, uint32_t num_tasks, const char *function);
};

#define DOCA_PRIV_ENGINE_NONE ((enum doca_core_engine)0) /* its backend serves nothing else */

static void doca_priv_pe_activate(struct doca_ctx *ctx);
static void doca_priv_graph_task_done(struct doca_task *task);
static union doca_data *doca_priv_graph_user_data(const struct doca_task *task);

DOCA_CORE_DECL doca_error_t doca_priv_task_refuse(const struct doca_task *task,
                                                  const char *function)
{
    return doca_priv_fail_handle(task, function);
}

static struct doca_priv_task_stock *doca_priv_ctx_stocks(const struct doca_ctx *ctx)
{
    return (struct doca_priv_task_stock *)((uintptr_t)ctx + sizeof(*ctx));
}

/* Is the task of the type with this `done`? In a batch, or while it runs in a graph, it ends in
 * another one. */
DOCA_PRIV_HOT bool doca_priv_task_is_of(const struct doca_task *task,
                                        void (*done)(struct doca_task *task))
{
    return doca_likely(task->done == done) ||
           doca_priv_ctx_stocks(task->ctx)[task->type].done == done;
}

/* May the program change the task? Not while it is free or in flight, or of another type than the
 * one with this `done`; NULL: of any type. */
DOCA_PRIV_HOT doca_error_t doca_priv_task_check(const void *handle,
                                                void (*done)(struct doca_task *task),
                                                const char *function)
{
    const struct doca_task *task = (const struct doca_task *)handle;

    if (doca_unlikely(!doca_priv_is_task(task)))
        return doca_priv_task_refuse(task, function);
    if (DOCA_CORE_CHECK >= 1 && done != NULL && !doca_priv_task_is_of(task, done))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_DEAD_HANDLE, function, task);
    if (doca_unlikely(task->state != DOCA_PRIV_TASK_OWNED) && task->state != DOCA_PRIV_TASK_HELD)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_TASK_NOT_OWNED, function, task);
    return DOCA_SUCCESS;
}

struct doca_priv_task_list {
    uint32_t num;
    bool is_far;    /* not all of it is at its address in this process */
    uint64_t bytes; /* of content, or of room behind it; UINT64_MAX: more than can be counted */
    const struct doca_buf *last;
};

/* A buffer that a device cannot just use: why not, or DOCA_SUCCESS when its memory is elsewhere. */
DOCA_PRIV_COLD doca_error_t doca_priv_task_doubt(const struct doca_buf *buf,
                                                 const struct doca_dev *dev, bool is_destination,
                                                 enum doca_core_item *item)
{
    *item = DOCA_CORE_ITEM_TASK_RETURNED;
    if (buf->flags == 0)
        return DOCA_ERROR_INVALID_VALUE;
    *item = DOCA_CORE_ITEM_TASK_NOT_MAPPED;
    if ((buf->mmap->dev_mask & dev->bit) == 0 && !doca_priv_mmap_is_far(buf->mmap, dev))
        return DOCA_ERROR_INVALID_VALUE;
    *item = DOCA_CORE_ITEM_TASK_READ_ONLY;
    if (is_destination && (buf->flags & DOCA_PRIV_BUF_WRITE) == 0)
        return DOCA_ERROR_NOT_PERMITTED;
    *item = DOCA_CORE_ITEM_TASK_WRITE_ONLY;
    if (!is_destination && (buf->mmap->is_write_only || !buf->mmap->far->may_read))
        return DOCA_ERROR_NOT_PERMITTED;
    return DOCA_SUCCESS;
}

/* Walk a list as `dev` would. */
DOCA_PRIV_HOT doca_error_t doca_priv_task_measure(const struct doca_buf *buf,
                                                  const struct doca_dev *dev, bool is_destination,
                                                  struct doca_priv_task_list *list,
                                                  enum doca_core_item *item)
{
    const unsigned needed = is_destination ? DOCA_PRIV_BUF_WRITE : 0xff; /* one of these flags */
    doca_error_t rc;
    size_t here;

    list->num = 0;
    list->is_far = false;
    list->bytes = 0;
    for (; buf != NULL; buf = buf->next) {
        /* a returned one's link leads into the stock: go no further */
        if (doca_unlikely((buf->flags & needed) == 0 || (buf->mmap->dev_mask & dev->bit) == 0)) {
            rc = doca_priv_task_doubt(buf, dev, is_destination, item);
            if (rc != DOCA_SUCCESS)
                return rc;
            list->is_far = true;
        }
        here = is_destination ? doca_priv_buf_tailroom(buf) : buf->data_len;
        list->num++;
        list->bytes = here > UINT64_MAX - list->bytes ? UINT64_MAX : list->bytes + here;
        list->last = buf;
    }
    return DOCA_SUCCESS;
}

/* Measure source and destination, refusing what every engine refuses. */
DOCA_PRIV_HOT doca_error_t doca_priv_task_lists(const struct doca_buf *src_buf,
                                                const struct doca_buf *dst_buf,
                                                const struct doca_dev *dev,
                                                struct doca_priv_task_list *src,
                                                struct doca_priv_task_list *dst,
                                                enum doca_core_item *item)
{
    doca_error_t rc;

    if (!doca_priv_is_buf(src_buf) || !doca_priv_is_buf(dst_buf)) {
        *item = DOCA_CORE_ITEM_TASK_NO_BUFFER;
        return DOCA_ERROR_INVALID_VALUE;
    }
    rc = doca_priv_task_measure(src_buf, dev, false, src, item);
    return rc != DOCA_SUCCESS ? rc : doca_priv_task_measure(dst_buf, dev, true, dst, item);
}

/* What is too much of a task that writes `bytes`, or ITEM_NONE. */
static enum doca_core_item doca_priv_task_excess(const struct doca_priv_task_list *src,
                                                 const struct doca_priv_task_list *dst,
                                                 uint64_t bytes, uint64_t max_bytes,
                                                 uint32_t max_num)
{
    if (src->bytes > max_bytes || src->bytes == UINT64_MAX)
        return DOCA_CORE_ITEM_TASK_TOO_LARGE;
    if (bytes > dst->bytes)
        return DOCA_CORE_ITEM_TASK_NO_ROOM;
    if (src->num > max_num || dst->num > max_num)
        return DOCA_CORE_ITEM_TASK_LIST_TOO_LONG;
    return DOCA_CORE_ITEM_NONE;
}

/* Take the first free task of a type, or say why not. */
DOCA_PRIV_HOT doca_error_t doca_priv_task_take(struct doca_ctx *ctx, unsigned type,
                                               struct doca_task **task, const char *function)
{
    struct doca_task *t = ctx->free_tasks[type];

    if (doca_unlikely(ctx->obj.state != DOCA_CTX_STATE_RUNNING))
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_CTX_NOT_RUNNING, function, ctx);
    if (doca_unlikely(t == NULL))
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_TASK_POOL_EMPTY, function, ctx);
    DOCA_PRIV_CHECKED(if (!doca_priv_check_may(ctx->pe, function)) return DOCA_ERROR_NOT_PERMITTED;)
    ctx->free_tasks[type] = t->next;
    doca_priv_task_set_state(t, DOCA_PRIV_TASK_OWNED);
    t->status = DOCA_SUCCESS;
    *task = t;
    DOCA_PRIV_CHECKED(doca_priv_check_note(t, DOCA_PRIV_NOTE_TAKEN);)
    return DOCA_SUCCESS;
}

/* What a task keeps of a code that others made: one that has no room there stays a failure. */
static uint8_t doca_priv_task_status(doca_error_t rc)
{
    uint32_t code = (uint32_t)rc;

    return (uint8_t)(code <= UINT8_MAX ? code : (uint32_t)DOCA_ERROR_UNKNOWN);
}

/* Why a queue did not take a task. */
static enum doca_core_item doca_priv_task_refusal(doca_error_t rc)
{
    return rc == DOCA_ERROR_AGAIN           ? DOCA_CORE_ITEM_QUEUE_FULL
           : rc == DOCA_ERROR_INVALID_VALUE ? DOCA_CORE_ITEM_TASK_NO_BUFFER
                                            : DOCA_CORE_ITEM_BACKEND_REFUSED;
}

static void doca_priv_ctx_tell(struct doca_ctx *ctx, bool is_followed);

static doca_error_t doca_priv_task_post_other(struct doca_core_queue *queue,
                                              struct doca_task *task);

/* From here on a submit has more to do than to post, or, of an active context, no longer. */
static void doca_priv_ctx_lengthen(struct doca_ctx *ctx)
{
    ctx->post = doca_priv_task_post_other;
    ctx->can_hold = false;
}

static void doca_priv_ctx_shorten(struct doca_ctx *ctx)
{
    if (!ctx->pe->is_armed) {
        ctx->post = ctx->queue->post != doca_core_queue_append ? ctx->queue->post : NULL;
        ctx->can_hold = ctx->backend->queue_ring != NULL;
    }
}

/* What post is where there is more to do: the context does not run, keeps tasks that go first, is
 * not in the ring, or its PE may have to wake somebody. */
static doca_error_t doca_priv_task_post_other(struct doca_core_queue *queue, struct doca_task *task)
{
    struct doca_ctx *ctx = task->ctx;
    doca_error_t rc;

    (void)queue;
    if (ctx->obj.state != DOCA_CTX_STATE_RUNNING)
        return DOCA_ERROR_BAD_STATE;
    if (ctx->kept != NULL)
        doca_priv_ctx_tell(ctx, true);
    rc = ctx->kept == NULL ? ctx->queue->post(ctx->queue, task) : DOCA_ERROR_AGAIN;
    if (rc == DOCA_SUCCESS) {
        doca_priv_pe_activate(ctx);
        doca_priv_ctx_shorten(ctx);
    }
    return rc;
}

static struct doca_task *doca_priv_ctx_poll_none(struct doca_core_queue *queue)
{
    (void)queue;
    return NULL;
}

/* Keep a task of a running context until its queue is told. */
static doca_error_t doca_priv_task_keep(struct doca_task *task)
{
    struct doca_ctx *ctx = task->ctx;

    if (!ctx->engine->is_complete(task))
        return DOCA_ERROR_INVALID_VALUE;
    if (ctx->kept == NULL && ctx->backend->queue_ring != NULL && !ctx->pe->is_armed &&
        doca_priv_task_hold(task, ctx) == DOCA_SUCCESS) {
        DOCA_PRIV_CHECKED(doca_priv_check_begin(task);)
        doca_priv_pe_activate(ctx);
        doca_priv_ctx_shorten(ctx);
        return DOCA_SUCCESS;
    }
    DOCA_PRIV_CHECKED(doca_priv_check_begin(task);)
    task->state = DOCA_PRIV_TASK_SUBMITTED;
    task->next = NULL;
    if (ctx->kept == NULL)
        ctx->kept = task;
    else
        ctx->kept_last->next = task;
    ctx->kept_last = task;
    ctx->num_inflight++;
    doca_priv_ctx_lengthen(ctx);
    doca_priv_pe_activate(ctx);
    return DOCA_SUCCESS;
}

/* Submit a task whose queue was not asked yet. */
static doca_error_t doca_priv_task_begin(struct doca_task *task, bool checked, bool flushes,
                                         const char *function)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_ctx *ctx;
    doca_error_t rc;

    if (!doca_priv_is_task(task))
        return doca_priv_task_refuse(task, function);
    ctx = task->ctx;
    if (task->state != DOCA_PRIV_TASK_OWNED)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_TASK_NOT_OWNED, function, task);
    if (ctx->obj.state != DOCA_CTX_STATE_RUNNING)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_CTX_NOT_RUNNING, function, ctx);
    rc = checked ? ctx->engine->check(task, &item) : DOCA_SUCCESS;
    if (rc != DOCA_SUCCESS)
        return doca_priv_fail(rc, item, function, task);
    DOCA_PRIV_CHECKED(if (!doca_priv_check_enter(ctx->pe, function))
                          return DOCA_ERROR_NOT_PERMITTED;)
    rc = flushes ? doca_priv_task_post(task) : doca_priv_task_keep(task);
    DOCA_PRIV_CHECKED(if (flushes && rc == DOCA_SUCCESS) doca_priv_check_begin(task);
                      doca_priv_check_leave(ctx->pe);)
    if (rc != DOCA_SUCCESS) {
        task->state = DOCA_PRIV_TASK_OWNED;
        return doca_priv_fail(rc, doca_priv_task_refusal(rc), function, task);
    }
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_priv_task_submit_other(struct doca_task *task, uint32_t flags,
                                                        doca_error_t rc, const char *function)
{
    const uint32_t known = DOCA_TASK_SUBMIT_FLAG_FLUSH | DOCA_TASK_SUBMIT_FLAG_OPTIMIZE_REPORTS;

    if (rc == DOCA_SUCCESS && flags > known && doca_priv_is_task(task))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_TASK_FLAGS, function, task);
    if (rc == DOCA_SUCCESS)
        return doca_priv_task_begin(task, DOCA_CORE_CHECK >= 2,
                                    (flags & DOCA_TASK_SUBMIT_FLAG_FLUSH) != 0, function);
    task->state = DOCA_PRIV_TASK_OWNED;
    if (task->ctx->obj.state != DOCA_CTX_STATE_RUNNING)
        return doca_priv_fail(rc, DOCA_CORE_ITEM_CTX_NOT_RUNNING, function, task->ctx);
    return doca_priv_fail(rc, doca_priv_task_refusal(rc), function, task);
}

DOCA_CORE_DECL doca_error_t doca_task_submit(struct doca_task *task)
{
    return doca_priv_hot_task_submit(task);
}

DOCA_CORE_DECL doca_error_t doca_task_try_submit(struct doca_task *task)
{
    return doca_priv_task_begin(task, true, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_task_submit_ex(struct doca_task *task, uint32_t flags)
{
    return doca_priv_hot_task_submit_ex(task, flags);
}

/* One thing less that holds a stopping context back from IDLE. */
static void doca_priv_ctx_let_go(struct doca_ctx *ctx)
{
    if (ctx->obj.state == DOCA_CTX_STATE_STOPPING && --ctx->num_out == 0)
        doca_priv_pe_activate(ctx);
}

DOCA_CORE_DECL void doca_priv_task_free_other(struct doca_task *task)
{
    if (!doca_priv_is_task(task)) {
        (void)doca_priv_task_refuse(task, "doca_task_free");
        return;
    }
    if (task->state != DOCA_PRIV_TASK_OWNED) {
        (void)doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_TASK_NOT_OWNED, "doca_task_free",
                             task);
        return;
    }
    DOCA_PRIV_CHECKED(if (!doca_priv_check_may(task->ctx->pe, "doca_task_free")) return;)
    doca_priv_task_put(task);
    doca_priv_ctx_let_go(task->ctx);
}

DOCA_CORE_DECL void doca_task_free(struct doca_task *task)
{
    doca_priv_hot_task_free(task);
}

DOCA_CORE_DECL doca_error_t doca_task_get_status(const struct doca_task *task)
{
    return doca_priv_hot_task_get_status(task);
}

DOCA_CORE_DECL void doca_task_set_user_data(struct doca_task *task, union doca_data user_data)
{
    if (!doca_priv_is_task(task))
        (void)DOCA_PRIV_FAIL_HANDLE(task);
    else if (task->state == DOCA_PRIV_TASK_FREE)
        (void)DOCA_PRIV_FAIL(BAD_STATE, TASK_NOT_OWNED, task);
    else if (doca_unlikely(task->done == doca_priv_graph_task_done))
        *doca_priv_graph_user_data(task) = user_data;
    else
        task->user_data = user_data;
}

DOCA_CORE_DECL union doca_data doca_task_get_user_data(const struct doca_task *task)
{
    union doca_data none;

    if (doca_priv_is_task(task))
        return doca_unlikely(task->done == doca_priv_graph_task_done)
                   ? *doca_priv_graph_user_data(task)
                   : task->user_data;
    (void)DOCA_PRIV_FAIL_HANDLE(task);
    none.u64 = 0;
    return none;
}

DOCA_CORE_DECL struct doca_ctx *doca_task_get_ctx(const struct doca_task *task)
{
    if (doca_priv_is_task(task))
        return task->ctx;
    (void)DOCA_PRIV_FAIL_HANDLE(task);
    return NULL;
}

/* ---- >>impl.ctx -----------------------------------------------------------------------------
 * Invariants: queue != NULL exactly outside IDLE. A context with tasks in flight, with changes to
 * report, or on its way to RUNNING or IDLE is in the ring of its PE; others leave it when progress
 * comes by. `attention` is set exactly while progress must do more than poll the queue.
 * Tasks submitted without FLUSH are kept. post is the queue's only where a submit has nothing else
 * to do; a submit that has, and ends it, sets it.                                               */

static bool doca_priv_is_ctx(const struct doca_ctx *ctx)
{
    return doca_priv_is_between(ctx, DOCA_PRIV_KIND_DMA, DOCA_PRIV_KIND_SYNC_EVENT);
}

/* The common check of calls with a context of any kind and one pointer. */
static doca_error_t doca_priv_ctx_check(const struct doca_ctx *ctx, const void *pointer,
                                        const char *function)
{
    uint8_t kind = doca_priv_is_ctx(ctx) ? ctx->obj.kind : (uint8_t)DOCA_PRIV_KIND_DMA;

    return doca_priv_check_args(ctx, kind, pointer, function);
}

static void doca_priv_pe_deactivate(struct doca_ctx *ctx);
static bool doca_priv_pe_watch(struct doca_ctx *ctx);
static void doca_priv_pe_unwatch(struct doca_ctx *ctx);
static void doca_priv_pe_follow(struct doca_ctx *ctx);
static void doca_priv_pe_unfollow(struct doca_ctx *ctx);

static void doca_priv_ctx_init(struct doca_ctx *ctx, uint8_t kind,
                               const struct doca_priv_engine *engine,
                               const struct doca_core_backend *backend,
                               struct doca_core_arena *arena, struct doca_dev *dev,
                               uint8_t num_stocks)
{
    doca_priv_object_init(&ctx->obj, kind);
    ctx->engine = engine;
    ctx->backend = backend;
    ctx->arena = arena;
    ctx->dev = dev;
    ctx->num_stocks = num_stocks;
    if (dev != NULL)
        doca_priv_dev_hold(dev);
}

static size_t doca_priv_batch_bytes(uint32_t max_tasks);
static void doca_priv_batch_stock_up(struct doca_ctx *ctx, unsigned char *slot);
static void doca_priv_batch_stock_end(struct doca_ctx *ctx);

/* Take the block of a started context: the queue, the tasks of each type, then the batches. */
static doca_error_t doca_priv_ctx_carve(struct doca_core_arena *arena, const struct doca_ctx *ctx,
                                        unsigned char **queue, unsigned char **tasks,
                                        const char *function)
{
    const struct doca_priv_task_stock *stocks = doca_priv_ctx_stocks(ctx);
    uint32_t num_tasks = 0, i;
    size_t bytes, queue_bytes;
    void *block = NULL;
    doca_error_t rc;

    for (i = 0; i < ctx->num_stocks; i++)
        num_tasks += stocks[i].num;
    queue_bytes = ctx->backend->queue_bytes(ctx->dev, ctx->engine->id, num_tasks);
    if (queue_bytes < sizeof(struct doca_core_queue))
        return doca_priv_fail(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_BACKEND_QUEUE, function,
                              ctx);
    queue_bytes = doca_priv_round_up(queue_bytes);
    bytes = doca_priv_size(ctx->batches.num, doca_priv_batch_bytes(ctx->batches.max_tasks),
                           queue_bytes);
    for (i = 0; i < ctx->num_stocks; i++)
        bytes = doca_priv_size(stocks[i].num, stocks[i].task_bytes, bytes);
    rc = doca_priv_arena_take(arena, bytes, &block, function);
    if (rc == DOCA_SUCCESS && block != NULL) {
        *queue = (unsigned char *)block;
        *tasks = *queue + queue_bytes;
        DOCA_CORE_MEMSET(block, 0, queue_bytes);
    }
    return rc;
}

/* What a context like `model` costs, an object of `object_bytes` and its block once started. */
static doca_error_t doca_priv_ctx_bytes(const struct doca_ctx *model, size_t object_bytes,
                                        size_t *bytes, const char *function)
{
    struct doca_core_arena count;
    unsigned char *queue, *tasks;
    doca_error_t rc;
    void *block;

    doca_priv_arena_clear(&count);
    rc = doca_priv_object_take(&count, object_bytes, &block, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_ctx_carve(&count, model, &queue, &tasks, function);
    return doca_priv_counted(&count, rc, bytes);
}

/* Fill the stocks with free tasks and batches. */
static void doca_priv_ctx_stock_up(struct doca_ctx *ctx, unsigned char *slot)
{
    struct doca_priv_task_stock *stock;
    struct doca_task *task, **link;
    uint32_t i, n;

    for (i = 0; i < ctx->num_stocks; i++) {
        stock = &doca_priv_ctx_stocks(ctx)[i];
        link = &ctx->free_tasks[i];
        for (n = 0; n < stock->num; n++, slot += stock->task_bytes) {
            DOCA_CORE_MEMSET(slot, 0, stock->task_bytes);
            task = (struct doca_task *)(void *)slot;
            task->kind = DOCA_PRIV_KIND_TASK;
            task->type = (uint8_t)i;
            task->ctx = ctx;
            task->done = stock->done;
            *link = task;
            link = &task->next;
        }
    }
    doca_priv_batch_stock_up(ctx, slot);
}

/* Bring `attention` up to date after a change of state or events. An idle context without events
 * leaves the ring. */
static void doca_priv_ctx_settle(struct doca_ctx *ctx)
{
    ctx->attention = ctx->num_events > 0 || ctx->obj.state == DOCA_CTX_STATE_STARTING ||
                     ctx->obj.state == DOCA_CTX_STATE_STOPPING || ctx->refused != NULL ||
                     ctx->must_tell;
    ctx->poll = ctx->attention || ctx->queue == NULL ? doca_priv_ctx_poll_none : ctx->queue->poll;
    if (!ctx->attention && ctx->obj.state == DOCA_CTX_STATE_IDLE)
        doca_priv_pe_deactivate(ctx);
}

/* Move to `next`, and keep the change for the program if it wants to know. */
static void doca_priv_ctx_enter(struct doca_ctx *ctx, enum doca_ctx_states next)
{
    uint8_t *e = ctx->events;
    uint8_t prev = ctx->obj.state, n;

    ctx->obj.state = (uint8_t)next;
    DOCA_PRIV_CHECKED(doca_priv_check_note(ctx, DOCA_PRIV_NOTE_STATE + (unsigned)next);)
    doca_priv_ctx_lengthen(ctx);
    if (ctx->state_cb != NULL) {
        if (ctx->num_events == DOCA_PRIV_CTX_EVENTS) { /* the two oldest become one, or none */
            (void)DOCA_PRIV_FAIL(FULL, CTX_EVENTS_FOLDED, ctx);
            e[1] = (uint8_t)(e[0] / 4 * 4 + e[1] % 4);
            n = e[1] / 4 == e[1] % 4 ? 2 : 1;
            DOCA_CORE_MEMMOVE(e, e + n, (size_t)(DOCA_PRIV_CTX_EVENTS - n));
            ctx->num_events = (uint8_t)(ctx->num_events - n);
        }
        e[ctx->num_events++] = (uint8_t)(prev * 4 + next);
    }
    doca_priv_ctx_settle(ctx);
    if (ctx->attention)
        doca_priv_pe_activate(ctx);
}

/* Give back the block that start took. Its tasks, all of them free, become dead handles. */
static void doca_priv_ctx_give_block(struct doca_ctx *ctx)
{
    struct doca_task *task;
    uint32_t i;

    for (i = 0; DOCA_CORE_CHECK >= 1 && i < ctx->num_stocks; i++)
        for (task = ctx->free_tasks[i]; task != NULL; task = task->next)
            task->kind = 0;
    doca_priv_batch_stock_end(ctx);
    (void)doca_core_arena_give(ctx->arena, ctx->queue);
    ctx->queue = NULL;
}

/* Undo a start that succeeded, or that was going to. */
static void doca_priv_ctx_unwind(struct doca_ctx *ctx)
{
    doca_priv_pe_unwatch(ctx);
    doca_priv_pe_unfollow(ctx);
    ctx->backend->queue_close(ctx->queue);
    doca_priv_ctx_give_block(ctx);
}

static void doca_priv_ctx_enter_idle(struct doca_ctx *ctx)
{
    doca_priv_ctx_unwind(ctx);
    doca_priv_ctx_enter(ctx, DOCA_CTX_STATE_IDLE);
}

/* The oldest task that is kept cannot be told: it ends in progress, with `status`. */
static void doca_priv_ctx_refuse(struct doca_ctx *ctx, doca_error_t status)
{
    struct doca_task *task = ctx->kept;

    ctx->kept = task->next;
    task->next = NULL;
    task->status = doca_priv_task_status(status);
    if (ctx->refused == NULL)
        ctx->refused = task;
    else
        ctx->refused_last->next = task;
    ctx->refused_last = task;
}

/* Tell the queue of the tasks that are kept, as far as it has room. is_followed: another one is
 * posted then. */
static void doca_priv_ctx_tell(struct doca_ctx *ctx, bool is_followed)
{
    struct doca_core_queue *queue = ctx->queue;
    struct doca_task *task, *next;
    doca_error_t rc = DOCA_SUCCESS;

    while ((task = ctx->kept) != NULL && rc != DOCA_ERROR_AGAIN) {
        next = task->next;
        task->more = is_followed || next != NULL ? DOCA_CORE_MORE_AT_ONCE : DOCA_CORE_MORE_NONE;
        rc = queue->post(queue, task);
        task->more = DOCA_CORE_MORE_NONE;
        if (doca_likely(rc == DOCA_SUCCESS)) {
            ctx->kept = next;
        } else {
            task->next = next;
            if (rc != DOCA_ERROR_AGAIN)
                doca_priv_ctx_refuse(ctx, rc);
        }
    }
    if (!is_followed && ctx->backend->queue_ring != NULL)
        ctx->backend->queue_ring(queue);
    ctx->must_tell = ctx->kept != NULL;
    doca_priv_ctx_settle(ctx);
    doca_priv_pe_activate(ctx);
}

DOCA_CORE_DECL void doca_ctx_flush_tasks(struct doca_ctx *ctx)
{
    if (!doca_priv_is_ctx(ctx))
        (void)DOCA_PRIV_FAIL_HANDLE(ctx);
    else if (ctx->kept != NULL)
        doca_priv_ctx_tell(ctx, false);
    else if (ctx->queue != NULL && ctx->backend->queue_ring != NULL)
        ctx->backend->queue_ring(ctx->queue);
}

/* How many tasks and batches are not free. Those in flight are among them. */
static uint32_t doca_priv_ctx_count_out(const struct doca_ctx *ctx)
{
    const struct doca_task_batch *batch;
    const struct doca_task *task;
    uint32_t num = 0, i;

    for (i = 0; ctx->queue != NULL && i < ctx->num_stocks; i++) {
        num += doca_priv_ctx_stocks(ctx)[i].num;
        for (task = ctx->free_tasks[i]; task != NULL; task = task->next)
            num--;
    }
    num += ctx->queue != NULL ? ctx->batches.num : 0;
    for (batch = ctx->batches.free_batches; batch != NULL; batch = batch->next)
        num--;
    return num;
}

/* Begin to stop: what has not begun in the queue, or is not in it, ends with `status`. */
static void doca_priv_ctx_enter_stopping(struct doca_ctx *ctx, doca_error_t status)
{
    while (ctx->kept != NULL)
        doca_priv_ctx_refuse(ctx, status);
    ctx->must_tell = false;
    if (ctx->num_inflight > 0)
        ctx->backend->queue_flush(ctx->queue, status);
    ctx->num_out = doca_priv_ctx_count_out(ctx);
    doca_priv_ctx_enter(ctx, DOCA_CTX_STATE_STOPPING);
}

/* Hand the oldest change to the program. Nothing here touches the context afterwards: the program
 * may destroy it. */
static void doca_priv_ctx_report(struct doca_ctx *ctx)
{
    doca_ctx_state_changed_callback_t cb = ctx->state_cb;
    uint8_t event = ctx->events[0];

    ctx->num_events--;
    DOCA_CORE_MEMMOVE(ctx->events, ctx->events + 1, ctx->num_events);
    doca_priv_ctx_settle(ctx);
    if (cb != NULL)
        cb(ctx->user_data, ctx, (enum doca_ctx_states)(event / 4),
           (enum doca_ctx_states)(event % 4));
}

/* What comes before the error callback of a task: some engines break at the first one. */
DOCA_PRIV_COLD void doca_priv_task_failed(const struct doca_task *task)
{
    struct doca_ctx *ctx = task->ctx;
    struct doca_priv_failure broken;

    if (!ctx->engine->error_stops || ctx->obj.state != DOCA_CTX_STATE_RUNNING)
        return;
    /* logged only: the last error stays what the task failed of */
    broken = doca_priv_failure_make((doca_error_t)task->status, DOCA_CORE_ITEM_CTX_BROKEN,
                                    "doca_pe_progress", ctx);
    doca_priv_log(&broken);
    doca_priv_ctx_enter_stopping(ctx, DOCA_ERROR_IO_FAILED);
}

/* Progress one task of a context that may have some the queue did not take. */
static bool doca_priv_ctx_finish_one(struct doca_ctx *ctx)
{
    struct doca_task *task = ctx->queue->poll(ctx->queue);

    if (task == NULL && ctx->refused != NULL) {
        task = ctx->refused;
        ctx->refused = task->next;
        doca_priv_ctx_settle(ctx);
        (void)doca_priv_fail((doca_error_t)task->status,
                             ctx->obj.state == DOCA_CTX_STATE_STOPPING
                                 ? DOCA_CORE_ITEM_FLUSHED
                                 : doca_priv_task_refusal((doca_error_t)task->status),
                             "doca_pe_progress", task);
    }
    if (task != NULL)
        doca_priv_ctx_complete(ctx, task);
    return task != NULL;
}

/* The part of progress for contexts that need more than a poll. True: something moved, and the
 * context may be gone. */
static bool doca_priv_ctx_attend(struct doca_ctx *ctx)
{
    doca_error_t rc;

    if (ctx->num_events > 0) {
        doca_priv_ctx_report(ctx);
        return true;
    }
    if (ctx->obj.state == DOCA_CTX_STATE_RUNNING) {
        if (ctx->must_tell)
            doca_priv_ctx_tell(ctx, false);
        return doca_priv_ctx_finish_one(ctx);
    }
    if (ctx->obj.state == DOCA_CTX_STATE_STARTING) {
        rc = ctx->backend->queue_opening(ctx->queue);
        if (rc == DOCA_ERROR_IN_PROGRESS)
            return false;
        if (rc == DOCA_SUCCESS) {
            doca_priv_ctx_enter(ctx, DOCA_CTX_STATE_RUNNING);
        } else {
            (void)doca_priv_fail(rc, DOCA_CORE_ITEM_BACKEND_REFUSED, "doca_pe_progress", ctx);
            doca_priv_ctx_enter_stopping(ctx, rc);
        }
    } else { /* STOPPING */
        if (ctx->num_inflight > 0)
            return doca_priv_ctx_finish_one(ctx);
        if (ctx->num_out > 0) { /* the last doca_task_free() brings it back */
            doca_priv_pe_deactivate(ctx);
            return false;
        }
        doca_priv_ctx_enter_idle(ctx);
    }
    if (ctx->num_events > 0)
        doca_priv_ctx_report(ctx);
    return true;
}

/* Would progress find something to do for `ctx` at once? */
static bool doca_priv_ctx_has_work(struct doca_ctx *ctx)
{
    if (ctx->num_events > 0 || ctx->refused != NULL)
        return true;
    if (ctx->obj.state == DOCA_CTX_STATE_STARTING)
        return ctx->backend->queue_opening(ctx->queue) != DOCA_ERROR_IN_PROGRESS;
    if (ctx->num_inflight > 0)
        return ctx->backend->queue_ready(ctx->queue);
    return ctx->obj.state == DOCA_CTX_STATE_STOPPING && ctx->num_out == 0;
}

/* Can its device fail? And has it? */
static bool doca_priv_ctx_is_fallible(const struct doca_ctx *ctx)
{
    return ctx->dev != NULL && ctx->dev->backend->dev_failed != NULL;
}

static bool doca_priv_ctx_is_lost(const struct doca_ctx *ctx)
{
    return doca_priv_ctx_is_fallible(ctx) && ctx->dev->backend->dev_failed(ctx->dev);
}

/* The queue of a device: its backend opens it. */
static doca_error_t doca_priv_ctx_open_queue(struct doca_ctx *ctx, uint32_t num_tasks,
                                             const char *function)
{
    doca_error_t rc = ctx->backend->queue_open(ctx->queue, ctx->engine->id, num_tasks);

    return rc == DOCA_SUCCESS || rc == DOCA_ERROR_IN_PROGRESS
               ? rc
               : doca_priv_fail(rc, DOCA_CORE_ITEM_BACKEND_REFUSED, function, ctx);
}

DOCA_CORE_DECL doca_error_t doca_ctx_start(struct doca_ctx *ctx)
{
    unsigned char *queue = NULL, *tasks = NULL;
    uint32_t i, num_tasks = 0;
    doca_error_t rc;

    if (!doca_priv_is_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (ctx->obj.state != DOCA_CTX_STATE_IDLE)
        return DOCA_PRIV_FAIL(BAD_STATE, CTX_NOT_IDLE, ctx);
    if (ctx->pe == NULL)
        return DOCA_PRIV_FAIL(NOT_CONNECTED, CTX_NO_PE, ctx);
    DOCA_PRIV_CHECKED(if (!doca_priv_check_may(ctx->pe, __func__)) return DOCA_ERROR_NOT_PERMITTED;)
    if (ctx->dev != NULL && !ctx->engine->is_supported(&ctx->dev->info.attr.limits))
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, CTX_UNSUITABLE, ctx);
    for (i = 0; i < ctx->num_stocks; i++)
        num_tasks += doca_priv_ctx_stocks(ctx)[i].num;
    if (num_tasks == 0)
        return DOCA_PRIV_FAIL(BAD_STATE, CTX_NO_TASK_TYPE, ctx);
    if (doca_priv_ctx_is_lost(ctx))
        return DOCA_PRIV_FAIL(DRIVER, CTX_DEV_FAILED, ctx);
    rc = doca_priv_ctx_carve(ctx->arena, ctx, &queue, &tasks, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_ctx_stock_up(ctx, tasks);
    ctx->queue = (struct doca_core_queue *)(void *)queue;
    ctx->queue->backend = ctx->backend;
    ctx->queue->dev = ctx->dev;
    rc = ctx->engine->open(ctx, num_tasks, __func__);
    if (rc != DOCA_SUCCESS && rc != DOCA_ERROR_IN_PROGRESS) {
        doca_priv_ctx_give_block(ctx);
        return rc;
    }
    doca_priv_pe_follow(ctx);
    if (!doca_priv_pe_watch(ctx)) {
        doca_priv_ctx_unwind(ctx);
        return DOCA_PRIV_FAIL(OPERATING_SYSTEM, PE_SYSTEM, ctx);
    }
    if (rc == DOCA_SUCCESS) {
        doca_priv_ctx_enter(ctx, DOCA_CTX_STATE_RUNNING);
        return DOCA_SUCCESS;
    }
    doca_priv_ctx_enter(ctx, DOCA_CTX_STATE_STARTING);
    return DOCA_PRIV_FAIL(IN_PROGRESS, CTX_STARTING, ctx);
}

DOCA_CORE_DECL doca_error_t doca_ctx_stop(struct doca_ctx *ctx)
{
    if (!doca_priv_is_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (ctx->obj.state == DOCA_CTX_STATE_IDLE)
        return DOCA_SUCCESS;
    if (ctx->queue == NULL) /* an event that stands alone, by a cast */
        return DOCA_PRIV_FAIL(BAD_STATE, EVENT_IS_NO_CTX, ctx);
    DOCA_PRIV_CHECKED(if (!doca_priv_check_may(ctx->pe, __func__)) return DOCA_ERROR_NOT_PERMITTED;)
    if (ctx->obj.state != DOCA_CTX_STATE_STOPPING) {
        if (doca_priv_ctx_count_out(ctx) == 0) {
            doca_priv_ctx_enter_idle(ctx);
            return DOCA_SUCCESS;
        }
        doca_priv_ctx_enter_stopping(ctx, DOCA_ERROR_SHUTDOWN);
    }
    return DOCA_PRIV_FAIL(IN_PROGRESS, CTX_STOPPING, ctx);
}

/* What the destroy of every kind of context does, up to giving the object back. */
static doca_error_t doca_priv_ctx_destroy(struct doca_ctx *ctx, const char *function)
{
    struct doca_ctx **link;

    if (doca_priv_ctx_count_out(ctx) > 0)
        return doca_priv_fail(DOCA_ERROR_IN_USE, DOCA_CORE_ITEM_CTX_BUSY, function, ctx);
    if (ctx->obj.state != DOCA_CTX_STATE_IDLE)
        doca_priv_ctx_unwind(ctx);
    if (ctx->pe != NULL) {
        doca_priv_pe_deactivate(ctx);
        for (link = &ctx->pe->ctxs; *link != ctx; link = &(*link)->pe_next) {
        }
        *link = ctx->pe_next;
    }
    if (ctx->dev != NULL)
        doca_priv_dev_drop(ctx->dev);
    return doca_priv_object_give(ctx->arena, &ctx->obj);
}

DOCA_CORE_DECL doca_error_t doca_ctx_get_state(const struct doca_ctx *ctx,
                                               enum doca_ctx_states *state)
{
    doca_error_t rc = doca_priv_ctx_check(ctx, state, __func__);

    if (rc == DOCA_SUCCESS)
        *state = (enum doca_ctx_states)ctx->obj.state;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_ctx_get_num_inflight_tasks(const struct doca_ctx *ctx,
                                                            size_t *num_inflight_tasks)
{
    doca_error_t rc = doca_priv_ctx_check(ctx, num_inflight_tasks, __func__);

    if (rc == DOCA_SUCCESS)
        *num_inflight_tasks = ctx->num_inflight;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_ctx_set_user_data(struct doca_ctx *ctx, union doca_data user_data)
{
    if (!doca_priv_is_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    ctx->user_data = user_data;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_ctx_get_user_data(const struct doca_ctx *ctx,
                                                   union doca_data *user_data)
{
    doca_error_t rc = doca_priv_ctx_check(ctx, user_data, __func__);

    if (rc == DOCA_SUCCESS)
        *user_data = ctx->user_data;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_ctx_set_state_changed_cb(struct doca_ctx *ctx,
                                                          doca_ctx_state_changed_callback_t cb)
{
    if (!doca_priv_is_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (cb != ctx->state_cb) {
        ctx->num_events = 0;
        doca_priv_ctx_settle(ctx);
    }
    ctx->state_cb = cb;
    return DOCA_SUCCESS;
}

/* The data path stays on the CPU. */
static doca_error_t doca_priv_ctx_no_offload(struct doca_ctx *ctx, const void *processor,
                                             const char *function)
{
    doca_error_t rc = doca_priv_ctx_check(ctx, processor, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (ctx->obj.state != DOCA_CTX_STATE_IDLE)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_CTX_NOT_IDLE, function, ctx);
    return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_CTX_NO_OFFLOAD, function, ctx);
}

DOCA_CORE_DECL doca_error_t doca_ctx_set_datapath_on_dpa(struct doca_ctx *ctx,
                                                         struct doca_dpa *dpa_dev)
{
    return doca_priv_ctx_no_offload(ctx, dpa_dev, __func__);
}

DOCA_CORE_DECL doca_error_t doca_ctx_set_datapath_on_gpu(struct doca_ctx *ctx,
                                                         struct doca_gpu *gpu_dev)
{
    return doca_priv_ctx_no_offload(ctx, gpu_dev, __func__);
}

DOCA_CORE_DECL doca_error_t doca_ctx_set_completion_vector(struct doca_ctx *ctx,
                                                           uint32_t comp_vector)
{
    if (!doca_priv_is_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (comp_vector != 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, CTX_NO_VECTOR, ctx);
    if (ctx->obj.state != DOCA_CTX_STATE_IDLE)
        return DOCA_PRIV_FAIL(BAD_STATE, CTX_NOT_IDLE, ctx);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_ctx_cap_get_num_completion_vectors(
    const struct doca_devinfo *devinfo, uint32_t *num_comp_vectors)
{
    doca_error_t rc =
        doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, num_comp_vectors, __func__);

    if (rc == DOCA_SUCCESS)
        *num_comp_vectors = 1;
    return rc;
}

/* ---- >>impl.pe ------------------------------------------------------------------------------
 * The ring of active contexts begins with the one to serve next; a new one joins at its end.
 * The handle: is_armed from request to clear, is_signalled from the write to the drain.
 * A device can fail in any thread. Who learns of it sets the state of every PE that it may concern,
 * in the word by which progress knows a PE, and then makes its handle readable, armed or not: that
 * is undone with the state, or at the next drain. The lock guards the list of these PEs, and their
 * descriptors towards others.                                                                   */

static struct {
    uint32_t lock;
    struct doca_pe *first;
} doca_priv_fallible_pes;

DOCA_CORE_DECL doca_error_t doca_core_bytes_pe(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_pe), bytes, __func__);
}

static doca_error_t doca_priv_pe_create(struct doca_core_arena *arena, struct doca_pe **pe,
                                        const char *function)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, pe, function);
    void *block = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_object_take(arena, sizeof(**pe), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    *pe = (struct doca_pe *)block;
    doca_priv_object_init(&(*pe)->obj, DOCA_PRIV_KIND_PE);
    (*pe)->arena = arena;
    (*pe)->fd = doca_event_invalid_handle;
    (*pe)->event_fd = doca_event_invalid_handle;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_pe_create_in(struct doca_core_arena *arena,
                                                   struct doca_pe **pe)
{
    return doca_priv_pe_create(arena, pe, __func__);
}

DOCA_CORE_DECL doca_error_t doca_pe_create(struct doca_pe **pe)
{
    return doca_priv_pe_create(doca_core_arena_bound(), pe, __func__);
}

DOCA_CORE_DECL doca_error_t doca_pe_destroy(struct doca_pe *pe)
{
    if (!doca_priv_is(pe, DOCA_PRIV_KIND_PE))
        return DOCA_PRIV_FAIL_HANDLE(pe);
    if (pe->ctxs != NULL)
        return DOCA_PRIV_FAIL(IN_USE, PE_CONNECTED, pe);
    if (pe->fd != doca_event_invalid_handle)
        doca_priv_sys_wait_close(pe->fd, pe->event_fd);
    return doca_priv_object_give(pe->arena, &pe->obj);
}

static void doca_priv_pe_adopt(struct doca_pe *pe, struct doca_ctx *ctx)
{
    ctx->pe = pe;
    ctx->pe_next = pe->ctxs;
    pe->ctxs = ctx;
}

DOCA_CORE_DECL doca_error_t doca_pe_connect_ctx(struct doca_pe *pe, struct doca_ctx *ctx)
{
    if (!doca_priv_is(pe, DOCA_PRIV_KIND_PE))
        return DOCA_PRIV_FAIL_HANDLE(pe);
    if (!doca_priv_is_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (ctx->obj.state != DOCA_CTX_STATE_IDLE)
        return DOCA_PRIV_FAIL(BAD_STATE, CTX_NOT_IDLE, ctx);
    if (ctx->pe != NULL)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, CTX_HAS_PE, ctx);
    doca_priv_pe_adopt(pe, ctx);
    return DOCA_SUCCESS;
}

/* Make the handle readable, once per arming. */
static doca_error_t doca_priv_pe_signal(struct doca_pe *pe)
{
    if (pe->is_signalled)
        return DOCA_SUCCESS;
    if (!doca_priv_sys_event_signal(pe->event_fd))
        return DOCA_PRIV_FAIL(OPERATING_SYSTEM, PE_SYSTEM, pe);
    pe->is_signalled = 1;
    if (pe->disarms)
        pe->is_armed = 0;
    return DOCA_SUCCESS;
}

/* Put a context into the ring, if it is not there, and wake who sleeps. */
static void doca_priv_pe_activate(struct doca_ctx *ctx)
{
    struct doca_pe *pe = ctx->pe;
    struct doca_ctx *first = pe->active != NULL ? pe->active : ctx;

    if (ctx->active_next == NULL) {
        pe->active = first;
        ctx->active_prev = ctx; /* the same stores whether it is alone or not */
        ctx->active_next = first;
        ctx->active_prev = first->active_prev;
        ctx->active_prev->active_next = ctx;
        first->active_prev = ctx;
    }
    if (pe->is_armed && doca_priv_ctx_has_work(ctx))
        (void)doca_priv_pe_signal(pe);
}

/* Nothing is active: progress is to count its calls, and ask the devices now and then. */
static void doca_priv_pe_set_idle(struct doca_pe *pe)
{
    uint8_t was;

    DOCA_PRIV_SWAP(&pe->obj.state, DOCA_PRIV_PE_IDLE, was);
    if (was == DOCA_PRIV_PE_FAILED)
        DOCA_PRIV_STORE(&pe->obj.state, DOCA_PRIV_PE_FAILED);
}

static void doca_priv_pe_leave(struct doca_ctx *ctx)
{
    struct doca_pe *pe = ctx->pe;

    if (pe->active == ctx)
        pe->active = ctx->active_next == ctx ? NULL : ctx->active_next;
    ctx->active_next->active_prev = ctx->active_prev;
    ctx->active_prev->active_next = ctx->active_next;
    ctx->active_next = NULL;
    doca_priv_ctx_lengthen(ctx);
}

static void doca_priv_pe_deactivate(struct doca_ctx *ctx)
{
    struct doca_pe *pe = ctx->pe;

    if (ctx->active_next == NULL)
        return;
    doca_priv_pe_leave(ctx);
    if (pe->num_fallible > 0 && pe->active == NULL)
        doca_priv_pe_set_idle(pe);
}

DOCA_CORE_DECL void doca_core_backend_dev_failed(const struct doca_dev *dev)
{
    struct doca_priv_failure failed = doca_priv_failure_make(
        DOCA_ERROR_DRIVER, DOCA_CORE_ITEM_CTX_DEV_FAILED, __func__, dev);
    struct doca_pe *pe;

    doca_priv_log(&failed);
    doca_priv_lock(&doca_priv_fallible_pes.lock);
    for (pe = doca_priv_fallible_pes.first; pe != NULL; pe = pe->next) {
        DOCA_PRIV_STORE(&pe->obj.state, DOCA_PRIV_PE_FAILED);
        if (pe->event_fd >= 0)
            (void)doca_priv_sys_event_signal(pe->event_fd);
    }
    doca_priv_unlock(&doca_priv_fallible_pes.lock);
}

/* Become quiet. True: it was told of a failure. */
static bool doca_priv_pe_calm(struct doca_pe *pe)
{
    uint8_t was;

    DOCA_PRIV_SWAP(&pe->obj.state, DOCA_PRIV_PE_QUIET, was);
    if (was != DOCA_PRIV_PE_FAILED)
        return false;
    doca_priv_lock(&doca_priv_fallible_pes.lock); /* who told has also signalled */
    doca_priv_unlock(&doca_priv_fallible_pes.lock);
    if (pe->event_fd >= 0 && !pe->is_signalled)
        (void)doca_priv_sys_event_drain(pe->event_fd);
    return true;
}

/* A context is no longer idle, or is again: count it, if its device can fail. */
static void doca_priv_pe_follow(struct doca_ctx *ctx)
{
    struct doca_pe *pe = ctx->pe;

    if (!doca_priv_ctx_is_fallible(ctx))
        return;
    if (pe->num_fallible++ == 0) {
        doca_priv_lock(&doca_priv_fallible_pes.lock);
        pe->next = doca_priv_fallible_pes.first;
        doca_priv_fallible_pes.first = pe;
        doca_priv_unlock(&doca_priv_fallible_pes.lock);
    }
    if (doca_priv_ctx_is_lost(ctx)) /* since it was asked, and others may have been told before */
        DOCA_PRIV_STORE(&pe->obj.state, DOCA_PRIV_PE_FAILED);
}

static void doca_priv_pe_unfollow(struct doca_ctx *ctx)
{
    struct doca_pe *pe = ctx->pe, **link = &doca_priv_fallible_pes.first;

    if (!doca_priv_ctx_is_fallible(ctx) || --pe->num_fallible > 0)
        return;
    doca_priv_lock(&doca_priv_fallible_pes.lock);
    while (*link != pe)
        link = &(*link)->next;
    *link = pe->next;
    doca_priv_unlock(&doca_priv_fallible_pes.lock);
    (void)doca_priv_pe_calm(pe);
}

/* Let the contexts stop whose devices have failed. */
static void doca_priv_pe_ask(struct doca_pe *pe)
{
    const struct doca_dev *asked = NULL;
    bool is_lost = false;
    struct doca_ctx *ctx;

    for (ctx = pe->ctxs; ctx != NULL; ctx = ctx->pe_next) {
        if (ctx->obj.state != DOCA_CTX_STATE_RUNNING && ctx->obj.state != DOCA_CTX_STATE_STARTING)
            continue;
        if (ctx->dev != asked)
            is_lost = doca_priv_ctx_is_lost(ctx);
        asked = ctx->dev;
        if (is_lost) {
            (void)doca_priv_fail(DOCA_ERROR_DRIVER, DOCA_CORE_ITEM_CTX_DEV_FAILED,
                                 "doca_pe_progress", ctx);
            doca_priv_ctx_enter_stopping(ctx, DOCA_ERROR_IO_FAILED);
        }
    }
}

/* Progress finds nothing, and gives that. */
DOCA_PRIV_APART uint8_t doca_priv_pe_wait(struct doca_pe *pe)
{
    if (++pe->num_vain % DOCA_CORE_PE_PATIENCE == 0)
        doca_priv_pe_ask(pe);
    if (pe->active == NULL && DOCA_PRIV_PEEK(&pe->obj.state) == DOCA_PRIV_PE_QUIET)
        doca_priv_pe_set_idle(pe);
    return 0;
}

/* Progress of a PE that is not quiet, beside its ring. */
DOCA_PRIV_APART void doca_priv_pe_hear(struct doca_pe *pe)
{
    if (pe->active == NULL && DOCA_PRIV_PEEK(&pe->obj.state) == DOCA_PRIV_PE_IDLE)
        return;
    if (doca_priv_pe_calm(pe))
        doca_priv_pe_ask(pe);
}

/* One callback, or none: the contexts of the ring in turn. */
static uint8_t doca_priv_pe_turn(struct doca_pe *pe, bool is_polled)
{
    struct doca_ctx *ctx, *last;
    struct doca_task *task;

    if (doca_unlikely(DOCA_PRIV_PEEK(&pe->obj.state) != DOCA_PRIV_PE_QUIET))
        doca_priv_pe_hear(pe);
    if (pe->active == NULL)
        return pe->num_fallible > 0 ? doca_priv_pe_wait(pe) : 0;
    last = pe->active->active_prev;
    do {
        ctx = pe->active;
        pe->active = ctx->active_next;
        if (doca_unlikely(ctx->attention)) {
            if (doca_priv_ctx_attend(ctx))
                return 1;
        } else {
            task = is_polled ? NULL : ctx->queue->poll(ctx->queue);
            if (task != NULL) {
                doca_priv_ctx_complete(ctx, task);
                return 1;
            }
            if (ctx->num_inflight == 0)
                doca_priv_pe_leave(ctx);
        }
        is_polled = false;
    } while (ctx != last);
    return doca_unlikely(pe->num_fallible > 0) ? doca_priv_pe_wait(pe) : 0;
}

DOCA_CORE_DECL uint8_t doca_priv_pe_progress_other(struct doca_pe *pe, bool is_polled)
{
    uint8_t num;

    if (doca_unlikely(!doca_priv_is(pe, DOCA_PRIV_KIND_PE))) {
        (void)doca_priv_fail_handle(pe, "doca_pe_progress");
        return 0;
    }
    if (DOCA_CORE_CHECK >= 2 && pe->is_armed && !pe->disarms)
        (void)doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_PE_ARMED_PROGRESS,
                             "doca_pe_progress", pe);
    DOCA_PRIV_CHECKED(if (!doca_priv_check_progress(pe)) return 0;)
    num = doca_priv_pe_turn(pe, is_polled);
    DOCA_PRIV_CHECKED(doca_priv_check_leave(pe);)
    return num;
}

DOCA_CORE_DECL uint8_t doca_pe_progress(struct doca_pe *pe)
{
    return doca_priv_hot_pe_progress(pe);
}

DOCA_CORE_DECL doca_error_t doca_pe_get_num_inflight_tasks(const struct doca_pe *pe,
                                                           size_t *num_inflight_tasks)
{
    doca_error_t rc = doca_priv_check_args(pe, DOCA_PRIV_KIND_PE, num_inflight_tasks, __func__);
    const struct doca_ctx *ctx;
    size_t num = 0;

    if (rc != DOCA_SUCCESS)
        return rc;
    for (ctx = pe->ctxs; ctx != NULL; ctx = ctx->pe_next)
        num += ctx->num_inflight;
    *num_inflight_tasks = num;
    return DOCA_SUCCESS;
}

/* Let the handle follow the descriptor of an open queue, if there are both. */
static bool doca_priv_pe_watch(struct doca_ctx *ctx)
{
    const struct doca_pe *pe = ctx->pe;
    int fd = ctx->backend->queue_fd(ctx->queue);

    if (fd < 0 || pe->fd < 0)
        return true;
    if (!doca_priv_sys_watch(pe->fd, fd))
        return false;
    if (pe->is_armed)
        ctx->backend->queue_arm(ctx->queue, true);
    return true;
}

static void doca_priv_pe_unwatch(struct doca_ctx *ctx)
{
    int fd = ctx->backend->queue_fd(ctx->queue);

    if (fd >= 0 && ctx->pe->fd >= 0)
        doca_priv_sys_unwatch(ctx->pe->fd, fd);
}

/* Make the descriptors at their first use: a PE that is only polled needs none. */
static doca_error_t doca_priv_pe_open_handle(struct doca_pe *pe, const char *function)
{
    int event_fd = doca_event_invalid_handle;
    struct doca_ctx *ctx;

    if (pe->fd != doca_event_invalid_handle)
        return DOCA_SUCCESS;
    if (!doca_priv_sys_has_event)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_PE_NO_NOTIFICATION, function,
                              pe);
    pe->fd = doca_priv_sys_wait_open(&event_fd);
    for (ctx = pe->ctxs; pe->fd >= 0 && ctx != NULL; ctx = ctx->pe_next) {
        if (ctx->queue != NULL && !doca_priv_pe_watch(ctx)) {
            doca_priv_sys_wait_close(pe->fd, event_fd);
            pe->fd = doca_event_invalid_handle;
        }
    }
    if (pe->fd >= 0) {
        doca_priv_lock(&doca_priv_fallible_pes.lock);
        pe->event_fd = event_fd;
        doca_priv_unlock(&doca_priv_fallible_pes.lock);
    }
    return pe->fd >= 0 ? DOCA_SUCCESS
                       : doca_priv_fail(DOCA_ERROR_OPERATING_SYSTEM, DOCA_CORE_ITEM_PE_SYSTEM,
                                        function, pe);
}

DOCA_CORE_DECL doca_error_t doca_pe_get_notification_handle(const struct doca_pe *pe,
                                                            doca_notification_handle_t *handle)
{
    doca_error_t rc = doca_priv_check_args(pe, DOCA_PRIV_KIND_PE, handle, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_pe_open_handle((struct doca_pe *)(uintptr_t)pe, __func__);
    if (rc == DOCA_SUCCESS)
        *handle = pe->fd;
    return rc;
}

static doca_error_t doca_priv_pe_drain(struct doca_pe *pe, const char *function)
{
    bool is_told = pe->event_fd >= 0 && DOCA_PRIV_LOAD(&pe->obj.state) == DOCA_PRIV_PE_FAILED;

    if ((pe->is_signalled || is_told) && !doca_priv_sys_event_drain(pe->event_fd))
        return doca_priv_fail(DOCA_ERROR_OPERATING_SYSTEM, DOCA_CORE_ITEM_PE_SYSTEM, function, pe);
    pe->is_signalled = 0;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_pe_request_notification(struct doca_pe *pe)
{
    struct doca_ctx *ctx, *next;
    bool has_work = false;
    doca_error_t rc;

    if (!doca_priv_is(pe, DOCA_PRIV_KIND_PE))
        return DOCA_PRIV_FAIL_HANDLE(pe);
    rc = doca_priv_pe_open_handle(pe, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    /* What has nothing in flight leaves the ring, so that its next submit comes through activate,
     * where the wake-up is. */
    for (ctx = pe->ctxs; ctx != NULL; ctx = next) {
        next = ctx->pe_next;
        if (ctx->active_next != NULL && !ctx->attention && ctx->num_inflight == 0)
            doca_priv_pe_deactivate(ctx);
        if (ctx->queue != NULL) /* before it is asked, so that nothing slips between */
            ctx->backend->queue_arm(ctx->queue, true);
        if (ctx->must_tell) /* the queue may have room now, and nothing else that would wake */
            doca_priv_ctx_tell(ctx, false);
        has_work = has_work || doca_priv_ctx_has_work(ctx);
        doca_priv_ctx_lengthen(ctx); /* the next submit may have to wake somebody */
    }
    pe->is_armed = 1;
    rc = doca_priv_pe_drain(pe, __func__); /* so that a signal is a new one */
    has_work = has_work || DOCA_PRIV_LOAD(&pe->obj.state) == DOCA_PRIV_PE_FAILED;
    return rc == DOCA_SUCCESS && has_work ? doca_priv_pe_signal(pe) : rc;
}

DOCA_CORE_DECL doca_error_t doca_pe_clear_notification(struct doca_pe *pe,
                                                       doca_notification_handle_t handle)
{
    struct doca_ctx *ctx;

    (void)handle;
    if (!doca_priv_is(pe, DOCA_PRIV_KIND_PE))
        return DOCA_PRIV_FAIL_HANDLE(pe);
    for (ctx = pe->ctxs; (pe->is_armed || pe->is_signalled) && ctx != NULL; ctx = ctx->pe_next)
        if (ctx->queue != NULL)
            ctx->backend->queue_arm(ctx->queue, false);
    pe->is_armed = 0;
    return doca_priv_pe_drain(pe, __func__);
}

DOCA_CORE_DECL doca_error_t doca_pe_set_event_mode(struct doca_pe *pe,
                                                   enum doca_pe_event_mode event_mode)
{
    if (!doca_priv_is(pe, DOCA_PRIV_KIND_PE))
        return DOCA_PRIV_FAIL_HANDLE(pe);
    if ((unsigned)event_mode > DOCA_PE_EVENT_MODE_PROGRESS_ALL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, PE_EVENT_MODE, pe);
    pe->disarms = event_mode == DOCA_PE_EVENT_MODE_PROGRESS_ALL;
    if (pe->disarms && pe->is_signalled)
        pe->is_armed = 0;
    return DOCA_SUCCESS;
}

/* ---- >>impl.batch --------------------------------------------------------------------------- */

/* The tasks of a batch. */
static struct doca_task **doca_priv_batch_tasks(const struct doca_task_batch *batch)
{
    return (struct doca_task **)(uintptr_t)(batch + 1);
}

static size_t doca_priv_batch_bytes(uint32_t max_tasks)
{
    return doca_priv_round_up(sizeof(struct doca_task_batch) +
                              max_tasks * sizeof(struct doca_task *));
}

static void doca_priv_batch_stock_up(struct doca_ctx *ctx, unsigned char *slot)
{
    struct doca_priv_batch_stock *stock = &ctx->batches;
    struct doca_task_batch **link = &stock->free_batches, *batch;
    uint32_t i;

    stock->first = slot;
    for (i = 0; i < stock->num; i++, slot += doca_priv_batch_bytes(stock->max_tasks)) {
        batch = (struct doca_task_batch *)(void *)slot;
        DOCA_CORE_MEMSET(batch, 0, sizeof(*batch));
        doca_priv_object_init(&batch->obj, DOCA_PRIV_KIND_BATCH);
        batch->ctx = ctx;
        *link = batch;
        link = &batch->next;
    }
}

/* All are free, and become dead handles. */
static void doca_priv_batch_stock_end(struct doca_ctx *ctx)
{
    struct doca_task_batch *batch;

    for (batch = ctx->batches.free_batches; batch != NULL; batch = batch->next)
        batch->obj.guard = 0;
    ctx->batches.free_batches = NULL;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_task_batch(
    uint32_t num_batches, enum doca_task_batch_max_tasks_number max_tasks, size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    if ((unsigned)max_tasks > DOCA_TASK_BATCH_MAX_TASKS_NUMBER_128)
        return DOCA_PRIV_FAIL(INVALID_VALUE, BATCH_CONF, NULL);
    *bytes = doca_priv_size(num_batches, doca_priv_batch_bytes(16u << (unsigned)max_tasks), 0);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_ctx_set_task_batch_conf(
    struct doca_ctx *ctx, enum doca_task_batch_max_tasks_number max_tasks, uint32_t num_batches,
    doca_core_task_batch_completion_cb_t batch_completion_cb,
    doca_core_task_batch_completion_cb_t batch_error_cb)
{
    if (!doca_priv_is_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (batch_completion_cb == NULL || batch_error_cb == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, ctx);
    if ((unsigned)max_tasks > DOCA_TASK_BATCH_MAX_TASKS_NUMBER_128 || num_batches == 0 ||
        num_batches > UINT8_MAX) /* what doca_task.batch can tell apart */
        return DOCA_PRIV_FAIL(INVALID_VALUE, BATCH_CONF, ctx);
    if (ctx->obj.state != DOCA_CTX_STATE_IDLE)
        return DOCA_PRIV_FAIL(BAD_STATE, CTX_NOT_IDLE, ctx);
    ctx->batches.num = num_batches;
    ctx->batches.max_tasks = 16u << (unsigned)max_tasks;
    ctx->batches.done = batch_completion_cb;
    ctx->batches.failed = batch_error_cb;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_task_batch_alloc_init(struct doca_ctx *ctx,
                                                            union doca_data user_data,
                                                            struct doca_task_batch **task_batch)
{
    doca_error_t rc = doca_priv_ctx_check(ctx, task_batch, __func__);
    struct doca_task_batch *batch;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (ctx->obj.state != DOCA_CTX_STATE_RUNNING)
        return DOCA_PRIV_FAIL(BAD_STATE, CTX_NOT_RUNNING, ctx);
    batch = ctx->batches.free_batches;
    if (batch == NULL)
        return DOCA_PRIV_FAIL(NO_MEMORY, BATCH_POOL_EMPTY, ctx);
    ctx->batches.free_batches = batch->next;
    batch->obj.state = DOCA_PRIV_TASK_OWNED;
    batch->num = 0;
    batch->status = DOCA_SUCCESS;
    batch->user_data = user_data;
    *task_batch = batch;
    return DOCA_SUCCESS;
}

/* One task of a batch has finished; the last one is its end. */
static void doca_priv_batch_task_done(struct doca_task *task)
{
    struct doca_ctx *ctx = task->ctx;
    struct doca_task_batch *batch =
        (struct doca_task_batch *)(void *)(ctx->batches.first +
                                           (task->batch - 1u) *
                                               doca_priv_batch_bytes(ctx->batches.max_tasks));

    if (doca_unlikely(task->status != DOCA_SUCCESS))
        doca_priv_task_failed(task);
    ctx->engine->settle(task);
    task->state = DOCA_PRIV_TASK_HELD;
    if (batch->status == DOCA_SUCCESS)
        batch->status = (doca_error_t)task->status;
    if (--batch->num_left > 0)
        return;
    batch->obj.state = DOCA_PRIV_TASK_OWNED;
    (batch->status == DOCA_SUCCESS ? ctx->batches.done : ctx->batches.failed)(
        batch, batch->num, batch->user_data, ctx->user_data);
}

/* Is it a batch, and the program's? */
static doca_error_t doca_priv_batch_check(const struct doca_task_batch *batch, const char *function)
{
    doca_error_t rc = doca_priv_check_args(batch, DOCA_PRIV_KIND_BATCH, batch, function);

    return rc != DOCA_SUCCESS || batch->obj.state == DOCA_PRIV_TASK_OWNED
               ? rc
               : doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_BATCH_NOT_OWNED, function,
                                batch);
}

DOCA_CORE_DECL doca_error_t doca_core_task_batch_add(struct doca_task_batch *task_batch,
                                                     struct doca_task *task)
{
    doca_error_t rc = doca_priv_batch_check(task_batch, __func__);
    const struct doca_priv_batch_stock *stock;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_is_task(task))
        return DOCA_PRIV_FAIL_HANDLE(task);
    if (task->ctx != task_batch->ctx)
        return DOCA_PRIV_FAIL(INVALID_VALUE, BATCH_FOREIGN, task);
    if (task->state != DOCA_PRIV_TASK_OWNED)
        return DOCA_PRIV_FAIL(BAD_STATE, TASK_NOT_OWNED, task);
    stock = &task->ctx->batches;
    if (task_batch->num == stock->max_tasks)
        return DOCA_PRIV_FAIL(FULL, BATCH_FULL, task_batch);
    doca_priv_batch_tasks(task_batch)[task_batch->num++] = task;
    task->batch = (uint8_t)(1 + (size_t)((unsigned char *)task_batch - stock->first) /
                                    doca_priv_batch_bytes(stock->max_tasks));
    task->done = doca_priv_batch_task_done;
    task->state = DOCA_PRIV_TASK_HELD;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL struct doca_task *doca_core_task_batch_get_task(
    const struct doca_task_batch *task_batch, uint16_t index)
{
    if (!doca_priv_is(task_batch, DOCA_PRIV_KIND_BATCH)) {
        (void)DOCA_PRIV_FAIL_HANDLE(task_batch);
        return NULL;
    }
    return task_batch->obj.state != DOCA_PRIV_TASK_FREE && index < task_batch->num
               ? doca_priv_batch_tasks(task_batch)[index]
               : NULL;
}

static doca_error_t doca_priv_batch_submit(struct doca_task_batch *batch, bool checked,
                                           const char *function)
{
    doca_error_t rc = doca_priv_batch_check(batch, function);
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_task **tasks;
    struct doca_ctx *ctx;
    uint16_t i;

    if (rc != DOCA_SUCCESS)
        return rc;
    ctx = batch->ctx;
    tasks = doca_priv_batch_tasks(batch);
    if (ctx->obj.state != DOCA_CTX_STATE_RUNNING)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_CTX_NOT_RUNNING, function, ctx);
    if (batch->num == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_BATCH_EMPTY, function,
                              batch);
    for (i = 0; i < batch->num; i++) {
        if (checked) {
            rc = ctx->engine->check(tasks[i], &item);
        } else if (!ctx->engine->is_complete(tasks[i])) {
            rc = DOCA_ERROR_INVALID_VALUE;
            item = DOCA_CORE_ITEM_TASK_NO_BUFFER;
        }
        if (rc != DOCA_SUCCESS)
            return doca_priv_fail(rc, item, function, tasks[i]);
    }
    batch->obj.state = DOCA_PRIV_TASK_SUBMITTED;
    batch->num_left = batch->num;
    batch->status = DOCA_SUCCESS;
    for (i = 0; i < batch->num; i++)
        (void)doca_priv_task_keep(tasks[i]);
    doca_priv_ctx_tell(ctx, false);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_task_batch_submit(struct doca_task_batch *task_batch)
{
    return doca_priv_batch_submit(task_batch, DOCA_CORE_CHECK >= 2, __func__);
}

DOCA_CORE_DECL doca_error_t doca_task_batch_try_submit(struct doca_task_batch *task_batch)
{
    return doca_priv_batch_submit(task_batch, true, __func__);
}

DOCA_CORE_DECL void doca_task_batch_free(struct doca_task_batch *task_batch)
{
    struct doca_task *task;
    struct doca_ctx *ctx;
    uint16_t i;

    if (doca_priv_batch_check(task_batch, __func__) != DOCA_SUCCESS)
        return;
    ctx = task_batch->ctx;
    for (i = 0; i < task_batch->num; i++) {
        task = doca_priv_batch_tasks(task_batch)[i];
        task->batch = 0;
        task->done = doca_priv_ctx_stocks(ctx)[task->type].done;
        task->state = DOCA_PRIV_TASK_OWNED;
        doca_task_free(task);
    }
    task_batch->obj.state = DOCA_PRIV_TASK_FREE;
    task_batch->next = ctx->batches.free_batches;
    ctx->batches.free_batches = task_batch;
    doca_priv_ctx_let_go(ctx);
}

DOCA_CORE_DECL doca_error_t doca_task_batch_get_status(const struct doca_task_batch *task_batch)
{
    if (!doca_priv_is(task_batch, DOCA_PRIV_KIND_BATCH))
        return DOCA_PRIV_FAIL_HANDLE(task_batch);
    return task_batch->status;
}

DOCA_CORE_DECL void doca_task_batch_set_user_data(struct doca_task_batch *task_batch,
                                                  union doca_data user_data)
{
    if (!doca_priv_is(task_batch, DOCA_PRIV_KIND_BATCH))
        (void)DOCA_PRIV_FAIL_HANDLE(task_batch);
    else if (task_batch->obj.state == DOCA_PRIV_TASK_FREE)
        (void)DOCA_PRIV_FAIL(BAD_STATE, BATCH_NOT_OWNED, task_batch);
    else
        task_batch->user_data = user_data;
}

/* The context of a batch; NULL, and logged, when it is none. */
static struct doca_ctx *doca_priv_batch_ctx(const struct doca_task_batch *batch,
                                            const char *function)
{
    return doca_priv_check_args(batch, DOCA_PRIV_KIND_BATCH, batch, function) == DOCA_SUCCESS
               ? batch->ctx
               : NULL;
}

DOCA_CORE_DECL union doca_data doca_task_batch_get_user_data(
    const struct doca_task_batch *task_batch)
{
    union doca_data none;

    none.u64 = 0;
    return doca_priv_batch_ctx(task_batch, __func__) != NULL ? task_batch->user_data : none;
}

DOCA_CORE_DECL struct doca_ctx *doca_task_batch_get_ctx(const struct doca_task_batch *task_batch)
{
    return doca_priv_batch_ctx(task_batch, __func__);
}

DOCA_CORE_DECL union doca_data doca_task_batch_get_ctx_user_data(
    const struct doca_task_batch *task_batch)
{
    const struct doca_ctx *ctx = doca_priv_batch_ctx(task_batch, __func__);
    union doca_data none;

    none.u64 = 0;
    return ctx != NULL ? ctx->user_data : none;
}

DOCA_CORE_DECL uint16_t doca_task_batch_get_tasks_num(struct doca_task_batch *task_batch)
{
    return doca_priv_batch_ctx(task_batch, __func__) != NULL ? task_batch->num : 0;
}

/* ---- >>impl.dma ----------------------------------------------------------------------------- */

DOCA_PRIV_ASSERT_STATIC(memcpy_task_fits_a_line,
                        sizeof(struct doca_dma_task_memcpy) <= DOCA_CORE_LINE);

static bool doca_priv_dma_is_supported(const struct doca_core_limits *limits)
{
    return limits->has_dma != 0;
}

DOCA_PRIV_COLD void doca_priv_dma_failed(struct doca_task *task)
{
    const struct doca_dma *dma = (const struct doca_dma *)(const void *)task->ctx;

    doca_priv_task_failed(task);
    dma->memcpy_failed((struct doca_dma_task_memcpy *)(void *)task, task->user_data,
                       dma->ctx.user_data);
}

static void doca_priv_dma_done(struct doca_task *task)
{
    const struct doca_dma *dma = (const struct doca_dma *)(const void *)task->ctx;

    if (doca_likely(task->status == DOCA_SUCCESS))
        dma->memcpy_done((struct doca_dma_task_memcpy *)(void *)task, task->user_data,
                         dma->ctx.user_data);
    else
        doca_priv_dma_failed(task);
}

/* Everything a copy engine refuses. Lists whose bytes overlap are not among it. */
static doca_error_t doca_priv_dma_inspect(const struct doca_dma_task_memcpy *memcpy_task,
                                          bool *is_far, enum doca_core_item *item)
{
    const struct doca_dev *dev = memcpy_task->task.ctx->dev;
    const struct doca_core_limits *limits = &dev->info.attr.limits;
    struct doca_priv_task_list src, dst;
    doca_error_t rc;

    rc = doca_priv_task_lists(memcpy_task->src, memcpy_task->dst, dev, &src, &dst, item);
    if (rc != DOCA_SUCCESS)
        return rc;
    *is_far = src.is_far | dst.is_far;
    *item = src.bytes == 0 ? DOCA_CORE_ITEM_DMA_EMPTY_SOURCE
                           : doca_priv_task_excess(&src, &dst, src.bytes, limits->dma_max_buf_size,
                                                   limits->dma_max_buf_list_len);
    if (*item == DOCA_CORE_ITEM_NONE && src.last == dst.last && src.num + dst.num > 2)
        *item = DOCA_CORE_ITEM_DMA_OVERLAP; /* elements in common would grow */
    return *item == DOCA_CORE_ITEM_NONE ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

DOCA_CORE_DECL doca_error_t doca_core_dma_task_inspect(const struct doca_dma_task_memcpy *task,
                                                       enum doca_core_item *item)
{
    bool is_far;

    *item = DOCA_CORE_ITEM_NONE;
    return doca_priv_dma_inspect(task, &is_far, item);
}

/* Would bytes be written that are read by the same task? */
static bool doca_priv_dma_overlaps(const struct doca_dma_task_memcpy *memcpy_task)
{
    const struct doca_buf *src, *dst;
    uint32_t from_pid, to_pid;
    uintptr_t from, to;
    uint64_t left = 0;
    size_t len;

    for (src = memcpy_task->src; src != NULL; src = src->next)
        left += src->data_len;
    for (dst = memcpy_task->dst; dst != NULL && left > 0; dst = dst->next) {
        len = doca_priv_buf_tailroom(dst);
        if (len > left)
            len = (size_t)left;
        left -= len;
        to = doca_priv_far_place(dst->mmap, dst->data + dst->data_len, &to_pid);
        for (src = memcpy_task->src; src != NULL; src = src->next) {
            from = doca_priv_far_place(src->mmap, src->data, &from_pid);
            if (from_pid == to_pid && from < to + len && to < from + src->data_len)
                return true;
        }
    }
    return false;
}

static doca_error_t doca_priv_dma_check(const struct doca_task *task, enum doca_core_item *item)
{
    const struct doca_dma_task_memcpy *memcpy_task =
        (const struct doca_dma_task_memcpy *)(const void *)task;
    bool is_far;
    doca_error_t rc = doca_priv_dma_inspect(memcpy_task, &is_far, item);

    if (rc == DOCA_SUCCESS && (memcpy_task->src->next != NULL || memcpy_task->dst->next != NULL) &&
        doca_priv_dma_overlaps(memcpy_task)) {
        *item = DOCA_CORE_ITEM_DMA_OVERLAP;
        rc = DOCA_ERROR_INVALID_VALUE;
    }
    return rc;
}

static bool doca_priv_dma_is_complete(const struct doca_task *task)
{
    const struct doca_dma_task_memcpy *t = (const struct doca_dma_task_memcpy *)(const void *)task;

    return doca_priv_is_buf(t->src) && doca_priv_is_buf(t->dst);
}

static void doca_priv_dma_settle(struct doca_task *task)
{
    (void)task;
}

static const struct doca_priv_engine doca_priv_dma_engine = {
    DOCA_CORE_ENGINE_DMA,      true,                doca_priv_dma_is_supported, doca_priv_dma_check,
    doca_priv_dma_is_complete, doca_priv_dma_settle,       doca_priv_ctx_open_queue
};

DOCA_CORE_DECL doca_error_t doca_core_bytes_dma(struct doca_dev *dev, uint32_t num_tasks,
                                                size_t *bytes)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, bytes, __func__);
    struct doca_dma dma;

    if (rc != DOCA_SUCCESS)
        return rc;
    DOCA_CORE_MEMSET(&dma, 0, sizeof(dma));
    dma.ctx.dev = dev;
    dma.ctx.backend = dev->backend;
    dma.ctx.engine = &doca_priv_dma_engine;
    dma.ctx.num_stocks = 1;
    dma.memcpy_stock.num = num_tasks;
    dma.memcpy_stock.task_bytes = DOCA_CORE_LINE;
    return doca_priv_ctx_bytes(&dma.ctx, sizeof(dma), bytes, __func__);
}

/* A NULL `arena` is the one of the device. */
static doca_error_t doca_priv_dma_create(struct doca_core_arena *arena, struct doca_dev *dev,
                                         struct doca_dma **dma, const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, dma, function);
    struct doca_dma *d;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (arena == NULL)
        arena = dev->info.arena;
    rc = doca_priv_object_take(arena, sizeof(*d), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    d = (struct doca_dma *)block;
    d->memcpy_stock.done = doca_priv_dma_done;
    d->memcpy_stock.task_bytes = DOCA_CORE_LINE;
    doca_priv_ctx_init(&d->ctx, DOCA_PRIV_KIND_DMA, &doca_priv_dma_engine, dev->backend, arena,
                       dev, 1);
    *dma = d;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_dma_create_in(struct doca_core_arena *arena,
                                                    struct doca_dev *dev, struct doca_dma **dma)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, dma, __func__);

    return rc != DOCA_SUCCESS ? rc : doca_priv_dma_create(arena, dev, dma, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dma_create(struct doca_dev *dev, struct doca_dma **dma)
{
    return doca_priv_dma_create(NULL, dev, dma, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dma_destroy(struct doca_dma *dma)
{
    if (!doca_priv_is(dma, DOCA_PRIV_KIND_DMA))
        return DOCA_PRIV_FAIL_HANDLE(dma);
    return doca_priv_ctx_destroy(&dma->ctx, __func__);
}

DOCA_CORE_DECL struct doca_ctx *doca_dma_as_ctx(struct doca_dma *dma)
{
    return dma != NULL ? &dma->ctx : NULL;
}

DOCA_CORE_DECL doca_error_t doca_dma_get_gpu_handle(struct doca_dma *dma,
                                                    struct doca_gpu_dma **gpu_dma)
{
    doca_error_t rc = doca_priv_check_args(dma, DOCA_PRIV_KIND_DMA, gpu_dma, __func__);

    return rc != DOCA_SUCCESS ? rc : DOCA_PRIV_FAIL(BAD_STATE, CTX_NO_OFFLOAD, dma);
}

/* May a capability of the copy engine be written to `out`? */
static doca_error_t doca_priv_dma_cap(const struct doca_devinfo *devinfo, const void *out,
                                      const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, out, function);

    if (rc == DOCA_SUCCESS && !doca_priv_dma_is_supported(&devinfo->attr.limits))
        rc = doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DEV_NO_DMA, function, devinfo);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_dma_cap_task_memcpy_is_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_dma_cap(devinfo, devinfo, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dma_cap_task_memcpy_get_max_buf_list_len(
    const struct doca_devinfo *devinfo, uint32_t *max_buf_list_len)
{
    doca_error_t rc = doca_priv_dma_cap(devinfo, max_buf_list_len, __func__);

    if (rc == DOCA_SUCCESS)
        *max_buf_list_len = devinfo->attr.limits.dma_max_buf_list_len;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_dma_cap_task_memcpy_get_max_buf_size(
    const struct doca_devinfo *devinfo, uint64_t *buf_size)
{
    doca_error_t rc = doca_priv_dma_cap(devinfo, buf_size, __func__);

    if (rc == DOCA_SUCCESS)
        *buf_size = devinfo->attr.limits.dma_max_buf_size;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_dma_cap_get_max_num_tasks(struct doca_dma *dma,
                                                           uint32_t *max_num_tasks)
{
    doca_error_t rc = doca_priv_check_args(dma, DOCA_PRIV_KIND_DMA, max_num_tasks, __func__);

    if (rc == DOCA_SUCCESS)
        *max_num_tasks = dma->ctx.dev->info.attr.limits.dma_max_num_tasks;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_dma_task_memcpy_set_conf(
    struct doca_dma *dma, doca_dma_task_memcpy_completion_cb_t task_completion_cb,
    doca_dma_task_memcpy_completion_cb_t task_error_cb, uint32_t num_memcpy_tasks)
{
    const struct doca_core_limits *limits;

    if (!doca_priv_is(dma, DOCA_PRIV_KIND_DMA))
        return DOCA_PRIV_FAIL_HANDLE(dma);
    if (task_completion_cb == NULL || task_error_cb == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, dma);
    if (num_memcpy_tasks == 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ZERO, dma);
    limits = &dma->ctx.dev->info.attr.limits;
    if (limits->has_dma != 0 && num_memcpy_tasks > limits->dma_max_num_tasks)
        return DOCA_PRIV_FAIL(INVALID_VALUE, CTX_TOO_MANY_TASKS, dma);
    if (dma->ctx.obj.state != DOCA_CTX_STATE_IDLE)
        return DOCA_PRIV_FAIL(BAD_STATE, CTX_NOT_IDLE, dma);
    dma->memcpy_done = task_completion_cb;
    dma->memcpy_failed = task_error_cb;
    dma->memcpy_stock.num = num_memcpy_tasks;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_priv_dma_task_memcpy_alloc_other(
    struct doca_dma *dma, const struct doca_buf *src, struct doca_buf *dst,
    union doca_data user_data, struct doca_dma_task_memcpy **task)
{
    const char *function = "doca_dma_task_memcpy_alloc_init";
    doca_error_t rc = doca_priv_check_args(dma, DOCA_PRIV_KIND_DMA, task, function);
    struct doca_dma_task_memcpy *t;
    struct doca_task *taken = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_task_take(&dma->ctx, 0, &taken, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    t = (struct doca_dma_task_memcpy *)(void *)taken;
    t->task.user_data = user_data;
    t->src = src;
    t->dst = dst;
    *task = t;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_dma_task_memcpy_alloc_init(struct doca_dma *dma,
                                                            const struct doca_buf *src,
                                                            struct doca_buf *dst,
                                                            union doca_data user_data,
                                                            struct doca_dma_task_memcpy **task)
{
    return doca_priv_hot_dma_task_memcpy_alloc_init(dma, src, dst, user_data, task);
}

DOCA_CORE_DECL struct doca_task *doca_dma_task_memcpy_as_task(struct doca_dma_task_memcpy *task)
{
    return doca_priv_hot_dma_task_memcpy_as_task(task);
}

DOCA_CORE_DECL void doca_dma_task_memcpy_set_src(struct doca_dma_task_memcpy *task,
                                                 const struct doca_buf *src)
{
    if (doca_priv_task_check(task, NULL, __func__) == DOCA_SUCCESS)
        task->src = src;
}

DOCA_CORE_DECL const struct doca_buf *doca_dma_task_memcpy_get_src(
    const struct doca_dma_task_memcpy *task)
{
    return task != NULL && doca_priv_is_task(&task->task) ? task->src : NULL;
}

DOCA_CORE_DECL void doca_dma_task_memcpy_set_dst(struct doca_dma_task_memcpy *task,
                                                 struct doca_buf *dst)
{
    if (doca_priv_task_check(task, NULL, __func__) == DOCA_SUCCESS)
        task->dst = dst;
}

DOCA_CORE_DECL struct doca_buf *doca_dma_task_memcpy_get_dst(
    const struct doca_dma_task_memcpy *task)
{
    return task != NULL && doca_priv_is_task(&task->task) ? task->dst : NULL;
}

/* ---- >>impl.sha ----------------------------------------------------------------------------- */

DOCA_PRIV_ASSERT_STATIC(hash_task_begins_as_memcpy_does,
                        offsetof(struct doca_sha_task_hash, src) ==
                                offsetof(struct doca_dma_task_memcpy, src) &&
                            offsetof(struct doca_sha_task_hash, dst) ==
                                offsetof(struct doca_dma_task_memcpy, dst));
DOCA_PRIV_ASSERT_STATIC(hash_task_fits_a_line,
                        sizeof(struct doca_sha_task_hash) <= DOCA_CORE_LINE);

#define DOCA_PRIV_SHA_ALGORITHMS 3

/* By enum doca_sha_algorithm; bytes. */
static const struct {
    uint8_t digest;
    uint8_t block;
} doca_priv_sha_sizes[DOCA_PRIV_SHA_ALGORITHMS] = { { 20, 64 }, { 32, 64 }, { 64, 128 } };

static bool doca_priv_sha_is_supported(const struct doca_core_limits *limits)
{
    return limits->has_sha != 0;
}

static void doca_priv_sha_hash_done(struct doca_task *task)
{
    const struct doca_sha *sha = (const struct doca_sha *)(const void *)task->ctx;
    doca_sha_task_hash_completion_cb_t cb = sha->hash_done;

    if (doca_unlikely(task->status != DOCA_SUCCESS)) {
        doca_priv_task_failed(task);
        cb = sha->hash_failed;
    }
    cb((struct doca_sha_task_hash *)(void *)task, task->user_data, sha->ctx.user_data);
}

/* Carry a session on. A segment that failed, or was flushed, leaves it as it was. */
DOCA_PRIV_HOT void doca_priv_sha_partial_settle(struct doca_task *task)
{
    struct doca_sha_task_hash *t = (struct doca_sha_task_hash *)(void *)task;

    if (doca_likely(task->status == DOCA_SUCCESS)) {
        t->has_result = t->is_final;
        t->session = t->is_final ? DOCA_PRIV_SHA_ENDED : DOCA_PRIV_SHA_OPEN;
    }
}

static void doca_priv_sha_settle(struct doca_task *task)
{
    if (task->type == DOCA_CORE_SHA_PARTIAL)
        doca_priv_sha_partial_settle(task);
}

static void doca_priv_sha_partial_done(struct doca_task *task)
{
    const struct doca_sha *sha = (const struct doca_sha *)(const void *)task->ctx;
    doca_sha_task_partial_hash_completion_cb_t cb = sha->partial_done;

    if (doca_unlikely(task->status != DOCA_SUCCESS)) {
        doca_priv_task_failed(task);
        cb = sha->partial_failed;
    }
    doca_priv_sha_partial_settle(task);
    cb((struct doca_sha_task_partial_hash *)(void *)task, task->user_data, sha->ctx.user_data);
}

/* Everything a hash engine refuses. */
static doca_error_t doca_priv_sha_inspect(const struct doca_sha_task_hash *t, bool *is_far,
                                          enum doca_core_item *item)
{
    const struct doca_dev *dev = t->task.ctx->dev;
    const struct doca_core_limits *limits = &dev->info.attr.limits;
    struct doca_priv_task_list src, dst;
    doca_error_t rc = doca_priv_task_lists(t->src, t->dst, dev, &src, &dst, item);

    if (rc != DOCA_SUCCESS)
        return rc;
    *is_far = src.is_far || dst.is_far;
    if (t->session == DOCA_PRIV_SHA_ENDED) {
        *item = DOCA_CORE_ITEM_SHA_ENDED;
        return DOCA_ERROR_BAD_STATE;
    }
    *item = doca_priv_task_excess(&src, &dst, doca_priv_sha_sizes[t->algorithm].digest,
                                  limits->sha_max_src_buf_size, limits->sha_max_buf_list_len);
    if (*item == DOCA_CORE_ITEM_NONE && t->task.type == DOCA_CORE_SHA_PARTIAL && !t->is_final &&
        src.bytes % doca_priv_sha_sizes[t->algorithm].block != 0)
        *item = DOCA_CORE_ITEM_SHA_SEGMENT;
    return *item == DOCA_CORE_ITEM_NONE ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static doca_error_t doca_priv_sha_check(const struct doca_task *task, enum doca_core_item *item)
{
    bool is_far;

    return doca_priv_sha_inspect((const struct doca_sha_task_hash *)(const void *)task, &is_far,
                                 item);
}

#if DOCA_CORE_CHECK >= 2
static uint64_t doca_priv_sha_written(const struct doca_task *task)
{
    const struct doca_sha_task_hash *t = (const struct doca_sha_task_hash *)(const void *)task;

    return t->task.type != DOCA_CORE_SHA_PARTIAL || t->is_final
               ? doca_priv_sha_sizes[t->algorithm].digest
               : 0;
}
#endif

static bool doca_priv_sha_is_complete(const struct doca_task *task)
{
    const struct doca_sha_task_hash *t = (const struct doca_sha_task_hash *)(const void *)task;

    return doca_priv_is_buf(t->src) && doca_priv_is_buf(t->dst);
}

static const struct doca_priv_engine doca_priv_sha_engine = {
    DOCA_CORE_ENGINE_SHA,      true,                doca_priv_sha_is_supported, doca_priv_sha_check,
    doca_priv_sha_is_complete, doca_priv_sha_settle,       doca_priv_ctx_open_queue
};

static void doca_priv_sha_init_stocks(struct doca_priv_task_stock *stocks)
{
    stocks[DOCA_CORE_SHA_HASH].done = doca_priv_sha_hash_done;
    stocks[DOCA_CORE_SHA_HASH].task_bytes = DOCA_CORE_LINE;
    stocks[DOCA_CORE_SHA_PARTIAL].done = doca_priv_sha_partial_done;
    stocks[DOCA_CORE_SHA_PARTIAL].task_bytes = DOCA_PRIV_SHA_PARTIAL_BYTES;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_sha(struct doca_dev *dev, uint32_t num_hash_tasks,
                                                uint32_t num_partial_hash_tasks, size_t *bytes)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, bytes, __func__);
    struct doca_sha sha;

    if (rc != DOCA_SUCCESS)
        return rc;
    DOCA_CORE_MEMSET(&sha, 0, sizeof(sha));
    sha.ctx.dev = dev;
    sha.ctx.backend = dev->backend;
    sha.ctx.engine = &doca_priv_sha_engine;
    sha.ctx.num_stocks = 2;
    doca_priv_sha_init_stocks(sha.stocks);
    sha.stocks[DOCA_CORE_SHA_HASH].num = num_hash_tasks;
    sha.stocks[DOCA_CORE_SHA_PARTIAL].num = num_partial_hash_tasks;
    return doca_priv_ctx_bytes(&sha.ctx, sizeof(sha), bytes, __func__);
}

/* A NULL `arena` is the one of the device. */
static doca_error_t doca_priv_sha_create(struct doca_core_arena *arena, struct doca_dev *dev,
                                         struct doca_sha **sha, const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, sha, function);
    struct doca_sha *s;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (arena == NULL)
        arena = dev->info.arena;
    rc = doca_priv_object_take(arena, sizeof(*s), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    s = (struct doca_sha *)block;
    doca_priv_sha_init_stocks(s->stocks);
    doca_priv_ctx_init(&s->ctx, DOCA_PRIV_KIND_SHA, &doca_priv_sha_engine, dev->backend, arena,
                       dev, 2);
    *sha = s;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_sha_create_in(struct doca_core_arena *arena,
                                                    struct doca_dev *dev, struct doca_sha **sha)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, sha, __func__);

    return rc != DOCA_SUCCESS ? rc : doca_priv_sha_create(arena, dev, sha, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sha_create(struct doca_dev *dev, struct doca_sha **sha)
{
    return doca_priv_sha_create(NULL, dev, sha, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sha_destroy(struct doca_sha *sha)
{
    if (!doca_priv_is(sha, DOCA_PRIV_KIND_SHA))
        return DOCA_PRIV_FAIL_HANDLE(sha);
    return doca_priv_ctx_destroy(&sha->ctx, __func__);
}

DOCA_CORE_DECL struct doca_ctx *doca_sha_as_ctx(struct doca_sha *sha)
{
    return sha != NULL ? &sha->ctx : NULL;
}

/* INVALID_VALUE unless there is such an algorithm. */
DOCA_PRIV_HOT doca_error_t doca_priv_sha_algorithm(uint32_t algorithm, const void *object,
                                                   const char *function)
{
    if (doca_likely(algorithm < DOCA_PRIV_SHA_ALGORITHMS))
        return DOCA_SUCCESS;
    return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_SHA_ALGORITHM, function, object);
}

/* May a capability of the hash engine be written to `out`? */
static doca_error_t doca_priv_sha_cap(const struct doca_devinfo *devinfo, uint32_t algorithm,
                                      const void *out, const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, out, function);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_sha_algorithm(algorithm, devinfo, function);
    if (rc == DOCA_SUCCESS && !doca_priv_sha_is_supported(&devinfo->attr.limits))
        rc = doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DEV_NO_SHA, function, devinfo);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sha_cap_task_hash_get_supported(
    const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm)
{
    return doca_priv_sha_cap(devinfo, (uint32_t)algorithm, devinfo, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sha_cap_task_partial_hash_get_supported(
    const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm)
{
    return doca_priv_sha_cap(devinfo, (uint32_t)algorithm, devinfo, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sha_cap_get_max_list_buf_num_elem(
    const struct doca_devinfo *devinfo, uint32_t *max_list_buf_num_elem)
{
    doca_error_t rc = doca_priv_sha_cap(devinfo, 0, max_list_buf_num_elem, __func__);

    if (rc == DOCA_SUCCESS)
        *max_list_buf_num_elem = devinfo->attr.limits.sha_max_buf_list_len;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sha_cap_get_max_src_buf_size(const struct doca_devinfo *devinfo,
                                                              uint64_t *max_src_buf_size)
{
    doca_error_t rc = doca_priv_sha_cap(devinfo, 0, max_src_buf_size, __func__);

    if (rc == DOCA_SUCCESS)
        *max_src_buf_size = devinfo->attr.limits.sha_max_src_buf_size;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sha_cap_get_min_dst_buf_size(const struct doca_devinfo *devinfo,
                                                              enum doca_sha_algorithm algorithm,
                                                              uint32_t *min_dst_buf_size)
{
    doca_error_t rc = doca_priv_sha_cap(devinfo, (uint32_t)algorithm, min_dst_buf_size, __func__);

    if (rc == DOCA_SUCCESS)
        *min_dst_buf_size = doca_priv_sha_sizes[algorithm].digest;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sha_cap_get_max_src_buffer_size(
    const struct doca_devinfo *devinfo, uint64_t *max_src_buf_size)
{
    return doca_sha_cap_get_max_src_buf_size(devinfo, max_src_buf_size);
}

DOCA_CORE_DECL doca_error_t doca_sha_cap_get_min_dst_buffer_size(
    const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm,
    uint32_t *min_dst_buf_size)
{
    return doca_sha_cap_get_min_dst_buf_size(devinfo, algorithm, min_dst_buf_size);
}

DOCA_CORE_DECL doca_error_t doca_sha_cap_get_partial_hash_block_size(
    const struct doca_devinfo *devinfo, enum doca_sha_algorithm algorithm,
    uint32_t *partial_block_size)
{
    doca_error_t rc = doca_priv_sha_cap(devinfo, (uint32_t)algorithm, partial_block_size, __func__);

    if (rc == DOCA_SUCCESS)
        *partial_block_size = doca_priv_sha_sizes[algorithm].block;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sha_cap_get_max_num_tasks(struct doca_sha *sha,
                                                           uint32_t *max_num_tasks)
{
    doca_error_t rc = doca_priv_check_args(sha, DOCA_PRIV_KIND_SHA, max_num_tasks, __func__);

    if (rc == DOCA_SUCCESS)
        *max_num_tasks = sha->ctx.dev->info.attr.limits.sha_max_num_tasks;
    return rc;
}

/* What both set_conf do but for the callbacks. */
static doca_error_t doca_priv_sha_set_conf(struct doca_sha *sha, uint8_t type, bool has_cbs,
                                           uint8_t log_num_tasks, const char *function)
{
    const struct doca_core_limits *limits;
    uint64_t total;

    if (!doca_priv_is(sha, DOCA_PRIV_KIND_SHA) || !has_cbs)
        return doca_priv_check_args(sha, DOCA_PRIV_KIND_SHA, NULL, function);
    limits = &sha->ctx.dev->info.attr.limits;
    total = sha->stocks[1 - type].num + ((uint64_t)1 << log_num_tasks % 64);
    if (log_num_tasks >= 32 || (limits->has_sha != 0 && total > limits->sha_max_num_tasks))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_CTX_TOO_MANY_TASKS, function,
                              sha);
    if (sha->ctx.obj.state != DOCA_CTX_STATE_IDLE)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_CTX_NOT_IDLE, function, sha);
    sha->stocks[type].num = (uint32_t)1 << log_num_tasks;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_hash_set_conf(
    struct doca_sha *sha, doca_sha_task_hash_completion_cb_t task_completion_cb,
    doca_sha_task_hash_completion_cb_t task_error_cb, uint8_t log_num_tasks)
{
    bool has_cbs = task_completion_cb != NULL && task_error_cb != NULL;
    doca_error_t rc =
        doca_priv_sha_set_conf(sha, DOCA_CORE_SHA_HASH, has_cbs, log_num_tasks, __func__);

    if (rc == DOCA_SUCCESS) {
        sha->hash_done = task_completion_cb;
        sha->hash_failed = task_error_cb;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_conf(
    struct doca_sha *sha, doca_sha_task_partial_hash_completion_cb_t task_completion_cb,
    doca_sha_task_partial_hash_completion_cb_t task_error_cb, uint8_t log_num_tasks)
{
    bool has_cbs = task_completion_cb != NULL && task_error_cb != NULL;
    doca_error_t rc =
        doca_priv_sha_set_conf(sha, DOCA_CORE_SHA_PARTIAL, has_cbs, log_num_tasks, __func__);

    if (rc == DOCA_SUCCESS) {
        sha->partial_done = task_completion_cb;
        sha->partial_failed = task_error_cb;
    }
    return rc;
}

/* Take a task of a type, ready for its first submission. */
DOCA_PRIV_HOT doca_error_t doca_priv_sha_task_take(struct doca_sha *sha, uint8_t type,
                                                   uint32_t algorithm, const struct doca_buf *src,
                                                   struct doca_buf *dst, union doca_data user_data,
                                                   const void *out, struct doca_task **task,
                                                   const char *function)
{
    doca_error_t rc = doca_priv_check_args(sha, DOCA_PRIV_KIND_SHA, out, function);
    struct doca_sha_task_hash *t;

    if (doca_likely(rc == DOCA_SUCCESS))
        rc = doca_priv_sha_algorithm(algorithm, sha, function);
    if (doca_likely(rc == DOCA_SUCCESS))
        rc = doca_priv_task_take(&sha->ctx, type, task, function);
    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    t = (struct doca_sha_task_hash *)(void *)*task;
    t->task.user_data = user_data;
    t->src = src;
    t->dst = dst;
    t->algorithm = (uint8_t)algorithm;
    t->session = DOCA_PRIV_SHA_NEW;
    t->is_final = 0;
    t->has_result = 0;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_priv_sha_task_hash_alloc_other(
    struct doca_sha *sha, enum doca_sha_algorithm algorithm, const struct doca_buf *src_buf,
    struct doca_buf *dst_buf, union doca_data user_data, struct doca_sha_task_hash **task)
{
    struct doca_task *taken = NULL;
    doca_error_t rc =
        doca_priv_sha_task_take(sha, DOCA_CORE_SHA_HASH, (uint32_t)algorithm, src_buf, dst_buf,
                                user_data, task, &taken, "doca_sha_task_hash_alloc_init");

    if (rc == DOCA_SUCCESS)
        *task = (struct doca_sha_task_hash *)(void *)taken;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_hash_alloc_init(
    struct doca_sha *sha, enum doca_sha_algorithm algorithm, const struct doca_buf *src_buf,
    struct doca_buf *dst_buf, union doca_data user_data, struct doca_sha_task_hash **task)
{
    return doca_priv_hot_sha_task_hash_alloc_init(sha, algorithm, src_buf, dst_buf, user_data,
                                                  task);
}

DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_alloc_init(
    struct doca_sha *sha, enum doca_sha_algorithm algorithm, const struct doca_buf *src_buf,
    struct doca_buf *dst_buf, union doca_data user_data, struct doca_sha_task_partial_hash **task)
{
    struct doca_task *taken = NULL;
    doca_error_t rc =
        doca_priv_sha_task_take(sha, DOCA_CORE_SHA_PARTIAL, (uint32_t)algorithm, src_buf, dst_buf,
                                user_data, task, &taken, __func__);

    if (doca_likely(rc == DOCA_SUCCESS))
        *task = (struct doca_sha_task_partial_hash *)(void *)taken;
    return rc;
}

DOCA_CORE_DECL struct doca_task *doca_sha_task_hash_as_task(struct doca_sha_task_hash *task)
{
    return doca_priv_hot_sha_task_hash_as_task(task);
}

DOCA_CORE_DECL struct doca_task *doca_sha_task_partial_hash_as_task(
    struct doca_sha_task_partial_hash *task)
{
    return task != NULL ? &task->hash.task : NULL;
}

/* May the program change this partial hash task, or what is fixed during its session? */
static doca_error_t doca_priv_sha_check_partial(const struct doca_sha_task_partial_hash *task,
                                                bool is_fixed, const char *function)
{
    doca_error_t rc = doca_priv_task_check(task, doca_priv_sha_partial_done, function);

    if (rc == DOCA_SUCCESS && is_fixed && task->hash.session != DOCA_PRIV_SHA_NEW)
        rc = doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_SHA_SESSION, function, task);
    return rc;
}

/* Is there such a task, for a getter? */
DOCA_PRIV_HOT bool doca_priv_sha_is_task(const void *handle, void (*done)(struct doca_task *task))
{
    const struct doca_task *task = (const struct doca_task *)handle;

    return doca_priv_is_task(task) && (DOCA_CORE_CHECK == 0 || doca_priv_task_is_of(task, done));
}

DOCA_CORE_DECL doca_error_t doca_sha_task_hash_set_src(struct doca_sha_task_hash *task,
                                                       const struct doca_buf *src_buf)
{
    doca_error_t rc = doca_priv_task_check(task, doca_priv_sha_hash_done, __func__);

    if (rc == DOCA_SUCCESS)
        task->src = src_buf;
    return rc;
}

DOCA_CORE_DECL const struct doca_buf *doca_sha_task_hash_get_src(
    const struct doca_sha_task_hash *task)
{
    return doca_priv_sha_is_task(task, doca_priv_sha_hash_done) ? task->src : NULL;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_hash_set_dst(struct doca_sha_task_hash *task,
                                                       struct doca_buf *dst_buf)
{
    doca_error_t rc = doca_priv_task_check(task, doca_priv_sha_hash_done, __func__);

    if (rc == DOCA_SUCCESS)
        task->dst = dst_buf;
    return rc;
}

DOCA_CORE_DECL const struct doca_buf *doca_sha_task_hash_get_dst(
    const struct doca_sha_task_hash *task)
{
    return doca_priv_sha_is_task(task, doca_priv_sha_hash_done) ? task->dst : NULL;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_hash_set_algorithm(struct doca_sha_task_hash *task,
                                                             enum doca_sha_algorithm algorithm)
{
    doca_error_t rc = doca_priv_task_check(task, doca_priv_sha_hash_done, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_sha_algorithm((uint32_t)algorithm, task, __func__);
    if (rc == DOCA_SUCCESS)
        task->algorithm = (uint8_t)algorithm;
    return rc;
}

DOCA_CORE_DECL enum doca_sha_algorithm doca_sha_task_hash_get_algorithm(
    const struct doca_sha_task_hash *task)
{
    return doca_priv_sha_is_task(task, doca_priv_sha_hash_done)
               ? (enum doca_sha_algorithm)task->algorithm
               : DOCA_SHA_ALGORITHM_SHA1;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_src(
    struct doca_sha_task_partial_hash *task, const struct doca_buf *src_buf)
{
    doca_error_t rc = doca_priv_sha_check_partial(task, false, __func__);

    if (rc == DOCA_SUCCESS)
        task->hash.src = src_buf;
    return rc;
}

DOCA_CORE_DECL const struct doca_buf *doca_sha_task_partial_hash_get_src(
    const struct doca_sha_task_partial_hash *task)
{
    return doca_priv_sha_is_task(task, doca_priv_sha_partial_done) ? task->hash.src : NULL;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_dst(
    struct doca_sha_task_partial_hash *task, struct doca_buf *dst_buf)
{
    doca_error_t rc = doca_priv_sha_check_partial(task, true, __func__);

    if (rc == DOCA_SUCCESS)
        task->hash.dst = dst_buf;
    return rc;
}

DOCA_CORE_DECL const struct doca_buf *doca_sha_task_partial_hash_get_dst(
    const struct doca_sha_task_partial_hash *task)
{
    return doca_priv_sha_is_task(task, doca_priv_sha_partial_done) ? task->hash.dst : NULL;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_algorithm(
    struct doca_sha_task_partial_hash *task, enum doca_sha_algorithm algorithm)
{
    doca_error_t rc = doca_priv_sha_check_partial(task, true, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_sha_algorithm((uint32_t)algorithm, task, __func__);
    if (rc == DOCA_SUCCESS)
        task->hash.algorithm = (uint8_t)algorithm;
    return rc;
}

DOCA_CORE_DECL enum doca_sha_algorithm doca_sha_task_partial_hash_get_algorithm(
    const struct doca_sha_task_partial_hash *task)
{
    return doca_priv_sha_is_task(task, doca_priv_sha_partial_done)
               ? (enum doca_sha_algorithm)task->hash.algorithm
               : DOCA_SHA_ALGORITHM_SHA1;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_reset(
    struct doca_sha_task_partial_hash *task)
{
    doca_error_t rc = doca_priv_sha_check_partial(task, false, __func__);

    if (rc == DOCA_SUCCESS) {
        task->hash.session = DOCA_PRIV_SHA_NEW;
        task->hash.is_final = 0;
        task->hash.has_result = 0;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_is_final_buf(
    struct doca_sha_task_partial_hash *task)
{
    doca_error_t rc = doca_priv_sha_check_partial(task, false, __func__);

    if (rc == DOCA_SUCCESS)
        task->hash.is_final = 1;
    return rc;
}

DOCA_CORE_DECL uint8_t doca_sha_task_partial_hash_get_is_final(
    const struct doca_sha_task_partial_hash *task)
{
    return doca_priv_sha_is_task(task, doca_priv_sha_partial_done) ? task->hash.is_final : 0;
}

DOCA_CORE_DECL uint8_t doca_sha_task_partial_hash_get_has_result(
    const struct doca_sha_task_partial_hash *task)
{
    return doca_priv_sha_is_task(task, doca_priv_sha_partial_done) ? task->hash.has_result : 0;
}

DOCA_CORE_DECL doca_error_t doca_sha_task_partial_hash_set_is_final_buffer(
    struct doca_sha_task_partial_hash *task)
{
    return doca_sha_task_partial_hash_set_is_final_buf(task);
}

DOCA_CORE_DECL uint8_t doca_sha_task_partial_hash_get_is_final_buf(
    const struct doca_sha_task_partial_hash *task)
{
    return doca_sha_task_partial_hash_get_is_final(task);
}

DOCA_CORE_DECL uint8_t doca_sha_task_partial_hash_get_is_final_buffer(
    const struct doca_sha_task_partial_hash *task)
{
    return doca_sha_task_partial_hash_get_is_final(task);
}

/* ---- >>impl.sync_shared ---------------------------------------------------------------------
 * A value, and who shares it. Whoever wants to sleep until it changes counts himself in num_armed
 * and then looks at it; whoever changes it looks at num_armed afterwards: one of them sees the
 * other. Only while somebody sleeps does an update write to the file behind the page, which wakes
 * all who listen to it. is_closed is set by the exporter, or by an importer that finds it dead.  */

DOCA_PRIV_ASSERT_STATIC(event_page_fits,
                        sizeof(struct doca_priv_event_page) <= DOCA_PRIV_PAGE_SCRATCH);

DOCA_PRIV_APART void doca_priv_share_wake(const struct doca_priv_event_share *share)
{
    doca_priv_sys_page_touch(share->fd);
}

/* Wake who listens, if anybody does, to what was changed just now. */
DOCA_PRIV_HOT void doca_priv_share_notify(const struct doca_priv_event_share *share)
{
    if (share->page != NULL && doca_unlikely(DOCA_PRIV_LOAD_ORDERED(&share->page->num_armed) > 0))
        doca_priv_share_wake(share);
}

DOCA_PRIV_HOT bool doca_priv_share_is_imported(const struct doca_priv_event_share *share)
{
    return share->exporter_pid != 0;
}

/* Is the exporter known to have gone? */
DOCA_PRIV_HOT bool doca_priv_share_is_reset(const struct doca_priv_event_share *share)
{
    return share->page != NULL && doca_unlikely(DOCA_PRIV_LOAD(&share->page->is_closed) != 0) &&
           doca_priv_share_is_imported(share);
}

/* Importer: ask the system whether the exporter lives. */
static void doca_priv_share_look(const struct doca_priv_event_share *share)
{
    if (doca_priv_share_is_imported(share) && DOCA_PRIV_LOAD(&share->page->is_closed) == 0 &&
        doca_priv_sys_process_is_gone(share->exporter, share->exporter_pid, share->exporter_fd))
        DOCA_PRIV_STORE(&share->page->is_closed, 1u);
}

DOCA_PRIV_HOT doca_error_t doca_priv_share_add(const struct doca_priv_event_share *share,
                                               uint64_t value, uint64_t *fetched)
{
    if (doca_unlikely(doca_priv_share_is_reset(share)))
        return DOCA_ERROR_CONNECTION_RESET;
    *fetched = DOCA_PRIV_FETCH_ADD(share->value, value);
    doca_priv_share_notify(share);
    return DOCA_SUCCESS;
}

DOCA_PRIV_HOT doca_error_t doca_priv_share_set(const struct doca_priv_event_share *share,
                                               uint64_t value)
{
    if (doca_unlikely(doca_priv_share_is_reset(share)))
        return DOCA_ERROR_CONNECTION_RESET;
    DOCA_PRIV_STORE_ORDERED(share->value, value); /* before num_armed is looked at */
    doca_priv_share_notify(share);
    return DOCA_SUCCESS;
}

/* Does a value that was masked end what waits, of this DOCA_PRIV_EVENT_WAIT* type? */
DOCA_PRIV_HOT bool doca_priv_share_holds(unsigned type, uint64_t value, uint64_t wait_val)
{
    return type == DOCA_PRIV_EVENT_WAIT ? value > wait_val
                                        : (value == wait_val) == (type == DOCA_PRIV_EVENT_WAIT_EQ);
}

/* The first looks, some microseconds of them, go without a pause, which costs as much as a good
 * part of what a line needs from core to core. Behind them and the next update are to be few
 * instructions: an answer that comes some 20 cycles late finds the line back at the other core,
 * which looks at it as well, and fetches it once more. */
DOCA_PRIV_HOT bool doca_priv_share_spin(const struct doca_priv_event_share *share, unsigned type,
                                        uint64_t wait_val, uint64_t mask)
{
    const doca_priv_cell *value = share->value;
    uint32_t looks;

    for (looks = 4096; looks > 0; looks--) {
        if (doca_priv_share_holds(type, DOCA_PRIV_LOAD(value) & mask, wait_val))
            return true;
        DOCA_CORE_RELAX();
    }
    return false;
}

/* Whether the exporter lives is looked at from time to time. */
static doca_error_t doca_priv_share_wait(const struct doca_priv_event_share *share, unsigned type,
                                         uint64_t wait_val, uint64_t mask, bool yields)
{
    const uint32_t per_ms = yields ? 512 : 16384; /* in the order of it; a power of 2 */
    bool is_reset = doca_priv_share_is_reset(share); /* first: a last update came before it */
    uint32_t looks;

    for (looks = 1;; looks++) {
        if (doca_priv_share_holds(type, DOCA_PRIV_LOAD(share->value) & mask, wait_val))
            return DOCA_SUCCESS;
        if (doca_unlikely(is_reset))
            return DOCA_ERROR_CONNECTION_RESET;
        if (yields) {
            doca_priv_sys_yield();
        } else {
            DOCA_PRIV_PAUSE();
            DOCA_CORE_RELAX();
        }
        if (doca_unlikely((looks & (per_ms - 1)) == 0)) {
            doca_priv_share_look(share);
            is_reset = doca_priv_share_is_reset(share);
        }
    }
}

/* Make a value that can be exported. */
static doca_error_t doca_priv_share_create(struct doca_priv_event_share *share)
{
    void *page = NULL;
    doca_error_t rc = doca_priv_sys_page_create(&share->fd, &page);

    if (rc != DOCA_SUCCESS)
        return rc;
    share->page = (struct doca_priv_event_page *)page;
    share->page->token = doca_priv_sys_random();
    share->exporter = -1;
    share->value = &share->page->value;
    return DOCA_SUCCESS;
}

static void doca_priv_share_unmap(struct doca_priv_event_share *share)
{
    if (share->page != NULL)
        doca_priv_sys_page_close(share->fd, share->page);
    if (doca_priv_share_is_imported(share))
        doca_priv_sys_close(share->exporter);
    share->page = NULL;
    share->value = NULL;
}

/* End what doca_priv_share_create() made: importers learn it, those who sleep as well. */
static void doca_priv_share_close(struct doca_priv_event_share *share)
{
    if (share->page != NULL) {
        DOCA_PRIV_STORE_ORDERED(&share->page->is_closed, 1u);
        doca_priv_share_notify(share);
    }
    doca_priv_share_unmap(share);
}

/* Find the value that a descriptor of `kind` means. The process is watched from before its page is
 * opened: if it has the page now, it is the exporter, and no later process of the same number. */
static doca_error_t doca_priv_share_import(struct doca_priv_event_share *share, const uint8_t *data,
                                           size_t sz, enum doca_priv_export_kind kind,
                                           enum doca_core_item *item)
{
    struct doca_priv_event_desc desc;
    void *page = NULL;
    doca_error_t rc;

    rc = doca_priv_export_open(data, sz, kind, kind, &desc.head, sizeof(desc), item);
    if (rc != DOCA_SUCCESS)
        return rc;
    share->exporter_pid = desc.head.pid;
    share->exporter_fd = desc.fd;
    share->exporter = doca_priv_sys_process_open(desc.head.pid);
    rc = doca_priv_sys_page_open(desc.head.pid, desc.fd, &share->fd, &page);
    if (rc == DOCA_SUCCESS) {
        share->page = (struct doca_priv_event_page *)page;
        share->value = &share->page->value;
        if (share->page->token == desc.head.token && !doca_priv_share_is_reset(share))
            return DOCA_SUCCESS;
        rc = DOCA_ERROR_NOT_FOUND;
    }
    doca_priv_share_unmap(share);
    *item = rc == DOCA_ERROR_NOT_PERMITTED ? DOCA_CORE_ITEM_EVENT_OTHER_USER
            : rc == DOCA_ERROR_NOT_FOUND   ? DOCA_CORE_ITEM_EVENT_GONE
                                           : DOCA_CORE_ITEM_EVENT_SYSTEM;
    return rc == DOCA_ERROR_NOT_FOUND ? DOCA_ERROR_INVALID_VALUE : rc;
}

/* ---- >>impl.sync_task -----------------------------------------------------------------------
 * The queue of an event that works as a context. Tasks that can be done at once stand in the order
 * of their submission; those that wait stand apart, and are looked through when the value has
 * changed. Tasks are done in poll. The descriptor is an epoll set of the queue's own, empty unless
 * it is armed.                                                                                  */

/* READS: alone, and not updated by calls; the last two are what calls that update look for. */
enum {
    DOCA_PRIV_EVENT_NEW = 0,
    DOCA_PRIV_EVENT_ALONE = 1,
    DOCA_PRIV_EVENT_IS_CTX = 2,
    DOCA_PRIV_EVENT_READS = 3
};

/* Where publishers and subscribers can be; bits. */
enum { DOCA_PRIV_EVENT_ON_CPU = 1, DOCA_PRIV_EVENT_ON_DPU = 2, DOCA_PRIV_EVENT_ON_NET = 4 };

#define DOCA_PRIV_EVENT_POLLS 256 /* until the system is asked for the exporter again */

DOCA_PRIV_ASSERT_STATIC(event_tasks_fit_a_line,
                        sizeof(struct doca_sync_event_task_notify_add) <= DOCA_CORE_LINE &&
                            sizeof(struct doca_sync_event_task_wait_gt) <= DOCA_CORE_LINE);

struct doca_priv_event_queue {
    struct doca_core_queue queue;
    struct doca_sync_event *event;
    struct doca_task *first; /* of those that can be done; NULL: none */
    struct doca_task *last;  /* stale while there is none */
    struct doca_task *waiting;
    struct doca_task **waiting_end; /* where the link to the next one is */
    uint64_t seen;      /* the value when all that wait were last found to wait rightly */
    uint32_t num_polls; /* of what waits */
    bool must_look;     /* something waits that `seen` says nothing of */
    bool waits_turn;    /* those that wait come first in the next poll */
    bool is_armed;
    bool is_deaf; /* armed, but nothing would wake it */
    int set;      /* the descriptor; -1: nobody to listen to, or no type of tasks that waits */
    int notes;    /* of writes to the page, in the set while armed, as is the exporter */
};

DOCA_PRIV_ASSERT_STATIC(event_queue_fits,
                        sizeof(struct doca_priv_event_queue) <= DOCA_PRIV_EVENT_QUEUE_BYTES);

DOCA_PRIV_HOT struct doca_priv_event_queue *doca_priv_event_q(struct doca_core_queue *queue)
{
    return (struct doca_priv_event_queue *)(void *)queue;
}

/* Has the task a place for its result, if it needs one? */
static bool doca_priv_event_is_complete(const struct doca_task *task)
{
    if (task->type == DOCA_PRIV_EVENT_GET)
        return ((const struct doca_sync_event_task_get *)(const void *)task)->ret_val_ptr != NULL;
    return task->type != DOCA_PRIV_EVENT_ADD ||
           ((const struct doca_sync_event_task_notify_add *)(const void *)task)->fetched_val_ptr !=
               NULL;
}

static doca_error_t doca_priv_event_post(struct doca_core_queue *queue, struct doca_task *task)
{
    struct doca_priv_event_queue *q = doca_priv_event_q(queue);

    if (doca_unlikely(!doca_priv_event_is_complete(task)))
        return DOCA_ERROR_INVALID_VALUE;
    task->next = NULL;
    if (task->type >= DOCA_PRIV_EVENT_WAIT) {
        *q->waiting_end = task;
        q->waiting_end = &task->next;
        q->must_look = true;
        return DOCA_SUCCESS;
    }
    if (q->first == NULL)
        q->first = task;
    else
        q->last->next = task;
    q->last = task;
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_event_execute(const struct doca_priv_event_share *share,
                                            struct doca_task *task)
{
    struct doca_sync_event_task_get *get = (struct doca_sync_event_task_get *)(void *)task;
    struct doca_sync_event_task_notify_set *set =
        (struct doca_sync_event_task_notify_set *)(void *)task;
    struct doca_sync_event_task_notify_add *add =
        (struct doca_sync_event_task_notify_add *)(void *)task;
    doca_error_t rc = DOCA_SUCCESS;

    if (task->type == DOCA_PRIV_EVENT_GET)
        *get->ret_val_ptr = DOCA_PRIV_LOAD(share->value);
    else if (task->type == DOCA_PRIV_EVENT_SET)
        rc = doca_priv_share_set(share, set->set_val);
    else
        rc = doca_priv_share_add(share, add->inc_val, add->fetched_val_ptr);
    return rc == DOCA_SUCCESS
               ? rc
               : doca_priv_fail(rc, DOCA_CORE_ITEM_EVENT_GONE, "doca_pe_progress", task);
}

static bool doca_priv_event_holds(const struct doca_task *task, uint64_t value)
{
    const struct doca_sync_event_task_wait_gt *t =
        (const struct doca_sync_event_task_wait_gt *)(const void *)task;

    return doca_priv_share_holds(task->type, value & t->mask, t->wait_val);
}

/* The first of the waiting tasks that need not wait any longer, or NULL. */
static struct doca_task *doca_priv_event_poll_waiting(struct doca_priv_event_queue *q)
{
    const struct doca_priv_event_share *share = &q->event->share;
    struct doca_task **link, *task;
    bool is_reset, holds = false;
    uint64_t value;

    if (++q->num_polls % DOCA_PRIV_EVENT_POLLS == 0)
        doca_priv_share_look(share);
    is_reset = doca_priv_share_is_reset(share); /* first: a last update came before it */
    value = DOCA_PRIV_LOAD(share->value);
    if (!is_reset && !q->must_look && value == q->seen)
        return NULL;
    for (link = &q->waiting; *link != NULL; link = &(*link)->next) {
        holds = doca_priv_event_holds(*link, value);
        if (holds || is_reset)
            break;
    }
    task = *link;
    q->must_look = task != NULL;
    if (task == NULL) {
        q->seen = value;
        return NULL;
    }
    *link = task->next;
    if (*link == NULL)
        q->waiting_end = link;
    task->status = DOCA_SUCCESS;
    if (!holds)
        task->status = (uint8_t)doca_priv_fail(DOCA_ERROR_CONNECTION_RESET,
                                               DOCA_CORE_ITEM_EVENT_GONE, "doca_pe_progress", task);
    return task;
}

/* Both kinds of tasks take turns, so that neither can keep the other from finishing. */
static struct doca_task *doca_priv_event_poll(struct doca_core_queue *queue)
{
    struct doca_priv_event_queue *q = doca_priv_event_q(queue);
    struct doca_task *task = NULL;

    if (q->waiting != NULL && (q->waits_turn || q->first == NULL))
        task = doca_priv_event_poll_waiting(q);
    q->waits_turn = false;
    if (task == NULL && q->first != NULL) {
        task = q->first;
        q->first = task->next;
        q->waits_turn = true;
        task->status = (uint8_t)doca_priv_event_execute(&q->event->share, task);
    }
    return task;
}

/* What poll is once the queue was flushed. */
static struct doca_task *doca_priv_event_poll_flushed(struct doca_core_queue *queue)
{
    struct doca_priv_event_queue *q = doca_priv_event_q(queue);
    struct doca_task **list = q->first != NULL ? &q->first : &q->waiting, *task = *list;

    if (task != NULL) {
        *list = task->next;
        (void)doca_priv_fail((doca_error_t)task->status, DOCA_CORE_ITEM_FLUSHED, "doca_pe_progress",
                             task);
    }
    return task;
}

static void doca_priv_event_queue_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_priv_event_queue *q = doca_priv_event_q(queue);
    struct doca_task *task;

    for (task = q->first; task != NULL; task = task->next)
        task->status = (uint8_t)status;
    for (task = q->waiting; task != NULL; task = task->next)
        task->status = (uint8_t)status;
    queue->poll = doca_priv_event_poll_flushed;
}

static bool doca_priv_event_queue_ready(struct doca_core_queue *queue)
{
    const struct doca_priv_event_queue *q = doca_priv_event_q(queue);
    const struct doca_priv_event_share *share = &q->event->share;
    const struct doca_task *task = q->waiting;
    uint64_t value;

    if (q->first != NULL || task == NULL)
        return q->first != NULL;
    if (queue->poll == doca_priv_event_poll_flushed || q->is_deaf ||
        doca_priv_share_is_reset(share))
        return true;
    value = DOCA_PRIV_LOAD_ORDERED(share->value);
    while (task != NULL && !doca_priv_event_holds(task, value))
        task = task->next;
    return task != NULL;
}

static int doca_priv_event_queue_fd(struct doca_core_queue *queue)
{
    return doca_priv_event_q(queue)->set;
}

/* The system is asked for the exporter at both ends: an armed queue that its death made readable
 * is ready afterwards. */
static void doca_priv_event_queue_arm(struct doca_core_queue *queue, bool armed)
{
    struct doca_priv_event_queue *q = doca_priv_event_q(queue);
    const struct doca_priv_event_share *share = &q->event->share;

    if (q->set < 0)
        return;
    if (armed && !q->is_armed) {
        q->is_deaf = !doca_priv_sys_watch(q->set, q->notes) ||
                     (share->exporter >= 0 && !doca_priv_sys_watch(q->set, share->exporter));
        (void)DOCA_PRIV_FETCH_ADD(&share->page->num_armed, 1u);
    } else if (!armed && q->is_armed) {
        (void)DOCA_PRIV_FETCH_ADD(&share->page->num_armed, 0u - 1u);
        doca_priv_sys_unwatch(q->set, q->notes);
        if (share->exporter >= 0)
            doca_priv_sys_unwatch(q->set, share->exporter);
        q->is_deaf = false;
    }
    if (q->is_armed) /* it begins anew, or ends; the value is looked at afterwards */
        doca_priv_sys_listen_drain(q->notes);
    q->is_armed = armed;
    doca_priv_share_look(share);
}

static size_t doca_priv_event_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                          uint32_t depth)
{
    (void)dev;
    (void)engine;
    (void)depth;
    return DOCA_PRIV_EVENT_QUEUE_BYTES;
}

/* Was it created from an export? */
static bool doca_priv_event_is_imported(const struct doca_sync_event *event)
{
    return doca_priv_share_is_imported(&event->share) || event->owns_mmap;
}

/* Find or make the value of an event that starts. Where the CPU does not follow, none is found. */
static doca_error_t doca_priv_event_begin(struct doca_sync_event *event, const char *function)
{
    const struct doca_dev *pub = event->publisher_dev, *sub = event->subscriber_dev;
    unsigned locations = (unsigned)event->publishers | event->subscribers;
    doca_error_t rc;

    if (doca_priv_event_is_imported(event))
        return DOCA_SUCCESS;
    if (event->publishers == 0 || event->subscribers == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_EVENT_NO_LOCATION, function,
                              event);
    if ((pub != NULL && !pub->info.attr.limits.has_sync_event) ||
        (sub != NULL && !sub->info.attr.limits.has_sync_event))
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DEV_NO_SYNC_EVENT, function,
                              event);
    if (event->addr != NULL && (locations & DOCA_PRIV_EVENT_ON_NET) != 0)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_EVENT_OWN_ADDR, function,
                              event);
    if (event->addr != NULL) {
        if (event->mmap == NULL || !event->mmap->is_elsewhere)
            event->share.value = (doca_priv_cell *)event->addr;
        return DOCA_SUCCESS;
    }
    if (locations == DOCA_PRIV_EVENT_ON_CPU) {
        event->own_value = 0;
        event->share.value = &event->own_value;
        return DOCA_SUCCESS;
    }
    rc = doca_priv_share_create(&event->share);
    return rc == DOCA_SUCCESS ? rc
                              : doca_priv_fail(rc, DOCA_CORE_ITEM_EVENT_SYSTEM, function, event);
}

/* The end of it; the value of an import stays until destroy. */
static void doca_priv_event_end(struct doca_sync_event *event)
{
    if (doca_priv_share_is_imported(&event->share))
        return;
    doca_priv_share_close(&event->share);
    DOCA_CORE_MEMSET(&event->desc, 0, sizeof(event->desc));
}

static doca_error_t doca_priv_event_check_cpu(struct doca_sync_event *event, const char *function);

static doca_error_t doca_priv_event_queue_open(struct doca_ctx *ctx, uint32_t num_tasks,
                                               const char *function)
{
    struct doca_priv_event_queue *q = doca_priv_event_q(ctx->queue);
    struct doca_sync_event *event = (struct doca_sync_event *)(void *)ctx;
    doca_error_t rc;

    (void)num_tasks;
    if (event->mode != DOCA_PRIV_EVENT_IS_CTX)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_EVENT_IS_NO_CTX, function, ctx);
    rc = doca_priv_event_begin(event, function);
    if (rc == DOCA_SUCCESS && event->mmap != NULL)
        rc = doca_priv_event_check_cpu(event, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    q->queue.post = doca_priv_event_post;
    q->queue.poll = doca_priv_event_poll;
    q->event = event;
    q->waiting_end = &q->waiting;
    q->set = -1;
    if (event->share.page != NULL && (event->stocks[DOCA_PRIV_EVENT_WAIT].num > 0 ||
                                      event->stocks[DOCA_PRIV_EVENT_WAIT_EQ].num > 0 ||
                                      event->stocks[DOCA_PRIV_EVENT_WAIT_NEQ].num > 0)) {
        q->set = doca_priv_sys_listen_open(event->share.fd, &q->notes);
        if (q->set < 0) {
            doca_priv_event_end(event);
            return doca_priv_fail(DOCA_ERROR_OPERATING_SYSTEM, DOCA_CORE_ITEM_EVENT_SYSTEM,
                                  function, ctx);
        }
    }
    return DOCA_SUCCESS;
}

static void doca_priv_event_queue_close(struct doca_core_queue *queue)
{
    struct doca_priv_event_queue *q = doca_priv_event_q(queue);

    if (q->set >= 0) {
        doca_priv_event_queue_arm(queue, false);
        doca_priv_sys_wait_close(q->set, q->notes);
    }
    doca_priv_event_end(q->event);
}

/* What contexts of this kind call of a backend, and only that: nobody registers it. */
static const struct doca_core_backend doca_priv_event_backend = {
    "sync event",
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    doca_priv_event_queue_bytes,
    NULL,
    NULL,
    doca_priv_event_queue_close,
    doca_priv_event_queue_flush,
    doca_priv_event_queue_ready,
    doca_priv_event_queue_fd,
    doca_priv_event_queue_arm,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    0,
};

static doca_error_t doca_priv_event_check_task(const struct doca_task *task,
                                               enum doca_core_item *item)
{
    *item = DOCA_CORE_ITEM_TASK_NO_BUFFER;
    return doca_priv_event_is_complete(task) ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static void doca_priv_event_settle(struct doca_task *task)
{
    (void)task;
}

static const struct doca_priv_engine doca_priv_event_engine = {
    DOCA_PRIV_ENGINE_NONE,       false,                  NULL,
    doca_priv_event_check_task,  doca_priv_event_is_complete, doca_priv_event_settle,
    doca_priv_event_queue_open
};

/* What the alloc_init of each type begins with. */
DOCA_PRIV_HOT doca_error_t doca_priv_event_take(struct doca_sync_event *event,
                                                union doca_data user_data, unsigned type,
                                                const void *out, struct doca_task **task,
                                                const char *function)
{
    doca_error_t rc = doca_priv_check_args(event, DOCA_PRIV_KIND_SYNC_EVENT, out, function);

    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    if (doca_unlikely(event->mode != DOCA_PRIV_EVENT_IS_CTX))
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_EVENT_IS_NO_CTX, function,
                              event);
    rc = doca_priv_task_take(&event->ctx, type, task, function);
    if (doca_likely(rc == DOCA_SUCCESS))
        (*task)->user_data = user_data;
    return rc;
}

/* What the set_conf of each type does before it keeps the callbacks. */
static doca_error_t doca_priv_event_conf(struct doca_sync_event *event, bool has_callbacks,
                                         uint32_t num_tasks, unsigned type, const char *function)
{
    uint64_t sum = num_tasks;
    unsigned i;

    if (!doca_priv_is(event, DOCA_PRIV_KIND_SYNC_EVENT))
        return doca_priv_check_args(event, DOCA_PRIV_KIND_SYNC_EVENT, NULL, function);
    if (!has_callbacks)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              event);
    if (num_tasks == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_ZERO, function, event);
    for (i = 0; i < DOCA_PRIV_EVENT_TYPES; i++)
        sum += i == type ? 0 : event->stocks[i].num;
    if (num_tasks >= 1u << 30 || sum > UINT32_MAX) /* so that all can be counted */
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_CTX_TOO_MANY_TASKS,
                              function, event);
    if (event->ctx.obj.state != DOCA_CTX_STATE_IDLE)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_CTX_NOT_IDLE, function,
                              event);
    event->stocks[type].num = num_tasks;
    return DOCA_SUCCESS;
}

/* May the member of a task be read, of the type with this `done`? */
static bool doca_priv_event_is_task(const void *handle, void (*done)(struct doca_task *task))
{
    const struct doca_task *task = (const struct doca_task *)handle;

    return doca_priv_is_task(task) && (DOCA_CORE_CHECK == 0 || doca_priv_task_is_of(task, done));
}

/* Has it ended well? A failure stops the context, if a device does its tasks. */
DOCA_PRIV_HOT bool doca_priv_event_is_well(const struct doca_task *task)
{
    if (doca_likely(task->status == DOCA_SUCCESS))
        return true;
    doca_priv_task_failed(task);
    return false;
}

static void doca_priv_event_get_done(struct doca_task *task)
{
    const struct doca_sync_event *event = (const struct doca_sync_event *)(const void *)task->ctx;
    doca_sync_event_task_get_completion_cb_t cb =
        doca_priv_event_is_well(task) ? event->get_done : event->get_failed;

    cb((struct doca_sync_event_task_get *)(void *)task, task->user_data,
       event->ctx.user_data);
}

static void doca_priv_event_set_done(struct doca_task *task)
{
    const struct doca_sync_event *event = (const struct doca_sync_event *)(const void *)task->ctx;
    doca_sync_event_task_notify_set_completion_cb_t cb =
        doca_priv_event_is_well(task) ? event->set_done : event->set_failed;

    cb((struct doca_sync_event_task_notify_set *)(void *)task, task->user_data,
       event->ctx.user_data);
}

static void doca_priv_event_add_done(struct doca_task *task)
{
    const struct doca_sync_event *event = (const struct doca_sync_event *)(const void *)task->ctx;
    doca_sync_event_task_notify_add_completion_cb_t cb =
        doca_priv_event_is_well(task) ? event->add_done : event->add_failed;

    cb((struct doca_sync_event_task_notify_add *)(void *)task, task->user_data,
       event->ctx.user_data);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_get_set_conf(
    struct doca_sync_event *event, doca_sync_event_task_get_completion_cb_t completion_cb,
    doca_sync_event_task_get_completion_cb_t error_cb, uint32_t num_tasks)
{
    doca_error_t rc = doca_priv_event_conf(event, completion_cb != NULL && error_cb != NULL,
                                           num_tasks, DOCA_PRIV_EVENT_GET, __func__);

    if (rc == DOCA_SUCCESS) {
        event->get_done = completion_cb;
        event->get_failed = error_cb;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_get_alloc_init(
    struct doca_sync_event *event, uint64_t *ret_val_ptr, union doca_data user_data,
    struct doca_sync_event_task_get **task)
{
    struct doca_task *taken = NULL;
    doca_error_t rc =
        doca_priv_event_take(event, user_data, DOCA_PRIV_EVENT_GET, task, &taken, __func__);
    struct doca_sync_event_task_get *t = (struct doca_sync_event_task_get *)(void *)taken;

    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    t->ret_val_ptr = ret_val_ptr;
    *task = t;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL struct doca_task *doca_sync_event_task_get_as_doca_task(
    struct doca_sync_event_task_get *task)
{
    return task != NULL ? &task->task : NULL;
}

DOCA_CORE_DECL void doca_sync_event_task_get_set_ret_val_ptr(struct doca_sync_event_task_get *task,
                                                             uint64_t *ret_val_ptr)
{
    if (doca_priv_task_check(task, doca_priv_event_get_done, __func__) == DOCA_SUCCESS)
        task->ret_val_ptr = ret_val_ptr;
}

DOCA_CORE_DECL uint64_t *doca_sync_event_task_get_get_ret_val_ptr(
    const struct doca_sync_event_task_get *task)
{
    return doca_priv_event_is_task(task, doca_priv_event_get_done) ? task->ret_val_ptr : NULL;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_notify_set_set_conf(
    struct doca_sync_event *event, doca_sync_event_task_notify_set_completion_cb_t completion_cb,
    doca_sync_event_task_notify_set_completion_cb_t error_cb, uint32_t num_tasks)
{
    doca_error_t rc = doca_priv_event_conf(event, completion_cb != NULL && error_cb != NULL,
                                           num_tasks, DOCA_PRIV_EVENT_SET, __func__);

    if (rc == DOCA_SUCCESS) {
        event->set_done = completion_cb;
        event->set_failed = error_cb;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_notify_set_alloc_init(
    struct doca_sync_event *event, uint64_t set_val, union doca_data user_data,
    struct doca_sync_event_task_notify_set **task)
{
    struct doca_task *taken = NULL;
    doca_error_t rc =
        doca_priv_event_take(event, user_data, DOCA_PRIV_EVENT_SET, task, &taken, __func__);
    struct doca_sync_event_task_notify_set *t =
        (struct doca_sync_event_task_notify_set *)(void *)taken;

    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    t->set_val = set_val;
    *task = t;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL struct doca_task *doca_sync_event_task_notify_set_as_doca_task(
    struct doca_sync_event_task_notify_set *task)
{
    return task != NULL ? &task->task : NULL;
}

DOCA_CORE_DECL void doca_sync_event_task_notify_set_set_set_val(
    struct doca_sync_event_task_notify_set *task, uint64_t set_val)
{
    if (doca_priv_task_check(task, doca_priv_event_set_done, __func__) == DOCA_SUCCESS)
        task->set_val = set_val;
}

DOCA_CORE_DECL uint64_t doca_sync_event_task_notify_set_get_set_val(
    const struct doca_sync_event_task_notify_set *task)
{
    return doca_priv_event_is_task(task, doca_priv_event_set_done) ? task->set_val : 0;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_notify_add_set_conf(
    struct doca_sync_event *event, doca_sync_event_task_notify_add_completion_cb_t completion_cb,
    doca_sync_event_task_notify_add_completion_cb_t error_cb, uint32_t num_tasks)
{
    doca_error_t rc = doca_priv_event_conf(event, completion_cb != NULL && error_cb != NULL,
                                           num_tasks, DOCA_PRIV_EVENT_ADD, __func__);

    if (rc == DOCA_SUCCESS) {
        event->add_done = completion_cb;
        event->add_failed = error_cb;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_notify_add_alloc_init(
    struct doca_sync_event *event, uint64_t inc_val, uint64_t *fetched_val_ptr,
    union doca_data user_data, struct doca_sync_event_task_notify_add **task)
{
    struct doca_task *taken = NULL;
    doca_error_t rc =
        doca_priv_event_take(event, user_data, DOCA_PRIV_EVENT_ADD, task, &taken, __func__);
    struct doca_sync_event_task_notify_add *t =
        (struct doca_sync_event_task_notify_add *)(void *)taken;

    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    t->inc_val = inc_val;
    t->fetched_val_ptr = fetched_val_ptr;
    *task = t;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL struct doca_task *doca_sync_event_task_notify_add_as_doca_task(
    struct doca_sync_event_task_notify_add *task)
{
    return task != NULL ? &task->task : NULL;
}

DOCA_CORE_DECL void doca_sync_event_task_notify_add_set_inc_val(
    struct doca_sync_event_task_notify_add *task, uint64_t inc_val)
{
    if (doca_priv_task_check(task, doca_priv_event_add_done, __func__) == DOCA_SUCCESS)
        task->inc_val = inc_val;
}

DOCA_CORE_DECL uint64_t doca_sync_event_task_notify_add_get_inc_val(
    const struct doca_sync_event_task_notify_add *task)
{
    return doca_priv_event_is_task(task, doca_priv_event_add_done) ? task->inc_val : 0;
}

DOCA_CORE_DECL void doca_sync_event_task_notify_add_set_fetched_val_ptr(
    struct doca_sync_event_task_notify_add *task, uint64_t *fetched_val_ptr)
{
    if (doca_priv_task_check(task, doca_priv_event_add_done, __func__) == DOCA_SUCCESS)
        task->fetched_val_ptr = fetched_val_ptr;
}

DOCA_CORE_DECL uint64_t *doca_sync_event_task_notify_add_get_fetched_val_ptr(
    const struct doca_sync_event_task_notify_add *task)
{
    return doca_priv_event_is_task(task, doca_priv_event_add_done) ? task->fetched_val_ptr : NULL;
}

/* ---- >>impl.sync_wait ----------------------------------------------------------------------- */

static void doca_priv_event_wait_done(struct doca_task *task)
{
    const struct doca_sync_event *event = (const struct doca_sync_event *)(const void *)task->ctx;
    doca_sync_event_task_wait_gt_completion_cb_t cb =
        doca_priv_event_is_well(task) ? event->wait_done : event->wait_failed;

    cb((struct doca_sync_event_task_wait_gt *)(void *)task, task->user_data,
       event->ctx.user_data);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_wait_gt_set_conf(
    struct doca_sync_event *event, doca_sync_event_task_wait_gt_completion_cb_t completion_cb,
    doca_sync_event_task_wait_gt_completion_cb_t error_cb, uint32_t num_tasks)
{
    doca_error_t rc = doca_priv_event_conf(event, completion_cb != NULL && error_cb != NULL,
                                           num_tasks, DOCA_PRIV_EVENT_WAIT, __func__);

    if (rc == DOCA_SUCCESS) {
        event->wait_done = completion_cb;
        event->wait_failed = error_cb;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_wait_gt_alloc_init(
    struct doca_sync_event *event, uint64_t wait_val, uint64_t mask, union doca_data user_data,
    struct doca_sync_event_task_wait_gt **task)
{
    struct doca_task *taken = NULL;
    doca_error_t rc =
        doca_priv_event_take(event, user_data, DOCA_PRIV_EVENT_WAIT, task, &taken, __func__);
    struct doca_sync_event_task_wait_gt *t =
        (struct doca_sync_event_task_wait_gt *)(void *)taken;

    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    t->wait_val = wait_val;
    t->mask = mask;
    *task = t;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL struct doca_task *doca_sync_event_task_wait_gt_as_doca_task(
    struct doca_sync_event_task_wait_gt *task)
{
    return task != NULL ? &task->task : NULL;
}

DOCA_CORE_DECL void doca_sync_event_task_wait_gt_set_wait_val(
    struct doca_sync_event_task_wait_gt *task, uint64_t wait_val)
{
    if (doca_priv_task_check(task, doca_priv_event_wait_done, __func__) == DOCA_SUCCESS)
        task->wait_val = wait_val;
}

DOCA_CORE_DECL uint64_t doca_sync_event_task_wait_gt_get_wait_val(
    const struct doca_sync_event_task_wait_gt *task)
{
    return doca_priv_event_is_task(task, doca_priv_event_wait_done) ? task->wait_val : 0;
}

DOCA_CORE_DECL void doca_sync_event_task_wait_gt_set_mask(
    struct doca_sync_event_task_wait_gt *task, uint64_t mask)
{
    if (doca_priv_task_check(task, doca_priv_event_wait_done, __func__) == DOCA_SUCCESS)
        task->mask = mask;
}

DOCA_CORE_DECL uint64_t doca_sync_event_task_wait_gt_get_mask(
    const struct doca_sync_event_task_wait_gt *task)
{
    return doca_priv_event_is_task(task, doca_priv_event_wait_done) ? task->mask : 0;
}

static void doca_priv_event_wait_eq_done(struct doca_task *task)
{
    const struct doca_sync_event *event = (const struct doca_sync_event *)(const void *)task->ctx;
    doca_sync_event_task_wait_eq_completion_cb_t cb =
        doca_priv_event_is_well(task) ? event->wait_eq_done : event->wait_eq_failed;

    cb((struct doca_sync_event_task_wait_eq *)(void *)task, task->user_data,
       event->ctx.user_data);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_wait_eq_set_conf(
    struct doca_sync_event *event, doca_sync_event_task_wait_eq_completion_cb_t completion_cb,
    doca_sync_event_task_wait_eq_completion_cb_t error_cb, uint32_t num_tasks)
{
    doca_error_t rc = doca_priv_event_conf(event, completion_cb != NULL && error_cb != NULL,
                                           num_tasks, DOCA_PRIV_EVENT_WAIT_EQ, __func__);

    if (rc == DOCA_SUCCESS) {
        event->wait_eq_done = completion_cb;
        event->wait_eq_failed = error_cb;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_wait_eq_alloc_init(
    struct doca_sync_event *event, uint64_t wait_val, uint64_t mask, union doca_data user_data,
    struct doca_sync_event_task_wait_eq **task)
{
    struct doca_task *taken = NULL;
    doca_error_t rc =
        doca_priv_event_take(event, user_data, DOCA_PRIV_EVENT_WAIT_EQ, task, &taken, __func__);
    struct doca_sync_event_task_wait_eq *t =
        (struct doca_sync_event_task_wait_eq *)(void *)taken;

    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    t->wait.wait_val = wait_val;
    t->wait.mask = mask;
    *task = t;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL struct doca_task *doca_sync_event_task_wait_eq_as_doca_task(
    struct doca_sync_event_task_wait_eq *task)
{
    return task != NULL ? &task->wait.task : NULL;
}

DOCA_CORE_DECL void doca_sync_event_task_wait_eq_set_wait_val(
    struct doca_sync_event_task_wait_eq *task, uint64_t wait_val)
{
    if (doca_priv_task_check(task, doca_priv_event_wait_eq_done, __func__) == DOCA_SUCCESS)
        task->wait.wait_val = wait_val;
}

DOCA_CORE_DECL uint64_t doca_sync_event_task_wait_eq_get_wait_val(
    const struct doca_sync_event_task_wait_eq *task)
{
    return doca_priv_event_is_task(task, doca_priv_event_wait_eq_done) ? task->wait.wait_val : 0;
}

DOCA_CORE_DECL void doca_sync_event_task_wait_eq_set_mask(
    struct doca_sync_event_task_wait_eq *task, uint64_t mask)
{
    if (doca_priv_task_check(task, doca_priv_event_wait_eq_done, __func__) == DOCA_SUCCESS)
        task->wait.mask = mask;
}

DOCA_CORE_DECL uint64_t doca_sync_event_task_wait_eq_get_mask(
    const struct doca_sync_event_task_wait_eq *task)
{
    return doca_priv_event_is_task(task, doca_priv_event_wait_eq_done) ? task->wait.mask : 0;
}

static void doca_priv_event_wait_neq_done(struct doca_task *task)
{
    const struct doca_sync_event *event = (const struct doca_sync_event *)(const void *)task->ctx;
    doca_sync_event_task_wait_neq_completion_cb_t cb =
        doca_priv_event_is_well(task) ? event->wait_neq_done : event->wait_neq_failed;

    cb((struct doca_sync_event_task_wait_neq *)(void *)task, task->user_data,
       event->ctx.user_data);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_wait_neq_set_conf(
    struct doca_sync_event *event, doca_sync_event_task_wait_neq_completion_cb_t completion_cb,
    doca_sync_event_task_wait_neq_completion_cb_t error_cb, uint32_t num_tasks)
{
    doca_error_t rc = doca_priv_event_conf(event, completion_cb != NULL && error_cb != NULL,
                                           num_tasks, DOCA_PRIV_EVENT_WAIT_NEQ, __func__);

    if (rc == DOCA_SUCCESS) {
        event->wait_neq_done = completion_cb;
        event->wait_neq_failed = error_cb;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_task_wait_neq_alloc_init(
    struct doca_sync_event *event, uint64_t wait_val, uint64_t mask, union doca_data user_data,
    struct doca_sync_event_task_wait_neq **task)
{
    struct doca_task *taken = NULL;
    doca_error_t rc =
        doca_priv_event_take(event, user_data, DOCA_PRIV_EVENT_WAIT_NEQ, task, &taken, __func__);
    struct doca_sync_event_task_wait_neq *t =
        (struct doca_sync_event_task_wait_neq *)(void *)taken;

    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    t->wait.wait_val = wait_val;
    t->wait.mask = mask;
    *task = t;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL struct doca_task *doca_sync_event_task_wait_neq_as_doca_task(
    struct doca_sync_event_task_wait_neq *task)
{
    return task != NULL ? &task->wait.task : NULL;
}

DOCA_CORE_DECL void doca_sync_event_task_wait_neq_set_wait_val(
    struct doca_sync_event_task_wait_neq *task, uint64_t wait_val)
{
    if (doca_priv_task_check(task, doca_priv_event_wait_neq_done, __func__) == DOCA_SUCCESS)
        task->wait.wait_val = wait_val;
}

DOCA_CORE_DECL uint64_t doca_sync_event_task_wait_neq_get_wait_val(
    const struct doca_sync_event_task_wait_neq *task)
{
    return doca_priv_event_is_task(task, doca_priv_event_wait_neq_done) ? task->wait.wait_val : 0;
}

DOCA_CORE_DECL void doca_sync_event_task_wait_neq_set_mask(
    struct doca_sync_event_task_wait_neq *task, uint64_t mask)
{
    if (doca_priv_task_check(task, doca_priv_event_wait_neq_done, __func__) == DOCA_SUCCESS)
        task->wait.mask = mask;
}

DOCA_CORE_DECL uint64_t doca_sync_event_task_wait_neq_get_mask(
    const struct doca_sync_event_task_wait_neq *task)
{
    return doca_priv_event_is_task(task, doca_priv_event_wait_neq_done) ? task->wait.mask : 0;
}

/* ---- >>impl.sync_dev ------------------------------------------------------------------------
 * Events whose value is in a buffer that devices reach: who does their tasks, and their exports.
 * The context of such an event becomes the device's with as_ctx; from then on it is fixed.       */

#define DOCA_PRIV_EVENT_WRITERS /* permissions by which others write */                            \
    ((uint32_t)DOCA_ACCESS_FLAG_PCI_READ_WRITE | (uint32_t)DOCA_ACCESS_FLAG_RDMA_WRITE |           \
     (uint32_t)DOCA_ACCESS_FLAG_RDMA_ATOMIC)

/* Could a device of the mmap do the tasks of an event in it, and is it to? What is in the memory of
 * this process alone, the CPU does. */
static bool doca_priv_event_is_for_dev(const struct doca_mmap *mmap)
{
    bool has_engine = false;
    uint32_t i;

    for (i = 0; i < mmap->num_devs; i++)
        has_engine = has_engine || (mmap->devs[i].dev->info.attr.limits.event_engine != 0 &&
                                    mmap->devs[i].dev->backend->event_open != NULL);
    return has_engine && mmap->far == NULL &&
           (mmap->is_elsewhere || (mmap->access & DOCA_PRIV_EVENT_WRITERS) != 0);
}

/* How a device that may do the tasks of the event knows its mmap; NULL: it cannot. */
static const struct doca_priv_mmap_dev *doca_priv_event_keys(const struct doca_sync_event *event,
                                                             const struct doca_dev *dev)
{
    uint32_t i = dev != NULL ? doca_priv_mmap_find(event->mmap, dev) : event->mmap->num_devs;

    return i < event->mmap->num_devs && dev->info.attr.limits.event_engine != 0 &&
                   dev->backend->event_open != NULL
               ? &event->mmap->devs[i]
               : NULL;
}

/* The same, of the device that does them: the publisher's before the subscriber's. */
static const struct doca_priv_mmap_dev *doca_priv_event_server(const struct doca_sync_event *event)
{
    const struct doca_priv_mmap_dev *keys = NULL;

    if (event->mmap != NULL) {
        keys = doca_priv_event_keys(event, event->publisher_dev);
        if (keys == NULL)
            keys = doca_priv_event_keys(event, event->subscriber_dev);
    }
    return keys;
}

/* May the CPU update the value? Not where devices of the mmap add to it in their own way. */
static bool doca_priv_event_is_for_cpu(const struct doca_sync_event *event)
{
    const struct doca_mmap *mmap = event->mmap;
    unsigned engine;
    uint32_t i;

    for (i = 0; mmap != NULL && i < mmap->num_devs; i++) {
        engine = mmap->devs[i].dev->info.attr.limits.event_engine;
        if (engine != DOCA_CORE_EVENT_ENGINE_NONE && engine != DOCA_CORE_EVENT_ENGINE_ALL)
            return false;
    }
    return true;
}

/* Let go of the mmap that the value is in, and destroy it, if it is the event's own. */
static void doca_priv_event_leave(struct doca_sync_event *event)
{
    struct doca_mmap *mmap = event->mmap;

    event->mmap = NULL;
    (void)doca_core_arena_give(event->ctx.arena, event->dev_desc);
    event->dev_desc = NULL;
    if (mmap != NULL && mmap->is_shared)
        (void)doca_priv_mmap_let_go(mmap);
    else if (mmap != NULL)
        mmap->num_bufs--;
    if (event->owns_mmap)
        (void)doca_mmap_destroy(mmap);
    event->owns_mmap = false;
}

/* Let the value stand in `mmap`, which devices reach. */
static void doca_priv_event_enter(struct doca_sync_event *event, struct doca_mmap *mmap)
{
    doca_priv_mmap_hold(mmap); /* first: it may be the one that is left */
    doca_priv_event_leave(event);
    event->mmap = mmap;
}

/* None of the event's devices does the tasks of its context: may the CPU? */
static doca_error_t doca_priv_event_check_cpu(struct doca_sync_event *event, const char *function)
{
    if (event->share.value == NULL)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_EVENT_BUF_FAR, function,
                              event);
    return doca_priv_event_is_for_cpu(event)
               ? DOCA_SUCCESS
               : doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_EVENT_NOT_ATOMIC,
                                function, event);
}

static bool doca_priv_event_dev_supports(const struct doca_core_limits *limits)
{
    return limits->event_engine != 0;
}

/* Open the queue of the device. */
static doca_error_t doca_priv_event_dev_open(struct doca_ctx *ctx, uint32_t num_tasks,
                                             const char *function)
{
    struct doca_sync_event *event = (struct doca_sync_event *)(void *)ctx;
    const struct doca_priv_mmap_dev *keys = doca_priv_event_server(event);
    struct doca_core_event_place place;
    doca_error_t rc = doca_priv_event_begin(event, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    place.addr = event->addr;
    place.mmap = event->mmap;
    place.mkey = keys->mkey;
    place.own = keys->own;
    place.here = event->share.value;
    doca_priv_listen();
    rc = ctx->backend->event_open(ctx->queue, &place, num_tasks);
    return rc == DOCA_SUCCESS || rc == DOCA_ERROR_IN_PROGRESS
               ? rc
               : doca_priv_refused(rc, function, ctx);
}

static const struct doca_priv_engine doca_priv_event_dev_engine = {
    DOCA_CORE_ENGINE_EVENT,     true,                         doca_priv_event_dev_supports,
    doca_priv_event_check_task, doca_priv_event_is_complete,  doca_priv_event_settle,
    doca_priv_event_dev_open
};

/* Let the device do the tasks of an event that becomes a context, if one is to. */
static void doca_priv_event_choose(struct doca_sync_event *event)
{
    const struct doca_priv_mmap_dev *keys = doca_priv_event_server(event);

    if (keys == NULL || event->ctx.dev != NULL)
        return;
    event->ctx.engine = &doca_priv_event_dev_engine;
    event->ctx.backend = keys->dev->backend;
    event->ctx.dev = keys->dev;
    doca_priv_dev_hold(keys->dev);
}

/* How a started event stands alone: its value cannot be elsewhere. */
static doca_error_t doca_priv_event_begin_alone(struct doca_sync_event *event, const char *function)
{
    if (event->share.value == NULL)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_EVENT_BY_DEV, function,
                              event);
    event->mode = DOCA_PRIV_EVENT_ALONE;
    event->ctx.obj.state =
        event->share.page == NULL ? DOCA_PRIV_EVENT_PLAIN : DOCA_PRIV_EVENT_SHARED;
    if (!doca_priv_event_is_for_cpu(event)) {
        event->mode = DOCA_PRIV_EVENT_READS;
        event->ctx.obj.state = DOCA_PRIV_EVENT_READ;
    }
    return DOCA_SUCCESS;
}

/* Export the mmap that the value is in through `dev`, and tell where in it that is. */
static doca_error_t doca_priv_event_export_dev(struct doca_sync_event *event, struct doca_dev *dev,
                                               const uint8_t **data, size_t *sz,
                                               const char *function)
{
    struct doca_priv_event_dev_desc *d = event->dev_desc;
    const void *desc = NULL;
    void *block = NULL;
    size_t len = 0;
    doca_error_t rc = doca_priv_mmap_publish(event->mmap, dev, DOCA_PRIV_EXPORT_MMAP_PCI, &desc,
                                             &len, function);

    if (rc == DOCA_SUCCESS && d == NULL) {
        rc = doca_priv_object_take(event->ctx.arena, sizeof(*d), &block, function);
        event->dev_desc = d = (struct doca_priv_event_dev_desc *)block;
    }
    if (rc != DOCA_SUCCESS)
        return rc;
    DOCA_CORE_MEMSET(d, 0, sizeof(*d));
    d->addr = (uintptr_t)event->addr;
    DOCA_CORE_MEMCPY(&d->mmap, desc, sizeof(d->mmap));
    (void)doca_priv_export_seal(&d->head, DOCA_PRIV_EXPORT_EVENT_DEV, sizeof(*d), NULL);
    *data = (const uint8_t *)d;
    *sz = sizeof(*d);
    return DOCA_SUCCESS;
}

/* Judge such a descriptor, and import its mmap on `dev`: *addr is where in it the value is. */
static doca_error_t doca_priv_event_import_dev(struct doca_core_arena *arena, struct doca_dev *dev,
                                               const uint8_t *data, size_t sz,
                                               struct doca_mmap **mmap, uint64_t *addr,
                                               const char *function)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_event_dev_desc desc;
    doca_error_t rc = doca_priv_export_open(data, sz, DOCA_PRIV_EXPORT_EVENT_DEV,
                                            DOCA_PRIV_EXPORT_EVENT_DEV, &desc.head, sizeof(desc),
                                            &item);

    if (rc != DOCA_SUCCESS)
        return doca_priv_fail(rc, item, function, dev);
    if (dev->info.attr.limits.event_engine == 0 || dev->backend->event_open == NULL)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_EVENT_BUF_FAR, function,
                              dev);
    if (desc.addr % sizeof(uint64_t) != 0 || desc.addr < desc.mmap.addr ||
        desc.mmap.len < sizeof(uint64_t) ||
        desc.addr - desc.mmap.addr > desc.mmap.len - sizeof(uint64_t))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_EXPORT_DAMAGED, function,
                              dev);
    *addr = desc.addr;
    return doca_priv_mmap_import(arena, NULL, &desc.mmap, sizeof(desc.mmap), dev, mmap, function);
}

/* Is it a descriptor of this kind? Whether it is a good one is judged later. */
static bool doca_priv_event_is_of_dev(const uint8_t *data, size_t sz)
{
    struct doca_priv_export head;

    if (sz < sizeof(head))
        return false;
    DOCA_CORE_MEMCPY(&head, data, sizeof(head));
    return head.kind == DOCA_PRIV_EXPORT_EVENT_DEV;
}

/* ---- >>impl.sync_event ---------------------------------------------------------------------- */

static void doca_priv_event_init_stocks(struct doca_priv_task_stock *stocks)
{
    unsigned type;

    stocks[DOCA_PRIV_EVENT_GET].done = doca_priv_event_get_done;
    stocks[DOCA_PRIV_EVENT_SET].done = doca_priv_event_set_done;
    stocks[DOCA_PRIV_EVENT_ADD].done = doca_priv_event_add_done;
    stocks[DOCA_PRIV_EVENT_WAIT].done = doca_priv_event_wait_done;
    stocks[DOCA_PRIV_EVENT_WAIT_EQ].done = doca_priv_event_wait_eq_done;
    stocks[DOCA_PRIV_EVENT_WAIT_NEQ].done = doca_priv_event_wait_neq_done;
    for (type = 0; type < DOCA_PRIV_EVENT_TYPES; type++)
        stocks[type].task_bytes = DOCA_CORE_LINE;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_sync_event(uint32_t num_tasks, size_t *bytes)
{
    struct doca_sync_event event;

    if (num_tasks == 0 || bytes == NULL)
        return doca_priv_bytes_object(sizeof(event), bytes, __func__);
    DOCA_CORE_MEMSET(&event, 0, sizeof(event));
    event.ctx.backend = &doca_priv_event_backend;
    event.ctx.engine = &doca_priv_event_engine;
    event.ctx.num_stocks = 1; /* tasks of all types are of one size */
    event.stocks[0].num = num_tasks;
    event.stocks[0].task_bytes = DOCA_CORE_LINE;
    return doca_priv_ctx_bytes(&event.ctx, sizeof(event), bytes, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_sync_event_remote_net(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_sync_event_remote_net), bytes, __func__);
}

static doca_error_t doca_priv_event_create(struct doca_core_arena *arena,
                                           struct doca_sync_event **event, const char *function)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, event, function);
    struct doca_sync_event *e;
    void *block = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_object_take(arena, sizeof(*e), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    e = (struct doca_sync_event *)block;
    doca_priv_event_init_stocks(e->stocks);
    doca_priv_ctx_init(&e->ctx, DOCA_PRIV_KIND_SYNC_EVENT, &doca_priv_event_engine,
                       &doca_priv_event_backend, arena, NULL, DOCA_PRIV_EVENT_TYPES);
    *event = e;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_sync_event_create_in(struct doca_core_arena *arena,
                                                           struct doca_sync_event **event)
{
    return doca_priv_event_create(arena, event, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_create(struct doca_sync_event **event)
{
    return doca_priv_event_create(doca_core_arena_bound(), event, __func__);
}

/* Find the value that a descriptor means, for a handle on `dev`; that of a device is not found
 * here. */
static doca_error_t doca_priv_event_import(struct doca_priv_event_share *share,
                                           struct doca_dev *dev, const uint8_t *data, size_t sz,
                                           enum doca_priv_export_kind kind, const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, data, function);
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!dev->info.attr.limits.has_sync_event)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DEV_NO_SYNC_EVENT, function,
                              dev);
    DOCA_CORE_MEMSET(share, 0, sizeof(*share));
    if (kind == DOCA_PRIV_EXPORT_EVENT_PCI && doca_priv_event_is_of_dev(data, sz))
        return DOCA_SUCCESS; /* there is no page to be shared */
    rc = doca_priv_share_import(share, data, sz, kind, &item);
    return rc == DOCA_SUCCESS ? rc : doca_priv_fail(rc, item, function, dev);
}

/* A NULL `arena` is the one of the device. */
static doca_error_t doca_priv_event_create_from(struct doca_core_arena *arena,
                                                struct doca_dev *dev, const uint8_t *data,
                                                size_t sz, struct doca_sync_event **event,
                                                const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, event, function);
    struct doca_priv_event_share share;
    struct doca_mmap *mmap = NULL;
    uint64_t addr = 0;

    if (rc == DOCA_SUCCESS && arena == NULL)
        arena = dev->info.arena;
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_event_import(&share, dev, data, sz, DOCA_PRIV_EXPORT_EVENT_PCI, function);
    if (rc == DOCA_SUCCESS && doca_priv_event_is_of_dev(data, sz))
        rc = doca_priv_event_import_dev(arena, dev, data, sz, &mmap, &addr, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_event_create(arena, event, function);
    if (rc != DOCA_SUCCESS) {
        doca_priv_share_unmap(&share);
        if (mmap != NULL)
            (void)doca_mmap_destroy(mmap);
        return rc;
    }
    (*event)->share = share;
    if (mmap != NULL) {
        doca_priv_event_enter(*event, mmap);
        (*event)->addr = (uint64_t *)(uintptr_t)addr;
        (*event)->owns_mmap = true;
    }
    (*event)->publisher_dev = dev;
    doca_priv_dev_hold(dev);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_sync_event_create_from_export_in(
    struct doca_core_arena *arena, struct doca_dev *dev, const uint8_t *data, size_t sz,
    struct doca_sync_event **event)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, event, __func__);

    return rc != DOCA_SUCCESS
               ? rc
               : doca_priv_event_create_from(arena, dev, data, sz, event, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_create_from_export(struct doca_dev *dev,
                                                               const uint8_t *data, size_t sz,
                                                               struct doca_sync_event **event)
{
    return doca_priv_event_create_from(NULL, dev, data, sz, event, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_destroy(struct doca_sync_event *event)
{
    struct doca_ctx *ctx;

    if (!doca_priv_is(event, DOCA_PRIV_KIND_SYNC_EVENT))
        return DOCA_PRIV_FAIL_HANDLE(event);
    ctx = &event->ctx;
    if (doca_priv_ctx_count_out(ctx) > 0)
        return DOCA_PRIV_FAIL(IN_USE, CTX_BUSY, event);
    if (ctx->queue != NULL)
        doca_priv_ctx_unwind(ctx);
    else
        doca_priv_event_end(event);
    ctx->obj.state = DOCA_CTX_STATE_IDLE;
    doca_priv_share_unmap(&event->share);
    doca_priv_event_leave(event);
    if (event->publisher_dev != NULL)
        doca_priv_dev_drop(event->publisher_dev);
    if (event->subscriber_dev != NULL)
        doca_priv_dev_drop(event->subscriber_dev);
    return doca_priv_ctx_destroy(ctx, __func__);
}

/* Is there `object`, and may the event be configured? */
static doca_error_t doca_priv_event_check_conf(const struct doca_sync_event *event,
                                               const void *object, const char *function)
{
    doca_error_t rc = doca_priv_check_args(event, DOCA_PRIV_KIND_SYNC_EVENT, object, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (event->mode == DOCA_PRIV_EVENT_IS_CTX || event->ctx.obj.state != DOCA_CTX_STATE_IDLE)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_EVENT_FIXED, function, event);
    if (doca_priv_event_is_imported(event))
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_EVENT_IMPORTED, function,
                              event);
    return DOCA_SUCCESS;
}

/* Add a location to those of one side, and hold its device, if it has one. */
static void doca_priv_event_locate(struct doca_sync_event *event, struct doca_dev *dev,
                                   bool publishes, unsigned location)
{
    uint8_t *side = publishes ? &event->publishers : &event->subscribers;
    struct doca_dev **held = publishes ? &event->publisher_dev : &event->subscriber_dev;

    *side = (uint8_t)(*side | location);
    if (dev != NULL) {
        doca_priv_dev_hold(dev);
        if (*held != NULL)
            doca_priv_dev_drop(*held);
        *held = dev;
    }
}

static doca_error_t doca_priv_event_locate_cpu(struct doca_sync_event *event, struct doca_dev *dev,
                                               bool publishes, const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, event, function);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_event_check_conf(event, dev, function);
    if (rc == DOCA_SUCCESS)
        doca_priv_event_locate(event, dev, publishes, DOCA_PRIV_EVENT_ON_CPU);
    return rc;
}

static doca_error_t doca_priv_event_locate_far(struct doca_sync_event *event, bool publishes,
                                               unsigned location, const char *function)
{
    doca_error_t rc = doca_priv_event_check_conf(event, event, function);

    if (rc == DOCA_SUCCESS)
        doca_priv_event_locate(event, NULL, publishes, location);
    return rc;
}

/* DPA and GPU, as location or as the target of an export. */
static doca_error_t doca_priv_event_no_target(const void *object, uint8_t kind, const void *target,
                                              const void *out, const char *function)
{
    doca_error_t rc = doca_priv_check_args(object, kind, target, function);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(object, kind, out, function);
    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED,
                                               DOCA_CORE_ITEM_EVENT_NO_TARGET, function, object);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_publisher_location_cpu(
    struct doca_sync_event *event, struct doca_dev *dev)
{
    return doca_priv_event_locate_cpu(event, dev, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_publisher_location_dpa(
    struct doca_sync_event *event, struct doca_dpa *dpa)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT, dpa, dpa, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_publisher_location_gpu(
    struct doca_sync_event *event, struct doca_gpu *gpu)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT, gpu, gpu, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_publisher_location_dpu(
    struct doca_sync_event *event)
{
    return doca_priv_event_locate_far(event, true, DOCA_PRIV_EVENT_ON_DPU, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_publisher_location_remote_pci(
    struct doca_sync_event *event)
{
    return doca_priv_event_locate_far(event, true, DOCA_PRIV_EVENT_ON_DPU, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_subscriber_location_cpu(
    struct doca_sync_event *event, struct doca_dev *dev)
{
    return doca_priv_event_locate_cpu(event, dev, false, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_subscriber_location_dpa(
    struct doca_sync_event *event, struct doca_dpa *dpa)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT, dpa, dpa, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_subscriber_location_gpu(
    struct doca_sync_event *event, struct doca_gpu *gpu)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT, gpu, gpu, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_subscriber_location_dpu(
    struct doca_sync_event *event)
{
    return doca_priv_event_locate_far(event, false, DOCA_PRIV_EVENT_ON_DPU, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_subscriber_location_remote_pci(
    struct doca_sync_event *event)
{
    return doca_priv_event_locate_far(event, false, DOCA_PRIV_EVENT_ON_DPU, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_add_publisher_location_remote_net(
    struct doca_sync_event *event)
{
    return doca_priv_event_locate_far(event, true, DOCA_PRIV_EVENT_ON_NET, __func__);
}

/* Let the value stand at `addr` of the program's from the next start on. */
static doca_error_t doca_priv_event_stand_at(struct doca_sync_event *event, void *addr,
                                             const char *function)
{
    if ((uintptr_t)addr % sizeof(*event->addr) != 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_EVENT_MISALIGNED, function,
                              event);
    if ((event->publishers & DOCA_PRIV_EVENT_ON_NET) != 0)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_EVENT_OWN_ADDR, function,
                              event);
    event->addr = (uint64_t *)addr;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_set_addr(struct doca_sync_event *event, uint64_t *addr)
{
    doca_error_t rc = doca_priv_event_check_conf(event, addr, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_event_stand_at(event, addr, __func__);
    if (rc == DOCA_SUCCESS)
        doca_priv_event_leave(event);
    return rc;
}

static unsigned char *doca_priv_sw_local(const struct doca_mmap *mmap, const unsigned char *at);

DOCA_CORE_DECL doca_error_t doca_sync_event_set_doca_buf(struct doca_sync_event *event,
                                                         struct doca_buf *buf)
{
    doca_error_t rc = doca_priv_event_check_conf(event, buf, __func__);
    unsigned char *addr;
    bool is_for_dev;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_is_buf(buf))
        return DOCA_PRIV_FAIL_HANDLE(buf);
    if (!doca_priv_buf_heads(buf))
        return doca_priv_buf_not_head(buf, __func__);
    if (buf->next != NULL || buf->data_len != sizeof(*event->addr) ||
        (buf->flags & DOCA_PRIV_BUF_WRITE) == 0)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, EVENT_BUF, buf);
    is_for_dev = doca_priv_event_is_for_dev(buf->mmap);
    addr = buf->data;
    if (!is_for_dev)
        addr = buf->mmap->is_elsewhere ? NULL : doca_priv_sw_local(buf->mmap, buf->data);
    if (addr == NULL)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, EVENT_BUF_FAR, buf);
    rc = doca_priv_event_stand_at(event, addr, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (is_for_dev)
        doca_priv_event_enter(event, buf->mmap);
    else
        doca_priv_event_leave(event);
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_event_cap(const struct doca_devinfo *devinfo, bool is_offered,
                                        const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, devinfo, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!devinfo->attr.limits.has_sync_event)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DEV_NO_SYNC_EVENT, function,
                              devinfo);
    return is_offered ? DOCA_SUCCESS
                      : doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_EVENT_NO_TARGET,
                                       function, devinfo);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_is_create_from_export_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_is_export_to_dpa_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, false, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_is_export_to_dpu_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_is_export_to_remote_pci_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_is_export_to_gpu_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, false, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_is_export_to_remote_net_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_remote_net_is_create_from_export_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_remote_net_is_export_to_dpa_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, false, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_remote_net_is_export_to_gpu_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, false, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_task_get_is_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_task_notify_add_is_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_task_notify_set_is_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_task_wait_gt_is_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_task_wait_eq_is_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_cap_task_wait_neq_is_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_event_cap(devinfo, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_start(struct doca_sync_event *event)
{
    doca_error_t rc;

    if (!doca_priv_is(event, DOCA_PRIV_KIND_SYNC_EVENT))
        return DOCA_PRIV_FAIL_HANDLE(event);
    if (event->mode == DOCA_PRIV_EVENT_IS_CTX)
        return DOCA_PRIV_FAIL(BAD_STATE, EVENT_IS_CTX, event);
    if (event->ctx.obj.state != DOCA_CTX_STATE_IDLE)
        return DOCA_PRIV_FAIL(BAD_STATE, EVENT_FIXED, event);
    rc = doca_priv_event_begin(event, __func__);
    return rc != DOCA_SUCCESS ? rc : doca_priv_event_begin_alone(event, __func__);
}

/* Is there `pointer`, and does the event stand alone, started? */
DOCA_PRIV_HOT doca_error_t doca_priv_event_check(const struct doca_sync_event *event,
                                                 const void *pointer, const char *function)
{
    if (doca_unlikely(!doca_priv_is(event, DOCA_PRIV_KIND_SYNC_EVENT) || pointer == NULL))
        return doca_priv_check_args(event, DOCA_PRIV_KIND_SYNC_EVENT, pointer, function);
    if (doca_unlikely(event->mode == DOCA_PRIV_EVENT_IS_CTX))
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_EVENT_IS_CTX, function, event);
    if (doca_unlikely(event->ctx.obj.state == DOCA_CTX_STATE_IDLE))
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_EVENT_NOT_STARTED, function,
                              event);
    return DOCA_SUCCESS;
}

/* And may calls update it? */
DOCA_PRIV_HOT doca_error_t doca_priv_event_check_update(const struct doca_sync_event *event,
                                                        const void *pointer, const char *function)
{
    if (doca_unlikely(!doca_priv_is(event, DOCA_PRIV_KIND_SYNC_EVENT) || pointer == NULL ||
                      event->mode >= DOCA_PRIV_EVENT_IS_CTX ||
                      event->ctx.obj.state == DOCA_CTX_STATE_IDLE)) {
        doca_error_t rc = doca_priv_event_check(event, pointer, function);

        return rc != DOCA_SUCCESS
                   ? rc
                   : doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_EVENT_NOT_ATOMIC,
                                    function, event);
    }
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_stop(struct doca_sync_event *event)
{
    doca_error_t rc = doca_priv_event_check(event, event, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_event_end(event);
    event->mode = DOCA_PRIV_EVENT_ALONE;
    event->ctx.obj.state = DOCA_CTX_STATE_IDLE;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL struct doca_ctx *doca_sync_event_as_ctx(struct doca_sync_event *event)
{
    if (event == NULL)
        return NULL;
    if (!doca_priv_is(event, DOCA_PRIV_KIND_SYNC_EVENT)) {
        (void)DOCA_PRIV_FAIL_HANDLE(event);
        return NULL;
    }
    if (event->mode == DOCA_PRIV_EVENT_ALONE || event->mode == DOCA_PRIV_EVENT_READS) {
        (void)DOCA_PRIV_FAIL(BAD_STATE, EVENT_IS_NO_CTX, event);
        return NULL;
    }
    event->mode = DOCA_PRIV_EVENT_IS_CTX;
    doca_priv_event_choose(event);
    return &event->ctx;
}

/* Hand out the descriptor of a started event, whose locations suit `kind` as far as `suits`. `dev`
 * is the one to export it through; NULL: none. */
static doca_error_t doca_priv_event_export(struct doca_sync_event *event, struct doca_dev *dev,
                                           bool suits, enum doca_priv_export_kind kind,
                                           const uint8_t **data, size_t *sz, const char *function)
{
    doca_error_t rc = DOCA_SUCCESS;

    if (doca_priv_event_is_imported(event))
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_EVENT_IMPORTED, function,
                              event);
    if (event->ctx.obj.state == DOCA_CTX_STATE_IDLE)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_EVENT_NOT_STARTED, function,
                              event);
    if (!suits)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_EVENT_LOCATION, function,
                              event);
    if (event->mmap != NULL && dev != NULL)
        return doca_priv_event_export_dev(event, dev, data, sz, function);
    if (event->share.page == NULL)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_EVENT_OWN_ADDR, function,
                              event);
    if (event->desc.head.bytes == 0) {
        event->desc.fd = event->share.fd;
        rc = doca_priv_export_seal(&event->desc.head, kind, sizeof(event->desc),
                                   &event->share.page->token);
        if (rc != DOCA_SUCCESS)
            return doca_priv_fail(rc, DOCA_CORE_ITEM_EXPORT_SYSTEM, function, event);
    }
    *data = (const uint8_t *)&event->desc;
    *sz = sizeof(event->desc);
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_event_export_pci(struct doca_sync_event *event, struct doca_dev *dev,
                                               const uint8_t **data, size_t *sz,
                                               const char *function)
{
    doca_error_t rc = doca_priv_check_args(event, DOCA_PRIV_KIND_SYNC_EVENT, data, function);
    unsigned locations;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, sz, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (!dev->info.attr.limits.has_sync_event)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DEV_NO_SYNC_EVENT, function,
                              dev);
    locations = (unsigned)event->publishers | event->subscribers;
    return doca_priv_event_export(event, dev,
                                  (locations & DOCA_PRIV_EVENT_ON_DPU) != 0 &&
                                      (locations & DOCA_PRIV_EVENT_ON_NET) == 0,
                                  DOCA_PRIV_EXPORT_EVENT_PCI, data, sz, function);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_export_to_dpu(struct doca_sync_event *event,
                                                          struct doca_dev *dev,
                                                          const uint8_t **data, size_t *sz)
{
    return doca_priv_event_export_pci(event, dev, data, sz, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_export_to_remote_pci(struct doca_sync_event *event,
                                                                 struct doca_dev *dev,
                                                                 const uint8_t **data, size_t *sz)
{
    return doca_priv_event_export_pci(event, dev, data, sz, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_export_to_remote_net(struct doca_sync_event *event,
                                                                 const uint8_t **data, size_t *sz)
{
    doca_error_t rc = doca_priv_check_args(event, DOCA_PRIV_KIND_SYNC_EVENT, data, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(event, DOCA_PRIV_KIND_SYNC_EVENT, sz, __func__);
    return rc != DOCA_SUCCESS
               ? rc
               : doca_priv_event_export(event, NULL,
                                        (event->publishers & DOCA_PRIV_EVENT_ON_NET) != 0,
                                        DOCA_PRIV_EXPORT_EVENT_NET, data, sz, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_export_to_dpa(
    struct doca_sync_event *event, struct doca_dpa *dpa,
    doca_dpa_dev_sync_event_t *dpa_dev_se_handle)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT, dpa, dpa_dev_se_handle,
                                     __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_export_to_gpu(struct doca_sync_event *event,
                                                          struct doca_gpu *gpu,
                                                          doca_gpu_dev_sync_event_t **gpu_dev_se)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT, gpu, gpu_dev_se, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_get_dpa_handle(
    struct doca_sync_event *event, struct doca_dpa *dpa,
    doca_dpa_dev_sync_event_t *dpa_dev_se_handle)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT, dpa, dpa_dev_se_handle,
                                     __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_get_gpu_handle(struct doca_sync_event *event,
                                                           struct doca_gpu *gpu,
                                                           doca_gpu_dev_sync_event_t **gpu_dev_se)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT, gpu, gpu_dev_se, __func__);
}

/* ---- >>impl.sync_value ----------------------------------------------------------------------
 * What is done with the value of an event that stands alone.                                     */

DOCA_PRIV_HOT bool doca_priv_event_is_shared(const struct doca_sync_event *event)
{
    return doca_priv_is_in(event, DOCA_PRIV_KIND_SYNC_EVENT, DOCA_PRIV_EVENT_SHARED);
}

/* Finish a call on a value: only a lost exporter can have made it fail. */
DOCA_PRIV_HOT doca_error_t doca_priv_event_outcome(doca_error_t rc, const void *event,
                                                   const char *function)
{
    return doca_likely(rc == DOCA_SUCCESS)
               ? rc
               : doca_priv_fail(rc, DOCA_CORE_ITEM_EVENT_GONE, function, event);
}

DOCA_CORE_DECL doca_error_t doca_priv_event_get_other(struct doca_sync_event *event,
                                                      uint64_t *value)
{
    doca_error_t rc = doca_priv_event_check(event, value, "doca_sync_event_get");

    if (doca_likely(rc == DOCA_SUCCESS))
        *value = DOCA_PRIV_LOAD(event->share.value);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_sync_event_get(struct doca_sync_event *event, uint64_t *value)
{
    return doca_priv_hot_sync_event_get(event, value);
}

DOCA_PRIV_APART doca_error_t doca_priv_event_set_checked(struct doca_sync_event *event,
                                                         uint64_t value)
{
    const char *function = "doca_sync_event_update_set";
    doca_error_t rc = doca_priv_event_check_update(event, event, function);

    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    return doca_priv_event_outcome(doca_priv_share_set(&event->share, value), event, function);
}

DOCA_CORE_DECL doca_error_t doca_priv_event_set_other(struct doca_sync_event *event, uint64_t value)
{
    if (doca_likely(doca_priv_event_is_shared(event)) &&
        doca_likely(doca_priv_share_set(&event->share, value) == DOCA_SUCCESS))
        return DOCA_SUCCESS;
    return doca_priv_event_set_checked(event, value);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_update_set(struct doca_sync_event *event,
                                                       uint64_t value)
{
    return doca_priv_hot_sync_event_update_set(event, value);
}

DOCA_CORE_DECL doca_error_t doca_priv_event_add_other(struct doca_sync_event *event,
                                                      uint64_t value, uint64_t *fetched)
{
    const char *function = "doca_sync_event_update_add";
    doca_error_t rc = doca_priv_event_check_update(event, fetched, function);

    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    return doca_priv_event_outcome(doca_priv_share_add(&event->share, value, fetched), event,
                                   function);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_update_add(struct doca_sync_event *event,
                                                       uint64_t value, uint64_t *fetched)
{
    return doca_priv_hot_sync_event_update_add(event, value, fetched);
}

DOCA_PRIV_APART doca_error_t doca_priv_event_wait_checked(struct doca_sync_event *event,
                                                          unsigned type, uint64_t value,
                                                          uint64_t mask, bool yields,
                                                          const char *function)
{
    doca_error_t rc = doca_priv_event_check(event, event, function);

    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    return doca_priv_event_outcome(doca_priv_share_wait(&event->share, type, value, mask, yields),
                                   event, function);
}

DOCA_PRIV_HOT doca_error_t doca_priv_event_wait(struct doca_sync_event *event, unsigned type,
                                                uint64_t value, uint64_t mask, bool yields,
                                                const char *function)
{
    bool stands_alone = doca_priv_event_is_plain(event) || doca_priv_event_is_shared(event);

    if (!yields && doca_likely(stands_alone) &&
        doca_likely(doca_priv_share_spin(&event->share, type, value, mask)))
        return DOCA_SUCCESS;
    return doca_priv_event_wait_checked(event, type, value, mask, yields, function);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_wait_gt(struct doca_sync_event *event, uint64_t value,
                                                    uint64_t mask)
{
    return doca_priv_event_wait(event, DOCA_PRIV_EVENT_WAIT, value, mask, false, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_wait_gt_yield(struct doca_sync_event *event,
                                                          uint64_t value, uint64_t mask)
{
    return doca_priv_event_wait(event, DOCA_PRIV_EVENT_WAIT, value, mask, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_wait_eq(struct doca_sync_event *event, uint64_t value,
                                                    uint64_t mask)
{
    return doca_priv_event_wait(event, DOCA_PRIV_EVENT_WAIT_EQ, value, mask, false, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_wait_eq_yield(struct doca_sync_event *event,
                                                          uint64_t value, uint64_t mask)
{
    return doca_priv_event_wait(event, DOCA_PRIV_EVENT_WAIT_EQ, value, mask, true, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_wait_neq(struct doca_sync_event *event, uint64_t value,
                                                     uint64_t mask)
{
    return doca_priv_event_wait(event, DOCA_PRIV_EVENT_WAIT_NEQ, value, mask, false, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_wait_neq_yield(struct doca_sync_event *event,
                                                           uint64_t value, uint64_t mask)
{
    return doca_priv_event_wait(event, DOCA_PRIV_EVENT_WAIT_NEQ, value, mask, true, __func__);
}

/* ---- >>impl.sync_net ------------------------------------------------------------------------ */

/* A NULL `arena` is the one of the device. */
static doca_error_t doca_priv_event_net_create(struct doca_core_arena *arena,
                                               struct doca_dev *dev, const uint8_t *data,
                                               size_t sz,
                                               struct doca_sync_event_remote_net **event,
                                               const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, event, function);
    struct doca_priv_event_share share;
    struct doca_sync_event_remote_net *e;
    void *block = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_event_import(&share, dev, data, sz, DOCA_PRIV_EXPORT_EVENT_NET, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (arena == NULL)
        arena = dev->info.arena;
    rc = doca_priv_object_take(arena, sizeof(*e), &block, function);
    if (rc != DOCA_SUCCESS) {
        doca_priv_share_unmap(&share);
        return rc;
    }
    e = (struct doca_sync_event_remote_net *)block;
    doca_priv_object_init(&e->obj, DOCA_PRIV_KIND_SYNC_EVENT_NET);
    e->share = share;
    e->arena = arena;
    e->dev = dev;
    doca_priv_dev_hold(dev);
    *event = e;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_sync_event_remote_net_create_from_export_in(
    struct doca_core_arena *arena, struct doca_dev *dev, const uint8_t *data, size_t sz,
    struct doca_sync_event_remote_net **event)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, event, __func__);

    return rc != DOCA_SUCCESS ? rc
                              : doca_priv_event_net_create(arena, dev, data, sz, event, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_remote_net_create_from_export(
    struct doca_dev *dev, const uint8_t *data, size_t sz,
    struct doca_sync_event_remote_net **event)
{
    return doca_priv_event_net_create(NULL, dev, data, sz, event, __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_remote_net_destroy(
    struct doca_sync_event_remote_net *event)
{
    if (!doca_priv_is(event, DOCA_PRIV_KIND_SYNC_EVENT_NET))
        return DOCA_PRIV_FAIL_HANDLE(event);
    doca_priv_share_unmap(&event->share);
    doca_priv_dev_drop(event->dev);
    return doca_priv_object_give(event->arena, &event->obj);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_remote_net_export_to_dpa(
    struct doca_sync_event_remote_net *event, struct doca_dpa *dpa,
    doca_dpa_dev_sync_event_remote_net_t *dpa_remote_event)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT_NET, dpa, dpa_remote_event,
                                     __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_remote_net_export_to_gpu(
    struct doca_sync_event_remote_net *event, struct doca_gpu *gpu,
    doca_gpu_dev_sync_event_remote_net_t *gpu_remote_event)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT_NET, gpu, gpu_remote_event,
                                     __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_remote_net_get_dpa_handle(
    struct doca_sync_event_remote_net *event, struct doca_dpa *dpa,
    doca_dpa_dev_sync_event_remote_net_t *dpa_remote_event)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT_NET, dpa, dpa_remote_event,
                                     __func__);
}

DOCA_CORE_DECL doca_error_t doca_sync_event_remote_net_get_gpu_handle(
    struct doca_sync_event_remote_net *event, struct doca_gpu *gpu,
    doca_gpu_dev_sync_event_remote_net_t *gpu_remote_event)
{
    return doca_priv_event_no_target(event, DOCA_PRIV_KIND_SYNC_EVENT_NET, gpu, gpu_remote_event,
                                     __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_sync_event_remote_net_get(
    struct doca_sync_event_remote_net *event, uint64_t *value)
{
    doca_error_t rc = doca_priv_check_args(event, DOCA_PRIV_KIND_SYNC_EVENT_NET, value, __func__);

    if (rc == DOCA_SUCCESS)
        *value = DOCA_PRIV_LOAD(event->share.value);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_sync_event_remote_net_update_set(
    struct doca_sync_event_remote_net *event, uint64_t value)
{
    doca_error_t rc = doca_priv_check_args(event, DOCA_PRIV_KIND_SYNC_EVENT_NET, event, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    return doca_priv_event_outcome(doca_priv_share_set(&event->share, value), event, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_sync_event_remote_net_update_add(
    struct doca_sync_event_remote_net *event, uint64_t value, uint64_t *fetched)
{
    doca_error_t rc = doca_priv_check_args(event, DOCA_PRIV_KIND_SYNC_EVENT_NET, fetched, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    return doca_priv_event_outcome(doca_priv_share_add(&event->share, value, fetched), event,
                                   __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_sync_event_remote_net_wait_gt(
    struct doca_sync_event_remote_net *event, uint64_t value, uint64_t mask)
{
    doca_error_t rc = doca_priv_check_args(event, DOCA_PRIV_KIND_SYNC_EVENT_NET, event, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (doca_likely(doca_priv_share_spin(&event->share, DOCA_PRIV_EVENT_WAIT, value, mask)))
        return DOCA_SUCCESS;
    return doca_priv_event_outcome(
        doca_priv_share_wait(&event->share, DOCA_PRIV_EVENT_WAIT, value, mask, false), event,
        __func__);
}

/* ---- >>impl.graph.run -----------------------------------------------------------------------
 * A started graph is an active context without a device. Its num_inflight counts the turns and the
 * slots in the lanes; its queue hands over the turns, each with its own `done`. While a task runs,
 * task->done leads here and task->user_data to its slot.
 * Holders are the nodes that keep something from the program, a task or a sub instance: in every
 * graph at least one, and one behind the other, so that submit meets no others.
 * Invariants: is_held is set only in slots of submitted instances. A submitted instance has running
 * nodes, or its turn is among the others. A slot counts down and begins with the counter full.  */

struct doca_priv_graph_plan { /* first in the block that start takes */
    struct doca_core_queue queue;
    struct doca_graph *graph;
    struct doca_task *first_turn;     /* NULL: none */
    struct doca_task *free_instances; /* their turns */
    struct doca_task *last_turn;
    struct doca_priv_graph_step *steps; /* roots first */
    struct doca_priv_graph_lane *lanes;
    struct doca_priv_graph_slot *running; /* its function was called and did not return, and its
                                             instance did not fail meanwhile */
    uint32_t num_roots;
    uint32_t first_holder;
    uint32_t num_lanes;
    uint32_t num_waiting; /* slots in the lanes */
};

DOCA_PRIV_ASSERT_STATIC(graph_head_fits,
                        sizeof(struct doca_priv_graph_plan) <= DOCA_PRIV_GRAPH_HEAD_BYTES);
DOCA_PRIV_ASSERT_STATIC(graph_slot_fits, sizeof(struct doca_priv_graph_slot) <= DOCA_CORE_LINE);
DOCA_PRIV_ASSERT_STATIC(graph_instance_fits, sizeof(struct doca_graph_instance) <= DOCA_CORE_LINE);

DOCA_PRIV_HOT struct doca_priv_graph_slot *doca_priv_graph_slots(
    const struct doca_graph_instance *of)
{
    return (struct doca_priv_graph_slot *)((uintptr_t)of + sizeof(*of));
}

DOCA_PRIV_HOT struct doca_graph_instance *doca_priv_graph_instance(
    const struct doca_priv_graph_slot *slot)
{
    return (struct doca_graph_instance *)((uintptr_t)slot - slot->step->offset);
}

DOCA_PRIV_HOT struct doca_graph *doca_priv_graph_of(const struct doca_task *turn)
{
    return (struct doca_graph *)(void *)turn->ctx;
}

static struct doca_graph_instance *doca_priv_graph_by_turn(const struct doca_task *turn)
{
    return (struct doca_graph_instance *)((uintptr_t)turn -
                                          offsetof(struct doca_graph_instance, turn));
}

static union doca_data *doca_priv_graph_user_data(const struct doca_task *task)
{
    return &((struct doca_priv_graph_slot *)task->user_data.ptr)->turn.user_data;
}

/* ---- running: what one step costs ---- */

/* There are `num` more things for progress to do; below 0: fewer. */
DOCA_PRIV_HOT void doca_priv_graph_wake(struct doca_graph *graph, int num)
{
    graph->ctx.num_inflight += (uint32_t)num;
    if (num > 0 && doca_unlikely(graph->ctx.active_next == NULL || graph->ctx.pe->is_armed))
        doca_priv_pe_activate(&graph->ctx);
}

/* Put a turn behind the others; the caller wakes. */
DOCA_PRIV_HOT void doca_priv_graph_queue(struct doca_priv_graph_plan *plan, struct doca_task *turn)
{
    turn->next = NULL;
    if (plan->first_turn == NULL)
        plan->first_turn = turn;
    else
        plan->last_turn->next = turn;
    plan->last_turn = turn;
}

static void doca_priv_graph_add_turn(struct doca_task *turn)
{
    struct doca_graph *graph = doca_priv_graph_of(turn);

    doca_priv_graph_queue(graph->plan, turn);
    doca_priv_graph_wake(graph, 1);
}

static void doca_priv_graph_wait(struct doca_priv_graph_slot *slot)
{
    struct doca_priv_graph_lane *lane = slot->step->lane;
    struct doca_graph *graph = doca_priv_graph_of(&slot->turn);

    slot->turn.next = NULL;
    if (lane->first == NULL)
        lane->first = &slot->turn;
    else
        lane->last->next = &slot->turn;
    lane->last = &slot->turn;
    graph->plan->num_waiting++;
    doca_priv_graph_wake(graph, 1);
}

/* Submit the task of a slot. False: the queue is full. A task that is refused ends its node, not
 * here but in the turn of the slot: nodes are never ended while others begin. */
DOCA_PRIV_HOT bool doca_priv_graph_post(struct doca_priv_graph_slot *slot)
{
    enum doca_core_item item = DOCA_CORE_ITEM_CTX_NOT_RUNNING;
    struct doca_task *task = (struct doca_task *)slot->data;
    struct doca_ctx *ctx = task->ctx;
    doca_error_t rc = DOCA_ERROR_BAD_STATE;

    if (doca_likely(ctx->obj.state == DOCA_CTX_STATE_RUNNING)) {
        rc = DOCA_CORE_CHECK >= 2 ? ctx->engine->check(task, &item) : DOCA_SUCCESS;
        if (rc == DOCA_SUCCESS) {
            rc = doca_priv_task_post(task);
            item = doca_priv_task_refusal(rc);
        }
        if (doca_likely(rc == DOCA_SUCCESS)) {
            DOCA_PRIV_CHECKED(doca_priv_check_begin(task);)
            slot->turn.user_data = task->user_data;
            task->user_data.ptr = slot;
            task->done = doca_priv_graph_task_done;
            return true;
        }
        task->state = DOCA_PRIV_TASK_HELD;
    }
    if (rc == DOCA_ERROR_AGAIN)
        return false;
    slot->turn.status =
        doca_priv_task_status(doca_priv_fail(rc, item, "doca_pe_progress", task));
    doca_priv_graph_add_turn(&slot->turn);
    return true;
}

/* Begin a node whose parents completed, or all roots of a sub instance. */
static void doca_priv_graph_begin(struct doca_priv_graph_slot *slot)
{
    struct doca_priv_graph_slot *roots;
    struct doca_task *rest;
    uint32_t i;

    for (slot->turn.next = NULL; slot != NULL; slot = (struct doca_priv_graph_slot *)(void *)rest) {
        rest = slot->turn.next;
        switch (slot->step->kind) {
        case DOCA_PRIV_NODE_CTX:
            if (slot->step->lane->first != NULL || !doca_priv_graph_post(slot))
                doca_priv_graph_wait(slot);
            break;
        case DOCA_PRIV_NODE_USER:
            doca_priv_graph_add_turn(&slot->turn);
            break;
        default:
            roots = doca_priv_graph_slots((const struct doca_graph_instance *)slot->data);
            for (i = slot->step->work.graph->plan->num_roots; i > 0; i--) {
                roots[i - 1].turn.next = rest;
                rest = &roots[i - 1].turn;
            }
        }
    }
}

static struct doca_priv_graph_slot *doca_priv_graph_first_holder(
    const struct doca_graph_instance *instance)
{
    return doca_priv_graph_slots(instance) +
           doca_priv_graph_of(&instance->turn)->plan->first_holder;
}

/* The holder after `slot`, where those of a held sub instance come right behind the node that runs
 * it. NULL at the end of `top`. */
static struct doca_priv_graph_slot *doca_priv_graph_next(const struct doca_graph_instance *top,
                                                         struct doca_priv_graph_slot *slot)
{
    const struct doca_graph_instance *instance;

    if (slot->is_held && slot->step->kind == DOCA_PRIV_NODE_GRAPH)
        return doca_priv_graph_first_holder((const struct doca_graph_instance *)slot->data);
    while (slot->step->is_last_holder) {
        instance = doca_priv_graph_instance(slot);
        if (instance == top)
            return NULL;
        slot = instance->parent;
    }
    return slot + 1;
}

/* Give the program back what the nodes of `top` hold that did not run. */
static void doca_priv_graph_release(const struct doca_graph_instance *top)
{
    struct doca_priv_graph_slot *slot, *next;
    uint32_t i;

    for (slot = doca_priv_graph_first_holder(top); slot != NULL; slot = next) {
        next = doca_priv_graph_next(top, slot);
        if (!slot->is_held)
            continue;
        slot->is_held = 0;
        if (slot->step->kind == DOCA_PRIV_NODE_GRAPH)
            ((struct doca_graph_instance *)slot->data)->obj.state = 0;
        else
            ((struct doca_task *)slot->data)->state = DOCA_PRIV_TASK_OWNED;
    }
    slot = doca_priv_graph_slots(top);
    for (i = doca_priv_graph_of(&top->turn)->num_nodes; i > 0; i--, slot++)
        slot->num_pending = slot->step->num_parents;
}

static void doca_priv_graph_fail(struct doca_graph_instance *instance, doca_error_t status)
{
    struct doca_priv_graph_plan *plan = doca_priv_graph_of(&instance->turn)->plan;
    struct doca_priv_failure failed;

    if (instance->turn.status != DOCA_SUCCESS)
        return;
    instance->turn.status = doca_priv_task_status(status);
    if (plan->running != NULL && doca_priv_graph_instance(plan->running) == instance)
        plan->running = NULL;
    /* logged only: the last error stays what the node failed of */
    failed = doca_priv_failure_make((doca_error_t)instance->turn.status,
                                    DOCA_CORE_ITEM_GRAPH_FAILED, "doca_pe_progress", instance);
    doca_priv_log(&failed);
}

/* A node ended: count its children down, and begin those that wait for nobody else. With the last
 * node of an instance that ends, too: true if one waits for it that runs it as a sub instance.
 * `num`: of turns that its graph has more; an old one, if it hands that over, is -1. */
DOCA_PRIV_HOT bool doca_priv_graph_end_one(struct doca_priv_graph_slot *slot, doca_error_t status,
                                           int num)
{
    const struct doca_priv_graph_step *step = slot->step;
    struct doca_graph_instance *instance = doca_priv_graph_instance(slot);
    struct doca_graph *graph = doca_priv_graph_of(&instance->turn);
    const uint32_t *at = step->children, *end = at + step->num_children;
    struct doca_priv_graph_slot *child;
    uint32_t begun = 0;

    if (doca_unlikely(status != DOCA_SUCCESS))
        doca_priv_graph_fail(instance, status);
    if (doca_unlikely(instance->turn.status != DOCA_SUCCESS))
        end = at;
    for (; at != end; at++) {
        child = doca_priv_graph_slots(instance) + *at;
        if (--child->num_pending > 0)
            continue;
        child->num_pending = child->step->num_parents;
        begun++;
        if (doca_likely(child->step->kind == DOCA_PRIV_NODE_USER)) {
            doca_priv_graph_queue(graph->plan, &child->turn);
            num++;
        } else {
            doca_priv_graph_begin(child);
        }
    }
    instance->num_running += begun - 1;
    if (doca_unlikely(instance->num_running == 0)) {
        if (instance->parent == NULL) {
            doca_priv_graph_queue(graph->plan, &instance->turn);
            num++;
        }
        if (instance->turn.status != DOCA_SUCCESS)
            doca_priv_graph_release(instance);
    }
    doca_priv_graph_wake(graph, num);
    return instance->num_running == 0 && instance->parent != NULL;
}

/* With a node its sub instance ended, and so do the node that runs that, and further up. */
DOCA_PRIV_APART void doca_priv_graph_end_outer(struct doca_priv_graph_slot *slot)
{
    struct doca_graph_instance *instance;

    do {
        instance = doca_priv_graph_instance(slot);
        instance->obj.state = 0;
        slot = instance->parent;
        slot->is_held = 0;
    } while (doca_priv_graph_end_one(slot, (doca_error_t)instance->turn.status, 0));
}

DOCA_PRIV_HOT void doca_priv_graph_end(struct doca_priv_graph_slot *slot, doca_error_t status,
                                       int num)
{
    if (doca_unlikely(doca_priv_graph_end_one(slot, status, num)))
        doca_priv_graph_end_outer(slot);
}

/* What task->done is while the task runs for a node. */
static void doca_priv_graph_task_done(struct doca_task *task)
{
    struct doca_priv_graph_slot *slot = (struct doca_priv_graph_slot *)task->user_data.ptr;
    const struct doca_ctx *ctx = task->ctx;

    task->done = doca_priv_ctx_stocks(ctx)[task->type].done;
    task->user_data = slot->turn.user_data;
    if (doca_unlikely(task->status != DOCA_SUCCESS))
        doca_priv_task_failed(task);
    ctx->engine->settle(task);
    slot->is_held = 0;
    doca_priv_graph_end(slot, (doca_error_t)task->status, 0);
}

/* ---- begin an instance ---- */

/* Make an instance ready to run: for itself, or for a slot of another one. */
static void doca_priv_graph_enter(struct doca_graph_instance *instance,
                                  struct doca_priv_graph_slot *parent)
{
    instance->obj.state = 1;
    instance->turn.status = DOCA_SUCCESS;
    instance->num_running = doca_priv_graph_of(&instance->turn)->plan->num_roots;
    instance->parent = parent;
}

/* Can the task of a slot run? SUCCESS, or the code and in *item the reason. */
static doca_error_t doca_priv_graph_check_task(const struct doca_priv_graph_slot *slot,
                                               enum doca_core_item *item)
{
    const struct doca_task *task = (const struct doca_task *)slot->data;
    const struct doca_ctx *ctx = slot->step->work.ctx;
    bool is_root =
        slot->step->num_parents == 0 && doca_priv_graph_instance(slot)->parent == NULL;

    *item = task == NULL ? DOCA_CORE_ITEM_GRAPH_NO_DATA : DOCA_CORE_ITEM_DEAD_HANDLE;
    if (!doca_priv_is_task(task) || task->ctx != ctx)
        return DOCA_ERROR_INVALID_VALUE;
    *item = DOCA_CORE_ITEM_TASK_NOT_OWNED;
    if (task->state != DOCA_PRIV_TASK_OWNED)
        return DOCA_ERROR_BAD_STATE;
    *item = DOCA_CORE_ITEM_CTX_NOT_RUNNING;
    if (ctx->obj.state != DOCA_CTX_STATE_RUNNING)
        return DOCA_ERROR_BAD_STATE;
    if (is_root && DOCA_CORE_CHECK >= 2)
        return ctx->engine->check(task, item);
    *item = DOCA_CORE_ITEM_TASK_NO_BUFFER;
    return is_root && !ctx->engine->is_complete(task) ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

/* Keep what a holder works on from the program. */
static doca_error_t doca_priv_graph_hold(struct doca_priv_graph_slot *slot,
                                         enum doca_core_item *item)
{
    struct doca_graph_instance *sub;
    doca_error_t rc;

    if (slot->step->kind == DOCA_PRIV_NODE_CTX) {
        rc = doca_priv_graph_check_task(slot, item);
        if (rc != DOCA_SUCCESS)
            return rc;
        ((struct doca_task *)slot->data)->state = DOCA_PRIV_TASK_HELD;
    } else {
        sub = (struct doca_graph_instance *)slot->data;
        *item = sub == NULL ? DOCA_CORE_ITEM_GRAPH_NO_DATA : DOCA_CORE_ITEM_GRAPH_SUBMITTED;
        if (sub == NULL || sub->obj.state != 0)
            return sub == NULL ? DOCA_ERROR_INVALID_VALUE : DOCA_ERROR_IN_USE;
        doca_priv_graph_enter(sub, slot);
    }
    slot->is_held = 1;
    return DOCA_SUCCESS;
}

/* ---- turns: each takes itself off first_turn, where it stands while it is done ---- */

/* Call back, as the last thing: the program may destroy instance and graph. */
static void doca_priv_graph_report(struct doca_task *turn)
{
    struct doca_graph_instance *instance = doca_priv_graph_by_turn(turn);
    struct doca_graph *graph = doca_priv_graph_of(turn);
    doca_graph_completion_cb_t cb =
        turn->status == DOCA_SUCCESS ? graph->completed : graph->failed;

    graph->plan->first_turn = turn->next;
    instance->obj.state = 0;
    cb(instance, turn->user_data, graph->ctx.user_data);
}

/* A node ended, and with it the turn. */
DOCA_PRIV_APART void doca_priv_graph_finish(struct doca_task *turn,
                                            struct doca_priv_graph_slot *slot, doca_error_t status)
{
    struct doca_priv_graph_plan *plan = doca_priv_graph_of(turn)->plan;

    plan->running = NULL;
    plan->first_turn = turn->next;
    doca_priv_graph_end(slot, status, -1);
}

/* The same for the last node of an instance, whose turn comes next if it runs for itself. */
DOCA_PRIV_APART void doca_priv_graph_finish_last(struct doca_task *turn,
                                                 struct doca_priv_graph_slot *slot)
{
    struct doca_graph_instance *instance = doca_priv_graph_instance(slot);
    struct doca_priv_graph_plan *plan = doca_priv_graph_of(turn)->plan;

    if (instance->parent != NULL) {
        doca_priv_graph_finish(turn, slot, DOCA_SUCCESS);
        return;
    }
    instance->num_running = 0;
    plan->running = NULL;
    plan->first_turn = turn->next;
    doca_priv_graph_queue(plan, &instance->turn);
}

/* A task that did not begin ends its node. */
static void doca_priv_graph_ended(struct doca_task *turn)
{
    turn->ctx->num_inflight++;
    doca_priv_graph_finish(turn, (struct doca_priv_graph_slot *)(void *)turn,
                           (doca_error_t)turn->status);
}

/* Do not call what has the turn: its instance failed, or a function in this turn did not return.
 * Which node it is that ends does not matter in an instance that failed. */
DOCA_PRIV_APART void doca_priv_graph_pass(struct doca_task *turn)
{
    struct doca_priv_graph_slot *slot = (struct doca_priv_graph_slot *)(void *)turn;
    bool has_failed = doca_priv_graph_instance(slot)->turn.status != DOCA_SUCCESS;

    doca_priv_graph_finish(turn, slot, has_failed ? DOCA_SUCCESS : DOCA_ERROR_UNEXPECTED);
}

/* Let `next` have the turn: who began it ended. */
DOCA_PRIV_APART void doca_priv_graph_hand_over(struct doca_task *turn, struct doca_task *next)
{
    struct doca_priv_graph_plan *plan = doca_priv_graph_of(turn)->plan;

    plan->running = NULL;
    next->next = turn->next;
    plan->first_turn = next;
    if (plan->last_turn == turn)
        plan->last_turn = next;
}

/* A user node ended: count its children down. Gives a user node that begins, to go on with in the
 * same turn; NULL: there is none. The others begin as they do elsewhere. */
DOCA_PRIV_HOT struct doca_priv_graph_slot *doca_priv_graph_follow(
    struct doca_graph_instance *instance, const struct doca_priv_graph_step *step)
{
    const uint32_t *at = step->children, *end = at + step->num_children;
    struct doca_priv_graph_slot *child, *next = NULL;

    for (; at != end; at++) {
        child = doca_priv_graph_slots(instance) + *at;
        if (--child->num_pending > 0)
            continue;
        child->num_pending = child->step->num_parents;
        if (next == NULL && child->step->kind == DOCA_PRIV_NODE_USER) {
            next = child;
            continue;
        }
        instance->num_running++;
        if (doca_likely(child->step->kind == DOCA_PRIV_NODE_USER))
            doca_priv_graph_add_turn(&child->turn);
        else
            doca_priv_graph_begin(child);
    }
    return next;
}

/* Call the function of a node, and of user nodes that can begin after it, in one turn; then the
 * same for the next turn, if it is one of the same instance. If a function does not return its turn
 * is over only in the next call of progress, which finds it running. If it calls progress, that may
 * end the turn, and all may be gone, or something in it fails the instance; then it runs no more.
 * What a user node costs, it costs here. */
static void doca_priv_graph_call(struct doca_task *turn)
{
    struct doca_priv_graph_slot *slot = (struct doca_priv_graph_slot *)(void *)turn, *next;
    struct doca_graph_instance *instance = doca_priv_graph_instance(slot);
    struct doca_priv_graph_plan *plan = doca_priv_graph_of(turn)->plan;
    const struct doca_priv_graph_step *step;
    unsigned room = DOCA_PRIV_GRAPH_LINE;
    doca_error_t status;

    turn->ctx->num_inflight++;
    if (doca_unlikely(instance->turn.status != DOCA_SUCCESS || plan->running != NULL)) {
        doca_priv_graph_pass(turn);
        return;
    }
    for (; room > 0; room--, slot = next) {
        step = slot->step;
        plan->running = slot;
        status = step->work.user(slot->data);
        if (doca_unlikely(plan->running != slot))
            return;
        next = (struct doca_priv_graph_slot *)((uintptr_t)slot + (uintptr_t)step->heir);
        if (doca_unlikely(status != DOCA_SUCCESS)) {
            doca_priv_graph_finish(turn, slot, status);
            return;
        }
        if (next != slot)
            continue;
        next = doca_priv_graph_follow(instance, step);
        if (next != NULL)
            continue;
        if (instance->num_running == 1) {
            doca_priv_graph_finish_last(turn, slot);
            return;
        }
        instance->num_running--;
        turn->ctx->num_inflight--;
        plan->first_turn = turn->next;
        turn = turn->next;
        next = (struct doca_priv_graph_slot *)(void *)turn;
        if (turn == NULL || turn->done != doca_priv_graph_call ||
            doca_priv_graph_instance(next) != instance) {
            plan->running = NULL;
            return;
        }
    }
    doca_priv_graph_hand_over(turn, &slot->turn);
}

/* The first one in the lane has its task submitted, or gets a turn instead. False: no room yet. */
static bool doca_priv_graph_move(struct doca_priv_graph_plan *plan,
                                 struct doca_priv_graph_lane *lane)
{
    struct doca_priv_graph_slot *slot = (struct doca_priv_graph_slot *)(void *)lane->first;
    struct doca_task *next = slot->turn.next;

    if (doca_priv_graph_instance(slot)->turn.status != DOCA_SUCCESS) {
        slot->turn.status = DOCA_SUCCESS;
        doca_priv_graph_add_turn(&slot->turn);
    } else if (!doca_priv_graph_post(slot)) {
        return false;
    }
    lane->first = next;
    plan->num_waiting--;
    return true;
}

static void doca_priv_graph_moved(struct doca_task *turn)
{
    (void)turn;
}

/* Poll while slots wait for room. */
DOCA_PRIV_APART struct doca_task *doca_priv_graph_poll_lanes(struct doca_priv_graph_plan *plan)
{
    uint32_t i;

    for (i = 0; i < plan->num_lanes; i++)
        if (plan->lanes[i].first != NULL && doca_priv_graph_move(plan, &plan->lanes[i]))
            return &plan->graph->moved;
    return plan->first_turn;
}

static struct doca_task *doca_priv_graph_poll(struct doca_core_queue *queue)
{
    struct doca_priv_graph_plan *plan = (struct doca_priv_graph_plan *)(void *)queue;

    return doca_likely(plan->num_waiting == 0) ? plan->first_turn
                                               : doca_priv_graph_poll_lanes(plan);
}

/* Who waits for room is woken by the completion that makes it, unless there is none to come: tasks
 * that are kept may never run. */
static bool doca_priv_graph_queue_ready(struct doca_core_queue *queue)
{
    const struct doca_priv_graph_plan *plan = (const struct doca_priv_graph_plan *)(void *)queue;
    const struct doca_priv_graph_lane *lane = plan->lanes;
    bool is_ready = plan->first_turn != NULL;

    for (; !is_ready && plan->num_waiting > 0 && lane < plan->lanes + plan->num_lanes; lane++)
        is_ready = lane->first != NULL && (lane->ctx->obj.state != DOCA_CTX_STATE_RUNNING ||
                                           lane->ctx->num_inflight == 0 ||
                                           (lane->ctx->kept != NULL && !lane->ctx->must_tell));
    return is_ready;
}

static int doca_priv_stub_queue_fd(struct doca_core_queue *queue);
static void doca_priv_stub_queue_arm(struct doca_core_queue *queue, bool armed);

/* Only what a PE asks of a running context. */
static const struct doca_core_backend doca_priv_graph_backend = {
    "graph", NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
    doca_priv_graph_queue_ready,
    doca_priv_stub_queue_fd,
    doca_priv_stub_queue_arm,
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0,
};

/* ---- >>impl.graph ----------------------------------------------------------------------------
 * Nodes and dependencies, how start compiles them, and the instances of a started graph.        */

/* Take the block of a started graph, and lay it out. */
static doca_error_t doca_priv_graph_carve(struct doca_core_arena *arena, uint32_t num_nodes,
                                          uint32_t num_edges, uint32_t num_instances,
                                          struct doca_priv_graph_plan **plan,
                                          unsigned char **instances, uint32_t **children,
                                          const char *function)
{
    size_t per_node = sizeof(struct doca_priv_graph_step) + sizeof(struct doca_priv_graph_lane);
    size_t instance_bytes = doca_priv_round_up(
        doca_priv_size(num_nodes, sizeof(struct doca_priv_graph_slot),
                       sizeof(struct doca_graph_instance)));
    size_t bytes = doca_priv_size(num_edges, sizeof(uint32_t), DOCA_PRIV_GRAPH_HEAD_BYTES);
    struct doca_priv_graph_plan *p;
    void *block = NULL;
    doca_error_t rc;

    bytes = doca_priv_size(num_nodes, per_node, bytes);
    bytes = doca_priv_size(num_instances, instance_bytes, bytes);
    rc = doca_priv_object_take(arena, bytes, &block, function);
    if (rc != DOCA_SUCCESS || block == NULL)
        return rc;
    p = (struct doca_priv_graph_plan *)block;
    *instances = (unsigned char *)block + DOCA_PRIV_GRAPH_HEAD_BYTES;
    p->steps = (struct doca_priv_graph_step *)(void *)(*instances + num_instances * instance_bytes);
    p->lanes = (struct doca_priv_graph_lane *)(void *)(p->steps + num_nodes);
    *children = (uint32_t *)(void *)(p->lanes + num_nodes);
    *plan = p;
    return DOCA_SUCCESS;
}

/* Count `num` blocks of as many bytes. */
static doca_error_t doca_priv_graph_count(struct doca_core_arena *count, size_t num, size_t bytes,
                                          const char *function)
{
    size_t before = count->used;
    void *block;
    doca_error_t rc = doca_priv_object_take(count, bytes, &block, function);

    if (rc == DOCA_SUCCESS)
        count->used = doca_priv_size(num, count->used - before, before);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_graph(uint32_t num_nodes, uint32_t num_dependencies,
                                                  uint32_t num_instances, size_t *bytes)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, __func__);
    struct doca_priv_graph_plan *plan;
    unsigned char *instances;
    uint32_t *children;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_graph_carve(&count, num_nodes, num_dependencies, num_instances, &plan,
                                   &instances, &children, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_graph_count(&count, 1, sizeof(struct doca_graph), __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_graph_count(&count, num_nodes, sizeof(struct doca_graph_node), __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_graph_count(&count, num_dependencies, sizeof(struct doca_priv_graph_edge),
                                   __func__);
    return rc != DOCA_SUCCESS ? rc : doca_priv_counted(&count, rc, bytes);
}

/* A NULL `arena` is the one of the PE. */
static doca_error_t doca_priv_graph_create(struct doca_core_arena *arena, struct doca_pe *pe,
                                           struct doca_graph **graph, const char *function)
{
    doca_error_t rc = doca_priv_check_args(pe, DOCA_PRIV_KIND_PE, graph, function);
    struct doca_graph *g;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (arena == NULL)
        arena = pe->arena;
    rc = doca_priv_object_take(arena, sizeof(*g), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    g = (struct doca_graph *)block;
    doca_priv_ctx_init(&g->ctx, DOCA_PRIV_KIND_GRAPH, NULL, &doca_priv_graph_backend, arena, NULL,
                       0);
    g->moved.ctx = &g->ctx;
    g->moved.done = doca_priv_graph_moved;
    doca_priv_pe_adopt(pe, &g->ctx);
    *graph = g;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_graph_create_in(struct doca_core_arena *arena,
                                                      struct doca_pe *pe,
                                                      struct doca_graph **graph)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, graph, __func__);

    return rc != DOCA_SUCCESS ? rc : doca_priv_graph_create(arena, pe, graph, __func__);
}

DOCA_CORE_DECL doca_error_t doca_graph_create(struct doca_pe *pe, struct doca_graph **graph)
{
    return doca_priv_graph_create(NULL, pe, graph, __func__);
}

/* May the graph be configured? */
static doca_error_t doca_priv_graph_is_open(const struct doca_graph *graph, const void *pointer,
                                            const char *function)
{
    doca_error_t rc = doca_priv_check_args(graph, DOCA_PRIV_KIND_GRAPH, pointer, function);

    if (rc == DOCA_SUCCESS && graph->plan != NULL)
        rc = doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_GRAPH_STARTED, function, graph);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_graph_destroy(struct doca_graph *graph)
{
    doca_error_t rc = doca_priv_graph_is_open(graph, graph, __func__), given = DOCA_SUCCESS;
    struct doca_priv_graph_edge *edge;
    struct doca_graph_node *node;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (graph->num_uses > 0)
        return DOCA_PRIV_FAIL(IN_USE, GRAPH_USED, graph);
    while (graph->nodes != NULL) {
        node = graph->nodes;
        graph->nodes = node->next;
        while (node->children != NULL) {
            edge = node->children;
            node->children = edge->next;
            rc = doca_core_arena_give(graph->ctx.arena, edge);
            DOCA_ERROR_PROPAGATE(given, rc);
        }
        if (node->obj.state == DOCA_PRIV_NODE_GRAPH)
            node->work.graph->num_uses--;
        rc = doca_priv_object_give(graph->ctx.arena, &node->obj);
        DOCA_ERROR_PROPAGATE(given, rc);
    }
    rc = doca_priv_ctx_destroy(&graph->ctx, __func__);
    return rc != DOCA_SUCCESS ? rc : given;
}

DOCA_CORE_DECL doca_error_t doca_graph_set_conf(struct doca_graph *graph,
                                                doca_graph_completion_cb_t graph_completion_cb,
                                                doca_graph_completion_cb_t graph_error_cb,
                                                uint32_t num_instances)
{
    bool has_cbs = graph_completion_cb != NULL && graph_error_cb != NULL;
    doca_error_t rc = doca_priv_graph_is_open(graph, has_cbs ? graph : NULL, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (num_instances == 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ZERO, graph);
    graph->completed = graph_completion_cb;
    graph->failed = graph_error_cb;
    graph->num_instances = num_instances;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_set_user_data(struct doca_graph *graph,
                                                     union doca_data user_data)
{
    doca_error_t rc = doca_priv_graph_is_open(graph, graph, __func__);

    if (rc == DOCA_SUCCESS)
        graph->ctx.user_data = user_data;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_graph_get_user_data(const struct doca_graph *graph,
                                                     union doca_data *user_data)
{
    doca_error_t rc = doca_priv_check_args(graph, DOCA_PRIV_KIND_GRAPH, user_data, __func__);

    if (rc == DOCA_SUCCESS)
        *user_data = graph->ctx.user_data;
    return rc;
}

static doca_error_t doca_priv_graph_add_node(struct doca_graph *graph, uint8_t kind,
                                             const union doca_priv_graph_work *work,
                                             struct doca_graph_node **node, const char *function)
{
    doca_error_t rc = doca_priv_graph_is_open(graph, node, function);
    struct doca_graph_node *n;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (graph->num_nodes == UINT32_MAX)
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_GRAPH_TOO_MANY, function, graph);
    rc = doca_priv_object_take(graph->ctx.arena, sizeof(*n), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    n = (struct doca_graph_node *)block;
    doca_priv_object_init(&n->obj, DOCA_PRIV_KIND_NODE);
    n->obj.state = kind;
    n->graph = graph;
    n->work = *work;
    if (graph->nodes == NULL)
        graph->nodes = n;
    else
        graph->last_node->next = n;
    graph->last_node = n;
    graph->num_nodes++;
    *node = n;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_node_create_from_ctx(struct doca_graph *graph,
                                                            const struct doca_ctx *ctx,
                                                            struct doca_graph_node **node)
{
    union doca_priv_graph_work work;

    if (!doca_priv_is_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    work.ctx = (struct doca_ctx *)(uintptr_t)ctx;
    return doca_priv_graph_add_node(graph, DOCA_PRIV_NODE_CTX, &work, node, __func__);
}

DOCA_CORE_DECL doca_error_t doca_graph_node_create_from_user(struct doca_graph *graph,
                                                             doca_graph_user_node_cb_t cb,
                                                             struct doca_graph_node **node)
{
    union doca_priv_graph_work work;

    if (cb == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    work.user = cb;
    return doca_priv_graph_add_node(graph, DOCA_PRIV_NODE_USER, &work, node, __func__);
}

DOCA_CORE_DECL doca_error_t doca_graph_node_create_from_graph(struct doca_graph *graph,
                                                              struct doca_graph *sub_graph,
                                                              struct doca_graph_node **node)
{
    union doca_priv_graph_work work;
    doca_error_t rc;

    if (!doca_priv_is(sub_graph, DOCA_PRIV_KIND_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(sub_graph);
    rc = doca_priv_graph_is_open(graph, node, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (sub_graph == graph)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_CYCLE, graph);
    if (sub_graph->ctx.pe != graph->ctx.pe)
        return DOCA_PRIV_FAIL(INVALID_VALUE, GRAPH_PE, sub_graph);
    if (sub_graph->plan == NULL)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_NOT_STARTED, sub_graph);
    work.graph = sub_graph;
    rc = doca_priv_graph_add_node(graph, DOCA_PRIV_NODE_GRAPH, &work, node, __func__);
    if (rc == DOCA_SUCCESS)
        sub_graph->num_uses++;
    return rc;
}

/* Does a way lead from `from` to `to`? */
static bool doca_priv_graph_leads(struct doca_graph_node *from, const struct doca_graph_node *to)
{
    const struct doca_priv_graph_edge *edge;
    struct doca_graph_node *node;

    if (from != to && (from->num_children == 0 || to->num_parents == 0))
        return false; /* as always when a graph is built along its order */
    for (node = from->graph->nodes; node != NULL; node = node->next)
        node->is_seen = 0;
    from->is_seen = 1;
    from->todo = NULL;
    for (node = from; node != NULL && node != to;) {
        edge = node->children;
        node = node->todo;
        for (; edge != NULL; edge = edge->next) {
            if (edge->to->is_seen)
                continue;
            edge->to->is_seen = 1;
            edge->to->todo = node;
            node = edge->to;
        }
    }
    return node != NULL;
}

DOCA_CORE_DECL doca_error_t doca_graph_add_dependency(struct doca_graph *graph,
                                                      struct doca_graph_node *from,
                                                      struct doca_graph_node *to)
{
    doca_error_t rc = doca_priv_graph_is_open(graph, graph, __func__);
    struct doca_priv_graph_edge *edge;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_is(from, DOCA_PRIV_KIND_NODE))
        return DOCA_PRIV_FAIL_HANDLE(from);
    if (!doca_priv_is(to, DOCA_PRIV_KIND_NODE))
        return DOCA_PRIV_FAIL_HANDLE(to);
    if (from->graph != graph || to->graph != graph)
        return DOCA_PRIV_FAIL(INVALID_VALUE, GRAPH_FOREIGN, from->graph != graph ? from : to);
    if (doca_priv_graph_leads(to, from))
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_CYCLE, from);
    for (edge = from->children; edge != NULL; edge = edge->next)
        if (edge->to == to)
            return DOCA_SUCCESS;
    if (graph->num_edges == UINT32_MAX)
        return DOCA_PRIV_FAIL(NO_MEMORY, GRAPH_TOO_MANY, graph);
    rc = doca_priv_object_take(graph->ctx.arena, sizeof(*edge), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    edge = (struct doca_priv_graph_edge *)block;
    edge->to = to;
    edge->next = from->children;
    from->children = edge;
    from->num_children++;
    to->num_parents++;
    graph->num_edges++;
    return DOCA_SUCCESS;
}

/* Users without parents, then holders, with the roots first, then the other users. */
static unsigned doca_priv_graph_rank(const struct doca_graph_node *node)
{
    bool is_user = node->obj.state == DOCA_PRIV_NODE_USER;

    return node->num_parents == 0 ? (is_user ? 0 : 1) : (is_user ? 3 : 2);
}

/* Give the nodes their places, and find the first and the last holder. */
static void doca_priv_graph_arrange(const struct doca_graph *graph,
                                    struct doca_priv_graph_plan *plan)
{
    struct doca_graph_node *node;
    uint32_t index = 0;
    unsigned rank;

    for (rank = 0; rank < 4; rank++) {
        if (rank == 1)
            plan->first_holder = index;
        if (rank == 2)
            plan->num_roots = index;
        if (rank == 3)
            plan->steps[index - 1].is_last_holder = true;
        for (node = graph->nodes; node != NULL; node = node->next)
            if (doca_priv_graph_rank(node) == rank)
                node->index = index++;
    }
}

static ptrdiff_t doca_priv_graph_heir(const struct doca_graph_node *node)
{
    const struct doca_graph_node *child = node->num_children == 1 ? node->children->to : NULL;

    if (child == NULL || child->num_parents != 1 || child->obj.state != DOCA_PRIV_NODE_USER)
        return 0;
    return ((ptrdiff_t)child->index - (ptrdiff_t)node->index) *
           (ptrdiff_t)sizeof(struct doca_priv_graph_slot);
}

/* Turn the nodes into steps. */
static void doca_priv_graph_compile(const struct doca_graph *graph,
                                    struct doca_priv_graph_plan *plan, uint32_t *children)
{
    const struct doca_priv_graph_edge *edge;
    const struct doca_graph_node *node;
    struct doca_priv_graph_step *step;
    struct doca_priv_graph_lane *lane;

    doca_priv_graph_arrange(graph, plan);
    for (node = graph->nodes; node != NULL; node = node->next) {
        step = &plan->steps[node->index];
        step->kind = node->obj.state;
        step->work = node->work;
        step->offset = doca_priv_size(node->index, sizeof(struct doca_priv_graph_slot),
                                      sizeof(struct doca_graph_instance));
        step->num_parents = node->num_parents;
        step->num_children = node->num_children;
        step->children = children;
        step->heir = doca_priv_graph_heir(node);
        for (edge = node->children; edge != NULL; edge = edge->next)
            *children++ = edge->to->index;
        if (step->kind != DOCA_PRIV_NODE_CTX)
            continue;
        for (lane = plan->lanes; lane->ctx != NULL && lane->ctx != step->work.ctx; lane++) {
        }
        if (lane->ctx == NULL)
            plan->num_lanes++;
        lane->ctx = step->work.ctx;
        step->lane = lane;
    }
}

/* What keeps the graph from starting, or ITEM_NONE; in *object what it lies in. */
static enum doca_core_item doca_priv_graph_obstacle(const struct doca_graph *graph,
                                                    const void **object)
{
    const struct doca_graph_node *node;
    bool has_ctx = false;

    *object = graph;
    if (graph->num_instances == 0)
        return DOCA_CORE_ITEM_GRAPH_NO_CONF;
    for (node = graph->nodes; node != NULL; node = node->next) {
        has_ctx = has_ctx || node->obj.state != DOCA_PRIV_NODE_USER;
        *object = node;
        if (node->obj.state == DOCA_PRIV_NODE_GRAPH && node->work.graph->plan == NULL)
            return DOCA_CORE_ITEM_GRAPH_NOT_STARTED;
        if (node->obj.state == DOCA_PRIV_NODE_CTX &&
            (!doca_priv_is_ctx(node->work.ctx) || node->work.ctx->pe != graph->ctx.pe ||
             node->work.ctx->obj.state != DOCA_CTX_STATE_RUNNING))
            return DOCA_CORE_ITEM_GRAPH_CTX;
    }
    *object = graph;
    return has_ctx ? DOCA_CORE_ITEM_NONE : DOCA_CORE_ITEM_GRAPH_NO_CTX_NODE;
}

/* Started graphs that use sub-graphs keep them started. */
static void doca_priv_graph_hold_subs(const struct doca_graph *graph, bool hold)
{
    const struct doca_graph_node *node;

    for (node = graph->nodes; node != NULL; node = node->next)
        if (node->obj.state == DOCA_PRIV_NODE_GRAPH)
            node->work.graph->num_users =
                hold ? node->work.graph->num_users + 1 : node->work.graph->num_users - 1;
}

DOCA_CORE_DECL doca_error_t doca_graph_start(struct doca_graph *graph)
{
    struct doca_priv_graph_plan *plan = NULL;
    struct doca_graph_instance *instance;
    unsigned char *at = NULL;
    enum doca_core_item obstacle;
    uint32_t *children = NULL;
    const void *object;
    doca_error_t rc;

    if (!doca_priv_is(graph, DOCA_PRIV_KIND_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    if (graph->plan != NULL)
        return DOCA_SUCCESS;
    obstacle = doca_priv_graph_obstacle(graph, &object);
    if (obstacle != DOCA_CORE_ITEM_NONE)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, obstacle, __func__, object);
    rc = doca_priv_graph_carve(graph->ctx.arena, graph->num_nodes, graph->num_edges,
                               graph->num_instances, &plan, &at, &children, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    plan->queue.poll = doca_priv_graph_poll;
    plan->queue.backend = &doca_priv_graph_backend;
    plan->graph = graph;
    doca_priv_graph_compile(graph, plan, children);
    for (; at < (unsigned char *)plan->steps;
         at += DOCA_PRIV_GRAPH_INSTANCE_BYTES(graph->num_nodes)) {
        instance = (struct doca_graph_instance *)(void *)at;
        instance->turn.next = plan->free_instances;
        plan->free_instances = &instance->turn;
    }
    doca_priv_graph_hold_subs(graph, true);
    graph->plan = plan;
    graph->ctx.queue = &plan->queue;
    graph->ctx.poll = plan->queue.poll;
    graph->ctx.obj.state = DOCA_CTX_STATE_RUNNING;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_stop(struct doca_graph *graph)
{
    struct doca_priv_graph_plan *plan;

    if (!doca_priv_is(graph, DOCA_PRIV_KIND_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    if (graph->num_live > 0)
        return DOCA_PRIV_FAIL(IN_USE, GRAPH_HAS_INSTANCES, graph);
    if (graph->num_users > 0)
        return DOCA_PRIV_FAIL(IN_USE, GRAPH_USED, graph);
    if (graph->plan == NULL)
        return DOCA_SUCCESS;
    plan = graph->plan;
    doca_priv_pe_deactivate(&graph->ctx);
    doca_priv_graph_hold_subs(graph, false);
    graph->plan = NULL;
    graph->ctx.queue = NULL;
    graph->ctx.obj.state = DOCA_CTX_STATE_IDLE;
    return doca_core_arena_give(graph->ctx.arena, plan);
}

/* ---- instances ---- */

DOCA_CORE_DECL doca_error_t doca_graph_instance_create(const struct doca_graph *graph,
                                                       struct doca_graph_instance **graph_instance)
{
    doca_error_t rc = doca_priv_check_args(graph, DOCA_PRIV_KIND_GRAPH, graph_instance, __func__);
    struct doca_graph_instance *instance;
    struct doca_priv_graph_slot *slot;
    struct doca_graph *g = (struct doca_graph *)(uintptr_t)graph;
    uint32_t i;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (g->plan == NULL)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_NOT_STARTED, graph);
    if (g->plan->free_instances == NULL)
        return DOCA_PRIV_FAIL(NO_MEMORY, GRAPH_NO_INSTANCE, graph);
    instance = doca_priv_graph_by_turn(g->plan->free_instances);
    g->plan->free_instances = instance->turn.next;
    DOCA_CORE_MEMSET(instance, 0, DOCA_PRIV_GRAPH_INSTANCE_BYTES(g->num_nodes));
    doca_priv_object_init(&instance->obj, DOCA_PRIV_KIND_INSTANCE);
    instance->turn.ctx = &g->ctx;
    instance->turn.done = doca_priv_graph_report;
    g->num_live++;
    slot = doca_priv_graph_slots(instance);
    for (i = 0; i < g->num_nodes; i++, slot++) {
        slot->step = &g->plan->steps[i];
        slot->num_pending = slot->step->num_parents;
        slot->turn.ctx = &g->ctx;
        slot->turn.done = slot->step->kind == DOCA_PRIV_NODE_USER ? doca_priv_graph_call
                                                                  : doca_priv_graph_ended;
    }
    *graph_instance = instance;
    return DOCA_SUCCESS;
}

/* Another instance, or none, becomes the data of a sub-graph node. */
static void doca_priv_graph_set_sub(struct doca_priv_graph_slot *slot,
                                    struct doca_graph_instance *sub)
{
    if (sub != NULL)
        sub->num_uses++;
    if (slot->data != NULL)
        ((struct doca_graph_instance *)slot->data)->num_uses--;
    slot->data = sub;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_destroy(struct doca_graph_instance *graph_instance)
{
    struct doca_priv_graph_slot *slot;
    struct doca_graph *graph;

    if (!doca_priv_is(graph_instance, DOCA_PRIV_KIND_INSTANCE))
        return DOCA_PRIV_FAIL_HANDLE(graph_instance);
    if (graph_instance->obj.state != 0)
        return DOCA_PRIV_FAIL(IN_USE, GRAPH_SUBMITTED, graph_instance);
    if (graph_instance->num_uses > 0)
        return DOCA_PRIV_FAIL(IN_USE, GRAPH_INSTANCE_USED, graph_instance);
    slot = doca_priv_graph_first_holder(graph_instance); /* none is held: no sub instance's come */
    for (; slot != NULL; slot = doca_priv_graph_next(graph_instance, slot))
        if (slot->step->kind == DOCA_PRIV_NODE_GRAPH)
            doca_priv_graph_set_sub(slot, NULL);
    graph = doca_priv_graph_of(&graph_instance->turn);
    graph_instance->obj.guard = 0;
    graph_instance->turn.next = graph->plan->free_instances;
    graph->plan->free_instances = &graph_instance->turn;
    graph->num_live--;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_set_user_data(
    struct doca_graph_instance *graph_instance, union doca_data user_data)
{
    if (!doca_priv_is(graph_instance, DOCA_PRIV_KIND_INSTANCE))
        return DOCA_PRIV_FAIL_HANDLE(graph_instance);
    if (graph_instance->obj.state != 0)
        return DOCA_PRIV_FAIL(IN_USE, GRAPH_SUBMITTED, graph_instance);
    graph_instance->turn.user_data = user_data;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_get_user_data(
    const struct doca_graph_instance *graph_instance, union doca_data *user_data)
{
    doca_error_t rc =
        doca_priv_check_args(graph_instance, DOCA_PRIV_KIND_INSTANCE, user_data, __func__);

    if (rc == DOCA_SUCCESS)
        *user_data = graph_instance->turn.user_data;
    return rc;
}

/* Find the slot of a node of this kind, for its data to be set. */
static doca_error_t doca_priv_graph_find_slot(struct doca_graph_instance *instance,
                                              const struct doca_graph_node *node, uint8_t kind,
                                              struct doca_priv_graph_slot **slot,
                                              const char *function)
{
    doca_error_t rc = doca_priv_check_args(instance, DOCA_PRIV_KIND_INSTANCE, node, function);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(node, DOCA_PRIV_KIND_NODE, node, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (instance->obj.state != 0)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_GRAPH_SUBMITTED, function,
                              instance);
    if (node->graph != doca_priv_graph_of(&instance->turn) || node->obj.state != kind)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_GRAPH_FOREIGN, function,
                              node);
    *slot = doca_priv_graph_slots(instance) + node->index;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_set_ctx_node_data(
    struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
    struct doca_task *task)
{
    struct doca_priv_graph_slot *slot = NULL;
    doca_error_t rc;

    if (!doca_priv_is_task(task))
        return DOCA_PRIV_FAIL_HANDLE(task);
    rc = doca_priv_graph_find_slot(graph_instance, node, DOCA_PRIV_NODE_CTX, &slot, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (task->ctx != node->work.ctx)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_FOREIGN, task);
    slot->data = task;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_set_user_node_data(
    struct doca_graph_instance *graph_instance, struct doca_graph_node *node, void *cookie)
{
    struct doca_priv_graph_slot *slot = NULL;
    doca_error_t rc =
        doca_priv_graph_find_slot(graph_instance, node, DOCA_PRIV_NODE_USER, &slot, __func__);

    if (rc == DOCA_SUCCESS)
        slot->data = cookie;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_set_sub_graph_node_data(
    struct doca_graph_instance *graph_instance, struct doca_graph_node *node,
    struct doca_graph_instance *sub_graph_instance)
{
    struct doca_priv_graph_slot *slot = NULL;
    doca_error_t rc;

    if (!doca_priv_is(sub_graph_instance, DOCA_PRIV_KIND_INSTANCE))
        return DOCA_PRIV_FAIL_HANDLE(sub_graph_instance);
    rc = doca_priv_graph_find_slot(graph_instance, node, DOCA_PRIV_NODE_GRAPH, &slot, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (doca_priv_graph_of(&sub_graph_instance->turn) != node->work.graph)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_FOREIGN, sub_graph_instance);
    if (sub_graph_instance->obj.state != 0)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_SUBMITTED, sub_graph_instance);
    doca_priv_graph_set_sub(slot, sub_graph_instance);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_submit(struct doca_graph_instance *graph_instance)
{
    struct doca_graph_instance *instance = graph_instance;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_graph_slot *slot;
    doca_error_t rc = DOCA_SUCCESS;
    uint32_t i, num_roots;

    if (!doca_priv_is(instance, DOCA_PRIV_KIND_INSTANCE))
        return DOCA_PRIV_FAIL_HANDLE(instance);
    if (instance->obj.state != 0)
        return DOCA_PRIV_FAIL(IN_USE, GRAPH_SUBMITTED, instance);
    doca_priv_graph_enter(instance, NULL);
    slot = doca_priv_graph_first_holder(instance);
    for (; slot != NULL && rc == DOCA_SUCCESS; slot = doca_priv_graph_next(instance, slot))
        rc = doca_priv_graph_hold(slot, &item);
    if (rc != DOCA_SUCCESS) {
        doca_priv_graph_release(instance);
        instance->obj.state = 0;
        return doca_priv_fail(rc, item, __func__, instance);
    }
    num_roots = instance->num_running;
    for (i = 0; i < num_roots; i++)
        doca_priv_graph_begin(doca_priv_graph_slots(instance) + i);
    return DOCA_SUCCESS;
}

/* ---- >>impl.bridge -------------------------------------------------------------------------- */

DOCA_CORE_DECL doca_error_t doca_rdma_bridge_get_dev_pd(const struct doca_dev *dev,
                                                        struct ibv_pd **pd)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, pd, __func__);
    struct ibv_pd *own;

    if (rc != DOCA_SUCCESS)
        return rc;
    own = dev->from_pd;
    if (own == NULL)
        rc = dev->backend->get_pd(dev, &own);
    if (rc != DOCA_SUCCESS)
        return doca_priv_fail(rc, DOCA_CORE_ITEM_DEV_NO_PD, __func__, dev);
    *pd = own;
    return DOCA_SUCCESS;
}

/* Is it the PD of a device that was not opened from it? Under the lock. */
static bool doca_priv_bridge_is_own(const struct ibv_pd *pd)
{
    const struct doca_dev *dev;
    struct ibv_pd *own = NULL;

    for (dev = doca_priv_world.devs; dev != NULL; dev = dev->next)
        if (dev->from_pd == NULL && dev->backend->get_pd(dev, &own) == DOCA_SUCCESS && own == pd)
            return true;
    return false;
}

static doca_error_t doca_priv_bridge_open(struct doca_core_arena *arena, struct ibv_pd *pd,
                                          struct doca_dev **dev, const char *function)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, pd, function);
    const struct doca_core_backend *backend;
    struct doca_devinfo info;
    bool is_own;

    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_sw_ask_environment();
    DOCA_CORE_MEMSET(&info, 0, sizeof(info));
    doca_priv_object_init(&info.obj, DOCA_PRIV_KIND_DEVINFO);
    info.arena = arena;
    doca_priv_lock(&doca_priv_world.lock);
    is_own = doca_priv_bridge_is_own(pd);
    backend = doca_priv_backend_next(doca_core_sw_backend());
    while (backend != NULL && backend->open_from_pd == doca_priv_stub_open_from_pd)
        backend = doca_priv_backend_next(backend);
    info.backend = backend != NULL ? backend : doca_core_sw_backend();
    info.serial = info.backend->serial;
    doca_priv_unlock(&doca_priv_world.lock);
    if (is_own)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_DEV_OWN_PD, function, NULL);
    return doca_priv_dev_open(&info, pd, dev, function);
}

DOCA_CORE_DECL doca_error_t doca_core_rdma_bridge_open_dev_from_pd_in(
    struct doca_core_arena *arena, struct ibv_pd *pd, struct doca_dev **dev)
{
    return doca_priv_bridge_open(arena, pd, dev, __func__);
}

DOCA_CORE_DECL doca_error_t doca_rdma_bridge_open_dev_from_pd(struct ibv_pd *pd,
                                                              struct doca_dev **dev)
{
    return doca_priv_bridge_open(doca_core_arena_bound(), pd, dev, __func__);
}

DOCA_CORE_DECL doca_error_t doca_rdma_bridge_get_buf_mkey(const struct doca_buf *buf,
                                                          struct doca_dev *dev, uint32_t *mkey)
{
    doca_error_t rc = doca_priv_buf_check(buf, mkey, __func__);
    uint32_t i;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    if (buf->flags == 0)
        return DOCA_PRIV_FAIL(BAD_STATE, BUF_RETURNED, buf);
    i = doca_priv_mmap_find(buf->mmap, dev);
    if (i == buf->mmap->num_devs)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_DEV_MISSING, buf->mmap);
    if (buf->mmap->devs[i].mkey == 0)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, BUF_NO_KEY, buf);
    *mkey = buf->mmap->devs[i].mkey;
    return DOCA_SUCCESS;
}

DOCA_PRIV_ASSERT_STATIC(mmaps_fit_behind_a_mempool, sizeof(struct doca_dpdk_mempool) % 8 == 0);

static doca_error_t doca_priv_dpdk_carve(struct doca_core_arena *arena, uint32_t num_chunks,
                                         void **block, const char *function)
{
    return doca_priv_object_take(arena,
                                 doca_priv_size(num_chunks, sizeof(struct doca_mmap),
                                                sizeof(struct doca_dpdk_mempool)),
                                 block, function);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_dpdk_mempool(uint32_t num_chunks, size_t *bytes)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, __func__);
    void *block;

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_dpdk_carve(&count, num_chunks, &block, __func__);
    return doca_priv_counted(&count, rc, bytes);
}

#ifdef DOCA_CORE_DPDK

static struct doca_mmap *doca_priv_dpdk_maps(struct doca_dpdk_mempool *mempool)
{
    return (struct doca_mmap *)(void *)(mempool + 1);
}

/* The direct mbuf whose memory a buf is; NULL when it is of an mmap of the program's, one with so
 * many bufs that their number looks like ours. */
static struct rte_mbuf *doca_priv_dpdk_direct(const struct doca_buf *buf)
{
    const struct doca_dpdk_mempool *mempool =
        (const struct doca_dpdk_mempool *)buf->mmap->user_data.ptr;

    if (buf->mmap->obj.owner != DOCA_PRIV_OF_DPDK)
        return NULL;
    return (struct rte_mbuf *)(void *)(buf->head - mempool->mbuf_bytes);
}

/* Take a reference for each element of the list that is of an mbuf. */
static void doca_priv_dpdk_hold(const struct doca_buf *list)
{
    struct rte_mbuf *mbuf;

    for (; list != NULL; list = list->next) {
        mbuf = doca_priv_dpdk_direct(list);
        if (mbuf != NULL)
            rte_mbuf_refcnt_update(mbuf, 1);
    }
}

/* Give back the mbuf of an element that is back in its stock. */
static void doca_priv_dpdk_free(const struct doca_buf *buf)
{
    struct rte_mbuf *mbuf = doca_priv_dpdk_direct(buf);

    if (mbuf != NULL)
        rte_pktmbuf_free_seg(mbuf);
}

/* Is it a pool of mbufs, each with its memory behind it? Where that is external, the elements have
 * no room for it. */
static bool doca_priv_dpdk_is_suitable(struct rte_mempool *pool)
{
    const struct rte_pktmbuf_pool_private *own;

    if (pool->private_data_size < sizeof(*own) || pool->nb_mem_chunks == 0)
        return false;
    own = (const struct rte_pktmbuf_pool_private *)rte_mempool_get_priv(pool);
    return pool->elt_size >=
           sizeof(struct rte_mbuf) + own->mbuf_priv_size + own->mbuf_data_room_size;
}

/* Make the next mmap of a mempool, for a memory chunk: called for each by DPDK. */
static void doca_priv_dpdk_map(struct rte_mempool *pool, void *opaque,
                               struct rte_mempool_memhdr *chunk, unsigned index)
{
    struct doca_dpdk_mempool *mempool = (struct doca_dpdk_mempool *)opaque;
    struct doca_mmap *map = doca_priv_dpdk_maps(mempool) + index;

    (void)pool;
    if (index >= mempool->num_maps)
        return; /* one more since they were counted */
    doca_priv_mmap_init(map, mempool->arena);
    map->addr = (unsigned char *)chunk->addr;
    map->len = chunk->len;
    map->has_range = true;
    map->user_data.ptr = mempool;
    map->obj.owner = DOCA_PRIV_OF_DPDK;
}

static doca_error_t doca_priv_dpdk_create(struct doca_core_arena *arena,
                                          const struct rte_mempool *mbuf_pool,
                                          struct doca_dpdk_mempool **mempool_out,
                                          const char *function)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA,
                                           mbuf_pool != NULL ? mempool_out : NULL, function);
    /* DPDK walks the chunks of a pool that it may write to, but leaves it as it is */
    struct rte_mempool *pool = (struct rte_mempool *)(uintptr_t)mbuf_pool;
    struct doca_dpdk_mempool *m;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_dpdk_is_suitable(pool))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_DPDK_POOL, function, NULL);
    rc = doca_priv_dpdk_carve(arena, pool->nb_mem_chunks, &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    m = (struct doca_dpdk_mempool *)block;
    doca_priv_object_init(&m->obj, DOCA_PRIV_KIND_DPDK_MEMPOOL);
    m->arena = arena;
    m->mbuf_pool = mbuf_pool;
    m->mbuf_bytes = (uint32_t)sizeof(struct rte_mbuf) + rte_pktmbuf_priv_size(pool);
    m->num_maps = pool->nb_mem_chunks;
    (void)rte_mempool_mem_iter(pool, doca_priv_dpdk_map, m);
    *mempool_out = m;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_dpdk_mempool_create_in(
    struct doca_core_arena *arena, const struct rte_mempool *mbuf_pool,
    struct doca_dpdk_mempool **mempool_out)
{
    return doca_priv_dpdk_create(arena, mbuf_pool, mempool_out, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_create(const struct rte_mempool *mbuf_pool,
                                                     struct doca_dpdk_mempool **mempool_out)
{
    return doca_priv_dpdk_create(doca_core_arena_bound(), mbuf_pool, mempool_out, __func__);
}

/* Take the first `num` mmaps of a mempool out of use. */
static void doca_priv_dpdk_stop(struct doca_dpdk_mempool *mempool, uint32_t num)
{
    struct doca_mmap *map = doca_priv_dpdk_maps(mempool);

    for (; num > 0; num--, map++)
        (void)doca_mmap_stop(map);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_destroy(struct doca_dpdk_mempool *mempool)
{
    struct doca_mmap *maps;
    uint32_t i;

    if (!doca_priv_is(mempool, DOCA_PRIV_KIND_DPDK_MEMPOOL))
        return DOCA_PRIV_FAIL_HANDLE(mempool);
    maps = doca_priv_dpdk_maps(mempool);
    for (i = 0; i < mempool->num_maps; i++)
        if (maps[i].num_bufs > 0)
            return DOCA_PRIV_FAIL(IN_USE, STOCK_OUTSTANDING, mempool);
    if (mempool->obj.state == DOCA_PRIV_STARTED)
        doca_priv_dpdk_stop(mempool, mempool->num_maps);
    for (i = 0; i < mempool->num_maps; i++) {
        while (maps[i].num_devs > 0)
            (void)doca_mmap_rm_dev(&maps[i], maps[i].devs[0].dev);
        maps[i].obj.guard = 0;
    }
    return doca_priv_object_give(mempool->arena, &mempool->obj);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_dev_add(struct doca_dpdk_mempool *mempool,
                                                      struct doca_dev *dev)
{
    doca_error_t rc = DOCA_SUCCESS;
    struct doca_mmap *maps;
    uint32_t i;

    if (!doca_priv_is(mempool, DOCA_PRIV_KIND_DPDK_MEMPOOL))
        return DOCA_PRIV_FAIL_HANDLE(mempool);
    if (mempool->obj.state == DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, STOCK_STARTED, mempool);
    maps = doca_priv_dpdk_maps(mempool);
    for (i = 0; i < mempool->num_maps && rc == DOCA_SUCCESS; i++)
        rc = doca_mmap_add_dev(&maps[i], dev); /* all have the same devices: the first one fails */
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_set_permissions(struct doca_dpdk_mempool *mempool,
                                                              uint32_t access_mask)
{
    const uint32_t pci = DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE |
                         DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING;
    doca_error_t rc = DOCA_SUCCESS;
    uint32_t i;

    if (!doca_priv_is(mempool, DOCA_PRIV_KIND_DPDK_MEMPOOL))
        return DOCA_PRIV_FAIL_HANDLE(mempool);
    if ((access_mask & pci) != 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, DPDK_ACCESS, mempool);
    for (i = 0; i < mempool->num_maps && rc == DOCA_SUCCESS; i++)
        rc = doca_mmap_set_permissions(&doca_priv_dpdk_maps(mempool)[i], access_mask);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_start(struct doca_dpdk_mempool *mempool)
{
    struct doca_mmap *maps;
    doca_error_t rc;
    uint32_t i;

    if (!doca_priv_is(mempool, DOCA_PRIV_KIND_DPDK_MEMPOOL))
        return DOCA_PRIV_FAIL_HANDLE(mempool);
    if (mempool->obj.state == DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, STOCK_STARTED, mempool);
    maps = doca_priv_dpdk_maps(mempool);
    if (maps->num_devs == 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, DPDK_NO_DEV, mempool);
    for (i = 0; i < mempool->num_maps; i++) {
        rc = doca_mmap_start(&maps[i]);
        if (rc != DOCA_SUCCESS) {
            doca_priv_dpdk_stop(mempool, i);
            return rc;
        }
    }
    mempool->obj.state = DOCA_PRIV_STARTED;
    return DOCA_SUCCESS;
}

/* The mmap with the memory of a segment; NULL when that is not in the pool, or not where a direct
 * mbuf has it, which is so for external memory. */
static struct doca_mmap *doca_priv_dpdk_find(struct doca_dpdk_mempool *mempool,
                                             const struct rte_mbuf *segment)
{
    struct doca_mmap *map = doca_priv_dpdk_maps(mempool);
    uintptr_t addr = (uintptr_t)segment->buf_addr;
    uint32_t i;

    if (!RTE_MBUF_CLONED(segment) && addr - (uintptr_t)segment != mempool->mbuf_bytes)
        return NULL;
    for (i = 0; i < mempool->num_maps; i++, map++)
        if (addr - (uintptr_t)map->addr < map->len)
            return map;
    return NULL;
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_mbuf_to_buf(struct doca_dpdk_mempool *mempool,
                                                          struct doca_buf_inventory *inventory,
                                                          struct rte_mbuf *mbuf,
                                                          struct doca_buf **buf)
{
    struct doca_buf *head = NULL, *element = NULL;
    struct doca_mmap *map;
    doca_error_t rc;

    if (!doca_priv_is(mempool, DOCA_PRIV_KIND_DPDK_MEMPOOL))
        return DOCA_PRIV_FAIL_HANDLE(mempool);
    if (mbuf == NULL || buf == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, mempool);
    do {
        map = doca_priv_dpdk_find(mempool, mbuf);
        rc = map == NULL
                 ? DOCA_PRIV_FAIL(INVALID_VALUE, DPDK_MBUF, mempool)
                 : doca_priv_inventory_get(inventory, map, mbuf->buf_addr, mbuf->buf_len,
                                           (unsigned char *)mbuf->buf_addr + mbuf->data_off,
                                           mbuf->data_len, &element, __func__);
        if (rc != DOCA_SUCCESS) {
            if (head != NULL)
                (void)doca_priv_buf_release_others(head);
            return rc;
        }
        rte_mbuf_refcnt_update(doca_priv_dpdk_direct(element), 1);
        if (head == NULL)
            head = element;
        else
            doca_priv_buf_append(head, element);
        mbuf = mbuf->next;
    } while (mbuf != NULL);
    *buf = head;
    return DOCA_SUCCESS;
}

/* Does the text name this PCI address, with or without the domain, in either case? */
static bool doca_priv_dpdk_names(const char *text, const char *pci_addr)
{
    const char *bdf = pci_addr + DOCA_DEVINFO_PCI_ADDR_SIZE - DOCA_DEVINFO_PCI_BDF_SIZE;
    size_t i;

    for (; *text != '\0'; text++) {
        for (i = 0; bdf[i] != '\0' && (text[i] | 0x20) == bdf[i]; i++) {
        }
        if (bdf[i] == '\0')
            return true;
    }
    return false;
}

DOCA_CORE_DECL doca_error_t doca_dpdk_port_probe(struct doca_dev *dev, const char *devargs)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, devargs, __func__);
    int answer;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (doca_priv_dpdk_names(devargs, dev->info.attr.pci_addr))
        return DOCA_PRIV_FAIL(INVALID_VALUE, DPDK_DEVARGS, dev);
    answer = rte_eal_hotplug_add("pci", dev->info.attr.pci_addr, devargs);
    if (answer == -ENOMEM)
        return DOCA_PRIV_FAIL(NO_MEMORY, DPDK_PROBE, dev);
    return answer == 0 ? DOCA_SUCCESS : DOCA_PRIV_FAIL(DRIVER, DPDK_PROBE, dev);
}

/* The name of the device under a port: of a PCI device its address. NULL: no such port. */
static const char *doca_priv_dpdk_port_name(uint16_t port_id)
{
    struct rte_eth_dev_info info;

    return rte_eth_dev_is_valid_port(port_id) && rte_eth_dev_info_get(port_id, &info) == 0
               ? rte_dev_name(info.device)
               : NULL;
}

DOCA_CORE_DECL doca_error_t doca_dpdk_port_as_dev(uint16_t port_id, struct doca_dev **dev)
{
    const char *name = doca_priv_dpdk_port_name(port_id);
    struct doca_dev *d = NULL;

    if (dev == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    if (name != NULL) {
        doca_priv_lock(&doca_priv_world.lock);
        for (d = doca_priv_world.devs; d != NULL; d = d->next)
            if (d->from_pd == NULL && doca_priv_str_equal(name, d->info.attr.pci_addr))
                break;
        doca_priv_unlock(&doca_priv_world.lock);
    }
    if (d == NULL)
        return DOCA_PRIV_FAIL(NOT_FOUND, DPDK_NO_PORT, NULL);
    *dev = d;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_dpdk_get_first_port_id(const struct doca_dev *dev,
                                                        uint16_t *port_id)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, port_id, __func__);
    const char *name;
    uint16_t port;

    if (rc != DOCA_SUCCESS)
        return rc;
    for (port = 0; port < RTE_MAX_ETHPORTS; port++) {
        name = doca_priv_dpdk_port_name(port);
        if (name != NULL && doca_priv_str_equal(name, dev->info.attr.pci_addr)) {
            *port_id = port;
            return DOCA_SUCCESS;
        }
    }
    return DOCA_PRIV_FAIL(NOT_FOUND, DPDK_NO_PORT, dev);
}

#else

static void doca_priv_dpdk_hold(const struct doca_buf *list)
{
    (void)list;
}

static void doca_priv_dpdk_free(const struct doca_buf *buf)
{
    (void)buf;
}

/* Every call of DPDK's: NULL is told from not built. */
static doca_error_t doca_priv_no_dpdk(bool has_arguments, const char *function)
{
    if (!has_arguments)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              NULL);
    return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DPDK_ABSENT, function, NULL);
}

DOCA_CORE_DECL doca_error_t doca_core_dpdk_mempool_create_in(
    struct doca_core_arena *arena, const struct rte_mempool *mbuf_pool,
    struct doca_dpdk_mempool **mempool_out)
{
    return doca_priv_no_dpdk(arena != NULL && mbuf_pool != NULL && mempool_out != NULL, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_create(const struct rte_mempool *mbuf_pool,
                                                     struct doca_dpdk_mempool **mempool_out)
{
    return doca_priv_no_dpdk(mbuf_pool != NULL && mempool_out != NULL, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_destroy(struct doca_dpdk_mempool *mempool)
{
    return doca_priv_no_dpdk(mempool != NULL, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_dev_add(struct doca_dpdk_mempool *mempool,
                                                      struct doca_dev *dev)
{
    return doca_priv_no_dpdk(mempool != NULL && dev != NULL, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_set_permissions(struct doca_dpdk_mempool *mempool,
                                                              uint32_t access_mask)
{
    (void)access_mask;
    return doca_priv_no_dpdk(mempool != NULL, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_start(struct doca_dpdk_mempool *mempool)
{
    return doca_priv_no_dpdk(mempool != NULL, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_mempool_mbuf_to_buf(struct doca_dpdk_mempool *mempool,
                                                          struct doca_buf_inventory *inventory,
                                                          struct rte_mbuf *mbuf,
                                                          struct doca_buf **buf)
{
    return doca_priv_no_dpdk(mempool != NULL && inventory != NULL && mbuf != NULL && buf != NULL,
                             __func__);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_port_probe(struct doca_dev *dev, const char *devargs)
{
    return doca_priv_no_dpdk(dev != NULL && devargs != NULL, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_port_as_dev(uint16_t port_id, struct doca_dev **dev)
{
    (void)port_id;
    return doca_priv_no_dpdk(dev != NULL, __func__);
}

DOCA_CORE_DECL doca_error_t doca_dpdk_get_first_port_id(const struct doca_dev *dev,
                                                        uint16_t *port_id)
{
    return doca_priv_no_dpdk(dev != NULL && port_id != NULL, __func__);
}

#endif

/* ---- >>impl.backend ------------------------------------------------------------------------- */

DOCA_CORE_DECL doca_error_t doca_core_queue_append(struct doca_core_queue *queue,
                                                   struct doca_task *task)
{
    if (doca_unlikely(!doca_priv_task_has_bufs(task)))
        return DOCA_ERROR_INVALID_VALUE;
    doca_priv_queue_append(queue, task);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_backend_fail(doca_error_t code, enum doca_core_item item,
                                                   const char *function, const void *object,
                                                   uint32_t detail)
{
    doca_priv_last = doca_priv_failure_make(code, item, function, object);
    doca_priv_last.detail = detail;
    doca_priv_last.is_backends = true;
    doca_priv_log(&doca_priv_last);
    return code;
}

static doca_error_t doca_priv_stub_dev_open(struct doca_dev *dev)
{
    (void)dev;
    return DOCA_SUCCESS;
}

static void doca_priv_stub_dev_close(struct doca_dev *dev)
{
    (void)dev;
}

static doca_error_t doca_priv_stub_reg(struct doca_dev *dev, void *addr, size_t len,
                                       uint32_t access, uint32_t *mkey)
{
    (void)dev;
    (void)addr;
    (void)len;
    (void)access;
    *mkey = 0;
    return DOCA_SUCCESS;
}

static void doca_priv_stub_dereg(struct doca_dev *dev, uint32_t mkey)
{
    (void)dev;
    (void)mkey;
}

static doca_error_t doca_priv_stub_reg_range(struct doca_dev *dev,
                                             const struct doca_core_range *range, uint32_t *mkey,
                                             uint32_t *own)
{
    *own = 0;
    return dev->backend->reg(dev, range->addr, range->len, range->access, mkey);
}

static doca_error_t doca_priv_stub_queue_opening(struct doca_core_queue *queue)
{
    (void)queue;
    return DOCA_SUCCESS;
}

static void doca_priv_stub_queue_close(struct doca_core_queue *queue)
{
    (void)queue;
}

static int doca_priv_stub_queue_fd(struct doca_core_queue *queue)
{
    (void)queue;
    return -1;
}

static void doca_priv_stub_queue_arm(struct doca_core_queue *queue, bool armed)
{
    (void)queue;
    (void)armed;
}

static doca_error_t doca_priv_stub_get_pd(const struct doca_dev *dev, struct ibv_pd **pd)
{
    (void)dev;
    (void)pd;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static doca_error_t doca_priv_stub_open_from_pd(struct doca_dev *dev, struct ibv_pd *pd)
{
    (void)dev;
    (void)pd;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static doca_error_t doca_priv_stub_arr_start(struct doca_dev *dev, const struct doca_buf_arr *arr,
                                             void **handle)
{
    (void)dev;
    (void)arr;
    (void)handle;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static void doca_priv_stub_arr_stop(struct doca_dev *dev, const struct doca_buf_arr *arr,
                                    void *handle)
{
    (void)dev;
    (void)arr;
    (void)handle;
}

/* So that nobody ever tests a member: absent ones become stubs. */
static void doca_priv_backend_complete(struct doca_core_backend *backend)
{
    if (backend->dev_open == NULL)
        backend->dev_open = doca_priv_stub_dev_open;
    if (backend->dev_close == NULL)
        backend->dev_close = doca_priv_stub_dev_close;
    if (backend->reg == NULL)
        backend->reg = doca_priv_stub_reg;
    if (backend->dereg == NULL)
        backend->dereg = doca_priv_stub_dereg;
    if (backend->reg_range == NULL)
        backend->reg_range = doca_priv_stub_reg_range;
    if (backend->queue_opening == NULL)
        backend->queue_opening = doca_priv_stub_queue_opening;
    if (backend->queue_close == NULL)
        backend->queue_close = doca_priv_stub_queue_close;
    if (backend->queue_fd == NULL)
        backend->queue_fd = doca_priv_stub_queue_fd;
    if (backend->queue_arm == NULL)
        backend->queue_arm = doca_priv_stub_queue_arm;
    if (backend->get_pd == NULL)
        backend->get_pd = doca_priv_stub_get_pd;
    if (backend->open_from_pd == NULL)
        backend->open_from_pd = doca_priv_stub_open_from_pd;
    if (backend->arr_start == NULL)
        backend->arr_start = doca_priv_stub_arr_start;
    if (backend->arr_stop == NULL)
        backend->arr_stop = doca_priv_stub_arr_stop;
}

/* Does it have all that exports and imports need, or nothing of it? And of device memory? */
static bool doca_priv_backend_is_even(const struct doca_core_backend *backend)
{
    const bool has = backend->mem_export != NULL;
    const bool has_dm = backend->dm_alloc != NULL;

    return (backend->mem_unexport != NULL) == has && (backend->mem_import != NULL) == has &&
           (backend->mem_unimport != NULL) == has && (backend->dm_free != NULL) == has_dm &&
           (backend->dm_copy != NULL) == has_dm;
}

/* The registered backend of this name, NULL when there is none. Under the lock. */
static struct doca_core_backend *doca_priv_backend_find(const char *name)
{
    uint32_t i;

    for (i = 0; i < DOCA_CORE_MAX_BACKENDS; i++)
        if (doca_priv_world.backends[i].name != NULL &&
            doca_priv_str_equal(doca_priv_world.backends[i].name, name))
            return &doca_priv_world.backends[i];
    return NULL;
}

/* A place in the table that is not taken, NULL when it is full. Under the lock. */
static struct doca_core_backend *doca_priv_backend_vacant(void)
{
    uint32_t i;

    for (i = 0; i + 1 < DOCA_CORE_MAX_BACKENDS; i++) /* one place is the software device's */
        if (doca_priv_world.backends[i].name == NULL)
            return &doca_priv_world.backends[i];
    return NULL;
}

DOCA_CORE_DECL doca_error_t doca_core_backend_register(const struct doca_core_backend *backend)
{
    struct doca_core_backend *place = NULL;
    bool exists;

    if (backend == NULL || backend->name == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    if (backend->enumerate == NULL || backend->queue_bytes == NULL ||
        backend->queue_open == NULL || backend->queue_flush == NULL ||
        backend->queue_ready == NULL || !doca_priv_backend_is_even(backend))
        return DOCA_PRIV_FAIL(INVALID_VALUE, BACKEND_INCOMPLETE, NULL);
    doca_priv_lock(&doca_priv_world.lock);
    exists = doca_priv_backend_find(backend->name) != NULL ||
             doca_priv_str_equal(backend->name, doca_core_sw_backend()->name);
    if (!exists) {
        place = doca_priv_backend_vacant();
        if (place != NULL) {
            *place = *backend;
            place->serial = ++doca_priv_world.num_registrations;
            doca_priv_backend_complete(place);
        }
    }
    doca_priv_unlock(&doca_priv_world.lock);
    if (exists)
        return DOCA_PRIV_FAIL(ALREADY_EXIST, BACKEND_EXISTS, NULL);
    return place != NULL ? DOCA_SUCCESS : DOCA_PRIV_FAIL(FULL, BACKEND_TOO_MANY, NULL);
}

DOCA_CORE_DECL doca_error_t doca_core_backend_unregister(const char *name)
{
    struct doca_core_backend *backend;
    const struct doca_dev *dev = NULL;

    if (name == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    if (doca_priv_str_equal(name, doca_core_sw_backend()->name))
        return DOCA_PRIV_FAIL(NOT_PERMITTED, BACKEND_REFUSED, NULL);
    doca_priv_lock(&doca_priv_world.lock);
    backend = doca_priv_backend_find(name);
    if (backend != NULL) {
        for (dev = doca_priv_world.devs; dev != NULL && dev->backend != backend; dev = dev->next) {
        }
        if (dev == NULL) {
            backend->name = NULL;
            backend->serial = 0;
        }
    }
    doca_priv_unlock(&doca_priv_world.lock);
    if (backend == NULL)
        return DOCA_PRIV_FAIL(NOT_FOUND, BACKEND_UNKNOWN, NULL);
    return dev == NULL ? DOCA_SUCCESS : DOCA_PRIV_FAIL(IN_USE, BACKEND_BUSY, NULL);
}

/* ---- >>impl.sw.text -------------------------------------------------------------------------
 * From the text of a topology to rows of its table. Readers take what they understand off the front
 * of a word; a value is right when all of it was taken.                                         */

static const struct {
    const char *name;
    struct doca_core_limits limits;
} doca_priv_sw_profiles[] = {
    { "unlimited",
      { SIZE_MAX, UINT32_MAX, 65536, SIZE_MAX, UINT32_MAX, 65536, 1, 1, 1, 1, 1, 1, 1, 0 } },
    { "bluefield2", { 128u << 20, 64, 65536, 128u << 20, 64, 65536, 1, 1, 1, 1, 1, 1, 1, 0 } },
    { "bluefield3", { 2u << 20, 64, 65536, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 0 } },
    { "connectx7", { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0 } },
};

#define DOCA_PRIV_NUM_PROFILES (sizeof(doca_priv_sw_profiles) / sizeof(doca_priv_sw_profiles[0]))

struct doca_priv_word {
    const char *at;
    size_t len;
};

/* What is wrong, and where. */
struct doca_priv_flaw {
    doca_error_t code;
    enum doca_core_item item;
    size_t place; /* in the text, from 1; 0: there is none */
};

/* A function of the software topology. */
struct doca_priv_sw_row {
    struct doca_core_dev_attr attr;
    bool follows_profile; /* the limits are those of the profile in force */
    size_t place;         /* where it begins in the text; 0: it comes from a table */
};

enum {
    DOCA_PRIV_KEY_SIDE,
    DOCA_PRIV_KEY_TYPE,
    DOCA_PRIV_KEY_PORT,
    DOCA_PRIV_KEY_HOTPLUG,
    DOCA_PRIV_KEY_EMULATED,
    DOCA_PRIV_KEY_MANAGER,
    DOCA_PRIV_KEY_IB,
    DOCA_PRIV_KEY_IF,
    DOCA_PRIV_KEY_VUID,
    DOCA_PRIV_KEY_REP,
    DOCA_PRIV_KEY_MAC,
    DOCA_PRIV_KEY_IPV4,
    DOCA_PRIV_KEY_IPV6,
    DOCA_PRIV_KEY_LID,
    DOCA_PRIV_KEY_FILTERS,
    DOCA_PRIV_KEY_PROFILE,
    DOCA_PRIV_NUM_KEYS
};

/* The keys in that order, and for those that choose, among what; the choices count from 0. */
static const struct {
    const char *name, *choices;
} doca_priv_sw_keys[DOCA_PRIV_NUM_KEYS] = {
    { "side", "both dpu host" }, { "type", "pf vf sf" }, { "port", "eth ib" },
    { "hotplug", "0 1" },        { "emulated", "0 1" },  { "manager", "0 1" },
    { "ib", "" },                { "if", "" },           { "vuid", "" },
    { "rep", "" },               { "mac", "" },          { "ipv4", "" },
    { "ipv6", "" },              { "lid", "" },          { "filters", "all net emulated" },
    { "profile", "" },
};

/* Cut the bytes before `separator` off the front of `from`, and the separator. */
static struct doca_priv_word doca_priv_word_cut(struct doca_priv_word *from, char separator)
{
    struct doca_priv_word word;

    word.at = from->at;
    for (word.len = 0; word.len < from->len && word.at[word.len] != separator; word.len++) {
    }
    from->at += word.len;
    from->len -= word.len;
    if (from->len > 0) {
        from->at++;
        from->len--;
    }
    return word;
}

static bool doca_priv_word_is(struct doca_priv_word word, const char *text, size_t len)
{
    return word.len == len && DOCA_CORE_MEMCMP(word.at, text, len) == 0;
}

/* The place of `word` among words that stand apart by blanks. */
static bool doca_priv_word_choose(struct doca_priv_word word, const char *among, unsigned *choice)
{
    struct doca_priv_word rest, one;
    unsigned i;

    rest.at = among;
    rest.len = doca_priv_str_len(among);
    for (i = 0; rest.len > 0; i++) {
        one = doca_priv_word_cut(&rest, ' ');
        if (doca_priv_word_is(word, one.at, one.len)) {
            *choice = i;
            return true;
        }
    }
    return false;
}

/* The word as a text of its own in `to`, where only 0 stands so far. */
static bool doca_priv_word_copy(struct doca_priv_word word, char *to, size_t room)
{
    if (word.len == 0 || word.len >= room)
        return false;
    DOCA_CORE_MEMCPY(to, word.at, word.len);
    return true;
}

/* Is it "DDDD:BB:DD.F" in lower case, with its NUL? */
static bool doca_priv_sw_pci_is_sound(const char *s)
{
    uint64_t addr;
    size_t i;

    for (i = 0; i < DOCA_DEVINFO_PCI_ADDR_SIZE - 1; i++)
        if (s[i] == '\0' || (s[i] >= 'A' && s[i] <= 'F'))
            return false;
    return doca_priv_pci_parse(s, &addr);
}

/* A PCI address of either form, in its long form. */
static bool doca_priv_word_pci(struct doca_priv_word word, char *to)
{
    size_t front = word.len == DOCA_DEVINFO_PCI_BDF_SIZE - 1
                       ? DOCA_DEVINFO_PCI_ADDR_SIZE - DOCA_DEVINFO_PCI_BDF_SIZE
                       : 0;

    DOCA_CORE_MEMCPY(to, "0000:", front);
    return doca_priv_word_copy(word, to + front, DOCA_DEVINFO_PCI_ADDR_SIZE - front) &&
           doca_priv_sw_pci_is_sound(to);
}

/* Take a number of up to `max_digits` digits off the front. */
static bool doca_priv_word_number(struct doca_priv_word *word, unsigned base, unsigned max_digits,
                                  unsigned max, unsigned *value)
{
    unsigned num = 0;
    int digit;

    *value = 0;
    for (; num < max_digits && word->len > 0; num++) {
        digit = doca_priv_hex_digit(*word->at);
        if (digit < 0 || (unsigned)digit >= base)
            break;
        *value = *value * base + (unsigned)digit;
        word->at++;
        word->len--;
    }
    return num > 0 && *value <= max;
}

static bool doca_priv_word_take(struct doca_priv_word *word, char c)
{
    if (word->len == 0 || *word->at != c)
        return false;
    word->at++;
    word->len--;
    return true;
}

/* `num` bytes apart by `separator`: a MAC or an IPv4 address. */
static bool doca_priv_word_bytes(struct doca_priv_word word, unsigned base, unsigned max_digits,
                                 char separator, uint8_t *to, unsigned num)
{
    unsigned i, value;

    for (i = 0; i < num; i++) {
        if ((i > 0 && !doca_priv_word_take(&word, separator)) ||
            !doca_priv_word_number(&word, base, max_digits, 255, &value))
            return false;
        to[i] = (uint8_t)value;
    }
    return word.len == 0;
}

/* Groups of hexadecimal digits, "::" once for as many zeros as it takes. */
static bool doca_priv_word_ipv6(struct doca_priv_word word, uint8_t *to)
{
    uint8_t bytes[DOCA_DEVINFO_IPV6_ADDR_SIZE];
    unsigned num = 0, gap = sizeof(bytes), value;
    bool has_gap = false;

    while (word.len > 0) {
        if (!has_gap && word.len >= 2 && word.at[0] == ':' && word.at[1] == ':') {
            has_gap = true;
            gap = num;
            word.at += 2;
            word.len -= 2;
            if (word.len == 0)
                break;
        } else if (num > 0 && !doca_priv_word_take(&word, ':')) {
            return false;
        }
        if (num == sizeof(bytes) || !doca_priv_word_number(&word, 16, 4, 0xffff, &value))
            return false;
        bytes[num++] = (uint8_t)(value >> 8);
        bytes[num++] = (uint8_t)(value & 0xff);
    }
    if (has_gap == (num == sizeof(bytes)))
        return false;
    if (gap > num)
        gap = num;
    DOCA_CORE_MEMCPY(to, bytes, gap);
    DOCA_CORE_MEMCPY(to + sizeof(bytes) - (num - gap), bytes + gap, num - gap);
    return true;
}

/* Filters joined by '+', or none of them. */
static bool doca_priv_word_filters(struct doca_priv_word word, const char *choices,
                                   uint8_t *filters)
{
    struct doca_priv_word one;
    unsigned choice;

    *filters = 0;
    if (doca_priv_word_is(word, "none", 4))
        return true;
    do {
        one = doca_priv_word_cut(&word, '+');
        if (!doca_priv_word_choose(one, choices, &choice))
            return false;
        *filters = (uint8_t)(*filters | 1u << choice); /* as DOCA_CORE_REP_* */
    } while (one.at[one.len] == '+'); /* the text goes on there, or ends in NUL */
    return true;
}

static bool doca_priv_word_profile(struct doca_priv_word word, struct doca_priv_sw_row *row)
{
    size_t i;

    for (i = 0; i < DOCA_PRIV_NUM_PROFILES; i++) {
        if (doca_priv_word_is(word, doca_priv_sw_profiles[i].name,
                              doca_priv_str_len(doca_priv_sw_profiles[i].name))) {
            row->attr.limits = doca_priv_sw_profiles[i].limits;
            row->follows_profile = false;
            return true;
        }
    }
    return false;
}

/* The value of one key. */
static bool doca_priv_sw_read_value(struct doca_priv_sw_row *row, unsigned key,
                                    struct doca_priv_word value)
{
    struct doca_core_dev_attr *attr = &row->attr;
    const char *choices = doca_priv_sw_keys[key].choices;
    unsigned n = 0;

    if (key <= DOCA_PRIV_KEY_MANAGER && !doca_priv_word_choose(value, choices, &n))
        return false;
    switch (key) {
    case DOCA_PRIV_KEY_SIDE:
        return attr->side = (enum doca_core_side)n, true;
    case DOCA_PRIV_KEY_TYPE:
        return attr->func_type = (enum doca_pci_func_type)n, true;
    case DOCA_PRIV_KEY_PORT:
        return attr->port = (enum doca_core_port)n, true;
    case DOCA_PRIV_KEY_HOTPLUG:
        return attr->is_hotplug = (uint8_t)n, true;
    case DOCA_PRIV_KEY_EMULATED:
        return attr->is_emulated = (uint8_t)n, true;
    case DOCA_PRIV_KEY_MANAGER:
        return attr->is_hotplug_manager = (uint8_t)n, true;
    case DOCA_PRIV_KEY_IB:
        return doca_priv_word_copy(value, attr->ibdev_name, sizeof(attr->ibdev_name));
    case DOCA_PRIV_KEY_IF:
        return doca_priv_word_copy(value, attr->iface_name, sizeof(attr->iface_name));
    case DOCA_PRIV_KEY_VUID:
        return doca_priv_word_copy(value, attr->vuid, sizeof(attr->vuid));
    case DOCA_PRIV_KEY_REP:
        return doca_priv_word_pci(value, attr->rep_dev);
    case DOCA_PRIV_KEY_MAC:
        return doca_priv_word_bytes(value, 16, 2, ':', attr->mac_addr, sizeof(attr->mac_addr));
    case DOCA_PRIV_KEY_IPV4:
        return doca_priv_word_bytes(value, 10, 3, '.', attr->ipv4_addr, sizeof(attr->ipv4_addr));
    case DOCA_PRIV_KEY_IPV6:
        return doca_priv_word_ipv6(value, attr->ipv6_addr);
    case DOCA_PRIV_KEY_LID:
        if (!doca_priv_word_number(&value, 10, 5, 65535, &n))
            return false;
        attr->lid = (uint16_t)n;
        return value.len == 0;
    case DOCA_PRIV_KEY_FILTERS:
        return doca_priv_word_filters(value, choices, &attr->rep_filters);
    default:
        return doca_priv_word_profile(value, row);
    }
}

/* One key=value; the place of a flaw is a pointer in *at. */
static enum doca_core_item doca_priv_sw_read_pair(struct doca_priv_sw_row *row,
                                                  struct doca_priv_word pair, uint32_t *seen,
                                                  const char **at)
{
    struct doca_priv_word key = doca_priv_word_cut(&pair, '=');
    unsigned i;

    *at = key.at;
    for (i = 0; i < DOCA_PRIV_NUM_KEYS; i++)
        if (doca_priv_word_is(key, doca_priv_sw_keys[i].name,
                              doca_priv_str_len(doca_priv_sw_keys[i].name)))
            break;
    if (i == DOCA_PRIV_NUM_KEYS || key.at[key.len] != '=')
        return DOCA_CORE_ITEM_SW_TEXT_KEY;
    if ((*seen >> i & 1) != 0)
        return DOCA_CORE_ITEM_SW_TEXT_TWICE;
    *seen |= (uint32_t)1 << i;
    *at = pair.at;
    return doca_priv_sw_read_value(row, i, pair) ? DOCA_CORE_ITEM_NONE
                                                 : DOCA_CORE_ITEM_SW_TEXT_VALUE;
}

/* One function, the text between two separators; the place of a flaw is a pointer in *at. */
static enum doca_core_item doca_priv_sw_read_row(struct doca_priv_sw_row *row,
                                                 struct doca_priv_word entry, const char **at)
{
    struct doca_priv_word word = doca_priv_word_cut(&entry, ' ');
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    uint32_t seen = 0;

    *at = word.at;
    DOCA_CORE_MEMSET(row, 0, sizeof(*row));
    row->follows_profile = true;
    if (!doca_priv_word_pci(word, row->attr.pci_addr))
        return DOCA_CORE_ITEM_SW_PCI_ADDR;
    while (entry.len > 0 && item == DOCA_CORE_ITEM_NONE) {
        word = doca_priv_word_cut(&entry, ' ');
        if (word.len > 0)
            item = doca_priv_sw_read_pair(row, word, &seen, at);
    }
    if ((seen >> DOCA_PRIV_KEY_FILTERS & 1) == 0 && row->attr.side == DOCA_CORE_SIDE_DPU &&
        row->attr.func_type != DOCA_PCI_FUNC_TYPE_SF)
        row->attr.rep_filters = DOCA_CORE_REP_ALL | DOCA_CORE_REP_NET | DOCA_CORE_REP_EMULATED;
    return item;
}

/* Read a text into at most `max` rows. */
static bool doca_priv_sw_read_text(const char *text, struct doca_priv_sw_row *rows, uint32_t max,
                                   uint32_t *num, struct doca_priv_flaw *flaw)
{
    struct doca_priv_word entry;
    const char *at;

    flaw->code = DOCA_ERROR_INVALID_VALUE;
    flaw->item = DOCA_CORE_ITEM_NONE;
    *num = 0;
    entry.at = text;
    while (flaw->item == DOCA_CORE_ITEM_NONE) {
        while (*entry.at == ' ' || *entry.at == ';' || *entry.at == '\n')
            entry.at++;
        at = entry.at;
        for (entry.len = 0; at[entry.len] != '\0' && at[entry.len] != ';' && at[entry.len] != '\n';)
            entry.len++;
        if (entry.len == 0 && *num > 0)
            return true;
        if (*num == max) {
            flaw->code = DOCA_ERROR_TOO_BIG;
            flaw->item = DOCA_CORE_ITEM_SW_TOO_MANY;
        } else { /* a text without functions fails here as one without a PCI address */
            flaw->item = doca_priv_sw_read_row(&rows[*num], entry, &at);
            rows[(*num)++].place = (size_t)(entry.at - text) + 1;
        }
        flaw->place = (size_t)(at - text) + 1;
        entry.at += entry.len;
    }
    return false;
}

/* ---- >>impl.sw.topology ---------------------------------------------------------------------
 * Which devices there are, on which side, and who has whose representor. What is to replace the
 * table of functions is written beside it, and takes its place when it is found sound.          */

static struct {
    uint32_t lock;
    uint32_t num_rows;
    unsigned current;                       /* which of the tables holds */
    bool has_table;                         /* by a call, or the environment was asked */
    bool has_side;                          /* likewise */
    enum doca_core_side side;
    const struct doca_core_limits *profile; /* NULL before anybody chose */
    struct doca_priv_sw_row tables[2][DOCA_CORE_SW_MAX_DEVS];
} doca_priv_sw;

/* The figure of the guide. MAC and IP addresses are from the ranges set aside for examples. */
static const char doca_priv_sw_default[] =
    "03:00.0 side=dpu ib=mlx5_0 if=p0 mac=02:dc:0a:00:03:00 ipv4=192.0.2.1 ipv6=2001:db8::1;"
    "03:00.1 side=dpu ib=mlx5_1 if=p1 mac=02:dc:0a:00:03:01 ipv4=192.0.2.2 ipv6=2001:db8::2;"
    "03:00.0 side=dpu type=sf rep=03:00.0 ib=mlx5_2 if=p0s0"
    " mac=02:dc:0a:00:03:02 ipv4=192.0.2.3 ipv6=2001:db8::3;"
    "03:00.1 side=dpu type=sf rep=03:00.1 ib=mlx5_3 if=p1s0"
    " mac=02:dc:0a:00:03:03 ipv4=192.0.2.4 ipv6=2001:db8::4;"
    "0b:00.0 side=host rep=03:00.0 ib=mlx5_0 if=pf0"
    " mac=02:dc:0a:00:0b:00 ipv4=192.0.2.11 ipv6=2001:db8::11;"
    "0b:00.1 side=host rep=03:00.1 ib=mlx5_1 if=pf1"
    " mac=02:dc:0a:00:0b:01 ipv4=192.0.2.12 ipv6=2001:db8::12;"
    "0b:00.2 side=host type=vf rep=03:00.0 ib=mlx5_2 if=pf0vf0"
    " mac=02:dc:0a:00:0b:02 ipv4=192.0.2.13 ipv6=2001:db8::13;"
    "0b:00.3 side=host type=vf rep=03:00.0 ib=mlx5_3 if=pf0vf1"
    " mac=02:dc:0a:00:0b:03 ipv4=192.0.2.14 ipv6=2001:db8::14;"
    "0b:00.4 side=host type=vf rep=03:00.1 ib=mlx5_4 if=pf1vf0"
    " mac=02:dc:0a:00:0b:04 ipv4=192.0.2.15 ipv6=2001:db8::15";

static const struct doca_core_limits *doca_priv_sw_find_profile(const char *name)
{
    size_t i;

    for (i = 0; i < DOCA_PRIV_NUM_PROFILES; i++)
        if (name != NULL && doca_priv_str_equal(doca_priv_sw_profiles[i].name, name))
            return &doca_priv_sw_profiles[i].limits;
    return NULL;
}

DOCA_CORE_DECL doca_error_t doca_core_sw_profile(const char *name, struct doca_core_limits *limits)
{
    const struct doca_core_limits *found = doca_priv_sw_find_profile(name);

    if (name == NULL || limits == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    if (found == NULL)
        return DOCA_PRIV_FAIL(NOT_FOUND, SW_UNKNOWN_PROFILE, NULL);
    *limits = *found;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_sw_set_profile(const char *name)
{
    const struct doca_core_limits *found = doca_priv_sw_find_profile(name);

    if (name == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    if (found == NULL)
        return DOCA_PRIV_FAIL(NOT_FOUND, SW_UNKNOWN_PROFILE, NULL);
    doca_priv_lock(&doca_priv_sw.lock);
    doca_priv_sw.profile = found;
    doca_priv_unlock(&doca_priv_sw.lock);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_sw_set_side(enum doca_core_side side)
{
    if ((unsigned)side > DOCA_CORE_SIDE_HOST)
        return DOCA_PRIV_FAIL(INVALID_VALUE, SW_UNKNOWN_SIDE, NULL);
    doca_priv_lock(&doca_priv_sw.lock);
    doca_priv_sw.side = side;
    doca_priv_sw.has_side = true;
    doca_priv_unlock(&doca_priv_sw.lock);
    return DOCA_SUCCESS;
}

/* Is no limit 0 of an engine that is there? */
static bool doca_priv_sw_limits_are_sound(const struct doca_core_limits *l)
{
    return (l->has_dma == 0 || (l->dma_max_buf_size > 0 && l->dma_max_buf_list_len > 0 &&
                                l->dma_max_num_tasks > 0)) &&
           (l->has_sha == 0 || (l->sha_max_src_buf_size > 0 && l->sha_max_buf_list_len > 0 &&
                                l->sha_max_num_tasks > 0));
}

/* What a member of an enum type of so many bytes holds. In C++ it cannot be read as what it may not
 * be. */
static unsigned doca_priv_sw_enum(const void *member, size_t bytes)
{
    uint8_t octet;
    unsigned value;

    DOCA_CORE_MEMCPY(&octet, member, sizeof(octet));
    if (bytes == sizeof(octet)) /* -fshort-enums, as usual on Arm without an operating system */
        return octet;
    DOCA_CORE_MEMCPY(&value, member, sizeof(value));
    return value;
}

DOCA_PRIV_ASSERT_STATIC(enums_are_octets_or_unsigned,
                        (sizeof(enum doca_core_side) == 1 ||
                         sizeof(enum doca_core_side) == sizeof(unsigned)) &&
                            sizeof(enum doca_pci_func_type) == sizeof(enum doca_core_side) &&
                            sizeof(enum doca_core_port) == sizeof(enum doca_core_side));

/* What is wrong with a row by itself, or ITEM_NONE. */
static enum doca_core_item doca_priv_sw_judge_row(const struct doca_core_dev_attr *attr)
{
    if (!doca_priv_sw_pci_is_sound(attr->pci_addr) ||
        (attr->rep_dev[0] != '\0' && !doca_priv_sw_pci_is_sound(attr->rep_dev)))
        return DOCA_CORE_ITEM_SW_PCI_ADDR;
    if (attr->ibdev_name[sizeof(attr->ibdev_name) - 1] != '\0' ||
        attr->iface_name[sizeof(attr->iface_name) - 1] != '\0' ||
        attr->vuid[sizeof(attr->vuid) - 1] != '\0')
        return DOCA_CORE_ITEM_SW_NAME_OPEN;
    if (!doca_priv_sw_limits_are_sound(&attr->limits))
        return DOCA_CORE_ITEM_SW_LIMITS;
    if (doca_priv_sw_enum(&attr->side, sizeof(attr->side)) > DOCA_CORE_SIDE_HOST ||
        doca_priv_sw_enum(&attr->func_type, sizeof(attr->func_type)) > DOCA_PCI_FUNC_TYPE_SF ||
        doca_priv_sw_enum(&attr->port, sizeof(attr->port)) > DOCA_CORE_PORT_INFINIBAND ||
        attr->rep_filters >
            (DOCA_CORE_REP_ALL | DOCA_CORE_REP_NET | DOCA_CORE_REP_EMULATED) ||
        (attr->is_hotplug | attr->is_emulated | attr->is_hotplug_manager) > 1)
        return DOCA_CORE_ITEM_SW_ATTR;
    if (attr->rep_filters != 0 && (attr->side == DOCA_CORE_SIDE_HOST ||
                                   attr->func_type == DOCA_PCI_FUNC_TYPE_SF))
        return DOCA_CORE_ITEM_SW_REP_FILTERS;
    return DOCA_CORE_ITEM_NONE;
}

/* Give a function what it has not been given: a port of 100 Gbit/s, numbers that no other one has
 * in its table (row `n`), and a name for good. */
static void doca_priv_sw_complete(struct doca_core_dev_attr *attr, uint32_t n)
{
    struct doca_priv_text text;

    if (attr->rate_gbps == 0)
        attr->rate_gbps = 100;
    if (attr->vhca_id == 0)
        attr->vhca_id = (uint16_t)n;
    if (attr->sf_index == 0)
        attr->sf_index = n;
    if (attr->vuid[0] != '\0')
        return;
    text.at = attr->vuid;
    text.end = attr->vuid + sizeof(attr->vuid) - 1;
    doca_priv_text_add(&text, attr->side == DOCA_CORE_SIDE_HOST ? "SW-host-" : "SW-");
    doca_priv_text_add(&text, attr->pci_addr);
    if (attr->func_type == DOCA_PCI_FUNC_TYPE_SF) {
        doca_priv_text_add(&text, "-");
        doca_priv_text_add(&text, attr->ibdev_name);
    }
}

/* What two rows cannot have in common, or ITEM_NONE. */
static enum doca_core_item doca_priv_sw_judge_pair(const struct doca_core_dev_attr *a,
                                                   const struct doca_core_dev_attr *b)
{
    bool has_sf = a->func_type == DOCA_PCI_FUNC_TYPE_SF || b->func_type == DOCA_PCI_FUNC_TYPE_SF;
    bool has_both = a->side == DOCA_CORE_SIDE_BOTH || b->side == DOCA_CORE_SIDE_BOTH;

    if ((has_both || a->side == b->side) && doca_priv_str_equal(a->pci_addr, b->pci_addr) &&
        (!has_sf || doca_priv_str_equal(a->ibdev_name, b->ibdev_name)))
        return DOCA_CORE_ITEM_SW_ADDRESS_TWICE;
    return doca_priv_str_equal(a->vuid, b->vuid) ? DOCA_CORE_ITEM_SW_VUID_TWICE
                                                 : DOCA_CORE_ITEM_NONE;
}

/* Is the device there whose representor list is to have row `n`? */
static bool doca_priv_sw_has_rep_dev(const struct doca_priv_sw_row *rows, uint32_t num, uint32_t n)
{
    uint32_t i;

    for (i = 0; i < num; i++)
        if (rows[i].attr.rep_filters != 0 &&
            doca_priv_str_equal(rows[i].attr.pci_addr, rows[n].attr.rep_dev))
            return true;
    return rows[n].attr.rep_dev[0] == '\0';
}

/* Complete the rows and judge them as a table. */
static bool doca_priv_sw_judge(struct doca_priv_sw_row *rows, uint32_t num,
                               struct doca_priv_flaw *flaw)
{
    uint32_t i, j;

    flaw->code = DOCA_ERROR_INVALID_VALUE;
    for (i = 0; i < num; i++) {
        flaw->place = rows[i].place;
        flaw->item = doca_priv_sw_judge_row(&rows[i].attr);
        if (flaw->item != DOCA_CORE_ITEM_NONE)
            return false;
        doca_priv_sw_complete(&rows[i].attr, i);
        for (j = 0; j < i && flaw->item == DOCA_CORE_ITEM_NONE; j++)
            flaw->item = doca_priv_sw_judge_pair(&rows[i].attr, &rows[j].attr);
        if (flaw->item != DOCA_CORE_ITEM_NONE)
            return false;
    }
    flaw->item = DOCA_CORE_ITEM_SW_REP_DEV;
    for (i = 0; i < num; i++) {
        flaw->place = rows[i].place;
        if (!doca_priv_sw_has_rep_dev(rows, num, i))
            return false;
    }
    return true;
}

/* The table that does not hold at the moment. Under the lock, as all that follows. */
static struct doca_priv_sw_row *doca_priv_sw_spare(void)
{
    return doca_priv_sw.tables[1 - doca_priv_sw.current];
}

/* Put the spare table in force, if its rows are sound. */
static bool doca_priv_sw_adopt(uint32_t num, struct doca_priv_flaw *flaw)
{
    if (!doca_priv_sw_judge(doca_priv_sw_spare(), num, flaw))
        return false;
    doca_priv_sw.current = 1 - doca_priv_sw.current;
    doca_priv_sw.num_rows = num;
    return true;
}

static bool doca_priv_sw_adopt_text(const char *text, struct doca_priv_flaw *flaw)
{
    uint32_t num;

    return doca_priv_sw_read_text(text, doca_priv_sw_spare(), DOCA_CORE_SW_MAX_DEVS, &num, flaw) &&
           doca_priv_sw_adopt(num, flaw);
}

/* The rows in force; the default ones before anybody gave others. */
static const struct doca_priv_sw_row *doca_priv_sw_rows(void)
{
    struct doca_priv_flaw flaw; /* the default text has none */

    if (!doca_priv_sw.has_table)
        (void)doca_priv_sw_adopt_text(doca_priv_sw_default, &flaw);
    return doca_priv_sw.tables[doca_priv_sw.current];
}

DOCA_CORE_DECL doca_error_t doca_core_sw_set_devices(const struct doca_core_dev_attr *attrs,
                                                     uint32_t num)
{
    struct doca_priv_flaw flaw;
    struct doca_priv_sw_row *rows;
    bool is_sound = true;
    uint32_t i;

    if (attrs == NULL && num > 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    if (num > DOCA_CORE_SW_MAX_DEVS)
        return DOCA_PRIV_FAIL(TOO_BIG, SW_TOO_MANY, NULL);
    doca_priv_lock(&doca_priv_sw.lock);
    if (attrs != NULL) {
        rows = doca_priv_sw_spare();
        for (i = 0; i < num; i++) {
            rows[i].attr = attrs[i];
            rows[i].follows_profile = false;
            rows[i].place = 0;
        }
        is_sound = doca_priv_sw_adopt(num, &flaw);
    }
    if (is_sound)
        doca_priv_sw.has_table = attrs != NULL;
    doca_priv_unlock(&doca_priv_sw.lock);
    return is_sound ? DOCA_SUCCESS : doca_priv_fail(flaw.code, flaw.item, __func__, NULL);
}

DOCA_CORE_DECL doca_error_t doca_core_sw_set_topology(const char *text)
{
    struct doca_priv_flaw flaw;
    bool is_sound;

    if (text == NULL)
        return doca_core_sw_set_devices(NULL, 0);
    doca_priv_lock(&doca_priv_sw.lock);
    is_sound = doca_priv_sw_adopt_text(text, &flaw);
    if (is_sound)
        doca_priv_sw.has_table = true;
    doca_priv_unlock(&doca_priv_sw.lock);
    return is_sound ? DOCA_SUCCESS
                    : doca_priv_fail_at(flaw.code, flaw.item, __func__, flaw.place);
}

/* Let the environment choose what no call chose, once. What it says wrong is told without lock. */
static void doca_priv_sw_ask_environment(void)
{
    const char *profile = doca_priv_sys_env("DOCA_CORE_SW_PROFILE");
    const char *side = doca_priv_sys_env("DOCA_CORE_SIDE");
    const char *text = doca_priv_sys_env("DOCA_CORE_SW_TOPOLOGY");
    const struct doca_core_limits *found = doca_priv_sw_find_profile(profile);
    bool profile_is_unknown = false, side_is_unknown = false, text_is_sound = true;
    struct doca_priv_flaw flaw;
    struct doca_priv_word word;
    unsigned choice = DOCA_PRIV_SIDE;

    doca_priv_lock(&doca_priv_sw.lock);
    if (doca_priv_sw.profile == NULL) {
        profile_is_unknown = profile != NULL && found == NULL;
        doca_priv_sw.profile = found != NULL ? found : &doca_priv_sw_profiles[0].limits;
    }
    if (!doca_priv_sw.has_side) {
        if (side != NULL) {
            word.at = side;
            word.len = doca_priv_str_len(side);
            side_is_unknown = !doca_priv_word_choose(
                word, doca_priv_sw_keys[DOCA_PRIV_KEY_SIDE].choices, &choice);
        }
        doca_priv_sw.side = (enum doca_core_side)choice;
        doca_priv_sw.has_side = true;
    }
    if (!doca_priv_sw.has_table) {
        if (text != NULL)
            text_is_sound = doca_priv_sw_adopt_text(text, &flaw);
        if (text == NULL || !text_is_sound)
            (void)doca_priv_sw_rows();
        doca_priv_sw.has_table = true;
    }
    doca_priv_unlock(&doca_priv_sw.lock);
    if (profile_is_unknown) /* the devices go on without limits */
        (void)doca_priv_fail(DOCA_ERROR_NOT_FOUND, DOCA_CORE_ITEM_SW_UNKNOWN_PROFILE,
                             "DOCA_CORE_SW_PROFILE", NULL);
    if (side_is_unknown)
        (void)doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_SW_UNKNOWN_SIDE,
                             "DOCA_CORE_SIDE", NULL);
    if (!text_is_sound)
        (void)doca_priv_fail_at(flaw.code, flaw.item, "DOCA_CORE_SW_TOPOLOGY", flaw.place);
}

/* Add what a row says today as attrs[num], if there is room; give the number with it. */
static uint32_t doca_priv_sw_tell(const struct doca_priv_sw_row *row,
                                  struct doca_core_dev_attr *attrs, uint32_t max, uint32_t num)
{
    struct doca_core_dev_attr *attr = num < max ? &attrs[num] : NULL;

    if (attr != NULL) {
        *attr = row->attr;
        if (row->follows_profile)
            attr->limits = doca_priv_sw.profile != NULL ? *doca_priv_sw.profile
                                                        : doca_priv_sw_profiles[0].limits;
        if (row->place != 0 && attr->side == DOCA_CORE_SIDE_HOST) /* a table says it itself */
            attr->limits.has_import_pci = 0;
    }
    return num + 1;
}

static uint32_t doca_priv_sw_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    const struct doca_priv_sw_row *rows;
    uint32_t num = 0, i;

    doca_priv_lock(&doca_priv_sw.lock);
    rows = doca_priv_sw_rows();
    for (i = 0; i < doca_priv_sw.num_rows; i++)
        if (doca_priv_sw.side == DOCA_CORE_SIDE_BOTH ||
            rows[i].attr.side == DOCA_CORE_SIDE_BOTH || rows[i].attr.side == doca_priv_sw.side)
            num = doca_priv_sw_tell(&rows[i], attrs, max, num);
    doca_priv_unlock(&doca_priv_sw.lock);
    return num;
}

static uint32_t doca_priv_sw_enumerate_reps(struct doca_dev *dev, int filter,
                                            struct doca_core_dev_attr *attrs, uint32_t max)
{
    const struct doca_priv_sw_row *rows;
    uint32_t num = 0, i;
    int flavour;

    doca_priv_lock(&doca_priv_sw.lock);
    rows = doca_priv_sw_rows();
    for (i = 0; i < doca_priv_sw.num_rows; i++) {
        flavour = rows[i].attr.is_emulated != 0 ? DOCA_DEVINFO_REP_FILTER_EMULATED
                                                : DOCA_DEVINFO_REP_FILTER_NET;
        if (doca_priv_str_equal(rows[i].attr.rep_dev, dev->info.attr.pci_addr) &&
            (filter == DOCA_DEVINFO_REP_FILTER_ALL || (filter & flavour) != 0))
            num = doca_priv_sw_tell(&rows[i], attrs, max, num);
    }
    doca_priv_unlock(&doca_priv_sw.lock);
    return num;
}

/* ---- >>impl.sw.sha --------------------------------------------------------------------------
 * The hash functions of FIPS 180-4 in plain C: three compressions, which take whole blocks, the
 * stream that cuts content into blocks, and a short way for what lies in one piece. The constants
 * of SHA-512, and in their upper halves of SHA-256, are the fractions of roots of primes.       */

/* Hashes at least one block. */
typedef void (*doca_priv_sha_compress_t)(union doca_priv_sha_state *state,
                                         const unsigned char *data, size_t num_blocks);

static const uint64_t doca_priv_sha_k[80] = { /* of cube roots */
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

/* The upper halves of the first 64: of SHA-256, in a row for vectors. */
static DOCA_CORE_ALIGNED const uint32_t doca_priv_sha256_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* Where the functions begin: SHA-1; SHA-256, the upper halves of what follows; SHA-512, of square
 * roots. To be copied by vectors, since a vector load waits long for what narrower stores wrote. */
static const uint32_t doca_priv_sha_start[2][8] = {
    { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0, 0, 0, 0 },
    { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
      0x5be0cd19 },
};
static const uint64_t doca_priv_sha_root[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

/* Numbers are big-endian in a message, and in a digest. */
DOCA_PRIV_HOT uint32_t doca_priv_sha_load32(const unsigned char *p)
{
    uint32_t x;

    DOCA_CORE_MEMCPY(&x, p, sizeof(x));
    return DOCA_PRIV_BIG32(x);
}

DOCA_PRIV_HOT uint64_t doca_priv_sha_load64(const unsigned char *p)
{
    uint64_t x;

    DOCA_CORE_MEMCPY(&x, p, sizeof(x));
    return DOCA_PRIV_BIG64(x);
}

DOCA_PRIV_HOT void doca_priv_sha_store32(unsigned char *p, uint32_t x)
{
    x = DOCA_PRIV_BIG32(x);
    DOCA_CORE_MEMCPY(p, &x, sizeof(x));
}

DOCA_PRIV_HOT void doca_priv_sha_store64(unsigned char *p, uint64_t x)
{
    x = DOCA_PRIV_BIG64(x);
    DOCA_CORE_MEMCPY(p, &x, sizeof(x));
}

/* What follows takes numbers, and vectors of numbers that belong to several messages: each
 * compression is written once. */
#define DOCA_PRIV_SHA_ROL32(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define DOCA_PRIV_SHA_ROR32(x, n) ((x) >> (n) | (x) << (32 - (n)))
#define DOCA_PRIV_SHA_ROR64(x, n) ((x) >> (n) | (x) << (64 - (n)))
#define DOCA_PRIV_SHA_CH(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define DOCA_PRIV_SHA_MAJ(x, y, z) (((x) & (y)) | ((z) & ((x) | (y))))
#define DOCA_PRIV_SHA_PARITY(x, y, z) ((x) ^ (y) ^ (z))

/* One round of SHA-1, and five from `t` on, after which every variable is in its place again. The
 * schedule grows along with them: a loop of its own tempts compilers to vectors, which cannot reach
 * back three words. */
#define DOCA_PRIV_SHA1_ROUND(a, b, c, d, e, f, k, t)                                               \
    (e += DOCA_PRIV_SHA_ROL32(a, 5) + f(b, c, d) + (k) + w[t], b = DOCA_PRIV_SHA_ROL32(b, 30),     \
     w[(t) + 16] = w[(t) + 13] ^ w[(t) + 8] ^ w[(t) + 2] ^ w[t],                                   \
     w[(t) + 16] = DOCA_PRIV_SHA_ROL32(w[(t) + 16], 1))
#define DOCA_PRIV_SHA1_ROUNDS(f, k, t)                                                             \
    (DOCA_PRIV_SHA1_ROUND(a, b, c, d, e, f, k, t),                                                 \
     DOCA_PRIV_SHA1_ROUND(e, a, b, c, d, f, k, t + 1),                                             \
     DOCA_PRIV_SHA1_ROUND(d, e, a, b, c, f, k, t + 2),                                             \
     DOCA_PRIV_SHA1_ROUND(c, d, e, a, b, f, k, t + 3),                                             \
     DOCA_PRIV_SHA1_ROUND(b, c, d, e, a, f, k, t + 4))

/* One round of SHA-256 or SHA-512, and eight from `t` on; SUM0, SUM1 and K are the function's, and
 * so are MIX0 and MIX1 of the schedule. */
#define DOCA_PRIV_SHA2_ROUND(F, a, b, c, d, e, f, g, h, t)                                         \
    (h += F##_SUM1(e) + DOCA_PRIV_SHA_CH(e, f, g) + F##_K[t] + w[t], d += h,                       \
     h += F##_SUM0(a) + DOCA_PRIV_SHA_MAJ(a, b, c))
#define DOCA_PRIV_SHA2_ROUNDS(F, t)                                                                \
    (DOCA_PRIV_SHA2_ROUND(F, a, b, c, d, e, f, g, h, t),                                           \
     DOCA_PRIV_SHA2_ROUND(F, h, a, b, c, d, e, f, g, t + 1),                                       \
     DOCA_PRIV_SHA2_ROUND(F, g, h, a, b, c, d, e, f, t + 2),                                       \
     DOCA_PRIV_SHA2_ROUND(F, f, g, h, a, b, c, d, e, t + 3),                                       \
     DOCA_PRIV_SHA2_ROUND(F, e, f, g, h, a, b, c, d, t + 4),                                       \
     DOCA_PRIV_SHA2_ROUND(F, d, e, f, g, h, a, b, c, t + 5),                                       \
     DOCA_PRIV_SHA2_ROUND(F, c, d, e, f, g, h, a, b, t + 6),                                       \
     DOCA_PRIV_SHA2_ROUND(F, b, c, d, e, f, g, h, a, t + 7))

#define DOCA_PRIV_SHA256_K doca_priv_sha256_k
#define DOCA_PRIV_SHA256_SUM0(x)                                                                   \
    (DOCA_PRIV_SHA_ROR32(x, 2) ^ DOCA_PRIV_SHA_ROR32(x, 13) ^ DOCA_PRIV_SHA_ROR32(x, 22))
#define DOCA_PRIV_SHA256_SUM1(x)                                                                   \
    (DOCA_PRIV_SHA_ROR32(x, 6) ^ DOCA_PRIV_SHA_ROR32(x, 11) ^ DOCA_PRIV_SHA_ROR32(x, 25))
#define DOCA_PRIV_SHA256_MIX0(x)                                                                   \
    (DOCA_PRIV_SHA_ROR32(x, 7) ^ DOCA_PRIV_SHA_ROR32(x, 18) ^ (x) >> 3)
#define DOCA_PRIV_SHA256_MIX1(x)                                                                   \
    (DOCA_PRIV_SHA_ROR32(x, 17) ^ DOCA_PRIV_SHA_ROR32(x, 19) ^ (x) >> 10)

#define DOCA_PRIV_SHA512_K doca_priv_sha_k
#define DOCA_PRIV_SHA512_SUM0(x)                                                                   \
    (DOCA_PRIV_SHA_ROR64(x, 28) ^ DOCA_PRIV_SHA_ROR64(x, 34) ^ DOCA_PRIV_SHA_ROR64(x, 39))
#define DOCA_PRIV_SHA512_SUM1(x)                                                                   \
    (DOCA_PRIV_SHA_ROR64(x, 14) ^ DOCA_PRIV_SHA_ROR64(x, 18) ^ DOCA_PRIV_SHA_ROR64(x, 41))
#define DOCA_PRIV_SHA512_MIX0(x)                                                                   \
    (DOCA_PRIV_SHA_ROR64(x, 1) ^ DOCA_PRIV_SHA_ROR64(x, 8) ^ (x) >> 7)
#define DOCA_PRIV_SHA512_MIX1(x)                                                                   \
    (DOCA_PRIV_SHA_ROR64(x, 19) ^ DOCA_PRIV_SHA_ROR64(x, 61) ^ (x) >> 6)

/* The function `name`, for the CPU `target`, that takes blocks of 64 bytes of the message `data`,
 * or of several, into the hash: `words` reads the 16 numbers of a block. */
#define DOCA_PRIV_SHA1_KERNEL(name, target, number, data_t, words)                                 \
    target static void name(union doca_priv_sha_state *state, data_t data, size_t num_blocks)      \
    {                                                                                              \
        number *s = (number *)(void *)state, w[80 + 16], a, b, c, d, e;                            \
        size_t t, at;                                                                              \
                                                                                                   \
        for (at = 0; num_blocks > 0; num_blocks--, at += 64) {                                     \
            words(w, data, at);                                                                    \
            a = s[0];                                                                              \
            b = s[1];                                                                              \
            c = s[2];                                                                              \
            d = s[3];                                                                              \
            e = s[4];                                                                              \
            for (t = 0; t < 20; t += 5)                                                            \
                DOCA_PRIV_SHA1_ROUNDS(DOCA_PRIV_SHA_CH, 0x5a827999u, t);                           \
            for (; t < 40; t += 5)                                                                 \
                DOCA_PRIV_SHA1_ROUNDS(DOCA_PRIV_SHA_PARITY, 0x6ed9eba1u, t);                       \
            for (; t < 60; t += 5)                                                                 \
                DOCA_PRIV_SHA1_ROUNDS(DOCA_PRIV_SHA_MAJ, 0x8f1bbcdcu, t);                          \
            for (; t < 80; t += 5)                                                                 \
                DOCA_PRIV_SHA1_ROUNDS(DOCA_PRIV_SHA_PARITY, 0xca62c1d6u, t);                       \
            s[0] += a;                                                                             \
            s[1] += b;                                                                             \
            s[2] += c;                                                                             \
            s[3] += d;                                                                             \
            s[4] += e;                                                                             \
        }                                                                                          \
    }

/* The same for the function F of so many rounds. */
#define DOCA_PRIV_SHA2_KERNEL(name, target, F, rounds, number, data_t, words)                      \
    target static void name(union doca_priv_sha_state *state, data_t data, size_t num_blocks)      \
    {                                                                                              \
        number *s = (number *)(void *)state, w[rounds], a, b, c, d, e, f, g, h;                    \
        size_t t, at;                                                                              \
                                                                                                   \
        for (at = 0; num_blocks > 0; num_blocks--, at += 16 * sizeof(F##_K[0])) {                  \
            words(w, data, at);                                                                    \
            for (t = 16; t < (rounds); t++)                                                        \
                w[t] = F##_MIX1(w[t - 2]) + w[t - 7] + F##_MIX0(w[t - 15]) + w[t - 16];            \
            a = s[0];                                                                              \
            b = s[1];                                                                              \
            c = s[2];                                                                              \
            d = s[3];                                                                              \
            e = s[4];                                                                              \
            f = s[5];                                                                              \
            g = s[6];                                                                              \
            h = s[7];                                                                              \
            for (t = 0; t < (rounds); t += 8)                                                      \
                DOCA_PRIV_SHA2_ROUNDS(F, t);                                                       \
            s[0] += a;                                                                             \
            s[1] += b;                                                                             \
            s[2] += c;                                                                             \
            s[3] += d;                                                                             \
            s[4] += e;                                                                             \
            s[5] += f;                                                                             \
            s[6] += g;                                                                             \
            s[7] += h;                                                                             \
        }                                                                                          \
    }

DOCA_PRIV_HOT void doca_priv_sha_words32(uint32_t *w, const unsigned char *data, size_t at)
{
    size_t t;

    for (t = 0; t < 16; t++)
        w[t] = doca_priv_sha_load32(data + at + 4 * t);
}

DOCA_PRIV_HOT void doca_priv_sha_words64(uint64_t *w, const unsigned char *data, size_t at)
{
    size_t t;

    for (t = 0; t < 16; t++)
        w[t] = doca_priv_sha_load64(data + at + 8 * t);
}

DOCA_PRIV_SHA1_KERNEL(doca_priv_sha1_plain, , uint32_t, const unsigned char *,
                      doca_priv_sha_words32)
DOCA_PRIV_SHA2_KERNEL(doca_priv_sha256_plain, , DOCA_PRIV_SHA256, 64, uint32_t,
                      const unsigned char *, doca_priv_sha_words32)
DOCA_PRIV_SHA2_KERNEL(doca_priv_sha512_plain, , DOCA_PRIV_SHA512, 80, uint64_t,
                      const unsigned char *, doca_priv_sha_words64)

static const doca_priv_sha_compress_t doca_priv_sha_plain[DOCA_PRIV_SHA_ALGORITHMS] = {
    doca_priv_sha1_plain, doca_priv_sha256_plain, doca_priv_sha512_plain
};

#define DOCA_PRIV_SHA_SLACK 16 /* bytes that padding may write too many of */
#define DOCA_PRIV_SHA_TAIL (2 * 128 + DOCA_PRIV_SHA_SLACK)

/* A message on its way through a compression. */
struct doca_priv_sha_stream {
    doca_priv_sha_compress_t compress;
    uint32_t block_bytes;
    uint32_t fill; /* bytes of `block` that wait for the rest of it */
    uint64_t bytes; /* so far, of the whole message */
    union doca_priv_sha_state state;
    unsigned char block[DOCA_PRIV_SHA_TAIL];
};

DOCA_PRIV_HOT void doca_priv_sha_begin(union doca_priv_sha_state *state, uint8_t algorithm)
{
    const uint32_t *start;

    if (algorithm == DOCA_SHA_ALGORITHM_SHA512) {
        DOCA_CORE_MEMCPY(state->w64, doca_priv_sha_root, sizeof(doca_priv_sha_root));
    } else {
        start = doca_priv_sha_start[algorithm];
        DOCA_PRIV_HIDE(start); /* constants would be stored word by word */
        DOCA_CORE_MEMCPY(state->w32, start, sizeof(doca_priv_sha_start[0]));
    }
}

static void doca_priv_sha_absorb(struct doca_priv_sha_stream *s, const unsigned char *data,
                                 size_t len)
{
    size_t n;

    s->bytes += len;
    if (s->fill > 0) {
        n = s->block_bytes - s->fill;
        if (n > len)
            n = len;
        DOCA_CORE_MEMCPY(s->block + s->fill, data, n);
        s->fill += (uint32_t)n;
        data += n;
        len -= n;
        if (s->fill < s->block_bytes)
            return;
        s->compress(&s->state, s->block, 1);
        s->fill = 0;
    }
    n = len / s->block_bytes;
    if (n > 0)
        s->compress(&s->state, data, n);
    s->fill = (uint32_t)(len % s->block_bytes);
    DOCA_CORE_MEMCPY(s->block, data + n * s->block_bytes, s->fill);
}

/* Pad a message of `bytes`, whose last `fill` ones `tail` begins with, to whole blocks; give the
 * number of those in `tail`. */
DOCA_PRIV_HOT size_t doca_priv_sha_pad(unsigned char *tail, size_t fill, uint64_t bytes,
                                       unsigned log_block)
{
    size_t num = (fill + ((size_t)9 << log_block >> 3)) >> log_block; /* 1/8: of the length */
    unsigned char *end = tail + (num << log_block), *at = tail + fill;

    *at++ = 0x80;
    for (; at < end; at += DOCA_PRIV_SHA_SLACK) {
        DOCA_PRIV_HIDE(at); /* or the loop becomes a call, which takes longer */
        DOCA_CORE_MEMSET(at, 0, DOCA_PRIV_SHA_SLACK);
    }
    if (log_block == 7)
        doca_priv_sha_store64(end - 16, bytes >> 61);
    doca_priv_sha_store64(end - 8, bytes << 3);
    return num;
}

/* Write a digest. */
DOCA_PRIV_HOT void doca_priv_sha_put(const union doca_priv_sha_state *state, uint8_t algorithm,
                                     unsigned char *to)
{
    unsigned i;

    if (algorithm == DOCA_SHA_ALGORITHM_SHA512)
        for (i = 0; i < 8; i++)
            doca_priv_sha_store64(to + 8 * i, state->w64[i]);
    else
        for (i = 0; i < doca_priv_sha_sizes[algorithm].digest / 4u; i++)
            doca_priv_sha_store32(to + 4 * i, state->w32[i]);
}

static void doca_priv_sha_finish(struct doca_priv_sha_stream *s)
{
    size_t num = doca_priv_sha_pad(s->block, s->fill, s->bytes, s->block_bytes > 64 ? 7 : 6);

    s->compress(&s->state, s->block, num);
}

DOCA_PRIV_HOT unsigned doca_priv_sha_log_block(uint8_t algorithm)
{
    return algorithm == DOCA_SHA_ALGORITHM_SHA512 ? 7 : 6;
}

/* Copy what is behind the last whole block of a message, and pad it. Give the number of blocks. */
DOCA_PRIV_HOT size_t doca_priv_sha_copy_tail(unsigned char *tail, const unsigned char *data,
                                             size_t len, unsigned log_block)
{
    size_t rest = len & (((size_t)1 << log_block) - 1);

    if (rest > 0)
        DOCA_CORE_MEMCPY(tail, data + len - rest, rest);
    return doca_priv_sha_pad(tail, rest, len, log_block);
}

/* Hash a message that lies in one piece; `algorithm` is a constant. Its end is copied first: vector
 * loads wait until narrower stores are through, which is meanwhile. A single block is copied as
 * well, in front of the end, so that the hash stays in registers between the two. */
DOCA_PRIV_HOT void doca_priv_sha_digest(doca_priv_sha_compress_t compress, uint8_t algorithm,
                                        const unsigned char *data, size_t len, unsigned char *to)
{
    unsigned log_block = doca_priv_sha_log_block(algorithm);
    unsigned char block[128 + DOCA_PRIV_SHA_TAIL], *tail = block + ((size_t)1 << log_block);
    size_t num_tail = doca_priv_sha_copy_tail(tail, data, len, log_block);
    union doca_priv_sha_state state;

    doca_priv_sha_begin(&state, algorithm);
    if (len >> log_block == 1) {
        DOCA_CORE_MEMCPY(block, data, (size_t)1 << log_block);
        compress(&state, block, 1 + num_tail);
    } else {
        if (len >> log_block > 0)
            compress(&state, data, len >> log_block);
        compress(&state, tail, num_tail);
    }
    doca_priv_sha_put(&state, algorithm, to);
}

DOCA_PRIV_HOT void doca_priv_sha_hash(const doca_priv_sha_compress_t *compress, uint8_t algorithm,
                                      const unsigned char *data, size_t len, unsigned char *to)
{
    doca_priv_sha_compress_t one = compress[algorithm];

    if (algorithm == DOCA_SHA_ALGORITHM_SHA1)
        doca_priv_sha_digest(one, DOCA_SHA_ALGORITHM_SHA1, data, len, to);
    else if (algorithm == DOCA_SHA_ALGORITHM_SHA256)
        doca_priv_sha_digest(one, DOCA_SHA_ALGORITHM_SHA256, data, len, to);
    else
        doca_priv_sha_digest(one, DOCA_SHA_ALGORITHM_SHA512, data, len, to);
}

/* ---- >>impl.sw.simd -------------------------------------------------------------------------
 * The same compressions with what a CPU has for them, of one message at a time.                  */

#if defined(DOCA_PRIV_SIMD_X86)

#define DOCA_PRIV_SIMD_TARGET __attribute__((target("sha,sse4.1")))
#define DOCA_PRIV_SIMD_LOAD(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define DOCA_PRIV_SIMD_AVX2 __attribute__((target("avx2,bmi,bmi2")))
#define DOCA_PRIV_SIMD_AVX512 __attribute__((target("sha,avx2,bmi,bmi2,avx512f,avx512bw,avx512vl")))

/* A copy that is one to the compiler too: it is the copy that an instruction may overwrite then,
 * and no move stands between the rounds. */
DOCA_PRIV_HOT __m128i doca_priv_simd_copy(__m128i x)
{
    __asm__("" : "+x"(x));
    return x;
}

/* The first step to the next words of SHA-1 in the place of `m0`. Its instruction is slow on the
 * port that the rounds want; `joins`: of two exclusive ors the CPU makes one operation. */
DOCA_PRIV_SIMD_TARGET DOCA_PRIV_HOT __m128i doca_priv_sha1_msg1(__m128i m0, __m128i m1, bool joins)
{
    __m128d behind = _mm_shuffle_pd(_mm_castsi128_pd(m1), _mm_castsi128_pd(m0), 1);

    return joins ? _mm_xor_si128(m0, _mm_castpd_si128(behind)) : _mm_sha1msg1_epu32(m0, m1);
}

/* Four rounds of SHA-1 with the words `m`, and a step each for the words of the three quads behind
 * it. `e` is the sum of `m` and of variable e, which is the a of four rounds ago, rotated. */
#define DOCA_PRIV_SHA1_QUAD(m, f)                                                                  \
    (e = _mm_sha1nexte_epu32(before, m), before = doca_priv_simd_copy(abcd),                       \
     abcd = _mm_sha1rnds4_epu32(abcd, e, f))
#define DOCA_PRIV_SHA1_QUAD_NEXT(m0, m1, m2, m3, f)                                                \
    (m1 = _mm_sha1msg2_epu32(m1, m0), DOCA_PRIV_SHA1_QUAD(m0, f), m2 = _mm_xor_si128(m2, m0),      \
     m3 = doca_priv_sha1_msg1(m3, m0, joins))
#define DOCA_PRIV_SHA1_WORDS(n) _mm_shuffle_epi8(_mm_loadu_si128(block + (n)), reversed)

/* The words of a block are made ready during the last rounds of the one before it. */
DOCA_PRIV_SIMD_TARGET DOCA_PRIV_HOT void doca_priv_sha1_quads(union doca_priv_sha_state *state,
                                                              const unsigned char *data,
                                                              size_t num_blocks, bool joins)
{
    const __m128i reversed = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
    const __m128i *block = (const __m128i *)(const void *)data;
    __m128i *h = (__m128i *)(void *)state->w32;
    __m128i abcd = _mm_shuffle_epi32(_mm_loadu_si128(h), 0x1b);
    __m128i e_sum = _mm_slli_si128(_mm_loadu_si128(h + 1), 12);
    __m128i a = DOCA_PRIV_SHA1_WORDS(0), b = DOCA_PRIV_SHA1_WORDS(1); /* to d: sixteen words */
    __m128i c = DOCA_PRIV_SHA1_WORDS(2), d = DOCA_PRIV_SHA1_WORDS(3);
    __m128i abcd_sum, before, e, last;

    for (; num_blocks > 0; num_blocks--) {
        abcd_sum = abcd;
        e = _mm_add_epi32(e_sum, a);
        before = doca_priv_simd_copy(abcd);
        abcd = _mm_sha1rnds4_epu32(abcd, e, 0);
        DOCA_PRIV_SHA1_QUAD(b, 0);
        a = doca_priv_sha1_msg1(a, b, joins);
        DOCA_PRIV_SHA1_QUAD(c, 0);
        a = _mm_xor_si128(a, c);
        b = doca_priv_sha1_msg1(b, c, joins);
        DOCA_PRIV_SHA1_QUAD_NEXT(d, a, b, c, 0);
        DOCA_PRIV_SHA1_QUAD_NEXT(a, b, c, d, 0);
        DOCA_PRIV_SHA1_QUAD_NEXT(b, c, d, a, 1);
        DOCA_PRIV_SHA1_QUAD_NEXT(c, d, a, b, 1);
        DOCA_PRIV_SHA1_QUAD_NEXT(d, a, b, c, 1);
        DOCA_PRIV_SHA1_QUAD_NEXT(a, b, c, d, 1);
        DOCA_PRIV_SHA1_QUAD_NEXT(b, c, d, a, 1);
        DOCA_PRIV_SHA1_QUAD_NEXT(c, d, a, b, 2);
        DOCA_PRIV_SHA1_QUAD_NEXT(d, a, b, c, 2);
        DOCA_PRIV_SHA1_QUAD_NEXT(a, b, c, d, 2);
        DOCA_PRIV_SHA1_QUAD_NEXT(b, c, d, a, 2);
        DOCA_PRIV_SHA1_QUAD_NEXT(c, d, a, b, 2);
        DOCA_PRIV_SHA1_QUAD_NEXT(d, a, b, c, 3);
        DOCA_PRIV_SHA1_QUAD_NEXT(a, b, c, d, 3);
        block += num_blocks > 1 ? 4 : 0;
        last = _mm_xor_si128(d, b);
        c = _mm_sha1msg2_epu32(c, b);
        a = DOCA_PRIV_SHA1_WORDS(0);
        DOCA_PRIV_SHA1_QUAD(b, 3);
        b = DOCA_PRIV_SHA1_WORDS(1);
        last = _mm_sha1msg2_epu32(last, c);
        DOCA_PRIV_SHA1_QUAD(c, 3);
        c = DOCA_PRIV_SHA1_WORDS(2);
        DOCA_PRIV_SHA1_QUAD(last, 3);
        d = DOCA_PRIV_SHA1_WORDS(3);
        e_sum = _mm_sha1nexte_epu32(before, e_sum);
        abcd = _mm_add_epi32(abcd, abcd_sum);
    }
    _mm_storeu_si128(h, _mm_shuffle_epi32(abcd, 0x1b));
    _mm_storeu_si128(h + 1, _mm_srli_si128(e_sum, 12));
}

DOCA_PRIV_SIMD_TARGET static void doca_priv_sha1_simd(union doca_priv_sha_state *state,
                                                      const unsigned char *data, size_t num_blocks)
{
    doca_priv_sha1_quads(state, data, num_blocks, false);
}

DOCA_PRIV_SIMD_AVX512 static void doca_priv_sha1_simd512(union doca_priv_sha_state *state,
                                                         const unsigned char *data,
                                                         size_t num_blocks)
{
    doca_priv_sha1_quads(state, data, num_blocks, true);
}

/* The next four words of the schedule of SHA-256, and four rounds with the words `m`. */
#define DOCA_PRIV_SHA256_NEXT(m0, m1, m2, m3)                                                      \
    (m0 = _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(m0, m1),                         \
                                             _mm_alignr_epi8(m3, m2, 4)),                          \
                               m3))
#define DOCA_PRIV_SHA256_QUAD(m, t)                                                                \
    (wk = _mm_add_epi32(m, DOCA_PRIV_SIMD_LOAD(doca_priv_sha256_k + (t))),                         \
     cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk),                                                 \
     abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(wk, 0x0e)))

DOCA_PRIV_SIMD_TARGET static void doca_priv_sha256_simd(union doca_priv_sha_state *state,
                                                        const unsigned char *data,
                                                        size_t num_blocks)
{
    const __m128i swapped = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i *block = (const __m128i *)(const void *)data;
    __m128i *h = (__m128i *)(void *)state->w32;
    __m128i badc = _mm_shuffle_epi32(_mm_loadu_si128(h), 0xb1); /* from the lowest lane up */
    __m128i hgfe = _mm_shuffle_epi32(_mm_loadu_si128(h + 1), 0x1b);
    __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
    __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
    __m128i abef_sum, cdgh_sum, wk, a, b, c, d; /* a to d: sixteen words of the schedule */
    unsigned t;

    for (; num_blocks > 0; num_blocks--, block += 4) {
        abef_sum = abef;
        cdgh_sum = cdgh;
        a = _mm_shuffle_epi8(_mm_loadu_si128(block), swapped);
        b = _mm_shuffle_epi8(_mm_loadu_si128(block + 1), swapped);
        c = _mm_shuffle_epi8(_mm_loadu_si128(block + 2), swapped);
        d = _mm_shuffle_epi8(_mm_loadu_si128(block + 3), swapped);
        for (t = 0;; t += 16) {
            DOCA_PRIV_SHA256_QUAD(a, t);
            DOCA_PRIV_SHA256_QUAD(b, t + 4);
            DOCA_PRIV_SHA256_QUAD(c, t + 8);
            DOCA_PRIV_SHA256_QUAD(d, t + 12);
            if (t == 48)
                break;
            DOCA_PRIV_SHA256_NEXT(a, b, c, d);
            DOCA_PRIV_SHA256_NEXT(b, c, d, a);
            DOCA_PRIV_SHA256_NEXT(c, d, a, b);
            DOCA_PRIV_SHA256_NEXT(d, a, b, c);
        }
        abef = _mm_add_epi32(abef, abef_sum);
        cdgh = _mm_add_epi32(cdgh, cdgh_sum);
    }
    badc = _mm_shuffle_epi32(abef, 0x1b); /* now a b e f, and g h c d */
    hgfe = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128(h, _mm_blend_epi16(badc, hgfe, 0xf0));
    _mm_storeu_si128(h + 1, _mm_alignr_epi8(hgfe, badc, 8));
}

/* SHA-512 has no instructions: rounds in general registers, and the schedules of two blocks in the
 * halves of vectors. */
typedef uint64_t doca_priv_simd_words __attribute__((vector_size(32), may_alias));

/* One round; `y` is b ^ c, as a ^ b was. What comes last in a sum is what is known last. */
#define DOCA_PRIV_SHA512_ROUND(a, b, c, d, e, f, g, h, n)                                          \
    do {                                                                                           \
        h += sums[2 * (n) - ((n) & 1)];                                                            \
        DOCA_PRIV_HIDE(h);                                                                         \
        h += ~e & g;                                                                               \
        DOCA_PRIV_HIDE(h);                                                                         \
        h += e & f;                                                                                \
        DOCA_PRIV_HIDE(h);                                                                         \
        d += h;                                                                                    \
        x = DOCA_PRIV_SHA512_SUM1(e);                                                              \
        DOCA_PRIV_HIDE(x);                                                                         \
        h += x;                                                                                    \
        d += x;                                                                                    \
        x = a ^ b;                                                                                 \
        y = (y & x) ^ b;                                                                           \
        h += y;                                                                                    \
        DOCA_PRIV_HIDE(h);                                                                         \
        h += DOCA_PRIV_SHA512_SUM0(a);                                                             \
        DOCA_PRIV_HIDE(h);                                                                         \
        y = x;                                                                                     \
    } while (0)

/* Two rounds, and with them the words of the schedule that come 16 later. */
#define DOCA_PRIV_SHA512_PAIR(a, b, c, d, e, f, g, h, n)                                           \
    DOCA_PRIV_SHA512_ROUND(a, b, c, d, e, f, g, h, 2 * (n));                                       \
    DOCA_PRIV_SHA512_ROUND(h, a, b, c, d, e, f, g, 2 * (n) + 1)
#define DOCA_PRIV_SHA512_PAIR_NEXT(a, b, c, d, e, f, g, h, n)                                      \
    DOCA_PRIV_SHA512_ROUND(a, b, c, d, e, f, g, h, 2 * (n));                                       \
    v = DOCA_PRIV_SHA512_BETWEEN(((n) + 1) % 8, n);                                                \
    w[n] += DOCA_PRIV_SHA512_MIX0(v) + DOCA_PRIV_SHA512_MIX1(w[((n) + 7) % 8]) +                   \
            DOCA_PRIV_SHA512_BETWEEN(((n) + 5) % 8, ((n) + 4) % 8);                                \
    DOCA_PRIV_SHA512_ROUND(h, a, b, c, d, e, f, g, 2 * (n) + 1);                                   \
    DOCA_PRIV_SHA512_ADD_K(sums + 32, t + 16, n)
#define DOCA_PRIV_SHA512_PAIRS(pair)                                                               \
    pair(a, b, c, d, e, f, g, h, 0);                                                               \
    pair(g, h, a, b, c, d, e, f, 1);                                                               \
    pair(e, f, g, h, a, b, c, d, 2);                                                               \
    pair(c, d, e, f, g, h, a, b, 3);                                                               \
    pair(a, b, c, d, e, f, g, h, 4);                                                               \
    pair(g, h, a, b, c, d, e, f, 5);                                                               \
    pair(e, f, g, h, a, b, c, d, 6);                                                               \
    pair(c, d, e, f, g, h, a, b, 7)
#define DOCA_PRIV_SHA512_BETWEEN(high, low)                                                        \
    ((doca_priv_simd_words)_mm256_alignr_epi8((__m256i)w[high], (__m256i)w[low], 8))
#define DOCA_PRIV_SHA512_ADD_K(to, t, n)                                                           \
    (*(doca_priv_simd_words *)(void *)((to) + 4 * (n)) =                                           \
         w[n] + (doca_priv_simd_words)_mm256_broadcastsi128_si256(                                 \
                    DOCA_PRIV_SIMD_LOAD(doca_priv_sha_k + (t) + 2 * (n))))

DOCA_PRIV_SIMD_AVX2 DOCA_PRIV_HOT void doca_priv_sha512_pairs(union doca_priv_sha_state *state,
                                                              const unsigned char *data,
                                                              size_t num_blocks)
{
    const __m256i swapped = _mm256_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607,
                                              0x08090a0b0c0d0e0f, 0x0001020304050607);
    DOCA_CORE_ALIGNED uint64_t all_sums[2 * 80];
    uint64_t *sums, *s = state->w64;
    uint64_t a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5], g = s[6], h = s[7], x, y;
    doca_priv_simd_words w[8], v;
    size_t t, n, half;

    while (num_blocks > 0) {
        for (n = 0; n < 8; n++) {
            w[n] = (doca_priv_simd_words)_mm256_shuffle_epi8(
                _mm256_set_m128i(DOCA_PRIV_SIMD_LOAD(data + 16 * n + (num_blocks > 1 ? 128 : 0)),
                                 DOCA_PRIV_SIMD_LOAD(data + 16 * n)),
                swapped);
            DOCA_PRIV_SHA512_ADD_K(all_sums, 0, n);
        }
        y = b ^ c;
        for (t = 0; t < 64; t += 16) {
            sums = all_sums + 2 * t;
            DOCA_PRIV_SHA512_PAIRS(DOCA_PRIV_SHA512_PAIR_NEXT);
        }
        for (half = 0; half < 2 && num_blocks > 0; half++, num_blocks--, data += 128, t = 0) {
            y = b ^ c;
            for (; t < 80; t += 16) {
                sums = all_sums + 2 * t + 2 * half;
                DOCA_PRIV_SHA512_PAIRS(DOCA_PRIV_SHA512_PAIR);
            }
            a = s[0] += a;
            b = s[1] += b;
            c = s[2] += c;
            d = s[3] += d;
            e = s[4] += e;
            f = s[5] += f;
            g = s[6] += g;
            h = s[7] += h;
        }
    }
}

DOCA_PRIV_SIMD_AVX2 static void doca_priv_sha512_simd(union doca_priv_sha_state *state,
                                                      const unsigned char *data, size_t num_blocks)
{
    doca_priv_sha512_pairs(state, data, num_blocks);
}

DOCA_PRIV_SIMD_AVX512 static void doca_priv_sha512_simd512(union doca_priv_sha_state *state,
                                                           const unsigned char *data,
                                                           size_t num_blocks)
{
    doca_priv_sha512_pairs(state, data, num_blocks);
}

#elif defined(DOCA_PRIV_SIMD_ARM)

#if defined(__linux__)
#define DOCA_PRIV_SIMD_TARGET __attribute__((target("arch=armv8-a+crypto")))
#define DOCA_PRIV_SIMD_TARGET512 __attribute__((target("arch=armv8.2-a+sha3")))
#else
#define DOCA_PRIV_SIMD_TARGET
#endif

/* The next four words of the schedule of SHA-1, and four rounds with the words `m`. */
#define DOCA_PRIV_SHA1_NEXT(m0, m1, m2, m3)                                                        \
    (m0 = vsha1su1q_u32(vsha1su0q_u32(m0, m1, m2), m3))
#define DOCA_PRIV_SHA1_QUAD(m, rounds, k)                                                          \
    (e_next = vsha1h_u32(vgetq_lane_u32(abcd, 0)),                                                 \
     abcd = rounds(abcd, e, vaddq_u32(m, vdupq_n_u32(k))), e = e_next)
#define DOCA_PRIV_SHA1_NEXT_QUAD(m0, m1, m2, m3, rounds, k)                                        \
    (DOCA_PRIV_SHA1_NEXT(m0, m1, m2, m3), DOCA_PRIV_SHA1_QUAD(m0, rounds, k))

/* Words `n` to n + 3 of a block, or n and n + 1: numbers are big-endian there. */
#define DOCA_PRIV_SIMD_WORDS32(data, n)                                                            \
    vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8((data) + 4 * (n))))
#define DOCA_PRIV_SIMD_WORDS64(data, n)                                                            \
    vreinterpretq_u64_u8(vrev64q_u8(vld1q_u8((data) + 8 * (n))))

DOCA_PRIV_SIMD_TARGET static void doca_priv_sha1_simd(union doca_priv_sha_state *state,
                                                      const unsigned char *data, size_t num_blocks)
{
    uint32x4_t abcd = vld1q_u32(state->w32), abcd_sum, a, b, c, d;
    uint32_t e = state->w32[4], e_sum, e_next;

    for (; num_blocks > 0; num_blocks--, data += 64) {
        abcd_sum = abcd;
        e_sum = e;
        a = DOCA_PRIV_SIMD_WORDS32(data, 0);
        b = DOCA_PRIV_SIMD_WORDS32(data, 4);
        c = DOCA_PRIV_SIMD_WORDS32(data, 8);
        d = DOCA_PRIV_SIMD_WORDS32(data, 12);
        DOCA_PRIV_SHA1_QUAD(a, vsha1cq_u32, 0x5a827999u);
        DOCA_PRIV_SHA1_QUAD(b, vsha1cq_u32, 0x5a827999u);
        DOCA_PRIV_SHA1_QUAD(c, vsha1cq_u32, 0x5a827999u);
        DOCA_PRIV_SHA1_QUAD(d, vsha1cq_u32, 0x5a827999u);
        DOCA_PRIV_SHA1_NEXT_QUAD(a, b, c, d, vsha1cq_u32, 0x5a827999u);
        DOCA_PRIV_SHA1_NEXT_QUAD(b, c, d, a, vsha1pq_u32, 0x6ed9eba1u);
        DOCA_PRIV_SHA1_NEXT_QUAD(c, d, a, b, vsha1pq_u32, 0x6ed9eba1u);
        DOCA_PRIV_SHA1_NEXT_QUAD(d, a, b, c, vsha1pq_u32, 0x6ed9eba1u);
        DOCA_PRIV_SHA1_NEXT_QUAD(a, b, c, d, vsha1pq_u32, 0x6ed9eba1u);
        DOCA_PRIV_SHA1_NEXT_QUAD(b, c, d, a, vsha1pq_u32, 0x6ed9eba1u);
        DOCA_PRIV_SHA1_NEXT_QUAD(c, d, a, b, vsha1mq_u32, 0x8f1bbcdcu);
        DOCA_PRIV_SHA1_NEXT_QUAD(d, a, b, c, vsha1mq_u32, 0x8f1bbcdcu);
        DOCA_PRIV_SHA1_NEXT_QUAD(a, b, c, d, vsha1mq_u32, 0x8f1bbcdcu);
        DOCA_PRIV_SHA1_NEXT_QUAD(b, c, d, a, vsha1mq_u32, 0x8f1bbcdcu);
        DOCA_PRIV_SHA1_NEXT_QUAD(c, d, a, b, vsha1mq_u32, 0x8f1bbcdcu);
        DOCA_PRIV_SHA1_NEXT_QUAD(d, a, b, c, vsha1pq_u32, 0xca62c1d6u);
        DOCA_PRIV_SHA1_NEXT_QUAD(a, b, c, d, vsha1pq_u32, 0xca62c1d6u);
        DOCA_PRIV_SHA1_NEXT_QUAD(b, c, d, a, vsha1pq_u32, 0xca62c1d6u);
        DOCA_PRIV_SHA1_NEXT_QUAD(c, d, a, b, vsha1pq_u32, 0xca62c1d6u);
        DOCA_PRIV_SHA1_NEXT_QUAD(d, a, b, c, vsha1pq_u32, 0xca62c1d6u);
        abcd = vaddq_u32(abcd, abcd_sum);
        e += e_sum;
    }
    vst1q_u32(state->w32, abcd);
    state->w32[4] = e;
}

/* The next four words of the schedule of SHA-256, and four rounds with the words `m`. */
#define DOCA_PRIV_SHA256_NEXT(m0, m1, m2, m3)                                                      \
    (m0 = vsha256su1q_u32(vsha256su0q_u32(m0, m1), m2, m3))
#define DOCA_PRIV_SHA256_QUAD(m, t)                                                                \
    (k = vaddq_u32(vld1q_u32(doca_priv_sha256_k + (t)), m), before = abcd,                         \
     abcd = vsha256hq_u32(abcd, efgh, k), efgh = vsha256h2q_u32(efgh, before, k))

DOCA_PRIV_SIMD_TARGET static void doca_priv_sha256_simd(union doca_priv_sha_state *state,
                                                        const unsigned char *data,
                                                        size_t num_blocks)
{
    uint32x4_t abcd = vld1q_u32(state->w32), efgh = vld1q_u32(state->w32 + 4);
    uint32x4_t abcd_sum, efgh_sum, before, k, a, b, c, d;
    unsigned t;

    for (; num_blocks > 0; num_blocks--, data += 64) {
        abcd_sum = abcd;
        efgh_sum = efgh;
        a = DOCA_PRIV_SIMD_WORDS32(data, 0);
        b = DOCA_PRIV_SIMD_WORDS32(data, 4);
        c = DOCA_PRIV_SIMD_WORDS32(data, 8);
        d = DOCA_PRIV_SIMD_WORDS32(data, 12);
        for (t = 0;; t += 16) {
            DOCA_PRIV_SHA256_QUAD(a, t);
            DOCA_PRIV_SHA256_QUAD(b, t + 4);
            DOCA_PRIV_SHA256_QUAD(c, t + 8);
            DOCA_PRIV_SHA256_QUAD(d, t + 12);
            if (t == 48)
                break;
            DOCA_PRIV_SHA256_NEXT(a, b, c, d);
            DOCA_PRIV_SHA256_NEXT(b, c, d, a);
            DOCA_PRIV_SHA256_NEXT(c, d, a, b);
            DOCA_PRIV_SHA256_NEXT(d, a, b, c);
        }
        abcd = vaddq_u32(abcd, abcd_sum);
        efgh = vaddq_u32(efgh, efgh_sum);
    }
    vst1q_u32(state->w32, abcd);
    vst1q_u32(state->w32 + 4, efgh);
}

#if defined(DOCA_PRIV_SIMD_TARGET512)

/* Two rounds of SHA-512 with words n and n + 1 of the schedule, which become words n + 16 and
 * n + 17. Of the pairs of variables cd and gh are replaced; the names turn from round to round. */
#define DOCA_PRIV_SHA512_PAIR(ab, cd, ef, gh, n)                                                   \
    (k = vaddq_u64(w[n], vld1q_u64(doca_priv_sha_k + t + 2 * (n))),                                \
     k = vaddq_u64(vextq_u64(k, k, 1), gh),                                                        \
     k = vsha512hq_u64(k, vextq_u64(ef, gh, 1), vextq_u64(cd, ef, 1)),                             \
     gh = vsha512h2q_u64(k, cd, ab), cd = vaddq_u64(cd, k),                                        \
     w[n] = vsha512su1q_u64(vsha512su0q_u64(w[n], w[((n) + 1) % 8]), w[((n) + 7) % 8],             \
                            vextq_u64(w[((n) + 4) % 8], w[((n) + 5) % 8], 1)))

DOCA_PRIV_SIMD_TARGET512 static void doca_priv_sha512_simd(union doca_priv_sha_state *state,
                                                           const unsigned char *data,
                                                           size_t num_blocks)
{
    uint64x2_t ab = vld1q_u64(state->w64), cd = vld1q_u64(state->w64 + 2);
    uint64x2_t ef = vld1q_u64(state->w64 + 4), gh = vld1q_u64(state->w64 + 6);
    uint64x2_t ab_sum, cd_sum, ef_sum, gh_sum, k, w[8];
    unsigned t;

    for (; num_blocks > 0; num_blocks--, data += 128) {
        ab_sum = ab;
        cd_sum = cd;
        ef_sum = ef;
        gh_sum = gh;
        for (t = 0; t < 8; t++)
            w[t] = DOCA_PRIV_SIMD_WORDS64(data, 2 * t);
        for (t = 0; t < 80; t += 16) {
            DOCA_PRIV_SHA512_PAIR(ab, cd, ef, gh, 0);
            DOCA_PRIV_SHA512_PAIR(gh, ab, cd, ef, 1);
            DOCA_PRIV_SHA512_PAIR(ef, gh, ab, cd, 2);
            DOCA_PRIV_SHA512_PAIR(cd, ef, gh, ab, 3);
            DOCA_PRIV_SHA512_PAIR(ab, cd, ef, gh, 4);
            DOCA_PRIV_SHA512_PAIR(gh, ab, cd, ef, 5);
            DOCA_PRIV_SHA512_PAIR(ef, gh, ab, cd, 6);
            DOCA_PRIV_SHA512_PAIR(cd, ef, gh, ab, 7);
        }
        ab = vaddq_u64(ab, ab_sum);
        cd = vaddq_u64(cd, cd_sum);
        ef = vaddq_u64(ef, ef_sum);
        gh = vaddq_u64(gh, gh_sum);
    }
    vst1q_u64(state->w64, ab);
    vst1q_u64(state->w64 + 2, cd);
    vst1q_u64(state->w64 + 4, ef);
    vst1q_u64(state->w64 + 6, gh);
}

#endif

#endif

/* ---- >>impl.sw.lanes ------------------------------------------------------------------------
 * Several messages at once, each in a lane of its own, and the choice of what to hash with. Number
 * i of the hash of lane l is at [i * lanes + l] of the common state.                            */

#define DOCA_PRIV_SHA_GROUP 16 /* messages, and at most so many lanes */
#define DOCA_PRIV_SHA_FEW_BYTES 256 /* shorter ones are hashed before they are in a few lanes */

/* Hashes as many blocks, at least one, of each of the messages at `data`. */
typedef void (*doca_priv_sha_run_t)(union doca_priv_sha_state *state,
                                    const unsigned char *const *data, size_t num_blocks);

struct doca_priv_sha_lanes {
    doca_priv_sha_run_t run;
    uint8_t num;
    uint8_t from; /* so many messages and it is worth while */
};

/* What a CPU hashes with, by algorithm. */
struct doca_priv_sha_kernels {
    doca_priv_sha_compress_t one[DOCA_PRIV_SHA_ALGORITHMS];
    struct doca_priv_sha_lanes few[DOCA_PRIV_SHA_ALGORITHMS];
    struct doca_priv_sha_lanes many[DOCA_PRIV_SHA_ALGORITHMS];
};

#define DOCA_PRIV_LANES_NO { NULL, 0, UINT8_MAX }
#define DOCA_PRIV_LANES_NONE { DOCA_PRIV_LANES_NO, DOCA_PRIV_LANES_NO, DOCA_PRIV_LANES_NO }
#define DOCA_PRIV_LANES_TWO                                                                        \
    { DOCA_PRIV_LANES_NO, { doca_priv_sha256_two, 2, 2 }, DOCA_PRIV_LANES_NO }

#if defined(DOCA_PRIV_SIMD_X86)

#if !defined(__clang__) /* GCC 12 in C++: what AVX-512 functions do not set is intended */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

typedef const unsigned char *const *doca_priv_lane_data;

/* 16 bytes each of four messages, or of two: of each `step`th of them. */
DOCA_PRIV_SIMD_AVX512 DOCA_PRIV_HOT __m512i doca_priv_lanes_row512(doca_priv_lane_data data,
                                                                   size_t step, size_t at,
                                                                   __m512i order)
{
    __m512i row = _mm512_castsi128_si512(DOCA_PRIV_SIMD_LOAD(data[0] + at));

    row = _mm512_inserti32x4(row, DOCA_PRIV_SIMD_LOAD(data[step] + at), 1);
    row = _mm512_inserti32x4(row, DOCA_PRIV_SIMD_LOAD(data[2 * step] + at), 2);
    row = _mm512_inserti32x4(row, DOCA_PRIV_SIMD_LOAD(data[3 * step] + at), 3);
    return _mm512_shuffle_epi8(row, order);
}

DOCA_PRIV_SIMD_AVX2 DOCA_PRIV_HOT __m256i doca_priv_lanes_row256(doca_priv_lane_data data,
                                                                 size_t step, size_t at,
                                                                 __m256i order)
{
    __m256i row = _mm256_castsi128_si256(DOCA_PRIV_SIMD_LOAD(data[0] + at));

    row = _mm256_inserti128_si256(row, DOCA_PRIV_SIMD_LOAD(data[step] + at), 1);
    return _mm256_shuffle_epi8(row, order);
}

/* For vectors of so many bits: the types of the numbers, the functions that read 16 of them from a
 * block of each message, by transposing within each 128 bits, and the compressions. */
#define DOCA_PRIV_LANES(target, bits, broadcast)                                                   \
    typedef uint32_t doca_priv_lanes32x##bits __attribute__((vector_size((bits) / 8), may_alias)); \
    typedef uint64_t doca_priv_lanes64x##bits __attribute__((vector_size((bits) / 8), may_alias)); \
                                                                                                   \
    target DOCA_PRIV_HOT void doca_priv_lanes_words32x##bits(                                      \
        doca_priv_lanes32x##bits *w, doca_priv_lane_data data, size_t at)                          \
    {                                                                                              \
        const __m##bits##i order =                                                                 \
            broadcast(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));                     \
        __m##bits##i a, b, c, d, ab, cd, *to = (__m##bits##i *)(void *)w;                          \
        size_t end;                                                                                \
                                                                                                   \
        for (end = at + 64; at < end; at += 16, to += 4) {                                         \
            a = doca_priv_lanes_row##bits(data, 4, at, order);                                     \
            b = doca_priv_lanes_row##bits(data + 1, 4, at, order);                                 \
            c = doca_priv_lanes_row##bits(data + 2, 4, at, order);                                 \
            d = doca_priv_lanes_row##bits(data + 3, 4, at, order);                                 \
            ab = _mm##bits##_unpacklo_epi32(a, b);                                                 \
            cd = _mm##bits##_unpacklo_epi32(c, d);                                                 \
            to[0] = _mm##bits##_unpacklo_epi64(ab, cd);                                            \
            to[1] = _mm##bits##_unpackhi_epi64(ab, cd);                                            \
            ab = _mm##bits##_unpackhi_epi32(a, b);                                                 \
            cd = _mm##bits##_unpackhi_epi32(c, d);                                                 \
            to[2] = _mm##bits##_unpacklo_epi64(ab, cd);                                            \
            to[3] = _mm##bits##_unpackhi_epi64(ab, cd);                                            \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    target DOCA_PRIV_HOT void doca_priv_lanes_words64x##bits(                                      \
        doca_priv_lanes64x##bits *w, doca_priv_lane_data data, size_t at)                          \
    {                                                                                              \
        const __m##bits##i order =                                                                 \
            broadcast(_mm_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607));                     \
        __m##bits##i a, b, *to = (__m##bits##i *)(void *)w;                                        \
        size_t end;                                                                                \
                                                                                                   \
        for (end = at + 128; at < end; at += 16, to += 2) {                                        \
            a = doca_priv_lanes_row##bits(data, 2, at, order);                                     \
            b = doca_priv_lanes_row##bits(data + 1, 2, at, order);                                 \
            to[0] = _mm##bits##_unpacklo_epi64(a, b);                                              \
            to[1] = _mm##bits##_unpackhi_epi64(a, b);                                              \
        }                                                                                          \
    }                                                                                              \
                                                                                                   \
    DOCA_PRIV_SHA1_KERNEL(doca_priv_sha1_lanes##bits, target, doca_priv_lanes32x##bits,            \
                          doca_priv_lane_data, doca_priv_lanes_words32x##bits)                     \
    DOCA_PRIV_SHA2_KERNEL(doca_priv_sha256_lanes##bits, target, DOCA_PRIV_SHA256, 64,              \
                          doca_priv_lanes32x##bits, doca_priv_lane_data,                           \
                          doca_priv_lanes_words32x##bits)                                          \
    DOCA_PRIV_SHA2_KERNEL(doca_priv_sha512_lanes##bits, target, DOCA_PRIV_SHA512, 80,              \
                          doca_priv_lanes64x##bits, doca_priv_lane_data,                           \
                          doca_priv_lanes_words64x##bits)

DOCA_PRIV_LANES(DOCA_PRIV_SIMD_AVX2, 256, _mm256_broadcastsi128_si256)
DOCA_PRIV_LANES(DOCA_PRIV_SIMD_AVX512, 512, _mm512_broadcast_i32x4)

#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/* Of two messages with the SHA instructions, which wait for each other in one message. */
#define DOCA_PRIV_SHA256_TWO_QUADS(m, m2, t)                                                       \
    (k = DOCA_PRIV_SIMD_LOAD(doca_priv_sha256_k + (t)), wk = _mm_add_epi32(m, k),                  \
     wk2 = _mm_add_epi32(m2, k), cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk),                     \
     cdgh2 = _mm_sha256rnds2_epu32(cdgh2, abef2, wk2),                                             \
     abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(wk, 0x0e)),                        \
     abef2 = _mm_sha256rnds2_epu32(abef2, cdgh2, _mm_shuffle_epi32(wk2, 0x0e)))
#define DOCA_PRIV_SHA256_TURN(x) _mm_castsi128_ps(_mm_shuffle_epi32(x, 0x4e))

DOCA_PRIV_SIMD_TARGET static void doca_priv_sha256_two(union doca_priv_sha_state *state,
                                                       doca_priv_lane_data data, size_t num_blocks)
{
    const __m128i swapped = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    float *h = (float *)(void *)state;
    __m128 ab = _mm_loadu_ps(h), cd = _mm_loadu_ps(h + 4); /* each of both, in turn */
    __m128 ef = _mm_loadu_ps(h + 8), gh = _mm_loadu_ps(h + 12);
    __m128i abef = _mm_castps_si128(_mm_shuffle_ps(ef, ab, 0x22));
    __m128i cdgh = _mm_castps_si128(_mm_shuffle_ps(gh, cd, 0x22));
    __m128i abef2 = _mm_castps_si128(_mm_shuffle_ps(ef, ab, 0x77));
    __m128i cdgh2 = _mm_castps_si128(_mm_shuffle_ps(gh, cd, 0x77));
    __m128i abef_sum, cdgh_sum, abef2_sum, cdgh2_sum, k, wk, wk2;
    __m128i a, b, c, d, a2, b2, c2, d2;
    size_t at, t;

    for (at = 0; num_blocks > 0; num_blocks--, at += 64) {
        abef_sum = abef;
        cdgh_sum = cdgh;
        abef2_sum = abef2;
        cdgh2_sum = cdgh2;
        a = _mm_shuffle_epi8(DOCA_PRIV_SIMD_LOAD(data[0] + at), swapped);
        b = _mm_shuffle_epi8(DOCA_PRIV_SIMD_LOAD(data[0] + at + 16), swapped);
        c = _mm_shuffle_epi8(DOCA_PRIV_SIMD_LOAD(data[0] + at + 32), swapped);
        d = _mm_shuffle_epi8(DOCA_PRIV_SIMD_LOAD(data[0] + at + 48), swapped);
        a2 = _mm_shuffle_epi8(DOCA_PRIV_SIMD_LOAD(data[1] + at), swapped);
        b2 = _mm_shuffle_epi8(DOCA_PRIV_SIMD_LOAD(data[1] + at + 16), swapped);
        c2 = _mm_shuffle_epi8(DOCA_PRIV_SIMD_LOAD(data[1] + at + 32), swapped);
        d2 = _mm_shuffle_epi8(DOCA_PRIV_SIMD_LOAD(data[1] + at + 48), swapped);
        for (t = 0;; t += 16) {
            DOCA_PRIV_SHA256_TWO_QUADS(a, a2, t);
            DOCA_PRIV_SHA256_TWO_QUADS(b, b2, t + 4);
            DOCA_PRIV_SHA256_TWO_QUADS(c, c2, t + 8);
            DOCA_PRIV_SHA256_TWO_QUADS(d, d2, t + 12);
            if (t == 48)
                break;
            DOCA_PRIV_SHA256_NEXT(a, b, c, d);
            DOCA_PRIV_SHA256_NEXT(a2, b2, c2, d2);
            DOCA_PRIV_SHA256_NEXT(b, c, d, a);
            DOCA_PRIV_SHA256_NEXT(b2, c2, d2, a2);
            DOCA_PRIV_SHA256_NEXT(c, d, a, b);
            DOCA_PRIV_SHA256_NEXT(c2, d2, a2, b2);
            DOCA_PRIV_SHA256_NEXT(d, a, b, c);
            DOCA_PRIV_SHA256_NEXT(d2, a2, b2, c2);
        }
        abef = _mm_add_epi32(abef, abef_sum);
        cdgh = _mm_add_epi32(cdgh, cdgh_sum);
        abef2 = _mm_add_epi32(abef2, abef2_sum);
        cdgh2 = _mm_add_epi32(cdgh2, cdgh2_sum);
    }
    _mm_storeu_ps(h, DOCA_PRIV_SHA256_TURN(_mm_unpackhi_epi32(abef, abef2)));
    _mm_storeu_ps(h + 4, DOCA_PRIV_SHA256_TURN(_mm_unpackhi_epi32(cdgh, cdgh2)));
    _mm_storeu_ps(h + 8, DOCA_PRIV_SHA256_TURN(_mm_unpacklo_epi32(abef, abef2)));
    _mm_storeu_ps(h + 12, DOCA_PRIV_SHA256_TURN(_mm_unpacklo_epi32(cdgh, cdgh2)));
}

/* What the CPU has, and the operating system saves. */
enum { DOCA_PRIV_CPU_SHA = 1, DOCA_PRIV_CPU_AVX2 = 2, DOCA_PRIV_CPU_AVX512 = 4 };

static unsigned doca_priv_simd_cpu(void)
{
    const unsigned avx2 = 1u << 3 | 1u << 5 | 1u << 8, avx512 = 1u << 16 | 1u << 30 | 1u << 31;
    unsigned eax, ebx, ecx, edx, saved = 0, high, has = 0;

    if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
        return 0;
    if ((ecx >> 27 & 1) != 0)
        __asm__ volatile("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
    has = ecx >> 19 & 1; /* SSE4.1 */
    if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx))
        return 0;
    has &= ebx >> 29; /* SHA */
    if ((saved & 0x06) == 0x06 && (ebx & avx2) == avx2)
        has |= DOCA_PRIV_CPU_AVX2;
    if ((saved & 0xe6) == 0xe6 && (ebx & avx512) == avx512 && (has & DOCA_PRIV_CPU_AVX2) != 0)
        has |= DOCA_PRIV_CPU_AVX512;
    return has;
}

/* Lanes take as long with few messages as with many: filled by a third they are faster than one
 * message at a time, of SHA-256 by two thirds than two. */
static const struct doca_priv_sha_kernels *doca_priv_simd_sha(unsigned cpu)
{
    static const struct doca_priv_sha_kernels simd[2][3] = {
        { { { doca_priv_sha1_plain, doca_priv_sha256_plain, doca_priv_sha512_plain },
            DOCA_PRIV_LANES_NONE,
            DOCA_PRIV_LANES_NONE },
          { { doca_priv_sha1_plain, doca_priv_sha256_plain, doca_priv_sha512_simd },
            DOCA_PRIV_LANES_NONE,
            { { doca_priv_sha1_lanes256, 8, 3 },
              { doca_priv_sha256_lanes256, 8, 2 },
              { doca_priv_sha512_lanes256, 4, 3 } } },
          { { doca_priv_sha1_plain, doca_priv_sha256_plain, doca_priv_sha512_simd512 },
            DOCA_PRIV_LANES_NONE,
            { { doca_priv_sha1_lanes512, 16, 3 },
              { doca_priv_sha256_lanes512, 16, 2 },
              { doca_priv_sha512_lanes512, 8, 3 } } } },
        { { { doca_priv_sha1_simd, doca_priv_sha256_simd, doca_priv_sha512_plain },
            DOCA_PRIV_LANES_TWO,
            DOCA_PRIV_LANES_NONE },
          { { doca_priv_sha1_simd, doca_priv_sha256_simd, doca_priv_sha512_simd },
            DOCA_PRIV_LANES_TWO,
            { { doca_priv_sha1_lanes256, 8, 6 },
              DOCA_PRIV_LANES_NO,
              { doca_priv_sha512_lanes256, 4, 3 } } },
          { { doca_priv_sha1_simd512, doca_priv_sha256_simd, doca_priv_sha512_simd512 },
            DOCA_PRIV_LANES_TWO,
            { { doca_priv_sha1_lanes512, 16, 5 },
              { doca_priv_sha256_lanes512, 16, 10 },
              { doca_priv_sha512_lanes512, 8, 3 } } } },
    };

    return &simd[cpu & DOCA_PRIV_CPU_SHA][(cpu & DOCA_PRIV_CPU_AVX512) != 0 ? 2
                                          : (cpu & DOCA_PRIV_CPU_AVX2) != 0 ? 1
                                                                            : 0];
}

#elif defined(DOCA_PRIV_SIMD_ARM)

/* Of two messages with the SHA instructions, which wait for each other in one message. */
#define DOCA_PRIV_SHA256_TWO_QUADS(m, m2, t)                                                       \
    (k = vld1q_u32(doca_priv_sha256_k + (t)), before = abcd, before2 = abcd2,                      \
     wk = vaddq_u32(k, m), wk2 = vaddq_u32(k, m2), abcd = vsha256hq_u32(abcd, efgh, wk),           \
     abcd2 = vsha256hq_u32(abcd2, efgh2, wk2), efgh = vsha256h2q_u32(efgh, before, wk),            \
     efgh2 = vsha256h2q_u32(efgh2, before2, wk2))

DOCA_PRIV_SIMD_TARGET static void doca_priv_sha256_two(union doca_priv_sha_state *state,
                                                       const unsigned char *const *data,
                                                       size_t num_blocks)
{
    uint32_t *h = (uint32_t *)(void *)state;
    uint32x4x2_t abcds = vld2q_u32(h), efghs = vld2q_u32(h + 8); /* of both */
    uint32x4_t abcd = abcds.val[0], efgh = efghs.val[0], abcd2 = abcds.val[1];
    uint32x4_t efgh2 = efghs.val[1], k, wk, wk2, before, before2, a, b, c, d, a2, b2, c2, d2;
    size_t at, t;

    for (at = 0; num_blocks > 0; num_blocks--, at += 64) {
        a = DOCA_PRIV_SIMD_WORDS32(data[0] + at, 0);
        b = DOCA_PRIV_SIMD_WORDS32(data[0] + at, 4);
        c = DOCA_PRIV_SIMD_WORDS32(data[0] + at, 8);
        d = DOCA_PRIV_SIMD_WORDS32(data[0] + at, 12);
        a2 = DOCA_PRIV_SIMD_WORDS32(data[1] + at, 0);
        b2 = DOCA_PRIV_SIMD_WORDS32(data[1] + at, 4);
        c2 = DOCA_PRIV_SIMD_WORDS32(data[1] + at, 8);
        d2 = DOCA_PRIV_SIMD_WORDS32(data[1] + at, 12);
        for (t = 0;; t += 16) {
            DOCA_PRIV_SHA256_TWO_QUADS(a, a2, t);
            DOCA_PRIV_SHA256_TWO_QUADS(b, b2, t + 4);
            DOCA_PRIV_SHA256_TWO_QUADS(c, c2, t + 8);
            DOCA_PRIV_SHA256_TWO_QUADS(d, d2, t + 12);
            if (t == 48)
                break;
            DOCA_PRIV_SHA256_NEXT(a, b, c, d);
            DOCA_PRIV_SHA256_NEXT(a2, b2, c2, d2);
            DOCA_PRIV_SHA256_NEXT(b, c, d, a);
            DOCA_PRIV_SHA256_NEXT(b2, c2, d2, a2);
            DOCA_PRIV_SHA256_NEXT(c, d, a, b);
            DOCA_PRIV_SHA256_NEXT(c2, d2, a2, b2);
            DOCA_PRIV_SHA256_NEXT(d, a, b, c);
            DOCA_PRIV_SHA256_NEXT(d2, a2, b2, c2);
        }
        abcd = abcds.val[0] = vaddq_u32(abcd, abcds.val[0]);
        efgh = efghs.val[0] = vaddq_u32(efgh, efghs.val[0]);
        abcd2 = abcds.val[1] = vaddq_u32(abcd2, abcds.val[1]);
        efgh2 = efghs.val[1] = vaddq_u32(efgh2, efghs.val[1]);
    }
    vst2q_u32(h, abcds);
    vst2q_u32(h + 8, efghs);
}

enum { DOCA_PRIV_CPU_SHA = 1, DOCA_PRIV_CPU_SHA512 = 2 };

/* Linux says what the CPU has: bits HWCAP_SHA1, _SHA2 and _SHA512 of its manual. Without an
 * operating system to ask, the compiler was told. */
static unsigned doca_priv_simd_cpu(void)
{
#if defined(__linux__)
    unsigned long has = getauxval(AT_HWCAP);

    if ((has >> 5 & 3) != 3)
        return 0;
    return (has >> 21 & 1) != 0 ? DOCA_PRIV_CPU_SHA | DOCA_PRIV_CPU_SHA512 : DOCA_PRIV_CPU_SHA;
#else
    return DOCA_PRIV_CPU_SHA;
#endif
}

static const struct doca_priv_sha_kernels *doca_priv_simd_sha(unsigned cpu)
{
    static const struct doca_priv_sha_kernels simd[3] = {
        { { doca_priv_sha1_plain, doca_priv_sha256_plain, doca_priv_sha512_plain },
          DOCA_PRIV_LANES_NONE,
          DOCA_PRIV_LANES_NONE },
        { { doca_priv_sha1_simd, doca_priv_sha256_simd, doca_priv_sha512_plain },
          DOCA_PRIV_LANES_TWO,
          DOCA_PRIV_LANES_NONE },
        { { doca_priv_sha1_simd, doca_priv_sha256_simd, doca_priv_sha512_simd },
          DOCA_PRIV_LANES_TWO,
          DOCA_PRIV_LANES_NONE },
    };

    return &simd[(cpu & DOCA_PRIV_CPU_SHA512) != 0 ? 2 : cpu];
}

#else

static unsigned doca_priv_simd_cpu(void)
{
    return 0;
}

static const struct doca_priv_sha_kernels *doca_priv_simd_sha(unsigned cpu)
{
    static const struct doca_priv_sha_kernels plain = {
        { doca_priv_sha1_plain, doca_priv_sha256_plain, doca_priv_sha512_plain },
        DOCA_PRIV_LANES_NONE,
        DOCA_PRIV_LANES_NONE
    };

    (void)cpu;
    return &plain;
}

#endif

/* The kernels of the software device. Chosen once; threads that come at the same time make the same
 * choice. */
static const struct doca_priv_sha_kernels *doca_priv_sha_choice(void)
{
    static const struct doca_priv_sha_kernels *chosen;
    const struct doca_priv_sha_kernels *kernels = DOCA_PRIV_LOAD(&chosen);

    if (kernels == NULL) {
        kernels = doca_priv_simd_sha(doca_priv_simd_cpu());
        DOCA_PRIV_STORE(&chosen, kernels);
    }
    return kernels;
}

/* A message that lies in one piece, on its way: what is left of its whole blocks, then its tail. */
struct doca_priv_sha_message {
    const unsigned char *data;
    size_t num_blocks; /* at `data`; 0: it is hashed */
    size_t num_tail;   /* blocks of `tail`; 0: `data` has come there */
    union doca_priv_sha_state state;
    unsigned char tail[DOCA_PRIV_SHA_TAIL];
};

static void doca_priv_sha_message_advance(struct doca_priv_sha_message *m, uint8_t algorithm,
                                          size_t num_blocks)
{
    m->data += num_blocks << doca_priv_sha_log_block(algorithm);
    m->num_blocks -= num_blocks;
    if (m->num_blocks == 0) {
        m->data = m->tail;
        m->num_blocks = m->num_tail;
        m->num_tail = 0;
    }
}

static void doca_priv_sha_message_begin(struct doca_priv_sha_message *m, uint8_t algorithm,
                                        const unsigned char *data, size_t len)
{
    unsigned log_block = doca_priv_sha_log_block(algorithm);

    doca_priv_sha_begin(&m->state, algorithm);
    m->data = data;
    m->num_blocks = len >> log_block;
    m->num_tail = doca_priv_sha_copy_tail(m->tail, data, len, log_block);
    doca_priv_sha_message_advance(m, algorithm, 0);
}

/* The hashes of the messages in all lanes. */
struct doca_priv_sha_in_lanes {
    DOCA_CORE_ALIGNED union {
        uint32_t w32[8 * DOCA_PRIV_SHA_GROUP];
        uint64_t w64[8 * DOCA_PRIV_SHA_GROUP / 2];
    } state;
    size_t num;
    uint8_t algorithm;
};

/* Put the hash of a message into a lane, or take it out. */
static void doca_priv_sha_lane_enter(struct doca_priv_sha_in_lanes *in, size_t lane,
                                     const struct doca_priv_sha_message *m)
{
    size_t i;

    for (i = 0; i < 8; i++, lane += in->num)
        if (in->algorithm == DOCA_SHA_ALGORITHM_SHA512)
            in->state.w64[lane] = m->state.w64[i];
        else
            in->state.w32[lane] = m->state.w32[i];
}

static void doca_priv_sha_lane_leave(const struct doca_priv_sha_in_lanes *in, size_t lane,
                                     struct doca_priv_sha_message *m)
{
    size_t i;

    for (i = 0; i < 8; i++, lane += in->num)
        if (in->algorithm == DOCA_SHA_ALGORITHM_SHA512)
            m->state.w64[i] = in->state.w64[lane];
        else
            m->state.w32[i] = in->state.w32[lane];
}

/* Hash messages, the first `used` of them in lanes, until there are too few for these; give the
 * number of those that are left. */
static size_t doca_priv_sha_run_lanes(const struct doca_priv_sha_lanes *lanes, uint8_t algorithm,
                                      struct doca_priv_sha_message **left, size_t num)
{
    size_t used = num < lanes->num ? num : lanes->num, i, num_blocks;
    const unsigned char *data[DOCA_PRIV_SHA_GROUP];
    struct doca_priv_sha_in_lanes in;

    in.num = lanes->num;
    in.algorithm = algorithm;
    for (i = 0; i < in.num; i++)
        doca_priv_sha_lane_enter(&in, i, left[i < used ? i : 0]);
    while (num >= lanes->from) {
        num_blocks = left[0]->num_blocks;
        for (i = 0; i < in.num; i++) {
            data[i] = left[i < used ? i : 0]->data; /* lanes without a message do as the first */
            if (i < used && left[i]->num_blocks < num_blocks)
                num_blocks = left[i]->num_blocks;
        }
        lanes->run((union doca_priv_sha_state *)(void *)&in.state, data, num_blocks);
        for (i = used; i-- > 0;) {
            doca_priv_sha_message_advance(left[i], algorithm, num_blocks);
            if (left[i]->num_blocks > 0)
                continue;
            doca_priv_sha_lane_leave(&in, i, left[i]);
            if (--num >= used) { /* the lane is for one that waits, else for the last one */
                left[i] = left[num];
                doca_priv_sha_lane_enter(&in, i, left[i]);
            } else if (i != --used) {
                left[i] = left[used];
                doca_priv_sha_lane_leave(&in, used, left[i]);
                doca_priv_sha_lane_enter(&in, i, left[i]);
            }
        }
    }
    for (i = 0; i < used; i++)
        doca_priv_sha_lane_leave(&in, i, left[i]);
    return num;
}

/* Hash up to DOCA_PRIV_SHA_GROUP messages that have begun. */
static void doca_priv_sha_hash_group(const struct doca_priv_sha_kernels *kernels, uint8_t algorithm,
                                     struct doca_priv_sha_message *messages, size_t num)
{
    struct doca_priv_sha_message *left[DOCA_PRIV_SHA_GROUP], *m;
    size_t i;

    for (i = 0; i < num; i++)
        left[i] = &messages[i];
    if (num >= kernels->many[algorithm].from)
        num = doca_priv_sha_run_lanes(&kernels->many[algorithm], algorithm, left, num);
    if (num >= kernels->few[algorithm].from)
        num = doca_priv_sha_run_lanes(&kernels->few[algorithm], algorithm, left, num);
    while (num > 0) {
        for (m = left[--num]; m->num_blocks > 0;) {
            kernels->one[algorithm](&m->state, m->data, m->num_blocks);
            doca_priv_sha_message_advance(m, algorithm, m->num_blocks);
        }
    }
}

/* ---- >>impl.sw ------------------------------------------------------------------------------
 * A queue is a list of tasks in the order of their submission; poll executes the first one.     */

/* To the software device a PD is a name: any will do. */
static doca_error_t doca_priv_sw_open_from_pd(struct doca_dev *dev, struct ibv_pd *pd)
{
    const struct doca_priv_sw_row *rows;
    uint32_t num;

    (void)pd;
    doca_priv_lock(&doca_priv_sw.lock);
    rows = doca_priv_sw_rows();
    num = doca_priv_sw.num_rows;
    if (num > 0)
        (void)doca_priv_sw_tell(&rows[0], &dev->info.attr, 1, 0);
    doca_priv_unlock(&doca_priv_sw.lock);
    return num > 0 ? DOCA_SUCCESS : DOCA_ERROR_NOT_CONNECTED;
}

static doca_error_t doca_priv_sw_reg(struct doca_dev *dev, void *addr, size_t len, uint32_t access,
                                     uint32_t *mkey)
{
    (void)dev;
    (void)addr;
    (void)len;
    (void)access;
    do
        *mkey = doca_priv_serial();
    while (*mkey == 0); /* which means that there is none */
    return DOCA_SUCCESS;
}

#define DOCA_PRIV_SW_SMALL 64 /* bytes of the largest small copy */

struct doca_priv_sw_dma_queue {
    struct doca_core_queue queue;
    uint16_t usual; /* how a buf begins, alone, writable, of an mmap on this device only; or 0 */
    uint64_t max_bytes; /* the device's limit, kept near */
};

struct doca_priv_sw_sha_queue {
    struct doca_core_queue queue;
    const struct doca_priv_sha_kernels *kernels;
    uint32_t num_done;  /* at the head of the list: executed, to be handed over, */
    uint32_t num_alone; /* or to be executed one at a time */
};

DOCA_PRIV_ASSERT_STATIC(sw_queues_fit,
                        sizeof(struct doca_priv_sw_dma_queue) <= DOCA_CORE_SW_BYTES_QUEUE &&
                            sizeof(struct doca_priv_sw_sha_queue) <= DOCA_CORE_SW_BYTES_QUEUE);

#ifdef DOCA_PRIV_STREAMS

/* A destination of so many bytes pushes everything else out of the caches, to be read by nobody;
 * one that is shorter does not, where source and destination fit into the last of them. */
#define DOCA_PRIV_SW_STREAM_BYTES ((size_t)32 << 20)
#define DOCA_PRIV_SW_STREAM_ALWAYS ((size_t)64 << 20)

#define DOCA_PRIV_SW_STREAM_PAGES 4 /* written in turn, so that as many pages of memory are open */

/* Bytes of the largest cache, as the CPU describes it to programs: Intel's, or AMD's. */
static size_t doca_priv_sw_cache_bytes(void)
{
    static const unsigned leaves[2] = { 4, 0x8000001d };
    unsigned leaf, i, eax, ebx, ecx, edx;
    size_t most = 0, bytes;

    for (leaf = 0; leaf < 2; leaf++) {
        for (i = 0; i < 8 && __get_cpuid_count(leaves[leaf], i, &eax, &ebx, &ecx, &edx) != 0 &&
                    (eax & 31) != 0; i++) {
            bytes = ((size_t)(ebx >> 22) + 1) * ((ebx >> 12 & 1023) + 1) * ((ebx & 4095) + 1) *
                    ((size_t)ecx + 1);
            most = bytes > most ? bytes : most;
        }
    }
    return most;
}

/* Copy past the caches; `to` begins a line. Give the bytes copied, the rest is less than a group of
 * pages. */
typedef size_t doca_priv_sw_stream(unsigned char *to, const unsigned char *from, size_t len);

#define DOCA_PRIV_SW_STREAM(name, target, vector, load, store)                                     \
    target static size_t name(unsigned char *to, const unsigned char *from, size_t len)            \
    {                                                                                              \
        const size_t page = 4096, group = page * DOCA_PRIV_SW_STREAM_PAGES;                        \
        vector line[DOCA_CORE_LINE / sizeof(vector)];                                              \
        size_t begin, at, i, k;                                                                    \
                                                                                                   \
        for (begin = 0; len - begin >= group; begin += group) {                                    \
            for (i = 0; i < page; i += DOCA_CORE_LINE) {                                           \
                for (at = begin + i; at < begin + group; at += page) {                             \
                    for (k = 0; k < DOCA_CORE_LINE / sizeof(vector); k++)                          \
                        line[k] = load((const vector *)(const void *)(from + at) + k);             \
                    for (k = 0; k < DOCA_CORE_LINE / sizeof(vector); k++)                          \
                        store((vector *)(void *)(to + at) + k, line[k]);                           \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        _mm_sfence(); /* these stores have an order of their own */                                \
        return begin;                                                                              \
    }

DOCA_PRIV_SW_STREAM(doca_priv_sw_stream_sse2, , __m128i, _mm_loadu_si128, _mm_stream_si128)
DOCA_PRIV_SW_STREAM(doca_priv_sw_stream_avx2, DOCA_PRIV_SIMD_AVX2, __m256i, _mm256_loadu_si256,
                    _mm256_stream_si256)

/* What to copy so many bytes with; NULL: they stay in the caches. The CPU is asked once: an answer
 * may take longer than a small copy. */
static doca_priv_sw_stream *doca_priv_sw_stream_for(size_t len)
{
    static size_t known; /* bytes of the largest cache, a multiple of 64; 1: it has AVX2; 2 */
    size_t cpu = DOCA_PRIV_LOAD(&known);

    if (cpu == 0) {
        cpu = (doca_priv_sw_cache_bytes() & ~(size_t)63) | 2;
        if ((doca_priv_simd_cpu() & DOCA_PRIV_CPU_AVX2) != 0)
            cpu |= 1;
        DOCA_PRIV_STORE(&known, cpu);
    }
    if (len < DOCA_PRIV_SW_STREAM_ALWAYS && len <= cpu / 2)
        return NULL;
    return (cpu & 1) != 0 ? doca_priv_sw_stream_avx2 : doca_priv_sw_stream_sse2;
}

DOCA_PRIV_APART void doca_priv_sw_copy_large(unsigned char *to, const unsigned char *from,
                                             size_t len)
{
    doca_priv_sw_stream *stream = doca_priv_sw_stream_for(len);
    size_t done = 0;

    if (stream != NULL && (uintptr_t)to - (uintptr_t)from >= len &&
        (uintptr_t)from - (uintptr_t)to >= len) {
        done = (size_t)(-(uintptr_t)to % DOCA_CORE_LINE);
        DOCA_CORE_MEMMOVE(to, from, done);
        done += stream(to + done, from + done, len - done);
    }
    DOCA_CORE_MEMMOVE(to + done, from + done, len - done);
}

/* As memmove does. */
DOCA_PRIV_HOT void doca_priv_sw_copy(unsigned char *to, const unsigned char *from, size_t len)
{
    if (doca_unlikely(len >= DOCA_PRIV_SW_STREAM_BYTES))
        doca_priv_sw_copy_large(to, from, len);
    else
        DOCA_CORE_MEMMOVE(to, from, len);
}
#else
#define doca_priv_sw_copy DOCA_CORE_MEMMOVE
#endif

/* Write behind the content of the list `dst`, which has the room; give the element where the next
 * byte goes. */
static struct doca_buf *doca_priv_sw_append(struct doca_buf *dst, const unsigned char *from,
                                            size_t len)
{
    size_t room, n;

    while (len > 0) {
        room = doca_priv_buf_tailroom(dst);
        if (room == 0) {
            dst = dst->next;
            continue;
        }
        n = len < room ? len : room;
        doca_priv_sw_copy(dst->data + dst->data_len, from, n);
        dst->data_len += n;
        from += n;
        len -= n;
    }
    return dst;
}

/* Where the byte at `at` of an mmap, NULL for none, is in this process; NULL: in another one. */
static unsigned char *doca_priv_sw_local(const struct doca_mmap *mmap, const unsigned char *at)
{
    if (mmap == NULL || mmap->far == NULL)
        return (unsigned char *)(uintptr_t)at;
    return mmap->far->view != NULL ? mmap->far->view + (at - mmap->addr) : NULL;
}

/* Put `len` bytes on the trip, and let it go when it is full or was to somewhere else. */
static enum doca_core_item doca_priv_sw_send(struct doca_priv_far_trip *trip,
                                             const struct doca_priv_far *far, bool is_write,
                                             unsigned char *local, const unsigned char *remote,
                                             size_t len)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    size_t n;

    while (len > 0 && item == DOCA_CORE_ITEM_NONE) {
        if (trip->num == DOCA_PRIV_FAR_PIECES || trip->bytes == DOCA_PRIV_FAR_BYTES ||
            (trip->num > 0 && (trip->far != far || trip->is_write != is_write)))
            item = doca_priv_far_go(trip);
        n = DOCA_PRIV_FAR_BYTES - trip->bytes;
        if (n > len)
            n = len;
        trip->far = far;
        trip->is_write = is_write;
        doca_priv_far_add(trip, local, (uintptr_t)remote, n);
        local += n;
        remote += n;
        len -= n;
    }
    return item;
}

#define DOCA_PRIV_SW_BOUNCE 8192 /* bytes of stack, for what cannot go directly */

/* Copy between two exporters, or with an overlap: as memmove does. NULL: this process. */
static enum doca_core_item doca_priv_sw_bounce(const struct doca_priv_far *to_far,
                                               unsigned char *to,
                                               const struct doca_priv_far *from_far,
                                               unsigned char *from, size_t len, bool backwards)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    unsigned char bounce[DOCA_PRIV_SW_BOUNCE];
    struct doca_priv_far_trip trip;
    size_t done, n, at;

    trip.num = 0;
    trip.bytes = 0;
    for (done = 0; done < len && item == DOCA_CORE_ITEM_NONE; done += n) {
        n = len - done < sizeof(bounce) ? len - done : sizeof(bounce);
        at = backwards ? len - done - n : done;
        if (from_far == NULL)
            DOCA_CORE_MEMCPY(bounce, from + at, n);
        else
            item = doca_priv_sw_send(&trip, from_far, false, bounce, from + at, n);
        if (item == DOCA_CORE_ITEM_NONE && to_far != NULL)
            item = doca_priv_sw_send(&trip, to_far, true, bounce, to + at, n);
        if (item == DOCA_CORE_ITEM_NONE)
            item = doca_priv_far_go(&trip);
        if (item == DOCA_CORE_ITEM_NONE && to_far == NULL)
            DOCA_CORE_MEMCPY(to + at, bounce, n);
    }
    return item;
}

/* Copy `len` bytes at `from` of an mmap, NULL for this process's own memory, to `to` of another
 * one. Not later than with the trip. */
static enum doca_core_item doca_priv_sw_carry(struct doca_priv_far_trip *trip,
                                              const struct doca_mmap *to_map, unsigned char *to,
                                              const struct doca_mmap *from_map,
                                              unsigned char *from, size_t len)
{
    unsigned char *local_to = doca_priv_sw_local(to_map, to);
    unsigned char *local_from = doca_priv_sw_local(from_map, from);
    uint32_t to_pid = 0, from_pid = 0;
    uintptr_t to_at, from_at;
    bool overlaps;

    if (local_to != NULL && local_from != NULL) {
        DOCA_CORE_MEMMOVE(local_to, local_from, len);
        return DOCA_CORE_ITEM_NONE;
    }
    to_at = doca_priv_far_place(to_map, to, &to_pid);
    from_at = from_map == NULL ? (uintptr_t)from : doca_priv_far_place(from_map, from, &from_pid);
    overlaps = to_pid == from_pid && to_at < from_at + len && from_at < to_at + len;
    if (overlaps || (local_to == NULL && local_from == NULL))
        return doca_priv_sw_bounce(local_to != NULL ? NULL : to_map->far,
                                   local_to != NULL ? local_to : to,
                                   local_from != NULL ? NULL : from_map->far,
                                   local_from != NULL ? local_from : from, len,
                                   overlaps && to_at > from_at);
    return local_to != NULL ? doca_priv_sw_send(trip, from_map->far, false, local_to, from, len)
                            : doca_priv_sw_send(trip, to_map->far, true, local_from, to, len);
}

/* Where the next byte of a task goes whose lists are far. Contents grow at the end of it, all of
 * them or none. */
struct doca_priv_sw_out {
    const struct doca_buf *buf;
    size_t filled; /* of its tailroom */
    struct doca_priv_far_trip trip;
};

static void doca_priv_sw_out_begin(struct doca_priv_sw_out *out, const struct doca_buf *dst)
{
    out->buf = dst;
    out->filled = 0;
    out->trip.num = 0;
    out->trip.bytes = 0;
}

/* Write `len` bytes at `from` in an mmap, NULL for this process's own memory, behind what was
 * written before. There is room. */
static enum doca_core_item doca_priv_sw_far_append(struct doca_priv_sw_out *out,
                                                   const struct doca_mmap *mmap,
                                                   unsigned char *from, size_t len)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    size_t n;

    for (; len > 0 && item == DOCA_CORE_ITEM_NONE; from += n, len -= n, out->filled += n) {
        n = doca_priv_buf_tailroom(out->buf) - out->filled;
        if (n == 0) {
            out->buf = out->buf->next;
            out->filled = 0;
            continue;
        }
        n = len < n ? len : n;
        item = doca_priv_sw_carry(&out->trip, out->buf->mmap,
                                  out->buf->data + out->buf->data_len + out->filled, mmap, from, n);
    }
    return item;
}

/* Let what is under way arrive, and the contents of `dst` grow by `len` bytes. */
static enum doca_core_item doca_priv_sw_out_end(struct doca_priv_sw_out *out, struct doca_buf *dst,
                                                uint64_t len)
{
    enum doca_core_item item = doca_priv_far_go(&out->trip);
    size_t room;

    for (; item == DOCA_CORE_ITEM_NONE && len > 0; dst = dst->next) {
        room = doca_priv_buf_tailroom(dst);
        if (room > len)
            room = (size_t)len;
        dst->data_len += room;
        len -= room;
    }
    return item;
}

/* Tell the dmabufs behind a list that the CPU begins, or ends, to use them. */
static void doca_priv_sw_sync(const struct doca_buf *buf, bool begins)
{
    for (; buf != NULL; buf = buf->next)
        if (buf->mmap->far != NULL && buf->mmap->far->view != NULL)
            doca_priv_sys_dmabuf_sync(buf->mmap->far->dmabuf_fd, begins);
}

/* Copy between lists that are not, or not all, in this process. */
DOCA_PRIV_COLD enum doca_core_item doca_priv_sw_memcpy_far(struct doca_dma_task_memcpy *t)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_sw_out out;
    const struct doca_buf *src;
    uint64_t len = 0;

    doca_priv_sw_sync(t->src, true);
    doca_priv_sw_sync(t->dst, true);
    doca_priv_sw_out_begin(&out, t->dst);
    for (src = t->src; src != NULL && item == DOCA_CORE_ITEM_NONE; src = src->next) {
        item = doca_priv_sw_far_append(&out, src->mmap, src->data, src->data_len);
        len += src->data_len;
    }
    if (item == DOCA_CORE_ITEM_NONE)
        item = doca_priv_sw_out_end(&out, t->dst, len);
    doca_priv_sw_sync(t->dst, false);
    doca_priv_sw_sync(t->src, false);
    return item;
}

/* Lists, memory that is elsewhere, and everything that may be wrong. */
static doca_error_t doca_priv_sw_memcpy_slow(struct doca_dma_task_memcpy *t)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_buf *dst = t->dst;
    const struct doca_buf *src;
    bool is_far = false;

    if (doca_priv_dma_inspect(t, &is_far, &item) == DOCA_SUCCESS && is_far)
        item = doca_priv_sw_memcpy_far(t);
    if (doca_unlikely(item != DOCA_CORE_ITEM_NONE))
        return doca_priv_fail(DOCA_ERROR_IO_FAILED, item, "doca_pe_progress", t);
    for (src = t->src; !is_far && src != NULL; src = src->next)
        dst = doca_priv_sw_append(dst, src->data, src->data_len);
    return DOCA_SUCCESS;
}

/* Copy 32 to 64 bytes, as memmove does: everything is read before something is written. */
DOCA_PRIV_HOT void doca_priv_sw_copy_small(unsigned char *to, const unsigned char *from, size_t len)
{
    struct {
        uint64_t half[2];
    } a, b, c, d;

    DOCA_PRIV_COPY(&a, from, sizeof(a));
    DOCA_PRIV_COPY(&b, from + sizeof(a), sizeof(b));
    from += len;
    DOCA_PRIV_COPY(&c, from - 2 * sizeof(c), sizeof(c));
    DOCA_PRIV_COPY(&d, from - sizeof(d), sizeof(d));
    DOCA_PRIV_COPY(to, &a, sizeof(a));
    DOCA_PRIV_COPY(to + sizeof(a), &b, sizeof(b));
    to += len;
    DOCA_PRIV_COPY(to - 2 * sizeof(c), &c, sizeof(c));
    DOCA_PRIV_COPY(to - sizeof(d), &d, sizeof(d));
}

/* How a buf begins: kind and flags. */
DOCA_PRIV_HOT uint16_t doca_priv_buf_begin_of(uint8_t kind, uint8_t flags)
{
    const uint8_t begin[2] = { kind, flags };
    uint16_t word;

    DOCA_PRIV_COPY(&word, begin, sizeof(word));
    return word;
}

DOCA_PRIV_HOT uint16_t doca_priv_buf_begin(const struct doca_buf *buf)
{
    uint16_t word;

    DOCA_PRIV_COPY(&word, buf, sizeof(word));
    return word;
}

/* Is it between two single bufs, alive, writable, mapped, with room? len - 1 makes an empty source
 * too long. */
DOCA_PRIV_HOT bool doca_priv_sw_memcpy_is_plain(const struct doca_priv_sw_dma_queue *q,
                                                const struct doca_dma_task_memcpy *t)
{
    const struct doca_buf *src = t->src, *dst = t->dst;

    return doca_priv_is_buf(src) && doca_priv_is_buf(dst) && src->next == NULL &&
           dst->next == NULL && src->flags != 0 && (dst->flags & DOCA_PRIV_BUF_WRITE) != 0 &&
           (src->mmap->dev_mask & dst->mmap->dev_mask & q->queue.dev->bit) != 0 &&
           src->data_len - 1 < doca_priv_buf_tailroom(dst) && src->data_len <= q->max_bytes;
}

/* Copy between two bufs, or what else a task may have. */
static doca_error_t doca_priv_sw_memcpy(const struct doca_priv_sw_dma_queue *q,
                                        struct doca_dma_task_memcpy *t)
{
    struct doca_buf *dst = t->dst;

    if (doca_unlikely(!doca_priv_sw_memcpy_is_plain(q, t)))
        return doca_priv_sw_memcpy_slow(t);
    doca_priv_sw_copy(dst->data + dst->data_len, t->src->data, t->src->data_len);
    dst->data_len += t->src->data_len;
    return DOCA_SUCCESS;
}

DOCA_PRIV_APART struct doca_task *doca_priv_sw_dma_other(const struct doca_priv_sw_dma_queue *q,
                                                         struct doca_dma_task_memcpy *t)
{
    t->task.status = (uint8_t)doca_priv_sw_memcpy(q, t);
    return &t->task;
}

/* Between usual bufs more than a line, or less than half of one. */
DOCA_PRIV_APART struct doca_task *doca_priv_sw_dma_copy(const struct doca_priv_sw_dma_queue *q,
                                                        struct doca_dma_task_memcpy *t, size_t len)
{
    unsigned char *to = t->dst->data + t->dst->data_len;

    if (doca_unlikely(len - 1 >= q->max_bytes || len > doca_priv_buf_tailroom(t->dst)))
        return doca_priv_sw_dma_other(q, t); /* len - 1: 0 is too much */
    t->dst->data_len += len;
    t->task.status = DOCA_SUCCESS;
    doca_priv_sw_copy(to, t->src->data, len);
    return &t->task;
}

static struct doca_task *doca_priv_sw_dma_poll(struct doca_core_queue *queue)
{
    struct doca_priv_sw_dma_queue *q = (struct doca_priv_sw_dma_queue *)(void *)queue;
    struct doca_dma_task_memcpy *t = (struct doca_dma_task_memcpy *)(void *)queue->first;
    const struct doca_buf *src;
    struct doca_buf *dst;
    uintptr_t to;
    size_t len;

    if (t == NULL)
        return NULL;
    queue->first = t->task.next;
    DOCA_PRIV_PREFETCH(queue->first); /* of thousands under way it is in no near cache */
    src = t->src;
    dst = t->dst;
    len = src->data_len;
    if (doca_unlikely((doca_priv_buf_begin(src) | doca_priv_buf_begin_of(0, DOCA_PRIV_BUF_WRITE)) !=
                          q->usual ||
                      doca_priv_buf_begin(dst) != q->usual))
        return doca_priv_sw_dma_other(q, t);
    if (doca_unlikely(len - 32 > DOCA_PRIV_SW_SMALL - 32))
        return doca_priv_sw_dma_copy(q, t, len);
    to = (uintptr_t)dst->data + dst->data_len;
    if (doca_unlikely(to + len > (uintptr_t)dst->end)) /* usual ones do not end with all memory */
        return doca_priv_sw_dma_other(q, t);
    dst->data_len += len;
    t->task.status = DOCA_SUCCESS;
    doca_priv_sw_copy_small((unsigned char *)to, src->data, len);
    return &t->task;
}

/* ---- >>impl.sw.hash -------------------------------------------------------------------------
 * Poll of a hash queue executes the first task, or as many of the first as go together; these stay
 * in the list until they are handed over.                                                       */

/* Hash the content of one buffer, wherever it is. */
static enum doca_core_item doca_priv_sw_absorb(struct doca_priv_sha_stream *s,
                                               const struct doca_buf *src)
{
    const unsigned char *local = doca_priv_sw_local(src->mmap, src->data);
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    unsigned char bounce[DOCA_PRIV_SW_BOUNCE];
    struct doca_priv_far_trip trip;
    size_t done, n;

    if (local != NULL) {
        doca_priv_sha_absorb(s, local, src->data_len);
        return item;
    }
    trip.num = 0;
    trip.bytes = 0;
    for (done = 0; done < src->data_len && item == DOCA_CORE_ITEM_NONE; done += n) {
        n = src->data_len - done < sizeof(bounce) ? src->data_len - done : sizeof(bounce);
        item = doca_priv_sw_send(&trip, src->mmap->far, false, bounce, src->data + done, n);
        if (item == DOCA_CORE_ITEM_NONE)
            item = doca_priv_far_go(&trip);
        if (item == DOCA_CORE_ITEM_NONE)
            doca_priv_sha_absorb(s, bounce, n);
    }
    return item;
}

/* Append a digest of `len` bytes to a list that is not, or not all, in this process. */
static enum doca_core_item doca_priv_sw_put_far(struct doca_buf *dst, unsigned char *digest,
                                                size_t len)
{
    struct doca_priv_sw_out out;
    enum doca_core_item item;

    doca_priv_sw_out_begin(&out, dst);
    doca_priv_sw_sync(dst, true);
    item = doca_priv_sw_far_append(&out, NULL, digest, len);
    if (item == DOCA_CORE_ITEM_NONE)
        item = doca_priv_sw_out_end(&out, dst, len);
    doca_priv_sw_sync(dst, false);
    return item;
}

/* Bring a message, or a segment of one, into `s`. */
static enum doca_core_item doca_priv_sw_hash_src(struct doca_priv_sha_stream *s,
                                                 const struct doca_buf *src, bool is_far)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    const struct doca_buf *buf;

    if (!is_far) {
        for (buf = src; buf != NULL; buf = buf->next)
            doca_priv_sha_absorb(s, buf->data, buf->data_len);
        return item;
    }
    doca_priv_sw_sync(src, true);
    for (buf = src; buf != NULL && item == DOCA_CORE_ITEM_NONE; buf = buf->next)
        item = doca_priv_sw_absorb(s, buf);
    doca_priv_sw_sync(src, false);
    return item;
}

/* Hash a message, or a segment of one. */
static doca_error_t doca_priv_sw_hash(struct doca_sha_task_hash *t,
                                      const doca_priv_sha_compress_t *compress)
{
    struct doca_sha_task_partial_hash *partial =
        t->task.type == DOCA_CORE_SHA_PARTIAL ? (struct doca_sha_task_partial_hash *)(void *)t
                                              : NULL;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    unsigned char digest[sizeof(union doca_priv_sha_state)];
    struct doca_priv_sha_stream s;
    bool is_far = false;
    size_t len;

    if (doca_priv_sha_inspect(t, &is_far, &item) != DOCA_SUCCESS)
        return doca_priv_fail(DOCA_ERROR_IO_FAILED, item, "doca_pe_progress", t);
    s.compress = compress[t->algorithm];
    s.block_bytes = doca_priv_sha_sizes[t->algorithm].block;
    s.fill = 0;
    s.bytes = 0;
    if (t->session == DOCA_PRIV_SHA_OPEN) {
        s.state = partial->state;
        s.bytes = partial->bytes;
    } else {
        doca_priv_sha_begin(&s.state, t->algorithm);
    }
    item = doca_priv_sw_hash_src(&s, t->src, is_far);
    if (item == DOCA_CORE_ITEM_NONE && partial != NULL && !t->is_final) {
        partial->state = s.state;
        partial->bytes = s.bytes;
    } else if (item == DOCA_CORE_ITEM_NONE) {
        doca_priv_sha_finish(&s);
        doca_priv_sha_put(&s.state, t->algorithm, digest);
        len = doca_priv_sha_sizes[t->algorithm].digest;
        if (is_far)
            item = doca_priv_sw_put_far(t->dst, digest, len);
        else
            (void)doca_priv_sw_append(t->dst, digest, len);
    }
    return item == DOCA_CORE_ITEM_NONE
               ? DOCA_SUCCESS
               : doca_priv_fail(DOCA_ERROR_IO_FAILED, item, "doca_pe_progress", t);
}

/* Is it a whole message in one buffer of this process, to one as well, with nothing wrong? */
DOCA_PRIV_HOT bool doca_priv_sw_hash_is_plain(const struct doca_sha_task_hash *t,
                                              const struct doca_dev *dev)
{
    const struct doca_buf *src = t->src, *dst = t->dst;

    return t->task.type == DOCA_CORE_SHA_HASH && src->next == NULL && dst->next == NULL &&
           src->flags != 0 && (dst->flags & DOCA_PRIV_BUF_WRITE) != 0 &&
           (src->mmap->dev_mask & dst->mmap->dev_mask & dev->bit) != 0 &&
           src->data_len <= dev->info.attr.limits.sha_max_src_buf_size &&
           doca_priv_buf_tailroom(dst) >= doca_priv_sha_sizes[t->algorithm].digest;
}

/* A task is done: let its destination grow by the digest. */
DOCA_PRIV_HOT void doca_priv_sw_hash_end(struct doca_sha_task_hash *t)
{
    t->dst->data_len += doca_priv_sha_sizes[t->algorithm].digest;
    t->task.status = DOCA_SUCCESS;
}

/* Where the digest of a task goes. */
DOCA_PRIV_HOT unsigned char *doca_priv_sw_hash_to(const struct doca_sha_task_hash *t)
{
    return t->dst->data + t->dst->data_len;
}

/* May the task at the end be hashed together with those before it? Not if it wants to see, or would
 * write, what one of them writes. */
static bool doca_priv_sw_hash_is_apart(struct doca_sha_task_hash *const *tasks, uint32_t num)
{
    const struct doca_buf *src = tasks[num]->src;
    uintptr_t from = (uintptr_t)src->data, to = (uintptr_t)doca_priv_sw_hash_to(tasks[num]), at;
    size_t bytes = doca_priv_sha_sizes[tasks[0]->algorithm].digest;
    uint32_t i;

    for (i = 0; i < num; i++) {
        at = (uintptr_t)doca_priv_sw_hash_to(tasks[i]);
        if (tasks[i]->dst == src || at - from < src->data_len || from - at < bytes ||
            at - to < bytes || to - at < bytes)
            return false;
    }
    return true;
}

/* Are there enough tasks for lanes, like the first one? */
static bool doca_priv_sw_hash_has_group(const struct doca_priv_sha_kernels *kernels,
                                        const struct doca_sha_task_hash *t)
{
    const struct doca_priv_sha_lanes *few = &kernels->few[t->algorithm];
    const struct doca_priv_sha_lanes *many = &kernels->many[t->algorithm];
    const struct doca_task *task = &t->task;
    unsigned from = many->from, num;

    if (few->from < from && t->src->data_len >= DOCA_PRIV_SHA_FEW_BYTES)
        from = few->from;
    if (from > DOCA_PRIV_SHA_GROUP)
        return false;
    for (num = 0; num < from && task != NULL; num++)
        task = task->next;
    return num == from;
}

/* Are so many messages enough for lanes? */
DOCA_PRIV_HOT bool doca_priv_sha_is_group(const struct doca_priv_sha_kernels *kernels,
                                          uint8_t algorithm, uint32_t num, size_t shortest)
{
    return num >= kernels->many[algorithm].from ||
           (num >= kernels->few[algorithm].from && shortest >= DOCA_PRIV_SHA_FEW_BYTES);
}

/* Execute as many tasks of the list as go together, in lanes, or none if these are too few; give
 * their number. */
DOCA_PRIV_APART uint32_t doca_priv_sw_hash_group(const struct doca_priv_sha_kernels *kernels,
                                                 const struct doca_dev *dev,
                                                 struct doca_sha_task_hash *t, bool *are_done)
{
    struct doca_priv_sha_message messages[DOCA_PRIV_SHA_GROUP];
    struct doca_sha_task_hash *tasks[DOCA_PRIV_SHA_GROUP];
    size_t shortest = SIZE_MAX;
    uint8_t algorithm = t->algorithm;
    uint32_t num, i;

    for (num = 0; t != NULL && num < DOCA_PRIV_SHA_GROUP; num++) {
        tasks[num] = t;
        if (t->algorithm != algorithm || !doca_priv_sw_hash_is_plain(t, dev) ||
            !doca_priv_sw_hash_is_apart(tasks, num))
            break;
        if (t->src->data_len < shortest)
            shortest = t->src->data_len;
        t = (struct doca_sha_task_hash *)(void *)t->task.next;
    }
    *are_done = doca_priv_sha_is_group(kernels, algorithm, num, shortest);
    if (!*are_done)
        return num;
    for (i = 0; i < num; i++)
        doca_priv_sha_message_begin(&messages[i], algorithm, tasks[i]->src->data,
                                    tasks[i]->src->data_len);
    doca_priv_sha_hash_group(kernels, algorithm, messages, num);
    for (i = 0; i < num; i++) {
        doca_priv_sha_put(&messages[i].state, algorithm, doca_priv_sw_hash_to(tasks[i]));
        doca_priv_sw_hash_end(tasks[i]);
    }
    return num;
}

static struct doca_task *doca_priv_sw_sha_poll(struct doca_core_queue *queue)
{
    struct doca_priv_sw_sha_queue *q = (struct doca_priv_sw_sha_queue *)(void *)queue;
    struct doca_sha_task_hash *t = (struct doca_sha_task_hash *)(void *)queue->first;
    bool are_done = false;
    uint32_t num;

    if (t == NULL)
        return NULL;
    if (t->task.next != NULL && q->num_done == 0 && q->num_alone == 0 &&
        doca_priv_sw_hash_has_group(q->kernels, t)) {
        num = doca_priv_sw_hash_group(q->kernels, queue->dev, t, &are_done);
        *(are_done ? &q->num_done : &q->num_alone) = num;
    }
    queue->first = t->task.next;
    if (q->num_done > 0) {
        q->num_done--;
        return &t->task;
    }
    if (q->num_alone > 0)
        q->num_alone--;
    if (doca_likely(doca_priv_sw_hash_is_plain(t, queue->dev))) {
        doca_priv_sha_hash(q->kernels->one, t->algorithm, t->src->data, t->src->data_len,
                           doca_priv_sw_hash_to(t));
        doca_priv_sw_hash_end(t);
    } else {
        t->task.status = (uint8_t)doca_priv_sw_hash(t, q->kernels->one);
    }
    return &t->task;
}

/* ---- >>impl.sw.worker -----------------------------------------------------------------------
 * A queue that workers serve has a lane for each of them: a ring of mailboxes, one line each, which
 * carries the request there and the answer back. A lane has one thread that posts and reaps, that
 * of the PE, and at one time one that executes: who holds its lock. A worker keeps the locks of its
 * lanes while it serves; where none does, the thread of the PE takes the lock for a task. What a
 * lane cannot take goes to `plain`, a queue as without workers.
 * The threads hand over with release and acquire. Two things more are said by flags, which one side
 * sets before it looks for work a last time, and the other one reads after it made some: "asleep"
 * and "armed". These two would want a full fence in the path of each task. There is none, so a flag
 * may be overlooked, once; what was overlooked is found in the next look: poll and queue_arm wake
 * sleepers, and a worker looks at "armed" in each turn and, after a fence, before it sleeps, ends a
 * step, or leaves.                                                                              */

enum { /* of a mailbox */
    DOCA_PRIV_SW_POSTED = 1,
    DOCA_PRIV_SW_DONE = 2,
    DOCA_PRIV_SW_SKIPPED = 3 /* flushed before it began */
};

enum { DOCA_PRIV_SW_ABSENT = 0, DOCA_PRIV_SW_AWAKE = 1, DOCA_PRIV_SW_ASLEEP = 2 }; /* of a lane */

#define DOCA_PRIV_SW_AHEAD 12       /* mailboxes from the reaped one to one that is fetched */
#define DOCA_PRIV_SW_BURST 32       /* tasks of a lane before it is the turn of the next one */
#define DOCA_PRIV_SW_BRISK 256      /* idle turns without a pause: that adds to a handover */
#define DOCA_PRIV_SW_MAX_IDLE 20000 /* until a worker sleeps */

struct doca_priv_sw_box {
    DOCA_CORE_ALIGNED uint32_t state; /* 0: never used */
    uint8_t algorithm;
    const unsigned char *from;
    size_t len;
    unsigned char *to;
    size_t grows;         /* bytes that arrive there */
    struct doca_buf *dst; /* whose content they become */
};

struct doca_priv_sw_lane {
    /* of the thread of the PE */
    DOCA_CORE_ALIGNED uint32_t post_at;
    uint32_t reap_at;
    uint32_t num_posted;
    uint32_t num_reaped;
    struct doca_task *first; /* posted, in order; the mailbox stays out of what follows a reap */
    struct doca_task *last;

    /* of who executes */
    DOCA_CORE_ALIGNED uint32_t head;
    uint32_t num_done;
    uint32_t signalled; /* the arming that was answered */
    bool is_held;       /* by the worker */

    /* read by all, written seldom, and so beside the mailboxes: CPUs fetch lines in pairs */
    DOCA_CORE_ALIGNED uint32_t mode; /* by the worker */
    uint32_t lock;
    uint32_t is_flushed; /* by the thread of the PE, as are armed and armed_at */
    uint32_t armed;      /* number of the arming; 0: not */
    uint32_t armed_at;   /* what was reaped by then */
    uint32_t num_boxes;
    struct doca_priv_sw_box *boxes;
    const struct doca_priv_sha_kernels *kernels; /* NULL: copies */
    struct doca_core_sw_worker *worker;
    struct doca_priv_sw_lane *next; /* of the worker */
    int fd;
};

struct doca_priv_sw_served {
    union {
        struct doca_core_queue queue;
        struct doca_priv_sw_dma_queue dma;
        struct doca_priv_sw_sha_queue sha;
    } plain;
    struct doca_priv_sw_lane *lanes;
    uint32_t num_lanes;
    uint32_t next_post;
    uint32_t next_reap;
    uint32_t num_arms;
    doca_error_t status; /* of flushed tasks */
    int fd;              /* readable while armed, with finished tasks; -1: none */
    bool is_plain_next;
};

struct doca_priv_sw_served_queue {
    struct doca_core_queue queue;
    struct doca_priv_sw_served *served;
};

DOCA_PRIV_ASSERT_STATIC(sw_served_is_counted,
                        sizeof(struct doca_priv_sw_served) <= 2 * DOCA_CORE_LINE &&
                            sizeof(struct doca_priv_sw_lane) == 3 * DOCA_CORE_LINE &&
                            sizeof(struct doca_priv_sw_box) == DOCA_CORE_LINE);

/* ---- who executes ---- */

/* Answer the oldest request. */
DOCA_PRIV_HOT void doca_priv_sw_lane_answer(struct doca_priv_sw_lane *lane,
                                            struct doca_priv_sw_box *box, uint32_t outcome)
{
    lane->head = lane->head + 1 < lane->num_boxes ? lane->head + 1 : 0;
    lane->num_done++;
    DOCA_PRIV_STORE(&box->state, outcome);
}

/* Execute the oldest request, if there is one. */
DOCA_PRIV_HOT bool doca_priv_sw_lane_execute(struct doca_priv_sw_lane *lane)
{
    struct doca_priv_sw_box *box = &lane->boxes[lane->head];
    uint32_t outcome = DOCA_PRIV_SW_DONE;

    if (DOCA_PRIV_LOAD(&box->state) != DOCA_PRIV_SW_POSTED)
        return false;
    if (doca_unlikely(DOCA_PRIV_LOAD(&lane->is_flushed) != 0))
        outcome = DOCA_PRIV_SW_SKIPPED;
    else if (lane->kernels != NULL)
        doca_priv_sha_hash(lane->kernels->one, box->algorithm, box->from, box->len, box->to);
    else if (box->len - 32 <= 32)
        doca_priv_sw_copy_small(box->to, box->from, box->len);
    else
        doca_priv_sw_copy(box->to, box->from, box->len);
    doca_priv_sw_lane_answer(lane, box, outcome);
    return true;
}

/* Hash as many requests as go together, at most `max`, side by side; give their number, 0 if these
 * are too few. */
DOCA_PRIV_APART uint32_t doca_priv_sw_lane_hash(struct doca_priv_sw_lane *lane, uint32_t max)
{
    struct doca_priv_sha_message messages[DOCA_PRIV_SHA_GROUP];
    struct doca_priv_sw_box *box, *boxes[DOCA_PRIV_SHA_GROUP];
    uint32_t most = lane->num_boxes < max ? lane->num_boxes : max, at = lane->head, num, i;
    size_t shortest = SIZE_MAX;
    uint8_t algorithm = 0;

    for (num = 0; num < most && num < DOCA_PRIV_SHA_GROUP; num++) {
        box = &lane->boxes[at];
        if (DOCA_PRIV_LOAD(&box->state) != DOCA_PRIV_SW_POSTED ||
            (num > 0 && box->algorithm != algorithm))
            break;
        algorithm = box->algorithm;
        boxes[num] = box;
        shortest = box->len < shortest ? box->len : shortest;
        at = at + 1 < lane->num_boxes ? at + 1 : 0;
    }
    if (!doca_priv_sha_is_group(lane->kernels, algorithm, num, shortest) ||
        DOCA_PRIV_LOAD(&lane->is_flushed) != 0)
        return 0;
    for (i = 0; i < num; i++)
        doca_priv_sha_message_begin(&messages[i], algorithm, boxes[i]->from, boxes[i]->len);
    doca_priv_sha_hash_group(lane->kernels, algorithm, messages, num);
    for (i = 0; i < num; i++) {
        doca_priv_sha_put(&messages[i].state, algorithm, boxes[i]->to);
        doca_priv_sw_lane_answer(lane, boxes[i], DOCA_PRIV_SW_DONE);
    }
    return num;
}

/* Wake the thread of the PE if it asked for that and has not reaped all; once per arming. */
static void doca_priv_sw_lane_tell(struct doca_priv_sw_lane *lane)
{
    uint32_t armed = DOCA_PRIV_LOAD_ORDERED(&lane->armed);

    if (armed != 0 && armed != lane->signalled &&
        lane->num_done != DOCA_PRIV_LOAD(&lane->armed_at)) {
        lane->signalled = armed;
        (void)doca_priv_sys_event_signal(lane->fd);
    }
}

/* Execute at most `max` requests. */
static uint32_t doca_priv_sw_lane_serve(struct doca_priv_sw_lane *lane, uint32_t max)
{
    uint32_t num = 0, more;

    for (; num < max; num += more) {
        more = lane->kernels != NULL ? doca_priv_sw_lane_hash(lane, max - num) : 0;
        if (more == 0)
            more = doca_priv_sw_lane_execute(lane);
        if (more == 0)
            break;
        if (doca_unlikely(DOCA_PRIV_LOAD(&lane->armed) != 0))
            doca_priv_sw_lane_tell(lane);
        if (doca_unlikely(DOCA_PRIV_LOAD(&lane->worker->num_waiting) != 0))
            return num + more;
    }
    if (doca_unlikely(DOCA_PRIV_LOAD(&lane->armed) != 0))
        doca_priv_sw_lane_tell(lane);
    return num;
}

/* Begin to serve a lane, unless the thread of the PE is at it. */
static bool doca_priv_sw_lane_hold(struct doca_priv_sw_lane *lane)
{
    if (!lane->is_held && DOCA_PRIV_TRY_LOCK(&lane->lock)) {
        lane->is_held = true;
        DOCA_PRIV_STORE(&lane->mode, (uint32_t)DOCA_PRIV_SW_AWAKE);
    }
    return lane->is_held;
}

static bool doca_priv_sw_lane_is_posted(const struct doca_priv_sw_lane *lane)
{
    return DOCA_PRIV_LOAD_ORDERED(&lane->boxes[lane->head].state) == DOCA_PRIV_SW_POSTED;
}

/* Leave a lane to the thread of the PE, which may sleep. */
static void doca_priv_sw_lane_release(struct doca_priv_sw_lane *lane)
{
    bool is_due;

    if (!lane->is_held)
        return;
    lane->is_held = false;
    DOCA_PRIV_STORE_ORDERED(&lane->mode, (uint32_t)DOCA_PRIV_SW_ABSENT);
    is_due = DOCA_PRIV_LOAD_ORDERED(&lane->armed) != 0 &&
             (doca_priv_sw_lane_is_posted(lane) ||
              lane->num_done != DOCA_PRIV_LOAD(&lane->armed_at));
    doca_priv_unlock(&lane->lock);
    if (is_due)
        (void)doca_priv_sys_event_signal(lane->fd);
}

/* ---- workers ---- */

/* Take the lock of a worker from a thread that may be serving: it steps aside after a task. */
static void doca_priv_sw_worker_enter(struct doca_core_sw_worker *worker)
{
    (void)DOCA_PRIV_FETCH_ADD(&worker->num_waiting, 1u);
    doca_priv_lock(&worker->lock);
    (void)DOCA_PRIV_FETCH_ADD(&worker->num_waiting, UINT32_MAX);
}

static void doca_priv_sw_worker_leave(struct doca_core_sw_worker *worker)
{
    doca_priv_unlock(&worker->lock);
}

static void doca_priv_sw_worker_step_aside(struct doca_core_sw_worker *worker)
{
    doca_priv_unlock(&worker->lock);
    while (DOCA_PRIV_LOAD(&worker->num_waiting) != 0) {
        DOCA_PRIV_PAUSE();
        DOCA_CORE_RELAX();
    }
    doca_priv_lock(&worker->lock);
}

static void doca_priv_sw_worker_wake(struct doca_core_sw_worker *worker)
{
    if (DOCA_PRIV_LOAD(&worker->asleep) != 0) {
        DOCA_PRIV_STORE(&worker->asleep, 0u);
        doca_priv_sys_wake(&worker->asleep);
    }
}

/* Serve each lane for a while. */
static uint32_t doca_priv_sw_worker_turn(struct doca_core_sw_worker *worker, uint32_t max)
{
    struct doca_priv_sw_lane *lane;
    uint32_t num = 0, left;

    for (lane = worker->lanes; lane != NULL; lane = lane->next) {
        left = max - num < DOCA_PRIV_SW_BURST ? max - num : DOCA_PRIV_SW_BURST;
        if (doca_priv_sw_lane_hold(lane))
            num += doca_priv_sw_lane_serve(lane, left);
    }
    return num;
}

/* Say how the lanes are served now; give whether one has a request, or is not held. */
static bool doca_priv_sw_worker_tell(struct doca_core_sw_worker *worker, uint32_t mode)
{
    struct doca_priv_sw_lane *lane;
    bool is_busy = false;

    for (lane = worker->lanes; lane != NULL; lane = lane->next) {
        if (!lane->is_held) {
            is_busy = true;
            continue;
        }
        DOCA_PRIV_STORE_ORDERED(&lane->mode, mode);
        doca_priv_sw_lane_tell(lane);
        is_busy = is_busy || doca_priv_sw_lane_is_posted(lane);
    }
    return is_busy;
}

/* Sleep until a task comes, or a stop. Who changes the lanes meanwhile does not have to wait. */
static void doca_priv_sw_worker_sleep(struct doca_core_sw_worker *worker)
{
    worker->is_asleep = true;
    DOCA_PRIV_STORE_ORDERED(&worker->asleep, 1u);
    if (!doca_priv_sw_worker_tell(worker, DOCA_PRIV_SW_ASLEEP)) {
        doca_priv_unlock(&worker->lock);
        doca_priv_sys_sleep(&worker->asleep, 1);
        doca_priv_lock(&worker->lock);
    }
    worker->is_asleep = false;
    DOCA_PRIV_STORE(&worker->asleep, 0u);
    (void)doca_priv_sw_worker_tell(worker, DOCA_PRIV_SW_AWAKE);
}

static void doca_priv_sw_worker_loop(struct doca_core_sw_worker *worker)
{
    uint32_t idle = 0, max_idle;

    while (!worker->is_stopped) {
        max_idle = DOCA_PRIV_LOAD(&worker->max_idle);
        if (doca_priv_sw_worker_turn(worker, UINT32_MAX) > 0) {
            idle = 0;
        } else if (idle >= max_idle && max_idle != UINT32_MAX) {
            doca_priv_sw_worker_sleep(worker);
            idle = 0;
        } else if (idle++ >= DOCA_PRIV_SW_BRISK) {
            DOCA_PRIV_PAUSE();
            DOCA_CORE_RELAX();
        }
        if (doca_unlikely(DOCA_PRIV_LOAD(&worker->num_waiting) != 0))
            doca_priv_sw_worker_step_aside(worker);
    }
}

/* Leave all lanes to their PEs. */
static void doca_priv_sw_worker_end(struct doca_core_sw_worker *worker)
{
    struct doca_priv_sw_lane *lane;

    for (lane = worker->lanes; lane != NULL; lane = lane->next)
        doca_priv_sw_lane_release(lane);
    worker->is_serving = false;
}

DOCA_CORE_DECL doca_error_t doca_core_sw_worker_run(struct doca_core_sw_worker *worker)
{
    if (!doca_priv_is(worker, DOCA_PRIV_KIND_SW_WORKER))
        return DOCA_PRIV_FAIL_HANDLE(worker);
    doca_priv_sw_worker_enter(worker);
    if (worker->is_running) {
        doca_priv_sw_worker_leave(worker);
        return DOCA_PRIV_FAIL(IN_USE, SW_WORKER_RUNS, worker);
    }
    worker->is_running = true;
    worker->is_serving = true;
    doca_priv_sw_worker_loop(worker);
    worker->is_stopped = false;
    worker->is_running = false;
    doca_priv_sw_worker_end(worker);
    doca_priv_sw_worker_leave(worker);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL uint32_t doca_core_sw_worker_step(struct doca_core_sw_worker *worker,
                                                 uint32_t max_tasks)
{
    uint32_t num = 0, more;

    if (!doca_priv_is(worker, DOCA_PRIV_KIND_SW_WORKER)) {
        (void)DOCA_PRIV_FAIL_HANDLE(worker);
        return 0;
    }
    doca_priv_sw_worker_enter(worker);
    if (worker->is_running) {
        doca_priv_sw_worker_leave(worker);
        (void)DOCA_PRIV_FAIL(IN_USE, SW_WORKER_RUNS, worker);
        return 0;
    }
    worker->is_serving = true;
    worker->is_stopped = false;
    do {
        more = doca_priv_sw_worker_turn(worker, max_tasks - num);
        num += more;
    } while (more > 0 && num < max_tasks && DOCA_PRIV_LOAD(&worker->num_waiting) == 0);
    (void)doca_priv_sw_worker_tell(worker, DOCA_PRIV_SW_AWAKE);
    doca_priv_sw_worker_leave(worker);
    return num;
}

DOCA_CORE_DECL doca_error_t doca_core_sw_worker_stop(struct doca_core_sw_worker *worker)
{
    if (!doca_priv_is(worker, DOCA_PRIV_KIND_SW_WORKER))
        return DOCA_PRIV_FAIL_HANDLE(worker);
    doca_priv_sw_worker_enter(worker);
    worker->is_stopped = true;
    if (worker->is_running)
        doca_priv_sw_worker_wake(worker);
    else
        doca_priv_sw_worker_end(worker);
    doca_priv_sw_worker_leave(worker);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_sw_worker_set_max_idle_turns(
    struct doca_core_sw_worker *worker, uint32_t num_turns)
{
    if (!doca_priv_is(worker, DOCA_PRIV_KIND_SW_WORKER))
        return DOCA_PRIV_FAIL_HANDLE(worker);
    DOCA_PRIV_STORE(&worker->max_idle, num_turns);
    return DOCA_SUCCESS;
}

/* The workers of a device: a list that dev->backend_data begins, under the lock of the world. Only
 * a device of this backend has one; others may ask this backend to open queues for theirs. */
static bool doca_priv_sw_has_workers(const struct doca_dev *dev)
{
    return dev->backend->enumerate == doca_priv_sw_enumerate;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_sw_worker(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_core_sw_worker), bytes, __func__);
}

/* A NULL `arena` is the one of the device. */
static doca_error_t doca_priv_sw_worker_create(struct doca_core_arena *arena, struct doca_dev *dev,
                                               struct doca_core_sw_worker **worker,
                                               const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, worker, function);
    struct doca_core_sw_worker *w, *other;
    void *block = NULL;
    uint32_t num = 0;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_sw_has_workers(dev))
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_SW_WORKER_DEV, function,
                              dev);
    if (arena == NULL)
        arena = dev->info.arena;
    rc = doca_priv_object_take(arena, sizeof(*w), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    w = (struct doca_core_sw_worker *)block;
    doca_priv_object_init(&w->obj, DOCA_PRIV_KIND_SW_WORKER);
    w->pid = doca_priv_sys_pid();
    w->arena = arena;
    w->dev = dev;
    w->max_idle = DOCA_PRIV_SW_MAX_IDLE;
    doca_priv_lock(&doca_priv_world.lock);
    w->next = (struct doca_core_sw_worker *)dev->backend_data;
    for (other = w->next; other != NULL; other = other->next)
        num += other->pid == w->pid;
    if (num < DOCA_CORE_SW_MAX_WORKERS) {
        dev->backend_data = w;
        dev->num_users++;
    }
    doca_priv_unlock(&doca_priv_world.lock);
    if (num < DOCA_CORE_SW_MAX_WORKERS) {
        *worker = w;
        return DOCA_SUCCESS;
    }
    (void)doca_priv_object_give(arena, &w->obj);
    return doca_priv_fail(DOCA_ERROR_FULL, DOCA_CORE_ITEM_SW_WORKER_FULL, function, dev);
}

DOCA_CORE_DECL doca_error_t doca_core_sw_worker_create_in(struct doca_core_arena *arena,
                                                          struct doca_dev *dev,
                                                          struct doca_core_sw_worker **worker)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, worker, __func__);

    return rc != DOCA_SUCCESS ? rc : doca_priv_sw_worker_create(arena, dev, worker, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_sw_worker_create(struct doca_dev *dev,
                                                       struct doca_core_sw_worker **worker)
{
    return doca_priv_sw_worker_create(NULL, dev, worker, __func__);
}

/* Take a worker out of the list of its device, unless queues need it. */
static bool doca_priv_sw_worker_unlist(struct doca_core_sw_worker *worker)
{
    struct doca_dev *dev = worker->dev;
    struct doca_core_sw_worker *other;
    bool is_busy;

    doca_priv_lock(&doca_priv_world.lock);
    is_busy = worker->num_queues > 0;
    if (!is_busy) {
        other = (struct doca_core_sw_worker *)dev->backend_data;
        if (other == worker) {
            dev->backend_data = worker->next;
        } else {
            while (other->next != worker)
                other = other->next;
            other->next = worker->next;
        }
        dev->num_users--;
    }
    doca_priv_unlock(&doca_priv_world.lock);
    return !is_busy;
}

DOCA_CORE_DECL doca_error_t doca_core_sw_worker_destroy(struct doca_core_sw_worker *worker)
{
    bool is_running;

    if (!doca_priv_is(worker, DOCA_PRIV_KIND_SW_WORKER))
        return DOCA_PRIV_FAIL_HANDLE(worker);
    doca_priv_sw_worker_enter(worker);
    is_running = worker->is_running;
    doca_priv_sw_worker_leave(worker);
    if (is_running)
        return DOCA_PRIV_FAIL(IN_USE, SW_WORKER_RUNS, worker);
    if (!doca_priv_sw_worker_unlist(worker))
        return DOCA_PRIV_FAIL(IN_USE, SW_WORKER_BUSY, worker);
    return doca_priv_object_give(worker->arena, &worker->obj);
}

/* ---- >>impl.sw.served -----------------------------------------------------------------------
 * The side of the PE of queues that workers serve; then the table of the software device, where
 * these stand beside the plain ones.                                                            */

DOCA_PRIV_HOT struct doca_priv_sw_served *doca_priv_sw_served_of(
    const struct doca_core_queue *queue)
{
    return ((const struct doca_priv_sw_served_queue *)(const void *)queue)->served;
}

/* A lane with room whose worker serves, the next one in turn; NULL: there is none. */
DOCA_PRIV_HOT struct doca_priv_sw_lane *doca_priv_sw_served_lane(struct doca_priv_sw_served *served)
{
    struct doca_priv_sw_lane *lane;
    uint32_t left;

    for (left = served->num_lanes; left > 0; left--) {
        lane = &served->lanes[served->next_post];
        served->next_post = served->next_post + 1 < served->num_lanes ? served->next_post + 1 : 0;
        if (doca_likely(lane->num_posted < lane->num_boxes &&
                        DOCA_PRIV_LOAD(&lane->mode) != DOCA_PRIV_SW_ABSENT))
            return lane;
    }
    return NULL;
}

/* Hand a task over that reads `src`, and lets `dst` grow. */
DOCA_PRIV_HOT doca_error_t doca_priv_sw_lane_post(struct doca_priv_sw_lane *lane,
                                                  struct doca_task *task,
                                                  const struct doca_buf *src, struct doca_buf *dst,
                                                  size_t grows, uint8_t algorithm)
{
    struct doca_priv_sw_box *box = &lane->boxes[lane->post_at];

    box->algorithm = algorithm;
    box->from = src->data;
    box->len = src->data_len;
    box->to = dst->data + dst->data_len;
    box->grows = grows;
    box->dst = dst;
    DOCA_PRIV_STORE(&box->state, (uint32_t)DOCA_PRIV_SW_POSTED);
    lane->post_at = lane->post_at + 1 < lane->num_boxes ? lane->post_at + 1 : 0;
    if (lane->num_posted++ == 0)
        lane->first = task;
    else
        lane->last->next = task;
    lane->last = task;
    if (doca_unlikely(DOCA_PRIV_LOAD(&lane->mode) == DOCA_PRIV_SW_ASLEEP))
        doca_priv_sw_worker_wake(lane->worker);
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_sw_served_dma_post(struct doca_core_queue *queue,
                                                 struct doca_task *task)
{
    struct doca_priv_sw_served *served = doca_priv_sw_served_of(queue);
    const struct doca_dma_task_memcpy *t = (const struct doca_dma_task_memcpy *)(void *)task;
    struct doca_priv_sw_lane *lane = NULL;

    if (doca_likely(doca_priv_sw_memcpy_is_plain(&served->plain.dma, t)))
        lane = doca_priv_sw_served_lane(served);
    return doca_likely(lane != NULL)
               ? doca_priv_sw_lane_post(lane, task, t->src, t->dst, t->src->data_len, 0)
               : served->plain.queue.post(&served->plain.queue, task);
}

static doca_error_t doca_priv_sw_served_sha_post(struct doca_core_queue *queue,
                                                 struct doca_task *task)
{
    struct doca_priv_sw_served *served = doca_priv_sw_served_of(queue);
    const struct doca_sha_task_hash *t = (const struct doca_sha_task_hash *)(void *)task;
    struct doca_priv_sw_lane *lane = NULL;

    if (doca_likely(doca_priv_sha_is_complete(task) && doca_priv_sw_hash_is_plain(t, queue->dev)))
        lane = doca_priv_sw_served_lane(served);
    return doca_likely(lane != NULL)
               ? doca_priv_sw_lane_post(lane, task, t->src, t->dst,
                                        doca_priv_sha_sizes[t->algorithm].digest, t->algorithm)
               : served->plain.queue.post(&served->plain.queue, task);
}

DOCA_PRIV_HOT bool doca_priv_sw_lane_is_done(const struct doca_priv_sw_lane *lane)
{
    return lane->num_posted > 0 &&
           DOCA_PRIV_LOAD(&lane->boxes[lane->reap_at].state) >= DOCA_PRIV_SW_DONE;
}

/* Take back the oldest task, which is done. */
DOCA_PRIV_HOT struct doca_task *doca_priv_sw_lane_reap(const struct doca_priv_sw_served *served,
                                                       struct doca_priv_sw_lane *lane)
{
    struct doca_priv_sw_box *box = &lane->boxes[lane->reap_at];
    struct doca_task *task = lane->first;
    struct doca_buf *dst = box->dst;
    uint32_t ahead;

    if (lane->num_posted > DOCA_PRIV_SW_AHEAD) { /* it is done by now, and will be posted anew */
        ahead = lane->reap_at + DOCA_PRIV_SW_AHEAD;
        DOCA_PRIV_WANT(&lane->boxes[ahead < lane->num_boxes ? ahead : ahead - lane->num_boxes]);
    }
    lane->first = task->next;
    lane->reap_at = lane->reap_at + 1 < lane->num_boxes ? lane->reap_at + 1 : 0;
    lane->num_posted--;
    lane->num_reaped++;
    if (doca_unlikely(box->state == DOCA_PRIV_SW_SKIPPED)) {
        task->status = (uint8_t)doca_priv_fail(served->status, DOCA_CORE_ITEM_FLUSHED,
                                               "doca_pe_progress", task);
    } else if (doca_unlikely(dst->flags == 0 || dst->data + dst->data_len != box->to ||
                             box->grows > doca_priv_buf_tailroom(dst))) {
        task->status = (uint8_t)doca_priv_fail(DOCA_ERROR_IO_FAILED, DOCA_CORE_ITEM_SW_WORKER_DST,
                                               "doca_pe_progress", task);
    } else {
        dst->data_len += box->grows;
        task->status = DOCA_SUCCESS;
    }
    return task;
}

/* What is left to do when nothing came back: tasks for which there is no worker, and sleepers. */
DOCA_PRIV_APART struct doca_task *doca_priv_sw_served_other(struct doca_priv_sw_served *served)
{
    struct doca_priv_sw_lane *lane;
    uint32_t i, mode;

    if (served->plain.queue.first != NULL)
        return served->plain.queue.poll(&served->plain.queue);
    for (i = 0; i < served->num_lanes; i++) {
        lane = &served->lanes[i];
        mode = DOCA_PRIV_LOAD(&lane->mode);
        if (lane->num_posted == 0 || mode == DOCA_PRIV_SW_AWAKE)
            continue;
        if (mode == DOCA_PRIV_SW_ASLEEP) {
            doca_priv_sw_worker_wake(lane->worker);
        } else if (DOCA_PRIV_TRY_LOCK(&lane->lock)) {
            (void)doca_priv_sw_lane_execute(lane);
            doca_priv_unlock(&lane->lock);
            if (doca_priv_sw_lane_is_done(lane))
                return doca_priv_sw_lane_reap(served, lane);
        }
    }
    return NULL;
}

static struct doca_task *doca_priv_sw_served_poll(struct doca_core_queue *queue)
{
    struct doca_priv_sw_served *served = doca_priv_sw_served_of(queue);
    struct doca_priv_sw_lane *lane;
    uint32_t left;

    /* in turn with the lanes, or those that are never empty would keep it out */
    if (doca_unlikely(served->plain.queue.first != NULL)) {
        served->is_plain_next = !served->is_plain_next;
        if (served->is_plain_next)
            return served->plain.queue.poll(&served->plain.queue);
    }
    for (left = served->num_lanes; left > 0; left--) {
        lane = &served->lanes[served->next_reap];
        served->next_reap = served->next_reap + 1 < served->num_lanes ? served->next_reap + 1 : 0;
        if (doca_priv_sw_lane_is_done(lane))
            return doca_priv_sw_lane_reap(served, lane);
    }
    return doca_priv_sw_served_other(served);
}

/* Would poll hand over a task? */
static bool doca_priv_sw_served_ready(struct doca_priv_sw_served *served)
{
    static uint32_t fence;
    struct doca_priv_sw_lane *lane;
    uint32_t i, mode;

    (void)DOCA_PRIV_FETCH_ADD(&fence, 1u); /* see the head of this section */
    for (i = 0; i < served->num_lanes; i++) {
        lane = &served->lanes[i];
        mode = DOCA_PRIV_LOAD_ORDERED(&lane->mode);
        if (doca_priv_sw_lane_is_done(lane) ||
            (lane->num_posted > 0 && mode == DOCA_PRIV_SW_ABSENT))
            return true;
        if (lane->num_posted > 0 && mode == DOCA_PRIV_SW_ASLEEP)
            doca_priv_sw_worker_wake(lane->worker);
    }
    return served->plain.queue.first != NULL;
}

/* The signal is drained first, that of an arming before, then after the flags are set what is
 * finished is looked for: between the two nothing is lost. */
static void doca_priv_sw_served_arm(struct doca_priv_sw_served *served, bool armed)
{
    struct doca_priv_sw_lane *lane;
    uint32_t i;

    if (++served->num_arms == 0)
        served->num_arms = 1;
    for (i = 0; i < served->num_lanes; i++)
        DOCA_PRIV_STORE_ORDERED(&served->lanes[i].armed, 0u);
    (void)doca_priv_sys_event_drain(served->fd);
    for (i = 0; armed && i < served->num_lanes; i++) {
        lane = &served->lanes[i];
        DOCA_PRIV_STORE(&lane->armed_at, lane->num_reaped);
        DOCA_PRIV_STORE_ORDERED(&lane->armed, served->num_arms);
    }
    if (armed && doca_priv_sw_served_ready(served))
        (void)doca_priv_sys_event_signal(served->fd);
}

/* ---- opening and closing ---- */

/* Carve what stands behind a queue: its head, the lanes, their mailboxes. */
static doca_error_t doca_priv_sw_served_carve(struct doca_core_arena *arena, uint32_t num_tasks,
                                              uint32_t num_lanes,
                                              struct doca_priv_sw_served **served,
                                              const char *function)
{
    uint32_t num_boxes = num_tasks / num_lanes + (num_tasks % num_lanes != 0), i;
    size_t bytes = doca_priv_size(
        num_lanes, doca_priv_size(num_boxes, DOCA_CORE_LINE, sizeof(struct doca_priv_sw_lane)),
        2 * DOCA_CORE_LINE);
    struct doca_priv_sw_box *boxes;
    void *block = NULL;
    doca_error_t rc = doca_priv_arena_take(arena, bytes, &block, function);

    if (rc != DOCA_SUCCESS || block == NULL)
        return rc;
    DOCA_CORE_MEMSET(block, 0, bytes);
    *served = (struct doca_priv_sw_served *)block;
    (*served)->num_lanes = num_lanes;
    (*served)->lanes = (struct doca_priv_sw_lane *)(void *)((unsigned char *)block +
                                                            2 * DOCA_CORE_LINE);
    boxes = (struct doca_priv_sw_box *)(void *)((*served)->lanes + num_lanes);
    for (i = 0; i < num_lanes; i++) {
        (*served)->lanes[i].boxes = boxes + (size_t)i * num_boxes;
        (*served)->lanes[i].num_boxes = num_boxes;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_sw_lanes(uint32_t num_tasks, uint32_t num_workers,
                                                     size_t *bytes)
{
    struct doca_core_arena count;
    struct doca_priv_sw_served *served;
    doca_error_t rc = doca_priv_count(&count, bytes, __func__);

    if (rc == DOCA_SUCCESS && (num_workers == 0 || num_workers > DOCA_CORE_SW_MAX_WORKERS))
        rc = DOCA_PRIV_FAIL(INVALID_VALUE, SW_WORKER_FULL, NULL);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_sw_served_carve(&count, num_tasks, num_workers, &served, __func__);
    return rc == DOCA_SUCCESS ? doca_priv_counted(&count, rc, bytes) : rc;
}

/* Count one more queue, or one less, of this worker. */
static void doca_priv_sw_worker_count(struct doca_core_sw_worker *worker, uint32_t more)
{
    doca_priv_lock(&doca_priv_world.lock);
    worker->num_queues += more;
    doca_priv_unlock(&doca_priv_world.lock);
}

/* Keep the workers that a device has of this process. */
static uint32_t doca_priv_sw_workers_keep(const struct doca_dev *dev,
                                          struct doca_core_sw_worker **workers)
{
    uint32_t num = 0, pid = doca_priv_sys_pid();
    struct doca_core_sw_worker *w;

    if (!doca_priv_sw_has_workers(dev))
        return 0;
    doca_priv_lock(&doca_priv_world.lock);
    for (w = (struct doca_core_sw_worker *)dev->backend_data; w != NULL; w = w->next) {
        if (w->pid == pid) {
            w->num_queues++;
            workers[num++] = w;
        }
    }
    doca_priv_unlock(&doca_priv_world.lock);
    return num;
}

static void doca_priv_sw_lane_join(struct doca_priv_sw_lane *lane,
                                   struct doca_core_sw_worker *worker)
{
    doca_priv_sw_worker_enter(worker);
    lane->next = worker->lanes;
    worker->lanes = lane;
    if (worker->is_serving && doca_priv_sw_lane_hold(lane) && worker->is_asleep)
        DOCA_PRIV_STORE(&lane->mode, (uint32_t)DOCA_PRIV_SW_ASLEEP);
    doca_priv_sw_worker_leave(worker);
}

static void doca_priv_sw_lane_part(struct doca_priv_sw_lane *lane)
{
    struct doca_core_sw_worker *worker = lane->worker;
    struct doca_priv_sw_lane **link;

    doca_priv_sw_worker_enter(worker);
    for (link = &worker->lanes; *link != lane; link = &(*link)->next) {
    }
    *link = lane->next;
    doca_priv_sw_worker_leave(worker);
    doca_priv_sw_worker_count(worker, UINT32_MAX);
}

/* Make what stands behind a queue, if the device has workers; else *served stays as it is. */
static doca_error_t doca_priv_sw_served_open(struct doca_dev *dev, uint32_t num_tasks,
                                             struct doca_priv_sw_served **served)
{
    struct doca_core_sw_worker *workers[DOCA_CORE_SW_MAX_WORKERS];
    uint32_t num = doca_priv_sw_workers_keep(dev, workers), i;
    struct doca_priv_sw_served *made = NULL;
    doca_error_t rc;

    if (num == 0)
        return DOCA_SUCCESS;
    rc = doca_priv_sw_served_carve(dev->info.arena, num_tasks, num, &made, "doca_ctx_start");
    if (rc == DOCA_SUCCESS) {
        made->fd = doca_priv_sys_event_open();
        if (doca_priv_sys_has_event && made->fd < 0) {
            (void)doca_core_arena_give(dev->info.arena, made);
            rc = DOCA_ERROR_OPERATING_SYSTEM;
        }
    }
    for (i = 0; i < num; i++) {
        if (rc == DOCA_SUCCESS)
            made->lanes[i].worker = workers[i];
        else
            doca_priv_sw_worker_count(workers[i], UINT32_MAX);
    }
    if (rc == DOCA_SUCCESS)
        *served = made;
    return rc;
}

/* Let the workers begin. NULL: they copy. */
static void doca_priv_sw_served_begin(struct doca_priv_sw_served *served,
                                      const struct doca_priv_sha_kernels *kernels)
{
    uint32_t i;

    for (i = 0; i < served->num_lanes; i++) {
        served->lanes[i].fd = served->fd;
        served->lanes[i].kernels = kernels;
        doca_priv_sw_lane_join(&served->lanes[i], served->lanes[i].worker);
    }
}

static void doca_priv_sw_served_flush(struct doca_priv_sw_served *served, doca_error_t status)
{
    uint32_t i;

    served->status = status;
    for (i = 0; i < served->num_lanes; i++)
        DOCA_PRIV_STORE(&served->lanes[i].is_flushed, 1u);
}

static void doca_priv_sw_served_close(struct doca_priv_sw_served *served)
{
    uint32_t i;

    for (i = 0; i < served->num_lanes; i++)
        doca_priv_sw_lane_part(&served->lanes[i]);
    doca_priv_sys_close(served->fd);
    (void)doca_core_arena_give(served->plain.queue.dev->info.arena, served);
}

/* ---- >>impl.sw.table ------------------------------------------------------------------------ */

/* What poll is once the queue was flushed: nothing is executed any more. */
static struct doca_task *doca_priv_sw_poll_flushed(struct doca_core_queue *queue)
{
    struct doca_task *task = queue->first;

    if (task != NULL) {
        queue->first = task->next;
        if (task->status != DOCA_SUCCESS) /* it was not executed before */
            (void)doca_priv_fail((doca_error_t)task->status, DOCA_CORE_ITEM_FLUSHED,
                                 "doca_pe_progress", task);
    }
    return task;
}

static size_t doca_priv_sw_queue_bytes(struct doca_dev *dev, enum doca_core_engine engine,
                                       uint32_t depth)
{
    (void)dev;
    (void)engine;
    (void)depth;
    return DOCA_CORE_SW_BYTES_QUEUE;
}

static doca_error_t doca_priv_sw_queue_open(struct doca_core_queue *queue,
                                            enum doca_core_engine engine, uint32_t depth)
{
    const struct doca_dev *dev = queue->dev;
    struct doca_priv_sw_dma_queue *dma = (struct doca_priv_sw_dma_queue *)(void *)queue;
    struct doca_priv_sw_sha_queue *sha = (struct doca_priv_sw_sha_queue *)(void *)queue;

    (void)depth;
    queue->post = doca_core_queue_append;
    if (engine == DOCA_CORE_ENGINE_SHA) {
        queue->poll = doca_priv_sw_sha_poll;
        sha->kernels = doca_priv_sha_choice();
    } else {
        queue->poll = doca_priv_sw_dma_poll;
        dma->max_bytes = dev->info.attr.limits.dma_max_buf_size;
        /* without a flag of the device it would be how bufs of other devices begin, and small
         * copies are not compared with the limit */
        if (doca_priv_buf_dev(dev->bit) != 0 && dma->max_bytes >= DOCA_PRIV_SW_SMALL)
            dma->usual = doca_priv_buf_begin_of(
                DOCA_PRIV_KIND_BUF,
                DOCA_PRIV_BUF_OUT | DOCA_PRIV_BUF_WRITE | doca_priv_buf_dev(dev->bit));
    }
    return DOCA_SUCCESS;
}

static void doca_priv_sw_queue_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_task *task = queue->first;
    uint32_t num_done = 0;

    if (task != NULL && task->ctx->engine->id == DOCA_CORE_ENGINE_SHA)
        num_done = ((struct doca_priv_sw_sha_queue *)(void *)queue)->num_done;
    for (; task != NULL; task = task->next)
        if (num_done > 0)
            num_done--;
        else
            task->status = (uint8_t)status;
    queue->poll = doca_priv_sw_poll_flushed;
}

static bool doca_priv_sw_queue_ready(struct doca_core_queue *queue)
{
    return queue->first != NULL;
}

/* Is it a queue that workers serve? Its post never changes. */
static bool doca_priv_sw_is_served(const struct doca_core_queue *queue)
{
    return queue->post == doca_priv_sw_served_dma_post ||
           queue->post == doca_priv_sw_served_sha_post;
}

static doca_error_t doca_priv_sw_any_queue_open(struct doca_core_queue *queue,
                                                enum doca_core_engine engine, uint32_t depth)
{
    struct doca_priv_sw_served *served = NULL;
    doca_error_t rc = doca_priv_sw_served_open(queue->dev, depth, &served);

    if (rc != DOCA_SUCCESS || served == NULL)
        return rc != DOCA_SUCCESS ? rc : doca_priv_sw_queue_open(queue, engine, depth);
    served->plain.queue.backend = queue->backend;
    served->plain.queue.dev = queue->dev;
    (void)doca_priv_sw_queue_open(&served->plain.queue, engine, depth);
    ((struct doca_priv_sw_served_queue *)(void *)queue)->served = served;
    queue->poll = doca_priv_sw_served_poll;
    if (engine == DOCA_CORE_ENGINE_SHA) {
        queue->post = doca_priv_sw_served_sha_post;
        doca_priv_sw_served_begin(served, served->plain.sha.kernels);
    } else {
        queue->post = doca_priv_sw_served_dma_post;
        doca_priv_sw_served_begin(served, NULL);
    }
    return DOCA_SUCCESS;
}

static void doca_priv_sw_any_queue_close(struct doca_core_queue *queue)
{
    if (doca_priv_sw_is_served(queue))
        doca_priv_sw_served_close(doca_priv_sw_served_of(queue));
}

static void doca_priv_sw_any_queue_flush(struct doca_core_queue *queue, doca_error_t status)
{
    struct doca_priv_sw_served *served;

    if (doca_priv_sw_is_served(queue)) {
        served = doca_priv_sw_served_of(queue);
        doca_priv_sw_served_flush(served, status);
        doca_priv_sw_queue_flush(&served->plain.queue, status);
    } else {
        doca_priv_sw_queue_flush(queue, status);
    }
}

static bool doca_priv_sw_any_queue_ready(struct doca_core_queue *queue)
{
    return doca_priv_sw_is_served(queue) ? doca_priv_sw_served_ready(doca_priv_sw_served_of(queue))
                                         : doca_priv_sw_queue_ready(queue);
}

static int doca_priv_sw_any_queue_fd(struct doca_core_queue *queue)
{
    return doca_priv_sw_is_served(queue) ? doca_priv_sw_served_of(queue)->fd : -1;
}

static void doca_priv_sw_any_queue_arm(struct doca_core_queue *queue, bool armed)
{
    if (doca_priv_sw_is_served(queue))
        doca_priv_sw_served_arm(doca_priv_sw_served_of(queue), armed);
}

DOCA_CORE_DECL const struct doca_core_backend *doca_core_sw_backend(void)
{
    static const struct doca_core_backend backend = {
        "sw",
        doca_priv_sw_enumerate,
        doca_priv_sw_enumerate_reps,
        doca_priv_stub_dev_open,
        doca_priv_stub_dev_close,
        doca_priv_sw_reg,
        doca_priv_stub_dereg,
        doca_priv_sw_queue_bytes,
        doca_priv_sw_any_queue_open,
        doca_priv_stub_queue_opening,
        doca_priv_sw_any_queue_close,
        doca_priv_sw_any_queue_flush,
        doca_priv_sw_any_queue_ready,
        doca_priv_sw_any_queue_fd,
        doca_priv_sw_any_queue_arm,
        doca_priv_stub_get_pd,
        doca_priv_sw_open_from_pd,
        doca_priv_stub_arr_start,
        doca_priv_stub_arr_stop,
        doca_priv_stub_reg_range,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        NULL,
        0,
    };

    return &backend;
}

/* ---- >>impl.mmap_advise ---------------------------------------------------------------------
 * Its queue is one of the software device, with a poll of its own.                              */

DOCA_PRIV_ASSERT_STATIC(advise_task_fits_a_line,
                        sizeof(struct doca_mmap_advise_task_invalidate_cache) <= DOCA_CORE_LINE);

static const struct doca_mmap_advise_task_invalidate_cache *doca_priv_advise_task(
    const struct doca_task *task)
{
    return (const struct doca_mmap_advise_task_invalidate_cache *)(const void *)task;
}

static bool doca_priv_advise_is_supported(const struct doca_core_limits *limits)
{
    (void)limits;
    return true;
}

static doca_error_t doca_priv_advise_check(const struct doca_task *task, enum doca_core_item *item)
{
    const struct doca_buf *buf = doca_priv_advise_task(task)->buf;
    const struct doca_dev *dev = task->ctx->dev;

    *item = DOCA_CORE_ITEM_TASK_NO_BUFFER;
    if (!doca_priv_is_buf(buf))
        return DOCA_ERROR_INVALID_VALUE;
    return buf->flags == 0 || (buf->mmap->dev_mask & dev->bit) == 0
               ? doca_priv_task_doubt(buf, dev, false, item)
               : DOCA_SUCCESS;
}

static bool doca_priv_advise_is_complete(const struct doca_task *task)
{
    return doca_priv_is_buf(doca_priv_advise_task(task)->buf);
}

static void doca_priv_advise_settle(struct doca_task *task)
{
    (void)task;
}

static doca_error_t doca_priv_advise_post(struct doca_core_queue *queue, struct doca_task *task)
{
    if (doca_priv_advise_task(task)->buf == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    doca_priv_queue_append(queue, task);
    return DOCA_SUCCESS;
}

static struct doca_task *doca_priv_advise_poll(struct doca_core_queue *queue)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_task *task = queue->first;
    const struct doca_priv_far *far;
    static uint32_t fence; /* a change of it orders all that comes after */

    if (task == NULL)
        return NULL;
    queue->first = task->next;
    task->status = (uint8_t)doca_priv_advise_check(task, &item);
    if (task->status != DOCA_SUCCESS) {
        task->status =
            (uint8_t)doca_priv_fail(DOCA_ERROR_IO_FAILED, item, "doca_pe_progress", task);
        return task;
    }
    far = doca_priv_advise_task(task)->buf->mmap->far;
    if (far != NULL && far->view != NULL) {
        doca_priv_sys_dmabuf_sync(far->dmabuf_fd, true);
        doca_priv_sys_dmabuf_sync(far->dmabuf_fd, false);
    }
    (void)DOCA_PRIV_FETCH_ADD(&fence, 1u);
    return task;
}

static doca_error_t doca_priv_advise_open(struct doca_ctx *ctx, uint32_t num_tasks,
                                          const char *function)
{
    (void)num_tasks;
    (void)function;
    ctx->queue->post = doca_priv_advise_post;
    ctx->queue->poll = doca_priv_advise_poll;
    return DOCA_SUCCESS;
}

static const struct doca_priv_engine doca_priv_advise_engine = {
    DOCA_PRIV_ENGINE_NONE,        false,                   doca_priv_advise_is_supported,
    doca_priv_advise_check,       doca_priv_advise_is_complete, doca_priv_advise_settle,
    doca_priv_advise_open
};

static void doca_priv_advise_done(struct doca_task *task)
{
    const struct doca_mmap_advise *advise =
        (const struct doca_mmap_advise *)(const void *)task->ctx;

    (task->status == DOCA_SUCCESS ? advise->done : advise->failed)(
        (struct doca_mmap_advise_task_invalidate_cache *)(void *)task, task->user_data,
        advise->ctx.user_data);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_mmap_advise(uint32_t num_tasks, size_t *bytes)
{
    struct doca_mmap_advise advise;

    if (bytes == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    DOCA_CORE_MEMSET(&advise, 0, sizeof(advise));
    advise.ctx.backend = doca_core_sw_backend();
    advise.ctx.engine = &doca_priv_advise_engine;
    advise.ctx.num_stocks = 1;
    advise.stock.num = num_tasks;
    advise.stock.task_bytes = DOCA_CORE_LINE;
    return doca_priv_ctx_bytes(&advise.ctx, sizeof(advise), bytes, __func__);
}

/* A NULL `arena` is the one of the device. */
static doca_error_t doca_priv_advise_create(struct doca_core_arena *arena, struct doca_dev *dev,
                                            struct doca_mmap_advise **mmap_advise,
                                            const char *function)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, mmap_advise, function);
    struct doca_mmap_advise *a;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (arena == NULL)
        arena = dev->info.arena;
    rc = doca_priv_object_take(arena, sizeof(*a), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    a = (struct doca_mmap_advise *)block;
    a->stock.done = doca_priv_advise_done;
    a->stock.task_bytes = DOCA_CORE_LINE;
    doca_priv_ctx_init(&a->ctx, DOCA_PRIV_KIND_MMAP_ADVISE, &doca_priv_advise_engine,
                       doca_core_sw_backend(), arena, dev, 1);
    *mmap_advise = a;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_mmap_advise_create_in(struct doca_core_arena *arena,
                                                            struct doca_dev *dev,
                                                            struct doca_mmap_advise **mmap_advise)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, mmap_advise, __func__);

    return rc != DOCA_SUCCESS ? rc : doca_priv_advise_create(arena, dev, mmap_advise, __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_advise_create(struct doca_dev *dev,
                                                    struct doca_mmap_advise **mmap_advise)
{
    return doca_priv_advise_create(NULL, dev, mmap_advise, __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_advise_destroy(struct doca_mmap_advise *mmap_advise)
{
    if (!doca_priv_is(mmap_advise, DOCA_PRIV_KIND_MMAP_ADVISE))
        return DOCA_PRIV_FAIL_HANDLE(mmap_advise);
    return doca_priv_ctx_destroy(&mmap_advise->ctx, __func__);
}

DOCA_CORE_DECL struct doca_ctx *doca_mmap_advise_as_ctx(struct doca_mmap_advise *mmap_advise)
{
    return mmap_advise != NULL ? &mmap_advise->ctx : NULL;
}

DOCA_CORE_DECL doca_error_t doca_mmap_advise_cap_task_cache_invalidate_is_supported(
    const struct doca_devinfo *devinfo)
{
    return doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, devinfo, __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_advise_task_cache_invalidate_get_max_buf_size(
    const struct doca_devinfo *devinfo, uint64_t *buf_size)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, buf_size, __func__);

    if (rc == DOCA_SUCCESS)
        *buf_size = UINT64_MAX;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_mmap_advise_task_invalidate_cache_set_conf(
    struct doca_mmap_advise *mmap_advise,
    doca_mmap_advise_task_invalidate_cache_completion_cb_t completion_cb,
    doca_mmap_advise_task_invalidate_cache_completion_cb_t error_cb, uint32_t num_tasks)
{
    if (!doca_priv_is(mmap_advise, DOCA_PRIV_KIND_MMAP_ADVISE))
        return DOCA_PRIV_FAIL_HANDLE(mmap_advise);
    if (completion_cb == NULL || error_cb == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, mmap_advise);
    if (num_tasks == 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ZERO, mmap_advise);
    if (mmap_advise->ctx.obj.state != DOCA_CTX_STATE_IDLE)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, CTX_NOT_IDLE, mmap_advise);
    mmap_advise->done = completion_cb;
    mmap_advise->failed = error_cb;
    mmap_advise->stock.num = num_tasks;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_advise_task_invalidate_cache_alloc_init(
    struct doca_mmap_advise *mmap_advise, struct doca_buf *buf, union doca_data user_data,
    struct doca_mmap_advise_task_invalidate_cache **task)
{
    doca_error_t rc = doca_priv_check_args(mmap_advise, DOCA_PRIV_KIND_MMAP_ADVISE, task, __func__);
    struct doca_task *taken = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_task_take(&mmap_advise->ctx, 0, &taken, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    *task = (struct doca_mmap_advise_task_invalidate_cache *)(void *)taken;
    (*task)->task.user_data = user_data;
    (*task)->buf = buf;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL struct doca_task *doca_mmap_advise_task_invalidate_cache_as_doca_task(
    struct doca_mmap_advise_task_invalidate_cache *task)
{
    return task != NULL ? &task->task : NULL;
}

DOCA_CORE_DECL void doca_mmap_advise_task_invalidate_cache_set_buf(
    struct doca_mmap_advise_task_invalidate_cache *task, struct doca_buf *buf)
{
    if (doca_priv_task_check(task, doca_priv_advise_done, __func__) == DOCA_SUCCESS)
        task->buf = buf;
}

DOCA_CORE_DECL struct doca_buf *doca_mmap_advise_task_invalidate_cache_get_buf(
    const struct doca_mmap_advise_task_invalidate_cache *task)
{
    return task != NULL && doca_priv_is_task(&task->task) ? task->buf : NULL;
}

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_IMPLEMENTATION */

#if DOCA_CORE_API >= 30000 /* behind the implementation, which has both */
#define doca_buf_arr_create doca_core_v3_buf_arr_create
#define doca_core_buf_arr_create_in doca_core_v3_buf_arr_create_in
#define doca_buf_arr_set_params doca_core_v3_buf_arr_set_params
#define doca_buf_arr_get_dpa_handle doca_core_v3_buf_arr_get_dpa_handle
#define doca_devinfo_get_active_rate doca_core_v3_devinfo_get_active_rate
#endif

#ifdef DOCA_PRIV_INLINES /* the calls of >>hot, where they are usual */
#define doca_buf_inventory_buf_get_by_args doca_priv_hot_buf_inventory_buf_get_by_args
#define doca_buf_inventory_buf_get_by_addr doca_priv_hot_buf_inventory_buf_get_by_addr
#define doca_buf_inventory_buf_get_by_data doca_priv_hot_buf_inventory_buf_get_by_data
#define doca_buf_dec_refcount doca_priv_hot_buf_dec_refcount
#define doca_buf_chain_list doca_priv_hot_buf_chain_list
#define doca_buf_get_head doca_priv_hot_buf_get_head
#define doca_buf_get_len doca_priv_hot_buf_get_len
#define doca_buf_get_data doca_priv_hot_buf_get_data
#define doca_buf_get_data_len doca_priv_hot_buf_get_data_len
#define doca_buf_set_data doca_priv_hot_buf_set_data
#define doca_buf_reset_data_len doca_priv_hot_buf_reset_data_len
#define doca_task_submit doca_priv_hot_task_submit
#define doca_task_submit_ex doca_priv_hot_task_submit_ex
#define doca_task_free doca_priv_hot_task_free
#define doca_task_get_status doca_priv_hot_task_get_status
#define doca_pe_progress doca_priv_hot_pe_progress
#define doca_dma_task_memcpy_alloc_init doca_priv_hot_dma_task_memcpy_alloc_init
#define doca_dma_task_memcpy_as_task doca_priv_hot_dma_task_memcpy_as_task
#define doca_sha_task_hash_alloc_init doca_priv_hot_sha_task_hash_alloc_init
#define doca_sha_task_hash_as_task doca_priv_hot_sha_task_hash_as_task
#define doca_sync_event_get doca_priv_hot_sync_event_get
#define doca_sync_event_update_set doca_priv_hot_sync_event_update_set
#define doca_sync_event_update_add doca_priv_hot_sync_event_update_add
#endif

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
