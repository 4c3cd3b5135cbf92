/* ---- >>stats --------------------------------------------------------------------------------
 * Statistics of contexts and progress engines: tasks that were submitted, completed and failed,
 * bytes, the most tasks in flight, and polls that found nothing.
 *
 * Every build for an operating system can count, unless DOCA_CORE_NO_STATS leaves out this module.
 * The answer depends on doca_core_stats_start():
 *   not called   num_inflight only, which the library must know anyway; all other members are 0
 *   called       all members, for every context that starts after the call
 * The data path contains no code for statistics in either case. A context that is counted is served
 * by the out-of-line part of doca_pe_progress() that also serves contexts which are stopping, and
 * only this part counts. It counts at the end of each task. The number of submitted tasks is the
 * sum of those that have ended and those in flight. The number in flight is compared with its
 * maximum just before a task ends, when it is highest.
 *
 * A user can count without changing the program: with DOCA_CORE_STATS=1 in the environment, which
 * is read when a context starts (hosted processes on Linux only). The counters lie in pages that
 * the process shares through its descriptors, so that `doca_caps --stats PID` can show them while
 * the program runs. The kernel lets only the same user and root read them.
 *
 * A forked child does not count the contexts that it inherits. Its new contexts are counted after
 * it calls doca_core_stats_start() itself, or with DOCA_CORE_STATS=1. Linux before 4.14 cannot tell
 * the library of a fork; there a child changes the counters of its parent.                       */
#ifndef DOCA_SRC_PROGRESS_STATS_H
#define DOCA_SRC_PROGRESS_STATS_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"

/* Counters of a context, from its first counted start to its destruction. The tasks
 * that a graph submits for its nodes are counted like others. */
struct doca_core_ctx_stats {
    bool is_counted;          /* false: only num_inflight is known; the other members are 0 */
    uint64_t num_submitted;   /* tasks that were accepted: ended, withdrawn or in flight */
    uint64_t num_completed;   /* tasks that ended with SUCCESS */
    uint64_t num_failed;      /* tasks that ended with another status, also flushed ones */
    uint64_t num_withdrawn;   /* receive tasks of Comch that the program freed in flight */
    uint64_t num_events;      /* events of Comch and RDMA, such as received messages */
    uint64_t num_bytes;       /* that completed copies, hashes, sends and RDMA writes have read, and
                               * RDMA reads, atomic tasks and receives have written */
    uint64_t num_inflight;    /* tasks in flight at this time */
    uint64_t max_inflight;    /* the most tasks that were in flight at a time */
    uint64_t num_empty_polls; /* times that doca_pe_progress() asked for a task in vain */
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
    uint64_t num_inflight;    /* of all contexts of the PE, counted or not */
    uint64_t max_inflight;    /* of the counted contexts together */
    uint64_t num_empty_polls; /* calls of doca_pe_progress() that returned 0 while a counted
                               * context, or one whose device can fail, was not idle */
};

/* Count every context that starts from now on, and the PE of such a context. A context that is
 * running is counted after it was stopped and started again. Another call has no effect.
 *
 * Owns      a file descriptor and 4096 bytes for each 63 contexts and PEs, until the process ends.
 *           The statistics have room for 1008; contexts beyond are not counted.
 * Threads   any
 * Cost      a few system calls. A task of a counted context costs about 20 ns more, and O(contexts
 *           of the PE); a call of doca_pe_progress() that finds nothing about 4 ns more.
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

/* Counters of one context or PE. Its number is 1 + its place in the page + 63 times that page's. */
struct doca_priv_stats_record {
    uint32_t id;    /* address of the object in cache lines, cut to 32 bits; 0: not used */
    uint16_t pe;    /* of a context: number of the record of its PE; of a PE: 0 */
    uint8_t kind;   /* DOCA_PRIV_KIND_* */
    uint8_t state;  /* of a context: a doca_ctx_states */
    uint64_t num_completed;
    uint64_t num_failed;
    uint64_t num_withdrawn;
    uint64_t num_events;
    uint64_t num_bytes;
    uint64_t num_empty_polls; /* of a PE: a recent value of num_fruitless */
    uint32_t num_inflight;    /* of a context: at its latest poll; of a PE: not used */
    uint32_t max_inflight;
};

/* A page of shared memory. */
struct doca_priv_stats_page {
    char magic[8];          /* written last */
    uint32_t process;       /* that counts; a forked child also has the descriptor of the page */
    uint32_t serial;        /* place of the page among those of the process, from 0 on */
    uint32_t num_uncounted; /* in the first page: starts of objects for which no record was free */
    uint32_t unused[11];
    struct doca_priv_stats_record records[DOCA_PRIV_STATS_PER_PAGE];
};

#endif
