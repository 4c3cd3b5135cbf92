/* ---- >>nic_clock ----------------------------------------------------------------------------
 * Clocks of the NIC, for doca_core_clock.h (the API of doca_clock.h) and for programs that know the
 * device's clock. The backend of the device reads them.
 *   software device  free running: CLOCK_MONOTONIC_RAW; real time: CLOCK_TAI (on kernels without
 *                    it, CLOCK_REALTIME)
 *   mlx5             free running: the core clock of the HCA; real time: the same clock, converted
 *                    by the driver
 * Threads: every call of this section may be made from any thread.                              */
#ifndef DOCA_SRC_DEVICE_NIC_CLOCK_H
#define DOCA_SRC_DEVICE_NIC_CLOCK_H

#include "base/config.h"
#include "base/error.h"
#include "base/types.h"
#include "device/device.h"

enum doca_core_nic_clock {
    DOCA_CORE_NIC_CLOCK_FREE_RUNNING = 0, /* counts up from an arbitrary start, and is never set */
    DOCA_CORE_NIC_CLOCK_REAL_TIME = 1,    /* time since 1970, according to the NIC's clock */
    DOCA_CORE_NIC_CLOCK_DPA_TIMER = 2     /* timer of the data path accelerator (DPA) */
};

/* Report whether the device has a clock that doca_core_nic_clock_read() can read.
 *
 *   function  name of the calling function, for the log line of a failure
 *
 * Cost      a look-up
 * Errors    INVALID_VALUE  `devinfo` is not a device info, or `clock` is unknown
 *           NOT_SUPPORTED  the device has no such clock, or its backend is not registered. No
 *                          device has a DPA_TIMER. */
DOCA_CORE_DECL doca_error_t doca_core_nic_clock_cap(const struct doca_devinfo *devinfo,
                                                    enum doca_core_nic_clock clock,
                                                    const char *function);

/* Read a clock of the device.
 *
 *   function  name of the calling function, for the log line of a failure
 *   ns        out: nanoseconds; unchanged when the call fails
 *
 * Cost      software device: a system call; mlx5: a read of a register over PCI, about 1 us
 * Errors    INVALID_VALUE     `dev` is not an open device, `clock` is unknown, or `ns` is NULL
 *           NOT_SUPPORTED     the device has no such clock
 *           DRIVER            mlx5: libibverbs or the driver refused
 *           OPERATING_SYSTEM  software device: the kernel refused */
DOCA_CORE_DECL doca_error_t doca_core_nic_clock_read(struct doca_dev *dev,
                                                     enum doca_core_nic_clock clock,
                                                     const char *function, uint64_t *ns);

#endif
