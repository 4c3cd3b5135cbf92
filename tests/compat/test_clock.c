/* DOCA Clock: clock objects, timestamps of the host's and the NIC's clocks, and cross timestamps.
 * This program replaces clock_gettime(), and registers a device whose clocks return what a case
 * chooses. */
#include "doca_core_clock.h"
#include "doca_test.h"

#include <errno.h>

#define SECOND UINT64_C(1000000000)
#define GUARD_BYTES 0x5a

static const uint64_t host_clocks[] = { DOCA_CLOCK_HOST_COUNTER_CYCLES, DOCA_CLOCK_HOST_MONOTONIC,
                                        DOCA_CLOCK_HOST_MONOTONIC_RAW, DOCA_CLOCK_HOST_REAL_TIME };
static const uint64_t nic_clocks[] = { DOCA_CLOCK_NIC_FREE_RUNNING, DOCA_CLOCK_NIC_REAL_TIME };
#define NUM(array) (sizeof(array) / sizeof((array)[0]))

/* ---- clocks that a case chooses */

static struct {
    int error;               /* errno of a failing clock_gettime(); 0: the call succeeds */
    const uint64_t *times;   /* results of clock_gettime(), in ns; NULL: the real time */
    unsigned num_times;      /* number of elements; after the last one, the first one follows */
    unsigned num_calls;      /* calls of clock_gettime() since `times` was set */
    doca_error_t answer;     /* of clock_read of the scripted device */
    bool is_quiet;           /* clock_read fails without a report */
    uint64_t nic_time;       /* result of the next clock_read; each call adds 1 */
    const char *function;    /* arguments of the last clock_read */
    enum doca_core_nic_clock clock;
} script;

int clock_gettime(clockid_t id, struct timespec *now)
{
    uint64_t time;

    if (script.error != 0) {
        errno = script.error;
        return -1;
    }
    if (script.times == NULL)
        return (int)sys_call(SYS_clock_gettime, id, (long)now, 0, 0, 0, 0);
    time = script.times[script.num_calls++ % script.num_times];
    now->tv_sec = (time_t)(time / SECOND);
    now->tv_nsec = (long)(time % SECOND);
    return 0;
}

static void set_times(const uint64_t *times, unsigned num)
{
    script.times = times;
    script.num_times = num;
    script.num_calls = 0;
}

static uint32_t scripted_enumerate(struct doca_core_dev_attr *attrs, uint32_t max)
{
    if (max > 0) {
        memset(attrs, 0, sizeof(*attrs));
        strcpy(attrs->pci_addr, "0000:8b:00.0");
        strcpy(attrs->ibdev_name, "scripted_0");
    }
    return 1;
}

static doca_error_t scripted_cap(const struct doca_core_dev_attr *attr,
                                 enum doca_core_nic_clock clock)
{
    CHECK_STR(attr->ibdev_name, "scripted_0");
    return clock == DOCA_CORE_NIC_CLOCK_REAL_TIME ? DOCA_ERROR_NOT_SUPPORTED : DOCA_SUCCESS;
}

static doca_error_t scripted_read(struct doca_dev *dev, enum doca_core_nic_clock clock,
                                  const char *function, uint64_t *ns)
{
    if (scripted_cap(&dev->info.attr, clock) != DOCA_SUCCESS)
        return DOCA_ERROR_NOT_SUPPORTED;
    script.function = function;
    script.clock = clock;
    *ns = script.nic_time++;
    if (script.answer != DOCA_SUCCESS && !script.is_quiet)
        return doca_core_backend_fail(script.answer, DOCA_CORE_ITEM_MLX5_OTHER, function, dev, 0);
    return script.answer;
}

/* Make a device with these hooks the only device, and open it. */
static struct doca_dev *open_scripted(bool has_clocks)
{
    static const struct doca_core_dev_attr none;
    struct doca_core_backend table = *doca_core_sw_backend();
    struct doca_devinfo **list;
    struct doca_dev *dev;
    uint32_t num;

    memset(&script, 0, sizeof(script));
    table.name = "scripted";
    table.enumerate = scripted_enumerate;
    table.enumerate_reps = NULL;
    table.clock_cap = has_clocks ? scripted_cap : NULL;
    table.clock_read = has_clocks ? scripted_read : NULL;
    CHECK_OK(doca_core_backend_register(&table));
    CHECK_OK(doca_core_sw_set_devices(&none, 0));
    CHECK_OK(doca_devinfo_create_list(&list, &num));
    CHECK_EQ(num, 1);
    CHECK_OK(doca_dev_open(list[0], &dev));
    CHECK_OK(doca_devinfo_destroy_list(list));
    return dev;
}

static void close_scripted(struct doca_dev *dev)
{
    CHECK_OK(doca_dev_close(dev));
    CHECK_OK(doca_core_backend_unregister("scripted"));
    CHECK_OK(doca_core_sw_set_topology(NULL));
    memset(&script, 0, sizeof(script));
}

/* ---- helpers */

static struct doca_clock *make_clock(struct doca_dev *dev)
{
    struct doca_clock *clock = NULL;

    CHECK_OK(doca_clock_create(dev, &clock));
    CHECK(clock != NULL);
    return clock;
}

static uint64_t number(uint64_t type, const union doca_clock_timespec_t *ts)
{
    if (type == DOCA_CLOCK_HOST_COUNTER_CYCLES)
        return ts->counter;
    CHECK(ts->ts.tv_nsec >= 0 && ts->ts.tv_nsec < (long)SECOND);
    return (uint64_t)ts->ts.tv_sec * SECOND + (uint64_t)ts->ts.tv_nsec;
}

static uint64_t read_clock(const struct doca_clock *clock, uint64_t type)
{
    union doca_clock_timespec_t ts;

    memset(&ts, 0, sizeof(ts));
    CHECK_OK(doca_clock_get_timestamp(clock, type, &ts));
    return number(type, &ts);
}

/* Return the time of the kernel's clock `id`, in nanoseconds. */
static uint64_t kernel_time(clockid_t id)
{
    struct timespec now;

    CHECK_EQ(sys_call(SYS_clock_gettime, id, (long)&now, 0, 0, 0, 0), 0);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

/* A call must fail with this code and write exactly one log line of this item. */
#define FAILS(call, code, item)                                                                    \
    do {                                                                                           \
        unsigned lines_before = test_log_lines;                                                    \
        CHECK_RC(call, DOCA_ERROR_##code);                                                         \
        CHECK_EQ(test_log_lines, lines_before + 1);                                                \
        CHECK_EQ(test_log_item, DOCA_CORE_ITEM_##item);                                            \
    } while (0)

/* ---- constants and objects */

static void constants_are_distinct_bits(void)
{
    uint64_t all = 0, one;
    size_t i;

    for (i = 0; i < 7; i++) {
        one = i < 4   ? host_clocks[i]
              : i < 6 ? nic_clocks[i - 4]
                      : DOCA_CLOCK_NIC_DPA_TIMER;
        CHECK(one != 0 && (one & (one - 1)) == 0 && (one & all) == 0);
        all |= one;
    }
    switch (host_clocks[1]) { /* they are constant expressions */
    case DOCA_CLOCK_HOST_COUNTER_CYCLES:
    case DOCA_CLOCK_NIC_DPA_TIMER:
        CHECK(false);
        break;
    case DOCA_CLOCK_HOST_MONOTONIC:
        break;
    default:
        CHECK(false);
    }
}

static void clock_is_one_block_of_the_arena(void)
{
    static unsigned char memory[1024] __attribute__((aligned(DOCA_CORE_LINE)));
    struct doca_core_arena arena, *bound = doca_core_arena_bound();
    size_t bytes = 0, used = 0, before = 0;
    struct doca_clock *clock = NULL, *second = NULL, *third = NULL;
    struct doca_dev *dev = test_open_first_dev();
    unsigned i;

    CHECK_OK(doca_core_bytes_clock(&bytes));
    CHECK_EQ(bytes, DOCA_CORE_BYTES_CLOCK(1));
    CHECK_OK(doca_core_arena_init(&arena, memory, sizeof(memory)));
    CHECK_OK(doca_core_clock_create_in(&arena, dev, &clock));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, bytes);
    CHECK_OK(doca_clock_destroy(clock));
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, 0);
    /* the arena of the device, or the bound one */
    CHECK_OK(doca_core_arena_query(bound, &before, NULL, NULL));
    CHECK_OK(doca_core_arena_bind(&arena));
    clock = make_clock(dev);
    second = make_clock(NULL);
    CHECK_OK(doca_core_arena_query(&arena, &used, NULL, NULL));
    CHECK_EQ(used, bytes);
    CHECK_OK(doca_core_arena_query(bound, &used, NULL, NULL));
    CHECK_EQ(used, before + bytes);
    CHECK_OK(doca_clock_destroy(second));
    CHECK_OK(doca_clock_destroy(clock));
    CHECK_OK(doca_core_arena_bind(NULL));
    /* a full arena */
    for (i = 0; doca_core_clock_create_in(&arena, dev, &third) == DOCA_SUCCESS; i++)
        clock = third;
    CHECK(i > 0 && i <= sizeof(memory) / bytes);
    CHECK_PTR(third, clock);
    FAILS(doca_core_clock_create_in(&arena, dev, &third), NO_MEMORY, ARENA_EXHAUSTED);
    CHECK_PTR(third, clock);
    for (; i > 0; i--)
        doca_core_backend_drop_dev(dev); /* the objects end with their arena */
    CHECK_OK(doca_dev_close(dev));
}

static void clock_keeps_its_device_open(void)
{
    struct doca_dev *dev = test_open_first_dev();
    struct doca_clock *clock = make_clock(dev), *other = make_clock(dev);

    FAILS(doca_dev_close(dev), IN_USE, DEV_BUSY);
    CHECK_OK(doca_clock_destroy(clock));
    FAILS(doca_dev_close(dev), IN_USE, DEV_BUSY);
    CHECK_OK(doca_clock_destroy(other));
    CHECK_OK(doca_dev_close(dev));
}

static void arguments_are_checked(void)
{
    struct doca_clock *clock, *none = NULL;
    struct doca_dev *dev = test_open_first_dev(), *no_dev;
    union doca_clock_timespec_t ts, other;
    static unsigned char bytes[1024] __attribute__((aligned(DOCA_CORE_LINE)));
    uint64_t accuracy = 0;

    clock = make_clock(dev);
    no_dev = (struct doca_dev *)(void *)bytes;
    FAILS(doca_core_bytes_clock(NULL), INVALID_VALUE, NULL_ARGUMENT);
    FAILS(doca_clock_create(dev, NULL), INVALID_VALUE, NULL_ARGUMENT);
    FAILS(doca_clock_create(no_dev, &none), INVALID_VALUE, DEAD_HANDLE);
    FAILS(doca_core_clock_create_in(NULL, dev, &none), INVALID_VALUE, NULL_ARGUMENT);
    FAILS(doca_core_clock_create_in(doca_core_arena_bound(), dev, NULL), INVALID_VALUE,
          NULL_ARGUMENT);
    FAILS(doca_core_clock_create_in(doca_core_arena_bound(), no_dev, &none), INVALID_VALUE,
          DEAD_HANDLE);
    CHECK(none == NULL);
    CHECK_OK(doca_clock_destroy(NULL));
    FAILS(doca_clock_get_timestamp(NULL, DOCA_CLOCK_HOST_MONOTONIC, &ts), INVALID_VALUE,
          NULL_ARGUMENT);
    FAILS(doca_clock_get_timestamp(clock, DOCA_CLOCK_HOST_MONOTONIC, NULL), INVALID_VALUE,
          NULL_ARGUMENT);
#define CROSS(clock, first, second, accuracy)                                                      \
    doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_HOST_MONOTONIC, DOCA_CLOCK_NIC_FREE_RUNNING,   \
                                  first, second, accuracy)
    FAILS(CROSS(NULL, &ts, &other, &accuracy), INVALID_VALUE, NULL_ARGUMENT);
    FAILS(CROSS(clock, NULL, &other, &accuracy), INVALID_VALUE, NULL_ARGUMENT);
    FAILS(CROSS(clock, &ts, NULL, &accuracy), INVALID_VALUE, NULL_ARGUMENT);
    FAILS(CROSS(clock, &ts, &other, NULL), INVALID_VALUE, NULL_ARGUMENT);
    FAILS(doca_clock_cap_nic_free_running_is_supported(NULL), INVALID_VALUE, NULL_ARGUMENT);
    FAILS(doca_clock_cap_nic_real_time_is_supported((struct doca_devinfo *)(void *)bytes),
          INVALID_VALUE, DEAD_HANDLE);
    FAILS(doca_clock_cap_nic_dpa_timer_is_supported((struct doca_devinfo *)(void *)dev),
          INVALID_VALUE, DEAD_HANDLE);
    CHECK_OK(doca_clock_destroy(clock));
    CHECK_OK(doca_dev_close(dev));
}

static void destroyed_clock_is_refused(void)
{
    static unsigned char memory[1024] __attribute__((aligned(DOCA_CORE_LINE)));
    union doca_clock_timespec_t ts, other;
    struct doca_core_arena arena;
    struct doca_clock *clock;
    uint64_t accuracy;

    CHECK_OK(doca_core_arena_init(&arena, memory, sizeof(memory)));
    CHECK_OK(doca_core_clock_create_in(&arena, NULL, &clock));
    CHECK_OK(doca_clock_destroy(clock));
    FAILS(doca_clock_destroy(clock), INVALID_VALUE, DEAD_HANDLE);
    FAILS(doca_clock_get_timestamp(clock, DOCA_CLOCK_HOST_MONOTONIC, &ts), INVALID_VALUE,
          DEAD_HANDLE);
    FAILS(CROSS(clock, &ts, &other, &accuracy), INVALID_VALUE, DEAD_HANDLE);
}

static void unknown_clocks_are_refused(void)
{
    static const uint64_t unknown[] = {
        0, (uint64_t)1 << 7, (uint64_t)1 << 63, ~(uint64_t)0,
        DOCA_CLOCK_HOST_MONOTONIC | DOCA_CLOCK_HOST_REAL_TIME,
        DOCA_CLOCK_NIC_REAL_TIME | DOCA_CLOCK_NIC_FREE_RUNNING
    };
    struct doca_dev *dev = test_open_first_dev();
    struct doca_clock *clock = make_clock(dev);
    union doca_clock_timespec_t ts, other, before;
    uint64_t accuracy = 17;
    size_t i;

    memset(&before, GUARD_BYTES, sizeof(before));
    ts = before;
    other = before;
    for (i = 0; i < NUM(unknown); i++) {
        FAILS(doca_clock_get_timestamp(clock, unknown[i], &ts), INVALID_VALUE, CLOCK_UNKNOWN);
        FAILS(doca_clock_get_crosstimestamp(clock, unknown[i], DOCA_CLOCK_NIC_REAL_TIME, &ts,
                                            &other, &accuracy),
              INVALID_VALUE, CLOCK_UNKNOWN);
        FAILS(doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_HOST_MONOTONIC, unknown[i], &ts,
                                            &other, &accuracy),
              INVALID_VALUE, CLOCK_UNKNOWN);
    }
    for (i = 0; i < NUM(host_clocks); i++)
        FAILS(doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_HOST_MONOTONIC, host_clocks[i], &ts,
                                            &other, &accuracy),
              INVALID_VALUE, CLOCK_NOT_NIC);
    CHECK_MEM(&ts, &before, sizeof(before));
    CHECK_MEM(&other, &before, sizeof(before));
    CHECK_EQ(accuracy, 17);
    CHECK_OK(doca_clock_destroy(clock));
    CHECK_OK(doca_dev_close(dev));
}

/* ---- timestamps */

static void clocks_that_nobody_sets_never_go_back(void)
{
    static const uint64_t types[] = { DOCA_CLOCK_HOST_COUNTER_CYCLES, DOCA_CLOCK_HOST_MONOTONIC,
                                      DOCA_CLOCK_HOST_MONOTONIC_RAW, DOCA_CLOCK_NIC_FREE_RUNNING };
    struct doca_dev *dev = test_open_first_dev();
    struct doca_clock *clock = make_clock(dev);
    uint64_t first, last, now;
    unsigned i, k;

    for (i = 0; i < NUM(types); i++) {
        first = last = read_clock(clock, types[i]);
        for (k = 0; k < 1000; k++) {
            now = read_clock(clock, types[i]);
            CHECK(now >= last);
            last = now;
        }
        CHECK(last > first);
    }
    CHECK_OK(doca_clock_destroy(clock));
    CHECK_OK(doca_dev_close(dev));
}

/* The time of each clock lies between two readings of the kernel's clock that it stands for. */
static void clocks_are_those_of_the_kernel(void)
{
    static const struct {
        uint64_t type;
        clockid_t id;
    } rows[] = {
        { DOCA_CLOCK_HOST_MONOTONIC, CLOCK_MONOTONIC },
        { DOCA_CLOCK_HOST_MONOTONIC_RAW, CLOCK_MONOTONIC_RAW },
        { DOCA_CLOCK_HOST_REAL_TIME, CLOCK_REALTIME },
        { DOCA_CLOCK_NIC_FREE_RUNNING, CLOCK_MONOTONIC_RAW },
        { DOCA_CLOCK_NIC_REAL_TIME, CLOCK_TAI },
    };
    struct doca_dev *dev = test_open_first_dev();
    struct doca_clock *clock = make_clock(dev);
    uint64_t before, now;
    size_t i;

    for (i = 0; i < NUM(rows); i++) {
        before = kernel_time(rows[i].id);
        now = read_clock(clock, rows[i].type);
        CHECK(before <= now);
        CHECK(now <= kernel_time(rows[i].id));
    }
    CHECK_OK(doca_clock_destroy(clock));
    CHECK_OK(doca_dev_close(dev));
}

static void host_clocks_need_no_device(void)
{
    struct doca_clock *clock = make_clock(NULL);
    union doca_clock_timespec_t ts, other;
    uint64_t accuracy;
    size_t i;

    for (i = 0; i < NUM(host_clocks); i++)
        CHECK(read_clock(clock, host_clocks[i]) > 0);
    for (i = 0; i < NUM(nic_clocks); i++) {
        FAILS(doca_clock_get_timestamp(clock, nic_clocks[i], &ts), NOT_SUPPORTED, CLOCK_NO_DEV);
        FAILS(doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_HOST_MONOTONIC, nic_clocks[i], &ts,
                                            &other, &accuracy),
              NOT_SUPPORTED, CLOCK_NO_DEV);
    }
    CHECK_OK(doca_clock_destroy(clock));
}

static void software_devices_have_two_nic_clocks(void)
{
    struct doca_devinfo **list;
    struct doca_clock *clock;
    union doca_clock_timespec_t ts, other;
    struct doca_dev *dev;
    uint64_t accuracy;
    uint32_t num, i;

    CHECK_OK(doca_devinfo_create_list(&list, &num));
    for (i = 0; i < num; i++) {
        CHECK_OK(doca_clock_cap_nic_free_running_is_supported(list[i]));
        CHECK_OK(doca_clock_cap_nic_real_time_is_supported(list[i]));
        FAILS(doca_clock_cap_nic_dpa_timer_is_supported(list[i]), NOT_SUPPORTED, CLOCK_DPA);
        CHECK(strstr(test_log_text, "doca_clock_cap_nic_dpa_timer_is_supported: ") != NULL);
    }
    CHECK_OK(doca_devinfo_destroy_list(list));
    dev = test_open_first_dev();
    CHECK_OK(doca_clock_cap_nic_free_running_is_supported(doca_dev_as_devinfo(dev)));
    clock = make_clock(dev);
    FAILS(doca_clock_get_timestamp(clock, DOCA_CLOCK_NIC_DPA_TIMER, &ts), NOT_SUPPORTED,
          CLOCK_DPA);
    FAILS(doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_NIC_REAL_TIME, DOCA_CLOCK_NIC_DPA_TIMER,
                                        &ts, &other, &accuracy),
          NOT_SUPPORTED, CLOCK_DPA);
    CHECK(strstr(test_log_text, "doca_clock_get_crosstimestamp: dev 0x") != NULL);
    CHECK_OK(doca_clock_destroy(clock));
    CHECK_OK(doca_dev_close(dev));
}

static void refusal_of_the_system_is_reported(void)
{
    struct doca_clock *clock = make_clock(NULL);
    union doca_clock_timespec_t ts;

    script.error = EINVAL;
    FAILS(doca_clock_get_timestamp(clock, DOCA_CLOCK_HOST_MONOTONIC, &ts), OPERATING_SYSTEM,
          CLOCK_SYSTEM);
    CHECK(strstr(test_log_text, "doca_clock_get_timestamp: the operating system refused to read "
                                "the clock (clock_gettime): EINVAL") != NULL);
    CHECK(read_clock(clock, DOCA_CLOCK_HOST_COUNTER_CYCLES) > 0);
    script.error = 0;
    CHECK_OK(doca_clock_destroy(clock));
}

/* ---- cross timestamps */

/* For each pair of clocks, the timestamps lie between readings before and after the call. */
static void cross_timestamps_are_between_readings_around_them(void)
{
    struct doca_dev *dev = test_open_first_dev();
    struct doca_clock *clock = make_clock(dev);
    union doca_clock_timespec_t primary, nic;
    uint64_t types[6], before, nic_before, accuracy, after;
    size_t i, k;

    memcpy(types, host_clocks, sizeof(host_clocks));
    memcpy(types + 4, nic_clocks, sizeof(nic_clocks));
    for (i = 0; i < NUM(types); i++) {
        for (k = 0; k < NUM(nic_clocks); k++) {
            before = read_clock(clock, types[i]);
            nic_before = read_clock(clock, nic_clocks[k]);
            accuracy = 0;
            CHECK_OK(doca_clock_get_crosstimestamp(clock, types[i], nic_clocks[k], &primary, &nic,
                                                   &accuracy));
            after = read_clock(clock, types[i]);
            CHECK(number(types[i], &primary) >= before && number(types[i], &primary) <= after);
            CHECK(number(nic_clocks[k], &nic) >= nic_before);
            CHECK(number(nic_clocks[k], &nic) <= read_clock(clock, nic_clocks[k]));
            CHECK(accuracy > 0 && accuracy <= after - before + 1);
        }
    }
    CHECK_OK(doca_clock_destroy(clock));
    CHECK_OK(doca_dev_close(dev));
}

/* The free running clock of a software device is CLOCK_MONOTONIC_RAW, so the two timestamps show
 * how far apart they are: never farther than the accuracy. */
static void accuracy_bounds_the_distance(void)
{
    struct doca_dev *dev = test_open_first_dev();
    struct doca_clock *clock = make_clock(dev);
    union doca_clock_timespec_t primary, nic;
    uint64_t accuracy, a, b;
    unsigned i;

    for (i = 0; i < 1000; i++) {
        CHECK_OK(doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_HOST_MONOTONIC_RAW,
                                               DOCA_CLOCK_NIC_FREE_RUNNING, &primary, &nic,
                                               &accuracy));
        a = number(DOCA_CLOCK_HOST_MONOTONIC_RAW, &primary);
        b = number(DOCA_CLOCK_NIC_FREE_RUNNING, &nic);
        CHECK((a > b ? a - b : b - a) <= accuracy);
    }
    CHECK_OK(doca_clock_destroy(clock));
    CHECK_OK(doca_dev_close(dev));
}

static void tightest_attempt_is_returned(void)
{
    /* the third attempt takes 40 ns; the fourth goes back and does not count */
    static const uint64_t times[2 * DOCA_CORE_CLOCK_TRIES] = {
        5 * SECOND,       5 * SECOND + 900, 5 * SECOND + 1000, 5 * SECOND + 1500,
        6 * SECOND - 20,  6 * SECOND + 20,  6 * SECOND + 200,  6 * SECOND + 199,
        7 * SECOND,       7 * SECOND + 41,  7 * SECOND + 100,  7 * SECOND + 190,
        8 * SECOND,       8 * SECOND + 100, 8 * SECOND + 200,  8 * SECOND + 240
    };
    struct doca_dev *dev = open_scripted(true);
    struct doca_clock *clock = make_clock(dev);
    union doca_clock_timespec_t primary, nic;
    uint64_t accuracy = 0;

    script.nic_time = 3 * SECOND - 1;
    set_times(times, NUM(times));
    CHECK_OK(doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_HOST_REAL_TIME,
                                           DOCA_CLOCK_NIC_FREE_RUNNING, &primary, &nic,
                                           &accuracy));
    CHECK_EQ(script.num_calls, 2 * DOCA_CORE_CLOCK_TRIES);
    CHECK_EQ(number(DOCA_CLOCK_HOST_REAL_TIME, &primary), 6 * SECOND);
    CHECK_EQ(number(DOCA_CLOCK_NIC_FREE_RUNNING, &nic), 3 * SECOND + 1);
    CHECK_EQ(accuracy, 21);
    CHECK_STR(script.function, "doca_clock_get_crosstimestamp");
    CHECK_EQ(script.clock, DOCA_CORE_NIC_CLOCK_FREE_RUNNING);
    set_times(NULL, 0);
    CHECK_OK(doca_clock_destroy(clock));
    close_scripted(dev);
}

/* When both readings are equal or one apart, the bound still covers a whole unit. */
static void accuracy_is_never_zero(void)
{
    static const uint64_t still[1] = { 5 * SECOND };
    static const uint64_t next[2] = { 5 * SECOND, 5 * SECOND + 1 };
    struct doca_dev *dev = open_scripted(true);
    struct doca_clock *clock = make_clock(dev);
    union doca_clock_timespec_t primary, nic;
    uint64_t accuracy = 0;

    set_times(still, NUM(still));
    CHECK_OK(doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_HOST_MONOTONIC,
                                           DOCA_CLOCK_NIC_FREE_RUNNING, &primary, &nic,
                                           &accuracy));
    CHECK_EQ(accuracy, 1);
    set_times(next, NUM(next));
    CHECK_OK(doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_HOST_MONOTONIC,
                                           DOCA_CLOCK_NIC_FREE_RUNNING, &primary, &nic,
                                           &accuracy));
    CHECK_EQ(number(DOCA_CLOCK_HOST_MONOTONIC, &primary), 5 * SECOND);
    CHECK_EQ(accuracy, 2);
    set_times(NULL, 0);
    CHECK_OK(doca_clock_destroy(clock));
    close_scripted(dev);
}

static void clock_that_always_goes_back_is_reported(void)
{
    static const uint64_t back[2] = { 5 * SECOND, 4 * SECOND };
    struct doca_dev *dev = open_scripted(true);
    struct doca_clock *clock = make_clock(dev);
    union doca_clock_timespec_t primary, nic, before;
    uint64_t accuracy = 17;

    memset(&before, GUARD_BYTES, sizeof(before));
    primary = before;
    nic = before;
    set_times(back, NUM(back));
    FAILS(doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_HOST_REAL_TIME,
                                        DOCA_CLOCK_NIC_FREE_RUNNING, &primary, &nic, &accuracy),
          AGAIN, CLOCK_WENT_BACK);
    CHECK_MEM(&primary, &before, sizeof(before));
    CHECK_MEM(&nic, &before, sizeof(before));
    CHECK_EQ(accuracy, 17);
    set_times(NULL, 0);
    CHECK_OK(doca_clock_destroy(clock));
    close_scripted(dev);
}

/* ---- backends */

static void failure_of_a_device_is_reported_once(void)
{
    struct doca_dev *dev = open_scripted(true);
    struct doca_clock *clock = make_clock(dev);
    union doca_clock_timespec_t ts, other, before;
    uint64_t accuracy = 17;

    memset(&before, GUARD_BYTES, sizeof(before));
    ts = before;
    script.answer = DOCA_ERROR_DRIVER;
    FAILS(doca_clock_get_timestamp(clock, DOCA_CLOCK_NIC_FREE_RUNNING, &ts), DRIVER, MLX5_OTHER);
    FAILS(doca_clock_get_crosstimestamp(clock, DOCA_CLOCK_HOST_MONOTONIC,
                                        DOCA_CLOCK_NIC_FREE_RUNNING, &ts, &other, &accuracy),
          DRIVER, MLX5_OTHER);
    script.is_quiet = true;
    FAILS(doca_clock_get_timestamp(clock, DOCA_CLOCK_NIC_FREE_RUNNING, &ts), DRIVER,
          BACKEND_REFUSED);
    CHECK_MEM(&ts, &before, sizeof(before));
    CHECK_EQ(accuracy, 17);
    script.answer = DOCA_SUCCESS;
    script.clock = DOCA_CORE_NIC_CLOCK_FREE_RUNNING;
    FAILS(doca_clock_get_timestamp(clock, DOCA_CLOCK_NIC_REAL_TIME, &ts), NOT_SUPPORTED,
          DEV_NO_CLOCK);
    CHECK_OK(doca_clock_get_timestamp(clock, DOCA_CLOCK_NIC_DPA_TIMER, &ts));
    CHECK_EQ(script.clock, DOCA_CORE_NIC_CLOCK_DPA_TIMER);
    CHECK_STR(script.function, "doca_clock_get_timestamp");
    CHECK_OK(doca_clock_destroy(clock));
    close_scripted(dev);
}

static void device_without_the_hooks_has_no_clocks(void)
{
    struct doca_dev *dev = open_scripted(false);
    struct doca_clock *clock = make_clock(dev);
    union doca_clock_timespec_t ts;

    FAILS(doca_clock_cap_nic_free_running_is_supported(doca_dev_as_devinfo(dev)), NOT_SUPPORTED,
          DEV_NO_CLOCK);
    FAILS(doca_clock_cap_nic_real_time_is_supported(doca_dev_as_devinfo(dev)), NOT_SUPPORTED,
          DEV_NO_CLOCK);
    FAILS(doca_clock_get_timestamp(clock, DOCA_CLOCK_NIC_FREE_RUNNING, &ts), NOT_SUPPORTED,
          DEV_NO_CLOCK);
    CHECK(read_clock(clock, DOCA_CLOCK_HOST_MONOTONIC) > 0);
    CHECK_OK(doca_clock_destroy(clock));
    close_scripted(dev);
}

static const struct test_case cases[] = {
    CASE(constants_are_distinct_bits, ""),
    CASE(clock_is_one_block_of_the_arena, ""),
    CASE(clock_keeps_its_device_open, "24"),
    CASE(arguments_are_checked, ""),
    CASE(destroyed_clock_is_refused, ""),
    CASE(unknown_clocks_are_refused, ""),
    CASE(clocks_that_nobody_sets_never_go_back, ""),
    CASE(clocks_are_those_of_the_kernel, ""),
    CASE(host_clocks_need_no_device, ""),
    CASE(software_devices_have_two_nic_clocks, ""),
    CASE(refusal_of_the_system_is_reported, ""),
    CASE(cross_timestamps_are_between_readings_around_them, ""),
    CASE(accuracy_bounds_the_distance, ""),
    CASE(tightest_attempt_is_returned, ""),
    CASE(accuracy_is_never_zero, ""),
    CASE(clock_that_always_goes_back_is_reported, ""),
    CASE(failure_of_a_device_is_reported_once, ""),
    CASE(device_without_the_hooks_has_no_clocks, ""),
};

TEST_MAIN(cases)
