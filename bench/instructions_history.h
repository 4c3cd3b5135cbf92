/* The random sequence of instructions.c: every operation is counted alone, and the counts of an
 * operation must not depend on the operations before it. */
#ifndef BENCH_INSTRUCTIONS_HISTORY_H
#define BENCH_INSTRUCTIONS_HISTORY_H

#include "instructions_steps.h"
#include "instructions_loops.h"

#define LONGEST 16u /* elements of a list */

#define MOVES 2500u
#define NUM_LISTS 24u
#define NUM_ITEMS 32u /* tasks that are in use at one time */

/* The counts of one operation, by the length of the list that it walked. An operation that walks no
 * list uses index 1. */
struct tally {
    const char *work;
    const char *title;
    unsigned walks; /* length of the longest list that the operation walks; 0: it walks no list */
    unsigned long min[LONGEST + 1], max[LONGEST + 1];
    unsigned num[LONGEST + 1];
};

enum which {
    GET_BY_ADDR, GET_BY_DATA, GET_BY_ARGS, POOL_ALLOC, RELEASE, RELEASE_LIST, INC, DEC, CHAIN,
    UNCHAIN, UNCHAIN_LAST, LIST_LEN, DUP, ALLOC, SUBMIT, SUBMIT_JOIN, PROGRESS, IDLE, FREE_TASK,
    TASK_OF_LIST, LINE, EVENT_SET, EVENT_GET, EVENT_ADD, GET_EXPANDED, RELEASE_EXPANDED
};

static struct tally tallies[] = {
    [GET_BY_ADDR] = { .work = "get_by_addr", .title = "get_by_addr" },
    [GET_BY_DATA] = { .work = "get_by_data", .title = "get_by_data" },
    [GET_BY_ARGS] = { .work = "get_by_args", .title = "get_by_args" },
    [POOL_ALLOC] = { .work = "pool_alloc", .title = "pool alloc" },
    [RELEASE] = { .work = "release", .title = "dec_refcount to 0, single buf" },
    [RELEASE_LIST] = { .work = "release_list", .title = "dec_refcount to 0, list",
                       .walks = LONGEST },
    [INC] = { .work = "inc_refcount", .title = "inc_refcount" },
    [DEC] = { .work = "dec_refcount", .title = "dec_refcount, not to 0" },
    [CHAIN] = { .work = "chain", .title = "chain_list" },
    [UNCHAIN] = { .work = "unchain", .title = "unchain_list, behind n elements",
                  .walks = LONGEST },
    [UNCHAIN_LAST] = { .work = "unchain_last", .title = "the same, the last one",
                       .walks = LONGEST },
    [LIST_LEN] = { .work = "list_len", .title = "get_list_len", .walks = LONGEST },
    [DUP] = { .work = "dup", .title = "buf_dup of a list", .walks = LONGEST },
    [ALLOC] = { .work = "alloc_init", .title = "task alloc_init, any of 4 contexts" },
    [SUBMIT] = { .work = "submit", .title = "task submit, any of 4 contexts" },
    [SUBMIT_JOIN] = { .work = "submit_join",
                      .title = "task submit, of one that progress has passed" },
    [PROGRESS] = { .work = "progress", .title = "pe_progress with a completion, after n - 1 others",
                   .walks = NUM_CTXS },
    [IDLE] = { .work = "idle", .title = "pe_progress without one, n - 1 contexts had one before",
               .walks = NUM_CTXS + 1 },
    [FREE_TASK] = { .work = "free", .title = "task free, any of 4 contexts" },
    [TASK_OF_LIST] = { .work = "task_of_list", .title = "task with a list of sources",
                       .walks = LONGEST },
    [LINE] = { .work = "graph_line", .title = "graph instance of a task and 2 user nodes" },
    [EVENT_SET] = { .work = "event_set", .title = "sync event: update_set" },
    [EVENT_GET] = { .work = "event_get", .title = "sync event: get" },
    [EVENT_ADD] = { .work = "event_add", .title = "sync event: update_add" },
    [GET_EXPANDED] = { .work = "get_expanded", .title = "get_by_addr, expanded inventory" },
    [RELEASE_EXPANDED] = { .work = "release_expanded", .title = "dec_refcount to 0, such a buf" },
};

#define NUM_TALLIES (sizeof(tallies) / sizeof(tallies[0]))

/* The objects that the current operation acts on. */
static struct {
    unsigned char *addr;
    size_t len;
    struct doca_buf *buf, *other;
    struct doca_dma *dma;
    struct doca_dma_task_memcpy *task;
    uint64_t value;
    uint32_t num;
} now;

static void one_get_by_addr(unsigned n)
{
    (void)n;
    must(doca_buf_inventory_buf_get_by_addr(inventory, map, now.addr, now.len, &now.buf));
}

static void one_get_expanded(unsigned n)
{
    (void)n;
    must(doca_buf_inventory_buf_get_by_addr(expanded, map, now.addr, now.len, &now.buf));
}

static void one_get_by_data(unsigned n)
{
    (void)n;
    must(doca_buf_inventory_buf_get_by_data(inventory, map, now.addr, now.len, &now.buf));
}

static void one_get_by_args(unsigned n)
{
    (void)n;
    must(doca_buf_inventory_buf_get_by_args(inventory, map, now.addr, now.len, now.addr, now.len,
                                            &now.buf));
}

static void one_pool_alloc(unsigned n)
{
    (void)n;
    must(doca_buf_pool_buf_alloc(pool, &now.buf));
}

static void one_dec(unsigned n)
{
    (void)n;
    must(doca_buf_dec_refcount(now.buf, NULL));
}

static void one_inc(unsigned n)
{
    (void)n;
    must(doca_buf_inc_refcount(now.buf, NULL));
}

static void one_chain(unsigned n)
{
    (void)n;
    must(doca_buf_chain_list(now.buf, now.other));
}

static void one_unchain(unsigned n)
{
    (void)n;
    must(doca_buf_unchain_list(now.buf, now.other));
}

static void one_list_len(unsigned n)
{
    (void)n;
    must(doca_buf_get_list_len(now.buf, &now.num));
}

static void one_dup(unsigned n)
{
    (void)n;
    must(doca_buf_inventory_buf_dup(inventory, now.buf, &now.other));
}

static void one_alloc(unsigned n)
{
    (void)n;
    must(doca_dma_task_memcpy_alloc_init(now.dma, now.buf, now.other, none, &now.task));
}

static void one_submit(unsigned n)
{
    (void)n;
    must(doca_task_submit(as_task(now.task)));
}

static void one_progress(unsigned n)
{
    (void)n;
    now.num = doca_pe_progress(pe_random);
}

static void one_free(unsigned n)
{
    (void)n;
    doca_task_free(as_task(now.task));
}

static void one_task_of_list(unsigned n)
{
    (void)n;
    must(doca_dma_task_memcpy_alloc_init(dma_lists, now.buf, now.other, none, &now.task));
    must(doca_task_submit(as_task(now.task)));
    now.num = doca_pe_progress(pe_lists);
    doca_task_free(as_task(now.task));
}

static void one_line(unsigned n)
{
    (void)n;
    run_line(FEW);
}

static void one_event_set(unsigned n)
{
    (void)n;
    must(doca_sync_event_update_set(event, now.value));
}

static void one_event_get(unsigned n)
{
    (void)n;
    must(doca_sync_event_get(event, &now.value));
}

static void one_event_add(unsigned n)
{
    (void)n;
    must(doca_sync_event_update_add(event, now.value, &now.value));
}

static void keep_count(enum which which, unsigned long steps, unsigned len)
{
    struct tally *t = &tallies[which];

    if (t->num[len] == 0 || steps < t->min[len])
        t->min[len] = steps;
    if (t->num[len] == 0 || steps > t->max[len])
        t->max[len] = steps;
    t->num[len]++;
}

/* Do the operation once, and record its count. */
static void tally(enum which which, void (*one)(unsigned n), unsigned len)
{
    keep_count(which, steps_of(one, 1), len);
}

/* Return a number below `limit`. The sequence is the same in every run of the program. */
static uint32_t random_below(uint32_t limit)
{
    static uint32_t x = 20240229;

    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x % limit;
}

static struct {
    struct doca_buf *head;
    unsigned len, refs;
} lists[NUM_LISTS];
static unsigned num_lists;

static struct {
    struct doca_dma_task_memcpy *task;
    struct doca_buf *dst;
    bool in_flight;
} items[NUM_ITEMS];
static unsigned num_items, num_in_flight;

static void move_get(void)
{
    static void (*const ones[])(unsigned n) = { one_get_by_addr, one_get_by_data, one_get_by_args,
                                                one_pool_alloc };
    unsigned k = random_below(4);
    uint32_t num_free;

    must(doca_buf_pool_get_num_free_elements(pool, &num_free));
    if (num_lists == NUM_LISTS || (k == 3 && num_free == 0))
        return;
    now.addr = from + random_below(1000);
    now.len = 1 + random_below(SMALL);
    tally(GET_BY_ADDR + k, ones[k], 1);
    lists[num_lists].head = now.buf;
    lists[num_lists].len = lists[num_lists].refs = 1;
    num_lists++;
}

static void move_expanded(void)
{
    static struct doca_buf *held[NUM_EXPANDED];
    static unsigned num_held;
    unsigned h = random_below(NUM_EXPANDED);

    if (h >= num_held) {
        now.addr = from;
        now.len = SMALL;
        tally(GET_EXPANDED, one_get_expanded, 1);
        held[num_held++] = now.buf;
    } else {
        now.buf = held[h];
        tally(RELEASE_EXPANDED, one_dec, 1);
        held[h] = held[--num_held];
    }
}

static void move_release(unsigned l)
{
    now.buf = lists[l].head;
    if (lists[l].refs > 1) {
        tally(DEC, one_dec, 1);
        lists[l].refs--;
        return;
    }
    tally(lists[l].len > 1 ? RELEASE_LIST : RELEASE, one_dec, lists[l].len);
    lists[l] = lists[--num_lists];
}

static void move_chain(unsigned l)
{
    unsigned k = random_below(num_lists);

    if (k == l || lists[k].refs > 1 || lists[l].len + lists[k].len > LONGEST)
        return;
    now.buf = lists[l].head;
    now.other = lists[k].head;
    tally(CHAIN, one_chain, 1);
    lists[l].len += lists[k].len;
    lists[k] = lists[--num_lists];
}

static void move_unchain(unsigned l)
{
    unsigned at, i;

    if (lists[l].len == 1 || num_lists == NUM_LISTS)
        return;
    at = 1 + random_below(lists[l].len - 1);
    now.buf = now.other = lists[l].head;
    for (i = 0; i < at; i++)
        must(doca_buf_get_next_in_list(now.other, &now.other));
    tally(lists[l].len - at > 1 ? UNCHAIN : UNCHAIN_LAST, one_unchain, at);
    lists[num_lists].head = now.other;
    lists[num_lists].len = lists[l].len - at;
    lists[num_lists++].refs = 1;
    lists[l].len = at;
}

static void move_list_len(struct doca_buf *head, unsigned len)
{
    now.buf = head;
    now.num = 0;
    tally(LIST_LEN, one_list_len, len);
    if (now.num != len)
        fail("get_list_len says another length");
}

static void move_dup(struct doca_buf *head, unsigned len)
{
    now.buf = head;
    tally(DUP, one_dup, len);
    must(doca_buf_dec_refcount(now.other, NULL));
}

/* A list made for the occasion, since copies of other sizes take other instructions. */
static void move_task_of_list(unsigned len)
{
    unsigned i;

    now.buf = make_buf(from, SMALL, SMALL);
    for (i = 1; i < len; i++)
        must(doca_buf_chain_list(now.buf, make_buf(from, SMALL, SMALL)));
    now.other = make_buf(to, (size_t)SMALL * LONGEST, 0);
    tally(TASK_OF_LIST, one_task_of_list, len);
    if (now.num == 0 || memcmp(to + (len - 1) * SMALL, from, SMALL) != 0)
        fail("a task with a list did not copy it");
    must(doca_buf_dec_refcount(now.other, NULL));
    tally(len > 1 ? RELEASE_LIST : RELEASE, one_dec, len);
}

static void move_list(void)
{
    unsigned l, what = random_below(16);

    if (num_lists == 0)
        return;
    l = random_below(num_lists);
    now.buf = lists[l].head;
    if (what < 4) {
        move_release(l);
    } else if (what < 6) {
        tally(INC, one_inc, 1);
        lists[l].refs++;
    } else if (what < 11) {
        move_chain(l);
    } else if (what < 13) {
        move_unchain(l);
    } else if (what < 15) {
        move_list_len(lists[l].head, lists[l].len);
    } else {
        move_dup(lists[l].head, lists[l].len);
    }
}

static void move_alloc(void)
{
    if (num_items == NUM_ITEMS)
        return;
    now.dma = dma_random[random_below(NUM_CTXS)];
    now.buf = src;
    now.other = make_buf(to + num_items * SMALL, SMALL, 0);
    tally(ALLOC, one_alloc, 1);
    items[num_items].task = now.task;
    items[num_items].dst = now.other;
    items[num_items].in_flight = false;
    num_items++;
}

static bool is_in_ring(const struct doca_ctx *ctx)
{
    return ctx->active_next != NULL;
}

static unsigned num_in_ring(void)
{
    unsigned i, num = 0;

    for (i = 0; i < NUM_CTXS; i++)
        num += is_in_ring(doca_dma_as_ctx(dma_random[i])) ? 1u : 0u;
    return num;
}

static void move_task(void)
{
    unsigned i;

    if (num_items == 0)
        return;
    i = random_below(num_items);
    now.task = items[i].task;
    if (items[i].in_flight)
        return;
    if (random_below(3) > 0) {
        must(doca_buf_reset_data_len(items[i].dst));
        tally(is_in_ring(doca_task_get_ctx(as_task(now.task))) ? SUBMIT : SUBMIT_JOIN, one_submit,
              1);
        items[i].in_flight = true;
        num_in_flight++;
    } else {
        tally(FREE_TASK, one_free, 1);
        must(doca_buf_dec_refcount(items[i].dst, NULL));
        items[i] = items[--num_items];
    }
}

/* Count one call of progress. How many idle contexts the call passed is known only afterwards. */
static void tally_progress(enum which which)
{
    unsigned before = num_in_ring(), passed;
    unsigned long steps = steps_of(one_progress, 1);

    passed = before - num_in_ring();
    keep_count(which, steps, 1 + passed);
}

static void move_progress(void)
{
    unsigned i;

    if (num_in_flight == 0) {
        tally_progress(IDLE);
        return;
    }
    tally_progress(PROGRESS);
    for (i = 0; i < num_items && items[i].task != last_done; i++)
        continue;
    if (now.num == 0 || i == num_items || !items[i].in_flight)
        fail("a task did not complete");
    items[i].in_flight = false;
    num_in_flight--;
}

static void move_event(void)
{
    uint64_t value = random_below(1000);

    now.value = value;
    switch (random_below(3)) {
    case 0:
        tally(EVENT_SET, one_event_set, 1);
        break;
    case 1:
        tally(EVENT_GET, one_event_get, 1);
        break;
    default:
        tally(EVENT_ADD, one_event_add, 1);
    }
}

static void move_line(void)
{
    empty_graph(1);
    tally(LINE, one_line, 1);
    check_copy(1);
}

/* Submit a copy from `src` to `dst`, which no other task in flight uses, in a context of the random
 * sequence. */
static void submit_alone(struct doca_dma *of)
{
    must(doca_buf_reset_data_len(dst));
    must(doca_dma_task_memcpy_alloc_init(of, src, dst, none, &now.task));
    tally(is_in_ring(doca_dma_as_ctx(of)) ? SUBMIT : SUBMIT_JOIN, one_submit, 1);
}

static void complete_alone(void)
{
    tally_progress(PROGRESS);
    doca_task_free(as_task(last_done));
}

/* Called while no task is in flight. Each of `num` contexts becomes busy and then idle again, and
 * then the last one once more. Between these rounds, count a call of progress without busy
 * contexts. */
static void visit_ring(unsigned num)
{
    unsigned i;

    tally_progress(IDLE);
    for (i = 0; i < num; i++)
        submit_alone(dma_random[i]);
    for (i = 0; i < num; i++)
        complete_alone();
    submit_alone(dma_random[num - 1]);
    complete_alone();
    tally_progress(IDLE);
    for (i = 0; i < num; i++)
        submit_alone(dma_random[i]);
    for (i = 0; i < num; i++)
        complete_alone();
    tally_progress(IDLE);
}

/* Run the operations on lists with every length up to LONGEST: the random sequence rarely makes
 * long lists. */
static void visit_lengths(void)
{
    struct doca_buf *head = make_buf(from, SMALL, SMALL), *last;
    unsigned len;

    for (len = 1; len <= LONGEST; len++) {
        move_task_of_list(len);
        move_list_len(head, len);
        move_dup(head, len);
        now.buf = head;
        now.other = make_halves(from, 0);
        must(doca_buf_get_next_in_list(now.other, &last));
        must(doca_buf_chain_list(head, now.other));
        tally(UNCHAIN, one_unchain, len);
        must(doca_buf_unchain_list(now.other, last));
        must(doca_buf_chain_list(head, now.other));
        tally(UNCHAIN_LAST, one_unchain, len);
        must(doca_buf_chain_list(head, now.other));
        must(doca_buf_dec_refcount(last, NULL));
    }
    must(doca_buf_dec_refcount(head, NULL));
    for (len = 1; len <= NUM_CTXS; len++)
        visit_ring(len);
}

static void run_history(void)
{
    unsigned i, what;

    empty_dst(0);
    now.buf = src;
    now.other = dst;
    one_task_of_list(1); /* the context stays in the ring: its PE has no other */
    for (i = 0; i < MOVES; i++) {
        what = random_below(34);
        if (what >= 32)
            move_expanded();
        else if (what < 5)
            move_get();
        else if (what < 14)
            move_list();
        else if (what < 18)
            move_alloc();
        else if (what < 24)
            move_task();
        else if (what < 30)
            move_progress();
        else if (what < 31)
            move_event();
        else if (random_below(3) > 0)
            move_task_of_list(1 + random_below(LONGEST / 2));
        else
            move_line();
        if (i % (MOVES / 2) == 0) { /* twice in the sequence, no task is in flight */
            while (num_in_flight > 0)
                move_progress();
            visit_lengths();
        }
    }
}

#endif
