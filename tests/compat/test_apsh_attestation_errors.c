/* Attestations that fail: unusable zip files, processes that end or change, damaged targets, and
 * devices that fail. */
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "doca_core_apsh.h"

#include "apsh_attest.h"

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
    for (at = 0; at < zip_len; at += 997) { /* the file ends early */
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
    /* members that overlap */
    put_copies(0);
    zip_set(zip_directory + 42, zip_members[1].at, 4);
    zip_put(zip_path);
    check_error(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_COPIES);
    put_copies(0);
    check_attest(sound);
    rig_close();
}

/* A member is much longer than its area. The number of bytes that the call unpacks is bounded. */
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
        if (round == 1) { /* each entry of the page directory leads to this directory */
            for (k = 0; k < 512; k++)
                shield_poke(i, root + 8 * k, root | 0x67);
            rig.s.system->set.limits[0] = 16; /* HASHTEST_LIMIT */
            check_error(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_BUDGET);
        }
        rig_close();
    }
}

/* Words of the address space and of the page tables of the process are changed at random. The call
 * ends, and gives all bytes of the arena back. */
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

/* ---- failures of the device ---- */

static doca_error_t get_attestation(struct shield *s, struct doca_apsh_process *process, int *num)
{
    struct doca_apsh_attestation **list = NULL;
    doca_error_t rc = doca_apsh_attestation_get(process, zip_path, &list, num);

    (void)s;
    CHECK(rc == DOCA_SUCCESS || list == NULL);
    if (rc == DOCA_SUCCESS)
        check_list(list, *num, sound);
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
        check_faults(&rig.image, get_attestation, TASK - 1, IMAGE_CODES);
        CHECK(unlink(zip_path) == 0);
    }
}

/* A refresh that fails, at any of its reads, leaves the old list as it is. */
static void failed_reads_of_a_refresh_keep_the_list(void)
{
    struct doca_core_apsh_stats before, after;
    struct doca_apsh_attestation **list;
    unsigned way, k, num_errors = 0;
    size_t level, now;
    uint64_t reads;
    doca_error_t rc;
    char rule[64];

    CHECK_OK(doca_core_fault_set("log=0"));
    rig_open(&usual);
    CHECK_OK(attest());
    CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &level, NULL, NULL));
    CHECK_OK(doca_core_apsh_sys_get_stats(rig.s.system, &before));
    CHECK_OK(doca_apsh_attst_refresh(&rig.list, &rig.num));
    CHECK_OK(doca_core_apsh_sys_get_stats(rig.s.system, &after));
    reads = after.num_tasks - before.num_tasks;
    for (way = 0; way < 4; way++)
        for (k = 1; k <= reads; k++) {
            (void)snprintf(rule, sizeof(rule), "dma.%s=fail@%u%s,log=0",
                           way % 2 == 0 ? "complete" : "submit", k, way >= 2 ? "+" : "");
            CHECK_OK(doca_core_fault_set(rule));
            list = rig.list;
            rc = doca_apsh_attst_refresh(&rig.list, &rig.num);
            if (way >= 2 || rc != DOCA_SUCCESS) {
                CHECK_RC(rc, DOCA_ERROR_IO_FAILED);
                CHECK(rig.list == list);
                num_errors++;
            }
            check_list(rig.list, rig.num, sound);
            CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &now, NULL, NULL));
            CHECK_EQ(now, level);
        }
    CHECK(num_errors >= 2 * reads);
    CHECK_OK(doca_core_fault_set("log=0"));
    CHECK_OK(doca_apsh_attst_refresh(&rig.list, &rig.num));
    doca_apsh_attestation_free(rig.list);
    rig_close();
    CHECK_OK(doca_core_fault_set(NULL));
}

#ifndef DOCA_CORE_NO_SHA

/* Each hash task fails, or is not accepted. The process has 15 pages, so there are 30 tasks. */
static void failed_hashes_are_errors(void)
{
    static const char *const operations[] = { "sha.complete", "sha.submit", "sha.open" };
    size_t level, now;
    char rule[64];
    unsigned way, k, max;
    int num;

    CHECK_OK(doca_core_fault_set("log=0"));
    rig_open(&usual);
    CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &level, NULL, NULL));
    for (way = 0; way < 6; way++) {
        max = way % 3 == 2 ? 1 : 30;
        for (k = 1; k <= max + 1; k++) {
            (void)snprintf(rule, sizeof(rule), "%s=fail@%u%s,log=0", operations[way % 3], k,
                           way >= 3 ? "+" : "");
            CHECK_OK(doca_core_fault_set(rule));
            CHECK_RC(get_attestation(&rig.s, rig.processes[TASK - 1], &num),
                     k > max ? DOCA_SUCCESS : DOCA_ERROR_IO_FAILED);
            if (k <= max && way % 3 != 2)
                CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_HASHING);
            CHECK_OK(doca_core_arena_query(rig.s.ctx->arena, &now, NULL, NULL));
            CHECK_EQ(now, level);
            CHECK_OK(doca_core_fault_set("log=0"));
            CHECK_OK(get_attestation(&rig.s, rig.processes[TASK - 1], &num));
        }
    }
    rig_close();
    CHECK_OK(doca_core_fault_set(NULL));
}

#endif

static const struct test_case cases[] = {
    CASE(unusable_zip_files_are_an_error, ""),
    CASE(bombs_are_bounded, ""),
    CASE(process_that_has_ended_is_an_error, ""),
    CASE(process_that_changes_is_an_error, ""),
    CASE(damaged_targets_are_an_error, ""),
    CASE(areas_without_end_are_bounded, ""),
    CASE(random_damage_ends, ""),
    CASE(kernel_without_a_member_has_no_attestation, ""),
    CASE(failed_reads_are_errors, ""),
    CASE(failed_reads_of_a_refresh_keep_the_list, ""),
#ifndef DOCA_CORE_NO_SHA
    CASE(failed_hashes_are_errors, ""),
#endif
};

TEST_MAIN(cases)
