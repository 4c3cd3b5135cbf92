/* ---- >>check --------------------------------------------------------------------------------
 * The checked mode (DOCA_CORE_CHECK 2): the misuse it detects beyond the checks of all levels.
 * Each finding is reported as a log line like a failure, with call and object. The log line
 * ends with the history of the object: its latest events. The mode remembers the last
 * DOCA_CORE_CHECK_NOTES events of all objects together:
 *
 *     ... [BAD_STATE]; history of task 0x5581c0: #812 allocated, #813 submitted,
 *     #827 completed, #828 released
 *
 * All objects share one event counter, so the numbers show the order of events of different
 * objects. "by N" marks a change of thread: this event and the events after it were caused by
 * thread N. Threads are numbered in the order of their first event. "as dev" means that the address
 * belonged to an object of another type at the time.
 *
 *   use after free      Level 1 already rejects released handles, except in the getters of buffers
 *                       and tasks. The checked mode reports these too and lets the call proceed;
 *                       only doca_buf_get_refcount() stays silent, as programs use it to ask
 *                       whether a buffer was released.
 *                       A released buffer or task is reused only after DOCA_CORE_CHECK_LIVES
 *                       others have been allocated. Each pool has that many extra elements, so the
 *                       slots of a buffer pool are not tied to particular buffers. Batches and
 *                       graph instances are reused at once.
 *                       After reuse, handles to the previous object are still rejected, because
 *                       the low bits of task, buffer, mmap and context handles hold one of 48
 *                       generation numbers. Such a handle must not be dereferenced. A stale handle
 *                       has the generation of the new object in 1 of 48 cases and then goes
 *                       unnoticed.
 *                       A released arena block stays in quarantine until DOCA_CORE_CHECK_LIVES
 *                       other blocks have been released, or until an allocation finds no other
 *                       block. A write to the block in the meantime is reported when it leaves
 *                       quarantine. A call of doca_core_arena_query() that asks for the largest
 *                       block also ends the quarantine of all blocks. The quarantine can fragment
 *                       an arena of minimal size so that an allocation fails.
 *                       To detect a replaced object after any number of reuses, objects store the
 *                       serial numbers of objects they refer to. At every level, pools and buffer
 *                       arrays store the serial number of their mmap, and graph nodes store the
 *                       serial number of their context. In the checked mode, tasks also store
 *                       the serial numbers of their buffers, and graph nodes store the serial
 *                       number of their task (a replaced task is not detected in 1 of 65536
 *                       cases).
 *   in flight           While a task is in flight, changing the content of its buffers, their list
 *                       or their last reference is rejected with IN_USE. Reading the content,
 *                       reading the status of the task or batch (which is not known yet), or
 *                       setting its user data is reported and proceeds.
 *   overlap             Two copies or hashes in flight that write to the same bytes: reported at
 *                       the second submit. The task is submitted.
 *   a second thread     Using a PE, or a context, task, batch or graph of it, while another thread
 *                       runs a call on any of them, including doca_pe_progress() with its
 *                       callbacks, is rejected with NOT_PERMITTED; a function without an error
 *                       code does nothing. The same holds for a context without a PE, a sync event
 *                       that is not started, an mmap, a buffer array, an inventory or a pool. A
 *                       thread counts as using an object while it runs a call that changes the
 *                       object. The checked mode remembers up to 64 such uses. (Not detected:
 *                       getters, changes of a task or batch that the program owns, and accesses to
 *                       the value of a sync event. A thread that ends during a call counts as
 *                       using the object forever, as does a thread whose log sink leaves by
 *                       longjmp. Without thread-local storage, all threads count as the same
 *                       thread.)
 *                       Concurrent calls of the following kinds are reported, and the later call
 *                       waits for the earlier one: allocating from, releasing to or expanding the
 *                       same inventory or pool; setting the content of the same buffer, or
 *                       changing its reference count; chaining or splitting the same list;
 *                       creating or releasing buffers of an mmap that threads may not share, or
 *                       creating a sync event in such an mmap. (When a list is duplicated, only
 *                       the mmap of its head is checked.) A buffer that another thread has just
 *                       released is neither changed nor released again. Creating or releasing a
 *                       buffer of an mmap while another thread runs a call on this mmap is
 *                       reported and proceeds.
 *   progress            Calling doca_pe_progress() inside a callback of the same PE is reported
 *                       and proceeds. (Detected only if both run on one stack. After a callback
 *                       has left by longjmp, its thread counts as being inside until it calls
 *                       doca_pe_progress() again from no deeper in its stack.)
 *   unmapped memory     Software devices copy and hash through the kernel. If memory of a started
 *                       mmap was unmapped, made read-only or cut off by truncating its file, the
 *                       task fails with IO_FAILED, and no signal ends the program. (Where
 *                       process_vm_readv is forbidden, the signal occurs.)
 *   children            At every level, a parent with children cannot be destroyed (IN_USE or a
 *                       similar error). Two cases are exceptions: an mmap with pools or buffer
 *                       arrays, and a context with graph nodes. Their destruction is reported in
 *                       the checked mode and proceeds; at every level, the children detect it when
 *                       they are used.
 *   windows             A buffer of length 0, and a data section outside of its buffer, are
 *                       rejected. (The other levels accept both if all is inside the mmap.)
 *   overwritten memory  The calls of >>buf that take a list check its first 64 elements and return
 *                       UNEXPECTED if they are inconsistent. So does the submit of a task whose
 *                       list has become circular. An arena is audited whenever a block is
 *                       released; damage is reported with the history of the object below the
 *                       damaged place. Released blocks are filled with 0xdd.
 *
 * In addition, doca_task_submit() makes all checks of doca_task_try_submit(). A failed check is
 * reported with a history only if a buffer was released.
 * Cost: buffers and their tasks are twice as large, and an inventory or pool can have only half as
 * many buffers. Pools have the extra elements mentioned above, the calls of >>hot are slower, and
 * submit takes O(buffers in flight). The other levels contain no instruction of this mode.      */
#ifndef DOCA_SRC_OBJECT_CHECK_H
#define DOCA_SRC_OBJECT_CHECK_H

#include "base/types.h"
#include "base/config.h"
#include "base/error.h"
#include "object/hot.h"

/* In the checked mode, the handle of a task, buffer, mmap or context is the object's address plus a
 * generation number in the low bits. (These bits are 0 in a line-aligned address.) The 48
 * generations are the numbers from 1 to 63 that are not multiples of 4.
 * DOCA_PRIV_OPEN(handle) stands among the declarations of a function. If the generation in the
 * variable `handle` is the generation of the live object, the macro replaces the variable by
 * the object's address. Otherwise the variable is unchanged; its value is misaligned and fails the
 * usual type check. The library itself and backends pass plain addresses, which are always
 * accepted. */
#if DOCA_CORE_CHECK >= 2
#define DOCA_PRIV_OPEN(handle)                                                                     \
    const bool doca_priv_opened_##handle DOCA_CORE_UNUSED = doca_priv_check_open(&handle);
#define DOCA_PRIV_IS_OPEN(object) ((uintptr_t)(object) % 4 == 0)
#define DOCA_PRIV_HANDLE(object) doca_priv_check_handle(object)
#define DOCA_PRIV_HANDLE_OF(object, life) doca_priv_check_handle_of((object), (life))
#else
#define DOCA_PRIV_OPEN(handle)
#define DOCA_PRIV_IS_OPEN(object) true
#define DOCA_PRIV_HANDLE(object) ((void *)(object))
#define DOCA_PRIV_HANDLE_OF(object, life) ((void *)(uintptr_t)(object))
#endif

/* Detection of concurrent use, in the checked mode.
 * DOCA_PRIV_ENTER must precede all declarations that read the object. It records the calling thread
 * as a user of the object's root (for example the PE of a context) until the function returns. If
 * another thread is already recorded there, DOCA_PRIV_ALONE(otherwise), the first statement of the
 * function, executes `otherwise`. Invalid handles are ignored here; the function's own checks
 * reject them. With compilers that lack __attribute__((cleanup)), only doca_pe_progress() records
 * its thread. */
#if DOCA_CORE_CHECK >= 2
#if defined(__GNUC__) && !defined(__TINYC__)
#define DOCA_PRIV_HAS_CLEANUP true
#define DOCA_PRIV_AT_END(function) __attribute__((__cleanup__(function)))
#else
#define DOCA_PRIV_HAS_CLEANUP false
#define DOCA_PRIV_AT_END(function)
#endif
#define DOCA_PRIV_ENTER(object, function)                                                          \
    struct doca_priv_check_visit doca_priv_visit DOCA_PRIV_AT_END(doca_priv_check_leave) =         \
        doca_priv_check_enter((object), (function), DOCA_PRIV_HAS_CLEANUP, 0);
#define DOCA_PRIV_ALONE(otherwise)                                                                 \
    if (doca_priv_visit.is_refused)                                                                \
        otherwise;
#else
#define DOCA_PRIV_ENTER(object, function)
#define DOCA_PRIV_ALONE(otherwise)
#endif

/* Number of buffers or tasks that a pool needs so that `num` can be allocated at a time: in the
 * checked mode it includes the quarantine. */
#define DOCA_PRIV_STOCKED(num) ((size_t)(num) + ((num) > 0) * (size_t)DOCA_PRIV_CHECK_QUARANTINED)

/* Number of elements that a check of a list examines; a limit keeps the building of a long list
 * cheap. */
#define DOCA_PRIV_BUF_AUDITED 64

/* Size of a task with buffers: one line, or two lines in the checked mode, which stores the serial
 * numbers of the buffers. */
#define DOCA_PRIV_TASK_BYTES ((DOCA_CORE_CHECK >= 2 ? 2 : 1) * (size_t)DOCA_CORE_LINE)

/* Return the number of reports of the checked mode so far; 0 at other levels.
 * Threads   any */
DOCA_CORE_DECL uint64_t doca_core_check_num_reports(void);

/* Write the history of an object, or of an address that held an object, to `text`. The object may
 * be destroyed.
 *
 *   text, bytes  buffer of at least 96 bytes; if the history does not fit, its oldest events are
 *                left out
 *
 * Threads   any
 * Errors    INVALID_VALUE  also: `bytes` is less than 96
 *           NOT_FOUND      no event of the object is remembered
 *           NOT_SUPPORTED  DOCA_CORE_CHECK is less than 2 */
DOCA_CORE_DECL doca_error_t doca_core_check_life(const void *object, char *text, size_t bytes);

#if DOCA_CORE_CHECK >= 2
struct doca_priv_block;

struct doca_priv_check_visit { /* one recorded use of a root object by a call */
    const void *root;
    const char *outer; /* the enclosing call of the same thread; NULL: no such call */
    uintptr_t place;   /* stack position of the enclosing progress call, or 0 */
    bool is_refused;
    bool is_nested; /* this is a doca_pe_progress() inside another one */
};

struct doca_priv_check_quarantine { /* the quarantine, a ring of released blocks */
    unsigned first;
    unsigned num;
    struct doca_priv_block *blocks[DOCA_PRIV_CHECK_QUARANTINED];
};

union doca_priv_check_buf { /* part of a buffer: the tasks in flight that use it */
    struct {
        uint32_t num_tasks;
        uint32_t num_writers;
        uint32_t pid;       /* process that owns the memory, see doca_priv_far_place() */
        uint32_t num_forks; /* number of forks when the first writer was submitted */
        uint64_t life;      /* serial number of the event by which the buffer was allocated */
        uintptr_t begin;    /* range of bytes that the tasks write */
        uintptr_t end;
        struct doca_buf *next; /* list of all buffers that tasks write to */
        struct doca_buf **link;
    } is;
    unsigned char line[DOCA_CORE_LINE];
};
#endif

#endif
