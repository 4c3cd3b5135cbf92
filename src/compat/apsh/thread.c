/* ---- >>impl.apsh.thread ----------------------------------------------------------------------
 * The threads of a process: a ring of tasks. Its head is in the structure signal_struct, and all
 * threads of the process point to this structure. The CPU time of a process is the sum of the times
 * of these tasks and of the time that the structure keeps for threads that have ended.          */
#include "compat/apsh/thread_priv.h"

#include "compat/apsh/attr.h"
#include "compat/apsh/config.h"
#include "compat/apsh/field_priv.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/mem_priv.h"
#include "compat/apsh/object.h"
#include "compat/apsh/platform_priv.h"
#include "compat/apsh/shape_priv.h"
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

/* Move *task to the next thread. NOT_FOUND: the task belongs to another process. After the last
 * thread *task is 0. */
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

/* Parts of a signal_struct, by their numbers in its shape. */
enum doca_priv_apsh_signal_part {
    DOCA_PRIV_APSH_SIGNAL_NEXT, /* links of the ring of threads */
    DOCA_PRIV_APSH_SIGNAL_PREV,
    DOCA_PRIV_APSH_SIGNAL_TIMES, /* run time, user time, system time */
    DOCA_PRIV_APSH_SIGNAL_PARTS = DOCA_PRIV_APSH_SIGNAL_TIMES + 3
};

/* Select the times that a shape reads: the run time that the scheduler counts or, if the kernel has
 * no run time, the user and system time that the clock ticks count. `times`: index of the first of
 * the three parts. */
static void doca_priv_apsh_choose_times(struct doca_priv_apsh_shape *shape, uint32_t times,
                                        bool has_runtime)
{
    if (has_runtime)
        shape->masks[times + 1] = shape->masks[times + 2] = 0;
    else
        shape->masks[times] = 0;
}

/* Make the shapes with which the list of processes computes CPU times. */
DOCA_PRIV_DECL void doca_priv_apsh_task_shapes_make(const struct doca_priv_apsh_kernel *kernel,
                                                    struct doca_priv_apsh_task_shapes *shapes)
{
    static const struct doca_priv_apsh_part task[] = {
        { DOCA_PRIV_APSH_TASK_TASKS, 0, 8 },   { DOCA_PRIV_APSH_TASK_TASKS, 8, 8 },
        { DOCA_PRIV_APSH_TASK_THREADS, 0, 8 }, { DOCA_PRIV_APSH_TASK_THREADS, 8, 8 },
        { DOCA_PRIV_APSH_TASK_SIGNAL, 0, 8 },  { DOCA_PRIV_APSH_TASK_RUNTIME, 0, 8 },
        { DOCA_PRIV_APSH_TASK_UTIME, 0, 8 },   { DOCA_PRIV_APSH_TASK_STIME, 0, 8 },
        { DOCA_PRIV_APSH_TASK_PID, 0, 4 },     { DOCA_PRIV_APSH_TASK_STATE, 0, 4 },
        { DOCA_PRIV_APSH_TASK_PARENT, 0, 8 },  { DOCA_PRIV_APSH_TASK_CRED, 0, 8 },
        { DOCA_PRIV_APSH_TASK_COMM, 0, 8 },    { DOCA_PRIV_APSH_TASK_COMM, 8, 8 },
    };
    static const struct doca_priv_apsh_part signal[] = {
        { DOCA_PRIV_APSH_SIGNAL_THREADS, 0, 8 }, { DOCA_PRIV_APSH_SIGNAL_THREADS, 8, 8 },
        { DOCA_PRIV_APSH_SIGNAL_RUNTIME, 0, 8 }, { DOCA_PRIV_APSH_SIGNAL_UTIME, 0, 8 },
        { DOCA_PRIV_APSH_SIGNAL_STIME, 0, 8 },
    };
    const bool has_runtime = doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_TASK_RUNTIME) &&
                             doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_SIGNAL_RUNTIME);

    doca_priv_apsh_shape_make(kernel, task, DOCA_PRIV_APSH_TASK_PARTS, &shapes->task);
    doca_priv_apsh_shape_make(kernel, signal, DOCA_PRIV_APSH_SIGNAL_PARTS, &shapes->signal);
    shapes->times.from = has_runtime ? 0 : 1;
    shapes->times.to = has_runtime ? 1 : 3;
    doca_priv_apsh_choose_times(&shapes->task, DOCA_PRIV_APSH_PART_TIMES, has_runtime);
    doca_priv_apsh_choose_times(&shapes->signal, DOCA_PRIV_APSH_SIGNAL_TIMES, has_runtime);
}

/* Add the times of a thread, or of threads that have ended, to *time. A sum that overflows stays at
 * the maximum. */
static void doca_priv_apsh_add_times(struct doca_priv_apsh_span span, const uint64_t *times,
                                     uint64_t *time)
{
    uint64_t sum = *time;
    uint32_t i;

    for (i = span.from; i < span.to; i++)
        sum = times[i] < UINT64_MAX - sum ? sum + times[i] : UINT64_MAX;
    *time = sum;
}

/* Add the times of at most `limit` threads of a process to *time. `signal`: the parts of the
 * signal_struct of `task`. */
static doca_error_t doca_priv_apsh_add_threads(struct doca_priv_apsh_kernel *kernel,
                                               const struct doca_priv_apsh_task_shapes *shapes,
                                               const struct doca_priv_apsh_task *task,
                                               const uint64_t *signal, uint32_t limit,
                                               uint64_t *time)
{
    static const struct doca_priv_apsh_span span = { DOCA_PRIV_APSH_PART_THREAD_NEXT,
                                                     DOCA_PRIV_APSH_PART_PID };
    const uint64_t owner = task->values[DOCA_PRIV_APSH_PART_SIGNAL];
    const uint64_t head = doca_priv_apsh_in(kernel, owner, DOCA_PRIV_APSH_SIGNAL_THREADS);
    uint64_t values[DOCA_PRIV_APSH_TASK_PARTS], link = head, at;
    uint64_t next = signal[DOCA_PRIV_APSH_SIGNAL_NEXT];
    doca_error_t rc = DOCA_SUCCESS;
    const uint64_t *thread;
    uint32_t i;

    for (i = 0; i < limit && next != head; i++) {
        at = next - (uint64_t)(int64_t)kernel->offsets[DOCA_PRIV_APSH_TASK_THREADS];
        thread = at == task->at ? task->values : values;
        if (thread == values)
            rc = doca_priv_apsh_pick(kernel, &shapes->task, at, span, values);
        if (rc != DOCA_SUCCESS)
            return rc;
        if (thread[DOCA_PRIV_APSH_PART_THREAD_PREV] != link ||
            thread[DOCA_PRIV_APSH_PART_SIGNAL] != owner)
            return DOCA_ERROR_NOT_FOUND;
        doca_priv_apsh_add_times(shapes->times, thread + DOCA_PRIV_APSH_PART_TIMES, time);
        link = next;
        next = thread[DOCA_PRIV_APSH_PART_THREAD_NEXT];
    }
    return next == head && signal[DOCA_PRIV_APSH_SIGNAL_PREV] != link ? DOCA_ERROR_NOT_FOUND
                                                                      : DOCA_SUCCESS;
}

/* Sum up the CPU time of a process, in nanoseconds. This is one attempt. */
static doca_error_t doca_priv_apsh_sum_time(struct doca_priv_apsh_kernel *kernel,
                                            const struct doca_priv_apsh_task_shapes *shapes,
                                            const struct doca_priv_apsh_task *task, uint32_t limit,
                                            uint64_t *time)
{
    static const struct doca_priv_apsh_span all = { 0, DOCA_PRIV_APSH_SIGNAL_PARTS };
    uint64_t signal[DOCA_PRIV_APSH_SIGNAL_PARTS];
    doca_error_t rc = doca_priv_apsh_pick(
        kernel, &shapes->signal, task->values[DOCA_PRIV_APSH_PART_SIGNAL], all, signal);

    *time = 0;
    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_apsh_add_times(shapes->times, signal + DOCA_PRIV_APSH_SIGNAL_TIMES, time);
    if (doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_TASK_THREADS) &&
        doca_priv_apsh_has(kernel, DOCA_PRIV_APSH_SIGNAL_THREADS))
        return doca_priv_apsh_add_threads(kernel, shapes, task, signal, limit, time);
    doca_priv_apsh_add_times(shapes->times, task->values + DOCA_PRIV_APSH_PART_TIMES, time);
    return DOCA_SUCCESS;
}

/* Sum up the CPU time of at most `limit` threads of a process, in picoseconds. Threads begin and
 * end more often than processes; therefore a ring that has changed is read again here, without the
 * cache. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_cpu_time(
    struct doca_priv_apsh_kernel *kernel, const struct doca_priv_apsh_task_shapes *shapes,
    const struct doca_priv_apsh_task *task, uint32_t limit, uint64_t *time)
{
    static const struct doca_priv_apsh_span span = { DOCA_PRIV_APSH_PART_THREAD_NEXT,
                                                     DOCA_PRIV_APSH_PART_PID };
    doca_error_t rc = doca_priv_apsh_sum_time(kernel, shapes, task, limit, time);
    struct doca_priv_apsh_task again;
    unsigned i;

    for (i = 1; i < DOCA_CORE_APSH_TRIES && rc == DOCA_ERROR_NOT_FOUND; i++) {
        doca_priv_apsh_mem_drop(&kernel->mem);
        again.at = task->at;
        rc = doca_priv_apsh_pick(kernel, &shapes->task, again.at, span, again.values);
        if (rc == DOCA_SUCCESS)
            rc = doca_priv_apsh_sum_time(kernel, shapes, &again, limit, time);
    }
    *time = *time < UINT64_MAX / 1000 ? *time * 1000 : UINT64_MAX;
    return rc;
}

/* Add a thread to the snapshot. `name`: name of its process, as the value of an attribute. */
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

/* Count and read the list once. */
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
