/* ---- >>impl.apsh.find ------------------------------------------------------------------------
 * Find the kernel of a target in its memory. First, search for a page that begins with a note named
 * VMCOREINFO. The kernel keeps this note for crash dumps; its text has the page directory, the
 * address of the image and the table of symbols. Otherwise, search for a page whose last entry
 * makes it a page directory that maps the kernel. Each such page is only a candidate, because a
 * guest can plant such pages, and freed memory contains old ones: the page tables must lead to the
 * image, the table of symbols to the banner, and the symbol __start_BTF to the type information.
 *                                                                                               */
#include "compat/apsh/find_priv.h"

#include "compat/apsh/attr.h"
#include "compat/apsh/bytes_priv.h"
#include "compat/apsh/config.h"
#include "compat/apsh/isf_use_priv.h"
#include "compat/apsh/json_priv.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/kpgd_priv.h"
#include "compat/apsh/layout_priv.h"
#include "compat/apsh/mem_priv.h"
#include "compat/apsh/object_priv.h"
#include "compat/apsh/platform_priv.h"
#include "compat/apsh/walk_priv.h"

#define DOCA_PRIV_APSH_NOTE_HEAD 24u /* bytes of the head of the note */
#define DOCA_PRIV_APSH_CANDIDATES 64u /* maximum number of notes, and of page directories, that are
                                       * tried */
#define DOCA_PRIV_APSH_IMAGE_MAX ((uint64_t)256 << 20) /* maximum length of an image in bytes */

DOCA_PRIV_APSH_ASSERT(scratch_has_its_size,
                      sizeof(struct doca_priv_apsh_scratch) <= DOCA_PRIV_APSH_SCRATCH_BYTES)

/* The state of the search, and its findings. */
struct doca_priv_apsh_search {
    struct doca_priv_apsh_kernel *kernel;
    struct doca_priv_apsh_scratch *scratch;
    struct doca_priv_apsh_maps maps;
    struct doca_priv_apsh_kpgd kpgd;
    bool has_kpgd;
    const char *missing; /* member that the type information of a kernel lacks */
    bool is_foreign;     /* a note belongs to a kernel for another processor */
    unsigned num_tried;
    uint64_t last; /* entry of the latest page directory */
};

/* Return the text after `key` at the beginning of a line, or NULL. */
static const char *doca_priv_apsh_note_find(const char *note, const char *key)
{
    const char *at = note;

    while (at != NULL && strncmp(at, key, strlen(key)) != 0) {
        at = strchr(at, '\n');
        at = at != NULL ? at + 1 : NULL;
    }
    return at != NULL ? at + strlen(key) : NULL;
}

/* Read a hexadecimal number of the note. */
static bool doca_priv_apsh_note_hex(const char *note, const char *key, uint64_t *value)
{
    const char *at = doca_priv_apsh_note_find(note, key);
    unsigned digits = 0;

    *value = 0;
    for (; at != NULL && digits < 16; at++, digits++) {
        if (*at >= '0' && *at <= '9')
            *value = *value << 4 | (uint64_t)(*at - '0');
        else if (*at >= 'a' && *at <= 'f')
            *value = *value << 4 | (uint64_t)(*at - 'a' + 10);
        else
            break;
    }
    return digits > 0;
}

/* Read a decimal number of the note, which may be negative. */
static bool doca_priv_apsh_note_number(const char *note, const char *key, uint64_t *value)
{
    const char *at = doca_priv_apsh_note_find(note, key), *first;
    const bool is_negative = at != NULL && *at == '-';

    *value = 0;
    if (at == NULL)
        return false;
    first = is_negative ? ++at : at;
    for (; *at >= '0' && *at <= '9'; at++)
        *value = *value * 10 + (uint64_t)(*at - '0');
    if (is_negative)
        *value = 0 - *value;
    return at != first;
}

/* Set the parts of the table of symbols whose addresses the note contains. */
static bool doca_priv_apsh_note_table(struct doca_priv_apsh_search *search, const char *note)
{
    struct doca_priv_apsh_kernel *kernel = search->kernel;
    struct doca_priv_apsh_table *table = &search->scratch->table;
    uint64_t num = 0, base = 0, places[4];
    unsigned char number[8];
    size_t i;
    static const char *const keys[4] = { "SYMBOL(kallsyms_names)=", "SYMBOL(kallsyms_token_table)=",
                                         "SYMBOL(kallsyms_token_index)=",
                                         "SYMBOL(kallsyms_offsets)=" };

    for (i = 0; i < 4; i++)
        if (!doca_priv_apsh_note_hex(note, keys[i], &places[i]) ||
            places[i] < kernel->image_start || places[i] >= kernel->image_end)
            return false;
    if (!doca_priv_apsh_note_hex(note, "SYMBOL(kallsyms_num_syms)=", &num) ||
        doca_priv_apsh_read(kernel, num, number, 4) != DOCA_SUCCESS)
        return false;
    table->num = doca_priv_apsh_u32(number);
    table->base = 0;
    if (doca_priv_apsh_note_hex(note, "SYMBOL(kallsyms_relative_base)=", &base)) {
        if (doca_priv_apsh_read(kernel, base, number, 8) != DOCA_SUCCESS)
            return false;
        table->base = doca_priv_apsh_u64(number);
    }
    table->names = places[0] - kernel->delta;
    table->tokens = places[1] - kernel->delta;
    table->index = places[2] - kernel->delta;
    table->offsets = places[3] - kernel->delta;
    return doca_priv_apsh_table_read(kernel, search->scratch);
}

/* Find the table of symbols in the image, and read it. If there is no table, all symbols and
 * members stay unknown. */
static bool doca_priv_apsh_find_names(struct doca_priv_apsh_search *search, const char *note)
{
    struct doca_priv_apsh_kernel *kernel = search->kernel;
    const uint64_t *task = &kernel->symbols[DOCA_PRIV_APSH_INIT_TASK];
    uint32_t i;

    for (i = 0; i < DOCA_PRIV_APSH_NUM_MEMBERS; i++)
        kernel->offsets[i] = -1;
    if (((note != NULL && doca_priv_apsh_note_table(search, note)) ||
         doca_priv_apsh_table_find(kernel, search->scratch)) &&
        *task >= kernel->image_start && *task < kernel->image_end)
        return true;
    memset(kernel->symbols, 0, sizeof(kernel->symbols));
    return false;
}

/* Read the type information that the symbols name, and look all members up. */
static bool doca_priv_apsh_find_types(struct doca_priv_apsh_search *search)
{
    struct doca_priv_apsh_kernel *kernel = search->kernel;
    const uint64_t start = kernel->symbols[DOCA_PRIV_APSH_START_BTF];
    const uint64_t stop = kernel->symbols[DOCA_PRIV_APSH_STOP_BTF];
    const char *missing;
    uint64_t physical;

    if (start < kernel->image_start || stop <= start || stop > kernel->image_end ||
        doca_priv_apsh_walk(kernel, kernel->root, start, &physical) != DOCA_SUCCESS ||
        physical != start - kernel->delta ||
        !doca_priv_apsh_btf_read(kernel, &search->scratch->btf, physical, stop - start)) {
        search->missing = "valid type information (BTF)";
        return false;
    }
    missing = doca_priv_apsh_layout(kernel, &search->scratch->btf);
    if (missing != NULL)
        search->missing = missing;
    return missing == NULL;
}

/* Find the direct map by the kernel's variable, and check that it maps the first task to the same
 * physical address as the page tables. Without a direct map, addresses are translated by walks. */
static void doca_priv_apsh_find_direct(struct doca_priv_apsh_kernel *kernel)
{
    const uint64_t task = kernel->symbols[DOCA_PRIV_APSH_INIT_TASK] - kernel->delta;
    unsigned char number[8];
    uint64_t direct, physical;

    if (kernel->symbols[DOCA_PRIV_APSH_DIRECT] == 0 ||
        doca_priv_apsh_read(kernel, kernel->symbols[DOCA_PRIV_APSH_DIRECT], number,
                            sizeof(number)) != DOCA_SUCCESS)
        return;
    direct = doca_priv_apsh_u64(number);
    if (direct >> 63 != 0 && direct % DOCA_PRIV_APSH_PAGE == 0 &&
        doca_priv_apsh_walk(kernel, kernel->root, direct + task, &physical) == DOCA_SUCCESS &&
        physical == task)
        kernel->direct = direct;
}

/* Try a page directory. `note`: text of the note that names it, or NULL. */
static bool doca_priv_apsh_try(struct doca_priv_apsh_search *search, const char *note)
{
    struct doca_priv_apsh_kernel *kernel = search->kernel;
    const struct doca_priv_apsh_mem *mem = &kernel->mem;
    bool is_told;

    search->num_tried++;
    kernel->direct = 0;
    if (!doca_priv_apsh_find_image(kernel) ||
        kernel->image_end - kernel->image_start > DOCA_PRIV_APSH_IMAGE_MAX || mem->budget == 0)
        return false;
    is_told = doca_priv_apsh_find_names(search, note) && doca_priv_apsh_find_types(search);
    if (search->maps.path != NULL ? !doca_priv_apsh_maps_use(&search->maps, kernel) : !is_told)
        return false;
    doca_priv_apsh_find_direct(kernel);
    return true;
}

/* Try the note in the page at `addr`. */
static bool doca_priv_apsh_try_note(struct doca_priv_apsh_search *search, uint64_t addr)
{
    struct doca_priv_apsh_kernel *kernel = search->kernel;
    char note[DOCA_PRIV_APSH_PAGE - DOCA_PRIV_APSH_NOTE_HEAD + 1];
    uint64_t root = 0, phys_base = 0, levels = 0, unused;

    if (doca_priv_apsh_mem_read(&kernel->mem, addr + DOCA_PRIV_APSH_NOTE_HEAD, note,
                                sizeof(note) - 1) != DOCA_SUCCESS)
        return false;
    note[sizeof(note) - 1] = '\0';
    if (doca_priv_apsh_note_number(note, "NUMBER(VA_BITS)=", &unused)) {
        search->is_foreign = true;
        return false;
    }
    if (!doca_priv_apsh_note_number(note, "NUMBER(phys_base)=", &phys_base) ||
        (!doca_priv_apsh_note_hex(note, "SYMBOL(init_top_pgt)=", &root) &&
         !doca_priv_apsh_note_hex(note, "SYMBOL(swapper_pg_dir)=", &root)))
        return false;
    (void)doca_priv_apsh_note_number(note, "NUMBER(pgtable_l5_enabled)=", &levels);
    kernel->has_5_levels = levels != 0;
    kernel->root = root - DOCA_PRIV_APSH_IMAGE_FIRST + phys_base;
    return doca_priv_apsh_mem_has(&kernel->mem, kernel->root, DOCA_PRIV_APSH_PAGE) &&
           doca_priv_apsh_try(search, note);
}

/* Try the page directory of the kernel with both numbers of levels. A directory of 5 levels that is
 * read as a directory of 4 levels can lead to something that looks like an image. */
static bool doca_priv_apsh_try_levels(struct doca_priv_apsh_search *search)
{
    unsigned i;

    for (i = 0; i < 2; i++) {
        search->kernel->has_5_levels = i == 1;
        if (doca_priv_apsh_find_image(search->kernel) && doca_priv_apsh_try(search, NULL))
            return true;
    }
    return false;
}

/* Try the page at `addr` as a page directory. All processes have the same entry for the kernel, so
 * a directory that has the same entry as the previous directory is left out. */
static bool doca_priv_apsh_try_root(struct doca_priv_apsh_search *search, uint64_t addr,
                                    uint64_t entry)
{
    if ((entry & 1) == 0 || entry == search->last ||
        !doca_priv_apsh_mem_has(&search->kernel->mem, entry & 0x000ffffffffff000u,
                                DOCA_PRIV_APSH_PAGE))
        return false;
    search->kernel->root = addr;
    search->last = entry;
    return doca_priv_apsh_try_levels(search);
}

/* Look at the pages of all regions: at their beginning for notes, or at their end for page
 * directories. */
static bool doca_priv_apsh_scan(struct doca_priv_apsh_search *search, bool is_for_notes)
{
    static const unsigned char head[] = { 11, 0, 0, 0 };
    struct doca_priv_apsh_mem *mem = &search->kernel->mem;
    const uint64_t step = (uint64_t)DOCA_PRIV_APSH_DEPTH * DOCA_PRIV_APSH_PAGE;
    const uint64_t at = is_for_notes ? 0 : DOCA_PRIV_APSH_PAGE - DOCA_PRIV_APSH_PROBE;
    unsigned char probes[DOCA_PRIV_APSH_DEPTH][DOCA_PRIV_APSH_PROBE];
    uint64_t addr, end;
    uint32_t r, i;

    search->num_tried = 0;
    for (r = 0; r < mem->num_regions; r++) {
        end = mem->regions[r].addr + mem->regions[r].len;
        for (addr = mem->regions[r].addr; addr < end; addr += step) {
            memcpy(probes, doca_priv_apsh_mem_probe(mem, addr + at, DOCA_PRIV_APSH_DEPTH),
                   sizeof(probes));
            for (i = 0; i < DOCA_PRIV_APSH_DEPTH; i++) {
                const uint64_t page = addr + i * (uint64_t)DOCA_PRIV_APSH_PAGE;
                const unsigned char *probe = probes[i];

                if (mem->budget == 0 || search->num_tried >= DOCA_PRIV_APSH_CANDIDATES)
                    return false;
                if (is_for_notes
                        ? memcmp(probe, head, sizeof(head)) == 0 &&
                              memcmp(probe + 12, "VMCOREINFO", 11) == 0 &&
                              doca_priv_apsh_try_note(search, page)
                        : doca_priv_apsh_try_root(search, page,
                                                  doca_priv_apsh_u64(probe +
                                                                     DOCA_PRIV_APSH_PROBE - 8)))
                    return true;
            }
        }
    }
    return false;
}

/* Try the page directory from the file that the program set. Returns false when it does not lead to
 * the kernel; *differs is then true if the file belongs to another boot. */
static bool doca_priv_apsh_try_kpgd(struct doca_priv_apsh_search *search, bool *differs)
{
    struct doca_priv_apsh_kernel *kernel = search->kernel;
    bool is_found = false;

    if (!search->has_kpgd)
        return false;
    if (doca_priv_apsh_mem_has(&kernel->mem, search->kpgd.root, DOCA_PRIV_APSH_PAGE)) {
        kernel->root = search->kpgd.root;
        is_found = doca_priv_apsh_try_levels(search);
    }
    *differs = !is_found || kernel->symbols[DOCA_PRIV_APSH_INIT_TASK] != search->kpgd.init_task;
    return is_found;
}

/* Log that a file of the program and the memory of the target contradict each other. */
static void doca_priv_apsh_note_difference(const struct doca_priv_apsh_search *search,
                                           bool kpgd_differs, const char *function)
{
    struct doca_core_refusal why;

    memset(&why, 0, sizeof(why));
    why.hint = search->maps.differs;
    if (kpgd_differs)
        (void)doca_core_backend_fail(DOCA_SUCCESS, DOCA_CORE_ITEM_APSH_KPGD_DIFFERS, function, NULL,
                                     0);
    if (search->maps.differs != NULL)
        (void)doca_core_backend_refuse(DOCA_SUCCESS, DOCA_CORE_ITEM_APSH_MAP_DIFFERS, function,
                                       NULL, &why);
}

/* Read the files that the program set. */
static doca_error_t doca_priv_apsh_find_files(struct doca_priv_apsh_search *search,
                                              char *const *files, const char *function)
{
    doca_error_t rc = DOCA_SUCCESS;

    search->has_kpgd = files[DOCA_APSH_KPGD_FILE] != NULL;
    if (search->has_kpgd)
        rc = doca_priv_apsh_kpgd_load(&search->kpgd, &search->maps.isf->json,
                                      files[DOCA_APSH_KPGD_FILE], function);
    if (rc == DOCA_SUCCESS && files[DOCA_APSH_OS_SYMBOL_MAP] != NULL)
        rc = doca_priv_apsh_maps_open(&search->maps, files[DOCA_APSH_OS_SYMBOL_MAP], function);
    return rc;
}

/* Report why no kernel was found. */
static doca_error_t doca_priv_apsh_find_fail(const struct doca_priv_apsh_search *search,
                                             const char *function)
{
    struct doca_core_refusal why;

    if (search->is_foreign)
        return DOCA_PRIV_APSH_FAIL(NOT_SUPPORTED, APSH_PROCESSOR, function);
    if (search->kernel->mem.budget == 0)
        return DOCA_PRIV_APSH_FAIL(INITIALIZATION, APSH_BUDGET, function);
    memset(&why, 0, sizeof(why));
    why.hint = search->maps.missing != NULL ? search->maps.missing : search->missing;
    if (search->maps.is_foreign && search->maps.missing == NULL)
        return DOCA_PRIV_APSH_FAIL(INITIALIZATION, APSH_MAP_FOREIGN, function);
    return why.hint != NULL
               ? doca_core_backend_refuse(DOCA_ERROR_INITIALIZATION, DOCA_CORE_ITEM_APSH_LAYOUT,
                                          function, NULL, &why)
               : DOCA_PRIV_APSH_FAIL(INITIALIZATION, APSH_NO_KERNEL, function);
}

/* Find the kernel of a target. `files`: the paths that the program set; each may be
 * NULL. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_find(struct doca_priv_apsh_kernel *kernel,
                                                char *const *files, const char *function)
{
    struct doca_priv_apsh_search search;
    bool is_found = false, kpgd_differs = false;
    void *block = NULL;
    doca_error_t rc;

    memset(&search, 0, sizeof(search));
    rc = doca_priv_apsh_take(kernel->mem.arena, DOCA_PRIV_APSH_SCRATCH_BYTES, &block);
    if (rc != DOCA_SUCCESS)
        return rc;
    search.kernel = kernel;
    search.scratch = (struct doca_priv_apsh_scratch *)block;
    /* the block is used for only one of these two purposes at a time */
    search.maps.isf = (struct doca_priv_apsh_isf *)block;
    rc = doca_priv_apsh_find_files(&search, files, function);
    if (rc == DOCA_SUCCESS)
        is_found = doca_priv_apsh_try_kpgd(&search, &kpgd_differs) ||
                   doca_priv_apsh_scan(&search, true) || doca_priv_apsh_scan(&search, false);
    (void)doca_core_arena_give(kernel->mem.arena, block);
    if (rc != DOCA_SUCCESS)
        return rc;
    if (!is_found)
        return doca_priv_apsh_find_fail(&search, function);
    doca_priv_apsh_note_difference(&search, kpgd_differs, function);
    return DOCA_SUCCESS;
}
