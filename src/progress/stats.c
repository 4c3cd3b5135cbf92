/* ---- >>impl.stats ---------------------------------------------------------------------------
 * The counters are in pages that the process shares with readers. Only the thread of a PE writes
 * the records of the PE and of its contexts; the lock protects the choice of free records. The
 * number of a record is valid for an object if the record has the object's id. The objects that a
 * forked child inherits have numbers that are not valid in the child: these records belong to the
 * parent, or to other objects of the child.                                                      */
#include "progress/stats.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "base/record_priv.h"
#include "base/share_priv.h"
#include "base/system_priv.h"
#include "base/types.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "progress/ctx.h"
#include "progress/ctx_priv.h"
#include "progress/pe.h"
#include "progress/stats_priv.h"
#include "progress/task.h"
#include "progress/task_priv.h"

static struct {
    uint32_t lock;
    uint32_t reader;    /* process that has read the environment; 0: no process yet */
    uint32_t num_pages; /* only grows, except when a forked child begins to count */
    uint32_t *live;     /* 1 in the process that counts, 0 in a forked child; NULL: counting has not
                         * begun */
    struct doca_priv_stats_page *pages[DOCA_PRIV_STATS_PAGES];
} doca_priv_stats;

DOCA_PRIV_ASSERT_STATIC(stats_record, sizeof(struct doca_priv_stats_record) == DOCA_CORE_LINE);
DOCA_PRIV_ASSERT_STATIC(stats_page,
                        sizeof(struct doca_priv_stats_page) == DOCA_PRIV_PAGE_BYTES);

static uint32_t doca_priv_stats_id(const void *object)
{
    return (uint32_t)((uintptr_t)object / DOCA_CORE_LINE);
}

/* True when this process counts. */
static bool doca_priv_stats_runs(void)
{
    return doca_priv_stats.live != NULL && DOCA_PRIV_PEEK(doca_priv_stats.live) != 0;
}

/* Return the counters of an object by the number of its record, or NULL when it is not counted. */
static struct doca_priv_stats_record *doca_priv_stats_find(uint16_t number, const void *object)
{
    const unsigned at = number - 1u, page = at / DOCA_PRIV_STATS_PER_PAGE;
    struct doca_priv_stats_record *record;

    if (number == 0 || !doca_priv_stats_runs() ||
        page >= DOCA_PRIV_LOAD(&doca_priv_stats.num_pages))
        return NULL;
    record = &doca_priv_stats.pages[page]->records[at % DOCA_PRIV_STATS_PER_PAGE];
    return record->id == doca_priv_stats_id(object) ? record : NULL;
}

/* ---- pages ---- */

/* Add a page. The descriptor stays open, because readers find the page through it. The caller holds
 * the lock. */
static doca_error_t doca_priv_stats_add_page(void)
{
    const uint32_t num = doca_priv_stats.num_pages;
    struct doca_priv_stats_page *page;
    void *memory = NULL;
    doca_error_t rc;
    int fd = -1;

    if (num == DOCA_PRIV_STATS_PAGES)
        return DOCA_ERROR_FULL;
    rc = doca_priv_sys_page_create(&fd, &memory);
    if (rc != DOCA_SUCCESS)
        return rc;
    page = (struct doca_priv_stats_page *)memory;
    page->process = doca_priv_sys_pid();
    page->serial = num;
    DOCA_CORE_MEMCPY(page->magic, DOCA_PRIV_STATS_MAGIC, sizeof(page->magic));
    doca_priv_stats.pages[num] = page;
    DOCA_PRIV_STORE(&doca_priv_stats.num_pages, num + 1);
    return DOCA_SUCCESS;
}

/* Begin to count in this process. The caller holds the lock. */
static doca_error_t doca_priv_stats_begin(void)
{
    doca_error_t rc;

    if (doca_priv_stats_runs())
        return DOCA_SUCCESS;
    doca_priv_stats.num_pages = 0; /* pages that a child has inherited stay mapped */
    rc = doca_priv_stats_add_page();
    if (rc != DOCA_SUCCESS)
        return rc;
    if (doca_priv_stats.live == NULL)
        doca_priv_stats.live = doca_priv_sys_word_of_process(DOCA_PRIV_WORD_STATS);
    DOCA_PRIV_STORE(doca_priv_stats.live, 1u);
    return DOCA_SUCCESS;
}

/* Take a free record. Returns its number, or 0 when no record is free. The caller holds the
 * lock. */
static uint16_t doca_priv_stats_take(const void *object, uint8_t kind, uint16_t pe)
{
    struct doca_priv_stats_record *record;
    unsigned i, k;

    for (i = 0; i < doca_priv_stats.num_pages || doca_priv_stats_add_page() == DOCA_SUCCESS; i++)
        for (k = 0; k < DOCA_PRIV_STATS_PER_PAGE; k++) {
            record = &doca_priv_stats.pages[i]->records[k];
            if (record->id != 0)
                continue;
            record->kind = kind;
            record->pe = pe;
            DOCA_PRIV_STORE(&record->id, doca_priv_stats_id(object));
            return (uint16_t)(1 + i * DOCA_PRIV_STATS_PER_PAGE + k);
        }
    doca_priv_stats.pages[0]->num_uncounted++;
    return 0;
}

/* Begin to count if the environment asks for it. The caller holds the lock. */
static void doca_priv_stats_read_environment(void)
{
    const uint32_t process = doca_priv_sys_pid();
    const char *value;

    if (doca_priv_stats.reader == process)
        return;
    doca_priv_stats.reader = process;
    value = doca_priv_sys_env("DOCA_CORE_STATS");
    if (value != NULL && value[0] == '1' && value[1] == '\0')
        (void)doca_priv_stats_begin();
}

/* Assign counters to a starting context and to its PE. They keep their counters when the context
 * stops. */
DOCA_PRIV_DECL void doca_priv_stats_attach(struct doca_ctx *ctx)
{
    struct doca_pe *pe = ctx->pe;

    doca_priv_lock(&doca_priv_stats.lock);
    doca_priv_stats_read_environment();
    if (!doca_priv_stats_runs()) {
        ctx->stats = 0;
    } else if (doca_priv_stats_find(ctx->stats, ctx) == NULL) {
        if (doca_priv_stats_find(pe->stats, pe) == NULL) {
            pe->stats = doca_priv_stats_take(pe, DOCA_PRIV_KIND_PE, 0);
            pe->num_fruitless = 0; /* earlier calls are not counted */
        }
        ctx->stats = pe->stats != 0 ? doca_priv_stats_take(ctx, ctx->obj.kind, pe->stats) : 0;
    }
    doca_priv_unlock(&doca_priv_stats.lock);
}

/* Free the counters of an object that is being destroyed. */
DOCA_PRIV_DECL void doca_priv_stats_detach(uint16_t *number, const void *object)
{
    struct doca_priv_stats_record *record = doca_priv_stats_find(*number, object);

    *number = 0;
    if (record == NULL)
        return;
    doca_priv_lock(&doca_priv_stats.lock);
    DOCA_CORE_MEMSET((unsigned char *)record + sizeof(record->id), 0,
                     sizeof(*record) - sizeof(record->id));
    DOCA_PRIV_STORE(&record->id, 0u);
    doca_priv_unlock(&doca_priv_stats.lock);
}

DOCA_CORE_DECL doca_error_t doca_core_stats_start(void)
{
    doca_error_t rc;

    doca_priv_lock(&doca_priv_stats.lock);
    rc = doca_priv_stats_begin();
    doca_priv_unlock(&doca_priv_stats.lock);
    if (rc == DOCA_ERROR_NOT_SUPPORTED)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, STATS_NO_SYSTEM, NULL);
    return rc == DOCA_SUCCESS
               ? rc
               : doca_priv_fail_system(DOCA_CORE_ITEM_STATS_MEMORY, __func__, NULL,
                                       DOCA_PRIV_LOG_TEXT("create a page of shared memory"));
}

/* ---- counting ---- */

/* Raise the maximum of a record to `num`. */
static void doca_priv_stats_raise(struct doca_priv_stats_record *record, uint32_t num)
{
    if (num > record->max_inflight)
        record->max_inflight = num;
}

/* Count the tasks in flight of the counted contexts of a PE. */
static uint32_t doca_priv_stats_inflight(const struct doca_pe *pe)
{
    const struct doca_ctx *ctx;
    uint32_t num = 0;

    for (ctx = pe->watched; ctx != NULL; ctx = ctx->pe_next)
        num += doca_priv_stats_find(ctx->stats, ctx) != NULL ? ctx->num_inflight : 0;
    for (ctx = pe->ctxs; ctx != NULL; ctx = ctx->pe_next)
        num += doca_priv_stats_find(ctx->stats, ctx) != NULL ? ctx->num_inflight : 0;
    return num;
}

/* Count the task in one record. */
static void doca_priv_stats_count_task(struct doca_priv_stats_record *record,
                                       const struct doca_task *task)
{
    const struct doca_priv_engine *engine = task->ctx->engine;

    if (task->status != DOCA_SUCCESS) {
        record->num_failed++;
        return;
    }
    record->num_completed++;
    if (engine->bytes != NULL)
        record->num_bytes += engine->bytes(task);
}

/* Count the result of a poll of a counted context: a task or event that has ended, before its
 * callback runs; or NULL. */
DOCA_PRIV_DECL void doca_priv_stats_count(const struct doca_ctx *ctx, const struct doca_task *task)
{
    const uint32_t is_event = task != NULL && task->type == DOCA_PRIV_TASK_EVENT;
    struct doca_priv_stats_record *own = doca_priv_stats_find(ctx->stats, ctx);
    struct doca_priv_stats_record *sum = doca_priv_stats_find(ctx->pe->stats, ctx->pe);

    if (own == NULL || sum == NULL)
        return;
    doca_priv_stats_raise(own, ctx->num_inflight - is_event);
    own->num_inflight = ctx->num_inflight - (task != NULL);
    sum->num_empty_polls = ctx->pe->num_fruitless;
    if (task == NULL) {
        own->num_empty_polls++;
    } else if (is_event) {
        own->num_events++;
        sum->num_events++;
    } else {
        doca_priv_stats_raise(sum, doca_priv_stats_inflight(ctx->pe));
        doca_priv_stats_count_task(own, task);
        doca_priv_stats_count_task(sum, task);
    }
}

/* Count a task that the program has freed in flight; ctx->num_inflight does not include it. */
DOCA_PRIV_DECL void doca_priv_stats_count_withdrawn(const struct doca_ctx *ctx)
{
    struct doca_priv_stats_record *own = doca_priv_stats_find(ctx->stats, ctx);
    struct doca_priv_stats_record *sum = doca_priv_stats_find(ctx->pe->stats, ctx->pe);

    if (own == NULL || sum == NULL)
        return;
    doca_priv_stats_raise(own, ctx->num_inflight + 1);
    doca_priv_stats_raise(sum, doca_priv_stats_inflight(ctx->pe) + 1);
    own->num_inflight = ctx->num_inflight;
    own->num_withdrawn++;
    sum->num_withdrawn++;
}

/* Publish how often the PE has found nothing. */
DOCA_PRIV_DECL void doca_priv_stats_publish(const struct doca_pe *pe)
{
    struct doca_priv_stats_record *record = doca_priv_stats_find(pe->stats, pe);

    if (record != NULL)
        record->num_empty_polls = pe->num_fruitless;
}

DOCA_PRIV_DECL void doca_priv_stats_set_state(const struct doca_ctx *ctx)
{
    struct doca_priv_stats_record *record = doca_priv_stats_find(ctx->stats, ctx);

    if (record != NULL)
        record->state = ctx->obj.state;
}

/* ---- getters ---- */

DOCA_CORE_DECL doca_error_t doca_core_ctx_get_stats(const struct doca_ctx *ctx,
                                                    struct doca_core_ctx_stats *stats)
{
    DOCA_PRIV_OPEN(ctx)
    doca_error_t rc = doca_priv_ctx_check(ctx, stats, __func__);
    const struct doca_priv_stats_record *record;

    if (rc != DOCA_SUCCESS)
        return rc;
    DOCA_CORE_MEMSET(stats, 0, sizeof(*stats));
    stats->num_inflight = ctx->num_inflight;
    record = doca_priv_stats_find(ctx->stats, ctx);
    if (record == NULL)
        return DOCA_SUCCESS;
    stats->is_counted = true;
    stats->num_completed = record->num_completed;
    stats->num_failed = record->num_failed;
    stats->num_withdrawn = record->num_withdrawn;
    stats->num_submitted = stats->num_completed + stats->num_failed + stats->num_withdrawn +
                           stats->num_inflight;
    stats->num_events = record->num_events;
    stats->num_bytes = record->num_bytes;
    stats->max_inflight = ctx->num_inflight > record->max_inflight ? ctx->num_inflight
                                                                   : record->max_inflight;
    stats->num_empty_polls = record->num_empty_polls;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_pe_get_stats(const struct doca_pe *pe,
                                                   struct doca_core_pe_stats *stats)
{
    doca_error_t rc = doca_priv_check_args(pe, DOCA_PRIV_KIND_PE, stats, __func__);
    const struct doca_priv_stats_record *record;
    const struct doca_ctx *ctx;
    uint32_t num;

    if (rc != DOCA_SUCCESS)
        return rc;
    DOCA_CORE_MEMSET(stats, 0, sizeof(*stats));
    for (ctx = pe->watched; ctx != NULL; ctx = ctx->pe_next)
        stats->num_inflight += ctx->engine != NULL ? ctx->num_inflight : 0; /* NULL: a graph */
    for (ctx = pe->ctxs; ctx != NULL; ctx = ctx->pe_next)
        stats->num_inflight += ctx->engine != NULL ? ctx->num_inflight : 0;
    record = doca_priv_stats_find(pe->stats, pe);
    if (record == NULL)
        return DOCA_SUCCESS;
    num = doca_priv_stats_inflight(pe);
    stats->is_counted = true;
    stats->num_completed = record->num_completed;
    stats->num_failed = record->num_failed;
    stats->num_withdrawn = record->num_withdrawn;
    stats->num_submitted =
        stats->num_completed + stats->num_failed + stats->num_withdrawn + num;
    stats->num_events = record->num_events;
    stats->num_bytes = record->num_bytes;
    stats->max_inflight = num > record->max_inflight ? num : record->max_inflight;
    stats->num_empty_polls = pe->num_fruitless;
    return DOCA_SUCCESS;
}
