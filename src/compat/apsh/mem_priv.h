/* ---- >>priv.apsh.mem -------------------------------------------------------------------------
 * The memory of a target, read by physical address. Terms: a *block* is an aligned range of
 * DOCA_PRIV_APSH_BLOCK bytes of the target; a *slot* is an entry of the cache, which can contain
 * one block. DMA tasks read whole blocks, because one task for several pages costs little more than
 * one task for one page, and neighbouring pages often contain structures of one kind. The start of
 * the system takes the slots from the arena. The cache is dropped before each list is read. Every
 * address is compared with the regions of the target before it is read. If the program can load a
 * block directly from the target (doca_core_mmap_get_view()), the slot contains only the address of
 * the block: no task reads the block, and the slot stays valid when the cache is dropped. The bytes
 * of such a block may change between two accesses. So may the bytes of a block that is read again
 * because a small cache has dropped it.                                                         */
#ifndef DOCA_SRC_COMPAT_APSH_MEM_PRIV_H
#define DOCA_SRC_COMPAT_APSH_MEM_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/object.h"
#include "compat/apsh/platform_priv.h"

#define DOCA_PRIV_APSH_PAGE 4096u
#define DOCA_PRIV_APSH_BLOCK (DOCA_PRIV_APSH_BLOCK_PAGES * DOCA_PRIV_APSH_PAGE) /* bytes */
#define DOCA_PRIV_APSH_WAYS 8u /* slots that a block can be in */
#define DOCA_PRIV_APSH_LATEST 128u /* number of recently accessed slots that are looked at first */
#define DOCA_PRIV_APSH_VIEWED UINT32_MAX /* era of slots whose bytes are loaded from the target */
#define DOCA_PRIV_APSH_STEPS 64u /* accesses to slots for each DMA task that a call may submit */

struct doca_priv_apsh_slot { /* the range of the target that a slot contains */
    uint64_t addr;   /* physical address of the first byte */
    const unsigned char *from; /* address of the bytes in this process */
    uint32_t bytes;  /* less than a block at the beginning and end of a region */
    uint32_t era;    /* the slot is valid if this equals the cache's era or VIEWED; 0: empty */
    bool is_awaited; /* a task in flight is filling the slot */
};

struct doca_priv_apsh_mem {
    struct doca_core_arena *arena;
    struct doca_mmap *target;
    unsigned char *base; /* address that buffers use for the physical address 0 */
    struct doca_core_region device_regions[DOCA_CORE_REP_REGIONS];
    struct doca_core_region *allowed;       /* regions of a region file, a block; NULL: no file */
    const struct doca_core_region *regions; /* regions that may be read: one of the two arrays
                                             * above */
    uint32_t num_regions;
    struct doca_mmap *local; /* mmap of `blocks` */
    struct doca_buf_inventory *inventory;
    struct doca_pe *pe;
    struct doca_dma *dma;
    unsigned char *blocks; /* bytes of all slots, then the results of a probe */
    struct doca_priv_apsh_slot *slots;
    /* the recently accessed slots, indexed by the low bits of the numbers of their blocks */
    const struct doca_priv_apsh_slot *latest[DOCA_PRIV_APSH_LATEST];
    uint32_t num_slots;
    uint32_t max_unit; /* maximum number of bytes of a task: a block, or less if the device allows
                        * less */
    uint32_t unit;     /* bytes that a task reads: max_unit, or a page */
    uint32_t era;
    uint32_t next_way;
    uint32_t num_inflight;
    bool has_failed;
    uint64_t budget; /* DMA tasks that the current call may still submit */
    uint64_t steps;  /* accesses to slots that the current call may still make */
    struct doca_core_apsh_stats stats;
};

/* True when the slot contains the byte at `addr`, or when a task is filling the slot with it. */
DOCA_PRIV_APSH_HOT bool doca_priv_apsh_mem_contains(const struct doca_priv_apsh_mem *mem,
                                                    const struct doca_priv_apsh_slot *slot,
                                                    uint64_t addr)
{
    return (slot->era == mem->era || slot->era == DOCA_PRIV_APSH_VIEWED) &&
           addr - slot->addr < slot->bytes;
}

/* Return the recently accessed slot that may contain the byte at `addr`. */
DOCA_PRIV_APSH_HOT const struct doca_priv_apsh_slot *
doca_priv_apsh_mem_latest(const struct doca_priv_apsh_mem *mem, uint64_t addr)
{
    return mem->latest[addr / DOCA_PRIV_APSH_BLOCK % DOCA_PRIV_APSH_LATEST];
}

/* Count `num` accesses to slots. Returns false, and counts nothing, when that exceeds the limit of
 * the call. */
DOCA_PRIV_APSH_HOT bool doca_priv_apsh_mem_spend(struct doca_priv_apsh_mem *mem, uint32_t num)
{
    if (mem->steps < num)
        return false;
    mem->steps -= num;
    mem->stats.num_hits += num;
    return true;
}

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_mem_open(struct doca_priv_apsh_mem *mem,
                                                    struct doca_core_arena *arena,
                                                    struct doca_dev *dev, struct doca_dev_rep *rep,
                                                    uint32_t num_pages);
DOCA_PRIV_DECL void doca_priv_apsh_mem_close(struct doca_priv_apsh_mem *mem);
DOCA_PRIV_DECL void doca_priv_apsh_mem_begin(struct doca_priv_apsh_mem *mem, uint64_t budget);
DOCA_PRIV_DECL void doca_priv_apsh_mem_by_page(struct doca_priv_apsh_mem *mem);
DOCA_PRIV_DECL void doca_priv_apsh_mem_drop(struct doca_priv_apsh_mem *mem);
DOCA_PRIV_DECL bool doca_priv_apsh_mem_has(const struct doca_priv_apsh_mem *mem, uint64_t addr,
                                           uint64_t len);
DOCA_PRIV_DECL bool doca_priv_apsh_mem_holds(const struct doca_priv_apsh_mem *mem, uint64_t addr);
DOCA_PRIV_DECL bool doca_priv_apsh_mem_take(struct doca_priv_apsh_mem *mem, uint64_t addr, void *to,
                                            size_t len);
DOCA_PRIV_DECL const struct doca_priv_apsh_slot *
doca_priv_apsh_mem_present(struct doca_priv_apsh_mem *mem, uint64_t addr);
DOCA_PRIV_DECL const unsigned char *doca_priv_apsh_mem_window(struct doca_priv_apsh_mem *mem,
                                                              uint64_t addr, uint32_t len);
DOCA_PRIV_DECL void doca_priv_apsh_mem_fetch(struct doca_priv_apsh_mem *mem, const uint64_t *addrs,
                                             uint32_t num);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_mem_read(struct doca_priv_apsh_mem *mem, uint64_t addr,
                                                    void *to, size_t len);
DOCA_PRIV_DECL const unsigned char *doca_priv_apsh_mem_probe(struct doca_priv_apsh_mem *mem,
                                                             uint64_t addr, uint32_t num);

#endif
