/* The memory areas of the tasks in the image that apsh_image.h writes, with their files. Tasks with
 * odd numbers have areas; task 5 has so many of them that their tree has three levels. */
#ifndef APSH_IMAGE_AREAS_H
#define APSH_IMAGE_AREAS_H

enum { IMAGE_READ = 1, IMAGE_WRITE = 2, IMAGE_CODE = 4, IMAGE_SHARED = 0x80 };

struct image_area {
    uint64_t start, end;
    unsigned flags;
    int file; /* number of a file, or -1 */
};

/* The paths of the files. Files 1 and 2 are the same, opened twice. */
static const char *const image_paths[IMAGE_FILES] = { "/program",
                                                      "/usr/lib/libfirst.so",
                                                      "/usr/lib/libfirst.so",
                                                      "/usr/lib/a-library-with-a-long-name.so",
                                                      "/memfd:shared",
                                                      "/" };

#define IMAGE_LIBS 0x7f0000000000u
#define IMAGE_VDSO 0x7ffff7fc0000u
static const struct image_area image_common[] = {
    { 0x400000, 0x401000, IMAGE_READ, 0 },
    { 0x401000, 0x405000, IMAGE_READ | IMAGE_CODE, 0 },
    { 0x405000, 0x406000, IMAGE_READ | IMAGE_WRITE, 0 },
    { 0x406000, 0x410000, IMAGE_READ | IMAGE_WRITE, -1 },
    { IMAGE_LIBS, IMAGE_LIBS + 0x2000, IMAGE_READ, 1 },
    { IMAGE_LIBS + 0x2000, IMAGE_LIBS + 0x8000, IMAGE_READ | IMAGE_CODE, 1 },
    { IMAGE_LIBS + 0x8000, IMAGE_LIBS + 0x9000, 0, 1 },
    { IMAGE_LIBS + 0x10000, IMAGE_LIBS + 0x12000, IMAGE_READ | IMAGE_WRITE | IMAGE_CODE, 3 },
    { IMAGE_LIBS + 0x20000, IMAGE_LIBS + 0x22000, IMAGE_READ | IMAGE_WRITE | IMAGE_SHARED, 4 },
    { IMAGE_LIBS + 0x30000, IMAGE_LIBS + 0x31000, IMAGE_READ, 2 },
    { IMAGE_LIBS + 0x40000, IMAGE_LIBS + 0x41000, IMAGE_READ | IMAGE_CODE, 2 },
    { IMAGE_LIBS + 0x50000, IMAGE_LIBS + 0x51000, IMAGE_READ, 5 },
    { IMAGE_VDSO, IMAGE_VDSO + 0x2000, IMAGE_READ | IMAGE_CODE, -1 },
    { 0x7ffffffde000u, 0x7ffffffff000u, IMAGE_READ | IMAGE_WRITE, -1 },
};
#define IMAGE_COMMON ((unsigned)(sizeof(image_common) / sizeof(image_common[0])))
#define IMAGE_EXTRA 300u

/* Return the number of areas of a task. */
static inline unsigned image_num_areas(unsigned n)
{
    return n % 2 == 0 ? 0 : n == 5 ? IMAGE_COMMON + IMAGE_EXTRA : IMAGE_COMMON;
}

static inline struct image_area image_area(unsigned n, unsigned k)
{
    struct image_area area;

    if (n != 5 || k < 4)
        return image_common[k];
    if (k >= 4 + IMAGE_EXTRA)
        return image_common[k - IMAGE_EXTRA];
    k -= 4;
    area.start = 0x10000000 + (uint64_t)k * 0x2000;
    area.end = area.start + (k % 3 == 0 ? 0x2000 : 0x1000); /* a third of them touch the next */
    area.flags = IMAGE_READ | (k % 2 == 0 ? IMAGE_WRITE : 0);
    area.file = -1;
    return area;
}

/* The place of an area in its file, in pages. */
static inline uint64_t image_place(struct image_area area)
{
    return area.file == 0   ? (area.start - 0x400000) / 4096
           : area.file == 1 ? (area.start - IMAGE_LIBS) / 4096
           : area.file == 2 ? (area.start - IMAGE_LIBS - 0x30000) / 4096 / 8 /* page 0 or 2 */
           : area.file == 3 ? (area.start - IMAGE_LIBS - 0x10000) / 4096
           : area.file < 0  ? area.start / 4096
                            : 0;
}

/* ---- files ---- */

static inline uint64_t image_dentry(struct image *i, unsigned number, const char *name,
                                    uint64_t parent)
{
    const uint64_t dentry = image_more(i, 192);
    const size_t len = strlen(name);
    const uint64_t text = len < 32 ? dentry + IMAGE_DENTRY_INLINE : image_more(i, 256);

    i->dentries[number] = dentry;
    image_u64(dentry + IMAGE_DENTRY_PARENT, image_addr(i, parent != 0 ? parent : dentry));
    image_u32(dentry + IMAGE_DENTRY_QSTR, 0x12345678); /* hash */
    image_u32(dentry + IMAGE_DENTRY_QSTR + IMAGE_QSTR_LEN, (uint32_t)len);
    image_u64(dentry + IMAGE_DENTRY_QSTR + IMAGE_QSTR_NAME, image_addr(i, text));
    image_put(text, name, len + 1);
    return dentry;
}

static inline void image_mount(struct image *i, unsigned number, uint64_t root, uint64_t parent,
                               uint64_t point)
{
    const uint64_t mount = image_more(i, 320);

    i->mounts[number] = mount;
    image_u64(mount + IMAGE_MOUNT_MNT + IMAGE_MNT_ROOT, image_addr(i, root));
    image_u64(mount + IMAGE_MOUNT_PARENT, image_addr(i, parent != 0 ? parent : mount));
    image_u64(mount + IMAGE_MOUNT_POINT, image_addr(i, point != 0 ? point : root));
}

static inline void image_file(struct image *i, unsigned number, unsigned dentry, unsigned mount)
{
    const uint64_t file = image_more(i, 232);

    i->files[number] = file;
    image_u64(file + IMAGE_FILE_PATH + IMAGE_PATH_MNT,
              image_addr(i, i->mounts[mount] + IMAGE_MOUNT_MNT));
    image_u64(file + IMAGE_FILE_PATH + IMAGE_PATH_DENTRY, image_addr(i, i->dentries[dentry]));
}

/* Write the files. The file system of /program is mounted over the root of all mounts, /usr is
 * another file system, and memfd files are in a file system that is mounted nowhere. */
static inline void image_files(struct image *i)
{
    const uint64_t bottom = image_dentry(i, 0, "/", 0), root = image_dentry(i, 1, "/", 0);
    const uint64_t usr = image_dentry(i, 2, "usr", root), usr_root = image_dentry(i, 3, "/", 0);
    const uint64_t lib = image_dentry(i, 4, "lib", usr_root);

    (void)image_dentry(i, 5, "program", root);
    (void)image_dentry(i, 6, "libfirst.so", lib);
    (void)image_dentry(i, 7, "a-library-with-a-long-name.so", lib);
    (void)image_dentry(i, 8, "/", 0);
    (void)image_dentry(i, 9, "memfd:shared", 0);
    image_mount(i, 0, bottom, 0, 0);
    image_mount(i, 1, root, i->mounts[0], bottom);
    image_mount(i, 2, usr_root, i->mounts[1], usr);
    image_mount(i, 3, i->dentries[8], 0, 0);
    image_file(i, 0, 5, 1);
    image_file(i, 1, 6, 2);
    image_file(i, 2, 6, 2);
    image_file(i, 3, 7, 2);
    image_file(i, 4, 9, 3);
    image_file(i, 5, 1, 1);
}

/* ---- trees ---- */

struct image_entry { /* the pointer in a slot, the last address of the slot, and the node there */
    uint64_t value, last, node;
};

/* Write a node of `num` slots. In half of the nodes a pivot ends the last slot; values that are not
 * in use follow it. A leaf that is not full has other data in its last slot. Returns the physical
 * address of the node. */
static inline uint64_t image_node(struct image *i, const struct image_entry *entries, unsigned num,
                                  bool is_arange, unsigned number)
{
    const unsigned max = is_arange ? IMAGE_ARANGE_NUM : IMAGE_RANGE_NUM;
    const uint64_t pivots = is_arange ? IMAGE_ARANGE_PIVOTS : IMAGE_RANGE_PIVOTS;
    const uint64_t slots = is_arange ? IMAGE_ARANGE_SLOTS : IMAGE_RANGE_SLOTS;
    uint64_t node;
    unsigned k;

    i->next_more = (i->next_more + 255) / 256 * 256;
    node = image_more(i, IMAGE_NODE_BYTES);
    for (k = 0; k < num; k++) {
        if (k + 1 < max && (k + 1 < num || number % 2 == 0))
            image_u64(node + pivots + 8 * k, entries[k].last);
        image_u64(node + slots + 8 * k, entries[k].value);
        if (entries[k].node != 0)
            image_u64(entries[k].node, image_addr(i, node) | k << 3 | 6);
    }
    if (num < max)
        image_u64(node + slots + 8 * num, 0xdead);
    if (num < max && !is_arange)
        image_u64(node + slots + 8 * (max - 1), 0x0e0e);
    return node;
}

/* Write a tree with these entries. Returns the pointer to its root. */
static inline uint64_t image_tree(struct image *i, struct image_entry *entries, unsigned num,
                                  uint64_t tree, bool is_noted)
{
    unsigned level, at, kept, size, number = 0, type;
    uint64_t node = 0;

    for (level = 0; level == 0 || num > 1; level++) {
        type = level == 0 ? 1 : i->o.has_ranges ? 2 : 3;
        for (at = kept = 0; at < num; at += size, number++) {
            size = type == 3 ? 7 + number % 4 : 13 + number % 4;
            size = size < num - at ? size : num - at;
            node = image_node(i, entries + at, size, type == 3, number);
            if (is_noted)
                i->nodes[number] = node;
            entries[kept].last = entries[at + size - 1].last;
            entries[kept].node = node;
            entries[kept++].value = image_addr(i, node) | type << 3 | 4;
        }
        num = kept;
    }
    if (is_noted)
        i->num_nodes = number;
    image_u64(node, image_addr(i, tree) | 1);
    return (entries[0].value & ~(uint64_t)4) | 2;
}

/* ---- areas ---- */

/* Write an address space. */
static inline void image_space(struct image *i, unsigned n)
{
    static struct image_entry entries[2 * IMAGE_AREAS + 2];
    const uint64_t mm = image_more(i, 160);
    uint64_t previous = 0, end = 0;
    unsigned num = 0, k;

    i->mms[n] = mm;
    image_u64(i->tasks[n] + IMAGE_MM, image_addr(i, mm));
    image_u64(mm + IMAGE_MM_PGD, image_addr(i, i->root));
    image_u64(mm + IMAGE_MM_CONTEXT + IMAGE_CONTEXT_VDSO, IMAGE_VDSO);
    memset(entries, 0, sizeof(entries));
    for (k = 0; k < image_num_areas(n); k++) {
        const struct image_area area = image_area(n, k);
        const uint64_t at = image_more(i, 200);

        if (n == 5)
            i->areas[k] = at;
        image_u64(at + IMAGE_AREA_START, area.start);
        image_u64(at + IMAGE_AREA_END, area.end);
        image_u64(at + IMAGE_AREA_MM, image_addr(i, mm));
        image_u64(at + IMAGE_AREA_FLAGS, area.flags | 0x70);
        image_u64(at + IMAGE_AREA_PLACE, image_place(area));
        image_u64(at + IMAGE_AREA_FILE,
                  area.file >= 0 ? image_addr(i, i->files[area.file]) : 0);
        if (i->o.has_list && previous == 0)
            image_u64(mm + IMAGE_MM_AREAS, image_addr(i, at));
        if (i->o.has_list && previous != 0) {
            image_u64(previous + IMAGE_AREA_NEXT, image_addr(i, at));
            image_u64(at + IMAGE_AREA_PREV, image_addr(i, previous));
        }
        if (area.start > end) { /* a gap; the slot of one gap has a value that only trees use */
            entries[num].value = k == 7 ? 0x406 : 0;
            entries[num++].last = area.start - 1;
        }
        entries[num].value = image_addr(i, at);
        entries[num++].last = area.end - 1;
        previous = at;
        end = area.end;
    }
    entries[num++].last = UINT64_MAX;
    if (!i->o.has_list)
        image_u64(mm + IMAGE_MM_TREE + IMAGE_TREE_ROOT,
                  image_tree(i, entries, num, mm + IMAGE_MM_TREE, n == 5));
}

static inline void image_spaces(struct image *i)
{
    unsigned n;

    image_files(i);
    for (n = 1; n <= i->o.num_tasks; n += 2)
        image_space(i, n);
}

#endif
