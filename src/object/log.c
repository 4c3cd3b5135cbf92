/* ---- >>impl.log -----------------------------------------------------------------------------
 * A failure is recorded as a small structure. Text is made from it only for a log line or when the
 * program calls doca_core_last_error().                                                         */
#include "object/log_priv.h"

#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/system_priv.h"
#include "object/check.h"
#include "object/check_priv.h"
#include "object/hot.h"
#include "object/object_priv.h"
#include "object/trace_priv.h"

/* amalgamate: skip */
#undef doca_priv_fail
#undef doca_priv_fail_refused
#undef doca_priv_fail_system
#undef doca_priv_fail_at
#undef doca_priv_fail_handle
#undef doca_priv_check_args
/* amalgamate: end */

#ifdef DOCA_CORE_NO_LOG
#define DOCA_PRIV_ITEM_ROW(item, level, text) { DOCA_CORE_LOG_##level, "item " #item },
#else
#define DOCA_PRIV_ITEM_ROW(item, level, text) { DOCA_CORE_LOG_##level, text },
#endif

static struct {
    uint32_t lock;
    uint32_t level;
    doca_core_log_sink_t sink;
    void *user;
} doca_priv_log_to = { 0, DOCA_CORE_LOG_WARNING, NULL, NULL };

DOCA_PRIV_DECL DOCA_CORE_THREAD_LOCAL struct doca_priv_failure doca_priv_last;
DOCA_PRIV_DECL DOCA_CORE_THREAD_LOCAL bool
    doca_priv_last_waits; /* defer the log lines of failures that backends report */
static DOCA_CORE_THREAD_LOCAL char doca_priv_last_text[DOCA_CORE_CHECK >= 2 ? 768 : 384];

static const struct {
    uint32_t level;
    const char *text;
} doca_priv_items[] = { DOCA_CORE_ITEMS(DOCA_PRIV_ITEM_ROW) };

DOCA_PRIV_DECL void doca_priv_text_add(struct doca_priv_text *text, const char *s)
{
    while (*s != '\0' && text->at < text->end)
        *text->at++ = *s++;
    *text->at = '\0';
}

DOCA_PRIV_DECL void doca_priv_text_add_number(struct doca_priv_text *text, uintptr_t value,
                                              unsigned base)
{
    char digits[3 * sizeof(value) + 1];
    size_t i = sizeof(digits) - 1;

    digits[i] = '\0';
    do {
        digits[--i] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    doca_priv_text_add(text, digits + i);
}

/* Append the details of a failed step: " to <step>: <errno>, <status>, syndrome 0x1; <hint>". */
static void doca_priv_refusal_text(const struct doca_core_refusal *why,
                                   struct doca_priv_text *text)
{
    const char *name = doca_priv_sys_errno_name(why->error), *before = ": ";
    const char *hint = why->hint != NULL ? why->hint : doca_priv_sys_errno_hint(why->error);

    if (why->step != NULL) {
        doca_priv_text_add(text, " to ");
        doca_priv_text_add(text, why->step);
    }
    if (why->error != 0) {
        doca_priv_text_add(text, before);
        doca_priv_text_add(text, name != NULL ? name : "errno ");
        if (name == NULL)
            doca_priv_text_add_number(text, (uintptr_t)why->error, 10);
        before = ", ";
    }
    if (why->status != NULL) {
        doca_priv_text_add(text, before);
        doca_priv_text_add(text, why->status);
        before = ", ";
    }
    if (why->syndrome != 0) {
        doca_priv_text_add(text, before);
        doca_priv_text_add(text, "syndrome 0x");
        doca_priv_text_add_number(text, why->syndrome, 16);
        before = ", ";
    }
    if (why->vendor_syndrome != 0) {
        doca_priv_text_add(text, before);
        doca_priv_text_add(text, "vendor syndrome 0x");
        doca_priv_text_add_number(text, why->vendor_syndrome, 16);
        before = ", ";
    }
    if (why->place != 0) {
        doca_priv_text_add(text, before);
        doca_priv_text_add(text, "at byte ");
        doca_priv_text_add_number(text, (uintptr_t)why->place, 10);
    }
    if (hint != NULL) {
        doca_priv_text_add(text, "; ");
        doca_priv_text_add(text, hint);
    }
}

/* True if the number after the item's text is a count. All other numbers are addresses. */
static bool doca_priv_item_counts(enum doca_core_item item)
{
    return (item >= DOCA_CORE_ITEM_FAULT_FAIL && item <= DOCA_CORE_ITEM_FAULT_FLIP) ||
           item == DOCA_CORE_ITEM_MLX5_RING_BYTES;
}

/* Compose "doca_core: call: type 0x1234 (state): reason [CODE]" in `to`. */
static void doca_priv_failure_text(const struct doca_priv_failure *f, char *to, size_t bytes)
{
    const char *code = doca_error_get_name(f->code);
    const bool is_named = code[0] == 'D' && f->code != DOCA_SUCCESS; /* has the prefix
                                                                      * DOCA_ERROR_ */
    const char *state = doca_priv_state_name(f->kind, f->state);
    struct doca_priv_text text;
    bool is_count;

    text.at = to;
    text.end = to + bytes - 1;
    doca_priv_text_add(&text, "doca_core: ");
    if (f->function != NULL) {
        doca_priv_text_add(&text, f->function);
        doca_priv_text_add(&text, ": ");
    }
    if (f->kind != 0) {
        doca_priv_text_add(&text, doca_priv_kind_name(f->kind));
        doca_priv_text_add(&text, " 0x");
        doca_priv_text_add_number(&text, (uintptr_t)f->object, 16);
        if (state != NULL) {
            doca_priv_text_add(&text, " (");
            doca_priv_text_add(&text, state);
            doca_priv_text_add(&text, ")");
        }
        doca_priv_text_add(&text, ": ");
    }
    if (f->place != 0) {
        doca_priv_text_add(&text, "at character ");
        doca_priv_text_add_number(&text, f->place, 10);
        doca_priv_text_add(&text, ": ");
    }
    doca_priv_text_add(&text, doca_priv_items[f->item].text);
    doca_priv_refusal_text(&f->why, &text);
    if (f->detail != 0) {
        is_count = doca_priv_item_counts(f->item);
        doca_priv_text_add(&text, is_count ? " " : " 0x");
        doca_priv_text_add_number(&text, f->detail, is_count ? 10 : 16);
    }
    doca_priv_text_add(&text, " [");
    doca_priv_text_add(&text, is_named ? code + sizeof("DOCA_ERROR_") - 1 : code);
    doca_priv_text_add(&text, "]");
    DOCA_PRIV_CHECKED(doca_priv_check_add_life(f->history_of, "; ", &text);)
}

#if DOCA_CORE_TRACE
/* Record a failure together with its log line. The line is left out for items of level DEBUG, such
 * as an empty pool of tasks, because a program may meet them all the time. */
static void doca_priv_trace_failure(const struct doca_priv_failure *f)
{
    const uint32_t what = DOCA_PRIV_TRACE_REFUSAL | (uint32_t)f->kind << 8 |
                          ((uint32_t)f->code & 0xffff) << 16;
    char line[sizeof(doca_priv_last_text) + 1];

    line[0] = '\0';
    if (doca_priv_items[f->item].level < DOCA_CORE_LOG_DEBUG)
        doca_priv_failure_text(f, line, sizeof(line));
    doca_priv_trace_text(what, f->object, (uint64_t)f->item, line, doca_priv_str_len(line));
}
#endif

DOCA_PRIV_DECL void doca_priv_log(const struct doca_priv_failure *f)
{
    char line[sizeof(doca_priv_last_text) + 1];
    uint32_t level = doca_priv_items[f->item].level;
    doca_core_log_sink_t sink;
    void *user;
    size_t len;
    DOCA_PRIV_CHECKED(const void *stock;)

    DOCA_PRIV_TRACED(doca_priv_trace_failure(f);)
    if (level > DOCA_PRIV_LOAD(&doca_priv_log_to.level))
        return;
    doca_priv_failure_text(f, line, sizeof(line) - 1);
    doca_priv_lock(&doca_priv_log_to.lock);
    sink = doca_priv_log_to.sink;
    user = doca_priv_log_to.user;
    doca_priv_unlock(&doca_priv_log_to.lock);
    DOCA_PRIV_CHECKED(stock = doca_priv_check_step_aside();)
    if (sink != NULL) {
        sink(level, f->item, line, user);
    } else {
        len = doca_priv_str_len(line);
        line[len] = '\n';
        doca_priv_sys_print(line, len + 1);
    }
    DOCA_PRIV_CHECKED(doca_priv_check_step_back(stock);)
}

/* Fill the record of a failure. `object` is NULL or an object of the library; the first bytes of an
 * object are its type and state. */
DOCA_PRIV_DECL struct doca_priv_failure doca_priv_failure_make(doca_error_t code,
                                                               enum doca_core_item item,
                                                               const char *function,
                                                               const void *object)
{
    struct doca_priv_failure f;

    f.code = code;
    f.item = item;
    f.function = function;
    f.object = (const void *)DOCA_PRIV_HANDLE((void *)(uintptr_t)object);
    f.place = 0;
    f.detail = 0;
    f.kind = object == NULL ? 0 : ((const uint8_t *)object)[0];
    f.state = object == NULL ? 0 : ((const uint8_t *)object)[1];
    f.is_backends = false;
    DOCA_CORE_MEMSET(&f.why, 0, sizeof(f.why));
    DOCA_PRIV_CHECKED(f.history_of = doca_priv_check_history_of(item, object);)
    return f;
}

/* Record a failure of the current call for doca_core_last_error(), and log it. */
DOCA_PRIV_DECL DOCA_PRIV_COLD doca_error_t doca_priv_fail(doca_error_t code,
                                                          enum doca_core_item item,
                                                          const char *function, const void *object)
{
    doca_priv_last = doca_priv_failure_make(code, item, function, object);
    doca_priv_log(&doca_priv_last);
    return code;
}

/* Like doca_priv_fail() with OPERATING_SYSTEM, for a failed system call that *why describes. */
DOCA_PRIV_DECL DOCA_PRIV_COLD doca_error_t
doca_priv_fail_refused(enum doca_core_item item, const char *function, const void *object,
                       const struct doca_core_refusal *why)
{
    doca_priv_last = doca_priv_failure_make(DOCA_ERROR_OPERATING_SYSTEM, item, function, object);
    doca_priv_last.why = *why;
    doca_priv_log(&doca_priv_last);
    return DOCA_ERROR_OPERATING_SYSTEM;
}

/* Like doca_priv_fail_refused(), for the latest system call. `step` describes the purpose of the
 * call; errno is the error of the call. */
DOCA_PRIV_DECL DOCA_PRIV_COLD doca_error_t doca_priv_fail_system(enum doca_core_item item,
                                                                 const char *function,
                                                                 const void *object,
                                                                 const char *step)
{
    struct doca_core_refusal why = { NULL, NULL, NULL, 0, 0, 0, 0 };

    why.step = step;
    why.error = doca_priv_sys_errno();
    return doca_priv_fail_refused(item, function, object, &why);
}

/* Like doca_priv_fail(), for an error at position `place` of a text that the program passed. */
DOCA_PRIV_DECL DOCA_PRIV_COLD doca_error_t doca_priv_fail_at(doca_error_t code,
                                                             enum doca_core_item item,
                                                             const char *function, size_t place)
{
    doca_priv_last = doca_priv_failure_make(code, item, function, NULL);
    doca_priv_last.place = place;
    doca_priv_log(&doca_priv_last);
    return code;
}

/* Like doca_priv_fail(), for backends that are part of this library. `detail` is a number that
 * follows the text. The line is not logged while log lines are deferred. */
DOCA_PRIV_DECL doca_error_t doca_priv_fail_device(doca_error_t code, enum doca_core_item item,
                                                  const char *function, const void *object,
                                                  uintptr_t detail)
{
    doca_priv_last = doca_priv_failure_make(code, item, function, object);
    doca_priv_last.detail = detail;
    doca_priv_last.is_backends = true;
    if (!doca_priv_last_waits)
        doca_priv_log(&doca_priv_last);
    return code;
}

/* Called before a call into a backend: forget whether the last failure came from a backend. */
DOCA_PRIV_DECL void doca_priv_listen(void)
{
    doca_priv_last.is_backends = false;
}

/* Report a failed call into a backend. If the backend has reported a failure itself since
 * doca_priv_listen(), the reason that it reported is kept. */
DOCA_PRIV_DECL doca_error_t doca_priv_refused(doca_error_t code, const char *function,
                                              const void *object)
{
    return doca_priv_last.is_backends && doca_priv_last.code == code
               ? code
               : doca_priv_fail(code, DOCA_CORE_ITEM_BACKEND_REFUSED, function, object);
}

/* Like doca_priv_refused(), after a call during which log lines were deferred: log the reason that
 * the backend reported. If it reported none, the reason is `item`. */
DOCA_PRIV_DECL doca_error_t doca_priv_refused_late(doca_error_t code, enum doca_core_item item,
                                                   const char *function, const void *object)
{
    if (!doca_priv_last.is_backends)
        return doca_priv_fail(code, item, function, object);
    doca_priv_last.code = code;
    doca_priv_log(&doca_priv_last);
    return code;
}

/* Report an argument that is NULL or not a valid handle. */
DOCA_PRIV_DECL DOCA_PRIV_COLD doca_error_t doca_priv_fail_handle(const void *handle,
                                                                 const char *function)
{
    doca_priv_last = doca_priv_failure_make(DOCA_ERROR_INVALID_VALUE,
                                            handle == NULL ? DOCA_CORE_ITEM_NULL_ARGUMENT
                                                           : DOCA_CORE_ITEM_DEAD_HANDLE,
                                            function, NULL);
    DOCA_PRIV_CHECKED(doca_priv_last.history_of =
                          doca_priv_check_history_of(DOCA_CORE_ITEM_DEAD_HANDLE, handle);)
    doca_priv_log(&doca_priv_last);
    return DOCA_ERROR_INVALID_VALUE;
}

/* Check the arguments of a call with one object and one pointer. INVALID_VALUE: `object` is not a
 * live object of type `kind`, or `pointer` is NULL. */
DOCA_PRIV_DECL doca_error_t doca_priv_check_args(const void *object, uint8_t kind,
                                                 const void *pointer, const char *function)
{
    bool is_live = doca_priv_is(object, kind);

    if (is_live && pointer != NULL)
        return DOCA_SUCCESS;
    return is_live ? doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_NULL_ARGUMENT,
                                    function, object)
                   : doca_priv_fail_handle(object, function);
}

DOCA_CORE_DECL void doca_core_log_set_sink(doca_core_log_sink_t sink, void *user)
{
    doca_priv_lock(&doca_priv_log_to.lock);
    doca_priv_log_to.sink = sink;
    doca_priv_log_to.user = user;
    doca_priv_unlock(&doca_priv_log_to.lock);
}

DOCA_CORE_DECL doca_error_t doca_core_log_set_level(uint32_t level)
{
    if (level % 10 != 0 || level < DOCA_CORE_LOG_DISABLE || level > DOCA_CORE_LOG_DEBUG)
        return DOCA_PRIV_FAIL(INVALID_VALUE, LOG_LEVEL, NULL);
    DOCA_PRIV_STORE(&doca_priv_log_to.level, level);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL const char *doca_core_last_error(void)
{
    doca_priv_failure_text(&doca_priv_last, doca_priv_last_text, sizeof(doca_priv_last_text));
    return doca_priv_last_text;
}

DOCA_CORE_DECL enum doca_core_item doca_core_last_item(void)
{
    return doca_priv_last.item;
}

DOCA_CORE_DECL const char *doca_core_item_text(enum doca_core_item item)
{
    return (unsigned)item < DOCA_CORE_NUM_ITEMS ? doca_priv_items[item].text : "unknown item";
}
