/* doca_core_clock.h - the API of DOCA Clock (doca_clock.h, since 3.2), for use with doca_core.h
 *
 * DOCA Clock reads clocks of the host and of a NIC, and reads two of them as close together as
 * possible (a cross timestamp), so that a program can convert times of one clock to the other.
 *
 * DO THIS in one C (or C++) file, and include the header without the macro everywhere else:
 *
 *     #define DOCA_CORE_CLOCK_IMPLEMENTATION
 *     #include "doca_core_clock.h"
 *
 * A PROGRAM makes these calls, in this order:
 *
 *     doca_clock_create(dev, &clock);
 *     doca_clock_get_timestamp(clock, DOCA_CLOCK_HOST_MONOTONIC, &time);
 *     doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_HOST_MONOTONIC, DOCA_CLOCK_NIC_REAL_TIME,
 *                                   &time, &nic_time, &accuracy);
 *     doca_clock_destroy(clock);
 *
 * CLOCKS
 *     HOST_COUNTER_CYCLES  cycle counter of the CPU, in cycles: TSC on x86, CNTVCT_EL0 on AArch64
 *     HOST_MONOTONIC       CLOCK_MONOTONIC
 *     HOST_MONOTONIC_RAW   CLOCK_MONOTONIC_RAW
 *     HOST_REAL_TIME       CLOCK_REALTIME
 *     NIC_FREE_RUNNING     counts up, and is never set. Software device: CLOCK_MONOTONIC_RAW. mlx5:
 *                          the core clock of the HCA, converted to seconds and nanoseconds with
 *                          the frequency that the device reports.
 *     NIC_REAL_TIME        Software device: CLOCK_TAI (CLOCK_REALTIME before Linux 3.10). mlx5: the
 *                          core clock, as the kernel's driver converts it to its PTP clock.
 *     NIC_DPA_TIMER        NOT_SUPPORTED: only programs on the DPA can read this timer
 *
 * ACCURACY. A cross timestamp reads the primary clock, the clock of the NIC, and the primary clock
 * again. It does so DOCA_CORE_CLOCK_TRIES times, and returns the attempt in which the two readings
 * of the primary clock are closest. The time of the primary clock is the middle between the two
 * readings. `accuracy` is a bound: at the moment of the NIC's timestamp, the primary clock differed
 * from the returned time by at most that much. It is never 0, because readings are whole units.
 *
 * MEMORY. The code of this header makes no heap call. A clock is one block of an arena: of the
 * arena of its device, of the bound arena if it has no device, or of the argument of
 * doca_core_clock_create_in().
 *
 * THREADS. Any number of threads may read through the same clock object at the same time. Create
 * and destroy may be called by any thread, but not while another one uses the object.
 *
 * PLATFORM. The program must be hosted and have clock_gettime(). For a clock that the platform does
 * not have, the calls return NOT_SUPPORTED.
 *
 * ERRORS are reported as in doca_core.h, including doca_core_last_error().
 *
 * Assumed, because the vendor's documents do not say: the values of the constants; that `dev`, and
 * the argument of destroy, may be NULL; that the primary clock may be a clock of the NIC; all error
 * codes; that the accuracy is a bound in both directions; and that a device cannot be closed while
 * a clock object uses it.
 * Source: the vendor's sample clock_cross_timestamp: the names, the signatures, the members of
 * the union, and that accuracy is in cycles for the cycle counter and in nanoseconds otherwise.
 *
 * CONTENTS (search for the tag)
 * amalgamate: contents
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/compat/clock/. Change the
 * parts.
 */
