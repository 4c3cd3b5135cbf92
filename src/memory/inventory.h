/* ---- >>inventory ----------------------------------------------------------------------------
 * Inventories. An inventory has a fixed number of buffers for ranges of any mmap. States:
 *   stopped   no buffer can be taken
 *   started   buffers can be taken and duplicated
 * Buffers that were taken stay valid when the inventory stops.
 * Source: DOCA Core Programming Guide, "DOCA Buffer Inventory"; reference, same title.          */
#ifndef DOCA_SRC_MEMORY_INVENTORY_H
#define DOCA_SRC_MEMORY_INVENTORY_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/check.h"
#include "memory/buf.h"

#define DOCA_PRIV_HOME ((int)sizeof(void *)) /* doca_buf.home counts in units of this many bytes */

#define DOCA_PRIV_STOCK_BYTES ((size_t)DOCA_CORE_LINE * (DOCA_CORE_CHECK >= 2 ? 2 : 1))

/* The common beginning of inventories and pools. It is called a stock: a set of buffers that are
 * taken and returned. The buffers begin DOCA_PRIV_STOCK_BYTES after its start. */
struct doca_priv_stock {
    struct doca_priv_object obj;
    uint32_t num;
    uint32_t num_free;
    struct doca_buf *free_bufs; /* free buffers; the first is the buffer that was returned last */
    /* In the checked mode, buffers are taken in the order of their return, and last_free is the end
     * of that list. no_slot is the first free buffer without a slot of its pool; a returned buffer
     * passes its slot on to this buffer. */
    DOCA_PRIV_CHECKED(struct doca_buf *last_free; struct doca_buf *no_slot;)
    struct doca_core_arena *arena;
    union doca_data user_data;
};

struct doca_buf_inventory {
    struct doca_priv_stock stock;
    struct doca_buf_inventory *more; /* next block that doca_buf_inventory_expand() added */
    uint32_t num_in_block;           /* number of buffers in this block */
};

/* Arena bytes of an inventory with `num_elements` buffers, or of an expansion by this number. */
#define DOCA_CORE_BYTES_BUF_INVENTORY(num_elements)                                                \
    DOCA_CORE_BYTES_BLOCK(DOCA_PRIV_STOCK_BYTES +                                                  \
                          DOCA_PRIV_STOCKED(num_elements) * sizeof(struct doca_buf))
DOCA_CORE_DECL doca_error_t doca_core_bytes_buf_inventory(size_t num_elements, size_t *bytes);

/* Create a stopped inventory with `num_elements` buffers, at least 1 and below 2^28.
 *
 * Owns      one block of the bound arena
 * Cost      O(num_elements)
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_create(size_t num_elements,
                                                      struct doca_buf_inventory **inventory);
DOCA_CORE_DECL doca_error_t doca_core_buf_inventory_create_in(
    struct doca_core_arena *arena, size_t num_elements, struct doca_buf_inventory **inventory);

/* Destroy an inventory, started or stopped.
 *
 * Cost      O(num_elements)
 * Errors    IN_USE         buffers have not been returned
 *           NOT_PERMITTED  the inventory was created by the calls of DOCA 1.x
 *                          (tools/compat/doca_core_legacy.h) */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_destroy(struct doca_buf_inventory *inventory);

/* Add buffers to an inventory, in any state (later versions).
 *
 *   num_elements  at least 1; the total must be below 2^28
 *
 * Owns      one more block of the inventory's arena, until destroy
 * Cost      O(num_elements)
 * Errors    NO_MEMORY  the arena is exhausted, or its free block is over 16 GiB away from the
 *                      inventory; nothing changed */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_expand(struct doca_buf_inventory *inventory,
                                                      uint32_t num_elements);

/* Start or stop the inventory.
 *
 * Errors    BAD_STATE  start: the inventory is already started; stop: it is not started */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_start(struct doca_buf_inventory *inventory);
DOCA_CORE_DECL doca_error_t doca_buf_inventory_stop(struct doca_buf_inventory *inventory);

/* Take a buffer as a window on [addr, addr + len) of `mmap`.
 *   by_addr  the content is empty and begins at addr
 *   by_data  the content is the whole window
 *   by_args  the content is [data, data + data_len), inside the window
 *
 *   len   bytes; 0: an empty window, which may be at the end of the mmap (the checked mode refuses
 *         0)
 *   buf   out: a buffer with reference count 1, not in a list
 *
 * Owns      one buffer of the inventory until its reference count is 0; the buffer count of the
 *           mmap includes it
 * Cost      O(1); no lock, no system call
 * Errors    INVALID_VALUE  also: the window is not inside the mmap, or the content not inside the
 *                          window
 *           BAD_STATE      the inventory or the mmap is not started
 *           NO_MEMORY      all buffers are in use; nothing changed, try again after a release */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_get_by_addr(struct doca_buf_inventory *inventory,
                                                               struct doca_mmap *mmap, void *addr,
                                                               size_t len, struct doca_buf **buf);
DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_get_by_data(struct doca_buf_inventory *inventory,
                                                               struct doca_mmap *mmap, void *data,
                                                               size_t data_len,
                                                               struct doca_buf **buf);
DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_get_by_args(struct doca_buf_inventory *inventory,
                                                               struct doca_mmap *mmap, void *addr,
                                                               size_t len, void *data,
                                                               size_t data_len,
                                                               struct doca_buf **buf);

/* Move the window of a buffer to another range of its mmap, instead of releasing the buffer and
 * taking a new one. by_addr, by_data and by_args set window and content as the calls above do. The
 * reference count and the list of the buffer stay unchanged; other elements of the list keep their
 * windows. No task in flight may use the buffer (the checked mode detects this and returns
 * IN_USE).
 *
 *   buf  a buffer of an inventory; not one of a pool or of an mbuf
 *   len  bytes; 0 as in the calls above
 *
 * Cost      O(1); no lock, no system call
 * Errors    INVALID_VALUE  also: the window is not inside the mmap, or the content not inside the
 *                          window
 *           BAD_STATE      the buffer was returned, or its mmap was stopped
 *           NOT_PERMITTED  the buffer belongs to a pool or an mbuf
 * Source    public programs of 3.x; the codes are Assumed */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_reuse_by_addr(struct doca_buf *buf, void *addr,
                                                                 size_t len);
DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_reuse_by_data(struct doca_buf *buf, void *data,
                                                                 size_t data_len);
DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_reuse_by_args(struct doca_buf *buf, void *addr,
                                                                 size_t len, void *data,
                                                                 size_t data_len);

/* Duplicate a list: take one buffer for each element of the list that begins with `src_buf`, with
 * the same window and content, and link these buffers to a list. If this fails, no buffer is taken.
 * The bytes are shared, not copied.
 *
 * Cost      O(elements)
 * Errors    BAD_STATE      the inventory is not started, or src_buf was returned
 *           NOT_PERMITTED  src_buf is not a head
 *           NO_MEMORY      too few buffers are free */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_dup(struct doca_buf_inventory *inventory,
                                                       const struct doca_buf *src_buf,
                                                       struct doca_buf **dst_buf);

/* Get a property, or store a value of the program, in any state. user_data is 0 by default.
 *
 * Errors    NOT_PERMITTED  user_data: the inventory was created by the calls of DOCA 1.x */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_get_num_elements(
    const struct doca_buf_inventory *inventory, uint32_t *num_of_elements);
DOCA_CORE_DECL doca_error_t doca_buf_inventory_get_num_free_elements(
    const struct doca_buf_inventory *inventory, uint32_t *num_of_free_elements);
DOCA_CORE_DECL doca_error_t doca_buf_inventory_get_user_data(
    const struct doca_buf_inventory *inventory, union doca_data *user_data);
DOCA_CORE_DECL doca_error_t doca_buf_inventory_set_user_data(struct doca_buf_inventory *inventory,
                                                             union doca_data user_data);

#endif
