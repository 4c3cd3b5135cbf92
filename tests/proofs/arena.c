/* Blocks of an arena: taken and given back in any order, and given back wrongly.
 *
 * Proven    for an arena of LINES lines, after any OPS calls: a take of any size, a give of any
 *           block that is out, of one that was given before, of addresses inside of blocks, beyond
 *           both ends, and of NULL:
 *           - a take succeeds exactly where a free block is large enough, and the block is apart
 *             from all that are out; what is not SUCCESS changes nothing
 *           - a wrong give is refused by name
 *           - the blocks tile the arena, no two neighbours are free, each free one is in the list
 *             of its class and nowhere else, and `used` is the sum: what doca_core_arena_audit()
 *             says is checked by other code here
 *           - all given back, it is one free block
 *           enumerated: 7 lines, 5 calls (deep: 8 lines, 6). cbmc does not come to an end with it
 * Assumed   one thread */
#include "proof.h"

enum { LINES = 7 + PROOF_DEPTH, OPS = 5 + PROOF_DEPTH };

static struct line {
    struct doca_priv_block block;
    unsigned char rest[DOCA_CORE_LINE - sizeof(struct doca_priv_block)];
} DOCA_CORE_ALIGNED mem[LINES + 2]; /* one below and one above are not the arena's */
static struct line *const lines = mem + 1;

static struct doca_core_arena arena;
static void *out[OPS], *gone[OPS];
static size_t out_lines[OPS];

/* The largest free block, 0 if there is none, after everything was looked at. */
static size_t check(void)
{
    struct doca_priv_block *b, *below = NULL, *prev;
    size_t at = 0, used = 0, largest = 0, num_free = 0, listed = 0, i;

    for (i = 0; i < LINES && at < LINES; i++) {
        b = &lines[at].block;
        PROVE(b->magic == doca_priv_block_sign(&arena, b) && b->below == below);
        PROVE(b->lines > 0 && b->lines <= LINES - at && b->is_free <= 1);
        PROVE(below == NULL || below->is_free == 0 || b->is_free == 0);
        num_free += b->is_free;
        used += b->is_free != 0 ? 0 : b->lines;
        if (b->is_free != 0 && b->lines > largest)
            largest = b->lines;
        at += b->lines;
        below = b;
    }
    PROVE(at == LINES && used == arena.used && arena.peak >= used);
    for (i = 0; i < 2 * DOCA_PRIV_ARENA_SL && i <= LINES; i++) { /* a class each, below 16 */
        b = arena.free_list[i / DOCA_PRIV_ARENA_SL][i % DOCA_PRIV_ARENA_SL];
        PROVE((arena.sl_map[i / DOCA_PRIV_ARENA_SL] >> i % DOCA_PRIV_ARENA_SL & 1) == (b != NULL));
        for (prev = NULL; b != NULL && listed <= LINES; prev = b, b = b->next, listed++)
            PROVE(b->is_free == 1 && b->lines == i && b->prev == prev);
    }
    PROVE(listed == num_free);
    PROVE((arena.fl_map & 1) == (arena.sl_map[0] != 0) &&
          (arena.fl_map >> 1) == (LINES >= DOCA_PRIV_ARENA_SL && arena.sl_map[1] != 0));
    return largest;
}

static void take(unsigned i, size_t bytes)
{
    const size_t largest = check(), used = arena.used;
    const bool fits = bytes > 0 && bytes <= LINES * DOCA_CORE_LINE &&
                      (bytes - 1) / DOCA_CORE_LINE + 2 <= largest;
    unsigned char *begin;
    unsigned k;

    out[i] = NULL;
    PROVE((doca_core_arena_take(&arena, bytes, &out[i]) == DOCA_SUCCESS) == fits);
    PROVE((out[i] != NULL) == fits && (fits || arena.used == used));
    if (!fits)
        return;
    out_lines[i] = (bytes - 1) / DOCA_CORE_LINE + 1;
    begin = (unsigned char *)out[i];
    PROVE((uintptr_t)begin % DOCA_CORE_LINE == 0 && begin > (unsigned char *)lines);
    PROVE(begin + out_lines[i] * DOCA_CORE_LINE <= (unsigned char *)(lines + LINES));
    for (k = 0; k < i; k++)
        PROVE(out[k] == NULL || begin + out_lines[i] * DOCA_CORE_LINE <= (unsigned char *)out[k] ||
              begin >= (unsigned char *)out[k] + out_lines[k] * DOCA_CORE_LINE);
    for (k = 0; k < i; k++) /* what was given back may be out again */
        gone[k] = gone[k] == out[i] ? NULL : gone[k];
    DOCA_CORE_MEMSET(begin, 0xa5, out_lines[i] * DOCA_CORE_LINE); /* it is the program's */
}

static bool is_out(const void *block)
{
    unsigned k;

    for (k = 0; k < OPS; k++)
        if (block != NULL && out[k] == block)
            return true;
    return false;
}

static void give_wrongly(void)
{
    const size_t used = arena.used;
    unsigned char *at = (unsigned char *)mem + pick((LINES + 3) * 2) * (DOCA_CORE_LINE / 2);

    ASSUME(!is_out(at));
    PROVE(doca_core_arena_give(&arena, at) != DOCA_SUCCESS);
    PROVE(doca_core_last_item() == DOCA_CORE_ITEM_ARENA_FOREIGN ||
          doca_core_last_item() == DOCA_CORE_ITEM_ARENA_BROKEN ||
          doca_core_last_item() == DOCA_CORE_ITEM_ARENA_GIVEN_TWICE);
    PROVE(arena.used == used && doca_core_arena_give(&arena, NULL) == DOCA_SUCCESS);
}

static void give(unsigned op)
{
    unsigned i = pick(op);

    ASSUME(out[i] != NULL || gone[i] != NULL);
    if (out[i] != NULL) {
        PROVE(doca_core_arena_give(&arena, out[i]) == DOCA_SUCCESS);
        gone[i] = out[i];
        out[i] = NULL;
    } else {
        PROVE(doca_core_arena_give(&arena, gone[i]) != DOCA_SUCCESS); /* twice */
    }
}

static void proof(void)
{
    unsigned op, k;

    DOCA_CORE_MEMSET(mem, 0, sizeof(mem));
    for (k = 0; k < OPS; k++)
        out[k] = gone[k] = NULL;
    PROVE(doca_core_arena_init(&arena, lines, LINES * DOCA_CORE_LINE + 63) == DOCA_SUCCESS);
    for (op = 0; op < OPS; op++) {
        if (op == 0 || pick(2) == 0)
            take(op, pick(LINES) * DOCA_CORE_LINE + 1); /* all sizes: see arena_sizes.c */
        else
            give(op);
        check();
    }
    give_wrongly();
    for (k = 0; k < OPS; k++)
        PROVE(doca_core_arena_give(&arena, out[k]) == DOCA_SUCCESS);
    PROVE(check() == LINES && arena.used == 0);
    PROVE(doca_core_arena_audit(&arena) == DOCA_SUCCESS);
}
