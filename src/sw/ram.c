/* ---- >>impl.sw.ram ---------------------------------------------------------------------------
 * The memory of a machine that has a function of the topology. This memory is a file. In the memory
 * file of a virtual machine, most physical addresses equal the offsets in the file. If the machine
 * has more than about 2 GiB, the rest of the file is at the addresses from 4 GiB on.
 * Tasks read the file with a system call for each copy, and not through a mapping: an access to the
 * mapping of a file that was truncated ends the program with SIGBUS, and reading holes of a mapped
 * file makes a memory file system allocate memory for them. doca_core_mmap_get_view() uses a
 * mapping, but only for files and ranges where neither can happen.                              */
#include "sw/ram_priv.h"

#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "base/share_priv.h"
#include "base/system_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "memory/mmap_rep.h"
#include "sw/text_priv.h"
#include "sw/topology_priv.h"

#define DOCA_PRIV_SW_RAM_HIGH ((uint64_t)1 << 32) /* address of the bytes after the split */

/* The address that buffers use for the physical address 0. With 64-bit pointers, this address is
 * above all addresses of a process. */
#if UINTPTR_MAX > 0xffffffffu
#define DOCA_PRIV_SW_RAM_BASE ((uintptr_t)1 << 62)
#else
#define DOCA_PRIV_SW_RAM_BASE ((uintptr_t)4096)
#endif

/* Copy the file name and the split of the function with this VUID. Returns false when the
 * topology in force has no such function, or the function has no memory. */
static bool doca_priv_sw_ram_find(const char *vuid, char path[DOCA_CORE_SW_RAM_BYTES],
                                  uint64_t *split)
{
    const struct doca_priv_sw_row *rows;
    bool is_found = false;
    uint32_t i;

    doca_priv_lock(&doca_priv_sw.lock);
    rows = doca_priv_sw_rows();
    for (i = 0; i < doca_priv_sw.num_rows && !is_found; i++) {
        is_found = rows[i].ram[0] != '\0' && doca_priv_str_equal(rows[i].attr.vuid, vuid);
        if (is_found) {
            DOCA_CORE_MEMCPY(path, rows[i].ram, DOCA_CORE_SW_RAM_BYTES);
            *split = rows[i].attr.ram_split;
        }
    }
    doca_priv_unlock(&doca_priv_sw.lock);
    return is_found;
}

static void doca_priv_sw_ram_region(struct doca_core_rep_mem *mem, uint64_t addr, uint64_t len,
                                    uint64_t offset)
{
    struct doca_core_region *region = &mem->regions[mem->num_regions++];

    region->addr = addr;
    region->len = len;
    region->offset = offset;
}

DOCA_PRIV_DECL doca_error_t doca_priv_sw_rep_mem_open(struct doca_dev *dev,
                                                      const struct doca_core_dev_attr *rep,
                                                      struct doca_core_rep_mem *mem)
{
    char path[DOCA_CORE_SW_RAM_BYTES];
    struct doca_core_refusal why;
    uint64_t bytes = 0, split = 0;

    if (!doca_priv_sw_ram_find(rep->vuid, path, &split))
        return doca_core_backend_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_REP_NO_MEMORY,
                                      "doca_core_mmap_create_from_rep", dev, 0);
    mem->fd = doca_priv_sys_file_open(path, &bytes);
    DOCA_CORE_MEMSET(&why, 0, sizeof(why));
    why.error = mem->fd < 0 ? doca_priv_sys_errno() : 0;
    if (mem->fd >= 0 && bytes == 0) {
        doca_priv_sys_close(mem->fd);
        mem->fd = -1;
        why.hint = DOCA_PRIV_LOG_TEXT("the file is empty");
    }
    if (mem->fd < 0)
        return doca_core_backend_refuse(DOCA_ERROR_OPERATING_SYSTEM, DOCA_CORE_ITEM_REP_FILE,
                                        "doca_core_mmap_create_from_rep", dev, &why);
    mem->base = (void *)DOCA_PRIV_SW_RAM_BASE;
    split = split == 0 || split > bytes ? bytes : split;
    doca_priv_sw_ram_region(mem, 0, split, 0);
    if (split < bytes)
        doca_priv_sw_ram_region(mem, DOCA_PRIV_SW_RAM_HIGH, bytes - split, split);
    return DOCA_SUCCESS;
}

DOCA_PRIV_DECL void doca_priv_sw_rep_mem_close(struct doca_dev *dev, uint32_t mkey,
                                               uint32_t internal_mkey)
{
    (void)dev;
    (void)mkey;
    (void)internal_mkey;
}
