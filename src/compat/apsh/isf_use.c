/* ---- >>impl.apsh.isf_use ---------------------------------------------------------------------
 * Use a symbol map. The map has the addresses of the kernel without KASLR, and KASLR moves the
 * kernel by a multiple of 2 MiB. The distance is found by trial: moved by the right distance, the
 * map's address of linux_banner is the address of the banner in the target. Where the map and the
 * memory of the target differ, the map is used: the program chose the map, but the target is
 * regarded as hostile. Symbols and members that the map lacks are taken from the memory.        */
#include "compat/apsh/isf_use_priv.h"

#include "compat/apsh/config.h"
#include "compat/apsh/isf_priv.h"
#include "compat/apsh/json_priv.h"
#include "compat/apsh/kernel_priv.h"
#include "compat/apsh/mem_priv.h"
#include "compat/apsh/object_priv.h"
#include "compat/apsh/platform_priv.h"
#include "compat/apsh/walk_priv.h"

#define DOCA_PRIV_APSH_MAP_PATH 4096u /* maximum length of the path of a map in a folder */
#define DOCA_PRIV_APSH_MAP_FILES 256u /* maximum number of files of a folder that are tried */

static const char *const doca_priv_apsh_map_symbols[DOCA_PRIV_APSH_NUM_SYMBOLS] = {
#define DOCA_PRIV_APSH_MAP_SYMBOL(name, symbol) symbol,
    DOCA_PRIV_APSH_SYMBOLS(DOCA_PRIV_APSH_MAP_SYMBOL)
#undef DOCA_PRIV_APSH_MAP_SYMBOL
};

static const struct {
    const char *path;
    bool must;
} doca_priv_apsh_map_members[DOCA_PRIV_APSH_NUM_MEMBERS] = {
#define DOCA_PRIV_APSH_MAP_MEMBER(name, type, member, other, must) { type "." member, must },
    DOCA_PRIV_APSH_MEMBERS(DOCA_PRIV_APSH_MAP_MEMBER)
#undef DOCA_PRIV_APSH_MAP_MEMBER
};

/* If the path is a file, read it now, so that a malformed file makes the start fail. A folder is
 * read later, when the kernel is known. The caller has set maps->isf. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_maps_open(struct doca_priv_apsh_maps *maps,
                                                     const char *path, const char *function)
{
    struct stat st;

    maps->path = path;
    maps->budget = DOCA_CORE_APSH_FILE_BYTES;
    maps->is_folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    if (maps->is_folder)
        return DOCA_SUCCESS;
    maps->is_read = doca_priv_apsh_isf_load(maps->isf, &maps->map, path, &maps->budget);
    return maps->is_read ? DOCA_SUCCESS
                         : doca_priv_apsh_file_fail(&maps->isf->json, DOCA_CORE_ITEM_APSH_MAP,
                                                    function);
}

/* True when the banner is at this physical address. */
static bool doca_priv_apsh_map_is_banner(const struct doca_priv_apsh_map *map,
                                         struct doca_priv_apsh_kernel *kernel, uint64_t physical)
{
    static const char first[] = "Linux version ";
    char text[DOCA_PRIV_APSH_ISF_BANNER];
    const uint32_t len = map->banner_len < sizeof(first) - 1 ? (uint32_t)sizeof(first) - 1
                                                             : map->banner_len;

    return doca_priv_apsh_mem_read(&kernel->mem, physical, text, len) == DOCA_SUCCESS &&
           memcmp(text, first, sizeof(first) - 1) == 0 &&
           memcmp(text, map->banner, map->banner_len) == 0;
}

/* Find the distance by which KASLR moved the kernel. */
static bool doca_priv_apsh_map_shift(const struct doca_priv_apsh_map *map,
                                     struct doca_priv_apsh_kernel *kernel, uint64_t *shift)
{
    const uint64_t banner = map->symbols[DOCA_PRIV_APSH_BANNER];
    uint64_t addr = kernel->image_start + banner % DOCA_PRIV_APSH_IMAGE_STEP;

    for (; banner != 0 && addr < kernel->image_end; addr += DOCA_PRIV_APSH_IMAGE_STEP)
        if (doca_priv_apsh_map_is_banner(map, kernel, addr - kernel->delta)) {
            *shift = addr - banner;
            return true;
        }
    return false;
}

/* True when the kernel's first task (init_task) has the name "swapper". */
static bool doca_priv_apsh_map_has_task(struct doca_priv_apsh_kernel *kernel)
{
    static const char first[] = "swapper";
    const uint64_t task = kernel->symbols[DOCA_PRIV_APSH_INIT_TASK];
    const int32_t comm = kernel->offsets[DOCA_PRIV_APSH_TASK_COMM];
    char text[sizeof(first) - 1];

    return comm >= 0 && task >= kernel->image_start && task < kernel->image_end &&
           doca_priv_apsh_read(kernel, task + (uint64_t)comm, text, sizeof(text)) ==
               DOCA_SUCCESS &&
           memcmp(text, first, sizeof(text)) == 0;
}

/* Set symbols and members of the kernel from a map of this kernel. */
static void doca_priv_apsh_map_take(struct doca_priv_apsh_maps *maps,
                                    struct doca_priv_apsh_kernel *kernel, uint64_t shift)
{
    const struct doca_priv_apsh_map *map = &maps->map;
    uint32_t i;

    for (i = 0; i < DOCA_PRIV_APSH_NUM_SYMBOLS; i++) {
        const uint64_t addr = map->symbols[i] + shift;

        if (map->symbols[i] == 0 || addr < kernel->image_start || addr >= kernel->image_end)
            continue;
        if (kernel->symbols[i] != 0 && kernel->symbols[i] != addr && maps->differs == NULL)
            maps->differs = doca_priv_apsh_map_symbols[i];
        kernel->symbols[i] = addr;
    }
    for (i = 0; i < DOCA_PRIV_APSH_NUM_MEMBERS; i++) {
        if (map->offsets[i] < 0)
            continue;
        if (kernel->offsets[i] >= 0 && kernel->offsets[i] != map->offsets[i] &&
            maps->differs == NULL)
            maps->differs = doca_priv_apsh_map_members[i].path;
        kernel->offsets[i] = map->offsets[i];
    }
}

/* Use the map that was read. Returns false when the map belongs to another kernel, or when a member
 * that the lists need is neither in the map nor known from the memory. */
static bool doca_priv_apsh_map_use(struct doca_priv_apsh_maps *maps,
                                   struct doca_priv_apsh_kernel *kernel)
{
    const struct doca_priv_apsh_kernel before = *kernel;
    uint64_t shift;
    uint32_t i;

    if (!doca_priv_apsh_map_shift(&maps->map, kernel, &shift)) {
        maps->is_foreign = true;
        return false;
    }
    maps->differs = maps->missing = NULL;
    doca_priv_apsh_map_take(maps, kernel, shift);
    for (i = 0; i < DOCA_PRIV_APSH_NUM_MEMBERS; i++)
        if (doca_priv_apsh_map_members[i].must && kernel->offsets[i] < 0) {
            maps->missing = doca_priv_apsh_map_members[i].path;
            break;
        }
    if (maps->missing == NULL && doca_priv_apsh_map_has_task(kernel))
        return true;
    maps->is_foreign = maps->missing == NULL;
    memcpy(kernel->symbols, before.symbols, sizeof(before.symbols));
    memcpy(kernel->offsets, before.offsets, sizeof(before.offsets));
    return false;
}

#ifdef __linux__
/* Get some entries of a folder. All arguments are long: see doca_priv_sys_call() of the core. */
static long doca_priv_apsh_sys_call(long number, long a, long b, long c, long d, long e, long f)
{
    return syscall(number, a, b, c, d, e, f);
}

/* Use the map in the file `name` of the folder, if the map contains the banner of the kernel. */
static bool doca_priv_apsh_maps_try(struct doca_priv_apsh_maps *maps,
                                    struct doca_priv_apsh_kernel *kernel, const char *name)
{
    const size_t len = strlen(maps->path), name_len = strlen(name);
    char path[DOCA_PRIV_APSH_MAP_PATH];

    if (name_len < 6 || strcmp(name + name_len - 5, ".json") != 0 ||
        len + 1 + name_len >= sizeof(path))
        return false;
    memcpy(path, maps->path, len);
    path[len] = '/';
    memcpy(path + len + 1, name, name_len + 1);
    return doca_priv_apsh_isf_load(maps->isf, &maps->map, path, &maps->budget) &&
           maps->map.banner_len > 0 && doca_priv_apsh_map_use(maps, kernel);
}

/* Try the files of the folder. Files that are not maps are skipped. */
static bool doca_priv_apsh_maps_folder(struct doca_priv_apsh_maps *maps,
                                       struct doca_priv_apsh_kernel *kernel)
{
    const int fd = doca_core_backend_keep_fd(open(maps->path, O_RDONLY | O_NONBLOCK));
    unsigned char entries[4096];
    unsigned num_files = 0;
    bool is_used = false;
    long len = 0, at;

    do {
        len = fd < 0 ? 0
                     : doca_priv_apsh_sys_call(SYS_getdents64, (long)fd, (long)(intptr_t)entries,
                                               (long)sizeof(entries), 0, 0, 0);
        for (at = 0; at + 19 < len && !is_used; at += entries[at + 16] | entries[at + 17] << 8) {
            const char *name = (const char *)entries + at + 19; /* after inode, offset, length
                                                                  * and type */

            if (num_files++ < DOCA_PRIV_APSH_MAP_FILES)
                is_used = doca_priv_apsh_maps_try(maps, kernel, name);
        }
    } while (len > 0 && !is_used && num_files < DOCA_PRIV_APSH_MAP_FILES);
    if (fd >= 0)
        (void)close(fd);
    return is_used;
}
#else
static bool doca_priv_apsh_maps_folder(struct doca_priv_apsh_maps *maps,
                                       struct doca_priv_apsh_kernel *kernel)
{
    (void)maps;
    (void)kernel;
    return false;
}
#endif

/* Use the map of the program for `kernel`, whose page directory and image are known. The kernel has
 * the symbols and members that were found in its memory; the others are 0 and -1. */
DOCA_PRIV_DECL bool doca_priv_apsh_maps_use(struct doca_priv_apsh_maps *maps,
                                            struct doca_priv_apsh_kernel *kernel)
{
    bool is_used;

    if (!maps->is_folder)
        return doca_priv_apsh_map_use(maps, kernel);
    is_used = doca_priv_apsh_maps_folder(maps, kernel);
    maps->is_foreign = !is_used && maps->missing == NULL;
    return is_used;
}
