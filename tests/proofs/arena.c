/* Blocks of an arena: the program allocates and releases them in any order, and also releases
 * addresses that are not blocks.
 *
 * Proven    For an arena of MOST lines in any sound state, after one call, either an allocation of
 *           any size or a release of NULL or of any address in, below or above the arena:
 *           - the state is sound: the blocks tile the arena, no two neighbours are free, each free
 *             block is in the list of its size class and in no other, and `used` is the sum
 *           - an allocation succeeds exactly when a free block is large enough, and lies in such a
 *             block; a release succeeds exactly for blocks in use; all other blocks, and the
 *             program's bytes in them, stay unchanged
 *           - a wrong release changes nothing and is reported as FOREIGN when no block can begin at
 *             the address, as GIVEN_TWICE when a block was released there and nothing was written
 *             since, and as BROKEN otherwise
 *           A new arena is in a sound state, so the property holds after any number of calls.
 *           Size of the enumeration: 6 lines (deep: 8).
 *           Size in cbmc: 4 lines. One address between two lines stands for all such addresses, and
 *           three sizes stand for all sizes that are larger than the arena.
 *           The enumeration also runs sequences of 5 calls on a new arena of 7 lines (deep: 6
 *           calls, 8 lines), and checks the result of doca_core_arena_audit(). After all blocks are
 *           released, the arena is one free block.
 * Assumed   one thread; programs do not write a header that would mark a block as in use
 * parts: 25
 * stands in: doca_priv_arena_audit:audit_of_the_sound
 * cbmc: --unwind 70 --pointer-overflow-check */
#include "proof.h"

#if PROOF_ENUMERATES
enum { LINES = 7 + PROOF_DEPTH, OPS = 5 + PROOF_DEPTH, MOST = 6 + 2 * PROOF_DEPTH, FIRST = 0 };
#else
enum { LINES = 4, OPS = 1, MOST = LINES, PARTS = 25 };
enum { FIRST = 1 }; /* cbmc: not 0, because a block at mem would have its header before mem */
#endif
enum { ROOM = LINES > MOST ? LINES : MOST }; /* number of lines; as an index it means "no line" */

static struct line {
    struct doca_priv_block block;
    unsigned char rest[DOCA_CORE_LINE - sizeof(struct doca_priv_block)];
} DOCA_CORE_ALIGNED mem[ROOM + 2]; /* the first and the last line do not belong to the arena */
static struct line *const lines = mem + 1;

static struct doca_core_arena arena;
static unsigned num; /* number of lines of the arena */

/* For each line, the number of lines of the block that begins there, or 0; and whether it is
 * free. */
struct view {
    unsigned begins[ROOM];
    bool is_free[ROOM];
};

/* Return the largest possible number of free blocks of `size` lines. Two free blocks are never
 * neighbours, and a block in use between them has at least two lines. */
static unsigned most_of(unsigned size)
{
    return (num + 2) / (size + 2);
}

/* Record the blocks from the bottom to the top. Return the number of lines of the largest free
 * block, or 0 when no block is free. */
static unsigned walk(struct view *now, unsigned *num_free)
{
    const struct doca_priv_block *b, *below = NULL;
    unsigned i, next = 0, used = 0, largest = 0;

    for (i = *num_free = 0; i < num; i++) {
        b = &lines[i].block;
        now->begins[i] = 0;
        now->is_free[i] = false;
        if (i != next) { /* inside a block; the line may contain a former header */
            PROVE(b->magic != doca_priv_block_sign(&arena, b) || b->is_free == 1);
            continue;
        }
        PROVE(b->magic == doca_priv_block_sign(&arena, b) && b->below == below);
        PROVE(b->lines > 0 && b->lines <= num - i && b->is_free <= 1);
        PROVE(below == NULL || below->is_free == 0 || b->is_free == 0);
        PROVE(b->is_free == 1 || b->lines >= 2);
        now->begins[i] = (unsigned)b->lines;
        now->is_free[i] = b->is_free == 1;
        *num_free += b->is_free == 1;
        used += b->is_free == 1 ? 0 : now->begins[i];
        if (now->is_free[i] && now->begins[i] > largest)
            largest = now->begins[i];
        next = i + now->begins[i];
        below = b;
    }
    PROVE(next == num && used == arena.used && arena.peak >= used);
    return largest;
}

/* Return the block at `address`, which was read from a free list. The function compares `address`
 * with the address of each line, because cbmc 6.6 resolves some of these pointers to a wrong
 * element of lines[]. */
static const struct doca_priv_block *block_at(const struct doca_priv_block *address)
{
    unsigned i;

    for (i = 0; i < num; i++)
        if (address == &lines[i].block)
            return &lines[i].block;
    PROVE(address == NULL);
    return NULL;
}

/* Prove that the state is sound, and record it in *now. Return the number of lines of the largest
 * free block. */
static unsigned check(struct view *now)
{
    const struct doca_priv_block *b, *prev;
    unsigned size, k, num_free, listed = 0, largest = walk(now, &num_free);

    for (size = 1; size <= num; size++) { /* below 16 lines, each size is a class of its own */
        b = block_at(arena.free_list[size / DOCA_PRIV_ARENA_SL][size % DOCA_PRIV_ARENA_SL]);
        PROVE((arena.sl_map[size / DOCA_PRIV_ARENA_SL] >> size % DOCA_PRIV_ARENA_SL & 1) ==
              (b != NULL));
        for (prev = NULL, k = 0; k < most_of(size) && b != NULL;
             prev = b, b = block_at(b->next), k++)
            PROVE(b->is_free == 1 && b->lines == size && b->prev == prev);
        PROVE(b == NULL);
        listed += k;
    }
    PROVE(listed == num_free);
    PROVE((arena.sl_map[0] & 1) == 0 && arena.fl_map >> 2 == 0);
    PROVE((arena.fl_map & 1) == (arena.sl_map[0] != 0) &&
          (arena.fl_map >> 1) == (arena.sl_map[1] != 0));
    return largest;
}

/* Release an address that is not a block. The call must fail for the expected reason and change
 * nothing. */
static void release_wrong_address(void *block, enum doca_core_item item)
{
    const doca_error_t want = item == DOCA_CORE_ITEM_ARENA_FOREIGN       ? DOCA_ERROR_INVALID_VALUE
                              : item == DOCA_CORE_ITEM_ARENA_GIVEN_TWICE ? DOCA_ERROR_BAD_STATE
                                                                         : DOCA_ERROR_UNEXPECTED;
    const size_t used = arena.used;

    PROVE(doca_core_arena_give(&arena, block) == want);
    PROVE(doca_core_last_item() == item && arena.used == used);
}

/* ---- any state, one call ---- */

static struct doca_priv_block *at(unsigned i)
{
    return i == ROOM ? NULL : &lines[i].block;
}

static uint32_t any_but_zero(void)
{
    uint32_t x = PROOF_ENUMERATES ? 0xa5a5a5a5u : (uint32_t)any_u64();

    ASSUME(x != 0);
    return x;
}

static unsigned digits, num_of_them;

/* Choose a number below `below` on which an address depends. cbmc is fast when it knows each
 * address. Therefore cbmc does not choose the number: it is a digit of the variable `digits`, and
 * any_call() goes through all values of that variable. `num_of_them` becomes the number of
 * values. */
static unsigned pick_for_address(unsigned below)
{
    unsigned digit = digits % below;

    if (PROOF_ENUMERATES)
        return pick(below);
    digits /= below;
    num_of_them *= below;
    return digit;
}

/* Divide the arena into blocks, from the bottom to the top. Return false when the choices do not
 * describe an arena. */
static bool tile(struct view *is)
{
    bool may_be_used, may_be_free = true;
    unsigned i, k, len;

    for (i = 0; i < num; i += len) {
        may_be_used = num - i >= 2;
        if (!may_be_used && !may_be_free)
            return false;
        is->is_free[i] = may_be_used && may_be_free ? pick_for_address(2) == 0 : may_be_free;
        len = is->is_free[i] ? 1 + pick_for_address(num - i) : 2 + pick_for_address(num - i - 1);
        is->begins[i] = len;
        may_be_free = !is->is_free[i];
        for (k = 1; k < len; k++) {
            is->begins[i + k] = 0;
            is->is_free[i + k] = false;
        }
    }
    return true;
}

/* Write the headers of the blocks. Each line inside a block gets bytes that may be a former
 * header. */
static void write_headers(const struct view *is)
{
    unsigned i, below = ROOM;

    for (i = 0; i < num; i++) {
        if (is->begins[i] != 0) {
            lines[i].block.magic = doca_priv_block_sign(&arena, &lines[i].block);
            lines[i].block.lines = is->begins[i];
            lines[i].block.below = at(below);
            lines[i].block.is_free = is->is_free[i];
            arena.used += is->is_free[i] ? 0 : is->begins[i];
            below = i;
        } else { /* a former header; the program may have overwritten it */
            lines[i].block.is_free = pick(2);
            lines[i].block.magic = doca_priv_block_sign(&arena, &lines[i].block) ^
                                   (lines[i].block.is_free == 1 ? 0 : any_but_zero());
        }
    }
}

/* Put the free blocks in an order: smaller sizes first, blocks of one size in any order. Return
 * their number. */
static unsigned choose_order(const struct view *is, unsigned *order)
{
    unsigned size, i, k, left, listed = 0;
    bool is_listed[ROOM] = { false };

    for (size = 1; size <= num; size++) {
        for (i = left = 0; i < num; i++)
            left += is->is_free[i] && is->begins[i] == size;
        for (; left > 0; left--) {
            k = left > 1 ? pick_for_address(left) : 0;
            for (i = 0; is_listed[i] || !is->is_free[i] || is->begins[i] != size || k-- > 0; i++) {
            }
            is_listed[i] = true;
            order[listed++] = i;
        }
    }
    return listed;
}

/* Build the free lists in that order. */
static void build_free_lists(const struct view *is, const unsigned *order, unsigned num_free)
{
    unsigned i, k, size, last;

    for (k = 0; k < num_free; k++) {
        i = order[k];
        size = is->begins[i];
        last = k > 0 && is->begins[order[k - 1]] == size ? order[k - 1] : ROOM;
        lines[i].block.prev = at(last);
        lines[i].block.next = NULL;
        if (last != ROOM) {
            lines[last].block.next = at(i);
            continue;
        }
        arena.free_list[size / DOCA_PRIV_ARENA_SL][size % DOCA_PRIV_ARENA_SL] = at(i);
        arena.sl_map[size / DOCA_PRIV_ARENA_SL] |= (uint8_t)(1u << size % DOCA_PRIV_ARENA_SL);
        arena.fl_map |= (uint64_t)1 << size / DOCA_PRIV_ARENA_SL;
    }
}

/* Make an arena in any sound state. Return false when the choices do not describe a state, or
 * describe a state that cbmc has examined already. */
static bool any_state(struct view *is)
{
    unsigned order[ROOM], num_free;

    num = MOST;
    if (!tile(is))
        return false;
    num_free = choose_order(is, order);
    if (!PROOF_ENUMERATES && digits != 0)
        return false; /* digits are left over: a smaller number gives the same state */
    doca_priv_arena_clear(&arena);
    DOCA_CORE_MEMSET(mem, 0, sizeof(mem));
    arena.salt = PROOF_ENUMERATES ? 77 : (uint32_t)any_u64();
    arena.base = (unsigned char *)lines;
    arena.lines = num;
    write_headers(is);
    build_free_lists(is, order, num_free);
    arena.peak = arena.used + pick(2);
    return true;
}

/* Check how a call that allocated or released `used` lines changed the state: only the block at
 * `begin` appeared or disappeared, and the bytes of all other blocks in use are unchanged. */
static void check_change(const struct view *was, const struct doca_priv_block *before,
                         unsigned begin)
{
    const struct doca_priv_block *old, *new_one;
    bool was_used = false, is_used = false;
    struct view now;
    unsigned i;

    (void)check(&now);
    for (i = 0; i < num; i++) {
        if (i != begin)
            PROVE((was->begins[i] != 0 && !was->is_free[i]) ==
                  (now.begins[i] != 0 && !now.is_free[i]));
        if (was->begins[i] != 0)
            was_used = !was->is_free[i];
        if (now.begins[i] != 0)
            is_used = !now.is_free[i];
        if (!was_used || !is_used || i == begin)
            continue;
        PROVE(was->begins[i] == now.begins[i]);
        old = &before[i + 1];
        new_one = &lines[i].block;
        if (was->begins[i] == 0)
            PROVE(old->magic == new_one->magic && old->is_free == new_one->is_free &&
                  old->lines == new_one->lines && old->below == new_one->below &&
                  old->next == new_one->next && old->prev == new_one->prev);
    }
    PROVE(before[0].magic == mem[0].block.magic);
    PROVE(before[num + 1].magic == mem[num + 1].block.magic);
}

static void take_any(const struct view *was, const struct doca_priv_block *before, unsigned largest,
                     size_t bytes)
{
    const bool fits =
        bytes > 0 && bytes <= num * DOCA_CORE_LINE && (bytes - 1) / DOCA_CORE_LINE + 2 <= largest;
    const unsigned need = fits ? (unsigned)((bytes - 1) / DOCA_CORE_LINE + 2) : 0;
    const size_t used = arena.used;
    void *block = NULL;
    unsigned begin = ROOM, i;

    PROVE((doca_core_arena_take(&arena, bytes, &block) == DOCA_SUCCESS) == fits);
    PROVE((block != NULL) == fits && arena.used == used + need);
    for (i = 0; i < num; i++)
        if (fits && block == (void *)&lines[i + 1]) {
            begin = i;
            PROVE(lines[i].block.is_free == 0 && lines[i].block.lines == need);
            PROVE(was->is_free[i] && was->begins[i] >= need);
        }
    PROVE((begin != ROOM) == fits);
    check_change(was, before, begin);
}

static void give_any(const struct view *was, const struct doca_priv_block *before, unsigned offset)
{
    enum doca_core_item item = DOCA_CORE_ITEM_ARENA_FOREIGN;
    unsigned char *block = (unsigned char *)mem + offset;
    const size_t used = arena.used;
    unsigned i, begin = ROOM;

    for (i = 0; i + 1 < num; i++)
        if (offset == (i + 2) * DOCA_CORE_LINE) {
            if (was->begins[i] != 0 && !was->is_free[i])
                begin = i;
            item = before[i + 1].magic == doca_priv_block_sign(&arena, at(i))
                       ? DOCA_CORE_ITEM_ARENA_GIVEN_TWICE
                       : DOCA_CORE_ITEM_ARENA_BROKEN;
        }
    if (begin == ROOM) {
        release_wrong_address(block, item);
    } else {
        PROVE(doca_core_arena_give(&arena, block) == DOCA_SUCCESS);
        PROVE(arena.used == used - was->begins[begin]);
    }
    check_change(was, before, begin);
}

enum { TAKE, GIVE, GIVE_BETWEEN, GIVE_NONE, TAKE_TOO_MUCH, KINDS };

/* Make any state, and in it call number `k` of a kind. */
static void one_call(unsigned kind, unsigned k)
{
    static const size_t too_much[] = { MOST * DOCA_CORE_LINE + 1, SIZE_MAX / 3, SIZE_MAX };
    static struct doca_priv_block before[ROOM + 2];
    struct view was;
    unsigned largest, i;
    size_t bytes;

    if (!any_state(&was))
        return;
    for (i = 0; i < num + 2; i++)
        before[i] = mem[i].block;
    largest = 0;
    for (i = 0; i < num; i++)
        if (was.is_free[i] && was.begins[i] > largest)
            largest = was.begins[i];
    switch (kind) {
    case TAKE: /* sizes: a multiple of a line, or one byte more */
        take_any(&was, before, largest, k / 2 * DOCA_CORE_LINE + k % 2);
        break;
    case GIVE:
        give_any(&was, before, (k + FIRST) * DOCA_CORE_LINE);
        break;
    case GIVE_BETWEEN:
        give_any(&was, before, (k + FIRST) * DOCA_CORE_LINE + DOCA_CORE_LINE / 2);
        break;
    case GIVE_NONE:
        PROVE(doca_core_arena_give(&arena, NULL) == DOCA_SUCCESS);
        check_change(&was, before, ROOM);
        break;
    default:
        bytes = PROOF_ENUMERATES ? any_size() : too_much[k]; /* all sizes: see arena_sizes.c */
        ASSUME(bytes > num * DOCA_CORE_LINE);
        take_any(&was, before, largest, bytes);
    }
}

/* Return the largest `k` for a kind of calls. */
static unsigned last_k(unsigned kind)
{
    switch (kind) {
    case TAKE:
        return MOST * 2 + 1;
    case GIVE:
    case GIVE_BETWEEN:
        return MOST + 1 - FIRST;
    default:
        return kind == TAKE_TOO_MUCH && !PROOF_ENUMERATES ? 2 : 0;
    }
}

#if PROOF_ENUMERATES
static void any_call(void)
{
    unsigned kind = pick(KINDS);

    one_call(kind, pick(last_k(kind) + 1));
}
#else
enum { NUMBERS = 32 };

/* Replaces the audit in cbmc. The library audits the arena after a wrong release; here the state is
 * sound then, so the audit would succeed. The enumeration runs the real audit. */
doca_error_t audit_of_the_sound(struct doca_core_arena *of, const char *function)
{
    (void)of;
    (void)function;
    return DOCA_SUCCESS;
}

/* Make the call of this part of the proof, in every state. */
static void any_call(void)
{
    unsigned kind = 0, k = PROOF_PART, number;

    for (; kind < KINDS && k > last_k(kind); kind++)
        k -= last_k(kind) + 1;
    PROVE(kind < KINDS);
    for (number = 0; number < NUMBERS; number++) {
        digits = number;
        num_of_them = 1;
        one_call(kind, k);
        PROVE(num_of_them <= NUMBERS);
    }
}
#endif

/* ---- sequences of calls ---- */

static void *out[OPS], *gone[OPS];
static size_t out_lines[OPS];
static bool was_header[LINES]; /* the line was a header and has not been overwritten since */

/* Check all blocks, and note their headers. Return the number of lines of the largest free
 * block. */
static unsigned check_and_note(void)
{
    struct view now;
    unsigned i, largest = check(&now);

    for (i = 0; i < num; i++)
        was_header[i] = was_header[i] || now.begins[i] != 0;
    return largest;
}

static void take(unsigned i, size_t bytes)
{
    const size_t largest = check_and_note(), used = arena.used;
    const bool fits =
        bytes > 0 && bytes <= num * DOCA_CORE_LINE && (bytes - 1) / DOCA_CORE_LINE + 2 <= largest;
    unsigned char *begin;
    size_t line;
    unsigned k;

    out[i] = NULL;
    PROVE((doca_core_arena_take(&arena, bytes, &out[i]) == DOCA_SUCCESS) == fits);
    PROVE((out[i] != NULL) == fits && (fits || arena.used == used));
    if (!fits)
        return;
    out_lines[i] = (bytes - 1) / DOCA_CORE_LINE + 1;
    begin = (unsigned char *)out[i];
    PROVE((uintptr_t)begin % DOCA_CORE_LINE == 0 && begin > (unsigned char *)lines);
    PROVE(begin + out_lines[i] * DOCA_CORE_LINE <= (unsigned char *)(lines + num));
    for (k = 0; k < i; k++)
        PROVE(out[k] == NULL || begin + out_lines[i] * DOCA_CORE_LINE <= (unsigned char *)out[k] ||
              begin >= (unsigned char *)out[k] + out_lines[k] * DOCA_CORE_LINE);
    for (k = 0; k < i; k++) /* a released address may be in use again */
        gone[k] = gone[k] == out[i] ? NULL : gone[k];
    /* the block belongs to the program */
    DOCA_CORE_MEMSET(begin, 0xa5, out_lines[i] * DOCA_CORE_LINE);
    line = (size_t)(begin - (unsigned char *)lines) / DOCA_CORE_LINE;
    for (k = 0; k < out_lines[i]; k++)
        was_header[line + k] = false;
}

/* Return the item for which the release of an address that is not in use must fail. */
static enum doca_core_item reason(const void *address)
{
    const size_t offset = (size_t)((const unsigned char *)address - (unsigned char *)mem);
    const size_t line = offset / DOCA_CORE_LINE - 2; /* index of the line with the header */

    if (offset % DOCA_CORE_LINE != 0 || offset < 2 * DOCA_CORE_LINE || line + 1 >= num)
        return DOCA_CORE_ITEM_ARENA_FOREIGN;
    return was_header[line] ? DOCA_CORE_ITEM_ARENA_GIVEN_TWICE : DOCA_CORE_ITEM_ARENA_BROKEN;
}

/* Release an address that is not a block in use. */
static void give_unused_address(void)
{
    unsigned char *address = (unsigned char *)mem + pick((num + 3) * 2) * (DOCA_CORE_LINE / 2);
    unsigned k;

    for (k = 0; k < OPS; k++)
        ASSUME(out[k] != address);
    release_wrong_address(address, reason(address));
    PROVE(doca_core_arena_give(&arena, NULL) == DOCA_SUCCESS);
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
        release_wrong_address(gone[i], reason(gone[i]));
    }
}

static void calls(void)
{
    unsigned op, k;

    num = LINES;
    DOCA_CORE_MEMSET(mem, 0, sizeof(mem));
    for (k = 0; k < OPS; k++)
        out[k] = gone[k] = NULL;
    for (k = 0; k < num; k++)
        was_header[k] = false;
    PROVE(doca_core_arena_init(&arena, lines, num * DOCA_CORE_LINE + 63) == DOCA_SUCCESS);
#if PROOF_ENUMERATES /* addresses differ from run to run: exclude unlucky header signatures */
    for (k = 0; k < num; k++)
        ASSUME(doca_priv_block_sign(&arena, &lines[k].block) != 0 &&
               doca_priv_block_sign(&arena, &lines[k].block) != 0xa5a5a5a5u);
#endif
    for (op = 0; op < OPS; op++) {
        if (op == 0 || pick(2) == 0)
            take(op, pick(num) * DOCA_CORE_LINE + 1); /* arena_sizes.c has all sizes */
        else
            give(op);
        (void)check_and_note();
    }
    give_unused_address();
    for (k = 0; k < OPS; k++)
        PROVE(doca_core_arena_give(&arena, out[k]) == DOCA_SUCCESS);
    PROVE(check_and_note() == num && arena.used == 0);
    PROVE(doca_core_arena_audit(&arena) == DOCA_SUCCESS);
}

static void first_state(unsigned more)
{
    struct view now;

    for (num = 2; num <= MOST; num++) {
        PROVE(doca_core_arena_init(&arena, lines, num * DOCA_CORE_LINE + more) == DOCA_SUCCESS);
        PROVE(check(&now) == num && arena.used == 0 && arena.peak == 0);
    }
}

#if PROOF_ENUMERATES
static void proof(void)
{
    switch (pick(3)) {
    case 0:
        any_call();
        break;
    case 1:
        first_state(pick(DOCA_CORE_LINE));
        break;
    default:
        calls();
    }
}
#else
static void proof(void)
{
    if (PROOF_PART == PARTS - 1) {
        first_state(0);
        first_state(DOCA_CORE_LINE - 1);
    } else {
        any_call();
    }
}
#endif
