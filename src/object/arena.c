/* ---- >>impl.arena ---------------------------------------------------------------------------
 * Two-level segregated fit over whole lines. The class of a size is its highest bit and the three
 * bits below it; each size below 8 lines has its own class. An allocation first checks some
 * blocks of its own class (the block released last often fits exactly), then takes a block from
 * the smallest class in which every block is large enough.                                      */
#include "object/arena_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/check.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"

#define DOCA_PRIV_ARENA_LOOKS 4 /* maximum number of blocks of the size's own class that are
                                 * tried */

DOCA_PRIV_ASSERT_STATIC(header_is_a_line, sizeof(struct doca_priv_block) <= DOCA_CORE_LINE);

/* True when `bytes` is at least 2^47 bytes (2^41 lines), more than the size classes cover. */
static bool doca_priv_arena_is_beyond(size_t bytes)
{
    return doca_priv_high_bit((uint64_t)bytes | 1) >= 47;
}

/* Compute the magic number of a header. It depends on the block's address, so a copied header is
 * detected. */
static uint32_t doca_priv_block_sign(const struct doca_core_arena *arena,
                                     const struct doca_priv_block *block)
{
    return arena->salt ^ (uint32_t)((uintptr_t)block / DOCA_CORE_LINE);
}

static struct doca_priv_block *doca_priv_block_at(struct doca_priv_block *block, size_t lines)
{
    return (struct doca_priv_block *)(void *)((unsigned char *)block + lines * DOCA_CORE_LINE);
}

/* Return the block just above in memory, or NULL for the topmost block. */
static struct doca_priv_block *doca_priv_block_above(const struct doca_core_arena *arena,
                                                     struct doca_priv_block *block)
{
    struct doca_priv_block *above = doca_priv_block_at(block, block->lines);

    return (unsigned char *)above < arena->base + arena->lines * DOCA_CORE_LINE ? above : NULL;
}

static void doca_priv_arena_class(size_t lines, unsigned *fl, unsigned *sl)
{
    unsigned high = lines < DOCA_PRIV_ARENA_SL ? 2 : doca_priv_high_bit(lines);

    *fl = high - 2;
    *sl = (unsigned)(lines >> (high - (high > 2 ? 3 : 2))) % DOCA_PRIV_ARENA_SL;
}

static void doca_priv_arena_insert(struct doca_core_arena *arena, struct doca_priv_block *block)
{
    struct doca_priv_block **list;
    unsigned fl, sl;

    doca_priv_arena_class(block->lines, &fl, &sl);
    list = &arena->free_list[fl][sl];
    block->is_free = 1;
    block->prev = NULL;
    block->next = *list;
    if (*list != NULL)
        (*list)->prev = block;
    *list = block;
    arena->fl_map |= (uint64_t)1 << fl;
    arena->sl_map[fl] = (uint8_t)(arena->sl_map[fl] | 1u << sl);
}

static void doca_priv_arena_remove(struct doca_core_arena *arena, struct doca_priv_block *block)
{
    unsigned fl, sl;

    doca_priv_arena_class(block->lines, &fl, &sl);
    if (block->next != NULL)
        block->next->prev = block->prev;
    if (block->prev != NULL)
        block->prev->next = block->next;
    else
        arena->free_list[fl][sl] = block->next;
    if (arena->free_list[fl][sl] == NULL) {
        arena->sl_map[fl] = (uint8_t)(arena->sl_map[fl] & ~(1u << sl));
        if (arena->sl_map[fl] == 0)
            arena->fl_map &= ~((uint64_t)1 << fl);
    }
    block->is_free = 0;
}

static struct doca_priv_block *doca_priv_arena_find(struct doca_core_arena *arena, size_t lines)
{
    struct doca_priv_block *block;
    unsigned fl, sl, looks = 0;
    uint64_t fls;
    unsigned sls;

    doca_priv_arena_class(lines, &fl, &sl);
    for (block = arena->free_list[fl][sl]; block != NULL; block = block->next) {
        if (block->lines >= lines)
            return block;
        if (++looks == DOCA_PRIV_ARENA_LOOKS)
            break;
    }
    sls = arena->sl_map[fl] & (unsigned)(0xfeu << sl);
    if (sls == 0) {
        fls = arena->fl_map & ~(((uint64_t)2 << fl) - 1);
        if (fls == 0)
            return NULL;
        fl = doca_priv_low_bit(fls);
        sls = arena->sl_map[fl];
    }
    return arena->free_list[fl][doca_priv_low_bit(sls)];
}

/* Cut `block` down to `lines`. The rest becomes a new free block. */
static void doca_priv_arena_split(struct doca_core_arena *arena, struct doca_priv_block *block,
                                  size_t lines)
{
    struct doca_priv_block *rest, *above = doca_priv_block_above(arena, block);

    if (block->lines == lines)
        return;
    rest = doca_priv_block_at(block, lines);
    rest->magic = doca_priv_block_sign(arena, rest);
    rest->lines = block->lines - lines;
    rest->below = block;
    block->lines = lines;
    if (above != NULL)
        above->below = rest;
    doca_priv_arena_insert(arena, rest);
}

/* Merge the adjacent blocks `lower` and `upper`. Neither is in a free list. */
static void doca_priv_arena_join(struct doca_core_arena *arena, struct doca_priv_block *lower,
                                 struct doca_priv_block *upper)
{
    struct doca_priv_block *above;

    lower->lines += upper->lines;
    upper->is_free = 1; /* the old header stays readable, so that a second release of the block is
                         * detected */
    above = doca_priv_block_above(arena, lower);
    if (above != NULL)
        above->below = lower;
}

/* Put a block into a free list, merged with its free neighbours. */
static void doca_priv_arena_release(struct doca_core_arena *arena, struct doca_priv_block *b)
{
    struct doca_priv_block *above = doca_priv_block_above(arena, b), *below = b->below;

    if (above != NULL && above->is_free == 1) {
        doca_priv_arena_remove(arena, above);
        doca_priv_arena_join(arena, b, above);
    }
    if (below != NULL && below->is_free == 1) {
        doca_priv_arena_remove(arena, below);
        doca_priv_arena_join(arena, below, b);
        b = below;
    }
    doca_priv_arena_insert(arena, b);
}

static void doca_priv_arena_charge(struct doca_core_arena *arena, size_t lines)
{
    arena->used += lines;
    if (arena->used > arena->peak)
        arena->peak = arena->used;
}

/* Initialize an arena without memory. Its base is NULL, so it only counts the requested lines. */
DOCA_PRIV_DECL void doca_priv_arena_clear(struct doca_core_arena *arena)
{
    DOCA_CORE_MEMSET(arena, 0, sizeof(*arena));
    doca_priv_object_init(&arena->obj, DOCA_PRIV_KIND_ARENA);
}

DOCA_CORE_DECL doca_error_t doca_core_arena_init(struct doca_core_arena *arena, void *mem,
                                                 size_t bytes)
{
    struct doca_priv_block *block;

    if (arena == NULL || mem == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    if ((uintptr_t)mem % DOCA_CORE_LINE != 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ARENA_MISALIGNED, NULL);
    if (doca_priv_arena_is_beyond(bytes))
        return DOCA_PRIV_FAIL(INVALID_VALUE, ARENA_TOO_LARGE, NULL);
    if (bytes < 2 * DOCA_CORE_LINE)
        return DOCA_PRIV_FAIL(NO_MEMORY, ARENA_TOO_SMALL, NULL);
    doca_priv_stocks_forget(mem, bytes);
    doca_priv_arena_clear(arena);
    arena->salt = doca_priv_serial() * 0x9e3779b9u; /* an odd factor spreads the numbers and keeps
                                                     * them unique */
    arena->base = (unsigned char *)mem;
    arena->lines = bytes / DOCA_CORE_LINE;
    block = (struct doca_priv_block *)mem;
    block->magic = doca_priv_block_sign(arena, block);
    block->lines = arena->lines;
    block->below = NULL;
    doca_priv_arena_insert(arena, block);
    return DOCA_SUCCESS;
}

static struct doca_core_arena *doca_priv_bound_arena;

/* Return the default arena. The first call initializes it. The array has one line more than the
 * arena, because some compilers do not align static objects as far as DOCA_CORE_ALIGNED
 * requires. */
static struct doca_core_arena *doca_priv_default_arena(void)
{
    static DOCA_CORE_ALIGNED unsigned char mem[(DOCA_CORE_DEFAULT_ARENA_BYTES) + DOCA_CORE_LINE];
    static struct doca_core_arena arena;
    static uint32_t lock;
    size_t shift = (size_t)(0 - (uintptr_t)mem) % DOCA_CORE_LINE;

    doca_priv_lock(&lock);
    if (arena.base == NULL && (DOCA_CORE_DEFAULT_ARENA_BYTES) > 0) {
        (void)doca_core_arena_init(&arena, mem + shift, DOCA_CORE_DEFAULT_ARENA_BYTES);
    } else if (arena.base == NULL) {
        doca_priv_arena_clear(&arena);
        arena.base = mem; /* not NULL, so that this arena of 0 lines does not only count */
    }
    doca_priv_unlock(&lock);
    return &arena;
}

DOCA_CORE_DECL doca_error_t doca_core_arena_bind(struct doca_core_arena *arena)
{
    if (arena != NULL && !doca_priv_is(arena, DOCA_PRIV_KIND_ARENA))
        return DOCA_PRIV_FAIL_HANDLE(arena);
    DOCA_PRIV_STORE(&doca_priv_bound_arena, arena);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL struct doca_core_arena *doca_core_arena_bound(void)
{
    struct doca_core_arena *arena = DOCA_PRIV_LOAD(&doca_priv_bound_arena);

    return arena != NULL ? arena : doca_priv_default_arena();
}

/* True when a valid header of this arena is at `b`. */
static bool doca_priv_arena_holds(const struct doca_core_arena *arena,
                                  const struct doca_priv_block *b)
{
    size_t offset = (size_t)((uintptr_t)b - (uintptr_t)arena->base);

    return offset % DOCA_CORE_LINE == 0 && offset / DOCA_CORE_LINE < arena->lines &&
           b->magic == doca_priv_block_sign(arena, b);
}

/* Check that `b` is an allocated block whose neighbours are intact. Returns NONE or the problem. */
static enum doca_core_item doca_priv_arena_find_fault(const struct doca_core_arena *arena,
                                                      struct doca_priv_block *b)
{
    size_t offset = (size_t)((uintptr_t)b - (uintptr_t)arena->base);
    struct doca_priv_block *above;

    /* an allocated block has at least two lines, so its header is never in the last line */
    if (offset % DOCA_CORE_LINE != 0 || offset / DOCA_CORE_LINE >= arena->lines ||
        offset / DOCA_CORE_LINE + 1 == arena->lines)
        return DOCA_CORE_ITEM_ARENA_FOREIGN;
    if (!doca_priv_arena_holds(arena, b))
        return DOCA_CORE_ITEM_ARENA_BROKEN;
    if (b->is_free != 0)
        return DOCA_CORE_ITEM_ARENA_GIVEN_TWICE;
    if (b->lines == 0 || b->lines > arena->lines - offset / DOCA_CORE_LINE)
        return DOCA_CORE_ITEM_ARENA_BROKEN;
    above = doca_priv_block_above(arena, b);
    if (above != NULL && (!doca_priv_arena_holds(arena, above) || above->below != b))
        return DOCA_CORE_ITEM_ARENA_BROKEN;
    if (b->below == NULL ? offset != 0
                         : !doca_priv_arena_holds(arena, b->below) ||
                               b->below->lines !=
                                   ((uintptr_t)b - (uintptr_t)b->below) / DOCA_CORE_LINE)
        return DOCA_CORE_ITEM_ARENA_BROKEN;
    return DOCA_CORE_ITEM_NONE;
}

#if DOCA_CORE_CHECK >= 2

struct doca_priv_check_spoilt { /* a released block that was written to, or NULL */
    const unsigned char *object;
    const unsigned char *at;
};

/* Release the oldest blocks from quarantine until `num` blocks remain, or until a released block
 * turns out to be overwritten. */
static struct doca_priv_check_spoilt doca_priv_check_unquarantine(struct doca_core_arena *arena,
                                                                  unsigned num)
{
    struct doca_priv_check_quarantine *quarantine = &arena->quarantine;
    struct doca_priv_check_spoilt spoilt = { NULL, NULL };
    const unsigned char *at, *end;
    struct doca_priv_block *b;

    while (quarantine->num > num && spoilt.object == NULL) {
        b = quarantine->blocks[quarantine->first];
        quarantine->first = (quarantine->first + 1) % DOCA_PRIV_CHECK_QUARANTINED;
        quarantine->num--;
        if (!doca_priv_arena_holds(arena, b) || b->is_free != 2)
            continue; /* the header is damaged: the audit reports it */
        b->is_free = 0;
        if (doca_priv_arena_find_fault(arena, b) != DOCA_CORE_ITEM_NONE)
            continue;
        at = (const unsigned char *)doca_priv_block_at(b, 1);
        end = (const unsigned char *)doca_priv_block_at(b, b->lines);
        while (at < end && *at == 0xdd)
            at++;
        if (at < end) {
            spoilt.object = (const unsigned char *)doca_priv_block_at(b, 1);
            spoilt.at = at;
        }
        doca_priv_arena_release(arena, b);
    }
    return spoilt;
}

/* Put a released block into quarantine. */
static struct doca_priv_check_spoilt doca_priv_check_bury_block(struct doca_core_arena *arena,
                                                                struct doca_priv_block *b)
{
    struct doca_priv_check_quarantine *quarantine = &arena->quarantine;
    struct doca_priv_check_spoilt spoilt =
        doca_priv_check_unquarantine(arena, DOCA_PRIV_CHECK_QUARANTINED - 1);

    DOCA_CORE_MEMSET(doca_priv_block_at(b, 1), 0xdd, (b->lines - 1) * DOCA_CORE_LINE);
    b->is_free = 2;
    quarantine->blocks[(quarantine->first + quarantine->num++) % DOCA_PRIV_CHECK_QUARANTINED] = b;
    return spoilt;
}

/* Log the overwritten block. This does not change the error that the current call returns. */
static void doca_priv_check_report_spoilt(const struct doca_priv_check_spoilt *spoilt,
                                          const char *function)
{
    struct doca_priv_failure f;

    if (spoilt->object == NULL)
        return;
    f = doca_priv_failure_make(DOCA_ERROR_UNEXPECTED, DOCA_CORE_ITEM_CHECK_WRITTEN, function, NULL);
    f.detail = (uintptr_t)spoilt->at;
    f.history_of = doca_priv_check_history_of(DOCA_CORE_ITEM_CHECK_WRITTEN, spoilt->object);
    doca_priv_log(&f);
}

/* Release all blocks from quarantine. */
static void doca_priv_check_exhume_all(struct doca_core_arena *arena, const char *function)
{
    struct doca_priv_check_spoilt spoilt;

    do {
        doca_priv_lock(&arena->lock);
        spoilt = doca_priv_check_unquarantine(arena, 0);
        doca_priv_unlock(&arena->lock);
        doca_priv_check_report_spoilt(&spoilt, function);
    } while (spoilt.object != NULL);
}

#endif

/* Implementation of doca_core_arena_take(). `function` is the name of the call for log lines. */
DOCA_PRIV_DECL doca_error_t doca_priv_arena_take(struct doca_core_arena *arena, size_t bytes,
                                                 void **block, const char *function)
{
    doca_error_t rc = doca_priv_check_args(arena, DOCA_PRIV_KIND_ARENA, block, function);
    struct doca_priv_block *b = NULL;
    size_t lines;

    if (rc != DOCA_SUCCESS)
        return rc;
    if (bytes == 0)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_ZERO, function, arena);
    if (doca_priv_arena_is_beyond(bytes) || bytes > SIZE_MAX - 2 * DOCA_CORE_LINE)
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_ARENA_TOO_LARGE, function,
                              arena->base != NULL ? arena : NULL);
    lines = (bytes - 1) / DOCA_CORE_LINE + 2;
    if (arena->base == NULL) {
        doca_priv_arena_charge(arena, lines);
        *block = NULL;
        return DOCA_SUCCESS;
    }
    doca_priv_lock(&arena->lock);
    b = doca_priv_arena_find(arena, lines);
    DOCA_PRIV_CHECKED(if (b == NULL) {
        doca_priv_unlock(&arena->lock);
        doca_priv_check_exhume_all(arena, function);
        doca_priv_lock(&arena->lock);
        b = doca_priv_arena_find(arena, lines);
    })
    if (b != NULL) {
        doca_priv_arena_remove(arena, b);
        doca_priv_arena_split(arena, b, lines);
        doca_priv_arena_charge(arena, lines);
    }
    doca_priv_unlock(&arena->lock);
    if (b == NULL)
        return doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_ARENA_EXHAUSTED, function,
                              arena);
    *block = doca_priv_block_at(b, 1);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_arena_take(struct doca_core_arena *arena, size_t bytes,
                                                 void **block)
{
    return doca_priv_arena_take(arena, bytes, block, __func__);
}

/* Check all headers from the bottom to the top. Returns the address of the first inconsistent
 * header, with the intact block before it in *below; or NULL. Counts the free blocks and the lines
 * in use. */
static const void *doca_priv_arena_walk(const struct doca_core_arena *arena, size_t *num_free,
                                        size_t *used, struct doca_priv_block **below)
{
    struct doca_priv_block *b;
    size_t at;

    *below = NULL;
    for (at = 0; at < arena->lines; at += b->lines, *below = b) {
        b = (struct doca_priv_block *)(void *)(arena->base + at * DOCA_CORE_LINE);
        if (!doca_priv_arena_holds(arena, b) || b->below != *below || b->lines == 0 ||
            b->lines > arena->lines - at || b->is_free > (DOCA_CORE_CHECK >= 2 ? 2 : 1))
            return b;
        if (b->is_free == 1)
            ++*num_free;
        else if (b->is_free == 0)
            *used += b->lines;
    }
    *below = NULL;
    return NULL;
}

/* Check the free lists. Returns the address of the first inconsistency, or NULL. Counts the blocks
 * in the lists and stops when there are more than `limit`. */
static const void *doca_priv_arena_lists(const struct doca_core_arena *arena, size_t limit,
                                         size_t *listed)
{
    struct doca_priv_block *b, *prev;
    unsigned fl, sl, own_fl, own_sl;

    for (fl = 0; fl < DOCA_PRIV_ARENA_FL; fl++) {
        if ((arena->fl_map >> fl & 1) != (arena->sl_map[fl] != 0 ? 1u : 0u))
            return &arena->fl_map;
        for (sl = 0; sl < DOCA_PRIV_ARENA_SL; sl++) {
            if ((arena->sl_map[fl] >> sl & 1) != (arena->free_list[fl][sl] != NULL ? 1 : 0))
                return &arena->sl_map[fl];
            prev = NULL;
            for (b = arena->free_list[fl][sl]; b != NULL; prev = b, b = b->next) {
                if (!doca_priv_arena_holds(arena, b))
                    return prev != NULL ? (const void *)prev : &arena->free_list[fl][sl];
                doca_priv_arena_class(b->lines, &own_fl, &own_sl);
                if (b->is_free != 1 || b->prev != prev || own_fl != fl || own_sl != sl ||
                    ++*listed > limit)
                    return b;
            }
        }
    }
    return NULL;
}

/* Report that memory at `at` was overwritten; in the checked mode with the history of the object in
 * the block below. */
static doca_error_t doca_priv_arena_broken(const struct doca_core_arena *arena, const void *at,
                                           struct doca_priv_block *below, const char *function)
{
    doca_priv_last = doca_priv_failure_make(DOCA_ERROR_UNEXPECTED, DOCA_CORE_ITEM_ARENA_BROKEN,
                                            function, arena);
    doca_priv_last.detail = (uintptr_t)at;
    (void)below;
    DOCA_PRIV_CHECKED(doca_priv_last.history_of =
                          below != NULL ? doca_priv_block_at(below, 1) : NULL;)
    doca_priv_log(&doca_priv_last);
    return DOCA_ERROR_UNEXPECTED;
}

/* Implementation of doca_core_arena_audit(). `function` is the name of the call for log lines. */
static doca_error_t doca_priv_arena_audit(struct doca_core_arena *arena, const char *function)
{
    size_t num_free = 0, listed = 0, used = 0;
    struct doca_priv_block *below;
    const void *at;

    doca_priv_lock(&arena->lock);
    at = doca_priv_arena_walk(arena, &num_free, &used, &below);
    if (at == NULL)
        at = doca_priv_arena_lists(arena, num_free, &listed);
    if (at == NULL && (listed != num_free || used != arena->used))
        at = arena;
    doca_priv_unlock(&arena->lock);
    return at == NULL ? DOCA_SUCCESS : doca_priv_arena_broken(arena, at, below, function);
}

DOCA_CORE_DECL doca_error_t doca_core_arena_audit(struct doca_core_arena *arena)
{
    return doca_priv_is(arena, DOCA_PRIV_KIND_ARENA) ? doca_priv_arena_audit(arena, __func__)
                                                     : DOCA_PRIV_FAIL_HANDLE(arena);
}

DOCA_CORE_DECL doca_error_t doca_core_arena_give(struct doca_core_arena *arena, void *block)
{
    struct doca_priv_block *b;
    enum doca_core_item doubt;
    doca_error_t rc;
    DOCA_PRIV_CHECKED(struct doca_priv_check_spoilt spoilt;)

    if (!doca_priv_is(arena, DOCA_PRIV_KIND_ARENA))
        return DOCA_PRIV_FAIL_HANDLE(arena);
    if (block == NULL)
        return DOCA_SUCCESS;
    DOCA_PRIV_CHECKED(spoilt.object = NULL;)
    b = (struct doca_priv_block *)((uintptr_t)block - DOCA_CORE_LINE); /* validated below */
    doca_priv_lock(&arena->lock);
    doubt = doca_priv_arena_find_fault(arena, b);
    if (doubt == DOCA_CORE_ITEM_NONE) {
        arena->used -= b->lines;
#if DOCA_CORE_CHECK >= 2
        spoilt = doca_priv_check_bury_block(arena, b);
#else
        doca_priv_arena_release(arena, b);
#endif
    }
    doca_priv_unlock(&arena->lock);
    DOCA_PRIV_CHECKED(doca_priv_check_report_spoilt(&spoilt, __func__);)
    if (doubt == DOCA_CORE_ITEM_NONE) {
        DOCA_PRIV_CHECKED((void)doca_priv_arena_audit(arena, __func__);)
        return DOCA_SUCCESS;
    }
    if (doubt == DOCA_CORE_ITEM_ARENA_FOREIGN)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ARENA_FOREIGN, arena);
    if (doubt == DOCA_CORE_ITEM_ARENA_GIVEN_TWICE)
        return DOCA_PRIV_FAIL(BAD_STATE, ARENA_GIVEN_TWICE, arena);
    rc = doca_priv_arena_audit(arena, __func__);
    return rc != DOCA_SUCCESS
               ? rc
               : doca_priv_arena_broken(arena, b, NULL, __func__); /* `block` was never a block */
}

DOCA_CORE_DECL doca_error_t doca_core_arena_query(struct doca_core_arena *arena, size_t *used,
                                                  size_t *peak, size_t *largest_free)
{
    struct doca_priv_block *block;
    size_t lines = 0;
    unsigned fl, looks;

    if (!doca_priv_is(arena, DOCA_PRIV_KIND_ARENA))
        return DOCA_PRIV_FAIL_HANDLE(arena);
    DOCA_PRIV_CHECKED(if (largest_free != NULL) doca_priv_check_exhume_all(arena, __func__);)
    doca_priv_lock(&arena->lock);
    if (used != NULL)
        *used = arena->used * DOCA_CORE_LINE;
    if (peak != NULL)
        *peak = arena->peak * DOCA_CORE_LINE;
    if (largest_free != NULL) {
        if (arena->fl_map != 0) { /* as in an allocation, look only at the first blocks of the top
                                   * class */
            fl = doca_priv_high_bit(arena->fl_map);
            block = arena->free_list[fl][doca_priv_high_bit(arena->sl_map[fl])];
            for (looks = 0; block != NULL && looks < DOCA_PRIV_ARENA_LOOKS; looks++) {
                if (block->lines > lines)
                    lines = block->lines;
                block = block->next;
            }
        }
        *largest_free = lines > 1 ? (lines - 1) * DOCA_CORE_LINE : 0;
    }
    doca_priv_unlock(&arena->lock);
    return DOCA_SUCCESS;
}

/* Allocate the block of an object and set it to zero. */
DOCA_PRIV_DECL doca_error_t doca_priv_object_take(struct doca_core_arena *arena, size_t bytes,
                                                  void **p, const char *function)
{
    doca_error_t rc = doca_priv_arena_take(arena, bytes, p, function);

    if (rc == DOCA_SUCCESS && *p != NULL)
        DOCA_CORE_MEMSET(*p, 0, bytes);
    return rc;
}

/* Invalidate an object and release its block. */
DOCA_PRIV_DECL doca_error_t doca_priv_object_give(struct doca_core_arena *arena,
                                                  struct doca_priv_object *obj)
{
    doca_priv_object_end(obj);
    return doca_core_arena_give(arena, obj);
}

/* Begin to compute a size: initialize `arena` as an arena without memory. It only counts the bytes
 * that are taken from it. */
DOCA_PRIV_DECL doca_error_t doca_priv_count(struct doca_core_arena *arena, const size_t *bytes,
                                            const char *function)
{
    if (bytes == NULL)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT, function,
                              NULL);
    doca_priv_arena_clear(arena);
    return DOCA_SUCCESS;
}

/* Complete a size computation: if `rc` is DOCA_SUCCESS, store the bytes that were taken from
 * `arena`. */
DOCA_PRIV_DECL doca_error_t doca_priv_counted(const struct doca_core_arena *arena, doca_error_t rc,
                                              size_t *bytes, const char *function)
{
    if (rc == DOCA_SUCCESS && arena->used > SIZE_MAX / DOCA_CORE_LINE)
        rc = doca_priv_fail(DOCA_ERROR_NO_MEMORY, DOCA_CORE_ITEM_ARENA_TOO_LARGE, function, NULL);
    if (rc == DOCA_SUCCESS)
        *bytes = arena->used * DOCA_CORE_LINE;
    return rc;
}

/* Compute the arena bytes of an object that consists only of its structure. */
DOCA_PRIV_DECL doca_error_t doca_priv_bytes_object(size_t object_bytes, size_t *bytes,
                                                   const char *function)
{
    struct doca_core_arena count;
    doca_error_t rc = doca_priv_count(&count, bytes, function);
    void *block;

    if (rc != DOCA_SUCCESS)
        return rc;
    rc = doca_priv_object_take(&count, object_bytes, &block, function);
    return doca_priv_counted(&count, rc, bytes, function);
}
