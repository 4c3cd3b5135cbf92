/* The DMA tasks of App Shield: their number, the bytes that they read, and their batches. Some
 * cases call private functions, so this file includes the code. */
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "doca_core_apsh.h"

#include "apsh_shield.h"

#include <sys/stat.h>

#define LEAF_AREAS 6 /* areas in the first leaf of the tree of task 5, at least */
#define MOVED 40     /* areas that are moved away from each other */

static struct doca_core_apsh_stats stats_of(const struct shield *s)
{
    struct doca_core_apsh_stats stats;

    CHECK_OK(doca_core_apsh_sys_get_stats(s->system, &stats));
    return stats;
}

/* Read the list of processes, and compare it with the image. Returns the tasks that it took. */
static uint64_t tasks_of_list(struct shield *s, unsigned want)
{
    const uint64_t before = stats_of(s).num_tasks;
    struct doca_apsh_process **processes = NULL;
    uint64_t num_tasks;
    char comm[16];
    int num = 0;
    unsigned n;

    CHECK_OK(doca_apsh_processes_get(s->system, &processes, &num));
    CHECK_EQ(num, want);
    num_tasks = stats_of(s).num_tasks - before;
    for (n = 1; n <= want; n++) {
        (void)snprintf(comm, sizeof(comm), n == 7 ? "fifteen-letters" : "task-%u", n);
        CHECK_STR(doca_apsh_process_info_get(processes[n - 1], DOCA_APSH_PROCESS_COMM), comm);
        CHECK_EQ(doca_apsh_process_info_get(processes[n - 1], DOCA_APSH_PROCESS_PID),
                 image_pid(n));
        CHECK_EQ(doca_apsh_process_info_get(processes[n - 1], DOCA_APSH_PROCESS_CPU_TIME),
                 image_cpu_time(n));
        CHECK_EQ(doca_apsh_process_info_get(processes[n - 1], DOCA_APSH_PROCESS_LINUX_GID),
                 2000 + n);
    }
    doca_apsh_processes_free(processes);
    return num_tasks;
}

/* ---- the number of tasks ---- */

static void list_takes_a_tenth_of_a_task_for_each_field(void)
{
    struct image_options options = usual;
    uint64_t num_fields = 0, num_tasks;
    struct image image;
    struct shield s;
    unsigned n;

    options.num_tasks = 100;
    image_make(&image, &options);
    s = shield_start(&image);
    /* of a process: two links, pid, name, state, parent and its number, user, group, their
     * structure, the structure of signals, two times and a link there; of a thread: two links, its
     * process, two times */
    for (n = 1; n <= options.num_tasks; n++)
        num_fields += 14 + 5 * (uint64_t)image_num_threads(n);
    num_tasks = tasks_of_list(&s, options.num_tasks);
    if (num_tasks * 10 > num_fields)
        test_fail(__FILE__, __LINE__, "%u tasks for %u fields", (unsigned)num_tasks,
                  (unsigned)num_fields);
    CHECK(stats_of(&s).num_hits > num_fields);
    CHECK_RC(doca_core_apsh_sys_get_stats(s.system, NULL), DOCA_ERROR_INVALID_VALUE);
    shield_close(&s, &image);
}

/* The pages of a small cache are read again, and the list is the same. */
static void cache_may_be_smaller_than_a_list(void)
{
    struct image_options options = usual;
    struct image image;
    struct shield s;

    options.num_tasks = 100;
    image_make(&image, &options);
    image_write(&image);
    s = shield_prepare(image.path);
    CHECK_OK(doca_core_apsh_sys_set_cache(s.system, 72)); /* two blocks have no set of slots */
    CHECK_OK(doca_apsh_system_start(s.system));
    CHECK(tasks_of_list(&s, 100) > 100);
    CHECK(tasks_of_list(&s, 100) > 100);
    shield_close(&s, &image);
}

/* ---- the cache is dropped ---- */

static void second_snapshot_reads_all_again(void)
{
    struct doca_apsh_process **first, **second;
    uint64_t num_tasks;
    struct image image;
    struct shield s;
    uint64_t name;

    image_make(&image, &usual);
    s = shield_start(&image);
    num_tasks = tasks_of_list(&s, usual.num_tasks);
    CHECK_EQ(tasks_of_list(&s, usual.num_tasks), num_tasks);
    first = shield_processes(&s);
    memcpy(&name, "changed", sizeof(name));
    shield_poke(&image, image.tasks[3] + IMAGE_COMM, name);
    second = shield_processes(&s);
    CHECK_STR(doca_apsh_process_info_get(first[2], DOCA_APSH_PROCESS_COMM), "task-3");
    CHECK_STR(doca_apsh_process_info_get(second[2], DOCA_APSH_PROCESS_COMM), "changed");
    doca_apsh_processes_free(second);
    doca_apsh_processes_free(first);
    shield_close(&s, &image);
}

/* ---- batches ---- */

/* Move each of the first areas of task 5 to a block of its own, and change the pointers to it. */
static void scatter_areas(struct image *image)
{
    uint64_t to, at;
    unsigned k;

    for (k = 0; k < MOVED; k++) {
        to = IMAGE_PAGES + (2u << 20) + k * (3u * DOCA_PRIV_APSH_BLOCK);
        memcpy(image_ram + to, image_ram + image->areas[k], 200);
        for (at = IMAGE_MORE; at < image->next_more; at += 8)
            if (image_get(at) == image_addr(image, image->areas[k]))
                image_u64(at, to + image->direct);
        memset(image_ram + image->areas[k], 0, 200);
    }
}

/* When the walk is at an area, all areas of its leaf are in the cache, and all nodes beside the
 * leaf: the walk goes on to the end of the leaf without another DMA task. */
static void leaf_and_its_areas_are_batches(void)
{
    struct doca_priv_apsh_areas areas;
    struct doca_priv_apsh_area area;
    struct doca_priv_apsh_kernel *kernel;
    struct image image;
    struct shield s;
    unsigned char byte;
    unsigned num = 1, i;
    uint64_t tasks;

    image_make(&image, &usual);
    scatter_areas(&image);
    s = shield_start(&image);
    kernel = s.system->kernel;
    doca_priv_apsh_mem_begin(&kernel->mem, 1000);
    CHECK_OK(doca_priv_apsh_areas_begin(&areas, kernel, image_addr(&image, image.mms[5])));
    tasks = kernel->mem.stats.num_tasks;
    kernel->mem.budget = 0;
    for (i = 0; i < areas.nodes[0].num && image.nodes[0] != 0; i++) {
        const uint64_t child = doca_priv_apsh_u64(areas.nodes[0].slots[i]);

        CHECK_OK(doca_priv_apsh_read(kernel, child & ~(uint64_t)0xff, &byte, 1));
        if (doca_priv_apsh_node_pivot(&areas.nodes[0], i) == UINT64_MAX)
            break;
    }
    CHECK(i > 0);
    kernel->mem.budget = 1000;
    CHECK_OK(doca_priv_apsh_areas_next(&areas, &area));
    CHECK(kernel->mem.stats.num_tasks >= tasks + LEAF_AREAS);
    kernel->mem.budget = 0;
    while (doca_priv_apsh_areas_next(&areas, &area) == DOCA_SUCCESS && area.at != 0)
        num++;
    CHECK(num >= LEAF_AREAS && num < MOVED);
    shield_close(&s, &image);
}

/* Move the user of each task to a block of its own. */
static void scatter_users(struct image *image)
{
    uint64_t to, user;
    unsigned n;

    for (n = 1; n <= image->o.num_tasks; n++) {
        to = IMAGE_PAGES + (2u << 20) + n * (3u * DOCA_PRIV_APSH_BLOCK);
        user = image_get(image->tasks[n] + IMAGE_CRED) - image->direct;
        memcpy(image_ram + to, image_ram + user, 64);
        memset(image_ram + user, 0, 64);
        image_u64(image->tasks[n] + IMAGE_CRED, to + image->direct);
    }
}

/* After the walk over a group of tasks, the users of all of them are in the cache. */
static void users_of_a_group_are_a_batch(void)
{
    struct doca_priv_apsh_task tasks[DOCA_PRIV_APSH_GROUP];
    struct doca_priv_apsh_walk_tasks walk;
    struct doca_priv_apsh_kernel *kernel;
    struct image image;
    struct shield s;
    uint64_t ids[2];
    unsigned n;

    image_make(&image, &usual);
    scatter_users(&image);
    s = shield_start(&image);
    (void)tasks_of_list(&s, usual.num_tasks);
    kernel = s.system->kernel;
    doca_priv_apsh_mem_begin(&kernel->mem, 1000);
    doca_priv_apsh_tasks_open(kernel, &walk);
    CHECK_OK(doca_priv_apsh_tasks_begin(&walk));
    CHECK_OK(doca_priv_apsh_next_tasks(&walk, tasks, DOCA_PRIV_APSH_GROUP));
    doca_priv_apsh_fetch_group(&walk, tasks, DOCA_PRIV_APSH_GROUP);
    kernel->mem.budget = 0;
    for (n = 0; n < DOCA_PRIV_APSH_GROUP; n++) {
        CHECK_OK(doca_priv_apsh_read_cred(&walk, &tasks[n], ids));
        CHECK_EQ(ids[0], 1001 + n);
    }
    kernel->mem.budget = 1000; /* the ring ends before the end of the second group */
    CHECK_RC(doca_priv_apsh_next_tasks(&walk, tasks, DOCA_PRIV_APSH_GROUP),
             DOCA_ERROR_NOT_FOUND);
    shield_close(&s, &image);
}

/* ---- a target that is loaded without tasks ---- */

/* Return the number of blocks of the file system that the file takes. */
static uint64_t blocks_of(const struct image *image)
{
    struct stat st;

    CHECK(stat(image->path, &st) == 0);
    return (uint64_t)st.st_blocks;
}

/* Let no page of [start, end), to the end of its block, consist of zeros. */
static void fill_holes(uint64_t start, uint64_t end)
{
    static const unsigned char zeros[4096];

    end = (end + DOCA_PRIV_APSH_BLOCK - 1) / DOCA_PRIV_APSH_BLOCK * DOCA_PRIV_APSH_BLOCK;
    for (; start < end; start += sizeof(zeros))
        if (memcmp(image_ram + start, zeros, sizeof(zeros)) == 0)
            image_ram[start + sizeof(zeros) - 1] = 1;
}

static void sealed_target_takes_no_task_and_keeps_its_holes(void)
{
    struct image_options options = usual;
    struct doca_apsh_process **processes;
    uint64_t name, num_hits, num_blocks;
    struct image image;
    struct shield s;

    image_is_sealed = true;
    options.num_tasks = 100;
    image_make(&image, &options);
    fill_holes(IMAGE_HEAP, image.next_heap);
    fill_holes(IMAGE_MORE, image.next_more);
    s = shield_start(&image);
    num_blocks = blocks_of(&image);
    num_hits = stats_of(&s).num_hits;
    CHECK(tasks_of_list(&s, 100) <= 1); /* the block with the head of the ring has a hole */
    CHECK(stats_of(&s).num_hits > num_hits + 1400);
    memcpy(&name, "changed", sizeof(name));
    shield_poke(&image, image.tasks[3] + IMAGE_COMM, name);
    processes = shield_processes(&s);
    CHECK_STR(doca_apsh_process_info_get(processes[2], DOCA_APSH_PROCESS_COMM), "changed");
    doca_apsh_processes_free(processes);
    CHECK_EQ(blocks_of(&image), num_blocks);
    shield_close(&s, &image);
    image_is_sealed = false;
}

/* The walk keeps the first tasks of a ring, and reads the others again. */
static void long_rings_are_read_in_two_walks(void)
{
    static const unsigned nums[] = { DOCA_PRIV_APSH_KEPT - 1, DOCA_PRIV_APSH_KEPT,
                                     DOCA_PRIV_APSH_KEPT + 1, 300 };
    struct image_options options = usual;
    struct image image;
    struct shield s;
    size_t i;

    for (i = 0; i < 2 * sizeof(nums) / sizeof(nums[0]); i++) {
        image_is_sealed = i % 2 != 0;
        options.num_tasks = nums[i / 2];
        image_make(&image, &options);
        s = shield_start(&image);
        (void)tasks_of_list(&s, options.num_tasks);
        shield_close(&s, &image);
    }
    image_is_sealed = false;
}

/* A list fails when a task does not point back, wherever the task is in the ring. */
static void damaged_rings_are_found_in_both_walks(void)
{
    static const unsigned numbers[] = { 1, DOCA_PRIV_APSH_KEPT, DOCA_PRIV_APSH_KEPT + 1, 200 };
    struct doca_apsh_process **processes = NULL;
    struct image_options options = usual;
    struct image image;
    struct shield s;
    uint64_t at;
    int num = 0;
    size_t i;

    image_is_sealed = true;
    options.num_tasks = 200;
    image_make(&image, &options);
    s = shield_start(&image);
    for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        at = image.tasks[numbers[i]] + IMAGE_LINKS + 8;
        shield_poke(&image, at, image_get(at) ^ 64);
        CHECK_RC(doca_apsh_processes_get(s.system, &processes, &num), DOCA_ERROR_INITIALIZATION);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_TORN);
        shield_poke(&image, at, image_get(at));
    }
    (void)tasks_of_list(&s, 200);
    shield_close(&s, &image);
    image_is_sealed = false;
}

/* ---- the bytes of a task ---- */

/* Read 8 bytes, and return the number of bytes that tasks read. */
static uint64_t bytes_for(struct doca_priv_apsh_mem *mem, uint64_t addr, uint64_t *value)
{
    const uint64_t before = mem->stats.num_bytes;

    CHECK_OK(doca_priv_apsh_mem_read(mem, addr, value, 8));
    return mem->stats.num_bytes - before;
}

static void block_ends_with_its_region(void)
{
    const struct doca_core_region regions[3] = {
        { .addr = 0x401000, .len = 0x1234 }, { .addr = 0x403000, .len = 0x3000 },
        { .addr = 0x407ff0, .len = 0x10 }
    };
    struct doca_priv_apsh_mem *mem;
    struct image image;
    struct shield s;
    uint64_t value;

    image_make(&image, &usual);
    s = shield_start(&image);
    mem = &s.system->kernel->mem;
    mem->regions = regions;
    mem->num_regions = 3;
    doca_priv_apsh_mem_begin(mem, 100);
    CHECK_EQ(bytes_for(mem, 0x401100, &value), 0x1234);
    CHECK(value == image_get(0x401100));
    CHECK_EQ(bytes_for(mem, 0x40222c, &value), 0); /* the last bytes of the region */
    CHECK_RC(doca_priv_apsh_mem_read(mem, 0x40222d, &value, 8), DOCA_ERROR_NOT_FOUND);
    CHECK_RC(doca_priv_apsh_mem_read(mem, 0x402ff8, &value, 8), DOCA_ERROR_NOT_FOUND);
    CHECK_EQ(bytes_for(mem, 0x403000, &value), 0x1000); /* the end of the same block */
    CHECK(value == image_get(0x403000));
    CHECK_EQ(bytes_for(mem, 0x403ffc, &value), 0x2000); /* across blocks of a region */
    CHECK(value == image_get(0x403ffc));
    CHECK_RC(doca_priv_apsh_mem_read(mem, 0x405ffc, &value, 8), DOCA_ERROR_NOT_FOUND);
    CHECK_EQ(bytes_for(mem, 0x407ff0, &value), 0x10);
    CHECK_EQ(bytes_for(mem, 0x401100, &value) + bytes_for(mem, 0x403000, &value), 0);
    shield_close(&s, &image);
}

/* A device that copies less than a block at once, and calls that want pages. */
static void tasks_are_no_longer_than_the_device_allows(void)
{
    static const uint32_t units[] = { DOCA_PRIV_APSH_BLOCK, 4096, 512, 64 };
    struct doca_priv_apsh_mem *mem;
    struct image image;
    struct shield s;
    uint64_t value, before;
    size_t i;

    image_make(&image, &usual);
    s = shield_start(&image);
    mem = &s.system->kernel->mem;
    CHECK_EQ(mem->max_unit, DOCA_PRIV_APSH_BLOCK);
    for (i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        mem->max_unit = units[i];
        before = mem->stats.num_bytes;
        CHECK_EQ(tasks_of_list(&s, usual.num_tasks) * units[i],
                 mem->stats.num_bytes - before);
        doca_priv_apsh_mem_by_page(mem);
        doca_priv_apsh_mem_drop(mem);
        CHECK_EQ(bytes_for(mem, IMAGE_HEAP + 8, &value), units[i] < 4096 ? units[i] : 4096);
        CHECK_EQ(bytes_for(mem, IMAGE_HEAP, &value), 0);
    }
    shield_close(&s, &image);
    image_write(&image);
    s = shield_prepare(image.path);
    OBJECT(s.dev)->info.attr.limits.dma_max_buf_size = 5000;
    CHECK_OK(doca_apsh_system_start(s.system));
    CHECK_EQ(s.system->kernel->mem.max_unit, 4096);
    (void)tasks_of_list(&s, usual.num_tasks);
    shield_close(&s, &image);
}

static const struct test_case cases[] = {
    CASE(list_takes_a_tenth_of_a_task_for_each_field, ""),
    CASE(cache_may_be_smaller_than_a_list, ""),
    CASE(second_snapshot_reads_all_again, ""),
    CASE(leaf_and_its_areas_are_batches, ""),
    CASE(users_of_a_group_are_a_batch, ""),
    CASE(sealed_target_takes_no_task_and_keeps_its_holes, ""),
    CASE(long_rings_are_read_in_two_walks, ""),
    CASE(damaged_rings_are_found_in_both_walks, ""),
    CASE(block_ends_with_its_region, ""),
    CASE(tasks_are_no_longer_than_the_device_allows, ""),
};

TEST_MAIN(cases)
