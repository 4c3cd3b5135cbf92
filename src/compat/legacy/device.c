/* ---- >>impl.legacy.device --------------------------------------------------------------------
 * Device lists and device properties.                                                           */
#include "compat/legacy/device.h"

#include "base/error.h"
#include "base/platform_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "device/device.h"
#include "device/rep.h"
#include "memory/mmap.h"

DOCA_CORE_DECL doca_error_t doca_devinfo_list_create(struct doca_devinfo ***dev_list,
                                                     uint32_t *nb_devs)
{
    return doca_devinfo_create_list(dev_list, nb_devs);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_list_destroy(struct doca_devinfo **devinfo_list)
{
    return doca_devinfo_destroy_list(devinfo_list);
}

/* Parse the "BB:DD.F" at the end of the PCI address that a backend wrote. */
static void doca_priv_bdf_read(const struct doca_core_dev_attr *attr, struct doca_pci_bdf *to)
{
    const char *bdf = attr->pci_addr + (DOCA_DEVINFO_PCI_ADDR_SIZE - DOCA_DEVINFO_PCI_BDF_SIZE);
    unsigned digits[7], i;

    for (i = 0; i < 7; i++)
        digits[i] = (unsigned)doca_priv_hex_digit(bdf[i]);
    to->bus = (uint8_t)(digits[0] << 4 | digits[1]);
    to->device = (uint8_t)((digits[3] << 4 | digits[4]) & 31u);
    to->function = (uint8_t)(digits[6] & 7u);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_pci_addr_equal(const struct doca_devinfo *devinfo,
                                                               const char *pci_addr_str,
                                                               uint8_t *is_equal)
{
    return doca_devinfo_is_equal_pci_addr(devinfo, pci_addr_str, is_equal);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_is_pci_addr_equal(
    const struct doca_devinfo_rep *devinfo_rep, const char *pci_addr_str, uint8_t *is_equal)
{
    return doca_devinfo_rep_is_equal_pci_addr(devinfo_rep, pci_addr_str, is_equal);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_pci_addr(const struct doca_devinfo *devinfo,
                                                      struct doca_pci_bdf *pci_addr)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, pci_addr, __func__);

    if (rc == DOCA_SUCCESS)
        doca_priv_bdf_read(&devinfo->attr, pci_addr);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_pci_addr(
    const struct doca_devinfo_rep *devinfo_rep, struct doca_pci_bdf *pci_addr)
{
    doca_error_t rc =
        doca_priv_check_args(devinfo_rep, DOCA_PRIV_KIND_DEVINFO_REP, pci_addr, __func__);

    if (rc == DOCA_SUCCESS)
        doca_priv_bdf_read(&devinfo_rep->info.attr, pci_addr);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_vuid(const struct doca_devinfo *devinfo, char *vuid,
                                                  uint32_t size)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, vuid, __func__);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (size < DOCA_DEVINFO_VUID_SIZE)
        return DOCA_PRIV_FAIL(INVALID_VALUE, TEXT_TOO_SHORT, devinfo);
    DOCA_CORE_MEMCPY(vuid, devinfo->attr.vuid, DOCA_DEVINFO_VUID_SIZE);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_property_get(const struct doca_devinfo *devinfo,
                                                      enum doca_devinfo_property property,
                                                      void *value, uint32_t size)
{
    switch ((int)property) {
    case DOCA_DEVINFO_PROPERTY_VUID:
        return doca_devinfo_get_vuid(devinfo, (char *)value, size);
    case DOCA_DEVINFO_PROPERTY_PCI_ADDR:
        if (size < sizeof(struct doca_pci_bdf))
            return DOCA_PRIV_FAIL(INVALID_VALUE, TEXT_TOO_SHORT, NULL);
        return doca_devinfo_get_pci_addr(devinfo, (struct doca_pci_bdf *)value);
    case DOCA_DEVINFO_PROPERTY_IPV4_ADDR:
        return doca_devinfo_get_ipv4_addr(devinfo, (uint8_t *)value, size);
    case DOCA_DEVINFO_PROPERTY_IPV6_ADDR:
        return doca_devinfo_get_ipv6_addr(devinfo, (uint8_t *)value, size);
    case DOCA_DEVINFO_PROPERTY_IFACE_NAME:
        return doca_devinfo_get_iface_name(devinfo, (char *)value, size);
    case DOCA_DEVINFO_PROPERTY_IBDEV_NAME:
        return doca_devinfo_get_ibdev_name(devinfo, (char *)value, size);
    default:
        return DOCA_PRIV_FAIL(INVALID_VALUE, LEGACY_PROPERTY, NULL);
    }
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_hotplug_manager_supported(
    const struct doca_devinfo *devinfo, uint8_t *is_hotplug_manager)
{
    return doca_devinfo_cap_is_hotplug_manager_supported(devinfo, is_hotplug_manager);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_mmap_export_supported(
    const struct doca_devinfo *devinfo, uint8_t *mmap_export)
{
    return doca_mmap_cap_is_export_pci_supported(devinfo, mmap_export);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_get_is_mmap_from_export_supported(
    const struct doca_devinfo *devinfo, uint8_t *from_export)
{
    return doca_mmap_cap_is_create_from_export_pci_supported(devinfo, from_export);
}

DOCA_CORE_DECL doca_error_t doca_core_legacy_dev_as_devinfo(struct doca_dev *dev,
                                                            struct doca_devinfo **devinfo)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, devinfo, __func__);
    struct doca_devinfo *info;

    if (rc != DOCA_SUCCESS)
        return rc;
    info = doca_dev_as_devinfo(dev);
    if (info == NULL)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, DEV_FROM_PD, dev);
    *devinfo = info;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_remote_list_create(
    struct doca_dev *dev, int filter, struct doca_devinfo_rep ***devinfo_remote_list,
    uint32_t *nb_devs)
{
    return doca_devinfo_rep_create_list(dev, filter, devinfo_remote_list, nb_devs);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_remote_list_destroy(
    struct doca_devinfo_rep **devinfo_remote_list)
{
    return doca_devinfo_rep_destroy_list(devinfo_remote_list);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_remote_property_get(
    const struct doca_devinfo_rep *devinfo_remote, enum doca_devinfo_remote_property property,
    void *value, uint32_t size)
{
    if (property != DOCA_DEVINFO_REMOTE_PROPERTY_VUID)
        return DOCA_PRIV_FAIL(INVALID_VALUE, LEGACY_PROPERTY, NULL);
    return doca_devinfo_rep_get_vuid(devinfo_remote, (char *)value, size);
}

DOCA_CORE_DECL doca_error_t doca_dev_remote_open(struct doca_devinfo_rep *devinfo_remote,
                                                 struct doca_dev_rep **dev_remote)
{
    return doca_dev_rep_open(devinfo_remote, dev_remote);
}

DOCA_CORE_DECL doca_error_t doca_dev_remote_close(struct doca_dev_rep *dev_remote)
{
    return doca_dev_rep_close(dev_remote);
}

DOCA_CORE_DECL doca_error_t doca_dev_remote_as_devinfo(struct doca_dev_rep *dev_remote,
                                                       struct doca_devinfo_rep **devinfo_remote)
{
    doca_error_t rc =
        doca_priv_check_args(dev_remote, DOCA_PRIV_KIND_DEV_REP, devinfo_remote, __func__);

    if (rc == DOCA_SUCCESS)
        *devinfo_remote = doca_dev_rep_as_devinfo(dev_remote);
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_list_create(struct doca_dev *dev, int filter,
                                                         struct doca_devinfo_rep ***dev_list_rep,
                                                         uint32_t *nb_devs_rep)
{
    return doca_devinfo_rep_create_list(dev, filter, dev_list_rep, nb_devs_rep);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_list_destroy(struct doca_devinfo_rep **dev_list_rep)
{
    return doca_devinfo_rep_destroy_list(dev_list_rep);
}

/* Translate the result of today's call to the form of 1.5. Today's call returns NOT_SUPPORTED when
 * the device lacks the capability; the call of 1.5 succeeds and writes 0 to `*answer`. */
static doca_error_t doca_priv_legacy_answer(doca_error_t rc, uint8_t *answer)
{
    if (rc != DOCA_ERROR_NOT_SUPPORTED)
        return rc;
    *answer = 0;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_is_list_all_supported(
    const struct doca_devinfo *devinfo, uint8_t *all_supported)
{
    return doca_priv_legacy_answer(
        doca_devinfo_rep_cap_is_filter_all_supported(devinfo, all_supported), all_supported);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_is_list_net_supported(
    const struct doca_devinfo *devinfo, uint8_t *net_supported)
{
    return doca_priv_legacy_answer(
        doca_devinfo_rep_cap_is_filter_net_supported(devinfo, net_supported), net_supported);
}
