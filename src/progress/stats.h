/* ---- >>stats --------------------------------------------------------------------------------
 * Statistics of contexts and progress engines: tasks that were submitted, completed and failed,
 * bytes, the most tasks in flight, and polls that found nothing.
 *
 * Every build for an operating system can count, unless DOCA_CORE_NO_STATS leaves out this module.
 * The result depends on doca_core_stats_start():
 *   not called   only num_inflight, which the library must count anyway; all other members are 0
 *   called       all members, for every context that starts after the call
 * The data path contains no code for statistics in either case. A counted context is served by the
 * out-of-line part of doca_pe_progress() that also serves stopping contexts, and only this part
 * counts. It counts at the end of each task. The number of submitted tasks is the number of tasks
 * that have ended plus the number in flight. The number in flight is compared with its maximum just
 * before a task ends, when it is highest.
 *
 * A user can count without changing the program: with DOCA_CORE_STATS=1 in the environment, which
 * is read when a context starts (hosted processes on Linux only). The counters lie in pages that
 * the process shares through its descriptors, so that `doca_caps --stats PID` can show them while
 * the program runs. The kernel lets only the same user and root read them.
 *
 * A forked child does not count the contexts that it inherits. Its new contexts are counted after
 * it calls doca_core_stats_start() itself, or with DOCA_CORE_STATS=1. On Linux before 4.14 the
 * library cannot detect a fork; there a child changes the counters of its parent.               */
#ifndef DOCA_SRC_PROGRESS_STATS_H
#define DOCA_SRC_PROGRESS_STATS_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"

/* Counters of a context, from its first counted start to its destruction. Tasks that a graph
 * submits for its nodes are included. */
struct doca_core_ctx_stats {
    bool is_counted;          /* false: only num_inflight is known; the other members are 0 */
    uint64_t num_submitted;   /* accepted tasks: ended, withdrawn or in flight */
    uint64_t num_completed;   /* tasks that ended with SUCCESS */
    uint64_t num_failed;      /* tasks that ended with another status, including flushed tasks */
    uint64_t num_withdrawn;   /* receive tasks of Comch that the program freed in flight */
    uint64_t num_events;      /* events of Comch and RDMA, such as received messages */
    uint64_t num_bytes;       /* bytes of completed tasks: bytes that copies, hashes, sends and RDMA
                               * writes have read, and that RDMA reads, atomic tasks and receives
                               * have written */
    uint64_t num_inflight;    /* tasks in flight at this time */
    uint64_t max_inflight;    /* maximum number of tasks in flight at the same time */
    uint64_t num_empty_polls; /* polls of the queue in which doca_pe_progress() got no task */
};

/* Counters of a PE: the sums over its counted contexts, including those that were destroyed. */
struct doca_core_pe_stats {
    bool is_counted;        /* false: only num_inflight is known; the other members are 0 */
    uint64_t num_submitted; /* as in doca_core_ctx_stats, like all members without a comment */
    uint64_t num_completed;
    uint64_t num_failed;
    uint64_t num_withdrawn;
    uint64_t num_events;
    uint64_t num_bytes;
    uint64_t num_inflight;    /* in all contexts of the PE, counted or not */
    uint64_t max_inflight;    /* in all counted contexts together */
    uint64_t num_empty_polls; /* calls of doca_pe_progress() that returned 0 while a counted
                               * context, or a context whose device can fail, was not idle */
};

/* Count every context that starts from now on, and its PE. A running context is counted after it
 * was stopped and started again. Another call has no effect.
 *
 * Owns      a file descriptor and 4096 bytes for each 63 contexts and PEs, until the process ends.
 *           Together at most 1008 contexts and PEs are counted.
 * Threads   any
 * Cost      a few system calls. A task of a counted context takes about 20 ns longer, plus
 *           O(contexts of the PE); a call of doca_pe_progress() that finds nothing takes about 4 ns
 *           longer.
 * Errors    OPERATING_SYSTEM  the kernel refuses the memory
 *           NOT_SUPPORTED     there is no operating system */
DOCA_CORE_DECL doca_error_t doca_core_stats_start(void);

/* Get the counters of a context. Allowed in any state.
 *
 *   stats  out
 *
 * Threads   one at a time, the thread of the PE
 * Callback  allowed
 * Errors    INVALID_VALUE  `stats` is NULL, or `ctx` is not a context */
DOCA_CORE_DECL doca_error_t doca_core_ctx_get_stats(const struct doca_ctx *ctx,
                                                    struct doca_core_ctx_stats *stats);

/* Get the counters of a PE.
 *
 *   stats  out
 *
 * Threads   one at a time, the thread of the PE
 * Callback  allowed
 * Cost      O(contexts of the PE)
 * Errors    INVALID_VALUE  `stats` is NULL, or `pe` is not a PE */
DOCA_CORE_DECL doca_error_t doca_core_pe_get_stats(const struct doca_pe *pe,
                                                   struct doca_core_pe_stats *stats);

/* ---- the pages of counters, for readers such as doca_caps ---- */

#define DOCA_PRIV_STATS_MAGIC "DOCASTA1"
#define DOCA_PRIV_STATS_PAGES 16
#define DOCA_PRIV_STATS_PER_PAGE 63

/* Counters of one context or PE. The number of a record is 1 + its index in the page + 63 times the
 * index of the page. */
struct doca_priv_stats_record {
    uint32_t id;    /* address of the object in cache lines, cut to 32 bits; 0: not used */
    uint16_t pe;    /* number of the record of a context's PE; 0 in the record of a PE */
    uint8_t kind;   /* DOCA_PRIV_KIND_* */
    uint8_t state;  /* a doca_ctx_states, in the record of a context */
    uint64_t num_completed;
    uint64_t num_failed;
    uint64_t num_withdrawn;
    uint64_t num_events;
    uint64_t num_bytes;
    uint64_t num_empty_polls; /* in the record of a PE: a recent value of num_fruitless */
    uint32_t num_inflight;    /* in the record of a context: tasks in flight at its latest poll */
    uint32_t max_inflight;
};

/* A page of shared memory. */
struct doca_priv_stats_page {
    char magic[8];          /* written last */
    uint32_t process;       /* process that counts; a forked child also has the descriptor of the
                             * page */
    uint32_t serial;        /* index of the page among the pages of the process */
    uint32_t num_uncounted; /* in the first page: starts of objects that found no free record */
    uint32_t unused[11];
    struct doca_priv_stats_record records[DOCA_PRIV_STATS_PER_PAGE];
};

#endif
