/* Sequences of calls on two DMA contexts of one PE and their tasks. A model gives the results that
 * a call may have in each state, the order of completions and their results, and the bytes that
 * each task must write. */
#include "fuzz.h"

enum { NUM_CTXS = 2, NUM_TASKS = 4, SLOT = 1024, MAX_LIST = 3 };

enum where { FREE, OWNED, OUT }; /* there is no task; the program has it; it is in flight */

static struct rig rig; /* the context of the rig is not used */
static struct ctx {
    struct doca_dma *dma;
    struct doca_ctx *ctx;
    enum doca_ctx_states state; /* as last observed */
    bool is_broken;             /* a task has failed, so the tasks behind it are flushed */
    uint32_t num_begun, num_ended;
    struct slot {
        enum where where;
        struct doca_dma_task_memcpy *task;
        struct doca_buf *src, *dst;
        size_t bytes, room; /* size of the source, and of the destination */
        size_t first_room;  /* size of the first buffer of the destination */
        uint32_t number;    /* position among the submitted tasks */
        unsigned char want[SLOT];
    } slots[NUM_TASKS];
} ctxs[NUM_CTXS];

static unsigned char *place_of(const struct ctx *c, const struct slot *s)
{
    return rig_to + ((size_t)(c - ctxs) * NUM_TASKS + (size_t)(s - c->slots)) * SLOT;
}

static unsigned num_of(const struct ctx *c, enum where where)
{
    unsigned num = 0, i;

    for (i = 0; i < NUM_TASKS; i++)
        num += c->slots[i].where == where;
    return num;
}

static void check_completion(struct doca_dma_task_memcpy *task, union doca_data task_data,
                             union doca_data ctx_data)
{
    doca_error_t status = doca_task_get_status(doca_dma_task_memcpy_as_task(task));
    struct slot *s = task_data.ptr;
    struct ctx *c = ctx_data.ptr;
    struct doca_buf *second;
    size_t first;

    CHECK(rig.in_progress);
    CHECK(s->where == OUT && s->task == task);
    CHECK_EQ(s->number, c->num_ended);
    c->num_ended++;
    s->where = OWNED;
    CHECK_OK(doca_buf_get_next_in_list(s->dst, &second));
    if (status != DOCA_SUCCESS) {
        CHECK(status == DOCA_ERROR_IO_FAILED || status == DOCA_ERROR_SHUTDOWN);
        CHECK(s->bytes == 0 || s->bytes > s->room || c->is_broken ||
              rig_state(c->ctx) == DOCA_CTX_STATE_STOPPING);
        c->is_broken = true;
        CHECK_EQ(rig_data_len(s->dst), 0);
        return;
    }
    CHECK(s->bytes > 0 && s->bytes <= s->room && !c->is_broken);
    first = s->bytes < s->first_room ? s->bytes : s->first_room;
    CHECK_EQ(rig_data_len(s->dst), first);
    if (second != NULL)
        CHECK_EQ(rig_data_len(second), s->bytes - first);
    CHECK_MEM(place_of(c, s), s->want, s->bytes);
}

static void fuzz_set_up(void)
{
}

/* ---- calls ---- */

static struct ctx *any_ctx(void)
{
    return &ctxs[fuzz_below(NUM_CTXS)];
}

static struct slot *any_slot(struct ctx *c)
{
    return &c->slots[fuzz_below(NUM_TASKS)];
}

static void make_source(struct slot *s)
{
    unsigned num = 1 + fuzz_below(MAX_LIST), i;

    s->bytes = 0;
    s->src = NULL;
    for (i = 0; i < num; i++) {
        size_t len = fuzz_below(SLOT / MAX_LIST), at = fuzz_below(60000);
        struct doca_buf *buf = rig_src(&rig, at, len > 0 ? len : 1);

        if (len == 0)
            CHECK_OK(doca_buf_reset_data_len(buf));
        memcpy(s->want + s->bytes, rig_from + at, len);
        s->bytes += len;
        if (s->src == NULL)
            s->src = buf;
        else
            CHECK_OK(doca_buf_chain_list(s->src, buf));
    }
}

static void make_task(struct ctx *c, struct slot *s)
{
    size_t off = (size_t)(place_of(c, s) - rig_to);
    unsigned how = fuzz_byte();
    doca_error_t rc;

    if (s->where != FREE)
        return;
    make_source(s);
    s->room = how % 8 == 0 ? fuzz_below(SLOT) + 1 : SLOT;
    s->first_room = how % 3 == 0 && s->room > 1 ? 1 + fuzz_below((uint32_t)s->room - 1) : s->room;
    s->dst = rig_dst(&rig, off, s->first_room);
    if (s->first_room < s->room)
        CHECK_OK(doca_buf_chain_list(s->dst, rig_dst(&rig, off + s->first_room,
                                                     s->room - s->first_room)));
    rc = doca_dma_task_memcpy_alloc_init(c->dma, s->src, s->dst, (union doca_data){ .ptr = s },
                                         &s->task);
    if (c->state == DOCA_CTX_STATE_RUNNING)
        CHECK_OK(rc); /* the context has a task for each slot */
    if (c->state == DOCA_CTX_STATE_IDLE)
        CHECK_RC(rc, DOCA_ERROR_BAD_STATE);
    if (rc == DOCA_SUCCESS)
        s->where = OWNED;
    else
        share_drop(s->src, s->dst);
}

static void submit(struct ctx *c, struct slot *s)
{
    bool is_good = s->bytes > 0 && s->bytes <= s->room;
    bool is_again = s->where == OWNED && rig_data_len(s->dst) > 0; /* the destination is used */
    doca_error_t rc;

    if (s->where == FREE || is_again)
        return;
    rc = doca_task_submit_ex(doca_dma_task_memcpy_as_task(s->task),
                             fuzz_byte() % 4 == 0 ? DOCA_TASK_SUBMIT_FLAG_NONE
                                                  : DOCA_TASK_SUBMIT_FLAG_FLUSH);
    if (s->where == OUT || c->state != DOCA_CTX_STATE_RUNNING) {
        CHECK_RC(rc, DOCA_ERROR_BAD_STATE);
        return;
    }
    if (is_good || DOCA_CORE_CHECK < 2)
        CHECK_OK(rc);
    else
        CHECK(rc != DOCA_SUCCESS);
    if (rc == DOCA_SUCCESS) {
        s->where = OUT;
        s->number = c->num_begun++;
    }
}

static void free_task(struct slot *s)
{
    if (s->where == FREE)
        return;
    doca_task_free(doca_dma_task_memcpy_as_task(s->task));
    if (s->where == OUT) /* the call was refused */
        return;
    share_drop(s->src, s->dst);
    s->where = FREE;
}

static void start(struct ctx *c)
{
    CHECK_RC(doca_ctx_start(c->ctx), c->state == DOCA_CTX_STATE_IDLE ? DOCA_SUCCESS
                                                                     : DOCA_ERROR_BAD_STATE);
    if (c->state == DOCA_CTX_STATE_IDLE)
        c->is_broken = false;
}

static void stop(struct ctx *c)
{
    bool has_tasks = num_of(c, FREE) < NUM_TASKS;

    if (c->state == DOCA_CTX_STATE_IDLE || (c->state == DOCA_CTX_STATE_RUNNING && !has_tasks))
        CHECK_OK(doca_ctx_stop(c->ctx));
    else
        CHECK_RC(doca_ctx_stop(c->ctx), DOCA_ERROR_IN_PROGRESS);
}

static void destroy_too_early(struct ctx *c)
{
    if (num_of(c, FREE) < NUM_TASKS)
        CHECK_RC(doca_dma_destroy(c->dma), DOCA_ERROR_IN_USE);
    CHECK(doca_pe_destroy(rig.pe) != DOCA_SUCCESS);
}

static void call(void)
{
    unsigned what = fuzz_byte() % 16;
    struct ctx *c = any_ctx();

    if (what < 4)
        make_task(c, any_slot(c));
    else if (what < 8)
        submit(c, any_slot(c));
    else if (what < 11)
        (void)rig_progress(&rig);
    else if (what == 11)
        free_task(any_slot(c));
    else if (what == 12)
        doca_ctx_flush_tasks(c->ctx);
    else if (what == 13)
        stop(c);
    else if (what == 14)
        start(c);
    else
        destroy_too_early(c);
}

/* ---- comparison, begin and end ---- */

static void compare(void)
{
    size_t num = 0, sum = 0;
    unsigned i;

    for (i = 0; i < NUM_CTXS; i++) {
        struct ctx *c = &ctxs[i];

        c->state = rig_state(c->ctx);
        CHECK_EQ(rig_inflight(c->ctx), num_of(c, OUT));
        sum += num_of(c, OUT);
        if (c->state == DOCA_CTX_STATE_IDLE)
            CHECK_EQ(num_of(c, FREE), NUM_TASKS);
    }
    CHECK_OK(doca_pe_get_num_inflight_tasks(rig.pe, &num));
    CHECK_EQ(num, sum);
}

static void end(struct ctx *c)
{
    unsigned i;

    c->state = rig_state(c->ctx);
    stop(c);
    rig_drain(&rig);
    CHECK_EQ(num_of(c, OUT), 0);
    for (i = 0; i < NUM_TASKS; i++)
        free_task(&c->slots[i]);
    rig_drain(&rig);
    CHECK_EQ(rig_state(c->ctx), DOCA_CTX_STATE_IDLE);
    CHECK_EQ(c->num_begun, c->num_ended);
    CHECK_OK(doca_dma_destroy(c->dma));
}

static void fuzz_run_input(void)
{
    unsigned i;

    rig_build(&rig, NULL, 1);
    memset(ctxs, 0, sizeof(ctxs));
    for (i = 0; i < NUM_CTXS; i++) {
        struct ctx *c = &ctxs[i];

        CHECK_OK(doca_dma_create(rig.dev, &c->dma));
        c->ctx = doca_dma_as_ctx(c->dma);
        CHECK_OK(doca_ctx_set_user_data(c->ctx, (union doca_data){ .ptr = c }));
        CHECK_OK(
            doca_dma_task_memcpy_set_conf(c->dma, check_completion, check_completion, NUM_TASKS));
        CHECK_OK(doca_pe_connect_ctx(rig.pe, c->ctx));
        CHECK_OK(doca_ctx_start(c->ctx));
    }
    compare();
    while (fuzz_left > 0) {
        call();
        compare();
    }
    for (i = 0; i < NUM_CTXS; i++)
        end(&ctxs[i]);
    rig_close(&rig);
}
