/* doca_core_log.h - the logging API of the vendor's SDK (doca_log.h), for use with doca_core.h
 *
 * This header provides the names, values and signatures of doca_log.h as of version 3.0. It is
 * built on stdio and POSIX. It allocates no heap memory and starts no thread. doca_core.h does not
 * depend on it.
 *
 * DO THIS in one C (or C++) file, and include the header without the macro everywhere else:
 *
 *     #define DOCA_CORE_LOG_IMPLEMENTATION
 *     #include "doca_core_log.h"
 *
 * A RECORD is one line, which is written at once:
 *
 *     [HH:MM:SS:usec][thread id][DOCA][INF][file.c:line][function] text
 *
 * The time is local time. The level is printed as CRT, ERR, WRN, INF, DBG or TRC. A line that is
 * longer than DOCA_CORE_LOG_LINE_BYTES is cut and ends in "...".
 *
 * TWO SIDES. There are application backends and SDK backends. Records of the program go to every
 * application backend, and records of the library go to every SDK backend. Each backend has an
 * upper and a lower limit, and writes a record only when
 *
 *     upper limit <= level of the record <= lower limit       (CRIT is 20, TRACE is 70)
 *
 * The lower limit is therefore the least severe level that the backend writes. Each call that
 * creates an SDK backend or sets an SDK level installs this header as the sink of the library's
 * log and sets the library's level (doca_core_log_set_sink, doca_core_log_set_level). A program
 * that calls doca_core_log_set_sink() afterwards takes the library's log away from this header. A
 * record of the library carries the function, object, state, reason and error code. It has no line
 * number and prints 0.
 *
 * LIFETIME. A backend cannot be destroyed, so the file, descriptor or buffer that it writes to must
 * outlive the program's use of the log. Closing the FILE of a backend is an error of the program.
 * When the descriptor of a backend is closed, its records are lost.
 *
 * MEMORY. Backends and sources are entries of tables with a fixed size. The C library itself may
 * allocate memory: for the time zone when the first backend is created, for the buffer of a FILE at
 * its first output, and at any time in syslog() and for unusual formats (%ls).
 *
 * THREADS. Any thread may make any call. A record outside the limits of every backend costs a few
 * loads and takes no lock. Writing a record takes one lock per backend. A record can be made while
 * the same thread is already writing to a backend, in a flush callback or a signal handler. Such a
 * record skips that backend, and every backend that another thread is writing to at that moment:
 * waiting for that thread could deadlock. A thread that waits for the lock calls sched_yield() in a
 * loop. If another thread holds the lock during fork(), the lock stays taken in the child. All
 * calls that log preserve errno.
 *
 * SIGNAL HANDLERS may call the logging macros, with or without a rate limit, and read the global
 * limits, even when they interrupt a call of this header. They may not make other calls. But the C
 * library takes its own locks in FILE output, in syslog() and in localtime(), which this header
 * calls for every record. So a signal handler must not log if it can interrupt the program's own
 * calls of these functions.
 *
 * ENVIRONMENT. DOCA_LOG_LEVEL sets the initial global lower limit, which otherwise is INFO. Its
 * value is one of the numbers 10, 20 ... 70 or a name from DISABLE to TRACE in upper or lower case.
 * A level that the program sets later replaces it. The first application backend logs a warning
 * about any other value. An empty value counts as unset.
 *
 * ERRORS are reported by code only; these calls do not set doca_core_last_error().
 *
 * Assumed, because the vendor's documents do not say: the error codes; that the latest call
 * determines a limit when one call sets it for one backend and another call for all backends; that
 * a level set by the program replaces the level of the environment; that the limits of an SDK
 * backend can be set like those of an application backend; that a second call of
 * doca_log_backend_create_standard() succeeds and changes nothing; that a buffer and syslog receive
 * the same line as a file; the spelling CRT.
 * Source: API reference, "DOCA Log"; DOCA Log guide.
 *
 * CONTENTS (search for the tag)
 * amalgamate: contents
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/compat/log/. Change the parts.
 */
