/* A sample of App Shield: open a target, and print its lists. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <doca_apsh.h>
#include <doca_apsh_attr.h>
#include <doca_log.h>

#include "../common.h"
#include "process_list.h"

DOCA_LOG_REGISTER(PROCESS_LIST::SAMPLE);

struct objects { /* NULL: not created */
    struct doca_dev *dev;
    struct doca_dev_rep *rep;
    struct doca_apsh_ctx *apsh;
    struct doca_apsh_system *system;
};

/* Open the representor with this VUID, or the first one when it is empty. */
static doca_error_t open_rep(struct doca_dev *dev, const char *wanted, struct doca_dev_rep **rep)
{
    char vuid[DOCA_DEVINFO_REP_VUID_SIZE];
    struct doca_devinfo_rep **list;
    uint32_t num, i;
    doca_error_t result;

    result = doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &num);
    if (result != DOCA_SUCCESS)
        return result;
    result = DOCA_ERROR_NOT_FOUND;
    for (i = 0; i < num && result == DOCA_ERROR_NOT_FOUND; i++)
        if (wanted[0] == '\0' ||
            (doca_devinfo_rep_get_vuid(list[i], vuid, sizeof(vuid)) == DOCA_SUCCESS &&
             strcmp(vuid, wanted) == 0))
            result = doca_dev_rep_open(list[i], rep);
    doca_devinfo_rep_destroy_list(list);
    if (result == DOCA_ERROR_NOT_FOUND)
        DOCA_LOG_ERR("The device has no such representor");
    return result;
}

/* Create a context of App Shield and a system of it, and start both. */
static doca_error_t start_system(const struct process_list_config *conf, struct objects *o)
{
    doca_error_t result;

    o->apsh = doca_apsh_create();
    if (o->apsh == NULL)
        return DOCA_ERROR_NO_MEMORY;
    result = doca_apsh_dma_dev_set(o->apsh, o->dev);
    if (result == DOCA_SUCCESS)
        result = doca_apsh_start(o->apsh);
    if (result != DOCA_SUCCESS)
        return result;
    o->system = doca_apsh_system_create(o->apsh);
    if (o->system == NULL)
        return DOCA_ERROR_NO_MEMORY;
    result = doca_apsh_sys_dev_set(o->system, o->rep);
    if (result == DOCA_SUCCESS)
        result = doca_apsh_sys_os_type_set(o->system, DOCA_APSH_SYSTEM_LINUX);
    if (result == DOCA_SUCCESS && conf->symbol_map[0] != '\0')
        result = doca_apsh_sys_os_symbol_map_set(o->system, conf->symbol_map);
    if (result == DOCA_SUCCESS && conf->memory_regions[0] != '\0')
        result = doca_apsh_sys_mem_region_set(o->system, conf->memory_regions);
    return result == DOCA_SUCCESS ? doca_apsh_system_start(o->system) : result;
}

static doca_error_t print_threads(struct doca_apsh_process *process)
{
    struct doca_apsh_thread **threads;
    int num, i;
    doca_error_t result = doca_apsh_threads_get(process, &threads, &num);

    if (result != DOCA_SUCCESS)
        return result;
    for (i = 0; i < num; i++)
        printf("  thread %u %s\n", doca_apsh_thread_info_get(threads[i], DOCA_APSH_THREAD_TID),
               doca_apsh_thread_info_get(threads[i], DOCA_APSH_THREAD_LINUX_THREAD_NAME));
    doca_apsh_threads_free(threads);
    return DOCA_SUCCESS;
}

static doca_error_t print_areas(struct doca_apsh_process *process)
{
    struct doca_apsh_vad **areas;
    const char *path;
    int num, i;
    doca_error_t result = doca_apsh_vads_get(process, &areas, &num);

    if (result != DOCA_SUCCESS)
        return result;
    for (i = 0; i < num; i++) {
        path = doca_apsh_vad_info_get(areas[i], DOCA_APSH_VMA_FILE_PATH);
        printf("  area %" PRIx64 "-%" PRIx64 " %s %s\n",
               doca_apsh_vad_info_get(areas[i], DOCA_APSH_VMA_VM_START),
               doca_apsh_vad_info_get(areas[i], DOCA_APSH_VMA_VM_END),
               doca_apsh_vad_info_get(areas[i], DOCA_APSH_VMA_PROTECTION),
               path[0] != '\0' ? path : "(no file)");
    }
    doca_apsh_vads_free(areas);
    return DOCA_SUCCESS;
}

static doca_error_t print_processes(struct doca_apsh_system *system, int pid)
{
    struct doca_apsh_process **processes;
    int num, i;
    doca_error_t result = doca_apsh_processes_get(system, &processes, &num);

    if (result != DOCA_SUCCESS)
        return result;
    printf("%d processes\n", num);
    for (i = 0; i < num && result == DOCA_SUCCESS; i++) {
        const DOCA_APSH_PROCESS_PID_TYPE number =
            doca_apsh_process_info_get(processes[i], DOCA_APSH_PROCESS_PID);

        printf("%u %u %s\n", number,
               doca_apsh_process_info_get(processes[i], DOCA_APSH_PROCESS_LINUX_UID),
               doca_apsh_process_info_get(processes[i], DOCA_APSH_PROCESS_COMM));
        if (pid == 0 || (uint32_t)pid != number)
            continue;
        result = print_threads(processes[i]);
        if (result == DOCA_SUCCESS)
            result = print_areas(processes[i]);
    }
    doca_apsh_processes_free(processes);
    return result;
}

doca_error_t process_list(const struct process_list_config *conf)
{
    struct objects o = { NULL, NULL, NULL, NULL };
    doca_error_t result = open_device(conf->pci_addr, NULL, &o.dev);

    if (result == DOCA_SUCCESS)
        result = open_rep(o.dev, conf->vuid, &o.rep);
    if (result == DOCA_SUCCESS)
        result = start_system(conf, &o);
    if (result == DOCA_SUCCESS)
        result = print_processes(o.system, conf->pid);
    if (result != DOCA_SUCCESS)
        DOCA_LOG_ERR("Cannot list the processes: %s", doca_error_get_name(result));
    if (o.system != NULL)
        doca_apsh_system_destroy(o.system);
    if (o.apsh != NULL)
        doca_apsh_destroy(o.apsh);
    if (o.rep != NULL)
        (void)doca_dev_rep_close(o.rep);
    if (o.dev != NULL)
        (void)doca_dev_close(o.dev);
    return result;
}
