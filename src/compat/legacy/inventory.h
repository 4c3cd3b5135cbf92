/* ---- >>legacy.inventory ----------------------------------------------------------------------
 * Inventories. An inventory of this section is an inventory of doca_core.h that also has a name or
 * user data. The calls of doca_core.h start and stop it. Today's calls that destroy an inventory or
 * access its user data refuse an inventory of this section; the calls below accept both kinds.
 * Source: 1.3 guide, 4.6.                                                                       */
#ifndef DOCA_SRC_COMPAT_LEGACY_INVENTORY_H
#define DOCA_SRC_COMPAT_LEGACY_INVENTORY_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "compat/legacy/config.h"

struct doca_buf;
struct doca_buf_inventory;
struct doca_core_legacy_mmap;

enum doca_buf_inventory_property { /* all read-only */
    DOCA_BUF_INVENTORY_NAME,              /* char[], at least the length of the name and NUL */
    DOCA_BUF_INVENTORY_NUM_ELEMENTS,      /* uint32_t */
    DOCA_BUF_INVENTORY_NUM_FREE_ELEMENTS, /* uint32_t */
    DOCA_BUF_INVENTORY_EXTENSIONS         /* uint32_t */
};

/* Create a stopped inventory.
 *
 *   name         copied; NULL stands for ""
 *   user_data    in the form of 1.5; NULL stands for 0
 *   extensions   a mask of enum doca_buf_extension
 *
 * Owns      two blocks of the bound arena
 * Errors    INVALID_VALUE  `buf_inventory` is NULL, there are no elements, or an extension is
 *                          unknown
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_create(
    const char *name, size_t num_elements, uint32_t extensions,
    struct doca_buf_inventory **buf_inventory);
DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_create_15(
    const union doca_data *user_data, size_t num_elements, uint32_t extensions,
    struct doca_buf_inventory **buf_inventory);

/* Destroy an inventory.
 *
 * Errors    IN_USE  buffers have not been returned */
DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_destroy(
    struct doca_buf_inventory *inventory);

/* Get or replace the user data of doca_core_legacy_buf_inventory_create_15(). */
DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_get_user_data(
    const struct doca_buf_inventory *inventory, union doca_data *user_data);
DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_set_user_data(
    struct doca_buf_inventory *inventory, union doca_data user_data);

/* Set a property. All properties are read-only, so this always fails.
 *
 * Errors    INVALID_VALUE  an argument is NULL, or the property does not exist
 *           NOT_PERMITTED  the property is read-only */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_property_set(
    struct doca_buf_inventory *inventory, enum doca_buf_inventory_property property,
    const void *value, uint32_t size);

/* Write a property to `value`, and fill the rest of its `size` bytes with zeros.
 *
 * Errors    INVALID_VALUE  an argument is NULL, the property does not exist, or `size` is too
 *                          small */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_property_get(
    struct doca_buf_inventory *inventory, enum doca_buf_inventory_property property, void *value,
    uint32_t size);

/* Take a buffer as an empty window on [addr, addr + len), which must lie in one range of `mmap`.
 *
 * Owns      one element until the reference count is 0
 * Cost      O(log of the number of ranges)
 * Errors    INVALID_VALUE  an argument is NULL, or the window does not lie in one range
 *           BAD_STATE      the inventory or the mmap is not started
 *           NO_MEMORY      all elements are in use */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_by_addr(struct doca_buf_inventory *inventory,
                                                           struct doca_core_legacy_mmap *mmap,
                                                           void *addr, size_t len,
                                                           struct doca_buf **buf);

/* Take a buffer with data: the whole window, or [data, data + data_len) in the window. Calls of
 * 1.5. */
DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_by_data(struct doca_buf_inventory *inventory,
                                                           struct doca_core_legacy_mmap *mmap,
                                                           void *data, size_t data_len,
                                                           struct doca_buf **buf);
DOCA_CORE_DECL doca_error_t doca_buf_inventory_buf_by_args(struct doca_buf_inventory *inventory,
                                                           struct doca_core_legacy_mmap *mmap,
                                                           void *addr, size_t len, void *data,
                                                           size_t data_len, struct doca_buf **buf);

/* Take a second buffer for the same window, like doca_buf_inventory_buf_dup().
 *
 * Errors    as doca_buf_inventory_buf_dup(); BAD_STATE also when an mmap of 1.x was stopped
 *           meanwhile */
DOCA_CORE_DECL doca_error_t doca_core_legacy_buf_inventory_buf_dup(
    struct doca_buf_inventory *inventory, const struct doca_buf *src_buf,
    struct doca_buf **dst_buf);

#endif
