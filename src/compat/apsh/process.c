/* ---- >>impl.apsh.process ---------------------------------------------------------------------
 * The list of processes: a ring of tasks that begins with the first task, which is the idle task
 * and is left out. A first walk counts the tasks, so that the block of the snapshot has the
 * right size; the second reads the cache. Both end at the limit of the system, and each task
 * must point back to the one before it. When the ring changed meanwhile, or is damaged, it is
 * walked again. */
#include "compat/apsh/process_priv.h"

#include "compat/apsh/attr.h"
#include "compat/apsh/bytes_priv.h"
#include "compat/apsh/config.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/mem_priv.h"
#include "compat/apsh/object.h"
#include "compat/apsh/object_priv.h"
#include "compat/apsh/platform_priv.h"
#include "compat/apsh/snapshot_priv.h"
#include "compat/apsh/walk_priv.h"

#define DOCA_PRIV_APSH_COMM 16u /* bytes of the name of a task */

/* Read a pointer, or another number of 64 bits, of the kernel. */
static doca_error_t doca_priv_apsh_read_64(struct doca_priv_apsh_kernel *kernel, uint64_t addr,
                                           uint64_t *value)
{
    unsigned char bytes[8];
    doca_error_t rc = doca_priv_apsh_read(kernel, addr, bytes, sizeof(bytes));

    if (rc == DOCA_SUCCESS)
        *value = doca_priv_apsh_u64(bytes);
    return rc;
}

static doca_error_t doca_priv_apsh_read_32(struct doca_priv_apsh_kernel *kernel, uint64_t addr,
                                           uint32_t *value)
{
    unsigned char bytes[4];
    doca_error_t rc = doca_priv_apsh_read(kernel, addr, bytes, sizeof(bytes));

    if (rc == DOCA_SUCCESS)
        *value = doca_priv_apsh_u32(bytes);
    return rc;
}

/* Return the address of a member. */
static uint64_t doca_priv_apsh_in(const struct doca_priv_apsh_kernel *kernel, uint64_t object,
                                  enum doca_priv_apsh_member member)
{
    return object + (uint64_t)(int64_t)kernel->offsets[member];
}

/* Read the pages with these members of a task in one batch. */
static void doca_priv_apsh_fetch_task(struct doca_priv_apsh_kernel *kernel, uint64_t task)
{
    static const uint8_t members[] = { DOCA_PRIV_APSH_TASK_TASKS, DOCA_PRIV_APSH_TASK_PID,
                                       DOCA_PRIV_APSH_TASK_COMM,  DOCA_PRIV_APSH_TASK_CRED,
                                       DOCA_PRIV_APSH_TASK_STATE, DOCA_PRIV_APSH_TASK_UTIME,
                                       DOCA_PRIV_APSH_TASK_SIGNAL };
    uint64_t addrs[sizeof(members)];
    uint32_t num = 0;
    size_t i;

    for (i = 0; i < sizeof(members); i++)
        if (doca_priv_apsh_translate(
                kernel, doca_priv_apsh_in(kernel, task, (enum doca_priv_apsh_member)members[i]),
                &addrs[num]) == DOCA_SUCCESS)
            num++;
    doca_priv_apsh_mem_fetch(&kernel->mem, addrs, num);
}

/* Move *task to the next one of the ring, if that points back. */
static doca_error_t doca_priv_apsh_next_task(struct doca_priv_apsh_kernel *kernel, uint64_t *task)
{
    const uint64_t link = doca_priv_apsh_in(kernel, *task, DOCA_PRIV_APSH_TASK_TASKS);
    uint64_t next = 0, back = 0;
    doca_error_t rc = doca_priv_apsh_read_64(kernel, link, &next);

    if (rc != DOCA_SUCCESS)
        return rc;
    *task = next - (uint64_t)(int64_t)kernel->offsets[DOCA_PRIV_APSH_TASK_TASKS];
    doca_priv_apsh_fetch_task(kernel, *task);
    rc = doca_priv_apsh_read_64(kernel, next + sizeof(next), &back);
    return rc == DOCA_SUCCESS && back != link ? DOCA_ERROR_NOT_FOUND : rc;
}

/* Count the tasks of the ring, up to the limit. */
static doca_error_t doca_priv_apsh_count_tasks(struct doca_priv_apsh_kernel *kernel, uint32_t limit,
                                               uint32_t *num)
{
    const uint64_t first = kernel->symbols[DOCA_PRIV_APSH_INIT_TASK];
    uint64_t task = first;
    doca_error_t rc = DOCA_SUCCESS;

    for (*num = 0; *num < limit; ++*num) {
        rc = doca_priv_apsh_next_task(kernel, &task);
        if (rc != DOCA_SUCCESS || task == first)
            break;
    }
    return rc;
}

/* Read the user and group of a task. */
static doca_error_t doca_priv_apsh_read_cred(struct doca_priv_apsh_kernel *kernel, uint64_t task,
                                             uint32_t *uid, uint32_t *gid)
{
    uint64_t cred = 0;
    doca_error_t rc = doca_priv_apsh_read_64(
        kernel, doca_priv_apsh_in(kernel, task, DOCA_PRIV_APSH_TASK_CRED), &cred);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_read_32(
            kernel, doca_priv_apsh_in(kernel, cred, DOCA_PRIV_APSH_CRED_UID), uid);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_read_32(
            kernel, doca_priv_apsh_in(kernel, cred, DOCA_PRIV_APSH_CRED_GID), gid);
    return rc;
}

/* Sum up the CPU time of the first thread of a process and of its threads that have ended, in
 * nanoseconds. */
static doca_error_t doca_priv_apsh_read_time(struct doca_priv_apsh_kernel *kernel, uint64_t task,
                                             uint64_t *time)
{
    uint64_t part = 0, signal = 0, addrs[4];
    doca_error_t rc = doca_priv_apsh_read_64(
        kernel, doca_priv_apsh_in(kernel, task, DOCA_PRIV_APSH_TASK_SIGNAL), &signal);
    size_t i;

    addrs[0] = doca_priv_apsh_in(kernel, task, DOCA_PRIV_APSH_TASK_UTIME);
    addrs[1] = doca_priv_apsh_in(kernel, task, DOCA_PRIV_APSH_TASK_STIME);
    addrs[2] = doca_priv_apsh_in(kernel, signal, DOCA_PRIV_APSH_SIGNAL_UTIME);
    addrs[3] = doca_priv_apsh_in(kernel, signal, DOCA_PRIV_APSH_SIGNAL_STIME);
    *time = 0;
    for (i = 0; i < 4 && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_read_64(kernel, addrs[i], &part);
        *time += part;
    }
    return rc;
}

/* Read all attributes of a task into a new element. */
static doca_error_t doca_priv_apsh_add_task(struct doca_priv_apsh_kernel *kernel,
                                            struct doca_priv_apsh_snapshot *snapshot, uint64_t task)
{
    const size_t room = (size_t)snapshot->system->set.limits[DOCA_APSH_STRING_LIMIT -
                                                             DOCA_APSH_HASHTEST_LIMIT] - 1;
    struct doca_priv_apsh_element *element;
    uint32_t pid = 0, parent_pid = 0, state = 0, uid = 0, gid = 0;
    char comm[DOCA_PRIV_APSH_COMM + 1];
    uint64_t parent = 0, time = 0;
    doca_error_t rc;

    memset(comm, 0, sizeof(comm));
    rc = doca_priv_apsh_read_32(kernel, doca_priv_apsh_in(kernel, task, DOCA_PRIV_APSH_TASK_PID),
                                &pid);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_read(kernel, doca_priv_apsh_in(kernel, task, DOCA_PRIV_APSH_TASK_COMM),
                                 comm, DOCA_PRIV_APSH_COMM);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_read_32(
            kernel, doca_priv_apsh_in(kernel, task, DOCA_PRIV_APSH_TASK_STATE), &state);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_read_64(
            kernel, doca_priv_apsh_in(kernel, task, DOCA_PRIV_APSH_TASK_PARENT), &parent);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_read_32(
            kernel, doca_priv_apsh_in(kernel, parent, DOCA_PRIV_APSH_TASK_TGID), &parent_pid);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_read_cred(kernel, task, &uid, &gid);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_read_time(kernel, task, &time);
    if (rc != DOCA_SUCCESS)
        return rc;
    element = doca_priv_apsh_snapshot_add(snapshot, task);
    doca_priv_apsh_set(element, DOCA_APSH_PROCESS_PID, pid);
    doca_priv_apsh_set(element, DOCA_APSH_PROCESS_PPID, parent_pid);
    doca_priv_apsh_set(element, DOCA_APSH_PROCESS_COMM,
                       (uintptr_t)doca_priv_apsh_text(
                           snapshot, comm, strlen(comm) < room ? strlen(comm) : room));
    doca_priv_apsh_set(element, DOCA_APSH_PROCESS_CPU_TIME, time * 1000); /* picoseconds */
    doca_priv_apsh_set(element, DOCA_APSH_PROCESS_LINUX_GID, gid);
    doca_priv_apsh_set(element, DOCA_APSH_PROCESS_LINUX_UID, uid);
    doca_priv_apsh_set(element, DOCA_APSH_PROCESS_LINUX_STATE, state);
    return DOCA_SUCCESS;
}

/* Read the list once. */
static doca_error_t doca_priv_apsh_read_tasks(struct doca_apsh_system *system,
                                              struct doca_priv_apsh_snapshot **snapshot)
{
    struct doca_priv_apsh_kernel *kernel = system->kernel;
    const int limit = system->set.limits[DOCA_APSH_PROCESS_LIMIT - DOCA_APSH_HASHTEST_LIMIT];
    uint64_t task = kernel->symbols[DOCA_PRIV_APSH_INIT_TASK];
    uint32_t num = 0, i;
    doca_error_t rc;

    doca_priv_apsh_mem_begin(&kernel->mem, DOCA_CORE_APSH_LIST_READS(limit));
    rc = doca_priv_apsh_count_tasks(kernel, (uint32_t)limit, &num);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_snapshot_make(system, DOCA_PRIV_APSH_PROCESSES, num,
                                          num * (size_t)(DOCA_PRIV_APSH_COMM + 1), snapshot);
    if (rc != DOCA_SUCCESS)
        return rc;
    for (i = 0; i < num && rc == DOCA_SUCCESS; i++) {
        rc = doca_priv_apsh_next_task(kernel, &task);
        if (rc == DOCA_SUCCESS)
            rc = doca_priv_apsh_add_task(kernel, *snapshot, task);
    }
    if (rc != DOCA_SUCCESS)
        doca_priv_apsh_snapshot_end(*snapshot);
    return rc;
}

/* Read the list of processes; again, up to DOCA_CORE_APSH_TRIES times, when it is not sound. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_processes(struct doca_apsh_system *system,
                                                     struct doca_priv_apsh_snapshot **snapshot,
                                                     const char *function)
{
    doca_error_t rc = DOCA_ERROR_NOT_FOUND;
    unsigned i;

    for (i = 0; i < DOCA_CORE_APSH_TRIES && rc == DOCA_ERROR_NOT_FOUND; i++)
        rc = doca_priv_apsh_read_tasks(system, snapshot);
    if (rc == DOCA_ERROR_NOT_FOUND)
        return DOCA_PRIV_APSH_FAIL(INITIALIZATION, APSH_TORN, function);
    if (rc == DOCA_ERROR_IO_FAILED)
        return system->kernel->mem.budget == 0
                   ? DOCA_PRIV_APSH_FAIL(INITIALIZATION, APSH_BUDGET, function)
                   : DOCA_PRIV_APSH_FAIL(IO_FAILED, APSH_READ, function);
    return rc;
}
