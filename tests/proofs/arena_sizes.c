/* Size computations of the arena, for every size: no sum wraps, and a block of a higher size class
 * is always large enough.
 *
 * Proven    For every block size in bytes: the block gets enough lines, and at most one line too
 *           many; from 2^47 bytes on the result is NO_MEMORY, and no line counts as used.
 *           For every two sizes a, b of 1 to 2^41 lines: their classes are in the arena's tables,
 *           and if the class of b is higher than that of a, b > a. Therefore any block of a higher
 *           class fits.
 *           For every n: the bytes of n bufs plus 0, 1 or 2 lines, and n rounded up to whole lines,
 *           are right, or SIZE_MAX where they overflow.
 * Assumed   nothing
 * cbmc: --unwind 8 --pointer-overflow-check --unsigned-overflow-check */
#include "proof.h"

static void block_sizes(void)
{
    struct doca_core_arena count;
    size_t bytes = any_size();
    void *block = NULL;
    doca_error_t rc;

    doca_priv_arena_clear(&count);
    rc = doca_core_arena_take(&count, bytes, &block);
    PROVE((rc == DOCA_SUCCESS) == (bytes > 0 && bytes < (uint64_t)1 << 47));
    PROVE(rc == DOCA_SUCCESS || count.used == 0);
    if (rc == DOCA_SUCCESS) {
        PROVE((count.used - 1) * DOCA_CORE_LINE >= bytes); /* one line is the header */
        PROVE((count.used - 2) * DOCA_CORE_LINE < bytes);
        PROVE(count.peak == count.used);
    }
}

static void classes(void)
{
    uint64_t a = any_u64(), b = any_u64();
    unsigned fl_a, sl_a, fl_b, sl_b;

    ASSUME(a >= 1 && a < (uint64_t)1 << 41 && b >= 1 && b < (uint64_t)1 << 41);
    doca_priv_arena_class((size_t)a, &fl_a, &sl_a);
    doca_priv_arena_class((size_t)b, &fl_b, &sl_b);
    PROVE(fl_a < DOCA_PRIV_ARENA_FL && sl_a < DOCA_PRIV_ARENA_SL);
    PROVE(fl_b < fl_a || (fl_b == fl_a && sl_b <= sl_a) || b > a);
    PROVE(a >= DOCA_PRIV_ARENA_SL || (fl_a == 0 && sl_a == a)); /* one class for each small size */
}

static void sums(void)
{
    size_t n = any_size(), more = pick(3) * (size_t)DOCA_CORE_LINE, sum;
    const size_t each = sizeof(struct doca_buf);

    sum = doca_priv_size(n, each, more);
    PROVE(sum == SIZE_MAX || (sum - more) / each == n);
    PROVE(sum != SIZE_MAX || n >= (SIZE_MAX - more) / each);
    sum = doca_priv_round_up(n);
    PROVE(sum >= n && (sum == SIZE_MAX || (sum % DOCA_CORE_LINE == 0 && sum - n < DOCA_CORE_LINE)));
}

static void proof(void)
{
    switch (pick(3)) {
    case 0:
        block_sizes();
        break;
    case 1:
        classes();
        break;
    default:
        sums();
    }
}
