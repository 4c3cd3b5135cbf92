/* The limit of App Shield: the same lists, read with plain loads from the mapped file with the
 * target's memory. The place of the kernel and the offsets of its members are those that the start
 * of the library's system found. The walk reads the same members and strings, checks the same
 * links, and compares each address with the end of the memory. In contrast to the library, the walk
 * copies no pages, does not count the elements of a list in advance, and reads no member twice. */
#ifndef BENCH_APSH_FLOOR_H
#define BENCH_APSH_FLOOR_H

#include "bench.h"

#define FLOOR_MAX 8192u /* elements of a list */
#define FLOOR_TEXT 4096u
#define FLOOR_DEPTH 16u /* levels of a tree */

struct floor_notes {
    unsigned num_fields;
    unsigned char *pages; /* for each page of the memory: whether it was read */
};

struct floor { /* the target */
    const unsigned char *ram;
    uint64_t bytes;
    const struct doca_priv_apsh_kernel *kernel;
    struct floor_notes *notes; /* a constant NULL in walks that are measured */
};

struct floor_process {
    uint64_t task, pid, parent_pid, state, uid, gid, time;
    char comm[DOCA_PRIV_APSH_COMM + 1];
};

struct floor_area {
    uint64_t at, start, end, pid;
    const char *path, *comm;
    char letters[5];
};

static struct floor_process floor_processes[FLOOR_MAX];
static struct floor_area floor_areas[FLOOR_MAX];
static char floor_texts[FLOOR_MAX * 64]; /* the paths of areas */
static struct {
    size_t num, num_bytes;
} floor_paths;

/* ---- loads ---- */

/* Note that a field is read. */
BENCH_INLINE void floor_note(const struct floor *f, uint64_t at)
{
    if (f->notes != NULL) {
        f->notes->num_fields++;
        f->notes->pages[at / 4096] = 1;
    }
}

/* The number of 64 bits at a physical address. */
BENCH_INLINE uint64_t floor_load(const struct floor *f, uint64_t at)
{
    uint64_t value;

    bench_check(at < f->bytes - 7, "an address is outside of the memory");
    floor_note(f, at);
    memcpy(&value, f->ram + at, sizeof(value));
    return value;
}

static __attribute__((noinline)) uint64_t floor_walk(const struct floor *f, uint64_t addr)
{
    uint64_t table = f->kernel->root, entry, inside;
    unsigned shift;

    for (shift = f->kernel->has_5_levels ? 48 : 39; shift >= 12; shift -= 9) {
        entry = floor_load(f, table + (addr >> shift & 511) * 8);
        bench_check((entry & 1) != 0, "an address is not mapped");
        table = entry & 0x000ffffffffff000u;
        if (shift == 12 || (shift <= 30 && (entry & 0x80) != 0))
            break;
    }
    inside = ((uint64_t)1 << shift) - 1;
    return (table & ~inside) | (addr & inside);
}

/* The physical address of an address of the kernel. */
BENCH_INLINE uint64_t floor_physical(const struct floor *f, uint64_t addr)
{
    const struct doca_priv_apsh_kernel *k = f->kernel;

    if (addr >= k->image_start && addr < k->image_end)
        return addr - k->delta;
    if (k->direct != 0 && addr - k->direct < f->bytes)
        return addr - k->direct;
    return floor_walk(f, addr);
}

BENCH_INLINE uint64_t floor_in(const struct floor *f, uint64_t object,
                               enum doca_priv_apsh_member member)
{
    return object + (uint64_t)(int64_t)f->kernel->offsets[member];
}

BENCH_INLINE uint64_t floor_64(const struct floor *f, uint64_t object,
                               enum doca_priv_apsh_member member)
{
    return floor_load(f, floor_physical(f, floor_in(f, object, member)));
}

BENCH_INLINE uint32_t floor_32(const struct floor *f, uint64_t object,
                               enum doca_priv_apsh_member member)
{
    return (uint32_t)floor_64(f, object, member);
}

/* Copy bytes that may cross a page. */
BENCH_INLINE void floor_copy(const struct floor *f, void *to, uint64_t addr, size_t len)
{
    const size_t first = 4096 - (size_t)(addr % 4096), n = len < first ? len : first;
    uint64_t at = floor_physical(f, addr);

    bench_check(at < f->bytes - n, "a string is outside of the memory");
    floor_note(f, at);
    memcpy(to, f->ram + at, n);
    if (n < len) {
        at = floor_physical(f, addr + n);
        bench_check(at < f->bytes - (len - n), "a string is outside of the memory");
        memcpy((char *)to + n, f->ram + at, len - n);
    }
}

/* Return the next structure of a ring, after a check that this structure points back; 0 stands for
 * the head of the ring. */
BENCH_INLINE uint64_t floor_next(const struct floor *f, uint64_t head, uint64_t object,
                                 enum doca_priv_apsh_member member)
{
    const uint64_t link = object == 0 ? head : floor_in(f, object, member);
    const uint64_t next = floor_load(f, floor_physical(f, link));

    bench_check(floor_load(f, floor_physical(f, next + 8)) == link, "a link does not point back");
    return next == head ? 0 : next - (uint64_t)(int64_t)f->kernel->offsets[member];
}

/* ---- processes ---- */

BENCH_INLINE uint64_t floor_time(const struct floor *f, uint64_t task)
{
    const bool has_runtime = f->kernel->offsets[DOCA_PRIV_APSH_TASK_RUNTIME] >= 0 &&
                             f->kernel->offsets[DOCA_PRIV_APSH_SIGNAL_RUNTIME] >= 0;
    const uint64_t signal = floor_64(f, task, DOCA_PRIV_APSH_TASK_SIGNAL);
    const uint64_t head = floor_in(f, signal, DOCA_PRIV_APSH_SIGNAL_THREADS);
    uint64_t thread = 0, time;

    time = has_runtime ? floor_64(f, signal, DOCA_PRIV_APSH_SIGNAL_RUNTIME)
                       : floor_64(f, signal, DOCA_PRIV_APSH_SIGNAL_UTIME) +
                             floor_64(f, signal, DOCA_PRIV_APSH_SIGNAL_STIME);
    while ((thread = floor_next(f, head, thread, DOCA_PRIV_APSH_TASK_THREADS)) != 0) {
        bench_check(floor_64(f, thread, DOCA_PRIV_APSH_TASK_SIGNAL) == signal,
                    "a thread is of another process");
        time += has_runtime ? floor_64(f, thread, DOCA_PRIV_APSH_TASK_RUNTIME)
                            : floor_64(f, thread, DOCA_PRIV_APSH_TASK_UTIME) +
                                  floor_64(f, thread, DOCA_PRIV_APSH_TASK_STIME);
    }
    return time * 1000;
}

BENCH_INLINE unsigned floor_list_any(const struct floor *f)
{
    const uint64_t head = floor_in(f, f->kernel->symbols[DOCA_PRIV_APSH_INIT_TASK],
                                   DOCA_PRIV_APSH_TASK_TASKS);
    struct floor_process *p = floor_processes;
    uint64_t task = 0, cred;

    while ((task = floor_next(f, head, task, DOCA_PRIV_APSH_TASK_TASKS)) != 0) {
        bench_check(p < floor_processes + FLOOR_MAX, "there are too many processes");
        p->task = task;
        p->pid = floor_32(f, task, DOCA_PRIV_APSH_TASK_PID);
        floor_copy(f, p->comm, floor_in(f, task, DOCA_PRIV_APSH_TASK_COMM), DOCA_PRIV_APSH_COMM);
        p->comm[DOCA_PRIV_APSH_COMM] = '\0';
        p->state = floor_32(f, task, DOCA_PRIV_APSH_TASK_STATE);
        p->parent_pid = floor_32(f, floor_64(f, task, DOCA_PRIV_APSH_TASK_PARENT),
                                 DOCA_PRIV_APSH_TASK_TGID);
        cred = floor_64(f, task, DOCA_PRIV_APSH_TASK_CRED);
        p->uid = floor_32(f, cred, DOCA_PRIV_APSH_CRED_UID);
        p->gid = floor_32(f, cred, DOCA_PRIV_APSH_CRED_GID);
        p->time = floor_time(f, task);
        p++;
    }
    return (unsigned)(p - floor_processes);
}

/* Read the list of processes; return their number. */
static __attribute__((noinline)) unsigned floor_list(const struct floor *f)
{
    const struct floor quiet = { f->ram, f->bytes, f->kernel, NULL };

    return floor_list_any(&quiet);
}

/* Read the list once, and note what it reads. */
static __attribute__((noinline)) void floor_list_noted(const struct floor *f,
                                                       struct floor_notes *notes)
{
    const struct floor noted = { f->ram, f->bytes, f->kernel, notes };

    (void)floor_list_any(&noted);
}

/* ---- paths ---- */

/* Write the path of a file before `end` and return its beginning. */
BENCH_INLINE char *floor_path(const struct floor *f, uint64_t file, char *end)
{
    uint64_t dentry = floor_64(f, file, DOCA_PRIV_APSH_FILE_DENTRY), parent, mount, above;
    uint64_t mnt = floor_64(f, file, DOCA_PRIV_APSH_FILE_MNT);
    char *at = end - 1;
    uint32_t len;

    for (*at = '\0';;) {
        if (dentry == floor_64(f, mnt, DOCA_PRIV_APSH_MNT_ROOT)) {
            mount = mnt - (uint64_t)(int64_t)f->kernel->offsets[DOCA_PRIV_APSH_MOUNT_MNT];
            above = floor_64(f, mount, DOCA_PRIV_APSH_MOUNT_PARENT);
            if (above == mount)
                break;
            mnt = floor_in(f, above, DOCA_PRIV_APSH_MOUNT_MNT);
            dentry = floor_64(f, mount, DOCA_PRIV_APSH_MOUNT_POINT);
            continue;
        }
        len = floor_32(f, dentry, DOCA_PRIV_APSH_DENTRY_LEN);
        bench_check(len <= 255 && len + 1 < FLOOR_TEXT - (size_t)(end - at), "a path is too long");
        at -= len;
        floor_copy(f, at, floor_64(f, dentry, DOCA_PRIV_APSH_DENTRY_NAME), len);
        *--at = '/';
        parent = floor_64(f, dentry, DOCA_PRIV_APSH_DENTRY_PARENT);
        if (parent == dentry)
            break;
        dentry = parent;
    }
    if (*at == '\0')
        *--at = '/';
    return at;
}

/* Read the path of a file into the texts. */
BENCH_INLINE const char *floor_text(const struct floor *f, uint64_t file)
{
    static char buffer[FLOOR_TEXT];
    char *at, *text = floor_texts + floor_paths.num_bytes;
    size_t len;

    if (file == 0)
        return "";
    at = floor_path(f, file, buffer + sizeof(buffer));
    len = (size_t)(buffer + sizeof(buffer) - at);
    bench_check(len <= sizeof(floor_texts) - floor_paths.num_bytes, "the paths are too long");
    memcpy(text, at, len);
    floor_paths.num_bytes += len;
    return text;
}

/* ---- areas ---- */

struct floor_node {
    uint64_t at, first, last;
    unsigned next, num;
    bool is_leaf, is_arange;
};

/* Go down to the node that `entry` points to. */
BENCH_INLINE void floor_enter(const struct floor *f, struct floor_node *node, uint64_t entry,
                              uint64_t parent, uint64_t first, uint64_t last)
{
    node->at = entry & ~(uint64_t)0xff;
    node->is_leaf = (entry >> 3 & 15) == 1;
    node->is_arange = (entry >> 3 & 15) == 3;
    node->first = first;
    node->last = last;
    node->next = 0;
    node->num = (unsigned)f->kernel->offsets[node->is_arange ? DOCA_PRIV_APSH_ARANGE_NUM
                                                             : DOCA_PRIV_APSH_RANGE_NUM];
    bench_check((floor_64(f, node->at, DOCA_PRIV_APSH_NODE_PARENT) & ~(uint64_t)6) == parent,
                "a node has another parent");
}

struct floor_file { /* the file of the latest area; the next area often has the same file */
    uint64_t file;
    const char *path;
};

/* Add an area, with the place in its tree. */
BENCH_INLINE void floor_area_add(const struct floor *f, const struct floor_process *p, uint64_t mm,
                           uint64_t at, uint64_t first, uint64_t last, struct floor_file *file)
{
    struct floor_area *a = &floor_areas[floor_paths.num];
    uint64_t flags, its_file;

    bench_check(floor_paths.num < FLOOR_MAX, "there are too many areas");
    a->at = at;
    a->pid = p->pid;
    a->comm = p->comm;
    a->start = floor_64(f, at, DOCA_PRIV_APSH_AREA_START);
    a->end = floor_64(f, at, DOCA_PRIV_APSH_AREA_END);
    bench_check(floor_64(f, at, DOCA_PRIV_APSH_AREA_MM) == mm && a->start == first &&
                    a->end - 1 == last, "an area is of another place");
    flags = floor_64(f, at, DOCA_PRIV_APSH_AREA_FLAGS);
    a->letters[0] = (flags & DOCA_PRIV_APSH_AREA_READ) != 0 ? 'r' : '-';
    a->letters[1] = (flags & DOCA_PRIV_APSH_AREA_WRITE) != 0 ? 'w' : '-';
    a->letters[2] = (flags & DOCA_PRIV_APSH_AREA_CODE) != 0 ? 'x' : '-';
    a->letters[3] = (flags & DOCA_PRIV_APSH_AREA_SHARED) != 0 ? 's' : 'p';
    a->letters[4] = '\0';
    its_file = floor_64(f, at, DOCA_PRIV_APSH_AREA_FILE);
    if (its_file != file->file) {
        file->file = its_file;
        file->path = floor_text(f, its_file);
    }
    a->path = file->path;
    floor_paths.num++;
}

/* Read the areas of a process. */
BENCH_INLINE void floor_areas_of(const struct floor *f, const struct floor_process *p)
{
    const uint64_t mm = floor_64(f, p->task, DOCA_PRIV_APSH_TASK_MM);
    struct floor_node nodes[FLOOR_DEPTH], *node = nodes;
    uint64_t entry, tree, pivot, slots, pivots, first;
    struct floor_file file = { 0, "" };
    unsigned slot;

    if (mm == 0)
        return;
    tree = floor_in(f, mm, DOCA_PRIV_APSH_MM_TREE);
    entry = floor_64(f, tree, DOCA_PRIV_APSH_TREE_ROOT);
    if (entry == 0)
        return;
    floor_enter(f, node, entry, tree | 1, 0, UINT64_MAX);
    for (;;) {
        slots = floor_in(f, node->at, node->is_arange ? DOCA_PRIV_APSH_ARANGE_SLOTS
                                                      : DOCA_PRIV_APSH_RANGE_SLOTS);
        pivots = floor_in(f, node->at, node->is_arange ? DOCA_PRIV_APSH_ARANGE_PIVOTS
                                                       : DOCA_PRIV_APSH_RANGE_PIVOTS);
        slot = node->next++;
        pivot = slot + 1 < node->num ? floor_load(f, floor_physical(f, pivots + slot * 8)) : 0;
        pivot = pivot != 0 ? pivot : node->last;
        entry = floor_load(f, floor_physical(f, slots + slot * 8));
        bench_check(pivot >= node->first && pivot <= node->last, "a pivot is out of its range");
        first = node->first;
        node->first = pivot + 1;
        if (!node->is_leaf) {
            bench_check(node < nodes + FLOOR_DEPTH - 1, "a tree is too deep");
            floor_enter(f, node + 1, entry, node->at | slot << 3, first, pivot);
            node++;
            continue;
        }
        if (entry != 0 && (entry & 3) != 2)
            floor_area_add(f, p, mm, entry, first, pivot, &file);
        while (node[0].first - 1 == node[0].last)
            if (node-- == nodes)
                return;
    }
}

/* Read the areas of the first `num` processes that floor_list() found. */
static __attribute__((noinline)) void floor_all_areas(const struct floor *f, unsigned num)
{
    const struct floor quiet = { f->ram, f->bytes, f->kernel, NULL };
    unsigned i;

    floor_paths.num = floor_paths.num_bytes = 0;
    for (i = 0; i < num; i++)
        floor_areas_of(&quiet, &floor_processes[i]);
}

#endif
