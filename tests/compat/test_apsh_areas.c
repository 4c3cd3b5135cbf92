/* App Shield on a machine that runs Linux: the memory areas of processes, their paths, and the
 * libraries. */
#define DOCA_CORE_APSH_IMPLEMENTATION
#include "doca_core_apsh.h"

#include "apsh_faults.h"

/* The three forms of an address space: a tree whose nodes record gaps, a tree whose nodes do not,
 * and a list. */
static const struct image_options forms[] = {
    { 4, 21, 0x0e400000, 20, 0, 0, 0, 0, NULL, 6, 0, 0, 0 },
    { 5, 12, 0x0e400000, 20, 0, 0, 1, 0, NULL, 6, 1, 0, 1 },
    { 4, 30, 0, 20, 0, 0, 0, 1, "state", 6, 0, 1, 0 },
};
#define FORMS ((unsigned)(sizeof(forms) / sizeof(forms[0])))
#define MANY (IMAGE_COMMON + IMAGE_EXTRA) /* areas of task 5 */

static void check_vad(const struct image *image, struct doca_apsh_vad *vad, unsigned n, unsigned k)
{
    const struct image_area area = image_area(n, k);
    char name[24], protection[5] = "---p";

    (void)snprintf(name, sizeof(name), n == 7 ? "fifteen-letters" : "task-%u", n);
    protection[0] = (area.flags & IMAGE_READ) != 0 ? 'r' : '-';
    protection[1] = (area.flags & IMAGE_WRITE) != 0 ? 'w' : '-';
    protection[2] = (area.flags & IMAGE_CODE) != 0 ? 'x' : '-';
    protection[3] = (area.flags & IMAGE_SHARED) != 0 ? 's' : 'p';
    CHECK_EQ(doca_apsh_vad_info_get(vad, DOCA_APSH_VMA_PID), image_pid(n));
    CHECK_EQ(doca_apsh_vad_info_get(vad, DOCA_APSH_VMA_VM_START), area.start);
    CHECK_EQ(doca_apsh_vad_info_get(vad, DOCA_APSH_VMA_VM_END), area.end);
    CHECK_STR(doca_apsh_vad_info_get(vad, DOCA_APSH_VMA_PROTECTION), protection);
    CHECK_STR(doca_apsh_vad_info_get(vad, DOCA_APSH_VMA_PROCESS_NAME), name);
    CHECK_STR(doca_apsh_vad_info_get(vad, DOCA_APSH_VMA_FILE_PATH),
              area.file < 0 ? "" : image_paths[area.file]);
    if (n == 5)
        CHECK_EQ(doca_apsh_vad_info_get(vad, DOCA_APSH_VMA_OFFSET),
                 image_addr(image, image->areas[k]));
    CHECK(doca_apsh_vad_info_get(vad, DOCA_APSH_VMA_WINDOWS_TAG) == NULL);
}

static void check_vads(const struct image *image, struct doca_apsh_process *process, unsigned n)
{
    struct doca_apsh_vad **vads = (struct doca_apsh_vad **)(uintptr_t)image;
    int num = -1, k;

    CHECK_OK(doca_apsh_vads_get(process, &vads, &num));
    CHECK_EQ(num, image_num_areas(n));
    CHECK((vads == NULL) == (num == 0)); /* NULL for a thread of the kernel */
    for (k = 0; k < num; k++)
        check_vad(image, vads[k], n, (unsigned)k);
    doca_apsh_vads_free(vads);
}

static void check_libs(struct doca_apsh_process *process, unsigned n)
{
    static const struct {
        uint64_t start;
        int file;
    } libs[] = { { 0x400000, 0 }, { IMAGE_LIBS, 1 }, { IMAGE_LIBS + 0x10000, 3 } };
    struct doca_apsh_lib **list = (struct doca_apsh_lib **)(uintptr_t)libs;
    int num = -1, k;

    CHECK_OK(doca_apsh_libs_get(process, &list, &num));
    CHECK_EQ(num, n % 2 == 0 ? 0 : 3);
    CHECK((list == NULL) == (num == 0));
    for (k = 0; k < num; k++) {
        CHECK_EQ(doca_apsh_lib_info_get(list[k], DOCA_APSH_LIB_PID), image_pid(n));
        CHECK_EQ(doca_apsh_lib_info_get(list[k], DOCA_APSH_LIB_LOAD_ADRESS), libs[k].start);
        CHECK_EQ(doca_apsh_lib_info_get(list[k], DOCA_APSH_LIB_LINUX_LOAD_ADRESS), libs[k].start);
        CHECK_STR(doca_apsh_lib_info_get(list[k], DOCA_APSH_LIB_LIBRARY_PATH),
                  image_paths[libs[k].file]);
        CHECK(doca_apsh_lib_info_get(list[k], DOCA_APSH_LIB_WINDOWS_DLL_NAME) == NULL);
    }
    doca_apsh_libs_free(list);
}

static void areas_and_libraries_are_those_of_the_process(void)
{
    struct doca_apsh_process **processes;
    struct image image;
    struct shield s;
    unsigned i, n;

    for (i = 0; i < FORMS; i++) {
        image_make(&image, &forms[i]);
        CHECK(forms[i].has_list || image.num_nodes > 20);
        s = shield_start(&image);
        processes = shield_processes(&s);
        for (n = 1; n <= 20; n++) {
            check_vads(&image, processes[n - 1], n);
            check_libs(processes[n - 1], n);
        }
        doca_apsh_processes_free(processes);
        shield_close(&s, &image);
    }
}

static void empty_address_space_has_no_areas(void)
{
    struct doca_apsh_process **processes;
    struct doca_apsh_vad **vads;
    struct doca_apsh_lib **libs;
    struct image image;
    struct shield s;
    unsigned i;
    int num;

    for (i = 0; i < FORMS; i++) {
        image_make(&image, &forms[i]);
        image_u64(image.mms[5] + (forms[i].has_list ? IMAGE_MM_AREAS
                                                    : IMAGE_MM_TREE + IMAGE_TREE_ROOT), 0);
        s = shield_start(&image);
        processes = shield_processes(&s);
        CHECK_OK(doca_apsh_vads_get(processes[4], &vads, &num));
        CHECK(vads == NULL && num == 0);
        CHECK_OK(doca_apsh_libs_get(processes[4], &libs, &num));
        CHECK(libs == NULL && num == 0);
        doca_apsh_processes_free(processes);
        shield_close(&s, &image);
    }
}

static void lists_of_areas_and_libraries_end_at_their_limits(void)
{
    struct doca_apsh_process **processes;
    struct doca_apsh_vad **vads;
    struct doca_apsh_lib **libs;
    struct image image;
    struct shield s;
    unsigned i;
    int num;

    for (i = 0; i < FORMS; i++) {
        image_make(&image, &forms[i]);
        image_write(&image);
        s = shield_prepare(image.path);
        CHECK_OK(doca_apsh_sys_config(s.system, DOCA_APSH_VADS_LIMIT, 8));
        CHECK_OK(doca_apsh_sys_config(s.system, DOCA_APSH_LIBS_LIMIT, 1));
        CHECK_OK(doca_apsh_sys_config(s.system, DOCA_APSH_STRING_LIMIT, 9));
        CHECK_OK(doca_apsh_system_start(s.system));
        processes = shield_processes(&s);
        CHECK_OK(doca_apsh_vads_get(processes[0], &vads, &num));
        CHECK_EQ(num, 8);
        /* the end of a path stays */
        CHECK_STR(doca_apsh_vad_info_get(vads[0], DOCA_APSH_VMA_FILE_PATH), "/program");
        CHECK_STR(doca_apsh_vad_info_get(vads[5], DOCA_APSH_VMA_FILE_PATH), "first.so");
        doca_apsh_vads_free(vads);
        CHECK_OK(doca_apsh_libs_get(processes[0], &libs, &num));
        CHECK_EQ(num, 1);
        CHECK_STR(doca_apsh_lib_info_get(libs[0], DOCA_APSH_LIB_LIBRARY_PATH), "/program");
        doca_apsh_libs_free(libs);
        doca_apsh_processes_free(processes);
        shield_close(&s, &image);
    }
    /* the limit leaves no room for a character: the strings are empty */
    image_make(&image, &usual);
    image_write(&image);
    s = shield_prepare(image.path);
    CHECK_OK(doca_apsh_sys_config(s.system, DOCA_APSH_STRING_LIMIT, 1));
    CHECK_OK(doca_apsh_system_start(s.system));
    processes = shield_processes(&s);
    CHECK_OK(doca_apsh_vads_get(processes[0], &vads, &num));
    CHECK_EQ(num, IMAGE_COMMON);
    CHECK_STR(doca_apsh_vad_info_get(vads[0], DOCA_APSH_VMA_FILE_PATH), "");
    CHECK_STR(doca_apsh_vad_info_get(vads[0], DOCA_APSH_VMA_PROTECTION), "");
    doca_apsh_vads_free(vads);
    doca_apsh_processes_free(processes);
    shield_close(&s, &image);
}

static void long_path_keeps_its_end(void)
{
    struct doca_apsh_process **processes;
    struct doca_apsh_vad **vads;
    struct image image;
    uint64_t parent;
    char name[202];
    struct shield s;
    const char *path;
    unsigned i;
    int num;

    image_make(&image, &usual);
    parent = image.dentries[1];
    memset(name, 'd', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    for (i = 0; i < 30; i++) /* 30 folders of 202 bytes each */
        parent = image_dentry(&image, 10, name, parent);
    image_u64(image.dentries[5] + IMAGE_DENTRY_PARENT, image_addr(&image, parent));
    s = shield_start(&image);
    processes = shield_processes(&s);
    CHECK_OK(doca_apsh_vads_get(processes[0], &vads, &num));
    path = doca_apsh_vad_info_get(vads[0], DOCA_APSH_VMA_FILE_PATH);
    CHECK_EQ(strlen(path), 4095);
    CHECK_STR(path + 4095 - 8, "/program");
    doca_apsh_vads_free(vads);
    doca_apsh_processes_free(processes);
    shield_close(&s, &image);
}

/* ---- damage ---- */

/* Areas and libraries of task 5 must be refused, and those of task 1 must be read. */
static void check_refused(const struct image *image, struct shield *s, const char *what, unsigned k)
{
    struct doca_apsh_process **processes = shield_processes(s);
    struct doca_apsh_vad **vads = NULL;
    struct doca_apsh_lib **libs = NULL;
    size_t before, after;
    int num = 77;

    CHECK_OK(doca_core_arena_query(s->ctx->arena, &before, NULL, NULL));
    test_log_lines = 0;
    if (doca_apsh_vads_get(processes[4], &vads, &num) != DOCA_ERROR_INITIALIZATION)
        test_fail(__FILE__, __LINE__, "%s %u: the list of areas is not refused", what, k);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_TORN);
    CHECK_EQ(test_log_lines, 1);
    if (doca_apsh_libs_get(processes[4], &libs, &num) != DOCA_ERROR_INITIALIZATION)
        test_fail(__FILE__, __LINE__, "%s %u: the list of libraries is not refused", what, k);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_TORN);
    CHECK(vads == NULL && libs == NULL && num == 77);
    CHECK_OK(doca_core_arena_query(s->ctx->arena, &after, NULL, NULL));
    CHECK_EQ(after, before);
    (void)image;
    doca_apsh_processes_free(processes);
}

/* Change a word of a running target, check that the lists are refused, and change it back. */
static void check_word(const struct image *image, struct shield *s, uint64_t at, uint64_t value,
                       const char *what, unsigned k)
{
    shield_poke(image, at, value);
    check_refused(image, s, what, k);
    shield_poke(image, at, image_get(at));
}

static void damage_node(const struct image *image, struct shield *s, unsigned k)
{
    const uint64_t node = image->nodes[k], parent = image_get(node);
    const uint64_t root = image->nodes[image->num_nodes - 1];

    check_word(image, s, node, 0, "no parent of node", k);
    check_word(image, s, node, image_addr(image, node), "a dead node", k);
    if (node != root) {
        check_word(image, s, node, parent ^ 8, "slot in the parent of node", k);
        check_word(image, s, node, parent | 1, "a root below the root, node", k);
    }
    check_word(image, s, node + IMAGE_RANGE_PIVOTS, UINT64_MAX - 1, "first pivot of node", k);
    check_word(image, s, node + IMAGE_RANGE_PIVOTS + 8, 1, "second pivot of node", k);
}

static void broken_trees_are_an_error(void)
{
    struct doca_apsh_process **processes;
    const struct image_options *form;
    struct image image;
    uint64_t root, top, slots;
    struct shield s;
    unsigned i, k;

    for (form = forms; form < forms + 2; form++) {
        image_make(&image, form);
        s = shield_start(&image);
        root = image.nodes[image.num_nodes - 1];
        top = image.mms[5] + IMAGE_MM_TREE + IMAGE_TREE_ROOT;
        slots = form->has_ranges ? IMAGE_RANGE_SLOTS : IMAGE_ARANGE_SLOTS;
        for (k = 0; k < image.num_nodes; k++)
            damage_node(&image, &s, k);
        for (i = 0; i < 16; i++) /* all types of nodes, including leaves */
            if (i != (image_get(top) >> 3 & 15) && (form->has_ranges || i != 1))
                check_word(&image, &s, top, (image_get(top) & ~(uint64_t)0x78) | i << 3, "type", i);
        check_word(&image, &s, top, image_get(top) & ~(uint64_t)2, "root without its bit", 0);
        check_word(&image, &s, top, 0x1002, "root that is no memory", 0);
        check_word(&image, &s, top, image.direct + IMAGE_BYTES + 0x102, "root behind the end", 0);
        check_word(&image, &s, root + slots, image_get(top), "root below itself", 0);
        check_word(&image, &s, root + slots, image_get(root + slots + 8), "node twice", 0);
        check_word(&image, &s, root + slots, 0, "gap in a node", 0);
        check_word(&image, &s, root + slots + 8, UINT64_MAX, "wild pointer in a node", 0);
        check_word(&image, &s, image.nodes[0] + IMAGE_RANGE_SLOTS + 8, 0x1000, "area", 0);
        check_word(&image, &s, image.nodes[0] + IMAGE_RANGE_SLOTS + 8,
                   image_addr(&image, image.areas[9]), "area twice", 0);
        processes = shield_processes(&s);
        check_vads(&image, processes[4], 5);
        check_libs(processes[4], 5);
        doca_apsh_processes_free(processes);
        shield_close(&s, &image);
    }
}

/* In this tree each node has one slot, and parent pointers are right. Trees of up to 16 levels are
 * accepted. */
static void deep_tree_is_an_error(void)
{
    struct doca_apsh_process **processes;
    struct doca_apsh_vad **vads;
    struct image_entry entry = { 0, UINT64_MAX, 0 };
    struct image image;
    struct shield s;
    unsigned depth, i, k;
    uint64_t node;
    int num;

    for (i = 0; i < 3; i++) {
        depth = i == 0 ? 16 : i == 1 ? 17 : 40;

        image_make(&image, &forms[1]);
        entry.value = 0;
        entry.node = 0;
        for (k = 0, node = 0; k < depth; k++) {
            node = image_node(&image, &entry, 1, false, 1);
            entry.value = image_addr(&image, node) | (k == 0 ? 1u : 2u) << 3 | 4;
            entry.node = node;
        }
        image_u64(node, image_addr(&image, image.mms[5] + IMAGE_MM_TREE) | 1);
        image_u64(image.mms[5] + IMAGE_MM_TREE + IMAGE_TREE_ROOT, entry.value | 2);
        s = shield_start(&image);
        if (depth > 16) {
            check_refused(&image, &s, "depth", depth);
        } else {
            processes = shield_processes(&s);
            CHECK_OK(doca_apsh_vads_get(processes[4], &vads, &num));
            CHECK(vads == NULL && num == 0);
            doca_apsh_processes_free(processes);
        }
        shield_close(&s, &image);
    }
}

static void broken_areas_are_an_error(void)
{
    const struct image_options *form;
    struct image image;
    struct shield s;
    unsigned k;

    for (form = forms; form < forms + FORMS; form++) {
        image_make(&image, form);
        s = shield_start(&image);
        for (k = 0; k < MANY; k += k < 20 ? 1 : 31) {
            const uint64_t area = image.areas[k];

            check_word(&image, &s, area + IMAGE_AREA_MM, image_addr(&image, image.mms[1]),
                       "space of area", k);
            check_word(&image, &s, area + IMAGE_AREA_START, image_get(area + IMAGE_AREA_END),
                       "start of area", k);
            check_word(&image, &s, area + IMAGE_AREA_END, 0, "end of area", k);
            if (k > 0)
                check_word(&image, &s, area + IMAGE_AREA_START, 1, "low start of area", k);
            if (!form->has_list || k + 1 == MANY)
                continue;
            check_word(&image, &s, area + IMAGE_AREA_PREV, area, "previous area of area", k);
            check_word(&image, &s, area + IMAGE_AREA_NEXT, image_addr(&image, area), "loop at", k);
            check_word(&image, &s, area + IMAGE_AREA_NEXT, image_addr(&image, image.areas[0]),
                       "loop to the first from", k);
            check_word(&image, &s, area + IMAGE_AREA_NEXT, 0x7000, "wild pointer of", k);
        }
        shield_close(&s, &image);
    }
}

static void broken_paths_are_an_error(void)
{
    struct image image;
    struct shield s;
    uint64_t file, program, lib, first, usr, name;

    image_make(&image, &usual);
    s = shield_start(&image);
    file = image.files[0] + IMAGE_FILE_PATH;
    program = image.dentries[5];
    lib = image.dentries[4];
    first = image.dentries[6];
    usr = image.mounts[2];
    name = image_get(first + IMAGE_DENTRY_QSTR + IMAGE_QSTR_NAME) - image.direct;
    check_word(&image, &s, file + IMAGE_PATH_DENTRY, 0, "dentry", 0);
    check_word(&image, &s, file + IMAGE_PATH_MNT, 0, "mnt", 0);
    check_word(&image, &s, file + IMAGE_PATH_MNT, UINT64_MAX - 7, "mnt", 1);
    check_word(&image, &s, program + IMAGE_DENTRY_PARENT, 0, "parent", 0);
    check_word(&image, &s, program + IMAGE_DENTRY_PARENT, image.direct + IMAGE_BYTES, "parent", 1);
    check_word(&image, &s, first + IMAGE_DENTRY_QSTR, 0, "length", 0);
    check_word(&image, &s, first + IMAGE_DENTRY_QSTR, (uint64_t)256 << 32, "length", 256);
    check_word(&image, &s, first + IMAGE_DENTRY_QSTR, (uint64_t)UINT32_MAX << 32, "length", 257);
    check_word(&image, &s, first + IMAGE_DENTRY_QSTR + IMAGE_QSTR_NAME, 0, "name", 0);
    check_word(&image, &s, name, 0, "name", 1);
    /* parents that form a circle: of two entries, and of one entry that is not the root */
    check_word(&image, &s, lib + IMAGE_DENTRY_PARENT, image_addr(&image, first), "circle", 2);
    check_word(&image, &s, usr + IMAGE_MOUNT_POINT, image_addr(&image, first), "circle", 3);
    /* two file systems that are mounted in each other */
    shield_poke(&image, image.mounts[1] + IMAGE_MOUNT_POINT, image_addr(&image, image.dentries[3]));
    check_word(&image, &s, image.mounts[1] + IMAGE_MOUNT_PARENT, image_addr(&image, usr), "mount",
               0);
    shield_poke(&image, usr + IMAGE_MOUNT_POINT, image_addr(&image, image.dentries[1]));
    check_word(&image, &s, image.mounts[1] + IMAGE_MOUNT_PARENT, image_addr(&image, usr), "mount",
               2);
    shield_poke(&image, usr + IMAGE_MOUNT_POINT, image_get(usr + IMAGE_MOUNT_POINT));
    shield_poke(&image, image.mounts[1] + IMAGE_MOUNT_POINT,
                image_get(image.mounts[1] + IMAGE_MOUNT_POINT));
    check_word(&image, &s, usr + IMAGE_MOUNT_PARENT, 0, "mount", 1);
    shield_close(&s, &image);
}

/* Words of the target are changed at random. The calls for the lists end, successful or not. */
static void random_damage_ends(void)
{
    struct doca_apsh_process **processes;
    struct doca_apsh_module **modules;
    struct doca_apsh_thread **threads;
    struct doca_core_apsh_stats before, after;
    struct doca_apsh_vad **vads;
    struct doca_apsh_lib **libs;
    uint32_t seed = 7, round, k, refused = 0, good = 0;
    uint64_t at, value;
    struct image image;
    struct shield s;
    doca_error_t rc;
    int num;

    for (round = 0; round < 60; round++) {
        image_make(&image, &forms[round % FORMS]);
        s = shield_start(&image);
        processes = shield_processes(&s);
        for (k = 0; k < 4 + round * 20; k++) {
            seed = seed * 1664525 + 1013904223;
            at = IMAGE_MORE + (seed >> 4) % (uint32_t)(image.next_more - IMAGE_MORE) / 8 * 8;
            seed = seed * 1664525 + 1013904223;
            value = image_get(IMAGE_MORE + (seed >> 4) % (uint32_t)(image.next_more - IMAGE_MORE) /
                                               8 * 8);
            shield_poke(&image, at, (seed & 1) != 0 ? value : (uint64_t)seed << (seed >> 27));
        }
        CHECK_OK(doca_core_apsh_sys_get_stats(s.system, &before));
        for (k = 0; k < 20; k++) {
            rc = doca_apsh_vads_get(processes[k], &vads, &num);
            CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_INITIALIZATION);
            if (rc == DOCA_SUCCESS)
                doca_apsh_vads_free(vads);
            good += rc == DOCA_SUCCESS && num > 0;
            refused += rc != DOCA_SUCCESS;
            rc = doca_apsh_libs_get(processes[k], &libs, &num);
            CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_INITIALIZATION);
            if (rc == DOCA_SUCCESS)
                doca_apsh_libs_free(libs);
            rc = doca_apsh_threads_get(processes[k], &threads, &num);
            CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_INITIALIZATION);
            if (rc == DOCA_SUCCESS)
                doca_apsh_threads_free(threads);
        }
        rc = doca_apsh_modules_get(s.system, &modules, &num);
        CHECK(rc == DOCA_SUCCESS || rc == DOCA_ERROR_INITIALIZATION);
        if (rc == DOCA_SUCCESS)
            doca_apsh_module_free(modules);
        CHECK_OK(doca_core_apsh_sys_get_stats(s.system, &after));
        CHECK(after.num_tasks - before.num_tasks < 61 * 5 * 300);
        doca_apsh_processes_free(processes);
        shield_close(&s, &image);
    }
    CHECK(good > 50 && refused > 50);
}

static void kernel_without_a_member_has_no_lists(void)
{
    static const char *const names[] = { "vm_mm", "ma_root", "pivot", "d_parent", "mnt_root",
                                         "f_path" };
    struct doca_apsh_process **processes;
    struct doca_apsh_vad **vads = NULL;
    struct doca_apsh_lib **libs = NULL;
    struct image image;
    struct shield s;
    int num = 77;
    size_t i;

    for (i = 0; i < sizeof(names) / sizeof(names[0]) + 3; i++) {
        const size_t n = i < 6 ? i : 0;
        char *name;

        image_make(&image, &forms[0]);
        name = memmem(image_ram + image.btf, image.btf_end - image.btf, names[n],
                      strlen(names[n]) + 1);
        CHECK(name != NULL);
        if (i < 6)
            name[0] = 'X';
        s = shield_start(&image);
        if (i == 6)
            s.system->kernel->offsets[DOCA_PRIV_APSH_RANGE_NUM] = 1;
        else if (i == 7)
            s.system->kernel->offsets[DOCA_PRIV_APSH_ARANGE_NUM] = 17;
        else if (i == 8)
            s.system->kernel->offsets[DOCA_PRIV_APSH_MM_TREE] = -1;
        processes = shield_processes(&s);
        CHECK_RC(doca_apsh_vads_get(processes[4], &vads, &num), DOCA_ERROR_INITIALIZATION);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_LAYOUT);
        CHECK_RC(doca_apsh_libs_get(processes[4], &libs, &num), DOCA_ERROR_INITIALIZATION);
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_LAYOUT);
        CHECK(vads == NULL && libs == NULL && num == 77);
        doca_apsh_processes_free(processes);
        shield_close(&s, &image);
    }
}

static void areas_of_a_process_that_has_ended_are_an_error(void)
{
    struct doca_apsh_process **processes;
    struct doca_apsh_vad **vads = NULL;
    struct doca_apsh_lib **libs = NULL;
    struct image image;
    struct shield s;
    int num = 77;

    image_make(&image, &usual);
    s = shield_start(&image);
    processes = shield_processes(&s);
    shield_poke(&image, image.tasks[5] + IMAGE_PID, 1 + ((uint64_t)1 << 32));
    CHECK_RC(doca_apsh_vads_get(processes[4], &vads, &num), DOCA_ERROR_INITIALIZATION);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_ENDED);
    CHECK_RC(doca_apsh_libs_get(processes[4], &libs, &num), DOCA_ERROR_INITIALIZATION);
    CHECK_EQ(test_log_item, DOCA_CORE_ITEM_APSH_ENDED);
    CHECK(vads == NULL && libs == NULL && num == 77);
    doca_apsh_processes_free(processes);
    shield_close(&s, &image);
}

/* ---- memory ---- */

/* Take all blocks of an arena, so that it is exhausted. Returns their number. */
static unsigned exhaust(struct doca_core_arena *arena, void *blocks[64], size_t keep)
{
    size_t free = 0;
    unsigned num = 0;

    while (num < 64 && doca_core_arena_query(arena, NULL, NULL, &free) == DOCA_SUCCESS &&
           free > keep + 2 * DOCA_CORE_LINE &&
           doca_core_arena_take(arena, free - keep - 2 * DOCA_CORE_LINE, &blocks[num]) ==
               DOCA_SUCCESS)
        num++;
    return num;
}

static void lists_of_areas_and_libraries_take_what_is_said(void)
{
    const size_t paths = sizeof("/program") + 2 * sizeof("/usr/lib/libfirst.so") +
                         sizeof("/usr/lib/a-library-with-a-long-name.so") +
                         sizeof("/memfd:shared") + sizeof("/");
    const size_t lib_paths = sizeof("/program") + sizeof("/usr/lib/libfirst.so") +
                             sizeof("/usr/lib/a-library-with-a-long-name.so");
    struct doca_apsh_process **processes;
    size_t before, after, bytes, keep;
    struct doca_apsh_vad **vads;
    struct doca_apsh_lib **libs;
    void *blocks[64];
    unsigned num_blocks;
    struct image image;
    struct shield s;
    int num;

    image_make(&image, &usual);
    s = shield_start(&image);
    processes = shield_processes(&s);
    CHECK_OK(doca_core_arena_query(s.ctx->arena, &before, NULL, NULL));
    CHECK_OK(doca_apsh_vads_get(processes[4], &vads, &num));
    CHECK_OK(doca_core_arena_query(s.ctx->arena, &after, NULL, NULL));
    CHECK_EQ(after - before, DOCA_CORE_BYTES_APSH_VADS(MANY, paths));
    CHECK_OK(doca_core_bytes_apsh_vads(MANY, paths, &bytes));
    CHECK_EQ(bytes, after - before);
    CHECK_RC(doca_core_bytes_apsh_vads(MANY, paths, NULL), DOCA_ERROR_INVALID_VALUE);
    doca_apsh_vads_free(vads);
    CHECK_OK(doca_apsh_libs_get(processes[4], &libs, &num));
    CHECK_OK(doca_core_arena_query(s.ctx->arena, &after, NULL, NULL));
    CHECK_EQ(after - before, DOCA_CORE_BYTES_APSH_LIBS(3, lib_paths));
    CHECK_OK(doca_core_bytes_apsh_libs(3, lib_paths, &bytes));
    CHECK_EQ(bytes, after - before);
    CHECK_RC(doca_core_bytes_apsh_libs(3, lib_paths, NULL), DOCA_ERROR_INVALID_VALUE);
    doca_apsh_libs_free(libs);
    for (keep = 0; keep <= 256; keep += 128) {
        num_blocks = exhaust(s.ctx->arena, blocks, keep);
        CHECK(num_blocks < 64);
        CHECK_OK(doca_core_arena_query(s.ctx->arena, &before, NULL, NULL));
        CHECK_RC(doca_apsh_vads_get(processes[4], &vads, &num), DOCA_ERROR_NO_MEMORY);
        CHECK_RC(doca_apsh_libs_get(processes[4], &libs, &num), DOCA_ERROR_NO_MEMORY);
        CHECK_OK(doca_core_arena_query(s.ctx->arena, &after, NULL, NULL));
        CHECK_EQ(after, before);
        while (num_blocks > 0)
            CHECK_OK(doca_core_arena_give(s.ctx->arena, blocks[--num_blocks]));
    }
    check_vads(&image, processes[4], 5);
    doca_apsh_processes_free(processes);
    shield_close(&s, &image);
}

/* ---- parts ---- */

/* The first pass over the areas counts, the second reads. When pages have left the cache and the
 * target has changed, the second pass finds more areas than there is room for. */
static void second_pass_keeps_to_its_room(void)
{
    struct doca_apsh_process **processes;
    struct doca_priv_apsh_run room[3];
    struct doca_priv_apsh_list list;
    struct doca_priv_apsh_runs runs;
    struct doca_priv_apsh_pass pass;
    struct image image;
    struct shield s;
    uint64_t mm;

    image_make(&image, &usual);
    s = shield_start(&image);
    processes = shield_processes(&s);
    doca_priv_apsh_list_begin(&list, NULL, processes[4], DOCA_APSH_VADS_LIMIT);
    doca_priv_apsh_mem_begin(&list.kernel->mem, list.budget);
    CHECK_OK(doca_priv_apsh_areas_space(&list, &mm));
    memset(room, 0x55, sizeof(room));
    runs.runs = room;
    runs.max = 2;
    CHECK_RC(doca_priv_apsh_runs_make(&list, mm, &runs), DOCA_ERROR_NOT_FOUND);
    CHECK_EQ(runs.num, 2);
    CHECK(room[2].start == 0x5555555555555555);
    /* a snapshot with room for the areas, but not for their paths */
    CHECK_OK(doca_priv_apsh_snapshot_make(list.system, DOCA_PRIV_APSH_VADS, 400, 400 * 5,
                                          &list.snapshot));
    pass.name = "";
    CHECK_OK(doca_priv_apsh_pass_make(&list, &pass, mm, 4));
    doca_priv_apsh_snapshot_end(list.snapshot);
    CHECK_OK(doca_priv_apsh_snapshot_make(list.system, DOCA_PRIV_APSH_VADS, 400, 8,
                                          &list.snapshot));
    CHECK_RC(doca_priv_apsh_pass_make(&list, &pass, mm, 400), DOCA_ERROR_NOT_FOUND);
    doca_priv_apsh_snapshot_end(list.snapshot);
    doca_apsh_processes_free(processes);
    shield_close(&s, &image);
}

/* ---- failures of the device ---- */

static void failed_reads_of_areas_are_errors(void)
{
    struct image image;
    unsigned i;

    for (i = 0; i < FORMS; i++) {
        image_make(&image, &forms[i]);
        check_faults(&image, apsh_get_vads, 4, MANY);
        check_faults(&image, apsh_get_libs, 4, 3);
    }
}

static const struct test_case cases[] = {
    CASE(areas_and_libraries_are_those_of_the_process, ""),
    CASE(empty_address_space_has_no_areas, ""),
    CASE(lists_of_areas_and_libraries_end_at_their_limits, ""),
    CASE(long_path_keeps_its_end, ""),
    CASE(broken_trees_are_an_error, ""),
    CASE(deep_tree_is_an_error, ""),
    CASE(broken_areas_are_an_error, ""),
    CASE(broken_paths_are_an_error, ""),
    CASE(random_damage_ends, ""),
    CASE(kernel_without_a_member_has_no_lists, ""),
    CASE(areas_of_a_process_that_has_ended_are_an_error, ""),
    CASE(lists_of_areas_and_libraries_take_what_is_said, ""),
    CASE(second_pass_keeps_to_its_room, ""),
    CASE(failed_reads_of_areas_are_errors, ""),
};

TEST_MAIN(cases)
