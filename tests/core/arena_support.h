/* Helpers of the suites of arenas: an arena in a region of the program. */
#ifndef ARENA_SUPPORT_H
#define ARENA_SUPPORT_H

#include "doca_test.h"

#define LINE ((size_t)DOCA_CORE_LINE)
#define REGION_LINES ((size_t)16384)

static DOCA_CORE_ALIGNED unsigned char region[REGION_LINES * DOCA_CORE_LINE];
static struct doca_core_arena arena;

/* Initialize the arena with `lines` lines. */
static inline void init_arena(size_t lines)
{
    CHECK_OK(doca_core_arena_init(&arena, region, lines * LINE));
}

static inline size_t used_of(struct doca_core_arena *a)
{
    size_t used = SIZE_MAX;

    CHECK_OK(doca_core_arena_query(a, &used, NULL, NULL));
    return used;
}

static inline unsigned char *take(size_t bytes)
{
    void *block = NULL;

    CHECK_OK(doca_core_arena_take(&arena, bytes, &block));
    CHECK(block != NULL);
    return block;
}

static inline void give(void *block)
{
    CHECK_OK(doca_core_arena_give(&arena, block));
}

/* Check that no block is in use, the audit succeeds, and the arena is one free block. */
static inline void check_whole(size_t lines)
{
    CHECK_OK(doca_core_arena_audit(&arena));
    CHECK_EQ(used_of(&arena), 0);
    give(take((lines - 1) * LINE));
    CHECK_EQ(used_of(&arena), 0);
}

#endif
