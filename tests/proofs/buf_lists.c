/* Lists of bufs: the program chains, unchains, references and releases bufs, in any order.
 *
 * Proven    After one call of doca_buf_chain_list, _chain_list_tail, _unchain_list, _inc_refcount
 *           or _dec_refcount on bufs of one inventory, the library agrees with a plain model: the
 *           lists have the same elements in the same order, with the right tail, flags and
 *           references; the inventory's free bufs are the bufs that are not in use; the mmap counts
 *           the bufs in use. The call succeeds exactly when the model says so. The arguments are
 *           any of the bufs, including the same buf twice, inner elements, and released bufs.
 *           The call starts from any valid state, with any lists and any number of references, so
 *           the property holds for any number of calls.
 *           Sizes of the enumeration: 4 bufs, references of 1, 2 and 65,535.
 *           Sizes in cbmc: 3 bufs, any number of references.
 *           The enumeration also runs sequences of 4 calls (deep: 5) on 3 bufs that are not chained
 *           at first.
 * Assumed   One thread; an mmap that threads do not share. The calls do not depend on which of two
 *           bufs has the lower address: in the first state, lists and free bufs are in the order of
 *           addresses.
 * parts: 15
 * cbmc: --unwind 8 --pointer-overflow-check */
#include "proof.h"

enum { OPS = 4 + PROOF_DEPTH, MOST = PROOF_ENUMERATES ? 4 : 3, NONE = MOST };

static DOCA_CORE_ALIGNED struct {
    struct doca_buf_inventory inventory;
    unsigned char rest[DOCA_CORE_LINE - sizeof(struct doca_buf_inventory)];
    struct doca_buf bufs[MOST];
} stock;
static struct doca_mmap mmap_of_all;
static unsigned num; /* number of bufs */

/* The model: for each buf, the next element of its list, the references if it is a head, and
 * whether it is in use ("out of the inventory"). */
static unsigned next_of[MOST], refs[MOST];
static bool is_out[MOST];

static bool is_inner(unsigned i)
{
    unsigned k;

    for (k = 0; k < num; k++)
        if (is_out[k] && next_of[k] == i)
            return true;
    return false;
}

static unsigned last_of(unsigned i)
{
    unsigned k;

    for (k = 0; k < num && next_of[i] != NONE; k++)
        i = next_of[i];
    return i;
}

static bool is_head(unsigned i)
{
    return is_out[i] && !is_inner(i);
}

/* Compare the library's state with the model. */
static void compare_with_model(void)
{
    unsigned i, k, num_out = 0, num_free = 0;
    struct doca_buf *b;
    bool inner;

    for (i = 0; i < num; i++) {
        b = &stock.bufs[i];
        PROVE((b->flags != 0) == is_out[i]);
        if (!is_out[i]) {
            PROVE(b->refcount == 0 && b->last == b);
            continue;
        }
        num_out++;
        inner = is_inner(i);
        PROVE(b->next == (next_of[i] == NONE ? NULL : &stock.bufs[next_of[i]]));
        PROVE(((b->flags & DOCA_PRIV_BUF_INNER) != 0) == inner);
        PROVE(b->refcount == refs[i]);
        if (!inner) {
            PROVE(b->last == &stock.bufs[last_of(i)]);
            PROVE(((b->flags & DOCA_PRIV_BUF_LIST) != 0) == (next_of[i] != NONE));
        }
    }
    PROVE(mmap_of_all.num_bufs == num_out);
    for (b = stock.inventory.stock.free_bufs, k = 0; b != NULL && k <= num; b = b->next, k++) {
        PROVE(b->flags == 0);
        num_free++;
    }
    PROVE(num_free == num - num_out && stock.inventory.stock.num_free == num_free);
}

/* Build an inventory in which the first num_out bufs are in use, each as a list of its own. */
static void build(unsigned num_out)
{
    unsigned i;

    stock.inventory.stock.free_bufs = NULL;
    stock.inventory.stock.num = stock.inventory.stock.num_free = 0;
    doca_priv_object_init(&stock.inventory.stock.obj, DOCA_PRIV_KIND_INVENTORY);
    doca_priv_stock_fill(&stock.inventory.stock, &stock.inventory.stock, num);
    doca_priv_object_init(&mmap_of_all.obj, DOCA_PRIV_KIND_MMAP);
    mmap_of_all.num_bufs = 0;
    mmap_of_all.buf_word = doca_priv_buf_word_of(DOCA_PRIV_KIND_BUF, DOCA_PRIV_BUF_OUT, 1);
    for (i = 0; i < num; i++) {
        next_of[i] = NONE;
        refs[i] = 1;
        is_out[i] = i < num_out;
        if (!is_out[i])
            continue;
        PROVE(doca_priv_stock_take(&stock.inventory.stock, &mmap_of_all, (unsigned char *)&stock,
                                   1) == &stock.bufs[i]);
        mmap_of_all.num_bufs++;
    }
}

static void chain(unsigned a, unsigned b)
{
    bool holds = is_head(a) && is_head(b) && a != b && refs[b] == 1;

    PROVE((doca_buf_chain_list(&stock.bufs[a], &stock.bufs[b]) == DOCA_SUCCESS) == holds);
    if (holds)
        next_of[last_of(a)] = b;
}

static void chain_tail(unsigned a, unsigned tail, unsigned b)
{
    bool holds = is_head(a) && is_head(b) && a != b && refs[b] == 1 && tail == last_of(a);

    PROVE((doca_buf_chain_list_tail(&stock.bufs[a], &stock.bufs[tail], &stock.bufs[b]) ==
           DOCA_SUCCESS) == holds);
    if (holds)
        next_of[tail] = b;
}

static void unchain(unsigned a, unsigned b)
{
    doca_error_t rc = doca_buf_unchain_list(&stock.bufs[a], &stock.bufs[b]);
    bool holds = false;
    unsigned before = a, k;

    if (is_head(a) && is_out[b]) {
        for (k = 0; k < num && before != NONE && next_of[before] != b; k++)
            before = next_of[before];
        holds = before != NONE && next_of[before] == b;
    }
    PROVE((rc == DOCA_SUCCESS) == holds);
    if (holds)
        next_of[before] = NONE;
}

static void count(unsigned a, bool up)
{
    bool holds = is_head(a), is_most = up && holds && refs[a] == UINT16_MAX;
    uint16_t was = 99;
    unsigned k, next;

    PROVE(((up ? doca_buf_inc_refcount(&stock.bufs[a], &was)
               : doca_buf_dec_refcount(&stock.bufs[a], &was)) == DOCA_SUCCESS) ==
          (holds && !is_most));
    PROVE(was == (holds && !is_most ? refs[a] : 99));
    if (holds && (up || refs[a] > 1))
        refs[a] += is_most ? 0 : up ? 1 : 0u - 1;
    else if (holds)
        for (k = 0; k < num && a != NONE; k++, a = next) {
            next = next_of[a];
            is_out[a] = false;
            next_of[a] = NONE;
        }
}

/* ---- any state, then one call ---- */

/* Build a state in which the first num_out bufs are in use. Buf `i` is the last of its list when
 * bit i of `ends` is set. */
static void any_state(unsigned num_out, unsigned ends)
{
    static const uint16_t some[] = { 1, 2, UINT16_MAX };
    struct doca_buf *b, *before = NULL, *head = NULL;
    unsigned i;

    build(num_out);
    for (i = 0; i < num_out; i++, before = b) {
        b = &stock.bufs[i];
        if (i == 0 || (ends >> (i - 1) & 1) != 0) {
            refs[i] = PROOF_ENUMERATES ? some[pick(3)] : (uint16_t)any_u64();
            ASSUME(refs[i] > 0);
            b->refcount = (uint16_t)refs[i];
            head = b;
        } else {
            next_of[i - 1] = i;
            before->next = b;
            b->flags |= DOCA_PRIV_BUF_INNER;
            head->flags |= DOCA_PRIV_BUF_LIST;
            head->last = b;
            b->last = NULL; /* only heads have a `last` that is read */
        }
    }
}

enum { CHAIN, CHAIN_TAIL, UNCHAIN, INC, DEC, CALLS };

static void one_call(unsigned num_out, unsigned ends, unsigned call, unsigned a, unsigned b,
                     unsigned tail)
{
    any_state(num_out, ends);
    switch (call) {
    case CHAIN:
        chain(a, b);
        break;
    case CHAIN_TAIL:
        chain_tail(a, tail, b);
        break;
    case UNCHAIN:
        unchain(a, b);
        break;
    default:
        count(a, call == INC);
    }
    compare_with_model();
}

/* Return the largest value to try for the argument `b`, or 0 when the call has no such argument. */
static unsigned last_b(unsigned call)
{
    return call == INC || call == DEC ? 0 : num - 1;
}

/* Return the same for the argument `tail`. */
static unsigned last_tail(unsigned call)
{
    return call == CHAIN_TAIL ? num - 1 : 0;
}

#if PROOF_ENUMERATES
static void any_call(void)
{
    unsigned num_out, call;

    num = MOST;
    num_out = pick(num + 1);
    call = pick(CALLS);
    one_call(num_out, pick(num_out > 1 ? 1u << (num_out - 1) : 1), call, pick(num),
             pick(last_b(call) + 1), pick(last_tail(call) + 1));
}
#else
/* Each part of the proof (PROOF_PART) has one call and one first argument. The loops go through the
 * states one after the other, instead of letting cbmc choose a state: cbmc is fast when it knows
 * each address. */
static void any_call(void)
{
    const unsigned call = PROOF_PART / MOST, a = PROOF_PART % MOST;
    unsigned num_out, ends, b, tail;

    num = MOST;
    PROVE(call < CALLS);
    for (num_out = 0; num_out <= num; num_out++)
        for (ends = 0; ends < (num_out > 1 ? 1u << (num_out - 1) : 1); ends++)
            for (b = 0; b <= last_b(call); b++)
                for (tail = 0; tail <= last_tail(call); tail++)
                    one_call(num_out, ends, call, a, b, tail);
}
#endif

/* ---- sequences of calls ---- */

static void calls(void)
{
    unsigned op, a;

    num = 3;
    build(num);
    for (op = 0; op < OPS; op++) {
        a = pick(num);
        switch (pick(CALLS)) {
        case CHAIN:
            chain(a, pick(num));
            break;
        case CHAIN_TAIL:
            chain_tail(a, last_of(a), pick(num));
            break;
        case UNCHAIN:
            unchain(a, pick(num));
            break;
        case INC:
            count(a, true);
            break;
        default:
            count(a, false);
        }
        compare_with_model();
    }
}

static void proof(void)
{
    if (!PROOF_ENUMERATES || pick(2) == 0)
        any_call();
    else
        calls();
}
