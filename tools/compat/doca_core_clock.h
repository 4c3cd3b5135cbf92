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
 *   API             >>clock.config >>clock.timestamp
 *   Private         >>priv.clock.platform >>priv.clock.host
 *   Implementation  >>impl.clock.host >>impl.clock.timestamp
 *
 * SOURCE. tools/amalgamate generates this file from the parts in src/compat/clock/. Change the
 * parts.
 */
#ifndef DOCA_CORE_CLOCK_H
#define DOCA_CORE_CLOCK_H

#ifndef DOCA_CORE_H
#include "doca_core.h"
#endif

/* part: src/compat/clock/config.h */
/* ---- >>clock.config --------------------------------------------------------------------------
 * Limits of this header, and the system header that declares struct timespec.                   */

#ifdef DOCA_CORE_FREESTANDING
#error "doca_core_clock.h is for hosted programs"
#endif

#include <time.h>
#ifdef __linux__
#include <sched.h> /* declares struct timespec also in strict C99, where time.h does not */
#endif

/* Number of attempts of a cross timestamp. More attempts take longer, and make it likelier that at
 * least one attempt is not interrupted. Define it before the include, in the file with the
 * implementation. */
#ifndef DOCA_CORE_CLOCK_TRIES
#define DOCA_CORE_CLOCK_TRIES 8
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* part: src/compat/clock/timestamp.h */
/* ---- >>clock.timestamp -----------------------------------------------------------------------
 * Clock objects, timestamps and cross timestamps.
 * Source: the vendor's sample clock_cross_timestamp (3.2).                                      */

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

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_CLOCK_H */

#if defined(DOCA_CORE_CLOCK_IMPLEMENTATION) && !defined(DOCA_PRIV_CLOCK_IMPLEMENTED)
#define DOCA_PRIV_CLOCK_IMPLEMENTED

#ifndef DOCA_PRIV_DECL
#define DOCA_PRIV_DECL static
#endif

/* part: src/compat/clock/platform_priv.h */
/* ---- >>priv.clock.platform -------------------------------------------------------------------
 * System headers, and declarations that these headers leave out when the program asks for standard
 * C only.                                                                                        */

#include <errno.h>

/* Identifiers of the host's clocks for clock_gettime(); -1: the platform has no such clock. Linux
 * never changes its numbers. */
#ifdef __linux__
#if !defined(CLOCK_MONOTONIC) && !defined(__cplusplus)
int clock_gettime(int id, struct timespec *now);
#endif
#define DOCA_PRIV_CLOCK_ID_REAL_TIME 0
#define DOCA_PRIV_CLOCK_ID_MONOTONIC 1
#define DOCA_PRIV_CLOCK_ID_MONOTONIC_RAW 4
#else
#define DOCA_PRIV_CLOCK_ID_REAL_TIME CLOCK_REALTIME
#define DOCA_PRIV_CLOCK_ID_MONOTONIC CLOCK_MONOTONIC
#ifdef CLOCK_MONOTONIC_RAW
#define DOCA_PRIV_CLOCK_ID_MONOTONIC_RAW CLOCK_MONOTONIC_RAW
#else
#define DOCA_PRIV_CLOCK_ID_MONOTONIC_RAW (-1)
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* part: src/compat/clock/host_priv.h */
/* ---- >>priv.clock.host -----------------------------------------------------------------------
 * Declarations of >>impl.clock.host for other parts.                                            */

#define DOCA_PRIV_CLOCK_SECOND 1000000000u /* nanoseconds */

/* Record and log a failure of a call of the program. Returns the error code. */
#define DOCA_PRIV_CLOCK_FAIL(code, item, function, object)                                         \
    doca_core_backend_fail(DOCA_ERROR_##code, DOCA_CORE_ITEM_##item, function, object, 0)

DOCA_PRIV_DECL doca_error_t doca_priv_clock_host_read(uint64_t clock_type, const char *function,
                                                      uint64_t *value);

/* part: src/compat/clock/host.c */
/* ---- >>impl.clock.host -----------------------------------------------------------------------
 * Clocks of the host: the cycle counter of the CPU, and clocks of the operating system.         */

/* Read the cycle counter. The fence keeps the CPU from reading the counter before it has executed
 * all earlier instructions, and, on x86, later instructions from passing the reading. */
#if defined(__GNUC__) && (defined(__x86_64__) || (defined(__i386__) && defined(__SSE2__)))
#define DOCA_PRIV_CLOCK_HAS_COUNTER 1
static uint64_t doca_priv_clock_counter(void)
{
    uint32_t low, high;

    __asm__ __volatile__("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}
#elif defined(__GNUC__) && defined(__aarch64__)
#define DOCA_PRIV_CLOCK_HAS_COUNTER 1
static uint64_t doca_priv_clock_counter(void)
{
    uint64_t cycles;

    __asm__ __volatile__("isb\n\tmrs %0, cntvct_el0\n\tisb" : "=r"(cycles) : : "memory");
    return cycles;
}
#else
#define DOCA_PRIV_CLOCK_HAS_COUNTER 0
static uint64_t doca_priv_clock_counter(void)
{
    return 0;
}
#endif

/* Read a clock of the operating system, in nanoseconds. */
static doca_error_t doca_priv_clock_system_read(int id, const char *function, uint64_t *value)
{
    struct doca_core_refusal why = { NULL, NULL, NULL, 0, 0, 0, 0 };
    struct timespec now;

    if (id < 0)
        return DOCA_PRIV_CLOCK_FAIL(NOT_SUPPORTED, CLOCK_NO_HOST, function, NULL);
    errno = 0;
    if (clock_gettime(id, &now) != 0) {
        why.step = "read the clock (clock_gettime)";
        why.error = errno;
        return doca_core_backend_refuse(DOCA_ERROR_OPERATING_SYSTEM, DOCA_CORE_ITEM_CLOCK_SYSTEM,
                                        function, NULL, &why);
    }
    *value = (uint64_t)now.tv_sec * DOCA_PRIV_CLOCK_SECOND + (uint64_t)now.tv_nsec;
    return DOCA_SUCCESS;
}

/* Read a clock of the host: cycles of the counter, or nanoseconds. `clock_type` is known to be one
 * DOCA_CLOCK_HOST_*. */
DOCA_PRIV_DECL doca_error_t doca_priv_clock_host_read(uint64_t clock_type, const char *function,
                                                      uint64_t *value)
{
    if (clock_type == DOCA_CLOCK_HOST_COUNTER_CYCLES) {
        if (!DOCA_PRIV_CLOCK_HAS_COUNTER)
            return DOCA_PRIV_CLOCK_FAIL(NOT_SUPPORTED, CLOCK_NO_COUNTER, function, NULL);
        *value = doca_priv_clock_counter();
        return DOCA_SUCCESS;
    }
    return doca_priv_clock_system_read(
        clock_type == DOCA_CLOCK_HOST_MONOTONIC       ? DOCA_PRIV_CLOCK_ID_MONOTONIC
        : clock_type == DOCA_CLOCK_HOST_MONOTONIC_RAW ? DOCA_PRIV_CLOCK_ID_MONOTONIC_RAW
                                                      : DOCA_PRIV_CLOCK_ID_REAL_TIME,
        function, value);
}

/* part: src/compat/clock/timestamp.c */
/* ---- >>impl.clock.timestamp ------------------------------------------------------------------
 * Clock objects, timestamps and cross timestamps. Inside, a timestamp is a number of nanoseconds,
 * or of cycles for the cycle counter.                                                           */

/* First word of a clock object. destroy sets it to 0. */
#define DOCA_PRIV_CLOCK_GUARD 0x6b6c6364u

#define DOCA_PRIV_CLOCK_OF_HOST                                                                    \
    (DOCA_CLOCK_HOST_COUNTER_CYCLES | DOCA_CLOCK_HOST_MONOTONIC | DOCA_CLOCK_HOST_MONOTONIC_RAW |  \
     DOCA_CLOCK_HOST_REAL_TIME)
#define DOCA_PRIV_CLOCK_OF_NIC                                                                     \
    (DOCA_CLOCK_NIC_FREE_RUNNING | DOCA_CLOCK_NIC_REAL_TIME | DOCA_CLOCK_NIC_DPA_TIMER)

DOCA_CORE_DECL doca_error_t doca_core_bytes_clock(size_t *bytes)
{
    if (bytes == NULL)
        return DOCA_PRIV_CLOCK_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__, NULL);
    *bytes = DOCA_CORE_BYTES_CLOCK(1);
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t
doca_clock_cap_nic_free_running_is_supported(const struct doca_devinfo *devinfo)
{
    return doca_core_nic_clock_cap(devinfo, DOCA_CORE_NIC_CLOCK_FREE_RUNNING, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_clock_cap_nic_real_time_is_supported(const struct doca_devinfo *devinfo)
{
    return doca_core_nic_clock_cap(devinfo, DOCA_CORE_NIC_CLOCK_REAL_TIME, __func__);
}

DOCA_CORE_DECL doca_error_t
doca_clock_cap_nic_dpa_timer_is_supported(const struct doca_devinfo *devinfo)
{
    return doca_core_nic_clock_cap(devinfo, DOCA_CORE_NIC_CLOCK_DPA_TIMER, __func__);
}

/* Create a clock object in `arena`, or in the arena of the device when `arena` is NULL. */
static doca_error_t doca_priv_clock_make(struct doca_core_arena *arena, struct doca_dev *dev,
                                         struct doca_clock **clock, const char *function)
{
    struct doca_clock *made;
    void *block = NULL;
    doca_error_t rc;

    if (dev != NULL && !doca_core_backend_hold_dev(dev, function))
        return DOCA_ERROR_INVALID_VALUE;
    if (arena == NULL && dev != NULL)
        arena = dev->info.arena;
    rc = doca_core_arena_take(arena, sizeof(*made), &block);
    if (rc != DOCA_SUCCESS) {
        if (dev != NULL)
            doca_core_backend_drop_dev(dev);
        return rc;
    }
    made = (struct doca_clock *)block;
    made->guard = DOCA_PRIV_CLOCK_GUARD;
    made->arena = arena;
    made->dev = dev;
    *clock = made;
    return DOCA_SUCCESS;
}

DOCA_CORE_DECL doca_error_t doca_core_clock_create_in(struct doca_core_arena *arena,
                                                      struct doca_dev *dev,
                                                      struct doca_clock **clock)
{
    if (arena == NULL || clock == NULL)
        return DOCA_PRIV_CLOCK_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__, NULL);
    return doca_priv_clock_make(arena, dev, clock, __func__);
}

DOCA_CORE_DECL doca_error_t doca_clock_create(struct doca_dev *dev, struct doca_clock **clock)
{
    if (clock == NULL)
        return DOCA_PRIV_CLOCK_FAIL(INVALID_VALUE, NULL_ARGUMENT, __func__, NULL);
    return doca_priv_clock_make(dev == NULL ? doca_core_arena_bound() : NULL, dev, clock, __func__);
}

/* Check the handle of a clock object, and that an output is not NULL. */
static doca_error_t doca_priv_clock_check(const struct doca_clock *clock, const void *output,
                                          const char *function)
{
    if (clock == NULL || output == NULL)
        return DOCA_PRIV_CLOCK_FAIL(INVALID_VALUE, NULL_ARGUMENT, function, NULL);
    return clock->guard == DOCA_PRIV_CLOCK_GUARD
               ? DOCA_SUCCESS
               : DOCA_PRIV_CLOCK_FAIL(INVALID_VALUE, DEAD_HANDLE, function, NULL);
}

DOCA_CORE_DECL doca_error_t doca_clock_destroy(struct doca_clock *clock)
{
    if (clock == NULL)
        return DOCA_SUCCESS;
    if (clock->guard != DOCA_PRIV_CLOCK_GUARD)
        return DOCA_PRIV_CLOCK_FAIL(INVALID_VALUE, DEAD_HANDLE, __func__, NULL);
    clock->guard = 0;
    if (clock->dev != NULL)
        doca_core_backend_drop_dev(clock->dev);
    return doca_core_arena_give(clock->arena, clock);
}

/* Check that exactly one known clock is given. The log line names the device, if there is one. */
static doca_error_t doca_priv_clock_check_type(const struct doca_clock *clock, uint64_t type,
                                               const char *function)
{
    const uint64_t all = DOCA_PRIV_CLOCK_OF_HOST | DOCA_PRIV_CLOCK_OF_NIC;

    return type != 0 && (type & (type - 1)) == 0 && (type & all) != 0
               ? DOCA_SUCCESS
               : DOCA_PRIV_CLOCK_FAIL(INVALID_VALUE, CLOCK_UNKNOWN, function, clock->dev);
}

/* Read a clock whose type was checked: nanoseconds, or cycles of the counter. */
static doca_error_t doca_priv_clock_read(const struct doca_clock *clock, uint64_t type,
                                         const char *function, uint64_t *value)
{
    if ((type & DOCA_PRIV_CLOCK_OF_HOST) != 0)
        return doca_priv_clock_host_read(type, function, value);
    if (clock->dev == NULL)
        return DOCA_PRIV_CLOCK_FAIL(NOT_SUPPORTED, CLOCK_NO_DEV, function, NULL);
    return doca_core_nic_clock_read(
        clock->dev,
        type == DOCA_CLOCK_NIC_FREE_RUNNING ? DOCA_CORE_NIC_CLOCK_FREE_RUNNING
        : type == DOCA_CLOCK_NIC_REAL_TIME  ? DOCA_CORE_NIC_CLOCK_REAL_TIME
                                            : DOCA_CORE_NIC_CLOCK_DPA_TIMER,
        function, value);
}

/* Write a value in the form that the program receives. */
static void doca_priv_clock_put(uint64_t type, uint64_t value, union doca_clock_timespec_t *ts)
{
    if (type == DOCA_CLOCK_HOST_COUNTER_CYCLES) {
        ts->counter = value;
        return;
    }
    ts->ts.tv_sec = (time_t)(value / DOCA_PRIV_CLOCK_SECOND);
    ts->ts.tv_nsec = (long)(value % DOCA_PRIV_CLOCK_SECOND);
}

DOCA_CORE_DECL doca_error_t doca_clock_get_timestamp(const struct doca_clock *clock,
                                                     uint64_t clock_type,
                                                     union doca_clock_timespec_t *ts)
{
    doca_error_t rc = doca_priv_clock_check(clock, ts, __func__);
    uint64_t value = 0;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_clock_check_type(clock, clock_type, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_clock_read(clock, clock_type, __func__, &value);
    if (rc == DOCA_SUCCESS)
        doca_priv_clock_put(clock_type, value, ts);
    return rc;
}

/* The three readings of one attempt of a cross timestamp. */
struct doca_priv_clock_pair {
    uint64_t before; /* the primary clock before the NIC's clock was read */
    uint64_t nic;
    uint64_t after; /* the primary clock afterwards */
};

static doca_error_t doca_priv_clock_try(const struct doca_clock *clock, uint64_t primary_type,
                                        uint64_t nic_type, const char *function,
                                        struct doca_priv_clock_pair *pair)
{
    doca_error_t rc = doca_priv_clock_read(clock, primary_type, function, &pair->before);

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_clock_read(clock, nic_type, function, &pair->nic);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_clock_read(clock, primary_type, function, &pair->after);
    return rc;
}

/* Make DOCA_CORE_CLOCK_TRIES attempts, and keep the one with the closest readings of the primary
 * clock. An attempt during which that clock went back does not count. */
static doca_error_t doca_priv_clock_best(const struct doca_clock *clock, uint64_t primary_type,
                                         uint64_t nic_type, const char *function,
                                         struct doca_priv_clock_pair *best)
{
    struct doca_priv_clock_pair pair = { 0, 0, 0 };
    bool has_best = false;
    doca_error_t rc;
    int i;

    for (i = 0; i < DOCA_CORE_CLOCK_TRIES; i++) {
        rc = doca_priv_clock_try(clock, primary_type, nic_type, function, &pair);
        if (rc != DOCA_SUCCESS)
            return rc;
        if (pair.after >= pair.before &&
            (!has_best || pair.after - pair.before < best->after - best->before)) {
            *best = pair;
            has_best = true;
        }
    }
    return has_best ? DOCA_SUCCESS
                    : DOCA_PRIV_CLOCK_FAIL(AGAIN, CLOCK_WENT_BACK, function, clock->dev);
}

DOCA_CORE_DECL doca_error_t doca_clock_get_crosstimestamp(const struct doca_clock *clock,
                                                          uint64_t primary_type, uint64_t nic_type,
                                                          union doca_clock_timespec_t *primary_ts,
                                                          union doca_clock_timespec_t *nic_ts,
                                                          uint64_t *accuracy)
{
    const void *outputs = primary_ts != NULL && nic_ts != NULL ? accuracy : NULL;
    doca_error_t rc = doca_priv_clock_check(clock, outputs, __func__);
    struct doca_priv_clock_pair best = { 0, 0, 0 };
    uint64_t half;

    if (rc == DOCA_SUCCESS)
        rc = doca_priv_clock_check_type(clock, primary_type, __func__);
    if (rc == DOCA_SUCCESS)
        rc = doca_priv_clock_check_type(clock, nic_type, __func__);
    if (rc != DOCA_SUCCESS)
        return rc;
    if ((nic_type & DOCA_PRIV_CLOCK_OF_NIC) == 0)
        return DOCA_PRIV_CLOCK_FAIL(INVALID_VALUE, CLOCK_NOT_NIC, __func__, clock->dev);
    rc = doca_priv_clock_best(clock, primary_type, nic_type, __func__, &best);
    if (rc != DOCA_SUCCESS)
        return rc;
    half = (best.after - best.before) / 2;
    doca_priv_clock_put(primary_type, best.before + half, primary_ts);
    doca_priv_clock_put(nic_type, best.nic, nic_ts);
    /* The second reading may have been almost a unit later than its number. */
    *accuracy = best.after - (best.before + half) + 1;
    return DOCA_SUCCESS;
}

#ifdef __cplusplus
}
#endif

#endif /* DOCA_CORE_CLOCK_IMPLEMENTATION */
