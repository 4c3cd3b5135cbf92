/* Reads a list of App Shield on a device that fails, once for each of the list's reads. */
#ifndef APSH_FAULTS_H
#define APSH_FAULTS_H

#include "apsh_shield.h"

/* Read a list again and again, with a failure at read K = 1, 2, 3 and so on. Read K completes with
 * an error, or is not accepted. It fails alone, or all later reads fail as well. The library reads
 * a page once more that a batch could not read, so the list may survive a single failure; a device
 * that keeps failing is an error. After each failure as many bytes of the arena are in use as
 * before, and the list can be read. `get` reads the list and frees it. `nth`: index of the process
 * that the list is of. */
static inline void check_faults(struct image *image,
                                doca_error_t (*get)(struct shield *s,
                                                    struct doca_apsh_process *process),
                                unsigned nth)
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
    CHECK_OK(get(&s, processes[nth]));
    CHECK_OK(doca_core_apsh_sys_get_stats(s.system, &after));
    reads = after.num_tasks - before.num_tasks;
    CHECK(reads > 0);
    for (way = 0; way < 4; way++)
        for (k = 1; k <= reads; k++) {
            (void)snprintf(rule, sizeof(rule), "dma.%s=fail@%u%s,log=0",
                           way % 2 == 0 ? "complete" : "submit", k, way >= 2 ? "+" : "");
            CHECK_OK(doca_core_fault_set(rule));
            rc = get(&s, processes[nth]);
            if (way >= 2 || rc != DOCA_SUCCESS) {
                CHECK_RC(rc, DOCA_ERROR_IO_FAILED);
                CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_READ);
                num_errors++;
            }
            CHECK_OK(doca_core_arena_query(s.ctx->arena, &now, NULL, NULL));
            CHECK_EQ(now, level);
            CHECK_OK(doca_core_fault_set("log=0"));
            CHECK_OK(get(&s, processes[nth])); /* the list can be read again */
        }
    CHECK(num_errors >= 2 * reads);
    doca_apsh_processes_free(processes);
    shield_close(&s, image);
    CHECK_OK(doca_core_fault_set(NULL));
}

#endif
