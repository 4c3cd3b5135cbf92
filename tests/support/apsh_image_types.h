/* The type information of the image that apsh_image.h writes, and the offsets that it contains. */
#ifndef APSH_IMAGE_TYPES_H
#define APSH_IMAGE_TYPES_H

/* offsets of members, and sizes of structures */
enum {
    IMAGE_STATE = 24,
    IMAGE_SE = 128,
    IMAGE_RUNTIME = 128 + 72,
    IMAGE_MM = 2200,
    IMAGE_LINKS = 2300 + 4,
    IMAGE_PID = 2400,
    IMAGE_TGID = 2404,
    IMAGE_PARENT = 2416,
    IMAGE_CRED = 2960,
    IMAGE_COMM = 3000,
    IMAGE_SIGNAL = 3104,
    IMAGE_THREADS = 4088, /* in some tasks this member crosses a page boundary */
    IMAGE_UTIME = 5000,
    IMAGE_STIME = 5008,
    IMAGE_TASK_BYTES = 9216,
    IMAGE_UID = 4,
    IMAGE_GID = 8,
    IMAGE_HEAD = 16, /* list head of the threads */
    IMAGE_SIGNAL_UTIME = 40,
    IMAGE_SIGNAL_STIME = 48,
    IMAGE_SIGNAL_RUNTIME = 56,
    IMAGE_MODULE_LINKS = 8,
    IMAGE_MODULE_NAME = 24,
    IMAGE_MODULE_CORE = 128,
    IMAGE_MODULE_INIT = 208,
    IMAGE_LAYOUT_SIZE = 8, /* the size in a layout, and in a part */
    IMAGE_PARTS = 7,
    IMAGE_PART_BYTES = 72,
    IMAGE_MODULE_BYTES = 704,
    IMAGE_MM_AREAS = 16,
    IMAGE_MM_ENV_START = 40,
    IMAGE_MM_ENV_END = 48,
    IMAGE_MM_TREE = 64,
    IMAGE_MM_PGD = 88,
    IMAGE_MM_CONTEXT = 96,
    IMAGE_CONTEXT_VDSO = 8,
    IMAGE_TREE_ROOT = 8,
    IMAGE_NODE_BYTES = 256,
    IMAGE_RANGE_PIVOTS = 8,
    IMAGE_RANGE_SLOTS = 128,
    IMAGE_RANGE_NUM = 16,
    IMAGE_ARANGE_PIVOTS = 8,
    IMAGE_ARANGE_SLOTS = 80,
    IMAGE_ARANGE_NUM = 10,
    IMAGE_AREA_START = 0,
    IMAGE_AREA_END = 8,
    IMAGE_AREA_MM = 16,
    IMAGE_AREA_FLAGS = 32,
    IMAGE_AREA_NEXT = 40,
    IMAGE_AREA_PREV = 48,
    IMAGE_AREA_PLACE = 152,
    IMAGE_AREA_FILE = 160,
    IMAGE_FILE_PATH = 152,
    IMAGE_PATH_MNT = 0,
    IMAGE_PATH_DENTRY = 8,
    IMAGE_DENTRY_PARENT = 24,
    IMAGE_DENTRY_QSTR = 32,
    IMAGE_QSTR_LEN = 4,
    IMAGE_QSTR_NAME = 8,
    IMAGE_DENTRY_INLINE = 56,
    IMAGE_MOUNT_PARENT = 16,
    IMAGE_MOUNT_POINT = 24,
    IMAGE_MOUNT_MNT = 32,
    IMAGE_MNT_ROOT = 8
};

static unsigned char image_types[65536];
static char image_strings[65536];
static uint32_t image_types_len, image_strings_len, image_num_types;

static inline uint32_t image_string(const char *text)
{
    uint32_t at = image_strings_len;

    if (text[0] == '\0')
        return 0;
    strcpy(image_strings + at, text);
    image_strings_len += (uint32_t)strlen(text) + 1;
    return at;
}

/* Return the offset of a string. Add the string if it is not there yet. */
static inline uint32_t image_name(const char *text)
{
    uint32_t at;

    for (at = 1; at < image_strings_len; at += (uint32_t)strlen(image_strings + at) + 1)
        if (strcmp(image_strings + at, text) == 0)
            return at;
    return image_string(text);
}

static inline void image_word(uint32_t word)
{
    memcpy(image_types + image_types_len, &word, 4);
    image_types_len += 4;
}

/* Write the header of a type. Return the number of the type. */
static inline uint32_t image_type(const char *name, unsigned kind, uint32_t num, uint32_t size)
{
    image_word(image_name(name));
    image_word(kind << 24 | num);
    image_word(size);
    return ++image_num_types;
}

static inline void image_member(const char *name, uint32_t type, uint32_t offset)
{
    image_word(image_name(name));
    image_word(type);
    image_word(offset * 8);
}

static inline uint32_t image_array(uint32_t type, uint32_t num)
{
    uint32_t number = image_type("", 3, 0, 0);

    image_word(type);
    image_word(type);
    image_word(num);
    return number;
}

static inline void image_filler(unsigned num)
{
    char name[16];

    while (num-- > 0) {
        (void)snprintf(name, sizeof(name), "int_%u", image_num_types);
        (void)image_type(name, 1, 0, 4);
        image_word(32);
    }
}

/* Write the types of modules. */
static inline void image_module_types(const struct image *i, uint32_t number, uint32_t list)
{
    uint32_t layout, parts;

    layout = image_type(i->o.has_parts ? "module_memory" : "module_layout", 4, 2,
                        i->o.has_parts ? IMAGE_PART_BYTES : 80);
    image_member("base", number, 0);
    image_member("size", number, IMAGE_LAYOUT_SIZE);
    parts = image_array(layout, IMAGE_PARTS);
    parts = image_type("parts_t", 8, 0, parts);
    (void)image_type("module", 4, i->o.has_parts ? 3 : 4, IMAGE_MODULE_BYTES);
    image_member("list", list, IMAGE_MODULE_LINKS);
    image_member("name", number, IMAGE_MODULE_NAME);
    if (i->o.has_parts) {
        image_member("mem", parts, IMAGE_MODULE_CORE);
        return;
    }
    image_member("core_layout", layout, IMAGE_MODULE_CORE);
    image_member("init_layout", layout, IMAGE_MODULE_INIT);
}

/* Write the types of files, directory entries and mounts. The length of a name is in an anonymous
 * structure in an anonymous union. */
static inline void image_file_types(uint32_t number)
{
    uint32_t inner, outer, qstr, path, mnt;

    inner = image_type("", 4, 2, 8);
    image_member("hash", number, 0);
    image_member("len", number, IMAGE_QSTR_LEN);
    outer = image_type("", 5, 2, 8);
    image_member("", inner, 0);
    image_member("hash_len", number, 0);
    qstr = image_type("qstr", 4, 2, 16);
    image_member("", outer, 0);
    image_member("name", number, IMAGE_QSTR_NAME);
    (void)image_type("dentry", 4, 2, 192);
    image_member("d_parent", number, IMAGE_DENTRY_PARENT);
    image_member("d_name", qstr, IMAGE_DENTRY_QSTR);
    path = image_type("path", 4, 2, 16);
    image_member("mnt", number, IMAGE_PATH_MNT);
    image_member("dentry", number, IMAGE_PATH_DENTRY);
    (void)image_type("file", 4, 1, 232);
    image_member("f_path", path, IMAGE_FILE_PATH);
    mnt = image_type("vfsmount", 4, 1, 32);
    image_member("mnt_root", number, IMAGE_MNT_ROOT);
    (void)image_type("mount", 4, 3, 320);
    image_member("mnt_parent", number, IMAGE_MOUNT_PARENT);
    image_member("mnt_mountpoint", number, IMAGE_MOUNT_POINT);
    image_member("mnt", mnt, IMAGE_MOUNT_MNT);
}

/* Write the types of memory areas, and of the nodes of their trees. */
static inline void image_area_types(const struct image *i, uint32_t number)
{
    uint32_t inner, outer, slots;

    (void)image_type("vm_area_struct", 4, i->o.has_list ? 8 : 6, 200);
    image_member("vm_start", number, IMAGE_AREA_START);
    image_member("vm_end", number, IMAGE_AREA_END);
    image_member("vm_mm", number, IMAGE_AREA_MM);
    image_member(i->o.has_ranges ? "__vm_flags" : "vm_flags", number, IMAGE_AREA_FLAGS);
    image_member("vm_pgoff", number, IMAGE_AREA_PLACE);
    image_member("vm_file", number, IMAGE_AREA_FILE);
    if (i->o.has_list) {
        image_member("vm_next", number, IMAGE_AREA_NEXT);
        image_member("vm_prev", number, IMAGE_AREA_PREV);
        return;
    }
    inner = image_type("", 4, 1, IMAGE_NODE_BYTES);
    image_member("parent", number, 0);
    outer = image_type("", 5, 1, IMAGE_NODE_BYTES);
    image_member("", inner, 0);
    (void)image_type("maple_node", 4, 1, IMAGE_NODE_BYTES);
    image_member("", outer, 0);
    slots = image_array(number, IMAGE_RANGE_NUM);
    (void)image_type("maple_range_64", 4, 2, IMAGE_NODE_BYTES);
    image_member("pivot", number, IMAGE_RANGE_PIVOTS);
    image_member("slot", slots, IMAGE_RANGE_SLOTS);
    slots = image_array(number, IMAGE_ARANGE_NUM);
    (void)image_type("maple_arange_64", 4, 2, IMAGE_NODE_BYTES);
    image_member("pivot", number, IMAGE_ARANGE_PIVOTS);
    image_member("slot", slots, IMAGE_ARANGE_SLOTS);
}

/* Write the types. `pid` and `tgid` are in an anonymous structure in an anonymous union. */
static inline void image_btf(struct image *i)
{
    uint32_t number, list, ids, both, alias, tree, context, head[6];

    image_types_len = image_num_types = 0;
    image_strings_len = 1;
    image_filler(1);
    number = image_num_types;
    image_filler(150);
    list = image_type("list_head", 4, 2, 16);
    image_member("next", number, 0);
    image_member("prev", number, 8);
    ids = image_type("", 4, 2, 8);
    image_member("pid", number, 0);
    image_member("tgid", number, 4);
    both = image_type("", 5, 2, 8);
    image_member("", ids, 0);
    image_member("both_ids", number, 0);
    (void)image_type("cred", 4, 2, 64);
    image_member("uid", number, IMAGE_UID);
    image_member("gid", number, IMAGE_GID);
    (void)image_type("signal_struct", 4, i->o.has_parts ? 4 : 3, 64);
    if (i->o.has_parts)
        image_member("sum_sched_runtime", number, IMAGE_SIGNAL_RUNTIME);
    image_member("thread_head", list, IMAGE_HEAD);
    image_member("utime", number, IMAGE_SIGNAL_UTIME);
    image_member("stime", number, IMAGE_SIGNAL_STIME);
    tree = image_type("maple_tree", 4, 1, 16);
    image_member("ma_root", number, IMAGE_TREE_ROOT);
    alias = image_type("tree_t", 8, 0, tree);
    alias = image_type("", 10, 0, alias);
    context = image_type("", 4, 2, 64);
    image_member("id", number, 0);
    image_member("vdso", number, IMAGE_CONTEXT_VDSO);
    context = image_type("context_t", 8, 0, context);
    (void)image_type("mm_struct", 4, 5, 160);
    image_member("env_start", number, IMAGE_MM_ENV_START);
    image_member("env_end", number, IMAGE_MM_ENV_END);
    image_member("pgd", number, IMAGE_MM_PGD);
    image_member("context", context, IMAGE_MM_CONTEXT);
    if (i->o.has_list)
        image_member("mmap", number, IMAGE_MM_AREAS);
    else
        image_member("mm_mt", alias, IMAGE_MM_TREE);
    image_area_types(i, number);
    image_file_types(number);
    image_filler(100);
    image_module_types(i, number, list);
    tree = image_type("sched_entity", 4, 1, 256);
    image_member("sum_exec_runtime", number, 72);
    (void)image_type("task_struct", 4, 12, IMAGE_TASK_BYTES);
    image_member(i->o.has_parts ? "se" : "other_se", tree, IMAGE_SE);
    image_member(i->o.state != NULL ? i->o.state : "__state", number, IMAGE_STATE);
    image_member("mm", number, IMAGE_MM);
    image_member("tasks", list, IMAGE_LINKS);
    image_member("", both, IMAGE_PID);
    image_member("real_parent", number, IMAGE_PARENT);
    image_member("cred", number, IMAGE_CRED);
    image_member("comm", number, IMAGE_COMM);
    image_member("signal", number, IMAGE_SIGNAL);
    image_member("thread_node", list, IMAGE_THREADS);
    image_member("utime", number, IMAGE_UTIME);
    image_member("stime", number, IMAGE_STIME);
    image_filler(50);
    head[0] = 0x0001eb9f;
    head[1] = 24;
    head[2] = 0;
    head[3] = image_types_len;
    head[4] = image_types_len;
    head[5] = image_strings_len;
    i->btf = image_take(i, 24 + image_types_len + image_strings_len, 4096);
    i->btf_end = i->next_kernel;
    image_put(i->btf, head, 24);
    image_put(i->btf + 24, image_types, image_types_len);
    image_put(i->btf + 24 + image_types_len, image_strings, image_strings_len);
}

#endif
