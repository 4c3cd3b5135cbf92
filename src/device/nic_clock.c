/* ---- >>impl.nic_clock -----------------------------------------------------------------------
 * Clocks of the NIC: checks the arguments and asks the backend.                                 */
#include "device/nic_clock.h"

#include "base/config.h"
#include "base/error.h"
#include "base/log.h"
#include "base/platform_priv.h"
#include "object/hot.h"
#include "object/log_priv.h"
#include "object/object_priv.h"
#include "device/backend.h"
#include "device/device.h"
#include "device/devinfo_priv.h"

/* Report a clock that a device lacks. */
static doca_error_t doca_priv_nic_clock_absent(enum doca_core_nic_clock clock, const char *function,
                                               const void *object)
{
    return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED,
                          clock == DOCA_CORE_NIC_CLOCK_DPA_TIMER ? DOCA_CORE_ITEM_CLOCK_DPA
                                                                 : DOCA_CORE_ITEM_DEV_NO_CLOCK,
                          function, object);
}

DOCA_CORE_DECL doca_error_t doca_core_nic_clock_cap(const struct doca_devinfo *devinfo,
                                                    enum doca_core_nic_clock clock,
                                                    const char *function)
{
    doca_error_t (*cap)(const struct doca_core_dev_attr *, enum doca_core_nic_clock) = NULL;
    bool is_registered;

    if (!doca_priv_is(devinfo, DOCA_PRIV_KIND_DEVINFO))
        return doca_priv_fail_handle(devinfo, function);
    if ((unsigned)clock > DOCA_CORE_NIC_CLOCK_DPA_TIMER)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_CLOCK_UNKNOWN, function,
                              devinfo);
    doca_priv_lock(&doca_priv_world.lock);
    is_registered = devinfo->backend->serial == devinfo->serial;
    if (is_registered)
        cap = devinfo->backend->clock_cap;
    doca_priv_unlock(&doca_priv_world.lock);
    if (!is_registered)
        return doca_priv_fail(DOCA_ERROR_NOT_SUPPORTED, DOCA_CORE_ITEM_BACKEND_UNKNOWN, function,
                              devinfo);
    return cap != NULL && cap(&devinfo->attr, clock) == DOCA_SUCCESS
               ? DOCA_SUCCESS
               : doca_priv_nic_clock_absent(clock, function, devinfo);
}

DOCA_CORE_DECL doca_error_t doca_core_nic_clock_read(struct doca_dev *dev,
                                                     enum doca_core_nic_clock clock,
                                                     const char *function, uint64_t *ns)
{
    doca_error_t rc = doca_priv_check_args(dev, DOCA_PRIV_KIND_DEV, ns, function);
    uint64_t value = 0;

    if (rc != DOCA_SUCCESS)
        return rc;
    if ((unsigned)clock > DOCA_CORE_NIC_CLOCK_DPA_TIMER)
        return doca_priv_fail(DOCA_ERROR_INVALID_VALUE, DOCA_CORE_ITEM_CLOCK_UNKNOWN, function,
                              dev);
    if (dev->backend->clock_read == NULL)
        return doca_priv_nic_clock_absent(clock, function, dev);
    doca_priv_listen();
    rc = dev->backend->clock_read(dev, clock, function, &value);
    if (rc == DOCA_ERROR_NOT_SUPPORTED && !doca_priv_last.is_backends)
        return doca_priv_nic_clock_absent(clock, function, dev);
    if (rc != DOCA_SUCCESS)
        return doca_priv_refused(rc, function, dev);
    *ns = value;
    return DOCA_SUCCESS;
}
