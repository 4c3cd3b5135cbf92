/* ---- >>impl.sw.clock ------------------------------------------------------------------------
 * Clocks of the software device. All devices have the same two clocks, which the kernel keeps. The
 * free running clock is CLOCK_MONOTONIC_RAW, because no program can set or slew that clock. The
 * real time clock is CLOCK_TAI, because PTP daemons set NICs to TAI.                            */
#include "sw/clock_priv.h"

#include "base/clock_priv.h"
#include "base/error.h"
#include "base/log.h"
#include "base/system_priv.h"
#include "device/backend.h"
#include "device/device.h"

DOCA_PRIV_DECL doca_error_t doca_priv_sw_clock_cap(const struct doca_core_dev_attr *attr,
                                                   enum doca_core_nic_clock clock)
{
    (void)attr;
    return doca_priv_sys_has_clock && clock != DOCA_CORE_NIC_CLOCK_DPA_TIMER
               ? DOCA_SUCCESS
               : DOCA_ERROR_NOT_SUPPORTED;
}

DOCA_PRIV_DECL doca_error_t doca_priv_sw_clock_read(struct doca_dev *dev,
                                                    enum doca_core_nic_clock clock,
                                                    const char *function, uint64_t *ns)
{
    struct doca_core_refusal why = { NULL, NULL, NULL, 0, 0, 0, 0 };
    const bool is_free = clock == DOCA_CORE_NIC_CLOCK_FREE_RUNNING;

    if (doca_priv_sw_clock_cap(&dev->info.attr, clock) != DOCA_SUCCESS)
        return DOCA_ERROR_NOT_SUPPORTED;
    if (doca_priv_sys_clock(is_free ? DOCA_PRIV_CLOCK_MONOTONIC_RAW : DOCA_PRIV_CLOCK_TAI, ns))
        return DOCA_SUCCESS;
    /* kernels before 3.10 have no CLOCK_TAI */
    if (!is_free && doca_priv_sys_clock(DOCA_PRIV_CLOCK_REALTIME, ns))
        return DOCA_SUCCESS;
    why.step = DOCA_PRIV_LOG_TEXT("read its clock (clock_gettime)");
    why.error = doca_priv_sys_errno();
    return doca_core_backend_refuse(DOCA_ERROR_OPERATING_SYSTEM, DOCA_CORE_ITEM_CLOCK_SYSTEM,
                                    function, dev, &why);
}
