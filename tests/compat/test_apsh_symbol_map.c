/* App Shield with a symbol map that the program sets. The map is read for the machine of
 * apsh_image.h, and damaged. */
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "doca_core_apsh.h"

#include "apsh_folder.h"

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
    image_make(&image, &rows[0]); /* without the map the start finds no kernel */
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
    CHECK_EQ(s.system->kernel->direct, 0); /* the address is wrong, and page tables are used */
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
        if (i == 2) { /* the symbol of the first task has another address */
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
    (void)put("README"); /* a map of the kernel, but its name does not end in .json */
    options.has_no_banner = true;
    files_map(&image, &options);
    (void)put("d.json"); /* a map without a banner */
    (void)put_text("b.json", "{\"user_types\": {");
    image_ram[image.banner + 15] ^= 1;
    files_map(&image, &plain);
    (void)put("a.json"); /* a map of another version */
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

/* Maps with the right banner and wrong members leave nothing behind, in any order of the folder. */
static void wrong_maps_of_a_folder_leave_nothing_behind(void)
{
    static const char *const names[] = { "a.json", "b.json", "c.json", "d.json",
                                         "e.json", "f.json", "g.json" };
    struct files_options options = plain;
    struct image image;
    struct shield s;
    size_t i, right;

    folder_make();
    for (right = 0; right < 7; right += 3) { /* the order of files in a folder is unknown */
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
        { "{\"symbols\": {}, \"user_types\": {}} {", "there is text after the end" },
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
    memset(image_ram, 0, sizeof(image_ram)); /* the memory is not searched */
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
    for (i = 0; i <= 400; i++) /* structure 0 is the task */
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
};

TEST_MAIN(cases)
