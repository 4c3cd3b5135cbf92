/* ---- >>mlx5.clock ---------------------------------------------------------------------------
 * Clocks of the NIC. The free running clock is the core clock of the HCA: libmlx5 reads its counter
 * from a page of the device, and this part converts the cycles with the frequency that the device
 * reports. The real time clock is the clock that the kernel's driver keeps for PTP: the driver
 * shares a page with the numbers that convert cycles of the core clock. The host cannot read the
 * DPA timer.                                                                                    */
#include "mlx5/clock_priv.h"

#include "mlx5/config.h"
#include "mlx5/device_priv.h"
#include "mlx5/find_priv.h"
#include "mlx5/platform_priv.h"
#include "mlx5/sys.h"

/* Find out which clocks of the device can be read, by reading them. A device without clocks is not
 * an error, so nothing is logged. */
DOCA_PRIV_DECL void doca_priv_mlx5_find_clock(struct doca_priv_mlx5_caps *caps,
                                              struct ibv_context *context)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    uint64_t cycles = 0, ns = 0, khz = 0;

    if (!caps->is_mlx5 || sys->query_clock == NULL || sys->read_clock == NULL)
        return;
    if (sys->query_clock(context, &khz) != 0 || sys->read_clock(context, &cycles) != 0)
        return;
    caps->clock_khz = khz;
    caps->has_real_time =
        khz != 0 && sys->clock_to_ns != NULL && sys->clock_to_ns(context, cycles, &ns) == 0;
}

/* Convert cycles at `khz` kHz to nanoseconds; `khz` must not be 0. Whole milliseconds and the rest
 * are converted separately, so that the result is right for 584 years. */
DOCA_PRIV_DECL uint64_t doca_priv_mlx5_cycles_to_ns(uint64_t cycles, uint64_t khz)
{
    return cycles / khz * 1000000u + cycles % khz * 1000000u / khz;
}

static bool doca_priv_mlx5_has_clock(const struct doca_priv_mlx5_card *card,
                                     enum doca_core_nic_clock clock)
{
    return clock == DOCA_CORE_NIC_CLOCK_FREE_RUNNING ? card->caps.clock_khz != 0
           : clock == DOCA_CORE_NIC_CLOCK_REAL_TIME  ? card->caps.has_real_time
                                                     : false;
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_clock_cap(const struct doca_core_dev_attr *attr,
                                                     enum doca_core_nic_clock clock)
{
    const struct doca_priv_mlx5_card *card = doca_priv_mlx5_find_card(attr->ibdev_name);

    return card != NULL && doca_priv_mlx5_has_clock(card, clock) ? DOCA_SUCCESS
                                                                 : DOCA_ERROR_NOT_SUPPORTED;
}

DOCA_PRIV_DECL doca_error_t doca_priv_mlx5_clock_read(struct doca_dev *dev,
                                                      enum doca_core_nic_clock clock,
                                                      const char *function, uint64_t *ns)
{
    const struct doca_core_mlx5_sys *sys = doca_priv_mlx5.sys;
    const struct doca_priv_mlx5_dev *d = doca_priv_mlx5_dev_of(dev);
    struct doca_core_refusal why = doca_priv_mlx5_no_refusal();
    uint64_t cycles = 0;
    int error;

    if (!doca_priv_mlx5_has_clock(d->card, clock))
        return DOCA_ERROR_NOT_SUPPORTED;
    why.step = DOCA_PRIV_MLX5_TEXT("read the core clock");
    error = sys->read_clock(d->context, &cycles);
    if (error == 0 && clock == DOCA_CORE_NIC_CLOCK_REAL_TIME) {
        why.step = DOCA_PRIV_MLX5_TEXT("convert the core clock to real time");
        error = sys->clock_to_ns(d->context, cycles, ns);
    }
    if (error != 0)
        return doca_priv_mlx5_report_as(DOCA_ERROR_DRIVER, DOCA_CORE_ITEM_MLX5_CALL, function, dev,
                                        error, &why);
    if (clock == DOCA_CORE_NIC_CLOCK_FREE_RUNNING)
        *ns = doca_priv_mlx5_cycles_to_ns(cycles, d->card->caps.clock_khz);
    return DOCA_SUCCESS;
}
