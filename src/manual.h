/* doca_core.h - DOCA Core for any machine, in one header, without a heap
 *
 * DOCA Core is the object model of all programs for NVIDIA BlueField DPUs: devices, memory maps,
 * buffers, contexts, tasks, progress engines, sync events and graphs. This header implements it
 * with the vendor's names, values and signatures. All objects are plain structures in memory that
 * the caller provides. A software device, which executes copies and hashes on the CPU, is included.
 * This is an independent project; NVIDIA, DOCA and BlueField are trademarks of NVIDIA Corporation,
 * and the company is not involved in it.
 *
 * HOW TO USE IT. Write this in one C or C++ file of the program, and include the header without the
 * macro in all other files:
 *
 *     #define DOCA_CORE_IMPLEMENTATION
 *     #include "doca_core.h"
 *
 * THE OBJECTS
 *
 *     arena ......... memory of the caller; all objects below are allocated from it
 *       devinfo list    the devices that exist        doca_devinfo_create_list
 *       dev             an opened device              doca_dev_open
 *         dev_rep       its view of a host function   doca_dev_rep_open
 *         sw_worker     a thread that works for it    doca_core_sw_worker_create
 *       mmap            a range devices may access    doca_mmap_create
 *       dpdk mempool    DPDK mbufs, for bufs          doca_dpdk_mempool_create
 *       inventory, pool buffer descriptors            doca_buf_inventory_create, ..._pool_create
 *         buf           a window on one mmap; bufs can be chained into lists
 *       dma (a ctx)     an engine that copies         doca_dma_create
 *       sha (a ctx)     an engine that hashes         doca_sha_create
 *       mmap_advise (a ctx)   invalidates caches      doca_mmap_advise_create
 *       sync_event      a value to wait for; can be a ctx   doca_sync_event_create
 *         task          one unit of work              doca_dma_task_memcpy_alloc_init
 *         batch         tasks submitted together      doca_core_task_batch_alloc_init
 *       pe              progress engine: the loop that completes tasks   doca_pe_create
 *       graph           tasks and functions in order  doca_graph_create
 *         node          one step of it                doca_graph_node_create_from_ctx
 *         instance      one run of all its steps      doca_graph_instance_create
 *
 *     caller's memory -> mmap -> buf(head, data, len) -> task(src, dst) -> submit -> device queue
 *     application callback <- doca_pe_progress <- completion <- device queue
 *
 * A COMPLETE PROGRAM (the README has the same text; the tests compile it from there)
 *
 *     #define DOCA_CORE_IMPLEMENTATION
 *     #include "doca_core.h"
 *     #include <stdio.h>
 *
 *     static char memory[64] = "copied by a DMA engine";
 *     static bool is_back;
 *
 *     static void done(struct doca_dma_task_memcpy *task, union doca_data text,
 *                      union doca_data unused)
 *     {
 *         (void)unused;
 *         printf("%s: %s\n", (char *)text.ptr,
 *                doca_error_get_name(doca_task_get_status(doca_dma_task_memcpy_as_task(task))));
 *         doca_task_free(doca_dma_task_memcpy_as_task(task));
 *         is_back = true;
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
 *         for (is_back = false; !is_back;)
 *             (void)doca_pe_progress(pe);
 *         return doca_dma_destroy(dma) || doca_pe_destroy(pe) ||
 *                doca_buf_dec_refcount(src, NULL) || doca_buf_dec_refcount(dst, NULL) ||
 *                doca_buf_inventory_destroy(inv) || doca_mmap_destroy(map) || doca_dev_close(dev);
 *     }
 *
 * MEMORY. The library never uses the heap; `tools/check_symbols` verifies that for the compiled
 * code. Create functions allocate a new object from the arena of its parent object. An object
 * without a parent comes from the arena bound with doca_core_arena_bind(), or, if none is bound,
 * from a static default arena of DOCA_CORE_DEFAULT_ARENA_BYTES, whose pages use no memory until
 * they are touched. Start functions allocate everything that the configuration needs; after start,
 * nothing is allocated. DOCA_CORE_BYTES_X(n) gives the size of n objects as a constant expression,
 * doca_core_bytes_x() at run time. When an arena is exhausted, the call returns
 * DOCA_ERROR_NO_MEMORY and changes nothing.
 *
 * THREADS. Device lists, devices, representors, arenas, the log and the settings of >>sw may be
 * used from any thread at any time. Every other object may be used by only one thread at a time; a
 * context or graph must be used by the thread of its PE. The value of a sync event is an exception:
 * all threads, and other processes, may access it. The library starts no threads: the software
 * device executes tasks inside doca_pe_progress(), or in threads of the program that call
 * doca_core_sw_worker_run().
 * After fork() the child has copies of the objects, but shares kernel resources with its parent.
 * The child must not use these inherited objects: PEs that have a notification handle, shared sync
 * events, workers and the contexts that they serve, RDMA devices and objects on them. It creates
 * its own instead. As with the C library, a lock that another thread of the parent holds during
 * fork() stays locked in the child.
 *
 * FILE DESCRIPTORS. Descriptors that the library keeps open (for PEs with a handle, shared sync
 * events and workers) are closed on exec. Their numbers are above 2: in a process that has closed
 * its standard streams, output to these streams never reaches them. Descriptors that libibverbs
 * opens may have any number.
 *
 * ERRORS. Every call that can fail returns doca_error_t and leaves its outputs untouched on
 * failure. doca_core_last_error() gives the reason of the latest failure as text. Misuse is also
 * logged (doca_core_log_*), by default to standard error. Invalid input does not crash, and no call
 * takes effect partially. NULL, a handle of the wrong type, a handle of a destroyed object, and an
 * argument outside of the range that the comment of the function gives for it, give INVALID_VALUE
 * unless "Errors" names another code. A destroy call that finds the header of its memory block
 * overwritten gives UNEXPECTED and does not release the block. The program has one duty: the memory
 * of a started mmap must stay mapped (see doca_mmap_start).
 *
 * COMMENTS OF FUNCTIONS. "Errors" lists only the errors that are specific to the function; "also:"
 * adds a reason for an error code to the reasons in ERRORS above, or to the reasons at another
 * function that the comment refers to. "Owns" says what the call allocates or keeps in use, and
 * until when. "Callback" says whether the function may be called inside callbacks. "Threads" says
 * which threads may call the function; without "Threads", see THREADS above. "Assumed" marks
 * behaviour that no document of the vendor specifies.
 *
 * COMPILE-TIME MACROS are documented in >>config, with their defaults.
 *
 * DIFFERENCES FROM THE VENDOR'S LIBRARY
 *   - A data section outside the buffer is undefined behaviour there. Here get_by_args rejects it;
 *     set_data accepts it with a warning inside the mmap, and rejects it outside.
 *   - doca_task_submit rejects NULL buffers. The device makes all other checks, as on hardware.
 *   - doca_task_free on a task in flight, or a second time, is logged and ignored (vendor:
 *     undefined).
 *   - The state callback of a context is called only by doca_pe_progress, never inside start or
 *     stop. The context may have changed its state again by then; further calls follow.
 *   - A device opened from an ibv_pd may be added to an mmap (the vendor's documents contradict
 *     each other: one forbids it, the other names it as the purpose).
 *   - On software devices, a sync event exported to the DPU or the remote net can be imported only
 *     by processes of the same machine. After the exporter has exited, importers that wait get
 *     CONNECTION_RESET; later updates get it, too.
 *   - There is one header; doca_dma.h, doca_pe.h and so on only include it (see the README).
 *   - On the software device, an imported mmap accesses the memory of an exporting process on the
 *     same machine, for PCI exports and for RDMA exports.
 *   - A task submitted without FLUSH stays in its context until a flush (vendor: may stay).
 *   - Batches of tasks use doca_core_ calls and accept every type of task (vendor: calls of the
 *     network queues, for their own tasks).
 *   - Data paths and sync events on DPA and GPU return DOCA_ERROR_NOT_SUPPORTED. Buffer arrays for
 *     them exist only with a backend that supports them.
 *
 * CONTENTS (search for the tag)
 * amalgamate: contents
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/. Edit the parts.
 */
