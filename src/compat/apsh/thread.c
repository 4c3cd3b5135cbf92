/* ---- >>impl.apsh.thread ----------------------------------------------------------------------
 * The threads of a process: a ring of tasks whose head is in the structure signal_struct, which all
 * of them point to. The CPU time of a process is the sum of these tasks, and of what the structure
 * keeps of threads that have ended.                                                             */
#include "compat/apsh/thread_priv.h"

#include "compat/apsh/attr.h"
#include "compat/apsh/config.h"
#include "compat/apsh/field_priv.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/mem_priv.h"
#include "compat/apsh/object.h"
#include "compat/apsh/platform_priv.h"
#include "compat/apsh/snapshot_priv.h"

DOCA_PRIV_APSH_ASSERT(thread_has_its_size, sizeof(void *) + sizeof(struct doca_priv_apsh_element) +
                                                   5 * sizeof(uintptr_t) + 17 ==
                                               DOCA_PRIV_APSH_THREAD_BYTES)
DOCA_PRIV_APSH_ASSERT(comm_has_its_size, DOCA_PRIV_APSH_COMM + 1 == DOCA_PRIV_APSH_COMM_BYTES)

/* Make the ring of the threads that share the signal_struct at `signal`. */
static void doca_priv_apsh_thread_ring(const struct doca_priv_apsh_kernel *kernel, uint64_t signal,
                                       struct doca_priv_apsh_ring *ring)
{
    static const uint8_t members[] = { DOCA_PRIV_APSH_TASK_THREADS, DOCA_PRIV_APSH_TASK_PID,
                                       DOCA_PRIV_APSH_TASK_COMM,    DOCA_PRIV_APSH_TASK_STATE,
                                       DOCA_PRIV_APSH_TASK_SIGNAL,  DOCA_PRIV_APSH_TASK_UTIME,
                                       DOCA_PRIV_APSH_TASK_RUNTIME };

    ring->head = doca_priv_apsh_in(kernel, signal, DOCA_PRIV_APSH_SIGNAL_THREADS);
    ring->link = DOCA_PRIV_APSH_TASK_THREADS;
    ring->members = members;
    ring->num_members = sizeof(members);
}

/* Move *task to the next thread, if it belongs to the process; 0 behind the last. */
static doca_error_t doca_priv_apsh_next_thread(struct doca_priv_apsh_kernel *kernel,
                                               uint64_t signal,
                                               const struct doca_priv_apsh_ring *ring,
                                               uint64_t *task)
{
    uint64_t owner = 0;
    doca_error_t rc = doca_priv_apsh_ring_next(kernel, ring, task);

    if (rc != DOCA_SUCCESS || *task == 0)
        return rc;
    rc = doca_priv_apsh_get_64(kernel, *task, DOCA_PRIV_APSH_TASK_SIGNAL, &owner);
    return rc == DOCA_SUCCESS && owner != signal ? DOCA_ERROR_NOT_FOUND : rc;
}

/* Add a counter of a structure to *time, which stays at the maximum once it is there. */
static doca_error_t doca_priv_apsh_add_part(struct doca_priv_apsh_kernel *kernel, uint64_t object,
                                            enum doca_priv_apsh_member member, uint64_t *time)
{
    uint64_t part = 0;
    doca_error_t rc = doca_priv_apsh_get_64(kernel, object, member, &part);

    *time = part < UINT64_MAX - *time ? *time + part : UINT64_MAX;
    return rc;
}

/* Add the time of a thread, or of threads that have ended, to *time: the run time that the
 * scheduler counts, or what the clock's ticks found, where the kernel has no run time. */
static doca_error_t doca_priv_apsh_add_time(struct doca_priv_apsh_kernel *kernel, uint64_t object,
                                            bool is_thread, uint64_t *time)
{
    doca_error_t rc;

    if (doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_TASK_RUNTIME) &&
        doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_SIGNAL_RUNTIME))
        return doca_priv_apsh_add_part(
            kernel, object,
            is_thread ? DOCA_PRIV_APSH_TASK_RUNTIME : DOCA_PRIV_APSH_SIGNAL_RUNTIME, time);
    rc = doca_priv_apsh_add_part(
        kernel, object, is_thread ? DOCA_PRIV_APSH_TASK_UTIME : DOCA_PRIV_APSH_SIGNAL_UTIME, time);
    return rc == DOCA_SUCCESS
               ? doca_priv_apsh_add_part(
                     kernel, object,
                     is_thread ? DOCA_PRIV_APSH_TASK_STIME : DOCA_PRIV_APSH_SIGNAL_STIME, time)
               : rc;
}

/* Sum up the CPU time of a process once, in nanoseconds. */
static doca_error_t doca_priv_apsh_sum_time(struct doca_priv_apsh_kernel *kernel, uint64_t task,
                                            uint32_t limit, uint64_t *time)
{
    const bool has_threads = doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_TASK_THREADS) &&
                             doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_SIGNAL_THREADS);
    struct doca_priv_apsh_ring ring;
    uint64_t signal = 0;
    uint32_t i;
    doca_error_t rc = doca_priv_apsh_get_64(kernel, task, DOCA_PRIV_APSH_TASK_SIGNAL, &signal);

    *time = 0;
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_add_time(kernel, signal, false, time);
    if (rc == DOCA_SUCCESS && !has_threads)
        return doca_priv_apsh_add_time(kernel, task, true, time);
    doca_priv_apsh_thread_ring(kernel, signal, &ring);
    for (task = 0, i = 0; i < limit && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_next_thread(kernel, signal, &ring, &task);
        if (rc != DOCA_SUCCESS || task == 0)
            break;
        rc = doca_priv_apsh_add_time(kernel, task, true, time);
    }
    return rc;
}

/* Sum up the CPU time of at most `limit` threads of a process, in picoseconds. Threads come and go
 * more often than processes, so a ring that is not sound is read again here, without the cache. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_cpu_time(struct doca_priv_apsh_kernel *kernel,
                                                    uint64_t task, uint32_t limit, uint64_t *time)
{
    doca_error_t rc = doca_priv_apsh_sum_time(kernel, task, limit, time);
    unsigned i;

    for (i = 1; i < DOCA_CORE_APSH_TRIES && rc == DOCA_ERROR_NOT_FOUND; i++) {
        doca_priv_apsh_mem_drop(&kernel->mem);
        rc = doca_priv_apsh_sum_time(kernel, task, limit, time);
    }
    *time = *time < UINT64_MAX / 1000 ? *time * 1000 : UINT64_MAX;
    return rc;
}

/* Add a thread to the snapshot. `name`: of its process, as the value of an attribute. */
static doca_error_t doca_priv_apsh_add_thread(struct doca_priv_apsh_list *list, uint64_t task,
                                              uint64_t name)
{
    struct doca_priv_apsh_element *element;
    char comm[DOCA_PRIV_APSH_COMM + 1];
    uint32_t tid = 0, state = 0;
    doca_error_t rc = doca_priv_apsh_get_32(list->kernel, task, DOCA_PRIV_APSH_TASK_PID, &tid);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_32(list->kernel, task, DOCA_PRIV_APSH_TASK_STATE, &state);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_comm(list->kernel, task, comm);
    if (rc != DOCA_SUCCESS)
        return rc;
    element = doca_priv_apsh_snapshot_add(list->snapshot, task);
    doca_priv_apsh_set(element, DOCA_APSH_THREAD_PID,
                       doca_priv_apsh_list_value(list, DOCA_APSH_PROCESS_PID));
    doca_priv_apsh_set(element, DOCA_APSH_THREAD_TID, tid);
    doca_priv_apsh_set(element, DOCA_APSH_THREAD_STATE, state);
    doca_priv_apsh_set(element, DOCA_APSH_THREAD_LINUX_PROC_NAME, name);
    doca_priv_apsh_set(element, DOCA_APSH_THREAD_LINUX_THREAD_NAME,
                       doca_priv_apsh_list_text(list, comm));
    return DOCA_SUCCESS;
}

/* Read the list once: count the threads, and then read them. */
static doca_error_t doca_priv_apsh_read_threads(struct doca_priv_apsh_list *list)
{
    uint64_t task = 0, signal = 0, name;
    struct doca_priv_apsh_ring ring;
    uint32_t num = 0, i;
    doca_error_t rc = doca_priv_apsh_list_task(list, &task);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_64(list->kernel, task, DOCA_PRIV_APSH_TASK_SIGNAL, &signal);
    doca_priv_apsh_thread_ring(list->kernel, signal, &ring);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_ring_count(list->kernel, &ring, list->limit, &num);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_snapshot_make(list->system, DOCA_PRIV_APSH_THREADS, num,
                                          (num + (size_t)1) * (DOCA_PRIV_APSH_COMM + 1),
                                          &list->snapshot);
    if (rc != DOCA_SUCCESS)
        return rc;
    name = doca_priv_apsh_list_name(list);
    for (task = 0, i = 0; i < num && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_next_thread(list->kernel, signal, &ring, &task);
        if (rc == DOCA_SUCCESS)
            rc = task != 0 ? doca_priv_apsh_add_thread(list, task, name) : DOCA_ERROR_NOT_FOUND;
    }
    return rc;
}

/* Read the list of the threads of a process. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_threads(const struct doca_apsh_process *process,
                                                   struct doca_priv_apsh_snapshot **snapshot,
                                                   const char *function)
{
    static const uint8_t needed[] = { DOCA_PRIV_APSH_TASK_THREADS, DOCA_PRIV_APSH_SIGNAL_THREADS };
    struct doca_priv_apsh_list list;
    doca_error_t rc;

    doca_priv_apsh_list_begin(&list, NULL, process, DOCA_APSH_THREADS_LIMIT);
    rc = doca_priv_apsh_need(list.kernel, needed, sizeof(needed), function);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_list_read(&list, doca_priv_apsh_read_threads, function);
    *snapshot = list.snapshot;
    return rc;
}
