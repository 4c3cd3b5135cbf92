/* ---- >>impl.clock.timestamp ------------------------------------------------------------------
 * Clock objects, timestamps and cross timestamps. Inside, a timestamp is a number of nanoseconds,
 * or of cycles for the cycle counter.                                                           */
#include "compat/clock/timestamp.h"

#include "compat/clock/config.h"
#include "compat/clock/host_priv.h"

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
