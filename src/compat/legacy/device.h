/* ---- >>legacy.device -------------------------------------------------------------------------
 * Device lists and device properties. Devices are opened and closed by the calls of doca_core.h. A
 * remote device of 1.3 is a representor. Any thread may make the calls of this section.
 * Source: 1.3 guide, 4.1 to 4.4.                                                                */
#ifndef DOCA_SRC_COMPAT_LEGACY_DEVICE_H
#define DOCA_SRC_COMPAT_LEGACY_DEVICE_H

#include "base/config.h"
#include "base/error.h"
#include "compat/legacy/config.h"

struct doca_dev;
struct doca_dev_rep;
struct doca_devinfo;
struct doca_devinfo_rep;

DOCA_PRIV_LEGACY_EXTENSION struct doca_pci_bdf {
    DOCA_PRIV_LEGACY_EXTENSION union {
        uint16_t raw;
        DOCA_PRIV_LEGACY_EXTENSION struct {
            uint16_t bus : 8;
            uint16_t device : 5;
            uint16_t function : 3;
        };
    };
};

enum doca_devinfo_property {
    DOCA_DEVINFO_PROPERTY_VUID,       /* char[128] */
    DOCA_DEVINFO_PROPERTY_PCI_ADDR,   /* struct doca_pci_bdf */
    DOCA_DEVINFO_PROPERTY_IPV4_ADDR,  /* uint8_t[4] */
    DOCA_DEVINFO_PROPERTY_IPV6_ADDR,  /* uint8_t[16] */
    DOCA_DEVINFO_PROPERTY_IFACE_NAME, /* char[256] */
    DOCA_DEVINFO_PROPERTY_IBDEV_NAME  /* char[64] */
};

enum doca_devinfo_remote_property {
    DOCA_DEVINFO_REMOTE_PROPERTY_VUID /* char[128] */
};

enum doca_dev_remote_filter {
    DOCA_DEV_REMOTE_FILTER_ALL = 0,
    DOCA_DEV_REMOTE_FILTER_NET = 1 << 1
};

enum doca_dev_rep_filter { /* name in 1.5 */
    DOCA_DEV_REP_FILTER_ALL = 0,
    DOCA_DEV_REP_FILTER_NET = 1 << 1
};

#define DOCA_DEVINFO_VUID_SIZE 128

/* Old names of doca_devinfo_create_list() and doca_devinfo_destroy_list(). */
DOCA_CORE_DECL doca_error_t doca_devinfo_list_create(struct doca_devinfo ***dev_list,
                                                     uint32_t *nb_devs);
DOCA_CORE_DECL doca_error_t doca_devinfo_list_destroy(struct doca_devinfo **devinfo_list);

/* Write one property to `value`.
 *
 *   size  size of `value` in bytes; at least the size noted beside the property above
 *
 * Errors    INVALID_VALUE     an argument is NULL, the property does not exist, or `size` is too
 *                             small
 *           OPERATING_SYSTEM  the device has no such network interface, or the interface no such
 *                             address */
DOCA_CORE_DECL doca_error_t doca_devinfo_property_get(const struct doca_devinfo *devinfo,
                                                      enum doca_devinfo_property property,
                                                      void *value, uint32_t size);

/* Write 1 to `*is_equal` if the device or representor has this PCI address (in the long or short
 * form), and 0 otherwise. Names of 2.0 for doca_devinfo_is_equal_pci_addr() and
 * doca_devinfo_rep_is_equal_pci_addr(). */
DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_pci_addr_equal(const struct doca_devinfo *devinfo,
                                                               const char *pci_addr_str,
                                                               uint8_t *is_equal);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_is_pci_addr_equal(
    const struct doca_devinfo_rep *devinfo_rep, const char *pci_addr_str, uint8_t *is_equal);

/* Calls of 1.5 that replace properties. doca_core.h declares the other calls of this kind. */
DOCA_CORE_DECL doca_error_t doca_devinfo_get_pci_addr(const struct doca_devinfo *devinfo,
                                                      struct doca_pci_bdf *pci_addr);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_vuid(const struct doca_devinfo *devinfo, char *vuid,
                                                  uint32_t size);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_hotplug_manager_supported(
    const struct doca_devinfo *devinfo, uint8_t *is_hotplug_manager);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_mmap_export_supported(
    const struct doca_devinfo *devinfo, uint8_t *mmap_export);
DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_mmap_from_export_supported(
    const struct doca_devinfo *devinfo, uint8_t *from_export);

/* Form of doca_dev_as_devinfo() that the 1.3 guide prints (DOCA_CORE_LEGACY_GUIDE). */
DOCA_CORE_DECL doca_error_t doca_core_legacy_dev_as_devinfo(struct doca_dev *dev,
                                                            struct doca_devinfo **devinfo);

/* Lists and calls for representors, with the names of 1.3 and then of 1.5. They behave like
 * doca_devinfo_rep_create_list() and the related calls. */
DOCA_CORE_DECL doca_error_t doca_devinfo_remote_list_create(
    struct doca_dev *dev, int filter, struct doca_devinfo_rep ***devinfo_remote_list,
    uint32_t *nb_devs);
DOCA_CORE_DECL doca_error_t doca_devinfo_remote_list_destroy(
    struct doca_devinfo_rep **devinfo_remote_list);
DOCA_CORE_DECL doca_error_t doca_devinfo_remote_property_get(
    const struct doca_devinfo_rep *devinfo_remote, enum doca_devinfo_remote_property property,
    void *value, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_dev_remote_open(struct doca_devinfo_rep *devinfo_remote,
                                                 struct doca_dev_rep **dev_remote);
DOCA_CORE_DECL doca_error_t doca_dev_remote_close(struct doca_dev_rep *dev_remote);
DOCA_CORE_DECL doca_error_t doca_dev_remote_as_devinfo(struct doca_dev_rep *dev_remote,
                                                       struct doca_devinfo_rep **devinfo_remote);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_list_create(struct doca_dev *dev, int filter,
                                                         struct doca_devinfo_rep ***dev_list_rep,
                                                         uint32_t *nb_devs_rep);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_list_destroy(struct doca_devinfo_rep **dev_list_rep);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_pci_addr(
    const struct doca_devinfo_rep *devinfo_rep, struct doca_pci_bdf *pci_addr);

/* Write 1 if the device can list its representors with this filter, and 0 otherwise. Calls of
 * 1.5. */
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_is_list_all_supported(
    const struct doca_devinfo *devinfo, uint8_t *all_supported);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_is_list_net_supported(
    const struct doca_devinfo *devinfo, uint8_t *net_supported);

#endif
