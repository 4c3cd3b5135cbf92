/* Helpers of the suites of the checked mode: a log sink that records reports, callbacks, a call
 * from another thread, and a device whose functions the suites replace. */
#ifndef CHECKED_SUPPORT_H
#define CHECKED_SUPPORT_H

#include "fixture.h"

#include <pthread.h>

enum { TASKS = 8, LEN = 64 };

static struct {
    unsigned lines;
    enum doca_core_item item;
    char line[1024];
} logged;

static inline void record_line(uint32_t level, enum doca_core_item item, const char *line,
                               void *user)
{
    (void)level;
    (void)user;
    logged.lines++;
    logged.item = item;
    snprintf(logged.line, sizeof(logged.line), "%s", line);
}

static inline void record_log(void)
{
    logged.lines = 0;
    logged.line[0] = '\0';
    doca_core_log_set_sink(record_line, NULL);
}

/* Check that exactly one line was logged since the last check, that it has this item, that `call`
 * made it, and that the history in it contains `words`, in this order. */
static inline void check_report(int at, enum doca_core_item item, const char *call,
                                const char *words)
{
    char copy[128], *word, *rest = copy;
    const char *found = strstr(logged.line, "; history of ");

    if (logged.lines != 1 || logged.item != item || strstr(logged.line, call) == NULL)
        test_fail(__FILE__, at, "%u lines instead of 1 of this item and call; the last is \"%s\"",
                  logged.lines, logged.line);
    if (found == NULL)
        test_fail(__FILE__, at, "no history in \"%s\"", logged.line);
    snprintf(copy, sizeof(copy), "%s", words);
    while ((word = strtok_r(rest, " ", &rest)) != NULL) {
        found = strstr(found, word);
        if (found == NULL)
            test_fail(__FILE__, at, "no \"%s\" of \"%s\" in \"%s\"", word, words, logged.line);
        found += strlen(word);
    }
    logged.lines = 0;
}

#define CHECK_REPORT(item, call, words)                                                            \
    check_report(__LINE__, DOCA_CORE_ITEM_##item, #call ":", words)

static inline void batch_ended(struct doca_task_batch *batch, uint16_t num_tasks,
                               union doca_data user_data, union doca_data ctx_data)
{
    (void)batch;
    (void)num_tasks;
    (void)user_data;
    (void)ctx_data;
}

static inline void graph_ended(struct doca_graph_instance *instance, union doca_data user_data,
                               union doca_data graph_data)
{
    (void)instance;
    (void)user_data;
    (void)graph_data;
}

static inline void hash_ended(struct doca_sha_task_hash *task, union doca_data user_data,
                              union doca_data ctx_data)
{
    (void)task;
    (void)user_data;
    (void)ctx_data;
}

static inline void advise_ended(struct doca_mmap_advise_task_invalidate_cache *task,
                                union doca_data user_data, union doca_data ctx_data)
{
    (void)task;
    (void)user_data;
    (void)ctx_data;
}

static inline void run_in_another_thread(void *(*function)(void *))
{
    pthread_t thread;

    heap_trap_set(HEAP_TRAP_OFF); /* creating a thread allocates memory */
    CHECK_EQ(pthread_create(&thread, NULL, function, NULL), 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    heap_trap_set(HEAP_TRAP_ABORT);
}

static struct doca_mmap *slow_map;
static struct doca_dev *slow_dev;
static unsigned num_second_runs;

static inline uint32_t slow_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    if (max > 0) {
        memset(attrs, 0, sizeof(*attrs));
        snprintf(attrs->pci_addr, sizeof(attrs->pci_addr), "0000:8c:00.0");
        attrs->limits.has_export_pci = 1;
    }
    return 1;
}

static inline struct doca_core_backend slow_table(void)
{
    struct doca_core_backend table = *doca_core_sw_backend();

    table.name = "slow";
    table.enumerate = slow_enumerate;
    return table;
}

static inline void make_slow_map(void)
{
    CHECK_OK(doca_mmap_create(&slow_map));
    CHECK_OK(doca_mmap_set_memrange(slow_map, rig_from, RIG_BYTES));
    CHECK_OK(doca_mmap_add_dev(slow_map, slow_dev));
}

/* Open the device of this backend, and create an mmap on it that is not started. */
static inline void open_slow(const struct doca_core_backend *table)
{
    CHECK_OK(doca_core_backend_register(table));
    slow_dev = rig_open_dev("0000:8c:00.0");
    make_slow_map();
    num_second_runs = 0;
}

static inline void close_slow(void)
{
    CHECK_OK(doca_dev_close(slow_dev));
    CHECK_OK(doca_core_backend_unregister("slow"));
}

#endif
