/* ---- >>priv.stats ----------------------------------------------------------------------------
 * Layout of the pages of counters, and declarations of >>impl.stats for other parts.            */
#ifndef DOCA_SRC_PROGRESS_STATS_PRIV_H
#define DOCA_SRC_PROGRESS_STATS_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "progress/ctx.h"
#include "progress/pe.h"

#if !defined(DOCA_CORE_NO_STATS)

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
    uint32_t num_uncounted; /* in the first page: objects that started when all pages were full */
    uint32_t unused[11];
    struct doca_priv_stats_record records[DOCA_PRIV_STATS_PER_PAGE];
};

DOCA_PRIV_DECL void doca_priv_stats_attach(struct doca_ctx *ctx);
DOCA_PRIV_DECL void doca_priv_stats_detach(uint16_t *number, const void *object);
DOCA_PRIV_DECL void doca_priv_stats_count(const struct doca_ctx *ctx, const struct doca_task *task);
DOCA_PRIV_DECL void doca_priv_stats_count_withdrawn(const struct doca_ctx *ctx);
DOCA_PRIV_DECL void doca_priv_stats_publish(const struct doca_pe *pe);
DOCA_PRIV_DECL void doca_priv_stats_set_state(const struct doca_ctx *ctx);
#endif

#endif
