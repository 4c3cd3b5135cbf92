/* The test harness: cases with names and rule numbers, checks that print both values.
 *
 *     static void second_range_is_refused(void) { CHECK_RC(doca_mmap_..., DOCA_ERROR_...); }
 *     static const struct test_case cases[] = { CASE(second_range_is_refused, "46 47") };
 *     TEST_MAIN(cases)
 *
 * A program runs all its cases, or the cases named on the command line; `-l` lists them with their
 * rules. Around each case the heap trap is armed, the log goes to a buffer, and the arena in use
 * must be back at the level and shape it had before. Exit status: 0 passed, 1 failed, 77 all
 * skipped. Rules of passed cases are appended to the file named by DOCA_TEST_RULES. With
 * DOCA_TEST_USER=number, a program that runs as root changes to that user first; run by another
 * user, it skips all cases.
 *
 * A program can be linked with an implementation file that has devices of another backend and hides
 * the software devices (struct test_backend). The program then skips the cases that are marked by
 * CASE_OF_SW(), prints the reason, counts these cases separately, and does not record their rules.
 * The same holds for cases marked by CASE_OF_CARD() if these devices are not functions of a
 * card. */
#ifndef DOCA_TEST_H
#define DOCA_TEST_H

#include "doca_core.h"
#include "heap_trap.h"
#include "other_backend.h"
#include "sys_call.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct test_case {
    const char *name;
    const char *rules; /* numbers of the rules that it verifies, separated by blanks; may be "" */
    void (*run)(void);
    const char *of_sw; /* feature of the software device that the case needs, or NULL */
    const char *of_card; /* feature of a card that the case needs, or NULL */
};

/* Return the address of the object behind a handle, for tests of internals: in the checked mode a
 * handle also contains a generation number. */
#if DOCA_CORE_CHECK >= 2
#define OBJECT(handle)                                                                             \
    ((__typeof__(handle))((uintptr_t)(handle) / DOCA_CORE_LINE * DOCA_CORE_LINE))
#define IS_HANDLE(handle) ((handle) != OBJECT(handle))
#else
#define OBJECT(handle) (handle)
#define IS_HANDLE(handle) ((handle) != NULL)
#endif

#define CASE(function, rules) { #function, rules, function, NULL, NULL }
#define CASE_OF_SW(function, rules, what) { #function, rules, function, what, NULL }
#define CASE_OF_CARD(function, rules, what) { #function, rules, function, NULL, what }

#define TEST_MAIN(cases)                                                                           \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        return test_main(argc, argv, cases, sizeof(cases) / sizeof((cases)[0]));                   \
    }

static jmp_buf test_leave;
static char test_log_text[512]; /* the latest log line of the case */
static enum doca_core_item test_log_item;
static unsigned test_log_lines;

/* End the case. Only the thread that runs the case can go on with the next case; after a failure in
 * another thread the program ends, and test_at_exit() reports the case. */
__attribute__((noreturn, unused)) static void test_end_case(int outcome)
{
    if (sys_call(SYS_gettid, 0, 0, 0, 0, 0, 0) != getpid())
        exit(1);
    longjmp(test_leave, outcome);
}

__attribute__((format(printf, 3, 4), noreturn, unused)) static void
test_fail(const char *file, int line, const char *format, ...)
{
    va_list args;

    heap_trap_set(HEAP_TRAP_OFF);
    fprintf(stdout, "  %s:%d: ", file, line);
    va_start(args, format);
    vfprintf(stdout, format, args);
    va_end(args);
    fprintf(stdout, "\n    last error: %s\n", doca_core_last_error());
    test_end_case(1);
}

__attribute__((unused, noreturn)) static void test_skip(const char *why)
{
    heap_trap_set(HEAP_TRAP_OFF);
    fprintf(stdout, "  skipped: %s\n", why);
    test_end_case(2);
}

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            test_fail(__FILE__, __LINE__, "is false: %s", #condition);                             \
    } while (0)

/* Integers of any kind. */
#define CHECK_EQ(got, want)                                                                        \
    do {                                                                                           \
        unsigned long long got_ = (unsigned long long)(got);                                       \
        unsigned long long want_ = (unsigned long long)(want);                                     \
        if (got_ != want_)                                                                         \
            test_fail(__FILE__, __LINE__, "%s is %llu (0x%llx), want %s = %llu (0x%llx)", #got,    \
                      got_, got_, #want, want_, want_);                                            \
    } while (0)

#define CHECK_PTR(got, want)                                                                       \
    do {                                                                                           \
        const void *got_ = (got), *want_ = (want);                                                 \
        if (got_ != want_)                                                                         \
            test_fail(__FILE__, __LINE__, "%s is %p, want %s = %p", #got, (void *)(size_t)got_,    \
                      #want, (void *)(size_t)want_);                                               \
    } while (0)

#define CHECK_STR(got, want)                                                                       \
    do {                                                                                           \
        const char *got_ = (got), *want_ = (want);                                                 \
        if (strcmp(got_, want_) != 0)                                                              \
            test_fail(__FILE__, __LINE__, "%s is \"%s\", want \"%s\"", #got, got_, want_);         \
    } while (0)

#define CHECK_MEM(got, want, bytes)                                                                \
    do {                                                                                           \
        if (memcmp((got), (want), (bytes)) != 0)                                                   \
            test_fail(__FILE__, __LINE__, "%s and %s differ", #got, #want);                        \
    } while (0)

/* Error codes, shown by name. */
#define CHECK_RC(call, want)                                                                       \
    do {                                                                                           \
        doca_error_t got_ = (call), want_ = (want);                                                \
        if (got_ != want_)                                                                         \
            test_fail(__FILE__, __LINE__, "%s is %s, want %s", #call, doca_error_get_name(got_),   \
                      doca_error_get_name(want_));                                                 \
    } while (0)

#define CHECK_OK(call) CHECK_RC(call, DOCA_SUCCESS)

#define PEER_FAIL(file, line, ...) test_fail(file, line, __VA_ARGS__)
#include "peer.h"

/* Open the first device of the list. */
static inline struct doca_dev *test_open_first_dev(void)
{
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t num;

    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK_OK(doca_dev_open(list[0], &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    return dev;
}

/* Fork a process, and watch it in the parent: see peer.h. */
__attribute__((unused)) static pid_t test_peer(void)
{
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    pid_t pid = peer_fork();

    CHECK(pid >= 0);
    if (pid > 0)
        peer_watch(pid);
    heap_trap_set(mode);
    return pid;
}

static void test_sink(uint32_t level, enum doca_core_item item, const char *line, void *user)
{
    (void)level;
    (void)user;
    test_log_item = item;
    test_log_lines++;
    strncpy(test_log_text, line, sizeof(test_log_text) - 1);
}

static void test_note_rules(const struct test_case *c)
{
    const char *path = getenv("DOCA_TEST_RULES");
    FILE *f;

    if (path == NULL || c->rules[0] == '\0')
        return;
    f = fopen(path, "a");
    if (f == NULL)
        return;
    fprintf(f, "%s\n", c->rules);
    fclose(f);
}

/* Run one case. Return 0: passed; 1: failed; 2: skipped; 3: skipped, because the case is about the
 * software device; 4: skipped, because the case is about functions of a card. */
static int test_run(const struct test_case *c)
{
    struct doca_core_arena *volatile arena = doca_core_arena_bound();
    size_t used_before = 0, free_before = 0, used = 0, free_now = 0;
    volatile int outcome;

    if (test_other() != NULL && c->of_sw != NULL) {
        printf("  skipped: about the software device: %s\n", c->of_sw);
        return 3;
    }
    if (test_other() != NULL && !test_other()->has_card && c->of_card != NULL) {
        printf("  skipped: about functions of a card: %s\n", c->of_card);
        return 4;
    }
    if (test_other() != NULL)
        test_other()->show();
    doca_core_log_set_sink(test_sink, NULL);
    doca_core_log_set_level(DOCA_CORE_LOG_DEBUG);
    test_log_lines = 0;
    doca_core_arena_query(arena, &used_before, NULL, &free_before);
    outcome = setjmp(test_leave);
    if (outcome == 0) {
        heap_trap_set(HEAP_TRAP_ABORT);
        c->run();
    }
    heap_trap_set(HEAP_TRAP_OFF);
    peer_forget(0);
    if (outcome == 0) {
        doca_core_arena_query(arena, &used, NULL, &free_now);
        if (doca_core_arena_bound() != arena) {
            printf("  the case left another arena bound\n");
            outcome = 1;
        } else if (doca_core_arena_audit(arena) != DOCA_SUCCESS) {
            printf("  the arena's audit failed: %s\n", doca_core_last_error());
            outcome = 1;
        } else if (used != used_before || free_now != free_before) {
            printf("  the arena has %lu more bytes in use than before the case (largest free block "
                   "%lu, was %lu)\n",
                   (unsigned long)(used - used_before), (unsigned long)free_now,
                   (unsigned long)free_before);
            outcome = 1;
        }
    }
    doca_core_log_set_sink(NULL, NULL);
    doca_core_log_set_level(DOCA_CORE_LOG_WARNING);
    return outcome;
}

static bool test_wanted(const struct test_case *c, int argc, char **argv)
{
    int i;

    for (i = 1; i < argc; i++)
        if (strcmp(argv[i], c->name) == 0)
            return true;
    return argc < 2;
}

/* Become an ordinary user if DOCA_TEST_USER asks for it. Return false when that is not possible. */
static bool test_become_user(void)
{
    const char *user = getenv("DOCA_TEST_USER");
    unsigned id = user != NULL ? (unsigned)atoi(user) : 0;

    if (user == NULL || getuid() == id)
        return true;
    return setgid(id) == 0 && setuid(id) == 0 &&
           /* otherwise the process could not access the memory of any process, itself included */
           sys_prctl(PR_SET_DUMPABLE, 1, 0) == 0;
}

static const char *test_current; /* name of the case that is running, or NULL */
static pid_t test_process;

/* Report a case as failed when it ends the program, whatever the exit status is. */
static void test_at_exit(void)
{
    if (test_current == NULL || getpid() != test_process)
        return;
    heap_trap_set(HEAP_TRAP_OFF);
    printf("FAILED  %s: the case ended the program\n", test_current);
    fflush(stdout);
    _exit(1);
}

static int test_main(int argc, char **argv, const struct test_case *cases, size_t num)
{
    static const char *const words[] = { "ok", "FAILED", "skipped", "skipped", "skipped" };
    unsigned count[5] = { 0, 0, 0, 0, 0 };
    size_t i;

    if (argc > 1 && strcmp(argv[1], "-l") == 0) {
        for (i = 0; i < num; i++)
            printf("%-48s %s\n", cases[i].name, cases[i].rules);
        return 0;
    }
    if (!test_become_user()) {
        printf("skipped: only root can become another user\n");
        return 77;
    }
    test_process = getpid();
    if (atexit(test_at_exit) != 0)
        return 1;
    for (i = 0; i < num; i++) {
        int outcome;

        if (!test_wanted(&cases[i], argc, argv))
            continue;
        test_current = cases[i].name;
        outcome = test_run(&cases[i]);
        test_current = NULL;
        count[outcome]++;
        if (outcome == 0)
            test_note_rules(&cases[i]);
        printf("%-7s %s\n", words[outcome], cases[i].name);
        fflush(stdout);
    }
    if (test_other() != NULL)
        printf("on %s: %u of the software device left out, ", test_other()->name, count[3]);
    if (count[4] > 0)
        printf("%u of functions of a card, ", count[4]);
    printf("%u passed, %u failed, %u skipped\n", count[0], count[1], count[2]);
    if (count[1] > 0 || count[0] + count[2] + count[3] + count[4] == 0)
        return 1;
    return count[0] > 0 ? 0 : 77;
}

#endif
