/* Checks that App Shield copes with a failure of each single read of a list. */
#ifndef APSH_FAULTS_H
#define APSH_FAULTS_H

#include "apsh_lists.h"

/* Read a list again and again. In round K the device fails the K-th read of the list. The device
 * refuses the task or completes it with an error, either for this read alone or for this read and
 * all later reads. App Shield reads a page once more when its batch fails, so a single failure may
 * have no effect. A device that keeps failing must give IO_FAILED. After each failure the arena has
 * as many bytes in use as before, and the list can be read. `nth` is the
 * index of the process that `get` gets, and `want` the number of items of the list. */
static inline void check_faults(struct image *image, apsh_get *get, unsigned nth, int want)
{
    struct doca_apsh_process **processes;
    struct doca_core_apsh_stats before, after;
    size_t level, now;
    unsigned way, k, num_errors = 0;
    doca_error_t rc;
    uint64_t reads;
    char rule[64];
    struct shield s;
    int num;

    CHECK_OK(doca_core_fault_set("log=0")); /* wraps the device that is opened next */
    s = shield_open(image);
    CHECK_OK(s.status);
    CHECK_OK(doca_apsh_processes_get(s.system, &processes, &num));
    CHECK_OK(doca_core_arena_query(s.ctx->arena, &level, NULL, NULL));
    CHECK_OK(doca_core_apsh_sys_get_stats(s.system, &before));
    CHECK_OK(get(&s, processes[nth], &num));
    CHECK_EQ(num, want);
    CHECK_OK(doca_core_apsh_sys_get_stats(s.system, &after));
    reads = after.num_tasks - before.num_tasks;
    CHECK(reads > 0);
    for (way = 0; way < 4; way++)
        for (k = 1; k <= reads; k++) {
            (void)snprintf(rule, sizeof(rule), "dma.%s=fail@%u%s,log=0",
                           way % 2 == 0 ? "complete" : "submit", k, way >= 2 ? "+" : "");
            CHECK_OK(doca_core_fault_set(rule));
            rc = get(&s, processes[nth], &num);
            CHECK(rc != DOCA_SUCCESS || num == want);
            if (way >= 2 || rc != DOCA_SUCCESS) {
                CHECK_RC(rc, DOCA_ERROR_IO_FAILED);
                CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_READ);
                num_errors++;
            }
            CHECK_OK(doca_core_arena_query(s.ctx->arena, &now, NULL, NULL));
            CHECK_EQ(now, level);
            CHECK_OK(doca_core_fault_set("log=0"));
            CHECK_OK(get(&s, processes[nth], &num)); /* without a fault, the list can be read */
        }
    CHECK(num_errors >= 2 * reads);
    doca_apsh_processes_free(processes);
    shield_close(&s, image);
    CHECK_OK(doca_core_fault_set(NULL));
}

#endif
