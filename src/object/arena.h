/* ---- >>arena --------------------------------------------------------------------------------
 * An arena is a memory region of the caller from which all objects are allocated. It is divided
 * into blocks of whole cache lines. The first line of each block is a header, so an overrun into
 * the next block damages a header and is found by the audit. Allocation and release are O(1)
 * (two-level segregated fit); adjacent free blocks are merged. A spin lock makes an arena usable
 * from any thread. The vendor's library has no such object.                                     */
#ifndef DOCA_SRC_OBJECT_ARENA_H
#define DOCA_SRC_OBJECT_ARENA_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "object/check.h"

/* Number of bytes that one block of `bytes` bytes takes in an arena, including the header line. */
#define DOCA_CORE_BYTES_BLOCK(bytes)                                                               \
    (DOCA_CORE_LINE +                                                                              \
     ((size_t)(bytes) + DOCA_CORE_LINE - 1) / DOCA_CORE_LINE * (size_t)DOCA_CORE_LINE)

#define DOCA_PRIV_ARENA_FL 42 /* size classes: powers of two, in lines */
#define DOCA_PRIV_ARENA_SL 8  /* subdivisions of each class */

struct doca_priv_block { /* the header line of a block */
    uint32_t magic;
    uint32_t is_free; /* 0: allocated; 1: free; 2: in quarantine (checked mode) */
    size_t lines; /* size of the block, header included */
    struct doca_priv_block *below; /* the block just below in memory; NULL for the first */
    struct doca_priv_block *next;  /* neighbours in the free list, while free */
    struct doca_priv_block *prev;
};

struct doca_core_arena {
    struct doca_priv_object obj;
    uint32_t lock;
    uint32_t salt;       /* part of every header's magic; detects headers of an earlier arena */
    unsigned char *base; /* NULL: this arena only counts the requested lines */
    size_t lines;
    size_t used; /* number of lines in use */
    size_t peak;
    uint64_t fl_map;
    uint8_t sl_map[DOCA_PRIV_ARENA_FL];
    struct doca_priv_block *free_list[DOCA_PRIV_ARENA_FL][DOCA_PRIV_ARENA_SL];
    DOCA_PRIV_CHECKED(struct doca_priv_check_quarantine quarantine;)
};

/* Initialize an arena in [mem, mem + bytes).
 *
 *   arena  the caller's structure; its previous content is ignored
 *   mem    aligned to DOCA_CORE_LINE
 *   bytes  rounded down to whole lines
 *
 * Owns      nothing: `arena` and `mem` belong to the caller and must outlive every object in the
 *           arena
 * Cost      O(1); touches one line of `mem`
 * Errors    INVALID_VALUE  `mem` is misaligned, or `bytes` is 2^47 or more
 *           NO_MEMORY      `bytes` is less than two lines */
DOCA_CORE_DECL doca_error_t doca_core_arena_init(struct doca_core_arena *arena, void *mem,
                                                 size_t bytes);

/* Bind the arena from which create functions without a parent object allocate memory, in all
 * threads. NULL selects the static default arena. Existing objects stay in their arenas.
 * Threads   any */
DOCA_CORE_DECL doca_error_t doca_core_arena_bind(struct doca_core_arena *arena);

/* Return the arena from which create functions without a parent object currently allocate memory.
 * If no arena is bound and there is no default arena, the result is an arena without memory. */
DOCA_CORE_DECL struct doca_core_arena *doca_core_arena_bound(void);

/* Allocate one line-aligned block of at least `bytes` bytes (at least 1). Its content is undefined.
 *
 * Threads   any
 * Cost      O(1)
 * Errors    NO_MEMORY  no sufficiently large free block was found; the arena is unchanged */
DOCA_CORE_DECL doca_error_t doca_core_arena_take(struct doca_core_arena *arena, size_t bytes,
                                                 void **block);

/* Release a block of doca_core_arena_take(). NULL is accepted.
 *
 * Threads   any
 * Cost      O(1); O(blocks) for UNEXPECTED, as an audit then locates the damage
 * Errors    INVALID_VALUE  `block` is not in this arena, or not aligned to DOCA_CORE_LINE
 *           BAD_STATE      the block is already released
 *           UNEXPECTED     the header of the block, or of an adjacent block, is overwritten, or
 *                          `block` is not the start of a block; nothing is released */
DOCA_CORE_DECL doca_error_t doca_core_arena_give(struct doca_core_arena *arena, void *block);

/* Get the number of bytes in use (headers included), its maximum so far, and the size of the
 * largest block that can certainly be allocated. Each output may be NULL.
 * Threads   any */
DOCA_CORE_DECL doca_error_t doca_core_arena_query(struct doca_core_arena *arena, size_t *used,
                                                  size_t *peak, size_t *largest_free);

/* Check every header, link and counter of the arena.
 *
 * Threads   any
 * Cost      O(blocks), while holding the arena's lock
 * Errors    UNEXPECTED  something is overwritten; the log line has the address of the header */
DOCA_CORE_DECL doca_error_t doca_core_arena_audit(struct doca_core_arena *arena);

#endif
