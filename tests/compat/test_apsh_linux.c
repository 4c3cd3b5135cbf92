/* App Shield on a machine that runs Linux: the memory of the machine is a file that a test writes,
 * and the software device reads it. The private functions are tested as well, so this file
 * includes the code. */
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "doca_core_apsh.h"

#include "apsh_shield.h"

#include <time.h>

/* Compare one process with the task of the image. */
static void check_process(struct doca_apsh_process *p, unsigned n)
{
    char comm[16];

    (void)snprintf(comm, sizeof(comm), n == 7 ? "fifteen-letters" : "task-%u", n);
    CHECK_EQ(doca_apsh_process_info_get(p, DOCA_APSH_PROCESS_PID), image_pid(n));
    CHECK_EQ(doca_apsh_process_info_get(p, DOCA_APSH_PROCESS_PPID), image_pid(n / 2));
    CHECK_STR(doca_apsh_process_info_get(p, DOCA_APSH_PROCESS_COMM), comm);
    CHECK_EQ(doca_apsh_process_info_get(p, DOCA_APSH_PROCESS_CPU_TIME), image_cpu_time(n));
    CHECK_EQ(doca_apsh_process_info_get(p, DOCA_APSH_PROCESS_LINUX_UID), 1000 + n);
    CHECK_EQ(doca_apsh_process_info_get(p, DOCA_APSH_PROCESS_LINUX_GID), 2000 + n);
    CHECK_EQ(doca_apsh_process_info_get(p, DOCA_APSH_PROCESS_LINUX_STATE), n % 3);
    CHECK_EQ(doca_apsh_process_info_get(p, DOCA_APSH_PROCESS_WINDOWS_THREADS), 0);
}

/* Read the list of processes, and compare it with the image. */
static void check_processes(struct shield *s, unsigned want)
{
    struct doca_apsh_process **processes = NULL;
    int num = 0, i;

    CHECK_OK(doca_apsh_processes_get(s->system, &processes, &num));
    CHECK_EQ(num, want);
    for (i = 0; i < num; i++)
        check_process(processes[i], (unsigned)i + 1);
    doca_apsh_processes_free(processes);
}

static void processes_are_those_of_the_target(void)
{
    static const struct image_options rows[] = {
        { 4, 21, 0x0e400000, 20, 0, 0, 0, 0, NULL, 6, 0, 0, 0 },
        { 4, 12, 0, 20, 0, 0, 0, 0, NULL, 6, 0, 0, 0 }, /* pages of 4 KiB, no KASLR */
        { 4, 30, 0x200000, 20, 0, 0, 0, 1, NULL, 6, 0, 0, 0 },
        { 5, 21, 0x3a400000, 20, 0, 0, 1, 0, NULL, 6, 0, 0, 0 },
        { 5, 30, 0x0e400000, 20, 0, 0, 1, 1, "state", 6, 1, 0, 0 }, /* the name before 5.14 */
        { 4, 21, 0x0e400000, 20, 0, 1, 0, 0, NULL, 6, 0, 0, 0 },    /* a note without symbols */
        { 5, 21, 0x0e400000, 20, 0, 1, 1, 1, NULL, 6, 0, 0, 0 },
        { 4, 21, 0x0e400000, 20, 1, 0, 0, 0, NULL, 6, 0, 0, 0 }, /* no note at all */
        { 5, 21, 0x0e400000, 20, 1, 0, 1, 1, NULL, 6, 0, 0, 0 },
        { 4, 21, 0x0e400000, 20, 0, 0, 2, 0, NULL, 6, 0, 0, 0 }, /* offsets without a base */
        { 5, 21, 0x0e400000, 20, 0, 1, 2, 0, NULL, 6, 0, 0, 0 },
        { 4, 21, 0, 20, 1, 0, 2, 0, NULL, 6, 0, 0, 0 },
        { 4, 21, 0, 1, 0, 0, 0, 0, NULL, 6, 0, 0, 0 },
        { 4, 21, 0, 300, 0, 0, 0, 0, NULL, 6, 0, 0, 0 },
    };
    struct image image;
    struct shield s;
    size_t i;

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        image_make(&image, &rows[i]);
        s = shield_open(&image);
        if (s.status != DOCA_SUCCESS)
            test_fail(__FILE__, __LINE__, "row %u: %s", (unsigned)i,
                      doca_error_get_name(s.status));
        CHECK(s.system->kernel->direct == image.direct);
        check_processes(&s, rows[i].num_tasks);
        check_processes(&s, rows[i].num_tasks);
        shield_close(&s, &image);
    }
}

static void target_without_processes_has_an_empty_list(void)
{
    struct image_options options = usual;
    struct doca_apsh_process **processes = (struct doca_apsh_process **)(void *)&options;
    struct image image;
    struct shield s;
    int num = 5;

    options.num_tasks = 0;
    image_make(&image, &options);
    s = shield_open(&image);
    CHECK_OK(s.status);
    CHECK_OK(doca_apsh_processes_get(s.system, &processes, &num));
    CHECK(processes == NULL && num == 0);
    doca_apsh_processes_free(processes);
    shield_close(&s, &image);
}

static void list_ends_at_its_limit(void)
{
    struct doca_apsh_process **processes;
    struct image image;
    struct shield s;
    int num;

    image_make(&image, &usual);
    image_write(&image);
    s = shield_prepare(image.path);
    CHECK_OK(doca_apsh_sys_config(s.system, DOCA_APSH_PROCESS_LIMIT, 5));
    CHECK_OK(doca_apsh_sys_config(s.system, DOCA_APSH_STRING_LIMIT, 4));
    CHECK_OK(doca_apsh_system_start(s.system));
    CHECK_OK(doca_apsh_processes_get(s.system, &processes, &num));
    CHECK_EQ(num, 5);
    CHECK_STR(doca_apsh_process_info_get(processes[4], DOCA_APSH_PROCESS_COMM), "tas");
    doca_apsh_processes_free(processes);
    shield_close(&s, &image);
}

static void snapshot_outlives_its_system(void)
{
    struct doca_apsh_process **processes;
    struct doca_apsh_vad **vads;
    struct doca_apsh_handle **handles;
    struct image image;
    struct shield s;
    int num;

    image_make(&image, &usual);
    s = shield_open(&image);
    CHECK_OK(s.status);
    CHECK_OK(doca_apsh_processes_get(s.system, &processes, &num));
    test_log_lines = 0;
    CHECK_RC(doca_apsh_handles_get(processes[0], &handles, &num), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(test_log_lines, 1);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_WINDOWS_ONLY);
    CHECK_RC(doca_apsh_system_start(s.system), DOCA_ERROR_BAD_STATE);
    CHECK_RC(doca_core_apsh_sys_set_cache(s.system, 64), DOCA_ERROR_BAD_STATE);
    shield_close(&s, &image);
    check_process(processes[2], 3);
    CHECK_RC(doca_apsh_vads_get(processes[0], &vads, &num), DOCA_ERROR_INITIALIZATION);
    doca_apsh_processes_free(processes);
}

/* ---- damage ---- */

/* Start a system on the image. Returns the result of the start, and sets *item to the item of its
 * log line. */
static doca_error_t start_of(struct image *image, enum doca_core_item *item)
{
    struct shield s = shield_open(image);

    *item = doca_core_last_item();
    shield_close(&s, image);
    return s.status;
}

static void decoys_are_passed_over(void)
{
    struct image_options options = usual;
    struct image image;
    struct shield s;
    uint64_t at;

    image_make(&image, &options);
    /* a note before the real one, with another place of the page directory */
    memcpy(image_ram + 0x1000, image_ram + IMAGE_NOTE, 4096);
    image_ram[0x1000 + 24 + 60] ^= 1;
    memcpy(image_ram + 0x2000, image_ram + IMAGE_NOTE, 24); /* a note without text */
    memcpy(image_ram + 0x3000, image_ram + IMAGE_NOTE, 24 + 40);
    /* type information that no symbol names */
    memcpy(image_ram + 0x10000, image_ram + image.btf, image.btf_end - image.btf);
    image_u32(0x10000 + 24 + 8, 77);
    s = shield_open(&image);
    CHECK_OK(s.status);
    check_processes(&s, options.num_tasks);
    shield_close(&s, &image);
    options.has_no_note = true;
    image_make(&image, &options);
    for (at = 0x1000; at < 0x20000; at += 4096) /* page directories whose entries lead nowhere */
        image_u64(at + 4088, (at ^ 0x7000) | 0x67);
    s = shield_open(&image);
    CHECK_OK(s.status);
    check_processes(&s, options.num_tasks);
    shield_close(&s, &image);
}

static void broken_kernels_are_not_started(void)
{
    enum doca_core_item item;
    struct image image;

    image_make(&image, &usual);
    memset(image_ram, 0, sizeof(image_ram));
    CHECK_RC(start_of(&image, &item), DOCA_ERROR_INITIALIZATION);
    CHECK_EQ(item, DOCA_CORE_ITEM_APSH_NO_KERNEL);
    image_make(&image, &usual);
    memset(image_ram + image.banner, 'x', 16);
    CHECK_RC(start_of(&image, &item), DOCA_ERROR_INITIALIZATION);
    CHECK_EQ(item, DOCA_CORE_ITEM_APSH_NO_KERNEL);
    image_make(&image, &usual);
    image_u32(image.btf, 0);
    CHECK_RC(start_of(&image, &item), DOCA_ERROR_INITIALIZATION);
    CHECK_EQ(item, DOCA_CORE_ITEM_APSH_LAYOUT);
    image_make(&image, &usual);
    image_u32(image.btf + 24 + 16 * 20 + 4, 0x1f000000); /* a type of an unknown kind */
    CHECK_RC(start_of(&image, &item), DOCA_ERROR_INITIALIZATION);
    CHECK_EQ(item, DOCA_CORE_ITEM_APSH_LAYOUT);
    image_make(&image, &usual);
    image.o.state = NULL;
    memcpy(memmem(image_ram + image.btf, image.btf_end - image.btf, "real_parent", 12), "R", 1);
    CHECK_RC(start_of(&image, &item), DOCA_ERROR_INITIALIZATION);
    CHECK_EQ(item, DOCA_CORE_ITEM_APSH_LAYOUT);
    image_make(&image, &usual);
    memcpy(image_ram + IMAGE_NOTE + 24, "NUMBER(VA_BITS)=48\n", 19);
    image_ram[IMAGE_NOTE + 24 + 19] = '\0';
    memset(image_ram + image.root, 0, 4096);
    CHECK_RC(start_of(&image, &item), DOCA_ERROR_NOT_SUPPORTED);
    CHECK_EQ(item, DOCA_CORE_ITEM_APSH_PROCESSOR);
}

/* A member without a name has a type, whose number comes from the target. */
static void numbers_of_types_are_checked(void)
{
    enum doca_core_item item;
    struct image image;
    unsigned num = 0;
    uint64_t at;

    image_make(&image, &usual);
    for (at = image.btf + 24; at + 12 <= image.btf_end; at += 4) {
        if ((image_get(at) & 0xffffffff) != 0 || image_get(at) >> 32 == 0 ||
            image_get(at) >> 32 > 300)
            continue;
        image_u32(at + 4, 0xffffffff);
        (void)start_of(&image, &item);
        image_make(&image, &usual);
        num++;
    }
    CHECK(num > 0);
}

static void memory_that_cannot_be_opened_is_one_line(void)
{
    struct image image;
    struct shield s;

    image_make(&image, &usual);
    image_write(&image);
    CHECK(truncate(image.path, 0) == 0);
    s = shield_prepare(image.path);
    test_log_lines = 0;
    CHECK_RC(doca_apsh_system_start(s.system), DOCA_ERROR_OPERATING_SYSTEM);
    CHECK_EQ(test_log_lines, 1);
    shield_close(&s, &image);
}

static void tables_that_refer_to_themselves_end(void)
{
    enum doca_core_item item;
    struct image image;
    uint64_t at;
    unsigned i;

    image_make(&image, &usual);
    for (i = 0; i < 512; i++)
        image_u64(image.root + 8 * i, image.root | 0x67);
    CHECK_RC(start_of(&image, &item), DOCA_ERROR_INITIALIZATION);
    /* every page is full of such tables */
    for (at = 0; at < IMAGE_BYTES; at += 8)
        image_u64(at, (at & ~(uint64_t)4095) | 0x67);
    CHECK_RC(start_of(&image, &item), DOCA_ERROR_INITIALIZATION);
}

static void random_memory_is_no_kernel(void)
{
    enum doca_core_item item;
    uint32_t seed = 1, round;
    struct image image;
    uint64_t at;

    for (round = 0; round < 3; round++) {
        image_make(&image, &usual);
        for (at = 0; at < IMAGE_BYTES; at += 4) {
            seed = seed * 1664525 + 1013904223;
            /* the second round changes one word in a thousand, the third one in a hundred */
            if (round == 0 || (seed >> 8) % (round == 1 ? 1000 : 100) == 0)
                image_u32(at, seed);
        }
        (void)start_of(&image, &item); /* the start must end, with or without success */
    }
}

static void broken_rings_are_an_error(void)
{
    static const unsigned to[] = { 3, 9, 10 };
    struct doca_apsh_process **processes = NULL;
    struct image image;
    struct shield s;
    int num = 5;
    size_t i;

    for (i = 0; i < 6; i++) {
        image_make(&image, &usual);
        if (i < 3) /* the tenth task leads back into the ring */
            image_u64(image.tasks[10] + IMAGE_LINKS,
                      image_addr(&image, image.tasks[to[i]]) + IMAGE_LINKS);
        else if (i == 3) /* the tenth task leads to address 0 */
            image_u64(image.tasks[10] + IMAGE_LINKS, 0);
        else if (i == 4) /* the tenth task leads to an address behind the memory */
            image_u64(image.tasks[10] + IMAGE_LINKS, image.direct + IMAGE_BYTES);
        else
            image_u64(image.tasks[10] + IMAGE_CRED, 0x1234567812345678);
        s = shield_open(&image);
        CHECK_OK(s.status);
        CHECK_RC(doca_apsh_processes_get(s.system, &processes, &num), DOCA_ERROR_INITIALIZATION);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_TORN);
        CHECK(processes == NULL && num == 5);
        shield_close(&s, &image);
    }
}

static void torn_list_is_read_again(void)
{
    struct image image;
    struct shield s;
    uint64_t link;
    int fd;

    image_make(&image, &usual);
    s = shield_open(&image);
    CHECK_OK(s.status);
    check_processes(&s, usual.num_tasks);
    /* the cache is dropped: a change between two lists is seen */
    fd = open(image.path, O_RDWR);
    link = image_addr(&image, image.tasks[0]) + IMAGE_LINKS;
    CHECK(pwrite(fd, &link, 8, (off_t)(image.tasks[4] + IMAGE_LINKS)) == 8);
    link = image_addr(&image, image.tasks[4]) + IMAGE_LINKS;
    CHECK(pwrite(fd, &link, 8, (off_t)(image.tasks[0] + IMAGE_LINKS + 8)) == 8);
    check_processes(&s, 4);
    /* the file is cut short: an error, and no signal */
    CHECK(ftruncate(fd, IMAGE_HEAP) == 0);
    {
        struct doca_apsh_process **processes;
        int num;

        CHECK_RC(doca_apsh_processes_get(s.system, &processes, &num), DOCA_ERROR_IO_FAILED);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_READ);
        CHECK(ftruncate(fd, IMAGE_BYTES) == 0);
        for (link = IMAGE_HEAP; link < IMAGE_BYTES; link += 4096)
            CHECK(pwrite(fd, image_ram + link, 4096, (off_t)link) == 4096);
        CHECK(close(fd) == 0);
        check_processes(&s, usual.num_tasks); /* the system works again */
    }
    shield_close(&s, &image);
}

/* ---- memory ---- */

static void start_and_lists_take_what_is_said(void)
{
    static unsigned char memory[2 << 20] __attribute__((aligned(DOCA_CORE_LINE)));
    const size_t all = DOCA_CORE_BYTES_APSH_START(64), list = DOCA_CORE_BYTES_APSH_PROCESSES(20);
    struct doca_apsh_process **processes = NULL;
    struct doca_core_arena arena;
    struct doca_apsh_ctx *ctx;
    struct doca_apsh_system *system;
    size_t used, peak, bytes, begin, room;
    doca_error_t rc = DOCA_ERROR_NO_MEMORY;
    struct image image;
    struct shield s;
    int num;

    image_make(&image, &usual);
    image_write(&image);
    s = shield_prepare(image.path);
    CHECK_OK(doca_core_bytes_apsh_start(s.dev, 64, &bytes));
    CHECK_EQ(bytes, all);
    CHECK_OK(doca_core_bytes_apsh_processes(20, &bytes));
    CHECK_EQ(bytes, list);
    /* every amount of memory below fails cleanly */
    for (room = 0; rc == DOCA_ERROR_NO_MEMORY; room += 8 * DOCA_CORE_LINE) {
        CHECK(room <= all + 8 * DOCA_CORE_LINE);
        CHECK_OK(doca_core_arena_init(&arena, memory, DOCA_CORE_BYTES_APSH_CTX(1) +
                                                          DOCA_CORE_BYTES_APSH_SYSTEM(1) + room));
        ctx = doca_core_apsh_create_in(&arena);
        CHECK_OK(doca_apsh_dma_dev_set(ctx, s.dev));
        CHECK_OK(doca_apsh_start(ctx));
        system = doca_apsh_system_create(ctx);
        CHECK_OK(doca_apsh_sys_dev_set(system, s.rep));
        CHECK_OK(doca_apsh_sys_os_type_set(system, DOCA_APSH_SYSTEM_LINUX));
        CHECK_OK(doca_core_apsh_sys_set_cache(system, 64));
        CHECK_OK(doca_core_arena_query(&arena, &begin, NULL, NULL));
        rc = doca_apsh_system_start(system);
        CHECK_OK(doca_core_arena_query(&arena, &used, &peak, NULL));
        if (rc == DOCA_SUCCESS) {
            CHECK_EQ(peak - begin, all);
            CHECK_OK(doca_apsh_processes_get(system, &processes, &num));
            CHECK_OK(doca_core_arena_query(&arena, &bytes, NULL, NULL));
            CHECK_EQ(bytes - used, list);
            doca_apsh_processes_free(processes);
        } else {
            CHECK_RC(rc, DOCA_ERROR_NO_MEMORY);
            CHECK_EQ(used, begin);
        }
        doca_apsh_system_destroy(system);
        doca_apsh_destroy(ctx);
        CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
        CHECK_EQ(used, 0);
    }
    CHECK_OK(rc);
    shield_close(&s, &image);
}

/* The device fails: the K-th read fails once, fails from then on, or is not accepted. */
static void failed_reads_are_errors(void)
{
    struct doca_apsh_process **processes;
    char rule[64];
    struct image image;
    struct shield s;
    unsigned k, good = 0;
    doca_error_t rc;
    int num;

    image_make(&image, &usual);
    image_write(&image);
    for (k = 1; k < 4000; k += k < 40 ? 1 : 97) {
        CHECK_OK(doca_core_fault_set("log=0")); /* wraps the device that is opened next */
        s = shield_prepare(image.path);
        (void)snprintf(rule, sizeof(rule), "dma.%s=fail@%u%s,log=0",
                       k % 3 == 2 ? "submit" : "complete", k, k % 3 == 1 ? "+" : "");
        CHECK_OK(doca_core_fault_set(rule));
        rc = doca_apsh_system_start(s.system);
        if (rc == DOCA_SUCCESS) {
            rc = doca_apsh_processes_get(s.system, &processes, &num);
            if (rc == DOCA_SUCCESS) {
                CHECK_EQ(num, usual.num_tasks);
                doca_apsh_processes_free(processes);
                good++;
            } else {
                CHECK(rc == DOCA_ERROR_IO_FAILED || rc == DOCA_ERROR_INITIALIZATION);
            }
        } else {
            CHECK(rc == DOCA_ERROR_INITIALIZATION || rc == DOCA_ERROR_IO_FAILED);
        }
        doca_apsh_system_destroy(s.system);
        doca_apsh_destroy(s.ctx);
        CHECK_OK(doca_dev_rep_close(s.rep));
        CHECK_OK(doca_dev_close(s.dev));
        CHECK_OK(doca_core_fault_set(NULL));
    }
    CHECK(good > 0);
    CHECK_OK(doca_core_sw_set_topology(NULL));
    image_remove(&image);
}

/* ---- parts ---- */

static void walk_knows_every_size_of_page(void)
{
    static const unsigned leaves[] = { 12, 21, 30 };
    struct image_options options = usual;
    struct doca_priv_apsh_kernel *kernel;
    struct image image;
    struct shield s;
    uint64_t physical;
    unsigned i;

    for (i = 0; i < 6; i++) {
        options.levels = i < 3 ? 4 : 5;
        options.leaf = leaves[i % 3];
        image_make(&image, &options);
        s = shield_open(&image);
        CHECK_OK(s.status);
        kernel = s.system->kernel;
        CHECK_EQ(kernel->has_5_levels, i >= 3);
        CHECK_OK(doca_priv_apsh_walk(kernel, kernel->root, image.direct + 0x412345, &physical));
        CHECK_EQ(physical, 0x412345);
        CHECK_OK(doca_priv_apsh_walk(kernel, kernel->root, image.banner + image.delta, &physical));
        CHECK_EQ(physical, image.banner);
        CHECK_RC(doca_priv_apsh_walk(kernel, kernel->root, 0, &physical), DOCA_ERROR_NOT_FOUND);
        CHECK_RC(doca_priv_apsh_walk(kernel, kernel->root, 0x1234567812345678, &physical),
                 DOCA_ERROR_NOT_FOUND);
        CHECK_RC(doca_priv_apsh_walk(kernel, (uint64_t)1 << 40, image.direct, &physical),
                 DOCA_ERROR_NOT_FOUND);
        shield_close(&s, &image);
    }
}

static void members_are_found_by_their_path(void)
{
    static struct doca_priv_apsh_btf btf;
    struct doca_priv_apsh_kernel *kernel;
    struct image image;
    struct shield s;

    image_make(&image, &usual);
    s = shield_open(&image);
    CHECK_OK(s.status);
    kernel = s.system->kernel;
    CHECK_EQ(kernel->offsets[DOCA_PRIV_APSH_TASK_TGID], IMAGE_TGID); /* in anonymous members */
    CHECK_EQ(kernel->offsets[DOCA_PRIV_APSH_SIGNAL_STIME], IMAGE_SIGNAL_STIME);
    CHECK(doca_priv_apsh_btf_read(kernel, &btf, image.btf, image.btf_end - image.btf));
    /* names that the lists do not read are looked for as well once they are wanted */
    memset(btf.names, 0, sizeof(btf.names));
    memset(btf.buckets, 0, sizeof(btf.buckets));
    btf.num_names = 0;
    doca_priv_apsh_btf_want(&btf, "mm_struct.mm_mt.ma_root");
    doca_priv_apsh_btf_want(&btf, "task_struct.tasks.prev");
    CHECK_EQ(btf.num_names, 6);
    CHECK(doca_priv_apsh_btf_strings(&btf) && doca_priv_apsh_btf_types(&btf));
    CHECK_EQ(doca_priv_apsh_btf_member(&btf, "mm_struct", "mm_mt.ma_root"), 72);
    CHECK_EQ(doca_priv_apsh_btf_member(&btf, "task_struct", "tasks.prev"), IMAGE_LINKS + 8);
    CHECK_EQ((uint32_t)doca_priv_apsh_btf_member(&btf, "task_struct", "ma_root"), UINT32_MAX);
    CHECK_EQ((uint32_t)doca_priv_apsh_btf_member(&btf, "tasks", "prev"), UINT32_MAX);
    CHECK(!doca_priv_apsh_btf_read(kernel, &btf, image.btf, 20));
    CHECK(!doca_priv_apsh_btf_read(kernel, &btf, image.btf + 1, image.btf_end - image.btf));
    CHECK(!doca_priv_apsh_btf_read(kernel, &btf, image.btf, image.btf_end - image.btf - 1));
    shield_close(&s, &image);
}

/* Describe the table of symbols of the image. */
static void table_of(const struct image *image, struct doca_priv_apsh_table *table)
{
    table->names = image_table[0];
    table->tokens = image_table[1];
    table->index = image_table[2];
    table->offsets = image_table[3];
    table->num = image->num_symbols;
    table->base = image_get(image_table[5]);
}

static void names_and_types_use_up_the_steps_of_a_start(void)
{
    static struct doca_priv_apsh_scratch scratch;
    struct doca_priv_apsh_kernel *kernel;
    struct doca_priv_apsh_mem *mem;
    struct image image;
    struct shield s;
    uint64_t used;

    image_make(&image, &usual);
    s = shield_open(&image);
    CHECK_OK(s.status);
    kernel = s.system->kernel;
    mem = &kernel->mem;
    table_of(&image, &scratch.table);
    doca_priv_apsh_mem_begin(mem, 1000);
    used = mem->steps;
    CHECK(doca_priv_apsh_table_read(kernel, &scratch));
    used -= mem->steps;
    CHECK(used >= 2 * image.num_symbols && used < 10 * image.num_symbols);
    doca_priv_apsh_mem_begin(mem, 1000);
    mem->steps = 2 * image.num_symbols; /* enough for names, but not for their pages */
    CHECK(!doca_priv_apsh_table_read(kernel, &scratch));
    CHECK_EQ(mem->budget, 0);
    doca_priv_apsh_mem_begin(mem, 1000);
    mem->steps = image_num_types;
    CHECK(!doca_priv_apsh_btf_read(kernel, &scratch.btf, image.btf, image.btf_end - image.btf));
    CHECK_EQ(mem->budget, 0);
    shield_close(&s, &image);
}

/* Return the CPU time, in nanoseconds, of the fastest of three attempts to read the table. */
static uint64_t time_of_table(struct doca_priv_apsh_kernel *kernel,
                              struct doca_priv_apsh_scratch *scratch, bool is_good)
{
    uint64_t least = UINT64_MAX, now;
    struct timespec before, after;
    unsigned i;

    for (i = 0; i < 3; i++) {
        doca_priv_apsh_mem_begin(&kernel->mem, 10000);
        CHECK(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before) == 0);
        CHECK_EQ(doca_priv_apsh_table_read(kernel, scratch), is_good);
        CHECK(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after) == 0);
        now = (uint64_t)(after.tv_sec - before.tv_sec) * 1000000000u + (uint64_t)after.tv_nsec -
              (uint64_t)before.tv_nsec;
        least = now < least ? now : least;
    }
    return least;
}

/* In the kernel's table of symbols, each byte of a name stands for a token, a piece of text. A
 * hostile target can have tokens of 16 KiB; reading its names must not take much longer. */
static void long_tokens_do_not_keep_a_start_busy(void)
{
    static struct doca_priv_apsh_scratch scratch;
    const uint64_t long_tokens = IMAGE_KERNEL + (3u << 20);
    uint64_t usual_time, long_time;
    struct image image;
    struct shield s;

    image_make(&image, &usual);
    memset(image_ram + long_tokens, 'x', DOCA_PRIV_APSH_TOKENS);
    s = shield_open(&image);
    CHECK_OK(s.status);
    table_of(&image, &scratch.table);
    usual_time = time_of_table(s.system->kernel, &scratch, true);
    scratch.table.tokens = long_tokens;
    long_time = time_of_table(s.system->kernel, &scratch, false);
    if (long_time / 60 > usual_time)
        test_fail(__FILE__, __LINE__, "%llu ns with long tokens, %llu ns with usual ones",
                  (unsigned long long)long_time, (unsigned long long)usual_time);
    shield_close(&s, &image);
}

static void read_outside_the_regions_is_refused(void)
{
    struct doca_core_apsh_stats before, after;
    struct doca_priv_apsh_mem *mem;
    unsigned char bytes[16];
    struct image image;
    struct shield s;

    image_make(&image, &usual);
    s = shield_open(&image);
    CHECK_OK(s.status);
    mem = &s.system->kernel->mem;
    doca_priv_apsh_mem_begin(mem, 1);
    CHECK_OK(doca_core_apsh_sys_get_stats(s.system, &before));
    CHECK_RC(doca_priv_apsh_mem_read(mem, IMAGE_BYTES - 8, bytes, 16), DOCA_ERROR_NOT_FOUND);
    CHECK_RC(doca_priv_apsh_mem_read(mem, IMAGE_BYTES, bytes, 1), DOCA_ERROR_NOT_FOUND);
    CHECK_RC(doca_priv_apsh_mem_read(mem, UINT64_MAX - 4, bytes, 16), DOCA_ERROR_NOT_FOUND);
    CHECK_OK(doca_core_apsh_sys_get_stats(s.system, &after));
    CHECK_EQ(after.num_tasks, before.num_tasks);
    CHECK_OK(doca_priv_apsh_mem_read(mem, IMAGE_NOTE, bytes, 16));
    /* the budget is used up */
    CHECK_RC(doca_priv_apsh_mem_read(mem, IMAGE_HEAP, bytes, 16), DOCA_ERROR_IO_FAILED);
    CHECK_OK(doca_priv_apsh_mem_read(mem, IMAGE_NOTE + 100, bytes, 16));
    shield_close(&s, &image);
}

static const struct test_case cases[] = {
    CASE(processes_are_those_of_the_target, ""),
    CASE(target_without_processes_has_an_empty_list, ""),
    CASE(list_ends_at_its_limit, ""),
    CASE(snapshot_outlives_its_system, ""),
    CASE(decoys_are_passed_over, ""),
    CASE(broken_kernels_are_not_started, ""),
    CASE(memory_that_cannot_be_opened_is_one_line, ""),
    CASE(numbers_of_types_are_checked, ""),
    CASE(tables_that_refer_to_themselves_end, ""),
    CASE(random_memory_is_no_kernel, ""),
    CASE(broken_rings_are_an_error, ""),
    CASE(torn_list_is_read_again, ""),
    CASE(start_and_lists_take_what_is_said, ""),
    CASE(failed_reads_are_errors, ""),
    CASE(walk_knows_every_size_of_page, ""),
    CASE(members_are_found_by_their_path, ""),
    CASE(names_and_types_use_up_the_steps_of_a_start, ""),
    CASE(long_tokens_do_not_keep_a_start_busy, ""),
    CASE(read_outside_the_regions_is_refused, ""),
};

TEST_MAIN(cases)
