/* App Shield with a region file and a page directory file that the program sets. Both are read for
 * the machine of apsh_image.h, and damaged. */
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "doca_core_apsh.h"

#include "apsh_folder.h"

static void what_is_no_ordinary_file_is_refused(void)
{
    static const char *const names[] = { "pipe" };
    struct image image;
    struct shield s;
    unsigned i;

    folder_make();
    CHECK(mkfifo(place("pipe"), 0600) == 0);
    image_make(&image, &usual);
    for (i = 0; i < 9; i++) {
        const char *path = i % 3 == 0 ? place("pipe") : i % 3 == 1 ? place("none") : "/dev/zero";

        s = start_with(&image, i / 3 == 0 ? path : NULL, i / 3 == 1 ? path : NULL,
                       i / 3 == 2 ? path : NULL);
        CHECK_RC(s.status, DOCA_ERROR_INITIALIZATION);
        CHECK_EQ(test_log_lines, 1);
        CHECK_EQ(test_log_item, i / 3 == 0   ? DOCA_CORE_ITEM_APSH_MAP
                                : i / 3 == 1 ? DOCA_CORE_ITEM_APSH_REGIONS
                                             : DOCA_CORE_ITEM_APSH_KPGD);
        CHECK(strstr(doca_core_last_error(), i % 3 == 1 ? "ENOENT" : "not an ordinary file"));
        shield_close(&s, &image);
    }
    s = start_with(&image, NULL, folder, NULL);
    CHECK_RC(s.status, DOCA_ERROR_INITIALIZATION);
    shield_close(&s, &image);
    folder_remove(names, 1);
}

/* ---- regions ---- */

static const char *const regions_json[] = { "mem_regions.json" };

static void regions_are_read_in_every_dialect(void)
{
    static const struct {
        const char *text;
        uint32_t num;
        uint64_t regions[3][2]; /* start, end */
    } rows[] = {
        /* strict JSON; the second region touches the first, the third overlaps the second */
        { "{\"allowed_regions\": {\"0\": {\"start\": 4096, \"length\": 4096}, \"1\": {\"length\": "
          "8192, \"start\": 8192}, \"2\": {\"start\": 12288, \"length\": 20480}}}",
          1, { { 0x1000, 0x8000 } } },
        /* as written for Linux: lengths are a byte short, and a comma follows the last member */
        { "{\n\t\"allowed_regions\": {\n\t\t\"0\": {\"start\": 4096, \"length\": 650239},\n\t\t"
          "\"1\": {\"start\": 1048576, \"length\": 3220045823},\n\t},\n}\n",
          2, { { 0x1000, 0x9fc00 }, { 0x100000, 0xbffe0000 } } },
        /* as written for Windows: a dictionary of Python */
        { "{'allowed_regions': {'0': {'start': 4096, 'length': 651264}, '1': {'start': 1048576, "
          "'length': 4096}}, 'os': None}",
          2, { { 0x1000, 0xa0000 }, { 0x100000, 0x101000 } } },
        /* regions that are not sorted, begin inside a page or are empty; and other members */
        { "\xef\xbb\xbf{\"x\": [1, \"]\", {\"y\": '}'}], \"allowed_regions\": {\"a\": {\"start\": "
          "1048577, \"length\": 8191, \"name\": \"System RAM\"}, \"b\": {\"start\": 8192, "
          "\"length\": 4096}, \"c\": {\"start\": 0, \"length\": 0}, \"d\": {\"start\": 65537, "
          "\"length\": 9}}}",
          2, { { 0x2000, 0x3000 }, { 0x101000, 0x102000 } } },
    };
    static struct doca_priv_apsh_regions regions;
    size_t i, k;

    folder_make();
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CHECK_OK(doca_priv_apsh_regions_load(&regions, put_text(regions_json[0], rows[i].text),
                                             "test"));
        CHECK_EQ(regions.num, rows[i].num);
        for (k = 0; k < rows[i].num; k++) {
            CHECK_EQ(regions.list[k].addr, rows[i].regions[k][0]);
            CHECK_EQ(regions.list[k].addr + regions.list[k].len, rows[i].regions[k][1]);
        }
    }
    folder_remove(regions_json, 1);
}

static void damaged_regions_are_refused_with_the_reason(void)
{
    static const struct {
        const char *text, *words;
    } rows[] = {
        { "", "the file ends too early" },
        { "{}", "no region in \"allowed_regions\"" },
        { "{\"allowed_regions\": {}}", "no region in" },
        { "{\"allowed_regions\": []}", "no object where there should be one" },
        { "{\"allowed_regions\": {\"0\": {\"start\": 4096}}}", "without \"start\" or \"length\"" },
        { "{\"allowed_regions\": {\"0\": {\"start\": \"4096\", \"length\": 4096}}}", "no number" },
        { "{\"allowed_regions\": {\"0\": {\"start\": 4096.5, \"length\": 4096}}}", "no number" },
        { "{\"allowed_regions\": {\"0\": {\"start\": 4096, \"length\": 4503599627370496}}}",
          "a region that ends behind 2^52" },
        { "{\"allowed_regions\": {\"0\": {\"start\": 18446744073709551615, \"length\": 1}}}",
          "a region that ends behind 2^52" },
        { "{\"allowed_regions\": {\"0\": {\"start\": 4096, \"length\": 4096}}", "too early" },
        { "{\"allowed_regions\": {\"0\": {\"start\": 4096, \"length\": 4096},,}}", "no comma or" },
        { "{'allowed_regions\": {}}", "a string without its end" },
    };
    static struct doca_priv_apsh_regions regions;
    size_t i;

    folder_make();
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        test_log_lines = 0;
        CHECK_RC(doca_priv_apsh_regions_load(&regions, put_text(regions_json[0], rows[i].text),
                                             "test"),
                 DOCA_ERROR_INITIALIZATION);
        CHECK_EQ(test_log_lines, 1);
        if (strstr(doca_core_last_error(), rows[i].words) == NULL)
            test_fail(__FILE__, __LINE__, "row %u: %s", (unsigned)i, doca_core_last_error());
    }
    files_len = 0;
    files_add("{\"allowed_regions\": {");
    for (i = 0; i <= DOCA_CORE_APSH_REGIONS; i++)
        files_add("\"%u\": {\"start\": %u, \"length\": 4096},", (unsigned)i, (unsigned)i * 8192);
    files_add("}}");
    CHECK_RC(doca_priv_apsh_regions_load(&regions, put(regions_json[0]), "test"),
             DOCA_ERROR_INITIALIZATION);
    CHECK(strstr(doca_core_last_error(), "DOCA_CORE_APSH_REGIONS") != NULL);
    files_len = 0;
    files_add("{%*s}", 1 << 20, " "); /* too long */
    CHECK_RC(doca_priv_apsh_regions_load(&regions, put(regions_json[0]), "test"),
             DOCA_ERROR_INITIALIZATION);
    CHECK(strstr(doca_core_last_error(), "longer than may be read") != NULL);
    folder_remove(regions_json, 1);
}

/* Write a file with one region, and start a system with it. */
static struct shield start_in(struct image *image, uint64_t start, uint64_t end)
{
    files_len = 0;
    files_add("{'allowed_regions': {'0': {'start': %llu, 'length': %llu}}}",
              (unsigned long long)start, (unsigned long long)(end - start));
    return start_with(image, NULL, put(regions_json[0]), NULL);
}

static void reads_stay_in_the_regions(void)
{
    struct doca_apsh_process **processes;
    struct image image;
    struct shield s;
    size_t used, base;
    int num;

    folder_make();
    image_make(&image, &usual);
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &base, NULL, NULL));
    s = start_in(&image, 0x1000, IMAGE_BYTES);
    check_list(&s, 20);
    CHECK_EQ(test_log_lines, 0);
    CHECK(!doca_priv_apsh_mem_has(&s.system->kernel->mem, 0xfff, 1));
    CHECK(doca_priv_apsh_mem_has(&s.system->kernel->mem, 0x1000, IMAGE_BYTES - 0x1000));
    shield_close(&s, &image);
    s = start_in(&image, 0, IMAGE_BYTES + 4096); /* a page more than the memory has */
    check_list(&s, 20);
    CHECK_EQ(test_log_lines, 1);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_REGIONS_DIFFER);
    shield_close(&s, &image);
    s = start_in(&image, IMAGE_BYTES, 2 * IMAGE_BYTES);
    CHECK_RC(s.status, DOCA_ERROR_INITIALIZATION);
    CHECK_EQ(test_log_lines, 1);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_REGIONS);
    shield_close(&s, &image);
    s = start_in(&image, 0, IMAGE_KERNEL); /* without the kernel */
    CHECK_RC(s.status, DOCA_ERROR_INITIALIZATION);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_NO_KERNEL);
    shield_close(&s, &image);
    /* only the first tasks are inside the region */
    files_len = 0;
    files_add("{'allowed_regions': {'0': {'start': 0, 'length': %u}, '1': {'start': %u, 'length': "
              "%u}}}",
              (unsigned)image.tasks[3] & ~4095u, IMAGE_NOTE, IMAGE_BYTES - IMAGE_NOTE);
    s = start_with(&image, NULL, put(regions_json[0]), NULL);
    CHECK_OK(s.status);
    CHECK_RC(doca_apsh_processes_get(s.system, &processes, &num), DOCA_ERROR_INITIALIZATION);
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &used, NULL, NULL));
    CHECK(s.system->kernel->mem.num_regions == 2);
    shield_close(&s, &image);
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &used, NULL, NULL));
    CHECK_EQ(used, base);
    folder_remove(regions_json, 1);
}

/* Return the bytes of the arena that the start took. */
static size_t bytes_of_start(struct image *image, const char *regions)
{
    struct shield s = shield_prepare(image->path);
    size_t before, after;

    if (regions != NULL)
        CHECK_OK(doca_apsh_sys_mem_region_set(s.system, regions));
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &before, NULL, NULL));
    CHECK_OK(doca_apsh_system_start(s.system));
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &after, NULL, NULL));
    doca_apsh_system_destroy(s.system);
    doca_apsh_destroy(s.ctx);
    CHECK_OK(doca_dev_rep_close(s.rep));
    CHECK_OK(doca_dev_close(s.dev));
    CHECK_OK(doca_core_sw_set_topology(NULL));
    return after - before;
}

static void regions_take_what_is_said(void)
{
    struct image image;
    size_t without;

    folder_make();
    image_make(&image, &usual);
    image_write(&image);
    without = bytes_of_start(&image, NULL);
    (void)put_text(regions_json[0], "{'allowed_regions': {'0': {'start': 0, 'length': 40960}, '1': "
                                    "{'start': 65536, 'length': 25100288}}}");
    CHECK_EQ(bytes_of_start(&image, place(regions_json[0])),
             without + DOCA_CORE_BYTES_APSH_REGIONS(2));
    image_remove(&image);
    folder_remove(regions_json, 1);
}

/* ---- page directory ---- */

static const char *const kpgd_conf[] = { "kpgd_file.conf" };

static void page_directory_files_are_two_numbers(void)
{
    static const struct {
        const char *text, *words;
        uint64_t root, init_task;
    } rows[] = {
        { "18a00000\nffffffffba40d940\n", NULL, 0x18a00000, 0xffffffffba40d940u },
        { "0x18A00000\r\n0XFFFFFFFFBA40D940", NULL, 0x18a00000, 0xffffffffba40d940u },
        { " 0\t0 \n\n", NULL, 0, 0 },
        { "", "fewer than two numbers", 0, 0 },
        { "18a00000\n", "fewer than two numbers", 0, 0 },
        { "18a00000\n0x", "fewer than two numbers", 0, 0 },
        { "18a00000\n5\n6", "more than two numbers", 0, 0 },
        { "18a00000\n11112222333344445", "more than 16 digits", 0, 0 },
        { "18a0000g\n5", "no hexadecimal digit, at byte 8", 0, 0 },
        { "00x5\n5", "no hexadecimal digit", 0, 0 },
        { "18a00010\n5", "not that of a page", 0, 0 },
    };
    static struct doca_priv_apsh_json json;
    struct doca_priv_apsh_kpgd kpgd;
    size_t i;

    folder_make();
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *path = put_text(kpgd_conf[0], rows[i].text);

        if (rows[i].words == NULL) {
            CHECK_OK(doca_priv_apsh_kpgd_load(&kpgd, &json, path, "test"));
            CHECK_EQ(kpgd.root, rows[i].root);
            CHECK_EQ(kpgd.init_task, rows[i].init_task);
        } else {
            CHECK_RC(doca_priv_apsh_kpgd_load(&kpgd, &json, path, "test"),
                     DOCA_ERROR_INITIALIZATION);
            if (strstr(doca_core_last_error(), rows[i].words) == NULL)
                test_fail(__FILE__, __LINE__, "row %u: %s", (unsigned)i, doca_core_last_error());
        }
    }
    files_len = 0;
    files_add("18a00000%*s5", 5000, " ");
    CHECK_RC(doca_priv_apsh_kpgd_load(&kpgd, &json, put(kpgd_conf[0]), "test"),
             DOCA_ERROR_INITIALIZATION);
    CHECK(strstr(doca_core_last_error(), "longer than may be read") != NULL);
    folder_remove(kpgd_conf, 1);
}

/* Start with the two numbers as a page directory file. */
static struct shield start_from(struct image *image, const char *map, uint64_t root,
                                uint64_t init_task)
{
    files_len = 0;
    files_add("%llx\n%016llx\n", (unsigned long long)root, (unsigned long long)init_task);
    return start_with(image, map, NULL, put(kpgd_conf[0]));
}

static void page_directory_of_the_file_saves_the_search(void)
{
    static const char *const names[] = { "kpgd_file.conf", "symbols.json" };
    struct image_options options = usual;
    struct doca_core_apsh_stats with, without;
    const char *map;
    struct image image;
    struct shield s;
    unsigned i;

    folder_make();
    for (i = 0; i < 4; i++) {
        options.levels = i % 2 == 0 ? 4 : 5;
        options.has_no_note = true; /* the search finds a note earlier than a page directory */
        image_make(&image, &options);
        files_map(&image, &plain);
        map = put("symbols.json");
        if (i / 2 == 1)
            files_strip(&image);
        s = start_with(&image, map, NULL, NULL);
        check_list(&s, 20);
        CHECK_OK(doca_core_apsh_sys_get_stats(s.system, &without));
        shield_close(&s, &image);
        s = start_from(&image, map, image.root, image.tasks[0] + image.delta);
        CHECK_EQ(test_log_lines, 0);
        CHECK_OK(doca_core_apsh_sys_get_stats(s.system, &with));
        CHECK(with.num_tasks + IMAGE_BYTES / 4096 < without.num_tasks);
        check_list(&s, 20);
        shield_close(&s, &image);
    }
    folder_remove(names, 2);
}

/* When a page directory of 5 levels is read with 4, it leads to something like an image. This
 * happens on real machines. */
static void page_directory_of_5_levels_is_not_taken_for_one_of_4(void)
{
    static const uint64_t fake = IMAGE_TABLES + (1u << 20);
    struct image_options options = usual;
    struct image image;
    struct shield s;
    unsigned i;

    folder_make();
    options.levels = 5;
    options.has_no_note = true;
    for (i = 0; i < 2; i++) {
        image_make(&image, &options);
        image_u64((image_get(image.root + 511 * 8) & ~(uint64_t)4095) + 510 * 8, fake | 0x67);
        image_u64(fake + 8 * 8, IMAGE_HEAP | 0xe3);
        if (i == 0) {
            s = start_from(&image, NULL, image.root, image.tasks[0] + image.delta);
            CHECK_EQ(test_log_lines, 0);
        } else {
            s = start_with(&image, NULL, NULL, NULL);
        }
        check_list(&s, 20);
        shield_close(&s, &image);
    }
    folder_remove(kpgd_conf, 1);
}

static void page_directory_of_an_earlier_boot_is_passed_over(void)
{
    static const uint64_t roots[] = { 0, 0x5000, IMAGE_TABLES + 4096, (uint64_t)1 << 40,
                                      0xfffffffffffff000u };
    struct image image;
    struct shield s;
    size_t i;

    folder_make();
    image_make(&image, &usual);
    for (i = 0; i <= sizeof(roots) / sizeof(roots[0]); i++) {
        s = i == 0 ? start_from(&image, NULL, image.root, image.tasks[0] + image.delta + 4096)
                   : start_from(&image, NULL, roots[i - 1], image.tasks[0] + image.delta);
        check_list(&s, 20);
        CHECK_EQ(test_log_lines, 1);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_KPGD_DIFFERS);
        shield_close(&s, &image);
    }
    folder_remove(kpgd_conf, 1);
}

static const struct test_case cases[] = {
    CASE(what_is_no_ordinary_file_is_refused, ""),
    CASE(regions_are_read_in_every_dialect, ""),
    CASE(damaged_regions_are_refused_with_the_reason, ""),
    CASE(reads_stay_in_the_regions, ""),
    CASE(regions_take_what_is_said, ""),
    CASE(page_directory_files_are_two_numbers, ""),
    CASE(page_directory_of_the_file_saves_the_search, ""),
    CASE(page_directory_of_5_levels_is_not_taken_for_one_of_4, ""),
    CASE(page_directory_of_an_earlier_boot_is_passed_over, ""),
};

TEST_MAIN(cases)
