/* doca_core_legacy.h - the API of DOCA 1.3 to 2.2 (jobs and work queues), for use with doca_core.h
 *
 * This header implements the old API with the objects of doca_core.h. An mmap of 1.x holds one mmap
 * of doca_core.h for each of its memory ranges. A work queue is a progress engine. Attaching a work
 * queue to a context creates a context of doca_core.h for the two. A job in flight is a task.
 * Devices, buffers and arenas are those of doca_core.h. Below, "today's" means doca_core.h.
 *
 * DO THIS in the one file that has the implementation, in place of doca_core.h:
 *
 *     #define DOCA_CORE_IMPLEMENTATION
 *     #include "doca_core_legacy.h"
 *
 * and in each file that is written for DOCA 1.x:
 *
 *     #define DOCA_CORE_LEGACY 10300      // or 10500, for 1.5; or 20000, for 2.0 to 2.2
 *     #include "doca_core_legacy.h"
 *
 * One file can define both macros. Without DOCA_CORE_LEGACY the header only declares the functions
 * under their doca_core_legacy_ names.
 *
 * A program starts an mmap of 1.x first, and then adds memory ranges by doca_mmap_populate(). The
 * mmap of 2.0 to 2.2, the last versions with work queues, is like today's: the program adds
 * devices, sets one range by doca_mmap_set_memrange() and the permissions, calls doca_mmap_start(),
 * and then doca_mmap_export_dpu(). With DOCA_CORE_LEGACY 20000, doca_mmap_create() creates an mmap
 * of this later form; in all other respects 20000 is the same as 10500.
 *
 * NAMES. A function that exists only in 1.x is declared under its name. Where today's doca_core.h
 * has the same name with another signature or behaviour, the function is called
 * doca_core_legacy_..., and the structure struct doca_core_legacy_.... DOCA_CORE_LEGACY declares
 * these under their old names, and the functions of doca_core.h as doca_core_today_.... The
 * declarations give the names of the symbols by __asm__, so that a tool that reads declarations
 * (bindgen) finds each name once. In three cases the old names are macros without parameters
 * instead: the file also has the implementation, it has already included doca_core.h, or object
 * files are not ELF. Such a file must include this header before it declares struct doca_mmap or
 * another renamed structure itself. Files with either API can be linked into one program and share
 * devices, but one file cannot use both. 10300 and 10500 differ in three calls that take a name in
 * 1.3 and user data in 1.5 (doca_mmap_create, doca_mmap_create_from_export,
 * doca_buf_inventory_create), and in num_bytes_to_copy of a job, which 1.5 does not have.
 * Everything that only one of the versions has is available with both. DOCA_CORE_LEGACY_GUIDE
 * additionally selects the form of doca_dev_as_devinfo() that the 1.3 guide prints; no known
 * program uses it.
 *
 * DIFFERENCES OF DOCA 1.x FROM LATER VERSIONS
 *   - An mmap is started first. Devices and ranges are added afterwards, in any order, even while
 *     buffers exist. The first start fixes its properties. Start and stop may be repeated.
 *   - A context starts without a work queue. Work queues are attached while it is started, and it
 *     can be stopped when none is attached. A context takes one device, and has a reference
 *     to it until doca_ctx_dev_rm().
 *   - A copy is written to the data address of the destination, whatever its data length is.
 *     Afterwards the data of the destination is what the copy has written (Assumed; 1.3 has no
 *     data length). When a job fails, a destination of one buffer is unchanged, and the buffers of
 *     a list are empty. While a job is in flight, its destination list cannot be the destination
 *     or the source of another job. A second job with the same list on the same work queue must
 *     wait (see doca_workq_submit).
 *   - doca_workq_progress_retrieve() returns one event per call. When it returns IO_FAILED, it
 *     returns an event as well.
 *   - If num_bytes_to_copy is 0, the data length of the source is copied, as always in 1.5. A
 *     buffer of 1.3 has no data length, so such a job fails there. Any other number is counted
 *     from the data address of the source, which in 1.3 is its head.
 *
 * THE EXPORT DESCRIPTOR of doca_mmap_export() is text, because programs for 1.4 parse it with
 * json-c. It is a JSON object, followed by a NUL that is included in the length. Its members are
 * the numbers `addr` and `len`, and `doca_core_export`, which is the descriptor of doca_core.h in
 * base64 with the alphabet for URLs. An import accepts such text, also with other white space or
 * more members and with bytes after the NUL. It also accepts the binary descriptor of
 * doca_mmap_export_dpu() and of today's programs. Programs pass the text to free(). It is therefore
 * allocated with DOCA_CORE_LEGACY_MALLOC, which is malloc(). doca_mmap_export() is the only
 * function of the project that allocates heap memory. All other memory comes from the bound arena
 * of doca_core.h, or from its static arena.
 *
 * JOBS hold a reference on their buffers from submit until they end. A buffer that the program
 * returns too early goes back to its inventory when the job ends. The job structure is copied and
 * may be changed after submit. When the device refuses a job, the event of this job and the events
 * of all later jobs in the same context report IO_FAILED. The context then restarts by itself.
 * Until these events have been retrieved, submit fails with NO_MEMORY, as for a full queue.
 *
 * MEMORY. Creating a work queue takes a structure and a slot for each job. Attaching it to a
 * context takes as much as a DMA context with `depth` tasks. The first start of an mmap takes a
 * table with one pointer for each range and device, and each populate takes a structure. After
 * doca_ctx_workq_add(), jobs and events take no memory; a restart after a failed job frees a block
 * and takes it again. The doca_core_bytes_legacy_... calls return the sizes.
 *
 * THREADS. As in doca_core.h. A context may be attached to work queues of several threads, and any
 * thread may make its calls. A started graph also serves several threads, each with its own
 * instances.
 *
 * ERRORS are reported as in doca_core.h, including doca_core_last_error(). AGAIN is not a failure
 * and has no error text.
 *
 * Assumed, because no document or program of that time shows it: the numbers of all properties;
 * that an mmap whose permissions were never set has local write, remote read and remote write,
 * since programs export such mmaps; that doca_mmap_start() on an imported mmap, which is started
 * already, succeeds; that a context has at most one device; that a copy which the device refuses is
 * reported by the event of its job.
 * Source: DOCA Core Programming Guide 1.3; public programs of DOCA 1.3 and 1.5.
 *
 * CONTENTS (search for the tag)
 *   Declarations    >>legacy.view >>legacy.view.old
 *   API             >>legacy.config >>legacy.bytes >>legacy.error >>legacy.device >>legacy.buf
 *                   >>legacy.inventory >>legacy.mmap >>legacy.ctx >>legacy.job >>legacy.sha
 *                   >>legacy.workq >>legacy.graph >>legacy.view.end
 *   Private         >>priv.legacy.mmap >>priv.legacy.chunk >>priv.legacy.property >>priv.legacy.ctx
 *                   >>priv.legacy.sha >>priv.legacy.workq >>priv.legacy.job >>priv.legacy.graph
 *                   >>priv.legacy.graph.instance >>priv.legacy.graph.run
 *   Implementation  >>impl.legacy.error >>impl.legacy.device >>impl.legacy.buf >>impl.legacy.mmap
 *                   >>impl.legacy.chunk >>impl.legacy.export >>impl.legacy.inventory
 *                   >>impl.legacy.property >>impl.legacy.ctx >>impl.legacy.sha >>impl.legacy.workq
 *                   >>impl.legacy.job >>impl.legacy.graph >>impl.legacy.graph.instance
 *                   >>impl.legacy.graph.run
 *   Names           >>legacy.names
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/compat/legacy/. Change the
 * parts.
 */
#if defined(DOCA_CORE_IMPLEMENTATION) && defined(DOCA_PRIV_LEGACY_NAMED) &&                        \
    !defined(DOCA_PRIV_LEGACY_IMPLEMENTED)
#error "define DOCA_CORE_IMPLEMENTATION before the first include with DOCA_CORE_LEGACY"
#endif

/* part: src/compat/legacy/view.h */
/* ---- >>legacy.view ---------------------------------------------------------------------------
 * Declarations for a file that uses the API of 1.x only, see NAMES. The macros below rename the
 * functions of doca_core.h while it is included; >>legacy.view.old and >>legacy.view.end remove
 * them. Each name that >>legacy.names has must occur four times in these three parts.           */

#if defined(DOCA_CORE_LEGACY) && !defined(DOCA_CORE_H) && !defined(DOCA_CORE_IMPLEMENTATION) &&    \
    !defined(DOCA_CORE_STATIC) && !defined(DOCA_PRIV_LEGACY_NAMED) &&                              \
    (defined(__ELF__) || (defined(__TINYC__) && defined(__linux__)))
#define DOCA_PRIV_LEGACY_VIEW
#define DOCA_PRIV_LEGACY_NAMED

#define DOCA_PRIV_TODAY(name, args) doca_core_today_##name args __asm__("doca_" #name)
#define DOCA_PRIV_OLD(name, args) DOCA_PRIV_OLD_AS(name, name, args)
#define DOCA_PRIV_OLD_AS(name, symbol, args) doca_##name args __asm__("doca_core_legacy_" #symbol)

#define doca_mmap doca_core_today_mmap
#define doca_ctx doca_core_today_ctx
#define doca_dma doca_core_today_dma
#define doca_sha doca_core_today_sha
#define doca_graph doca_core_today_graph
#define doca_graph_node doca_core_today_graph_node
#define doca_graph_instance doca_core_today_graph_instance
#define doca_graph_user_node_cb_t doca_core_today_graph_user_node_cb_t

#define doca_buf_inventory_create(...) DOCA_PRIV_TODAY(buf_inventory_create, (__VA_ARGS__))
#define doca_mmap_create(...) DOCA_PRIV_TODAY(mmap_create, (__VA_ARGS__))
#define doca_mmap_create_from_export(...) DOCA_PRIV_TODAY(mmap_create_from_export, (__VA_ARGS__))
#define doca_buf_inventory_destroy(...) DOCA_PRIV_TODAY(buf_inventory_destroy, (__VA_ARGS__))
#define doca_buf_inventory_buf_dup(...) DOCA_PRIV_TODAY(buf_inventory_buf_dup, (__VA_ARGS__))
#define doca_buf_inventory_get_user_data(...)                                                      \
    DOCA_PRIV_TODAY(buf_inventory_get_user_data, (__VA_ARGS__))
#define doca_buf_inventory_set_user_data(...)                                                      \
    DOCA_PRIV_TODAY(buf_inventory_set_user_data, (__VA_ARGS__))
#define doca_mmap_destroy(...) DOCA_PRIV_TODAY(mmap_destroy, (__VA_ARGS__))
#define doca_mmap_start(...) DOCA_PRIV_TODAY(mmap_start, (__VA_ARGS__))
#define doca_mmap_stop(...) DOCA_PRIV_TODAY(mmap_stop, (__VA_ARGS__))
#define doca_mmap_set_memrange(...) DOCA_PRIV_TODAY(mmap_set_memrange, (__VA_ARGS__))
#define doca_mmap_get_memrange(...) DOCA_PRIV_TODAY(mmap_get_memrange, (__VA_ARGS__))
#define doca_mmap_set_dmabuf_memrange(...) DOCA_PRIV_TODAY(mmap_set_dmabuf_memrange, (__VA_ARGS__))
#define doca_mmap_set_permissions(...) DOCA_PRIV_TODAY(mmap_set_permissions, (__VA_ARGS__))
#define doca_mmap_set_free_cb(...) DOCA_PRIV_TODAY(mmap_set_free_cb, (__VA_ARGS__))
#define doca_mmap_set_user_data(...) DOCA_PRIV_TODAY(mmap_set_user_data, (__VA_ARGS__))
#define doca_mmap_export_rdma(...) DOCA_PRIV_TODAY(mmap_export_rdma, (__VA_ARGS__))
#define doca_mmap_set_max_num_devices(...) DOCA_PRIV_TODAY(mmap_set_max_num_devices, (__VA_ARGS__))
#define doca_mmap_get_max_num_devices(...) DOCA_PRIV_TODAY(mmap_get_max_num_devices, (__VA_ARGS__))
#define doca_mmap_get_num_bufs(...) DOCA_PRIV_TODAY(mmap_get_num_bufs, (__VA_ARGS__))
#define doca_mmap_get_exported(...) DOCA_PRIV_TODAY(mmap_get_exported, (__VA_ARGS__))
#define doca_mmap_get_from_export(...) DOCA_PRIV_TODAY(mmap_get_from_export, (__VA_ARGS__))
#define doca_mmap_get_user_data(...) DOCA_PRIV_TODAY(mmap_get_user_data, (__VA_ARGS__))
#define doca_ctx_start(...) DOCA_PRIV_TODAY(ctx_start, (__VA_ARGS__))
#define doca_ctx_stop(...) DOCA_PRIV_TODAY(ctx_stop, (__VA_ARGS__))
#define doca_dma_create(...) DOCA_PRIV_TODAY(dma_create, (__VA_ARGS__))
#define doca_dma_destroy(...) DOCA_PRIV_TODAY(dma_destroy, (__VA_ARGS__))
#define doca_dma_as_ctx(...) DOCA_PRIV_TODAY(dma_as_ctx, (__VA_ARGS__))
#define doca_sha_create(...) DOCA_PRIV_TODAY(sha_create, (__VA_ARGS__))
#define doca_sha_destroy(...) DOCA_PRIV_TODAY(sha_destroy, (__VA_ARGS__))
#define doca_sha_as_ctx(...) DOCA_PRIV_TODAY(sha_as_ctx, (__VA_ARGS__))
#define doca_graph_create(...) DOCA_PRIV_TODAY(graph_create, (__VA_ARGS__))
#define doca_graph_destroy(...) DOCA_PRIV_TODAY(graph_destroy, (__VA_ARGS__))
#define doca_graph_add_dependency(...) DOCA_PRIV_TODAY(graph_add_dependency, (__VA_ARGS__))
#define doca_graph_start(...) DOCA_PRIV_TODAY(graph_start, (__VA_ARGS__))
#define doca_graph_stop(...) DOCA_PRIV_TODAY(graph_stop, (__VA_ARGS__))
#define doca_graph_instance_create(...) DOCA_PRIV_TODAY(graph_instance_create, (__VA_ARGS__))
#define doca_graph_instance_destroy(...) DOCA_PRIV_TODAY(graph_instance_destroy, (__VA_ARGS__))
#define doca_graph_instance_set_ctx_node_data(...)                                                 \
    DOCA_PRIV_TODAY(graph_instance_set_ctx_node_data, (__VA_ARGS__))
#define doca_graph_instance_set_user_node_data(...)                                                \
    DOCA_PRIV_TODAY(graph_instance_set_user_node_data, (__VA_ARGS__))
#define doca_graph_instance_set_sub_graph_node_data(...)                                           \
    DOCA_PRIV_TODAY(graph_instance_set_sub_graph_node_data, (__VA_ARGS__))
#ifdef DOCA_CORE_LEGACY_GUIDE
#define doca_dev_as_devinfo(...) DOCA_PRIV_TODAY(dev_as_devinfo, (__VA_ARGS__))
#endif
#endif

#include "doca_core.h"

/* part: src/compat/legacy/view_old.h */
/* ---- >>legacy.view.old -----------------------------------------------------------------------
 * After doca_core.h has been included: remove the macros of >>legacy.view, and declare the
 * functions of 1.x under their old names.                                                       */

#ifdef DOCA_PRIV_LEGACY_VIEW
#undef doca_mmap
#undef doca_ctx
#undef doca_dma
#undef doca_sha
#undef doca_graph
#undef doca_graph_node
#undef doca_graph_instance
#undef doca_graph_user_node_cb_t
#undef doca_buf_inventory_create
#undef doca_mmap_create
#undef doca_mmap_create_from_export
#undef doca_buf_inventory_destroy
#undef doca_buf_inventory_buf_dup
#undef doca_buf_inventory_get_user_data
#undef doca_buf_inventory_set_user_data
#undef doca_mmap_destroy
#undef doca_mmap_start
#undef doca_mmap_stop
#undef doca_mmap_set_memrange
#undef doca_mmap_get_memrange
#undef doca_mmap_set_dmabuf_memrange
#undef doca_mmap_set_permissions
#undef doca_mmap_set_free_cb
#undef doca_mmap_set_user_data
#undef doca_mmap_export_rdma
#undef doca_mmap_set_max_num_devices
#undef doca_mmap_get_max_num_devices
#undef doca_mmap_get_num_bufs
#undef doca_mmap_get_exported
#undef doca_mmap_get_from_export
#undef doca_mmap_get_user_data
#undef doca_ctx_start
#undef doca_ctx_stop
#undef doca_dma_create
#undef doca_dma_destroy
#undef doca_dma_as_ctx
#undef doca_sha_create
#undef doca_sha_destroy
#undef doca_sha_as_ctx
#undef doca_graph_create
#undef doca_graph_destroy
#undef doca_graph_add_dependency
#undef doca_graph_start
#undef doca_graph_stop
#undef doca_graph_instance_create
#undef doca_graph_instance_destroy
#undef doca_graph_instance_set_ctx_node_data
#undef doca_graph_instance_set_user_node_data
#undef doca_graph_instance_set_sub_graph_node_data
#undef doca_dev_as_devinfo

#define doca_core_legacy_mmap doca_mmap
#define doca_core_legacy_ctx doca_ctx
#define doca_core_legacy_dma doca_dma
#define doca_core_legacy_sha doca_sha
#define doca_core_legacy_graph doca_graph
#define doca_core_legacy_graph_node doca_graph_node
#define doca_core_legacy_graph_instance doca_graph_instance
#define doca_core_legacy_graph_user_node_cb_t doca_graph_user_node_cb_t

#define doca_core_legacy_buf_inventory_destroy(...)                                                \
    DOCA_PRIV_OLD(buf_inventory_destroy, (__VA_ARGS__))
#define doca_core_legacy_buf_inventory_buf_dup(...)                                                \
    DOCA_PRIV_OLD(buf_inventory_buf_dup, (__VA_ARGS__))
#define doca_core_legacy_buf_inventory_get_user_data(...)                                          \
    DOCA_PRIV_OLD(buf_inventory_get_user_data, (__VA_ARGS__))
#define doca_core_legacy_buf_inventory_set_user_data(...)                                          \
    DOCA_PRIV_OLD(buf_inventory_set_user_data, (__VA_ARGS__))
#define doca_core_legacy_mmap_destroy(...) DOCA_PRIV_OLD(mmap_destroy, (__VA_ARGS__))
#define doca_core_legacy_mmap_start(...) DOCA_PRIV_OLD(mmap_start, (__VA_ARGS__))
#define doca_core_legacy_mmap_stop(...) DOCA_PRIV_OLD(mmap_stop, (__VA_ARGS__))
#define doca_core_legacy_mmap_set_memrange(...) DOCA_PRIV_OLD(mmap_set_memrange, (__VA_ARGS__))
#define doca_core_legacy_mmap_get_memrange(...) DOCA_PRIV_OLD(mmap_get_memrange, (__VA_ARGS__))
#define doca_core_legacy_mmap_set_dmabuf_memrange(...)                                             \
    DOCA_PRIV_OLD(mmap_set_dmabuf_memrange, (__VA_ARGS__))
#define doca_core_legacy_mmap_set_permissions(...)                                                 \
    DOCA_PRIV_OLD(mmap_set_permissions, (__VA_ARGS__))
#define doca_core_legacy_mmap_set_free_cb(...) DOCA_PRIV_OLD(mmap_set_free_cb, (__VA_ARGS__))
#define doca_core_legacy_mmap_set_user_data(...) DOCA_PRIV_OLD(mmap_set_user_data, (__VA_ARGS__))
#define doca_core_legacy_mmap_export_rdma(...) DOCA_PRIV_OLD(mmap_export_rdma, (__VA_ARGS__))
#define doca_core_legacy_mmap_set_max_num_devices(...)                                             \
    DOCA_PRIV_OLD(mmap_set_max_num_devices, (__VA_ARGS__))
#define doca_core_legacy_mmap_get_max_num_devices(...)                                             \
    DOCA_PRIV_OLD(mmap_get_max_num_devices, (__VA_ARGS__))
#define doca_core_legacy_mmap_get_num_bufs(...) DOCA_PRIV_OLD(mmap_get_num_bufs, (__VA_ARGS__))
#define doca_core_legacy_mmap_get_exported(...) DOCA_PRIV_OLD(mmap_get_exported, (__VA_ARGS__))
#define doca_core_legacy_mmap_get_from_export(...)                                                 \
    DOCA_PRIV_OLD(mmap_get_from_export, (__VA_ARGS__))
#define doca_core_legacy_mmap_get_user_data(...) DOCA_PRIV_OLD(mmap_get_user_data, (__VA_ARGS__))
#define doca_core_legacy_ctx_start(...) DOCA_PRIV_OLD(ctx_start, (__VA_ARGS__))
#define doca_core_legacy_ctx_stop(...) DOCA_PRIV_OLD(ctx_stop, (__VA_ARGS__))
#define doca_core_legacy_dma_create(...) DOCA_PRIV_OLD(dma_create, (__VA_ARGS__))
#define doca_core_legacy_dma_destroy(...) DOCA_PRIV_OLD(dma_destroy, (__VA_ARGS__))
#define doca_core_legacy_dma_as_ctx(...) DOCA_PRIV_OLD(dma_as_ctx, (__VA_ARGS__))
#define doca_core_legacy_sha_create(...) DOCA_PRIV_OLD(sha_create, (__VA_ARGS__))
#define doca_core_legacy_sha_destroy(...) DOCA_PRIV_OLD(sha_destroy, (__VA_ARGS__))
#define doca_core_legacy_sha_as_ctx(...) DOCA_PRIV_OLD(sha_as_ctx, (__VA_ARGS__))
#define doca_core_legacy_graph_create(...) DOCA_PRIV_OLD(graph_create, (__VA_ARGS__))
#define doca_core_legacy_graph_destroy(...) DOCA_PRIV_OLD(graph_destroy, (__VA_ARGS__))
#define doca_core_legacy_graph_add_dependency(...)                                                 \
    DOCA_PRIV_OLD(graph_add_dependency, (__VA_ARGS__))
#define doca_core_legacy_graph_start(...) DOCA_PRIV_OLD(graph_start, (__VA_ARGS__))
#define doca_core_legacy_graph_stop(...) DOCA_PRIV_OLD(graph_stop, (__VA_ARGS__))
#define doca_core_legacy_graph_instance_create(...)                                                \
    DOCA_PRIV_OLD(graph_instance_create, (__VA_ARGS__))
#define doca_core_legacy_graph_instance_destroy(...)                                               \
    DOCA_PRIV_OLD(graph_instance_destroy, (__VA_ARGS__))
#define doca_core_legacy_graph_instance_set_ctx_node_data(...)                                     \
    DOCA_PRIV_OLD(graph_instance_set_ctx_node_data, (__VA_ARGS__))
#define doca_core_legacy_graph_instance_set_user_node_data(...)                                    \
    DOCA_PRIV_OLD(graph_instance_set_user_node_data, (__VA_ARGS__))
#define doca_core_legacy_graph_instance_set_sub_graph_node_data(...)                               \
    DOCA_PRIV_OLD(graph_instance_set_sub_graph_node_data, (__VA_ARGS__))
#if DOCA_CORE_LEGACY + 0 >= 10500
#define doca_core_legacy_buf_inventory_create_15(...)                                              \
    DOCA_PRIV_OLD_AS(buf_inventory_create, buf_inventory_create_15, (__VA_ARGS__))
#if DOCA_CORE_LEGACY + 0 >= 20000
#define doca_core_legacy_mmap_create_20(...)                                                       \
    DOCA_PRIV_OLD_AS(mmap_create, mmap_create_20, (__VA_ARGS__))
#else
#define doca_core_legacy_mmap_create_15(...)                                                       \
    DOCA_PRIV_OLD_AS(mmap_create, mmap_create_15, (__VA_ARGS__))
#endif
#define doca_core_legacy_mmap_create_from_export_15(...)                                           \
    DOCA_PRIV_OLD_AS(mmap_create_from_export, mmap_create_from_export_15, (__VA_ARGS__))
#define doca_core_legacy_dma_job_memcpy_15 doca_dma_job_memcpy
#define DOCA_CORE_LEGACY_DMA_JOB_MEMCPY_15 DOCA_DMA_JOB_MEMCPY
#else
#define doca_core_legacy_dma_job_memcpy doca_dma_job_memcpy
#define DOCA_CORE_LEGACY_DMA_JOB_MEMCPY DOCA_DMA_JOB_MEMCPY
#define doca_core_legacy_buf_inventory_create(...)                                                 \
    DOCA_PRIV_OLD(buf_inventory_create, (__VA_ARGS__))
#define doca_core_legacy_mmap_create(...) DOCA_PRIV_OLD(mmap_create, (__VA_ARGS__))
#define doca_core_legacy_mmap_create_from_export(...)                                              \
    DOCA_PRIV_OLD(mmap_create_from_export, (__VA_ARGS__))
#endif
#ifdef DOCA_CORE_LEGACY_GUIDE
#define doca_core_legacy_dev_as_devinfo(...) DOCA_PRIV_OLD(dev_as_devinfo, (__VA_ARGS__))
#endif
#endif

#ifndef DOCA_CORE_LEGACY_H
#define DOCA_CORE_LEGACY_H

/* part: src/compat/legacy/config.h */
/* ---- >>legacy.config -------------------------------------------------------------------------
 * Where the memory of export descriptors comes from. The manual describes DOCA_CORE_LEGACY and
 * DOCA_CORE_LEGACY_GUIDE.                                                                       */

/* Allocate and free the memory of export descriptors. Programs pass this memory to free(), so a
 * replacement must return memory that free() accepts. Both macros must be defined where there is no
 * operating system. */
#ifndef DOCA_CORE_LEGACY_MALLOC
#ifdef DOCA_CORE_FREESTANDING
#error "define DOCA_CORE_LEGACY_MALLOC(bytes) and DOCA_CORE_LEGACY_FREE(block)"
#endif
#include <stdlib.h>
#define DOCA_CORE_LEGACY_MALLOC(bytes) malloc(bytes)
#define DOCA_CORE_LEGACY_FREE(block) free(block)
#endif

/* Size of the name of an mmap or inventory in bytes, including NUL. Longer names are cut. */
#define DOCA_CORE_LEGACY_NAME_BYTES 64

#if defined(__GNUC__)
#define DOCA_PRIV_LEGACY_EXTENSION __extension__ /* for anonymous members, before C11 and in C++ */
#else
#define DOCA_PRIV_LEGACY_EXTENSION
#endif

struct doca_core_legacy_mmap;
struct doca_core_legacy_ctx;
struct doca_core_legacy_dma;
struct doca_core_legacy_sha;
struct doca_core_legacy_graph;
struct doca_core_legacy_graph_node;
struct doca_core_legacy_graph_instance;
struct doca_workq;

#ifdef __cplusplus
extern "C" {
#endif

/* part: src/compat/legacy/bytes.h */
/* ---- >>legacy.bytes --------------------------------------------------------------------------
 * Sizes of the objects of this header in an arena.                                              */

struct doca_dev;

/* Compute the arena bytes of an inventory, of a started mmap with all its ranges, of a DMA context,
 * and of a work queue of `depth` jobs. doca_core_bytes_legacy_ctx_workq() computes the bytes that
 * attaching such a work queue to a DMA context on `dev` takes. */
DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_buf_inventory(size_t num_elements,
                                                                 size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_mmap(uint32_t max_num_chunks,
                                                        uint32_t max_num_devices, size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_dma(size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_workq(uint32_t depth, size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_ctx_workq(struct doca_dev *dev, uint32_t depth,
                                                             size_t *bytes);

/* Compute the arena bytes of a SHA context, of attaching a work queue of `depth` jobs to a SHA
 * context on `dev`, and of a SHA session. */
DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_sha(size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_sha_workq(struct doca_dev *dev, uint32_t depth,
                                                             size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_sha_session(size_t *bytes);

/* part: src/compat/legacy/error.h */
/* ---- >>legacy.error --------------------------------------------------------------------------
 * Texts of errors.                                                                              */

/* Old name of doca_error_get_descr(). */
DOCA_CORE_DECL const char *doca_get_error_string(doca_error_t error);

/* part: src/compat/legacy/device.h */
/* ---- >>legacy.device -------------------------------------------------------------------------
 * Device lists and device properties. Devices are opened and closed by the calls of doca_core.h. A
 * remote device of 1.3 is a representor. Any thread may make the calls of this section.
 * Source: 1.3 guide, 4.1 to 4.4.                                                                */

struct doca_dev;
struct doca_dev_rep;
struct doca_devinfo;
struct doca_devinfo_rep;

DOCA_PRIV_LEGACY_EXTENSION struct doca_pci_bdf {
    DOCA_PRIV_LEGACY_EXTENSION union {
        uint16_t raw;
        DOCA_PRIV_LEGACY_EXTENSION struct {
            uint16_t bus : 8;
            uint16_t device : 5;
            uint16_t function : 3;
        };
    };
};

enum doca_devinfo_property {
    DOCA_DEVINFO_PROPERTY_VUID,       /* char[128] */
    DOCA_DEVINFO_PROPERTY_PCI_ADDR,   /* struct doca_pci_bdf */
    DOCA_DEVINFO_PROPERTY_IPV4_ADDR,  /* uint8_t[4] */
    DOCA_DEVINFO_PROPERTY_IPV6_ADDR,  /* uint8_t[16] */
    DOCA_DEVINFO_PROPERTY_IFACE_NAME, /* char[256] */
    DOCA_DEVINFO_PROPERTY_IBDEV_NAME  /* char[64] */
};

enum doca_devinfo_remote_property {
    DOCA_DEVINFO_REMOTE_PROPERTY_VUID /* char[128] */
};

enum doca_dev_remote_filter {
    DOCA_DEV_REMOTE_FILTER_ALL = 0,
    DOCA_DEV_REMOTE_FILTER_NET = 1 << 1
};

enum doca_dev_rep_filter { /* name in 1.5 */
    DOCA_DEV_REP_FILTER_ALL = 0,
    DOCA_DEV_REP_FILTER_NET = 1 << 1
};

#define DOCA_DEVINFO_VUID_SIZE 128

/* Old names of doca_devinfo_create_list() and doca_devinfo_destroy_list(). */
DOCA_CORE_DECL doca_error_t doca_devinfo_list_create(struct doca_devinfo ***dev_list,
                                                     uint32_t *nb_devs);
DOCA_CORE_DECL doca_error_t doca_devinfo_list_destroy(struct doca_devinfo **devinfo_list);

/* Write one property to `value`.
 *
 *   size  size of `value` in bytes; at least the size noted beside the property above
 *
 * Errors    INVALID_VALUE     an argument is NULL, the property does not exist, or `size` is too
 *                             small
 *           OPERATING_SYSTEM  the device has no such network interface, or the interface no such
 *                             address */
DOCA_CORE_DECL doca_error_t doca_devinfo_property_get(const struct doca_devinfo *devinfo,
                                                      enum doca_devinfo_property property,
                                                      void *value, uint32_t size);

/* Write 1 to `*is_equal` if the device or representor has this PCI address (in the long or short
 * form), and 0 otherwise. Names of 2.0 for doca_devinfo_is_equal_pci_addr() and
 * doca_devinfo_rep_is_equal_pci_addr(). */
DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_pci_addr_equal(const struct doca_devinfo *devinfo,
                                                               const char *pci_addr_str,
                                                               uint8_t *is_equal);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_is_pci_addr_equal(
    const struct doca_devinfo_rep *devinfo_rep, const char *pci_addr_str, uint8_t *is_equal);

/* Calls of 1.5 that replace properties. doca_core.h declares the other calls of this kind. */
DOCA_CORE_DECL doca_error_t doca_devinfo_get_pci_addr(const struct doca_devinfo *devinfo,
                                                      struct doca_pci_bdf *pci_addr);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_vuid(const struct doca_devinfo *devinfo, char *vuid,
                                                  uint32_t size);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_hotplug_manager_supported(
    const struct doca_devinfo *devinfo, uint8_t *is_hotplug_manager);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_mmap_export_supported(
    const struct doca_devinfo *devinfo, uint8_t *mmap_export);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_mmap_from_export_supported(
    const struct doca_devinfo *devinfo, uint8_t *from_export);

/* Form of doca_dev_as_devinfo() that the 1.3 guide prints (DOCA_CORE_LEGACY_GUIDE). */
DOCA_CORE_DECL doca_error_t doca_core_legacy_dev_as_devinfo(struct doca_dev *dev,
                                                            struct doca_devinfo **devinfo);

/* Lists and calls for representors, with the names of 1.3 and then of 1.5. They behave like
 * doca_devinfo_rep_create_list() and the related calls. */
DOCA_CORE_DECL doca_error_t doca_devinfo_remote_list_create(
    struct doca_dev *dev, int filter, struct doca_devinfo_rep ***devinfo_remote_list,
    uint32_t *nb_devs);
DOCA_CORE_DECL doca_error_t doca_devinfo_remote_list_destroy(
    struct doca_devinfo_rep **devinfo_remote_list);
DOCA_CORE_DECL doca_error_t doca_devinfo_remote_property_get(
    const struct doca_devinfo_rep *devinfo_remote, enum doca_devinfo_remote_property property,
    void *value, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_dev_remote_open(struct doca_devinfo_rep *devinfo_remote,
                                                 struct doca_dev_rep **dev_remote);
DOCA_CORE_DECL doca_error_t doca_dev_remote_close(struct doca_dev_rep *dev_remote);
DOCA_CORE_DECL doca_error_t doca_dev_remote_as_devinfo(struct doca_dev_rep *dev_remote,
                                                       struct doca_devinfo_rep **devinfo_remote);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_list_create(struct doca_dev *dev, int filter,
                                                         struct doca_devinfo_rep ***dev_list_rep,
                                                         uint32_t *nb_devs_rep);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_list_destroy(struct doca_devinfo_rep **dev_list_rep);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_pci_addr(
    const struct doca_devinfo_rep *devinfo_rep, struct doca_pci_bdf *pci_addr);

/* Write 1 if the device can list its representors with this filter, and 0 otherwise. Calls of
 * 1.5. */
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_is_list_all_supported(
    const struct doca_devinfo *devinfo, uint8_t *all_supported);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_is_list_net_supported(
    const struct doca_devinfo *devinfo, uint8_t *net_supported);

/* part: src/compat/legacy/buf.h */
/* ---- >>legacy.buf ----------------------------------------------------------------------------
 * Buffers: old names of calls of doca_core.h.
 * Source: 1.3 guide, 4.5.                                                                       */

struct doca_buf;

enum doca_buf_extension {
    DOCA_BUF_EXTENSION_NONE = 0,
    DOCA_BUF_EXTENSION_LINKED_LIST = 1 << 0 /* lists can be built with and without this flag */
};

/* Old names of doca_buf_get_head(), get_len(), dec_refcount() and get_refcount(). */
DOCA_CORE_DECL doca_error_t doca_buf_head_get(struct doca_buf *buf, void **head);
DOCA_CORE_DECL doca_error_t doca_buf_len_get(struct doca_buf *buf, size_t *len);
DOCA_CORE_DECL doca_error_t doca_buf_refcount_rm(struct doca_buf *buf, uint16_t *refcount);
DOCA_CORE_DECL doca_error_t doca_buf_refcount_get(struct doca_buf *buf, uint16_t *refcount);

/* Add a reference. The vendor did not implement this call either.
 *
 * Errors    NOT_SUPPORTED  always */
DOCA_CORE_DECL doca_error_t doca_buf_refcount_add(struct doca_buf *buf, uint16_t *refcount);

/* Names of 1.5 for doca_buf_chain_list(), unchain_list(), get_next_in_list(),
 * get_last_in_list(), get_list_len(), is_first_in_list() and is_last_in_list(). */
DOCA_CORE_DECL doca_error_t doca_buf_list_chain(struct doca_buf *list1, struct doca_buf *list2);
DOCA_CORE_DECL doca_error_t doca_buf_list_unchain(struct doca_buf *list1, struct doca_buf *list2);
DOCA_CORE_DECL doca_error_t doca_buf_list_next(struct doca_buf *buf, struct doca_buf **next_buf);
DOCA_CORE_DECL doca_error_t doca_buf_list_last(struct doca_buf *buf, struct doca_buf **last_buf);
DOCA_CORE_DECL doca_error_t doca_buf_list_num_elements(const struct doca_buf *buf,
                                                       uint32_t *num_elements);
DOCA_CORE_DECL doca_error_t doca_buf_list_is_first(const struct doca_buf *buf, bool *is_first);
DOCA_CORE_DECL doca_error_t doca_buf_list_is_last(const struct doca_buf *buf, bool *is_last);

/* part: src/compat/legacy/inventory.h */
/* ---- >>legacy.inventory ----------------------------------------------------------------------
 * Inventories. An inventory of this section is an inventory of doca_core.h that also has a name or
 * user data. The calls of doca_core.h start and stop it. Today's calls that destroy an inventory or
 * access its user data refuse an inventory of this section; the calls below accept both kinds.
 * Source: 1.3 guide, 4.6.                                                                       */

struct doca_buf;
struct doca_buf_inventory;
struct doca_core_legacy_mmap;

enum doca_buf_inventory_property { /* all read-only */
    DOCA_BUF_INVENTORY_NAME,              /* char[], at least the length of the name and NUL */
    DOCA_BUF_INVENTORY_NUM_ELEMENTS,      /* uint32_t */
    DOCA_BUF_INVENTORY_NUM_FREE_ELEMENTS, /* uint32_t */
    DOCA_BUF_INVENTORY_EXTENSIONS         /* uint32_t */
};

/* Create a stopped inventory.
 *
 *   name         copied; NULL stands for ""
 *   user_data    in the form of 1.5; NULL stands for 0
 *   extensions   a mask of enum doca_buf_extension
 *
 * Owns      two blocks of the bound arena
 * Errors    INVALID_VALUE  `buf_inventory` is NULL, there are no elements, or an extension is
 *                          unknown
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_create(
    const char *name, size_t num_elements, uint32_t extensions,
    struct doca_buf_inventory **buf_inventory);
DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_create_15(
    const union doca_data *user_data, size_t num_elements, uint32_t extensions,
    struct doca_buf_inventory **buf_inventory);

/* Destroy an inventory.
 *
 * Errors    IN_USE  buffers have not been returned */
DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_destroy(
    struct doca_buf_inventory *inventory);

/* Get or replace the user data of doca_core_legacy_buf_inventory_create_15(). */
DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_get_user_data(
    const struct doca_buf_inventory *inventory, union doca_data *user_data);
DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_set_user_data(
    struct doca_buf_inventory *inventory, union doca_data user_data);

/* Set a property. All properties are read-only, so this always fails.
 *
 * Errors    INVALID_VALUE  an argument is NULL, or the property does not exist
 *           NOT_PERMITTED  the property is read-only */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_property_set(
    struct doca_buf_inventory *inventory, enum doca_buf_inventory_property property,
    const void *value, uint32_t size);

/* Write a property to `value`, and fill the rest of its `size` bytes with zeros.
 *
 * Errors    INVALID_VALUE  an argument is NULL, the property does not exist, or `size` is too
 *                          small */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_property_get(
    struct doca_buf_inventory *inventory, enum doca_buf_inventory_property property, void *value,
    uint32_t size);

/* Take a buffer as an empty window on [addr, addr + len), which must lie in one range of `mmap`.
 *
 * Owns      one element until the reference count is 0
 * Cost      O(log of the number of ranges)
 * Errors    INVALID_VALUE  an argument is NULL, or the window does not lie in one range
 *           BAD_STATE      the inventory or the mmap is not started
 *           NO_MEMORY      all elements are in use */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_by_addr(struct doca_buf_inventory *inventory,
                                                           struct doca_core_legacy_mmap *mmap,
                                                           void *addr, size_t len,
                                                           struct doca_buf **buf);

/* Take a buffer with data: the whole window, or [data, data + data_len) in the window. Calls of
 * 1.5. */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_by_data(struct doca_buf_inventory *inventory,
                                                           struct doca_core_legacy_mmap *mmap,
                                                           void *data, size_t data_len,
                                                           struct doca_buf **buf);
DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_by_args(struct doca_buf_inventory *inventory,
                                                           struct doca_core_legacy_mmap *mmap,
                                                           void *addr, size_t len, void *data,
                                                           size_t data_len, struct doca_buf **buf);

/* Take a second buffer for the same window, like doca_buf_inventory_buf_dup().
 *
 * Errors    as doca_buf_inventory_buf_dup(); BAD_STATE also when an mmap of 1.x was stopped
 *           meanwhile */
DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_buf_dup(
    struct doca_buf_inventory *inventory, const struct doca_buf *src_buf,
    struct doca_buf **dst_buf);

/* part: src/compat/legacy/mmap.h */
/* ---- >>legacy.mmap ---------------------------------------------------------------------------
 * Memory maps: a set of memory ranges ("chunks") on a set of devices. Each range is registered on
 * each device by the later of the two calls that add them.
 * Source: 1.3 guide, 4.7 and 5.4.                                                               */

struct doca_core_legacy_mmap;
struct doca_dev;

enum doca_mmap_property {
    DOCA_MMAP_NAME,            /* read-only, char[], at least the length of the name and NUL */
    DOCA_MMAP_MAX_NUM_CHUNKS,  /* uint32_t, initially 1; the number of ranges of an imported mmap */
    DOCA_MMAP_MAX_NUM_DEVICES, /* uint32_t, initially 1 */
    DOCA_MMAP_NUM_BUFS,        /* read-only, uint32_t */
    DOCA_MMAP_EXPORTED,        /* read-only, uint8_t */
    DOCA_MMAP_FROM_EXPORT,     /* read-only, uint8_t */
    DOCA_MMAP_ACCESS_FLAGS     /* uint32_t, a mask of enum doca_mmap_access_flags */
};

enum doca_mmap_access_flags {
    DOCA_MMAP_ACCESS_LOCAL_READ = 0,
    DOCA_MMAP_ACCESS_LOCAL_WRITE = 1 << 0,
    DOCA_MMAP_ACCESS_REMOTE_WRITE = 1 << 1, /* also lets importers read */
    DOCA_MMAP_ACCESS_REMOTE_READ = 1 << 2,
    DOCA_MMAP_ACCESS_REMOTE_ATOMIC = 1 << 3
};

/* Create a stopped mmap without ranges and devices.
 *
 *   name       copied; NULL stands for ""
 *   user_data  in the form of 1.5; NULL stands for 0
 *
 * Owns      one block of the bound arena
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create(const char *name,
                                                         struct doca_core_legacy_mmap **mmap);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_15(const union doca_data *user_data,
                                                            struct doca_core_legacy_mmap **mmap);

/* Create a stopped mmap of 2.0 to 2.2. It wraps an mmap of doca_core.h, and the calls below pass
 * through to today's calls. doca_mmap_populate() and doca_mmap_export() do not accept it.
 *
 * Owns      two blocks of the bound arena
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_20(const union doca_data *user_data,
                                                            struct doca_core_legacy_mmap **mmap);

/* Calls for an mmap of 2.0, each of which behaves like the call with today's name.
 * doca_mmap_export_dpu() behaves like doca_mmap_export_pci(): the mmap owns the descriptor until
 * it is stopped.
 *
 * Errors    as today's call, and
 *           NOT_PERMITTED  the mmap is an mmap of 1.x, which gets its ranges by
 *                          doca_mmap_populate() and its permissions by a property */
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_memrange(struct doca_core_legacy_mmap *mmap,
                                                               void *addr, size_t len);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_memrange(
    const struct doca_core_legacy_mmap *mmap, void **addr, size_t *len);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_dmabuf_memrange(
    struct doca_core_legacy_mmap *mmap, int dmabuf_fd, void *addr, size_t dmabuf_offset,
    size_t len);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_permissions(
    struct doca_core_legacy_mmap *mmap, uint32_t access_mask);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_free_cb(
    struct doca_core_legacy_mmap *mmap, doca_mmap_memrange_free_cb_t *free_cb, void *opaque);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_user_data(struct doca_core_legacy_mmap *mmap,
                                                                union doca_data user_data);
DOCA_CORE_DECL doca_error_t doca_mmap_export_dpu(struct doca_core_legacy_mmap *mmap,
                                                 const struct doca_dev *dev,
                                                 const void **export_desc,
                                                 size_t *export_desc_len);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_export_rdma(struct doca_core_legacy_mmap *mmap,
                                                              const struct doca_dev *dev,
                                                              const void **export_desc,
                                                              size_t *export_desc_len);

/* Destroy an mmap in any state with its ranges and devices. The free callbacks of the ranges are
 * called.
 *
 * Errors    NOT_PERMITTED  buffers still refer to the mmap; nothing changed */
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_destroy(struct doca_core_legacy_mmap *mmap);

/* Set or get a property. Get fills the rest of the `size` bytes with zeros.
 *
 * Errors    INVALID_VALUE  an argument is NULL or the property does not exist; set: the size is
 *                          wrong or the value is invalid; get: `size` is too small
 *           NOT_PERMITTED  set: the property is read-only, or the mmap was started or imported */
DOCA_CORE_DECL doca_error_t doca_mmap_property_set(struct doca_core_legacy_mmap *mmap,
                                                   enum doca_mmap_property property,
                                                   const void *value, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_mmap_property_get(struct doca_core_legacy_mmap *mmap,
                                                   enum doca_mmap_property property, void *value,
                                                   uint32_t size);

/* Set or get the same properties in the form of 1.5. */
DOCA_CORE_DECL doca_error_t doca_mmap_set_max_num_chunks(struct doca_core_legacy_mmap *mmap,
                                                         uint32_t max_num_chunks);
DOCA_CORE_DECL doca_error_t doca_mmap_get_max_num_chunks(struct doca_core_legacy_mmap *mmap,
                                                         uint32_t *max_num_chunks);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_max_num_devices(
    struct doca_core_legacy_mmap *mmap, uint32_t max_num_devices);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_max_num_devices(
    struct doca_core_legacy_mmap *mmap, uint32_t *max_num_devices);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_num_bufs(struct doca_core_legacy_mmap *mmap,
                                                               uint32_t *num_bufs);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_exported(struct doca_core_legacy_mmap *mmap,
                                                               uint8_t *exported);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_from_export(
    struct doca_core_legacy_mmap *mmap, uint8_t *from_export);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_user_data(struct doca_core_legacy_mmap *mmap,
                                                                union doca_data *user_data);

/* Start or stop an mmap. A started mmap accepts changes and new buffers. Existing ranges and
 * buffers remain when it is stopped. Does nothing when the mmap is in that state already.
 *
 * Owns      first start: one block of the arena, until destroy
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_start(struct doca_core_legacy_mmap *mmap);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_stop(struct doca_core_legacy_mmap *mmap);

/* Register every range on `dev`, or unregister it. On a device without the registration, jobs with
 * buffers of the mmap fail.
 *
 * Owns      a reference on the device until dev_rm or destroy
 * Cost      one registration per range
 * Errors    INVALID_VALUE  an argument is NULL; rm: the device is not in the mmap
 *           NOT_PERMITTED  the mmap is not started, or it is exported or imported, or the device
 *                          refuses
 *           NO_MEMORY      add: the mmap has max_num_devices devices
 *           IN_USE         add: the device is in the mmap already */
DOCA_CORE_DECL doca_error_t doca_mmap_dev_add(struct doca_core_legacy_mmap *mmap,
                                              struct doca_dev *dev);
DOCA_CORE_DECL doca_error_t doca_mmap_dev_rm(struct doca_core_legacy_mmap *mmap,
                                             struct doca_dev *dev);

/* Add the range [addr, addr + len), and register it on every device.
 *
 *   pg_sz    a power of two, at least 4096; the range need not be aligned to it
 *   free_cb  called with the range and `opaque` when the mmap is destroyed; may be NULL
 *
 * Owns      one block of the arena until destroy; the memory remains the caller's
 * Cost      one registration per device; O(number of ranges)
 * Errors    INVALID_VALUE  an argument is NULL, `len` is 0, the range wraps around, or the page
 *                          size is invalid
 *           NOT_PERMITTED  the mmap is not started, or it is exported or imported, or a device
 *                          refuses, or the range overlaps another range of the mmap
 *           NO_MEMORY      the mmap has max_num_chunks ranges, or the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_mmap_populate(struct doca_core_legacy_mmap *mmap, void *addr,
                                               size_t len, size_t pg_sz,
                                               doca_mmap_memrange_free_cb_t *free_cb,
                                               void *opaque);

/* Export the mmap to another process, once; see doca_mmap_export_pci(). The export is valid
 * until the mmap is destroyed.
 *
 *   export_desc      out: JSON text with NUL, allocated by malloc(); the caller must free() it
 *   export_desc_len  out: its length in bytes, including NUL
 *
 * Errors    INVALID_VALUE  an argument is NULL, or the device is not in the mmap
 *           NOT_PERMITTED  the mmap is not started, is exported or imported, does not have
 *                          exactly one range, or has no remote permission
 *           NOT_SUPPORTED  the device does not support exports
 *           NO_MEMORY      the heap or the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_mmap_export(struct doca_core_legacy_mmap *mmap,
                                             const struct doca_dev *dev, void **export_desc,
                                             size_t *export_desc_len);

/* Create a started mmap from an export; see doca_mmap_create_from_export() of doca_core.h.
 *
 * Owns      four blocks of the arenas of the process, and a reference on the device, until
 *           destroy
 * Errors    as doca_mmap_create_from_export() */
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_from_export(
    const char *name, const void *export_desc, size_t export_desc_len, struct doca_dev *dev,
    struct doca_core_legacy_mmap **mmap);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_from_export_15(
    const union doca_data *user_data, const void *export_desc, size_t export_desc_len,
    struct doca_dev *dev, struct doca_core_legacy_mmap **mmap);

/* part: src/compat/legacy/ctx.h */
/* ---- >>legacy.ctx ----------------------------------------------------------------------------
 * Contexts of DMA and, in >>legacy.sha, of SHA. Devices are added and removed while a context is
 * stopped. Work queues are attached and detached while it is started.
 * Threads: any.
 * Source: 1.3 guide, 4.8 and 5.5.                                                               */

struct doca_core_legacy_ctx;
struct doca_core_legacy_dma;
struct doca_dev;
struct doca_devinfo;
struct doca_workq;

/* Create a stopped DMA context, or destroy one. Destroy accepts NULL and then does nothing.
 *
 * Owns      one block of the bound arena
 * Errors    NO_MEMORY  the arena is exhausted
 *           IN_USE     destroy: the context has a device, and possibly work queues */
DOCA_CORE_DECL doca_error_t doca_core_legacy_dma_create(struct doca_core_legacy_dma **dma);
DOCA_CORE_DECL doca_error_t doca_core_legacy_dma_destroy(struct doca_core_legacy_dma *dma);

/* Return the context of a DMA object, which is the same object. Returns NULL for NULL. */
DOCA_CORE_DECL struct doca_core_legacy_ctx *doca_core_legacy_dma_as_ctx(
    struct doca_core_legacy_dma *dma);

enum doca_dma_devinfo_caps {
    DOCA_DMA_CAP_NONE = 0,
    DOCA_DMA_CAP_HW_OFFLOAD = 1u << 0 /* the device copies; software devices also report it */
};

/* Get the capabilities of a device: a mask of enum doca_dma_devinfo_caps. */
DOCA_CORE_DECL doca_error_t doca_dma_devinfo_caps_get(struct doca_devinfo *devinfo, uint32_t *caps);

/* Add the device to the context, or remove it.
 *
 * Owns      a reference on the device until rm
 * Errors    BAD_STATE      the context is started
 *           IN_USE         add: the context has this device already
 *           NOT_SUPPORTED  add: the device has no such engine, or the context has another device
 *           NOT_FOUND      rm: the context does not have the device */
DOCA_CORE_DECL doca_error_t doca_ctx_dev_add(struct doca_core_legacy_ctx *ctx,
                                             struct doca_dev *dev);
DOCA_CORE_DECL doca_error_t doca_ctx_dev_rm(struct doca_core_legacy_ctx *ctx, struct doca_dev *dev);

/* Start or stop the context. Stopping a stopped context does nothing.
 *
 * Errors    INVALID_VALUE  start: `ctx` is invalid, or it has no device
 *           BAD_STATE      start: the context is started already
 *           NOT_PERMITTED  stop: work queues are attached */
DOCA_CORE_DECL doca_error_t doca_core_legacy_ctx_start(struct doca_core_legacy_ctx *ctx);
DOCA_CORE_DECL doca_error_t doca_core_legacy_ctx_stop(struct doca_core_legacy_ctx *ctx);

/* Attach a work queue, which then accepts jobs of the context. Call this from the thread of the
 * work queue. The call waits until the device has started.
 *
 * Owns      four blocks of the arena of the work queue until rm
 * Errors    BAD_STATE       the context is not started
 *           IN_USE          the work queue is attached already
 *           NO_MEMORY       the arena is exhausted
 *           INITIALIZATION  the device did not start, or another code that the device returned */
DOCA_CORE_DECL doca_error_t doca_ctx_workq_add(struct doca_core_legacy_ctx *ctx,
                                               struct doca_workq *workq);

/* Detach a work queue. Call this from the thread of the work queue.
 *
 * Errors    BAD_STATE      the context is not started
 *           NOT_FOUND      the work queue is not attached
 *           NOT_PERMITTED  jobs are in flight, or events of jobs have not been retrieved, or
 *                          graphs are attached to the work queue */
DOCA_CORE_DECL doca_error_t doca_ctx_workq_rm(struct doca_core_legacy_ctx *ctx,
                                              struct doca_workq *workq);

/* Get limits of a device, in the form of 1.5.
 *
 * Errors    NOT_SUPPORTED  the device cannot copy */
DOCA_CORE_DECL doca_error_t doca_dma_get_max_list_buf_num_elem(const struct doca_devinfo *devinfo,
                                                               uint32_t *max_list_num_elem);
DOCA_CORE_DECL doca_error_t doca_dma_get_max_buf_size(const struct doca_devinfo *devinfo,
                                                      uint64_t *buf_size);

/* part: src/compat/legacy/job.h */
/* ---- >>legacy.job ----------------------------------------------------------------------------
 * Jobs, which a program submits, and events, which it retrieves.                                */

struct doca_buf;
struct doca_core_legacy_ctx;
struct doca_devinfo;

#define DOCA_ACTION_SDK_RANGE 16

enum doca_action_type {
    DOCA_ACTION_NONE = 0,
    DOCA_ACTION_DMA_FIRST = 1 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_DEVEMU_FIRST = 2 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_DEVEMU_BLOCK_FIRST = 3 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_VIRTIO_FIRST = 4 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_VBLK_FIRST = 5 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_REGEX_FIRST = 6 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_NVME_FIRST = 7 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_APPSHIELD_FIRST = 8 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_SHA_FIRST = 9 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_COMPRESS_FIRST = 10 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_IPSEC_FIRST = 11 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_RMAX_FIRST = 12 << DOCA_ACTION_SDK_RANGE,
    DOCA_ACTION_GRAPH_FIRST = 13 << DOCA_ACTION_SDK_RANGE
};

enum doca_job_flags { DOCA_JOB_FLAGS_NONE = 0 };

struct doca_job {
    int type;
    int flags; /* no flags are defined; ignored */
    struct doca_core_legacy_ctx *ctx;
    union doca_data user_data; /* returned in the event */
};

struct doca_event {
    int type; /* type of the job */
    union doca_data user_data;
    union doca_data result; /* u64: the doca_error_t that the job ended with */
};

enum doca_dma_job_types {
    DOCA_CORE_LEGACY_DMA_JOB_MEMCPY = DOCA_ACTION_DMA_FIRST + 1,
    DOCA_CORE_LEGACY_DMA_JOB_MEMCPY_15 = DOCA_ACTION_DMA_FIRST + 2
};

struct doca_core_legacy_dma_job_memcpy {
    struct doca_job base;
    struct doca_buf *dst_buff;       /* a single buffer or the head of a list, as is the source */
    struct doca_buf const *src_buff;
    /* number of bytes from the data address of src_buff on, which must then be a single buffer; 0
     * stands for the data length of src_buff */
    uint64_t num_bytes_to_copy;
};

struct doca_core_legacy_dma_job_memcpy_15 { /* for type DOCA_CORE_LEGACY_DMA_JOB_MEMCPY_15 */
    struct doca_job base;
    struct doca_buf *dst_buff;
    struct doca_buf const *src_buff;
};

struct doca_dma_memcpy_result {
    doca_error_t result;
};

/* Check that the device supports a type of job.
 *
 * Errors    NOT_SUPPORTED  the device does not support it */
DOCA_CORE_DECL doca_error_t doca_dma_job_get_supported(struct doca_devinfo *devinfo,
                                                       enum doca_dma_job_types job_type);

/* part: src/compat/legacy/sha.h */
/* ---- >>legacy.sha ----------------------------------------------------------------------------
 * Hashes of 1.4 to 2.2: jobs of a SHA context. A one-shot job hashes all data of req_buf, which may
 * be a list. A job of a session hashes one segment of a message; the job with
 * the flag SHA_PARTIAL_FINAL writes the digest. A segment may be submitted after the event of the
 * previous one. The digest is written to the data address of resp_buf, or of the head of its list,
 * and is the data of resp_buf afterwards. Other segments leave resp_buf unchanged.
 * Source: public programs of 1.5 and 2.0; DOCA SHA Programming Guide 1.5.                       */

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

/* part: src/compat/legacy/workq.h */
/* ---- >>legacy.workq --------------------------------------------------------------------------
 * Work queues. A work queue takes jobs for any number of contexts, and returns their events.
 * Threads: a work queue and the buffers of its jobs belong to one thread at a time.
 * Source: 1.3 guide, 4.9 and 5.6.                                                               */

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

/* part: src/compat/legacy/graph.h */
/* ---- >>legacy.graph --------------------------------------------------------------------------
 * Graphs: jobs and functions that run in a given order on work queues. Nodes and dependencies are
 * added while the graph is stopped. A started graph is attached to work queues and has instances,
 * which are submitted to the work queues. When a node fails, its instance fails: nodes that are
 * running still finish, and no other node starts. If a queue is full, its next jobs wait.
 * Source: DOCA Core Programming Guide, "DOCA Graph Execution"; public programs of 2.0.          */

struct doca_core_legacy_ctx;
struct doca_core_legacy_graph;
struct doca_core_legacy_graph_instance;
struct doca_core_legacy_graph_node;
struct doca_workq;

enum doca_graph_job_types { DOCA_GRAPH_JOB = DOCA_ACTION_GRAPH_FIRST + 1 };

/* Function of a user node. `ev` is the event of the data of the node. The node fails when the
 * function returns anything but SUCCESS, leaves by longjmp or an exception, or retrieves an
 * event. */
typedef doca_error_t (*doca_core_legacy_graph_user_node_cb_t)(void *cookie, struct doca_event *ev);

enum doca_graph_instance_node_state {
    DOCA_GRAPH_INSTANCE_NODE_STATE_NOT_STARTED,
    DOCA_GRAPH_INSTANCE_NODE_STATE_STARTED,
    DOCA_GRAPH_INSTANCE_NODE_STATE_COMPLETED,
    DOCA_GRAPH_INSTANCE_NODE_STATE_ERROR
};

/* Create a stopped graph without nodes, or destroy a graph together with its nodes.
 *
 * Owns      one block of the bound arena, and one for each node and dependency
 * Errors    NO_MEMORY      the arena is exhausted
 *           NOT_PERMITTED  destroy: the graph has instances or is attached, or a node of another
 *                          graph runs it */
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_create(struct doca_core_legacy_graph **graph);
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_destroy(struct doca_core_legacy_graph *graph);

/* Add a node, which has no parents at first. The node runs a job of type `job_type`, calls `cb`, or
 * runs an instance of `sub_graph`.
 *
 * Errors    BAD_STATE      the graph is started, or the sub-graph is not started
 *           NOT_PERMITTED  the sub-graph is the graph itself
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_graph_ctx_node_create(struct doca_core_legacy_graph *graph,
                                                       int job_type,
                                                       const struct doca_core_legacy_ctx *ctx,
                                                       struct doca_core_legacy_graph_node **node);
DOCA_CORE_DECL doca_error_t doca_graph_user_node_create(
    struct doca_core_legacy_graph *graph, doca_core_legacy_graph_user_node_cb_t cb,
    struct doca_core_legacy_graph_node **node);
DOCA_CORE_DECL doca_error_t doca_graph_sub_graph_node_create(
    struct doca_core_legacy_graph *graph, struct doca_core_legacy_graph *sub_graph,
    struct doca_core_legacy_graph_node **node);

/* Make `to` wait until `from` has completed. Does nothing when the two have this dependency
 * already.
 *
 * Cost      O(nodes + dependencies)
 * Errors    INVALID_VALUE  an argument is NULL, or a node belongs to another graph
 *           BAD_STATE      the graph is started
 *           NOT_PERMITTED  a circle: `from` depends on `to`, or is `to`
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_add_dependency(
    struct doca_core_legacy_graph *graph, struct doca_core_legacy_graph_node *from,
    struct doca_core_legacy_graph_node *to);

/* Start or stop a graph. A call to start a started graph, or to stop a stopped one, does nothing.
 *
 * Errors    BAD_STATE      start: no node of the graph or its sub-graphs runs a job, or a
 *                          context or sub-graph is stopped
 *           NOT_PERMITTED  stop: the graph has instances or is attached, or a node of another
 *                          graph runs it */
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_start(struct doca_core_legacy_graph *graph);
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_stop(struct doca_core_legacy_graph *graph);

/* Attach a started graph to a work queue, or detach it. All contexts of the graph must be
 * attached to the work queue. Sub-graphs need not be attached; submit checks their contexts.
 *
 * Owns      one block of the arena of the work queue until rm
 * Threads   the thread of the work queue
 * Errors    BAD_STATE  add: the graph is stopped, or a context is not attached; rm: the graph is
 *                      not attached
 *           IN_USE     add: the graph is attached already; rm: instances are submitted, or their
 *                      events have not been retrieved
 *           NO_MEMORY  add: the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_graph_workq_add(struct doca_core_legacy_graph *graph,
                                                 struct doca_workq *workq);
DOCA_CORE_DECL doca_error_t doca_graph_workq_rm(struct doca_core_legacy_graph *graph,
                                                struct doca_workq *workq);

/* Create an instance without data, or destroy it.
 *
 * Owns      one block of the graph's arena until destroy
 * Threads   create: any
 * Errors    BAD_STATE      create: the graph is stopped
 *           NO_MEMORY      create: the arena is exhausted
 *           NOT_PERMITTED  destroy: the instance is submitted, or is the data of a node */
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_create(
    const struct doca_core_legacy_graph *graph,
    struct doca_core_legacy_graph_instance **graph_instance);
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_destroy(
    struct doca_core_legacy_graph_instance *graph_instance);

/* Set the data that a node works on in this instance, for this run and later ones.
 *
 *   job     must have the type and the context of the node, and must outlive the instance; the
 *           program may change it between runs
 *   cookie  argument of the function
 *   ev      may be NULL. For a node with a job, it receives the event of the job when the node
 *           ends; for a user node, it is only passed to the function
 *
 * Errors    BAD_STATE      the instance is submitted
 *           NOT_PERMITTED  the node belongs to another graph or is of another kind; the job has
 *                          another type or context; the sub-graph instance belongs to another
 *                          graph or is submitted */
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_set_ctx_node_data(
    struct doca_core_legacy_graph_instance *graph_instance,
    struct doca_core_legacy_graph_node *node, struct doca_job *job, struct doca_event *ev);
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_set_user_node_data(
    struct doca_core_legacy_graph_instance *graph_instance,
    struct doca_core_legacy_graph_node *node, void *cookie, struct doca_event *ev);
DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_set_sub_graph_node_data(
    struct doca_core_legacy_graph_instance *graph_instance,
    struct doca_core_legacy_graph_node *node,
    struct doca_core_legacy_graph_instance *sub_graph_instance, struct doca_event *ev);

/* Submit an instance. Calls of doca_workq_progress_retrieve() execute its nodes. They return AGAIN
 * until the instance has ended; then one call returns an event of type DOCA_GRAPH_JOB. The result
 * in this event is SUCCESS, or the error code of the first node that failed.
 *
 * Cost      O(nodes), including those of sub-graphs
 * Errors    INVALID_VALUE  an argument is invalid, a node has no data, or the graph is not
 *                          attached to the work queue
 *           IN_USE         the instance, or an instance of a sub-graph, is submitted already
 *           BAD_STATE      a context is not attached to the work queue
 *           NO_MEMORY      the work queue has fewer free slots than the graph has jobs without
 *                          parents
 *           any            an error of doca_workq_submit() for such a job. With any error, no
 *                          node was started */
DOCA_CORE_DECL doca_error_t doca_workq_graph_submit(
    struct doca_workq *workq, struct doca_core_legacy_graph_instance *graph_instance,
    union doca_data user_data);

/* Inspect an instance while it runs or afterwards. get_failed_nodes writes at most
 * *num_failed_nodes elements, and sets *num_failed_nodes to their number.
 *
 * Errors    NOT_PERMITTED  the node belongs to another graph
 *           BAD_STATE      get_result: the node has not completed */
DOCA_CORE_DECL doca_error_t doca_graph_instance_get_num_failed_nodes(
    const struct doca_core_legacy_graph_instance *graph_instance, uint32_t *num_failed_nodes);
DOCA_CORE_DECL doca_error_t doca_graph_instance_get_failed_nodes(
    const struct doca_core_legacy_graph_instance *graph_instance,
    const struct doca_core_legacy_graph_node **failed_nodes, uint32_t *num_failed_nodes);
DOCA_CORE_DECL doca_error_t doca_graph_instance_node_get_state(
    const struct doca_core_legacy_graph_instance *graph_instance,
    const struct doca_core_legacy_graph_node *node, enum doca_graph_instance_node_state *state);
DOCA_CORE_DECL doca_error_t doca_graph_instance_node_get_result(
    const struct doca_core_legacy_graph_instance *graph_instance,
    const struct doca_core_legacy_graph_node *node, union doca_data *result);

#ifdef __cplusplus
}
#endif

/* part: src/compat/legacy/view_end.h */
/* ---- >>legacy.view.end -----------------------------------------------------------------------
 * After the declarations of this header: remove the macros of >>legacy.view.old.                */

#ifdef DOCA_PRIV_LEGACY_VIEW
#undef doca_core_legacy_mmap
#undef doca_core_legacy_ctx
#undef doca_core_legacy_dma
#undef doca_core_legacy_sha
#undef doca_core_legacy_graph
#undef doca_core_legacy_graph_node
#undef doca_core_legacy_graph_instance
#undef doca_core_legacy_graph_user_node_cb_t
#undef doca_core_legacy_buf_inventory_destroy
#undef doca_core_legacy_buf_inventory_buf_dup
#undef doca_core_legacy_buf_inventory_get_user_data
#undef doca_core_legacy_buf_inventory_set_user_data
#undef doca_core_legacy_mmap_destroy
#undef doca_core_legacy_mmap_start
#undef doca_core_legacy_mmap_stop
#undef doca_core_legacy_mmap_set_memrange
#undef doca_core_legacy_mmap_get_memrange
#undef doca_core_legacy_mmap_set_dmabuf_memrange
#undef doca_core_legacy_mmap_set_permissions
#undef doca_core_legacy_mmap_set_free_cb
#undef doca_core_legacy_mmap_set_user_data
#undef doca_core_legacy_mmap_export_rdma
#undef doca_core_legacy_mmap_set_max_num_devices
#undef doca_core_legacy_mmap_get_max_num_devices
#undef doca_core_legacy_mmap_get_num_bufs
#undef doca_core_legacy_mmap_get_exported
#undef doca_core_legacy_mmap_get_from_export
#undef doca_core_legacy_mmap_get_user_data
#undef doca_core_legacy_ctx_start
#undef doca_core_legacy_ctx_stop
#undef doca_core_legacy_dma_create
#undef doca_core_legacy_dma_destroy
#undef doca_core_legacy_dma_as_ctx
#undef doca_core_legacy_sha_create
#undef doca_core_legacy_sha_destroy
#undef doca_core_legacy_sha_as_ctx
#undef doca_core_legacy_graph_create
#undef doca_core_legacy_graph_destroy
#undef doca_core_legacy_graph_add_dependency
#undef doca_core_legacy_graph_start
#undef doca_core_legacy_graph_stop
#undef doca_core_legacy_graph_instance_create
#undef doca_core_legacy_graph_instance_destroy
#undef doca_core_legacy_graph_instance_set_ctx_node_data
#undef doca_core_legacy_graph_instance_set_user_node_data
#undef doca_core_legacy_graph_instance_set_sub_graph_node_data
#undef doca_core_legacy_buf_inventory_create
#undef doca_core_legacy_buf_inventory_create_15
#undef doca_core_legacy_mmap_create
#undef doca_core_legacy_mmap_create_15
#undef doca_core_legacy_mmap_create_20
#undef doca_core_legacy_mmap_create_from_export
#undef doca_core_legacy_mmap_create_from_export_15
#undef doca_core_legacy_dev_as_devinfo
#undef doca_core_legacy_dma_job_memcpy
#undef doca_core_legacy_dma_job_memcpy_15
#undef DOCA_CORE_LEGACY_DMA_JOB_MEMCPY
#undef DOCA_CORE_LEGACY_DMA_JOB_MEMCPY_15
#undef DOCA_PRIV_TODAY
#undef DOCA_PRIV_OLD
#undef DOCA_PRIV_OLD_AS

/* These two names are macros here and in >>legacy.names, because doca_core.h declares the
 * structures under the names of 1.5. */
typedef struct doca_devinfo_rep doca_devinfo_remote;
typedef struct doca_dev_rep doca_dev_remote;
#define doca_devinfo_remote doca_devinfo_rep
#define doca_dev_remote doca_dev_rep
#endif

#endif /* DOCA_CORE_LEGACY_H */

#if defined(DOCA_CORE_IMPLEMENTATION) && !defined(DOCA_PRIV_LEGACY_IMPLEMENTED)
#define DOCA_PRIV_LEGACY_IMPLEMENTED

#ifdef __cplusplus
extern "C" {
#endif

/* part: src/compat/legacy/mmap_priv.h */
/* ---- >>priv.legacy.mmap ----------------------------------------------------------------------
 * An mmap of 1.x or 2.0. Each range of an mmap of 1.x is an mmap of doca_core.h, which is started
 * from populate to destroy; the ranges are ordered by address. user_data of a range points to the
 * mmap of 1.x that it belongs to, and obj.owner marks it as a range. An mmap of 2.0 has one mmap
 * of doca_core.h from create to destroy, `whole`, which has its devices and its state.          */

struct doca_core_arena;
struct doca_dev;
struct doca_mmap;

struct doca_core_legacy_mmap {
    struct doca_priv_object obj;
    uint32_t num_chunks;
    uint32_t max_chunks;
    uint32_t num_devs;
    uint32_t max_devs;
    uint32_t flags; /* DOCA_MMAP_ACCESS_* */
    bool was_started;
    bool is_exported;
    bool is_imported;
    struct doca_core_arena *arena;
    /* the mmap of doca_core.h behind an mmap of 2.0; NULL for an mmap of 1.x */
    struct doca_mmap *whole;
    struct doca_mmap **chunks; /* ranges; set at the first start */
    struct doca_dev **devs;    /* devices; in the same block as `chunks` */
    union doca_data user_data;
    char name[DOCA_CORE_LEGACY_NAME_BYTES];
};

DOCA_PRIV_DECL void doca_priv_legacy_name(char *to, const char *name);
DOCA_PRIV_DECL doca_error_t doca_priv_legacy_mmap_make(const char *name,
                                                       const union doca_data *user_data,
                                                       struct doca_core_legacy_mmap **mmap,
                                                       const char *function);
DOCA_PRIV_DECL uint32_t doca_priv_legacy_num_bufs(const struct doca_core_legacy_mmap *mmap);

/* part: src/compat/legacy/chunk_priv.h */
/* ---- >>priv.legacy.chunk ---------------------------------------------------------------------
 * Functions and types of >>impl.legacy.chunk that other parts use.                              */

struct doca_core_legacy_mmap;
struct doca_dev;

DOCA_PRIV_DECL doca_error_t doca_priv_legacy_mmap_change(const struct doca_core_legacy_mmap *mmap,
                                                         const void *pointer, const char *function);
DOCA_PRIV_DECL uint32_t doca_priv_legacy_mmap_find(const struct doca_core_legacy_mmap *mmap,
                                                   const struct doca_dev *dev);
DOCA_PRIV_DECL uint32_t doca_priv_chunk_find(const struct doca_core_legacy_mmap *mmap,
                                             const void *addr);

/* part: src/compat/legacy/property_priv.h */
/* ---- >>priv.legacy.property ------------------------------------------------------------------
 * Functions and types of >>impl.legacy.property that other parts use.                           */

DOCA_PRIV_DECL doca_error_t doca_priv_property_put(void *value, uint32_t size, const void *from,
                                                   size_t bytes, const char *function);
DOCA_PRIV_DECL doca_error_t doca_priv_property_put_32(void *value, uint32_t size, uint32_t number,
                                                      const char *function);

/* part: src/compat/legacy/ctx_priv.h */
/* ---- >>priv.legacy.ctx -----------------------------------------------------------------------
 * Contexts and their links to work queues. Each link has a context of doca_core.h (its `engine`),
 * which only the thread of the work queue uses. The lock of a legacy context guards the state, the
 * device and the number of links of the context.                                                */

struct doca_core_arena;
struct doca_ctx;
struct doca_dev;
struct doca_workq;

struct doca_core_legacy_ctx {
    struct doca_priv_object obj;
    uint32_t lock;
    uint32_t num_links;
    struct doca_dev *dev;
    struct doca_core_arena *arena;
};

struct doca_core_legacy_sha {
    struct doca_core_legacy_ctx ctx;
};

struct doca_priv_link {
    struct doca_core_legacy_ctx *ctx;
    /* the context of a struct doca_dma or doca_sha, depending on obj.kind of `ctx` */
    struct doca_ctx *engine;
    struct doca_priv_link *next; /* next link of the same work queue */
    uint32_t num_jobs;           /* jobs whose events have not been retrieved */
};

DOCA_PRIV_DECL bool doca_priv_is_legacy_ctx(const struct doca_core_legacy_ctx *ctx);
DOCA_PRIV_DECL uint32_t doca_priv_link_hashes(const struct doca_dev *dev, uint32_t depth);
DOCA_PRIV_DECL bool doca_priv_legacy_ctx_add_links(struct doca_core_legacy_ctx *ctx, uint32_t by);
DOCA_PRIV_DECL struct doca_priv_link **doca_priv_link_find(struct doca_workq *workq,
                                                           const struct doca_core_legacy_ctx *ctx);

/* part: src/compat/legacy/sha_priv.h */
/* ---- >>priv.legacy.sha -----------------------------------------------------------------------
 * Hash sessions. A session is the state of a hash between two jobs. Each of its jobs takes a task
 * of its own, which receives the state at submit and returns it when it ends. No task is taken
 * between jobs.                                                                                 */

struct doca_core_arena;
struct doca_core_legacy_ctx;
struct doca_priv_job;
struct doca_task;
struct doca_workq;

struct doca_sha_partial_session {
    struct doca_priv_object obj;
    uint8_t algorithm; /* valid while the session is open */
    uint8_t session;   /* DOCA_PRIV_SHA_NEW or _OPEN */
    const struct doca_core_legacy_ctx *ctx;
    const struct doca_workq *workq;
    struct doca_core_arena *arena;
    struct doca_priv_job *job; /* job whose event has not been retrieved; NULL when there is none */
    uint64_t bytes;
    union doca_priv_sha_state state;
};

DOCA_PRIV_DECL enum doca_core_item
doca_priv_session_fault(const struct doca_sha_partial_session *session,
                        const struct doca_core_legacy_ctx *ctx, const struct doca_workq *workq,
                        uint8_t algorithm);
DOCA_PRIV_DECL void doca_priv_session_enter(struct doca_sha_partial_session *session,
                                            struct doca_priv_job *job, struct doca_task *task,
                                            uint8_t algorithm, bool is_final);
DOCA_PRIV_DECL bool doca_priv_session_leave(struct doca_sha_partial_session *session,
                                            struct doca_task *task);

/* part: src/compat/legacy/workq_priv.h */
/* ---- >>priv.legacy.workq ---------------------------------------------------------------------
 * Work queues, their slots for jobs, and their events.                                          */

struct doca_core_arena;
struct doca_core_legacy_graph_instance;
struct doca_pe;
struct doca_priv_graph_link;
struct doca_priv_link;
struct doca_priv_run;
struct doca_sha_partial_session;

/* An event of a job or a graph instance, until it is retrieved. */
struct doca_priv_legacy_event {
    struct doca_event event;
    struct doca_priv_legacy_event *next;
    struct doca_priv_job *job;
    struct doca_core_legacy_graph_instance *instance;
};

/* A slot of a work queue. */
struct doca_priv_job {
    struct doca_buf src; /* copies of the buffers for the engine, with the lengths of the job */
    struct doca_buf dst;
    struct doca_buf *held_src; /* the buffers of the program */
    struct doca_buf *held_dst; /* NULL when the job is not in flight */
    struct doca_workq *workq;
    struct doca_priv_link *link;
    struct doca_priv_run *run; /* graph node that the job works for; NULL without one */
    /* session whose segment the job hashes; NULL without a session */
    struct doca_sha_partial_session *session;
    struct doca_priv_job *next; /* next free slot */
    struct doca_priv_legacy_event end;
};

struct doca_workq {
    struct doca_priv_object obj;
    uint32_t depth;
    uint32_t num_free;
    bool is_event_driven;
    struct doca_core_arena *arena;
    struct doca_pe *pe;
    struct doca_priv_link *links;
    struct doca_priv_graph_link *graphs;
    struct doca_priv_job *jobs; /* array of all slots */
    struct doca_priv_job *free_jobs;
    struct doca_priv_legacy_event *events; /* events that have not been retrieved, oldest first */
    struct doca_priv_legacy_event *last_event;
    struct doca_priv_run *ready; /* graph nodes that are ready to run, oldest first */
    struct doca_priv_run *last_ready;
    /* user node whose function is running; NULL when no function is running */
    struct doca_priv_run *calling;
};

DOCA_PRIV_DECL void doca_priv_workq_wake(struct doca_workq *workq);
DOCA_PRIV_DECL void doca_priv_workq_put_event(struct doca_workq *workq,
                                              struct doca_priv_legacy_event *end);

/* part: src/compat/legacy/job_priv.h */
/* ---- >>priv.legacy.job -----------------------------------------------------------------------
 * The submission and the completion of jobs.                                                    */

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

/* part: src/compat/legacy/graph_priv.h */
/* ---- >>priv.legacy.graph ---------------------------------------------------------------------
 * Graphs and their nodes. A graph is a list of nodes and edges; it is not compiled.             */

struct doca_core_arena;
struct doca_core_legacy_ctx;
struct doca_workq;

struct doca_priv_legacy_edge {
    struct doca_core_legacy_graph_node *to;
    struct doca_priv_legacy_edge *next;
};

struct doca_core_legacy_graph_node {
    struct doca_priv_object obj; /* obj.state: DOCA_PRIV_NODE_* */
    uint32_t index;
    uint32_t num_parents;
    bool is_seen; /* used by the search for a cycle, like `todo` */
    int job_type;
    struct doca_core_legacy_graph *graph;
    struct doca_core_legacy_graph_node *next;
    struct doca_core_legacy_graph_node *todo;
    struct doca_priv_legacy_edge *children;
    /* The kind of the node determines which of the next three members is used. */
    struct doca_core_legacy_ctx *ctx;
    doca_core_legacy_graph_user_node_cb_t user;
    struct doca_core_legacy_graph *sub_graph;
};

struct doca_core_legacy_graph {
    struct doca_priv_object obj;
    uint32_t lock; /* guards num_instances and num_queues, which several threads change */
    uint32_t num_instances;
    uint32_t num_queues;
    uint32_t num_nodes;
    uint32_t num_uses; /* number of nodes of other graphs that run this graph */
    struct doca_core_arena *arena;
    struct doca_core_legacy_graph_node *nodes;
    struct doca_core_legacy_graph_node *last_node;
};

/* A graph that is attached to a work queue. */
struct doca_priv_graph_link {
    struct doca_core_legacy_graph *graph;
    struct doca_priv_graph_link *next;
    uint32_t num_runs; /* instances whose events have not been retrieved */
};

DOCA_PRIV_DECL struct doca_priv_graph_link **
doca_priv_graph_link_find(struct doca_workq *workq, const struct doca_core_legacy_graph *graph);

/* part: src/compat/legacy/graph_instance_priv.h */
/* ---- >>priv.legacy.graph.instance ------------------------------------------------------------
 * Instances of graphs. An instance has one run for each node, at the index of the node.         */

struct doca_core_legacy_graph;
struct doca_core_legacy_graph_node;
struct doca_event;

/* A node of one instance. */
struct doca_priv_run {
    const struct doca_core_legacy_graph_node *node;
    struct doca_core_legacy_graph_instance *instance;
    void *data; /* job, cookie or instance, depending on the kind of node */
    struct doca_event *event;
    enum doca_graph_instance_node_state state;
    doca_error_t status;
    uint32_t num_pending;       /* number of parents that have not completed */
    struct doca_priv_run *next; /* next node that is ready to run */
};

/* An instance. The array of its runs follows it in the same block. */
struct doca_core_legacy_graph_instance {
    struct doca_priv_object obj;
    uint32_t num_open; /* number of nodes that are ready or running */
    uint32_t num_uses; /* number of runs of other instances that have this instance as their data */
    doca_error_t status;
    struct doca_core_legacy_graph *graph;
    /* NULL when the instance is not submitted, neither by itself nor inside another one */
    struct doca_workq *workq;
    /* node of another instance that this instance runs for; NULL when the program submitted this
     * instance itself */
    struct doca_priv_run *parent;
    /* list of the instances that one submit has marked as submitted: the submitted instance and
     * those of its sub-graphs */
    struct doca_core_legacy_graph_instance *chain;
    struct doca_priv_run *runs;
    struct doca_priv_legacy_event end;
};

/* part: src/compat/legacy/graph_run_priv.h */
/* ---- >>priv.legacy.graph.run -----------------------------------------------------------------
 * The execution of graph instances.                                                             */

struct doca_core_legacy_graph_instance;
struct doca_priv_run;
struct doca_workq;

DOCA_PRIV_DECL void doca_priv_run_job_ended(struct doca_priv_run *run, doca_error_t status,
                                            union doca_data user_data);
DOCA_PRIV_DECL void doca_priv_graph_end_call(struct doca_workq *workq);
DOCA_PRIV_DECL void doca_priv_graph_run_next(struct doca_workq *workq);
DOCA_PRIV_DECL void doca_priv_graph_event_taken(struct doca_core_legacy_graph_instance *instance);

/* part: src/compat/legacy/error.c */
/* ---- >>impl.legacy.error ---------------------------------------------------------------------
 * Texts of errors.                                                                              */

DOCA_CORE_DECL const char *doca_get_error_string(doca_error_t error)
{
    return doca_error_get_descr(error);
}

/* part: src/compat/legacy/device.c */
/* ---- >>impl.legacy.device --------------------------------------------------------------------
 * Device lists and device properties.                                                           */

DOCA_CORE_DECL doca_error_t doca_devinfo_list_create(struct doca_devinfo ***dev_list,
                                                     uint32_t *nb_devs)
{
    return doca_devinfo_create_list(dev_list, nb_devs);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_list_destroy(struct doca_devinfo **devinfo_list)
{
    return doca_devinfo_destroy_list(devinfo_list);
}

/* Parse the "BB:DD.F" at the end of the PCI address that a backend wrote. */
static void doca_priv_bdf_read(const struct doca_core_dev_attr *attr, struct doca_pci_bdf *to)
{
    const char *bdf = attr->pci_addr + (DOCA_DEVINFO_PCI_ADDR_SIZE - DOCA_DEVINFO_PCI_BDF_SIZE);
    unsigned digits[7], i;

    for (i = 0; i < 7; i++)
        digits[i] = (unsigned)doca_priv_hex_digit(bdf[i]);
    to->bus = (uint8_t)(digits[0] << 4 | digits[1]);
    to->device = (uint8_t)((digits[3] << 4 | digits[4]) & 31u);
    to->function = (uint8_t)(digits[6] & 7u);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_pci_addr_equal(const struct doca_devinfo *devinfo,
                                                               const char *pci_addr_str,
                                                               uint8_t *is_equal)
{
    return doca_devinfo_is_equal_pci_addr(devinfo, pci_addr_str, is_equal);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_is_pci_addr_equal(
    const struct doca_devinfo_rep *devinfo_rep, const char *pci_addr_str, uint8_t *is_equal)
{
    return doca_devinfo_rep_is_equal_pci_addr(devinfo_rep, pci_addr_str, is_equal);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_pci_addr(const struct doca_devinfo *devinfo,
                                                      struct doca_pci_bdf *pci_addr)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, pci_addr, __func__);

    if (rc == DOCA_SUCCESS)
        doca_priv_bdf_read(&devinfo->attr, pci_addr);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_pci_addr(
    const struct doca_devinfo_rep *devinfo_rep, struct doca_pci_bdf *pci_addr)
{
    doca_error_t rc =
        doca_priv_check_args(devinfo_rep, DOCA_PRIV_KIND_DEVINFO_REP, pci_addr, __func__);

    if (rc == DOCA_SUCCESS)
        doca_priv_bdf_read(&devinfo_rep->info.attr, pci_addr);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_vuid(const struct doca_devinfo *devinfo, char *vuid,
                                                  uint32_t size)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, vuid, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (size < DOCA_DEVINFO_VUID_SIZE)
        return DOCA_PRIV_FAIL(INVALID_VALUE, TEXT_TOO_SHORT, devinfo);
    DOCA_CORE_MEMCPY(vuid, devinfo->attr.vuid, DOCA_DEVINFO_VUID_SIZE);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_property_get(const struct doca_devinfo *devinfo,
                                                      enum doca_devinfo_property property,
                                                      void *value, uint32_t size)
{
    switch ((int)property) {
    case DOCA_DEVINFO_PROPERTY_VUID:
        return doca_devinfo_get_vuid(devinfo, (char *)value, size);
    case DOCA_DEVINFO_PROPERTY_PCI_ADDR:
        if (size < sizeof(struct doca_pci_bdf))
            return DOCA_PRIV_FAIL(INVALID_VALUE, TEXT_TOO_SHORT, NULL);
        return doca_devinfo_get_pci_addr(devinfo, (struct doca_pci_bdf *)value);
    case DOCA_DEVINFO_PROPERTY_IPV4_ADDR:
        return doca_devinfo_get_ipv4_addr(devinfo, (uint8_t *)value, size);
    case DOCA_DEVINFO_PROPERTY_IPV6_ADDR:
        return doca_devinfo_get_ipv6_addr(devinfo, (uint8_t *)value, size);
    case DOCA_DEVINFO_PROPERTY_IFACE_NAME:
        return doca_devinfo_get_iface_name(devinfo, (char *)value, size);
    case DOCA_DEVINFO_PROPERTY_IBDEV_NAME:
        return doca_devinfo_get_ibdev_name(devinfo, (char *)value, size);
    default:
        return DOCA_PRIV_FAIL(INVALID_VALUE, LEGACY_PROPERTY, NULL);
    }
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_hotplug_manager_supported(
    const struct doca_devinfo *devinfo, uint8_t *is_hotplug_manager)
{
    return doca_devinfo_cap_is_hotplug_manager_supported(devinfo, is_hotplug_manager);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_mmap_export_supported(
    const struct doca_devinfo *devinfo, uint8_t *mmap_export)
{
    return doca_mmap_cap_is_export_pci_supported(devinfo, mmap_export);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_mmap_from_export_supported(
    const struct doca_devinfo *devinfo, uint8_t *from_export)
{
    return doca_mmap_cap_is_create_from_export_pci_supported(devinfo, from_export);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_dev_as_devinfo(struct doca_dev *dev,
                                                            struct doca_devinfo **devinfo)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, devinfo, __func__);
    struct doca_devinfo *info;

    if (rc != DOCA_SUCCESS)
        return rc;
    info = doca_dev_as_devinfo(dev);
    if (info == NULL)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, DEV_FROM_PD, dev);
    *devinfo = info;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_remote_list_create(
    struct doca_dev *dev, int filter, struct doca_devinfo_rep ***devinfo_remote_list,
    uint32_t *nb_devs)
{
    return doca_devinfo_rep_create_list(dev, filter, devinfo_remote_list, nb_devs);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_remote_list_destroy(
    struct doca_devinfo_rep **devinfo_remote_list)
{
    return doca_devinfo_rep_destroy_list(devinfo_remote_list);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_remote_property_get(
    const struct doca_devinfo_rep *devinfo_remote, enum doca_devinfo_remote_property property,
    void *value, uint32_t size)
{
    if (property != DOCA_DEVINFO_REMOTE_PROPERTY_VUID)
        return DOCA_PRIV_FAIL(INVALID_VALUE, LEGACY_PROPERTY, NULL);
    return doca_devinfo_rep_get_vuid(devinfo_remote, (char *)value, size);
}

DOCA_CORE_DECL doca_error_t doca_dev_remote_open(struct doca_devinfo_rep *devinfo_remote,
                                                 struct doca_dev_rep **dev_remote)
{
    return doca_dev_rep_open(devinfo_remote, dev_remote);
}

DOCA_CORE_DECL doca_error_t doca_dev_remote_close(struct doca_dev_rep *dev_remote)
{
    return doca_dev_rep_close(dev_remote);
}

DOCA_CORE_DECL doca_error_t doca_dev_remote_as_devinfo(struct doca_dev_rep *dev_remote,
                                                       struct doca_devinfo_rep **devinfo_remote)
{
    doca_error_t rc =
        doca_priv_check_args(dev_remote, DOCA_PRIV_KIND_DEV_REP, devinfo_remote, __func__);

    if (rc == DOCA_SUCCESS)
        *devinfo_remote = doca_dev_rep_as_devinfo(dev_remote);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_list_create(struct doca_dev *dev, int filter,
                                                         struct doca_devinfo_rep ***dev_list_rep,
                                                         uint32_t *nb_devs_rep)
{
    return doca_devinfo_rep_create_list(dev, filter, dev_list_rep, nb_devs_rep);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_list_destroy(struct doca_devinfo_rep **dev_list_rep)
{
    return doca_devinfo_rep_destroy_list(dev_list_rep);
}

/* Translate the result of today's call to the form of 1.5. Today's call returns NOT_SUPPORTED when
 * the device lacks the capability; the call of 1.5 succeeds and writes 0 to `*answer`. */
static doca_error_t doca_priv_legacy_answer(doca_error_t rc, uint8_t *answer)
{
    if (rc != DOCA_ERROR_NOT_SUPPORTED)
        return rc;
    *answer = 0;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_is_list_all_supported(
    const struct doca_devinfo *devinfo, uint8_t *all_supported)
{
    return doca_priv_legacy_answer(
        doca_devinfo_rep_cap_is_filter_all_supported(devinfo, all_supported), all_supported);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_is_list_net_supported(
    const struct doca_devinfo *devinfo, uint8_t *net_supported)
{
    return doca_priv_legacy_answer(
        doca_devinfo_rep_cap_is_filter_net_supported(devinfo, net_supported), net_supported);
}

/* part: src/compat/legacy/buf.c */
/* ---- >>impl.legacy.buf -----------------------------------------------------------------------
 * Buffers: old names of calls of doca_core.h.                                                   */

DOCA_CORE_DECL doca_error_t doca_buf_head_get(struct doca_buf *buf, void **head)
{
    return doca_buf_get_head(buf, head);
}

DOCA_CORE_DECL doca_error_t doca_buf_len_get(struct doca_buf *buf, size_t *len)
{
    return doca_buf_get_len(buf, len);
}

DOCA_CORE_DECL doca_error_t doca_buf_refcount_rm(struct doca_buf *buf, uint16_t *refcount)
{
    if (buf == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    return doca_buf_dec_refcount(buf, refcount);
}

DOCA_CORE_DECL doca_error_t doca_buf_refcount_get(struct doca_buf *buf, uint16_t *refcount)
{
    return doca_buf_get_refcount(buf, refcount);
}

DOCA_CORE_DECL doca_error_t doca_buf_refcount_add(struct doca_buf *buf, uint16_t *refcount)
{
    (void)refcount;
    return DOCA_PRIV_FAIL(NOT_SUPPORTED, LEGACY_NO_REFCOUNT, doca_priv_is_buf(buf) ? buf : NULL);
}

DOCA_CORE_DECL doca_error_t doca_buf_list_chain(struct doca_buf *list1, struct doca_buf *list2)
{
    return doca_buf_chain_list(list1, list2);
}

DOCA_CORE_DECL doca_error_t doca_buf_list_unchain(struct doca_buf *list1, struct doca_buf *list2)
{
    return doca_buf_unchain_list(list1, list2);
}

DOCA_CORE_DECL doca_error_t doca_buf_list_next(struct doca_buf *buf, struct doca_buf **next_buf)
{
    return doca_buf_get_next_in_list(buf, next_buf);
}

DOCA_CORE_DECL doca_error_t doca_buf_list_last(struct doca_buf *buf, struct doca_buf **last_buf)
{
    return doca_buf_get_last_in_list(buf, last_buf);
}

DOCA_CORE_DECL doca_error_t doca_buf_list_num_elements(const struct doca_buf *buf,
                                                       uint32_t *num_elements)
{
    return doca_buf_get_list_len(buf, num_elements);
}

DOCA_CORE_DECL doca_error_t doca_buf_list_is_first(const struct doca_buf *buf, bool *is_first)
{
    uint8_t answer = 0;
    doca_error_t rc = doca_buf_is_first_in_list(buf, is_first != NULL ? &answer : NULL);

    if (rc == DOCA_SUCCESS)
        /* analyzer: core.NullDereference,analyzer-null-dereference: the call above refuses NULL */
        *is_first = answer != 0;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_buf_list_is_last(const struct doca_buf *buf, bool *is_last)
{
    uint8_t answer = 0;
    doca_error_t rc = doca_buf_is_last_in_list(buf, is_last != NULL ? &answer : NULL);

    if (rc == DOCA_SUCCESS)
        /* analyzer: core.NullDereference,analyzer-null-dereference: the call above refuses NULL */
        *is_last = answer != 0;
    return rc;
}

/* part: src/compat/legacy/mmap.c */
/* ---- >>impl.legacy.mmap ----------------------------------------------------------------------
 * Create, start, stop and destroy mmaps, and the calls that an mmap of 2.0 passes on to the mmap of
 * doca_core.h that it wraps.                                                                     */

/* Copy a name to zeroed memory, and cut it if it is too long. `name` may be NULL. */
DOCA_PRIV_DECL void doca_priv_legacy_name(char *to, const char *name)
{
    size_t i;

    for (i = 0; name != NULL && name[i] != '\0' && i + 1 < DOCA_CORE_LEGACY_NAME_BYTES; i++)
        to[i] = name[i];
}

DOCA_PRIV_DECL doca_error_t doca_priv_legacy_mmap_make(const char *name,
                                                       const union doca_data *user_data,
                                                       struct doca_core_legacy_mmap **mmap,
                                                       const char *function)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    struct doca_core_legacy_mmap *m;
    void *block = NULL;
    doca_error_t rc;

    if (mmap == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              NULL);
    rc = doca_priv_object_take(arena, sizeof(*m), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    m = (struct doca_core_legacy_mmap *)block;
    doca_priv_object_init(&m->obj, DOCA_PRIV_KIND_LEGACY_MMAP);
    m->arena = arena;
    m->max_chunks = 1;
    m->max_devs = 1;
    m->flags = DOCA_MMAP_ACCESS_LOCAL_WRITE | DOCA_MMAP_ACCESS_REMOTE_WRITE |
               DOCA_MMAP_ACCESS_REMOTE_READ;
    if (user_data != NULL)
        m->user_data = *user_data;
    doca_priv_legacy_name(m->name, name);
    *mmap = m;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create(const char *name,
                                                         struct doca_core_legacy_mmap **mmap)
{
    return doca_priv_legacy_mmap_make(name, NULL, mmap, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_15(const union doca_data *user_data,
                                                            struct doca_core_legacy_mmap **mmap)
{
    return doca_priv_legacy_mmap_make(NULL, user_data, mmap, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_20(const union doca_data *user_data,
                                                            struct doca_core_legacy_mmap **mmap)
{
    struct doca_core_legacy_mmap *m = NULL;
    doca_error_t rc = doca_priv_legacy_mmap_make(NULL, user_data, mmap != NULL ? &m : NULL,
                                                 __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    /* analyzer: core.NullDereference: success means that m was created */
    rc = doca_priv_mmap_create(m->arena, &m->whole, __func__);
    if (rc != DOCA_SUCCESS) {
        (void)doca_priv_object_give(m->arena, &m->obj);
        return rc;
    }
    m->whole->obj.owner = DOCA_PRIV_OF_LEGACY;
    m->whole->user_data.ptr = m;
    m->chunks = &m->whole;
    m->num_chunks = m->max_chunks;
    *mmap = m;
    return DOCA_SUCCESS;
}

/* Set `*whole` to the mmap of doca_core.h behind an mmap of 2.0. Reports an error for an mmap of
 * 1.x, which has no such mmap. */
static doca_error_t doca_priv_legacy_mmap_whole(const struct doca_core_legacy_mmap *mmap,
                                                struct doca_mmap **whole, const char *function)
{
    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_LEGACY_MMAP))
        return doca_priv_fail_handle(mmap, function);
    if (mmap->whole == NULL)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_LEGACY_RANGES, function,
                              mmap);
    *whole = mmap->whole;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_memrange(struct doca_core_legacy_mmap *mmap,
                                                               void *addr, size_t len)
{
    struct doca_mmap *whole = NULL;
    doca_error_t rc = doca_priv_legacy_mmap_whole(mmap, &whole, __func__);

    return rc == DOCA_SUCCESS ? doca_mmap_set_memrange(whole, addr, len) : rc;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_memrange(
    const struct doca_core_legacy_mmap *mmap, void **addr, size_t *len)
{
    struct doca_mmap *whole = NULL;
    doca_error_t rc = doca_priv_legacy_mmap_whole(mmap, &whole, __func__);

    return rc == DOCA_SUCCESS ? doca_mmap_get_memrange(whole, addr, len) : rc;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_dmabuf_memrange(
    struct doca_core_legacy_mmap *mmap, int dmabuf_fd, void *addr, size_t dmabuf_offset, size_t len)
{
    struct doca_mmap *whole = NULL;
    doca_error_t rc = doca_priv_legacy_mmap_whole(mmap, &whole, __func__);

    return rc == DOCA_SUCCESS
               ? doca_mmap_set_dmabuf_memrange(whole, dmabuf_fd, addr, dmabuf_offset, len)
               : rc;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_permissions(
    struct doca_core_legacy_mmap *mmap, uint32_t access_mask)
{
    struct doca_mmap *whole = NULL;
    doca_error_t rc = doca_priv_legacy_mmap_whole(mmap, &whole, __func__);

    return rc == DOCA_SUCCESS ? doca_mmap_set_permissions(whole, access_mask) : rc;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_free_cb(
    struct doca_core_legacy_mmap *mmap, doca_mmap_memrange_free_cb_t *free_cb, void *opaque)
{
    struct doca_mmap *whole = NULL;
    doca_error_t rc = doca_priv_legacy_mmap_whole(mmap, &whole, __func__);

    return rc == DOCA_SUCCESS ? doca_mmap_set_free_cb(whole, free_cb, opaque) : rc;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_user_data(struct doca_core_legacy_mmap *mmap,
                                                                union doca_data user_data)
{
    struct doca_mmap *whole = NULL;
    doca_error_t rc = doca_priv_legacy_mmap_whole(mmap, &whole, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (mmap->obj.state == DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, MMAP_STARTED, mmap);
    mmap->user_data = user_data;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_export_dpu(struct doca_core_legacy_mmap *mmap,
                                                 const struct doca_dev *dev,
                                                 const void **export_desc,
                                                 size_t *export_desc_len)
{
    struct doca_mmap *whole = NULL;
    doca_error_t rc = doca_priv_legacy_mmap_whole(mmap, &whole, __func__);

    return rc == DOCA_SUCCESS ? doca_mmap_export_pci(whole, dev, export_desc, export_desc_len)
                              : rc;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_export_rdma(struct doca_core_legacy_mmap *mmap,
                                                              const struct doca_dev *dev,
                                                              const void **export_desc,
                                                              size_t *export_desc_len)
{
    struct doca_mmap *whole = NULL;
    doca_error_t rc = doca_priv_legacy_mmap_whole(mmap, &whole, __func__);

    return rc == DOCA_SUCCESS ? doca_mmap_export_rdma(whole, dev, export_desc, export_desc_len)
                              : rc;
}

DOCA_PRIV_DECL uint32_t doca_priv_legacy_num_bufs(const struct doca_core_legacy_mmap *mmap)
{
    uint32_t num = 0, i;

    for (i = 0; i < mmap->num_chunks; i++)
        num += mmap->chunks[i]->num_bufs;
    return num;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_destroy(struct doca_core_legacy_mmap *mmap)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    doca_error_t rc = DOCA_SUCCESS;
    uint32_t i;

    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_LEGACY_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    for (i = 0; i < mmap->num_chunks && item == DOCA_CORE_ITEM_NONE; i++)
        item = doca_priv_mmap_busy(mmap->chunks[i], __func__);
    if (item != DOCA_CORE_ITEM_NONE)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, item, __func__, mmap);
    mmap->obj.guard = 0; /* calls with this mmap fail from here on, in free callbacks as well */
    for (i = 0; i < mmap->num_chunks; i++)
        DOCA_ERROR_PROPAGATE(rc, doca_mmap_destroy(mmap->chunks[i]));
    for (i = 0; i < mmap->num_devs; i++)
        doca_priv_dev_drop(mmap->devs[i]);
    if (mmap->whole == NULL)
        DOCA_ERROR_PROPAGATE(rc, doca_core_arena_give(mmap->arena, mmap->chunks));
    DOCA_ERROR_PROPAGATE(rc, doca_priv_object_give(mmap->arena, &mmap->obj));
    return rc;
}

/* Take the block for the tables of ranges and devices. */
static doca_error_t doca_priv_legacy_mmap_carve(struct doca_core_arena *arena, uint32_t max_chunks,
                                                uint32_t max_devs, void **block,
                                                const char *function)
{
    return doca_priv_object_take(arena,
                                 doca_priv_size(max_chunks, sizeof(void *),
                                                doca_priv_size(max_devs, sizeof(void *), 0)),
                                 block, function);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_mmap(uint32_t max_num_chunks,
                                                        uint32_t max_num_devices, size_t *bytes)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, __func__);
    size_t each, sum = 0;
    void *block;

    if (rc != DOCA_SUCCESS)
        return rc;
    each = DOCA_CORE_BYTES_MMAP(1);
    if (max_num_devices > DOCA_CORE_MMAP_DEVS)
        each += DOCA_CORE_BYTES_MMAP_DEVS(max_num_devices);
    rc = doca_priv_object_take(&count, sizeof(struct doca_core_legacy_mmap), &block, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_legacy_mmap_carve(&count, max_num_chunks, max_num_devices, &block, __func__);
    rc = doca_priv_counted(&count, rc, &sum, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (max_num_chunks > (SIZE_MAX - sum) / each)
        return DOCA_PRIV_FAIL(NO_MEMORY, ARENA_EXHAUSTED, NULL);
    *bytes = sum + max_num_chunks * each;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_start(struct doca_core_legacy_mmap *mmap)
{
    void *block = NULL;
    doca_error_t rc;

    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_LEGACY_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    if (mmap->whole != NULL) {
        rc = doca_mmap_start(mmap->whole);
        if (rc == DOCA_SUCCESS)
            mmap->obj.state = DOCA_PRIV_STARTED;
        return rc;
    }
    if (!mmap->was_started) {
        rc = doca_priv_legacy_mmap_carve(mmap->arena, mmap->max_chunks, mmap->max_devs, &block,
                                         __func__);
        if (rc != DOCA_SUCCESS)
            return rc;
        mmap->chunks = (struct doca_mmap **)block;
        mmap->devs = (struct doca_dev **)(void *)(mmap->chunks + mmap->max_chunks);
        mmap->was_started = true;
    }
    mmap->obj.state = DOCA_PRIV_STARTED;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_stop(struct doca_core_legacy_mmap *mmap)
{
    doca_error_t rc;

    if (!doca_priv_is(mmap, DOCA_PRIV_KIND_LEGACY_MMAP))
        return DOCA_PRIV_FAIL_HANDLE(mmap);
    if (mmap->whole != NULL) {
        rc = doca_mmap_stop(mmap->whole);
        if (rc != DOCA_SUCCESS)
            return rc;
    }
    mmap->obj.state = DOCA_PRIV_STOPPED;
    return DOCA_SUCCESS;
}

/* part: src/compat/legacy/chunk.c */
/* ---- >>impl.legacy.chunk ---------------------------------------------------------------------
 * The memory ranges and the devices of an mmap of 1.x.                                          */

/* Check that ranges and devices of the mmap may be added and removed, and that it may be
 * exported. */
DOCA_PRIV_DECL doca_error_t doca_priv_legacy_mmap_change(const struct doca_core_legacy_mmap *mmap,
                                                         const void *pointer, const char *function)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_LEGACY_MMAP, pointer, function);
    enum doca_core_item item;

    if (rc != DOCA_SUCCESS)
        return rc;
    item = mmap->whole != NULL                    ? DOCA_CORE_ITEM_LEGACY_ONE_RANGE
           : mmap->is_imported                    ? DOCA_CORE_ITEM_MMAP_IMPORTED
           : mmap->is_exported                    ? DOCA_CORE_ITEM_MMAP_EXPORTED
           : mmap->obj.state != DOCA_PRIV_STARTED ? DOCA_CORE_ITEM_MMAP_NOT_STARTED
                                                  : DOCA_CORE_ITEM_NONE;
    return item == DOCA_CORE_ITEM_NONE
               ? DOCA_SUCCESS
               : doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, item, function, mmap);
}

/* Return the index of `dev` among the devices of the mmap, or num_devs when the mmap does not have
 * the device. */
DOCA_PRIV_DECL uint32_t doca_priv_legacy_mmap_find(const struct doca_core_legacy_mmap *mmap,
                                                   const struct doca_dev *dev)
{
    uint32_t i;

    for (i = 0; i < mmap->num_devs && mmap->devs[i] != dev; i++) {
    }
    return i;
}

/* Register a range on one more device. Returns false when the device refuses. */
static bool doca_priv_chunk_dev_add(struct doca_mmap *chunk, struct doca_dev *dev)
{
    struct doca_priv_mmap_dev *d = &chunk->devs[chunk->num_devs];
    struct doca_core_range range;

    doca_priv_mmap_range(chunk, &range);
    if (dev->backend->reg_range(dev, &range, &d->mkey, &d->internal_mkey) != DOCA_SUCCESS)
        return false;
    d->dev = dev;
    chunk->num_devs++;
    chunk->dev_mask |= dev->bit;
    doca_priv_dev_hold(dev);
    return true;
}

static void doca_priv_chunk_dev_rm(struct doca_mmap *chunk, struct doca_dev *dev)
{
    uint32_t i = doca_priv_mmap_find(chunk, dev);

    dev->backend->dereg(dev, chunk->devs[i].mkey);
    chunk->dev_mask &= ~dev->bit;
    chunk->devs[i] = chunk->devs[--chunk->num_devs];
    doca_priv_dev_drop(dev);
}

DOCA_CORE_DECL doca_error_t doca_mmap_dev_add(struct doca_core_legacy_mmap *mmap,
                                              struct doca_dev *dev)
{
    doca_error_t rc;
    uint32_t i;

    if (doca_priv_is(mmap, DOCA_PRIV_KIND_LEGACY_MMAP) && mmap->whole != NULL)
        return doca_mmap_add_dev(mmap->whole, dev);
    rc = doca_priv_legacy_mmap_change(mmap, dev, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    if (doca_priv_legacy_mmap_find(mmap, dev) < mmap->num_devs)
        return DOCA_PRIV_FAIL(IN_USE, MMAP_DEV_TWICE, mmap);
    if (mmap->num_devs == mmap->max_devs)
        return DOCA_PRIV_FAIL(NO_MEMORY, MMAP_DEV_FULL, mmap);
    for (i = 0; i < mmap->num_chunks; i++) {
        if (!doca_priv_chunk_dev_add(mmap->chunks[i], dev)) {
            while (i-- > 0)
                doca_priv_chunk_dev_rm(mmap->chunks[i], dev);
            return DOCA_PRIV_FAIL(NOT_PERMITTED, BACKEND_REFUSED, mmap);
        }
    }
    mmap->devs[mmap->num_devs++] = dev;
    doca_priv_dev_hold(dev);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_dev_rm(struct doca_core_legacy_mmap *mmap,
                                             struct doca_dev *dev)
{
    doca_error_t rc;
    uint32_t i, at;

    if (doca_priv_is(mmap, DOCA_PRIV_KIND_LEGACY_MMAP) && mmap->whole != NULL)
        return doca_mmap_rm_dev(mmap->whole, dev);
    rc = doca_priv_legacy_mmap_change(mmap, dev, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    at = doca_priv_legacy_mmap_find(mmap, dev);
    if (at == mmap->num_devs)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_DEV_MISSING, mmap);
    for (i = 0; i < mmap->num_chunks; i++)
        doca_priv_chunk_dev_rm(mmap->chunks[i], dev);
    mmap->devs[at] = mmap->devs[--mmap->num_devs];
    doca_priv_dev_drop(dev);
    return DOCA_SUCCESS;
}

/* Return the index of the first range that ends after `addr`, or num_chunks when every range ends
 * before it. */
DOCA_PRIV_DECL uint32_t doca_priv_chunk_find(const struct doca_core_legacy_mmap *mmap,
                                             const void *addr)
{
    uint32_t low = 0, high = mmap->num_chunks, middle;

    while (low < high) {
        middle = low + (high - low) / 2;
        if ((uintptr_t)mmap->chunks[middle]->addr + mmap->chunks[middle]->len <= (uintptr_t)addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Translate permissions of 1.x to today's. */
static uint32_t doca_priv_legacy_access(uint32_t flags)
{
    uint32_t access = 0;

    if ((flags & DOCA_MMAP_ACCESS_LOCAL_WRITE) != 0)
        access |= DOCA_ACCESS_FLAG_LOCAL_READ_WRITE;
    if ((flags & DOCA_MMAP_ACCESS_REMOTE_WRITE) != 0)
        access |= DOCA_ACCESS_FLAG_PCI_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_WRITE;
    else if ((flags & DOCA_MMAP_ACCESS_REMOTE_READ) != 0)
        access |= DOCA_ACCESS_FLAG_PCI_READ_ONLY;
    if ((flags & DOCA_MMAP_ACCESS_REMOTE_READ) != 0)
        access |= DOCA_ACCESS_FLAG_RDMA_READ;
    if ((flags & DOCA_MMAP_ACCESS_REMOTE_ATOMIC) != 0)
        access |= DOCA_ACCESS_FLAG_RDMA_ATOMIC;
    return access;
}

/* Create the mmap of doca_core.h for a range that has been checked, and start it. */
static doca_error_t doca_priv_chunk_make(struct doca_core_legacy_mmap *mmap, void *addr, size_t len,
                                         struct doca_mmap **chunk, const char *function)
{
    struct doca_mmap *c = NULL;
    doca_error_t rc = doca_priv_mmap_create(mmap->arena, &c, function);
    uint32_t i;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (mmap->max_devs > c->max_devs) {
        rc = doca_mmap_set_max_num_devices(c, mmap->max_devs);
        if (rc != DOCA_SUCCESS) {
            (void)doca_mmap_destroy(c);
            return rc;
        }
    }
    c->obj.owner = DOCA_PRIV_OF_LEGACY;
    c->user_data.ptr = mmap;
    c->access = doca_priv_legacy_access(mmap->flags);
    doca_priv_mmap_set_range(c, addr, len);
    for (i = 0; i < mmap->num_devs; i++)
        (void)doca_mmap_add_dev(c, mmap->devs[i]);
    if (doca_mmap_start(c) != DOCA_SUCCESS) {
        (void)doca_mmap_destroy(c);
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_BACKEND_REFUSED, function,
                              mmap);
    }
    *chunk = c;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_mmap_populate(struct doca_core_legacy_mmap *mmap, void *addr,
                                               size_t len, size_t pg_sz,
                                               doca_mmap_memrange_free_cb_t *free_cb, void *opaque)
{
    doca_error_t rc = doca_priv_legacy_mmap_change(mmap, addr, __func__);
    struct doca_mmap *chunk = NULL;
    uint32_t at;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (len == 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ZERO, mmap);
    if (len > UINTPTR_MAX - (uintptr_t)addr)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_RANGE_WRAPS, mmap);
    if (pg_sz < 4096 || (pg_sz & (pg_sz - 1)) != 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, LEGACY_PAGE_SIZE, mmap);
    if (mmap->num_chunks == mmap->max_chunks)
        return DOCA_PRIV_FAIL(NO_MEMORY, LEGACY_CHUNKS_FULL, mmap);
    at = doca_priv_chunk_find(mmap, addr);
    if (at < mmap->num_chunks && (uintptr_t)mmap->chunks[at]->addr < (uintptr_t)addr + len)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, LEGACY_CHUNK_OVERLAP, mmap);
    rc = doca_priv_chunk_make(mmap, addr, len, &chunk, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    /* analyzer: core.NullDereference: success means that the chunk was created */
    chunk->free_cb = free_cb;
    chunk->free_opaque = opaque;
    chunk->free_cb_armed = free_cb != NULL;
    /* analyzer: bugprone-sizeof-expression: the elements of the array are pointers */
    DOCA_CORE_MEMMOVE(mmap->chunks + at + 1, mmap->chunks + at,
                      (mmap->num_chunks - at) * sizeof(*mmap->chunks));
    mmap->chunks[at] = chunk;
    mmap->num_chunks++;
    return DOCA_SUCCESS;
}

/* part: src/compat/legacy/export.c */
/* ---- >>impl.legacy.export --------------------------------------------------------------------
 * Export descriptors as JSON text, and mmaps that are created from them.                        */

static const char doca_priv_base64[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

#define DOCA_PRIV_LEGACY_KEY "doca_core_export"

/* Maximum length in bytes of the text of a descriptor: two numbers, the base64 text, and the
 * characters around them. */
#define DOCA_PRIV_LEGACY_JSON                                                                      \
    (64 + 2 * 20 + sizeof(DOCA_PRIV_LEGACY_KEY) +                                                  \
     (sizeof(struct doca_priv_mmap_desc) + 2) / 3 * 4)

static char *doca_priv_legacy_put(char *to, const char *text)
{
    while (*text != '\0')
        *to++ = *text++;
    return to;
}

static char *doca_priv_legacy_put_number(char *to, uint64_t number)
{
    uint64_t unit = 1;

    while (number / unit >= 10)
        unit *= 10;
    for (; unit > 0; unit /= 10)
        *to++ = (char)('0' + number / unit % 10);
    return to;
}

/* Write a descriptor of `len` bytes as text. Returns the length of the text in bytes, including
 * NUL. */
static size_t doca_priv_legacy_json_write(char *text, const struct doca_priv_mmap_desc *desc,
                                          size_t len)
{
    const unsigned char *bytes = (const unsigned char *)(const void *)desc;
    uint32_t three;
    char *to = text;
    size_t i, k;

    to = doca_priv_legacy_put(to, "{ \"addr\": ");
    to = doca_priv_legacy_put_number(to, desc->addr);
    to = doca_priv_legacy_put(to, ", \"len\": ");
    to = doca_priv_legacy_put_number(to, desc->len);
    to = doca_priv_legacy_put(to, ", \"" DOCA_PRIV_LEGACY_KEY "\": \"");
    for (i = 0; i < len; i += 3) {
        three = (uint32_t)bytes[i] << 16 | (uint32_t)(i + 1 < len ? bytes[i + 1] : 0) << 8 |
                (i + 2 < len ? bytes[i + 2] : 0);
        for (k = 0; k < 4 && i + k <= len; k++)
            *to++ = doca_priv_base64[three >> (18 - 6 * k) & 63];
    }
    to = doca_priv_legacy_put(to, "\" }");
    *to++ = '\0';
    return (size_t)(to - text);
}

static bool doca_priv_legacy_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Return the value of a base64 character, or 64 when `c` is not a base64 character. */
static uint32_t doca_priv_legacy_base64(char c)
{
    uint32_t value = 0;

    while (value < 64 && doca_priv_base64[value] != c)
        value++;
    return value;
}

/* Decode base64 text up to a quotation mark. Returns the number of bytes, or 0 when the text is
 * not base64 or too long. */
static size_t doca_priv_legacy_decode(const char *text, const char *end, unsigned char *to,
                                      size_t max)
{
    uint32_t bits = 0, value;
    unsigned num_bits = 0;
    size_t len = 0;

    for (; text < end && *text != '"'; text++) {
        value = doca_priv_legacy_base64(*text);
        if (value == 64)
            return 0;
        bits = (bits << 6 | value) & 0xffff;
        num_bits += 6;
        if (num_bits < 8)
            continue;
        num_bits -= 8;
        if (len == max)
            return 0;
        to[len++] = (unsigned char)(bits >> num_bits & 0xff);
    }
    return text < end ? len : 0;
}

/* Skip a string whose opening quotation mark is at `text`. Returns the address after its end,
 * or `end`. */
static const char *doca_priv_legacy_string(const char *text, const char *end)
{
    for (text++; text < end && *text != '"'; text++)
        if (*text == '\\' && text + 1 < end)
            text++;
    return text < end ? text + 1 : end;
}

/* Find the descriptor in JSON text of at most `len` bytes, and decode it to `desc`. Returns the
 * length of the descriptor in bytes, or 0 when the text contains no descriptor. */
static size_t doca_priv_legacy_json_read(const void *json, size_t len,
                                         struct doca_priv_mmap_desc *desc)
{
    const size_t key_len = sizeof(DOCA_PRIV_LEGACY_KEY) - 1;
    const char *text = (const char *)json, *end = text + len, *behind;
    unsigned depth = 0;

    while (text < end && doca_priv_legacy_is_blank(*text))
        text++;
    if (text == end || *text != '{')
        return 0;
    for (; text < end && *text != '\0'; text = behind) {
        behind = text + 1;
        depth += *text == '{' || *text == '[';
        depth -= (*text == '}' || *text == ']') && depth > 0;
        if (*text != '"')
            continue;
        behind = doca_priv_legacy_string(text, end);
        if (depth != 1 || (size_t)(behind - text) != key_len + 2 ||
            DOCA_CORE_MEMCMP(text + 1, DOCA_PRIV_LEGACY_KEY, key_len) != 0)
            continue;
        for (text = behind; text < end && (doca_priv_legacy_is_blank(*text) || *text == ':');)
            text++;
        return text < end && *text == '"'
                   ? doca_priv_legacy_decode(text + 1, end, (unsigned char *)(void *)desc,
                                             sizeof(*desc))
                   : 0;
    }
    return 0;
}

DOCA_CORE_DECL doca_error_t doca_mmap_export(struct doca_core_legacy_mmap *mmap,
                                             const struct doca_dev *dev, void **export_desc,
                                             size_t *export_desc_len)
{
    doca_error_t rc = doca_priv_legacy_mmap_change(mmap, export_desc, __func__);
    const void *desc = NULL;
    size_t len = 0;
    void *blob;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (export_desc_len == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, mmap);
    if (doca_priv_legacy_mmap_find(mmap, dev) == mmap->num_devs)
        return DOCA_PRIV_FAIL(INVALID_VALUE, MMAP_DEV_MISSING, mmap);
    if (mmap->num_chunks != 1)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, LEGACY_NOT_ONE_CHUNK, mmap);
    blob = DOCA_CORE_LEGACY_MALLOC(DOCA_PRIV_LEGACY_JSON);
    if (blob == NULL)
        return DOCA_PRIV_FAIL(NO_MEMORY, LEGACY_HEAP, mmap);
    rc = doca_priv_mmap_publish(mmap->chunks[0], dev, DOCA_PRIV_EXPORT_MMAP_PCI, &desc, &len,
                                __func__);
    if (rc != DOCA_SUCCESS) {
        DOCA_CORE_LEGACY_FREE(blob);
        return rc;
    }
    mmap->is_exported = true;
    *export_desc = blob;
    *export_desc_len = doca_priv_legacy_json_write(
        (char *)blob, (const struct doca_priv_mmap_desc *)desc, len);
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_legacy_mmap_import(const char *name,
                                                 const union doca_data *user_data,
                                                 const void *export_desc, size_t export_desc_len,
                                                 struct doca_dev *dev,
                                                 struct doca_core_legacy_mmap **mmap,
                                                 const char *function)
{
    doca_error_t rc =
        doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, export_desc != NULL ? mmap : NULL, function);
    struct doca_core_legacy_mmap *m = NULL;
    struct doca_priv_mmap_desc desc;
    struct doca_mmap *chunk = NULL;
    size_t desc_len;

    if (rc != DOCA_SUCCESS)
        return rc;
    desc_len = doca_priv_legacy_json_read(export_desc, export_desc_len, &desc);
    if (desc_len > 0) {
        export_desc = &desc;
        export_desc_len = desc_len;
    }
    rc = doca_priv_legacy_mmap_make(name, user_data, &m, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_core_legacy_mmap_start(m);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_mmap_import(dev->info.arena, NULL, export_desc, export_desc_len, dev, &chunk,
                                   function);
    if (rc != DOCA_SUCCESS) {
        (void)doca_core_legacy_mmap_destroy(m);
        return rc;
    }
    chunk->obj.owner = DOCA_PRIV_OF_LEGACY;
    chunk->user_data.ptr = m;
    m->chunks[m->num_chunks++] = chunk;
    m->devs[m->num_devs++] = dev;
    doca_priv_dev_hold(dev);
    m->is_imported = true;
    m->flags = (chunk->access & DOCA_ACCESS_FLAG_LOCAL_READ_WRITE) != 0
                   ? DOCA_MMAP_ACCESS_LOCAL_WRITE
                   : DOCA_MMAP_ACCESS_LOCAL_READ;
    *mmap = m;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_from_export(
    const char *name, const void *export_desc, size_t export_desc_len, struct doca_dev *dev,
    struct doca_core_legacy_mmap **mmap)
{
    return doca_priv_legacy_mmap_import(name, NULL, export_desc, export_desc_len, dev, mmap,
                                        __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_from_export_15(
    const union doca_data *user_data, const void *export_desc, size_t export_desc_len,
    struct doca_dev *dev, struct doca_core_legacy_mmap **mmap)
{
    return doca_priv_legacy_mmap_import(NULL, user_data, export_desc, export_desc_len, dev, mmap,
                                        __func__);
}

/* part: src/compat/legacy/inventory.c */
/* ---- >>impl.legacy.inventory -----------------------------------------------------------------
 * Inventories, and the buffers taken from them. user_data of an inventory of 1.x points to a label
 * with its name, extensions and user data; obj.owner marks such an inventory.                   */

/* Take a buffer. The range that contains `addr` supplies the mmap of doca_core.h. */
static doca_error_t doca_priv_legacy_buf_get(struct doca_buf_inventory *inventory,
                                             struct doca_core_legacy_mmap *mmap, void *addr,
                                             size_t len, void *data, size_t data_len,
                                             struct doca_buf **buf, const char *function)
{
    uint32_t at;

    if (doca_unlikely(!doca_priv_is(mmap, DOCA_PRIV_KIND_LEGACY_MMAP)))
        return doca_priv_check_args(mmap, DOCA_PRIV_KIND_LEGACY_MMAP, NULL, function);
    if (doca_unlikely(mmap->obj.state != DOCA_PRIV_STARTED))
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_MMAP_NOT_STARTED, function,
                              mmap);
    at = mmap->whole != NULL ? 0 : doca_priv_chunk_find(mmap, addr);
    if (doca_unlikely(at == mmap->num_chunks))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_MMAP_RANGE_OUTSIDE, function,
                              mmap);
    return doca_priv_inventory_get(inventory, mmap->chunks[at], addr, len, data, data_len, buf,
                                   function);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_by_addr(struct doca_buf_inventory *inventory,
                                                           struct doca_core_legacy_mmap *mmap,
                                                           void *addr, size_t len,
                                                           struct doca_buf **buf)
{
    return doca_priv_legacy_buf_get(inventory, mmap, addr, len, addr, 0, buf, __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_by_data(struct doca_buf_inventory *inventory,
                                                           struct doca_core_legacy_mmap *mmap,
                                                           void *data, size_t data_len,
                                                           struct doca_buf **buf)
{
    return doca_priv_legacy_buf_get(inventory, mmap, data, data_len, data, data_len, buf,
                                    __func__);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_by_args(struct doca_buf_inventory *inventory,
                                                           struct doca_core_legacy_mmap *mmap,
                                                           void *addr, size_t len, void *data,
                                                           size_t data_len, struct doca_buf **buf)
{
    return doca_priv_legacy_buf_get(inventory, mmap, addr, len, data, data_len, buf, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_buf_dup(
    struct doca_buf_inventory *inventory, const struct doca_buf *src_buf, struct doca_buf **dst_buf)
{
    DOCA_PRIV_OPEN(src_buf)
    const struct doca_core_legacy_mmap *mmap;
    const struct doca_buf *buf;

    /* the call below refuses any other buffer */
    if (doca_priv_is_buf(src_buf) && src_buf->flags != 0) {
        for (buf = src_buf; buf != NULL; buf = buf->next) {
            if (buf->mmap->obj.owner != DOCA_PRIV_OF_LEGACY)
                continue;
            mmap = (const struct doca_core_legacy_mmap *)buf->mmap->user_data.ptr;
            if (mmap->obj.state != DOCA_PRIV_STARTED)
                return DOCA_PRIV_FAIL(BAD_STATE, MMAP_NOT_STARTED, mmap);
        }
    }
    return doca_buf_inventory_buf_dup(inventory, src_buf, dst_buf);
}

struct doca_priv_legacy_label {
    uint32_t extensions;
    union doca_data user_data;
    char name[DOCA_CORE_LEGACY_NAME_BYTES];
};

DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_buf_inventory(size_t num_elements,
                                                                 size_t *bytes)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, __func__);
    void *block;

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_stock_carve(&count, num_elements, &block, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_object_take(&count, sizeof(struct doca_priv_legacy_label), &block, __func__);
    return doca_priv_counted(&count, rc, bytes, __func__);
}

static doca_error_t doca_priv_legacy_inventory_make(const char *name,
                                                    const union doca_data *user_data,
                                                    size_t num_elements, uint32_t extensions,
                                                    struct doca_buf_inventory **inventory,
                                                    const char *function)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    struct doca_buf_inventory *made = NULL;
    struct doca_priv_legacy_label *label;
    void *block = NULL;
    doca_error_t rc;

    if (inventory == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              NULL);
    if ((extensions & ~(uint32_t)DOCA_BUF_EXTENSION_LINKED_LIST) != 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_LEGACY_PROPERTY, function,
                              NULL);
    rc = doca_priv_inventory_create(arena, num_elements, &made, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_object_take(arena, sizeof(*label), &block, function);
    if (rc != DOCA_SUCCESS) {
        (void)doca_buf_inventory_destroy(made);
        return rc;
    }
    label = (struct doca_priv_legacy_label *)block;
    label->extensions = extensions;
    if (user_data != NULL)
        label->user_data = *user_data;
    doca_priv_legacy_name(label->name, name);
    made->stock.obj.owner = DOCA_PRIV_OF_LEGACY;
    made->stock.user_data.ptr = label;
    *inventory = made;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_create(
    const char *name, size_t num_elements, uint32_t extensions,
    struct doca_buf_inventory **buf_inventory)
{
    return doca_priv_legacy_inventory_make(name, NULL, num_elements, extensions, buf_inventory,
                                           __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_create_15(
    const union doca_data *user_data, size_t num_elements, uint32_t extensions,
    struct doca_buf_inventory **buf_inventory)
{
    return doca_priv_legacy_inventory_make(NULL, user_data, num_elements, extensions, buf_inventory,
                                           __func__);
}

/* Return the label of an inventory of 1.x. Returns NULL for an inventory of doca_core.h. */
static struct doca_priv_legacy_label *doca_priv_legacy_label_of(
    const struct doca_buf_inventory *inventory)
{
    return inventory->stock.obj.owner == DOCA_PRIV_OF_LEGACY
               ? (struct doca_priv_legacy_label *)inventory->stock.user_data.ptr
               : NULL;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_destroy(
    struct doca_buf_inventory *inventory)
{
    struct doca_core_arena *arena;
    uint32_t owner;
    void *label;
    doca_error_t rc;

    if (!doca_priv_is(inventory, DOCA_PRIV_KIND_INVENTORY))
        return DOCA_PRIV_FAIL_HANDLE(inventory);
    arena = inventory->stock.arena;
    label = doca_priv_legacy_label_of(inventory);
    owner = inventory->stock.obj.owner;
    inventory->stock.obj.owner = 0; /* otherwise doca_buf_inventory_destroy() would refuse it */
    rc = doca_buf_inventory_destroy(inventory);
    if (rc == DOCA_ERROR_IN_USE)
        inventory->stock.obj.owner = owner;
    else
        DOCA_ERROR_PROPAGATE(rc, doca_core_arena_give(arena, label));
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_get_user_data(
    const struct doca_buf_inventory *inventory, union doca_data *user_data)
{
    doca_error_t rc =
        doca_priv_check_args(inventory, DOCA_PRIV_KIND_INVENTORY, user_data, __func__);
    const struct doca_priv_legacy_label *label;

    if (rc != DOCA_SUCCESS)
        return rc;
    label = doca_priv_legacy_label_of(inventory);
    *user_data = label != NULL ? label->user_data : inventory->stock.user_data;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_set_user_data(
    struct doca_buf_inventory *inventory, union doca_data user_data)
{
    struct doca_priv_legacy_label *label;

    if (!doca_priv_is(inventory, DOCA_PRIV_KIND_INVENTORY))
        return DOCA_PRIV_FAIL_HANDLE(inventory);
    label = doca_priv_legacy_label_of(inventory);
    if (label != NULL)
        label->user_data = user_data;
    else
        inventory->stock.user_data = user_data;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_property_set(
    struct doca_buf_inventory *inventory, enum doca_buf_inventory_property property,
    const void *value, uint32_t size)
{
    doca_error_t rc = doca_priv_check_args(inventory, DOCA_PRIV_KIND_INVENTORY, value, __func__);

    (void)size;
    if (rc != DOCA_SUCCESS)
        return rc;
    if ((unsigned)property > DOCA_BUF_INVENTORY_EXTENSIONS)
        return DOCA_PRIV_FAIL(INVALID_VALUE, LEGACY_PROPERTY, inventory);
    return DOCA_PRIV_FAIL(NOT_PERMITTED, LEGACY_READ_ONLY, inventory);
}

DOCA_CORE_DECL doca_error_t doca_buf_inventory_property_get(
    struct doca_buf_inventory *inventory, enum doca_buf_inventory_property property, void *value,
    uint32_t size)
{
    doca_error_t rc = doca_priv_check_args(inventory, DOCA_PRIV_KIND_INVENTORY, value, __func__);
    const struct doca_priv_legacy_label *label;
    const char *name;

    if (rc != DOCA_SUCCESS)
        return rc;
    label = doca_priv_legacy_label_of(inventory);
    switch ((int)property) {
    case DOCA_BUF_INVENTORY_NAME:
        name = label != NULL ? label->name : "";
        return doca_priv_property_put(value, size, name, doca_priv_str_len(name) + 1, __func__);
    case DOCA_BUF_INVENTORY_NUM_ELEMENTS:
        return doca_priv_property_put_32(value, size, inventory->stock.num, __func__);
    case DOCA_BUF_INVENTORY_NUM_FREE_ELEMENTS:
        return doca_priv_property_put_32(value, size, inventory->stock.num_free, __func__);
    case DOCA_BUF_INVENTORY_EXTENSIONS:
        return doca_priv_property_put_32(value, size, label != NULL ? label->extensions : 0,
                                         __func__);
    default:
        return DOCA_PRIV_FAIL(INVALID_VALUE, LEGACY_PROPERTY, inventory);
    }
}

/* part: src/compat/legacy/property.c */
/* ---- >>impl.legacy.property ------------------------------------------------------------------
 * Properties of mmaps.                                                                          */

/* Copy `bytes` bytes of `from` to `value`, and fill the rest of its `size` bytes with zeros. */
DOCA_PRIV_DECL doca_error_t doca_priv_property_put(void *value, uint32_t size, const void *from,
                                                   size_t bytes, const char *function)
{
    if (size < bytes)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_LEGACY_PROPERTY, function,
                              NULL);
    DOCA_CORE_MEMSET(value, 0, size);
    DOCA_CORE_MEMCPY(value, from, bytes);
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL doca_error_t doca_priv_property_put_32(void *value, uint32_t size, uint32_t number,
                                                      const char *function)
{
    return doca_priv_property_put(value, size, &number, sizeof(number), function);
}

static doca_error_t doca_priv_mmap_property_set(struct doca_core_legacy_mmap *mmap,
                                                enum doca_mmap_property property,
                                                const void *value, uint32_t size,
                                                const char *function)
{
    const uint32_t all_flags = 2 * (uint32_t)DOCA_MMAP_ACCESS_REMOTE_ATOMIC - 1;
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_LEGACY_MMAP, value, function);
    enum doca_core_item item = DOCA_CORE_ITEM_LEGACY_PROPERTY;
    uint32_t number;

    if (rc != DOCA_SUCCESS)
        return rc;
    if ((unsigned)property > DOCA_MMAP_ACCESS_FLAGS)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, item, function, mmap);
    if (property != DOCA_MMAP_MAX_NUM_CHUNKS && property != DOCA_MMAP_MAX_NUM_DEVICES &&
        property != DOCA_MMAP_ACCESS_FLAGS)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_LEGACY_READ_ONLY, function,
                              mmap);
    if (size != sizeof(number))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, item, function, mmap);
    DOCA_CORE_MEMCPY(&number, value, sizeof(number));
    if (property == DOCA_MMAP_ACCESS_FLAGS ? (number & ~all_flags) != 0 : number == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, item, function, mmap);
    if (mmap->whole != NULL && property == DOCA_MMAP_MAX_NUM_DEVICES)
        return doca_mmap_set_max_num_devices(mmap->whole, number);
    if (mmap->whole != NULL)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_LEGACY_ONE_RANGE, function,
                              mmap);
    if (mmap->was_started)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_LEGACY_FIXED, function,
                              mmap);
    if (property == DOCA_MMAP_MAX_NUM_CHUNKS)
        mmap->max_chunks = number;
    else if (property == DOCA_MMAP_MAX_NUM_DEVICES)
        mmap->max_devs = number;
    else
        mmap->flags = number;
    return DOCA_SUCCESS;
}

static doca_error_t doca_priv_mmap_property_get(const struct doca_core_legacy_mmap *mmap,
                                                enum doca_mmap_property property, void *value,
                                                uint32_t size, const char *function)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_LEGACY_MMAP, value, function);
    uint32_t max_devs;
    uint8_t flag;

    if (rc != DOCA_SUCCESS)
        return rc;
    max_devs = mmap->whole != NULL ? mmap->whole->max_devs : mmap->max_devs;
    switch ((int)property) {
    case DOCA_MMAP_NAME:
        return doca_priv_property_put(value, size, mmap->name, doca_priv_str_len(mmap->name) + 1,
                                      function);
    case DOCA_MMAP_MAX_NUM_CHUNKS:
        return doca_priv_property_put_32(value, size, mmap->max_chunks, function);
    case DOCA_MMAP_MAX_NUM_DEVICES:
        return doca_priv_property_put_32(value, size, max_devs, function);
    case DOCA_MMAP_NUM_BUFS:
        return doca_priv_property_put_32(value, size, doca_priv_legacy_num_bufs(mmap), function);
    case DOCA_MMAP_EXPORTED:
    case DOCA_MMAP_FROM_EXPORT:
        flag = (property == DOCA_MMAP_FROM_EXPORT ? mmap->is_imported
                : mmap->whole != NULL             ? mmap->whole->exports != NULL
                                                  : mmap->is_exported)
                   ? 1
                   : 0;
        return doca_priv_property_put(value, size, &flag, sizeof(flag), function);
    case DOCA_MMAP_ACCESS_FLAGS:
        return doca_priv_property_put_32(value, size, mmap->flags, function);
    default:
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_LEGACY_PROPERTY, function,
                              mmap);
    }
}

DOCA_CORE_DECL doca_error_t doca_mmap_property_set(struct doca_core_legacy_mmap *mmap,
                                                   enum doca_mmap_property property,
                                                   const void *value, uint32_t size)
{
    return doca_priv_mmap_property_set(mmap, property, value, size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_property_get(struct doca_core_legacy_mmap *mmap,
                                                   enum doca_mmap_property property, void *value,
                                                   uint32_t size)
{
    return doca_priv_mmap_property_get(mmap, property, value, size, __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_set_max_num_chunks(struct doca_core_legacy_mmap *mmap,
                                                         uint32_t max_num_chunks)
{
    return doca_priv_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, &max_num_chunks,
                                       sizeof(max_num_chunks), __func__);
}

DOCA_CORE_DECL doca_error_t doca_mmap_get_max_num_chunks(struct doca_core_legacy_mmap *mmap,
                                                         uint32_t *max_num_chunks)
{
    return doca_priv_mmap_property_get(mmap, DOCA_MMAP_MAX_NUM_CHUNKS, max_num_chunks,
                                       sizeof(*max_num_chunks), __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_max_num_devices(
    struct doca_core_legacy_mmap *mmap, uint32_t max_num_devices)
{
    return doca_priv_mmap_property_set(mmap, DOCA_MMAP_MAX_NUM_DEVICES, &max_num_devices,
                                       sizeof(max_num_devices), __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_max_num_devices(
    struct doca_core_legacy_mmap *mmap, uint32_t *max_num_devices)
{
    return doca_priv_mmap_property_get(mmap, DOCA_MMAP_MAX_NUM_DEVICES, max_num_devices,
                                       sizeof(*max_num_devices), __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_num_bufs(struct doca_core_legacy_mmap *mmap,
                                                               uint32_t *num_bufs)
{
    return doca_priv_mmap_property_get(mmap, DOCA_MMAP_NUM_BUFS, num_bufs, sizeof(*num_bufs),
                                       __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_exported(struct doca_core_legacy_mmap *mmap,
                                                               uint8_t *exported)
{
    return doca_priv_mmap_property_get(mmap, DOCA_MMAP_EXPORTED, exported, sizeof(*exported),
                                       __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_from_export(
    struct doca_core_legacy_mmap *mmap, uint8_t *from_export)
{
    return doca_priv_mmap_property_get(mmap, DOCA_MMAP_FROM_EXPORT, from_export,
                                       sizeof(*from_export), __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_user_data(struct doca_core_legacy_mmap *mmap,
                                                                union doca_data *user_data)
{
    doca_error_t rc = doca_priv_check_args(mmap, DOCA_PRIV_KIND_LEGACY_MMAP, user_data, __func__);

    if (rc == DOCA_SUCCESS)
        *user_data = mmap->user_data;
    return rc;
}

/* part: src/compat/legacy/ctx.c */
/* ---- >>impl.legacy.ctx -----------------------------------------------------------------------
 * Contexts: their device, and their links to work queues.                                       */

struct doca_core_legacy_dma {
    struct doca_core_legacy_ctx ctx;
};

DOCA_PRIV_DECL bool doca_priv_is_legacy_ctx(const struct doca_core_legacy_ctx *ctx)
{
    return doca_priv_is_between(ctx, DOCA_PRIV_KIND_LEGACY_DMA, DOCA_PRIV_KIND_LEGACY_SHA);
}

/* True when the device has the engine of the context. */
static bool doca_priv_legacy_ctx_fits(const struct doca_core_legacy_ctx *ctx,
                                      const struct doca_dev *dev)
{
    const struct doca_core_limits *limits = &dev->info.attr.limits;

    return ctx->obj.kind == DOCA_PRIV_KIND_LEGACY_SHA ? limits->has_sha != 0
                                                      : doca_priv_dma_is_supported(limits);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_dma(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_core_legacy_dma), bytes, __func__);
}

/* Return the number of tasks that a link to a work queue of this depth needs. */
static uint32_t doca_priv_link_tasks(const struct doca_dev *dev, uint32_t depth)
{
    uint32_t most = dev->info.attr.limits.dma_max_num_tasks;

    return depth < most ? depth : most;
}

/* Return the number of hash tasks that a link to a work queue of this depth needs. The link needs
 * the same number of tasks for segments. */
DOCA_PRIV_DECL uint32_t doca_priv_link_hashes(const struct doca_dev *dev, uint32_t depth)
{
    /* the limit of the device is for both kinds together */
    uint32_t most = dev->info.attr.limits.sha_max_num_tasks / 2;

    return depth < most ? depth : most > 0 ? most : 1;
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_ctx_workq(struct doca_dev *dev, uint32_t depth,
                                                             size_t *bytes)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, bytes, __func__);
    size_t dma_bytes = 0;

    if (rc == DOCA_SUCCESS)
        rc = doca_core_bytes_dma(dev, doca_priv_link_tasks(dev, depth), &dma_bytes);
    if (rc == DOCA_SUCCESS)
        *bytes = dma_bytes + DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_priv_link));
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_dma_create(struct doca_core_legacy_dma **dma)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    void *block = NULL;
    doca_error_t rc;

    if (dma == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    rc = doca_priv_object_take(arena, sizeof(**dma), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    *dma = (struct doca_core_legacy_dma *)block;
    doca_priv_object_init(&(*dma)->ctx.obj, DOCA_PRIV_KIND_LEGACY_DMA);
    (*dma)->ctx.arena = arena;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_dma_destroy(struct doca_core_legacy_dma *dma)
{
    if (dma == NULL)
        return DOCA_SUCCESS;
    if (!doca_priv_is(dma, DOCA_PRIV_KIND_LEGACY_DMA))
        return DOCA_PRIV_FAIL_HANDLE(dma);
    if (dma->ctx.dev != NULL)
        return DOCA_PRIV_FAIL(IN_USE, LEGACY_CTX_DEV, dma);
    return doca_priv_object_give(dma->ctx.arena, &dma->ctx.obj);
}

DOCA_CORE_DECL struct doca_core_legacy_ctx *doca_core_legacy_dma_as_ctx(
    struct doca_core_legacy_dma *dma)
{
    return dma != NULL ? &dma->ctx : NULL;
}

DOCA_CORE_DECL doca_error_t doca_dma_devinfo_caps_get(struct doca_devinfo *devinfo, uint32_t *caps)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, caps, __func__);

    if (rc == DOCA_SUCCESS)
        *caps = doca_priv_dma_is_supported(&devinfo->attr.limits) ? DOCA_DMA_CAP_HW_OFFLOAD
                                                                  : DOCA_DMA_CAP_NONE;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_dma_get_max_list_buf_num_elem(const struct doca_devinfo *devinfo,
                                                               uint32_t *max_list_num_elem)
{
    return doca_dma_cap_task_memcpy_get_max_buf_list_len(devinfo, max_list_num_elem);
}

DOCA_CORE_DECL doca_error_t doca_dma_get_max_buf_size(const struct doca_devinfo *devinfo,
                                                      uint64_t *buf_size)
{
    return doca_dma_cap_task_memcpy_get_max_buf_size(devinfo, buf_size);
}

DOCA_CORE_DECL doca_error_t doca_dma_job_get_supported(struct doca_devinfo *devinfo,
                                                       enum doca_dma_job_types job_type)
{
    if (job_type != DOCA_CORE_LEGACY_DMA_JOB_MEMCPY &&
        job_type != DOCA_CORE_LEGACY_DMA_JOB_MEMCPY_15)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, JOB_TYPE, NULL);
    return doca_dma_cap_task_memcpy_is_supported(devinfo);
}

DOCA_CORE_DECL doca_error_t doca_ctx_dev_add(struct doca_core_legacy_ctx *ctx, struct doca_dev *dev)
{
    enum doca_core_item item = DOCA_CORE_ITEM_LEGACY_CTX_DEV;
    doca_error_t rc = DOCA_ERROR_NOT_SUPPORTED;

    if (!doca_priv_is_legacy_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    doca_priv_lock(&ctx->lock);
    if (ctx->obj.state == DOCA_PRIV_STARTED) {
        rc = DOCA_ERROR_BAD_STATE;
        item = DOCA_CORE_ITEM_CTX_NOT_IDLE;
    } else if (ctx->dev == dev) {
        rc = DOCA_ERROR_IN_USE;
    } else if (!doca_priv_legacy_ctx_fits(ctx, dev)) {
        item = DOCA_CORE_ITEM_CTX_UNSUITABLE;
    } else if (ctx->dev == NULL) {
        ctx->dev = dev;
        doca_priv_dev_hold(dev);
        rc = DOCA_SUCCESS;
    }
    doca_priv_unlock(&ctx->lock);
    return rc == DOCA_SUCCESS ? rc : doca_priv_fail(rc, item, __func__, ctx);
}

DOCA_CORE_DECL doca_error_t doca_ctx_dev_rm(struct doca_core_legacy_ctx *ctx, struct doca_dev *dev)
{
    enum doca_core_item item = DOCA_CORE_ITEM_LEGACY_CTX_NO_DEV;
    doca_error_t rc = DOCA_ERROR_NOT_FOUND;

    if (!doca_priv_is_legacy_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    doca_priv_lock(&ctx->lock);
    if (ctx->obj.state == DOCA_PRIV_STARTED) {
        rc = DOCA_ERROR_BAD_STATE;
        item = DOCA_CORE_ITEM_CTX_NOT_IDLE;
    } else if (ctx->dev == dev) {
        ctx->dev = NULL;
        doca_priv_dev_drop(dev);
        rc = DOCA_SUCCESS;
    }
    doca_priv_unlock(&ctx->lock);
    return rc == DOCA_SUCCESS ? rc : doca_priv_fail(rc, item, __func__, ctx);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_ctx_start(struct doca_core_legacy_ctx *ctx)
{
    enum doca_core_item item = DOCA_CORE_ITEM_CTX_NOT_IDLE;
    doca_error_t rc = DOCA_ERROR_BAD_STATE;

    if (!doca_priv_is_legacy_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    doca_priv_lock(&ctx->lock);
    if (ctx->obj.state != DOCA_PRIV_STARTED) {
        rc = ctx->dev != NULL ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
        item = DOCA_CORE_ITEM_LEGACY_CTX_NO_DEV;
        if (rc == DOCA_SUCCESS)
            ctx->obj.state = DOCA_PRIV_STARTED;
    }
    doca_priv_unlock(&ctx->lock);
    return rc == DOCA_SUCCESS ? rc : doca_priv_fail(rc, item, __func__, ctx);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_ctx_stop(struct doca_core_legacy_ctx *ctx)
{
    bool is_free;

    if (!doca_priv_is_legacy_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    doca_priv_lock(&ctx->lock);
    is_free = ctx->num_links == 0;
    if (is_free)
        ctx->obj.state = DOCA_PRIV_STOPPED;
    doca_priv_unlock(&ctx->lock);
    return is_free ? DOCA_SUCCESS : DOCA_PRIV_FAIL(NOT_PERMITTED, WORKQ_ADDED, ctx);
}

/* True when the context is started. Then adds `by` to the number of its links, so that it cannot
 * be stopped. */
DOCA_PRIV_DECL bool doca_priv_legacy_ctx_add_links(struct doca_core_legacy_ctx *ctx, uint32_t by)
{
    bool is_started;

    doca_priv_lock(&ctx->lock);
    is_started = ctx->obj.state == DOCA_PRIV_STARTED;
    if (is_started)
        ctx->num_links += by;
    doca_priv_unlock(&ctx->lock);
    return is_started;
}

static void doca_priv_legacy_ctx_drop_link(struct doca_core_legacy_ctx *ctx)
{
    doca_priv_lock(&ctx->lock);
    ctx->num_links--;
    doca_priv_unlock(&ctx->lock);
}

DOCA_PRIV_DECL struct doca_priv_link **doca_priv_link_find(struct doca_workq *workq,
                                                           const struct doca_core_legacy_ctx *ctx)
{
    struct doca_priv_link **link;

    for (link = &workq->links; *link != NULL && (*link)->ctx != ctx; link = &(*link)->next) {
    }
    return link;
}

/* Create the engine of a link. It is not started yet. */
static doca_error_t doca_priv_link_make(struct doca_priv_link *link, struct doca_workq *workq,
                                        const char *function)
{
    struct doca_dev *dev = link->ctx->dev;
    struct doca_dma *dma = NULL;
    struct doca_sha *sha = NULL;
    doca_error_t rc;

    if (link->ctx->obj.kind == DOCA_PRIV_KIND_LEGACY_SHA) {
        rc = doca_priv_sha_create(workq->arena, dev, &sha, function);
        if (rc != DOCA_SUCCESS)
            return rc;
        DOCA_PRIV_CHECKED((void)doca_priv_check_open(&sha);)
        link->engine = &sha->ctx;
        sha->hash_done = sha->hash_failed = doca_priv_hash_ended;
        sha->partial_done = sha->partial_failed = doca_priv_segment_ended;
        sha->stocks[DOCA_CORE_SHA_HASH].num = doca_priv_link_hashes(dev, workq->depth);
        sha->stocks[DOCA_CORE_SHA_PARTIAL].num = doca_priv_link_hashes(dev, workq->depth);
        return DOCA_SUCCESS;
    }
    rc = doca_priv_dma_create(workq->arena, dev, &dma, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    DOCA_PRIV_CHECKED((void)doca_priv_check_open(&dma);)
    link->engine = &dma->ctx;
    rc = doca_dma_task_memcpy_set_conf(dma, doca_priv_copy_ended, doca_priv_copy_ended,
                                       doca_priv_link_tasks(dev, workq->depth));
    if (rc != DOCA_SUCCESS)
        (void)doca_priv_ctx_destroy(link->engine, function);
    return rc;
}

/* Create and start the engine of a link. Leaves nothing behind on failure. */
static doca_error_t doca_priv_link_open(struct doca_priv_link *link, struct doca_workq *workq,
                                        const char *function)
{
    doca_error_t rc = doca_priv_link_make(link, workq, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_pe_connect_ctx(workq->pe, link->engine);
    if (rc == DOCA_SUCCESS)
        rc = doca_ctx_start(link->engine);
    if (rc == DOCA_ERROR_IN_PROGRESS) {
        while (link->engine->obj.state == DOCA_CTX_STATE_STARTING)
            (void)doca_pe_progress(workq->pe);
        rc = link->engine->obj.state == DOCA_CTX_STATE_RUNNING ? DOCA_SUCCESS
                                                               : DOCA_ERROR_INITIALIZATION;
    }
    if (rc != DOCA_SUCCESS)
        (void)doca_priv_ctx_destroy(link->engine, function);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_ctx_workq_add(struct doca_core_legacy_ctx *ctx,
                                               struct doca_workq *workq)
{
    struct doca_priv_link *link;
    void *block = NULL;
    doca_error_t rc;

    if (!doca_priv_is_legacy_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (*doca_priv_link_find(workq, ctx) != NULL)
        return DOCA_PRIV_FAIL(IN_USE, WORKQ_ADDED, ctx);
    if (!doca_priv_legacy_ctx_add_links(ctx, 1))
        return DOCA_PRIV_FAIL(BAD_STATE, CTX_NOT_RUNNING, ctx);
    rc = doca_priv_object_take(workq->arena, sizeof(*link), &block, __func__);
    if (rc == DOCA_SUCCESS) {
        link = (struct doca_priv_link *)block;
        link->ctx = ctx;
        rc = doca_priv_link_open(link, workq, __func__);
        if (rc == DOCA_SUCCESS) {
            link->next = workq->links;
            workq->links = link;
            return DOCA_SUCCESS;
        }
        (void)doca_core_arena_give(workq->arena, link);
    }
    doca_priv_legacy_ctx_drop_link(ctx);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_ctx_workq_rm(struct doca_core_legacy_ctx *ctx,
                                              struct doca_workq *workq)
{
    struct doca_priv_link **at, *link;
    doca_error_t rc;

    if (!doca_priv_is_legacy_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (!doca_priv_legacy_ctx_add_links(ctx, 0))
        return DOCA_PRIV_FAIL(BAD_STATE, CTX_NOT_RUNNING, ctx);
    at = doca_priv_link_find(workq, ctx);
    link = *at;
    if (link == NULL)
        return DOCA_PRIV_FAIL(NOT_FOUND, WORKQ_NOT_ADDED, ctx);
    if (link->num_jobs > 0)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, WORKQ_PENDING, workq);
    if (workq->graphs != NULL)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, WORKQ_HAS_GRAPHS, workq);
    *at = link->next;
    rc = doca_priv_ctx_destroy(link->engine, __func__);
    DOCA_ERROR_PROPAGATE(rc, doca_core_arena_give(workq->arena, link));
    doca_priv_legacy_ctx_drop_link(ctx);
    return rc;
}

/* part: src/compat/legacy/sha.c */
/* ---- >>impl.legacy.sha -----------------------------------------------------------------------
 * Hash contexts and sessions.                                                                   */

DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_sha(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_core_legacy_sha), bytes, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_sha_session(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_sha_partial_session), bytes, __func__);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_sha_workq(struct doca_dev *dev, uint32_t depth,
                                                             size_t *bytes)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, bytes, __func__);
    size_t sha_bytes = 0;
    uint32_t num;

    if (rc != DOCA_SUCCESS)
        return rc;
    num = doca_priv_link_hashes(dev, depth);
    rc = doca_core_bytes_sha(dev, num, num, &sha_bytes);
    if (rc == DOCA_SUCCESS)
        *bytes = sha_bytes + DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_priv_link));
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_sha_create(struct doca_core_legacy_sha **sha)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    void *block = NULL;
    doca_error_t rc;

    if (sha == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    rc = doca_priv_object_take(arena, sizeof(**sha), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    *sha = (struct doca_core_legacy_sha *)block;
    doca_priv_object_init(&(*sha)->ctx.obj, DOCA_PRIV_KIND_LEGACY_SHA);
    (*sha)->ctx.arena = arena;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_sha_destroy(struct doca_core_legacy_sha *sha)
{
    if (!doca_priv_is(sha, DOCA_PRIV_KIND_LEGACY_SHA))
        return DOCA_PRIV_FAIL_HANDLE(sha);
    if (sha->ctx.dev != NULL)
        return DOCA_PRIV_FAIL(IN_USE, LEGACY_CTX_DEV, sha);
    return doca_priv_object_give(sha->ctx.arena, &sha->ctx.obj);
}

DOCA_CORE_DECL struct doca_core_legacy_ctx *doca_core_legacy_sha_as_ctx(
    struct doca_core_legacy_sha *sha)
{
    return sha != NULL ? &sha->ctx : NULL;
}

/* Return the algorithm of a type of job, or DOCA_PRIV_SHA_ALGORITHMS when the type is invalid. */
static uint32_t doca_priv_sha_of_job(enum doca_sha_job_type job_type)
{
    return job_type >= DOCA_SHA_JOB_SHA1 && job_type <= DOCA_SHA_JOB_SHA512_PARTIAL
               ? (uint32_t)(job_type - DOCA_SHA_JOB_SHA1) % DOCA_PRIV_SHA_ALGORITHMS
               : (uint32_t)DOCA_PRIV_SHA_ALGORITHMS;
}

DOCA_CORE_DECL doca_error_t doca_sha_job_get_supported(const struct doca_devinfo *devinfo,
                                                       enum doca_sha_job_type job_type)
{
    return doca_sha_cap_task_hash_get_supported(
        devinfo, (enum doca_sha_algorithm)doca_priv_sha_of_job(job_type));
}

DOCA_CORE_DECL doca_error_t doca_sha_get_hardware_supported(const struct doca_devinfo *devinfo)
{
    return doca_sha_cap_task_hash_get_supported(devinfo, DOCA_SHA_ALGORITHM_SHA256);
}

DOCA_CORE_DECL doca_error_t doca_sha_get_max_list_buf_num_elem(const struct doca_devinfo *devinfo,
                                                               uint32_t *max_list_num_elem)
{
    return doca_sha_cap_get_max_list_buf_num_elem(devinfo, max_list_num_elem);
}

DOCA_CORE_DECL doca_error_t doca_sha_get_max_src_buffer_size(const struct doca_devinfo *devinfo,
                                                             uint64_t *max_buffer_size)
{
    return doca_sha_cap_get_max_src_buffer_size(devinfo, max_buffer_size);
}

DOCA_CORE_DECL doca_error_t doca_sha_get_min_dst_buffer_size(const struct doca_devinfo *devinfo,
                                                             enum doca_sha_job_type job_type,
                                                             uint32_t *min_buffer_size)
{
    return doca_sha_cap_get_min_dst_buffer_size(
        devinfo, (enum doca_sha_algorithm)doca_priv_sha_of_job(job_type), min_buffer_size);
}

/* Check that `session` is a session of this context and work queue. */
static doca_error_t doca_priv_session_check(const struct doca_core_legacy_sha *sha,
                                            const struct doca_workq *workq,
                                            const struct doca_sha_partial_session *session,
                                            const char *function)
{
    doca_error_t rc = doca_priv_check_args(sha, DOCA_PRIV_KIND_LEGACY_SHA, session, function);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, session, function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(session, DOCA_PRIV_KIND_LEGACY_SESSION, session, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (session->ctx != &sha->ctx || session->workq != workq)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_JOB_SESSION, function,
                              session);
    return session->job == NULL ? DOCA_SUCCESS
                                : doca_priv_fail(DOCA_ERROR_IN_USE,
                                                 DOCA_CORE_ITEM_JOB_SESSION_BUSY, function,
                                                 session);
}

DOCA_CORE_DECL doca_error_t doca_sha_partial_session_create(
    struct doca_core_legacy_sha *sha, struct doca_workq *workq,
    struct doca_sha_partial_session **session)
{
    doca_error_t rc = doca_priv_check_args(sha, DOCA_PRIV_KIND_LEGACY_SHA, session, __func__);
    struct doca_sha_partial_session *s;
    void *block = NULL;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, session, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_object_take(workq->arena, sizeof(*s), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    s = (struct doca_sha_partial_session *)block;
    doca_priv_object_init(&s->obj, DOCA_PRIV_KIND_LEGACY_SESSION);
    s->ctx = &sha->ctx;
    s->workq = workq;
    s->arena = workq->arena;
    *session = s;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_sha_partial_session_destroy(
    struct doca_core_legacy_sha *sha, struct doca_workq *workq,
    struct doca_sha_partial_session *session)
{
    doca_error_t rc = doca_priv_session_check(sha, workq, session, __func__);

    return rc != DOCA_SUCCESS ? rc : doca_priv_object_give(session->arena, &session->obj);
}

DOCA_CORE_DECL doca_error_t doca_sha_partial_session_copy(
    struct doca_core_legacy_sha *sha, struct doca_workq *workq,
    const struct doca_sha_partial_session *from_session,
    struct doca_sha_partial_session *to_session)
{
    doca_error_t rc = doca_priv_session_check(sha, workq, from_session, __func__);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_session_check(sha, workq, to_session, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    to_session->algorithm = from_session->algorithm;
    to_session->session = from_session->session;
    to_session->bytes = from_session->bytes;
    to_session->state = from_session->state;
    return DOCA_SUCCESS;
}

/* Return why a job with this algorithm cannot continue the session, or ITEM_NONE. */
DOCA_PRIV_DECL enum doca_core_item
doca_priv_session_fault(const struct doca_sha_partial_session *session,
                        const struct doca_core_legacy_ctx *ctx, const struct doca_workq *workq,
                        uint8_t algorithm)
{
    if (session == NULL)
        return DOCA_CORE_ITEM_NULL_ARGUMENT;
    if (!doca_priv_is(session, DOCA_PRIV_KIND_LEGACY_SESSION))
        return DOCA_CORE_ITEM_DEAD_HANDLE;
    if (session->ctx != ctx || session->workq != workq ||
        (session->session != DOCA_PRIV_SHA_NEW && session->algorithm != algorithm))
        return DOCA_CORE_ITEM_JOB_SESSION;
    return session->job != NULL ? DOCA_CORE_ITEM_JOB_SESSION_BUSY : DOCA_CORE_ITEM_NONE;
}

/* Prepare the task of a hash. With a session, the hash continues from its state. */
DOCA_PRIV_DECL void doca_priv_session_enter(struct doca_sha_partial_session *session,
                                            struct doca_priv_job *job, struct doca_task *task,
                                            uint8_t algorithm, bool is_final)
{
    struct doca_sha_task_partial_hash *t = (struct doca_sha_task_partial_hash *)(void *)task;

    t->hash.algorithm = algorithm;
    t->hash.session = DOCA_PRIV_SHA_NEW;
    t->hash.is_final = 0;
    t->hash.has_result = 0;
    if (session == NULL)
        return;
    session->algorithm = algorithm;
    session->job = job;
    t->hash.session = session->session;
    t->hash.is_final = is_final;
    if (session->session != DOCA_PRIV_SHA_NEW) {
        t->bytes = session->bytes;
        t->state = session->state;
    }
}

/* Take the state back from a task that has ended. Returns true when the task wrote its
 * destination. */
DOCA_PRIV_DECL bool doca_priv_session_leave(struct doca_sha_partial_session *session,
                                            struct doca_task *task)
{
    const struct doca_sha_task_partial_hash *t =
        (const struct doca_sha_task_partial_hash *)(const void *)task;

    if (session == NULL)
        return true;
    if (task->status != DOCA_SUCCESS)
        return false;
    session->session = t->hash.is_final ? DOCA_PRIV_SHA_NEW : DOCA_PRIV_SHA_OPEN;
    session->bytes = t->bytes;
    session->state = t->state;
    return t->hash.is_final;
}

/* part: src/compat/legacy/workq.c */
/* ---- >>impl.legacy.workq ---------------------------------------------------------------------
 * Work queues: their depth, their events, and sleeping until an event arrives.                  */

static doca_error_t doca_priv_workq_carve(struct doca_core_arena *arena, uint32_t depth,
                                          void **block, const char *function)
{
    return doca_priv_object_take(arena, doca_priv_size(depth, sizeof(struct doca_priv_job), 0),
                                 block, function);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_legacy_workq(uint32_t depth, size_t *bytes)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, __func__);
    void *block;

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_object_take(&count, sizeof(struct doca_workq), &block, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_workq_carve(&count, depth, &block, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_object_take(&count, sizeof(struct doca_pe), &block, __func__);
    return doca_priv_counted(&count, rc, bytes, __func__);
}

/* Replace the slots by `depth` free ones. */
static doca_error_t doca_priv_workq_make_slots(struct doca_workq *workq, uint32_t depth,
                                               const char *function)
{
    void *block = NULL;
    doca_error_t rc = doca_priv_workq_carve(workq->arena, depth, &block, function);
    uint32_t i;

    if (rc != DOCA_SUCCESS)
        return rc;
    (void)doca_core_arena_give(workq->arena, workq->jobs);
    workq->jobs = (struct doca_priv_job *)block;
    workq->free_jobs = workq->jobs;
    for (i = 0; i < depth; i++) {
        workq->jobs[i].workq = workq;
        workq->jobs[i].end.job = &workq->jobs[i];
        workq->jobs[i].next = i + 1 < depth ? &workq->jobs[i + 1] : NULL;
    }
    workq->depth = depth;
    workq->num_free = depth;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_workq_create(uint32_t depth, struct doca_workq **workq)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    struct doca_workq *q;
    void *block = NULL;
    doca_error_t rc;

    if (workq == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    if (depth == 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ZERO, NULL);
    rc = doca_priv_object_take(arena, sizeof(*q), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    q = (struct doca_workq *)block;
    q->arena = arena;
    rc = doca_priv_workq_make_slots(q, depth, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_pe_create(arena, &q->pe, __func__);
    if (rc != DOCA_SUCCESS) {
        (void)doca_core_arena_give(arena, q->jobs);
        (void)doca_core_arena_give(arena, q);
        return rc;
    }
    doca_priv_object_init(&q->obj, DOCA_PRIV_KIND_WORKQ);
    *workq = q;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_workq_destroy(struct doca_workq *workq)
{
    doca_error_t rc;

    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (workq->links != NULL || workq->graphs != NULL)
        return DOCA_PRIV_FAIL(IN_USE, WORKQ_ADDED, workq);
    rc = doca_pe_destroy(workq->pe);
    DOCA_ERROR_PROPAGATE(rc, doca_core_arena_give(workq->arena, workq->jobs));
    DOCA_ERROR_PROPAGATE(rc, doca_priv_object_give(workq->arena, &workq->obj));
    return rc;
}

static doca_error_t doca_priv_workq_set_depth(struct doca_workq *workq, uint32_t depth,
                                              const char *function)
{
    if (depth == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_ZERO, function, workq);
    if (workq->links != NULL || workq->graphs != NULL)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_WORKQ_ADDED, function, workq);
    return doca_priv_workq_make_slots(workq, depth, function);
}

DOCA_CORE_DECL doca_error_t doca_workq_property_set(struct doca_workq *workq,
                                                    enum doca_workq_property property,
                                                    const void *value, uint32_t size)
{
    doca_error_t rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, value, __func__);
    uint32_t depth;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (property != DOCA_WORKQ_DEPTH || size != sizeof(depth))
        return DOCA_PRIV_FAIL(INVALID_VALUE, LEGACY_PROPERTY, workq);
    DOCA_CORE_MEMCPY(&depth, value, sizeof(depth));
    return doca_priv_workq_set_depth(workq, depth, __func__);
}

DOCA_CORE_DECL doca_error_t doca_workq_property_get(const struct doca_workq *workq,
                                                    enum doca_workq_property property, void *value,
                                                    uint32_t size)
{
    doca_error_t rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, value, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (property != DOCA_WORKQ_DEPTH)
        return DOCA_PRIV_FAIL(INVALID_VALUE, LEGACY_PROPERTY, workq);
    return doca_priv_property_put_32(value, size, workq->depth, __func__);
}

DOCA_CORE_DECL doca_error_t doca_workq_set_depth(struct doca_workq *workq, uint32_t depth)
{
    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    return doca_priv_workq_set_depth(workq, depth, __func__);
}

DOCA_CORE_DECL doca_error_t doca_workq_get_depth(const struct doca_workq *workq, uint32_t *depth)
{
    doca_error_t rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, depth, __func__);

    if (rc == DOCA_SUCCESS)
        *depth = workq->depth;
    return rc;
}

/* Signal the handle when it is armed. The progress engine does not know about graph nodes that
 * became ready and events of graphs. */
DOCA_PRIV_DECL void doca_priv_workq_wake(struct doca_workq *workq)
{
    if (workq->pe->is_armed)
        (void)doca_priv_pe_signal(workq->pe, "doca_workq_submit");
}

DOCA_PRIV_DECL void doca_priv_workq_put_event(struct doca_workq *workq,
                                              struct doca_priv_legacy_event *end)
{
    end->next = NULL;
    if (workq->events == NULL)
        workq->events = end;
    else
        workq->last_event->next = end;
    workq->last_event = end;
}

DOCA_CORE_DECL doca_error_t doca_workq_progress_retrieve(struct doca_workq *workq,
                                                         struct doca_event *ev, int flags)
{
    doca_error_t rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, ev, __func__);
    struct doca_priv_legacy_event *end;

    (void)flags;
    if (doca_unlikely(rc != DOCA_SUCCESS))
        return rc;
    if (doca_unlikely(workq->calling != NULL))
        doca_priv_graph_end_call(workq);
    if (workq->events == NULL && workq->ready != NULL)
        doca_priv_graph_run_next(workq);
    if (workq->events == NULL)
        (void)doca_pe_progress(workq->pe);
    end = workq->events;
    if (end == NULL)
        return DOCA_ERROR_AGAIN;
    workq->events = end->next;
    *ev = end->event;
    if (end->job != NULL)
        doca_priv_job_free(end->job);
    else
        doca_priv_graph_event_taken(end->instance);
    return ev->result.u64 == DOCA_SUCCESS ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED;
}

DOCA_CORE_DECL doca_error_t doca_workq_set_event_driven_enable(struct doca_workq *workq,
                                                               uint8_t enable)
{
    doca_event_handle_t handle;
    doca_error_t rc = DOCA_SUCCESS;

    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (workq->is_event_driven == (enable != 0))
        return DOCA_SUCCESS;
    if (workq->links != NULL || workq->graphs != NULL)
        return DOCA_PRIV_FAIL(BAD_STATE, WORKQ_ADDED, workq);
    if (enable != 0)
        rc = doca_pe_get_notification_handle(workq->pe, &handle);
    if (rc == DOCA_SUCCESS)
        workq->is_event_driven = enable != 0;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_workq_get_event_driven_enable(struct doca_workq *workq,
                                                               uint8_t *enabled)
{
    doca_error_t rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, enabled, __func__);

    if (rc == DOCA_SUCCESS)
        *enabled = workq->is_event_driven ? 1 : 0;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_workq_get_event_handle(struct doca_workq *workq,
                                                        doca_event_handle_t *handle)
{
    doca_error_t rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, handle, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (!workq->is_event_driven)
        return DOCA_PRIV_FAIL(BAD_STATE, WORKQ_POLLED, workq);
    return doca_pe_get_notification_handle(workq->pe, handle);
}

DOCA_CORE_DECL doca_error_t doca_workq_event_handle_arm(struct doca_workq *workq)
{
    doca_error_t rc;

    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (!workq->is_event_driven)
        return DOCA_PRIV_FAIL(BAD_STATE, WORKQ_POLLED, workq);
    rc = doca_pe_request_notification(workq->pe);
    if (rc == DOCA_SUCCESS && (workq->events != NULL || workq->ready != NULL))
        doca_priv_workq_wake(workq);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_workq_event_handle_clear(struct doca_workq *workq,
                                                          doca_event_handle_t handle)
{
    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (!workq->is_event_driven)
        return DOCA_PRIV_FAIL(BAD_STATE, WORKQ_POLLED, workq);
    return doca_pe_clear_notification(workq->pe, handle);
}

/* part: src/compat/legacy/job.c */
/* ---- >>impl.legacy.job -----------------------------------------------------------------------
 * Submit and complete jobs. A slot of the work queue holds a job from submit until its event has
 * been retrieved; a job of a graph node frees its slot when it ends. When a task fails, its engine
 * stops; the last task that is flushed restarts it.                                             */

DOCA_PRIV_DECL void doca_priv_job_free(struct doca_priv_job *job)
{
    struct doca_workq *workq = job->workq;

    if (job->session != NULL)
        job->session->job = NULL;
    job->session = NULL;
    job->link->num_jobs--;
    job->next = workq->free_jobs;
    workq->free_jobs = job;
    workq->num_free++;
}

/* Return why a buffer cannot be used for a job, or ITEM_NONE. */
static enum doca_core_item doca_priv_job_fault(const struct doca_buf *buf)
{
    return buf == NULL                                 ? DOCA_CORE_ITEM_TASK_NO_BUFFER
           : !doca_priv_is_buf(buf)                    ? DOCA_CORE_ITEM_DEAD_HANDLE
           : buf->flags == 0                           ? DOCA_CORE_ITEM_BUF_RETURNED
           : (buf->flags & DOCA_PRIV_BUF_INNER) != 0   ? DOCA_CORE_ITEM_BUF_NOT_HEAD
           : buf->refcount == UINT16_MAX               ? DOCA_CORE_ITEM_BUF_REFCOUNT_MAX
                                                       : DOCA_CORE_ITEM_NONE;
}

/* Convert a job to its common form. Returns false when the type does not belong to the context. */
static bool doca_priv_job_read(const struct doca_core_legacy_ctx *ctx, const struct doca_job *job,
                               struct doca_priv_order *order)
{
    const struct doca_core_legacy_dma_job_memcpy *copy =
        (const struct doca_core_legacy_dma_job_memcpy *)(const void *)job;
    const struct doca_sha_partial_job *hash =
        (const struct doca_sha_partial_job *)(const void *)job;
    int which;

    DOCA_CORE_MEMSET(order, 0, sizeof(*order));
    if (ctx->obj.kind != DOCA_PRIV_KIND_LEGACY_SHA) {
        if (job->type != DOCA_CORE_LEGACY_DMA_JOB_MEMCPY &&
            job->type != DOCA_CORE_LEGACY_DMA_JOB_MEMCPY_15)
            return false;
        order->src = (struct doca_buf *)(uintptr_t)copy->src_buff;
        order->dst = copy->dst_buff;
        order->bytes = job->type == DOCA_CORE_LEGACY_DMA_JOB_MEMCPY ? copy->num_bytes_to_copy : 0;
    } else {
        which = job->type - (int)DOCA_SHA_JOB_SHA1;
        if (which < 0 || which >= 2 * DOCA_PRIV_SHA_ALGORITHMS)
            return false;
        order->src = hash->sha_job.req_buf;
        order->dst = hash->sha_job.resp_buf;
        order->algorithm = (uint8_t)(which % DOCA_PRIV_SHA_ALGORITHMS);
        order->is_final = true;
        if (which >= DOCA_PRIV_SHA_ALGORITHMS) {
            order->task_type = DOCA_CORE_SHA_PARTIAL;
            order->session = hash->session;
            order->is_final =
                (hash->sha_job.flags & DOCA_SHA_JOB_FLAGS_SHA_PARTIAL_FINAL) != 0;
        }
    }
    DOCA_PRIV_CHECKED((void)doca_priv_check_open(&order->src);)
    DOCA_PRIV_CHECKED((void)doca_priv_check_open(&order->dst);)
    return true;
}

/* Check the lengths of a job whose buffers are valid. Returns why the job is refused, or
 * ITEM_NONE. */
static enum doca_core_item doca_priv_order_fault(const struct doca_workq *workq,
                                                 const struct doca_core_legacy_ctx *ctx,
                                                 const struct doca_priv_order *order)
{
    const struct doca_buf *src = order->src, *dst = order->dst, *buf;
    uint64_t bytes = 0;

    if (src == dst && src->refcount == UINT16_MAX - 1)
        return DOCA_CORE_ITEM_BUF_REFCOUNT_MAX; /* the job takes two references to this buffer */
    if (ctx->obj.kind != DOCA_PRIV_KIND_LEGACY_SHA)
        return order->bytes > 0 &&
                       (src->next != NULL || order->bytes > (size_t)(src->end - src->data))
                   ? DOCA_CORE_ITEM_JOB_LENGTH
                   : DOCA_CORE_ITEM_NONE;
    for (buf = src; buf != NULL; buf = buf->next)
        bytes += buf->data_len;
    if (bytes == 0)
        return DOCA_CORE_ITEM_DMA_EMPTY_SOURCE;
    if ((size_t)(dst->end - dst->data) < doca_priv_sha_sizes[order->algorithm].digest)
        return DOCA_CORE_ITEM_TASK_NO_ROOM;
    if (!order->is_final && bytes % doca_priv_sha_sizes[order->algorithm].block != 0)
        return DOCA_CORE_ITEM_SHA_SEGMENT;
    return order->task_type == DOCA_CORE_SHA_PARTIAL
               ? doca_priv_session_fault(order->session, ctx, workq, order->algorithm)
               : DOCA_CORE_ITEM_NONE;
}

/* Check that the job can be submitted. `*link` receives the link to its context, and `*order`
 * its common form. */
DOCA_PRIV_DECL doca_error_t doca_priv_job_check(struct doca_workq *workq,
                                                const struct doca_job *job,
                                                struct doca_priv_link **link,
                                                struct doca_priv_order *order, const char *function)
{
    struct doca_core_legacy_ctx *ctx = job->ctx;
    enum doca_core_item item;

    *link = *doca_priv_link_find(workq, ctx);
    if (*link == NULL) {
        if (!doca_priv_is_legacy_ctx(ctx))
            return doca_priv_check_args(ctx, DOCA_PRIV_KIND_LEGACY_DMA, NULL, function);
        return doca_priv_legacy_ctx_add_links(ctx, 0)
                   ? doca_priv_fail(DOCA_ERROR_NOT_FOUND, DOCA_CORE_ITEM_WORKQ_NOT_ADDED, function,
                                    ctx)
                   : doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_CTX_NOT_RUNNING, function,
                                    ctx);
    }
    if (!doca_priv_job_read(ctx, job, order))
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_JOB_TYPE, function, ctx);
    item = doca_priv_job_fault(order->src);
    if (item == DOCA_CORE_ITEM_NONE)
        item = doca_priv_job_fault(order->dst);
    if (item == DOCA_CORE_ITEM_NONE)
        item = doca_priv_order_fault(workq, ctx, order);
    return item == DOCA_CORE_ITEM_NONE
               ? DOCA_SUCCESS
               : doca_priv_fail(DOCA_ERROR_INVALID_VALUE, item, function, workq);
}

/* Fill the slot with the buffers of the job, and take a reference on each. */
static void doca_priv_job_fill(struct doca_priv_job *job, const struct doca_job *base,
                               const struct doca_priv_order *order, bool is_hash)
{
    struct doca_buf *buf;

    job->held_src = order->src;
    job->held_dst = order->dst;
    job->src = *job->held_src;
    if (order->bytes > 0)
        job->src.data_len = (size_t)order->bytes;
    job->dst = *job->held_dst;
    job->dst.data_len = 0;
    if (is_hash) { /* a digest is written to the head of the list only */
        job->dst.next = NULL;
        job->dst.last = &job->dst;
        job->dst.flags &= (uint8_t)~DOCA_PRIV_BUF_LIST;
    }
    job->session = order->session;
    for (buf = job->dst.next; buf != NULL; buf = buf->next)
        buf->data_len = 0;
    job->held_src->refcount++;
    job->held_dst->refcount++;
    job->end.event.type = base->type;
    job->end.event.user_data = base->user_data;
}

static void doca_priv_job_release(struct doca_priv_job *job)
{
    (void)doca_buf_dec_refcount(job->held_src, NULL);
    (void)doca_buf_dec_refcount(job->held_dst, NULL);
    job->held_dst = NULL;
}

/* True when a job in flight writes to the list `dst`. Each slot has a copy of the head of its
 * list, but the other buffers are shared. The device may read their lengths at any time until
 * the first job ends. */
static bool doca_priv_workq_is_writing(const struct doca_workq *workq, const struct doca_buf *dst)
{
    DOCA_PRIV_OPEN(dst)
    uint32_t i;

    /* analyzer: core.NullDereference: submit has checked the destination */
    for (i = 0; dst->next != NULL && i < workq->depth; i++)
        if (workq->jobs[i].held_dst == dst)
            return true;
    return false;
}

/* Submit a job that has been checked. `run` is the graph node that it works for, or NULL. */
DOCA_PRIV_DECL doca_error_t doca_priv_job_post(struct doca_workq *workq,
                                               struct doca_priv_link *link,
                                               const struct doca_job *base,
                                               const struct doca_priv_order *order,
                                               struct doca_priv_run *run, const char *function)
{
    const bool is_hash = link->ctx->obj.kind == DOCA_PRIV_KIND_LEGACY_SHA;
    struct doca_ctx *ctx = link->engine;
    struct doca_priv_job *job = workq->free_jobs;
    struct doca_dma_task_memcpy *t; /* tasks of hashes begin with the same members */
    struct doca_task *task = NULL;
    doca_error_t rc;

    /* a restart after a failure ran out of memory; try again */
    if (doca_unlikely(ctx->obj.state == DOCA_CTX_STATE_IDLE))
        (void)doca_ctx_start(ctx);
    if (job == NULL || ctx->obj.state != DOCA_CTX_STATE_RUNNING ||
        !doca_priv_ctx_has_task(ctx, order->task_type))
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_WORKQ_FULL, function, workq);
    if (doca_unlikely(!is_hash && doca_priv_workq_is_writing(workq, order->dst)))
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_JOB_LIST_BUSY, function, workq);
    rc = doca_priv_task_take(ctx, order->task_type, &task, function);
    if (rc != DOCA_SUCCESS) /* in checked mode, another thread may be inside the context */
        return rc;
    doca_priv_job_fill(job, base, order, is_hash);
    if (is_hash)
        doca_priv_session_enter(order->session, job, task, order->algorithm, order->is_final);
    t = (struct doca_dma_task_memcpy *)(void *)task;
    /* analyzer: core.NullDereference: success means that a task was taken */
    t->task.user_data.ptr = job;
    t->src = &job->src;
    t->dst = &job->dst;
    /* Defer the task and then post it. From here on the call must succeed, because
     * doca_priv_job_fill() has overwritten data lengths of the program's buffers. If the device has
     * no room at the moment, the task stays deferred, and progress posts it later. */
    (void)doca_priv_task_keep(task);
    doca_priv_ctx_post_deferred(ctx, false);
    workq->free_jobs = job->next;
    workq->num_free--;
    job->link = link;
    job->run = run;
    link->num_jobs++;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_workq_submit(struct doca_workq *workq, struct doca_job const *job)
{
    doca_error_t rc = doca_priv_check_args(workq, DOCA_PRIV_KIND_WORKQ, job, __func__);
    struct doca_priv_link *link = NULL;
    struct doca_priv_order order;

    if (doca_likely(rc == DOCA_SUCCESS))
        rc = doca_priv_job_check(workq, job, &link, &order, __func__);
    return rc != DOCA_SUCCESS ? rc : doca_priv_job_post(workq, link, job, &order, NULL, __func__);
}

/* Complete a job; all task callbacks end here. */
static void doca_priv_job_ended(struct doca_task *task, struct doca_priv_job *job)
{
    struct doca_ctx *ctx = task->ctx;
    struct doca_workq *workq = job->workq;
    struct doca_priv_run *run = job->run;
    doca_error_t status = (doca_error_t)task->status;
    bool has_output = doca_priv_session_leave(job->session, task);

    doca_task_free(task);
    if (doca_likely(status == DOCA_SUCCESS && has_output)) {
        job->held_dst->data = job->dst.data;
        job->held_dst->data_len = job->dst.data_len;
    } else if (job->dst.next != NULL) {
        /* submit set the lengths after the head to 0; hashes have no list */
        job->held_dst->data_len = 0;
    }
    doca_priv_job_release(job);
    if (doca_unlikely(ctx->obj.state == DOCA_CTX_STATE_STOPPING) && ctx->num_out == 0) {
        /* the progress engine would do the same next */
        doca_priv_ctx_enter_idle(ctx, "doca_workq_progress_retrieve");
        (void)doca_ctx_start(ctx);
    }
    job->end.event.result.u64 = (uint64_t)status;
    if (run == NULL) {
        doca_priv_workq_put_event(workq, &job->end);
        return;
    }
    doca_priv_job_free(job);
    doca_priv_run_job_ended(run, status, job->end.event.user_data);
}

DOCA_PRIV_DECL void doca_priv_copy_ended(struct doca_dma_task_memcpy *task, union doca_data data,
                                         union doca_data unused)
{
    DOCA_PRIV_OPEN(task)
    (void)unused;
    doca_priv_job_ended(&task->task, (struct doca_priv_job *)data.ptr);
}

DOCA_PRIV_DECL void doca_priv_hash_ended(struct doca_sha_task_hash *task, union doca_data data,
                                         union doca_data unused)
{
    DOCA_PRIV_OPEN(task)
    (void)unused;
    doca_priv_job_ended(&task->task, (struct doca_priv_job *)data.ptr);
}

DOCA_PRIV_DECL void doca_priv_segment_ended(struct doca_sha_task_partial_hash *task,
                                            union doca_data data, union doca_data unused)
{
    DOCA_PRIV_OPEN(task)
    (void)unused;
    doca_priv_job_ended(&task->hash.task, (struct doca_priv_job *)data.ptr);
}

/* part: src/compat/legacy/graph.c */
/* ---- >>impl.legacy.graph ---------------------------------------------------------------------
 * Build, start and attach graphs.                                                               */

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_create(struct doca_core_legacy_graph **graph)
{
    struct doca_core_arena *arena = doca_core_arena_bound();
    void *block = NULL;
    doca_error_t rc;

    if (graph == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    rc = doca_priv_object_take(arena, sizeof(**graph), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    *graph = (struct doca_core_legacy_graph *)block;
    doca_priv_object_init(&(*graph)->obj, DOCA_PRIV_KIND_LEGACY_GRAPH);
    (*graph)->arena = arena;
    return DOCA_SUCCESS;
}

/* Return why the graph cannot be stopped or destroyed, or ITEM_NONE. */
static enum doca_core_item doca_priv_legacy_graph_in_use(struct doca_core_legacy_graph *graph)
{
    enum doca_core_item item;

    doca_priv_lock(&graph->lock);
    item = graph->num_instances > 0 ? DOCA_CORE_ITEM_GRAPH_HAS_INSTANCES
           : graph->num_queues > 0  ? DOCA_CORE_ITEM_WORKQ_ADDED
           : graph->num_uses > 0    ? DOCA_CORE_ITEM_GRAPH_USED
                                    : DOCA_CORE_ITEM_NONE;
    doca_priv_unlock(&graph->lock);
    return item;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_destroy(struct doca_core_legacy_graph *graph)
{
    struct doca_core_legacy_graph_node *node;
    struct doca_priv_legacy_edge *edge;
    enum doca_core_item item;
    doca_error_t rc = DOCA_SUCCESS;

    if (!doca_priv_is(graph, DOCA_PRIV_KIND_LEGACY_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    item = doca_priv_legacy_graph_in_use(graph);
    if (item != DOCA_CORE_ITEM_NONE)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, item, __func__, graph);
    while ((node = graph->nodes) != NULL) {
        graph->nodes = node->next;
        while ((edge = node->children) != NULL) {
            node->children = edge->next;
            DOCA_ERROR_PROPAGATE(rc, doca_core_arena_give(graph->arena, edge));
        }
        if (node->sub_graph != NULL)
            node->sub_graph->num_uses--;
        DOCA_ERROR_PROPAGATE(rc, doca_priv_object_give(graph->arena, &node->obj));
    }
    DOCA_ERROR_PROPAGATE(rc, doca_priv_object_give(graph->arena, &graph->obj));
    return rc;
}

/* Add a node of `kind`. The caller fills in the members for that kind. */
static doca_error_t doca_priv_legacy_node_make(struct doca_core_legacy_graph *graph, uint8_t kind,
                                               const void *work,
                                               struct doca_core_legacy_graph_node **node,
                                               const char *function)
{
    doca_error_t rc = doca_priv_check_args(graph, DOCA_PRIV_KIND_LEGACY_GRAPH,
                                           work != NULL ? (const void *)node : NULL, function);
    struct doca_core_legacy_graph_node *n;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    /* analyzer: core.NullDereference: the call above checked that graph is a graph */
    if (graph->obj.state == DOCA_PRIV_STARTED)
        return doca_priv_fail(DOCA_ERROR_BAD_STATE, DOCA_CORE_ITEM_GRAPH_STARTED, function, graph);
    if (graph->num_nodes == UINT32_MAX)
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_GRAPH_TOO_MANY, function, graph);
    rc = doca_priv_object_take(graph->arena, sizeof(*n), &block, function);
    if (rc != DOCA_SUCCESS)
        return rc;
    n = (struct doca_core_legacy_graph_node *)block;
    doca_priv_object_init(&n->obj, DOCA_PRIV_KIND_LEGACY_NODE);
    n->obj.state = kind;
    n->index = graph->num_nodes++;
    n->graph = graph;
    if (graph->nodes == NULL)
        graph->nodes = n;
    else
        graph->last_node->next = n;
    graph->last_node = n;
    *node = n;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_ctx_node_create(struct doca_core_legacy_graph *graph,
                                                       int job_type,
                                                       const struct doca_core_legacy_ctx *ctx,
                                                       struct doca_core_legacy_graph_node **node)
{
    doca_error_t rc;

    if (!doca_priv_is_legacy_ctx(ctx))
        return DOCA_PRIV_FAIL_HANDLE(ctx);
    if (ctx->obj.kind == DOCA_PRIV_KIND_LEGACY_SHA
            ? job_type < DOCA_SHA_JOB_SHA1 || job_type > DOCA_SHA_JOB_SHA512_PARTIAL
            : job_type != DOCA_CORE_LEGACY_DMA_JOB_MEMCPY &&
                  job_type != DOCA_CORE_LEGACY_DMA_JOB_MEMCPY_15)
        return DOCA_PRIV_FAIL(INVALID_VALUE, JOB_TYPE, ctx);
    rc = doca_priv_legacy_node_make(graph, DOCA_PRIV_NODE_CTX, ctx, node, __func__);
    if (rc == DOCA_SUCCESS) {
        (*node)->job_type = job_type;
        (*node)->ctx = (struct doca_core_legacy_ctx *)(uintptr_t)ctx;
    }
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_graph_user_node_create(
    struct doca_core_legacy_graph *graph, doca_core_legacy_graph_user_node_cb_t cb,
    struct doca_core_legacy_graph_node **node)
{
    doca_error_t rc = doca_priv_legacy_node_make(graph, DOCA_PRIV_NODE_USER,
                                                 cb != NULL ? graph : NULL, node, __func__);

    if (rc == DOCA_SUCCESS)
        (*node)->user = cb;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_graph_sub_graph_node_create(
    struct doca_core_legacy_graph *graph, struct doca_core_legacy_graph *sub_graph,
    struct doca_core_legacy_graph_node **node)
{
    doca_error_t rc;

    if (!doca_priv_is(sub_graph, DOCA_PRIV_KIND_LEGACY_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(sub_graph);
    if (sub_graph == graph)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_CYCLE, graph);
    if (sub_graph->obj.state != DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_NOT_STARTED, sub_graph);
    rc = doca_priv_legacy_node_make(graph, DOCA_PRIV_NODE_GRAPH, sub_graph, node, __func__);
    if (rc == DOCA_SUCCESS) {
        (*node)->sub_graph = sub_graph;
        sub_graph->num_uses++;
    }
    return rc;
}

/* True when `to` depends on `from`, directly or through other nodes. */
static bool doca_priv_legacy_node_reaches(struct doca_core_legacy_graph *graph,
                                          struct doca_core_legacy_graph_node *from,
                                          const struct doca_core_legacy_graph_node *to)
{
    struct doca_core_legacy_graph_node *node, *todo = from;
    struct doca_priv_legacy_edge *edge;

    for (node = graph->nodes; node != NULL; node = node->next)
        node->is_seen = false;
    from->is_seen = true;
    from->todo = NULL;
    while (todo != NULL) {
        node = todo;
        todo = node->todo;
        if (node == to)
            return true;
        for (edge = node->children; edge != NULL; edge = edge->next) {
            if (!edge->to->is_seen) {
                edge->to->is_seen = true;
                edge->to->todo = todo;
                todo = edge->to;
            }
        }
    }
    return false;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_add_dependency(
    struct doca_core_legacy_graph *graph, struct doca_core_legacy_graph_node *from,
    struct doca_core_legacy_graph_node *to)
{
    struct doca_priv_legacy_edge *edge;
    void *block = NULL;
    doca_error_t rc;

    if (!doca_priv_is(graph, DOCA_PRIV_KIND_LEGACY_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    if (!doca_priv_is(from, DOCA_PRIV_KIND_LEGACY_NODE))
        return DOCA_PRIV_FAIL_HANDLE(from);
    if (!doca_priv_is(to, DOCA_PRIV_KIND_LEGACY_NODE))
        return DOCA_PRIV_FAIL_HANDLE(to);
    if (from->graph != graph || to->graph != graph)
        return DOCA_PRIV_FAIL(INVALID_VALUE, GRAPH_FOREIGN, graph);
    if (graph->obj.state == DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_STARTED, graph);
    for (edge = from->children; edge != NULL; edge = edge->next)
        if (edge->to == to)
            return DOCA_SUCCESS;
    if (doca_priv_legacy_node_reaches(graph, to, from))
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_CYCLE, graph);
    rc = doca_priv_object_take(graph->arena, sizeof(*edge), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    edge = (struct doca_priv_legacy_edge *)block;
    edge->to = to;
    edge->next = from->children;
    from->children = edge;
    to->num_parents++;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_start(struct doca_core_legacy_graph *graph)
{
    const struct doca_core_legacy_graph_node *node;
    bool has_job = false;

    if (!doca_priv_is(graph, DOCA_PRIV_KIND_LEGACY_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    if (graph->obj.state == DOCA_PRIV_STARTED)
        return DOCA_SUCCESS;
    for (node = graph->nodes; node != NULL; node = node->next) {
        if (node->obj.state == DOCA_PRIV_NODE_CTX &&
            (!doca_priv_is_legacy_ctx(node->ctx) ||
             !doca_priv_legacy_ctx_add_links(node->ctx, 0)))
            return DOCA_PRIV_FAIL(BAD_STATE, CTX_NOT_RUNNING, graph);
        /* a started sub-graph also has a job */
        has_job = has_job || node->obj.state != DOCA_PRIV_NODE_USER;
    }
    if (!has_job)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_NO_CTX_NODE, graph);
    graph->obj.state = DOCA_PRIV_STARTED;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_stop(struct doca_core_legacy_graph *graph)
{
    enum doca_core_item item;

    if (!doca_priv_is(graph, DOCA_PRIV_KIND_LEGACY_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    item = doca_priv_legacy_graph_in_use(graph);
    if (item != DOCA_CORE_ITEM_NONE)
        return doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, item, __func__, graph);
    graph->obj.state = DOCA_PRIV_STOPPED;
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL struct doca_priv_graph_link **
doca_priv_graph_link_find(struct doca_workq *workq, const struct doca_core_legacy_graph *graph)
{
    struct doca_priv_graph_link **link;

    for (link = &workq->graphs; *link != NULL && (*link)->graph != graph; link = &(*link)->next) {
    }
    return link;
}

DOCA_CORE_DECL doca_error_t doca_graph_workq_add(struct doca_core_legacy_graph *graph,
                                                 struct doca_workq *workq)
{
    const struct doca_core_legacy_graph_node *node;
    struct doca_priv_graph_link *link;
    void *block = NULL;
    doca_error_t rc;

    if (!doca_priv_is(graph, DOCA_PRIV_KIND_LEGACY_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (graph->obj.state != DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_NOT_STARTED, graph);
    if (*doca_priv_graph_link_find(workq, graph) != NULL)
        return DOCA_PRIV_FAIL(IN_USE, WORKQ_ADDED, graph);
    for (node = graph->nodes; node != NULL; node = node->next)
        if (node->obj.state == DOCA_PRIV_NODE_CTX &&
            *doca_priv_link_find(workq, node->ctx) == NULL)
            return DOCA_PRIV_FAIL(BAD_STATE, WORKQ_NOT_ADDED, node->ctx);
    rc = doca_priv_object_take(workq->arena, sizeof(*link), &block, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    link = (struct doca_priv_graph_link *)block;
    link->graph = graph;
    link->next = workq->graphs;
    workq->graphs = link;
    doca_priv_lock(&graph->lock);
    graph->num_queues++;
    doca_priv_unlock(&graph->lock);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_graph_workq_rm(struct doca_core_legacy_graph *graph,
                                                struct doca_workq *workq)
{
    struct doca_priv_graph_link **at, *link;

    if (!doca_priv_is(graph, DOCA_PRIV_KIND_LEGACY_GRAPH))
        return DOCA_PRIV_FAIL_HANDLE(graph);
    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    at = doca_priv_graph_link_find(workq, graph);
    link = *at;
    if (link == NULL)
        return DOCA_PRIV_FAIL(BAD_STATE, WORKQ_NOT_ADDED, graph);
    if (link->num_runs > 0)
        return DOCA_PRIV_FAIL(IN_USE, WORKQ_PENDING, workq);
    *at = link->next;
    doca_priv_lock(&graph->lock);
    graph->num_queues--;
    doca_priv_unlock(&graph->lock);
    return doca_core_arena_give(workq->arena, link);
}

/* part: src/compat/legacy/graph_instance.c */
/* ---- >>impl.legacy.graph.instance ------------------------------------------------------------
 * Instances of graphs: the data of their nodes, and their results.                              */

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_create(
    const struct doca_core_legacy_graph *graph,
    struct doca_core_legacy_graph_instance **graph_instance)
{
    doca_error_t rc =
        doca_priv_check_args(graph, DOCA_PRIV_KIND_LEGACY_GRAPH, graph_instance, __func__);
    struct doca_core_legacy_graph *g = (struct doca_core_legacy_graph *)(uintptr_t)graph;
    const struct doca_core_legacy_graph_node *node;
    struct doca_core_legacy_graph_instance *in;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (graph->obj.state != DOCA_PRIV_STARTED)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_NOT_STARTED, graph);
    rc = doca_priv_object_take(
        g->arena, doca_priv_size(g->num_nodes, sizeof(struct doca_priv_run), sizeof(*in)), &block,
        __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    in = (struct doca_core_legacy_graph_instance *)block;
    doca_priv_object_init(&in->obj, DOCA_PRIV_KIND_LEGACY_INSTANCE);
    in->graph = g;
    in->end.instance = in;
    in->runs = (struct doca_priv_run *)(void *)(in + 1);
    for (node = g->nodes; node != NULL; node = node->next) {
        in->runs[node->index].node = node;
        in->runs[node->index].instance = in;
    }
    doca_priv_lock(&g->lock);
    g->num_instances++;
    doca_priv_unlock(&g->lock);
    *graph_instance = in;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_destroy(
    struct doca_core_legacy_graph_instance *graph_instance)
{
    struct doca_core_legacy_graph_instance *in = graph_instance;
    struct doca_core_legacy_graph *graph;
    uint32_t i;

    if (!doca_priv_is(in, DOCA_PRIV_KIND_LEGACY_INSTANCE))
        return DOCA_PRIV_FAIL_HANDLE(in);
    if (in->workq != NULL)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_SUBMITTED, in);
    if (in->num_uses > 0)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_INSTANCE_USED, in);
    graph = in->graph;
    for (i = 0; i < graph->num_nodes; i++)
        if (in->runs[i].node->obj.state == DOCA_PRIV_NODE_GRAPH && in->runs[i].data != NULL)
            ((struct doca_core_legacy_graph_instance *)in->runs[i].data)->num_uses--;
    doca_priv_lock(&graph->lock);
    graph->num_instances--;
    doca_priv_unlock(&graph->lock);
    return doca_priv_object_give(graph->arena, &in->obj);
}

/* Return the run of a node whose data may be set. Otherwise returns NULL and sets `*rc`. */
static struct doca_priv_run *doca_priv_run_of(struct doca_core_legacy_graph_instance *in,
                                              const struct doca_core_legacy_graph_node *node,
                                              uint8_t kind, doca_error_t *rc, const char *function)
{
    enum doca_core_item item = DOCA_CORE_ITEM_GRAPH_FOREIGN;

    *rc = doca_priv_check_args(in, DOCA_PRIV_KIND_LEGACY_INSTANCE, node, function);
    if (*rc == DOCA_SUCCESS)
        *rc = doca_priv_check_args(node, DOCA_PRIV_KIND_LEGACY_NODE, node, function);
    if (*rc != DOCA_SUCCESS)
        return NULL;
    *rc = DOCA_ERROR_NOT_PERMITTED;
    if (in->workq != NULL) {
        *rc = DOCA_ERROR_BAD_STATE;
        item = DOCA_CORE_ITEM_GRAPH_SUBMITTED;
    } else if (node->graph == in->graph && node->obj.state == kind) {
        *rc = DOCA_SUCCESS;
        return &in->runs[node->index];
    }
    (void)doca_priv_fail(*rc, item, function, in);
    return NULL;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_set_ctx_node_data(
    struct doca_core_legacy_graph_instance *graph_instance,
    struct doca_core_legacy_graph_node *node, struct doca_job *job, struct doca_event *ev)
{
    doca_error_t rc = DOCA_SUCCESS;
    struct doca_priv_run *run =
        doca_priv_run_of(graph_instance, node, DOCA_PRIV_NODE_CTX, &rc, __func__);

    if (run == NULL)
        return rc;
    if (job == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, graph_instance);
    if (job->type != node->job_type || job->ctx != node->ctx)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_FOREIGN, graph_instance);
    run->data = job;
    run->event = ev;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_set_user_node_data(
    struct doca_core_legacy_graph_instance *graph_instance,
    struct doca_core_legacy_graph_node *node, void *cookie, struct doca_event *ev)
{
    doca_error_t rc = DOCA_SUCCESS;
    struct doca_priv_run *run =
        doca_priv_run_of(graph_instance, node, DOCA_PRIV_NODE_USER, &rc, __func__);

    if (run == NULL)
        return rc;
    run->data = cookie;
    run->event = ev;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_graph_instance_set_sub_graph_node_data(
    struct doca_core_legacy_graph_instance *graph_instance,
    struct doca_core_legacy_graph_node *node,
    struct doca_core_legacy_graph_instance *sub_graph_instance, struct doca_event *ev)
{
    struct doca_core_legacy_graph_instance *sub = sub_graph_instance;
    doca_error_t rc = DOCA_SUCCESS;
    struct doca_priv_run *run =
        doca_priv_run_of(graph_instance, node, DOCA_PRIV_NODE_GRAPH, &rc, __func__);

    if (run == NULL)
        return rc;
    if (!doca_priv_is(sub, DOCA_PRIV_KIND_LEGACY_INSTANCE))
        return DOCA_PRIV_FAIL_HANDLE(sub);
    if (sub->graph != node->sub_graph)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_FOREIGN, graph_instance);
    if (sub->workq != NULL)
        return DOCA_PRIV_FAIL(NOT_PERMITTED, GRAPH_SUBMITTED, sub);
    if (run->data != NULL)
        ((struct doca_core_legacy_graph_instance *)run->data)->num_uses--;
    sub->num_uses++;
    run->data = sub;
    run->event = ev;
    return DOCA_SUCCESS;
}

static uint32_t doca_priv_instance_failed(const struct doca_core_legacy_graph_instance *in,
                                          const struct doca_core_legacy_graph_node **nodes,
                                          uint32_t max)
{
    uint32_t num = 0, i;

    for (i = 0; i < in->graph->num_nodes && num < max; i++) {
        if (in->runs[i].state == DOCA_GRAPH_INSTANCE_NODE_STATE_ERROR) {
            if (nodes != NULL)
                nodes[num] = in->runs[i].node;
            num++;
        }
    }
    return num;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_get_num_failed_nodes(
    const struct doca_core_legacy_graph_instance *graph_instance, uint32_t *num_failed_nodes)
{
    doca_error_t rc = doca_priv_check_args(graph_instance, DOCA_PRIV_KIND_LEGACY_INSTANCE,
                                           num_failed_nodes, __func__);

    if (rc == DOCA_SUCCESS)
        *num_failed_nodes = doca_priv_instance_failed(graph_instance, NULL, UINT32_MAX);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_get_failed_nodes(
    const struct doca_core_legacy_graph_instance *graph_instance,
    const struct doca_core_legacy_graph_node **failed_nodes, uint32_t *num_failed_nodes)
{
    doca_error_t rc = doca_priv_check_args(graph_instance, DOCA_PRIV_KIND_LEGACY_INSTANCE,
                                           failed_nodes != NULL ? num_failed_nodes : NULL,
                                           __func__);

    if (rc == DOCA_SUCCESS)
        *num_failed_nodes =
            doca_priv_instance_failed(graph_instance, failed_nodes, *num_failed_nodes);
    return rc;
}

/* Return the run of a node, for calls that only inspect it. On failure, returns NULL and sets
 * `*rc`. */
static const struct doca_priv_run *doca_priv_run_inspect(
    const struct doca_core_legacy_graph_instance *in,
    const struct doca_core_legacy_graph_node *node, const void *out, doca_error_t *rc,
    const char *function)
{
    *rc = doca_priv_check_args(in, DOCA_PRIV_KIND_LEGACY_INSTANCE, out, function);
    if (*rc == DOCA_SUCCESS)
        *rc = doca_priv_check_args(node, DOCA_PRIV_KIND_LEGACY_NODE, out, function);
    if (*rc != DOCA_SUCCESS)
        return NULL;
    if (node->graph == in->graph)
        return &in->runs[node->index];
    *rc = doca_priv_fail(DOCA_ERROR_NOT_PERMITTED, DOCA_CORE_ITEM_GRAPH_FOREIGN, function, in);
    return NULL;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_node_get_state(
    const struct doca_core_legacy_graph_instance *graph_instance,
    const struct doca_core_legacy_graph_node *node, enum doca_graph_instance_node_state *state)
{
    doca_error_t rc = DOCA_SUCCESS;
    const struct doca_priv_run *run =
        doca_priv_run_inspect(graph_instance, node, state, &rc, __func__);

    if (run != NULL)
        *state = run->state;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_graph_instance_node_get_result(
    const struct doca_core_legacy_graph_instance *graph_instance,
    const struct doca_core_legacy_graph_node *node, union doca_data *result)
{
    doca_error_t rc = DOCA_SUCCESS;
    const struct doca_priv_run *run =
        doca_priv_run_inspect(graph_instance, node, result, &rc, __func__);

    if (run == NULL)
        return rc;
    if (run->state != DOCA_GRAPH_INSTANCE_NODE_STATE_COMPLETED &&
        run->state != DOCA_GRAPH_INSTANCE_NODE_STATE_ERROR)
        return DOCA_PRIV_FAIL(BAD_STATE, GRAPH_UNFINISHED, graph_instance);
    result->u64 = (uint64_t)run->status;
    return DOCA_SUCCESS;
}

/* part: src/compat/legacy/graph_run.c */
/* ---- >>impl.legacy.graph.run -----------------------------------------------------------------
 * Run graph instances. A node whose parents have completed is appended to the ready nodes of the
 * work queue. doca_workq_progress_retrieve() starts them one by one. An instance ends when none
 * of its nodes is ready or running.                                                             */

static void doca_priv_run_make_ready(struct doca_priv_run *run)
{
    struct doca_workq *workq = run->instance->workq;

    run->next = NULL;
    if (workq->ready == NULL)
        workq->ready = run;
    else
        workq->last_ready->next = run;
    workq->last_ready = run;
}

/* Start an instance: make its nodes without parents ready. */
static void doca_priv_instance_begin(struct doca_core_legacy_graph_instance *in,
                                     struct doca_priv_run *parent)
{
    struct doca_priv_run *run;

    in->parent = parent;
    in->status = DOCA_SUCCESS;
    in->num_open = 0;
    for (run = in->runs; run < in->runs + in->graph->num_nodes; run++) {
        run->state = DOCA_GRAPH_INSTANCE_NODE_STATE_NOT_STARTED;
        run->num_pending = run->node->num_parents;
        if (run->num_pending == 0) {
            in->num_open++;
            doca_priv_run_make_ready(run);
        }
    }
}

/* Record that a node ended. On success, each child whose other parents have completed as well
 * becomes ready. Otherwise mark the instance as failed. */
static void doca_priv_run_record(struct doca_priv_run *run, doca_error_t status)
{
    struct doca_core_legacy_graph_instance *in = run->instance;
    const struct doca_priv_legacy_edge *edge;
    struct doca_priv_run *child;

    run->status = status;
    if (status != DOCA_SUCCESS) {
        run->state = DOCA_GRAPH_INSTANCE_NODE_STATE_ERROR;
        if (in->status == DOCA_SUCCESS) {
            in->status = status;
            (void)doca_priv_fail(status, DOCA_CORE_ITEM_GRAPH_FAILED,
                                 "doca_workq_progress_retrieve", in);
        }
        return;
    }
    run->state = DOCA_GRAPH_INSTANCE_NODE_STATE_COMPLETED;
    for (edge = run->node->children; edge != NULL; edge = edge->next) {
        child = &in->runs[edge->to->index];
        if (--child->num_pending == 0) {
            in->num_open++;
            doca_priv_run_make_ready(child);
        }
    }
}

/* Close a node that ended. The last node of an instance ends the instance. If the instance ran
 * for a node of another instance, that node ends too, and so on. */
static void doca_priv_run_close(struct doca_priv_run *run)
{
    struct doca_core_legacy_graph_instance *in = run->instance;

    while (--in->num_open == 0) {
        in->end.event.result.u64 = (uint64_t)in->status;
        if (in->parent == NULL) {
            doca_priv_workq_put_event(in->workq, &in->end);
            return;
        }
        run = in->parent;
        if (run->event != NULL) {
            run->event->type = DOCA_GRAPH_JOB;
            run->event->user_data.u64 = 0;
            run->event->result = in->end.event.result;
        }
        doca_priv_run_record(run, in->status);
        in = run->instance;
    }
}

DOCA_PRIV_DECL void doca_priv_run_job_ended(struct doca_priv_run *run, doca_error_t status,
                                            union doca_data user_data)
{
    if (run->event != NULL) {
        run->event->type = run->node->job_type;
        run->event->user_data = user_data;
        run->event->result.u64 = (uint64_t)status;
    }
    doca_priv_run_record(run, status);
    doca_priv_run_close(run);
}

/* End a user node whose function did not return (it called longjmp, threw, or retrieved an
 * event). */
DOCA_PRIV_DECL void doca_priv_graph_end_call(struct doca_workq *workq)
{
    struct doca_priv_run *run = workq->calling;

    workq->calling = NULL;
    doca_priv_run_record(run, DOCA_ERROR_UNKNOWN);
    doca_priv_run_close(run);
}

static void doca_priv_run_call(struct doca_workq *workq, struct doca_priv_run *run)
{
    doca_error_t status;

    workq->calling = run;
    status = run->node->user(run->data, run->event);
    if (workq->calling != run)
        return; /* the function retrieved an event, which ended the node */
    workq->calling = NULL;
    doca_priv_run_record(run, status);
    doca_priv_run_close(run);
}

/* Start the oldest ready node. */
DOCA_PRIV_DECL void doca_priv_graph_run_next(struct doca_workq *workq)
{
    struct doca_priv_run *run = workq->ready;
    const struct doca_job *job = (const struct doca_job *)run->data;
    struct doca_priv_link *link = NULL;
    struct doca_priv_order order;
    doca_error_t rc;

    workq->ready = run->next;
    /* the instance failed meanwhile: do not start the node */
    if (run->instance->status != DOCA_SUCCESS) {
        doca_priv_run_close(run);
        return;
    }
    run->state = DOCA_GRAPH_INSTANCE_NODE_STATE_STARTED;
    if (run->node->obj.state == DOCA_PRIV_NODE_USER) {
        doca_priv_run_call(workq, run);
    } else if (run->node->obj.state == DOCA_PRIV_NODE_GRAPH) {
        doca_priv_instance_begin((struct doca_core_legacy_graph_instance *)run->data, run);
    } else {
        rc = doca_priv_job_check(workq, job, &link, &order, "doca_workq_progress_retrieve");
        if (rc == DOCA_SUCCESS)
            rc = doca_priv_job_post(workq, link, job, &order, run,
                                    "doca_workq_progress_retrieve");
        if (rc == DOCA_ERROR_NO_MEMORY) { /* the queue is full: try again later */
            run->state = DOCA_GRAPH_INSTANCE_NODE_STATE_NOT_STARTED;
            doca_priv_run_make_ready(run);
        } else if (rc != DOCA_SUCCESS) {
            doca_priv_run_job_ended(run, rc, job->user_data);
        }
    }
}

/* Mark an instance, and the instances of its sub-graphs, as no longer submitted. */
DOCA_PRIV_DECL void doca_priv_graph_event_taken(struct doca_core_legacy_graph_instance *instance)
{
    (*doca_priv_graph_link_find(instance->workq, instance->graph))->num_runs--;
    for (; instance != NULL; instance = instance->chain)
        instance->workq = NULL;
}

/* Check that a node can run on `workq`. The instance of a sub-graph is marked as submitted and
 * appended to the chain after *last. */
static doca_error_t doca_priv_run_check(const struct doca_priv_run *run, struct doca_workq *workq,
                                        struct doca_core_legacy_graph_instance **last,
                                        enum doca_core_item *item)
{
    struct doca_core_legacy_graph_instance *sub;

    if (run->node->obj.state == DOCA_PRIV_NODE_USER)
        return DOCA_SUCCESS;
    *item = DOCA_CORE_ITEM_GRAPH_NO_DATA;
    if (run->data == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    if (run->node->obj.state == DOCA_PRIV_NODE_CTX) {
        *item = DOCA_CORE_ITEM_WORKQ_NOT_ADDED;
        return *doca_priv_link_find(workq, run->node->ctx) != NULL ? DOCA_SUCCESS
                                                                   : DOCA_ERROR_BAD_STATE;
    }
    sub = (struct doca_core_legacy_graph_instance *)run->data;
    *item = DOCA_CORE_ITEM_GRAPH_SUBMITTED;
    if (sub->workq != NULL)
        return DOCA_ERROR_IN_USE;
    sub->workq = workq;
    sub->chain = NULL;
    (*last)->chain = sub;
    *last = sub;
    return DOCA_SUCCESS;
}

/* Check an instance and the instances of its sub-graphs, and mark them as submitted. When the check
 * fails, no instance stays marked. */
static doca_error_t doca_priv_instance_check(struct doca_core_legacy_graph_instance *first,
                                             struct doca_workq *workq, const char *function)
{
    struct doca_core_legacy_graph_instance *in, *last = first;
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    struct doca_priv_link *link = NULL;
    const struct doca_priv_run *run;
    struct doca_priv_order order;
    doca_error_t rc = DOCA_SUCCESS;
    uint32_t num_jobs = 0;

    first->workq = workq;
    first->chain = NULL;
    for (in = first; in != NULL && rc == DOCA_SUCCESS; in = in->chain) {
        for (run = in->runs; run < in->runs + in->graph->num_nodes && rc == DOCA_SUCCESS; run++) {
            rc = doca_priv_run_check(run, workq, &last, &item);
            if (rc != DOCA_SUCCESS) {
                (void)doca_priv_fail(rc, item, function, in);
            } else if (in == first && run->node->num_parents == 0 &&
                       run->node->obj.state == DOCA_PRIV_NODE_CTX) {
                rc = doca_priv_job_check(workq, (const struct doca_job *)run->data, &link, &order,
                                         function);
                num_jobs++;
            }
        }
    }
    if (rc == DOCA_SUCCESS && num_jobs > workq->num_free)
        rc = doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_WORKQ_FULL, function, workq);
    for (in = first; in != NULL && rc != DOCA_SUCCESS; in = in->chain)
        in->workq = NULL;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_workq_graph_submit(
    struct doca_workq *workq, struct doca_core_legacy_graph_instance *graph_instance,
    union doca_data user_data)
{
    struct doca_core_legacy_graph_instance *in = graph_instance;
    struct doca_priv_graph_link *link;
    doca_error_t rc;

    if (!doca_priv_is(workq, DOCA_PRIV_KIND_WORKQ))
        return DOCA_PRIV_FAIL_HANDLE(workq);
    if (!doca_priv_is(in, DOCA_PRIV_KIND_LEGACY_INSTANCE))
        return DOCA_PRIV_FAIL_HANDLE(in);
    if (in->workq != NULL)
        return DOCA_PRIV_FAIL(IN_USE, GRAPH_SUBMITTED, in);
    link = *doca_priv_graph_link_find(workq, in->graph);
    if (link == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, WORKQ_NOT_ADDED, in);
    rc = doca_priv_instance_check(in, workq, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    link->num_runs++;
    in->end.event.type = DOCA_GRAPH_JOB;
    in->end.event.user_data = user_data;
    doca_priv_instance_begin(in, NULL);
    doca_priv_workq_wake(workq);
    return DOCA_SUCCESS;
}

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_IMPLEMENTATION */

/* part: src/compat/legacy/names.h */
/* ---- >>legacy.names --------------------------------------------------------------------------
 * Old names as macros, for files in which >>legacy.view does not declare them. They come last, so
 * that they do not affect the code above.                                                       */

#if defined(DOCA_CORE_LEGACY) && !defined(DOCA_PRIV_LEGACY_NAMED)
#define DOCA_PRIV_LEGACY_NAMED

#define doca_mmap doca_core_legacy_mmap
#define doca_ctx doca_core_legacy_ctx
#define doca_dma doca_core_legacy_dma
#define doca_sha doca_core_legacy_sha
#define doca_graph doca_core_legacy_graph
#define doca_graph_node doca_core_legacy_graph_node
#define doca_graph_instance doca_core_legacy_graph_instance
#define doca_graph_user_node_cb_t doca_core_legacy_graph_user_node_cb_t
#define doca_devinfo_remote doca_devinfo_rep
#define doca_dev_remote doca_dev_rep

#define doca_buf_inventory_destroy doca_core_legacy_buf_inventory_destroy
#define doca_buf_inventory_buf_dup doca_core_legacy_buf_inventory_buf_dup
#define doca_buf_inventory_get_user_data doca_core_legacy_buf_inventory_get_user_data
#define doca_buf_inventory_set_user_data doca_core_legacy_buf_inventory_set_user_data
#define doca_mmap_destroy doca_core_legacy_mmap_destroy
#define doca_mmap_start doca_core_legacy_mmap_start
#define doca_mmap_stop doca_core_legacy_mmap_stop
#define doca_mmap_set_memrange doca_core_legacy_mmap_set_memrange
#define doca_mmap_get_memrange doca_core_legacy_mmap_get_memrange
#define doca_mmap_set_dmabuf_memrange doca_core_legacy_mmap_set_dmabuf_memrange
#define doca_mmap_set_permissions doca_core_legacy_mmap_set_permissions
#define doca_mmap_set_free_cb doca_core_legacy_mmap_set_free_cb
#define doca_mmap_set_user_data doca_core_legacy_mmap_set_user_data
#define doca_mmap_export_rdma doca_core_legacy_mmap_export_rdma
#define doca_mmap_set_max_num_devices doca_core_legacy_mmap_set_max_num_devices
#define doca_mmap_get_max_num_devices doca_core_legacy_mmap_get_max_num_devices
#define doca_mmap_get_num_bufs doca_core_legacy_mmap_get_num_bufs
#define doca_mmap_get_exported doca_core_legacy_mmap_get_exported
#define doca_mmap_get_from_export doca_core_legacy_mmap_get_from_export
#define doca_mmap_get_user_data doca_core_legacy_mmap_get_user_data
#define doca_ctx_start doca_core_legacy_ctx_start
#define doca_ctx_stop doca_core_legacy_ctx_stop
#define doca_dma_create doca_core_legacy_dma_create
#define doca_dma_destroy doca_core_legacy_dma_destroy
#define doca_dma_as_ctx doca_core_legacy_dma_as_ctx
#define doca_sha_create doca_core_legacy_sha_create
#define doca_sha_destroy doca_core_legacy_sha_destroy
#define doca_sha_as_ctx doca_core_legacy_sha_as_ctx
#define doca_graph_create doca_core_legacy_graph_create
#define doca_graph_destroy doca_core_legacy_graph_destroy
#define doca_graph_add_dependency doca_core_legacy_graph_add_dependency
#define doca_graph_start doca_core_legacy_graph_start
#define doca_graph_stop doca_core_legacy_graph_stop
#define doca_graph_instance_create doca_core_legacy_graph_instance_create
#define doca_graph_instance_destroy doca_core_legacy_graph_instance_destroy
#define doca_graph_instance_set_ctx_node_data doca_core_legacy_graph_instance_set_ctx_node_data
#define doca_graph_instance_set_user_node_data doca_core_legacy_graph_instance_set_user_node_data
#define doca_graph_instance_set_sub_graph_node_data                                                \
    doca_core_legacy_graph_instance_set_sub_graph_node_data

#if DOCA_CORE_LEGACY + 0 >= 10500
#define doca_buf_inventory_create doca_core_legacy_buf_inventory_create_15
#if DOCA_CORE_LEGACY + 0 >= 20000
#define doca_mmap_create doca_core_legacy_mmap_create_20
#else
#define doca_mmap_create doca_core_legacy_mmap_create_15
#endif
#define doca_mmap_create_from_export doca_core_legacy_mmap_create_from_export_15
#define doca_dma_job_memcpy doca_core_legacy_dma_job_memcpy_15
#define DOCA_DMA_JOB_MEMCPY DOCA_CORE_LEGACY_DMA_JOB_MEMCPY_15
#else
#define doca_dma_job_memcpy doca_core_legacy_dma_job_memcpy
#define DOCA_DMA_JOB_MEMCPY DOCA_CORE_LEGACY_DMA_JOB_MEMCPY
#define doca_buf_inventory_create doca_core_legacy_buf_inventory_create
#define doca_mmap_create doca_core_legacy_mmap_create
#define doca_mmap_create_from_export doca_core_legacy_mmap_create_from_export
#endif

#ifdef DOCA_CORE_LEGACY_GUIDE
#define doca_dev_as_devinfo doca_core_legacy_dev_as_devinfo
#endif

#endif
