/* Print the lists of App Shield for the first representor, in the form of tools/apsh-guest:
 *     apsh_list [symbols.json | - [mem_regions.json | - [kpgd_file.conf | - [hash.zip]]]]
 * With hash.zip the processes are attested: "attestation PID PAGES PRESENT MATCHING DATA PATH" for
 * each area, where DATA is 1 when the zip file has a copy of its file. A list that the library does
 * not have is the line "without NAME". The log of the library goes to the standard error.
 * Exit status: 0, or 1. */
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#define DOCA_CORE_APSH_IMPLEMENTATION
#include "tools/compat/doca_core_apsh.h"

#include <stdio.h>
#include <stdlib.h>

static DOCA_CORE_ALIGNED unsigned char memory[64 << 20];

static void sink(uint32_t level, enum doca_core_item item, const char *line, void *user)
{
    (void)level;
    (void)item;
    (void)user;
    fprintf(stderr, "%s\n", line);
}

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", doca_core_last_error());
        exit(1);
    }
}

/* True when the list is there; otherwise its absence is printed. */
static int has(doca_error_t rc, const char *name)
{
    static const char *last;

    if (rc != DOCA_ERROR_NOT_SUPPORTED) {
        check(rc);
        return 1;
    }
    if (last != name)
        printf("without %s\n", name);
    last = name;
    return 0;
}

static void print_modules(struct doca_apsh_system *system)
{
    struct doca_apsh_module **list = NULL;
    int num = 0, i;

    if (!has(doca_apsh_modules_get(system, &list, &num), "modules"))
        return;
    for (i = 0; i < num; i++)
        printf("module %s %u\n", doca_apsh_module_info_get(list[i], DOCA_APSH_MODULES_NAME),
               doca_apsh_module_info_get(list[i], DOCA_APSH_MODULES_SIZE));
    doca_apsh_module_free(list);
}

static void print_threads(struct doca_apsh_process *process)
{
    struct doca_apsh_thread **list = NULL;
    int num = 0, i;

    if (!has(doca_apsh_threads_get(process, &list, &num), "threads"))
        return;
    for (i = 0; i < num; i++)
        printf("thread %u %u %s\n", doca_apsh_thread_info_get(list[i], DOCA_APSH_THREAD_PID),
               doca_apsh_thread_info_get(list[i], DOCA_APSH_THREAD_TID),
               doca_apsh_thread_info_get(list[i], DOCA_APSH_THREAD_LINUX_THREAD_NAME));
    doca_apsh_threads_free(list);
}

static void print_areas(struct doca_apsh_process *process)
{
    struct doca_apsh_vad **list = NULL;
    int num = 0, i;

    if (!has(doca_apsh_vads_get(process, &list, &num), "areas"))
        return;
    for (i = 0; i < num; i++)
        printf("area %u %08llx-%08llx %s 0 %s\n",
               doca_apsh_vad_info_get(list[i], DOCA_APSH_VMA_PID),
               (unsigned long long)doca_apsh_vad_info_get(list[i], DOCA_APSH_VMA_VM_START),
               (unsigned long long)doca_apsh_vad_info_get(list[i], DOCA_APSH_VMA_VM_END),
               doca_apsh_vad_info_get(list[i], DOCA_APSH_VMA_PROTECTION),
               doca_apsh_vad_info_get(list[i], DOCA_APSH_VMA_FILE_PATH));
    doca_apsh_vads_free(list);
}

static void print_attestation(struct doca_apsh_process *process, const char *zip)
{
    struct doca_apsh_attestation **list = NULL;
    int num = 0, i;

    check(doca_apsh_attestation_get(process, zip, &list, &num));
    for (i = 0; i < num; i++)
        printf("attestation %u %d %d %d %d %s\n",
               doca_apsh_attst_info_get(list[i], DOCA_APSH_ATTESTATION_PID),
               doca_apsh_attst_info_get(list[i], DOCA_APSH_ATTESTATION_PAGES_NUMBER),
               doca_apsh_attst_info_get(list[i], DOCA_APSH_ATTESTATION_PAGES_PRESENT),
               doca_apsh_attst_info_get(list[i], DOCA_APSH_ATTESTATION_MATCHING_HASHES),
               doca_apsh_attst_info_get(list[i], DOCA_APSH_ATTESTATION_HASH_DATA_IS_PRESENT),
               doca_apsh_attst_info_get(list[i], DOCA_APSH_ATTESTATION_PATH_OF_MEMORY_AREA));
    doca_apsh_attestation_free(list);
}

static void print_attestations(struct doca_apsh_system *system, const char *zip)
{
    struct doca_apsh_process **list = NULL;
    int num = 0, i;

    check(doca_apsh_processes_get(system, &list, &num));
    for (i = 0; i < num; i++)
        print_attestation(list[i], zip);
    doca_apsh_processes_free(list);
}

static void print_all(struct doca_apsh_system *system)
{
    struct doca_apsh_process **list = NULL;
    int num = 0, i;

    check(doca_apsh_processes_get(system, &list, &num));
    for (i = 0; i < num; i++)
        printf("process %u %u %u %u 0 %s\n",
               doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_PID),
               doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_PPID),
               doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_LINUX_UID),
               doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_LINUX_GID),
               doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_COMM));
    print_modules(system);
    for (i = 0; i < num; i++)
        print_threads(list[i]);
    for (i = 0; i < num; i++)
        print_areas(list[i]);
    doca_apsh_processes_free(list);
}

int main(int argc, char **argv)
{
    struct doca_devinfo_rep **reps;
    struct doca_core_apsh_stats stats;
    struct doca_apsh_system *system;
    struct doca_core_arena arena;
    struct doca_devinfo **list;
    struct doca_dev_rep *rep;
    struct doca_apsh_ctx *ctx;
    struct doca_dev *dev;
    uint32_t num;

    doca_core_log_set_sink(sink, NULL);
    check(doca_core_log_set_level(DOCA_CORE_LOG_WARNING));
    check(doca_core_arena_init(&arena, memory, sizeof(memory)));
    check(doca_core_arena_bind(&arena));
    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], &dev));
    check(doca_devinfo_destroy_list(list));
    check(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &num));
    check(doca_dev_rep_open(reps[0], &rep));
    check(doca_devinfo_rep_destroy_list(reps));
    ctx = doca_apsh_create();
    check(doca_apsh_dma_dev_set(ctx, dev));
    check(doca_apsh_start(ctx));
    system = doca_apsh_system_create(ctx);
    check(doca_apsh_sys_dev_set(system, rep));
    check(doca_apsh_sys_os_type_set(system, DOCA_APSH_SYSTEM_LINUX));
    if (argc > 1 && argv[1][0] != '-')
        check(doca_apsh_sys_os_symbol_map_set(system, argv[1]));
    if (argc > 2 && argv[2][0] != '-')
        check(doca_apsh_sys_mem_region_set(system, argv[2]));
    if (argc > 3 && argv[3][0] != '-')
        check(doca_apsh_sys_kpgd_file_set(system, argv[3]));
    check(doca_apsh_system_start(system));
    check(doca_core_apsh_sys_get_stats(system, &stats));
    printf("reads %llu\n", (unsigned long long)stats.num_tasks);
    print_all(system);
    if (argc > 4)
        print_attestations(system, argv[4]);
    doca_apsh_system_destroy(system);
    doca_apsh_destroy(ctx);
    check(doca_dev_rep_close(rep));
    check(doca_dev_close(dev));
    return 0;
}
