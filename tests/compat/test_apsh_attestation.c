/* App Shield on a machine that runs Linux: the executable pages of processes are compared with
 * copies of their files. */
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "doca_core_apsh.h"

#include "apsh_attest.h"

static void pages_of_a_process_match_its_files(void)
{
    unsigned i;

    for (i = 0; i < FORMS; i++) {
        rig_open(&forms[i]);
        check_attest(sound);
        CHECK_EQ(test_log_lines, 0);
        rig_close();
    }
}

static void process_without_pages_has_none_present(void)
{
    unsigned k;

    rig_open(&usual);
    CHECK_OK(doca_apsh_attestation_get(rig.processes[0], zip_path, &rig.list, &rig.num));
    CHECK_EQ(rig.num, IMAGE_CODES);
    for (k = 0; k < IMAGE_CODES; k++) {
        const struct counts none = { 0, 0, true };

        check_area(rig.list[k], 1, k, none);
    }
    doca_apsh_attestation_free(rig.list);
    /* a thread of the kernel */
    CHECK_OK(doca_apsh_attestation_get(rig.processes[1], zip_path, &rig.list, &rig.num));
    CHECK(rig.list == NULL && rig.num == 0);
    doca_apsh_attestation_free(rig.list);
    rig_close();
}

static void altered_page_is_found(void)
{
    struct counts want[IMAGE_CODES];
    unsigned k, p;

    rig_open(&usual);
    for (k = 0; k < IMAGE_CODES; k++)
        for (p = 0; p < image_codes[k].num_pages; p++) {
            const uint64_t at = rig.image.pages[k][p] + (p % 2 == 0 ? 0 : 4088);

            memcpy(want, sound, sizeof(want));
            want[k].equal--;
            shield_poke(&rig.image, at, image_get(at) ^ (p % 2 == 0 ? 1 : (uint64_t)1 << 63));
            check_attest(want);
            shield_poke(&rig.image, at, image_get(at));
        }
    check_attest(sound);
    rig_close();
}

static void absent_pages_are_not_compared(void)
{
    struct counts want[IMAGE_CODES];
    unsigned k, p;

    rig_open(&forms[1]);
    for (k = 0; k < IMAGE_CODES; k++)
        for (p = 0; p < image_codes[k].num_pages; p++) {
            memcpy(want, sound, sizeof(want));
            want[k].equal--;
            want[k].present--;
            shield_poke(&rig.image, rig.image.entries[k][p], 0xdead000);
            check_attest(want);
            /* a page whose address is outside of the memory is present, and matches nothing */
            want[k].present++;
            shield_poke(&rig.image, rig.image.entries[k][p], (uint64_t)IMAGE_BYTES | 0x67);
            check_attest(want);
            shield_poke(&rig.image, rig.image.entries[k][p],
                        image_get(rig.image.entries[k][p]));
        }
    rig_close();
}

static void large_page_is_compared(void)
{
    const uint64_t large = IMAGE_PAGES + (2u << 20);
    unsigned k;

    image_make(&rig.image, &usual);
    image_code(&rig.image, TASK);
    (void)image_content(0, content);
    image_put(large, content, image_sizes[0]);
    memset(image_ram + rig.image.next_table, 0, 4096); /* of another page directory */
    image_u64(rig.image.mms[TASK] + IMAGE_MM_PGD, image_addr(&rig.image, rig.image.next_table));
    rig.image.next_table += 4096;
    (void)image_map(&rig.image, rig.image.next_table - 4096, 0x400000, large, 21);
    rig.s = shield_start(&rig.image);
    rig.processes = shield_processes(&rig.s);
    put_copies(0);
    CHECK_OK(attest());
    for (k = 0; k < IMAGE_CODES; k++) {
        const struct counts none = { 0, 0, true };

        check_area(rig.list[k], TASK, k, k == 0 ? sound[0] : none);
    }
    doca_apsh_attestation_free(rig.list);
    put_copies(1);
    CHECK_OK(attest());
    CHECK_EQ(doca_apsh_attst_info_get(rig.list[0], DOCA_APSH_ATTESTATION_PAGES_PRESENT), 4);
    doca_apsh_attestation_free(rig.list);
    rig_close();
}

static void files_without_a_copy_have_no_data(void)
{
    struct counts want[IMAGE_CODES];
    unsigned k, file;

    rig_open(&usual);
    for (file = 0; file < 7; file++) {
        memcpy(want, sound, sizeof(want));
        for (k = 0; k < IMAGE_CODES; k++)
            if (image_codes[k].file == file) {
                want[k].has_data = false;
                want[k].equal = 0;
            }
        put_copies(1u << file);
        check_attest(want);
    }
    zip_begin();
    zip_end();
    zip_put(zip_path);
    for (k = 0; k < IMAGE_CODES; k++) {
        want[k].has_data = false;
        want[k].equal = 0;
        want[k].present = sound[k].present;
    }
    check_attest(want);
    rig_close();
}

static void copies_of_another_length_are_compared(void)
{
    static const struct {
        size_t len;
        int equal;
    } cuts[] = { { 0, 0 },      { 1, 0 },      { 4096, 0 },   { 4097, 0 },
                 { 0x1fff, 0 }, { 0x2000, 1 }, { 0x4fff, 3 }, { 0x5000, 4 } };
    struct counts want[IMAGE_CODES];
    size_t i;

    rig_open(&usual);
    for (i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
        memcpy(want, sound, sizeof(want));
        want[0].equal = cuts[i].equal;
        put_copies(1);
        zip_begin();
        (void)image_content(0, content);
        zip_add("program", content, cuts[i].len, ZIP_FIXED);
        add_copy(1, ZIP_FIXED);
        add_copy(3, ZIP_FIXED);
        add_copy(6, ZIP_FIXED);
        zip_end();
        zip_put(zip_path);
        check_attest(want);
    }
    rig_close();
}

static void best_copy_of_one_name_counts(void)
{
    struct counts want[IMAGE_CODES];
    unsigned round;

    rig_open(&usual);
    for (round = 0; round < 3; round++) {
        zip_begin();
        add_copy(3, ZIP_FIXED);
        add_copy(6, ZIP_FIXED);
        add_copy(1, ZIP_FIXED);
        (void)image_content(0, content);
        content[4096] ^= 1;
        content[8192] ^= 1;
        zip_add("program", content, image_sizes[0], ZIP_FIXED);
        if (round == 0)
            add_copy(0, ZIP_FIXED);
        content[4096] ^= 1;
        if (round == 1)
            zip_add("program", content, image_sizes[0], ZIP_FIXED);
        content[4096] ^= 1;
        content[12288] ^= 1;
        zip_add("program", content, image_sizes[0], ZIP_FIXED);
        zip_end();
        zip_put(zip_path);
        memcpy(want, sound, sizeof(want));
        want[0].equal = round == 0 ? 4 : round == 1 ? 3 : 2;
        check_attest(want);
    }
    rig_close();
}

static void vdso_is_an_area_where_the_kernel_tells_it(void)
{
    unsigned k;

    rig_open(&usual);
    rig.s.system->kernel->offsets[DOCA_PRIV_APSH_MM_VDSO] = -1;
    CHECK_OK(attest());
    CHECK_EQ(rig.num, IMAGE_CODES - 1);
    for (k = 0; k + 1 < IMAGE_CODES; k++)
        check_area(rig.list[k], TASK, k, sound[k]);
    doca_apsh_attestation_free(rig.list);
    rig_close();
}

static void attestation_ends_at_its_limits(void)
{
    image_make(&rig.image, &usual);
    image_code(&rig.image, TASK);
    put_copies(0);
    image_write(&rig.image);
    rig.s = shield_prepare(rig.image.path);
    CHECK_OK(doca_apsh_sys_config(rig.s.system, DOCA_APSH_HASHTEST_LIMIT, 2));
    CHECK_OK(doca_apsh_sys_config(rig.s.system, DOCA_APSH_STRING_LIMIT, 9));
    CHECK_OK(doca_apsh_system_start(rig.s.system));
    rig.processes = shield_processes(&rig.s);
    CHECK_OK(attest());
    CHECK_EQ(rig.num, 2);
    CHECK(doca_apsh_attst_info_get(rig.list[0], DOCA_APSH_ATTESTATION_HASH_DATA_IS_PRESENT));
    CHECK_STR(doca_apsh_attst_info_get(rig.list[1], DOCA_APSH_ATTESTATION_PATH_OF_MEMORY_AREA),
              "first.so"); /* the name is cut: it has no copy */
    CHECK(!doca_apsh_attst_info_get(rig.list[1], DOCA_APSH_ATTESTATION_HASH_DATA_IS_PRESENT));
    doca_apsh_attestation_free(rig.list);
    doca_apsh_processes_free(rig.processes);
    shield_close(&rig.s, &rig.image);
    image_make(&rig.image, &usual);
    image_write(&rig.image);
    rig.s = shield_prepare(rig.image.path);
    CHECK_OK(doca_apsh_sys_config(rig.s.system, DOCA_APSH_VADS_LIMIT, 6));
    CHECK_OK(doca_apsh_sys_config(rig.s.system, DOCA_APSH_STRING_LIMIT, 1));
    CHECK_OK(doca_apsh_system_start(rig.s.system));
    rig.processes = shield_processes(&rig.s);
    CHECK_OK(doca_apsh_attestation_get(rig.processes[0], zip_path, &rig.list, &rig.num));
    CHECK_EQ(rig.num, 2);
    CHECK_STR(doca_apsh_attst_info_get(rig.list[1], DOCA_APSH_ATTESTATION_PATH_OF_MEMORY_AREA), "");
    doca_apsh_attestation_free(rig.list);
    rig_close();
}

/* ---- refresh ---- */

static void refresh_reads_the_process_again(void)
{
    const uint64_t at = IMAGE_PAGES; /* a page of the first area */
    struct counts want[IMAGE_CODES];
    struct doca_apsh_attestation **old;
    size_t level, now;
    unsigned i;

    rig_open(&usual);
    CHECK_EQ(rig.image.pages[0][0], at);
    CHECK_OK(attest());
    doca_apsh_processes_free(rig.processes); /* a refresh does not need the list of processes */
    CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &level, NULL, NULL));
    for (i = 0; i < 4; i++) {
        memcpy(want, sound, sizeof(want));
        want[0].equal -= (int)(i % 2);
        shield_poke(&rig.image, at, image_get(at) ^ i % 2);
        CHECK_OK(doca_apsh_attst_refresh(&rig.list, &rig.num));
        check_list(rig.list, rig.num, want);
        CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &now, NULL, NULL));
        CHECK_EQ(now, level);
    }
    CHECK_EQ(test_log_lines, 0);
    /* an error leaves the list as it is */
    old = rig.list;
    CHECK(unlink(zip_path) == 0);
    CHECK_RC(doca_apsh_attst_refresh(&rig.list, &rig.num), DOCA_ERROR_INITIALIZATION);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_COPIES);
    put_copies(0);
    shield_poke(&rig.image, rig.image.tasks[TASK] + IMAGE_PID, 1 + ((uint64_t)1 << 32));
    CHECK_RC(doca_apsh_attst_refresh(&rig.list, &rig.num), DOCA_ERROR_INITIALIZATION);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_ENDED);
    CHECK_EQ(test_log_lines, 2);
    CHECK(rig.list == old);
    check_list(rig.list, rig.num, want);
    shield_poke(&rig.image, rig.image.tasks[TASK] + IMAGE_PID,
                image_get(rig.image.tasks[TASK] + IMAGE_PID));
    CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &now, NULL, NULL));
    CHECK_EQ(now, level);
    /* a process without areas: the list is empty, and cannot be refreshed */
    shield_poke(&rig.image, rig.image.tasks[TASK] + IMAGE_MM, 0);
    CHECK_OK(doca_apsh_attst_refresh(&rig.list, &rig.num));
    CHECK(rig.list == NULL && rig.num == 0);
    CHECK_RC(doca_apsh_attst_refresh(&rig.list, &rig.num), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_NULL_ARGUMENT);
    rig.processes = NULL;
    rig_close();
}

static void wrong_arguments_are_refused(void)
{
    struct doca_apsh_attestation **wrong;
    int num = 77;

    rig_open(&usual);
    CHECK_RC(doca_apsh_attestation_get(NULL, zip_path, &rig.list, &num), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_apsh_attestation_get(rig.processes[0], NULL, &rig.list, &num),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_apsh_attestation_get(rig.processes[0], zip_path, NULL, &num),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_apsh_attestation_get(rig.processes[0], zip_path, &rig.list, NULL),
             DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(attest());
    wrong = (struct doca_apsh_attestation **)(void *)rig.processes;
    CHECK_RC(doca_apsh_attst_refresh(NULL, &num), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_apsh_attst_refresh(&rig.list, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_RC(doca_apsh_attst_refresh(&wrong, &num), DOCA_ERROR_INVALID_VALUE);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_DEAD_HANDLE);
    CHECK_EQ(num, 77);
    /* the list outlives its system, but cannot be refreshed then */
    doca_apsh_processes_free(rig.processes);
    rig.processes = NULL;
    rig_close();
    check_list(rig.list, rig.num, sound);
    CHECK_RC(doca_apsh_attst_refresh(&rig.list, &rig.num), DOCA_ERROR_INITIALIZATION);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_NOT_STARTED);
    doca_apsh_attestation_free(rig.list);
}

/* ---- memory ---- */

static void attestation_takes_what_is_said(void)
{
    size_t before, after, bytes, paths, keep, need, free_bytes;
    void *block;

    rig_open(&usual);
    paths = strlen(zip_path) + 1 + sizeof("/program") + 2 * sizeof("/usr/lib/libfirst.so") +
            sizeof("/usr/lib/a-library-with-a-long-name.so") + sizeof("[vdso]");
    CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &before, NULL, NULL));
    CHECK_OK(attest());
    CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &after, NULL, NULL));
    CHECK_EQ(after - before, DOCA_CORE_BYTES_APSH_ATTESTATIONS(IMAGE_CODES, paths));
    CHECK_OK(doca_core_bytes_apsh_attestations(IMAGE_CODES, paths, &bytes));
    CHECK_EQ(bytes, after - before);
    CHECK_RC(doca_core_bytes_apsh_attestations(1, 1, NULL), DOCA_ERROR_INVALID_VALUE);
    CHECK_OK(doca_core_bytes_apsh_comparison(rig.s.dev, &bytes));
    CHECK_EQ(bytes, DOCA_CORE_BYTES_APSH_COMPARISON);
    CHECK_RC(doca_core_bytes_apsh_comparison(rig.s.dev, NULL), DOCA_ERROR_INVALID_VALUE);
    doca_apsh_attestation_free(rig.list);
    /* with fewer bytes, the call fails at one of the blocks and frees all others */
    need = after - before + bytes;
    CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, NULL, NULL, &free_bytes));
    for (keep = 0; keep < need; keep += keep < 200000 ? 20000 : 512) {
        CHECK_OK(doca_core_arena_take(rig.s.ctx->arena, free_bytes - keep - 2 * DOCA_CORE_LINE,
                                      &block));
        CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, NULL, NULL, &after));
        if (after + 4 * DOCA_CORE_LINE < need) {
            test_log_lines = 0;
            CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &before, NULL, NULL));
            CHECK_RC(attest(), DOCA_ERROR_NO_MEMORY);
            CHECK_EQ(test_log_lines, 1);
            CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &after, NULL, NULL));
            CHECK_EQ(after, before);
        }
        CHECK_OK(doca_core_arena_give(rig.s.ctx->arena, block));
    }
    CHECK_OK(doca_core_arena_take(rig.s.ctx->arena, free_bytes - need - 8 * DOCA_CORE_LINE,
                                  &block));
    check_attest(sound);
    CHECK_OK(doca_core_arena_give(rig.s.ctx->arena, block));
    rig_close();
}

/* When the device has no hash engine, the bytes of the pages are compared. */
static void pages_are_compared_without_a_hash_engine(void)
{
    static struct doca_priv_apsh_pairs pairs;
    const uint8_t numbers[3] = { 0, 7, 15 };
    uint32_t num = 0;

    memset(&pairs, 0, sizeof(pairs));
    pairs.is_whole[0] = pairs.is_whole[7] = pairs.is_whole[15] = true;
    CHECK(doca_priv_apsh_pairs_compare(&pairs, numbers, 3, &num));
    CHECK_EQ(num, 3);
    pairs.pages[15][4095] = 1;
    CHECK(doca_priv_apsh_pairs_compare(&pairs, numbers, 3, &num));
    CHECK_EQ(num, 2);
    pairs.is_whole[0] = false;
    CHECK(doca_priv_apsh_pairs_compare(&pairs, numbers, 3, &num));
    CHECK_EQ(num, 1);
}

static const struct test_case cases[] = {
    CASE(pages_of_a_process_match_its_files, ""),
    CASE(process_without_pages_has_none_present, ""),
    CASE(altered_page_is_found, ""),
    CASE(absent_pages_are_not_compared, ""),
    CASE(large_page_is_compared, ""),
    CASE(files_without_a_copy_have_no_data, ""),
    CASE(copies_of_another_length_are_compared, ""),
    CASE(best_copy_of_one_name_counts, ""),
    CASE(vdso_is_an_area_where_the_kernel_tells_it, ""),
    CASE(attestation_ends_at_its_limits, ""),
    CASE(refresh_reads_the_process_again, ""),
    CASE(wrong_arguments_are_refused, ""),
    CASE(attestation_takes_what_is_said, ""),
    CASE(pages_are_compared_without_a_hash_engine, ""),
};

TEST_MAIN(cases)
