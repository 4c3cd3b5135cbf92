/* The base of the parts of tools/soak: a page-aligned table that all processes share and that
 * outlives killed processes, the counters in it, and random numbers. */
#ifndef SOAK_H
#define SOAK_H

#include "../tests/support/sys_call.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum kind { COPY, HASH, BATCH, GRAPH, EVENT, FAR_READ, FAR_WRITE, KINDS };

static const char *const kind_names[KINDS] = { "copy", "hash", "batch", "graph", "event",
                                               "far read", "far write" };

/* Counts of the tasks of one kind that one thread submits. `submitted` is increased before the
 * submit call, and one of the other three counts when the task has come back. The difference is the
 * number of tasks in flight. */
struct tally {
    uint64_t submitted, completed, failed, flushed;
    uint64_t bytes; /* verified */
};

enum { LANES = 3, PAIRS = 2, LOCALS = 2, SLOTS = LOCALS + 2 * PAIRS };

struct level { /* of a process with nothing open, in its first and its latest generation */
    uint64_t first, last;
};

struct slot { /* shared by a process and the processes that replace it one after the other */
    struct tally tally[LANES][KINDS];
    struct level arena, rss, fds; /* bytes, bytes, number */
    uint64_t generations, faults, refused, resets;
    char finding[400];
};

enum { DESCS = 4, DESC_BYTES = 512, AREA = 65536, GUARD = 4096, CALM = 0xa5 };

/* The message of an exporter to its importer. `version` is odd while there is no offer. */
struct offer {
    uint32_t version;
    uint32_t seed; /* of the readable memory */
    uint64_t read_at, write_at; /* addresses of AREA bytes each, in the exporter */
    uint32_t desc_len[DESCS];
    unsigned char desc[DESCS][DESC_BYTES]; /* memory to read, to write, event ready, event seen */
    struct {
        uint64_t number;
        uint32_t seed, offset, len;
    } written; /* by the importer, before it says that it is ready */
};

struct table {
    uint32_t stop; /* everybody ends */
    uint32_t backend_is_mlx5;
    uint32_t is_spoiled; /* devices sometimes write a wrong bit, which the soak must find */
    struct offer offers[PAIRS];
    struct slot slots[SLOTS];
};

static struct table *table;
static struct slot *my; /* of this process */

static void finding(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* End this process, because it has detected an error; the text is the finding. */
static void finding(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(my->finding, sizeof(my->finding), format, args);
    va_end(args);
    _exit(3);
}

#define MUST(call)                                                                                 \
    do {                                                                                           \
        if ((call) != DOCA_SUCCESS)                                                                \
            finding("line %d: %s: %s", __LINE__, #call, doca_core_last_error());                   \
    } while (0)
#define MUST_BE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition))                                                                          \
            finding("line %d: not %s", __LINE__, #condition);                                      \
    } while (0)

static bool is_stopping(void)
{
    return __atomic_load_n(&table->stop, __ATOMIC_RELAXED) != 0;
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- chance: splitmix64 */

static uint64_t chance(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Return a random number from `from` to `to`, both included. */
static uint32_t between(uint64_t *state, uint32_t from, uint32_t to)
{
    return from + (uint32_t)(chance(state) % (to - from + 1));
}

/* Give the bytes [offset, offset + len) of memory that was filled with `seed`. */
static void pattern(unsigned char *to, uint32_t seed, size_t offset, size_t len)
{
    size_t i;

    for (i = 0; i < len; i++) {
        uint32_t x = ((uint32_t)(offset + i) + seed) * 2654435761u;

        to[i] = (unsigned char)(x >> 24 ^ x >> 11);
    }
}

/* ---- counts */

static void count_begin(struct tally *t)
{
    __atomic_store_n(&t->submitted, t->submitted + 1, __ATOMIC_RELAXED);
}

static void count_no_begin(struct tally *t)
{
    __atomic_store_n(&t->submitted, t->submitted - 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&my->refused, 1, __ATOMIC_RELAXED);
}

/* `has_failed`: a task of the context has failed since the context was started. A task that comes
 * back with IO_FAILED after the first failure was flushed. */
static void count_end(struct tally *t, doca_error_t status, bool *has_failed)
{
    uint64_t *n = &t->completed;

    if (status == DOCA_ERROR_SHUTDOWN || (status == DOCA_ERROR_IO_FAILED && *has_failed)) {
        n = &t->flushed;
    } else if (status != DOCA_SUCCESS) {
        n = &t->failed;
        *has_failed = true;
    }
    __atomic_store_n(n, *n + 1, __ATOMIC_RELAXED);
}

static void count_bytes(struct tally *t, size_t bytes)
{
    __atomic_store_n(&t->bytes, t->bytes + bytes, __ATOMIC_RELAXED);
}

/* ---- levels of a process that has nothing open */

static uint64_t open_files(void)
{
    DIR *dir = opendir("/proc/self/fd");
    uint64_t n = 0;

    while (dir != NULL && readdir(dir) != NULL)
        n++;
    if (dir != NULL)
        closedir(dir);
    return n;
}

static uint64_t resident_bytes(void)
{
    unsigned long long size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    if (file == NULL || fscanf(file, "%llu %llu", &size, &resident) != 2)
        resident = 0;
    if (file != NULL)
        fclose(file);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}

enum { WARM = 8 }; /* generations until stacks, libraries and arena have reached their full size */
#define RSS_SLACK (2u << 20)

/* Called after each generation. All tasks must have come back, and the use of the arena, of memory
 * and of descriptors must be at its former level. */
static void check_levels(void)
{
    uint64_t fds = open_files(), rss = resident_bytes();
    unsigned lane, kind;
    size_t used;

    for (lane = 0; lane < LANES; lane++) {
        for (kind = 0; kind < KINDS; kind++) {
            const struct tally *t = &my->tally[lane][kind];

            if (t->submitted != t->completed + t->failed + t->flushed)
                finding("%s: of %llu tasks %llu came back", kind_names[kind],
                        (unsigned long long)t->submitted,
                        (unsigned long long)(t->completed + t->failed + t->flushed));
        }
    }
    MUST(doca_core_arena_audit(doca_core_arena_bound()));
    MUST(doca_core_arena_query(doca_core_arena_bound(), &used, NULL, NULL));
    my->generations++;
    my->arena.last = used;
    my->fds.last = fds;
    my->rss.last = rss;
    if (my->generations == 1) {
        my->arena.first = used;
        my->fds.first = fds;
    }
    if (my->generations <= WARM)
        my->rss.first = rss;
    if (my->arena.last != my->arena.first)
        finding("arena: %llu bytes are taken, first it was %llu",
                (unsigned long long)my->arena.last, (unsigned long long)my->arena.first);
    if (my->fds.last != my->fds.first)
        finding("%llu file descriptors, first it was %llu", (unsigned long long)my->fds.last,
                (unsigned long long)my->fds.first);
#ifndef SOAK_SANITIZED
    if (my->rss.last > my->rss.first + RSS_SLACK)
        finding("resident memory grew from %llu to %llu bytes", (unsigned long long)my->rss.first,
                (unsigned long long)my->rss.last);
#endif
}

/* ---- faults of a generation; every second generation has no faults */

static void choose_faults(uint64_t *seed)
{
    static const char *const texts[] = {
        "dma.submit=again%5,sha.submit=again%5,dma.complete=fail:TIME_OUT%0.3,"
        "sha.complete=fail:TIME_OUT%0.3,dma.complete=delay:20us%5",
        "dma.complete=reorder:2%10,sha.complete=delay:5%10,event.complete=delay:3%10,"
        "event.submit=again%5,dma.complete=fail:TIME_OUT%0.1",
        "mem.reg=fail%3,dma.open=fail%5,sha.open=again%5,dma.complete=fail%0.2,"
        "sha.complete=fail%0.2,event.open=fail%5,event.complete=fail:TIME_OUT%0.2",
        "dma.complete=lose%0.02,sha.submit=lose%0.02,dma.submit=again%2",
        "dma.open=delay:50us,dma.complete=delay:100us%20,dma.flush=delay:10",
    };
    char text[400];

    my->faults += doca_core_fault_get_num();
    if (table->is_spoiled) {
        MUST(doca_core_fault_set("dma.complete=flip%0.1,sha.complete=flip%0.1,log=0"));
        return;
    }
    if (between(seed, 0, 1) == 0) {
        MUST(doca_core_fault_set(NULL));
        return;
    }
    snprintf(text, sizeof(text), "%s,seed=%u,log=0",
             texts[between(seed, 0, sizeof(texts) / sizeof(texts[0]) - 1)],
             between(seed, 1, 1000000));
    MUST(doca_core_fault_set(text));
}

/* The error may come from an injected fault. True when it persists until the device is closed. */
static bool is_lasting(doca_error_t rc)
{
    return rc == DOCA_ERROR_DRIVER;
}

/* Try to start an mmap. Return false when it stays stopped. */
static bool start_mmap(struct doca_mmap *mmap)
{
    doca_error_t rc = DOCA_ERROR_AGAIN;
    int tries;

    for (tries = 0; tries < 50 && rc != DOCA_SUCCESS && !is_lasting(rc); tries++)
        rc = doca_mmap_start(mmap);
    __atomic_fetch_add(&my->refused, (uint64_t)tries - (rc == DOCA_SUCCESS), __ATOMIC_RELAXED);
    return rc == DOCA_SUCCESS;
}

/* Start an idle context again. Return false when its device is lost. */
static bool start_ctx(struct doca_ctx *ctx, bool *has_failed)
{
    doca_error_t rc = doca_ctx_start(ctx);

    *has_failed = false;
    if (rc != DOCA_SUCCESS && rc != DOCA_ERROR_IN_PROGRESS)
        __atomic_fetch_add(&my->refused, 1, __ATOMIC_RELAXED);
    return !is_lasting(rc);
}

static enum doca_ctx_states state_of(struct doca_ctx *ctx)
{
    enum doca_ctx_states state;

    MUST(doca_ctx_get_state(ctx, &state));
    return state;
}

/* Open the device number `index` of the devices that copy. Return false when it cannot be opened
 * now. */
static bool open_dev(uint32_t index, struct doca_dev **dev)
{
    struct doca_devinfo **list;
    doca_error_t rc = DOCA_ERROR_NOT_FOUND;
    uint32_t num, i;

    MUST(doca_devinfo_create_list(&list, &num));
    for (i = 0; i < num; i++)
        if (doca_dma_cap_task_memcpy_is_supported(list[i]) == DOCA_SUCCESS && index-- == 0)
            rc = doca_dev_open(list[i], dev);
    MUST(doca_devinfo_destroy_list(list));
    MUST_BE(rc != DOCA_ERROR_NOT_FOUND);
    return rc == DOCA_SUCCESS;
}

#define PATIENCE_S 60 /* longer than any step takes, also on a busy machine */

#endif
