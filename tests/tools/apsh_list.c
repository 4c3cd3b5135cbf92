/* Print the lists of App Shield for the first representor, in the form of tools/apsh-guest:
 *     apsh_list [symbols.json | - [mem_regions.json | - [kpgd_file.conf | - [hash.zip]]]]
 * With hash.zip the processes are attested: "attestation PID PAGES PRESENT MATCHING DATA PATH" for
 * each area, where DATA is 1 when the zip file has a copy of its file. A list that the library does
 * not have is the line "without NAME". The log of the library goes to the standard error.
 * Exit status: 0, or 1. */
#include "apsh_system.h"

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
    struct apsh_system s = apsh_open();
    struct doca_core_apsh_stats stats;

    if (argc > 1 && argv[1][0] != '-')
        check(doca_apsh_sys_os_symbol_map_set(s.system, argv[1]));
    if (argc > 2 && argv[2][0] != '-')
        check(doca_apsh_sys_mem_region_set(s.system, argv[2]));
    if (argc > 3 && argv[3][0] != '-')
        check(doca_apsh_sys_kpgd_file_set(s.system, argv[3]));
    check(doca_apsh_system_start(s.system));
    check(doca_core_apsh_sys_get_stats(s.system, &stats));
    printf("reads %llu\n", (unsigned long long)stats.num_tasks);
    print_all(s.system);
    if (argc > 4)
        print_attestations(s.system, argv[4]);
    apsh_close(&s);
    return 0;
}
