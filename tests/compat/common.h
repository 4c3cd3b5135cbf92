/* Objects that all samples need: a device, two memory maps, an inventory, a progress engine. */
#ifndef COMMON_H_
#define COMMON_H_

#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_mmap.h>
#include <doca_pe.h>

/* Returns success when a device is suitable, like the capability functions of DOCA's libraries. */
typedef doca_error_t (*device_check)(const struct doca_devinfo *devinfo);

struct core_objects {
    struct doca_dev *dev;
    struct doca_mmap *src_mmap;
    struct doca_mmap *dst_mmap;
    struct doca_buf_inventory *inventory;
    struct doca_pe *pe;
};

/* Open the device with this PCI address, or the first suitable device when `pci_addr` is NULL. */
doca_error_t open_device(const char *pci_addr, device_check check, struct doca_dev **dev);

/* Open the device and create the other objects. When this fails, destroy_core_objects() releases
 * the objects that exist. */
doca_error_t create_core_objects(const char *pci_addr, device_check check, size_t max_bufs,
                                 struct core_objects *objects);

/* Give a memory map its range and start it. */
doca_error_t start_mmap(struct doca_mmap *mmap, struct doca_dev *dev, void *addr, size_t len,
                        uint32_t permissions);

/* Stop a context, and wait until it is idle. */
doca_error_t stop_ctx(struct doca_pe *pe, struct doca_ctx *ctx);

/* Destroy all objects that exist. Returns the first error. */
doca_error_t destroy_core_objects(struct core_objects *objects);

#endif /* COMMON_H_ */
