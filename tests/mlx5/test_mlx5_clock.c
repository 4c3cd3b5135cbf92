/* Clocks of RDMA devices: the free running clock and the real time clock of the device, and what
 * happens when libibverbs or the driver refuses them. */
#include "mlx5_rig.h"

#define DOCA_CORE_CLOCK_IMPLEMENTATION
#include "tools/compat/doca_core_clock.h"

#include <errno.h>

#define SECOND UINT64_C(1000000000)

static const uint64_t nic_clocks[] = { DOCA_CLOCK_NIC_FREE_RUNNING, DOCA_CLOCK_NIC_REAL_TIME };

static struct { /* results of the calls that a case replaces */
    uint64_t khz, cycles, ns;
    int query_error, read_error, convert_error;
} replaced;

static int replaced_query(struct ibv_context *context, uint64_t *khz)
{
    (void)context;
    *khz = replaced.khz;
    return replaced.query_error;
}

static int replaced_read(struct ibv_context *context, uint64_t *cycles)
{
    (void)context;
    *cycles = replaced.cycles;
    return replaced.read_error;
}

static int replaced_convert(struct ibv_context *context, uint64_t cycles, uint64_t *ns)
{
    (void)context;
    CHECK_EQ(cycles, replaced.cycles);
    *ns = replaced.ns;
    return replaced.convert_error;
}

/* The backend uses this table until it gets another one, even after the case. */
static struct doca_core_mlx5_sys sys;

static void replace_sys(void)
{
    sys = *mlx5_trap_sys();
    memset(&replaced, 0, sizeof(replaced));
    replaced.khz = 1000000;
    sys.query_clock = replaced_query;
    sys.read_clock = replaced_read;
    sys.clock_to_ns = replaced_convert;
}

/* Open the first device, whose calls go through `calls`. The clock object uses it. */
static struct doca_dev *open_with(const struct doca_core_mlx5_sys *calls, struct doca_clock **clock)
{
    struct doca_dev *dev;

    (void)mlx5_show(DOCA_CORE_MLX5_ENGINE_AUTO, calls);
    dev = mlx5_open(0);
    CHECK_OK(doca_clock_create(dev, clock));
    return dev;
}

static void close_both(struct doca_dev *dev, struct doca_clock *clock)
{
    CHECK_RC(doca_dev_close(dev), DOCA_ERROR_IN_USE);
    CHECK_OK(doca_clock_destroy(clock));
    CHECK_OK(doca_dev_close(dev));
}

static uint64_t number(const union doca_clock_timespec_t *ts)
{
    return (uint64_t)ts->ts.tv_sec * SECOND + (uint64_t)ts->ts.tv_nsec;
}

static uint64_t read_clock(const struct doca_clock *clock, uint64_t type)
{
    union doca_clock_timespec_t ts;

    CHECK_OK(doca_clock_get_timestamp(clock, type, &ts));
    CHECK(ts.ts.tv_nsec >= 0 && ts.ts.tv_nsec < (long)SECOND);
    return number(&ts);
}

#define FAILS(call, code, item)                                                                    \
    do {                                                                                           \
        unsigned lines_before = test_log_lines;                                                    \
        CHECK_RC(call, DOCA_ERROR_##code);                                                         \
        CHECK_EQ(test_log_lines, lines_before + 1);                                                \
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_##item);                                            \
    } while (0)

/* Skip the case on a device whose core clock this machine cannot read. */
static void need_clocks(struct doca_dev *dev, struct doca_clock *clock)
{
    const struct doca_devinfo *info = doca_dev_as_devinfo(dev);

    if (doca_clock_cap_nic_free_running_is_supported(info) == DOCA_SUCCESS &&
        doca_clock_cap_nic_real_time_is_supported(info) == DOCA_SUCCESS)
        return;
    close_both(dev, clock);
    test_skip("the device has no core clock that can be read");
}

static void clocks_advance_like_those_of_the_host(void)
{
    struct doca_clock *clock;
    struct doca_dev *dev = open_with(mlx5_trap_sys(), &clock);
    union doca_clock_timespec_t host[2], nic[2];
    uint64_t accuracy[2], host_ns, nic_ns, slack;
    unsigned i, k;

    need_clocks(dev, clock);
    for (i = 0; i < 2; i++) {
        for (k = 0; k < 2; k++) {
            CHECK_OK(doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_HOST_MONOTONIC, nic_clocks[i],
                                                   &host[k], &nic[k], &accuracy[k]));
            usleep(50000);
        }
        host_ns = number(&host[1]) - number(&host[0]);
        nic_ns = number(&nic[1]) - number(&nic[0]);
        /* the emulated clock advances in steps of 1 us; crystals differ by some ppm */
        slack = accuracy[0] + accuracy[1] + 2000 + host_ns / 1000;
        CHECK(host_ns > 49000000);
        CHECK(nic_ns <= host_ns + slack && nic_ns + slack >= host_ns);
    }
    close_both(dev, clock);
}

static void timestamps_never_go_back(void)
{
    struct doca_clock *clock;
    struct doca_dev *dev = open_with(mlx5_trap_sys(), &clock);
    uint64_t last = 0, now;
    unsigned i;

    need_clocks(dev, clock);
    for (i = 0; i < 200; i++) {
        now = read_clock(clock, DOCA_CLOCK_NIC_FREE_RUNNING);
        CHECK(now >= last);
        last = now;
    }
    close_both(dev, clock);
}

/* The driver's clock for PTP shows TAI or UTC, which differ by less than a minute. */
static void real_time_is_the_time_of_day(void)
{
    const uint64_t minute = 60 * SECOND;
    struct doca_clock *clock;
    struct doca_dev *dev = open_with(mlx5_trap_sys(), &clock);
    uint64_t host, nic;

    need_clocks(dev, clock);
    host = read_clock(clock, DOCA_CLOCK_HOST_REAL_TIME);
    nic = read_clock(clock, DOCA_CLOCK_NIC_REAL_TIME);
    CHECK(nic < host + minute && nic + minute > host);
    close_both(dev, clock);
}

static void dpa_timer_is_not_supported(void)
{
    struct doca_clock *clock;
    struct doca_dev *dev = open_with(mlx5_trap_sys(), &clock);
    union doca_clock_timespec_t ts;

    FAILS(doca_clock_cap_nic_dpa_timer_is_supported(doca_dev_as_devinfo(dev)), NOT_SUPPORTED,
          CLOCK_DPA);
    FAILS(doca_clock_get_timestamp(clock, DOCA_CLOCK_NIC_DPA_TIMER, &ts), NOT_SUPPORTED,
          CLOCK_DPA);
    close_both(dev, clock);
}

/* Frequencies of real cards, and a counter that has run for up to centuries. */
static void cycles_become_nanoseconds(void)
{
    static const struct {
        uint64_t khz, cycles, ns;
    } rows[] = {
        { 1000000, 0, 0 },
        { 1000000, 1234567890, 1234567890 },
        { 156250, 156250000, SECOND },
        { 156250, 1, 6 },
        { 156250, 156249999, 999999993 },
        { 78125, UINT64_C(78125000) * 86400 * 365, UINT64_C(86400) * 365 * SECOND },
        { 1000000, UINT64_MAX, UINT64_MAX },
        { 276000, UINT64_C(276000) * 1000 * 3600 + 138, 3600 * SECOND + 500 },
    };
    struct doca_clock *clock;
    struct doca_dev *dev;
    size_t i;

    replace_sys();
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        replaced.khz = rows[i].khz;
        replaced.cycles = rows[i].cycles;
        dev = open_with(&sys, &clock);
        CHECK_EQ(read_clock(clock, DOCA_CLOCK_NIC_FREE_RUNNING), rows[i].ns);
        close_both(dev, clock);
    }
}

static void driver_converts_to_real_time(void)
{
    struct doca_clock *clock;
    struct doca_dev *dev;

    replace_sys();
    dev = open_with(&sys, &clock);
    replaced.cycles = 4711;
    replaced.ns = 1700000000 * SECOND + 5;
    CHECK_EQ(read_clock(clock, DOCA_CLOCK_NIC_REAL_TIME), replaced.ns);
    close_both(dev, clock);
}

static void refusals_are_reported_with_their_step(void)
{
    union doca_clock_timespec_t ts, other;
    struct doca_clock *clock;
    struct doca_dev *dev;
    uint64_t accuracy = 17;

    replace_sys();
    dev = open_with(&sys, &clock);
    replaced.read_error = EIO;
    FAILS(doca_clock_get_timestamp(clock, DOCA_CLOCK_NIC_FREE_RUNNING, &ts), DRIVER, MLX5_CALL);
    CHECK(strstr(test_log_text, "doca_clock_get_timestamp: dev 0x") != NULL);
    CHECK(strstr(test_log_text, "refused to read the core clock: EIO") != NULL);
    replaced.read_error = 0;
    replaced.convert_error = EINVAL;
    CHECK_OK(doca_clock_get_timestamp(clock, DOCA_CLOCK_NIC_FREE_RUNNING, &ts));
    FAILS(doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_HOST_MONOTONIC, DOCA_CLOCK_NIC_REAL_TIME,
                                        &ts, &other, &accuracy),
          DRIVER, MLX5_CALL);
    CHECK(strstr(test_log_text, "doca_clock_get_crosstimestamp: dev 0x") != NULL);
    CHECK(strstr(test_log_text, "refused to convert the core clock to real time: EINVAL") != NULL);
    CHECK_EQ(accuracy, 17);
    close_both(dev, clock);
}

/* A device without a readable core clock, or without the driver's page, lacks the clocks; the list
 * of devices shows it, and no line is logged before a program asks. */
static void absent_clocks_are_not_supported(void)
{
    struct doca_clock *clock;
    union doca_clock_timespec_t ts;
    const struct doca_devinfo *info;
    struct doca_dev *dev;
    unsigned way;

    for (way = 0; way < 6; way++) {
        replace_sys();
        replaced.khz = way == 0 ? 0 : 1000;
        replaced.query_error = way == 1 ? EOPNOTSUPP : 0;
        replaced.read_error = way == 2 ? EOPNOTSUPP : 0;
        replaced.convert_error = way == 4 ? EINVAL : 0;
        if (way == 3)
            sys.query_clock = NULL;
        if (way == 5)
            sys.clock_to_ns = NULL;
        test_log_lines = 0;
        dev = open_with(&sys, &clock);
        CHECK_EQ(test_log_lines, 0);
        info = doca_dev_as_devinfo(dev);
        FAILS(doca_clock_cap_nic_real_time_is_supported(info), NOT_SUPPORTED, DEV_NO_CLOCK);
        FAILS(doca_clock_get_timestamp(clock, DOCA_CLOCK_NIC_REAL_TIME, &ts), NOT_SUPPORTED,
              DEV_NO_CLOCK);
        if (way < 4) {
            FAILS(doca_clock_cap_nic_free_running_is_supported(info), NOT_SUPPORTED, DEV_NO_CLOCK);
            FAILS(doca_clock_get_timestamp(clock, DOCA_CLOCK_NIC_FREE_RUNNING, &ts),
                  NOT_SUPPORTED, DEV_NO_CLOCK);
        } else {
            CHECK_OK(doca_clock_cap_nic_free_running_is_supported(info));
        }
        close_both(dev, clock);
    }
}

static const struct test_case cases[] = {
    CASE(clocks_advance_like_those_of_the_host, ""),
    CASE(timestamps_never_go_back, ""),
    CASE(real_time_is_the_time_of_day, ""),
    CASE(dpa_timer_is_not_supported, ""),
    CASE(cycles_become_nanoseconds, ""),
    CASE(driver_converts_to_real_time, ""),
    CASE(refusals_are_reported_with_their_step, ""),
    CASE(absent_clocks_are_not_supported, ""),
};

TEST_MAIN(cases)
