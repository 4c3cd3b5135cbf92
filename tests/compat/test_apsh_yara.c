/* App Shield on a machine that runs Linux: scans of the memory of a process by rules, by means of
 * libyara. libyara uses the heap, so the trap is off during the calls. */
#define DOCA_CORE_APSH_YARA
#define DOCA_CORE_APSH_SCAN_BYTES ((uint64_t)64 * 4096)
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "doca_core_apsh.h"

#include "apsh_faults.h"
#include "apsh_image_user.h"

#define TASK 3u /* the process that is scanned */
#define HEAP 0x406000u /* an area of 10 pages */
#define STACK 0x7ffffffde000u
#define DATA 0x405000u /* a writable page of the program's file */
#define SHARED (IMAGE_LIBS + 0x20000)

static const struct image_options forms[] = {
    { 4, 21, 0x0e400000, 20, 0, 0, 0, 0, NULL, 6, 0, 0, 0 },
    { 5, 12, 0x0e400000, 20, 0, 0, 1, 0, NULL, 6, 1, 0, 1 },
    { 4, 30, 0, 20, 0, 0, 0, 1, "state", 6, 0, 1, 0 },
};
#define FORMS ((unsigned)(sizeof(forms) / sizeof(forms[0])))

static struct {
    struct image image;
    struct shield s;
    struct doca_apsh_process **processes;
    struct doca_apsh_yara **matches;
    int num;
} rig;

static enum doca_apsh_yara_rule hello = DOCA_APSH_YARA_RULE_HELLO_WORLD,
                                loader = DOCA_APSH_YARA_RULE_REFLECTIVE_DLL_INJECTION,
                                mimikatz = DOCA_APSH_YARA_RULE_MIMIKATZ;
static enum doca_apsh_yara_rule *all_rules[] = { &mimikatz, &hello, &loader, &hello };

/* Make an image in which the process has an empty page directory. */
static void rig_make(const struct image_options *options)
{
    memset(&rig, 0, sizeof(rig));
    image_make(&rig.image, options);
    image_own_root(&rig.image, TASK);
}

static void put_text(uint64_t at, const char *text)
{
    image_put_user(&rig.image, TASK, at, text, strlen(text));
}

static void rig_start(void)
{
    rig.s = shield_start(&rig.image);
    rig.processes = shield_processes(&rig.s);
}

static void rig_close(void)
{
    doca_apsh_processes_free(rig.processes);
    shield_close(&rig.s, &rig.image);
}

static doca_error_t scan_rules(enum doca_apsh_yara_rule **rules, uint32_t num_rules, uint64_t type)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    doca_error_t rc = doca_apsh_yara_get(rig.processes[TASK - 1], rules, num_rules, type,
                                         &rig.matches, &rig.num);

    heap_trap_set(mode);
    return rc;
}

static doca_error_t scan(uint64_t type)
{
    return scan_rules(all_rules, 4, type);
}

static void check_match(int k, const char *rule, uint64_t at, uint64_t len)
{
    CHECK(k < rig.num);
    CHECK_EQ(doca_apsh_yara_info_get(rig.matches[k], DOCA_APSH_YARA_PID), image_pid(TASK));
    CHECK_STR(doca_apsh_yara_info_get(rig.matches[k], DOCA_APSH_YARA_COMM), "task-3");
    CHECK_STR(doca_apsh_yara_info_get(rig.matches[k], DOCA_APSH_YARA_RULE), rule);
    CHECK_EQ(doca_apsh_yara_info_get(rig.matches[k], DOCA_APSH_YARA_MATCH_WINDOW_ADDR), at);
    CHECK_EQ(doca_apsh_yara_info_get(rig.matches[k], DOCA_APSH_YARA_MATCH_WINDOW_LEN), len);
}

/* A scan fails with this error and item in one line, and changes nothing. */
static void check_error(uint64_t type, doca_error_t code, enum doca_core_item item)
{
    size_t before, after;

    CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &before, NULL, NULL));
    rig.matches = NULL;
    rig.num = 77;
    test_log_lines = 0;
    CHECK_RC(scan(type), code);
    CHECK_EQ(test_log_lines, 1);
    CHECK_EQ(test_log_item, item);
    CHECK(rig.matches == NULL && rig.num == 77);
    CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &after, NULL, NULL));
    CHECK_EQ(after, before);
}

/* ---- windows ---- */

static void match_tells_process_rule_and_window(void)
{
    unsigned i;

    for (i = 0; i < FORMS; i++) {
        rig_make(&forms[i]);
        put_text(HEAP + 0x3064, "Hello World");
        put_text(HEAP + 0x5ff0, "ReflectiveLoader");
        put_text(STACK + 0x20ff5, "Hello World");
        put_text(STACK + 0x20000, "gentilkiwi");
        rig_start();
        CHECK_OK(scan(DOCA_APSH_YARA_SCAN_HEAP));
        CHECK_EQ(rig.num, 4);
        check_match(0, "Hello_World", HEAP + 0x3000, 4096);
        check_match(1, "Reflective_Dll_Injection", HEAP + 0x5000, 4096);
        check_match(2, "Hello_World", STACK + 0x20000, 4096); /* two rules for one window */
        check_match(3, "Mimikatz", STACK + 0x20000, 4096);
        doca_apsh_yara_free(rig.matches);
        rig_close();
    }
}

static void only_the_wanted_rules_are_applied(void)
{
    enum doca_apsh_yara_rule *rules[] = { &loader };

    rig_make(&usual);
    put_text(HEAP, "Hello World ReflectiveLoader gentilkiwi");
    rig_start();
    CHECK_OK(scan_rules(rules, 1, DOCA_APSH_YARA_SCAN_HEAP));
    CHECK_EQ(rig.num, 1);
    check_match(0, "Reflective_Dll_Injection", HEAP, 4096);
    doca_apsh_yara_free(rig.matches);
    rig_close();
}

/* A string that crosses the end of a page, and windows of other sizes and steps. */
static void windows_move_by_their_step(void)
{
    static const struct {
        uint32_t size, step;
        int num;
        uint64_t first, len;
    } rows[] = {
        { 4096, 4096, 0, 0, 0 },
        { 8192, 8192, 0, 0, 0 },                  /* [8000, a000), [a000, c000) */
        { 8192, 4096, 1, HEAP + 0x3000, 8192 },   /* [9000, b000) */
        { 4096, 2048, 1, HEAP + 0x3800, 4096 },   /* [9800, a800) */
        { 4096, 1024, 3, HEAP + 0x3400, 4096 },   /* [9400, a400) and two behind it */
        { 16384, 16384, 1, HEAP, 16384 },         /* [6000, a000), [a000, e000): see below */
        { 16384, 4096, 3, HEAP + 0x1000, 16384 }, /* [7000, b000) and two behind it */
        { 65536, 65536, 1, HEAP, 0xa000 },        /* the whole area */
    };
    size_t n;

    for (n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
        rig_make(&usual);
        put_text(HEAP + 0x4000 - 5, "Hello World");
        if (rows[n].size == 16384 && rows[n].step == 16384)
            put_text(HEAP + 0x3000, "Hello World");
        image_write(&rig.image);
        rig.s = shield_prepare(rig.image.path);
        CHECK_OK(doca_apsh_sys_set_scan_window_size(rig.s.system, rows[n].size));
        CHECK_OK(doca_apsh_sys_set_scan_window_step(rig.s.system, rows[n].step));
        CHECK_OK(doca_apsh_system_start(rig.s.system));
        rig.processes = shield_processes(&rig.s);
        CHECK_OK(scan(DOCA_APSH_YARA_SCAN_HEAP));
        CHECK_EQ(rig.num, rows[n].num);
        CHECK((rig.matches == NULL) == (rig.num == 0));
        if (rig.num > 0)
            check_match(0, "Hello_World", rows[n].first, rows[n].len);
        if (rig.num == 3)
            check_match(2, "Hello_World", rows[n].first + 2 * rows[n].step, rows[n].len);
        doca_apsh_yara_free(rig.matches);
        rig_close();
    }
}

/* Without this, there would be bytes between the windows. */
static void a_size_that_the_step_does_not_divide_is_the_step_too(void)
{
    rig_make(&usual);
    put_text(HEAP + 0x1010, "Hello World");
    image_write(&rig.image);
    rig.s = shield_prepare(rig.image.path);
    CHECK_OK(doca_apsh_sys_set_scan_window_size(rig.s.system, 16384));
    CHECK_OK(doca_apsh_sys_set_scan_window_step(rig.s.system, 16384));
    CHECK_OK(doca_apsh_sys_set_scan_window_size(rig.s.system, 1024));
    CHECK_OK(doca_apsh_system_start(rig.s.system));
    rig.processes = shield_processes(&rig.s);
    CHECK_OK(scan(DOCA_APSH_YARA_SCAN_HEAP));
    CHECK_EQ(rig.num, 1);
    check_match(0, "Hello_World", HEAP + 0x1000, 1024);
    doca_apsh_yara_free(rig.matches);
    rig_close();
}

/* Two pages far from each other: windows stay at multiples of the step, and the last is short. */
static void ranges_without_pages_are_skipped(void)
{
    struct doca_core_apsh_stats before, after;

    rig_make(&usual);
    put_text(HEAP + 0x9010, "Hello World");
    put_text(STACK + 0x13010, "Hello World");
    image_write(&rig.image);
    rig.s = shield_prepare(rig.image.path);
    CHECK_OK(doca_apsh_sys_set_scan_window_size(rig.s.system, 4 * 4096));
    CHECK_OK(doca_apsh_sys_set_scan_window_step(rig.s.system, 2 * 4096));
    CHECK_OK(doca_apsh_system_start(rig.s.system));
    rig.processes = shield_processes(&rig.s);
    CHECK_OK(doca_core_apsh_sys_get_stats(rig.s.system, &before));
    CHECK_OK(scan(DOCA_APSH_YARA_SCAN_HEAP));
    CHECK_OK(doca_core_apsh_sys_get_stats(rig.s.system, &after));
    CHECK_EQ(rig.num, 3);
    check_match(0, "Hello_World", HEAP + 0x6000, 0x4000); /* ends with the area */
    check_match(1, "Hello_World", STACK + 0x10000, 0x4000);
    check_match(2, "Hello_World", STACK + 0x12000, 0x4000);
    doca_apsh_yara_free(rig.matches);
    CHECK(after.num_tasks - before.num_tasks < 60);
    rig_close();
}

static void types_choose_areas(void)
{
    static const uint64_t types[] = { DOCA_APSH_YARA_SCAN_HEAP, DOCA_APSH_YARA_SCAN_VMA,
                                      DOCA_APSH_YARA_SCAN_VMA | DOCA_APSH_YARA_SCAN_HEAP };
    unsigned i;

    rig_make(&usual);
    put_text(0x401800, "Hello World"); /* code of the program */
    put_text(DATA + 7, "Hello World");
    put_text(HEAP + 7, "Hello World");
    put_text(SHARED + 7, "Hello World");
    put_text(IMAGE_VDSO, "Hello World");
    rig_start();
    for (i = 0; i < 3; i++) {
        CHECK_OK(scan(types[i]));
        CHECK_EQ(rig.num, i == 0 ? 1 : 5);
        check_match(i == 0 ? 0 : 2, "Hello_World", HEAP, 4096);
        if (i > 0) {
            check_match(0, "Hello_World", 0x401000, 4096);
            check_match(4, "Hello_World", IMAGE_VDSO, 4096);
        }
        doca_apsh_yara_free(rig.matches);
    }
    rig_close();
}

/* Pages of a device, and page tables where the target has no memory. */
static void pages_that_are_no_memory_are_skipped(void)
{
    uint64_t root;

    rig_make(&usual);
    root = image_get(rig.image.mms[TASK] + IMAGE_MM_PGD) - rig.image.direct;
    (void)image_map(&rig.image, root, HEAP, (uint64_t)1 << 40, 12);
    put_text(HEAP + 0x1000, "Hello World");
    (void)image_map(&rig.image, root, HEAP + 0x2000, IMAGE_BYTES, 12);
    image_u64(root + 8 * (STACK >> 39 & 511), ((uint64_t)1 << 40) | 0x67);
    rig_start();
    CHECK_OK(scan(DOCA_APSH_YARA_SCAN_HEAP));
    CHECK_EQ(rig.num, 1);
    check_match(0, "Hello_World", HEAP + 0x1000, 4096);
    doca_apsh_yara_free(rig.matches);
    rig_close();
}

/* ---- rules ---- */

static void rules_find_their_strings_and_no_others(void)
{
    static const struct {
        const char *text;
        int rule; /* -1: none */
        bool is_wide;
    } rows[] = {
        { "say Hello World!", 0, false },
        { "Hello World", 0, true },
        { "hello world", -1, false },
        { "HelloWorld", -1, false },
        { "_ReflectiveLoader@4", 1, false },
        { "ReflectiveLoade", -1, false },
        { "ReflectiveLoader", -1, true },
        { "GentilKiwi", 2, true },
        { "SEKURLSA::logonpasswords", 2, false },
        { "lsadump::sam", 2, false },
        { "privilege::debug", 2, true },
        { "mimikatz", -1, false },
        { "sekurlsa", -1, false },
        { "mimikatz.exe sekurlsa", 2, false },
        { "mimikatz kuhl_m_c", 2, false },
        { "mimikatz KUHL_M_c", -1, false },
    };
    static const char *const names[] = { "Hello_World", "Reflective_Dll_Injection", "Mimikatz" };
    size_t n, k;
    int m;

    rig_make(&usual);
    for (n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
        for (k = 0; k < strlen(rows[n].text); k++)
            image_put_user(&rig.image, TASK,
                           STACK + 4096 * n + 50 + (rows[n].is_wide ? 2 * k : k),
                           &rows[n].text[k], 1);
    rig_start();
    CHECK_OK(scan(DOCA_APSH_YARA_SCAN_HEAP));
    for (n = 0, m = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
        if (rows[n].rule >= 0)
            check_match(m++, names[rows[n].rule], STACK + 4096 * n, 4096);
    CHECK_EQ(rig.num, m);
    doca_apsh_yara_free(rig.matches);
    rig_close();
}

static void wrong_arguments_are_refused(void)
{
    enum doca_apsh_yara_rule unknown = (enum doca_apsh_yara_rule)3;
    enum doca_apsh_yara_rule *rules[] = { &hello, NULL };
    struct doca_apsh_process *process;

    rig_make(&usual);
    rig_start();
    process = rig.processes[TASK - 1];
    check_error(0, DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_APSH_VALUE);
    check_error(4 | DOCA_APSH_YARA_SCAN_VMA, DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_APSH_VALUE);
    check_error((uint64_t)1 << 32, DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_APSH_VALUE);
    CHECK_RC(scan_rules(rules, 2, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_NULL_ARGUMENT);
    rules[1] = &unknown;
    CHECK_RC(scan_rules(rules, 2, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_VALUE);
    CHECK_RC(scan_rules(rules, 0, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_ZERO);
    CHECK_RC(scan_rules(NULL, 1, 1), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_NULL_ARGUMENT);
    CHECK_RC(doca_apsh_yara_get(process, rules, 1, 1, NULL, &rig.num), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_apsh_yara_get(process, rules, 1, 1, &rig.matches, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_apsh_yara_get(NULL, rules, 1, 1, &rig.matches, &rig.num),
             DOCA_ERROR_INVALID_VALUE);
    rig_close();
}

/* ---- targets that change ---- */

static void thread_of_the_kernel_has_no_matches(void)
{
    enum heap_trap_mode mode;

    rig_make(&usual);
    rig_start();
    mode = heap_trap_set(HEAP_TRAP_ABORT); /* libyara is not used */
    rig.matches = (struct doca_apsh_yara **)(uintptr_t)all_rules;
    CHECK_OK(doca_apsh_yara_get(rig.processes[TASK], all_rules, 4, DOCA_APSH_YARA_SCAN_VMA,
                                &rig.matches, &rig.num));
    heap_trap_set(mode);
    CHECK(rig.matches == NULL && rig.num == 0);
    rig_close();
}

static void areas_behind_the_limit_are_not_scanned(void)
{
    int limit;

    for (limit = 3; limit <= 4; limit++) { /* the heap is area 4 */
        rig_make(&usual);
        put_text(HEAP, "Hello World");
        image_write(&rig.image);
        rig.s = shield_prepare(rig.image.path);
        CHECK_OK(doca_apsh_sys_config(rig.s.system, DOCA_APSH_VADS_LIMIT, limit));
        CHECK_OK(doca_apsh_sys_config(rig.s.system, DOCA_APSH_STRING_LIMIT, 4));
        CHECK_OK(doca_apsh_system_start(rig.s.system));
        rig.processes = shield_processes(&rig.s);
        CHECK_OK(scan(DOCA_APSH_YARA_SCAN_VMA));
        CHECK_EQ(rig.num, limit - 3);
        if (rig.num > 0)
            CHECK_STR(doca_apsh_yara_info_get(rig.matches[0], DOCA_APSH_YARA_COMM), "tas");
        doca_apsh_yara_free(rig.matches);
        rig_close();
    }
}

static void process_that_ended_is_not_scanned(void)
{
    rig_make(&usual);
    put_text(HEAP, "Hello World");
    rig_start();
    shield_poke(&rig.image, rig.image.tasks[TASK] + IMAGE_PID, 1 + ((uint64_t)1 << 32));
    check_error(DOCA_APSH_YARA_SCAN_HEAP, DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_ENDED);
    rig_close();
}

/* The process gets another address space after its areas were collected. */
static void process_that_changes_is_an_error(void)
{
    struct doca_priv_apsh_scan_state state;
    struct image *i = &rig.image;

    rig_make(&usual);
    rig_start();
    memset(&state, 0, sizeof(state));
    doca_priv_apsh_list_begin(&state.list, NULL, rig.processes[TASK - 1], DOCA_APSH_VADS_LIMIT);
    state.function = "doca_apsh_yara_get";
    state.mm = image_addr(i, i->mms[TASK]);
    CHECK_OK(doca_priv_apsh_scan_all(&state));
    shield_poke(i, i->tasks[TASK] + IMAGE_MM, image_addr(i, i->mms[1]));
    CHECK_RC(doca_priv_apsh_scan_all(&state), DOCA_ERROR_INITIALIZATION);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_TORN);
    rig_close();
}

static void damaged_targets_are_an_error(void)
{
    static const struct {
        unsigned member;
        uint64_t value;
    } rows[] = { { IMAGE_AREA_END, 0x410001 },            /* not the end of a page */
                 { IMAGE_AREA_END, 0x406000 },            /* no page */
                 { IMAGE_AREA_START, (uint64_t)1 << 57 }, /* of the kernel; in the last area */
                 { IMAGE_AREA_MM, 0 } };
    const struct image_options *list = &forms[2];
    uint64_t area;
    size_t n;

    for (n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
        rig_make(list);
        area = image_get(rig.image.mms[TASK] + IMAGE_MM_AREAS) - rig.image.direct;
        while (image_get(area + IMAGE_AREA_START) !=
               (rows[n].member == IMAGE_AREA_START ? STACK : HEAP))
            area = image_get(area + IMAGE_AREA_NEXT) - rig.image.direct;
        if (rows[n].member == IMAGE_AREA_START)
            image_u64(area + IMAGE_AREA_END, rows[n].value + 4096);
        image_u64(area + rows[n].member, rows[n].value);
        rig_start();
        check_error(DOCA_APSH_YARA_SCAN_HEAP, DOCA_ERROR_INITIALIZATION,
                    DOCA_CORE_ITEM_APSH_TORN);
        rig_close();
    }
    rig_make(&usual);
    image_u64(rig.image.mms[TASK] + IMAGE_MM_PGD, 0);
    rig_start();
    check_error(DOCA_APSH_YARA_SCAN_HEAP, DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_TORN);
    rig_close();
}

/* A scan reads as many pages as it may, in an area of terabytes, and fails with one page more. It
 * also ends with page tables that map a page everywhere, and with page tables for all addresses
 * that map no page. */
static void scans_are_bounded(void)
{
    uint64_t root, area, tables;
    unsigned round, k;

    for (round = 0; round < 4; round++) {
        rig_make(&forms[2]);
        for (k = 0; round < 2 && k < 63 + 2 * round; k++)
            put_text(HEAP + 4096 * k, "Hello World");
        if (round == 0)
            put_text(0x7dfffffff000u, "Hello World"); /* the last page */
        root = image_get(rig.image.mms[TASK] + IMAGE_MM_PGD) - rig.image.direct;
        area = image_get(rig.image.mms[TASK] + IMAGE_MM_AREAS) - rig.image.direct;
        while (image_get(area + IMAGE_AREA_START) != HEAP)
            area = image_get(area + IMAGE_AREA_NEXT) - rig.image.direct;
        image_u64(area + IMAGE_AREA_END, 0x7e0000000000u);
        tables = rig.image.next_table;
        for (k = 0; k < 512; k++) {
            if (round >= 2)
                image_u64(root + 8 * k, (round == 2 ? root : tables) | 0x67);
            if (round == 3) {
                image_u64(tables + 8 * k, (tables + 4096) | 0x67);
                image_u64(tables + 4096 + 8 * k, (tables + 8192) | 0x67);
            }
        }
        rig_start();
        if (round > 0) {
            check_error(DOCA_APSH_YARA_SCAN_HEAP, DOCA_ERROR_INITIALIZATION,
                        DOCA_CORE_ITEM_APSH_BUDGET);
        } else {
            CHECK_OK(scan(DOCA_APSH_YARA_SCAN_HEAP));
            CHECK_EQ(rig.num, 64);
            doca_apsh_yara_free(rig.matches);
        }
        rig_close();
    }
}

/* ---- memory ---- */

static void many_matches_take_what_is_said(void)
{
    const int num = 160; /* more than a block of matches has room for */
    size_t before, after, bytes, need, keep, free_bytes;
    int k;
    void *block;

    rig_make(&usual);
    for (k = 0; k < 10; k++)
        put_text(HEAP + 4096u * (unsigned)k + 100, "Hello World");
    image_write(&rig.image);
    rig.s = shield_prepare(rig.image.path);
    CHECK_OK(doca_apsh_sys_set_scan_window_size(rig.s.system, 256));
    CHECK_OK(doca_apsh_sys_set_scan_window_step(rig.s.system, 8));
    CHECK_OK(doca_apsh_system_start(rig.s.system));
    rig.processes = shield_processes(&rig.s);
    CHECK_RC(scan(DOCA_APSH_YARA_SCAN_HEAP), DOCA_ERROR_INITIALIZATION); /* too many bytes */
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_BUDGET);
    rig_close();

    rig_make(&usual);
    for (k = 0; k < num; k++)
        put_text(HEAP + 256u * (unsigned)k + 100, "Hello World");
    image_write(&rig.image);
    rig.s = shield_prepare(rig.image.path);
    CHECK_OK(doca_apsh_sys_set_scan_window_size(rig.s.system, 256));
    CHECK_OK(doca_apsh_sys_set_scan_window_step(rig.s.system, 256));
    CHECK_OK(doca_apsh_system_start(rig.s.system));
    rig.processes = shield_processes(&rig.s);
    CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &before, NULL, NULL));
    CHECK_OK(scan(DOCA_APSH_YARA_SCAN_HEAP));
    CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &after, NULL, NULL));
    CHECK_EQ(rig.num, num);
    check_match(num - 1, "Hello_World", HEAP + 256u * 159, 256);
    CHECK_EQ(after - before, DOCA_CORE_BYTES_APSH_MATCHES(num));
    CHECK_OK(doca_core_bytes_apsh_matches(160, &bytes));
    CHECK_EQ(bytes, after - before);
    CHECK_RC(doca_core_bytes_apsh_matches(1, NULL), DOCA_ERROR_INVALID_VALUE);
    doca_apsh_yara_free(rig.matches);
    need = bytes + DOCA_CORE_BYTES_APSH_SCAN(num, 2, 256);
    CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, NULL, NULL, &free_bytes));
    for (keep = 0; keep < need; keep += 512) {
        CHECK_OK(doca_core_arena_take(rig.s.ctx->arena, free_bytes - keep - 2 * DOCA_CORE_LINE,
                                      &block));
        CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, NULL, NULL, &after));
        if (after + 4 * DOCA_CORE_LINE < bytes) {
            CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &before, NULL, NULL));
            CHECK_RC(scan(DOCA_APSH_YARA_SCAN_HEAP), DOCA_ERROR_NO_MEMORY);
            CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &after, NULL, NULL));
            CHECK_EQ(after, before);
        }
        CHECK_OK(doca_core_arena_give(rig.s.ctx->arena, block));
    }
    CHECK_OK(doca_core_arena_take(rig.s.ctx->arena, free_bytes - need - 8 * DOCA_CORE_LINE,
                                  &block));
    CHECK_OK(scan(DOCA_APSH_YARA_SCAN_HEAP));
    CHECK_EQ(rig.num, num);
    doca_apsh_yara_free(rig.matches);
    CHECK_OK(doca_core_arena_give(rig.s.ctx->arena, block));
    rig_close();
}

static void matches_outlive_their_system(void)
{
    rig_make(&usual);
    put_text(HEAP, "Hello World");
    rig_start();
    CHECK_OK(scan(DOCA_APSH_YARA_SCAN_HEAP));
    rig_close();
    check_match(0, "Hello_World", HEAP, 4096);
    CHECK_EQ(rig.num, 1);
    CHECK_PTR(__doca_apsh_yara_info_get(rig.matches[0], (enum doca_apsh_yara_attr)5), NULL);
    doca_apsh_yara_free(rig.matches);
    test_log_lines = 0;
    doca_apsh_yara_free(NULL);
    CHECK_EQ(test_log_lines, 0);
}

static doca_error_t get_matches(struct shield *s, struct doca_apsh_process *process, int *num)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    struct doca_apsh_yara **list = NULL;
    doca_error_t rc =
        doca_apsh_yara_get(process, all_rules, 4, DOCA_APSH_YARA_SCAN_HEAP, &list, num);

    (void)s;
    heap_trap_set(mode);
    CHECK(rc == DOCA_SUCCESS || list == NULL);
    doca_apsh_yara_free(list);
    return rc;
}

static void failed_reads_are_errors(void)
{
    rig_make(&usual);
    put_text(HEAP, "Hello World");
    put_text(HEAP + 0x8000, "Hello World");
    check_faults(&rig.image, get_matches, TASK - 1, 2);
}

static const struct test_case cases[] = {
    CASE(match_tells_process_rule_and_window, ""),
    CASE(only_the_wanted_rules_are_applied, ""),
    CASE(windows_move_by_their_step, ""),
    CASE(a_size_that_the_step_does_not_divide_is_the_step_too, ""),
    CASE(ranges_without_pages_are_skipped, ""),
    CASE(types_choose_areas, ""),
    CASE(pages_that_are_no_memory_are_skipped, ""),
    CASE(rules_find_their_strings_and_no_others, ""),
    CASE(wrong_arguments_are_refused, ""),
    CASE(thread_of_the_kernel_has_no_matches, ""),
    CASE(areas_behind_the_limit_are_not_scanned, ""),
    CASE(process_that_ended_is_not_scanned, ""),
    CASE(process_that_changes_is_an_error, ""),
    CASE(damaged_targets_are_an_error, ""),
    CASE(scans_are_bounded, ""),
    CASE(many_matches_take_what_is_said, ""),
    CASE(matches_outlive_their_system, ""),
    CASE(failed_reads_are_errors, ""),
};

TEST_MAIN(cases)
