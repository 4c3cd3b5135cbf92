/* App Shield on a device that fails: at each read of a start, and of the lists whose addresses are
 * translated by page tables or whose kernel counts run time. The suites of the lists have the other
 * failures. */
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "doca_core_apsh.h"

#include "apsh_faults.h"
#include "apsh_folder.h"

/* Write a region file that leaves out most pages of zeros, so that a start has few reads. */
static const char *put_regions(const struct image *image)
{
    const uint64_t parts[5][2] = {
        { IMAGE_TABLES, image->next_table }, { IMAGE_HEAP, image->next_heap },
        { IMAGE_NOTE, IMAGE_NOTE + 4096 },   { IMAGE_MORE, image->next_more },
        { IMAGE_KERNEL, IMAGE_PAGES },
    };
    unsigned n;

    files_len = 0;
    files_add("{\"allowed_regions\": {");
    for (n = 0; n < 5; n++)
        files_add("%s\"%u\": {\"start\": %llu, \"length\": %llu}", n > 0 ? ", " : "", n,
                  (unsigned long long)parts[n][0],
                  (unsigned long long)((parts[n][1] - parts[n][0] + 4095) & ~4095ull));
    files_add("}}");
    return put("mem_regions.json");
}

/* Facts about a start that succeeded. */
struct start {
    uint64_t reads;
    bool has_direct; /* the start found the direct map of the kernel */
};

/* Start a second system for the target of `s`, and destroy it. Returns what the start returned. */
static doca_error_t start_another(const struct shield *s, const char *regions, struct start *start)
{
    struct doca_apsh_system *system = doca_apsh_system_create(s->ctx);
    struct doca_core_apsh_stats stats;
    doca_error_t rc;

    CHECK(system != NULL);
    CHECK_OK(doca_apsh_sys_dev_set(system, s->rep));
    CHECK_OK(doca_apsh_sys_os_type_set(system, DOCA_APSH_SYSTEM_LINUX));
    CHECK_OK(doca_core_apsh_sys_set_cache(system, 256));
    CHECK_OK(doca_apsh_sys_mem_region_set(system, regions));
    rc = doca_apsh_system_start(system);
    if (rc == DOCA_SUCCESS) {
        CHECK_OK(doca_core_apsh_sys_get_stats(system, &stats));
        start->reads = stats.num_tasks;
        start->has_direct = system->kernel->direct != 0;
    }
    doca_apsh_system_destroy(system);
    return rc;
}

/* A start passes over memory that it cannot read, so a single failure may go unnoticed. If all
 * later reads fail too, the start fails. The last reads are an exception: they look for the direct
 * map, and a system works without it. */
static void failed_reads_of_a_start_are_errors(void)
{
    static const char *const names[] = { "mem_regions.json" };
    struct start whole, start;
    size_t level, now;
    unsigned way, k, num_errors = 0;
    const char *regions;
    struct image image;
    doca_error_t rc;
    char rule[64];
    struct shield s;

    folder_make();
    image_make(&image, &usual);
    regions = put_regions(&image);
    CHECK_OK(doca_core_fault_set("log=0")); /* wraps the device that is opened next */
    s = shield_start(&image);
    CHECK_OK(doca_core_arena_query(s.ctx->arena, &level, NULL, NULL));
    CHECK_OK(start_another(&s, regions, &whole));
    CHECK(whole.reads > 50 && whole.has_direct);
    for (way = 0; way < 4; way++)
        for (k = 1; k <= whole.reads; k++) {
            (void)snprintf(rule, sizeof(rule), "dma.%s=fail@%u%s,log=0",
                           way % 2 == 0 ? "complete" : "submit", k, way >= 2 ? "+" : "");
            CHECK_OK(doca_core_fault_set(rule));
            rc = start_another(&s, regions, &start);
            if (rc != DOCA_SUCCESS)
                CHECK_RC(rc, DOCA_ERROR_INITIALIZATION);
            else
                CHECK(way < 2 || !start.has_direct);
            num_errors += rc != DOCA_SUCCESS;
            CHECK_OK(doca_core_arena_query(s.ctx->arena, &now, NULL, NULL));
            CHECK_EQ(now, level);
        }
    CHECK(num_errors >= 2 * (whole.reads - 4));
    CHECK_OK(doca_core_fault_set("log=0"));
    CHECK_OK(start_another(&s, regions, &start)); /* the device works again */
    CHECK(start.has_direct);
    shield_close(&s, &image);
    CHECK_OK(doca_core_fault_set(NULL));
    folder_remove(names, 1);
}

/* ---- lists ---- */

/* Fail each read of all lists of an image with 8 tasks. The seventh has three threads and common
 * areas. */
static void check_all(struct image *image)
{
    check_faults(image, apsh_get_processes, 0, 8);
    check_faults(image, apsh_get_modules, 0, 6);
    check_faults(image, apsh_get_threads, 7 - 1, 3);
    check_faults(image, apsh_get_vads, 7 - 1, IMAGE_COMMON);
    check_faults(image, apsh_get_libs, 7 - 1, 3);
}

/* The kernel does not tell where its direct map is, so page tables translate each address. */
static void failed_reads_of_page_tables_are_errors(void)
{
    static const struct image_options forms[] = {
        { 4, 12, 0x0e400000, 8, 0, 0, 0, 0, NULL, 6, 0, 0, 0 },
        { 5, 21, 0x0e400000, 8, 0, 0, 1, 0, NULL, 6, 1, 1, 0 },
    };
    struct image image;
    unsigned i;

    for (i = 0; i < 2; i++) {
        image_make(&image, &forms[i]);
        image_u64(image.direct_base, 0);
        check_all(&image);
    }
}

/* A kernel that counts run time, and whose modules have parts. */
static void failed_reads_of_a_kernel_with_run_time_are_errors(void)
{
    static const struct image_options form = { 5, 21, 0, 8, 0, 0, 1, 0, NULL, 6, 1, 0, 1 };
    struct image image;

    image_make(&image, &form);
    check_all(&image);
}

static const struct test_case cases[] = {
    CASE(failed_reads_of_a_start_are_errors, ""),
    CASE(failed_reads_of_page_tables_are_errors, ""),
    CASE(failed_reads_of_a_kernel_with_run_time_are_errors, ""),
};

TEST_MAIN(cases)
