/* ---- >>impl.apsh.process ---------------------------------------------------------------------
 * The list of processes: a ring of tasks that begins with the first task, which is the idle task
 * and is left out. A first walk counts the tasks, so that the block of the snapshot has the
 * right size; the second reads the cache. The second walk goes in groups of tasks, because what the
 * tasks of a group point to is read in one batch. Both end at the limit of the system, and each
 * task must point back to the one before it. When the ring changed meanwhile, or is damaged, it is
 * walked again. */
#include "compat/apsh/process_priv.h"

#include "compat/apsh/attr.h"
#include "compat/apsh/config.h"
#include "compat/apsh/field_priv.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/mem_priv.h"
#include "compat/apsh/object.h"
#include "compat/apsh/snapshot_priv.h"
#include "compat/apsh/thread_priv.h"

#define DOCA_PRIV_APSH_GROUP 16u /* tasks; each points to two structures that are read */

/* What is read of a task. */
struct doca_priv_apsh_task {
    uint64_t time; /* picoseconds */
    uint32_t pid, parent_pid, state, uid, gid;
    char comm[DOCA_PRIV_APSH_COMM + 1];
};

/* Make the ring of tasks. */
static void doca_priv_apsh_task_ring(const struct doca_priv_apsh_kernel *kernel,
                                     struct doca_priv_apsh_ring *ring)
{
    static const uint8_t members[] = { DOCA_PRIV_APSH_TASK_TASKS, DOCA_PRIV_APSH_TASK_PID,
                                       DOCA_PRIV_APSH_TASK_COMM,  DOCA_PRIV_APSH_TASK_CRED,
                                       DOCA_PRIV_APSH_TASK_STATE, DOCA_PRIV_APSH_TASK_UTIME,
                                       DOCA_PRIV_APSH_TASK_SIGNAL, DOCA_PRIV_APSH_TASK_RUNTIME };

    ring->head = doca_priv_apsh_in(kernel, kernel->symbols[DOCA_PRIV_APSH_INIT_TASK],
                                   DOCA_PRIV_APSH_TASK_TASKS);
    ring->link = DOCA_PRIV_APSH_TASK_TASKS;
    ring->members = members;
    ring->num_members = sizeof(members);
}

/* Read the user and group of a task. */
static doca_error_t doca_priv_apsh_read_cred(struct doca_priv_apsh_kernel *kernel, uint64_t task,
                                             uint32_t *uid, uint32_t *gid)
{
    uint64_t cred = 0;
    doca_error_t rc = doca_priv_apsh_get_64(kernel, task, DOCA_PRIV_APSH_TASK_CRED, &cred);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_32(kernel, cred, DOCA_PRIV_APSH_CRED_UID, uid);
    return rc == DOCA_SUCCESS ? doca_priv_apsh_get_32(kernel, cred, DOCA_PRIV_APSH_CRED_GID, gid)
                              : rc;
}

/* Read all attributes of a task. `limit`: threads whose CPU time counts. */
static doca_error_t doca_priv_apsh_read_task(struct doca_priv_apsh_kernel *kernel, uint64_t task,
                                             uint32_t limit, struct doca_priv_apsh_task *out)
{
    uint64_t parent = 0;
    doca_error_t rc = doca_priv_apsh_get_32(kernel, task, DOCA_PRIV_APSH_TASK_PID, &out->pid);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_comm(kernel, task, out->comm);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_32(kernel, task, DOCA_PRIV_APSH_TASK_STATE, &out->state);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_64(kernel, task, DOCA_PRIV_APSH_TASK_PARENT, &parent);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_32(kernel, parent, DOCA_PRIV_APSH_TASK_TGID, &out->parent_pid);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_read_cred(kernel, task, &out->uid, &out->gid);
    return rc == DOCA_SUCCESS ? doca_priv_apsh_cpu_time(kernel, task, limit, &out->time) : rc;
}

/* Add a task to the snapshot. */
static doca_error_t doca_priv_apsh_add_task(struct doca_priv_apsh_list *list, uint64_t task)
{
    struct doca_priv_apsh_element *element;
    struct doca_priv_apsh_task out;
    doca_error_t rc = doca_priv_apsh_read_task(
        list->kernel, task, DOCA_PRIV_APSH_LIMIT(list->system, DOCA_APSH_THREADS_LIMIT), &out);

    if (rc != DOCA_SUCCESS)
        return rc;
    element = doca_priv_apsh_snapshot_add(list->snapshot, task);
    doca_priv_apsh_set(element, DOCA_APSH_PROCESS_PID, out.pid);
    doca_priv_apsh_set(element, DOCA_APSH_PROCESS_PPID, out.parent_pid);
    doca_priv_apsh_set(element, DOCA_APSH_PROCESS_COMM, doca_priv_apsh_list_text(list, out.comm));
    doca_priv_apsh_set(element, DOCA_APSH_PROCESS_CPU_TIME, out.time);
    doca_priv_apsh_set(element, DOCA_APSH_PROCESS_LINUX_GID, out.gid);
    doca_priv_apsh_set(element, DOCA_APSH_PROCESS_LINUX_UID, out.uid);
    doca_priv_apsh_set(element, DOCA_APSH_PROCESS_LINUX_STATE, out.state);
    return DOCA_SUCCESS;
}

/* Move *task over the next `num` tasks of the ring, and write them to `tasks`. The users and the
 * signal_structs of all of them are read in one batch. */
static doca_error_t doca_priv_apsh_next_tasks(struct doca_priv_apsh_kernel *kernel,
                                              const struct doca_priv_apsh_ring *ring,
                                              uint64_t *task, uint64_t *tasks, uint32_t num)
{
    uint64_t addrs[2 * DOCA_PRIV_APSH_GROUP], cred = 0, signal = 0;
    uint32_t num_addrs = 0, i;
    doca_error_t rc = DOCA_SUCCESS;

    for (i = 0; i < num && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_ring_next(kernel, ring, task);
        if (rc == DOCA_SUCCESS && *task == 0)
            return DOCA_ERROR_NOT_FOUND;
        tasks[i] = *task;
        if (rc == DOCA_SUCCESS)
            rc = doca_priv_apsh_get_64(kernel, *task, DOCA_PRIV_APSH_TASK_CRED, &cred);
        if (rc == DOCA_SUCCESS)
            rc = doca_priv_apsh_get_64(kernel, *task, DOCA_PRIV_APSH_TASK_SIGNAL, &signal);
        doca_priv_apsh_batch(kernel, doca_priv_apsh_in(kernel, cred, DOCA_PRIV_APSH_CRED_UID),
                             addrs, &num_addrs);
        doca_priv_apsh_batch(kernel, doca_priv_apsh_in(kernel, signal, DOCA_PRIV_APSH_SIGNAL_UTIME),
                             addrs, &num_addrs);
    }
    if (rc == DOCA_SUCCESS)
        doca_priv_apsh_mem_fetch(&kernel->mem, addrs, num_addrs);
    return rc;
}

/* Read the list once. */
static doca_error_t doca_priv_apsh_read_tasks(struct doca_priv_apsh_list *list)
{
    struct doca_priv_apsh_ring ring;
    uint64_t tasks[DOCA_PRIV_APSH_GROUP], task = 0;
    uint32_t num = 0, n, i, k;
    doca_error_t rc;

    doca_priv_apsh_task_ring(list->kernel, &ring);
    rc = doca_priv_apsh_ring_count(list->kernel, &ring, list->limit, &num);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_snapshot_make(list->system, DOCA_PRIV_APSH_PROCESSES, num,
                                          num * (size_t)(DOCA_PRIV_APSH_COMM + 1),
                                          &list->snapshot);
    for (i = 0; i < num && rc == DOCA_SUCCESS; i += n) {
        n = num - i < DOCA_PRIV_APSH_GROUP ? num - i : DOCA_PRIV_APSH_GROUP;
        rc = doca_priv_apsh_next_tasks(list->kernel, &ring, &task, tasks, n);
        for (k = 0; k < n && rc == DOCA_SUCCESS; k++)
            rc = doca_priv_apsh_add_task(list, tasks[k]);
    }
    return rc;
}

/* Read the list of processes. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_processes(struct doca_apsh_system *system,
                                                     struct doca_priv_apsh_snapshot **snapshot,
                                                     const char *function)
{
    struct doca_priv_apsh_list list;
    doca_error_t rc;

    doca_priv_apsh_list_begin(&list, system, NULL, DOCA_APSH_PROCESS_LIMIT);
    list.budget = DOCA_CORE_APSH_LIST_READS(
        (uint64_t)list.limit + DOCA_PRIV_APSH_LIMIT(system, DOCA_APSH_THREADS_LIMIT));
    rc = doca_priv_apsh_list_read(&list, doca_priv_apsh_read_tasks, function);
    *snapshot = list.snapshot;
    return rc;
}
