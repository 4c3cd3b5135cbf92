/* ---- >>impl.apsh.field -----------------------------------------------------------------------
 * Members of the kernel's structures, and rings and lists of these structures. Each structure of a
 * ring must point back to the structure before it. Therefore a walk cannot be caught in a loop that
 * does not contain the head of the ring.                                                        */
#include "compat/apsh/field_priv.h"

#include "compat/apsh/attr.h"
#include "compat/apsh/bytes_priv.h"
#include "compat/apsh/config.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/layout_priv.h"
#include "compat/apsh/mem_priv.h"
#include "compat/apsh/object_priv.h"
#include "compat/apsh/platform_priv.h"
#include "compat/apsh/snapshot_priv.h"
#include "compat/apsh/walk_priv.h"

DOCA_PRIV_DECL bool doca_priv_apsh_has(const struct doca_priv_apsh_kernel *kernel,
                                       enum doca_priv_apsh_member member)
{
    return kernel->offsets[member] >= 0;
}

/* Return the address of a member. */
DOCA_PRIV_DECL uint64_t doca_priv_apsh_in(const struct doca_priv_apsh_kernel *kernel,
                                          uint64_t object, enum doca_priv_apsh_member member)
{
    return object + (uint64_t)(int64_t)kernel->offsets[member];
}

/* Read a pointer or another 64-bit number of the kernel. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_read_64(struct doca_priv_apsh_kernel *kernel,
                                                   uint64_t addr, uint64_t *value)
{
    unsigned char bytes[8];
    doca_error_t rc = doca_priv_apsh_read(kernel, addr, bytes, sizeof(bytes));

    if (rc == DOCA_SUCCESS)
        *value = doca_priv_apsh_u64(bytes);
    return rc;
}

/* Read a member of 64 bits. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_get_64(struct doca_priv_apsh_kernel *kernel,
                                                  uint64_t object,
                                                  enum doca_priv_apsh_member member,
                                                  uint64_t *value)
{
    return doca_priv_apsh_read_64(kernel, doca_priv_apsh_in(kernel, object, member), value);
}

/* Read a member of 32 bits. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_get_32(struct doca_priv_apsh_kernel *kernel,
                                                  uint64_t object,
                                                  enum doca_priv_apsh_member member,
                                                  uint32_t *value)
{
    unsigned char bytes[4];
    doca_error_t rc = doca_priv_apsh_read(kernel, doca_priv_apsh_in(kernel, object, member), bytes,
                                          sizeof(bytes));

    if (rc == DOCA_SUCCESS)
        *value = doca_priv_apsh_u32(bytes);
    return rc;
}

/* Read the name of a task, and end it with a NUL. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_get_comm(struct doca_priv_apsh_kernel *kernel,
                                                    uint64_t task,
                                                    char comm[DOCA_PRIV_APSH_COMM + 1])
{
    comm[DOCA_PRIV_APSH_COMM] = '\0';
    return doca_priv_apsh_read(kernel, doca_priv_apsh_in(kernel, task, DOCA_PRIV_APSH_TASK_COMM),
                               comm, DOCA_PRIV_APSH_COMM);
}

/* Add an address of the kernel to a batch, which must have room. Addresses that are not
 * mapped, and addresses in recently accessed blocks, are left out. */
DOCA_PRIV_DECL void doca_priv_apsh_batch(struct doca_priv_apsh_kernel *kernel, uint64_t addr,
                                         uint64_t *addrs, uint32_t *num)
{
    if (!doca_priv_apsh_is_near(kernel, addr) &&
        doca_priv_apsh_translate(kernel, addr, &addrs[*num]) == DOCA_SUCCESS)
        ++*num;
}

/* Read the blocks that contain these members of a structure, in one batch. */
DOCA_PRIV_DECL void doca_priv_apsh_fetch(struct doca_priv_apsh_kernel *kernel, uint64_t object,
                                         const uint8_t *members, uint32_t num)
{
    uint64_t addrs[DOCA_PRIV_APSH_BATCH];
    uint32_t num_addrs = 0, i;

    for (i = 0; i < num && i < DOCA_PRIV_APSH_BATCH; i++)
        if (doca_priv_apsh_has(kernel, (enum doca_priv_apsh_member)members[i]))
            doca_priv_apsh_batch(
                kernel, doca_priv_apsh_in(kernel, object, (enum doca_priv_apsh_member)members[i]),
                addrs, &num_addrs);
    doca_priv_apsh_mem_fetch(&kernel->mem, addrs, num_addrs);
}

/* Move *object to the next structure of the ring. NOT_FOUND: that structure does not point back.
 * The value 0 stands for the head of the ring, before the first structure and after the last. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_ring_next(struct doca_priv_apsh_kernel *kernel,
                                                     const struct doca_priv_apsh_ring *ring,
                                                     uint64_t *object)
{
    const uint64_t link =
        *object == 0 ? ring->head : doca_priv_apsh_in(kernel, *object, ring->link);
    uint64_t next = 0, back = 0;
    doca_error_t rc = doca_priv_apsh_read_64(kernel, link, &next);

    if (rc != DOCA_SUCCESS)
        return rc;
    *object = 0;
    if (next != ring->head) {
        *object = next - (uint64_t)(int64_t)kernel->offsets[ring->link];
        doca_priv_apsh_fetch(kernel, *object, ring->members, ring->num_members);
    }
    rc = doca_priv_apsh_read_64(kernel, next + sizeof(next), &back);
    return rc == DOCA_SUCCESS && back != link ? DOCA_ERROR_NOT_FOUND : rc;
}

/* Count the structures of a ring, up to the limit. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_ring_count(struct doca_priv_apsh_kernel *kernel,
                                                      const struct doca_priv_apsh_ring *ring,
                                                      uint32_t limit, uint32_t *num)
{
    doca_error_t rc = DOCA_SUCCESS;
    uint64_t object = 0;

    for (*num = 0; *num < limit; ++*num) {
        rc = doca_priv_apsh_ring_next(kernel, ring, &object);
        if (rc != DOCA_SUCCESS || object == 0)
            break;
    }
    return rc;
}

/* Report that the kernel lacks a symbol or member that a list needs. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_lacks(const char *what, const char *function)
{
    struct doca_core_refusal why;

    memset(&why, 0, sizeof(why));
    why.hint = what;
    return doca_core_backend_refuse(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_LAYOUT, function,
                                    NULL, &why);
}

/* Check that the kernel has all these members. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_need(const struct doca_priv_apsh_kernel *kernel,
                                                const uint8_t *members, size_t num,
                                                const char *function)
{
    size_t i;

    for (i = 0; i < num; i++)
        if (!doca_priv_apsh_has(kernel, (enum doca_priv_apsh_member)members[i]))
            return doca_priv_apsh_lacks(doca_priv_apsh_layout_name(members[i]), function);
    return DOCA_SUCCESS;
}

/* Begin a list of a system or of a process. `limit`: attribute with the maximum number of items. */
DOCA_PRIV_DECL void doca_priv_apsh_list_begin(struct doca_priv_apsh_list *list,
                                              struct doca_apsh_system *system,
                                              const struct doca_apsh_process *process, int limit)
{
    if (process != NULL)
        system = ((const struct doca_priv_apsh_element *)(const void *)process)->snapshot->system;
    list->system = system;
    list->kernel = system->kernel;
    list->process = process;
    list->snapshot = NULL;
    list->limit = DOCA_PRIV_APSH_LIMIT(system, limit);
    list->budget = DOCA_CORE_APSH_LIST_READS(list->limit);
}

/* Return an attribute of the process whose list is read. */
DOCA_PRIV_DECL uint64_t doca_priv_apsh_list_value(const struct doca_priv_apsh_list *list, int attr)
{
    return (uintptr_t)doca_priv_apsh_get(list->process, DOCA_PRIV_APSH_PROCESSES, attr, NULL);
}

/* Get the task of the process. BAD_STATE: it has ended, and another task may have its memory. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_list_task(struct doca_priv_apsh_list *list,
                                                     uint64_t *task)
{
    static const uint8_t members[] = { DOCA_PRIV_APSH_TASK_PID, DOCA_PRIV_APSH_TASK_SIGNAL,
                                       DOCA_PRIV_APSH_TASK_MM };
    const uint64_t wanted = doca_priv_apsh_list_value(list, DOCA_APSH_PROCESS_PID);
    uint32_t pid = 0, tgid = 0;
    doca_error_t rc;

    *task = ((const struct doca_priv_apsh_element *)(const void *)list->process)->at;
    doca_priv_apsh_fetch(list->kernel, *task, members, sizeof(members));
    rc = doca_priv_apsh_get_32(list->kernel, *task, DOCA_PRIV_APSH_TASK_PID, &pid);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_get_32(list->kernel, *task, DOCA_PRIV_APSH_TASK_TGID, &tgid);
    return rc == DOCA_SUCCESS && (pid != wanted || tgid != wanted) ? DOCA_ERROR_BAD_STATE : rc;
}

/* Copy a string, cut to the limit of the system, to the snapshot. Returns it as the value of an
 * attribute. */
DOCA_PRIV_DECL uint64_t doca_priv_apsh_list_text(const struct doca_priv_apsh_list *list,
                                                 const char *text)
{
    const size_t room = DOCA_PRIV_APSH_LIMIT(list->system, DOCA_APSH_STRING_LIMIT) - 1u;
    const size_t len = strlen(text);

    return (uintptr_t)doca_priv_apsh_text(list->snapshot, text, len < room ? len : room);
}

/* Copy the name of the process to the snapshot. Returns it as the value of an attribute. */
DOCA_PRIV_DECL uint64_t doca_priv_apsh_list_name(const struct doca_priv_apsh_list *list)
{
    return doca_priv_apsh_list_text(
        list,
        (const char *)(uintptr_t)doca_priv_apsh_list_value(list, DOCA_APSH_PROCESS_COMM));
}

/* Report why a list could not be read. Returns the error of the call. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_list_fail(const struct doca_priv_apsh_list *list,
                                                     doca_error_t rc, const char *function)
{
    if (rc == DOCA_ERROR_NOT_FOUND)
        return DOCA_PRIV_APSH_FAIL(INITIALIZATION, APSH_TORN, function);
    if (rc == DOCA_ERROR_BAD_STATE)
        return DOCA_PRIV_APSH_FAIL(INITIALIZATION, APSH_ENDED, function);
    if (rc == DOCA_ERROR_IO_FAILED)
        return list->kernel->mem.budget == 0
                   ? DOCA_PRIV_APSH_FAIL(INITIALIZATION, APSH_BUDGET, function)
                   : DOCA_PRIV_APSH_FAIL(IO_FAILED, APSH_READ, function);
    return rc;
}

/* Read a list. When it changed or is damaged, read it again, up to DOCA_CORE_APSH_TRIES times. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_list_read(
    struct doca_priv_apsh_list *list, doca_error_t (*read)(struct doca_priv_apsh_list *list),
    const char *function)
{
    doca_error_t rc = DOCA_ERROR_NOT_FOUND;
    unsigned i;

    for (i = 0; i < DOCA_CORE_APSH_TRIES && rc == DOCA_ERROR_NOT_FOUND; i++) {
        doca_priv_apsh_mem_begin(&list->kernel->mem, list->budget);
        rc = read(list);
        if (rc != DOCA_SUCCESS && list->snapshot != NULL) {
            doca_priv_apsh_snapshot_end(list->snapshot);
            list->snapshot = NULL;
        }
    }
    return doca_priv_apsh_list_fail(list, rc, function);
}
