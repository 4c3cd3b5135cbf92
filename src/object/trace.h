/* ---- >>trace --------------------------------------------------------------------------------
 * A recording of what happens to every task: when it was submitted, when the engine began and ended
 * its execution, and when its callback ran; and of each refusal, change of state, arming and
 * wake-up in between. The program provides the memory. tools/trace turns recordings into a picture.
 *
 * Files that are compiled with DOCA_CORE_TRACE 1 record events while a recording runs. The default
 * is 0: then no code is generated, and doca_core_trace_start() returns NOT_SUPPORTED. The
 * implementation and all files that submit tasks must be compiled with the same value.
 *
 * A recording consists of blocks of DOCA_CORE_TRACE_BLOCK bytes. Each thread takes a block and
 * fills it alone, without a lock; an event takes 32 bytes. When no block is left, the recording
 * either overwrites the oldest block or drops later events, as the program chose at the start. An
 * event is in memory before the call that caused it returns. If the memory is a file, the recording
 * of a program that crashed can be read up to its last event.
 *
 * A user can start a recording without changing the program, by environment variables. They are
 * read when the program makes its first device list (in hosted processes only):
 *     DOCA_CORE_TRACE_FILE=PATH   file of the recording; "%p" in PATH stands for the process number
 *     DOCA_CORE_TRACE_BYTES=N     its size (default: 16 MiB); the oldest events are overwritten
 *
 * A forked child does not record into the memory of its parent. The child records when it calls
 * doca_core_trace_start() itself, or when it makes a device list and DOCA_CORE_TRACE_FILE has "%p".
 * On Linux before 4.14 the library cannot detect a fork; there a child must not use the library.
 *
 * Threads: every call of this section may be made from any thread, and from callbacks.           */
#ifndef DOCA_SRC_OBJECT_TRACE_H
#define DOCA_SRC_OBJECT_TRACE_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"

#define DOCA_CORE_TRACE_BLOCK 4096u
#define DOCA_CORE_TRACE_MIN_BYTES (4 * (size_t)DOCA_CORE_TRACE_BLOCK)

/* Treatment of new events when all blocks of the recording are full. */
enum doca_core_trace_mode {
    DOCA_CORE_TRACE_OVERWRITE = 0, /* the oldest block is overwritten */
    DOCA_CORE_TRACE_KEEP = 1       /* later events are dropped */
};

/* Start a recording.
 *
 *   memory  aligned to DOCA_CORE_LINE; belongs to the recording until doca_core_trace_stop(). If it
 *           is a shared mapping of a file, the recording survives a crash of the program.
 *   bytes   at least DOCA_CORE_TRACE_MIN_BYTES; an incomplete last block is not used
 *   mode    what happens when no block is left
 *
 * Cost      about 0.2 ms: the time stamp counter of the CPU is compared with the clock
 * Errors    INVALID_VALUE  `memory` is NULL or not aligned, `bytes` is too small, or 2^44
 *                          or more, or `mode` unknown
 *           BAD_STATE      a recording runs already
 *           NOT_SUPPORTED  the implementation was compiled without DOCA_CORE_TRACE */
DOCA_CORE_DECL doca_error_t doca_core_trace_start(void *memory, size_t bytes,
                                                  enum doca_core_trace_mode mode);

/* Start a recording in a file. The call creates the file, or empties it. The file remains after
 * doca_core_trace_stop() and after the end of the process.
 *
 * Cost      system calls; all blocks of the file are allocated in this call, so that a full disk is
 *           an error here and not a SIGBUS later
 * Errors    those of doca_core_trace_start(), and
 *           INVALID_VALUE     `path` is NULL
 *           OPERATING_SYSTEM  the file cannot be created, allocated or mapped; `path` is too long;
 *                             there is no operating system */
DOCA_CORE_DECL doca_error_t doca_core_trace_start_file(const char *path, size_t bytes,
                                                       enum doca_core_trace_mode mode);

/* Stop the recording. Its memory belongs to the program again, but calls that are running in other
 * threads may still write an event into it. A file is complete; it stays mapped until the next
 * recording starts.
 *
 * Errors    BAD_STATE      no recording runs
 *           NOT_SUPPORTED  the implementation was compiled without DOCA_CORE_TRACE */
DOCA_CORE_DECL doca_error_t doca_core_trace_stop(void);

/* Record the first 120 bytes of a text. The text appears on the time line of the calling thread.
 * The call has no effect if no recording is running or `text` is NULL.
 *
 * Cost      an event, and one more for each 20 bytes */
DOCA_CORE_DECL void doca_core_trace_mark(const char *text);

#endif
