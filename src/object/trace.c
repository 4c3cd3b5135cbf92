/* ---- >>impl.trace ---------------------------------------------------------------------------
 * Recordings. The memory is divided into blocks: the first block holds the head, and each other
 * block the events of one thread. A thread that needs a block takes the next number from the head;
 * with OVERWRITE, the numbers after the last block start again at the first. A block is written
 * only by the thread that took it, until another thread takes it again. The former thread then
 * notices that the serial number of the block has changed. If it is writing an event at this very
 * moment, the event lands in the new block; readers recognize such an event because it is older
 * than the block.                                                                               */
#include "object/trace.h"

#include "base/clock_priv.h"
#include "base/compiler.h"
#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/record_priv.h"
#include "base/system_priv.h"
#include "object/hot_trace.h"
#include "object/log_priv.h"
#include "object/trace_priv.h"

#if DOCA_CORE_TRACE

/* The time stamp counter of the CPU. Programs that run on the bare machine can define their own. */
#ifndef DOCA_CORE_TRACE_TICKS
#if defined(__GNUC__) && !defined(__TINYC__) && (defined(__x86_64__) || defined(__i386__))
#define DOCA_CORE_TRACE_TICKS() __builtin_ia32_rdtsc()
#elif defined(__GNUC__) && !defined(__TINYC__) && defined(__aarch64__)
#define DOCA_CORE_TRACE_TICKS() doca_priv_trace_ticks()
static uint64_t doca_priv_trace_ticks(void)
{
    uint64_t ticks;

    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}
#else
#define DOCA_CORE_TRACE_TICKS() doca_priv_sys_now()
#endif
#endif

#define DOCA_PRIV_TRACE_CALIBRATION 200000u /* ns between the first two moments */
#define DOCA_PRIV_TRACE_ATTEMPTS 5
#define DOCA_PRIV_TRACE_MOMENTS 64 /* a moment is taken in one of so many blocks, because it needs a
                                    * system call */
#define DOCA_PRIV_TRACE_FILE_BYTES ((size_t)16 << 20)
#define DOCA_PRIV_TRACE_MARK_BYTES 120

static uint32_t doca_priv_trace_off; /* always 0; `live` points to it when no recording runs */

static struct {
    uint32_t lock;
    uint32_t epoch;   /* number of recordings so far */
    uint32_t process; /* process that made the recording; a forked child has another number */
    uint32_t reader;  /* process that has read the environment; 0: no process yet */
    uint32_t *live;   /* points to the epoch while a recording runs, otherwise to 0; 0 in a forked
                       * child */
    uint32_t *page;   /* value of `live` while a recording runs; NULL: not prepared yet */
    struct doca_priv_trace_head *head;
    /* The file of the latest recording: NULL, or its mapping. It stays mapped until the next start,
     * because other threads may write a last event while the recording stops. */
    void *map;
    size_t map_bytes;
} doca_priv_traces = { 0, 0, 0, 0, &doca_priv_trace_off, NULL, NULL, NULL, 0 };

/* Address of the next event of this thread. */
static DOCA_CORE_THREAD_LOCAL struct {
    struct doca_priv_trace_event *at, *end;
    struct doca_priv_trace_block *block;
    uint64_t serial;
    uint32_t epoch;
    uint32_t thread;
    uint32_t num_blocks; /* blocks that the thread has taken in this recording */
} doca_priv_trace_cursor;

/* The callbacks of this thread that have begun in the recording `epoch` and have not ended, from
 * the outermost to the innermost: a callback may call progress for another PE. A callback that
 * leaves by longjmp() or a C++ exception does not return to the library, and stays here until the
 * thread calls progress again: see doca_priv_trace_end_left(). */
#define DOCA_PRIV_TRACE_CALLBACKS 8
static DOCA_CORE_THREAD_LOCAL struct {
    uint32_t epoch;
    uint32_t num;
    uint32_t serial; /* of the callback that began last; never 0 */
    struct {
        const void *task, *pe;
        uintptr_t place; /* stack position of the call of progress */
        uint32_t serial;
    } begun[DOCA_PRIV_TRACE_CALLBACKS];
} doca_priv_trace_callbacks;

/* The stack position of the function that contains the macro, or `otherwise` when the compiler does
 * not provide it. The function must not be inlined: it would have the position of its caller, which
 * is not comparable. */
#ifdef __GNUC__
#define DOCA_PRIV_TRACE_PLACE(otherwise) ((uintptr_t)__builtin_frame_address(0))
#else
#define DOCA_PRIV_TRACE_PLACE(otherwise) (otherwise)
#endif

DOCA_PRIV_ASSERT_STATIC(trace_event, sizeof(struct doca_priv_trace_event) == 32);
DOCA_PRIV_ASSERT_STATIC(trace_block, sizeof(struct doca_priv_trace_block) == 64);

/* Read both clocks at the same moment. Of several attempts the fastest is used, because the thread
 * may be interrupted between the two reads. */
static void doca_priv_trace_moment(uint64_t *ticks, uint64_t *ns)
{
    uint64_t best = UINT64_MAX, before, now, took;
    unsigned i;

    for (i = 0; i < DOCA_PRIV_TRACE_ATTEMPTS; i++) {
        before = DOCA_CORE_TRACE_TICKS();
        now = doca_priv_sys_now();
        took = DOCA_CORE_TRACE_TICKS() - before;
        if (took >= best)
            continue;
        best = took;
        *ticks = before + took / 2;
        *ns = now;
    }
}

static struct doca_priv_trace_block *doca_priv_trace_block_at(struct doca_priv_trace_head *head,
                                                              uint32_t i)
{
    unsigned char *first = (unsigned char *)head + DOCA_CORE_TRACE_BLOCK;

    return (struct doca_priv_trace_block *)(void *)(first + DOCA_CORE_TRACE_BLOCK * (size_t)i);
}

/* Take a block for this thread. Returns false when the recording is full and its mode is KEEP. */
static DOCA_PRIV_NOINLINE bool doca_priv_trace_take(uint32_t epoch)
{
    struct doca_priv_trace_head *head = doca_priv_traces.head;
    const uint32_t number = (uint32_t)DOCA_PRIV_FETCH_ADD(&head->num_taken, 1u);
    struct doca_priv_trace_block *block;

    if (number >= head->num_blocks && head->mode == DOCA_CORE_TRACE_KEEP)
        return false;
    block = doca_priv_trace_block_at(head, number % head->num_blocks);
    DOCA_PRIV_STORE(&block->serial, (uint64_t)0);
    DOCA_CORE_MEMSET(block + 1, 0, DOCA_CORE_TRACE_BLOCK - sizeof(*block));
    if (doca_priv_trace_cursor.epoch != epoch) {
        doca_priv_trace_cursor.thread = doca_priv_sys_thread();
        doca_priv_trace_cursor.num_blocks = 0;
    }
    block->ns = 0;
    if (doca_priv_trace_cursor.num_blocks++ % DOCA_PRIV_TRACE_MOMENTS == 0)
        doca_priv_trace_moment(&block->ticks, &block->ns);
    else
        block->ticks = DOCA_CORE_TRACE_TICKS();
    block->thread = doca_priv_trace_cursor.thread;
    DOCA_PRIV_STORE(&block->serial, (uint64_t)number + 1);
    doca_priv_trace_cursor.block = block;
    doca_priv_trace_cursor.serial = (uint64_t)number + 1;
    doca_priv_trace_cursor.at = (struct doca_priv_trace_event *)(void *)(block + 1);
    doca_priv_trace_cursor.end =
        (struct doca_priv_trace_event *)(void *)((unsigned char *)block + DOCA_CORE_TRACE_BLOCK) -
        1;
    doca_priv_trace_cursor.epoch = epoch;
    return true;
}

DOCA_PRIV_HOT void doca_priv_trace_put(uint32_t what, uint64_t object, uint64_t other,
                                       uint32_t amount)
{
    const uint32_t epoch = DOCA_PRIV_PEEK(DOCA_PRIV_PEEK(&doca_priv_traces.live));
    struct doca_priv_trace_event *event;

    if (doca_likely(epoch == 0))
        return;
    if (doca_unlikely(doca_priv_trace_cursor.epoch != epoch ||
                      doca_priv_trace_cursor.at > doca_priv_trace_cursor.end ||
                      DOCA_PRIV_PEEK(&doca_priv_trace_cursor.block->serial) !=
                          doca_priv_trace_cursor.serial) &&
        !doca_priv_trace_take(epoch))
        return;
    event = doca_priv_trace_cursor.at++;
    event->ticks = DOCA_CORE_TRACE_TICKS();
    event->object = object;
    event->other = other;
    event->amount = amount;
    DOCA_PRIV_STORE(&event->what, what);
}

DOCA_CORE_DECL void doca_priv_trace(uint32_t what, const void *object, uint64_t other,
                                    uint32_t amount)
{
    doca_priv_trace_put(what, (uintptr_t)object, other, amount);
}

/* End the callbacks of this thread from index `first` on, the innermost one first. Callbacks that
 * began in an earlier recording are only forgotten. */
static void doca_priv_trace_end_from(uint32_t first)
{
    const bool is_recorded = doca_priv_trace_callbacks.epoch ==
                             DOCA_PRIV_PEEK(DOCA_PRIV_PEEK(&doca_priv_traces.live));
    uint32_t i;

    for (i = doca_priv_trace_callbacks.num; is_recorded && i > first; i--)
        doca_priv_trace(DOCA_PRIV_TRACE_CALLBACK_END, doca_priv_trace_callbacks.begun[i - 1].task,
                        0, 0);
    doca_priv_trace_callbacks.num = is_recorded ? first : 0;
}

/* Record the begin of a callback of a task. `what` and `amount` are members of the event. Returns
 * the number that the caller passes to doca_priv_trace_callback_end(), or 0 when no recording
 * runs. */
DOCA_PRIV_NOINLINE DOCA_CORE_DECL uint32_t doca_priv_trace_callback(uint32_t what, const void *task,
                                                                    uint32_t amount, const void *pe)
{
    const uint32_t epoch = DOCA_PRIV_PEEK(DOCA_PRIV_PEEK(&doca_priv_traces.live));
    uint32_t i;

    if (doca_likely(epoch == 0))
        return 0;
    if (doca_priv_trace_callbacks.epoch != epoch)
        doca_priv_trace_callbacks.num = 0;
    doca_priv_trace_callbacks.epoch = epoch;
    if (doca_priv_trace_callbacks.num == DOCA_PRIV_TRACE_CALLBACKS) {
        /* so many callbacks are never inside each other: the oldest one has left */
        doca_priv_trace(DOCA_PRIV_TRACE_CALLBACK_END, doca_priv_trace_callbacks.begun[0].task, 0,
                        0);
        doca_priv_trace_callbacks.num--;
        for (i = 0; i < doca_priv_trace_callbacks.num; i++)
            doca_priv_trace_callbacks.begun[i] = doca_priv_trace_callbacks.begun[i + 1];
    }
    doca_priv_trace(what, task, 0, amount);
    if (++doca_priv_trace_callbacks.serial == 0)
        doca_priv_trace_callbacks.serial = 1;
    i = doca_priv_trace_callbacks.num++;
    doca_priv_trace_callbacks.begun[i].task = task;
    doca_priv_trace_callbacks.begun[i].pe = pe;
    doca_priv_trace_callbacks.begun[i].place = DOCA_PRIV_TRACE_PLACE(UINTPTR_MAX);
    doca_priv_trace_callbacks.begun[i].serial = doca_priv_trace_callbacks.serial;
    return doca_priv_trace_callbacks.serial;
}

/* Record the end of a callback that has returned, and before it the ends of the callbacks inside it
 * that have not returned. If the end of the callback is in the recording already, because it called
 * progress for its own PE, nothing happens. */
DOCA_CORE_DECL void doca_priv_trace_callback_end(uint32_t serial)
{
    uint32_t i = serial != 0 ? doca_priv_trace_callbacks.num : 0;

    while (i > 0 && doca_priv_trace_callbacks.begun[i - 1].serial != serial)
        i--;
    if (i > 0)
        doca_priv_trace_end_from(i - 1);
}

/* Called when this thread calls progress for a PE, or destroys it. A callback in the list has left
 * if it belongs to this PE, or if the call of progress that began it was as deep in the stack as
 * the present call, or deeper. Record its end, and the ends of the callbacks inside it. */
DOCA_PRIV_NOINLINE DOCA_CORE_DECL void doca_priv_trace_end_left(const void *pe)
{
    const uintptr_t place = DOCA_PRIV_TRACE_PLACE(0);
    uint32_t i = 0;

    while (i < doca_priv_trace_callbacks.num && doca_priv_trace_callbacks.begun[i].pe != pe &&
           doca_priv_trace_callbacks.begun[i].place > place)
        i++;
    if (doca_unlikely(i < doca_priv_trace_callbacks.num))
        doca_priv_trace_end_from(i);
}

/* Record an event, followed by the first `len` bytes of a text. */
DOCA_PRIV_DECL void doca_priv_trace_text(uint32_t what, const void *object, uint64_t other,
                                         const char *text, size_t len)
{
    struct {
        uint64_t object, other;
        uint32_t amount, rest;
    } piece;
    size_t at, part;

    if (DOCA_PRIV_PEEK(DOCA_PRIV_PEEK(&doca_priv_traces.live)) == 0)
        return;
    doca_priv_trace(what, object, other, (uint32_t)len);
    for (at = 0; at < len; at += part) {
        part = len - at < 20 ? len - at : 20;
        DOCA_CORE_MEMSET(&piece, 0, sizeof(piece));
        DOCA_CORE_MEMCPY(&piece, text + at, part);
        doca_priv_trace_put(DOCA_PRIV_TRACE_TEXT, piece.object, piece.other, piece.amount);
    }
}

/* Write the head, and mark all blocks as not used. `is_zero`: the memory consists of zeros. */
static void doca_priv_trace_prepare(struct doca_priv_trace_head *head, size_t bytes,
                                    enum doca_core_trace_mode mode, bool is_zero)
{
    uint32_t i;

    DOCA_CORE_MEMSET(head, 0, sizeof(*head));
    head->block_bytes = DOCA_CORE_TRACE_BLOCK;
    head->mode = (uint32_t)mode;
    head->num_blocks = (uint32_t)(bytes / DOCA_CORE_TRACE_BLOCK - 1);
    head->process = doca_priv_sys_pid();
    doca_priv_sys_program(head->program, sizeof(head->program));
    for (i = 0; !is_zero && i < head->num_blocks; i++)
        doca_priv_trace_block_at(head, i)->serial = 0;
    doca_priv_trace_moment(&head->first_ticks, &head->first_ns);
    do
        doca_priv_trace_moment(&head->second_ticks, &head->second_ns);
    while (doca_priv_sys_has_clock &&
           head->second_ns - head->first_ns < DOCA_PRIV_TRACE_CALIBRATION);
    DOCA_CORE_MEMCPY(head->magic, "DOCATRC1", sizeof(head->magic));
}

/* Begin a recording. The caller has checked the memory and holds the lock. */
static void doca_priv_trace_begin(void *memory, size_t bytes, enum doca_core_trace_mode mode,
                                  bool is_zero)
{
    doca_priv_trace_prepare((struct doca_priv_trace_head *)memory, bytes, mode, is_zero);
    doca_priv_traces.head = (struct doca_priv_trace_head *)memory;
    doca_priv_traces.process = doca_priv_sys_pid();
    if (++doca_priv_traces.epoch == 0)
        doca_priv_traces.epoch = 1;
    *doca_priv_traces.page = doca_priv_traces.epoch;
    DOCA_PRIV_STORE(&doca_priv_traces.live, doca_priv_traces.page);
}

/* True while a recording of this process runs. In a forked child, the recording belongs to the
 * parent, and this function drops it. The caller holds the lock. */
static bool doca_priv_trace_runs(void)
{
    if (doca_priv_traces.live == &doca_priv_trace_off)
        return false;
    if (doca_priv_traces.process == doca_priv_sys_pid())
        return true;
    doca_priv_traces.live = &doca_priv_trace_off;
    return false;
}

/* Unmap the file of the previous recording. */
static void doca_priv_trace_unmap(void)
{
    if (doca_priv_traces.map != NULL)
        doca_priv_sys_unmap_file(doca_priv_traces.map, doca_priv_traces.map_bytes);
    doca_priv_traces.map = NULL;
}

/* Check the arguments and the state for a start. The caller holds the lock. */
static enum doca_core_item doca_priv_trace_check(size_t bytes, enum doca_core_trace_mode mode,
                                                 doca_error_t *rc)
{
    *rc = DOCA_ERROR_INVALID_VALUE;
    if (bytes < DOCA_CORE_TRACE_MIN_BYTES || bytes / DOCA_CORE_TRACE_BLOCK > UINT32_MAX)
        return DOCA_CORE_ITEM_TRACE_BYTES;
    if ((unsigned)mode > DOCA_CORE_TRACE_KEEP)
        return DOCA_CORE_ITEM_TRACE_MODE;
    *rc = DOCA_ERROR_BAD_STATE;
    if (doca_priv_trace_runs())
        return DOCA_CORE_ITEM_TRACE_RUNS;
    if (doca_priv_traces.page == NULL)
        doca_priv_traces.page = doca_priv_sys_word_of_process(DOCA_PRIV_WORD_TRACE);
    *rc = DOCA_SUCCESS;
    return DOCA_CORE_ITEM_NONE;
}

DOCA_CORE_DECL doca_error_t doca_core_trace_start(void *memory, size_t bytes,
                                                  enum doca_core_trace_mode mode)
{
    enum doca_core_item item = DOCA_CORE_ITEM_NONE;
    doca_error_t rc;

    if (memory == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    if ((uintptr_t)memory % DOCA_CORE_LINE != 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, ARENA_MISALIGNED, NULL);
    doca_priv_lock(&doca_priv_traces.lock);
    item = doca_priv_trace_check(bytes, mode, &rc);
    if (item == DOCA_CORE_ITEM_NONE) {
        doca_priv_trace_unmap();
        doca_priv_trace_begin(memory, bytes, mode, false);
    }
    doca_priv_unlock(&doca_priv_traces.lock);
    return item == DOCA_CORE_ITEM_NONE ? DOCA_SUCCESS : doca_priv_fail(rc, item, __func__, NULL);
}

DOCA_CORE_DECL doca_error_t doca_core_trace_start_file(const char *path, size_t bytes,
                                                       enum doca_core_trace_mode mode)
{
    enum doca_core_item item;
    struct doca_core_refusal why;
    void *map = NULL;
    doca_error_t rc;

    if (path == NULL)
        return DOCA_PRIV_FAIL(INVALID_VALUE, NULL_ARGUMENT, NULL);
    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    doca_priv_lock(&doca_priv_traces.lock);
    item = doca_priv_trace_check(bytes, mode, &rc);
    if (item == DOCA_CORE_ITEM_NONE)
        map = doca_priv_sys_map_file(path, bytes, &why);
    if (map != NULL) {
        doca_priv_trace_unmap();
        doca_priv_traces.map = map;
        doca_priv_traces.map_bytes = bytes;
        doca_priv_trace_begin(map, bytes, mode, true);
    }
    doca_priv_unlock(&doca_priv_traces.lock);
    if (item != DOCA_CORE_ITEM_NONE)
        return doca_priv_fail(rc, item, __func__, NULL);
    return map != NULL ? DOCA_SUCCESS
                       : doca_priv_fail_refused(DOCA_CORE_ITEM_TRACE_FILE, __func__, NULL, &why);
}

DOCA_CORE_DECL doca_error_t doca_core_trace_stop(void)
{
    struct doca_priv_trace_head *head;
    bool runs;

    doca_priv_lock(&doca_priv_traces.lock);
    runs = doca_priv_trace_runs();
    if (runs) {
        DOCA_PRIV_STORE(&doca_priv_traces.live, &doca_priv_trace_off);
        *doca_priv_traces.page = 0;
        head = doca_priv_traces.head;
        doca_priv_trace_moment(&head->last_ticks, &head->last_ns);
    }
    doca_priv_unlock(&doca_priv_traces.lock);
    return runs ? DOCA_SUCCESS : DOCA_PRIV_FAIL(BAD_STATE, TRACE_NONE, NULL);
}

DOCA_CORE_DECL void doca_core_trace_mark(const char *text)
{
    size_t len = 0;

    while (text != NULL && len < DOCA_PRIV_TRACE_MARK_BYTES && text[len] != '\0')
        len++;
    if (text != NULL)
        doca_priv_trace_text(DOCA_PRIV_TRACE_MARK, NULL, 0, text, len);
}

#if defined(__linux__) && !defined(DOCA_CORE_FREESTANDING)
/* Copy the path and replace "%p" by the process number. Returns false if the path does not fit, or
 * if parent and child would write to the same file. */
static bool doca_priv_trace_path(const char *from, bool is_child, char *to, size_t bytes)
{
    struct doca_priv_text text = { to, to + bytes - 1 };
    char one[2] = { 0, 0 };

    for (; *from != '\0' && text.at < text.end; from++) {
        if (from[0] == '%' && from[1] == 'p') {
            doca_priv_text_add_number(&text, doca_priv_sys_pid(), 10);
            is_child = false;
            from++;
        } else {
            one[0] = *from;
            doca_priv_text_add(&text, one);
        }
    }
    *text.at = '\0';
    return *from == '\0' && text.at < text.end && !is_child;
}

/* Start the recording that the environment requests. Each process reads the environment only
 * once. */
DOCA_PRIV_DECL void doca_priv_trace_read_environment(void)
{
    const uint32_t process = doca_priv_sys_pid(), reader = doca_priv_traces.reader;
    const char *path, *number;
    size_t bytes = 0;
    char full[256];

    if (reader == process)
        return;
    doca_priv_traces.reader = process;
    path = doca_priv_sys_env("DOCA_CORE_TRACE_FILE");
    number = doca_priv_sys_env("DOCA_CORE_TRACE_BYTES");
    if (path == NULL || !doca_priv_trace_path(path, reader != 0, full, sizeof(full)))
        return;
    for (; number != NULL && *number >= '0' && *number <= '9' && bytes < SIZE_MAX / 20; number++)
        bytes = 10 * bytes + (size_t)(*number - '0');
    (void)doca_core_trace_start_file(full, bytes > 0 ? bytes : DOCA_PRIV_TRACE_FILE_BYTES,
                                     DOCA_CORE_TRACE_OVERWRITE);
}
#endif

#else /* !DOCA_CORE_TRACE */

DOCA_CORE_DECL doca_error_t doca_core_trace_start(void *memory, size_t bytes,
                                                  enum doca_core_trace_mode mode)
{
    (void)memory;
    (void)bytes;
    (void)mode;
    return DOCA_PRIV_FAIL(NOT_SUPPORTED, TRACE_OFF, NULL);
}

DOCA_CORE_DECL doca_error_t doca_core_trace_start_file(const char *path, size_t bytes,
                                                       enum doca_core_trace_mode mode)
{
    (void)path;
    (void)bytes;
    (void)mode;
    return DOCA_PRIV_FAIL(NOT_SUPPORTED, TRACE_OFF, NULL);
}

DOCA_CORE_DECL doca_error_t doca_core_trace_stop(void)
{
    return DOCA_PRIV_FAIL(NOT_SUPPORTED, TRACE_OFF, NULL);
}

DOCA_CORE_DECL void doca_core_trace_mark(const char *text)
{
    (void)text;
}

#endif
