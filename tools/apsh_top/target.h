/* The target of tools/apsh_top.c is a file with the memory of a machine. The software device reads
 * the file as the memory of its first representor. Without a file, the target is the first
 * representor of the devices that the environment describes. All objects of the library lie in one
 * static arena. */
#ifndef APSH_TOP_TARGET_H
#define APSH_TOP_TARGET_H

#include "text.h"

#include <fcntl.h>
#include <sys/stat.h>

/* Maximum numbers of rows. A longer list ends there. */
#define MAX_PROCESSES 16384
#define MAX_MODULES 4096
#define MAX_THREADS_OF_ONE 4096

static DOCA_CORE_ALIGNED unsigned char
    memory[DOCA_CORE_BYTES_APSH_START(DOCA_CORE_APSH_CACHE_PAGES) + DOCA_CORE_BYTES_APSH_CTX(1) +
           DOCA_CORE_BYTES_APSH_SYSTEM(1) + DOCA_CORE_BYTES_APSH_PROCESSES(MAX_PROCESSES) +
           DOCA_CORE_BYTES_APSH_THREADS(MAX_THREADS_OF_ONE) +
           DOCA_CORE_BYTES_APSH_MODULES(MAX_MODULES) +
           (1u << 20)]; /* 1 MiB: the device, its representor and lists of them */

struct target {
    const char *path;  /* of the file; NULL: the environment describes the device */
    char name[256];    /* for messages and headings */
    int fd;            /* of the file, or -1 */
    uint64_t num_bytes, split;
    long qemu;         /* number of the process of QEMU, or 0 */
    int qemu_fd;       /* file with its command line, empty when the process has ended; or -1 */
    struct doca_dev_rep *rep;
    struct doca_apsh_ctx *ctx;
    struct doca_apsh_system *system; /* NULL when it could not be started */
};

/* End the tool when a call of the library for devices failed. */
static void check(const struct target *target, doca_error_t rc)
{
    if (rc != DOCA_SUCCESS)
        die(NO_LIST, "%s: %s", target->name, doca_core_last_error());
}

/* Open the file, and describe a DPU whose host has the file as its memory. The library opens it by
 * the descriptor: paths of any length and with blanks are accepted that way. */
static void target_file(struct target *target)
{
    struct stat file;
    char text[160];

    target->fd = open(target->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (target->fd < 0 || fstat(target->fd, &file) != 0)
        die(NO_FILE, "%s: %s", target->path, strerror(errno));
    if (!S_ISREG(file.st_mode))
        die(NO_FILE, "%s: not a regular file", target->path);
    if (file.st_size == 0)
        die(NO_FILE, "%s: the file is empty", target->path);
    if ((uint64_t)file.st_size < target->num_bytes)
        die(NO_FILE, "%s: the file is truncated: it has %lld of %llu bytes", target->path,
            (long long)file.st_size, (unsigned long long)target->num_bytes);
    target->num_bytes = (uint64_t)file.st_size;
    clean_copy(target->name, sizeof(target->name), target->path);
    snprintf(text, sizeof(text),
             "03:00.0 side=dpu; 0b:00.0 side=host rep=03:00.0 ram=/proc/self/fd/%d ram_split=%llu",
             target->fd, (unsigned long long)target->split);
    check(target, doca_core_sw_set_topology(text));
}

/* Open the first representor of the first device that has one. */
static void target_device(struct target *target)
{
    struct doca_devinfo_rep **reps;
    struct doca_devinfo **list;
    uint32_t num = 0, num_reps = 0, i;
    struct doca_dev *dev = NULL;

    check(target, doca_devinfo_create_list(&list, &num));
    for (i = 0; i < num && num_reps == 0; i++) {
        check(target, doca_dev_open(list[i], &dev));
        if (doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &num_reps) !=
            DOCA_SUCCESS)
            num_reps = 0;
        if (num_reps == 0)
            check(target, doca_dev_close(dev));
    }
    if (num_reps == 0)
        die(NO_LIST, "%s: no device has a representor (DOCA_CORE_SIDE must not be host)",
            target->name);
    check(target, doca_dev_rep_open(reps[0], &target->rep));
    if (target->path == NULL)
        (void)doca_devinfo_rep_get_pci_addr_str(reps[0], target->name);
    check(target, doca_devinfo_rep_destroy_list(reps));
    check(target, doca_devinfo_destroy_list(list));
    target->ctx = doca_apsh_create();
    check(target, target->ctx != NULL ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY);
    check(target, doca_apsh_dma_dev_set(target->ctx, dev));
    check(target, doca_apsh_start(target->ctx));
}

/* Find the kernel of the target. Returns false, with the reason in doca_core_last_error(). */
static bool target_start(struct target *target)
{
    struct doca_apsh_system *system;
    doca_error_t rc;

    doca_apsh_system_destroy(target->system);
    target->system = NULL;
    system = doca_apsh_system_create(target->ctx);
    rc = system != NULL ? DOCA_SUCCESS : DOCA_ERROR_NO_MEMORY;
    if (rc == DOCA_SUCCESS)
        rc = doca_apsh_sys_dev_set(system, target->rep);
    if (rc == DOCA_SUCCESS)
        rc = doca_apsh_sys_os_type_set(system, DOCA_APSH_SYSTEM_LINUX);
    if (rc == DOCA_SUCCESS)
        rc = doca_apsh_sys_config(system, DOCA_APSH_PROCESS_LIMIT, MAX_PROCESSES);
    if (rc == DOCA_SUCCESS)
        rc = doca_apsh_sys_config(system, DOCA_APSH_THREADS_LIMIT, MAX_THREADS_OF_ONE);
    if (rc == DOCA_SUCCESS)
        rc = doca_apsh_sys_config(system, DOCA_APSH_MODULES_LIMIT, MAX_MODULES);
    if (rc == DOCA_SUCCESS)
        rc = doca_apsh_system_start(system);
    if (rc == DOCA_SUCCESS)
        target->system = system;
    else
        doca_apsh_system_destroy(system);
    return rc == DOCA_SUCCESS;
}

static void target_open(struct target *target)
{
    static struct doca_core_arena arena;

    check(target, doca_core_log_set_level(DOCA_CORE_LOG_DISABLE)); /* the tool prints the reasons */
    check(target, doca_core_arena_init(&arena, memory, sizeof(memory)));
    check(target, doca_core_arena_bind(&arena));
    if (target->path != NULL)
        target_file(target);
    target_device(target);
    if (!target_start(target))
        die(NO_LIST, "%s: %s", target->name, doca_core_last_error());
}

/* End the tool when the target has ended, or its file is no longer as long as it was. */
static void target_is_alive(const struct target *target)
{
    struct stat file;
    char byte;

    if (target->qemu_fd >= 0 && pread(target->qemu_fd, &byte, 1, 0) <= 0)
        die(TARGET_ENDED, "%s: the target ended: QEMU's process %ld is gone", target->name,
            target->qemu);
    if (target->fd < 0 || fstat(target->fd, &file) != 0)
        return;
    if (file.st_nlink == 0)
        die(TARGET_ENDED, "%s: the target ended: the file was removed", target->name);
    if ((uint64_t)file.st_size < target->num_bytes)
        die(NO_FILE, "%s: the file was truncated to %lld bytes", target->name,
            (long long)file.st_size);
}

#endif
