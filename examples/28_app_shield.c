/* Print each process that appears on the host. A program on the DPU looks at the memory of the host
 * ten times, once a second, and prints each process that the look before did not have, in lines
 * such as "new: sleep, pid 163, of user 0, parent 1". The host runs Linux, without an agent. Its
 * memory is a file here, as QEMU can keep the memory of a guest. Without that file the program
 * explains how to get one:
 *
 *     28_app_shield RAMFILE looks at the Linux whose memory is the file; to get one:
 *     tools/apsh-guest --running -- sh -c 'build/examples/28_app_shield $APSH_RAM'
 */
#define _POSIX_C_SOURCE 200809L
#define DOCA_CORE_IMPLEMENTATION
#include "doca_core.h"

#define DOCA_CORE_APSH_IMPLEMENTATION
#include "doca_core_apsh.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LOOKS 10
#define MAX_PROCESSES 4096

static DOCA_CORE_ALIGNED unsigned char memory[16 << 20];
static uint32_t known[MAX_PROCESSES]; /* pids of the look before */
static int num_known;

static void check(doca_error_t rc)
{
    if (rc != DOCA_SUCCESS) {
        fprintf(stderr, "%s\n", doca_core_last_error());
        exit(EXIT_FAILURE);
    }
}

/* Open the device, and the representor of the host: the device reads the host's memory by it. */
static struct doca_dev_rep *open_host(const char *path, struct doca_dev **dev)
{
    struct doca_devinfo_rep **reps;
    struct doca_devinfo **list;
    struct doca_dev_rep *host;
    char text[512];
    uint32_t num;

    snprintf(text, sizeof(text), "03:00.0 side=dpu; 0b:00.0 side=host rep=03:00.0 ram=%s", path);
    check(doca_core_sw_set_topology(text));
    check(doca_devinfo_create_list(&list, &num));
    check(doca_dev_open(list[0], dev));
    check(doca_devinfo_destroy_list(list));
    check(doca_devinfo_rep_create_list(*dev, DOCA_DEVINFO_REP_FILTER_NET, &reps, &num));
    check(doca_dev_rep_open(reps[0], &host));
    check(doca_devinfo_rep_destroy_list(reps));
    return host;
}

/* Start a system. The call finds the kernel in the memory, and the layout of its structures. */
static struct doca_apsh_system *start(struct doca_apsh_ctx *ctx, struct doca_dev *dev,
                                      struct doca_dev_rep *host)
{
    struct doca_apsh_system *system;

    check(doca_apsh_dma_dev_set(ctx, dev));
    check(doca_apsh_start(ctx));
    system = doca_apsh_system_create(ctx);
    check(doca_apsh_sys_dev_set(system, host));
    check(doca_apsh_sys_os_type_set(system, DOCA_APSH_SYSTEM_LINUX));
    check(doca_apsh_sys_config(system, DOCA_APSH_PROCESS_LIMIT, MAX_PROCESSES));
    check(doca_apsh_system_start(system));
    return system;
}

static bool is_known(uint32_t pid)
{
    int i;

    for (i = 0; i < num_known; i++)
        if (known[i] == pid)
            return true;
    return false;
}

/* List the processes, and print those that the look before did not have. */
static void look(struct doca_apsh_system *system, bool is_first)
{
    struct doca_apsh_process **list;
    int num, i;

    check(doca_apsh_processes_get(system, &list, &num));
    for (i = 0; i < num && !is_first; i++)
        if (!is_known(doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_PID)))
            printf("new: %s, pid %u, of user %u, parent %u\n",
                   doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_COMM),
                   doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_PID),
                   doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_LINUX_UID),
                   doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_PPID));
    for (i = 0; i < num; i++)
        known[i] = doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_PID);
    num_known = num;
    doca_apsh_processes_free(list);
}

int main(int argc, char **argv)
{
    struct doca_apsh_system *system;
    struct doca_core_arena arena;
    struct doca_apsh_ctx *ctx;
    struct doca_dev_rep *host;
    struct doca_dev *dev;
    int i;

    if (argc != 2) {
        puts("28_app_shield RAMFILE looks at the Linux whose memory is the file; to get one:");
        puts("tools/apsh-guest --running -- sh -c 'build/examples/28_app_shield $APSH_RAM'");
        return EXIT_SUCCESS;
    }
    check(doca_core_arena_init(&arena, memory, sizeof(memory)));
    check(doca_core_arena_bind(&arena));
    host = open_host(argv[1], &dev);
    ctx = doca_apsh_create();
    system = start(ctx, dev, host);
    look(system, true);
    printf("the host runs %d processes\n", num_known);
    for (i = 1; i < LOOKS && fflush(stdout) == 0; i++) {
        sleep(1);
        look(system, false);
    }
    doca_apsh_system_destroy(system);
    doca_apsh_destroy(ctx);
    check(doca_dev_rep_close(host));
    check(doca_dev_close(dev));
    return EXIT_SUCCESS;
}
