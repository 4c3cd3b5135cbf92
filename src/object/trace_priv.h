/* ---- >>priv.trace ----------------------------------------------------------------------------
 * Layout of a recording, and declarations of >>impl.trace for other parts.                       */
#ifndef DOCA_SRC_OBJECT_TRACE_PRIV_H
#define DOCA_SRC_OBJECT_TRACE_PRIV_H

#include "base/compiler.h"
#include "base/config.h"
#include "object/hot_trace.h"

#if DOCA_CORE_TRACE
struct doca_priv_trace_event {
    uint64_t ticks; /* DOCA_CORE_TRACE_TICKS() */
    uint64_t object;
    uint64_t other;
    uint32_t amount;
    uint32_t what; /* kind, type << 8, detail << 16; stored last: 0 while the event is incomplete */
};

/* The head of a block. The events follow. */
struct doca_priv_trace_block {
    uint64_t serial; /* 1 for the first block of the recording; 0: not used */
    uint64_t ticks;  /* time at which the thread took the block */
    uint64_t ns;     /* the same time by CLOCK_MONOTONIC; 0: not read */
    uint32_t thread;
    uint32_t unused[9];
};

/* The head of the recording. It takes the first block. */
struct doca_priv_trace_head {
    char magic[8]; /* "DOCATRC1"; written last */
    uint32_t block_bytes;
    uint32_t mode;
    uint32_t num_blocks;  /* number of blocks after this one */
    uint32_t num_taken;   /* blocks that threads have asked for */
    uint64_t first_ticks; /* two moments, by both clocks, before the first event */
    uint64_t first_ns;
    uint64_t second_ticks;
    uint64_t second_ns;
    uint64_t last_ticks; /* end of the recording; 0: it was not stopped */
    uint64_t last_ns;
    uint32_t process;
    uint32_t unused;
    char program[64];
};

DOCA_PRIV_DECL void doca_priv_trace_text(uint32_t what, const void *object, uint64_t other,
                                         const char *text, size_t len);
#endif

#if DOCA_CORE_TRACE && defined(__linux__) && !defined(DOCA_CORE_FREESTANDING)
DOCA_PRIV_DECL void doca_priv_trace_read_environment(void);
#else
#define doca_priv_trace_read_environment() ((void)0)
#endif

#endif
