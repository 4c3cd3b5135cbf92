/* A model of bufs, inventories, pools and mmaps that consists of arrays only. The file that
 * includes this header defines below(), which chooses the calls. After each call the test compares
 * every property that the library reports with the model.
 *
 * A stock is an inventory or a pool; its elements are its bufs. At the start the model takes every
 * element once and releases it, so it knows all handles. Calls are made on released elements as
 * well as on elements in use. A call with several errors may return the code of any of them. */
#ifndef BUF_MODEL_H
#define BUF_MODEL_H

#include "doca_test.h"

#define ROOM 512u

enum { NUM_MMAPS = 2, NUM_STOCKS = 4, NUM_ELEMENTS = 6 + 4 + 4 + 3 };

static DOCA_CORE_ALIGNED unsigned char memory[NUM_MMAPS][ROOM];

/* ---- the model ---- */

static struct {
    struct doca_mmap *handle;
    bool is_started;
    uint32_t num_bufs;
} mmaps[NUM_MMAPS];

static struct stock {
    struct doca_buf_inventory *inventory; /* `inventory` or `pool` is set, the other is NULL */
    struct doca_buf_pool *pool;
    uint32_t mmap; /* index of a pool's mmap */
    size_t slot_len;
    uint32_t num, num_free;
    bool is_started;
} stocks[NUM_STOCKS] = {
    { .num = 6 },
    { .num = 4 },
    { .num = 4, .mmap = 0, .slot_len = 32 },
    { .num = 3, .mmap = 1, .slot_len = 50 },
};

static struct element {
    struct doca_buf *handle;
    uint32_t stock;
    unsigned char *slot; /* memory of the element, if the stock is a pool */
    uint32_t list;       /* index of the list that contains the element; NO_LIST: it is free */
    uint32_t mmap;
    unsigned char *head, *data;
    size_t len, data_len;
} elements[NUM_ELEMENTS];

static struct list {
    uint32_t refcount;
    uint32_t num; /* 0: unused */
    uint32_t members[NUM_ELEMENTS];
} lists[NUM_ELEMENTS];

#define NO_LIST UINT32_MAX

static unsigned step;
static const char *step_name;

static uint32_t below(uint32_t bound);  /* the next choice, from 0 to bound - 1 */
static const char *how_to_repeat(void); /* text that identifies the run */

/* Fail the case unless the library's result `got` equals the model's result `want`. */
#define SAME(got, want)                                                                            \
    do {                                                                                           \
        if ((got) != (want))                                                                       \
            test_fail(__FILE__, __LINE__, "%s, step %u (%s): %s is not %s", how_to_repeat(), step, \
                      step_name, #got, #want);                                                     \
    } while (0)

static bool is_head(const struct element *e)
{
    return e->list != NO_LIST && &elements[lists[e->list].members[0]] == e;
}

static bool is_inner(const struct element *e)
{
    return e->list != NO_LIST && !is_head(e);
}

static struct element *element_of(const struct doca_buf *handle)
{
    uint32_t i;

    for (i = 0; i < NUM_ELEMENTS; i++)
        if (elements[i].handle == handle)
            return &elements[i];
    return NULL;
}

static uint32_t unused_list(void)
{
    uint32_t i;

    for (i = 0; lists[i].num > 0;)
        i++;
    return i;
}

static void append(uint32_t to, uint32_t element)
{
    lists[to].members[lists[to].num++] = element;
    elements[element].list = to;
}

/* Return the element for `handle`, which a call has just taken from `stock`. In the checked mode a
 * stock has more bufs than the model has elements, and the slots of a pool move from buf to buf. If
 * no element has this handle and slot, choose a free element (in a pool: the element with this
 * slot) and set its handle. */
static struct element *element_taken(struct doca_buf *handle, uint32_t stock)
{
    struct element *e = element_of(handle);
#if DOCA_CORE_CHECK >= 2
    struct element *other;
    void *head = NULL;

    SAME(doca_buf_get_head(handle, &head), DOCA_SUCCESS);
    if (e != NULL && (stocks[stock].pool == NULL || e->slot == head))
        return e;
    for (other = elements; other < elements + NUM_ELEMENTS; other++)
        if (other->stock == stock && other->list == NO_LIST &&
            (stocks[stock].pool == NULL || other->slot == head)) {
            if (e != NULL)
                e->handle = other->handle;
            other->handle = handle;
            return other;
        }
#else
    (void)stock;
#endif
    return e;
}

/* Record that `handle` was taken from `stock`, with the range and data section of `window`, and
 * append it to list `to`. */
static void take(uint32_t to, struct doca_buf *handle, uint32_t stock, uint32_t mmap,
                 const struct element *window)
{
    struct element *e = element_taken(handle, stock);

    SAME(e != NULL, true);
    SAME(e->stock, stock);
    SAME(e->list, NO_LIST);
    e->mmap = mmap;
    e->head = window->head;
    e->len = window->len;
    e->data = window->data;
    e->data_len = window->data_len;
    mmaps[mmap].num_bufs++;
    stocks[stock].num_free--;
    append(to, (uint32_t)(e - elements));
}

static void give_back(struct list *list)
{
    while (list->num > 0) {
        struct element *e = &elements[list->members[--list->num]];

        e->list = NO_LIST;
        stocks[e->stock].num_free++;
        mmaps[e->mmap].num_bufs--;
    }
}

/* ---- the error codes that a call may return: one bit for each code ---- */

/* Return true when the call failed. `reasons` are the codes that it may return; 0: it must
 * succeed. */
static bool refused(doca_error_t rc, uint32_t reasons)
{
    if (reasons == 0)
        SAME(rc, DOCA_SUCCESS);
    else if (rc == DOCA_SUCCESS || (reasons >> rc & 1u) == 0)
        test_fail(__FILE__, __LINE__, "%s, step %u (%s): %s, want a code of 0x%x", how_to_repeat(),
                  step, step_name, doca_error_get_name(rc), reasons);
    return rc != DOCA_SUCCESS;
}

#define IF(condition, error) ((condition) ? 1u << DOCA_ERROR_##error : 0u)

/* ---- the calls ---- */

static struct element *any_element(void)
{
    return &elements[below(NUM_ELEMENTS)];
}

static uint32_t any_inventory(void)
{
    return below(2);
}

static uint32_t any_pool(void)
{
    return 2 + below(2);
}

static void do_get(void)
{
    uint32_t stock = any_inventory(), mmap = below(NUM_MMAPS), way = below(3), reasons;
    bool is_outside = below(16) == 0, is_data_outside = way == 2 && below(16) == 0;
    struct element want = { 0 };
    struct doca_buf *handle = NULL;
    doca_error_t rc;

    want.len = below(ROOM + 1);
    want.head = memory[mmap] + below(ROOM + 1 - (uint32_t)want.len);
    if (is_outside)
        want.len += ROOM + 1;
    want.data = way == 2 ? want.head + below((uint32_t)want.len + 1) : want.head;
    want.data_len = way == 0 ? 0 : want.len - (size_t)(want.data - want.head);
    if (is_data_outside)
        want.data_len += 1 + below(100);
    reasons = IF(is_outside || is_data_outside || (want.len == 0 && DOCA_CORE_CHECK >= 2),
                 INVALID_VALUE) |
              IF(!stocks[stock].is_started || !mmaps[mmap].is_started, BAD_STATE) |
              IF(stocks[stock].num_free == 0, NO_MEMORY);
    if (way == 0)
        rc = doca_buf_inventory_buf_get_by_addr(stocks[stock].inventory, mmaps[mmap].handle,
                                                want.head, want.len, &handle);
    else if (way == 1)
        rc = doca_buf_inventory_buf_get_by_data(stocks[stock].inventory, mmaps[mmap].handle,
                                                want.head, want.len, &handle);
    else
        rc = doca_buf_inventory_buf_get_by_args(stocks[stock].inventory, mmaps[mmap].handle,
                                                want.head, want.len, want.data, want.data_len,
                                                &handle);
    if (!refused(rc, reasons)) {
        uint32_t to = unused_list();

        lists[to].refcount = 1;
        take(to, handle, stock, mmap, &want);
    }
}

static void do_alloc(void)
{
    uint32_t stock = any_pool(), mmap = stocks[stock].mmap;
    struct doca_buf *handle = NULL;
    uint32_t reasons = IF(!stocks[stock].is_started || !mmaps[mmap].is_started, BAD_STATE) |
                       IF(stocks[stock].num_free == 0, EMPTY);

    if (!refused(doca_buf_pool_buf_alloc(stocks[stock].pool, &handle), reasons)) {
        uint32_t to = unused_list();
        struct element want = { .len = stocks[stock].slot_len };

        SAME(element_taken(handle, stock) != NULL, true);
        want.head = want.data = element_taken(handle, stock)->slot;
        lists[to].refcount = 1;
        take(to, handle, stock, mmap, &want);
    }
}

static void do_chain(void)
{
    struct element *a = any_element(), *b = any_element();
    uint32_t reasons = IF(a->list == NO_LIST || b->list == NO_LIST, BAD_STATE) |
                       IF(is_inner(a) || is_inner(b), NOT_PERMITTED) |
                       IF(is_head(b) && lists[b->list].refcount != 1, NOT_PERMITTED) |
                       IF(a == b || (a->list == b->list && a->list != NO_LIST), INVALID_VALUE);

    if (!refused(doca_buf_chain_list(a->handle, b->handle), reasons)) {
        struct list *behind = &lists[b->list];
        uint32_t i;

        for (i = 0; i < behind->num; i++)
            append(a->list, behind->members[i]);
        behind->num = 0;
    }
}

static void do_unchain(void)
{
    struct element *a = any_element(), *b = any_element();
    uint32_t reasons;

    if (a->list != NO_LIST && below(2) == 0) { /* two random elements are rarely in one list */
        struct list *list = &lists[a->list];

        a = &elements[list->members[0]];
        b = &elements[list->members[below(list->num)]];
    }
    reasons = IF(a->list == NO_LIST || b->list == NO_LIST, BAD_STATE) |
              IF(is_inner(a), NOT_PERMITTED) |
              IF(a == b || a->list != b->list || is_head(b), INVALID_VALUE);
    if (!refused(doca_buf_unchain_list(a->handle, b->handle), reasons)) {
        struct list *front = &lists[a->list];
        uint32_t rest = unused_list(), num = front->num, i;

        lists[rest].refcount = 1;
        for (i = 0; i < num; i++)
            if (lists[rest].num > 0 || &elements[front->members[i]] == b) {
                append(rest, front->members[i]);
                front->num--;
            }
    }
}

static uint32_t count_reasons(const struct element *e)
{
    return IF(e->list == NO_LIST, BAD_STATE) | IF(is_inner(e), NOT_PERMITTED);
}

static void do_inc(void)
{
    struct element *e = any_element();
    uint16_t before = 0;

    if (!refused(doca_buf_inc_refcount(e->handle, &before), count_reasons(e)))
        SAME(before, lists[e->list].refcount++);
}

static void do_dec(void)
{
    struct element *e = any_element();
    uint16_t before = 0;

    if (!refused(doca_buf_dec_refcount(e->handle, &before), count_reasons(e))) {
        SAME(before, lists[e->list].refcount--);
        if (before == 1)
            give_back(&lists[e->list]);
    }
}

static void do_dup(void)
{
    uint32_t stock = any_inventory(), reasons = IF(!stocks[stock].is_started, BAD_STATE), i;
    struct element *e = any_element();
    struct doca_buf *handle = NULL;

    reasons |= count_reasons(e) |
               IF(is_head(e) && lists[e->list].num > stocks[stock].num_free, NO_MEMORY);
    if (!refused(doca_buf_inventory_buf_dup(stocks[stock].inventory, e->handle, &handle),
                 reasons)) {
        uint32_t to = unused_list();
        struct list *from = &lists[e->list];

        lists[to].refcount = 1;
        for (i = 0; i < from->num; i++) {
            const struct element *source = &elements[from->members[i]];

            SAME(handle != NULL, true);
            take(to, handle, stock, source->mmap, source);
            SAME(doca_buf_get_next_in_list(handle, &handle), DOCA_SUCCESS);
        }
        SAME(handle == NULL, true);
    }
}

static void do_set_data(void)
{
    struct element *e = any_element();
    bool is_outside = below(8) == 0, is_refused = false;
    size_t off, data_len, at;

    if (e->list == NO_LIST)
        return;
    off = below((uint32_t)e->len + 1);
    data_len = below((uint32_t)(e->len - off) + 1);
    if (is_outside) { /* the data section ends after the buf, and begins inside or after it */
        off = below(2) == 0 ? off : e->len + below(100);
        data_len = off > e->len ? below(100) : e->len - off + 1 + below(100);
        at = (size_t)(e->head + off - memory[e->mmap]);
        is_refused = DOCA_CORE_CHECK >= 2 || at + data_len > ROOM || !mmaps[e->mmap].is_started;
    }
    if (!refused(doca_buf_set_data(e->handle, e->head + off, data_len),
                 IF(is_refused, INVALID_VALUE))) {
        e->data = e->head + off;
        e->data_len = data_len;
        if (off + data_len > e->len)
            e->len = (size_t)(memory[e->mmap] + ROOM - e->head);
    }
}

static void do_reset(void)
{
    struct element *e = any_element();

    if (e->list == NO_LIST)
        return;
    SAME(doca_buf_reset_data_len(e->handle), DOCA_SUCCESS);
    e->data_len = 0;
}

static void do_start_or_stop_inventory(void)
{
    struct stock *s = &stocks[any_inventory()];

    if (below(3) > 0) {
        if (!refused(doca_buf_inventory_start(s->inventory), IF(s->is_started, BAD_STATE)))
            s->is_started = true;
    } else if (!refused(doca_buf_inventory_stop(s->inventory), IF(!s->is_started, BAD_STATE))) {
        s->is_started = false;
    }
}

static void do_start_or_stop_pool(void)
{
    struct stock *s = &stocks[any_pool()];

    if (below(3) > 0) {
        if (!refused(doca_buf_pool_start(s->pool),
                     IF(s->is_started || !mmaps[s->mmap].is_started, BAD_STATE)))
            s->is_started = true;
    } else if (!refused(doca_buf_pool_stop(s->pool), IF(!s->is_started, BAD_STATE) |
                                                         IF(s->num_free < s->num, IN_USE))) {
        s->is_started = false;
    }
}

static void do_start_or_stop_mmap(void)
{
    uint32_t i = below(NUM_MMAPS);

    if (below(3) > 0) {
        if (!refused(doca_mmap_start(mmaps[i].handle), IF(mmaps[i].is_started, BAD_STATE)))
            mmaps[i].is_started = true;
    } else if (!refused(doca_mmap_stop(mmaps[i].handle),
                        IF(!mmaps[i].is_started, BAD_STATE) |
                            IF(mmaps[i].num_bufs > 0, NOT_PERMITTED))) {
        mmaps[i].is_started = false;
    }
}

static void do_destroy_too_early(void)
{
    struct stock *s = &stocks[below(NUM_STOCKS)];
    uint32_t i = below(NUM_MMAPS);

    if (s->num_free < s->num)
        SAME(s->pool != NULL ? doca_buf_pool_destroy(s->pool)
                             : doca_buf_inventory_destroy(s->inventory),
             DOCA_ERROR_IN_USE);
    if (mmaps[i].num_bufs > 0)
        SAME(doca_mmap_destroy(mmaps[i].handle), DOCA_ERROR_NOT_PERMITTED);
}

/* With these weights about half of the elements are in use, and lists have several elements. */
static const struct {
    const char *name;
    uint32_t weight;
    void (*run)(void);
} calls[] = {
    { "get", 22, do_get },
    { "pool alloc", 14, do_alloc },
    { "chain", 40, do_chain },
    { "unchain", 14, do_unchain },
    { "inc", 5, do_inc },
    { "dec", 22, do_dec },
    { "dup", 6, do_dup },
    { "set_data", 8, do_set_data },
    { "reset_data_len", 4, do_reset },
    { "start or stop inventory", 3, do_start_or_stop_inventory },
    { "start or stop pool", 3, do_start_or_stop_pool },
    { "start or stop mmap", 3, do_start_or_stop_mmap },
    { "destroy too early", 2, do_destroy_too_early },
};

#define NUM_CALLS (sizeof(calls) / sizeof(calls[0]))

/* Choose a call by its weight and make it. Return its index in the table. */
static uint32_t one_call(void)
{
    uint32_t ticket = 0, i;

    for (i = 0; i < NUM_CALLS; i++)
        ticket += calls[i].weight;
    ticket = below(ticket);
    for (i = 0; ticket >= calls[i].weight; i++)
        ticket -= calls[i].weight;
    step_name = calls[i].name;
    calls[i].run();
    return i;
}

/* ---- comparison ---- */

static void compare_element(const struct element *e)
{
    const struct list *list = &lists[e->list];
    const struct doca_buf *buf = e->handle;
    struct doca_buf *next = NULL, *last = NULL;
    void *head = NULL, *data = NULL;
    size_t len = 0, data_len = 0;
    uint16_t refcount = 0;
    uint32_t at = 0, list_len = 0;
    uint8_t is_first = 9, is_last = 9, is_in_list = 9;
    doca_error_t rc;

    while (&elements[list->members[at]] != e)
        at++;
    rc = doca_buf_get_head(buf, &head);
    SAME(rc, DOCA_SUCCESS);
    rc = doca_buf_get_len(buf, &len);
    SAME(rc, DOCA_SUCCESS);
    rc = doca_buf_get_data(buf, &data);
    SAME(rc, DOCA_SUCCESS);
    rc = doca_buf_get_data_len(buf, &data_len);
    SAME(rc, DOCA_SUCCESS);
    rc = doca_buf_get_refcount(buf, &refcount);
    SAME(rc, DOCA_SUCCESS);
    rc = doca_buf_get_next_in_list(e->handle, &next);
    SAME(rc, DOCA_SUCCESS);
    rc = doca_buf_get_last_in_list(e->handle, &last);
    SAME(rc, DOCA_SUCCESS);
    rc = doca_buf_is_first_in_list(buf, &is_first);
    SAME(rc, DOCA_SUCCESS);
    rc = doca_buf_is_last_in_list(buf, &is_last);
    SAME(rc, DOCA_SUCCESS);
    rc = doca_buf_is_in_list(buf, &is_in_list);
    SAME(rc, DOCA_SUCCESS);
    rc = doca_buf_get_list_len(buf, &list_len);
    SAME(rc, at == 0 ? DOCA_SUCCESS : DOCA_ERROR_NOT_PERMITTED);

    SAME((unsigned char *)head, e->head);
    SAME(len, e->len);
    SAME((unsigned char *)data, e->data);
    SAME(data_len, e->data_len);
    SAME(refcount, at == 0 ? list->refcount : 1u);
    SAME(next, at + 1 < list->num ? elements[list->members[at + 1]].handle : NULL);
    SAME(last, elements[list->members[list->num - 1]].handle);
    SAME(is_first, at == 0);
    SAME(is_last, at + 1 == list->num);
    SAME(is_in_list, list->num > 1);
    SAME(list_len, at == 0 ? list->num : 0u);
}

static void compare_everything(void)
{
    uint32_t i, num, num_free;
    doca_error_t rc;

    for (i = 0; i < NUM_ELEMENTS; i++)
        if (elements[i].list != NO_LIST)
            compare_element(&elements[i]);
    for (i = 0; i < NUM_STOCKS; i++) {
        const struct stock *s = &stocks[i];

        num = num_free = UINT32_MAX;
        rc = s->pool != NULL ? doca_buf_pool_get_num_elements(s->pool, &num)
                             : doca_buf_inventory_get_num_elements(s->inventory, &num);
        SAME(rc, DOCA_SUCCESS);
        rc = s->pool != NULL ? doca_buf_pool_get_num_free_elements(s->pool, &num_free)
                             : doca_buf_inventory_get_num_free_elements(s->inventory, &num_free);
        SAME(rc, DOCA_SUCCESS);
        SAME(num, s->num);
        SAME(num_free, s->num_free);
    }
    for (i = 0; i < NUM_MMAPS; i++) {
        num = UINT32_MAX;
        rc = doca_mmap_get_num_bufs(mmaps[i].handle, &num);
        SAME(rc, DOCA_SUCCESS);
        SAME(num, mmaps[i].num_bufs);
    }
}

/* ---- begin and end ---- */

/* Take every element of a started stock once, to learn its handle, and release it. */
static uint32_t learn_elements(uint32_t stock, uint32_t first)
{
    struct stock *s = &stocks[stock];
    uint32_t i;

    for (i = first; i < first + s->num; i++) {
        void *slot = NULL;

        elements[i].stock = stock;
        elements[i].list = NO_LIST;
        if (s->pool != NULL)
            CHECK_OK(doca_buf_pool_buf_alloc(s->pool, &elements[i].handle));
        else
            CHECK_OK(doca_buf_inventory_buf_get_by_addr(s->inventory, mmaps[0].handle, memory[0],
                                                        1, &elements[i].handle));
        CHECK_OK(doca_buf_get_head(elements[i].handle, &slot));
        elements[i].slot = slot;
    }
    for (i = first; i < first + s->num; i++)
        CHECK_OK(doca_buf_dec_refcount(elements[i].handle, NULL));
    s->num_free = s->num;
    s->is_started = true;
    return first + s->num;
}

static void set_up(void)
{
    uint32_t i, num = 0;

    memset(lists, 0, sizeof(lists));
    for (i = 0; i < NUM_MMAPS; i++) {
        CHECK_OK(doca_mmap_create(&mmaps[i].handle));
        CHECK_OK(doca_mmap_set_memrange(mmaps[i].handle, memory[i], ROOM));
        CHECK_OK(doca_mmap_start(mmaps[i].handle));
        mmaps[i].is_started = true;
    }
    for (i = 0; i < NUM_STOCKS; i++) {
        struct stock *s = &stocks[i];

        if (s->slot_len > 0) {
            CHECK_OK(doca_buf_pool_create(s->num, s->slot_len, mmaps[s->mmap].handle, &s->pool));
            CHECK_OK(doca_buf_pool_start(s->pool));
        } else {
            CHECK_OK(doca_buf_inventory_create(s->num, &s->inventory));
            CHECK_OK(doca_buf_inventory_start(s->inventory));
        }
        num = learn_elements(i, num);
    }
    CHECK_EQ(num, NUM_ELEMENTS);
}

static void tear_down(void)
{
    uint32_t i;

    for (i = 0; i < NUM_ELEMENTS; i++)
        for (; lists[i].num > 0 && lists[i].refcount > 0; lists[i].refcount--)
            CHECK_OK(doca_buf_dec_refcount(elements[lists[i].members[0]].handle, NULL));
    for (i = 0; i < NUM_STOCKS; i++)
        CHECK_OK(stocks[i].pool != NULL ? doca_buf_pool_destroy(stocks[i].pool)
                                        : doca_buf_inventory_destroy(stocks[i].inventory));
    for (i = 0; i < NUM_MMAPS; i++)
        CHECK_OK(doca_mmap_destroy(mmaps[i].handle));
}

#endif
