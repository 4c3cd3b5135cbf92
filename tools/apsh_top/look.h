/* A look of tools/apsh_top.c reads the processes, threads and modules of the target. Static tables
 * hold the last two looks, so that the tool can compare them. */
#ifndef APSH_TOP_LOOK_H
#define APSH_TOP_LOOK_H

#include "target.h"

#include <time.h>

#define MAX_THREADS 65536 /* of all processes */

struct process {
    uint64_t state; /* state word of the kernel */
    uint64_t time;  /* picoseconds of CPU time */
    uint64_t load;  /* CPU time since the look before, in tenths of a percent of one CPU */
    uint32_t pid, ppid, uid, gid;
    int num_threads; /* -1: the list could not be read; the process has most likely ended */
    bool is_new;
    char name[20];
};

struct thread {
    uint64_t state;
    uint32_t pid, tid;
    char name[20];
};

struct module {
    uint64_t addr;
    uint32_t size;
    bool is_new;
    char name[60];
};

struct look {
    uint64_t at;      /* nanoseconds of the monotonic clock */
    uint64_t elapsed; /* nanoseconds since the look before; 0 in the first look */
    int num_processes, num_threads, num_modules; /* num_modules -1: the list could not be read */
    struct process processes[MAX_PROCESSES];     /* by pid */
    struct thread threads[MAX_THREADS];          /* by process, in the order of the kernel */
    struct module modules[MAX_MODULES];          /* by address */
};

static struct look looks[2];
static struct look *shown = &looks[0]; /* the last look that succeeded */
static int order[MAX_PROCESSES];       /* rows of shown->processes in the order of the view */

static uint64_t now_ns(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- sorting ---- */

/* Sort `num` items of `size` bytes in place. Shell's method: qsort() may use the heap. */
static void sort(void *items, size_t num, size_t size,
                 bool (*is_before)(const void *, const void *))
{
    char *const base = items;
    union {
        struct process process;
        struct module module;
    } item; /* room for one of any kind */
    size_t gap, i, j;

    for (gap = num / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
        for (i = gap; i < num; i++) {
            memcpy(&item, base + i * size, size);
            for (j = i; j >= gap && is_before(&item, base + (j - gap) * size); j -= gap)
                memcpy(base + j * size, base + (j - gap) * size, size);
            memcpy(base + j * size, &item, size);
        }
}

static bool pid_is_before(const void *a, const void *b)
{
    return ((const struct process *)a)->pid < ((const struct process *)b)->pid;
}

static bool module_is_before(const void *a, const void *b)
{
    return ((const struct module *)a)->addr < ((const struct module *)b)->addr;
}

static bool row_is_before(const void *a, const void *b)
{
    return *(const int *)a < *(const int *)b; /* processes are sorted by pid */
}

static bool load_is_before(const void *a, const void *b)
{
    const struct process *const one = &shown->processes[*(const int *)a];
    const struct process *const other = &shown->processes[*(const int *)b];

    if (one->load != other->load)
        return one->load > other->load;
    if (one->is_new != other->is_new)
        return one->is_new;
    return one->time != other->time ? one->time > other->time : one->pid < other->pid;
}

/* Sort the rows of the last look, either by pid or by CPU use since the look before. Of processes
 * with equal CPU use, new ones come first. */
static void put_in_order(bool is_by_pid)
{
    int i;

    for (i = 0; i < shown->num_processes; i++)
        order[i] = i;
    sort(order, (size_t)shown->num_processes, sizeof(order[0]),
         is_by_pid ? row_is_before : load_is_before);
}

/* ---- reading ---- */

static void copy_name(char *to, size_t size, const char *name)
{
    snprintf(to, size, "%s", name != NULL ? name : "");
}

/* Read the threads of a process. */
static int read_threads(struct look *look, struct doca_apsh_process *process)
{
    struct doca_apsh_thread **list = NULL;
    int num = 0, i;

    if (doca_apsh_threads_get(process, &list, &num) != DOCA_SUCCESS)
        return -1;
    for (i = 0; i < num && look->num_threads < MAX_THREADS; i++) {
        struct thread *const thread = &look->threads[look->num_threads++];

        thread->pid = doca_apsh_thread_info_get(list[i], DOCA_APSH_THREAD_PID);
        thread->tid = doca_apsh_thread_info_get(list[i], DOCA_APSH_THREAD_TID);
        thread->state = doca_apsh_thread_info_get(list[i], DOCA_APSH_THREAD_STATE);
        copy_name(thread->name, sizeof(thread->name),
                  doca_apsh_thread_info_get(list[i], DOCA_APSH_THREAD_LINUX_THREAD_NAME));
    }
    doca_apsh_threads_free(list);
    return num;
}

static bool read_processes(struct doca_apsh_system *system, struct look *look)
{
    struct doca_apsh_process **list = NULL;
    int num = 0, i;

    look->num_processes = look->num_threads = 0;
    if (doca_apsh_processes_get(system, &list, &num) != DOCA_SUCCESS)
        return false;
    for (i = 0; i < num && i < MAX_PROCESSES; i++) {
        struct process *const process = &look->processes[look->num_processes++];

        memset(process, 0, sizeof(*process));
        process->pid = doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_PID);
        process->ppid = doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_PPID);
        process->uid = doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_LINUX_UID);
        process->gid = doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_LINUX_GID);
        process->state = doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_LINUX_STATE);
        process->time = doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_CPU_TIME);
        copy_name(process->name, sizeof(process->name),
                  doca_apsh_process_info_get(list[i], DOCA_APSH_PROCESS_COMM));
        process->num_threads = read_threads(look, list[i]);
    }
    doca_apsh_processes_free(list);
    sort(look->processes, (size_t)look->num_processes, sizeof(look->processes[0]), pid_is_before);
    return true;
}

static void read_modules(struct doca_apsh_system *system, struct look *look)
{
    struct doca_apsh_module **list = NULL;
    int num = 0, i;

    look->num_modules = -1;
    if (doca_apsh_modules_get(system, &list, &num) != DOCA_SUCCESS)
        return;
    for (i = 0; i < num && i < MAX_MODULES; i++) {
        struct module *const module = &look->modules[i];

        memset(module, 0, sizeof(*module));
        module->addr = doca_apsh_module_info_get(list[i], DOCA_APSH_MODULES_OFFSET);
        module->size = doca_apsh_module_info_get(list[i], DOCA_APSH_MODULES_SIZE);
        copy_name(module->name, sizeof(module->name),
                  doca_apsh_module_info_get(list[i], DOCA_APSH_MODULES_NAME));
    }
    look->num_modules = i;
    doca_apsh_module_free(list);
    sort(look->modules, (size_t)look->num_modules, sizeof(look->modules[0]), module_is_before);
}

/* ---- comparing ---- */

/* Set is_new and the CPU use of all processes. A process that has used less CPU time than the
 * process with this pid in the look before is a new one. */
static void compare_processes(struct look *look, const struct look *before)
{
    int i, k = 0;

    for (i = 0; i < look->num_processes; i++) {
        struct process *const process = &look->processes[i];
        uint64_t used = process->time;

        while (k < before->num_processes && before->processes[k].pid < process->pid)
            k++;
        process->is_new = k == before->num_processes ||
                          before->processes[k].pid != process->pid ||
                          before->processes[k].time > process->time;
        if (!process->is_new)
            used -= before->processes[k].time;
        process->load = used / look->elapsed; /* 1000 * picoseconds / (1000 * nanoseconds) */
    }
}

static void compare_modules(struct look *look, const struct look *before)
{
    int i, k = 0;

    for (i = 0; i < look->num_modules && before->num_modules >= 0; i++) {
        struct module *const module = &look->modules[i];

        while (k < before->num_modules && before->modules[k].addr < module->addr)
            k++;
        module->is_new = k == before->num_modules || before->modules[k].addr != module->addr ||
                         strcmp(before->modules[k].name, module->name) != 0;
    }
}

/* Read the target into the other look, and make it the one that is shown. Returns NULL on success.
 * On failure, returns the reason; the look before stays the one that is shown. */
static const char *look_at(struct target *target)
{
    struct look *const before = shown, *const look = &looks[shown == &looks[0]];

    look->at = now_ns();
    if (target->system == NULL || !read_processes(target->system, look))
        return doca_core_last_error();
    read_modules(target->system, look);
    look->elapsed = before->at != 0 ? look->at - before->at : 0;
    if (before->at != 0) {
        look->elapsed += look->elapsed == 0;
        compare_processes(look, before);
        compare_modules(look, before);
    }
    shown = look;
    return NULL;
}

/* ---- texts ---- */

/* The letter that ps prints for a state word of Linux. A task that is dead and still listed waits
 * for its parent. */
static char state_letter(uint64_t state)
{
    if ((state & 0x402) == 0x402)
        return 'I'; /* not interruptible, and not counted as load */
    return state & 0x80   ? 'Z'
           : state & 0x40 ? 'P'
           : state & 0x08 ? 't'
           : state & 0x04 ? 'T'
           : state & 0x02 ? 'D'
           : state & 0x01 ? 'S'
                          : 'R';
}

/* CPU time as minutes:seconds.hundredths, hours:minutes:seconds, or days and hours. */
static const char *time_text(uint64_t picoseconds)
{
    static char text[40];
    const uint64_t hundredths = picoseconds / 10000000000u, s = hundredths / 100;

    if (s < 6000)
        snprintf(text, sizeof(text), "%u:%02u.%02u", (unsigned)(s / 60), (unsigned)(s % 60),
                 (unsigned)(hundredths % 100));
    else if (s < 360000)
        snprintf(text, sizeof(text), "%u:%02u:%02u", (unsigned)(s / 3600),
                 (unsigned)(s / 60 % 60), (unsigned)(s % 60));
    else
        snprintf(text, sizeof(text), "%ud %02uh", (unsigned)(s / 86400),
                 (unsigned)(s / 3600 % 24));
    return text;
}

static const char process_head[] = "     PID    PPID    UID S THRS   CPU%       TIME COMMAND";
static const char narrow_process_head[] = "     PID   CPU% COMMAND";
static const char thread_head[] = "     PID     TID S THREAD";
static const char module_head[] = "       SIZE MODULE";

/* Write the row of a process. `is_narrow`: only the columns that fit on a narrow terminal. */
static void process_row(char *line, size_t size, const struct process *process, bool is_narrow)
{
    char threads[16] = "-", load[24] = "-", name[20];

    clean_copy(name, sizeof(name), process->name);
    if (process->num_threads >= 0)
        snprintf(threads, sizeof(threads), "%d", process->num_threads);
    if (shown->elapsed != 0)
        snprintf(load, sizeof(load), "%u.%u", (unsigned)(process->load / 10 % 1000000),
                 (unsigned)(process->load % 10));
    if (is_narrow)
        snprintf(line, size, "%c%7u %6s %s", process->is_new ? '+' : ' ', process->pid, load, name);
    else
        snprintf(line, size, "%c%7u %7u %6u %c %4s %6s %10s %s", process->is_new ? '+' : ' ',
                 process->pid, process->ppid, process->uid, state_letter(process->state), threads,
                 load, time_text(process->time), name);
}

static void thread_row(char *line, size_t size, const struct thread *thread)
{
    char name[20];

    clean_copy(name, sizeof(name), thread->name);
    snprintf(line, size, " %7u %7u %c %s", thread->pid, thread->tid, state_letter(thread->state),
             name);
}

static void module_row(char *line, size_t size, const struct module *module)
{
    char name[60];

    clean_copy(name, sizeof(name), module->name);
    snprintf(line, size, "%c%10u %s", module->is_new ? '+' : ' ', module->size, name);
}

/* Write the numbers of processes, threads and modules, how many of them are new, and the CPU use of
 * all processes. */
static void summary_row(char *line, size_t size)
{
    char modules[128] = "modules unknown", processes_new[40] = "", load[40] = "", name[60];
    int i, num_new = 0, first = -1;
    uint64_t sum = 0;

    for (i = 0; i < shown->num_processes; i++) {
        num_new += shown->processes[i].is_new;
        sum += shown->processes[i].load;
    }
    if (shown->elapsed != 0) {
        snprintf(processes_new, sizeof(processes_new), " (%d new)", num_new);
        snprintf(load, sizeof(load), ", CPU %u.%u%%", (unsigned)(sum / 10 % 1000000),
                 (unsigned)(sum % 10));
    }
    for (num_new = 0, i = shown->num_modules - 1; i >= 0; i--)
        if (shown->modules[i].is_new) {
            num_new++;
            first = i;
        }
    clean_copy(name, sizeof(name), first >= 0 ? shown->modules[first].name : "");
    if (shown->num_modules >= 0 && first < 0)
        snprintf(modules, sizeof(modules), "%d modules", shown->num_modules);
    else if (first >= 0)
        snprintf(modules, sizeof(modules), "%d modules (%d new: %s%s)", shown->num_modules, num_new,
                 name, num_new > 1 ? ", ..." : "");
    snprintf(line, size, "%d processes%s, %d threads, %s%s", shown->num_processes, processes_new,
             shown->num_threads, modules, load);
}

#endif
