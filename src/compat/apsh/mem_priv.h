/* ---- >>priv.apsh.mem -------------------------------------------------------------------------
 * The memory of a target, read by physical address: whole pages by DMA tasks, kept in a cache of
 * slots that the start of the system takes from the arena. The cache is dropped before each list is
 * read. Every address is compared with the regions of the target before it is read.             */
#ifndef DOCA_SRC_COMPAT_APSH_MEM_PRIV_H
#define DOCA_SRC_COMPAT_APSH_MEM_PRIV_H

#include "compat/apsh/config.h"
#include "compat/apsh/object.h"

#define DOCA_PRIV_APSH_PAGE 4096u
#define DOCA_PRIV_APSH_WAYS 8u /* slots that a page can be in */
#define DOCA_PRIV_APSH_STEPS 64u /* accesses to pages for each DMA task that a call may submit */

struct doca_priv_apsh_slot { /* what a page of the cache contains */
    uint64_t page;   /* physical address / 4096 */
    uint32_t era;    /* valid when this is the era of the cache; 0: empty */
    bool is_awaited; /* a task in flight fills it */
};

struct doca_priv_apsh_mem {
    struct doca_core_arena *arena;
    struct doca_mmap *target;
    unsigned char *base; /* address that buffers use for the physical address 0 */
    struct doca_core_region device_regions[DOCA_CORE_REP_REGIONS];
    struct doca_core_region *allowed;       /* those of a region file: a block; NULL: no file */
    const struct doca_core_region *regions; /* that may be read: one of the two above */
    uint32_t num_regions;
    struct doca_mmap *local; /* of `pages` */
    struct doca_buf_inventory *inventory;
    struct doca_pe *pe;
    struct doca_dma *dma;
    unsigned char *pages; /* the pages of the slots, and the bytes of a scan behind them */
    struct doca_priv_apsh_slot *slots;
    uint32_t num_slots;
    uint32_t era;
    uint32_t next_way;
    uint32_t num_inflight;
    bool has_failed;
    uint64_t budget; /* DMA tasks that the current call may still submit */
    uint64_t steps;  /* accesses to pages that it may still make */
    struct doca_core_apsh_stats stats;
};

DOCA_PRIV_DECL doca_error_t doca_priv_apsh_mem_open(struct doca_priv_apsh_mem *mem,
                                                    struct doca_core_arena *arena,
                                                    struct doca_dev *dev, struct doca_dev_rep *rep,
                                                    uint32_t num_pages);
DOCA_PRIV_DECL void doca_priv_apsh_mem_close(struct doca_priv_apsh_mem *mem);
DOCA_PRIV_DECL void doca_priv_apsh_mem_begin(struct doca_priv_apsh_mem *mem, uint64_t budget);
DOCA_PRIV_DECL void doca_priv_apsh_mem_drop(struct doca_priv_apsh_mem *mem);
DOCA_PRIV_DECL bool doca_priv_apsh_mem_has(const struct doca_priv_apsh_mem *mem, uint64_t addr,
                                           uint64_t len);
DOCA_PRIV_DECL void doca_priv_apsh_mem_fetch(struct doca_priv_apsh_mem *mem, const uint64_t *addrs,
                                             uint32_t num);
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_mem_read(struct doca_priv_apsh_mem *mem, uint64_t addr,
                                                    void *to, size_t len);
DOCA_PRIV_DECL const unsigned char *doca_priv_apsh_mem_probe(struct doca_priv_apsh_mem *mem,
                                                             uint64_t addr, uint32_t num);

#endif
