/* Tests of the heap trap: it must catch malloc() and related functions. If the trap did not work,
 * all other tests would pass even if the library used the heap. */
#include "doca_test.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void *volatile block; /* volatile: the compiler must not remove the heap calls */
static char *volatile text = (char *)(size_t) "text";

static void call_malloc(void) { block = malloc(16); }
static void call_calloc(void) { block = calloc(2, 16); }
static void call_realloc(void) { block = realloc(block, 4096); }
static void call_free(void) { free(block); }
static void call_aligned_alloc(void) { block = aligned_alloc(64, 128); }
static void call_strdup(void) { block = strdup(text); }

static void call_posix_memalign(void)
{
    void *p = NULL;

    if (posix_memalign(&p, 64, 128) == 0)
        block = p;
}

static const struct { const char *name; void (*call)(void); const char *reported; } calls[] = {
    { "malloc",         call_malloc,         "malloc" },
    { "calloc",         call_calloc,         "calloc" },
    { "realloc",        call_realloc,        "realloc" },
    { "free",           call_free,           "free" },
    { "posix_memalign", call_posix_memalign, "posix_memalign" },
    { "aligned_alloc",  call_aligned_alloc,  "aligned_alloc" },
    { "strdup",         call_strdup,         "malloc" }, /* strdup calls malloc */
};
#define NUM_CALLS (sizeof(calls) / sizeof(calls[0]))

/* Make call `k` in a child process with the trap in `mode`. Return the wait status of the child;
 * `printed` receives its standard error. */
static int run_in_child(size_t k, enum heap_trap_mode mode, char *printed, size_t room)
{
    static const struct rlimit no_core = { 0, 0 };
    int ends[2], status = 0;
    size_t len = 0;
    ssize_t got;
    pid_t child;

    CHECK_EQ(pipe(ends), 0);
    child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        heap_trap_set(HEAP_TRAP_OFF);
        setrlimit(RLIMIT_CORE, &no_core);
        dup2(ends[1], STDERR_FILENO);
        block = malloc(16);
        heap_trap_set(mode);
        calls[k].call();
        _exit(0);
    }
    close(ends[1]);
    while ((got = read(ends[0], printed + len, room - 1 - len)) > 0)
        len += (size_t)got;
    close(ends[0]);
    printed[len] = '\0';
    CHECK_EQ(waitpid(child, &status, 0), child);
    return status;
}

static void heap_call_aborts_and_names_the_function(void)
{
    char printed[256], want[64], *line_end;
    size_t k;
    int status;

    if (!heap_trap_works())
        test_skip("heap calls cannot be intercepted with this C library");
    for (k = 0; k < NUM_CALLS; k++) {
        status = run_in_child(k, HEAP_TRAP_ABORT, printed, sizeof(printed));
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
            test_fail(__FILE__, __LINE__, "%s did not abort: status %d, \"%s\"", calls[k].name,
                      status, printed);
        line_end = strchr(printed, '\n');
        if (line_end != NULL)
            line_end[1] = '\0'; /* drop the lines that an emulator adds */
        snprintf(want, sizeof(want), "heap trap: call of %s\n", calls[k].reported);
        /* with a sanitizer the trap does not know which function allocated */
        if (strcmp(printed, want) != 0 && strcmp(calls[k].name, "free") != 0)
            snprintf(want, sizeof(want), "heap trap: call of malloc or a related function\n");
        CHECK_STR(printed, want);
    }
}

static void trap_that_is_off_permits_heap_calls(void)
{
    char printed[256];
    size_t k;

    for (k = 0; k < NUM_CALLS; k++) {
        CHECK_EQ(run_in_child(k, HEAP_TRAP_OFF, printed, sizeof(printed)), 0);
        CHECK_STR(printed, "");
    }
}

static void counting_mode_counts_and_permits_heap_calls(void)
{
    enum heap_trap_mode before = heap_trap_set(HEAP_TRAP_COUNT);
    unsigned long calls_before = heap_trap_calls(), calls_counted;

    if (!heap_trap_works())
        test_skip("heap calls cannot be intercepted with this C library");
    call_malloc();
    call_free();
    call_calloc();
    call_free();
    calls_counted = heap_trap_calls() - calls_before;
    heap_trap_set(HEAP_TRAP_OFF);
    call_malloc();
    call_free();
    CHECK_EQ(heap_trap_calls() - calls_before, calls_counted);
    CHECK_EQ(heap_trap_set(before), HEAP_TRAP_OFF);
    CHECK_EQ(calls_counted, 4);
}

static void allocated_blocks_are_counted(void)
{
    enum heap_trap_mode before = heap_trap_set(HEAP_TRAP_COUNT);
    long held, held_before = heap_trap_held();
    size_t k;

    if (!heap_trap_works())
        test_skip("heap calls cannot be intercepted with this C library");
    for (k = 0; k < NUM_CALLS; k++) {
        if (calls[k].call == call_free)
            continue;
        block = NULL;
        calls[k].call();
        held = heap_trap_held();
        call_realloc(); /* may move the block; the number of blocks stays 1 */
        CHECK_EQ(held - held_before, 1);
        CHECK_EQ(heap_trap_held() - held_before, 1);
        call_free();
        CHECK_EQ(heap_trap_held() - held_before, 0);
    }
    heap_trap_set(before);
}

static void set_returns_the_previous_mode(void)
{
    CHECK_EQ(heap_trap_set(HEAP_TRAP_COUNT), HEAP_TRAP_ABORT); /* the mode that the harness sets */
    CHECK_EQ(heap_trap_set(HEAP_TRAP_OFF), HEAP_TRAP_COUNT);
    CHECK_EQ(heap_trap_set(HEAP_TRAP_ABORT), HEAP_TRAP_OFF);
}

static const struct test_case cases[] = {
    CASE(heap_call_aborts_and_names_the_function, ""),
    CASE(trap_that_is_off_permits_heap_calls, ""),
    CASE(counting_mode_counts_and_permits_heap_calls, ""),
    CASE(allocated_blocks_are_counted, ""),
    CASE(set_returns_the_previous_mode, ""),
};

TEST_MAIN(cases)
