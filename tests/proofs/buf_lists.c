/* Lists of bufs: chain, unchain, references and returns, in any order.
 *
 * Proven    for NUM bufs of one inventory, after any OPS calls of doca_buf_chain_list,
 *           _chain_list_tail, _unchain_list, _inc_refcount and _dec_refcount with any of them as
 *           arguments, the same one twice, inner elements, and what was returned: what a plain
 *           model says that the lists are is what they are, element by element, with the right
 *           last one, flags and references; the free ones are those that are in no list; the mmap
 *           counts the others; and each call succeeds exactly where the model says so
 *           enumerated: 3 bufs, 4 calls (deep: 5)
 * Assumed   one thread; an mmap that threads do not share
 *           cbmc gives no answer within minutes for 2 bufs and 2 calls: no bounds are given */
#include "proof.h"

#define OPS (PROOF_ENUMERATES ? 4 + PROOF_DEPTH : 2)
enum { NUM = PROOF_ENUMERATES ? 3 : 2, NONE = NUM };

static DOCA_CORE_ALIGNED struct {
    struct doca_buf_inventory inventory;
    unsigned char rest[DOCA_CORE_LINE - sizeof(struct doca_buf_inventory)];
    struct doca_buf bufs[NUM];
} stock;
static struct doca_mmap mmap_of_all;

/* The model: which one is behind each, what is free, and the references of heads. */
static unsigned next_of[NUM], refs[NUM];
static bool is_out[NUM];

static bool is_inner(unsigned i)
{
    unsigned k;

    for (k = 0; k < NUM; k++)
        if (is_out[k] && next_of[k] == i)
            return true;
    return false;
}

static unsigned last_of(unsigned i)
{
    unsigned k;

    for (k = 0; k < NUM && next_of[i] != NONE; k++)
        i = next_of[i];
    return i;
}

static bool is_head(unsigned i)
{
    return is_out[i] && !is_inner(i);
}

static void check(void)
{
    struct doca_buf *b;
    unsigned i, k, num_out = 0, num_free = 0;

    for (i = 0; i < NUM; i++) {
        b = &stock.bufs[i];
        num_out += is_out[i];
        PROVE((b->flags != 0) == is_out[i]);
        if (!is_out[i]) {
            PROVE(b->refcount == 0 && b->last == b);
            continue;
        }
        PROVE(b->next == (next_of[i] == NONE ? NULL : &stock.bufs[next_of[i]]));
        PROVE(((b->flags & DOCA_PRIV_BUF_INNER) != 0) == is_inner(i));
        PROVE(b->refcount == refs[i]);
        if (is_head(i)) {
            PROVE(b->last == &stock.bufs[last_of(i)]);
            PROVE(((b->flags & DOCA_PRIV_BUF_LIST) != 0) == (next_of[i] != NONE));
        }
    }
    PROVE(mmap_of_all.num_bufs == num_out);
    for (b = stock.inventory.stock.free_bufs, k = 0; b != NULL && k <= NUM; b = b->next, k++) {
        PROVE(b->flags == 0);
        num_free++;
    }
    PROVE(num_free == NUM - num_out && stock.inventory.stock.num_free == num_free);
}

static void build(void)
{
    unsigned i;

    DOCA_CORE_MEMSET(&stock, 0, sizeof(stock));
    DOCA_CORE_MEMSET(&mmap_of_all, 0, sizeof(mmap_of_all));
    doca_priv_object_init(&stock.inventory.stock.obj, DOCA_PRIV_KIND_INVENTORY);
    doca_priv_stock_fill(&stock.inventory.stock, &stock.inventory.stock, NUM);
    doca_priv_object_init(&mmap_of_all.obj, DOCA_PRIV_KIND_MMAP);
    mmap_of_all.buf_word = doca_priv_buf_word_of(DOCA_PRIV_KIND_BUF, DOCA_PRIV_BUF_OUT, 1);
    for (i = 0; i < NUM; i++) {
        PROVE(doca_priv_stock_take(&stock.inventory.stock, &mmap_of_all, (unsigned char *)&stock,
                                   1) == &stock.bufs[i]);
        mmap_of_all.num_bufs++;
        next_of[i] = NONE;
        refs[i] = 1;
        is_out[i] = true;
    }
}

static void chain(unsigned a, unsigned b, bool with_tail)
{
    bool holds = is_head(a) && is_head(b) && a != b && refs[b] == 1;
    unsigned last = last_of(a);
    doca_error_t rc;

    rc = with_tail ? doca_buf_chain_list_tail(&stock.bufs[a], &stock.bufs[last], &stock.bufs[b])
                   : doca_buf_chain_list(&stock.bufs[a], &stock.bufs[b]);
    PROVE((rc == DOCA_SUCCESS) == holds);
    if (holds)
        next_of[last] = b;
}

static void unchain(unsigned a, unsigned b)
{
    doca_error_t rc = doca_buf_unchain_list(&stock.bufs[a], &stock.bufs[b]);
    bool holds = false;
    unsigned before = a, k;

    if (is_head(a) && is_out[b]) {
        for (k = 0; k < NUM && before != NONE && next_of[before] != b; k++)
            before = next_of[before];
        holds = before != NONE && next_of[before] == b;
    }
    PROVE((rc == DOCA_SUCCESS) == holds);
    if (holds)
        next_of[before] = NONE;
}

static void count(unsigned a, bool up)
{
    bool holds = is_head(a);
    uint16_t was = 99;
    unsigned k, next;

    PROVE(((up ? doca_buf_inc_refcount(&stock.bufs[a], &was)
               : doca_buf_dec_refcount(&stock.bufs[a], &was)) == DOCA_SUCCESS) == holds);
    PROVE(was == (holds ? refs[a] : 99));
    if (holds && (up || refs[a] > 1))
        refs[a] += up ? 1 : 0u - 1;
    else if (holds)
        for (k = 0; k < NUM && a != NONE; k++, a = next) {
            next = next_of[a];
            is_out[a] = false;
            next_of[a] = NONE;
        }
}

static void proof(void)
{
    unsigned op;

    build();
    for (op = 0; op < OPS; op++) {
        switch (pick(5)) {
        case 0:
            chain(pick(NUM), pick(NUM), false);
            break;
        case 1:
            chain(pick(NUM), pick(NUM), true);
            break;
        case 2:
            unchain(pick(NUM), pick(NUM));
            break;
        case 3:
            count(pick(NUM), true);
            break;
        default:
            count(pick(NUM), false);
        }
        check();
    }
}
