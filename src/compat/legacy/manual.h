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
 * amalgamate: contents
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/compat/legacy/. Change the
 * parts.
 */
