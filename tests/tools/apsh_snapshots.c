/* Take 1,000 snapshots of the processes of a guest that runs the load of apsh_forks.c. Some of the
 * snapshots are followed by the lists of modules, threads, areas and libraries. Each snapshot
 * contains each lasting process of the load exactly once, or the call returns a documented error. A
 * lasting process always has the same threads. Afterwards as many bytes of the arena are in use as
 * before, and no call has used the heap. Each batch of reads takes the time of a device, so that
 * the guest changes its lists while they are read. The program prints one line of numbers. Exit
 * status: 0, or 1. */
#define APSH_SYSTEM_PROGRESS slow_progress
#include "apsh_system.h"

#include "heap_trap.h"

#include <string.h>
#include <unistd.h>

#define READ_US 20 /* least time of a batch of reads */
#define SNAPSHOTS 1000u
#define LASTING 8u /* processes of the load */
#define THREADS 3  /* of each */
#define PIDS 65536u

static unsigned num_lists, num_errors, num_others, num_other_errors, num_wrong, num_pids;
static unsigned num_least = UINT32_MAX, num_most;
static uint32_t lasting[LASTING];   /* PIDs; 0: not seen yet */
static unsigned char has_pid[PIDS]; /* 1: the PID was in a snapshot */
static uint32_t latest[PIDS];       /* number of the latest snapshot that has the PID */

static bool is_slow;

#undef doca_pe_progress
static uint8_t slow_progress(struct doca_pe *pe)
{
    if (is_slow)
        usleep(READ_US);
    return doca_pe_progress(pe);
}

static void wrong(const char *what, unsigned snapshot, uint32_t pid)
{
    if (num_wrong++ < 20)
        fprintf(stderr, "snapshot %u: process %u: %s\n", snapshot, pid, what);
}

/* Count a call. True when it returned a list; an error must be a documented one. */
static bool is_list(doca_error_t rc, unsigned snapshot, unsigned *lists, unsigned *errors)
{
    const enum doca_core_item item = doca_core_last_item();

    ++*(rc == DOCA_SUCCESS ? lists : errors);
    if (rc != DOCA_SUCCESS &&
        (rc != DOCA_ERROR_INITIALIZATION ||
         (item != DOCA_CORE_ITEM_APSH_TORN && item != DOCA_CORE_ITEM_APSH_ENDED)))
        wrong(doca_core_last_error(), snapshot, 0);
    return rc == DOCA_SUCCESS;
}

/* Return the number of a lasting process by its name, or LASTING for another process. */
static unsigned lasting_number(const char *name)
{
    return strncmp(name, "lasting ", 8) == 0 && name[8] >= '0' && name[8] < '0' + (int)LASTING &&
                   name[9] == '\0'
               ? (unsigned)(name[8] - '0')
               : LASTING;
}

/* Check a list of processes. */
static void check_processes(struct doca_apsh_process **list, int num, unsigned snapshot)
{
    unsigned times[LASTING] = { 0 }, n;
    const char *name;
    uint32_t pid;
    int i;

    num_least = (unsigned)num < num_least ? (unsigned)num : num_least;
    num_most = (unsigned)num > num_most ? (unsigned)num : num_most;
    for (i = 0; i < num; i++) {
        pid = doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_PID);
        name = doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_COMM);
        if (pid >= PIDS || latest[pid] == snapshot) {
            wrong("the PID is too large, or the list has it twice", snapshot, pid);
            continue;
        }
        latest[pid] = snapshot;
        num_pids += !has_pid[pid];
        has_pid[pid] = 1;
        n = lasting_number(name);
        if (n == LASTING)
            continue;
        times[n]++;
        if (lasting[n] == 0)
            lasting[n] = pid;
        if (pid != lasting[n])
            wrong("a lasting process has changed its PID", snapshot, pid);
    }
    for (n = 0; n < LASTING; n++)
        if (times[n] != 1)
            wrong("the list does not have a lasting process exactly once", snapshot, lasting[n]);
}

/* Read the threads, areas and libraries of a process. */
static void read_others(struct doca_apsh_process *process, unsigned snapshot)
{
    const uint32_t pid = doca_apsh_process_info_get(process, DOCA_APSH_PROCESS_PID);
    const bool lasts =
        lasting_number(doca_apsh_process_info_get(process, DOCA_APSH_PROCESS_COMM)) < LASTING;
    struct doca_apsh_thread **threads;
    struct doca_apsh_vad **areas;
    struct doca_apsh_lib **libs;
    int num;

    if (is_list(doca_apsh_threads_get(process, &threads, &num), snapshot, &num_others,
                &num_other_errors)) {
        if (lasts && num != THREADS)
            wrong("a lasting process has another number of threads", snapshot, pid);
        doca_apsh_threads_free(threads);
    } else if (lasts) {
        wrong("the threads of a lasting process cannot be read", snapshot, pid);
    }
    if (is_list(doca_apsh_vads_get(process, &areas, &num), snapshot, &num_others,
                &num_other_errors)) {
        if (lasts && num < 10)
            wrong("a lasting process lacks areas", snapshot, pid);
        doca_apsh_vads_free(areas);
    } else if (lasts) {
        wrong("the areas of a lasting process cannot be read", snapshot, pid);
    }
    if (is_list(doca_apsh_libs_get(process, &libs, &num), snapshot, &num_others,
                &num_other_errors)) {
        if (lasts && num < 2)
            wrong("a lasting process lacks libraries", snapshot, pid);
        doca_apsh_libs_free(libs);
    } else if (lasts) {
        wrong("the libraries of a lasting process cannot be read", snapshot, pid);
    }
}

static void take(struct doca_apsh_system *system, unsigned snapshot)
{
    struct doca_apsh_process **list;
    struct doca_apsh_module **modules;
    int num, i;

    if (!is_list(doca_apsh_processes_get(system, &list, &num), snapshot, &num_lists, &num_errors))
        return;
    check_processes(list, num, snapshot);
    for (i = num - 1; snapshot % 20 == 0 && i >= 0; i -= 1 + i % 3) /* the newest are last */
        read_others(list[i], snapshot);
    doca_apsh_processes_free(list);
    if (snapshot % 100 == 0 && is_list(doca_apsh_modules_get(system, &modules, &num), snapshot,
                                       &num_others, &num_other_errors))
        doca_apsh_module_free(modules);
}

int main(void)
{
    struct apsh_system s = apsh_open();
    size_t before = 0, after = 0;
    unsigned i;

    if (!heap_trap_works())
        fprintf(stderr, "heap calls are not counted with this C library\n");
    check(doca_apsh_system_start(s.system));
    check(doca_core_log_set_level(DOCA_CORE_LOG_DISABLE));
    check(doca_core_arena_query(&apsh_arena, &before, NULL, NULL));
    is_slow = true;
    heap_trap_set(HEAP_TRAP_COUNT);
    for (i = 1; i <= SNAPSHOTS; i++)
        take(s.system, i);
    heap_trap_set(HEAP_TRAP_OFF);
    check(doca_core_arena_query(&apsh_arena, &after, NULL, NULL));
    printf("%u lists of processes and %u errors; %u to %u processes, %u in all; %u other lists and "
           "%u errors; %lu heap calls, %lld bytes of the arena\n",
           num_lists, num_errors, num_least, num_most, num_pids, num_others, num_other_errors,
           heap_trap_calls(), (long long)after - (long long)before);
    apsh_close(&s);
    return num_wrong > 0 || after != before || heap_trap_calls() > 0;
}
