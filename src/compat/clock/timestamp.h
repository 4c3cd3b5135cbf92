/* ---- >>clock.timestamp -----------------------------------------------------------------------
 * Clock objects, timestamps and cross timestamps.
 * Source: the vendor's sample clock_cross_timestamp (3.2).                                      */
#ifndef DOCA_SRC_COMPAT_CLOCK_TIMESTAMP_H
#define DOCA_SRC_COMPAT_CLOCK_TIMESTAMP_H

#include "compat/clock/config.h"

/* The clocks. A program passes exactly one of them. It may combine several to a mask for its own
 * tests; no clock has the value 0. The values are assumed. */
#define DOCA_CLOCK_HOST_COUNTER_CYCLES ((uint64_t)1 << 0)
#define DOCA_CLOCK_HOST_MONOTONIC ((uint64_t)1 << 1)
#define DOCA_CLOCK_HOST_MONOTONIC_RAW ((uint64_t)1 << 2)
#define DOCA_CLOCK_HOST_REAL_TIME ((uint64_t)1 << 3)
#define DOCA_CLOCK_NIC_FREE_RUNNING ((uint64_t)1 << 4)
#define DOCA_CLOCK_NIC_REAL_TIME ((uint64_t)1 << 5)
#define DOCA_CLOCK_NIC_DPA_TIMER ((uint64_t)1 << 6)

/* A timestamp. For DOCA_CLOCK_HOST_COUNTER_CYCLES the member is `counter`, in cycles. For all other
 * clocks it is `ts`, in seconds and nanoseconds. */
union doca_clock_timespec_t {
    struct timespec ts;
    uint64_t counter;
};

/* The members are private. */
struct doca_clock {
    uint32_t guard;
    struct doca_core_arena *arena;
    struct doca_dev *dev; /* device whose clocks can be read; NULL: only clocks of the host */
};

/* Arena bytes of `n` clock objects. */
#define DOCA_CORE_BYTES_CLOCK(n) ((size_t)(n) * DOCA_CORE_BYTES_BLOCK(sizeof(struct doca_clock)))

/* Get the arena bytes of one clock object.
 *
 * Errors    INVALID_VALUE  `bytes` is NULL */
DOCA_CORE_DECL doca_error_t doca_core_bytes_clock(size_t *bytes);

/* Report whether the device has a clock that can be read: the free running clock, the real time
 * clock, or the DPA timer.
 *
 * Threads   any
 * Cost      a look-up
 * Errors    INVALID_VALUE  `devinfo` is not a device info
 *           NOT_SUPPORTED  the device has no such clock, or its backend is not registered; the DPA
 *                          timer: always */
DOCA_CORE_DECL doca_error_t
doca_clock_cap_nic_free_running_is_supported(const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t
doca_clock_cap_nic_real_time_is_supported(const struct doca_devinfo *devinfo);
DOCA_CORE_DECL doca_error_t
doca_clock_cap_nic_dpa_timer_is_supported(const struct doca_devinfo *devinfo);

/* Create a clock object.
 *
 *   dev    an open device, or NULL. With a device, the object can read the clocks of the device as
 *          well as those of the host, and doca_dev_close() fails until the object is destroyed.
 *   clock  out: the object; unchanged when the call fails
 *
 * Owns      one block of an arena, until doca_clock_destroy(): of the arena of the device, or of
 *           the bound arena when `dev` is NULL. doca_core_clock_create_in() takes the block from
 *           `arena`.
 * Threads   any
 * Errors    INVALID_VALUE  `clock` or `arena` is NULL, or `dev` is neither NULL nor an open device
 *           NO_MEMORY      the arena is exhausted */
DOCA_CORE_DECL doca_error_t doca_clock_create(struct doca_dev *dev, struct doca_clock **clock);
DOCA_CORE_DECL doca_error_t doca_core_clock_create_in(struct doca_core_arena *arena,
                                                      struct doca_dev *dev,
                                                      struct doca_clock **clock);

/* Destroy a clock object.
 *
 *   clock  NULL is accepted: the call does nothing and returns SUCCESS
 *
 * Errors    INVALID_VALUE  `clock` is not a clock object */
DOCA_CORE_DECL doca_error_t doca_clock_destroy(struct doca_clock *clock);

/* Read a clock.
 *
 *   clock_type  one DOCA_CLOCK_*
 *   ts          out: the timestamp, in the member of the clock; unchanged when the call fails
 *
 * Threads   any; several threads may use one object
 * Cost      clock of the host: some ten nanoseconds; of the NIC: see doca_core_nic_clock_read()
 * Errors    INVALID_VALUE     `clock` or `ts` is NULL, `clock` is not a clock object, or
 *                             `clock_type` is not exactly one clock
 *           NOT_SUPPORTED     the processor or the platform has no such clock; or a clock of the
 *                             NIC: the object has no device, or the device has no such clock
 *           OPERATING_SYSTEM  the operating system refused
 *           DRIVER            the device's driver refused */
DOCA_CORE_DECL doca_error_t doca_clock_get_timestamp(const struct doca_clock *clock,
                                                     uint64_t clock_type,
                                                     union doca_clock_timespec_t *ts);

/* Read two clocks as close together as possible.
 *
 *   primary_type  one DOCA_CLOCK_*, of the host or of the NIC
 *   nic_type      one DOCA_CLOCK_NIC_*
 *   primary_ts, nic_ts  out: the timestamps; unchanged when the call fails, as is `accuracy`
 *   accuracy      out: at the moment of *nic_ts the primary clock differed from *primary_ts by at
 *                 most this much, provided that no one set the primary clock meanwhile. In cycles
 *                 for DOCA_CLOCK_HOST_COUNTER_CYCLES, otherwise in nanoseconds; at least 1. If the
 *                 primary clock advances by steps of more than one unit, the difference can be
 *                 larger by the size of a step: *accuracy does not contain it.
 *
 * Threads   any; several threads may use one object
 * Cost      DOCA_CORE_CLOCK_TRIES readings of the NIC's clock, and twice as many readings of the
 *           primary clock
 * Errors    as doca_clock_get_timestamp(), for each of the two clocks, and
 *           INVALID_VALUE  also: an output is NULL, or `nic_type` is a clock of the host
 *           AGAIN          the primary clock went back during each attempt */
DOCA_CORE_DECL doca_error_t doca_clock_get_crosstimestamp(const struct doca_clock *clock,
                                                          uint64_t primary_type, uint64_t nic_type,
                                                          union doca_clock_timespec_t *primary_ts,
                                                          union doca_clock_timespec_t *nic_ts,
                                                          uint64_t *accuracy);

#endif
