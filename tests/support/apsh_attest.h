/* A rig for attestations: a system on an image with the executable pages of a task, and a zip file
 * with copies of the files that these pages come from. */
#ifndef APSH_ATTEST_H
#define APSH_ATTEST_H

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
static inline void add_copy(unsigned file, enum zip_how how)
{
    zip_add(image_copies[file], content, image_content(file, content), how);
}

/* Write a zip file as the vendor's tool does, without the files in the mask `without`. */
static inline void put_copies(unsigned without)
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

struct counts { /* expected attributes of an area */
    int present, equal;
    bool has_data;
};

static const struct counts sound[IMAGE_CODES] = {
    { 4, 4, true }, { 6, 6, true }, { 2, 2, true }, { 1, 1, true }, { 2, 2, true },
};

static inline void check_area(struct doca_apsh_attestation *at, unsigned n, unsigned k,
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

static inline void check_list(struct doca_apsh_attestation **list, int num,
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
static inline void rig_open(const struct image_options *form)
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

static inline void rig_close(void)
{
    doca_apsh_processes_free(rig.processes);
    shield_close(&rig.s, &rig.image);
    CHECK(unlink(zip_path) == 0);
}

static inline doca_error_t attest(void)
{
    return doca_apsh_attestation_get(rig.processes[TASK - 1], zip_path, &rig.list, &rig.num);
}

/* Return the number that the next file descriptor gets. */
static inline int next_fd(void)
{
    const int fd = dup(0);

    CHECK(fd >= 0 && close(fd) == 0);
    return fd;
}

/* Attest, and compare the list with the wanted counts. */
static inline void check_attest(const struct counts want[IMAGE_CODES])
{
    const int fd = next_fd();

    CHECK_OK(attest());
    CHECK_EQ(next_fd(), fd);
    check_list(rig.list, rig.num, want);
    doca_apsh_attestation_free(rig.list);
}

/* The attestation must fail for this reason, write one log line, and give all bytes of the arena
 * back. */
static inline void check_error(doca_error_t error, enum doca_core_item item)
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

#endif
