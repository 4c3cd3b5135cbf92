/* ---- >>impl.rep -----------------------------------------------------------------------------
 * A representor list is a device list of another kind: a devinfo_rep is a devinfo of the
 * represented function. The lock of >>impl.device also protects the lists of open
 * representors.                                                                                 */
#include "device/rep.h"

#include "base/config.h"
#include "base/error.h"
#include "base/platform_priv.h"
#include "base/types.h"
#include "object/arena.h"
#include "object/arena_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/device.h"
#include "device/device_priv.h"
#include "device/devinfo_priv.h"

DOCA_CORE_DECL doca_error_t doca_core_bytes_devinfo_rep_list(uint32_t num_reps, size_t *bytes)
{
    return doca_core_bytes_devinfo_list(num_reps, bytes);
}

DOCA_CORE_DECL doca_error_t doca_core_bytes_dev_rep(size_t *bytes)
{
    return doca_priv_bytes_object(sizeof(struct doca_dev_rep), bytes, __func__);
}

static doca_error_t doca_priv_rep_cap(const struct doca_devinfo *devinfo, uint8_t filter_bit,
                                      uint8_t *is_supported, const char *function)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO, is_supported, function);

    if (rc != DOCA_SUCCESS)
        return rc;
    if (devinfo->attr.rep_filters == 0)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_DEV_NO_REPRESENTORS,
                              function, devinfo);
    *is_supported = (devinfo->attr.rep_filters & filter_bit) != 0 ? 1 : 0;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_cap_is_filter_all_supported(
    const struct doca_devinfo *devinfo, uint8_t *filter_all_supported)
{
    return doca_priv_rep_cap(devinfo, DOCA_CORE_REP_ALL, filter_all_supported, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_cap_is_filter_net_supported(
    const struct doca_devinfo *devinfo, uint8_t *filter_net_supported)
{
    return doca_priv_rep_cap(devinfo, DOCA_CORE_REP_NET, filter_net_supported, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_cap_is_filter_emulated_supported(
    const struct doca_devinfo *devinfo, uint8_t *filter_emulated_supported)
{
    return doca_priv_rep_cap(devinfo, DOCA_CORE_REP_EMULATED, filter_emulated_supported, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_create_list(struct doca_dev *dev, int filter,
                                                         struct doca_devinfo_rep ***dev_list_rep,
                                                         uint32_t *nb_devs_rep)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV,
                                           dev_list_rep != NULL ? nb_devs_rep : NULL, __func__);
    unsigned needed = filter == DOCA_DEVINFO_REP_FILTER_ALL ? DOCA_CORE_REP_ALL : (unsigned)filter;
    struct doca_priv_devinfo_list *list = NULL;
    struct doca_devinfo_rep **pointers;
    struct doca_core_dev_attr *attrs;
    uint32_t i, num, max;

    if (rc != DOCA_SUCCESS)
        return rc;
    if ((filter & ~(DOCA_DEVINFO_REP_FILTER_NET | DOCA_DEVINFO_REP_FILTER_EMULATED)) != 0)
        return DOCA_PRIV_FAIL(INVALID_VALUE, REP_FILTER_UNKNOWN, dev);
    if (dev->info.attr.rep_filters == 0)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, DEV_NO_REPRESENTORS, dev);
    if ((dev->info.attr.rep_filters & needed) != needed)
        return DOCA_PRIV_FAIL(NOT_SUPPORTED, REP_FILTER_OFF, dev);
    DOCA_PRIV_WITH_SW(doca_priv_sw_read_environment();)
    max = dev->backend->enumerate_reps(dev, filter, NULL, 0);
    rc = doca_priv_devinfo_list_make(dev->info.arena, DOCA_PRIV_KIND_REP_LIST, max, &list,
                                     __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    attrs = doca_priv_devinfo_attrs(list->infos, max);
    num = dev->backend->enumerate_reps(dev, filter, attrs, max);
    list->num = num < max ? num : max;
    doca_priv_devinfo_unpack(attrs, list->num, DOCA_PRIV_KIND_DEVINFO_REP, dev->info.backend,
                             dev->info.arena, list->infos);
    pointers = (struct doca_devinfo_rep **)(void *)(list + 1);
    for (i = 0; i < list->num; i++) {
        DOCA_CORE_MEMCPY(list->infos[i].attr.rep_dev, dev->info.attr.pci_addr,
                         DOCA_DEVINFO_PCI_ADDR_SIZE);
        pointers[i] = (struct doca_devinfo_rep *)(void *)&list->infos[i];
    }
    *dev_list_rep = pointers;
    *nb_devs_rep = list->num;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_destroy_list(struct doca_devinfo_rep **dev_list_rep)
{
    return doca_priv_devinfo_list_end(dev_list_rep, DOCA_PRIV_KIND_REP_LIST, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_is_hotplug(
    const struct doca_devinfo_rep *devinfo_rep, uint8_t *is_hotplug)
{
    doca_error_t rc =
        doca_priv_check_args(devinfo_rep, DOCA_PRIV_KIND_DEVINFO_REP, is_hotplug, __func__);

    if (rc == DOCA_SUCCESS)
        *is_hotplug = devinfo_rep->info.attr.is_hotplug;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_pci_addr_str(
    const struct doca_devinfo_rep *devinfo_rep, char *pci_addr_str)
{
    return doca_priv_devinfo_get_pci_addr(devinfo_rep, DOCA_PRIV_KIND_DEVINFO_REP, pci_addr_str,
                                          __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_is_equal_pci_addr(
    const struct doca_devinfo_rep *devinfo_rep, const char *pci_addr_str, uint8_t *is_equal)
{
    return doca_priv_devinfo_is_equal(devinfo_rep, DOCA_PRIV_KIND_DEVINFO_REP, pci_addr_str,
                                      is_equal, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_pci_func_type(
    const struct doca_devinfo_rep *devinfo_rep, enum doca_pci_func_type *pci_func_type)
{
    doca_error_t rc =
        doca_priv_check_args(devinfo_rep, DOCA_PRIV_KIND_DEVINFO_REP, pci_func_type, __func__);

    if (rc == DOCA_SUCCESS)
        *pci_func_type = devinfo_rep->info.attr.func_type;
    return rc;
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_vuid(const struct doca_devinfo_rep *devinfo_rep,
                                                      char *rep_vuid, uint32_t size)
{
    if (!doca_priv_is(devinfo_rep, DOCA_PRIV_KIND_DEVINFO_REP))
        return DOCA_PRIV_FAIL_HANDLE(devinfo_rep);
    return doca_priv_devinfo_give(&devinfo_rep->info, devinfo_rep->info.attr.vuid,
                                  sizeof(devinfo_rep->info.attr.vuid), rep_vuid, size,
                                  DOCA_DEVINFO_REP_VUID_SIZE, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_iface_name(
    const struct doca_devinfo_rep *devinfo_rep, char *iface_name, uint32_t size)
{
    if (!doca_priv_is(devinfo_rep, DOCA_PRIV_KIND_DEVINFO_REP))
        return DOCA_PRIV_FAIL_HANDLE(devinfo_rep);
    return doca_priv_devinfo_give(&devinfo_rep->info, devinfo_rep->info.attr.iface_name,
                                  sizeof(devinfo_rep->info.attr.iface_name), iface_name, size,
                                  DOCA_DEVINFO_IFACE_NAME_SIZE, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_vhca_id(
    const struct doca_devinfo_rep *devinfo_rep, uint16_t *vhca_id)
{
    return doca_priv_devinfo_vhca_id((const struct doca_devinfo *)(const void *)devinfo_rep,
                                     DOCA_PRIV_KIND_DEVINFO_REP, vhca_id, __func__);
}

DOCA_CORE_DECL doca_error_t doca_devinfo_rep_get_sf_index(
    const struct doca_devinfo_rep *devinfo_rep, uint32_t *sf_index)
{
    return doca_priv_devinfo_sf_index((const struct doca_devinfo *)(const void *)devinfo_rep,
                                      DOCA_PRIV_KIND_DEVINFO_REP, sf_index, __func__);
}

/* Return the open representor of the function that `devinfo` describes, or NULL. Functions whose
 * PCI address is unknown are distinguished by their VUID. The caller holds the lock. */
static struct doca_dev_rep *doca_priv_rep_find(const struct doca_dev *dev,
                                               const struct doca_devinfo_rep *devinfo)
{
    struct doca_dev_rep *rep = dev->reps;

    while (rep != NULL && !(doca_priv_attr_is_same(&rep->info.info.attr, &devinfo->info.attr) &&
                            doca_priv_str_equal(rep->info.info.attr.vuid, devinfo->info.attr.vuid)))
        rep = rep->next;
    return rep;
}

/* Return the open device that lists the representor of `info`, or NULL. The caller holds the
 * lock. */
static struct doca_dev *doca_priv_rep_dev(const struct doca_devinfo *info)
{
    struct doca_dev *dev = doca_priv_world.devs;

    while (dev != NULL && !(dev->from_pd == NULL && dev->info.backend == info->backend &&
                            dev->info.serial == info->serial && dev->info.attr.rep_filters != 0 &&
                            doca_priv_str_equal(dev->info.attr.pci_addr, info->attr.rep_dev)))
        dev = dev->next;
    return dev;
}

/* Count one more opening of an open representor and return it, or return NULL. *dev receives its
 * device, or NULL when the device is not open. The caller holds the lock. */
static struct doca_dev_rep *doca_priv_rep_reopen(const struct doca_devinfo_rep *devinfo,
                                                 struct doca_dev **dev)
{
    struct doca_dev_rep *rep = NULL;

    *dev = doca_priv_rep_dev(&devinfo->info);
    if (*dev != NULL)
        rep = doca_priv_rep_find(*dev, devinfo);
    if (rep != NULL)
        rep->num_opens++;
    return rep;
}

static void doca_priv_rep_make(struct doca_dev_rep *rep, const struct doca_devinfo_rep *devinfo,
                               struct doca_dev *dev)
{
    doca_priv_object_init(&rep->obj, DOCA_PRIV_KIND_DEV_REP);
    rep->info = *devinfo;
    rep->dev = dev;
    rep->num_opens = 1;
    rep->next = dev->reps;
    dev->reps = rep;
    dev->num_users++;
}

DOCA_CORE_DECL doca_error_t doca_dev_rep_open(struct doca_devinfo_rep *devinfo,
                                              struct doca_dev_rep **dev_rep)
{
    doca_error_t rc = doca_priv_check_args(devinfo, DOCA_PRIV_KIND_DEVINFO_REP, dev_rep, __func__);
    struct doca_dev_rep *rep = NULL;
    struct doca_dev *dev;
    void *block = NULL;

    if (rc != DOCA_SUCCESS)
        return rc;
    doca_priv_lock(&doca_priv_world.lock);
    rep = doca_priv_rep_reopen(devinfo, &dev);
    doca_priv_unlock(&doca_priv_world.lock);
    if (rep == NULL && dev != NULL) { /* see doca_priv_dev_open() */
        rc = doca_priv_object_take(devinfo->info.arena, sizeof(*rep), &block, __func__);
        if (rc != DOCA_SUCCESS)
            return rc;
        doca_priv_lock(&doca_priv_world.lock);
        rep = doca_priv_rep_reopen(devinfo, &dev);
        if (rep == NULL && dev != NULL) {
            rep = (struct doca_dev_rep *)block;
            block = NULL;
            doca_priv_rep_make(rep, devinfo, dev);
        }
        doca_priv_unlock(&doca_priv_world.lock);
        (void)doca_core_arena_give(devinfo->info.arena, block);
    }
    if (rep == NULL)
        return DOCA_PRIV_FAIL(BAD_STATE, REP_DEV_CLOSED, devinfo);
    *dev_rep = rep;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_dev_rep_close(struct doca_dev_rep *dev)
{
    struct doca_dev_rep **link;
    bool last;

    if (!doca_priv_is(dev, DOCA_PRIV_KIND_DEV_REP))
        return DOCA_PRIV_FAIL_HANDLE(dev);
    doca_priv_lock(&doca_priv_world.lock);
    last = --dev->num_opens == 0;
    if (last) {
        for (link = &dev->dev->reps; *link != dev; link = &(*link)->next) {
        }
        *link = dev->next;
        dev->dev->num_users--;
    }
    doca_priv_unlock(&doca_priv_world.lock);
    if (!last)
        return DOCA_SUCCESS;
    doca_priv_object_end(&dev->info.info.obj);
    return doca_priv_object_give(dev->info.info.arena, &dev->obj);
}

DOCA_CORE_DECL struct doca_devinfo_rep *doca_dev_rep_as_devinfo(struct doca_dev_rep *dev_rep)
{
    if (!doca_priv_is(dev_rep, DOCA_PRIV_KIND_DEV_REP)) {
        (void)DOCA_PRIV_FAIL_HANDLE(dev_rep);
        return NULL;
    }
    return &dev_rep->info;
}
