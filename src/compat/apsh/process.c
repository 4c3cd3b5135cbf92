/* ---- >>impl.apsh.process ---------------------------------------------------------------------
 * The list of processes: a ring of tasks. The ring begins with the idle task, which is not listed.
 * A first walk counts the tasks, which determines the size of the snapshot, and keeps the values of
 * the first DOCA_PRIV_APSH_KEPT tasks; a second walk reads the remaining tasks. Tasks are added in
 * groups: one batch reads the structures that all tasks of a group point to. Both walks end at the
 * limit of the system, and each task must point back to the task before it. When the ring has
 * changed or is damaged, both walks are repeated.                                               */
#include "compat/apsh/process_priv.h"

#include "compat/apsh/attr.h"
#include "compat/apsh/config.h"
#include "compat/apsh/field_priv.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/mem_priv.h"
#include "compat/apsh/object.h"
#include "compat/apsh/platform_priv.h"
#include "compat/apsh/shape_priv.h"
#include "compat/apsh/snapshot_priv.h"
#include "compat/apsh/thread_priv.h"

#define DOCA_PRIV_APSH_GROUP 16u /* tasks of a group; each points to two structures that are read */
#define DOCA_PRIV_APSH_KEPT 128u /* tasks whose parts the first walk keeps: a multiple of a group */

DOCA_PRIV_APSH_ASSERT(kept_tasks_have_room,
                      DOCA_PRIV_APSH_KEPT * sizeof(struct doca_priv_apsh_task) <=
                          DOCA_PRIV_APSH_ROOM * sizeof(uint64_t))

/* A walk over the ring of tasks, and the shapes of the structures that it reads. */
struct doca_priv_apsh_walk_tasks {
    struct doca_priv_apsh_kernel *kernel;
    struct doca_priv_apsh_task_shapes shapes;
    struct doca_priv_apsh_shape parent, cred;
    uint64_t head, link, next; /* addresses of links: ring's head, latest task, next task */
    struct doca_priv_apsh_task *kept; /* the first tasks of the ring */
    uint64_t kept_link, kept_next;    /* values of `link` and `next` after the kept tasks */
};

/* Make the shapes of a walk. */
static void doca_priv_apsh_tasks_open(struct doca_priv_apsh_kernel *kernel,
                                      struct doca_priv_apsh_walk_tasks *walk)
{
    static const struct doca_priv_apsh_part parent[] = { { DOCA_PRIV_APSH_TASK_TGID, 0, 4 } };
    static const struct doca_priv_apsh_part cred[] = { { DOCA_PRIV_APSH_CRED_UID, 0, 4 },
                                                       { DOCA_PRIV_APSH_CRED_GID, 0, 4 } };

    walk->kernel = kernel;
    walk->kept = (struct doca_priv_apsh_task *)(void *)kernel->room;
    walk->kept_link = walk->kept_next = 0;
    walk->head = doca_priv_apsh_in(kernel, kernel->symbols[DOCA_PRIV_APSH_INIT_TASK],
                                   DOCA_PRIV_APSH_TASK_TASKS);
    doca_priv_apsh_task_shapes_make(kernel, &walk->shapes);
    doca_priv_apsh_shape_make(kernel, parent, 1, &walk->parent);
    doca_priv_apsh_shape_make(kernel, cred, 2, &walk->cred);
}

/* Begin a walk at the head of the ring. */
static doca_error_t doca_priv_apsh_tasks_begin(struct doca_priv_apsh_walk_tasks *walk)
{
    walk->link = walk->head;
    return doca_priv_apsh_read_64(walk->kernel, walk->head, &walk->next);
}

/* Read the first `num` parts of the next task of the ring. NOT_FOUND: the task does not point
 * back. */
static doca_error_t doca_priv_apsh_tasks_next(struct doca_priv_apsh_walk_tasks *walk, uint32_t num,
                                              struct doca_priv_apsh_task *task)
{
    const struct doca_priv_apsh_span span = { 0, num };
    doca_error_t rc;

    task->at = walk->next -
               (uint64_t)(int64_t)walk->kernel->offsets[DOCA_PRIV_APSH_TASK_TASKS];
    rc = doca_priv_apsh_pick(walk->kernel, &walk->shapes.task, task->at, span, task->values);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (task->values[DOCA_PRIV_APSH_PART_PREV] != walk->link)
        return DOCA_ERROR_NOT_FOUND;
    walk->link = walk->next;
    walk->next = task->values[DOCA_PRIV_APSH_PART_NEXT];
    return DOCA_SUCCESS;
}

/* Check that the ring ends here: its head points back to the latest task. */
static doca_error_t doca_priv_apsh_tasks_end(struct doca_priv_apsh_walk_tasks *walk)
{
    uint64_t back = 0;
    doca_error_t rc = doca_priv_apsh_read_64(walk->kernel, walk->head + 8, &back);

    return rc == DOCA_SUCCESS && (walk->next != walk->head || back != walk->link)
               ? DOCA_ERROR_NOT_FOUND
               : rc;
}

/* Count the tasks of the ring, up to the limit, and keep the first tasks. */
static doca_error_t doca_priv_apsh_tasks_count(struct doca_priv_apsh_walk_tasks *walk,
                                               uint32_t limit, uint32_t *num)
{
    struct doca_priv_apsh_task task;
    doca_error_t rc = doca_priv_apsh_tasks_begin(walk);

    for (*num = 0; rc == DOCA_SUCCESS && *num < limit; ++*num) {
        if (walk->next == walk->head)
            return doca_priv_apsh_tasks_end(walk);
        if (*num == DOCA_PRIV_APSH_KEPT) {
            walk->kept_link = walk->link;
            walk->kept_next = walk->next;
        }
        rc = *num < DOCA_PRIV_APSH_KEPT
                 ? doca_priv_apsh_tasks_next(walk, DOCA_PRIV_APSH_TASK_PARTS, &walk->kept[*num])
                 : doca_priv_apsh_tasks_next(walk, DOCA_PRIV_APSH_PART_PREV + 1, &task);
    }
    return rc;
}

/* Read the user and group of a task. */
static doca_error_t doca_priv_apsh_read_cred(struct doca_priv_apsh_walk_tasks *walk,
                                             const struct doca_priv_apsh_task *task,
                                             uint64_t ids[2])
{
    static const struct doca_priv_apsh_span span = { 0, 2 };

    return doca_priv_apsh_pick(walk->kernel, &walk->cred, task->values[DOCA_PRIV_APSH_PART_CRED],
                               span, ids);
}

/* Store an 8-byte number in the byte order of the target. */
static void doca_priv_apsh_store(char *to, uint64_t value)
{
    to[0] = (char)(value & 0xff);
    to[1] = (char)(value >> 8 & 0xff);
    to[2] = (char)(value >> 16 & 0xff);
    to[3] = (char)(value >> 24 & 0xff);
    to[4] = (char)(value >> 32 & 0xff);
    to[5] = (char)(value >> 40 & 0xff);
    to[6] = (char)(value >> 48 & 0xff);
    to[7] = (char)(value >> 56 & 0xff);
}

/* Copy the name of a task to the snapshot, and cut it to the limit of the system. Returns the
 * address of the copy, in the form in which the snapshot holds the values of attributes. */
static uint64_t doca_priv_apsh_add_comm(const struct doca_priv_apsh_list *list,
                                        const struct doca_priv_apsh_task *task)
{
    const uint32_t room = DOCA_PRIV_APSH_LIMIT(list->system, DOCA_APSH_STRING_LIMIT) - 1u;
    char *comm = doca_priv_apsh_text_room(list->snapshot, DOCA_PRIV_APSH_COMM);

    if (comm == NULL)
        return 0;
    doca_priv_apsh_store(comm, task->values[DOCA_PRIV_APSH_PART_COMM]);
    doca_priv_apsh_store(comm + 8, task->values[DOCA_PRIV_APSH_PART_COMM + 1]);
    if (room < DOCA_PRIV_APSH_COMM)
        comm[room] = '\0';
    return (uintptr_t)comm;
}

/* Read the structures that a task points to, and add the task to the snapshot. */
static doca_error_t doca_priv_apsh_add_task(struct doca_priv_apsh_list *list,
                                            struct doca_priv_apsh_walk_tasks *walk,
                                            const struct doca_priv_apsh_task *task)
{
    static const struct doca_priv_apsh_span one = { 0, 1 };
    const uint32_t limit = DOCA_PRIV_APSH_LIMIT(list->system, DOCA_APSH_THREADS_LIMIT);
    uint64_t parent_pid = 0, ids[2] = { 0, 0 }, time = 0;
    doca_error_t rc = doca_priv_apsh_pick(walk->kernel, &walk->parent,
                                          task->values[DOCA_PRIV_APSH_PART_PARENT], one,
                                          &parent_pid);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_read_cred(walk, task, ids);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_cpu_time(walk->kernel, &walk->shapes, task, limit, &time);
    if (rc == DOCA_SUCCESS) {
        /* in the order of the attributes of a process */
        const uint64_t values[] = { task->values[DOCA_PRIV_APSH_PART_PID],
                                    parent_pid,
                                    doca_priv_apsh_add_comm(list, task),
                                    time,
                                    ids[1],
                                    ids[0],
                                    task->values[DOCA_PRIV_APSH_PART_STATE] };

        doca_priv_apsh_snapshot_add_all(list->snapshot, task->at, values);
    }
    return rc;
}

/* Read the next `num` tasks of the ring. */
static doca_error_t doca_priv_apsh_next_tasks(struct doca_priv_apsh_walk_tasks *walk,
                                              struct doca_priv_apsh_task *tasks, uint32_t num)
{
    doca_error_t rc = DOCA_SUCCESS;
    uint32_t i;

    for (i = 0; i < num && rc == DOCA_SUCCESS; i++)
        rc = walk->next != walk->head
                 ? doca_priv_apsh_tasks_next(walk, DOCA_PRIV_APSH_TASK_PARTS, &tasks[i])
                 : DOCA_ERROR_NOT_FOUND;
    return rc;
}

/* Read the users and the signal_structs of a group of tasks to the cache, in one batch. */
static void doca_priv_apsh_fetch_group(const struct doca_priv_apsh_walk_tasks *walk,
                                       const struct doca_priv_apsh_task *tasks, uint32_t num)
{
    uint64_t addrs[2 * DOCA_PRIV_APSH_GROUP];
    uint32_t num_addrs = 0, i;

    for (i = 0; i < num; i++) {
        doca_priv_apsh_batch(walk->kernel,
                             tasks[i].values[DOCA_PRIV_APSH_PART_CRED] + walk->cred.first, addrs,
                             &num_addrs);
        doca_priv_apsh_batch(
            walk->kernel,
            tasks[i].values[DOCA_PRIV_APSH_PART_SIGNAL] + walk->shapes.signal.first, addrs,
            &num_addrs);
    }
    doca_priv_apsh_mem_fetch(&walk->kernel->mem, addrs, num_addrs);
}

/* Add `num` tasks to the snapshot: first the tasks that the first walk kept, then the tasks after
 * them. */
static doca_error_t doca_priv_apsh_add_tasks(struct doca_priv_apsh_list *list,
                                             struct doca_priv_apsh_walk_tasks *walk, uint32_t num)
{
    struct doca_priv_apsh_task *tasks;
    doca_error_t rc = DOCA_SUCCESS;
    uint32_t n, i, k;

    if (num > DOCA_PRIV_APSH_KEPT) {
        walk->link = walk->kept_link;
        walk->next = walk->kept_next;
    }
    for (i = 0; i < num && rc == DOCA_SUCCESS; i += n) {
        n = num - i < DOCA_PRIV_APSH_GROUP ? num - i : DOCA_PRIV_APSH_GROUP;
        tasks = walk->kept + (i < DOCA_PRIV_APSH_KEPT ? i : 0);
        if (i >= DOCA_PRIV_APSH_KEPT)
            rc = doca_priv_apsh_next_tasks(walk, tasks, n);
        if (rc == DOCA_SUCCESS)
            doca_priv_apsh_fetch_group(walk, tasks, n);
        for (k = 0; k < n && rc == DOCA_SUCCESS; k++)
            rc = doca_priv_apsh_add_task(list, walk, &tasks[k]);
    }
    return rc;
}

/* Count and read the list once. */
static doca_error_t doca_priv_apsh_read_tasks(struct doca_priv_apsh_list *list)
{
    struct doca_priv_apsh_walk_tasks walk;
    uint32_t num = 0;
    doca_error_t rc;

    doca_priv_apsh_tasks_open(list->kernel, &walk);
    rc = doca_priv_apsh_tasks_count(&walk, list->limit, &num);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_snapshot_make(list->system, DOCA_PRIV_APSH_PROCESSES, num,
                                          num * (size_t)(DOCA_PRIV_APSH_COMM + 1),
                                          &list->snapshot);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_add_tasks(list, &walk, num);
    /* the second walk read a longer ring again, and the ring may have grown meanwhile */
    return rc == DOCA_SUCCESS && num > DOCA_PRIV_APSH_KEPT && num < list->limit
               ? doca_priv_apsh_tasks_end(&walk)
               : rc;
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
