/* App Shield: the list of 100 processes, and the areas of all of them. The software device reads
 * the memory of the target from a file. The limit walks the same structures in the mapped file. A
 * second limit copies the pages that they are in before it walks, since DMA tasks copy whole pages.
 *
 * The target is the small Linux that the tests write, in a memory file that is sealed against
 * shrinking. BENCH_APSH_RAM=FILE names the memory of a paused virtual machine of up to 2 GiB
 * instead. */
#define _GNU_SOURCE
#define DOCA_CORE_IMPLEMENTATION
#include "bench.h"

#if UINTPTR_MAX > 0xffffffffu

#define DOCA_CORE_APSH_IMPLEMENTATION
#include "tools/compat/doca_core_apsh.h"

#include "apsh_floor.h"

#define CHECK(condition) bench_check(condition, "the image cannot be made: " #condition)
#include "../tests/support/apsh_image.h"

#define PAGES 4096u /* of the cache */

static struct floor target;
static struct doca_dev *dev;
static struct doca_dev_rep *rep;
static struct doca_apsh_ctx *ctx;
static struct doca_apsh_system *shield;
static struct doca_apsh_process **processes; /* processes whose areas are listed */
static int num_processes;

/* ---- the target ---- */

/* Write the memory of a small Linux to a memory file, and the path of that file to `path`. The file
 * is sealed against shrinking, as QEMU seals the memory of a guest (memory-backend-memfd). The
 * library can load from such a file, and reads any other file with system calls. */
static void make_target(char *path, size_t bytes)
{
    static const struct image_options options = { .levels = 4, .leaf = 21, .kaslr = 0x0e400000,
                                                  .num_tasks = 100, .num_modules = 6 };
    static struct image image;
    const int fd = (int)sys_call(SYS_memfd_create, (long)"apsh", MFD_ALLOW_SEALING, 0, 0, 0, 0);

    image_make(&image, &options);
    bench_check(fd >= 0 && write(fd, image_ram, sizeof(image_ram)) == (ssize_t)sizeof(image_ram),
                "no memory for the target");
    bench_check(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0,
                "the target cannot be sealed");
    snprintf(path, bytes, "/proc/self/fd/%d", fd);
}

/* Map the file at `path` for the limits. Returns false when it cannot be mapped. */
static bool map_target(const char *path)
{
    const int fd = open(path, O_RDONLY);
    const off_t bytes = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;
    void *ram = MAP_FAILED;

    if (bytes > 0 && bytes <= (off_t)1 << 31)
        ram = mmap(NULL, (size_t)bytes, PROT_READ, MAP_SHARED, fd, 0);
    if (fd >= 0)
        close(fd);
    target.bytes = (uint64_t)bytes;
    target.ram = ram;
    return ram != MAP_FAILED;
}

/* Open the device, and start a system for the target at `path`. Returns false when the memory of
 * the target has no kernel. */
static bool open_shield(const char *path)
{
    struct doca_devinfo_rep **reps;
    char topology[512];
    uint32_t num;

    snprintf(topology, sizeof(topology), "03:00.0 side=dpu; 0b:00.0 side=host rep=03:00.0 ram=%s",
             path);
    bench_must(doca_core_sw_set_topology(topology));
    dev = bench_open_dev();
    bench_must(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &num));
    bench_must(doca_dev_rep_open(reps[0], &rep));
    bench_must(doca_devinfo_rep_destroy_list(reps));
    ctx = doca_apsh_create();
    bench_must(doca_apsh_dma_dev_set(ctx, dev));
    bench_must(doca_apsh_start(ctx));
    shield = doca_apsh_system_create(ctx);
    bench_must(doca_apsh_sys_dev_set(shield, rep));
    bench_must(doca_apsh_sys_os_type_set(shield, DOCA_APSH_SYSTEM_LINUX));
    bench_must(doca_core_apsh_sys_set_cache(shield, PAGES));
    if (doca_apsh_system_start(shield) != DOCA_SUCCESS)
        return false;
    bench_must(doca_apsh_processes_get(shield, &processes, &num_processes));
    target.kernel = shield->kernel;
    return true;
}

static void close_shield(void)
{
    doca_apsh_processes_free(processes);
    doca_apsh_system_destroy(shield);
    doca_apsh_destroy(ctx);
    bench_must(doca_dev_rep_close(rep));
    bench_must(doca_dev_close(dev));
}

/* Open everything. Returns NULL, or why the target cannot be read. */
static const char *open_all(void)
{
    const char *named = getenv("BENCH_APSH_RAM");
    char path[256];

    if (named != NULL)
        snprintf(path, sizeof(path), "%s", named);
    else
        make_target(path, sizeof(path));
    if (!map_target(path))
        return "BENCH_APSH_RAM is not a file of up to 2 GiB that can be read";
    if (!open_shield(path)) {
        close_shield();
        return "there is no kernel in BENCH_APSH_RAM";
    }
    return NULL;
}

/* ---- the pages that the list of processes is in ---- */

static struct pages {
    uint64_t at[PAGES]; /* by rising address */
    unsigned num;
    unsigned num_fields; /* number of structure fields in a list that is read */
    unsigned char copies[PAGES][4096];
} pages;

static void note_pages(void)
{
    struct floor_notes notes = { 0, bench_pages((size_t)(target.bytes / 4096 + 1)) };
    uint64_t page;

    floor_list_noted(&target, &notes);
    pages.num_fields = notes.num_fields;
    for (page = 0; page < target.bytes / 4096; page++)
        if (notes.pages[page] != 0) {
            bench_check(pages.num < PAGES, "the list is in too many pages");
            pages.at[pages.num++] = page * 4096;
        }
}

static void copy_pages(void)
{
    unsigned i;

    for (i = 0; i < pages.num; i++)
        memcpy(pages.copies[i], target.ram + pages.at[i], 4096);
}

/* ---- the list of processes ---- */

static void list(unsigned long n, const void *arg)
{
    struct doca_apsh_process **found;
    int num;

    (void)arg;
    for (; bench_left(n); n--) {
        bench_must(doca_apsh_processes_get(shield, &found, &num));
        doca_apsh_processes_free(found);
    }
}

static void list_directly(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--)
        floor_list(&target);
}

static void list_copies(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--) {
        copy_pages();
        floor_list(&target);
    }
}

/* True when both lists say the same. */
static bool is_list(const struct bench_side *side)
{
    const struct floor_process *p = floor_processes;
    const unsigned num = floor_list(&target);
    struct doca_apsh_process **found;
    bool is_same;
    int i, n;

    (void)side;
    bench_must(doca_apsh_processes_get(shield, &found, &n));
    is_same = n == (int)num;
    for (i = 0; i < n && is_same; i++, p++)
        is_same =
            (uintptr_t)doca_apsh_process_info_get(found[i], DOCA_APSH_PROCESS_PID) == p->pid &&
            (uintptr_t)doca_apsh_process_info_get(found[i], DOCA_APSH_PROCESS_PPID) ==
                p->parent_pid &&
            (uintptr_t)doca_apsh_process_info_get(found[i], DOCA_APSH_PROCESS_CPU_TIME) ==
                p->time &&
            (uintptr_t)doca_apsh_process_info_get(found[i], DOCA_APSH_PROCESS_LINUX_UID) ==
                p->uid &&
            (uintptr_t)doca_apsh_process_info_get(found[i], DOCA_APSH_PROCESS_LINUX_GID) ==
                p->gid &&
            (uintptr_t)doca_apsh_process_info_get(found[i], DOCA_APSH_PROCESS_LINUX_STATE) ==
                p->state &&
            strcmp(doca_apsh_process_info_get(found[i], DOCA_APSH_PROCESS_COMM), p->comm) == 0;
    doca_apsh_processes_free(found);
    return is_same;
}

/* ---- the areas of all processes ---- */

static void areas(unsigned long n, const void *arg)
{
    struct doca_apsh_vad **found;
    int num, i;

    (void)arg;
    for (; bench_left(n); n--)
        for (i = 0; i < num_processes; i++) {
            bench_must(doca_apsh_vads_get(processes[i], &found, &num));
            doca_apsh_vads_free(found);
        }
}

static void areas_directly(unsigned long n, const void *arg)
{
    (void)arg;
    for (; bench_left(n); n--)
        floor_all_areas(&target, (unsigned)num_processes);
}

static bool is_area(struct doca_apsh_vad *vad, const struct floor_area *a)
{
    return (uintptr_t)doca_apsh_vad_info_get(vad, DOCA_APSH_VMA_OFFSET) == a->at &&
           (uintptr_t)doca_apsh_vad_info_get(vad, DOCA_APSH_VMA_PID) == a->pid &&
           (uintptr_t)doca_apsh_vad_info_get(vad, DOCA_APSH_VMA_VM_START) == a->start &&
           (uintptr_t)doca_apsh_vad_info_get(vad, DOCA_APSH_VMA_VM_END) == a->end &&
           strcmp(doca_apsh_vad_info_get(vad, DOCA_APSH_VMA_PROTECTION), a->letters) == 0 &&
           strcmp(doca_apsh_vad_info_get(vad, DOCA_APSH_VMA_PROCESS_NAME), a->comm) == 0 &&
           strcmp(doca_apsh_vad_info_get(vad, DOCA_APSH_VMA_FILE_PATH), a->path) == 0;
}

/* True when both say the same of all areas. */
static bool are_areas(const struct bench_side *side)
{
    const struct floor_area *a = floor_areas;
    struct doca_apsh_vad **found;
    bool is_same = true;
    int num, i, k;

    (void)side;
    (void)floor_list(&target);
    floor_all_areas(&target, (unsigned)num_processes);
    for (i = 0; i < num_processes && is_same; i++) {
        bench_must(doca_apsh_vads_get(processes[i], &found, &num));
        for (k = 0; k < num && is_same; k++)
            is_same = a < floor_areas + floor_paths.num && is_area(found[k], a++);
        doca_apsh_vads_free(found);
    }
    return is_same && a == floor_areas + floor_paths.num;
}

/* ---- DMA tasks ---- */

/* Count the DMA tasks of a list, for each field that it must read. */
static void count_tasks(const struct bench_work *w)
{
    struct doca_core_apsh_stats before, after;
    double count;

    if (!bench_wants(w->work))
        return;
    bench_must(doca_core_apsh_sys_get_stats(shield, &before));
    list(1, NULL);
    bench_must(doca_core_apsh_sys_get_stats(shield, &after));
    count = (double)(after.num_tasks - before.num_tasks);
    bench_print_counts(w, "DMA tasks", pages.num_fields, &count, 1);
}

/* ---- the measurements ---- */

/* Print what another program was measured to take, on another target and another machine. */
static void print_published(const struct bench_work *w, const char *name, double ns)
{
    const struct bench_side side = { .side = "peer", .name = name };
    unsigned k;

    bench_print_head(w, &side, "ns", 1);
    for (k = 0; k < bench.reps; k++)
        printf("%s%.0f", k > 0 ? "," : "", ns);
    printf("],\"single\":null,\"instructions\":null,\"note\":\"published, not measured here: a "
           "guest with 84 processes and 522 areas, another machine, with the program's start\"}\n");
}

static void measure_lists(const char *reason)
{
    const struct bench_work works[] = {
        { .area = "apsh",
          .work = "apsh_processes",
          .title = "App Shield: list of processes (100 in the image)",
          .batch = 1,
          .sides = { { .side = "ours", .name = "processes_get", .run = list, .verify = is_list },
                     { .side = "limit", .name = "plain loads", .run = list_directly },
                     { .side = "limit", .name = "page copies and loads", .run = list_copies } },
          .targets = { { "22", "processes_get", "plain loads", "ratio", 3, NAN } } },
        { .area = "apsh",
          .work = "apsh_areas",
          .title = "App Shield: areas of all processes",
          .batch = 1,
          .sides = { { .side = "ours", .name = "vads_get", .run = areas, .verify = are_areas },
                     { .side = "limit", .name = "plain loads", .run = areas_directly } } },
    };
    static const struct {
        const char *name;
        double ns;
    } published[] = { { "volatility3 2.11 pslist (published)", 4.0e9 },
                      { "volatility3 2.11 proc.Maps (published)", 4.8e9 } };
    size_t i;

    for (i = 0; i < sizeof(works) / sizeof(works[0]); i++)
        if (reason != NULL && bench_wants(works[i].work))
            bench_lack(&works[i], reason);
        else if (reason == NULL && bench_run(&works[i]) != NULL && !bench.is_ours)
            print_published(&works[i], published[i].name, published[i].ns);
}

int main(int argc, char **argv)
{
    static const struct bench_work tasks_work = {
        .area = "apsh",
        .work = "apsh_tasks",
        .title = "App Shield: DMA tasks of a list, for each field of it",
        .sides = { { .side = "ours", .name = "processes_get" } },
        .targets = { { "23", "processes_get", NULL, "none", 0.1, NAN } }
    };
    const char *reason = NULL;

    bench_begin("bench_apsh", argc, argv);
    if (!bench.is_list)
        reason = open_all();
    if (!bench.is_list && reason == NULL)
        note_pages();
    measure_lists(reason);
    if (reason == NULL)
        count_tasks(&tasks_work);
    else if (bench_wants(tasks_work.work))
        bench_lack(&tasks_work, reason);
    if (!bench.is_list && reason == NULL)
        close_shield();
    return bench_end();
}

#else

int main(int argc, char **argv)
{
    static const char *const works[] = { "apsh_processes", "apsh_areas", "apsh_tasks" };
    size_t i;

    bench_begin("bench_apsh", argc, argv);
    for (i = 0; i < sizeof(works) / sizeof(works[0]); i++)
        if (bench_wants(works[i]))
            bench_missing(works[i], "all sides", "App Shield needs pointers of 64 bits");
    return bench_end();
}

#endif
