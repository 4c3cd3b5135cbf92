/* App Shield on a machine that runs Linux: each limit of doca_apsh_sys_config() ends its walk. Most
 * targets are damaged behind the limit, so that a walk that goes on fails. Attestations have their
 * limit in test_apsh_attestation.c, and scans in test_apsh_yara.c. */
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "doca_core_apsh.h"

#include "apsh_image_user.h"
#include "apsh_lists.h"

#define TASK 5u
#define ENV 0x600000000000u

/* Damage of the image. */
static void break_tasks(struct image *i)
{
    image_u64(i->tasks[4] + IMAGE_LINKS, 0); /* the link behind the fourth process */
}

static void break_modules(struct image *i)
{
    image_u64(i->modules[3] + IMAGE_MODULE_LINKS, 0);
}

static void break_threads(struct image *i)
{
    image_u64(i->threads[4] + IMAGE_THREADS, 0); /* the link behind the second thread */
}

static void break_areas(struct image *i)
{
    image_u64(i->areas[6] + IMAGE_AREA_MM, 0); /* of the seventh area */
}

static void break_path(struct image *i)
{
    image_u64(i->files[1] + IMAGE_FILE_PATH + IMAGE_PATH_MNT, 0); /* of the second library */
}

static void make(struct image *image)
{
    static const char bytes[] = "A=1\0B=2\0C=3";

    image_make(image, &usual);
    image_own_root(image, TASK);
    image_put_user(image, TASK, ENV, bytes, sizeof(bytes));
    image_u64(image->mms[TASK] + IMAGE_MM_ENV_START, ENV);
    image_u64(image->mms[TASK] + IMAGE_MM_ENV_END, ENV + sizeof(bytes));
}

static struct shield start_with(struct image *image, enum doca_apsh_system_config_attr attr,
                                int limit)
{
    struct shield s;

    image_write(image);
    s = shield_prepare(image->path);
    CHECK_OK(doca_apsh_sys_config(s.system, attr, limit));
    CHECK_OK(doca_apsh_system_start(s.system));
    return s;
}

static const struct {
    enum doca_apsh_system_config_attr attr;
    doca_error_t (*get)(struct shield *s, struct doca_apsh_process *process, int *num);
    void (*damage)(struct image *image);
    unsigned task;
    int first, last; /* limits that do not reach the damage */
    int all;   /* items without damage and limit */
    int num;   /* items at the limit */
} walks[] = {
    { DOCA_APSH_PROCESS_LIMIT, apsh_get_processes, break_tasks, 1, 1, 4, 20, 4 },
    { DOCA_APSH_MODULES_LIMIT, apsh_get_modules, break_modules, 1, 1, 4, 6, 4 },
    { DOCA_APSH_THREADS_LIMIT, apsh_get_threads, break_threads, 4, 1, 2, 6, 2 },
    { DOCA_APSH_VADS_LIMIT, apsh_get_vads, break_areas, TASK, 1, 6, IMAGE_COMMON + IMAGE_EXTRA, 6 },
    { DOCA_APSH_VADS_LIMIT, apsh_get_libs, break_areas, TASK, 2, 6, 3, 1 }, /* the program */
    { DOCA_APSH_LIBS_LIMIT, apsh_get_libs, break_path, TASK, 1, 1, 3, 1 },
    { DOCA_APSH_WINDOWS_ENVARS_LIMIT, apsh_get_envars, NULL, TASK, 1, 2, 3, 2 },
};
#define WALKS (sizeof(walks) / sizeof(walks[0]))

static void walks_end_at_their_limits(void)
{
    struct doca_apsh_process **processes;
    struct image image;
    struct shield s;
    int limit, num;
    size_t n;

    for (n = 0; n < WALKS; n++)
        for (limit = walks[n].first; limit <= walks[n].last; limit++) {
            make(&image);
            if (walks[n].damage != NULL)
                walks[n].damage(&image);
            s = start_with(&image, walks[n].attr, limit);
            if (walks[n].get == apsh_get_processes || walks[n].get == apsh_get_modules)
                processes = NULL;
            else
                processes = shield_processes(&s);
            num = -1;
            test_log_lines = 0;
            CHECK_OK(walks[n].get(&s, processes != NULL ? processes[walks[n].task - 1] : NULL,
                                  &num));
            CHECK_EQ(num, limit < walks[n].num ? limit : walks[n].num);
            CHECK_EQ(test_log_lines, 0);
            doca_apsh_processes_free(processes);
            shield_close(&s, &image);
        }
}

/* The same damage is an error for a walk with a higher limit. */
static void walks_behind_their_limits_would_fail(void)
{
    struct doca_apsh_process **processes;
    struct image image;
    struct shield s;
    size_t n;
    int num;

    for (n = 1; n < WALKS; n++) { /* not walk 0: the other walks need the list of processes */
        if (walks[n].damage == NULL || walks[n].get == apsh_get_threads)
            continue;
        make(&image);
        walks[n].damage(&image);
        s = start_with(&image, walks[n].attr, walks[n].last + 2);
        processes = shield_processes(&s);
        CHECK_RC(walks[n].get(&s, processes[walks[n].task - 1], &num), DOCA_ERROR_INITIALIZATION);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_TORN);
        doca_apsh_processes_free(processes);
        shield_close(&s, &image);
    }
    for (n = 0; n < WALKS; n++) {
        if (walks[n].get != apsh_get_processes && walks[n].get != apsh_get_threads)
            continue;
        make(&image);
        walks[n].damage(&image);
        s = start_with(&image, walks[n].attr, walks[n].last + 2);
        CHECK_RC(doca_apsh_processes_get(s.system, &processes, &num), DOCA_ERROR_INITIALIZATION);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_TORN);
        shield_close(&s, &image);
    }
}

static void limits_beyond_the_lists_change_nothing(void)
{
    struct doca_apsh_process **processes;
    struct image image;
    struct shield s;
    int attr, num;
    size_t n;

    make(&image);
    image_write(&image);
    s = shield_prepare(image.path);
    for (attr = DOCA_APSH_HASHTEST_LIMIT; attr <= DOCA_APSH_STRING_LIMIT; attr++)
        CHECK_OK(doca_apsh_sys_config(s.system, (enum doca_apsh_system_config_attr)attr,
                                      INT32_MAX));
    /* no walk of Linux has these */
    CHECK_OK(doca_apsh_sys_config(s.system, DOCA_APSH_LDRMODULES_LIMIT, 1));
    CHECK_OK(doca_apsh_sys_config(s.system, DOCA_APSH_HANDLES_LIMIT, 1));
    CHECK_OK(doca_apsh_system_start(s.system));
    processes = shield_processes(&s);
    for (n = 0; n < WALKS; n++) {
        CHECK_OK(walks[n].get(&s, processes[walks[n].task - 1], &num));
        CHECK_EQ(num, walks[n].all);
    }
    doca_apsh_processes_free(processes);
    shield_close(&s, &image);
}

/* The CPU time of a process is that of the threads up to the limit. */
static void limit_of_threads_bounds_the_cpu_time(void)
{
    struct doca_apsh_process **processes;
    struct image image;
    struct shield s;

    make(&image);
    break_threads(&image);
    s = start_with(&image, DOCA_APSH_THREADS_LIMIT, 2);
    processes = shield_processes(&s);
    /* the threads that have ended, the first thread, and the second thread */
    CHECK_EQ(doca_apsh_process_info_get(processes[3], DOCA_APSH_PROCESS_CPU_TIME),
             (uint64_t)1000 * ((20 + 3) + (4000 + 7) + (5000 + 1)));
    doca_apsh_processes_free(processes);
    shield_close(&s, &image);
}

static const struct test_case cases[] = {
    CASE(walks_end_at_their_limits, ""),
    CASE(walks_behind_their_limits_would_fail, ""),
    CASE(limits_beyond_the_lists_change_nothing, ""),
    CASE(limit_of_threads_bounds_the_cpu_time, ""),
};

TEST_MAIN(cases)
