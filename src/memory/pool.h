/* ---- >>pool ---------------------------------------------------------------------------------
 * Buffer pools, also called memory pools. Each buffer of a pool is permanently tied to one slot of
 * one mmap.
 * Source: DOCA Core Programming Guide, "Inventory Types"; API reference, "DOCA Buffer Pool".    */
#ifndef DOCA_SRC_MEMORY_POOL_H
#define DOCA_SRC_MEMORY_POOL_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/check.h"
#include "memory/buf.h"
#include "memory/inventory.h"

struct doca_buf_pool {
    struct doca_priv_stock stock;
    struct doca_mmap *mmap;
    size_t element_size;
    uint32_t mmap_serial; /* detects that another mmap is at the address `mmap` */
    uint32_t log_alignment;
};

#ifndef DOCA_CORE_NO_POOL

/* Arena bytes of a pool with `num_elements` buffers, not counting the slots, which are memory of
 * the mmap. */
#define DOCA_CORE_BYTES_BUF_POOL(num_elements)                                                     \
    DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_STOCK_BYTES +                                                  \
                          DOCA_PRIV_STOCKED(num_elements) * sizeof(struct doca_buf))
DOCA_CORE_DECL doca_error_t doca_core_bytes_buf_pool(size_t num_elements, size_t *bytes);

/* Create a stopped pool of slots in `mmap`. The mmap must have its range but need not be started.
 *
 *   num_elements  number of slots; at least 1, below 2^28
 *   element_size  bytes of a slot, at least 1
 *
 * Owns      one block of the arena of the mmap; with doca_core_buf_pool_create_in(), one block of
 *           `arena`, and the arena of the mmap must outlive the pool
 * Errors    INVALID_VALUE  also: a number or size of 0, or an mmap without range
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_buf_pool_create(size_t num_elements, size_t element_size,
                                                 const struct doca_mmap *mmap,
                                                 struct doca_buf_pool **buf_pool);
DOCA_CORE_DECL doca_error_t doca_core_buf_pool_create_in(struct doca_core_arena *arena,
                                                         size_t num_elements, size_t element_size,
                                                         const struct doca_mmap *mmap,
                                                         struct doca_buf_pool **buf_pool);

/* Destroy a pool, started or stopped.
 *
 * Cost      O(num_elements)
 * Errors    IN_USE  buffers have not been returned */
DOCA_CORE_DECL doca_error_t doca_buf_pool_destroy(struct doca_buf_pool *buf_pool);

/* Start a pool: divide the mmap into slots. The first slot begins at the first aligned address of
 * the mmap. The distance of the slots is the slot size, rounded up to the alignment.
 *
 * Cost      O(num_elements)
 * Errors    BAD_STATE       the mmap is not started or was destroyed, or the pool is already
 *                           started
 *           INITIALIZATION  the slots, each rounded up, do not fit into the mmap */
DOCA_CORE_DECL doca_error_t doca_buf_pool_start(struct doca_buf_pool *buf_pool);

/* Stop a pool, so that it can be configured again.
 *
 * Errors    BAD_STATE  the pool is not started
 *           IN_USE     buffers have not been returned */
DOCA_CORE_DECL doca_error_t doca_buf_pool_stop(struct doca_buf_pool *buf_pool);

/* Take a buffer: its window is the whole slot, its content is empty, its reference count is 1.
 *
 * Cost      O(1)
 * Errors    BAD_STATE  the pool or the mmap is not started
 *           EMPTY      all buffers are in use; nothing changed, try again after a release */
DOCA_CORE_DECL doca_error_t doca_buf_pool_buf_alloc(struct doca_buf_pool *buf_pool,
                                                    struct doca_buf **buf);

/* Set or get the alignment of every slot in bytes, a power of two; 1 by default.
 *
 * Errors    INVALID_VALUE  also: not a power of two
 *           BAD_STATE      set: the pool is started */
DOCA_CORE_DECL doca_error_t doca_buf_pool_set_element_alignment(struct doca_buf_pool *buf_pool,
                                                                size_t element_alignment);
DOCA_CORE_DECL doca_error_t doca_buf_pool_get_element_alignment(
    const struct doca_buf_pool *buf_pool, size_t *element_alignment);

/* Store a value of the program, or get a property. user_data is 0 by default.
 *
 * Errors    BAD_STATE  set: the pool is started */
DOCA_CORE_DECL doca_error_t doca_buf_pool_set_user_data(struct doca_buf_pool *buf_pool,
                                                        union doca_data user_data);
DOCA_CORE_DECL doca_error_t doca_buf_pool_get_user_data(const struct doca_buf_pool *buf_pool,
                                                        union doca_data *user_data);
DOCA_CORE_DECL doca_error_t doca_buf_pool_get_num_elements(const struct doca_buf_pool *buf_pool,
                                                           uint32_t *num_of_elements);
DOCA_CORE_DECL doca_error_t doca_buf_pool_get_num_free_elements(
    const struct doca_buf_pool *buf_pool, uint32_t *num_of_free_elements);

#endif /* DOCA_CORE_NO_POOL */

#endif
