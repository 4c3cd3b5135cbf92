/* The log lines of calls that fail: the text of the line, its level, its item, and the sink that
 * receives the line. */
#include "doca_test.h"

#include <pthread.h>
#include <unistd.h>

#define ITEM_ROW(item, level, text) { #item, DOCA_CORE_LOG_##level, text },
static const struct {
    const char *name;
    uint32_t level;
    const char *text;
} items[] = { DOCA_CORE_ITEMS(ITEM_ROW) };
#define NUM_ITEMS (sizeof(items) / sizeof(items[0]))

static struct {
    unsigned lines;
    uint32_t level;
    enum doca_core_item item;
    char line[512];
    char last_error[512]; /* doca_core_last_error(), called in the sink */
    void *user;
    bool has_item[DOCA_CORE_NUM_ITEMS];
} heard;

static void listen(uint32_t level, enum doca_core_item item, const char *line, void *user)
{
    heard.lines++;
    heard.level = level;
    heard.item = item;
    heard.user = user;
    heard.has_item[item] = true;
    snprintf(heard.line, sizeof(heard.line), "%s", line);
    snprintf(heard.last_error, sizeof(heard.last_error), "%s", doca_core_last_error());
}

static void begin_listening(void)
{
    memset(&heard, 0, sizeof(heard));
    doca_core_log_set_sink(listen, &heard);
}

/* Check that the call failed with `want` and logged one line, which names call, object, state,
 * reason and code. If `object` is NULL, the line must not name an object. */
static void check_line(int at, doca_error_t got, doca_error_t want, const char *code,
                       enum doca_core_item item, const char *function, const void *object,
                       const char *kind, const char *state)
{
    char line[512], subject[128] = "", condition[32] = "";

    if (got != want)
        test_fail(__FILE__, at, "%s returns %s, want %s", function, doca_error_get_name(got), code);
    if (heard.lines != 1)
        test_fail(__FILE__, at, "%s logs %u lines", function, heard.lines);
    if (heard.item != item || doca_core_last_item() != item)
        test_fail(__FILE__, at, "%s logs item %s, want %s", function, items[heard.item].name,
                  items[item].name);
    CHECK_EQ(heard.level, items[item].level);
    CHECK_STR(heard.last_error, heard.line);
    CHECK_STR(doca_core_last_error(), heard.line);
#ifdef DOCA_CORE_NO_LOG
    (void)line, (void)subject, (void)condition, (void)object, (void)kind, (void)state;
#else
    if (state != NULL)
        snprintf(condition, sizeof(condition), " (%s)", state);
    if (object != NULL)
        snprintf(subject, sizeof(subject), "%s 0x%llx%s: ", kind,
                 (unsigned long long)(uintptr_t)object, condition);
    snprintf(line, sizeof(line), "doca_core: %s: %s%s [%s]", function, subject, items[item].text,
             code);
    /* in the checked mode the history of the object may follow */
    if (strncmp(line, heard.line, strlen(line)) != 0 ||
        (heard.line[strlen(line)] != '\0' &&
         (DOCA_CORE_CHECK < 2 || strncmp(heard.line + strlen(line), "; history of ", 13) != 0)))
        test_fail(__FILE__, at, "the line is \"%s\"\n    want \"%s\"", heard.line, line);
#endif
}

#define LOGS(function, arguments, code, item, object, kind, state)                                 \
    do {                                                                                           \
        doca_error_t rc_;                                                                          \
        heard.lines = 0;                                                                           \
        rc_ = function arguments;                                                                  \
        check_line(__LINE__, rc_, DOCA_ERROR_##code, #code, DOCA_CORE_ITEM_##item, #function,      \
                   object, kind, state);                                                           \
    } while (0)

/* ---- a set of objects, all of them started ---- */

static struct {
    char memory[256];
    struct doca_dev *dev;
    struct doca_devinfo *info;
    struct doca_mmap *mmap;
    struct doca_buf_inventory *inventory; /* 4 elements */
    struct doca_buf *one, *two;           /* the first and the second 64 bytes, with data */
    struct doca_pe *pe;
    struct doca_dma *dma; /* 1 task */
    struct doca_ctx *ctx;
} s;

static unsigned num_failed;
static enum doca_core_item item_in_callback;

static void on_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
                    union doca_data ctx_data)
{
    (void)task_data;
    (void)ctx_data;
    if (doca_task_get_status(doca_dma_task_memcpy_as_task(task)) != DOCA_SUCCESS) {
        num_failed++;
        item_in_callback = doca_core_last_item();
    }
}

static void open_all(void)
{
    struct doca_devinfo **list;
    uint32_t n;

    CHECK_OK(doca_core_sw_set_profile("default"));
    CHECK_OK(doca_devinfo_create_list(&list, &n));
    CHECK_OK(doca_dev_open(list[0], &s.dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    s.info = doca_dev_as_devinfo(s.dev);
    CHECK_OK(doca_mmap_create(&s.mmap));
    CHECK_OK(doca_mmap_set_memrange(s.mmap, s.memory, sizeof(s.memory)));
    CHECK_OK(doca_mmap_add_dev(s.mmap, s.dev));
    CHECK_OK(doca_mmap_start(s.mmap));
    CHECK_OK(doca_buf_inventory_create(4, &s.inventory));
    CHECK_OK(doca_buf_inventory_start(s.inventory));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(s.inventory, s.mmap, s.memory, 64, &s.one));
    CHECK_OK(doca_buf_inventory_buf_get_by_data(s.inventory, s.mmap, s.memory + 64, 64, &s.two));
    CHECK_OK(doca_pe_create(&s.pe));
    CHECK_OK(doca_dma_create(s.dev, &s.dma));
    s.ctx = doca_dma_as_ctx(s.dma);
    CHECK_OK(doca_dma_task_memcpy_set_conf(s.dma, on_done, on_done, 1));
    CHECK_OK(doca_pe_connect_ctx(s.pe, s.ctx));
    CHECK_OK(doca_ctx_start(s.ctx));
    num_failed = 0;
    begin_listening();
}

static void close_all(void)
{
    CHECK_OK(doca_dma_destroy(s.dma));
    CHECK_OK(doca_pe_destroy(s.pe));
    CHECK_OK(doca_buf_dec_refcount(s.one, NULL));
    CHECK_OK(doca_buf_dec_refcount(s.two, NULL));
    CHECK_OK(doca_buf_inventory_destroy(s.inventory));
    CHECK_OK(doca_mmap_destroy(s.mmap));
    CHECK_OK(doca_dev_close(s.dev));
}

/* ---- the list of items ---- */

static void every_item_has_level_and_text(void)
{
    size_t i;

    CHECK_EQ(NUM_ITEMS, DOCA_CORE_NUM_ITEMS);
    CHECK_EQ(DOCA_CORE_ITEM_NONE, 0);
    for (i = 0; i < NUM_ITEMS; i++) {
        const char *text = items[i].text;
        size_t len = strlen(text), k;

        CHECK(items[i].level % 10 == 0);
        CHECK(items[i].level > DOCA_CORE_LOG_DISABLE && items[i].level <= DOCA_CORE_LOG_DEBUG);
        CHECK(len > 0 && len < 160); /* so a line with call, object and code fits 255 characters */
        CHECK(text[len - 1] != '.' && text[len - 1] != ' ');
        for (k = 0; k < len; k++)
            CHECK(text[k] >= ' ' && text[k] <= '~');
    }
}

/* ---- level and sink ---- */

static doca_error_t misuse(void) /* logs at level ERROR */
{
    return doca_mmap_start(NULL);
}

static doca_error_t capability_absent(void) /* logs at level DEBUG */
{
    uint16_t lid;

    return doca_devinfo_get_lid(s.info, &lid);
}

static doca_error_t offload_absent(void) /* logs at level INFO */
{
    return doca_ctx_set_datapath_on_gpu(s.ctx, (struct doca_gpu *)s.memory);
}

static void level_selects_the_lines_that_the_sink_receives(void)
{
    static const struct {
        uint32_t level;
        unsigned misuse, info, debug;
    } rows[] = {
        { DOCA_CORE_LOG_DISABLE, 0, 0, 0 }, { DOCA_CORE_LOG_CRIT, 0, 0, 0 },
        { DOCA_CORE_LOG_ERROR, 1, 0, 0 },   { DOCA_CORE_LOG_WARNING, 1, 0, 0 },
        { DOCA_CORE_LOG_INFO, 1, 1, 0 },    { DOCA_CORE_LOG_DEBUG, 1, 1, 1 },
    };
    size_t i;

    open_all();
    CHECK_OK(doca_ctx_stop(s.ctx));
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CHECK_OK(doca_core_log_set_level(rows[i].level));
        heard.lines = 0;
        CHECK_RC(misuse(), DOCA_ERROR_INVALID_VALUE);
        CHECK_EQ(heard.lines, rows[i].misuse);
        heard.lines = 0;
        CHECK_RC(offload_absent(), DOCA_ERROR_NOT_SUPPORTED);
        CHECK_EQ(heard.lines, rows[i].info);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_CTX_NO_OFFLOAD); /* at every level */
        heard.lines = 0;
        CHECK_RC(capability_absent(), DOCA_ERROR_NOT_SUPPORTED);
        CHECK_EQ(heard.lines, rows[i].debug);
        CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_DEV_NO_LID);
    }
    close_all();
}

static void level_is_one_of_six_numbers(void)
{
    static const uint32_t bad[] = { 0, 1, 9, 11, 25, 45, 61, 70, 100, UINT32_MAX, UINT32_MAX - 5 };
    size_t i;

    begin_listening();
    CHECK_OK(doca_core_log_set_level(DOCA_CORE_LOG_ERROR));
    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        LOGS(doca_core_log_set_level, (bad[i]), INVALID_VALUE, LOG_LEVEL, NULL, NULL, NULL);
    CHECK_OK(doca_core_log_set_level(DOCA_CORE_LOG_DISABLE));
    heard.lines = 0;
    CHECK_RC(doca_core_log_set_level(0), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(heard.lines, 0); /* a refused level changes nothing */
}

static void sink_receives_its_user_pointer(void)
{
    begin_listening();
    CHECK_RC(misuse(), DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(heard.user, &heard);
    doca_core_log_set_sink(listen, &s);
    CHECK_RC(misuse(), DOCA_ERROR_INVALID_VALUE);
    CHECK_PTR(heard.user, &s);
    CHECK(strchr(heard.line, '\n') == NULL);
}

static void default_sink_is_standard_error(void)
{
    char text[1024];
    int ends[2], saved;
    ssize_t len;

    CHECK(pipe(ends) == 0);
    begin_listening();
    CHECK_RC(misuse(), DOCA_ERROR_INVALID_VALUE);
    fflush(stderr);
    saved = dup(2);
    CHECK(saved >= 0 && dup2(ends[1], 2) == 2);
    doca_core_log_set_sink(NULL, &heard);
    CHECK_RC(misuse(), DOCA_ERROR_INVALID_VALUE);
    fflush(stderr);
    CHECK(dup2(saved, 2) == 2);
    close(saved);
    close(ends[1]);
    len = read(ends[0], text, sizeof(text) - 1);
    close(ends[0]);
    CHECK(len > 1);
    text[len] = '\0';
    CHECK_EQ(text[len - 1], '\n');
    text[len - 1] = '\0';
    CHECK_STR(text, heard.line);
    CHECK_EQ(heard.lines, 1);
}

/* ---- the latest failure ---- */

static void success_keeps_the_latest_failure(void)
{
    uint32_t max_devs;
    struct doca_mmap *mmap;

    begin_listening();
    CHECK_RC(misuse(), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_mmap_create(&mmap));
    CHECK_OK(doca_mmap_get_max_num_devices(mmap, &max_devs));
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_NULL_ARGUMENT);
    CHECK_STR(doca_core_last_error(), heard.line);
    CHECK_RC(doca_mmap_start(mmap), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_MMAP_NO_RANGE);
    CHECK_OK(doca_mmap_destroy(mmap));
    CHECK_STR(doca_core_last_error(), heard.line); /* also after the object was destroyed */
}

static char thread_first[512], thread_second[512];
static enum doca_core_item thread_item;

static void *fail_elsewhere(void *unused)
{
    (void)unused;
    heap_trap_set(HEAP_TRAP_ABORT);
    thread_item = doca_core_last_item();
    snprintf(thread_first, sizeof(thread_first), "%s", doca_core_last_error());
    (void)doca_core_log_set_level(1);
    snprintf(thread_second, sizeof(thread_second), "%s", doca_core_last_error());
    heap_trap_set(HEAP_TRAP_OFF);
    return NULL;
}

static void each_thread_has_its_own_failure(void)
{
    pthread_t thread;

#ifdef DOCA_CORE_SINGLE_THREAD
    test_skip("this build supports only one thread");
#endif
    begin_listening();
    CHECK_RC(misuse(), DOCA_ERROR_INVALID_VALUE);
    heap_trap_set(HEAP_TRAP_OFF); /* pthread_create() uses the heap */
    CHECK_EQ(pthread_create(&thread, NULL, fail_elsewhere, NULL), 0);
    pthread_join(thread, NULL);
    heap_trap_set(HEAP_TRAP_ABORT);
    CHECK_EQ(thread_item, DOCA_CORE_ITEM_NONE);
    CHECK(thread_first[0] != '\0');
    CHECK_STR(thread_second, heard.line);
    CHECK_EQ(heard.item, DOCA_CORE_ITEM_LOG_LEVEL);
    CHECK_EQ(doca_core_last_item(), DOCA_CORE_ITEM_NULL_ARGUMENT);
    CHECK(strcmp(doca_core_last_error(), thread_second) != 0);
#ifndef DOCA_CORE_NO_LOG
    CHECK(strstr(thread_first, items[DOCA_CORE_ITEM_NONE].text) != NULL);
#endif
}

/* A failure that the device reports becomes the last error of the thread that calls progress. */
static void failed_task_sets_the_last_error(void)
{
    struct doca_dma_task_memcpy *task;
    union doca_data none = { 0 };

    if (DOCA_CORE_CHECK > 1)
        test_skip("DOCA_CORE_CHECK 2 refuses the task at submit");
    open_all();
    CHECK_OK(doca_buf_reset_data_len(s.one));
    CHECK_OK(doca_dma_task_memcpy_alloc_init(s.dma, s.one, s.two, none, &task));
    CHECK_OK(doca_task_submit(doca_dma_task_memcpy_as_task(task)));
    while (num_failed == 0)
        (void)doca_pe_progress(s.pe);
    CHECK(heard.has_item[DOCA_CORE_ITEM_DMA_EMPTY_SOURCE]);
    CHECK(item_in_callback == DOCA_CORE_ITEM_DMA_EMPTY_SOURCE ||
          item_in_callback == DOCA_CORE_ITEM_CTX_BROKEN); /* follows from the first failure */
    CHECK_EQ(items[item_in_callback].level, DOCA_CORE_LOG_WARNING);
    doca_task_free(doca_dma_task_memcpy_as_task(task));
    while (doca_pe_progress(s.pe) != 0) {
    }
    close_all();
}

/* ---- lines of single modules ---- */

static void arena_failures_are_logged(void)
{
    static DOCA_CORE_ALIGNED unsigned char memory[8 * DOCA_CORE_LINE];
    struct doca_core_arena arena;
    void *block, *other;
    char where[48];

    begin_listening();
    LOGS(doca_core_arena_init, (&arena, memory + 8, 128), INVALID_VALUE, ARENA_MISALIGNED, NULL,
         NULL, NULL);
    LOGS(doca_core_arena_init, (&arena, memory, 64), NO_MEMORY, ARENA_TOO_SMALL, NULL, NULL, NULL);
    CHECK_OK(doca_core_arena_init(&arena, memory, sizeof(memory)));
    LOGS(doca_core_arena_take, (&arena, 0, &block), INVALID_VALUE, ZERO, &arena, "arena", NULL);
    LOGS(doca_core_arena_take, (&arena, sizeof(memory), &block), NO_MEMORY, ARENA_EXHAUSTED, &arena,
         "arena", NULL);
    LOGS(doca_core_arena_give, (&arena, &block), INVALID_VALUE, ARENA_FOREIGN, &arena, "arena",
         NULL);
    CHECK_OK(doca_core_arena_take(&arena, 1, &block));
    CHECK_OK(doca_core_arena_take(&arena, 1, &other));
    CHECK_OK(doca_core_arena_give(&arena, block));
    LOGS(doca_core_arena_give, (&arena, block), BAD_STATE, ARENA_GIVEN_TWICE, &arena, "arena",
         NULL);
    CHECK_OK(doca_core_arena_take(&arena, 2 * DOCA_CORE_LINE, &block));
    CHECK_RC(doca_core_arena_give(&arena, (unsigned char *)block + DOCA_CORE_LINE),
             DOCA_ERROR_UNEXPECTED); /* an address at which no block has begun */
    CHECK_EQ(heard.item, DOCA_CORE_ITEM_ARENA_BROKEN);
    snprintf(where, sizeof(where), "overwritten at %p ", block);
    CHECK(strstr(heard.line, where) != NULL);
    memset((unsigned char *)other - DOCA_CORE_LINE, 0, DOCA_CORE_LINE);
    heard.lines = 0;
    CHECK_RC(doca_core_arena_audit(&arena), DOCA_ERROR_UNEXPECTED);
    CHECK_EQ(heard.item, DOCA_CORE_ITEM_ARENA_BROKEN);
    CHECK_EQ(heard.level, DOCA_CORE_LOG_CRIT);
    snprintf(where, sizeof(where), "overwritten at %p ", (void *)((char *)other - DOCA_CORE_LINE));
    CHECK(strstr(heard.line, where) != NULL);
}

/* The log line of an exhausted arena names the call that the program made, not an internal call. */
static void exhausted_arena_is_logged_by_the_create_call(void)
{
    static DOCA_CORE_ALIGNED unsigned char memory[2 * DOCA_CORE_LINE];
    struct doca_core_arena arena;
    struct doca_devinfo **list;
    struct doca_mmap *mmap;
    struct doca_buf_inventory *inventory;
    struct doca_pe *pe;
    void *all;
    uint32_t n;

    begin_listening();
    CHECK_OK(doca_core_arena_init(&arena, memory, sizeof(memory)));
    CHECK_OK(doca_core_arena_take(&arena, 1, &all));
    LOGS(doca_core_mmap_create_in, (&arena, &mmap), NO_MEMORY, ARENA_EXHAUSTED, &arena, "arena",
         NULL);
    CHECK_OK(doca_core_arena_bind(&arena));
    heard.lines = 0;
    CHECK_RC(doca_mmap_create(&mmap), DOCA_ERROR_NO_MEMORY);
    CHECK_OK(doca_core_arena_bind(NULL));
    check_line(__LINE__, DOCA_ERROR_NO_MEMORY, DOCA_ERROR_NO_MEMORY, "NO_MEMORY",
               DOCA_CORE_ITEM_ARENA_EXHAUSTED, "doca_mmap_create", &arena, "arena", NULL);
    LOGS(doca_core_buf_inventory_create_in, (&arena, 1, &inventory), NO_MEMORY, ARENA_EXHAUSTED,
         &arena, "arena", NULL);
    LOGS(doca_core_pe_create_in, (&arena, &pe), NO_MEMORY, ARENA_EXHAUSTED, &arena, "arena", NULL);
    LOGS(doca_core_devinfo_create_list_in, (&arena, &list, &n), NO_MEMORY, ARENA_EXHAUSTED, &arena,
         "arena", NULL);
}

static void device_failures_are_logged(void)
{
    struct doca_dev *dev = NULL;
    char text[16];
    uint8_t answer;
    uint16_t lid;

    open_all();
    LOGS(doca_dev_close, (s.dev), IN_USE, DEV_BUSY, s.dev, "dev", NULL);
    LOGS(doca_devinfo_get_ibdev_name, (s.info, text, 16), INVALID_VALUE, TEXT_TOO_SHORT, s.info,
         "devinfo", NULL);
    LOGS(doca_devinfo_is_equal_pci_addr, (s.info, "3:0", &answer), INVALID_VALUE,
         PCI_ADDR_MALFORMED, s.info, "devinfo", NULL);
    LOGS(doca_devinfo_get_lid, (s.info, &lid), NOT_SUPPORTED, DEV_NO_LID, s.info, "devinfo", NULL);
    LOGS(doca_devinfo_get_lid, (s.info, NULL), INVALID_VALUE, NULL_ARGUMENT, s.info, "devinfo",
         NULL);
    LOGS(doca_dev_open, (NULL, &dev), INVALID_VALUE, NULL_ARGUMENT, NULL, NULL, NULL);
    if (DOCA_CORE_CHECK > 0)
        LOGS(doca_dev_open, ((struct doca_devinfo *)s.mmap, &dev), INVALID_VALUE, DEAD_HANDLE, NULL,
             NULL, NULL);
    close_all();
}

static void mmap_failures_are_logged(void)
{
    struct doca_mmap *m;
    union doca_data none = { 0 };
    void *addr;
    size_t len;
    const void *desc;

    open_all();
    m = s.mmap;
    LOGS(doca_mmap_start, (m), BAD_STATE, MMAP_STARTED, m, "mmap", "started");
    LOGS(doca_mmap_set_memrange, (m, s.memory, 1), BAD_STATE, MMAP_STARTED, m, "mmap", "started");
    LOGS(doca_mmap_set_permissions, (m, 0), BAD_STATE, MMAP_STARTED, m, "mmap", "started");
    LOGS(doca_mmap_set_user_data, (m, none), BAD_STATE, MMAP_STARTED, m, "mmap", "started");
    LOGS(doca_mmap_set_free_cb, (m, NULL, NULL), BAD_STATE, MMAP_STARTED, m, "mmap", "started");
    LOGS(doca_mmap_add_dev, (m, s.dev), NOT_PERMITTED, MMAP_STARTED, m, "mmap", "started");
    LOGS(doca_mmap_rm_dev, (m, s.dev), NOT_PERMITTED, MMAP_STARTED, m, "mmap", "started");
    LOGS(doca_mmap_stop, (m), NOT_PERMITTED, MMAP_HAS_BUFS, m, "mmap", "started");
    LOGS(doca_mmap_destroy, (m), NOT_PERMITTED, MMAP_HAS_BUFS, m, "mmap", "started");
    LOGS(doca_mmap_set_max_num_devices, (m, 9), NOT_PERMITTED, MMAP_DEVS_FIXED, m, "mmap",
         "started");
    LOGS(doca_mmap_export_pci, (m, s.dev, &desc, &len), NOT_PERMITTED, MMAP_ACCESS_LACKS, m,
         "mmap", "started");
    LOGS(doca_mmap_get_memrange, (m, NULL, &len), INVALID_VALUE, NULL_ARGUMENT, m, "mmap",
         "started");

    CHECK_OK(doca_mmap_create(&m));
    LOGS(doca_mmap_stop, (m), BAD_STATE, MMAP_NOT_STARTED, m, "mmap", "stopped");
    LOGS(doca_mmap_start, (m), INVALID_VALUE, MMAP_NO_RANGE, m, "mmap", "stopped");
    LOGS(doca_mmap_get_memrange, (m, &addr, &len), BAD_STATE, MMAP_NO_RANGE, m, "mmap", "stopped");
    LOGS(doca_mmap_set_memrange, (m, s.memory, 0), INVALID_VALUE, ZERO, m, "mmap", "stopped");
    LOGS(doca_mmap_set_memrange, (m, s.memory, SIZE_MAX), INVALID_VALUE, MMAP_RANGE_WRAPS, m,
         "mmap", "stopped");
    LOGS(doca_mmap_set_permissions, (m, 1u << 20), INVALID_VALUE, MMAP_ACCESS_UNKNOWN, m, "mmap",
         "stopped");
    LOGS(doca_mmap_set_permissions,
         (m, DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE), INVALID_VALUE,
         MMAP_ACCESS_CONFLICT, m, "mmap", "stopped");
    LOGS(doca_mmap_set_dmabuf_memrange, (m, -1, s.memory, 0, 1), INVALID_VALUE, MMAP_DMABUF_MAP, m,
         "mmap", "stopped");
    LOGS(doca_mmap_rm_dev, (m, s.dev), NOT_FOUND, MMAP_DEV_MISSING, m, "mmap", "stopped");
    LOGS(doca_mmap_set_max_num_devices, (m, 0), INVALID_VALUE, ZERO, m, "mmap", "stopped");
    CHECK_OK(doca_mmap_set_memrange(m, s.memory, 1));
    LOGS(doca_mmap_set_memrange, (m, s.memory, 1), NOT_PERMITTED, MMAP_RANGE_SET, m, "mmap",
         "stopped");
    CHECK_OK(doca_mmap_add_dev(m, s.dev));
    LOGS(doca_mmap_add_dev, (m, s.dev), ALREADY_EXIST, MMAP_DEV_TWICE, m, "mmap", "stopped");
    CHECK_OK(doca_mmap_destroy(m));
    close_all();
}

static void inventory_and_pool_failures_are_logged(void)
{
    struct doca_buf_inventory *i;
    struct doca_buf_pool *p;
    struct doca_buf *buf, *bufs[2];

    open_all();
    i = s.inventory;
    LOGS(doca_buf_inventory_start, (i), BAD_STATE, STOCK_STARTED, i, "inventory", "started");
    LOGS(doca_buf_inventory_destroy, (i), IN_USE, STOCK_OUTSTANDING, i, "inventory", "started");
    LOGS(doca_buf_inventory_buf_get_by_addr, (i, s.mmap, s.memory, sizeof(s.memory) + 1, &buf),
         INVALID_VALUE, MMAP_RANGE_OUTSIDE, s.mmap, "mmap", "started");
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(i, s.mmap, s.memory, 1, &bufs[0]));
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(i, s.mmap, s.memory, 1, &bufs[1]));
    LOGS(doca_buf_inventory_buf_get_by_addr, (i, s.mmap, s.memory, 1, &buf), NO_MEMORY, STOCK_EMPTY,
         i, "inventory", "started");
    CHECK_OK(doca_buf_dec_refcount(bufs[0], NULL));
    CHECK_OK(doca_buf_dec_refcount(bufs[1], NULL));
    CHECK_OK(doca_buf_inventory_stop(i));
    LOGS(doca_buf_inventory_stop, (i), BAD_STATE, STOCK_NOT_STARTED, i, "inventory", "stopped");
    LOGS(doca_buf_inventory_buf_get_by_addr, (i, s.mmap, s.memory, 1, &buf), BAD_STATE,
         STOCK_NOT_STARTED, i, "inventory", "stopped");
    LOGS(doca_buf_inventory_create, (0, &i), INVALID_VALUE, ZERO, NULL, NULL, NULL);
#if SIZE_MAX > UINT32_MAX
    LOGS(doca_buf_inventory_create, ((size_t)1 << 32, &i), INVALID_VALUE, STOCK_TOO_MANY, NULL,
         NULL, NULL);
#endif

    CHECK_OK(doca_buf_pool_create(4, 100, s.mmap, &p));
    LOGS(doca_buf_pool_set_element_alignment, (p, 3), INVALID_VALUE, POOL_ALIGNMENT, p, "pool",
         "stopped");
    LOGS(doca_buf_pool_buf_alloc, (p, &buf), BAD_STATE, STOCK_NOT_STARTED, p, "pool", "stopped");
    LOGS(doca_buf_pool_start, (p), INITIALIZATION, POOL_RANGE_SHORT, p, "pool", "stopped");
    CHECK_OK(doca_buf_pool_destroy(p));
    CHECK_OK(doca_buf_pool_create(1, 1, s.mmap, &p));
    CHECK_OK(doca_buf_pool_start(p));
    CHECK_OK(doca_buf_pool_buf_alloc(p, &bufs[0]));
    LOGS(doca_buf_pool_buf_alloc, (p, &buf), EMPTY, STOCK_EMPTY, p, "pool", "started");
    LOGS(doca_buf_pool_stop, (p), IN_USE, STOCK_OUTSTANDING, p, "pool", "started");
    LOGS(doca_buf_pool_set_element_alignment, (p, 2), BAD_STATE, STOCK_STARTED, p, "pool",
         "started");
    CHECK_OK(doca_buf_dec_refcount(bufs[0], NULL));
    CHECK_OK(doca_buf_pool_destroy(p));
    close_all();
}

static void buffer_failures_are_logged(void)
{
    struct doca_buf *third;
    uint32_t len;
    unsigned i;

    open_all();
    LOGS(doca_buf_set_data, (s.one, s.memory + 1, 256), INVALID_VALUE, BUF_DATA_OUTSIDE, s.one,
         "buf", "head");
    LOGS(doca_buf_chain_list, (s.one, s.one), INVALID_VALUE, BUF_SAME_LIST, s.one, "buf", "head");
    LOGS(doca_buf_unchain_list, (s.one, s.two), INVALID_VALUE, BUF_NOT_IN_LIST, s.two, "buf",
         "head");
    CHECK_OK(doca_buf_inc_refcount(s.two, NULL));
    LOGS(doca_buf_chain_list, (s.one, s.two), NOT_PERMITTED, BUF_SHARED, s.two, "buf", "head");
    CHECK_OK(doca_buf_dec_refcount(s.two, NULL));
    CHECK_OK(doca_buf_chain_list(s.one, s.two));
    LOGS(doca_buf_inc_refcount, (s.two, NULL), NOT_PERMITTED, BUF_NOT_HEAD, s.two, "buf", "inner");
    LOGS(doca_buf_get_list_len, (s.two, &len), NOT_PERMITTED, BUF_NOT_HEAD, s.two, "buf", "inner");
    CHECK_OK(doca_buf_unchain_list(s.one, s.two));
    CHECK_OK(doca_buf_inventory_buf_get_by_addr(s.inventory, s.mmap, s.memory, 1, &third));
    for (i = 1; i < 65535; i++)
        CHECK_OK(doca_buf_inc_refcount(third, NULL));
    LOGS(doca_buf_inc_refcount, (third, NULL), TOO_BIG, BUF_REFCOUNT_MAX, third, "buf", "head");
    for (i = 0; i < 65535; i++)
        CHECK_OK(doca_buf_dec_refcount(third, NULL));
    LOGS(doca_buf_dec_refcount, (third, NULL), BAD_STATE, BUF_RETURNED, third, "buf", "released");
    close_all();
}

static void context_failures_are_logged(void)
{
    struct doca_dma_task_memcpy *task, *more;
    struct doca_task *generic;
    struct doca_dma *idle;
    struct doca_ctx *ctx;
    union doca_data none = { 0 };

    open_all();
    LOGS(doca_pe_destroy, (s.pe), IN_USE, PE_CONNECTED, s.pe, "pe", NULL);
    LOGS(doca_ctx_start, (s.ctx), BAD_STATE, CTX_NOT_IDLE, s.ctx, "dma", "running");
    LOGS(doca_dma_task_memcpy_set_conf, (s.dma, on_done, on_done, 1), BAD_STATE, CTX_NOT_IDLE,
         s.ctx, "dma", "running");
    CHECK_OK(doca_dma_task_memcpy_alloc_init(s.dma, NULL, NULL, none, &task));
    generic = doca_dma_task_memcpy_as_task(task);
    LOGS(doca_dma_task_memcpy_alloc_init, (s.dma, NULL, NULL, none, &more), NO_MEMORY,
         TASK_POOL_EMPTY, s.ctx, "dma", "running");
    LOGS(doca_task_submit, (generic), INVALID_VALUE, TASK_NO_BUFFER, generic, "task", "owned");
    LOGS(doca_dma_destroy, (s.dma), IN_USE, CTX_BUSY, s.ctx, "dma", "running");
    LOGS(doca_ctx_stop, (s.ctx), IN_PROGRESS, CTX_STOPPING, s.ctx, "dma", "stopping");
    doca_dma_task_memcpy_set_src(task, s.one);
    doca_dma_task_memcpy_set_dst(task, s.two);
    LOGS(doca_task_submit, (generic), BAD_STATE, CTX_NOT_RUNNING, s.ctx, "dma", "stopping");
    doca_task_free(generic);
    heard.lines = 0;
    doca_task_free(generic);
    CHECK_EQ(heard.lines, 1);
    CHECK_EQ(heard.item, DOCA_CORE_ITEM_TASK_NOT_OWNED);
    while (doca_pe_progress(s.pe) != 0) {
    }

    CHECK_OK(doca_dma_create(s.dev, &idle));
    ctx = doca_dma_as_ctx(idle);
    LOGS(doca_dma_task_memcpy_set_conf, (idle, on_done, on_done, 0), INVALID_VALUE, ZERO, ctx,
         "dma", "idle");
    LOGS(doca_dma_task_memcpy_set_conf, (idle, on_done, on_done, UINT32_MAX), INVALID_VALUE,
         CTX_TOO_MANY_TASKS, ctx, "dma", "idle");
    LOGS(doca_dma_task_memcpy_alloc_init, (idle, NULL, NULL, none, &more), BAD_STATE,
         CTX_NOT_RUNNING, ctx, "dma", "idle");
    LOGS(doca_ctx_set_datapath_on_dpa, (ctx, (struct doca_dpa *)s.memory), NOT_SUPPORTED,
         CTX_NO_OFFLOAD, ctx, "dma", "idle");
    CHECK_OK(doca_dma_task_memcpy_set_conf(idle, on_done, on_done, 1));
    LOGS(doca_ctx_start, (ctx), NOT_CONNECTED, CTX_NO_PE, ctx, "dma", "idle");
    CHECK_OK(doca_dma_destroy(idle));
    CHECK_OK(doca_dma_create(s.dev, &idle));
    ctx = doca_dma_as_ctx(idle);
    CHECK_OK(doca_pe_connect_ctx(s.pe, ctx));
    LOGS(doca_pe_connect_ctx, (s.pe, ctx), NOT_PERMITTED, CTX_HAS_PE, ctx, "dma", "idle");
    LOGS(doca_ctx_start, (ctx), BAD_STATE, CTX_NO_TASK_TYPE, ctx, "dma", "idle");
    CHECK_OK(doca_dma_destroy(idle));
    close_all();
}

static void backend_and_topology_failures_are_logged(void)
{
    static struct doca_core_dev_attr attrs[DOCA_CORE_SW_MAX_DEVS + 1];
    struct doca_core_backend table = *doca_core_sw_backend();
    struct doca_core_limits limits;

    begin_listening();
    LOGS(doca_core_backend_register, (&table), ALREADY_EXIST, BACKEND_EXISTS, NULL, NULL, NULL);
    table.name = "other";
    table.queue_flush = NULL;
    LOGS(doca_core_backend_register, (&table), INVALID_VALUE, BACKEND_INCOMPLETE, NULL, NULL, NULL);
    LOGS(doca_core_backend_unregister, ("other"), NOT_FOUND, BACKEND_UNKNOWN, NULL, NULL, NULL);
    LOGS(doca_core_sw_profile, ("other", &limits), NOT_FOUND, SW_UNKNOWN_PROFILE, NULL, NULL, NULL);
    LOGS(doca_core_sw_set_profile, ("other"), NOT_FOUND, SW_UNKNOWN_PROFILE, NULL, NULL, NULL);
    LOGS(doca_core_sw_set_devices, (attrs, DOCA_CORE_SW_MAX_DEVS + 1), TOO_BIG, SW_TOO_MANY, NULL,
         NULL, NULL);
    LOGS(doca_core_sw_set_devices, (attrs, 1), INVALID_VALUE, SW_PCI_ADDR, NULL, NULL, NULL);
}

static const struct test_case cases[] = {
    CASE(every_item_has_level_and_text, ""),
    CASE(level_selects_the_lines_that_the_sink_receives, ""),
    CASE(level_is_one_of_six_numbers, ""),
    CASE(sink_receives_its_user_pointer, ""),
    CASE(default_sink_is_standard_error, ""),
    CASE(success_keeps_the_latest_failure, ""),
    CASE(each_thread_has_its_own_failure, ""),
    CASE(failed_task_sets_the_last_error, ""),
    CASE(arena_failures_are_logged, ""),
    CASE(exhausted_arena_is_logged_by_the_create_call, ""),
    CASE(device_failures_are_logged, ""),
    CASE(mmap_failures_are_logged, ""),
    CASE(inventory_and_pool_failures_are_logged, ""),
    CASE(buffer_failures_are_logged, ""),
    CASE(context_failures_are_logged, ""),
    CASE(backend_and_topology_failures_are_logged, ""),
};

TEST_MAIN(cases)
