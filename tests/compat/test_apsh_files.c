/* App Shield with the files that a program may set: the symbol map, the regions of memory, and the
 * page directory. Each is read for the machine of apsh_image.h, and damaged. */
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "doca_core_apsh.h"

#include "apsh_files.h"
#include "apsh_shield.h"

#include <stdarg.h>

static const struct files_options plain = { 0, 0, 0, { NULL, NULL }, 0 };

static char folder[64]; /* of the files of a case */

static const char *place(const char *name)
{
    static char paths[4][128];
    static unsigned next;
    char *path = paths[next++ % 4];

    (void)snprintf(path, sizeof(paths[0]), "%s/%s", folder, name);
    return path;
}

static void folder_make(void)
{
    strcpy(folder, "/tmp/doca_core_files.XXXXXX");
    CHECK(mkdtemp(folder) != NULL);
}

/* Remove these files of the folder, the folder itself being the end. */
static void folder_remove(const char *const *names, size_t num)
{
    size_t i;

    for (i = 0; i < num; i++)
        CHECK(unlink(place(names[i])) == 0);
    CHECK(rmdir(folder) == 0);
}

static const char *put(const char *name)
{
    const char *path = place(name);

    files_put(path);
    return path;
}

static const char *put_text(const char *name, const char *text)
{
    files_len = 0;
    files_add("%s", text);
    return put(name);
}

/* Start a system with these files; NULL: without. */
static struct shield start_with(struct image *image, const char *map, const char *regions,
                                const char *kpgd)
{
    struct shield s;

    image_write(image);
    s = shield_prepare(image->path);
    if (map != NULL)
        CHECK_OK(doca_apsh_sys_os_symbol_map_set(s.system, map));
    if (regions != NULL)
        CHECK_OK(doca_apsh_sys_mem_region_set(s.system, regions));
    if (kpgd != NULL)
        CHECK_OK(doca_apsh_sys_kpgd_file_set(s.system, kpgd));
    test_log_lines = 0;
    CHECK_OK(doca_core_log_set_level(DOCA_CORE_LOG_WARNING));
    s.status = doca_apsh_system_start(s.system);
    CHECK_OK(doca_core_log_set_level(DOCA_CORE_LOG_DEBUG));
    return s;
}

/* Check that the list of processes is that of the image. */
static void check_list(struct shield *s, unsigned want)
{
    struct doca_apsh_process **processes = NULL;
    int num = 0, i;

    CHECK_OK(s->status);
    CHECK_OK(doca_apsh_processes_get(s->system, &processes, &num));
    CHECK_EQ(num, want);
    for (i = 0; i < num; i++) {
        const unsigned n = (unsigned)i + 1;
        char comm[16];

        (void)snprintf(comm, sizeof(comm), n == 7 ? "fifteen-letters" : "task-%u", n);
        CHECK_EQ(doca_apsh_process_info_get(processes[i], DOCA_APSH_PROCESS_PID), image_pid(n));
        CHECK_EQ(doca_apsh_process_info_get(processes[i], DOCA_APSH_PROCESS_PPID),
                 image_pid(n / 2));
        CHECK_STR(doca_apsh_process_info_get(processes[i], DOCA_APSH_PROCESS_COMM), comm);
        CHECK_EQ(doca_apsh_process_info_get(processes[i], DOCA_APSH_PROCESS_LINUX_UID), 1000 + n);
    }
    doca_apsh_processes_free(processes);
}

/* ---- symbol maps ---- */

static const char *const map_json[] = { "symbols.json" };

static void map_tells_symbols_and_members_of_a_kernel_without_them(void)
{
    static const struct image_options rows[] = {
        { 4, 21, 0x0e400000, 20, 0, 0, 0, 0, NULL, 6, 0, 0, 0 },
        { 5, 21, 0x3a400000, 20, 0, 0, 1, 0, "state", 6, 0, 0, 0 },
        { 4, 12, 0, 20, 0, 0, 0, 0, NULL, 6, 0, 0, 0 },
        { 4, 21, 0x0e400000, 20, 1, 0, 0, 0, NULL, 6, 0, 0, 0 },
        { 5, 30, 0x200000, 20, 1, 0, 1, 1, NULL, 6, 0, 0, 0 },
    };
    struct files_options options = plain;
    struct image image;
    struct shield s;
    size_t i;

    folder_make();
    for (i = 0; i < 4 * sizeof(rows) / sizeof(rows[0]); i++) {
        image_make(&image, &rows[i / 4]);
        options.is_descending = i % 2 != 0;
        options.has_symbols_last = i / 2 % 2 != 0;
        files_map(&image, &options);
        files_strip(&image);
        s = start_with(&image, put("symbols.json"), NULL, NULL);
        check_list(&s, 20);
        CHECK_EQ(test_log_lines, 0);
        CHECK(s.system->kernel->direct == image.direct);
        shield_close(&s, &image);
    }
    image_make(&image, &rows[0]); /* without the map there is nothing */
    files_strip(&image);
    s = start_with(&image, NULL, NULL, NULL);
    CHECK_RC(s.status, DOCA_ERROR_INITIALIZATION);
    shield_close(&s, &image);
    folder_remove(map_json, 1);
}

static void map_beside_the_memory_agrees_with_it(void)
{
    struct image image;
    struct shield s;

    folder_make();
    image_make(&image, &usual);
    files_map(&image, &plain);
    s = start_with(&image, put("symbols.json"), NULL, NULL);
    check_list(&s, 20);
    CHECK_EQ(test_log_lines, 0);
    shield_close(&s, &image);
    folder_remove(map_json, 1);
}

static void map_has_every_number_that_the_memory_has(void)
{
    static struct doca_priv_apsh_isf isf;
    struct doca_priv_apsh_map map;
    struct doca_priv_apsh_kernel *kernel;
    uint64_t budget = DOCA_CORE_APSH_FILE_BYTES;
    struct image image;
    struct shield s;
    size_t i;

    folder_make();
    image_make(&image, &usual);
    files_map(&image, &plain);
    s = start_with(&image, NULL, NULL, NULL);
    CHECK_OK(s.status);
    kernel = s.system->kernel;
    CHECK(doca_priv_apsh_isf_load(&isf, &map, put("symbols.json"), &budget));
    for (i = 0; i < DOCA_PRIV_APSH_NUM_MEMBERS; i++)
        CHECK_EQ((uint32_t)map.offsets[i], (uint32_t)kernel->offsets[i]);
    for (i = 0; i < DOCA_PRIV_APSH_NUM_SYMBOLS; i++)
        if (kernel->symbols[i] != 0)
            CHECK_EQ(map.symbols[i], kernel->symbols[i] - usual.kaslr);
    CHECK_EQ(map.banner_len, strlen((const char *)image_ram + image.banner));
    shield_close(&s, &image);
    folder_remove(map_json, 1);
}

static void map_is_believed_before_the_memory(void)
{
    struct files_options options = plain;
    struct doca_apsh_process **processes;
    struct image image;
    struct shield s;
    int num;

    folder_make();
    image_make(&image, &usual);
    options.swapped[0] = "uid";
    options.swapped[1] = "gid";
    files_map(&image, &options);
    s = start_with(&image, put("symbols.json"), NULL, NULL);
    CHECK_OK(s.status);
    CHECK_EQ(test_log_lines, 1);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_MAP_DIFFERS);
    CHECK(strstr(doca_core_last_error(), "cred.uid") != NULL);
    CHECK_OK(doca_apsh_processes_get(s.system, &processes, &num));
    CHECK_EQ(doca_apsh_process_info_get(processes[0], DOCA_APSH_PROCESS_LINUX_UID), 2001);
    doca_apsh_processes_free(processes);
    shield_close(&s, &image);
    folder_remove(map_json, 1);
}

static void symbol_of_the_map_is_believed_before_the_memory(void)
{
    static const char key[] = "\"page_offset_base\": {\"address\": ";
    struct image image;
    struct shield s;
    char *address;

    folder_make();
    image_make(&image, &usual);
    files_map(&image, &plain);
    address = strstr(files_text, key);
    CHECK(address != NULL);
    address += sizeof(key) - 1;
    address[18] = address[18] == '9' ? '8' : (char)(address[18] + 1); /* in the same page */
    s = start_with(&image, put("symbols.json"), NULL, NULL);
    CHECK_EQ(test_log_lines, 1);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_MAP_DIFFERS);
    CHECK(strstr(doca_core_last_error(), "page_offset_base") != NULL);
    CHECK_EQ(s.system->kernel->direct, 0); /* where the variable is not: walks do without it */
    check_list(&s, 20);
    shield_close(&s, &image);
    folder_remove(map_json, 1);
}

static void map_of_another_kernel_is_refused(void)
{
    struct files_options options = plain;
    struct image image;
    struct shield s;
    unsigned i;

    folder_make();
    for (i = 0; i < 3; i++) {
        image_make(&image, &usual);
        options.has_no_banner = i == 1;
        if (i == 2) { /* the name of the first task is elsewhere */
            options.swapped[0] = "comm";
            options.swapped[1] = "cred";
        }
        files_map(&image, &options);
        if (i == 0) /* another version */
            image_ram[image.banner + 15] ^= 1;
        else if (i == 1) /* another place of the banner */
            memmove(image_ram + image.banner + 8, image_ram + image.banner, 40);
        s = start_with(&image, put("symbols.json"), NULL, NULL);
        CHECK_RC(s.status, DOCA_ERROR_INITIALIZATION);
        CHECK_EQ(test_log_lines, 1);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_MAP_FOREIGN);
        shield_close(&s, &image);
    }
    folder_remove(map_json, 1);
}

static void map_that_lacks_a_member_takes_it_from_the_memory(void)
{
    struct image image;
    struct shield s;
    char *member;
    unsigned i;

    folder_make();
    for (i = 0; i < 2; i++) {
        image_make(&image, &usual);
        files_map(&image, &plain);
        member = strstr(files_text, "\"real_parent\"");
        CHECK(member != NULL);
        member[1] = 'R';
        if (i == 1)
            files_strip(&image);
        s = start_with(&image, put("symbols.json"), NULL, NULL);
        if (i == 0) {
            check_list(&s, 20);
        } else {
            CHECK_RC(s.status, DOCA_ERROR_INITIALIZATION);
            CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_LAYOUT);
            CHECK(strstr(doca_core_last_error(), "task_struct.real_parent") != NULL);
        }
        shield_close(&s, &image);
    }
    folder_remove(map_json, 1);
}

static void folder_has_the_map_of_the_kernel(void)
{
    static const char *const names[] = { "README", "a.json", "b.json", "c.json", "d.json" };
    struct files_options options = plain;
    struct image image;
    struct shield s;

    folder_make();
    image_make(&image, &usual);
    files_map(&image, &plain);
    (void)put("README"); /* right, but not named as a map */
    options.has_no_banner = true;
    files_map(&image, &options);
    (void)put("d.json"); /* it does not tell of which kernel it is */
    (void)put_text("b.json", "{\"user_types\": {");
    image_ram[image.banner + 15] ^= 1;
    files_map(&image, &plain);
    (void)put("a.json"); /* of another version */
    image_ram[image.banner + 15] ^= 1;
    files_strip(&image);
    s = start_with(&image, folder, NULL, NULL);
    CHECK_RC(s.status, DOCA_ERROR_INITIALIZATION);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_MAP_FOREIGN);
    shield_close(&s, &image);
    image_make(&image, &usual);
    files_map(&image, &plain);
    (void)put("c.json");
    files_strip(&image);
    s = start_with(&image, folder, NULL, NULL);
    check_list(&s, 20);
    shield_close(&s, &image);
    folder_remove(names, 5);
}

/* Maps with the right banner and wrong members leave nothing behind, whichever is read first. */
static void wrong_maps_of_a_folder_leave_nothing_behind(void)
{
    static const char *const names[] = { "a.json", "b.json", "c.json", "d.json",
                                         "e.json", "f.json", "g.json" };
    struct files_options options = plain;
    struct image image;
    struct shield s;
    size_t i, right;

    folder_make();
    for (right = 0; right < 7; right += 3) { /* the folder has an order of its own */
        image_make(&image, &usual);
        for (i = 0; i < 7; i++) {
            options.swapped[0] = i == right ? NULL : "comm";
            options.swapped[1] = "cred";
            files_map(&image, &options);
            (void)put(names[i]);
        }
        s = start_with(&image, folder, NULL, NULL);
        CHECK_EQ(test_log_lines, 0);
        check_list(&s, 20);
        shield_close(&s, &image);
    }
    folder_remove(names, 7);
}

static void map_of_many_megabytes_is_read_in_the_same_memory(void)
{
    struct files_options options = plain;
    struct image image;
    struct shield s;
    size_t peak, used, more;

    folder_make();
    image_make(&image, &usual);
    options.num_fillers = 90000;
    files_map(&image, &options);
    CHECK(files_len > 14u << 20);
    files_strip(&image);
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), &used, NULL, NULL));
    s = start_with(&image, put("symbols.json"), NULL, NULL);
    check_list(&s, 20);
    CHECK_OK(doca_core_arena_query(doca_core_arena_bound(), NULL, &peak, NULL));
    CHECK_OK(doca_core_bytes_apsh_start(s.dev, PAGES, &more));
    CHECK(peak - used < more + (64u << 10));
    shield_close(&s, &image);
    folder_remove(map_json, 1);
}

/* Start with the text as a map: it must be refused, in one line with these words. */
static void check_bad_map(struct image *image, const char *words)
{
    struct shield s = start_with(image, put("symbols.json"), NULL, NULL);

    CHECK_RC(s.status, DOCA_ERROR_INITIALIZATION);
    CHECK_EQ(test_log_lines, 1);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_MAP);
    if (strstr(doca_core_last_error(), words) == NULL)
        test_fail(__FILE__, __LINE__, "\"%s\" is not in %s", words, doca_core_last_error());
    shield_close(&s, image);
}

static void damaged_maps_are_refused_with_the_reason(void)
{
    static const struct {
        const char *text, *words;
    } rows[] = {
        { "", "the file ends too early" },
        { "{", "the file ends too early, at byte 1" },
        { "[]", "no object where there should be one" },
        { "{}", "no \"user_types\" or no \"symbols\"" },
        { "{\"symbols\": {}}", "no \"user_types\" or no \"symbols\"" },
        { "{\"symbols\": {}, \"user_types\": {}} {", "something follows the end" },
        { "{\"symbols\": 5}", "no object where there should be one" },
        { "{\"symbols\": {\"init_task\": {\"address\": -5}}}", "no number from 0 to 2^64 - 1" },
        { "{\"symbols\": {\"init_task\": {\"address\": 18446744073709551616}}}",
          "no number from 0 to 2^64 - 1" },
        { "{\"symbols\": {\"linux_banner\": {\"constant_data\": 5}}}", "constant_data" },
        { "{\"a\" 5}", "no colon behind the name of a member" },
        { "{\"a\": 5 \"b\": 6}", "no comma or name of a member" },
        { "{,}", "no comma or name of a member" },
        { "{\"a\": nul}", "neither a value nor a bracket" },
        { "{\"a\": [}", "a bracket that closes none" },
        { "{\"a\": \"\\x\"}", "an invalid escape" },
        { "{\"a\": \"\\u12g4\"}", "an invalid escape" },
        { "{\"a\": \"b\n\"}", "a string without its end" },
        { "{\"a\": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
          "more brackets than can be open" },
        { "{\"user_types\": {\"cred\": 5}}", "no object where there should be one" },
        { "{\"user_types\": {\"cred\": {\"fields\": {\"uid\": {\"type\": {\"kind\": 5}}}}}}",
          "no string where there should be one" },
        { "{\"user_types\": {\"cred\": {\"fields\": {\"uid\": {\"anonymous\": 5}}}}}",
          "\"anonymous\" is neither true nor false" },
    };
    struct image image;
    size_t i, len;

    folder_make();
    image_make(&image, &usual);
    memset(image_ram, 0, sizeof(image_ram)); /* never looked at */
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        (void)put_text("symbols.json", rows[i].text);
        check_bad_map(&image, rows[i].words);
    }
    image_make(&image, &usual);
    files_map(&image, &plain);
    memset(image_ram, 0, sizeof(image_ram));
    for (len = files_len - 2; len > 3000; len -= len / 8) { /* cut short */
        files_len = len;
        check_bad_map(&image, "at byte ");
    }
    folder_remove(map_json, 1);
}

static void anonymous_members_that_contain_themselves_end(void)
{
    static struct doca_priv_apsh_isf isf;
    struct doca_priv_apsh_map map;
    uint64_t budget = DOCA_CORE_APSH_FILE_BYTES;
    unsigned i;

    folder_make();
    files_len = 0;
    files_add("{\"symbols\": {}, \"user_types\": {");
    for (i = 0; i <= 400; i++) /* the first is the task itself */
        files_add("\"%s%.0u\": {\"fields\": {\"\": {\"offset\": 8, \"type\": {\"kind\": "
                  "\"struct\", \"name\": \"task_struct\"}}, \"unnamed_field_1\": {\"offset\": 0, "
                  "\"type\": {\"kind\": \"union\", \"name\": \"x%u\"}}}},",
                  i == 0 ? "task_struct" : "x", i, i % 400 + 1);
    files_add("}}");
    CHECK(doca_priv_apsh_isf_load(&isf, &map, put("symbols.json"), &budget));
    CHECK(isf.num_parts <= DOCA_PRIV_APSH_ISF_PARTS);
    CHECK(DOCA_CORE_APSH_FILE_BYTES - budget <= DOCA_PRIV_APSH_ISF_PASSES * files_len);
    CHECK_EQ((uint32_t)map.offsets[DOCA_PRIV_APSH_TASK_PID], UINT32_MAX);
    budget = files_len / 2; /* the bytes that may be read */
    CHECK(!doca_priv_apsh_isf_load(&isf, &map, place("symbols.json"), &budget));
    CHECK_EQ(budget, 0);
    folder_remove(map_json, 1);
}

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
        /* a Linux machine: one byte short each, and a comma behind the last member of both */
        { "{\n\t\"allowed_regions\": {\n\t\t\"0\": {\"start\": 4096, \"length\": 650239},\n\t\t"
          "\"1\": {\"start\": 1048576, \"length\": 3220045823},\n\t},\n}\n",
          2, { { 0x1000, 0x9fc00 }, { 0x100000, 0xbffe0000 } } },
        /* a machine with Windows: a dictionary of Python */
        { "{'allowed_regions': {'0': {'start': 4096, 'length': 651264}, '1': {'start': 1048576, "
          "'length': 4096}}, 'os': None}",
          2, { { 0x1000, 0xa0000 }, { 0x100000, 0x101000 } } },
        /* by falling address, from the middle of a page, without bytes, and with other members */
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

/* Write a region file with one region, and start. */
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
    s = start_in(&image, 0, IMAGE_BYTES + 4096); /* one page more than there is */
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
    /* the tasks behind the first ones are outside */
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
        options.has_no_note = true; /* which would be found earlier than a page directory */
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

/* Read with 4 levels, the page directory leads to what looks like an image, as on real machines. */
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
    CASE(map_tells_symbols_and_members_of_a_kernel_without_them, ""),
    CASE(map_beside_the_memory_agrees_with_it, ""),
    CASE(map_has_every_number_that_the_memory_has, ""),
    CASE(map_is_believed_before_the_memory, ""),
    CASE(symbol_of_the_map_is_believed_before_the_memory, ""),
    CASE(map_of_another_kernel_is_refused, ""),
    CASE(map_that_lacks_a_member_takes_it_from_the_memory, ""),
    CASE(folder_has_the_map_of_the_kernel, ""),
    CASE(wrong_maps_of_a_folder_leave_nothing_behind, ""),
    CASE(map_of_many_megabytes_is_read_in_the_same_memory, ""),
    CASE(damaged_maps_are_refused_with_the_reason, ""),
    CASE(anonymous_members_that_contain_themselves_end, ""),
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
