/* ---- >>legacy.mmap ---------------------------------------------------------------------------
 * Memory maps: a set of memory ranges ("chunks") on a set of devices. Each range is registered on
 * each device by the later of the two calls that add them.
 * Source: 1.3 guide, 4.7 and 5.4.                                                               */
#ifndef DOCA_SRC_COMPAT_LEGACY_MMAP_H
#define DOCA_SRC_COMPAT_LEGACY_MMAP_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "memory/mmap.h"
#include "compat/legacy/config.h"

struct doca_core_legacy_mmap;
struct doca_dev;

enum doca_mmap_property {
    DOCA_MMAP_NAME,            /* read-only, char[], at least the length of the name and NUL */
    DOCA_MMAP_MAX_NUM_CHUNKS,  /* uint32_t, initially 1; the number of ranges of an imported mmap */
    DOCA_MMAP_MAX_NUM_DEVICES, /* uint32_t, initially 1 */
    DOCA_MMAP_NUM_BUFS,        /* read-only, uint32_t */
    DOCA_MMAP_EXPORTED,        /* read-only, uint8_t */
    DOCA_MMAP_FROM_EXPORT,     /* read-only, uint8_t */
    DOCA_MMAP_ACCESS_FLAGS     /* uint32_t, a mask of enum doca_mmap_access_flags */
};

enum doca_mmap_access_flags {
    DOCA_MMAP_ACCESS_LOCAL_READ = 0,
    DOCA_MMAP_ACCESS_LOCAL_WRITE = 1 << 0,
    DOCA_MMAP_ACCESS_REMOTE_WRITE = 1 << 1, /* also lets importers read */
    DOCA_MMAP_ACCESS_REMOTE_READ = 1 << 2,
    DOCA_MMAP_ACCESS_REMOTE_ATOMIC = 1 << 3
};

/* Create a stopped mmap without ranges and devices.
 *
 *   name       copied; NULL stands for ""
 *   user_data  in the form of 1.5; NULL stands for 0
 *
 * Owns      one block of the bound arena
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create(const char *name,
                                                         struct doca_core_legacy_mmap **mmap);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_15(const union doca_data *user_data,
                                                            struct doca_core_legacy_mmap **mmap);

/* Create a stopped mmap of 2.0 to 2.2. It wraps an mmap of doca_core.h, and the calls below pass
 * through to today's calls. doca_mmap_populate() and doca_mmap_export() do not accept it.
 *
 * Owns      two blocks of the bound arena
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_20(const union doca_data *user_data,
                                                            struct doca_core_legacy_mmap **mmap);

/* Calls for an mmap of 2.0, each of which behaves like the call with today's name.
 * doca_mmap_export_dpu() behaves like doca_mmap_export_pci(): the mmap owns the descriptor until
 * it is stopped.
 *
 * Errors    as today's call, and
 *           NOT_PERMITTED  the mmap is an mmap of 1.x, which gets its ranges by
 *                          doca_mmap_populate() and its permissions by a property */
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_memrange(struct doca_core_legacy_mmap *mmap,
                                                               void *addr, size_t len);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_memrange(
    const struct doca_core_legacy_mmap *mmap, void **addr, size_t *len);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_dmabuf_memrange(
    struct doca_core_legacy_mmap *mmap, int dmabuf_fd, void *addr, size_t dmabuf_offset,
    size_t len);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_permissions(
    struct doca_core_legacy_mmap *mmap, uint32_t access_mask);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_free_cb(
    struct doca_core_legacy_mmap *mmap, doca_mmap_memrange_free_cb_t *free_cb, void *opaque);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_user_data(struct doca_core_legacy_mmap *mmap,
                                                                union doca_data user_data);
DOCA_CORE_DECL doca_error_t doca_mmap_export_dpu(struct doca_core_legacy_mmap *mmap,
                                                 const struct doca_dev *dev,
                                                 const void **export_desc,
                                                 size_t *export_desc_len);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_export_rdma(struct doca_core_legacy_mmap *mmap,
                                                              const struct doca_dev *dev,
                                                              const void **export_desc,
                                                              size_t *export_desc_len);

/* Destroy an mmap in any state with its ranges and devices. The free callbacks of the ranges are
 * called.
 *
 * Errors    NOT_PERMITTED  buffers still refer to the mmap; nothing changed */
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_destroy(struct doca_core_legacy_mmap *mmap);

/* Set or get a property. Get fills the rest of the `size` bytes with zeros.
 *
 * Errors    INVALID_VALUE  an argument is NULL or the property does not exist; set: the size is
 *                          wrong or the value is invalid; get: `size` is too small
 *           NOT_PERMITTED  set: the property is read-only, or the mmap was started or imported */
DOCA_CORE_DECL doca_error_t doca_mmap_property_set(struct doca_core_legacy_mmap *mmap,
                                                   enum doca_mmap_property property,
                                                   const void *value, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_mmap_property_get(struct doca_core_legacy_mmap *mmap,
                                                   enum doca_mmap_property property, void *value,
                                                   uint32_t size);

/* Set or get the same properties in the form of 1.5. */
DOCA_CORE_DECL doca_error_t doca_mmap_set_max_num_chunks(struct doca_core_legacy_mmap *mmap,
                                                         uint32_t max_num_chunks);
DOCA_CORE_DECL doca_error_t doca_mmap_get_max_num_chunks(struct doca_core_legacy_mmap *mmap,
                                                         uint32_t *max_num_chunks);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_set_max_num_devices(
    struct doca_core_legacy_mmap *mmap, uint32_t max_num_devices);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_max_num_devices(
    struct doca_core_legacy_mmap *mmap, uint32_t *max_num_devices);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_num_bufs(struct doca_core_legacy_mmap *mmap,
                                                               uint32_t *num_bufs);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_exported(struct doca_core_legacy_mmap *mmap,
                                                               uint8_t *exported);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_from_export(
    struct doca_core_legacy_mmap *mmap, uint8_t *from_export);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_get_user_data(struct doca_core_legacy_mmap *mmap,
                                                                union doca_data *user_data);

/* Start or stop an mmap. A started mmap accepts changes and new buffers. Existing ranges and
 * buffers remain when it is stopped. Does nothing when the mmap is in that state already.
 *
 * Owns      first start: one block of the arena, until destroy
 * Errors    NO_MEMORY  the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_start(struct doca_core_legacy_mmap *mmap);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_stop(struct doca_core_legacy_mmap *mmap);

/* Register every range on `dev`, or unregister it. On a device without the registration, jobs with
 * buffers of the mmap fail.
 *
 * Owns      a reference on the device until dev_rm or destroy
 * Cost      one registration per range
 * Errors    INVALID_VALUE  an argument is NULL; rm: the device is not in the mmap
 *           NOT_PERMITTED  the mmap is not started, or it is exported or imported, or the device
 *                          refuses
 *           NO_MEMORY      add: the mmap has max_num_devices devices
 *           IN_USE         add: the device is in the mmap already */
DOCA_CORE_DECL doca_error_t doca_mmap_dev_add(struct doca_core_legacy_mmap *mmap,
                                              struct doca_dev *dev);
DOCA_CORE_DECL doca_error_t doca_mmap_dev_rm(struct doca_core_legacy_mmap *mmap,
                                             struct doca_dev *dev);

/* Add the range [addr, addr + len), and register it on every device.
 *
 *   pg_sz    a power of two, at least 4096; the range need not be aligned to it
 *   free_cb  called with the range and `opaque` when the mmap is destroyed; may be NULL
 *
 * Owns      one block of the arena until destroy; the memory remains the caller's
 * Cost      one registration per device; O(number of ranges)
 * Errors    INVALID_VALUE  an argument is NULL, `len` is 0, the range wraps around, or the page
 *                          size is invalid
 *           NOT_PERMITTED  the mmap is not started, or it is exported or imported, or a device
 *                          refuses, or the range overlaps another range of the mmap
 *           NO_MEMORY      the mmap has max_num_chunks ranges, or the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_mmap_populate(struct doca_core_legacy_mmap *mmap, void *addr,
                                               size_t len, size_t pg_sz,
                                               doca_mmap_memrange_free_cb_t *free_cb,
                                               void *opaque);

/* Export the mmap to another process, once; see doca_mmap_export_pci(). The export is valid
 * until the mmap is destroyed.
 *
 *   export_desc      out: JSON text with NUL, allocated by malloc(); the caller must free() it
 *   export_desc_len  out: its length in bytes, including NUL
 *
 * Errors    INVALID_VALUE  an argument is NULL, or the device is not in the mmap
 *           NOT_PERMITTED  the mmap is not started, is exported or imported, does not have
 *                          exactly one range, or has no remote permission
 *           NOT_SUPPORTED  the device does not support exports
 *           NO_MEMORY      the heap or the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_mmap_export(struct doca_core_legacy_mmap *mmap,
                                             const struct doca_dev *dev, void **export_desc,
                                             size_t *export_desc_len);

/* Create a started mmap from an export; see doca_mmap_create_from_export() of doca_core.h.
 *
 * Owns      four blocks of the arenas of the process, and a reference on the device, until
 *           destroy
 * Errors    as doca_mmap_create_from_export() */
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_from_export(
    const char *name, const void *export_desc, size_t export_desc_len, struct doca_dev *dev,
    struct doca_core_legacy_mmap **mmap);
DOCA_CORE_DECL doca_error_t doca_core_legacy_mmap_create_from_export_15(
    const union doca_data *user_data, const void *export_desc, size_t export_desc_len,
    struct doca_dev *dev, struct doca_core_legacy_mmap **mmap);

#endif
