/* Writes the memory of a machine that runs a small Linux: page tables, a kernel image with type
 * information and a symbol table, a note for crash dumps, tasks with threads and memory areas, and
 * modules. A test may change the memory before image_write(). Physical addresses:
 *     2 MiB  page tables   4 MiB  tasks   8 MiB  note   9 MiB  threads, modules
 *     16 MiB  kernel image   20 MiB  pages of processes   24 MiB  end                          */
#ifndef APSH_IMAGE_H
#define APSH_IMAGE_H

#ifndef CHECK /* a program that is no test defines it as a check of a condition */
#include "doca_test.h"
#endif

#include <fcntl.h>
#include <sys/mman.h>

#define IMAGE_BYTES (24u << 20)
#define IMAGE_TABLES (2u << 20)
#define IMAGE_HEAP (4u << 20)
#define IMAGE_NOTE (8u << 20)
#define IMAGE_MORE (9u << 20)
#define IMAGE_KERNEL (16u << 20)
#define IMAGE_KERNEL_BYTES (4u << 20)
#define IMAGE_PAGES (20u << 20)
#define IMAGE_FIRST 0xffffffff80000000u
#define IMAGE_TASKS 400u /* maximum number of tasks */
#define IMAGE_MODULES 100u
#define IMAGE_AREAS 400u
#define IMAGE_FILES 6u
#define IMAGE_DENTRIES 16u
#define IMAGE_MOUNTS 4u
#define IMAGE_SYMBOLS 1300u
#define IMAGE_CODES 5u
#define IMAGE_CODE_PAGES 6u

struct image_options {
    unsigned levels;    /* of page tables: 4 or 5 */
    unsigned leaf;      /* page size in the direct map, as a power of two: 12, 21 or 30 */
    uint64_t kaslr;     /* virtual shift of the kernel image, a multiple of 2 MiB */
    unsigned num_tasks; /* without the idle task */
    bool has_no_note;
    bool has_short_note; /* the note has no symbol table, as before Linux 6.0 */
    unsigned order;      /* order of the parts of the symbol table: 0 before Linux 6.4, 1 from 6.4
                          * on, 2 in Linux 7, where the table has no base */
    bool is_relative;    /* offsets of symbols are all relative to the base */
    const char *state;   /* name of the member of task_struct; NULL: __state */
    unsigned num_modules;
    bool has_parts; /* modules consist of parts, as from Linux 6.4 on */
    bool has_list;  /* memory areas form a list, as before Linux 6.1; otherwise a tree */
    bool has_ranges; /* inner nodes of trees are range nodes; otherwise nodes that record gaps */
};

struct image {
    struct image_options o;
    uint64_t delta;  /* virtual minus physical address of the kernel image */
    uint64_t direct; /* virtual address of the physical address 0 */
    uint64_t root;
    uint64_t next_table, next_heap, next_more, next_kernel; /* physical address of the next block */
    uint64_t btf, btf_end, banner, direct_base;  /* physical addresses */
    uint64_t tasks[IMAGE_TASKS + 1];             /* the idle task first */
    uint64_t signals[IMAGE_TASKS + 1];
    uint64_t threads[IMAGE_TASKS + 1]; /* address of the second thread of a task */
    uint64_t ring;                     /* list head of the modules */
    uint64_t modules[IMAGE_MODULES];
    uint64_t files[IMAGE_FILES];
    uint64_t dentries[IMAGE_DENTRIES];
    uint64_t mounts[IMAGE_MOUNTS];
    uint64_t mms[IMAGE_TASKS + 1];
    uint64_t areas[IMAGE_AREAS]; /* memory areas of task 5 */
    uint64_t nodes[IMAGE_AREAS]; /* nodes of the tree of task 5, leaves first */
    unsigned num_nodes;
    uint64_t pages[IMAGE_CODES][IMAGE_CODE_PAGES];   /* physical pages of executable areas */
    uint64_t entries[IMAGE_CODES][IMAGE_CODE_PAGES]; /* page table entries that map these pages */
    uint64_t next_page;
    struct {
        char name[40];
        uint64_t addr;
    } symbols[IMAGE_SYMBOLS];
    unsigned num_symbols;
    char path[64];
};

static unsigned char image_ram[IMAGE_BYTES];

static inline void image_put(uint64_t at, const void *bytes, size_t len)
{
    CHECK(at <= IMAGE_BYTES && len <= IMAGE_BYTES - at);
    memcpy(image_ram + at, bytes, len);
}

static inline void image_u64(uint64_t at, uint64_t value)
{
    image_put(at, &value, sizeof(value));
}

static inline void image_u32(uint64_t at, uint32_t value)
{
    image_put(at, &value, sizeof(value));
}

static inline uint64_t image_get(uint64_t at)
{
    uint64_t value;

    memcpy(&value, image_ram + at, sizeof(value));
    return value;
}

/* Allocate `len` bytes in the kernel image. Return their physical address. */
static inline uint64_t image_take(struct image *i, size_t len, unsigned align)
{
    uint64_t at = (i->next_kernel + align - 1) / align * align;

    i->next_kernel = at + len;
    CHECK(i->next_kernel <= IMAGE_KERNEL + IMAGE_KERNEL_BYTES);
    return at;
}

/* Map [addr, addr + 2^bits) to `physical`, as one page, in the page directory at `root`. Return the
 * physical address of the page table entry. */
static inline uint64_t image_map(struct image *i, uint64_t root, uint64_t addr, uint64_t physical,
                                 unsigned bits)
{
    uint64_t table = root, entry;
    unsigned shift;

    for (shift = i->o.levels == 5 ? 48 : 39; shift > bits; shift -= 9) {
        entry = table + (addr >> shift & 511) * 8;
        if (image_get(entry) == 0) {
            image_u64(entry, i->next_table | 0x67);
            i->next_table += 4096;
            CHECK(i->next_table <= IMAGE_HEAP);
        }
        table = image_get(entry) & 0x000ffffffffff000u;
    }
    /* The entry of a large page has the bit for large pages; its bits 12 (memory type) and 63 (not
     * executable) are not part of the address. */
    entry = table + (addr >> bits & 511) * 8;
    image_u64(entry, physical | (uint64_t)1 << 63 | (bits > 12 ? 0x10e3 : 0x63));
    return entry;
}

static inline void image_page_tables(struct image *i)
{
    uint64_t at;

    i->root = i->next_table;
    i->next_table += 4096;
    for (at = 0; at < IMAGE_KERNEL_BYTES; at += 2u << 20)
        (void)image_map(i, i->root, IMAGE_KERNEL + at + i->delta, IMAGE_KERNEL + at, 21);
    for (at = 0; at < IMAGE_BYTES; at += (uint64_t)1 << i->o.leaf)
        (void)image_map(i, i->root, i->direct + at, at, i->o.leaf);
}

static inline void image_symbol(struct image *i, const char *name, uint64_t physical)
{
    CHECK(i->num_symbols < IMAGE_SYMBOLS);
    (void)snprintf(i->symbols[i->num_symbols].name, sizeof(i->symbols[0].name), "%s", name);
    i->symbols[i->num_symbols++].addr = physical + i->delta;
}

static inline uint64_t image_heap(struct image *i, size_t len)
{
    uint64_t at = i->next_heap;

    i->next_heap += (len + 63) / 64 * 64;
    CHECK(i->next_heap <= IMAGE_NOTE);
    return at;
}

static inline uint64_t image_more(struct image *i, size_t len)
{
    uint64_t at = i->next_more;

    i->next_more += (len + 63) / 64 * 64;
    CHECK(i->next_more <= IMAGE_KERNEL);
    return at;
}

/* Return the virtual address by which the kernel knows an object. */
static inline uint64_t image_addr(const struct image *i, uint64_t physical)
{
    return physical + (physical >= IMAGE_KERNEL ? i->delta : i->direct);
}

#include "apsh_image_types.h"

#include "apsh_image_tasks.h"

#include "apsh_image_areas.h"

#include "apsh_image_code.h"

/* ---- symbol table (kallsyms) ---- */

static uint64_t image_table[6]; /* physical addresses of its parts: names, tokens, index of
                                 * tokens, offsets, number of names, base */

/* Return the alignment of the parts of the symbol table, in bytes. */
static inline unsigned image_table_align(const struct image *i)
{
    return i->o.order == 2 ? 4 : 8;
}

static inline void image_offsets(struct image *i)
{
    uint64_t base = IMAGE_KERNEL + i->delta;
    unsigned n;

    image_table[3] = image_take(i, 4 * i->num_symbols, image_table_align(i));
    for (n = 0; n < i->num_symbols; n++) {
        uint32_t offset;

        if (i->o.order == 2)
            base = image_table[3] + 4 * n + i->delta;
        offset = (uint32_t)(i->symbols[n].addr - base);
        image_u32(image_table[3] + 4 * n, i->o.is_relative || i->o.order == 2 ? offset : ~offset);
    }
    if (i->o.order == 2)
        return;
    image_table[5] = image_take(i, 8, 8);
    image_u64(image_table[5], base);
}

/* Write the number of symbols, their names, and the markers (an offset for each 256 names). Token
 * 200 stands for "init_". */
static inline void image_names(struct image *i)
{
    const unsigned align = image_table_align(i);
    uint64_t marks[8] = { 0 }, start, at;
    unsigned n;

    image_table[4] = image_take(i, 8, 8) + 8 - align;
    image_u32(image_table[4], i->num_symbols);
    start = at = image_table[0] = image_table[4] + align;
    for (n = 0; n < i->num_symbols; n++) {
        const char *name = i->symbols[n].name;
        unsigned char row[48];
        unsigned len = 1;

        if (n % 256 == 0)
            marks[n / 256] = at - start;
        row[len++] = 'T';
        if (strncmp(name, "init_", 5) == 0) {
            row[len++] = 200;
            name += 5;
        }
        for (; *name != '\0'; name++)
            row[len++] = (unsigned char)*name;
        row[0] = (unsigned char)(len - 1);
        image_put(at, row, len);
        at += len;
    }
    i->next_kernel = at;
    at = image_take(i, 4 * ((i->num_symbols + 255) / 256), align);
    for (n = 0; n < (i->num_symbols + 255) / 256; n++)
        image_u32(at + 4 * n, (uint32_t)marks[n]);
    if (i->o.order == 0)
        (void)image_take(i, 3 * i->num_symbols, 8); /* some kernels have another table here */
}

static inline void image_tokens(struct image *i)
{
    uint64_t start, at;
    unsigned n;

    start = at = image_table[1] = image_take(i, 2048, image_table_align(i));
    image_table[2] = 0;
    for (n = 0; n < 256; n++) {
        char token[8] = { 0 };

        if (n == 200)
            strcpy(token, "init_");
        else if (n < 32 || n > 126)
            strcpy(token, n % 2 != 0 ? "xy" : "");
        else
            token[0] = (char)n;
        image_put(at, token, strlen(token) + 1);
        at += strlen(token) + 1;
    }
    i->next_kernel = at;
    image_table[2] = image_take(i, 512, image_table_align(i));
    for (n = 0, at = start; n < 256; n++) {
        image_ram[image_table[2] + 2 * n] = (unsigned char)((at - start) & 0xff);
        image_ram[image_table[2] + 2 * n + 1] = (unsigned char)((at - start) >> 8);
        at += strlen((char *)image_ram + at) + 1;
    }
}

static inline void image_kallsyms(struct image *i)
{
    char name[16];
    unsigned n;

    for (n = 0; i->num_symbols < IMAGE_SYMBOLS - 20; n++) {
        (void)snprintf(name, sizeof(name), "function_%u", n);
        image_symbol(i, name, IMAGE_KERNEL + 16 * n);
    }
    if (i->o.order == 0)
        image_offsets(i);
    image_names(i);
    image_tokens(i);
    if (i->o.order != 0)
        image_offsets(i);
}

static inline void image_note(struct image *i)
{
    static const uint32_t head[3] = { 11, 1500, 0 };
    char text[2048];
    size_t n;

    image_put(IMAGE_NOTE, head, sizeof(head));
    image_put(IMAGE_NOTE + 12, "VMCOREINFO", 11);
    n = (size_t)snprintf(text, sizeof(text),
                         "OSRELEASE=6.1.0-test\nPAGESIZE=4096\nSYMBOL(init_top_pgt)=%llx\n"
                         "NUMBER(phys_base)=%lld\nNUMBER(pgtable_l5_enabled)=%d\n",
                         (unsigned long long)(i->root + i->delta),
                         (long long)(IMAGE_FIRST - i->delta), i->o.levels == 5);
    if (!i->o.has_short_note)
        n += (size_t)snprintf(
            text + n, sizeof(text) - n,
            "SYMBOL(kallsyms_names)=%llx\nSYMBOL(kallsyms_num_syms)=%llx\n"
            "SYMBOL(kallsyms_token_table)=%llx\nSYMBOL(kallsyms_token_index)=%llx\n"
            "SYMBOL(kallsyms_offsets)=%llx\n",
            (unsigned long long)(image_table[0] + i->delta),
            (unsigned long long)(image_table[4] + i->delta),
            (unsigned long long)(image_table[1] + i->delta),
            (unsigned long long)(image_table[2] + i->delta),
            (unsigned long long)(image_table[3] + i->delta));
    if (!i->o.has_short_note && i->o.order != 2)
        n += (size_t)snprintf(text + n, sizeof(text) - n, "SYMBOL(kallsyms_relative_base)=%llx\n",
                              (unsigned long long)(image_table[5] + i->delta));
    image_put(IMAGE_NOTE + 24, text, n);
}

/* Build an image in image_ram. */
static inline void image_make(struct image *i, const struct image_options *options)
{
    memset(i, 0, sizeof(*i));
    memset(image_ram, 0, sizeof(image_ram));
    i->o = *options;
    i->delta = IMAGE_FIRST + i->o.kaslr; /* the kernel is linked for 16 MiB and loaded there */
    i->direct = i->o.levels == 5 ? 0xff11000000000000u : 0xffff888000000000u;
    i->next_table = IMAGE_TABLES;
    i->next_heap = IMAGE_HEAP;
    i->next_more = IMAGE_MORE;
    i->next_kernel = IMAGE_KERNEL + 65536; /* the first 64 KiB stand for code */
    i->next_page = IMAGE_PAGES;
    image_page_tables(i);
    i->banner = image_take(i, 64, 64);
    image_put(i->banner, "Linux version 6.1.0-test (builder@host)", 40);
    i->direct_base = image_take(i, 8, 8);
    image_u64(i->direct_base, i->direct);
    image_ring(i);
    image_modules(i);
    image_spaces(i);
    image_btf(i);
    image_symbol(i, "linux_banner", i->banner);
    image_symbol(i, "init_task", i->tasks[0]);
    image_symbol(i, "page_offset_base", i->direct_base);
    image_symbol(i, "modules", i->ring);
    image_symbol(i, "__start_BTF", i->btf);
    image_symbol(i, "__stop_BTF", i->btf_end);
    image_kallsyms(i);
    if (!i->o.has_no_note)
        image_note(i);
}

#ifdef DOCA_TEST_H
static bool image_is_sealed; /* write a file in memory that is sealed against shrinking */

/* Open the file that the image is written to. */
static inline int image_open(struct image *i)
{
    int fd;

    if (image_is_sealed) {
        fd = memfd_create("image", MFD_ALLOW_SEALING);
        (void)snprintf(i->path, sizeof(i->path), "/proc/self/fd/%d", fd);
    } else {
        strcpy(i->path, "/tmp/doca_core_image.XXXXXX");
        fd = mkstemp(i->path);
    }
    CHECK(fd >= 0 && ftruncate(fd, IMAGE_BYTES) == 0);
    return fd;
}

/* Write the image to a file. Pages of zeros become holes of the file. */
static inline void image_write(struct image *i)
{
    static const unsigned char zeros[4096];
    enum heap_trap_mode mode = heap_trap_set(HEAP_TRAP_OFF);
    uint64_t at;
    int fd;

    fd = image_open(i);
    for (at = 0; at < IMAGE_BYTES; at += 4096)
        if (memcmp(image_ram + at, zeros, 4096) != 0)
            CHECK(pwrite(fd, image_ram + at, 4096, (off_t)at) == 4096);
    if (image_is_sealed)
        CHECK(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) == 0);
    else
        CHECK(close(fd) == 0);
    heap_trap_set(mode);
}

static inline void image_remove(struct image *i)
{
    if (image_is_sealed)
        CHECK(close(atoi(i->path + strlen("/proc/self/fd/"))) == 0);
    else
        CHECK(unlink(i->path) == 0);
}
#endif

#endif
