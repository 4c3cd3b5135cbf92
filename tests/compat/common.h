/* Set-up that the samples share: a device, two memory maps, an inventory, a progress engine. */
#ifndef COMMON_H_
#define COMMON_H_

#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_mmap.h>
#include <doca_pe.h>

/* Says whether a device serves: a capability function of the library in question, for instance. */
typedef doca_error_t (*device_check)(const struct doca_devinfo *devinfo);

struct core_objects {
    struct doca_dev *dev;
    struct doca_mmap *src_mmap;
    struct doca_mmap *dst_mmap;
    struct doca_buf_inventory *inventory;
    struct doca_pe *pe;
};

/* Open the device with this PCI address; NULL: the first one that passes the check. */
doca_error_t open_device(const char *pci_addr, device_check check, struct doca_dev **dev);

/* Open the device and create the other objects. After a failure, destroy releases those that
 * exist. */
doca_error_t create_core_objects(const char *pci_addr, device_check check, size_t max_bufs,
                                 struct core_objects *objects);

/* Give a memory map its range and start it. */
doca_error_t start_mmap(struct doca_mmap *mmap, struct doca_dev *dev, void *addr, size_t len,
                        uint32_t permissions);

/* Stop a context, and wait until it has. */
doca_error_t stop_ctx(struct doca_pe *pe, struct doca_ctx *ctx);

/* Destroy all that was created. Returns the first error. */
doca_error_t destroy_core_objects(struct core_objects *objects);

#endif /* COMMON_H_ */
