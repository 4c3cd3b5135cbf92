/* ---- >>log ----------------------------------------------------------------------------------
 * Each failing call records an item of the list below. doca_core_last_error() returns the latest
 * record of the calling thread as a sentence. Items of the chosen level and of more severe levels
 * are also written, as one line each, to a log sink that the program can replace.
 *     doca_core: doca_mmap_set_memrange: mmap 0x5581c0 (started): not possible while the
 *         mmap is started [BAD_STATE]
 * Levels: ERROR for misuse of the API, WARNING for a task that the device rejected, DEBUG for
 * ordinary outcomes (a pool is empty, a capability is missing, a stop takes time).              */
#ifndef DOCA_SRC_BASE_LOG_H
#define DOCA_SRC_BASE_LOG_H

#include "base/types.h"
#include "base/config.h"
#include "base/error.h"

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
    X(DEAD_HANDLE, ERROR, "the handle is not a live object of the expected type")                  \
    X(ZERO, ERROR, "a size, count or limit must be at least 1")                                    \
    X(ARENA_MISALIGNED, ERROR,                                                                     \
      "the memory is not aligned to a cache line: declare it with DOCA_CORE_ALIGNED")              \
    X(ARENA_TOO_SMALL, ERROR, "the memory is too small for one block of two cache lines")          \
    X(ARENA_TOO_LARGE, ERROR, "the size exceeds what an arena can hold")                           \
    X(ARENA_EXHAUSTED, INFO, "the arena has no free block that is large enough")                   \
    X(ARENA_FOREIGN, ERROR, "the block is not from this arena")                                    \
    X(ARENA_GIVEN_TWICE, ERROR, "the block is already released")                                   \
    X(ARENA_BROKEN, CRIT, "a block header was overwritten at")                                     \
    X(LOG_LEVEL, ERROR, "the level is none of 10, 20, 30, 40, 50 and 60")                          \
    X(TEXT_TOO_SHORT, ERROR, "the buffer is smaller than the documented size")                     \
    X(PCI_ADDR_MALFORMED, ERROR, "the PCI address is malformed: write DDDD:BB:DD.F or BB:DD.F")    \
    X(DEV_NONE, INFO, "no device exists, or none on the chosen side")                              \
    X(DEV_TOO_MANY, ERROR, "DOCA_CORE_MAX_DEVS devices are already open")                          \
    X(DEV_BUSY, ERROR, "mmaps, contexts, representors or clocks still use the device")             \
    X(DEV_NO_LID, DEBUG, "the port is not InfiniBand and has no LID")                              \
    X(DEV_NO_MAC, DEBUG, "the port is not Ethernet and has no MAC address")                        \
    X(DEV_NO_ADDRESS, INFO, "the interface has no address of this family")                         \
    X(DEV_NO_IF_INET6, INFO, "/proc/net/if_inet6 cannot be read")                                  \
    X(DEV_NO_DMA, DEBUG, "the device has no copy engine")                                          \
    X(DEV_NO_SHA, DEBUG, "the device has no hash engine")                                          \
    X(DEV_NO_SYNC_EVENT, DEBUG, "the device has no sync events")                                   \
    X(DEV_NO_RATE, INFO, "the rate of the port is unknown")                                        \
    X(DEV_NO_SF, DEBUG, "the function is not a subfunction (SF)")                                  \
    X(DEV_NO_VHCA_ID, DEBUG, "the VHCA id of the function is unknown")                             \
    X(DEV_NO_RECLAIM, INFO, "the device does not support accelerated resource reclaim")            \
    X(DEV_NO_PCC, DEBUG, "the device has no programmable congestion control")                      \
    X(DEV_NO_ORDER, DEBUG, "the device does not guarantee that tasks complete in order")           \
    X(DEV_NO_REPRESENTORS, INFO, "the device has no representors")                                 \
    X(DEV_FROM_PD, DEBUG, "the device was opened from a PD")                                       \
    X(DEV_NO_PD, INFO, "the device has no protection domain (PD)")                                 \
    X(DEV_OWN_PD, ERROR,                                                                           \
      "the PD belongs to a device that the library opened: pass a PD that the program created")    \
    X(REP_NO_PCI_ADDR, DEBUG, "the PCI address of the function is unknown on this side")           \
    X(REP_FILTER_UNKNOWN, ERROR, "unknown representor filter")                                     \
    X(REP_FILTER_OFF, INFO, "the device does not support this representor filter")                 \
    X(REP_NO_MEMORY, INFO,                                                                         \
      "the memory of the function's machine cannot be read: on the software device, give the "     \
      "function a file with ram=")                                                                 \
    X(REP_FILE, ERROR, "the operating system refused the file with the memory of a machine")       \
    X(REP_OTHER_BACKEND, ERROR, "the device and the representor belong to different backends")     \
    X(REP_OUTSIDE, WARNING, "the machine has no memory at a part of the buffer")                   \
    X(REP_READ, WARNING, "the file with the memory of a machine has become shorter, or cannot be " \
      "read")                                                                                      \
    X(MMAP_NO_REGION, INFO, "the mmap has no region with this index")                              \
    X(REP_DEV_CLOSED, ERROR, "the device of the representor is not open")                          \
    X(BACKEND_INCOMPLETE, ERROR, "the backend lacks a required operation")                         \
    X(BACKEND_TOO_MANY, ERROR, "DOCA_CORE_MAX_BACKENDS backends are already registered")           \
    X(BACKEND_EXISTS, ERROR, "a backend with this name is already registered")                     \
    X(BACKEND_UNKNOWN, ERROR, "no backend with this name is registered")                           \
    X(BACKEND_BUSY, ERROR, "devices of the backend are open")                                      \
    X(BACKEND_QUEUE, ERROR,                                                                        \
      "the queue size of the backend is less than sizeof(struct doca_core_queue)")                 \
    X(BACKEND_REFUSED, ERROR, "the backend rejected the call")                                     \
    X(SW_TOO_MANY, ERROR, "the topology has more than DOCA_CORE_SW_MAX_DEVS devices")              \
    X(SW_NAME_OPEN, ERROR, "a device name is not NUL-terminated")                                  \
    X(SW_ADDRESS_TWICE, ERROR,                                                                     \
      "two devices of one side have the same PCI address, and are not both named SFs")             \
    X(SW_VUID_TWICE, ERROR, "two functions have the same VUID")                                    \
    X(SW_ATTR, ERROR, "unknown side, function type, port, filter or flag")                         \
    X(SW_REP_FILTERS, ERROR, "a device of the host, or an SF, cannot have representors")           \
    X(SW_REP_DEV, ERROR, "rep_dev (rep=) is not the address of a device with representors")        \
    X(SW_LIMITS, ERROR, "the limits of an engine that the device has must be at least 1")          \
    X(SW_PCI_ADDR, ERROR,                                                                          \
      "the PCI address is malformed: write DDDD:BB:DD.F, or BB:DD.F in texts, in lower case")      \
    X(SW_UNKNOWN_PROFILE, ERROR,                                                                   \
      "unknown profile: use default, unlimited, bluefield2, bluefield3 or connectx7")              \
    X(SW_UNKNOWN_SIDE, ERROR, "unknown side: use both, dpu or host")                               \
    X(SW_TEXT_KEY, ERROR, "unknown key, or not of the form key=value")                             \
    X(SW_RAM, ERROR,                                                                               \
      "ram= is for a function with rep=, and ram_split= for one with ram=: a multiple of 4096 of " \
      "at most 4 GiB")                                                                             \
    X(SW_TEXT_TWICE, ERROR, "the function already has this key")                                   \
    X(SW_WORKER_DEV, INFO, "the device is not of the software backend, which workers need")        \
    X(SW_WORKER_FULL, ERROR, "a device can have 1 to DOCA_CORE_SW_MAX_WORKERS workers")            \
    X(SW_WORKER_RUNS, ERROR, "a thread is still in doca_core_sw_worker_run()")                     \
    X(SW_WORKER_BUSY, ERROR, "contexts that the worker serves are not idle")                       \
    X(SW_WORKER_DST, WARNING,                                                                      \
      "the destination buffer was changed while a worker executed the task")                       \
    X(SW_WORKER_SYSTEM, ERROR, "the operating system refused")                                     \
    X(SW_TEXT_VALUE, ERROR, "invalid value for this key")                                          \
    X(FAULT_FAIL, WARNING, "injected fault: error from operation number")                          \
    X(FAULT_AGAIN, WARNING, "injected fault: AGAIN from operation number")                         \
    X(FAULT_LOSE, WARNING, "injected fault: the device fails at operation number")                 \
    X(FAULT_LOST, WARNING, "the device has failed by an injected fault")                           \
    X(FAULT_DELAY, WARNING, "injected fault: delay of operation number")                           \
    X(FAULT_REORDER, WARNING, "injected fault: late completion of operation number")               \
    X(FAULT_HOLD, WARNING, "injected fault: hold of operation number")                             \
    X(FAULT_TRUNCATE, WARNING, "injected fault: truncated result of operation number")             \
    X(FAULT_FLIP, WARNING, "injected fault: wrong bits in the result of operation number")         \
    X(FAULT_OPERATION, ERROR, "unknown operation: faults cannot be injected there")                \
    X(FAULT_ACTION, ERROR, "the operation does not support this action")                           \
    X(FAULT_VALUE, ERROR,                                                                          \
      "invalid or out of range: expected :N, :TIME, :CODE, @K, @K+, %P or the end of the rule")    \
    X(FAULT_TOO_MANY, ERROR, "there are more than DOCA_CORE_FAULT_MAX_RULES rules")                \
    X(FAULT_NO_RECORD, DEBUG,                                                                      \
      "no fault with this number occurred, or its record is no longer kept")                       \
    X(MMAP_STARTED, ERROR, "not possible while the mmap is started")                               \
    X(MMAP_NOT_STARTED, ERROR, "the mmap is not started")                                          \
    X(MMAP_RANGE_SET, ERROR, "the memory range is already set")                                    \
    X(MMAP_NO_RANGE, ERROR, "no memory range is set")                                              \
    X(MMAP_RANGE_WRAPS, ERROR, "address + length is beyond the end of the address space")          \
    X(MMAP_RANGE_OUTSIDE, ERROR, "the range is not inside the memory map")                         \
    X(MMAP_ACCESS_UNKNOWN, ERROR, "unknown access flag")                                           \
    X(MMAP_ACCESS_CONFLICT, ERROR, "PCI_READ_ONLY and PCI_READ_WRITE exclude each other")          \
    X(MMAP_DEV_TWICE, ERROR, "the device is already in the mmap")                                  \
    X(MMAP_DEV_FULL, ERROR, "the mmap already has max_num_devices devices")                        \
    X(MMAP_DEV_MISSING, ERROR, "the device is not in the mmap")                                    \
    X(MMAP_DEVS_FIXED, ERROR, "max_num_devices cannot be changed after the first start")           \
    X(MMAP_DEVS_FEWER, ERROR, "the mmap already has more devices than this number")                \
    X(MMAP_HAS_BUFS, ERROR, "the mmap still has buffers: release them first")                      \
    X(MMAP_MAY_HAVE_BUFS, ERROR,                                                                   \
      "the mmap may have buffers (not verified, with over DOCA_CORE_MAX_STOCKS inventories and "   \
      "pools): if threads share it, call doca_mmap_enable_thread_safety()")                        \
    X(MMAP_MISCOUNTED, WARNING,                                                                    \
      "threads that share the mmap have corrupted its buffer count, although no buffer exists: "   \
      "call doca_mmap_enable_thread_safety() before its start")                                    \
    X(MMAP_IMPORTED, ERROR, "not possible with an imported mmap")                                  \
    X(MMAP_EXPORTED, ERROR, "the mmap is exported and must stay started")                          \
    X(MMAP_ACCESS_LACKS, ERROR, "the permissions of the mmap do not allow this export")            \
    X(MMAP_DMABUF_EXPORT, INFO, "the memory of a dmabuf cannot be exported")                       \
    X(MMAP_DMABUF_MAP, ERROR, "the range is outside the dmabuf, or the kernel cannot map it")      \
    X(MMAP_UNMAPPED, ERROR,                                                                        \
      "part of the range is not mapped: map it before the start; first such page")                 \
    X(MMAP_UNREADABLE, ERROR,                                                                      \
      "part of the range cannot be read: allow that with mprotect(); first such page")             \
    X(MMAP_READ_ONLY, ERROR,                                                                       \
      "part of the range is read-only: map it writable, or set DOCA_ACCESS_FLAG_LOCAL_READ_ONLY "  \
      "and no permission to write; first such page")                                               \
    X(MMAP_BEHIND_FILE, ERROR,                                                                     \
      "the mapped file ends within the range: extend the file, or set a shorter range; first "     \
      "page behind its end")                                                                       \
    X(MMAP_NO_DPA, INFO, "mmaps on DPA are not supported")                                         \
    X(DEV_NO_DMABUF, INFO, "the device does not support dmabufs")                                  \
    X(DEV_NO_MEMORY, INFO, "the device has no memory that can be allocated")                       \
    X(MMAP_ON_DEV, ERROR, "not possible with an mmap of device memory")                            \
    X(MMAP_NOT_ON_DEV, ERROR, "the mmap is not one of device memory")                              \
    X(MMAP_OUTSIDE, ERROR, "the range is not inside the mmap")                                     \
    X(DEV_NO_EXPORT, INFO, "the device does not support this export or import of mmaps")           \
    X(SW_NO_EXPORT, INFO,                                                                          \
      "the profile of the software device does not support this export or import of mmaps: set "   \
      "DOCA_CORE_SW_PROFILE=unlimited on both sides to allow all")                                 \
    X(EXPORT_LENGTH, ERROR, "the descriptor is truncated, or longer than it says")                 \
    X(EXPORT_FOREIGN, ERROR, "the descriptor is not from this library")                            \
    X(EXPORT_VERSION, ERROR,                                                                       \
      "the descriptor is from another version of this library, or from another word size")         \
    X(EXPORT_KIND, ERROR, "the descriptor is of another type of object")                           \
    X(EXPORT_DAMAGED, ERROR, "the descriptor was altered in transit")                              \
    X(EXPORT_BACKEND, ERROR, "the descriptor is from a device of another backend")                 \
    X(EXPORT_MACHINE, ERROR, "the descriptor is from another machine, boot or pid namespace")      \
    X(EXPORT_SYSTEM, ERROR, "cannot read the boot id: out of file descriptors or memory")          \
    X(EXPORT_NO_PROC, ERROR,                                                                       \
      "cannot identify this machine without /proc/sys/kernel/random/boot_id and "                  \
      "/proc/self/ns/pid: mount /proc, or permit reading them")                                    \
    X(EXPORT_RANDOM, ERROR, "the kernel has no random number for the token of the export")         \
    X(EXPORTER_GONE, WARNING, "the exporting process has ended")                                   \
    X(EXPORTER_STOPPED, WARNING, "the exporter stopped or destroyed the exported object")          \
    X(EXPORTER_MEMORY, WARNING, "the exporter's memory is no longer mapped, or not writable")      \
    X(EXPORTER_GUARDED, WARNING,                                                                   \
      "no access to the exporter: run both as one user with ptrace_scope 0 or "                    \
      "DOCA_CORE_SW_PTRACER=any there, or CAP_SYS_PTRACE; or seccomp blocks process_vm_readv")     \
    X(EXPORTER_KERNEL, WARNING,                                                                    \
      "the kernel or a seccomp filter does not allow access to other processes "                   \
      "(process_vm_readv), or memory ran out")                                                     \
    X(BUF_RETURNED, ERROR, "the buffer was released")                                              \
    X(BUF_NOT_HEAD, ERROR, "the buffer is not the head of its list")                               \
    X(BUF_SHARED, ERROR, "the head of the second list has a refcount other than 1")                \
    X(BUF_REFCOUNT_MAX, ERROR, "the reference count is already 65535")                             \
    X(BUF_SAME_LIST, ERROR, "a list cannot be chained to itself")                                  \
    X(BUF_NOT_IN_LIST, ERROR, "the second buffer does not follow the first one in its list")       \
    X(BUF_BROKEN, CRIT, "a buffer descriptor of the list was overwritten")                         \
    X(BUF_FIXED, ERROR, "the window of a buffer of a pool or an mbuf cannot be moved")             \
    X(BUF_DATA_OUTSIDE, ERROR, "the data section is not inside the buffer")                        \
    X(BUF_DATA_BESIDE, WARNING,                                                                    \
      "the data section was set outside the buffer, but inside its mmap: create a buffer that "    \
      "covers all the data")                                                                       \
    X(BUF_MEMORY_GONE, WARNING,                                                                    \
      "memory of a buffer was unmapped, made read-only, or cut off by truncating its file: keep "  \
      "it as it was at doca_mmap_start until the mmap is stopped")                                 \
    X(BUF_NO_KEY, INFO, "the device has no memory key for the mmap")                               \
    X(STOCK_STARTED, ERROR, "not possible while the object is started")                            \
    X(STOCK_NOT_STARTED, ERROR, "the object is not started")                                       \
    X(STOCK_EMPTY, DEBUG, "all elements are in use")                                               \
    X(STOCK_OUTSTANDING, ERROR, "buffers are not released yet")                                    \
    X(STOCK_TOO_MANY, ERROR, "the number of elements exceeds the limit")                           \
    X(STOCK_FAR, ERROR, "the new block would be over 16 GiB away from the first one")              \
    X(POOL_ALIGNMENT, ERROR, "the alignment is not a power of two")                                \
    X(POOL_RANGE_SHORT, ERROR, "the mmap is too small for this many aligned elements")             \
    X(ARRAY_NO_PARAMS, ERROR, "size and number of the elements are not set")                       \
    X(ARRAY_NO_TARGET, INFO, "no backend, or no device of the mmap, supports this processor")      \
    X(TASK_NOT_OWNED, ERROR,                                                                       \
      "the program does not own the task: it is free, in flight, or held by a batch or graph")     \
    X(TASK_NO_BUFFER, ERROR, "source or destination is NULL or not a live buffer")                 \
    X(CHECK_IN_FLIGHT, ERROR, "a task in flight uses the buffer")                                  \
    X(CHECK_OVERLAP, ERROR, "another task in flight writes to the same bytes")                     \
    X(CHECK_THREAD, ERROR, "another thread is using the object")                                   \
    X(CHECK_NESTED, ERROR,                                                                         \
      "doca_pe_progress() was called inside a callback of the same progress engine")               \
    X(CHECK_CHILDREN, ERROR, "pools, buffer arrays or graph nodes still refer to the object")      \
    X(CHECK_WRITTEN, ERROR, "released memory was overwritten at")                                  \
    X(CHECK_NO_LIFE, INFO, "no event of the object is remembered")                                 \
    X(CHECK_OFF, INFO, "supported only with DOCA_CORE_CHECK 2")                                    \
    X(TRACE_OFF, INFO, "recording is supported only with DOCA_CORE_TRACE 1")                       \
    X(TRACE_RUNS, ERROR, "a recording runs already")                                               \
    X(TRACE_NONE, ERROR, "no recording runs")                                                      \
    X(TRACE_BYTES, ERROR, "a recording needs DOCA_CORE_TRACE_MIN_BYTES, and less than 16 TiB")     \
    X(TRACE_MODE, ERROR, "unknown mode of a recording")                                            \
    X(TRACE_FILE, ERROR, "the operating system refused the file of a recording")                   \
    X(STATS_MEMORY, ERROR, "the operating system refused the memory of the statistics")            \
    X(STATS_NO_SYSTEM, INFO, "statistics need an operating system")                                \
    X(TASK_POOL_EMPTY, DEBUG, "all tasks of this type are allocated")                              \
    X(TASK_TOO_LARGE, WARNING, "the source is longer than the device supports in one task")        \
    X(TASK_LIST_TOO_LONG, WARNING, "a buffer list is longer than the device supports")             \
    X(TASK_NO_ROOM, WARNING, "the destination has too little room behind its data")                \
    X(TASK_READ_ONLY, WARNING, "the destination mmap gives no local write permission")             \
    X(TASK_RDMA_ONLY, ERROR, "the memory of another card can be used by RDMA tasks only")          \
    X(TASK_WRITE_ONLY, WARNING, "the exporter of the source does not permit reading")              \
    X(TASK_NOT_MAPPED, WARNING, "an mmap was not started on this device")                          \
    X(TASK_RETURNED, WARNING, "a buffer was released")                                             \
    X(TASK_FLAGS, ERROR, "unknown submit flag")                                                    \
    X(BATCH_CONF, ERROR, "unknown batch size, or not 1 to 255 batches")                            \
    X(BATCH_POOL_EMPTY, DEBUG, "all batches are allocated")                                        \
    X(BATCH_NOT_OWNED, ERROR, "the batch is free or in flight")                                    \
    X(BATCH_FOREIGN, ERROR, "the task belongs to another context")                                 \
    X(BATCH_FULL, ERROR, "the batch already has max_tasks tasks")                                  \
    X(BATCH_EMPTY, ERROR, "the batch has no tasks")                                                \
    X(CTX_NOT_RUNNING, ERROR, "the context is not running")                                        \
    X(CTX_NOT_IDLE, ERROR, "the context is not idle")                                              \
    X(CTX_NO_PE, ERROR, "the context is not connected to a progress engine")                       \
    X(CTX_HAS_PE, ERROR, "the context is already connected to a progress engine")                  \
    X(CTX_NO_TASK_TYPE, ERROR, "no task type is configured")                                       \
    X(CTX_UNSUITABLE, ERROR, "the device does not support this engine")                            \
    X(CTX_TOO_MANY_TASKS, ERROR, "more tasks than the device supports")                            \
    X(CTX_STOPPING, DEBUG,                                                                         \
      "the context is stopping: free all tasks and call doca_pe_progress until it is idle")        \
    X(CTX_STARTING, DEBUG, "the context is starting: call doca_pe_progress until it is running")   \
    X(CTX_BUSY, ERROR, "tasks are in flight or not freed")                                         \
    X(CTX_NO_OFFLOAD, INFO, "DPA and GPU data paths are not supported")                            \
    X(CTX_NO_VECTOR, ERROR, "the device has no such completion vector")                            \
    X(CTX_BROKEN, WARNING, "a task failed; the context stops")                                     \
    X(CTX_DEV_FAILED, ERROR, "the device has failed; its contexts stop")                           \
    X(CTX_EVENTS_FOLDED, WARNING, "too many undelivered state changes; merged the oldest two")     \
    X(QUEUE_FULL, DEBUG, "the device queue is full")                                               \
    X(PE_CONNECTED, ERROR, "contexts are connected, or graphs exist")                              \
    X(PE_NO_NOTIFICATION, INFO, "this build has no notification handle")                           \
    X(PE_SYSTEM, ERROR, "the operating system refused")                                            \
    X(PE_ARMED_PROGRESS, WARNING,                                                                  \
      "doca_pe_progress() was called between request and clear of a notification")                 \
    X(PE_EVENT_MODE, ERROR, "unknown event mode")                                                  \
    X(DMA_EMPTY_SOURCE, WARNING, "the source holds no data")                                       \
    X(DMA_OVERLAP, WARNING, "source and destination lists overlap")                                \
    X(SHA_ALGORITHM, ERROR, "unknown hash algorithm")                                              \
    X(SHA_SESSION, ERROR, "cannot be changed after the first segment: reset the session first")    \
    X(SHA_SEGMENT, WARNING, "a segment before the final one is not a whole number of blocks")      \
    X(SHA_ENDED, WARNING, "the session already has its result: reset it to begin another")         \
    X(GRAPH_STARTED, ERROR, "not possible while the graph is started")                             \
    X(GRAPH_NOT_STARTED, ERROR, "the graph is not started")                                        \
    X(GRAPH_NO_CONF, ERROR, "callbacks and number of instances are not set")                       \
    X(GRAPH_NO_CTX_NODE, ERROR, "the graph has no context node")                                   \
    X(GRAPH_CTX, ERROR,                                                                            \
      "the context of a node was destroyed, or is not running on the graph's progress engine")     \
    X(GRAPH_PE, ERROR, "the graphs are on different progress engines")                             \
    X(GRAPH_CYCLE, ERROR, "a node would wait for itself")                                          \
    X(GRAPH_FOREIGN, ERROR,                                                                        \
      "the object belongs to another graph or context, or is of another type")                     \
    X(GRAPH_NO_DATA, ERROR, "a node has no task, or no instance of its graph")                     \
    X(GRAPH_TASK_GONE, ERROR, "the task of a node was freed")                                      \
    X(GRAPH_TOO_MANY, ERROR, "the graph has more nodes than 32 bits can count")                    \
    X(GRAPH_NO_INSTANCE, DEBUG, "all instances are already created")                               \
    X(GRAPH_HAS_INSTANCES, ERROR, "the graph still has instances")                                 \
    X(GRAPH_USED, ERROR, "another graph uses this graph")                                          \
    X(GRAPH_SUBMITTED, ERROR, "the instance is submitted")                                         \
    X(GRAPH_INSTANCE_USED, ERROR, "the instance is set as the data of a node")                     \
    X(GRAPH_FAILED, WARNING, "a node failed; no further nodes run")                                \
    X(DPDK_ABSENT, INFO, "the library was built without DPDK (DOCA_CORE_DPDK)")                    \
    X(DPDK_POOL, ERROR, "the mempool is not one of mbufs with their data in the mempool")          \
    X(DPDK_NO_DEV, ERROR, "no device was added to the mempool")                                    \
    X(DPDK_ACCESS, ERROR, "PCI permissions are not supported for mbuf memory")                     \
    X(DPDK_MBUF, ERROR, "the memory of the mbuf is not in the mempool")                            \
    X(DPDK_DEVARGS, ERROR,                                                                         \
      "the device arguments must not contain a PCI address: it is that of the device")             \
    X(DPDK_PROBE, ERROR, "DPDK could not attach the device")                                       \
    X(DPDK_REP_FOREIGN, ERROR, "the representor belongs to another device")                        \
    X(DPDK_REP_NAME, ERROR, "the representor has no name by which DPDK can find it")               \
    X(DPDK_NO_PORT, INFO, "no DPDK port and open device have the same PCI address")                \
    X(EVENT_NO_LOCATION, ERROR, "the publisher or the subscriber location is not set")             \
    X(EVENT_FIXED, ERROR,                                                                          \
      "not possible while the event is started, or after doca_sync_event_as_ctx()")                \
    X(EVENT_IMPORTED, ERROR, "an event created from an export cannot be configured or exported")   \
    X(EVENT_MISALIGNED, ERROR, "the address of the value is not a multiple of 8")                  \
    X(EVENT_OWN_ADDR, ERROR, "a value at an address that the program chose cannot be shared")      \
    X(EVENT_BUF, ERROR, "the value needs one writable buffer with 8 bytes of data")                \
    X(EVENT_BUF_FAR, INFO,                                                                         \
      "the CPU cannot address the buffer, and no device of the event supports it")                 \
    X(EVENT_BY_DEV, ERROR, "the CPU cannot access the value: use tasks of the event's context")    \
    X(EVENT_BY_RDMA, ERROR,                                                                        \
      "the event is on another machine, or of another user: use RDMA tasks")                       \
    X(EVENT_NOT_ATOMIC, ERROR,                                                                     \
      "devices may add to the value, and the CPU cannot change it atomically with respect to "     \
      "them")                                                                                      \
    X(EVENT_NOT_STARTED, ERROR, "the event is not started")                                        \
    X(EVENT_IS_CTX, ERROR, "the event is used as a context, which excludes this call")             \
    X(EVENT_IS_NO_CTX, ERROR,                                                                      \
      "the event is not used as a context: call doca_sync_event_as_ctx() before the start")        \
    X(EVENT_LOCATION, ERROR, "the locations of the event do not allow this export")                \
    X(EVENT_NO_TARGET, INFO, "DPA and GPU sync events are not supported")                          \
    X(EVENT_OTHER_USER, ERROR,                                                                     \
      "the exporter runs as another user: run both processes as the same user")                    \
    X(EVENT_GONE, WARNING, "the exporter stopped or destroyed the event, or has ended")            \
    X(EVENT_SYSTEM, ERROR, "the operating system refused")                                         \
    X(FLUSHED, DEBUG, "the task was flushed")                                                      \
    /* items of doca_core_mlx5.h */                                                                \
    X(MLX5_CALL, ERROR, "libibverbs or the kernel refused")                                        \
    X(MLX5_COMMAND, ERROR, "the firmware refused")                                                 \
    X(MLX5_NO_LIST, INFO, "libibverbs provides no list of devices")                                \
    X(MLX5_NO_ENGINE, INFO, "the device does not support the chosen copy engine")                  \
    X(MLX5_FOREIGN, ERROR, "the device does not belong to the mlx5 backend")                       \
    X(MLX5_TOO_MANY, ERROR, "there are more than DOCA_CORE_MLX5_MAX_DEVS devices")                 \
    X(MLX5_BUF, WARNING, "a buffer was changed while its task was in flight")                      \
    X(MLX5_LENGTH, WARNING, "local length error: a buffer is longer than a single request may be") \
    X(MLX5_QP_OP, WARNING,                                                                         \
      "local QP operation error: the queue or the memory key does not support this request")       \
    X(MLX5_PROTECTION, WARNING, "local protection error: the memory was unmapped after its "       \
      "mmap was started, or its key lacks the permission")                                         \
    X(MLX5_ACCESS, WARNING, "remote access error: an export has ended, or does not allow this "    \
      "access")                                                                                    \
    X(MLX5_REMOTE, WARNING, "the remote side rejected the request")                                \
    X(MLX5_RETRY, WARNING, "no answer after all retries: the port or the remote side is down")     \
    X(MLX5_OTHER, WARNING, "the device reported an error completion")                              \
    X(MLX5_FATAL, ERROR, "the device has failed")                                                  \
    X(MLX5_OVERLAP, WARNING,                                                                       \
      "source and destination overlap in memory that the CPU cannot address")                      \
    X(MLX5_OTHER_CARD, ERROR, "the exporter's function is on another card")                        \
    X(MLX5_NO_EXPORT, ERROR, "the firmware does not know this export, or the export has ended")    \
    X(MLX5_RINGS, INFO, "libmlx5 allocated rings on the heap, not in the context's block")         \
    X(MLX5_RING_BYTES, INFO,                                                                       \
      "libmlx5 allocated a ring on the heap, as it is larger than the reserved space; bytes")      \
    X(MLX5_NO_ALIAS, INFO,                                                                         \
      "the firmware of the device does not support memory keys of other functions")                \
    X(MLX5_KEPT, ERROR,                                                                            \
      "other processes or functions can still access the memory: the device refused")              \
    /* items of tools/compat/doca_core_legacy.h */                                                 \
    X(LEGACY_PROPERTY, ERROR, "unknown property, or invalid value for it")                         \
    X(LEGACY_READ_ONLY, ERROR, "the property is read-only")                                        \
    X(LEGACY_FIXED, ERROR, "cannot be changed after the first start")                              \
    X(LEGACY_PAGE_SIZE, ERROR, "the page size is not a power of two, or less than 4096")           \
    X(LEGACY_CHUNKS_FULL, ERROR, "the mmap already has max_num_chunks ranges")                     \
    X(LEGACY_CHUNK_OVERLAP, ERROR, "the range overlaps another range of the mmap")                 \
    X(LEGACY_ONE_RANGE, ERROR,                                                                     \
      "an mmap of the 2.0 API has one range: set it with doca_mmap_set_memrange()")                \
    X(LEGACY_RANGES, ERROR,                                                                        \
      "an mmap of the 1.x API has ranges: add them with doca_mmap_populate()")                     \
    X(LEGACY_NOT_ONE_CHUNK, ERROR, "only an mmap with exactly one range can be exported")          \
    X(LEGACY_HEAP, ERROR, "the heap has no memory for the descriptor")                             \
    X(LEGACY_CTX_DEV, ERROR, "the context already has a device")                                   \
    X(LEGACY_CTX_NO_DEV, ERROR, "the context has no device, or another one")                       \
    X(LEGACY_NO_REFCOUNT, INFO, "this API cannot add references")                                  \
    X(LEGACY_INVENTORY, ERROR,                                                                     \
      "the inventory was created by the 1.x API: use the calls of that API")                       \
    X(WORKQ_ADDED, ERROR, "a work queue is already attached")                                      \
    X(WORKQ_NOT_ADDED, ERROR, "the work queue is not attached")                                    \
    X(WORKQ_HAS_GRAPHS, ERROR, "graphs are attached to the work queue")                            \
    X(WORKQ_PENDING, ERROR, "jobs are in flight, or their events were not retrieved")              \
    X(WORKQ_FULL, DEBUG, "no room in the work queue before more events are retrieved")             \
    X(WORKQ_POLLED, ERROR, "the event-driven mode is not enabled")                                 \
    X(JOB_TYPE, ERROR, "the job is not one of this context")                                       \
    X(JOB_SESSION, ERROR, "the session belongs to another context, work queue or hash")            \
    X(JOB_SESSION_BUSY, ERROR,                                                                     \
      "a job of the session is in flight, or has an event that was not retrieved")                 \
    X(JOB_LENGTH, ERROR, "the length exceeds the source, or the source is a list")                 \
    X(JOB_LIST_BUSY, DEBUG, "a job in flight uses the same destination list")                      \
    X(GRAPH_UNFINISHED, ERROR, "the node did not complete")                                        \
    /* items of tools/compat/doca_core_apsh.h */                                                   \
    X(APSH_NO_DEV, ERROR, "no device is set: call doca_apsh_dma_dev_set()")                        \
    X(APSH_NO_REP, ERROR, "no representor is set: call doca_apsh_sys_dev_set()")                   \
    X(APSH_NO_OS, ERROR, "no operating system is set: call doca_apsh_sys_os_type_set()")           \
    X(APSH_CTX_NOT_STARTED, ERROR, "the context of the system is not started")                     \
    X(APSH_STARTED, ERROR, "not possible after the start")                                         \
    X(APSH_NOT_STARTED, ERROR, "the system is not started, or is destroyed")                       \
    X(APSH_VALUE, ERROR, "unknown attribute, or invalid value for it")                             \
    X(APSH_WINDOW, ERROR,                                                                          \
      "the window must be a multiple or a divisor of 4096, and the step must divide it")           \
    X(APSH_WINDOWS, WARNING, "targets that run Windows are not supported")                         \
    X(APSH_WINDOWS_ONLY, WARNING, "the call is for targets that run Windows")                      \
    X(APSH_NO_YARA, WARNING,                                                                       \
      "compiled without libyara: define DOCA_CORE_APSH_YARA and link with -lyara")                 \
    X(APSH_YARA, WARNING, "libyara failed")                                                        \
    X(APSH_COPIES, ERROR, "the zip file with copies of mapped files cannot be used")               \
    X(APSH_HASHING, WARNING, "the device cannot hash pages")                                       \
    X(APSH_MAP, ERROR, "the symbol map cannot be used")                                            \
    X(APSH_MAP_FOREIGN, WARNING, "the symbol map is not of the kernel that the target runs")       \
    X(APSH_MAP_DIFFERS, WARNING,                                                                   \
      "the symbol map and the memory of the target tell different things: the map is used")        \
    X(APSH_REGIONS, ERROR, "the file of memory regions cannot be used")                            \
    X(APSH_REGIONS_DIFFER, WARNING,                                                                \
      "the file of memory regions has memory that the device does not reach, which is left out")   \
    X(APSH_KPGD, ERROR, "the file of the page directory cannot be used")                           \
    X(APSH_KPGD_DIFFERS, WARNING,                                                                  \
      "the file of the page directory is not of this boot of the target, whose memory is used")    \
    X(APSH_CACHE, ERROR, "the number of pages is not a multiple of 8 from 64 to 1,048,576")        \
    X(APSH_PROCESSOR, WARNING, "the processor of the target is not x86-64")                        \
    X(APSH_NO_KERNEL, WARNING, "the memory of the target contains no kernel of Linux")             \
    X(APSH_LAYOUT, WARNING, "the kernel of the target lacks type information that is needed")      \
    X(APSH_BUDGET, WARNING, "the call needs more reads of the target than its bound")              \
    X(APSH_TORN, WARNING, "the list is damaged, or changed each time that it was read")            \
    X(APSH_ENDED, WARNING, "the process has ended since the list of processes was read")           \
    X(APSH_READ, WARNING, "the memory of the target cannot be read")                               \
    /* items of >>nic_clock and tools/compat/doca_core_clock.h */                                  \
    X(DEV_NO_CLOCK, INFO,                                                                          \
      "the device has no such clock, or its driver does not let programs read it")                 \
    X(CLOCK_DPA, INFO,                                                                             \
      "only programs that run on the DPA can read its timer, and this library runs none")          \
    X(CLOCK_UNKNOWN, ERROR, "unknown clock: pass exactly one of the clocks DOCA_CLOCK_*")          \
    X(CLOCK_NOT_NIC, ERROR,                                                                        \
      "the second clock of a cross timestamp must be DOCA_CLOCK_NIC_*")                            \
    X(CLOCK_NO_DEV, ERROR,                                                                         \
      "the object has no device, so it reads clocks of the host only: pass a device to "           \
      "doca_clock_create()")                                                                       \
    X(CLOCK_NO_COUNTER, INFO, "this processor has no cycle counter that programs can read")        \
    X(CLOCK_NO_HOST, INFO, "this operating system has no such clock")                              \
    X(CLOCK_SYSTEM, ERROR, "the operating system refused")                                         \
    X(CLOCK_WENT_BACK, WARNING,                                                                    \
      "the primary clock went back during each attempt: repeat the call, or use a "                \
      "monotonic clock")                                                                           \
    /* items of tools/compat/doca_core_rdma.h */                                                   \
    X(RDMA_NO_DPA, WARNING,                                                                        \
      "no DPA and no GPU exists: let the CPU run the tasks, on a progress engine")                 \
    X(RDMA_NO_BRIDGE, WARNING,                                                                     \
      "a software device has no connections of librdmacm: use "                                    \
      "doca_rdma_start_listen_to_port() or doca_rdma_export()")                                    \
    X(RDMA_DEVICE, ERROR,                                                                          \
      "the device cannot export memory to other processes: use a software device")                 \
    X(RDMA_DC, WARNING, "dynamically connected transport is not supported: use RC")                \
    X(RDMA_LIMIT, ERROR, "the number is 0, or above the limit of the device")                      \
    X(RDMA_FLAGS, ERROR, "a permission is not one of LOCAL and RDMA: see enum doca_access_flag")   \
    X(RDMA_NOT_STARTED, ERROR, "the instance is not started")                                      \
    X(RDMA_NO_CALLBACKS, ERROR,                                                                    \
      "the instance has no callbacks for this: call "                                              \
      "doca_rdma_set_connection_state_callbacks() first")                                          \
    X(RDMA_OF_25, ERROR, "the instance is one of the other API level: see >>rdma.api_25")          \
    X(RDMA_DETAILS, WARNING,                                                                       \
      "the details of the connection are damaged, or no instance on this machine made them")       \
    X(RDMA_CONNECTED, ERROR, "the connection is connected already")                                \
    X(RDMA_NOT_CONNECTED, ERROR, "the connection is not connected, or has ended")                  \
    X(RDMA_OF_OTHER, ERROR, "the connection belongs to another instance")                          \
    X(RDMA_NOT_ASKED, ERROR, "the connection waits for no answer")                                 \
    X(RDMA_CROWDED, WARNING,                                                                       \
      "all connections of the instance are in use: disconnect one, or raise "                      \
      "doca_rdma_set_max_num_connections()")                                                       \
    X(RDMA_LOST, WARNING, "the peer has ended, or has closed the connection")                      \
    X(RDMA_GONE, WARNING, "the peer has ended before the connection was made")                     \
    X(RDMA_REJECTED, WARNING, "the peer rejected the connection")                                  \
    X(RDMA_LATE, WARNING, "the peer did not answer in the time that the instance gives it")        \
    X(RDMA_NO_LISTENER, WARNING, "no instance of this user listens on the port: start it first")   \
    X(RDMA_PORT_TAKEN, ERROR, "another instance of this user listens on the port")                 \
    X(RDMA_PORT, ERROR, "the port is 0, or the instance does not listen on it")                    \
    X(RDMA_PORTS, ERROR,                                                                           \
      "the instance listens on the port, or on its maximum number of ports, already")              \
    X(RDMA_ADDRESS, ERROR, "the text is not an address of its type")                               \
    X(RDMA_ADDRESSES, ERROR,                                                                       \
      "all addresses of the process are in use: destroy one, or raise "                            \
      "DOCA_CORE_RDMA_MAX_ADDRS")                                                                  \
    X(RDMA_ADDRESS_USED, ERROR, "a connection that was made with the address exists")              \
    X(RDMA_NO_ADDRESS, ERROR, "the connection was not made with an address")                       \
    X(RDMA_FOREIGN, WARNING,                                                                       \
      "the peer is a process of another user: both must run as the same user")                     \
    X(RDMA_NONSENSE, WARNING, "the peer broke the protocol, and its connection is closed")         \
    X(RDMA_SYSTEM, ERROR, "the operating system refused")                                          \
    X(RDMA_QUEUE_FULL, ERROR,                                                                      \
      "the send queue of the connection is full: progress, or raise "                              \
      "doca_rdma_set_send_queue_size()")                                                           \
    X(RDMA_BUF, ERROR,                                                                             \
      "a buffer is missing or released, or its list is longer than the instance permits")          \
    X(RDMA_NOT_REMOTE, ERROR,                                                                      \
      "the remote buffer is not in an mmap that was imported on the device of the instance")       \
    X(RDMA_NO_ROOM, ERROR,                                                                         \
      "the destination has too little room behind its data, or the message exceeds the "           \
      "limit of the device")                                                                       \
    X(RDMA_UNALIGNED, ERROR, "an atomic task needs a remote address that is a multiple of 8")      \
    X(RDMA_EVENT, ERROR, "the remote sync event is missing, or not a live object")                 \
    X(RDMA_REFUSED, WARNING,                                                                       \
      "the instance of the peer does not permit this: see doca_rdma_set_permissions()")            \
    X(RDMA_ACCESS, WARNING,                                                                        \
      "the mmap that the peer exported does not permit this: see "                                 \
      "doca_mmap_set_permissions()")                                                               \
    X(RDMA_OF_OTHER_PEER, WARNING, "the remote memory is not that of the peer of this connection") \
    X(RDMA_TOO_LONG, WARNING, "the message is longer than the receive buffer")                     \
    X(RDMA_PEER_FAILED, WARNING, "the peer could not receive the message")                         \
    X(RDMA_NO_RECEIVE, WARNING,                                                                    \
      "the peer has no receive task for the message: see doca_rdma_set_rnr_retry_count()")         \
    X(RDMA_FAR_SOURCE, WARNING,                                                                    \
      "a message longer than 544 bytes cannot be sent from memory of an exporter: copy it "        \
      "first")                                                                                     \
    X(RDMA_BROKEN, WARNING,                                                                        \
      "the connection broke because of a task before this one, or was disconnected")               \
    X(RDMA_NO_EVENTS, WARNING,                                                                     \
      "the sync event has no key: its subscriber's device must be that of the peer's instance")    \
    X(RDMA_BY_EXPORT, WARNING,                                                                     \
      "connections by address on RDMA devices need DOCA_CORE_RDMA_CM, or use doca_rdma_export()")  \
    X(RDMA_ELSEWHERE, WARNING, "the route to the address uses another device")                     \
    X(RDMA_VERBS, ERROR,                                                                           \
      "libibverbs refused")                                                                        \
    X(RDMA_CARD, WARNING,                                                                          \
      "the device or the peer could not execute the task")                                         \
    /* items of tools/compat/doca_core_comch.h */                                                  \
    X(COMCH_NO_DPA, WARNING,                                                                       \
      "no DPA exists: let the CPU run consumers and producers, on a progress engine")              \
    X(COMCH_NO_MSGQ, WARNING,                                                                      \
      "no DPA exists, and message queues need one: create a consumer and a producer on a "         \
      "connection")                                                                                \
    X(COMCH_NAME, ERROR, "the name of the service is empty or too long")                           \
    X(COMCH_NOT_SERVER, ERROR,                                                                     \
      "the device cannot serve: use a device of the DPU that has representors")                    \
    X(COMCH_NOT_CLIENT, ERROR, "the device cannot connect: use a device of the host")              \
    X(COMCH_NO_DPU, ERROR, "the card of the device has no DPU: use a device of a BlueField")       \
    X(COMCH_REP, ERROR, "the representor is not one of the device")                                \
    X(COMCH_FUNCTION, ERROR,                                                                       \
      "the address of the function is unknown, so clients and servers cannot meet")                \
    X(COMCH_LIMIT, ERROR, "the number is 0, or above the limit of the device")                     \
    X(COMCH_TOO_LONG, ERROR, "the message is longer than one of both sides permits")               \
    X(COMCH_NOT_STARTED, ERROR, "the server or client is not started")                             \
    X(COMCH_NOT_UP, ERROR, "the connection is not established")                                    \
    X(COMCH_OF_OTHER, ERROR, "the connection belongs to another server or client")                 \
    X(COMCH_CHILDREN, ERROR,                                                                       \
      "consumers or producers of the connection exist: destroy them first")                        \
    X(COMCH_FEW_IDS, ERROR, "the connection has its maximum number of consumers or producers")     \
    X(COMCH_LOST, WARNING, "the peer has ended, or has closed the connection")                     \
    X(COMCH_NO_SERVER, WARNING, "no server of this name serves the function: start it first")      \
    X(COMCH_NAME_TAKEN, ERROR, "another server of this user serves the function under this name")  \
    X(COMCH_FOREIGN, WARNING,                                                                      \
      "the peer is a process of another user: both must run as the same user")                     \
    X(COMCH_REFUSED, WARNING, "the server refused the connection")                                 \
    X(COMCH_CROWDED, WARNING,                                                                      \
      "a client was refused: the server has its maximum number of connections")                    \
    X(COMCH_NONSENSE, WARNING, "the peer broke the protocol, and its connection is closed")        \
    X(COMCH_DEAF, WARNING, "a message was dropped, because no receive event is registered")        \
    X(COMCH_SYSTEM, ERROR, "the operating system refused")                                         \
    X(COMCH_BUF, ERROR,                                                                            \
      "the buffer is released, in a list, or not in memory that this consumer or "                 \
      "producer can use")                                                                          \
    X(COMCH_IMM, ERROR, "more immediate data than the consumer accepts")                           \
    X(COMCH_NO_CONSUMER, WARNING, "the peer has no consumer of this number, or it has ended")      \
    X(COMCH_NO_ROOM, WARNING, "the message is longer than the posted buffer")                      \
    X(COMM_NO_ENDPOINT, ERROR, "the endpoint is NULL, or not a live object")                       \
    X(COMM_BUSY, ERROR,                                                                            \
      "the endpoint listens or is connected: disconnect it, or destroy a service, first")          \
    X(COMM_NO_DEV, ERROR,                                                                          \
      "the endpoint has no device: call doca_comm_channel_ep_set_device() first")                  \
    X(COMM_NO_REP, ERROR,                                                                          \
      "the endpoint has no representor: call doca_comm_channel_ep_set_device_rep() first")         \
    X(COMM_IDLE, ERROR,                                                                            \
      "the endpoint neither listens nor is connected: call doca_comm_channel_ep_listen() or "      \
      "doca_comm_channel_ep_connect() first")                                                      \
    X(COMM_NOT_SERVICE, ERROR, "the endpoint is not a service")                                    \
    X(COMM_FLAGS, ERROR, "no flag is supported: pass DOCA_CC_MSG_FLAG_NONE")                       \
    X(COMM_NO_PEER, ERROR, "the peer is NULL, not live, or of another endpoint")                   \
    X(COMM_CONNECTING, DEBUG,                                                                      \
      "the service has not accepted the connection: call "                                         \
      "doca_comm_channel_peer_addr_update_info() until it returns SUCCESS")                        \
    X(COMM_BROKEN, WARNING, "the connection is broken: disconnect the peer")                       \
    X(COMM_FULL, DEBUG,                                                                            \
      "the connection is full: call again when the send event channel is readable")                \
    X(COMM_NOTHING, DEBUG,                                                                         \
      "no message has arrived: call again when the receive event channel is readable")             \
    X(COMM_ROOM, ERROR,                                                                            \
      "the message is longer than the room: call again with the length that *len has")             \
    X(COMM_CROWDED, WARNING,                                                                       \
      "a client was refused: the service has its maximum number of peers; disconnect broken ones")

#define DOCA_PRIV_ITEM_ENUM(item, level, text) DOCA_CORE_ITEM_##item,
enum doca_core_item {
    DOCA_CORE_ITEMS(DOCA_PRIV_ITEM_ENUM) DOCA_CORE_NUM_ITEMS
};
#undef DOCA_PRIV_ITEM_ENUM

/* Receive one log line. `level` is one of DOCA_CORE_LOG_*, `item` identifies the failure, and
 * `line` is NUL-terminated text without a line end, valid only during the call.
 * Threads   called in the thread whose call failed, possibly in several threads at the same time
 * Callback  must not call this library, except doca_core_last_error() */
typedef void (*doca_core_log_sink_t)(uint32_t level, enum doca_core_item item, const char *line,
                                     void *user);

/* Set the function that receives log lines. `user` is passed to every call of `sink`. NULL restores
 * the default sink, which writes to standard error (freestanding builds, and systems other than
 * Linux: discards the lines).
 *
 * Threads   any. A thread that is logging a line at this time may still call the previous sink
 *           after this call has returned: that sink and its `user` must stay valid until then. */
DOCA_CORE_DECL void doca_core_log_set_sink(doca_core_log_sink_t sink, void *user);

/* Set the log level: items of this level and of more severe levels are logged. 10 nothing, 20 CRIT,
 * 30 ERROR, 40 WARNING (default), 50 INFO, 60 DEBUG.
 *
 * Threads   any
 * Errors    INVALID_VALUE  `level` is not in this list */
DOCA_CORE_DECL doca_error_t doca_core_log_set_level(uint32_t level);

/* Return one line about the latest failing call of this thread: call, object, state, reason and
 * error code. The text is valid until the thread's next call of this function. Never returns NULL.
 * A task that fails in the device is also recorded, in the thread whose doca_pe_progress() finds
 * it; and so is a warning of a call that succeeds, such as doca_buf_set_data() with a content
 * outside of the window.
 *
 * Threads   any; each thread has its own record (one per process if the compiler has no
 *           thread-local storage) */
DOCA_CORE_DECL const char *doca_core_last_error(void);

/* Return the item of the latest failing call of this thread, or DOCA_CORE_ITEM_NONE if no call has
 * failed. */
DOCA_CORE_DECL enum doca_core_item doca_core_last_item(void);

/* Return the text of an item, as it appears in log lines. Never returns NULL.
 * Threads   any */
DOCA_CORE_DECL const char *doca_core_item_text(enum doca_core_item item);

#endif
