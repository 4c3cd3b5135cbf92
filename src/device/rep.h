/* ---- >>rep ----------------------------------------------------------------------------------
 * Representors. On the DPU a representor stands for a function that belongs to the host, or for a
 * sub-function (SF); it has the PCI address of that function. A devinfo_rep describes a
 * representor and is a snapshot. A dev_rep is an open representor of an open device.
 * Threads: every call of this section may be made from any thread.
 * Source: DOCA Core Programming Guide, "Local Device and Representor"; API reference, "DOCA
 * Device".                                                                                      */
#ifndef DOCA_SRC_DEVICE_REP_H
#define DOCA_SRC_DEVICE_REP_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "object/arena.h"
#include "device/device.h"

struct doca_devinfo_rep {
    struct doca_devinfo info; /* the represented function; attr.rep_dev is the PCI address of the
                               * device that lists it */
};

struct doca_dev_rep {
    struct doca_priv_object obj;
    uint32_t num_opens;
    struct doca_dev *dev;
    struct doca_dev_rep *next; /* next open representor of the device */
    struct doca_devinfo_rep info;
};

/* Arena bytes of a representor list with `n` elements, and of `n` open representors. */
#define DOCA_CORE_BYTES_DEVINFO_REP_LIST(n) DOCA_CORE_BYTES_DEVINFO_LIST(n)
#define DOCA_CORE_BYTES_DEV_REP(n)                                                                 \
    ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_dev_rep)))

#ifndef DOCA_CORE_NO_REP

DOCA_CORE_DECL doca_error_t doca_core_bytes_devinfo_rep_list(uint32_t num_reps, size_t *bytes);
DOCA_CORE_DECL doca_error_t doca_core_bytes_dev_rep(size_t *bytes);

/* Report whether doca_devinfo_rep_create_list() accepts this filter: 1 or 0.
 *
 * Errors    NOT_SUPPORTED  the device has no representors at all */
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_cap_is_filter_all_supported(
    const struct doca_devinfo *devinfo, uint8_t *filter_all_supported);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_cap_is_filter_net_supported(
    const struct doca_devinfo *devinfo, uint8_t *filter_net_supported);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_cap_is_filter_emulated_supported(
    const struct doca_devinfo *devinfo, uint8_t *filter_emulated_supported);

/* List the representors of a device as (*dev_list_rep)[0] to (*dev_list_rep)[*nb_devs_rep - 1]. The
 * list may be empty; it must be destroyed all the same.
 *
 *   filter  DOCA_DEVINFO_REP_FILTER_ALL, or a union of NET (network functions) and EMULATED
 *
 * Owns      one block of the device's arena until doca_devinfo_rep_destroy_list(). The device may
 *           be closed earlier.
 * Errors    INVALID_VALUE  also: an unknown filter
 *           NO_MEMORY      the arena is exhausted
 *           NOT_SUPPORTED  the device has no representors, or does not support one of the
 *                          filters */
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_create_list(struct doca_dev *dev, int filter,
                                                         struct doca_devinfo_rep ***dev_list_rep,
                                                         uint32_t *nb_devs_rep);

/* Destroy a list and its elements. Representors that were opened through them stay open. */
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_destroy_list(struct doca_devinfo_rep **dev_list_rep);

/* Report whether software hot-plugged the function: 1, or 0 for a permanent function. */
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_is_hotplug(
    const struct doca_devinfo_rep *devinfo_rep, uint8_t *is_hotplug);

/* Write or compare the PCI address of the represented function, in the forms of
 * doca_devinfo_get_pci_addr_str() and doca_devinfo_is_equal_pci_addr(). The function has this
 * address on the side that it belongs to. An unknown address differs from every address.
 *
 * Errors    NOT_SUPPORTED  get_pci_addr_str: the address is unknown */
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_pci_addr_str(
    const struct doca_devinfo_rep *devinfo_rep, char *pci_addr_str);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_is_equal_pci_addr(
    const struct doca_devinfo_rep *devinfo_rep, const char *pci_addr_str, uint8_t *is_equal);

/* Get the type of the function: physical, virtual or sub-function. */
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_pci_func_type(
    const struct doca_devinfo_rep *devinfo_rep, enum doca_pci_func_type *pci_func_type);

/* Write the function's VUID, a permanent and unique name, with a terminating NUL. `size` is the
 * size of the buffer in bytes, at least DOCA_DEVINFO_REP_VUID_SIZE.
 *
 * Errors    INVALID_VALUE  also: `size` is too small */
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_vuid(const struct doca_devinfo_rep *devinfo_rep,
                                                      char *rep_vuid, uint32_t size);

/* Get a property of the represented function (later versions), like the calls doca_devinfo_get_...
 * for a device. The software device returns the name of the function's own interface. Other devices
 * do not know this name and return the name of the representor's interface, as the vendor's library
 * does. */
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_iface_name(
    const struct doca_devinfo_rep *devinfo_rep, char *iface_name, uint32_t size);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_vhca_id(
    const struct doca_devinfo_rep *devinfo_rep, uint16_t *vhca_id);
DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_sf_index(
    const struct doca_devinfo_rep *devinfo_rep, uint32_t *sf_index);

/* Open a representor. If it is already open, count one more opening. An open representor keeps its
 * device open: until it is closed, the last doca_dev_close() fails with IN_USE.
 *
 *   dev_rep  out: the same pointer for every opening of one representor
 *
 * Owns      one block of the arena of the devinfo_rep that it was first opened with, until the last
 *           doca_dev_rep_close()
 * Errors    NO_MEMORY  the arena is exhausted
 *           BAD_STATE  the device that lists the representor is not open */
DOCA_CORE_DECL doca_error_t doca_dev_rep_open(struct doca_devinfo_rep *devinfo,
                                              struct doca_dev_rep **dev_rep);

/* Undo one doca_dev_rep_open(). Undoing the last opening closes the representor. */
DOCA_CORE_DECL doca_error_t doca_dev_rep_close(struct doca_dev_rep *dev);

/* Return the devinfo_rep of an open representor, valid until the representor is closed. Returns
 * NULL when `dev_rep` is not an open representor. */
DOCA_CORE_DECL struct doca_devinfo_rep *doca_dev_rep_as_devinfo(struct doca_dev_rep *dev_rep);

#endif /* DOCA_CORE_NO_REP */

#endif
