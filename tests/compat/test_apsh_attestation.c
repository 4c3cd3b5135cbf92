/* App Shield on a machine that runs Linux: the executable pages of processes are compared with
 * copies of their files. */
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "doca_core_apsh.h"

#include "apsh_faults.h"
#include "zip_writer.h"

static const struct image_options forms[] = {
    { 4, 21, 0x0e400000, 20, 0, 0, 0, 0, NULL, 6, 0, 0, 0 },
    { 5, 12, 0x0e400000, 20, 0, 0, 1, 0, NULL, 6, 1, 0, 1 },
    { 4, 30, 0, 20, 0, 0, 0, 1, "state", 6, 0, 1, 0 },
};
#define FORMS ((unsigned)(sizeof(forms) / sizeof(forms[0])))
#define TASK 5u /* the task whose pages are in the image */

static char zip_path[64];
static unsigned char content[IMAGE_FILE_MAX];

/* Add the copy of a file. */
static void add_copy(unsigned file, enum zip_how how)
{
    zip_add(image_copies[file], content, image_content(file, content), how);
}

/* Write a zip file as the vendor's tool does, without the files in the mask `without`. */
static void put_copies(unsigned without)
{
    static const char irregular[] = "#/memfd:shared\n#[heap]\n";
    static const unsigned files[4] = { 0, 1, 3, 6 };
    static const enum zip_how hows[4] = { ZIP_FIXED, ZIP_CODES, ZIP_RAW, ZIP_STORED };
    unsigned i;

    (void)snprintf(zip_path, sizeof(zip_path), "/tmp/doca_core_hash.%ld", (long)getpid());
    zip_begin();
    zip_add("other.so", irregular, 10, ZIP_CODES);
    for (i = 0; i < 4; i++)
        if ((without >> files[i] & 1) == 0)
            add_copy(files[i], hows[i]);
    zip_add("doca_apsh_irregular_files.txt", irregular, sizeof(irregular) - 1, ZIP_FIXED);
    zip_end();
    zip_put(zip_path);
}

struct counts { /* expected of an area */
    int present, equal;
    bool has_data;
};

static const struct counts sound[IMAGE_CODES] = {
    { 4, 4, true }, { 6, 6, true }, { 2, 2, true }, { 1, 1, true }, { 2, 2, true },
};

static void check_area(struct doca_apsh_attestation *at, unsigned n, unsigned k,
                       struct counts want)
{
    const struct image_area area = image_common[image_codes[k].area];
    char name[24];

    (void)snprintf(name, sizeof(name), "task-%u", n);
    CHECK_EQ(doca_apsh_attst_info_get(at, DOCA_APSH_ATTESTATION_PID), image_pid(n));
    CHECK_STR(doca_apsh_attst_info_get(at, DOCA_APSH_ATTESTATION_COMM), name);
    CHECK_STR(doca_apsh_attst_info_get(at, DOCA_APSH_ATTESTATION_PATH_OF_MEMORY_AREA),
              area.file < 0 ? "[vdso]" : image_paths[area.file]);
    CHECK_STR(doca_apsh_attst_info_get(at, DOCA_APSH_ATTESTATION_PROTECTION),
              (area.flags & IMAGE_WRITE) != 0 ? "rwxp" : "r-xp");
    CHECK_EQ(doca_apsh_attst_info_get(at, DOCA_APSH_ATTESTATION_START_ADDRESS), area.start);
    CHECK_EQ(doca_apsh_attst_info_get(at, DOCA_APSH_ATTESTATION_END_ADDRESS), area.end);
    CHECK_EQ(doca_apsh_attst_info_get(at, DOCA_APSH_ATTESTATION_PAGES_NUMBER),
             image_codes[k].num_pages);
    CHECK_EQ(doca_apsh_attst_info_get(at, DOCA_APSH_ATTESTATION_PAGES_PRESENT), want.present);
    CHECK_EQ(doca_apsh_attst_info_get(at, DOCA_APSH_ATTESTATION_MATCHING_HASHES), want.equal);
    CHECK_EQ(doca_apsh_attst_info_get(at, DOCA_APSH_ATTESTATION_HASH_DATA_IS_PRESENT),
             want.has_data);
}

static void check_list(struct doca_apsh_attestation **list, int num,
                       const struct counts want[IMAGE_CODES])
{
    unsigned k;

    CHECK_EQ(num, IMAGE_CODES);
    for (k = 0; k < IMAGE_CODES; k++)
        check_area(list[k], TASK, k, want[k]);
}

struct rig {
    struct image image;
    struct shield s;
    struct doca_apsh_process **processes;
    struct doca_apsh_attestation **list;
    int num;
};

static struct rig rig;

/* Start a system for an image with the pages of TASK, and write a sound zip file. */
static void rig_open(const struct image_options *form)
{
    image_make(&rig.image, form);
    image_code(&rig.image, TASK);
    put_copies(0);
    rig.s = shield_start(&rig.image);
    rig.processes = shield_processes(&rig.s);
    rig.list = NULL;
    rig.num = 77;
    test_log_lines = 0;
}

static void rig_close(void)
{
    doca_apsh_processes_free(rig.processes);
    shield_close(&rig.s, &rig.image);
    CHECK(unlink(zip_path) == 0);
}

static doca_error_t attest(void)
{
    return doca_apsh_attestation_get(rig.processes[TASK - 1], zip_path, &rig.list, &rig.num);
}

/* Return the number that the next file descriptor gets. */
static int next_fd(void)
{
    const int fd = dup(0);

    CHECK(fd >= 0 && close(fd) == 0);
    return fd;
}

/* Attest, and compare the list with the wanted counts. */
static void check_attest(const struct counts want[IMAGE_CODES])
{
    const int fd = next_fd();

    CHECK_OK(attest());
    CHECK_EQ(next_fd(), fd);
    check_list(rig.list, rig.num, want);
    doca_apsh_attestation_free(rig.list);
}

/* The attestation must fail for this reason, with one log line and nothing left. */
static void check_error(doca_error_t error, enum doca_core_item item)
{
    const int fd = next_fd();
    size_t before, after;

    rig.list = NULL;
    rig.num = 77;
    CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &before, NULL, NULL));
    test_log_lines = 0;
    CHECK_RC(attest(), error);
    CHECK_EQ(test_log_item, item);
    CHECK_EQ(test_log_lines, 1);
    CHECK(rig.list == NULL && rig.num == 77);
    CHECK_EQ(next_fd(), fd);
    CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &after, NULL, NULL));
    CHECK_EQ(after, before);
}

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
            /* a page that is nowhere in memory is present, and is no page of the file */
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
    doca_apsh_processes_free(rig.processes); /* a refresh needs no process */
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

/* ---- the zip file ---- */

static void unusable_zip_files_are_an_error(void)
{
    char good[64];
    size_t at;

    rig_open(&usual);
    strcpy(good, zip_path);
    strcpy(zip_path, "/tmp/doca_core_hash.nosuch");
    check_error(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_COPIES);
    CHECK(strstr(doca_core_last_error(), "cannot be opened") != NULL);
    strcpy(zip_path, "/tmp");
    check_error(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_COPIES);
    strcpy(zip_path, "/dev/zero");
    check_error(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_COPIES);
    strcpy(zip_path, good);
    for (at = 0; at < zip_len; at += 997) { /* a file that is cut */
        CHECK(truncate(zip_path, (off_t)at) == 0);
        check_error(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_COPIES);
        zip_put(zip_path);
    }
    put_copies(0);
    zip_file[zip_members[2].at + 400] ^= 1; /* data of a member that is used */
    zip_put(zip_path);
    check_error(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_COPIES);
    put_copies(0);
    zip_set(zip_members[0].at, 0, 4); /* the head of a member that is not used */
    zip_put(zip_path);
    check_attest(sound);
    /* members in each other */
    put_copies(0);
    zip_set(zip_directory + 42, zip_members[1].at, 4);
    zip_put(zip_path);
    check_error(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_COPIES);
    put_copies(0);
    check_attest(sound);
    rig_close();
}

/* A member that claims, and has, much more than the area: what is unpacked is bounded. */
static void bombs_are_bounded(void)
{
    static unsigned char zeros[1u << 20];
    struct counts want[IMAGE_CODES];
    unsigned i;

    rig_open(&usual);
    memcpy(want, sound, sizeof(want));
    want[0].equal = 0;
    for (i = 0; i < 2; i++) {
        zip_begin();
        zip_add("program", zeros, sizeof(zeros), ZIP_CODES);
        CHECK(zip_members[0].packed < 20000);
        add_copy(1, ZIP_FIXED);
        add_copy(3, ZIP_FIXED);
        add_copy(6, ZIP_FIXED);
        if (i == 1)
            zip_members[0].size = 0x0fffffff;
        zip_end();
        zip_put(zip_path);
        if (i == 0)
            check_attest(want);
        else
            check_error(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_COPIES);
    }
    rig_close();
}

/* ---- the target ---- */

static void process_that_has_ended_is_an_error(void)
{
    rig_open(&usual);
    shield_poke(&rig.image, rig.image.tasks[TASK] + IMAGE_PID, 1 + ((uint64_t)1 << 32));
    check_error(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_ENDED);
    rig_close();
}

/* The process ends, or executes another file, while its pages are compared. */
static void process_that_changes_is_an_error(void)
{
    static struct doca_priv_apsh_attest state;
    struct image *i = &rig.image;

    rig_open(&usual);
    doca_priv_apsh_list_begin(&state.list, NULL, rig.processes[TASK - 1], DOCA_APSH_HASHTEST_LIMIT);
    doca_priv_apsh_mem_begin(&rig.s.system->kernel->mem, 1000);
    state.mm = image_addr(i, i->mms[TASK]);
    CHECK_OK(doca_priv_apsh_attest_check(&state));
    shield_poke(i, i->tasks[TASK] + IMAGE_MM, image_addr(i, i->mms[1]));
    CHECK_RC(doca_priv_apsh_attest_check(&state), DOCA_ERROR_NOT_FOUND);
    shield_poke(i, i->tasks[TASK] + IMAGE_MM, state.mm);
    CHECK_OK(doca_priv_apsh_attest_check(&state));
    shield_poke(i, i->tasks[TASK] + IMAGE_PID, 1 + ((uint64_t)1 << 32));
    CHECK_RC(doca_priv_apsh_attest_check(&state), DOCA_ERROR_BAD_STATE);
    rig_close();
}

static void damaged_targets_are_an_error(void)
{
    struct image *i = &rig.image;
    uint64_t area, pgd;

    rig_open(&usual);
    area = i->areas[1];
    pgd = i->mms[TASK] + IMAGE_MM_PGD;
    shield_poke(i, pgd, 0);
    check_error(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_TORN);
    shield_poke(i, pgd, image_get(pgd));
    shield_poke(i, area + IMAGE_AREA_MM, 0);
    check_error(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_TORN);
    shield_poke(i, area + IMAGE_AREA_MM, image_get(area + IMAGE_AREA_MM));
    shield_poke(i, i->files[0] + IMAGE_FILE_PATH, 0);
    check_error(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_TORN);
    shield_poke(i, i->files[0] + IMAGE_FILE_PATH, image_get(i->files[0] + IMAGE_FILE_PATH));
    check_attest(sound);
    rig_close();
    /* an area that does not end with a page */
    image_make(i, &forms[2]);
    image_code(i, TASK);
    image_u64(i->areas[1] + IMAGE_AREA_END, 0x404001);
    put_copies(0);
    rig.s = shield_start(i);
    rig.processes = shield_processes(&rig.s);
    check_error(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_TORN);
    rig_close();
}

static void areas_without_end_are_bounded(void)
{
    struct image *i = &rig.image;
    uint64_t root, area;
    unsigned round, k;

    for (round = 0; round < 2; round++) {
        image_make(i, &forms[2]); /* areas in a tree are bounded by it */
        image_code(i, TASK);
        area = i->areas[IMAGE_COMMON + IMAGE_EXTRA - 1]; /* the last */
        image_u64(area + IMAGE_AREA_FLAGS, 5);
        image_u64(area + IMAGE_AREA_FILE, image_addr(i, i->files[0]));
        image_u64(area + IMAGE_AREA_PLACE, UINT64_MAX);
        image_u64(area + IMAGE_AREA_END, UINT64_MAX - 4095);
        root = image_get(i->mms[TASK] + IMAGE_MM_PGD) - i->direct;
        put_copies(0);
        rig.s = shield_start(i);
        rig.processes = shield_processes(&rig.s);
        rig.num = 0;
        CHECK_OK(attest());
        CHECK_EQ(rig.num, IMAGE_CODES + 1);
        CHECK_EQ(doca_apsh_attst_info_get(rig.list[IMAGE_CODES],
                                          DOCA_APSH_ATTESTATION_PAGES_NUMBER), INT32_MAX);
        CHECK_EQ(doca_apsh_attst_info_get(rig.list[IMAGE_CODES],
                                          DOCA_APSH_ATTESTATION_PAGES_PRESENT), 0);
        doca_apsh_attestation_free(rig.list);
        if (round == 1) { /* a page directory all of whose entries lead to itself */
            for (k = 0; k < 512; k++)
                shield_poke(i, root + 8 * k, root | 0x67);
            rig.s.system->set.limits[0] = 16; /* HASHTEST_LIMIT */
            check_error(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_BUDGET);
        }
        rig_close();
    }
}

/* Words of the address space and of the page tables of the process are changed at random: the
 * attestation ends, and leaves nothing. */
static void random_damage_ends(void)
{
    uint32_t seed = 11, round, k, refused = 0, altered = 0;
    size_t before, after;
    uint64_t at, value;
    doca_error_t rc;

    for (round = 0; round < 60; round++) {
        rig_open(&forms[round % FORMS]);
        for (k = 0; k < 1 + round * 3; k++) {
            seed = seed * 1664525 + 1013904223;
            if (round % 2 == 0 && k % 4 == 0)
                at = rig.image.mms[TASK] + (seed >> 4) % (uint32_t)(rig.image.mms[TASK + 2] -
                                                                    rig.image.mms[TASK]) / 8 * 8;
            else
                at = rig.image.entries[(seed >> 8) % IMAGE_CODES][0] / 4096 * 4096 +
                     (seed >> 16) % 512 * 8;
            seed = seed * 1664525 + 1013904223;
            value = image_get(rig.image.entries[(seed >> 8) % IMAGE_CODES][0]);
            shield_poke(&rig.image, at, (seed & 1) != 0 ? value : (uint64_t)seed << (seed >> 27));
        }
        CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &before, NULL, NULL));
        rc = attest();
        CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_INITIALIZATION);
        refused += rc != DOCA_SUCCESS;
        for (k = 0; rc == DOCA_SUCCESS && k < (uint32_t)rig.num; k++) {
            const int present =
                doca_apsh_attst_info_get(rig.list[k], DOCA_APSH_ATTESTATION_PAGES_PRESENT);
            const int equal =
                doca_apsh_attst_info_get(rig.list[k], DOCA_APSH_ATTESTATION_MATCHING_HASHES);

            CHECK(equal >= 0 && equal <= present);
            altered += equal < present;
        }
        if (rc == DOCA_SUCCESS)
            doca_apsh_attestation_free(rig.list);
        CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &after, NULL, NULL));
        CHECK_EQ(after, before);
        rig_close();
    }
    CHECK(refused > 10 && altered > 10);
}

static void kernel_without_a_member_has_no_attestation(void)
{
    static const char *const names[] = { "pgd", "vm_pgoff", "vm_mm", "d_parent" };
    size_t n;
    char *name;

    for (n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
        image_make(&rig.image, &usual);
        put_copies(0);
        name = memmem(image_ram + rig.image.btf, rig.image.btf_end - rig.image.btf, names[n],
                      strlen(names[n]) + 1);
        CHECK(name != NULL);
        name[0] = 'X';
        rig.s = shield_start(&rig.image);
        rig.processes = shield_processes(&rig.s);
        check_error(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_LAYOUT);
        rig_close();
    }
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
    /* with fewer bytes than that it fails at any place, and leaves nothing */
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

/* ---- failures of the device ---- */

static doca_error_t get_attestation(struct shield *s, struct doca_apsh_process *process)
{
    struct doca_apsh_attestation **list = NULL;
    int num = 0;
    doca_error_t rc = doca_apsh_attestation_get(process, zip_path, &list, &num);

    (void)s;
    CHECK(rc == DOCA_SUCCESS ? num == IMAGE_CODES : list == NULL);
    if (rc == DOCA_SUCCESS)
        check_list(list, num, sound);
    doca_apsh_attestation_free(list);
    return rc;
}

static void failed_reads_are_errors(void)
{
    unsigned i;

    for (i = 0; i < FORMS; i++) {
        image_make(&rig.image, &forms[i]);
        image_code(&rig.image, TASK);
        put_copies(0);
        check_faults(&rig.image, get_attestation, TASK - 1);
        CHECK(unlink(zip_path) == 0);
    }
}

#ifndef DOCA_CORE_NO_SHA

/* Each of the hash tasks fails or is not accepted. Fifteen pages are present: thirty tasks. */
static void failed_hashes_are_errors(void)
{
    static const char *const operations[] = { "sha.complete", "sha.submit", "sha.open" };
    size_t level, now;
    char rule[64];
    unsigned way, k, max;

    CHECK_OK(doca_core_fault_set("log=0"));
    rig_open(&usual);
    CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &level, NULL, NULL));
    for (way = 0; way < 6; way++) {
        max = way % 3 == 2 ? 1 : 30;
        for (k = 1; k <= max + 1; k++) {
            (void)snprintf(rule, sizeof(rule), "%s=fail@%u%s,log=0", operations[way % 3], k,
                           way >= 3 ? "+" : "");
            CHECK_OK(doca_core_fault_set(rule));
            CHECK_RC(get_attestation(&rig.s, rig.processes[TASK - 1]),
                     k > max ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED);
            if (k <= max && way % 3 != 2)
                CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_HASHING);
            CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &now, NULL, NULL));
            CHECK_EQ(now, level);
            CHECK_OK(doca_core_fault_set("log=0"));
            CHECK_OK(get_attestation(&rig.s, rig.processes[TASK - 1]));
        }
    }
    rig_close();
    CHECK_OK(doca_core_fault_set(NULL));
}

#endif

/* A device without a hash engine: the bytes are compared. */
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
    CASE(unusable_zip_files_are_an_error, ""),
    CASE(bombs_are_bounded, ""),
    CASE(process_that_has_ended_is_an_error, ""),
    CASE(process_that_changes_is_an_error, ""),
    CASE(damaged_targets_are_an_error, ""),
    CASE(areas_without_end_are_bounded, ""),
    CASE(random_damage_ends, ""),
    CASE(kernel_without_a_member_has_no_attestation, ""),
    CASE(attestation_takes_what_is_said, ""),
    CASE(failed_reads_are_errors, ""),
#ifndef DOCA_CORE_NO_SHA
    CASE(failed_hashes_are_errors, ""),
#endif
    CASE(pages_are_compared_without_a_hash_engine, ""),
};

TEST_MAIN(cases)
