/* App Shield on a machine that runs Linux: the lists of modules and threads, the CPU time of
 * processes, and how libraries are sorted. */
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "doca_core_apsh.h"

#include "apsh_faults.h"

static const struct image_options with_parts = { 5, 21, 0x0e400000, 20, 0, 0, 1,
                                                 0, NULL, 6, 1, 0, 0 };

/* ---- modules ---- */

static void check_modules(struct shield *s, const struct image *image)
{
    struct doca_apsh_module **modules = NULL;
    char name[56];
    int num = -1;
    unsigned n;

    CHECK_OK(doca_apsh_modules_get(s->system, &modules, &num));
    CHECK_EQ(num, image->o.num_modules);
    CHECK((modules == NULL) == (num == 0));
    for (n = 0; n < (unsigned)num; n++) {
        CHECK_EQ(doca_apsh_module_info_get(modules[n], DOCA_APSH_MODULES_OFFSET),
                 image_addr(image, image->modules[n]));
        CHECK_STR(doca_apsh_module_info_get(modules[n], DOCA_APSH_MODULES_NAME),
                  image_module_name(n, name));
        CHECK_EQ(doca_apsh_module_info_get(modules[n], DOCA_APSH_MODULES_SIZE),
                 image_module_size(n));
    }
    doca_apsh_module_free(modules);
}

static void modules_are_those_of_the_target(void)
{
    static const unsigned nums[] = { 0, 1, 6, 100 };
    struct image_options options;
    struct image image;
    struct shield s;
    size_t i;

    for (i = 0; i < 8; i++) {
        options = i < 4 ? usual : with_parts;
        options.num_modules = nums[i % 4];
        image_make(&image, &options);
        s = shield_start(&image);
        check_modules(&s, &image);
        check_modules(&s, &image);
        shield_close(&s, &image);
    }
}

static void module_list_ends_at_its_limit(void)
{
    struct doca_apsh_module **modules;
    struct image image;
    struct shield s;
    int num;

    image_make(&image, &usual);
    memset(image_ram + image.modules[1] + IMAGE_MODULE_NAME, 'x', 56); /* no NUL */
    image_write(&image);
    s = shield_prepare(image.path);
    CHECK_OK(doca_apsh_sys_config(s.system, DOCA_APSH_MODULES_LIMIT, 2));
    CHECK_OK(doca_apsh_system_start(s.system));
    CHECK_OK(doca_apsh_modules_get(s.system, &modules, &num));
    CHECK_EQ(num, 2);
    CHECK_EQ(strlen(doca_apsh_module_info_get(modules[1], DOCA_APSH_MODULES_NAME)), 56);
    doca_apsh_module_free(modules);
    shield_close(&s, &image);
    image_write(&image);
    s = shield_prepare(image.path);
    CHECK_OK(doca_apsh_sys_config(s.system, DOCA_APSH_STRING_LIMIT, 6));
    CHECK_OK(doca_apsh_system_start(s.system));
    CHECK_OK(doca_apsh_modules_get(s.system, &modules, &num));
    CHECK_EQ(num, 6);
    CHECK_STR(doca_apsh_module_info_get(modules[1], DOCA_APSH_MODULES_NAME), "xxxxx");
    doca_apsh_module_free(modules);
    shield_close(&s, &image);
}

/* Damage the link at `at` of a ring in one of DAMAGES ways. `others`: two links of the ring. */
static void damage_link(const struct image *image, unsigned which, uint64_t at,
                        const uint64_t others[2])
{
    static const uint64_t nowhere[] = { 0, 8, 0x1234567812345678, 0xffffffffffffffff,
                                        0x00007fffffffe000 };

    if (which < 2) /* the ring leads back into itself */
        image_u64(at, image_addr(image, others[which]));
    else if (which == 2)
        image_u64(at, image_addr(image, at));
    else if (which == 3) /* the link leads to an address behind the memory */
        image_u64(at, image->direct + IMAGE_BYTES - 8);
    else if (which == 4)
        image_u64(at + 8, image_addr(image, others[1])); /* the link points back to another link */
    else
        image_u64(at, nowhere[which - 5]);
}
#define DAMAGES 10u

static void broken_module_rings_are_an_error(void)
{
    struct doca_core_apsh_stats before, after, sound;
    struct doca_apsh_module **modules = NULL;
    struct image image;
    struct shield s;
    uint64_t others[2], good[2], at;
    int num = 5;
    unsigned i;

    for (i = 0; i < DAMAGES; i++) {
        image_make(&image, &usual);
        others[0] = image.modules[0] + IMAGE_MODULE_LINKS;
        others[1] = image.modules[1] + IMAGE_MODULE_LINKS;
        at = image.modules[4] + IMAGE_MODULE_LINKS;
        memcpy(good, image_ram + at, sizeof(good));
        damage_link(&image, i, at, others);
        s = shield_start(&image);
        CHECK_OK(doca_core_apsh_sys_get_stats(s.system, &before));
        test_log_lines = 0;
        CHECK_RC(doca_apsh_modules_get(s.system, &modules, &num), DOCA_ERROR_INITIALIZATION);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_TORN);
        CHECK_EQ(test_log_lines, 1);
        CHECK(modules == NULL && num == 5);
        CHECK_OK(doca_core_apsh_sys_get_stats(s.system, &after));
        /* each attempt reads the pages again: a page with the head of the ring, pages with modules,
         * and page tables for addresses without memory */
        CHECK(after.num_tasks - before.num_tasks >= 2 * DOCA_CORE_APSH_TRIES);
        CHECK_EQ((after.num_tasks - before.num_tasks) % DOCA_CORE_APSH_TRIES, 0);
        CHECK(after.num_tasks - before.num_tasks <= 10 * DOCA_CORE_APSH_TRIES);
        /* the list is read as soon as it is sound */
        shield_poke(&image, at, good[0]);
        shield_poke(&image, at + 8, good[1]);
        check_modules(&s, &image);
        CHECK_OK(doca_core_apsh_sys_get_stats(s.system, &sound));
        CHECK(sound.num_tasks - after.num_tasks <= 10);
        shield_close(&s, &image);
    }
}

static void kernel_without_modules_has_no_list_of_them(void)
{
    static const char *const names[] = { "core_layout", "module" };
    struct doca_apsh_module **modules = NULL;
    struct image image;
    struct shield s;
    int num = 5;
    size_t i;

    for (i = 0; i < 3; i++) {
        image_make(&image, &usual);
        if (i < 2) {
            char *name = memmem(image_ram + image.btf, image.btf_end - image.btf, names[i],
                                strlen(names[i]) + 1);

            CHECK(name != NULL);
            name[1] = 'X';
        }
        s = shield_start(&image);
        if (i == 2)
            s.system->kernel->symbols[DOCA_PRIV_APSH_MODULE_RING] = 0;
        CHECK_RC(doca_apsh_modules_get(s.system, &modules, &num), DOCA_ERROR_INITIALIZATION);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_LAYOUT);
        CHECK(strstr(test_log_text, i == 0 ? "core_layout.size" : i == 1 ? "list" : "modules") !=
              NULL);
        CHECK(modules == NULL && num == 5);
        shield_close(&s, &image);
    }
}

/* ---- threads ---- */

static void check_threads(struct shield *s, struct doca_apsh_process *process, unsigned n)
{
    struct doca_apsh_thread **threads = NULL;
    char name[24], thread[24];
    int num = -1;
    unsigned k;

    (void)s;
    (void)snprintf(name, sizeof(name), n == 7 ? "fifteen-letters" : "task-%u", n);
    CHECK_OK(doca_apsh_threads_get(process, &threads, &num));
    CHECK_EQ(num, image_num_threads(n));
    for (k = 0; k < (unsigned)num; k++) {
        (void)snprintf(thread, sizeof(thread), "worker-%u", k);
        CHECK_EQ(doca_apsh_thread_info_get(threads[k], DOCA_APSH_THREAD_PID), image_pid(n));
        CHECK_EQ(doca_apsh_thread_info_get(threads[k], DOCA_APSH_THREAD_TID),
                 image_pid(n) + (k == 0 ? 0 : 10000 + k));
        CHECK_EQ(doca_apsh_thread_info_get(threads[k], DOCA_APSH_THREAD_STATE),
                 k == 0 ? n % 3 : k);
        CHECK_STR(doca_apsh_thread_info_get(threads[k], DOCA_APSH_THREAD_LINUX_PROC_NAME), name);
        CHECK_STR(doca_apsh_thread_info_get(threads[k], DOCA_APSH_THREAD_LINUX_THREAD_NAME),
                  k == 0 ? name : thread);
        CHECK_EQ(doca_apsh_thread_info_get(threads[k], DOCA_APSH_THREAD_WINDOWS_OFFSET), 0);
    }
    doca_apsh_threads_free(threads);
}

static void threads_are_those_of_the_process(void)
{
    struct doca_apsh_process **processes;
    struct image image;
    struct shield s;
    unsigned n, i;

    for (i = 0; i < 2; i++) {
        image_make(&image, i == 0 ? &usual : &with_parts);
        s = shield_start(&image);
        processes = shield_processes(&s);
        for (n = 1; n <= 20; n++)
            check_threads(&s, processes[n - 1], n);
        shield_close(&s, &image);
        doca_apsh_processes_free(processes);
    }
}

static void threads_end_at_their_limit(void)
{
    struct doca_apsh_process **processes;
    struct doca_apsh_thread **threads;
    struct image image;
    struct shield s;
    int num;

    image_make(&image, &usual);
    image_write(&image);
    s = shield_prepare(image.path);
    CHECK_OK(doca_apsh_sys_config(s.system, DOCA_APSH_THREADS_LIMIT, 3));
    CHECK_OK(doca_apsh_sys_config(s.system, DOCA_APSH_STRING_LIMIT, 4));
    CHECK_OK(doca_apsh_system_start(s.system));
    processes = shield_processes(&s);
    CHECK_OK(doca_apsh_threads_get(processes[3], &threads, &num));
    CHECK_EQ(num, 3);
    CHECK_STR(doca_apsh_thread_info_get(threads[2], DOCA_APSH_THREAD_LINUX_PROC_NAME), "tas");
    CHECK_STR(doca_apsh_thread_info_get(threads[2], DOCA_APSH_THREAD_LINUX_THREAD_NAME), "wor");
    doca_apsh_threads_free(threads);
    /* the CPU time is that of three threads: 5000 and 10000 besides that of the first */
    CHECK_EQ(doca_apsh_process_info_get(processes[3], DOCA_APSH_PROCESS_CPU_TIME),
             (4000u + 30 + 15000 + 2) * 1000);
    doca_apsh_processes_free(processes);
    shield_close(&s, &image);
}

static void cpu_time_is_that_of_all_threads(void)
{
    static const uint64_t most[] = { UINT64_MAX / 1000 - 8000, UINT64_MAX / 2, UINT64_MAX };
    struct doca_apsh_process **processes;
    struct image image;
    struct shield s;
    unsigned i;

    image_make(&image, &usual);
    s = shield_start(&image);
    processes = shield_processes(&s);
    CHECK_EQ(doca_apsh_process_info_get(processes[3], DOCA_APSH_PROCESS_CPU_TIME),
             (4000u + 30 + 5000 + 10000 + 15000 + 20000 + 25000 + 5) * 1000);
    doca_apsh_processes_free(processes);
    shield_close(&s, &image);
    for (i = 0; i < 3; i++) { /* a time that is too large is given as the maximum */
        image_make(&image, &usual);
        image_u64(image.threads[4] + IMAGE_UTIME, most[i]);
        image_u64(image.tasks[4] + IMAGE_STIME, most[i]);
        s = shield_start(&image);
        processes = shield_processes(&s);
        CHECK(doca_apsh_process_info_get(processes[3], DOCA_APSH_PROCESS_CPU_TIME) == UINT64_MAX);
        doca_apsh_processes_free(processes);
        shield_close(&s, &image);
    }
    /* a kernel whose scheduler counts the run time */
    image_make(&image, &with_parts);
    s = shield_start(&image);
    processes = shield_processes(&s);
    for (i = 1; i <= 20; i++)
        CHECK_EQ(doca_apsh_process_info_get(processes[i - 1], DOCA_APSH_PROCESS_CPU_TIME),
                 image_cpu_time(i));
    doca_apsh_processes_free(processes);
    shield_close(&s, &image);
    /* a kernel that does not link threads: the first thread counts */
    image_make(&image, &usual);
    memcpy(memmem(image_ram + image.btf, image.btf_end - image.btf, "thread_node", 12), "X", 1);
    s = shield_start(&image);
    processes = shield_processes(&s);
    CHECK_EQ(doca_apsh_process_info_get(processes[3], DOCA_APSH_PROCESS_CPU_TIME), 4030 * 1000);
    {
        struct doca_apsh_thread **threads = NULL;
        int num = 5;

        CHECK_RC(doca_apsh_threads_get(processes[3], &threads, &num), DOCA_ERROR_INITIALIZATION);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_LAYOUT);
        CHECK(threads == NULL && num == 5);
    }
    doca_apsh_processes_free(processes);
    shield_close(&s, &image);
}

static void broken_thread_rings_are_an_error(void)
{
    struct doca_apsh_process **processes, **again = NULL;
    struct doca_apsh_thread **threads = NULL;
    uint64_t others[2], good[2], bad[2], at;
    struct image image;
    struct shield s;
    int num = 5;
    unsigned i;

    for (i = 0; i <= DAMAGES; i++) {
        image_make(&image, &usual);
        others[0] = image.tasks[4] + IMAGE_THREADS;
        others[1] = image.threads[4] + IMAGE_THREADS;
        at = image.threads[4] + 3 * 9216 + IMAGE_THREADS; /* the fifth thread */
        memcpy(good, image_ram + at, sizeof(good));
        if (i < DAMAGES)
            damage_link(&image, i, at, others);
        memcpy(bad, image_ram + at, sizeof(bad));
        image_put(at, good, sizeof(good));
        s = shield_start(&image);
        processes = shield_processes(&s);
        if (i == DAMAGES) /* a task of another process is in the ring */
            shield_poke(&image, image.threads[4] + IMAGE_SIGNAL,
                        image_addr(&image, image.signals[2]));
        shield_poke(&image, at, bad[0]);
        shield_poke(&image, at + 8, bad[1]);
        CHECK_RC(doca_apsh_threads_get(processes[3], &threads, &num), DOCA_ERROR_INITIALIZATION);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_TORN);
        CHECK_RC(doca_apsh_processes_get(s.system, &again, &num), DOCA_ERROR_INITIALIZATION);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_TORN);
        CHECK(threads == NULL && again == NULL && num == 5);
        check_threads(&s, processes[1], 2); /* the lists of other processes can be read */
        doca_apsh_processes_free(processes);
        shield_close(&s, &image);
    }
}

static void threads_of_a_process_that_has_ended_are_an_error(void)
{
    struct doca_apsh_process **processes;
    struct doca_apsh_thread **threads = NULL;
    struct image image;
    struct shield s;
    int num = 5;
    unsigned i;

    for (i = 0; i < 2; i++) {
        image_make(&image, &usual);
        s = shield_start(&image);
        processes = shield_processes(&s);
        /* the memory of the task belongs to another process, or to a thread of another process */
        shield_poke(&image, image.tasks[4] + IMAGE_PID, 777 + ((uint64_t)(777 + i) << 32));
        if (i == 1)
            shield_poke(&image, image.tasks[4] + IMAGE_PID,
                        image_pid(4) + ((uint64_t)image_pid(2) << 32));
        CHECK_RC(doca_apsh_threads_get(processes[3], &threads, &num), DOCA_ERROR_INITIALIZATION);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_ENDED);
        CHECK(threads == NULL && num == 5);
        doca_apsh_processes_free(processes);
        shield_close(&s, &image);
    }
}

/* ---- bounds ---- */

/* An access to a page in the cache takes no DMA task. Accesses have a bound of their own. */
static void accesses_to_the_cache_are_bounded(void)
{
    struct doca_priv_apsh_mem *mem;
    unsigned char bytes[8];
    struct image image;
    struct shield s;
    unsigned i;

    image_make(&image, &usual);
    s = shield_start(&image);
    mem = &s.system->kernel->mem;
    doca_priv_apsh_mem_begin(mem, 3);
    for (i = 0; i < 3 * DOCA_PRIV_APSH_STEPS; i++)
        CHECK_OK(doca_priv_apsh_mem_read(mem, IMAGE_HEAP, bytes, sizeof(bytes)));
    CHECK_EQ(mem->budget, 2);
    CHECK_RC(doca_priv_apsh_mem_read(mem, IMAGE_HEAP, bytes, sizeof(bytes)), DOCA_ERROR_IO_FAILED);
    CHECK_EQ(mem->budget, 0);
    shield_close(&s, &image);
}

static void lists_take_what_is_said(void)
{
    struct doca_apsh_process **processes;
    struct doca_apsh_module **modules;
    struct doca_apsh_thread **threads;
    size_t before, after, bytes;
    struct image image;
    struct shield s;
    int num;

    image_make(&image, &usual);
    s = shield_start(&image);
    processes = shield_processes(&s);
    CHECK_OK(doca_core_arena_query(s.ctx->arena, &before, NULL, NULL));
    CHECK_OK(doca_apsh_modules_get(s.system, &modules, &num));
    CHECK_OK(doca_core_arena_query(s.ctx->arena, &after, NULL, NULL));
    CHECK_EQ(after - before, DOCA_CORE_BYTES_APSH_MODULES(6));
    CHECK_OK(doca_core_bytes_apsh_modules(6, &bytes));
    CHECK_EQ(bytes, DOCA_CORE_BYTES_APSH_MODULES(6));
    CHECK_RC(doca_core_bytes_apsh_modules(6, NULL), DOCA_ERROR_INVALID_VALUE);
    doca_apsh_module_free(modules);
    CHECK_OK(doca_apsh_threads_get(processes[3], &threads, &num));
    CHECK_OK(doca_core_arena_query(s.ctx->arena, &after, NULL, NULL));
    CHECK_EQ(after - before, DOCA_CORE_BYTES_APSH_THREADS(6));
    CHECK_OK(doca_core_bytes_apsh_threads(6, &bytes));
    CHECK_EQ(bytes, DOCA_CORE_BYTES_APSH_THREADS(6));
    CHECK_RC(doca_core_bytes_apsh_threads(6, NULL), DOCA_ERROR_INVALID_VALUE);
    doca_apsh_threads_free(threads);
    doca_apsh_processes_free(processes);
    shield_close(&s, &image);
}

/* ---- parts ---- */

static void runs_of_a_file_are_merged(void)
{
    static struct doca_priv_apsh_run runs[600], want[600];
    uint32_t seed = 3, round, num, i, k, kept, num_want;

    for (round = 0; round < 200; round++) {
        num = round * 3;
        for (i = 0, num_want = 0; i < num; i++) {
            seed = seed * 1664525 + 1013904223;
            runs[i].place.dentry = (seed >> 8) % (round + 1);
            runs[i].place.mnt = (seed >> 20) % 2;
            runs[i].start = round % 2 == 0 ? 4096 * (i + 1) : 4096 * (num - i);
            for (k = 0; k < num_want; k++)
                if (want[k].place.dentry == runs[i].place.dentry &&
                    want[k].place.mnt == runs[i].place.mnt)
                    break;
            if (k == num_want)
                want[num_want++] = runs[i];
            else if (runs[i].start < want[k].start)
                want[k] = runs[i];
        }
        kept = doca_priv_apsh_runs_merge(runs, num);
        CHECK_EQ(kept, num_want);
        for (i = 0; i < kept; i++) {
            CHECK(i == 0 || runs[i].start > runs[i - 1].start);
            for (k = 0; k < num_want && memcmp(&want[k], &runs[i], sizeof(runs[i])) != 0; k++)
                ;
            CHECK(k < num_want);
        }
    }
}

/* ---- failures of the device ---- */

static void failed_reads_of_lists_are_errors(void)
{
    struct image image;

    image_make(&image, &usual);
    check_faults(&image, apsh_get_modules, 3, 6);
    check_faults(&image, apsh_get_threads, 3, 6);
    check_faults(&image, apsh_get_processes, 3, 20);
    image_make(&image, &with_parts);
    check_faults(&image, apsh_get_modules, 3, 6);
}

static const struct test_case cases[] = {
    CASE(modules_are_those_of_the_target, ""),
    CASE(module_list_ends_at_its_limit, ""),
    CASE(broken_module_rings_are_an_error, ""),
    CASE(kernel_without_modules_has_no_list_of_them, ""),
    CASE(threads_are_those_of_the_process, ""),
    CASE(threads_end_at_their_limit, ""),
    CASE(cpu_time_is_that_of_all_threads, ""),
    CASE(broken_thread_rings_are_an_error, ""),
    CASE(threads_of_a_process_that_has_ended_are_an_error, ""),
    CASE(accesses_to_the_cache_are_bounded, ""),
    CASE(lists_take_what_is_said, ""),
    CASE(runs_of_a_file_are_merged, ""),
    CASE(failed_reads_of_lists_are_errors, ""),
};

TEST_MAIN(cases)
