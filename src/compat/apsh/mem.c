/* ---- >>impl.apsh.mem -------------------------------------------------------------------------
 * The cache and the DMA tasks that fill it. A block can be in any of DOCA_PRIV_APSH_WAYS slots; the
 * address of the block determines the slots. The library submits all reads of a batch before it
 * waits for the first of them. A failed task stops the DMA context; the next read starts the
 * context again.                                                                                */
#include "compat/apsh/mem_priv.h"

#include "compat/apsh/config.h"
#include "compat/apsh/object.h"
#include "compat/apsh/object_priv.h"
#include "compat/apsh/platform_priv.h"

#define DOCA_PRIV_APSH_PATIENCE 100000000u /* progress calls after which a device counts as stuck */

DOCA_PRIV_APSH_ASSERT(slot_has_its_size,
                      sizeof(struct doca_priv_apsh_slot) == DOCA_PRIV_APSH_SLOT_BYTES)

/* Return the bytes of a slot in the cache. */
static unsigned char *doca_priv_apsh_mem_block(const struct doca_priv_apsh_mem *mem,
                                               const struct doca_priv_apsh_slot *slot)
{
    return mem->blocks + (size_t)(slot - mem->slots) * DOCA_PRIV_APSH_BLOCK;
}

/* Release the buffers and the task of a finished read. */
static void doca_priv_apsh_mem_release(struct doca_dma_task_memcpy *task)
{
    struct doca_buf *src = (struct doca_buf *)(uintptr_t)doca_dma_task_memcpy_get_src(task);
    struct doca_buf *dst = doca_dma_task_memcpy_get_dst(task);

    doca_task_free(doca_dma_task_memcpy_as_task(task));
    (void)doca_buf_dec_refcount(src, NULL);
    (void)doca_buf_dec_refcount(dst, NULL);
}

static void doca_priv_apsh_mem_done(struct doca_dma_task_memcpy *task, union doca_data task_data,
                                    union doca_data ctx_data)
{
    struct doca_priv_apsh_mem *mem = (struct doca_priv_apsh_mem *)ctx_data.ptr;
    struct doca_priv_apsh_slot *slot = (struct doca_priv_apsh_slot *)task_data.ptr;

    if (slot != NULL)
        slot->is_awaited = false;
    mem->num_inflight--;
    doca_priv_apsh_mem_release(task);
}

static void doca_priv_apsh_mem_failed(struct doca_dma_task_memcpy *task, union doca_data task_data,
                                      union doca_data ctx_data)
{
    struct doca_priv_apsh_mem *mem = (struct doca_priv_apsh_mem *)ctx_data.ptr;
    struct doca_priv_apsh_slot *slot = (struct doca_priv_apsh_slot *)task_data.ptr;

    if (slot != NULL)
        slot->era = 0;
    mem->has_failed = true;
    doca_priv_apsh_mem_done(task, task_data, ctx_data);
}

/* Make progress until the DMA context is in this state. */
static bool doca_priv_apsh_mem_await(struct doca_priv_apsh_mem *mem, enum doca_ctx_states wanted)
{
    enum doca_ctx_states state;
    uint32_t i;

    for (i = 0; i < DOCA_PRIV_APSH_PATIENCE; i++) {
        if (doca_ctx_get_state(doca_dma_as_ctx(mem->dma), &state) != DOCA_SUCCESS)
            return false;
        if (state == wanted)
            return true;
        (void)doca_pe_progress(mem->pe);
    }
    return false;
}

/* Start the DMA context, and wait until it runs. */
static doca_error_t doca_priv_apsh_mem_run(struct doca_priv_apsh_mem *mem)
{
    doca_error_t rc = doca_ctx_start(doca_dma_as_ctx(mem->dma));

    if (rc != DOCA_SUCCESS && rc != DOCA_ERROR_IN_PROGRESS)
        return rc;
    return doca_priv_apsh_mem_await(mem, DOCA_CTX_STATE_RUNNING) ? DOCA_SUCCESS
                                                                 : DOCA_ERROR_IO_FAILED;
}

/* Stop the DMA context, and wait until it is idle. */
static void doca_priv_apsh_mem_stop(struct doca_priv_apsh_mem *mem)
{
    enum doca_ctx_states state;

    if (doca_ctx_get_state(doca_dma_as_ctx(mem->dma), &state) != DOCA_SUCCESS)
        return;
    if (state == DOCA_CTX_STATE_RUNNING || state == DOCA_CTX_STATE_STARTING)
        (void)doca_ctx_stop(doca_dma_as_ctx(mem->dma));
    (void)doca_priv_apsh_mem_await(mem, DOCA_CTX_STATE_IDLE);
}

/* Wait for all reads in flight. After a failure the context is started again. */
static void doca_priv_apsh_mem_wait(struct doca_priv_apsh_mem *mem)
{
    uint32_t i;

    for (i = 0; i < DOCA_PRIV_APSH_PATIENCE && mem->num_inflight > 0; i++)
        (void)doca_pe_progress(mem->pe);
    if (mem->num_inflight > 0) /* the device is stuck: the call of the program reads no more */
        mem->budget = 0;
    if (mem->has_failed) {
        doca_priv_apsh_mem_stop(mem);
        (void)doca_priv_apsh_mem_run(mem);
        mem->has_failed = false;
    }
}

/* True when all of [addr, addr + len) is memory of the target. */
DOCA_PRIV_DECL bool doca_priv_apsh_mem_has(const struct doca_priv_apsh_mem *mem, uint64_t addr,
                                           uint64_t len)
{
    uint32_t i;

    for (i = 0; i < mem->num_regions; i++)
        if (addr >= mem->regions[i].addr && addr - mem->regions[i].addr <= mem->regions[i].len &&
            len <= mem->regions[i].len - (addr - mem->regions[i].addr))
            return true;
    return false;
}

/* Submit a read of [addr, addr + len), a range inside one region. The completion marks `slot`. */
static bool doca_priv_apsh_mem_submit(struct doca_priv_apsh_mem *mem, uint64_t addr, void *to,
                                      size_t len, struct doca_priv_apsh_slot *slot)
{
    struct doca_dma_task_memcpy *task;
    struct doca_buf *src = NULL, *dst = NULL;
    union doca_data data;
    doca_error_t rc;

    if (mem->budget == 0)
        return false;
    data.ptr = slot;
    rc = doca_buf_inventory_buf_get_by_data(mem->inventory, mem->target, mem->base + addr, len,
                                            &src);
    if (rc == DOCA_SUCCESS)
        rc = doca_buf_inventory_buf_get_by_addr(mem->inventory, mem->local, to, len, &dst);
    if (rc == DOCA_SUCCESS)
        rc = doca_dma_task_memcpy_alloc_init(mem->dma, src, dst, data, &task);
    if (rc == DOCA_SUCCESS) {
        rc = doca_task_submit(doca_dma_task_memcpy_as_task(task));
        if (rc != DOCA_SUCCESS)
            doca_task_free(doca_dma_task_memcpy_as_task(task));
    }
    if (rc != DOCA_SUCCESS) {
        (void)doca_buf_dec_refcount(src, NULL);
        (void)doca_buf_dec_refcount(dst, NULL);
        return false;
    }
    mem->budget--;
    mem->num_inflight++;
    mem->stats.num_tasks++;
    mem->stats.num_bytes += len;
    return true;
}

/* Return the first of the slots in which the block with this byte can be. */
static struct doca_priv_apsh_slot *doca_priv_apsh_mem_set(const struct doca_priv_apsh_mem *mem,
                                                          uint64_t addr)
{
    const uint32_t num_sets = mem->num_slots / DOCA_PRIV_APSH_WAYS;
    const uint64_t mixed = (addr / DOCA_PRIV_APSH_BLOCK * 0x9e3779b97f4a7c15u) >> 32;

    return mem->slots + (mixed * num_sets >> 32) * DOCA_PRIV_APSH_WAYS;
}

/* Return the slot that contains the byte at `addr` or that a task is filling with it, or NULL. */
static const struct doca_priv_apsh_slot *
doca_priv_apsh_mem_find(const struct doca_priv_apsh_mem *mem, uint64_t addr)
{
    const struct doca_priv_apsh_slot *set = doca_priv_apsh_mem_set(mem, addr);
    uint32_t i;

    for (i = 0; i < DOCA_PRIV_APSH_WAYS; i++)
        if (doca_priv_apsh_mem_contains(mem, &set[i], addr))
            return &set[i];
    return NULL;
}

/* Choose a slot for the block with this byte, and return it: an unused slot, or else the next slot
 * that no task is filling. NULL: tasks are filling all these slots. */
static struct doca_priv_apsh_slot *doca_priv_apsh_mem_choose(struct doca_priv_apsh_mem *mem,
                                                             uint64_t addr)
{
    struct doca_priv_apsh_slot *set = doca_priv_apsh_mem_set(mem, addr), *slot;
    uint32_t i;

    for (i = 0; i < DOCA_PRIV_APSH_WAYS; i++)
        if (set[i].era != mem->era && set[i].era != DOCA_PRIV_APSH_VIEWED && !set[i].is_awaited)
            return &set[i];
    for (i = 0; i < DOCA_PRIV_APSH_WAYS; i++) {
        slot = &set[mem->next_way++ % DOCA_PRIV_APSH_WAYS];
        if (!slot->is_awaited)
            return slot;
    }
    return NULL;
}

/* Set the range to read for the byte at `addr`: its block or page, without the parts that are in
 * another region or in no region. Returns false when the target has no memory at `addr`. */
static bool doca_priv_apsh_mem_range(const struct doca_priv_apsh_mem *mem, uint64_t addr,
                                     struct doca_priv_apsh_slot *slot)
{
    const uint64_t first = addr & ~(uint64_t)(mem->unit - 1);
    uint64_t start, end;
    uint32_t i;

    for (i = 0; i < mem->num_regions; i++) {
        start = mem->regions[i].addr;
        end = start + mem->regions[i].len;
        if (addr < start || addr >= end)
            continue;
        slot->addr = first > start ? first : start;
        end = end - first < mem->unit ? end : first + mem->unit;
        slot->bytes = (uint32_t)(end - slot->addr);
        return true;
    }
    return false;
}

/* Let a slot refer to a range that this process can load directly from the target. The budget
 * counts this as a task, because it takes as many system calls as the range has pages. Returns
 * false when the range must be read by a task. */
static bool doca_priv_apsh_mem_view(struct doca_priv_apsh_mem *mem,
                                    const struct doca_priv_apsh_slot *range)
{
    struct doca_priv_apsh_slot *slot = NULL;
    const void *view = NULL;

    if (mem->budget > 0)
        (void)doca_core_mmap_get_view(mem->target, range->addr, range->bytes, &view);
    if (view != NULL)
        slot = doca_priv_apsh_mem_choose(mem, range->addr);
    if (slot == NULL)
        return false;
    mem->budget--;
    slot->addr = range->addr;
    slot->from = (const unsigned char *)view;
    slot->bytes = range->bytes;
    slot->era = DOCA_PRIV_APSH_VIEWED;
    return true;
}

/* Submit the read of a block that is not in the cache. */
static void doca_priv_apsh_mem_fill(struct doca_priv_apsh_mem *mem, uint64_t addr)
{
    struct doca_priv_apsh_slot *slot, range;

    if (!doca_priv_apsh_mem_range(mem, addr, &range) || doca_priv_apsh_mem_view(mem, &range))
        return;
    if (mem->num_inflight == DOCA_PRIV_APSH_DEPTH)
        doca_priv_apsh_mem_wait(mem);
    slot = doca_priv_apsh_mem_choose(mem, addr);
    if (slot == NULL) {
        doca_priv_apsh_mem_wait(mem);
        slot = doca_priv_apsh_mem_choose(mem, addr);
        if (slot == NULL) /* the device is stuck */
            return;
    }
    slot->era = 0;
    if (!doca_priv_apsh_mem_submit(mem, range.addr, doca_priv_apsh_mem_block(mem, slot),
                                   range.bytes, slot))
        return;
    slot->addr = range.addr;
    slot->from = doca_priv_apsh_mem_block(mem, slot);
    slot->bytes = range.bytes;
    slot->era = mem->era;
    slot->is_awaited = true;
}

/* Read the blocks with these addresses into the cache, as one batch. Addresses where the target has
 * no memory are skipped; after a failure the block is not in the cache. */
DOCA_PRIV_DECL void doca_priv_apsh_mem_fetch(struct doca_priv_apsh_mem *mem, const uint64_t *addrs,
                                             uint32_t num)
{
    uint32_t i;

    for (i = 0; i < num; i++)
        if (doca_priv_apsh_mem_find(mem, addrs[i]) == NULL)
            doca_priv_apsh_mem_fill(mem, addrs[i]);
    if (mem->num_inflight > 0)
        doca_priv_apsh_mem_wait(mem);
}

/* True when a recently accessed block contains the byte at `addr`. */
DOCA_PRIV_DECL bool doca_priv_apsh_mem_holds(const struct doca_priv_apsh_mem *mem, uint64_t addr)
{
    return doca_priv_apsh_mem_contains(mem, doca_priv_apsh_mem_latest(mem, addr), addr);
}

/* Read [addr, addr + len) if one recently accessed block contains all of it. Otherwise return false
 * and change nothing. */
DOCA_PRIV_DECL bool doca_priv_apsh_mem_take(struct doca_priv_apsh_mem *mem, uint64_t addr, void *to,
                                            size_t len)
{
    const struct doca_priv_apsh_slot *slot = doca_priv_apsh_mem_latest(mem, addr);
    const uint64_t at = addr - slot->addr;

    if (!doca_priv_apsh_mem_contains(mem, slot, addr) || len > slot->bytes - at || mem->steps == 0)
        return false;
    mem->steps--;
    mem->stats.num_hits++;
    memcpy(to, slot->from + at, len);
    DOCA_PRIV_APSH_LOADED(to);
    return true;
}

/* Return the slot in the cache that contains the byte at `addr`. When no slot contains it, return
 * an empty slot. The slot is valid until the next call that may read blocks. */
DOCA_PRIV_DECL const struct doca_priv_apsh_slot *
doca_priv_apsh_mem_present(struct doca_priv_apsh_mem *mem, uint64_t addr)
{
    static const struct doca_priv_apsh_slot none = { 0, NULL, 0, 0, false };
    const struct doca_priv_apsh_slot *slot = doca_priv_apsh_mem_latest(mem, addr);

    if (doca_priv_apsh_mem_contains(mem, slot, addr))
        return slot;
    slot = doca_priv_apsh_mem_find(mem, addr);
    if (slot == NULL || slot->is_awaited)
        return &none;
    mem->latest[addr / DOCA_PRIV_APSH_BLOCK % DOCA_PRIV_APSH_LATEST] = slot;
    return slot;
}

/* Return the address of [addr, addr + len) in this process if one slot contains all of it, or if
 * two neighbouring slots contain it and both refer to memory that is loaded from the target.
 * Otherwise return NULL. The address is valid as long as a slot of doca_priv_apsh_mem_present(). */
DOCA_PRIV_DECL const unsigned char *doca_priv_apsh_mem_window(struct doca_priv_apsh_mem *mem,
                                                              uint64_t addr, uint32_t len)
{
    const struct doca_priv_apsh_slot *slot = doca_priv_apsh_mem_present(mem, addr), *last;
    const uint64_t at = addr - slot->addr;

    if (at >= slot->bytes)
        return NULL;
    if (len > slot->bytes - at) {
        if (slot->era != DOCA_PRIV_APSH_VIEWED || len > DOCA_PRIV_APSH_BLOCK)
            return NULL;
        last = doca_priv_apsh_mem_present(mem, slot->addr + slot->bytes);
        if (last->era != DOCA_PRIV_APSH_VIEWED || last->addr != slot->addr + slot->bytes ||
            last->from != slot->from + slot->bytes || len - (slot->bytes - at) > last->bytes)
            return NULL;
    }
    return slot->from + at;
}

/* Return the slot with the byte at `addr`. If the block is not in the cache, it is read. Returns
 * NULL when the block cannot be read, or when the call of the program may make no further
 * access. */
static const struct doca_priv_apsh_slot *doca_priv_apsh_mem_access(struct doca_priv_apsh_mem *mem,
                                                                   uint64_t addr)
{
    const struct doca_priv_apsh_slot *slot;

    if (mem->steps == 0) {
        mem->budget = 0;
        return NULL;
    }
    mem->steps--;
    slot = doca_priv_apsh_mem_find(mem, addr);
    if (slot == NULL) {
        doca_priv_apsh_mem_fetch(mem, &addr, 1);
        slot = doca_priv_apsh_mem_find(mem, addr);
    } else {
        mem->stats.num_hits++;
    }
    if (slot != NULL && slot->is_awaited) /* the device is stuck: the slot has other bytes */
        return NULL;
    if (slot != NULL)
        mem->latest[addr / DOCA_PRIV_APSH_BLOCK % DOCA_PRIV_APSH_LATEST] = slot;
    return slot;
}

/* Read [addr, addr + len). NOT_FOUND: the target has no memory there. IO_FAILED: a task failed, or
 * the budget of the call is used up. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_mem_read(struct doca_priv_apsh_mem *mem, uint64_t addr,
                                                    void *to, size_t len)
{
    const struct doca_priv_apsh_slot *slot;
    unsigned char *out = (unsigned char *)to;
    size_t at, n;

    if (doca_priv_apsh_mem_take(mem, addr, to, len))
        return DOCA_SUCCESS;
    if (!doca_priv_apsh_mem_has(mem, addr, len))
        return DOCA_ERROR_NOT_FOUND;
    for (; len > 0; addr += n, out += n, len -= n) {
        slot = doca_priv_apsh_mem_access(mem, addr);
        if (slot == NULL)
            return DOCA_ERROR_IO_FAILED;
        at = (size_t)(addr - slot->addr);
        n = slot->bytes - at < len ? slot->bytes - at : len;
        memcpy(out, slot->from + at, n);
    }
    DOCA_PRIV_APSH_LOADED(to);
    return DOCA_SUCCESS;
}

/* Read DOCA_PRIV_APSH_PROBE bytes at `addr` and at the same offset of the following pages, `num`
 * pages in total, at most DOCA_PRIV_APSH_DEPTH, in one batch. Returns the bytes of all pages one
 * after the other, valid until the next probe; bytes that cannot be read are 0. */
DOCA_PRIV_DECL const unsigned char *doca_priv_apsh_mem_probe(struct doca_priv_apsh_mem *mem,
                                                             uint64_t addr, uint32_t num)
{
    unsigned char *area = mem->blocks + (size_t)mem->num_slots * DOCA_PRIV_APSH_BLOCK;
    uint32_t i;

    memset(area, 0, DOCA_PRIV_APSH_DEPTH * DOCA_PRIV_APSH_PROBE);
    for (i = 0; i < num; i++, addr += DOCA_PRIV_APSH_PAGE)
        if (doca_priv_apsh_mem_has(mem, addr, DOCA_PRIV_APSH_PROBE))
            (void)doca_priv_apsh_mem_submit(mem, addr, area + i * DOCA_PRIV_APSH_PROBE,
                                            DOCA_PRIV_APSH_PROBE, NULL);
    doca_priv_apsh_mem_wait(mem);
    return area;
}

/* Drop the cache, so that all blocks are read again. */
DOCA_PRIV_DECL void doca_priv_apsh_mem_drop(struct doca_priv_apsh_mem *mem)
{
    uint32_t i;

    if (++mem->era != DOCA_PRIV_APSH_VIEWED)
        return;
    for (i = 0; i < mem->num_slots; i++)
        if (mem->slots[i].era != DOCA_PRIV_APSH_VIEWED)
            mem->slots[i].era = 0;
    mem->era = 1;
}

/* Begin a call of the program: drop the cache, and set the number of DMA tasks that the call may
 * submit. The limit of accesses to blocks is computed from it, so that blocks in the cache cannot
 * keep a call busy forever. Tasks then read whole blocks. */
DOCA_PRIV_DECL void doca_priv_apsh_mem_begin(struct doca_priv_apsh_mem *mem, uint64_t budget)
{
    mem->budget = budget;
    mem->steps = budget * DOCA_PRIV_APSH_STEPS;
    mem->unit = mem->max_unit;
    doca_priv_apsh_mem_drop(mem);
}

/* Let tasks read single pages from now on, for a call that needs whole pages but not their
 * neighbours. */
DOCA_PRIV_DECL void doca_priv_apsh_mem_by_page(struct doca_priv_apsh_mem *mem)
{
    mem->unit = mem->max_unit < DOCA_PRIV_APSH_PAGE ? mem->max_unit : DOCA_PRIV_APSH_PAGE;
}

/* Make an mmap of the target's memory, and store its regions. */
static doca_error_t doca_priv_apsh_mem_open_target(struct doca_priv_apsh_mem *mem,
                                                   struct doca_dev *dev, struct doca_dev_rep *rep)
{
    doca_error_t rc = doca_core_mmap_create_from_rep_in(mem->arena, dev, rep, &mem->target);
    void *base = NULL;
    uint32_t i;
    size_t len;

    if (rc == DOCA_SUCCESS)
        rc = doca_mmap_get_memrange(mem->target, &base, &len);
    if (rc == DOCA_SUCCESS)
        rc = doca_core_mmap_get_num_regions(mem->target, &mem->num_regions);
    mem->base = (unsigned char *)base;
    mem->regions = mem->device_regions;
    for (i = 0; rc == DOCA_SUCCESS && i < mem->num_regions; i++)
        rc = doca_core_mmap_get_region(mem->target, i, &mem->device_regions[i]);
    return rc;
}

/* Allocate the memory of the cache, and register it. */
static doca_error_t doca_priv_apsh_mem_open_cache(struct doca_priv_apsh_mem *mem,
                                                  struct doca_dev *dev)
{
    const size_t bytes =
        (size_t)mem->num_slots * DOCA_PRIV_APSH_BLOCK + DOCA_PRIV_APSH_DEPTH * DOCA_PRIV_APSH_PROBE;
    void *block = NULL;
    uint32_t i;
    doca_error_t rc = doca_priv_apsh_take(mem->arena, mem->num_slots * sizeof(*mem->slots), &block);

    mem->slots = (struct doca_priv_apsh_slot *)block;
    for (i = 0; i < DOCA_PRIV_APSH_LATEST; i++)
        mem->latest[i] = mem->slots;
    block = NULL;
    if (rc == DOCA_SUCCESS)
        rc = doca_core_arena_take(mem->arena, bytes, &block);
    mem->blocks = (unsigned char *)block;
    if (rc == DOCA_SUCCESS)
        rc = doca_core_mmap_create_in(mem->arena, &mem->local);
    if (rc == DOCA_SUCCESS)
        rc = doca_mmap_set_memrange(mem->local, mem->blocks, bytes);
    if (rc == DOCA_SUCCESS)
        rc = doca_mmap_add_dev(mem->local, dev);
    return rc == DOCA_SUCCESS ? doca_mmap_start(mem->local) : rc;
}

/* Choose how much a task reads at most: a block, or the largest power of two that the device
 * allows. */
static doca_error_t doca_priv_apsh_mem_choose_unit(struct doca_priv_apsh_mem *mem,
                                                   struct doca_dev *dev)
{
    uint64_t max = 0;
    doca_error_t rc = doca_dma_cap_task_memcpy_get_max_buf_size(doca_dev_as_devinfo(dev), &max);

    mem->max_unit = DOCA_PRIV_APSH_BLOCK;
    while (mem->max_unit > max && mem->max_unit > 1)
        mem->max_unit /= 2;
    mem->unit = mem->max_unit;
    return rc;
}

/* Open the DMA context with its progress engine and buffers, and start it. */
static doca_error_t doca_priv_apsh_mem_open_dma(struct doca_priv_apsh_mem *mem,
                                                struct doca_dev *dev)
{
    union doca_data data;
    doca_error_t rc =
        doca_core_buf_inventory_create_in(mem->arena, 2 * DOCA_PRIV_APSH_DEPTH, &mem->inventory);

    data.ptr = mem;
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_mem_choose_unit(mem, dev);
    if (rc == DOCA_SUCCESS)
        rc = doca_buf_inventory_start(mem->inventory);
    if (rc == DOCA_SUCCESS)
        rc = doca_core_pe_create_in(mem->arena, &mem->pe);
    if (rc == DOCA_SUCCESS)
        rc = doca_core_dma_create_in(mem->arena, dev, &mem->dma);
    if (rc == DOCA_SUCCESS)
        rc = doca_pe_connect_ctx(mem->pe, doca_dma_as_ctx(mem->dma));
    if (rc == DOCA_SUCCESS)
        rc = doca_ctx_set_user_data(doca_dma_as_ctx(mem->dma), data);
    if (rc == DOCA_SUCCESS)
        rc = doca_dma_task_memcpy_set_conf(mem->dma, doca_priv_apsh_mem_done,
                                           doca_priv_apsh_mem_failed, DOCA_PRIV_APSH_DEPTH);
    return rc == DOCA_SUCCESS ? doca_priv_apsh_mem_run(mem) : rc;
}

/* Open the memory of a target. `num_pages` is a multiple of DOCA_PRIV_APSH_BLOCK_PAGES, and is
 * sufficient for at least DOCA_PRIV_APSH_WAYS blocks. */
DOCA_PRIV_DECL doca_error_t doca_priv_apsh_mem_open(struct doca_priv_apsh_mem *mem,
                                                    struct doca_core_arena *arena,
                                                    struct doca_dev *dev, struct doca_dev_rep *rep,
                                                    uint32_t num_pages)
{
    doca_error_t rc;

    memset(mem, 0, sizeof(*mem));
    mem->arena = arena;
    mem->num_slots = num_pages / DOCA_PRIV_APSH_BLOCK_PAGES;
    rc = doca_priv_apsh_mem_open_target(mem, dev, rep);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_mem_open_cache(mem, dev);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_apsh_mem_open_dma(mem, dev);
    if (rc != DOCA_SUCCESS)
        doca_priv_apsh_mem_close(mem);
    return rc;
}

/* Close the memory of a target, in the reverse order of opening it. */
DOCA_PRIV_DECL void doca_priv_apsh_mem_close(struct doca_priv_apsh_mem *mem)
{
    if (mem->dma != NULL) {
        if (mem->pe != NULL)
            doca_priv_apsh_mem_stop(mem);
        (void)doca_dma_destroy(mem->dma);
    }
    if (mem->pe != NULL)
        (void)doca_pe_destroy(mem->pe);
    if (mem->inventory != NULL)
        (void)doca_buf_inventory_destroy(mem->inventory);
    if (mem->local != NULL)
        (void)doca_mmap_destroy(mem->local);
    doca_priv_apsh_give(mem->arena, mem->allowed);
    doca_priv_apsh_give(mem->arena, mem->blocks);
    doca_priv_apsh_give(mem->arena, mem->slots);
    if (mem->target != NULL)
        (void)doca_mmap_destroy(mem->target);
    memset(mem, 0, sizeof(*mem));
}
